"""What a notebook shows of a result: a few sentences and small tables with intervals and verdicts, and nothing else.

Styles stand on the elements themselves, so that nothing else on the page changes; what comes from data is escaped.
"""

from __future__ import annotations

import html
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from fairstats.errors import visible
from fairstats.estimates import Estimate
from fairstats.glossary import SHOWN
from fairstats.inference.verdicts import decisive_p
from fairstats.reporting import numbers as words
from fairstats.reporting.columns import leveled, setting
from fairstats.reporting.sections.shared import attribute_name
from fairstats.reporting.tables import Heading, Table, table, text, word

MOST_LINES = 20  # of one table
MOST_TABLES = 4
_CELL = "padding:0.15em 0.7em;border:0;vertical-align:top;text-align:"
_HEAD = "border-bottom:1px solid rgba(128,128,128,0.6);font-weight:600;"
_SHOWN = dict.fromkeys(map(str, SHOWN), "font-weight:600;")


@dataclass(frozen=True)
class Shown:
    """What a notebook shows: a heading, sentences, tables."""

    heading: str
    sentences: Sequence[str] = ()
    tables: Sequence[Table] = ()
    after: str = ""  # where the rest is


def markup(shown: Shown) -> str:
    """Return it as HTML: at most four tables of at most twenty lines.

    Examples
    --------
    >>> markup(Shown("Audit of <b>"))[:100]
    '<div style="overflow-x:auto"><p style="margin:0.3em 0;font-weight:600">Audit of &lt;b&gt;</p>...'
    """
    parts = [f'<p style="margin:0.3em 0;font-weight:600">{_text(shown.heading)}</p>']
    parts += [f'<p style="margin:0.3em 0;max-width:48em">{_text(sentence)}</p>' for sentence in shown.sentences]
    parts += [table_html(one) for one in shown.tables[:MOST_TABLES]]
    more = len(shown.tables) - MOST_TABLES
    after = [f"and {more} more tables" if more > 0 else "", shown.after]
    parts.append(f'<p style="margin:0.3em 0;font-size:0.9em;opacity:0.75">{_text("; ".join(filter(None, after)))}</p>')
    return f'<div style="overflow-x:auto">{"".join(parts)}</div>'


def _text(value: str) -> str:
    return html.escape(visible(value))


def table_html(made: Table) -> str:
    """One table as HTML whose styles stand on its elements."""
    caption = (
        f'<caption style="{_CELL}left;padding-left:0;caption-side:top;color:inherit">{_text(made.caption)}</caption>'
    )
    heads = "".join(
        f'<th scope="col" style="{_CELL}{_side(h)};{_HEAD}">{_text(f"{h.label}, {h.unit}" if h.unit else h.label)}</th>'
        for h in made.headings
    )
    lines = "".join(_line(made.headings, row) for row in made.rows)
    more = made.total - len(made.rows)
    if more > 0:
        rest = f'<td colspan="{len(made.headings)}" style="{_CELL}left;font-style:italic">and {more} more</td>'
        lines += f'<tr style="background:none">{rest}</tr>'
    return (
        '<table style="border-collapse:collapse;margin:0.5em 0;font-size:0.9em;font-variant-numeric:tabular-nums">'
        f"{caption}<thead><tr>{heads}</tr></thead><tbody>{lines}</tbody></table>"
    )


def _side(heading: Heading) -> str:
    return "right" if heading.kind == "number" else "left"


def _line(headings: Sequence[Heading], row: Sequence[str]) -> str:
    """A line, its first cell the header; a name has a direction of its own, whatever its script."""
    cells = []
    for place, (heading, cell) in enumerate(zip(headings, row, strict=True)):
        kept = "" if heading.kind == "text" else "white-space:nowrap;"  # an interval is one thing
        style = f"{_CELL}{_side(heading)};{kept}{_SHOWN.get(cell, '')}"
        content = _text(cell) if heading.kind == "number" else f"<bdi>{_text(cell)}</bdi>"
        if place == 0:
            cells.append(f'<th scope="row" style="{style}font-weight:normal">{content}</th>')
        else:
            cells.append(f'<td style="{style}">{content}</td>')
    return f"<tr>{''.join(cells)}</tr>"


_ROWS: tuple[tuple[Heading, Callable[[Estimate], str]], ...] = (
    (text("statistic"), lambda r: words.heading(r.metric) + ("" if r.contrast == "none" else f", {r.contrast}")),
    (text("setting"), lambda r: setting(r).removeprefix(words.DASH)),
    (text("groups of"), lambda r: attribute_name(r.attribute)),
    (text("group"), lambda r: r.group),
    (text("against"), lambda r: r.reference),
    (Heading("n"), lambda r: words.count(r.n)),
    (Heading("estimate"), lambda r: words.estimate(r) if words.shown(r) else words.status(r).split(":")[0]),
    (Heading("interval"), words.interval),
    (Heading("p"), lambda r: words.p_value(decisive_p(r))),
    (word("verdict"), lambda r: r.verdict),
)


def rows_table(caption: str, rows: Sequence[Estimate], without: Sequence[str] = ()) -> Table:
    """A line a row, without the columns of ``without``, which are the same in all."""
    shown = [(leveled(heading, rows), get) for heading, get in _ROWS if heading.label not in without]
    lines = [[get(row) for _, get in shown] for row in rows]
    return table(caption, [heading for heading, _ in shown], lines, most=MOST_LINES)
