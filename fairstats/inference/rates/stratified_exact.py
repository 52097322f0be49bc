"""The exact test that two groups have equal rates within every stratum, and the exact common odds ratio.

Given the margins of every stratum, the events of the group are independent hypergeometric counts; their sum is the test
statistic. Its distribution is their convolution, which stays exact with thousands of strata of two people as with two
strata of thousands. Its non-central form is the conditional likelihood of a logistic regression with one constant for
each stratum, so the odds ratio below is the conditional maximum likelihood estimate, free of the bias that many
constants cause.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.optimize import brentq

from fairstats.inference.rates.mantel_haenszel import cmh_test, common_odds_ratio, informative
from fairstats.inference.rates.two_rate_tests import TIE

Floats = NDArray[np.float64]
NAN = float("nan")
# probabilities below this share of the largest are dropped: less than 1e-24 of the whole
DROPPED = 1e-30
# beyond this variance of the sum the normal approximation stands: it is off by no more than half a probability
MOST_VARIANCE = 2e5
# the logarithm of any odds ratio that counts can give
LOG_ODDS_BOUND = 700.0


@dataclass(frozen=True)
class Sum:
    """Probabilities of the whole numbers first, first + 1 ..."""

    first: int
    probabilities: Floats

    def at(self, value: float) -> float:
        """The probability of one value."""
        place = round(value) - self.first
        return float(self.probabilities[place]) if 0 <= place < self.probabilities.size else 0.0

    def tilted(self, log_odds: float) -> Sum:
        """The distribution with its odds ratio multiplied."""
        log = np.log(self.probabilities, where=self.probabilities > 0, out=np.full(self.probabilities.size, -np.inf))
        log = log + log_odds * np.arange(log.size)
        weights = np.exp(log - log.max())
        return Sum(self.first, weights / weights.sum())

    @property
    def mean(self) -> float:
        """Its expectation."""
        return float(self.first + np.arange(self.probabilities.size) @ self.probabilities)


def events_of_group(e1: ArrayLike, n1: ArrayLike, e0: ArrayLike, n0: ArrayLike, odds: float = 1.0) -> Sum:
    """The distribution of the group's events, summed over strata, given the margins and a common odds ratio.

    Parameters
    ----------
    e1, n1, e0, n0 : array_like, shape (K,)
        Events and sizes of the group and of the reference by stratum (whole counts).
    odds : float
        The odds ratio, > 0.

    Returns
    -------
    Sum

    Examples
    --------
    >>> s = events_of_group([1, 1], [2, 1], [1, 0], [2, 1])
    >>> s.first, s.probabilities.round(4).tolist()
    (0, [0.0833, 0.4167, 0.4167, 0.0833])
    """
    t = informative(e1, n1, e0, n0)
    margins = np.column_stack([t.a + t.b, t.c + t.d, t.a + t.c])
    tables, copies = np.unique(margins, axis=0, return_counts=True)
    laws = [_noncentral(float(a), float(b), float(e), odds) for a, b, e in tables]
    parts = [_power(law, int(k)) for law, k in zip(laws, copies, strict=True)]
    return _added(parts) if parts else Sum(0, np.ones(1))


def _noncentral(n1: float, n0: float, events: float, odds: float) -> Sum:
    """One stratum, around its mode: ratios of neighbors, as log-gamma would lose digits."""
    low, high = max(0.0, events - n0), min(n1, events)
    share = n1 * odds / (n1 * odds + n0)
    mode = float(np.clip(round(events * share), low, high))
    if high - low > 4000:
        # the most probable value solves (n1 - x)(events - x) odds = x (n0 - events + x)
        b = odds * (n1 + events) + n0 - events
        root = np.sqrt(max(b * b + 4 * (1 - odds) * odds * n1 * events, 0.0))
        mode = float(np.clip(np.floor(2 * odds * n1 * events / (b + root)), low, high))
        cells = 1 / (mode + 1) + 1 / (n1 - mode + 1) + 1 / (events - mode + 1) + 1 / (n0 - events + mode + 1)
        reach = np.ceil(13 / np.sqrt(cells) + 100)
        low, high = max(low, mode - reach), min(high, mode + reach)
    x = np.arange(low, high)
    steps = np.log((n1 - x) * (events - x)) - np.log((x + 1) * (n0 - events + x + 1)) + np.log(odds)
    log = np.concatenate([[0.0], np.cumsum(steps)])
    weights = np.exp(log - log.max())
    return _trimmed(int(low), weights / weights.sum())


def _trimmed(first: int, probabilities: Floats) -> Sum:
    kept = np.flatnonzero(probabilities > DROPPED * probabilities.max())
    return Sum(first + int(kept[0]), probabilities[kept[0] : kept[-1] + 1])


def _plus(a: Sum, b: Sum) -> Sum:
    # products of positive numbers: every probability keeps its relative accuracy, which a Fourier transform loses
    return _trimmed(a.first + b.first, np.convolve(a.probabilities, b.probabilities))


def _power(one: Sum, copies: int) -> Sum:
    """The sum of independent copies, by doubling."""
    out = None
    while copies:
        if copies & 1:
            out = one if out is None else _plus(out, one)
        copies >>= 1
        if copies:
            one = _plus(one, one)
    assert out is not None
    return out


def _added(parts: list[Sum]) -> Sum:
    """The sum of all, smallest first, so that long distributions are convolved last."""
    parts = sorted(parts, key=lambda s: s.probabilities.size)
    while len(parts) > 1:
        pairs = [_plus(parts[i], parts[i + 1]) for i in range(0, len(parts) - 1, 2)]
        parts = pairs + (parts[-1:] if len(parts) % 2 else [])
    return parts[0]


def _whole(*arrays: ArrayLike) -> bool:
    return all(bool(np.all(np.asarray(v) == np.round(np.asarray(v, dtype=float)))) for v in arrays)


def stratified_mid_p(
    e1: ArrayLike, n1: ArrayLike, e0: ArrayLike, n0: ArrayLike, *, mid: bool = True
) -> tuple[float, str]:
    """Test exactly, given the margins, that the rates are equal within every stratum: two-sided, with mid-p.

    Parameters
    ----------
    e1, n1, e0, n0 : array_like, shape (K,)
        Events and sizes of the group and of the reference by stratum.
    mid : bool
        Half the probability of the observed sum is left out, which brings the size close to the level; False gives
        the exact test itself, R's ``mantelhaen.test(exact = TRUE)``.

    Returns
    -------
    p, method : float, str
        Sums no more likely than the observed one count (ties within a relative 1e-7, as in R). NaN where no stratum is
        informative or a count is not whole. Where the variance of the sum exceeds 200,000 the uncorrected
        Cochran-Mantel-Haenszel test stands, whose p-value differs by less than 0.0005 there.

    References
    ----------
    Birch (1964), JRSS B 26, 313-324; Agresti (2013), Categorical Data Analysis, section 7.3.5; Mehta, Patel & Gray
    (1985), JASA 80, 969-973.

    Examples
    --------
    >>> import fairstats as fs
    >>> p, method = fs.stats.stratified_mid_p([8, 5], [10, 9], [4, 3], [10, 9])
    >>> round(p, 4), method
    (0.0832, 'exact conditional test within strata, mid-p')
    """
    t = informative(e1, n1, e0, n0)
    if t.n.size == 0 or not _whole(t.a, t.b, t.c, t.d):
        return NAN, ""
    group, events = t.a + t.b, t.a + t.c
    variance = np.sum(group * (t.n - group) * events * (t.n - events) / (t.n**2 * (t.n - 1)))
    if variance > MOST_VARIANCE:
        return cmh_test(e1, n1, e0, n0, correct=False)[1], "Cochran-Mantel-Haenszel test"
    law = events_of_group(e1, n1, e0, n0)
    here = law.at(float(t.a.sum()))
    p = float(law.probabilities[law.probabilities <= here * TIE].sum()) if here > 0 else 0.0
    return min(1.0, p) - (here / 2 if mid else 0.0), "exact conditional test within strata" + (", mid-p" if mid else "")


def conditional_odds_ratio(
    e1: ArrayLike, n1: ArrayLike, e0: ArrayLike, n0: ArrayLike, conf_level: float = 0.95, *, mid: bool = True
) -> tuple[float, float, float]:
    """Estimate the odds ratio common to the strata by conditional maximum likelihood, with exact (mid-p) limits.

    Parameters
    ----------
    e1, n1, e0, n0 : array_like, shape (K,)
        Events and sizes of the group and of the reference by stratum (whole counts).
    conf_level : float
        Nominal coverage.
    mid : bool
        Half the probability of the observed sum is left out of each tail; False gives R's exact limits.

    Returns
    -------
    estimate, low, high : float
        0 or infinity where the data have no finite value; NaN without an informative stratum.

    Notes
    -----
    It equals the coefficient of the group in a conditional logistic regression (R's ``survival::clogit``,
    statsmodels' ``ConditionalLogit``).

    References
    ----------
    Gart (1970), Biometrika 57, 471-475; Breslow & Day (1980), Statistical Methods in Cancer Research I, section 7.2;
    Vollset, Hirji & Elashoff (1991), Biometrics 47, 1311-1325 (mid-p limits).

    Examples
    --------
    >>> import fairstats as fs
    >>> [round(v, 3) for v in fs.stats.conditional_odds_ratio([8, 5], [10, 9], [4, 3], [10, 9])]
    [3.579, 0.936, 15.017]
    """
    t = informative(e1, n1, e0, n0)
    if t.n.size == 0 or not _whole(t.a, t.b, t.c, t.d):
        return NAN, NAN, NAN
    observed, alpha = float(t.a.sum()), 1 - conf_level
    group, events = t.a + t.b, t.a + t.c
    least, most = float(np.maximum(0, events - (t.n - group)).sum()), float(np.minimum(group, events).sum())
    start = common_odds_ratio(e1, n1, e0, n0)[0]
    law = events_of_group(e1, n1, e0, n0, start if 0 < start < np.inf else 1.0)
    shift = np.log(start) if 0 < start < np.inf else 0.0
    values = law.first + np.arange(law.probabilities.size)
    half = 0.5 if mid else 1.0

    def solved(gap: Callable[[Sum], float]) -> float:
        """The odds ratio at which a function that grows with it is 0."""
        bound = LOG_ODDS_BOUND / max(1.0, law.probabilities.size / 50)
        return float(np.exp(shift + brentq(lambda b: gap(law.tilted(b)), -bound, bound, xtol=1e-12)))

    def above(tilted: Sum) -> float:
        return float(tilted.probabilities[values > observed].sum()) + half * tilted.at(observed)

    def below(tilted: Sum) -> float:
        return float(tilted.probabilities[values < observed].sum()) + half * tilted.at(observed)

    low = 0.0 if observed == least else solved(lambda s: above(s) - alpha / 2)
    high = np.inf if observed == most else solved(lambda s: alpha / 2 - below(s))
    if observed in (least, most):
        return (0.0 if observed == least else np.inf), low, high
    likeliest = solved(lambda s: s.mean - observed)
    return likeliest, min(low, likeliest), max(high, likeliest)  # mid-p limits of 1 % are about the median instead
