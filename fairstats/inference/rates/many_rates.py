"""Do all groups have the same rate? Chi-square and permutation tests, on counts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import betainc, betaincinv, chdtrc, ndtr, ndtri

from fairstats.estimates import NAN, Estimate
from fairstats.inference.rates.one_rate import clopper_pearson, counts
from fairstats.inference.rates.two_rates import koopman, miettinen_nurminen, outermost_limits
from fairstats.inference.validation import CountsByGroup, CountsInRows, Level, Repeats, Seed
from fairstats.language import DataText, Message, joined, labels_of, message
from fairstats.text import count
from fairstats.validation import Contrast, choose

Floats = NDArray[np.float64]


REPLICATES = 10_000
# counts drawn for one table: tables of more groups have fewer permutations, but a thousand at least
MOST_DRAWN, FEWEST = 500_000, 1_000
# statistics closer than this are one table, summed in another order
TIE = 1e-9
MOST_COUNTED = 1_000_000_000  # people: of more, numpy draws no hypergeometric counts


def members(events: ArrayLike, n: ArrayLike) -> tuple[Floats, Floats]:
    """Events and sizes of the groups that have members, as float arrays.

    >>> [v.tolist() for v in members([1, 0], [4, 0])]
    [[1.0], [4.0]]
    """
    e, size = np.asarray(events, dtype=float), np.asarray(n, dtype=float)
    return e[size > 0], size[size > 0]


def permutations_of(groups: int) -> int:
    """How many permutations of so many groups an audit draws.

    >>> [permutations_of(groups) for groups in (3, 50, 200, 4000)]
    [10000, 10000, 2500, 1000]
    """
    return min(REPLICATES, max(FEWEST, MOST_DRAWN // max(groups, 1)))


def permuted(events: float, n: Floats, replicates: int, rng: np.random.Generator) -> Floats:
    """Counts of events by group when the labels are exchanged among the people; the cost ignores their number.

    Of a billion people or more, whom numpy does not count, the draws are as near as `_events` says.

    >>> permuted(3.0, np.array([3.0, 3.0]), 5, np.random.default_rng(0)).sum(axis=1).tolist()
    [3.0, 3.0, 3.0, 3.0, 3.0]
    """
    total, sizes = round(events), n.astype(np.int64)
    if sizes.sum() < MOST_COUNTED:
        return rng.multivariate_hypergeometric(sizes, total, replicates, method="marginals").astype(float)
    drawn, left, people = np.zeros((replicates, n.size)), np.full(replicates, total), int(sizes.sum())
    *others, last = np.argsort(sizes, kind="stable")
    for group in others:
        drawn[:, group] = values = _events(int(sizes[group]), left, people, rng)
        left, people = left - values, people - int(sizes[group])
    drawn[:, last] = left
    return drawn


def _events(n: int, events: NDArray[np.int64], people: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """How many of the events fall to n of the people, at most half of them: exactly, or of a billion people nearly.

    Of at most a thousandth of the people, or of the events, it is binomial; of more of both, normal.
    """
    others = people - events
    if people < MOST_COUNTED:
        return rng.hypergeometric(events, others, n)
    few, share = people / 1000, n / people
    if n <= few:
        return rng.binomial(n, events / people)
    if events.max() <= few:
        return rng.binomial(events, share)
    if others.max() <= few:
        return n - rng.binomial(others, share)
    spread = np.sqrt(share * (1 - share) * (events / people) * others)
    near = np.rint(rng.normal(share * events, spread)).astype(np.int64)
    return np.clip(near, np.maximum(0, n - others), np.minimum(n, events))


def chi_square(events: CountsByGroup, n: CountsByGroup) -> tuple[float, float, float]:
    """Test that all groups have the same rate by Pearson's chi-square, without correction.

    Parameters
    ----------
    events, n : array_like, shape (G,)
        Events and sizes; empty groups do not count.

    Returns
    -------
    statistic, df, p : float
        NaN where fewer than two groups have members; statistic 0 and p 1 where nobody or everybody has the property.

    References
    ----------
    Pearson (1900), Phil. Mag. 50. R: ``prop.test(correct = FALSE)``.

    Examples
    --------
    >>> import fairstats as fs
    >>> [round(v, 4) for v in fs.stats.chi_square([83, 90, 129, 70], [86, 93, 136, 82])]
    [12.6004, 3.0, 0.0056]
    """
    e, n = members(events, n)
    if n.size < 2:
        return (float("nan"),) * 3
    statistic, df = float(_pearson(e, n)), float(n.size - 1)
    return statistic, df, float(chdtrc(df, statistic))


def _pearson(e: Floats, n: Floats) -> Floats:
    pooled = np.sum(e, axis=-1, keepdims=True) / np.sum(n)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.nan_to_num(np.sum((e - n * pooled) ** 2 / (n * pooled * (1 - pooled)), axis=-1))


def permutation_test(
    events: CountsByGroup, n: CountsByGroup, *, replicates: Repeats = REPLICATES, seed: Seed = 0
) -> float:
    """Test that all groups have the same rate by exchanging the group labels among the people.

    Parameters
    ----------
    events, n : array_like, shape (G,)
        Events and sizes (whole counts); empty groups do not count.
    replicates : int
        Number of permutations; the cost does not depend on the number of people.
    seed : int
        Seed of the generator.

    Returns
    -------
    float
        (1 + permutations with a chi-square at least as large) / (1 + replicates), ties counted: its size never
        exceeds the nominal one. NaN where fewer than two groups have members.

    References
    ----------
    Phipson & Smyth (2010), Stat. Appl. Genet. Mol. Biol. 9, article 39 (the + 1).

    Examples
    --------
    >>> import fairstats as fs
    >>> fs.stats.permutation_test([0, 10], [10, 10]) < 0.001
    True
    """
    e, n = members(events, n)
    if n.size < 2:
        return float("nan")
    events = float(min(e.sum(), n.sum() - e.sum()))  # a rate and its complement have the same draws
    drawn = _exchanged(events, tuple(sorted(n.tolist(), reverse=True)), replicates, seed)  # and so have any orders
    return (1 + int(np.sum(drawn >= _pearson(e, n) * (1 - TIE)))) / (1 + replicates)


@lru_cache(maxsize=16)
def _exchanged(events: float, sizes: tuple[float, ...], replicates: int, seed: int) -> Floats:
    n = np.array(sizes)
    return _pearson(permuted(events, n, replicates, np.random.default_rng(seed)), n)


def omnibus(
    events: ArrayLike,
    n: ArrayLike,
    *,
    metric: str = "proportion",
    attribute: str = "",
    test: str = "chi-square",
    replicates: int = REPLICATES,
    seed: int = 0,
) -> Estimate:
    """The test that all groups have the same rate, as a tidy row.

    events, n: events and sizes, shape (G,).
    metric, attribute: what the row is about.
    test: the p-value; the statistic is Pearson's in both.
    replicates, seed: of the permutation test.
    Returns: its role is "all groups". Status ``"unestimable"`` where fewer than two groups have members; the reason
        names a cell with fewer than five expected, where the chi-square approximation is doubtful.

    >>> row = omnibus([83, 90, 129, 70], [86, 93, 136, 82])
    >>> round(row.p_value, 4), row.df
    (0.0056, 3.0)
    """
    p_value = choose("test", test, TESTS)(events, n, replicates, seed)
    statistic, df, _ = chi_square(events, n)
    e, size = members(events, n)
    about = Estimate(metric, attribute, role="omnibus", n=float(size.sum()), events=float(e.sum()))
    if size.size < 2:
        return replace(about, status="unestimable", reason=message("fewer than two groups have members"))
    least = float(size.min() * min(e.sum(), size.sum() - e.sum()) / size.sum())
    caution = (
        message("a cell has {n} expected, under 5", n=f"{least:.2g}") if least < 5 and test == "chi-square" else ""
    )
    return replace(about, statistic=statistic, df=df, p_value=p_value, method=TEST_NAMES[test], reason=caution)


TESTS: dict[str, Callable[..., float]] = {
    "chi-square": lambda events, n, replicates, seed: chi_square(events, n)[2],
    "permutation": lambda events, n, replicates, seed: permutation_test(events, n, replicates=replicates, seed=seed),
}
TEST_NAMES = {
    "chi-square": message("Pearson's chi-square test"),
    "permutation": message("permutation test of chi-square"),
}


# The largest score over all pairs of groups; of many groups, from the few pairs that can have it.


Places = Any  # indices of groups or of replicates, or a slice of all
FEW_GROUPS = 20  # up to which all pairs of many replicates take less time than finding those that matter
# pairs that are looked at together, so that memory does not grow with the groups
AT_ONCE = 1 << 19


def largest_score(e: Floats, n: Floats, factor: Callable[[Floats], Floats]) -> Floats:
    """The largest |score| of equality over the pairs.

    e: events, shape (..., G).
    n: sizes, all positive, shape (G,).
    factor: ``CONTRASTS[contrast].factor``: the variance factor as a function of the size of a pair.

    With T = n_i + n_j and d = p_i - p_j > 0, 1 / z^2 = 1 / T + p_i (1 - p_i) / (n_j d^2) + p_j (1 - p_j) / (n_i d^2):
    z rises with both sizes, with p_i and with -p_j. So of the upper groups of pairs only those matter than which no
    larger group has as high a rate, and likewise of the lower ones: about log(G) each, in place of all pairs.

    >>> round(float(largest_score(np.array([1.0, 5.0, 3.0]), np.full(3, 10.0), lambda size: 1.0)), 4)
    1.9518
    """
    out = largest_scores(e.reshape(int(np.prod(e.shape[:-1])), n.size), n, [factor])[0]
    return out.reshape(e.shape[:-1])


def largest_scores(e: Floats, n: Floats, factors: list[Callable[[Floats], Floats]]) -> list[Floats]:
    """`largest_score` of rows of events, shape (replicates, G), for several factors, which rest on the same pairs.

    >>> rows = np.array([[1.0, 5.0, 3.0]])
    >>> [float(v[0].round(4)) for v in largest_scores(rows, np.full(3, 10.0), [lambda size: 1.0, lambda size: 4.0])]
    [1.9518, 0.9759]
    """
    groups = np.argsort(-n, kind="stable")
    columns, sizes = np.ascontiguousarray(e.T[groups]), n[groups]
    rates = columns / sizes[:, None]

    def squares(row: Places, i: Places, j: Places) -> tuple[Floats, list[Floats]]:
        total, events = sizes[i] + sizes[j], columns[i, row] + columns[j, row]
        out = rates[i, row] - rates[j, row]
        out *= out
        events *= total - events
        out /= events
        return out, [sizes[i] * sizes[j] * total / factor(total) for factor in factors]

    return _largest_of_pairs(rates, squares)


def largest_normal(n: Floats, replicates: int, rng: np.random.Generator) -> Floats:
    """The largest |difference| over the pairs, in units of its error, of normal noise in groups of such sizes.

    >>> largest_normal(np.array([3.0, 3.0]), 2, np.random.default_rng(0)).round(3).tolist()
    [0.182, 0.379]
    """
    groups = np.argsort(-n, kind="stable")
    noise, sizes = (rng.standard_normal((replicates, n.size)) / np.sqrt(n)).T[groups], n[groups]

    def squares(row: Places, i: Places, j: Places) -> tuple[Floats, list[Floats]]:
        out = noise[i, row] - noise[j, row]
        out *= out
        return out, [1 / (1 / sizes[i] + 1 / sizes[j])]

    return _largest_of_pairs(noise, squares)[0]


def _largest_of_pairs(
    values: Floats, squares: Callable[[Places, Places, Places], tuple[Floats, list[Floats]]]
) -> list[Floats]:
    """In each column the largest |score| of two groups, which rises with the gap of their values and with both sizes.

    squares: of one group beside another, the squares of their scores up to the factors that come with them.

    Groups are in descending order of size. A group that a larger one exceeds in value is not the upper one of the
    largest pair, and likewise for the lower one. Scores that are NaN do not count.
    """
    if not len(values):
        none = np.empty(0, dtype=np.intp)
        return [np.zeros(values.shape[1]) for _ in squares(none, none, none)[1]]
    with np.errstate(divide="ignore", invalid="ignore"):
        if 2 <= len(values) <= FEW_GROUPS and values.shape[1] > 1:
            return [np.sqrt(v) for v in _largest_of_all(values, squares)]
        return [np.sqrt(v) for v in _largest_of_records(values, squares)]


def _largest_of_all(values: Floats, squares: Callable[..., tuple[Floats, list[Floats]]]) -> list[Floats]:
    largest: list[Floats] = []
    scaled = np.empty(values.shape[1])
    for i, j in combinations(range(len(values)), 2):
        square, factors = squares(slice(None), i, j)
        largest = largest or [np.zeros(values.shape[1]) for _ in factors]
        for best, factor in zip(largest, factors, strict=True):
            np.fmax(best, np.multiply(square, factor, out=scaled), out=best)
    return largest


def _largest_of_records(values: Floats, squares: Callable[..., tuple[Floats, list[Floats]]]) -> list[Floats]:
    uppers, lowers = _records(values), _records(-values)
    (upper_row, upper), (_, lower) = np.nonzero(uppers), np.nonzero(lowers)
    below = lowers.sum(axis=1)
    first_below = np.cumsum(below) - below
    ends = np.cumsum(uppers.sum(axis=1))  # of the uppers of each replicate
    pairs = np.cumsum(below[upper_row])
    out: list[list[Floats]] = []
    start, row, rows = 0, 0, values.shape[1]
    while row < rows:
        done = pairs[start - 1] if start else 0
        until = max(int(np.searchsorted(pairs[ends - 1], done + AT_ONCE, side="right")), row + 1)
        current = np.arange(start, ends[until - 1])
        times = below[upper_row[current]]
        place = np.arange(times.sum()) - np.repeat(np.cumsum(times) - times, times)
        replicate = np.repeat(upper_row[current], times)
        firsts = np.concatenate([[0], pairs[ends[row : until - 1] - 1] - done])
        square, factors = squares(replicate, np.repeat(upper[current], times), lower[first_below[replicate] + place])
        out.append([np.fmax.reduceat(np.fmax(square * factor, 0.0), firsts) for factor in factors])
        start, row = int(ends[until - 1]), until
    return [np.concatenate(parts) for parts in zip(*out, strict=True)]


def _records(values: Floats) -> NDArray[np.bool_]:
    """Whether a value exceeds all before it, as (replicates, groups); the first one does."""
    out = np.ones(values.shape, dtype=bool)
    if values.shape[1] == 1:  # what was observed: of many groups a loop takes longer than all that follows
        np.greater(values[1:], np.maximum.accumulate(values)[:-1], out=out[1:])
        return out.T
    largest = np.full(values.shape[1], -np.inf)
    for current, exceeds in zip(values, out, strict=True):
        np.greater(current, largest, out=exceeds)
        np.maximum(current, largest, out=largest)
    return np.ascontiguousarray(out.T)


# The level at which intervals of all pairs of groups hold together, by single-step max-t.


Family = tuple[float, tuple[float, ...]]  # all events (NaN where counts are not whole), and sizes
# relative distance kept from attainable values, so that intervals and test agree in spite of rounding
CLEAR = 1e-7


@dataclass(frozen=True)
class _Contrast:
    """What is compared: its interval, and the factor of the variance of that interval's score statistic."""

    interval: Callable[..., tuple[Any, Any]]
    factor: Callable[[Any], Any]


CONTRASTS = {
    "difference": _Contrast(miettinen_nurminen, lambda size: size / (size - 1)),
    "ratio": _Contrast(koopman, lambda size: 1.0),
}


@dataclass(frozen=True)
class Joint:
    """The level at which pairwise score intervals hold jointly, and the max-t test that agrees with them.

    ``p_value`` is below 1 - family level exactly where some pairwise interval at ``conf_level`` excludes equality.
    """

    conf_level: float
    statistic: float
    p_value: float


def simultaneous_level(
    events: CountsInRows,
    n: CountsInRows,
    conf_level: Level = 0.95,
    *,
    contrast: Contrast = "difference",
    replicates: Repeats = REPLICATES,
    seed: Seed = 0,
) -> Joint:
    """Return the confidence level that pairwise score intervals need so that all hold at once with `conf_level`.

    The critical value is the quantile of the largest score statistic over all pairs when the labels of the groups
    are exchanged among the people (with half the weight of ties: mid-p, since the plain version covers up to 98%
    between two groups of ten). Between two attainable values of the statistic it is as near as possible to the
    normal-theory quantile. Fractional counts (weights) have no permutations; they get the normal-theory quantile.

    Parameters
    ----------
    events, n : array_like, shape (G,) or (m, G)
        Events and sizes. Rows are families of rates that are covered together (TPR and FPR, for equalized odds) and
        rest on different people. Empty groups do not count.
    conf_level : float
        Coverage of all intervals together.
    contrast : {"difference", "ratio"}
        Miettinen-Nurminen or Koopman intervals.
    replicates, seed : int
        Permutations and their seed.

    Returns
    -------
    Joint
        ``conf_level`` of each interval, the largest |score| and its mid-p value.

    Raises
    ------
    InputError
        If `contrast` is unknown.

    References
    ----------
    Hothorn, Bretz & Westfall (2008), Biometrical Journal 50 (simultaneous inference by max-t); Lancaster (1961),
    JASA 56 (mid-p).

    Examples
    --------
    >>> import fairstats as fs
    >>> joint = fs.stats.simultaneous_level([50, 60, 55], [100, 100, 100])
    >>> 0.97 < joint.conf_level < 0.985, joint.p_value > 0.3
    (True, True)
    """
    choose("contrast", contrast, CONTRASTS)
    families = [members(e, size) for e, size in zip(np.atleast_2d(events), np.atleast_2d(n), strict=True)]
    if all(size.size < 2 for _, size in families):
        return Joint(NAN, NAN, NAN)
    observed = float(np.max([largest_score(e, size, CONTRASTS[contrast].factor) for e, size in families]))
    exchanged = [_simultaneous_level_exchanged(e, size) for e, size in families]
    # in an order of their own, so that the families have the same draws whichever comes first
    result = _null(tuple(sorted(exchanged, key=lambda family: family[::-1])), replicates, seed)
    normal, drawn = result["normal"], result[contrast]
    return _calibrated(np.append(drawn, observed), float(np.quantile(normal, conf_level)), observed, 1 - conf_level)


def _simultaneous_level_exchanged(e: Floats, size: Floats) -> Family:
    """What exchanged labels depend on: a rate and its complement, and groups in any order, have the same draws."""
    whole = np.array_equal(e, np.round(e)) and np.array_equal(size, np.round(size))
    return float(min(e.sum(), size.sum() - e.sum())) if whole else NAN, tuple(sorted(size.tolist(), reverse=True))


@lru_cache(maxsize=16)
def _null(families: tuple[Family, ...], replicates: int, seed: int) -> dict[str, Floats]:
    """The largest statistic of every replicate, in the normal theory and for each contrast under exchanged labels.

    Kept for the last families: differences and ratios of a rate and of its complement rest on the same draws.
    """
    rng = np.random.default_rng(seed)
    arrays = [(events, np.array(size)) for events, size in families]
    normal = np.max([largest_normal(size, replicates, rng) for _, size in arrays], axis=0)
    if any(np.isnan(events) for events, _ in arrays):
        return dict.fromkeys(("normal", *CONTRASTS), normal)
    exchanged = [(permuted(events, size, replicates, rng), size) for events, size in arrays]
    factors = [contrast.factor for contrast in CONTRASTS.values()]
    largest = np.max([largest_scores(e, size, factors) for e, size in exchanged], axis=0)
    return {"normal": normal, **dict(zip(CONTRASTS, largest, strict=True))}


def _calibrated(drawn: Floats, normal: float, observed: float, alpha: float) -> Joint:
    values = np.sort(drawn)
    atoms = values[np.append(True, np.diff(values) > TIE * (1 + values[1:]))]
    starts = np.searchsorted(values, atoms)
    share = np.diff(np.append(starts, values.size)) / values.size
    mid = np.cumsum(share[::-1])[::-1] - share / 2
    first = int(np.sum(mid > alpha))  # mid falls, so this is the first atom that is significant
    below = atoms[first - 1] * (1 + CLEAR) if first else 0.0
    above = atoms[first] * (1 - CLEAR) if first < atoms.size else np.inf
    critical = float(np.clip(normal, below, above)) if below <= above else float(below + above) / 2
    place = int(np.searchsorted(atoms, observed * (1 + TIE) + TIE / 2, side="right")) - 1
    return Joint(1 - 2 * float(ndtr(-critical)), observed, float(mid[place]))


def pairwise(events: ArrayLike, n: ArrayLike, level: float, contrast: Contrast = "difference") -> tuple[Floats, Floats]:
    """Score intervals of every ordered pair of groups, each at one level.

    events, n: events and sizes, shape (G,).
    level: level of each interval; ``simultaneous_level(...).conf_level`` makes them hold together.
    contrast: p_i - p_j or p_i / p_j.
    Returns low, high: row i, column j; the diagonal is NaN, as are pairs with an empty group, shape (G, G).
    Source: Miettinen & Nurminen (1985), Statistics in Medicine 4; Koopman (1984), Biometrics 40.

    >>> low, high = pairwise([1, 5], [10, 10], 0.95)
    >>> low[0].round(3).tolist(), high[0].round(3).tolist()
    ([nan, -0.705], [nan, 0.013])
    """
    e, n = np.asarray(events, dtype=float), np.asarray(n, dtype=float)
    low, high = choose("contrast", contrast, CONTRASTS).interval(e[:, None], n[:, None], e, n, level)
    low[np.diag_indices(n.size)] = high[np.diag_indices(n.size)] = np.nan
    return low, high


def outermost_of_pairs(
    families: Sequence[tuple[Floats, Floats]], levels: Sequence[float], contrast: Contrast = "difference"
) -> list[tuple[float, float]]:
    """Of each family the largest lower and upper limit of the differences of all pairs; of ratios the smallest ones.

    families: events and sizes (all positive), shape (G,).
    levels: of the intervals of each family.
    contrast: as in `pairwise`, whose outermost limits these are.

    A score interval narrows about its estimate as a group grows at the same rate. So of the upper groups only those
    matter than which no larger group (for the far end: no smaller one) has as high a rate, and likewise of the lower
    ones; one group more is kept of each, as no group is compared with itself.

    >>> [[round(v, 3) for v in ends] for ends in outermost_of_pairs([(np.array([1.0, 5.0]), np.full(2, 10.0))], [0.95])]
    [[-0.013, 0.705]]
    """
    problems = []
    for e, n in families:
        for end, sizes in (("low", -n), ("high", n)) if contrast == "difference" else (("low", n), ("high", -n)):
            upper, lower = _leading(e / n, sizes), _leading(-e / n, sizes)
            i, j = (upper, lower) if contrast == "difference" else (lower, upper)
            i, j = (v.ravel() for v in np.meshgrid(i, j))
            apart = i != j
            i, j = i[apart], j[apart]
            problems.append(((e[i], n[i], e[j], n[j]), end))
    ends = outermost_limits(problems, np.repeat(levels, 2).tolist(), contrast) if problems else []
    return list(zip(ends[::2], ends[1::2], strict=True))


def _leading(values: Floats, sizes: Floats) -> NDArray[np.intp]:
    """Groups than which at most one other has both a value as high and a size as far up the order."""
    order = np.lexsort((-values, sizes))
    current = values[order]
    first = np.maximum.accumulate(np.append(-np.inf, current))[:-1]  # the highest of those before
    second = np.maximum.accumulate(np.append(-np.inf, np.minimum(current, first)))[:-1]
    return order[current > second]


# Several groups at once: intervals for the largest difference and against the best group that hold under equality.


@dataclass(frozen=True)
class GapLimits:
    """Estimates with simultaneous limits (numbers, or arrays by group), and the joint test."""

    estimate: Any
    low: Any
    high: Any
    joint: Joint


def max_difference(
    events: CountsInRows, n: CountsInRows, conf_level: Level = 0.95, *, replicates: Repeats = REPLICATES, seed: Seed = 0
) -> GapLimits:
    """Estimate the largest rate minus the smallest, or the largest of such ranges (equalized odds), with limits.

    Parameters
    ----------
    events, n : array_like, shape (G,) or (m, G)
        Events and sizes; rows are families (TPR and FPR give the equalized odds difference). Empty groups do not
        count.
    conf_level : float
        Nominal coverage.
    replicates, seed : int
        Permutations and their seed.

    Returns
    -------
    GapLimits
        NaN where a family has fewer than two groups with members. Under equality the lower limit is 0 in 93 to 97%
        of samples wherever n p and n (1 - p) are at least 5 (the coverage page of the documentation).

    References
    ----------
    Tukey (1953), The Problem of Multiple Comparisons; Miettinen & Nurminen (1985), Statistics in Medicine 4.

    Examples
    --------
    >>> import fairstats as fs
    >>> limits = fs.stats.max_difference([50, 60, 55], [100, 100, 100])
    >>> round(limits.estimate, 3), float(limits.low), round(limits.high, 2)
    (0.1, 0.0, 0.26)
    """
    joint, parts = range_parts(events, n, conf_level, "difference", replicates=replicates, seed=seed)
    estimate, low, high = np.max(parts, axis=0)
    return GapLimits(float(estimate), float(low), float(high), joint)


def range_parts(
    events: ArrayLike, n: ArrayLike, conf_level: float, contrast: Contrast, **options: Any
) -> tuple[Joint, Floats]:
    """The range of every family of rates, as difference or ratio, with limits that hold for all families together.

    events, n, conf_level, contrast, **options: as in `simultaneous_level`.
    Returns: estimate and limits, one row a family; NaN where a family has fewer than two groups with members or is 0/0,
        shape (m, 3).

    >>> range_parts([[50, 60], [5, 5]], [[100, 100], [90, 80]], 0.95, "ratio")[1][:, 0].round(3).tolist()
    [0.833, 0.889]
    """
    joint = simultaneous_level(events, n, conf_level, contrast=contrast, **options)
    families = [members(e, size) for e, size in zip(np.atleast_2d(events), np.atleast_2d(n), strict=True)]
    return joint, _range_limits(families, [joint.conf_level] * len(families), contrast)


def _range_limits(families: Sequence[tuple[Floats, Floats]], levels: Sequence[float], contrast: Contrast) -> Floats:
    """The range of each family with its limits at a level, shape (m, 3); NaN where there is none."""
    out = np.full((len(families), 3), NAN)
    present = [k for k, (e, n) in enumerate(families) if n.size > 1 and (contrast == "difference" or e.any())]
    ends = outermost_of_pairs([families[k] for k in present], [levels[k] for k in present], contrast)
    for k, (low, high) in zip(present, ends, strict=True):
        rates = np.divide(*families[k])
        if contrast == "difference":
            out[k] = np.ptp(rates), max(0.0, low), high
        else:
            out[k] = rates.min() / rates.max(), low, min(1.0, high)
    return out


def ranges(
    counts: Sequence[tuple[Floats, Floats]], conf_level: float, draws: Sequence[dict[str, Any]]
) -> dict[Contrast, list[GapLimits]]:
    """`max_difference` and `worst_ratio` of many rates, each by itself: their limits are solved together.

    counts: events and sizes of each rate, shape (G,).
    conf_level: coverage of all intervals of a rate.
    draws: permutations and their seed for each rate, as in `simultaneous_level`.

    >>> rates = [(np.array([50.0, 60.0]), np.full(2, 100.0)), (np.array([5.0, 5.0]), np.array([90.0, 80.0]))]
    >>> [round(limits.estimate, 3) for limits in ranges(rates, 0.95, [{}, {}])["ratio"]]
    [0.833, 0.889]
    """
    names: tuple[Contrast, ...] = ("difference", "ratio")
    joint = [
        [simultaneous_level(*one, conf_level, contrast=name, **options) for name in names]
        for one, options in zip(counts, draws, strict=True)
    ]
    families, out = [members(*one) for one in counts], {}
    for k, name in enumerate(names):
        parts = _range_limits(families, [both[k].conf_level for both in joint], name)
        out[name] = [_gap_limits(part, both[k]) for part, both in zip(parts.tolist(), joint, strict=True)]
    return out


def _gap_limits(part: Sequence[float], joint: Joint) -> GapLimits:
    estimate, low, high = part
    return GapLimits(estimate, low, high, joint if estimate == estimate else Joint(NAN, NAN, NAN))


def worst_ratio(
    events: CountsInRows, n: CountsInRows, conf_level: Level = 0.95, *, replicates: Repeats = REPLICATES, seed: Seed = 0
) -> GapLimits:
    """Estimate the smallest rate over the largest, or the smallest of such ratios (equalized odds), with limits.

    Parameters
    ----------
    events, n : array_like, shape (G,) or (m, G)
        Events and sizes; rows are families, as in `max_difference`. Empty groups do not count.
    conf_level : float
        Nominal coverage.
    replicates, seed : int
        Permutations and their seed.

    Returns
    -------
    GapLimits
        NaN where a family has fewer than two groups with members, or nobody with the property.

    References
    ----------
    Koopman (1984), Biometrics 40; Tukey (1953), The Problem of Multiple Comparisons.

    Examples
    --------
    >>> import fairstats as fs
    >>> limits = fs.stats.worst_ratio([50, 60, 55], [100, 100, 100])
    >>> round(limits.estimate, 3), round(limits.low, 2), limits.high
    (0.833, 0.62, 1.0)
    """
    joint, parts = range_parts(events, n, conf_level, "ratio", replicates=replicates, seed=seed)
    return _gap_limits(np.min(parts, axis=0).tolist(), joint)


def ratio_to_best(
    events: CountsByGroup, n: CountsByGroup, conf_level: Level = 0.95, *, contrast: Contrast = "difference"
) -> GapLimits:
    """Compare each group with the best of the others: p_i minus (or over) the highest other rate, with joint limits.

    A plain interval against the group that happens to be highest covers 56% under equality; these hold for all
    groups together, whichever is truly the best, and however much others differ.

    Parameters
    ----------
    events, n : array_like, shape (G,)
        Events and sizes; an empty group gets NaN.
    conf_level : float
        Nominal coverage of all intervals together.
    contrast : {"difference", "ratio"}
        What is compared.

    Returns
    -------
    GapLimits
        Arrays of shape (G,). An upper limit below 0 (below 1 for a ratio) shows that the group is not the best.
        ``joint`` has the level of each pair.

    Raises
    ------
    InputError
        If `contrast` is unknown.

    Notes
    -----
    Each pair has limits made of the exact ones of its two rates (MOVER of Clopper and Pearson), at Bonferroni's level
    over all pairs; the smallest of a group's differences has the smallest of their limits. Labels exchanged among all
    groups, or score intervals at Bonferroni's level, fail where rates are near 0 or 1 and another group is far off:
    with 2000 people at .99, 2000 at .5 and five groups of 8 at .99 a group that is among the best was called worse in
    30 and 19% of samples, here in 0.3%.

    References
    ----------
    Edwards & Hsu (1983), JASA 78, 965-971; Hsu (1984), Annals of Statistics 12, 1136-1144 (multiple comparisons with
    the best; here two-sided and without his constraint at 0, so that the interval can also exclude equality); Donner &
    Zou (2012), Statistical Methods in Medical Research 21, 347-359; Clopper & Pearson (1934), Biometrika 26.

    Examples
    --------
    >>> import fairstats as fs
    >>> limits = fs.stats.ratio_to_best([20, 60, 55], [100, 100, 100])
    >>> limits.estimate.round(2).tolist(), (limits.high < 0).tolist()
    ([-0.4, 0.05, -0.05], [True, False, False])
    """
    reach = choose("contrast", contrast, OPERATIONS)
    e, n = np.asarray(events, dtype=float), np.asarray(n, dtype=float)
    present = n > 0
    out, groups = np.full((3, n.size), np.nan), int(present.sum())
    level = 1 - (1 - conf_level) / max(groups * (groups - 1) // 2, 1)
    if groups > 1:
        rates = e[present] / n[present]
        ends = clopper_pearson(e[present], n[present], level)
        low, high = (_difference_of if contrast == "difference" else _ratio_of)(rates, *ends)
        same = np.eye(groups, dtype=bool)
        others = np.where(same, -np.inf, rates).max(axis=1)
        with np.errstate(divide="ignore", invalid="ignore"):
            nearest = [np.where(same, np.inf, end).min(axis=1) for end in (low, high)]
            out[:, present] = reach(rates, others), *nearest
    return GapLimits(out[0], out[1], out[2], Joint(level if groups > 1 else NAN, NAN, NAN))


def _difference_of(p: Floats, low: Floats, high: Floats) -> tuple[Floats, Floats]:
    """Limits of all differences from the limits of the rates (Zou and Donner)."""
    gap, down, up = p[:, None] - p, p - low, high - p
    return gap - np.hypot(down[:, None], up), gap + np.hypot(up[:, None], down)


def _ratio_of(p: Floats, low: Floats, high: Floats) -> tuple[Floats, Floats]:
    """Limits of all ratios from the limits of the rates (Donner and Zou)."""
    product = p[:, None] * p

    def root(values: Floats, other: Floats) -> Floats:
        spread = (values * (2 * p - values))[:, None] * (other * (2 * p - other))
        return np.asarray(np.sqrt(np.maximum(product**2 - spread, 0)))

    with np.errstate(divide="ignore", invalid="ignore"):
        lower = (low * (2 * p - low))[:, None] / (product + root(low, high))
        upper = (product + root(high, low)) / (low * (2 * p - low))
    return np.where(low[:, None] > 0, lower, 0.0), np.where(low > 0, upper, np.inf)


OPERATIONS: dict[str, Callable[[Floats, Floats], Floats]] = {"difference": np.subtract, "ratio": np.divide}
RANGES: dict[str, Callable[..., GapLimits]] = {"difference": max_difference, "ratio": worst_ratio}
RANGE_METHOD = message("simultaneous {name} intervals (permutation max-t)")
NAMES = {"difference": RANGE_METHOD.format(name="Miettinen-Nurminen"), "ratio": RANGE_METHOD.format(name="Koopman")}


COUNTED = message("observed extremes: {one} ({first}) and {other} ({second})")


def extremes(attribute: str, seen: Iterable[tuple[str, str]]) -> Message:
    """Which two groups are furthest apart: each label with its rate or mean.

    >>> extremes("sex", [("f", message("{k} of {n}", k=3, n=4)), ("m", "0.5")])
    'observed extremes: f (3 of 4) and m (0.5)'
    """
    (one, first), (other, second) = seen
    groups = {"one": DataText(one, attribute), "other": DataText(other, attribute)}
    return COUNTED.format(**groups, first=first, second=second)


def uncounted(reason: str) -> str:
    """The same two groups without their rates, where a sentence is about the other decision.

    >>> uncounted(extremes("sex", [("f", "3 of 4"), ("m", "1 of 2")]))
    'observed extremes: f and m'
    """
    if not isinstance(reason, Message):
        return reason
    if reason.template == COUNTED.template:
        return message("observed extremes: {one} and {other}", one=reason.values["one"], other=reason.values["other"])
    values = {name: uncounted(v) if isinstance(v, Message) else v for name, v in reason.values.items()}
    return Message(reason.template, values)


def furthest(rates: Floats) -> list[int]:
    """Places of the largest and of the smallest rate, two even where all are equal.

    >>> furthest(np.array([0.5, np.nan, 0.5])), furthest(np.array([0.2, 0.4]))
    ([0, 2], [1, 0])
    """
    high, low = int(np.nanargmax(rates)), int(np.nanargmin(rates))
    return [high, low if low != high else int(np.flatnonzero(rates == rates[low])[-1])]


def range_estimate(
    events: ArrayLike,
    n: ArrayLike,
    labels: Sequence[str],
    *,
    metric: str = "proportion",
    attribute: str = "",
    contrast: Contrast = "difference",
    conf_level: float = 0.95,
    replicates: int = REPLICATES,
    seed: int = 0,
) -> Estimate:
    """The largest difference (or worst ratio) between any two groups, as a tidy row.

    events, n: events and sizes, shape (G,).
    metric, attribute: what the row is about.
    contrast: highest minus lowest, or lowest over highest.
    conf_level, replicates, seed: as in `simultaneous_level`.
    Returns: its limits hold for the largest difference over all groups, whichever two that is; they are no interval of
        the pair that is furthest apart in these data, so ``group`` and ``reference`` are empty, n and events are
        everybody's, and the reason names the observed extremes and empty groups. Status ``"unestimable"`` where fewer
        than two groups have members, or a ratio is 0/0.

    >>> row = range_estimate([20, 60, 55], [100, 100, 100], ["a", "b", "c"])
    >>> row.group, round(row.estimate, 2), row.conf_low > 0, row.reason
    ('', 0.4, True, 'observed extremes: b (60 of 100) and a (20 of 100)')
    """
    limits = choose("contrast", contrast, RANGES)(events, n, conf_level, replicates=replicates, seed=seed)
    return range_row(limits, events, n, labels, metric, attribute, contrast, conf_level)


def range_row(
    limits: GapLimits,
    events: ArrayLike,
    n: ArrayLike,
    labels: Sequence[str],
    metric: str,
    attribute: str,
    contrast: Contrast,
    conf_level: float,
) -> Estimate:
    """`range_estimate` of limits that are known."""
    e, size = np.asarray(events, dtype=float), np.asarray(n, dtype=float)
    about = Estimate(metric, attribute, contrast=contrast, role="omnibus", method=NAMES[contrast])
    empty = [name for name, people in zip(labels, size, strict=True) if people <= 0]
    left_out = message("nobody in {groups}", groups=labels_of(attribute, empty)) if empty else ""
    if np.isnan(limits.estimate):
        reason = (
            left_out or message("fewer than two groups")
            if (size > 0).sum() < 2
            else message("no events in any group: 0/0")
        )
        return replace(about, status="unestimable", reason=reason)
    rates = np.divide(e, size, out=np.full(size.size, np.nan), where=size > 0)
    ends = furthest(rates)[:: 1 if contrast == "difference" else -1]
    seen = [(labels[i], message("{k} of {n}", k=count(e[i]), n=count(size[i]))) for i in ends]
    return replace(
        about,
        n=float(size.sum()),
        events=float(e.sum()),
        reason=joined([extremes(attribute, seen), left_out]),
        **_ends(limits, conf_level),
    )


def _ends(limits: GapLimits, conf_level: float) -> dict[str, Any]:
    return {
        "estimate": limits.estimate,
        "conf_low": limits.low,
        "conf_high": limits.high,
        "conf_level": conf_level,
        "statistic": limits.joint.statistic,
        "p_value": limits.joint.p_value,
    }


# The rate of a part of the people less that of everybody, the part included; of many overlapping parts at once.


METHOD = message("exact confidence distributions of both rates, largest of correlated normals")
DRAWS = 20_000  # the level of all limits together is then known to 0.15 percentage points (one standard error)
BLOCK = 1_000  # draws, or cells, at a time
FEW_PARTS = 1_000  # up to which correlated normals are made of eigenvectors
STEPS = 34  # halvings of [-1, 1]: nine digits
NODES, REACH = 48, 8.5  # of integrals over a normal score

_U, _W = np.polynomial.legendre.leggauss(NODES)
AT, WEIGHT = ndtr(REACH * _U), REACH * _W * np.exp(-((REACH * _U) ** 2) / 2) / np.sqrt(2 * np.pi)


@dataclass(frozen=True, eq=False)
class _Side:
    """What the lower limits of many excesses are made of; the upper ones are those of the people without the event."""

    excess: Floats
    share: Floats
    spread: Floats  # of the share
    wide: tuple[Floats, Floats]  # shapes of the wider of two beta variables; the group's own is turned round if narrow
    nodes: Floats  # quantiles of the narrower one
    over_rest: NDArray[np.bool_]  # which is that of the others

    @classmethod
    def of(cls, e: Floats, n: Floats, rest_e: Floats, rest_n: Floats) -> _Side:
        current, rest = (e[:, None], (n - e + 1)[:, None]), ((rest_e + 1)[:, None], (rest_n - rest_e)[:, None])
        over_rest = _variance(*rest) <= _variance(*current)
        narrow, wide = (
            tuple(np.where(over_rest, one, other) for one, other in zip(*pair, strict=True))
            for pair in ((rest, current), (current, rest[::-1]))
        )
        share = n / (n + rest_n)
        excess = (1 - share) * (e / n - rest_e / rest_n)
        spread = np.sqrt(share * (1 - share) / (n + rest_n))
        return cls(excess, share, spread, (wide[0], wide[1]), _quantile(narrow[0], narrow[1], AT), over_rest)

    def chance(self, difference: Floats) -> Floats:
        """The lower confidence distribution of the rate of the part less that of the others, at a difference."""
        d = difference[:, None]
        return np.asarray(_below(*self.wide, np.where(self.over_rest, d + self.nodes, 1 + d - self.nodes)) @ WEIGHT)

    def leaves_out(self, excess: Floats, tail: Floats) -> NDArray[np.bool_]:
        """Whether the lower limit at a tail lies above an excess."""
        return self._needed(excess, tail) < tail

    def _needed(self, excess: Floats, tail: Floats) -> Floats:
        """The tail above which an excess is left out, were the chance in the share that of this tail; 1 where never."""
        others = 1 - self.share
        left = (self.excess - excess) ** 2 - (ndtri(tail) * excess / others * self.spread) ** 2
        difference = (self.excess - np.sqrt(np.maximum(left, 0))) / others
        return np.where((excess < self.excess) & (left > 0), self.chance(difference), 1.0)

    def limit(self, tail: Floats) -> Floats:
        """The largest excess that is left out."""
        low, high = -np.ones(self.excess.shape), self.excess
        for _ in range(STEPS):
            middle = (low + high) / 2
            out = self.leaves_out(middle, tail)
            low, high = np.where(out, middle, low), np.where(out, high, middle)
        return low

    def p(self, tolerance: float) -> Floats:
        """The smallest tail at which an excess of the tolerance is left out, at most one half."""
        if tolerance == 0:
            return np.minimum(self.chance(np.zeros(self.excess.shape)), 0.5)
        low, high = np.full(self.excess.shape, np.log(LEAST)), np.full(self.excess.shape, np.log(0.5))
        middle, tolerated = high, np.full(self.excess.shape, tolerance)
        for step in range(1, 2 * STEPS):  # what is needed falls as the tail rises, so that it is the other end
            needed = np.log(np.clip(self._needed(tolerated, np.exp(middle)), LEAST, 0.5))
            out = needed < middle
            low = np.maximum(low, np.where(out, needed, middle))
            high = np.minimum(high, np.where(out, middle, needed))
            if (high - low < NEAR).all():
                break
            middle = np.where(out, low, high) if step % 3 else (low + high) / 2
        return np.asarray(np.exp(high))


NEAR = 1e-11  # relative, of a p-value
LEAST = 1e-17  # what lies farther out the integrals do not see


def _variance(a: Floats, b: Floats) -> Floats:
    return np.asarray(a * b / ((a + b) ** 2 * (a + b + 1)))


def _quantile(a: Floats, b: Floats, at: Floats) -> Floats:
    """Quantiles of a beta variable, which is 0 where a is 0 and 1 where b is."""
    present = (a > 0) & (b > 0)
    return np.where(
        present, betaincinv(np.where(present, a, 1), np.where(present, b, 1), at), np.where(a > 0, 1.0, 0.0)
    )


def _below(a: Floats, b: Floats, at: Floats) -> Floats:
    """The chance of such a variable to be at most a value."""
    present, at = (a > 0) & (b > 0), np.clip(at, 0, 1)
    chance = betainc(np.where(present, a, 1), np.where(present, b, 1), at)
    return np.where(present, chance, np.where(a > 0, at >= 1, 1.0))


def _sides(*given: ArrayLike) -> tuple[tuple[_Side, _Side], NDArray[np.bool_], tuple[int, ...]]:
    """The lower and the upper side of those of whom somebody is in the part and somebody is not."""
    shaped = counts(*given)
    e, n, all_e, all_n = (np.ravel(values) for values in shaped[:4])
    present = (n > 0) & (n < all_n)
    e, n, all_e, all_n = (values[present] for values in (e, n, all_e, all_n))
    rest_e, rest_n = all_e - e, all_n - n
    return (_Side.of(e, n, rest_e, rest_n), _Side.of(n - e, n, rest_n - rest_e, rest_n)), present, shaped[0].shape


def _shaped(values: Floats, present: NDArray[np.bool_], shape: tuple[int, ...]) -> Floats:
    out = np.full(present.shape, np.nan)
    out[present] = values
    return out.reshape(shape)


def excess_limits(
    events: ArrayLike, n: ArrayLike, all_events: ArrayLike, all_n: ArrayLike, tail: float
) -> tuple[Floats, Floats]:
    """Limits of the rate of a part less the rate of everybody, of people drawn at random.

    events, n: numerator and denominator of the part.
    all_events, all_n: of everybody, the part included.
    tail: the chance that each of the two limits may err.
    Returns low, high: NaN where nobody is in the part, or everybody is.

    With the share s of the part, the excess is (1 - s) times the difference d between the part and the others, who are
    independent of it given their numbers. The lower limit of d is the quantile of a difference of two beta variables,
    the lower confidence distribution of the one rate and the upper one of the other, which are those of Clopper and
    Pearson. By enumeration (parts of 4 and 10 people beside 30 to 500 others, rates from 0.005 to 0.98, tails from
    0.025 to 0.00015) it errs at most 0.61 times as often as nominal, where square roots of sums (MOVER) err up to 20
    times as often. The chance in s adds (z d)^2 s (1 - s) / N to the squared distance of the limit.

    Source: Clopper & Pearson (1934), Biometrika 26; Xie & Singh (2013), Confidence distribution, International
    Statistical Review 81, 3-39.

    >>> low, high = excess_limits(30, 100, 200, 1000, 0.025)
    >>> round(float(low), 3), round(float(high), 3)
    (0.017, 0.193)
    """
    (lower, upper), present, shape = _sides(events, n, all_events, all_n)
    tails = np.full(lower.excess.shape, tail)
    return _shaped(lower.limit(tails), present, shape), _shaped(-upper.limit(tails), present, shape)


def excess_p(
    events: ArrayLike, n: ArrayLike, all_events: ArrayLike, all_n: ArrayLike, tolerance: float = 0.0
) -> Floats:
    """p-values of the hypotheses that the rate of a part is within a tolerance of everybody's.

    events, n, all_events, all_n: as in `excess_limits`.
    tolerance: the largest excess, to either side, that is no disparity.
    Returns: twice the smallest tail at which a limit lies beyond the tolerance, at most 1: below 1 - level exactly
        where the limits of that level leave everything within the tolerance out.

    >>> excess_p([30, 21], 100, 200, 1000).round(3).tolist()
    [0.016, 0.879]
    """
    (lower, upper), present, shape = _sides(events, n, all_events, all_n)
    return _shaped(np.minimum(2 * np.minimum(lower.p(tolerance), upper.p(tolerance)), 1.0), present, shape)


def joint_tail(
    members: NDArray[np.bool_], events: Floats, n: Floats, conf_level: float, seed: int, draws: int = DRAWS
) -> float:
    """The tail of each limit at which those of all parts together hold with the confidence asked for.

    members: which cells of people a part consists of, shape (parts, cells).
    events, n: Numerators and denominators, shape (cells,).
    Returns: the chance that a standard normal variable lies above the quantile of the largest of as many as there are
        parts, correlated as the estimates are; between Bonferroni's tail and that of a single part.

    The bootstrap of the largest studentized excess (Cherian & Candes 2024) with normal multipliers (Chernozhukov,
    Chetverikov & Kato 2013): of the data it needs the covariance of the estimates only, which is a function of counts.
    In place of each cell's rate stands (events + r) / (n + 1), r the rate of everybody: a cell without events is not
    one without chance.

    Source: Cherian & Candes (2024), Journal of Machine Learning Research 25; Chernozhukov, Chetverikov & Kato (2013),
    Annals of Statistics 41, 2786-2819.

    >>> tail = joint_tail(np.eye(3, dtype=bool), np.array([5.0, 20, 10]), np.array([50.0, 60, 70]), 0.95, seed=0)
    >>> 0.025 / 3 <= tail < 0.01
    True
    """
    return largest_tail(_covariance(members, events, n), conf_level, seed, draws)


def largest_tail(covariance: Floats, conf_level: float, seed: int, draws: int = DRAWS) -> float:
    """The tail of each limit at which those of correlated normal estimates together hold.

    covariance: of the estimates, shape (parts, parts).
    Returns: as `joint_tail`.
    """
    root = _root(covariance)
    rng = np.random.default_rng(seed)
    blocks = (rng.standard_normal((BLOCK, len(root)), dtype=root.dtype) @ root for _ in range(-(-draws // BLOCK)))
    largest = np.concatenate([np.abs(block).max(axis=1) for block in blocks])
    alone = (1 - conf_level) / 2
    tail = float(ndtr(-np.quantile(largest, conf_level, method="higher")))
    return min(max(tail, alone / len(covariance)), alone)


def _covariance(members: NDArray[np.bool_], events: Floats, n: Floats) -> Floats:
    """The covariance of the excesses: by what each moves with a person of a cell who has the event, or has it not."""
    total = n.sum()
    p = (events + events.sum() / total) / (n + 1)
    within = members @ n
    current, everybody = (members @ (n * p)) / within, float(n @ p) / total
    out = np.zeros((len(members), len(members)))
    for start in range(0, n.size, BLOCK):
        cells = slice(start, start + BLOCK)
        weight = members[:, cells] * (total / within)[:, None]
        for event, chance in ((1.0, p[cells]), (0.0, 1 - p[cells])):
            moved = (weight * (event - current)[:, None] - (event - everybody)) * np.sqrt(n[cells] * chance / total)
            out += moved @ moved.T
    return out


def _root(covariance: Floats) -> NDArray[Any]:
    """A matrix that makes independent normals correlated as these are, of variance 1.

    Of many it has as many rows as are linearly independent, in single precision: a third of the time of eigenvectors.
    """
    sd = np.sqrt(np.diag(covariance))
    if sd.size > FEW_PARTS:
        from scipy.linalg.lapack import dpstrf

        scale = np.where(sd > 0, sd, 1.0)
        correlation = covariance / scale[:, None]
        correlation /= scale
        np.fill_diagonal(correlation, 1.0)
        upper, order, rank, _ = dpstrf(correlation.T, tol=1e-10, overwrite_a=True)  # in place: a copy may be 800 MB
        root = np.empty((rank, sd.size), dtype=np.float32)
        for row in range(rank):
            root[row, order[:row] - 1] = 0.0
            root[row, order[row:] - 1] = upper[row, row:]
        return root
    spread = np.outer(sd, sd)
    correlation = np.divide(covariance, spread, out=np.eye(sd.size), where=spread > 0)
    values, vectors = np.linalg.eigh(correlation)
    return np.ascontiguousarray((vectors * np.sqrt(np.clip(values, 0, None))).T)
