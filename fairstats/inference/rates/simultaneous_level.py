"""The level at which intervals of all pairs of groups hold together, by single-step max-t.

All pairs get score intervals at one common level; the critical value is the permutation distribution of the largest
score statistic (Tukey's idea, without his normal theory where counts are small).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtr

from fairstats.arguments import choose
from fairstats.estimates import NAN
from fairstats.inference.rates.all_rates_equal import REPLICATES, TIE, members, permuted
from fairstats.inference.rates.score_intervals import koopman, miettinen_nurminen, outermost_limits

Floats = NDArray[np.float64]
Places = NDArray[np.intp]
Family = tuple[tuple[float, ...], tuple[float, ...]]  # events and sizes
# relative distance kept from attainable values, so that intervals and test agree in spite of rounding
CLEAR = 1e-7
# pairs of groups that are looked at together, so that memory does not grow with the groups
AT_ONCE = 1 << 19


@dataclass(frozen=True)
class _Contrast:
    """What is compared: its interval, and the factor of the variance of that interval's score statistic."""

    interval: Callable[..., tuple[Any, Any]]
    factor: Callable[[Any], Any]


CONTRASTS = {
    "difference": _Contrast(miettinen_nurminen, lambda size: size / (size - 1)),
    "ratio": _Contrast(koopman, lambda size: 1.0),
}


def largest_score(e: Floats, n: Floats, factor: Callable[[Floats], Floats]) -> Floats:
    """The largest |score| of equality over the pairs.

    Parameters
    ----------
    e : ndarray, shape (..., G)
        Events.
    n : ndarray, shape (G,)
        Sizes, all positive.
    factor : callable
        ``CONTRASTS[contrast].factor``: the variance factor as a function of the size of a pair.

    Returns
    -------
    ndarray, shape (...)

    Notes
    -----
    With T = n_i + n_j and d = p_i - p_j > 0, 1 / z^2 = 1 / T + p_i (1 - p_i) / (n_j d^2) + p_j (1 - p_j) / (n_i d^2):
    z rises with both sizes, with p_i and with -p_j. So of the upper groups of pairs only those matter than which no
    larger group has as high a rate, and likewise of the lower ones: about log(G) each, in place of all pairs.

    Examples
    --------
    >>> round(float(largest_score(np.array([1.0, 5.0, 3.0]), np.full(3, 10.0), lambda size: 1.0)), 4)
    1.9518
    """
    out = _largest_scores(e.reshape(-1, n.size), n, [factor])[0]
    return out.reshape(e.shape[:-1])


def _largest_scores(e: Floats, n: Floats, factors: list[Callable[[Floats], Floats]]) -> list[Floats]:
    """`largest_score` of rows of events for several factors, which rest on the same pairs."""
    groups = np.argsort(-n, kind="stable")
    columns, sizes = np.ascontiguousarray(e.T[groups]), n[groups]

    def scores(row: Places, i: Places, j: Places) -> list[Floats]:
        own, other, total = columns[i, row], columns[j, row], sizes[i] + sizes[j]
        pooled = (own + other) / total
        with np.errstate(divide="ignore", invalid="ignore"):
            plain = (own / sizes[i] - other / sizes[j]) / np.sqrt(pooled * (1 - pooled) * total / (sizes[i] * sizes[j]))
            return [plain / np.sqrt(factor(total)) for factor in factors]

    return _largest_of_pairs(columns / sizes[:, None], scores)


def _largest_normal(n: Floats, replicates: int, rng: np.random.Generator) -> Floats:
    groups = np.argsort(-n, kind="stable")
    noise, sizes = (rng.standard_normal((replicates, n.size)) / np.sqrt(n)).T[groups], n[groups]

    def scores(row: Places, i: Places, j: Places) -> list[Floats]:
        return [(noise[i, row] - noise[j, row]) / np.sqrt(1 / sizes[i] + 1 / sizes[j])]

    return _largest_of_pairs(noise, scores)[0]


def _largest_of_pairs(values: Floats, scores: Callable[[Places, Places, Places], list[Floats]]) -> list[Floats]:
    """In each column the largest scores of one group over another, which rise with its value and with both sizes.

    Groups are in descending order of size. A group that a larger one exceeds in value is not the upper one of the
    largest pair, and likewise for the lower one. Scores that are NaN do not count.
    """
    if not len(values):
        none = np.empty(0, dtype=np.intp)
        return [np.zeros(values.shape[1]) for _ in scores(none, none, none)]
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
        own = np.arange(start, ends[until - 1])
        times = below[upper_row[own]]
        place = np.arange(times.sum()) - np.repeat(np.cumsum(times) - times, times)
        replicate = np.repeat(upper_row[own], times)
        firsts = np.concatenate([[0], pairs[ends[row : until - 1] - 1] - done])
        found = scores(replicate, np.repeat(upper[own], times), lower[first_below[replicate] + place])
        out.append([np.maximum.reduceat(np.where(v > 0, v, 0.0), firsts) for v in found])
        start, row = int(ends[until - 1]), until
    return [np.concatenate(parts) for parts in zip(*out, strict=True)]


def _records(values: Floats) -> NDArray[np.bool_]:
    """Whether a value exceeds all before it, as (replicates, groups); the first one does."""
    out = np.empty(values.shape[::-1], dtype=bool)
    largest = np.full(values.shape[1], -np.inf)
    for group, own in enumerate(values):
        np.greater(own, largest, out=out[:, group])
        np.maximum(own, largest, out=largest)
    return out


@dataclass(frozen=True)
class Joint:
    """The level at which pairwise score intervals hold jointly, and the max-t test that agrees with them.

    ``p_value`` is below 1 - family level exactly where some pairwise interval at ``conf_level`` excludes equality.
    """

    conf_level: float
    statistic: float
    p_value: float


def joint_level(
    events: ArrayLike,
    n: ArrayLike,
    conf_level: float = 0.95,
    *,
    contrast: str = "difference",
    replicates: int = REPLICATES,
    seed: int = 0,
) -> Joint:
    """Return the confidence level that pairwise score intervals need so that all hold at once with `conf_level`.

    The critical value is the quantile of the largest score statistic over all pairs when the labels of the groups
    are exchanged among the people (with half the weight of ties: mid-p, since the plain version covers up to 98 %
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
    >>> joint = joint_level([50, 60, 55], [100, 100, 100])
    >>> 0.97 < joint.conf_level < 0.985, joint.p_value > 0.3
    (True, True)
    """
    choose("contrast", contrast, CONTRASTS)
    families = [members(e, size) for e, size in zip(np.atleast_2d(events), np.atleast_2d(n), strict=True)]
    if all(size.size < 2 for _, size in families):
        return Joint(NAN, NAN, NAN)
    observed = float(np.max([largest_score(e, size, CONTRASTS[contrast].factor) for e, size in families]))
    found = _null(tuple((tuple(e.tolist()), tuple(size.tolist())) for e, size in families), replicates, seed)
    normal, drawn = found["normal"], found[contrast]
    return _calibrated(np.append(drawn, observed), float(np.quantile(normal, conf_level)), observed, 1 - conf_level)


@lru_cache(maxsize=4)
def _null(families: tuple[Family, ...], replicates: int, seed: int) -> dict[str, Floats]:
    """The largest statistic of every replicate, in the normal theory and for each contrast under exchanged labels.

    Kept for the last few families, since differences and ratios of the same counts rest on the same draws.
    """
    rng = np.random.default_rng(seed)
    arrays = [(np.array(e), np.array(size)) for e, size in families]
    normal = np.max([_largest_normal(size, replicates, rng) for _, size in arrays], axis=0)
    if not all(np.array_equal(v, np.round(v)) for family in arrays for v in family):
        return dict.fromkeys(("normal", *CONTRASTS), normal)
    exchanged = [(permuted(e, size, replicates, rng), size) for e, size in arrays]
    factors = [contrast.factor for contrast in CONTRASTS.values()]
    largest = np.max([_largest_scores(e, size, factors) for e, size in exchanged], axis=0)
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


def pairwise(events: ArrayLike, n: ArrayLike, level: float, contrast: str = "difference") -> tuple[Floats, Floats]:
    """Score intervals of every ordered pair of groups, each at one level.

    Parameters
    ----------
    events, n : array_like, shape (G,)
        Events and sizes.
    level : float
        Level of each interval; ``joint_level(...).conf_level`` makes them hold together.
    contrast : {"difference", "ratio"}
        p_i - p_j or p_i / p_j.

    Returns
    -------
    low, high : ndarray, shape (G, G)
        Row i, column j; the diagonal is NaN, as are pairs with an empty group.

    Raises
    ------
    InputError
        If `contrast` is unknown.

    References
    ----------
    Miettinen & Nurminen (1985), Statistics in Medicine 4; Koopman (1984), Biometrics 40.

    Examples
    --------
    >>> low, high = pairwise([1, 5], [10, 10], 0.95)
    >>> low[0].round(3).tolist(), high[0].round(3).tolist()
    ([nan, -0.705], [nan, 0.013])
    """
    e, n = np.asarray(events, dtype=float), np.asarray(n, dtype=float)
    low, high = choose("contrast", contrast, CONTRASTS).interval(e[:, None], n[:, None], e, n, level)
    low[np.diag_indices(n.size)] = high[np.diag_indices(n.size)] = np.nan
    return low, high


def outermost_of_pairs(
    events: ArrayLike, n: ArrayLike, level: float, contrast: str = "difference"
) -> tuple[float, float]:
    """The largest lower and upper limit of the differences of all pairs of groups; of ratios the smallest ones.

    Parameters
    ----------
    events, n, level, contrast
        As in `pairwise`, whose outermost limits these are.

    Returns
    -------
    low, high : float

    Examples
    --------
    >>> [round(v, 3) for v in outermost_of_pairs([1, 5], [10, 10], 0.95)]
    [-0.013, 0.705]
    """
    e, n = np.asarray(events, dtype=float), np.asarray(n, dtype=float)
    i, j = np.nonzero(~np.eye(n.size, dtype=bool))
    return outermost_limits(e[i], n[i], e[j], n[j], level, contrast)
