"""The common odds ratio of two groups within strata, its test, and whether it is common, as tidy rows."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from fairstats.estimates import NAN, Estimate, Estimates
from fairstats.inference.rates.homogeneity import homogeneity_test
from fairstats.inference.rates.mantel_haenszel import Strata, cmh_test, common_odds_ratio, informative


def stratified(
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
    correct: bool = False,
    seed: int = 0,
) -> Estimates:
    """The comparison of two groups within strata, as tidy rows.

    Parameters
    ----------
    e1, n1, e0, n0 : array_like, shape (K,)
        Events and sizes of the group and of the reference by stratum.
    attribute, group, reference : str
        What the rows are about.
    strata : str
        Name of the factor that makes the strata.
    conf_level : float
        Nominal coverage.
    correct : bool
        Continuity correction of the CMH test.
    seed : int
        Seed of the test of homogeneity where strata are sparse.

    Returns
    -------
    Estimates
        The common odds ratio with the CMH test, and the homogeneity test with its statistic as estimate. n and
        events are the group's in the strata that say something.

    Examples
    --------
    >>> rows = stratified([30, 12], [50, 40], [20, 10], [50, 50], group="a", reference="b")
    >>> rows.column("metric"), round(rows[0].estimate, 3)
    (['common odds ratio', 'homogeneity of odds ratios'], 2.016)
    """
    t = informative(e1, n1, e0, n0)
    odds, se, low, high = common_odds_ratio(e1, n1, e0, n0, conf_level)
    about = Estimate("common odds ratio", attribute, group, "ratio", reference, given=strata)
    about = replace(about, n=float(np.sum(t.a + t.b)), events=float(t.a.sum()), reason=_left_out(t))
    chi2, p = cmh_test(e1, n1, e0, n0, correct=correct)
    test = "Cochran-Mantel-Haenszel test" + (" with continuity correction" if correct else "")
    common = about.with_interval(
        odds,
        low,
        high,
        conf_level,
        estimator="Mantel-Haenszel",
        std_error=odds * se,
        method=f"Mantel-Haenszel, Robins-Breslow-Greenland interval; {test}",
    ).with_test(chi2, p, 1.0)
    test_of_one = homogeneity_test(e1, n1, e0, n0, seed=seed)
    same = replace(
        about,
        metric="homogeneity of odds ratios",
        role="beside",
        estimate=test_of_one.statistic,
        statistic=test_of_one.statistic,
        df=test_of_one.df,
        p_value=test_of_one.p_value,
        method=test_of_one.method,
        reason="; ".join(filter(None, (about.reason, test_of_one.caution))),
    )
    return Estimates(_with_status(row, t) for row in (common, same))


def _left_out(t: Strata) -> str:
    return f"{t.dropped} of {t.dropped + t.n.size} strata say nothing about the comparison" if t.dropped else ""


def _with_status(row: Estimate, t: Strata) -> Estimate:
    if not np.isnan(row.estimate):
        return row
    few = "no stratum" if t.n.size == 0 else "no comparison of strata"
    return replace(row, df=NAN, status="unestimable", reason=f"{few} has both groups, with and without the property")
