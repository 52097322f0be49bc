"""Probes in closed form, which are trained and tested anew for every refit: least squares on scores, or on features."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cho_factor, cho_solve

from fairstats.inference.representations.probes import FIRST_TESTED, PARTS, spread_evenly
from fairstats.inference.scores.merged_samples import Floats

Codes = NDArray[np.intp]
WAVES, CUTS = 32, 5
QUANTILES_OF = 1000  # rows that say where classes end
RIDGE = {"linear probe": 1e-6, "non-linear probe": 0.1}
HOW = {
    "linear probe": "least squares on the scores",
    "non-linear probe": "ridge regression on Fourier features and classes of the scores",
}


@dataclass(frozen=True)
class Parts:
    """Which rows train and which are tested: within each fold, later parts by probes of all parts before them.

    Attributes
    ----------
    order : array (n,)
        Rows sorted by fold and part.
    cuts : array (folds, PARTS + 1)
        Where in that order each part of each fold begins and ends.
    seed : int
        Of the Fourier features.
    """

    order: Codes
    cuts: NDArray[np.intp]
    seed: int

    @staticmethod
    def of(cells: Codes, folds: Codes, seed: int) -> Parts:
        """The parts, with every cell of the groups spread evenly over them."""
        rng = np.random.default_rng(seed)
        made, ends = [], []
        start = 0
        for fold in np.unique(folds):
            rows = np.flatnonzero(folds == fold)
            part = spread_evenly(cells[rows], rng)
            made.append(rows[np.argsort(part, kind="stable")])
            ends.append(start + np.concatenate([[0], np.cumsum(np.bincount(part, minlength=PARTS))]))
            start += rows.size
        return Parts(np.concatenate(made), np.array(ends), seed)

    @cached_property
    def tested(self) -> list[slice]:
        """The tested parts, as slices of the order."""
        return [slice(c[j], c[j + 1]) for c in self.cuts for j in range(FIRST_TESTED, PARTS) if c[j + 1] > c[j]]

    @cached_property
    def strata(self) -> NDArray[np.intp]:
        """The number of the tested part of each row of the order, -1 where it only trains."""
        out = np.full(self.order.size, -1, dtype=np.intp)
        for number, part in enumerate(self.tested):
            out[part] = number
        return out

    def permuted(self, rng: np.random.Generator) -> Codes:
        """A random exchange of rows within parts (n,): counts of the levels stay as they are in every part."""
        out = np.empty_like(self.order)
        for c in self.cuts:
            for j in range(PARTS):
                rows = self.order[c[j] : c[j + 1]]
                out[rows] = rng.permutation(rows)
        return out

    def predictions(self, scores: Floats, members: Floats, probe: str) -> Floats:
        """Predictions (n, m), in the order, of the indicators of m levels (n, m); rows that only train have 0."""
        features: NDArray[Any] = (scores if probe == "linear probe" else self._features(scores))[self.order]
        marks: NDArray[Any] = members[self.order].astype(features.dtype)
        out = np.zeros(marks.shape)
        for c in self.cuts:
            gram = np.zeros((features.shape[1],) * 2, dtype=features.dtype)
            cross = np.zeros((features.shape[1], marks.shape[1]), dtype=features.dtype)
            sums, totals, done = np.zeros(len(gram)), np.zeros(marks.shape[1]), c[0]
            for now in range(FIRST_TESTED, PARTS):
                new, part = slice(done, c[now]), slice(c[now], c[now + 1])
                gram += features[new].T @ features[new]
                cross += features[new].T @ marks[new]
                sums += features[new].sum(axis=0)
                totals += marks[new].sum(axis=0)
                done, n = c[now], c[now] - c[0]
                if n < 2 or c[now + 1] == c[now]:
                    continue
                mean = sums / n
                left = gram - n * np.outer(mean, mean)
                left[np.diag_indices_from(left)] += RIDGE[probe] * n
                slopes = cho_solve(cho_factor(left), cross - np.outer(mean, totals))
                out[part] = (features[part] - mean) @ slopes
        return out

    def _features(self, scores: Floats) -> NDArray[np.float32]:
        """The scores, waves of two lengths along random directions, and classes of each score between its quantiles."""
        rng = np.random.default_rng(self.seed)
        S = scores.astype(np.float32)
        k = S.shape[1]
        directions = rng.standard_normal((k, WAVES)) / np.sqrt(k)
        directions[:, WAVES // 2 :] *= 3  # half of the waves are short
        waves = np.cos(S @ directions.astype(np.float32) + rng.uniform(0, 2 * np.pi, WAVES).astype(np.float32))
        some = scores[:: max(len(scores) // QUANTILES_OF, 1)]
        cuts = np.quantile(some, np.arange(1, CUTS + 1) / (CUTS + 1), axis=0).astype(np.float32)
        classes = (S[:, :, None] > cuts.T).reshape(len(S), -1).astype(np.float32)
        return np.hstack([S, np.sqrt(np.float32(2)) * waves, classes])

    def areas(self, predictions: Floats, members: Floats) -> Floats:
        """The AUC (m,) of each level against the others, of pairs within tested parts; NaN where there are none."""
        marks = members[self.order] > 0
        won, pairs = np.zeros(marks.shape[1]), np.zeros(marks.shape[1])
        for part in self.tested:
            inside, ranked = marks[part], np.sort(predictions[part], axis=0)
            n = inside.sum(axis=0)
            for j in np.flatnonzero((n > 0) & (n < len(inside))):
                mine = predictions[part][inside[:, j], j]
                places = np.searchsorted(ranked[:, j], mine) + np.searchsorted(ranked[:, j], mine, side="right")
                won[j] += (places.sum() - n[j] * n[j]) / 2  # average ranks of ties, less those among themselves
            pairs += n * (len(inside) - n)
        return np.where(pairs > 0, won / np.where(pairs > 0, pairs, 1.0), np.nan)
