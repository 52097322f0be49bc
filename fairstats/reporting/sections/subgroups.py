"""Subgroups: page one of those that differ from everybody, and the table of all that were judged."""

from __future__ import annotations

from typing import Any

from fairstats.auditing.subgroups_result import FLAGGED, Subgroups, who
from fairstats.estimates import Estimate
from fairstats.language import again, say
from fairstats.reporting import numbers as words
from fairstats.reporting.bundle import Bundle
from fairstats.reporting.figures.forest import forest
from fairstats.reporting.figures.style import Drawing
from fairstats.reporting.sections.page_one_parts import blank, source_line, unshown, who_and_when
from fairstats.reporting.tables import Heading, Table, level_of, methods_note, table, text

MOST_DRAWN, MOST_LINES = 12, 40


def found_in(bundle: Bundle) -> list[Subgroups]:
    """The searches for subgroups that a report was given."""
    return [other for other in bundle.others if isinstance(other, Subgroups)]


def subgroups_page(bundle: Bundle) -> dict[str, Any]:
    """The context of page one: how many subgroups are flagged, the farthest of them, and what the limits promise."""
    found = found_in(bundle)
    return blank() | {
        "who": who_and_when(bundle),
        "question": say("Which subgroups differ from everybody?"),
        "sentence": " ".join(again(one.statements[0]) for one in found),
        "context": [again(said) for one in found for said in one.statements[1:]],
        "figures": [picture(f"page-one-subgroups-{i}", one, MOST_DRAWN) for i, one in enumerate(found)],
        "unshown": [
            *unshown(bundle),
            say("That a subgroup is not flagged does not show that it is treated like everybody."),
        ],
        "next": [("comparison", say("All subgroups, with limits and p-values"))],
        "source": source_line(bundle),
    }


def picture(name: str, result: Subgroups, most: int) -> Drawing:
    """Draw the subgroups that are farthest from everybody, each with its simultaneous limits."""
    rows = result.judged()
    caption = say(
        "{rate}: the difference of each subgroup from everybody, in percentage points; filled where it is flagged.",
        rate=words.heading(result.metric),
    )
    if len(rows) > most:
        caption += " " + say(
            "Drawn: {k} of {n} subgroups, first those whose limits are farthest from 0.", k=most, n=len(rows)
        )
    labels = [who(row.attribute, row.group) for row in rows[:most]]
    return forest(name, rows[:most], caption=caption, labels=labels, margin=result.tolerance or None)


def judged_table(result: Subgroups) -> Table:
    """A line a subgroup: its people, its rate, the difference from everybody, limits and p-value."""
    rows = result.judged()
    headings = [text(say("subgroup")), Heading(say("people")), Heading(words.heading(result.metric), "%")]
    headings += [Heading(say("difference"), say("points")), Heading(level_of(rows), say("points"))]
    headings += [Heading(say("adjusted p")), text(say("flagged"))]
    caption = say(
        "Difference of each subgroup from everybody ({rate} %)", rate=words.percent(result.estimates[0].estimate)
    )
    return table(caption, headings, map(_line, rows), methods_note(rows), MOST_LINES)


def _line(row: Estimate) -> list[str]:
    rates = [words.percent(row.events / row.n), words.percent(row.estimate)]
    flag = say("yes") if row.verdict == FLAGGED else say("no")
    name = who(row.attribute, row.group)
    return [name, words.count(row.n), *rates, words.interval(row), words.p_value(row.p_adjusted), flag]
