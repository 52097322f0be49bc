"""What a notebook shows of a result: a few sentences and small tables with intervals and verdicts, and nothing else.

Styles stand on the elements themselves, so that nothing else on the page changes; what comes from data is escaped.
"""

from __future__ import annotations

import html
import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import singledispatch
from typing import Any

from fairstats import metrics
from fairstats.auditing.answer import Answer, amounts_of, answered_within, answers
from fairstats.auditing.result import (
    MOST_GROUPS,
    MOST_NAMED,
    Audit,
    as_sent,
    combined,
    design_lines,
    errors_of_classes,
    many_cautions,
    on_labels,
    rates_and_errors,
    rates_within,
    standard_errors,
    title_of,
)
from fairstats.auditing.sentences import BESIDE, finding_parts, spoken_of
from fairstats.auditing.tally import NEXT, Tally, contents, title
from fairstats.comparing.result import Comparison, finding_paragraphs
from fairstats.document import Block, Bullets, Figure, Heading, Paragraph, Strong, Table, Title, leaves
from fairstats.errors import snippet, visible
from fairstats.estimates import Estimate, Estimates, Worded
from fairstats.inference.representations.leakage import Leakage
from fairstats.inference.verdicts import decisive_p
from fairstats.labels import MISSING_LEVEL
from fairstats.language import translated
from fairstats.methods.crossfit import OutOfFoldScores
from fairstats.metrics import GAPS_OF_AMOUNTS
from fairstats.reporting import words
from fairstats.reporting.bundle import name_of
from fairstats.reporting.exports import markdown
from fairstats.reporting.report import names_in_code
from fairstats.reporting.sections.amounts import OF_BOTH, means_table, people_of_both
from fairstats.reporting.sections.audit import page_levels, shown_alone
from fairstats.reporting.sections.classes import class_table
from fairstats.reporting.sections.comparison import gaps_table
from fairstats.reporting.sections.shared import as_counted, attribute_name, by_size, rate_name, sized
from fairstats.reporting.tables import (
    DIFFERENCE,
    RATE,
    Column,
    adjusted,
    groups_table,
    leveled,
    setting,
    table,
    text,
    with_error,
    with_levels,
    word,
)
from fairstats.text import code_parts, columns_as_code

MOST_LINES = 20  # of one table
MOST_TABLES = 4
_CELL = "padding:0.15em 0.4em;border:0;vertical-align:top;text-align:"
_HEAD = "border-bottom:1px solid rgba(128,128,128,0.6);font-weight:600;"
_STRONG = "font-weight:600;"


def markup(document: Iterable[Block], after: str = "") -> str:
    """Return a document as HTML: at most four tables of at most twenty lines, and last where the rest is.

    Examples
    --------
    >>> markup([Title(1, "Audit of <b>")])[:100]
    '<div style="overflow-x:auto"><p style="margin:0.3em 0;font-weight:600">Audit of &lt;b&gt;</p>...'
    """
    parts, tables = [], 0
    for block in leaves(document):
        if isinstance(block, Table):
            tables += 1
            parts += [table_html(_shortened(block))] if tables <= MOST_TABLES else []
            parts += [_line_of(block.note, _SMALL)] if block.note and tables <= MOST_TABLES else []
        elif isinstance(block, Bullets):
            parts += [_line_of(item) for item in block.items]
        elif not isinstance(block, Figure):
            parts.append(_line_of(block.text, _BOLD if isinstance(block, Title) else _LINE))
    more = f"and {tables - MOST_TABLES} more tables" if tables > MOST_TABLES else ""
    rest = "; ".join(filter(None, (more, after)))
    return f'<div style="overflow-x:auto">{"".join(parts)}{_line_of(rest, _SMALL)}</div>'


Document = Sequence[Block]
_LINE, _BOLD, _SMALL = "max-width:48em", "font-weight:600", "font-size:0.9em;opacity:0.75"


def _line_of(wording: str, style: str = _LINE) -> str:
    return f'<p style="margin:0.3em 0;{style}">{_text(wording)}</p>'


def _shortened(result: Table) -> Table:
    return replace(result, rows=result.rows[:MOST_LINES], total=max(result.total, len(result.rows)))


def _text(value: str) -> str:
    parts = map(html.escape, code_parts(visible(translated(value))))
    return "".join(f"<code>{part}</code>" if place % 2 else part for place, part in enumerate(parts))


def table_html(result: Table) -> str:
    """One table as HTML whose styles stand on its elements."""
    caption = (
        f'<caption style="{_CELL}left;padding-left:0;caption-side:top;color:inherit">{_text(result.caption)}</caption>'
    )
    heads = "".join(
        f'<th scope="col" style="{_CELL}{_side(h)};{_HEAD}">{_text(f"{h.label}, {h.unit}" if h.unit else h.label)}</th>'
        for h in result.headings
    )
    lines = "".join(_line(result.headings, row) for row in result.rows)
    more = result.total - len(result.rows)
    if more > 0:
        rest = f'<td colspan="{len(result.headings)}" style="{_CELL}left;font-style:italic">and {more} more</td>'
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
        strong = isinstance(cell, Strong)
        style = f"{_CELL}{_side(heading)};{kept}{_STRONG * strong}"
        content = _text(cell) if heading.kind == "number" else f"<bdi>{_text(cell)}</bdi>"
        if place == 0:
            cells.append(f'<th scope="row" style="{style}{"" if strong else "font-weight:normal"}">{content}</th>')
        else:
            cells.append(f'<td style="{style}">{content}</td>')
    return f"<tr>{''.join(cells)}</tr>"


PEOPLE: Column = (Heading("n"), lambda r: words.count(r.n))
_ROWS: tuple[Column, ...] = (
    (text("role"), lambda r: "" if r.role == "main" else r.role),
    (text("setting"), lambda r: setting(r, "")),
    (text("groups of"), lambda r: attribute_name(r.attribute)),
    (text("group"), lambda r: "all groups at once" if r.role == "omnibus" and not r.group else r.group),
    (text("against"), lambda r: r.reference),
    (Heading("estimate"), lambda r: words.estimate(r) if words.shown(r) else words.short_status(r)),
    (Heading("interval"), words.interval),
)


def rows_table(
    caption: str,
    rows: Sequence[Estimate],
    without: Sequence[str] = (),
    audit: Audit | None = None,
    people: Column = PEOPLE,
) -> Table:
    """A line a row, without the columns of ``without``; an audit's are in the words of its report."""
    margin, conf_level = (audit.protocol.margin.difference, audit.protocol.conf_level) if audit else (None, math.nan)
    levels = page_levels(audit, rows) if audit else {}

    def statistic(row: Estimate) -> str:
        own = row.contrast == "none" or words.is_contrast(row)
        return rate_name(audit, row.metric)[0] + ("" if own else f", {row.contrast}")

    def verdict(row: Estimate) -> str:
        return words.verdict(row, margin, levels.get(row.metric, math.nan))

    adjusted = any(row.p_adjusted == row.p_adjusted for row in rows)
    p: Column = (Heading("adjusted p" if adjusted else "p"), lambda r: words.p_value(decisive_p(r)))
    columns = [(text("statistic"), statistic), *_ROWS[:5], people, *_ROWS[5:], p, (word("verdict"), verdict)]
    kept = [(heading, get) for heading, get in columns if heading.label not in without]
    kept = kept if audit else list(with_levels(kept, rows))
    shown = [(leveled(heading, rows, conf_level), get) for heading, get in kept]
    lines = [[get(row) for _, get in shown] for row in rows]
    headings = [heading for heading, _ in shown]
    return table(caption, headings, lines, shown_alone(rows, levels), most=MOST_LINES)


# Which sentences and tables a notebook shows of each class of results, and where the rest is.


_REST: dict[type, str] = {
    Estimates: "result.tidy(): all columns of every row.",
    Tally: f"tally.to_frame(): every cell; {NEXT}",
}


def html_of(result: Any) -> str:
    """Return the HTML of a result for a notebook.

    Examples
    --------
    >>> from fairstats.estimates import Estimate
    >>> rows = Estimates([Estimate("TPR", "sex", "<f>", estimate=0.5, conf_low=0.4, conf_high=0.6)])
    >>> "&lt;f&gt;" in html_of(rows), "<style" in html_of(rows)
    (True, False)
    """
    with columns_as_code(names_in_code([result])):
        return markup(notebook(result), _rest(result))


def _rest(result: Any) -> str:
    """Where the rest of a result is."""
    rest = snippet("result.summary(): all of it as text; result.tidy(): every number; result.plots: the figures.")
    rest = f"{many_cautions(result)}; {rest}" if isinstance(result, Audit) else rest
    return _REST.get(type(result), rest)


def markdown_of(result: Any) -> str:
    """Return the same as Markdown, for documents that are no pages, whose own headings it leaves alone."""
    blocks: list[Paragraph | Bullets | Table] = []
    with columns_as_code(names_in_code([result])):
        for block in leaves(notebook(result)):
            if isinstance(block, Title):
                blocks.append(Paragraph(block.text, "finding"))
            elif isinstance(block, Table):
                kept = block.rows[:MOST_LINES]
                blocks.append(replace(block, rows=kept, total=0))
                more = max(block.total, len(block.rows)) - len(kept)
                blocks += [Paragraph(f"and {more} more")] if more else []
            elif not isinstance(block, Figure):
                blocks.append(block)
        tables = [block for block in blocks if isinstance(block, Table)]
        blocks = [block for block in blocks if block not in tables[MOST_TABLES:]]
        return markdown([*blocks, Paragraph(_rest(result))])


@singledispatch
def notebook(result: Any) -> Document:
    """What a notebook shows of a result; a class that has no function here shows what its text says, or its rows."""
    if isinstance(result, Worded):
        return list(result._content())
    return _page(name_of(result), [], [rows_table("Estimates", result.estimates)])


def _page(heading: str, sentences: Sequence[str], tables: Sequence[Table]) -> Document:
    return [Title(1, heading), *map(Paragraph, filter(None, sentences)), *(one for one in tables if one.rows)]


@notebook.register(Audit)
def _audit(audit: Audit) -> Document:
    """What is printed, without its limit of lines; tables have the names that were given, as sentences do."""
    audit = as_sent(audit)
    named = words.worded(audit)
    result, found = answers(named), list[str]()
    for rank, wording in finding_parts(audit):  # an answer a paragraph, with what stands beside it
        found[-1:] = [f"{found[-1]} {wording}"] if rank == BESIDE and found else [*found[-1:], wording]
    return [
        Title(1, title_of(audit)),
        *map(Paragraph, [*found, *on_labels(audit)]),
        *(one for one in _tables(named, result) if one.rows),
        *map(Paragraph, filter(None, [combined(named, result, MOST_NAMED)])),
        *map(Paragraph, map(translated, design_lines(named.notes))),
    ]


def _tables(audit: Audit, result: tuple[Answer, ...]) -> list[Table]:
    """One table of all attributes where it is printed so, else one of each; then those of amounts."""
    amounts = amounts_of(audit)
    beside = [_compared(amounts, answers(amounts))] if amounts else []
    built = (
        rates_and_errors(audit, result, most) or rates_within(audit, result, most)
        for most in range(MOST_GROUPS, 0, -1)  # as many groups of each attribute as there are lines for
    )
    together = next((one for one in built if one is None or len(one.rows) <= MOST_LINES), None)
    if audit.protocol.classes:
        errors, _ = errors_of_classes(audit, spoken_of(result))
        tables = [class_table(audit, one.attribute, one.term) for one in spoken_of(result)]
        tables += [errors] if errors else []
    elif together is not None:
        note = " ".join([together.note, *standard_errors(audit, spoken_of(result))])
        tables = [replace(together, note=note)]
    else:
        metric = next((one for one in SHARES if audit.estimates.only(metric=one)), "base rate")
        rates, others = [_rates(audit, one.attribute, metric) for one in result], [_compared(audit, result, metric)]
        tables = [*rates, *others] if result and result[0].metric == metric else [*others, *rates]
    means = (means_table(audit, one.attribute, attribute_name(one.attribute, audit)) for one in result)
    return [*tables, *beside, *filter(None, means)]


SHARES = ("selection rate", "scoring rate")  # those that the printed form has; else the base rate


def _compared(audit: Audit, result: tuple[Answer, ...], metric: str = "") -> Table:
    """The comparisons of the answers and of page one, but for those of rates and means, which have their tables."""
    attributes = [one.attribute for one in result]
    found = [one.row for one in result if one.row is not None]  # an adjusted gap is no claim of page one
    amounts = amounts_of(audit)  # whose comparisons are a table of their own
    elsewhere = {row.key for row in amounts.estimates} if amounts else set()
    claims = [row for row in as_counted(audit, audit.claims()) if row.key not in elsewhere]
    named = [row for row in (*found, *claims) if row.metric not in (metric, "mean amount")]
    same = (row for one in named for row in _siblings(audit, one) if row.attribute in attributes)
    order = list(dict.fromkeys(row.metric for row in named))
    rows = sorted(
        {row.key: row for row in same}.values(),
        key=lambda row: (order.index(row.metric), attributes.index(row.attribute)),
    )
    people = OF_BOTH, people_of_both(audit)
    of_amounts = bool(rows) and all(row.metric in GAPS_OF_AMOUNTS for row in rows)
    without = "role", "setting"
    return rows_table("Comparisons with the reference", rows, without, audit, people if of_amounts else PEOPLE)


def _siblings(audit: Audit, row: Estimate) -> Estimates:
    """The comparisons that are of the same statistic as one that page one has, of every attribute and group."""
    same = {name: getattr(row, name) for name in ("metric", "contrast", "role", "given", "term", "estimator")}
    crossed = audit.protocol.is_crossed(row.attribute)
    rows = as_counted(audit, audit.estimates.only(**same))
    kind = crossed, bool(row.verdict)
    return _as_crude(
        audit, (one for one in rows if (audit.protocol.is_crossed(one.attribute), bool(one.verdict)) == kind)
    )


def _as_crude(audit: Audit, rows: Iterable[Estimate]) -> Estimates:
    """Rows without the verdicts of those in whose place declared strata or covariates answer."""

    def crude(row: Estimate) -> bool:
        return not row.given and answered_within(audit, row.attribute, row.metric)

    return Estimates(row.changed(verdict="") if crude(row) else row for row in rows)


def _rates(audit: Audit, attribute: str, metric: str) -> Table:
    order = by_size(audit, attribute)
    rates, differences = (
        sized(
            as_counted(
                audit,
                _as_crude(audit, audit.estimates.only(attribute=attribute, metric=metric, contrast=c, role="main")),
            ),
            order,
        )
        for c in ("none", "difference")
    )
    reference = audit.references[attribute]
    against = f"; difference from {reference}" if len(differences) else ""
    title = f"{rate_name(audit, metric)[0]} by {attribute_name(attribute, audit)}{against}"
    blocks = [
        (rates, with_error(RATE, rates)),
        (differences, with_error(DIFFERENCE, differences)),
        (differences, adjusted(audit.protocol.margin.difference)),
    ]
    level = audit.protocol.conf_level
    return groups_table(title, rates.column("group"), blocks, reference=reference, conf_level=level)


@notebook.register(Comparison)
def _comparison(result: Comparison) -> Document:
    rows = [r for r in result.estimates.only(attribute="", contrast="none") if not r.group]
    members = {r.metric for r in rows}
    chosen = [m for m in metrics.shown("overall") if m in members]
    cell = {(result.label(r), r.metric): r for r in rows}
    headings = [text("method and model"), *(Heading(words.heading(m), words.unit_of(m)) for m in chosen)]
    lines = [[term.name, *(_number(cell.get((term.name, m))) for m in chosen)] for term in result.terms]
    everybody = table("Everybody, means over the splits", headings, lines, most=MOST_LINES)
    tables = [everybody, *filter(None, [gaps_table(result)])]
    protocol = result.protocol
    people = f"{protocol.n_train} people trained on, {protocol.n_test} held out, {protocol.n_repeats} splits"
    return _page(f"Comparison of {len(result.terms)} methods and models: {people}", finding_paragraphs(result), tables)


def _number(row: Any) -> str:
    return words.scale(row)(row.estimate) if row is not None and words.shown(row) else words.DASH


@notebook.register(Leakage)
def _leakage(leakage: Leakage) -> Document:
    content, probed = [*leakage._content()], leakage.probed  # the content says the dependences
    compared = len(leakage._before_and_after()) == len(probed)  # and every probe in a table
    return content if compared else [*content, rows_table("Probes", probed)]


@notebook.register(OutOfFoldScores)
def _out_of_fold(scores: OutOfFoldScores) -> Document:
    return _page(scores.summary(), [], [rows_table("Mean score by group and fold", scores.estimates)])


@notebook.register(Estimates)
def _estimates(rows: Estimates) -> Document:
    return _page("1 estimate" if len(rows) == 1 else f"{len(rows)} estimates", [], [rows_table("Estimates", rows)])


@notebook.register(Tally)
def _tally(tally: Tally) -> Document:
    present = contents(tally)
    columns = table("What was counted", [text("column"), text("labels or numbers, with how many rows")], present)
    frame = tally.to_frame()
    largest = frame.sort_values(".rows", ascending=False, kind="stable").head(MOST_LINES)
    headings = [Heading(_COUNTS[n]) if n in _COUNTS else text(n) for n in frame.columns]
    unknown = [words.DASH if n in _COUNTS else MISSING_LEVEL for n in frame.columns]
    lines = [list(map(_cell, line, unknown)) for line in largest.itertuples(index=False)]
    cells = replace(table("Cells, the largest first", headings, lines), total=len(frame))
    return _page(title(tally), [], [columns, cells])


_COUNTS = {".rows": "rows", ".weight": "weight", ".least": "withheld, at least", ".most": "at most"}


def _cell(value: Any, unknown: str) -> str:
    import pandas as pd

    return unknown if pd.isna(value) else value if isinstance(value, str) else f"{value:.6g}"
