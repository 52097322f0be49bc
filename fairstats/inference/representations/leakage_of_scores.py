"""Leakage of scores that were held out by whatever means: every statement is conditional on these scores."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from fairstats.estimates import NAN, Estimate
from fairstats.inference.multiplicity import adjust
from fairstats.inference.representations.dependence import distance_correlation, mmd
from fairstats.inference.representations.leakage_rows import (
    NO_AREA,
    NO_PROBE,
    Area,
    about,
    dependence_row,
    judged,
    shown,
    standardized,
    with_holm,
    within_strata,
)
from fairstats.inference.representations.probes import PROBES, probe_predictions
from fairstats.inference.scores.merged_samples import Floats
from fairstats.inference.scores.stratified_auc import stratified_auc, stratified_by_design
from fairstats.inference.scores.survey_ranks import design_estimate
from fairstats.methods.results.heldout import HeldOut
from fairstats.progress import steps

MOST_ROWS = 2000
CONDITIONAL = (
    "given these scores; what a fit that equalizes the groups leaks of its own estimation noise is in it, up to"
)


@dataclass(frozen=True)
class ScoresRun:
    """One analysis of held-out scores, which makes the rows of one attribute after the other."""

    held: HeldOut
    scores: Floats
    sample: NDArray[np.intp]
    permutations: int
    conf_level: float
    seed: int
    margin: float | None

    @staticmethod
    def of(held: HeldOut, permutations: int, conf_level: float, seed: int, margin: float | None) -> ScoresRun:
        """Prepare the scores, and the rows for the statistics of all pairs."""
        scores = standardized(held.scores, held.weights)
        sample = sampled(held.folds, seed, MOST_ROWS, held.weights)
        return ScoresRun(held, scores, sample, permutations, conf_level, seed, margin)

    def of_levels(self, name: str, codes: NDArray[np.intp], levels: tuple[str, ...]) -> list[Estimate]:
        """All rows of one attribute: two levels give one row a statistic, more give one a level."""
        return [*self.areas(name, codes, levels), *self._pairs(name, codes, levels)]

    def areas(self, name: str, codes: NDArray[np.intp], levels: tuple[str, ...]) -> list[Estimate]:
        """The rows of both probes."""
        found: list[Estimate] = []
        for probe in steps("probes", PROBES):
            predicted = probe_predictions(self.scores, codes, self.held.folds, probe, self.seed, self.held.weights)
            areas = [self._area(probe, name, codes, levels, j, *predicted) for j in shown(levels)]
            ranks = adjust([a.p_value for a in areas])
            areas = [replace(a, p_adjusted=float(p)) for a, p in zip(areas, ranks, strict=True)]
            found += judged(areas, self.margin, self.conf_level, *self._size)
        return found

    def _pairs(self, name: str, codes: NDArray[np.intp], levels: tuple[str, ...]) -> list[Estimate]:
        part = codes[self.sample]
        scores, folds = self.scores[self.sample], self.held.folds[self.sample]
        discrepancies = mmd(scores, part, folds, permutations=self.permutations, seed=self.seed)
        rows = []
        for j in shown(levels):
            if j < len(discrepancies):
                group, reference = about(levels, j)
                n, events = float(self.sample.size), float((part == j).sum())
                row = Estimate("MMD²", name, group, reference=reference, n=n, events=events)
                rows.append(dependence_row(row, discrepancies[j], self._method()))
        return [*with_holm(rows), self._correlation(name, part)]

    def of_numbers(self, name: str, values: Floats) -> list[Estimate]:
        """The rows of a continuous attribute, for which there is no AUC."""
        blank = [Estimate(f"AUC of {p}", name, status="unestimable", reason=NO_AREA) for p in PROBES]
        return [*blank, self._correlation(name, values[self.sample])]

    def _area(
        self,
        probe: str,
        name: str,
        codes: NDArray[np.intp],
        levels: tuple[str, ...],
        level: int,
        probabilities: Floats,
        strata: NDArray[np.intp],
    ) -> Area:
        tested = strata >= 0
        predicted, positive, within = probabilities[tested, level], codes[tested] == level, strata[tested]
        result, z, _ = stratified_auc(predicted, positive, within, self.conf_level)
        group, reference = about(levels, level)
        n, events = float(result.n_pos + result.n_neg), float(result.n_pos)
        row = Estimate(f"AUC of {probe}", name, group, reference=reference, n=n, events=events)
        if np.isnan(result.auc):
            return Area(replace(row, status="unestimable", reason=NO_PROBE))
        row = replace(row, reason=f"{CONDITIONAL} about {self.noise(codes == level):.2f}")
        if self.held.weights is not None:
            return self._weighted(row, predicted, positive, within, self.held.weights[tested], z)
        limits = within_strata(result, within, positive)
        method = "DeLong on the logit scale, within folds; van Elteren, and the limits, one-sided"
        row = row.with_interval(
            result.auc, *limits(self.conf_level), self.conf_level, std_error=result.std_error, method=method
        ).with_test(z, float(ndtr(-z)))
        return Area(row, limits, float(ndtr(-z)), sizes=(events, n - events))

    def _weighted(
        self, row: Estimate, predicted: Floats, positive: NDArray[np.bool_], strata: Any, w: Floats, z: float
    ) -> Area:
        """The row of an AUC with weights; where none varies (complete separation) the test without them stands."""

        def limits(level: float) -> tuple[float, float]:
            made = stratified_by_design(predicted, positive, strata, w, level)
            return made.low, made.high

        found = stratified_by_design(predicted, positive, strata, w, self.conf_level)
        made = design_estimate(row, found, self.conf_level)
        made = replace(made, n=float(w.sum()), events=float(w[positive].sum()), reason=row.reason)
        mine, theirs = (float(w[side].sum() ** 2 / (w[side] @ w[side])) for side in (positive, ~positive))
        if np.isnan(found.p_value):
            return Area(
                replace(made, method=f"{found.method}; van Elteren"), limits, float(ndtr(-z)), sizes=(mine, theirs)
            )
        z = (found.estimate - 0.5) / found.std_error
        p = found.p_value / 2 if z > 0 else 1 - found.p_value / 2
        return Area(
            replace(made, statistic=z, method=f"{found.method}, within folds, one-sided"),
            limits,
            p,
            sizes=(mine, theirs),
        )

    @property
    def _size(self) -> tuple[int, int]:
        return self.scores.shape[1], np.unique(self.held.folds).size

    def noise(self, chosen: NDArray[np.bool_]) -> float:
        """The AUC to which a fit leaks its own estimate of the group means.

        Subtracting a mean estimated from few rows shifts everybody else's scores by its error: a squared distance
        of about k (1/a + 1/b) between a level of a training rows and b others, and the best probe's AUC is then
        Phi(distance/sqrt(2)).
        """
        share = 1 - 1 / max(np.unique(self.held.folds).size, 2)
        w = np.ones(chosen.size) if self.held.weights is None else self.held.weights
        inside, outside = (share * w[side].sum() ** 2 / (w[side] @ w[side]) for side in (chosen, ~chosen))
        return float(ndtr(np.sqrt(self.scores.shape[1] * (1 / inside + 1 / outside) / 2)))

    def _correlation(self, name: str, target: NDArray) -> Estimate:
        folds = self.held.folds[self.sample]
        scores = self.scores[self.sample]
        found = distance_correlation(scores, target, folds, permutations=self.permutations, seed=self.seed)
        row = Estimate("distance correlation", name, n=float(self.sample.size), events=NAN)
        return with_holm([dependence_row(row, found, self._method())])[0]

    def _method(self) -> str:
        some = f" on a random {self.sample.size} rows" if self.sample.size < len(self.scores) else ""
        some += ", drawn by weight" if some and self.held.weights is not None else ""
        return f"{self.permutations or 'no'} permutations within folds{some}"


def sampled(folds: NDArray[np.intp], seed: int, most: int, weights: Floats | None = None) -> NDArray[np.intp]:
    """Rows for the statistics of all pairs: all, or at random; with weights, in proportion to them.

    Examples
    --------
    >>> sampled(np.zeros(5, int), 0, 3).size
    3
    """
    rng = np.random.default_rng(seed)
    rows = np.arange(folds.size)
    if weights is not None:
        rows = rows[rng.random(rows.size) < weights / weights.max()]
    return rows if rows.size <= most else np.sort(rng.choice(rows, most, replace=False))
