"""Tables of estimates as a console shows them: the first rows within 80 columns, or every column of every row."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING

from fairstats.errors import visible
from fairstats.glossary import GLOSSARY, cell_text, lined_up
from fairstats.text import compact, significant, span

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


def _interval(row: Estimate) -> str:
    absent = math.isnan(row.conf_low) and math.isnan(row.conf_high)
    return "" if absent else span(row.conf_low, row.conf_high, lambda value: significant(value, 3))


def every_column(rows: Sequence[Estimate]) -> str:
    """Return the rows with all columns that hold anything, as wide as they are."""
    shown = [c for c in GLOSSARY if any(cell_text(getattr(r, c)) for r in rows)]
    cells = [[GLOSSARY[c].label for c in shown]] + [[cell_text(getattr(r, c)) for c in shown] for r in rows]
    return visible("\n".join(lined_up(cells)))
