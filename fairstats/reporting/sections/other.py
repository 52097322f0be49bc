"""Monitoring: page one of a change between two audits, and the differences that it is made of."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from fairstats.auditing.alternatives import FEWEST
from fairstats.auditing.amounts import GAP_WITHIN, WEIGHTS_WITHIN
from fairstats.auditing.answer import OVERTURNED, flags
from fairstats.auditing.change import (
    AFTER,
    BEFORE,
    BOUNDED,
    CHANGE,
    CRUDE,
    DIFFERENT_PEOPLE,
    KNOWN_GROUPS,
    ONLY_AFTER,
    WITHIN,
    AuditComparison,
    called,
    ends_of,
    gaps_of,
    group_called,
    named_statements,
    point_or_ends,
)
from fairstats.auditing.group_probabilities import LEVELS, contradicted, refutes, right
from fairstats.auditing.group_studies import (
    ALONE,
    AS_GIVEN,
    AT_RANDOM,
    BASIC_OF,
    BY_BOTH,
    CALIBRATION,
    CHI_SQUARE,
    CORRECTED,
    HEADS,
    IS_SMALLER_IN_SIZE,
    OF_BOUNDS,
    OF_VARIABLE_PAY,
    PER_HOUR,
    SHOWN,
    WITHOUT_REGARD,
    GroupStudy,
    absent_signs,
    as_gap,
    as_given,
    at_margin,
    beside_margin,
    bounded_rows,
    by_itself,
    compared_periods,
    conditions_of,
    direction,
    in_law_order,
    in_points,
    is_gap,
    margin_digits,
    of_blocks,
    of_category,
    of_change,
    of_homogeneity,
    of_pay,
    of_period,
    one_limit,
    outside,
    overturned,
    provision,
    shown_kept,
    study_p,
    watched_rows,
    way_shown,
    worded,
)
from fairstats.auditing.group_studies import BEFORE as BASELINE
from fairstats.auditing.local_law_144 import (
    FIELDS,
    HISPANIC,
    OTHER,
    RACE,
    SEX,
    Category,
    ImpactTable,
    ended,
    kind_and_place,
    local_law_144,
)
from fairstats.auditing.monitor import places_in_time
from fairstats.auditing.pay import (
    BONUS_PAID,
    BOTH_LEVELS,
    EU_ASSESSMENT,
    EU_LAW,
    GIVEN_APART,
    GIVEN_LESS,
    GIVEN_MORE,
    LESS,
    LESS_PER_HOUR,
    LETTERS,
    LIMIT_OF_ARTICLE_10,
    MEDIAN,
    MEDIAN_MORE,
    MORE,
    MORE_PER_HOUR,
    NO_GAP,
    OBSERVED,
    OBSERVED_IN_ALL,
    OBSERVED_OF_NONE,
    OBSERVED_OF_SOME,
    OF_BONUS,
    OF_VARIABLE,
    OF_VARIABLE_PER_HOUR,
    OTHERS,
    OTHERS_EACH,
    QUARTERS,
    QUARTERS_PER_HOUR,
    RUN_AGAIN,
    UK_LAW,
    VARIABLE_APART,
    VARIABLE_PAID,
)
from fairstats.auditing.protocol import NO_WORDS
from fairstats.auditing.result import ABSENT, BY_ONE_AMOUNT, plain
from fairstats.auditing.sentences import (
    ADJECTIVES,
    SHARES,
    column_name,
    crossed_people,
    in_code,
    level_name,
    measured_among,
    people,
    share_of,
    unit_of,
)
from fairstats.auditing.sentences import name_of as group_name
from fairstats.auditing.sentences import parts as of_phrase
from fairstats.auditing.subgroups import (
    AND_MORE,
    FARTHEST,
    FLAGGED,
    MOST,
    ONE,
    ONE_WRONG,
    REACHED,
    REACHED_MARGIN,
    SOME_REMAIN,
    SubgroupScan,
    columns,
    follows,
    labels_of,
    shares_of,
)
from fairstats.cluster.embedding import CONSTRAINT, Composition
from fairstats.cluster.partition import CROWDED, IN_PARTS, UNTESTED, Partition, quantities, weighing
from fairstats.comparing.result import Comparison
from fairstats.document import Heading, Table
from fairstats.errors import Call, InputError
from fairstats.estimates import NAN, TESTED, Estimate, Estimates
from fairstats.inference.multiplicity import rejected
from fairstats.inference.verdicts import decisive_interval, decisive_level
from fairstats.labels import (
    LOOK_ALIKE,
    PERHAPS_MISSING,
    PERHAPS_SUMS,
    holds_missing,
    in_words,
    label_cautions,
    split,
    written,
)
from fairstats.language import Message, mark, message, parts, say, say_number, says, translated
from fairstats.language import listed as listed_messages
from fairstats.metrics import METRICS
from fairstats.reporting import words
from fairstats.reporting.bundle import Bundle, name_of, of_alternatives, of_probabilities, searched_rate, sources
from fairstats.reporting.figures.bounds import bounds
from fairstats.reporting.figures.fits import MOST_POINTS, cluster_shares, price_gap
from fairstats.reporting.figures.fits import cluster_shares as figure
from fairstats.reporting.figures.periods import HEIGHT, periods
from fairstats.reporting.figures.rates import BARS, before_after, forest_plot
from fairstats.reporting.figures.style import Drawing
from fairstats.reporting.sections.audit import data, errors, protocol
from fairstats.reporting.sections.methods import intervals, methods
from fairstats.reporting.sections.shared import (
    RANGES,
    attribute_name,
    blank,
    day_of,
    law_notice,
    recorded,
    source_line,
    source_of,
    unrounded,
    unshown,
    who_and_when,
)
from fairstats.reporting.tables import level_of, methods_note, table, text
from fairstats.text import (
    capital,
    difference_in_points,
    level,
    level_number,
    listed,
    p_equals,
    signed,
    significant,
    span,
    subtracts,
    with_interval,
)
from fairstats.validation import BONFERRONI

# The table of a change: a line a group, its rate before and after, its distance from the reference, and the change.


MOST_LINES = 12  # of a table
HEADLINE = "selection rate"  # its comparisons stand before those of other rates


def attributes(result: AuditComparison) -> str:
    """What the groups are of, by name."""
    every = dict.fromkeys(row.attribute for row in ordered(result))
    return listed([result.protocol.called(name) for name in every])


def ordered(result: AuditComparison) -> list[Estimate]:
    """The changes: within declared strata first, then those that are shown, then of the rates that audits are about."""
    rows = list(result.estimates.only(estimator=CHANGE))
    place = {id(row): i for i, row in enumerate(rows)}
    return sorted(rows, key=lambda r: (r.metric != WITHIN, not changed(result, r), r.metric != HEADLINE, place[id(r)]))


def changed(result: AuditComparison, row: Estimate) -> bool:
    """Whether a change is shown."""
    return row.status in TESTED and rejected(row.p_adjusted, result.conf_level)


def defined(result: AuditComparison, metric: str) -> str:
    """What a rate is a share of, as a sentence."""
    return say("{rate}: {meaning}.", rate=words.heading(metric), meaning=share_of(result.protocol, metric))


def points(result: AuditComparison, row: Estimate | None) -> str:
    """A share or a difference in per cent, its two ends where people of withheld cells decide it; a dash for none."""
    return point_or_ends(result.estimates, row)


def rates(result: AuditComparison) -> Table:
    """A line a group, the reference first: both rates, their differences from the reference's, and the change."""
    rows = ordered(result)
    headings = [text(say("rate")), text(say("group"))]
    headings += [Heading(say("people before")), Heading(say("rate before"), "%")]
    headings += [Heading(say("people after")), Heading(say("rate after"), "%")]
    limits = level_of([gap for row in rows for gap in gaps_of(result.estimates, row) if gap is not None])
    # of several rates, and beside ranges, there is no room for the limits, which the picture has
    ranges = any(row.status == "bounded" for row in rows)
    several = ranges or len({row.metric for row in rows}) > 1
    for when, alone in (
        (say("difference before, {limits}", limits=limits), say("difference before")),
        (say("difference after, {limits}", limits=limits), say("difference after")),
    ):
        headings.append(Heading(alone if several else when, say("points")))
    changed_by = say("change, {limits}", limits=level_of(rows))
    headings += [Heading(changed_by, say("points")), Heading(say("change shown"), kind="number")]
    blocks = [
        _block(result, rows, several, *about) for about in dict.fromkeys((row.metric, row.attribute) for row in rows)
    ]
    lines, total = list(blocks[0]), sum(map(len, blocks))
    for block in blocks[1:]:  # those that are shown are whole
        if len(lines) + len(block) > MOST_LINES:
            break
        lines += block
    metrics = list(dict.fromkeys(metric for metric, *_ in lines))
    caption = say("Rates of the groups before and after, and the change of their differences")
    cells = [[words.heading(metric), *line] for metric, *line in lines]
    if ranges:  # take the room of the people
        headings, cells = _without_people(headings), [_without_people(line) for line in cells]
    if len(metrics) == 1:  # which then stands over the table
        caption = f"{words.heading(metrics[0])}. {caption}"
        headings, cells = headings[1:], [line[1:] for line in cells]
    note = _note(result, rows, metrics)
    if total > len(lines):  # the number of lines stands below, and is no number of comparisons
        counted = say("With the lines of the references, {n} comparisons make {total} lines.", n=len(rows), total=total)
        note = f"{note} {counted}"
    built = table(caption, headings, cells, note, MOST_LINES)
    return replace(built, total=total)


def _block(
    result: AuditComparison, rows: list[Estimate], several: bool, metric: str, attribute: str
) -> list[list[str]]:
    """The lines of one rate and attribute, each with its metric: the reference, then every other group."""
    shares = result.estimates.only(metric=metric, attribute=attribute, contrast="none", role="supplementary")
    entries = {(r.group, r.estimator): r for r in shares}
    items = [row for row in rows if (row.metric, row.attribute) == (metric, attribute)]
    first = say("{group} (reference)", group=called(result, items[0])[1])
    named = [(first, items[0].reference, None), *((called(result, row)[0], row.group, row) for row in items)]
    lines = []
    for wording, group, row in named:
        line = [metric, wording]
        for when in (BEFORE, AFTER):
            rate = entries.get((group, when))
            line += [words.DASH if rate is None else words.count(rate.n), points(result, rate)]
        lines.append(line + ([words.DASH] * 4 if row is None else _compared(result, row, several)))
    return lines


def _without_people(line: list[Any]) -> list[Any]:
    """A line of that table, or its headings, without the people before and after."""
    return [*line[:2], line[3], *line[5:]]


def _compared(result: AuditComparison, row: Estimate, several: bool) -> list[str]:
    """Both differences, of several rates without limits, the change with its interval, and whether it is shown."""
    gaps = [points(result, gap) if several else _with_limits(result, gap) for gap in gaps_of(result.estimates, row)]
    if row.status not in TESTED:
        return [*gaps, words.DASH, words.DASH]
    shown = say("yes") if changed(result, row) else say("no")
    moved = signed(100 * row.estimate) if words.shown(row) else points(result, row)
    if row.conf_low == row.conf_low:
        moved = with_interval(moved, words.interval(row))
    return [*gaps, moved, shown]


def _with_limits(result: AuditComparison, gap: Estimate | None) -> str:
    """A difference with its interval in brackets."""
    value = points(result, gap)
    if gap is None or gap.status not in TESTED or gap.conf_low != gap.conf_low:
        return value
    return with_interval(value, words.interval(gap))


def all_on_page_one(result: AuditComparison) -> bool:
    """Whether the table of page one has every comparison, so that no second one is needed."""
    built = rates(result)
    return built.total == len(built.rows)


def _unrounded(result: AuditComparison, rows: list[Estimate]) -> str:
    """That differences of rates, and of differences, are taken before rounding, where a reader could see it."""
    shares = {(r.metric, r.attribute, r.group, r.estimator): r.estimate for r in result.estimates.only(contrast="none")}
    printed = []
    for row in rows:
        gaps = gaps_of(result.estimates, row)
        before, after = (math.nan if gap is None else gap.estimate for gap in gaps)
        printed.append((after, before, row.estimate))
        for when, gap in ((BEFORE, before), (AFTER, after)):
            current, base = (
                shares.get((row.metric, row.attribute, g, when), math.nan) for g in (row.group, row.reference)
            )
            printed.append((current, base, gap))
    return unrounded(printed)


def _note(result: AuditComparison, rows: list[Estimate], metrics: list[str]) -> str:
    """What people, differences and changes are, which changes are shown, and every rate beyond the first."""
    items = [row for row in rows if row.status in TESTED]
    lines = [
        say(
            "Difference: the rate of the group less that of the reference, in percentage points; below 0 the group has "
            "the lower rate. Change: the later difference less the earlier one; above 0 the rate of the group rose "
            "against that of the reference."
        )
    ]
    if items:
        share, level = level_number(1 - result.conf_level), max(row.conf_level for row in items)
        # withheld groups are of the family, too, without a line
        family = max(len(items), round((1 - result.conf_level) / (1 - level)))
        lines.append(
            say(
                "A change is shown where chance alone would bring one so large at most {share} times in 100, all {n} "
                "comparisons allowed for.",
                share=share,
                n=words.count(family),
            )
            if level > result.conf_level
            else say(
                "A change is shown where chance alone would bring one so large at most {share} times in 100.",
                share=share,
            )
        )
    if any(row.status == "bounded" for row in rows):
        lines.append(say(RANGES))
    else:
        lines.insert(0, say("People: those that the rate is a share of."))
    if len(metrics) > 1:
        lines += [defined(result, metric) for metric in metrics]
    return " ".join(filter(None, lines))


MOST_DRAWN = 6
UNPROVED = mark(
    "That no change is shown does not prove that nothing changed: each interval holds the changes that the data leave "
    "possible."
)


def changes(bundle: Bundle) -> list[AuditComparison]:
    """The changes that a report was given."""
    return [other for other in bundle.others if isinstance(other, AuditComparison)]


def change_page(bundle: Bundle) -> dict[str, Any]:
    """The context of page one of monitoring: which difference changed, by how much, and between which rates.

    Raises
    ------
    InputError
        The report has no change.
    """
    result = changes(bundle)
    if not result:
        raise InputError("preset", "needs a change between two audits; pass one.", value="monitoring")
    return blank() | {
        "who": _who(bundle, result[0]),
        "question": _question(result[0]),
        "sentence": " ".join(sentence(one) for one in result),
        "context": [wording for one in result for wording in context_of(one)],
        "tables": [part for one in result for part in (rates(one), *_audits(one))],
        "figures": [drawn for i, one in enumerate(result) if (drawn := change_picture(f"page-one-change-{i}", one))],
        "unshown": [
            *dict.fromkeys(recorded(one.protocol) for one in result if _of_outcomes(one)),
            *dict.fromkeys(
                translated(text)
                for one in result
                for text in named_statements(one)
                if any(says(text, code) for code in (CRUDE, BOUNDED, KNOWN_GROUPS, ONLY_AFTER))
            ),
            say("It does not show why a difference changed, nor whether the change is for better or worse."),
            *([say(UNPROVED)] if any(not changed(one, row) for one in result for row in ordered(one)) else []),
            translated(DIFFERENT_PEOPLE),
        ],
        "rely": [
            say(
                "Find out what else changed between the audits: who was in them, which rules held, how data were "
                "recorded."
            ),
            say("Audit the next period, too: one change between two audits is no trend."),
        ],
        "source": source_line(bundle),
    }


def _audits(result: AuditComparison) -> list[Table]:
    """Which two audits are compared: a line each; none of a result that an older version saved."""
    if not result.created:
        return []
    headings = [text(say("audit")), text(say("data")), Heading(say("people"))]
    apart = len({moment[:16] for moment in result.created}) > 1
    headings += [text(say("made"))] if apart else []
    called = [say("earlier"), say("later")]
    if result.names:
        called = [f"{when}: {name}" for when, name in zip(called, result.names, strict=True)]
    each = zip(called, result.data, result.people, result.created, strict=True)
    lines = [
        [
            name,
            translated(data.name) or say("table in memory"),
            words.count(people),
            *([say("{moment} UTC", moment=created[:16].replace("T", " "))] if apart else []),
        ]
        for name, data, people, created in each
    ]
    return [table(say("The two audits"), headings, lines)]


def _of_outcomes(result: AuditComparison) -> bool:
    """Whether a rate that is compared counts outcomes."""
    return any("outcome" in words.metric_row(row.metric).columns for row in ordered(result))


def _who(bundle: Bundle, result: AuditComparison) -> str:
    before, after = map(words.count, result.people)
    counted = say(
        "Earlier audit: {before} {people}; later audit: {after}",
        before=before,
        after=after,
        people=result.protocol.labels.people(say("people")),
    )
    return f"{counted} · {who_and_when(bundle)}" if bundle.audit is None else who_and_when(bundle)


def _question(result: AuditComparison) -> str:
    (before, after), groups = sources(result), attributes(result)
    if before == after:
        return say(
            "Did the differences between the groups of {groups} change from the earlier audit to the later one?",
            groups=groups,
        )
    return say(
        "Did the differences between the groups of {groups} change from {before} to {after}?",
        groups=groups,
        before=before,
        after=after,
    )


def sentence(result: AuditComparison) -> str:
    """The clearest change, or that none is shown: within declared strata first, then without regard to them."""
    within, crude = _within(result), _within(result, False)
    if not within:
        return _sentence_of(result, crude)
    strata = result.protocol.columns_of(result.protocol.strata)
    return say(
        "{within} Without regard to {strata}: {crude}",
        within=_sentence_of(result, within),
        strata=listed([result.protocol.called(name) for name in strata]),
        crude=_sentence_of(result, crude),
    )


def _within(result: AuditComparison, is_within: bool = True) -> list[Estimate]:
    return [row for row in ordered(result) if (row.metric == WITHIN) == is_within]


def _sentence_of(result: AuditComparison, rows: list[Estimate]) -> str:
    present = [other for other in rows if other.status in TESTED]
    row = lead_of(result, present)
    if row is None or not any(changed(result, other) for other in present):
        values = {"n": words.count(len(present)), "groups": attributes(result)}
        if len({r.metric for r in rows}) > 1:
            return say("None of {n} differences between groups of {groups} is shown to have changed.", **values)
        return say_number(
            "The gap in the {rate} between groups of {groups} is not shown to have changed.",
            "None of {n} gaps in the {rate} between groups of {groups} is shown to have changed.",
            len(present),
            rate=_rate_name(result, rows[0].metric),
            **values,
        )
    group, reference = _pair(result, row)
    about = {"rate": _rate_name(result, row.metric), "group": group, "reference": reference}
    if not changed(result, row):
        return say(
            "The gap in the {rate} between {group} and {reference}, which the audits are about, is not shown to have "
            "changed.",
            **about,
        )
    if row.status == "bounded":
        return say(
            "The gap in the {rate} between {group} and {reference} changed, whoever the people of withheld cells are; "
            "by how many percentage points depends on them ({limits}).",
            **about,
            limits=_limits(result, row, row.conf_low, row.conf_high),
        )
    return _moved(result, row, about)


def _moved(result: AuditComparison, row: Estimate, about: dict[str, str]) -> str:
    """Whether the gap narrowed, widened or was turned around, from what to what, and by how much."""
    pair = gaps_of(result.estimates, row)
    old, new = (gap.estimate if gap is not None else 0.0 for gap in pair)
    there = [gap is not None and not gap.conf_low <= 0 <= gap.conf_high for gap in pair]
    turned, wider, upward = old * new < 0, abs(new) > abs(old), row.estimate > 0
    low, high = (row.conf_low, row.conf_high) if upward else (-row.conf_high, -row.conf_low)
    moved = words.percent(abs(row.estimate))
    if not subtracts(100 * new, 100 * old, 100 * row.estimate, 1):
        moved = say("about {n}", n=moved)
    values = {**about, "change": moved, "interval": _limits(result, row, low, high)}
    if turned:
        text = mark(
            "The gap in the {rate} between {group} and {reference} changed from {before} to {after} percentage points "
            "({group} less {reference}), by {change} ({interval})."
        )
        if all(there):
            text = mark(
                "The gap in the {rate} between {group} and {reference} was reversed: {group} less {reference} was "
                "{before} percentage points and is {after}, a change of {change} ({interval})."
            )
        ends = (
            signed(100 * gap) if shown else say("{gap} (not shown)", gap=signed(100 * gap))
            for gap, shown in zip((old, new), there, strict=True)
        )
        return say(text, **values, **dict(zip(("before", "after"), ends, strict=True)))
    values |= {"before": words.percent(abs(old)), "after": words.percent(abs(new))}
    text = mark(
        "The gap in the {rate} between {group} and {reference} narrowed from {before} to {after} percentage points, "
        "by {change} ({interval})."
    )
    if wider:
        text = mark(
            "The gap in the {rate} between {group} and {reference} widened from {before} to {after} percentage points, "
            "by {change} ({interval})."
        )
    if row.metric not in SHARES or not old * new:
        return say(text, **values)
    lower = say(
        "In both audits the rate of {group} is the lower one.",
        group=values["group"] if new < 0 else values["reference"],
    )
    return f"{say(text, **values)} {lower}"


def _rate_name(result: AuditComparison, metric: str) -> str:
    """What a rate is called in a sentence: of decisions by what happened to people, where the labels say that."""
    labels = result.protocol.labels
    if metric == "selection rate" and labels.favorable and not flags(result.protocol):
        return say("share who {event}", **of_phrase(labels.favorable))
    return words.in_text(metric)


def _pair(result: AuditComparison, row: Estimate) -> tuple[str, str]:
    """Both groups as a sentence names them: with the noun of their people where the protocol has one."""
    if not result.protocol.labels.unit or len({r.attribute for r in result.estimates}) > 1:
        return called(result, row)
    return _people(result, row, row.group), _people(result, row, row.reference)


def _limits(result: AuditComparison, row: Estimate, low: float, high: float) -> str:
    """The interval of a change, and whether it allows for other comparisons; its p where it has none."""
    if low != low or high != high:  # Holm's steps have no intervals
        return p_equals(row.p_adjusted)
    values = {"level": level_number(result.conf_level), "low": words.percent(low), "high": words.percent(high)}
    if row.conf_level > result.conf_level:
        return say("{level}% confidence interval {low} to {high}, adjusted for all comparisons", **values)
    return say("{level}% confidence interval {low} to {high}", **values)


def lead_of(result: AuditComparison, rows: list[Estimate]) -> Estimate | None:
    """The comparison that a sentence is about: of the headline, or of all, the clearest, an estimated one first."""
    attribute, *pair = result.protocol.headline or ("",)
    items = [r for r in rows if r.attribute == attribute and {r.group, r.reference} == set(pair)] or rows
    shown = [row for row in items if changed(result, row)]
    clearest = min(shown, key=lambda row: (not words.shown(row), row.p_adjusted), default=None)
    return clearest or next(iter(items), None)


def _rates_of(result: AuditComparison, lead: Estimate) -> list[str]:
    """What the rate is, and what it was and is of the two groups."""
    where = {"metric": lead.metric, "attribute": lead.attribute, "contrast": "none", "role": "supplementary"}
    entries = {(r.group, r.estimator): points(result, r) for r in result.estimates.only(**where)}
    current, other = (
        [entries.get((g, when), words.DASH) for when in (BEFORE, AFTER)] for g in (lead.group, lead.reference)
    )
    group, reference = (_people(result, lead, g) for g in (lead.group, lead.reference))
    return [
        defined(result, lead.metric),
        say(
            "For {group} it was {group_before}% in the earlier audit and {group_after}% in the later one; for "
            "{reference} {other_before}% and {other_after}%.",
            group=group,
            group_before=current[0],
            group_after=current[1],
            reference=reference,
            other_before=other[0],
            other_after=other[1],
        ),
    ]


def _people(result: AuditComparison, row: Estimate, group: str) -> str:
    """A group with the noun of its people, where the protocol's words have one."""
    protocol = result.protocol
    return (
        people(protocol, row.attribute, group) if protocol.labels.unit else group_called(result, row.attribute, group)
    )


def context_of(result: AuditComparison) -> list[str]:
    """What else changed, what the rate is, and what could not be compared."""
    rows = ordered(result)
    items = [row for row in rows if words.shown(row)]
    shown, tested = sum(changed(result, row) for row in rows), sum(row.status in TESTED for row in rows)
    lead = lead_of(result, [row for row in items if row.metric != WITHIN])
    wording = _rates_of(result, lead) if lead else []
    wording += filter(None, [_unrounded(result, items)])
    if shown and tested > 1:
        wording.append(
            say_number(
                "A change is shown in {shown} of {n} comparison.",
                "A change is shown in {shown} of {n} comparisons.",
                tested,
                shown=words.count(shown),
                n=words.count(tested),
            )
        )
    if lead and (gap := gaps_of(result.estimates, lead)[1]) is not None and gap.conf_low == gap.conf_low:
        left = mark(
            "In the later audit a gap is shown: the rate of {group} is {gap} percentage points lower than that of "
            "{reference} ({limits})."
        )
        unsettled = mark(
            "In the later audit no gap is shown: the rate of {group} is {gap} percentage points lower than that of "
            "{reference} ({limits})."
        )
        group, reference = _pair(result, lead)
        if gap.estimate > 0:
            group, reference = reference, group
        low, high = sorted((gap.conf_low, gap.conf_high) if gap.estimate > 0 else (-gap.conf_low, -gap.conf_high))
        wording.append(
            say(
                unsettled if gap.conf_low <= 0 <= gap.conf_high else left,
                group=group,
                reference=reference,
                gap=words.percent(abs(gap.estimate)),
                limits=say(
                    "{level} interval: {interval}",
                    level=level(gap.conf_level),
                    interval=words.span(low, high, words.percent),
                ),
            )
        )
    if lead and not changed(result, lead) and lead.conf_low == lead.conf_low:
        wording.append(
            say(
                "These data are compatible with changes of their difference from {low} to {high} percentage points "
                "({level} interval; 0 is no change).",
                low=signed(100 * lead.conf_low),
                high=signed(100 * lead.conf_high),
                level=level(lead.conf_level),
            )
        )
    if result.protocol.labels != NO_WORDS or any(metric not in SHARES for metric in {row.metric for row in rows}):
        wording += map(translated, measured_among(result.statements))  # else the definitions name columns and labels
    for row in rows:
        if row not in items:
            group, reference = called(result, row)
            values = {"group": group, "reference": reference, "status": words.status(row)}
            wording.append(
                say("{rate}, {group} against {reference}: {status}.", rate=words.heading(row.metric), **values)
            )
    return wording


def change_picture(prefix: str, result: AuditComparison) -> Drawing | None:
    """The differences before and after of the first comparisons, and their changes."""
    every = [row for row in ordered(result) if row.status in TESTED]
    if not every:
        return None
    first = every[0].metric, every[0].attribute
    rows = [r for r in every[:MOST_DRAWN] if changed(result, r) or (r.metric, r.attribute) == first]
    of_one = len({row.metric for row in rows}) == 1  # which is named once
    with_one = of_one and len({(row.attribute, row.reference) for row in rows}) == 1
    lines, ends = [], dict[Estimate, Estimate]()
    for row in rows:
        before, after = gaps_of(result.estimates, row)
        assert before is not None and after is not None  # of a change that was tested
        for one in (before, after, row):
            if (of_withheld := ends_of(result.estimates, one)) is not None:
                ends[one] = of_withheld
        group, reference = called(result, row)
        label = say("{group} less {reference}", group=group, reference=reference)
        label = label if of_one else f"{capital(words.in_text(row.metric))}: {label}"
        lines.append((group if with_one else label, before, after, row))
    caption = say(
        "Left: the difference before (gray) and after (blue), each with its {level} interval. Right: its change with "
        "its {joint}. Filled: the interval leaves out 0.",
        level=level(result.conf_level),
        joint=level_of(rows),
    )
    if max(row.conf_level for row in rows) > result.conf_level:
        wider = say("Intervals of changes are wider: they allow for all {n} comparisons.", n=words.count(len(every)))
        caption = f"{caption} {wider}"
    if of_one:
        caption = f"{words.heading(rows[0].metric)}. {caption}"
    if len(every) > len(rows):
        caption += " " + say("Drawn: {k} of {n} comparisons.", k=len(rows), n=len(every))
    title = say("difference from {reference}", reference=called(result, rows[0])[1]) if with_one else ""
    if ends:
        caption += " " + say(BARS)
    return before_after(prefix, lines, caption=caption, title=title, ends=ends)


def gaps(result: AuditComparison, whole: bool = True) -> Table:
    """A line a comparison: the difference before and after and the change (which page one may have) with intervals."""
    rows = Estimates(ordered(result))
    beside = [gaps_of(result.estimates, row) for row in rows]
    items = [r for pair in beside for r in pair if r is not None]
    unit = say("points")
    headings = [text(say("rate")), text(say("groups")), Heading(say("people"))]
    for when in (say("before"), say("after")):
        headings += [Heading(when, unit), Heading(level_of(items), unit)]
    headings += [Heading(say("change"), unit), Heading(level_of(rows), unit)] if whole else []
    headings.append(Heading(say("adjusted p")))
    lines = []
    for row, pair in zip(rows, beside, strict=True):
        group, reference = called(result, row)
        groups = say("{group} less {reference}", group=group, reference=reference)
        cells = [words.heading(row.metric), groups, words.count(row.n)]
        for one in (*pair, row) if whole else pair:
            cells += [points(result, one), words.interval(one) if one is not None else words.DASH]
        lines.append([*cells, words.p_value(row.p_adjusted)])
    counted = say("People: of both groups, in both audits.")
    ranges = [say(RANGES)] if any(row.status == "bounded" for row in rows) else []
    note = methods_note([*items, *rows], counted, *ranges)
    caption = say("Differences before and after, and their change") if whole else say("Differences before and after")
    return table(caption, headings, lines, note, 30)


# Subgroups: page one of those that differ from everybody, and the table of all that were tested.


MOST_SUBGROUPS_DRAWN, MOST_SUBGROUP_LINES = 12, 40


def subgroup_scans(bundle: Bundle) -> list[SubgroupScan]:
    """The searches for subgroups that a report was given."""
    return [other for other in bundle.others if isinstance(other, SubgroupScan)]


def subgroups_page(bundle: Bundle) -> dict[str, Any]:
    """The context of page one: how many subgroups are flagged, the farthest of them, and what the limits promise."""
    result = subgroup_scans(bundle)
    people = say("{n} people", n=words.count(result[0].n))
    return blank() | {
        "who": f"{people} · {who_and_when(bundle)}",
        "question": _subgroups_question(result[0]),
        "sentence": " ".join(map(subgroups_sentence, result)),
        "context": [wording for one in result for wording in subgroups_context(one)],
        "figures": [
            subgroups_picture(f"page-one-subgroups-{i}", one, MOST_SUBGROUPS_DRAWN) for i, one in enumerate(result)
        ],
        "unshown": [
            *unshown(bundle),
            *dict.fromkeys(
                recorded(one.protocol) for one in result if "outcome" in words.metric_row(one.metric).columns
            ),
            say("That a subgroup is not flagged does not show that its scores are right.")
            if result[0].of_scores
            else say("That a subgroup is not flagged does not show that it is treated like everybody."),
        ],
        "rely": [
            say(
                "The subgroups were searched, not named beforehand: look at a flag again in new data before acting on "
                "it."
            ),
        ],
        "source": source_line(bundle),
    }


def _subgroups_question(scan: SubgroupScan) -> str:
    if scan.of_scores:
        return say("For which subgroups by {columns} are the scores not right?", columns=listed(columns(scan)))
    return say(
        "Which subgroups by {columns} have a {rate} that differs from the overall one?",
        columns=listed(columns(scan)),
        rate=searched_rate(scan),
    )


def subgroups_sentence(scan: SubgroupScan) -> str:
    """How many subgroups are flagged, beside which rate, and the farthest on either side of it."""
    if scan.of_scores:
        return _scores_sentence(scan)
    values = {
        "k": words.count(len(scan.flagged())),
        "n": words.count(len(scan.tested())),
        "rate": searched_rate(scan),
        "overall": words.percent(scan.estimates[0].estimate),
        "tolerance": words.percent(scan.margin),
        "below": words.count(sum(row.estimate < 0 for row in _flagged(scan))),
        "above": words.count(sum(row.estimate > 0 for row in _flagged(scan))),
    }
    if not len(scan.flagged()):
        return say("None of {n} subgroups is flagged as differing from the overall {rate} of {overall}%.", **values)
    if scan.margin:
        line = say(
            "{k} of {n} overlapping subgroups are flagged: their {rate} is more than {tolerance} percentage points "
            "from the overall {overall}%, {below} below it and {above} above.",
            **values,
        )
    else:
        line = say(
            "{k} of {n} overlapping subgroups are flagged: their {rate} differs from the overall {overall}%, {below} "
            "below it and {above} above.",
            **values,
        )
    lines = [line, *_remaining(scan)]
    if weak := len(_weak(scan)):
        lines.append(
            say_number("{n} of these flags is weak.", "{n} of these flags are weak.", weak, n=words.count(weak))
        )
    return " ".join([*lines, *(_farthest(scan, row) for row in _extremes(scan))])


def _remaining(scan: SubgroupScan) -> list[str]:
    """How many flags remain when the people of farther ones are left out, where not all do."""
    every = _flagged(scan)
    left = sum(not follows(row) for row in every)
    if left == len(every):
        return []
    return [
        say_number(
            "Only {n} of them remains when the people of farther ones are left out.",
            "Only {n} of them remain when the people of farther ones are left out.",
            left,
            n=words.count(left),
        )
    ]


def _weak(scan: SubgroupScan) -> list[Estimate]:
    """Subgroups whose flag follows from no other and whose limits reach the rates that are no disparity."""
    return [row for row in _flagged(scan) if not follows(row) and _reached(row, scan.margin)]


def _scores_sentence(scan: SubgroupScan) -> str:
    """How many subgroups are flagged, and the one whose mean residual is farthest from 0, on either side."""
    numbers = {"k": words.count(len(scan.flagged())), "n": words.count(len(scan.tested()))}
    if not len(scan.flagged()):
        return say("None of {n} subgroups is flagged as having wrong scores.", n=numbers["n"])
    if scan.margin:
        line = say(
            "{k} of {n} overlapping subgroups are flagged: their scores are wrong by more than {tolerance} percentage "
            "points.",
            tolerance=words.percent(scan.margin),
            **numbers,
        )
    else:
        line = say("{k} of {n} overlapping subgroups are flagged: their scores are not right.", **numbers)
    return " ".join([line, *_remaining(scan), *(_too_far(scan, row) for row in _extremes(scan))])


def _too_far(scan: SubgroupScan, row: Estimate) -> str:
    """The share with the outcome of a subgroup beside its mean score."""
    share, score = map(words.percent, shares_of(row))
    side = mark(
        "Farthest below their outcomes: {group}, a mean score of {score}% where {share}% of {n} have the outcome."
    )
    if row.estimate < 0:
        side = mark(
            "Farthest above their outcomes: {group}, a mean score of {score}% where {share}% of {n} have the outcome."
        )
    return say(side, group=_people_of(scan, row), score=score, share=share, n=words.count(row.n))


def _flagged(scan: SubgroupScan) -> list[Estimate]:
    return [row for row in scan.tested() if row.verdict == FLAGGED]


def _extremes(scan: SubgroupScan) -> list[Estimate]:
    """The flagged subgroup that is farthest from everybody, and the one that is farthest on the other side."""
    flagged = _flagged(scan)
    other = sorted((row for row in flagged if flagged[0].estimate * row.estimate < 0), key=follows)
    return [*flagged[:1], *other[:1]]


def _people_of(scan: SubgroupScan, row: Estimate) -> str:
    """A subgroup in a sentence: ``Black people with `employed = No```."""
    p = scan.protocol
    named, others = list[tuple[str, str]](), list[tuple[str, str]]()
    for column, label in labels_of(row.attribute, row.group):
        plain = group_name(p, column, label) or label.strip().casefold() in ADJECTIVES
        (named if plain else others).append((column, label))
    whom = crossed_people(p, *zip(*named, strict=True)) if named else p.labels.unit or say("people")
    if not others:
        return whom
    conditions = listed([in_code(f"{column} = {in_words(label)}") for column, label in others])
    return say("{people} with {group}", people=whom, group=conditions)


def _subgroup(scan: SubgroupScan, row: Estimate) -> str:
    """A subgroup over a column: ``Black, employed = No``."""
    p, names = scan.protocol, list[str]()
    for column, label in labels_of(row.attribute, row.group):
        plain = group_name(p, column, label) or (label if label.strip().casefold() in ADJECTIVES else "")
        names.append(plain if names else capital(plain))
        names[-1] = names[-1] or f"{column} = {in_words(label)}"
    return ", ".join(names)


def subgroups_context(scan: SubgroupScan) -> list[str]:
    """What the rate and a flag are, and what the limits of all promise."""
    if scan.of_scores:
        lines = [_residual(scan, row) for row in _extremes(scan)]
        lines.append(say("Mean residual: the share of people with the outcome less their mean score."))
    else:
        lines = [
            say("{rate}: {meaning}.", rate=words.heading(scan.metric), meaning=share_of(scan.protocol, scan.metric))
        ]
    flagged = _flagged(scan)
    said_once = scan.protocol.labels == NO_WORDS  # the definition of the rate then names the favorable decision
    reported = scan.metric in SHARES and (scan.metric != "selection rate" or said_once)
    meant = list(measured_among(scan.statements))
    weak = _weak(scan)
    elsewhere = [
        ONE,
        ONE_WRONG,
        AND_MORE,
        FARTHEST,
        SOME_REMAIN,
        *([REACHED, REACHED_MARGIN] if weak else []),
    ]  # what says it
    rest = [text for text in scan.statements[1:] if not any(says(text, code) for code in elsewhere)]
    lines += [translated(text) for text in rest if text in meant and not reported]
    lines.append(
        say(
            "Of 100 flags of such searches at most {fdr} are expected to be false (false discovery rate). "
            "Subgroups overlap: the same people can be in several of them.",
            fdr=level_number(scan.fdr),
        )
    )
    lines += [translated(text) for text in rest if text not in meant]
    if remaining := [_people_of(scan, row) for row in flagged if not follows(row)] if _remaining(scan) else []:
        lines.append(
            say(
                "Flags that remain when the people of farther flagged subgroups are left out: {groups}; the other "
                "flags follow from them.",
                groups=listed(remaining, MOST),
            )
        )
    if weak:
        groups = listed([_people_of(scan, row) for row in weak], MOST)
        within = say(
            "Weak flag: {groups}. The p-value is small enough for a flag, but the limits, which are wider because they "
            "hold for all subgroups at once, include differences within the margin.",
            groups=groups,
        )
        none = say(
            "Weak flag: {groups}. The p-value is small enough for a flag, but the limits, which are wider because they "
            "hold for all subgroups at once, include no difference.",
            groups=groups,
        )
        lines.append(within if scan.margin else none)
    if flagged and (others := [_people_of(scan, row) for row in scan.tested() if row.verdict != FLAGGED]):
        lines.append(say("Not flagged: {groups}.", groups=listed(others, MOST)))
    return lines


def _farthest(scan: SubgroupScan, row: Estimate) -> str:
    """A subgroup with its rate, and how far that is from the overall one."""
    side, sign = (
        mark("Farthest below: {share}% of {n} {group}, {difference} points lower ({level} CI {low} to {high})."),
        -1,
    )
    if row.estimate > 0:
        side, sign = (
            mark("Farthest above: {share}% of {n} {group}, {difference} points higher ({level} CI {low} to {high})."),
            1,
        )
    low, high = sorted((sign * row.conf_low, sign * row.conf_high))
    return say(
        side,
        group=_people_of(scan, row),
        n=words.count(row.n),
        share=words.percent(row.events / row.n),
        difference=words.percent(abs(row.estimate)),
        level=level(scan.conf_level),
        low=words.percent(low),
        high=words.percent(high),
    )


def _residual(scan: SubgroupScan, row: Estimate) -> str:
    """The mean residual of a subgroup with its limits."""
    return say(
        "{group}: a mean residual of {difference} percentage points ({level}% confidence interval {low} to {high}, "
        "adjusted for all subgroups).",
        group=capital(_people_of(scan, row)),
        difference=words.percent(row.estimate),
        level=level_number(scan.conf_level),
        low=words.percent(row.conf_low),
        high=words.percent(row.conf_high),
    )


def _together(scan: SubgroupScan) -> str:
    """What the limits are: they hold for all subgroups at once."""
    return say("{share}% CI, adjusted", share=level_number(scan.conf_level))


def subgroups_picture(name: str, result: SubgroupScan, most: int) -> Drawing:
    """Draw the subgroups that are farthest from everybody, each with its simultaneous limits."""
    rows = result.tested()
    if result.of_scores:
        caption = say(
            "Mean residual of each subgroup (outcome less score), in percentage points; filled where it is flagged. "
            "Lines: {limits}.",
            limits=_together(result),
        )
    else:
        caption = say(
            "{rate}: the difference of each subgroup from everybody, in percentage points; filled where it is flagged. "
            "Lines: {limits}.",
            rate=words.heading(result.metric),
            limits=_together(result),
        )
    if result.margin and result.of_scores:
        caption += " " + say(
            "Gray: up to {points} points from 0, which was declared to be no disparity.",
            points=words.percent(result.margin),
        )
    elif result.margin:
        caption += " " + say(
            "Gray: up to {points} points from everybody, which was declared to be no disparity.",
            points=words.percent(result.margin),
        )
    if len(rows) > most:
        if any(map(follows, rows)):  # what stands by itself comes before what only repeats it
            rows = sorted(rows, key=lambda row: row.verdict != FLAGGED or follows(row))
            caption += " " + say(
                "Drawn: {k} of {n} subgroups, first the flags that remain without the people of farther ones, then "
                "those whose limits are farthest from 0.",
                k=most,
                n=len(rows),
            )
        else:
            caption += " " + say(
                "Drawn: the {k} of {n} subgroups whose limits are farthest from 0.", k=most, n=len(rows)
            )
    drawn = sorted(rows[:most], key=lambda row: row.estimate)
    labels = [_subgroup(result, row) for row in drawn]
    drawn = [row.changed(attribute="", group=label) for row, label in zip(drawn, labels, strict=True)]
    return forest_plot(name, drawn, caption=caption, labels=labels, margin=result.margin or None)


def subgroup_table(result: SubgroupScan, most: int = MOST_SUBGROUP_LINES) -> Table:
    """A line a subgroup: its people, its rate, the difference from everybody, limits and p-value."""
    rows = result.tested()
    shares = [Heading(words.heading(result.metric), "%"), Heading(say("difference"), say("points"))]
    overall = words.percent(result.estimates[0].estimate)
    caption = say("Difference of each subgroup from the overall rate ({rate}%)", rate=overall)
    if result.of_scores:
        shares = [Heading(say("outcome"), "%"), Heading(say("mean score"), "%")]
        shares.append(Heading(say("residual"), say("points")))
        caption = say("Mean residual of each subgroup (everybody: {overall} points)", overall=overall)
    headings = [text(say("subgroup")), Heading(say("people")), *shares, Heading(_together(result), say("points"))]
    headings += [Heading(say("adjusted p")), text(say("verdict"))]
    note = say("First those whose limits are farthest from no difference.")
    if len(rows) <= MOST_SUBGROUP_LINES:
        note, rows = say("The lowest first."), sorted(rows, key=lambda row: row.estimate)
    lines = [_line(result, row) for row in rows]
    if any(map(follows, rows)):
        note = f"{say('Follows: flagged, but not without the people of farther flagged subgroups.')} {note}"
    if _weak(result):
        none = say("Weak: flagged, while the limits, which hold for all subgroups at once, include no difference.")
        within = say(
            "Weak: flagged, while the limits, which hold for all subgroups at once, include differences within the "
            "margin."
        )
        note = f"{within if result.margin else none} {note}"
    return table(caption, headings, lines, note, most)


def _reached(row: Estimate, margin: float) -> bool:
    """Whether the limits of a subgroup reach the rates that are no disparity."""
    return row.conf_low <= margin and row.conf_high >= -margin


def _line(scan: SubgroupScan, row: Estimate) -> list[str]:
    margin = scan.margin
    rates = [*map(words.percent, shares_of(row)), words.percent(row.estimate)]
    flag = words.verdict(row)
    if follows(row):
        flag = say("follows")
    elif row.verdict == FLAGGED and _reached(row, margin):
        flag = say("weak")
    return [_subgroup(scan, row), words.count(row.n), *rates, words.interval(row), words.p_value(row.p_adjusted), flag]


# Representation, stages, matched pairs, pay: page one, the table of all rows, the picture of the differences.


MOST_STUDY_LINES = 40
MOST_PERIOD_LINES = 240  # of all groups together: ten years of months of two groups
MOST_EVIDENCE = 1_000  # an e-value beyond it is printed as more


def group_studies(bundle: Bundle) -> list[GroupStudy]:
    """The studies of groups beside an audit that a report was given."""
    return [other for other in bundle.others if isinstance(other, GroupStudy)]


def by_groups(caption: str, result: GroupStudy, bundle: Bundle) -> str:
    """A heading or caption of a study, which of several with one question says by which groups."""
    alike = [one for one in group_studies(bundle) if one.question == result.question]
    if of_probabilities(result):
        return " · ".join([caption, *(name for name, _ in what_differs(result, alike))])
    groups = attribute_name(result.attribute)
    return say("{caption}, by {groups}", caption=caption, groups=groups) if len(alike) > 1 else caption


def what_differs(result: GroupStudy, alike: Sequence[GroupStudy]) -> list[tuple[str, str]]:
    """By what a study of groups known as probabilities differs from others of one report, and why answers then may."""

    def differ(of: Callable[[GroupStudy], Any]) -> bool:
        return any(of(one) != of(result) for one in alike)

    known, settings = result.settings.get("known"), result.settings
    found = []
    if differ(lambda one: one.settings["decision"]):
        found.append((in_code(settings["decision"]), say("the decisions are others")))
    if differ(lambda one: one.n):
        found.append((say("{n} people", n=words.count(result.n)), say("the people are others")))
    if differ(lambda one: one.settings["groups"]):
        columns = words.listed([in_code(column) for column in settings["groups"].values()])
        why = say("the probabilities are others, and where they differ one set at most is right")
        if differ(lambda one: one.settings.get("known")):  # one set is of everybody, one of those of unknown group
            why = say("the probabilities are of other people, so that both sets may be right")
        found.append((say("probabilities in {columns}", columns=columns), why))
    if differ(lambda one: one.settings.get("known")):
        name = say("groups known in {column}", column=in_code(known)) if known else say("without known groups")
        why = say("a known group needs no probability, and makes the bound narrower")
        if not all(any(row.verdict for row, *_ in bounded_rows(one)) for one in alike):
            why = say("people of known group check the probabilities, and without their support there is no verdict")
        found.append((name, why))
    if differ(lambda one: bool(one.settings.get("drawn_at_random"))):
        drawn = settings.get("drawn_at_random")
        name = say("drawn at random, as declared") if drawn else say("not declared to be drawn at random")
        found.append((name, say("one answer supposes that people were drawn at random, the other does not")))
    for key in ("reference", "favorable", "p_adjust", "conf_level", "seed"):
        if len({str(one.settings.get(key)) for one in alike}) > 1:
            name = f"{key} = {settings.get(key)}"
            found.append((in_code(name), say("they were run with other settings")))
    if not found and len(alike) > 1:
        i = 1 + next(i for i, one in enumerate(alike) if one is result)
        found = [(say("study {i}", i=i), say("the data are others, or the study was run twice"))]
    return found


def group_studies_page(bundle: Bundle) -> dict[str, Any]:
    """The context of page one: of each how many differences are shown, with the first of them, and a picture."""
    result = group_studies(bundle)
    pay = [one for one in result if of_pay(one)]
    drawings = [
        study_picture(f"page-one-study-{i}", one, bool(one.by_category()))
        for i, one in enumerate(result)
        if any(map(words.shown, one.compared())) and (one.by_category() or not of_pay(one))
    ]
    first = {id(text) for one in result for text in one.statements[:2]}
    for one in pay:  # of the first group every quantity of the tables: median, variable pay, categories
        group = _group_of(one.statements[0])
        said = (text for text in one.statements if _group_of(text) == group)
        first |= {id(text) for text in said if any(says(text, form) for form in IN_BOLD)}
    rest = [(one, text) for one in result for text in one.statements if id(text) not in first]
    rest = [(one, text) for one, text in rest if not (one in pay and _of_further_group(one, text))]
    return blank() | {
        "who": " · ".join(
            [*(_pay_of(pay[0]) if pay else [_counted(result[0])]), who_and_when(bundle, name_absent=not pay)]
        ),  # the laws on pay know no auditor
        "sentence": " ".join(begun(one, text) for one in result for text in one.statements if id(text) in first),
        "context": [begun(one, text) for one, text in rest if not _is_of_law(text) and not _in_tables(text)],
        "rely": [translated(text) for _, text in rest if says(text, EU_LAW) or says(text, UK_LAW)],
        "tables": [drawn for one in pay for drawn in law_tables(one)],
        "figures": drawings,
        "unshown": [
            *([say("Why the groups differ: a gap is not by itself discrimination.")] if pay else []),
            say("That no difference is shown does not show that groups are treated alike."),
            *(translated(text) for _, text in rest if says(text, EU_ASSESSMENT)),
        ],
        "next": [] if pay else [("comparison", say("All numbers"))],
        "source": source_line(bundle),
    }


def _counted(result: GroupStudy) -> str:
    """How many people, or applications, a result is of."""
    if of_blocks(result):
        return say("{n} applications", n=words.count(result.n))
    return say("{n} people", n=words.count(result.n))


def _pay_of(result: GroupStudy) -> list[str]:
    """Of whom a report of pay is: people by group, the employer and the period, or that these were not given."""
    about = result.settings.get("about", {})
    employer, period = about.get("employer"), about.get("period")
    return [
        _counted_by_group(result),
        say("employer: {employer}", employer=employer) if employer else say("employer not given"),
        say("period: {period}", period=period) if period else say("period not given"),
    ]


def _counted_by_group(result: GroupStudy) -> str:
    """How many people a report of pay is of, and of each group: those of all quarters, where these are not withheld."""
    shares = [row for row in worded(result).estimates if row.metric == "share"]
    if not shares or any(row.status != "ok" for row in shares):
        return _counted(result)
    names = dict.fromkeys(row.group for row in shares)
    sizes = {name: round(sum(row.events for row in shares if row.group == name)) for name in names}
    groups = [say("{n} {group}", n=words.count(n), group=group) for group, n in sizes.items()]
    return say("{n} people: {groups}", n=words.count(result.n), groups=words.listed(groups))


IN_BOLD = (
    *(
        GIVEN_LESS,
        GIVEN_MORE,
        MEDIAN,
        MEDIAN_MORE,
        OF_VARIABLE,
        OF_VARIABLE_PER_HOUR,
        VARIABLE_PAID,
        OF_BONUS,
        BONUS_PAID,
    ),
    *(OBSERVED, OBSERVED_IN_ALL, OBSERVED_OF_SOME, OBSERVED_OF_NONE, GIVEN_APART),
)
IN_TABLES = (
    *(MEDIAN, MEDIAN_MORE, QUARTERS, QUARTERS_PER_HOUR, OF_VARIABLE, OF_VARIABLE_PER_HOUR, OF_BONUS),
    VARIABLE_APART,
    RUN_AGAIN,  # which is for whoever runs it
)


def _group_of(text: str) -> str | None:
    return next((of.values.get("group") for of in parts(text)), None)


def _of_further_group(result: GroupStudy, text: str) -> bool:
    """Whether a statement of a report of pay is about a group beside women and men, other than its mean gap."""
    first, group = _group_of(result.statements[0]), _group_of(text)
    said = LESS_PER_HOUR, MORE_PER_HOUR, LESS, MORE, NO_GAP, BY_ONE_AMOUNT, OTHERS, OTHERS_EACH
    return group not in (None, first) and not any(says(text, one) for one in said)


def _in_tables(text: str) -> bool:
    """Whether a statement of a report of pay only has figures of the tables below it, or is not for the page."""
    return any(says(text, one) for one in IN_TABLES)


def _without_verdict(rows: Sequence[Estimate]) -> str:
    """Why no verdict is read from the interval of gaps."""
    given = [row for row in rows if words.shown(row) and row.reason and not row.verdict]
    unread = dict.fromkeys(translated(row.reason) for row in given if row.conf_low == row.conf_low)
    return " ".join(f"{capital(why)}." for why in unread)


def _limits_or_sign(row: Estimate, absent: Mapping[str, str]) -> str:
    """The interval of a row, or the sign of why a number that is given has none."""
    bare = words.shown(row) and row.conf_low != row.conf_low
    return absent.get(row.reason, words.DASH) if bare else words.interval(row)


def _absent(signs: Mapping[str, str]) -> list[str]:
    """What the signs in place of numbers mean."""
    return [f"{sign}: {translated(why)}." for why, sign in signs.items()]


def law_tables(result: GroupStudy) -> list[Table]:
    """The figures of pay that a law lists: gaps, and proportions of the groups, each with its letter or number."""
    result, european = worded(result), result.margin is not None
    rows = in_law_order(result, [row for row in result.estimates if row.role == "main" and not of_category(row)])
    numbers = text(say("point") if european else say("reg."))
    gaps = [row for row in rows if is_gap(row) and provision(result, row)]
    several, absent = len({row.group for row in gaps}) > 1, absent_signs(gaps)
    headings = [numbers, text(say("gap of")), *([text(say("group"))] if several else [])]
    headings += [Heading(say("gap")), Heading(level_of(gaps)), text(say("difference"))]
    lines = [
        [
            _lettered(result, row),
            _pay_figure(row),
            *([row.group] if several else []),
            words.estimate(row) if words.shown(row) else absent.get(row.reason, words.DASH),
            _limits_or_sign(row, absent),
            _pay_verdict(row, result.margin),
        ]
        for row in gaps
    ]
    note = say(
        "Gaps: by how much less a group gets, in % of what {reference} get; below 0 it gets more. Difference shown: "
        "beyond chance.",
        reference=gaps[0].reference,
    )
    if european and any(row.term in OF_VARIABLE_PAY for row in gaps):
        note = f"{note} {say('Variable pay: complementary or variable components of pay.')}"
    if several:
        together = level(result.conf_level)
        wider = say("Intervals are wider, so that those of all groups hold together with {level}.", level=together)
        note = f"{note} {wider}"
    if {PER_HOUR, AS_GIVEN} <= {row.term for row in gaps}:
        levels = [translated(text) for text in result.statements if says(text, BOTH_LEVELS)]
        note = " ".join([note, say("Pay as given: not divided by the hours."), *levels])
    note = " ".join(filter(None, (note, *_absent(absent), _without_verdict(gaps))))
    caption = say("Gaps of pay, regulations 8 to 11")
    if european:
        variable = any(row.term in OF_VARIABLE_PAY for row in gaps)
        caption = (
            say("Gaps of pay, Article 9(1)(a) to (d)") if variable else say("Gaps of pay, Article 9(1)(a) and (c)")
        )
    tables = [table(caption, headings, lines, note, MOST_STUDY_LINES)]
    shares = [row for row in rows if row.metric in ("selection rate", "share") and row.contrast == "none"]
    names = list(dict.fromkeys(row.group for row in [*gaps, *shares]))  # the reference last
    of = dict.fromkeys((row.metric, row.term) for row in shares)
    found = {(row.metric, row.term, row.group): row for row in shares}
    lines = [
        [
            _lettered(result, found[*one, names[0]]),
            translated(one[1]),
            *(_with_its_limits(found[*one, name]) for name in names),
        ]
        for one in of
    ]
    limits = level_of(shares)
    caption = say("Proportions, regulations 12 and 13, each with its {limits}", limits=limits)
    if european:
        both = mark("Proportions, Article 9(1)(e) and (f), each with its {limits}")
        got = any(row.metric == "selection rate" for row in shares)
        caption = say(both if got else mark("Proportions, Article 9(1)(f), each with its {limits}"), limits=limits)
    whom = [Heading(name) for name in names]
    hourly = result.settings.get("hours") is not None or not european
    ranked = say("pay per hour") if hourly else say("all pay")
    note = say("Of each group who gets any; of each quarter of {pay}, lowest first, the groups' shares.", pay=ranked)
    note = note if len({metric for metric, _ in of}) > 1 else say("Quarters of {pay}, lowest first.", pay=ranked)
    note = f"{note} {say('Quarters: quartile pay bands.')}" if european else note
    tables.append(table(caption, [numbers, text(say("proportion")), *whom], lines, note, MOST_STUDY_LINES))
    large = any(at_margin(_larger_gap(line), result.margin or 0.0) for line in result.by_category())
    return [*tables, category_table(result, at_margin_only=True)] if large else tables


def _larger_gap(line: Sequence[Estimate]) -> Estimate:
    """Of a category the gap per hour or that as given, whichever is larger in size."""
    rows = [row for row in (line[0], as_given(line)) if row is not None and row.estimate == row.estimate]
    return max(rows, key=lambda row: abs(row.estimate), default=line[0])


def _lettered(result: GroupStudy, row: Estimate) -> str:
    """The letter of the article in brackets, or the number of the regulation."""
    number = provision(result, row)
    return f"({number})" if number.isalpha() else number


def _with_its_limits(row: Estimate) -> str:
    return f"{words.estimate(row)} ({words.interval(row)})" if words.shown(row) else words.DASH


def _pay_figure(row: Estimate) -> str:
    """What a gap of a report of pay is of, without its group."""
    values = {"what": translated(row.term)}
    if of_category(row):
        return say("{column} {what}", column=row.given, **values)
    if row.metric == "gap of medians":
        return say("median of {what}", **values)
    return (
        say("mean of {what}, averaged over categories", **values)
        if row.metric == GAP_WITHIN
        else say("mean of {what}", **values)
    )


def _pay_verdict(row: Estimate, margin: float | None) -> str:
    """What is shown of a gap of pay: a difference, that it is within the margin, or nothing."""
    if not row.verdict:
        return ""
    if row.verdict == "equivalence shown":
        return say("within {margin}%", margin=level_number(margin or 0.0))
    return say("shown") if row.verdict in SHOWN else say("not shown")


def begun(result: GroupStudy, text: str) -> str:
    """A statement that begins with a capital, unless with the name of a model or a stage, which stays as it is."""
    plain = translated(text)
    names = {f"{row.model} " for row in result.estimates if row.model}
    stages = {row.term for row in result.estimates if row.term}
    names |= {f"{stage}{sign} " for stage in stages for sign in ",:"}
    return plain if plain.startswith(tuple(names)) else capital(plain)


def _is_of_law(text: str) -> bool:
    """Whether a statement says what a law asks for, rather than what was found."""
    return any(says(text, one) for one in (LETTERS, BOTH_LEVELS, EU_LAW, EU_ASSESSMENT, UK_LAW))


def study_picture(name: str, result: GroupStudy, of_categories: bool = False) -> Drawing:
    """Draw the comparisons of a study, each with its interval; of pay all of them, or those within categories."""
    result = worded(result)
    rows = [row for row in result.compared() if words.shown(row) and row.metric != "AUC"]
    if gaps := in_law_order(result, filter(is_gap, rows)):
        alike = [row for row in gaps if provision(result, row) in ("", "g")]
        return gaps_picture(name, alike if of_categories and alike else gaps, result)
    if bounded := bounded_rows(result):
        return bounds_picture(name, bounded[:MOST_STUDY_LINES], result)
    of_models = "models" in result.settings
    joint = result.conf_level if of_models else math.nan
    caption = mark("Differences in percentage points, each with its {limits}; filled where a difference is shown.")
    if of_models:
        caption = mark("Changes in percentage points, each with its {limits}; filled where a change is shown.")
    caption = say(caption, limits=level_of(rows, joint))
    drawn = shown_kept(rows, MOST_STUDY_LINES)[:MOST_STUDY_LINES]
    if any(map(_of_only_gap(rows), drawn)):  # which the labels do not name
        ((group, reference),) = {(row.group, row.reference) for row in rows if row.group}
        caption = f"{caption} {say('Gaps are {group} less {reference}.', group=group, reference=reference)}"
    if any(row.verdict == "equivalence shown" for row in drawn):
        caption = f"{caption} {say('Diamond: the difference is within the margin.')}"
    if len(drawn) < len(rows):
        caption = f"{caption} {say('Drawn: {k} of {n} comparisons.', k=len(drawn), n=len(rows))}"
    axis = say("change, percentage points") if of_models else ""
    return forest_plot(name, drawn, caption=caption, labels=[_drawn_as(row, rows) for row in drawn], axis=axis)


def _of_only_gap(rows: Sequence[Estimate]) -> Callable[[Estimate], bool]:
    """Whether a row is a change of a gap from model to model, where there is one gap only."""
    alone = len({one.group for one in rows} - {""}) == 1
    return lambda row: bool(alone and row.model and row.versus and row.group)


def _drawn_as(row: Estimate, rows: Sequence[Estimate]) -> str:
    """The label of a comparison; of models the group is left out where there is only one."""
    rate = words.heading(row.metric)
    if _of_only_gap(rows)(row):
        return _of(row.changed(group=""), say("Gap: {rate}", rate=words.in_text(row.metric)))
    return _of(row, rate)


def refuted_premises(result: GroupStudy, rows: Sequence[Estimate]) -> list[str]:
    """Which premises of the bound and of the estimates are refuted."""
    if contradicted(result.estimates, result.conf_level):
        return [say("The people whose group is known refute the probabilities: the gap may lie outside the bound.")]
    if any(refutes(row, CALIBRATION) for row in rows):
        return [
            say(
                "If the people whose group is known were drawn at random, they refute the probabilities: the gap may "
                "lie outside the bound."
            )
        ]
    if any(refutes(row, AT_RANDOM) for row in rows):
        return [say("People whose group is known are not like the others.")]
    return []


def bounds_picture(name: str, rows: Sequence[tuple[Estimate, Estimate, list[Estimate]]], result: GroupStudy) -> Drawing:
    """Draw the bound of every difference, and the estimates beside it."""
    values = {"limits": level_of([row for row, *_ in rows], result.conf_level)}
    values |= {"right": translated(right(result))}
    corrected = any(one.estimator == CORRECTED for _, _, estimates in rows for one in estimates)
    if all(row.conf_low != row.conf_low for row, *_ in rows):
        caption = mark(
            "Bars: bounds of the differences if {right}, without sampling error. Dots: weighted; squares: linear."
        )
        if corrected:
            caption = mark(
                "Bars: bounds of the differences if {right}, without sampling error. Dots: "
                "weighted; squares: linear; diamonds: corrected by known groups."
            )
        caption = say(caption, **values)
    elif not any(row.verdict for row, *_ in rows):
        caption = mark(
            "Bars: bounds of the differences if {right}; lines: their {limits}. Dots: weighted; squares: linear."
        )
        if corrected:
            caption = mark(
                "Bars: bounds of the differences if {right}; lines: their {limits}. Dots: weighted; "
                "squares: linear; diamonds: corrected by known groups."
            )
        caption = say(caption, **values)
    elif corrected:
        caption = say(
            "Bars: bounds of the differences if {right}; lines: their {limits}, from which the "
            "verdicts come. Dots: weighted; squares: linear; diamonds: corrected by known groups.",
            **values,
        )
    else:
        caption = say(
            "Bars: bounds of the differences if {right}; lines: their {limits}, from which the "
            "verdicts come. Dots: weighted; squares: linear.",
            **values,
        )
    caption = " ".join([caption, *refuted_premises(result, [row for row, *_ in rows])])
    labels = [say("{group} less {reference}", group=row.group, reference=row.reference) for row, *_ in rows]
    return bounds(name, rows, caption=caption, labels=labels, key=_key_of_bounds(rows, corrected, values["limits"]))


def _key_of_bounds(rows: Sequence[tuple[Estimate, Estimate, list[Estimate]]], corrected: bool, limits: str) -> str:
    """What each mark of the picture of bounds is, for where it stands without its caption."""
    parts = [say("bar: bound")]
    if any(row.conf_low == row.conf_low for row, *_ in rows):
        parts.append(say("line: its {limits}", limits=limits))
    parts += [say("dot: weighted"), say("square: linear"), *([say("diamond: corrected")] if corrected else [])]
    return "; ".join(parts)


def periods_picture(name: str, result: GroupStudy, group: str, height: float = HEIGHT) -> Drawing:
    """Draw the periods of a group beside the reference; "" is the group of the alarm, or else the first."""
    compared_periods(result)
    watched = watched_rows(result)
    error = 1 - result.conf_level
    first = next((row for row, *_ in watched if row.given == result.alarm and row.p_adjusted <= error), watched[0][0])
    rows = [(row, gap) for row, gap, *_ in watched if row.group == (group or first.group)]
    about = {"group": rows[0][0].group, "reference": rows[0][0].reference}
    before = next(iter(result.estimates.only(group=about["group"], term=BASELINE)), None)
    caption = say(
        "Rate of {group} less that of {reference}. Dots: each period, with limits that hold for all periods together; "
        "shaded: limits of a gap that never changed, with {level} confidence in all periods; it ends where the mean "
        "gap so far lies beyond them, so that no one gap fits all periods.",
        **about,
        level=level(rows[0][0].conf_level),
    )
    if before is not None:
        text_of = (
            mark(
                "Broken line: the gap up to {last}, dotted its limits; beyond the lines of the margin a change counts."
            )
            if result.margin
            else mark("Broken line: the gap up to {last}, dotted its limits, beyond which a change counts.")
        )
        caption += " " + say(text_of, last=result.settings["baseline"])
    raised = next((row.given for row, _ in rows if row.p_adjusted <= error), "")
    axis = say("{group} less {reference}", **about)
    places = places_in_time([row.given for row, _ in rows], result.settings["period"])
    margin = result.margin or 0.0
    return periods(
        name, rows, caption=caption, axis=axis, alarm=raised, margin=margin, places=places, baseline=before,
        height=height,
    )  # fmt: skip


def period_table(result: GroupStudy, *, brief: bool = False, most: int = MOST_PERIOD_LINES) -> Table:
    """A line a period and group: both rates, the gap with its band, the confidence sequence so far and the e-value.

    brief: without rates and gaps, which page one has.
    """
    compared_periods(result)
    watched = watched_rows(result)
    groups, planned = dict.fromkeys(row.group for row, *_ in watched), bool(result.settings.get("looks"))
    several, most = len(groups) > 1, max(1, most // len(groups))
    shown = [line for group in groups for line in [one for one in watched if one[0].group == group][-most:]]
    columns = [text(say("period")), *([text(say("of"))] if several else [])]
    columns += [
        Heading(say("rate") if several else watched[0][0].group),
        Heading(watched[0][0].reference),
        Heading(say("gap"), say("points")),
    ]
    columns += [
        Heading(say("limits"), say("points")),
        Heading(say("so far"), say("points")),
        Heading("z" if planned else say("e-value")),
    ]
    lines = [
        [
            known.given,
            *([known.group] if several else []),
            *(words.estimate(row) if row else words.DASH for row in (mine, other)),
            words.signed(100 * gap.estimate) if words.shown(gap) else words.DASH,
            words.interval(gap) if words.shown(gap) else words.DASH,
            one_limit(known) or words.interval(known),
            say("over {n}", n=words.count(MOST_EVIDENCE))
            if known.statistic > MOST_EVIDENCE
            else significant(known.statistic, 3),
        ]
        for known, gap, mine, other in shown
    ]
    note = say(
        "So far: of all periods up to here (confidence sequence); in some the gap was above the lower limit, in some "
        "below the upper one. The e-value is the evidence: from {least} on "
        "it raises the alarm.",
        least=significant(result.least_e, 3),
    )
    if planned:
        note = say(
            "So far: limits, which share the error over {looks} planned looks, of a gap that is the same in all "
            "periods up to here; z is in standard errors.",
            looks=result.settings["looks"],
        )
    if brief:
        columns = [columns[0], *columns[-2:]]
        lines = [[line[0], *line[-2:]] for line in lines]
        note += " " + say("Rates and gaps of the periods are on page one.")
    else:
        note = say("Gap and limits: of the period; the limits hold for all periods together.") + " " + note
    if left := len(watched) - len(shown):
        note += " " + say("{n} more lines are in results.csv.", n=left)
    return table(say("Evidence so far") if brief else say("Period by period"), columns, lines, note, len(lines))


ACCURACY = "accuracy"


def model_table(result: GroupStudy, rates: Sequence[str] = (), named: Callable[[str], str] = words.in_text) -> Table:
    """A line a model and group: what is known of everybody, and the gap in every rate, or in those that are named."""
    lines = [[row for row in line if not (rates and row.group) or row.metric in rates] for line in result.by_model()]
    several = len({line[-1].group for line in lines}) > 1
    columns = {(row.metric, bool(row.group)): words.unit(row).strip() for line in lines for row in line}
    headings = [text(say("model")), *([text(say("of"))] if several else [])]
    headings += [
        Heading(say("gap: {rate}", rate=named(metric)) if gap else words.heading(metric), unit)
        for (metric, gap), unit in columns.items()
    ]
    cells = []
    for line in lines:
        found = {(row.metric, bool(row.group)): words.scale(row)(row.estimate) for row in line}
        names = [line[-1].model, *([line[-1].group] if several else [])]
        cells.append([*names, *(found.get(column, words.DASH) for column in columns)])
    first = lines[0][-1]
    who = say("group") if several else first.group
    note = say("Gaps are {group} less {reference}.", group=who, reference=first.reference)
    return table(say("Accuracy and gaps by model"), headings, cells, note, MOST_STUDY_LINES)


def model_pictures(result: GroupStudy) -> list[tuple[str, str]]:
    """The rates, with the group, whose gaps are drawn against the accuracy of models; the clearest change first.

    Where no candidate was tested, the gap that decides comes first: that of the named group, or the largest in size.
    """
    found = [row for row in result.compared() if row.model and row.group and row.metric != ACCURACY]
    found.sort(key=lambda row: (row.metric != "selection rate", math.isnan(row.p_adjusted), row.p_adjusted))
    if not found and of_alternatives(result):
        about = {"metric": result.settings["metric"], "model": result.settings["baseline"], "contrast": "difference"}
        found = list(result.estimates.only(**about, versus="", status="ok"))
        named = result.settings.get("group")
        found.sort(key=lambda row: (row.group != named, row.n < FEWEST, -abs(row.estimate)))
    known = any(row.metric == ACCURACY for row in result.estimates)
    return list(dict.fromkeys((row.metric, row.group) for row in found)) if known else []


MOST_NAMED = 6  # models, where there are too many to name all


def models_picture(name: str, result: GroupStudy, metric: str, group: str) -> Drawing:
    """Draw the accuracy of every model against the gap that it leaves, the baseline open."""
    rows = result.estimates.only(versus="", role="supplementary")
    baseline = result.settings["baseline"]
    names = dict.fromkeys([baseline, *(row.model for row in rows)])
    points = [
        (
            model,
            rows.only(metric=ACCURACY, model=model, group="", contrast="none")[0],
            rows.only(metric=metric, model=model, group=group, contrast="difference")[0],
        )
        for model in names
    ]
    first = [baseline, *(row.model for row in result.compared() if of_alternatives(result))]
    near = sorted(points, key=lambda point: (point[0] not in first, abs(point[2].estimate)))
    named = [point[0] for point in near[:MOST_NAMED]] if len(points) > MOST_POINTS else []
    values = {"group": group, "reference": points[0][2].reference, "rate": words.in_text(metric)}
    caption = say(
        "How often each model is right, to the right, and the gap in the {rate}, {group} less {reference}, upward; "
        "{first}, the first, is open. Lines: limits that hold for both together with {level} confidence.",
        **values,
        first=say("“{model}”", model=baseline),
        level=level(result.conf_level),
    )
    if of_alternatives(result):
        caption = say(
            "Among those who chose: how often each model is right, to the right, and the gap in the {rate}, {group} "
            "less {reference}, upward; {first}, the model in use, is open. Lines: {level} limits of each.",
            **values,
            first=say("“{model}”", model=baseline),
            level=level(result.conf_level),
        )
        if result.compared():
            caption = f"{caption} {_among_those_who_tested(result)}"
    if named:
        few = say("Named: the first model, and those with the smallest gaps; the others are dots.")
        if of_alternatives(result):
            few = say("Named: the model in use, the one chosen, and those with the smallest gaps; the others are dots.")
        caption = f"{caption} {few}"
    gap, right = say("gap in {rate}, points", **values), say("share of right decisions, %")
    return price_gap(name, points, caption=caption, price=right, gap=gap, named=named)


def _among_those_who_tested(result: GroupStudy) -> str:
    """What the model in use and the chosen one are among the people who decide, whom the picture does not show."""
    changes = result.changes_by_rate()
    (right,) = (line[1:] for line in changes if line[0].role == "main" and not line[0].group)
    (gap,) = (line[1:] for line in changes if line[0].role == "main" and line[0].group)
    return say(
        "Not drawn: the others, who tested. Among them {chosen} is right for {right}%, with a gap of {gap} points, and "
        "{first} for {before}%, with {gap_before}.",
        chosen=say("“{model}”", model=right[1].model),
        first=say("“{model}”", model=right[0].model),
        right=words.percent(right[1].estimate),
        before=words.percent(right[0].estimate),
        gap=words.percent(gap[1].estimate),
        gap_before=words.percent(gap[0].estimate),
    )


def gaps_picture(name: str, rows: Sequence[Estimate], result: GroupStudy) -> Drawing:
    """Draw the gaps of pay in the order of the law, each with its letter and its limits, those of categories last."""
    drawn, groups = rows[:MOST_STUDY_LINES], {row.group for row in rows}
    categories = [row for row in rows if of_category(row)]
    limits = level_of([row for row in rows if not of_category(row)] or categories)
    caption = say(
        "Gaps of pay with their {limits}, to the right where less is paid; filled where a difference is shown.",
        limits=limits,
    )
    if equal := [row for row in rows if row.verdict == "equivalence shown"]:
        caption = say(
            "Gaps of pay with the limits that decide, to the right where less is paid. Diamond: shown to be within the "
            "margin ({levels} limits); filled dot: a difference is shown.",
            levels=listed(list(dict.fromkeys(map(decisive_level, equal)))),
        )
    if others := list(dict.fromkeys(decisive_level(row) for row in rows if equal and row not in equal)):
        caption = f"{caption} {say('Other limits: {levels}.', levels=listed(others))}"
    if any(row.conf_level > result.conf_level for row in categories):
        values = {"n": len(categories), "level": level(result.conf_level)}
        each = level(categories[0].conf_level)
        together = say("Those of categories are wider, so that all {n} hold together with {level}.", **values)
        if len(categories) == len(rows):
            together = say("All {n} hold together with {level}.", **values)
        elif not equal:
            together = say(
                "Those of the categories are wider ({each} each), so that all {n} hold together with {level}.",
                each=each,
                **values,
            )
        caption = f"{caption} {together}"
    labels = []
    for row in drawn:
        label = " ".join(filter(None, (_lettered(result, row), _pay_figure(row))))
        labels.append(say("{what}: {group}", what=label, group=row.group) if len(groups) > 1 else label)
    values = {"group": rows[0].group, "reference": rows[0].reference}
    axis = say("gap of {group}, % of what {reference} get", **values)
    axis = axis if len(groups) == 1 else say("gap, % of what {reference} get", reference=rows[0].reference)
    decisive = [
        replace(row, conf_low=low, conf_high=high, margin_low=NAN, margin_high=NAN)
        for row, (low, high) in ((row, decisive_interval(row)) for row in drawn)
    ]  # the caption has the levels
    return forest_plot(name, decisive, caption=caption, margin=result.margin, labels=labels, axis=axis)


def _of(row: Estimate, rate: str = "") -> str:
    """What a comparison is of: the stage or the like, and the group."""
    if is_gap(row):
        return say("{what}: {group}", what=translated(row.term), group=row.group)
    group = say("{group} less {reference}", group=row.group, reference=translated(row.reference)) if row.group else ""
    if row.model:
        model = words.less_baseline(row) if row.versus else say("“{model}”", model=row.model)
        model = f"{model} ({translated(row.given)})" if row.given else model
        return ", ".join(
            filter(
                None,
                (rate, translated(row.estimator), model, group if row.reference else row.group),
            )
        )
    if row.estimator in OF_BOUNDS:
        return f"{group if row.reference else row.group}, {translated(row.estimator)}"
    group = f"{row.group} / {translated(row.reference)}" if row.contrast == "ratio" and row.reference else group
    apart = translated(row.estimator) if row.estimator == WITHOUT_REGARD else ""
    given = translated(row.given) if row.term == CALIBRATION else ""
    stage = ", ".join(filter(None, (apart, translated(row.term), given)))
    return f"{stage}: {group}" if stage else group


def condition_table(result: GroupStudy) -> Table:
    """The conditions of an alternative, a line each, and whether each is shown."""
    conditions = conditions_of(result)
    rows = [row for _, row, _ in conditions]
    headings = [text(say("condition")), text(say("of")), Heading(say("people"))]
    headings += [Heading(say("change")), Heading(level_of(rows, result.conf_level)), text(say("shown"))]
    lines = [
        [translated(what), _of(row, words.heading(row.metric)), words.count(row.n), words.estimate(row),
         words.interval(row), say("yes") if shown else say("no")]
        for what, row, shown in conditions
    ]  # fmt: skip
    note = f"{methods_note(rows)} {say('All of these have to be shown.')}"
    if any(says(what, IS_SMALLER_IN_SIZE) for what, *_ in conditions):
        note += f" {translated(BY_BOTH)}"
    return table(say("What an alternative has to show"), headings, lines, note, MOST_STUDY_LINES)


def study_table(result: GroupStudy) -> Table:
    """A line a row: estimate, limits, standard deviations, p-value, verdict."""
    result = worded(result)
    if conditions_of(result):
        return condition_table(result)
    rows = [row for row in result.estimates if not of_category(row) and not of_period(row)]
    if result.by_model() and "models" in result.settings:  # whose rates and gaps have tables beside
        rows = [row for row in rows if row.verdict or row.role == "main"]
    if of_alternatives(result):  # what changes is in a table beside, and the limits that decide are of one level
        rows = [row for row in rows if row.role == "main" or not of_change(row)]
        rows = [row.changed(verdict="inconclusive") if row.verdict == "equivalence shown" else row for row in rows]
    rows = shown_kept(rows, MOST_STUDY_LINES)
    counted = say("n") if of_blocks(result) else say("people")
    headings = [text(say("what")), text(say("of")), Heading(counted), Heading(say("estimate"))]
    if of_alternatives(result):  # the half that chose is on page one, and in results.csv
        rows = [row for row in rows if not row.given and not row.estimator and row.metric != "disagreement"]
    joint = result.conf_level if "models" in result.settings else math.nan
    headings += [Heading(level_of(rows, joint)), Heading(say("standard deviations")), Heading(say("adjusted p"))]
    headings += [text(say("shown"))]
    lines, note = [_study_line(row, result.estimates, result.margin) for row in rows], methods_note(rows)
    if any(of_change(row) and direction(row, result.estimates) == "changed" for row in rows):
        note = f"{say('Changed: which of the two gaps is larger is not settled.')} {note}"
    pairs = {(row.group, row.reference) for row in rows if row.group and row.reference}
    if len(pairs) == 1 and ("models" in result.settings or of_alternatives(result)):  # said once, and not in each line
        lines = [
            [say("gap: {rate}", rate=words.in_text(row.metric)), _of(row.changed(group="", reference="")), *line[2:]]
            if row.reference
            else line
            for row, line in zip(rows, lines, strict=True)
        ]
        ((group, reference),) = pairs
        note = f"{say('Gaps are {group} less {reference}.', group=group, reference=reference)} {note}"
    if result.periods or "models" in result.settings:
        note = f"{say('People: of the group named first.')} {note}"
    if result.periods:
        if any(map(outside, rows)):
            more = say(
                "\N{DAGGER}: no interval is about the mean gap of all periods, in which "
                "it need not have been the same; "
                "what is known of a gap in some period stands below (so far)."
            )
            note = f"{more} {note}"
        if not all(map(outside, result.compared())):
            more = say("The estimate is of all periods, and the limits of a gap that there was in some period.")
            note = f"{more} {note}"
    before = next((row for row in rows if row.term == BASELINE), None)
    if before is not None and len({row.conf_level for row in rows if row.conf_level == row.conf_level}) > 1:
        headings[4] = Heading(say("interval"))
        levels = {"watched": level(result.conf_level), "baseline": level(before.conf_level)}
        note = f"{say('Interval: {watched} of the gap that is watched, {baseline} of the baseline.', **levels)} {note}"
    if bounded_rows(result):
        headings[4] = Heading(say("interval"))
        named = [translated(text) for text in result.statements if any(says(text, one) for one in LEVELS)]
        sign = mark("{sign} Among those who are known; those who are missing could overturn it.")
        could = [say(sign, sign=OVERTURNED)] if any(overturned(row, result.estimates) for row in rows) else []
        note = " ".join([*named, *could, note])
    if of_blocks(result):
        note = f"{say('n: applications, and blocks of shares favored.')} {note}"
    if any(map(is_gap, rows)):  # a report of pay: laws ask for gaps, not for standard deviations
        rows = [as_gap(row) for row in in_law_order(result, rows)]
        absent = absent_signs(rows)
        lines = [_study_line(row, result.estimates, result.margin) for row in rows]
        lines = [
            [
                _lettered(result, row),
                line[0] if is_gap(row) else say("proportion"),
                *line[1:3],
                absent.get(row.reason, line[3]) if row.estimate != row.estimate else line[3],
                _limits_or_sign(row, absent),
                line[6],
                _pay_verdict(row, result.margin),
            ]
            for row, line in zip(rows, lines, strict=True)
        ]
        numbers = text(say("point") if result.margin is not None else say("reg."))
        headings = [numbers, *headings[:5], headings[6], text(say("difference"))]
        gaps = [row for row in rows if is_gap(row)]
        compared = {"n": len({row.group for row in gaps}), "reference": gaps[0].reference}
        if len({row.group for row in gaps}) > 1:
            adjusted = say("p is adjusted for the groups that a figure compares with {reference}: {n}.", **compared)
            note = f"{note} {adjusted}"
        note = " ".join([note, *_absent(absent)])
    if any(row.metric == GAP_WITHIN for row in rows):
        note = f"{note} {say(WEIGHTS_WITHIN)}"
    if any(map(by_itself, rows)):
        note = " ".join(filter(None, (note, say("{sign} p by itself, not adjusted.", sign=ALONE))))
    caption = say("Every figure") if of_pay(result) else translated(result.question)
    return table(caption, headings, lines, note, MOST_STUDY_LINES)


def category_table(result: GroupStudy, at_margin_only: bool = False, most: int = MOST_STUDY_LINES) -> Table:
    """A line a category: people, the observed gap, whether it is as large as the margin, what its limits show.

    at_margin_only: those whose observed gap is as large, the largest first.
    """
    margin, lines = result.margin or 0.0, worded(result).by_category()
    if at_margin_only:
        lines = [line for line in lines if at_margin(_larger_gap(line), margin)]
        lines.sort(key=lambda line: -abs(_larger_gap(line).estimate))
    mains = [row for row, *_ in lines]
    several = len({row.group for row in mains}) > 1
    shown = level_number(margin)
    least = say("{margin}% or more", margin=shown)
    headings = [text(mains[0].given), *([text(say("of"))] if several else [])]
    headings += [Heading(say("people") if several else mains[0].group), Heading(mains[0].reference)]
    headings += [Heading(say("gap of means")), Heading(say("interval")), text(least)]
    headings += [text(say("beyond or within"))]
    headings += [Heading(say(next(head for of, head in HEADS if says(part.term, of)))) for part in lines[0][1:]]
    signs = absent_signs([row for line in lines for row in line if row.estimate != row.estimate])

    def gap(row: Estimate) -> str:
        return words.estimate(row) if row.estimate == row.estimate else signs.get(row.reason, words.DASH)

    cells = [
        [
            translated(row.term),
            *([row.group] if several else []),
            words.count(row.events),
            words.count(row.n - row.events),
            gap(row),
            span(*decisive_interval(row), words.percent),
            *map(_said, beside_margin(row, margin, as_given(apart))),
            *map(gap, apart),
        ]
        for row, *apart in lines
    ]
    note = say(
        "Beyond or within: what the limits, which hold for all categories together, show of the gap and the margin."
    )
    what = PER_HOUR if result.settings.get("hours") else AS_GIVEN
    values = {"what": translated(what), "reference": mains[0].reference}
    note = f"{note} {say('Gaps are of {what}, in % of what {reference} get.', **values)}"
    if any(says(part.term, BASIC_OF) for part in lines[0]):
        note = f"{note} {say('Basic pay: ordinary basic wage or salary.')}"
    if as_given(lines[0]) is not None:
        note = f"{note} {say('Pay as given: not divided by the hours; its gap has no limits here.')}"
    levels = list(dict.fromkeys(decisive_level(row) for row in mains if row.conf_low == row.conf_low))
    note = f"{say('Columns of groups: how many people.')} {note}"
    if levels:
        decides = say("Each interval, of {levels}, is the one that decides its finding.", levels=words.listed(levels))
        note = f"{decides} {note}"
    bare = dict.fromkeys(translated(row.reason) for row in mains if words.shown(row) and row.conf_low != row.conf_low)
    bare.pop("", None)
    no_interval = say("No interval: {reasons}.", reasons="; ".join(bare)) if bare else ""
    note = " ".join(filter(None, (note, *_absent(signs), no_interval, _without_verdict(mains))))
    title = say("Gaps by category, Article 9(1)(g): {category}", category=mains[0].given)
    if any(margin_digits(margin, abs(row.estimate)) > 1 for row in mains if row.estimate == row.estimate):
        note = f"{note} {say('{margin}% or more: before rounding.', margin=shown)}"
    if at_margin_only:
        large = mark("Categories with an observed gap of {margin}% or more")
        of_law = mark("Categories with an observed gap of {margin}% or more, Article 10(1)")
        title = say(of_law if margin == LIMIT_OF_ARTICLE_10 else large, margin=shown)
        if as_given(lines[0]) is not None:
            note = f"{note} {say('In the order of the larger gap, per hour or as given.')}"
        if left := sum(row.status == "suppressed" for row, *_ in worded(result).by_category()):
            hidden = say_number(
                "Of {n} withheld category it is not said whether it belongs here; from how few people one is withheld "
                "is a choice of this report.",
                "Of {n} withheld categories it is not said whether they belong here; from how few people one is "
                "withheld is a choice of this report.",
                left,
                n=left,
            )
            note = f"{note} {hidden}"
    return table(title, headings, cells, note, most)


def _said(word: str) -> str:
    return translated(word) if isinstance(word, Message) else say(word)


MARGIN_WORDS = (
    *(mark("yes"), mark("no"), mark("both"), mark("per hour"), mark("as given")),
    *(mark("beyond"), mark("within"), mark("not settled")),
)


SHOWN_OF_CHANGE = {
    "smaller": mark("smaller"),
    "higher": mark("higher"),
    "lower": mark("lower"),
    "larger": mark("larger"),
    "changed": mark("changed"),
    "within": mark("within margin"),
    "smaller within": mark("smaller, within margin"),
    "larger within": mark("larger, within margin"),
    "changed within": mark("changed, within margin"),
    "higher within": mark("higher, within margin"),
    "lower within": mark("lower, within margin"),
    "near": mark("at most {margin} lower"),
    "": mark("no"),
}


def _study_line(row: Estimate, rows: Estimates, margin: float | None) -> list[str]:
    name = words.heading(row.metric)
    if row.contrast == "ratio" and not words.is_contrast(row):
        name = say("{rate}, ratio", rate=name)
    alone = row.contrast == "none" and not row.model and row.estimator not in OF_BOUNDS
    who = ": ".join(filter(None, (translated(row.term), row.group))) if alone else _of(row)
    who = f"{row.group} {translated(row.term)}" if row.metric == "share favored" and row.group and alone else who
    who = who if row.role != "omnibus" else ": ".join(filter(None, (translated(row.term), say("all groups at once"))))
    bare = row.role == "omnibus" or is_gap(row) or row.metric == "share"  # whose reason stands in the note
    estimate = words.DASH if bare and row.estimate != row.estimate else words.estimate(row)
    sd = signed(row.statistic, 2) if in_points(row) and row.contrast == "difference" else words.DASH
    estimate = f"{CHI_SQUARE} {words.number(row.estimate, 2)}" if of_homogeneity(row) else estimate
    between = one_limit(row) or words.interval(row)
    return [name, who, words.count(row.n), estimate, between, sd, study_p(row), finding_of(row, rows, margin)]


def finding_of(row: Estimate, rows: Estimates, margin: float | None = None) -> str:
    """The verdict of a row in a cell: of a change which gap is the smaller, of others whether a difference is shown."""
    if not row.verdict:
        return ""
    if of_change(row):
        way = way_shown(row, rows, margin or 0.0)
        return say(SHOWN_OF_CHANGE.get(way, mark("yes")), margin=words.percent(margin or 0.0))
    yes = f"{say('yes')} {OVERTURNED}" if overturned(row, rows) else say("yes")
    return yes if row.verdict in SHOWN else say("no")


# Clusters: how the clusters of a graph are made up of groups, and what making them alike costs.


MOST_LEVELS = 6
READING = mark(
    "Balance is the smallest ratio of two groups' counts within a cluster: 1 is as many of each, 0 that one is absent."
)


QUANTITIES = {
    "RatioCut": mark("links that lead out per member, summed over the clusters (RatioCut)"),
    "NCut": mark("share of link ends that lead out, summed over the clusters (NCut)"),
    "tr(H'LH)": mark("what the eigenvectors make smallest (tr(H'LH))"),
    "Cramer's V": mark("Cramér's V"),
}


def clusters_section(bundle: Bundle) -> dict[str, Any] | None:
    """The context of ``sections/clusters.html.j2``."""
    if not bundle.partitions:
        return None
    parts, alone = [_part(i, one, len(bundle.partitions) == 1) for i, one in enumerate(bundle.partitions)], False
    if bundle.audit is None and not bundle.fits and not any(isinstance(one, Comparison) for one in bundle.others):
        alone = True
        for part in parts:  # page one says it, and draws the first
            part["sentence"] = ""
        drawn = next((part for part in parts if part["figures"]), None)
        if drawn is not None:
            drawn["figures"] = drawn["figures"][1:]
    return {"reading": "" if alone else say(READING), "parts": parts}


def constraint_row(partition: Partition) -> tuple[str, str, str, str]:
    """Return statement, value, bound and verdict of the constraint, as a row of a table of guarantees."""
    e = partition.embedding
    statement = say_number(
        "{method}, k = {k}: |F'H|, {n} constraint",
        "{method}, k = {k}: |F'H|, {n} constraints",
        e.constraints,
        method=name_of(partition),
        k=partition.k,
        n=e.constraints,
    )
    holds = say("holds") if e.holds else say("does not hold")
    return statement, words.tiny(e.violation), words.tiny(CONSTRAINT, 0), holds


def finding(partition: Partition) -> str:
    """The clustering in sentences: where it is farthest from the graph's proportions, and the edges that lead out."""
    lines = [_departing(partition, i) for i in range(len(partition.compositions))]
    if not lines:
        lines = [say("{n} {who} in {k} clusters.", n=words.count(partition.n), who=members(), k=partition.k)]
    share = partition.cuts.sizes[0] / partition.n
    if share >= CROWDED:
        few = say(
            "Cluster 1 has {share}% of all members: what is said of the others rests on few.",
            share=words.percent(share),
        )
        lines.insert(0, few)
    return " ".join([*lines, _leaving(partition)])


def _departing(partition: Partition, at: int) -> str:
    """The largest gap between the share of a cluster and that of all vertices; and what the constraint did."""
    current, plain = partition.compositions[at], partition.plain
    values = {"n": words.count(partition.n), "k": partition.k} | farthest(current)
    if plain is None:
        text = mark(
            "By {attribute} cluster {c} of {k} is farthest from the network's proportions: {share}% of its members (n "
            "= {size}) are “{level}”, of all {n} members {overall}%, a gap of {off} percentage points."
        )
        return say(text, **values)
    beside, reached = plain.compositions[at], not current.gaps.any()
    values |= {"free": words.percent(float(np.abs(beside.gaps).max()))}
    values |= {"v": words.number(current.cramers_v, 3), "v_free": words.number(beside.cramers_v, 3)}
    text = mark("By {attribute} the proportional clustering gives every cluster the shares of the whole network.")
    if not reached and round(current.cramers_v, 3) < round(beside.cramers_v, 3):  # in the digits that are said
        text = mark(
            "By {attribute} the proportional clustering is closer to the network's proportions than the ordinary one "
            "(Cramér's V {v} against {v_free}), but does not reach them. {widest}"
        )
    elif not reached:
        text = mark(
            "By {attribute} the proportional clustering is no closer to the network's proportions than the ordinary "
            "one (Cramér's V {v} against {v_free}). {widest}"
        )
    widest = mark(
        "The largest gap is in cluster {c}: {share}% of its members (n = {size}) are “{level}”, against {overall}% of "
        "all {n} members, a gap of {off} percentage points; in the ordinary clustering up to {free}."
    )
    return say(text, widest=say(widest, **values), **values)


def farthest(composition: Composition) -> dict[str, str]:
    """The cell of the table that is furthest from what the graph has, in points: its cluster, group, both shares."""
    c, g = composition.widest
    share, overall = float(composition.shares[c, g]), float(composition.counts[:, g].sum() / composition.counts.sum())
    return {
        "c": str(c + 1),
        "size": words.count(composition.counts[c].sum()),
        "share": words.percent(share),
        "attribute": column_name(composition.attribute),
        "level": level_name(composition.attribute, composition.levels[g]),
        "overall": words.percent(overall),
        "off": translated(difference_in_points(float(abs(composition.gaps[c, g])), share, overall)),
    }


def _leaving(partition: Partition) -> str:
    """What of the edges leads out of a cluster: the mean over the clusters, of which NCut and RatioCut are the sum."""
    k, plain = partition.k, partition.plain
    price = say("The price, as low as a search found it") if "balance" in partition.settings else say("The price")
    if partition.normalized:
        current = words.percent(partition.ncut / k)
        if plain is None:
            return say("On average {share}% of a cluster's link ends lead out.", share=current)
        text = mark(
            "{price}: on average {share}% of a cluster's link ends lead out, {free}% in the ordinary clustering."
        )
        return say(text, price=price, share=current, free=words.percent(plain.ncut / k))
    current = words.compact(partition.ratio_cut / k)
    if plain is None:
        return say("On average {weight} links a member lead out of a cluster.", weight=current)
    text = mark("{price}: on average {weight} links a member lead out of a cluster, {free} in the ordinary clustering.")
    return say(text, price=price, weight=current, free=words.compact(plain.ratio_cut / k))


def _part(index: int, partition: Partition, single: bool) -> dict[str, Any]:
    form = say("normalized form") if partition.normalized else say("unnormalized form")
    return {
        "heading": say("How well {k} clusters are separated, and by how much shares differ", k=partition.k)
        if single
        else say("{k} clusters by {method}, {form}", k=partition.k, method=name_of(partition), form=form),
        "sentence": finding(partition),
        "solution": _solution(partition),
        "price": price_table(partition),
        "tables": [_composition(partition, composition) for composition in partition.compositions],
        "figures": [
            figure(f"clusters-{index}-{a}", composition, caption=caption_of(composition), plain=ordinary(partition, a))
            for a, composition in enumerate(partition.compositions)
        ],
        "notes": [*_weighing([partition]), *map(translated, partition.notes)],
    }


def _solution(partition: Partition) -> str:
    e = partition.embedding
    kept = ", ".join("0" if v < CONSTRAINT else words.significant(v, 4) for v in e.eigenvalues[:10])
    sentence = say(
        "Eigenvalues {values}; gap after the last {gap}. The eigensolver converged in {n} matrix-vector products, with "
        "residuals up to {residual}.",
        values=f"{kept}{', ...' if partition.k > 10 else ''}",
        gap=words.significant(e.gaps[-1], 3),
        n=words.count(e.products),
        residual=words.tiny(e.residuals.max()),
    )
    if e.constraints:
        _, value, bound, verdict = constraint_row(partition)
        source = say(
            "The constraint of the embedding, |F'H| = {value} (at most {bound}), {holds}; k-means keeps it in part, "
            "and the balance says how much.",
            value=value,
            bound=bound,
            holds=verdict,
        )
        sentence = f"{sentence} {source}"
    return sentence


def price_table(partition: Partition) -> Table:
    """The quantities of a clustering, and those of the ordinary one beside them."""
    plain = partition.plain
    theirs = [""] * 99 if plain is None else [words.compact(value) for _, _, value, _ in quantities(plain)]
    headings = [text(say("quantity"))]
    headings.append(Heading(say("this clustering") if plain is None else say("proportional")))
    headings += [] if plain is None else [Heading(say("ordinary"))]
    rows = [
        (
            f"{_quantity(metric)} ({column_name(attribute)})" if attribute else _quantity(metric),
            words.compact(value),
            *([other] if plain else []),
        )
        for (metric, attribute, value, _), other in zip(quantities(partition), theirs, strict=False)
    ]
    note = say(
        "tr(H'LH) is of the eigenvectors, all else of the clusters. Cramér's V: 0 where clusters and groups are "
        "unrelated, 1 where one tells the other."
    )
    caption = say("Quantities of the clustering") if plain is None else say("The price of proportional clusters")
    return table(caption, headings, rows, note)


def _quantity(metric: str) -> str:
    return say(QUANTITIES[metric]) if metric in QUANTITIES else translated(metric)


def _composition(partition: Partition, composition: Composition) -> Table:
    levels = composition.levels[:MOST_LEVELS]
    headings = [text(say("cluster")), Heading(members()), Heading(say("cut/volume")), Heading(say("balance"))]
    headings += [Heading(level_name(composition.attribute, label)) for label in levels]
    with np.errstate(invalid="ignore"):
        cuts = partition.cuts.cuts / partition.cuts.volumes
    rows = [
        (
            str(c + 1),
            words.count(partition.cuts.sizes[c]),
            words.number(float(cuts[c]), 4),
            words.number(float(composition.balance[c]), 3),
            *(
                f"{words.count(composition.counts[c, g])} ({words.signed(composition.residuals[c, g])})"
                for g in range(len(levels))
            ),
        )
        for c in range(partition.k)
    ]
    note = say(
        "Counts; in brackets how far they are from the network's proportions, in standard deviations (standardized "
        "residual). Cut/volume: the share of the link ends of a cluster's members that lead out of it; a link within "
        "it has both ends there. Balance of all members: {balance}.",
        balance=words.number(composition.overall_balance, 3),
    )
    if len(composition.levels) > MOST_LEVELS:
        missing = say("{n} more groups stand in results.csv.", n=len(composition.levels) - MOST_LEVELS)
        note = f"{note} {missing}"
    return table(say("Clusters by {attribute}", attribute=column_name(composition.attribute)), headings, rows, note)


def ordinary(partition: Partition, at: int) -> Composition | None:
    """What the clusters without the constraint are made up of, where they were asked for."""
    return partition.plain.compositions[at] if partition.plain else None


def caption_of(composition: Composition) -> str:
    """The cell of the table that is furthest from what the graph has, in words."""
    text = mark(
        "The largest gap is in cluster {c}: {share}% of its members are “{level}”, of all members {overall}% (dashed)."
    )
    return say(text, **farthest(composition))


# Page one of a clustering: whether the clusters hold the groups in the graph's proportions, and what that costs.


MOST_LEVELS_NAMED, MOST_ATTRIBUTES, MOST_CLUSTERS = 4, 3, 25
CLUSTER = mark(
    "Members are the people or things that a network links. A cluster is a set of members that are linked more closely "
    "among themselves than with others: the fewer links lead out of it, the better it is separated. A link within a "
    "cluster has both ends there."
)


def clusters_page(bundle: Bundle) -> dict[str, Any]:
    """The context of page one of a report on clusterings."""
    first, result = bundle.partitions[0], [one for part in bundle.partitions for one in part.compositions]
    bound = [part for part in bundle.partitions if part.plain is not None]
    counted = say(
        "Network of {n} {who} and {edges} links", n=words.count(first.n), who=members(), edges=words.count(first.edges)
    )
    groups = listed([in_code(name) for name in dict.fromkeys(one.attribute for one in result)]) if result else ""
    tables = [composition_table(part, at) for part in bundle.partitions for at in range(len(part.compositions))]
    drawn = next((part for part in bundle.partitions if part.compositions), None)  # result[0] is of this one
    plain = ordinary(drawn, 0) if drawn else None
    return blank() | {
        "who": f"{counted} · {who_and_when(bundle)}",
        "question": _clusters_question(first, groups, bool(bound)),
        "sentence": " ".join(map(finding, bundle.partitions)),
        "context": [*dict.fromkeys(map(_constraint, bound)), say(CLUSTER), *_weighing(bundle.partitions)],
        "points": [point for part in bundle.partitions for point in _meaning(part)],
        "tables": tables[:MOST_ATTRIBUTES],
        "figures": [cluster_shares("page-one", result[0], caption=caption_of(result[0]), plain=plain)]
        if result
        else [],
        "unshown": [*_unshown(bool(result), bound), translated(UNTESTED)],
        "rely": _before_use(bundle.partitions, bool(result)),
        "source": source_line(bundle),
    }


def _weighing(partitions: Sequence[Partition]) -> list[str]:
    """Whether links count by weights, once for networks alike."""
    return list(dict.fromkeys(translated(text) for partition in partitions for text in weighing(partition)))


def _meaning(partition: Partition) -> list[tuple[str, str]]:
    """What it means where clusters are treated differently: which group the farthest one has more or less of."""
    lines = []
    for one in partition.compositions:
        c, g = one.widest
        if not (gap := one.gaps[c, g]):
            continue
        text = mark(
            "Where clusters are treated differently the groups of {attribute} are, too: cluster {c} has a smaller "
            "share of “{level}” than the network."
        )
        if gap > 0:
            text = mark(
                "Where clusters are treated differently the groups of {attribute} are, too: cluster {c} has a larger "
                "share of “{level}” than the network."
            )
        lines.append((say("What this means for use."), say(text, **farthest(one))))
    return lines


def composition_table(
    partition: Partition,
    at: int,
    most: int = MOST_CLUSTERS,
    most_levels: int = MOST_LEVELS_NAMED,
    most_differences: int = MOST_LEVELS_NAMED,
) -> Table:
    """A line a cluster, with proportional shares and without: its members, each group's share beside the whole's.

    most_differences: groups up to whose number there is room for the differences, too.
    """
    fair, plain = partition.compositions[at], partition.plain
    both = [fair] if plain is None else [fair, plain.compositions[at]]
    totals = fair.counts.sum(axis=0)
    largest = dict.fromkeys([*(one.widest[1] for one in both), *np.argsort(-totals, kind="stable").tolist()])
    chosen = sorted([*largest][:most_levels])
    has_differences = len(chosen) <= most_differences
    headings = [text(say("cluster")), Heading(members())]
    for g in chosen:
        headings.append(Heading(level_name(fair.attribute, fair.levels[g]), "%"))
        headings += [Heading(say("difference"), say("points"))] if has_differences else []
    headings.append(Heading(say("balance")))
    whole = [words.count(partition.n)]
    for share in totals[chosen] / totals.sum():
        whole += [words.percent(float(share)), *([words.DASH] if has_differences else [])]
    lines = [[say("all {who}", who=members()), *whole, words.number(fair.overall_balance, 3)]]
    names = [mark("proportional: cluster {c}"), mark("ordinary: cluster {c}")]
    names = [mark("cluster {c}")] if plain is None else names
    for composition, called_ in zip(both, names, strict=True):
        for c in range(partition.k):
            line = [say(called_, c=c + 1), words.count(composition.counts[c].sum())]
            for g in chosen:
                line.append(words.percent(float(composition.shares[c, g])))
                line += [words.signed(100 * composition.gaps[c, g])] if has_differences else []
            lines.append([*line, words.number(float(composition.balance[c]), 3)])
    least = int(np.argmin(fair.balance))
    note = say(
        "Balance: the smallest ratio of two groups' counts, 1 where there are as many of each, 0 where one is absent; "
        "{balance} (cluster {c}) is {n} of the smaller group for each 100 of the larger.",
        balance=words.number(float(fair.balance[least]), 3),
        c=least + 1,
        n=words.number(100 * float(fair.balance[least]), 0),
    )
    if len(fair.levels) > len(chosen):
        note += " " + say("{n} more groups stand in results.csv.", n=len(fair.levels) - len(chosen))
    printed = [
        (float(composition.shares[c, g]), float(totals[g] / totals.sum()), float(composition.gaps[c, g]))
        for composition in both
        for c in range(partition.k)
        for g in chosen
    ]
    if has_differences:
        less = say("Difference: the share in the cluster less that of all members.")
        note = f"{less} {note} {unrounded(printed)}".strip()
    caption = say("Who is in which cluster, by {attribute}", attribute=column_name(fair.attribute))
    return table(caption, headings, lines, note, most)


def _before_use(partitions: Sequence[Partition], grouped: bool) -> list[str]:
    """What to know and to do before the clusters are used."""
    parts_of = (translated(note) for one in partitions for note in one.notes if says(note, IN_PARTS))
    lines = list(dict.fromkeys(parts_of))
    if grouped:
        lines.append(say("Decide how far from the whole a cluster may be for this use; no margin was declared."))
    if any(partition.plain is None for partition in partitions) and grouped:
        lines.append(say("Compare with a proportional clustering: `{call}`.", call=Call("fair_spectral_clustering")))
    lines.append(say("Cluster again with other numbers of clusters: the answer may depend on that choice."))
    return lines


def members() -> str:
    """Whom a network links, as the report's labels call them."""
    return unit_of(say("members"))


def _clusters_question(first: Partition, groups: str, bound: bool) -> str:
    values = {"n": words.count(first.n), "k": first.k, "groups": groups, "who": members()}
    if not groups:
        return say(
            "{n} {who} of a network were divided into {k} clusters of those who are linked closely. How well are the "
            "clusters separated from each other?",
            **values,
        )
    if not bound:
        return say(
            "{n} {who} of a network were divided into {k} clusters of those who are linked closely. Where like is "
            "linked with like, that keeps the groups of {groups} apart. Does every cluster hold them in the "
            "proportions of the whole network?",
            **values,
        )
    return say(
        "{n} {who} of a network were divided into {k} clusters of those who are linked closely. Where like is linked "
        "with like, that keeps the groups of {groups} apart, so every cluster is to hold them in the proportions of "
        "the whole network. How near does it come, and how many links does that cut?",
        **values,
    )


def _constraint(partition: Partition) -> str:
    """What the constraint asks for, and what it is beside."""
    return say(
        "Proportional clustering: every cluster is to hold the groups in the proportions of the whole network. "
        "Ordinary clustering: the same network in as many clusters without that aim; they are other sets of members.",
    )


def _unshown(grouped: bool, bound: Sequence[Partition]) -> list[str]:
    lines = []
    if grouped:
        lines.append(say("It does not show why groups are linked as they are, nor that equal proportions are fair."))
    if any("balance" not in partition.settings for partition in bound):
        lines.append(
            say(
                "That the clusters are proportional: the method sees to that in its first step and does not force it "
                "in the second, which forms the clusters. The table shows how near they come."
            )
        )
    if any("balance" in partition.settings for partition in bound):
        lines.append(
            say(
                "That the clusters are proportional: members were moved only until every cluster had the balance that "
                "was set, or as near to it as they came. The table shows how near they come to the whole network."
            )
        )
    return lines


# Page one and the annex of New York City's Local Law 144 (6 RCNY § 5-300 ff.), as the rule lays its tables out.


NO_CONCLUSION = mark("Local Law 144 of New York City sets no threshold: these tables state no conclusion.")
UNDER = mark("Under 2% of the data used: the rule permits the auditor to exclude such a category, with a justification")


def local_law(bundle: Bundle) -> dict[str, Any]:
    """The context of the preset ``ll144``."""
    tables = _tables(bundle)
    audit = bundle.audit
    assert audit is not None
    unknown = [_left_out(one, i) for i, one in enumerate(tables, 1)]
    others: dict[str, list[str]] = {}
    for i, one in enumerate(tables, 1):
        if one.source is not None and one.source.sha256 and one.source != audit.data:
            others.setdefault(source_of(one.source), []).append(str(i))
    for source, places in others.items():
        n, names = len(places), listed(places, len(places))
        of = say_number("Table {i} is of other data.", "Tables {i} are of other data.", n, i=names)
        unknown.append(f"{of} {source}")
    day = day_of(audit.provenance.created)
    read = say("Date of the bias audit: {day}.", day=day)
    if audit.data.sha256:  # how many people they are stands above
        file = translated(audit.data.name)
        read = say("Date of the bias audit: {day}. The data were read from {file}.", day=day, file=file)
    single = (c for one in tables if len(one.columns) == 1 for c in one.categories if c.status == "excluded")
    excluded = frozenset(c.category for c in single)
    return {
        "sentence": read,
        "about": _about(bundle),
        "tables": [_published(one, excluded if len(one.columns) > 1 else frozenset()) for one in tables],
        "unknown": unknown,
        "excluded": any(c.status == "excluded" for one in tables for c in one.categories),
        "annex": [table_of(one, i == 0) for i, one in enumerate(tables)],
    }


def _left_out(law: ImpactTable, i: int = 0) -> str:
    """How many people are in no rate as their category is unknown, and by which labels."""
    values = {
        "n": words.count(law.unknown) if law.unknown else say("none"),
        "attribute": f" {say('or')} ".join(law.columns),
        "i": i,
    }
    if i and not law.unknown_labels:
        return say("People of unknown {attribute}, who are left out of Table {i}: {n}.", **values)
    if i:
        labels = listed(law.unknown_labels)
        return say(
            "People of unknown {attribute} ({labels}, or blank), who are left out of Table {i}: {n}.",
            **values,
            labels=labels,
        )
    if not law.unknown_labels:
        return say("People of unknown {attribute}, who are left out: {n}.", **values)
    labels = listed(law.unknown_labels)
    return say("People of unknown {attribute} ({labels}, or blank), who are left out: {n}.", **values, labels=labels)


def law_findings(bundle: Bundle) -> dict[str, Any]:
    """Page one of the law: the lowest impact ratio of all tables, what of them rests on few people; and no verdict."""
    tables = _tables(bundle)
    items = [(one, least) for one in tables if (least := _least(one))]
    items.sort(key=lambda pair: pair[1].impact_ratio)
    cautions = [" ".join(filter(None, (_smaller(*pair), _small_base(pair[0])))) for pair in items]
    lead = _lowest(*items[0]) if items else local_law(bundle)["sentence"]
    several = len({one.measure for one, _ in items}) > 1
    others = [(_lowest_in_brief(*pair, several), one) for pair, one in zip(items[1:], cautions[1:], strict=True)]
    return blank() | {
        "who": who_and_when(bundle),
        "question": say(
            "Impact ratio: the rate of a category divided by the highest rate. How do the rates of the categories "
            "compare with the highest one?"
        ),
        "sentence": " ".join(filter(None, (lead, *cautions[:1]))),
        "context": [*filter(None, (text for pair in others for text in pair)), say(NO_CONCLUSION)],
        "source": source_line(bundle),
    }


def _lowest_in_brief(law: ImpactTable, least: Category, several: bool) -> str:
    """The lowest impact ratio of a further table; of which rate, where the tables are of several."""
    values = {"ratio": words.impact_ratio(least.impact_ratio), "rate": words.percent(least.rate)}
    values |= {"attribute": " × ".join(law.columns), "group": _named(law, _tied(law, least))}
    if not several:
        return say("By {attribute} it is {ratio}: {group}, {rate}%.", **values)
    text = mark("By {attribute} it is {ratio} for selection rates: {group}, {rate}% selected.")
    if law.measure == "scoring rate":
        text = mark("By {attribute} it is {ratio} for scoring rates: {group}, {rate}% above the median.")
    return say(text, **values)


def _least(law: ImpactTable) -> Category | None:
    """The category with the lowest impact ratio, of those of 2% or more where there are any; None beside no other."""
    ratios = [c for c in law.categories if c.status == "ok" and c.category != law.highest]
    ratios = [c for c in ratios if not c.reason] or ratios
    return min(ratios, key=lambda c: c.impact_ratio, default=None) if law.highest else None


def _lower(law: ImpactTable, least: Category) -> list[Category]:
    """The categories under 2% with a lower ratio than the lowest one of the others, the lowest first."""
    lower = [c for c in law.categories if c.status == "ok" and c.reason and not least.reason]
    return sorted((c for c in lower if c.impact_ratio < least.impact_ratio), key=lambda c: c.impact_ratio)


def said_by_law(tables: Sequence[ImpactTable]) -> str:
    """What the tables of the law say in place of a verdict: the lowest ratio of each, who is in none, no threshold."""
    lines = [line for one in tables for line in (lowest_ratio(one), _left_out(one)) if line]
    return "\n".join([*lines, say(NO_CONCLUSION)])


def lowest_ratio(law: ImpactTable) -> str:
    """The lowest impact ratio of a table, and what of it rests on few people; "" where there is none."""
    least = _least(law)
    return " ".join(filter(None, (_lowest(law, least), _smaller(law, least), _small_base(law)))) if least else ""


def _tied(law: ImpactTable, least: Category) -> list[Category]:
    """Every category with the lowest impact ratio, of those of 2% or more where it is of one."""
    others = [c for c in law.categories if c.status == "ok" and c.category != law.highest]
    others = [c for c in others if least.reason or not c.reason]
    return [c for c in others if math.isclose(c.impact_ratio, least.impact_ratio)]


def _named(law: ImpactTable, categories: Sequence[Category]) -> str:
    return words.listed([" × ".join(_headers(c.category, len(law.columns))) for c in categories])


def _lowest(law: ImpactTable, least: Category) -> str:
    """The lowest impact ratio of a table with the two rates that it is made of."""
    best = next(c for c in law.categories if c.category == law.highest)
    parts = len(law.columns)
    same = _tied(law, least)
    values = {
        "attribute": " × ".join(law.columns),
        "ratio": words.impact_ratio(least.impact_ratio),
        "group": _named(law, same),
        "rate": words.percent(least.rate),
        "n": words.count(sum(c.n for c in same)),
        "highest": " × ".join(_headers(law.highest, parts)),
        "highest_rate": words.percent(best.rate),
        "highest_n": words.count(best.n),
    }
    return say(LOWEST_OF_LAW[law.measure == "scoring rate", bool(_lower(law, least))], **values)


LOWEST_OF_LAW = {  # by whether rates are of scores, and whether smaller categories have a lower ratio
    (True, False): mark(
        "By {attribute} the lowest impact ratio is {ratio}, that of {group}: {rate}% of {n} people score above "
        "the median; the highest rate is that of {highest}, {highest_rate}% of {highest_n}."
    ),
    (True, True): mark(
        "By {attribute} the lowest impact ratio of the categories with 2% of the data or more is {ratio}, that of "
        "{group}: {rate}% of {n} people score above the median; the highest rate is that of {highest}, "
        "{highest_rate}% of {highest_n}."
    ),
    (False, False): mark(
        "By {attribute} the lowest impact ratio is {ratio}, that of {group}: {rate}% of {n} people were "
        "selected; the highest rate is that of {highest}, {highest_rate}% of {highest_n}."
    ),
    (False, True): mark(
        "By {attribute} the lowest impact ratio of the categories with 2% of the data or more is {ratio}, that of "
        "{group}: {rate}% of {n} people were selected; the highest rate is that of {highest}, {highest_rate}% of "
        "{highest_n}."
    ),
}


def _smaller(law: ImpactTable, least: Category) -> str:
    """Which categories of few people, that may be excluded, have a lower ratio than the lowest of the others."""
    parts = len(law.columns)
    if least.reason:
        return say("{small} is under 2% of the data.", small=" × ".join(_headers(least.category, parts)))
    each = [
        say(
            "{group} ({ratio}; {n} people)",
            group=" × ".join(_headers(c.category, parts)),
            ratio=words.impact_ratio(c.impact_ratio),
            n=words.count(c.n),
        )
        for c in _lower(law, least)
    ]
    return say("Lower, with under 2% of the data: {groups}.", groups=words.listed(each)) if each else ""


def _small_base(law: ImpactTable) -> str:
    """That all ratios of a table rest on few people, where the highest rate is of a category that may be excluded."""
    best = next(c for c in law.categories if c.category == law.highest)
    larger = [c for c in law.categories if c.status == "ok" and not c.reason]
    if not best.reason or not larger:
        return ""
    parts = len(law.columns)
    current = max(larger, key=lambda c: c.rate)
    return say(
        "{highest} is {share}% of the data: every ratio by {attribute} rests on the rate of {n} people. Of the "
        "categories of 2% or more the highest rate is {rate}%, that of {group}.",
        highest=" × ".join(_headers(law.highest, parts)),
        attribute=" × ".join(law.columns),
        share=words.percent(best.share),
        n=words.count(best.n),
        rate=words.percent(current.rate),
        group=" × ".join(_headers(current.category, parts)),
    )


def law_errors(bundle: Bundle) -> dict[str, Any] | None:
    """The errors without a second table of impact ratios."""
    result = errors(bundle)
    if result is not None:
        result["parts"] = [{**part, "impact": None} for part in result["parts"]]
    return result


def law_protocol(bundle: Bundle) -> dict[str, Any] | None:
    """The protocol without references and adjustments, and who is in the law's tables: nothing is tested."""
    audit = bundle.audit
    if audit is not None and any(t.measure == "scoring rate" and t.source == audit.data for t in _tables(bundle)):
        p = audit.protocol
        if p.counted and not p.labels.favorable:
            scored = replace(p, labels=replace(p.labels, favorable=say("score above the median")))
            bundle = replace(bundle, audit=replace(audit, protocol=scored))
    result = protocol(bundle, compared=False)
    if result is not None and bundle.audit is not None and bundle.audit.protocol.missing == "level":
        left = ""
        if any(holds_missing(cell.group) for cell in bundle.audit.cells):
            left = say("without the people whose group is not recorded, whom the audit keeps as a group (missing)")
        elif any(one.unknown_labels for one in _tables(bundle)):
            left = say(
                "without the people whose label says that the group is not known, whom the audit keeps as a group"
            )
        result["rules"] += [(say("Tables of the law"), left)] if left else []
    return result


ESTIMABLE = ABSENT["unestimable", True], ABSENT["unestimable", False]
LEFT_OUT = message(
    "Labels that may mean that the group is not known are groups in the audit, and left out of the tables of the law: "
    "{list_of}."
)


def law_data(bundle: Bundle) -> dict[str, Any] | None:
    """The data, with the labels that the audit takes as groups and the tables of the law leave out."""
    audit = bundle.audit
    result = data(bundle if audit is None else replace(bundle, audit=words.worded(audit, groups=False)))
    if result is None or audit is None:
        return result
    unknown = {label for one in _tables(bundle) for label in one.unknown_labels}
    labels = {name: [cell.group for cell in audit.cells if cell.attribute == name] for name in plain(audit)}
    kept = {name: [x for x in some if x not in unknown] for name, some in labels.items()}
    left = [written(name, some) for name, items in labels.items() if (some := [x for x in items if x in unknown])]
    # of estimates this report has none but those of the law
    unprinted = LOOK_ALIKE, PERHAPS_MISSING, PERHAPS_SUMS, *ESTIMABLE
    notes = [note for note in audit.notes if not any(says(note, one) for one in unprinted)]
    notes += [*label_cautions(kept), *([LEFT_OUT.format(list_of=listed_messages(left, 4))] if left else [])]
    notes += [note for one in _tables(bundle) for note in one.notes]
    return result | {"cautions": [translated(note) for note in notes]}


def law_sensitivity(bundle: Bundle) -> None:
    """No differences from a reference group, which the law does not know."""


def law_methods(bundle: Bundle) -> dict[str, Any]:
    """The methods of the annex alone: nothing is tested, and no difference or other ratio is printed."""
    rows = [row for one in _tables(bundle) for row in one.estimates if row.conf_low == row.conf_low]
    rule = f"{METRICS['scoring impact ratio'].reference}."  # of its ratios, which are none of the federal guidelines
    return methods(bundle) | {
        "intervals": intervals(Estimates(rows)),
        "levels": None,
        "adjustment": [],
        "references": sorted({*words.sources([("", row.method) for row in rows], [], BONFERRONI), rule}),
    }


def law_outcomes(bundle: Bundle) -> None:
    """No second table of rates and ratios, whose reference is another one."""


def _tables(bundle: Bundle) -> tuple[ImpactTable, ...]:
    """The tables that the auditor brings, with exclusions, or those in which nobody is excluded."""
    if bundle.audit is None:
        raise InputError("preset", "needs an audit of decisions or scores; pass one.", value="ll144")
    tables = tuple(t for t in bundle.others if isinstance(t, ImpactTable)) or local_law_144(bundle.audit)
    attribute = bundle.audit.protocol.labels.attribute
    return tuple(replace(one, categories=one.in_order, crossed=tuple(map(attribute, one.columns))) for one in tables)


def _title_of(law: ImpactTable) -> str:
    """The title that the rule gives a table, by what its categories are."""
    if len(law.columns) > 1:
        return say("Intersectional categories")
    if law.kind == RACE:
        return say("Race/ethnicity categories")
    return say("Sex categories") if law.kind == SEX else say("Categories of {attribute}", attribute=law.attribute)


def _about(bundle: Bundle) -> list[tuple[str, str]]:
    """What the law has published beside the tables; what was not given is named."""
    present = law_notice(bundle)
    entries = {say(label): present.get(name, "") for name, label in FIELDS.items()} | {say("Auditor"): bundle.auditor}
    absent = [label for label, entry in entries.items() if not entry] + _further_tables(_tables(bundle))
    given = [(label, entry) for label, entry in entries.items() if entry]
    return [*given, (say("To be given before publication"), listed(absent, len(absent)))] if absent else given


def _further_tables(tables: Sequence[ImpactTable]) -> list[str]:
    """The tables that the law asks for beside these; categories of other names may be of a sex or a race."""
    kinds = {one.kind for one in tables if len(one.columns) == 1}
    every = {SEX: say("Table by sex"), RACE: say("Table by race/ethnicity")}
    lacking = [] if OTHER in kinds else [label for kind, label in every.items() if kind not in kinds]
    crossed = any(len(one.columns) > 1 for one in tables)
    return lacking if crossed else [*lacking, say("Table by sex and race/ethnicity together")]


STILL_IN = mark(
    "A category that was excluded by itself is still in the ratios of these combinations, each of which is excluded by "
    "its own name: {names}"
)


def _published(law: ImpactTable, excluded: frozenset[str] = frozenset()) -> Table:
    """Applicants, selections, rate and impact ratio; of two attributes the matrix of their categories.

    excluded: single categories that are excluded from tables of their own.
    """
    scoring = law.measure == "scoring rate"
    parts, notes = law.columns, list[str]()
    lines = [(*_headers(c.category, len(parts)), *_cells(c, _mark_of(c, notes, len(parts)))) for c in law.categories]
    if left := [c.category for c in law.categories if c.status == "ok" and excluded.intersection(split(c.category))]:
        notes.append(say(STILL_IN, names=listed([in_code(name) for name in left])))
    headings = [*(text(p) for p in parts)]
    place = next((k for k in range(len(parts)) if any(kind_and_place(line[k]) == HISPANIC for line in lines)), -1)
    if len(parts) == 2 and place >= 0:
        not_hispanic = mark(
            "By the rule every category of {attribute} but Hispanic or Latino is of people who are neither"
        )
        notes.append(say(not_hispanic, attribute=parts[place]))
    headings += [
        Heading(say("applicants")),
        Heading(say("above the median") if scoring else say("selected")),
        Heading(words.in_text("scoring rate" if scoring else "selection rate"), "%"),
        Heading(words.in_text("impact ratio")),
    ]
    return table(_caption(law), headings, lines, " ".join(map(ended, notes)), most=60)


def _caption(law: ImpactTable) -> str:
    highest = " × ".join(_headers(law.highest, len(law.columns)))
    rate = words.in_text("scoring rate" if law.measure == "scoring rate" else "selection rate")
    crossed = f" ({' × '.join(law.columns)})" if len(law.columns) > 1 else ""  # a single one its column names
    title = f"{_title_of(law)}{crossed}, {rate}"
    if highest:
        return say("{title}: impact ratios to {group}, the highest rate", title=title, group=highest)
    return say("{title}: rates and impact ratios", title=title)


def _headers(category: str, parts: int) -> tuple[str, ...]:
    """The categories of an intersection one by one; a colon within a label is written with a backslash."""
    result = [category] if parts == 1 else split(category)
    return tuple(result) if len(result) == parts else (category, *("" for _ in range(parts - 1)))


def _mark_of(c: Category, notes: list[str], parts: int) -> str:
    """What stands beside the ratio of a category with a note, "" where there is none; a new note is added to the notes.

    A mark says by itself what it is about: a table may end on another page than it begins.
    """
    if not c.reason:
        return ""
    if c.status == "ok":  # how small a category is its count says: one note for all of them
        mark, wording = say("under 2%"), say(UNDER)
    else:
        name = " × ".join(filter(None, _headers(c.category, parts)))
        mark, wording = say("excluded"), f"{name}: {translated(c.reason)}"
    if wording not in notes:
        notes.append(wording)
    return mark


def _cells(c: Category, mark: str) -> tuple[str, ...]:
    ratio = words.impact_ratio(c.impact_ratio) if c.status == "ok" else words.DASH
    marked = f"{ratio} ({mark})" if mark else ratio
    return words.count(c.n), words.count(c.selected), words.percent(c.rate), marked


def table_of(law: ImpactTable, noted: bool = True, whole: bool = False) -> Table:
    """The rates and ratios of one attribute with our intervals; the first table says what they are.

    whole: the table stands by itself: with people and selections, and with what the report says beside its tables.
    """
    scoring = law.measure == "scoring rate"
    people = [Heading(say("people")), Heading(say("above the median") if scoring else say("selected"))]
    headings = [
        text(say("category")),
        *(people if whole else ()),
        Heading(words.in_text("scoring rate" if scoring else "selection rate"), "%"),
        Heading(say("{level} interval", level=level(0.95)) if law.conf_level == 0.95 else say("interval"), "%"),
        Heading(words.in_text("impact ratio")),
        Heading(say("{level} interval", level=level(0.95)) if law.conf_level == 0.95 else say("interval")),
    ]
    rows = [
        [
            _category(law, c),
            *((words.count(c.n), words.count(c.selected)) if whole else ()),
            words.percent(c.rate),
            words.span(c.conf_low, c.conf_high, words.percent),
            words.impact_ratio(c.impact_ratio) if c.status == "ok" else words.DASH,
            words.ratio_span(c.ratio_low, c.ratio_high) if c.status == "ok" else words.DASH,
        ]
        for c in (law.in_order if whole else law.categories)
    ]
    note = say(
        "The intervals are not asked for by the law. Those of rates are Wilson intervals. Those of ratios hold "
        "together, whichever category truly has the highest rate: the one with 1.00 in these data has an interval, "
        "too. None goes beyond 1."
    )
    if whole:
        reasons = [f"{_category(law, c)}: {ended(translated(c.reason))}" for c in law.in_order if c.reason]
        single = {law.attribute: [c.category for c in law.categories]} if len(law.columns) == 1 else {}
        cautions = map(translated, [*label_cautions(single), *law.notes])
        caption = say("{title}: rates and impact ratios", title=" × ".join(law.columns))
        return table(caption, headings, rows, (*reasons, _left_out(law), *cautions, note), 60)
    rate = words.in_text("scoring rate" if scoring else "selection rate")
    values = {"attribute": " × ".join(law.columns), "rate": rate}
    caption = say("{attribute}, {rate}: intervals of rates and impact ratios", **values)
    return table(caption, headings, rows, note if noted else "", 60)


def _category(law: ImpactTable, c: Category) -> str:
    """A category in one cell, of an intersection its parts."""
    return " × ".join(filter(None, _headers(c.category, len(law.columns))))
