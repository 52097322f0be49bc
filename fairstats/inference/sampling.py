"""Variances under a survey's design: strata, units and populations by linearization, or replicate weights.

Groups are domains of the whole sample: a unit without a member of the group is one whose sum is 0, never one that is left
out. Every statistic is a ratio of two weighted sums (a rate, a mean, the share below a quantile).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.special import betaincinv, stdtrit

from fairstats.inference.rates.one_rate import critical
from fairstats.inference.rates.survey import FEW, DesignRates
from fairstats.language import message

Floats = NDArray[np.float64]
Codes = NDArray[np.intp]
SingleUnits = Literal["fail", "certainty", "adjust", "average"]
FEWEST_UNITS = 4
TOO_FEW_UNITS = message("fewer than four sampling units in a group, or no degree of freedom")
NONE_LEFT = 1e-7  # a share of a stratum that was not drawn below which it was drawn whole, as in R's survey


@dataclass(frozen=True, eq=False)
class Sampling:
    """How a sample was drawn: K units in H strata, or the weights of R replicates.

    stratum: of each unit, shape (K,).
    drawn: units that were drawn of each stratum, which may be more than have rows, shape (H,).
    left: the share of the stratum's units that were not drawn, 1 without a finite population, shape (H,).
    rule: what a stratum of one unit adds.
    replicates: the weights of the replicates, shape (K, R) with a unit a row; None for linearization.
    scales: what each replicate's squared deviation is multiplied with, shape (R,).
    mse: whether deviations are from the estimate, otherwise from the mean of the replicates.
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

    def ratios(
        self, top: Floats, bottom: Floats, weight: Floats, unit: Codes, group: Codes, groups: int
    ) -> tuple[Floats, Floats]:
        """Ratios of weighted sums of each group, and their covariance.

        top, bottom: of each cell of people, for one person, shape (cells,).
        weight: summed weights of each cell; unit, group: where it belongs, shape (cells,).
        Returns: NaN of a group without people; shapes (G,) and (G, G).
        """
        sums = (np.bincount(group, v * weight, groups) for v in (top, bottom))
        with np.errstate(divide="ignore", invalid="ignore"):
            e, n = sums
            ratio = e / n
        if self.replicates is not None:
            shape = (groups, len(self.stratum))
            with np.errstate(divide="ignore", invalid="ignore"):
                e, n = (csr_array((v, (group, unit)), shape=shape) @ self.replicates for v in (top, bottom))
                each = e / n
            return ratio, self._replicated(ratio, each)
        with np.errstate(divide="ignore", invalid="ignore"):
            influence = np.nan_to_num(weight * (top - ratio[group] * bottom) / n[group], posinf=0.0, neginf=0.0)
        return ratio, self.covariance(influence, unit, group, groups)

    def covariance(self, influence: Floats, unit: Codes, group: Codes, groups: int) -> Floats:
        """The covariance of sums of linearized values, by group, shape (G, G).

        >>> plan = Sampling(np.array([0, 0]), np.array([2.0]), np.ones(1))
        >>> plan.covariance(np.array([1.0, -1.0]), np.arange(2), np.zeros(2, dtype=int), 1).tolist()
        [[4.0]]
        """
        units, strata = len(self.stratum), len(self.drawn)
        z = csr_array((influence, (unit, group)), shape=(units, groups))
        within = csr_array((np.ones(units), (self.stratum, np.arange(units))), shape=(strata, units))
        sums = (within @ z).toarray()
        each, less = self._factors
        spread = (z.T @ z.multiply(each[self.stratum][:, None])).toarray() - sums.T @ (sums * less[:, None])
        return np.asarray(spread)

    @cached_property
    def _factors(self) -> tuple[Floats, Floats]:
        """By stratum: what the squares of its units' sums are multiplied with, and what the square of its own sum."""
        n = self.drawn
        whole, single = self.left < NONE_LEFT, n == 1
        each = np.where(whole, 0.0, self.left * n / np.where(single, 1.0, n - 1))
        less = each / n
        alone = single & ~whole
        if self.rule == "adjust":  # around 0, the mean of all units, in place of its own
            less = np.where(alone, 0.0, less)
        elif self.rule == "average":
            each, less = (np.where(alone, 0.0, v) * len(n) / max(int((~alone).sum()), 1) for v in (each, less))
        return each, less

    def _replicated(self, ratio: Floats, each: Floats) -> Floats:
        """From the ratios of every replicate, shape (G, R)."""
        assert self.scales is not None
        if self.mse:
            center = ratio
        else:
            center = each[:, self.scales > 0].mean(axis=1)
        moved = np.nan_to_num(each - center[:, None]) * np.sqrt(self.scales)
        return np.asarray(moved @ moved.T)

    def df(self, present: NDArray[np.bool_]) -> int:
        """Degrees of freedom of the units that hold people: units less strata; of replicates the rank less 1.

        Source: Korn & Graubard (1999), Analysis of Health Surveys, section 5.2. R: ``survey::degf``.
        """
        if self.replicates is not None:
            some = self.replicates[present]
            return int(np.linalg.matrix_rank(some, tol=1e-5 * np.linalg.norm(some, 2))) - 1 if some.size else -1
        return int(present.sum()) - len(np.unique(self.stratum[present]))

    def rates(
        self,
        top: Floats,
        bottom: Floats,
        rows: Floats,
        weight: Floats,
        square: Floats,
        unit: Codes,
        group: Codes,
        groups: int,
    ) -> SurveyRates:
        """Rates of groups: `ratios` of 0 and 1, with effective sizes and degrees of freedom.

        rows: people of positive weight; square: their summed squared weights, by cell.
        """
        rate, covariance = self.ratios(top, bottom, weight, unit, group, groups)
        n = np.bincount(group, bottom * weight, groups)
        count = np.bincount(group, bottom * rows, groups)
        members = csr_array((bottom * rows, (group, unit)), shape=(groups, len(self.stratum))).toarray() > 0
        freedom = np.array([self.df(row) for row in members], dtype=float)
        if self.replicates is None:
            units = members.sum(axis=1)
            totals = csr_array((bottom * weight, (group, unit)), shape=(groups, len(self.stratum)))
            squares = np.asarray(totals.multiply(totals).sum(axis=1)).ravel()
        else:
            units, squares = freedom + 1, np.bincount(group, bottom * square, groups)
        variance = np.diag(covariance)
        with np.errstate(divide="ignore", invalid="ignore"):
            varied = (rate > 0) & (1 - rate > 1e-12) & (variance > 1e-14 * rate * (1 - rate))
            size = np.nan_to_num(np.where(varied, rate * (1 - rate) / variance, n**2 / squares))
            spread = np.sqrt(variance)
            correlation = np.clip(np.nan_to_num(covariance / np.outer(spread, spread)), -1.0, 1.0)
            least = 1 / np.maximum(freedom, 0.25)
        np.fill_diagonal(correlation, 1.0)
        overlap = np.sqrt(np.outer(least, least))
        return SurveyRates(rate, size, covariance, units.astype(np.int64), overlap, correlation, True, count, freedom)


@dataclass(frozen=True, eq=False)
class SurveyRates(DesignRates):
    """Rates under a whole design: survey's variances, t on the design's degrees of freedom.

    people: rows of each group, shape (G,).
    freedom: degrees of freedom of each group, shape (G,); of two groups between theirs.
    """

    people: Floats
    freedom: Floats

    @property
    def estimable(self) -> NDArray[np.bool_]:
        """Whether a group has four units or more, and a degree of freedom."""
        return np.asarray((self.units >= FEWEST_UNITS) & (self.freedom >= 1))

    def lacking(self, places: object) -> str:
        """Why a group has no variance."""
        return TOO_FEW_UNITS

    @property
    def guarded(self) -> bool:
        """An exact test of effective counts has to agree where few events are expected."""
        return True

    def uncertainty(self, places: object, rate: float) -> Floats:
        """The degrees of freedom of the design, as they are."""
        chosen = list(places)  # type: ignore[call-overload]
        return np.asarray(self.overlap[np.ix_(chosen, chosen)])

    def df(self, i: int) -> float:
        """Degrees of freedom of one group."""
        return float(self.freedom[i])

    def rare(self, i: int) -> bool:
        """Whether fewer than 15 effective people have the property, or fewer than 15 lack it."""
        return bool(self.size[i] * min(self.rate[i], 1 - self.rate[i]) < FEW)

    def limits(self, i: int, conf_level: float) -> tuple[float, float]:
        """Wilson's limits of one rate with t; of a rare one those of Korn and Graubard."""
        if not self.rare(i):
            return super().limits(i, conf_level)
        return korn_graubard(float(self.rate[i]), float(self.size[i]), float(self.people[i]), self.df(i), conf_level)


def korn_graubard(rate: float, size: float, people: float, df: float, conf_level: float) -> tuple[float, float]:
    """Limits of a rare rate: Clopper and Pearson's on the effective size, which few degrees of freedom make smaller.

    Source: Korn & Graubard (1998), Survey Methodology 24, 193-201. R: ``svyciprop(method = "beta")``.

    >>> [round(v, 4) for v in korn_graubard(0.02, 200, 400, 12, 0.95)]
    [0.0044, 0.0557]
    """
    tail = (1 - conf_level) / 2
    full = stdtrit(people - 1, 1 - tail) if people > 1 else critical(conf_level)
    n = size * float(full / stdtrit(df, 1 - tail)) ** 2
    e = n * rate
    low = float(betaincinv(e, n - e + 1, tail)) if e > 0 else 0.0
    high = float(betaincinv(e + 1, n - e, 1 - tail)) if n - e > 1e-9 * n else 1.0
    return low, high
