"""Calibration by group, where the scores are probabilities: Brier score, intercept, slope, differences, curves."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from fairstats.auditing.protocol import Protocol
from fairstats.auditing.rows.score_curves import MOST_CURVES
from fairstats.auditing.rows.score_samples import Sample, refused
from fairstats.estimates import Estimate, Estimates
from fairstats.glossary import Status
from fairstats.inference.decisions import Comparison, Rows, Undecided
from fairstats.inference.scores.brier_score import EQUAL
from fairstats.inference.scores.calibration import calibration_differences, calibration_estimates
from fairstats.inference.scores.calibration_curve import bin_edges, calibration_curve
from fairstats.inference.scores.calibration_error import calibration_checks
from fairstats.inference.skewness_t import LossSample
from fairstats.studies.curve import Curve

Floats = NDArray[np.float64]

METRICS = ("Brier score", "calibration intercept", "calibration slope")


def probabilities(groups: tuple[Sample, ...]) -> bool:
    """Whether all scores lie in [0, 1] and some strictly inside: then they are read as probabilities.

    Examples
    --------
    >>> probabilities((Sample("a", np.array([0.2, 1.0]), np.array([]), np.array([])),))
    True
    """
    low = min((float(g.scores.min()) for g in groups if g.scores.size), default=-1.0)
    high = max((float(g.scores.max()) for g in groups if g.scores.size), default=-1.0)
    return low >= 0 and high <= 1 and any(((g.scores > 0) & (g.scores < 1)).any() for g in groups)


def calibration_rows(attribute: str, groups: tuple[Sample, ...], reference: str, protocol: Protocol) -> list[Rows]:
    """Calibration of every group, and its differences from the reference; a family is one metric of one attribute.

    Parameters
    ----------
    attribute : str
        Its name.
    groups : tuple of Sample
        Its groups, with scores that are probabilities.
    reference : str
        The group that the others are compared with.
    protocol : Protocol
        Level, adjustment, smallest group.

    Returns
    -------
    list of Estimates or Undecided

    Examples
    --------
    >>> from fairstats.inference.decisions import decide_all
    >>> y = np.array([0, 1, 0, 1, 1])
    >>> p = np.array([0.1, 0.3, 0.5, 0.7, 0.4])
    >>> rows = calibration_rows("g", (Sample("a", p, p, y), Sample("b", p, p, y)), "a", Protocol(("g",)))
    >>> decide_all([rows])[0].where(contrast="difference").column("estimate")
    [0.0, 0.0, 0.0]
    """
    by_group = {g.label: _levels(attribute, g, protocol) for g in groups}
    rows: list[Rows] = [by_group[g.label] for g in groups]
    others = [g.label for g in groups if g.label != reference]
    moments = {g.label: LossSample.of((g.judged - g.outcomes) ** 2, noise=EQUAL) for g in groups}
    for place in range(len(METRICS)):
        base, comparisons = by_group[reference][place], []
        for g in others:
            losses = (moments[g], moments[reference])
            build = partial(_gap, by_group[g][place], base, reference, losses)
            gap = build(protocol.conf_level)
            comparisons.append(Comparison(gap.p_value, partial(_alone, build)))
        rows.append(Undecided(comparisons, protocol.multiplicity, replace(base, contrast="difference")))
    known = [g for g in groups if by_group[g.label][0].status == "ok"]
    if known:
        edges = bin_edges(np.concatenate([g.judged for g in groups]))
        rows += [calibration_checks(g.judged, g.outcomes, edges, attribute=attribute, group=g.label) for g in known]
    return rows


def _levels(attribute: str, group: Sample, protocol: Protocol) -> Estimates:
    status: Status = "ok"
    reason = ""
    if refused(protocol):
        status, reason = "unestimable", "calibration is not estimated from weighted or clustered people"
    elif 0 < group.judged.size < protocol.min_n:
        status, reason = "suppressed", f"fewer than {protocol.min_n} people"
    if status != "ok":
        n = float(group.judged.size)
        return Estimates(Estimate(m, attribute, group.label, n=n, status=status, reason=reason) for m in METRICS)
    return calibration_estimates(
        group.judged, group.outcomes, attribute=attribute, group=group.label, conf_level=protocol.conf_level
    )


def _alone(build: Callable[[float], Estimate], level: float) -> list[Estimate]:
    return [build(level)]


def _gap(
    own: Estimate, base: Estimate, reference: str, losses: tuple[LossSample, LossSample], level: float
) -> Estimate:
    for row in (own, base):
        if row.status != "ok":
            place = "the group" if row is own else "the reference"
            blank = Estimate(own.metric, own.attribute, own.group, "difference", reference, n=own.n)
            return replace(blank, status=row.status, reason=f"{row.reason} ({place})")
    return calibration_differences(Estimates([own]), Estimates([base]), losses, reference=reference, conf_level=level)[
        0
    ]


def calibration_curves(attribute: str, groups: tuple[Sample, ...], protocol: Protocol) -> tuple[Curve, ...]:
    """Observed rate against mean prediction with a simultaneous band, in bins at the deciles of everybody's scores.

    Parameters
    ----------
    attribute : str
        Its name.
    groups : tuple of Sample
        Its groups.
    protocol : Protocol
        Level and smallest group; bins under it are left out, and others while those left out have fewer people.

    Returns
    -------
    tuple of Curve

    Examples
    --------
    >>> p, y = np.array([0.1, 0.3, 0.5, 0.7, 0.4]), np.array([0, 1, 0, 1, 1])
    >>> calibration_curves("g", (Sample("a", p, p, y),), Protocol(("g",)))[0].kind
    'calibration'
    """
    everybody = np.concatenate([g.judged for g in groups])
    if refused(protocol) or not everybody.size:
        return ()
    edges = bin_edges(everybody)
    curves = []
    for g in groups[:MOST_CURVES]:
        if g.judged.size < max(protocol.min_n, 1):
            continue
        c = calibration_curve(g.judged, g.outcomes, edges, protocol.conf_level)
        kept = _shown(c.n, protocol.min_n)
        columns = (tuple(v[kept].tolist()) for v in (c.predicted, c.observed, c.low, c.high))
        curves.append(Curve("calibration", attribute, g.label, *columns))
    return tuple(curves)


def _shown(n: Floats, least: int) -> NDArray[np.bool_]:
    """The bins to show: of those left out there are two or none, of `least` people or more, as their sum is known."""
    kept = n >= least
    while least > 1 and kept.any() and not kept.all() and ((~kept).sum() < 2 or n[~kept].sum() < least):
        kept[np.argmin(np.where(kept, n, np.inf))] = False
    return kept
