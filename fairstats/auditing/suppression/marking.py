"""After estimation: rows, counts and steps of what is withheld say "suppressed", and have no number."""

from __future__ import annotations

from dataclasses import replace

from fairstats.auditing.coding import ANALYZED, COMPLETE, CodedTally
from fairstats.auditing.counts import Cell, block
from fairstats.auditing.effective_counts import Weighed
from fairstats.auditing.protocol import Protocol
from fairstats.auditing.rows.adverse_impact import METRICS, SMALL_SHARE
from fairstats.auditing.suppression.withholding import View, few_dropped
from fairstats.estimates import NAN, Estimate, Estimates
from fairstats.labels import MISSING_LEVEL
from fairstats.language import stored
from fairstats.studies.flow import FlowStep

CELLS = {
    "outcome": ("positives", "negatives"),
    "decision": ("favorable", "unfavorable"),
    "joint": ("tp", "fp", "fn", "tn"),
}

ALL_GROUPS = stored("some of the groups are withheld")
HIGHEST_RATE = stored("the group with the highest rate may be a withheld one")
HIGHEST = frozenset(name for pair in METRICS.values() for name in pair)


def reason(protocol: Protocol) -> str:
    """Return why a row is suppressed, in the same words for a small group and for one withheld to protect it."""
    return f"fewer than {protocol.min_n} people, or beside such a group"


def suppressed(rows: Estimates, view: View, protocol: Protocol) -> Estimates:
    """The rows of one attribute, those of withheld groups and rates without a number and with status "suppressed".

    What is said of all groups at once, and of the highest rate, would be another finding without the withheld groups,
    and with them it would tell their counts: it is suppressed too. The highest rate is known where the people withheld
    are so few that the rule counts none of their groups.

    Parameters
    ----------
    rows : Estimates
        Estimated from the views: a withheld group was empty, and is said to be suppressed, not empty.
    view : View
        What is withheld.
    protocol : Protocol
        Smallest group.

    Returns
    -------
    Estimates

    Examples
    --------
    >>> import numpy as np
    >>> from fairstats.studies.attribute import Attribute
    >>> view = View(Attribute("sex", np.array([]), ("m", "x")), None, None, {"people": frozenset("x")})
    >>> row = Estimate("TPR", "sex", "x", n=0.0, status="unestimable", reason="no positives")
    >>> suppressed(Estimates([row]), view, Protocol(("sex",), min_n=3))[0].status
    'suppressed'
    """
    if not view.hidden:
        return rows
    why = reason(protocol)

    def marked(row: Estimate) -> Estimate:
        own = block(row.metric, protocol)
        own = own if own in view.hidden else "people"
        lost = view.hidden[own]
        if row.group in lost or row.reference in lost:
            return row.blank(status="suppressed", reason=why)
        if lost and row.role == "all groups":
            return row.blank(status="suppressed", reason=ALL_GROUPS)
        if lost and row.metric in HIGHEST and view.absent[own] >= SMALL_SHARE * view.everybody:
            return row.blank(status="suppressed", reason=HIGHEST_RATE)
        return row

    return rows.map(marked)


def published(own: Weighed, view: View) -> tuple[Cell, ...]:
    """The counts by group, NaN where they are withheld."""
    if not view.hidden:
        return own.cells
    return tuple(_published(cell, view) for cell in own.cells)


def _published(cell: Cell, view: View) -> Cell:
    gone = [name for kind, names in CELLS.items() if cell.group in view.hidden[kind] for name in names]
    values = dict.fromkeys(gone, NAN) | ({"n": NAN} if cell.group in view.hidden["people"] else {})
    return replace(cell, **values)  # type: ignore[arg-type]


def marked_flow(tally: CodedTally, found: tuple[View, ...], protocol: Protocol) -> tuple[FlowStep, ...]:
    """Return the flow of counts without the size of withheld people without a group, and what it would follow from."""
    lost = {f"{view.levels.name} missing" for view in found if view.hidden and MISSING_LEVEL in view.hidden["people"]}
    steps = {s.label: s.n for s in tally.flow}
    if protocol.missing == "drop":
        names = [view.levels.name for view in found]
        columns = {*names, *(part for name in names for part in name.split(":"))}
        left_out = {label for c in columns if steps.get(label := f"{c} missing")}
        few = any(steps[label] < protocol.min_n for label in left_out)
        lost |= (left_out if few else set()) | ({*ANALYZED, COMPLETE} if few_dropped(tally, protocol) else set())
    return tuple(_suppressed(s) if s.label in lost else s for s in tally.flow)


def _suppressed(step: FlowStep) -> FlowStep:
    return replace(step, n=NAN, reason=", ".join(filter(None, (step.reason, "suppressed"))))
