"""Held-out scores: what `crossfit` returns, and the only input to inference about prediction or leakage."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fairstats.data.groups import Groups


@dataclass(frozen=True)
class HeldOut:
    """Scores of rows by fits that did not see them: the only input to inference about prediction or leakage.

    Rows with the same fold were scored by the same fit; statistics compare rows within a fold, then average.
    """

    scores: np.ndarray  # (n, k)
    folds: np.ndarray  # (n,) fold in which a row was held out
    groups: Groups
    method: str
    seed: int
