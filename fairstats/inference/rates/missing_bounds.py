"""Differences of two rates whatever the missing groups and decisions are: joint bounds, and with sampling error."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import brentq
from scipy.special import ndtr, ndtri

from fairstats.inference.rates.score_intervals import miettinen_nurminen

Floats = NDArray[np.float64]
Known = tuple[float, float, float]  # people with the property, without it, and of whom that is not known
NOBODY: Known = (0.0, 0.0, 0.0)
SMALLEST = 0.5  # added to counts in the variance: none observed is not none there


class Gaps(NamedTuple):
    """The people of two groups, and those who may belong to one of them, or to either.

    Attributes
    ----------
    own, base : tuple of float
        People of the group and of the reference: with the property, without it, not known.
    only_own, only_base, either : tuple of float
        People of unknown group who can only be of the group (or of none of the two), only of the reference, or of
        either; the same three numbers.
    """

    own: Known
    base: Known
    only_own: Known = NOBODY
    only_base: Known = NOBODY
    either: Known = NOBODY


def difference_bounds(gaps: Gaps) -> tuple[float, float]:
    """Return the smallest and the largest difference of the rates over everything that is missing, jointly.

    Parameters
    ----------
    gaps : Gaps
        Counts.

    Returns
    -------
    low, high : float
        Group minus reference. Sharp: some completion of the data has each of them (with fractions of weighted people,
        where people of unknown group and unknown property are split between the two groups).

    Notes
    -----
    The lowest difference gives the group everybody without the property who may be its, the reference everybody with
    it, and calls whoever is not known what hurts. People of whom neither is known go to the group as without, or to
    the reference as with; how many of them go where is the minimum of a convex function, which has a closed form.
    Bounds that complete one gap at a time can all miss the truth where people lack both.

    References
    ----------
    Manski (2003), Partial Identification of Probability Distributions, chapters 1 to 3; Horowitz & Manski (2000),
    JASA 95, 77-84.

    Examples
    --------
    >>> low, high = difference_bounds(Gaps((4, 5, 1), (6, 4, 0), either=(1, 1, 1)))
    >>> round(low, 3), round(high, 3)
    (-0.303, 0.045)
    """
    swapped = Gaps(gaps.base, gaps.own, gaps.only_base, gaps.only_own, gaps.either)
    return _lowest(np.array(gaps)), -_lowest(np.array(swapped))


def _lowest(counts: Floats) -> float:
    """The lowest difference; `counts` as in `Gaps`, one a row."""
    e1, n1, e0, n0 = _completed(counts)
    return e1 / n1 - e0 / n0 if n1 > 0 and n0 > 0 else float("nan")


def _completed(counts: Floats) -> tuple[float, float, float, float]:
    """Events and people of the group and of the reference, completed so that their difference is the lowest."""
    own, base, only_own, only_base, either = counts
    events, people = own[0], own.sum() + only_own[1:].sum() + either[1]
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
    found = [
        (events, people + x, others - x - without, others - x) for x in splits if people + x > 0 and others - x > 0
    ]
    if not found:
        return events, people, 0.0, 0.0
    e1, n1, e0, n0 = min(found, key=lambda v: v[0] / v[1] - v[2] / v[3])
    return float(e1), float(n1), float(e0), float(n0)


def bounds_with_error(gaps: Gaps, conf_level: float = 0.95) -> tuple[float, float]:
    """Return an interval that holds the true difference in a share of samples, whatever is missing.

    Parameters
    ----------
    gaps : Gaps
        Counts of independent people, who count one each.
    conf_level : float
        Chance that the true difference lies within, wherever between its bounds it is.

    Returns
    -------
    low, high : float
        The lower limit of the lowest difference, the upper one of the highest: whoever is missing belongs to one side
        of one group at either bound, so that it is a difference of two independent rates, with the limits of Miettinen
        and Nurminen. Their level is that of two sides where the bounds are one, of one side where they are far apart,
        as both cannot then err at once (Imbens and Manski).

    References
    ----------
    Imbens & Manski (2004), Confidence intervals for partially identified parameters, Econometrica 72, 1845-1857;
    Stoye (2009), Econometrica 77, 1299-1315; Miettinen & Nurminen (1985), Statistics in Medicine 4, 213-226.

    Examples
    --------
    >>> low, high = bounds_with_error(Gaps((40, 50, 10), (60, 40, 0), either=(10, 10, 10)))
    >>> round(low, 2), round(high, 2)
    (-0.4, 0.15)
    """
    low, high = difference_bounds(gaps)
    swapped = Gaps(gaps.base, gaps.own, gaps.only_base, gaps.only_own, gaps.either)
    errors = [_error(np.array(side, dtype=float)) for side in (gaps, swapped)]
    width = (high - low) / max(errors)
    alpha = 1 - conf_level

    def missed(c: float) -> float:
        return float(ndtr(c + width) - ndtr(-c)) - conf_level

    c = max(float(-ndtri(alpha)), 0.0)  # at levels under one half too, the bounds themselves are within
    if width < 40 and missed(c) < 0:
        c = float(brentq(missed, c, -ndtri(alpha / 2) + 1e-9))
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
