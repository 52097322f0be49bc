"""The arithmetic of the four-fifths rule: impact ratio, shortfall, and what one selection more would change."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fairstats.inference.rates.one_rate import counts
from fairstats.language import mark

Floats = NDArray[np.float64]
FOUR_FIFTHS = 0.8
# Rates are ratios of counts, so 10/30 over 20/48 is 0.8 and must not fall below it by rounding: three divisions err by
# less than this, and two different ratios of counts up to ten million are further apart.
ROUNDING = 1e-15
BELOW, WITHIN, ABOVE = "below", "within", "above"
SIDES = {BELOW: mark("below 0.8"), WITHIN: mark("within 0.8 to 1.25"), ABOVE: mark("above 1.25")}


def impact_ratio(selected: ArrayLike, n: ArrayLike, ref_selected: ArrayLike, ref_n: ArrayLike) -> Floats:
    """Return the selection rate of the group over that of the reference.

    Parameters
    ----------
    selected, n : array_like
        Selections and applicants of the group (broadcast).
    ref_selected, ref_n : array_like
        Those of the reference.

    Returns
    -------
    float or ndarray
        Infinite where only the reference selects nobody, NaN where neither does or a group is empty.

    References
    ----------
    Uniform Guidelines on Employee Selection Procedures (1978), 29 CFR 1607.4(D).

    Examples
    --------
    >>> import fairstats as fs
    >>> round(float(fs.stats.impact_ratio(12, 40, 48, 80)), 3)
    0.5
    """
    e1, n1, e0, n0 = counts(selected, n, ref_selected, ref_n)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray((e1 / n1) / (e0 / n0))[()]


def below_four_fifths(ratio: ArrayLike) -> NDArray[np.bool_]:
    """Whether an impact ratio is below 0.8; false where it is NaN, and at 0.8 itself in spite of rounding.

    Examples
    --------
    >>> [bool(v) for v in below_four_fifths([0.79, (10 / 30) / (20 / 48), float("nan")])]
    [True, False, False]
    """
    return np.asarray(np.asarray(ratio, dtype=float) < FOUR_FIFTHS - ROUNDING)[()]


def side(ratio: float) -> str:
    """Which of two rates is below four fifths of the other one; the only place where that line is drawn.

    Parameters
    ----------
    ratio : float
        Rate of the group over that of its reference.

    Returns
    -------
    {"below", "within", "above", ""}
        ``"below"`` where the group's rate is below four fifths of the reference's, ``"above"`` where it is the other
        way round (a ratio above 1.25), "" where there is no ratio.

    Examples
    --------
    >>> side(0.79), side((10 / 30) / (20 / 48)), side(1.38), side(float("nan"))
    ('below', 'within', 'above', '')
    """
    if np.isnan(ratio):
        return ""
    if below_four_fifths(ratio):
        return BELOW
    return ABOVE if ratio > 1 and below_four_fifths(1 / ratio) else WITHIN


def shortfall(selected: ArrayLike, n: ArrayLike, rate: ArrayLike) -> Floats:
    """Return how many more selections would bring the group to a rate.

    Parameters
    ----------
    selected, n : array_like
        Selections and applicants of the group (broadcast).
    rate : array_like
        The rate to reach: the reference's, or 0.8 of it for the four-fifths rule.

    Returns
    -------
    float or ndarray
        n * rate - selected; not rounded (`numpy.ceil` gives people), negative above the rate.

    References
    ----------
    Gastwirth (1988), Statistical Reasoning in Law and Public Policy, volume 1.

    Examples
    --------
    >>> import fairstats as fs
    >>> float(fs.stats.shortfall(12, 40, 0.6))
    12.0
    """
    e, n, p = counts(selected, n, rate)
    return np.asarray(n * p - e)[()]


def one_more(selected: ArrayLike, n: ArrayLike, ref_selected: ArrayLike, ref_n: ArrayLike) -> Floats:
    """The impact ratio if the group had one selection more and the reference as many as it has.

    Parameters
    ----------
    selected, n, ref_selected, ref_n : array_like
        As in `impact_ratio`.

    Returns
    -------
    float or ndarray
        NaN where all of the group are selected already.

    Examples
    --------
    >>> float(one_more(1, 10, 3, 20)), float(impact_ratio(1, 10, 3, 20)) < 0.8
    (1.3333333333333335, True)
    """
    e1, n1, e0, n0 = counts(selected, n, ref_selected, ref_n)
    return np.where(e1 + 1 <= n1, impact_ratio(e1 + 1, n1, e0, n0), np.nan)[()]


def one_moved(selected: ArrayLike, n: ArrayLike, ref_selected: ArrayLike, ref_n: ArrayLike) -> Floats:
    """The impact ratio if one selection had gone to the group instead of the reference ("flip-flop").

    Above 1 the choice of a single person decides which group has the higher rate; the agencies then find it
    inappropriate to infer adverse impact.

    Parameters
    ----------
    selected, n, ref_selected, ref_n : array_like
        As in `impact_ratio`.

    Returns
    -------
    float or ndarray
        NaN where there is no such selection or nobody to receive it.

    References
    ----------
    Questions and Answers on the Uniform Guidelines (1979), 44 FR 11996, no. 21; Roth, Bobko & Switzer (2006),
    Journal of Applied Psychology 91, 507-522.

    Examples
    --------
    >>> float(one_moved(1, 10, 3, 20))
    2.0
    """
    e1, n1, e0, n0 = counts(selected, n, ref_selected, ref_n)
    possible = (e1 + 1 <= n1) & (e0 >= 1)
    return np.where(possible, impact_ratio(e1 + 1, n1, e0 - 1, n0), np.nan)[()]
