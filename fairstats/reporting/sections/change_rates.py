"""The table of a change: a line a group, its rate before and after, its distance from the reference, and the change."""

from __future__ import annotations

import math
from dataclasses import replace

from fairstats.auditing.change import AFTER, BEFORE, CHANGE, Change
from fairstats.auditing.change_said import gaps_of
from fairstats.auditing.words.phrases import share_of, short_name
from fairstats.estimates import Estimate
from fairstats.inference.multiplicity import rejected
from fairstats.language import say
from fairstats.reporting import numbers as words
from fairstats.reporting.sections.page_one_parts import unrounded
from fairstats.reporting.tables import Heading, Table, level_of, table, text
from fairstats.text import level_number, listed, signed

MOST_LINES, MOST_GROUPS = 8, 12  # of a table; of one whose only rate has more groups
HEADLINE = "selection rate"  # its comparisons stand before those of other rates


def attributes(result: Change) -> str:
    """What the groups are of, by name."""
    every = dict.fromkeys(row.attribute for row in ordered(result))
    return listed([result.protocol.words.attribute(name) for name in every])


def called(result: Change, row: Estimate) -> tuple[str, str]:
    """The names of the two groups of a line; with the attribute's where there are several."""
    protocol, own = result.protocol, (row.group, row.reference)
    if len({r.attribute for r in result.estimates}) > 1:
        one, other = (f"{protocol.words.attribute(row.attribute)} = {name(result, row, g)}" for g in own)
    else:
        one, other = (name(result, row, g) for g in own)
    return one, other


def name(result: Change, row: Estimate, group: str) -> str:
    """A group of a line by name."""
    return short_name(result.protocol, row.attribute, group)


def ordered(result: Change) -> list[Estimate]:
    """The changes: those that are shown first, then those of the rates that audits are about."""
    rows = list(result.estimates.only(estimator=CHANGE))
    place = {id(row): i for i, row in enumerate(rows)}
    return sorted(rows, key=lambda r: (not changed(result, r), r.metric != HEADLINE, place[id(r)]))


def changed(result: Change, row: Estimate) -> bool:
    """Whether a change is shown."""
    return row.status == "ok" and rejected(row.p_adjusted, result.conf_level)


def defined(result: Change, metric: str) -> str:
    """What a rate is a share of, as a sentence."""
    return say("{rate}: {meaning}.", rate=words.heading(metric), meaning=share_of(result.protocol, metric))


def points(row: Estimate | None) -> str:
    """A share or a difference in per cent, a dash where there is none."""
    return words.percent(row.estimate) if row is not None and words.shown(row) else words.DASH


def rates(result: Change) -> Table:
    """A line a group, the reference first: both rates, their differences from the reference's, and the change."""
    rows = ordered(result)
    headings = [text(say("rate")), text(say("group"))]
    headings += [Heading(say("people before")), Heading(say("rate before"), "%")]
    headings += [Heading(say("people after")), Heading(say("rate after"), "%")]
    headings += [Heading(say("difference before"), say("points")), Heading(say("difference after"), say("points"))]
    headings += [Heading(say("change"), say("points")), Heading(level_of(rows)), text(say("change shown"))]
    blocks = [_block(result, rows, *about) for about in dict.fromkeys((row.metric, row.attribute) for row in rows)]
    lines, total = list(blocks[0]), sum(map(len, blocks))
    for block in blocks[1:]:  # those that are shown are whole
        if len(lines) + len(block) > MOST_LINES:
            break
        lines += block
    metrics = list(dict.fromkeys(metric for metric, *_ in lines))
    caption = say("Rates of the groups before and after, and the change of their differences")
    cells = [[words.heading(metric), *line] for metric, *line in lines]
    if len(metrics) == 1:  # which then stands over the table
        caption = f"{words.heading(metrics[0])}. {caption}"
        headings, cells = headings[1:], [line[1:] for line in cells]
    made = table(caption, headings, cells, _note(result, rows, metrics), max(MOST_LINES, MOST_GROUPS))
    return replace(made, total=total)


def _block(result: Change, rows: list[Estimate], metric: str, attribute: str) -> list[list[str]]:
    """The lines of one rate and attribute, each with its metric: the reference, then every other group."""
    shares = result.estimates.only(metric=metric, attribute=attribute, contrast="none")
    known = {(r.group, r.estimator): r for r in shares}
    own = [row for row in rows if (row.metric, row.attribute) == (metric, attribute)]
    first = say("{group} (the reference)", group=called(result, own[0])[1])
    named = [(first, own[0].reference, None), *((called(result, row)[0], row.group, row) for row in own)]
    lines = []
    for said, group, row in named:
        line = [metric, said]
        for when in (BEFORE, AFTER):
            rate = known.get((group, when))
            line += [words.DASH if rate is None else words.count(rate.n), points(rate)]
        lines.append(line + ([words.DASH] * 5 if row is None else _compared(result, row)))
    return lines


def _compared(result: Change, row: Estimate) -> list[str]:
    """Both differences, the change with its interval, and whether it is shown."""
    gaps = [points(gap) for gap in gaps_of(result.estimates, row)]
    if not words.shown(row):
        return [*gaps, words.DASH, words.DASH, words.DASH]
    shown = say("yes") if changed(result, row) else say("no")
    return [*gaps, signed(100 * row.estimate), words.interval(row), shown]


def _unrounded(result: Change, known: list[Estimate]) -> str:
    """That differences of rates, and of differences, are taken before rounding, where a reader could see it."""
    shares = {(r.metric, r.attribute, r.group, r.estimator): r.estimate for r in result.estimates.only(contrast="none")}
    printed = []
    for row in known:
        gaps = gaps_of(result.estimates, row)
        before, after = (math.nan if gap is None else gap.estimate for gap in gaps)
        printed.append((after, before, row.estimate))
        for when, gap in ((BEFORE, before), (AFTER, after)):
            own, base = (shares.get((row.metric, row.attribute, g, when), math.nan) for g in (row.group, row.reference))
            printed.append((own, base, gap))
    return unrounded(printed)


def _note(result: Change, rows: list[Estimate], metrics: list[str]) -> str:
    """What people, differences and changes are, which changes are shown, and every rate beyond the first."""
    known = [row for row in rows if words.shown(row)]
    said = [
        say(
            "People: those that the rate is a share of. Difference: the rate of the group less that of the reference, "
            "in percentage points; below 0 the group has the lower rate. Change: the later difference less the earlier "
            "one."
        )
    ]
    if known:
        share = level_number(1 - result.conf_level)
        said.append(
            say(
                "A change is shown where chance alone would bring one so large in {share} % of such pairs of audits or "
                "fewer, all {n} comparisons allowed for.",
                share=share,
                n=words.count(len(known)),
            )
            if max(row.conf_level for row in known) > result.conf_level
            else say(
                "A change is shown where chance alone would bring one so large in {share} % of such pairs of audits or "
                "fewer.",
                share=share,
            )
        )
    said.append(_unrounded(result, known))
    if len(metrics) > 1:
        said += [defined(result, metric) for metric in metrics]
    return " ".join(filter(None, said))
