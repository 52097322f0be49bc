"""Scores by group: ranks against the reference, AUC by group, and the curves of the figures."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from fairstats.auditing.families import judged, plan
from fairstats.auditing.input import UNKNOWN, Observations
from fairstats.auditing.protocol import Protocol
from fairstats.estimates import NAN, Estimate, Estimates
from fairstats.inference.scores.auc_rows import auc_difference_estimate, auc_estimate
from fairstats.inference.scores.curves import ecdf, roc_curve, thin
from fairstats.inference.scores.rank_rows import mann_whitney, shift_estimate, superiority_estimate
from fairstats.studies.attribute import Levels
from fairstats.studies.curve import Curve

Floats = NDArray[np.float64]
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


def score_rows(attribute: str, groups: tuple[Sample, ...], reference: str, protocol: Protocol) -> Estimates:
    """P(X>Y) and the Hodges-Lehmann shift against the reference; with an outcome, AUC by group and its differences.

    Parameters
    ----------
    attribute : str
        Its name.
    groups : tuple of Sample
        Its groups.
    reference : str
        The group that the others are compared with.
    protocol : Protocol
        Confidence level, adjustment, smallest group.

    Returns
    -------
    Estimates

    Examples
    --------
    >>> a, b = (Sample(g, np.arange(9.0) + k, np.array([]), np.array([])) for g, k in (("a", 0), ("b", 2)))
    >>> score_rows("g", (a, b), "a", Protocol(("g",))).column("metric")
    ['P(X>Y)', 'score shift']
    """
    base = next(g for g in groups if g.label == reference)
    others = [g for g in groups if g is not base]
    rows = _family(_rank_builders(attribute, others, base), protocol, null=0.5)
    if protocol.outcome:
        levels = [_area(attribute, g, protocol) for g in groups]
        gaps = _family(_area_builders(attribute, others, base), protocol, null=0.0)
        rows += [*levels, *gaps]
    return rows


@dataclass(frozen=True)
class _Question:
    """One comparison of scores: its groups, its people, its p-value, and a function from a level to its rows."""

    about: tuple[Estimate, ...]
    sizes: tuple[int, int]  # of the group and of the reference
    p_value: Callable[[], float]
    rows: Callable[[float], tuple[Estimate, ...]]

    @property
    def people(self) -> int:
        """The size of the smaller of the groups, which is compared with `min_n`."""
        return min(self.sizes)


def _rank_builders(attribute: str, others: list[Sample], base: Sample) -> list[_Question]:
    def question(g: Sample) -> _Question:
        about = {"attribute": attribute, "group": g.label, "reference": base.label}
        blank = Estimate("P(X>Y)", attribute, g.label, reference=base.label)
        return _Question(
            (blank, replace(blank, metric="score shift", contrast="difference")),
            (g.scores.size, base.scores.size),
            lambda: mann_whitney(g.scores, base.scores).p_value,
            lambda level: (
                superiority_estimate(g.scores, base.scores, **about, conf_level=level),
                shift_estimate(g.scores, base.scores, **about, conf_level=level),
            ),
        )

    return [question(g) for g in others]


def _area_builders(attribute: str, others: list[Sample], base: Sample) -> list[_Question]:
    def question(g: Sample) -> _Question:
        def row(level: float) -> Estimate:
            return auc_difference_estimate(
                g.judged,
                g.outcomes,
                base.judged,
                base.outcomes,
                attribute=attribute,
                group=g.label,
                reference=base.label,
                conf_level=level,
            )

        return _Question(
            (Estimate("AUC", attribute, g.label, "difference", base.label),),
            (g.judged.size, base.judged.size),
            lambda: row(0.95).p_value,
            lambda level: (row(level),),
        )

    return [question(g) for g in others]


def _family(questions: list[_Question], protocol: Protocol, null: float) -> Estimates:
    """The rows of one family, with intervals at the levels that its adjusted tests ask for."""
    hidden = [0 < q.people < protocol.min_n or refused(protocol) != "" for q in questions]
    p = [NAN if out or not q.people else q.p_value() for q, out in zip(questions, hidden, strict=True)]
    steps = plan(p, [q.sizes[0] for q in questions], max((q.sizes[1] for q in questions), default=0), protocol)
    rows: list[Estimate] = []
    for q, out, (level, adjusted) in zip(questions, hidden, steps, strict=True):
        if out:
            rows += [_hidden(row, q.people, protocol) for row in q.about]
            continue
        first, *rest = (replace(row, p_adjusted=adjusted) for row in q.rows(level))
        rows += [judged(first, protocol, null=null), *rest]
    return Estimates(rows)


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
