"""The section on a comparison: accuracy and scores before and after, by group; distributions of held-out scores."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from fairstats import metrics
from fairstats.comparing.metrics import DISCREPANCY, EXPLAINED, ODDS, PARITY, SECONDS
from fairstats.comparing.result import Comparison, Term
from fairstats.estimates import Estimate, Estimates
from fairstats.reporting import numbers as words
from fairstats.reporting.columns import estimates_table, number_or_status
from fairstats.reporting.figures.ecdf import ecdf
from fairstats.reporting.figures.style import Drawing
from fairstats.reporting.sections.shared import attribute_name
from fairstats.reporting.tables import Heading, Table, methods_note, table, text

MOST_FIGURES = 8
OMITTED = "Distributions of held-out scores are drawn for the first methods and models; {} more are in results.json."
OVERALL = metrics.shown("overall")  # classification error is one less accuracy
BY_GROUP = metrics.shown("by group")
BETWEEN = metrics.shown("between")


def adjusting(index: int, result: Comparison) -> dict[str, Any]:
    """The context of one comparison."""
    drawn = [(a, t) for a in result.references for t in result.terms]
    figures = [
        d
        for a, t in drawn[:MOST_FIGURES]
        if (d := scores_of(f"held-out-{index}-{result.terms.index(t)}", result, a, t))
    ]
    omitted = [OMITTED.format(len(drawn) - MOST_FIGURES)] if len(drawn) > MOST_FIGURES else []
    return {
        "heading": f"What adjusting costs: {len(result.terms)} ways to predict {result.protocol.outcome}",
        "sentence": result.finding(),
        "tables": [
            t
            for t in (
                *_overall(result),
                *(_groups(result, a) for a in result.references),
                _gaps(result),
                _parity(result),
                _representation(result),
            )
            if t
        ],
        "figures": figures,
        "notes": [*result.notes, *omitted],
    }


def _overall(result: Comparison) -> Iterator[Table]:
    """Yield two tables: how well each method and model predicts for everybody, and the same less the first method's."""
    rows = Estimates(r for r in result.estimates.where(metric=OVERALL, attribute="") if not r.group)
    levels, changes = rows.where(contrast="none"), rows.where(contrast="difference")
    for caption, shown, contrast, ends in (
        ("Everybody, means over the splits", levels, "none", ()),
        ("The same less the first method's", changes, "difference", (_p,)),
    ):
        cells = (number_or_status, words.interval, *ends)
        columns = (Heading(""), Heading("interval"), *(Heading("adjusted p") for _ in ends))
        estimates = {(result.label(r), r.metric): r for r in shown}
        terms = dict.fromkeys(result.label(r) for r in shown)
        lines = [
            [
                term,
                *(
                    cell(estimates[term, m]) if (term, m) in estimates else words.DASH
                    for m in OVERALL
                    for cell in cells
                ),
            ]
            for term in terms
        ]
        headings = [_under(h, m, contrast) for m in OVERALL for h in columns]
        if lines:
            yield table(caption, [text("method and model"), *headings], lines, methods_note(shown), 40)


def _under(heading: Heading, metric: str, contrast: str) -> Heading:
    """A heading of one metric's columns, with the unit of its numbers."""
    unit = "" if heading.label == "adjusted p" else words.unit_of(metric, contrast)
    return replace(heading, label=heading.label or words.heading(metric), unit=unit)


def _groups(result: Comparison, attribute: str) -> Table | None:
    """A line a method and group, a column a rate: conditional rates, not joint shares."""
    rows = result.estimates.where(attribute=attribute, contrast="none")
    shown = [m for m in BY_GROUP if len(rows.where(metric=m))]
    lines = []
    for term in result.terms:
        own = rows.where(**result.of(term))
        for group in dict.fromkeys(r.group for r in own if r.group):
            estimates = {r.metric: r for r in own.where(group=group) if not r.reference}
            n = next((r.n for r in estimates.values()), float("nan"))
            lines.append(
                [
                    term.name,
                    group,
                    words.count(n),
                    *(number_or_status(estimates[m]) if m in estimates else words.DASH for m in shown),
                ]
            )
    headings = [
        text("method and model"),
        text(attribute_name(attribute)),
        Heading("n"),
        *(Heading(words.heading(m), words.unit_of(m)) for m in shown),
    ]
    note = "Means over the splits, people held out; each rate on its own denominator."
    return table(f"Predictions by {attribute_name(attribute)}", headings, lines, note, 40) if lines else None


def _gaps(result: Comparison) -> Table | None:
    rows = Estimates(r for r in result.estimates.where(metric=BETWEEN) if r.reference)
    if not len(rows):
        return None
    columns = (
        (text("method and model"), result.label),
        (text("statistic"), words.claim),
        (Heading("estimate"), words.estimate),
        (Heading("interval"), words.interval),
        (Heading("adjusted p"), _p),
    )
    return estimates_table("Differences between groups; P(X>Y) of 0.5 is none", rows, columns, most=30)


def _parity(result: Comparison) -> Table | None:
    """Gaps over all groups of an attribute; with two groups these are the differences above without their sign."""
    several = [a for a in result.references if len({r.group for r in result.estimates.where(attribute=a)} - {""}) > 2]
    rows = result.estimates.where(metric=(PARITY, ODDS), attribute=several, contrast="none")
    if not len(rows):
        return None
    columns = (
        (text("method and model"), result.label),
        (text("groups"), lambda row: attribute_name(row.attribute)),
        (text("largest less smallest rate"), _metric),
        (Heading("estimate"), words.estimate),
    )
    return estimates_table("Gaps over all groups, which chance makes larger: compare methods", rows, columns, most=30)


def _representation(result: Comparison) -> Table | None:
    rows = result.estimates.where(metric=(EXPLAINED, DISCREPANCY, SECONDS), contrast="none")
    if not len(rows):
        return None
    columns = (
        (text("method"), result.label),
        (text("statistic"), lambda row: _metric(row) + (f", {row.group} against {row.reference}" if row.group else "")),
        (Heading("estimate"), number_or_status),
        (Heading("interval"), words.interval),
    )
    return estimates_table("What the methods keep and give away, test rows", rows, columns, most=40)


def scores_of(name: str, result: Comparison, attribute: str, term: Term) -> Drawing | None:
    """Draw the distributions of one term's held-out scores by group."""
    lines = [c for c in result.curves if c.attribute == attribute and c.term == term.name and c.group]
    if not lines:
        return None
    order = [
        r.group for r in result.estimates.where(metric="AUC", contrast="none", **result.of(result.terms[0])) if r.group
    ]
    rows = result.estimates.where(metric="P(X>Y)", attribute=attribute, **result.of(term))
    caption = "; ".join(f"{r.group} above {r.reference} with probability {words.estimate(r)}" for r in rows)
    prefix = f"{name}-{attribute_name(attribute)}"
    return ecdf(
        "".join(c if c.isalnum() or c == "-" else "-" for c in prefix),
        lines,
        order=order,
        axis=term.scale,
        caption=f"{term.name}: held-out scores by group" + (f". {caption}." if caption else "."),
        threshold=term.threshold,
    )


def _metric(row: Estimate) -> str:
    return words.heading(row.metric) + (", change" if row.contrast == "difference" else "")


def _p(row: Estimate) -> str:
    return words.p_value(row.p_adjusted)
