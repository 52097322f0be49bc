"""From the numbers of every split to tidy rows: levels by group, gaps between groups, differences between methods."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairstats.audit.comparison import ScoreCurve, Term
from fairstats.audit.heldout import JOINT, METRICS, Plan, SplitResult, stack
from fairstats.inference.estimate import Estimate, Estimates
from fairstats.inference.multiplicity import adjust
from fairstats.inference.resampled import Corrected, corrected, twice_median

Floats = NDArray[np.float64]
METHOD = "mean of {} splits, Nadeau-Bengio"
KS_METHOD = "mean of {} splits; twice the median p of Kolmogorov-Smirnov"
BOUNDED = {m for m in METRICS if m != "mean score"}
JOINT_METRIC = "joint share, {} of Aliverti et al."
MOST_VALUES = 10**7


@dataclass(frozen=True)
class Splits:
    """The numbers of all splits, and what their axes mean."""

    plan: Plan
    terms: tuple[Term, ...]
    results: Sequence[SplitResult]
    metrics: tuple[str, ...]  # METRICS, with the name that selection has here
    conf_level: float

    @property
    def ratio(self) -> float:
        """People held out for each person trained on."""
        held = int(self.plan.held.sum())
        return held / (len(self.plan.strata) - held)

    def corrected(self, values: Floats) -> Corrected:
        """Means over splits, corrected for their overlap."""
        return corrected(values, self.ratio, self.conf_level)


def estimates(splits: Splits) -> Estimates:
    """Every row of a comparison, p-values adjusted within their families.

    Parameters
    ----------
    splits : Splits
        The numbers of all splits.

    Returns
    -------
    Estimates
        Levels, gaps between groups (Holm over groups and terms), differences between methods (Holm over groups and
        terms; a family each metric, attribute and kind).
    """
    values = stack(splits.results, "values")
    rows = list(_levels(splits, values))
    rows += _adjusted([*_gaps(splits, values), *_paired(splits)])
    rows += _adjusted(_between_methods(splits, values))
    return Estimates(rows)


def joint_shares(splits: Splits) -> Estimates:
    """The four joint shares of Table 2 of Aliverti et al. (2021), by group; they sum to 1."""
    shares = stack(splits.results, "joint")
    rows = []
    for t, term in enumerate(splits.terms):
        for g, panel in enumerate(splits.plan.panels):
            about = [_about(splits, term, g, JOINT_METRIC.format(m), "accuracy") for m in JOINT]
            rows += _filled(about, splits.corrected(shares[:, t, g]), bounded=True)
            assert panel.attribute == rows[-1].attribute
    return Estimates(rows)


def _levels(splits: Splits, values: Floats) -> Iterator[Estimate]:
    for t, term in enumerate(splits.terms):
        for g in range(len(splits.plan.panels)):
            for j, metric in enumerate(splits.metrics):
                about = _about(splits, term, g, metric, METRICS[j])
                yield from _filled([about], splits.corrected(values[:, t, g, [j]]), METRICS[j] in BOUNDED)


def _gaps(splits: Splits, values: Floats) -> Iterator[Estimate]:
    for t, term in enumerate(splits.terms):
        for g, r in splits.plan.pairs:
            reference = splits.plan.panels[r].group
            about = [
                replace(_about(splits, term, g, m, METRICS[j]), contrast="difference", reference=reference)
                for j, m in enumerate(splits.metrics)
            ]
            yield from _tested(about, splits.corrected(values[:, t, g] - values[:, t, r]))


def _paired(splits: Splits) -> Iterator[Estimate]:
    paired = stack(splits.results, "paired")
    for t, term in enumerate(splits.terms):
        for q, (g, r) in enumerate(splits.plan.pairs):
            reference = splits.plan.panels[r].group
            about = replace(_about(splits, term, g, "P(X>Y)", "accuracy"), reference=reference)
            # the largest value is 1, the least 0: the interval is cut there, as for a rate
            row = _filled([about], splits.corrected(paired[:, t, q, [0]]), bounded=True)[0]
            yield _with_test(row, splits.corrected(paired[:, t, q, [0]]), null=0.5)
            distance = replace(
                _about(splits, term, g, "KS distance", "accuracy"),
                reference=reference,
                method=KS_METHOD.format(len(splits.results)),
            )
            if np.isnan(paired[:, t, q, 1]).any():
                yield _unestimable(distance, f"nobody of {distance.group} or {reference} was held out")
                continue
            p = float(twice_median(paired[:, t, q, 2]))
            yield replace(distance, estimate=float(paired[:, t, q, 1].mean()), p_value=p)


def _between_methods(splits: Splits, values: Floats) -> Iterator[Estimate]:
    """Each term less the first method with the same model: levels by group, and gaps between groups."""
    for t, b in _against(splits.terms):
        name = f"{splits.terms[t].method} vs {splits.terms[b].name}"
        term = replace(splits.terms[t], name=name, problems={**splits.terms[b].problems, **splits.terms[t].problems})
        change = values[:, t] - values[:, b]
        for g in range(len(splits.plan.panels)):
            about = [
                replace(_about(splits, term, g, m, METRICS[j]), contrast="difference")
                for j, m in enumerate(splits.metrics)
            ]
            yield from _tested(about, splits.corrected(change[:, g]))
        for g, r in splits.plan.pairs:
            reference = splits.plan.panels[r].group
            about = [
                replace(_about(splits, term, g, m, METRICS[j]), contrast="difference", reference=reference)
                for j, m in enumerate(splits.metrics)
            ]
            yield from _tested(about, splits.corrected(change[:, g] - change[:, r]))


def _against(terms: Sequence[Term]) -> Iterator[tuple[int, int]]:
    """(term, its baseline): the first method, same model."""
    base = {term.model: t for t, term in reversed(list(enumerate(terms)))}
    return ((t, base[term.model]) for t, term in enumerate(terms) if base[term.model] != t)


def _about(splits: Splits, term: Term, g: int, metric: str, denominator: str) -> Estimate:
    panel = splits.plan.panels[g]
    return Estimate(
        metric,
        attribute=panel.attribute,
        group=panel.group,
        term=term.name,
        n=float(splits.results[0].denominators[g, METRICS.index(denominator)]),
        conf_level=splits.conf_level,
        method=METHOD.format(len(splits.results)),
        reason=term.caution,
    )


def _filled(about: Sequence[Estimate], c: Corrected, bounded: bool) -> list[Estimate]:
    """Rows with their estimates and intervals; a rate's interval ends at 0 and 1."""
    low, high = (np.clip(v, 0.0, 1.0) if bounded else v for v in (c.low, c.high))
    return [_row(row, c, i, low[i], high[i]) for i, row in enumerate(about)]


def _tested(about: Sequence[Estimate], c: Corrected) -> list[Estimate]:
    return [_with_test(_row(row, c, i, c.low[i], c.high[i]), c, null=0.0, i=i) for i, row in enumerate(about)]


def _row(about: Estimate, c: Corrected, i: int, low: float, high: float) -> Estimate:
    estimate, se = float(c.mean[i]), float(c.std_error[i])
    if np.isnan(estimate):
        return _unestimable(about, "nobody with the outcome that it needs was held out")
    if np.isnan(se):
        why = "one split: no interval" if c.df < 1 else "the same in every split: no interval"
        return replace(about, estimate=estimate, conf_level=np.nan, reason="; ".join(filter(None, [why, about.reason])))
    return replace(about, estimate=estimate, std_error=se, conf_low=float(low), conf_high=float(high))


def _with_test(row: Estimate, c: Corrected, null: float, i: int = 0) -> Estimate:
    if row.status != "ok" or np.isnan(c.std_error[i]):
        return row
    t = float((c.mean[i] - null) / c.std_error[i])
    return replace(row, statistic=t, df=c.df, p_value=float(c.p_value(null)[i]))


def _unestimable(about: Estimate, why: str) -> Estimate:
    return replace(about, status="unestimable", reason=why, conf_level=np.nan, method="")


def _family(row: Estimate) -> tuple[Any, ...]:
    return row.metric, row.attribute, bool(row.reference)


def _adjusted(rows: Iterable[Estimate]) -> Iterator[Estimate]:
    ordered = sorted(rows, key=_family)
    for _, family in groupby(ordered, key=_family):
        members = Estimates(family)
        yield from members.with_p_adjusted(adjust(members.column("p_value"), "holm"))


def curves(splits: Splits) -> tuple[ScoreCurve, ...]:
    """Distribution functions of the held-out scores by term and group, averaged over splits, with pointwise bands."""
    shares = stack(splits.results, "curves")
    made = []
    for t, term in enumerate(splits.terms):
        grid = tuple(splits.results[0].grids[t].tolist())
        for g, panel in enumerate(splits.plan.panels):
            if np.isnan(shares[:, t, g]).any():
                continue
            c = splits.corrected(shares[:, t, g])
            low, high = (np.clip(np.where(np.isnan(v), c.mean, v), 0, 1).tolist() for v in (c.low, c.high))
            line = tuple(c.mean.tolist())
            made.append(
                ScoreCurve("ecdf", panel.attribute, panel.group, grid, line, tuple(low), tuple(high), term.name)
            )
    return tuple(made)
