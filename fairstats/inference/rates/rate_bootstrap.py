"""Bootstrap of rate metrics on the table group x outcome x decision: the cost does not grow with the number of people.

Resampling rows with replacement and counting them again is drawing the table from a multinomial distribution, so the
table is drawn directly. It is for independent people (and frequency weights), not for probability weights or clusters.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fairstats.arguments import choose
from fairstats.estimates import Estimate, Estimates
from fairstats.inference.rates.one_rate import wilson
from fairstats.metrics import rates
from fairstats.vocabulary.metric import UNKNOWN, Cells

Floats = NDArray[np.float64]
REPLICATES = 10_000
# below this many events or non-events percentile limits are coarse, and the row says so
FEW = 5


def _together(counts: NDArray[np.int64], replicates: int, rng: np.random.Generator) -> NDArray[np.int64]:
    cells = counts.ravel()
    return rng.multinomial(cells.sum(), cells / cells.sum(), size=replicates).reshape(replicates, *counts.shape)


def _within(counts: NDArray[np.int64], replicates: int, rng: np.random.Generator) -> NDArray[np.int64]:
    out = np.zeros((replicates, *counts.shape), dtype=np.int64)
    for group, table in enumerate(counts):
        if table.any():
            out[:, group] = _together(table, replicates, rng)
    return out


Scheme = Literal["people", "within groups"]
SCHEMES: dict[str, Callable[..., NDArray[np.int64]]] = {"people": _together, "within groups": _within}


def resample(
    counts: ArrayLike, *, replicates: int = REPLICATES, scheme: Scheme = "people", seed: int = 0
) -> NDArray[np.int64]:
    """Draw tables of counts as a bootstrap of the people would give them.

    Parameters
    ----------
    counts : array_like, shape (G, ...)
        Whole counts; the first axis is the group.
    replicates : int
        Number of tables.
    scheme : {"people", "within groups"}
        Whether the group sizes vary as they would in a new sample, or are fixed by the design.
    seed : int
        Seed of the generator.

    Returns
    -------
    ndarray, shape (replicates, G, ...)

    Raises
    ------
    InputError
        If `scheme` is unknown.

    References
    ----------
    Efron & Tibshirani (1993), An Introduction to the Bootstrap, chapters 6 and 8.

    Examples
    --------
    >>> drawn = resample([[5, 5], [1, 9]], replicates=3)
    >>> drawn.shape, drawn.sum(axis=(1, 2)).tolist()
    ((3, 2, 2), [20, 20, 20])
    """
    table = np.asarray(counts, dtype=np.int64)
    draw = choose("scheme", scheme, SCHEMES)
    if not table.any():
        return np.zeros((replicates, *table.shape), dtype=np.int64)
    return draw(table, replicates, np.random.default_rng(seed))


def fractions(tables: ArrayLike, favors: int = 1) -> dict[str, tuple[Floats, Floats]]:
    """Numerator and denominator of every rate metric of tables outcome x decision.

    Parameters
    ----------
    tables : array_like, shape (..., 2, 2)
        Counts; index 1 is the positive outcome and the decision that predicts it.
    favors : {0, 1}
        The decision that helps the person, which the selection rate counts.

    Returns
    -------
    dict
        Metric to (events, n), each of shape ``tables.shape[:-2]``.

    Examples
    --------
    >>> events, n = fractions([[50, 10], [5, 35]])["TPR"]
    >>> float(events), float(n)
    (35.0, 40.0)
    """
    counts = np.asarray(tables, dtype=float)

    def total(cells: Cells) -> Floats:
        return np.asarray(sum(counts[..., y, d] for y, d in cells if UNKNOWN not in (y, d)))

    parts = {metric.name: metric.cells(favors) for metric in rates("audit")}
    return {name: (total(events), total(n)) for name, (events, n) in parts.items()}


def percentile(replicates: ArrayLike, conf_level: float = 0.95) -> tuple[Floats, Floats]:
    """Percentile interval over the first axis; replicates that are NaN (an empty denominator) do not count.

    Not for a statistic that cannot be negative, such as a largest difference: see `simultaneous`.

    Parameters
    ----------
    replicates : array_like, shape (B, ...)
        Bootstrap replicates.
    conf_level : float
        Nominal coverage.

    Returns
    -------
    low, high : ndarray
        NaN where no replicate is known.

    References
    ----------
    Efron & Tibshirani (1993), chapter 13.

    Examples
    --------
    >>> [float(v) for v in percentile([0.1, 0.2, 0.3, 0.4, 0.5], 0.5)]
    [0.2, 0.4]
    """
    drawn = np.asarray(replicates, dtype=float)
    tails = [(1 - conf_level) / 2, (1 + conf_level) / 2]
    known = ~np.isnan(drawn).all(axis=0)
    out = np.full((2, *drawn.shape[1:]), np.nan)
    # nanquantile loops in Python over the columns; only those with gaps need it
    whole = known & ~np.isnan(drawn).any(axis=0)
    out[:, whole] = np.quantile(drawn[:, whole], tails, axis=0)
    if (known & ~whole).any():
        out[:, known & ~whole] = np.nanquantile(drawn[:, known & ~whole], tails, axis=0)
    return out[0][()], out[1][()]


def bootstrap_rates(
    counts: ArrayLike,
    labels: Sequence[str],
    *,
    attribute: str = "",
    conf_level: float = 0.95,
    replicates: int = REPLICATES,
    scheme: Scheme = "people",
    seed: int = 0,
    favors: int = 1,
) -> Estimates:
    """Every rate metric of every group with its bootstrap standard error and percentile interval.

    Parameters
    ----------
    counts : array_like, shape (G, 2, 2)
        Group x outcome x decision.
    labels : sequence of str
        Names of the groups.
    attribute : str
        Name of the group variable.
    conf_level, replicates, scheme, seed, favors
        As in `resample`, `percentile` and `fractions`.

    Returns
    -------
    Estimates
        One row a metric and group. A rate of 0 or 1 has the same value in every resample, so its interval would
        have no width: it gets Wilson's, and says so. An empty denominator is ``"unestimable"``.

    Raises
    ------
    InputError
        If `scheme` is unknown.

    References
    ----------
    Efron & Tibshirani (1993), An Introduction to the Bootstrap.

    Examples
    --------
    >>> rows = bootstrap_rates([[[50, 10], [5, 35]], [[30, 0], [9, 11]]], ["a", "b"], replicates=200)
    >>> row = rows.where(metric="FPR", group="b")[0]
    >>> row.estimate, row.conf_high > 0.05, row.method
    (0.0, True, 'Wilson score interval (all bootstrap replicates are equal)')
    """
    table = np.asarray(counts)
    drawn = fractions(resample(table, replicates=replicates, scheme=scheme, seed=seed), favors)
    rows: list[Estimate] = []
    for metric, (events, n) in fractions(table, favors).items():
        with np.errstate(invalid="ignore"):
            values = drawn[metric][0] / drawn[metric][1]
        limits = percentile(values, conf_level)
        for g, group in enumerate(labels):
            about = Estimate(metric, attribute, str(group), n=float(n[g]), events=float(events[g]))
            rows.append(_row(about, (limits[0][g], limits[1][g]), values[:, g], conf_level))
    return Estimates(rows)


def _row(about: Estimate, limits: tuple[float, float], values: Floats, conf_level: float) -> Estimate:
    if about.n <= 0:
        return replace(about, status="unestimable", reason="nobody in the denominator")
    constant = about.events in (0, about.n)
    low, high = wilson(about.events, about.n, conf_level) if constant else limits
    few = min(about.events, about.n - about.events) < FEW
    return about.with_interval(
        about.events / about.n,
        float(low),
        float(high),
        conf_level,
        std_error=float(np.nanstd(values, ddof=1)),
        method="Wilson score interval (all bootstrap replicates are equal)" if constant else "bootstrap percentiles",
        reason=f"fewer than {FEW} events or non-events: the bootstrap is coarse" if few and not constant else "",
    )
