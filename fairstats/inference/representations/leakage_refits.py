"""Leakage of a method: its fit is made anew on exchanged rows, so what any such fit leaks by itself is no leak."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairstats.data.design import Design
from fairstats.errors import FairstatsError, FairstatsWarning
from fairstats.estimates import NAN, Estimate
from fairstats.inference.representations.dependence import TIE, Permuted, distance_correlation, mmd
from fairstats.inference.representations.leakage_null import NullData
from fairstats.inference.representations.leakage_of_scores import sampled
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
from fairstats.inference.representations.quick_probes import HOW, RIDGE, Parts
from fairstats.inference.scores.merged_samples import Floats
from fairstats.inference.scores.stratified_auc import stratified_auc
from fairstats.methods.results.heldout import HeldOut
from fairstats.progress import steps
from fairstats.quiet import ignoring

Codes = NDArray[np.intp]
# rows of the statistics of all pairs, which are computed for every refit
MOST_ROWS = 400
LINEAR = next(iter(RIDGE))


@dataclass(frozen=True)
class Labels:
    """One attribute with levels, and the level of each row."""

    name: str
    codes: Codes
    levels: tuple[str, ...]


@dataclass(frozen=True)
class Statistics:
    """What is computed of one refit: areas by probe (2, m), MMD² (m,), distance correlations by attribute."""

    areas: Floats
    discrepancies: Floats
    correlations: Floats

    @property
    def flat(self) -> Floats:
        """All of them in one row."""
        return np.concatenate([self.areas.ravel(), self.discrepancies, self.correlations])


@dataclass(frozen=True)
class RefitRun:
    """One analysis of a method on rows of a design."""

    fit: Any
    null: NullData
    folds: Codes
    attributes: Sequence[Labels]
    plan: Parts
    sample: Codes
    permutations: int
    conf_level: float
    seed: int
    margin: float | None
    linear: NullData | None = None  # of the linear probe, where it is another

    @staticmethod
    def of(
        fit: Any, design: Design, folds: Codes, attributes: Sequence[Labels], permutations: int, **about_it: Any
    ) -> RefitRun:
        """Prepare the parts of the folds, and the rows for the statistics of all pairs."""
        assert design.groups is not None
        seed = about_it["seed"]
        plan = Parts.of(design.groups.cells[0], folds, seed)
        sample = sampled(folds, seed, MOST_ROWS)
        null, linear = (NullData.of(fit, design, lattice=lattice) for lattice in (True, False))
        other = linear if linear.words != null.words else None
        return RefitRun(fit, null, folds, attributes, plan, sample, permutations, **about_it, linear=other)

    def scores(self, design: Design | None = None) -> HeldOut:
        """Held-out scores of the method, on the rows themselves or on others like them."""
        found: HeldOut = self.fit.crossfit(
            self.null.design if design is None else design, folds=self.folds, seed=self.seed
        )
        return found

    def rows(self, held: HeldOut) -> tuple[list[list[Estimate]], int]:
        """The rows of each attribute, labels before numbers, and how many refits failed."""
        observed = self._statistics(held.scores, np.arange(len(self.folds)))
        null, failed = self._refits(observed)
        reached = null >= observed.flat - TIE * np.maximum(np.abs(observed.flat), 1.0)
        p = (1 + reached.sum(axis=0)) / (1 + len(null)) if len(null) else np.full(observed.flat.size, NAN)
        m, made, at = observed.discrepancies.size, [], 0
        scores = standardized(held.scores)
        for number, labels in enumerate(self.attributes):
            columns = at + np.arange(len(shown(labels.levels)))
            at += columns.size
            rows = []
            for i, probe in enumerate(RIDGE):
                adjusted = _largest(observed.areas[i, columns], null[:, i * m + columns])
                rows += self._areas(probe, labels, scores, columns, p[i * m + columns], adjusted)
            values, tails = observed.discrepancies[columns], p[2 * m + columns]
            rows += with_holm(
                [
                    self._pairs("MMD²", labels, j, v, t)
                    for j, v, t in zip(shown(labels.levels), values, tails, strict=True)
                ]
            )
            rows += self._correlation(labels.name, observed.correlations[number], p[3 * m + number])
            made.append(rows)
        for name, place in zip(self._numbers[0], range(len(self.attributes), observed.correlations.size), strict=True):
            blank = [Estimate(f"AUC of {probe}", name, status="unestimable", reason=NO_AREA) for probe in RIDGE]
            made.append([*blank, *self._correlation(name, observed.correlations[place], p[3 * m + place])])
        return made, failed

    def areas(self, scores: Floats) -> list[list[Estimate]]:
        """The rows of both probes on other scores of these rows, attribute by attribute, judged against no refit."""
        made, at = [], 0
        for labels in self.attributes:
            columns = at + np.arange(len(shown(labels.levels)))
            at += columns.size
            blank = np.full(columns.size, NAN)
            made.append([r for p in RIDGE for r in self._areas(p, labels, standardized(scores), columns, blank, blank)])
        return made

    @property
    def _numbers(self) -> tuple[tuple[str, ...], Floats]:
        groups = self.null.design.groups
        assert groups is not None
        return groups.continuous_names, groups.continuous

    def _members(self, order: Codes) -> Floats:
        """Indicators of the levels that have a row, of all attributes side by side."""
        return np.column_stack(
            [a.codes[order] == j for a in self.attributes for j in shown(a.levels)] or [np.empty((len(order), 0))]
        ).astype(float)

    def _statistics(self, scores: Floats, order: Codes) -> Statistics:
        S, members = standardized(scores), self._members(order)
        areas = np.array([self.plan.areas(self.plan.predictions(S, members, p), members) for p in RIDGE])
        near, folds = S[self.sample], self.folds[self.sample]
        discrepancies, correlations = [], []
        for a in self.attributes:
            part = a.codes[order][self.sample]
            found = {j: v.statistic for j, v in enumerate(mmd(near, part, folds, permutations=0))}
            discrepancies += [found.get(j, NAN) for j in shown(a.levels)]
            correlations.append(distance_correlation(near, part, folds, permutations=0).statistic)
        for values in self._numbers[1].T:
            correlations.append(distance_correlation(near, values[order][self.sample], folds, permutations=0).statistic)
        return Statistics(areas, np.array(discrepancies), np.array(correlations))

    def _refits(self, observed: Statistics) -> tuple[Floats, int]:
        """Statistics of the refits (permutations, ...); a refit that fails counts as if it leaked everything."""
        rng, failed = np.random.default_rng([self.seed, 1]), 0
        null = np.full((self.permutations, observed.flat.size), np.inf)
        linear = observed.discrepancies.size  # areas of the linear probe come first
        for b in steps("refits", range(self.permutations)):
            order = self.plan.permuted(rng)
            with ignoring(FairstatsWarning):  # of fits to data that nobody has
                try:
                    found = self._anew(self.null, order).flat
                    if self.linear is not None:
                        found[:linear] = self._anew(self.linear, order).flat[:linear]
                    null[b] = found
                except FairstatsError:
                    failed += 1
        return np.where(np.isnan(null), -np.inf, null), failed

    def _anew(self, null: NullData, order: Codes) -> Statistics:
        design, labels = null.drawn(order)
        return self._statistics(self.scores(design).scores, labels)

    def _areas(
        self, probe: str, labels: Labels, scores: Floats, columns: Codes, p: Floats, adjusted: Floats
    ) -> list[Estimate]:
        members = self._members(np.arange(len(self.folds)))
        predicted = self.plan.predictions(scores, members, probe)[:, columns]
        tested, found = self.plan.strata >= 0, []
        for i, j in enumerate(shown(labels.levels)):
            positive = labels.codes[self.plan.order][tested] == j
            result, _, _ = stratified_auc(predicted[tested, i], positive, self.plan.strata[tested], self.conf_level)
            group, reference = about(labels.levels, j)
            n, events = float(result.n_pos + result.n_neg), float(result.n_pos)
            row = Estimate(f"AUC of {probe}", labels.name, group, reference=reference, n=n, events=events)
            if np.isnan(result.auc):
                found.append(Area(replace(row, status="unestimable", reason=NO_PROBE)))
                continue
            limits = within_strata(result, self.plan.strata[tested], positive)
            row = row.with_interval(
                result.auc,
                *limits(self.conf_level),
                self.conf_level,
                std_error=result.std_error,
                method=f"{HOW[probe]}; DeLong on the logit scale, within folds; "
                f"{self._how(probe)} and limits, one-sided",
            )
            found.append(Area(row, limits, float(p[i]), float(adjusted[i]), (events, n - events)))
        return judged(found, self.margin, self.conf_level, scores.shape[1], len(self.plan.cuts))

    def _pairs(self, metric: str, labels: Labels, level: int, value: float, p: float) -> Estimate:
        group, reference = about(labels.levels, level)
        events = float((labels.codes[self.sample] == level).sum())
        row = Estimate(metric, labels.name, group, reference=reference, n=float(self.sample.size), events=events)
        return dependence_row(row, Permuted(float(value), float(p), self.permutations), self._how_pairs())

    def _correlation(self, name: str, value: float, p: float) -> list[Estimate]:
        row = Estimate("distance correlation", name, n=float(self.sample.size))
        return with_holm([dependence_row(row, Permuted(float(value), float(p), self.permutations), self._how_pairs())])

    @property
    def words(self) -> str:
        """What the refits are made to."""
        return self.null.words + (f" (linear probe: {self.linear.words})" if self.linear is not None else "")

    def _how(self, probe: str = "") -> str:
        null = self.linear if self.linear is not None and probe == LINEAR else self.null
        return f"{self.permutations} refits on {null.words}"

    def _how_pairs(self) -> str:
        some = f", a random {self.sample.size} rows" if self.sample.size < len(self.folds) else ""
        return f"{self._how()}{some}"


def _largest(observed: Floats, null: Floats) -> Floats:
    """Adjusted p-values of levels: how often the largest AUC of all levels, in standard units, is as large."""
    if not len(null):
        return np.full(observed.size, NAN)
    every = np.vstack([observed, null])  # the observed order is one of the orders
    finite = np.where(np.isfinite(every), every, np.nan)
    with ignoring(RuntimeWarning):  # a level that no probe could be tested on
        spread = np.nanstd(finite, axis=0)
    spread = np.where(spread > 0, spread, 1.0)
    most = np.max((null - 0.5) / spread, axis=1, keepdims=True)
    reached = most >= (observed - 0.5) / spread * (1 - TIE) - TIE
    return np.asarray((1 + reached.sum(axis=0)) / (1 + len(null)))
