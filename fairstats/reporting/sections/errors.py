"""Errors and scores: each error rate with its counts and its difference, the scores of the groups and what follows."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from fairstats import metrics
from fairstats.auditing.result import Audit
from fairstats.auditing.words.further import further
from fairstats.estimates import Estimate, Estimates
from fairstats.glossary import SHOWN
from fairstats.inference.verdicts import decisive_p
from fairstats.language import mark, say
from fairstats.reporting import numbers as words
from fairstats.reporting.bundle import Bundle
from fairstats.reporting.columns import (
    ADJUSTED,
    AREA,
    DIFFERENCE,
    HIGHER,
    INTERVAL,
    RATE,
    VERDICT,
    estimates_table,
    groups_table,
    shift,
)
from fairstats.reporting.figures.forest import forest
from fairstats.reporting.figures.style import WIDE, Drawing
from fairstats.reporting.sections import impact
from fairstats.reporting.sections.score_pictures import curves_of, distribution_picture, outcome_picture
from fairstats.reporting.sections.shared import attribute_name, by_size, curves, plural, sized, span
from fairstats.reporting.tables import Heading, Table, level_of, methods_note, table, text

CONTRASTED = metrics.shown("contrasted")
SCORES = metrics.shown("scores")
SCORING = "scoring rate"
LEADING = ("FPR", "TPR", "PPV")
# metrics whose comparisons have a table in this section or another one
PRINTED = {*CONTRASTED, "AUC", "P(X>Y)", "score shift", "selection rate", "base rate", SCORING, *impact.EVERY}
PRINTED.add("risk difference within strata")
MOST_PANELS = 6
MOST_GROUPS = 12  # of a forest; the tables hold the others


def errors(bundle: Bundle) -> dict[str, Any] | None:
    """The context of ``sections/errors.html.j2``: of intersections the rows stand in results.csv."""
    audit = bundle.audit
    if audit is None:
        return None
    plain = [a for a in audit.references if ":" not in a] or list(audit.references)
    said: set[str] = set()  # a definition, and the name of a method, stand beside the first number of their kind
    parts = [_part(audit, a, i, said) for i, a in enumerate(plain)]
    parts = [p for p in parts if p["rates"] or p["scores"] or p["figures"] or p["distribution"]]
    return {"parts": parts} if parts else None


def _part(audit: Audit, attribute: str, index: int, said: set[str]) -> dict[str, Any]:
    order = by_size(audit, attribute)
    rows = sized(audit.estimates.where(attribute=attribute, role="main"), order)
    name = attribute_name(attribute)
    reference = audit.references[attribute]
    lead = _lead(rows)
    finding = span(list(rows.where(metric=lead, contrast="none")), plural(lead)) if lead else say("scores by group")
    scores = rows.where(metric=SCORES)
    return {
        "attribute": name,
        "heading": f"{name}: {finding}",
        "difference_figure": forest_of(f"errors-{index}", forest_rows(audit, attribute)),
        "rates": _rates(name, rows, order, reference, said),
        "further": _further(audit, attribute, said),
        "distribution": _distribution(audit, attribute, index),
        "figures": _figures(audit, attribute, index),
        "impact": impact.impact(
            name, audit.estimates.where(attribute=attribute), order, SCORING, audit.protocol.conf_level
        ),
        "scores": _scores(name, reference, order, scores, said),
    }


def _lead(rows: Estimates) -> str:
    """The rate of the heading: the first in which a difference is shown, or the first that there is."""
    there = [m for m in (*LEADING, "AUC") if rows.only(metric=m, contrast="none")]
    shown = {row.metric for row in rows.only(contrast="difference") if row.verdict == "disparity shown"}
    return next((m for m in there if m in shown), there[0] if there else "")


def _rates(name: str, rows: Estimates, order: list[str], reference: str, said: set[str]) -> list[Table]:
    """One table a rate; of two groups one table of all rates."""
    shown = [m for m in CONTRASTED if len(rows.where(metric=m, contrast="none"))]
    if len(order) == 2 and reference in order:
        pair = (next(g for g in order if g != reference), reference)
        return [_pair_table(name, rows, shown, pair, said)] if shown else []
    tables = []
    for metric in shown:
        own = rows.where(metric=metric)
        rates, apart = own.where(contrast="none"), own.where(contrast="difference")
        values = {"rate": words.heading(metric), "name": name, "reference": reference}
        tables.append(
            groups_table(
                say("{rate} by {name}, compared with {reference}", **values)
                if len(apart)
                else say("{rate} by {name}", **values),
                [g for g in order if g in set(rates.column("group"))],
                [(rates, RATE), (apart, DIFFERENCE), (apart, ADJUSTED)],
                _definition(metric, said),
                reference,
                methods=_unnamed([*rates, *apart], said),
            )
        )
    return tables


def _pair_table(name: str, rows: Estimates, shown: list[str], pair: tuple[str, str], said: set[str]) -> Table:
    """A line a rate: both groups with their counts, the difference, the verdict."""
    group, reference = pair
    cell = {(r.metric, r.contrast, r.group): r for r in rows}
    apart = [cell[m, "difference", group] for m in shown if (m, "difference", group) in cell]
    headings = [text(say("rate"))]
    for one in pair:
        headings += [Heading(one, "%"), Heading("k"), Heading("n")]
    points = say("points")
    headings += [Heading(say("difference"), points), Heading(level_of(apart), points), Heading(say("adjusted p"))]
    lines = [
        [
            words.heading(m),
            *(part for one in pair for part in _counted(cell.get((m, "none", one)))),
            *_compared(cell.get((m, "difference", group))),
        ]
        for m in shown
    ]
    defined = " ".join(filter(None, (_definition(m, said) for m in shown)))
    note = methods_note(apart, defined) if _unnamed(apart, said) else defined
    caption = say(
        "Error rates by {name}: {group} compared with {reference}", name=name, group=group, reference=reference
    )
    return table(caption, [*headings, text(say("verdict"))], lines, note)


def _counted(row: Estimate | None) -> tuple[str, str, str]:
    if row is None:
        return words.DASH, words.DASH, words.DASH
    rate = words.percent(row.estimate) if words.shown(row) else words.DASH
    return rate, words.count(row.events), words.count(row.n)


def _compared(row: Estimate | None) -> tuple[str, str, str, str]:
    if row is None or not words.shown(row):
        return words.DASH, words.DASH, words.DASH, words.DASH if row is None else words.status(row)
    return (
        words.percent(row.estimate),
        words.interval(row),
        words.p_value(decisive_p(row)),
        say(row.verdict) or words.DASH,
    )


def _unnamed(rows: Iterable[Estimate], said: set[str]) -> bool:
    """Return whether a method of the rows has no table of this section yet that names it."""
    new = {row.method for row in rows if row.method} - said
    said |= new
    return bool(new)


def _definition(metric: str, said: set[str]) -> str:
    """What the metric says and what misleads, the first time that it is printed."""
    if metric in said:
        return ""
    said.add(metric)
    return f"{words.heading(metric)}: {words.reading(metric)}"


def _scores(name: str, reference: str, order: list[str], rows: Estimates, said: set[str]) -> Table | None:
    shifts = rows.where(metric="score shift")
    blocks = [
        (rows.where(metric="AUC", contrast="none"), AREA),
        (rows.where(metric="P(X>Y)"), HIGHER),
        (shifts, shift(shifts)),
    ]
    known = {r.group for r in rows}
    metrics_shown = [m for m in ("AUC", "P(X>Y)", "score shift") if len(rows.where(metric=m))]
    note = " ".join(filter(None, (_definition(m, said) for m in metrics_shown)))
    groups = [g for g in order if g in known]
    if not groups:
        return None
    if "P(X>Y)" in metrics_shown:
        caption = say("Scores by {name}; P(X>Y) and shift against {reference}", name=name, reference=reference)
    else:
        caption = say("Scores by {name}", name=name)
    methods = _unnamed((r for own, _ in blocks for r in own), said)
    return groups_table(caption, groups, blocks, note, methods=methods)


def _further(audit: Audit, attribute: str, said: set[str]) -> Table | None:
    """What is settled in metrics that have no table of their own; intersections are in the CSV only."""
    rows = further(audit, attribute, PRINTED) if ":" not in attribute else []
    if not rows:
        return None
    columns = (
        (text(mark("statistic")), lambda row: words.heading(row.metric)),
        (text(mark("comparison")), words.pair),
        (Heading(mark("estimate")), words.estimate),
        (Heading(INTERVAL), words.interval),
        (Heading(mark("adjusted p")), lambda row: words.p_value(decisive_p(row))),
        (text(VERDICT), lambda row: say(row.verdict)),
    )
    name = attribute_name(attribute)
    methods = _unnamed(rows, said)
    return estimates_table(say("Also settled by {name}", name=name), Estimates(rows), columns, most=12, methods=methods)


def forest_rows(audit: Audit, attribute: str) -> list[Estimate]:
    """The differences of error rates that one figure shows, by metric and then by the size of the group."""
    rows = audit.estimates.where(attribute=attribute, role="main", contrast="difference")
    ordered = sized(rows, by_size(audit, attribute)[: MOST_GROUPS + 1])
    return [r for m in CONTRASTED for r in ordered.where(metric=m) if words.shown(r)]


def panels_of(known: list[Estimate]) -> tuple[list[str], list[list[Estimate]]]:
    """The groups that have every rate, and their rows, a list a rate."""
    panels = [[r for r in known if r.metric == m] for m in dict.fromkeys(r.metric for r in known)]
    groups = [g for g in dict.fromkeys(r.group for r in known) if all(any(r.group == g for r in p) for p in panels)]
    groups = groups[:MOST_GROUPS]
    return groups, [[r for g in groups for r in p if r.group == g] for p in panels]


def forest_of(name: str, known: list[Estimate]) -> Drawing | None:
    """Differences of error rates, a panel a rate; None where a table says as much."""
    groups, panels = panels_of(known)
    if len(groups) < 2:
        return None
    drawn = [r for p in panels for r in p]
    apart = sum(r.verdict in SHOWN for r in drawn)
    reference = drawn[0].reference
    return forest(
        name,
        *panels,
        caption=say(
            "{k} of {n} differences from {reference} are disparities that are shown (filled points).",
            k=apart,
            n=len(drawn),
            reference=reference,
        ),
        labels=groups,
        titles=[words.heading(p[0].metric) for p in panels],
        axis=say("difference from {reference}, points", reference=reference),
    )


def _distribution(audit: Audit, attribute: str, index: int) -> Drawing | None:
    """Return the scores of up to six groups in one row or two, where they are more than the pair of the figures."""
    if len(curves(audit, "ecdf", attribute)) < 3:
        return None
    return distribution_picture(audit, attribute, f"scores-{index}", most=MOST_PANELS, width=WIDE)


def _figures(audit: Audit, attribute: str, index: int) -> list[Drawing]:
    """The outcome at each score; beside it, of one or two groups their scores, of more the ROC curves."""
    drawn = [outcome_picture(audit, attribute, f"by-score-{index}")]
    if len(curves(audit, "ecdf", attribute)) < 3:
        drawn.append(distribution_picture(audit, attribute, f"scores-{index}"))
    elif curves(audit, "roc", attribute):
        drawn.append(curves_of("roc", f"roc-{index}", audit, attribute))
    return [d for d in drawn if d is not None]
