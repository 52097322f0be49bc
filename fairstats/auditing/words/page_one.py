"""The comparison that an audit begins with: its questions, the rows that answer them, and how it was picked."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from fairstats.auditing.rows.focus import ASKED, FEW, HEADLINES, ROLE
from fairstats.choices import adjusted_by
from fairstats.estimates import NAN, Estimate
from fairstats.labels import holds_missing
from fairstats.language import say
from fairstats.text import capital, level, listed

if TYPE_CHECKING:
    from fairstats.auditing.result import Audit


@dataclass(frozen=True)
class Line:
    """One question of page one: both rates, and their difference, worse group less better group."""

    metric: str
    own: Estimate
    other: Estimate
    gap: Estimate  # the row of the table of estimates that the difference is
    turned: bool  # whether that row is of the other group less this one

    @property
    def row(self) -> Estimate:
        """The difference, of the group that fares worse less the other one."""
        if not self.turned:
            return self.gap
        gap = replace(self.gap, group=self.gap.reference, reference=self.gap.group)
        return gap.with_interval(-self.gap.estimate, -self.gap.conf_high, -self.gap.conf_low)

    @property
    def known(self) -> bool:
        """Whether there is a difference to print."""
        return self.gap.status == "ok" and not math.isnan(self.gap.estimate)


@dataclass(frozen=True)
class PageOne:
    """The comparison of page one."""

    attribute: str
    group: str  # the one that fares worse
    reference: str
    lines: tuple[Line, ...]  # the first is the answer
    picked: str  # how these two were picked, and which family their verdicts are of
    detectable: float  # the smallest difference that would have been shown, NaN where nothing says so

    @property
    def head(self) -> Line:
        """The answer."""
        return self.lines[0]

    def other_way(self) -> PageOne:
        """The same two groups the other way around."""
        lines = tuple(Line(line.metric, line.other, line.own, line.gap, not line.turned) for line in self.lines)
        return replace(self, group=self.reference, reference=self.group, lines=lines)


def page_one(audit: Audit) -> PageOne | None:
    """Find the comparison of page one; None where no two groups can be compared.

    Parameters
    ----------
    audit : Audit
        The audit.

    Returns
    -------
    PageOne or None

    Examples
    --------
    >>> from fairstats.auditing.audit import audit
    >>> data = {"sex": ["f"] * 50 + ["m"] * 50, "hired": [1] * 10 + [0] * 40 + [1] * 30 + [0] * 20}
    >>> found = page_one(audit(data, decision="hired", groups="sex"))
    >>> found.group, found.reference, round(found.head.row.estimate, 2)
    ('f', 'm', -0.4)
    """
    pair = _pair(audit)
    if pair is None:
        return None
    attribute, one, two, role = pair
    gaps = {
        row.metric: row
        for row in audit.estimates.only(attribute=attribute, role=role, contrast="difference", term="", given="")
        if {row.group, row.reference} == {one, two} and row.metric in ASKED
    }
    rates = {
        (row.metric, row.group): row
        for row in audit.estimates.only(attribute=attribute, role="main", contrast="none", given="")
    }
    head = next((m for m in HEADLINES if m in gaps and (gaps[m].verdict or gaps[m].status != "ok")), "")
    if not head:
        return None
    group, reference = sorted((one, two), key=lambda label: _low(rates[head, label]))
    order = [head, *(m for m in _errors(audit) if m in gaps)]
    lines = tuple(
        Line(m, rates[m, group], rates[m, reference], gaps[m], gaps[m].group != group)
        for m in order
        if gaps[m].verdict or gaps[m].status != "ok"
    )
    picked = _picked(audit, attribute, gaps[head], role)
    return PageOne(attribute, group, reference, lines, picked, _detectable(audit, lines[0], role))


def _low(row: Estimate) -> float:
    return row.estimate if row.estimate == row.estimate else math.inf


def _pair(audit: Audit) -> tuple[str, str, str, str] | None:
    """Attribute, both groups, and the role of the rows that compare them."""
    rows = audit.estimates.only(role=ROLE, term="")
    if rows:
        return rows[0].attribute, rows[0].group, rows[0].reference, ROLE
    if audit.protocol.focus:
        attribute, one, two = audit.protocol.focus
        return attribute, one, two, "main"
    attribute = next(iter(audit.references))
    named = [c.group for c in audit.cells if c.attribute == attribute and not holds_missing(c.group)]
    return (attribute, named[0], named[1], "main") if len(named) == 2 else None


def _errors(audit: Audit) -> tuple[str, ...]:
    """The error that harms the person first: a wrong alarm, or a wrong refusal where the prediction is the favor."""
    helps = audit.protocol.predicts == audit.protocol.favorable
    return ("FNR", "FPR", "PPV") if helps else ("FPR", "FNR", "PPV")


def _detectable(audit: Audit, head: Line, role: str) -> float:
    gap = head.gap
    about = {"metric": gap.metric, "attribute": gap.attribute, "group": gap.group, "reference": gap.reference}
    known = {
        r.term: r.estimate for r in audit.estimates.only(**about, role=role if role == ROLE else "power") if r.term
    }
    sides = ("above", "below") if head.turned else ("below", "above")
    found = (abs(known[side]) for side in sides if known.get(side, NAN) == known.get(side, NAN) and side in known)
    return next(found, NAN)


def pairs(row: Estimate, conf_level: float) -> int:
    """How many pairs share the error of a row that was picked among them: Bonferroni's level says it."""
    return max(1, round((1 - conf_level) / (1 - row.conf_level))) if row.conf_level == row.conf_level else 1


def _picked(audit: Audit, attribute: str, gap: Estimate, role: str) -> str:
    """Say why these two groups stand on page one, and which family their verdicts are of."""
    p, name = audit.protocol, audit.protocol.words.attribute(attribute)
    single = [p.words.attribute(a) for a in audit.references if ":" not in a]
    said = []
    if p.focus:
        said.append(say("the protocol names this comparison"))
    elif len(single) > 1 and name == single[0]:
        said.append(say("{name} was named before {others}", name=name, others=listed(single[1:])))
    picked = bool(said) or role != "main"
    if role == "main":
        others = sum(c.attribute == attribute for c in audit.cells) - 1
        if others > 1:
            family = {"n": others, "reference": gap.reference, "adjusted": adjusted_by(p.adjust, p.reference)}
            said.append(say("the verdicts are those of the {n} comparisons with {reference}, {adjusted}", **family))
    elif p.focus:
        said.append(say("it is a family of its own, apart from the comparisons with the reference"))
    else:
        said.append(_among_pairs(gap, p.conf_level))
    if not said:
        return ""
    text = "; ".join(said)
    return say("Why these two: {text}.", text=text) if picked else f"{capital(text)}."


def _among_pairs(gap: Estimate, conf_level: float) -> str:
    """What the data picked them among: Bonferroni's level says how many pairs share its error."""
    known = gap.conf_level == gap.conf_level
    pairs = max(1, round((1 - conf_level) / (1 - gap.conf_level))) if known else 1
    groups = round((1 + math.sqrt(1 + 8 * pairs)) / 2)
    if groups == 2:
        return say("no other group has {few} people", few=FEW)
    return say(
        "of its {groups} groups of at least {few} people they have the lowest and the highest share; since the data "
        "picked them, intervals and verdicts hold for all {pairs} pairs at once with {together} confidence, each with "
        "{level} (Bonferroni)",
        groups=groups,
        few=FEW,
        pairs=pairs,
        together=level(conf_level),
        level=level(gap.conf_level),
    )
