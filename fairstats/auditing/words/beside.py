"""The question of page one, and the sentences beside its answer: the errors of both groups, and who scores higher."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from fairstats import metrics
from fairstats.auditing.words.answer import Answer
from fairstats.auditing.words.page_one import Line, PageOne, further_findings, line_of
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
from fairstats.language import mark, say
from fairstats.text import capital, listed, number

if TYPE_CHECKING:
    from fairstats.auditing.result import Audit

MOST = 3  # sentences beside one answer; two beside several, so that page one holds them


def question(audit: Audit, page: PageOne, found: Sequence[Answer] = ()) -> str:
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
    names = [protocol.words.attribute(one.attribute) for one in found] or [protocol.words.attribute(page.attribute)]
    values = {"name": listed(names), "unit": protocol.words.unit, **parts(said)}
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


def context(audit: Audit, page: PageOne, found: tuple[Answer, ...] = ()) -> list[str]:
    """What stands beside the answer: the errors, what is not settled, who scores higher.

    At most three sentences, two beside several answers.

    Errors of other groups than those of the answer are findings only where they are shown with every comparison allowed
    for that page one could have picked.
    """
    further = [line_of(audit, row) for row in further_findings(audit, page, found)]
    most = MOST if len(found) < 2 else MOST - 1
    said = [_beside(audit, page, line) for line in page.lines[1:] if line.known][: MOST - bool(further)][:most]
    higher = audit.estimates.only(metric="P(X>Y)", attribute=page.attribute, role="main", status="ok", given="")
    for row in higher:
        if {row.group, row.reference} == {page.group, page.reference} and not said:
            said.append(random_pair(audit, page, row.estimate if row.group == page.group else 1 - row.estimate))
    for line in further[: most - len(said)]:
        row = line.gap
        about = replace(page, attribute=row.attribute, group=row.group, reference=row.reference)
        said.append(_beside(audit, about, line, elsewhere=True))
    return said


def _beside(audit: Audit, page: PageOne, line: Line, elsewhere: bool = False) -> str:
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
            name = where if elsewhere else short_name
            one, two = (name(protocol, page.attribute, label) for label in (page.group, page.reference))
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
            one=where(protocol, page.attribute, page.group) if elsewhere else page.group,
            two=where(protocol, page.attribute, page.reference) if elsewhere else page.reference,
            own=own,
            other=other,
            said=equation(protocol, known.event),
            condition=equation(protocol, known.given),
        )
    return single_spaced(say(_SETTLED[line.verdict or "inconclusive"], rates=rates))


_SETTLED = {
    "disparity shown": "{rates}.",
    "flagged": "{rates}.",
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
