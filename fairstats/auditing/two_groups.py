"""Two groups compared in one rate: the test and the intervals, for independent people and for weighted samples."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from scipy.special import ndtr

from fairstats.auditing.effective_counts import Evidence
from fairstats.estimates import Estimate
from fairstats.inference.rates.equal_rates import TEST_NAMES
from fairstats.inference.rates.equivalence import p_within, tost_rates, tost_ratio
from fairstats.inference.rates.noninferiority import equivalence_of_rates, equivalence_of_ratio
from fairstats.inference.rates.one_rate import critical, wilson
from fairstats.inference.rates.two_rates import INTERVAL_NAMES, difference, newcombe, ratio
from fairstats.inference.rates.unconditional import unconditional_test

EXACT = f"{TEST_NAMES['unconditional']}; pooled Z"
WEIGHTED = "Rao-Scott Z on effective sizes"


@dataclass(frozen=True)
class Pair:
    """Group against base in one rate; the places are those of the labels."""

    part: Evidence
    group: int
    base: int

    @property
    def _four(self) -> tuple[float, float, float, float]:
        return *self.part.effective(self.group), *self.part.effective(self.base)

    @property
    def _rho(self) -> float:
        return self.part.correlated(self.group, self.base)

    def z(self) -> float:
        """The pooled Z statistic, on effective sizes and with the correlation of the two rates."""
        e1, n1, e0, n0 = self._four
        pooled = (e1 + e0) / (n1 + n0)
        own, other = math.sqrt(pooled * (1 - pooled) / n1), math.sqrt(pooled * (1 - pooled) / n0)
        gap, variance = e1 / n1 - e0 / n0, own**2 + other**2 - 2 * self._rho * own * other
        return gap / math.sqrt(variance) if variance > 0 else 0.0

    def p_value(self) -> float:
        """The exact unconditional test of independent people, otherwise the Rao-Scott test."""
        return float(unconditional_test(*self._four)) if self.part.exact else float(2 * ndtr(-abs(self.z())))

    def p_equivalence(self, margin: float) -> float:
        """Two one-sided tests that the difference lies within a margin; under clusters by inverting the limits."""
        if self.part.exact:
            return float(equivalence_of_rates(*self._four, margin))
        if self._rho:
            return p_within(self.limits, -margin, margin)
        return float(tost_rates(*self._four, margin))

    def p_equivalence_of_ratio(self, least: float) -> float:
        """Two one-sided tests that the ratio lies between `least` and its inverse."""
        if self.part.exact:
            return float(equivalence_of_ratio(*self._four, least))
        if self._rho:
            return p_within(lambda level: _ends(self.ratio(level)), least, 1 / least)
        return float(tost_ratio(*self._four, least))

    def difference(self, level: float) -> Estimate:
        """The difference with Newcombe's interval (with his term for correlated rates under clusters)."""
        row = difference(*self._four, metric=self.part.metric, test="z", conf_level=level)
        if row.status != "ok":
            return row
        return self._designed(self._linearized(row, 1.0, 1.0), *self.limits(level), "newcombe")

    def ratio(self, level: float) -> Estimate:
        """The ratio with Koopman's interval; under clusters the linearized log interval, which knows correlation."""
        row = ratio(*self._four, metric=self.part.metric, test="z", conf_level=level)
        if row.status == "ok" and 0 < row.estimate < math.inf:
            p1, p0 = self.part.rate[self.group], self.part.rate[self.base]
            row = self._linearized(row, 1 / p0, p1 / p0**2)
        if row.status != "ok" or not self._rho or not 0 < row.estimate < math.inf:
            return self._designed(row, row.conf_low, row.conf_high, "koopman") if row.status == "ok" else row
        e1, n1, e0, n0 = self._four
        own, other = math.sqrt(1 / e1 - 1 / n1), math.sqrt(1 / e0 - 1 / n0)
        spread = math.sqrt(max(own**2 + other**2 - 2 * self._rho * own * other, 0.0))
        half = float(critical(level)) * spread
        low, high = row.estimate * math.exp(-half), row.estimate * math.exp(half)
        return self._designed(row, low, high, "log")

    def _linearized(self, row: Estimate, slope: float, base_slope: float) -> Estimate:
        """Under a design, the row with the error of ``slope p1 - base_slope p0``, which knows their covariance."""
        if self.part.variance is None:
            return row
        own, other = slope * self.part.std_error(self.group), base_slope * self.part.std_error(self.base)
        return replace(row, std_error=_joined(own, other, self._rho))

    def limits(self, level: float) -> tuple[float, float]:
        """Newcombe's limits of the difference; two Wilson intervals recovered with the correlation (Zou)."""
        if not self._rho:
            low, high = newcombe(*self._four, level)
            return float(low), float(high)
        (low1, high1), (low0, high0) = (wilson(*self.part.effective(i), level) for i in (self.group, self.base))
        p1, p0 = self.part.rate[self.group], self.part.rate[self.base]
        below, above = (_joined(p1 - low1, high0 - p0, self._rho), _joined(high1 - p1, p0 - low0, self._rho))
        return float(p1 - p0 - below), float(p1 - p0 + above)

    def _designed(self, row: Estimate, low: float, high: float, interval: str) -> Estimate:
        test = EXACT if self.part.exact else WEIGHTED
        method = f"{INTERVAL_NAMES[interval]}; {test}"
        return replace(row, conf_low=low, conf_high=high, statistic=self.z(), method=method)


def _ends(row: Estimate) -> tuple[float, float]:
    return row.conf_low, row.conf_high


def _joined(a: float, b: float, rho: float) -> float:
    return float(np.sqrt(max(a * a + b * b - 2 * rho * a * b, 0.0)))
