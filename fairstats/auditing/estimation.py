"""From a coded tally to every row of an audit: withhold, weigh, refer, estimate, decide, mark, each stage once."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

from fairstats.auditing.coding import CodedTally
from fairstats.auditing.counts import Cell
from fairstats.auditing.effective_counts import Evidence, Weighed, cut_at_median, weigh
from fairstats.auditing.protocol import Protocol
from fairstats.auditing.references import refer
from fairstats.auditing.rows.adverse_impact import METRICS as SELECTIONS
from fairstats.auditing.rows.adverse_impact import impact_rows
from fairstats.auditing.rows.all_groups import equalized_odds, rates_at_once, scores_at_once
from fairstats.auditing.rows.calibration import calibration_curves, calibration_rows, probabilities
from fairstats.auditing.rows.focus import focus_rows
from fairstats.auditing.rows.rates import contrasts, rate_rows
from fairstats.auditing.rows.score_curves import score_curves
from fairstats.auditing.rows.score_designs import score_groups
from fairstats.auditing.rows.score_pictures import score_pictures
from fairstats.auditing.rows.score_strata import score_strata_rows
from fairstats.auditing.rows.score_tests import rank_test_rows
from fairstats.auditing.rows.scores import score_rows
from fairstats.auditing.rows.sensitivity import HEADLINES, sensitivity_rows, threshold_sweep
from fairstats.auditing.rows.strata import strata_rows
from fairstats.auditing.rows.withheld import tempered, withheld_rows
from fairstats.auditing.suppression.marking import marked_flow, published, suppressed
from fairstats.auditing.suppression.withholding import views
from fairstats.auditing.unadjusted import unadjusted
from fairstats.estimates import Estimates
from fairstats.inference.decisions import After, Rows, decide_all
from fairstats.progress import steps
from fairstats.studies.curve import Curve
from fairstats.studies.flow import FlowStep


@dataclass(frozen=True)
class Findings:
    """Every row, curve and count of an audit, and the reference of each attribute."""

    estimates: Estimates
    references: dict[str, str]
    cells: tuple[Cell, ...]
    curves: tuple[Curve, ...]
    flow: tuple[FlowStep, ...]


@dataclass(frozen=True)
class Section:
    """The undecided rows and the curves of one attribute."""

    rows: list[Rows]
    curves: tuple[Curve, ...] = ()


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
    >>> from fairstats.studies.attribute import Attribute
    >>> sex = Attribute("sex", np.array([0, 0, 1], dtype=np.int32), ("m", "f"))
    >>> tally = CodedTally((sex,), np.ones(3), decision=np.array([1, 0, 1], dtype=np.int8))
    >>> estimate(tally, Protocol(("sex",), decision="hired")).references
    {'sex': 'm'}
    """
    shown = views(tally, protocol)
    weighed = [weigh(view.shown, view.joined, view.levels, protocol) for view in shown]
    references = refer(protocol, [(own.table, own.rates) for own in weighed])
    absent = {view.levels.name: view.absent.get("people", 0.0) for view in shown}
    sections = [
        _section(own, *references[own.table.attribute], protocol, absent[own.table.attribute])
        for own in steps("estimates", weighed)
    ]
    decided = decide_all([section.rows for section in sections])
    decided = [unadjusted(rows, protocol) for rows in decided]
    estimates = [r for rows, view in zip(decided, shown, strict=True) for r in suppressed(rows, view, protocol)]
    if tally.withheld is not None:
        bounds = list(withheld_rows(estimates, tally))
        estimates = [*tempered(estimates, bounds, tally, protocol), *bounds]
    return Findings(
        Estimates(estimates),
        {attribute: level for attribute, (_, level) in references.items()},
        tuple(cell for own, view in zip(weighed, shown, strict=True) for cell in published(own, view)),
        tuple(curve for section in sections for curve in section.curves),
        marked_flow(tally, shown, protocol),
    )


def _section(own: Weighed, rule: str, reference: str, protocol: Protocol, absent: float) -> Section:
    protocol = replace(protocol, reference=rule)  # the rule of this attribute says what its families are
    rows = _rates(own, reference, protocol, absent)
    rows += focus_rows(own.rates, own.table.attribute, own.table.labels, reference, protocol)
    if own.people.strata is not None:
        for rate in own.rates:
            if rate.metric == "scoring rate":
                rows += strata_rows(cut_at_median(own.people), own.levels, "selection rate", reference, protocol)
            elif _headline(rate, own, protocol):
                rows += strata_rows(own.people, own.levels, rate.metric, reference, protocol)
    if own.joined.score is None:
        return Section(rows)
    scores = _scores(own, reference, protocol)
    return Section(rows + scores.rows, scores.curves)


def _rates(own: Weighed, reference: str, protocol: Protocol, absent: float) -> list[Rows]:
    rows: list[Rows] = []
    extra: list[Rows] = []
    table = own.table
    name, labels = table.attribute, table.labels
    for rate in own.rates:
        judged = rate.metric != "base rate" or not (table.has_decision or protocol.score)
        compared = contrasts(rate, name, labels, reference, protocol, judged)
        rows += [rate_rows(rate, name, labels, protocol), compared]
        extra.append(rates_at_once(rate, name, labels, protocol))
        if rate.metric in SELECTIONS:
            extra.append(impact_rows(rate, name, labels, protocol, absent))
        if _headline(rate, own, protocol):
            extra.append(
                After(compared, partial(sensitivity_rows, rate, table, reference=reference, protocol=protocol))
            )
    return [*rows, *extra, equalized_odds(own.rates, name, labels, protocol)]


def _headline(rate: Evidence, own: Weighed, protocol: Protocol) -> bool:
    """The rate that the audit is about: of decisions, or of outcomes where there is nothing else."""
    alone = not own.table.has_decision and not protocol.score
    return rate.metric in HEADLINES and (rate.metric == "selection rate" or alone)


def _scores(own: Weighed, reference: str, protocol: Protocol) -> Section:
    """The rows of the scores, and their curves."""
    name = own.levels.name
    groups, pairs = score_groups(own.joined, own.levels, reference, protocol)
    rows: list[Rows] = [*score_rows(pairs, groups, protocol), scores_at_once(name, groups, protocol)]
    if own.joined.strata is not None:
        rows += score_strata_rows(own.joined, own.levels, reference, protocol)
    calibrated = own.joined.outcome is not None and probabilities(groups)
    if calibrated:
        rows += calibration_rows(name, groups, reference, protocol)
    if ":" in name:  # figures and second looks are of single attributes
        return Section(rows)
    rows.append(rank_test_rows(pairs, groups, protocol))
    curves = (*score_curves(name, groups, protocol), *score_pictures(name, groups, protocol))
    if calibrated:
        curves += calibration_curves(name, groups, protocol)
    if protocol.threshold is not None:
        rows.append(threshold_sweep(name, groups, reference, int(protocol.favorable), protocol))
    return Section(rows, curves)
