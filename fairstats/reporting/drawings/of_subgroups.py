"""The figure of subgroups: by how much each differs from everybody, with limits that hold together."""

from __future__ import annotations

from fairstats.auditing.subgroups_result import Subgroups
from fairstats.reporting.drawings.kind import Subject
from fairstats.reporting.drawings.of_rows import MOST
from fairstats.reporting.figures.style import Drawing
from fairstats.reporting.sections.subgroups import picture


def choices(result: Subgroups) -> list[Subject]:
    """The rate that was asked for."""
    return [Subject(result.metric)]


def differences(result: Subgroups, choice: Subject) -> Drawing:
    """The subgroups that are farthest from everybody, each with its simultaneous limits."""
    return picture("subgroups", result, MOST)
