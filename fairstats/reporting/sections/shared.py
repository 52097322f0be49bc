"""Helpers of several sections: the groups of an attribute by size, and a sentence on a metric's range of rates."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import product
from typing import Any

from fairstats.auditing import monitor
from fairstats.auditing.answer import (
    ALIKE,
    AMOUNTS,
    FIRST_RATES,
    IN_UNIT,
    LEVELS,
    RATES,
    RATIOS,
    SCORES,
    Answer,
    amounts_alone,
    complement,
    declared,
    flags,
    held_fixed,
    is_crude,
    metric_within,
    of_missing,
    open_within,
    ratios_by_stratum,
    ratios_within,
    unknown,
)
from fairstats.auditing.arguments import MEASURES
from fairstats.auditing.counts import IMPACT_METRICS
from fairstats.auditing.group_studies import GroupStudy
from fairstats.auditing.local_law_144 import ImpactTable
from fairstats.auditing.protocol import About, OfClass, Protocol, Resolved
from fairstats.auditing.rates import MORE, MOVED, TO_FOUR_FIFTHS
from fairstats.auditing.result import (
    BY_PROBABILITIES,
    EXCHANGED,
    FAVORABLE,
    KNOWN_BY_DECISION,
    KNOWN_BY_DECISION_SCORED,
    ODD_CLASSES,
    REPEATED,
    Audit,
    bounds_over_withheld,
)
from fairstats.auditing.sentences import (
    FOUR_FIFTHS,
    PageOne,
    answer_event,
    by_size,
    chi_square,
    column_name,
    crossed_people,
    group_cell,
    group_name,
    in_code,
    inside,
    known_alone,
    named_meeting,
    not_settled_within,
    outcome_text,
    page_one,
    parts,
    phrase,
    range_text,
    ratio_of,
    score_noun,
    short_name,
    single_spaced,
    strata_name,
    with_plain_verbs,
    without_auxiliary,
)
from fairstats.auditing.suppression import HIGHEST_RATE
from fairstats.auditing.tally import SENT
from fairstats.comparing.result import (
    Comparison,
    called_term,
    changed_limits,
    families,
    family_of,
    possible,
)
from fairstats.data.read import PERHAPS_THOUSANDS
from fairstats.document import Heading, Paragraph, Table
from fairstats.errors import InputError, Setting
from fairstats.estimates import SHOWN, Estimate, Estimates
from fairstats.inference.multiplicity import NO_MARGINS, rejected
from fairstats.inference.rates.adverse_impact import (
    BELOW,
    OTHER_HIGHEST,
    SIDES,
    SMALL_GROUP,
    below_line,
    concluded_side,
    counted_by_rule,
)
from fairstats.inference.rates.many_rates import uncounted
from fairstats.inference.representations.leakage import Leakage
from fairstats.inference.verdicts import comparisons_of
from fairstats.labels import LOOK_ALIKE, ODD_ANSWERS, OF_LINES, PERHAPS_MISSING, TAKEN_AS_MISSING, holds_missing, split
from fairstats.language import mark, message, renamed, say, say_number, says, translated
from fairstats.methods.results import failures
from fairstats.metrics import METRICS
from fairstats.provenance import (
    BY_SCORE,
    HISTOGRAM,
    VALUES,
    Curve,
    DataSource,
    FlowStep,
    read_and_analyzed,
)
from fairstats.reporting import words
from fairstats.reporting.bundle import CALLS, Bundle, name_of, of_probabilities
from fairstats.reporting.figures import scores
from fairstats.reporting.figures.scores import calibration, ecdf, flagged, outcome_by_score, roc, score_distribution
from fairstats.reporting.figures.style import NARROW, Drawing
from fairstats.reporting.tables import (
    MOST_ROWS,
    Column,
    crude_levels,
    level_of,
    methods_note,
    number_or_dash,
    table,
    text,
    word,
)
from fairstats.text import capital, count, impact_ratio, level, level_number, listed, percent, subtracts
from fairstats.validation import CREDIT, EMPLOYMENT

# What every page one has, whatever it reports on: who and when, what it does not show, where to read on.


def blank() -> dict[str, Any]:
    """The names of page one, all empty: every kind of report fills its own."""
    lists = ("context", "paragraphs", "first", "points", "tables", "figures", "unshown", "rely", "next")
    return {
        **dict.fromkeys(("who", "question", "sentence", "source", "open", "at_once"), ""),
        "card": None,
        "findings_last": False,
        "figures_last": False,
        "check": None,
        "card_title": "",
        "actions": None,
        **{n: [] for n in lists},
    }


def day_of(created: str) -> str:
    """The day of a moment, as the language writes it."""
    year, month, day = created[:10].split("-")
    return say("{year}-{month}-{day}", year=year, month=month, day=day)


def who_and_when(bundle: Bundle, name_absent: bool = True) -> str:
    """One line: of whom, of which system and period, by whom, when; name_absent: also where no auditor is named."""
    about = About() if bundle.audit is None else bundle.audit.protocol.about
    date = day_of(bundle.created)
    auditor = say("auditor: {name}", name=bundle.auditor) if bundle.auditor else ""
    if about.prepared_by and not auditor:
        auditor = say("prepared by {name}", name=about.prepared_by)
    if bundle.audit is None:
        parts = [auditor or (say("auditor not named") if name_absent else ""), date]
    else:
        law, p = law_notice(bundle), bundle.audit.protocol
        about = replace(
            about, system=about.system or law.get("tool", ""), version=about.version or law.get("version", "")
        )
        present = {"system": about.system, "version": about.version, "period": about.period}
        present = ({"auditor": auditor} if law else {}) | present  # else it is said before you rely on it
        decides, named = (p.decision or p.threshold is not None) and not (law or bundle.law_of_preset), p.law
        if decides and not all(present.values()):
            present["law"] = named
        absent = [say(NAMES_IN_LINE[name]) for name, value in present.items() if not value]
        missing = say("not given: {names}", names=", ".join(absent)) if absent else ""
        decided = cut_in_words(bundle.audit.protocol)
        ruled = say(LAW_IN_LINE[named]) if named else ""
        if decides and "law" not in present and not named:
            ruled = say("law: none declared")
        if bundle.law_of_preset:
            ruled = say(PRESET_IN_LINE[bundle.law_of_preset])
        parts = [
            _people(bundle.audit),
            *_known(bundle.audit),
            _system(replace(about, system="") if bundle.title.startswith(about.system) else about),
            about.jurisdiction,
            about.intended_use and say("use: {use}", use=about.intended_use),
            say("period: {period}", period=about.period) if about.period else "",
            decided,
            ruled,
            auditor,
            date,
            say("report {id}", id=bundle.id),
            missing,
        ]
    return " · ".join(filter(None, parts))


def law_notice(bundle: Bundle) -> dict[str, str]:
    """What Local Law 144 has published beside its tables: of the report, or of a table that the auditor brings."""
    brought = (dict(one.about) for one in bundle.others if isinstance(one, ImpactTable) and one.about)
    return dict(bundle.about) or next(brought, {})


LAW_IN_LINE = {EMPLOYMENT: mark("law: employment (29 CFR 1607)"), CREDIT: mark("law: credit (12 CFR 1002), not tested")}
BESIDE_DECLARED = "ll144 beside employment"
PRESET_IN_LINE = {
    "four_fifths": mark("law: employment (29 CFR 1607), as the preset has it"),
    "ll144": mark("law: Local Law 144 of New York City"),
    BESIDE_DECLARED: mark("law: Local Law 144 of New York City"),
}
LAW_SUBJECTS = {CREDIT: mark("credit (12 CFR 1002)")}  # that have no rule of their own here
NAMES_IN_LINE = {
    "auditor": mark("auditor"),
    "system": mark("system"),
    "version": mark("version"),
    "period": mark("period"),
    "law": mark("law"),
}


def cut_in_words(protocol: Resolved) -> str:
    """Which scores the words of a decision mean; "" where they have none, or the decision is no cut of a score."""
    text = phrase(protocol, "D=1" if flags(protocol) else "D=+")
    if protocol.threshold is None or not text:
        return ""
    above = (protocol.positive_prediction if flags(protocol) else protocol.favorable) == "1"
    values = {
        "score": protocol.labels.score or (say("score") if protocol.labels.unit else protocol.score),
        "threshold": words.setting(protocol.threshold),
    }
    values["decided"] = without_auxiliary(text)
    side = (
        mark("{decided} = {score} of {threshold} or more") if above else mark("{decided} = {score} below {threshold}")
    )
    cut = say(side, **values)
    if phrase(protocol, "Y=1") == say("had the outcome"):
        return say("{cut} · outcome: {outcome}", cut=cut, outcome=outcome_text(protocol))
    return cut


def _system(about: About) -> str:
    """The audited system with its version."""
    if about.system and about.version:
        return say("{system}, version {version}", system=about.system, version=about.version)
    return about.system or (say("version {version}", version=about.version) if about.version else "")


# What the entries of `About` are called in a report.
ABOUT_NAMES = {
    "system": mark("System"),
    "version": mark("Version"),
    "vendor": mark("Vendor"),
    "period": mark("Period"),
    "jurisdiction": mark("Jurisdiction"),
    "intended_use": mark("Intended use"),
    "known_limits": mark("Known limits"),
    "prepared_by": mark("Prepared by"),
    "reviewed_by": mark("Reviewed by"),
    "approved_by": mark("Approved by"),
    "next_review": mark("Next review"),
}


def sign_off(bundle: Bundle) -> tuple[tuple[str, str], ...]:
    """Who prepared, reviewed and approved the report, each with a line to sign on; blank where nobody said it."""
    about = About() if bundle.audit is None else bundle.audit.protocol.about
    signed = "", say("Signature and date")
    lines = (
        (about.prepared_by or bundle.auditor, say("Prepared by (name and role)")),
        (about.reviewed_by, say("Reviewed by (name and role)")),
        (about.approved_by, say("Approved by (name and role)")),
    )
    pairs = tuple(one for line in lines for one in (line, signed))
    return pairs if bundle.audit is None else (*pairs, (about.next_review, say("Next review")))


WITH_AMOUNT = message("with an amount")


def with_amount(audit: Audit) -> FlowStep | None:
    """Who has an amount, of those analyzed; None where all have, or there are other measures."""
    missing = [step.n for step in audit.flow if step.label == MEASURES["amount"].lacking]
    last = read_and_analyzed(audit.flow)[1].n
    if not amounts_alone(audit.protocol) or not missing or not missing[0] > 0 or math.isnan(last):
        return None
    return FlowStep(WITH_AMOUNT, last - missing[0])


def _people(audit: Audit) -> str:
    unit = audit.protocol.labels.people(say("people"))
    if cells_withheld(audit):
        return say("Audit of {n} {people} in the cells that were sent", n=count(audit.people), people=unit)
    total = sum(cell.n for cell in audit.cells if cell.attribute == declared(audit)[0])
    if stand_for_more(audit.protocol) and total == total:
        values = {"n": count(audit.people), "people": unit, "total": count(total)}
        return say("Audit of {n} {people}, who stand for {total} (sum of their weights)", **values)
    some = with_amount(audit)
    if some and read_and_analyzed(audit.flow)[1].n == audit.people:
        values = {"n": count(some.n), "people": unit, "all": count(audit.people)}
        return say("Audit of {n} {people} with an amount, of {all}", **values)
    return say("Audit of {n} {people}", n=count(audit.people), people=unit)


def _known(audit: Audit) -> list[str]:
    """Of each attribute that some people lack how many have it, how many are analyzed where these are left out, and of
    how many of those the decision and the outcome are known.
    """
    if not audit.flow:
        return []
    read, analyzed = (step.n for step in read_and_analyzed(audit.flow))

    def known(name: str, lost: float, n: float) -> str:
        values = {"known": count(n - lost), "n": count(n), "share": percent(lost / n)}
        return say("{name} known for {known} of {n} ({share}% not known)", name=name, **values)

    items = [
        known(audit.protocol.called(attribute), lost, read)
        for attribute in declared(audit)
        if (lost := unknown(audit, attribute)) > 0
    ]
    items += [say("{n} analyzed", n=count(analyzed))] if items and analyzed < read else []
    lacking = {MEASURES["decision"].lacking: say("decision"), MEASURES["outcome"].lacking: say("outcome")}
    steps = [step for step in audit.flow if step.label in lacking and step.n > 0]
    return [*items, *(known(lacking[step.label], step.n, analyzed) for step in steps)]


def stand_for_more(protocol: Resolved) -> bool:
    """Whether people are counted by weights of a survey, so that a count is of the people whom they stand for."""
    return bool(protocol.design) or bool(protocol.weights and protocol.weight_type == "probability")


def source_line(bundle: Bundle) -> str:
    """The data of the audit with the two ends of their hash; where all numbers are, the last page says."""
    return "" if bundle.audit is None or not bundle.audit.data.sha256 else source_of(bundle.audit.data)


def source_of(data: DataSource) -> str:
    """A file, or counts, with the two ends of their hash."""
    digest = f"{data.sha256[:8]}…{data.sha256[-8:]}"
    text = mark("Data {name}, SHA-256 {digest}.")
    if data.counts is not None:  # not of the file: the order of its lines does not matter
        text = mark("Data {name}, SHA-256 of its counts {digest}.")
    return say(text, name=translated(data.name), digest=digest)


def off_by_rounding(printed: Iterable[tuple[float, float, float]], digits: int = 1) -> bool:
    """Whether a printed difference is not that of the printed shares; each is two shares and their difference."""
    return not all(subtracts(100 * one, 100 * other, 100 * gap, digits) for one, other, gap in printed)


def unrounded(printed: Iterable[tuple[float, float, float]], digits: int = 1) -> str:
    """Say it where a printed difference is not that of the printed shares."""
    return say("Differences are taken before the shares are rounded.") if off_by_rounding(printed, digits) else ""


def recorded(protocol: Protocol) -> str:
    """That it is not known whether the outcome is recorded alike in all groups."""
    text = phrase(protocol, "Y=1")
    if text:
        measured = mark("Whether “{event}” is the right measure for this use, and recorded alike in all groups.")
        return single_spaced(say(measured, **parts(text)))
    return say(
        "Whether the outcome ({outcome}) is the right measure for this use, and recorded alike in all groups.",
        outcome=in_code(protocol.outcome),
    )


ENTERED = mark("Nothing shows that {names} were fixed before the data were seen.")
SETTLED = (*SHOWN, "equivalence shown")
ROLES = {"auditor": mark("auditor"), "reviewer": mark("reviewer"), "approver": mark("approver")}


def unshown(bundle: Bundle) -> list[str]:
    """What page one does not show."""
    audit = bundle.audit
    why = say("Why the groups differ: a gap is not by itself discrimination.")
    if audit is None:
        return [why]
    p = audit.protocol
    if p.outcome and (p.decision or p.score):
        why = say(
            "Why the groups differ: a gap is not by itself discrimination, nor is it justified by a gap in outcomes "
            "alone."
        )
    if not (p.strata or p.adjust_for):
        decided = p.decision or p.threshold is not None
        other = (
            mark("No other factor, lawful or not, was considered.")
            if decided
            else mark("No other factor was considered.")
        )
        why = f"{why} {say(other)}"
    lines = [why]
    names = [p.called(name) for name in declared(audit)]
    of = {"names": listed(names)}
    if amounts_alone(p) or not (p.decision or p.score):
        lines.append(
            say_number(
                "Who is missing; how {names} was recorded.",
                "Who is missing; how {names} were recorded.",
                len(names),
                **of,
            )
        )
    elif p.score:
        lines.append(
            say_number(
                "Who is missing; how {names} was recorded, and whether it entered the score.",
                "Who is missing; how {names} were recorded, and whether they entered the score.",
                len(names),
                **of,
            )
        )
    else:
        lines.append(
            say_number(
                "Who is missing; how {names} was recorded, and whether it entered the decision.",
                "Who is missing; how {names} were recorded, and whether they entered the decision.",
                len(names),
                **of,
            )
        )
    if p.outcome and not (p.decision or p.score):  # nothing is right or wrong
        lines.append(say("Whether the record is equally complete in every group."))
    elif p.outcome:
        lines.append(recorded(p))
    if any(row.verdict == "inconclusive" for row in audit.estimates.only(role="main", given="")):
        equal = mark("That groups are treated equally: “not settled” does not mean equal.")
        if p.margin == NO_MARGINS:
            equal = mark(
                "That groups whose gap is not settled are treated alike: nobody set beforehand how small a gap does "
                "not matter."
            )
        lines.append(say(equal))
    if p.law and not (p.four_fifths or bundle.law_of_preset):
        lines.append(
            say(
                "Whether the law on {subject} was kept: not tested. Grounds other than {names} were not examined.",
                subject=say(LAW_SUBJECTS[p.law]),
                **of,
            )
        )
    if (p.strata or p.adjust_for) and amounts_alone(p):
        lines.append(
            say(
                "The groups may differ in more than {names}; what is considered may itself be a result of unequal "
                "treatment.",
                names=strata_name(audit),
            )
        )
    return lines


SHORT_LIMITS = 200  # characters: two lines below the answer


def _known_limits(audit: Audit) -> str:
    limits = audit.protocol.about.known_limits.removesuffix(".")
    return say("{lead}, as declared: {limits}.", lead=say(ABOUT_NAMES["known_limits"]), limits=limits)


def beside_answer(audit: Audit) -> str:
    """The known limits of data or system, which may change any number: below the answer, where two lines hold them."""
    limits = audit.protocol.about.known_limits
    if len(limits) > SHORT_LIMITS:
        return say("{lead} (below) may change any number.", lead=say(ABOUT_NAMES["known_limits"]))
    return _known_limits(audit) if limits else ""


def has_bounds(bundle: Bundle) -> bool:
    """Whether a report has a bound by probabilities of groups, which then need not be advised."""
    return any(isinstance(one, GroupStudy) and of_probabilities(one) for one in bundle.others)


def before_relying(bundle: Bundle) -> list[str]:
    """What a reader should know of the audit itself: who is few in it, and whether it was planned."""
    audit = bundle.audit
    if audit is None:
        return []
    of_labels = (
        *(EXCHANGED, FAVORABLE, KNOWN_BY_DECISION, KNOWN_BY_DECISION_SCORED, LOOK_ALIKE, ODD_ANSWERS, ODD_CLASSES),
        *(*OF_LINES, PERHAPS_MISSING, PERHAPS_THOUSANDS, REPEATED, TAKEN_AS_MISSING),
    )
    lines = [_small(audit), *(translated(note) for note in audit.notes if any(says(note, one) for one in of_labels))]
    if not has_bounds(bundle) and any(says(note, BY_PROBABILITIES) for note in audit.notes):
        lines.append(translated(BY_PROBABILITIES))
    about = audit.protocol.about
    if about.known_limits and beside_answer(audit) != _known_limits(audit):
        lines.insert(0, _known_limits(audit))
    signed = {
        "auditor": bundle.auditor or about.prepared_by,
        "reviewer": about.reviewed_by,
        "approver": about.approved_by,
    }
    if blanks := [say(ROLES[role]) for role, name in signed.items() if not name]:
        lines.append(say("Not named: {names}.", names=listed(blanks)))
    if not audit.protocol.declared:
        margin, names = audit.protocol.margin, [say("the groups")]
        names += [say("headline comparison")] if audit.protocol.headline else []
        names += [say("cut-off")] if audit.protocol.threshold is not None else []
        if margin == NO_MARGINS:
            lines.append(say(ENTERED, names=listed(names)))
        else:  # of a ratio or of pay a law may say it
            names.append(say("margin"))
            lines.append(say(ENTERED, names=listed(names)))
    return [line for line in lines if line]


def stands_alone(bundle: Bundle) -> bool:
    """Whether the report holds one result, which is no audit and no fit."""
    return bundle.audit is None and not bundle.fits and len(bundle.estimates) == 1


def verifiable(bundle: Bundle) -> bool:
    """Whether all results of a report without an audit are called again by `verify_report`, and are of one table."""
    studies = [one for one in bundle.others if isinstance(one, GroupStudy) and str(one.question) in CALLS]
    of = [one for one in studies if not monitor.resumed(one.settings)]
    tables = {(source.sha256, source.rows) for one in of for source in one.data}
    return len(of) == len(bundle.estimates) and len(tables) == 1


def _runs_again(result: Any, data: DataSource) -> bool:
    """Whether `verify_report` calls a study beside an audit of these data again."""
    known = isinstance(result, GroupStudy) and str(result.question) in CALLS and not monitor.resumed(result.settings)
    return known and all((s.sha256, s.rows, s.columns) == (data.sha256, data.rows, data.columns) for s in result.data)


def how_to_check(bundle: Bundle) -> Paragraph:
    """How the numbers of the audit, or of studies alone, are computed again: with a file that holds the results."""
    result = bundle.audit if bundle.audit is not None else bundle.others[0]
    sources = [bundle.audit.data] if bundle.audit is not None else getattr(result, "data", [])
    command = say("fair_verify_report() in R") if bundle.from_r else "fairstats verify"
    again = [] if bundle.audit is None else [one for one in bundle.others if _runs_again(one, bundle.audit.data)]
    every = bundle.audit is None or len(bundle.estimates) == 1 + len(again)
    numbers = say("every number") if every else say("every number of the audit")
    lines = [
        say("To check {numbers}: run {command} with this report and the data.", numbers=numbers, command=command),
        say(
            "To check {numbers}: run {command} with this report as PDF, HTML or JSON, and the data. This file "
            "holds no results to check.",
            numbers=numbers,
            command=command,
        ),
    ]
    if not all(source.sha256 for source in sources):
        lines = [f"{line} {say('Keep the data: the report has no copy.')}" for line in lines]
    return Paragraph(lines[0], instead=lines[1])


FEWEST_READ = 50  # people whose rates are read without care


def _small(audit: Audit) -> str:
    """Groups of the declared attributes that have few people, and those within a stratum whose ratio is low there."""
    names = declared(audit)
    few = [cell for cell in audit.cells if cell.attribute in names and cell.n < FEWEST_READ]
    groups = [
        say("{group} ({n})", group=short_name(audit.protocol, cell.attribute, cell.group), n=count(cell.n))
        for cell in sorted(few, key=lambda cell: cell.n)
    ]
    low = [row for row in ratios_by_stratum(audit)[0] if row.n < FEWEST_READ and below_line(row.estimate)]
    groups += [
        say(
            "{group} in {stratum} ({n})",
            group=short_name(audit.protocol, row.attribute, row.group),
            stratum=row.term,
            n=count(row.n),
        )
        for row in sorted(low, key=lambda row: row.n)
    ]
    if not groups:
        return ""
    return say("Few people: {groups}.", groups=words.listed(groups, 3))


def read_next(bundle: Bundle, page: PageOne | None) -> list[tuple[str, str]]:
    """Where to read on: id of a section, and what stands there."""
    audit = bundle.audit
    if audit is None:
        return []
    p = audit.protocol
    items = []  # what was declared is on the next page
    if page is not None:
        groups = [c.group for c in audit.cells if c.attribute == page.attribute and not holds_missing(c.group)]
        if len(groups) > 2 or len(audit.references) > 1:
            crossed = [c for a in filter(p.is_crossed, audit.references) for c in p.columns_of(a)]
            names = listed([p.called(c) for c in dict.fromkeys(crossed)])
            every = (
                say("All groups, and combinations of {attributes}", attributes=names) if crossed else say("All groups")
            )
            items.append(("outcomes", every))
    if p.outcome or p.score:
        items.append(("errors", say("Errors and scores by group")))
    items.append(("sensitivity", say("Whether findings depend on choices")))
    return [*items, ("limits", say("Provenance and sign-off"))]


def crossed_ratios(audit: Audit, metric: str) -> list[str]:
    """The lowest ratio to a highest rate of each intersection, of groups that count; within declared strata."""
    p, lines, within = audit.protocol, [], ratios_within(audit)
    for name in filter(p.is_crossed, audit.references):
        if open_within(audit, name):
            continue
        rows = within.only(attribute=name)
        rows = rows or audit.estimates.only(metric=metric, attribute=name, role="main", contrast="ratio", given="")
        items = [r for r in rows if words.shown(r) and len(split(r.group)) == len(p.columns_of(name))]
        counted = counted_by_rule([r for r in items if not holds_missing(r.group)])
        if not counted:
            continue
        row = min(counted, key=lambda r: r.estimate)
        one, other = (crossed_people(p, p.columns_of(name), split(group)) for group in (row.group, row.reference))
        values = {
            "names": listed(list(map(p.called, p.columns_of(name)))),
            "ratio": impact_ratio(row.estimate),
            "first": one,
            "other": other,
        }
        below = sum(concluded_side(r) == BELOW for r in counted)
        template = mark("Where {names} meet, the lowest ratio to the highest rate is {ratio}: {first} to {other}.")
        if below:
            template = mark(
                "Where {names} meet, {k} of {n} ratios to the highest rate are below 0.80, the lowest {ratio}: {first} "
                "to {other}."
            )
        line = say(template, **values, n=len(counted), k=below)
        lines.append(within_the_same(audit, line) if row.given else line)
    return lines


WITHIN_THE_SAME = mark("{name}, within the same {strata}")
WITHOUT_REGARD = mark("{name}, without regard to {strata}")


def within_the_same(audit: Audit, sentence: str) -> str:
    """A sentence that says within which strata its numbers are."""
    return f"{say(WITHIN_THE_SAME, name=sentence.removesuffix('.'), strata=strata_name(audit))}."


def ratios_under_law(audit: Audit, metric: str) -> Estimates:
    """The ratios that stand beside gaps, within declared strata: of credit to the reference, else to the highest."""
    p = audit.protocol
    if not p.law or metric not in FOUR_FIFTHS:
        return audit.estimates.only(metric="")
    if held := audit.estimates.only(metric=RATIOS, role="main", given=p.strata) if p.strata else ():
        return held if p.law == CREDIT else ratios_within(audit)
    name = metric if p.law == CREDIT else FOUR_FIFTHS[metric]
    return audit.estimates.only(metric=name, role="main", contrast="ratio", given="")


# All groups at once: the omnibus test, the largest difference and the worst ratio, as a sentence and as a table.


OMNIBUS, RANGE = "none", "difference"  # contrasts of the rows of the role


# Whether comparisons with the reference, the test of all groups and that of the largest gap show that groups differ.
_AT_ONCE = {
    (False, False, False): mark("The data do not show that the rates of the groups differ ({method}: {p}). {gap}."),
    (False, False, True): mark(
        "Two tests of all groups at once do not agree: that of the largest gap shows that the rates differ, the other "
        "leaves it open ({method}: {p}). {gap}."
    ),
    (False, True, False): mark(
        "No group is shown to differ from {reference}, but a test of all groups at once, not adjusted for other "
        "comparisons, shows that the rates are not all equal ({method}: {p}). Which two of them differ it leaves "
        "open. {gap}."
    ),
    (False, True, True): mark(
        "No group is shown to differ from {reference}, but a test of all groups at once, not adjusted for other "
        "comparisons, shows that the rates are not all equal ({method}: {p}). {gap}."
    ),
    (True, False, False): mark(
        "The comparisons with {reference} show that rates differ; a test of all groups at once and one of all pairs, "
        "which are less able to find a single gap, do not show it by themselves ({method}: {p}). {gap}."
    ),
    (True, False, True): mark(
        "The comparisons with {reference} show that rates differ, and so does the largest gap; a test of all groups at "
        "once, which is less able to find a single gap, does not show it by itself ({method}: {p}). {gap}."
    ),
    (True, True, False): mark(
        "The rates of the groups are not all equal ({method}: {p}). The interval of the largest gap holds for all "
        "pairs, which are more than the comparisons with {reference}, and is wider. {gap}."
    ),
    (True, True, True): mark("The rates of the groups are not all equal ({method}: {p}). {gap}."),
}


def sentence(rows: Estimates, metric: str, reference: str) -> str:
    """Return a sentence on the omnibus test and the simultaneous interval of a metric; "" for two groups.

    Both ask whether groups differ, as the comparisons with the reference do: where not all of them agree, the sentence
    says how their questions differ.
    """
    tests = {r.contrast: r for r in rows.only(metric=metric, role="omnibus")}
    test, widest = tests.get(OMNIBUS), tests.get(RANGE)
    if test is not None and test.status == "suppressed":
        return say("Whether the rates of all groups differ is not said, as some groups are withheld.")
    if test is None or widest is None or not words.shown(widest):
        return ""
    rejects, apart = bool(test.p_value < 1 - widest.conf_level), widest.conf_low > 0
    pairs = [r for r in rows.only(metric=metric, role="main", contrast="difference") if r.verdict and not of_missing(r)]
    differs = any(r.verdict in SHOWN or r.conf_low > 0 or r.conf_high < 0 for r in pairs) if pairs else rejects
    values = {"p": chi_square(test), "method": translated(test.method), "gap": range_text(widest)}
    return say(_AT_ONCE[differs, rejects, apart], reference=reference, **values)


def at_once(audit: Audit, attribute: str, metrics: Sequence[str]) -> Table | None:
    """One line a metric: omnibus p, and by how much rates differ at most; the limits belong to no one pair."""
    rows, name = audit.estimates.only(attribute=attribute), attribute_name(attribute, audit)
    lines = []
    for metric in metrics:
        tests = {r.contrast: r for r in rows.only(metric=metric, role="omnibus")}
        if tests.keys() & {OMNIBUS, RANGE}:
            lines.append([rate_name(audit, metric)[0], *_cells(tests, of_flags(audit, metric))])
    if not lines:
        return None
    headings = [
        word(say("rate")),
        Heading(say("omnibus p")),
        Heading(say("largest difference"), say("points")),
        Heading(say("simultaneous interval"), say("points")),
        Heading("p"),
        text(say("in these data")),
    ]
    used = Estimates(
        r for r in rows.only(metric=tuple(metrics), role="omnibus", contrast=(OMNIBUS, RANGE)) if r.status == "ok"
    )
    return table(say("All groups at once, by {name}", name=name), headings, lines, methods_note(used))


def _cells(tests: dict[str, Estimate], flagged: bool) -> list[str]:
    """The cells after the name; of several classes there is no largest difference."""
    widest, test = tests.get(RANGE), tests.get(OMNIBUS)
    p = words.p_value(test.p_value) if test else words.DASH
    if widest is None:
        return [p, *[words.DASH] * 4]
    reason = uncounted(widest.reason) if flagged else widest.reason
    return [
        p,
        words.percent(widest.estimate) if words.shown(widest) else words.status(widest),
        words.span(widest.conf_low, widest.conf_high, words.percent) if words.shown(widest) else words.DASH,
        words.p_value(widest.p_value),
        translated(reason) if words.shown(widest) and reason else words.DASH,
    ]


# Adverse impact: ratio to the highest rate, people missing to it, one selection more, and the two rules together.


EVERY = tuple(name for pair in IMPACT_METRICS.values() for name in pair)
RATIOS_NOTE = mark(
    "Ratios are to the highest rate of groups with 2% of the people or more. Short of the highest rate: how many more "
    "people of the group that rate would have selected."
)
NOTE = mark(
    "The rule of four fifths (29 CFR 1607.4(D)) compares with the highest rate, here of groups with 2% of the people "
    "or more; these stand for 2% of the labor force or of the workforce (29 CFR 1607.15(A)(2)(a)), which the data do "
    "not hold. Short of the highest rate: how many more people of the group it would have selected; of 80% of it: how "
    "many more would reach that. One more, one moved: the ratio if one more of the group "
    "had been selected, or one of the group in place of one of the highest. 1.25 is 1 / 0.8."
)


def impact(
    name: str,
    rows: Estimates,
    groups: Sequence[str],
    rate: str,
    protocol: Resolved,
    note: bool = True,
    most: int = MOST_ROWS,
) -> Table | None:
    """The table of one rate by one attribute, None where the audit has no such rows; the first has the note.

    What the rule of four fifths looks at has columns only under the law that has it.
    """
    ruled = protocol.four_fifths
    ratio, shortfall = IMPACT_METRICS.get(rate, ("", ""))
    ratios = {(r.group, r.given): r for r in rows.only(metric=ratio)}
    missing = {(r.group, r.given): r for r in rows.only(metric=shortfall)}
    declared_pairs = rows.only(metric=rate, contrast="difference", role="main", given="", term="")
    shown = [
        g for g in groups if (g, "") in ratios and not holds_missing(g)
    ]  # who is not known is no group of the rule
    if not any(words.shown(ratios[g, ""]) for g in shown):  # withheld, or nobody was selected
        return None
    headings = [
        text(say("group")),
        Heading(say("ratio to the highest")),
        Heading(level_of((ratios[g, ""] for g in shown), protocol.conf_level)),
        Heading(say("short of highest"), say("people")),
    ]
    if ruled:
        headings += [
            Heading(say("short of 80%"), say("people")),
            Heading(say("ratio, one more")),
            Heading(say("ratio, one moved")),
        ]
    beside = {g: _together(ratios[g, ""], protocol) for g in shown}
    held = bool(protocol.strata and rows.only(metric=RATES, role="main", given=protocol.strata))
    if held:  # the rule is applied within strata
        beside = {}
    if any(beside.values()):
        headings.append(text(say("ratio and test together") if ruled else say("note")))
    lines = [
        [
            group,
            ratio_of(ratios[group, ""], rows) if words.shown(ratios[group, ""]) else words.DASH,
            words.interval(ratios[group, ""]) if words.shown(ratios[group, ""]) else words.DASH,
            _impact_people(missing.get((group, ""))),
            *(
                (
                    _people_to_reach(missing.get((group, TO_FOUR_FIFTHS))),
                    _number(ratios.get((group, MORE))),
                    _number(ratios.get((group, MOVED))),
                )
                if ruled
                else ()
            ),
            *([beside[group]] if any(beside.values()) else ()),
        ]
        for group in shown
    ]
    called = favorable_rate(protocol) if rate == "selection rate" else words.heading(rate)
    values = {"rate": called, "name": name, "group": ratios[shown[0], ""].reference}
    if any(says(ratios[g, ""].reason, OTHER_HIGHEST) for g in shown):
        caption = say("{rate} by {name}: ratios to that of {group}, the highest in the cells that were sent", **values)
    else:
        caption = say("{rate} by {name}: ratios to the highest, that of {group}", **values)
    if held:
        strata = words.listed([protocol.labels.attribute(name) for name in protocol.columns_of(protocol.strata)])
        caption = say(WITHOUT_REGARD, name=caption, strata=strata)
    few = [g for g in shown if SMALL_GROUP in ratios[g, ""].reason]
    small = say("Under 2% of the people: {groups}.", groups=words.listed(few)) if few else ""
    adjusted = comparisons_of((ratios[g, ""].conf_level for g in shown), protocol.conf_level)
    many = ""
    if adjusted > 1:
        many = say("Intervals of ratios are adjusted for {n} comparisons, as the data pick the highest.", n=adjusted)
    wording = say(NOTE if ruled else RATIOS_NOTE) if note else ""
    digits, estimated = "", [ratios[g, ""] for g in shown if words.shown(ratios[g, ""])]
    if any(words.interval(row) != words.interval(row, show=partial(words.number, digits=2)) for row in estimated):
        digits = say("An interval has more digits where two would round a limit to 1 or to 0.80.")
    best, base = ratios[shown[0], ""].reference, next((row.reference for row in declared_pairs), "")
    counted = ""
    if base and best != base and not ruled:
        wording_from = mark("People are counted from the rate of {group}; page one compares with {base}.")
        counted = say(wording_from, group=best, base=base)
    return table(caption, headings, lines, (many, digits, wording, counted, small), most)


def impact_by_stratum(audit: Audit, attribute: str, most: int = MOST_ROWS) -> Table | None:
    """The ratios within declared strata, which the rule is applied to, and those of each stratum by itself."""
    p, rate, within = audit.protocol, "selection rate", ratios_within(audit).only(attribute=attribute)
    if not p.strata or not p.four_fifths or flags(p):
        return None
    rows = audit.estimates.only(attribute=attribute, role="supplementary", given=p.strata)
    ratios = {(r.term, r.group): r for r in (*within, *rows.only(metric=IMPACT_METRICS[rate][0]))}
    best = {(term, row.reference) for (term, _), row in ratios.items() if words.shown(row)}
    rates = {(r.term, r.group): r for r in rows.only(metric=rate, contrast="none")}
    names, order, lines = dict.fromkeys(term for term, _ in (*ratios, *rates)), by_size(audit, attribute), []
    for place in product(names, order):
        row, of, (term, group) = ratios.get(place), rates.get(place), place
        if holds_missing(group) or (row is None and of is None and place not in best):
            continue
        counts = [words.DASH] * 3 if of is None else [words.count(of.events), words.count(of.n), number_or_dash(of)]
        cells = [impact_ratio(1.0), words.DASH, say("highest")] if place in best else [words.DASH] * 3
        if row is not None:
            cells = [number_or_dash(row), words.interval(row), _together(row, p)]
        lines.append([term or say("all"), group, *counts, *cells])
    headings = [text(strata_name(audit)), text(say("group")), Heading("k"), Heading("n"), Heading(say("rate"), "%")]
    headings += [Heading(say("ratio to the highest")), Heading(level_of(ratios.values(), p.conf_level))]
    values = {"rate": favorable_rate(p), "name": attribute_name(attribute, audit), "strata": strata_name(audit)}
    note = say(
        "All: within the same {strata} (Mantel-Haenszel), adjusted for the pairs of groups alone. Highest: of groups "
        "with 2% of the people or more.",
        **values,
    )
    n = comparisons_of((r.conf_level for (term, _), r in ratios.items() if term), p.conf_level)
    if n > 1:
        further = mark("Each {strata} by itself: test and interval are adjusted for the {n} comparisons in all strata.")
        note = f"{note} {say(further, n=n, **values)}"
    note = " ".join(filter(None, (not_settled_within(audit, attribute), note)))
    caption = say("{rate} by {name} in each {strata}: ratios to the highest there", **values)
    return table(caption, [*headings, text(say("ratio and test together"))], lines, note, most) if lines else None


def with_level(row: Estimate, conf_level: float) -> str:
    """A row's interval with its level, and for how many comparisons it is adjusted."""
    values = {"interval": words.interval(row), "level": level(conf_level)}
    many = comparisons_of([row.conf_level], conf_level)
    if many > 1:
        return say("{interval}, {level} interval, adjusted for {n} comparisons", n=many, **values)
    return say("{interval}, {level} interval", **values)


def impact_line(rows: Estimates, rate: str, conf_level: float) -> str:
    """The ratio of two groups and the people that the lower one lacks to the higher rate, as a sentence."""
    ratio, shortfall = IMPACT_METRICS.get(rate, ("", ""))
    row = next((r for r in rows.only(metric=ratio, given="") if words.shown(r) and r.conf_low == r.conf_low), None)
    if row is None or says(row.reason, OTHER_HIGHEST):
        return ""
    lacking = next(iter(rows.only(metric=shortfall, group=row.group, given="")), None)
    values = {
        "group": inside(row.group),
        "best": inside(row.reference),
        "ratio": ratio_of(row, rows),
        "interval": with_level(row, conf_level),
        "n": _impact_people(lacking),
    }
    if values["n"] in (words.DASH, say("none")):
        return say("Ratio of the selection rate of {group} to that of {best}: {ratio} ({interval}).", **values)
    return say(
        "Ratio of the selection rate of {group} to that of {best}: {ratio} ({interval}). At the higher rate, that of "
        "{best}, {n} more people would have had the favorable decision ({group}).",
        **values,
    )


def term(metric: str) -> str:
    """The id of the definition of a metric, in the appendix.

    >>> term("P(X>Y)"), term("selection rate")
    ('term-p-x-y', 'term-selection-rate')
    """
    kept = "".join(letter if letter.isalnum() else " " for letter in metric.lower())
    return "-".join(["term", *kept.split()])


def terms(metrics: Iterable[str], protocol: Resolved | None = None) -> list[tuple[str, str]]:
    """Links to the definitions of what a section shows, each the id and the name of what is counted there."""
    names = {"selection rate": counted_rate(protocol)[1]} if protocol is not None else {}
    return [(term(metric), names.get(metric) or words.in_text(metric)) for metric in metrics if words.reading(metric)]


def in_plain_verbs(bundle: Bundle) -> Audit | None:
    """The audit in the verbs of page one; None where the report has none."""
    audit = bundle.audit
    if audit is None:
        return None
    protocol = with_plain_verbs(audit.protocol)
    if protocol is not audit.protocol:  # whose verbs are of people
        protocol = replace(protocol, labels=replace(protocol.labels, unit=protocol.labels.unit or say("people")))
    return replace(audit, protocol=protocol)


def counted_rate(protocol: Resolved) -> tuple[str, str]:
    """What the rate of decisions is called as a heading and in a sentence: of a flag that of the people flagged."""
    metric = "selection rate"
    if not flags(protocol):
        return words.heading(metric), words.in_text(metric)
    return _share(*answer_event(protocol, Answer("", "unanswered", metric, flags=True)))


def favorable_rate(protocol: Resolved) -> str:
    """What ratios to the highest rate compare as a heading: of a flag the share of people whom it does not mark.

    The law of the four-fifths rule calls it the selection rate.
    """
    metric = "selection rate"
    event, in_words = answer_event(protocol, Answer("", "unanswered", metric))
    if in_words and not (protocol.four_fifths and not flags(protocol)):
        return say("Share who {event}", **parts(event))
    if not flags(protocol):
        return words.heading(metric)
    return say("Share with {event}", event=event)


def of_flags(result: object, metric: str) -> bool:
    """Whether shares are of the people flagged, as the answer and page one have it."""
    return metric == "selection rate" and isinstance(result, Audit) and flags(result.protocol)


def as_counted(result: object, rows: Iterable[Estimate]) -> Estimates:
    """Rows of the side of the decision that reports count; a ratio of the other side is another one, not estimated."""

    def flagged(row: Estimate) -> bool:
        rate = "selection rate" if row.metric == RATES else row.metric  # where people are flagged there are decisions
        return row.contrast != "ratio" and of_flags(result, rate)

    return Estimates(complement(row) if flagged(row) else row for row in rows)


CRUDE_NOTE = mark("Crude: not adjusted for {strata}, without a verdict.")


def crude_note(strata: str, crude: Iterable[Estimate], rows: Iterable[Estimate], protocol: Resolved) -> str:
    """What a table says of crude comparisons beside those that answer."""
    return " ".join(filter(None, (say(CRUDE_NOTE, strata=strata), crude_levels(crude, rows, protocol))))


def unadjusted(result: object, metric: str) -> str:
    """That rates or ratios hold nothing fixed where strata are declared, "" where none are."""
    if not isinstance(result, Audit) or not is_crude(result.protocol, metric):
        return ""
    return say("Not adjusted for {strata}.", strata=strata_name(result))


def differences_within(result: object, attribute: str, metric: str) -> Estimates:
    """The differences within strata, or adjusted, in the place of a metric's crude ones, as reports count."""
    if not isinstance(result, Audit) or not (name := metric_within(result, attribute, metric)):
        return Estimates()
    about = {"metric": name, "attribute": attribute, "role": "main", "contrast": "difference"}
    return as_counted(result, result.estimates.only(**about, given=held_fixed(result.protocol)))


def bounds_within(audit: Audit, attribute: str, metric: str) -> dict[tuple[str, str], Estimate]:
    """(group, contrast) to the bounds, over people of withheld cells, of a metric's differences within strata."""
    name = SCORES if metric == "P(X>Y)" else metric_within(audit, attribute, metric)
    bounds = bounds_over_withheld(audit, name, attribute) if name else {}
    return {place: complement(row) if of_flags(audit, metric) else row for place, row in bounds.items()}


def crude_metric(audit: Audit, metric: str) -> str:
    """The crude metric beside which tables and figures have that of differences within strata, "" of any other.

    Raises InputError: if no strata were declared.
    """
    inside = RATES, AMOUNTS, IN_UNIT[AMOUNTS], IN_UNIT[ALIKE]
    name = next((one for one in inside if metric in (one, METRICS[one].heading)), "")
    if name and name != IN_UNIT[ALIKE] and not audit.protocol.strata:
        raise InputError(
            "metric", f"has {metric!r}; this audit has no strata; name their columns by {Setting('strata')}."
        )
    of = (*FIRST_RATES, LEVELS["gap of means"])
    found = (crude for one in audit.references for crude in of if metric_within(audit, one, crude) == name)
    return next(found, "") if name else ""


def rate_name(result: object, metric: str, contrast: str = "none") -> tuple[str, str]:
    """What the rate of `as_counted` is called as a heading and in a sentence: by a verb of the protocol, if it has one.

    One of several classes is called with it.
    """
    if not isinstance(result, Audit):
        return words.heading(metric), words.in_text(metric)
    if isinstance(result.protocol, OfClass):
        return _rate_of_class(result.protocol, metric)
    if metric in FIRST_RATES and not of_flags(result, metric):
        event, in_words = answer_event(result.protocol, Answer("", "unanswered", metric))
        return _share(event, True) if in_words else (words.heading(metric), words.in_text(metric))
    if not of_flags(result, metric):
        return words.heading(metric), words.in_text(metric)
    if contrast != "ratio":
        return counted_rate(result.protocol)
    return favorable_rate(result.protocol), _share(*answer_event(result.protocol, Answer("", "unanswered", metric)))[1]


def _share(event: str, in_words: bool) -> tuple[str, str]:
    """The share of people of an event as a heading and in a sentence: by a verb of the protocol's, or by the column."""
    if in_words:
        return say("Share who {event}", **parts(event)), say("share who {event}", **parts(event))
    return say("Share with {event}", event=event), say("share with {event}", event=event)


def _rate_of_class(protocol: OfClass, metric: str) -> tuple[str, str]:
    if metric in ("selection rate", "base rate"):
        return _share(*answer_event(protocol, Answer("", "unanswered", metric)))
    named = mark("{heading} (class {label})")
    return (
        say(named, heading=words.heading(metric), label=protocol.favorable),
        say(named, heading=words.in_text(metric), label=protocol.favorable),
    )


def withheld(rows: Estimates, rate: str) -> str:
    """That there are no ratios to the highest rate, where a withheld group may have it; "" where there are some."""
    ratios = [row for row in rows.only(metric=IMPACT_METRICS.get(rate, ("",))[0]) if not row.given]
    if any(row.reason == HIGHEST_RATE for row in ratios):
        return say("Ratios to the highest rate are withheld: the group that has it may be a withheld one.")
    return ""


def _together(row: Estimate, protocol: Protocol) -> str:
    """The practical rule and the statistical one, side by side; where no law has the first, why a ratio is not there.

    The test is that of the ratio, adjusted as its interval is; a declared comparison has its verdict elsewhere.
    """
    if not words.shown(row):
        return words.status(row)
    if not concluded_side(row) and not protocol.four_fifths:
        return say("withheld people decide")
    if not protocol.four_fifths:
        return ""
    shown = rejected(row.p_adjusted, protocol.conf_level)
    equality = say("gap beyond chance") if shown else say("difference not settled")
    if row.p_adjusted != row.p_adjusted and not says(row.reason, OTHER_HIGHEST):
        equality = say("not counted")
    at = concluded_side(row)
    if not at:
        return say("below 0.8 or not: withheld people decide")
    where = say(SIDES[at])
    return f"{where}; {equality}"


def _number(row: Estimate | None) -> str:
    return impact_ratio(row.estimate) if row is not None and row.status == "ok" else words.DASH


def _impact_people(row: Estimate | None) -> str:
    if row is None or row.status != "ok":
        return words.DASH
    if row.estimate <= 0:
        return say("none")
    return words.count(round(row.estimate)) if row.estimate >= 0.5 else say("under 1")


def _people_to_reach(row: Estimate | None) -> str:
    """The whole number of people more with which a rate is reached."""
    if row is None or row.status != "ok" or row.estimate <= 0:
        return _impact_people(row)
    return words.count(math.ceil(row.estimate - 1e-9))


FEW = 30  # a heading does not rest on fewer people
MANY = 100  # of fewer a heading says how many they are


def broken_guarantees(bundle: Bundle) -> list[str]:
    """What is said first of all: guarantees of the fits that do not hold."""
    return [
        say("{method}: a guarantee does not hold on its data: {text}.", method=name_of(fit), text=translated(reported))
        for fit in bundle.fits
        for reported in failures(fit.guarantees)
    ]


def sized(rows: Estimates, order: Sequence[str]) -> Estimates:
    """The rows in the order of the groups."""
    rank = {group: i for i, group in enumerate(order)}
    return Estimates(sorted(rows, key=lambda r: rank.get(r.group, len(rank))))


def curves(audit: Audit, kind: str, attribute: str) -> list[Curve]:
    """The curves of one kind and attribute."""
    return [c for c in audit.curves if c.kind == kind and c.attribute == attribute]


def cells_withheld(audit: Audit) -> bool:
    """Whether who counted the people withheld some of the cells."""
    return any(says(step.reason, SENT) for step in audit.flow)


def ends_over_withheld(audit: Audit, metric: str, attribute: str) -> dict[str, tuple[float, float]]:
    """A group to the ends of its rate over the people of withheld cells."""
    every = bounds_over_withheld(audit, metric, attribute).items()
    return {group: (row.conf_low, row.conf_high) for (group, contrast), row in every if contrast == "none"}


def bounds_of(audit: Audit, rows: Iterable[Estimate]) -> dict[Estimate, Estimate]:
    """Each row that people of withheld cells decide to its bounds, as reports count; those of ratios are not known."""
    result = {}
    for row in rows:
        bounds = bounds_over_withheld(audit, row.metric, row.attribute)
        if bound := bounds.get((row.group, row.contrast)):
            (result[row],) = as_counted(audit, [bound])
        elif row.contrast == "ratio" and (row.group, "difference") in bounds:
            result[row] = row.blank()  # that of the cells that were sent may be an impossible one
    return result


RANGES = mark('Two numbers with "to" in place of one: what it may be over the people of withheld cells.')


def over_withheld(columns: Sequence[Column], bounds: Mapping[tuple[str, str], Estimate]) -> list[Column]:
    """Columns of a table in which bounds stand in place of an estimate of the cells that were sent alone."""

    def of(get: Callable[[Estimate], str]) -> Callable[[Estimate], str]:
        def cell(row: Estimate) -> str:
            bound = bounds.get((row.group, row.contrast))
            if row.contrast == "ratio" and (row.group, "difference") in bounds and get is number_or_dash:
                return words.DASH  # the ratio of the cells that were sent may be an impossible one
            if bound is None or get is not number_or_dash or not words.shown(row):
                return get(row)
            return words.span(bound.conf_low, bound.conf_high, words.scale(row))

        return cell

    return [(heading, of(get)) for heading, get in columns]


def span(rows: Sequence[Estimate], what: str, bounds: Mapping[tuple[str, str], Estimate] | None = None) -> str:
    """``selection rates from 74.1% (Black) to 85.8% (White)``; said where smaller groups do not set the ends."""
    open_groups = [r.group for r in rows if (r.group, "none") in (bounds or {})]
    if open_groups:
        return say("{what}; withheld people decide that of {groups}", what=what, groups=words.listed(open_groups, 3))
    items = [r for r in rows if words.shown(r)]
    large = [r for r in items if r.n >= FEW]
    large = large if len(large) > 1 else items
    if not large:
        return say("{what} cannot be estimated", what=what)
    low, high = min(large, key=lambda r: r.estimate), max(large, key=lambda r: r.estimate)
    if low is high or words.estimate(low) == words.estimate(high):
        return f"{what}: {words.estimate(low)} ({words.listed([r.group for r in large], 3)})"
    low_group, high_group = (
        say("{group}, {n} people", group=one.group, n=words.count(one.n)) if one.n < MANY else one.group
        for one in (low, high)
    )
    ends = {"low": words.estimate(low), "low_group": low_group, "high": words.estimate(high), "high_group": high_group}
    if any(not low.estimate <= r.estimate <= high.estimate for r in items):
        return say(
            "{what} from {low} ({low_group}) to {high} ({high_group}); groups of {few} or more",
            what=what,
            few=FEW,
            **ends,
        )
    return say("{what} from {low} ({low_group}) to {high} ({high_group})", what=what, **ends)


def plural(metric: str) -> str:
    """``selection rates``, ``false positive rates``, ``AUC``."""
    name = words.in_text(metric)
    counted = metric in _COUNTED or (words.metric_row(metric).is_rate and metric not in _UNCOUNTED)
    return say("{name}s", name=name) if counted else name


_COUNTED, _UNCOUNTED = ("scoring rate", "E-value"), ("accuracy", "classification error")  # rates or not


def with_group_names(result: Comparison) -> Comparison:
    """The comparison with groups called as the report's labels have them, for tables and figures."""

    def of_row(row: Estimate) -> Estimate:
        group, reference = (group_name(row.attribute, label) for label in (row.group, row.reference))
        return row.changed(group=group, reference=reference)

    return replace(
        result,
        estimates=Estimates(map(of_row, result.estimates)),
        references={attribute: group_name(attribute, label) for attribute, label in result.references.items()},
        curves=tuple(replace(one, group=group_name(one.attribute, one.group)) for one in result.curves),
        notes=tuple(renamed(note, group_name) for note in result.notes),
    )


def term_name(result: Comparison, row: Estimate) -> str:
    """The method and model that a row is about, or the two that it compares."""
    one, other = (_plain_term(result, name) for name in result._sides_of(row))
    return say("{one} against {other}", one=one, other=other) if other else one


def _plain_term(result: Comparison, name: str) -> str:
    """A term in a table: of one model the method alone, where "none" is no adjustment."""
    called = {side: term for term in result.terms for side in (term.name, term.variant)}
    return called_term(called[name], len(result.protocol.models), words.plain_title) if name in called else name


class JointLimits:
    """Intervals and p-values of comparisons that hold for all of their family at once (Bonferroni): they agree."""

    def __init__(self, result: Comparison, rows: Estimates) -> None:
        self.conf_level = result.protocol.conf_level
        self.families = families(result.estimates.where(role="main"))
        self.sizes = sorted({self.families[family_of(row)] for row in rows if family_of(row) in self.families})
        self.alone = self.sizes in ([], [1])
        self.level = level_of(rows) if self.alone else say("{share}% CI, adjusted", share=level_number(self.conf_level))
        self.p_heading = say("p") if self.alone else say("adjusted p")
        self.note = say("Intervals and p are of each rate by itself.") if self.alone else self._note()
        by_holm = say("results.csv has p by Holm's steps over groups and methods, which have no intervals.")
        self.reported = self.note if self.alone else f"{self.note} {by_holm}"

    def _note(self) -> str:
        low, high = (words.count(size) for size in (self.sizes[0], self.sizes[-1]))
        return say(
            "Intervals and p are adjusted for all comparisons of groups by one method and rate, or all changes of one "
            "rate ({n}; Bonferroni), and agree: p is below {alpha} where the interval leaves no difference out.",
            n=low if low == high else say("{low} to {high}", low=low, high=high),
            alpha=words.significant(1 - self.conf_level, 2),
        )

    def interval(self, row: Estimate) -> str:
        """The limits for all of the family, three digits of what is no share."""
        if not words.shown(row):
            return words.interval(row)
        low, high = self.limits(row)
        if words.unit(row):
            return words.interval(row.changed(conf_low=low, conf_high=high))
        return words.span(low, high, lambda value: words.number(value, 3))

    def limits(self, row: Estimate) -> tuple[float, float]:
        """The limits for all of the family."""
        family = self.families.get(family_of(row), 1)
        if family == 1 or math.isnan(row.std_error) or math.isnan(row.df):
            return possible(row, row.conf_low, row.conf_high)
        low, high = changed_limits(row, family, self.conf_level)
        return (max(low, 0.0), min(high, 1.0)) if row.metric == "P(X>Y)" else (low, high)

    def p(self, row: Estimate) -> str:
        """The p-value, which is below 1 less the level where the limits leave no difference out."""
        return words.p_value(self.p_value(row))

    def p_value(self, row: Estimate) -> float:
        """The smallest level at which the limits would leave no difference out."""
        return min(row.p_value * self.families.get(family_of(row), 1), 1.0)  # NaN where there is no test


def meeting_name(audit: Audit, attribute: str, label: str) -> str:
    """A group of an intersection in a sentence: ``White men`` where it has the words, else ``Men × Other``."""
    columns, parts = audit.protocol.columns_of(attribute), split(label)
    named = named_meeting(audit.protocol, columns, parts) if len(columns) == len(parts) > 1 else ""
    return named or attribute_name(label)


def attribute_name(attribute: str, audit: Audit | None = None) -> str:
    """``sex:race`` as it is read: ``sex × race``; of an audit, which knows its intersections, only where it is one."""
    return (
        column_name(attribute).replace(":", " × ")
        if audit is None
        else " × ".join(audit.protocol.columns_of(attribute))
    )


# The pictures of scores: outcome by score, score distribution, leakage strip; and the curves that plot() knows.


MOST_STRIPS = 6  # lines of a leakage strip


def outcome_picture(audit: Audit, attribute: str, name: str, first: Sequence[str] = ()) -> Drawing | None:
    """How often the outcome follows each score, by group; None where the audit has no score or no outcome.

    ``first`` are the groups that the picture is about ; absent, those of page one, else the largest two.
    """
    lines = curves(audit, BY_SCORE, attribute)
    if not lines:
        return None
    p = audit.protocol
    call = _names(audit, attribute, first)
    lines = [replace(c, group=call(c.group)) for c in lines]
    order = [call(g) for g in _order(audit, attribute, first)]
    return outcome_by_score(
        name,
        lines,
        caption=_same_score(audit, lines, order),
        order=order,
        sizes={call(g): n for g, n in _sizes(audit, attribute).items()},
        axis=score_noun(p),
        outcome=p.labels.positive or f"{p.outcome} = {p.positive}",
        threshold=p.threshold,
        level=level(p.conf_level),
    )


def distribution_picture(
    audit: Audit, attribute: str, name: str, first: Sequence[str] = (), most: int = 2, width: float = NARROW
) -> Drawing | None:
    """How the scores of the groups are distributed, flagged part colored; None where the audit has no score."""
    lines = curves(audit, VALUES, attribute) or curves(audit, HISTOGRAM, attribute)
    if not lines:
        return None
    call = _names(audit, attribute, first)
    lines = [replace(c, group=call(c.group)) for c in lines]
    order = [call(g) for g in _order(audit, attribute, first)]
    sizes = {call(g): n for g, n in _sizes(audit, attribute).items()}
    drawn = sorted(lines, key=lambda c: order.index(c.group))[:most]
    return score_distribution(
        name,
        lines,
        caption=_distributed(drawn, sizes, audit.protocol),
        order=order,
        sizes=sizes,
        axis=score_noun(audit.protocol),
        threshold=audit.protocol.threshold,
        most=most,
        width=width,
    )


def leakage_picture(results: Sequence[Leakage], name: str) -> Drawing | None:
    """What scores of new people tell before and after, by method and attribute: of each probe the level told best."""
    strips = [
        (_strip(results, result, attribute), [w for probe in scores.PROBES if (w := _worst(result, attribute, probe))])
        for result in results
        for attribute in dict.fromkeys(r.attribute for r in result.estimates)
    ][:MOST_STRIPS]
    strips = [(label, rows) for label, rows in strips if rows]
    if not strips:
        return None
    label, row = max(((label, r) for label, rows in strips for r in rows), key=lambda pair: pair[1].estimate)
    kind = scores.PROBES[row.metric]
    values = {"group": group_cell(row.attribute, row.group), "probe": say(kind), "label": label}
    caption = say("Told apart best: {group}, by a {probe} ({label}).", **values)
    if len({(r.attribute, r.group) for result in results for r in result.estimates if r.metric in scores.PROBES}) > len(
        {row.attribute for _, rows in strips for row in rows}
    ):
        caption += " " + say("Drawn: of each model the group that it tells apart best.")
    if any(result.before for result in results):
        caption = f"{caption} {say('Open: before the adjustment; filled: after it.')}"
    limits = level_of(r for _, rows in strips for r in rows)
    caption = f"{caption} {say('Lines: {limits}.', limits=limits)}"
    before = {_strip(results, result, row.attribute): result.before for result in results for row in result.before}
    return scores.leakage_strip(name, strips, caption=caption, before=before)


def _strip(results: Sequence[Leakage], result: Leakage, attribute: str) -> str:
    """The method, and the attribute where there are several."""
    several = len({row.attribute for one in results for row in one.estimates}) > 1
    title = words.plain_title(result.method)
    return f"{title}: {column_name(attribute)}" if several else title


def _worst(leakage: Leakage, attribute: str, probe: str) -> Estimate | None:
    items = [r for r in leakage.probed if (r.attribute, r.metric) == (attribute, probe) and words.shown(r)]
    return max(items, key=lambda r: r.estimate) if items else None


def _order(audit: Audit, attribute: str, first: Sequence[str] = ()) -> list[str]:
    """The groups, those of page one first: a group has the color of its place, in every picture of a report."""
    every = by_size(audit, attribute)
    page = None if first else page_one(audit)
    if page is not None and page.attribute == attribute:
        first = page.group, page.reference
    return [*first, *(g for g in every if g not in first)]


def _names(audit: Audit, attribute: str, first: Sequence[str]) -> Callable[[str], str]:
    """How a picture calls groups: on page one by the protocol's words, as its table does; later as the tables there."""
    return lambda group: short_name(audit.protocol, attribute, group) if first else group


def _sizes(audit: Audit, attribute: str) -> dict[str, float]:
    return {c.group: c.n for c in audit.cells if c.attribute == attribute}


def _same_score(audit: Audit, lines: Sequence[Curve], order: Sequence[str]) -> str:
    """Say where the shares of the first two groups differ most; whether intervals overlap is no test of it."""
    p = audit.protocol
    pair = sorted(lines, key=lambda c: order.index(c.group))[:2]
    if len(pair) < 2 or not pair[0].low:
        return say("Share with the outcome at each score.")
    a, b = pair
    # a place is a mean of equal scores and differs by rounding from group to group; means of bins differ by more
    same = [(i, j) for i, x in enumerate(a.x) for j, at in enumerate(b.x) if math.isclose(x, at, abs_tol=1e-9)]
    binned = 2 * len(same) < len(a.x) and _same_bins(a, b)
    places = [(i, i) for i in range(len(a.x))] if binned else same
    if not places:
        return say("Share with the outcome at each score.")
    i, j = max(places, key=lambda ij: abs(a.y[ij[0]] - b.y[ij[1]]))
    values = {"one": a.group, "other": b.group, "first": _with_limits(a, i), "others": _with_limits(b, j)}
    values |= {"outcome": capital(p.labels.positive) or f"{p.outcome} = {p.positive}", "score": score_noun(p)}
    if binned:
        means = {"place": words.significant(a.x[i], 3), "beside": words.significant(b.x[j], 3)}
        return say(
            "{outcome}, in the range of {score} where the two groups differ most in these data: {first} of {one}, "
            "whose mean {score} there is {place}, and {others} of {other}, whose mean is {beside}. Chosen because the "
            "gap is largest there: no test is given.",
            **means,
            **values,
        )
    return say(
        "{outcome} at {score} = {place}, where the two groups differ most in these data: {first} of {one} and {others} "
        "of {other}. Chosen because the gap is largest there: no test is given.",
        place=words.significant(a.x[i], 6),
        **values,
    )


def _same_bins(a: Curve, b: Curve) -> bool:
    """Whether two lines have the same bins, whose means differ: no mean of the one is beyond a neighbor's of the other.

    A bin that holds nobody of a group has no point, so that as many points need not be of the same bins.
    """
    beyond = zip(a.x[:-1], b.x[:-1], a.x[1:], b.x[1:], strict=False)
    return len(a.x) == len(b.x) and all(max(x, y) < min(next_x, next_y) for x, y, next_x, next_y in beyond)


def _with_limits(curve: Curve, place: int) -> str:
    """A share with its interval, which says how few people it may be of."""
    low, high = (words.percent(ends[place]) for ends in (curve.low, curve.high))
    return say("{share}% ({low} to {high})", share=words.percent(curve.y[place]), low=low, high=high)


def _distributed(drawn: Sequence[Curve], sizes: dict[str, float], protocol: Protocol) -> str:
    score, threshold = score_noun(protocol), protocol.threshold
    large = [c for c in drawn if sizes.get(c.group, FEW) >= FEW] or list(drawn)
    if threshold is None or len(large) < 2:
        return (
            say("How {score} is distributed in each group.", score=score)
            if len(drawn) > 1
            else say("How {score} is distributed.", score=score)
        )
    high, low = (end(large, key=lambda c: flagged(c, threshold)) for end in (max, min))
    score = capital(score) if protocol.labels.score else score  # a noun begins the sentence; a column stays as it is
    values = {"score": score, "threshold": words.setting(threshold)}
    values |= {"high": inside(high.group), "low": inside(low.group)}
    if len(drawn) == 2:
        return say("{score} of {threshold} or more (dark) is more frequent among {high} than among {low}.", **values)
    if len(large) == len(drawn):
        return say("{score} of {threshold} or more (dark) is most frequent among {high}, least among {low}.", **values)
    return say(
        "{score} of {threshold} or more (dark) is most frequent among {high}, least among {low}, of groups of {few} "
        "people or more.",
        few=FEW,
        **values,
    )


def curves_of(kind: str, name: str, audit: Audit, attribute: str) -> Drawing:
    """The figure of one kind of curves of an attribute."""
    lines, order = curves(audit, kind, attribute), _order(audit, attribute)
    rows = sized(audit.estimates.where(attribute=attribute, role="main"), order)
    if kind == "ecdf":
        axis, threshold = score_noun(audit.protocol), audit.protocol.threshold
        return ecdf(name, lines, caption=_ecdf_caption(audit, rows), order=order, axis=axis, threshold=threshold)
    if kind == "roc":
        areas = {r.group: r for r in rows.where(metric="AUC", contrast="none")}
        ends = bounds_of(audit, areas.values())
        decided = {(row.group, row.contrast): bound for row, bound in ends.items()}
        caption = _of_those_known(audit, attribute, f"{span(list(areas.values()), 'AUC', decided)}.")
        conf_level = level(audit.protocol.conf_level)
        return roc(name, lines, areas, caption=caption, order=order, ends=ends, level=conf_level)
    caption = say(
        "Share of positive outcomes at each score; on the diagonal 0.3 is followed by the outcome in 30 of 100."
    )
    return calibration(name, lines, caption=_of_those_known(audit, attribute, caption), order=order)


def _of_those_known(audit: Audit, attribute: str, caption: str) -> str:
    """The caption, and of whom its numbers are where the outcome is known of one decision."""
    base = known_alone(audit, attribute)
    return f"{caption.removesuffix('.')}; {base}." if base else caption


def _ecdf_caption(audit: Audit, rows: Estimates) -> str:
    items = [r for r in rows.where(metric="P(X>Y)") if words.shown(r)]
    if not items:
        return say("Distribution of the scores by group.")
    row = max(items, key=lambda r: abs(r.estimate - 0.5))
    return say(
        "A random member of {group} scores higher than one of {reference} with probability {chance} ({interval}).",
        group=row.group,
        reference=row.reference,
        chance=words.estimate_or_ends(row, bounds_of(audit, [row]).get(row)),
        interval=words.interval(row),
    )
