"""Van Elteren's test that two groups have equal distributions in every stratum, and the shift that inverts it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr, ndtri

from fairstats.inference.rates.stratified_rates import NO_OVERLAP
from fairstats.inference.scores.hodges_lehmann import Shift, shift_of
from fairstats.inference.scores.mann_whitney import rank_test, u_variance
from fairstats.inference.scores.merged_samples import RankTest
from fairstats.inference.scores.stratified_blocks import StratifiedBlocks

Floats = NDArray[np.float64]
NAN = float("nan")
VAN_ELTEREN = "van Elteren, normal approximation"
# differences of two scores that are formed and sorted; more are searched by halving
MOST_PAIRS = 4_000_000
HALVINGS = 60
# the differences below which, and up to which, a weight lies
Find = Callable[[float], tuple[float, float]]


def van_elteren(strata: StratifiedBlocks) -> RankTest:
    """Test that both groups have one distribution in every stratum: rank sums weighted by 1 / (n + m + 1).

    Parameters
    ----------
    strata : StratifiedBlocks
        The samples.

    Returns
    -------
    RankTest
        A standard normal statistic, its variance given the ties; with one stratum Mann and Whitney's U.

    References
    ----------
    van Elteren (1960); Lehmann (1975), Nonparametrics, section 3.3.

    Examples
    --------
    >>> from fairstats.inference.scores.stratified_blocks import in_strata
    >>> test = van_elteren(in_strata([3, 5, 13, 14], [1, 4, 11, 12], [0, 0, 1, 1], [0, 0, 1, 1]))
    >>> round(test.statistic, 4), round(test.p_value, 4)
    (1.6432, 0.1003)
    """
    if not strata.parts:
        return RankTest(NAN, NAN, NO_OVERLAP)
    if len(strata.parts) == 1:
        return rank_test(strata.parts[0])
    weight = 1 / (strata.n + strata.m + 1)
    variance = float(weight**2 @ [u_variance(part) for part in strata.parts])
    distance = float(weight @ (strata.n * strata.m * (strata.effects - 0.5)))
    if not variance > 0:
        return RankTest(0.0, 1.0, VAN_ELTEREN)
    z = distance / float(np.sqrt(variance))
    return RankTest(z, 2 * float(ndtr(-abs(z))), VAN_ELTEREN)


def stratified_shift(strata: StratifiedBlocks, conf_level: float = 0.95) -> Shift:
    """The shift of one group against the other within strata: Hodges and Lehmann's estimate from van Elteren's test.

    It is the median of all differences of two scores of one stratum, each weighing 1 / (n + m + 1) of its stratum;
    the limits are the shifts at which the test just does not reject.

    Parameters
    ----------
    strata : StratifiedBlocks
        The samples.
    conf_level : float
        Confidence level.

    Returns
    -------
    Shift
        Infinite limits where no interval reaches the level; NaN without a stratum of both groups; with one stratum
        `hodges_lehmann`.

    References
    ----------
    Hodges & Lehmann (1963); Lehmann (1975), Nonparametrics, section 3.3.

    Examples
    --------
    >>> from fairstats.inference.scores.stratified_blocks import in_strata
    >>> stratified_shift(in_strata([3, 5, 13, 14], [1, 4, 11, 12], [0, 0, 1, 1], [0, 0, 1, 1])).estimate
    2.0
    """
    if not strata.parts:
        return Shift(NAN, NAN, NAN)
    if len(strata.parts) == 1:
        return shift_of(strata.parts[0], conf_level)
    weight = 1 / (strata.n + strata.m + 1)
    total = float(weight @ (strata.n * strata.m))
    # of scores without ties, as Moses' limits are; with ties the closed interval covers more often
    variance = float(weight**2 @ (strata.n * strata.m * (strata.n + strata.m + 1) / 12))
    reach = float(ndtri((1 + conf_level) / 2) * np.sqrt(variance))
    find = _formed(strata, weight) if strata.n @ strata.m <= MOST_PAIRS else _halved(strata, weight)
    low, high = total / 2 - reach, total / 2 + reach
    middle = find(total / 2)
    ends = (find(low)[0], find(high)[1]) if low > 0 else (-np.inf, np.inf)
    # half of each, not half of the sum, which may overflow
    return Shift(middle[0] / 2 + middle[1] / 2, *ends)


def _formed(strata: StratifiedBlocks, weight: Floats) -> Find:
    """Differences at a given weight from below, by sorting all of them."""
    values, masses = [], []
    for part, w in zip(strata.parts, weight, strict=True):
        x, y = part.x > 0, part.y > 0
        values.append(np.subtract.outer(part.values[x], part.values[y]).ravel())
        masses.append(w * np.multiply.outer(part.x[x], part.y[y]).ravel())
    every, mass = np.concatenate(values), np.concatenate(masses)
    order = np.argsort(every)
    every, upto = every[order], np.cumsum(mass[order])

    def find(target: float) -> tuple[float, float]:
        slack = 1e-9 * upto[-1]
        last = every.size - 1
        first = min(int(np.searchsorted(upto, target - slack)), last)
        return float(every[first]), float(every[min(int(np.searchsorted(upto, target + slack)), last)])

    return find


def _halved(strata: StratifiedBlocks, weight: Floats) -> Find:
    """The same without forming them: the weight up to a difference is counted, and halving closes in on it."""
    sides = []
    for part, w in zip(strata.parts, weight, strict=True):
        x, y = part.x > 0, part.y > 0
        mass = w * np.append(np.cumsum(part.y[y][::-1])[::-1], 0.0)  # of y from each value on
        sides.append((part.values[x], part.x[x], part.values[y], mass))
    least = min(float(x[0] - y[-1]) for x, _, y, _ in sides)
    most = max(float(x[-1] - y[0]) for x, _, y, _ in sides)
    total = float(weight @ (strata.n * strata.m))

    def upto(shift: float) -> float:
        return sum(float(count @ mass[np.searchsorted(y, x - shift)]) for x, count, y, mass in sides)

    def above(shift: float) -> float:
        """The smallest difference above a number."""
        best = most
        for x, _, y, _ in sides:
            place = np.searchsorted(y, x - shift) - 1
            inside = place >= 0
            best = min(best, float((x[inside] - y[place[inside]]).min(initial=most)))
        return best

    def first(target: float) -> float:
        low, high = least - 1e-9 * (most - least), most
        for _ in range(HALVINGS):
            middle = low / 2 + high / 2
            low, high = (low, middle) if upto(middle) >= target else (middle, high)
        return above(low)

    return lambda target: (first(target - 1e-9 * total), first(target + 1e-9 * total))
