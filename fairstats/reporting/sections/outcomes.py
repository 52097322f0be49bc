"""Outcomes by group: selection rates (base rates where there is no decision), differences, ratios, impact."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fairstats import metrics
from fairstats.auditing.result import Audit
from fairstats.auditing.rows.rates import DESCRIPTIVE
from fairstats.auditing.words.finding import roles
from fairstats.estimates import Estimate, Estimates
from fairstats.glossary import SHOWN
from fairstats.inference.rates.four_fifths import WITHIN, side
from fairstats.labels import split
from fairstats.language import say
from fairstats.reporting import numbers as words
from fairstats.reporting.bundle import Bundle
from fairstats.reporting.columns import ADJUSTED, DIFFERENCE, RATE, groups_table
from fairstats.reporting.figures.dot import dot
from fairstats.reporting.figures.forest import forest
from fairstats.reporting.figures.funnel import funnel
from fairstats.reporting.figures.matrix import WIDE, matrix
from fairstats.reporting.figures.style import Drawing
from fairstats.reporting.sections import all_groups, impact
from fairstats.reporting.sections.shared import FEW, attribute_name, by_size, plural, sized, span
from fairstats.reporting.tables import Table, level_of

MOST_IN_A_FIGURE = 12
FROM_A_FUNNEL = 8  # groups
EQUIVALENT = "equivalence shown"


def outcomes(bundle: Bundle) -> dict[str, Any] | None:
    """The context of ``sections/outcomes.html.j2``."""
    audit = bundle.audit
    if audit is None:
        return None
    metric = "selection rate" if len(audit.estimates.where(metric="selection rate")) else "base rate"
    parts = [_part(audit, a, i, metric) for i, a in enumerate(audit.references) if len(_rows(audit, a, metric, "none"))]
    if not parts:
        return None
    return {"metric": words.heading(metric), "reading": words.reading(metric), "parts": parts}


def _rows(audit: Audit, attribute: str, metric: str, contrast: str) -> Estimates:
    rows = audit.estimates.where(attribute=attribute, metric=metric, contrast=contrast, role="main")
    return sized(rows, by_size(audit, attribute))


def _part(audit: Audit, attribute: str, index: int, metric: str) -> dict[str, Any]:
    rates, differences = (_rows(audit, attribute, metric, c) for c in ("none", "difference"))
    name = attribute_name(attribute)
    reference = audit.references[attribute]
    every = audit.estimates.where(attribute=attribute)
    level = audit.protocol.conf_level
    alone = ":" not in attribute or all(":" in a for a in audit.references)
    note = _families(every, differences, reference, metric, level)
    crossed = matrix_of(f"matrix-{index}", attribute, rates, differences, metric) if ":" in attribute else None
    return {
        "attribute": name,
        "heading": f"{name}: {span(list(rates), plural(metric))}",
        "question": _question(audit, metric, name),
        "figures": _figures(audit, rates, differences, index, reference, metric) if alone else [],
        "matrix": crossed,
        "rates": _table(name, rates, differences, reference, metric, note) if alone or not crossed else None,
        "at_once": " ".join(filter(None, (all_groups.sentence(every, metric), impact.withheld(every, metric)))),
        "impact": impact.impact(name, every, by_size(audit, attribute), metric, level, impact.NOTE * (index == 0))
        if ":" not in attribute
        else None,
    }


def _table(name: str, rates: Estimates, differences: Estimates, reference: str, metric: str, note: str) -> Table:
    values = {"rate": words.heading(metric), "name": name, "reference": reference}
    blocks = [(rates, RATE), (differences, DIFFERENCE), (differences, ADJUSTED)]
    if len(differences):
        caption = say("{rate} by {name}, compared with {reference}", **values)
    else:
        caption = say("{rate} by {name}", **values)
    return groups_table(caption, rates.column("group"), blocks, note, reference=reference)


def _families(every: Estimates, differences: Estimates, reference: str, metric: str, level: float) -> str:
    """Which comparisons the intervals hold for, where the same difference has another one elsewhere in the report."""
    if any(DESCRIPTIVE in row.reason for row in differences):
        return say("No verdict: base rates describe the outcome, not the decisions.")
    known = [row.conf_level for row in differences if words.shown(row) and row.conf_level == row.conf_level]
    said = ""
    if len(known) > 1 and min(known) >= 1 - (1 - level) / len(known) - 1e-9:  # as wide as Bonferroni's
        said = say(
            "Intervals of differences hold for all {n} comparisons with {reference} at once.",
            n=len(known),
            reference=reference,
        )
    return said


def _figures(
    audit: Audit, rates: Estimates, differences: Estimates, index: int, reference: str, metric: str
) -> list[Drawing]:
    """Rates as points; of many groups as a funnel; with a declared margin their differences within it."""
    known = [r for r in rates if words.shown(r)]
    if len(known) >= FROM_A_FUNNEL:
        drawn = [funnel(f"funnel-{index}", known, axis=words.in_text(metric), level=audit.protocol.conf_level)]
    else:
        drawn = [_dot(list(rates[:MOST_IN_A_FIGURE]), differences, f"dot-{index}", reference, metric)]
    margin = audit.protocol.equivalence.difference
    if margin is not None and 1 < len(differences) <= MOST_IN_A_FIGURE:
        apart = sum(r.verdict == EQUIVALENT for r in differences)
        caption = say(
            "{k} of {n} differences from {reference} are shown to lie within the margin (band).",
            k=apart,
            n=len(differences),
            reference=reference,
        )
        labels = [r.group for r in differences]
        axis = say("difference from {reference}, points", reference=reference)
        drawn.append(
            forest(f"forest-{index}", list(differences), caption=caption, margin=margin, labels=labels, axis=axis)
        )
    return drawn


def matrix_of(name: str, attribute: str, rates: Estimates, differences: Estimates, metric: str) -> Drawing | None:
    """Return the rates of an intersection of two attributes; of three the rows stand in results.csv."""
    if attribute.count(":") != 1:
        return None
    cells = {(parts[0], parts[1]): r for r in rates if len(parts := split(r.group)) == 2}
    if not cells:
        return None
    rows, columns = ([*dict.fromkeys(pair[side] for pair in cells)] for side in (0, 1))
    gaps = {(p[0], p[1]): r for r in differences if words.shown(r) and len(p := split(r.group)) == 2}
    crossed = [(p[0], p[1]) for r in differences if r.verdict in SHOWN and len(p := split(r.group)) == 2]
    if len(rows) < len(columns):  # few columns, so that names have room
        cells, gaps = ({(b, a): r for (a, b), r in pairs.items()} for pairs in (cells, gaps))
        rows, columns, crossed = columns, rows, [(b, a) for a, b in crossed]
    against = differences[0].reference if len(differences) else ""
    said = [say("{rate} of each pair of groups.", rate=words.heading(metric))]
    if gaps and len(columns) <= WIDE:
        values = {"reference": attribute_name(against), "level": level_of(gaps.values())}
        said.append(say("Second line: n, and difference from {reference} in points ({level}).", **values))
    if against:
        said.append(say("Framed: shown to differ from {reference}.", reference=attribute_name(against)))
    said.append(say("Gray: fewer than {few} people.", few=FEW))
    caption = " ".join(said)
    return matrix(name, cells, rows, columns, caption=caption, apart=crossed, axis=words.in_text(metric), gaps=gaps)


def _question(audit: Audit, metric: str, name: str) -> str:
    own = audit.protocol.words
    said = own.favorable if metric == "selection rate" else own.positive
    if said:
        return say(
            "How many {people} of each group of {by} {had}?",
            people=own.people(say("people")),
            by=name,
            had=said,
        )
    return say(metrics.get(metric).question, by=name, **roles(audit.protocol))


def _dot(rows: list[Estimate], differences: Estimates, name: str, reference: str, metric: str) -> Drawing:
    axis = f"{words.in_text(metric)}, %"
    return dot(name, rows, caption=_beside(differences, reference), reference=reference, axis=axis, numbers=False)


def _beside(differences: Estimates, reference: str) -> str:
    """Return the caption: how many groups are shown to differ from the reference, by their verdicts."""
    judged = [r for r in differences if r.verdict and words.shown(r)]
    if not judged:
        return say("The rate of each group with its interval.")
    if len(judged) == 1:
        return say(
            "{group} against {reference} (dashed line): {verdict}.",
            group=judged[0].group,
            reference=reference,
            verdict=say(judged[0].verdict),
        )
    apart = [r.estimate for r in judged if r.verdict in SHOWN]
    below, above = sum(v < 0 for v in apart), sum(v > 0 for v in apart)
    return say(
        "Shown to have a lower rate than {reference} (dashed line): {below} of {n} groups; a higher one: {above}.",
        n=len(judged),
        below=below,
        above=above,
        reference=reference,
    )


def forest_of(name: str, differences: Estimates, ratios: Estimates, audit: Audit) -> Drawing | None:
    """Differences and ratios in two panels; one line would say no more than the table."""
    groups = [r.group for r in differences][:MOST_IN_A_FIGURE]
    matched = {r.group: r for r in ratios}
    right = [matched[g] for g in groups if g in matched]
    if len(groups) < 2 or len(right) != len(groups):
        return None
    caption = _forest_caption(differences[: len(groups)], right)
    return forest(
        name, list(differences[: len(groups)]), right, caption=caption, margin=audit.protocol.equivalence.difference
    )


def _forest_caption(differences: Sequence[Estimate], ratios: Sequence[Estimate]) -> str:
    apart = sum(r.verdict in SHOWN for r in differences)
    known = [r for r in ratios if words.shown(r)]
    outside = sum(side(r.estimate) != WITHIN for r in known)
    return say(
        "{k} of {n} differences are disparities that are shown (filled points); {outside} of {ratios} ratios lie "
        "outside 0.8 to 1.25 (dashed lines).",
        k=apart,
        n=len(differences),
        outside=outside,
        ratios=len(known),
    )
