"""Differences of two rates whatever the missing groups and decisions are: joint bounds, and with sampling error."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import scipy
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri

from fairstats.estimates import Estimate, Estimates
from fairstats.inference.rates.strata import conditional_odds_ratio, events_of_group, informative
from fairstats.inference.rates.two_rates import miettinen_nurminen
from fairstats.inference.validation import AtLeastOne, Cells, Level, NonNegative
from fairstats.language import message

Floats = NDArray[np.float64]


PropertyCounts = tuple[float, float, float]  # people with the property, without it, and of whom that is not known
NOBODY: PropertyCounts = (0.0, 0.0, 0.0)
SMALLEST = 0.5  # added to counts in the variance: none observed is not none there


class Gaps(NamedTuple):
    """The people of two groups, and those who may belong to one of them, or to either.

    own, base: people of the group and of the reference: with the property, without it, not known.
    only_group, only_base, either: people of unknown group who can only be of the group (or of none of the two), only of
        the reference, or of either; the same three numbers.
    """

    group: PropertyCounts
    base: PropertyCounts
    only_group: PropertyCounts = NOBODY
    only_base: PropertyCounts = NOBODY
    either: PropertyCounts = NOBODY


def difference_bounds(gaps: Gaps) -> tuple[float, float]:
    """Return the smallest and the largest difference of the rates over everything that is missing, jointly.

    gaps: counts.
    Returns low, high: group minus reference. Sharp: some completion of the data has each of them (with fractions of
        weighted people, where people of unknown group and unknown property are split between the two groups).

    The lowest difference gives the group everybody without the property who may be its, the reference everybody with
    it, and calls whoever is not known what hurts. People of whom neither is known go to the group as without, or to
    the reference as with; how many of them go where is the minimum of a convex function, which has a closed form.
    Bounds that complete one gap at a time can all miss the truth where people lack both.

    Source: Manski (2003), Partial Identification of Probability Distributions, chapters 1 to 3; Horowitz & Manski
    (2000), JASA 95, 77-84.

    >>> low, high = difference_bounds(Gaps((4, 5, 1), (6, 4, 0), either=(1, 1, 1)))
    >>> round(low, 3), round(high, 3)
    (-0.303, 0.045)
    """
    swapped = Gaps(gaps.base, gaps.group, gaps.only_base, gaps.only_group, gaps.either)
    return _lowest(np.array(gaps)), -_lowest(np.array(swapped))


def _lowest(counts: Floats) -> float:
    """The lowest difference; `counts` as in `Gaps`, one a row."""
    e1, n1, e0, n0 = _completed(counts)
    return e1 / n1 - e0 / n0 if n1 > 0 and n0 > 0 else float("nan")


def _completed(counts: Floats) -> tuple[float, float, float, float]:
    """Events and people of the group and of the reference, completed so that their difference is the lowest."""
    current, base, only_group, only_base, either = counts
    events, people = current[0], current.sum() + only_group[1:].sum() + either[1]
    without, others = base[1], base.sum() + only_base[0] + only_base[2] + either[0] + either[2]
    most = either[2]
    if people + most <= 0 or others - most <= 0:
        splits = [0.0, most]
    else:
        roots = np.sqrt([events, without])
        best = (roots[0] * others - roots[1] * people) / roots.sum() if roots.sum() > 0 else most
        best = float(np.clip(best, 0, most))
        whole = bool((counts == np.round(counts)).all())
        splits = [np.floor(best), np.ceil(best)] if whole else [best]
    items = [
        (events, people + x, others - x - without, others - x) for x in splits if people + x > 0 and others - x > 0
    ]
    if not items:
        return events, people, 0.0, 0.0
    e1, n1, e0, n0 = min(items, key=lambda v: v[0] / v[1] - v[2] / v[3])
    return float(e1), float(n1), float(e0), float(n0)


def bounds_with_error(gaps: Gaps, conf_level: float = 0.95) -> tuple[float, float]:
    """Return an interval that holds the true difference in a share of samples, whatever is missing.

    gaps: counts of independent people, who count one each.
    conf_level: chance that the true difference lies within, wherever between its bounds it is.
    Returns low, high: the lower limit of the lowest difference, the upper one of the highest: whoever is missing
        belongs to one side of one group at either bound, so that it is a difference of two independent rates, with the
        limits of Miettinen and Nurminen. Their level is that of two sides where the bounds are one, of one side where
        they are far apart, as both cannot then err at once (Imbens and Manski).
    Source: Imbens & Manski (2004), Confidence intervals for partially identified parameters, Econometrica 72,
    1845-1857; Stoye (2009), Econometrica 77, 1299-1315; Miettinen & Nurminen (1985), Statistics in Medicine 4, 213-226.

    >>> low, high = bounds_with_error(Gaps((40, 50, 10), (60, 40, 0), either=(10, 10, 10)))
    >>> round(low, 2), round(high, 2)
    (-0.4, 0.15)
    """
    low, high = difference_bounds(gaps)
    swapped = Gaps(gaps.base, gaps.group, gaps.only_base, gaps.only_group, gaps.either)
    errors = [_error(np.array(side, dtype=float)) for side in (gaps, swapped)]
    width = (high - low) / max(errors)
    alpha = 1 - conf_level

    def missed(c: float) -> float:
        return float(ndtr(c + width) - ndtr(-c)) - conf_level

    c = max(float(-ndtri(alpha)), 0.0)  # at levels under one half too, the bounds themselves are within
    if width < 40 and missed(c) < 0:
        c = float(scipy.optimize.brentq(missed, c, -ndtri(alpha / 2) + 1e-9))
    level = 1 - 2 * float(ndtr(-c))
    return _lower_limit(gaps, level), -_lower_limit(swapped, level)


def _lower_limit(gaps: Gaps, level: float) -> float:
    """Of the lowest difference."""
    table = _completed(np.array(gaps, dtype=float))
    return float(miettinen_nurminen(*table, level)[0]) if min(table[1], table[3]) > 0 else -1.0


def _error(counts: Floats) -> float:
    """The standard error of the lowest difference, from the counts as independent ones: it is homogeneous in them."""
    variance, around = 0.0, counts + SMALLEST * (counts > 0) + SMALLEST * (np.arange(len(counts)) < 2)[:, None]
    for place in np.ndindex(*counts.shape):
        if around[place] <= 0:
            continue
        step = np.zeros(counts.shape)
        step[place] = 1e-4 * around[place] * (1 + 1e-7)  # no whole numbers: the split stays smooth
        slope = (_lowest(around + step) - _lowest(around - step)) / (2 * step[place])
        variance += slope**2 * around[place]
    return float(np.sqrt(variance))


# How strong a factor that nobody measured must be to explain a disparity away: E-values and Rosenbaum's bound.


NAN = float("nan")
E_VALUE, BOUND = "E-value", "Rosenbaum bound"
OF_LIMIT = "limit"
METHODS = {E_VALUE: message("E-value of the risk ratio"), BOUND: message("Rosenbaum bound, exact conditional mid-p")}


def e_value(ratio: NonNegative) -> Floats:
    """Return how strongly an unmeasured factor must go with group and event to explain a risk ratio away.

    Parameters
    ----------
    ratio : array_like
        Risk ratios; below 1 their inverse is taken.

    Returns
    -------
    ndarray
        r + sqrt(r (r - 1)): the smallest risk ratio, of the factor between the groups *and* of the event given the
        factor, at which a factor that has both could be the whole of the ratio. 1 where there is nothing to explain;
        infinite for a ratio of 0.

    Notes
    -----
    A factor whose two ratios are a and b moves a risk ratio by at most a b / (a + b - 1) (Ding & VanderWeele). The
    E-value is where both are equal and the product is reached: a factor with one smaller ratio needs the other to be
    larger. Nothing is assumed of the factor's distribution. It speaks of the event that was counted: for its
    complement (rejections instead of selections) the ratio and its E-value are others.

    References
    ----------
    VanderWeele & Ding (2017), Sensitivity analysis in observational research: introducing the E-value, Annals of
    Internal Medicine 167, 268-274; Ding & VanderWeele (2016), Sensitivity analysis without assumptions, Epidemiology
    27, 368-377. R: ``EValue::evalues.RR``.

    Examples
    --------
    >>> import fairstats as fs
    >>> fs.stats.e_value([3.9, 1.8, 0.8]).round(2).tolist()
    [7.26, 3.0, 1.81]
    """
    given = np.asarray(ratio, dtype=float)
    with np.errstate(divide="ignore", invalid="ignore"):
        above = np.where(given < 1, 1 / given, given)
        return np.asarray(np.where(np.isinf(above), np.inf, above + np.sqrt(above * (above - 1))))


def e_value_of_interval(low: NonNegative, high: NonNegative) -> Floats:
    """Return the E-value of the limit nearer to 1: what would move the interval to contain equality.

    Parameters
    ----------
    low, high : array_like
        Limits of risk ratios.

    Returns
    -------
    ndarray
        1 where the interval contains 1 already.

    References
    ----------
    VanderWeele & Ding (2017), Annals of Internal Medicine 167, 268-274.

    Examples
    --------
    >>> import fairstats as fs
    >>> fs.stats.e_value_of_interval([1.8, 0.7, 0.71], [8.7, 1.2, 0.91]).round(2).tolist()
    [3.0, 1.0, 1.43]
    """
    ends = np.asarray(low, dtype=float), np.asarray(high, dtype=float)
    nearest = np.where(ends[0] > 1, ends[0], np.where(ends[1] < 1, ends[1], 1.0))
    return e_value(np.where(np.isnan(ends[0]) | np.isnan(ends[1]), np.nan, nearest))


def rosenbaum_p(e1: Cells, n1: Cells, e0: Cells, n0: Cells, gamma: AtLeastOne = 1.0, *, mid: bool = True) -> float:
    """Return the largest p-value that an unmeasured factor of a given strength could have left.

    Parameters
    ----------
    e1, n1, e0, n0 : array_like, shape (K,)
        Events and sizes of the group and of the reference by stratum (whole counts); a matched pair is a stratum.
    gamma : float
        Two people of one stratum differ in their odds of being in the group by at most this factor, >= 1; 1 says
        that within strata nothing unmeasured tells the group.
    mid : bool
        Half the probability of the observed sum is left out; False gives Rosenbaum's own bound.

    Returns
    -------
    float
        One-sided, in the direction of the data. NaN without an informative stratum.

    Notes
    -----
    The bound is reached by the worst factor: one that everybody with the event has and nobody else. Given the margins
    the group's events are then a sum of extended hypergeometric counts with odds ratio gamma, which is convolved
    exactly.

    References
    ----------
    Rosenbaum (2002), Observational Studies, 2nd edition, sections 4.2 to 4.4; Rosenbaum (1987), Biometrika 74, 13-26.
    R: ``rbounds::binarysens`` (pairs), ``rbounds::FisherSens`` (one table).

    Examples
    --------
    Hammond's pairs: in 110 of 122 that differ, the heavy smoker died of lung cancer.

    >>> import numpy as np
    >>> import fairstats as fs
    >>> e1, e0 = np.repeat([1, 0], [110, 12]), np.repeat([0, 1], [110, 12])
    >>> one = np.ones(122)
    >>> [round(fs.stats.rosenbaum_p(e1, one, e0, one, gamma, mid=False), 4) for gamma in (4, 5, 6)]
    [0.002, 0.0232, 0.0969]
    """
    t = informative(e1, n1, e0, n0)
    if t.n.size == 0:
        return NAN
    observed = float(t.a.sum())
    more = observed >= float(np.sum((t.a + t.b) * (t.a + t.c) / t.n))
    law = events_of_group(e1, n1, e0, n0, gamma if more else 1 / gamma)
    values = law.first + np.arange(law.probabilities.size)
    beyond = values > observed if more else values < observed
    return float(law.probabilities[beyond].sum()) + (0.5 if mid else 1.0) * law.at(observed)


def rosenbaum_bound(e1: Cells, n1: Cells, e0: Cells, n0: Cells, conf_level: Level = 0.95, *, mid: bool = True) -> float:
    """Return the strength of an unmeasured factor at which a stratified disparity stops being significant.

    Parameters
    ----------
    e1, n1, e0, n0 : array_like, shape (K,)
        Events and sizes of the group and of the reference by stratum (whole counts).
    conf_level : float
        One minus the two-sided level of the test.
    mid : bool
        As in `rosenbaum_p`.

    Returns
    -------
    float
        The gamma at which `rosenbaum_p` is half of one minus the confidence level; 1 where it is not below it already
        without any unmeasured factor, NaN without an informative stratum.

    Notes
    -----
    The same extended hypergeometric law is the likelihood of a common odds ratio, so the bound is the limit, nearer to
    1, of `conditional_odds_ratio`: the data exclude every odds ratio up to it, whether a factor made it or not.

    References
    ----------
    Rosenbaum (2002), Observational Studies, 2nd edition, section 4.2.

    Examples
    --------
    >>> import fairstats as fs
    >>> round(fs.stats.rosenbaum_bound([30, 12], [50, 40], [10, 8], [50, 50]), 2)
    2.03
    """
    return bound_of_limits(*conditional_odds_ratio(e1, n1, e0, n0, conf_level, mid=mid)[1:])


def bound_of_limits(low: float, high: float) -> float:
    """The bound that the limits of a common odds ratio say.

    >>> bound_of_limits(0.2, 0.5), bound_of_limits(0.8, 3.0)
    (2.0, 1.0)
    """
    if np.isnan(low) or np.isnan(high):
        return NAN
    return max(1.0, low, 1 / high if high > 0 else np.inf)


def unmeasured_rows(rows: Iterable[Estimate]) -> Estimates:
    """What an unmeasured factor would have to be, beside every group that was compared within strata.

    rows: the rows of comparisons within strata; of the risk ratio and of the conditional odds ratio the sensitivity is
        told, at the level that their limits have.
    Returns: a group: the E-value of the risk ratio, that of its limit (``term`` "limit"), and Rosenbaum's bound.

    >>> ratio = Estimate("risk ratio within strata", "sex", "f", "ratio", "m").with_interval(3.9, 1.8, 8.7, 0.95)
    >>> [(row.metric, row.term, round(row.estimate, 2)) for row in unmeasured_rows([ratio])]
    [('E-value', '', 7.26), ('E-value', 'limit', 3.0)]
    """
    items = []
    for row in rows:
        if row.status != "ok" or row.metric not in ("risk ratio within strata", "conditional odds ratio"):
            continue
        values = {("Rosenbaum bound", ""): bound_of_limits(row.conf_low, row.conf_high)}
        if row.metric == "risk ratio within strata":
            limit = e_value_of_interval(row.conf_low, row.conf_high)
            values = {(E_VALUE, ""): float(e_value(row.estimate)), (E_VALUE, OF_LIMIT): float(limit)}
        for (metric, term), value in values.items():
            about = replace(row.blank(), metric=metric, contrast="none", role="sensitivity", term=term)
            about = replace(about, n=row.n, events=row.events, conf_level=row.conf_level, method=METHODS[metric])
            lost = "" if value == value else "the ratio has no value"
            items.append(replace(about, estimate=value, status="unestimable" if lost else "ok", reason=lost))
    return Estimates(items)
