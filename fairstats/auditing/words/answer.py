"""The question of page one, its answer in one sentence, and the sentences that stand beside it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from fairstats.auditing.rows.focus import FEW
from fairstats.auditing.words.page_one import Line, PageOne
from fairstats.auditing.words.phrases import among, event, people, spoken, where
from fairstats.estimates import Estimate
from fairstats.text import capital, count, level, number, percent

if TYPE_CHECKING:
    from fairstats.auditing.result import Audit

POINTS = "percentage points"


def question(audit: Audit, page: PageOne) -> str:
    """What is asked: whether the decision is equally frequent in the groups, and whether its errors are.

    Examples
    --------
    >>> from fairstats.auditing.audit import audit
    >>> from fairstats.auditing.words.page_one import page_one
    >>> made = audit({"sex": ["f", "m"] * 20, "hired": [1, 1, 0, 1] * 10}, "hired", "sex")
    >>> question(made, page_one(made))
    'Is hired = 1 equally frequent in every group of sex?'
    """
    protocol, metric = audit.protocol, page.head.metric
    said, _ = event(protocol, metric)
    errors = ", and are its errors" if len(page.lines) > 1 else ""
    name = protocol.words.attribute(page.attribute)
    if not spoken(protocol, metric):
        return f"Is {said} equally frequent in every group of {name}{errors}?"
    unit = protocol.words.unit
    if said.startswith(("were ", "had ")):
        verb, _, rest = said.partition(" ")
        wrongly = ", and equally often wrongly" if errors else ""
        return f"{capital(verb)} {unit} {rest} equally often, whatever their {name}{wrongly}?"
    return f"Is it equally frequent in every group of {name} that {unit} {said}{errors}?"


def share(row: Estimate) -> str:
    """A rate with the counts that it is made of."""
    return f"{percent(row.estimate)} % ({count(row.events)} of {count(row.n)})"


def gap_text(row: Estimate) -> str:
    """A difference in points with its interval, in the direction that makes it positive.

    Examples
    --------
    >>> gap_text(Estimate("selection rate", estimate=-0.117, conf_low=-0.143, conf_high=-0.091, conf_level=0.95))
    '11.7 percentage points less (95 % confidence interval 9.1 to 14.3)'
    >>> gap_text(Estimate("selection rate", estimate=-0.017, conf_low=-0.043, conf_high=0.011, conf_level=0.95))
    '1.7 percentage points less (95 % confidence interval 4.3 less to 1.1 more)'
    """
    side = "less" if row.estimate < 0 else "more"
    ends = sorted((row.conf_low, row.conf_high), key=abs)
    if row.conf_low < 0 < row.conf_high:
        interval = f"{percent(-row.conf_low)} less to {percent(row.conf_high)} more"
    else:
        interval = f"{percent(abs(ends[0]))} to {percent(abs(ends[1]))}"
    return f"{percent(abs(row.estimate))} {POINTS} {side} ({level(row.conf_level)} confidence interval {interval})"


def answer(audit: Audit, page: PageOne | None) -> str:
    """The answer in one sentence: the group that fares worse, both shares with their counts, difference, interval.

    Parameters
    ----------
    audit : Audit
        The audit.
    page : PageOne or None
        Its comparison.

    Returns
    -------
    str

    Examples
    --------
    >>> from fairstats.auditing.audit import audit
    >>> from fairstats.auditing.words.page_one import page_one
    >>> data = {"sex": ["f"] * 50 + ["m"] * 50, "hired": [1] * 10 + [0] * 40 + [1] * 30 + [0] * 20}
    >>> made = audit(data, "hired", "sex")
    >>> print(answer(made, page_one(made)))
    hired = 1 for 20.0 % (10 of 50) where sex = f, for 60.0 % (30 of 50) where sex = m: 40.0 percentage points less
    (95 % confidence interval 21.0 to 55.2).
    """
    if page is None:
        return nothing(audit)
    line, protocol = page.head, audit.protocol
    if not line.known:
        return f"{people_of(audit, page)} cannot be compared: {line.gap.reason or 'there is no rate'}."
    shares = share(line.own), share(line.other)
    if not spoken(protocol, line.metric):
        return f"{_equated(audit, page, line, shares)}: {gap_text(line.row)}."
    said, _ = event(protocol, line.metric)
    condition, _ = among(protocol, line.metric)
    given = f" who {condition}" if condition else ""
    own, other = (people(protocol, page.attribute, label) for label in (page.group, page.reference))
    numbers = f"{shares[0]} against {shares[1]}, {gap_text(line.row)}"
    if line.gap.verdict == "disparity shown":
        often = "more often" if line.row.estimate > 0 else "less often"
        return f"{capital(own)}{given} {said} {often} than {other}: {numbers}."
    if line.gap.verdict == "equivalence shown":
        return f"{capital(own)} and {other}{given} {said} about equally often, within the declared margin: {numbers}."
    return f"No difference is shown in how often {own} and {other}{given} {said}: {numbers}."


def _equated(audit: Audit, page: PageOne, line: Line, shares: tuple[str, str]) -> str:
    """Both shares by column and label."""
    protocol = audit.protocol
    said, _ = event(protocol, line.metric)
    own, other = (where(protocol, page.attribute, label) for label in (page.group, page.reference))
    return f"{said} for {shares[0]} where {own}, for {shares[1]} where {other}"


def people_of(audit: Audit, page: PageOne) -> str:
    """Both groups by column and label."""
    return " and ".join(where(audit.protocol, page.attribute, label) for label in (page.group, page.reference))


def nothing(audit: Audit) -> str:
    """Why no comparison is put first."""
    attribute = next(iter(audit.references))
    name = audit.protocol.words.attribute(attribute)
    if sum(c.attribute == attribute for c in audit.cells) < 2:
        return f"{name} has a single group: there is nothing to compare."
    if not any(r.verdict for r in audit.estimates):
        return "No group could be compared with its reference; the table of estimates states why."
    return f"No two groups of {name} have {FEW} people or more: no comparison of it is put first."


def verdict(page: PageOne | None, *, spoken_before: bool = False) -> str:
    """The verdict in words; of a difference that is not shown, what would have been."""
    if page is None or not page.head.known:
        return ""
    line = page.head
    if line.gap.verdict == "disparity shown":
        return "Disparity shown."
    if line.gap.verdict == "equivalence shown":
        return "Equivalence shown, within the declared margin."
    said = "That is no evidence of equality"
    said = said if spoken_before else f"No difference is shown. {said}"
    if math.isnan(page.detectable):
        return f"{said}."
    return (
        f"{said}: with these numbers of people a true difference of {percent(page.detectable)} {POINTS} would have "
        "been shown with a chance of 80 %."
    )


def context(audit: Audit, page: PageOne) -> list[str]:
    """What stands beside the answer, at most three sentences: the errors, what is not settled, who scores higher."""
    said = [_beside(audit, page, line) for line in page.lines[1:] if line.known]
    higher = audit.estimates.only(metric="P(X>Y)", attribute=page.attribute, role="main", status="ok", given="")
    for row in higher:
        if {row.group, row.reference} == {page.group, page.reference} and not said:
            said.append(random_pair(audit, page, row.estimate if row.group == page.group else 1 - row.estimate))
    return said[:3]


def _beside(audit: Audit, page: PageOne, line: Line) -> str:
    """Another rate of both groups, of 100 people each, with what is not settled."""
    protocol = audit.protocol
    said, _ = event(protocol, line.metric)
    condition, _ = among(protocol, line.metric)
    own, other = (number(100 * row.estimate, 0) for row in (line.own, line.other))
    end = {
        "disparity shown": "",
        "equivalence shown": ": the same, within the declared margin",
        "inconclusive": ": the data do not settle whether that differs",
    }[line.gap.verdict or "inconclusive"]
    if spoken(protocol, line.metric):
        names = [protocol.words.group(page.attribute, label) for label in (page.group, page.reference)]
        one, two = (people(protocol, page.attribute, label) for label in (page.group, page.reference))
        one = names[0] if all(names) else one
        return f"Of those who {condition}, {own} of 100 {one} and {other} of 100 {two} {said}{end}."
    return f"Where {condition}: {said} for {own} of 100 ({page.group}) and {other} of 100 ({page.reference}){end}."


def random_pair(audit: Audit, page: PageOne, chance: float) -> str:
    """P(X>Y) as what happens in a hundred random pairs."""
    own = audit.protocol.words
    score = own.score or audit.protocol.score
    names = [own.group(page.attribute, label) for label in (page.group, page.reference)]
    one, two = names if all(names) else [where(audit.protocol, page.attribute, g) for g in (page.group, page.reference)]
    of = f"one person with {one} and one with {two}" if not all(names) else f"one {one} and one {two} person"
    return (
        f"In {number(100 * chance, 0)} of 100 random pairs of {of} the first has the higher value of {score} "
        "(ties count half; 50 is no difference)."
    )
