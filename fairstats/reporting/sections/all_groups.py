"""All groups at once: the omnibus test, the largest difference and the worst ratio, as a sentence and as a table."""

from __future__ import annotations

from collections.abc import Sequence

from fairstats.auditing.words.finding import range_text
from fairstats.estimates import Estimate, Estimates
from fairstats.language import again, say
from fairstats.reporting import numbers as words
from fairstats.reporting.tables import Heading, Table, methods_note, table, text, word
from fairstats.text import p_equals

OMNIBUS, RANGE = "none", "difference"  # contrasts of the rows of the role


def sentence(rows: Estimates, metric: str) -> str:
    """Return a sentence on the omnibus test and the simultaneous interval of a metric; "" for two groups."""
    widest = {r.contrast: r for r in rows.only(metric=metric, role="all groups")}.get(RANGE)
    told = omnibus(rows, metric)
    return f"{told} {range_text(widest)}." if told and widest is not None and words.shown(widest) else told


def omnibus(rows: Estimates, metric: str) -> str:
    """Return a sentence on whether the rates of the groups differ at all; "" for two groups."""
    tests = {r.contrast: r for r in rows.only(metric=metric, role="all groups")}
    test, widest = tests.get(OMNIBUS), tests.get(RANGE)
    if test is not None and test.status == "suppressed":
        return say("Whether the rates of all groups differ is withheld: some of the groups are.")
    if test is None or widest is None or not words.shown(widest):
        return ""
    values = {"p": p_equals(test.p_value), "method": again(test.method)}
    if test.p_value < 1 - widest.conf_level:
        return say("The rates of the groups are not all equal ({method}: {p}).", **values)
    return say("That the rates of the groups differ at all is not shown ({method}: {p}).", **values)


def at_once(name: str, rows: Estimates, metrics: Sequence[str]) -> Table | None:
    """One line a metric: omnibus p, and by how much rates differ at most; the limits belong to no one pair."""
    lines = [_line(metric, {r.contrast: r for r in rows.only(metric=metric, role="all groups")}) for metric in metrics]
    lines = [line for line in lines if line]
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
        r for r in rows.only(metric=tuple(metrics), role="all groups", contrast=(OMNIBUS, RANGE)) if r.status == "ok"
    )
    return table(say("Error rates of all groups of {name} at once", name=name), headings, lines, methods_note(used))


def _line(metric: str, tests: dict[str, Estimate]) -> list[str]:
    widest = tests.get(RANGE)
    if widest is None:
        return []
    test = tests.get(OMNIBUS)
    return [
        words.heading(metric),
        words.p_value(test.p_value) if test else words.DASH,
        words.percent(widest.estimate) if words.shown(widest) else words.status(widest),
        words.span(widest.conf_low, widest.conf_high, words.percent) if words.shown(widest) else words.DASH,
        words.p_value(widest.p_value),
        again(widest.reason) if words.shown(widest) and widest.reason else words.DASH,
    ]
