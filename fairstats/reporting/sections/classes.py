"""Several classes in an audit report: the shares of all classes by group, as a table and as a picture."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from fairstats.auditing.answer import FEW, OVERTURNED, Answer, declared, undone
from fairstats.auditing.classes import AT_ONCE, CUMULATIVE, IN_ORDER, PPV, SHARE, TPR
from fairstats.auditing.result import Audit
from fairstats.auditing.sentences import (
    by_size,
    chi_square,
    few_counted,
    short_name,
    spoken_of,
    strata_name,
)
from fairstats.document import Forest, ForestCell, Heading, Table
from fairstats.estimates import SHOWN, Estimate
from fairstats.inference.verdicts import decisive_interval, decisive_level
from fairstats.language import mark, say, translated
from fairstats.reporting import words
from fairstats.reporting.figures.rates import rate_mark, shares
from fairstats.reporting.figures.style import Drawing
from fairstats.reporting.sections.scorecard import DOT, level_lines, status
from fairstats.reporting.sections.shared import attribute_name
from fairstats.reporting.tables import interval_below, level_of, table, text
from fairstats.text import capital, listed, percent

MOST_LINES = 30  # of a picture; the tables have the others
MARKS = {1: " ↑", 0: "", -1: " ↓"}


def class_pages(audit: Audit, result: tuple[Answer, ...]) -> tuple[list[Table], list[Drawing]]:
    """Page one of several classes: a table for each declared attribute, and a picture where there is one attribute.

    They are on a later page where every class and group has a line on page one, see `class_card`.
    """
    named = words.worded(audit)
    attributes = dict(zip(declared(audit), declared(named), strict=True))
    tables = [class_table(named, attributes[one.attribute], one.term) for one in result]
    drawn = None if len(tables) > 1 else class_picture(named, attributes[result[0].attribute], "page-one-classes")
    return tables, [] if drawn is None else [drawn]


NAMES = {TPR: "TPR", PPV: "PPV"}
MOST_CARD = 34  # lines of the table of classes by group, headings of classes included; of more each group has one line
AXIS = (0.0, 0.5, 1.0)  # ticks of shares


def class_card(audit: Audit, result: tuple[Answer, ...]) -> Forest | None:
    """A line a class and group: people, share, a mark, and the gap with its interval; None where they are too many."""
    p, answers = audit.protocol, spoken_of(result)
    lines = sum(len(p.classes) * (1 + len(by_size(audit, one.attribute))) for one in answers)
    if lines > MOST_CARD or p.strata or len(answers) < len(result):  # strata have gaps of their own
        return None
    rows: list[tuple[ForestCell, ...]] = []
    of_errors = () if p.margin.difference is not None else (TPR, PPV)  # which has the room for its findings
    beside = [metric for metric in of_errors if audit.estimates.only(metric=metric, contrast="none")]
    every, overturned = list[Estimate](), list[Estimate]()
    for one in answers:
        about = {"metric": SHARE, "attribute": one.attribute, "role": "main"}
        rates = {(r.term, r.group): r for r in audit.estimates.only(**about, contrast="none")}
        gaps = {(r.term, r.group): r for r in audit.estimates.only(**about, contrast="difference")}
        every += gaps.values()
        overturned += [gap for gap in gaps.values() if undone(audit, gap) is not None]
        errors = [_errors(audit, one.attribute, metric) for metric in beside]
        reference = audit.references[one.attribute]
        groups = sorted(by_size(audit, one.attribute), key=lambda group: group != reference)
        for label in p.classes:
            name = say("{name}: {label}", name=capital(p.called(one.attribute)), label=label)
            rows.append((ForestCell(name),))
            for group in groups:
                row, gap = rates[label, group], gaps.get((label, group))
                called = short_name(p, one.attribute, group)
                called = say("{group} (reference)", group=called) if group == reference else called
                drawn = None
                if words.shown(row):
                    base = rates[label, reference]
                    middle = base.estimate if words.shown(base) else None
                    filled = gap is not None and gap.verdict in SHOWN
                    square, key = group == reference, f"card-{len(rows)}"
                    drawn = rate_mark(key, row.estimate, middle, AXIS, filled=filled, square=square)
                few = min(row.n, rates[label, reference].n) < FEW
                cells = [ForestCell(called), ForestCell(words.count(row.n) if row.n == row.n else words.DASH)]
                cells += [ForestCell(_rate(row)), ForestCell("", mark=drawn), _apart(gap, few, gap in overturned)]
                if p.margin.difference is not None:
                    cells.append(ForestCell("" if gap is None else status(gap, p.margin.difference)))
                cells += [ForestCell(error.get((label, group), words.DASH)) for error in errors]
                rows.append(tuple(cells))
    if not any(cell.mark for row in rows for cell in row):
        return None
    headings = [text(say("Group")), Heading(say("people"), kind="number people wide")]
    headings += [Heading(say("share"), "%", "number rate wide"), Heading("0\N{EN SPACE}50\N{EN SPACE}100%", "", "mark")]
    headings += [Heading(say("gap"), say("points"), "number gap wide")]
    if p.margin.difference is not None:
        headings.append(text(say("finding")))
    headings += [Heading(NAMES[metric], "%", "number rate") for metric in beside]
    note = [say("Filled dot: differs from the reference (square, line) beyond chance; open: no difference is shown.")]
    note += [*_could_overturn(overturned), *level_lines(p, every)]
    if beside:
        of = mark(
            "TPR: of those whose {outcome} is the class, how many were given it; PPV: the reverse; ●: beyond chance."
        )
        note.append(say(of, outcome=p.outcome))
    return Forest(tuple(headings), tuple(rows), " ".join(note))


def _could_overturn(gaps: Sequence[Estimate]) -> list[str]:
    sign = mark("{sign} Among those who are known; those who are missing could overturn it.")
    return [say(sign, sign=OVERTURNED)] if gaps else []


def _errors(audit: Audit, attribute: str, metric: str) -> dict[tuple[str, str], str]:
    """An error of every class and group in per cent, with a dot where it is shown to differ from the reference."""
    about = {"metric": metric, "attribute": attribute, "role": "main"}
    apart = {(r.term, r.group) for r in audit.estimates.only(**about, contrast="difference") if r.verdict in SHOWN}
    rates = [row for row in audit.estimates.only(**about, contrast="none") if words.shown(row)]
    return {(r.term, r.group): f"{DOT} {_rate(r)}" if (r.term, r.group) in apart else _rate(r) for r in rates}


def _rate(row: Estimate) -> str:
    if not words.shown(row):
        return words.status(row)
    if few_counted(row):
        return say("{k} of {n}", k=words.count(row.events), n=words.count(row.n))
    return percent(row.estimate, 0 if row.n < FEW else 1)


def _apart(gap: Estimate | None, few: bool, overturned: bool) -> ForestCell:
    """A gap with its sign, below it its interval."""
    if gap is None or not words.shown(gap):
        return ForestCell(words.DASH)
    show = partial(percent, digits=0 if few else 1)
    value = f"{'+' * (gap.estimate > 0)}{show(gap.estimate)}{f' {OVERTURNED}' * overturned}"
    if gap.conf_low != gap.conf_low:
        return ForestCell(value, f"({words.p_value(gap.p_adjusted)})")
    return ForestCell(value, f"({words.span(*decisive_interval(gap), show)})")


def class_table(audit: Audit, attribute: str, farthest: str) -> Table:
    """A line a group: the share of every class, which says where a difference is shown, and the gap of the farthest."""
    about = {"metric": SHARE, "attribute": attribute, "role": "main"}
    rates = {(r.term, r.group): r for r in audit.estimates.only(**about, contrast="none")}
    gaps = {(r.term, r.group): r for r in audit.estimates.only(**about, contrast="difference")}
    order, classes, reference = by_size(audit, attribute), audit.protocol.classes, audit.references[attribute]
    level, drawn = audit.protocol.conf_level, [row for (label, _), row in gaps.items() if label == farthest]
    interval = interval_below(drawn)
    overturned = [gap for gap in gaps.values() if undone(audit, gap) is not None]

    def cell(label: str, group: str) -> str:
        row, gap = rates[label, group], gaps.get((label, group))
        if not words.shown(row):
            return words.status(row)
        share = percent(row.estimate, 0 if row.n < FEW else 1)
        if gap is not None and gap.verdict == "equivalence shown":
            return f"{share} ={f' {OVERTURNED}' * (gap in overturned)}"
        sign = f" {OVERTURNED}" * (gap in overturned)
        return share + MARKS[0 if gap is None or gap.verdict not in SHOWN else 1 if gap.estimate > 0 else -1] + sign

    def line(group: str) -> list[str]:
        gap = gaps.get((farthest, group))
        if gap is None or not words.shown(gap):
            apart = [words.DASH] * 2
        else:
            few = min(rates[farthest, group].n, rates[farthest, reference].n) < FEW
            show = partial(percent, digits=0 if few else 1)
            apart = [show(gap.estimate), interval(gap, show)]
        return [group, words.count(rates[classes[0], group].n), *(cell(label, group) for label in classes), *apart]

    name = attribute_name(attribute, audit)
    headings = [text(name), Heading(say("people")), *(Heading(label, "%") for label in classes)]
    headings += [Heading(say("gap in {label}", label=farthest), say("points"))]
    headings += [Heading(level_of(drawn, level))]
    note = say("↑ and ↓: shown to be above, or below, {reference}; elsewhere no difference is shown.",
               reference=reference)  # fmt: skip
    equal = [gap for gap in gaps.values() if gap.verdict == "equivalence shown"]
    if equal:
        note = say("↑ and ↓: shown to be above, or below, {reference}; =: shown to be within the margin of it, by an "
                   "interval of {levels} by itself; elsewhere neither is shown.",
                   reference=reference, levels=listed(sorted(set(map(decisive_level, equal)))))  # fmt: skip
    note = " ".join([note, *_could_overturn(overturned)])
    caption = say("Classes of {column} by {name}", column=audit.protocol.decision or audit.protocol.outcome, name=name)
    return table(caption, headings, map(line, order), note)


def class_picture(audit: Audit, attribute: str, name: str, metric: str = SHARE) -> Drawing | None:
    """The share of every class in every group, class by class; or another rate of each class."""
    order = by_size(audit, attribute)
    rows = sorted(
        audit.estimates.only(metric=metric, attribute=attribute, contrast="none", role="main"),
        key=lambda row: (audit.protocol.classes.index(row.term), order.index(row.group)),
    )[:MOST_LINES]
    if not any(map(words.shown, rows)):
        return None
    column = audit.protocol.decision or audit.protocol.outcome
    axis = say("share of the group with this class of {column}, %", column=column)
    return shares(
        name,
        rows,
        [say("{label}: {group}", label=up_to(audit, row), group=row.group) for row in rows],
        caption=class_caption(audit, attribute, metric),
        axis=axis if metric == SHARE else f"{words.in_text(metric)}, %",
    )


def class_heading(audit: Audit, attribute: str) -> str:
    """The classes in which a group is shown to differ from the reference."""
    about = {"metric": SHARE, "attribute": attribute, "contrast": "difference", "role": "main"}
    apart = {row.term for row in audit.estimates.only(**about) if row.verdict in SHOWN}
    values = {"name": attribute_name(attribute, audit), "column": audit.protocol.decision or audit.protocol.outcome}
    if not apart:
        return say("{name}, all classes of {column}: no difference is shown", **values)
    labels = listed([label for label in audit.protocol.classes if label in apart])
    return say("{name}, all classes of {column}: a difference is shown in {labels}", labels=labels, **values)


def up_to(audit: Audit, row: Estimate) -> str:
    """The class of a row, of a cumulative share that or a worse one; worse than the first is none."""
    if row.metric == CUMULATIVE and row.term != audit.protocol.classes[0]:
        return say("{label} or worse", label=row.term)
    return row.term


def class_caption(audit: Audit, attribute: str, metric: str = SHARE) -> str:
    """In which classes which groups are shown to differ from the reference, of another rate than the shares by name."""
    if metric == CUMULATIVE:  # without a verdict, which the shares carry
        return f"{words.heading(metric)}."
    of = "" if metric == SHARE else f"{words.heading(metric)}. "
    return of + _apart_in(audit, attribute, metric)


def _apart_in(audit: Audit, attribute: str, metric: str) -> str:
    about = {"metric": metric, "attribute": attribute, "contrast": "difference", "role": "main"}
    apart = [row for row in audit.estimates.only(**about) if row.verdict in SHOWN]
    values = {"column": audit.protocol.decision or audit.protocol.outcome, "reference": audit.references[attribute]}
    if not apart:
        return say("No group is shown to differ from {reference} in any class of {column}.", **values)
    named = [
        say("{label} ({groups})", label=label, groups=listed([r.group for r in apart if r.term == label]))
        for label in audit.protocol.classes
        if any(r.term == label for r in apart)
    ]
    return say("Shown to differ from {reference} in {column}: {each}.", each="; ".join(named), **values)


def class_order_table(audit: Audit, attribute: str) -> Table | None:
    """P(X>Y) of ordered classes, a line a group; the note has the test of all classes at once."""
    rows = audit.estimates.only(metric=IN_ORDER, attribute=attribute)
    if not rows:
        return None

    def line(row: Estimate) -> list[str]:
        if not words.shown(row):
            return [row.group, words.count(row.n), *[words.DASH] * 3, words.status(row)]
        p = words.p_value(row.p_adjusted)
        return [row.group, words.count(row.n), words.estimate(row), words.interval(row), p, words.verdict(row)]

    name, reference = attribute_name(attribute, audit), audit.references[attribute]
    headings = [text(name), Heading(say("people")), Heading(say("P(X>Y)")), Heading(say("interval"))]
    headings += [Heading(say("adjusted p")), text(say("verdict"))]
    caption = say("Chance of a better class than {reference}, ties half, by {name}", reference=reference, name=name)
    return table(caption, headings, map(line, rows), at_once(audit, attribute))


def cumulative_table(audit: Audit, attribute: str) -> Table | None:
    """Of ordered classes the shares of people with a class or a worse one, a line a group."""
    labels = audit.protocol.classes[1:-1]  # of the first it is its share, of the last everybody
    about = {"metric": CUMULATIVE, "attribute": attribute, "contrast": "none", "role": "main"}
    rows = {(row.term, row.group): row for row in audit.estimates.only(**about)}
    if not rows:
        return None

    def cell(row: Estimate) -> str:
        return words.percent(row.estimate) if words.shown(row) else words.status(row)

    name = attribute_name(attribute, audit)
    headings = [text(name), *(Heading(say("{label} or worse", label=label), "%") for label in labels)]
    lines = ([group, *(cell(rows[label, group]) for label in labels)] for group in by_size(audit, attribute))
    column = audit.protocol.decision or audit.protocol.outcome
    return table(say("Cumulative shares of {column} by {name}", column=column, name=name), headings, lines)


def at_once(audit: Audit, attribute: str) -> str:
    """The test that all groups have the same shares of all classes; "" where there is none."""
    rows = audit.estimates.only(metric=AT_ONCE, attribute=attribute, status="ok")
    values = [(chi_square(row), "; ".join(map(translated, filter(None, [row.method, row.reason])))) for row in rows]
    lines = [say("All classes and groups at once: {p} ({test}).", p=p, test=test) for p, test in values]
    if audit.protocol.strata and audit.protocol.ranked:
        lines.append(say("P(X>Y) and this test are without regard to {strata}.", strata=strata_name(audit)))
    elif audit.protocol.strata:
        lines.append(say("This test is without regard to {strata}.", strata=strata_name(audit)))
    return " ".join(lines if rows else [])
