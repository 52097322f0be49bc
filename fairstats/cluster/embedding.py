"""The spectral embedding H, with or without constraints, and the record of how it was found."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fairstats.cluster.laplacian import Constrained, Form, column_basis
from fairstats.linalg.lanczos import largest_pairs

TOLERANCE = 1e-10  # of the residuals, relative to the size of the operator
FLAT = 1e-9  # once the basis has been full: no gap follows the k-th eigenvalue, and its neighbors are as good
LARGE = 10_000  # vertices from which on that time is worth saving
CONSTRAINT = 1e-8


@dataclass(frozen=True)
class Embedding:
    """The matrix H (n × k) that minimizes tr(HᵀLH) under the constraints, with the record of how it was found.

    Attributes
    ----------
    H : array (n, k)
    eigenvalues : array (k,)
        Of the Laplacian within the constraints, smallest first; their sum is tr(HᵀLH).
    following : float
        The next eigenvalue, from above: its distance to the last one is the gap that k cuts at. NaN if there is none.
    residuals : array (k,)
        ‖Ly − λy‖ relative to the bound of the operator's norm.
    constraints : int
        Number of independent constraints.
    violation : float
        ‖FᵀH‖ (Frobenius), 0 without constraints.
    products, restarts : int
        Matrix-vector products and restarts of the eigensolver.
    """

    H: np.ndarray
    eigenvalues: np.ndarray
    following: float
    residuals: np.ndarray
    constraints: int
    violation: float
    products: int
    restarts: int

    @property
    def objective(self) -> float:
        """tr(HᵀLH)."""
        return float(self.eigenvalues.sum())

    @property
    def gaps(self) -> np.ndarray:
        """Distances between neighboring eigenvalues (k,); the last one is the gap after k."""
        return np.diff(np.append(self.eigenvalues, self.following))

    @property
    def holds(self) -> bool:
        """Whether FᵀH = 0 up to 1e-8."""
        return bool(self.violation <= CONSTRAINT)

    @property
    def failure(self) -> str:
        """What is to be warned of where FᵀH is not 0; "" where it is."""
        if self.holds:
            return ""
        return (
            f"fair_spectral: a guarantee does not hold on this graph: |F'H|: {self.violation:.3g} (at most "
            f"{CONSTRAINT:.3g}). Do not rely on the balance of its embedding; degrees of very different size are the "
            "usual reason."
        )


def embed(form: Form, F: np.ndarray, k: int, seed: int) -> Embedding:
    """The k smallest eigenvectors of a form of the Laplacian among those with FᵀH = 0.

    Parameters
    ----------
    form : Form
        Normalized or not.
    F : array (n, q)
        Constraints, dependent ones included.
    k : int
        At most n − rank F.
    seed : int
        Of the eigensolver's starting block.

    Returns
    -------
    Embedding

    Raises
    ------
    NumericalError
        The eigensolver did not converge.
    """
    operator = Constrained(form, column_basis(form.constraints(F)))
    n, q = operator.Q.shape
    start = operator.within(np.random.default_rng(seed).standard_normal((n, min(k + 1, n - q))))
    flat = FLAT if n > LARGE else TOLERANCE
    pairs = largest_pairs(operator.times, start, k, form.size, tolerance=TOLERANCE, flat=flat)
    # Lanczos leaves rounding along Q; H is to be free of it.
    Y = operator.within(pairs.vectors)
    H = form.embedding(Y)
    return Embedding(
        H=H,
        eigenvalues=form.eigenvalues(pairs.values),
        following=float(form.eigenvalues(np.array([pairs.following]))[0]),
        residuals=pairs.residuals / form.size,
        constraints=q,
        violation=float(np.linalg.norm(F.T @ H)),
        products=pairs.products,
        restarts=pairs.restarts,
    )
