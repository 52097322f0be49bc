"""The adverse-impact pack of selections: ratio, practical × statistical conclusion, shortfall, one selection more."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from fairstats.auditing.effective_counts import Evidence
from fairstats.auditing.protocol import Protocol
from fairstats.auditing.references import highest_rate
from fairstats.auditing.rows.rates import contrasts
from fairstats.choices import HIGHEST_RATE
from fairstats.estimates import Estimate, Estimates
from fairstats.inference.decisions import After, Rows
from fairstats.inference.multiplicity import rejected
from fairstats.inference.rates.adverse_impact import CONCLUSIONS, AdverseImpact, adverse_impact
from fairstats.inference.rates.four_fifths import side

# rate -> its ratio to the highest one, and the people missing to that
METRICS = {
    "selection rate": ("impact ratio", "shortfall"),
    "scoring rate": ("scoring impact ratio", "scoring shortfall"),
}
SMALL_SHARE = 0.02
SMALL = "under 2 % of the people: the rule does not count this group"
MORE, MOVED, TO_FOUR_FIFTHS = "one selection more", "one selection moved", "four fifths of the highest rate"


def impact_rows(
    part: Evidence, attribute: str, labels: tuple[str, ...], protocol: Protocol, absent: float = 0.0
) -> Rows:
    """What the practical and the statistical rule say of each group's selections, and how much hangs on one person.

    The rule of four fifths compares with the group that has the highest rate, whatever reference the audit declares
    for its differences. That group is picked by the data, so ratios have simultaneous intervals (Bonferroni over all
    pairs of groups).

    Parameters
    ----------
    part : Evidence
        The selection rate, or the scoring rate.
    attribute, labels : str, tuple of str
        The attribute and its groups.
    protocol : Protocol
        Level and smallest group.
    absent : float
        People of withheld groups, who are among those that a share of 2 % is of.

    Returns
    -------
    Estimates or After
        A group: the impact ratio (the reason is the conclusion of the matrix), the shortfall in people to the
        highest rate and to four fifths of it, and the ratio with one selection more or moved. None for weighted
        people.

    References
    ----------
    29 CFR 1607.4(D); 29 CFR 1607.15(A)(2)(a) (groups under 2 %); Morris & Dunleavy (2017), Adverse Impact Analysis.

    Examples
    --------
    >>> from fairstats.inference.decisions import decide_all
    >>> n = np.array([80.0, 40.0])
    >>> part = Evidence("selection rate", np.array([48.0, 12.0]), n, n, n, True, "")
    >>> rows = decide_all([[impact_rows(part, "sex", ("men", "women"), Protocol(("sex",)))]])[0]
    >>> rows.column("metric"), rows[1].estimate
    (['impact ratio', 'shortfall', 'shortfall', 'impact ratio', 'impact ratio'], 12.0)
    """
    base = highest_rate(part, labels, protocol.min_n, SMALL_SHARE, absent)
    if not part.exact or base < 0:
        return Estimates()
    shown = np.flatnonzero(part.estimable(protocol.min_n))
    facts = adverse_impact(
        part.events[shown], part.n[shown], [labels[i] for i in shown], reference=labels[base], attribute=attribute
    )
    known = {fact.group: fact for fact in facts}
    everybody = float(part.people.sum()) + absent
    small = {label for label, people in zip(labels, part.people, strict=True) if people < SMALL_SHARE * everybody}
    rule = replace(protocol, reference=HIGHEST_RATE)

    def rows(compared: Estimates) -> Estimates:
        packs = []
        for row in compared.where(contrast="ratio"):
            about = replace(row, metric=METRICS[part.metric][0])
            fact = known.get(row.group)
            packs += [about] if fact is None else _group(about, fact, part.metric, protocol, row.group in small)
        return Estimates(packs)

    return After(contrasts(part, attribute, labels, labels[base], rule, False, True), rows)


def _group(about: Estimate, fact: AdverseImpact, rate: str, protocol: Protocol, small: bool) -> list[Estimate]:
    if about.status != "ok":
        return [about]
    conclusion = CONCLUSIONS[side(about.estimate), rejected(about.p_adjusted, protocol.conf_level)]
    if fact.hangs_on_one:
        conclusion += "; one selection more, or moved, would lift the ratio to four fifths"
    if small:
        conclusion += f"; {SMALL}"
    ratio, missing = METRICS[rate]
    blank = Estimate(missing, about.attribute, about.group, "difference", about.reference, n=fact.n)
    blank = replace(blank, events=fact.selected, method="selections missing to the highest rate")
    changed = replace(blank, metric=ratio, contrast="ratio", method="recounted")
    impossible = "no such selection is possible"
    return [
        replace(about, reason=conclusion),
        replace(blank, estimate=fact.shortfall),
        replace(
            blank,
            estimate=fact.shortfall_four_fifths,
            role="beside",
            given=TO_FOUR_FIFTHS,
            method=f"{blank.method} × 0.8",
        ),
        _or_not(replace(changed, estimate=fact.ratio_one_more, role="sensitivity", given=MORE), impossible),
        _or_not(replace(changed, estimate=fact.ratio_one_moved, role="sensitivity", given=MOVED), impossible),
    ]


def _or_not(row: Estimate, reason: str) -> Estimate:
    return replace(row, status="unestimable", reason=reason) if row.estimate != row.estimate else row
