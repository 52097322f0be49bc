"""Two decisions about the same people: Tango's limits of the difference of their rates, and of the change of a gap."""

from __future__ import annotations

from dataclasses import astuple, dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fairstats.inference.rates.one_rate import critical, wilson

Floats = NDArray[np.float64]
STEPS = 45  # halvings of [-1, 1]: 6e-14


def tango(up: ArrayLike, down: ArrayLike, n: ArrayLike, conf_level: ArrayLike = 0.95) -> tuple[Floats, Floats]:
    """Return score limits of the difference of two rates of the same people.

    up, down: people whom only the first decision counts, and whom only the second does. n: all people.
    Source: Tango (1998), Statistics in Medicine 17, 891-908.

    >>> low, high = tango(0, 1, 14)
    >>> round(float(low), 4), round(float(high), 4)
    (-0.3147, 0.1593)
    """
    return tango_at(up, down, n, critical(conf_level))


def tango_at(up: ArrayLike, down: ArrayLike, n: ArrayLike, quantile: ArrayLike) -> tuple[Floats, Floats]:
    """The same of a normal quantile, which may be larger than that of any level below 1."""
    up, down, n, quantile = np.broadcast_arrays(*(np.asarray(v, dtype=float) for v in (up, down, n, quantile)))
    estimate = (up - down) / n
    sign = np.array([1.0, -1.0]).reshape(2, *[1] * estimate.ndim)

    inner, outer = np.stack([estimate, estimate]), np.broadcast_to(-sign, (2, *estimate.shape))
    moves, both = up - down, up + down
    for _ in range(STEPS):
        middle = (inner + outer) / 2
        # n times the variance of this difference in the likeliest table that has it
        room = middle * (1 - middle)
        b = (2 * n - moves) * middle - both
        q = (np.sqrt(np.maximum(b * b + 8 * n * down * room, 0)) - b) / (4 * n)
        spread = np.sqrt(np.maximum(n * (2 * q + room), 0))
        inside = sign * (moves - n * middle) <= quantile * spread
        inner, outer = np.where(inside, middle, inner), np.where(inside, outer, middle)
    return outer[0][()], outer[1][()]


@dataclass(frozen=True)
class PairedRate:
    """A rate of two decisions about the same people, who are as many as `n` (numbers, or arrays of one shape).

    first, second: people whom either decision counts. both: whom both count.
    """

    first: Any
    second: Any
    both: Any
    n: Any

    @property
    def change(self) -> Any:
        """The rate of the first decision less that of the second."""
        return (self.first - self.second) / self.n

    @property
    def std_error(self) -> Any:
        """Of the change, as counted."""
        spread = (self.first + self.second - 2 * self.both) / self.n - self.change**2
        return np.sqrt(spread / self.n)

    def limits(self, conf_level: float) -> tuple[Any, Any]:
        """Tango's limits of the change."""
        return tango(self.first - self.both, self.second - self.both, self.n, conf_level)


@dataclass(frozen=True)
class PairedGap:
    """A rate of two decisions about the same people, in a group and in the reference."""

    group: PairedRate
    reference: PairedRate

    @property
    def change(self) -> Any:
        """The gap of the first decision less that of the second."""
        return self.group.change - self.reference.change

    @property
    def std_error(self) -> Any:
        """Of the change, as counted."""
        return np.hypot(self.group.std_error, self.reference.std_error)

    @property
    def _counts(self) -> tuple[Floats, Floats, Floats, Floats]:
        both = np.array([astuple(self.group), astuple(self.reference)], dtype=float)
        first, second, same, n = np.moveaxis(both, 1, 0)
        return first, second, same, n

    def limits(self, conf_level: float) -> tuple[Any, Any]:
        """Limits of the change: Tango's of both groups, combined (MOVER)."""
        first, second, same, n = self._counts
        return _combined((first - second) / n, *tango(first - same, second - same, n, conf_level))

    @property
    def sum(self) -> Any:
        """The gap of the first decision plus that of the second."""
        first, second, _, n = self._counts
        group, reference = (first + second) / n
        return group - reference

    def sum_limits(self, conf_level: float) -> tuple[Any, Any]:
        """Limits of the sum of both gaps, whose sign says which is the larger in size where the change has a sign.

        Of each group Wilson's limits of both rates combined by their correlation (Zou & Donner), then both groups.
        """
        first, second, both, n = self._counts
        a, b = first / n, second / n
        spread = np.sqrt(a * (1 - a) * b * (1 - b))
        rho = np.divide(both / n - a * b, spread, out=np.zeros_like(a), where=spread > 0)
        return _combined(a + b, *limits_of_sum(a, wilson(first, n, conf_level), b, wilson(second, n, conf_level), rho))


@dataclass(frozen=True)
class PairedPredictive:
    """Predictive values of two decisions, of the people whom each predicts, in a group and in the reference.

    hits, predicted: those of the first decision and of the second, and those of both, shape (2, 3): group, reference.
    """

    hits: Floats
    predicted: Floats

    @property
    def _values(self) -> Floats:
        """Of the first and the second, shape (2, 2)."""
        return self.hits[:, :2] / self.predicted[:, :2]

    @property
    def _covariance(self) -> tuple[Floats, Floats]:
        """The variances of both, shape (2, 2), and their covariance, which comes from whom both predict."""
        (a, b), variance = self._values.T, self._values * (1 - self._values) / self.predicted[:, :2]
        hits, misses = self.hits[:, 2], self.predicted[:, 2] - self.hits[:, 2]
        return variance, (hits * (1 - a) * (1 - b) + misses * a * b) / self.predicted[:, :2].prod(axis=1)

    @property
    def change(self) -> float:
        """The gap of the first decision less that of the second."""
        return float(self._values[0] @ [1, -1] - self._values[1] @ [1, -1])

    @property
    def std_error(self) -> float:
        """Of the change, by the delta method."""
        variance, covariance = self._covariance
        return float(np.sqrt(np.maximum(variance.sum(axis=1) - 2 * covariance, 0).sum()))

    def limits(self, conf_level: float) -> tuple[Any, Any]:
        """Limits of the change: of each group Wilson's of both values by their correlation, then both groups."""
        return self._joined(conf_level, -1)

    @property
    def sum(self) -> float:
        """The gap of the first decision plus that of the second."""
        return float(self._values[0].sum() - self._values[1].sum())

    def sum_limits(self, conf_level: float) -> tuple[Any, Any]:
        """Limits of the sum of both gaps."""
        return self._joined(conf_level, 1)

    def _joined(self, conf_level: float, sign: int) -> tuple[Any, Any]:
        return _combined(*self._correlated(conf_level, sign))

    def each(self, conf_level: float) -> list[tuple[float, float, float, float]]:
        """Of every group the change of its value, the limits, and the standard error."""
        variance, covariance = self._covariance
        errors = np.sqrt(np.maximum(variance.sum(axis=1) - 2 * covariance, 0))
        changes, low, high = self._correlated(conf_level, -1)
        return list(zip(changes.tolist(), low.tolist(), high.tolist(), errors.tolist(), strict=True))

    def _correlated(self, conf_level: float, sign: int) -> tuple[Floats, Floats, Floats]:
        """Of every group the first value and the second, times the sign, and limits of that.

        That of a difference has Newcombe's (1998) correction of the correlation, without which nothing is uncertain
        where both predict the same few people.
        """
        variance, covariance = self._covariance
        if sign < 0:
            covariance = np.maximum(covariance - 0.5 / self.predicted[:, :2].prod(axis=1), 0)
        spread = np.sqrt(variance.prod(axis=1))
        rho = np.divide(covariance, spread, out=np.zeros_like(spread), where=spread > 0).clip(-1, 1)
        (a, b), (low, high) = self._values.T, wilson(self.hits[:, :2], self.predicted[:, :2], conf_level)
        second = (low[:, 1], high[:, 1]) if sign > 0 else (-high[:, 1], -low[:, 1])
        return a + sign * b, *limits_of_sum(a, (low[:, 0], high[:, 0]), sign * b, second, sign * rho)


def limits_of_sum(
    a: Any, of_a: tuple[Any, Any], b: Any, of_b: tuple[Any, Any], rho: Floats | float
) -> tuple[Floats, Floats]:
    """Limits of the sum of two correlated values, from the limits of both (Zou & Donner, 2008)."""

    def reach(x: Any, y: Any) -> Any:
        return np.sqrt(np.maximum(x * x + y * y + 2 * rho * x * y, 0))

    return a + b - reach(a - of_a[0], b - of_b[0]), a + b + reach(of_a[1] - a, of_b[1] - b)


def _combined(value: Floats, low: Floats, high: Floats) -> tuple[Any, Any]:
    """Limits of the first value less the second, from the limits of both (Zou & Donner, 2008)."""
    gap = value[0] - value[1]
    down, up = np.hypot(value[0] - low[0], high[1] - value[1]), np.hypot(high[0] - value[0], value[1] - low[1])
    return gap - down, gap + up
