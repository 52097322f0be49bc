"""Which columns a table of estimates shows, and how each cell is worded."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from fairstats.estimates import Estimate, Estimates
from fairstats.inference.verdicts import decisive_p
from fairstats.reporting import numbers as words
from fairstats.reporting.tables import MOST_ROWS, Heading, Table, methods_note, table, text, word

Column = tuple[Heading, Callable[[Estimate], str]]


def number_or_status(row: Estimate) -> str:
    """The estimate in the unit of its column, or in words why there is none."""
    return words.scale(row)(row.estimate) if words.shown(row) else words.status(row)


RATE: tuple[Column, ...] = (
    (Heading("n"), lambda r: words.count(r.n)),
    (Heading("events"), lambda r: words.count(r.events)),
    (Heading("rate", "%"), number_or_status),
    (Heading("interval", "%"), words.interval),
)
DIFFERENCE: tuple[Column, ...] = (
    (Heading("difference", "points"), number_or_status),
    (Heading("interval", "points"), words.interval),
)
RATIO: tuple[Column, ...] = ((Heading("ratio"), number_or_status), (Heading("interval"), words.interval))
ADJUSTED: tuple[Column, ...] = (
    (Heading("adjusted p"), lambda r: words.p_value(decisive_p(r))),
    (word("verdict"), lambda r: r.verdict or words.DASH),
)
AREA: tuple[Column, ...] = ((Heading("AUC"), number_or_status), (Heading("interval"), words.interval))
HIGHER: tuple[Column, ...] = (
    (Heading("P(X>Y)"), number_or_status),
    (Heading("interval"), words.interval),
    (Heading("adjusted p"), lambda r: words.p_value(decisive_p(r))),
)


def shift(rows: Estimates) -> tuple[Column, ...]:
    """Shifts in the unit of the score: one digit where they exceed it, three for scores between 0 and 1."""
    large = any(abs(r.estimate) >= 1 or abs(r.conf_high) >= 1 for r in rows)
    digits = 1 if large else 3
    return (
        (Heading("shift"), lambda r: words.number(r.estimate, digits) if words.shown(r) else words.status(r)),
        (Heading("interval"), lambda r: words.span(r.conf_low, r.conf_high, lambda v: words.number(v, digits))),
    )


def setting(row: Estimate) -> str:
    """What tells a row from others of its metric and groups: estimator, condition, name, method and model."""
    name = f"{row.fit} vs {row.versus}" if row.versus else row.fit
    size = "" if math.isnan(row.k) else f"k = {row.k:g}"
    parts = (row.estimator, f"given {row.given}" if row.given else "", row.term, name, row.model, size)
    return ", ".join(filter(None, parts)) or words.DASH


GENERAL: tuple[Column, ...] = (
    (text("statistic"), words.claim),
    (text("setting"), setting),
    (Heading("n"), lambda r: words.count(r.n)),
    (Heading("estimate"), words.estimate),
    (Heading("interval"), words.interval),
    (Heading("p"), lambda r: words.p_value(r.p_value)),
)
ERROR_DIFFERENCE: tuple[Column, ...] = (
    (word("rate"), lambda r: words.heading(r.metric)),
    (text("group"), lambda r: r.group),
    *DIFFERENCE,
    (Heading("p"), lambda r: words.p_value(r.p_value)),
    *ADJUSTED,
)


def estimates_table(
    caption: str, rows: Estimates, columns: Sequence[Column], note: str = "", most: int = MOST_ROWS
) -> Table:
    """A line a row: ``columns`` says which cells it shows; methods and levels go to the footnote."""
    cells = [[get(row) for _, get in columns] for row in rows]
    return table(caption, [h for h, _ in columns], cells, methods_note(rows, note), most)


def groups_table(
    caption: str,
    groups: Sequence[str],
    blocks: Sequence[tuple[Estimates, Sequence[Column]]],
    note: str = "",
    reference: str = "",
) -> Table:
    """A line a group: each block of columns reads the group's row of its own estimates.

    Blocks without estimates are left out; the reference, which has no contrast, says so in its last cell.
    """
    filled = [({r.group: r for r in rows}, columns) for rows, columns in blocks if len(rows)]
    headings = [text("group"), *(h for _, columns in filled for h, _ in columns)]
    lines = [
        [group, *(get(known[group]) if group in known else words.DASH for known, cols in filled for _, get in cols)]
        for group in groups
    ]
    for line in lines:
        if reference and line[0] == reference and line[-1] == words.DASH:
            line[-1] = "reference"
    every = [r for rows, _ in blocks for r in rows]
    return table(caption, headings, lines, methods_note(every, note))
