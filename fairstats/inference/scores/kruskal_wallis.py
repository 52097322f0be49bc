"""Several groups of scores at once: the Kruskal-Wallis test and Dunn's comparisons of all pairs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import chdtrc, ndtr, ndtri

from fairstats.choices import ByP
from fairstats.errors import InputError
from fairstats.estimates import Estimate, Estimates
from fairstats.inference.multiplicity import adjust
from fairstats.inference.scores.merged_samples import Floats, order_of

NAN = float("nan")
ONE_VALUE = "every score is the same: the spread of the ranks is unknown"


@dataclass(frozen=True)
class KruskalWallis:
    """The Kruskal-Wallis test."""

    statistic: float
    df: float
    p_value: float
    method: str = "Kruskal-Wallis"


@dataclass(frozen=True)
class DunnPair:
    """One pair of groups, by position: the difference of mean ranks (first minus second) and its test."""

    first: int
    second: int
    difference: float
    std_error: float
    statistic: float
    p_value: float
    p_adjusted: float


@dataclass(frozen=True)
class _Ranked:
    sizes: Floats
    mean_ranks: Floats
    variance: float  # of a rank, with divisor N - 1: the tie correction is in it


def _rank(groups: Sequence[ArrayLike]) -> _Ranked:
    samples = [np.asarray(g, dtype=float).ravel() for g in groups]
    values, codes = np.concatenate(samples), np.repeat(np.arange(len(samples)), [s.size for s in samples])
    if np.isnan(values).any():
        raise InputError(f"groups has {int(np.isnan(values).sum())} missing scores; ranks need numbers; drop them.")
    order = order_of(values)
    ordered = values[order]
    starts = np.flatnonzero(np.concatenate([[True], ordered[1:] != ordered[:-1]]))
    ends = np.append(starts[1:], values.size)
    # centered midranks: no digits are lost to the mean rank of many people
    centered = np.repeat((starts + ends - values.size) / 2, ends - starts)
    sizes = np.bincount(codes, minlength=len(samples)).astype(float)
    sums = np.bincount(codes[order], weights=centered, minlength=len(samples))
    means = np.divide(sums, sizes, out=np.full(sizes.size, NAN), where=sizes > 0)
    return _Ranked(sizes, means, float(centered @ centered) / max(values.size - 1, 1))


def kruskal_wallis(groups: Sequence[ArrayLike]) -> KruskalWallis:
    """Test that several groups of scores have one distribution (Kruskal and Wallis), corrected for ties.

    Parameters
    ----------
    groups : sequence of array_like
        The scores, one array a group; empty ones do not count.

    Returns
    -------
    KruskalWallis
        Chi-square p-value on (groups - 1) degrees of freedom. One value for everybody is no evidence: statistic 0 and
        p = 1 (R: NaN). NaN with fewer than two groups.

    Raises
    ------
    InputError
        If a score is missing.

    References
    ----------
    Kruskal & Wallis (1952). R: ``kruskal.test``.

    Examples
    --------
    >>> import fairstats as fs
    >>> test = fs.stats.kruskal_wallis([[1, 2, 3], [2, 4, 6], [5, 7, 9]])
    >>> round(test.statistic, 4), test.df, round(test.p_value, 4)
    (5.4006, 2.0, 0.0672)
    """
    return _kruskal(_rank(groups)) if len(groups) else KruskalWallis(NAN, NAN, NAN)


def _kruskal(ranked: _Ranked) -> KruskalWallis:
    held = ranked.sizes > 0
    df = float(held.sum() - 1)
    if df < 1:
        return KruskalWallis(NAN, NAN, NAN)
    between = float(ranked.sizes[held] @ ranked.mean_ranks[held] ** 2)
    statistic = between / ranked.variance if ranked.variance > 0 else 0.0
    return KruskalWallis(statistic, df, float(chdtrc(df, statistic)))


def dunn(groups: Sequence[ArrayLike], method: ByP = "holm") -> list[DunnPair]:
    """Compare all pairs of groups by their mean ranks in the pooled sample (Dunn).

    Parameters
    ----------
    groups : sequence of array_like
        The scores, one array a group.
    method : {"bonferroni", "holm", "bh", "none"}
        How the two-sided p-values are adjusted.

    Returns
    -------
    list of DunnPair
        Every pair once, in order; NaN where one of the two is empty.

    Raises
    ------
    InputError
        If a score is missing or `method` is unknown.

    References
    ----------
    Dunn (1964), Multiple comparisons using rank sums (with her correction for ties). R: ``dunn.test``, ``FSA``.

    Examples
    --------
    >>> import fairstats as fs
    >>> pairs = fs.stats.dunn([[1, 2, 3], [2, 4, 6], [5, 7, 9]])
    >>> [round(pair.p_adjusted, 4) for pair in pairs]
    [0.4064, 0.061, 0.4064]
    """
    return _dunn(_rank(groups), method) if len(groups) else []


def _dunn(ranked: _Ranked, method: ByP) -> list[DunnPair]:
    pairs = list(combinations(range(ranked.sizes.size), 2))
    first, second = np.array(pairs, dtype=int).reshape(-1, 2).T
    gaps = ranked.mean_ranks[first] - ranked.mean_ranks[second]
    with np.errstate(divide="ignore"):  # an empty group has an infinite standard error and a missing difference
        errors = np.sqrt(ranked.variance * (1 / ranked.sizes[first] + 1 / ranked.sizes[second]))
    z = np.divide(gaps, errors, out=np.where(np.isnan(gaps), NAN, 0.0), where=errors > 0)
    p = 2 * ndtr(-np.abs(z))
    columns = (first, second, gaps, errors, z, p, np.asarray(adjust(p, method)))
    return [DunnPair(int(i), int(j), *(float(v) for v in rest)) for i, j, *rest in zip(*columns, strict=True)]


def kruskal_estimates(
    groups: Mapping[str, ArrayLike],
    *,
    metric: str = "mean rank",
    attribute: str = "",
    method: ByP = "holm",
    conf_level: float = 0.95,
) -> Estimates:
    """The rows of an audit for several groups of scores: the omnibus test, then Dunn's comparisons.

    Parameters
    ----------
    groups : mapping of str to array_like
        The scores of each level.
    metric, attribute : str
        What the rows say they are about.
    method : {"bonferroni", "holm", "bh", "none"}
        How the p-values of the pairs are adjusted.
    conf_level : float
        Level of the (unadjusted) normal intervals of the pairs.

    Returns
    -------
    Estimates
        First the omnibus row (statistic, df, p-value, no estimate), then one row a pair: the difference of mean
        ranks as a share of everybody, so that 0.1 means ten percentage points up the common ladder.

    Raises
    ------
    InputError
        If a score is missing.

    Examples
    --------
    >>> rows = kruskal_estimates({"a": [1, 2, 3], "b": [2, 4, 6], "c": [5, 7, 9]})
    >>> rows.column("group"), rows.column("reference")
    (['', 'b', 'c', 'c'], ['', 'a', 'a', 'b'])
    """
    names = list(groups)
    if not names:
        return Estimates()
    ranked = _rank([groups[name] for name in names])
    everybody = float(ranked.sizes.sum())
    omnibus = _omnibus(Estimate(metric, attribute, n=everybody), _kruskal(ranked))
    pairs = [
        _pair(Estimate(metric, attribute, names[d.second], "difference", names[d.first]), d, ranked, conf_level)
        for d in _dunn(ranked, method)
    ]
    return Estimates([omnibus, *pairs])


def _omnibus(row: Estimate, test: KruskalWallis) -> Estimate:
    if np.isnan(test.statistic):
        return replace(row, status="unestimable", reason="fewer than two groups with scores")
    return replace(row, statistic=test.statistic, df=test.df, p_value=test.p_value, method=test.method)


def _pair(row: Estimate, pair: DunnPair, ranked: _Ranked, conf_level: float) -> Estimate:
    n, everybody = ranked.sizes[pair.second], ranked.sizes.sum()
    if np.isnan(pair.difference):
        return replace(row, n=float(n), status="unestimable", reason="a group without scores")
    # one value for everybody has no spread of ranks, which is not a spread of 0
    flat = not pair.std_error > 0
    half = NAN if flat else float(ndtri((1 + conf_level) / 2)) * pair.std_error
    # the row reads later minus earlier, the pair earlier minus later
    return row.with_interval(
        float(-pair.difference / everybody),
        float((-pair.difference - half) / everybody),
        float((-pair.difference + half) / everybody),
        conf_level,
        n=float(n),
        std_error=float(pair.std_error / everybody),
        p_adjusted=pair.p_adjusted,
        method="Dunn",
        reason=ONE_VALUE if flat else row.reason,
    ).with_test(-pair.statistic, pair.p_value)
