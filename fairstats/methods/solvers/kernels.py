"""Kernels of pairs of rows, and the rows as a kernel sees them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from fairstats.data.matrices import refuse_unsquarable
from fairstats.data.scaling import Scaling

CHUNK = 4096  # rows whose kernel with the basis is held at once

PARAMETERS: dict[str, tuple[str, ...]] = {
    "rbf": ("gamma",),
    "polynomial": ("gamma", "degree", "coef0"),
    "linear": (),
    "sigmoid": ("gamma", "coef0"),
}


def prepared(scaling: Scaling, matrix: Any, shift: np.ndarray | None) -> np.ndarray:
    """Return rows as the kernel sees them: dense, finite, less the shift, standardized where the fit was scaled."""
    dense = matrix.toarray() if hasattr(matrix, "toarray") else matrix
    refuse_unsquarable(dense, scaling.features)
    if scaling.scale is not None:
        return np.asarray((dense - scaling.center) / scaling.scale)
    return np.asarray(dense if shift is None else dense - shift)


def kernel_matrix(name: str, parameters: Mapping[str, float], X: np.ndarray, Y: np.ndarray) -> np.ndarray:
    """Return k(x, y) of all pairs of rows (n × m), as scikit-learn defines the kernels.

    Examples
    --------
    >>> kernel_matrix("polynomial", {"gamma": 1.0, "degree": 2, "coef0": 1.0}, np.eye(2), np.eye(2)).tolist()
    [[4.0, 1.0], [1.0, 4.0]]
    """
    from sklearn.metrics.pairwise import pairwise_kernels

    return np.asarray(pairwise_kernels(X, Y, metric=name, **parameters))
