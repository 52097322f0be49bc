"""Tables of a comparison: gaps over all groups, and what the representations keep and give away."""

from __future__ import annotations

from functools import partial

from fairstats.comparing.metrics import DISCREPANCY, EXPLAINED, ODDS, PARITY
from fairstats.comparing.result import Comparison
from fairstats.estimates import Estimate
from fairstats.language import mark, say
from fairstats.reporting import numbers as words
from fairstats.reporting.columns import estimates_table, number_or_dash
from fairstats.reporting.sections.shared import attribute_name, term_name
from fairstats.reporting.tables import Heading, Table, text


def parity(result: Comparison) -> Table | None:
    """Gaps over all groups of an attribute; with two groups these are the differences above without their sign."""
    several = [a for a in result.references if len({r.group for r in result.estimates.where(attribute=a)} - {""}) > 2]
    rows = result.estimates.only(metric=(PARITY, ODDS), attribute=several, contrast="none")
    if not len(rows):
        return None
    columns = (
        (text(mark("method and model")), partial(term_name, result)),
        (text(mark("groups")), lambda row: attribute_name(row.attribute)),
        (text(mark("largest less smallest rate")), lambda row: words.heading(row.metric)),
        (Heading(mark("estimate")), words.estimate),
    )
    return estimates_table(
        say("Gaps over all groups, which chance makes larger: compare methods"), rows, columns, most=30
    )


def representation(result: Comparison) -> Table | None:
    """What a representation keeps of the features, and what it tells of the groups, on rows held out."""
    rows = result.estimates.only(metric=(EXPLAINED, DISCREPANCY), contrast="none")
    if not len(rows):
        return None
    columns = (
        (text(mark("method")), partial(term_name, result)),
        (text(mark("statistic")), _statistic),
        (Heading(mark("estimate")), number_or_dash),
        (Heading(mark("interval")), words.interval),
    )
    absent: dict[str, list[str]] = {}
    for row in rows:
        if not words.shown(row):
            absent.setdefault(f"{words.heading(row.metric)} {words.status(row)}", []).append(term_name(result, row))
    note = " ".join(f"{why} ({words.listed(which)})." for why, which in absent.items())
    return estimates_table(say("How much information the methods keep, people held out"), rows, columns, note, most=40)


def _statistic(row: Estimate) -> str:
    return words.heading(row.metric) + (f", {words.pair(row)}" if row.group else "")
