"""The scores of the groups of an attribute, and each group's beside those of its reference."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from fairstats.auditing.coding import CodedTally
from fairstats.auditing.input import UNKNOWN
from fairstats.auditing.protocol import Protocol
from fairstats.auditing.rows.score_grid import told, untold, untold_shift
from fairstats.data.grids import EXACT
from fairstats.estimates import Estimate
from fairstats.inference.scores.auc_difference import AreaGap, StudentArea
from fairstats.inference.scores.auc_rows import auc_gap_row
from fairstats.inference.scores.brunner_munzel import RelativeEffect, relative_effect_of, relative_effect_row
from fairstats.inference.scores.delong import area, split_outcomes
from fairstats.inference.scores.mann_whitney import rank_test
from fairstats.inference.scores.merged_samples import Blocks, RankTest, merge
from fairstats.inference.scores.rank_rows import shift_row
from fairstats.studies.attribute import Attribute

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Sample:
    """The scores of one group, and those with a known outcome."""

    label: str
    scores: Floats
    judged: Floats
    outcomes: NDArray[np.int8]
    level: int = EXACT  # of the grid that the scores are on

    @cached_property
    def untold(self) -> float:
        """The most by which the grid can move the area under its ROC curve."""
        return untold(self.by_outcome, self.level)

    @cached_property
    def by_outcome(self) -> Blocks:
        """The scores of its positive people merged with those of its negative ones."""
        return split_outcomes(self.judged, self.outcomes)

    @cached_property
    def judged_area(self) -> StudentArea:
        """The area under its ROC curve."""
        return StudentArea(area(self.by_outcome))


def samples(tally: CodedTally, levels: Attribute, weight_type: str) -> tuple[Sample, ...]:
    """The scores of each group; a frequency weight repeats a person.

    Parameters
    ----------
    tally : CodedTally
        With scores.
    levels : Attribute
        The attribute.
    weight_type : {"frequency", "probability"}
        Whether the weights count people.

    Returns
    -------
    tuple of Sample

    Examples
    --------
    >>> sex = Attribute("sex", np.array([0, 0, 1], dtype=np.int32), ("m", "f"))
    >>> tally = CodedTally((sex,), np.ones(3), score=np.array([0.1, np.nan, 0.3]))
    >>> [s.scores.tolist() for s in samples(tally, sex, "frequency")]
    [[0.1], [0.3]]
    """
    assert tally.score is not None
    known = np.flatnonzero(~np.isnan(tally.score))
    known = np.repeat(known, tally.people(weight_type)[known].astype(np.int64))
    known = known[np.argsort(levels.codes[known], kind="stable")]
    ends = np.cumsum(np.bincount(levels.codes[known], minlength=len(levels.labels)))[:-1]
    out = []
    for label, rows in zip(levels.labels, np.split(known, ends), strict=True):
        outcomes = np.full(rows.size, UNKNOWN, dtype=np.int8) if tally.outcome is None else tally.outcome[rows]
        scores, judged = tally.score[rows], outcomes != UNKNOWN
        out.append(Sample(label, scores, scores[judged], outcomes[judged], tally.level))
    return tuple(out)


@dataclass(frozen=True, eq=False)
class ScorePair:
    """The scores of a group and of its reference, sorted together once, with what is made of them."""

    attribute: str
    group: Sample
    base: Sample
    seed: int = 0

    @property
    def people(self) -> int:
        """What `min_n` looks at."""
        return min(self.group.scores.size, self.base.scores.size)

    @cached_property
    def blocks(self) -> Blocks:
        """The two samples, merged."""
        return merge(self.group.scores, self.base.scores)

    @cached_property
    def effect(self) -> RelativeEffect:
        """P(X>Y), by Brunner and Munzel."""
        return relative_effect_of(self.blocks, seed=self.seed).decided

    @cached_property
    def rank_test(self) -> RankTest:
        """Mann and Whitney's test of equal distributions."""
        return rank_test(self.blocks)

    @cached_property
    def untold(self) -> float:
        """The most by which the grid can move P(X>Y)."""
        return untold(self.blocks, self.group.level)

    @cached_property
    def areas(self) -> AreaGap:
        """The difference of the areas under their ROC curves."""
        return AreaGap(self.group.judged_area, self.base.judged_area)

    def p_effect(self) -> float:
        """Of P(X>Y) = 1/2."""
        return self.effect.p_value

    def p_equivalent(self, margin: float) -> float:
        """Of the claim that P(X>Y) is within the margin of 1/2."""
        return self.effect.p_equivalence(margin)

    def effect_row(self, about: Estimate, level: float) -> Estimate:
        """P(X>Y)."""
        return relative_effect_row(self.effect, about, level)

    def p_ranks(self) -> float:
        """Of equal distributions."""
        return self.rank_test.p_value

    def distribution_rows(self, test: Estimate, shift: Estimate, level: float) -> tuple[Estimate, Estimate]:
        """The test of equal distributions, and the shift that rests on it."""
        n, found = float(self.group.scores.size), self.rank_test
        tested = replace(test, n=n, statistic=found.statistic, p_value=found.p_value, method=found.method)
        moved = shift_row(self.blocks, found, replace(shift, n=n), level)
        return tested, told(moved, untold_shift(self.blocks, self.group.level))

    def gap_row(self, about: Estimate, level: float) -> Estimate:
        """The difference of the areas."""
        n, events = float(self.group.judged.size), float(np.sum(self.group.outcomes == 1))
        return auc_gap_row(self.areas, replace(about, n=n, events=events), level)

    def about(self, metric: str, contrast: str = "none") -> Estimate:
        """A row of the pair without numbers."""
        return Estimate(metric, self.attribute, self.group.label, contrast, self.base.label)


def score_pairs(
    attribute: str, groups: tuple[Sample, ...], reference: str, protocol: Protocol
) -> tuple[ScorePair, ...]:
    """Every group beside the reference.

    Parameters
    ----------
    attribute : str
        Its name.
    groups : tuple of Sample
        Its groups.
    reference : str
        The group that the others are compared with.
    protocol : Protocol
        The seed of permutations.

    Returns
    -------
    tuple of ScorePair

    Examples
    --------
    >>> a, b = (Sample(g, np.arange(9.0) + k, np.array([]), np.array([])) for g, k in (("a", 0), ("b", 2)))
    >>> round(score_pairs("g", (a, b), "a", Protocol(("g",)))[0].effect.estimate, 3)
    0.698
    """
    base = next(g for g in groups if g.label == reference)
    return tuple(ScorePair(attribute, g, base, protocol.seed) for g in groups if g is not base)


def refused(protocol: Protocol) -> str:
    """Return the reason why this design allows no statistics of independent people, or ""."""
    if protocol.clusters:
        return "people of one cluster are dependent; this statistic needs independent people"
    return "this statistic is not estimated from probability weights" if protocol.weight_type == "probability" else ""
