"""One figure of one result, as it stands in the report: to look at in a notebook, or to save."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple, cast

import numpy as np

from fairstats import metrics
from fairstats.auditing.answer import (
    ALIKE,
    AMOUNTS,
    LEVELS,
    answered_within,
    complement,
    of_class,
    refuse_lacking,
)
from fairstats.auditing.change import AuditComparison, named_statements, not_compared_among
from fairstats.auditing.classes import CUMULATIVE, OF_CLASSES
from fairstats.auditing.decompose import Decomposition
from fairstats.auditing.group_studies import GroupStudy, bounded_rows, watched_rows
from fairstats.auditing.local_law_144 import ImpactTable
from fairstats.auditing.protocol import NO_WORDS
from fairstats.auditing.result import Audit, as_sent, bounds_over_withheld, plain
from fairstats.auditing.sentences import by_size, labeled, names_of, strata_name, within_heading
from fairstats.auditing.subgroups import SubgroupScan
from fairstats.cluster.partition import Partition
from fairstats.comparing.result import Comparison, Term
from fairstats.errors import Call, InputError, Setting, listing, nearest, with_hint
from fairstats.estimates import Estimate, Estimates, Figure, Result
from fairstats.inference.parts.coefficients import GAP
from fairstats.inference.representations.choosing_k import ComponentSelection
from fairstats.inference.representations.extra_error import ExtraError
from fairstats.inference.representations.fit_studies import IN_SAMPLE, LOADING, FitStudy, about
from fairstats.inference.representations.leakage import Leakage
from fairstats.inference.representations.proxies import Proxies
from fairstats.inference.representations.tradeoff import Tradeoff
from fairstats.inference.verdicts import comparisons_of, decisive_interval, decisive_level
from fairstats.labels import holds_missing
from fairstats.language import ENGLISH, in_language, mark, say, translated
from fairstats.language import language as known_language
from fairstats.methods.crossfit import OutOfFoldScores
from fairstats.methods.feature_maps import FeatureMap
from fairstats.methods.results import ComponentFit
from fairstats.metrics import METRICS, PERCENT
from fairstats.provenance import BY_SCORE, HISTOGRAM, VALUES, Curve, digests
from fairstats.reporting import words
from fairstats.reporting.bundle import report_labels
from fairstats.reporting.figures.fits import cluster_shares as clusters_figure
from fairstats.reporting.figures.fits import path as path_figure
from fairstats.reporting.figures.rates import CRUDE, dot, filled, forest_plot, numbers_line, shares
from fairstats.reporting.figures.rates import funnel as funnel_figure
from fairstats.reporting.figures.rates import hundred as hundred_figure
from fairstats.reporting.figures.scores import PROBES, ecdf, leakage_strip
from fairstats.reporting.figures.style import WIDE, Drawing, PlacedDrawing, paint_into
from fairstats.reporting.sections.amounts import GAPS as GAPS_IN_TABLES
from fairstats.reporting.sections.amounts import amounts_called, in_quarters, quarters_figure
from fairstats.reporting.sections.audit import (
    FROM_A_FUNNEL,
    WITHIN_STRATA,
    GroupRates,
    drawn_rates,
    errors_forest,
    figure_of,
    flow_of,
    forest_of,
    forest_rows,
    matrix_of,
    open_where_tentative,
    page_level,
    panels_of,
    plottable,
    steps_of,
    strata_of,
    sweep,
    sweep_lines,
    tentative_note,
)
from fairstats.reporting.sections.classes import class_picture
from fairstats.reporting.sections.comparison import GAPS, price_of, scores_of
from fairstats.reporting.sections.decomposition import decomposition_picture, waterfalls
from fairstats.reporting.sections.fits import (
    adjusts_after,
    errors_by_k,
    losses_of,
    proxies_picture,
    scree_of,
    study_sentences,
    tradeoff_picture,
)
from fairstats.reporting.sections.other import (
    caption_of,
    change_picture,
    model_pictures,
    models_picture,
    ordinary,
    periods_picture,
    study_picture,
    subgroups_picture,
)
from fairstats.reporting.sections.shared import (
    JointLimits,
    as_counted,
    attribute_name,
    bounds_of,
    crude_metric,
    curves_of,
    differences_within,
    distribution_picture,
    ends_over_withheld,
    of_flags,
    outcome_picture,
    rate_name,
    sized,
    span,
    term_name,
    unadjusted,
    with_group_names,
)
from fairstats.reporting.tables import others_named
from fairstats.text import level, listed
from fairstats.validation import BONFERRONI, answering, shown, word

# What one kind of figure is: the results that have it, what can be chosen, and how it is drawn.


class Subject(NamedTuple):
    """One figure among those of a kind; what a kind does not distinguish is ""."""

    metric: str = ""
    attribute: str = ""
    term: str = ""  # of a comparison: method and model; of held-out scores: the component


@dataclass(frozen=True)
class Kind:
    """One row of the table of figures."""

    name: Figure
    of: type
    choices: Callable[[Any], Iterable[Subject]]  # of one result, what comes first is drawn where nothing is asked
    draw: Callable[[Any, Subject], Drawing]


# Figures of tidy rows: rates by group, differences and ratios, shares of components.


MOST = 30  # lines of one figure


def rated(row: Estimate) -> bool:
    """Whether the row is one group's share of people."""
    return row.contrast == "none" and bool(row.group) and not row.reference and _share(row)


def contrasted(contrast: str) -> Callable[[Estimate], bool]:
    """Whether a row compares the shares of two groups by their difference, or by their ratio."""

    def is_one(row: Estimate) -> bool:
        others = bool(row.reference) and row.reference != row.group
        return row.contrast == contrast and others and not row.versus and _share(row)

    return is_one


def _share(row: Estimate) -> bool:
    return row.role == "main" and not row.given and (words.metric_row(row.metric).scale == PERCENT or _is_ratio(row))


def _is_ratio(row: Estimate) -> bool:
    return row.contrast == "ratio"


def choices(wanted: Callable[[Estimate], bool]) -> Callable[[Result], list[Subject]]:
    """The metrics and attributes of the rows that a figure is made of; of ratios where one is estimable."""

    def offered(result: Result) -> list[Subject]:
        rows = [r for r in result.estimates if wanted(r)]
        shown = {(r.metric, r.attribute) for r in rows if words.shown(r) or not _is_ratio(r)}
        return by_metric(Subject(*key) for r in rows if (key := (r.metric, r.attribute)) in shown)

    return offered


def by_metric(choices: Iterable[Subject]) -> list[Subject]:
    """Each once, in the order of the vocabulary of metrics; outcomes follow decisions, and what it lacks comes last."""
    order = {name: place for place, name in enumerate(METRICS)} | {"base rate": len(METRICS)}
    return sorted(dict.fromkeys(choices), key=lambda choice: order.get(choice.metric, len(order)))


def rows_of(result: Result, choice: Subject, wanted: Callable[[Estimate], bool]) -> Estimates:
    """The rows of one figure, those of an audit in the order of its groups; the largest of many."""
    rows = [r for r in result.estimates if (r.metric, r.attribute) == (choice.metric, choice.attribute) and wanted(r)]
    kept = sorted(rows, key=lambda r: (holds_missing(r.group), -r.n if r.n == r.n else 0.0))[:MOST]
    order = by_size(result, choice.attribute) if isinstance(result, Audit) else ()
    return sized(Estimates(r for r in rows if r in kept), order)


def left_out(result: Result, choice: Subject, wanted: Callable[[Estimate], bool]) -> str:
    """The sentence that says how many groups are not drawn, "" when all are."""
    every = sum((r.metric, r.attribute) == (choice.metric, choice.attribute) and wanted(r) for r in result.estimates)
    return f" {say('The {n} largest of {m} groups are drawn.', n=MOST, m=every)}" if every > MOST else ""


def _first_of(rows: Sequence[object], most: int = MOST) -> str:
    """The sentence that says how many rows are not drawn, "" when all are."""
    return f" {say('The first {n} of {m} are drawn.', n=most, m=len(rows))}" if len(rows) > most else ""


def rates(result: Result, choice: Subject) -> Drawing:
    """The rate of each group with its interval."""
    rows = as_counted(result, rows_of(result, choice, rated))
    open_rows = bounds_of(result, rows) if isinstance(result, Audit) else {}
    _, name = rate_name(result, choice.metric)
    caption = f"{name}."
    if choice.attribute:
        decided = {(row.group, row.contrast): bound for row, bound in open_rows.items()}
        caption = say("{what}, by {name}.", what=span(list(rows), name, decided), name=attribute_name(choice.attribute))
    reference = getattr(result, "references", {}).get(choice.attribute, "")
    caption = words.capital(caption) + left_out(result, choice, rated)
    is_audit = hasattr(result, "protocol")
    ends = {row.group: (bound.conf_low, bound.conf_high) for row, bound in open_rows.items()}
    found = drawn_rates(cast("Audit", result), choice.attribute, choice.metric) if is_audit else {}
    apart = set()
    if isinstance(result, Audit):
        crude = rows_of(result, choice, contrasted("difference"))
        gaps = differences_within(result, choice.attribute, choice.metric) or crude
        apart = {row.group for row in open_where_tentative(gaps, page_level(result, choice.metric)) if filled(row)}
    if of_flags(result, choice.metric):
        found = {group: complement(row) for group, row in found.items()}
    caption, axis = f"{caption}{_unadjusted(result, choice.metric)}{_level(result, rows)}", f"{name}, %"
    return dot(
        "rates", list(rows), caption=caption, reference=reference, axis=axis, bounds=ends, apart=apart, drawn=found
    )


def contrasts(contrast: str) -> Callable[[Result, Subject], Drawing]:
    """Differences, or ratios, of the groups from their reference, with intervals and verdicts."""
    wanted = contrasted(contrast)

    def drawn(result: Result, choice: Subject) -> Drawing:
        rows = as_counted(result, rows_of(result, choice, wanted))
        what = CONTRASTS[contrast]
        called, in_text = rate_name(result, choice.metric, contrast)
        page = page_level(result, choice.metric) if isinstance(result, Audit) else math.nan
        references = list(dict.fromkeys(row.reference for row in rows))
        short = what == "differences" and len(references) == 1  # the axis names the reference, once
        axis = say("{rate}: ratio", rate=in_text) if METRICS[choice.metric].is_rate else ""
        if short:
            axis = f"{in_text}: {say('difference from {reference}, points', reference=references[0])}"
        lines = _lines_of(result, choice, rows)
        every = open_where_tentative(lines.every, page)
        return forest_plot(
            what,
            every,
            caption=f"{lines.titled(_named(choice.metric, called, what), choice.attribute)}{lines.note}"
            + tentative_note(lines.answering, page)
            + _level(result, lines.answering)
            + left_out(result, choice, wanted),
            margin=_margin(result) if contrast == "difference" else None,
            labels=lines.labels if short else None,
            axis=axis,
            fifths=isinstance(result, Audit) and result.protocol.four_fifths,
            called=lines.called(called),
            ends=bounds_of(result, every) if isinstance(result, Audit) else {},
        )

    return drawn


GRAY = mark("Gray: crude, not adjusted for {strata}.")


class _Lines(NamedTuple):
    """The lines of a figure of comparisons: within declared strata where these answer, each above the crude one."""

    every: list[Estimate]
    answering: list[Estimate]  # of which the caption counts
    labels: list[str]
    within: str  # what they hold fixed, for the caption, "" for nothing
    note: str

    def called(self, name: str) -> Callable[[Estimate], str]:
        """What the rows are called in the alternative text."""
        crude = say("{rate}, crude", rate=name)
        return lambda row: crude if row.estimator == CRUDE else f"{name}{self.within}"

    def titled(self, what: str, attribute: str) -> str:
        """What is compared by an attribute, and how many of the answering lines differ."""
        by = f"{attribute_name(attribute)}{self.within}"
        return say("{what} by {name}: {finding}.", what=what, name=by, finding=_apart(self.answering))


def _lines_of(result: Result, choice: Subject, rows: Estimates) -> _Lines:
    """The lines of crude comparisons, and of differences those within declared strata."""
    every, labels = [*rows], [row.group for row in rows]
    if not isinstance(result, Audit):
        return _Lines(every, every, labels, "", "")
    if any(map(_is_ratio, rows)) or not answered_within(result, choice.attribute, choice.metric):
        return _Lines(every, every, labels, "", _unadjusted(result, choice.metric))
    strata = strata_name(result)
    note = f" {say(GRAY, strata=strata)}"
    held = f"{' ' if result.protocol.strata else ', '}{within_heading(result)}"
    within = {row.group: row for row in differences_within(result, choice.attribute, choice.metric)}
    crude = [_as_crude(row) for row in rows]
    if not within:
        return _Lines(crude, crude, labels, "", note)
    pairs = [(within[row.group], row) for row in crude if row.group in within]
    labels = [label for row, _ in pairs for label in (f"{row.group}{held}", say("{rate}, crude", rate=row.group))]
    return _Lines([row for pair in pairs for row in pair], [row for row, _ in pairs], labels, held, note)


def _unadjusted(result: Result, metric: str) -> str:
    """The end of a caption: that what is drawn is crude where strata are declared."""
    return f" {sentence}" if (sentence := unadjusted(result, metric)) else ""


def _as_crude(row: Estimate) -> Estimate:
    """A comparison beside that within strata, which has the verdict: figures have it in gray."""
    return row.changed(verdict="", estimator=CRUDE)


def _named(metric: str, heading: str, what: str) -> str:
    """``Selection rate, ratios``; a metric that is itself a ratio is not named twice."""
    if metric in words.CONTRASTS[what.removesuffix("s")]:
        return say("{name}s", name=heading)
    return say(mark("{rate}, differences") if what == "differences" else mark("{rate}, ratios"), rate=heading)


def _margin(result: object) -> float | None:
    declared = getattr(getattr(result, "protocol", None), "margin", None)
    return None if declared is None else declared.difference


def _apart(rows: Iterable[Estimate]) -> str:
    items = [r for r in rows if words.shown(r)]
    if not items:
        return say("none can be estimated")
    if not any(r.conf_low == r.conf_low for r in items):  # Holm's steps have none
        if not any(r.verdict for r in items):
            return say("without intervals")
        return say("{k} of {n} shown", k=sum(map(filled, items)), n=len(items))
    equal = {r: 1.0 if _is_ratio(r) else 0.0 for r in items}
    ends = ((decisive_interval(r), null) for r, null in equal.items())
    excluding = sum(low > null or high < null for (low, high), null in ends)
    return say("{k} of {n} intervals exclude equality", k=excluding, n=len(items))


def _level(result: Result, rows: Iterable[Estimate]) -> str:
    """The level of the intervals that are drawn: that of the family, and for how many comparisons they are adjusted."""
    drawn = sorted(
        (row for row in rows if words.shown(row) and np.isfinite(row.conf_level) and row.conf_low == row.conf_low),
        key=lambda r: r.conf_level,
    )
    family_level = math.nan
    if isinstance(result, Audit) and result.protocol.p_adjust == BONFERRONI:
        family_level = result.protocol.conf_level
    times = [comparisons_of([row.conf_level], family_level) for row in drawn]
    decisive = {row: decisive_level(row) for row in drawn}
    equal = [row for row in drawn if decisive[row] != level(row.conf_level)]
    others = [row for row in drawn if row not in equal]
    within = mark("Intervals of gaps within the margin: {levels}.")
    sentences = []
    for what, joint, of in (
        (mark("Intervals: {levels}."), family_level, others),
        (within, 2 * family_level - 1, equal),
    ):
        levels = listed(list(dict.fromkeys(decisive[row] for row in of)))
        if times and times[-1] > 1:
            ends = list(dict.fromkeys(map(str, (times[0], times[-1]))))
            many = ends[0] if len(ends) == 1 else say("{low} to {high}", low=ends[0], high=ends[1])
            text = mark("{level}, adjusted for {many} comparisons ({each} each)")
            levels = say(text, level=level(joint), many=many, each=levels) if of else ""
        sentences += [f" {say(what, levels=levels)}"] if of else []
    return "".join(sentences)


def explained_choices(result: Result) -> list[Subject]:
    """The attributes whose groups explain part of what was taken out, or of components."""
    return list(dict.fromkeys(Subject(r.metric, r.attribute) for r in result.estimates if _explained(r)))


def explained(result: Result, choice: Subject) -> Drawing:
    """The share of each component, direction or feature that the groups explain."""
    rows = [r for r in result.estimates if _explained(r) and r.attribute == choice.attribute]
    shown = sorted(rows, key=lambda r: -r.estimate)[:MOST] if len(rows) > MOST else rows
    more = f" {say('The {n} largest of {m} are drawn.', n=MOST, m=len(rows))}" if len(rows) > MOST else ""
    items = [r for r in rows if words.shown(r)]
    most = max(items, key=lambda r: r.estimate, default=None)
    who = words.capital(attribute_name(choice.attribute) or say("groups"))
    before = adjusts_after(getattr(result, "method", ""))
    caption, axis = f"{who}.", say(OF_GROUPS_BEFORE if before else OF_GROUPS)
    if most:
        values = {"who": who, "share": words.percent(most.estimate), "term": translated(most.term)}
        caption = say("{who}: at most {share}% explained, of {term}.", **values)
    return shares("explained", shown, [translated(r.term) for r in shown], caption=caption + more, axis=axis)


OF_GROUPS, OF_GROUPS_BEFORE = mark("explained by groups, %"), mark("explained by groups before adjustment, %")


def _explained(row: Estimate) -> bool:
    return row.metric == "R2" and bool(row.term)


# Figures of an audit beyond rates and differences: page one, error rates, curves of scores, other thresholds.


MOST_PANELS, MOST_BLOCKS = 6, 3


def claims_choices(audit: Audit) -> list[Subject]:
    """One figure, where page one has comparisons to draw."""
    return [Subject()] if any(plottable(row) for row in audit.claims()) else []


def claims(audit: Audit, _: Subject) -> Drawing:
    """The comparisons of page one."""
    claimed = as_counted(audit, audit.claims())
    gaps = {(row.attribute, row.group) for row in claimed if row.metric == "gap of means"}
    held = audit.estimates.only(metric=(AMOUNTS, ALIKE), role="main")  # which answer, and are no claims
    inside = (row for row in held if words.shown(row) and (row.attribute, row.group) in gaps)
    rows = Estimates(_answering_first(audit, [*claimed, *inside]))
    pages = {metric: page_level(audit, metric) for metric in rows.column("metric")}
    opened = [one for row in rows for one in open_where_tentative([row], pages[row.metric])]
    notes = dict.fromkeys(tentative_note([row], pages[row.metric]) for row in rows)
    drawing = _checked_drawing(figure_of(audit, Estimates(opened)))
    return replace(drawing, caption=f"{drawing.caption}{''.join(notes)}{_level(audit, rows)}")


def _answering_first(audit: Audit, rows: Iterable[Estimate]) -> list[Estimate]:
    """The claims: each within declared strata before the crude one, which then has no verdict."""

    def crude(row: Estimate) -> bool:
        return not row.given and answered_within(audit, row.attribute, row.metric)

    places: dict[tuple[object, ...], int] = {}
    for row in rows:
        beside = crude(row) or bool(row.given)
        places.setdefault((row.attribute, row.group, row.term, "" if beside else row.metric), len(places))
    ordered = sorted(
        rows,
        key=lambda r: (places[r.attribute, r.group, r.term, "" if crude(r) or r.given else r.metric], crude(r)),
    )
    return [_as_crude(row) if crude(row) else row for row in ordered]


def forest_choices(audit: Audit) -> list[Subject]:
    """The metrics and attributes with comparisons as difference and as ratio, where one has at least two."""
    items, longest = [], 0
    for metric, attribute in dict.fromkeys((r.metric, r.attribute) for r in audit.estimates if _difference(r)):
        differences, ratios = _contrasts(audit, Subject(metric, attribute))
        if differences and {r.group for r in differences} <= {r.group for r in ratios}:
            items.append(Subject(metric, attribute))
            longest = max(longest, len(differences))
    return by_metric(items) if longest > 1 else []


def forest(audit: Audit, choice: Subject) -> Drawing:
    """Differences and ratios side by side."""
    (differences, ratios), page = _contrasts(audit, choice), page_level(audit, choice.metric)
    drawn = forest_of("forest", Estimates(open_where_tentative(differences, page)), ratios, audit, least=1)
    drawing = _checked_drawing(drawn)
    note = f"{tentative_note(differences, page)}{_level(audit, differences)}"
    values = {"rate": rate_name(audit, choice.metric)[0], "name": attribute_name(choice.attribute)}
    title = say("{rate} by {name}: {findings}", findings=drawing.caption, **values)
    return replace(drawing, caption=f"{title}{_unadjusted(audit, choice.metric)}{note}")


_difference, _ratio = contrasted("difference"), contrasted("ratio")


def _contrasts(audit: Audit, choice: Subject) -> tuple[Estimates, Estimates]:
    order = by_size(audit, choice.attribute)
    differences, ratios = (rows_of(audit, choice, wanted) for wanted in (_difference, _ratio))
    return sized(as_counted(audit, differences), order), sized(ratios, order)


def funnel_choices(audit: Audit) -> list[Subject]:
    """The rates of which at least as many groups are known as the report draws a funnel of."""
    counts = Counter((r.metric, r.attribute) for r in audit.estimates if rated(r) and words.shown(r))
    known = {key: count - len(ends_over_withheld(audit, *key)) for key, count in counts.items()}
    return [Subject(*key) for key, count in known.items() if count >= FROM_A_FUNNEL]


def funnel(audit: Audit, choice: Subject) -> Drawing:
    """The rates of many groups against their sizes."""
    chosen = (choice.metric, choice.attribute)
    rows = [r for r in audit.estimates if rated(r) and (r.metric, r.attribute) == chosen and words.shown(r)]
    _, name = rate_name(audit, choice.metric)
    ends = ends_over_withheld(audit, *chosen)
    return funnel_figure(
        "funnel", list(as_counted(audit, rows)), axis=name, level=audit.protocol.conf_level, withheld=ends
    )


def hundred_choices(audit: Audit) -> list[Subject]:
    """The rates of which one is known at least."""
    return [choice for choice in choices(rated)(audit) if _of_largest(audit, choice)]


def _of_largest(audit: Audit, choice: Subject) -> list[Estimate]:
    """The rates of the largest groups, without those that withheld people decide."""
    order = by_size(audit, choice.attribute)
    ends = ends_over_withheld(audit, choice.metric, choice.attribute)
    rates = sized(as_counted(audit, rows_of(audit, choice, rated)), order)
    return [r for r in rates if words.shown(r) and r.group not in ends][:MOST_BLOCKS]


def hundred(audit: Audit, choice: Subject) -> Drawing:
    """Of 100 people of each of the largest groups, how many."""
    _, what = rate_name(audit, choice.metric)
    rows = _of_largest(audit, choice)
    caption = say("Filled: {what}, of 100 people, rounded.", what=what)
    return hundred_figure("hundred", rows, caption=f"{caption}{_unadjusted(audit, choice.metric)}", what=what)


def flow_choices(audit: Audit) -> list[Subject]:
    """One figure, where rows were lost on the way."""
    kept, lost = steps_of(audit)
    return [Subject()] if lost and len(kept) > 1 else []


def flow(audit: Audit, _: Subject) -> Drawing:
    """The rows from those read to those analyzed."""
    return _checked_drawing(flow_of(audit))


def matrix_choices(audit: Audit) -> list[Subject]:
    """The rates by each pair of attributes."""
    every = dict.fromkeys(Subject(r.metric, r.attribute) for r in audit.estimates if rated(r))
    crossed = [one for one in every if len(audit.protocol.columns_of(one.attribute)) == 2]
    return sorted(crossed, key=lambda one: one.metric != "selection rate")


def matrix(audit: Audit, choice: Subject) -> Drawing:
    """The rate of each pair of groups of two attributes."""
    rates = rows_of(audit, choice, rated)
    return _checked_drawing(matrix_of("matrix", audit, choice.attribute, _group_rates(audit, choice, rates)))


def _group_rates(audit: Audit, choice: Subject, rates: Estimates) -> GroupRates:
    metric, attribute = choice.metric, choice.attribute
    differences, bounds = rows_of(audit, choice, _difference), bounds_over_withheld(audit, metric, attribute)
    if of_flags(audit, metric):
        rates, differences = (as_counted(audit, rows) for rows in (rates, differences))
        bounds = {key: complement(row) for key, row in bounds.items()}
    names, level = rate_name(audit, metric), audit.protocol.conf_level
    within = differences_within(audit, attribute, metric)
    strata = strata_name(audit) if audit.protocol.strata else ""
    reference = audit.references[attribute]
    return GroupRates(*names, list(rates), differences, reference, bounds, level, within=within, strata=strata)


def class_choices(audit: Audit) -> list[Subject]:
    """The rates of classes and the attributes, where there are several classes."""
    rows = (r for r in audit.estimates if r.metric in (*OF_CLASSES.values(), CUMULATIVE) and rated(r))
    return by_metric(Subject(r.metric, r.attribute) for r in rows if words.shown(r))


def class_rates(audit: Audit, choice: Subject) -> Drawing:
    """The rate of every class in every group."""
    return _checked_drawing(class_picture(audit, choice.attribute, "classes", choice.metric))


def strata_choices(audit: Audit) -> list[Subject]:
    """The attributes, and the factors within whose levels their groups were compared."""
    result = (
        (r.attribute, r.given) for r in audit.estimates if r.metric == WITHIN_STRATA and r.attribute in plain(audit)
    )
    return [Subject("", attribute, given) for attribute, given in dict.fromkeys(result)]


def strata(audit: Audit, choice: Subject) -> Drawing:
    """Differences as they are, and within strata."""
    given = names_of(audit, choice.term) if choice.term else ""
    drawn = [part["figure"] for part in strata_of(audit, choice.attribute, 0) if given in part["figure"].alt]
    return _checked_drawing(drawn[0] if drawn else None)


def quarter_choices(audit: Audit) -> list[Subject]:
    """The attributes whose groups have amounts."""
    return [Subject("share in quarter", name) for name in audit.references if in_quarters(audit, name)]


def quarters(audit: Audit, choice: Subject) -> Drawing:
    """How every group is distributed over the quarters of everybody's amounts."""
    drawing = quarters_figure(audit, choice.attribute, "quarters")
    assert drawing is not None
    return drawing


def _gaps_of_amounts(audit: Audit, attribute: str) -> list[Estimate]:
    about = {"attribute": attribute, "role": "main", "contrast": "none", "term": ""}
    every = (row for metric in (*GAPS_IN_TABLES, ALIKE) for row in audit.estimates.only(metric=metric, **about))
    return [row for row in every if words.shown(row)]


def amount_choices(audit: Audit) -> list[Subject]:
    """The attributes between whose groups there is a gap in amounts."""
    return [Subject("", name) for name in plain(audit) if _gaps_of_amounts(audit, name)]


def amounts(audit: Audit, choice: Subject) -> Drawing:
    """The gaps of means and medians, as they are, within strata and of people who are alike."""
    rows = _gaps_of_amounts(audit, choice.attribute)
    answered = answered_within(audit, choice.attribute, "gap of means")
    answering = [row for row in rows if row.given] if answered else []
    gray = ""
    if answering:
        rows = answering + [_as_crude(row) for row in rows if not row.given]
        gray = f" {say(GRAY, strata=strata_name(audit))}"
    reference = audit.references[choice.attribute]
    title = say("Gaps by {name}: {finding}.", name=attribute_name(choice.attribute), finding=_apart(answering or rows))
    return forest_plot(
        "gaps",
        rows[:MOST],
        caption=f"{title}{gray}{_level(audit, rows)}{_first_of(rows)}",
        margin=audit.protocol.margin.gap,
        labels=[f"{row.group}: {_gap_named(audit, row)}" for row in rows[:MOST]],
        axis=say("how much less than {reference}, in %", reference=reference),
    )


def _gap_named(audit: Audit, row: Estimate) -> str:
    if row.given and row.given == audit.protocol.strata:
        return say("{rate} within {strata}", rate=words.in_text("gap of means"), strata=strata_name(audit))
    name = words.in_text(row.metric)
    return say("{rate}, crude", rate=name) if row.estimator == CRUDE else name


def moved_choices(audit: Audit) -> list[Subject]:
    """The means and medians of amounts whose differences are known, and the attributes."""
    about = {"contrast": "difference", "role": "main"}
    rows = (row for metric in LEVELS.values() for row in audit.estimates.only(metric=metric, **about))
    kept = (row for row in rows if words.shown(row) and not row.given and row.attribute in plain(audit))
    return list(dict.fromkeys(Subject(row.metric, row.attribute) for row in kept))


def moved(audit: Audit, choice: Subject) -> Drawing:
    """The differences of means or medians of amounts from the reference, in their unit."""
    about = {"metric": choice.metric, "attribute": choice.attribute, "contrast": "difference", "role": "main"}
    every = sized(audit.estimates.only(**about, given="", term=""), by_size(audit, choice.attribute))
    rows, what = every[:MOST], amounts_called(audit, choice.metric)
    unit = f", {audit.protocol.unit}" if audit.protocol.unit else ""
    lines = _lines_of(audit, choice, rows)
    title = lines.titled(say("{rate}, differences", rate=what), choice.attribute)
    axis = f"{what}: {say('difference from {reference}', reference=audit.references[choice.attribute])}{unit}"
    return forest_plot(
        "differences",
        lines.every,
        caption=f"{title}{lines.note}{_level(audit, lines.answering)}{_first_of(every)}",
        labels=lines.labels,
        called=lines.called(what),
        axis=axis,
    )


def errors_choices(audit: Audit) -> list[Subject]:
    """The attributes with groups whose error rates are compared."""
    return [Subject("", a) for a in audit.references if panels_of(forest_rows(audit, a))[0]]


def error_rates(audit: Audit, choice: Subject) -> Drawing:
    """Differences of several error rates in one figure."""
    rows = forest_rows(audit, choice.attribute)
    called = {row.metric: rate_name(audit, row.metric)[0] for row in rows}
    drawing = _checked_drawing(errors_forest("errors", audit, rows, called, page_level(audit), least=1))
    return replace(drawing, caption=f"{drawing.caption}{_unadjusted(audit, rows[0].metric)}{_level(audit, rows)}")


def curve_choices(*text: str) -> Callable[[Audit], list[Subject]]:
    """The attributes with curves of one of these kinds."""

    def offered(audit: Audit) -> list[Subject]:
        return [Subject("", a) for a in dict.fromkeys(c.attribute for c in audit.curves if c.kind in text)]

    return offered


def curve(kind: str) -> Callable[[Audit, Subject], Drawing]:
    """Curves of the scores, one line a group."""

    def drawn(audit: Audit, choice: Subject) -> Drawing:
        return curves_of(kind, kind, audit, choice.attribute)

    return drawn


def outcome_by_score(audit: Audit, choice: Subject) -> Drawing:
    """How often the outcome follows each score, by group."""
    return _checked_drawing(outcome_picture(audit, choice.attribute, "outcome-by-score"))


def score_distribution(audit: Audit, choice: Subject) -> Drawing:
    """How the scores of the groups are distributed."""
    return _checked_drawing(
        distribution_picture(audit, choice.attribute, "score-distribution", most=MOST_PANELS, width=WIDE)
    )


def threshold_choices(audit: Audit) -> list[Subject]:
    """The attributes for which other thresholds of the score were looked at."""
    return [Subject("", a) for a in plain(audit) if sweep_lines(audit, a)]


def thresholds(audit: Audit, choice: Subject) -> Drawing:
    """Differences of selection rates had the score been cut elsewhere."""
    return _checked_drawing(sweep("thresholds", audit, choice.attribute))


def _checked_drawing(drawing: Drawing | None) -> Drawing:
    if drawing is None:
        raise InputError("kind", "has no figure of this result.")
    return drawing


# The figure of subgroups: by how much each differs from everybody, with limits that hold together.


def subgroup_choices(result: SubgroupScan) -> list[Subject]:
    """The rate that was asked for."""
    return [Subject(result.metric)]


def differences(result: SubgroupScan, choice: Subject) -> Drawing:
    """The subgroups that are farthest from everybody, each with its simultaneous limits."""
    return subgroups_picture("subgroups", result, MOST)


def group_study_choices(result: GroupStudy) -> list[Subject]:
    """There is one such figure, of all comparisons that were made."""
    return [Subject()] if any(map(words.shown, result.compared())) or bounded_rows(result) else []


def group_study(result: GroupStudy, _: Subject) -> Drawing:
    """The comparisons of representation, stages or matched pairs."""
    return study_picture("differences", result)


def model_choices(result: GroupStudy) -> list[Subject]:
    """The rates and groups of which models leave a gap, where their accuracy is known."""
    return [Subject(metric, "", group) for metric, group in model_pictures(result)]


def models(result: GroupStudy, choice: Subject) -> Drawing:
    """Accuracy of every model against the gap that it leaves."""
    return models_picture("price_gap", result, choice.metric, choice.term)


def period_choices(result: GroupStudy) -> list[Subject]:
    """The groups that were watched, that of the first alarm first."""
    groups = [*result.alarms, *(row.group for row, *_ in watched_rows(result))]
    return [Subject("selection rate", "", group) for group in dict.fromkeys(groups)]


def watched_periods(result: GroupStudy, choice: Subject) -> Drawing:
    """The gap of one group, period by period."""
    return periods_picture("periods", result, choice.term)


# The waterfall of a decomposition: how the parts lead from the reference to each group.


def decomposed_choices(result: Decomposition) -> list[Subject]:
    """The groups whose gap has parts."""
    return [Subject(GAP, "", group) for group in waterfalls(result)]


def decomposed(result: Decomposition, choice: Subject) -> Drawing:
    """The parts of one group's gap."""
    return decomposition_picture("waterfall", result, choice.term)


# Figures of a comparison: gaps between groups and what each method changes, rates by group, held-out scores.


_gap = contrasted("difference")


def gap_choices(result: Comparison) -> list[Subject]:
    """The metrics and attributes in which groups differ."""
    return by_metric(Subject(r.metric, r.attribute) for r in result.estimates if _gap(r))


def gaps(result: Comparison, choice: Subject) -> Drawing:
    """The differences between groups under each method and model."""
    rows = [r for r in result.estimates if _gap(r) and (r.metric, r.attribute) == (choice.metric, choice.attribute)]
    values = {"rate": words.heading(choice.metric), "name": attribute_name(choice.attribute)}
    caption = say("{rate}: differences by {name}, by method and model.", **values)
    rows, key = _together(result, rows)
    return _forest("gaps", rows, caption + key, lambda r: f"{term_name(result, r)}: {words.pair(r)}")


def _together(result: Comparison, rows: list[Estimate], reference: str = "") -> tuple[list[Estimate], str]:
    """Differences with the limits that tables have, which hold for all of a family; and what filled points are.

    reference: from which group, where the points are no differences.
    """
    joint = JointLimits(result, Estimates(rows))
    limits = [joint.limits(row) for row in rows]
    at = say(mark("{level}, by itself") if joint.alone else mark("{level}, adjusted"), level=level(joint.conf_level))
    text = mark("Filled points: the interval ({level}) leaves 0 out.")
    if reference:
        text = mark("Filled points: the interval of the difference from {reference} ({level}) leaves 0 out.")
    key = f" {say(text, level=at, reference=reference)}"
    drawn = [row.changed(conf_low=low, conf_high=high) for row, (low, high) in zip(rows, limits, strict=True)]
    return drawn, key if any(low == low for low, _ in limits) else ""


def change_choices(result: Comparison) -> list[Subject]:
    """The metrics of which a method's change for everybody is known."""
    return by_metric(Subject(r.metric) for r in result.estimates if _change(r))


def changes(result: Comparison, choice: Subject) -> Drawing:
    """A metric for everybody under each method, less that of the first method."""
    rows = [r for r in result.estimates if _change(r) and r.metric == choice.metric]
    caption = say("{rate} of everybody, less the first method's.", rate=words.heading(choice.metric))
    rows, key = _together(result, rows)
    return _forest("changes", rows, caption + key, partial(term_name, result))


def _change(row: Estimate) -> bool:
    scale = words.metric_row(row.metric).scale
    return bool(row.versus) and not row.group and not row.reference and row.role == "main" and scale == PERCENT


def _forest(name: str, rows: list[Estimate], caption: str, label: Callable[[Estimate], str]) -> Drawing:
    shown = rows[:MOST]
    return forest_plot(name, shown, caption=caption + _first_of(rows), labels=[label(r) for r in shown])


def rate_choices(result: Comparison) -> list[Subject]:
    """The metrics, attributes, and methods with models."""
    names = {term.name: place for place, term in enumerate(result.terms)}
    members = {Subject(r.metric, r.attribute, result.label(r)) for r in result.estimates if rated(r)}
    return by_metric(sorted(members, key=lambda choice: (choice.attribute, names[choice.term])))


def comparison_rates(result: Comparison, choice: Subject) -> Drawing:
    """A rate by group under one method and model."""
    every = result.estimates.where(metric=choice.metric, attribute=choice.attribute, **result.of(_term(result, choice)))
    rows, differences = [r for r in every if rated(r)][:MOST], [r for r in every if _gap(r)]
    rate, method = words.in_text(choice.metric), words.capital(term_name(result, rows[0]))
    reference = result.references.get(choice.attribute, "")
    values = {"method": method, "rate": rate, "name": attribute_name(choice.attribute)}
    caption = say("{method}: {rate} by {name}, people held out.", **values)
    differences, key = _together(result, differences, reference)
    apart = {row.group for row in differences if filled(row)}
    return dot("rates", rows, caption=caption + key, reference=reference, axis=f"{rate}, %", apart=apart)


def score_choices(result: Comparison) -> list[Subject]:
    """The attributes, and methods with models, whose held-out scores were kept."""
    kept = {(c.attribute, c.term) for c in result.curves if c.group}
    return [Subject("", a, t.name) for a in result.references for t in result.terms if (a, t.name) in kept]


def scores(result: Comparison, choice: Subject) -> Drawing:
    """The distributions of held-out scores by group."""
    drawing = scores_of("scores", result, choice.attribute, _term(result, choice))
    if drawing is None:
        raise InputError(
            "kind", "has 'ecdf'; the comparison kept no held-out scores; compare with a model that has them."
        )
    return drawing


def price_choices(result: Comparison) -> list[Subject]:
    """The attributes of whose groups a gap is known before and after."""
    first = result.terms[0].method
    gaps = {r.attribute for r in result.estimates if r.metric in GAPS and r.fit == first and _gap(r) and words.shown(r)}
    return [Subject("", a) for a in result.references if a in gaps and len(result.terms) > 1]


def price(result: Comparison, choice: Subject) -> Drawing:
    """What each method costs against the gap that it leaves."""
    drawing = price_of("price", result, choice.attribute)
    if drawing is None:
        raise InputError("kind", "has 'price_gap'; the comparison has no gap to draw; compare at least two methods.")
    return drawing


def _term(result: Comparison, choice: Subject) -> Term:
    return next(term for term in result.terms if term.name == choice.term)


# Figures of fits, of clusterings, of held-out scores, and of the table of a path.


MOST_POINTS = 400  # of one line
MOST_STRIPS = 15
MOST_LINES = 40


def once(_: object) -> list[Subject]:
    """There is one such figure."""
    return [Subject()]


def scree(fit: ComponentFit, _: Subject) -> Drawing:
    """What each component carries, and how much of it goes with the groups."""
    drawing = scree_of("scree", fit.estimates, adjusts_after(fit.method))
    if drawing is None:
        raise InputError("kind", "has 'scree'; the fit has no components; fit it with k of 1 or more.")
    return drawing


def loss_choices(fit: ComponentFit) -> list[Subject]:
    """There is one such figure, where the data told the errors by group."""
    return [Subject()] if fit.price.by_group else []


def losses(fit: ComponentFit, _: Subject) -> Drawing:
    """Who pays: the error of each group under principal components and under the fit."""
    result = losses_of(0, fit.method, cast("Any", fit))
    if result is None:
        raise InputError(
            "kind",
            "has 'group_loss'; the fit knows no errors by group; use "
            f"{Call('reconstruction_error_by_group', ('fit', 'X', 'groups'))}.",
        )
    drawing: Drawing = result["figure"]
    return drawing


def choice(selection: ComponentSelection, _: Subject) -> Drawing:
    """The cross-validated error over the number of components, of the method and of principal components."""
    return errors_by_k("choice", selection)


def study_choices(study: FitStudy) -> list[Subject]:
    """The numbers that a study found, by what they measure: an extra error, an angle, a change."""
    pictured = AuditComparison, Decomposition, GroupStudy, Proxies, Tradeoff  # which have figures of their own
    current = () if isinstance(study, pictured) else study.estimates
    return list(dict.fromkeys(Subject(row.metric) for row in current if _is_drawn(row)))


def changed_choices(comparison: AuditComparison) -> list[Subject]:
    """There is one such figure, where a difference is known before and after."""
    return [Subject()] if change_picture("changes", comparison) else []


def change_drawing(comparison: AuditComparison, _: Subject) -> Drawing:
    """The differences before and after, and their changes; the caption names the groups that it is not of."""
    drawing = cast("Drawing", change_picture("changes", comparison))
    among = not_compared_among(named_statements(comparison))
    return replace(drawing, caption=" ".join([drawing.caption, *map(translated, among)]))


def study(study: FitStudy, choice: Subject) -> Drawing:
    """What a study found, with its intervals; beside it the same on the rows of the fit."""
    rows = [row for row in study.estimates if row.metric == choice.metric and _is_drawn(row)]
    flattered = {about(row): row.estimate for row in study.estimates.only(metric=choice.metric, estimator=IN_SAMPLE)}
    more, rows = _first_of(rows, MOST_LINES), rows[:MOST_LINES]
    beside = [flattered.get(about(row), float("nan")) for row in rows] if flattered else []
    open_ones = f" {say('Open: on the rows of the fit.')}" if flattered else ""
    unit = words.unit(rows[0]).strip()
    return numbers_line(
        "study",
        rows,
        [translated(about(row)) for row in rows],
        caption=f"{study_sentences(study)}{open_ones}{more}",
        axis=words.heading(choice.metric) + (f", {unit}" if unit else ""),
        beside=beside,
    )


def tradeoff_choices(result: Tradeoff) -> list[Subject]:
    """There is one such figure, where there are two methods."""
    return [Subject()] if len(result.points()) > 1 else []


def tradeoff_drawing(result: Tradeoff, _: Subject) -> Drawing:
    """What each method costs against what it leaves, with limits that hold for all together."""
    return tradeoff_picture("tradeoff", result)


def proxies_choices(result: Proxies) -> list[Subject]:
    """The attributes of which a feature has a number."""
    return [Subject("", name) for name in result.attributes() if proxies_picture("study", result, name)]


def proxies_drawing(result: Proxies, choice: Subject) -> Drawing:
    """How well each feature by itself tells the groups of an attribute."""
    return _checked_drawing(proxies_picture("study", result, choice.attribute))


def _is_drawn(row: Estimate) -> bool:
    """Whether a number is what was asked for: no loading, and nothing that only stands beside."""
    return row.metric != LOADING and row.estimator != IN_SAMPLE and row.role != "supplementary"


def composition_choices(partition: Partition) -> list[Subject]:
    """The attributes that the clusters are described by."""
    return [Subject("", table.attribute) for table in partition.compositions]


def clusters(partition: Partition, choice: Subject) -> Drawing:
    """Each cluster's shares of the levels of an attribute."""
    at = [table.attribute for table in partition.compositions].index(choice.attribute)
    table = partition.compositions[at]
    return clusters_figure("clusters", table, caption=caption_of(table), plain=ordinary(partition, at))


def component_choices(kept: OutOfFoldScores) -> list[Subject]:
    """Each component by each attribute."""
    return [Subject("", name, _component(j)) for j in range(kept.k) for name in kept.groups.names]


def _component(j: int) -> str:
    return f"component {j + 1}"


def component_scores(kept: OutOfFoldScores, choice: Subject) -> Drawing:
    """The distribution of one component's scores by group, in the first fold: its rows were scored by one fit."""
    j = [_component(i) for i in range(kept.k)].index(choice.term)
    factor = kept.groups.factors[kept.groups.names.index(choice.attribute)]
    folds = np.unique(kept.folds)
    weights = np.ones(kept.n) if kept.weights is None else np.asarray(kept.weights)
    current = (kept.folds == folds[0]) & (weights > 0)
    lines, sizes = [], {}
    for code, label in enumerate(factor.levels):
        rows = current & (np.asarray(factor.codes) == code)
        if rows.any():
            lines.append(_ecdf_line(choice.attribute, label, kept.scores[rows, j], weights[rows]))
            sizes[label] = weights[rows].sum()
    component, by_name = say("component {n}", n=j + 1), attribute_name(choice.attribute)
    text = mark("Held-out scores of {component} by {name}, fold 1 of {n}.")
    return ecdf(
        "held-out",
        lines,
        caption=say(text, component=component, name=by_name, n=len(folds)),
        order=sorted(sizes, key=lambda level: -sizes[level]),
        axis=component,
    )


def _ecdf_line(attribute: str, level: str, scores: np.ndarray, weights: np.ndarray) -> Curve:
    order = np.argsort(scores, kind="stable")
    below = np.cumsum(weights[order]) / weights.sum()
    at = np.unique(np.linspace(0, len(order) - 1, min(len(order), MOST_POINTS)).round().astype(int))
    return Curve("ecdf", attribute, level, tuple(scores[order][at].tolist()), tuple(below[at].tolist()))


def probe_choices(leakage: Leakage) -> list[Subject]:
    """The attributes whose groups probes were asked for."""
    return list(dict.fromkeys(Subject("", r.attribute) for r in leakage.estimates if r.metric in PROBES))


def probes(leakage: Leakage, choice: Subject) -> Drawing:
    """How well each probe tells each level of an attribute."""
    rows = [r for r in leakage.probed if r.attribute == choice.attribute]
    strips = {row.group: [r for r in rows if r.group == row.group] for row in rows}
    recognized = len(leakage.recognized.only(attribute=choice.attribute))
    reported = sum(r.verdict == "disparity shown" for r in rows) - recognized
    sentences = [say("{k} of {n} probes show a leak.", k=reported, n=len(rows))]
    sentences += [say("{n} more: in these scores, not shown beyond refits.", n=recognized)] if recognized else []
    if len(strips) > MOST_STRIPS:
        sentences.append(say("The first {n} of {m} groups are drawn.", n=MOST_STRIPS, m=len(strips)))
    before = {row.group: leakage.before.only(group=row.group) for row in rows}
    sentences += [say("Open: before the adjustment; filled: after it.")] if leakage.before else []
    caption = f"{leakage.method}: {' '.join(sentences)}"
    return leakage_strip("probes", list(strips.items())[:MOST_STRIPS], caption=caption, before=before)


def is_path(table: object) -> bool:
    """Whether it is the table of ``disparity_path`` or ``sog_path``."""
    return bool({"lam", "t"} & set(getattr(table, "columns", ())))


def path(table: Any) -> Drawing:
    """The errors over the settings of a method."""
    setting = "lam" if "lam" in table.columns else "t"
    return path_figure(
        "path",
        list(_lines(table, setting)),
        caption=say("Errors over {setting}, {n} settings.", setting=setting, n=len(table)),
        setting={"lam": "λ"}.get(setting, setting),
        axis=say("mean squared error") if setting == "lam" else say("squared error"),
    )


def _lines(table: Any, setting: str) -> Iterator[Curve]:
    for name in table.columns:
        if name not in (setting, "nonzero", "explained"):
            x, y = (tuple(table[column].astype(float)) for column in (setting, name))
            yield Curve("path", "", say(str(name).replace("_", " ")), x, y)


OF_PATHS = mark("error"), mark("error advantaged"), mark("error disadvantaged"), mark("disparity")  # their columns


# The table of figures: a new one is a row here, and its name in `results.Figure`.


def _rows_of(cls: type) -> tuple[Kind, ...]:
    """The figures of any table of rates by group."""
    difference, ratio = contrasted("difference"), contrasted("ratio")
    return (
        Kind("rates", cls, choices(rated), rates),
        Kind("differences", cls, choices(difference), contrasts("difference")),
        Kind("ratios", cls, choices(ratio), contrasts("ratio")),
    )


# What a class has first is what `plot()` draws where nothing is asked.
FIGURES: tuple[Kind, ...] = (
    Kind("classes", Audit, class_choices, class_rates),
    *_rows_of(Audit)[:2],
    Kind("gaps", Audit, amount_choices, amounts),
    Kind("differences", Audit, moved_choices, moved),
    *_rows_of(Audit)[2:],
    *_rows_of(Estimates),
    *_rows_of(ImpactTable),
    Kind("forest", Audit, forest_choices, forest),
    Kind("claims", Audit, claims_choices, claims),
    Kind("hundred", Audit, hundred_choices, hundred),
    Kind("flow", Audit, flow_choices, flow),
    Kind("funnel", Audit, funnel_choices, funnel),
    Kind("matrix", Audit, matrix_choices, matrix),
    Kind("crude_adjusted", Audit, strata_choices, strata),
    Kind("quarters", Audit, quarter_choices, quarters),
    Kind("errors", Audit, errors_choices, error_rates),
    Kind("ecdf", Audit, curve_choices("ecdf"), curve("ecdf")),
    Kind("roc", Audit, curve_choices("roc"), curve("roc")),
    Kind("calibration", Audit, curve_choices("calibration"), curve("calibration")),
    Kind("outcome_by_score", Audit, curve_choices(BY_SCORE), outcome_by_score),
    Kind("score_distribution", Audit, curve_choices(VALUES, HISTOGRAM), score_distribution),
    Kind("thresholds", Audit, threshold_choices, thresholds),
    Kind("differences", SubgroupScan, subgroup_choices, differences),
    Kind("waterfall", Decomposition, decomposed_choices, decomposed),
    Kind("differences", Comparison, gap_choices, gaps),
    Kind("changes", Comparison, change_choices, changes),
    Kind("rates", Comparison, rate_choices, comparison_rates),
    Kind("price_gap", Comparison, price_choices, price),
    Kind("ecdf", Comparison, score_choices, scores),
    Kind("scree", ComponentFit, once, scree),
    Kind("group_loss", ComponentFit, loss_choices, losses),
    Kind("explained", ComponentFit, explained_choices, explained),
    Kind("explained", FeatureMap, explained_choices, explained),
    Kind("explained", ExtraError, explained_choices, explained),
    Kind("clusters", Partition, composition_choices, clusters),
    Kind("ecdf", OutOfFoldScores, component_choices, component_scores),
    Kind("changes", AuditComparison, changed_choices, change_drawing),
    Kind("price_gap", Tradeoff, tradeoff_choices, tradeoff_drawing),
    Kind("periods", GroupStudy, period_choices, watched_periods),
    Kind("differences", GroupStudy, group_study_choices, group_study),
    Kind("price_gap", GroupStudy, model_choices, models),
    Kind("study", Proxies, proxies_choices, proxies_drawing),
    Kind("study", FitStudy, study_choices, study),
    Kind("choice", ComponentSelection, once, choice),
    Kind("probes", Leakage, probe_choices, probes),
)


def offered(result: Any) -> dict[Kind, list[Subject]]:
    """The kinds of figures that a result has, each with what can be chosen; none where its class has no row."""
    entries = {kind: list(kind.choices(result)) for kind in FIGURES if isinstance(result, kind.of)}
    if isinstance(result, Audit) and result.protocol.classes:
        views = [(label, of_class(result, label)) for label in result.protocol.classes]
        entries |= {
            kind: [
                choice._replace(metric=OF_CLASSES.get(choice.metric, choice.metric), term=label)
                for label, view in views
                for choice in kind.choices(view)
            ]
            for kind in entries
            if kind.name in OF_ONE_CLASS
        }
    return {kind: choices for kind, choices in entries.items() if choices}


# figures of an audit of several classes that are of one of them, which `term` names
OF_ONE_PANEL = {"forest": "differences", "errors": "differences"}  # of figures with several panels
OF_ONE_CLASS = ("rates", "differences", "ratios", "forest", "hundred", "funnel", "matrix", "crude_adjusted", "errors")
CONTRASTS: dict[str, Figure] = {"difference": "differences", "ratio": "ratios"}  # what a familiar name asks for


@answering
def plot(
    result: Any,
    kind: Figure | None = None,
    *,
    metric: str | None = None,
    attribute: str | None = None,
    term: str | None = None,
    labels: Mapping[str, Any] | None = None,
    language: str = ENGLISH,
    ax: Any = None,
) -> Drawing:
    """Draw one figure of a result, as it stands in the report.

    Parameters
    ----------
    result : any result, or the table of ``disparity_path`` or ``sog_path``
    kind : str, optional
        One of ``result.plots``, which names the figures that this result has; the first of them by default.
        Rates by group: "rates", "differences", "ratios", "forest" (both beside each other), "claims" (page one),
        "errors" (several error rates), "funnel" (many groups), "matrix" (two attributes), "crude_adjusted" (strata),
        "hundred" (of 100 people), "classes" (shares of several classes), "flow" (rows). Amounts: "gaps" (in %),
        "differences" (in their unit), "quarters". With declared strata, differences within them stand above the crude
        ones, which are gray.
        Scores: "ecdf", "roc", "calibration", "outcome_by_score", "score_distribution", "thresholds". Comparisons:
        "differences", "changes" (against the first method), "price_gap", "rates", "ecdf". Fits: "scree", "explained",
        "group_loss". Clusterings: "clusters". Leakage: "probes". Studies of a fit: "study". Two audits:
        "changes". Decompositions: "waterfall". Periods watched: "periods". A path table: "path".
    metric, attribute : str, optional
        Which metric, by which attribute; the first that the figure can show by default. A metric may have its
        familiar name: "demographic_parity_difference" asks for the kind "differences", too. An attribute may have
        its column or what ``labels`` call it.
    term : str, optional
        Of a comparison the method and model ("og · logistic"), of held-out scores the component ("component 1"), of
        a decomposition and of periods watched the group, of an audit of several classes the class.
    labels : mapping, optional
        Of comparisons and fits, as in `table`.
    language : str
        Of all words in the figure, its caption and its alternative text: ``"en"`` or ``"de"``.
    ax : matplotlib Axes, or an empty Figure or SubFigure, optional
        In which the figure is drawn as well, in the size and the fonts that they have (``rcParams``). Numbers beside
        the rows are left out of axes of less than 4 inches, words above the frame (where a title goes) out of all; long
        names of rows are broken. A figure without a layout engine gets one like the constrained, which leaves room for
        names; ``tight_layout()``, before or after, does so, too. A name that is set later is not broken. A figure of
        several panels takes no single axes, and one that is square by itself has the shape of the axes.

    Returns
    -------
    Drawing
        Notebooks show it, unless it stands in ``ax``; ``save(path)`` writes it; ``svg``, ``alt`` and ``caption`` are
        its text.

    Raises
    ------
    InputError
        A result that has no figure, a kind, metric, attribute or term that it has none of, or axes that are none or
        too small for the rows.

    Examples
    --------
    >>> import numpy as np
    >>> import fairstats as fs
    >>> fit = fs.pca(np.diag([3.0, 2.0, 1.0]), k=2)
    >>> fit.plots
    ('scree',)
    >>> fs.plot(fit, "scree").svg.startswith("<svg")
    True
    """
    named = labeled(NO_WORDS if labels is None else report_labels(labels, [result]))
    with in_language(known_language(word("language", language))), named:
        called = with_group_names(result) if isinstance(result, Comparison) else result
        drawing = _drawing(called, kind, {"metric": metric, "attribute": attribute, "term": term})
        if ax is not None and drawing.paint is not None:
            return PlacedDrawing.of(drawing, paint_into(drawing.paint, ax, OF_ONE_PANEL.get(drawing.name, "")))
    return drawing


def _drawing(result: Any, kind: Figure | None, arguments: dict[str, str | None]) -> Drawing:
    """The figure that was asked for."""
    wanted = {name: word(name, value) for name, value in arguments.items() if value is not None}
    metric = wanted.get("metric")
    if isinstance(result, Audit) and metric is not None:
        if crude := crude_metric(result, metric):
            metric, kind = crude, kind or "differences"
        elif metric in (AMOUNTS, ALIKE) and result.protocol.argument("amount") and kind in (None, "gaps"):
            del wanted["metric"]  # of all gaps
            metric, kind = None, "gaps"
    if metric is not None:
        wanted["metric"], contrast = metrics.ours(metric)
        kind = CONTRASTS.get(contrast) if kind is None else kind
    if kind is not None:
        word("kind", kind)
    if is_path(result):
        for name, value in {**({} if kind in (None, "path") else {"kind": kind}), **wanted}.items():
            raise InputError(
                name, f"has {shown(value)}; the table of a path has one figure, kind 'path'; leave it out."
            )
        return path(result)
    sources = digests([result])
    if isinstance(result, Audit):
        if "attribute" in wanted:
            wanted["attribute"] = words.attribute_in_words(result, wanted["attribute"])
        if "metric" in wanted and result.protocol.classes:
            wanted["metric"] = OF_CLASSES.get(wanted["metric"], wanted["metric"])
        if metric is not None:
            refuse_lacking(result.protocol, metric)
            if metric in result.protocol.classes and metric not in METRICS:
                raise InputError("metric", f"has {metric!r}, which is a class; pass {Setting('term', metric)}.")
        result = words.worded(as_sent(result))
    matches = _of_kind(offered(result), kind) if _has_row(result) else {}
    if not matches:
        raise InputError(
            "result",
            f"has {shown(result)}, of which there is nothing to draw; pass a result whose plots is not empty, "
            "such as a fit or an audit with groups, or the table of a path.",
        )
    pairs = [(one, choice) for one, choices in matches.items() for choice in choices]
    for name, value in wanted.items():
        pairs = _with(pairs, name, value)
    drawn, choice = pairs[0]
    if isinstance(result, Audit) and result.protocol.classes and drawn.name in OF_ONE_CLASS:
        one = {ours: name for name, ours in OF_CLASSES.items()}
        label, choice = choice.term, choice._replace(metric=one.get(choice.metric, choice.metric), term="")
        return replace(drawn.draw(of_class(result, label), choice), sources=sources)
    others = () if "attribute" in wanted else dict.fromkeys(one.attribute for kind, one in pairs if kind is drawn)
    hint = others_named([name for name in others if name not in ("", choice.attribute)])
    if isinstance(result, Comparison) and choice.term and "term" not in wanted:
        terms = (one.term for kind, one in pairs if kind is drawn and one.term != choice.term)
        methods = say(
            "Other methods: {names} ({setting}).", names=", ".join(dict.fromkeys(terms)), setting=Setting("term")
        )
        hint = " ".join(filter(None, (methods, hint)))
    return replace(drawn.draw(result, choice), sources=sources, hint=hint)


def plots(result: Any) -> tuple[Figure, ...]:
    """The kinds of figures that a result has, the one that `plot` draws by default first."""
    return tuple(dict.fromkeys(kind.name for kind in offered(result)))


def _has_row(result: Any) -> bool:
    return isinstance(result, tuple({kind.of for kind in FIGURES}))


def _of_kind(result: dict[Kind, list[Subject]], kind: Figure | None) -> dict[Kind, list[Subject]]:
    if kind is None or not result:
        return result
    named = {one: choices for one, choices in result.items() if one.name == kind}
    return named or _refuse("kind", kind, [one.name for one in result])


def _with(pairs: list[tuple[Kind, Subject]], name: str, value: str) -> list[tuple[Kind, Subject]]:
    kept = [(kind, choice) for kind, choice in pairs if getattr(choice, name) == value]
    return kept or _refuse(name, value, [getattr(choice, name) for _, choice in pairs], pairs[0][0])


def _refuse(name: str, value: str, present: list[str], kind: Kind | None = None) -> Any:
    names = list(dict.fromkeys(filter(None, present)))
    if not names:
        figure = "" if kind is None else f" of kind {kind.name!r}"
        raise InputError(name, f"has {shown(value)}; the figure{figure} has no {name} to choose; leave it out.")
    fact = "the choices are" if kind is None else "there are figures of"
    hint = (metrics.meant_by(value) if name == "metric" else "") or nearest(value, names)
    raise InputError(name, with_hint(f"has {shown(value)}; {fact} {listing(names, 12)}", hint))
