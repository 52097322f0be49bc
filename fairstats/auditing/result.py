"""The result of an audit: the declared protocol, the flow of the data, every estimate, the curves, the provenance."""

from __future__ import annotations

import math
import re
import textwrap
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from itertools import accumulate
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fairstats import metrics
from fairstats.arrays import is_binary
from fairstats.auditing.answer import (
    ADJUSTED,
    AMOUNTS,
    IF_OVERTURNED,
    IN_UNIT,
    MUCH,
    OF_GAPS,
    OVERTURNED,
    RATES,
    SCORES,
    SMALL,
    Answer,
    Passed,
    amounts_of,
    answered_within,
    answering_rows,
    answers,
    complement,
    contrast_of,
    declared,
    flags,
    lacking_amounts,
    numbers_of,
    of_class,
    of_default_side,
    open_within,
    passes,
    quantities,
    ratios_within,
    undone,
    varying_rows,
    widest,
)
from fairstats.auditing.arguments import MEASURES, AuditArguments, likeness, may_harm
from fairstats.auditing.chance import agreement
from fairstats.auditing.classes import AT_ONCE, CUMULATIVE, IN_ORDER, PPV, SHARE, TPR
from fairstats.auditing.counts import BY_SIZE, IMPACT_METRICS, ROLE, Cell, block_of, references_by_attribute
from fairstats.auditing.input import SIDES, answers_of
from fairstats.auditing.naming import attribute_in_words, labels_by_name, worded
from fairstats.auditing.protocol import OPPOSITE, Protocol, Resolved
from fairstats.auditing.rates import DESCRIPTIVE, SENSITIVE_RATES
from fairstats.auditing.sensitivity import JOINTLY, SAMPLING, SEVERAL, WITHHELD
from fairstats.auditing.sentences import (
    AGAINST,
    CODED,
    CODED_OUTCOME,
    EFFECT,
    FIRST,
    HARMING,
    IN_SEVERAL_STRATA,
    OPPOSED,
    QUALITY,
    SCORED_AGAINST,
    answer_event,
    bound_of,
    by_size,
    chi_square,
    decision_message,
    decision_text,
    detectable_points,
    error_word,
    errors_of,
    event,
    family_text,
    farthest_shown,
    few_counted,
    finding,
    finding_parts,
    further_text,
    gap_text,
    known_alone,
    level_of,
    may_be_tentative,
    names_of,
    outcome_text,
    p_text,
    phrase,
    range_text,
    shown,
    spoken_of,
)
from fairstats.auditing.suppression import few_dropped, reason
from fairstats.auditing.tally import MISSING_OF, STRATUM_MISSING, CodedTally
from fairstats.data.grids import EXACT, MOST_VALUES
from fairstats.data.read import PERHAPS_THOUSANDS
from fairstats.document import Heading, Strong, Table, Text, headings
from fairstats.errors import AbsentError, Call, InputError, Setting, named, snippet, strong, visible
from fairstats.estimates import (
    SHOWN,
    STATUS_NAMES,
    STATUSES,
    UNSETTLED,
    VERDICTS,
    Estimate,
    Estimates,
    Reads,
    verdict_text,
)
from fairstats.former import OF_RESULTS
from fairstats.inference.multiplicity import NO_MARGINS
from fairstats.inference.rates.adverse_impact import (
    BELOW,
    EITHER_SIDE,
    OTHER_HIGHEST,
    SMALL_GROUP,
    concluded_side,
)
from fairstats.inference.rates.many_rates import chi_square as pearson
from fairstats.inference.rates.one_rate import BOOTSTRAP_REPLICATES, Scheme, bootstrap_rates
from fairstats.inference.rates.sampling import KORN_GRAUBARD
from fairstats.inference.rates.sensitivity import BOUND, E_VALUE, OF_LIMIT
from fairstats.inference.rates.strata_rows import LEFT_OUT as OUTSIDE_STRATA
from fairstats.inference.rates.strata_rows import LEFT_OUT_OF_ONE, OTHER_WITHHELD
from fairstats.inference.scores.calibration import CERTAIN
from fairstats.inference.scores.rank_tests import NO_SHIFT_LIMITS
from fairstats.inference.verdicts import comparisons_of, decisive_interval, decisive_level, decisive_p
from fairstats.labels import (
    ALL_OTHERS,
    LOOK_ALIKE,
    ODD_ANSWERS,
    OF_LINES,
    PERHAPS_MISSING,
    PERHAPS_SCORE,
    PERHAPS_SUMS,
    holds_missing,
    join,
    label_cautions,
    like_missing,
    like_sums,
    number_codes,
    odd_answers,
    odd_classes,
    quoted,
    written,
)
from fairstats.language import DataText, Message, joined, listed, message, parts, records, renamed, says, translated
from fairstats.metrics import GAPS_OF_AMOUNTS, METRICS, PERCENT, UNKNOWN
from fairstats.provenance import READ, Curve, DataSource, FlowStep, Provenance, group_matrix, read_and_analyzed, spelled
from fairstats.text import (
    DASH,
    capital,
    compact,
    count,
    impact_ratio,
    json_plain,
    level,
    level_number,
    number,
    p_equals,
    p_value,
    percent,
    ratio_span,
    setting,
    signed,
    significant,
    small,
    span,
)
from fairstats.text import listed as all_of
from fairstats.validation import (
    BH,
    BONFERRONI,
    HIGHEST_RATE,
    LARGEST_GROUP,
    MISSING,
    MOST_PERMUTATIONS,
    REFERENCES,
    any_highest,
    reference_rule,
    whole,
)

if TYPE_CHECKING:
    import pandas as pd

    from fairstats.auditing.counts import Cell
    from fairstats.auditing.protocol import Protocol


SCHEMA = "fairstats/audit/1"


@dataclass(frozen=True, repr=False)
class Audit(Reads):
    """An audit: print it, ``tidy()`` it, ``fairstats.report`` it."""

    protocol: Resolved
    flow: tuple[FlowStep, ...]
    cells: tuple[Cell, ...]
    references: dict[str, str]  # attribute -> the level that the rule chose
    estimates: Estimates
    curves: tuple[Curve, ...]
    data: DataSource
    provenance: Provenance
    notes: tuple[str, ...] = field(default=())  # cautions in words, shown in the report

    def __post_init__(self) -> None:
        object.__setattr__(self, "estimates", self.estimates._naming(partial(labels_by_name, self)))

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            known = name in metrics.FAMILIAR and metrics.FAMILIAR[name].metrics
            if way := OF_RESULTS.get(name) or (f"result.tidy(metric={name!r})" if known else ""):
                raise AbsentError(f"{name} is no method of Audit; {way} does that.")
            return super().__getattr__(name)

    @property
    def people(self) -> float:
        """Everybody who was read: rows, or the people that rows stand for."""
        return read_and_analyzed(self.flow)[0].n if self.flow else self.data.rows

    def summary(self) -> str:
        """The audit as text, at most 80 columns wide."""

        return Text(visible(summarize(as_sent(self))))

    def __str__(self) -> str:

        return visible(printed(as_sent(self)))

    def finding(self) -> str:
        """The answer: a sentence for every declared attribute, in plain words."""
        from fairstats.auditing.sentences import finding

        return Text(visible(" ".join(finding(as_sent(self), alone=True).split())))

    def claims(self) -> Estimates:
        """At most eight comparisons for page one, the key finding first."""
        from fairstats.auditing.sentences import claims

        return claims(as_sent(self))

    def passes(self, metric: str | Sequence[str] | None = None) -> Passed:
        """Whether every declared comparison is shown to be within the declared margin; ``failures`` are those not.

        Inconclusive, suppressed and unestimable comparisons fail. On the command line: ``--fail-on no-equivalence``.

        Parameters
        ----------
        metric : str or list of str, optional
            The metrics that count, such as "TPR", a criterion ("equal_opportunity"), one of several classes or a rate
            of it ("TPR of accept"); all that have a margin by default, which seldom are equal at once: where base rates
            differ, the error rates and the predictive values of groups cannot all be. On the command line:
            ``--metric``. With a margin of ratios a rate and what is left of it to 100% are two claims: TPR and FNR.

        Returns
        -------
        Passed

        Raises
        ------
        InputError
            If no margin was declared, or no comparison is of a metric.

        Examples
        --------
        >>> import fairstats as fs
        >>> data = {"sex": ["f", "m"] * 900, "hired": [1, 1, 0, 0] * 450}
        >>> if fs.audit(data, "hired", "sex", margin=0.1).passes():
        ...     print("within the margin")
        within the margin
        """
        return passes(as_sent(self), metric)

    def bootstrap(self, *, replicates: int = 10_000, scheme: Scheme = "people") -> Estimates:
        """Bootstrap intervals of every rate, from the count table and with the audit's seed."""

        return bootstrap(self, replicates=replicates, scheme=scheme)

    def by_group(self, attribute: str = "") -> pd.DataFrame:
        """Every rate and score of every group, as a frame with a line a group and a column a metric.

        Parameters
        ----------
        attribute : str
            Which of the attributes, by its column or what ``labels`` call it; the first by default.

        Returns
        -------
        pandas.DataFrame
            NaN where a group is suppressed, nobody is in a denominator, or people of withheld cells decide: such a rate
            is ``"bounded"``, and ``estimates`` have its limits.

        Examples
        --------
        >>> import fairstats as fs
        >>> data = {"sex": ["f"] * 50 + ["m"] * 50, "hired": [1] * 10 + [0] * 40 + [1] * 30 + [0] * 20}
        >>> fs.audit(data, "hired", "sex").by_group()["selection rate"].to_dict()
        {'f': 0.2, 'm': 0.6}
        """
        rows = self.estimates
        if self.protocol.classes:  # a column a class
            called = {SHARE: "{label}", TPR: "TPR of {label}", PPV: "PPV of {label}"}
            rows = rows.map(
                lambda r: r.changed(metric=called[r.metric].format(label=r.term), term="") if r.metric in called else r
            )
        groups = {name: [cell.group for cell in self.cells if cell.attribute == name] for name in self.references}
        by_word = {attribute_in_words(self, name): name for name in groups}
        known = isinstance(attribute, str) and attribute not in groups
        return group_matrix(rows, groups, by_word.get(attribute, attribute) if known else attribute)

    def glance(self) -> pd.DataFrame:
        """One row: rows, groups, comparisons, how many of each verdict and status.

        A rate and what is left of it to 100% (TPR and FNR, FPR and TNR, PPV and FDR, NPV and FOR) have one verdict. A
        crude comparison in whose place one within declared strata, or adjusted, answers is not counted.
        """
        import pandas as pd

        return pd.DataFrame([glance_entries(self)])

    def to_dict(self) -> dict[str, Any]:
        """Everything, JSON-ready (schema ``fairstats/audit/1``): absent numbers are None, infinite ones "Inf"."""
        items = [self.data.name, *(text for step in self.flow for text in (step.label, step.reason)), *self.notes]
        return {
            "schema": SCHEMA,
            "finding": self.finding(),
            "protocol": json_plain(asdict(self.protocol)),
            "data": json_plain(self.data.to_dict()),
            "flow": [json_plain(asdict(step)) for step in self.flow],
            "references": dict(self.references),
            "cells": [json_plain(asdict(cell)) for cell in self.cells],
            "estimates": self.estimates.to_records(),
            "curves": [json_plain(asdict(curve)) for curve in self.curves],
            "notes": list(self.notes),
            "provenance": json_plain(asdict(self.provenance)),
            "messages": self.estimates.messages() | records(items),
        }

    def _brief(self) -> str:
        levels = (f"{name} ({sum(c.attribute == name for c in self.cells)})" for name in self.references)

        return f"{size(self)}, groups {', '.join(levels)}; {self.finding()}"


def _question(row: Estimate) -> tuple[str, ...]:
    return row.role, row.metric, row.attribute, row.group, row.contrast, row.reference, row.given, row.term


def _mirrored(row: Estimate) -> tuple[str, ...]:
    """The same comparison of what is left of the rate to 100%."""
    role, metric, *rest = _question(row)
    present = METRICS.get(metric)
    return role, present.complement if present else "", *rest


def _later(row: Estimate) -> bool:
    return list(METRICS).index(row.metric) > list(METRICS).index(METRICS[row.metric].complement)


# The bootstrap of every rate of an audit, from its count table: the cost does not grow with the number of people.


def bootstrap(audit: Audit, *, replicates: int = BOOTSTRAP_REPLICATES, scheme: Scheme = "people") -> Estimates:
    """Bootstrap standard errors and percentile intervals of every rate, with the seed of the audit.

    audit: of outcomes and decisions, without probability weights or clusters.
    replicates: tables drawn for each attribute.
    scheme: whether the sizes of the groups vary from sample to sample or are fixed by the design.
    Returns: one row a rate and group; suppressed groups keep their status. At a rate of 0 or 1 the interval is
        Wilson's.
    Source: Efron & Tibshirani (1993), An Introduction to the Bootstrap, chapter 13.
    """
    replicates = whole("replicates", replicates, 1, MOST_PERMUTATIONS, "more would not change an interval")
    protocol = audit.protocol
    if not protocol.outcome or not (protocol.decision or protocol.threshold is not None):
        raise InputError("audit", "has no table of outcome and decision; a bootstrap of the rates needs both columns.")
    if protocol.classes:
        raise InputError("audit", "has several classes; a bootstrap is of one (favorable, positive) against the rest.")
    if protocol.weight_type == "probability" or protocol.clusters:
        raise InputError(
            "audit rests on weights or clusters; the bootstrap draws independent people; use its own intervals."
        )
    rows = Estimates()
    for attribute in audit.references:
        items = [cell for cell in audit.cells if cell.attribute == attribute]
        shown = [cell for cell in items if not math.isnan(cell.tp)]
        drawn = bootstrap_rates(
            np.array([[[c.tn, c.fp], [c.fn, c.tp]] for c in shown]).reshape(-1, 2, 2),
            [c.group for c in shown],
            attribute=attribute,
            conf_level=protocol.conf_level,
            replicates=replicates,
            scheme=scheme,
            seed=protocol.seed,
            favors=int(protocol.favorable == protocol.positive_prediction),
        )
        hidden = [_hidden(cell, protocol) for cell in items if cell not in shown]
        rows += drawn + hidden
    return rows


def _hidden(cell: Cell, protocol: Protocol) -> Estimate:
    blank = Estimate("selection rate", cell.attribute, cell.group, status="suppressed")
    return replace(blank, reason=reason(protocol))


# Cautions in words that follow from the data at hand; the standing ones are with the readings.


# rows of weights that are more like people than like cells: so many, so heavy on average, so many of every kind
FEWEST_ROWS, LEAST_MEAN, ALIKE = 30, 2.0, 5.0
WIDEST = 0.2  # margin of differences of rates that needs no caution
NEARLY = 0.99  # of people who reach a cut-off
MOST = 5  # of what a caution lists
# A place whose name begins with "text" holds another such text, with "each" several, with "list" labels.
AFTER = message(
    "The protocol was given with the call: groups, reference and margin may have been chosen after the data."
)
FAVORABLE = message("{text} is taken as the decision that helps the person; declare the other one where it does not.")
ELSEWHERE = message("{group} is no group of {list_of}; there the largest group is the reference.")
GROUPS = message("Groups of fewer than {few} people: {list_of}. {text}")
JOINT = message("{k} of {n} intersections have fewer than {few} people. {text}")
JOINT_WITH_MISSING = message(
    "{k} of {n} intersections, those of people whose group is not recorded included, have fewer than {few} people. "
    "{text}"
)
WIDE_MARGIN = message("The margin of ±{margin} points is wide: it is as far as {low}% is from {high}%.")
WIDE = message("Their intervals are wide; a missing verdict does not show equal treatment.")
EXCHANGED = message(
    "By their names {name} is an attribute of people and {group} is what was decided or happened: if they were "
    "exchanged, pass {role} and {groups}."
)
CONSTANT = message("{text}. Check the label.")
EVERYBODY, NOBODY = message("Everybody has {label}"), message("Nobody has {label}")
ALSO = {EVERYBODY: message("everybody has {label}"), NOBODY: message("nobody has {label}")}
COUNTED = message(
    "The weights {name} are taken as counts ({taken}): {people} people in {n} rows, and intervals are of all of them. "
    "Many rows are alike in all that is audited, as those of people are and those of a table of counts are not: where "
    "each row is one person, pass {other} for weights of a survey, and no weights if {name} is an attribute of people."
)
REPEATED = message(
    "Rows that are the same as an earlier one in every column, {column} included, which tells all others apart: {n} of "
    "{total}. If these people stand there twice, they are counted twice: leave the repeated rows out."
)
PER_CENT = message(
    "Most scores of {name} are beyond 1 and none is beyond 100, and the cut-off is {cut}: if they are percentages, so "
    "must be the cut-off (50 for 0.5)."
)
NEARLY_ALL = message("{share}% or more of the scores of {name} reach the cut-off of {cut}: check the cut-off.")
HIDDEN = message(
    "Cells that those who counted the people withheld: {n}, of {least} to {most} people ({rest} are in the others): "
    "{list_of}. The rows given 'withheld cells' bound what these people could change in rates, P(X>Y) and AUC. Small "
    "cells are not a sample of all: an estimate of the others may lie outside its bounds. A verdict stands only where "
    "these people could not overturn it."
)
SEARCHED = message("Limits within strata are the widest that a search among what these people may be has found.")
UNSENT_GROUPS = message("Of these groups every cell was withheld, so that they are in no comparison: {list_of}.")
GRID = message(
    "The scores have more than {n} distinct values and are on a grid: each is within {step} of what it was. P(X>Y), "
    "AUC and the shift say by how much that moves them at most; other statistics of scores are those of the grid."
)
FEWEST_OF_SPREAD = 20
BY_ONE_AMOUNT = message(
    "A single amount of {group} makes up {share}% of the variance of the group: mean and gap rest on it; look whether "
    "it is right. The median does not rest on it."
)
LOST_OF_ONE = message(
    "The amount is missing for {share}% of {group} and {least}% of {other}; if whose it is depends on the amount, "
    "gaps are biased."
)
ZEROS = message(
    "Many amounts are 0, which means, medians and gaps count. To see who gets any, and how much those get, make them "
    "missing and pass a column of who gets any (1 or 0) as {setting}.",
    setting=Setting("decision"),
)
ONLY_TWO = message(
    "The amount is 0 or 1 for everybody, as a decision is: {setting} in its place compares the shares of those with 1."
)
ONLY_TWO_BESIDE = message("The amount {name} is 0 or 1 for everybody, as a decision is: check the column.")
LOST_OF_DUE = message(
    "Of those whose decision comes with an amount, it is missing for {share}% of {group} and {least}% of {other}; if "
    "whose it is depends on the amount, gaps are biased."
)
OF_SELECTED = {  # by whether it is the favorable decision that gives none
    True: message(
        "Nobody with the favorable decision has an amount: means and gaps of amounts are of the others, not of "
        "everybody."
    ),
    False: message(
        "Nobody with the unfavorable decision has an amount: means and gaps of amounts are of the others, not of "
        "everybody."
    ),
}
LOST = {
    "outcome": message(
        "The outcome is missing for {n} people ({share}%); if that depends on the outcome or the decision, rates are "
        "biased."
    ),
    "decision": message(
        "The decision is missing for {n} people ({share}%); if that depends on the decision, rates are biased."
    ),
}
NO_GROUP = message(
    "The group is not known for {n} people ({share}%, by {list_of}); if that depends on the group or on what was "
    "decided, differences between the groups are biased."
)
BY_PROBABILITIES = message(
    "Where there is a probability of every group for each person, as from surname and address, {way} bounds the "
    "differences by them; {known} names the column of the group itself, which counts where it is known, if these "
    "people were drawn at random.",
    way=Call("group_probabilities"),
    known=Setting("known"),
)
NO_STRATUM = message(
    "The stratum is missing for {n} people ({share}%, by {list_of}): they are left out of all comparisons within "
    "strata; if that depends on the group or on what was decided, these comparisons are biased."
)
LEFT_OUT = message(
    "People without a group are left out, and what they could change is not bounded where small groups are withheld; "
    "{setting} keeps and bounds them.",
    setting=Setting("missing", "level"),
)
FEW_LEFT_OUT = message(
    "Fewer than {n} people are left out because {list_of} is missing, and further groups are withheld so that their "
    "number cannot be computed; {setting} keeps these people, and shows more."
)
ABSENT = {
    ("unestimable", True): message(
        "{k} of {n} estimates are not estimable (for example: {text}); each row's `reason` says why."
    ),
    ("unestimable", False): message("{k} of {n} estimates are not estimable; each row's `reason` says why."),
    ("suppressed", True): message(
        "{k} of {n} estimates are suppressed (for example: {text}); each row's `reason` says why."
    ),
    ("suppressed", False): message("{k} of {n} estimates are suppressed; each row's `reason` says why."),
}
PROTECTED = message(
    "Suppression hides every group of fewer than {n} people, and further groups from which one could be computed; "
    "what is said of all groups at once is withheld with them. It does not protect against other reports of the same "
    "people, or against who knows some of them."
)
PROTECTED_AMOUNTS = message(
    "Suppression hides every group of fewer than {n} people, or in which one amount dominates, and further groups from "
    "which one could be computed; what is said of all groups at once is withheld with them. It does not protect "
    "against other reports of the same people, or against who knows some of them."
)
NOT_USED = message(
    "The group with the highest rate is picked by the data, so its comparisons are adjusted by Bonferroni over all "
    "pairs of groups; the declared adjustment ({name}) is not used there."
)
ODD_NUMBERS = message(
    "Numbers that may stand for a missing value count like any other: {list_of}. If so, make them missing."
)
ODD_STRATA = message("Labels of strata that may be missing values are strata like any other: {list_of}.")
ODD_CLASSES = message(
    "Classes that may be missing values, sums of others or one class in two spellings are classes like any other: "
    "{list_of}. If so, correct the data first."
)
WEIGHED = message(
    "The weights {name} add up to {total} in {n} rows; for a share of all people these are worth {effective} rows of "
    "equal weights."
)
SUMS = message("Numbers of people are sums of weights. Rows behind them are not shown where small groups are withheld.")
UNWEIGHTED = message("Numbers of people are sums of weights. Rows behind them, by {attribute}: {list_of}.")
UNWEIGHTED_IN_CLUSTERS = message(
    "Numbers of people are sums of weights. Rows behind them, and clusters ({clusters}), by {attribute}: {list_of}."
)
KNOWN_UNWEIGHTED = message(
    "Numbers of people are sums of weights. Rows behind them with {known}, by {attribute}: {list_of}."
)
KNOWN_IN_CLUSTERS = message(
    "Numbers of people are sums of weights. Rows behind them with {known}, and clusters ({clusters}), by {attribute}: "
    "{list_of}."
)
KNOWN_MEASURE = {  # what rates and means leave out people without
    "decision": message("known decision"),
    "outcome": message("known outcome"),
    "score": message("known score"),
    "amount": message("known amount"),
}
FEWEST_DF = 9  # of ten clusters of one size
FEW_CLUSTERS = message(
    "Standard errors rest on few clusters, or on a few that hold most people: {n} clusters, and {df} degrees of "
    "freedom where there are fewest ({group} against {reference}). How much rates vary between clusters is then "
    "poorly known; intervals allow for it as far as t does."
)
WITHIN_STRATA_DRAWN = message(
    "All of {clusters} lie within one stratum of {strata} each, as units of a survey do; comparisons hold {strata} "
    "fixed. Where people were drawn within these strata, pass {design} in place of strata."
)
ONE_STRATUM, STRATA = message("1 stratum"), message("{n} strata")
ONE_DEGREE, DEGREES = message("1 degree of freedom"), message("{n} degrees of freedom")
STRATIFIED = message(
    "Of the whole sampling design: {units} units drawn in {strata}, {df} (units less strata). Groups are domains of "
    "the whole sample."
)
UNSTRATIFIED = message(
    "Of the whole sampling design: {units} units drawn without strata, {df} (units less one). Groups are domains of "
    "the whole sample."
)
STRATIFIED_IN_PART = message(
    "Of the whole sampling design: {units} units drawn in {strata}. People of {present} units in {some} are audited: "
    "{df} (these units less their strata). Groups are domains of the whole sample."
)
UNSTRATIFIED_IN_PART = message(
    "Of the whole sampling design: {units} units drawn without strata. People of {present} units are audited: {df} "
    "(these units less one). Groups are domains of the whole sample."
)
REPLICATED = message(
    "Of the whole sampling design: the weights of {n} replicates ({kind}), {df} (their rank less one). Groups are "
    "domains of the whole sample."
)
SATTERTHWAITE = message(
    "Comparisons have {df} degrees of freedom where there are fewest ({group} against {reference}), by Satterthwaite's "
    "rule: fewer than the {plain} of the sampled units of these two groups, which hold for units of one weight and "
    "events that are not rare."
)
BY_DESIGN = message(
    "Comparisons have {df} degrees of freedom where there are fewest ({group} against {reference}): those of the "
    "sampled units of these two groups."
)
FEW_UNITS = message("So few say little of how much rates vary between units; intervals allow for it as far as t does.")
FEWEST_FREEDOM = FEW_CLUSTERS, SATTERTHWAITE, BY_DESIGN, FEW_UNITS  # notes that a report's first page leaves out
FINITE = message("Standard errors are smaller by the shares of the population's units that were drawn.")
CALIBRATED = message(
    "Weights were calibrated to {names}: standard errors are of what these do not explain (residuals of a regression)."
)
SINGLE = {
    "certainty": message("Strata of one drawn unit ({n}) add nothing to the variances."),
    "adjust": message("Strata of one drawn unit ({n}) add the square of their distance from the mean of all units."),
    "average": message("Strata of one drawn unit ({n}) add as much to the variances as the others do on average."),
}


def cautions(
    tally: CodedTally, protocol: Protocol, references: dict[str, str], rows: Estimates, selected: bool = False
) -> tuple[str, ...]:
    """Return the cautions that a reader of this audit needs before quoting it.

    tally: the data.
    references: attribute to reference group.
    rows: the results.
    selected: whether the decision was given as counts of those whom it helps.
    Returns: one sentence or two each.

    >>> import numpy as np
    >>> cautions(CodedTally((), np.array([])), Protocol(("sex",), declared=True), {}, Estimates())
    ()
    """
    without, _ = tally.without("amount")
    items = [
        _after_the_fact(protocol),
        "" if selected else _taken_as_favorable(tally, protocol),
        _taken_as_positive(tally, protocol),
        _against_outcome(tally, protocol, rows),
        _scored_against(tally, protocol, rows),
        other_reference(protocol, references),
        _adjustment(protocol),
        _wide_margin(protocol),
        small_groups(rows, protocol),
        _constant(tally, protocol),
        _copied(tally, protocol),
        *_labels(tally, protocol),
        _cut_off(tally, protocol),
        _grid(tally),
        _cautions_hidden(tally),
        _counted(tally, protocol),
        _groupless(tally, protocol, rows),
        _stratumless(tally, protocol),
        _lost(tally, "outcome"),
        _known_by_decision(tally, protocol, rows),
        _lost(tally, "decision"),
        "" if without is None else OF_SELECTED[without],
        *_lost_of_one(rows, LOST_OF_ONE if without is None else LOST_OF_DUE),
        _zeros(tally, protocol),
        *_by_one_amount(tally, protocol),
        _withheld(rows, "unestimable"),
        _withheld(rows, "suppressed"),
        _protected(rows, protocol),
        *_unweighted(tally, protocol),
        *_of_design(tally, protocol),
        *_few_clusters(tally, protocol, rows),
    ]
    return tuple(note for note in items if note)


def repeated_rows(source: DataSource, protocol: Protocol) -> list[Message]:
    """That rows of the data stand there twice; those of declared clusters may be alike."""
    column, n = source.repeated
    if not n or protocol.clusters:
        return []
    return [REPEATED.format(n=number(n, 0), total=number(source.rows, 0), column=DataText(column))]


def _after_the_fact(protocol: Protocol) -> str:
    if protocol.declared:
        return ""
    return AFTER


def _adjustment(protocol: Protocol) -> str:
    """An adjustment that was asked for and cannot hold where the data pick the reference."""
    if not any_highest(protocol.reference) or protocol.p_adjust == BONFERRONI:
        return ""
    return NOT_USED.format(name=protocol.p_adjust)


def _wide_margin(protocol: Protocol) -> str:
    """A margin that calls hardly any rates unequal makes equivalence say nothing."""
    margin = protocol.margin.difference
    if margin is None or margin <= WIDEST:
        return ""
    low, high = percent(max(0.5 - margin / 2, 0.0)), percent(min(0.5 + margin / 2, 1.0))
    return WIDE_MARGIN.format(margin=percent(margin), low=low, high=high)


def _taken_as_favorable(tally: CodedTally, protocol: Protocol) -> str:
    """The default is right for selections, and wrong for alarms: say which decision was taken to help."""
    if "favorable" in protocol.chosen or not (protocol.decision or protocol.threshold is not None):
        return ""
    others = [label for label in tally.beside.get(protocol.decision, ()) if label != protocol.favorable]
    of_default, name = of_default_side(protocol), protocol.decision or protocol.score
    if of_default and len(others) == 1 and others != ["0" if protocol.favorable == "1" else "False"]:
        (other,) = others
        return CODED.format(
            name=DataText(protocol.decision),
            one=DataText(protocol.favorable),
            other=DataText(other),
            setting=Setting("favorable", other),
        )
    text = decision_message(protocol, protocol.favorable)
    if not may_harm(name):
        return FAVORABLE.format(text=text) if of_default else ""
    other = others[0] if others else "False" if protocol.favorable == "True" else "0"
    return HARMING.format(name=DataText(name), text=text, setting=Setting("favorable", other))


def _taken_as_positive(tally: CodedTally, protocol: Protocol) -> str:
    """Of an outcome coded 1 and 2, for instance, nothing says which of the two it is about."""
    if "positive" in protocol.chosen or not (isinstance(protocol, Resolved) and protocol.outcome in protocol.unlike):
        return ""
    other = _other_label(tally, protocol.outcome, protocol.positive)
    return CODED_OUTCOME.format(
        name=DataText(protocol.outcome),
        one=DataText(protocol.positive),
        other=DataText(other),
        setting=Setting("positive", other),
    )


def _other_label(tally: CodedTally, column: str, label: str) -> str:
    """The other one of two labels; the opposite one where it is not met, and "" among several."""
    others = [one for one in tally.beside.get(column, ()) if one != label]
    return "" if len(others) > 1 else others[0] if others else OPPOSITE.get(label, "")


def _against_outcome(tally: CodedTally, protocol: Protocol, rows: Estimates) -> str:
    """The decisions that were taken to predict the outcome are those that do not, by the data or by their names."""
    one = protocol.positive_prediction
    other = _other_label(tally, protocol.decision, one)
    if not (protocol.outcome and one and other):
        return ""
    about = {"attribute": protocol.groups[0], "contrast": "none", "role": "main", "given": ""}
    found = agreement(rows.only(metric=("TPR", "FPR"), **about))
    texts = {"event": DataText(outcome_text(protocol)), "setting": Setting("positive_prediction", other)}
    if found.side < 0:
        counts = {"k": found.below, "n": found.groups, "attribute": DataText(protocol.groups[0])}
        return AGAINST.format(share=percent(found.share), text=decision_message(protocol, other), **counts, **texts)
    helps = protocol.favorable == one and not may_harm(protocol.decision) and bool(protocol.decision)
    if found.side > 0 or not helps or not may_harm(protocol.outcome) or "positive_prediction" in protocol.chosen:
        return ""
    names = {"outcome": DataText(protocol.outcome), "decision": DataText(protocol.decision)}
    return OPPOSED.format(text=decision_message(protocol, one), **names, **texts)


def _scored_against(tally: CodedTally, protocol: Protocol, rows: Estimates) -> str:
    """Low scores predict the outcome; where a threshold cuts them so, somebody knows."""
    about = {"attribute": protocol.groups[0], "contrast": "none", "role": "main", "given": ""}
    found = agreement(rows.only(metric="AUC", **about))
    other = _other_label(tally, protocol.outcome, protocol.positive)
    if found.side >= 0 or not other or (protocol.threshold is not None and protocol.positive_prediction == "0"):
        return ""
    return SCORED_AGAINST.format(
        share=number(found.share, 2),
        k=found.below,
        n=found.groups,
        attribute=DataText(protocol.groups[0]),
        event=DataText(outcome_text(protocol)),
        setting=Setting("positive", other),
    )


def elsewhere(protocol: Protocol, references: Mapping[str, str]) -> dict[str, str]:
    """The attributes that have no group of the declared reference's label, with the reference that they have."""
    if protocol.reference in REFERENCES or "=" in protocol.reference:
        return {}
    return {a: level for a, level in references.items() if level != protocol.reference}


def other_reference(protocol: Protocol, references: Mapping[str, str]) -> str:
    """The caution on a reference that not every attribute has, "" where every one does."""
    others = elsewhere(protocol, references)
    named = [message("{attribute} ({group})", attribute=DataText(a), group=DataText(g, a)) for a, g in others.items()]
    current = next((a for a, level in references.items() if level == protocol.reference), "")
    return ELSEWHERE.format(group=DataText(protocol.reference, current), list_of=listed(named, MOST)) if others else ""


def small_groups(rows: Estimates, protocol: Protocol) -> str:
    """The caution on groups of few people, "" where there are none."""
    rates = ("selection rate", "scoring rate", "base rate", SHARE)
    present = rows.where(contrast="none", metric=rates, status="ok", role="main")  # the rate of everybody is no group's
    sized = {(r.attribute, r.group): r.n for r in present}
    crossed = {attribute for attribute, _ in sized if protocol.is_crossed(attribute)}
    few = [(attribute, group, n) for (attribute, group), n in sized.items() if n < SMALL]
    small = [_counted_group(attribute, group, count(n)) for attribute, group, n in few if attribute not in crossed]
    joint = sum(attribute in crossed for attribute, *_ in few)
    if not small and not joint:
        return ""
    text = WIDE
    if joint:
        every = [group for attribute, group in sized if attribute in crossed]
        template = JOINT_WITH_MISSING if any(map(holds_missing, every)) else JOINT
        text = template.format(k=joint, n=len(every), few=SMALL, text=text)
    return GROUPS.format(few=SMALL, list_of=listed(small, 8), text=text) if small else text


def _counted_group(attribute: str, group: str, n: str) -> Message:
    return message("{group} ({n})", group=DataText(group, attribute), n=n)


def _labels(tally: CodedTally, protocol: Protocol) -> list[Message]:
    """Groups or classes that may be one, labels that may be missing values, and sums of others."""
    single = {levels.name: levels.labels for levels in tally.attributes if not levels.columns}
    classes = [written(name, found) for name, found in _odd_classes(tally, protocol).items() if found]
    return [
        *([ODD_CLASSES.format(list_of=listed(classes))] if classes else []),
        *_exchanged(single, protocol),
        *_against_the_rest(tally, protocol),
        *odd_answers(tally.beside),
        *label_cautions(single, {(column, one): name for column, one, name in protocol.labels.groups}),
        *_odd_numbers(tally, protocol),
        *_odd_strata(tally, protocol),
    ]


def _odd_classes(tally: CodedTally, protocol: Protocol) -> dict[str, list[str]]:
    """By column the classes that may be none; one that only the line of everybody has is its number of people."""
    if not (isinstance(protocol, Resolved) and protocol.classes and tally.score is not None):
        return {}
    of_sums = np.zeros(tally.score.size, dtype=bool)
    for levels in tally.attributes:
        if not levels.columns:
            of_sums |= np.isin(levels.codes, [levels.labels.index(label) for label in like_sums(levels.labels)])
    known, k, odd = ~np.isnan(tally.score), len(protocol.classes), odd_classes(protocol.classes)
    codes, of_sums = tally.score[known].astype(int), of_sums[known]
    names = [name for name in (protocol.decision, protocol.outcome) if name]
    found = {}
    for name, places in zip(names, (codes % k, codes // k), strict=False):  # k is an unknown outcome
        alone = {*places[of_sums].tolist()} - {*places[~of_sums].tolist()}
        met = {*places.tolist()}
        labels = enumerate(protocol.classes)
        found[name] = [label for i, label in labels if i in met and (i in alone or label in odd)]
    return found


def _exchanged(single: Mapping[str, Sequence[str]], protocol: Protocol) -> list[Message]:
    """That a decision of several classes and a column of groups may have changed places, by their names."""
    name = protocol.decision or protocol.outcome
    if not (isinstance(protocol, Resolved) and protocol.classes) or likeness(name, "groups") < 0:
        return []
    for group, labels in single.items():
        answers_it = len(labels) == 2 and bool(spelled("1", labels))
        if likeness(group, "groups") < 0 and (answers_it or max(likeness(group, role) for role in SIDES) >= 0):
            settings = {"role": Setting("decision", group), "groups": Setting("groups", name)}
            return [EXCHANGED.format(name=DataText(name), group=DataText(group), **settings)]
    return []


def _odd_numbers(tally: CodedTally, protocol: Protocol) -> list[Message]:
    """Codes such as -99 that several people have among scores and amounts; none where few people may not be told."""
    items = []
    for measure, numbers in tally.numbers.items() if protocol.min_n <= 1 and tally.withheld is None else ():
        known = np.isfinite(numbers) & (tally.rows > 0)
        several = [code for code in number_codes(numbers[known]) if tally.rows[numbers == code].sum() > 1]
        items += [written(protocol.argument(measure), [str(code) for code in several])] if several else []
    return [ODD_NUMBERS.format(list_of=listed(items))] if items else []


def _odd_strata(tally: CodedTally, protocol: Protocol) -> list[Message]:
    """Labels of the strata of one column that may be missing values."""
    single = tally.strata is not None and len(protocol.columns_of(protocol.strata)) == 1
    odd = like_missing(tally.strata.labels) if tally.strata is not None and single else []
    return [ODD_STRATA.format(list_of=listed([written(protocol.strata, odd)]))] if odd else []


def _against_the_rest(tally: CodedTally, protocol: Protocol) -> list[Message]:
    """The labels of a decision or an outcome that are not the chosen one, where these are several."""
    notes = []
    for role, name, one in answers_of(protocol):
        labels = [text for text in tally.beside.get(name, ()) if text != one]
        if len(labels) < 2:
            continue
        about: dict[str, object] = {"name": DataText(name), "chosen": DataText(one), "list_of": listed(labels, MOST)}
        if role == "decision" and len(labels) >= MOST_CODES and all(NUMBER.fullmatch(text) for text in (one, *labels)):
            cut = float(one) if "." in one else int(one)
            about |= {"score": Setting("score", name), "threshold": Setting("threshold", cut)}
            notes.append(PERHAPS_SCORE.format(**about))
        else:
            notes.append(ALL_OTHERS.format(**about))
    return notes


MOST_CODES = 20  # numbers of a decision that are no scores
NUMBER = re.compile(r"-?\d+(\.\d+)?")


def _copied(tally: CodedTally, protocol: Protocol) -> str:
    """A caution where the decision says of everybody what the outcome says, or its opposite."""
    if tally.outcome is None or tally.decision is None or not protocol.decision:
        return ""
    known = (tally.outcome >= 0) & (tally.decision >= 0) & (tally.rows > 0)
    same = tally.outcome[known] == tally.decision[known]
    if np.unique(tally.outcome[known]).size < 2 or not (same.all() or not same.any()):
        return ""
    return message(
        "{decision} and {outcome} say the same of everybody, so that no error can be seen: check that one is no copy "
        "of the other.",
        decision=DataText(protocol.decision),
        outcome=DataText(protocol.outcome),
    )


def _constant(tally: CodedTally, protocol: Protocol) -> str:
    """A label that nobody, or everybody, has may be a fact, and may be a misspelling."""
    lines = []
    if tally.decision is not None and protocol.decision:
        lines.append((tally.decision, tally.favors, DataText(f"{protocol.decision}: {protocol.favorable}")))
    if tally.outcome is not None:
        lines.append((tally.outcome, 1, DataText(f"{protocol.outcome}: {protocol.positive}")))
    constant: list[str] = []
    for codes, one, words in lines:
        present = codes[codes != UNKNOWN]
        if present.size and (present == present[0]).all():
            whose = EVERYBODY if present[0] == one else NOBODY
            constant.append((ALSO[whose] if constant else whose).format(label=words))
    return CONSTANT.format(text=joined(constant)) if constant else ""


def _cut_off(tally: CodedTally, protocol: Protocol) -> str:
    """A cut-off that nearly everybody reaches, or a share beside scores in per cent, may be a mistake."""
    if protocol.threshold is None or "score" not in tally.numbers or tally.withheld is not None:
        return ""
    scores = tally.numbers["score"]
    known = np.isfinite(scores) & (tally.used > 0)
    scores, people, cut = scores[known], tally.people(protocol.weight_type)[known], protocol.threshold
    if not scores.size:
        return ""
    values = {"name": DataText(protocol.score), "cut": f"{cut:g}"}
    beyond = people[scores > 1].sum() / people.sum()
    if 0 < cut < 1 and beyond > 0.5 and scores.min() >= 0 and scores.max() <= 100:
        return PER_CENT.format(**values)
    reached = people[scores >= cut].sum() / people.sum()
    return NEARLY_ALL.format(share=percent(NEARLY, 0), **values) if reached >= NEARLY else ""


def _cautions_hidden(tally: CodedTally) -> str:
    if tally.withheld is None:
        return ""
    cells = [DataText(cell) for cell in tally.withheld.names]
    least, most = tally.withheld.least.sum(), tally.withheld.most.sum()
    people = {"least": count(least), "most": count(most), "rest": count(tally.size)}
    text = HIDDEN.format(n=len(cells), list_of=listed(cells, 3), **people)
    unsent = [
        message("{group} ({name})", group=DataText(group, name), name=DataText(name))
        for name, groups in tally.withheld.unsent.items()
        for group in groups
    ]
    several = [text, *([SEARCHED] if tally.strata is not None and tally.clusters is None else [])]
    several += [UNSENT_GROUPS.format(list_of=listed(unsent, 8))] if unsent else []
    return joined(several, " ")


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
    items = [v for v in (tally.outcome, tally.decision, *(a.codes for a in tally.attributes)) if v is not None]
    items += [tally.strata.codes] if tally.strata is not None else []
    cells = len(np.unique(np.column_stack(items), axis=0))
    if rows < ALIKE * cells:
        return ""
    return COUNTED.format(
        name=DataText(protocol.weights),
        people=count(people),
        n=count(rows),
        taken=Setting("weight_type", "frequency"),
        other=Setting("weight_type", "probability"),
    )


def _groupless(tally: CodedTally, protocol: Protocol, rows: Estimates) -> str:
    """People without a group, kept or left out: who they are may depend on what is compared."""
    steps = [step for step in tally.flow if isinstance(step.label, Message) and step.label.template == MISSING_OF]
    lost = {step.label.values["name"]: step.n for step in steps}  # type: ignore[attr-defined]
    if few_dropped(tally, protocol):
        shown = rows.where(status="suppressed")
        return (
            FEW_LEFT_OUT.format(n=protocol.min_n, list_of=listed(list(lost), 8), setting=Setting("missing", "level"))
            if shown
            else ""
        )
    if any(holds_missing(row.group) for row in rows.where(status="suppressed")):
        return ""
    read, _ = read_and_analyzed(tally.flow) if tally.flow else (None, None)
    if read is None or not lost or not max(lost.values()) >= max(MUCH * read.n, protocol.min_n):
        return ""
    most = max(lost.values())
    text = NO_GROUP.format(n=count(most), share=percent(most / read.n), list_of=listed(lost, MOST))
    out = [LEFT_OUT] if protocol.missing == "drop" and protocol.min_n > 1 else []
    way = [BY_PROBABILITIES] if protocol.decision else []
    return joined([text, *out, *way], " ")


def _stratumless(tally: CodedTally, protocol: Protocol) -> str:
    """People whose stratum is missing are not of one stratum: no comparison within strata is of them."""
    lost = sum(step.n for step in tally.flow if says(step.label, STRATUM_MISSING))
    read = read_and_analyzed(tally.flow)[0].n if tally.flow else 1
    if not lost or lost < max(MUCH * read, protocol.min_n):
        return ""
    names = listed([DataText(name) for name in protocol.columns_of(protocol.strata)])
    return NO_STRATUM.format(n=count(lost), share=percent(lost / max(read, 1)), list_of=names)


def _lost(tally: CodedTally, role: str) -> str:
    lost = sum(step.n for step in tally.flow if step.label == MEASURES[role].lacking)
    if not lost:
        return ""
    return LOST[role].format(n=count(lost), share=percent(lost / max(read_and_analyzed(tally.flow)[0].n, 1)))


KNOWN_UNLIKE = 0.1, 0.001  # shares whose outcome is known: least difference, and largest p


def _known_by_decision(tally: CodedTally, protocol: Protocol, rows: Estimates) -> str:
    """Of each decision how often the outcome is known, where what was decided says whose it is.

    >>> from fairstats.auditing.audit import audit
    >>> data = {"sex": ["f", "m"] * 50, "lent": ["yes"] * 50 + ["no"] * 50, "paid": [1, 1, 1, 1, 0] * 10 + [None] * 50}
    >>> notes = audit(data, "lent", "sex", outcome="paid", favorable="yes", positive_prediction="yes").notes
    >>> [str(note) for note in notes if "known for" in note]
    ['The outcome is known for 100% of yes, 0% of no: that distorts error rates among people with one outcome (TPR,
    FNR, FPR), by itself not the share right of a decision (PPV).']
    """
    if not protocol.decision or not protocol.outcome or rows.where(status="suppressed"):
        return ""
    if isinstance(protocol, Resolved) and protocol.classes and tally.score is not None:
        names, k = protocol.classes, len(protocol.classes)
        counted = ~np.isnan(tally.score)
        decided, known = tally.score % k, tally.score // k < k
    elif tally.outcome is not None and tally.decision is not None:
        others = [label for label in tally.beside.get(protocol.decision, ()) if label != protocol.favorable]
        names = protocol.favorable, others[0] if len(others) == 1 else ""
        counted, known = tally.decision != UNKNOWN, tally.outcome != UNKNOWN
        decided = np.where(tally.decision == tally.favors, 0, 1)
    else:
        return ""
    n = np.array([tally.rows[counted & (decided == i)].sum() for i in range(len(names))])
    events = np.array([tally.rows[counted & known & (decided == i)].sum() for i in range(len(names))])
    least, most = KNOWN_UNLIKE
    share = events[n > 0] / n[n > 0]
    few = min(m for m in (*events, *(n - events), np.inf) if m > 0) < protocol.min_n
    if few or share.size < 2 or np.ptp(share) < least or not pearson(events, n)[2] < most:
        return ""
    items = [
        KNOWN_OF.format(share=percent(events[i] / n[i], 0), name=DataText(name) if name else ALL_OTHER_LABELS)
        for i, name in enumerate(names)
        if n[i] > 0
    ]
    with_area = tally.score is not None and not getattr(protocol, "classes", ())
    return (KNOWN_BY_DECISION_SCORED if with_area else KNOWN_BY_DECISION).format(list_of=listed(items))


KNOWN_BY_DECISION = message(
    "The outcome is known for {list_of}: that distorts error rates among people with one outcome (TPR, FNR, FPR), by "
    "itself not the share right of a decision (PPV)."
)
KNOWN_BY_DECISION_SCORED = message(
    "The outcome is known for {list_of}: that distorts error rates among people with one outcome (TPR, FNR, FPR) and "
    "the AUC of scores, by itself not the share right of a decision (PPV)."
)
KNOWN_OF = message("{share}% of {name}")
ALL_OTHER_LABELS = message("the other decisions")


def _lost_of_one(rows: Estimates, text: Message) -> list[str]:
    """Of each attribute whose groups lack the amount unlike often, the most and the least."""
    notes: list[str] = []
    for attribute in dict.fromkeys(rows.where(metric=MEASURES["amount"].lacking).column("attribute")):
        found = lacking_amounts(rows, attribute)
        if found is None or found[0].conf_high >= found[1].conf_low:
            continue
        least, most = found
        about = {"group": DataText(most.group, attribute), "other": DataText(least.group, attribute)}
        shares = {"share": percent(most.estimate), "least": percent(least.estimate)}
        notes.append(text.format(**about, **shares))
    return notes


def _zeros(tally: CodedTally, protocol: Protocol) -> str:
    """What to do where an amount of 0 means that somebody got none: two questions are then one."""
    amounts = tally.numbers.get("amount", np.zeros(0))
    known = tally.used * ~np.isnan(amounts) if amounts.size else amounts
    if is_binary(amounts) and not protocol.adjust_for:
        if protocol.decision:  # which keeps its place
            return ONLY_TWO_BESIDE.format(name=DataText(protocol.argument("amount")))
        return ONLY_TWO.format(setting=Setting("decision", protocol.argument("amount")))
    return ZEROS if float(known[amounts == 0].sum()) >= MUCH * float(known.sum()) > 0 else ""


def _by_one_amount(tally: CodedTally, protocol: Protocol) -> list[str]:
    """The groups in which one amount makes up more than half of the spread."""
    notes: list[str] = []
    amounts, people = tally.numbers.get("amount"), tally.people(protocol.weight_type)
    if amounts is None:
        return notes
    for attribute in tally.attributes:
        for label, mine in tally.known("amount", attribute).items() if attribute.name in protocol.groups else ():
            values, n = amounts[mine], people[mine]
            if n.sum() >= max(FEWEST_OF_SPREAD, protocol.min_n):
                spread = (values - np.average(values, weights=n)) ** 2
                if spread.max() > 0.5 * (share := float(spread @ n)):
                    about = {"group": DataText(label, attribute.name), "share": percent(float(spread.max()) / share)}
                    notes.append(BY_ONE_AMOUNT.format(**about))
    return notes


def _unweighted(tally: CodedTally, protocol: Protocol) -> list[str]:
    """How many rows a group of a weighted sample rests on; no number where small numbers are suppressed."""
    if tally.weights is None or not protocol.tells_rows:
        return [SUMS] if tally.weights is not None and protocol.weight_type == "probability" else []
    total, squares = (float(sums.sum()) for sums in (tally.weights.weight, tally.weights.square))
    values: dict[str, Any] = {"name": DataText(protocol.weights), "total": small(total, 0)}
    values |= {"n": count(float(tally.used.sum())), "effective": count(round(total**2 / squares) if squares else 0)}
    notes: list[str] = [] if tally.clusters is not None else [WEIGHED.format(**values)]
    name = protocol.clusters or protocol.design.stages[0].get("clusters", "")
    unit = None if tally.clusters is None else tally.clusters.astype(np.intp)
    if tally.sampling is not None and unit is not None:
        unit = tally.sampling.first(unit)
    measure, known = _known_measure(tally, protocol)
    templates = UNWEIGHTED, UNWEIGHTED_IN_CLUSTERS
    if of_known := bool((tally.used[~known] > 0).any()):
        templates = KNOWN_UNWEIGHTED, KNOWN_IN_CLUSTERS
    for attribute in tally.attributes:
        # of combinations rows stand in the table: notes on each would leave no room for it
        if attribute.name in protocol.groups and not (attribute.columns and {*attribute.columns} <= {*protocol.groups}):
            present = known & (attribute.codes >= 0)
            rows = np.bincount(attribute.codes[present], tally.used[present], len(attribute.labels))
            texts, template, values = list(map(count, rows)), templates[0], {"attribute": DataText(attribute.name)}
            values |= {"known": KNOWN_MEASURE[measure]} if of_known else {}
            if unit is not None and name:
                pairs = np.column_stack([attribute.codes, unit])[present & (tally.used > 0)]
                clusters = np.bincount(np.unique(pairs, axis=0)[:, 0], minlength=len(attribute.labels))
                texts = [message("{n} and {k}", n=n, k=count(k)) for n, k in zip(texts, clusters, strict=True)]
                template, values = templates[1], values | {"clusters": DataText(name)}
            sizes = [_counted_group(attribute.name, g, text) for g, text in zip(attribute.labels, texts, strict=True)]
            notes.append(template.format(list_of=listed(sizes, 8), **values))
    return notes


def _known_measure(tally: CodedTally, protocol: Protocol) -> tuple[str, NDArray[np.bool_]]:
    """The measure that the audit is about, and the cells behind its counts: those that have it."""
    role = block_of("", protocol)
    codes = {"decision": tally.decision, "outcome": tally.outcome}.get(role)
    if codes is not None:
        return role, codes != UNKNOWN
    role = "score" if role == "decision" else role
    numbers = tally.numbers.get(role)
    return role, np.ones(tally.rows.size, dtype=bool) if numbers is None else ~np.isnan(numbers)


def _of_design(tally: CodedTally, protocol: Protocol) -> list[str]:
    """How many units, strata and replicates the variances rest on, and the rule of strata of one unit."""
    plan, design = tally.sampling, protocol.design
    if plan is None or tally.clusters is None:
        return []
    present, df = plan.size(tally.clusters[tally.used > 0].astype(np.intp))
    freedom = ONE_DEGREE if df == 1 else DEGREES.format(n=df)
    if plan.scales is not None:
        return [REPLICATED.format(n=plan.scales.size, kind=design.kind, df=freedom)]

    def strata(n: int) -> Message:
        return ONE_STRATUM if n == 1 else STRATA.format(n=n)

    units = int(plan.drawn.sum())
    values: dict[str, Any] = {"units": count(units), "strata": strata(plan.drawn.size), "df": freedom}
    template = STRATIFIED if design.strata else UNSTRATIFIED
    if present < units:
        template = STRATIFIED_IN_PART if design.strata else UNSTRATIFIED_IN_PART
        values |= {"present": count(present), "some": strata(present - df)}
    notes: list[str] = [template.format(**values)]
    notes += [FINITE] if design.fpc else []
    notes += (
        [CALIBRATED.format(names=listed([DataText(name) for name in design.calibration], 4))]
        if design.calibration
        else []
    )
    single = int((plan.drawn == 1).sum())
    return [*notes, SINGLE[design.single_units].format(n=single)] if single and design.single_units in SINGLE else notes


def _few_clusters(tally: CodedTally, protocol: Protocol, rows: Estimates) -> list[str]:
    """How few degrees of freedom comparisons have under clusters, or the units of a design, and a likely cause."""
    compared = [row for row in rows.where(role="main", status="ok") if row.reference and row.contrast != "ratio"]
    least = min((row for row in compared if row.df > 0), key=lambda row: row.df, default=None)
    if tally.clusters is None or least is None:
        return _repeated_clusters(tally, protocol)
    few, pair = (
        least.df < FEWEST_DF,
        {key: DataText(getattr(least, key), least.attribute) for key in ("group", "reference")},
    )
    if tally.sampling is not None:
        plain = _design_freedom(tally, least)
        values = pair | {"df": number(least.df, 1), "plain": plain}
        return [
            (SATTERTHWAITE if least.df < plain - 1e-6 else BY_DESIGN).format(**values),
            *([FEW_UNITS] if few else []),
        ]
    labels = tally.clusters[tally.used > 0]
    n = np.unique(labels).size
    if tally.strata is not None and protocol.clusters and protocol.weight_type == "probability":
        strata = tally.strata.codes[tally.used > 0]
        drawn = len(np.unique(np.column_stack([labels, strata]), axis=0)) == n > np.unique(strata).size > 1
        if drawn and len(labels) > n:
            names = {"clusters": DataText(protocol.clusters), "strata": DataText(protocol.strata)}
            return [WITHIN_STRATA_DRAWN.format(**names, design=Call("survey_design"))]
    if not few:
        return []
    note = FEW_CLUSTERS.format(n=count(n), df=number(least.df, 1), **pair)
    return [note, *_repeated_clusters(tally, protocol)]


def _repeated_clusters(tally: CodedTally, protocol: Protocol) -> list[str]:
    """Labels of clusters that stand in several strata, as those of a survey that begin anew in each."""
    if tally.clusters is None or tally.strata is None or not protocol.clusters:
        return []
    pairs = np.column_stack([tally.clusters, tally.strata.codes])[tally.used > 0]
    if len(np.unique(pairs, axis=0)) == np.unique(pairs[:, 0]).size:
        return []
    names = {"clusters": DataText(protocol.clusters), "strata": DataText(protocol.strata)}
    way = {"design": Call("survey_design"), "setting": Setting("nest", True)}
    return [IN_SEVERAL_STRATA.format(**names, **way)]


def _design_freedom(tally: CodedTally, row: Estimate) -> int:
    """The fewer degrees of freedom that the design has of the people of the two groups of a row."""
    assert tally.sampling is not None and tally.clusters is not None
    levels = next(one for one in tally.attributes if one.name == row.attribute)
    units = [
        tally.clusters[(levels.codes == levels.labels.index(label)) & (tally.used > 0)]
        for label in (row.group, row.reference)
        if label in levels.labels
    ]
    return min((tally.sampling.size(unit.astype(np.intp))[1] for unit in units), default=0)


OF_DESIGN = (
    *(
        STRATIFIED,
        UNSTRATIFIED,
        STRATIFIED_IN_PART,
        UNSTRATIFIED_IN_PART,
        REPLICATED,
        IN_SEVERAL_STRATA,
        WITHIN_STRATA_DRAWN,
    ),
    *(SUMS, WEIGHED, UNWEIGHTED, UNWEIGHTED_IN_CLUSTERS, KNOWN_UNWEIGHTED, KNOWN_IN_CLUSTERS),
    *FEWEST_FREEDOM,
    *(*SINGLE.values(), FINITE, CALIBRATED),
)


def design_lines(notes: Sequence[str]) -> list[str]:
    """The notes on a whole design, on the rows behind weighted numbers, and on few clusters, the most needed first."""
    return [note for one in OF_DESIGN for note in notes if says(note, one)]


def _withheld(rows: Estimates, status: str) -> str:
    result = rows.where(status=status)
    if not result:
        return ""
    reason = next((row.reason for row in result if row.reason), "")
    return ABSENT[status, bool(reason)].format(k=len(result), n=len(rows), text=reason)


def _protected(rows: Estimates, protocol: Protocol) -> str:
    if not rows.where(status="suppressed") or protocol.min_n < 2:  # those of cells that other sites withheld
        return ""
    return (PROTECTED_AMOUNTS if protocol.argument("amount") else PROTECTED).format(n=protocol.min_n)


# The sentences of a summary below its headline table: all groups at once, impact ratios, strata, sensitivity.


MOST_GROUPS = 12


def remarks(
    rows: Estimates,
    metric: str,
    strata: str,
    four_fifths: bool = False,
    within: Sequence[Estimate] = (),
    conf_level: float = math.nan,
) -> list[str]:
    """Yield the sentences below the table of one rate of one attribute.

    metric: the headline rate.
    strata: the legitimate factors, or "".
    four_fifths: whether ratios to the highest rate are read by the rule of four fifths.
    within: those within strata, to which the rule is applied where there are some.
    conf_level: the declared one, which that of a family of comparisons is above.

    >>> gap = Estimate("FPR", "sex", "f", "difference", "m", "sex", estimate=0.1, conf_low=0.02, conf_high=0.2)
    >>> remarks(Estimates([gap]), "FPR", "")
    []
    """
    ratios = rows.where(metric=IMPACT_METRICS.get(metric, ("", ""))[0], contrast="ratio")
    held = rows.only(metric=RATES, role="main", given=strata) if strata else ()
    gaps = rows.only(metric=(metric, RATES), contrast="difference", role="main", term="")
    alike = comparisons_of((row.conf_level for row in gaps), conf_level)
    items = [
        _omnibus(rows.only(metric=metric, role="omnibus", contrast="none")),
        _largest(rows.only(metric=metric, role="omnibus", contrast="difference", status="ok")),
        _impact(
            ratios.only(role="main", status="ok"),
            ratios.only(role="bounds"),
            ratios.only(role="main", status="suppressed"),
            four_fifths and not held,
            (conf_level, alike),
            strata,
        ),
        _impact(within, Estimates(()), (), four_fifths, (conf_level, alike)),
        *_given(rows, strata),
        *_bounds(rows),
        *_std_errors(rows.only(metric=metric, role="main", given="", term="", status="ok")),
        _power(rows),
    ]
    return [sentence for sentence in items if sentence]


def _omnibus(rows: Estimates) -> str:
    if not rows:
        return ""
    row = rows[0]
    if row.status != "ok":
        return f"All groups at once: not estimable, {row.reason}."
    statistic = f"statistic {number(row.statistic, 1)} on {setting(row.df)} df"
    return f"All groups at once: {row.method}, {statistic}, {p_equals(row.p_value)}."


def _largest(rows: Estimates) -> str:
    if not rows:
        return ""
    row = rows[0].changed(reason=renamed(rows[0].reason, lambda _, group: quoted(group)))
    return f"{range_text(row)}."


def _impact(
    rows: Iterable[Estimate],
    bounds: Estimates,
    unsent: Iterable[Estimate],
    ruled: bool,
    of_gaps: tuple[float, int],
    strata: str = "",
) -> str:
    rows = Estimates(row for row in rows if not holds_missing(row.group))  # who is not known is no group of the rule
    if not rows:
        return ""
    ends = {r.group: span(r.conf_low, r.conf_high, impact_ratio) for r in bounds if r.conf_low < r.conf_high}
    ratios = _first(
        [
            f"{_flat(r.group)} {ends.get(r.group) or impact_ratio(r.estimate)}"
            + f" ({ratio_span(r.conf_low, r.conf_high)})" * (r.conf_low == r.conf_low)
            for r in rows
        ]
    )
    short = [r for r in rows if concluded_side(r) == BELOW]
    below = [f"{_flat(r.group)}{' (under 2% of the people)' * (says(r.reason, SMALL_GROUP))}" for r in short]
    name = metrics.METRICS[rows[0].metric].heading
    # of a tally whose cells were withheld; a small group that this audit withholds is no such
    sent_in_part = any(bound.given == WITHHELD for bound in bounds)
    hidden = [r for r in unsent if sent_in_part and not holds_missing(r.group)]
    either = [_flat(r.group) for r in [*rows, *hidden] if says(r.reason, EITHER_SIDE) or r.status == "suppressed"]
    highest = "the highest rate"
    if any(says(r.reason, OTHER_HIGHEST) for r in rows):
        highest += " in the cells that were sent, not known to be that of all people"
    elif any(r.estimate > 1 for r in rows):  # that of a group which the rule does not count is higher
        highest += " of groups with 2% of the people or more"
    left = f" On either side of it, as withheld people may be: {_first(either, ', ')}." if either else ""
    if rows[0].given:
        name, highest = f"{name} of {rows[0].given}", "the highest"
    elif strata:
        highest += f", without regard to {strata}"
    many, adjusted = comparisons_of((r.conf_level for r in rows), of_gaps[0]), ""
    if many != of_gaps[1] and any(r.conf_low == r.conf_low for r in rows):  # the intervals of gaps have another number
        adjusted = f"; intervals {f'adjusted for {many} comparisons' if many > 1 else 'not adjusted'}"
    line = f"{name} to {_flat(rows[0].reference)}, {highest}: {ratios}{adjusted}."
    return f"{line} Below 0.8: {_first(below, ', ') or 'none'}.{left}" if ruled else line


def _ratios_of_each_stratum(rows: Estimates, strata: str, conf_level: float) -> list[str]:
    """The impact ratios of every stratum by itself, where the law asks for them."""
    about = {"metric": IMPACT_METRICS[RATE][0], "role": "supplementary", "contrast": "ratio", "status": "ok"}
    rows = rows.only(given=strata, **about)
    many = comparisons_of(rows.column("conf_level"), conf_level)
    adjusted = f"; intervals adjusted for {many} comparisons" if many > 1 else ""
    each = [
        f"{r.term}: {_flat(r.group)} {impact_ratio(r.estimate)} of {_flat(r.reference)}"
        + f" ({ratio_span(r.conf_low, r.conf_high)})" * (r.conf_low == r.conf_low)
        for r in rows
        if r.term and not holds_missing(r.group)
    ]
    return [f"Ratio to the highest in each {strata} by itself: {_first(each)}{adjusted}."] if each else []


def _first(parts: Sequence[str], mark: str = "; ", unit: str = "") -> str:
    """The parts in one line, as many as the tables show groups; the rest is counted."""
    hidden = len(parts) - MOST_GROUPS
    return (
        mark.join(parts[:MOST_GROUPS])
        + unit
        + (f"{mark}… and {hidden} more, {snippet('all in tidy()')}" if hidden > 0 else "")
    )


def _given(rows: Estimates, strata: str) -> list[str]:
    def odds(group: str) -> str:
        row = rows.where(metric="common odds ratio", group=group)[0]
        if row.status != "ok":
            return f"common odds ratio not estimable: {row.reason}"
        has_limits = not math.isnan(row.conf_low)
        limits = f" ({number(row.conf_low, 2)} to {number(row.conf_high, 2)})" if has_limits else ""
        p = p_equals(row.p_adjusted)
        return f"common odds ratio {number(row.estimate, 2)}{limits}, adjusted {p} of no difference"

    def varied(row: Estimate) -> str:
        found = varying_rows(rows, [row])
        return f"; the difference is not the same in all strata ({p_equals(found[0].p_value)})" if found else ""

    def effect(row: Estimate) -> str:
        if row.status != "ok":
            return f"difference within strata not estimable: {row.reason}"
        outside = OUTSIDE_STRATA.template, LEFT_OUT_OF_ONE.template, OTHER_WITHHELD.template
        people = next((part for part in parts(row.reason) if part.template in outside), "")
        left_out = f" ({people})" if people else ""
        gap = gap_text(row)
        for bound in rows.only(metric=EFFECT, group=row.group, role="bounds"):
            gap = numbers_of(row, bounds=[bound])
        return f"difference within strata {gap}, {p_text(row)}, {verdict_text(row.verdict)}{left_out}"

    def unmeasured(row: Estimate) -> str:
        if row.verdict not in SHOWN:
            return ""
        entries = {(r.metric, r.term): r.estimate for r in rows.only(group=row.group, role="sensitivity", status="ok")}
        keys = ((E_VALUE, ""), (E_VALUE, OF_LIMIT), (BOUND, ""))
        if not entries.keys() >= set(keys):
            return ""
        ratio, limit, bound = (number(entries[key], 2) for key in keys)
        return (
            f" To explain it, an unmeasured factor would need risk ratios of {ratio} (E-value; {limit} for the limit); "
            f"the test withstands odds of {bound} (Rosenbaum)."
        )

    effects = [r for r in rows.where(metric=EFFECT, role="main") if r.status != "suppressed"]
    hidden = len(effects) - MOST_GROUPS
    return [
        f"Given {strata}: {_flat(r.group)} against {_flat(r.reference)}: {effect(r)}; {odds(r.group)}{varied(r)}."
        f"{unmeasured(r)}"
        for r in effects[:MOST_GROUPS]
    ] + (
        [f"Given {strata}: … and {hidden} more group{'s' * (hidden > 1)}, {snippet('all in tidy()')}."]
        if hidden > 0
        else []
    )


def _bounds(rows: Estimates) -> list[str]:
    def ends(row: Estimate) -> str:
        return f"{_flat(row.group)} {signed(100 * row.conf_low, 1)} to {signed(100 * row.conf_high, 1)}"

    every = rows.only(role="bounds", contrast="difference")
    headline = "selection rate" if every.only(metric="selection rate") else "base rate"
    every = every.only(metric=headline)
    missing = dict.fromkeys(r.given for r in every)
    # bounds by one gap at a time can miss the truth where people have both
    cells = [what for what in missing if what == WITHHELD]
    reported = [what for what in missing if what in JOINTLY.values()] or [what for what in missing if what != WITHHELD]
    reported += cells
    lines = []
    for what in reported:
        bounds, limits = every.only(given=what, term=""), every.only(given=what, term=SAMPLING)
        if what == WITHHELD:  # of other groups nobody is missing
            bounds = Estimates(row for row in bounds if not row.conf_low == row.conf_high == row.estimate)
        if not bounds:
            continue
        more = f"; {SAMPLING}, {_first([ends(row) for row in limits])}" if limits else ""
        lines.append(
            f"Whatever the {SEVERAL.get(what, what)} are, the difference of these people lies within: "
            f"{_first([ends(row) for row in bounds], unit=' points')}{more}."
        )
    return lines


def bounds_over_withheld(audit: Audit, metric: str, attribute: str) -> dict[tuple[str, str], Estimate]:
    """(group, contrast) to the bounds of a number that depends on the people of withheld cells."""
    rows = audit.estimates.only(metric=metric, attribute=attribute, role="bounds", given=WITHHELD, status="ok")
    return {
        (row.group, row.contrast): row
        for row in rows
        if not math.isnan(row.conf_low) and not row.conf_low == row.conf_high == row.estimate
    }


AS_SENT = message("cells that were sent")


def bounded_rows(rows: Iterable[Estimate]) -> Estimates:
    """The rows without the estimates that people of withheld cells decide; those of the cells that were sent follow.

    What is left of such a row are the limits that hold whatever these people are, and what was concluded from them.
    """
    rows = Estimates(rows)
    bounds = rows.only(role="bounds", given=WITHHELD, status="ok")
    moved = {_pair(row) for row in bounds if not row.conf_low == row.conf_high == row.estimate}
    of_sent: dict[tuple[str, ...], Estimate] = {}
    result = []
    for row in rows:
        if row.status == "ok" and not row.term and row.role in ("main", ROLE) and _pair(row) in moved:
            blank = Estimate(*_pair(row)[:3], row.contrast, row.reference, n=row.n, events=row.events)
            of_sent[_sent_place(row)] = blank.changed(role="supplementary", given=AS_SENT, estimate=row.estimate)
            result.append(row.changed(status="bounded", estimate=math.nan))
        else:
            result.append(row)
    return Estimates([*result, *of_sent.values()])


def as_sent(audit: Audit) -> Audit:
    """The audit with the estimates of the cells that were sent in their places: sentences set them beside bounds."""
    of_sent = {_sent_place(row): row.estimate for row in audit.estimates.only(role="supplementary", given=AS_SENT)}
    if not of_sent:
        return audit
    rows = (
        row.changed(status="ok", estimate=of_sent[_sent_place(row)]) if row.status == "bounded" else row
        for row in audit.estimates
        if (row.role, row.given) != ("supplementary", AS_SENT)
    )
    return replace(audit, estimates=Estimates(rows))


def _pair(row: Estimate) -> tuple[str, str, str, str]:
    return row.metric, row.attribute, row.group, row.reference


def _sent_place(row: Estimate) -> tuple[str, ...]:
    return (*_pair(row), row.contrast)


def _std_errors(rows: Estimates) -> list[str]:
    """The standard errors of rates and differences where a design makes them no function of the counts."""
    lines = []
    for contrast, what in (("none", "rates"), ("difference", "differences")):
        entries = [
            f"{_flat(row.group)} {percent(row.std_error)}" for row in rows.only(contrast=contrast) if row.df == row.df
        ]
        lines += [f"Standard errors of {what}, in points: {_first(entries)}."] if entries else []
    return lines


def _power(rows: Estimates) -> str:
    sides: dict[str, list[str]] = {}
    for row in rows.only(role="power", status="ok"):
        if row.term in ("below", "above"):
            sides.setdefault(row.group, []).append(f"{'+' * (row.estimate > 0)}{detectable_points(row.estimate)}")
    if not sides:
        return ""
    sizes = _first([f"{_flat(group)} {' or '.join(ends)}" for group, ends in sides.items()])
    return f"Smallest difference that would be detected with power 0.8, in points: {sizes}."


# The audit as text, at most 80 columns: protocol, flow, rates with their comparisons, cautions.


WIDTH = 80
NUMBERS = 55  # columns that the numbers of a line take
RATE_WIDTH, GAP_WIDTH = 5, 6  # of which a rate and a difference take
MOST_PEOPLE = 1e10  # counts of up to ten digits are printed in full
SCORE_TABLES = {
    ("P(X>Y)", "none"): "P(X>Y) of {score} by {by}: chance to score higher than {reference}, ties half",
    ("score shift", "difference"): "Shift of {score} by {by} against {reference}, if the shapes agree; Mann-Whitney",
    ("AUC", "none"): "AUC of {score} by {by}",
    ("AUC", "difference"): "AUC of {score} by {by}: difference from {reference}",
    ("Brier score", "none"): "Brier score of {score} by {by} (smaller is better)",
    ("Brier score", "difference"): "Brier score of {score} by {by}: difference from {reference}",
    ("calibration intercept", "none"): "Calibration intercept of {score} by {by} (0 is right on average)",
    ("calibration intercept", "difference"): "Calibration intercept of {score} by {by}: difference from {reference}",
    ("calibration slope", "none"): "Calibration slope of {score} by {by} (1 is calibrated)",
    ("calibration slope", "difference"): "Calibration slope of {score} by {by}: difference from {reference}",
}
AMOUNT_TABLES = {
    "gap of means": ("mean amount", "Mean {amount} by {by}; {scale} {reference}"),
    "gap of medians": ("median amount", "Median {amount} by {by}; {scale} {reference}"),
}
OF_AMOUNTS = (*AMOUNT_TABLES, *(level for level, _ in AMOUNT_TABLES.values()))
# what the remarks below a table say
BESIDE = ("impact ratio", "scoring impact ratio", "risk difference within strata")
MARKS = {"disparity shown": "D", "flagged": "F", "equivalence shown": "E", "inconclusive": "?", "": ""}
NO_VERDICT = "n"
RATE = "selection rate"


def glance_entries(audit: Audit) -> dict[str, Any]:
    """The entries of ``audit.glance()`` by their names.

    >>> from fairstats.auditing.audit import audit
    >>> glance_entries(audit({"sex": ["f", "m"] * 50, "hired": [1, 0, 0, 0] * 25}, "hired", "sex"))["rows"]
    100
    """
    entries: dict[str, Any] = {"rows": audit.data.rows, "attributes": len(audit.references), "groups": len(audit.cells)}
    entries["estimates"] = len(audit.estimates)
    items = [row for row in answering_rows(audit) if row.verdict]
    members = {_question(row) for row in items}
    items = [row for row in items if not (_mirrored(row) in members and _later(row))]
    entries |= {word.replace(" ", "_"): sum(row.verdict == word for row in items) for word in VERDICTS}
    statuses = audit.estimates.column("status")
    entries |= {status: statuses.count(status) for status in STATUSES}
    settings = {"conf_level": audit.protocol.conf_level, "p_adjust": audit.protocol.p_adjust}
    return {**entries, **settings, "declared": audit.protocol.declared}


def texts(audit: Audit) -> dict[str, str]:
    """What an audit says of itself, by one search for its answers: R keeps all of it."""
    audit = as_sent(audit)
    result = answers(audit)
    found = finding_parts(audit, result)
    return {
        "summary": visible(summarize(audit, " ".join(text for _, text in found), result)),
        "printed": visible(printed(audit, found, result)),
        "finding": visible(" ".join(finding(audit, result, alone=True).split())),
    }


def summarize(audit: Audit, found: str = "", result: tuple[Answer, ...] = ()) -> str:
    """The text that ``print(audit.summary())`` shows; found, result: the finding and the answers where they are known.

    >>> from fairstats.auditing.audit import audit
    >>> data = {"sex": ["f"] * 50 + ["m"] * 50, "hired": [1] * 10 + [0] * 40 + [1] * 30 + [0] * 20}
    >>> summarize(audit(data, decision="hired", groups="sex")).splitlines()[0]
    'Audit of data in memory'
    """
    lines = [f"Audit of {audit.data.name}", ""]
    lines += [*_wrapped(found or finding(audit)), ""]
    result, declared = result or answers(audit), [*_protocol(audit), "", *_flow(audit), ""]
    if (shown := worded(audit)) is not audit:  # tables have the names that sentences have
        audit, result = shown, answers(shown)
    lines += [*_lines_of_all(audit, result, rates_and_errors(audit, result)), *declared]
    views = {label: of_class(audit, label) for label in audit.protocol.classes} or {"": audit}
    for attribute in audit.references:
        for label, one in views.items():
            lines += _attribute(one, attribute, label)
    lines += _classes_at_once(audit)
    if audit.protocol.argument("amount"):
        for attribute in plain(audit):
            lines += _amounts(audit, attribute, AMOUNT_TABLES) + _geometric(audit, attribute)
            lines += _quantiles(audit, attribute) + _held_fixed(audit, attribute) + _of_strata(audit, attribute)
        for attribute in filter(audit.protocol.is_crossed, audit.references):
            lines += _amounts(audit, attribute, ["gap of means"]) + _held_fixed(audit, attribute)
    lines += _scores(audit)
    lines += _further(audit)
    lines += [*_legend(audit), ""]
    lines += _cautions(audit.notes)
    return "\n".join(line.rstrip() for line in lines).rstrip()


def _wrapped(sentence: str, first: str = "", rest: str = "") -> list[str]:
    return textwrap.wrap(
        sentence, WIDTH, initial_indent=first, subsequent_indent=rest or " " * len(first), break_on_hyphens=False
    )


def _entry(name: str, content: str) -> list[str]:
    return _wrapped(content, f"  {name:<11}", " " * 13)


def _references(audit: Audit) -> str:
    """Whom each attribute's groups are compared with, and by which rule: the rest may be named, intersections not."""
    rules = references_by_attribute(audit.protocol.reference, audit.references)
    rules |= dict.fromkeys(elsewhere(audit.protocol, audit.references), LARGEST_GROUP)
    by_rule: dict[str, list[str]] = {}
    for attribute, group in audit.references.items():
        rule = reference_rule(rules[attribute]).words
        parts = [rules.get(column, LARGEST_GROUP) for column in audit.protocol.columns_of(attribute)]
        if len(parts) > 1 and group == join(parts):
            rule = "where these meet"
        if rules[attribute] == HIGHEST_RATE and any(c.n != c.n for c in audit.cells if c.attribute == attribute):
            rule = f"{rule}, of the groups that are shown"
        if rules[attribute] == LARGEST_GROUP and any(says(note, HIDDEN) for note in audit.notes):
            rule = f"{rule}, of the cells that were sent"
        by_rule.setdefault(rule, []).append(f"{attribute}: {_flat(group)}")
    return "; ".join(f"{'; '.join(groups)} ({rule})" for rule, groups in by_rule.items())


def _protocol(audit: Audit) -> list[str]:
    p = audit.protocol
    declared = f"read from {p.source}, SHA-256 {p.sha256[:12]}…" if p.declared else "given with the call"
    lines = [f"Protocol ({declared})"]
    if p.classes:
        lines += [
            line for role in ("outcome", "decision") if p.argument(role) for line in _entry(role, p.argument(role))
        ]
        classes = (" < " if p.ranked else ", ").join(p.classes)
        unordered = f"without an order, which {named('class_order')} gives"
        lines += _entry("classes", f"{classes}; {'in this order' if p.ranked else unordered}")
    elif p.outcome:
        lines += _entry("outcome", f"{p.outcome}; positive: {p.positive}")
    if (p.decision or p.threshold is not None) and not p.classes:
        positive_prediction = (
            f"; predicts the positive outcome: {decision_text(p, p.positive_prediction)}" if p.outcome else ""
        )
        favored = phrase(p, "D=+") if p.counted else decision_text(p, p.favorable)
        lines += _entry("decision", f"favorable: {favored}{positive_prediction}")
    for role, column in (("score", p.score), *p.measured):
        lines += _entry(role, column) if column else []
    lines += _entry("reference", _references(audit))
    lines += _entry("intervals", f"{level(p.conf_level)}; of comparisons at the adjusted level")
    lines += _entry("family", family_text(audit))
    lines += _entry("margin", p.margin.words)
    lines += _entry("missing", MISSING[p.missing].words)
    if p.min_n > 1:
        lines += _entry("suppressed", f"groups and denominators of fewer than {p.min_n} people, and what tells them")
    if p.design:
        lines += _entry("design", p.design.words)
    elif p.weights:
        lines += _entry("weights", f"{p.weights} ({p.weight_type})")
    if p.clusters:
        lines += _entry("clusters", p.clusters)
    if p.strata:
        lines += _entry("strata", p.strata)
    if p.adjust_for:
        lines += _entry("adjusted", f"gaps of amounts, for {p.alike}")
    return lines


def _flow(audit: Audit) -> list[str]:
    lines = ["Data"]
    for step in audit.flow:
        lines += _wrapped(
            f"{step.label}{': ' + step.reason if step.reason else ''}",
            f"  {'' if math.isnan(step.n) else count(step.n):>10}  ",
        )
    return lines


def _classes_at_once(audit: Audit) -> list[str]:
    """P(X>Y) and cumulative shares of ordered classes by group, and the test of all classes of each attribute."""
    lines, strata = list[str](), audit.protocol.strata
    crude = f", without regard to {' and '.join(audit.protocol.columns_of(strata))}" if strata else ""
    for attribute in plain(audit) if audit.protocol.classes else []:
        if effects := audit.estimates.where(attribute=attribute, metric=IN_ORDER):
            other = audit.references[attribute]
            lines += _wrapped(f"P(X>Y) by {attribute}: chance of a better class than {other}, ties half{crude}")
            lines += _score_lines(effects, audit)
        for label in audit.protocol.classes[1:-1] if audit.protocol.ranked else ():
            about = {"attribute": attribute, "metric": CUMULATIVE, "term": label, "role": "main"}
            rows, gaps = (audit.estimates.where(**about, contrast=c) for c in ("none", "difference"))
            called = f"{audit.protocol.decision or audit.protocol.outcome} = {label} or worse"
            untested = gaps.map(lambda row: row.changed(p_value=math.nan))  # the shares of the classes are
            lines += _metric(CUMULATIVE, rows, untested, audit, called) if rows else []
        for row in audit.estimates.where(attribute=attribute, metric=AT_ONCE):
            of = "; ".join(filter(None, [row.method, row.reason]))
            found = f"{chi_square(row)} ({of})" if row.status == "ok" else _in_words(row)
            lines += [*_wrapped(f"All classes by {attribute} at once{crude}: {found}", "", "  "), ""]
    return lines


def rates_of(audit: Audit, answer: Answer, most: int = MOST_GROUPS) -> list[str]:
    """The table of the rate that an answer is about, with an empty line; nothing where it is no rate.

    most: groups that have a line.
    """
    if answer.term:
        return _shares_of_classes(audit, answer)
    rows = audit.estimates.where(attribute=answer.attribute, metric=answer.metric, role="main", given="")
    levels = rows.where(contrast="none")
    gaps = rows.where(contrast="difference")
    if answer.metric in OF_AMOUNTS:
        gap = OF_GAPS.get(answer.metric, answer.metric)
        return [*_amounts(audit, answer.attribute, [gap], most), *_held_fixed(audit, answer.attribute)]
    if levels and levels[0].reference:  # P(X>Y), a number of two groups
        return _chances(audit, answer, levels)
    if not levels:
        return []
    if answer.flags and not bounds_over_withheld(audit, answer.metric, answer.attribute):
        called, in_words = answer_event(audit.protocol, answer)
        called = capital(called) if in_words else called  # the name of a column stays as it is
        lines = _metric(answer.metric, levels.map(complement), gaps.map(complement), audit, called, most)
    else:
        lines = _metric(answer.metric, levels, gaps, audit, most=most)
    errors = (line for sentence in standard_errors(audit, [answer]) for line in _wrapped(sentence, "  ", "    "))
    return [*lines[:-1], *errors, ""]


def sampled(protocol: Protocol) -> bool:
    """Whether people were drawn together or with unequal chances, so that counts do not tell standard errors."""
    return bool(protocol.design or protocol.clusters) or protocol.weight_type == "probability"


def _chances(audit: Audit, answer: Answer, rows: Estimates) -> list[str]:
    """The table of the chance of a higher score, which is a number of a group and its reference."""
    head = SCORE_TABLES["P(X>Y)", "none"].format(
        score=audit.protocol.score, by=answer.attribute, reference=_flat(audit.references[answer.attribute])
    )
    strata, rows = _chances_within(audit, answer.attribute, rows)
    lines = [*_wrapped(f"{head}, within {strata}" if strata else head), *_score_lines(rows, audit)]
    return [*lines[:-1], *(_of_error("P(X>Y)", rows) if sampled(audit.protocol) else []), ""]


def _chances_within(audit: Audit, attribute: str, rows: Estimates) -> tuple[str, Estimates]:
    """The declared strata and the chances within them, where these answer; else "" and the crude ones."""
    strata = audit.protocol.strata
    about = {"metric": SCORES, "attribute": attribute, "role": "main", "given": strata}
    found, groups = audit.estimates.only(**about) if strata else Estimates(()), rows.column("group")
    named = " and ".join(audit.protocol.columns_of(strata)) if found else ""
    people = dict(zip(groups, rows.column("n"), strict=True))  # of the group alone, as everywhere else
    ordered = sorted((row for row in found if row.group in people), key=lambda row: groups.index(row.group))
    return named, Estimates(row.changed(n=people[row.group]) for row in ordered) if found else rows


LONGEST_NAME = 24  # letters of a group that has its line with the shares of its classes


def _shares_of_classes(audit: Audit, answer: Answer) -> list[str]:
    """A line a group: people, the share of every class with its mark, the gap of the class that differs farthest."""
    p, attribute = audit.protocol, answer.attribute
    rows = audit.estimates.only(metric=SHARE, attribute=attribute, role="main")
    rates, gaps = (
        {(r.term, r.group): r for r in _as_crude(audit, rows.only(contrast=c))} for c in ("none", "difference")
    )
    reference, order = audit.references[attribute], by_size(audit, attribute)
    groups = order[:MOST_GROUPS]
    overturned = {label for (label, _), gap in gaps.items() if undone(audit, gap) is not None}
    wide = {label: 1 + (label in overturned) for label in p.classes}  # of marks

    def share(label: str, group: str) -> str:
        rate, gap = rates[label, group], gaps.get((label, group))
        if rate.status != "ok":
            return ""
        sign = "" if gap is None else _plain_mark(gap) + OVERTURNED * (undone(audit, gap) is not None)
        return f"{percent(rate.estimate)} {strong(sign)}{'':{wide[label] - len(sign)}}"

    def apart(group: str) -> str:
        rate, gap = rates[answer.term, group], gaps.get((answer.term, group))
        if rate.status != "ok" or gap is None or gap.status != "ok":
            return "reference" if group == reference and rate.status == "ok" else STATUS_NAMES[(gap or rate).status]
        ends = span(*decisive_interval(gap), _signed_points) if gap.conf_low == gap.conf_low else ""
        return f"{_signed_points(gap.estimate):>{GAP_WIDTH}}  {ends}"

    columns = [["people", *(_people(rates[answer.term, group].n) for group in groups)]]
    columns += [[f"{label}{'':{1 + wide[label]}}", *(share(label, group) for group in groups)] for label in p.classes]
    effects = {r.group: r for r in audit.estimates.only(metric=IN_ORDER, attribute=attribute, status="ok")}
    if effects:
        chances = {group: f"{number(row.estimate, 3)} {_mark(row):1}" for group, row in effects.items()}
        columns.append(["P(X>Y)  ", *(chances.get(group, "") for group in groups)])
    columns = [[f"{cell:>{max(map(len, column))}}" for cell in column] for column in columns]
    columns += [["", *map(apart, groups)]]
    crude = f", without regard to {' and '.join(p.columns_of(p.strata))}" if p.strata else ""
    of = f"difference from {_flat(reference)} in {answer.term}, in points (interval)"
    chance = f"; P(X>Y): chance of a better class than {_flat(reference)}, 0.5 where alike" if effects else ""
    lines = _wrapped(f"{p.decision or p.outcome} by {attribute}, %; {of}{chance}{crude}")
    widths = [1 + max(map(len, column)) for column in columns]
    named = min(LONGEST_NAME, max(len(_flat(group)) for group in groups))
    while columns:  # classes that a line has no room for follow in further lines
        used = max(1, sum(2 + named + end <= WIDTH for end in accumulate(widths)))
        for name, *cells in zip(["", *map(_flat, groups)], *columns[:used], strict=True):
            if len(name) > named:
                lines += _wrapped(name, "  ", "    ")
                name = ""
            lines += _kept(f"  {name:<{named}} {' '.join(cells)}".rstrip())
        columns, widths = columns[used:], widths[used:]
    return [*lines, *_more(Estimates(rates[answer.term, group] for group in order)), ""]


def errors_of_classes(audit: Audit, result: Sequence[Answer]) -> tuple[Table | None, set[str]]:
    """A line a group of every attribute: the errors by class, and their marks; no table without an outcome."""
    p, signs = audit.protocol, set[str]()
    columns = [(metric, label) for metric in (TPR, PPV) for label in p.classes]
    table: list[tuple[str, ...]] = []
    for one in result:
        about = {"attribute": one.attribute, "role": "main"}
        rows = {
            (r.metric, r.term, r.group, r.contrast): r
            for m in (TPR, PPV)
            for r in audit.estimates.only(metric=m, **about)
        }
        for group in by_size(audit, one.attribute)[:MOST_GROUPS] if rows else ():
            cells = [_flat(group)]
            for metric, label in columns:
                rate = rows.get((metric, label, group, "none"))
                gap = rows.get((metric, label, group, "difference"))
                sign = "" if gap is None else _mark(gap)
                signs |= {sign} - {""}
                share = percent(rate.estimate) if rate is not None and rate.status == "ok" else "–"
                cell = f"{share} {sign:1}"
                cells.append(Strong(cell) if gap is not None and gap.verdict in SHOWN else cell)
            table.append(tuple(cells))
    said = f"Errors, %: TPR of those whose {p.outcome} is the class, PPV of those given it"
    names = {TPR: "TPR", PPV: "PPV"}
    marked = (Heading(f"{names[metric]}: {label}", kind="word") for metric, label in columns)
    return Table(said, (*headings(""), *marked), tuple(table), _legend_of(signs)) if table else None, signs


def _lines_of_errors(audit: Audit, result: Sequence[Answer]) -> tuple[list[str], set[str]]:
    """The same in the console, with the marks; nothing with many classes."""
    table, signs = errors_of_classes(audit, result)
    if table is None:
        return [], set()
    p = audit.protocol
    heads = ["", *(f"{label}  " for label in p.classes * 2)]
    wide = [max(map(len, column)) for column in zip(heads, *table.rows, strict=True)]
    if sum(wide) + len(wide) + 4 > WIDTH:
        return [], set()
    half = 1 + len(p.classes)
    ends = sum(wide[1:half]) + half - 2, sum(wide[half:]) + half - 2
    over = f"  {'':{wide[0]}} {'TPR':^{ends[0]}}  {'PPV':^{ends[1]}}"
    lines = [*_wrapped(table.caption), over.rstrip()]
    for name, *cells in (heads, *table.rows):
        numbers = [f"{cell:>{n}}" for cell, n in zip(cells, wide[1:], strict=True)]
        lines.append(f"  {name:<{wide[0]}} {' '.join(numbers[: half - 1])}  {' '.join(numbers[half - 1 :])}".rstrip())
    return [*lines, ""], signs


def _levels_of_classes(audit: Audit, result: Sequence[Answer]) -> str:
    """The level that the intervals of all gaps of classes have together."""
    of = {one.attribute for one in result}
    rows = [row for row in audit.estimates.only(metric=SHARE, contrast="difference", role="main", status="ok")
            if row.attribute in of and row.conf_low == row.conf_low]  # fmt: skip
    if not rows or audit.protocol.p_adjust == BH or any(row.verdict == "equivalence shown" for row in rows):
        return ""  # those that show equality have a level of their own
    together = audit.protocol.conf_level
    many = comparisons_of((row.conf_level for row in rows), together)
    adjusted = f", adjusted for {many} comparisons" if many > 1 else ""
    return f"Intervals: {level_number(together)}%{adjusted}."


DAGGER = "\N{DAGGER}"


def rates_and_errors(audit: Audit, result: tuple[Answer, ...], most: int = MOST_GROUPS) -> Table | None:
    """A line a group of every attribute that has an answer: people, rate, gap, ratio, errors; None without both.

    most: groups of each attribute beside its reference.
    """
    p = audit.protocol
    rates = audit.estimates.only(role="main", contrast="none")
    errors = [m for m in errors_of(audit) if any(row.status != "unestimable" for row in rates.only(metric=m))]
    ruled = p.four_fifths and not flags(p) and all(one.metric == RATE for one in result) and bool(_ratios(audit))
    return _of_all(audit, result, errors, most) if (errors or ruled) and not p.classes else None


def rates_within(audit: Audit, result: tuple[Answer, ...], most: int = MOST_GROUPS) -> Table | None:
    """The same without errors, where the gaps within strata are the answers."""
    return _of_all(audit, result, [], most) if not audit.protocol.classes and _in_strata(audit, result) else None


def _in_strata(audit: Audit, result: Sequence[Answer]) -> dict[tuple[str, str], Estimate]:
    """The differences of rates within strata, where these are the answers: they have the verdicts of the table."""
    answered = spoken_of(result)
    if not answered or any(one.within is None or one.metric != RATE for one in answered):
        return {}
    rows = audit.estimates.only(metric="risk difference within strata", role="main", given=audit.protocol.strata)
    of = {one.attribute for one in answered}
    return {(r.attribute, r.group): complement(r) if flags(audit.protocol) else r for r in rows if r.attribute in of}


def _ratios(audit: Audit) -> Estimates:
    """The ratios to a highest rate, within declared strata, where the law asks for them and no cells were withheld."""
    if not audit.protocol.four_fifths or flags(audit.protocol):
        return Estimates(())
    name = IMPACT_METRICS[RATE][0]
    rows = audit.estimates.only(metric=name, role="main", contrast="ratio", given="", status="ok")
    if audit.estimates.only(metric=name, role="bounds"):
        return Estimates(())
    return ratios_within(audit) if _is_within(audit) else rows


def _is_within(audit: Audit) -> bool:
    return any(answered_within(audit, name, RATE) for name in audit.references)


def ratios_to_highest(audit: Audit, attribute: str) -> dict[str, str]:
    """The ratio of each group of an attribute to the highest rate, where the law asks for it; who is not known is none.

    The group that has the highest rate has 1.
    """
    rows = [row for row in _ratios(audit) if row.attribute == attribute]
    ratios = {row.group: impact_ratio(row.estimate) for row in rows if not holds_missing(row.group)}
    return ratios | {row.reference: impact_ratio(1.0) for row in rows}


def _of_all(audit: Audit, result: tuple[Answer, ...], errors: Sequence[str], most: int = MOST_GROUPS) -> Table:
    """The same with these errors, which may be none; an attribute is a line whose other cells are empty."""
    p = audit.protocol
    chosen = decision_text(p, p.positive_prediction if flags(p) else p.favorable)
    if in_words := phrase(p, "D=1" if flags(p) else "D=+"):
        chosen = f"share who {in_words}"
    strata, within = " and ".join(p.columns_of(p.strata)) if p.strata else "", _in_strata(audit, result)
    crude = f", without regard to {strata}" if strata else ""
    named = "; " * bool(errors) + ", ".join(f"{error_word(p, m)} ({m})" for m in errors)
    ratios = bool(_ratios(audit))
    heads = headings("", "selected/all" if ratios else "people", "rate", *["ratio"] * ratios, *["crude"] * bool(within))
    marked = tuple(Heading(name, kind="word") for name in ("within" if within else "gap", *errors))
    signs, limits = set[str](), set[bool]()
    level = level_of(audit, result)
    blocks = [_block(audit, one.attribute, errors, level, signs, limits, within, most) for one in spoken_of(result)]
    gaps = f"its gap in points{' (interval)' * (True in limits)}{crude}"
    if within:
        gaps = f"its gap in points: crude, and within {strata}{' (interval)' * (True in limits)}"
    if ratios:
        held = f" within {strata}" if _is_within(audit) else ""
        gaps = f"its ratio to the highest{held}, {gaps}"
    sums = "; counts are sums of weights" if p.weight_type == "probability" else ""
    width = len(heads) + len(marked)
    lines = tuple((*line, *[""] * (width - len(line))) for block in blocks for line in block)
    return Table(f"In %: {chosen}, {gaps}{named}{sums}", (*heads, *marked), lines, _legend_of(signs))


def _lines_of_all(audit: Audit, result: tuple[Answer, ...], table: Table | None) -> list[str]:
    """The table of `_of_all` in the console, and the standard errors of a survey; nothing without a table."""
    if table is None:
        return []
    lines = _wrapped(table.caption)
    cells_of = [tuple(heading.label for heading in table.headings), *table.rows]
    wide = [max(map(len, column)) for column in list(zip(*cells_of, strict=True))[1:]]
    room = WIDTH - sum(wide) - len(wide) - 2
    first = max(0, min(room, max(len(line[0]) for line in cells_of)))
    sides = [">" if heading.kind == "number" else "<" for heading in table.headings[1:]]
    for name, *cells in cells_of:
        if not any(cells) or len(name) > first:  # a long name has its own line, and is never cut
            lines += _wrapped(name, "  " if any(cells) else "", "    ")
            name = ""
        numbers = " ".join(f"{cell:{side}{n}}" for cell, side, n in zip(cells, sides, wide, strict=True))
        lines += _kept(f"  {name:<{first}} {numbers}") if any(cells) else []
    errors = standard_errors(audit, spoken_of(result))
    lines += [line for sentence in errors for line in _wrapped(sentence, "  ", "    ")]
    return [*lines, *_wrapped(table.note), ""]


def standard_errors(audit: Audit, result: Sequence[Answer]) -> list[str]:
    """The standard errors of rates, where counts do not tell them; of several answers each sentence names its own."""
    if not sampled(audit.protocol):
        return []
    sentences = list[str]()
    for one in result:
        of = f"{one.attribute}: " if len(result) > 1 else ""
        about = {"attribute": one.attribute, "metric": one.metric, "role": "main", "given": "", "term": ""}
        sentences += [f"{of}{sentence}" for sentence in _std_errors(audit.estimates.only(**about, status="ok"))]
    return sentences


def _legend_of(signs: Collection[str]) -> str:
    """What the marks of a table say."""
    legend = [f"{strong(mark)} {words}" for mark, words in OF_MARKS.items() if mark in signs]
    return f"{', '.join(legend)}." if legend else ""


def _marks_of(audit: Audit, answer: Answer) -> set[str]:
    """The marks of the comparisons in the tables of `rates_of`."""
    metric = SHARE if answer.term else OF_GAPS.get(answer.metric, answer.metric)
    about = {"attribute": answer.attribute, "contrast": contrast_of(metric), "role": "main", "status": "ok"}
    rows = [*_as_crude(audit, audit.estimates.only(metric=metric, given="", **about))]
    if metric == "P(X>Y)":
        rows = [row for row in _chances_within(audit, answer.attribute, Estimates(rows))[1] if row.status == "ok"]
    if answer.metric in OF_AMOUNTS:
        rows += audit.estimates.only(metric=(AMOUNTS, *ADJUSTED), term="", **about)
        moved = audit.estimates.only(metric=answer.metric, given="", **about | {"contrast": "difference"})
        rows += _as_crude(audit, moved)
    return {_plain_mark(row) for row in rows} | {OVERTURNED for row in rows if row.term and undone(audit, row)}


OF_MARKS = {
    "D": "disparity shown",
    "F": "flagged",
    "E": "equivalence shown",
    "?": UNSETTLED,
    DAGGER: "shown for one error rate, not for all together",
    NO_VERDICT: "no verdict (base rates describe the outcome, not the decisions)",
    OVERTURNED: IF_OVERTURNED,
}


def _block(
    audit: Audit, attribute: str, errors: Sequence[str], level: float, signs: set[str], limits: set[bool],
    within: Mapping[tuple[str, str], Estimate], most: int,
) -> list[list[str]]:  # fmt: skip
    """The cells of one attribute: its name, its reference, its other groups, those that are shown to differ first.

    signs, limits: take up which marks stand in the cells, and whether gaps have intervals; within: gaps within strata,
    which have the verdicts where there are any.
    """
    about = {"attribute": attribute, "role": "main", "given": "", "term": ""}
    rates, gaps = (
        {m: {row.group: row for row in audit.estimates.only(metric=m, contrast=c, **about)} for m in (RATE, *errors)}
        for c in ("none", "difference")
    )
    bounds, bounds_within = (bounds_over_withheld(audit, metric, attribute) for metric in (RATE, RATES))
    if flags(audit.protocol):
        rates[RATE], gaps[RATE] = ({g: complement(r) for g, r in rows[RATE].items()} for rows in (rates, gaps))
        bounds, bounds_within = (
            {place: complement(row) for place, row in rows.items()} for rows in (bounds, bounds_within)
        )
    reference = audit.references[attribute]
    groups = [group for group in by_size(audit, attribute) if group in rates[RATE] and group != reference]
    more = len(groups) - most
    if more > 0:
        found = {g: [gaps[m][g] for m in gaps if g in gaps[m] and not (within and m == RATE)] for g in groups}
        found = {g: [*rows, *(r for at, r in within.items() if at == (attribute, g))] for g, rows in found.items()}
        groups.sort(key=lambda g: not any(row.verdict in SHOWN for row in found[g]))
    block: list[list[str]] = [[Strong(attribute)]]
    every, ratios = _ratios(audit), ratios_to_highest(audit, attribute)
    for group in [reference, *groups[:most]]:
        row, gap = rates[RATE][group], gaps[RATE].get(group)
        cells = [_flat(group), _people(row.n), _cell(row, bounds)]
        if every:
            cells[1] = f"{_people(row.events)}/{_people(row.n)}" if row.status == "ok" else _people(row.n)
            cells.append(ratios.get(group, DASH))
        sign = OVERTURNED if gap is not None and undone(audit, gap) is not None else ""
        ranges = bounds
        if within:
            cells.append(_point(gap, bounds, _signed_points) if gap is not None and gap.status == "ok" else "")
            gap, ranges = within.get((attribute, group)), bounds_within
        if group == reference or gap is None:
            cells.append("reference" if group == reference else "")
        else:
            low, high = decisive_interval(gap)
            ends = f" ({percent(low)} to {percent(high)})" if low == low else ""
            known = gap.status == "ok"
            point = _point(gap, ranges, _signed_points) if known else ""
            cell = f"{point}{ends} {_mark(gap)}{sign}" if known else STATUS_NAMES[gap.status]
            cells.append(Strong(cell) if gap.verdict in SHOWN else cell)
            signs |= {_plain_mark(gap), sign}
            limits |= {low == low}
        for metric in errors:
            error, gap = rates[metric].get(group), gaps[metric].get(group)
            sign = "" if gap is None or gap.status != "ok" else _plain_mark(gap)
            sign = DAGGER if gap is not None and gap.verdict in SHOWN and not shown(gap, level) else sign
            signs |= {sign}
            cell = f"{_cell(error)} {strong(sign)}".rstrip() if error is not None else ""
            cells.append(Strong(cell) if gap is not None and gap.verdict in SHOWN and sign != DAGGER else cell)
        block.append(cells)
    return [*block, *([_left_out(more)] if more > 0 else [])]


def _cell(row: Estimate, bounds: Mapping[tuple[str, str], Estimate] = MappingProxyType({})) -> str:
    """A share in per cent with one decimal, as the gap beside it has; of few people how many of them."""
    if row.status != "ok":
        return "–"
    if few_counted(row) and not bounds:
        return f"{_people(row.events)}/{_people(row.n)}"
    return _point(row, bounds, percent)


def _attribute(audit: Audit, attribute: str, label: str = "") -> list[str]:
    rows = audit.estimates.where(attribute=attribute, role="main")
    lines: list[str] = []
    printed = [metric for metric in (*metrics.shown("summary"), *quantities()) if rows.where(metric=metric)]
    printed = [metric for metric in printed if metric not in OF_AMOUNTS]  # they have a table of their own
    # What is said of strata, of missing values and of power is about the decision, where there is one.
    headline = "selection rate" if "selection rate" in printed else next(iter(printed), "")
    if audit.protocol.is_crossed(attribute):
        of_errors = [m for m in printed if label and any(r.verdict in SHOWN for r in rows.where(metric=m))]
        printed = list(dict.fromkeys([headline, *of_errors])) if headline else []
    for metric in printed:
        levels = rows.where(metric=metric, contrast="none")
        called = label and (event(audit.protocol, metric)[0] if metric == headline else f"{metric} of {label}")
        if metric == RATE and flags(audit.protocol):  # whose answers are about the other decision
            called = f"{capital(RATE)} ({decision_text(audit.protocol, audit.protocol.favorable)})"
        page = math.nan if label or metric not in may_be_tentative(audit) else level_of(audit, answers(audit))
        lines += _metric(metric, levels, rows.where(metric=metric, contrast="difference"), audit, called, page=page)
        if metric == headline and not audit.protocol.is_crossed(attribute):
            every = audit.estimates.where(attribute=attribute)
            ruled = audit.protocol.four_fifths
            within = ratios_within(audit).only(attribute=attribute) if ruled else ()
            names = remarks(every, metric, audit.protocol.strata, ruled, within, audit.protocol.conf_level)
            if ruled and (groups := open_within(audit, attribute)):
                open_groups = _first([_flat(group) for group in groups], ", ")
                names.append(
                    f"Ratio within strata of {audit.protocol.strata} to the highest: not settled, withheld people "
                    f"decide that of {open_groups}."
                )
            names += _ratios_of_each_stratum(every, audit.protocol.strata, audit.protocol.conf_level)
            lines[-1:] = [line for sentence in names for line in _wrapped(sentence, "  ", "    ")] + [""]
        elif metric == headline and audit.protocol.strata:
            names = _given(audit.estimates.where(attribute=attribute), audit.protocol.strata)
            lines[-1:] = [line for sentence in names for line in _wrapped(sentence, "  ", "    ")] + [""]
    lines += _drawn(audit.estimates.only(attribute=attribute, metric=headline, role="shrunken"))
    if len(printed) == 1 and rows.where(metric="accuracy"):
        lines[-1:] = [f"  the other rates of {attribute} {snippet('are in tidy()')}", ""]
    return lines


def _as_crude(audit: Audit, rows: Estimates) -> Estimates:
    """Rows of one metric and attribute, without the verdicts that those within declared strata have in their place."""
    if not rows or not answered_within(audit, rows[0].attribute, rows[0].metric):
        return rows
    return rows.map(lambda row: row.changed(verdict=""))


def _metric(
    metric: str,
    levels: Estimates,
    gaps: Estimates,
    audit: Audit,
    called: str = "",
    most: int = MOST_GROUPS,
    page: float = math.nan,
) -> list[str]:
    """The lines of one rate; page: the level of page one, above which what is shown is tentative."""
    attribute = levels[0].attribute
    by_group = {row.group: row for row in _as_crude(audit, gaps)}
    reference = audit.references[attribute]
    share = METRICS[metric].scale == PERCENT
    counts = [
        f"{_people(row.events)}/{_people(row.n)}" if row.status == "ok" and share else _people(row.n) for row in levels
    ]
    counted = max(len(c) for c in counts)
    bounds = bounds_over_withheld(audit, metric, attribute)
    plain_form, signed_form = (percent, _signed_points) if share else (compact, _signed_number)
    overturned = {row.group for row in gaps if undone(audit, row) is not None}
    rates = {row.group: _point(row, bounds, plain_form) for row in levels if row.status == "ok"}
    points = {row.group: _point(row, bounds, signed_form) for row in gaps if row.status == "ok"}
    wide = max(RATE_WIDTH, *map(len, rates.values()), 0), max(GAP_WIDTH, *map(len, points.values()), 0)
    numbers = NUMBERS + sum(wide) - RATE_WIDTH - GAP_WIDTH + bool(overturned)
    room = max(0, WIDTH - counted - numbers)  # counts of billions leave no room beside a name
    named = min(room, max(len(_flat(row.group)) for row in levels))
    strata = audit.protocol.strata
    crude = f", without regard to {' and '.join(audit.protocol.columns_of(strata))}" if strata else ""
    units = ("%; ", " in points") if share else ("", "")
    head = f"{called or capital(metric)} by {attribute}, {units[0]}difference from {_flat(reference)}{units[1]}{crude}"
    if audit.protocol.weight_type == "probability":
        head += "; counts are sums of weights"
    if bounds:
        head += "; counts of the cells that were sent, and ranges over what the others may hold"
    lines = _wrapped(head)
    apart = {row.group for row in gaps if row.verdict in SHOWN} | {reference}
    kept = {
        row.group for row in sorted(levels, key=lambda row: row.group not in apart)[:most]
    }  # of many, what is shown
    for row, cell in [one for one in zip(levels, counts, strict=True) if one[0].group in kept]:
        name = _flat(row.group)
        if len(name) > named:  # a long name has its own line, and is never cut
            lines += _wrapped(name, "  ", "    ")
            name = ""
        gap = "" if row.status != "ok" else "reference" if row.group == reference else ""
        if row.status == "ok" and not gap:
            gap = _gap(by_group[row.group], points.get(row.group, ""), wide[1], signed_form, page)
        rate = _rate(row, rates.get(row.group, ""), wide[0], plain_form)
        sign = OVERTURNED * (row.group in overturned)
        lines += _kept(f"  {name:<{named}} {cell:>{counted}} {rate} {gap}{sign}")
    lines += _wrapped(f"{OVERTURNED} {OF_MARKS[OVERTURNED]}", "  ", "    ") if overturned else []
    return [*lines, *_more(levels, most), ""]


def _drawn(rows: Estimates) -> list[str]:
    """Rates drawn toward the mean of all groups, in the console."""
    if not rows:
        return []
    head = f"{capital(rows[0].metric)} by {rows[0].attribute}, drawn toward the mean of all groups, %"
    lines = _wrapped(f"{head}; limits hold for {level(rows[0].conf_level)} of the groups on average, not for each")
    named = min(40, max(len(_flat(row.group)) for row in rows))
    for row in rows[:MOST_GROUPS]:
        name = _flat(row.group)
        if len(name) > named:
            lines += _wrapped(name, "  ", "    ")
            name = ""
        lines += _kept(f"  {name:<{named}} {percent(row.estimate):>5}  {span(row.conf_low, row.conf_high, percent)}")
    return [*lines, *_more(rows), ""]


def _more(rows: Estimates, most: int = MOST_GROUPS) -> list[str]:
    return _left_out(len(rows) - most)


def _left_out(n: int) -> list[str]:
    """How many groups have no line; nothing where all have."""
    return [f"  … and {n} more group{'s' * (n > 1)}, {snippet('all in tidy()')}"] if n > 0 else []


def _people(n: float) -> str:
    """Return a count as text, "" where it is withheld; four digits of a sum of weights that would fill the line."""
    return "" if math.isnan(n) else number(n, 0) if n < MOST_PEOPLE else significant(n, 4)


def _flat(name: str) -> str:
    return quoted(re.sub(r"\s+", " ", name))


def _kept(line: str) -> list[str]:
    """The line as it is laid out, or wrapped where its words are too many."""
    return textwrap.wrap(line, WIDTH, subsequent_indent="    ", replace_whitespace=False)


def _in_words(row: Estimate) -> str:
    return f"{STATUS_NAMES[row.status]}: {row.reason}"


def _point(row: Estimate, bounds: Mapping[tuple[str, str], Estimate], unit: Callable[[float], str]) -> str:
    """An estimate, or its bounds where the people of withheld cells decide it."""
    bound = bounds.get((row.group, row.contrast))
    return unit(row.estimate) if bound is None else f"{unit(bound.conf_low)} to {unit(bound.conf_high)}"


def _signed_points(share: float) -> str:
    return signed(100 * share)


def _signed_number(value: float) -> str:
    return f"{'+' * (value > 0)}{compact(value)}"


def _rate(row: Estimate, point: str, wide: int, form: Callable[[float], str]) -> str:
    if row.status != "ok":
        return _in_words(row)
    ends = f"{form(row.conf_low)} to {form(row.conf_high)}" if row.conf_low == row.conf_low else "no limits"
    return f"{point:>{wide}} {ends:>13}"


def _gap(row: Estimate, point: str, wide: int, form: Callable[[float], str], page: float) -> str:
    if row.status != "ok":
        return STATUS_NAMES[row.status]
    low, high = decisive_interval(row)
    interval = f"{form(low)} to {form(high)}" if low == low else ""  # Holm's steps have p-values alone
    sign = DAGGER if row.verdict in SHOWN and row.p_adjusted > page else _plain_mark(row)
    return f"{point:>{wide}} {interval:>14} {p_value(decisive_p(row), ''):>7} {strong(sign)}"


def _mark(row: Estimate) -> str:
    return strong(_plain_mark(row))


def _plain_mark(row: Estimate) -> str:
    return NO_VERDICT if says(row.reason, DESCRIPTIVE) and not row.verdict else MARKS[row.verdict]


def _amounts(audit: Audit, attribute: str, metrics_shown: Iterable[str], most: int = MOST_GROUPS) -> list[str]:
    """Means and medians by group, each with its gap in per cent of the reference's."""
    lines: list[str] = []
    p, reference = audit.protocol, audit.references[attribute]
    of = f"{p.argument('amount')} ({p.unit})" if p.unit else p.argument("amount")
    for metric, (each, head) in {name: AMOUNT_TABLES[name] for name in metrics_shown}.items():
        rows = audit.estimates.where(attribute=attribute, role="main", given="", term="")
        levels, gaps = rows.where(metric=each, contrast="none"), rows.where(metric=metric)
        if not gaps:
            continue
        moved = rows.where(metric=each, contrast="difference")
        in_unit = not any(row.status == "ok" for row in gaps) and any(row.status == "ok" for row in moved)
        by_group = {row.group: row for row in _as_crude(audit, moved if in_unit else gaps)}
        scale = "difference from that of" if in_unit else "gap in % of that of"
        sign = "" if in_unit else ", below 0 where higher"
        lines += _wrapped(head.format(amount=of, by=attribute, scale=scale, reference=_flat(reference)) + sign)
        cells = [_people(row.n) for row in levels]
        points = [compact(row.estimate) if row.status == "ok" else "" for row in levels]
        wide, counted = max(map(len, points)), max(map(len, cells))
        named = min(max(len(_flat(row.group)) for row in levels), max(8, WIDTH - counted - wide - 38))
        apart = {row.group for row in by_group.values() if row.verdict in SHOWN} | {reference}
        kept = {row.group for row in sorted(levels, key=lambda row: row.group not in apart)[:most]}
        for row, cell, point in [one for one in zip(levels, cells, points, strict=True) if one[0].group in kept]:
            name = _flat(row.group)
            if len(name) > named:
                lines += _wrapped(name, "  ", "    ")
                name = ""
            gap = by_group.get(row.group)
            text = "reference" if row.group == reference else "" if gap is None else _gap_in_percent(gap)
            if in_unit and gap is not None and gap.status == "ok":
                text = _difference(gap)
            if row.status != "ok":
                text = _in_words(row)
            lines += _kept(f"  {name:<{named}} {cell:>{counted}} {point:>{wide}} {text}")
        lines += _more(levels, most)
        if sampled(p):  # else people are independent
            errors = ("means" if each == "mean amount" else "medians", levels), ("differences", moved)
            lines += [line for what, of_rows in errors for line in _of_error(what, of_rows)]
        lines.append("")
    return lines


def _of_error(what: str, rows: Iterable[Estimate]) -> list[str]:
    """One line of the standard errors of means or of their differences, in the unit of the amount."""
    entries = [f"{_flat(row.group)} {compact(row.std_error)}" for row in rows if row.std_error == row.std_error]
    return _wrapped(f"Standard errors of {what}: {_first(entries)}.", "  ", "    ") if entries else []


def _geometric(audit: Audit, attribute: str) -> list[str]:
    """One line of the ratios of geometric means."""
    rows = audit.estimates.where(
        attribute=attribute, role="main", metric="geometric mean", contrast="ratio", status="ok"
    )
    each = [
        f"{_flat(row.group)} {percent(row.estimate)}% "
        f"({span(*decisive_interval(row), percent)}; {p_equals(decisive_p(row))}) {_mark(row)}".rstrip()
        for row in rows[:MOST_GROUPS]
    ]
    if not each:
        return []
    of, reference = audit.protocol.argument("amount"), audit.references[attribute]
    head = f"Geometric mean {of} by {attribute}, in % of that of {_flat(reference)}: "
    return [*_wrapped(head + ", ".join(each), rest="  "), *_more(rows), ""]


def _quantiles(audit: Audit, attribute: str) -> list[str]:
    """The quantiles that were asked for, of every group, and their differences from those of the reference."""
    p, reference = audit.protocol, audit.references[attribute]
    rows = audit.estimates.where(attribute=attribute, role="main", given="", metric="amount quantile")
    apart = {(row.group, row.term): row for row in rows.where(contrast="difference")}
    lines: list[str] = []
    for term in dict.fromkeys(row.term for row in rows) if p.quantiles != AuditArguments.quantiles else ():
        levels = rows.where(contrast="none", term=term)
        head = f"{term} quantile of {p.argument('amount')} by {attribute}; difference from that of {_flat(reference)}"
        lines += _wrapped(f"{head} ({p.unit})" if p.unit else head)
        for row in levels[:MOST_GROUPS]:
            text = _in_words(row) if row.status != "ok" else compact(row.estimate)
            beside = apart.get((row.group, term))
            if row.status == "ok" and row.group == reference:
                text += "  reference"
            elif row.status == "ok" and beside is not None:
                text += f"  {_in_words(beside) if beside.status != 'ok' else _difference(beside)}"
            lines += _kept(f"  {_flat(row.group)}  {text}")
        lines += [*_more(levels), ""]
    return lines


def _difference(row: Estimate) -> str:
    ends = span(*decisive_interval(row), compact)
    return f"{compact(row.estimate)}  {ends}  {p_value(decisive_p(row), '')} {_mark(row)}"


def _held_fixed(audit: Audit, attribute: str) -> list[str]:
    """The gap of each group within strata, and adjusted for covariates."""
    p = audit.protocol
    within = "Gap of mean {amount} by {by} within the same {names}; {scale} {reference}"
    alike = "Adjusted gap of mean {amount} by {by}, for {names}; {scale} {reference}"
    lines = _fixed(audit, attribute, (AMOUNTS, IN_UNIT[AMOUNTS]), p.strata, within) if p.strata else []
    return lines + (_fixed(audit, attribute, ADJUSTED, p.alike, alike) if p.adjust_for else [])


def _of_strata(audit: Audit, attribute: str) -> list[str]:
    """The observed gap of each group in every stratum, those with the most people first."""
    of = {"attribute": attribute, "metric": "gap of means", "role": "supplementary", "given": audit.protocol.strata}
    every = audit.estimates.where(**of) if audit.protocol.strata else Estimates(())
    rows = sorted((row for row in every if row.status == "ok"), key=lambda row: -row.n)
    if not every:
        return []
    names, several = names_of(audit, audit.protocol.strata), len({row.group for row in every}) > 1
    called = [f"{_flat(row.term)}{f', {_flat(row.group)}' * several}" for row in rows]
    head = "People by {by} in each stratum of {names}, and their gap of mean {amount} there, each by itself; in % of "
    head += "that of {reference}"
    values = {"amount": audit.protocol.argument("amount"), "reference": _flat(audit.references[attribute])}
    lines = _wrapped(head.format(by=attribute, names=names, **values))
    counts = [_people(row.n) for row in rows]
    named, counted = (min(max(map(len, cells), default=0), 36) for cells in (called, counts))
    for row, name, n in list(zip(rows, called, counts, strict=True))[:MOST_GROUPS]:
        if len(name) > named:
            lines += _wrapped(name, "  ", "    ")
            name = ""
        limits = " no limits" * (row.conf_low != row.conf_low)
        lines += _kept(f"  {name:<{named}} {n:>{counted}} {_gap_in_percent(row).rstrip()}{limits}")
    if len(rows) > MOST_GROUPS:
        lines.append(f"  … and {len(rows) - MOST_GROUPS} more, {snippet('all in tidy()')}")
    for why, many in Counter(_in_words(row) for row in every if row.status != "ok").items():
        lines += _wrapped(f"{many} {why}", "  ", "    ")
    return [*lines, ""]


def _fixed(audit: Audit, attribute: str, metrics: tuple[str, str], given: str, head: str) -> list[str]:
    """The gap of each group; of amounts without a ratio in their unit."""
    p, about = audit.protocol, {"attribute": attribute, "role": "main", "given": given, "term": ""}
    gaps, moved = (audit.estimates.where(metric=metric, **about) for metric in metrics)
    in_unit = not any(row.status == "ok" for row in gaps) and any(row.status == "ok" for row in moved)
    rows = moved if in_unit else gaps
    if not rows:
        return []
    of = p.argument("amount") if not p.unit else f"{p.argument('amount')} ({p.unit})"
    scale = "difference from that of" if in_unit else "in % of that of"
    values = {"names": names_of(audit, given), "scale": scale, "reference": _flat(audit.references[attribute])}
    lines = _wrapped(head.format(amount=of, by=attribute, **values))
    named = min(max(len(_flat(row.group)) for row in rows), 30)
    for row in rows[:MOST_GROUPS]:
        text = _gap_in_percent(row)
        if in_unit and row.status == "ok":
            low, high = map(compact, decisive_interval(row))
            text = f"{compact(row.estimate)} {low} to {high} {p_value(decisive_p(row), '')} {_mark(row)}"
        lines += _kept(f"  {_flat(row.group):<{named}} {text}")
    return [*lines, *_more(rows), ""]


def _gap_in_percent(row: Estimate) -> str:
    if row.status != "ok":
        return _in_words(row)
    low, high = decisive_interval(row)
    ends = f"{percent(low)}% to {percent(high)}%" if low == low else ""
    return f"{percent(row.estimate):>7}% {ends:>17} {p_value(decisive_p(row), ''):>7} {_mark(row)}"


def _scores(audit: Audit) -> list[str]:
    lines: list[str] = []
    for attribute in audit.references:
        for (metric, contrast), head in SCORE_TABLES.items():
            if audit.protocol.is_crossed(attribute) and metric != "P(X>Y)":
                continue
            rows = audit.estimates.where(attribute=attribute, metric=metric, contrast=contrast, role="main")
            if metric == "calibration intercept" and contrast == "none":
                certain = sum(says(row.reason, CERTAIN) for row in rows)
                lines += [*_wrapped(_not_calibrated(audit, attribute, certain, len(rows))), ""] if certain else []
            rows = Estimates(row for row in rows if not says(row.reason, CERTAIN))
            if rows:
                values = {
                    "score": audit.protocol.score,
                    "by": attribute,
                    "reference": _flat(audit.references[attribute]),
                }
                called = head.format(**values)
                base = known_alone(audit, attribute) if metric in QUALITY and contrast == "none" else ""
                called = f"{called}, {base}" if base else called
                strata, within = _chances_within(audit, attribute, rows) if metric == "P(X>Y)" else ("", rows)
                if strata:
                    lines += [*_wrapped(f"{called}, within {strata}"), *_score_lines(within, audit)]
                    called = f"{called}, without regard to {strata}"
                lines += [*_wrapped(called), *_score_lines(_as_crude(audit, rows), audit)]
    if lines and not audit.protocol.argument("amount"):
        score = audit.protocol.score
        lines += [*_wrapped(f"Means of {score} by group come with {Setting('amount', score)} beside it."), ""]
    return lines


def _not_calibrated(audit: Audit, attribute: str, k: int, n: int) -> str:
    """In one sentence why groups have no calibration, and the way out, in place of a line for every number."""
    return (
        f"Calibration of {audit.protocol.score} by {attribute} is not estimable for {k} of {n} groups: some of their "
        "scores are exactly 0 or 1, whose logit is infinite. Pass scores with more decimals, or clip them first, "
        "say to 0.0001 and 0.9999."
    )


def plain(audit: Audit) -> list[str]:
    """The attributes that are no intersections."""
    return [a for a in audit.references if not audit.protocol.is_crossed(a)]


def _further(audit: Audit) -> list[str]:
    """What is settled in metrics that have no lines above."""
    printed = {*metrics.shown("summary"), *quantities(), *(metric for metric, _ in SCORE_TABLES), *BESIDE}
    printed |= {SHARE, TPR, PPV, IN_ORDER, SCORES, *ADJUSTED, AMOUNTS, IN_UNIT[AMOUNTS], "geometric mean"}
    printed |= {"amount quantile"} if audit.protocol.quantiles != AuditArguments.quantiles else set()
    text = [further_text(audit, a, printed) for a in plain(audit)]
    lines = [line for sentence in text if sentence for line in _wrapped(sentence)]
    return [*lines, ""] if lines else []


def _score_lines(rows: Estimates, audit: Audit) -> list[str]:
    bounds = bounds_over_withheld(audit, rows[0].metric, rows[0].attribute)
    points = [_point(row, bounds, lambda value: number(value, 3)) if row.status == "ok" else "" for row in rows]
    wide = max(7, *map(len, points))
    counts = [_people(row.n) for row in rows]
    counted = max(len(c) for c in counts)
    named = min(max(len(_flat(row.group)) for row in rows), WIDTH - counted - NUMBERS + 19 - wide)
    lines = []
    for row, cell, point in list(zip(rows, counts, points, strict=True))[:MOST_GROUPS]:
        name = _flat(row.group)
        if len(name) > named:
            lines += _wrapped(name, "  ", "    ")
            name = ""
        numbers = _in_words(row)
        if row.status == "ok":
            interval = " to ".join(number(end, 3) for end in decisive_interval(row))
            if row.conf_low != row.conf_low:  # its reason says why, in the table of estimates
                interval = "no interval, ties" if says(row.reason, NO_SHIFT_LIMITS) else "no interval"
            p = p_value(decisive_p(row), "")
            numbers = f"{point:>{wide}} {interval:>17} {p:>7} {strong(MARKS[row.verdict])}"
        lines += _kept(f"  {name:<{named}} {cell:>{counted}} {numbers}")
    return [*lines, *_more(rows), ""]


TESTS = {
    "unconditional": "the exact unconditional test",
    "fisher": "Fisher's exact test",
    "z": "the pooled z-test",
}


def _legend(audit: Audit) -> list[str]:
    shown = "D disparity shown"
    if audit.protocol.p_adjust == BH:
        shown = "F flagged (of all that is flagged a share may be false)"
    words = f"Verdicts, read from adjusted p: {shown}, E equivalence shown ({_of_equality(audit)} of the test of "
    words += f"practical equality), ? {UNSETTLED} (which does not show equality)"
    if audit.protocol.margin == NO_MARGINS:
        words = f"Verdicts, read from adjusted p: {shown}, ? {UNSETTLED} (which does not show equality)"
    if any(says(row.reason, DESCRIPTIVE) for row in audit.estimates.where(role="main", contrast="difference")):
        words += f", {NO_VERDICT} {OF_MARKS[NO_VERDICT]}"
    compared = audit.estimates.where(role="main", contrast="difference", given="")
    page = math.nan if audit.protocol.classes else level_of(audit, answers(audit))
    if any(row.verdict in SHOWN and row.p_adjusted > page for row in compared.only(metric=(*may_be_tentative(audit),))):
        words += f", {DAGGER} {OF_MARKS[DAGGER]}"
    tests = [TESTS[key] for key, test in BY_SIZE.items() if any(says(row.method, test) for row in compared)]
    last = "Rates: Wilson intervals. Differences: score intervals (Miettinen-Nurminen)"
    if tests:
        of_larger = f" (of larger groups {', '.join(tests[1:])})" * (len(tests) > 1)
        last += f" and {tests[0]}{of_larger}, which agree"
    last += "."
    if audit.protocol.weight_type == "probability" or audit.protocol.clusters:
        rare = any(says(row.method, KORN_GRAUBARD) for row in audit.estimates.where(role="main", contrast="none"))
        last = f"Rates: Wilson intervals on effective sizes{', Korn-Graubard intervals of few events' * rare}. "
        last += "Differences: limits that invert the score test on them; t."
    p = audit.protocol
    if p.argument("amount"):
        of_amounts = "Means and their gaps: one test, by permutations of Welch's t in small groups. Medians: limits of "
        of_amounts += "order statistics, combined (MOVER)."
        if p.clusters or p.weight_type == "probability":
            of_amounts = "Means and their gaps: one test, linearized, t. Medians: Woodruff's limits, combined (MOVER)."
        last = f"{last} {of_amounts}" if p.decision or p.outcome or p.score else of_amounts
    return _wrapped(f"{words}. {last}")


def _of_equality(audit: Audit) -> str:
    """What stands beside a verdict of practical equality in the tables: p, and where there is one the interval."""
    equal = audit.estimates.where(role="main", verdict="equivalence shown")
    levels = sorted({decisive_level(row) for row in equal if row.margin_low == row.margin_low})
    return f"the {' or '.join(levels)} interval and the p beside it are" if levels else "the p beside it is"


def _cautions(notes: Sequence[str]) -> list[str]:
    if not notes:
        return []
    lines = ["Cautions"]
    for note in notes:
        lines += _wrapped(translated(note), "  - ", "    ")
    return lines


# A printed audit: the answer, the rates that it is about, how many cautions; `summary` has the whole.


MOST_LINES = 25  # a table of errors may have more
MORE_LINES = 4  # for one table of all attributes
OF_SAMPLES = 10  # for the standard errors of a survey, as many for those of amounts beside rates
OF_NUMBERS = *OF_LINES, PER_CENT, NEARLY_ALL, COUNTED, PERHAPS_THOUSANDS, REPEATED
OF_LABELS = (
    EXCHANGED,
    ALL_OTHERS,
    PERHAPS_SCORE,
    LOOK_ALIKE,
    ODD_CLASSES,
    ODD_ANSWERS,
    ODD_NUMBERS,
    ODD_STRATA,
    PERHAPS_SUMS,
    KNOWN_BY_DECISION,
    KNOWN_BY_DECISION_SCORED,
)


def _shown_of_errors(audit: Audit, attribute: str, metric: str, word: str) -> list[str]:
    """Of each other sensitive rate how many differences of an intersection are shown, where some are."""
    about = {"attribute": attribute, "contrast": "difference", "role": "main", "given": "", "status": "ok"}
    about |= {} if audit.protocol.classes else {"term": ""}
    names = {TPR: "TPR", PPV: "PPV"} if audit.protocol.classes else {name: name for name in SENSITIVE_RATES}
    found = {called: audit.estimates.only(metric=m, **about) for m, called in names.items() if m != metric}
    counts = {name: sum(row.verdict in SHOWN for row in rows) for name, rows in found.items()}
    return [f"{name}: {k} of {len(found[name])} {word}" for name, k in counts.items() if k]


def combined(audit: Audit, result: tuple[Answer, ...], most: int) -> str:
    """How many differences between combinations of attributes are shown, whose tables are in the summary alone.

    That with the widest gap that is shown comes first. most: how many intersections are named.
    """
    strata, found, apart = audit.protocol.strata, list[tuple[tuple[float, float], str]](), list[Estimate]()
    answered = {one.attribute for one in result}
    metric = SHARE if audit.protocol.classes else result[0].metric if result else ""
    about = {"metric": metric, "contrast": contrast_of(metric), "role": "main", "given": "", "status": "ok"}
    within = next((one.within for one in result if one.within is not None), None)
    if within is not None:  # declared strata, or covariates, are the question
        about |= {"metric": within.metric, "contrast": within.contrast, "given": within.given}
    crude = f", without regard to {' and '.join(audit.protocol.columns_of(strata))}" if strata else ""
    for attribute in filter(audit.protocol.is_crossed, audit.references):
        if attribute in answered:
            continue
        rows = audit.estimates.only(attribute=attribute, **about)
        shown = sum(row.verdict in SHOWN for row in rows)
        apart += [row for row in rows if row.verdict in SHOWN]
        names = " × ".join(audit.protocol.columns_of(attribute))
        word = "flagged" if audit.protocol.p_adjust == BH else "shown"
        more = _shown_of_errors(audit, attribute, metric, word if within is None else f"{word}{crude}")
        text = f"{names} ({'; '.join([f'{shown} of {len(rows)} differences {word}', *more])})"
        found += [(widest(rows), text)] if rows else []
    counts = [text for _, text in sorted(found, key=lambda one: one[0], reverse=True)]
    held = crude if within is None else f" within {' and '.join(audit.protocol.columns_of(within.given))}"
    text = f"Also compared{held}: {all_of(counts, most)}."
    row = farthest_shown(apart)
    if row is not None and METRICS[metric].scale == PERCENT:
        single = (row for name in declared(audit) for row in audit.estimates.only(attribute=name, **about))
        first = "The farthest shown" if farthest_shown([*single, *apart]) == row else "The farthest of these"
        where = " × ".join(audit.protocol.columns_of(row.attribute)) + (f", {row.term}" if row.term else "")
        points = 100 * (complement(row) if result[0].flags else row).estimate  # of the decision that the table is of
        apart_by = f"{signed(points)} points"
        if (bound := bound_of(audit, row, result[0].flags)) is not None:
            ends = span(100 * bound.conf_low, 100 * bound.conf_high, signed)
            apart_by = f"{ends} points over what may have been withheld"
        if metric in GAPS_OF_AMOUNTS:  # which are above 0 where the group has less
            apart_by = f"{percent(abs(row.estimate))}% {'lower' if row.estimate > 0 else 'higher'}"
        text += f" {first}: {_flat(row.group)} against {_flat(row.reference)} ({where}), {apart_by}."
    return text if counts else ""


MOST_NAMED = 3  # attributes whose tables are not printed
LEAST_LINES = 7  # of the finding, where notes follow
LEAST_GROUPS = 3  # of the one table, where there is no room for all of it


Parts = Sequence[tuple[int, str]]  # sentences with their rank, as of `finding_parts`


def printed(audit: Audit, found: Parts = (), result: tuple[Answer, ...] = (), follow: bool = False) -> str:
    """The text that ``print(audit)`` shows, in 80 columns: about 25 lines, more of errors, classes, strata and samples.

    found: the finding in parts; result: as of `summarize`; follow: whether the cautions follow, which are then not
    counted.

    >>> from fairstats.auditing.audit import audit
    >>> data = {"sex": ["f"] * 50 + ["m"] * 50, "hired": [1] * 10 + [0] * 40 + [1] * 30 + [0] * 20}
    >>> result = printed(audit(data, decision="hired", groups="sex")).splitlines()
    >>> result[0], result[-1]
    ('Audit of data in memory: 100 rows', '2 cautions; summary() has all numbers.')
    """
    result = result or answers(audit)
    if audit.protocol.classes:  # their tables have most of the lines
        found = finding_parts(audit, result, brief=True)
    found = found or finding_parts(audit, result)
    if (shown := worded(audit)) is not audit:  # tables have the names that sentences have
        audit, result = shown, answers(shown)
    design = list(map(translated, design_lines(audit.notes)))
    # tables go before notes on the design, but for its first: those that there is no room for are in the summary alone
    kept = range(len(design), min(len(design), 1) - 1, -1)
    layouts = [_laid_out(audit, found, design[:n], result, follow) for n in kept]
    longest = MOST_LINES + MORE_LINES + _for_errors(audit)
    return min(layouts, key=lambda layout: (layout[0].count("\n") >= longest, layout[1]))[0]


def _shortened(found: Parts, room: int) -> list[str]:
    """The lines of a finding: where there is no room for all of it whole sentences are left out, the last first.

    >>> _shortened([(0, "Women were selected less often."), (2, "Of many. " * 20), (1, "So were the old.")], 2)
    ['Women were selected less often. So were the old.', '… finding() has the whole answer.']
    """
    kept = list(found)
    lines = _wrapped(" ".join(text for _, text in kept))
    while len(lines) + (len(kept) < len(found)) > room and max(rank for rank, _ in kept) > FIRST:
        last = max(range(len(kept)), key=lambda at: (kept[at][0], at))
        del kept[last]
        lines = _wrapped(" ".join(text for _, text in kept))
    if len(lines) > room:
        lines = lines[: room - 1]
    elif len(kept) == len(found):
        return lines
    return [*lines, f"… {snippet('finding() has the whole answer')}."]


def _for_errors(audit: Audit) -> int:
    """How many lines more the standard errors take, where counts do not tell them."""
    return OF_SAMPLES * (1 + (amounts_of(audit) is not None)) if sampled(audit.protocol) else 0


def _fits(table: tuple[str, Audit, Answer], lines: Sequence[str], most: int) -> bool:
    _, of, one = table
    return len(lines) + len(rates_of(of, one)) + 2 <= most


def _laid_out(
    audit: Audit, found: Parts, design: list[str], result: tuple[Answer, ...], follow: bool
) -> tuple[str, int]:
    """The printed text with some notes on the design, below the tables; and how many parts there was no room for."""
    below, after = (
        [line for note in notes for line in ("", *textwrap.wrap(note, WIDTH))] for notes in (on_labels(audit), design)
    )
    many = "Cautions follow" if follow else many_cautions(audit)
    unordered = len(audit.protocol.classes) > 1 and not audit.protocol.ranked
    amounts = amounts_of(audit)
    crossed, fewer_named = (
        textwrap.wrap(combined(audit, result, named), WIDTH, break_on_hyphens=False) for named in (MOST_NAMED, 1)
    )
    most = MOST_LINES + _for_errors(audit) - unordered - len(fewer_named) - len(after)
    room = most - 4
    shared = _lines_of_all(audit, result, rates_and_errors(audit, result))
    within = not shared and rates_within(audit, result) is not None
    tables = [] if shared else [(one.attribute, audit, one) for one in result]
    alone = len(tables) == 1 and not amounts and not audit.protocol.classes
    # these are always printed: the finding is shortened where all fits into the lines then
    kept = len(rates_of(audit, result[0], LEAST_GROUPS)) + 1 if alone else len(shared)
    both = sampled(audit.protocol) and amounts is not None and not audit.protocol.classes and len(result) == 1
    if both and amounts is not None:  # whose standard errors are asked for, too
        tables_of_both = (audit, result[0]), (amounts, answers(amounts)[0])
        kept = sum(len(rates_of(of, one)) for of, one in tables_of_both) + 1
    whole = _wrapped(" ".join(text for _, text in found))
    if within:
        more_lines = MORE_LINES * (len(spoken_of(result)) > 1)
        space = room + more_lines - len(below) - min(len(whole), LEAST_LINES)
        for groups in range(MOST_GROUPS - 1, LEAST_GROUPS - 1, -1):
            shared = _lines_of_all(audit, result, rates_within(audit, result, groups))
            if len(shared) <= space:
                break
        tables, kept = [], len(shared) - more_lines
    kept = kept if within or (room - len(below) - kept >= LEAST_LINES and (alone or shared or both)) else 0
    of_classes = [line for one in spoken_of(result) for line in rates_of(audit, one)] if audit.protocol.classes else []
    errors, of_errors = _lines_of_errors(audit, spoken_of(result))
    if audit.protocol.classes:
        kept = len(of_classes) + len(errors) + 1
    # beside the errors of classes, which are a table, every attribute has its sentence and no more
    least = min(LEAST_LINES, 3 * len(spoken_of(result)) + 1) if errors else LEAST_LINES
    answer = _shortened(found, max(room - len(below) - kept, least))
    text = [*answer, *below]
    if len(text) > room:
        text = [*text[: room - 1], f"… {snippet('finding() has the whole answer')}."]
    cut = text != [*whole, *below]
    lines = [*_wrapped(title_of(audit)), "", *text, ""]
    wanted, signs = [] if audit.protocol.classes else spoken_of(result), set[str]()
    if audit.protocol.classes:  # each attribute that has a sentence has its table
        lines += [*of_classes, *errors]
        signs |= {sign for one in spoken_of(result) for sign in _marks_of(audit, one)} | of_errors
        tables = []
    too_long = len(lines) + sum(len(rates_of(of, one)) for _, of, one in tables) + 2 > most
    intervals = sampled(audit.protocol) and len(wanted) == 1  # the one table keeps intervals, and has fewer groups
    if tables and too_long and all(one.metric == RATE for one in wanted) and not intervals:
        shared = _lines_of_all(audit, result, _of_all(audit, result, []))  # one table takes fewer lines
        over = len(lines) + len(shared) - (most + MORE_LINES) + 1
        if len(result) == len(wanted) and over <= 0:
            tables = []
        elif len(result) == len(wanted) and len(answer) - over >= LEAST_LINES and not _fits(tables[0], lines, most):
            # rates by group come before the last sentences of the finding
            lines[2 : 2 + len(answer)] = _shortened(found, len(answer) - over)
            tables, cut = [], True
    lines += shared if not tables else []
    if amounts:
        tables += [(f"amounts by {one.attribute}", amounts, one) for one in answers(amounts)]
    left_out: list[str] = []
    for name, of, one in tables:
        table, marks = rates_of(of, one), _marks_of(of, one)
        if table and not left_out and len(lines) + len(table) + 2 <= most:  # none before that of a worse answer
            lines += table
            signs |= marks
        elif len(tables) == 1 and table:
            fewer = (rates_of(of, one, shown) for shown in range(MOST_GROUPS, LEAST_GROUPS, -1))
            fitting = (table for table in fewer if len(lines) + len(table) + 2 <= most)
            lines += next(fitting, rates_of(of, one, LEAST_GROUPS))
            signs |= marks
        elif table:
            left_out.append(name)
    if legend := _legend_of(signs):
        if audit.protocol.classes:
            legend = f"{legend} {_levels_of_classes(audit, spoken_of(result))}".strip()
        lines[-1:] = [*_wrapped(legend), ""]
    last = f"{many}; {snippet('summary() has all numbers')}."
    if left_out:
        which = "1 table is" if len(left_out) == 1 else f"{len(left_out)} tables are"
        rest = f"{many[0].lower()}{many[1:]}; {snippet('summary() has all')}."
        last = f"{which} not printed ({all_of(left_out, MOST_NAMED)}); {rest}"
        last = last if len(last) <= WIDTH else f"{which} not printed; {rest}"
    if unordered:
        lines.append(f"The classes have no order; {named('class_order')} gives them one, and with it P(X>Y).")
    fits = len(lines) + len(crossed) < MOST_LINES + _for_errors(audit) - len(after)
    also = crossed if fits else fewer_named
    lines += [*also, *after[0 if also else 1 :], *([""] if after else []), last]
    return "\n".join(line.rstrip() for line in lines), len(left_out) + cut


def on_labels(audit: Audit) -> list[str]:
    """The cautions on labels and cut-offs that stand below the answer wherever it is shown.

    Labels that may mean that the group is not known are in the answer itself.
    """
    return [translated(note) for note in audit.notes if any(says(note, one) for one in (*OF_NUMBERS, *OF_LABELS))]


def printed_with_cautions(audit: Audit, crude: bool = False) -> str:
    """What ``print(audit)`` shows and below it the cautions that it only counts; crude: as in `finding_parts`."""
    in_print = *OF_NUMBERS, *OF_LABELS, *OF_DESIGN, PERHAPS_MISSING
    left = [note for note in audit.notes if not any(says(note, one) for one in in_print)]
    sent = as_sent(audit)
    text = printed(sent, finding_parts(sent, crude=crude), follow=bool(left))
    return "\n\n".join(filter(None, [visible(text), "\n".join(_cautions(left))]))


def many_cautions(audit: Audit) -> str:
    """How many cautions there are, of which a short form shows few.

    >>> import fairstats as fs
    >>> many_cautions(fs.audit({"sex": ["f", "f", "m", "m"] * 9, "hired": [0, 1, 0, 1] * 9}, "hired", "sex"))
    '3 cautions'
    """
    many = len(audit.notes)
    return {0: "No caution", 1: "1 caution"}.get(many, f"{many} cautions")


def title_of(audit: Audit) -> str:
    """What was audited: the data, how many people, and of how many something is not known."""
    return f"Audit of {audit.data.name}: {size(audit)}{_lacking(audit)}"


def _lacking(audit: Audit) -> str:
    """How many people lack an amount, a score, a decision or an outcome, and are left out of what needs it."""
    labels = [one.lacking for one in MEASURES.values()]
    steps = [step for step in audit.flow if step.label in labels]
    return "".join(f"; {step.label}: {count(step.n)}" for step in steps if step.n > 0)


def size(audit: Audit) -> str:
    """How many rows were read, or how many people these stand for.

    Examples
    --------
    >>> import fairstats as fs
    >>> data = {"sex": ["f", "f", "m", "m"], "hired": [0, 1, 0, 1], "n": [300, 100, 200, 200]}
    >>> size(fs.audit(data, "hired", "sex", weights="n"))
    '800 people in 4 rows'
    """
    if any(says(note, HIDDEN) for note in audit.notes):
        return f"{count(audit.people)} people in the cells that were sent"
    rows = f"{audit.data.rows:,} rows"
    if any(step.label == READ[2] for step in audit.flow):
        return f"{count(audit.people)} rows of the domain, of {rows}"
    return rows if audit.people == audit.data.rows else f"{count(audit.people)} people in {rows}"
