"""From measures to tidy rows: levels by group, gaps between groups, differences between methods, curves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import groupby
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairstats.comparing.metrics import ANYWHERE, SHARE, Measure, distribution, joint, measures, superiority
from fairstats.comparing.one_split import SplitResult, stack
from fairstats.comparing.overall_rows import parity_rows, representation_rows
from fairstats.comparing.plan import Plan
from fairstats.comparing.result import ScoreCurve, Term
from fairstats.estimates import Estimate, Estimates
from fairstats.inference.multiplicity import adjust
from fairstats.inference.repeated_splits import Corrected, corrected, twice_median
from fairstats.metrics import METRICS

Floats = NDArray[np.float64]
METHOD = "mean of {} splits, Nadeau-Bengio, strata added"
GIVEN = "mean of {} splits, Nadeau-Bengio"
KS_METHOD = "mean of {} splits; twice the median p of Kolmogorov-Smirnov"
CERTAIN = "no variation from split to split: no interval"
NOBODY = "nobody that it needs was held out"


@dataclass(frozen=True)
class Splits:
    """The numbers of all splits, and what their axes mean."""

    plan: Plan
    terms: tuple[Term, ...]
    results: Sequence[SplitResult]
    selection: str  # "selection rate", or "positive rate" where no label was said to help
    conf_level: float

    @cached_property
    def measures(self) -> list[Measure]:
        """The metrics of every panel."""
        return measures(self.plan, self.results, self.selection)

    def corrected(self, values: Floats, added: Floats) -> Corrected:
        """Means over splits, corrected for their overlap and for what stratifying hides."""
        held, trained = (sum(r.held.sum() for r in self.results), sum(r.trained for r in self.results))
        ratio = float(held / trained)
        return corrected(values, ratio, self.conf_level, added)

    def about(self, measure: Measure, i: int, term: Term, panel: int, **more: Any) -> Estimate:
        """A row without its numbers: the i-th of a measure, of a term and panel."""
        at = self.plan.panels[panel]
        method = (METHOD if measure.parts else GIVEN).format(len(self.results))
        level = self.conf_level
        row = Estimate(measure.metric, at.attribute, at.group, term=term.name, n=float(measure.n[i]), method=method)
        return replace(row, **{"conf_level": level, "reason": term.caution, **more})


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
    between_groups = [*_gaps(splits), *_paired(splits)]
    about_all = _adjusted([*parity_rows(splits), *representation_rows(splits)])
    return Estimates([*_levels(splits), *_adjusted(between_groups), *_adjusted(_between_methods(splits)), *about_all])


def joint_shares(splits: Splits) -> Estimates:
    """The four joint shares of Table 2 of Aliverti et al. (2021), by group; they sum to 1.

    Parameters
    ----------
    splits : Splits
        The numbers of all splits.

    Returns
    -------
    Estimates
    """
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


def _gap(splits: Splits, measure: Measure, term: Term, values: Floats, added: Floats) -> Iterator[Estimate]:
    """Each group less its reference: different people, so what the strata add is summed."""
    for g, r in splits.plan.pairs:
        c = splits.corrected(values[:, [g]] - values[:, [r]], added[[g]] + added[[r]])
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
            yield _with_test(level_row(about, c, q, within=SHARE), c, q, null=0.5)
            method = KS_METHOD.format(len(splits.results))
            distance = replace(about, metric="Kolmogorov-Smirnov distance", method=method, conf_level=np.nan)
            p = float(twice_median(tests[:, t, q, 1]))
            yield replace(distance, estimate=float(tests[:, t, q, 0].mean()), p_value=p)


def _between_methods(splits: Splits) -> Iterator[Estimate]:
    """Each term less the first method with the same model: levels by group, and gaps between groups."""
    for t, b, term in versus(splits.terms):
        for measure in splits.measures:
            values, added = measure.of(t, less=b)
            c = splits.corrected(values, added)
            for g in range(len(splits.plan.panels)):
                about = splits.about(measure.at(t), g, term, g, contrast="difference")
                yield tested_row(about, c, g)
            yield from _gap(splits, measure.at(t), term, values, added)


def versus(terms: Sequence[Term]) -> Iterator[tuple[int, int, Term]]:
    """(term, its baseline, the term of their difference): the first method with the same model and components."""
    for t, ours in enumerate(terms):
        base = terms[ours.baseline]
        if ours.baseline != t:
            problems = {**base.problems, **ours.problems}
            yield t, ours.baseline, replace(ours, name=f"{ours.variant} vs {base.name}", problems=problems)


def tested_row(about: Estimate, c: Corrected, i: int) -> Estimate:
    """A difference with its interval and test."""
    return _with_test(level_row(about, c, i), c, i)


def level_row(about: Estimate, c: Corrected, i: int, within: tuple[float, float] = ANYWHERE) -> Estimate:
    """A row with its estimate and interval, which ends where the values do."""
    estimate, se, low, high = (float(v[i]) for v in (c.mean, c.std_error, c.low, c.high))
    if np.isnan(estimate):
        return replace(about, status="unestimable", reason=_nobody(about.metric), conf_level=np.nan, method="")
    if np.isnan(se):
        reason = "; ".join(filter(None, [CERTAIN, about.reason]))
        return replace(about, estimate=estimate, conf_level=np.nan, reason=reason)
    low, high = max(low, within[0]), min(high, within[1])
    return replace(about, estimate=estimate, std_error=se, conf_low=low, conf_high=high)


def _nobody(metric: str) -> str:
    """Why a metric has no mean over the splits."""
    known = METRICS.get(metric)
    return f"{known.empty} in one split at least" if known and "D" in known.given else NOBODY


def _with_test(row: Estimate, c: Corrected, i: int, null: float = 0.0) -> Estimate:
    if np.isnan(row.std_error):
        return row
    statistic = (row.estimate - null) / row.std_error
    return replace(row, statistic=statistic, df=float(c.df[i]), p_value=float(c.p_value(null)[i]))


def _family(row: Estimate) -> tuple[Any, ...]:
    return row.metric, row.attribute, bool(row.reference)


def _adjusted(rows: Iterable[Estimate]) -> Iterator[Estimate]:
    for _, family in groupby(sorted(rows, key=_family), key=_family):
        members = Estimates(family)
        yield from members.with_p_adjusted(adjust(members.column("p_value"), "holm"))


def curves(splits: Splits) -> tuple[ScoreCurve, ...]:
    """Distribution functions of the held-out scores by term and group, averaged over splits, with pointwise bands.

    Parameters
    ----------
    splits : Splits
        The numbers of all splits.

    Returns
    -------
    tuple of ScoreCurve
    """
    made = []
    for t, term in enumerate(splits.terms):
        grid = tuple(splits.results[0].grids[t].tolist())
        c = splits.corrected(*distribution(splits.plan, splits.results, t))
        low, high = (np.clip(np.where(np.isnan(v), c.mean, v), 0, 1) for v in (c.low, c.high))
        for g, at in enumerate(splits.plan.panels):
            x_y = grid, tuple(c.mean[g].tolist())
            band = tuple(low[g].tolist()), tuple(high[g].tolist())
            made.append(ScoreCurve("ecdf", at.attribute, at.group, *x_y, *band, term.name))
    return tuple(made)
