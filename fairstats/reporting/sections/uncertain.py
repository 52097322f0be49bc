"""Page one of groups that are known only as probabilities."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from fairstats.auditing import group_probabilities as probable
from fairstats.auditing.answer import OVERTURNED, Answer, answers, declared, over_missing, unknown
from fairstats.auditing.group_studies import (
    CORRECTED,
    LINEAR,
    SHOWN,
    WEIGHTED,
    GroupStudy,
    bounded_rows,
    limits,
    overturned,
    p_of_draws,
)
from fairstats.auditing.result import Audit
from fairstats.auditing.sentences import (
    as_word,
    decision_text,
    deed,
    group_people,
    in_code,
    open_over_all,
    parts,
    people,
    single_spaced,
)
from fairstats.document import Heading, Table
from fairstats.errors import Call
from fairstats.estimates import Estimate
from fairstats.inference.multiplicity import rejected
from fairstats.language import DataText, Message, listed, mark, say, says, translated
from fairstats.provenance import FlowStep, read_and_analyzed
from fairstats.reporting import words
from fairstats.reporting.bundle import Bundle
from fairstats.reporting.sections.other import refuted_premises, study_picture
from fairstats.reporting.sections.shared import blank, how_to_check, source_line, verifiable, who_and_when
from fairstats.reporting.tables import level_of, table, text
from fairstats.text import capital, percent

ABOUT = 0.95  # of the people of an audit, a study is of these people
MOST = 8  # groups of the table, of two lines each
BIASES = (probable.BRACKET, probable.BIASED, *probable.OF_CONDITIONS)
OF_CORRECTED = (probable.FROM_KNOWN, probable.WERE_THEY_DRAWN)
CHECKS = (probable.FITS, probable.IF_RIGHT, probable.UNTESTED)
AT_WORST = (*probable.OF_LEFT_OUT, probable.LEFT_OUT, probable.NAME_KNOWN)
REFUTED = probable.OF_REFUTED
DOUBTS = (
    *(probable.CERTAIN, probable.WRONG_FOR_ALL, probable.UNNAMED, probable.NO_PROBABILITIES),
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
NOTHING = mark(
    "From the probabilities nothing follows on whether there is a gap: the people whose group is known do not support "
    "what the bound rests on."
)
NOTHING_PUT = mark(
    "From probabilities of 0 and 1 nothing follows on whether there is a gap: they do not say how sure each group is."
)
OF_KNOWN = mark("A group is given for everybody. Is there a gap in the share recorded as {decision}?")
# by what is shown: of the study alone, and in the words of an audit of the same decision
CLAIMS = {
    "less": (
        mark("a smaller share of {group} than of {reference} was recorded as {decision}."),
        mark("{group} {event} less often than {reference}."),
    ),
    "more": (
        mark("a larger share of {group} than of {reference} was recorded as {decision}."),
        mark("{group} {event} more often than {reference}."),
    ),
    "open": (
        mark("it is open whether {group} or {reference} were recorded more often as {decision}."),
        mark("it is open whether {group} {event} less or more often than {reference}."),
    ),
}


def probabilities_page(bundle: Bundle, result: GroupStudy) -> dict[str, Any]:
    """The context of page one of `group_probabilities`."""
    known, exact = bool(result.settings.get("known")), probable.all_known(result)
    bounded = bounded_rows(result)
    lead = _lead(result)

    def texts_of(codes: Iterable[Message]) -> list[str]:
        return [_in_page(result, text) for text in result.statements if any(says(text, one) for one in codes)]

    refuted, found, unlike = texts_of(REFUTED), texts_of(BIASES), texts_of(probable.OF_UNLIKE)
    corrected, checked, sampled = texts_of(OF_CORRECTED), texts_of(CHECKS), _declared_sentence(result)
    first = bool(corrected and result.settings.get("drawn_at_random"))
    answer, every = _answer(result, *lead[:2]), _of_all([row for row, *_ in bounded], _pair(lead[0])["reference"])
    without = [translated(probable.WITHOUT_IT.format(answer=answer)), *every]
    either_way = bool(refuted) and bool(probable.contradicted(result.estimates, result.conf_level))
    refutation = refuted[:1] if either_way or not sampled else []
    put = probable.assigned(lead[0])
    named = [*texts_of([probable.ALL_CERTAIN]), *texts_of([probable.TAKEN]), *refutation]
    points = [
        *([] if exact else [(say("What is bounded."), _bounded(result, lead[0], lead[1]))]),
        *((say("What the bound rests on."), text) for text in checked[:1]),
        (say("What follows."), texts_of([probable.EVERYBODY])[0] if exact else _follows(result, *lead, bool(unlike))),
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
            [*named, *_declared(result, sampled, bool(refuted) and not either_way)]
            if sampled
            else named or [translated(answer), *every]
        ),
        "context": [
            *texts_of(probable.OF_OTHERS),
            *([" ".join(without)] if sampled and not (named or refuted) else []),
            *(refuted if sampled and not either_way else []),
            *(corrected if first else []),
            *texts_of(AT_WORST),
            *unlike,
            *([] if first else corrected),
            *([] if exact else _impossible(result, *lead[1:])),
            *texts_of(DOUBTS),
        ],
        "points": points,
        "tables": [bounds_table(result)],
        "figures": [] if exact else [study_picture("page-one-study", result)],
        "figures_last": True,
        "unshown": [
            *([] if exact or put else [say("Who is in which group: nobody was put into one.")]),
            *([say("Whether people are in the groups that the probabilities put them into.")] if put else []),
            say("That groups are treated alike, where no gap is shown."),
            say("Why the groups differ, if they do."),
            *(
                [say("Whether it holds over all people: those who are missing could overturn it.")]
                if any(overturned(row, result.estimates) for row, *_ in bounded)
                else []
            ),
        ],
        "rely": before_bound(result),
        "check": how_to_check(bundle) if verifiable(bundle) else None,
        "source": source_line(bundle),
    }


def _in_page(result: GroupStudy, text: str) -> str:
    """A statement, which calls the level of its differences as everything on page one does."""
    interval = text.values.get("interval") if isinstance(text, Message) else None
    if isinstance(text, Message) and isinstance(interval, Message) and says(interval, probable.INTERVAL):
        bounded = any(says(text, code) for code in (probable.TAKEN, *probable.OF_LEFT_OUT))
        rows = [row for row, *_ in bounded_rows(result)] if bounded else probable.corrected_in_order(result.estimates)
        text = text.format(**{**text.values, "interval": DataText(level_of(rows, result.conf_level))})
    return translated(text)


def before_bound(result: GroupStudy) -> list[str]:
    """What to ask before relying on the bound."""
    if probable.all_known(result):
        return []
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
    """The difference that is spoken of: a shown one, or else the one that the statements begin with."""
    of = {row.group: (row, ends, beside) for row, ends, beside in bounded_rows(result)}
    first = probable.in_order([row for row, *_ in of.values()], result.estimates)[0]
    if first.verdict not in SHOWN and _declared_sentence(result):
        first = probable.corrected_in_order(result.estimates)[0]
    return of[first.group]


def claims_beside(audit: Audit, result: GroupStudy, heading: str, sentence: str) -> list[tuple[str, str]]:
    """Beside an audit: what the bound shows and what known people do, each a claim and the numbers that it rests on.

    sentence: the answer of a page of its own, which has no claims where there is no verdict or no doubt of a group.
    """
    row, ends, estimates = _lead(result)
    codes = (*probable.OF_UNDONE, probable.SHARPER)
    cautions = [_in_page(result, text) for text in result.statements if any(says(text, code) for code in codes)] + [
        line for line, first in _relations(audit, result) if first
    ]
    if not _of_same_people(audit, result):
        values = {"heading": heading, "n": words.count(result.n), "all": words.count(_read(audit)[0])}
        heading = say("{heading}, of {n} people (the audit has {all})", **values)
    if not row.verdict or probable.all_known(result):
        return [(f"{heading}.", " ".join([sentence, *cautions]))]
    sampled = _declared_sentence(result) is not None
    claim, numbers = _bound_claim(audit, result, row, ends)
    named = _named(audit, result, row)
    claims = [(claim, " ".join([numbers, *_of_all([row for row, *_ in bounded_rows(result)], named["reference"])]))]
    corrected = [one for one in estimates if one.estimator == CORRECTED and words.shown(one)]
    claims += [_corrected_claim(audit, result, one, sampled) for one in corrected]
    if sampled:
        (claim, numbers), *first = claims
        claims = [*first, (translated(probable.WITHOUT_IT.format(answer=DataText(claim))), numbers)]
    items = [(capital(claim) if i else f"{heading}: {claim}", numbers) for i, (claim, numbers) in enumerate(claims)]
    lead, numbers = items[-1]
    return [*items[:-1], (lead, " ".join([numbers, *cautions]))]


def _read(audit: Audit) -> tuple[float, float]:
    """How many people were read and analyzed."""
    read, analyzed = read_and_analyzed(audit.flow) if audit.flow else (FlowStep("", 0), FlowStep("", 0))
    return read.n, analyzed.n


def _of_same_people(audit: Audit, result: GroupStudy) -> bool:
    """Whether a study has about as many people as the audit read or analyzed: some may lack every probability."""
    return any(ABOUT * n <= result.n <= n / ABOUT for n in _read(audit))


def _claim(audit: Audit, result: GroupStudy, row: Estimate, way: str) -> str:
    """Which of two groups is selected less often, in the words of the audit where it is of the same decision."""
    rules = audit.protocol
    if rules.decision != result.settings["decision"] or not _of_same_label(audit, result):
        return say(CLAIMS[way][0], **_pair(row), decision=_decision(result))
    return single_spaced(say(CLAIMS[way][1], **_named(audit, result, row), **parts(deed(rules, "D=+"))))


def _of_same_label(audit: Audit, result: GroupStudy) -> bool:
    """Whether both call the same label of the decision favorable."""
    label = result.settings.get("favorable")
    return audit.protocol.favorable in ({str(label)} if label else {"1", "True"})  # of a flag the default


def _named(audit: Audit, result: GroupStudy, row: Estimate) -> dict[str, str]:
    """The two groups of a difference by the names that they have in the audit."""
    rules = audit.protocol
    attribute = next(iter([*attributes_bounded(audit, result), result.settings.get("known")]), None)
    if attribute not in rules.groups:
        return _pair(row)
    return {"group": people(rules, attribute, row.group), "reference": people(rules, attribute, row.reference)}


def _way(gap: float) -> str:
    return "less" if gap < 0 else "more"


def _bound_claim(audit: Audit, result: GroupStudy, row: Estimate, ends: Estimate) -> tuple[str, str]:
    named = {"right": translated(probable.right(result))}
    name, (low, high) = level_of([row], result.conf_level), (row.conf_low, row.conf_high)
    if low != low:
        name = translated(probable.WITHOUT_ERROR.format(p=limits(row)))
        low, high = ends.conf_low, ends.conf_high
    if row.verdict not in SHOWN:
        claim = _claim(audit, result, row, "open")
        numbers = mark("The difference lies between {low} and {high} percentage points ({name}), if {right}.")
    else:
        claim = _claim(audit, result, row, _way(ends.conf_high))
        numbers = mark("By {low} to {high} percentage points ({name}), if {right}, which the data cannot show.")
        low, high = sorted((abs(low), abs(high)))
    whoever = say("whoever is in which group, {claim}", claim=DataText(claim))
    return whoever, say(numbers, low=percent(low), high=percent(high), name=name, **named)


def _corrected_claim(audit: Audit, result: GroupStudy, row: Estimate, declared_so: bool) -> tuple[str, str]:
    """The difference corrected by known people, if drawn at random, and what the test of that says."""
    tests = result.estimates.only(role="omnibus", term=probable.AT_RANDOM, status="ok")
    shown = probable.NOT_REFUTED[0].format(p=p_of_draws(tests[0].p_value)) if tests else probable.NOT_SHOWN[0]
    (check,) = result.estimates.only(role="omnibus", term=probable.CALIBRATION)
    named = {"n": words.count(check.n), "shown": translated(shown)}
    claim = _claim(audit, result, row, _way(row.estimate) if rejected(row.p_adjusted, result.conf_level) else "open")
    drawn = say("if the {n} people of known group were drawn at random, {claim}", claim=DataText(claim), **named)
    name = f"{level_of([row], result.conf_level)} {_limits(row)}" if row.conf_low == row.conf_low else _limits(row)
    numbers = mark("A difference of {gap} percentage points ({name}), which is no verdict. Drawn at random: {shown}.")
    if declared_so:
        numbers = mark("A difference of {gap} percentage points ({name}). Drawn at random, as declared: {shown}.")
    others = [one for one in probable.corrected_in_order(result.estimates) if one.group != row.group]
    each = [probable.corrected_of(one) for one in others]
    rest = [say("The other differences: {list}.", list=translated(listed(each, probable.MOST_GROUPS)))] if each else []
    return drawn, " ".join([say(numbers, gap=percent(row.estimate), name=name, **named), *rest])


def beside_audit(audit: Audit, result: GroupStudy) -> list[str]:
    """How the bound relates to an audit of the same decision by these groups, where some people have none."""
    return [line for line, _ in _relations(audit, result)]


# by whether the audit shows a gap
OF_RECORDED = {
    True: mark(
        "A gap that the audit alone shows is one among people whose {name} is recorded; it holds for all people if "
        "chance alone decided whose {name} is not recorded."
    ),
    False: mark(
        "That the audit alone shows no gap is about people whose {name} is recorded; it is about all people if "
        "chance alone decided whose {name} is not recorded."
    ),
}
OF_RECORDED_REFUTED = {
    True: mark(
        "A gap that the audit alone shows is one among people whose {name} is recorded; it would hold for all "
        "people if chance alone decided whose {name} is not recorded, which these data refute ({p})."
    ),
    False: mark(
        "That the audit alone shows no gap is about people whose {name} is recorded; it would be about all people "
        "if chance alone decided whose {name} is not recorded, which these data refute ({p})."
    ),
}


def _relations(audit: Audit, result: GroupStudy) -> list[tuple[str, bool]]:
    """Each sentence on how both relate, and whether page one needs it: a refuted condition, or which range counts."""
    read, analyzed = _read(audit)
    row, _, _ = _lead(result)
    (share,) = result.estimates.only(term=probable.KNOWN_SHARE) or (None,)
    unlike = [text for text in result.statements if any(says(text, one) for one in probable.OF_DIFFERENT)]
    lines = list[tuple[str, bool]]()
    files = audit.data, result.data[0]
    if all(one.sha256 for one in files) and files[0].sha256 != files[1].sha256:
        one, other = (in_code(one.name) for one in files)
        text = say(
            "The audit is of {one}, this study of {other}: they are read together as of the same people, which nothing "
            "here shows.",
            one=one,
            other=other,
        )
        lines.append((text, True))
    same_label = _of_same_label(audit, result)
    if not same_label and attributes_bounded(audit, result):
        text = say(
            "The audit is of {one}, this study of {other}: their differences have opposite signs, and are not "
            "compared.",
            one=in_code(decision_text(audit.protocol, audit.protocol.favorable)),
            other=_decision(result),
        )
        lines.append((text, True))
    for attribute in attributes_bounded(audit, result):
        rows, lost = audit.estimates.only(attribute=attribute), unknown(audit, attribute)
        values = {"name": audit.protocol.called(attribute), "known": words.count(read - lost), "n": words.count(read)}
        values |= {"bounded": words.count(result.n)}
        lines.append((say("The audit compares people whose {name} is recorded ({known} of {n}).", **values), False))
        if share is not None and read - analyzed in (0, lost) and read - lost != share.events:
            other = say(
                "Both are not of the same people or columns: the audit has {known} people of known {name}, this study "
                "has {others} (by {column}).",
                others=words.count(share.events),
                column=in_code(result.settings["known"]),
                **values,
            )
            lines.append((other, True))
        if row.verdict:
            about = say(
                "The bound is about {bounded} people, whatever the groups that are not recorded are, if {right}.",
                right=translated(probable.right(result)),
                **values,
            )
            lines.append((about, False))
        differs = any(one.differs for one in answers(audit) if one.attribute == attribute)
        alone = OF_RECORDED[differs]
        refuted = bool(unlike) and result.settings["known"] in audit.protocol.columns_of(attribute)
        if refuted:
            (drawn,) = result.estimates.only(role="omnibus", term=probable.AT_RANDOM)
            values["p"] = translated(probable.P_ALONE.format(p=p_of_draws(drawn.p_value)))
            alone = OF_RECORDED_REFUTED[differs]
        lines.append((say(alone, **values), refuted))
        at_worst = over_missing(audit, row.changed(attribute=attribute))
        together = same_label and _of_same_people(audit, result)
        inside = at_worst and row.conf_low <= at_worst.conf_low <= at_worst.conf_high <= row.conf_high
        if row.verdict and at_worst and inside and together:
            narrower = say(
                "Without probabilities, but with people of unknown group at worst, the audit has the difference of "
                "{group} from {reference} between {low} and {high} percentage points. This range counts: it is "
                "narrower than the bound, and does not suppose that probabilities are right.",
                low=percent(at_worst.conf_low),
                high=percent(at_worst.conf_high),
                **_named(audit, result, row),
            )
            lines.append((narrower, True))
        elif rows.only(role="bounds"):
            lines.append((say("The range that the audit has with these people at worst uses no probabilities."), False))
    return lines


def attributes_bounded(audit: Audit, result: GroupStudy) -> list[str]:
    """The attributes that some people lack, by whose groups the bound is of the same decision."""
    labels = {label for row, *_ in bounded_rows(result) for label in (row.group, row.reference)}
    return [
        attribute
        for attribute in declared(audit)
        if audit.protocol.decision == result.settings["decision"]
        and unknown(audit, attribute) > 0
        and not labels - {row.group for row in audit.estimates.only(attribute=attribute)}
    ]


def beside_headline(audit: Audit, spoken: Sequence[Answer], result: GroupStudy) -> str:
    """That no gap is shown, or none over all people, without probabilities, where the bound by them shows one."""
    named = [one for one in spoken if one.attribute in attributes_bounded(audit, result)]
    open_ones = any(one.code == "inconclusive" or open_over_all(audit, one) for one in named)
    bounded = any(row.verdict in SHOWN for row, *_ in bounded_rows(result))
    if not open_ones or not bounded or not _of_same_people(audit, result):
        return ""
    return say(
        "That is without probabilities of the groups; with these, see “{finding}” below.",
        finding=translated(result.question),
    )


def shown_by_bound(audit: Audit, one: Answer, result: GroupStudy) -> bool:
    """Whether the bound shows the gap of an answer over all people, if the probabilities are right."""
    rows = [row for row, *_ in bounded_rows(result) if (row.group, row.reference) == (one.group, one.reference)]
    shown = any(row.verdict == one.code and not overturned(row, result.estimates) for row in rows)
    return one.taken_back and shown and one.attribute in attributes_bounded(audit, result)


def _decision(result: GroupStudy) -> str:
    return as_word(result.settings["decision"], str(result.settings.get("favorable", "")))


def _pair(row: Estimate) -> dict[str, str]:
    both = {"group": row.group, "reference": row.reference}
    named = {key: group_people(row.attribute, label) for key, label in both.items()}
    return {  # no column is called by the groups, which have labels in the call
        key: say("people of group {group}", group=both[key]) if "`" in text else text for key, text in named.items()
    }


def _called(result: GroupStudy, row: Estimate) -> dict[str, DataText]:
    """What page one calls the groups of a difference, the decision and the interval."""
    called = _pair(row) | {"decision": _decision(result), "interval": level_of([row], result.conf_level)}
    return {name: DataText(text) for name, text in called.items()}


def _answer(result: GroupStudy, row: Estimate, ends: Estimate) -> Message:
    say_answer = probable.known_answer if probable.all_known(result) else probable.answer
    return say_answer(row, ends, _called(result, row) | {"right": probable.right(result)})


def _declared_sentence(result: GroupStudy) -> Message | None:
    """The statement on the difference that is spoken of, if known people were drawn at random as declared."""
    codes = {code.template for code in probable.OF_DECLARED}
    return next((text for text in result.statements if isinstance(text, Message) and text.template in codes), None)


def _declared(result: GroupStudy, statement: Message, refuted: bool) -> list[str]:
    """The corrected difference of people declared to be drawn at random, and that they refute the probabilities."""
    row = probable.corrected_in_order(result.estimates)[0]
    drawn = {name: statement.values[name] for name in ("n", "shown")}
    lines = [translated(probable.declared_answer(row, result.conf_level, _called(result, row) | drawn))]
    if refuted:
        p = min(one.p_value for one in result.estimates.only(role="omnibus") if one.term != probable.AT_RANDOM)
        lines.append(
            say(
                "Then the probabilities are refuted ({p}), and the bound with them.",
                p=translated(probable.P_ALONE.format(p=p_of_draws(p))),
            )
        )
    return lines


def _of_all(rows: list[Estimate], reference: str) -> list[str]:
    """For how many groups a gap is shown, where there are several: the answer is about one of them."""
    k, values = sum(row.verdict in SHOWN for row in rows), {"n": len(rows), "reference": DataText(reference)}
    text = probable.SHOWN_FOR.format(k=k, **values) if k else probable.SHOWN_FOR_NONE.format(**values)
    return [translated(text)] if rows[1:] else []


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
            "The share of {group} recorded as {decision} less that of {reference}: {low} percentage points, if each of "
            "these people is in the group that probabilities of 0 and 1 give."
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
    return " ".join([line, *refuted_premises(result, [row])])


def _certain(ends: Estimate) -> bool:
    """Whether the bound is one number, since all probabilities are 0 or 1."""
    return ends.conf_high - ends.conf_low < 1e-9


def _settled(estimates: list[Estimate], level: float) -> Estimate | None:
    """The estimate that is corrected by known people, where it leaves out a gap of 0 at the level of its family."""
    return next((one for one in estimates if one.estimator == CORRECTED and rejected(one.p_adjusted, level)), None)


def _follows(result: GroupStudy, row: Estimate, ends: Estimate, estimates: list[Estimate], unlike: bool) -> str:
    right = translated(probable.right(result))
    nothing = say(NOTHING_PUT) if probable.assigned(row) else say(NOTHING)
    corrected = None if unlike else _settled(estimates, result.conf_level)
    if row.verdict not in SHOWN and corrected is not None:
        from_known = say(
            "From the people whose group is known it follows, if they were drawn at random, that {group} were selected "
            "{decision} than {reference}. That is no verdict: the data cannot show how they were drawn.",
            decision=say("less often") if corrected.estimate < 0 else say("more often"),
            **_pair(row),
        )
        neither = say(
            "From the probabilities it follows neither that {group} and {reference} differ nor that they are alike.",
            **_pair(row),
        )
        return f"{neither if row.verdict else nothing} {from_known}"
    if not row.verdict:
        return nothing
    if row.verdict in SHOWN and row.conf_low != row.conf_low:
        return say(
            "If {right}, there is a gap between {group} and {reference}, without sampling error of {points} percentage "
            "points at least. The bound does not show how large it is.",
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
    return say(
        "It follows neither that {group} and {reference} differ nor that they are alike: both are possible.",
        **_pair(row),
    )


def _next(result: GroupStudy, row: Estimate, ends: Estimate, unlike: bool) -> str:
    if probable.all_known(result):
        return say(
            "Use `{call}` with the column of groups: it has rates, ratios and error rates, without probabilities.",
            call=str(Call("audit")),
        )
    if any(says(text, probable.TOO_SHARP) for text in result.statements):
        return say(
            "Where the most probable group was assigned, or probabilities were cut, pass those from before. Where rows "
            "were put together, do it by what names a person, never by their order; then call again."
        )
    if probable.contradicted(result.estimates, result.conf_level):
        return say(
            "Put people and probabilities together by what names a person, never by their order, and see that every "
            "group has the column of its own probabilities; then call again."
        )
    if probable.assigned(row):
        return say(
            "Pass the probabilities that the groups were chosen by. If the groups are known, use `{call}` with a "
            "column of them.",
            call=str(Call("audit")),
        )
    if any(says(text, probable.SHARPER) for text in result.statements):
        return say(
            "See whether the probabilities of people whose group is not known were computed as those of people of "
            "known group were. Where they were not, pass such as were. Where they were, and these are different "
            "people, draw people at random and ask for their group."
        )
    if unlike:
        return say(
            "Leave out the argument “known”: the bound then rests on the probabilities alone, and its verdict "
            "holds if these are right for all. Or suppose for each group a rate at which it is known, and pass "
            "probabilities of the others that follow from these rates (the guide to groups known as probabilities says "
            "how). Or draw people at random and ask for their group.",
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


def bounds_table(result: GroupStudy, most: int = MOST) -> Table:
    """A line a group: how many are expected, its weighted rate, every number of its gap; below, limits of estimates."""
    bounded = bounded_rows(result)
    rows, known = [row for row, *_ in bounded], bool(result.settings.get("known"))
    exact = probable.all_known(result)
    limited = any(row.conf_low == row.conf_low for row in rows)
    rates = {row.group: row for row in result.estimates.only(contrast="none", estimator=WEIGHTED)}
    names = () if exact else (WEIGHTED, LINEAR, *([CORRECTED] if known else []))
    below = limited and bool(names)  # limits of the bound, too: beside it they leave no room for labels of groups
    headings = [
        text(say("group")),
        Heading(say("people") if exact else say("expected people")),
        Heading(say("rate") if exact else say("weighted rate"), "%"),
        Heading(say("gap") if exact else say("bound of the gap"), say("points")),
        *([] if below else [Heading(level_of(rows, result.conf_level) if limited else say("adjusted p"))]),
        *(Heading(translated(name), say("points")) for name in names),
        text(say("by the bound")) if _declared_sentence(result) else text(say("shown")),
    ]
    base = rows[0].reference
    lines = [[say("{group} (reference)", group=base)]]  # labels alone: in words they may take three lines
    lines[0] += [
        words.number(rates[base].n, 0),
        percent(rates[base].estimate),
        *[words.DASH] * (2 - below + len(names)),
        "",
    ]
    for row, ends, estimates in bounded[:most]:
        by_estimator = {one.estimator: one for one in estimates if words.shown(one)}
        gaps = [
            probable.IF_DRAWN * probable.shown_if_declared(result, one) + words.signed(100 * one.estimate)
            if one
            else words.DASH
            for one in map(by_estimator.get, names)
        ]
        verdict = (say("yes") if row.verdict in SHOWN else say("no")) if row.verdict else words.DASH
        if row.verdict and _declared_sentence(result):
            verdict = say("shown") if row.verdict in SHOWN else say("not settled")
        if overturned(row, result.estimates):
            verdict = f"{verdict} {OVERTURNED}"
        lines.append(
            [
                row.group,
                words.number(rates[row.group].n, 0),
                percent(rates[row.group].estimate),
                percent(ends.conf_low) if exact else words.interval(ends),
                *([] if below else [words.interval(row) if limited else words.p_value(row.p_adjusted)]),
                *gaps,
                verdict,
            ]
        )
        limits = [_limits(by_estimator[name]) if name in by_estimator else "" for name in names]
        if names:
            of_bound = [words.interval(row)] if below else ["", ""]
            lines.append([say("limits"), "", "", *of_bound, *limits, ""])
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
    corrected = [one for *_, estimates in bounded for one in estimates if one.estimator == CORRECTED]
    alone = [one for *_, estimates in bounded for one in estimates if one.estimator != CORRECTED]
    beneath = {"name": level_of(rows, result.conf_level), "level": level_of(alone, result.conf_level)}
    beneath["corrected"] = level_of(corrected, result.conf_level) if limited else say("adjusted p")
    apart = bool(corrected) and beneath["corrected"] != beneath["level"]
    if below and apart:
        beneath_each = mark(
            "Limits: below the bound its {name}, below corrected its {corrected}, below other estimates their {level}, "
            "each by itself."
        )
    elif below:
        beneath_each = mark("Limits: below the bound its {name}, below each estimate its {level} by itself.")
    elif apart:
        beneath_each = mark("Limits: below corrected its {corrected}, below other estimates their {level}, by itself.")
    else:
        beneath_each = mark("Limits: below each estimate its {level} by itself.")
    note += " " + say(beneath_each, **beneath)
    note += " " + say(
        "Weighted is right if there is no gap between any of the groups "
        "among people with equal probabilities, linear if the rate of each group is the same at all probabilities; "
        "both suppose that {right}.",
        right=right,
    )
    if known and corrected:
        note += " " + say("Corrected is right if people whose group is known were drawn at random.")
    if any(probable.shown_if_declared(result, one) for *_, estimates in bounded[:most] for one in estimates):
        note += " " + say("{sign}: shown, if they were, as declared.", sign=probable.IF_DRAWN)
    if any(overturned(row, result.estimates) for row in rows[:most]):
        note += " " + say("{sign} Among those who are known; those who are missing could overturn it.", sign=OVERTURNED)
    note = " ".join([note, *refuted_premises(result, rows)])
    title = say("Every group: the bound of its gap, and estimates beside it")
    return _cut(title, headings, lines, note, len(bounded) - most, 2 * most + 1)


def _limits(row: Estimate) -> str:
    """The limits of an estimate; where an adjustment has none its adjusted p."""
    return words.interval(row) if row.conf_low == row.conf_low else f"p {words.p_value(row.p_adjusted)}"


def _cut(title: str, headings: list[Heading], lines: list[list[str]], note: str, more: int, most: int) -> Table:
    if more > 0:
        note += " " + say("{n} more lines are on the following pages.", n=more)
    return table(title, headings, lines, note, most)
