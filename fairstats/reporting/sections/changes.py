"""Monitoring: page one of a change between two audits, and the differences that it is made of."""

from __future__ import annotations

from typing import Any

from fairstats.auditing.change import AFTER, BEFORE, CHANGE, Change
from fairstats.auditing.change_said import gaps_of
from fairstats.auditing.words.phrases import measured_among
from fairstats.errors import InputError
from fairstats.estimates import Estimate, Estimates
from fairstats.inference.multiplicity import rejected
from fairstats.language import again, mark, say, say_number
from fairstats.reporting import numbers as words
from fairstats.reporting.bundle import Bundle, sources
from fairstats.reporting.figures.before_after import before_after
from fairstats.reporting.figures.style import Drawing
from fairstats.reporting.sections.page_one_parts import blank, source_line, who_and_when
from fairstats.reporting.tables import Heading, Table, level_of, methods_note, table, text
from fairstats.text import capital, level, signed

MOST_LINES, MOST_DRAWN = 8, 6
HEADLINE = "selection rate"  # its comparisons stand before those of other rates
READING = mark(
    "Difference: the rate of the first group less that of the second, in percentage points; below 0 the first one has "
    "it less often. Change: the later difference less the earlier one."
)


def changes(bundle: Bundle) -> list[Change]:
    """The changes that a report was given."""
    return [other for other in bundle.others if isinstance(other, Change)]


def change_page(bundle: Bundle) -> dict[str, Any]:
    """The context of page one of monitoring: which difference changed, by how much, and between which rates.

    Raises
    ------
    InputError
        The report has no change.
    """
    found = changes(bundle)
    if not found:
        raise InputError("preset='monitoring' needs a change; pass what fairstats.change returned.")
    return blank() | {
        "who": _who(bundle, found[0]),
        "question": _question(found[0]),
        "sentence": " ".join(sentence(one) for one in found),
        "context": [said for one in found for said in context_of(one)],
        "tables": [_rates(one) for one in found],
        "figures": [drawn for i, one in enumerate(found) if (drawn := picture(f"page-one-change-{i}", one))],
        "unshown": [
            say("It does not show why a difference changed, nor whether the change is for better or worse."),
            say(
                "That no change is shown does not prove that nothing changed: each interval holds the changes that the "
                "data leave possible."
            ),
            say(
                "The two audits are taken to be of different people; of people who are in both, the intervals would be "
                "wrong."
            ),
        ],
        "next": [("comparison", say("Every difference before and after, with its interval"))],
        "source": source_line(bundle),
    }


def _who(bundle: Bundle, result: Change) -> str:
    people = say("Two audits of {n} people", n=words.count(result.n))
    return f"{people} · {who_and_when(bundle)}" if bundle.audit is None else who_and_when(bundle)


def _question(result: Change) -> str:
    before, after = sources(result)
    if before == after:
        return say("Did the differences between groups change from the earlier audit to the later one?")
    return say("Did the differences between groups change from {before} to {after}?", before=before, after=after)


def ordered(result: Change) -> list[Estimate]:
    """The changes: those that are shown first, then those of the rates that audits are about."""
    rows = list(result.estimates.only(estimator=CHANGE))
    place = {id(row): i for i, row in enumerate(rows)}
    return sorted(rows, key=lambda r: (not _changed(result, r), r.metric != HEADLINE, place[id(r)]))


def _changed(result: Change, row: Estimate) -> bool:
    return row.status == "ok" and rejected(row.p_adjusted, result.conf_level)


def sentence(result: Change) -> str:
    """The change that is shown most clearly, with what it is between; or that none is shown, of how many."""
    row = lead_of(result)
    known = sum(map(words.shown, ordered(result)))
    if row is None or not _changed(result, row):
        return say_number(
            "No change of a difference between groups is shown ({n} comparison).",
            "No change of a difference between groups is shown ({n} comparisons).",
            known,
            n=words.count(known),
        )
    before, after = gaps_of(result.estimates, row)
    return say(
        "{rate}: the difference between {group} and {reference} ({attribute}) was {before} percentage points before "
        "and is {after} after, a change of {change} ({level} interval {low} to {high}).",
        rate=words.heading(row.metric),
        group=row.group,
        reference=row.reference,
        attribute=row.attribute,
        before=_points(before),
        after=_points(after),
        change=signed(100 * row.estimate),
        level=level(row.conf_level),
        low=words.percent(row.conf_low),
        high=words.percent(row.conf_high),
    )


def lead_of(result: Change) -> Estimate | None:
    """The comparison that page one is about: the change that is shown most clearly, else the first one."""
    known = [row for row in ordered(result) if words.shown(row)]
    shown = [row for row in known if _changed(result, row)]
    return min(shown, key=lambda row: row.p_adjusted) if shown else next(iter(known), None)


def _rates_of(result: Change, lead: Estimate) -> list[str]:
    """What the two rates were and are, and what the rate is."""
    where = {"metric": lead.metric, "attribute": lead.attribute, "contrast": "none"}
    found = {(r.group, r.estimator): _points(r) for r in result.estimates.only(**where)}
    own, other = ([found.get((g, when), words.DASH) for when in (BEFORE, AFTER)] for g in (lead.group, lead.reference))
    said = say(
        "{group}: {own_before} % before, {own_after} % after; {reference}: {other_before} % and {other_after} %.",
        group=lead.group,
        own_before=own[0],
        own_after=own[1],
        reference=lead.reference,
        other_before=other[0],
        other_after=other[1],
    )
    meaning = words.meaning(lead.metric)
    return [said, *([f"{words.heading(lead.metric)}: {meaning}."] if meaning else [])]


def _points(row: Estimate | None) -> str:
    return words.percent(row.estimate) if row is not None and words.shown(row) else words.DASH


def context_of(result: Change) -> list[str]:
    """What else changed, what the words mean, and what could not be compared."""
    rows = ordered(result)
    known = [row for row in rows if words.shown(row)]
    shown = sum(_changed(result, row) for row in known)
    said = _rates_of(result, lead) if (lead := lead_of(result)) else []
    if shown:
        said.append(
            say("A change is shown in {shown} of {n} comparisons.", shown=words.count(shown), n=words.count(len(known)))
        )
    elif lead:
        said.append(
            say(
                "Changes of their difference by {low} to {high} percentage points are possible by these data.",
                low=words.percent(lead.conf_low),
                high=words.percent(lead.conf_high),
            )
        )
    said.append(say(READING))
    said += map(again, measured_among(result.statements))
    said += [
        f"{words.heading(row.metric)}, {words.pair(row)}: {words.status(row)}." for row in rows if row not in known
    ]
    return said


def _rates(result: Change) -> Table:
    """A line a comparison: both rates and their difference before and after, the change, its p-value."""
    rows = ordered(result)
    rates = {(r.metric, r.attribute, r.group, r.estimator): r for r in result.estimates if r.contrast == "none"}
    headings = [text(say("rate")), text(say("groups"))]
    for when in (say("before"), say("after")):
        headings += [
            Heading(say("{when}: first", when=when), "%"),
            Heading(say("second"), "%"),
            Heading(say("difference"), say("points")),
        ]
    headings += [Heading(say("change"), say("points")), Heading(level_of(rows)), Heading(say("adjusted p"))]
    lines = []
    for row in rows:
        cells = [words.heading(row.metric), _less(row)]
        for name, gap in zip((BEFORE, AFTER), gaps_of(result.estimates, row), strict=True):
            cells += [_points(rates.get((row.metric, row.attribute, g, name))) for g in (row.group, row.reference)]
            cells.append(_points(gap))
        cells += [signed(100 * row.estimate) if words.shown(row) else words.DASH, words.interval(row)]
        lines.append([*cells, words.p_value(row.p_adjusted)])
    note = say(
        "First and second: the two groups of a line. Intervals and p-values of the changes allow for all {n} "
        "comparisons together.",
        n=words.count(sum(map(words.shown, rows))),
    )
    caption = say("Rates of the groups before and after, and the change of their difference")
    if len({row.metric for row in rows}) == 1:  # which then stands over the table
        caption = f"{words.heading(rows[0].metric)}. {caption}"
        headings, lines = headings[1:], [line[1:] for line in lines]
    return table(caption, headings, lines, note, MOST_LINES)


def _less(row: Estimate) -> str:
    """The two groups of a difference, in its order."""
    return say("{group} less {reference}", group=row.group, reference=row.reference)


def picture(name: str, result: Change) -> Drawing | None:
    """The differences before and after of the first comparisons, and their changes."""
    lines = []
    for row in ordered(result):
        before, after = gaps_of(result.estimates, row)
        if before is not None and after is not None and words.shown(row):
            label = f"{capital(words.in_text(row.metric))}: {_less(row)}"
            lines.append((label, before, after, row))
    if not lines:
        return None
    drawn = lines[:MOST_DRAWN]
    caption = say(
        "Left: the difference before (open) and after (filled), with {level} intervals. Right: its change; filled "
        "where the interval, which allows for all comparisons, leaves out 0.",
        level=level(result.conf_level),
    )
    if len(lines) > len(drawn):
        caption += " " + say("Drawn: {k} of {n} comparisons.", k=len(drawn), n=len(lines))
    return before_after(name, drawn, caption=caption)


def gaps(result: Change) -> Table:
    """A line a comparison: the difference before and after, the change, each with its interval."""
    rows = Estimates(ordered(result))
    beside = [gaps_of(result.estimates, row) for row in rows]
    known = [r for pair in beside for r in pair if r is not None]
    points = say("points")
    headings = [text(say("rate")), text(say("groups")), Heading(say("people"))]
    for when in (say("before"), say("after")):
        headings += [Heading(when, points), Heading(level_of(known), points)]
    headings += [
        Heading(say("change"), points),
        Heading(level_of(rows), points),
        Heading(say("adjusted p")),
    ]
    lines = []
    for row, pair in zip(rows, beside, strict=True):
        cells = [words.heading(row.metric), _less(row), words.count(row.n)]
        for one in (*pair, row):
            cells += [_points(one), words.interval(one) if one is not None else words.DASH]
        lines.append([*cells, words.p_value(row.p_adjusted)])
    note = methods_note([*known, *rows], say("People: of both groups, in both audits."))
    return table(say("Differences before and after, and their change"), headings, lines, note, 30)
