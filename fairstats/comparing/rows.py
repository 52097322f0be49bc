"""Rows of a comparison, whatever they are about: a level, a difference with its test."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairstats.comparing.metrics import (
    ANYWHERE,
    CERTAIN,
    DISCREPANCY,
    EXPLAINED,
    ODDS,
    PARITY,
    POSITIVE,
    SECONDS,
    SHARE,
    Measure,
    distribution,
    joint,
    measures,
    superiority,
)
from fairstats.comparing.plan import Plan, Variant
from fairstats.comparing.result import FOCUS, ScoreCurve, SplitValues, Term, furthest, headline_pairs
from fairstats.comparing.splits import SplitResult, stack
from fairstats.estimates import Estimate, Estimates
from fairstats.inference.means import Corrected, corrected, twice_median
from fairstats.inference.multiplicity import p_adjust
from fairstats.language import joined, message
from fairstats.metrics import METRICS

Floats = NDArray[np.float64]


METHOD = message("mean of {n} splits, Nadeau-Bengio, strata added")


GIVEN = message("mean of {n} splits, Nadeau-Bengio")


FEW_OF_AN_OUTCOME = message("fewer than ten people of one outcome held out: the interval is approximate")


NOBODY = message("nobody that it needs was held out")


@dataclass(frozen=True)
class Splits:
    """The numbers of all splits of a comparison as arrays, with what each axis stands for."""

    plan: Plan
    terms: tuple[Term, ...]
    results: Sequence[SplitResult]
    selection: str  # "selection rate", or "positive rate" where no label was said to help
    conf_level: float

    @cached_property
    def measures(self) -> list[Measure]:
        """The metrics of every panel."""
        return measures(self.plan, self.results, self.selection)

    def corrected(self, values: Floats, added: Floats, least: Floats | float = 0.0) -> Corrected:
        """Means over splits, corrected for overlap and for what stratifying hides, no less uncertain than shares."""
        kept, trained = (sum(r.holdout_counts.sum() for r in self.results), sum(r.trained for r in self.results))
        ratio = float(kept / trained)
        return corrected(values, ratio, self.conf_level, added, least)

    def about(self, measure: Measure, i: int, term: Term, panel: int, **more: Any) -> Estimate:
        """A row without its numbers: the i-th of a measure, of a term and panel."""
        at = self.plan.panels[panel]
        method = (METHOD if measure.parts else GIVEN).format(n=len(self.results))
        level = self.conf_level
        row = Estimate(measure.metric, at.attribute, at.group, n=float(measure.n[i]), method=method)
        doubt = FEW_OF_AN_OUTCOME if measure.few is not None and measure.few[panel] else ""
        row = replace(row, fit=term.method, versus=term.versus, model=term.model, k=term.k or np.nan)
        return replace(row, **{"conf_level": level, "reason": joined([term.caution, doubt]), **more})


def versus(terms: Sequence[Term]) -> Iterator[tuple[int, int, Term]]:
    """(term, its baseline, the term of their difference): the first method with the same model and components."""
    for t, ours in enumerate(terms):
        base = terms[ours.baseline]
        if ours.baseline != t:
            problems = {**base.problems, **ours.problems}
            name = f"{ours.variant} vs {base.name}"
            yield t, ours.baseline, replace(ours, name=name, versus=base.method, problems=problems)


def tested_row(about: Estimate, c: Corrected, i: int) -> Estimate:
    """A difference with its interval and test."""
    return with_test(level_row(about, c, i), c, i)


def level_row(about: Estimate, c: Corrected, i: int, within: tuple[float, float] = ANYWHERE) -> Estimate:
    """A row with its estimate and interval, which ends where the values do."""
    estimate, se, low, high = (float(v[i]) for v in (c.mean, c.std_error, c.low, c.high))
    if np.isnan(estimate):
        return replace(about, status="unestimable", reason=_nobody(about.metric), conf_level=np.nan, method="")
    if np.isnan(se):
        reason = joined([CERTAIN, about.reason])
        return replace(about, estimate=estimate, conf_level=np.nan, reason=reason)
    low, high = max(low, within[0]), min(high, within[1])
    return about.with_interval(estimate, low, high, std_error=se)


def _nobody(metric: str) -> str:
    """Return the reason why a metric has no mean over the splits."""
    present = METRICS.get(metric)
    return message("{text} in one split at least", text=present.empty) if present and "D" in present.given else NOBODY


def with_test(row: Estimate, c: Corrected, i: int, null: float = 0.0) -> Estimate:
    """Return the row with its test of `null`; without a standard error there is none."""
    if np.isnan(row.std_error):
        return row
    statistic = (row.estimate - null) / row.std_error
    return replace(row, statistic=statistic, df=float(c.df[i]), p_value=float(c.p_value(null)[i]))


# Rows of a comparison that are about no single group: gaps over all groups of an attribute, and representations.


ROUNDING = 1e-12
BIASED = message(
    "chance makes it larger, the more the fewer people were held out: for comparing methods, without an interval"
)
NO_LOADINGS = message("no orthonormal loadings, along which variance could be counted")


def parity_measures(plan: Plan, measures: Sequence[Measure], selection: str) -> list[Measure]:
    """Largest less smallest rate over the groups of each attribute, in every split: values (J, T, attributes).

    A maximum over noisy rates is biased upward: compare it between methods, not with 0.
    """
    values = {m.metric: m.values for m in measures}
    n = {m.metric: m.n for m in measures}[selection]

    def spread(metric: str, panels: list[int]) -> Floats:
        with np.errstate(invalid="ignore"):
            return np.asarray(np.ptp(values[metric][:, :, panels], axis=2))

    parity = [spread(selection, panels) for panels in plan.attributes.values()]
    odds = [np.maximum(spread("TPR", panels), spread("FPR", panels)) for panels in plan.attributes.values()]
    people = np.array([n[panels].sum() for panels in plan.attributes.values()])
    gaps = [(PARITY, parity), (ODDS, odds)]
    return [Measure(name, np.stack(result, axis=2), people, ()) for name, result in gaps if result]


def parity_rows(splits: Splits) -> Iterator[Estimate]:
    """Gaps over all groups of an attribute, by term, and each method's less the first's."""
    attributes = list(splits.plan.attributes)
    for measure in parity_measures(splits.plan, splits.measures, splits.selection):
        for t, term in enumerate(splits.terms):
            c = splits.corrected(*measure.of(t))
            for a, attribute in enumerate(attributes):
                about = splits.about(measure, a, term, 0, attribute=attribute, role="omnibus")
                yield _without_interval(level_row(about, c, a, within=SHARE))
        for t, b, term in versus(splits.terms):
            c = splits.corrected(*measure.of(t, less=b))
            for a, attribute in enumerate(attributes):
                about = splits.about(measure, a, term, 0, attribute=attribute, role="omnibus")
                about = replace(about, contrast="difference")
                yield tested_row(about, c, a)


def _without_interval(row: Estimate) -> Estimate:
    """Return the mean of a largest gap alone: chance adds to it in every test part, and no valid interval is known.

    An independent reader's simulations had the corrected interval cover the models' own gap in 28 to 73% of cases.
    """
    if row.status != "ok":
        return row
    reason = joined((row.reason, BIASED))
    return replace(row, std_error=np.nan, conf_low=np.nan, conf_high=np.nan, conf_level=np.nan, reason=reason)


def representation_rows(splits: Splits) -> Iterator[Estimate]:
    """Variance kept, MMD² between groups, and fitting time of each variant, and each less the first method's."""
    if not splits.plan.representation:
        return
    for metric, name in ((EXPLAINED, "explained"), (SECONDS, "seconds")):
        yield from _columns(splits, metric, stack(splits.results, name)[:, :, None], [("", "", "")])
    panels = splits.plan.panels
    pairs = [(panels[g].attribute, panels[g].group, panels[r].group) for g, r in splits.plan.pairs]
    yield from _columns(splits, DISCREPANCY, stack(splits.results, "mmd2"), pairs)


def _columns(splits: Splits, metric: str, values: Floats, who: list[tuple[str, str, str]]) -> Iterator[Estimate]:
    """Rows of values (J, V, columns), where ``who`` says the attribute, group and reference of each column."""
    variants = splits.plan.variants
    method = GIVEN.format(n=len(splits.results))
    n = float(stack(splits.results, "holdout_counts").sum(axis=1).mean())
    base, nothing = first_of(variants), np.zeros(1)
    for v, variant in enumerate(variants):
        c = splits.corrected(values[:, v], nothing)
        gap = values[:, v] - values[:, base[v]]
        gap[abs(gap) <= ROUNDING * abs(values[:, v])] = 0.0
        less = splits.corrected(gap, nothing)
        for j, (attribute, group, reference) in enumerate(who):
            row = Estimate(metric, attribute, group, n=n, method=method, reference=reference)
            row = replace(row, fit=variant.method.name, k=variant.k or np.nan, conf_level=splits.conf_level)
            level = level_row(row, c, j, within=POSITIVE)
            yield replace(level, reason=NO_LOADINGS) if metric == EXPLAINED and np.isnan(level.estimate) else level
            if base[v] != v and not np.isnan(less.mean[j]):
                versus = variants[base[v]].method.name
                yield tested_row(replace(row, versus=versus, contrast="difference"), less, j)


def study_values(splits: Splits) -> Iterator[SplitValues]:
    """The values behind these rows, split by split."""
    plan = splits.plan
    for measure in parity_measures(plan, splits.measures, splits.selection):
        for t, term in enumerate(splits.terms):
            for a, attribute in enumerate(plan.attributes):
                values = tuple(measure.values[:, t, a].tolist())
                yield SplitValues(term.name, measure.metric, attribute, "", float(measure.n[a]), values)
    if not plan.representation:
        return
    n = float(stack(splits.results, "holdout_counts").sum(axis=1).mean())
    stacked = {name: stack(splits.results, name) for name in ("explained", "seconds", "mmd2")}
    for v, variant in enumerate(plan.variants):
        for metric, name in ((EXPLAINED, "explained"), (SECONDS, "seconds")):
            yield SplitValues(variant.name, metric, "", "", n, tuple(stacked[name][:, v].tolist()))
        for q, (g, _) in enumerate(plan.pairs):
            at = plan.panels[g]
            values = tuple(stacked["mmd2"][:, v, q].tolist())
            yield SplitValues(variant.name, DISCREPANCY, at.attribute, at.group, n, values)


def first_of(variants: Sequence[Variant]) -> list[int]:
    """Return the place of each variant's baseline: the first method, with as many components where it has such."""
    first = variants[0].method.name
    baseline = {v.k: i for i, v in enumerate(variants) if v.method.name == first}
    return [baseline.get(v.k, 0) for v in variants]


# From measures to tidy rows: levels by group, gaps between groups, differences between methods, curves.


KS_METHOD = message("mean of {n} splits; twice the median p of Kolmogorov-Smirnov")


def estimates(splits: Splits) -> Estimates:
    """Every row of a comparison, p-values adjusted within their families.

    Returns: attribute, gaps between groups (Holm over groups and terms), differences between methods (Holm over groups
        and terms; a family each metric, attribute and kind).
    """
    between_groups = [*_gaps(splits), *_paired(splits)]
    about_all = _adjusted([*parity_rows(splits), *representation_rows(splits)])
    items = [*_levels(splits), *_adjusted(between_groups), *_adjusted(_between_methods(splits)), *about_all]
    return Estimates([*items, *_headline(splits, Estimates(items))])


def _headline(splits: Splits, rows: Estimates) -> Iterator[Estimate]:
    """P(X>Y) and selection rates of the pair that the first method sets furthest apart, with every method.

    The data pick it among m pairs, so each interval has the level 1 - α/m: with any one method all m intervals of a
    metric hold at once with the confidence that was asked for, hence that of the pair picked does (Bonferroni).
    """
    among = headline_pairs(rows, splits.terms[0])
    if len(among) < 2:
        return
    widest = furthest(among)
    together = replace(splits, conf_level=1 - (1 - splits.conf_level) / len(among))
    measure = superiority(splits.plan, splits.results)
    panels = [splits.plan.panels[g] for g, _ in splits.plan.pairs]
    q = next(i for i, at in enumerate(panels) if (at.attribute, at.group) == (widest.attribute, widest.group))
    selected = next((result for result in splits.measures if result.metric == splits.selection), None)
    for t, term in enumerate(splits.terms):
        about = together.about(measure, q, term, splits.plan.pairs[q][0], reference=widest.reference, role=FOCUS)
        yield level_row(about, together.corrected(*measure.of(t)), q, within=SHARE)
        if selected is not None:
            gap = list(_gap(together, selected.at(t), term, *selected.of(t)))[q]
            yield replace(gap, role=FOCUS, p_adjusted=min(1.0, gap.p_value * len(among)))


def joint_shares(splits: Splits) -> Estimates:
    """The four joint shares of Table 2 of Aliverti et al. (2021), by group; they sum to 1."""
    return Estimates(row for measure in joint(splits.plan, splits.results) for row in _level(splits, measure))


def _levels(splits: Splits) -> Iterator[Estimate]:
    for measure in splits.measures:
        yield from _level(splits, measure)


def _level(splits: Splits, measure: Measure) -> Iterator[Estimate]:
    for t, term in enumerate(splits.terms):
        c = splits.corrected(*measure.of(t))
        for g in range(len(splits.plan.panels)):
            yield level_row(splits.about(measure.at(t), g, term, g), c, g, measure.within)


def _gaps(splits: Splits) -> Iterator[Estimate]:
    for measure in splits.measures:
        for t, term in enumerate(splits.terms):
            yield from _gap(splits, measure.at(t), term, *measure.of(t))


def _gap(
    splits: Splits, measure: Measure, term: Term, values: Floats, added: Floats, least: Floats
) -> Iterator[Estimate]:
    """Each group less its reference: different people, so variances are summed."""
    for g, r in splits.plan.pairs:
        sides = splits.corrected(values[:, [g, r]], added[[g, r]], least[[g, r]])
        c = splits.corrected(values[:, [g]] - values[:, [r]], added[[g]] + added[[r]], least[[g]] + least[[r]])
        if np.isnan(sides.std_error).any():  # what one side varies by is not what both do
            c = c.without_error()
        reference = splits.plan.panels[r].group
        about = splits.about(measure, g, term, g, contrast="difference", reference=reference)
        yield tested_row(about, c, 0)


def _paired(splits: Splits) -> Iterator[Estimate]:
    """P(X>Y) and the Kolmogorov-Smirnov distance of each group's scores and its reference's."""
    if not splits.plan.pairs:
        return
    measure, tests = superiority(splits.plan, splits.results), stack(splits.results, "distance")
    for t, term in enumerate(splits.terms):
        c = splits.corrected(*measure.of(t))
        for q, (g, r) in enumerate(splits.plan.pairs):
            about = splits.about(measure, q, term, g, reference=splits.plan.panels[r].group)
            yield with_test(level_row(about, c, q, within=SHARE), c, q, null=0.5)
            method = KS_METHOD.format(n=len(splits.results))
            distance = replace(about, metric="Kolmogorov-Smirnov distance", method=method, conf_level=np.nan)
            p = float(twice_median(tests[:, t, q, 1]))
            yield replace(distance, estimate=float(tests[:, t, q, 0].mean()), p_value=p)


def _between_methods(splits: Splits) -> Iterator[Estimate]:
    """Each term less the first method with the same model: levels by group, and gaps between groups."""
    for t, b, term in versus(splits.terms):
        for measure in splits.measures:
            differences = measure.of(t, less=b)
            c = splits.corrected(*differences)
            for g in range(len(splits.plan.panels)):
                about = splits.about(measure.at(t), g, term, g, contrast="difference")
                yield tested_row(about, c, g)
            yield from _gap(splits, measure.at(t), term, *differences)


def _family(row: Estimate) -> tuple[Any, ...]:
    return row.metric, row.attribute, bool(row.reference)


def _adjusted(rows: Iterable[Estimate]) -> Iterator[Estimate]:
    for _, family in groupby(sorted(rows, key=_family), key=_family):
        members = Estimates(family)
        yield from members.with_p_adjusted(p_adjust(members.column("p_value"), "holm"))


def curves(splits: Splits) -> tuple[ScoreCurve, ...]:
    """Distribution functions of the held-out scores by term and group, averaged over splits, with pointwise bands."""
    lines = []
    for t, term in enumerate(splits.terms):
        grid = tuple(splits.results[0].grids[t].tolist())
        c = splits.corrected(*distribution(splits.plan, splits.results, t))
        low, high = (np.clip(np.where(np.isnan(v), c.mean, v), 0, 1) for v in (c.low, c.high))
        for g, at in enumerate(splits.plan.panels):
            x_y = grid, tuple(c.mean[g].tolist())
            band = tuple(low[g].tolist()), tuple(high[g].tolist())
            lines.append(ScoreCurve("ecdf", at.attribute, at.group, *x_y, *band, term.name))
    return tuple(lines)
