"""Cautions in words that follow from the data at hand; the standing ones are with the readings."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from fairstats.auditing.coding import CodedTally
from fairstats.auditing.input import UNKNOWN
from fairstats.auditing.protocol import Protocol
from fairstats.auditing.words.phrases import decision_text
from fairstats.choices import BONFERRONI, HIGHEST_RATE, REFERENCES
from fairstats.data.grids import EXACT, MOST_VALUES
from fairstats.errors import listing
from fairstats.estimates import Estimates
from fairstats.labels import MISSING_LEVEL, holds_missing, like_missing, look_alike
from fairstats.language import stored
from fairstats.studies.flow import read_and_analyzed
from fairstats.text import count, percent, significant

SMALL = 30
# rows of weights that are more like people than like cells: so many, so heavy on average, so many of every kind
FEWEST_ROWS, LEAST_MEAN, ALIKE = 30, 2.0, 5.0
LACKING, ROLES = " missing", ("outcome", "decision", "score")  # steps of the flow
# A place whose name begins with "said" holds another such text, with "each" several, with "list" labels.
AFTER = stored(
    "The protocol was given with the call: groups, reference and margin may have been chosen after the data."
)
FAVORABLE = stored("{said} is taken as the decision that helps the person; declare the other one where it does not.")
ELSEWHERE = stored("{group} is no group of {list_of}; there the largest group is the reference.")
GROUPS = stored("Groups of fewer than {few} people: {list_of}. {said}")
JOINT = stored("{k} of {n} intersections shown have fewer than {few} people. {said}")
WIDE = stored("Their intervals are wide; a missing verdict does not show equal treatment.")
CONSTANT = stored("{said}. Check the label.")
EVERYBODY, NOBODY = stored("Everybody has {label}"), stored("Nobody has {label}")
ALSO = {EVERYBODY: stored("everybody has {label}"), NOBODY: stored("nobody has {label}")}
COUNTED = stored(
    "The weights {name} add up to {people} people in {n} rows, and are taken as counts of people "
    "(weight_type='frequency'), so that intervals and p-values are those of {people} people. Many rows are alike in "
    "all that is audited, as the rows of a sample are and those of a table of counts are not: where each row is one "
    "person, pass weight_type='probability'."
)
HIDDEN = stored(
    "Those who counted the people withheld {n} cells, of {least} to {most} people ({rest} are in the others): "
    "{list_of}. The rows given 'withheld cells' bound what these people could change in rates, P(X>Y) and AUC. Small "
    "cells are not a sample of all: an estimate of the others may lie outside its bounds. A verdict stands only where "
    "these people could not overturn it."
)
GRID = stored(
    "The scores have more than {n} distinct values and are on a grid: each is within {step} of what it was. P(X>Y), "
    "AUC and the shift say by how much that moves them at most; other statistics of scores are those of the grid."
)
LOST = {
    "outcome": stored(
        "The outcome is missing for {n} people ({share} %); if that depends on the outcome, rates are biased."
    ),
    "decision": stored(
        "The decision is missing for {n} people ({share} %); if that depends on the decision, rates are biased."
    ),
}
NO_GROUP = stored(
    "The group is not known for {n} people ({share} %, by {list_of}); if that depends on the group or on what was "
    "decided, differences between the groups are biased."
)
MUCH = 0.05  # of the people; from there on missing groups are a caution
ABSENT = {
    ("unestimable", True): stored(
        "{k} of {n} estimates are not estimable (for example: {said}); the table of estimates gives each reason."
    ),
    ("unestimable", False): stored("{k} of {n} estimates are not estimable; the table of estimates gives each reason."),
    ("suppressed", True): stored(
        "{k} of {n} estimates are suppressed (for example: {said}); the table of estimates gives each reason."
    ),
    ("suppressed", False): stored("{k} of {n} estimates are suppressed; the table of estimates gives each reason."),
}
PROTECTED = stored(
    "Suppression hides every statement about fewer than {n} people, and further groups from which one could be "
    "computed; what is said of all groups at once is withheld with them. It does not protect against other reports of "
    "the same people, or against who knows some of them."
)
NOT_USED = stored(
    "The group with the highest rate is picked by the data, so its comparisons are adjusted by Bonferroni over all "
    "pairs of groups; the declared adjustment ({name}) is not used there."
)
LOOK_ALIKE = stored("Groups that differ only by blanks, case or the form of characters are audited apart: {list_of}.")
PERHAPS_MISSING = stored("Labels that may mean that the group is not known are groups like any other: {list_of}.")
UNWEIGHTED = stored("Numbers of people are sums of weights. Rows behind them, by {attribute}: {list_of}.")
DESIGN = stored(
    "Of the sampling design only weights and clusters are used. Not used: {each}. Intervals and tests do without."
)
# what a design may have beside weights and clusters
PARTS_OF_DESIGN = (stored("strata"), stored("finite population correction"), stored("calibration"))


def cautions(tally: CodedTally, protocol: Protocol, references: dict[str, str], rows: Estimates) -> tuple[str, ...]:
    """Return the cautions that a reader of this audit needs before quoting it.

    Parameters
    ----------
    tally : CodedTally
        The data.
    protocol : Protocol
        The protocol.
    references : dict
        Attribute to reference group.
    rows : Estimates
        The results.

    Returns
    -------
    tuple of str
        One sentence or two each.

    Examples
    --------
    >>> import numpy as np
    >>> cautions(CodedTally((), np.array([])), Protocol(("sex",), declared=True), {}, Estimates())
    ()
    """
    found = [
        _after_the_fact(protocol),
        _taken_as_favorable(protocol),
        other_reference(protocol.reference, elsewhere(protocol, references)),
        _adjustment(protocol),
        small_groups(rows),
        _constant(tally, protocol),
        *_labels(tally),
        _grid(tally),
        _hidden(tally),
        _counted(tally, protocol),
        _groupless(tally, protocol, rows),
        _lost(tally, "outcome"),
        _lost(tally, "decision"),
        _withheld(rows, "unestimable"),
        _withheld(rows, "suppressed"),
        _protected(rows, protocol),
        *_unweighted(tally, protocol),
        design_caution(protocol),
    ]
    return tuple(note for note in found if note)


def _after_the_fact(protocol: Protocol) -> str:
    if protocol.declared:
        return ""
    return AFTER


def _adjustment(protocol: Protocol) -> str:
    """An adjustment that was asked for and cannot hold where the data pick the reference."""
    if HIGHEST_RATE not in protocol.reference or protocol.adjust == BONFERRONI:
        return ""
    return NOT_USED.format(name=protocol.adjust)


def _taken_as_favorable(protocol: Protocol) -> str:
    """The default is right for selections, and wrong for alarms: say which decision was taken to help."""
    if protocol.favorable not in ("1", "True") or not (protocol.decision or protocol.threshold is not None):
        return ""
    return FAVORABLE.format(said=decision_text(protocol, protocol.favorable))


def elsewhere(protocol: Protocol, references: Mapping[str, str]) -> dict[str, str]:
    """The attributes that have no group of the declared reference's label, with the reference that they have."""
    if protocol.reference in REFERENCES or "=" in protocol.reference:
        return {}
    return {a: level for a, level in references.items() if level != protocol.reference}


def other_reference(group: str, others: Mapping[str, str]) -> str:
    """The caution on a reference that not every attribute has, "" where every one does."""
    return ELSEWHERE.format(group=group, list_of=listing([f"{a} ({g})" for a, g in others.items()])) if others else ""


def small_groups(rows: Estimates) -> str:
    """The caution on groups of few people, "" where there are none."""
    rates = ("selection rate", "scoring rate", "base rate")
    known = rows.where(contrast="none", metric=rates, status="ok", role="main")  # the rate of everybody is no group's
    sized = {(r.attribute, r.group): r.n for r in known}
    small = [f"{group} ({count(n)})" for (attribute, group), n in sized.items() if n < SMALL and ":" not in attribute]
    joint = sum(n < SMALL and ":" in attribute for (attribute, _), n in sized.items())
    if not small and not joint:
        return ""
    said = WIDE
    if joint:
        said = JOINT.format(k=joint, n=sum(":" in a for a, _ in sized), few=SMALL, said=said)
    return GROUPS.format(few=SMALL, list_of=listing(small, 8), said=said) if small else said


def _labels(tally: CodedTally) -> list[str]:
    """Groups that may be one group, and labels that may be missing values."""
    single = [levels for levels in tally.attributes if ":" not in levels.name]
    same = [f"{own.name} ({', '.join(map(repr, one))})" for own in single for one in look_alike(own.labels)]
    absent = [f"{own.name} ({', '.join(map(repr, one))})" for own in single
              if (one := [text for text in like_missing(own.labels) if text != MISSING_LEVEL])]  # fmt: skip
    found = [LOOK_ALIKE.format(list_of=listing(same, 4))] if same else []
    return [*found, *([PERHAPS_MISSING.format(list_of=listing(absent, 4))] if absent else [])]


def _constant(tally: CodedTally, protocol: Protocol) -> str:
    """A label that nobody, or everybody, has may be a fact, and may be a misspelling."""
    said = []
    if tally.decision is not None and protocol.decision:
        said.append((tally.decision, tally.favors, f"{protocol.decision}: {protocol.favorable}"))
    if tally.outcome is not None:
        said.append((tally.outcome, 1, f"{protocol.outcome}: {protocol.positive}"))
    constant: list[str] = []
    for codes, one, words in said:
        known = codes[codes != UNKNOWN]
        if known.size and (known == known[0]).all():
            whose = EVERYBODY if known[0] == one else NOBODY
            constant.append((ALSO[whose] if constant else whose).format(label=words))
    return CONSTANT.format(said="; ".join(constant)) if constant else ""


def _hidden(tally: CodedTally) -> str:
    if tally.withheld is None:
        return ""
    cells, least, most = tally.withheld.names, tally.withheld.least.sum(), tally.withheld.most.sum()
    people = {"least": count(least), "most": count(most), "rest": count(tally.size)}
    return HIDDEN.format(n=len(cells), list_of=listing(cells, 3), **people)


def _grid(tally: CodedTally) -> str:
    if tally.level >= EXACT:
        return ""
    return GRID.format(n=count(MOST_VALUES), step=significant(2.0 ** -(tally.level + 1), 2))


def _counted(tally: CodedTally, protocol: Protocol) -> str:
    """Weights of a survey are no counts; a table of counts has a row or a few for each of its cells."""
    if tally.weights is None or protocol.weight_type != "frequency":
        return ""
    rows, people = float(tally.rows.sum()), float(tally.weight.sum())
    if rows < FEWEST_ROWS or people < LEAST_MEAN * rows:
        return ""
    kinds = [v for v in (tally.outcome, tally.decision, *(a.codes for a in tally.attributes)) if v is not None]
    kinds += [tally.strata.codes] if tally.strata is not None else []
    cells = len(np.unique(np.column_stack(kinds), axis=0))
    if rows < ALIKE * cells:
        return ""
    return COUNTED.format(name=protocol.weights, people=count(people), n=count(rows))


def _groupless(tally: CodedTally, protocol: Protocol, rows: Estimates) -> str:
    """People without a group, kept or left out: who they are may depend on what is compared."""
    if any(holds_missing(row.group) for row in rows.where(status="suppressed")):
        return ""
    read, _ = read_and_analyzed(tally.flow) if tally.flow else (None, None)
    lost = {name: step.n for step in tally.flow for name in [step.label.removesuffix(LACKING)]
            if step.label.endswith(LACKING) and name not in ROLES}  # fmt: skip
    if read is None or not lost or not max(lost.values()) >= max(MUCH * read.n, protocol.min_n):
        return ""
    most = max(lost.values())
    return NO_GROUP.format(n=count(most), share=percent(most / read.n), list_of=listing(list(lost)))


def _lost(tally: CodedTally, role: str) -> str:
    lost = sum(step.n for step in tally.flow if step.label == f"{role} missing")
    if not lost:
        return ""
    return LOST[role].format(n=count(lost), share=percent(lost / max(read_and_analyzed(tally.flow)[0].n, 1)))


def _unweighted(tally: CodedTally, protocol: Protocol) -> list[str]:
    """How many rows a group of a weighted sample rests on; nothing where small numbers are suppressed."""
    if tally.weights is None or protocol.weight_type != "probability" or protocol.min_n > 1:
        return []
    notes = []
    for attribute in tally.attributes:
        if attribute.name in protocol.groups:
            known = attribute.codes >= 0
            rows = np.bincount(attribute.codes[known], tally.used[known], len(attribute.labels))
            said = listing([f"{group} ({count(n)})" for group, n in zip(attribute.labels, rows, strict=True)], 8)
            notes.append(UNWEIGHTED.format(attribute=attribute.name, list_of=said))
    return notes


def design_caution(protocol: Protocol) -> str:
    """The caution on what of a sampling design was not used, "" where there is none.

    Examples
    --------
    >>> design_caution(Protocol(("sex",), unused=("strata",)))[-50:]
    ' Not used: strata. Intervals and tests do without.'
    """
    return DESIGN.format(each=", ".join(protocol.unused)) if protocol.unused else ""


def _withheld(rows: Estimates, status: str) -> str:
    found = rows.where(status=status)
    if not found:
        return ""
    reason = next((row.reason for row in found if row.reason), "")
    return ABSENT[status, bool(reason)].format(k=len(found), n=len(rows), said=reason)


def _protected(rows: Estimates, protocol: Protocol) -> str:
    if not rows.where(status="suppressed"):
        return ""
    return PROTECTED.format(n=protocol.min_n)
