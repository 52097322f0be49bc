"""Between counting and estimation: what is withheld is taken out of the data, so that nothing behind it can leak it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from fairstats.auditing.coding import CodedTally
from fairstats.auditing.effective_counts import above_median
from fairstats.auditing.input import UNKNOWN
from fairstats.auditing.protocol import Protocol
from fairstats.auditing.references import references_by_attribute
from fairstats.auditing.suppression.atom_counts import AtomCounts
from fairstats.auditing.suppression.disclosure import named, withheld
from fairstats.estimates import NAN
from fairstats.labels import MISSING_LEVEL
from fairstats.studies.attribute import Attribute


@dataclass(frozen=True)
class View:
    """One attribute as it may be reported: its levels, and two looks at its people.

    In `shown` people of withheld groups are absent, and outcomes, decisions and scores whose rates are withheld are
    unknown; in `joined` so are outcomes whose cells with the decision or the score are.
    """

    levels: Attribute
    shown: CodedTally
    joined: CodedTally
    hidden: dict[str, frozenset[str]]  # block -> withheld groups
    absent: dict[str, float] = field(default_factory=dict)  # block -> people of the withheld groups, all together
    everybody: float = 0.0  # people, those of withheld groups included


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
    >>> sex = Attribute("sex", np.repeat([0, 1, 2], (9, 8, 1)).astype(np.int32), ("m", "f", "x"))
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
        found.append(_view(tally, levels, masks, tally.people(protocol.weight_type)))
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


def _atoms(attributes: tuple[Attribute, ...]) -> tuple[np.ndarray, np.ndarray]:
    """The atom of every row, and the group of every atom in every attribute."""
    atom = np.zeros(attributes[0].codes.size, dtype=np.int64)
    for levels in attributes:
        flat = atom * len(levels.labels) + levels.codes
        atom = np.unique(flat, return_inverse=True)[1].astype(np.int64)
    first = np.unique(atom, return_index=True)[1]
    return atom, np.array([levels.codes[first] for levels in attributes], dtype=np.int64)


def _view(tally: CodedTally, levels: Attribute, masks: dict[str, np.ndarray], people: np.ndarray) -> View:
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
    ordered = Attribute(levels.name, place[codes], tuple(levels.labels[i] for i in order))

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
    absent = {b: float(people[mask[levels.codes]].sum()) for b, mask in masks.items()}
    return View(ordered, shown, joined, named_blocks, absent, float(people.sum()))


def _missing(label: str) -> bool:
    return MISSING_LEVEL in label.split(":")
