"""Scores given legitimate factors: P(X>Y), distributions and shift within strata, all of them in the average."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np
from numpy.typing import NDArray

from fairstats.auditing.coding import CodedTally
from fairstats.auditing.protocol import Protocol
from fairstats.auditing.rows.score_designs import NO_SHIFT, designed
from fairstats.auditing.rows.score_grid import told, untold, untold_shift
from fairstats.data.grids import EXACT
from fairstats.estimates import NAN, Estimate
from fairstats.inference.decisions import Comparison, Undecided
from fairstats.inference.rates.stratified_rates import NO_OVERLAP
from fairstats.inference.rates.stratified_rows import LEFT_OUT
from fairstats.inference.scores.brunner_munzel import RelativeEffect
from fairstats.inference.scores.design_effects import DesignEffect
from fairstats.inference.scores.design_samples import Scored
from fairstats.inference.scores.merged_samples import merge
from fairstats.inference.scores.rank_rows import NO_SHIFT_LIMITS
from fairstats.inference.scores.stratified_blocks import StratifiedBlocks, in_strata
from fairstats.inference.scores.stratified_designs import stratified_design_effect
from fairstats.inference.scores.stratified_effects import stratified_effect_of
from fairstats.inference.scores.stratified_shift import stratified_shift, van_elteren
from fairstats.studies.attribute import Attribute

Codes = NDArray[np.int64]
EFFECT, DISTRIBUTION, SHIFT = "P(X>Y) within strata", "score distribution within strata", "score shift within strata"
NO_TEST = "the stratified rank test needs independent people; see P(X>Y) within strata"
DISTRIBUTIONS = "tests that the distributions are equal in every stratum: no verdict"


NOTHING = DesignEffect(NAN)


@dataclass(frozen=True, eq=False)
class StratifiedPair:
    """The scores of a group and of its reference by stratum, of people who count one each."""

    about: Estimate
    blocks: StratifiedBlocks
    people: int  # what `min_n` looks at
    level: int = EXACT
    seed: int = 0

    @property
    def n(self) -> float:
        """People of both groups in strata that have both."""
        return float(self.blocks.n.sum() + self.blocks.m.sum())

    @property
    def left_out(self) -> float:
        """People of both groups in the other strata."""
        return sum(self.blocks.left_out)

    @cached_property
    def effect(self) -> RelativeEffect | DesignEffect:
        """P(X>Y), averaged over the strata."""
        return stratified_effect_of(self.blocks, seed=self.seed).decided

    @property
    def untold(self) -> float:
        """The most by which the grid of the scores can move P(X>Y)."""
        moved = (untold(part, self.level) for part in self.blocks.parts)
        return float(sum(w * by for w, by in zip(self.blocks.share, moved, strict=True)))

    def others(self, level: float) -> tuple[Estimate, Estimate]:
        """Van Elteren's test, and the shift that inverts it."""
        test, shift = self.row(DISTRIBUTION), replace(self.row(SHIFT), contrast="difference")
        if not self.blocks.parts:
            blank = {"status": "unestimable", "reason": NO_OVERLAP}
            return replace(test, **blank), replace(shift, **blank)  # type: ignore[arg-type]
        found, moves = van_elteren(self.blocks), stratified_shift(self.blocks, level)
        tested = replace(test, statistic=found.statistic, p_value=found.p_value, method=found.method)
        method = "Hodges-Lehmann within strata, if the shapes agree"
        if moves.low == moves.high:
            said = "; ".join(filter(None, [NO_SHIFT_LIMITS, shift.reason]))
            return tested, replace(shift, estimate=moves.estimate, method=method, reason=said)
        moved = shift.with_interval(moves.estimate, moves.low, moves.high, level, method=f"{method}; {found.method}")
        moved = replace(moved, statistic=found.statistic, p_value=found.p_value)
        return tested, told(moved, max(untold_shift(part, self.level) for part in self.blocks.parts))

    @property
    def p_test(self) -> float:
        """Of van Elteren's test."""
        return van_elteren(self.blocks).p_value

    def row(self, metric: str) -> Estimate:
        """A row of the pair without numbers."""
        left = f"{self.left_out:,.10g} people {LEFT_OUT}, and are left out" if self.left_out > 0 else ""
        return replace(self.about, metric=metric, n=self.n, reason=left)


@dataclass(frozen=True, eq=False)
class StratifiedDesignPair(StratifiedPair):
    """The same of weighted or clustered people."""

    designed: DesignEffect = NOTHING
    counted: tuple[float, float] = (0.0, 0.0)
    off: float = 0.0  # what the grid of the scores can move

    @property
    def n(self) -> float:
        """Weights of both groups in strata that have both."""
        return self.counted[0]

    @property
    def left_out(self) -> float:
        """Weights of both groups in the other strata."""
        return self.counted[1]

    @cached_property
    def effect(self) -> RelativeEffect | DesignEffect:
        """P(X>Y), linearized or by the jackknife."""
        return self.designed

    @property
    def untold(self) -> float:
        """The most by which the grid of the scores can move P(X>Y)."""
        return self.off

    def others(self, level: float) -> tuple[Estimate, Estimate]:
        """Neither has a form under a design."""
        test, shift = self.row(DISTRIBUTION), replace(self.row(SHIFT), contrast="difference")
        test = replace(test, status="unestimable", reason=NO_TEST)
        return test, replace(shift, status="unestimable", reason=NO_SHIFT)

    @property
    def p_test(self) -> float:
        """There is no test."""
        return NAN


def score_strata_rows(tally: CodedTally, levels: Attribute, reference: str, protocol: Protocol) -> list[Undecided]:
    """Every group's scores against the reference's within strata of the legitimate factors.

    Parameters
    ----------
    tally : CodedTally
        With scores and strata.
    levels : Attribute
        The attribute.
    reference : str
        The group that the others are compared with.
    protocol : Protocol
        Level, adjustment, margin, design.

    Returns
    -------
    list of Undecided
        P(X>Y) averaged over the strata, with the verdict; van Elteren's test of equal distributions and the
        Hodges-Lehmann shift, which rests on it. ``given`` names the factors; n is everybody who is averaged.

    References
    ----------
    van Elteren (1960); Kawaguchi, Koch & Wang (2011), Statistics in Biopharmaceutical Research 3, 217-231.

    Examples
    --------
    >>> from fairstats.inference.decisions import decide_all
    >>> sex, job = (Attribute(n, np.tile([0, 1], 8).astype(np.int32), ("m", "f")) for n in ("sex", "job"))
    >>> tally = CodedTally((sex,), np.ones(16), score=np.arange(16.0), strata=job)
    >>> decide_all([score_strata_rows(tally, sex, "m", Protocol(("sex",), strata="job"))])[0][0].reason
    'no stratum has people of both groups'
    """
    pairs = [_pair(tally, levels, label, reference, protocol) for label in levels.labels if label != reference]
    margin = protocol.equivalence.auc
    effects, others = [], []
    for pair in pairs:
        hidden = 0 < pair.people < protocol.min_n
        if hidden:
            hide = partial(_hidden, pair, protocol)
            effects.append(Comparison(NAN, partial(hide, (EFFECT,))))
            others.append(Comparison(NAN, partial(hide, (DISTRIBUTION, SHIFT)), without=DISTRIBUTIONS))
            continue
        missing = bool(pair.effect.reason)
        equal = () if margin is None else (NAN if missing else pair.effect.p_equivalence(margin),)
        p = NAN if missing else pair.effect.p_value
        effects.append(Comparison(p, partial(_effect_rows, pair), equal))
        others.append(Comparison(pair.p_test, pair.others, without=DISTRIBUTIONS))
    return [Undecided(family, protocol.multiplicity) for family in (effects, others)]


def _effect_rows(pair: StratifiedPair, level: float) -> tuple[Estimate]:
    row, effect = pair.row(EFFECT), pair.effect
    if effect.reason:
        return (row.blank(n=row.n, status="unestimable", reason=effect.reason),)
    limits, error = effect.limits(level), effect.std_error if effect.std_error > 0 else NAN
    row = row.with_interval(effect.estimate, *limits, level, std_error=error, method=effect.method)
    row = row.with_test(effect.statistic, effect.p_value, effect.df if effect.null is None else NAN)
    return (told(row, pair.untold),)


def _hidden(pair: StratifiedPair, protocol: Protocol, metrics: tuple[str, ...], level: float) -> list[Estimate]:
    said = {"n": float(pair.people), "status": "suppressed", "reason": f"fewer than {protocol.min_n} people"}
    rows = [pair.about.blank(**said) for _ in metrics]
    kinds = ["difference" if m == SHIFT else "none" for m in metrics]
    return [replace(row, metric=m, contrast=c) for row, m, c in zip(rows, metrics, kinds, strict=True)]


def _pair(tally: CodedTally, levels: Attribute, group: str, reference: str, protocol: Protocol) -> StratifiedPair:
    assert tally.score is not None
    assert tally.strata is not None
    about = Estimate("", levels.name, group, "none", reference, given=protocol.strata)
    known = ~np.isnan(tally.score)
    sides = [np.flatnonzero(known & (levels.codes == levels.labels.index(g))) for g in (group, reference)]
    codes = tally.strata.codes.astype(np.int64)
    people = tally.people(protocol.weight_type)
    least = min(int(people[rows].sum()) for rows in sides)
    if not designed(protocol):
        rows = [np.repeat(side, people[side].astype(np.int64)) for side in sides]
        blocks = in_strata(*(tally.score[r] for r in rows), *(codes[r] for r in rows))
        return StratifiedPair(about, blocks, least, tally.level, protocol.seed)
    sampled = protocol.weight_type == "probability"
    people, squares = (tally.used, tally.square) if sampled else (tally.weight, tally.weight)
    clusters = None if tally.clusters is None else tally.clusters.astype(np.int64)
    whole = Scored(tally.score, tally.weight, squares, people, clusters)
    sides = [side[tally.weight[side] > 0] for side in sides]
    cells, strata = [whole.take(side) for side in sides], [codes[side] for side in sides]
    common = np.intersect1d(strata[0], strata[1])
    kept = sum(c.weight[np.isin(s, common)].sum() for c, s in zip(cells, strata, strict=True))
    lost = sum(c.total for c in cells) - kept
    effect = stratified_design_effect(cells[0], cells[1], strata[0], strata[1])
    counted = (float(kept), float(lost) if lost > 1e-9 * kept else 0.0)
    whole_blocks = merge(*(c.values for c in cells), *(c.weight for c in cells))
    off = untold(whole_blocks, tally.level)
    nothing = StratifiedBlocks(())
    return StratifiedDesignPair(about, nothing, least, designed=effect, counted=counted, off=off)
