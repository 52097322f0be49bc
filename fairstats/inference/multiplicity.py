"""Several questions asked at once: adjusted p-values, confidence levels that agree with them, single-step max-t.

A NaN stays NaN and is not counted: a statistic that cannot be estimated is not a member of the family.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fairstats.arguments import choose
from fairstats.choices import ByP

Floats = NDArray[np.float64]


def _holm(p: Floats) -> Floats:
    order = np.argsort(p, kind="stable")
    steps = np.maximum.accumulate(p[order] * np.arange(p.size, 0, -1))
    return _scatter(np.minimum(steps, 1), order)


def _bh(p: Floats) -> Floats:
    order = np.argsort(p, kind="stable")[::-1]
    steps = np.minimum.accumulate(p[order] * p.size / np.arange(p.size, 0, -1))
    return _scatter(np.minimum(steps, 1), order)


def _bonferroni(p: Floats) -> Floats:
    return np.minimum(p * p.size, 1)


def _scatter(values: Floats, order: NDArray[np.intp]) -> Floats:
    out = np.empty_like(values)
    out[order] = values
    return out


ADJUSTMENTS: dict[str, Callable[[Floats], Floats]] = {
    "bonferroni": _bonferroni,
    "holm": _holm,
    "bh": _bh,
    "none": np.copy,
}


def adjust(p: ArrayLike, method: ByP = "holm") -> Floats:
    """Adjust the p-values of one family.

    Parameters
    ----------
    p : array_like, shape (m,)
        p-values; NaN stays NaN and does not count toward m.
    method : {"bonferroni", "holm", "bh", "none"}
        Bonferroni and Holm bound the chance of any false claim, Benjamini-Hochberg the share of false claims.

    Returns
    -------
    ndarray, shape (m,)

    Raises
    ------
    InputError
        If `method` is unknown.

    References
    ----------
    Holm (1979), Scand. J. Statist. 6; Benjamini & Hochberg (1995), JRSS B 57. R: ``p.adjust``.

    Examples
    --------
    >>> import fairstats as fs
    >>> fs.stats.adjust([0.01, 0.04, float("nan"), 0.02]).round(3).tolist()
    [0.03, 0.04, nan, 0.04]
    """
    values = np.asarray(p, dtype=float)
    out = np.full(values.shape, np.nan)
    known = ~np.isnan(values)
    out[known] = choose("adjust", method, ADJUSTMENTS)(values[known])
    return out


def benjamini_yekutieli(p: ArrayLike) -> Floats:
    """Adjust the p-values of one family so that the share of false claims is bounded under any dependence.

    References
    ----------
    Benjamini & Yekutieli (2001), Annals of Statistics 29.

    Examples
    --------
    >>> benjamini_yekutieli([0.01, 0.04, float("nan"), 0.02]).round(3).tolist()
    [0.055, 0.073, nan, 0.055]
    """
    found = adjust(p, "bh")
    return np.minimum(found * (1 / np.arange(1, 1 + np.isfinite(found).sum())).sum(), 1)


def rejected(p: float, conf_level: float) -> bool:
    """Whether an adjusted p-value rejects equality at the level of the audit; the only place where that is decided.

    Examples
    --------
    >>> rejected(0.05, 0.95), rejected(0.0501, 0.95), rejected(float("nan"), 0.95)
    (True, False, False)
    """
    return bool(p <= 1 - conf_level)


def _holm_alphas(p: Floats, alpha: float) -> Floats:
    rejected = int(np.sum(_holm(p) <= alpha))
    ranks = np.empty(p.size)
    ranks[np.argsort(p, kind="stable")] = np.arange(p.size)
    return np.asarray(alpha / (p.size - np.minimum(ranks, min(rejected, p.size - 1))))


def _bh_alphas(p: Floats, alpha: float) -> Floats:
    flagged = int(np.sum(_bh(p) <= alpha))
    return np.full(p.size, alpha * max(flagged, 1) / p.size)


def _bonferroni_alphas(p: Floats, alpha: float) -> Floats:
    return np.full(p.size, alpha / p.size)


def _plain_alphas(p: Floats, alpha: float) -> Floats:
    return np.full(p.size, alpha)


LEVELS: dict[str, Callable[[Floats, float], Floats]] = {
    "holm": _holm_alphas,
    "bh": _bh_alphas,
    "bonferroni": _bonferroni_alphas,
    "none": _plain_alphas,
}


def adjusted_levels(p: ArrayLike, method: ByP = "holm", conf_level: float = 0.95) -> Floats:
    """Return confidence levels at which each interval excludes the null value exactly where the adjusted test rejects.

    Let r of m hypotheses be rejected at alpha = 1 - conf_level.

    - Holm: rank i <= r gets 1 - alpha/(m - i + 1), the threshold that it passed; every other one gets
      1 - alpha/(m - r), the first threshold that was not passed.
    - BH: 1 - alpha max(r, 1)/m for all, so the expected share of selected intervals that miss is at most alpha
      (false coverage rate).
    - Bonferroni: 1 - alpha/m for all, the only one of these sets with simultaneous coverage of all m.

    Parameters
    ----------
    p : array_like, shape (m,)
        Unadjusted p-values; NaN stays NaN and does not count toward m.
    method : {"bonferroni", "holm", "bh", "none"}
        As in `adjust`.
    conf_level : float
        Level of the family.

    Returns
    -------
    ndarray, shape (m,)

    Raises
    ------
    InputError
        If `method` is unknown.

    Notes
    -----
    They agree where p is the inversion of the interval. An audit makes sure that they do (`fairstats.audit`); of Holm's
    it shows no intervals, since these do not hold together.

    References
    ----------
    Holm (1979), Scand. J. Statist. 6; Benjamini & Yekutieli (2005), JASA 100 (false coverage rate).

    Examples
    --------
    >>> import fairstats as fs
    >>> fs.stats.adjusted_levels([0.001, 0.2, 0.04]).round(4).tolist()
    [0.9833, 0.975, 0.975]
    """
    values = np.asarray(p, dtype=float)
    out = np.full(values.shape, np.nan)
    known = ~np.isnan(values)
    if known.any():
        out[known] = 1 - choose("adjust", method, LEVELS)(values[known], 1 - conf_level)
    return out


def holm_levels(p: ArrayLike, conf_level: float = 0.95) -> Floats:
    """Return the confidence levels whose intervals agree with the Holm-adjusted tests; see `adjusted_levels`.

    Parameters
    ----------
    p : array_like, shape (m,)
        Unadjusted p-values; NaN stays NaN.
    conf_level : float
        Level of the family.

    Returns
    -------
    ndarray, shape (m,)

    References
    ----------
    Holm (1979), Scand. J. Statist. 6.

    Examples
    --------
    >>> import fairstats as fs
    >>> fs.stats.holm_levels([0.5]).tolist()
    [0.95]
    """
    return adjusted_levels(p, "holm", conf_level)


def max_t(replicates: ArrayLike, observed: ArrayLike) -> Floats:
    """Adjust p-values by the resampled distribution of the largest absolute statistic (single-step max-t).

    It uses the dependence between the statistics, so it is sharper than Bonferroni wherever they are correlated.

    Parameters
    ----------
    replicates : array_like, shape (B, m)
        Statistics of B resamples drawn under the null hypothesis.
    observed : array_like, shape (m,)
        The statistics of the data; NaN stays NaN, and its column does not count.

    Returns
    -------
    ndarray, shape (m,)
        (1 + number of resamples whose maximum reaches the statistic) / (1 + B); ties count, with a relative
        tolerance of 1e-12.

    References
    ----------
    Westfall & Young (1993), Resampling-Based Multiple Testing.

    Examples
    --------
    >>> import fairstats as fs
    >>> fs.stats.max_t([[0.0, 1.0], [2.0, 0.5], [0.1, 0.2]], [1.5, 0.1]).tolist()
    [0.5, 1.0]
    """
    statistic = np.abs(np.asarray(observed, dtype=float))
    drawn = np.abs(np.asarray(replicates, dtype=float))
    known = ~np.isnan(statistic)
    out = np.full(statistic.shape, np.nan)
    if known.any():
        largest = np.sort(np.max(np.nan_to_num(drawn[:, known], nan=0.0), axis=1))
        below = np.searchsorted(largest, statistic[known] * (1 - 1e-12), side="left")
        out[known] = (1 + largest.size - below) / (1 + largest.size)
    return out
