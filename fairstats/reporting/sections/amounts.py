"""Amounts in an audit report: the quarters of everybody's amounts, and every stratum with its gap."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable

from fairstats.auditing.amounts import WEIGHTS_WITHIN
from fairstats.auditing.answer import ALIKE, answered_within
from fairstats.auditing.result import Audit
from fairstats.auditing.sentences import strata_name, word_of_stratum
from fairstats.document import Heading, Table
from fairstats.estimates import Estimate, Estimates
from fairstats.language import DataText, mark, say, translated
from fairstats.metrics import GAPS_OF_AMOUNTS
from fairstats.reporting import words
from fairstats.reporting.figures.rates import forest_plot, shares
from fairstats.reporting.figures.style import Drawing
from fairstats.reporting.sections.shared import CRUDE_NOTE, by_size, sized
from fairstats.reporting.tables import (
    INTERVAL,
    MOST_ROWS,
    OF_AMOUNTS,
    QUANTITY,
    Column,
    adjusted,
    adjusted_note,
    apart,
    equality_note,
    estimate_or_dash,
    estimates_table,
    groups_table,
    level_of,
    quantity,
    sums_note,
    text,
    with_error,
    with_rows,
    without_quotes,
)
from fairstats.text import compact, level, level_number, listed, percent, span

QUARTERS = (mark("lowest"), mark("second"), mark("third"), mark("highest"))
WORDS = {
    "beyond": mark("beyond the margin"),
    "within": mark("within the margin"),
    "not settled": mark("not settled"),
}
GAPS = ("gap of means within strata", "gap of means", "gap of medians")  # what answers first
MOST_DRAWN = 30  # strata of a figure; the table has the others


def amounts_called(audit: Audit, metric: str) -> str:
    """What a caption calls the means or medians of the column of amounts."""
    return say(OF_AMOUNTS[metric][1], column=audit.protocol.called(audit.protocol.argument("amount")))


def differences_without_gap(audit: Audit, attribute: str, metric: str) -> Estimates:
    """The differences of means or medians in their unit, where there is no gap in per cent."""
    rows = audit.estimates.only(attribute=attribute, role="main", term="")
    moved = rows.only(metric=metric, contrast="difference", given="", estimator="")
    gaps = rows.only(metric=tuple(GAPS_OF_AMOUNTS), contrast="none")
    return moved if any(map(words.shown, moved)) and not any(map(words.shown, gaps)) else Estimates()


def means_table(
    audit: Audit,
    attribute: str,
    name: str,
    metric: str = "mean amount",
    most: int = MOST_ROWS,
    unweighted: bool = False,
) -> Table | None:
    """The means of amounts, or their medians; beside them `differences_without_gap`.

    unweighted: whether the rows behind sums of weights have a column.
    """
    about = {"attribute": attribute, "role": "main", "given": "", "term": "", "estimator": ""}
    means, compared = (
        sized(rows, by_size(audit, attribute))
        for rows in (
            audit.estimates.only(metric=metric, contrast="none", **about),
            differences_without_gap(audit, attribute, metric),
        )
    )
    if not means:
        return None
    protocol, references = audit.protocol, tuple(dict.fromkeys(compared.column("reference")))
    caption = say("{rate} by {name}", rate=amounts_called(audit, metric), name=name)
    if compared:
        of = mark("{rate} by {name}; difference from {reference}")
        caption = say(of, rate=amounts_called(audit, metric), name=name, reference=listed(list(references)))
    columns = with_error(quantity(metric, protocol.unit), means)
    blocks = [
        (means, with_rows(columns, means) if unweighted else columns),
        (compared, (*with_error(apart(metric, protocol.unit), compared), *adjusted())),
    ]
    groups, level = list(dict.fromkeys(row.group for row in (*means, *compared))), protocol.conf_level
    note = adjusted_note(compared, protocol)
    if protocol.weight_type == "probability":
        note = " ".join(filter(None, (sums_note(means if unweighted else Estimates()), note)))
    return groups_table(caption, groups, blocks, note, reference=references, most=most, conf_level=level)


def amount_tables(audit: Audit, attribute: str, name: str) -> list[Table]:
    """The tables of an attribute below those of its means and medians."""
    makers = _geometric_means, _quantiles, _alike, _quarters, _by_stratum
    return [table for make in makers if (table := make(audit, attribute, name))]


def _geometric_means(audit: Audit, attribute: str, name: str) -> Table | None:
    """The geometric mean of each group, and its ratio to that of the reference in per cent."""
    rows = audit.estimates.where(metric="geometric mean", attribute=attribute, role="main")
    levels, ratios = rows.where(contrast="none"), rows.where(contrast="ratio")
    if not any(map(words.shown, levels)):
        return None
    conf_level, reference = audit.protocol.conf_level, audit.references[attribute]
    ratio: tuple[Column, ...] = (
        (Heading(mark("ratio"), "%"), lambda row: percent(row.estimate) if words.shown(row) else words.DASH),
        (Heading(INTERVAL), lambda row: span(row.conf_low, row.conf_high, percent)),
    )
    caption = say("Geometric mean by {name}, compared with {reference}", name=name, reference=reference)
    note = say("Ratio: in % of the geometric mean of {reference}; 100% is no gap.", reference=reference)
    note = " ".join(filter(None, (note, adjusted_note(ratios, audit.protocol))))
    blocks = [(levels, QUANTITY), (ratios, ratio), (ratios, adjusted())]
    return groups_table(caption, levels.column("group"), blocks, note, reference=reference, conf_level=conf_level)


def _quantiles(audit: Audit, attribute: str, name: str) -> Table | None:
    """The quantiles that were asked for, of every group, and their differences from those of the reference."""
    rows = audit.estimates.where(metric="amount quantile", attribute=attribute, role="main")
    levels = rows.where(contrast="none")
    if not levels:
        return None
    apart = {(row.group, row.term): row for row in rows.where(contrast="difference")}
    conf_level, reference = audit.protocol.conf_level, audit.references[attribute]

    def beside(get: Callable[[Estimate], str]) -> Callable[[Estimate], str]:
        return lambda row: get(apart[row.group, row.term]) if (row.group, row.term) in apart else words.DASH

    def verdict(row: Estimate) -> str:
        return say("reference") if row.group == reference else beside(words.verdict)(row)

    columns: tuple[Column, ...] = (
        (text(mark("quantile")), lambda row: row.term),
        (text(mark("group")), lambda row: row.group),
        (Heading(mark("estimate"), DataText(audit.protocol.unit)), estimate_or_dash),
        (Heading(INTERVAL), words.interval),
        (Heading(mark("difference")), beside(estimate_or_dash)),
        (Heading(level_of(list(apart.values()), conf_level)), beside(words.interval)),
        (text(mark("verdict")), verdict),
    )
    ordered = sorted(levels, key=lambda row: float(row.term.rstrip("%")))
    caption = say("Quantiles of the amounts by {name}, compared with {reference}", name=name, reference=reference)
    note = say("A quantile is the amount that the named share of a group does not exceed.")
    note = " ".join(filter(None, (note, adjusted_note(apart.values(), audit.protocol))))
    return estimates_table(caption, Estimates(ordered), columns, note)


def crude_gaps(audit: Audit, attribute: str, rows: Iterable[Estimate]) -> set[Estimate]:
    """The gaps in whose place those within declared strata answer."""
    return {row for row in rows if not row.given} if answered_within(audit, attribute, "gap of means") else set()


OF_BOTH = Heading(mark("people of both groups"))


def people_of_both(audit: Audit) -> Callable[[Estimate], str]:
    """What counts the people of both groups of a gap: a row of what is held fixed has both, a crude one its group."""
    means = audit.estimates.only(metric="mean amount", contrast="none", role="main", term="", given="")
    people = {(row.attribute, row.group): row.n for row in means}

    def both(row: Estimate) -> str:
        return words.count(row.n if row.given else row.n + people.get((row.attribute, row.reference), math.nan))

    return both


def gap_called(audit: Audit, row: Estimate, crude: bool) -> str:
    """What a table of gaps calls one of them: what it holds fixed, or that it is crude."""
    name = words.heading(row.metric)
    if row.given and row.given == audit.protocol.strata:
        return say("{rate} within {strata}", rate=words.heading("gap of means"), strata=strata_name(audit))
    if row.given:
        return say("{gap}, given {given}", gap=name, given=without_quotes(row.given))
    return say("{rate}, crude", rate=name) if crude else name


def decided(crude: Collection[Estimate]) -> tuple[Column, ...]:
    """Columns of p and verdict, which crude gaps do not have."""
    p, (head, verdict) = adjusted()
    bare = words.short_status, lambda row: words.DASH if row in crude else verdict(row)
    return (p, (head, lambda row: bare[words.shown(row)](row)))


def gaps_table(audit: Audit, attribute: str, name: str) -> Table | None:
    """All gaps of two groups; None of more groups, whose gaps have a table each."""
    about = {"attribute": attribute, "role": "main", "contrast": "none", "term": ""}
    every = [row for metric in GAPS for row in audit.estimates.only(metric=metric, **about)]
    if len(every) < 2 or len({row.group for row in every}) > 1:
        return None
    crude = crude_gaps(audit, attribute, every)

    def called(row: Estimate) -> str:
        return gap_called(audit, row, row in crude)

    columns: tuple[Column, ...] = (
        (text(mark("gap")), called),
        (text(mark("group")), lambda row: row.group),
        (Heading(mark("estimate")), estimate_or_dash),
        (Heading(INTERVAL), words.interval),
        *decided(crude),
    )
    caption = say("Gaps by {name}, compared with {reference}", name=name, reference=every[0].reference)
    missing = [row for row in every if not words.shown(row)]
    notes = [say("{group}: {why}.", group=called(row), why=words.status(row)) for row in missing]
    unadjusted = say(CRUDE_NOTE, strata=strata_name(audit)) if crude else ""
    note = " ".join(filter(None, (*notes, adjusted_note(every, audit.protocol), equality_note(every), unadjusted)))
    return estimates_table(
        caption, Estimates(every), columns, note, methods=False, conf_level=audit.protocol.conf_level
    )


def _alike(audit: Audit, attribute: str, name: str) -> Table | None:
    """The gaps adjusted for covariates beside the crude ones, and what else a regression says."""
    rows = audit.estimates.where(metric=ALIKE, attribute=attribute, role="main")
    if not rows:
        return None
    about = {"attribute": attribute, "reference": rows[0].reference}
    crude, moved, plain = (
        {row.group: row for row in audit.estimates.only(metric=metric, role=role, **about) if not row.term}
        for metric, role in (("gap of means", "main"), ("adjusted gap", "main"), ("group coefficient", "sensitivity"))
    )
    unit = DataText(audit.protocol.unit)
    columns: tuple[Column, ...] = (
        (text(mark("group")), lambda row: row.group),
        (Heading(mark("people")), lambda row: words.count(row.n)),
        (Heading(mark("crude gap"), "%"), lambda row: words.estimate(crude[row.group])),
        (Heading(mark("adjusted gap"), "%"), estimate_or_dash),
        (Heading(INTERVAL), words.interval),
        (text(mark("verdict")), lambda row: words.verdict(row) if words.shown(row) else words.status(row)),
        (Heading(mark("adjusted gap"), unit), lambda row: estimate_or_dash(moved[row.group])),
        (Heading(mark("coefficient of the group"), unit), lambda row: _with_ends(plain[row.group])),
    )
    values = {"name": name, "given": without_quotes(rows[0].given), "reference": rows[0].reference}
    caption = say("Gap of means by {name}, compared with {reference}, as it is and adjusted for {given}", **values)
    note = say(
        "Adjusted: the gap that there would be, had both groups the covariates of everybody. What may itself be a "
        "result of the treatment under audit, such as a grade, hides a part of the gap. People: of both groups, whose "
        "covariates are known."
    )
    given = {row.group: translated(row.reason) for row in rows if row.reason and row.status == "ok"}
    conf_level = audit.protocol.conf_level
    alone = [row for row in plain.values() if row.status == "ok"]
    if (many := adjusted_note(rows, audit.protocol)) and alone:
        many += " " + say("Those of coefficients are at {level} by themselves.", level=level(alone[0].conf_level))
    whys = [say("{group}: {why}.", group=group, why=why) for group, why in given.items()]
    return estimates_table(caption, rows, columns, " ".join(filter(None, [note, many, *whys])), conf_level=conf_level)


def _with_ends(row: Estimate) -> str:
    return f"{words.estimate(row)} ({words.interval(row)})" if row.status == "ok" else words.DASH


def _quarters(audit: Audit, attribute: str, _: str) -> Table | None:
    rows = audit.estimates.where(metric="share in quarter", attribute=attribute, contrast="none")
    if not rows:
        return None
    apart = audit.estimates.where(metric="share in quarter", attribute=attribute, contrast="difference")
    gaps = {(row.group, row.term): row for row in apart}

    def gap(row: Estimate) -> str:
        other = gaps.get((row.group, row.term))
        if other is None:
            return say("reference") if row.group == audit.references[attribute] else ""
        return words.estimate(other)

    def limits(row: Estimate) -> str:
        other = gaps.get((row.group, row.term))
        return "" if other is None else words.interval(other)

    columns: tuple[Column, ...] = (
        (text(mark("quarter")), lambda row: say(QUARTERS[int(row.term) - 1])),
        (text(mark("group")), lambda row: row.group),
        (Heading(mark("share"), "%"), words.estimate),
        (Heading(INTERVAL), words.interval),
        (Heading(mark("difference"), mark("points")), gap),
        (Heading(level_of(list(apart), audit.protocol.conf_level)), limits),
    )
    name = audit.protocol.of_groups(attribute)
    caption = say("Shares of each group of {name} in the quarters of all amounts", name=name)
    note = say("Each quarter holds 25% of all people; those tied at a cut are split in proportion.")
    return estimates_table(caption, rows, columns, note, methods=False)


def _gaps(audit: Audit, attribute: str) -> Estimates:
    rows = audit.estimates.where(metric="gap of means", attribute=attribute, role="supplementary")
    return Estimates(sorted((row for row in rows if row.given), key=lambda row: row.term))


def _by_stratum(audit: Audit, attribute: str, name: str) -> Table | None:
    rows = _gaps(audit, attribute)
    if not rows:
        return None
    means = audit.estimates.where(metric="mean amount", attribute=attribute, role="supplementary")
    of = {(row.term, row.group): row for row in means}
    margin = audit.protocol.margin.gap

    def mean(row: Estimate, group: str) -> str:
        found = of.get((row.term, group))
        return words.DASH if found is None or found.status != "ok" else compact(found.estimate)

    columns: list[Column] = [
        (text(strata_name(audit)), lambda row: row.term),
        (text(mark("group")), lambda row: row.group),
        (Heading(mark("people")), lambda row: words.count(row.n)),
        (Heading(mark("mean")), lambda row: mean(row, row.group)),
        (Heading(mark("mean of the reference")), lambda row: mean(row, row.reference)),
        (Heading(mark("gap"), "%"), lambda row: percent(row.estimate) if words.shown(row) else words.DASH),
        (Heading(INTERVAL), words.interval),
    ]
    note = say("Every stratum by itself: intervals are not adjusted for how many strata there are.")
    note = f"{note} {say(WEIGHTS_WITHIN)}"
    why = list(dict.fromkeys(words.status(row) for row in rows if row.status != "ok"))
    note = f"{note} {words.DASH}: {'; '.join(why)}." if why else note
    if margin is not None:
        values = {"margin": level_number(margin)}
        columns += [
            (text(say("observed {margin}% or more", **values)), lambda row: _observed(row, margin)),
            (text(mark("beyond or within")), lambda row: _word(row, margin)),
        ]
    caption = say("Gap of means by {name} in every stratum of {strata}", name=name, strata=strata_name(audit))
    return estimates_table(caption, rows, columns, note, methods=False)


def _observed(row: Estimate, margin: float) -> str:
    if row.estimate != row.estimate:
        return ""
    return say("yes") if abs(row.estimate) >= margin else say("no")


def _word(row: Estimate, margin: float) -> str:
    """What the interval of one stratum shows; of one without a gap, that."""
    if row.status != "ok":
        return words.short_status(row)
    return say(WORDS[word_of_stratum(row, margin)])


def gaps_figure(audit: Audit, attribute: str, name: str) -> Drawing | None:
    """The gaps of all strata of a comparison of two groups, in the order of the table; of many the largest."""
    rows = [row for row in _gaps(audit, attribute) if row.conf_low == row.conf_low]
    if len(rows) < 2 or len({row.group for row in rows}) > 1:
        return None
    largest = sorted(rows, key=lambda row: -row.estimate)[:MOST_DRAWN]
    drawn = [row for row in rows if row in largest]
    values = {"group": rows[0].group, "reference": rows[0].reference, "k": sum(row.conf_low > 0 for row in rows)}
    return forest_plot(
        name,
        drawn,
        caption=say(
            "In {k} of {n} strata the mean of {group} is below that of {reference} beyond chance, each looked at by "
            "itself.",
            n=len(rows),
            **values,
        ),
        margin=audit.protocol.margin.gap,
        labels=[say("{column} {label}", column=strata_name(audit), label=row.term) for row in drawn],
        axis=say("gap of means, % of the mean of {reference}", reference=rows[0].reference),
    )


def in_quarters(audit: Audit, attribute: str) -> list[Estimate]:
    """The shares of the groups in each quarter of all amounts; none where they are too many for a figure."""
    every = audit.estimates.where(metric="share in quarter", attribute=attribute, contrast="none")
    rows = [row for row in every if words.shown(row)]
    return rows if len(rows) <= MOST_DRAWN and any(row.term == "1" for row in rows) else []


def quarters_figure(audit: Audit, attribute: str, name: str) -> Drawing | None:
    """How every group is distributed over the quarters of everybody's amounts."""
    rows = in_quarters(audit, attribute)
    if not rows:
        return None
    lowest = max((row for row in rows if row.term == "1"), key=lambda row: row.estimate)
    labels = [
        say("{quarter} quarter: {group}", quarter=say(QUARTERS[int(row.term) - 1]), group=row.group) for row in rows
    ]
    return shares(
        name,
        rows,
        labels,
        caption=say(
            "{share}% of {group} are in the lowest quarter of all amounts, the largest share of any group.",
            share=percent(lowest.estimate),
            group=lowest.group,
        ),
        axis=say("share of the group in the quarter, %"),
    )
