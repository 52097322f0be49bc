"""The figure of subgroups: by how much each differs from everybody, with limits that hold together."""

from __future__ import annotations

from fairstats.auditing.subgroups_result import FLAGGED, Subgroups, who
from fairstats.reporting import numbers as words
from fairstats.reporting.drawings.kind import Subject
from fairstats.reporting.drawings.of_rows import MOST
from fairstats.reporting.figures.forest import forest
from fairstats.reporting.figures.style import Drawing


def choices(result: Subgroups) -> list[Subject]:
    """The rate that was asked for."""
    return [Subject(result.metric)]


def differences(result: Subgroups, choice: Subject) -> Drawing:
    """The subgroups that are farthest from everybody, each with its simultaneous limits."""
    rows = result.judged()
    flagged = sum(row.verdict == FLAGGED for row in rows)
    caption = f"{words.heading(choice.metric)}, less that of everybody: {flagged} of {len(rows)} subgroups are flagged."
    caption += f" The {MOST} farthest are drawn." if len(rows) > MOST else ""
    shown = rows[:MOST]
    labels = [who(row.attribute, row.group) for row in shown]
    return forest("subgroups", shown, caption=caption, labels=labels, margin=result.tolerance or None)
