"""Two samples of scores by stratum, each stratum sorted together once, and what is left of them."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtr, ndtri, stdtr

from fairstats.arrays import by_code
from fairstats.inference.rates.sampling import EMPTY_REPLICATE, FEWEST_UNITS, TOO_FEW_UNITS, Sampling
from fairstats.inference.rates.strata import FEWEST_DF, NO_OVERLAP
from fairstats.inference.rates.strata_rows import ONE_HOLDS_ALL
from fairstats.inference.rates.survey import FEW_CLUSTERS, FEWEST_CLUSTERS, LEAST_OVERLAP, ONE_CLUSTER, overlap_of
from fairstats.inference.scores.brunner_munzel import (
    PERMUTATIONS,
    SAME,
    RelativeEffect,
    Studentized,
    relative_effect_of,
    studentized,
)
from fairstats.inference.scores.hodges_lehmann import Shift, shift_of
from fairstats.inference.scores.merged import Blocks, Floats, RankTest, merge, rank_test, u_variance
from fairstats.inference.scores.survey import (
    DesignEffect,
    Scored,
    design_effect,
    influence,
    joined_variance,
    placements,
    satterthwaite,
    unit_of,
)
from fairstats.language import joined, message

NAN = float("nan")


@dataclass(frozen=True, eq=False)
class StratifiedBlocks:
    """The strata in which both samples have scores.

    parts: one a stratum.
    left_out: people of either sample in strata that the other is absent from.
    """

    parts: tuple[Blocks, ...]
    left_out: tuple[float, float] = (0.0, 0.0)

    @cached_property
    def n(self) -> Floats:
        """People of the first sample, by stratum."""
        return np.array([part.n for part in self.parts])

    @cached_property
    def m(self) -> Floats:
        """People of the second sample, by stratum."""
        return np.array([part.m for part in self.parts])

    @cached_property
    def effects(self) -> Floats:
        """P(X>Y) + P(X=Y)/2, by stratum."""
        return np.array([part.u() for part in self.parts]) / (self.n * self.m)

    @cached_property
    def share(self) -> Floats:
        """What each stratum weighs: n m / (n + m + 1), as in van Elteren's test."""
        weight = self.n * self.m / (self.n + self.m + 1)
        return np.asarray(weight / weight.sum())


def in_strata(x: ArrayLike, y: ArrayLike, x_strata: ArrayLike, y_strata: ArrayLike) -> StratifiedBlocks:
    """Sort two samples together, stratum by stratum.

    x, y: scores of the two samples, shape (n,).
    x_strata, y_strata: their strata, shape (n,).

    >>> result = in_strata([1, 3, 9], [2, 4], ["a", "a", "b"], ["a", "a"])
    >>> result.effects.tolist(), result.left_out
    ([0.25], (1.0, 0.0))
    """
    (current, group_strata), (base, base_strata) = _sorted(x, x_strata), _sorted(y, y_strata)
    labels = np.intersect1d(_different(group_strata), _different(base_strata), assume_unique=True)
    starts = [np.searchsorted(s, labels, side) for s in (group_strata, base_strata) for side in ("left", "right")]
    parts = tuple(merge(current[a:b], base[c:d]) for a, b, c, d in zip(*starts, strict=True))
    kept = sum(part.n for part in parts), sum(part.m for part in parts)
    return StratifiedBlocks(parts, (current.size - kept[0], base.size - kept[1]))


def _sorted(values: ArrayLike, strata: ArrayLike) -> tuple[Floats, NDArray[np.generic]]:
    codes, numbers = np.asarray(strata).ravel(), np.asarray(values, dtype=float).ravel()
    if codes.dtype.kind in "iu" and np.all(codes[1:] >= codes[:-1]):
        return numbers, codes
    order = by_code(codes)
    return numbers[order], codes[order]


def _different(ascending: NDArray[np.generic]) -> NDArray[np.generic]:
    """The values of a sorted array, each once."""
    return ascending[np.append(True, ascending[1:] != ascending[:-1])[: ascending.size]]


# The probability that a score of one group exceeds one of another, compared within strata only.


# people off the commonest score of their stratum, in the group that has fewer, below which people are permuted
FEW_DIFFERENT = 50
# permutations times people that are worked on at most
BUDGET = 4_000_000
FEWEST_PERMUTATIONS = 1_999
LOGIT = message("logit")
AVERAGED = message("Brunner-Munzel within strata, weighted by n1 n0 / (n1 + n0 + 1)")
ONE_VALUE = message("in every stratum all scores are the same: their spread is unknown")


def stratified_effect(
    x: ArrayLike, y: ArrayLike, x_strata: ArrayLike, y_strata: ArrayLike, *, seed: int = 0
) -> RelativeEffect:
    """Estimate the probability that a random x exceeds a random y of the same stratum, ties half, and test 1/2.

    x, y: the two samples, shape (n,).
    x_strata, y_strata: the stratum of each person, shape (n,).
    seed: seed of the permutations.
    Returns: ``limits(conf_level)`` gives an interval. ``n`` and ``m`` are the people of strata that have both samples;
        ``reason`` says why there is no estimate.

    Strata weigh n m / (n + m + 1), as Kawaguchi, Koch and Wang have it. The variance of a stratum is the unbiased one
    of U / (n m); in strata with one person of a sample, where it cannot be seen, the squared distance of the stratum's
    estimate from the average stands in for it, as in `stratified_rates`. The statistic is the studentized logit: by
    Student's t with Satterthwaite's degrees of freedom, or, where fewer than 50 people of a sample differ from the
    commonest score of their stratum, by permutations of the people within strata, which are exact where the
    distributions of each stratum are equal. With one stratum all is `relative_effect`.

    Source: van Elteren (1960), Bulletin of the International Statistical Institute 37, 351-361; Kawaguchi, Koch & Wang
    (2011), Statistics in Biopharmaceutical Research 3, 217-231; Neubert & Brunner (2007), CSDA 51, 5192-5204. R:
    ``sanon::sanon``.

    >>> r = stratified_effect([3, 5, 6, 13, 15], [1, 2, 4, 10, 11, 14], [0, 0, 0, 1, 1], [0, 0, 0, 1, 1, 1])
    >>> round(r.estimate, 4), r.n, r.m
    (0.8646, 5.0, 6.0)
    """
    return stratified_effect_of(in_strata(x, y, x_strata, y_strata), seed=seed)


def stratified_effect_of(strata: StratifiedBlocks, *, seed: int = 0) -> RelativeEffect:
    """The same of samples that were sorted before; see `stratified_effect`.

    >>> stratified_effect_of(in_strata([1, 2], [3, 4], [0, 0], [1, 1])).reason
    'no stratum has people of both groups'
    """
    if not strata.parts:
        return RelativeEffect(NAN, NAN, NAN, NAN, NAN, "", 0.0, 0.0, reason=NO_OVERLAP)
    if len(strata.parts) == 1:
        return relative_effect_of(strata.parts[0], seed=seed)
    theta, variance, df = _average(strata, [_moments(part.x[None], part.sizes, part) for part in strata.parts])
    n, m, estimate, se = float(strata.n.sum()), float(strata.m.sum()), float(theta[0]), float(np.sqrt(variance[0]))
    observed = studentized(theta, variance)
    reason = ONE_VALUE if all(part.values.size == 1 for part in strata.parts) else ""
    result = RelativeEffect(estimate, se, float(observed.logit[0]), float(df[0]), NAN, AVERAGED, n, m, reason=reason)
    few = min(sum(p.n - p.x.max() for p in strata.parts), sum(p.m - p.y.max() for p in strata.parts)) < FEW_DIFFERENT
    drawn = _permuted(strata, seed) if few or not se > 0 else None
    if drawn is None:
        p = 2 * float(stdtr(df[0], -abs(observed.logit[0]))) if se > 0 else NAN
        return replace(result, p_value=p, method=joined([AVERAGED, LOGIT, "t"], ", "))
    size = drawn.logit.size
    reached = int(np.sum(np.abs(drawn.logit) >= abs(observed.logit[0]) * (1 - SAME)))
    drawn_by = message("{n} permutations within strata, seed {seed}", n=size, seed=seed)
    text = joined([AVERAGED, LOGIT, drawn_by], ", ")
    return replace(result, p_value=(1 + reached) / (1 + size), method=text, null=drawn.plain)


def _moments(x: Floats, sizes: Floats, part: Blocks) -> tuple[Floats, Floats, Floats, Floats]:
    """Of one stratum, a division of its people a row of x: theta, its unbiased variance, the parts of both samples."""
    n, m = part.n, part.m
    y = sizes - x
    above = np.cumsum(y, axis=1) - y / 2
    places = above / m
    theta = (x * places).sum(axis=1) / n
    nothing = np.zeros_like(theta)
    if min(n, m) < 2:
        return theta, np.full_like(theta, np.nan), nothing, nothing
    others = (n - np.cumsum(x, axis=1) + x / 2) / n
    of_x = (x * places**2).sum(axis=1) - n * theta**2
    of_y = (y * others**2).sum(axis=1) - m * theta**2
    squares = (x * (above - y / 4)).sum(axis=1)  # of all n m comparisons: 1 above, 1/4 for a tie
    joint = squares - m * of_x - n * of_y - n * m * theta**2
    parts = of_x / (n * (n - 1)), of_y / (m * (m - 1))
    # both samples' variances hold that of a single comparison, which enters only once
    variance = parts[0] + parts[1] - joint / ((n - 1) * (m - 1) * n * m)
    return theta, np.where(np.abs(variance) < 1e-14, 0.0, variance), *parts


def _average(
    strata: StratifiedBlocks, moments: list[tuple[Floats, Floats, Floats, Floats]]
) -> tuple[Floats, Floats, Floats]:
    """The average over strata, its variance, and Satterthwaite's degrees of freedom."""
    share = strata.share
    theta = np.asarray(sum(w * m[0] for w, m in zip(share, moments, strict=True)))
    pieces, squares, whole, biased = (np.zeros_like(theta) for _ in range(4))
    for w, n, m, (current, variance, of_x, of_y) in zip(share, strata.n, strata.m, moments, strict=True):
        if min(n, m) < 2:
            piece = w**2 * (current - theta) ** 2
            squares += piece**2
            biased += piece
        else:
            piece = w**2 * variance
            squares += w**4 * (of_x**2 / (n - 1) + of_y**2 / (m - 1))
            biased += w**2 * (of_x + of_y)
        pieces += piece
        whole += np.abs(piece)
    # by chance the corrections may outweigh what they correct
    pieces = np.where(pieces > 1e-3 * whole, pieces, biased)
    with np.errstate(divide="ignore", invalid="ignore"):
        df = np.where(squares > 0, biased**2 / squares, np.inf)
    return theta, pieces, np.fmax(df, FEWEST_DF)


def _permuted(strata: StratifiedBlocks, seed: int) -> Studentized | None:
    """The statistic of people who change places within their strata; None where that is out of reach."""
    cost = int(sum(part.values.size for part in strata.parts))
    if BUDGET // cost < FEWEST_PERMUTATIONS:
        return None
    draws, rng, moments = min(PERMUTATIONS, BUDGET // cost), np.random.default_rng(seed), []
    for part in strata.parts:
        sizes = part.sizes
        # people are shuffled, or, where many share few scores, drawn score by score
        way: Literal["marginals", "count"] = "marginals" if sizes.size < min(part.n, part.m) / 10 else "count"
        x = rng.multivariate_hypergeometric(sizes.astype(np.int64), int(part.n), draws, method=way)
        moments.append(_moments(x.astype(float), sizes, part))
    theta, variance, _ = _average(strata, moments)
    return studentized(theta, variance)


# Van Elteren's test that two groups have equal distributions in every stratum, and the shift that inverts it.


VAN_ELTEREN = message("van Elteren, normal approximation")
# differences of two scores that are formed and sorted; of more only some close to the one that is looked for
MOST_PAIRS = 4_000_000
FORMED = 1 << 18
FEW_PAIRS, BINS = 1 << 12, 1 << 10
HALVINGS = 60
THINNED, ROUGHLY = 1 << 13, 4e-6  # values of a stratum that stand for all in a first guess; its error as a share
NEARLY = 500  # the part of all differences between whose ends the guess is on a line
STEP, FEW_STEPS = 1e-4, 6  # of the width, between cuts whose places are a few apart; how many are gone one by one
# of a stratum the distinct values of x, ascending, with their weights, and those of y
TwoSides = tuple[Floats, Floats, Floats, Floats]
# the differences below which, and up to which, a weight lies
Find = Callable[[float], tuple[float, float]]


def van_elteren(strata: StratifiedBlocks) -> RankTest:
    """Test that both groups have one distribution in every stratum: rank sums weighted by 1 / (n + m + 1).

    strata: the samples.
    Returns: a standard normal statistic, its variance given the ties; with one stratum Mann and Whitney's U.
    Source: van Elteren (1960); Lehmann (1975), Nonparametrics, section 3.3.

    >>> from fairstats.inference.scores.strata import in_strata
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

    strata: the samples.
    Returns: infinite limits where no interval reaches the level; NaN without a stratum of both groups; with one stratum
        `hodges_lehmann`.
    Source: Hodges & Lehmann (1963); Lehmann (1975), Nonparametrics, section 3.3.

    >>> from fairstats.inference.scores.strata import in_strata
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
    few, sides = strata.n @ strata.m <= MOST_PAIRS, _apart(strata, weight)
    del strata  # of many people it is large
    find = _formed(sides) if few else _counted(sides)
    low, high = total / 2 - reach, total / 2 + reach
    middle = find(total / 2)
    ends = (find(low)[0], find(high)[1]) if low > 0 else (-np.inf, np.inf)
    # half of each, not half of the sum, which may overflow
    return Shift(middle[0] / 2 + middle[1] / 2, *ends)


def _apart(strata: StratifiedBlocks, weight: Floats) -> list[TwoSides]:
    """The two samples of each stratum, those of x weighted."""
    sides = []
    for part, w in zip(strata.parts, weight, strict=True):
        x, y = np.flatnonzero(part.x), np.flatnonzero(part.y)
        sides.append((part.values[x], w * part.x[x], part.values[y], part.y[y]))
    return sides


def _formed(sides: Sequence[TwoSides]) -> Find:
    """Differences at a given weight from below, by sorting all of them."""
    every = np.concatenate([np.subtract.outer(x, y).ravel() for x, _, y, _ in sides])
    mass = np.concatenate([np.multiply.outer(of_x, of_y).ravel() for _, of_x, _, of_y in sides])
    order = np.argsort(every)
    every, upto = every[order], np.cumsum(mass[order])

    def find(target: float) -> tuple[float, float]:
        slack = 1e-9 * upto[-1]
        last = every.size - 1
        first = min(int(np.searchsorted(upto, target - slack)), last)
        return float(every[first]), float(every[min(int(np.searchsorted(upto, target + slack)), last)])

    return find


def _counted(sides: Sequence[TwoSides]) -> Find:
    """The same without forming them: their weight up to a difference is counted, and only those near it are formed."""
    differences = _Differences(sides)
    slack = 1e-9 * differences.total

    def find(target: float) -> tuple[float, float]:
        one, other = differences.first(target - slack, target + slack)
        return one, other

    return find


class _Cut(NamedTuple):
    """The weight of all differences up to a number, and how many pairs of values have one."""

    at: float
    weight: float
    pairs: int


class _Differences:
    """The differences of two samples by stratum, which are counted and not formed.

    thinned: whether these stand for more, so that a line between two cuts is near enough.
    """

    def __init__(self, sides: Sequence[TwoSides], *, thinned: bool = False) -> None:
        self.sides = sides
        # of y from each value on
        self.mass = [np.append(np.cumsum(of_y[::-1])[::-1], 0.0) for *_, of_y in sides]
        self.total = float(sum(of_x.sum() * mass[0] for (_, of_x, _, _), mass in zip(sides, self.mass, strict=True)))
        least = min(float(x[0] - y[-1]) for x, _, y, _ in sides)
        most = max(float(x[-1] - y[0]) for x, _, y, _ in sides)
        self.width = most - least
        beyond = 1e-9 * max(self.width, *(float(np.abs(v[[0, -1]]).max()) for x, _, y, _ in sides for v in (x, y)))
        every = sum(x.size * y.size for x, _, y, _ in sides)
        self.cuts = [_Cut(least - beyond, 0.0, 0), _Cut(most + beyond, self.total, every)]
        # the pairs that are formed at last; one difference alone has at most as many as there are values
        self.formed = max(every / NEARLY if thinned else FORMED, sum(x.size for x, *_ in sides))
        self.thinned = thinned
        self.recent: dict[float, list[NDArray[np.intp]]] = {}  # the places of the last two cuts
        self.rough = None
        if not thinned and max(max(x.size, y.size) for x, _, y, _ in sides) > THINNED:
            few = [(*_thinned(x, of_x), *_thinned(y, of_y)) for x, of_x, y, of_y in sides]
            self.rough = _Differences(few, thinned=True)

    def first(self, *targets: float) -> tuple[float, ...]:
        """The smallest difference up to which there is each weight; the weights are close to each other."""
        middle = (targets[0] + targets[-1]) / 2
        if self.rough is not None:
            shares = (middle / self.total + off for off in (-ROUGHLY, ROUGHLY))
            around = (self.rough.total * min(max(share, ROUGHLY / 2), 1 - ROUGHLY / 2) for share in shares)
            for at in self.rough.first(*around):
                self._cut(at)
        low, high = self._around(targets)
        for step in range(HALVINGS):
            pairs = high.pairs - low.pairs
            if pairs <= self.formed or high.at - low.at <= 1e-14 * self.width:
                break
            share, margin = (middle - low.weight) / (high.weight - low.weight), FORMED / 4 / pairs
            share += margin if step % 2 else -margin
            self._cut(low.at + min(max(share, margin), 1 - margin) * (high.at - low.at))
            low, high = self._around(targets)
            if high.pairs - low.pairs > pairs / 2:
                self._cut(low.at / 2 + high.at / 2)
                low, high = self._around(targets)
        if self.thinned:
            slope = (high.at - low.at) / (high.weight - low.weight)
            return tuple(low.at + slope * (target - low.weight) for target in targets)
        return self._among(low, high, targets)

    def _around(self, targets: Sequence[float]) -> tuple[_Cut, _Cut]:
        """The nearest cuts: with less weight than the first, and with at least that of the last."""
        weights, last = [cut.weight for cut in self.cuts], len(self.cuts) - 1
        low = max(bisect_left(weights, targets[0]) - 1, 0)
        return self.cuts[low], self.cuts[max(min(bisect_left(weights, targets[-1]), last), low + 1)]

    def _cut(self, at: float) -> None:
        if not self.cuts[0].at < at < self.cuts[-1].at:
            return
        weight, pairs = 0.0, 0
        for place, (_, of_x, y, _), mass in zip(self._places(at), self.sides, self.mass, strict=True):
            weight += float(of_x @ mass[place])
            pairs += place.size * y.size - int(place.sum())
        insort(self.cuts, _Cut(at, weight, pairs))

    def _places(self, at: float) -> list[NDArray[np.intp]]:
        """Of each x the first y whose difference is at most a number."""
        if at not in self.recent:
            near = next((of for less, of in self.recent.items() if 0 < at - less < STEP * self.width), None)
            if len(self.recent) > 1:
                del self.recent[next(iter(self.recent))]
            if near is None:
                self.recent[at] = [np.searchsorted(y, x - at) for x, _, y, _ in self.sides]
            else:
                self.recent[at] = [_lowered(of, y, x - at) for of, (x, _, y, _) in zip(near, self.sides, strict=True)]
        return self.recent[at]

    def _among(self, low: _Cut, high: _Cut, targets: Sequence[float]) -> tuple[float, ...]:
        """The same as `first`, of the differences between two cuts, formed."""
        values, masses = [], []
        places = self._places(low.at), self._places(high.at)
        for last, place, (x, of_x, y, of_y) in zip(*places, self.sides, strict=True):
            some = np.flatnonzero(last > place)
            n, end = (last - place)[some], last[some]
            row = np.repeat(some, n)
            column = np.arange(row.size) + np.repeat(end - np.cumsum(n), n)
            values.append(x[row] - y[column])
            masses.append(of_x[row] * of_y[column])
        every, mass, below = np.concatenate(values), np.concatenate(masses), low.weight
        if every.size > FEW_PAIRS:  # counted in bins first, and only those of the targets are sorted
            least = every.min()
            of_bin = ((every - least) * ((BINS - 1) / max(every.max() - least, 1e-300))).astype(np.intp)
            until = low.weight + np.cumsum(np.bincount(of_bin, mass, BINS))
            first, last_bin = np.searchsorted(until, (targets[0], targets[-1]))
            first = max(min(int(first), BINS - 1) - 1, 0)
            inside = (of_bin >= first) & (of_bin <= last_bin + 1)
            every, mass, below = every[inside], mass[inside], float(until[first - 1]) if first else low.weight
        order = np.argsort(every)
        upto = below + np.cumsum(mass[order])
        at = np.minimum(np.searchsorted(upto, targets), every.size - 1)
        return tuple(every[order[at]].tolist())


def _lowered(place: NDArray[np.intp], y: Floats, ends: Floats) -> NDArray[np.intp]:
    """The first y from each end on, which is at most a few before the places."""
    place, below = place.copy(), np.append(-np.inf, y)  # the y before each place
    rows = np.flatnonzero(below[place] >= ends)
    for _ in range(FEW_STEPS):
        place[rows] -= 1
        rows = rows[below[place[rows]] >= ends[rows]]
    place[rows] = np.searchsorted(y, ends[rows])
    return place


def _thinned(values: Floats, weight: Floats) -> tuple[Floats, Floats]:
    """Some of many values, each with the weight of those around it."""
    starts = np.arange(0, values.size, -(-values.size // THINNED))
    middle = (starts + np.append(starts[1:], values.size)) // 2
    return values[middle], np.add.reduceat(weight, starts)


# P(X>Y) within strata for weighted or clustered people.


# people off the commonest score of their stratum, in the group that has fewer, below which strata share a variance
FEW_DIFFERENT_OF_STRATIFIED_DESIGNS = 15


@dataclass(frozen=True, eq=False)
class Stratum:
    """The two samples of one stratum, with what each observation adds to its P(X>Y)."""

    x: Scored
    y: Scored

    @cached_property
    def effect(self) -> tuple[float, tuple[Floats, Floats]]:
        """P(X>Y) + P(X=Y)/2, and the influences."""
        return influence(self.x.values, self.y.values, self.x.share, self.y.share)

    @property
    def theta(self) -> float:
        """P(X>Y) + P(X=Y)/2."""
        return self.effect[0]

    @cached_property
    def variances(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """Of each sample's part: linearized, and not below Kish's; NaN with one person."""
        (of_x, of_y) = self.effect[1]
        return self.x.variances(of_x), self.y.variances(of_y)

    @property
    def alone(self) -> bool:
        """Whether a sample is one person, who shows no variance."""
        return min(self.x.people.sum(), self.y.people.sum()) < 2

    @cached_property
    def equal(self) -> tuple[float, float]:
        """Of each sample's part, if both were drawn from the stratum as a whole."""
        sizes = self.x.kish, self.y.kish
        blocks = merge(self.x.values, self.y.values, self.x.share * sizes[0], self.y.share * sizes[1])
        mass = blocks.sizes / blocks.sizes.sum()
        spread = float(mass @ (np.cumsum(mass) - mass / 2 - 0.5) ** 2) * sum(sizes) / max(sum(sizes) - 1, 1.0)
        return spread / sizes[0], spread / sizes[1]

    @cached_property
    def different(self) -> tuple[float, float]:
        """People of each sample off its commonest score, in effective people."""
        items = []
        for sample in (self.x, self.y):
            _, place = np.unique(sample.values, return_inverse=True)
            items.append(sample.kish * (1 - float(np.bincount(place, sample.share).max())))
        return items[0], items[1]


def stratified_design_effect(
    x: Scored, y: Scored, x_strata: NDArray[np.int64], y_strata: NDArray[np.int64]
) -> DesignEffect:
    """Estimate P(X>Y) + P(X=Y)/2 within strata from cells of weighted or clustered people.

    x, y: the samples.
    x_strata, y_strata: the stratum of each cell.
    Returns: strata weigh W1 W0 / (W1 + W0) by their sums of weights. Weighted people have the linearized variance, no
        stratum's below what its weights allow; clusters the delete-one jackknife's, strata included, as a cluster
        brings its strata with it, and never below that of independent people. With one stratum it is `design_effect`.
    """
    labels = np.intersect1d(x_strata, y_strata)
    if not labels.size:
        return DesignEffect(NAN, n=0.0, reason=NO_OVERLAP)
    if labels.size == 1:
        return design_effect(x.take(x_strata == labels[0]), y.take(y_strata == labels[0]))
    parts = [Stratum(x.take(x_strata == h), y.take(y_strata == h)) for h in labels]
    theta = np.array([part.theta for part in parts])
    totals = np.array([(part.x.total, part.y.total) for part in parts])
    weight = totals.prod(axis=1) / totals.sum(axis=1)
    share = weight / weight.sum()
    estimate, n = float(share @ theta), float(totals[:, 0].sum())
    seen, least = _independent(parts, share, theta - estimate)
    few = min(sum(part.different[side] for part in parts) for side in range(2)) < FEW_DIFFERENT_OF_STRATIFIED_DESIGNS
    if few:
        least = np.maximum(least, (share**2)[:, None] * np.array([part.equal for part in parts]))
    if x.sampling is not None:
        return _surveyed(parts, (theta, totals, share), least.sum(axis=0) if few else np.zeros(2), x.sampling)
    kish = np.array([(part.x.kish, part.y.kish) for part in parts])
    if x.clusters is None or y.clusters is None:
        sizes = 1 / np.sum((share**2)[:, None] / kish, axis=0)
        spread = float(np.sum(least**2 / np.maximum(kish - 1, 1.0)))
        variance = float(least.sum())
        df = max(variance**2 / spread, FEWEST_DF) if spread > 0 else np.inf
        error = float(np.sqrt(seen.sum()))
        return DesignEffect(estimate, error, variance, df, (sizes[0], sizes[1]), n, pooled=few)
    left = _without_clusters(parts, theta, totals)
    if isinstance(left, str):
        return DesignEffect(NAN, n=n, reason=left)
    change, kept = left
    overlap = overlap_of(kept)
    if np.diag(overlap).max() > LEAST_OVERLAP:
        return DesignEffect(NAN, n=n, reason=ONE_CLUSTER)
    floors = least.sum(axis=0).tolist()
    variance, of_both = joined_variance(change, floors)
    sizes = 1 / np.sum(kept**2, axis=0)
    pooled = few and bool(np.any(of_both <= np.array(floors)))
    df = satterthwaite(of_both, overlap)
    error = float(np.sqrt(np.sum(change.sum(axis=1) ** 2)))
    return DesignEffect(estimate, error, variance, df, (sizes[0], sizes[1]), n, clustered=True, pooled=pooled)


def _surveyed(
    parts: list[Stratum], known: tuple[Floats, Floats, Floats], floors: Floats, sampling: Sampling
) -> DesignEffect:
    """The same under a survey's design, whose units bring their strata's weights with them.

    known: of the strata P(X>Y), the sums of weights, and the shares in the average.
    floors: the least variance of each sample's part.
    """
    theta, totals, share = known
    estimate, n = float(share @ theta), float(totals[:, 0].sum())
    of_all = totals.prod(axis=1) / totals.sum(axis=1)
    slope = (totals[:, ::-1] / totals.sum(axis=1)[:, None]) ** 2 * ((theta - estimate) / of_all.sum())[:, None]
    count, plain, by_unit, sizes = len(sampling.stratum), [], [], []
    for side, samples in enumerate(_sides(parts)):
        unit = np.concatenate([unit_of(s) for s in samples])
        each = [
            w * part.effect[1][side] + by[side] * s.weight
            for w, part, by, s in zip(share, parts, slope, samples, strict=True)
        ]
        plain.append((unit, np.concatenate(each), np.concatenate([s.weight for s in samples])))
        whole = np.concatenate([w * s.share for w, s in zip(share, samples, strict=True)])
        by_unit.append(np.bincount(sampling.first(unit), whole, count))
        sizes.append(sampling.size(unit))
    freedom = [df for _, df in sizes]
    if min(units for units, _ in sizes) < FEWEST_UNITS or min(freedom) < 1:
        return DesignEffect(NAN, n=n, reason=TOO_FEW_UNITS)
    if max(part.max() for part in by_unit) >= 1:  # but for rounding: a weight that is by far the largest
        return DesignEffect(NAN, n=n, reason=ONE_CLUSTER)
    sides = [sampling.total(z / w, w, unit) for unit, z, w in plain]
    moved = sides[0] + sides[1]
    if sampling.replicates is not None:
        of = np.array([placements(part.x, part.y, sampling.replicates) for part in parts])  # strata × R
        sums = np.array([[sampling.replicates[unit_of(s)].sum(axis=0) for s in (p.x, p.y)] for p in parts])
        with np.errstate(invalid="ignore", divide="ignore"):
            weight = np.nan_to_num(sums.prod(axis=1) / sums.sum(axis=1))
            moved = sampling.replicated(estimate, (weight * np.nan_to_num(of)).sum(axis=0) / weight.sum(axis=0))
        if not np.isfinite(moved).all():
            return DesignEffect(NAN, n=n, reason=EMPTY_REPLICATE)
    error, raised = float(np.sqrt(moved @ moved)), moved
    if sampling.replicates is None:
        each = [np.bincount(sampling.first(u), z, count).astype(float) for u, z, _ in plain]
        of_sides = zip(each, by_unit, sides, strict=True)
        sides = [sampling.raised(sums / (1 - part), side, sums) for sums, part, side in of_sides]
        raised = sides[0] + sides[1]
    variance, of_both = float(raised @ raised), np.array([side @ side for side in sides])
    pooled = bool(np.any(floors > of_both))
    if pooled:
        variance, of_both = joined_variance(np.column_stack(sides), floors.tolist())
    uncertain = 1 / np.sqrt(freedom)
    df, worth = satterthwaite(of_both, np.outer(uncertain, uncertain)), [float(1 / (part @ part)) for part in by_unit]
    return DesignEffect(estimate, error, variance, df, (worth[0], worth[1]), n, surveyed=True, pooled=pooled)


def _independent(parts: list[Stratum], share: Floats, distance: Floats) -> tuple[Floats, Floats]:
    """By stratum and sample what independent people add to the variance: linearized, and not below Kish's."""
    seen, least = np.zeros((len(parts), 2)), np.zeros((len(parts), 2))
    for h, (part, w, gap) in enumerate(zip(parts, share, distance, strict=True)):
        if part.alone:  # the squared distance of the stratum's estimate stands in for a variance that cannot be seen
            seen[h] = least[h] = (w * gap) ** 2 / 2
        else:
            seen[h], least[h] = w**2 * np.array(part.variances).T
    return seen, least


def _without_clusters(parts: list[Stratum], theta: Floats, totals: Floats) -> tuple[Floats, Floats] | str:
    """By cluster and sample: what the average changes by without its people, and their share; or why there is none."""
    codes = [np.concatenate([side.clusters for side in sides]) for sides in _sides(parts)]  # type: ignore[misc]
    units, places = np.unique(np.concatenate(codes), return_inverse=True)
    if min(np.unique(current).size for current in codes) < FEWEST_CLUSTERS:
        return FEW_CLUSTERS
    group_places = np.split(places, [codes[0].size])
    weight = totals.prod(axis=1) / totals.sum(axis=1)
    total, top = weight.sum(), float(weight @ theta)
    change, kept = np.zeros((units.size, 2)), np.zeros((units.size, 2))
    cells = [_cells_of_clusters(samples, place) for samples, place in zip(_sides(parts), group_places, strict=True)]
    emptied = np.intersect1d(*(keys[rest == 0] for keys, _, rest in cells))
    for side, (keys, back, rest) in enumerate(cells):
        added = np.concatenate([part.effect[1][side] for part in parts])  # share × (place − theta)
        unit, h = np.divmod(keys, len(parts))
        gone = 1 - rest
        now_theta = theta[h] - np.bincount(back, added) / np.where(rest > 0, rest, 1.0)
        mine, other = totals[h, side] * rest, totals[h, 1 - side]
        # a cluster that is all of a stratum takes it away once, not once a sample
        now = np.where(np.isin(keys, emptied), weight[h] / 2, mine * other / (mine + other))
        left = total + np.bincount(unit, now - weight[h], units.size)
        if np.any(left <= 1e-9 * total):
            return ONE_HOLDS_ALL
        now_theta = np.where(rest > 0, now_theta, theta[h])
        sums = top + np.bincount(unit, now * now_theta - weight[h] * theta[h], units.size)
        change[:, side] = sums / left - top / total
        kept[:, side] = np.bincount(unit, weight[h] / total * gone, units.size)
    return change, kept


def _cells_of_clusters(
    samples: list[Scored], place: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64], Floats]:
    """Cluster by stratum of one sample as keys, the key of each observation, and the share of the stratum left."""
    stratum = np.repeat(np.arange(len(samples)), [s.values.size for s in samples])
    keys, back = np.unique(place * len(samples) + stratum, return_inverse=True)
    rest = 1 - np.bincount(back, np.concatenate([s.share for s in samples]))
    return keys, back, np.where(rest > 1e-9, rest, 0.0)


def _sides(parts: list[Stratum]) -> tuple[list[Scored], list[Scored]]:
    return [part.x for part in parts], [part.y for part in parts]
