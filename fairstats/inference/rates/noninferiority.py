"""Exact tests that two rates are as good as equal: both one-sided unconditional tests at a declared margin.

Equivalence is shown where the group is shown to be no worse *and* no better than the margin allows. The p-value of that
claim is the larger of two one-sided ones, and it is these p-values that a family adjusts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtr

from fairstats.errors import InputError
from fairstats.inference.rates.least_favorable import (
    GAMMA,
    NEGLIGIBLE,
    Region,
    clopper_pearson_set,
    reach,
    region,
    supremum,
)
from fairstats.inference.rates.one_rate import counts
from fairstats.inference.rates.score_statistics import difference_score, ratio_score
from fairstats.inference.rates.unconditional import EXACT_BELOW, smallest_expected

Floats = NDArray[np.float64]
# pairs whose approximate p is this many times smaller than the largest exact one cannot be the largest
FAR_BELOW = 100.0


class Margin(NamedTuple):
    """One-sided hypothesis that the first rate is at most ``line(p0)``: a score that grows with its violation."""

    score: Callable[..., Floats]
    value: float

    def line(self, p0: Floats) -> Floats:
        """The first rate on the edge of the hypothesis."""
        return np.clip(p0 + self.value if self.score is difference_score else p0 * self.value, 0.0, 1.0)

    def back(self, p1: float) -> float:
        """The second rate on the edge of the hypothesis."""
        return p1 - self.value if self.score is difference_score else p1 / self.value


def _region(margin: Margin, e1: int, n1: int, e0: int, n0: int, box: tuple[float, ...]) -> Callable[[Floats], Floats]:
    """The chance, at the edge of the hypothesis, of a score as large as observed: a function of p0."""
    observed = float(margin.score(e1, n1, e0, n0, margin.value))

    def score(x: Floats, y: Floats) -> Floats:
        return np.asarray(margin.score(x, n1, y, n0, margin.value))

    tables: Region
    if n1 <= n0:
        tables = region(score, None, observed, n1, n0, *reach(n1, box[0], box[1]))
        return lambda p0: tables.probability(np.minimum(margin.line(p0), box[1]), p0)
    tables = region(None, lambda y, x: score(x, y), observed, n0, n1, *reach(n0, box[2], box[3]))
    return lambda p0: tables.probability(p0, np.minimum(margin.line(p0), box[1]))


@lru_cache(maxsize=4096)
def _no_worse(margin: Margin, e1: int, n1: int, e0: int, n0: int) -> float:
    """Exact one-sided p of "the first rate is at most the line"."""
    low1, high1 = clopper_pearson_set(e1, n1, GAMMA / 2)
    low0, high0 = clopper_pearson_set(e0, n0, GAMMA / 2)
    # the region grows with x and shrinks with y, so its chance is largest where the first rate is as large, and the
    # second as small, as hypothesis and confidence set allow
    start = max(low0, margin.back(low1), 0.0)
    end = max(start, min(high0, margin.back(high1)))
    slack = GAMMA + 4 * NEGLIGIBLE
    if start > high0:
        return slack
    edges = np.minimum(margin.line(np.array([start, end])), high1)
    box = (float(edges[0]), float(edges[1]), start, end)
    return min(1.0, supremum(_region(margin, e1, n1, e0, n0, box), start, end, n1 + n0) + slack)


def _approximate(margin: Margin, e1: ArrayLike, n1: ArrayLike, e0: ArrayLike, n0: ArrayLike) -> Floats:
    return np.asarray(ndtr(-margin.score(e1, n1, e0, n0, margin.value)))


def _one_sided(margin: Margin, e1: float, n1: float, e0: float, n0: float) -> float:
    table = np.array([e1, n1, e0, n0])
    if not np.all(np.isfinite(table)) or n1 <= 0 or n0 <= 0:
        return float("nan")
    whole = bool(np.all(table == np.round(table)))
    if not whole or smallest_expected(e1, n1, e0, n0) >= EXACT_BELOW:
        return float(_approximate(margin, e1, n1, e0, n0))
    return _no_worse(margin, int(e1), int(n1), int(e0), int(n0))


def _both(lower: Margin, upper: Margin, e1: float, n1: float, e0: float, n0: float) -> float:
    """The larger p of "no lower than" and, with the groups exchanged, "no higher than"."""
    return max(_one_sided(lower, e1, n1, e0, n0), _one_sided(upper, e0, n0, e1, n1))


def _rows(test: Callable[..., float], *arrays: ArrayLike) -> Floats:
    shaped = counts(*arrays)
    p = [test(*(float(v) for v in row)) for row in zip(*(a.ravel() for a in shaped), strict=True)]
    return np.array(p).reshape(shaped[0].shape)[()]


def equivalence_of_rates(e1: ArrayLike, n1: ArrayLike, e0: ArrayLike, n0: ArrayLike, margin: float) -> Floats:
    """Test exactly that two rates differ by less than a margin (two one-sided unconditional tests).

    Parameters
    ----------
    e1, n1, e0, n0 : array_like
        Events and sizes of the group and of the reference (broadcast).
    margin : float
        Largest tolerable difference, in (0, 1).

    Returns
    -------
    float or ndarray
        The larger one-sided p-value. Where every expected count is at least 2000, and for counts that are not whole,
        the score tests of `tost_rates` stand instead. NaN where a group is empty.

    Raises
    ------
    InputError
        If `margin` is not in (0, 1).

    Notes
    -----
    The statistic of each side is Miettinen and Nurminen's score at the margin, whose normal approximation claims
    equivalence falsely in up to 6.9 % of samples of 20 against 20. The open rate is looked for in a confidence set of
    level 1 - 1e-5, and 1e-5 is added (Berger & Boos), so an exact p-value is never below 1e-5.

    References
    ----------
    Chan (1998), Statistics in Medicine 17, 1403-1413; Chan & Zhang (1999), Biometrics 55, 1202-1209; Röhmel &
    Mansmann (1999), Biometrical Journal 41, 149-170; Schuirmann (1987), J. Pharmacokinet. Biopharm. 15, 657-680.

    Examples
    --------
    >>> import fairstats as fs
    >>> round(float(fs.stats.equivalence_of_rates(18, 200, 20, 200, 0.1)), 4)
    0.0019
    >>> round(float(fs.stats.equivalence_of_rates(10, 20, 10, 20, 0.2)), 3)
    0.13
    """
    if not 0 < margin < 1:
        raise InputError(f"margin={margin!r} is not between 0 and 1; a difference of two rates is a number like 0.05.")
    side = Margin(difference_score, -float(margin))
    return _rows(partial(_both, side, side), e1, n1, e0, n0)


def equivalence_of_ratio(
    e1: ArrayLike, n1: ArrayLike, e0: ArrayLike, n0: ArrayLike, lower: float = 0.8, upper: float | None = None
) -> Floats:
    """Test exactly that the ratio of two rates lies between two bounds.

    Parameters
    ----------
    e1, n1, e0, n0 : array_like
        Events and sizes of the group and of the reference (broadcast).
    lower, upper : float
        Bounds, ``0 < lower < 1 < upper``; `upper` is ``1 / lower`` by default (0.8 and 1.25: the four-fifths rule,
        whichever group is divided by the other).

    Returns
    -------
    float or ndarray
        As `equivalence_of_rates`, with Koopman's score.

    Raises
    ------
    InputError
        If the bounds do not enclose 1.

    References
    ----------
    Chan (1998), Statistics in Medicine 17, 1403-1413; Koopman (1984), Biometrics 40, 513-517.

    Examples
    --------
    >>> import fairstats as fs
    >>> round(float(fs.stats.equivalence_of_ratio(160, 200, 165, 200)), 4)
    0.0001
    """
    top = 1 / lower if upper is None and lower > 0 else upper
    if not (0 < lower < 1 and top is not None and 1 < top < np.inf):
        raise InputError(f"lower={lower!r} and upper={upper!r} do not enclose the ratio 1; take 0.8 and 1.25.")
    low, high = Margin(ratio_score, float(lower)), Margin(ratio_score, 1 / float(top))
    return _rows(partial(_both, low, high), e1, n1, e0, n0)


def equivalence_of_range(events: Sequence[float], n: Sequence[float], margin: float) -> float:
    """Test that all rates lie within one margin of each other, that is, that the largest difference is below it.

    Parameters
    ----------
    events, n : sequence of float, length G
        Events and sizes of the groups; empty groups are left out.
    margin : float
        Largest tolerable difference, in (0, 1).

    Returns
    -------
    float
        The largest p-value of `equivalence_of_rates` over all pairs: the claim is that every pair is equivalent, so
        each is tested at the full level (Berger's intersection-union test). NaN with fewer than two groups.

    References
    ----------
    Berger (1982), Technometrics 24, 295-300; Berger & Hsu (1996), Statistical Science 11, 283-319.

    Examples
    --------
    >>> import fairstats as fs
    >>> round(fs.stats.equivalence_of_range([50, 48, 55], [500, 500, 500], 0.1), 5)
    2e-05
    """
    shown = [(float(e), float(m)) for e, m in zip(events, n, strict=True) if m > 0]
    pairs = [(*a, *b) for a, b in combinations(shown, 2)]
    if not pairs:
        return float("nan")
    side = Margin(difference_score, -float(margin))
    table = np.array(pairs).T
    exchanged = table[[2, 3, 0, 1]]
    rough = np.maximum(_approximate(side, *table), _approximate(side, *exchanged))
    largest = 0.0
    for i in np.argsort(-rough):
        if rough[i] * FAR_BELOW < largest:
            break
        largest = max(largest, _both(side, side, *pairs[i]))
    return largest
