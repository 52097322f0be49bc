"""An answer as one sentence that a newspaper could print, and the sentences that qualify it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairstats.auditing.words.answer import COMPARABLE, FEW, Answer
from fairstats.auditing.words.lead import null_of
from fairstats.auditing.words.phrases import (
    bare,
    event,
    has_noun,
    label_of,
    parts,
    people,
    placed,
    single_spaced,
    spoken,
    where,
)
from fairstats.choices import BH
from fairstats.estimates import Estimate
from fairstats.glossary import SHOWN
from fairstats.language import again, mark, say, say_number
from fairstats.text import capital, count, level_number, listed, number, p_equals, percent

if TYPE_CHECKING:
    from fairstats.auditing.result import Audit

MOST_NAMED = 3  # further groups that a sentence names
SAME = 0.05  # of the test that an effect is the same in all strata
NARROW = 0.05  # an interval within so many points of equality is "about as often", however unsettled

# by what is shown and whether the groups are several: with a verb phrase, and with column and label
SPOKEN = {
    "less": mark("{own} {said} less often than {other}: {numbers}."),
    "more": mark("{own} {said} more often than {other}: {numbers}."),
    "equal": mark(
        "{own} and {other} {said} about equally often, within the declared margin of ±{margin} points: {numbers}."
    ),
    "all equal": mark(
        "The {n} groups compared with {other} {said} about as often, within the declared margin of ±{margin} points; "
        "the largest gap is that of {own}: {numbers}."
    ),
    "unknown": mark("No difference is shown in how often {own} and {other} {said}: {numbers}."),
    "all unknown": mark(
        "None of the {n} groups of {name} compared with {other} is shown to differ in how often they {said}; the "
        "largest gap is that of {own}: {numbers}."
    ),
}
PLACED = {
    "less": mark("{said} is less frequent {own_place} than {other_place}: {numbers}."),
    "more": mark("{said} is more frequent {own_place} than {other_place}: {numbers}."),
    "equal": mark(
        "{said} is about equally frequent {own_place} and {other_place}, within the declared margin of ±{margin} "
        "points: {numbers}."
    ),
    "all equal": mark(
        "{said} is about as frequent in the {n} groups compared with {other}, within the declared margin of ±{margin} "
        "points; the largest gap is that of {own}: {numbers}."
    ),
    "unknown": mark("No difference in {said} is shown between {own} and {other}: {numbers}."),
    "all unknown": mark(
        "No difference in {said} is shown between {other} and any of the {n} groups of {name} compared with it; the "
        "largest gap is that of {own}: {numbers}."
    ),
}
WITHIN_SPOKEN = {
    "less": mark("Within the same {strata}, {own} {said} less often than {other} ({held}); {crude}."),
    "more": mark("Within the same {strata}, {own} {said} more often than {other} ({held}); {crude}."),
    "alike": mark("Within the same {strata}, {own} {said} about as often as {other} ({held}); {crude}."),
    "unknown": mark("Within the same {strata}, no difference is shown in how often {own} and {other} {said} ({held}); "
                    "{crude}."),
    "cannot": mark("How often {own} and {other} {said} cannot be answered within {strata}: {why}; {crude}."),
}  # fmt: skip
WITHIN_PLACED = {
    "less": mark("Within the same {strata}, {said} is less frequent {own_place} than {other_place} ({held}); {crude}."),
    "more": mark("Within the same {strata}, {said} is more frequent {own_place} than {other_place} ({held}); {crude}."),
    "alike": mark("Within the same {strata}, {said} is about as frequent {own_place} as {other_place} ({held}); "
                  "{crude}."),
    "unknown": mark("Within the same {strata}, no difference in {said} is shown between {own} and {other} ({held}); "
                    "{crude}."),
    "cannot": mark("Whether {said} differs between {own} and {other} cannot be answered within {strata}: {why}; "
                   "{crude}."),
}  # fmt: skip


def sentence(audit: Audit, made: Answer) -> str:
    """The answer in one sentence: who, compared with whom, both shares, the gap with its interval, what is missing.

    Examples
    --------
    >>> from fairstats.auditing.audit import audit
    >>> from fairstats.auditing.words.answer import answer
    >>> data = {"sex": ["f"] * 100 + ["m"] * 100, "hired": [1] * 20 + [0] * 80 + [1] * 60 + [0] * 40}
    >>> made = audit(data, decision="hired", groups="sex", reference="m")
    >>> print(sentence(made, answer(made, "sex")))
    hired = 1 is less frequent where sex = f than where sex = m: 20.0% against 60.0%, a gap of 40.0 percentage
    points (95% confidence interval ...).
    """
    if made.row is None and not made.known:
        return nothing(audit, made)
    values = _called(audit, made)
    in_words = spoken(audit.protocol, made.metric) if made.metric != "P(X>Y)" else True
    if made.within is not None:
        return single_spaced(_with_strata(audit, made, values, in_words))
    kind = _kind(made)
    if not made.known:
        return nothing(audit, made)
    values["numbers"] = numbers(audit, made)
    if in_words and kind in ("less", "more", "equal"):
        values["own"] = capital(values["own"])
    return single_spaced(say((SPOKEN if in_words else PLACED)[kind], **values))


def _called(audit: Audit, made: Answer) -> dict[str, str]:
    """What the sentences call the groups, the attribute and what was decided."""
    p = audit.protocol
    about = p, made.attribute
    named = {"own": made.group, "other": made.reference}
    said = event(p, made.metric)[0] if made.metric != "P(X>Y)" else ""
    margin = percent(p.equivalence.difference or 0.0)
    values = {"n": str(len(made.family)), "margin": margin, "name": p.words.attribute(made.attribute), **parts(said)}
    in_words = made.metric != "P(X>Y)" and spoken(p, made.metric)
    for key, label in named.items():
        values[key] = people(*about, label) if in_words else bare(*about, label)
        values[f"{key}_place"] = placed(*about, label)
    return values


def _kind(made: Answer) -> str:
    """Which sentence answers: a difference in one direction, equality, or neither; of two groups or of several."""
    if made.differs and made.row is not None:
        return "more" if made.row.estimate > null_of(made.row) else "less"
    kind = "equal" if made.code == "equivalence shown" else "unknown"
    return f"all {kind}" if len(made.family) > 1 else kind


def share(made: Answer, row: Estimate) -> str:
    """A share in per cent, with its counts and no decimals where the smaller group has few people."""
    if not made.few:
        return say("{share}%", share=percent(row.estimate))
    return say("{share}% ({k} of {n})", share=percent(row.estimate, 0), k=count(row.events), n=count(row.n))


def numbers(audit: Audit, made: Answer) -> str:
    """Both shares, the gap in the direction that makes it positive, and what is missing."""
    if made.gap is None or made.own is None or made.other is None:
        return ""
    values = {"own": share(made, made.own), "other": share(made, made.other), "gap": gap(audit, made.gap, made.few)}
    said = say("{own} against {other}, {gap}", **values)
    if made.bounds is None:
        return said
    return say("{numbers}, among those whose {what} is known; {missing}", numbers=said, **_missing(audit, made))


def gap(audit: Audit, row: Estimate, few: bool = False) -> str:
    """A difference in points with its interval, both in the direction that makes the difference positive.

    Examples
    --------
    >>> from fairstats.auditing.audit import audit
    >>> made = audit({"sex": ["f", "m"] * 20, "hired": [1, 1, 0, 1] * 10}, "hired", "sex")
    >>> row = Estimate("selection rate", estimate=-0.117, conf_low=-0.143, conf_high=-0.091, conf_level=0.95)
    >>> gap(made, row)
    'a gap of 11.7 percentage points (95% confidence interval 9.1 to 14.3)'
    >>> gap(made, Estimate("selection rate", estimate=0.01, conf_low=-0.02, conf_high=0.043, conf_level=0.975))
    'a gap of 1.0 percentage points (95% confidence interval −2.0 to 4.3, adjusted for 2 comparisons)'
    """
    points = percent(abs(row.estimate), 0 if few else 1)
    values = {"points": points, "interval": interval(audit, row, few)}
    one, many = (
        mark("a gap of {points} percentage point ({interval})"),
        mark("a gap of {points} percentage points ({interval})"),
    )
    return say(one if points == "1" else many, **values)


def _ends(row: Estimate, few: bool = False) -> str:
    """The interval of a gap in its direction; of one within the margin the interval that says so."""
    low, high = (row.conf_low, row.conf_high) if not _equal(row) else (row.margin_low, row.margin_high)
    low, high = (low, high) if row.estimate >= 0 else (-high, -low)
    return say("{low} to {high}", low=percent(low + 0.0, 0 if few else 1), high=percent(high + 0.0, 0 if few else 1))


def _equal(row: Estimate) -> bool:
    return row.verdict == "equivalence shown" and row.margin_low == row.margin_low


def interval(audit: Audit, row: Estimate, few: bool = False) -> str:
    """The interval of a gap with the level that all comparisons of its family share; its p where it has no interval.

    Practical equality is read from the interval of level 1 − 2α, equally adjusted, as its two one-sided tests are.
    """
    if row.conf_low != row.conf_low or row.conf_high != row.conf_high:
        return say("adjusted {p}", p=p_equals(row.p_adjusted))
    together = audit.protocol.conf_level
    share = 2 * together - 1 if _equal(row) else together
    values = {"level": level_number(share), "ends": _ends(row, few)}
    many = (1 - together) / (1 - row.conf_level) if row.conf_level < 1 else 1.0
    if row.conf_level != row.conf_level or many < 1 + 1e-6:
        return say("{level}% confidence interval {ends}", **values)
    if abs(many - round(many)) < 1e-6 * many and audit.protocol.adjust != BH:
        return say("{level}% confidence interval {ends}, adjusted for {n} comparisons", n=count(round(many)), **values)
    if audit.protocol.adjust == BH:
        return say("{level}% confidence interval {ends}, at the level of those that are flagged", **values)
    return say("{level}% confidence interval {ends}, adjusted for all comparisons", **values)


def _missing(audit: Audit, made: Answer) -> dict[str, str]:
    """What is missing, and where the difference may lie over all of whom it is."""
    assert made.bounds is not None
    low, high = made.bounds.conf_low, made.bounds.conf_high
    ends = [
        say("{points} points less", points=percent(-v)) if v < 0 else say("{points} points more", points=percent(v))
        for v in (low, high)
    ]
    name = audit.protocol.words.attribute(made.attribute)
    lost = {"groups": name, "decision": say("decision"), "outcome": say("outcome")}
    what = listed([lost[part] for part in made.bounds.given.removeprefix("missing ").split(" and ") if part in lost])
    return {
        "what": what,
        "missing": say("over all who are missing the gap may lie between {low} and {high}", low=ends[0], high=ends[1]),
    }


def strata_name(audit: Audit) -> str:
    """The legitimate factors by the names that they were given."""
    return listed(audit.protocol.words.attribute(audit.protocol.strata).split(" × "))


def _with_strata(audit: Audit, made: Answer, values: dict[str, str], in_words: bool) -> str:
    """The comparison within strata and the crude one in one sentence; first the one that the answer is about."""
    assert made.within is not None
    strata = strata_name(audit)
    row, covered = made.within, made.within.status == "ok" and not made.comparable < COMPARABLE
    crude = _pair_numbers(audit, made) if made.metric == "P(X>Y)" else numbers(audit, made)
    if not made.first:  # the law of the report asks for the crude numbers
        held = _held(audit, made, row) if covered else _why(audit, made)
        kind = _kind(made)
        said = say((SPOKEN if in_words else PLACED)[kind], **values, numbers=crude)
        return say("{said} Within the same {strata} it is {held}.", said=capital(said), strata=strata, held=held)
    values |= {"strata": strata, "crude": say("without regard to {strata} {numbers}", strata=strata, numbers=crude)}
    if made.metric == "P(X>Y)":
        return _with_strata_scores(audit, made, values, covered)
    table = WITHIN_SPOKEN if in_words else WITHIN_PLACED
    if not covered:
        return capital(say(table["cannot"], why=_why(audit, made), **values))
    kind = "unknown"
    if row.verdict in SHOWN:
        kind = "more" if row.estimate > 0 else "less"
    elif row.verdict == "equivalence shown" or max(-row.conf_low, row.conf_high) < NARROW:
        kind = "alike"
    return say(table[kind], held=_held(audit, made, row), **values)


def _with_strata_scores(audit: Audit, made: Answer, values: dict[str, str], covered: bool) -> str:
    row = made.within
    assert row is not None
    values["score"] = audit.protocol.words.score or audit.protocol.score
    if not covered:
        return say(
            "Which of {own} and {other} has the higher {score} cannot be answered within {strata}: {why}; {crude}.",
            why=_why(audit, made),
            **values,
        )
    values |= {"pairs": _of_hundred(row), "held": _held(audit, made, row)}
    p = audit.protocol
    names = [p.words.group(made.attribute, label) for label in (made.group, made.reference)]
    if all(name and not has_noun(name, p.words.unit) for name in names):
        values |= dict(zip(("own", "other"), names, strict=True))
        return say(
            "Within the same {strata}, in {pairs} random pairs of one {own} and one {other} person the first has the "
            "higher {score} ({held}); {crude}.",
            **values,
        )
    values |= dict(
        zip(("own", "other"), (where(p, made.attribute, g) for g in (made.group, made.reference)), strict=True)
    )
    return say(
        "Within the same {strata}, in {pairs} random pairs of one person with {own} and one with {other} the first has "
        "the higher {score} ({held}); {crude}.",
        **values,
    )


def _of_hundred(row: Estimate) -> str:
    return say("{n} of 100", n=number(100 * row.estimate, 0))


def _pair_numbers(audit: Audit, made: Answer) -> str:
    """P(X>Y) without regard to strata."""
    row = made.gap
    if row is None:
        return say("there is no comparison")
    return say(
        "in {pairs} (P(X>Y) {estimate}, {ends})",
        pairs=_of_hundred(row),
        estimate=number(row.estimate, 3),
        ends=say("{low} to {high}", low=number(row.conf_low, 3), high=number(row.conf_high, 3)),
    )


def _held(audit: Audit, made: Answer, row: Estimate) -> str:
    """A comparison within strata with its interval and its verdict."""
    verdict = say(SETTLED[row.verdict or "inconclusive"])
    if made.metric == "P(X>Y)":
        ends = say("{low} to {high}", low=number(row.conf_low, 3), high=number(row.conf_high, 3))
        said = say("P(X>Y) {estimate}, {ends}", estimate=number(row.estimate, 3), ends=ends)
        return say("{said}: {verdict}", said=said, verdict=verdict)
    few = made.few
    points = percent(abs(row.estimate), 0 if few else 1)
    ends = _ends(row, few)
    if _equal(row):
        share = level_number(2 * audit.protocol.conf_level - 1)
        ends = say("{level}% confidence interval {ends}", level=share, ends=ends)
    values = {"points": points, "ends": ends, "verdict": verdict}
    if row.estimate < 0:
        return say("{points} points less, {ends}: {verdict}", **values)
    return say("{points} points more, {ends}: {verdict}", **values)


SETTLED = {
    "flagged": mark("flagged"),
    "disparity shown": mark("disparity shown"),
    "equivalence shown": mark("within the declared margin"),
    "inconclusive": mark("not settled"),
}


def _why(audit: Audit, made: Answer) -> str:
    """Why there is no answer within strata."""
    assert made.within is not None
    if made.within.status == "ok":
        return say("only {share}% of one group are in strata that hold both", share=percent(made.comparable, 0))
    return again(made.within.reason) or say("no stratum holds both groups")


def nothing(audit: Audit, made: Answer) -> str:
    """Why an attribute has no answer."""
    name = audit.protocol.words.attribute(made.attribute)
    if sum(cell.attribute == made.attribute for cell in audit.cells) < 2:
        return say("{name} has a single group: there is nothing to compare.", name=name)
    if not made.group:
        return say("No group of {name} could be compared with its reference.", name=name)
    why = again(made.reason) or say("there is no rate")
    both = (bare(audit.protocol, made.attribute, label) for label in (made.group, made.reference))
    return say("{groups} cannot be compared: {reason}.", groups=listed(list(both)), reason=why)


def others(audit: Audit, made: Answer) -> str:
    """The further groups whose difference is shown, and how many comparisons cannot be shown."""
    p, more = audit.protocol, [row for row in made.shown if row.group != made.group]
    alike = [row for row in made.family if row.verdict == "equivalence shown"]
    said = []
    if made.differs and len(made.family) > 1:
        values = {"other": label_of(p, made.attribute, made.reference), "n": len(made.family), "k": len(made.shown)}
        if made.code == "flagged":
            said.append(say("Groups that are flagged: {k} of the {n} that are compared with {other}.", **values))
        elif not more and alike:
            said.append(say("Of {n} groups compared with {other} it is the only one with a disparity shown.", **values))
        elif not more:
            said.append(say("Of {n} groups compared with {other} it is the only one shown to differ.", **values))
        elif len(more) <= MOST_NAMED:
            names = listed([_rate_of(audit, made, row) for row in more])
            said.append(say("Also shown to differ from {other}: {names}.", names=names, **values))
        elif len(made.shown) == len(made.family):
            said.append(say("All {n} groups compared with {other} are shown to differ.", **values))
        else:
            said.append(say("Of {n} groups compared with {other}, {k} are shown to differ.", **values))
        if 0 < len(alike) <= MOST_NAMED:
            names = listed([_rate_of(audit, made, row) for row in alike])
            said.append(say("Within the declared margin of {other}: {names}.", names=names, **values))
    if made.first and made.code == "inconclusive" and len(made.family) > 1:
        known = {"other": label_of(p, made.attribute, made.reference), "n": len(made.family)}
        said.append(say("None of the {n} groups compared with {other} is shown to differ.", **known))
    values = {"n": made.absent, "name": p.words.attribute(made.attribute), "strata": strata_name(audit)}
    if made.absent and made.code != "unanswered" and made.first:
        said.append(
            say_number(
                "{n} group of {name} cannot be compared within {strata}.",
                "{n} groups of {name} cannot be compared within {strata}.",
                made.absent,
                **values,
            )
        )
    elif made.absent and made.known:
        said.append(
            say_number(
                "{n} group of {name} cannot be compared.",
                "{n} groups of {name} cannot be compared.",
                made.absent,
                **values,
            )
        )
    return " ".join(said)


def _rate_of(audit: Audit, made: Answer, row: Estimate) -> str:
    """A group with its rate, where that is what was compared."""
    name = label_of(audit.protocol, made.attribute, row.group)
    rates = audit.estimates.only(metric=made.metric, attribute=made.attribute, role="main", contrast="none", given="")
    known = [rate for rate in rates if rate.group == row.group and rate.status == "ok"]
    if not known or made.first or made.metric == "P(X>Y)":
        return name
    return say("{name} ({share}%)", name=name, share=percent(known[0].estimate, 0 if known[0].n < FEW else 1))
