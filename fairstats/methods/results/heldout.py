"""Held-out scores: what `crossfit` returns, and the only input to inference about prediction or leakage."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from fairstats.data.design import Design
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
    weights: np.ndarray | None = None  # (n,) of a weighted fit; statistics of the scores then count rows by them

    def counted(self, weights: Any = None) -> HeldOut:
        """The rows of positive weight; ``weights`` stand in for those of the fit, and equal ones are none."""
        w = self.weights if weights is None else Design.of(self.scores, weights=weights).weights
        if w is None:
            return self
        rows = np.asarray(w > 0)
        equal = bool(np.ptp(w[rows]) == 0)
        return HeldOut(
            self.scores[rows],
            self.folds[rows],
            self.groups.take(rows),
            self.method,
            self.seed,
            None if equal else w[rows],
        )
