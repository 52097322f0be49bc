"""The two-sample Kolmogorov-Smirnov test, exact given the ties for small samples."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import kolmogorov

from fairstats.inference.scores.merged_samples import Blocks, RankTest, merge

# R's ks.test is exact below this product of the sample sizes
EXACT_BELOW = 10_000


def kolmogorov_smirnov(x: ArrayLike, y: ArrayLike) -> RankTest:
    """Test that two samples have one distribution by the largest distance of their distribution functions, two-sided.

    Parameters
    ----------
    x, y : array_like, shape (n,) and (m,)
        The two samples.

    Returns
    -------
    RankTest
        `statistic` is the distance D. The p-value is exact given the ties for n m < 10 000 (as R's ``ks.test`` since
        4.2), Kolmogorov's limit above (R stops its series at 1e-6). NaN where a sample is empty.

    Raises
    ------
    InputError
        If a value is missing.

    References
    ----------
    Hodges (1958), The significance probability of the Smirnov two-sample test; Schröer & Trenkler (1995) for ties.

    Examples
    --------
    >>> import fairstats as fs
    >>> test = fs.stats.kolmogorov_smirnov([1, 2, 3], [4, 5, 6])
    >>> test.statistic, round(test.p_value, 6)
    (1.0, 0.1)
    """
    return distance_test(merge(x, y))


def distance_test(blocks: Blocks) -> RankTest:
    """Kolmogorov and Smirnov's test of two samples already merged.

    Parameters
    ----------
    blocks : Blocks
        The samples, unweighted.

    Returns
    -------
    RankTest

    Examples
    --------
    >>> distance_test(merge([1, 2], [3, 4])).statistic
    1.0
    """
    n, m = round(blocks.n), round(blocks.m)
    if min(n, m) == 0:
        return RankTest(float("nan"), float("nan"), "a group without scores")
    # in whole numbers, n m times the distance, so that equal distances compare equal
    distance = int(np.abs(np.cumsum(blocks.x) * m - np.cumsum(blocks.y) * n).max())
    statistic = distance / (n * m)
    if n * m < EXACT_BELOW:
        return RankTest(statistic, _exact(blocks, n, m, distance), "Kolmogorov-Smirnov, exact given the ties")
    p = float(kolmogorov(np.sqrt(n * m / (n + m)) * statistic))
    return RankTest(statistic, p, "Kolmogorov-Smirnov, asymptotic")


def _exact(blocks: Blocks, n: int, m: int, distance: int) -> float:
    """Probability that a random path from (0, 0) to (n, m) is as far from the diagonal at the end of some block.

    Summed as absorbed mass, not as one minus the rest, so that a tiny p-value keeps its digits.
    """
    if distance == 0:
        return 1.0
    from_x = np.arange(n + 1)
    ends = set(np.cumsum(blocks.sizes).astype(int).tolist())
    mass = np.zeros(n + 1)
    mass[0] = 1.0
    absorbed = 0.0
    for step in range(n + m):
        advance = mass * np.clip(n - from_x, 0, None) / (n + m - step)
        mass = mass - advance
        mass[1:] += advance[:-1]
        if step + 1 in ends:
            far = np.abs(from_x * m - (step + 1 - from_x) * n) >= distance
            absorbed += float(mass[far].sum())
            mass[far] = 0.0
    return min(1.0, absorbed)
