"""Errors and scores: error rates with their denominators, ROC, calibration and the distributions of the scores."""

from __future__ import annotations

from typing import Any

from fairstats import metrics
from fairstats.auditing.result import Audit
from fairstats.estimates import Estimate, Estimates
from fairstats.reporting import numbers as words
from fairstats.reporting.bundle import Bundle
from fairstats.reporting.columns import AREA, ERROR_DIFFERENCE, HIGHER, estimates_table, groups_table, shift
from fairstats.reporting.figures.calibration import calibration
from fairstats.reporting.figures.ecdf import ecdf
from fairstats.reporting.figures.forest import forest
from fairstats.reporting.figures.roc import roc
from fairstats.reporting.figures.style import Drawing
from fairstats.reporting.sections import all_groups, impact
from fairstats.reporting.sections.shared import attribute_name, by_size, curves, plural, sized, span
from fairstats.reporting.tables import Heading, Table, methods_note, table, text

SHOWN = metrics.shown("errors")  # complements say the same: in results.csv
CONTRASTED = metrics.shown("contrasted")
SCORES = metrics.shown("scores")
SCORING = "scoring rate"


def errors(bundle: Bundle) -> dict[str, Any] | None:
    """The context of ``sections/errors.html.j2``."""
    audit = bundle.audit
    if audit is None:
        return None
    parts = [_part(audit, a, i) for i, a in enumerate(audit.references)]
    parts = [p for p in parts if p["rates"] or p["scores"] or p["figures"]]
    metrics_shown = {r.metric for r in audit.estimates}
    readings = [(words.heading(m), words.reading(m)) for m in (*SHOWN, *SCORES) if m in metrics_shown]
    return {"parts": parts, "readings": readings} if parts else None


def _part(audit: Audit, attribute: str, index: int) -> dict[str, Any]:
    order = by_size(audit, attribute)
    rows = sized(audit.estimates.where(attribute=attribute, role="main"), order)
    rates = rows.where(metric=SHOWN, contrast="none")
    differences = rows.where(metric=CONTRASTED, contrast="difference")
    scores = rows.where(metric=SCORES)
    name = attribute_name(attribute)
    plain = ":" not in attribute  # comparisons of intersections would fill pages: they stand in results.csv
    lead = next((m for m in ("FPR", "TPR", "AUC") if len(rows.where(metric=m, contrast="none"))), "")
    finding = span(list(rows.where(metric=lead, contrast="none")), plural(lead)) if lead else "scores by group"
    return {
        "attribute": name,
        "heading": f"{name}: {finding}",
        "rates": _wide(name, rates, order) if len(rates) else None,
        "differences": _contrasts(name, audit.references[attribute], differences) if plain else None,
        "at_once": _at_once(audit, attribute) if plain else None,
        "difference_figure": forest_of(f"errors-{index}", forest_rows(audit, attribute)) if plain else None,
        "figures": _figures(audit, attribute, index) if plain else [],
        "impact": _impact(audit, attribute, name, order) if plain else None,
        "scores": _scores(name, audit.references[attribute], order, scores) if plain else None,
    }


def _wide(name: str, rates: Estimates, order: list[str]) -> Table:
    """One row a group, one column a metric: the rate, and below it the counts that it is made of."""
    metrics = [m for m in SHOWN if len(rates.where(metric=m))]
    cell = {(r.group, r.metric): r for r in rates}
    lines = [[group, *(_fraction(cell.get((group, m))) for m in metrics)] for group in order]
    headings = [text(name), *(Heading(words.heading(m), "% (events/n)") for m in metrics)]
    note = methods_note(rates, "Intervals of every rate: results.csv.")
    return table(f"Error rates by {name}, each on its own denominator", headings, lines, note)


def _fraction(row: Estimate | None) -> str:
    if row is None:
        return words.DASH
    if not words.shown(row):
        return words.status(row)
    return f"{words.percent(row.estimate)} ({words.count(row.events)}/{words.count(row.n)})"


def _contrasts(name: str, reference: str, rows: Estimates) -> Table | None:
    if not len(rows):
        return None
    ordered = Estimates(sorted(rows, key=lambda r: CONTRASTED.index(r.metric)))
    return estimates_table(f"Error rates by {name}: differences from {reference}", ordered, ERROR_DIFFERENCE, most=15)


def _scores(name: str, reference: str, order: list[str], rows: Estimates) -> Table | None:
    shifts = rows.where(metric="score shift")
    blocks = [
        (rows.where(metric="AUC", contrast="none"), AREA),
        (rows.where(metric="P(X>Y)"), HIGHER),
        (shifts, shift(shifts)),
    ]
    known = {r.group for r in rows}
    note = f"P(X>Y) and shift: group against {reference}. Differences of AUC: results.csv."
    groups = [g for g in order if g in known]
    return groups_table(f"Scores by {name}", groups, blocks, note) if groups else None


def _at_once(audit: Audit, attribute: str) -> Table | None:
    rows = audit.estimates.where(attribute=attribute)
    return all_groups.at_once(attribute_name(attribute), rows, (*SHOWN, *metrics.shown("at once")))


def _impact(audit: Audit, attribute: str, name: str, order: list[str]) -> Table | None:
    """Return the impact table of scores without decisions, from the shares above the median."""
    rows = audit.estimates.where(attribute=attribute)
    return impact.impact(name, rows, order, SCORING, audit.protocol.conf_level)


def forest_rows(audit: Audit, attribute: str) -> list[Estimate]:
    """The differences of error rates that one figure shows, by metric and then by the size of the group."""
    rows = audit.estimates.where(attribute=attribute, role="main", contrast="difference")
    ordered = sized(rows, by_size(audit, attribute))
    return [r for m in metrics.shown("forest") for r in ordered.where(metric=m) if words.shown(r)][:14]


def forest_of(name: str, known: list[Estimate]) -> Drawing | None:
    """Differences of error rates as a forest plot."""
    if len(known) < 3:  # two lines say no more than the table below them
        return None
    apart = sum(r.verdict == "disparity shown" for r in known)
    caption = f"{apart} of {len(known)} adjusted intervals for differences of error rates exclude equality."
    labels = [f"{r.metric}: {r.group} against {r.reference}" for r in known]
    return forest(name, known, caption=caption, labels=labels)


def _figures(audit: Audit, attribute: str, index: int) -> list[Drawing]:
    kinds = ("ecdf", "roc", "calibration")
    return [curves_of(kind, f"{kind}-{index}", audit, attribute) for kind in kinds if curves(audit, kind, attribute)]


def curves_of(kind: str, name: str, audit: Audit, attribute: str) -> Drawing:
    """The figure of one kind of curves of an attribute."""
    lines, order = curves(audit, kind, attribute), by_size(audit, attribute)
    rows = sized(audit.estimates.where(attribute=attribute, role="main"), order)
    if kind == "ecdf":
        axis, threshold = audit.protocol.score, audit.protocol.threshold
        return ecdf(name, lines, caption=_ecdf_caption(rows), order=order, axis=axis, threshold=threshold)
    if kind == "roc":
        areas = {r.group: r for r in rows.where(metric="AUC", contrast="none")}
        return roc(name, lines, areas, caption=f"{span(list(areas.values()), 'AUC')}.", order=order)
    caption = "Observed share of positive outcomes at each score; on the diagonal a score means what it says."
    return calibration(name, lines, caption=caption, order=order)


def _ecdf_caption(rows: Estimates) -> str:
    known = [r for r in rows.where(metric="P(X>Y)") if words.shown(r)]
    if not known:
        return "Distribution of the scores by group."
    row = max(known, key=lambda r: abs(r.estimate - 0.5))
    return (
        f"A random member of {row.group} scores higher than one of {row.reference} with probability "
        f"{words.estimate(row)} ({words.interval(row)})."
    )
