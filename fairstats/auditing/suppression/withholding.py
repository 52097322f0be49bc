"""Between counting and estimation: what is withheld is taken out of the data, so that nothing behind it can leak it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from fairstats.auditing.coding import CodedTally
from fairstats.auditing.counts import Cell
from fairstats.auditing.effective_counts import above_median
from fairstats.auditing.input import UNKNOWN
from fairstats.auditing.protocol import Protocol, references_by_attribute
from fairstats.auditing.suppression.atom_counts import AtomCounts
from fairstats.auditing.suppression.disclosure import named, withheld
from fairstats.estimates import NAN, Estimate, Estimates
from fairstats.labels import MISSING_LEVEL
from fairstats.metrics import METRICS
from fairstats.studies.attribute import Levels
from fairstats.studies.flow import FlowStep

CELLS = {
    "outcome": ("positives", "negatives"),
    "decision": ("favorable", "unfavorable"),
    "joint": ("tp", "fp", "fn", "tn"),
}


@dataclass(frozen=True)
class View:
    """One attribute as it may be reported: its levels, and two looks at its people.

    In `shown` people of withheld groups are absent, and outcomes, decisions and scores whose rates are withheld are
    unknown; in `joined` so are outcomes whose cells with the decision or the score are.
    """

    levels: Levels
    shown: CodedTally
    joined: CodedTally
    hidden: dict[str, frozenset[str]]  # block -> withheld groups


def reason(protocol: Protocol) -> str:
    """Return why a row is suppressed, in the same words for a small group and for one withheld to protect it."""
    return f"fewer than {protocol.min_n} people, or beside such a group"


def views(tally: CodedTally, protocol: Protocol) -> tuple[View, ...]:
    """Every attribute with what `min_n` withholds taken out; the data themselves where it withholds nothing.

    Parameters
    ----------
    tally : CodedTally
        People by cell.
    protocol : Protocol
        Smallest group, references, kind of weights.

    Returns
    -------
    tuple of View

    Examples
    --------
    >>> sex = Levels("sex", np.repeat([0, 1, 2], (9, 8, 1)).astype(np.int32), ("m", "f", "x"))
    >>> tally = CodedTally((sex,), np.ones(18), decision=np.arange(18, dtype=np.int8) % 2)
    >>> view = views(tally, Protocol(("sex",), decision="hired", min_n=3))[0]
    >>> sorted(view.hidden["people"]), view.shown.size
    (['f', 'x'], 9)
    """
    if protocol.min_n <= 1:
        return tuple(View(levels, tally, tally, {}) for levels in tally.attributes)
    counts = atom_counts(tally, protocol)
    rules = references_by_attribute(protocol.reference, counts.names)
    hidden = withheld(counts, protocol.min_n, named(counts, rules))
    found = []
    for table, levels in enumerate(tally.attributes):
        masks = {block: hidden[block][table] for block in hidden}
        if "score" not in counts.blocks:  # the scores are known where the decision made of them is
            masks["score"] = masks["people"] if protocol.decision else masks["decision"]
        found.append(_view(tally, levels, masks))
    return tuple(found)


def atom_counts(tally: CodedTally, protocol: Protocol) -> AtomCounts:
    """The people of all tables of an audit; scores that are not cut decide by whether they exceed the median."""
    decision = tally.decision
    if decision is None and tally.score is not None:
        decision = above_median(tally)
    unknown = np.full(tally.rows.size, UNKNOWN, dtype=np.int8)
    own_score = tally.score is not None and bool(protocol.decision)
    scored = ~np.isnan(tally.score) if own_score and tally.score is not None else np.ones(tally.rows.size, dtype=bool)
    kind = (unknown if tally.outcome is None else tally.outcome) * np.int64(6)
    kind += (unknown if decision is None else decision) * np.int64(2) + scored
    atom, member = _atoms(tally.attributes)
    weights = tally.weight if protocol.weight_type != "probability" else tally.used
    counts = np.bincount(atom * 18 + kind, weights=weights, minlength=18 * member.shape[1]).astype(float)
    have = {"outcome": tally.outcome is not None, "decision": decision is not None, "score": not scored.all()}
    have["joint"] = have["outcome"] and have["decision"]
    return AtomCounts(
        tuple(levels.name for levels in tally.attributes),
        tuple(levels.labels for levels in tally.attributes),
        member,
        counts.reshape(-1, 18),
        ("people", *(block for block, present in have.items() if present)),
    )


def _atoms(attributes: tuple[Levels, ...]) -> tuple[np.ndarray, np.ndarray]:
    """The atom of every row, and the group of every atom in every attribute."""
    atom = np.zeros(attributes[0].codes.size, dtype=np.int64)
    for levels in attributes:
        flat = atom * len(levels.labels) + levels.codes
        atom = np.unique(flat, return_inverse=True)[1].astype(np.int64)
    first = np.unique(atom, return_index=True)[1]
    return atom, np.array([levels.codes[first] for levels in attributes], dtype=np.int64)


def _view(tally: CodedTally, levels: Levels, masks: dict[str, np.ndarray]) -> View:
    if not any(mask.any() for mask in masks.values()):
        return View(levels, tally, tally, {})
    gone = masks["people"]
    rows = ~gone[levels.codes]
    codes = levels.codes[rows]
    # the order of size would tell how large a withheld group is: these come last, by name
    order = [i for i in range(gone.size) if not gone[i]]
    order += sorted(np.flatnonzero(gone), key=lambda i: (_missing(levels.labels[i]), levels.labels[i]))
    place = np.empty(gone.size, dtype=np.int32)
    place[order] = np.arange(gone.size, dtype=np.int32)
    ordered = Levels(levels.name, place[codes], tuple(levels.labels[i] for i in order))

    def lost(block: str) -> np.ndarray:
        return masks[block][codes]

    kept = tally.take(rows)
    outcome, decision, score = kept.outcome, kept.decision, kept.score
    shown = replace(
        kept,
        attributes=(ordered,),
        outcome=None if outcome is None else np.where(lost("outcome"), UNKNOWN, outcome).astype(np.int8),
        decision=None if decision is None else np.where(lost("decision"), UNKNOWN, decision).astype(np.int8),
        score=None if score is None else np.where(lost("score"), NAN, score),
    )
    joined = shown
    if shown.outcome is not None:
        joined = replace(shown, outcome=np.where(lost("joint"), UNKNOWN, shown.outcome).astype(np.int8))
    named_blocks = {b: frozenset(levels.labels[i] for i in np.flatnonzero(mask)) for b, mask in masks.items()}
    return View(ordered, shown, joined, named_blocks)


def _missing(label: str) -> bool:
    return MISSING_LEVEL in label.split(":")


def suppressed(rows: Estimates, view: View, protocol: Protocol) -> Estimates:
    """The rows of one attribute, those of withheld groups and rates without a number and with status "suppressed".

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
    >>> view = View(Levels("sex", np.array([]), ("m", "x")), None, None, {"people": frozenset("x")})
    >>> row = Estimate("TPR", "sex", "x", n=0.0, status="unestimable", reason="no positives")
    >>> suppressed(Estimates([row]), view, Protocol(("sex",), min_n=3))[0].status
    'suppressed'
    """
    if not view.hidden:
        return rows
    why = reason(protocol)

    def told(row: Estimate) -> Estimate:
        lost = view.hidden.get(block(row.metric, protocol), view.hidden["people"])
        if row.group not in lost and row.reference not in lost:
            return row
        return row.blank(status="suppressed", reason=why)

    return rows.map(told)


def block(metric: str, protocol: Protocol) -> str:
    """Return the block of counts that a metric is computed from; other metrics belong to the headline rate's block."""
    columns = METRICS[metric].columns if metric in METRICS else ()
    if "outcome" in columns and len(columns) > 1:
        return "joint"
    if columns in (("score",), ("outcome",)):
        return columns[0]
    if protocol.decision or protocol.threshold is not None:
        return "decision"
    return "score" if protocol.score else "outcome"


def published(cells: Iterable[Cell], joined: Iterable[Cell], view: View) -> tuple[Cell, ...]:
    """The counts by group, NaN where they are withheld; cells of outcome × decision are those of `joined`."""
    if not view.hidden:
        return tuple(cells)
    found = []
    for cell, both in zip(cells, joined, strict=True):
        values = {name: getattr(both, name) for name in CELLS["joint"]}
        for block, names in CELLS.items():
            if cell.group in view.hidden[block]:
                values |= dict.fromkeys(names, NAN)
        size = NAN if cell.group in view.hidden["people"] else cell.n
        found.append(replace(cell, **values, n=size))
    return tuple(found)


def told_flow(flow: tuple[FlowStep, ...], found: tuple[View, ...]) -> tuple[FlowStep, ...]:
    """Return the flow of counts without the size of a withheld level of missing people."""
    lost = {f"{view.levels.name} missing" for view in found if view.hidden and MISSING_LEVEL in view.hidden["people"]}
    return tuple(replace(s, n=NAN, reason=f"{s.reason}, suppressed") if s.label in lost else s for s in flow)
