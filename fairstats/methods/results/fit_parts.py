"""What the fits of components are made of: their maps, the components themselves, and the price."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, kw_only=True)
class LinearMap:
    """A linear map to k scores, ``S = ((X − center)/scale) B − Z Λ``, and back, ``X̃ = S Uᵀ + Z M``, about the origin.

    Attributes
    ----------
    weights : array (p, k)
        B; equal to the loadings where those are orthonormal.
    loadings : array (p, k)
        U.
    origin : array (p,)
        What is added to a reconstruction, in the units of the data.
    coefficients : array (q, k) or None
        Λ, where the scores depend on the group of a row.
    group_means : array (q, p) or None
        M, where a reconstruction does.
    """

    weights: np.ndarray
    loadings: np.ndarray
    origin: np.ndarray
    coefficients: np.ndarray | None = None
    group_means: np.ndarray | None = None


@dataclass(frozen=True, kw_only=True)
class KernelMap:
    """A map to k scores through a kernel, ``s(x) = k(x, basis) A + b``.

    Attributes
    ----------
    name, parameters : str, dict
        The kernel and the parameters that it has.
    basis : array (m, p)
        The rows of the fit, or the landmarks, as the kernel sees them: less ``shift`` or standardized.
    coefficients, offset : array (m, k), array (k,)
        A and b; the centering in feature space is part of them.
    shift : array (p,) or None
        What is subtracted from rows before the kernel sees them.
    """

    name: str
    parameters: Mapping[str, float]
    basis: np.ndarray
    coefficients: np.ndarray
    offset: np.ndarray
    shift: np.ndarray | None = None


@dataclass(frozen=True)
class Components:
    """The components of a fit by their sizes.

    Attributes
    ----------
    energy : array (k,)
        Squared length of each component before the groups' part is removed (d_j²).
    group_share : array (k,)
        R_j²: the share of each component that the groups explain; NaN where no groups were given.
    """

    energy: np.ndarray
    group_share: np.ndarray


@dataclass(frozen=True)
class GroupPrice:
    """Mean squared error ‖x − x̃‖² of the people of one level, in the units of the fit.

    Over the levels of an attribute n · error sums to the fit's ``error``, and n · pca_error to its ``pca_error``.
    """

    attribute: str
    level: str
    n: float  # summed weights
    error: float
    pca_error: float


@dataclass(frozen=True, kw_only=True)
class Price:
    """What a fit leaves of the data's sum of squares, beside principal components of the same number.

    Attributes
    ----------
    total, error, pca_error : float
        ‖X_c‖², ‖X_c − X̃‖² and the same for plain PCA of the same k; in feature space for a kernel.
    by_group : tuple of GroupPrice
        The two errors by level, where the data told them.

    Examples
    --------
    >>> Price(total=10.0, error=4.0, pca_error=3.0).extra
    1.0
    """

    total: float
    error: float
    pca_error: float
    by_group: tuple[GroupPrice, ...] = ()

    @property
    def extra(self) -> float:
        """What the method's condition costs: its error less that of PCA."""
        return self.error - self.pca_error
