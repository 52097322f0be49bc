"""The table of page one for whoever decides: what is shown, what to ask of it, and blanks for who and until when."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fairstats.auditing.answer import FEW, Answer, contrast_of, errors_as, ratios_by_stratum
from fairstats.auditing.counts import Cell
from fairstats.auditing.result import Audit
from fairstats.auditing.sentences import (
    Line,
    PageOne,
    answer_deed,
    crossed_people,
    elsewhere,
    error_noun,
    farthest_shown,
    gaps_of_combinations,
    meeting,
    short_name,
    shown_beside,
    single_spaced,
    spoken_of,
    strata_name,
    without_auxiliary,
    without_event,
)
from fairstats.document import Table
from fairstats.estimates import SHOWN, Estimate
from fairstats.inference.multiplicity import rejected
from fairstats.inference.rates.adverse_impact import below_line
from fairstats.inference.verdicts import beyond
from fairstats.labels import split
from fairstats.language import mark, say
from fairstats.reporting import words
from fairstats.reporting.sections.scorecard import of_those, status
from fairstats.reporting.sections.shared import FEWEST_READ, ratios_under_law
from fairstats.reporting.tables import table, text
from fairstats.text import capital, impact_ratio, listed

MOST_ACTIONS = 5  # the gaps of all answers counted as one
BLANK = "______"  # to write on
Row = tuple[str, str, str]
HARMS = {0: "FPR", 1: "FNR"}  # the error that harms the person, by errors_as


def actions(audit: Audit, page: PageOne | None, result: tuple[Answer, ...]) -> Table | None:
    """A line an issue: gaps that are shown, the error that differs most clearly, groups that few people leave open."""
    few = _few(audit, result)
    small = [(say("Small groups"), _counted(audit, few), say("Can several periods be pooled?"))] if few else []
    answers, named = spoken_of(result), _named(spoken_of(result))
    further = list(_further(answers))
    # where nobody fares worse the gaps that are named are all there is
    listed = [pair for pair in named if not _is_better_off(*pair)] or ([] if further else named)
    gaps = _gaps(audit, listed)
    errors = [] if page is None else _errors(audit, page, result)
    found = [*_where_crossed(audit, answers), *_in_strata(audit), *errors]
    room = MOST_ACTIONS - len(small)
    worse = _further_gaps(audit, further, say("the same") if gaps else _question(audit))
    room -= bool(gaps)
    full = len(found) + len(worse) > room  # then groups of few people are named below the table
    room += len(small) if full else 0
    beside = worse[: max(room - len(found), 0)]  # a line each where there is room
    rows = [*gaps, *(row for _, row in beside), *found[:room], *([] if full else small)]
    left = [issue for issue, *_ in found[room:]]
    if without := [name for name, _ in worse[len(beside) :]]:
        left.append(say("beyond chance, too: {groups}", groups=words.listed(without)))
    unnamed = [cell for cell in few if cell.n >= FEWEST_READ]  # smaller ones stand beside the table
    beside_them = [(one, row) for one in answers for row in shown_beside(audit, one)]
    better = [pair for pair in named if pair not in listed] + [pair for pair in beside_them if _is_better_off(*pair)]
    if better:
        less = mark("gaps not listed: {groups} ({deed} less often)")
        more = mark("gaps not listed: {groups} ({deed} more often)")
        values = {"deed": without_auxiliary(answer_deed(audit.protocol, result[0]))}
        values["groups"] = words.listed([short_name(audit.protocol, row.attribute, row.group) for _, row in better])
        left.append(single_spaced(say(less if result[0].flags else more, **values)))
    crossed = gaps_of_combinations(audit, answers[0].metric).values() if answers else ()
    if sum(row.verdict in SHOWN for rows in crossed for row in rows) > 1:
        others = say("other combinations")
        left.append(others if better else say("gaps not listed: other combinations"))
    note = capital(say("{issues}.", issues="; ".join(left))) if left else ""
    if full and unnamed:
        of_few = say("Not settled, under {few} people: {groups}.", few=FEW, groups=_counted(audit, unnamed))
        note = f"{of_few} {note}".rstrip()
    if not rows and all(one.code == "equivalence shown" for one in result):
        every = words.listed([audit.protocol.called(one.attribute) for one in result])
        open_there = _open_where_crossed(audit, result[0].metric)
        issue = say("Every gap within the margin")
        if open_there:
            issue = say("Every gap by {names} within the margin", names=every)
        rows = [(issue, "", say("When is this to be looked at again?")), *open_there]
    elif not rows and any(one.code == "inconclusive" for one in result):
        rows = [(say("No difference shown"), "", say("How many people would settle it by the next review?"))]
    elif not rows:
        rows = [(say("Not answered"), "", say("Which data would answer it?"))]
    headings = [say("issue"), say("evidence"), say("suggested question"), say("owner"), say("due")]
    lines = [(*row, BLANK, BLANK) for row in rows]
    return table(say("For decision"), list(map(text, headings)), lines, note)


def _open_where_crossed(audit: Audit, metric: str) -> list[Row]:
    """A line an intersection of which gaps are not settled."""
    lines = []
    for name in filter(audit.protocol.is_crossed, audit.references):
        about = {"attribute": name, "contrast": "difference", "role": "main", "given": "", "term": ""}
        rows = [row for row in audit.estimates.only(metric=metric, **about) if row.status == "ok"]
        if left := sum(row.verdict == "inconclusive" for row in rows):
            named = words.listed(list(map(audit.protocol.called, audit.protocol.columns_of(name))))
            lines.append(
                (
                    say("Gaps where {names} meet", names=named),
                    say("{k} of {n} not settled", k=left, n=len(rows)),
                    say("How many people would settle it by the next review?"),
                )
            )
    return lines


def _gaps(audit: Audit, rows: Sequence[tuple[Answer, Estimate]]) -> list[Row]:
    """A line of each difference that an answer names."""
    lines, names = list[Row](), [short_name(audit.protocol, one.attribute, one.group) for one, _ in rows]
    for name, (one, row) in zip(names, rows, strict=True):
        if names.count(name) > 1:  # "other" of two attributes
            name = f"{name} ({audit.protocol.called(one.attribute)})"
        lines.append((say("Gap, {group}", group=name), _evidence(audit, one, row), _question(audit)))
    return lines


def _where_crossed(audit: Audit, answers: Sequence[Answer]) -> Iterator[Row]:
    """The difference that is shown of the worse combination: where two answers meet, else the farthest of all."""
    crossed, p = meeting(audit, answers), audit.protocol
    if crossed is not None and crossed.row is not None:
        row, worse, better = crossed.row, crossed.worse(p), crossed.better(p)
    else:
        rates = gaps_of_combinations(audit, answers[0].metric) if answers else {}
        farthest = farthest_shown([row for rows in rates.values() for row in rows if row.estimate < 0])
        if farthest is None:
            return
        row, columns = farthest, p.columns_of(farthest.attribute)
        worse, better = (crossed_people(p, columns, split(group)) for group in (row.group, row.reference))
    apart = abs(row.estimate)
    values = {"gap": words.percent(apart if answers[0].flags else -apart)}
    evidence = _with_size(say("{gap} points", **values), row, p.margin.difference)
    issue = say("Gap, {group} to {reference}", group=worse, reference=better)
    yield issue, evidence, say("Is this combination looked at by itself?")


def _in_strata(audit: Audit) -> Iterator[Row]:
    """The lowest ratio of a single stratum that is below four fifths beyond chance."""
    rows, _ = ratios_by_stratum(audit)
    low = [row for row in rows if below_line(row.estimate) and rejected(row.p_adjusted, audit.protocol.conf_level)]
    if low:
        row = min(low, key=lambda one: one.estimate)
        group = short_name(audit.protocol, row.attribute, row.group)
        issue = say("Ratio in {strata} {stratum}, {group}", strata=strata_name(audit), stratum=row.term, group=group)
        yield issue, say("ratio {ratio}", ratio=impact_ratio(row.estimate)), _question(audit)


def _further(answers: Sequence[Answer]) -> Iterator[tuple[Answer, Estimate]]:
    """Differences that are shown of other groups than the one that an answer names and that fare worse, too."""
    for one in answers:
        for row in one.shown if one.row is not None and one.metric not in without_event() else ():
            if {row.group, row.reference} != {one.group, one.reference} and not _is_better_off(one, row):
                yield one, row


def _further_gaps(audit: Audit, further: Sequence[tuple[Answer, Estimate]], question: str) -> list[tuple[str, Row]]:
    """A line each of further differences, after the name of its group."""
    margin = audit.protocol.margin.difference
    worse: list[tuple[str, Row]] = []
    for _, row in further:
        name = short_name(audit.protocol, row.attribute, row.group)
        evidence = _with_size(say("{gap} points", gap=words.percent(row.estimate)), row, margin)
        next_step = question if margin is None or beyond(row, margin) else say("Would more data settle its size?")
        worse.append((name, (say("Gap, {group}", group=name), evidence, next_step)))
    return worse


def _named(answers: Sequence[Answer]) -> list[tuple[Answer, Estimate]]:
    """The difference that each answer names, where one is shown."""
    return [(one, one.row) for one in answers if one.differs and one.row is not None]


def _is_better_off(one: Answer, row: Estimate) -> bool:
    """Whether the group of a difference fares better than the reference."""
    return one.metric not in without_event() and (row.estimate < 0) == one.flags


def _with_size(evidence: str, row: Estimate, margin: float | None) -> str:
    """What a gap is beside a declared margin, by the word of the table of groups."""
    return evidence if margin is None else f"{evidence}, {status(row, margin)}"


def _evidence(audit: Audit, one: Answer, row: Estimate) -> str:
    """How large the gap is, whether it is beyond the margin where one was declared, else its ratio under a law."""
    scores = one.metric in without_event()
    parts = [words.estimate(row) if scores else say("{gap} points", gap=words.percent(row.estimate))]
    if (margin := audit.protocol.margin.difference) is not None and not scores:
        return _with_size(parts[0], row, margin)
    ratios = ratios_under_law(audit, one.metric).only(attribute=one.attribute, group=one.group)
    if ratios and words.shown(ratios[0]):
        ratio = ratios[0]
        if ratio.reference and ratio.reference != row.reference:  # two comparators are not one piece of evidence
            reference = short_name(audit.protocol, row.attribute, row.reference)
            return say("{gap} points from {reference}", gap=words.percent(row.estimate), reference=reference)
        parts.append(say("ratio {ratio}", ratio=impact_ratio(ratio.estimate)))
    return ", ".join(parts)


def _question(audit: Audit) -> str:
    """What to ask of a gap: of the model where a score decides, of the criteria where people do."""
    p = audit.protocol
    if p.threshold is not None:
        return say("Can a model as accurate have less gap?")
    if p.decision:
        return say("Which criteria make it? Is each needed?")
    return say("What is the gap due to?")


def _compared(audit: Audit, page: PageOne, result: tuple[Answer, ...]) -> list[tuple[str, Line]]:
    """The errors that differ beyond chance, each with its attribute; those for which only its own test says so last."""
    compared = [line for line in page.lines[1:] if line.has_difference and (line.alone or line.verdict in SHOWN)]
    pairs = [(page.attribute, line) for line in compared]
    pairs += [(about.attribute, line) for about, line in elsewhere(audit, page, result)]
    return sorted(pairs, key=lambda pair: pair[1].alone)


def _errors(audit: Audit, page: PageOne, result: tuple[Answer, ...]) -> list[Row]:
    """A line an error, with the groups that have more of it and their gaps; what is tentative has a dagger."""
    rows, pairs = list[Row](), _compared(audit, page, result)
    margin = audit.protocol.margin.difference
    for metric in dict.fromkeys(line.metric for _, line in pairs):
        of_it = [(attribute, line) for attribute, line in pairs if line.metric == metric]
        errors = say("more {errors}", errors=error_noun(audit.protocol, metric))
        if metric == "PPV":
            labeled = audit.protocol.labels.positive
            errors = say("fewer {what}", what=of_those(audit.protocol)) if labeled else say("right less often")
        every = all(line.alone for _, line in of_it)
        sign = f"{words.ALONE} "
        evidence = list[str]()
        for attribute, line in of_it:
            gap = words.percent(abs(line.row.estimate), 0 if line.few else 1)
            text = say("{group} {gap}", group=_worse(audit, attribute, line), gap=gap)
            if margin is not None and not line.alone and not beyond(line.row, margin):
                text = _with_size(text, line.row, margin)
            evidence.append(sign * (line.alone and not every) + text)
        harms = metric == HARMS.get(errors_as(audit.protocol))
        question = say("Should a person review such cases?") if harms else say("Which inputs lead to this?")
        rows.append((sign * every + capital(errors), "; ".join(evidence), question))
    return rows


def _worse(audit: Audit, attribute: str, line: Line) -> str:
    """The group that has more of an error, or fewer right predictions."""
    more = line.rate if (line.row.estimate > 0) != (line.metric == "PPV") else line.other
    return short_name(audit.protocol, attribute, more.group)


def _counted(audit: Audit, cells: Sequence[Cell]) -> str:
    """Groups with how many people they have."""
    groups = [
        say("{group} ({n})", group=short_name(audit.protocol, c.attribute, c.group), n=words.count(c.n)) for c in cells
    ]
    return listed(groups, 3)


def _few(audit: Audit, result: Sequence[Answer]) -> list[Cell]:
    """Groups of few people whose comparison is open."""
    about = {"role": "main", "given": "", "term": "", "verdict": "inconclusive"}
    unsettled = {
        (row.attribute, row.group)
        for one in result
        for row in audit.estimates.only(
            metric=one.metric, attribute=one.attribute, contrast=contrast_of(one.metric), **about
        )
    }
    return [c for c in audit.cells if c.n < FEW and (c.attribute, c.group) in unsettled]
