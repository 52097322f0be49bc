"""Calibration by group, where the scores are probabilities: Brier score, intercept, slope, differences, curves."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from fairstats.auditing.protocol import Protocol
from fairstats.auditing.scores import Sample, refused
from fairstats.estimates import Estimate, Estimates, Status
from fairstats.inference.means import LossSample
from fairstats.inference.rates.one_rate import wilson
from fairstats.inference.scores.calibration import (
    EQUAL,
    bin_edges,
    calibration_checks,
    calibration_curve,
    calibration_differences,
    calibration_estimates,
)
from fairstats.inference.scores.roc import ecdf, roc_band, roc_of, thin
from fairstats.inference.verdicts import Comparison, Rows, Undecided
from fairstats.language import message
from fairstats.provenance import BY_SCORE, HISTOGRAM, VALUES, Curve

Floats = NDArray[np.float64]


# The curves of the figures of scores: distribution functions and ROC curves.


MOST_CURVES = 12
MOST_POINTS = 200


def score_curves(attribute: str, groups: tuple[Sample, ...], protocol: Protocol) -> tuple[Curve, ...]:
    """Distribution functions and ROC curves, with their bands, of the groups that may be shown, for a figure.

    groups: its groups, the largest first; at most twelve are drawn.
    protocol: smallest group. Weighted people are not drawn as if each were one.

    >>> group = Sample("a", np.arange(3.0), np.arange(3.0), np.array([0, 1, 1]))
    >>> [c.kind for c in score_curves("g", (group,), Protocol(("g",)))]
    ['ecdf', 'roc']
    """
    curves: list[Curve] = []
    if protocol.weight_type == "probability":
        return ()
    for g in groups[:MOST_CURVES]:
        if g.scores.size >= max(protocol.min_n, 1):
            values, shares = ecdf(g.scores)
            kept = spaced(shares * g.scores.size, protocol.min_n)
            curves.append(_curve("ecdf", attribute, g.label, values[kept], shares[kept]))
        positives = int(np.sum(g.outcomes))
        if g.studentized.size >= protocol.min_n and 0 < positives < g.studentized.size:
            fpr, tpr, _ = roc_of(g.by_outcome)
            below = fpr * (g.studentized.size - positives) + tpr * positives
            kept = spaced(below, protocol.min_n)
            ends = {0, fpr.size - 1}.difference(kept[[0, -1]].tolist() if kept.size else [])  # they tell nothing
            kept = np.sort(np.append(kept, [*ends])).astype(np.int64)
            line = _curve("roc", attribute, g.label, fpr[kept], tpr[kept])
            if protocol.min_n == 1:  # the band is of all scores, which a smallest group keeps apart
                low, high = roc_band(g.studentized, g.outcomes, line.x, protocol.conf_level)
                line = replace(line, low=tuple(low.tolist()), high=tuple(high.tolist()))
            curves.append(line)
    return tuple(curve for curve in curves if len(curve.x) > 1 or protocol.min_n == 1)


def spaced(people: Floats, least: int) -> NDArray[np.int64]:
    """Which points of a curve to show so that at least so many people lie between two of them, and beyond the ends.

    A step of a distribution function is a person, whose score it tells.

    people: people up to each point, ascending; the last is everybody.
    least: 1 keeps every point.

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


METRICS = ("Brier score", "calibration intercept", "calibration slope")


def probabilities(scores: Floats) -> bool:
    """Whether all scores lie in [0, 1] and some strictly inside: then they are read as probabilities.

    Examples
    --------
    >>> probabilities(np.array([0.2, 1.0, np.nan])), probabilities(np.array([0.0, 1.0]))
    (True, False)
    """
    known = scores[~np.isnan(scores)]
    return bool(((known >= 0) & (known <= 1)).all() and ((known > 0) & (known < 1)).any())


def calibration_rows(attribute: str, groups: tuple[Sample, ...], reference: str, protocol: Protocol) -> list[Rows]:
    """Calibration of every group, and its differences from the reference; a family is one metric of one attribute.

    groups: its groups, with scores that are probabilities.
    reference: the group that the others are compared with.
    protocol: level, adjustment, smallest group.

    >>> from fairstats.inference.verdicts import decide_all
    >>> y = np.array([0, 1, 0, 1, 1])
    >>> p = np.array([0.1, 0.3, 0.5, 0.7, 0.4])
    >>> rows = calibration_rows("g", (Sample("a", p, p, y), Sample("b", p, p, y)), "a", Protocol(("g",)))
    >>> decide_all([rows])[0].where(contrast="difference").column("estimate")
    [0.0, 0.0, 0.0]
    """
    by_group = {g.label: _levels(attribute, g, protocol) for g in groups}
    rows: list[Rows] = [by_group[g.label] for g in groups]
    others = [g.label for g in groups if g.label != reference]
    moments = {g.label: LossSample.of((g.studentized - g.outcomes) ** 2, noise=EQUAL) for g in groups}
    for place in range(len(METRICS)):
        base, comparisons = by_group[reference][place], []
        for g in others:
            losses = (moments[g], moments[reference])
            build = partial(_gap, by_group[g][place], base, reference, losses)
            gap = build(protocol.conf_level)
            comparisons.append(Comparison(gap.p_value, partial(_alone, build)))
        rows.append(Undecided(comparisons, protocol.multiplicity, replace(base, contrast="difference")))
    items = [g for g in groups if by_group[g.label][0].status == "ok"]
    if items:
        edges = bin_edges(np.concatenate([g.studentized for g in groups]))
        rows += [
            calibration_checks(g.studentized, g.outcomes, edges, attribute=attribute, group=g.label) for g in items
        ]
    return rows


def _levels(attribute: str, group: Sample, protocol: Protocol) -> Estimates:
    status: Status = "ok"
    reason = ""
    if refused(protocol):
        status, reason = "unestimable", message("calibration is not estimated from weighted or clustered people")
    elif 0 < group.studentized.size < protocol.min_n:
        status, reason = "suppressed", message("fewer than {n} people", n=protocol.min_n)
    if status != "ok":
        n = float(group.studentized.size)
        return Estimates(Estimate(m, attribute, group.label, n=n, status=status, reason=reason) for m in METRICS)
    return calibration_estimates(
        group.studentized, group.outcomes, attribute=attribute, group=group.label, conf_level=protocol.conf_level
    )


def _alone(build: Callable[[float], Estimate], level: float) -> list[Estimate]:
    return [build(level)]


def _gap(
    current: Estimate, base: Estimate, reference: str, losses: tuple[LossSample, LossSample], level: float
) -> Estimate:
    for row in (current, base):
        if row.status != "ok":
            place = message("{text} (the group)") if row is current else message("{text} (the reference)")
            blank = Estimate(current.metric, current.attribute, current.group, "difference", reference, n=current.n)
            return replace(blank, status=row.status, reason=place.format(text=row.reason))
    return calibration_differences(
        Estimates([current]), Estimates([base]), losses, reference=reference, conf_level=level
    )[0]


def calibration_curves(attribute: str, groups: tuple[Sample, ...], protocol: Protocol) -> tuple[Curve, ...]:
    """Observed rate against mean prediction with a simultaneous band, in bins at the deciles of everybody's scores.

    Deciles that nearly coincide are one: their points would stand above each other, and a line would go up and down.

    protocol: level and smallest group; bins under it are left out, and others while those left out have fewer people.

    >>> p, y = np.array([0.1, 0.3, 0.5, 0.7, 0.4]), np.array([0, 1, 0, 1, 1])
    >>> calibration_curves("g", (Sample("a", p, p, y),), Protocol(("g",)))[0].kind
    'calibration'
    """
    everybody = np.concatenate([g.studentized for g in groups])
    if refused(protocol) or not everybody.size:
        return ()
    edges = _apart(bin_edges(everybody), CLOSE * float(np.ptp(everybody)))
    curves = []
    for g in groups[:MOST_CURVES]:
        if g.studentized.size < max(protocol.min_n, 1):
            continue
        c = calibration_curve(g.studentized, g.outcomes, edges, protocol.conf_level)
        kept = _shown(c.n, protocol.min_n)
        columns = (tuple(v[kept].tolist()) for v in (c.predicted, c.observed, c.low, c.high))
        curves.append(Curve("calibration", attribute, g.label, *columns))
    return tuple(curves)


CLOSE = 0.005  # of the range of the scores: points of such bins lie above each other


def _apart(edges: Floats, least: float) -> Floats:
    """The edges without those that follow another one more closely.

    >>> _apart(np.array([0.2, 0.9, 0.9001, 0.9002]), 0.01).tolist()
    [0.2, 0.9]
    """
    kept: list[float] = []
    for edge in edges.tolist():
        if not kept or edge - kept[-1] > least:
            kept.append(edge)
    return np.array(kept)


def _shown(n: Floats, least: int) -> NDArray[np.bool_]:
    """The bins to show: of those left out there are two or none, of `least` people or more, as their sum is known."""
    kept = n >= least
    while least > 1 and kept.any() and not kept.all() and ((~kept).sum() < 2 or n[~kept].sum() < least):
        kept[np.argmin(np.where(kept, n, np.inf))] = False
    return kept


# The curves of two figures of scores: how often the outcome follows each score, and how the scores are distributed.


MOST_VALUES = 20  # more distinct scores than a reader can follow one by one are binned
BINS = 24  # of a histogram; one more where the threshold, which is an edge, cuts the range unevenly


def score_pictures(attribute: str, groups: tuple[Sample, ...], protocol: Protocol) -> tuple[Curve, ...]:
    """The outcome by score, and the distribution of the scores, of each group for its figures.

    groups: its groups, the largest first; at most twelve are drawn.
    protocol: level and threshold. With a smallest group there are none, because a bar or a point may be a single
        person; neither where people are weighted or clustered, because each is drawn as one independent person.
    Returns: of kind "outcome by score" (where outcomes are known): x the score (or the mean score of a bin at the
        deciles of everybody's), y the share of positive outcomes, its band Wilson's limits point by point. And of kind
        "values of the score": x each score that occurs, y the share of the group; or, of more than 20 scores, of kind
        "histogram of the score": x the left edges of bins of one width, of which the threshold is one.

    >>> group = Sample("a", np.arange(3.0), np.arange(3.0), np.array([0, 1, 1]))
    >>> [(c.kind, c.y) for c in score_pictures("g", (group,), Protocol(("g",)))][0]
    ('outcome by score', (0.0, 1.0, 1.0))
    """
    drawn = [g for g in groups[:MOST_CURVES] if g.scores.size]
    if protocol.min_n > 1 or refused(protocol) or not drawn:
        return ()
    return (*_outcomes(attribute, groups, drawn, protocol.conf_level), *_shares(attribute, drawn, protocol.threshold))


def _outcomes(attribute: str, groups: tuple[Sample, ...], drawn: list[Sample], level: float) -> list[Curve]:
    checked = np.concatenate([g.studentized for g in groups])
    values = np.unique(checked)
    edges = values[1:] if values.size <= MOST_VALUES else bin_edges(checked)
    curves = []
    for g in drawn:
        if not g.studentized.size:
            continue
        where = np.searchsorted(edges, g.studentized, side="right")
        n = np.bincount(where, minlength=edges.size + 1).astype(float)
        kept = n > 0
        events = np.bincount(where, weights=g.outcomes == 1, minlength=n.size)[kept]
        means = np.bincount(where, weights=g.studentized, minlength=n.size)[kept] / n[kept]
        low, high = wilson(events, n[kept], level)
        columns = (tuple(np.asarray(v, dtype=float).tolist()) for v in (means, events / n[kept], low, high))
        curves.append(Curve(BY_SCORE, attribute, g.label, *columns))
    return curves


def _shares(attribute: str, drawn: list[Sample], threshold: float | None) -> list[Curve]:
    everybody = np.concatenate([g.scores for g in drawn])
    values = np.unique(everybody)
    if values.size <= MOST_VALUES:
        kind, at = VALUES, values
        counts = [np.bincount(np.searchsorted(values, g.scores), minlength=values.size) for g in drawn]
    else:
        edges = histogram_edges(float(values[0]), float(values[-1]), threshold)
        kind, at = HISTOGRAM, edges[:-1]
        counts = [_counted(g.scores, edges) for g in drawn]
    return [
        Curve(kind, attribute, g.label, tuple(at.tolist()), tuple((c / g.scores.size).tolist()))
        for g, c in zip(drawn, counts, strict=True)
    ]


def histogram_edges(low: float, high: float, threshold: float | None) -> Floats:
    """Edges of bins of one width over the range; a threshold inside it is one of them, so that no bin is on both sides.

    Examples
    --------
    >>> edges = histogram_edges(0.0, 1.0, 0.3)
    >>> bool(np.isclose(edges, 0.3).any()), edges.size - 1 <= BINS + 1
    (True, True)
    """
    width = (high - low) / BINS
    if threshold is None or not low < threshold < high:
        return np.linspace(low, high, BINS + 1)
    below, above = np.ceil((threshold - low) / width - 1e-9), np.ceil((high - threshold) / width - 1e-9)
    return threshold + width * np.arange(-below, above + 1)


def _counted(scores: Floats, edges: Floats) -> NDArray[np.intp]:
    """A score at an edge belongs to the bin above it, as a score at the threshold is at or above it."""
    where = np.searchsorted(edges[1:-1], scores, side="right")
    return np.bincount(where, minlength=edges.size - 1)
