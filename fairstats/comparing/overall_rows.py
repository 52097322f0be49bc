"""Rows of a comparison that are about no single group: gaps over all groups of an attribute, and representations."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from fairstats.comparing.metrics import DISCREPANCY, EXPLAINED, ODDS, PARITY, POSITIVE, SECONDS, SHARE, Measure
from fairstats.comparing.one_split import stack
from fairstats.comparing.plan import Plan, Variant
from fairstats.comparing.result import SplitValues
from fairstats.comparing.rows import Splits, level_row, tested_row, versus
from fairstats.estimates import Estimate

Floats = NDArray[np.float64]
ROUNDING = 1e-12
BIASED = "chance makes it larger, the more the fewer people were held out: for comparing methods, without an interval"
NO_LOADINGS = "no orthonormal loadings, along which variance could be counted"


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
    return [Measure(name, np.stack(found, axis=2), people, ()) for name, found in gaps if found]


def parity_rows(splits: Splits) -> Iterator[Estimate]:
    """Gaps over all groups of an attribute, by term, and each method's less the first's."""
    attributes = list(splits.plan.attributes)
    for measure in parity_measures(splits.plan, splits.measures, splits.selection):
        for t, term in enumerate(splits.terms):
            c = splits.corrected(*measure.of(t))
            for a, attribute in enumerate(attributes):
                about = splits.about(measure, a, term, 0, attribute=attribute, role="all groups")
                yield _without_interval(level_row(about, c, a, within=SHARE))
        for t, b, term in versus(splits.terms):
            c = splits.corrected(*measure.of(t, less=b))
            for a, attribute in enumerate(attributes):
                about = splits.about(measure, a, term, 0, attribute=attribute, role="all groups")
                about = replace(about, contrast="difference")
                yield tested_row(about, c, a)


def _without_interval(row: Estimate) -> Estimate:
    """Return the mean of a largest gap alone: chance adds to it in every test part, and no valid interval is known.

    An independent reader's simulations had the corrected interval cover the models' own gap in 28 to 73 % of cases.
    """
    if row.status != "ok":
        return row
    reason = "; ".join(filter(None, (row.reason, BIASED)))
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
    method = f"mean of {len(splits.results)} splits, Nadeau-Bengio"
    n = float(stack(splits.results, "held").sum(axis=1).mean())
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
    n = float(stack(splits.results, "held").sum(axis=1).mean())
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
