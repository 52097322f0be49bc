"""Rows of a comparison, whatever they are about: a level, a difference with its test."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairstats.comparing.metrics import ANYWHERE, CERTAIN, Measure, measures
from fairstats.comparing.one_split import SplitResult
from fairstats.comparing.plan import Plan
from fairstats.comparing.result import Term
from fairstats.estimates import Estimate
from fairstats.inference.repeated_splits import Corrected, corrected
from fairstats.metrics import METRICS

Floats = NDArray[np.float64]


METHOD = "mean of {} splits, Nadeau-Bengio, strata added"


GIVEN = "mean of {} splits, Nadeau-Bengio"


FEW_OF_AN_OUTCOME = "fewer than ten people of one outcome held out: the interval is approximate"


NOBODY = "nobody that it needs was held out"


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
        row = Estimate(measure.metric, at.attribute, at.group, n=float(measure.n[i]), method=method)
        doubt = FEW_OF_AN_OUTCOME if measure.few is not None and measure.few[panel] else ""
        row = replace(row, fit=term.method, versus=term.versus, model=term.model, k=term.k or np.nan)
        return replace(row, **{"conf_level": level, "reason": "; ".join(filter(None, [term.caution, doubt])), **more})


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
        reason = "; ".join(filter(None, [CERTAIN, about.reason]))
        return replace(about, estimate=estimate, conf_level=np.nan, reason=reason)
    low, high = max(low, within[0]), min(high, within[1])
    return about.with_interval(estimate, low, high, std_error=se)


def _nobody(metric: str) -> str:
    """Return the reason why a metric has no mean over the splits."""
    known = METRICS.get(metric)
    return f"{known.empty} in one split at least" if known and "D" in known.given else NOBODY


def with_test(row: Estimate, c: Corrected, i: int, null: float = 0.0) -> Estimate:
    """Return the row with its test of `null`; without a standard error there is none."""
    if np.isnan(row.std_error):
        return row
    statistic = (row.estimate - null) / row.std_error
    return replace(row, statistic=statistic, df=float(c.df[i]), p_value=float(c.p_value(null)[i]))
