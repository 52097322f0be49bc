"""The adverse-impact pack of selections: ratio, practical × statistical conclusion, shortfall, one selection more."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from fairstats.auditing.effective_counts import Evidence
from fairstats.auditing.result import Protocol
from fairstats.estimates import Estimate, Estimates
from fairstats.inference.rates.adverse_impact import CONCLUSIONS, AdverseImpact, adverse_impact

RATES = ("selection rate", "scoring rate")
WEIGHTED = "counts of people are needed; weights or clusters have none"


def impact_rows(
    part: Evidence, contrasts: Estimates, attribute: str, labels: tuple[str, ...], reference: str, protocol: Protocol
) -> Estimates:
    """What the practical and the statistical rule say of each group's selections, and how much hangs on one person.

    Parameters
    ----------
    part : Evidence
        The selection rate.
    contrasts : Estimates
        Its comparisons with the reference, as audited.
    attribute, labels, reference : str, tuple of str, str
        The attribute, its groups and the reference.
    protocol : Protocol
        Level and smallest group.

    Returns
    -------
    Estimates
        A group: the impact ratio (the reason is the conclusion of the matrix), the shortfall in people to the
        reference's rate and to four fifths of it, and the ratio with one selection more or moved.

    References
    ----------
    29 CFR 1607.4(D); Morris & Dunleavy (2017), Adverse Impact Analysis.

    Examples
    --------
    >>> n = np.array([80.0, 40.0])
    >>> part = Evidence("selection rate", np.array([48.0, 12.0]), n, n, n, True, "")
    >>> ratio = Estimate("selection rate", "sex", "women", "ratio", "men", estimate=0.5, p_adjusted=0.004)
    >>> rows = impact_rows(part, Estimates([ratio]), "sex", ("men", "women"), "men", Protocol(("sex",)))
    >>> rows.column("metric"), rows[1].estimate
    (['impact ratio', 'shortfall', 'shortfall', 'impact ratio', 'impact ratio'], 12.0)
    """
    if not part.exact:
        return Estimates()
    shown = np.flatnonzero(part.estimable(protocol.min_n))
    names = [labels[i] for i in shown]
    rows: list[Estimate] = []
    facts = (
        adverse_impact(part.events[shown], part.n[shown], names, reference=reference, attribute=attribute)
        if reference in names
        else ()
    )
    known = {fact.group: fact for fact in facts}
    for row in contrasts.where(contrast="ratio"):
        about = replace(row, metric="impact ratio", verdict="")
        rows += _group(about, known[row.group], protocol) if row.group in known else [about]
    return Estimates(rows)


def _group(about: Estimate, fact: AdverseImpact, protocol: Protocol) -> list[Estimate]:
    if about.status != "ok":
        return [about]
    significant = about.p_adjusted <= 1 - protocol.conf_level
    conclusion = CONCLUSIONS[fact.below_four_fifths, significant]
    if fact.hangs_on_one:
        conclusion += "; one selection more, or moved, would lift the ratio to four fifths"
    blank = Estimate("shortfall", about.attribute, about.group, "difference", about.reference, n=fact.n)
    blank = replace(blank, events=fact.selected, method="selections missing to the reference's rate")
    changed = replace(blank, metric="impact ratio", contrast="ratio", method="recounted")
    impossible = "no such selection is possible"
    return [
        replace(about, reason=conclusion),
        replace(blank, estimate=fact.shortfall),
        replace(blank, estimate=fact.shortfall_four_fifths, term="to four fifths", method=f"{blank.method} × 0.8"),
        _or_not(replace(changed, estimate=fact.ratio_one_more, term="one selection more"), impossible),
        _or_not(replace(changed, estimate=fact.ratio_one_moved, term="one selection moved"), impossible),
    ]


def _or_not(row: Estimate, reason: str) -> Estimate:
    return replace(row, status="unestimable", reason=reason) if row.estimate != row.estimate else row
