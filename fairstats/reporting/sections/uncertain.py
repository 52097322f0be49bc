"""Page one of groups that are known only as probabilities."""

from __future__ import annotations

from typing import Any

from fairstats.auditing import group_probabilities as probable
from fairstats.auditing.answer import declared, unknown
from fairstats.auditing.group_studies import CORRECTED, LINEAR, SHOWN, WEIGHTED, GroupStudy, bounded_rows
from fairstats.auditing.result import Audit
from fairstats.auditing.sentences import as_word, group_cell, group_people
from fairstats.document import Heading, Table
from fairstats.errors import Call
from fairstats.estimates import Estimate
from fairstats.language import Message, mark, say, says, translated
from fairstats.provenance import read_and_analyzed
from fairstats.reporting import words
from fairstats.reporting.bundle import Bundle
from fairstats.reporting.sections.other import study_picture
from fairstats.reporting.sections.shared import blank, how_to_check, source_line, verifiable, who_and_when
from fairstats.reporting.tables import level_of, table, text
from fairstats.text import capital, count, listed, p_value, percent

MOST = 8  # groups of the table, of two lines each
BIASES = (probable.BRACKET, probable.BIASED, *probable.OF_CONDITIONS)
CHECKS = (probable.FITS, probable.IF_RIGHT, probable.UNTESTED)
AT_WORST = (*probable.OF_LEFT_OUT, probable.NAME_KNOWN)
REFUTED = (probable.REFUTED, probable.REFUTED_IF_DRAWN, probable.UNCHECKED)
DOUBTS = (
    *(probable.CERTAIN, probable.ALL_CERTAIN, probable.WRONG_FOR_ALL, probable.UNNAMED, probable.NO_PROBABILITIES),
    *(probable.NOT_CORRECTED, probable.ZEROS, probable.NO_DECISION),
)

OF_EACH = mark(
    "Of each person there is a probability of every group, not the group. Is there a gap in the share recorded as "
    "{decision}, whoever is in which group?"
)
OF_SOME = mark(
    "Of some people the group is known, of the others a probability of every group. Is there a gap in the share "
    "recorded as {decision}, whoever of the others is in which group?"
)
OF_KNOWN = mark("The group of everybody is known. Is there a gap in the share recorded as {decision}?")


def probabilities_page(bundle: Bundle, result: GroupStudy) -> dict[str, Any]:
    """The context of page one of `group_probabilities`."""
    known, exact = bool(result.settings.get("known")), probable.all_known(result)
    bounded = bounded_rows(result)
    lead = _lead(result)
    refuted = [text for text in result.statements if any(says(text, one) for one in REFUTED)]
    found = [translated(text) for text in result.statements if any(says(text, one) for one in BIASES)]
    unlike = [translated(text) for text in result.statements if any(says(text, one) for one in probable.OF_UNLIKE)]
    sampled = [text for text in result.statements if any(says(text, one) for one in probable.OF_DECLARED)]
    corrected = "" if sampled or exact else _corrected(result, lead[2], bool(unlike))
    first = bool(corrected and result.settings.get("drawn_at_random"))
    checked = [translated(text) for text in result.statements if any(says(text, one) for one in CHECKS)]
    answer = _known_answer(result, *lead[:2]) if exact else _answer(result, *lead[:2])
    every = _of_all([row for row, *_ in bounded])
    without = [say("Without that assumption: {answer}", answer=answer), *every] if sampled and not refuted else []
    at_worst = [translated(text) for text in result.statements if any(says(text, one) for one in AT_WORST)]
    by_audit = [translated(text) for text in result.statements if says(text, probable.EVERYBODY)]
    points = [
        *([] if exact else [(say("What is bounded."), _bounded(result, lead[0], lead[1]))]),
        *((say("What the bound rests on."), text) for text in checked[:1]),
        (say("What follows."), by_audit[0] if exact else _follows(result, *lead, bool(unlike))),
        *(
            [(say("What the bound does not show: how large the gap is."), " ".join(found))]
            if found and not refuted
            else []
        ),
        (say("What to do next."), _next(result, *lead[:2], bool(unlike))),
    ]
    return blank() | {
        "who": f"{say('{n} people', n=words.count(result.n))} · {who_and_when(bundle)}",
        "question": say(OF_KNOWN if exact else OF_SOME if known else OF_EACH, decision=_decision(result)),
        "sentence": " ".join(
            _declared(result, bool(refuted)) if sampled else list(map(translated, refuted[:1])) or [answer, *every]
        ),
        "context": [
            *(_declared_others(result) if sampled else []),
            *([" ".join(without)] if without else []),
            *(map(translated, refuted) if sampled else []),
            *([corrected] if first else []),
            *at_worst,
            *unlike,
            *([corrected] if corrected and not first else []),
            *([] if exact else _impossible(result, *lead[1:])),
            *(translated(text) for text in result.statements if any(says(text, one) for one in DOUBTS)),
        ],
        "points": points,
        "tables": [bounds_table(result)],
        "figures": [] if exact else [study_picture("page-one-study", result)],
        "unshown": [
            *([] if exact else [say("Who is in which group: nobody was put into one.")]),
            say("That groups are treated alike, where no gap is shown."),
            say("Why the groups differ, if they do."),
        ],
        "rely": [] if exact else _before(result),
        "check": how_to_check(bundle) if verifiable(bundle) else None,
        "source": source_line(bundle),
    }


def _before(result: GroupStudy) -> list[str]:
    """What to ask before relying on the bound."""
    lines = [say("Ask where the probabilities come from: those of a census need not be right for applicants.")]
    if any(row.term == probable.CALIBRATION for row in result.estimates):
        lines.append(
            say(
                "People whose group is known check the probabilities only if they were drawn at random; those who "
                "state it by choice are not."
            )
        )
    return lines


def _lead(result: GroupStudy) -> tuple[Estimate, Estimate, list[Estimate]]:
    """The difference that is spoken of, which is the one that the statements begin with."""
    of = {row.group: (row, ends, beside) for row, ends, beside in bounded_rows(result)}
    return of[probable.in_order([row for row, *_ in of.values()], result.estimates)[0].group]


def beside_audit(audit: Audit, result: GroupStudy) -> list[str]:
    """How the bound relates to an audit of the same decision by these groups, where some people have none."""
    labels = {label for row, *_ in bounded_rows(result) for label in (row.group, row.reference)}
    read = read_and_analyzed(audit.flow)[0].n if audit.flow else 0.0
    row, ends, _ = _lead(result)
    sampled = any(says(text, one) for text in result.statements for one in probable.OF_DECLARED)
    lines = []
    if sampled and row.verdict:  # which its own page has below the headline
        lines.append(say("Without that assumption: {answer}", answer=_answer(result, row, ends)))
    for attribute in declared(audit) if audit.protocol.decision == result.settings["decision"] else ():
        rows, lost = audit.estimates.only(attribute=attribute), unknown(audit, attribute)
        if not lost > 0 or labels - {row.group for row in rows}:
            continue
        values = {"name": audit.protocol.called(attribute), "known": words.count(read - lost), "n": words.count(read)}
        values |= {"bounded": words.count(result.n)}
        lines.append(
            say(
                "The audit compares people whose {name} is recorded ({known} of {n}). The bound is about {bounded} "
                "people, whatever the groups that are not recorded are, if {right}. A gap that the audit alone shows "
                "is one among people whose {name} is recorded; it holds for all people if chance alone decided whose "
                "{name} is not recorded.",
                right=translated(probable.right(result)),
                **values,
            )
        )
        if rows.only(role="bounds"):
            lines.append(say("The range that the audit has with these people at worst uses no probabilities."))
    return lines


def _decision(result: GroupStudy) -> str:
    return as_word(result.settings["decision"], str(result.settings.get("favorable", "")))


def _pair(row: Estimate) -> dict[str, str]:
    both = {"group": row.group, "reference": row.reference}
    named = {key: group_people(row.attribute, label) for key, label in both.items()}
    return {  # no column is called by the groups, which have labels in the call
        key: say("people of group {group}", group=both[key]) if "`" in text else text for key, text in named.items()
    }


def _answer(result: GroupStudy, row: Estimate, ends: Estimate) -> str:
    """On which side the whole bound lies with its limits or its adjusted p, or between what it leaves open."""
    values = _pair(row) | {"decision": _decision(result), "name": level_of([row], result.conf_level)}
    limited, less = row.conf_low == row.conf_low, ends.conf_high < 0
    values |= {"right": translated(probable.right(result)), "size": _size(ends)}
    if row.verdict in SHOWN and limited:
        text = mark(
            "Whoever is in which group, {group} were recorded as {decision} more often than {reference}: by {limits} "
            "percentage points ({name}), if {right}, which the data cannot show."
        )
        if less:
            text = mark(
                "Whoever is in which group, {group} were recorded as {decision} less often than {reference}: by "
                "{limits} percentage points ({name}), if {right}, which the data cannot show."
            )
        return say(text, limits=_size(row), **values)
    if row.verdict in SHOWN:
        text = mark(
            "Whoever is in which group, {group} were recorded as {decision} more often than {reference}: by {size} "
            "percentage points among these people ({p}), if {right}, which the data cannot show."
        )
        if less:
            text = mark(
                "Whoever is in which group, {group} were recorded as {decision} less often than {reference}: by "
                "{size} percentage points among these people ({p}), if {right}, which the data cannot show."
            )
        return say(text, p=translated(probable.limits(row)), **values)
    if probable.apart(ends) and limited:
        values |= {"least": percent(row.conf_low), "most": percent(row.conf_high)}
        text = mark(
            "Whoever is in which group, a larger share of {group} than of {reference} was recorded as {decision} "
            "among these people (by {size} percentage points), if {right}, which the data cannot show; the {name}, "
            "{least} to {most}, includes 0, so that no gap is shown beyond these people."
        )
        if less:
            text = mark(
                "Whoever is in which group, a smaller share of {group} than of {reference} was recorded as {decision} "
                "among these people (by {size} percentage points), if {right}, which the data cannot show; the "
                "{name}, {least} to {most}, includes 0, so that no gap is shown beyond these people."
            )
        return say(text, **values)
    if probable.apart(ends):
        text = mark(
            "Whoever is in which group, a larger share of {group} than of {reference} was recorded as {decision} "
            "among these people (by {size} percentage points), if {right}, which the data cannot show; beyond these "
            "people no gap is shown ({p})."
        )
        if less:
            text = mark(
                "Whoever is in which group, a smaller share of {group} than of {reference} was recorded as {decision} "
                "among these people (by {size} percentage points), if {right}, which the data cannot show; beyond "
                "these people no gap is shown ({p})."
            )
        return say(text, p=translated(probable.limits(row)), **values)
    if limited:
        return say(
            "It is open whether {group} were recorded as {decision} less or more often than {reference}: whoever is "
            "in which group, the difference lies between {least} and {most} percentage points ({name}), if {right}, "
            "which the data cannot show.",
            least=percent(row.conf_low),
            most=percent(row.conf_high),
            **values,
        )
    return say(
        "It is open whether {group} were recorded as {decision} less or more often than {reference}: whoever is in "
        "which group, the difference lies between {low} and {high} percentage points among these people, if {right}, "
        "which the data cannot show.",
        low=percent(ends.conf_low),
        high=percent(ends.conf_high),
        **values,
    )


def _size(row: Estimate) -> str:
    return translated(probable.size_text(row.conf_low, row.conf_high))


def _known_answer(result: GroupStudy, row: Estimate, ends: Estimate) -> str:
    """On which side the difference lies where every group is known, with its limits or its adjusted p."""
    text = mark(
        "It is open whether {group} were recorded as {decision} less or more often than {reference}: among these "
        "people the difference is {gap} percentage points ({limits})."
    )
    if row.verdict in SHOWN:
        text = mark(
            "{group} were recorded as {decision} more often than {reference}, by {gap} percentage points ({limits})."
        )
        if ends.conf_high < 0:
            text = mark(
                "{group} were recorded as {decision} less often than {reference}, by {gap} percentage points "
                "({limits})."
            )
    return capital(say(text, **_sized(result, row.changed(estimate=ends.conf_low), row.verdict in SHOWN)))


def _sized(result: GroupStudy, row: Estimate, shown: bool) -> dict[str, str]:
    """The values of a sentence on a difference, which are sizes where the sentence has a direction."""
    gap, low, high = probable.sizes(row, shown)
    limits = translated(probable.limits(row))
    if low == low:
        limits = f"{level_of([row], result.conf_level)} {words.span(low, high, percent)}"
    return _pair(row) | {"decision": _decision(result), "gap": percent(gap), "limits": limits}


def _declared(result: GroupStudy, refuted: bool) -> list[str]:
    """The corrected difference of people declared to be drawn at random, and that they refute the probabilities."""
    row = _corrected_rows(result)[0]
    shown = not row.conf_low <= 0 <= row.conf_high
    sentence = mark(
        "If the {n} people of known group were drawn at random, as declared (the data cannot show it), it is open "
        "whether {group} were recorded as {decision} less or more often than {reference}: the difference is {gap} "
        "percentage points ({limits})."
    )
    if shown:
        sentence = mark(
            "If the {n} people of known group were drawn at random, as declared (the data cannot show it), {group} "
            "were recorded as {decision} more often than {reference}, by {gap} percentage points ({limits})."
        )
        if row.estimate < 0:
            sentence = mark(
                "If the {n} people of known group were drawn at random, as declared (the data cannot show it), {group} "
                "were recorded as {decision} less often than {reference}, by {gap} percentage points ({limits})."
            )
    lines = [say(sentence, n=_of_known(result), **_sized(result, row, shown))]
    if refuted:
        p = next(one.p_value for one in result.estimates.only(role="omnibus", term=probable.CALIBRATION))
        lines.append(
            say(
                "Then the probabilities are refuted ({p}), and the bound with them.",
                p=translated(probable.P_ALONE.format(p=p_value(p))),
            )
        )
    return lines


def _declared_others(result: GroupStudy) -> list[str]:
    """The corrected differences of the groups that the headline is not about."""
    rows = _corrected_rows(result)[1:]
    items = [f"{row.group} {percent(row.estimate)} ({words.interval(row)})" for row in rows]
    values = {"list": listed(items, probable.MOST_LINES), "limits": level_of(rows, result.conf_level)}
    return [say("The same of other groups, in percentage points ({limits}): {list}.", **values)] if rows else []


def _corrected_rows(result: GroupStudy) -> list[Estimate]:
    """The corrected differences that there are, in the order of the statements."""
    groups = [row.group for row in probable.in_order(result.compared(), result.estimates)]
    rows = {one.group: one for *_, beside in bounded_rows(result) for one in beside if one.estimator == CORRECTED}
    return [rows[group] for group in groups if words.shown(rows[group])]


def _of_all(rows: list[Estimate]) -> list[str]:
    """For how many groups a gap is shown, where there are several: the answer is about one of them."""
    values = {"k": sum(row.verdict in SHOWN for row in rows), "n": len(rows), "reference": _pair(rows[0])["reference"]}
    return [say("A gap is shown for {k} of the {n} groups compared with {reference}.", **values)] if rows[1:] else []


def _bounded(result: GroupStudy, row: Estimate, ends: Estimate) -> str:
    text = mark(
        "The share of {group} recorded as {decision} less that of {reference}. Over every way in which {who} can be in "
        "the groups and agree with the probabilities, it lies between {low} and {high} percentage points among all {n} "
        "({name}, which adds sampling error: {least} to {most}). Where few people have the same probabilities, the "
        "ends may lie farther out than the data require."
    )
    if row.conf_low != row.conf_low:
        text = mark(
            "The share of {group} recorded as {decision} less that of {reference}. Over every way in which {who} can "
            "be in the groups and agree with the probabilities, it lies between {low} and {high} percentage points "
            "among all {n}. Where few people have the same probabilities, the ends may lie farther out than the data "
            "require."
        )
    if _certain(ends):
        text = mark(
            "The share of {group} recorded as {decision} less that of {reference}. All probabilities are 0 or 1, so "
            "that it is {low} percentage points in these people."
        )
    others = probable.others(result)
    who = say("these people") if others is None else say("the other {n} people", n=words.count(others))
    line = say(
        text,
        decision=_decision(result),
        who=who,
        n=words.count(result.n),
        low=percent(ends.conf_low),
        high=percent(ends.conf_high),
        least=percent(row.conf_low),
        most=percent(row.conf_high),
        name=level_of([row], result.conf_level),
        **_pair(row),
    )
    return " ".join([line, *_wrong([row])])


def _certain(ends: Estimate) -> bool:
    """Whether the bound is one number, since all probabilities are 0 or 1."""
    return ends.conf_high - ends.conf_low < 1e-9


def _wrong(rows: list[Estimate]) -> list[str]:
    """Which premises of the bound and of the estimates are refuted."""
    if any(probable.refutes(row, probable.CALIBRATION) for row in rows):
        return [
            say(
                "If the people whose group is known were drawn at random, they refute the probabilities: the gap may "
                "lie outside the bound."
            )
        ]
    if any(probable.refutes(row, probable.AT_RANDOM) for row in rows):
        return [say("That people whose group is known were drawn at random is refuted.")]
    return []


def _settled(estimates: list[Estimate]) -> Estimate | None:
    """The estimate that is corrected by known people, where it leaves out a gap of 0."""
    rows = [one for one in estimates if one.estimator == CORRECTED and words.shown(one)]
    return next((one for one in rows if not one.conf_low <= 0 <= one.conf_high), None)


def _follows(result: GroupStudy, row: Estimate, ends: Estimate, estimates: list[Estimate], unlike: bool) -> str:
    right = translated(probable.right(result))
    corrected = None if unlike else _settled(estimates)
    if corrected is not None and row.verdict == "inconclusive":
        values = _pair(row) | {"decision": _decision_of_gap(corrected)}
        return say(
            "From the probabilities, neither that {group} and {reference} differ nor that they are alike. From the "
            "people whose group is known, if they were drawn at random, that {group} were selected {decision} than "
            "{reference}, by this comparison alone. That is no verdict: the data cannot show how they were drawn.",
            **values,
        )
    if not row.verdict:
        nothing = say(
            "From the probabilities nothing on whether there is a gap: the people whose group is known do not support "
            "what the bound rests on."
        )
        if corrected is None:
            return nothing
        values = _pair(row) | {"decision": _decision_of_gap(corrected)}
        return f"{nothing} " + say(
            "From these people, if they were drawn at random, that {group} were selected {decision} than {reference}, "
            "by this comparison alone. That is no verdict: the data cannot show how they were drawn.",
            **values,
        )
    if row.verdict in SHOWN and row.conf_low != row.conf_low:
        return say(
            "If {right}, there is a gap between {group} and {reference}, of {points} percentage points at least among "
            "these people. The bound does not show how large it is beyond them.",
            points=percent(min(abs(ends.conf_low), abs(ends.conf_high))),
            right=right,
            **_pair(row),
        )
    if row.verdict in SHOWN:
        least = say(
            "If {right}, there is a gap between {group} and {reference}, of {points} percentage points at least.",
            points=percent(min(abs(row.conf_low), abs(row.conf_high))),
            right=right,
            **_pair(row),
        )
        return (
            least if _certain(ends) else f"{least} {say('The bound does not show how large it is within the limits.')}"
        )
    if probable.apart(ends):
        return say(
            "Among these people there is a gap between {group} and {reference}, if {right}. Beyond them neither a gap "
            "nor none follows.",
            right=right,
            **_pair(row),
        )
    return say("Neither that {group} and {reference} differ nor that they are alike: both are possible.", **_pair(row))


def _decision_of_gap(row: Estimate) -> str:
    return say("less often") if row.estimate < 0 else say("more often")


def _next(result: GroupStudy, row: Estimate, ends: Estimate, unlike: bool) -> str:
    if probable.all_known(result):
        return say(
            "Use `{call}` with the column of groups: it has rates, ratios and error rates, without probabilities.",
            call=str(Call("audit")),
        )
    if unlike:
        return say(
            "Leave out the argument “known”: the bound then rests on the probabilities alone, and its verdict "
            "holds if these are right for all. Or draw people at random and ask for their group.",
        )
    if row.verdict not in SHOWN and result.settings.get("drawn_at_random"):
        return say(
            "Audit the people whose group is known by themselves (`{call}`): if they were drawn at random, as "
            "declared, its verdict is about everybody they were drawn from, whether or not the probabilities are "
            "right.",
            call=str(Call("audit")),
        )
    if not row.verdict:
        return say(
            "If the people whose group is known were drawn at random, audit these people by themselves (`{call}`): its "
            "verdict is about everybody they were drawn from, whether or not the probabilities are right. Otherwise "
            "draw people at random and ask for their group, for the argument “known”. Where these refute the "
            "probabilities, bring others.",
            call=str(Call("audit")),
        )
    if not result.settings.get("known") and _certain(ends):
        return say(
            "Draw people at random and ask for their group: with the argument “known” these check the probabilities."
        )
    if not result.settings.get("known"):
        return say(
            "Draw people at random and ask for their group: with the argument “known” these check the "
            "probabilities and make the bound narrower.",
        )
    if row.verdict in SHOWN:
        return say("Look for the reasons of the gap, as among people who are alike in what the decision may depend on.")
    return say(
        "If the people whose group is known were drawn at random, audit these people by themselves "
        "(`{call}`): its verdict is about everybody they were drawn from. More of them make its limits "
        "narrower, and the bound's.",
        call=str(Call("audit")),
    )


def _impossible(result: GroupStudy, ends: Estimate, estimates: list[Estimate]) -> list[str]:
    """Which estimates are gaps that the bound excludes."""
    outside = [row for row in estimates if row.estimator != CORRECTED and words.shown(row)]
    return [
        say(
            "The {name} estimate, {gap} points, lies outside the bound: apart from sampling error no gap is that "
            "large if {right}.",
            name=translated(row.estimator),
            gap=percent(row.estimate),
            right=translated(probable.right(result)),
        )
        for row in outside
        if not ends.conf_low - 1e-9 <= row.estimate <= ends.conf_high + 1e-9
    ]


def _corrected(result: GroupStudy, estimates: list[Estimate], unlike: bool) -> str:
    """What the people whose group is known say of the same gap; little, where they are not like the others."""
    row = next((one for one in estimates if one.estimator == CORRECTED and words.shown(one)), None)
    if row is None:
        return ""
    values = _pair(row) | {"n": _of_known(result), "gap": percent(row.estimate), "limits": words.interval(row)}
    if unlike:
        return say(
            "With the {n} people whose group is known the gap of {group} from {reference} would be {gap} percentage "
            "points ({limits}) if they were drawn at random, which is refuted.",
            **values,
        )
    if row.conf_low <= 0 <= row.conf_high:
        return say(
            "With the {n} people whose group is known, if they were drawn at random, the gap of {group} from "
            "{reference} is {gap} percentage points ({limits}): that does not settle it either.",
            **values,
        )
    return say(
        "With the {n} people whose group is known, if they were drawn at random, the gap of {group} from "
        "{reference} is {gap} percentage points ({limits}). The limits leave out 0, which is no verdict.",
        **values,
    )


def _of_known(result: GroupStudy) -> str:
    """How many people of known group have probabilities, and of how many."""
    n = next(one.n for one in result.estimates if one.term == probable.CALIBRATION)
    for line in result.statements:
        if isinstance(line, Message) and says(line, probable.NO_PROBABILITIES):
            return translated(probable.K_OF_N.format(k=count(n), n=line.values["known"]))
    return words.count(n)


def bounds_table(result: GroupStudy, most: int = MOST) -> Table:
    """A line a group: how many are expected, its weighted rate, every number of its gap; below, limits of estimates."""
    bounded = bounded_rows(result)
    rows, known = [row for row, *_ in bounded], bool(result.settings.get("known"))
    exact = probable.all_known(result)
    limited = any(row.conf_low == row.conf_low for row in rows)
    rates = {row.group: row for row in result.estimates.only(contrast="none", estimator=WEIGHTED)}
    names = () if exact else (WEIGHTED, LINEAR, *([CORRECTED] if known else []))
    headings = [
        text(say("group")),
        Heading(say("people") if exact else say("expected people")),
        Heading(say("rate") if exact else say("weighted rate"), "%"),
        Heading(say("gap") if exact else say("bound of the gap"), say("points")),
        Heading(level_of(rows, result.conf_level) if limited else say("adjusted p")),
        *(Heading(translated(name), say("points")) for name in names),
        text(say("shown")),
    ]
    base = rows[0].reference
    lines = [[say("{group} (reference)", group=group_cell(rates[base].attribute, base))]]
    lines[0] += [words.number(rates[base].n, 0), percent(rates[base].estimate), *[words.DASH] * (2 + len(names)), ""]
    for row, ends, estimates in bounded[:most]:
        by_estimator = {one.estimator: one for one in estimates if words.shown(one)}
        gaps = [
            words.signed(100 * by_estimator[name].estimate) if name in by_estimator else words.DASH for name in names
        ]
        verdict = (say("yes") if row.verdict in SHOWN else say("no")) if row.verdict else words.DASH
        lines.append(
            [
                group_cell(row.attribute, row.group),
                words.number(rates[row.group].n, 0),
                percent(rates[row.group].estimate),
                percent(ends.conf_low) if exact else words.interval(ends),
                words.interval(row) if limited else words.p_value(row.p_adjusted),
                *gaps,
                verdict,
            ]
        )
        limits = [words.interval(by_estimator[name]) if name in by_estimator else "" for name in names]
        if names:
            lines.append([level_of(by_estimator.values(), result.conf_level), *[""] * 4, *limits, ""])
    decision = _decision(result).replace("`", "")
    if exact:
        note = say(
            "Gap: the share of the group recorded as {decision} (selection rate) less that of the reference. Every "
            "group is known.",
            decision=decision,
        )
        return _cut(say("Every group: its gap"), headings, lines, note, len(bounded) - most, most + 1)
    note = mark(
        "Gap: the share of the group recorded as {decision} (selection rate) less that of the reference. Bound: what "
        "it can be whoever is in which group if {right}."
    )
    if any(row.verdict for row in rows) and limited:
        note = mark(
            "Gap: the share of the group recorded as {decision} (selection rate) less that of the reference. Bound: "
            "what it can be whoever is in which group if {right}; the {name} adds sampling error, and decides alone "
            "whether a gap is shown."
        )
    elif any(row.verdict for row in rows):
        note = mark(
            "Gap: the share of the group recorded as {decision} (selection rate) less that of the reference. Bound: "
            "what it can be whoever is in which group if {right}; the adjusted p allows for sampling error, and "
            "decides alone whether a gap is shown."
        )
    elif limited:
        note = mark(
            "Gap: the share of the group recorded as {decision} (selection rate) less that of the reference. Bound: "
            "what it can be whoever is in which group if {right}; the {name} adds sampling error."
        )
    right = translated(probable.right(result))
    note = say(note, name=level_of(rows, result.conf_level), decision=decision, right=right)
    note += " " + say(
        "Below each estimate are its limits by itself. Weighted is right if there is no gap between any of the groups "
        "among people with equal probabilities, linear if the rate of each group is the same at all probabilities; "
        "both suppose that {right}.",
        right=right,
    )
    if known and any(one.estimator == CORRECTED for _, _, estimates in bounded for one in estimates):
        note += " " + say("Corrected is right if people whose group is known were drawn at random.")
    note = " ".join([note, *_wrong(rows)])
    title = say("Every group: the bound of its gap, and estimates beside it")
    return _cut(title, headings, lines, note, len(bounded) - most, 2 * most + 1)


def _cut(title: str, headings: list[Heading], lines: list[list[str]], note: str, more: int, most: int) -> Table:
    if more > 0:
        note += " " + say("{n} more lines are on the following pages.", n=more)
    return table(title, headings, lines, note, most)
