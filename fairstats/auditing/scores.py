"""Scores by group: ranks against the reference, and AUC by group."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np
from numpy.typing import NDArray

from fairstats.arrays import by_code
from fairstats.auditing.protocol import Protocol
from fairstats.auditing.tally import CodedTally
from fairstats.data.grids import EXACT, in_bins
from fairstats.estimates import NAN, Estimate, Estimates
from fairstats.inference.rates.sampling import FEWEST_UNITS
from fairstats.inference.rates.strata import NO_OVERLAP
from fairstats.inference.rates.strata_rows import STRATUM_MISSING, left_out_text, too_few
from fairstats.inference.scores.brunner_munzel import RelativeEffect, relative_effect_of, relative_effect_row
from fairstats.inference.scores.merged import EMPTY, Blocks, RankTest, merge, rank_test
from fairstats.inference.scores.rank_tests import NO_SHIFT_LIMITS, distance_test, kruskal_estimates, shift_row
from fairstats.inference.scores.roc import (
    NO_NEGATIVES,
    NO_POSITIVES,
    AreaGap,
    StudentArea,
    area,
    area_between_roc_curves,
    auc_gap_row,
    auc_row,
    split_outcomes,
)
from fairstats.inference.scores.strata import (
    StratifiedBlocks,
    in_strata,
    stratified_design_effect,
    stratified_effect_of,
    stratified_shift,
    van_elteren,
)
from fairstats.inference.scores.survey import (
    DesignEffect,
    DesignRankTest,
    Scored,
    design_effect,
    design_rank_omnibus,
    design_rank_test,
    unit_of,
)
from fairstats.inference.verdicts import Comparison, Rows, Undecided
from fairstats.language import DataText, joined, message
from fairstats.metrics import UNKNOWN
from fairstats.provenance import Attribute
from fairstats.text import number

Floats = NDArray[np.float64]


# What a grid of scores cannot tell: by how much a statistic of the scores may differ from that of the grid.


def grid_error(blocks: Blocks, level: int) -> float:
    """The most by which P(X>Y) of the scores can differ from that of the grid: half the share of pairs within a bin.

    blocks: two samples on the grid, merged.
    level: the grid's.
    Returns: 0 without a grid.

    >>> grid_error(Blocks(np.array([0.25, 0.5]), np.array([2.0, 2.0]), np.array([1.0, 3.0])), 1)
    0.0625
    """
    if level >= EXACT or not blocks.n or not blocks.m:
        return 0.0
    shared = in_bins(blocks.values, level)
    return float(blocks.x[shared] @ blocks.y[shared]) / (blocks.n * blocks.m) / 2


def grid_shift(blocks: Blocks, level: int) -> float:
    """The most by which a difference of two scores, and so the median of all, can be off: a step of the grid.

    Examples
    --------
    >>> grid_shift(Blocks(np.array([0.25]), np.ones(1), np.ones(1)), 1)
    0.5
    """
    return 2.0**-level if level < EXACT and in_bins(blocks.values, level).any() else 0.0


def with_rounding_error(row: Estimate, most: float) -> Estimate:
    """A row that says by how much its estimate can be off, rounded upward.

    Examples
    --------
    >>> with_rounding_error(Estimate("P(X>Y)", estimate=0.5), 0.0123).reason
    'scores on a grid: off by at most 0.013'
    """
    if not most or row.status != "ok":
        return row
    digit = 10.0 ** (np.floor(np.log10(most)) - 1)
    caution = message("scores on a grid: off by at most {n}", n=f"{np.ceil(most / digit) * digit:.2g}")
    return replace(row, reason=joined([row.reason, caution]))


# Pairs with the same score count half in P(X>Y): who says that the first has the higher one says how many these are.


TIED, HARDLY_TIED = (
    message("ties count half: {n} of 100 pairs"),
    message("ties count half: fewer than 1 of 100 pairs"),
)


def tied_pairs(blocks: Blocks) -> float:
    """The share of pairs of both samples that have the same score.

    Examples
    --------
    >>> tied_pairs(merge(np.array([1.0, 2.0]), np.array([2.0, 3.0])))
    0.25
    """
    return float(blocks.x @ blocks.y) / (blocks.n * blocks.m) if blocks.n and blocks.m else 0.0


def with_ties(row: Estimate, share: float) -> Estimate:
    """P(X>Y) with the share of pairs that count half in it, where there are any.

    Examples
    --------
    >>> with_ties(Estimate("P(X>Y)", estimate=0.5), 0.442).reason
    'ties count half: 44 of 100 pairs'
    """
    if row.status != "ok" or not share > 0:
        return row
    text = HARDLY_TIED if share < 0.01 else TIED.format(n=f"{100 * share:.0f}")
    return replace(row, reason=joined([row.reason, text]))


# The scores of the groups of an attribute, and each group's beside those of its reference.


@dataclass(frozen=True)
class Sample:
    """The scores of one group, and those with a known outcome."""

    label: str
    scores: Floats
    studentized: Floats
    outcomes: NDArray[np.int8]
    level: int = EXACT  # of the grid that the scores are on

    @cached_property
    def grid_error(self) -> float:
        """The most by which the grid can move the area under its ROC curve."""
        return grid_error(self.by_outcome, self.level)

    @cached_property
    def by_outcome(self) -> Blocks:
        """The scores of its positive people merged with those of its negative ones."""
        return split_outcomes(self.studentized, self.outcomes)

    @cached_property
    def student_area(self) -> StudentArea:
        """The area under its ROC curve."""
        return StudentArea(area(self.by_outcome))


def samples(tally: CodedTally, levels: Attribute, weight_type: str) -> tuple[Sample, ...]:
    """The scores of each group; a frequency weight repeats a person.

    weight_type: whether the weights count people.

    >>> sex = Attribute("sex", np.array([0, 0, 1], dtype=np.int32), ("m", "f"))
    >>> tally = CodedTally((sex,), np.ones(3), numbers={"score": np.array([0.1, np.nan, 0.3])})
    >>> [s.scores.tolist() for s in samples(tally, sex, "frequency")]
    [[0.1], [0.3]]
    """
    assert tally.score is not None
    out, people = [], tally.people(weight_type)
    for label, cells in tally.known("score", levels).items():
        rows = _repeated(cells, people[cells])
        outcomes = np.full(rows.size, UNKNOWN, dtype=np.int8) if tally.outcome is None else tally.outcome[rows]
        scores, checked = tally.score[rows], outcomes != UNKNOWN
        out.append(Sample(label, scores, scores[checked], outcomes[checked], tally.level))
    return tuple(out)


@dataclass(frozen=True, eq=False)
class ScorePair:
    """The scores of a group and of its reference, sorted together once, with what is made of them."""

    attribute: str
    group: Sample
    base: Sample
    seed: int = 0

    @cached_property
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
    def grid_error(self) -> float:
        """The most by which the grid can move P(X>Y)."""
        return grid_error(self.blocks, self.group.level)

    @cached_property
    def ties(self) -> float:
        """The share of pairs that have the same score."""
        return tied_pairs(self.blocks)

    @cached_property
    def areas(self) -> AreaGap:
        """The difference of the areas under their ROC curves."""
        return AreaGap(self.group.student_area, self.base.student_area)

    def let_go(self) -> None:
        """Keep what is said of P(X>Y), and no longer the samples, which are large."""
        if self.people:
            _ = self.p_effect(), self.ties, self.grid_error
            for large in ("blocks", "group", "base"):
                self.__dict__.pop(large, None)

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
        n, result = float(self.group.scores.size), self.rank_test
        tested = replace(test, n=n, statistic=result.statistic, p_value=result.p_value, method=result.method)
        moved = shift_row(self.blocks, result, replace(shift, n=n), level)
        return tested, with_rounding_error(moved, grid_shift(self.blocks, self.group.level))

    def gap_row(self, about: Estimate, level: float) -> Estimate:
        """The difference of the areas."""
        n, events = float(self.group.studentized.size), float(np.sum(self.group.outcomes == 1))
        return auc_gap_row(self.areas, replace(about, n=n, events=events), level)

    def about(self, metric: str, contrast: str = "none") -> Estimate:
        """A row of the pair without numbers."""
        return Estimate(metric, self.attribute, self.group.label, contrast, self.base.label)


def score_pairs(
    attribute: str, groups: tuple[Sample, ...], reference: str, protocol: Protocol
) -> tuple[ScorePair, ...]:
    """Every group beside the reference.

    reference: the group that the others are compared with.
    protocol: the seed of permutations.

    >>> a, b = (Sample(g, np.arange(9.0) + k, np.array([]), np.array([])) for g, k in (("a", 0), ("b", 2)))
    >>> round(score_pairs("g", (a, b), "a", Protocol(("g",)))[0].effect.estimate, 3)
    0.698
    """
    base = next(g for g in groups if g.label == reference)
    return tuple(ScorePair(attribute, g, base, protocol.seed) for g in groups if g is not base)


def refused(protocol: Protocol) -> str:
    """Return the reason why this design allows no statistics of independent people, or ""."""
    if protocol.clusters:
        return message("people of one cluster are dependent; this statistic needs independent people")
    return (
        message("this statistic is not estimated from probability weights")
        if protocol.weight_type == "probability"
        else ""
    )


# The scores of groups of weighted or clustered people, and what is estimated of them in place of rank statistics.


NO_SHIFT = message("the shift rests on Mann and Whitney's test, which needs independent people; see P(X>Y)")
AREAS = message("limits of the two areas combined (MOVER; linearized, logit, t)")
RANKS = message("design-based rank test, approximate Hotelling, F")
TOO_FEW = message("too few clusters or people for so many groups")


def designed(protocol: Protocol) -> bool:
    """Whether people are weighted or clustered."""
    return bool(protocol.clusters) or protocol.weight_type == "probability"


NOBODY = Scored(values=np.array([]), weight=np.array([]), square=np.array([]), people=np.array([]))


def _merged(x: Scored, y: Scored) -> Blocks:
    return merge(x.values, y.values, x.weight, y.weight)


@dataclass(frozen=True)
class DesignSample(Sample):
    """The scores of one group in cells: of everybody, and of those whose outcome is known to be 1, or 0."""

    cells: Scored = NOBODY
    positives: Scored = NOBODY
    negatives: Scored = NOBODY

    @cached_property
    def grid_error(self) -> float:
        """The most by which the grid can move the area under its ROC curve."""
        return grid_error(_merged(self.positives, self.negatives), self.level)

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
    def grid_error(self) -> float:
        """The most by which the grid can move P(X>Y)."""
        return grid_error(_merged(self.group.cells, self.base.cells), self.group.level)

    @cached_property
    def ties(self) -> float:
        """The weighted share of pairs that have the same score."""
        return tied_pairs(_merged(self.group.cells, self.base.cells))

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
        current, base = self.group.area, self.base.area
        return AreaGap(current, base, current.correlation(base))

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
        n, result = self.group.cells.total, self.ranks
        shift = replace(shift, n=n, status="unestimable", reason=NO_SHIFT)
        if self.designed.reason:
            return replace(test, n=n, status="unestimable", reason=self.designed.reason), shift
        tested = replace(test, n=n, method=result.method)
        return tested.with_test(result.statistic, result.p_value, result.df), shift

    def gap_row(self, about: Estimate, level: float) -> Estimate:
        """The difference of the areas."""
        present = replace(about, n=_studentized(self.group), events=self.group.positives.total)
        for sample in (self.group, self.base):
            if sample.area.reason:
                return replace(
                    present,
                    status="unestimable",
                    reason=message(
                        "{text} ({group})", text=sample.area.reason, group=DataText(sample.label, present.attribute)
                    ),
                )
        return auc_gap_row(self.areas, present, level, AREAS)


def _studentized(group: DesignSample) -> float:
    return group.positives.total + group.negatives.total


def _row(effect: DesignEffect, about: Estimate, level: float) -> Estimate:
    row = replace(about, n=effect.n)
    if effect.reason:
        return replace(row, status="unestimable", reason=effect.reason)
    row = row.with_interval(effect.estimate, *effect.limits(level), level, method=effect.method)
    return replace(row, std_error=effect.std_error, df=effect.df)


def area_row(group: DesignSample, about: Estimate, level: float) -> Estimate:
    """The area under the ROC curve of one group of weighted or clustered people.

    level: confidence level.

    >>> one = np.ones(2)
    >>> cells = [Scored(np.array(v), one, one, one) for v in ([2.0, 4.0], [1.0, 3.0])]
    >>> blank = np.array([])
    >>> area_row(DesignSample("a", blank, blank, blank, 1075, cells[0], *cells), Estimate("AUC"), 0.95).estimate
    0.75
    """
    row = _row(group.area, about, level)
    return replace(row, n=_studentized(group), events=group.positives.total)


def score_groups(
    tally: CodedTally, levels: Attribute, reference: str, protocol: Protocol
) -> tuple[tuple[Sample, ...], tuple[ScorePair, ...]]:
    """The scores of the groups of an attribute, and each group's beside those of its reference.

    reference: the group that the others are compared with.
    protocol: weights and clusters.
    Returns: of weighted or clustered people the kinds of this file.

    >>> sex = Attribute("sex", np.array([0, 0, 1], dtype=np.int32), ("m", "f"))
    >>> tally = CodedTally((sex,), np.ones(3), numbers={"score": np.array([0.1, 0.2, 0.3])})
    >>> [type(v[0]).__name__ for v in score_groups(tally, sex, "m", Protocol(("sex",)))]
    ['Sample', 'ScorePair']
    """
    if not designed(protocol):
        groups = samples(tally, levels, protocol.weight_type)
        return groups, score_pairs(levels.name, groups, reference, protocol)
    result = _samples(tally, levels, protocol.weight_type)
    base = next(g for g in result if g.label == reference)
    return result, tuple(DesignPair(levels.name, g, base, protocol.seed) for g in result if g is not base)


def _samples(tally: CodedTally, levels: Attribute, weight_type: str) -> tuple[DesignSample, ...]:
    assert tally.score is not None
    sampled = weight_type == "probability"
    people, squares = (tally.used, tally.square) if sampled else (tally.weight, tally.weight)
    clusters = None if tally.clusters is None else tally.clusters.astype(np.int64)
    whole = Scored(tally.score, tally.weight, squares, people, clusters, tally.sampling)
    outcome = np.full(tally.score.size, UNKNOWN, dtype=np.int8) if tally.outcome is None else tally.outcome
    present, out = ~np.isnan(tally.score), []
    for code, label in enumerate(levels.labels):
        mine: NDArray[np.bool_] = present & (levels.codes == code)
        rows = np.repeat(np.flatnonzero(mine), people[mine].astype(np.int64))
        seen = rows[outcome[rows] != UNKNOWN]
        parts = (whole.take(mine & (outcome == y)) for y in (1, 0))
        seen_scores, all_scores = tally.score[seen], tally.score[rows]
        cells = (whole.take(mine), *parts)
        out.append(DesignSample(label, all_scores, seen_scores, outcome[seen], tally.level, *cells))
    return tuple(out)


def distributions_at_once(blank: Estimate, groups: tuple[Sample, ...], least: int) -> Estimates:
    """The test that all groups of weighted or clustered people have one distribution of scores.

    blank: what the row is about.
    least: smallest group.

    >>> distributions_at_once(Estimate("score distribution"), (), 1)[0].status
    'unestimable'
    """
    shown = [g.cells for g in groups if isinstance(g, DesignSample) and g.scores.size >= least]
    shown = [cells for cells in shown if _has_error(cells)]
    blank = replace(blank, n=float(sum(cells.total for cells in shown)))
    if len(shown) < 2:
        return Estimates(
            [replace(blank, status="unestimable", reason=message("fewer than two groups have scores and an error"))]
        )
    statistic, df, _, p = design_rank_omnibus(tuple(shown))
    if np.isnan(p):
        return Estimates([replace(blank, status="unestimable", reason=TOO_FEW)])
    return Estimates([replace(blank, statistic=statistic, df=df, p_value=p, method=RANKS)])


def _has_error(cells: Scored) -> bool:
    if cells.sampling is not None:
        units, df = cells.sampling.size(unit_of(cells))
        return units >= FEWEST_UNITS and df >= 1
    if cells.clusters is None:
        return bool(cells.people.sum() > 1)
    return bool(np.unique(cells.clusters).size > 3)


DISTRIBUTIONS = message("tests that the distributions are equal, which P(X>Y) = 0.5 does not need: no verdict")


def score_rows(
    pairs: tuple[ScorePair, ...], groups: tuple[Sample, ...], protocol: Protocol, known_only: str = ""
) -> list[Rows]:
    """P(X>Y), with the verdict, and the test of equal distributions against the reference; with an outcome, AUCs.

    pairs: the groups beside the reference.
    protocol: confidence level, adjustment, margin, smallest group.
    known_only: of whom alone the outcome is known, where AUCs have no verdict: they depend on who was chosen.
    Returns: a group: P(X>Y) by Brunner and Munzel, Mann and Whitney's test, the Hodges-Lehmann shift, which rests on
        it; with an outcome AUC by group and its differences.
    Source: Brunner & Munzel (2000), Biometrical Journal 42; Mann & Whitney (1947); Hodges & Lehmann (1963); DeLong,
    DeLong & Clarke-Pearson (1988), Biometrics 44.

    >>> from fairstats.inference.verdicts import decide_all
    >>> from fairstats.auditing.scores import score_pairs
    >>> a, b = (Sample(g, np.arange(9.0) + k, np.array([]), np.array([])) for g, k in (("a", 0), ("b", 2)))
    >>> protocol = Protocol(("g",))
    >>> rows = score_rows(score_pairs("g", (a, b), "a", protocol), (a, b), protocol)
    >>> [row.metric for row in decide_all([rows])[0]]
    ['P(X>Y)', 'score distribution', 'score shift']
    """
    rows: list[Rows] = [effect_rows(pairs, protocol), _family(pairs, protocol, _distribution)]
    if protocol.outcome:
        differences = _family(pairs, protocol, partial(_areas, known_only=known_only))
        rows += [Estimates(_area(pairs[0].attribute, g, protocol) for g in groups), differences]
    return rows


def effect_rows(pairs: Iterable[ScorePair], protocol: Protocol) -> Undecided:
    """P(X>Y) of every pair alone; see `score_rows`."""
    return _family(pairs, protocol, _effect)


def _effect(pair: ScorePair, protocol: Protocol) -> Question:
    about, margin = pair.about("P(X>Y)"), protocol.margin.auc
    about = with_rows(about, pair.group.scores.size, protocol)
    return Question(
        (about,),
        pair.people,
        pair.p_effect,
        lambda level: (with_rounding_error(with_ties(pair.effect_row(about, level), pair.ties), pair.grid_error),),
        None if margin is None else lambda: pair.p_equivalent(margin),
    )


def _distribution(pair: ScorePair, protocol: Protocol) -> Question:
    test, shift = pair.about("score distribution"), pair.about("score shift", "difference")
    test, shift = (with_rows(row, pair.group.scores.size, protocol) for row in (test, shift))

    def rows(level: float) -> tuple[Estimate, ...]:
        if not pair.people:
            n = float(pair.group.scores.size)
            return tuple(replace(row, n=n, status="unestimable", reason=EMPTY) for row in (test, shift))
        return pair.distribution_rows(test, shift, level)

    return Question((test, shift), pair.people, pair.p_ranks, rows, without=DISTRIBUTIONS)


def _areas(pair: ScorePair, protocol: Protocol, known_only: str = "") -> Question:
    about, margin = pair.about("AUC", "difference"), protocol.margin.auc
    about = with_rows(about, pair.group.studentized.size, protocol)
    return Question(
        (about,),
        min(pair.group.studentized.size, pair.base.studentized.size),
        lambda: pair.areas.p_value,
        lambda level: (with_rounding_error(pair.gap_row(about, level), pair.group.grid_error + pair.base.grid_error),),
        None if margin is None or known_only else lambda: pair.areas.p_equivalence(margin),
        without=known_only or None,
    )


def with_rows(row: Estimate, rows: float, protocol: Protocol) -> Estimate:
    """The row with how many rows of data its summed weights are of, where that is told."""
    return row.changed(n_unweighted=float(rows)) if protocol.tells_rows else row


@dataclass(frozen=True)
class Question:
    """One comparison: its rows without numbers, how many people, its p-values, and its rows at a given level."""

    about: tuple[Estimate, ...]
    people: int  # what `min_n` looks at
    p_value: Callable[[], float]
    rows: Callable[[float], tuple[Estimate, ...]]
    p_equivalence: Callable[[], float] | None = None
    without: str | None = None  # why it has no verdict


def _family(
    pairs: Iterable[ScorePair], protocol: Protocol, ask: Callable[[ScorePair, Protocol], Question]
) -> Undecided:
    """The rows of one family, decided together."""
    comparisons, about = [], None
    for pair in pairs:
        q = ask(pair, protocol)
        about = about or q.about[0]
        out = 0 < q.people < protocol.min_n
        absent = out or not q.people
        equal = NAN if absent or q.p_equivalence is None else q.p_equivalence()
        comparisons.append(
            Comparison(
                NAN if absent else q.p_value(),
                partial(_hidden_rows, q, protocol) if out else q.rows,
                () if q.p_equivalence is None else (equal,),
                without=q.without,
            )
        )
    return Undecided(comparisons, protocol.multiplicity, about)


def _hidden_rows(question: Question, protocol: Protocol, level: float) -> list[Estimate]:
    return [_hidden(row, question.people, protocol) for row in question.about]


def _hidden(row: Estimate, people: int, protocol: Protocol) -> Estimate:
    return replace(row, n=float(people), status="suppressed", reason=message("fewer than {n} people", n=protocol.min_n))


def _area(attribute: str, group: Sample, protocol: Protocol) -> Estimate:
    about = with_rows(Estimate("AUC", attribute, group.label), group.studentized.size, protocol)
    if 0 < group.studentized.size < protocol.min_n:
        return _hidden(about, group.studentized.size, protocol)
    if isinstance(group, DesignSample):
        return with_rounding_error(area_row(group, about, protocol.conf_level), group.grid_error)
    return with_rounding_error(auc_row(group.student_area.result, about, protocol.conf_level), group.grid_error)


# Other looks at the same scores: Cliff's delta, Kolmogorov-Smirnov, and all pairs by Dunn.


BESIDE = message("beside the family: unadjusted")
BY_CHANCE = message("positive by chance where the curves are one; no interval is known that covers")
MOST_PAIRED = 12


def rank_test_rows(pairs: tuple[ScorePair, ...], groups: tuple[Sample, ...], protocol: Protocol) -> Estimates:
    """Statistics that stand beside the audited ones, unadjusted and without a verdict of their own.

    pairs: the groups beside the reference.
    protocol: level, smallest group, adjustment of Dunn's pairs.
    Returns: a group: Cliff's delta (the audited comparison on another scale) and the Kolmogorov-Smirnov distance; with
        an outcome, the area between the ROC curves; for three to twelve groups Dunn's pairs. None for weighted or
        clustered people.
    Source: Cliff (1993), Psychological Bulletin 114; Smirnov (1939); Dunn (1964), Technometrics 6.

    >>> import numpy as np
    >>> from fairstats.auditing.scores import score_pairs
    >>> none = np.array([])
    >>> a, b = (Sample(g, np.arange(9.0) + k, none, none) for g, k in (("a", 0), ("b", 2)))
    >>> protocol = Protocol(("g",))
    >>> rank_test_rows(score_pairs("g", (a, b), "a", protocol), (a, b), protocol).column("metric")
    ["Cliff's delta", 'Kolmogorov-Smirnov distance']
    """
    if refused(protocol):
        return Estimates()
    least = max(protocol.min_n, 1)
    rows = Estimates(row for pair in pairs if pair.people >= least for row in _beside(pair, protocol.conf_level))
    rows += [_area_between(pair) for pair in pairs if min(_outcomes(pair.group), _outcomes(pair.base)) >= least]
    shown = [g for g in groups if g.scores.size >= least]
    if 3 <= len(shown) <= MOST_PAIRED:
        rows += _pairs(pairs[0].attribute, shown, protocol)
    return rows


def _beside(pair: ScorePair, conf_level: float) -> tuple[Estimate, Estimate]:
    blank = replace(pair.about("Cliff's delta"), n=float(pair.group.scores.size), reason=BESIDE, role="supplementary")
    effect, distance = pair.effect, distance_test(pair.blocks)
    low, high = effect.limits(conf_level)
    delta = blank.with_interval(
        2 * effect.estimate - 1,
        2 * low - 1,
        2 * high - 1,
        conf_level if low == low else NAN,
        std_error=2 * effect.std_error if effect.std_error > 0 else NAN,
        method=message("P(X>Y), rescaled"),
    )
    return delta, replace(
        blank,
        metric="Kolmogorov-Smirnov distance",
        estimate=distance.statistic,
        statistic=distance.statistic,
        p_value=distance.p_value,
        method=distance.method,
    )


def _outcomes(group: Sample) -> int:
    """People of the rarer outcome."""
    positives = int(np.sum(group.outcomes))
    return min(positives, int(group.studentized.size) - positives)


def _area_between(pair: ScorePair) -> Estimate:
    """The area between two ROC curves, which has no interval."""
    group, base = pair.group, pair.base
    area = area_between_roc_curves(group.studentized, group.outcomes, base.studentized, base.outcomes)
    about = replace(pair.about("ABROCA"), n=float(group.studentized.size), role="supplementary", estimate=area)
    return replace(about, method=message("area between ROC curves"), reason=BY_CHANCE)


def _pairs(attribute: str, shown: list[Sample], protocol: Protocol) -> Estimates:
    rule = protocol.p_adjust
    rows = kruskal_estimates(
        {g.label: g.scores for g in shown}, attribute=attribute, method=rule, conf_level=protocol.conf_level
    )
    return Estimates(replace(row, role="supplementary") for row in rows[1:])


# Scores given legitimate factors: P(X>Y), distributions and shift within strata, all of them in the average.


Codes = NDArray[np.int64]
EFFECT, DISTRIBUTION, SHIFT = "P(X>Y) within strata", "score distribution within strata", "score shift within strata"
NO_TEST = message("the stratified rank test needs independent people; see P(X>Y) within strata")
DISTRIBUTIONS_OF_SCORE_STRATA = message("tests that the distributions are equal in every stratum: no verdict")


NOTHING = DesignEffect(NAN)


@dataclass(frozen=True, eq=False)
class StratifiedPair:
    """The scores of a group and of its reference by stratum, of people who count one each."""

    about: Estimate
    merged: Callable[[], StratifiedBlocks]
    people: int  # what `min_n` looks at
    level: int = EXACT
    seed: int = 0
    reason: str = ""  # why the strata hold too few of a group to answer for it
    missing: str = ""  # how many people are left out since their stratum is missing

    @cached_property
    def blocks(self) -> StratifiedBlocks:
        """Both samples, merged by stratum."""
        return self.merged()

    def let_go(self) -> None:
        """Keep what is said of P(X>Y) and of the test, and not the merged samples: the shift merges them again."""
        if not self.reason:
            _ = self.n, self.left_out, self.effect, self.grid_error, self.ties, self.p_test, self.shift_error
            self.__dict__.pop("blocks", None)

    @cached_property
    def n(self) -> float:
        """People of both groups in strata that have both."""
        return float(self.blocks.n.sum() + self.blocks.m.sum())

    @cached_property
    def left_out(self) -> float:
        """People of both groups in the other strata."""
        return sum(self.blocks.left_out)

    @cached_property
    def effect(self) -> RelativeEffect | DesignEffect:
        """P(X>Y), averaged over the strata."""
        return stratified_effect_of(self.blocks, seed=self.seed).decided

    @cached_property
    def grid_error(self) -> float:
        """The most by which the grid of the scores can move P(X>Y)."""
        moved = (grid_error(part, self.level) for part in self.blocks.parts)
        return float(sum(w * by for w, by in zip(self.blocks.share, moved, strict=True)))

    @cached_property
    def shift_error(self) -> float:
        """The most by which the grid of the scores can move the shift."""
        return max((grid_shift(part, self.level) for part in self.blocks.parts), default=0.0)

    @cached_property
    def ties(self) -> float:
        """The share of pairs that have the same score, averaged as P(X>Y) is."""
        return float(sum(w * tied_pairs(part) for w, part in zip(self.blocks.share, self.blocks.parts, strict=True)))

    def others(self, level: float) -> tuple[Estimate, Estimate]:
        """Van Elteren's test, and the shift that inverts it."""
        test, shift = self.row(DISTRIBUTION), replace(self.row(SHIFT), contrast="difference")
        if self.reason or not self.n:
            blank = {"status": "unestimable", "reason": self.reason or NO_OVERLAP}
            return replace(test, **blank), replace(shift, **blank)  # type: ignore[arg-type]
        result, error = self.test, self.shift_error
        moves = stratified_shift(self.merged(), level)  # which it lets go before it searches
        tested = replace(test, statistic=result.statistic, p_value=result.p_value, method=result.method)
        method = message("Hodges-Lehmann within strata, if the shapes agree")
        if moves.low == moves.high:
            text = joined([NO_SHIFT_LIMITS, shift.reason])
            return tested, replace(shift, estimate=moves.estimate, method=method, reason=text)
        moved = shift.with_interval(
            moves.estimate, moves.low, moves.high, level, method=joined([method, result.method])
        )
        moved = replace(moved, statistic=result.statistic, p_value=result.p_value)
        return tested, with_rounding_error(moved, error)

    @cached_property
    def test(self) -> RankTest:
        """Van Elteren's."""
        return van_elteren(self.blocks)

    @property
    def p_test(self) -> float:
        """Of van Elteren's test."""
        return NAN if self.reason else self.test.p_value

    def row(self, metric: str) -> Estimate:
        """A row of the pair without numbers."""
        left = left_out_text(self.left_out)
        return replace(self.about, metric=metric, n=self.n, reason=joined([left, self.missing]))


@dataclass(frozen=True, eq=False)
class StratifiedDesignPair(StratifiedPair):
    """The same of weighted or clustered people."""

    designed: DesignEffect = NOTHING
    counted: tuple[float, float] = (0.0, 0.0)
    off: float = 0.0  # what the grid of the scores can move
    tied: float = 0.0

    @cached_property
    def n(self) -> float:
        """Weights of both groups in strata that have both."""
        return self.counted[0]

    @cached_property
    def left_out(self) -> float:
        """Weights of both groups in the other strata."""
        return self.counted[1]

    @cached_property
    def effect(self) -> RelativeEffect | DesignEffect:
        """P(X>Y), linearized or by the jackknife."""
        return self.designed

    @cached_property
    def grid_error(self) -> float:
        """The most by which the grid of the scores can move P(X>Y)."""
        return self.off

    @cached_property
    def ties(self) -> float:
        """The weighted share of pairs that have the same score, averaged as P(X>Y) is."""
        return self.tied

    def others(self, level: float) -> tuple[Estimate, Estimate]:
        """Neither has a form under a design."""
        test, shift = self.row(DISTRIBUTION), replace(self.row(SHIFT), contrast="difference")
        test = replace(test, status="unestimable", reason=NO_TEST)
        return test, replace(shift, status="unestimable", reason=NO_SHIFT)

    @property
    def p_test(self) -> float:
        """There is no test."""
        return NAN


def score_strata_rows(
    tally: CodedTally,
    levels: Attribute,
    reference: str,
    protocol: Protocol,
    groups: Sequence[str] | None = None,
) -> list[Undecided]:
    """Every group's scores against the reference's within strata of the legitimate factors.

    reference: the group that the others are compared with.
    protocol: level, adjustment, margin, design.
    groups: the groups that are compared with it; by default all others.
    Returns: P(X>Y) averaged over the strata, with the verdict; van Elteren's test of equal distributions and the
        Hodges-Lehmann shift, which rests on it. ``given`` names the factors; n is everybody who is averaged.
    Source: van Elteren (1960); Kawaguchi, Koch & Wang (2011), Statistics in Biopharmaceutical Research 3, 217-231.

    >>> from fairstats.inference.verdicts import decide_all
    >>> sex, job = (Attribute(n, np.tile([0, 1], 8).astype(np.int32), ("m", "f")) for n in ("sex", "job"))
    >>> tally = CodedTally((sex,), np.ones(16), numbers={"score": np.arange(16.0)}, strata=job)
    >>> decide_all([score_strata_rows(tally, sex, "m", Protocol(("sex",), strata="job"))])[0][0].reason
    'no stratum has people of both groups'
    """
    groups = [label for label in levels.labels if label != reference] if groups is None else groups
    sides = {label: _Side.of(label, cells, tally) for label, cells in tally.known("score", levels).items()}
    pairs = [_pair(tally, levels, (sides[label], sides[reference]), protocol) for label in groups]
    margin = protocol.margin.auc
    effects, others = [], []
    for pair in pairs:
        hidden = 0 < pair.people < protocol.min_n
        if hidden:
            hide = partial(_score_strata_hidden, pair, protocol)
            effects.append(Comparison(NAN, partial(hide, (EFFECT,))))
            others.append(Comparison(NAN, partial(hide, (DISTRIBUTION, SHIFT)), without=DISTRIBUTIONS_OF_SCORE_STRATA))
            continue
        missing = bool(pair.reason or pair.effect.reason)
        equal = () if margin is None else (NAN if missing else pair.effect.p_equivalence(margin),)
        p = NAN if missing else pair.effect.p_value
        effects.append(Comparison(p, partial(_effect_rows, pair), equal))
        others.append(Comparison(pair.p_test, pair.others, without=DISTRIBUTIONS_OF_SCORE_STRATA))
        pair.let_go()
    families = (effects, EFFECT), (others, DISTRIBUTION)
    return [
        Undecided(family, protocol.multiplicity, about=replace(pairs[0].about, metric=metric) if pairs else None)
        for family, metric in families
    ]


def _effect_rows(pair: StratifiedPair, level: float) -> tuple[Estimate]:
    row, effect = pair.row(EFFECT), pair.effect
    if effect.reason or pair.reason:
        return (row.blank(n=row.n, status="unestimable", reason=effect.reason or pair.reason),)
    limits, error = effect.limits(level), effect.std_error if effect.std_error > 0 else NAN
    row = row.with_interval(effect.estimate, *limits, level, std_error=error, method=effect.method)
    row = row.with_test(effect.statistic, effect.p_value, effect.df if effect.null is None else NAN)
    return (with_rounding_error(with_ties(row, pair.ties), pair.grid_error),)


def _score_strata_hidden(
    pair: StratifiedPair, protocol: Protocol, metrics: tuple[str, ...], level: float
) -> list[Estimate]:
    entries = {
        "n": float(pair.people),
        "status": "suppressed",
        "reason": message("fewer than {n} people", n=protocol.min_n),
    }
    rows = [pair.about.blank(**entries) for _ in metrics]
    items = ["difference" if m == SHIFT else "none" for m in metrics]
    return [replace(row, metric=m, contrast=c) for row, m, c in zip(rows, metrics, items, strict=True)]


def _repeated(rows: NDArray[np.integer], people: Floats) -> NDArray[np.integer]:
    """Cells, each as often as it has people."""
    return rows if np.all(people == 1) else np.repeat(rows, people.astype(np.int64))


@dataclass(frozen=True, eq=False)
class _Side:
    """The cells of a group whose stratum is known, by stratum: no pair sorts its people again.

    inside: the weight of each stratum, shape (strata,); total: of everybody, those without a stratum included.
    """

    label: str
    rows: NDArray[np.unsignedinteger]
    inside: Floats
    total: float

    @staticmethod
    def of(label: str, cells: NDArray[np.intp], tally: CodedTally) -> _Side:
        assert tally.strata is not None
        total, present = float(tally.weight[cells].sum()), tally.strata_present[cells]
        rows = cells if present.all() else cells[present]
        codes = tally.strata.codes[rows]
        inside = np.bincount(codes, tally.weight[rows], len(tally.strata.labels)).astype(float)
        ordered = rows[by_code(codes)].astype(np.min_scalar_type(tally.rows.size))  # kept until the shifts are made
        return _Side(label, ordered, inside, total)


def _pair(tally: CodedTally, levels: Attribute, of: tuple[_Side, _Side], protocol: Protocol) -> StratifiedPair:
    assert tally.score is not None
    assert tally.strata is not None
    about = Estimate("", levels.name, of[0].label, "none", of[1].label, given=protocol.strata)
    sides, codes = [side.rows for side in of], tally.strata.codes
    people = tally.people(protocol.weight_type)
    least = min(int(people[rows].sum()) for rows in sides)
    why = _coverage(of, about, protocol)
    if not designed(protocol):
        rows = [_repeated(side, people[side]) for side in sides]
        scores = tally.score

        def merged() -> StratifiedBlocks:
            return in_strata(*(scores[r] for r in rows), *(codes[r] for r in rows))

        return StratifiedPair(about, merged, least, tally.level, protocol.seed, *why)
    sampled = protocol.weight_type == "probability"
    people, squares = (tally.used, tally.square) if sampled else (tally.weight, tally.weight)
    clusters = None if tally.clusters is None else tally.clusters.astype(np.int64)
    whole = Scored(tally.score, tally.weight, squares, people, clusters, tally.sampling)
    sides = [side[tally.weight[side] > 0] for side in sides]
    cells, strata = [whole.take(side) for side in sides], [codes[side].astype(np.int64) for side in sides]
    common = np.intersect1d(strata[0], strata[1])
    kept = sum(c.weight[np.isin(s, common)].sum() for c, s in zip(cells, strata, strict=True))
    lost = sum(c.total for c in cells) - kept
    effect = stratified_design_effect(cells[0], cells[1], strata[0], strata[1])
    counted = (float(kept), float(lost) if lost > 1e-9 * kept else 0.0)
    whole_blocks = merge(*(c.values for c in cells), *(c.weight for c in cells))
    off = grid_error(whole_blocks, tally.level)
    by_stratum = [_merged(*(c.take(s == h) for c, s in zip(cells, strata, strict=True))) for h in common]
    weight = np.array([part.n * part.m / (part.n + part.m) for part in by_stratum])
    tied = float(weight @ [tied_pairs(part) for part in by_stratum] / weight.sum()) if by_stratum else 0.0
    return StratifiedDesignPair(
        about,
        partial(StratifiedBlocks, ()),
        least,
        reason=why[0],
        missing=why[1],
        designed=effect,
        counted=counted,
        off=off,
        tied=tied,
    )


def _coverage(of: Sequence[_Side], about: Estimate, protocol: Protocol) -> tuple[str, str]:
    """Why too few of a group are in strata that hold both, and how many have no stratum; "" where neither is so."""
    inside, totals = [side.inside for side in of], [side.total for side in of]
    both = (inside[0] > 0) & (inside[1] > 0)
    shares = [float(n[both].sum()) / total if total > 0 else 1.0 for n, total in zip(inside, totals, strict=True)]
    lost = sum(totals) - float(sum(n.sum() for n in inside))
    missing = STRATUM_MISSING.format(n=number(lost, 0)) if lost >= max(protocol.min_n, 0.5) else ""
    return too_few(about, shares, missing), missing
