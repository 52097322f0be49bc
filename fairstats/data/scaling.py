"""What the data were before centring and scaling: enough to treat new rows alike."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from fairstats.errors import InputError, listing


@dataclass(frozen=True)
class Frame:
    """Features, centre and scale of the rows of a fit."""

    features: tuple[str, ...]
    center: np.ndarray  # (p,) subtracted
    scale: np.ndarray | None  # (p,) divided by
    n: int
    weight: float
    named: bool
    formula: Any
    weighted: bool
    source: str


def column_sd(squares: np.ndarray, mean: np.ndarray, weight: float, features: tuple[str, ...]) -> np.ndarray:
    """Standard deviations (p,) from sums of squares about the mean; a constant column is an error."""
    sd = np.sqrt(np.maximum(squares, 0.0) / (weight - 1.0)) if weight > 1 else np.zeros_like(squares)
    constant = sd <= 1e-12 * np.maximum(np.abs(mean), np.finfo(float).tiny)
    if constant.any():
        names = [features[j] for j in np.flatnonzero(constant)]
        raise InputError(
            f"scale=True, but {listing(names)} {'is' if len(names) == 1 else 'are'} constant and has no "
            "standard deviation to divide by; leave it out, or pass scale=False."
        )
    return sd
