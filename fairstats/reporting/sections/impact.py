"""Adverse impact: ratio to the highest rate, people missing to it, one selection more, and the two rules together."""

from __future__ import annotations

from collections.abc import Sequence

from fairstats.auditing.rows.adverse_impact import METRICS, MORE, MOVED, SMALL, TO_FOUR_FIFTHS
from fairstats.auditing.suppression.marking import HIGHEST_RATE
from fairstats.estimates import Estimate, Estimates
from fairstats.inference.multiplicity import rejected
from fairstats.inference.rates.four_fifths import SIDES, side
from fairstats.language import mark, say
from fairstats.reporting import numbers as words
from fairstats.reporting.tables import MOST_ROWS, Heading, Table, level_of, methods_note, table, text

EVERY = tuple(name for pair in METRICS.values() for name in pair)
NOTE = mark(
    "The rule of four fifths (29 CFR 1607.4(D)) compares with the highest rate of groups with 2 % of the people or "
    "more (29 CFR 1607.15(A)(2)(a)). Shortfall: how many more people of the group that rate, and 80 % of it, would "
    "have selected. Last: the ratio with one more selected, and with one selection moved here."
)


def impact(
    name: str,
    rows: Estimates,
    groups: Sequence[str],
    rate: str,
    conf_level: float,
    note: str = NOTE,
    most: int = MOST_ROWS,
) -> Table | None:
    """The table of one rate by one attribute, None where the audit has no such rows; the first has the note."""
    ratio, shortfall = METRICS.get(rate, ("", ""))
    ratios = {(r.group, r.given): r for r in rows.only(metric=ratio)}
    missing = {(r.group, r.given): r for r in rows.only(metric=shortfall)}
    shown = [g for g in groups if (g, "") in ratios]
    if all(ratios[g, ""].status == "suppressed" for g in shown):
        return None
    headings = [
        text(say("group")),
        Heading(say("ratio to the highest")),
        Heading(level_of(ratios[g, ""] for g in shown)),
        Heading(say("shortfall"), say("people")),
        Heading(say("to 0.8"), say("people")),
        Heading(say("with one more selected")),
        Heading(say("with one selection moved here")),
        text(say("ratio and test together")),
    ]
    lines = [
        [
            group,
            _number(ratios[group, ""]),
            words.interval(ratios[group, ""]),
            _people(missing.get((group, ""))),
            _people(missing.get((group, TO_FOUR_FIFTHS))),
            _number(ratios.get((group, MORE))),
            _number(ratios.get((group, MOVED))),
            _together(ratios[group, ""], conf_level),
        ]
        for group in shown
    ]
    best = ratios[shown[0], ""].reference
    caption = say(
        "{rate} by {name}: ratios to the highest, that of {group}", rate=words.heading(rate), name=name, group=best
    )
    few = [g for g in shown if SMALL in ratios[g, ""].reason]
    small = say("Under 2 % of the people: {groups}.", groups=words.listed(few)) if few else ""
    said = " ".join(filter(None, (say(note), small)))
    return table(caption, headings, lines, methods_note((ratios[g, ""] for g in shown), said), most)


def withheld(rows: Estimates, rate: str) -> str:
    """That there are no ratios to the highest rate, where a withheld group may have it; "" where there are some."""
    ratios = [row for row in rows.only(metric=METRICS.get(rate, ("",))[0]) if not row.given]
    if any(row.reason == HIGHEST_RATE for row in ratios):
        return say("Ratios to the highest rate are withheld: the group that has it may be a withheld one.")
    return ""


def _together(row: Estimate, conf_level: float) -> str:
    """The practical rule and the statistical one, side by side."""
    if not words.shown(row):
        return words.status(row)
    where = say(SIDES[side(row.estimate)])
    apart = rejected(row.p_adjusted, conf_level)
    equality = say("beyond chance") if apart else say("could be chance")
    return f"{where}; {equality}"


def _number(row: Estimate | None) -> str:
    return words.number(row.estimate, 2) if row is not None and row.status == "ok" else words.DASH


def _people(row: Estimate | None) -> str:
    if row is None or row.status != "ok":
        return words.DASH
    if row.estimate <= 0:
        return say("none")
    return words.count(round(row.estimate)) if row.estimate >= 0.5 else say("under 1")
