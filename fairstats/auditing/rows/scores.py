"""Scores by group: ranks against the reference, AUC by group, and the curves of the figures."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np
from numpy.typing import NDArray

from fairstats.auditing.input import UNKNOWN, Observations
from fairstats.auditing.protocol import Protocol
from fairstats.estimates import NAN, Estimate, Estimates
from fairstats.inference.decisions import Comparison, decided
from fairstats.inference.rates.equivalence import tost
from fairstats.inference.scores.auc_rows import auc_difference_estimate, auc_estimate
from fairstats.inference.scores.brunner_munzel import RelativeEffect, relative_effect_of, relative_effect_row
from fairstats.inference.scores.curves import ecdf, roc_curve, thin
from fairstats.inference.scores.mann_whitney import EMPTY, rank_test
from fairstats.inference.scores.merged_samples import Blocks, RankTest, merge
from fairstats.inference.scores.rank_rows import shift_row
from fairstats.studies.attribute import Levels
from fairstats.studies.curve import Curve

Floats = NDArray[np.float64]
DISTRIBUTIONS = "tests that the distributions are equal, which P(X>Y) = 0.5 does not need: no verdict"
MOST_CURVES = 12
MOST_POINTS = 200


@dataclass(frozen=True)
class Sample:
    """The scores of one group, and those with a known outcome."""

    label: str
    scores: Floats
    judged: Floats
    outcomes: NDArray[np.int8]


def samples(seen: Observations, levels: Levels, frequencies: bool) -> tuple[Sample, ...]:
    """The scores of each group; a frequency weight repeats a person.

    Parameters
    ----------
    seen : Observations
        With scores.
    levels : Levels
        The attribute.
    frequencies : bool
        Whether the weights count people.

    Returns
    -------
    tuple of Sample

    Examples
    --------
    >>> sex = Levels("sex", np.array([0, 0, 1], dtype=np.int32), ("m", "f"))
    >>> seen = Observations((sex,), 3, score=np.array([0.1, np.nan, 0.3]))
    >>> [s.scores.tolist() for s in samples(seen, sex, False)]
    [[0.1], [0.3]]
    """
    assert seen.score is not None
    known = np.flatnonzero(~np.isnan(seen.score))
    if frequencies and seen.weights is not None:
        known = np.repeat(known, seen.weights[known].astype(np.int64))
    known = known[np.argsort(levels.codes[known], kind="stable")]
    ends = np.cumsum(np.bincount(levels.codes[known], minlength=len(levels.labels)))[:-1]
    out = []
    for label, rows in zip(levels.labels, np.split(known, ends), strict=True):
        outcomes = np.full(rows.size, UNKNOWN, dtype=np.int8) if seen.outcome is None else seen.outcome[rows]
        scores, judged = seen.score[rows], outcomes != UNKNOWN
        out.append(Sample(label, scores, scores[judged], outcomes[judged]))
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
        return relative_effect_of(self.blocks, seed=self.seed)

    @cached_property
    def rank_test(self) -> RankTest:
        """Mann and Whitney's test of equal distributions."""
        return rank_test(self.blocks)

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


def score_rows(pairs: tuple[ScorePair, ...], groups: tuple[Sample, ...], protocol: Protocol) -> Estimates:
    """P(X>Y), with the verdict, and the test of equal distributions against the reference; with an outcome, AUCs.

    Parameters
    ----------
    pairs : tuple of ScorePair
        The groups beside the reference.
    groups : tuple of Sample
        All groups.
    protocol : Protocol
        Confidence level, adjustment, margin, smallest group.

    Returns
    -------
    Estimates
        A group: P(X>Y) by Brunner and Munzel, Mann and Whitney's test, the Hodges-Lehmann shift, which rests on it;
        with an outcome AUC by group and its differences.

    References
    ----------
    Brunner & Munzel (2000), Biometrical Journal 42; Mann & Whitney (1947); Hodges & Lehmann (1963); DeLong, DeLong &
    Clarke-Pearson (1988), Biometrics 44.

    Examples
    --------
    >>> a, b = (Sample(g, np.arange(9.0) + k, np.array([]), np.array([])) for g, k in (("a", 0), ("b", 2)))
    >>> protocol = Protocol(("g",))
    >>> score_rows(score_pairs("g", (a, b), "a", protocol), (a, b), protocol).column("metric")
    ['P(X>Y)', 'score distribution', 'score shift']
    """
    rows = Estimates([*_family(pairs, protocol, _effect), *_family(pairs, protocol, _distribution)])
    if protocol.outcome:
        attribute = pairs[0].attribute
        rows += [_area(attribute, g, protocol) for g in groups] + _family(pairs, protocol, _areas)
    return rows


def _effect(pair: ScorePair, protocol: Protocol) -> Question:
    about, margin = pair.about("P(X>Y)"), protocol.equivalence.auc
    return Question(
        (about,),
        pair.people,
        lambda: pair.effect.p_value,
        lambda level: (relative_effect_row(pair.effect, about, level),),
        None if margin is None else lambda: pair.effect.p_equivalence(margin),
    )


def _distribution(pair: ScorePair, protocol: Protocol) -> Question:
    test, shift = pair.about("score distribution"), pair.about("score shift", "difference")

    def rows(level: float) -> tuple[Estimate, ...]:
        n, found = float(pair.group.scores.size), pair.rank_test
        if not pair.people:
            return tuple(replace(row, n=n, status="unestimable", reason=EMPTY) for row in (test, shift))
        tested = replace(test, n=n, statistic=found.statistic, p_value=found.p_value, method=found.method)
        return tested, shift_row(pair.group.scores, pair.base.scores, found, replace(shift, n=n), level)

    return Question((test, shift), pair.people, lambda: pair.rank_test.p_value, rows, without=DISTRIBUTIONS)


def _areas(pair: ScorePair, protocol: Protocol) -> Question:
    about, margin = pair.about("AUC", "difference"), protocol.equivalence.auc

    def row(level: float) -> Estimate:
        return auc_difference_estimate(
            pair.group.judged,
            pair.group.outcomes,
            pair.base.judged,
            pair.base.outcomes,
            attribute=about.attribute,
            group=about.group,
            reference=about.reference,
            conf_level=level,
        )

    def p_equivalence(margin: float) -> float:
        found = row(0.95)
        return float(tost(found.estimate, found.std_error, margin, found.df)) if found.std_error > 0 else NAN

    return Question(
        (about,),
        min(pair.group.judged.size, pair.base.judged.size),
        lambda: row(0.95).p_value,
        lambda level: (row(level),),
        None if margin is None else lambda: p_equivalence(margin),
    )


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
    pairs: tuple[ScorePair, ...], protocol: Protocol, ask: Callable[[ScorePair, Protocol], Question]
) -> list[Estimate]:
    """The rows of one family, decided together."""
    questions = [ask(pair, protocol) for pair in pairs]
    hidden = [0 < q.people < protocol.min_n or refused(protocol) != "" for q in questions]
    comparisons = []
    for pair, q, out in zip(pairs, questions, hidden, strict=True):
        absent = out or not q.people
        equal = NAN if absent or q.p_equivalence is None else q.p_equivalence()
        comparisons.append(
            Comparison(
                NAN if absent else q.p_value(),
                partial(_hidden_rows, q, protocol) if out else q.rows,
                () if q.p_equivalence is None else (equal,),
                pair.group.scores.size,
                without=q.without,
            )
        )
    base = max((pair.base.scores.size for pair in pairs), default=0)
    return decided(comparisons, protocol.family, base=base)


def _hidden_rows(question: Question, protocol: Protocol, level: float) -> list[Estimate]:
    return [_hidden(row, question.people, protocol) for row in question.about]


def refused(protocol: Protocol) -> str:
    """Return the reason why this design allows no rank statistics, or ""."""
    if protocol.clusters:
        return "people of one cluster are dependent; rank statistics need independent people"
    return "rank statistics are not estimated from probability weights" if protocol.weight_type == "probability" else ""


def _hidden(row: Estimate, people: int, protocol: Protocol) -> Estimate:
    if refused(protocol):
        return replace(row, status="unestimable", reason=refused(protocol))
    return replace(row, n=float(people), status="suppressed", reason=f"fewer than {protocol.min_n} people")


def _area(attribute: str, group: Sample, protocol: Protocol) -> Estimate:
    hidden = 0 < group.judged.size < protocol.min_n
    if hidden or refused(protocol):
        return _hidden(Estimate("AUC", attribute, group.label), group.judged.size, protocol)
    return auc_estimate(
        group.judged, group.outcomes, attribute=attribute, group=group.label, conf_level=protocol.conf_level
    )


def score_curves(attribute: str, groups: tuple[Sample, ...], protocol: Protocol) -> tuple[Curve, ...]:
    """Distribution functions and ROC curves of the groups that may be shown, thinned for a figure.

    Parameters
    ----------
    attribute : str
        Its name.
    groups : tuple of Sample
        Its groups, the largest first; at most twelve are drawn.
    protocol : Protocol
        Smallest group.

    Returns
    -------
    tuple of Curve

    Examples
    --------
    >>> group = Sample("a", np.arange(3.0), np.arange(3.0), np.array([0, 1, 1]))
    >>> [c.kind for c in score_curves("g", (group,), Protocol(("g",)))]
    ['ecdf', 'roc']
    """
    curves = []
    for g in groups[:MOST_CURVES]:
        if g.scores.size >= max(protocol.min_n, 1):
            values, shares = ecdf(g.scores)
            kept = spaced(shares * g.scores.size, protocol.min_n)
            curves.append(_curve("ecdf", attribute, g.label, values[kept], shares[kept]))
        positives = int(np.sum(g.outcomes))
        if g.judged.size >= protocol.min_n and 0 < positives < g.judged.size:
            fpr, tpr, _ = roc_curve(g.judged, g.outcomes)
            below = fpr * (g.judged.size - positives) + tpr * positives
            kept = np.union1d([0, fpr.size - 1], spaced(below, protocol.min_n))  # (0, 0) and (1, 1) tell nothing
            curves.append(_curve("roc", attribute, g.label, fpr[kept], tpr[kept]))
    return tuple(curve for curve in curves if len(curve.x) > 1 or protocol.min_n == 1)


def spaced(people: Floats, least: int) -> NDArray[np.int64]:
    """Which points of a curve to show so that at least so many people lie between two of them, and beyond the ends.

    A step of a distribution function is a person, whose score it tells.

    Parameters
    ----------
    people : ndarray, shape (points,)
        People up to each point, ascending; the last is everybody.
    least : int
        1 keeps every point.

    Returns
    -------
    ndarray of int

    Examples
    --------
    >>> spaced(np.arange(1.0, 10.0), 3).tolist()
    [2, 5]
    """
    if least <= 1:
        return np.arange(people.size)
    kept, last = [], 0.0
    for i, count in enumerate(people.tolist()):
        if count - last >= least - 1e-6 and people[-1] - count >= least - 1e-6:
            kept.append(i)
            last = count
    return np.array(kept, dtype=np.int64)


def _curve(kind: str, attribute: str, group: str, x: Floats, y: Floats) -> Curve:
    kept = thin(x, y, MOST_POINTS)
    return Curve(kind, attribute, group, tuple(x[kept].tolist()), tuple(y[kept].tolist()))
