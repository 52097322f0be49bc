"""Do all groups have the same rate? Chi-square and permutation tests, on counts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import chdtrc

from fairstats.arguments import choose
from fairstats.estimates import Estimate

Floats = NDArray[np.float64]
REPLICATES = 10_000
# statistics closer than this are one table, summed in another order
TIE = 1e-9
MOST_COUNTED = 1_000_000_000  # people: of more, numpy draws no hypergeometric counts


def members(events: ArrayLike, n: ArrayLike) -> tuple[Floats, Floats]:
    """Events and sizes of the groups that have members, as float arrays.

    Examples
    --------
    >>> [v.tolist() for v in members([1, 0], [4, 0])]
    [[1.0], [4.0]]
    """
    e, size = np.asarray(events, dtype=float), np.asarray(n, dtype=float)
    return e[size > 0], size[size > 0]


def permuted(e: Floats, n: Floats, replicates: int, rng: np.random.Generator) -> Floats:
    """Counts of events when the labels of the groups are exchanged among the people; the cost ignores their number.

    Of a billion people or more, whom numpy does not count, the draws are as near as `_events` says.

    Examples
    --------
    >>> permuted(np.array([1.0, 2.0]), np.array([3.0, 3.0]), 5, np.random.default_rng(0)).sum(axis=1).tolist()
    [3.0, 3.0, 3.0, 3.0, 3.0]
    """
    total, sizes = round(float(e.sum())), n.astype(np.int64)
    if sizes.sum() < MOST_COUNTED:
        return rng.multivariate_hypergeometric(sizes, total, replicates, method="marginals").astype(float)
    drawn, left, people = np.zeros((replicates, n.size)), np.full(replicates, total), int(sizes.sum())
    *others, last = np.argsort(sizes, kind="stable")
    for group in others:
        drawn[:, group] = events = _events(int(sizes[group]), left, people, rng)
        left, people = left - events, people - int(sizes[group])
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


def chi_square(events: ArrayLike, n: ArrayLike) -> tuple[float, float, float]:
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


def permutation_test(events: ArrayLike, n: ArrayLike, *, replicates: int = REPLICATES, seed: int = 0) -> float:
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
    drawn = _pearson(permuted(e, n, replicates, np.random.default_rng(seed)), n)
    return (1 + int(np.sum(drawn >= _pearson(e, n) * (1 - TIE)))) / (1 + replicates)


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

    Parameters
    ----------
    events, n : array_like, shape (G,)
        Events and sizes.
    metric, attribute : str
        What the row is about.
    test : {"chi-square", "permutation"}
        The p-value; the statistic is Pearson's in both.
    replicates, seed : int
        Of the permutation test.

    Returns
    -------
    Estimate
        Its role is "all groups". Status ``"unestimable"`` where fewer than two groups have members; the reason
        names a cell with fewer than five expected, where the chi-square approximation is doubtful.

    Raises
    ------
    InputError
        If `test` is unknown.

    Examples
    --------
    >>> row = omnibus([83, 90, 129, 70], [86, 93, 136, 82])
    >>> round(row.p_value, 4), row.df
    (0.0056, 3.0)
    """
    p_value = choose("test", test, TESTS)(events, n, replicates, seed)
    statistic, df, _ = chi_square(events, n)
    e, size = members(events, n)
    about = Estimate(metric, attribute, role="all groups", n=float(size.sum()), events=float(e.sum()))
    if size.size < 2:
        return replace(about, status="unestimable", reason="fewer than two groups have members")
    least = float(size.min() * min(e.sum(), size.sum() - e.sum()) / size.sum())
    caution = f"a cell has {least:.2g} expected, under 5" if least < 5 and test == "chi-square" else ""
    return replace(about, statistic=statistic, df=df, p_value=p_value, method=TEST_NAMES[test], reason=caution)


TESTS: dict[str, Callable[..., float]] = {
    "chi-square": lambda events, n, replicates, seed: chi_square(events, n)[2],
    "permutation": lambda events, n, replicates, seed: permutation_test(events, n, replicates=replicates, seed=seed),
}
TEST_NAMES = {"chi-square": "Pearson's chi-square test", "permutation": "permutation test of chi-square"}
