"""``audit()``: a table of people and a declared protocol in, every estimate with its interval and status out."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import numpy as np

from fairstats.auditing.arguments import AuditArguments
from fairstats.auditing.classes import AT_ONCE, IN_ORDER, class_rows, codings
from fairstats.auditing.counts import IMPACT_METRICS as SELECTIONS
from fairstats.auditing.counts import Cell, Evidence, Weighed, counts_left_out, cut_at_median, refer, weigh
from fairstats.auditing.curves import calibration_curves, calibration_rows, probabilities, score_curves, score_pictures
from fairstats.auditing.designs import SurveyDesign
from fairstats.auditing.input import durations_as_numbers, numbers_of, refuse_one_score
from fairstats.auditing.people import known_groups, people, with_roles
from fairstats.auditing.protocol import Protocol, Resolved, declare
from fairstats.auditing.rates import (
    FEWEST_GROUPS,
    as_focus,
    contrasts,
    equalized_odds,
    focus_apart,
    headline_rows,
    impact_rows,
    impact_rows_by_stratum,
    rate_rows,
    rates_at_once,
    ratio_rows_within,
    scores_at_once,
    shrunken_rows,
)
from fairstats.auditing.result import Audit, bounded_rows, cautions, repeated_rows
from fairstats.auditing.sampled import of_domain, with_design
from fairstats.auditing.scores import effect_rows, rank_test_rows, score_groups, score_rows, score_strata_rows
from fairstats.auditing.sensitivity import (
    HEADLINES,
    at_worst,
    sensitivity_rows,
    strata_rows,
    tempered,
    threshold_sweep,
    unsent_rows,
    withheld_rows,
)
from fairstats.auditing.sentences import with_tentative
from fairstats.auditing.suppression import (
    View,
    few_dropped,
    marked_flow,
    published,
    suppressed,
    views,
    without_counts_of_few,
)
from fairstats.auditing.tally import CodedTally, Tally, code
from fairstats.data.read import perhaps_thousands
from fairstats.data.tables import People, named_columns
from fairstats.errors import InputError, Setting, in_code, steps
from fairstats.estimates import NAN, Estimate, Estimates
from fairstats.inference.verdicts import After, Rows, decide_all
from fairstats.labels import MISSING_LEVEL, column_parts, join
from fairstats.language import Message, joined, message
from fairstats.metrics import METRICS
from fairstats.provenance import Curve, FlowStep, call_text, provenance
from fairstats.validation import Adjust, FamilyOf, Law, Missing, WeightType, answering

if TYPE_CHECKING:
    from fairstats.auditing.adjusted import Alike

# Tables in the order of the levels of ordered columns; numbers are made in that of size, and do not depend on it.


Item = TypeVar("Item")


def in_level_order(audit: Audit, tally: Tally) -> Audit:
    """The audit with its groups in the order of their levels, where every column behind them has one.

    The order becomes part of the protocol, so that the audit of the same people in a file of text has it, too.

    Examples
    --------
    >>> import pandas as pd, fairstats as fs
    >>> band = pd.Categorical(["low", "high", "high", "low", "high"] * 9, ["low", "high"], ordered=True)
    >>> result = fs.audit({"band": band, "d": [0, 1, 1, 1, 0] * 9}, "d", "band")
    >>> [cell.group for cell in result.cells], result.references
    (['low', 'high'], {'band': 'high'})
    """
    order = audit.protocol.order or _declared(audit, tally)
    places = {name: {group: i for i, group in enumerate(groups)} for name, *groups in order}
    if not places:
        return audit

    def place(item: Any) -> int:
        return places.get(item.attribute, {}).get(item.group, len(places.get(item.attribute, ())))

    def sorted_runs(items: Iterable[Item], kind: Any) -> list[Item]:
        return [one for _, run in itertools.groupby(items, kind) for one in sorted(run, key=place)]

    return replace(
        audit,
        protocol=replace(audit.protocol, order=order),
        cells=tuple(sorted_runs(audit.cells, lambda cell: cell.attribute)),
        estimates=Estimates(sorted_runs(audit.estimates, _kind)),
        curves=tuple(sorted_runs(audit.curves, lambda curve: (curve.attribute, curve.kind))),
    )


def _kind(row: Estimate) -> tuple[object, ...]:
    """Rows of one kind that follow each other are those of the groups of one attribute."""
    return row.attribute, row.metric, row.role, row.given, row.contrast == "none", bool(row.group)


def _declared(audit: Audit, tally: Tally) -> tuple[tuple[str, ...], ...]:
    items = []
    for attribute in audit.references:
        parts = [tally.factors[name] for name in column_parts(attribute, tuple(tally.factors))]
        if all(part.ordered or all(part.numbers) for part in parts):
            shown = {cell.group for cell in audit.cells if cell.attribute == attribute}
            items.append((attribute, *(label for label in _crossing([p.levels for p in parts]) if label in shown)))
    return tuple(items)


def _crossing(levels: Sequence[tuple[str, ...]]) -> Iterable[str]:
    """The labels of an attribute, or of an intersection, in the order of their parts; people without one come last."""
    items = [(*current, MISSING_LEVEL) for current in levels]
    return items[0] if len(items) == 1 else map(join, itertools.product(*items))


# Where strata were declared, the comparisons that hold none fixed say so.


# shares of scores above the median, which are compared within strata as decisions are
SCORING = ("scoring rate", "scoring impact ratio", "scoring shortfall")
UNADJUSTED = message("not adjusted for the strata")
OF_AMOUNTS = message("not adjusted for the covariates")


def unadjusted(rows: Estimates, protocol: Protocol) -> Estimates:
    """Comparisons of scores, errors and amounts, where strata were declared: their reason says that they hold none.

    Rates of decisions and outcomes stand beside the same comparison within strata; these do not. So says a verdict of
    theirs in tidy rows, which pages leave out. Of amounts the same where covariates were declared.

    Examples
    --------
    >>> row = Estimate("AUC", "sex", "f", "difference", "m", estimate=0.1)
    >>> unadjusted(Estimates([row]), Protocol(("sex",), strata="dept"))[0].reason
    'not adjusted for the strata'
    """
    if protocol.strata:
        return rows.map(partial(_unadjusted, why=UNADJUSTED))
    return rows.map(partial(_unadjusted, why=OF_AMOUNTS)) if protocol.alike else rows


def _unadjusted(row: Estimate, why: Message) -> Estimate:
    columns = METRICS[row.metric].columns if row.metric in METRICS else ()
    several = "score" in columns or len(columns) > 1 or row.metric in (AT_ONCE, IN_ORDER)
    beside = "amount" not in columns and (why is OF_AMOUNTS or row.metric in SCORING or not several)
    beside = beside and not (row.verdict and why is UNADJUSTED)
    if beside or row.given or row.status != "ok" or not (row.reference or row.p_value == row.p_value):
        return row
    return replace(row, reason=joined([row.reason, why]))


# From a coded tally to every row of an audit: withhold, weigh, refer, estimate, decide, mark, each stage once.


@dataclass(frozen=True)
class Findings:
    """Every row, curve and count of an audit, and the reference of each attribute."""

    estimates: Estimates
    references: dict[str, str]
    cells: tuple[Cell, ...]
    curves: tuple[Curve, ...]
    flow: tuple[FlowStep, ...]


_FIXED_WORK = 50  # an attribute costs what as many of its groups cost


@dataclass(frozen=True)
class Section:
    """The undecided rows and the curves of one attribute."""

    rows: list[Rows]
    curves: tuple[Curve, ...] = ()


def estimate(tally: CodedTally, protocol: Protocol, alike: Alike | None = None) -> Findings:
    """Estimate everything that the columns at hand allow.

    tally: people by cell.
    protocol: what was declared, as the data spell it.
    alike: their covariates, where gaps of amounts are adjusted.
    """
    classes = isinstance(protocol, Resolved) and bool(protocol.classes)
    if classes and tally.decision is None:  # classes of outcomes are compared as those of decisions are
        tally, protocol = (
            replace(tally, decision=tally.outcome, outcome=None),
            replace(protocol, decision=protocol.outcome, outcome=""),
        )
    shown = views(tally, protocol, codings(tally, protocol) if classes and protocol.min_n > 1 else ())
    probable = tally.outcome is not None and tally.score is not None and probabilities(tally.score)
    weighed = [replace(weigh(view.shown, view.joined, view.levels, protocol), calibrated=probable) for view in shown]
    references = refer(protocol, [(current.table, current.rates) for current in weighed])
    if classes and protocol.headline:
        _refuse_headline(protocol, references)
    work = [_FIXED_WORK + len(current.levels.labels) for current in weighed]
    sections = [
        _section(current, view, *references[current.table.attribute], protocol, alike)
        for current, view in steps("estimates", list(zip(weighed, shown, strict=True)), work=work)
    ]
    families, crossed = [section.rows for section in sections], [bool(current.levels.columns) for current in weighed]
    sent = decided = decide_all(families, crossed)
    if tally.withheld is not None:
        decided = decide_all(at_worst(families, tally, protocol), crossed)
    decided = [unadjusted(rows, protocol) for rows in decided]
    decided = [without_counts_of_few(rows, view, protocol) for rows, view in zip(decided, shown, strict=True)]
    few = few_dropped(tally, protocol)
    estimates = [r for rows, view in zip(decided, shown, strict=True) for r in suppressed(rows, view, protocol, few)]
    if protocol.shrunken and classes:
        raise InputError(
            "shrunken",
            f"has {in_code(protocol.shrunken)}; rates of two values are drawn toward their mean, and there are several "
            f"classes; name the class that helps ({Setting('favorable')}), or drop shrunken.",
        )
    if protocol.shrunken and not any(row.role == "shrunken" for row in estimates):
        raise InputError(
            "shrunken",
            f"has {in_code(protocol.shrunken)}; rates are drawn toward the mean of {FEWEST_GROUPS} groups or more, and "
            "no attribute has a rate of so many; name more columns, whose intersections count, or drop shrunken.",
        )
    if tally.withheld is not None:
        bounds = list(withheld_rows(estimates, tally))
        every = tempered(estimates, itertools.chain.from_iterable(sent), bounds, tally, protocol)
        estimates = [*unsent_rows(every, tally.withheld), *bounds]
    return Findings(
        Estimates(estimates),
        {attribute: level for attribute, (_, level) in references.items()},
        tuple(
            Cell(cell.attribute, cell.group, cell.n, *[NAN] * 8) if classes else cell
            for current, view in zip(weighed, shown, strict=True)
            for cell in published(current, view)
        ),
        tuple(curve for section in sections for curve in section.curves),
        marked_flow(tally, shown, protocol),
    )


def _refuse_headline(protocol: Protocol, references: Mapping[str, tuple[str, str]]) -> None:
    """The declared comparison of several classes is one with the reference, so that it is in their family."""
    attribute, group, other = protocol.headline
    reference = references[attribute][1]
    if reference not in (group, other):
        raise InputError(
            "headline",
            f"has {group!r} and {other!r}; of several classes it is a comparison with the reference, which is "
            f"{reference!r}; pass {Setting('reference', {attribute: other})} as well.",
        )


def _section(
    current: Weighed, view: View, rule: str, reference: str, protocol: Protocol, alike: Alike | None
) -> Section:
    protocol = replace(protocol, reference=rule)  # the rule of this attribute says what its families are
    if isinstance(protocol, Resolved) and protocol.classes:
        return Section(class_rows(current, reference, protocol))
    rows = _rates(current, reference, protocol, view.absent.get("people", 0.0))
    rows += headline_rows(current.rates, current.table.attribute, current.table.labels, reference, protocol)
    rows += _within_strata(current, reference, protocol, absent=view.absent.get("people", 0.0))
    sections = [SECTIONS[role](current, reference, protocol) for role in current.joined.numbers]
    curves = tuple(curve for section in sections for curve in section.curves)
    rows += [row for section in sections for row in section.rows]
    if alike is not None:
        from fairstats.auditing.adjusted import adjusted_rows

        rows += adjusted_rows(alike, view, reference, protocol)
    return Section(rows, curves)


def _within_strata(
    current: Weighed, reference: str, protocol: Protocol, groups: Sequence[str] | None = None, absent: float = 0.0
) -> list[Rows]:
    """Decisions and outcomes within strata: of all groups with the reference, and of the pair that is declared."""
    rows: list[Rows] = []
    if current.people.strata is None:
        return rows
    for rate in current.rates:
        if rate.metric == "scoring rate":
            people = cut_at_median(current.people)
            rows += strata_rows(people, current.levels, "selection rate", reference, protocol, groups)
        elif _headline(rate, current, protocol):
            compared = strata_rows(current.people, current.levels, rate.metric, reference, protocol, groups)
            rows += compared
            if protocol.four_fifths and rate.metric == "selection rate" and groups is None:
                rows += ratio_rows_within(compared[0], current.people, current.levels, rate, protocol, absent)
                rows += impact_rows_by_stratum(current.people, current.levels, protocol)
    pair = focus_apart(protocol, current.table.attribute, reference) if groups is None else ()
    return [*rows, *as_focus(_within_strata(current, pair[1], protocol, pair[:1]))] if pair else rows


def _rates(current: Weighed, reference: str, protocol: Protocol, absent: float) -> list[Rows]:
    rows: list[Rows] = []
    extra: list[Rows] = []
    table = current.table
    name, labels = table.attribute, table.labels
    for rate, at_once in zip(current.rates, rates_at_once(current.rates, name, labels, protocol), strict=True):
        checked = rate.metric != "base rate" or not (table.has_decision or protocol.score)
        compared = contrasts(rate, name, labels, reference, protocol, checked)
        rows += [rate_rows(rate, name, labels, protocol), compared]
        extra.append(at_once)
        if protocol.shrunken:
            extra.append(shrunken_rows(rate, name, labels, protocol))
        if rate.metric in SELECTIONS:
            extra.append(impact_rows(rate, name, labels, protocol, absent))
        if _headline(rate, current, protocol):
            lost = counts_left_out(current, protocol)
            rows_of = partial(sensitivity_rows, rate, table, reference=reference, protocol=protocol, left_out=lost)
            extra.append(After(compared, rows_of))
    return [*rows, *extra, equalized_odds(current.rates, name, labels, protocol)]


def _headline(rate: Evidence, current: Weighed, protocol: Protocol) -> bool:
    """The rate that the audit is about: of decisions, or of outcomes where there is nothing else."""
    alone = not current.table.has_decision and not protocol.score
    return rate.metric in HEADLINES and (rate.metric == "selection rate" or alone)


def _scores(current: Weighed, reference: str, protocol: Protocol) -> Section:
    """The rows of the scores, and their curves."""
    name = current.levels.name
    groups, pairs = score_groups(current.joined, current.levels, reference, protocol)
    rows: list[Rows] = [
        *score_rows(pairs, groups, protocol, current.known_only),
        scores_at_once(name, groups, protocol),
    ]
    if current.joined.strata is not None:
        rows += score_strata_rows(current.joined, current.levels, reference, protocol)
        if pair := focus_apart(protocol, name, reference):
            _, result = score_groups(current.joined, current.levels, pair[1], protocol)
            crude = effect_rows(tuple(one for one in result if one.group.label == pair[0]), protocol)
            rows += as_focus([crude, *score_strata_rows(current.joined, current.levels, pair[1], protocol, pair[:1])])
    if current.calibrated:
        rows += calibration_rows(name, groups, reference, protocol)
    if current.levels.columns:  # figures and second looks are of single attributes
        return Section(rows)
    rows.append(rank_test_rows(pairs, groups, protocol))
    curves = (*score_curves(name, groups, protocol), *score_pictures(name, groups, protocol))
    if current.calibrated:
        curves += calibration_curves(name, groups, protocol)
    if protocol.threshold is not None:
        rows.append(threshold_sweep(name, groups, reference, int(protocol.favorable), protocol))
    return Section(rows, curves)


def _amounts(current: Weighed, reference: str, protocol: Protocol) -> Section:
    from fairstats.auditing.amounts import amount_rows

    section = Section(amount_rows(current, reference, protocol))
    current.levels.__dict__.pop("rows", None)  # of many people they are large, and the next attribute has its own
    return section


# The rows of each measure of numbers: of one attribute's people beside its reference.
SECTIONS: dict[str, Callable[[Weighed, str, Protocol], Section]] = {"score": _scores, "amount": _amounts}


Column = str | Collection[Any] | None  # its name in the table, or the column itself
Columns = Column  # or several: a list of names or of columns, a table


@answering
def audit(
    data: People | Tally | None = None,
    decision: Column = AuditArguments.decision,
    groups: Columns = AuditArguments.groups,
    *,
    outcome: Column = AuditArguments.outcome,
    score: Column = AuditArguments.score,
    amount: Column = AuditArguments.amount,
    unit: str | None = AuditArguments.unit,
    quantiles: Sequence[float] = AuditArguments.quantiles,
    adjust_for: str | Sequence[str] | None = AuditArguments.adjust_for,
    threshold: float | None = AuditArguments.threshold,
    favorable: Any = AuditArguments.favorable,
    positive: Any = AuditArguments.positive,
    positive_prediction: Any = AuditArguments.positive_prediction,
    class_order: Sequence[Any] | None = AuditArguments.class_order,
    reference: Any = AuditArguments.reference,
    conf_level: float = AuditArguments.conf_level,
    p_adjust: Adjust = AuditArguments.p_adjust,
    family: FamilyOf = AuditArguments.family,
    margin: float | Mapping[str, float] | None = AuditArguments.margin,
    strata: Columns = AuditArguments.strata,
    weights: Column = AuditArguments.weights,
    weight_type: WeightType = AuditArguments.weight_type,
    clusters: Column = AuditArguments.clusters,
    design: SurveyDesign | Mapping[str, Any] | None = AuditArguments.design,
    min_n: int = AuditArguments.min_n,
    missing: Missing = AuditArguments.missing,
    intersections: Literal["pairs", "full"] | Sequence[str] | Literal[False] = AuditArguments.intersections,
    shrunken: bool = AuditArguments.shrunken,
    headline: Mapping[str, Sequence[Any]] | None = AuditArguments.headline,
    labels: Mapping[str, Any] | None = AuditArguments.labels,
    law: Law | None = AuditArguments.law,
    about: Mapping[str, Any] | None = AuditArguments.about,
    action_plan: bool = AuditArguments.action_plan,
    seed: int = AuditArguments.seed,
    protocol: str | Path | None = None,
) -> Audit:
    """Audit decisions, outcomes or scores by group.

    Outcome, decision or score may be absent; what can be estimated from the rest is. Rates that need the outcome use
    the people whose outcome is known, and likewise for the decision: each rate has its own denominator.

    In place of a column's name the column itself may be passed, as a list, array or series, beside `data` or without
    it: ``audit(decision=y_pred, outcome=y_true, groups=sex)``. Rows that carry an index are paired by it.

    Parameters
    ----------
    data : table, path, where the rows are, or Tally, optional
        One row a person: a pandas, polars or pyarrow table, a dictionary of columns; a CSV, Parquet or Arrow file, a
        folder or a pattern of them; a polars lazy frame, a DuckDB relation, an Ibis table or a Dask data frame, which
        do the counting; an Arrow data set or stream, an iterator of tables. Or people already counted
        (`fairstats.tally`), whose columns need not be named again: groups are those of the tally where none are named,
        and so are all other columns where none of them is.
    decision : str, optional
        Column of what was decided; `favorable` is the label that helps the person. Three labels or more are classes,
        each compared with the rest, unless `favorable` chooses one of them.
    groups : str or list of str
        Columns to audit. Several are audited one by one, and in pairs (see `intersections`); ``"sex:race"`` asks for
        an intersection alone.
    outcome : str, optional
        Column of what happened; `positive` is the label that counts as 1. Three labels or more are classes, which a
        decision predicts by their names.
    score : str, optional
        Column of a number; with `threshold` the decision is ``1`` where score >= threshold and ``0`` elsewhere.
    amount : str, optional
        Column of a number that is given, such as pay, a credit limit or days of waiting, or a score whose mean is
        asked for: compared by means (with the gap in per cent of the reference's; see `unit`), medians, other
        quantiles and places in everybody's amounts.
    unit : str, optional
        What amounts are counted in, such as ``"EUR/h"``. ``"points"`` says that they are points of a scale, such as a
        score, whose gaps are differences and not in per cent. So are, where neither a unit nor a margin is declared,
        those of amounts that all lie between 0 and 10, and those of the audited score. Durations (timedelta) are in
        ``"secs"``, ``"mins"``, ``"hours"``, ``"days"`` or ``"weeks"``; by default the largest up to days that none but
        0 is shorter than.
    quantiles : sequence of float
        Which quantiles of the amounts are compared beside the median, each in (0, 1).
    adjust_for : str or list of str, optional
        A formula of covariates, ``"~ grade + tenure + C(site)"``, or columns: the gap of amounts that there would be,
        had everybody the covariates of all (regressions of each group, standardized), beside the plain coefficient of
        the group. It needs a table of people.
    threshold : float, optional
        Where scores become decisions.
    favorable, positive : label
        See `decision` and `outcome`. 1, the default, also means True, and Yes where the labels are Yes and No.
    positive_prediction : label, optional
        The decision that says "positive" of the outcome. By default the decision with the outcome's own positive label
        (or ``1``, a score at or above the threshold; pass ``0`` where low scores predict the outcome). Where the two
        columns have different labels it must be given, because a wrong guess would exchange true and false positives.
    class_order : list of label, optional
        The classes in their order, that which helps the person most last; a column of ordered categories has one
        already. With an order P(X>Y) and cumulative shares are compared as well.
    reference : {"largest_group", "highest_rate"}, label or mapping
        Whom the others are compared with; a mapping names a group for each attribute. Against the highest rate (of
        favorable decisions) the intervals are simultaneous over all pairs of groups.
    conf_level : float
        Confidence level, above 0.2 and below 1.
    p_adjust : {"bonferroni", "holm", "bh", "none"}
        Adjustment of p-values and intervals. The family is the comparisons of one rate over all attributes of
        `groups`; those of intersections are a family of their own. Bonferroni gives test and interval one level.
        ``"holm"`` shows a little more where much is shown, and has p-values only; ``"bh"`` bounds the share of false
        claims, says *flagged* in place of *disparity shown*, and its intervals bound the share of flags whose interval
        misses. Against the highest rate it is Bonferroni over all pairs of groups, whatever is asked for. What R's
        ``p.adjust`` calls ``"BH"`` or ``"fdr"`` is ``"bh"``; its ``"hochberg"``, ``"hommel"`` and ``"BY"`` are refused,
        since every row has an interval that agrees with its adjusted p-value, and these have none here.
    family : {"rate", "audit"}
        Whose false claims are bounded together: those of each rate by itself, or those of the whole audit as one
        family.
    margin : float or mapping, optional
        Margin of practical equality, declared in advance: a number for differences of rates, in (0, 1), or a mapping of
        ``"difference"``, ``"ratio"`` (the smallest tolerable one, in (0, 1)), ``"auc"`` (for differences of AUCs, and
        for P(X>Y) from one half), ``"gap"`` (of amounts, as a share of the reference's, on both sides) and
        ``"leakage"``: ``{"difference": 0.05, "auc": 0.05}``. All rates have one margin: another of one rate is
        declared in an audit of its own. Without one no equivalence is shown.
    strata : str or list of str, optional
        Columns of legitimate factors to adjust for.
    weights : str, optional
        Column of weights, at least 0.
    weight_type : {"frequency", "probability"}
        Whether a weight counts people or is an inverse sampling probability. With the latter, and with clusters,
        intervals and tests rest on effective sizes and Student's t; there are no exact tests.
    clusters : str, optional
        Column of sampling clusters, whose members are dependent; a group needs at least four.
    design : SurveyDesign, optional
        How the people of a survey were drawn (`survey_design`), in place of weights and clusters: strata, finite
        populations and replicate weights. Groups are domains of the whole sample. It needs a row a person in memory;
        calibration of scores, their shift and the sweep of thresholds are not estimated under it.
    min_n : int
        Groups and denominators with fewer people are suppressed: listed, without any number. So are further groups
        where a suppressed count could be computed from the others, and what would be said of all groups at once.
    missing : {"level", "drop", "raise"}
        What happens to people without a group.
    intersections : {"pairs", "full"}, list of str or False
        Which intersections of several `groups` are audited beside them: those of every two columns, the product of
        all, those of a list such as ``["sex:race"]``, or none. `subgroup_scan` looks for deeper ones.
    shrunken : bool
        Beside the rates of an attribute of ten groups or more, intersections above all, those drawn toward the mean of
        all its groups (rows of role "shrunken"; Armstrong, Kolesar & Plagborg-Moller 2022): the fewer people a group
        has, the farther. Their limits hold for 95% of the groups on average, not for each of them; no verdict.
    headline : mapping, optional
        One comparison, as an attribute and two of its groups: ``{"race": ["Black", "White"]}``. It is the answer of
        that attribute, and the first. Without it every group is compared with the reference, and attributes with a
        difference come first.
    labels : mapping, optional
        What the report's sentences say: ``title``, ``unit`` (the people, a plural noun: "arrestees"), ``population``,
        ``favorable`` and ``unfavorable`` (verb phrases of the decision: "were released", "were held"), ``positive`` and
        ``negative`` (of the outcome), ``false_positives`` and ``false_negatives`` (plural nouns of the two errors),
        ``score``, ``amount`` (a verb phrase: "earn per hour"), ``attributes`` (column to name) and ``groups`` (column
        to label to name: "Black", which the unit follows, or plural nouns where all of the column are: "Women",
        "Migrants").
        Without them sentences speak of columns and labels. In a German report a verb that splits is in the perfect:
        "haben abgebrochen", not "brachen ab". Columns of the data that are not audited may have entries:
        several audits of one table share them.
    law : {"employment", "credit"}, optional
        Under whose law the decisions are. Only that of employment has the rule of four fifths (29 CFR 1607.4(D)):
        without it a report has ratios to the highest rate, and no line at 0.8.
    about : mapping, optional
        What the audited system is and who answers for the audit, in text: ``system``, ``version``, ``vendor``,
        ``period``, ``jurisdiction``, ``intended_use``, ``known_limits`` (of the data or the system; page one has them),
        ``prepared_by``, ``reviewed_by``, ``approved_by`` (name and role) and ``next_review``. It stands in the report
        and changes no number.
    action_plan : bool
        Whether page one of a report ends with a table of what is to be decided, with blanks for who and until when.
    seed : int
        Seed of everything random.
    protocol : str or Path, optional
        A file (TOML) that declares these arguments in advance, by their names; what it declares need not be given here,
        and contradicting it is an error. The report prints its hash. ``fairstats protocol init`` writes one.

    Returns
    -------
    Audit
        ``print(audit(...).summary())``, ``.tidy()``, ``.finding()``.

    Raises
    ------
    InputError
        If an argument or a column cannot be used as asked; the message says why and what to do.
    FileError, SourceError, DependencyError
        If a file cannot be read, an engine does not answer, or a package is not installed.

    References
    ----------
    Wilson (1927), Miettinen & Nurminen (1985), Koopman (1984), Agresti & Min (2001), Holm (1979), Schuirmann (1987); a
    report lists what it used.

    Examples
    --------
    >>> import fairstats as fs
    >>> data = {"sex": ["f"] * 50 + ["m"] * 50, "hired": [1] * 10 + [0] * 40 + [1] * 30 + [0] * 20}
    >>> result = fs.audit(data, "hired", "sex", reference="m")
    >>> row = result.estimates.where(metric="selection rate", contrast="difference")[0]
    >>> row.group, round(row.estimate, 2), row.verdict
    ('f', -0.4, 'disparity shown')
    """
    single = {
        "decision": decision,
        "outcome": outcome,
        "score": score,
        "amount": amount,
        "weights": weights,
        "clusters": clusters,
    }
    data, columns = named_columns(data, single, {"groups": groups, "strata": strata})
    counted: set[str] = set()
    if isinstance(data, Tally):
        filled = with_roles(data, columns, protocol)
        counted, columns = {role for role in filled if filled[role] != columns.get(role)}, filled
    arguments = AuditArguments(
        **columns,
        unit=unit,
        quantiles=quantiles,
        adjust_for=adjust_for,
        threshold=threshold,
        favorable=favorable,
        positive=positive,
        positive_prediction=positive_prediction,
        class_order=class_order,
        reference=reference,
        conf_level=conf_level,
        p_adjust=p_adjust,
        family=family,
        margin=margin,
        weight_type=weight_type,
        design=design,
        min_n=min_n,
        missing=missing,
        intersections=intersections,
        shrunken=shrunken,
        headline=headline,
        labels=labels,
        law=law,
        about=about,
        action_plan=action_plan,
        seed=seed,
    )
    declared = declare(arguments, protocol, counted)  # and refused, before anything is compared
    return carry_out(data, declared, arguments.given() | ({} if protocol is None else {"protocol": protocol}))


def carry_out(data: Any, declared: Protocol, text: Mapping[str, Any]) -> Audit:
    """Audit data by a protocol that is checked already; ``text`` is what the call in the provenance says.

    data: as `audit` takes it.
    declared: what to look at; that of an earlier audit repeats it.
    text: arguments by name.
    Raises InputError, FileError: as `audit`.

    >>> carry_out({"sex": ["f", "m"] * 9, "hired": [1, 0, 1] * 6}, Protocol(("sex",), decision="hired"), {}).data.rows
    18
    """
    alike = sampling = None
    durations = {name: declared.argument(name) for name in ("amount", "score")}
    data, unit = durations_as_numbers(data, durations, declared.unit)
    declared = replace(declared, unit=unit)
    if declared.adjust_for:
        from fairstats.auditing.adjusted import Alike, with_covariates
    if declared.design:
        counted, source, rows, sampling = with_design(data, declared)
    elif declared.adjust_for:
        counted, source, rows = with_covariates(data, declared)
    else:
        counted, source = people(data, declared)
    counted, unknown = known_groups(counted, declared)
    tally, resolved = code(counted, declared)
    if declared.outcome and "score" in tally.numbers and not resolved.classes:
        refuse_one_score(declared.score, tally.numbers["score"])
    if source.counts is not None:
        resolved = replace(resolved, counted=source.counts.selected == resolved.decision)
    counted = replace(counted, numbers={})  # the tally has them, where they are needed in another order
    tally = replace(tally, sampling=sampling)
    if sampling is not None:
        tally = replace(tally, flow=of_domain(tally.flow, source, declared.design))
    if "amount" in tally.numbers:  # sorted once: what is taken of it is ascending, too
        tally = tally.take(np.argsort(tally.numbers["amount"], kind="stable"))
    if declared.adjust_for:
        alike = Alike.of(rows, resolved, sampling)
        resolved = replace(resolved, crossed=(*(resolved.crossed or ()), (resolved.alike, *alike.names)))
        tally = replace(tally, flow=alike.flow(tally.flow))
    result = estimate(tally, resolved, alike)
    call = call_text("fairstats.audit", source, dict(text))
    built = Audit(
        protocol=resolved,
        flow=result.flow,
        cells=tuple(result.cells),
        references=result.references,
        estimates=bounded_rows(result.estimates),
        curves=tuple(result.curves),
        data=source,
        provenance=provenance(call, resolved.seed),
        notes=(
            *unknown,
            *counted.notes,
            *(
                perhaps_thousands(name, text)
                for name, text in source.thousands
                if name in numbers_of(resolved).values()
            ),
            *repeated_rows(source, resolved),
            *cautions(
                replace(tally, outcome=None, decision=None) if resolved.classes else tally,
                resolved,
                result.references,
                result.estimates,
                source.counts is not None,
            ),
        ),
    )
    return in_level_order(replace(built, estimates=with_tentative(built)), counted)
