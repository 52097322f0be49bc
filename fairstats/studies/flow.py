"""The flow of counts: how many rows were read, and where each went."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

READ, ANALYZED = ("rows read", "people read"), ("rows analyzed", "people analyzed")  # rows may stand for several people


@dataclass(frozen=True)
class FlowStep:
    """One line of the flow of counts from rows read to rows analyzed."""

    label: str
    n: float  # NaN where it is the size of a suppressed group
    reason: str = ""


def read_and_analyzed(flow: Iterable[FlowStep]) -> tuple[FlowStep, FlowStep]:
    """The steps of everybody read and of everybody analyzed: people, where each row stands for as many as it says.

    Examples
    --------
    >>> steps = FlowStep("rows read", 8), FlowStep("people read", 900), FlowStep("people analyzed", 870)
    >>> [step.n for step in read_and_analyzed(steps)]
    [900, 870]
    """
    known = tuple(flow)
    read = [step for step in known if step.label in READ][-1]
    return read, next((step for step in known if step.label in ANALYZED), read)
