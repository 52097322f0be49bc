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
from fairstats.choices import Contrast
from fairstats.estimates import NAN
from fairstats.inference.rates.all_rates_equal import REPLICATES, TIE, members, permuted
from fairstats.inference.rates.largest_pairs import largest_normal, largest_score, largest_scores
from fairstats.inference.rates.score_intervals import koopman, miettinen_nurminen, outermost_limits

Floats = NDArray[np.float64]
Family = tuple[tuple[float, ...], tuple[float, ...]]  # events and sizes
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


def joint_level(
    events: ArrayLike,
    n: ArrayLike,
    conf_level: float = 0.95,
    *,
    contrast: Contrast = "difference",
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
    >>> import fairstats as fs
    >>> joint = fs.stats.joint_level([50, 60, 55], [100, 100, 100])
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
    normal = np.max([largest_normal(size, replicates, rng) for _, size in arrays], axis=0)
    if not all(np.array_equal(v, np.round(v)) for family in arrays for v in family):
        return dict.fromkeys(("normal", *CONTRASTS), normal)
    exchanged = [(permuted(e, size, replicates, rng), size) for e, size in arrays]
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
    events: ArrayLike, n: ArrayLike, level: float, contrast: Contrast = "difference"
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
