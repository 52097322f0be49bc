"""Sensitivity: another interval, other thresholds, what is missing, and the difference that could have been shown."""

from __future__ import annotations

import math
from typing import Any

from fairstats import metrics
from fairstats.auditing.result import Audit
from fairstats.auditing.rows.sensitivity import threshold_of
from fairstats.estimates import Estimate, Estimates
from fairstats.inference.rates.unmeasured_factors import METHODS
from fairstats.reporting import numbers as words
from fairstats.reporting.bundle import Bundle
from fairstats.reporting.columns import GENERAL, estimates_table
from fairstats.reporting.figures.path import path
from fairstats.reporting.figures.style import Drawing
from fairstats.reporting.sections import impact
from fairstats.reporting.sections.errors import SCORES
from fairstats.reporting.sections.shared import attribute_name, by_size, sized
from fairstats.reporting.tables import Heading, Table, methods_note, table, text
from fairstats.studies.curve import Curve

_ELSEWHERE = {*(m.name for m in metrics.rates("audit")), *SCORES, *impact.EVERY}


def sensitivity(bundle: Bundle) -> dict[str, Any] | None:
    """The context of ``sections/sensitivity.html.j2``: other settings, statistics shown nowhere else."""
    audit = bundle.audit
    if audit is None:
        return None
    plain = [a for a in audit.references if ":" not in a]
    parts = [_part(audit, a, i) for i, a in enumerate(plain)]
    left = Estimates(r for r in audit.estimates if r.attribute in plain and _is_left(r))
    tables = [t for part in parts for t in part["tables"]]
    if len(left):
        tables.append(estimates_table("Further settings and statistics", left, GENERAL))
    figures = [part["figure"] for part in parts if part["figure"]]
    return {"tables": tables, "figures": figures} if tables or figures else None


def _is_left(row: Estimate) -> bool:
    if row.metric in METHODS:
        return True
    if row.metric in impact.EVERY or row.role in ("sensitivity", "power", "all groups"):
        return False
    return row.role != "main" or row.metric not in _ELSEWHERE


def _part(audit: Audit, attribute: str, index: int) -> dict[str, Any]:
    rows = sized(audit.estimates.where(attribute=attribute), by_size(audit, attribute))
    metrics = dict.fromkeys(r.metric for r in rows if _is_beside(r))
    return {
        "tables": [_other(audit, attribute, rows.where(metric=metric), metric) for metric in metrics],
        "figure": sweep(f"sweep-{index}", audit, attribute),
    }


def _other(audit: Audit, attribute: str, rows: Estimates, metric: str) -> Table:
    """The reported interval beside another one, and what the sample was able to show."""
    by_kind = {(r.group, r.role, r.term): r for r in rows if r.contrast == "difference" and not r.given}
    groups = [g for g in dict.fromkeys(r.group for r in rows) if (g, "sensitivity", "") in by_kind]
    headings = [
        text("group"),
        Heading("difference", "points"),
        Heading("interval as reported", "points"),
        Heading("Miettinen-Nurminen", "points"),
        Heading("detectable difference", "points"),
    ]
    lines = [
        [
            group,
            *_pair(by_kind.get((group, "main", ""))),
            _pair(by_kind[group, "sensitivity", ""])[1],
            _detectable(by_kind.get((group, "power", "below")), by_kind.get((group, "power", "above"))),
        ]
        for group in groups
    ]
    name = attribute_name(attribute)
    caption = f"{words.heading(metric)} by {name} against {audit.references[attribute]}: another interval, and power"
    note = methods_note(
        Estimates(r for r in rows if _is_beside(r)),
        "Detectable: the smallest true difference, below and above, that this sample shows with that power.",
    )
    return table(caption, headings, lines, note)


def _is_beside(row: Estimate) -> bool:
    """Whether it is another interval of the same difference, or the smallest one that the sample would show."""
    return (row.role == "sensitivity" and not row.given) or (row.role, row.term) == ("power", "below")


def _pair(row: Estimate | None) -> tuple[str, str]:
    if row is None or not words.shown(row):
        return words.DASH, words.DASH
    return words.percent(row.estimate), words.interval(row)


def _detectable(below: Estimate | None, above: Estimate | None) -> str:
    ends = [words.percent(r.estimate) for r in (below, above) if r is not None and words.shown(r)]
    return " or ".join(ends) or words.DASH


def sweep(name: str, audit: Audit, attribute: str) -> Drawing | None:
    """Draw the differences of selection rates had the score been cut elsewhere."""
    lines = sweep_lines(audit, attribute)
    if not lines:
        return None
    same = sum(min(line.y) > 0 or max(line.y) < 0 for line in lines)
    reference = audit.references[attribute]
    return path(
        name,
        lines,
        caption=f"At every threshold {same} of {len(lines)} groups stay on the same side of {reference}.",
        setting=f"threshold of {audit.protocol.score}",
        axis="difference, points",
        chosen=audit.protocol.threshold,
        order=by_size(audit, attribute),
    )


def sweep_lines(audit: Audit, attribute: str) -> list[Curve]:
    """One line a group, of those with at least two thresholds; none where the decision does not come from a score."""
    rows = sized(audit.estimates.where(attribute=attribute, contrast="difference"), by_size(audit, attribute))
    cut = [r for r in rows if not math.isnan(threshold_of(r)) and words.shown(r)]
    groups = dict.fromkeys(r.group for r in cut)
    lines = [_line(attribute, group, [r for r in cut if r.group == group]) for group in groups]
    return [line for line in lines if len(line.x) > 1]


def _line(attribute: str, group: str, rows: list[Estimate]) -> Curve:
    points = sorted((threshold_of(r), 100 * r.estimate) for r in rows)
    return Curve("path", attribute, group, tuple(x for x, _ in points), tuple(y for _, y in points))
