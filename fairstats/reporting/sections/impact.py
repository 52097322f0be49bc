"""Adverse impact: ratio, people missing to the reference's rate, one selection more, and the two rules together."""

from __future__ import annotations

from collections.abc import Sequence

from fairstats.estimates import Estimate, Estimates
from fairstats.reporting import numbers as words
from fairstats.reporting.tables import Heading, Table, table, text

METRICS = ("impact ratio", "shortfall")
NOTE = (
    "Shortfall: people more who would have to be selected for the group to reach the reference's rate, or 0.8 of it. "
    "Above 1.25 the reference itself is below 0.8 of the group. "
    "One more, one moved: the ratio had one person more been selected, or one selection gone to this group."
)


def impact(name: str, rows: Estimates, groups: Sequence[str], alpha: float) -> Table | None:
    """The table of one attribute, None where the audit has no such rows."""
    ratios = {(r.group, r.term): r for r in rows.where(metric="impact ratio")}
    missing = {(r.group, r.term): r for r in rows.where(metric="shortfall")}
    shown = [g for g in groups if (g, "") in ratios]
    if not shown:
        return None
    headings = [
        text("group"),
        Heading("impact ratio"),
        Heading("shortfall", "people"),
        Heading("to 0.8", "people"),
        Heading("one more"),
        Heading("one moved"),
        text("ratio and test together"),
    ]
    lines = [
        [
            group,
            _number(ratios[group, ""]),
            _people(missing.get((group, ""))),
            _people(missing.get((group, "to four fifths"))),
            _number(ratios.get((group, "one selection more"))),
            _number(ratios.get((group, "one selection moved"))),
            _together(ratios[group, ""], alpha),
        ]
        for group in shown
    ]
    return table(f"Impact ratios by {name}", headings, lines, NOTE)


def _together(row: Estimate, alpha: float) -> str:
    """The practical rule (0.8, or 1.25 for a reference that falls behind) and the statistical one, side by side."""
    if not words.shown(row):
        return words.status(row)
    size = "below 0.8" if row.estimate < 0.8 else "above 1.25" if row.estimate > 1.25 else "within 0.8 to 1.25"
    return f"{size}; equality {'excluded' if row.p_adjusted < alpha else 'not excluded'}"


def _number(row: Estimate | None) -> str:
    return words.number(row.estimate, 2) if row is not None and row.status == "ok" else words.DASH


def _people(row: Estimate | None) -> str:
    if row is None or row.status != "ok":
        return words.DASH
    return words.number(row.estimate) if row.estimate > 0 else "none"
