"""Held-out scores: the result of `crossfit`, and the only input to inference about prediction or leakage."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from fairstats.arguments import random_seed, word
from fairstats.arrays import LARGEST, array, row_labels
from fairstats.data.design import Design
from fairstats.data.groups import Groups
from fairstats.errors import InputError, visible
from fairstats.estimates import NAN, Estimate, Estimates
from fairstats.results import Reads

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, repr=False)
class HeldOut(Reads):
    """Scores of rows by fits that did not see them: the only input to inference about prediction or leakage.

    Rows with the same fold were scored by the same fit; statistics compare rows within a fold, then average.
    ``HeldOut(scores, folds, groups, method, seed)``, groups one label a row, are scores held out by other means.
    """

    scores: np.ndarray  # (n, k)
    folds: np.ndarray  # (n,) fold in which a row was held out
    groups: Groups
    method: str
    seed: int
    weights: np.ndarray | None = None  # (n,) of a weighted fit; statistics of the scores then count rows by them
    before: np.ndarray | None = None  # (n, m) the same rows without the method's condition, held out alike
    before_of: str = ""  # what these are

    def __post_init__(self) -> None:
        scores = array("scores", self.scores, low=-LARGEST, high=LARGEST, dims=(2,))
        folds = row_labels("folds", self.folds)
        if np.asarray(self.folds).dtype.kind in "iu":  # as they were numbered
            folds = np.asarray(self.folds)
        if not isinstance(self.groups, Groups):
            object.__setattr__(self, "groups", Groups.of(self.groups))
        object.__setattr__(self, "scores", scores)
        object.__setattr__(self, "folds", folds)
        word("method", self.method)
        word("before_of", self.before_of)
        if self.before is not None:
            object.__setattr__(self, "before", array("before", self.before, low=-LARGEST, high=LARGEST, dims=(2,)))
        random_seed(self.seed)
        weights = () if self.weights is None else array("weights", self.weights, low=0, high=LARGEST, dims=(1,))
        lengths = {"folds": len(self.folds), "groups": self.groups.n, "weights": len(weights) or len(scores)}
        lengths |= {"before": len(scores) if self.before is None else len(self.before)}
        for name, length in lengths.items():
            if length != len(scores):
                raise InputError(f"{name} has {length} values and scores {len(scores)} rows; give one a row.")

    @property
    def n(self) -> int:
        """Number of rows."""
        return len(self.scores)

    @property
    def k(self) -> int:
        """Number of scores a row."""
        return int(self.scores.shape[1])

    @cached_property
    def estimates(self) -> Estimates:
        """Mean of each score by group within each fold: folds were scored by different fits."""
        return Estimates(self._means())

    def _means(self) -> Iterator[Estimate]:
        weights = np.ones(self.n) if self.weights is None else np.asarray(self.weights)
        for name, factor in zip(self.groups.names, self.groups.factors, strict=True):
            for fold in np.unique(self.folds):
                for code, level in enumerate(factor.levels):
                    rows = (np.asarray(factor.codes) == code) & (self.folds == fold) & (weights > 0)
                    for j in range(self.k):
                        yield Estimate(
                            "mean score",
                            name,
                            level,
                            term=f"component {j + 1}",
                            given=f"fold {int(fold) + 1}",
                            n=float(weights[rows].sum()),
                            estimate=float(np.average(self.scores[rows, j], weights=weights[rows]))
                            if rows.any()
                            else NAN,
                            status="ok" if rows.any() else "unestimable",
                            reason="" if rows.any() else "nobody of the group in this fold",
                            method="mean of held-out scores",
                        )

    def summary(self) -> str:
        """Say what was held out, and from what."""
        return visible(f"Held-out scores of {self.method}: {self._sizes()}, seed {self.seed}")

    def _sizes(self) -> str:
        return f"{self.n} rows, {self.k} scores, {len(np.unique(self.folds))} folds"

    def _brief(self) -> str:
        names = ", ".join((*self.groups.names, *self.groups.continuous_names))
        return f"{self.method}, {self._sizes()}, groups {names}"

    def glance(self) -> pd.DataFrame:
        """Return one row about the whole."""
        import pandas as pd

        row = {"method": self.method, "n": self.n, "k": self.k, "folds": len(np.unique(self.folds)), "seed": self.seed}
        return pd.DataFrame([{**row, "weighted": self.weights is not None}])

    def to_dict(self) -> dict[str, Any]:
        """Return everything but the rows themselves, JSON-ready (schema ``fairstats/held-out/1``)."""
        return {
            "schema": "fairstats/held-out/1",
            "method": self.method,
            "seed": self.seed,
            "n": self.n,
            "k": self.k,
            "folds": len(np.unique(self.folds)),
            "weighted": self.weights is not None,
            "estimates": self.estimates.to_records(),
        }

    def counted(self, weights: Any = None) -> HeldOut:
        """Return the rows of positive weight; ``weights`` stand in for those of the fit, and equal ones are none."""
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
            None if self.before is None else self.before[rows],
            self.before_of,
        )
