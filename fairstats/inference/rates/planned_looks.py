"""Few looks that were planned: limits of a test statistic by alpha spending, and of a gap over strata of periods."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.polynomial.legendre import leggauss
from numpy.typing import NDArray
from scipy.optimize import brentq
from scipy.special import ndtr, ndtri

from fairstats.inference.rates.strata import stratified_rates

Floats = NDArray[np.float64]
Spending = Literal["obrien-fleming", "pocock"]
NODES, WEIGHTS = leggauss(160)
FAR = 9.0  # standard deviations beyond which there is no mass
STEPS = np.r_[np.logspace(-12, -4, 17), np.logspace(-3.75, -0.01, 40)]  # of the error, between which p is interpolated


def spent(share: float, alpha: float, spending: Spending) -> float:
    """How much of a two-sided error may have been spent at a share of the looks.

    Source: Lan & DeMets (1983), Biometrika 70, 659-663.

    >>> round(spent(0.5, 0.05, "obrien-fleming"), 5), round(spent(0.5, 0.05, "pocock"), 5)
    (0.00305, 0.03101)
    """
    if spending == "pocock":
        return float(alpha * np.log1p(np.expm1(1) * share))
    return float(4 * ndtr(ndtri(alpha / 4) / np.sqrt(share)))


def boundaries(information: Floats, planned: int, alpha: float, spending: Spending) -> Floats:
    """The limits of |z| at every look so far, whose increments of information are independent; infinite without news.

    information: at every look so far, of any unit, shape (looks,). planned: looks in all.
    Source: Armitage, McPherson & Rowe (1969), Journal of the Royal Statistical Society A 132, 235-244.

    >>> boundaries(np.arange(1.0, 6), 5, 0.05, "obrien-fleming").round(3).tolist()
    [4.877, 3.357, 2.68, 2.29, 2.031]
    """
    limits, before, used = np.full(information.size, np.inf), 0.0, 0.0
    points, density = np.zeros(1), np.ones(1)  # of the score that has not crossed a limit
    for k, now in enumerate(information):
        if not now > before:
            continue
        step, scale = np.sqrt(now - before), np.sqrt(now)
        may = spent((k + 1) / planned, alpha, spending) - used

        def crosses(z: float) -> float:
            return 2 * float(density @ ndtr((points - z * scale) / step)) - may  # noqa: B023

        limits[k] = brentq(crosses, 0.0, 40.0, xtol=1e-10) if may > 0 else np.inf
        used, before = used + max(may, 0.0), now
        end = min(limits[k], FAR) * scale
        later = end * NODES
        kernel = np.exp(-0.5 * ((later[:, None] - points) / step) ** 2) / (step * np.sqrt(2 * np.pi))
        points, density = later, end * WEIGHTS * (kernel @ density)
    return limits


@dataclass(frozen=True)
class PlannedGap:
    """The rate of a group less that of its reference over periods, looked at so often as was planned.

    y, n, y_ref, n_ref: shape (periods,). within: the gaps that are none, from and to. before: how many periods are no
    look.
    """

    y: Floats
    n: Floats
    y_ref: Floats
    n_ref: Floats
    planned: int
    spending: Spending
    within: tuple[float, float] = (0.0, 0.0)
    before: int = 0

    @cached_property
    def _so_far(self) -> tuple[Floats, Floats, Floats]:
        """Score, information and sum of weights."""
        total, both = self.n + self.n_ref, (self.n > 0) & (self.n_ref > 0)
        some, events = np.where(both, total, 1.0), self.y + self.y_ref
        weight = np.where(both, self.n * self.n_ref / some, 0.0)
        score = np.where(both, (self.y * self.n_ref - self.y_ref * self.n) / some, 0.0)
        spread = weight * events * (total - events) / some / np.maximum(total - 1, 1)
        return np.cumsum(score), np.cumsum(spread), np.cumsum(weight)

    @cached_property
    def std_errors(self) -> Floats:
        """Of the mean gap so far: the larger one of those without and with a gap."""
        _, information, weight = self._so_far
        seen = [
            stratified_rates(*(v[: k + 1] for v in (self.y, self.n, self.y_ref, self.n_ref))).std_error if w else np.nan
            for k, w in enumerate(weight)
        ]
        plain = np.divide(np.sqrt(information), weight, out=np.zeros_like(weight), where=weight > 0)
        return np.fmax(plain, seen)

    @property
    def gaps(self) -> Floats:
        """The mean gap so far, Mantel-Haenszel's."""
        score, _, weight = self._so_far
        return np.divide(score, weight, out=np.full_like(weight, np.nan), where=weight > 0)

    @cached_property
    def z(self) -> Floats:
        """How far the gap is beyond those that are none, less half a person, in standard errors; 0 where it is not."""
        score, _, weight = self._so_far
        least, most = self.within
        size = np.maximum(score - most * weight - 0.5, 0.0) - np.maximum(least * weight - score - 0.5, 0.0)
        spread = weight * self.std_errors
        return np.divide(size, spread, out=np.zeros_like(size), where=spread > 0)

    def _boundaries(self, alpha: float) -> Floats:
        """The limits of |z| in every period."""
        information = self._so_far[1][self.before :]
        return np.r_[np.full(self.before, np.inf), boundaries(information, self.planned, alpha, self.spending)]

    def limits(self, alpha: float) -> tuple[Floats, Floats]:
        """Repeated confidence limits: with 1 - alpha the gap, if it is always the same, is within those of all looks.

        Source: Jennison & Turnbull (1989), Journal of the Royal Statistical Society B 51, 305-361.
        """
        _, _, weight = self._so_far
        limits = self._boundaries(alpha)
        reach = np.where(np.isfinite(limits), limits, 0.0) * np.nan_to_num(self.std_errors)
        reach = np.where(np.isfinite(limits), reach, 2.0) + np.divide(
            0.5, weight, out=np.zeros_like(weight), where=weight > 0
        )
        gaps = np.nan_to_num(self.gaps)
        low, high = np.maximum(gaps - reach, -1.0), np.minimum(gaps + reach, 1.0)
        return np.maximum.accumulate(low), np.minimum.accumulate(high)

    def p_values(self, alpha: float) -> Floats:
        """The smallest error whose limit a look so far crosses; at most alpha exactly where that of alpha is."""
        errors = np.union1d(STEPS, alpha)
        limits = np.array([self._boundaries(error) for error in errors])
        found = []
        for column, z in zip(np.minimum.accumulate(limits).T, np.abs(self.z), strict=True):
            at = int(np.argmax(column <= z)) if (column <= z).any() else errors.size
            if at == errors.size or not np.isfinite(column[at]):
                found.append(1.0)
            elif at == 0 or not np.isfinite(column[at - 1]):
                found.append(errors[at])
            else:
                part = (column[at - 1] - z) / (column[at - 1] - column[at])
                found.append(float(np.exp(np.log(errors[at - 1]) * (1 - part) + np.log(errors[at]) * part)))
        p = np.minimum.accumulate(found)
        crossed = np.logical_or.accumulate(np.abs(self.z) >= limits[errors == alpha][0])
        return np.where(crossed, np.minimum(p, alpha), np.maximum(p, alpha * (1 + 1e-6)))
