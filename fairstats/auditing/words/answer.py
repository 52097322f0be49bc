"""The question of page one, its answer in one sentence, and the sentences that stand beside it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from fairstats import metrics
from fairstats.auditing.rows.focus import FEW
from fairstats.auditing.words.page_one import Line, PageOne
from fairstats.auditing.words.phrases import (
    among,
    equation,
    event,
    has_noun,
    parts,
    people,
    short_name,
    single_spaced,
    spoken,
    where,
)
from fairstats.estimates import Estimate
from fairstats.language import again, mark, say
from fairstats.text import capital, count, level, listed, number, percent

if TYPE_CHECKING:
    from fairstats.auditing.result import Audit


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
    errors = len(page.lines) > 1
    values = {"name": protocol.words.attribute(page.attribute), "unit": protocol.words.unit, **parts(said)}
    if not spoken(protocol, metric):
        if errors:
            return say("Is {said} equally frequent in every group of {name}, and are its errors?", **values)
        return say("Is {said} equally frequent in every group of {name}?", **values)
    if said.startswith(("were ", "had been ")):
        values["verb"] = capital(values["verb"])
        if errors:
            return say(
                "{verb} {unit} {rest} equally often, whatever their {name}, and equally often wrongly?", **values
            )
        return say("{verb} {unit} {rest} equally often, whatever their {name}?", **values)
    if errors:
        return say("Is it equally frequent in every group of {name} that {unit} {said}, and are its errors?", **values)
    return say("Is it equally frequent in every group of {name} that {unit} {said}?", **values)


def share(row: Estimate) -> str:
    """A rate with the counts that it is made of."""
    return say("{share} % ({k} of {n})", share=percent(row.estimate), k=count(row.events), n=count(row.n))


def gap_text(row: Estimate) -> str:
    """A difference in points with its interval, in the direction that makes it positive.

    Examples
    --------
    >>> gap_text(Estimate("selection rate", estimate=-0.117, conf_low=-0.143, conf_high=-0.091, conf_level=0.95))
    '11.7 percentage points less (95 % confidence interval 9.1 to 14.3)'
    >>> gap_text(Estimate("selection rate", estimate=-0.017, conf_low=-0.043, conf_high=0.011, conf_level=0.95))
    '1.7 percentage points less (95 % confidence interval 4.3 less to 1.1 more)'
    """
    ends = sorted((row.conf_low, row.conf_high), key=abs)
    if row.conf_low < 0 < row.conf_high:
        low, high = percent(-row.conf_low), percent(row.conf_high)
        interval = say("{low} less to {high} more", low=low, high=high)
    else:
        interval = say("{low} to {high}", low=percent(abs(ends[0])), high=percent(abs(ends[1])))
    values = {"points": percent(abs(row.estimate)), "level": level(row.conf_level), "interval": interval}
    if row.estimate < 0:
        return say("{points} percentage points less ({level} confidence interval {interval})", **values)
    return say("{points} percentage points more ({level} confidence interval {interval})", **values)


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
    hired = 1 is less frequent where sex = f than where sex = m: 20.0 % (10 of 50) against 60.0 % (30 of 50), 40.0
    percentage points less (95 % confidence interval 21.0 to 55.2).
    """
    if page is None:
        return nothing(audit)
    line, protocol = page.head, audit.protocol
    if not line.known:
        why = again(line.gap.reason) or say("there is no rate")
        return say("{groups} cannot be compared: {reason}.", groups=people_of(audit, page), reason=why)
    shares = share(line.own), share(line.other)
    said, _ = event(protocol, line.metric)
    values = {"own_share": shares[0], "other_share": shares[1], "gap": gap_text(line.row), **parts(said)}
    values["numbers"] = say("{own_share} against {other_share}, {gap}", **values)
    if not spoken(protocol, line.metric):
        own, other = (where(protocol, page.attribute, label) for label in (page.group, page.reference))
        return say(EQUATED[_kind(line)], own=own, other=other, **values)
    condition, _ = among(protocol, line.metric)
    own, other = (people(protocol, page.attribute, label) for label in (page.group, page.reference))
    values |= {"own": own, "other": other, **parts(condition, "condition")}
    if line.gap.verdict in ("disparity shown", "equivalence shown"):
        values["own"] = capital(own)
    return single_spaced(say(_SPOKEN[_kind(line), bool(condition)], **values))


EQUATED = {
    "more": mark("{said} is more frequent where {own} than where {other}: {numbers}."),
    "less": mark("{said} is less frequent where {own} than where {other}: {numbers}."),
    "equal": mark(
        "{said} is about equally frequent where {own} and where {other}, within the declared margin: {numbers}."
    ),
    "unknown": mark("No difference is shown between {own} and {other} in {said}: {numbers}."),
}
_SPOKEN = {
    ("more", False): mark("{own} {said} more often than {other}: {numbers}."),
    ("more", True): mark("{own} who {condition} {said} more often than {other}: {numbers}."),
    ("less", False): mark("{own} {said} less often than {other}: {numbers}."),
    ("less", True): mark("{own} who {condition} {said} less often than {other}: {numbers}."),
    ("equal", False): mark("{own} and {other} {said} about equally often, within the declared margin: {numbers}."),
    ("equal", True): mark(
        "{own} and {other} who {condition} {said} about equally often, within the declared margin: {numbers}."
    ),
    ("unknown", False): mark("No difference is shown in how often {own} and {other} {said}: {numbers}."),
    ("unknown", True): mark("No difference is shown in how often {own} and {other} who {condition} {said}: {numbers}."),
}


def _kind(line: Line) -> str:
    """Which sentence answers: a difference in one direction, equality, or neither."""
    if line.gap.verdict == "disparity shown":
        return "more" if line.row.estimate > 0 else "less"
    return "equal" if line.gap.verdict == "equivalence shown" else "unknown"


def people_of(audit: Audit, page: PageOne) -> str:
    """Both groups by column and label."""
    return listed([where(audit.protocol, page.attribute, label) for label in (page.group, page.reference)])


def nothing(audit: Audit) -> str:
    """Why no comparison is put first."""
    attribute = next(iter(audit.references))
    name = audit.protocol.words.attribute(attribute)
    if sum(c.attribute == attribute for c in audit.cells) < 2:
        return say("{name} has a single group: there is nothing to compare.", name=name)
    if not any(r.verdict for r in audit.estimates):
        return say("No group could be compared with its reference; the table of estimates states why.")
    return say(
        "No two groups of {name} have {few} people or more: no comparison of it is put first.", name=name, few=FEW
    )


def verdict(page: PageOne | None) -> str:
    """The verdict in words; of a difference that the answer says is not shown, what would have been."""
    if page is None or not page.head.known:
        return ""
    line = page.head
    if line.gap.verdict == "disparity shown":
        return say("Disparity shown.")
    if line.gap.verdict == "equivalence shown":
        return say("Equivalence shown, within the declared margin.")
    if math.isnan(page.detectable):
        return say("That is no evidence of equality.")
    return say(
        "That is no evidence of equality: with these numbers of people a true difference of {points} percentage "
        "points would have been shown with a chance of 80 %.",
        points=percent(page.detectable),
    )


def beside_margin(audit: Audit, page: PageOne) -> str:
    """Where the interval of a disparity lies beside the declared margin; "" without a margin, or a disparity.

    Examples
    --------
    >>> from fairstats.auditing.audit import audit
    >>> from fairstats.auditing.words.page_one import page_one
    >>> data = {"sex": ["f"] * 50 + ["m"] * 50, "hired": [1] * 10 + [0] * 40 + [1] * 30 + [0] * 20}
    >>> made = audit(data, "hired", "sex", equivalence={"difference": 0.25})
    >>> beside_margin(made, page_one(made))
    'A difference is shown; that it is beyond the declared margin of ±25.0 points is not.'
    """
    margin, row = audit.protocol.equivalence.difference, page.head.row
    if margin is None or page.head.gap.verdict != "disparity shown":
        return ""
    points = percent(margin)
    if min(row.conf_high, margin) < max(row.conf_low, -margin):
        return say("The whole interval is beyond the declared margin of ±{points} points.", points=points)
    return say(
        "A difference is shown; that it is beyond the declared margin of ±{points} points is not.", points=points
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
    values = {"own": own, "other": other, **parts(said), **parts(condition, "condition")}
    if spoken(protocol, line.metric):
        one, two = (protocol.words.group(page.attribute, label) for label in (page.group, page.reference))
        if one and two:
            two = people(protocol, page.attribute, page.reference)
            rates = say(
                "Of those who {condition}, {own} of 100 {one} and {other} of 100 {two} {said}",
                one=one,
                two=two,
                **values,
            )
        else:  # the answer before has said which column these labels are of
            one, two = (short_name(protocol, page.attribute, label) for label in (page.group, page.reference))
            rates = say(
                "Of those who {condition}, {own} of 100 ({one}) and {other} of 100 ({two}) {said}",
                one=one,
                two=two,
                **values,
            )
    else:  # a verb phrase of the one beside an equation of the other would be no sentence
        known = metrics.METRICS[line.metric]
        rates = say(
            "Where {condition}: {said} for {own} of 100 ({one}) and {other} of 100 ({two})",
            one=page.group,
            two=page.reference,
            own=own,
            other=other,
            said=equation(protocol, known.event),
            condition=equation(protocol, known.given),
        )
    return single_spaced(say(_SETTLED[line.gap.verdict or "inconclusive"], rates=rates))


_SETTLED = {
    "disparity shown": "{rates}.",
    "equivalence shown": mark("{rates}: the same, within the declared margin."),
    "inconclusive": mark("{rates}: the data do not settle whether that differs."),
}


def random_pair(audit: Audit, page: PageOne, chance: float) -> str:
    """P(X>Y) as what happens in a hundred random pairs."""
    own = audit.protocol.words
    score = own.score or audit.protocol.score
    names = [own.group(page.attribute, label) for label in (page.group, page.reference)]
    named = all(name and not has_noun(name, own.unit) for name in names)  # "one Black arrestees person" is no noun
    one, two = names if named else [where(audit.protocol, page.attribute, g) for g in (page.group, page.reference)]
    values = {"n": number(100 * chance, 0), "one": one, "two": two, "score": score}
    if named:
        return say(
            "In {n} of 100 random pairs of one {one} and one {two} person the first has the higher value of {score} "
            "(ties count half; 50 is no difference).",
            **values,
        )
    return say(
        "In {n} of 100 random pairs of one person with {one} and one with {two} the first has the higher value of "
        "{score} (ties count half; 50 is no difference).",
        **values,
    )
