"""What a representation keeps and what it gives away: variance of new rows, and MMD² between groups."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairstats.linalg.bandwidth import median_bandwidth

Floats = NDArray[np.float64]
MOST_ROWS = 5000  # whose distances give a bandwidth
BLOCK = 2048  # rows of a kernel matrix at once
ORTHONORMAL = 1e-6


def explained(fit: Any, X: Floats) -> float:
    """Share of the variance of new rows that lies along a fit's loadings, tr(UᵀAU)/tr A.

    Parameters
    ----------
    fit : object
        With ``loadings`` (p, k) and, for features in other units, ``scaling.scale`` (p,).
    X : array (n, p)
        New rows, as the fit was given rows.

    Returns
    -------
    float
        NaN where there are no orthonormal loadings: of a kernel method, say, the share would mean nothing.

    Notes
    -----
    A is the covariance of the new rows, so the share may be higher than in training (Lee et al. 2022, section 5).

    Examples
    --------
    >>> import fairstats as fs
    >>> X = np.diag([3.0, 2.0, 1.0])
    >>> round(explained(fs.pca(X, k=3), X), 12)
    1.0
    """
    U = getattr(fit, "loadings", None)
    if U is None or np.abs(U.T @ U - np.eye(U.shape[1])).max() > ORTHONORMAL:
        return float("nan")
    scaling = getattr(fit, "scaling", None)
    rows = X if scaling is None or scaling.scale is None else X / scaling.scale
    rows = rows - rows.mean(axis=0)
    return float(np.sum((rows @ U) ** 2) / np.sum(rows**2))


def bandwidth_of_scores(X: Floats, k: int) -> float:
    """Return σ of the Gaussian kernel by the median rule on the rows' first k principal scores.

    Parameters
    ----------
    X : array (n, p)
        Training rows; they are standardized.
    k : int
        Number of components.

    Returns
    -------
    float

    Notes
    -----
    As Lee et al. (2022) do: one σ for all methods, from plain PCA. Of more than 5000 rows every m-th is used.
    """
    rows = X[:: -(-len(X) // MOST_ROWS)]
    sd = X.std(axis=0)
    Z = (rows - X.mean(axis=0)) / np.where(sd > 0, sd, 1.0)
    scores = Z @ np.linalg.eigh(Z.T @ Z)[1][:, ::-1][:, :k]
    return median_bandwidth(scores, MOST_ROWS)


def mmd2(a: Floats, b: Floats, sigma: float) -> float:
    """Biased squared maximum mean discrepancy of two samples, Gaussian kernel exp(−d²/2σ²).

    Parameters
    ----------
    a, b : arrays (n, k), (m, k)
        Rows; the kernel is made block by block.
    sigma : float

    Returns
    -------
    float
        NaN where a sample is empty.

    References
    ----------
    Gretton et al. (2012), A kernel two-sample test, eq. (5).

    Examples
    --------
    >>> round(mmd2(np.zeros((3, 1)), np.ones((2, 1)), 1.0), 4)
    0.7869
    """
    if not len(a) or not len(b):
        return float("nan")
    return _mean(a, a, sigma) + _mean(b, b, sigma) - 2 * _mean(a, b, sigma)


def _mean(a: Floats, b: Floats, sigma: float) -> float:
    center = b.mean(axis=0)  # distances from products lose digits far from the origin
    b = b - center
    lengths = np.einsum("ij,ij->i", b, b)
    total = 0.0
    for start in range(0, len(a), BLOCK):
        part = a[start : start + BLOCK] - center
        square = np.einsum("ij,ij->i", part, part)[:, None] + lengths - 2 * part @ b.T
        total += float(np.exp(np.minimum(-square, 0.0) / (2 * sigma**2)).sum())
    return total / (len(a) * len(b))
