"""A metric of the caller's own, by group: any function of people, with bootstrap intervals."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fairstats.arguments import one_of, real, shown
from fairstats.choices import WeightType
from fairstats.errors import InputError, listing, nearest
from fairstats.estimates import NAN, Estimate, Estimates
from fairstats.inference.rates.people_by_group import Members, labels, people

Floats = NDArray[np.float64]
Metric = Callable[..., Any]
Interval = Literal["percentile", "studentized"]
METHODS = {"percentile": "bootstrap percentiles", "studentized": "studentized bootstrap"}
INNER = 50  # resamples of a resample, for its standard error
FEW = 20  # people below which a bootstrap is coarse


def by_group(
    metric: Metric,
    y: ArrayLike | None = None,
    d: ArrayLike | None = None,
    s: ArrayLike | None = None,
    w: ArrayLike | None = None,
    *,
    groups: Any = None,
    sensitive_features: Any = None,
    name: str = "",
    weight_type: WeightType = "probability",
    reference: str | None = None,
    interval: Interval = "percentile",
    replicates: int = 2000,
    conf_level: float = 0.95,
    seed: int = 0,
) -> Estimates:
    """Estimate any metric in every group, and its difference from a reference, with bootstrap intervals.

    Parameters
    ----------
    metric : callable
        Called as ``metric(y, d, s, w)`` with the people of one group; returns a number. What was not passed is None,
        weights that were not passed are ones. One of scikit-learn's or fairlearn's, which is known by its first
        arguments ``y_true`` and ``y_pred`` (or ``y_score``, ``y_proba``), is called as ``metric(y, d)`` (or
        ``metric(y, s)``), with ``sample_weight=w`` where weights were passed.
    y, d, s : array_like, shape (n,), optional
        Outcomes, decisions and scores: finite numbers, handed on as they are. At least one.
    w : array_like, shape (n,), optional
        Weights.
    groups, sensitive_features : array_like, shape (n,), or table
        A label a person; several columns are their intersection. Two names for one argument, the second fairlearn's:
        pass one of them.
    name : str
        The metric's name in the rows; that of the function by default.
    weight_type : {"probability", "frequency"}
        Whether a resample draws people with their weights, or people of whom a row counts several; ``metric`` is then
        given how often each was drawn.
    reference : str, optional
        The group that the others are compared with; the largest by default.
    interval : {"percentile", "studentized"}
        Percentiles of the resamples; or those of the t statistic, whose standard error in each resample is that of 50
        resamples of it: it covers better in small groups, and takes 51 times as long.
    replicates : int
        Resamples of each group.
    conf_level : float
        Confidence level of each interval; they are not adjusted for their number.
    seed : int
        Of the resamples.

    Returns
    -------
    Estimates
        One row a group, and one a difference. There is no interval, and the reason says so, where the metric is not
        finite in a group or in some resample, or is the same in all resamples. Groups are resampled apart. There is no
        row of the largest gap: the percentiles of a maximum never reach equality.

    Raises
    ------
    InputError
        If the metric raises an error or returns no number, or an argument cannot be used as it is.

    Notes
    -----
    A function of people needs the people: an audit has counted them, so that this is a statistic and no part of an
    audit. It is what fairlearn's ``MetricFrame(..., n_boot=, ci_quantiles=)`` does, there without resampling apart.
    Of a mean of exponential values the percentiles cover 90 % in samples of 30 and 94 % in samples of 60, the
    studentized interval about 93 % and 96 % (simulated).

    References
    ----------
    Efron & Tibshirani (1993), An Introduction to the Bootstrap, chapters 12 and 13; Hall (1992), The Bootstrap and
    Edgeworth Expansion.

    Examples
    --------
    >>> import fairstats as fs
    >>> import numpy as np
    >>> def cost(y, d, s, w): return float(np.average(np.where(d > y, 1.0, 0.0) + np.where(d < y, 5.0, 0.0), weights=w))
    >>> y, d, groups = [1, 0, 1, 0] * 30, [1, 0, 0, 1] * 30, ["f", "f", "m", "m"] * 30
    >>> rows = fs.stats.by_group(cost, y, d, groups=groups, replicates=200)
    >>> [(r.group, r.contrast, r.estimate) for r in rows]
    [('f', 'none', 0.0), ('m', 'none', 3.0), ('m', 'difference', 3.0)]
    >>> rows[0].reason
    'the metric is the same in all resamples, which say nothing of its error'
    >>> from sklearn.metrics import accuracy_score
    >>> [r.estimate for r in fs.stats.by_group(accuracy_score, y, d, sensitive_features=groups, replicates=200)]
    [1.0, 0.0, -1.0]
    """
    if not callable(metric):
        raise InputError(f"metric has {shown(metric)}; it is a function of (y, d, s, w); pass one.")
    one_of("interval", interval, METHODS)
    said = name or getattr(metric, "__name__", "metric")
    given: dict[str, Any] = {key: value for key, value in {"y": y, "d": d, "s": s}.items() if value is not None}
    if not given:
        raise InputError("y, d and s are all absent; a metric is of outcomes, decisions or scores; pass one of them.")
    who, rows = people(labels(groups, sensitive_features), w, weight_type, weights_name="w", **given)
    known = dict(zip(given, rows, strict=True))
    metric = _of_people(metric, set(given), weighted=w is not None)
    base = _reference(reference, who)
    resampled = _Resampled(metric, known, who, weight_type == "frequency" and w is not None, replicates, seed)
    draws = [resampled.of(group, interval == "studentized") for group in range(len(who.groups))]
    pairs = list(zip(who.groups, draws, strict=True))
    out = [_row(Estimate(said, who.attribute, g, n=draw.n), [draw], interval, conf_level) for g, draw in pairs]
    for group, draw in pairs:
        if group != who.groups[base]:
            blank = Estimate(said, who.attribute, group, contrast="difference", reference=who.groups[base], n=draw.n)
            out.append(_row(blank, [draw, draws[base]], interval, conf_level))
    return Estimates(out)


# What the second argument of a metric of scikit-learn or fairlearn is called, and which of ours is meant, the first
# that was passed.
SECOND = {"y_pred": "ds", "y_score": "sd", "y_proba": "sd", "y_prob": "sd"}


def _of_people(metric: Metric, given: set[str], weighted: bool) -> Metric:
    """Return the metric as a function of (y, d, s, w), also where it is one of (y_true, y_pred, sample_weight)."""
    try:
        parameters = inspect.signature(metric).parameters
    except (TypeError, ValueError):  # some functions of C have none
        return metric
    first, second = [*parameters, "", ""][:2]
    if first != "y_true" or second not in SECOND:
        return metric
    other = next((key for key in SECOND[second] if key in given), "")
    if "y" not in given or not other:
        lacking = "y" if "y" not in given else SECOND[second][0]
        raise InputError(f"{lacking} is absent; metric is a function of (y_true, {second}); pass it.")
    weights = "sample_weight" in parameters
    if weighted and not weights:
        raise InputError("w has weights and metric takes no sample_weight; pass a metric that does, or no weights.")

    def called(y: Any, d: Any, s: Any, w: Any) -> Any:
        more = {"sample_weight": w} if weighted else {}
        return metric(y, d if other == "d" else s, **more)

    return called


@dataclass(frozen=True, eq=False)
class _Draws:
    """A metric of one group: its value, those of the resamples, and standard errors of both where asked."""

    n: float
    size: int
    value: float
    values: Floats
    error: float
    errors: Floats


@dataclass(frozen=True, eq=False)
class _Resampled:
    """The metric on the people of a group, and on resamples of them."""

    metric: Metric
    rows: dict[str, Floats]
    who: Members
    counted: bool  # weights are people
    replicates: int
    seed: int

    def of(self, group: int, studentized: bool) -> _Draws:
        own = np.flatnonzero(self.who.of(group, np.ones(self.who.codes.size, dtype=bool)))
        weights = self.who.weights[own]
        label = self.who.groups[group]
        if not own.size:
            return _Draws(0.0, 0, NAN, np.empty(0), NAN, np.empty(0))
        value = self._value(own, weights, f"group {label!r}")
        rng = np.random.default_rng([self.seed, group])
        values, errors = np.full(self.replicates, NAN), np.full(self.replicates, NAN)
        if math.isfinite(value):
            where = f"a resample of group {label!r}"
            for at, (places, drawn) in enumerate(self._resamples(own, weights, self.replicates, rng)):
                values[at] = self._value(places, drawn, where)
                if studentized:
                    inner = [self._value(*again, where) for again in self._resamples(places, drawn, INNER, rng)]
                    errors[at] = float(np.std(inner, ddof=1))
        error = float(np.std(values, ddof=1)) if self.replicates > 1 else NAN
        size = int(weights.sum()) if self.counted else own.size
        return _Draws(float(weights.sum()), size, value, values, error, errors)

    def _resamples(
        self, own: NDArray[np.intp], weights: Floats, times: int, rng: np.random.Generator
    ) -> Iterator[tuple[NDArray[np.intp], Floats]]:
        for _ in range(times):
            if self.counted:
                drawn = rng.multinomial(int(weights.sum()), weights / weights.sum())
                yield own[drawn > 0], drawn[drawn > 0].astype(float)
            else:
                places = rng.integers(own.size, size=own.size)
                yield own[places], weights[places]

    def _value(self, places: NDArray[np.intp], weights: Floats, where: str) -> float:
        y, d, s = (self.rows[key][places] if key in self.rows else None for key in "yds")
        try:
            made = self.metric(y, d, s, weights)
        except Exception as error:
            raise InputError(
                f"metric raised {type(error).__name__} in {where} ({str(error)[:200]}); it is called as "
                "metric(y, d, s, w) with what was passed, or as metric(y_true, y_pred) if these are the names of its "
                "arguments; correct it."
            ) from error
        number = real(made)
        if number is None:
            if isinstance(made, (float, np.floating)):  # NaN and infinity are answers
                return float(made)
            raise InputError(f"metric returned {shown(made)} in {where}; it returns one number; correct it.")
        return float(number)


def _row(blank: Estimate, draws: list[_Draws], interval: Interval, conf_level: float) -> Estimate:
    """The row of a group, or of a group less the reference."""
    value = draws[0].value - sum(draw.value for draw in draws[1:])
    if not math.isfinite(value):
        return replace(blank, status="unestimable", reason="the metric is not finite in the group, or in its reference")
    drawn = draws[0].values - sum(draw.values for draw in draws[1:])
    error = float(np.hypot.reduce([draw.error for draw in draws]))
    lost = int(np.sum(~np.isfinite(drawn)))
    reason = ""
    if lost:
        reason = f"the metric is not finite in {lost} of {drawn.size} resamples: no interval"
    elif np.ptp(drawn) == 0:
        reason = "the metric is the same in all resamples, which say nothing of its error"
    elif interval == "studentized":
        errors = np.hypot.reduce([draw.errors for draw in draws])
        if not (errors > 0).all():
            none = int(np.sum(~(errors > 0)))
            reason = f"the metric has no spread in {none} of {drawn.size} resamples: no studentized interval"
    if reason:
        return replace(blank, estimate=value, reason=reason)
    tails = np.array([(1 - conf_level) / 2, (1 + conf_level) / 2])
    low, high = np.quantile(drawn, tails)
    if interval == "studentized":
        t = np.quantile((drawn - value) / errors, tails)
        low, high = value - error * t[1], value - error * t[0]
    coarse = f"fewer than {FEW} people: the bootstrap is coarse" if min(draw.size for draw in draws) < FEW else ""
    made = blank.with_interval(value, float(low), float(high), conf_level, std_error=error)
    return replace(made, method=METHODS[interval], reason=coarse)


def _reference(reference: str | None, who: Members) -> int:
    if reference is None:
        return int(np.argmax(np.bincount(who.codes, weights=who.weights, minlength=len(who.groups))))
    if reference not in who.groups:
        raise InputError(
            f"reference has {reference!r}; there is no such group{nearest(reference, who.groups)}; "
            f"the groups are {listing(who.groups)}."
        )
    return who.groups.index(reference)
