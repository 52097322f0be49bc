"""The flow of counts: how many rows were read, and where each went."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class FlowStep:
    """One line of the flow of counts from rows read to rows analyzed."""

    label: str
    n: float  # NaN where it is the size of a suppressed group
    reason: str = ""
