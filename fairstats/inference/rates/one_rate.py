"""One proportion: score, exact and Bayesian intervals, and the row that an audit makes of it.

Everything broadcasts: a scalar in gives a scalar out, arrays give arrays, and ``conf_level`` may be an array too
(one level per row, as multiplicity asks for). A denominator of 0 gives NaN.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import betaincinv, ndtri

from fairstats.estimates import Estimate, Estimates
from fairstats.inference.validation import Counts, Levels, Weights
from fairstats.language import message
from fairstats.metrics import UNKNOWN, Cells, rates
from fairstats.validation import choose

Floats = NDArray[np.float64]


def counts(*values: ArrayLike) -> tuple[Floats, ...]:
    """Broadcast the arguments against each other as float arrays.

    >>> [a.shape for a in counts(1, [2, 3])]
    [(2,), (2,)]
    """
    arrays = tuple(np.asarray(v, dtype=float) for v in values)
    if len({a.shape for a in arrays}) == 1:  # most calls are of plain numbers, and there are many
        return arrays
    return tuple(np.broadcast_arrays(*arrays))


def critical(conf_level: ArrayLike) -> Floats:
    """The two-sided normal quantile of a confidence level.

    >>> round(float(critical(0.95)), 6)
    1.959964
    """
    return np.asarray(-ndtri((1 - np.asarray(conf_level, dtype=float)) / 2))[()]


def wilson(events: Counts, n: Counts, conf_level: Levels = 0.95) -> tuple[Floats, Floats]:
    """Return Wilson's score interval, the inversion of the z-test of one proportion.

    Parameters
    ----------
    events, n : array_like
        Numerator and denominator (counts, broadcast). Both may be fractional: with weights, pass
        ``n = effective_size(weights)`` and ``events = n * rate``.
    conf_level : array_like
        Nominal coverage, in (0, 1).

    Returns
    -------
    low, high : float or ndarray
        NaN where `n` is 0; exactly 0 (1) at no (only) events, and never of zero width.

    References
    ----------
    Wilson (1927), JASA 22; Brown, Cai & DasGupta (2001), Statistical Science 16, eq. (4).

    Examples
    --------
    >>> import fairstats as fs
    >>> low, high = fs.stats.wilson(0, 10)
    >>> float(low), round(float(high), 4)
    (0.0, 0.2775)
    """
    e, n, level = counts(events, n, conf_level)
    return wilson_at(e, n, critical(level))


def wilson_at(events: Floats, n: Floats, quantile: ArrayLike) -> tuple[Floats, Floats]:
    """Return Wilson's interval at a quantile of another distribution than the normal one.

    >>> low, high = wilson_at(np.array(3.0), np.array(10.0), 1.959964)
    >>> round(float(low), 4), round(float(high), 4)
    (0.1078, 0.6032)
    """
    z2 = np.asarray(quantile, dtype=float) ** 2
    return _wilson_low(events, n, z2)[()], (1 - _wilson_low(n - events, n, z2))[()]


def _wilson_low(e: Floats, n: Floats, z2: Floats) -> Floats:
    # c / (a * larger root): the textbook form subtracts two nearly equal numbers when e is small
    with np.errstate(divide="ignore", invalid="ignore"):
        root = np.sqrt(z2 * (z2 + 4 * e * (n - e) / n))
        return 2 * e * (e / n) / (2 * e + z2 + root)


def clopper_pearson(events: Counts, n: Counts, conf_level: Levels = 0.95) -> tuple[Floats, Floats]:
    """Return the exact interval of Clopper and Pearson, whose coverage is never below nominal and usually well above.

    Parameters
    ----------
    events, n : array_like
        Numerator and denominator (counts, broadcast).
    conf_level : array_like
        Nominal coverage, in (0, 1).

    Returns
    -------
    low, high : float or ndarray
        NaN where `n` is 0.

    References
    ----------
    Clopper & Pearson (1934), Biometrika 26. R: ``binom.test``.

    Examples
    --------
    >>> import fairstats as fs
    >>> [round(float(v), 4) for v in fs.stats.clopper_pearson(3, 10)]
    [0.0667, 0.6525]
    """
    e, n, level = counts(events, n, conf_level)
    low = np.where(e > 0, betaincinv(np.where(e > 0, e, 1), n - e + 1, (1 - level) / 2), 0.0)
    high = np.where(e < n, betaincinv(e + 1, np.where(e < n, n - e, 1), (1 + level) / 2), 1.0)
    return _unless_empty(low, n), _unless_empty(high, n)


def jeffreys(events: Counts, n: Counts, conf_level: Levels = 0.95) -> tuple[Floats, Floats]:
    """Return the equal-tailed interval of the Jeffreys posterior Beta(events + 1/2, n - events + 1/2).

    Parameters
    ----------
    events, n : array_like
        Numerator and denominator (counts, broadcast; may be fractional).
    conf_level : array_like
        Nominal coverage, in (0, 1).

    Returns
    -------
    low, high : float or ndarray
        NaN where `n` is 0; `low` is 0 at no events and `high` is 1 at only events, as Brown, Cai and DasGupta
        advise (statsmodels leaves the posterior quantile there, whose coverage drops near 0 and 1).

    References
    ----------
    Brown, Cai & DasGupta (2001), Statistical Science 16.

    Examples
    --------
    >>> import fairstats as fs
    >>> low, high = fs.stats.jeffreys(0, 10)
    >>> float(low), round(float(high), 4)
    (0.0, 0.2172)
    """
    e, n, level = counts(events, n, conf_level)
    low = np.where(e > 0, betaincinv(e + 0.5, n - e + 0.5, (1 - level) / 2), 0.0)
    high = np.where(e < n, betaincinv(e + 0.5, n - e + 0.5, (1 + level) / 2), 1.0)
    return _unless_empty(low, n), _unless_empty(high, n)


def _unless_empty(value: Floats, n: Floats) -> Floats:
    return np.where(n > 0, value, np.nan)[()]


Interval = Callable[..., tuple[Any, Any]]
INTERVALS: dict[str, Interval] = {"wilson": wilson, "clopper-pearson": clopper_pearson, "jeffreys": jeffreys}
INTERVAL_NAMES = {
    "wilson": message("Wilson score interval"),
    "clopper-pearson": message("Clopper-Pearson exact interval"),
    "jeffreys": message("Jeffreys interval"),
}


def effective_size(weights: Weights) -> float:
    """Return Kish's effective sample size of probability weights, (sum w)^2 / sum w^2.

    It is what the weights alone cost when they do not depend on the outcome; the scale of the weights cancels.
    The weighted rate with this size goes into `wilson` (``events = size * rate``); exact tests have no weighted form.

    Parameters
    ----------
    weights : array_like, shape (n,)
        Non-negative.

    Returns
    -------
    float
        Between 1 and n; NaN where all weights are 0.

    References
    ----------
    Kish (1965), Survey Sampling; Korn & Graubard (1998), Survey Methodology 24 (effective-n interval).

    Examples
    --------
    >>> import fairstats as fs
    >>> fs.stats.effective_size([1, 1, 1, 1]), fs.stats.effective_size([3, 1])
    (4.0, 1.6)
    """
    w = np.asarray(weights, dtype=float)
    square = float(np.sum(w * w))
    return float(np.sum(w)) ** 2 / square if square > 0 else float("nan")


def proportion(
    events: float,
    n: float,
    *,
    metric: str = "proportion",
    attribute: str = "",
    group: str = "",
    interval: str = "wilson",
    conf_level: float = 0.95,
) -> Estimate:
    """One rate with its own denominator and interval, as a tidy row.

    events, n: numerator and denominator.
    metric, attribute, group: what the row is about.
    Returns: status ``"unestimable"`` with a reason where `n` is 0. ``std_error`` is the binomial sqrt(p(1-p)/n); the
        interval does not use it.

    >>> row = proportion(3, 10, metric="selection rate", group="a")
    >>> row.estimate, round(row.conf_low, 3), row.method
    (0.3, 0.108, 'Wilson score interval')
    """
    low, high = choose("interval", interval, INTERVALS)(events, n, conf_level)
    about = {"metric": metric, "attribute": attribute, "group": group, "n": float(n), "events": float(events)}
    if not n > 0:
        return Estimate(**about, status="unestimable", reason=message("nobody in the denominator"))  # type: ignore[arg-type]
    rate = float(events) / float(n)
    return Estimate(
        **about,  # type: ignore[arg-type]
        estimate=rate,
        std_error=float(np.sqrt(rate * (1 - rate) / n)),
        conf_low=float(low),
        conf_high=float(high),
        conf_level=float(conf_level),
        method=INTERVAL_NAMES[interval],
    )


# Bootstrap of rate metrics on the table group x outcome x decision: the cost does not grow with the number of
# people.


BOOTSTRAP_REPLICATES = 10_000
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
    counts: ArrayLike, *, replicates: int = BOOTSTRAP_REPLICATES, scheme: Scheme = "people", seed: int = 0
) -> NDArray[np.int64]:
    """Draw tables of counts as a bootstrap of the people would give them.

    counts: whole counts; the first axis is the group, shape (G, ...).
    scheme: whether the group sizes vary as they would in a new sample, or are fixed by the design.
    seed: seed of the generator.
    Returns: shape (replicates, G, ...).
    Source: Efron & Tibshirani (1993), An Introduction to the Bootstrap, chapters 6 and 8.

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

    tables: counts; index 1 is the positive outcome and the decision that predicts it, shape (..., 2, 2).
    favors: the decision that helps the person, which the selection rate counts.
    Returns: metric to (events, n), each of shape ``tables.shape[:-2]``.

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

    replicates: bootstrap replicates, shape (B, ...).
    Returns low, high: NaN where no replicate is known.
    Source: Efron & Tibshirani (1993), chapter 13.

    >>> [float(v) for v in percentile([0.1, 0.2, 0.3, 0.4, 0.5], 0.5)]
    [0.2, 0.4]
    """
    drawn = np.asarray(replicates, dtype=float)
    tails = [(1 - conf_level) / 2, (1 + conf_level) / 2]
    present = ~np.isnan(drawn).all(axis=0)
    out = np.full((2, *drawn.shape[1:]), np.nan)
    # nanquantile loops in Python over the columns; only those with gaps need it
    whole = present & ~np.isnan(drawn).any(axis=0)
    out[:, whole] = np.quantile(drawn[:, whole], tails, axis=0)
    if (present & ~whole).any():
        out[:, present & ~whole] = np.nanquantile(drawn[:, present & ~whole], tails, axis=0)
    return out[0][()], out[1][()]


def bootstrap_rates(
    counts: ArrayLike,
    labels: Sequence[str],
    *,
    attribute: str = "",
    conf_level: float = 0.95,
    replicates: int = BOOTSTRAP_REPLICATES,
    scheme: Scheme = "people",
    seed: int = 0,
    favors: int = 1,
) -> Estimates:
    """Every rate metric of every group with its bootstrap standard error and percentile interval.

    counts: group x outcome x decision, shape (G, 2, 2).
    attribute: name of the group variable.
    conf_level, replicates, scheme, seed, favors: as in `resample`, `percentile` and `fractions`.
    Returns: one row a metric and group. A rate of 0 or 1 has the same value in every resample, so its interval would
        have no width: it gets Wilson's, and says so. An empty denominator is ``"unestimable"``.
    Source: Efron & Tibshirani (1993), An Introduction to the Bootstrap.

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
        return replace(about, status="unestimable", reason=message("nobody in the denominator"))
    constant = about.events in (0, about.n)
    low, high = wilson(about.events, about.n, conf_level) if constant else limits
    few = min(about.events, about.n - about.events) < FEW
    return about.with_interval(
        about.events / about.n,
        float(low),
        float(high),
        conf_level,
        std_error=float(np.nanstd(values, ddof=1)),
        method=message("Wilson score interval (all bootstrap replicates are equal)")
        if constant
        else message("bootstrap percentiles"),
        reason=message("fewer than {n} events or non-events: the bootstrap is coarse", n=FEW)
        if few and not constant
        else "",
    )
