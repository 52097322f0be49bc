"""Outcomes by group: selection rates (base rates where there is no decision), differences, ratios, impact."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fairstats import metrics
from fairstats.auditing.result import Audit
from fairstats.auditing.words.finding import roles
from fairstats.estimates import Estimate, Estimates
from fairstats.inference.rates.four_fifths import WITHIN, side
from fairstats.reporting import numbers as words
from fairstats.reporting.bundle import Bundle
from fairstats.reporting.columns import ADJUSTED, DIFFERENCE, RATE, RATIO, groups_table
from fairstats.reporting.figures.dot import dot
from fairstats.reporting.figures.forest import forest
from fairstats.reporting.figures.style import Drawing
from fairstats.reporting.sections import all_groups, impact
from fairstats.reporting.sections.shared import attribute_name, by_size, plural, sized, span

MOST_IN_A_FIGURE = 12


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
    rates, differences, ratios = (_rows(audit, attribute, metric, c) for c in ("none", "difference", "ratio"))
    name = attribute_name(attribute)
    reference = audit.references[attribute]
    blocks = [(rates, RATE), (differences, DIFFERENCE), (ratios, RATIO), (differences, ADJUSTED)]
    against = f"; compared with {reference}" if len(differences) else ""
    title = f"{words.heading(metric)} by {name}{against}"
    every = audit.estimates.where(attribute=attribute)
    level = audit.protocol.conf_level
    plain = ":" not in attribute  # of an intersection the table is shown: its groups are many
    return {
        "attribute": name,
        "heading": f"{name}: {span(list(rates), plural(metric))}",
        "question": _question(audit, metric, name),
        "dot": _dot(list(rates[:MOST_IN_A_FIGURE]), f"dot-{index}", reference, metric) if plain else None,
        "rates": groups_table(title, rates.column("group"), blocks, reference=reference),
        "at_once": all_groups.sentence(every, metric),
        "impact": impact.impact(name, every, by_size(audit, attribute), metric, level) if plain else None,
        "forest": forest_of(f"forest-{index}", differences, ratios, audit) if plain else None,
    }


def _question(audit: Audit, metric: str, name: str) -> str:
    return metrics.get(metric).question.format(by=name, **roles(audit.protocol))


def _dot(rows: list[Estimate], name: str, reference: str, metric: str) -> Drawing:
    axis = f"{words.in_text(metric)}, %"
    return dot(name, rows, caption=_beside(rows, reference), reference=reference, axis=axis)


def _beside(rows: list[Estimate], reference: str) -> str:
    """Return the caption: how many intervals lie wholly on one side of the reference's rate."""
    line = next((r.estimate for r in rows if r.group == reference and words.shown(r)), None)
    others = [r for r in rows if r.group != reference and words.shown(r)]
    if line is None or not others:
        return "The rate of each group with its interval."
    below, above = sum(r.conf_high < line for r in others), sum(r.conf_low > line for r in others)
    if len(others) == 1:
        side = "lies below" if below else "lies above" if above else "includes"
        return f"The interval of {others[0].group} {side} the rate of {reference} (dashed line)."
    return f"Of {len(others)} intervals, {below} lie below and {above} above the rate of {reference} (dashed line)."


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
    apart = sum(r.conf_low > 0 or r.conf_high < 0 for r in differences if words.shown(r))
    known = [r for r in ratios if words.shown(r)]
    outside = sum(side(r.estimate) != WITHIN for r in known)
    said = f"{apart} of {len(differences)} adjusted intervals exclude equality (filled points)"
    return f"{said}; {outside} of {len(known)} ratios lie outside 0.8 to 1.25 (dashed lines)."
