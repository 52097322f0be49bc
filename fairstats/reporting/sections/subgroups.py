"""Subgroups: page one of those that differ from everybody, and the table of all that were judged."""

from __future__ import annotations

from typing import Any

from fairstats.auditing.subgroups_result import FLAGGED, LEFT, MOST, Subgroups, columns, who
from fairstats.auditing.words.phrases import SHARES, measured_among, share_of
from fairstats.estimates import Estimate
from fairstats.language import again, mark, say
from fairstats.reporting import numbers as words
from fairstats.reporting.bundle import Bundle
from fairstats.reporting.figures.forest import forest
from fairstats.reporting.figures.style import Drawing
from fairstats.reporting.sections.page_one_parts import blank, recorded, source_line, unshown, who_and_when
from fairstats.reporting.tables import Heading, Table, level_of, methods_note, table, text
from fairstats.text import level_number, listed, signed

MOST_DRAWN, MOST_LINES = 12, 40
_LEFT = LEFT.partition("{")[0]  # page one says why they are not judged, too


def found_in(bundle: Bundle) -> list[Subgroups]:
    """The searches for subgroups that a report was given."""
    return [other for other in bundle.others if isinstance(other, Subgroups)]


def subgroups_page(bundle: Bundle) -> dict[str, Any]:
    """The context of page one: how many subgroups are flagged, the farthest of them, and what the limits promise."""
    found = found_in(bundle)
    people = say("{n} people that the rate is of", n=words.count(found[0].n))
    return blank() | {
        "who": f"{people} · {who_and_when(bundle)}",
        "question": _question(found[0]),
        "sentence": " ".join(map(sentence, found)),
        "context": [said for one in found for said in context_of(one)],
        "figures": [picture(f"page-one-subgroups-{i}", one, MOST_DRAWN) for i, one in enumerate(found)],
        "unshown": [
            *unshown(bundle),
            *dict.fromkeys(recorded(one.protocol) for one in found if "outcome" in words.known(one.metric).columns),
            say("That a subgroup is not flagged does not show that it is treated like everybody."),
        ],
        "source": source_line(bundle),
    }


def _question(found: Subgroups) -> str:
    return say(
        "Which subgroups by {columns} have a {rate} that differs from everybody's?",
        columns=listed(columns(found)),
        rate=words.in_text(found.metric),
    )


def sentence(found: Subgroups) -> str:
    """How many subgroups are flagged, beside which rate."""
    values = {
        "k": words.count(len(found.flagged())),
        "n": words.count(len(found.judged())),
        "rate": words.in_text(found.metric),
        "overall": words.percent(found.estimates[0].estimate),
        "tolerance": words.percent(found.tolerance),
    }
    if not len(found.flagged()):
        return say("None of {n} subgroups is flagged as differing from everybody's {rate} of {overall} %.", **values)
    if found.tolerance:
        return say(
            "{k} of {n} subgroups are flagged: their {rate} is more than {tolerance} percentage points from "
            "everybody's {overall} %.",
            **values,
        )
    return say("{k} of {n} subgroups are flagged: their {rate} differs from everybody's {overall} %.", **values)


def context_of(found: Subgroups) -> list[str]:
    """The farthest subgroup, what the rate and a flag are, and what the limits of all promise."""
    said = [say("{rate}: {meaning}.", rate=words.heading(found.metric), meaning=share_of(found.protocol, found.metric))]
    flagged = [row for row in found.judged() if row.verdict == FLAGGED]
    for side in (flagged, [row for row in flagged if flagged[0].estimate * row.estimate < 0]):  # and the other side
        said += [_farthest(row) for row in side[:1]]
    said.append(
        say(
            "A flag is wrong where the subgroup in truth does not differ so; in the mean of many such searches {fdr} % "
            "of the flags or fewer are wrong (false discovery rate).",
            fdr=level_number(found.fdr),
        )
    )
    beyond = 1 + min(MOST, len(flagged))  # those of how many are flagged, and of the first of them
    told = found.metric in SHARES and found.metric != "selection rate"  # of which is the favorable decision said, too
    known = set(measured_among(found.statements)) if told else set()
    said += [again(text) for text in found.statements[beyond:] if text not in known and not text.startswith(_LEFT)]
    left = sum(row.status != "ok" for row in found.estimates)
    if left:
        said.append(
            say(
                "Not judged: {n} more, of fewer than {least} people, of the same people as another one, or of "
                "everybody.",
                n=words.count(left),
                least=words.count(found.smallest),
            )
        )
    return said


def _farthest(row: Estimate) -> str:
    above = mark(
        "Farthest above everybody, by its limits: {subgroup} ({n} people) with {share} %, which is {difference} "
        "percentage points from everybody ({limits} {low} to {high})."
    )
    below = mark(
        "Farthest below everybody, by its limits: {subgroup} ({n} people) with {share} %, which is {difference} "
        "percentage points from everybody ({limits} {low} to {high})."
    )
    return say(
        above if row.estimate > 0 else below,
        subgroup=who(row.attribute, row.group),
        n=words.count(row.n),
        share=words.percent(row.events / row.n),
        difference=signed(100 * row.estimate),
        limits=level_of([row]),
        low=signed(100 * row.conf_low),
        high=signed(100 * row.conf_high),
    )


def picture(name: str, result: Subgroups, most: int) -> Drawing:
    """Draw the subgroups that are farthest from everybody, each with its simultaneous limits."""
    rows = result.judged()
    caption = say(
        "{rate}: the difference of each subgroup from everybody, in percentage points; filled where it is flagged. "
        "Lines: the {limits} of each.",
        rate=words.heading(result.metric),
        limits=level_of(rows),
    )
    if result.tolerance:
        caption += " " + say(
            "Gray: up to {points} points from everybody, which was declared to be no disparity.",
            points=words.percent(result.tolerance),
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
