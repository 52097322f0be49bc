"""Rates by group and their comparison with the reference, as tidy rows with adjusted intervals and verdicts."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from fairstats.auditing.effective_counts import Evidence
from fairstats.auditing.protocol import Protocol
from fairstats.auditing.two_groups import Against, Pair
from fairstats.estimates import NAN, Estimate, Estimates
from fairstats.inference.decisions import Comparison, Undecided
from fairstats.inference.rates.design_families import DesignFamily
from fairstats.inference.rates.noninferiority import equivalence_of_range
from fairstats.inference.rates.one_rate import proportion

DESCRIPTIVE = "describes the outcome, not the decisions: no verdict"
EFFECTIVE = "Wilson score interval on the effective size, t"


def rate_rows(part: Evidence, attribute: str, labels: tuple[str, ...], protocol: Protocol) -> Estimates:
    """One rate of every group with its own denominator and Wilson's interval.

    Parameters
    ----------
    part : Evidence
        The rate.
    attribute, labels : str, tuple of str
        The attribute and its groups.
    protocol : Protocol
        Confidence level and smallest group.

    Returns
    -------
    Estimates
        One row a group, whatever its status.

    Examples
    --------
    >>> ten = np.full(2, 10.0)
    >>> part = Evidence("selection rate", ten / 2, ten, ten, ten, True, "")
    >>> rate_rows(part, "sex", ("m", "f"), Protocol(("sex",))).column("estimate")
    [0.5, 0.5]
    """
    rows = []
    for i, group in enumerate(labels):
        row = proportion(
            *part.effective(i),
            metric=part.metric,
            attribute=attribute,
            group=group,
            conf_level=protocol.conf_level,
        )
        row = replace(row, n=float(part.n[i]), events=float(part.events[i]))
        if part.design is not None and row.status == "ok":
            low, high = part.design.limits(i, protocol.conf_level)
            row = replace(row, conf_low=low, conf_high=high, df=part.design.df(i), method=EFFECTIVE)
            row = replace(row, std_error=float(part.design.std_error[i]))
        rows.append(_withheld(row, part, [i], protocol.min_n))
    return Estimates(rows)


def _withheld(row: Estimate, part: Evidence, places: list[int], min_n: int) -> Estimate:
    """The row with its numbers taken out where a group in it is too small, or its reason where it is empty."""
    people = min(part.people[i] for i in places)
    blank = Estimate(row.metric, row.attribute, row.group, row.contrast, row.reference, n=row.n)
    if 0 < people < min_n:
        return replace(blank, status="suppressed", reason=f"fewer than {min_n} people")
    if people == 0:
        side = "" if len(places) == 1 else (" in the group" if part.people[places[0]] == 0 else " in the reference")
        return replace(row, events=NAN, status="unestimable", reason=part.empty + side)
    if not part.estimable(min_n)[places].all():
        assert part.design is not None
        return replace(blank, events=row.events, status="unestimable", reason=part.design.lacking(places))
    return row


def contrasts(
    part: Evidence,
    attribute: str,
    labels: tuple[str, ...],
    reference: str,
    protocol: Protocol,
    verdicts: bool = True,
    alone: bool = False,
) -> Undecided:
    """Differences from and ratios to the reference group; the family is the comparisons of one rate.

    Parameters
    ----------
    part : Evidence
        The rate.
    attribute, labels, reference : str, tuple of str, str
        The attribute, its groups and the one they are compared with.
    protocol : Protocol
        Confidence level, adjustment, margin, smallest group.
    verdicts : bool
        False for a rate that describes the outcome and not the audited decisions.
    alone : bool
        Whether these comparisons are a family by themselves, apart from those of other attributes.

    Returns
    -------
    Undecided
        For every other group a difference (with the verdict) and a ratio: the same hypothesis, hence the same p.

    Examples
    --------
    >>> from fairstats.inference.decisions import decided
    >>> ten = np.full(2, 10.0)
    >>> part = Evidence("selection rate", ten / 2, ten, ten, ten, True, "")
    >>> rows = decided(contrasts(part, "sex", ("m", "f"), "m", Protocol(("sex",))))
    >>> rows.column("contrast"), rows[0].verdict
    (['difference', 'ratio'], 'inconclusive')
    """
    base = labels.index(reference)
    known = part.estimable(protocol.min_n)
    pairs = Against(part, base).pairs()
    comparisons = [
        Comparison(
            pair.p_value() if known[pair.group] and known[base] else NAN,
            partial(pair_rows, pair, attribute, labels, protocol),
            pair_equivalence(pair, protocol) if known[pair.group] and known[base] and verdicts else (),
            without=None if verdicts else DESCRIPTIVE,
        )
        for pair in pairs
    ]
    return Undecided(comparisons, protocol.multiplicity, Estimate(part.metric, attribute), alone)


def pair_rows(
    pair: Pair, attribute: str, labels: tuple[str, ...], protocol: Protocol, level: float
) -> tuple[Estimate, Estimate]:
    """The difference and the ratio of two groups: one hypothesis, hence one p."""
    part, i, base = pair.part, pair.group, pair.base
    about: dict[str, Any] = {"attribute": attribute, "group": labels[i], "reference": labels[base]}
    about |= {"n": float(part.n[i]), "events": float(part.events[i])}
    gap, quotient = (
        _withheld(replace(build(level), **about), part, [i, base], protocol.min_n)
        for build in (pair.difference, pair.ratio)
    )
    p = pair.p_value() if "ok" in (gap.status, quotient.status) else NAN
    return _tested(gap, p), _tested(quotient, p)


def _tested(row: Estimate, p: float) -> Estimate:
    return replace(row, p_value=p) if row.status == "ok" else row


def pair_equivalence(pair: Pair, protocol: Protocol) -> tuple[float | None, float | None]:
    """Of the difference and of the ratio, where a margin was declared: the p-value of practical equality."""
    margins = protocol.equivalence
    return (
        None if margins.difference is None else pair.p_equivalence(margins.difference),
        None if margins.ratio is None else pair.p_equivalence_of_ratio(margins.ratio),
    )


def range_equivalence(part: Evidence, protocol: Protocol) -> float | None:
    """The p-value of the claim that no two groups differ by the declared margin; None where none was declared.

    Parameters
    ----------
    part : Evidence
        The rate.
    protocol : Protocol
        Margin and smallest group.

    Returns
    -------
    float or None
        NaN with fewer than two groups.

    Examples
    --------
    >>> n = np.array([5000.0, 5000.0])
    >>> part = Evidence("FPR", np.array([1000.0, 1010.0]), n, n, n, True, "")
    >>> range_equivalence(part, Protocol(("g",))) is None
    True
    """
    margin = protocol.equivalence.difference
    if margin is None:
        return None
    shown = np.flatnonzero(part.estimable(protocol.min_n))
    if part.design is not None:
        return DesignFamily(part.design, tuple(shown.tolist())).p_equivalence(margin)
    counts = [part.effective(int(i)) for i in shown]
    return equivalence_of_range([e for e, _ in counts], [n for _, n in counts], margin)
