"""The rows that an audit makes of two groups compared within strata."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fairstats.estimates import NAN, Estimate, Estimates
from fairstats.inference.rates.mantel_haenszel import informative
from fairstats.inference.rates.one_rate import counts
from fairstats.inference.rates.pooled_shortfall import pooled_shortfall
from fairstats.inference.rates.standardized_rates import StratifiedRates
from fairstats.inference.rates.stratified_exact import conditional_odds_ratio, stratified_mid_p
from fairstats.inference.rates.stratified_people import (
    CountedPeople,
    stratified_rates_of_cells,
    stratified_rates_of_people,
)
from fairstats.inference.rates.stratified_rates import Standard, stratified_rates

Floats = NDArray[np.float64]
LIMITS = "Wilson limits combined, variance without equal differences"
WITHIN, STANDARDIZED = "risk difference within strata", "standardized difference"
_ROWS = {
    WITHIN: "difference",
    "risk ratio within strata": "ratio",
    STANDARDIZED: "difference",
    "conditional odds ratio": "ratio",
    "shortfall in people": "none",
}
LEFT_OUT = "are in strata where one of the two groups is absent"
NO_VARIATION = "nobody, or everybody, has the property in every stratum"


@dataclass(frozen=True, eq=False)
class StratifiedCounts:
    """Two groups of people who count one each, by stratum: events and sizes of the group and of the reference."""

    e1: ArrayLike
    n1: ArrayLike
    e0: ArrayLike
    n0: ArrayLike

    @property
    def _four(self) -> tuple[ArrayLike, ArrayLike, ArrayLike, ArrayLike]:
        return self.e1, self.n1, self.e0, self.n0

    @cached_property
    def made(self) -> StratifiedRates:
        """The Mantel-Haenszel difference and ratio."""
        return stratified_rates(*self._four)

    @cached_property
    def test(self) -> tuple[float, str]:
        """The p-value of the exact stratified test, 1 where nothing varies in any stratum, and its name."""
        if self.made.reason:
            return NAN, ""
        if informative(*self._four).n.size == 0:
            return 1.0, NO_VARIATION
        return stratified_mid_p(*self._four)

    @property
    def p_value(self) -> float:
        """The p-value of the exact stratified test; NaN without a stratum of both groups."""
        return self.test[0]

    def p_equivalence(self, margin: float) -> float:
        """The p-value of the claim that the difference within strata is smaller than a margin."""
        return self.made.p_equivalence(margin)

    def rows(self, about: Estimate, conf_level: float = 0.95) -> Estimates:
        """The rows of the comparison, the one that carries the verdict first; see `stratified_difference_rows`."""
        made, everybody = self.made, stratified_rates(*self._four, "everybody")
        about = replace(about, n=made.n1 + made.n0, reason=_who(made))
        if made.reason:
            return _unestimable(about, _ROWS, made.reason)
        (people, size, events, other), (p, test) = (np.atleast_1d(v) for v in counts(*self._four)), self.test
        both = (size > 0) & (other > 0)
        about = replace(about, events=float((people + events)[both].sum()), p_value=p, conf_level=conf_level)
        missing, odds = pooled_shortfall(*self._four), conditional_odds_ratio(*self._four, conf_level)
        low, high = made.limits(conf_level)
        values = (
            (made.difference, made.std_error, low, high, f"Mantel-Haenszel, {made.estimand}; {LIMITS}; {test}"),
            (made.ratio, NAN, *made.ratio_limits(conf_level), f"Mantel-Haenszel; {LIMITS} (MOVER); {test}"),
            (
                everybody.difference,
                everybody.std_error,
                *everybody.limits(conf_level),
                f"standardization, {everybody.estimand}; {LIMITS}; {test}",
            ),
            (odds[0], NAN, *odds[1:], f"conditional maximum likelihood, exact mid-p limits; {test}"),
            (
                missing.people,
                missing.std_error,
                -made.total * high,
                -made.total * low,
                f"expected minus observed; {test}",
            ),
        )
        rows = []
        for (metric, contrast), (estimate, error, start, end, method) in zip(_ROWS.items(), values, strict=True):
            row = replace(about, metric=metric, contrast=contrast, method=method, estimate=estimate, std_error=error)
            rows.append(_ended(replace(row, conf_low=start, conf_high=end)))
        return Estimates([*rows[:-1], replace(rows[-1], statistic=missing.deviations)])


def stratified_difference_rows(
    e1: ArrayLike,
    n1: ArrayLike,
    e0: ArrayLike,
    n0: ArrayLike,
    *,
    attribute: str = "",
    group: str = "",
    reference: str = "",
    strata: str = "strata",
    conf_level: float = 0.95,
) -> Estimates:
    """The comparison of two groups within strata, for people who count one each, as tidy rows.

    Parameters
    ----------
    e1, n1, e0, n0 : array_like, shape (K,)
        Events and sizes of the group and of the reference by stratum.
    attribute, group, reference : str
        What the rows are about.
    strata : str
        Name of the factor that makes the strata; the rows' ``given``.
    conf_level : float
        Nominal coverage.

    Returns
    -------
    Estimates
        The Mantel-Haenszel risk difference, which carries the verdict, the Mantel-Haenszel risk ratio, the difference
        standardized to everybody, the conditional odds ratio, and the shortfall in people. All have the p-value of the
        exact stratified test. n and events are of both groups in the strata that have both: those who were averaged.
        ``reason`` says how many are left out, ``method`` what is averaged.

    Examples
    --------
    >>> rows = stratified_difference_rows([30, 0], [100, 400], [60, 0], [100, 400], group="f", reference="m")
    >>> [(r.metric, round(r.estimate, 3)) for r in rows][:3]
    [('risk difference within strata', -0.06), ('risk ratio within strata', 0.5), ('standardized difference', -0.06)]
    """
    about = Estimate("", attribute, group, "difference", reference, given=strata)
    return StratifiedCounts(e1, n1, e0, n0).rows(about, conf_level)


def _unestimable(about: Estimate, kinds: dict[str, str], reason: str) -> Estimates:
    return Estimates(
        replace(about, metric=m, contrast=c, status="unestimable", reason=reason) for m, c in kinds.items()
    )


def _ended(row: Estimate) -> Estimate:
    if not np.isnan(row.estimate):
        return row
    return row.blank(n=row.n, status="unestimable", reason=NO_VARIATION)


def _who(made: StratifiedRates) -> str:
    if not made.left_out > 0:
        return ""
    return f"{made.left_out:,.10g} people {LEFT_OUT}, and are left out"


@dataclass(frozen=True, eq=False)
class StratifiedPeople:
    """Two groups of weighted or clustered people with their strata: outcome 0 or 1, and who is in the group."""

    y: ArrayLike
    in_group: ArrayLike
    strata: ArrayLike
    weights: ArrayLike | None = None
    clusters: ArrayLike | None = None
    counted: CountedPeople | None = None  # where each entry is a cell of several people who are alike

    @cached_property
    def made(self) -> StratifiedRates:
        """The Mantel-Haenszel difference and ratio."""
        return self._standardized("mantel-haenszel")

    def _standardized(self, standard: Standard) -> StratifiedRates:
        if self.counted is None:
            return stratified_rates_of_people(
                self.y, self.in_group, self.strata, weights=self.weights, clusters=self.clusters, standard=standard
            )
        return stratified_rates_of_cells(
            self.y,
            self.in_group,
            self.strata,
            self.counted,
            clusters=self.clusters,
            standard=standard,
            weighted=self.weights is not None,
        )

    @property
    def p_value(self) -> float:
        """By Student's t; NaN where there is no estimate."""
        return self.made.p_value

    def p_equivalence(self, margin: float) -> float:
        """The p-value of the claim that the difference within strata is smaller than a margin."""
        return self.made.p_equivalence(margin)

    def rows(self, about: Estimate, conf_level: float = 0.95) -> Estimates:
        """The Mantel-Haenszel difference, which carries the verdict, and the difference standardized to everybody."""
        kinds = {name: _ROWS[name] for name in (WITHIN, STANDARDIZED)}
        if self.made.reason:
            return _unestimable(replace(about, n=self.made.n1 + self.made.n0), kinds, self.made.reason)
        everybody = self._standardized("everybody")
        named = (f"Mantel-Haenszel, {self.made.estimand}", f"standardization, {everybody.estimand}")
        errors = "linearized, Wilson limits combined"
        if self.clusters is not None:
            errors = "linearized by cluster, limits of a score test on effective sizes (jackknife)"
        rows = []
        for metric, made, method in zip(kinds, (self.made, everybody), named, strict=True):
            low, high = made.limits(conf_level)
            values: dict[str, Any] = {
                "estimate": made.difference,
                "std_error": made.std_error,
                "conf_low": low,
                "conf_high": high,
            }
            values |= {"conf_level": conf_level, "df": made.df, "p_value": made.p_value, "n": made.n1 + made.n0}
            values["statistic"] = made.difference / made.std_error if made.std_error > 0 else NAN
            values |= {"metric": metric, "method": f"{method}; {errors}, t", "reason": _who(made)}
            rows.append(replace(about, **values))
        return Estimates(rows)
