"""Several classes in an audit report: the shares of all classes by group, as a table and as a picture."""

from __future__ import annotations

from functools import partial

from fairstats.auditing.answer import FEW, Answer, declared
from fairstats.auditing.classes import AT_ONCE, CUMULATIVE, IN_ORDER, SHARE
from fairstats.auditing.result import Audit
from fairstats.auditing.sentences import by_size, chi_square, strata_name
from fairstats.document import Heading, Table
from fairstats.estimates import SHOWN, Estimate
from fairstats.inference.verdicts import decisive_level
from fairstats.language import say, translated
from fairstats.reporting import words
from fairstats.reporting.figures.rates import shares
from fairstats.reporting.figures.style import Drawing
from fairstats.reporting.sections.shared import attribute_name
from fairstats.reporting.tables import interval_below, level_of, table, text
from fairstats.text import listed, percent

MOST_LINES = 30  # of a picture; the tables have the others
MARKS = {1: " ↑", 0: "", -1: " ↓"}


def class_pages(audit: Audit, result: tuple[Answer, ...]) -> tuple[list[Table], list[Drawing]]:
    """Page one of several classes: a table for each declared attribute, and a picture where there is one attribute."""
    named = words.worded(audit)
    attributes = dict(zip(declared(audit), declared(named), strict=True))
    tables = [class_table(named, attributes[one.attribute], one.term) for one in result]
    drawn = None if len(tables) > 1 else class_picture(named, attributes[result[0].attribute], "page-one-classes")
    return tables, [] if drawn is None else [drawn]


def class_table(audit: Audit, attribute: str, farthest: str) -> Table:
    """A line a group: the share of every class, which says where a difference is shown, and the gap of the farthest."""
    about = {"metric": SHARE, "attribute": attribute, "role": "main"}
    rates = {(r.term, r.group): r for r in audit.estimates.only(**about, contrast="none")}
    gaps = {(r.term, r.group): r for r in audit.estimates.only(**about, contrast="difference")}
    order, classes, reference = by_size(audit, attribute), audit.protocol.classes, audit.references[attribute]
    level, drawn = audit.protocol.conf_level, [row for (label, _), row in gaps.items() if label == farthest]
    interval = interval_below(drawn)

    def cell(label: str, group: str) -> str:
        row, gap = rates[label, group], gaps.get((label, group))
        if not words.shown(row):
            return words.status(row)
        share = percent(row.estimate, 0 if row.n < FEW else 1)
        if gap is not None and gap.verdict == "equivalence shown":
            return f"{share} ="
        return share + MARKS[0 if gap is None or gap.verdict not in SHOWN else 1 if gap.estimate > 0 else -1]

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
    values = [(chi_square(row), translated(row.method)) for row in rows]
    lines = [say("All classes and groups at once: {p} ({test}).", p=p, test=test) for p, test in values]
    if audit.protocol.strata and audit.protocol.ranked:
        lines.append(say("P(X>Y) and this test are without regard to {strata}.", strata=strata_name(audit)))
    elif audit.protocol.strata:
        lines.append(say("This test is without regard to {strata}.", strata=strata_name(audit)))
    return " ".join(lines if rows else [])
