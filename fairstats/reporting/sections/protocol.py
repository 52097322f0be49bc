"""Scope and protocol: the rules of the audit; and the data: from the rows read to the rows analyzed."""

from __future__ import annotations

import math
from typing import Any

from fairstats.auditing.coding import COMPLETE
from fairstats.auditing.counts import Cell
from fairstats.auditing.protocol import Protocol as Rules
from fairstats.auditing.result import Audit
from fairstats.auditing.suppression.marking import ALL_GROUPS
from fairstats.auditing.suppression.marking import HIGHEST_RATE as HIGHEST_WITHHELD
from fairstats.auditing.words.families import family_text
from fairstats.auditing.words.phrases import decision_text
from fairstats.choices import HIGHEST_RATE, MISSING, NAMED, WEIGHT_TYPES, adjustment, reference_rule
from fairstats.language import again, mark, say
from fairstats.reporting import numbers as words
from fairstats.reporting.bundle import Bundle
from fairstats.reporting.figures.flow import flow
from fairstats.reporting.figures.style import Drawing
from fairstats.reporting.sections.shared import attribute_name, by_size
from fairstats.reporting.tables import Heading, Table, table, text
from fairstats.reporting.worded import worded
from fairstats.studies.flow import ANALYZED, READ, FlowStep, read_and_analyzed
from fairstats.text import capital, level

WITH_GROUPS = (ALL_GROUPS, HIGHEST_WITHHELD)  # reasons of rows that are withheld because groups are


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
        proof = say(
            "A date is no proof that the rules were fixed before the data were seen; that is what the auditor attests "
            "at the end of this report."
        )
        values = {"file": rules.source, "digest": rules.sha256, "moment": rules.changed[:16].replace("T", " ")}
        if rules.changed:
            read = say("Read from {file} (SHA-256 {digest}, last changed {moment} UTC).", **values)
        else:
            read = say("Read from {file} (SHA-256 {digest}).", **values)
        return f"{read} {proof}"
    return say(
        "These rules were entered when the audit was run: nothing shows that they were fixed before the data were "
        "seen. Of a protocol in a file the hash and the time of its last change would stand here."
    )


def _recorded(audit: Audit, attribute: str) -> tuple[str, str]:
    names = {
        old.group: old.group if old.group == new.group else f"{old.group} ({new.group})"
        for old, new in zip(audit.cells, worded(audit).cells, strict=True)
        if old.attribute == attribute
    }
    levels = by_size(audit, attribute)
    reference = names.get(audit.references.get(attribute, ""), "")
    values = {"n": len(levels), "groups": words.listed(levels, 8), "reference": reference}
    if reference:
        return attribute_name(attribute), say("{n} levels as recorded: {groups}; compared with {reference}", **values)
    return attribute_name(attribute), say("{n} levels as recorded: {groups}", **values)


def _rules(audit: Audit) -> list[tuple[str, str]]:
    p = audit.protocol
    decided = bool(p.decision) or p.threshold is not None
    table = again(audit.data.name) or say("the table")
    people = p.words.people(say("people"))
    if p.weights and p.weight_type == "frequency":
        unit = say(
            "each row of {table} stands for as many {people} as {weights} says",
            table=table,
            people=people,
            weights=p.weights,
        )
    elif p.words.population:
        unit = say("each row counted in {table} is one of the {people}", table=table, people=people)
    else:
        unit = say("each row counted in {table} is one person; no other population is implied", table=table)
    return [
        (say("Population and unit"), unit),
        (say("Outcome"), p.outcome and say("{outcome}; positive is {label}", outcome=p.outcome, label=p.positive)),
        (say("Decision"), _decision(p) if decided else ""),
        (say("Favorable to the person"), decision_text(p, p.favorable) if decided else ""),
        (say("Predicts the positive outcome"), decision_text(p, p.predicts) if p.predicts else ""),
        (say("Score"), p.score),
        (say("Reference rule"), _reference(audit)),
        (say("Confidence level"), say("{level}, two-sided", level=level(p.conf_level))),
        (say("Multiplicity"), _multiplicity(audit)),
        (say("Family of tests"), family_text(audit)),
        (say("Equivalence margin"), p.equivalence.words),
        (say("Missing groups"), say(MISSING[p.missing].words)),
        (say("Smallest group reported"), _smallest(p)),
        (say("Strata"), p.strata),
        (say("Weights"), _weights(p) if p.weights else ""),
        (say("Clusters"), p.clusters),
    ]


def _multiplicity(audit: Audit) -> str:
    """How the comparisons are adjusted."""
    used = adjustment(audit.protocol.adjust, audit.protocol.reference)
    return f"{say(used.words)} ({say(used.meaning)})"


def _reference(audit: Audit) -> str:
    reference = audit.protocol.reference
    rule = reference_rule(reference)
    if rule is NAMED:
        return f"{reference}, {say(rule.words)}"
    if reference == HIGHEST_RATE and any(r.status == "suppressed" for r in audit.estimates):
        return say("{rule}, of the groups that are shown", rule=say(rule.words))
    return say(rule.words)


def _weights(p: Rules) -> str:
    kind = {"frequency": mark("frequency"), "probability": mark("probability")}[p.weight_type]
    return f"{p.weights} ({say(kind)}: {say(WEIGHT_TYPES[p.weight_type].words)})"


def _smallest(p: Rules) -> str:
    if p.min_n <= 1:
        return ""
    return say(
        "{n} people; further groups are withheld so that no smaller count can be computed from the others", n=p.min_n
    )


def _decision(p: Rules) -> str:
    if p.threshold is None:
        return p.decision
    return say("{score}, cut at {threshold}", score=p.score, threshold=words.setting(p.threshold))


def data(bundle: Bundle) -> dict[str, Any] | None:
    """The context of ``sections/data.html.j2``."""
    if bundle.audit is None:
        return None
    audit = bundle.audit
    lost = [r for r in audit.estimates if r.status in ("suppressed", "excluded") and r.reason not in WITH_GROUPS]
    return {
        "summary": _summary(audit),
        "lost": flow_of(audit),
        "flow": _flow(audit),
        "counts": [_counts(audit, a) for a in audit.references if ":" not in a],
        "excluded": _excluded([(r.attribute, r.group, words.status(r)) for r in lost]),
    }


def _flow(audit: Audit) -> Table:
    """A line a step; steps at which no row is lost share one sentence."""
    counts = [step.label for step in audit.flow if step.label in (*READ, *ANALYZED, COMPLETE)]
    idle = [step.label for step in audit.flow if step.label not in counts and step.n == 0]
    people = READ[1] in counts
    return table(
        say("From people read to people analyzed") if people else say("From rows read to rows analyzed"),
        [text(say("step")), Heading(say("number") if people else say("rows")), text(say("reason"))],
        [(again(s.label), words.count(s.n), again(s.reason)) for s in audit.flow if s.label not in idle],
        say("None: {steps}.", steps=words.listed([again(label) for label in idle])) if idle else "",
    )


def flow_of(audit: Audit) -> Drawing | None:
    """Return the flow of the rows as a figure, where something is lost on the way."""
    totals, missing = steps_of(audit)
    if not missing or len(totals) < 2:
        return None
    return flow("flow", totals, missing, caption=f"{capital(_summary(audit))}.")


def steps_of(audit: Audit) -> tuple[list[FlowStep], list[FlowStep]]:
    """The rows (or the people that they stand for) that were kept at each step, and those that were lost."""
    if not audit.flow:
        return [], []
    totals = [*read_and_analyzed(audit.flow), *(step for step in audit.flow if step.label == COMPLETE)]
    totals = [step for step in totals if not math.isnan(step.n)]  # others are suppressed
    known = (*READ, *ANALYZED, COMPLETE)
    return totals, [step for step in audit.flow if step.label not in known and step.n > 0]


def _summary(audit: Audit) -> str:
    if not audit.flow:
        return say("{n} rows", n=words.count(audit.data.rows))
    first, last = read_and_analyzed(audit.flow)
    if math.isnan(last.n):  # how many were left out is suppressed
        return say("{n} rows", n=words.count(first.n))
    both = next((step.n for step in audit.flow if step.label == COMPLETE), last.n)
    read, kept, complete = (words.count(n) for n in (first.n, last.n, both))
    rows = words.count(audit.data.rows)
    if first.label == READ[1]:
        said = (
            say("all {n} people in {rows} rows were analyzed", n=read, rows=rows)
            if read == kept
            else say("{kept} of {n} people in {rows} rows were analyzed", kept=kept, n=read, rows=rows)
        )
    elif read == kept:
        said = say("all {n} rows read were analyzed", n=read)
    else:
        said = say("{kept} of {n} rows read were analyzed", kept=kept, n=read)
    if complete == kept:
        return said
    return say("{rows}; {complete} of them have both outcome and decision", rows=said, complete=complete)


_COUNTS = (
    ("positives", mark("outcome positive")),
    ("negatives", mark("outcome negative")),
    ("favorable", mark("decision favorable")),
    ("unfavorable", mark("decision unfavorable")),
)


def _everybody(audit: Audit, attribute: str) -> float:
    """Everybody of an attribute, people of withheld groups included; 0 where their number is not known."""
    sizes = [c.n for c in audit.cells if c.attribute == attribute]
    if all(n == n for n in sizes):
        return sum(sizes)
    weighted = bool(audit.protocol.weights) and audit.protocol.weight_type == "probability"
    return 0.0 if weighted or not audit.flow else read_and_analyzed(audit.flow)[1].n


def _counts(audit: Audit, attribute: str) -> Table:
    cells = sorted((c for c in audit.cells if c.attribute == attribute), key=lambda c: -c.n if c.n == c.n else 1)
    known = [(name, label) for name, label in _COUNTS if any(getattr(c, name) == getattr(c, name) for c in cells)]
    total = _everybody(audit, attribute)

    def row(cell: Cell) -> tuple[str, ...]:
        counts = (words.count(getattr(cell, name)) for name, _ in known)
        share = words.percent(cell.n / total) if total else words.DASH
        return (cell.group, words.count(cell.n), share, *counts)

    headings = [text(attribute_name(attribute)), Heading("n"), Heading(say("share"), "%")]
    headings += [Heading(say(w)) for _, w in known]
    caption = say("People by {attribute}, largest group first", attribute=attribute_name(attribute))
    return table(caption, headings, map(row, cells))


def _excluded(rows: list[tuple[str, str, str]]) -> Table | None:
    if not rows:
        return None
    groups: dict[tuple[str, str], list[str]] = {}
    for attribute, group, why in dict.fromkeys(rows):
        groups.setdefault((attribute, why), []).append(group)
    shown = [(attribute_name(attribute), ", ".join(own), why) for (attribute, why), own in groups.items()]
    headings = [text(say("attribute")), text(say("groups")), text(say("reason"))]
    return table(say("Groups that are withheld or not compared"), headings, shown)
