"""The rows that an audit makes of two groups compared within strata."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from fairstats.estimates import NAN, Estimate, Estimates
from fairstats.inference.rates.mantel_haenszel import informative
from fairstats.inference.rates.pooled_shortfall import pooled_shortfall
from fairstats.inference.rates.standardized_rates import StratifiedRates
from fairstats.inference.rates.stratified_exact import conditional_odds_ratio, stratified_mid_p
from fairstats.inference.rates.stratified_people import stratified_rates_of_people
from fairstats.inference.rates.stratified_rates import stratified_rates

LIMITS = "Wilson limits combined, variance without equal differences"


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
        exact stratified test. n and events are the group's in the strata with both groups; ``reason`` names who is
        left out, ``method`` what is averaged.

    Examples
    --------
    >>> rows = stratified_difference_rows([30, 0], [100, 400], [60, 0], [100, 400], group="f", reference="m")
    >>> [(r.metric, round(r.estimate, 3)) for r in rows][:3]
    [('risk difference within strata', -0.06), ('risk ratio within strata', 0.5), ('standardized difference', -0.06)]
    """
    made, everybody = (stratified_rates(e1, n1, e0, n0, s) for s in ("mantel-haenszel", "everybody"))
    about = Estimate("", attribute, group, "difference", reference, given=strata, n=made.n1, reason=_who(made))
    if made.reason:
        return Estimates(
            replace(about, metric=m, contrast=c, status="unestimable", reason=made.reason) for m, c in _ROWS.items()
        )
    people, size, _, other = (np.atleast_1d(np.asarray(v, dtype=float)) for v in (e1, n1, e0, n0))
    p, test = stratified_mid_p(e1, n1, e0, n0)
    # where nobody or everybody has the property in every stratum, nothing speaks against equality
    p = 1.0 if informative(e1, n1, e0, n0).n.size == 0 else p
    about = replace(about, events=float(people[(size > 0) & (other > 0)].sum()), p_value=p, conf_level=conf_level)
    missing, odds = pooled_shortfall(e1, n1, e0, n0), conditional_odds_ratio(e1, n1, e0, n0, conf_level)
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
        (missing.people, missing.std_error, -made.total * high, -made.total * low, f"expected minus observed; {test}"),
    )
    rows = []
    for (metric, contrast), (estimate, error, start, end, method) in zip(_ROWS.items(), values, strict=True):
        row = replace(about, metric=metric, contrast=contrast, method=method, estimate=estimate, std_error=error)
        rows.append(_ended(replace(row, conf_low=start, conf_high=end)))
    return Estimates([*rows[:-1], replace(rows[-1], statistic=missing.deviations)])


_ROWS = {
    "risk difference within strata": "difference",
    "risk ratio within strata": "ratio",
    "standardized difference": "difference",
    "conditional odds ratio": "ratio",
    "shortfall in people": "none",
}


def _ended(row: Estimate) -> Estimate:
    if not np.isnan(row.estimate):
        return row
    return row.blank(n=row.n, status="unestimable", reason="nobody, or everybody, has the property in every stratum")


def _who(made: StratifiedRates) -> str:
    if not made.left_out > 0:
        return ""
    return f"{made.left_out:g} people are in strata where one of the two groups is absent, and are left out"


def stratified_people_row(
    y: ArrayLike,
    in_group: ArrayLike,
    strata: ArrayLike,
    *,
    weights: ArrayLike | None = None,
    clusters: ArrayLike | None = None,
    attribute: str = "",
    group: str = "",
    reference: str = "",
    given: str = "strata",
    conf_level: float = 0.95,
) -> Estimate:
    """The Mantel-Haenszel risk difference of weighted or clustered people as a tidy row, with t.

    Parameters
    ----------
    y, in_group, strata, weights, clusters
        As in `stratified_rates_of_people`.
    attribute, group, reference, given : str
        What the row is about.
    conf_level : float
        Nominal coverage.

    Returns
    -------
    Estimate
        Status ``"unestimable"`` with fewer than four clusters in a group, or without a stratum of both groups.

    Examples
    --------
    >>> y, g = [1, 0, 0, 1, 1, 1, 0, 1] * 4, [False, True] * 16
    >>> row = stratified_people_row(y, g, [0] * 16 + [1] * 16, clusters=[k // 4 for k in range(32)])
    >>> round(row.estimate, 3), row.df
    (0.25, 7.0)
    """
    made = stratified_rates_of_people(y, in_group, strata, weights=weights, clusters=clusters)
    about = Estimate("risk difference within strata", attribute, group, "difference", reference, given=given, n=made.n1)
    if made.reason:
        return replace(about, status="unestimable", reason=made.reason)
    low, high = made.limits(conf_level)
    errors = "linearized by cluster" if clusters is not None else "linearized, Wilson limits combined"
    return replace(
        about,
        estimate=made.difference,
        std_error=made.std_error,
        conf_low=low,
        conf_high=high,
        conf_level=conf_level,
        statistic=made.difference / made.std_error if made.std_error > 0 else NAN,
        df=made.df,
        p_value=made.p_value,
        method=f"Mantel-Haenszel, {made.estimand}; {errors}, t",
        reason=_who(made),
    )
