"""The centers and scales of the features of a fit, with which new rows are treated alike."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from fairstats.errors import InputError, listing


@dataclass(frozen=True)
class Scaling:
    """Features, center and scale of the rows of a fit."""

    features: tuple[str, ...]
    center: np.ndarray  # (p,) subtracted
    scale: np.ndarray | None  # (p,) divided by
    n: int
    weight: float
    named: bool
    formula: Any
    weighted: bool
    source: str


def freedom(weight: Any, squares: Any) -> Any:
    """Return the divisor of a sum of squares about a mean: Σw − Σw²/Σw, which is n − 1 where all weights are 1.

    Variances then do not depend on the unit of the weights, and are unbiased where a weight says how precise a row is.
    One row has 0.
    """
    left = weight - squares / np.where(weight > 0, weight, 1.0)
    return np.where(left > 1e-12 * weight, left, 0.0)


def column_sd(
    squares: np.ndarray, mean: np.ndarray, left: float, features: tuple[str, ...], spread: np.ndarray | None = None
) -> np.ndarray:
    """Return standard deviations (p,) from sums of squares and ``freedom``.

    A constant column is an error, unless the rows are a part of others in which its ``spread`` is known.
    """
    sd = np.sqrt(np.maximum(squares, 0.0) / left) if left > 0 else np.zeros_like(squares)
    constant = sd <= 1e-12 * np.maximum(np.abs(mean), np.finfo(float).tiny)
    if spread is not None:
        return np.where(constant, spread, sd)
    if constant.any():
        names = [features[j] for j in np.flatnonzero(constant)]
        raise InputError(
            f"scale=True, but {listing(names)} {'is' if len(names) == 1 else 'are'} constant and has no "
            "standard deviation to divide by; leave it out, or pass scale=False."
        )
    return sd
