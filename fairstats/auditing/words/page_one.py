"""The comparison that page one of a report draws: the two groups of the first answer, with its rate and its errors."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from fairstats.auditing.rows.focus import ASKED, ROLE
from fairstats.auditing.words.answer import Answer, answers, declared
from fairstats.auditing.words.lead import turned
from fairstats.estimates import Estimate, Estimates
from fairstats.glossary import SHOWN

if TYPE_CHECKING:
    from fairstats.auditing.result import Audit

RESERVED = 0.2  # of the level, for findings beside answers that show no difference
EVERY = (*ASKED, "P(X>Y)")  # the rates whose comparisons may be findings of page one


@dataclass(frozen=True)
class Line:
    """One question of page one: both rates, and their difference, group less reference."""

    metric: str
    own: Estimate
    other: Estimate
    gap: Estimate  # the row of the table of estimates that the difference is
    turned: bool  # whether that row is of the reference less the group
    shown: bool = False  # whether a difference is shown with every comparison allowed for that page one picks from

    @property
    def row(self) -> Estimate:
        """The difference, of the group less the reference."""
        return turned(self.gap) if self.turned else self.gap

    @property
    def known(self) -> bool:
        """Whether there is a difference to print."""
        return self.gap.status == "ok" and not math.isnan(self.gap.estimate)

    @property
    def verdict(self) -> str:
        """The verdict of page one: a difference that only its own family shows is not settled here."""
        by_itself = self.gap.verdict in SHOWN and not self.shown
        return "inconclusive" if by_itself else self.gap.verdict


@dataclass(frozen=True)
class PageOne:
    """The comparison of page one."""

    attribute: str
    group: str
    reference: str
    lines: tuple[Line, ...]  # the first is that of the answer
    level: float  # up to which an adjusted p-value of another rate than the answer's is a finding of page one

    @property
    def head(self) -> Line:
        """The answer."""
        return self.lines[0]


def page_one(audit: Audit, found: tuple[Answer, ...] | None = None) -> PageOne | None:
    """Find the comparison of page one; None where no two groups can be compared.

    Parameters
    ----------
    audit : Audit
        The audit.
    found : tuple of Answer, optional
        Its answers.

    Returns
    -------
    PageOne or None

    Examples
    --------
    >>> from fairstats.auditing.audit import audit
    >>> data = {"sex": ["f"] * 50 + ["m"] * 50, "hired": [1] * 10 + [0] * 40 + [1] * 30 + [0] * 20}
    >>> found = page_one(audit(data, decision="hired", groups="sex", reference="m"))
    >>> found.group, found.reference, round(found.head.row.estimate, 2)
    ('f', 'm', -0.4)
    """
    found = found or answers(audit)
    lead = next((one for one in found if one.group), None)
    if lead is None:
        return None
    both = {lead.group, lead.reference}
    gaps: dict[str, Estimate] = {}
    for role in (ROLE, "main"):
        rows = audit.estimates.only(attribute=lead.attribute, role=role, contrast="difference", term="", given="")
        for row in rows:
            if {row.group, row.reference} == both and row.metric in ASKED and (row.verdict or row.status != "ok"):
                gaps.setdefault(row.metric, row)
    rates = {
        (row.metric, row.group): row
        for row in audit.estimates.only(attribute=lead.attribute, role="main", contrast="none", given="")
    }
    head = lead.metric if lead.metric in gaps else next((m for m in ASKED[:3] if m in gaps), "")
    if not head:
        return None
    level = level_of(audit, found)

    def line(metric: str) -> Line:
        gap = gaps[metric]
        own, other = (rates[metric, label] for label in (lead.group, lead.reference))
        return Line(metric, own, other, gap, gap.group != lead.group, metric == head or shown(gap, level))

    order = [head, *(m for m in _errors(audit) if m in gaps)]
    return PageOne(lead.attribute, lead.group, lead.reference, tuple(map(line, order)), level)


def rates_of(audit: Audit) -> tuple[str, ...]:
    """The rates (and P(X>Y)) that findings of page one are picked from: those that have verdicts."""
    names = declared(audit)
    rows = [row for row in audit.estimates.only(role="main", given="") if row.attribute in names and row.verdict]
    return tuple(metric for metric in EVERY if any(row.metric == metric for row in rows))


def level_of(audit: Audit, found: tuple[Answer, ...]) -> float:
    """The level of findings beside the answers, which a page picks from several rates: Bonferroni over these.

    Where no answer shows a difference, they have a fifth of the level: of pages about people among whom nothing
    differs, answers and all, at most six in a hundred then claim a difference. Where one does, all of it.
    """
    alpha = 1 - audit.protocol.conf_level
    share = 1.0 if any(one.differs for one in found) else RESERVED
    return share * alpha / max(len(rates_of(audit)) - 1, 1)


def shown(row: Estimate, level: float) -> bool:
    """Whether a difference in a rate that is not the answer's is shown, with all rates of page one allowed for."""
    return row.verdict in SHOWN and row.p_adjusted <= level


def further_findings(audit: Audit, page: PageOne, found: tuple[Answer, ...]) -> Estimates:
    """Differences of other rates that are shown with all of page one allowed for, of other groups than its table's."""
    said = []
    own = {page.group, page.reference}
    for one in found:
        for metric in _errors(audit):
            rows = audit.estimates.only(
                attribute=one.attribute, role="main", contrast="difference", metric=metric, term="", given=""
            )
            fit = [row for row in rows if shown(row, page.level)]
            fit = [row for row in fit if row.attribute != page.attribute or {row.group, row.reference} != own]
            said += fit
    return Estimates(said)


def _errors(audit: Audit) -> tuple[str, ...]:
    """The error that harms the person first: a wrong alarm, or a wrong refusal where the prediction is the favor."""
    helps = audit.protocol.predicts == audit.protocol.favorable
    return ("FNR", "FPR", "PPV") if helps else ("FPR", "FNR", "PPV")


def line_of(audit: Audit, row: Estimate) -> Line:
    """A finding of another comparison as a line of page one."""
    about = {"metric": row.metric, "attribute": row.attribute, "role": "main", "contrast": "none", "given": ""}
    rates = {rate.group: rate for rate in audit.estimates.only(**about)}
    return Line(row.metric, rates[row.group], rates[row.reference], replace(row), False, True)
