"""Every estimate of an audit, attribute by attribute: which sections there are and in which order."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from fairstats.auditing.coding import CodedTally
from fairstats.auditing.counts import Cell, Table, cells, tabulate
from fairstats.auditing.effective_counts import Evidence, evidence, scoring
from fairstats.auditing.protocol import Protocol, references_by_attribute
from fairstats.auditing.rows.adverse_impact import METRICS as SELECTIONS
from fairstats.auditing.rows.adverse_impact import impact_rows
from fairstats.auditing.rows.all_groups import equalized_odds, rates_at_once, scores_at_once
from fairstats.auditing.rows.calibration import calibration_curves, calibration_rows, probabilities
from fairstats.auditing.rows.rates import choose_reference, contrast_rows, rate_rows
from fairstats.auditing.rows.score_curves import score_curves
from fairstats.auditing.rows.score_samples import samples, score_pairs
from fairstats.auditing.rows.score_tests import rank_test_rows
from fairstats.auditing.rows.scores import score_rows
from fairstats.auditing.rows.sensitivity import HEADLINES, sensitivity_rows, threshold_sweep
from fairstats.auditing.rows.strata import strata_rows
from fairstats.auditing.suppression.withholding import View, block, published, suppressed, told_flow, views
from fairstats.choices import REFERENCES
from fairstats.errors import InputError, listing, nearest
from fairstats.estimates import Estimates
from fairstats.studies.attribute import Levels
from fairstats.studies.curve import Curve
from fairstats.studies.flow import FlowStep


@dataclass
class Findings:
    """The rows, curves, notes and counts that all sections of an audit have added so far."""

    estimates: Estimates = field(default_factory=Estimates)
    references: dict[str, str] = field(default_factory=dict)
    cells: list[Cell] = field(default_factory=list)
    curves: list[Curve] = field(default_factory=list)
    flow: tuple[FlowStep, ...] = ()


def estimate(tally: CodedTally, protocol: Protocol) -> Findings:
    """Estimate everything that the columns at hand allow.

    Parameters
    ----------
    tally : CodedTally
        People by cell.
    protocol : Resolved
        What was declared, as the data spell it.

    Returns
    -------
    Findings

    Raises
    ------
    InputError
        If the reference does not exist.

    Examples
    --------
    >>> import numpy as np
    >>> sex = Levels("sex", np.array([0, 0, 1], dtype=np.int32), ("m", "f"))
    >>> tally = CodedTally((sex,), np.ones(3), decision=np.array([1, 0, 1], dtype=np.int8))
    >>> estimate(tally, Protocol(("sex",), decision="hired")).references
    {'sex': 'm'}
    """
    shown = views(tally, protocol)
    counted = [_count(view, protocol) for view in shown]
    rules = _rules(protocol, [table for table, _ in counted])
    found = Findings(flow=told_flow(tally.flow, shown))
    for view, (table, parts) in zip(shown, counted, strict=True):
        rule = rules[table.attribute]
        reference = choose_reference(rule, table, parts, protocol.min_n)
        own = replace(protocol, reference=rule)  # the rule of this attribute says what its families are
        found.references[table.attribute] = reference
        found.cells += published(cells(table), cells(tabulate(view.joined, view.levels, view.joined.weight)), view)
        rows = _rates(parts, table, reference, own)
        if tally.strata is not None:
            for metric in (part.metric for part in parts if _headline(part, table, protocol)):
                rows += strata_rows(view.shown, view.levels, metric, reference, own)
        if tally.score is not None:
            rows += _add_scores(found, view.joined, view.levels, reference, own)
        found.estimates += suppressed(rows, view, protocol)
    return found


def _count(view: View, protocol: Protocol) -> tuple[Table, tuple[Evidence, ...]]:
    """The rates of one attribute; scores without decisions add the share above the median."""
    table, parts = evidence(view.shown, view.levels, protocol)
    if view.joined is not view.shown:
        joined = evidence(view.joined, view.levels, protocol)[1]
        parts = tuple(b if block(b.metric, protocol) == "joint" else a for a, b in zip(parts, joined, strict=True))
    if view.shown.score is None or view.shown.decision is not None:
        return table, parts
    return table, (*parts, scoring(view.shown, view.levels, protocol)[1])


def _rates(parts: tuple[Evidence, ...], table: Table, reference: str, protocol: Protocol) -> Estimates:
    rows, extra = Estimates(), Estimates()
    name, labels = table.attribute, table.labels
    for part in parts:
        judged = part.metric != "base rate" or not (table.has_decision or protocol.score)
        contrasts = contrast_rows(part, name, labels, reference, protocol, judged)
        rows += rate_rows(part, name, labels, protocol) + contrasts
        extra += rates_at_once(part, name, labels, protocol)
        if part.metric in SELECTIONS:
            extra += impact_rows(part, name, labels, protocol)
        if _headline(part, table, protocol):
            extra += sensitivity_rows(part, table, contrasts, reference, protocol)
    return rows + extra + equalized_odds(parts, name, labels, protocol)


def _headline(part: Evidence, table: Table, protocol: Protocol) -> bool:
    """The rate that the audit is about: of decisions, or of outcomes where there is nothing else."""
    alone = not table.has_decision and not protocol.score
    return part.metric in HEADLINES and (part.metric == "selection rate" or alone)


def _add_scores(found: Findings, tally: CodedTally, levels: Levels, reference: str, protocol: Protocol) -> Estimates:
    """The rows of the scores; the curves go to `found`."""
    groups, name = samples(tally, levels, protocol.weight_type), levels.name
    pairs = score_pairs(name, groups, reference, protocol)
    rows = score_rows(pairs, groups, protocol) + scores_at_once(name, groups, protocol)
    calibrated = tally.outcome is not None and probabilities(groups)
    if calibrated:
        rows += calibration_rows(name, groups, reference, protocol)
    if ":" in name:  # figures and second looks are of single attributes
        return rows
    rows += rank_test_rows(pairs, groups, protocol)
    found.curves += score_curves(name, groups, protocol)
    if calibrated:
        found.curves += calibration_curves(name, groups, protocol)
    if protocol.threshold is not None:
        rows += threshold_sweep(name, groups, reference, int(protocol.favorable), protocol)
    return rows


def _rules(protocol: Protocol, tables: list[Table]) -> dict[str, str]:
    """The rule or level of each attribute; a level given for all holds where it exists, the largest group elsewhere."""
    rules = references_by_attribute(protocol.reference, [t.attribute for t in tables])
    level = protocol.reference
    if level in REFERENCES or any(rule != level for rule in rules.values()):
        return rules
    holding = [t.attribute for t in tables if level in t.labels]
    if not holding:
        known = list(dict.fromkeys(label for t in tables for label in t.labels))
        raise InputError(
            f"reference has {level!r}; no attribute has such a group{nearest(level, known)}; the groups are "
            f"{listing(known, 12)}; pass one of them, 'largest_group' or 'highest_rate'."
        )
    return {name: level if name in holding else "largest_group" for name in rules}
