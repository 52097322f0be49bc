"""Scope and protocol: the rules of the audit; and the data: from the rows read to the rows analyzed."""

from __future__ import annotations

from typing import Any

from fairstats.auditing.coding import ANALYZED, COMPLETE
from fairstats.auditing.counts import Cell
from fairstats.auditing.protocol import Protocol as Rules
from fairstats.auditing.result import Audit
from fairstats.auditing.words.families import family_text
from fairstats.auditing.words.phrases import decision_text
from fairstats.choices import MISSING, NAMED, WEIGHT_TYPES, adjustment, reference_rule
from fairstats.reporting import numbers as words
from fairstats.reporting.bundle import Bundle
from fairstats.reporting.figures.flow import flow
from fairstats.reporting.figures.style import Drawing
from fairstats.reporting.sections.shared import attribute_name, by_size
from fairstats.reporting.tables import Heading, Table, table, text
from fairstats.studies.flow import FlowStep
from fairstats.text import level


def protocol(bundle: Bundle) -> dict[str, Any] | None:
    """The context of ``sections/protocol.html.j2``."""
    if bundle.audit is None:
        return None
    audit = bundle.audit
    rules = audit.protocol
    return {
        "declared": rules.declared,
        "declaration": _declaration(rules),
        "groups": [_recorded(audit, a) for a in audit.references],
        "rules": [(label, value) for label, value in _rules(audit) if value],
    }


def _declaration(rules: Rules) -> str:
    if rules.declared:
        changed = f", last changed {rules.changed[:16].replace('T', ' ')} UTC" if rules.changed else ""
        return (
            f"Read from {rules.source} (SHA-256 {rules.sha256}{changed}). A date is no proof that the rules were fixed "
            "before the data were seen; that is what the auditor attests at the end of this report."
        )
    return (
        "The protocol was given with the call: nothing shows that it was fixed before the data were seen. "
        "Of a protocol file the hash and the time of its last change are printed here."
    )


def _recorded(audit: Audit, attribute: str) -> tuple[str, str]:
    levels = by_size(audit, attribute)
    reference = audit.references.get(attribute, "")
    against = f"; compared with {reference}" if reference else ""
    return attribute_name(attribute), f"{len(levels)} levels as recorded: {words.listed(levels, 8)}{against}"


def _rules(audit: Audit) -> list[tuple[str, str]]:
    p = audit.protocol
    decided = bool(p.decision) or p.threshold is not None
    multiplicity = adjustment(p.adjust, p.reference)
    unit = f"one row of {audit.data.name or 'the table'} is one person; no other population is implied"
    return [
        ("Population and unit", unit),
        ("Outcome", f"{p.outcome}; positive is {p.positive}" if p.outcome else ""),
        ("Decision", _decision(p) if decided else ""),
        ("Favorable to the person", decision_text(p, p.favorable) if decided else ""),
        ("Predicts the positive outcome", decision_text(p, p.predicts) if p.predicts else ""),
        ("Score", p.score),
        ("Reference rule", _reference(p.reference)),
        ("Confidence level", f"{level(p.conf_level)}, two-sided"),
        ("Multiplicity", f"{multiplicity.words} ({multiplicity.meaning})"),
        ("Family of tests", family_text(audit)),
        ("Equivalence margin", p.equivalence.words),
        ("Missing groups", MISSING[p.missing].words),
        ("Smallest group reported", _smallest(p)),
        ("Strata", p.strata),
        ("Weights", f"{p.weights} ({p.weight_type}: {WEIGHT_TYPES[p.weight_type].words})" if p.weights else ""),
        ("Clusters", p.clusters),
    ]


def _reference(reference: str) -> str:
    rule = reference_rule(reference)
    return rule.words if rule is not NAMED else f"{reference}, {rule.words}"


def _smallest(p: Rules) -> str:
    if p.min_n <= 1:
        return ""
    return f"{p.min_n} people; further groups are withheld so that no smaller count can be computed from the others"


def _decision(p: Rules) -> str:
    return p.decision if p.threshold is None else f"{p.score}, cut at {words.setting(p.threshold)}"


def data(bundle: Bundle) -> dict[str, Any] | None:
    """The context of ``sections/data.html.j2``."""
    if bundle.audit is None:
        return None
    audit = bundle.audit
    lost = [r for r in audit.estimates if r.status in ("suppressed", "excluded")]
    return {
        "summary": _summary(audit),
        "lost": flow_of(audit),
        "flow": table(
            "From rows read to rows analyzed",
            [text("step"), Heading("rows"), text("reason")],
            [(s.label, words.count(s.n), s.reason or words.DASH) for s in audit.flow],
        ),
        "counts": [_counts(audit, a) for a in audit.references if ":" not in a],
        "excluded": _excluded([(r.attribute, r.group, words.status(r)) for r in lost]),
    }


def flow_of(audit: Audit) -> Drawing | None:
    """Return the flow of the rows as a figure, where something is lost on the way."""
    totals, missing = steps_of(audit)
    if not missing or len(totals) < 2:
        return None
    return flow("flow", totals, missing, caption=f"{_summary(audit)}.")


def steps_of(audit: Audit) -> tuple[list[FlowStep], list[FlowStep]]:
    """The rows that were kept at each step, and those that were lost."""
    totals = [step for i, step in enumerate(audit.flow) if i == 0 or step.label in (ANALYZED, COMPLETE)]
    missing = [step for i, step in enumerate(audit.flow) if i and step.label not in (ANALYZED, COMPLETE) and step.n > 0]
    return totals, missing


def _summary(audit: Audit) -> str:
    if not audit.flow:
        return f"{words.count(audit.data.rows)} rows"
    steps = {step.label: step.n for step in audit.flow}
    first, last = audit.flow[0].n, steps.get(ANALYZED, audit.flow[-1].n)
    read, kept, complete = (words.count(n) for n in (first, last, steps.get(COMPLETE, last)))
    said = f"all {read} rows read were analyzed" if read == kept else f"{kept} of {read} rows read were analyzed"
    return said if complete == kept else f"{said}; {complete} of them have both outcome and decision"


_COUNTS = (
    ("positives", "outcome positive"),
    ("negatives", "outcome negative"),
    ("favorable", "decision favorable"),
    ("unfavorable", "decision unfavorable"),
)


def _counts(audit: Audit, attribute: str) -> Table:
    cells = sorted((c for c in audit.cells if c.attribute == attribute), key=lambda c: -c.n if c.n == c.n else 1)
    known = [(name, label) for name, label in _COUNTS if any(getattr(c, name) == getattr(c, name) for c in cells)]
    total = sum(c.n for c in cells if c.n == c.n) or 1.0

    def row(cell: Cell) -> tuple[str, ...]:
        counts = (words.count(getattr(cell, name)) for name, _ in known)
        return (cell.group, words.count(cell.n), words.percent(cell.n / total), *counts)

    headings = [text(attribute_name(attribute)), Heading("n"), Heading("share", "%"), *(Heading(w) for _, w in known)]
    return table(f"People by {attribute_name(attribute)}, largest group first", headings, map(row, cells))


def _excluded(rows: list[tuple[str, str, str]]) -> Table | None:
    unique = list(dict.fromkeys(rows))
    if not unique:
        return None
    shown = [(group, attribute_name(attribute), why) for attribute, group, why in unique]
    return table("Groups that are shown but not compared", [text("group"), text("attribute"), text("reason")], shown)
