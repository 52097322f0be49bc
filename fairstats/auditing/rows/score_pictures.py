"""The curves of two figures of scores: how often the outcome follows each score, and how the scores are distributed."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fairstats.auditing.protocol import Protocol
from fairstats.auditing.rows.score_curves import MOST_CURVES
from fairstats.auditing.rows.score_samples import Sample, refused
from fairstats.inference.rates.one_rate import wilson
from fairstats.inference.scores.calibration_curve import bin_edges
from fairstats.studies.curve import BY_SCORE, HISTOGRAM, VALUES, Curve

Floats = NDArray[np.float64]
MOST_VALUES = 20  # more distinct scores than a reader can follow one by one are binned
BINS = 24  # of a histogram; one more where the threshold, which is an edge, cuts the range unevenly


def score_pictures(attribute: str, groups: tuple[Sample, ...], protocol: Protocol) -> tuple[Curve, ...]:
    """The outcome by score, and the distribution of the scores, of each group for its figures.

    Parameters
    ----------
    attribute : str
        Its name.
    groups : tuple of Sample
        Its groups, the largest first; at most twelve are drawn.
    protocol : Protocol
        Level and threshold. With a smallest group there are none, because a bar or a point may be a single person;
        neither where people are weighted or clustered, because each is drawn as one independent person.

    Returns
    -------
    tuple of Curve
        Of kind "outcome by score" (where outcomes are known): x the score (or the mean score of a bin at the deciles of
        everybody's), y the share of positive outcomes, its band Wilson's limits point by point. And of kind "values of
        the score": x each score that occurs, y the share of the group; or, of more than 20 scores, of kind "histogram
        of the score": x the left edges of bins of one width, of which the threshold is one.

    Examples
    --------
    >>> group = Sample("a", np.arange(3.0), np.arange(3.0), np.array([0, 1, 1]))
    >>> [(c.kind, c.y) for c in score_pictures("g", (group,), Protocol(("g",)))][0]
    ('outcome by score', (0.0, 1.0, 1.0))
    """
    drawn = [g for g in groups[:MOST_CURVES] if g.scores.size]
    if protocol.min_n > 1 or refused(protocol) or not drawn:
        return ()
    return (*_outcomes(attribute, groups, drawn, protocol.conf_level), *_shares(attribute, drawn, protocol.threshold))


def _outcomes(attribute: str, groups: tuple[Sample, ...], drawn: list[Sample], level: float) -> list[Curve]:
    judged = np.concatenate([g.judged for g in groups])
    values = np.unique(judged)
    edges = values[1:] if values.size <= MOST_VALUES else bin_edges(judged)
    curves = []
    for g in drawn:
        if not g.judged.size:
            continue
        where = np.searchsorted(edges, g.judged, side="right")
        n = np.bincount(where, minlength=edges.size + 1).astype(float)
        held = n > 0
        events = np.bincount(where, weights=g.outcomes == 1, minlength=n.size)[held]
        means = np.bincount(where, weights=g.judged, minlength=n.size)[held] / n[held]
        low, high = wilson(events, n[held], level)
        columns = (tuple(np.asarray(v, dtype=float).tolist()) for v in (means, events / n[held], low, high))
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
