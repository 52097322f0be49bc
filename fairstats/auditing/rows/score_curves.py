"""The curves of the figures of scores: distribution functions and ROC curves."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from fairstats.auditing.protocol import Protocol
from fairstats.auditing.rows.score_samples import Sample
from fairstats.inference.scores.curves import ecdf, roc_of, thin
from fairstats.inference.scores.roc_differences import roc_band
from fairstats.studies.curve import Curve

Floats = NDArray[np.float64]
MOST_CURVES = 12
MOST_POINTS = 200


def score_curves(attribute: str, groups: tuple[Sample, ...], protocol: Protocol) -> tuple[Curve, ...]:
    """Distribution functions and ROC curves, with their bands, of the groups that may be shown, for a figure.

    Parameters
    ----------
    attribute : str
        Its name.
    groups : tuple of Sample
        Its groups, the largest first; at most twelve are drawn.
    protocol : Protocol
        Smallest group. Weighted people are not drawn as if each were one.

    Returns
    -------
    tuple of Curve

    Examples
    --------
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
        if g.judged.size >= protocol.min_n and 0 < positives < g.judged.size:
            fpr, tpr, _ = roc_of(g.by_outcome)
            below = fpr * (g.judged.size - positives) + tpr * positives
            kept = spaced(below, protocol.min_n)
            ends = {0, fpr.size - 1}.difference(kept[[0, -1]].tolist() if kept.size else [])  # they tell nothing
            kept = np.sort(np.append(kept, [*ends])).astype(np.int64)
            line = _curve("roc", attribute, g.label, fpr[kept], tpr[kept])
            if protocol.min_n == 1:  # the band is of all scores, which a smallest group keeps apart
                low, high = roc_band(g.judged, g.outcomes, line.x, protocol.conf_level)
                line = replace(line, low=tuple(low.tolist()), high=tuple(high.tolist()))
            curves.append(line)
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
