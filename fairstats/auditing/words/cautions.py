"""Cautions in words that follow from the data at hand; the standing ones are with the readings."""

from __future__ import annotations

from fairstats.auditing.coding import CodedTally
from fairstats.auditing.input import UNKNOWN
from fairstats.auditing.protocol import Protocol
from fairstats.auditing.words.phrases import decision_text
from fairstats.choices import REFERENCES
from fairstats.data.grids import EXACT, MOST_VALUES
from fairstats.errors import listing
from fairstats.estimates import Estimates
from fairstats.inference.verdicts import BORDER
from fairstats.text import capital, count, percent, significant

SMALL = 30


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
        _other_reference(protocol, references),
        _small(rows),
        _constant(tally, protocol),
        _grid(tally),
        _hidden(tally),
        _lost(tally, "outcome"),
        _lost(tally, "decision"),
        _withheld(rows, "unestimable", "not estimable"),
        _withheld(rows, "suppressed", "suppressed"),
        _protected(rows, protocol),
        _border(rows),
    ]
    return tuple(note for note in found if note)


def _after_the_fact(protocol: Protocol) -> str:
    if protocol.declared:
        return ""
    return "The protocol was given with the call: groups, reference and margin may have been chosen after the data."


def _taken_as_favorable(protocol: Protocol) -> str:
    """The default is right for selections, and wrong for alarms: say which decision was taken to help."""
    if protocol.favorable not in ("1", "True") or not (protocol.decision or protocol.threshold is not None):
        return ""
    return f"{decision_text(protocol, protocol.favorable)} is taken as the decision that helps the person (favorable=)."


def _other_reference(protocol: Protocol, references: dict[str, str]) -> str:
    if protocol.reference in REFERENCES or "=" in protocol.reference:
        return ""
    other = [f"{a} ({level})" for a, level in references.items() if level != protocol.reference]
    return f"{protocol.reference} is no group of {listing(other)}; there the largest group is the reference." * bool(
        other
    )


def _small(rows: Estimates) -> str:
    rates = ("selection rate", "scoring rate", "base rate")
    known = rows.where(contrast="none", metric=rates, status="ok", role="main")  # the rate of everybody is no group's
    sized = {(r.attribute, r.group): r.n for r in known}
    small = [f"{group} ({count(n)})" for (attribute, group), n in sized.items() if n < SMALL and ":" not in attribute]
    joint = sum(n < SMALL and ":" in attribute for (attribute, _), n in sized.items())
    if not small and not joint:
        return ""
    said = [f"Groups of fewer than {SMALL} people: {listing(small, 8)}."] if small else []
    if joint:
        said.append(f"{joint} of {sum(':' in a for a, _ in sized)} intersections have fewer than {SMALL} people.")
    return " ".join([*said, "Their intervals are wide; a missing verdict does not show equal treatment."])


def _constant(tally: CodedTally, protocol: Protocol) -> str:
    """A label that nobody, or everybody, has may be a fact, and may be a misspelling."""
    said = []
    if tally.decision is not None and protocol.decision:
        said.append((tally.decision, tally.favors, f"{protocol.decision}: {protocol.favorable}"))
    if tally.outcome is not None:
        said.append((tally.outcome, 1, f"{protocol.outcome}: {protocol.positive}"))
    constant = []
    for codes, one, words in said:
        known = codes[codes != UNKNOWN]
        if known.size and (known == known[0]).all():
            constant.append(f"{'everybody' if known[0] == one else 'nobody'} has {words}")
    return f"{capital('; '.join(constant))}. Check the label." if constant else ""


def _hidden(tally: CodedTally) -> str:
    if tally.withheld is None:
        return ""
    cells, least, most = tally.withheld.names, tally.withheld.least.sum(), tally.withheld.most.sum()
    return (
        f"Those who counted the people withheld {len(cells)} cells, of {count(least)} to {count(most)} people "
        f"({count(tally.size)} are in the others): {listing(cells, 3)}. The rows given 'withheld cells' bound what "
        "these people could change in rates, P(X>Y) and AUC. Small cells are not a sample of all: an estimate of "
        "the others may lie outside its bounds. A verdict stands only where these people could not overturn it."
    )


def _grid(tally: CodedTally) -> str:
    if tally.level >= EXACT:
        return ""
    return (
        f"The scores have more than {count(MOST_VALUES)} distinct values and are on a grid: each is within "
        f"{significant(2.0 ** -(tally.level + 1), 2)} of what it was. P(X>Y), AUC and the shift say by how much that "
        "moves them at most; other statistics of scores are those of the grid."
    )


def _lost(tally: CodedTally, role: str) -> str:
    lost = sum(step.n for step in tally.flow if step.label == f"{role} missing")
    if not lost:
        return ""
    share = percent(lost / max(tally.size, 1))
    return (
        f"The {role} is missing for {count(lost)} people ({share} %); if that depends on the {role}, rates are biased."
    )


def _withheld(rows: Estimates, status: str, words: str) -> str:
    found = rows.where(status=status)
    if not found:
        return ""
    reason = next((row.reason for row in found if row.reason), "")
    example = f" (for example: {reason})" if reason else ""
    return f"{len(found)} of {len(rows)} estimates are {words}{example}; the table of estimates gives each reason."


def _protected(rows: Estimates, protocol: Protocol) -> str:
    if not rows.where(status="suppressed"):
        return ""
    return (
        f"Suppression hides every statement about fewer than {protocol.min_n} people, and further groups from which "
        f"one could be computed; statistics over all groups are of the groups shown. It does not protect against other "
        f"reports of the same people, or against who knows some of them."
    )


def _border(rows: Estimates) -> str:
    found = [f"{row.metric} of {row.group} against {row.reference}" for row in rows if BORDER in row.reason]
    if not found:
        return ""
    return (
        f"Border cases, in which the adjusted test and the interval disagree ({len(found)}): "
        f"{listing(list(dict.fromkeys(found)), 4)}. The `reason` of each row says which of them decided."
    )
