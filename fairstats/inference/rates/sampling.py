"""Variances under a survey's design: strata, units and populations by linearization, or replicate weights.

Groups are domains of the whole sample: a unit without a member of the group is one whose sum is 0, never one that
is left out. Every statistic is a ratio of two weighted sums (a rate, a mean, the share below a quantile).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import betaincinv, stdtrit

from fairstats.estimates import NAN
from fairstats.inference.rates.one_rate import critical
from fairstats.inference.rates.survey import EFFECTIVE, FEW, DesignRates
from fairstats.language import message

Floats = NDArray[np.float64]
Codes = NDArray[np.intp]
SingleUnits = Literal["fail", "certainty", "adjust", "average"]
FEWEST_UNITS = 4
KORN_GRAUBARD = message("Korn-Graubard interval of few effective events, t")
SURVEY = message("means with the variance of the survey's design, t")
TOO_FEW_UNITS = message("fewer than four sampling units in a group, or no degree of freedom")
EMPTY_REPLICATE = message("a replicate gives all of a group, or of an outcome in it, the weight 0")
DEPENDENT = 1e-9  # a singular value, by the largest one, below which calibration variables depend on each other
NONE_LEFT = 1e-7  # a share of a stratum that was not drawn below which it was drawn whole, as in R's survey


@dataclass(frozen=True, eq=False)
class Calibration:
    """What the weights of N rows were calibrated to: only residuals of a regression on it add to a variance.

    basis: orthonormal columns of the calibration variables times `root`, shape (N, p).
    root, weights: square roots of the weights before calibration, and the weights after it, shape (N,).
    Source: Deville & Särndal (1992), Journal of the American Statistical Association 87, 376-382. R:
    ``survey::calibrate``, ``survey::svyrecvar``.

    >>> to = Calibration.of(np.ones((4, 1)), np.ones(4), np.full(4, 2.0))
    >>> to.residuals(np.array([1.0, 0.0, 0.0, 3.0]))
    array([ 0., -1., -1.,  2.])
    """

    basis: Floats
    root: Floats
    weights: Floats

    @staticmethod
    def of(variables: Floats, base: Floats, weights: Floats) -> Calibration:
        """The same from the calibration variables, shape (N, p), which may depend on each other."""
        root = np.sqrt(base)
        X = variables * root[:, None]
        size = np.linalg.norm(X, axis=0)
        U, values, _ = np.linalg.svd(X / np.where(size > 0, size, 1.0), full_matrices=False)
        return Calibration(U[:, values > DEPENDENT * values.max(initial=0.0)], root, weights)

    def residuals(self, sums: Floats) -> Floats:
        """What the calibration variables do not explain of each row's part in a linearized estimate."""
        with np.errstate(divide="ignore", invalid="ignore"):
            ratio = np.where((self.root > 0) & (self.weights != 0), self.weights / self.root, 0.0)
            scaled = np.where(ratio != 0, sums / ratio, 0.0)
        return np.asarray(sums - ratio * (self.basis @ (self.basis.T @ scaled)))


@dataclass(frozen=True, eq=False)
class Sampling:
    """How a sample was drawn: K units in H strata, or the weights of R replicates.

    stratum: of each unit, shape (K,).
    drawn: units that were drawn of each stratum, which may be more than have rows, shape (H,).
    left: the share of the stratum's units that were not drawn, 1 without a finite population, shape (H,).
    rule: what a stratum of one unit adds.
    replicates: the weights of the replicates, shape (K, R) with a unit a row; None for linearization.
    scales: what each replicate's squared deviation is multiplied with, shape (R,).
    share: of the stratum, which is a unit of the stage before, that was drawn until then, shape (H,); None is 1.
    later: the next stage, whose units are those of cells and whose strata are these units; None where there is none.
    mse: whether deviations are from the estimate, otherwise from the mean of the replicates.
    calibration: what weights were calibrated to; units of the last stage are then rows.
    Source: Särndal, Swensson & Wretman (1992), Model Assisted Survey Sampling, section 4.2; Wolter (2007),
    Introduction to Variance Estimation, chapters 3 to 5. R: ``survey::svyrecvar``, ``survey::svrVar``.
    """

    stratum: Codes
    drawn: Floats
    left: Floats
    rule: SingleUnits = "fail"
    replicates: Floats | None = None
    scales: Floats | None = None
    mse: bool = False
    share: Floats | None = None
    later: Sampling | None = None
    calibration: Calibration | None = None

    @property
    def units(self) -> int:
        """Of the last stage."""
        return len(self.stratum) if self.later is None else self.later.units

    def first(self, unit: Codes) -> Codes:
        """The units of the first stage that hold units of the last."""
        return unit if self.later is None else self.later.stratum[self.later.first(unit)]

    def ratio(self, top: Floats, bottom: Floats, weight: Floats, unit: Codes) -> tuple[float, Floats]:
        """A ratio of two weighted sums, and its deviations: their products are variances and covariances.

        top, bottom: of each cell of a group, for one person, shape (cells,).
        weight: summed weights of each cell; unit: where it was drawn, shape (cells,).
        Returns: NaN without people; shape (K + H,) by units and strata of every stage, or (R,) by replicates.

        >>> plan = Sampling(np.array([0, 0]), np.array([2.0]), np.ones(1))
        >>> rate, moved = plan.ratio(np.array([1.0, 0.0]), np.ones(2), np.ones(2), np.arange(2))
        >>> rate, round(float(moved @ moved), 12)
        (0.5, 0.25)
        """
        e, n = float(top @ weight), float(bottom @ weight)
        if not n > 0:
            return NAN, np.zeros(self.length)
        value = e / n
        if self.replicates is not None:
            some = self.replicates[unit]
            with np.errstate(divide="ignore", invalid="ignore"):
                return value, self.replicated(value, (top @ some) / (bottom @ some))
        return value, self.total((top - value * bottom) / n, weight, unit)

    def total(self, each: Floats, weight: Floats, unit: Codes) -> Floats:
        """The deviations of a weighted sum, as those of `ratio`.

        each: of one person of each cell, shape (cells,).
        """
        if self.replicates is not None:
            return self.replicated(float(each @ weight), each @ self.replicates[unit])
        return self.deviations(np.bincount(unit, weight * each, self.units).astype(float))

    @property
    def length(self) -> int:
        """Of a vector of deviations."""
        if self.replicates is not None:
            return self.replicates.shape[1]
        return len(self.stratum) + len(self.drawn) + (0 if self.later is None else self.later.length)

    def deviations(self, sums: Floats) -> Floats:
        """What the sum of each unit is from the mean of its stratum; those without rows together, as one of theirs.

        sums: of the units of the last stage.
        Returns: shape (K + H,), those of later stages after them.
        """
        if self.calibration is not None:
            sums = self.calibration.residuals(sums)
        if self.later is None:
            return self._apart(sums)
        of_first = np.bincount(self.first(np.arange(self.units)), sums, len(self.stratum)).astype(float)
        return np.concatenate([self._apart(of_first), self.later.deviations(sums)])

    def raised(self, sums: Floats, moved: Floats, plain: Floats) -> Floats:
        """Deviations with other sums of the units of the first stage, and those of later stages as they are.

        moved, plain: the deviations and sums of first units whose place these sums take, the latter before calibration.
        """
        first = len(self.stratum) + len(self.drawn)
        return np.concatenate([moved[:first] + self._apart(sums - plain), moved[first:]])

    def _apart(self, sums: Floats) -> Floats:
        """The deviations of one stage; sums: shape (K,)."""
        strata = len(self.drawn)
        means = np.bincount(self.stratum, sums, strata) / self.drawn
        absent = self.drawn - np.bincount(self.stratum, minlength=strata)
        alone = self.drawn == 1
        if self.rule == "adjust":  # around 0, the mean of all units, in place of its own
            means = np.where(alone, 0.0, means)
        each, n = self.left, self.drawn
        each = np.sqrt(each * n / np.where(alone, 1.0, n - 1) * (1.0 if self.share is None else self.share))
        if self.rule == "average":
            lonely = alone & (self.left >= NONE_LEFT)
            each = each * np.sqrt(len(n) / max(int((~lonely).sum()), 1))
        return np.concatenate([(sums - means[self.stratum]) * each[self.stratum], means * each * np.sqrt(absent)])

    def replicated(self, value: float, each: Floats) -> Floats:
        """The deviations of a statistic from what it is in each replicate, shape (R,)."""
        assert self.scales is not None
        center = value if self.mse else float(np.mean(each[self.scales > 0]))
        return np.asarray((each - center) * np.sqrt(self.scales))

    def size(self, unit: Codes) -> tuple[int, int]:
        """How many units hold some people, and the design's degrees of freedom: units less strata, or a rank less 1.

        Source: Korn & Graubard (1999), Analysis of Health Surveys, section 5.2. R: ``survey::degf``.
        """
        if self.replicates is not None:
            some = np.linalg.qr(self.replicates[unit], mode="r")
            rank = int(np.linalg.matrix_rank(some, tol=1e-5 * np.linalg.norm(some, 2)))
            return rank, rank - 1
        present = np.unique(self.first(unit))
        return present.size, present.size - np.unique(self.stratum[present]).size

    def freedom(self, unit: Codes, weight: Floats, square: Floats) -> float:
        """Degrees of freedom of a variance: the design's, or fewer where units differ in weight, as without a design.

        They are at most Satterthwaite's, for people who are independent, and at most Kish's size of the units of each
        stratum, less strata: of units of one weight both are the design's. The design's alone let up to 15% of equal
        rates in 12 to 40 units be called different where the sizes of units have a log sd of 1.3.

        unit, weight, square: of some people, summed weights and squares, shape (cells,).
        Source: Satterthwaite (1946), Biometrics Bulletin 2, 110-114; Kish (1965), Survey Sampling, section 11.7.

        >>> plan = Sampling(np.zeros(4, np.intp), np.array([4.0]), np.ones(1))
        >>> each = np.array([1.0, 1.0, 1.0, 3.0])
        >>> plan.freedom(np.arange(4), np.ones(4), np.ones(4)), plan.freedom(np.arange(4), each, each)
        (3.0, 2.0)
        """
        used = weight > 0
        unit, weight, square = unit[used], weight[used], square[used]
        least = self._of_replicates if self.replicates is not None else self._of_units
        return min(float(self.size(unit)[1]), max(least(unit, weight, square), 1.0))

    def _of_units(self, unit: Codes, weight: Floats, square: Floats) -> float:
        """The fewer of Satterthwaite's and Kish's degrees of freedom of the first stage."""
        n, first, share = self.drawn, self.first(unit), self.left * (1.0 if self.share is None else self.share)
        variance, size = (np.bincount(first, v, len(self.stratum)) for v in (square, weight))
        sums, squares, sizes, kish = (
            np.bincount(self.stratum, v, len(n)) for v in (variance, variance**2, size, size**2)
        )
        alone = n == 1  # a stratum of one unit adds the square of its sum, or nothing
        adds = np.where(alone & (self.rule != "adjust"), 0.0, share)
        each = adds * n / np.where(alone, 1.0, n - 1)
        spread = float(each**2 @ np.where(alone, squares, squares * (1 - 2 / n) + sums**2 / n**2))
        present = kish > 0
        effective = float(np.sum(sizes[present] ** 2 / kish[present] - 1))
        return min(effective, float(adds @ sums) ** 2 / spread if spread > 0 else np.inf)

    def _of_replicates(self, unit: Codes, weight: Floats, square: Floats) -> float:
        """The same of replicates."""
        assert self.scales is not None
        factor, code = self._alike(unit, weight)
        size, variance = (np.bincount(code, v) for v in (weight, square))
        moved = factor - (1.0 if self.mse else factor[:, self.scales > 0].mean(axis=1, keepdims=True))
        moved = moved * np.sqrt(self.scales) * np.sqrt(variance)[:, None]
        both = moved @ moved.T if len(moved) < moved.shape[1] else moved.T @ moved
        spread, effective = float(np.sum(both * both)), float(size.sum() ** 2 / (size @ size)) - 1
        return min(effective, float(np.trace(both)) ** 2 / spread if spread > 0 else np.inf)

    def _alike(self, unit: Codes, weight: Floats) -> tuple[Floats, Codes]:
        """What replicates multiply the weights with, by unit, and the unit of each: people whose factors are equal."""
        assert self.replicates is not None
        factor = self.replicates[unit] / weight[:, None]
        turned = factor @ np.cos(np.outer(np.arange(factor.shape[1]), [1.0, 2.0]))  # two numbers tell rows apart
        _, first, code = np.unique(np.round(turned, 4), axis=0, return_index=True, return_inverse=True)
        return factor[first], np.ravel(code)

    def rates(self, top: Floats, bottom: Floats, cells: SampledPeople, group: Codes, groups: int) -> SurveyRates:
        """Rates of groups: ratios of 0 and 1, with effective sizes and degrees of freedom.

        group: of each cell, shape (cells,).
        """
        rate, freedom, units, kish = np.full((4, groups), NAN)
        moved = np.zeros((self.length, groups))
        count = np.bincount(group, bottom * cells.people, groups).astype(float)
        for i in np.flatnonzero(count):
            at = np.flatnonzero((group == i) & (bottom > 0) & (cells.weight > 0))
            weight, unit = cells.weight[at], cells.unit[at]
            rate[i], moved[:, i] = self.ratio(top[at], bottom[at], weight, unit)
            units[i], freedom[i] = self.size(unit)[0], self.freedom(unit, weight, cells.square[at])
            drawn = self.first(unit) if self.replicates is None else self._alike(unit, weight)[1]
            kish[i] = weight.sum() ** 2 / np.sum(np.bincount(drawn, weight) ** 2)
        covariance = moved.T @ moved
        variance = np.diag(covariance)
        with np.errstate(divide="ignore", invalid="ignore"):
            varied = (rate > 0) & (1 - rate > 1e-12) & (variance > 1e-14 * rate * (1 - rate))
            size = np.nan_to_num(np.where(varied, rate * (1 - rate) / variance, kish))
            spread = np.sqrt(variance)
            correlation = np.clip(np.nan_to_num(covariance / np.outer(spread, spread)), -1.0, 1.0)
            least = 1 / np.maximum(np.nan_to_num(freedom), 0.25)
        np.fill_diagonal(correlation, 1.0)
        overlap = np.sqrt(np.outer(least, least))
        units = np.nan_to_num(units)
        clustered = bool((units < count).any())
        return SurveyRates(
            rate, size, covariance, units.astype(np.int64), overlap, correlation, clustered, count, freedom
        )


class SampledPeople(NamedTuple):
    """People of positive weight, summed weights and squares, and the unit of each cell, shape (cells,)."""

    people: Floats
    weight: Floats
    square: Floats
    unit: Codes


@dataclass(frozen=True, eq=False)
class SurveyRates(DesignRates):
    """Rates under a whole design: survey's variances, t on the design's degrees of freedom or fewer.

    people: rows of each group, shape (G,).
    freedom: `Sampling.freedom` of each group, shape (G,); of two groups between theirs.
    """

    people: Floats
    freedom: Floats

    @property
    def estimable(self) -> NDArray[np.bool_]:
        """Whether a group has four units or more, a degree of freedom, and weight in every replicate."""
        return self._enough & np.isfinite(self.std_error)

    @property
    def _enough(self) -> NDArray[np.bool_]:
        return np.asarray((self.units >= FEWEST_UNITS) & (self.freedom >= 1))

    def lacking(self, places: Sequence[int]) -> str:
        """Why a group has no variance."""
        return EMPTY_REPLICATE if self._enough[list(places)].all() else TOO_FEW_UNITS

    def df(self, i: int) -> float:
        """Degrees of freedom of one group."""
        return float(self.freedom[i])

    def rare(self, i: int) -> bool:
        """Whether fewer than 15 effective people have the property, or fewer than 15 lack it."""
        return bool(self.size[i] * min(self.rate[i], 1 - self.rate[i]) < FEW)

    def method(self, i: int) -> str:
        """How the limits of one rate are made."""
        return KORN_GRAUBARD if self.rare(i) else EFFECTIVE

    def limits(self, i: int, conf_level: float) -> tuple[float, float]:
        """Wilson's limits of one rate with t; of a rare one those of Korn and Graubard."""
        if not self.rare(i):
            return super().limits(i, conf_level)
        return korn_graubard(float(self.rate[i]), float(self.size[i]), float(self.people[i]), self.df(i), conf_level)


def korn_graubard(rate: float, size: float, people: float, df: float, conf_level: float) -> tuple[float, float]:
    """Limits of a rare rate: Clopper and Pearson's on the effective size, which few degrees of freedom make smaller.

    Source: Korn & Graubard (1998), Survey Methodology 24, 193-201. R: ``svyciprop(method = "beta")``.

    >>> [round(v, 4) for v in korn_graubard(0.02, 200, 400, 12, 0.95)]
    [0.0045, 0.0552]
    """
    tail = (1 - conf_level) / 2
    full = stdtrit(people - 1, 1 - tail) if people > 1 else critical(conf_level)
    n = size * float(full / stdtrit(df, 1 - tail)) ** 2
    e = n * rate
    low = float(betaincinv(e, n - e + 1, tail)) if e > 0 else 0.0
    high = float(betaincinv(e + 1, n - e, 1 - tail)) if n - e > 1e-9 * n else 1.0
    return low, high
