"""Scores of the same people: AUCs with DeLong's covariance, and the change of the gap in AUC between two scores."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fairstats.inference.scores.roc import AreaGap, AucResult, StudentArea, auc_interval, placements

Floats = NDArray[np.float64]
NAN = float("nan")


@dataclass(frozen=True)
class Areas:
    """AUCs of several scores of the same people.

    values: shape (scores,). covariance: DeLong's, shape (scores, scores), NaN with fewer than two people of an outcome.
    Source: DeLong, DeLong & Clarke-Pearson (1988), Biometrics 44, 837-845.
    """

    values: Floats
    covariance: Floats
    positives: int
    negatives: int

    @classmethod
    def of(cls, scores: Floats, positive: NDArray[np.bool_]) -> Areas:
        """Of scores, shape (n, scores), and who has the outcome.

        >>> found = Areas.of(np.array([[1.0, 2], [2, 1], [3, 3], [4, 4]]), np.array([False, True, False, True]))
        >>> found.values.tolist()
        [0.75, 0.5]
        """
        n, m = int(positive.sum()), int((~positive).sum())
        where = np.stack([placements(column, positive) for column in scores.T])
        if min(n, m) == 0:
            return cls(np.full(len(where), np.nan), np.full((len(where),) * 2, np.nan), n, m)
        covariance = np.full((len(where),) * 2, np.nan)
        if min(n, m) > 1:
            covariance = np.cov(where[:, positive]) / n + np.cov(where[:, ~positive]) / m
        return cls(where[:, positive].mean(axis=1), covariance, n, m)

    @property
    def n(self) -> int:
        """People."""
        return self.positives + self.negatives

    def alone(self, k: int, conf_level: float) -> AucResult:
        """One of them with its limits."""
        if not min(self.positives, self.negatives):
            return AucResult(NAN, NAN, NAN, NAN, self.positives, self.negatives, "")
        theta, se = float(self.values[k]), float(np.sqrt(self.covariance[k, k]))
        low, high, method = auc_interval(theta, se, self.positives, self.negatives, conf_level)
        return AucResult(theta, se, low, high, self.positives, self.negatives, method)

    def correlation(self, k: int, other: int) -> float:
        """Of two of them; 0 where one has no variance."""
        spread = np.sqrt(self.covariance[k, k] * self.covariance[other, other])
        return float(np.clip(self.covariance[k, other] / spread, -1, 1)) if spread > 0 else 0.0


@dataclass(frozen=True)
class _Turned:
    """The negative of an area: the gap beside it is a sum."""

    area: StudentArea

    @property
    def auc(self) -> float:
        return -self.area.auc

    @property
    def std_error(self) -> float:
        return self.area.std_error

    def limits(self, conf_level: float) -> tuple[float, float]:
        low, high = self.area.limits(conf_level)
        return -high, -low


@dataclass(frozen=True)
class PairedArea:
    """The AUC of everybody, of one score beside another of the same people."""

    areas: Areas
    first: int
    second: int

    @property
    def _pair(self) -> AreaGap:
        one, two = (StudentArea(self.areas.alone(k, 0.95)) for k in (self.first, self.second))
        return AreaGap(one, two, self.areas.correlation(self.first, self.second))

    @property
    def known(self) -> bool:
        """Whether there is a covariance."""
        return bool(np.isfinite(self.areas.covariance).all())

    @property
    def change(self) -> float:
        """The first AUC less the second."""
        return self._pair.difference

    @property
    def std_error(self) -> float:
        """Of the change."""
        return self._pair.std_error

    def limits(self, conf_level: float) -> tuple[float, float]:
        """Limits of the change: the logit limits of both AUCs by their correlation."""
        return self._pair.limits(conf_level)


@dataclass(frozen=True)
class PairedAreas:
    """The gap in AUC between a group and the reference, of one score beside another of the same people."""

    group: Areas
    reference: Areas
    first: int
    second: int

    @property
    def known(self) -> bool:
        """Whether both groups have a covariance."""
        return all(np.isfinite(areas.covariance).all() for areas in (self.group, self.reference))

    @property
    def change(self) -> float:
        """The gap of the first score less that of the second."""
        return self._pair(self.group, 1).difference - self._pair(self.reference, 1).difference

    @property
    def std_error(self) -> float:
        """Of the change."""
        return float(np.hypot(self._pair(self.group, 1).std_error, self._pair(self.reference, 1).std_error))

    def limits(self, conf_level: float) -> tuple[float, float]:
        """Limits of the change: of each group the logit limits of both AUCs by their correlation, then both groups."""
        return self._joined(conf_level, 1)

    @property
    def sum(self) -> float:
        """The gap of the first score plus that of the second."""
        return self._pair(self.group, -1).difference - self._pair(self.reference, -1).difference

    def sum_limits(self, conf_level: float) -> tuple[float, float]:
        """Limits of the sum of both gaps."""
        return self._joined(conf_level, -1)

    def _joined(self, conf_level: float, sign: int) -> tuple[float, float]:
        own, base = self._pair(self.group, sign), self._pair(self.reference, sign)
        (low, high), (low0, high0) = own.limits(conf_level), base.limits(conf_level)
        value = own.difference - base.difference
        below = np.hypot(own.difference - low, high0 - base.difference)
        return float(value - below), float(value + np.hypot(high - own.difference, base.difference - low0))

    def _pair(self, areas: Areas, sign: int) -> AreaGap:
        one, two = (StudentArea(areas.alone(k, 0.95)) for k in (self.first, self.second))
        return AreaGap(one, two if sign > 0 else _Turned(two), sign * areas.correlation(self.first, self.second))
