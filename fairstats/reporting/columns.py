"""Which columns a table of estimates shows, and how each cell is worded."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

from fairstats.auditing.rows.rates import DESCRIPTIVE
from fairstats.estimates import Estimate, Estimates
from fairstats.inference.verdicts import decisive_p
from fairstats.language import again, mark, say
from fairstats.reporting import numbers as words
from fairstats.reporting.tables import MOST_ROWS, Heading, Table, level_of, methods_note, table, text

Column = tuple[Heading, Callable[[Estimate], str]]


def number_or_status(row: Estimate) -> str:
    """The estimate in the unit of its column, or in words why there is none."""
    return words.scale(row)(row.estimate) if words.shown(row) else words.status(row)


def number_or_dash(row: Estimate) -> str:
    """The estimate in the unit of its column; why there is none stands in the column of verdicts, or in the note."""
    return words.scale(row)(row.estimate) if words.shown(row) else words.DASH


def judged(row: Estimate) -> str:
    """The verdict of a comparison in a cell; that there is none where it only describes, or why there is no number."""
    if not words.shown(row):
        return words.status(row)
    return say(row.verdict) or (say("no verdict") if DESCRIPTIVE in row.reason else words.DASH)


VERDICT = mark("verdict")
INTERVAL = mark("interval")  # its heading says the level of the rows in the column
RATE: tuple[Column, ...] = (
    (Heading("k"), lambda r: words.count(r.events)),
    (Heading("n"), lambda r: words.count(r.n)),
    (Heading(mark("rate"), "%"), number_or_dash),
    (Heading(INTERVAL, "%"), words.interval),
)
DIFFERENCE: tuple[Column, ...] = (
    (Heading(mark("difference"), mark("points")), number_or_dash),
    (Heading(INTERVAL, mark("points")), words.interval),
)
RATIO: tuple[Column, ...] = ((Heading(mark("ratio")), number_or_dash), (Heading(INTERVAL), words.interval))
ADJUSTED: tuple[Column, ...] = (
    (Heading(mark("adjusted p")), lambda r: words.p_value(decisive_p(r))),
    (text(VERDICT), lambda r: judged(r)),
)
AREA: tuple[Column, ...] = ((Heading("AUC"), number_or_dash), (Heading(INTERVAL), words.interval))
HIGHER: tuple[Column, ...] = (
    (Heading("P(X>Y)"), number_or_dash),
    (Heading(INTERVAL), words.interval),
    (Heading(mark("adjusted p")), lambda r: words.p_value(decisive_p(r))),
)


def shift(rows: Estimates) -> tuple[Column, ...]:
    """Shifts in the unit of the score: one digit where some exceed 1 or all are whole, three between 0 and 1."""
    values = [v for r in rows if words.shown(r) for v in (r.estimate, r.conf_low, r.conf_high) if v == v]
    coarse = any(abs(v) >= 1 for v in values) or all(v == round(v) for v in values)  # by the grain, not by the size
    digits = 1 if coarse else 3
    return (
        (Heading(mark("shift")), lambda r: words.number(r.estimate, digits) if words.shown(r) else words.DASH),
        (Heading(INTERVAL), lambda r: words.span(r.conf_low, r.conf_high, lambda v: words.number(v, digits))),
    )


def setting(row: Estimate) -> str:
    """What tells a row from others of its metric and groups: estimator, condition, name, method and model."""
    name = say("{one} vs {other}", one=row.fit, other=row.versus) if row.versus else row.fit
    size = "" if math.isnan(row.k) else f"k = {row.k:g}"
    given = say("given {given}", given=again(row.given)) if row.given else ""
    parts = (again(row.estimator), given, again(row.term), name, row.model, size)
    return ", ".join(filter(None, parts)) or words.DASH


GENERAL: tuple[Column, ...] = (
    (text(mark("statistic")), words.claim),
    (text(mark("setting")), setting),
    (Heading("n"), lambda r: words.count(r.n)),
    (Heading(mark("estimate")), words.estimate),
    (Heading(INTERVAL), words.interval),
    (Heading("p"), lambda r: words.p_value(r.p_value)),
)


def general(rows: Estimates) -> tuple[Column, ...]:
    """Columns for rows of any kind: beside p its correction where a family of tests has one."""
    adjusted: Column = (Heading(mark("adjusted p")), lambda r: words.p_value(r.p_adjusted))
    return (*GENERAL, adjusted) if any(r.p_adjusted == r.p_adjusted for r in rows) else GENERAL


def estimates_table(
    caption: str,
    rows: Estimates,
    columns: Sequence[Column],
    note: str = "",
    most: int = MOST_ROWS,
    methods: bool = True,
) -> Table:
    """A line a row: ``columns`` says which cells it shows; methods go to the footnote, where they are asked for."""
    cells = [[get(row) for _, get in columns] for row in rows]
    return table(
        caption, [leveled(h, rows) for h, _ in columns], cells, methods_note(rows, note) if methods else note, most
    )


def leveled(heading: Heading, rows: Sequence[Estimate]) -> Heading:
    """The heading of a column in the language of the report, which of intervals says their level."""
    label = level_of(rows) if heading.label == INTERVAL else say(heading.label)
    return replace(heading, label=label, unit=say(heading.unit))


def groups_table(
    caption: str,
    groups: Sequence[str],
    blocks: Sequence[tuple[Estimates, Sequence[Column]]],
    note: str = "",
    reference: str = "",
    methods: bool = True,
    most: int = MOST_ROWS,
) -> Table:
    """A line a group: each block of columns reads the group's row of its own estimates.

    Blocks without estimates are left out; the reference, which has no contrast, says so in its last cell. Why a group
    has no number stands in the column of verdicts, or where there is none in the note. Tables of the same methods name
    them once (``methods``).
    """
    filled = [({r.group: r for r in rows}, columns) for rows, columns in blocks if len(rows)]
    headings = [text(say("group")), *(leveled(h, rows) for rows, columns in blocks if len(rows) for h, _ in columns)]
    lines = [
        [group, *(get(known[group]) if group in known else words.DASH for known, cols in filled for _, get in cols)]
        for group in groups
    ]
    absent = {g: next((w for known, _ in filled if g in known and (w := _absent(known[g]))), "") for g in groups}
    judged = headings[-1].label == say(VERDICT)
    for line in lines:
        if judged and line[-1] == words.DASH and (line[0] == reference or absent[line[0]]):
            line[-1] = absent[line[0]] or say("reference")
    without = [] if judged else [f"{group}: {why}." for group, why in absent.items() if why]
    every = [r for rows, _ in blocks for r in rows]
    said = " ".join(filter(None, (note, *without)))
    return table(caption, headings, lines, methods_note(every, said) if methods else said, most)


def _absent(row: Estimate) -> str:
    return "" if words.shown(row) else words.status(row)
