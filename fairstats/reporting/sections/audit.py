"""Outcomes by group: selection rates (base rates where there is no decision), differences, ratios, impact."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from types import MappingProxyType
from typing import Any

from fairstats import metrics
from fairstats.auditing.answer import (
    ALIKE,
    AMOUNTS,
    Answer,
    answered_within,
    answers,
    complement,
    declared,
    distance,
    flags,
    held_fixed,
    of_class,
    quantities,
    sampling_term,
    undone,
)
from fairstats.auditing.answer import FEW as NO_DECIMALS
from fairstats.auditing.answer import SCORES as SCORES_WITHIN
from fairstats.auditing.classes import IN_ORDER, OF_CLASSES, PPV, SHARE, TPR
from fairstats.auditing.counts import Cell
from fairstats.auditing.protocol import OfClass, Resolved
from fairstats.auditing.protocol import Protocol as Rules
from fairstats.auditing.rates import DESCRIPTIVE, HEADLINES
from fairstats.auditing.result import AFTER, BY_PROBABILITIES, FAVORABLE, Audit, bounds_over_withheld, plain
from fairstats.auditing.sensitivity import threshold_of
from fairstats.auditing.sentences import (
    BY_CHANCE,
    SETTLED,
    UNCLEAR,
    answer_event,
    by_size,
    columns_named,
    compared_amounts,
    crossed_people,
    decision_text,
    detectable_points,
    error_word,
    errors_of,
    family_text,
    inside,
    known_alone,
    may_be_tentative,
    names_of,
    outcome_event,
    parts,
    rate_or_count,
    reversals,
    score_noun,
    share_of,
    single_spaced,
    strata_name,
    varying,
)
from fairstats.auditing.sentences import page_level as level_of_page
from fairstats.auditing.suppression import ALL_GROUPS
from fairstats.auditing.suppression import HIGHEST_RATE as HIGHEST_WITHHELD
from fairstats.auditing.tally import COMPLETE, MISSING_COVARIATE
from fairstats.document import Heading, Table
from fairstats.errors import Call, in_code
from fairstats.estimates import SHOWN, Estimate, Estimates, Result, alone
from fairstats.inference.rates.adverse_impact import WITHIN, concluded_side
from fairstats.inference.rates.many_rates import uncounted
from fairstats.inference.representations.leakage import Leakage
from fairstats.inference.scores.rank_tests import NO_SHIFT_LIMITS
from fairstats.inference.verdicts import beyond, comparisons_of, decisive_p
from fairstats.labels import MISSING_LEVEL, holds_missing, quoted, split
from fairstats.language import joined, mark, message, renamed, say, say_number, says, translated, unjoined
from fairstats.provenance import (
    ANALYZED,
    READ,
    Curve,
    DataSource,
    FlowStep,
    Provenance,
    provenance,
    read_and_analyzed,
)
from fairstats.reporting import words
from fairstats.reporting.bundle import Bundle, name_of
from fairstats.reporting.figures.fits import path
from fairstats.reporting.figures.rates import (
    CRUDE,
    WIDEST_MATRIX,
    crude_adjusted,
    dot,
    filled,
    flow,
    forest_plot,
    funnel,
    kind_of_axis,
    matrix,
)
from fairstats.reporting.figures.style import WIDE, Drawing
from fairstats.reporting.sections import shared, titles
from fairstats.reporting.sections.amounts import amount_tables, gaps_figure, gaps_table, quarters_figure
from fairstats.reporting.sections.classes import (
    at_once,
    class_card,
    class_heading,
    class_order_table,
    class_picture,
    class_table,
    cumulative_table,
)
from fairstats.reporting.sections.scorecard import error_name, error_nouns
from fairstats.reporting.sections.shared import (
    FEW,
    WITHIN_THE_SAME,
    WITHOUT_REGARD,
    attribute_name,
    curves,
    curves_of,
    distribution_picture,
    meeting_name,
    outcome_picture,
    plural,
    sized,
    span,
)
from fairstats.reporting.tables import (
    APART,
    AREA,
    DIFFERENCE,
    HIGHER,
    MOST_ROWS,
    QUANTITY,
    RATE,
    Column,
    adjusted,
    adjusted_note,
    equality_note,
    estimates_table,
    groups_table,
    interval_below,
    level_of,
    methods_note,
    setting,
    shift,
    sums_note,
    table,
    text,
    with_error,
)
from fairstats.reporting.tables import called as named_as
from fairstats.reporting.words import worded
from fairstats.text import capital, count, impact_ratio, level, level_number, listed
from fairstats.validation import (
    BH,
    CREDIT,
    EMPLOYMENT,
    HIGHEST_RATE,
    INTERSECTIONS,
    LARGEST_GROUP,
    MISSING,
    NAMED,
    NONE,
    WEIGHT_TYPES,
    adjustment,
    reference_rule,
)

MOST_IN_A_FIGURE = 12
FROM_A_FUNNEL = 8  # groups
EQUIVALENT = "equivalence shown"


def outcomes(bundle: Bundle) -> dict[str, Any] | None:
    """The context of ``sections/outcomes.html.j2``."""
    audit = shared.in_plain_verbs(bundle)
    if audit is None:
        return None
    if audit.protocol.classes:
        return _outcomes_of_classes(audit)
    metric = "selection rate" if len(audit.estimates.where(metric="selection rate")) else "base rate"
    parts = [_part(audit, a, i, metric) for i, a in enumerate(audit.references) if len(_rows(audit, a, metric, "none"))]
    if not parts:
        return None
    shown = [
        metric,
        *(["impact ratio"] if audit.protocol.four_fifths and any(part["impact"] for part in parts) else []),
    ]
    return {"metric": words.heading(metric), "terms": shared.terms(shown, audit.protocol), "parts": parts}


def _outcomes_of_classes(audit: Audit) -> dict[str, Any]:
    """Of every attribute all classes together, then each against the rest; page one may have tables and a picture."""
    built = answers(audit)
    farthest = {one.attribute: one.term for one in built} if class_card(audit, built) else {}
    views = [of_class(audit, label) for label in audit.protocol.classes]
    blank: dict[str, Any] = {"matrix": None, "rates": None, "impact_by_stratum": None, "shrunken": None, "ratio": ""}
    parts: list[dict[str, Any]] = []
    for i, attribute in enumerate(audit.references):
        ordered = class_order_table(audit, attribute)
        shares = class_table(audit, attribute, farthest[attribute]) if attribute in farthest else None
        elsewhere = audit.protocol.is_crossed(attribute) or (len(declared(audit)) == 1 and not farthest)
        drawn = None if elsewhere else class_picture(audit, attribute, f"classes-{i}")
        parts.append(
            blank
            | {
                "attribute": attribute_name(attribute, audit),
                "heading": class_heading(audit, attribute),
                "figures": [drawn] if drawn else [],
                "at_once": "" if ordered else at_once(audit, attribute),
                "impact": [shares, ordered, cumulative_table(audit, attribute)],
            }
        )
        parts += [_part(view, attribute, len(views) * i + k, "selection rate", True) for k, view in enumerate(views)]
    return {"metric": words.heading(SHARE), "terms": shared.terms([SHARE, IN_ORDER][: 1 + audit.protocol.ranked]),
            "parts": parts}  # fmt: skip


def _rows(audit: Audit, attribute: str, metric: str, contrast: str) -> Estimates:
    rows = audit.estimates.where(attribute=attribute, metric=metric, contrast=contrast, role="main")
    return sized(rows, by_size(audit, attribute))


def _part(audit: Audit, attribute: str, index: int, metric: str, of_classes: bool = False) -> dict[str, Any]:
    rates, differences = (_rows(audit, attribute, metric, c) for c in ("none", "difference"))
    name = attribute_name(attribute, audit)
    reference = audit.references[attribute]
    every = audit.estimates.where(attribute=attribute)
    protocol = audit.protocol
    level = protocol.conf_level
    ruled = protocol.four_fifths
    joint = protocol.is_crossed(attribute)
    alone = not joint or not plain(audit)
    bounds = dict(bounds_over_withheld(audit, metric, attribute))
    flagged = shared.of_flags(audit, metric)
    if flagged:  # who is harmed, as page one has it
        rates, differences = (shared.as_counted(audit, rows) for rows in (rates, differences))
        bounds = {key: complement(row) for key, row in bounds.items()}
    event, in_words = answer_event(protocol, Answer("", "unanswered", metric, flags=flagged))
    called, axis = (event, event) if of_classes else shared.rate_name(audit, metric)
    margin = protocol.margin.difference
    within = sized(shared.differences_within(audit, attribute, metric), by_size(audit, attribute))
    strata = strata_name(audit) if protocol.strata else ""
    inside = shared.bounds_within(audit, attribute, metric)
    rate = GroupRates(called, axis, list(rates), differences, reference, bounds, level, margin, within, strata, inside)
    note = _families(within or differences, protocol) if index == 0 or joint else ""
    if strata:
        unadjusted = (
            shared.crude_note(strata, differences, within, protocol) if within else say(UNADJUSTED, strata=strata)
        )
        note = f"{note} {unadjusted}".strip()
    note = " ".join(
        filter(
            None,
            (
                note,
                _overturned(audit, differences),
                _reversed() if flagged and index == 0 else "",
                _unrounded(rates, differences),
                say("Events and people: sums of weights.") if protocol.weight_type == "probability" else "",
            ),
        )
    )
    pair = len(rates) <= 2 and not joint
    known = any(words.shown(row) for row in rates)
    crossed = matrix_of(f"matrix-{index}", audit, attribute, rate) if joint and known else None
    ends = {group: (row.conf_low, row.conf_high) for (group, contrast), row in bounds.items() if contrast == "none"}
    answering = bool(within) and not bounds and any(row.verdict for row in within)
    if bounds:
        title = span(list(rates), plural(metric), bounds)
    else:
        against = meeting_name(audit, attribute, reference) if joint else reference
        # no crude rate stands beside a verdict within strata, but by how much these differ
        named = Estimates(row for row in within if row.verdict != "inconclusive") if answering else rates
        found, apart = (_plainly(audit, rows, joint) for rows in (named, within or differences))
        found_of = say("share") if of_classes else axis
        title = titles.rate_title(found, apart, against, event if in_words else "", found_of, most=1 if joint else 4)
    about = say("{name}, {event}", name=name, event=event) if of_classes else name
    if strata:
        about = say(WITHIN_THE_SAME if answering else WITHOUT_REGARD, name=about, strata=strata)
    drawn = drawn_rates(audit, attribute, metric)
    drawn = {group: complement(row) for group, row in drawn.items()} if flagged else drawn
    impact = None
    if ruled and not pair and not joint:
        impact = shared.impact(name, every, by_size(audit, attribute), metric, protocol, note=index == 0)
    unknown = shared.withheld(every, metric)
    line = shared.impact_line(every, metric, level) if pair and not flagged else ""
    if line and within:
        line = say("Without regard to {strata}: {text}", strata=strata, text=line)
    return {
        "attribute": name,
        "heading": f"{about}: {title or say('every group is withheld')}",
        "figures": [] if pair or not alone else _figures(audit, rate, index, ends, drawn),
        "matrix": crossed,
        "rates": _table(name, rate, note) if alone or (known and not crossed) else None,
        "at_once": " ".join(
            filter(
                None,
                (
                    shared.sentence(
                        _counted_here(audit, every, flagged, joint),
                        metric,
                        meeting_name(audit, attribute, reference) if joint else reference,
                    ),
                    unknown,
                    _outcomes_where_crossed(audit, attribute, metric) if joint else "",
                    *_reversed_where_crossed(audit, attribute, metric),
                ),
            )
        ),
        "impact": impact,
        "impact_by_stratum": None if joint else shared.impact_by_stratum(audit, attribute),
        "shrunken": shrunken_table(audit, attribute, rate, drawn),
        "ratio": _ratios(audit, attribute, metric) or line,
    }


COMPARED_IN_STRATA = mark("{rate} by {name}, compared with {reference} within {strata}, and crude")
COMPARED_ADJUSTED = mark("{rate} by {name}, compared with {reference} adjusted for {strata}, and crude")
OF_STRATA = mark("Differences and verdicts are within {strata}.")
UNADJUSTED = mark("These differences are not adjusted for {strata}.")


def _outcomes_where_crossed(audit: Audit, attribute: str, metric: str) -> str:
    """The outcomes of the combinations, which page one names beside their decisions; "" of too many."""
    rates = [row for row in _rows(audit, attribute, "base rate", "none") if words.shown(row)]
    if metric == "base rate" or not 0 < len(rates) <= MOST_ROWS:
        return ""
    each = [
        say("{rate} ({name})", rate=rate_or_count(row), name=meeting_name(audit, attribute, row.group)) for row in rates
    ]
    text = mark("How many of each {event}: {each}.")
    return single_spaced(say(text, each="; ".join(each), **parts(outcome_event(audit))))


def _reversed_where_crossed(audit: Audit, attribute: str, metric: str) -> list[str]:
    """The answers that may be the other way round among a group of another attribute; page one has those shown."""
    found = [one for result in answers(audit) if result.metric == metric for one in reversals(audit, result)]
    return [one.text for one in found if one.intersection == attribute]


def _ratios(audit: Audit, attribute: str, metric: str) -> str:
    """The ratios of groups to the reference with their intervals, where the law compares with it."""
    p = audit.protocol
    rows = [row for row in shared.ratios_under_law(audit, metric).only(attribute=attribute) if words.shown(row)]
    if p.law != CREDIT or p.is_crossed(attribute) or not rows:
        return ""
    text = mark("{group} {ratio} ({interval})")
    each = [say(text, group=row.group, ratio=impact_ratio(row.estimate), interval=words.interval(row)) for row in rows]
    values = {"reference": rows[0].reference, "each": "; ".join(each), "level": level(p.conf_level)}
    many = comparisons_of([row.conf_level for row in rows], p.conf_level)
    sentence = mark("Ratios to {reference} ({level} intervals): {each}.")
    if many > 1:
        sentence = mark("Ratios to {reference} ({level} intervals, adjusted for {n} comparisons): {each}.")
        if p.p_adjust == BH:
            sentence = mark("Ratios to {reference} ({level} intervals, adjusted for the false discovery rate): {each}.")
    text = say(sentence, n=many, **values)
    return shared.within_the_same(audit, text) if rows[0].given else text


def drawn_rates(audit: Audit, attribute: str, metric: str) -> dict[str, Estimate]:
    """The rates of an attribute drawn toward the mean of all groups, by group; none where they were not asked for."""
    return {row.group: row for row in audit.estimates.only(attribute=attribute, metric=metric, role="shrunken")}


def shrunken_table(audit: Audit, attribute: str, rate: GroupRates, drawn: Mapping[str, Estimate]) -> Table | None:
    """The rates of an attribute drawn toward the mean of all groups, beside the raw ones."""
    if not drawn:
        return None
    raw = [row for row in rate.rates if row.group in drawn]
    name = attribute_name(attribute, audit)
    headings = [text(name), Heading(say("people")), Heading(rate.called, "%"), Heading(say("drawn"), "%")]
    headings += [Heading(level_of(list(drawn.values())), "%")]
    lines = []
    for row in raw:
        other = drawn[row.group]
        rates = map(words.percent, (row.estimate, other.estimate))
        lines.append([row.group, words.count(row.n), *rates, words.interval(other)])
    note = say(
        "Empirical Bayes: the fewer people a group has, the farther its rate is drawn. The limits hold for {level}% of "
        "the groups on average, not for each of them; no verdict is read from them.",
        level=level_number(rate.level),
    )
    return table(say("{rate} by {name}, drawn toward the mean of all groups", rate=rate.called, name=name), headings,
                 lines, note)  # fmt: skip


def _overturned(audit: Audit, differences: Estimates) -> str:
    """Of which groups what is shown need not hold over all."""
    groups = [row.group for row in differences if undone(audit, row) is not None]
    text = mark("{groups}: among those who are known; those who are missing could overturn it.")
    return say(text, groups=words.listed(groups)) if groups else ""


def _reversed() -> str:
    return say("In results.csv, which counts the favorable decision, signs are reversed.")


def _unrounded(rates: Iterable[Estimate], differences: Iterable[Estimate]) -> str:
    """That differences are taken before rounding, where one of a table is not that of its printed rates."""
    of = {(row.metric, row.group): row.estimate for row in rates if words.shown(row)}
    pairs = [(of.get((r.metric, r.group)), of.get((r.metric, r.reference)), r.estimate) for r in differences]
    return shared.unrounded((one, other, gap) for one, other, gap in pairs if one is not None and other is not None)


def _plainly(audit: Audit, rows: Estimates, joint: bool) -> list[Estimate]:
    """Rows whose groups are called as a sentence calls them."""
    return [replace(row, group=meeting_name(audit, row.attribute, row.group)) if joint else row for row in rows]


def _counted_here(audit: Audit, rows: Estimates, flagged: bool, joint: bool) -> Estimates:
    """The rows without the counts of observed extremes, where those are of the decision that the tables do not show.

    Those of an intersection are called as a sentence calls them.
    """
    if not (flagged or joint):
        return rows

    def extremes(reason: str) -> str:
        reason = uncounted(reason) if flagged else reason
        return renamed(reason, partial(meeting_name, audit), attribute_name) if joint else reason

    return rows.map(lambda r: r.changed(reason=extremes(r.reason)) if r.role == "omnibus" and r.status == "ok" else r)


@dataclass(frozen=True)
class GroupRates:
    """The rates of an attribute, their differences from the reference, and what they are called."""

    called: str
    axis: str
    rates: list[Estimate]
    differences: Estimates
    reference: str
    bounds: Mapping[tuple[str, str], Estimate]
    level: float
    margin: float | None = None
    within: Estimates = field(default_factory=Estimates)  # the differences within declared strata, where these answer
    strata: str = ""
    bounds_within: Mapping[tuple[str, str], Estimate] = field(default_factory=dict)


def _table(name: str, rate: GroupRates, note: str) -> Table:
    values = {"rate": rate.called, "name": name, "reference": rate.reference}
    shares, difference = (
        shared.over_withheld(with_error(columns, rows), rate.bounds)
        for columns, rows in ((RATE, rate.rates), (DIFFERENCE, rate.differences))
    )
    if rate.bounds:
        note = " ".join(filter(None, (note, say(shared.RANGES))))
    apart = rate.differences
    blocks = [(Estimates(rate.rates), shares), (apart, difference), (apart, adjusted(rate.margin))]
    if rate.within:  # which leave no room for the intervals of the rates
        inside = with_error(named_as(DIFFERENCE, say("within {strata}", strata=rate.strata)), rate.within)
        blocks = [
            (rate.within, (*shared.over_withheld(inside, rate.bounds_within), *adjusted(rate.margin))),
            (Estimates(rate.rates), shares[:-1]),
            (apart, named_as(difference, say("crude"))),
        ]
        caption = say(COMPARED_IN_STRATA, strata=rate.strata, **values)
    elif len(rate.differences):
        caption = say("{rate} by {name}, compared with {reference}", **values)
    else:
        caption = say("{rate} by {name}", **values)
    groups = _most_telling([row.group for row in rate.rates], rate)
    return groups_table(caption, groups, blocks, note, reference=rate.reference, methods=False, conf_level=rate.level)


def _most_telling(groups: list[str], rate: GroupRates) -> list[str]:
    """The groups, those first that a table of too many keeps: the reference and those farthest from it."""
    if len(groups) <= MOST_ROWS:
        return groups
    far = sorted(filter(words.shown, rate.differences), key=distance, reverse=True)[: MOST_ROWS - 1]
    kept = {rate.reference, *(row.group for row in far)}
    return sorted(groups, key=lambda group: group not in kept)


def _families(differences: Estimates, protocol: Resolved) -> str:
    """For how many comparisons the intervals are adjusted, or that there is no verdict."""
    if any(says(row.reason, DESCRIPTIVE) for row in differences):
        return say("No verdict: base rates describe the outcome, not the decisions.")
    return _adjusted(differences, protocol)


def _adjusted(rows: Iterable[Estimate], protocol: Resolved) -> str:
    """The note under a table of comparisons: their adjustment, and of which test the numbers of equivalence are."""
    current = list(rows)
    return " ".join(filter(None, (adjusted_note(current, protocol), equality_note(current))))


def _figures(
    audit: Audit, rate: GroupRates, index: int, ends: Mapping[str, tuple[float, float]], drawn: Mapping[str, Estimate]
) -> list[Drawing]:
    """Rates as points; of many groups as a funnel; with a declared margin their differences within it."""
    items = [r for r in rate.rates if words.shown(r)]
    differences, reference = rate.within or rate.differences, rate.reference
    of_strata = f" {say(OF_STRATA, strata=rate.strata)}" if rate.within else ""
    axis = rate.axis
    if len(items) - len(ends) >= FROM_A_FUNNEL:
        compared = reference if differences else ""
        figures = [funnel(f"funnel-{index}", items, axis=axis, level=rate.level, reference=compared, withheld=ends)]
    else:
        shown, caption = rate.rates[:MOST_IN_A_FIGURE], _beside(differences, reference) + of_strata
        figures = [
            dot(
                f"dot-{index}",
                shown,
                caption=caption,
                reference=reference,
                axis=f"{axis}, %",
                numbers=False,
                bounds=ends,
                apart={r.group for r in differences if r.verdict in SHOWN},
                drawn=drawn,
            )
        ]
    margin = audit.protocol.margin.difference
    if margin is not None and 1 < len(differences) <= MOST_IN_A_FIGURE:
        within = sum(r.verdict == EQUIVALENT for r in differences)
        outside = sum(words.shown(r) and beyond(r, margin) for r in differences)
        apart = sum(r.verdict in SHOWN and not (words.shown(r) and beyond(r, margin)) for r in differences)
        left = len(differences) - within - outside - apart
        counts = [
            (mark("{k} beyond the margin (band)"), outside),
            (mark("{k} shown, whether beyond the margin not settled"), apart),
            (mark("{k} within it"), within),
            (mark("{k} not settled"), left),
        ]
        each = ", ".join(say(text, k=k) for text, k in counts if k or text == counts[0][0])
        caption = say(
            "Of {n} differences from {reference}: {each}.", n=len(differences), reference=reference, each=each
        )
        caption += of_strata
        labels = [r.group for r in differences]
        axis = say("difference from {reference}, points", reference=reference)
        figures = [
            forest_plot(
                f"forest-{index}",
                list(differences),
                caption=caption,
                margin=margin,
                labels=labels,
                axis=axis,
                called=lambda row: rate.called,
                ends=shared.bounds_of(audit, differences),
            )
        ]
    return figures


def matrix_of(name: str, audit: Audit, attribute: str, rate: GroupRates) -> Drawing | None:
    """Return the rates of an intersection of two attributes; of three the rows stand in results.csv."""
    if len(audit.protocol.columns_of(attribute)) != 2:
        return None
    differences = rate.within or rate.differences
    cells = {(parts[0], parts[1]): r for r in rate.rates if len(parts := split(r.group)) == 2}
    if not cells:
        return None
    rows, columns = ([*dict.fromkeys(pair[side] for pair in cells)] for side in (0, 1))
    down, across = map(audit.protocol.called, audit.protocol.columns_of(attribute))
    gaps = {(p[0], p[1]): r for r in differences if words.shown(r) and len(p := split(r.group)) == 2}
    crossed = [(p[0], p[1]) for r in differences if r.verdict in SHOWN and len(p := split(r.group)) == 2]
    if len(rows) < len(columns):  # few columns, so that names have room
        cells, gaps = ({(b, a): r for (a, b), r in pairs.items()} for pairs in (cells, gaps))
        rows, columns, crossed = columns, rows, [(b, a) for a, b in crossed]
        down, across = across, down
    against = meeting_name(audit, attribute, rate.reference)
    title, of_numbers, lines, equal = say("{rate} of each pair of groups.", rate=rate.called), [], [], ""
    if gaps and len(columns) <= WIDEST_MATRIX:
        values = {"reference": against, "level": level_of(gaps.values(), rate.level)}
        of_numbers.append(say("With n and the difference from {reference} in points ({level}).", **values))
        if any(row.verdict == EQUIVALENT for row in gaps.values()):
            share = level_number(2 * rate.level - 1)
            of_numbers.append(
                say("Of one within the margin it is the {equal}% interval, by which the test shows it.", equal=share)
            )
            mixed = any(row.verdict != EQUIVALENT for row in gaps.values())
            equal = say("{share}%", share=share) if mixed else ""
        of_numbers.append(adjusted_note(differences, audit.protocol))
    if len(differences):
        lines += [say("Framed: shown to differ.")] if crossed else []
        if rate.strata:
            lines.append(say(OF_STRATA if rate.within else UNADJUSTED, strata=rate.strata))
    if any(row.n < FEW for row in cells.values()):
        lines.append(say("Gray: under {few} people.", few=FEW))
    ends = {group: (row.conf_low, row.conf_high) for (group, kind), row in rate.bounds.items() if kind == "none"}
    return matrix(
        name,
        cells,
        rows,
        columns,
        caption=" ".join(filter(None, [title, *of_numbers, *lines])),
        without_numbers=" ".join(filter(None, [title, *lines])),
        apart=crossed,
        axis=rate.axis,
        gaps=gaps,
        bounds=ends,
        equal=equal,
        of=(down, across),
    )


def _beside(differences: Estimates, reference: str) -> str:
    """Return the caption: how many groups are shown to differ from the reference, by their verdicts."""
    items = [r for r in differences if r.verdict and words.shown(r) and not holds_missing(r.group)]
    if not items:
        return say("The rate of each group with its interval.")
    if len(items) == 1:
        return say(
            "{group} against {reference} (square, dashed line): {verdict}.",
            group=items[0].group,
            reference=reference,
            verdict=words.verdict(items[0]),
        )
    apart = [r.estimate for r in items if r.verdict in SHOWN]
    below, above = sum(v < 0 for v in apart), sum(v > 0 for v in apart)
    missing = any(r.verdict in SHOWN and holds_missing(r.group) for r in differences)
    beside = f" {say('People of unknown group are not counted here.')}" if missing else ""
    counted = say(
        "Shown to have a lower rate than {reference} (square, dashed line): {below} of {n} groups; a higher one: "
        "{above}. Filled: shown.",
        n=len(items),
        below=below,
        above=above,
        reference=reference,
    )
    return counted + beside


def forest_of(name: str, differences: Estimates, ratios: Estimates, audit: Audit, least: int = 2) -> Drawing | None:
    """Differences and ratios in two panels; beside a table one line would say no more than it."""
    groups = [r.group for r in differences][:MOST_IN_A_FIGURE]
    matched = {r.group: r for r in ratios}
    right = [matched[g] for g in groups if g in matched]
    if len(groups) < least or len(right) != len(groups):
        return None
    ruled = audit.protocol.four_fifths
    caption = _forest_caption(differences[: len(groups)], right, ruled)
    names = {row.contrast: shared.rate_name(audit, row.metric, row.contrast)[0] for row in (differences[0], right[0])}
    drawn = differences[: len(groups)]
    return forest_plot(
        name,
        list(drawn),
        right,
        caption=caption,
        titles=list(names.values()),
        called=lambda row: names[row.contrast],
        margin=audit.protocol.margin.difference,
        fifths=ruled,
        ends=shared.bounds_of(audit, [*drawn, *right]),
    )


def _forest_caption(differences: Sequence[Estimate], ratios: Sequence[Estimate], ruled: bool) -> str:
    apart = sum(map(filled, differences))
    if not ruled:
        return say("{k} of {n} differences are beyond chance (filled points).", k=apart, n=len(differences))
    items = [r for r in ratios if words.shown(r)]
    outside = sum(concluded_side(r) not in (WITHIN, "") for r in items)
    return say(
        "{k} of {n} differences are beyond chance (filled points); {outside} of {ratios} ratios lie "
        "outside 0.8 to 1.25 (dashed lines).",
        k=apart,
        n=len(differences),
        outside=outside,
        ratios=len(items),
    )


# Errors and scores: each error rate with its counts and its difference, the scores of the groups and what follows.


SCORES = metrics.shown("scores")
SCORES_IN_STRATA = mark("Scores by {name}: probability of a higher score than {reference} within {strata}, and crude")
SCORING = "scoring rate"
MOST_PANELS = 6
MOST_GROUPS = 12  # of a forest; the tables hold the others


def errors(bundle: Bundle) -> dict[str, Any] | None:
    """The context of ``sections/errors.html.j2``: of intersections the rows stand in results.csv."""
    audit = shared.in_plain_verbs(bundle)
    if audit is None:
        return None
    shown = plain(audit) or list(audit.references)
    if audit.protocol.classes:
        return _errors_of_classes(audit, shown)
    level = page_level(audit)
    parts = [_errors_part(audit, a, i, level) for i, a in enumerate(shown)]
    parts += [_amounts_where_crossed(audit, a) for a in audit.references if a not in shown]
    parts = [p for p in parts if any(p[name] for name in ("rates", "scores", "figures", "quantities"))]
    present = {r.metric for r in audit.estimates if r.attribute in shown}
    measures = [m for m in (*errors_of(audit), *quantities()) if m in present]
    of_errors, of_amounts = (any(p[name] for p in parts) for name in ("rates", "quantities"))
    heading = say("Errors and scores") if not of_amounts else say("Errors, scores and amounts")
    heading = heading if of_errors or audit.protocol.score else say("Amounts")
    if not parts:
        return None
    return {"terms": shared.terms(measures), "parts": parts, "crossed": _errors_crossed(audit), "heading": heading}


MOST_CROSSED = 3  # combinations that a sentence names
CROSSED_BEYOND = mark(
    "{names} together, {rate}: {k} of {n} differ from {reference} beyond chance, in points: {groups}."
)
CROSSED_TENTATIVE = mark(
    "{names} together, {rate}: {k} of {n} differ from {reference} tentatively, in points: {groups}."
)


def _errors_crossed(audit: Audit) -> list[str]:
    """Of each intersection and error rate which combinations are shown to differ from the reference, farthest first."""
    p, lines, level = audit.protocol, list[str](), page_level(audit)
    about = {"contrast": "difference", "role": "main", "given": "", "term": "", "status": "ok"}
    for name in filter(p.is_crossed, audit.references):
        columns = p.columns_of(name)
        for metric in errors_of(audit):
            rows = audit.estimates.only(attribute=name, metric=metric, **about)
            shown = [row for row in rows if row.verdict in SHOWN and len(split(row.group)) == len(columns)]
            if not shown:
                continue
            shown.sort(key=distance, reverse=True)
            values = {"names": columns_named(p, name), "rate": error_word(p, metric), "n": len(rows)}
            values["reference"] = crossed_people(p, columns, split(shown[0].reference))
            for template, tentative in ((CROSSED_BEYOND, False), (CROSSED_TENTATIVE, True)):
                some = [row for row in shown if alone(row, level) is tentative]
                names = [crossed_people(p, columns, split(row.group)) for row in some]
                points = [words.signed(100 * row.estimate) for row in some]
                each = [
                    say("{group} ({points})", group=g, points=apart) for g, apart in zip(names, points, strict=True)
                ]
                if some:
                    lines.append(say(template, groups=words.listed(each, MOST_CROSSED), k=len(some), **values))
    return lines


def _amounts_where_crossed(audit: Audit, attribute: str) -> dict[str, Any]:
    """The means of an intersection and their gaps, as they are and of people who are alike."""
    rows = sized(audit.estimates.where(attribute=attribute, role="main", term=""), by_size(audit, attribute))
    name, about = attribute_name(attribute, audit), (audit.references[attribute], audit.protocol)
    crude = {m: strata_name(audit) for m in ("gap of means", "mean amount") if answered_within(audit, attribute, m)}
    tables = [
        _quantity(name, rows.where(metric=m), *about, crude=crude.get(m, ""))
        for m in ("gap of means", "mean amount", AMOUNTS, ALIKE)
    ]
    blank: dict[str, Any] = {"difference_figure": None, "rates": [], "figures": [], "impact": None, "scores": []}
    heading = f"{name}: {listed([words.in_text(metric) for metric in ('gap of means', 'mean amount')])}"
    return blank | {"attribute": name, "heading": heading, "quantities": [table for table in tables if table]}


def page_level(audit: Audit, metric: str = "") -> float:
    """The level of page one, above which an error that is shown is tentative; NaN where it has none for the metric."""
    return level_of_page(audit) if not metric or metric in may_be_tentative(audit) else math.nan


def page_levels(audit: Audit, rows: Iterable[Estimate]) -> dict[str, float]:
    """The level of page one of each metric that rows have."""
    return {metric: page_level(audit, metric) for metric in {row.metric for row in rows}}


def _errors_of_classes(audit: Audit, shown: Sequence[str]) -> dict[str, Any] | None:
    """Of every attribute the errors of every class: no average is taken."""
    parts = []
    for i, attribute in enumerate(shown):
        for k, label in enumerate(audit.protocol.classes):
            index = len(audit.protocol.classes) * i + k
            part = _errors_part(of_class(audit, label), attribute, index, math.nan, CLASS_ERRORS)
            parts.append(part | {"heading": say("{heading} (class {label})", heading=part["heading"], label=label)})
    parts = [part for part in parts if part["rates"]]
    return {"terms": shared.terms([TPR, PPV]), "parts": parts, "heading": say("Errors by class")} if parts else None


CLASS_ERRORS = tuple(name for name, ours in OF_CLASSES.items() if ours in (TPR, PPV))  # by their names in the field


def _errors_part(
    audit: Audit, attribute: str, index: int, page_level: float, class_errors: tuple[str, ...] = ()
) -> dict[str, Any]:
    """Errors, scores and amounts by one attribute; class_errors: the rates of a class, where the audit is of one."""
    order = by_size(audit, attribute)
    rows = sized(audit.estimates.where(attribute=attribute, role="main"), order)
    name = attribute_name(attribute, audit)
    reference = audit.references[attribute]
    together = gaps_table(audit, attribute, name)
    apart = [m for m in quantities() if not (together and m in metrics.GAPS_OF_AMOUNTS)]
    measured = [_measured(audit, attribute, rows.where(metric=metric, given="")) for metric in apart]
    measured = [together, *measured] if together else measured
    measured += amount_tables(audit, attribute, name)
    if class_errors:
        error_names = panels = {metric: words.in_text(metric) for metric in class_errors}
        called = {}
    else:
        called, error_names = error_nouns(audit), {metric: error_name(audit, metric) for metric in errors_of(audit)}
        panels = {metric: error_word(audit.protocol, metric) for metric in called}
    rates = _rates(audit, name, rows, order, reference, page_level, index, error_names)
    finding = titles.errors_title(list(rows), tuple(error_names), reference, page_level, called)
    about = name
    if finding and audit.protocol.strata:
        about = say(WITHOUT_REGARD, name=name, strata=strata_name(audit))
    if not finding:
        named = [words.in_text(metric) for metric in quantities() if rows.where(metric=metric)]
        within = scores_within(audit, attribute)
        shown = titles.scores_title(within or rows.where(metric="P(X>Y)", given=""), reference)
        finding = listed(named) if named else shown or say("scores by group")
        if within and not named:
            about = say(WITHIN_THE_SAME, name=name, strata=strata_name(audit))
    figures = [] if index and rates else _score_figures(audit, attribute, index)
    if (quarters := quarters_figure(audit, attribute, f"quarters-{index}")) is not None:
        figures = [*figures, quarters]
    drawn, scores = ([], []) if rates else scores_of(audit, attribute, index)
    return {
        "attribute": name,
        "heading": f"{about}: {finding}",
        "difference_figure": errors_forest(f"errors-{index}", audit, forest_rows(audit, attribute), panels, page_level)
        or gaps_figure(audit, attribute, f"gaps-{index}"),
        "rates": rates,
        "quantities": [table for table in measured if table],
        "figures": [*figures, *drawn],
        "impact": shared.impact(name, audit.estimates.where(attribute=attribute), order, SCORING, audit.protocol),
        "scores": scores,
    }


def _rates(
    audit: Audit,
    name: str,
    rows: Estimates,
    order: list[str],
    reference: str,
    page_level: float,
    index: int,
    called: Mapping[str, str],
) -> list[Table]:
    """One table a rate; of two groups one table of all rates. called: the rates, and what each is called."""
    level, margin = audit.protocol.conf_level, audit.protocol.margin.difference
    shown = [m for m in called if len(rows.where(metric=m, contrast="none"))]
    if len(order) == 2 and reference in order:
        pair = (next(g for g in order if g != reference), reference)
        pair_of = {m: capital(called[m]) for m in shown}
        return [_pair_table(audit, name, rows, pair_of, pair, page_level, index)] if shown else []
    tables: list[Table] = []
    for metric in shown:
        current = rows.where(metric=metric)
        rates, apart = current.where(contrast="none"), current.where(contrast="difference")
        values = {"rate": capital(called[metric]), "name": name, "reference": reference}
        tables.append(
            groups_table(
                say("{rate} by {name}, compared with {reference}", **values)
                if len(apart)
                else say("{rate} by {name}", **values),
                [g for g in order if g in set(rates.column("group"))],
                [
                    (rates, with_error(RATE, rates)),
                    (apart, with_error(DIFFERENCE, apart)),
                    (apart, adjusted(margin, page_level)),
                ],
                shown_alone(
                    apart,
                    {metric: page_level},
                    "" if tables else _adjusted(apart, audit.protocol),
                    _unrounded(rates, apart),
                    f"{capital(share_of(audit.protocol, metric))}." if index == 0 or CLASS_ERRORS[0] in called else "",
                ),
                reference,
                methods=False,
                conf_level=level,
            )
        )
    return tables


def shown_alone(rows: Iterable[Estimate], levels: Mapping[str, float], *notes: str) -> str:
    """Notes, and what the dagger says where a row has one; levels: as of `page_levels`."""
    tentative = any(alone(row, levels.get(row.metric, math.nan)) for row in rows)
    sign = f"{words.ALONE} {say(BY_CHANCE)}" if tentative else ""
    return " ".join(filter(None, (*notes, sign)))


def _pair_table(
    audit: Audit,
    name: str,
    rows: Estimates,
    shown: Mapping[str, str],
    pair: tuple[str, str],
    page_level: float,
    index: int,
) -> Table:
    """A line a rate: both groups with their counts, the difference, the verdict."""
    (group, reference), protocol = pair, audit.protocol
    level, verdict = protocol.conf_level, adjusted(protocol.margin.difference, page_level)[-1][1]
    cell = {(r.metric, r.contrast, r.group): r for r in rows}
    apart = [cell[m, "difference", group] for m in shown if (m, "difference", group) in cell]
    headings = [text(say("rate"))]
    for one in pair:
        headings += [Heading(one, "%"), Heading(say("events")), Heading(say("people"))]
    points = say("points")
    interval = level_of(apart, level)
    headings += [Heading(say("difference"), points), Heading(interval, points), Heading(say("adjusted p"))]
    lines = [
        [
            shown[m],
            *(part for one in pair for part in _counted(cell.get((m, "none", one)))),
            *_compared(cell.get((m, "difference", group)), interval_below(apart), verdict),
        ]
        for m in shown
    ]
    caption = say(
        "Error rates by {name}: {group} compared with {reference}", name=name, group=group, reference=reference
    )
    unrounded, levels = _unrounded(rows.where(contrast="none"), apart), dict.fromkeys(shown, page_level)
    note = shown_alone(apart, levels, _adjusted(apart, protocol), unrounded)
    of_a_class = CLASS_ERRORS[0] in shown  # what its rates mean is another thing in every class
    if index == 0 or of_a_class:
        called = {m: shown[m] if of_a_class else capital(error_word(protocol, m)) for m in shown}
        defined = [(called[m], share_of(protocol, m)) for m in shown]
        meanings = (say("{name}: {meaning}.", name=name, meaning=meaning) for name, meaning in defined)
        note = " ".join(filter(None, [note, *meanings]))
    return table(caption, [*headings, text(say("verdict"))], lines, note)


def _counted(row: Estimate | None) -> tuple[str, str, str]:
    if row is None:
        return words.DASH, words.DASH, words.DASH
    rate = words.percent(row.estimate) if words.shown(row) else words.DASH
    return rate, words.count(row.events), words.count(row.n)


def _compared(
    row: Estimate | None, interval: Callable[[Estimate], str], verdict: Callable[[Estimate], str]
) -> tuple[str, str, str, str]:
    if row is None or not words.shown(row):
        return words.DASH, words.DASH, words.DASH, words.DASH if row is None else words.status(row)
    return (
        words.percent(row.estimate),
        interval(row),
        words.p_value(decisive_p(row)),
        verdict(row),
    )


def _score_figures(audit: Audit, attribute: str, index: int) -> list[Drawing]:
    """The outcome at each score, and the scores of the two groups that page one compares."""
    drawn = (
        outcome_picture(audit, attribute, f"by-score-{index}"),
        distribution_picture(audit, attribute, f"scores-{index}"),
    )
    return [d for d in drawn if d is not None]


def scores_of(audit: Audit, attribute: str, index: int) -> tuple[list[Drawing], list[Table]]:
    """The scores of all groups: their distributions, how well they tell the outcome, how groups compare."""
    order = by_size(audit, attribute)
    rows = sized(audit.estimates.where(attribute=attribute, role="main", metric=SCORES), order)
    drawn: list[Drawing | None] = []
    if len(curves(audit, "ecdf", attribute)) > 2:
        drawn.append(distribution_picture(audit, attribute, f"scores-all-{index}", most=MOST_PANELS, width=WIDE))
    if len(curves(audit, "roc", attribute)) > 2:
        drawn.append(curves_of("roc", f"roc-{index}", audit, attribute))
    within, strata = scores_within(audit, attribute), strata_name(audit) if audit.protocol.strata else ""
    return [part for part in drawn if part is not None], _scores(audit, attribute, order, rows, within, strata)


def scores_within(audit: Audit, attribute: str) -> Estimates:
    """The comparisons of scores within declared strata, which answer in the place of the crude ones."""
    strata = audit.protocol.strata
    rows = audit.estimates.where(attribute=attribute, role="main", metric=SCORES_WITHIN, given=strata)
    return sized(rows, by_size(audit, attribute)) if strata else Estimates()


def _scores(
    audit: Audit, attribute: str, order: list[str], rows: Estimates, within: Estimates, strata: str
) -> list[Table]:
    """One table; with declared strata two: of the comparison, within them and crude, and of all else."""
    name, reference, protocol = attribute_name(attribute, audit), audit.references[attribute], audit.protocol
    shifts = rows.where(metric="score shift")
    higher, area = rows.where(metric="P(X>Y)"), rows.where(metric="AUC", contrast="none")
    bounds = {metric: bounds_over_withheld(audit, metric, attribute) for metric in ("AUC", "P(X>Y)")}
    chances = shared.over_withheld(HIGHER, bounds["P(X>Y)"])
    blocks: list[tuple[Estimates, Sequence[Column]]] = [
        (area, shared.over_withheld(AREA, bounds["AUC"])),
        *([] if within else [(higher, chances)]),
        (shifts, shift(shifts)),
    ]
    members = {r.group for r in rows}
    groups = [g for g in order if g in members]
    if not groups:
        return []
    beside = len(shifts if within else higher)
    if beside:
        caption = say("Scores by {name}; the last columns compare with {reference}", name=name, reference=reference)
    else:
        caption = say("Scores by {name}", name=name)
    bare = [r.group for r in shifts if r.status == "ok" and says(r.reason, NO_SHIFT_LIMITS)]
    ties = say("{groups}: no interval of the shift: too many ties.", groups=listed(bare)) if bare else ""
    apart = {row.group for row in higher if row.verdict in SHOWN}
    meant = say("Shift: the median of all differences of two scores, one of the group and one of the reference.")
    if any(row.estimate == 0 and row.group in apart for row in shifts):
        meant = f"{meant} {say('Where many scores are equal it can be 0 although one group scores higher.')}"
    ranges = say(shared.RANGES) if any(bounds.values()) else ""
    known = known_alone(audit, attribute)
    base = f"AUC: {known}." if known and area else ""
    compared = "" if within else _adjusted(higher, protocol)
    unadjusted = say(UNADJUSTED, strata=strata) if strata and beside else ""
    note = " ".join(filter(None, (base, compared, unadjusted, ranges, meant if shifts else "", ties)))
    of_all: dict[str, Any] = {"methods": False, "conf_level": protocol.conf_level}
    tables = [groups_table(caption, groups, blocks, note, **of_all)] if any(len(rows) for rows, _ in blocks) else []
    if not within:
        return tables
    caption = say(SCORES_IN_STRATA, name=name, strata=strata, reference=reference)
    blocks = [
        (within, (*named_as(HIGHER[:2], say("within {strata}", strata=strata)), *adjusted())),
        (higher, named_as(chances[:2], say("crude"))),
    ]
    crude = shared.crude_note(strata, higher, within, protocol)
    note = " ".join(filter(None, (_adjusted(within, protocol), crude, ranges)))
    return [groups_table(caption, groups, blocks, note, reference=reference, **of_all), *tables]


def _quantity(
    name: str,
    rows: Estimates,
    reference: str,
    protocol: Resolved,
    within: Estimates | None = None,
    crude: str = "",
) -> Table | None:
    """The numbers that a measure has by group, each beside the reference; None where there are none.

    within: the comparisons within declared strata; crude: these strata, where they answer what the crude numbers would.
    """
    levels, gaps = rows.where(contrast="none"), rows.where(contrast="difference")
    if not levels:
        return None
    metric = levels[0].metric
    values = {"metric": words.heading(metric), "name": name, "reference": reference}
    caption = say("{metric} by {name}, compared with {reference}", **values)
    quantity, apart, decided = QUANTITY, APART, adjusted()
    is_gap = metric in metrics.GAPS_OF_AMOUNTS
    blocks: list[tuple[Estimates, Sequence[Column]]] = []
    if crude:
        decided = ()
        quantity = (QUANTITY[0], *named_as(QUANTITY[1:], say("crude"))) if is_gap else QUANTITY
        apart = named_as(APART, say("crude"))
    if within:
        of, inside = COMPARED_IN_STRATA, say("within {strata}", strata=crude)
        if not protocol.strata:
            of, inside = COMPARED_ADJUSTED, say("adjusted for {strata}", strata=crude)
        caption = say(of, rate=words.heading(metric), name=name, reference=reference, strata=crude)
        blocks = [(within, (*named_as(APART, inside), *adjusted()))]
    blocks += [(levels, (*quantity, *decided))] if is_gap else [(levels, quantity), (gaps, (*apart, *decided))]
    of_crude = shared.crude_note(crude, gaps, within or gaps, protocol) if crude else ""
    note = " ".join(filter(None, (_adjusted(within or gaps, protocol), of_crude)))
    groups = levels.column("group")
    return groups_table(
        caption, groups, blocks, note, reference=reference, methods=False, conf_level=protocol.conf_level
    )


def _measured(audit: Audit, attribute: str, rows: Estimates) -> Table | None:
    """The table of a measure's numbers, with those within declared strata where these answer."""
    metric, strata = next(iter(rows.column("metric")), ""), audit.protocol.strata
    within = shared.differences_within(audit, attribute, metric)
    if metric == "gap of means" and (given := held_fixed(audit.protocol)):
        name = AMOUNTS if strata else ALIKE
        within = audit.estimates.where(attribute=attribute, role="main", metric=name, given=given)
    crude = strata_name(audit) if answered_within(audit, attribute, metric) else ""
    about = attribute_name(attribute, audit), rows, audit.references[attribute], audit.protocol
    return _quantity(*about, sized(within, by_size(audit, attribute)) if crude else None, crude)


def forest_rows(audit: Audit, attribute: str) -> list[Estimate]:
    """The differences of error rates that one figure shows, by metric and then by the size of the group."""
    rows = audit.estimates.where(attribute=attribute, role="main", contrast="difference")
    ordered = sized(rows, by_size(audit, attribute)[: MOST_GROUPS + 1])
    every = errors_of(audit) if "FNR" in ordered.column("metric") else CLASS_ERRORS  # one class of several has no FNR
    return [r for m in every for r in ordered.where(metric=m) if words.shown(r)]


def panels_of(rows: list[Estimate]) -> tuple[list[str], list[list[Estimate]]]:
    """The groups that have every rate, and their rows, a list a rate."""
    panels = [[r for r in rows if r.metric == m] for m in dict.fromkeys(r.metric for r in rows)]
    groups = [g for g in dict.fromkeys(r.group for r in rows) if all(any(r.group == g for r in p) for p in panels)]
    groups = groups[:MOST_GROUPS]
    return groups, [[r for g in groups for r in p if r.group == g] for p in panels]


def open_where_tentative(rows: Iterable[Estimate], page_level: float) -> list[Estimate]:
    """The rows as figures have them: a point that is tentative on page one is open."""
    return [row.changed(verdict="inconclusive") if alone(row, page_level) else row for row in rows]


def tentative_note(rows: Iterable[Estimate], page_level: float) -> str:
    """What open points are, where one is tentative."""
    if not any(alone(row, page_level) for row in rows):
        return ""
    return " " + say("Open points are not settled, or tentative.")


def errors_forest(
    name: str,
    audit: Audit,
    rows: list[Estimate],
    called: Mapping[str, str] = MappingProxyType({}),
    page_level: float = math.nan,
    least: int = 2,
) -> Drawing | None:
    """Differences of error rates, a panel a rate; beside a table one line would say no more than it.

    called: the errors in plain words; page_level: of page one, beyond which a difference is open here, as it is there.
    """
    note, rows = tentative_note(rows, page_level), open_where_tentative(rows, page_level)
    groups, panels = panels_of(rows)
    if len(groups) < least:
        return None
    drawn = [r for p in panels for r in p]
    apart = sum(map(filled, drawn))
    reference = drawn[0].reference
    caption = say(
        "{k} of {n} differences from {reference} are beyond chance (filled points).",
        k=apart,
        n=len(drawn),
        reference=reference,
    )
    return forest_plot(
        name,
        *panels,
        caption=caption + note,
        labels=groups,
        titles=[capital(called.get(p[0].metric, "")) or words.heading(p[0].metric) for p in panels],
        axis=say("difference from {reference}, points", reference=reference),
        called=lambda row: capital(called.get(row.metric, "")),
        ends=shared.bounds_of(audit, drawn),
    )


# Sensitivity: another interval, other thresholds, what is missing, and the difference that could have been shown.


WITHIN_STRATA = "risk difference within strata"
STANDARDIZED = "standardized difference"
E_VALUE, BOUND = "E-value", "Rosenbaum bound"


def sensitivity(bundle: Bundle) -> dict[str, Any] | None:
    """The context of ``sections/sensitivity.html.j2``: the headline's comparisons asked otherwise; the rest: CSV."""
    audit = shared.in_plain_verbs(bundle)
    if audit is None:
        return None
    shown = plain(audit)
    views = [of_class(audit, label) for label in audit.protocol.classes] or [audit]
    strata = [
        part
        for i, a in enumerate(shown)
        for k, view in enumerate(views)
        for part in strata_of(view, a, len(views) * i + k)
    ]
    strata = [_lean(part, strata[0]) for part in strata]
    figures = [d for i, a in enumerate(shown) if (d := sweep(f"sweep-{i}", audit, a))]
    steady, tables = _other_choices(audit, shown)
    bounds = Estimates(
        r for r in audit.estimates if r.attribute in shown and r.role == "bounds" and r.contrast == "difference"
    )
    if len(bounds):
        tables.append(bounds_table(audit, bounds))
    if not (strata or figures or steady or tables):
        return None
    return {"strata": strata, "figures": figures, "steady": steady, "tables": tables}


def _lacking(row: Estimate) -> str:
    """What is missing, and how far: it is no stratum, given which groups are compared."""
    return ", ".join(filter(None, (translated(row.given), setting(replace(row, given=""), ""))))


def bounds_table(audit: Audit, bounds: Estimates) -> Table:
    """The bounds of the differences; of several classes the comparison names the class."""

    def claim(row: Estimate) -> str:
        return words.claim(row, _claimed(audit, row)) if row.metric == SHARE else words.claim(row)

    def lacking(row: Estimate) -> str:
        missing = _lacking(row.changed(term=sampling_term(row)) if row.metric == SHARE else row)
        return f"{missing} ({level(row.conf_level)})" if row.conf_level == row.conf_level else missing

    columns: tuple[Column, ...] = (
        (text(mark("comparison")), claim),
        (text(mark("what is missing")), lacking),
        (Heading(mark("bounds"), mark("points")), words.interval),
    )
    return estimates_table(say("What is missing: bounds of the differences"), bounds, columns)


def strata_of(audit: Audit, attribute: str, index: int) -> list[dict[str, Any]]:
    """Return the differences within strata beside the crude ones: figure and table."""
    rows = sized(audit.estimates.where(attribute=attribute), by_size(audit, attribute))
    result: list[dict[str, Any]] = []
    items = [r for r in rows if r.metric == WITHIN_STRATA and r.role == "main"]  # bounds are no answer given something
    for given in dict.fromkeys(r.given for r in items):
        adjusted = [r for r in items if r.given == given]
        crude = {r.group: r for r in _headline(rows)}
        groups = [r.group for r in adjusted if r.group in crude]
        adjusted = [r for r in adjusted if r.group in groups]
        if not adjusted:
            continue
        pairs = [crude[g] for g in groups]
        of = shared.rate_name(audit, pairs[0].metric)[0] if isinstance(audit.protocol, OfClass) else ""
        factors = names_of(audit, given)
        decided = [bounds_over_withheld(audit, metric, attribute) for metric in (pairs[0].metric, WITHIN_STRATA)]
        open_groups = {group for bounds in decided for group, contrast in bounds if contrast == "difference"}
        drawn = crude_adjusted(
            f"strata-{index}-{len(result)}",
            pairs,
            adjusted,
            caption=_within_strata(pairs, adjusted, factors, of, open_groups),
            given=factors,
            ends=shared.bounds_of(audit, [*pairs, *adjusted]),
        )
        name, margin = attribute_name(attribute, audit), audit.protocol.margin.difference
        rate = of or words.heading(pairs[0].metric)
        table = _adjusted_table(rate, name, rows, pairs, adjusted, factors, margin, decided)
        if varied := varying(audit, adjusted):
            table = replace(table, note=f"{varied} {table.note}".strip())
        result.append({"figure": drawn, "table": table})
    return result


def _lean(part: dict[str, Any], first: dict[str, Any]) -> dict[str, Any]:
    """Return figure and table without what a reader has already: a figure of one line, what the columns mean."""
    figure, table = part["figure"], part["table"]
    if part is not first and _meaning() in first["table"].note:
        table = replace(table, note=table.note.replace(_meaning(), "").strip())
    if len(table.rows) > 1:
        return {"figure": figure, "table": table}
    return {"figure": None, "table": replace(table, note=f"{figure.caption} {table.note}")}


def _headline(rows: Estimates) -> Estimates:
    """The differences of the rate that the audit is about."""
    for metric in HEADLINES:
        result = rows.where(metric=metric, contrast="difference", role="main", given="")
        if len(result):
            return result
    return Estimates()


def _within_strata(
    crude: list[Estimate], adjusted: list[Estimate], given: str, rate: str, open_groups: Collection[str]
) -> str:
    """How many differences are smaller within strata; open_groups: those that people of withheld cells decide."""
    if rate:
        return f"{rate}. {_within_strata(crude, adjusted, given, '', open_groups)}"
    both = [(c, a) for c, a in zip(crude, adjusted, strict=True) if words.shown(c) and words.shown(a)]
    both = [(c, a) for c, a in both if a.group != MISSING_LEVEL] or both  # people of unknown group are no group
    left = [(c, a) for c, a in both if a.group not in open_groups]
    if both and not left:
        return say("Given {given}, withheld people decide whether the differences are smaller.", given=given)
    both = left
    printed = [tuple(round(100 * one.estimate, 1) for one in pair) for pair in both]  # as rows and figure show them
    turned = sum(a * c < 0 for c, a in printed)
    smaller = sum(abs(a) < abs(c) and a * c >= 0 for c, a in printed)
    same = all(a == c for c, a in printed)
    if same and len(both) > 1:
        return say("Given {given}, the differences hardly change.", given=given)
    if len(both) == 1:
        if same:
            return say("Given {given}, the difference hardly changes.", given=given)
        if turned:
            return say("Given {given}, the difference has the opposite sign.", given=given)
        if smaller:
            return say("Given {given}, the difference is smaller.", given=given)
        return say("Given {given}, the difference is no smaller.", given=given)
    values = {"given": given, "k": smaller, "n": len(both), "turned": turned}
    if turned:
        text = mark("Given {given}, {k} of {n} differences are smaller, and {turned} of the opposite sign.")
        return say(text, **values)
    return say("Given {given}, {k} of {n} differences are smaller.", **values)


def _adjusted_table(
    rate: str,
    name: str,
    rows: Estimates,
    crude: list[Estimate],
    adjusted: list[Estimate],
    given: str,
    margin: float | None,
    bounds: Sequence[Mapping[tuple[str, str], Estimate]],
) -> Table:
    """The crude differences and those given strata; bounds: of both, over the people of withheld cells."""
    of_crude, of_adjusted = bounds
    hidden = {
        (r.group, r.metric, r.term): r for r in rows if r.metric in (E_VALUE, BOUND) and r.given == adjusted[0].given
    }
    headings = [
        text(say("group")),
        Heading(say("crude"), say("points")),
        Heading(level_of(crude), say("points")),
        Heading(say("given {given}", given=given), say("points")),
        Heading(level_of(adjusted), say("points")),
        Heading(say("adjusted p")),
        text(say("verdict")),
        Heading(say("E-value"), say("of the limit")),
        Heading(say("Rosenbaum bound")),
    ]
    lines = [
        [
            a.group,
            *_pair(c, of_crude.get((c.group, c.contrast))),
            *_pair(a, of_adjusted.get((a.group, a.contrast))),
            words.p_value(decisive_p(a)) if words.shown(a) else words.DASH,
            words.verdict(a, margin) or (words.DASH if words.shown(a) else words.status(a)),
            " ".join(
                (_factor(hidden.get((a.group, E_VALUE, ""))), _factor(hidden.get((a.group, E_VALUE, "limit")), "()"))
            ),
            _factor(hidden.get((a.group, BOUND, ""))),
        ]
        for c, a in zip(crude, adjusted, strict=True)
    ]
    caption = say(
        "{rate} by {name}, compared with {reference}: crude, and given {given}",
        rate=rate,
        name=name,
        reference=crude[0].reference,
        given=given,
    )
    return table(caption, headings, lines, methods_note(adjusted, _meaning() if hidden else ""))


def _meaning() -> str:
    return say(
        "E-value: how strongly, as a risk ratio, an unmeasured factor would have to go with both group and decision to "
        "explain the adjusted difference away; in brackets: to move its limit to equality. Rosenbaum bound: the factor "
        "by which people of one stratum may differ in their odds of being in the group before the disparity is no "
        "longer significant."
    )


def _factor(row: Estimate | None, around: str = "") -> str:
    """A factor to two digits, perhaps in brackets; a dash, or nothing in brackets, where there is none."""
    if row is None or not words.shown(row):
        return "" if around else words.DASH
    return f"({words.number(row.estimate, 2)})" if around else words.number(row.estimate, 2)


def _other_choices(audit: Audit, attributes: list[str]) -> tuple[list[str], list[Table]]:
    """Whether other methods change an answer, in a sentence; and what was not shown could have been, in a table."""
    rows = [r for a in attributes for r in sized(audit.estimates.where(attribute=a), by_size(audit, a))]
    every = [r for r in rows if r.contrast == "difference" and not r.given]
    metrics = dict.fromkeys(r.metric for r in rows if _is_beside(r))
    flagged = flags(audit.protocol)
    found = {m: _of(every, m, flagged and m == "selection rate") for m in metrics}
    of_decisions = shared.counted_rate(audit.protocol)[0] if flagged else shared.favorable_rate(audit.protocol)
    called = {m: words.heading(m) for m in found} | {"selection rate": of_decisions}
    steady = [_steady(of, called[m]) for m, of in found.items() if of]
    ends = {(m, a): bounds_over_withheld(audit, m, a) for m in found for a in attributes}
    if flagged:
        turned = {
            at: {k: complement(b) for k, b in rows.items()} for at, rows in ends.items() if at[0] == "selection rate"
        }
        ends |= turned
    tables = [_detectable_table(of, metric, ends, called[metric]) for metric, of in found.items() if of]
    return [line for line in steady if line], [table for table in tables if table]


def _of(rows: list[Estimate], metric: str, flagged: bool) -> dict[tuple[str, str, str, str], Estimate]:
    """The rows of a metric by what they are; of a decision that flags people those of the people flagged."""
    turned = {"below": "above", "above": "below"}
    items = [(r, r.term) for r in rows if r.metric == metric]
    items = [(complement(r), turned.get(term, term)) for r, term in items] if flagged else items
    return {(r.attribute, r.group, r.role, term): r for r, term in items}


def _steady(rows: Mapping[tuple[str, str, str, str], Estimate], called: str) -> str:
    """By how much the limits of all comparisons move at most with another interval."""
    other = {key[:2]: row for key, row in rows.items() if key[2] == "sensitivity" and words.shown(row)}
    pairs = [(_as_tested(rows.get((*key, "main", ""))), row) for key, row in other.items()]
    both = [(a, b) for a, b in pairs if a is not None and words.shown(a) and a.conf_low == a.conf_low]
    if not both:
        return ""
    moved = max(max(abs(a.conf_low - b.conf_low), abs(a.conf_high - b.conf_high)) for a, b in both)
    turned = [words.pair(a) for a, b in both if _apart(a) != _apart(b)]
    values = {
        "rate": called,
        "n": len(both),
        "points": words.percent(max(math.ceil(1000 * moved), 1) / 1000),
        "method": listed([translated(m) for m in dict.fromkeys(b.method for _, b in both) if m]),
    }
    if not turned:
        return say_number(
            "{rate}: with another method ({method}) no limit of the comparison moves by more than {points} percentage "
            "points, and what is shown stays the same.",
            "{rate}: with another method ({method}) no limit of {n} comparisons moves by more than {points} percentage "
            "points, and what is shown stays the same.",
            len(both),
            **values,
        )
    return say(
        "{rate}: with another method ({method}) no limit of {n} comparisons moves by more than {points} percentage "
        "points; whether a difference is shown changes for {turned}.",
        turned=words.listed(turned),
        **values,
    )


def _apart(row: Estimate) -> bool:
    return row.conf_low > 0 or row.conf_high < 0


def _detectable_table(
    rows: Mapping[tuple[str, str, str, str], Estimate],
    metric: str,
    bounds: Mapping[tuple[str, str], Mapping[tuple[str, str], Estimate]],
    called: str,
) -> Table | None:
    """The smallest true difference that this sample would show, of comparisons that are not settled."""
    main = [row for key, row in rows.items() if key[2:] == ("main", "") and row.verdict not in SETTLED]
    headings = [text(say("comparison")), Heading(say("difference"), say("points"))]
    headings += [Heading(say("detectable difference"), say("points"))]
    lines = []
    for row in main:
        ends = (rows.get((row.attribute, row.group, "power", side)) for side in ("below", "above"))
        if (shown := _detectable(*ends)) != words.DASH:
            bound = bounds[metric, row.attribute].get((row.group, "difference"))
            lines.append([words.pair(row), _pair(row, bound)[0], shown])
    if not lines:
        return None
    caption = say("{rate}: how large a gap this audit would have found", rate=called)
    note = say("Detectable: the smallest true difference, below and above, that this audit had an 80% chance to show.")
    return table(caption, headings, lines, note)


def _is_beside(row: Estimate) -> bool:
    """Whether it is another interval of the same difference, or the smallest one that the sample would show."""
    return (row.role == "sensitivity" and not row.given) or (row.role, row.term) == ("power", "below")


def _as_tested(row: Estimate | None) -> Estimate | None:
    """The row with the interval of its test of no difference, whatever its verdict was read from."""
    return row and replace(row, verdict="")


def _pair(row: Estimate | None, bound: Estimate | None = None) -> tuple[str, str]:
    """An estimate, or its bounds where the people of withheld cells decide it, and its interval."""
    if row is None or not words.shown(row):
        return words.DASH, words.DASH
    point = words.percent(row.estimate) if bound is None else words.span(bound.conf_low, bound.conf_high, words.percent)
    return point, words.interval(row)


def _detectable(below: Estimate | None, above: Estimate | None) -> str:
    ends = [detectable_points(r.estimate) for r in (below, above) if r is not None and words.shown(r)]
    return say("{one} or {other}", one=ends[0], other=ends[1]) if len(ends) == 2 else "".join(ends) or words.DASH


def sweep(name: str, audit: Audit, attribute: str) -> Drawing | None:
    """Draw the differences of rates had the score been cut elsewhere; bold is whom page one is about."""
    lines = sweep_lines(audit, attribute)
    if not lines:
        return None
    conf = level(audit.protocol.conf_level)
    if flags(audit.protocol):  # of the people flagged, as page one has it
        lines = [_turned(line) for line in lines]
    event = _side(audit.protocol)
    first = _first(audit, attribute, lines)
    order = [first.group, *(g for g in by_size(audit, attribute) if g != first.group)]
    reference = audit.references[attribute]
    return path(
        name,
        lines,
        caption=_swept(first, reference, event, conf),
        level=conf,
        setting=say("cut-off of {score}", score=score_noun(audit.protocol)),
        axis=say("difference, points"),
        chosen=audit.protocol.threshold,
        order=order,
        equal=reference,
    )


def _side(protocol: Resolved) -> str:
    """On which side of a cut-off the people are who are counted: what a decision is called is so at one cut-off."""
    above = (protocol.positive_prediction if flags(protocol) else protocol.favorable) == "1"
    return say("were at or above the cut-off") if above else say("were below the cut-off")


def _turned(line: Curve) -> Curve:
    y, low, high = (tuple(-v for v in values) for values in (line.y, line.high, line.low))
    return replace(line, y=y, low=low, high=high)


def _swept(line: Curve, reference: str, event: str, conf: str) -> str:
    """At how many cut-offs the limits, of that level, are on which side of no difference."""
    below, above = cuts_beside(line)
    values = {
        "group": inside(line.group),
        "reference": inside(reference),
        "n": len(line.x),
        "below": below,
        "above": above,
    }
    values |= {"level": conf, **parts(event)}
    if below and above:
        return say(
            "The cut-off decides: {level} limits, not adjusted, show that {group} {event} less often than {reference} "
            "at {below} of {n} cut-offs, more often at {above}.",
            **values,
        )
    if below:
        return say(
            "By {level} limits, not adjusted, {group} {event} less often than {reference} at {below} of {n} "
            "cut-offs, more often at none.",
            **values,
        )
    if above:
        return say(
            "By {level} limits, not adjusted, {group} {event} more often than {reference} at {above} of {n} "
            "cut-offs, less often at none.",
            **values,
        )
    return say(
        "At none of {n} cut-offs do {level} limits, not adjusted, show a difference between {group} and {reference}.",
        **values,
    )


def cuts_beside(line: Curve) -> tuple[int, int]:
    """At how many cut-offs the limits are below no difference, and at how many above."""
    return sum(high < 0 for high in line.high), sum(low > 0 for low in line.low)


def _first(audit: Audit, attribute: str, lines: list[Curve]) -> Curve:
    """The group that page one names of the attribute; else the one that is ever furthest from equality."""
    for one in answers(audit):
        for group in (one.group, one.reference) if one.attribute == attribute else ():
            if result := next((line for line in lines if line.group == group), None):
                return result
    people = {c.group: c.n for c in audit.cells if c.attribute == attribute}
    large = [line for line in lines if people.get(line.group, FEW) >= FEW] or lines
    return max(large, key=lambda line: max(map(abs, line.y)))


def sweep_lines(audit: Audit, attribute: str) -> list[Curve]:
    """One line a group, of those with at least two thresholds; none where the decision does not come from a score."""
    rows = sized(audit.estimates.where(attribute=attribute, contrast="difference"), by_size(audit, attribute))
    cut = [r for r in rows if not math.isnan(threshold_of(r)) and words.shown(r)]
    groups = dict.fromkeys(r.group for r in cut)
    lines = [_line(attribute, group, [r for r in cut if r.group == group]) for group in groups]
    return [line for line in lines if len(line.x) > 1]


def _line(attribute: str, group: str, rows: list[Estimate]) -> Curve:
    points = sorted((threshold_of(r), 100 * r.estimate, 100 * r.conf_low, 100 * r.conf_high) for r in rows)
    return Curve("path", attribute, group, *zip(*points, strict=True))


# Scope and protocol: the rules of the audit; and the data: from the rows read to the rows analyzed.


WITH_GROUPS = (ALL_GROUPS, HIGHEST_WITHHELD)  # reasons of rows that are withheld because groups are


def protocol(bundle: Bundle, compared: bool = True) -> dict[str, Any] | None:
    """The context of ``sections/protocol.html.j2``; without ``compared`` of a report that tests no comparison."""
    if bundle.audit is None:
        return None
    audit, named = bundle.audit, worded(bundle.audit).cells
    rules = audit.protocol
    return {
        "declared": rules.declared,
        "declaration": _declaration(rules),
        "groups": [_recorded(audit, named, a, compared) for a in audit.references],
        "rules": [(label, value) for label, value in _rules(audit, compared, bundle.law_of_preset) if value],
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
        "These rules were entered when the audit was run: nothing shows that they were fixed before the data were seen."
    )


def _levels_of(p: Rules) -> str:
    values = {"level": level(p.conf_level), "thick": level(2 * p.conf_level - 1), "error": level(1 - p.conf_level)}
    meaning = say("an interval misses the true value in about {error} of audits", **values)
    if not p.margin:
        return say("{level}, two-sided: {meaning}", meaning=meaning, **values)
    return say(
        "{level}, two-sided: {meaning}; practical equality is read from {thick} intervals", meaning=meaning, **values
    )


def _recorded(audit: Audit, named: Sequence[Cell], attribute: str, compared: bool) -> tuple[str, str]:
    names = {
        old.group: label if label.casefold() == new.group.casefold() else f"{label} ({new.group})"
        for old, new in zip(audit.cells, named, strict=True)
        if old.attribute == attribute
        for label in [quoted(old.group)]
    }
    levels = [quoted(level) for level in by_size(audit, attribute)]
    reference = names.get(audit.references.get(attribute, ""), "") if compared else ""
    crossed = audit.protocol.is_crossed(attribute)
    if crossed:
        levels, reference = [attribute_name(label) for label in levels], attribute_name(reference)
    values = {"n": len(levels), "groups": words.listed(levels, 4 if crossed else 8), "reference": reference}
    if reference:
        return attribute_name(attribute, audit), say(
            "{n} groups as recorded: {groups}; compared with {reference}", **values
        )
    return attribute_name(attribute, audit), say("{n} groups as recorded: {groups}", **values)


LAW_WORDS = {EMPLOYMENT: mark("decisions on employment"), CREDIT: mark("decisions on credit")}
LAWS_OF_PRESETS = {
    "four_fifths": mark("that of the preset, decisions on employment (29 CFR 1607); none was declared"),
    shared.BESIDE_DECLARED: mark("decisions on employment; the page is of Local Law 144 of New York City"),
    "ll144": mark("that of the preset, Local Law 144 of New York City; none was declared"),
}


def _rules(audit: Audit, compared: bool, law_of_preset: str) -> list[tuple[str, str]]:
    p = audit.protocol
    decided = bool(p.decision) or p.threshold is not None
    table = translated(audit.data.name) or say("the table")
    people = p.labels.people(say("people"))
    if p.weights and p.weight_type == "frequency":
        unit = say(
            "each row of {table} stands for as many {people} as {weights} says",
            table=table,
            people=people,
            weights=p.weights,
        )
    elif any(step.label == READ[1] for step in audit.flow):
        unit = say("each row of {table} stands for as many {people} as it counts", table=table, people=people)
    elif p.labels.population or p.labels.unit:
        unit = say("each row of {table} is one of the {people}", table=table, people=people)
    else:
        unit = say("each row of {table} is one person", table=table)
    favored = shared.phrase(p, "D=+") if p.counted else decision_text(p, p.favorable)
    return [
        *((say(shared.ABOUT_NAMES[name]), entry) for name, entry in p.about.given().items()),
        (say("Law"), say(LAWS_OF_PRESETS[law_of_preset]) if law_of_preset else say(LAW_WORDS[p.law]) if p.law else ""),
        (say("Population and unit"), unit),
        (say("Outcome"), _outcome(p)),
        (say("Decision"), _decision(p) if decided else ""),
        (say("Classes"), _classes(p)),
        (say("Favorable to the person"), favored if decided and p.favorable else ""),
        (
            say("Predicts the outcome"),
            decision_text(p, p.positive_prediction) if p.positive_prediction else "",
        ),
        (say("Score"), p.score),
        (say("Further measures"), ", ".join(f"{role}: {column}" for role, column in p.measured)),
        *(_comparing(audit) if compared else ()),
        (
            say("Percentages of page one"),
            say("without decimals of fewer than {n} people", n=NO_DECIMALS)
            if (decided or p.outcome) and compared  # the tables of a law have one decimal throughout
            else "",
        ),
        (say("Missing groups"), say(MISSING[p.missing].words)),
        (say("Intersections"), _intersections(p)),
        (say("Smallest group reported"), _smallest(p)),
        (say("Strata"), p.strata),
        (say("Adjusted for"), p.alike),
        (say("Survey design"), p.design.words),
        (say("Weights"), _weights(p) if p.weights and not p.design else ""),
        (say("Clusters"), p.clusters),
    ]


def _outcome(p: Rules) -> str:
    if p.favorable or p.positive:
        return p.outcome and say("{outcome}; positive is {label}", outcome=p.outcome, label=p.positive)
    return p.outcome


def _classes(p: Rules) -> str:
    """The classes of decision and outcome, and whether their order counts."""
    if not isinstance(p, Resolved) or not p.classes:
        return ""
    if p.ranked:
        return say("{classes}, in this order", classes=" < ".join(p.classes))
    return say("{classes}, without an order", classes=", ".join(p.classes))


def _comparing(audit: Audit) -> list[tuple[str, str]]:
    """The rules by which groups are compared."""
    p = audit.protocol
    return [
        (say("Reference rule"), _reference(audit)),
        (say("Confidence level"), _levels_of(p)),
        (say("Multiplicity"), _multiplicity(audit)),
        (say("Adjusted together"), _together(audit)),
        (say("Equivalence margin"), p.margin.words),
    ]


def _together(audit: Audit) -> str:
    """Which comparisons are adjusted together; of several rates, what page one says of a finding of one of them."""
    if audit.protocol.classes or audit.protocol.p_adjust == NONE or compared_amounts(audit):
        return family_text(audit)
    others = say("what page one says of further rates is beyond chance for all of them together, or called tentative")
    return f"{family_text(audit)}; {others}"


def _intersections(p: Rules) -> str:
    """Which intersections were added to several single columns."""
    if sum(not p.is_crossed(name) for name in p.groups) < 2:
        return ""
    named = [say(INTERSECTIONS[name].words) if name in INTERSECTIONS else name for name in p.intersections]
    return ", ".join(named) or say("none")


def _multiplicity(audit: Audit) -> str:
    """How the comparisons are adjusted."""
    used = adjustment(audit.protocol.p_adjust, audit.protocol.reference)
    return f"{say(used.words)} ({say(used.meaning)})"


def _reference(audit: Audit) -> str:
    reference = audit.protocol.reference
    rule = reference_rule(reference)
    if rule is NAMED:
        return f"{reference}, {say(rule.words)}"
    if reference == HIGHEST_RATE and any(r.status == "suppressed" for r in audit.estimates):
        return say("{rule}, of the groups that are shown", rule=say(rule.words))
    if reference == LARGEST_GROUP and shared.cells_withheld(audit):
        return say("{rule}, of the cells that were sent", rule=say(rule.words))
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
    lost = [r for r in lost if r.term or not r.given]  # strata, and groups, but not what is averaged over strata
    drawn, elsewhere = flow_of(audit), (FAVORABLE, *UNCLEAR, AFTER)
    of_domain = any(step.label == READ[2] for step in audit.flow)
    notes = audit.notes
    if shared.has_bounds(bundle):  # which is what this advises
        parts = ([one for one in unjoined(note, " ") if not says(one, BY_PROBABILITIES)] for note in notes)
        notes = tuple(joined(kept, " ") for kept in parts)
    return {
        "summary": _summary(audit),
        "lost": drawn,
        "flow": _flow(audit)
        if drawn or of_domain or shared.cells_withheld(audit) or any(step.n for step in steps_of(audit)[1])
        else None,
        "counts": _counts(audit, plain(audit)),
        "cautions": [translated(n) for n in notes if not any(says(n, one) for one in elsewhere)],
        "excluded": _excluded(
            audit, [(*((r.given, r.term) if r.given else (r.attribute, r.group)), words.status(r)) for r in lost]
        ),
    }


IN_ADJUSTED = message("in the adjusted gaps")


def _flow(audit: Audit) -> Table:
    """A line a step; steps at which no row is lost share one sentence."""
    counts = [step.label for step in audit.flow if step.label in (*READ, *ANALYZED, COMPLETE)]
    idle = [step.label for step in audit.flow if step.label not in counts and step.n == 0]
    people, some = READ[1] in counts, shared.with_amount(audit)
    steps = [(some or s) if s.label in ANALYZED else s for s in audit.flow]
    unadjusted = [s for s in steps if says(s.label, MISSING_COVARIATE)]  # lost to the adjusted gaps alone: after all
    steps = [s for s in steps if s not in unadjusted] + unadjusted
    if some and unadjusted and not math.isnan(left := some.n - unadjusted[0].n):
        steps.append(FlowStep(IN_ADJUSTED, left))
    return table(
        say("From people read to people analyzed") if people else say("From rows read to rows analyzed"),
        [text(say("step")), Heading(say("number") if people else say("rows")), text(say("reason"))],
        [(translated(s.label), words.count(s.n), translated(s.reason)) for s in steps if s.label not in idle],
        say("None: {steps}.", steps=words.listed([translated(label) for label in idle])) if idle else "",
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
    first, last = read_and_analyzed(audit.flow)
    complete = (step for step in audit.flow if step.label == COMPLETE)
    totals = [first, shared.with_amount(audit) or last, *complete]
    totals = [step for step in totals if not math.isnan(step.n)]  # others are suppressed
    present = (*READ, *ANALYZED, COMPLETE)
    of_read = audit.flow[audit.flow.index(first) :]  # without those outside the domain of a survey
    lost = (step for step in of_read if step.label not in present and step.n > 0)
    return totals, [step for step in lost if not says(step.label, MISSING_COVARIATE)]


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
        wording = (
            say("all {n} people in {rows} rows were analyzed", n=read, rows=rows)
            if read == kept
            else say("{kept} of {n} people in {rows} rows were analyzed", kept=kept, n=read, rows=rows)
        )
    elif shared.cells_withheld(audit):
        wording = say("{kept} of {n} people in the cells that were sent were analyzed", kept=kept, n=read)
    elif first.label == READ[2]:
        wording = (
            say("all {n} rows of the domain were analyzed", n=read)
            if read == kept
            else say("{kept} of {n} rows of the domain were analyzed", kept=kept, n=read)
        )
    elif read == kept:
        wording = say("all {n} rows read were analyzed", n=read)
    else:
        wording = say("{kept} of {n} rows read were analyzed", kept=kept, n=read)
    if some := shared.with_amount(audit):
        amounts = words.count(some.n)
        if first.label == READ[0] and read == kept:
            return say("{k} of {n} rows read had an amount", k=amounts, n=read)
        return say("{rows}; {k} of them had an amount", rows=wording, k=amounts)
    if complete == kept:
        return wording
    return say("{rows}; {complete} of them have both outcome and decision", rows=wording, complete=complete)


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


def _counts(audit: Audit, attributes: Sequence[str]) -> Table | None:
    """The people of each group of every attribute, with how many have either outcome and either decision."""
    every = [c for a in attributes for c in sorted((c for c in audit.cells if c.attribute == a), key=_largest)]
    items = [(name, label) for name, label in _COUNTS if any(getattr(c, name) == getattr(c, name) for c in every)]
    totals = {a: _everybody(audit, a) for a in attributes}
    several = len(attributes) > 1

    def row(cell: Cell) -> tuple[str, ...]:
        total, name = totals[cell.attribute], attribute_name(cell.attribute, audit)
        counts = (words.count(getattr(cell, name)) for name, _ in items)
        share = words.percent(cell.n / total) if total else words.DASH
        return (cell.group, *([name] if several else []), words.count(cell.n), share, *counts)

    if not every:
        return None
    named = listed([attribute_name(a, audit) for a in attributes])
    headings = [text(say("group")), text(say("attribute"))] if several else [text(named)]
    headings += [Heading("n"), Heading(say("share"), "%"), *(Heading(say(label)) for _, label in items)]
    caption = say("People by {attribute}, largest group first", attribute=named)
    note = sums_note(Estimates()) if audit.protocol.weight_type == "probability" else ""
    return table(caption, headings, map(row, every), note, most=40)


def _largest(cell: Cell) -> tuple[bool, float]:
    return holds_missing(cell.group), -cell.n if cell.n == cell.n else 1.0


def _excluded(audit: Audit, rows: list[tuple[str, str, str]]) -> Table | None:
    if not rows:
        return None
    groups: dict[tuple[str, str], list[str]] = {}
    for attribute, group, why in dict.fromkeys(rows):
        groups.setdefault((attribute, why), []).append(group)
    shown = [
        (attribute_name(attribute, audit), ", ".join(current), why) for (attribute, why), current in groups.items()
    ]
    headings = [text(say("attribute")), text(say("groups")), text(say("reason"))]
    return table(say("Groups that are withheld or not compared"), headings, shown)


# Limits, readings, references and provenance: what each statistic assumes, and how to run the report again.


def limits(bundle: Bundle) -> dict[str, Any]:
    """The context of ``sections/limits.html.j2``."""
    return {"attested": _attested(bundle), "signed": list(shared.sign_off(bundle)), "provenance": _provenance(bundle)}


def _attested(bundle: Bundle) -> list[str]:
    """What no file can prove, for the auditor to tick."""
    if bundle.audit is None:
        return []
    return [
        say(
            "The rules (groups, reference, comparison of page one, margin) were fixed before the data were seen. "
            "Evidence: ______"
        ),
        say("The auditor is independent of those whose decisions are audited."),
        say(
            "The groups are as recorded; nobody was put into one by a name, a picture or an address. Probabilities of "
            "groups are in this report as probabilities alone."
        )
        if shared.has_bounds(bundle)
        else say("The groups are as recorded; nobody's group was guessed from a name, a picture or an address."),
    ]


def _provenance(bundle: Bundle) -> list[tuple[str, str]]:
    return [
        *_runs(bundle),
        (say("Results made"), bundle.created),
        (say("Fingerprint of the results (begins with the report id)"), bundle.sha256),
    ]


def _listed(versions: Mapping[str, str]) -> str:
    return ", ".join(f"{name} {version}" for name, version in versions.items())


def _hash_name(data: DataSource) -> str:
    """What the hash is of: of a table of counts not of the file, as the order of its lines does not matter."""
    return say("SHA-256 of the data") if data.counts is None else say("SHA-256 of the counts")


def _runs(bundle: Bundle) -> list[tuple[str, str]]:
    """Of results that keep it the run; of fits and clusterings, which keep neither, how they were made."""
    pairs = []
    first = [] if bundle.audit is None else [bundle.audit]
    for result in (*first, *bundle.extra_errors, *bundle.others):
        run: Provenance | None = getattr(result, "provenance", None)
        source: Any = getattr(result, "data", ())
        if isinstance(result, Leakage):
            run = provenance(result.call, result.seed)
        if run is None:
            continue
        pairs += [(say("Call"), run.call), (say("Seed"), str(run.seed))]
        for data in source if isinstance(source, tuple) else (source,):
            pairs += [(say("Data file"), translated(data.name) or say("table in memory"))]
            pairs += [(_hash_name(data), data.sha256 or say("none (not read from a file)"))]
        if isinstance(result, Audit) and result.protocol.sha256:
            pairs.append((say("SHA-256 of the protocol"), result.protocol.sha256))
        audits = say("SHA-256 of the earlier audit"), say("SHA-256 of the later audit")
        pairs += zip(audits, getattr(result, "fingerprints", ()), strict=False)
        versions = say("Versions"), _listed(run.versions)
        pairs += [] if versions in pairs else [versions]
    computed: list[Result] = [*bundle.fits, *bundle.partitions]
    for fit in computed:
        present = fit.to_dict()
        n = count(present["n"])
        if present.get("features"):
            pairs.append((say("Call"), str(Call(present["method"], ("X", "groups", *present["settings"].items())))))
        size = [say("{n} rows", n=n) if present.get("features") else say("{n} vertices", n=n)]
        size += [say("features {names}", names=listed(present["features"], 8))] if present.get("features") else []
        values = {n: v if isinstance(v, str) else in_code(v) for n, v in present["settings"].items()}
        settings = ", ".join(f"{name} = {value}" for name, value in values.items())
        pairs.append((say("{method} was made with", method=name_of(fit)), "; ".join(filter(None, [settings, *size]))))
    return [*pairs, (say("Versions that wrote this"), _listed(provenance("", 0).versions))] if computed else pairs


# The claims of an audit as a forest plot.


def figure_of(audit: Audit, claims: Estimates) -> Drawing | None:
    """Draw the claims of the most frequent kind as a forest plot, since one axis holds one kind of number."""
    types = Counter(kind_of_axis(r) for r in claims if plottable(r))
    if not types:
        return None
    kind = max(types, key=lambda c: (types[c], c == "difference"))
    rows = [r for r in claims if kind_of_axis(r) == kind and plottable(r)]
    judging = [r for r in rows if r.estimator != CRUDE]
    apart = sum(r.verdict in SHOWN for r in judging)
    of_kind = {
        "difference": mark("differences"),
        "gap": mark("gaps"),
        "ratio": mark("ratios"),
        "none": mark("comparisons"),
    }
    what, strata = say(of_kind[kind]), strata_name(audit)
    names = {(r.metric, r.term): _claimed(audit, r) for r in rows}
    text = mark("{k} of {n} {what} shown here show a disparity.")
    if len(judging) < len(rows) and all(r.given for r in judging):
        text = mark("{k} of {n} {what} within {strata} shown here show a disparity.")
    caption = say(text, k=apart, n=len(judging), what=what, strata=strata)
    if not judging:
        text = mark("{what} that are not adjusted for {strata}, without a verdict.")
        caption = say(text, what=capital(what), strata=strata)
    elif len(judging) == 1:
        caption = f"{words.claim(judging[0], names[judging[0].metric, judging[0].term])}."
    labels = [f"{names[r.metric, r.term]}: {words.pair(r)}" for r in rows]
    margin = audit.protocol.margin.gap if kind == "gap" else audit.protocol.margin.difference
    return forest_plot(
        "page-one",
        rows,
        caption=caption,
        margin=margin,
        labels=labels,
        called=lambda r: names[r.metric, r.term],
        ends=shared.bounds_of(audit, rows),
    )


def _claimed(audit: Audit, row: Estimate) -> str:
    """What the rate of a claim is called: of one of several classes with that class, within strata with these."""
    if row.estimator == CRUDE:
        return say("{rate}, crude", rate=_claimed(audit, row.changed(estimator="")))
    if row.metric == WITHIN_STRATA:
        seen = of_class(audit, row.term) if row.term else audit
        crude = _headline(seen.estimates.where(attribute=row.attribute))
        rate = shared.rate_name(seen, crude[0].metric)[0] if crude else words.heading(row.metric)
        return say("{rate} within {strata}", rate=rate, strata=strata_name(audit))
    if not (audit.protocol.classes and row.metric in OF_CLASSES.values()):
        return shared.rate_name(audit, row.metric)[0]
    called = {ours: name for name, ours in OF_CLASSES.items()}
    return shared.rate_name(of_class(audit, row.term), called[row.metric])[0]


def plottable(row: Estimate) -> bool:
    """Whether a claim has an axis: a rate's difference in points, a gap of amounts in per cent, or P(X>Y)."""
    return words.unit(row) != "" or (row.metric == "P(X>Y)" and row.contrast == "none")
