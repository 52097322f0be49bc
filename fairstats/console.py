"""Tables of estimates as a console shows them: the first rows within 80 columns, or every column of every row."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING

from fairstats.errors import visible
from fairstats.glossary import GLOSSARY, cell_text, lined_up
from fairstats.text import compact, p_equals, significant, span

if TYPE_CHECKING:
    from fairstats.estimates import Estimate

SHOWN = 20  # rows
LABEL = 32  # columns for what a row is about


def first_rows(rows: Sequence[Estimate]) -> str:
    """Return what each of the first rows is about, its number, interval and verdict; at most 80 columns, 42 lines."""
    lines = [f"{'':<{LABEL}}  {'estimate':>9}  interval"] if rows else ["no estimates"]
    for row in rows[:SHOWN]:
        about = textwrap.wrap(visible(row.label), LABEL, subsequent_indent="  ", max_lines=2, placeholder=" …")
        word = row.verdict or ("" if row.status == "ok" else row.status)
        lines.append(f"{about[0]:<{LABEL}}  {compact(row.estimate):>9}  {_interval(row):<18}  {word}".rstrip())
        lines += about[1:]
    if len(rows) > SHOWN:
        lines.append(f"... and {len(rows) - SHOWN} more; all in to_frame()")
    return visible("\n".join(lines))


def label_of(row: Estimate) -> str:
    """What a row is about, its parts joined by dots."""
    who = f"{row.group} vs {row.reference}" if row.reference else row.group
    at = f"{row.attribute} = {who}" if row.attribute and who else row.attribute or who
    parts = ("" if row.role == "main" else row.role, row.metric, row.estimator, at)
    made = f"{row.fit} vs {row.versus}" if row.versus else row.fit
    held = f"given {row.given}" if row.given else ""
    size = "" if math.isnan(row.k) else f"k = {row.k:g}"
    contrast = "" if row.contrast == "none" else row.contrast
    return " · ".join(filter(None, (*parts, contrast, held, row.term, made, row.model, size)))


def brief(row: Estimate) -> str:
    """Return the number of one row, its interval and p-value, its verdict or why there is none."""
    level = "" if math.isnan(row.conf_level) else f"{100 * row.conf_level:.4g} % interval "
    interval = _interval(row)
    parts = [
        compact(row.estimate) if row.estimate == row.estimate else row.status.replace("ok", "no number"),
        f"{level}{interval}" if interval else "",
        "" if math.isnan(row.p_value) else p_equals(row.p_value),
        "" if math.isnan(row.n) else f"n = {row.n:,.6g}",
        row.verdict,
        row.reason,
    ]
    return "; ".join(filter(None, parts))


def _interval(row: Estimate) -> str:
    absent = math.isnan(row.conf_low) and math.isnan(row.conf_high)
    return "" if absent else span(row.conf_low, row.conf_high, lambda value: significant(value, 3))


def every_column(rows: Sequence[Estimate]) -> str:
    """Return the rows with all columns that hold anything, as wide as they are."""
    shown = [c for c in GLOSSARY if any(cell_text(getattr(r, c)) for r in rows)]
    cells = [[GLOSSARY[c].label for c in shown]] + [[cell_text(getattr(r, c)) for c in shown] for r in rows]
    return visible("\n".join(lined_up(cells)))
