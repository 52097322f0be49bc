"""The scores of groups of weighted or clustered people, and what is estimated of them in place of rank statistics."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from fairstats.auditing.coding import CodedTally
from fairstats.auditing.input import UNKNOWN
from fairstats.auditing.protocol import Protocol
from fairstats.auditing.rows.score_grid import untold
from fairstats.auditing.rows.score_samples import Sample, ScorePair, samples, score_pairs
from fairstats.estimates import NAN, Estimate, Estimates
from fairstats.inference.scores.auc_difference import AreaGap
from fairstats.inference.scores.auc_rows import NO_NEGATIVES, NO_POSITIVES, auc_gap_row
from fairstats.inference.scores.design_effects import DesignEffect, design_effect
from fairstats.inference.scores.design_ranks import DesignRankTest, design_rank_omnibus, design_rank_test
from fairstats.inference.scores.design_samples import Scored
from fairstats.inference.scores.merged_samples import Blocks, merge
from fairstats.studies.attribute import Attribute

NO_SHIFT = "the shift rests on Mann and Whitney's test, which needs independent people; see P(X>Y)"
AREAS = "limits of the two areas combined (MOVER; linearized, logit, t)"
RANKS = "design-based rank test, approximate Hotelling, F"
TOO_FEW = "too few clusters or people for so many groups"


def designed(protocol: Protocol) -> bool:
    """Whether people are weighted or clustered."""
    return bool(protocol.clusters) or protocol.weight_type == "probability"


NOBODY = Scored(*(np.array([]) for _ in range(4)))


def _merged(x: Scored, y: Scored) -> Blocks:
    return merge(x.values, y.values, x.weight, y.weight)


@dataclass(frozen=True)
class DesignSample(Sample):
    """The scores of one group in cells: of everybody, and of those whose outcome is known to be 1, or 0."""

    cells: Scored = NOBODY
    positives: Scored = NOBODY
    negatives: Scored = NOBODY

    @cached_property
    def untold(self) -> float:
        """The most by which the grid can move the area under its ROC curve."""
        return untold(_merged(self.positives, self.negatives), self.level)

    @cached_property
    def area(self) -> DesignEffect:
        """The area under the ROC curve."""
        reason = NO_NEGATIVES if self.positives.total else NO_POSITIVES
        return design_effect(self.positives, self.negatives, reason, equal=False)


@dataclass(frozen=True, eq=False)
class DesignPair(ScorePair):
    """The scores of a group and of its reference, of weighted or clustered people."""

    group: DesignSample
    base: DesignSample

    @cached_property
    def untold(self) -> float:
        """The most by which the grid can move P(X>Y)."""
        return untold(_merged(self.group.cells, self.base.cells), self.group.level)

    @cached_property
    def designed(self) -> DesignEffect:
        """P(X>Y), linearized."""
        return design_effect(self.group.cells, self.base.cells)

    @cached_property
    def ranks(self) -> DesignRankTest:
        """The design-based rank test of equal distributions."""
        if np.isnan(self.designed.estimate):
            return DesignRankTest(NAN, NAN, NAN, NAN)
        return design_rank_test(self.group.cells, self.base.cells)

    @cached_property
    def areas(self) -> AreaGap:
        """The difference of the areas under their ROC curves."""
        own, base = self.group.area, self.base.area
        return AreaGap(own, base, own.correlation(base))

    def p_effect(self) -> float:
        """Of P(X>Y) = 1/2."""
        return self.designed.p_value

    def p_equivalent(self, margin: float) -> float:
        """Of the claim that P(X>Y) is within the margin of 1/2."""
        return self.designed.p_equivalence(margin)

    def effect_row(self, about: Estimate, level: float) -> Estimate:
        """P(X>Y)."""
        return _row(self.designed, about, level).with_test(
            self.designed.statistic, self.designed.p_value, self.designed.df
        )

    def p_ranks(self) -> float:
        """Of equal distributions."""
        return self.ranks.p_value

    def distribution_rows(self, test: Estimate, shift: Estimate, level: float) -> tuple[Estimate, Estimate]:
        """The test of equal distributions; a shift has no form under a design."""
        n, found = self.group.cells.total, self.ranks
        shift = replace(shift, n=n, status="unestimable", reason=NO_SHIFT)
        if self.designed.reason:
            return replace(test, n=n, status="unestimable", reason=self.designed.reason), shift
        tested = replace(test, n=n, method=found.method)
        return tested.with_test(found.statistic, found.p_value, found.df), shift

    def gap_row(self, about: Estimate, level: float) -> Estimate:
        """The difference of the areas."""
        known = replace(about, n=_judged(self.group), events=self.group.positives.total)
        for sample in (self.group, self.base):
            if sample.area.reason:
                return replace(known, status="unestimable", reason=f"{sample.area.reason} ({sample.label})")
        return auc_gap_row(self.areas, known, level, AREAS)


def _judged(group: DesignSample) -> float:
    return group.positives.total + group.negatives.total


def _row(effect: DesignEffect, about: Estimate, level: float) -> Estimate:
    row = replace(about, n=effect.n)
    if effect.reason:
        return replace(row, status="unestimable", reason=effect.reason)
    row = row.with_interval(effect.estimate, *effect.limits(level), level, method=effect.method)
    return replace(row, std_error=effect.std_error, df=effect.df)


def area_row(group: DesignSample, about: Estimate, level: float) -> Estimate:
    """The area under the ROC curve of one group of weighted or clustered people.

    Parameters
    ----------
    group : DesignSample
        The group.
    about : Estimate
        What the row is about.
    level : float
        Confidence level.

    Returns
    -------
    Estimate

    Examples
    --------
    >>> one = np.ones(2)
    >>> cells = [Scored(np.array(v), one, one, one) for v in ([2.0, 4.0], [1.0, 3.0])]
    >>> blank = np.array([])
    >>> area_row(DesignSample("a", blank, blank, blank, 1075, cells[0], *cells), Estimate("AUC"), 0.95).estimate
    0.75
    """
    row = _row(group.area, about, level)
    return replace(row, n=_judged(group), events=group.positives.total)


def score_groups(
    tally: CodedTally, levels: Attribute, reference: str, protocol: Protocol
) -> tuple[tuple[Sample, ...], tuple[ScorePair, ...]]:
    """The scores of the groups of an attribute, and each group's beside those of its reference.

    Parameters
    ----------
    tally : CodedTally
        With scores.
    levels : Attribute
        The attribute.
    reference : str
        The group that the others are compared with.
    protocol : Protocol
        Weights and clusters.

    Returns
    -------
    tuple of Sample, tuple of ScorePair
        Of weighted or clustered people the kinds of this file.

    Examples
    --------
    >>> sex = Attribute("sex", np.array([0, 0, 1], dtype=np.int32), ("m", "f"))
    >>> tally = CodedTally((sex,), np.ones(3), score=np.array([0.1, 0.2, 0.3]))
    >>> [type(v[0]).__name__ for v in score_groups(tally, sex, "m", Protocol(("sex",)))]
    ['Sample', 'ScorePair']
    """
    if not designed(protocol):
        groups = samples(tally, levels, protocol.weight_type)
        return groups, score_pairs(levels.name, groups, reference, protocol)
    made = _samples(tally, levels, protocol.weight_type)
    base = next(g for g in made if g.label == reference)
    return made, tuple(DesignPair(levels.name, g, base, protocol.seed) for g in made if g is not base)


def _samples(tally: CodedTally, levels: Attribute, weight_type: str) -> tuple[DesignSample, ...]:
    assert tally.score is not None
    sampled = weight_type == "probability"
    people, squares = (tally.used, tally.square) if sampled else (tally.weight, tally.weight)
    clusters = None if tally.clusters is None else tally.clusters.astype(np.int64)
    whole = Scored(tally.score, tally.weight, squares, people, clusters)
    outcome = np.full(tally.score.size, UNKNOWN, dtype=np.int8) if tally.outcome is None else tally.outcome
    known, out = ~np.isnan(tally.score), []
    for code, label in enumerate(levels.labels):
        mine: NDArray[np.bool_] = known & (levels.codes == code)
        rows = np.repeat(np.flatnonzero(mine), people[mine].astype(np.int64))
        seen = rows[outcome[rows] != UNKNOWN]
        parts = (whole.take(mine & (outcome == y)) for y in (1, 0))
        seen_scores, all_scores = tally.score[seen], tally.score[rows]
        cells = (whole.take(mine), *parts)
        out.append(DesignSample(label, all_scores, seen_scores, outcome[seen], tally.level, *cells))
    return tuple(out)


def distributions_at_once(blank: Estimate, groups: tuple[Sample, ...], least: int) -> Estimates:
    """The test that all groups of weighted or clustered people have one distribution of scores.

    Parameters
    ----------
    blank : Estimate
        What the row is about.
    groups : tuple of Sample
        The groups.
    least : int
        Smallest group.

    Returns
    -------
    Estimates

    Examples
    --------
    >>> distributions_at_once(Estimate("score distribution"), (), 1)[0].status
    'unestimable'
    """
    shown = [g.cells for g in groups if isinstance(g, DesignSample) and g.scores.size >= least]
    shown = [cells for cells in shown if _has_error(cells)]
    blank = replace(blank, n=float(sum(cells.total for cells in shown)))
    if len(shown) < 2:
        return Estimates(
            [replace(blank, status="unestimable", reason="fewer than two groups have scores and an error")]
        )
    statistic, df, _, p = design_rank_omnibus(tuple(shown))
    if np.isnan(p):
        return Estimates([replace(blank, status="unestimable", reason=TOO_FEW)])
    return Estimates([replace(blank, statistic=statistic, df=df, p_value=p, method=RANKS)])


def _has_error(cells: Scored) -> bool:
    if cells.clusters is None:
        return bool(cells.people.sum() > 1)
    return bool(np.unique(cells.clusters).size > 3)
