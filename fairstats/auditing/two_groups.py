"""Two groups compared in one rate: the test and the intervals, for independent people and for weighted samples."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from fairstats.auditing.effective_counts import Evidence
from fairstats.estimates import NAN, Estimate
from fairstats.inference.rates.design_families import limits_of
from fairstats.inference.rates.design_rates import DesignPair
from fairstats.inference.rates.equal_rates import TEST_NAMES
from fairstats.inference.rates.equivalence import tost_rates, tost_ratio
from fairstats.inference.rates.noninferiority import equivalence_of_rates, equivalence_of_ratio
from fairstats.inference.rates.score_intervals import koopman, miettinen_nurminen
from fairstats.inference.rates.two_rates import INTERVAL_NAMES, difference, ratio
from fairstats.inference.rates.unconditional import decisive_test

Floats = NDArray[np.float64]
EXACT = f"{TEST_NAMES['unconditional']}; pooled Z"
WEIGHTED = "Rao-Scott score test on effective sizes, t"
FEW_WEIGHTED = f"{WEIGHTED}; at least the p of the exact unconditional test of effective counts"


@dataclass(frozen=True, eq=False)
class Against:
    """All groups against one base in one rate: limits that have to be solved for are solved for all together."""

    part: Evidence
    base: int
    _solved: dict[tuple[float, str], tuple[Floats, Floats]] = field(default_factory=dict)
    _designed: dict[tuple[float, str], dict[int, tuple[float, float]]] = field(default_factory=dict)

    def pairs(self) -> list[Pair]:
        """Every group but the base."""
        return [Pair(self, i) for i in range(self.part.n.size) if i != self.base]

    def limits(self, group: int, level: float, contrast: str) -> tuple[float, float]:
        """Score limits of one group's difference or ratio: Miettinen and Nurminen's, or Koopman's."""
        if (level, contrast) not in self._solved:
            e, n = np.array([self.part.effective(i) for i in range(self.part.n.size)]).T
            interval = koopman if contrast == "ratio" else miettinen_nurminen
            self._solved[level, contrast] = interval(e, n, e[self.base], n[self.base], level)
        low, high = self._solved[level, contrast]
        return float(low[group]), float(high[group])

    def design_limits(self, group: int, level: float, contrast: str) -> tuple[float, float]:
        """Under a design, the limits of one group's difference or ratio."""
        design = self.part.design
        assert design is not None
        if (level, contrast) not in self._designed:
            known = np.flatnonzero(design.estimable & (design.size > 0)).tolist()
            others = [i for i in known if i != self.base] if self.base in known else []
            ends = zip(*limits_of([design.pair(i, self.base) for i in others], level, contrast), strict=True)
            self._designed[level, contrast] = {i: (float(a), float(b)) for i, (a, b) in zip(others, ends, strict=True)}
        return self._designed[level, contrast].get(group, (NAN, NAN))


@dataclass(frozen=True)
class Pair:
    """One group against the base in one rate; the places are those of the labels."""

    against: Against
    group: int

    @property
    def part(self) -> Evidence:
        """The rate."""
        return self.against.part

    @property
    def base(self) -> int:
        """The place of the reference."""
        return self.against.base

    @property
    def _four(self) -> tuple[float, float, float, float]:
        return *self.part.effective(self.group), *self.part.effective(self.base)

    @cached_property
    def _design(self) -> DesignPair | None:
        return None if self.part.design is None else self.part.design.pair(self.group, self.base)

    def z(self) -> float:
        """The pooled Z statistic; on effective sizes and with the correlation of the two rates under a design."""
        if self._design is not None:
            return self._design.z
        e1, n1, e0, n0 = self._four
        pooled = (e1 + e0) / (n1 + n0)
        variance = pooled * (1 - pooled) * (1 / n1 + 1 / n0)
        return (e1 / n1 - e0 / n0) / math.sqrt(variance) if variance > 0 else 0.0

    def p_value(self) -> float:
        """The test that decides: exact of independent people, otherwise the score test on effective sizes, with t."""
        return self._p_value

    @cached_property
    def _p_value(self) -> float:
        return self._design.p_value if self._design is not None else float(decisive_test(*self._four))

    def p_equivalence(self, margin: float) -> float:
        """Two one-sided tests that the difference lies within a margin."""
        if self._design is not None:
            return self._design.p_equivalence(margin)
        return float(np.maximum(equivalence_of_rates(*self._four, margin), tost_rates(*self._four, margin)))

    def p_equivalence_of_ratio(self, least: float) -> float:
        """Two one-sided tests that the ratio lies between `least` and its inverse."""
        if self._design is not None:
            return self._design.p_equivalence_of_ratio(least)
        return float(np.maximum(equivalence_of_ratio(*self._four, least), tost_ratio(*self._four, least)))

    def difference(self, level: float) -> Estimate:
        """The difference with Miettinen and Nurminen's interval; under a design with the limits of its score test."""
        row = difference(*self._four, metric=self.part.metric, interval="newcombe", test="z", conf_level=level)
        if row.status != "ok":
            return row
        if self._design is None:
            return self._finished(row, *self.against.limits(self.group, level, "difference"), "miettinen-nurminen")
        row = replace(row, std_error=self._design.std_error)
        return self._finished(row, *self.against.design_limits(self.group, level, "difference"), "miettinen-nurminen")

    def ratio(self, level: float) -> Estimate:
        """The ratio with Koopman's interval; under a design with t and the correlation of the two rates."""
        row = ratio(*self._four, metric=self.part.metric, interval="log", test="z", conf_level=level)
        if row.status != "ok":
            return row
        if self._design is None:
            return self._finished(row, *self.against.limits(self.group, level, "ratio"), "koopman")
        row = replace(row, std_error=self._design.ratio_std_error)
        return self._finished(row, *self.against.design_limits(self.group, level, "ratio"), "koopman")

    def _finished(self, row: Estimate, low: float, high: float, interval: str) -> Estimate:
        weighted = FEW_WEIGHTED if self._design is not None and self._design.few else WEIGHTED
        test = EXACT if self.part.exact else weighted
        df = NAN if self._design is None else self._design.df
        method = f"{INTERVAL_NAMES[interval]}; {test}"
        return replace(row, conf_low=low, conf_high=high, statistic=self.z(), df=df, method=method)
