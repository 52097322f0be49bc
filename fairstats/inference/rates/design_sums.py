"""Rates under weights and clusters from sums over people and clusters: variances, effective sizes, overlap of units."""

from __future__ import annotations

import numpy as np

from fairstats.arrays import Floats
from fairstats.inference.rates.design_rates import NAN, DesignRates

MOST_OVERLAP = 4.0  # a quarter of a degree of freedom, whose quantiles are still finite: it shows nothing


def rates_of_weighted(events: Floats, n: Floats, e2: Floats, n2: Floats, people: Floats, drawn: int) -> DesignRates:
    """Rates of weighted people, from the sums of their weights and of the squares.

    Parameters
    ----------
    events, n : ndarray, shape (G,)
        Summed weights of those with the property, and of all.
    e2, n2 : ndarray, shape (G,)
        Summed squares of the same weights.
    people : ndarray, shape (G,)
        People of positive weight.
    drawn : int
        People of positive weight in the whole sample, whose domains the groups are.

    Returns
    -------
    DesignRates
        The effective size is p(1 - p)/v or Kish's n²/n2, whichever is smaller: where the weights are uneven the
        variance v is estimated from few people, and is too small more often than too large. t has Kish's size less
        one degrees of freedom.

    References
    ----------
    Kish (1965), Survey Sampling, section 11.7; Dean & Pagano (2015), J. Surv. Stat. Methodol. 3, 484-503; Franco,
    Little, Louis & Slud (2019), J. Surv. Stat. Methodol. 7, 334-364.

    Examples
    --------
    >>> one = np.array([60.0])
    >>> made = rates_of_weighted(one / 2, one, one, 2 * one, one, 60)
    >>> made.size.tolist(), round(made.df(0), 1)
    ([29.5], 29.0)
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        p = events / n
        squared = ((1 - p) ** 2 * e2 + p**2 * (n2 - e2)) / n**2
        kish = np.where(n2 > 0, n**2 / n2, 0.0)
        size = _size(p, people / (people - 1) * squared, kish, kish)
        own = 1 / np.maximum(kish - 1, 0)
    linearized = np.diag(bessel(drawn) * np.maximum(squared, 0))
    return DesignRates(p, size, linearized, people.astype(np.int64), np.diag(own), np.eye(n.size), False)


def rates_of_clusters(e: Floats, d: Floats, n2: Floats, drawn: int) -> DesignRates:
    """Rates of clustered people, weighted or not, from the sums of each cluster.

    Parameters
    ----------
    e, d : ndarray, shape (K, G)
        People (or their summed weights) of each cluster and group with the property, and all.
    n2 : ndarray, shape (G,)
        Summed squares of the weights; people where there are none.
    drawn : int
        Clusters in the whole sample.

    Returns
    -------
    DesignRates
        Variances are Bell and McCaffrey's CR2 (a cluster with the share s of a group has its residual over the root of
        1 - s), which is K/(K - 1) for K equal clusters. The effective size is never above that of the weights (that of
        the people without weights); at a rate of 0 or 1 it is Kish's size of the clusters' totals. t has
        Satterthwaite's degrees of freedom, at most Kish's size of the clusters' totals less one: K - 1 for equal
        clusters.

    References
    ----------
    Bell & McCaffrey (2002), Survey Methodology 28, 169-181. R: ``clubSandwich::vcovCR(type = "CR2")``.

    Examples
    --------
    >>> e, d = np.array([[1.0], [2.0], [3.0], [2.0]]), np.full((4, 1), 4.0)
    >>> made = rates_of_clusters(e, d, np.array([16.0]), 4)
    >>> made.rate.tolist(), made.size.tolist(), round(made.df(0), 9)
    ([0.5], [16.0], 3.0)
    """
    n, events = d.sum(axis=0), e.sum(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        p = events / n
        share = np.nan_to_num(d / n)
        plain = np.nan_to_num((e - p * d) / n)
        raised = 1 / np.sqrt(np.where(share < 1, 1 - share, np.inf))
        residual = plain * raised
        sums = residual.T @ residual
        total = n**2 / np.sum(d * d, axis=0)
        size = _size(p, np.diag(sums), n**2 / n2, total)
        spread = np.sqrt(np.diag(sums))
        correlation = np.nan_to_num(sums / np.outer(spread, spread))
    np.fill_diagonal(correlation, 1.0)
    linearized = bessel(drawn) * plain.T @ plain
    return DesignRates(p, size, linearized, (d > 0).sum(axis=0), overlap_of(share), correlation, True)


def overlap_of(share: Floats) -> Floats:
    """How much the clusters of two groups overlap: tr(Aᵢ Aⱼ) / (tr Aᵢ tr Aⱼ) for equally uncertain people.

    Aᵢ is the covariance of the clusters' CR2-adjusted residuals of group i if its people were independent; the inverse
    of the diagonal are Satterthwaite's degrees of freedom, at most the effective clusters 1/Σs² less one. Independent
    people are too kind an assumption where one cluster holds most of a group: at 10, 10, 10, 10 and 200 people, with a
    correlation of 0.3, its degrees of freedom let 13 % of equal rates be called different.

    Parameters
    ----------
    share : ndarray, shape (K, G)
        The clusters' shares of each group.

    Returns
    -------
    ndarray, shape (G, G)

    References
    ----------
    Pustejovsky & Tipton (2018), Journal of Business & Economic Statistics 36, 672-683, equation (11).

    Examples
    --------
    >>> overlap_of(np.array([[0.25, 0.5], [0.25, 0.5], [0.25, 0.0], [0.25, 0.0]])).round(4).tolist()
    [[0.3333, 0.3333], [0.3333, 1.0]]
    """
    root = share / np.sqrt(np.where(share < 1, 1 - share, 1.0))
    product = root.T @ root
    out = np.asarray(share.T @ share + product**2 - (root**2).T @ root**2)
    squares = np.sum(share * share, axis=0)
    fewest = np.minimum(squares / np.where(squares < 1, 1 - squares, 1.0), MOST_OVERLAP)
    np.fill_diagonal(out, np.maximum(np.diag(out), fewest))
    return out


def bessel(drawn: int) -> float:
    """Return n / (n − 1), Bessel's factor of the units drawn; NaN for one unit, which has no variance.

    Examples
    --------
    >>> bessel(5)
    1.25
    """
    return drawn / (drawn - 1) if drawn > 1 else NAN


def _size(p: Floats, variance: Floats, most: Floats, constant: Floats) -> Floats:
    """p(1 - p)/v, at most the size of the weights; where the rate is 0 or 1 the variance says nothing."""
    varied = (p > 0) & (1 - p > 1e-12) & (variance > 0)
    size = np.where(varied, p * (1 - p) / np.where(varied, variance, 1.0), constant)
    return np.nan_to_num(np.minimum(size, most))
