"""Scores by group: ranks against the reference, and AUC by group."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from fairstats.auditing.protocol import Protocol
from fairstats.auditing.rows.score_designs import DesignSample, area_row
from fairstats.auditing.rows.score_grid import told
from fairstats.auditing.rows.score_samples import Sample, ScorePair
from fairstats.estimates import NAN, Estimate, Estimates
from fairstats.inference.decisions import Comparison, Rows, Undecided
from fairstats.inference.scores.auc_rows import auc_row
from fairstats.inference.scores.mann_whitney import EMPTY

Floats = NDArray[np.float64]
DISTRIBUTIONS = "tests that the distributions are equal, which P(X>Y) = 0.5 does not need: no verdict"


def score_rows(pairs: tuple[ScorePair, ...], groups: tuple[Sample, ...], protocol: Protocol) -> list[Rows]:
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
    list of Estimates or Undecided
        A group: P(X>Y) by Brunner and Munzel, Mann and Whitney's test, the Hodges-Lehmann shift, which rests on it;
        with an outcome AUC by group and its differences.

    References
    ----------
    Brunner & Munzel (2000), Biometrical Journal 42; Mann & Whitney (1947); Hodges & Lehmann (1963); DeLong, DeLong &
    Clarke-Pearson (1988), Biometrics 44.

    Examples
    --------
    >>> from fairstats.inference.decisions import decide_all
    >>> from fairstats.auditing.rows.score_samples import score_pairs
    >>> a, b = (Sample(g, np.arange(9.0) + k, np.array([]), np.array([])) for g, k in (("a", 0), ("b", 2)))
    >>> protocol = Protocol(("g",))
    >>> rows = score_rows(score_pairs("g", (a, b), "a", protocol), (a, b), protocol)
    >>> [row.metric for row in decide_all([rows])[0]]
    ['P(X>Y)', 'score distribution', 'score shift']
    """
    rows: list[Rows] = [_family(pairs, protocol, _effect), _family(pairs, protocol, _distribution)]
    if protocol.outcome:
        rows += [Estimates(_area(pairs[0].attribute, g, protocol) for g in groups), _family(pairs, protocol, _areas)]
    return rows


def _effect(pair: ScorePair, protocol: Protocol) -> Question:
    about, margin = pair.about("P(X>Y)"), protocol.equivalence.auc
    return Question(
        (about,),
        pair.people,
        pair.p_effect,
        lambda level: (told(pair.effect_row(about, level), pair.untold),),
        None if margin is None else lambda: pair.p_equivalent(margin),
    )


def _distribution(pair: ScorePair, protocol: Protocol) -> Question:
    test, shift = pair.about("score distribution"), pair.about("score shift", "difference")

    def rows(level: float) -> tuple[Estimate, ...]:
        if not pair.people:
            n = float(pair.group.scores.size)
            return tuple(replace(row, n=n, status="unestimable", reason=EMPTY) for row in (test, shift))
        return pair.distribution_rows(test, shift, level)

    return Question((test, shift), pair.people, pair.p_ranks, rows, without=DISTRIBUTIONS)


def _areas(pair: ScorePair, protocol: Protocol) -> Question:
    about, margin = pair.about("AUC", "difference"), protocol.equivalence.auc
    return Question(
        (about,),
        min(pair.group.judged.size, pair.base.judged.size),
        lambda: pair.areas.p_value,
        lambda level: (told(pair.gap_row(about, level), pair.group.untold + pair.base.untold),),
        None if margin is None else lambda: pair.areas.p_equivalence(margin),
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
) -> Undecided:
    """The rows of one family, decided together."""
    questions = [ask(pair, protocol) for pair in pairs]
    hidden = [0 < q.people < protocol.min_n for q in questions]
    comparisons = []
    for q, out in zip(questions, hidden, strict=True):
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
    return Undecided(comparisons, protocol.multiplicity, questions[0].about[0] if questions else None)


def _hidden_rows(question: Question, protocol: Protocol, level: float) -> list[Estimate]:
    return [_hidden(row, question.people, protocol) for row in question.about]


def _hidden(row: Estimate, people: int, protocol: Protocol) -> Estimate:
    return replace(row, n=float(people), status="suppressed", reason=f"fewer than {protocol.min_n} people")


def _area(attribute: str, group: Sample, protocol: Protocol) -> Estimate:
    about = Estimate("AUC", attribute, group.label)
    if 0 < group.judged.size < protocol.min_n:
        return _hidden(about, group.judged.size, protocol)
    if isinstance(group, DesignSample):
        return told(area_row(group, about, protocol.conf_level), group.untold)
    return told(auc_row(group.judged_area.found, about, protocol.conf_level), group.untold)
