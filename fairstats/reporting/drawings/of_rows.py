"""Figures of tidy rows: rates by group, differences and ratios, shares of components."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from fairstats.estimates import Estimate, Estimates
from fairstats.metrics import METRICS
from fairstats.reporting import numbers as words
from fairstats.reporting.drawings.kind import Subject
from fairstats.reporting.figures.dot import dot
from fairstats.reporting.figures.forest import forest
from fairstats.reporting.figures.shares import shares
from fairstats.reporting.figures.style import Drawing
from fairstats.reporting.sections.shared import attribute_name, span
from fairstats.results import Result
from fairstats.vocabulary.metric import PERCENT

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
    return row.role == "main" and not row.given and (words.known(row.metric).scale == PERCENT or _is_ratio(row))


def _is_ratio(row: Estimate) -> bool:
    return row.contrast == "ratio"


def choices(wanted: Callable[[Estimate], bool]) -> Callable[[Result], list[Subject]]:
    """The metrics and attributes of the rows that a figure is made of."""

    def offered(result: Result) -> list[Subject]:
        return by_metric(Subject(r.metric, r.attribute) for r in result.estimates if wanted(r))

    return offered


def by_metric(choices: Iterable[Subject]) -> list[Subject]:
    """Each once, in the order of the vocabulary of metrics; a metric that it lacks comes last."""
    order = {name: place for place, name in enumerate(METRICS)}
    return sorted(dict.fromkeys(choices), key=lambda choice: order.get(choice.metric, len(order)))


def rows_of(result: Result, choice: Subject, wanted: Callable[[Estimate], bool]) -> Estimates:
    """The rows of one figure, the largest groups first where there are many."""
    rows = [r for r in result.estimates if (r.metric, r.attribute) == (choice.metric, choice.attribute) and wanted(r)]
    if len(rows) > MOST:
        rows = sorted(rows, key=lambda r: -r.n if r.n == r.n else 0.0)[:MOST]
    return Estimates(rows)


def left_out(result: Result, choice: Subject, wanted: Callable[[Estimate], bool]) -> str:
    """The sentence that says how many groups are not drawn, "" when all are."""
    every = sum((r.metric, r.attribute) == (choice.metric, choice.attribute) and wanted(r) for r in result.estimates)
    return f" The {MOST} largest of {every} groups are drawn." if every > MOST else ""


def rates(result: Result, choice: Subject) -> Drawing:
    """The rate of each group with its interval."""
    rows = rows_of(result, choice, rated)
    name = words.in_text(choice.metric)
    caption = f"{span(list(rows), name)}, by {attribute_name(choice.attribute)}." if choice.attribute else f"{name}."
    reference = getattr(result, "references", {}).get(choice.attribute, "")
    caption = words.capital(caption) + left_out(result, choice, rated)
    return dot("rates", list(rows), caption=caption, reference=reference, axis=f"{name}, %")


def contrasts(contrast: str) -> Callable[[Result, Subject], Drawing]:
    """Differences, or ratios, of the groups from their reference, with intervals and verdicts."""
    wanted = contrasted(contrast)

    def drawn(result: Result, choice: Subject) -> Drawing:
        rows = rows_of(result, choice, wanted)
        margin = _margin(result) if contrast == "difference" else None
        what = {"difference": "differences", "ratio": "ratios"}[contrast]
        return forest(
            what,
            list(rows),
            caption=f"{_named(choice.metric, what)} by {attribute_name(choice.attribute)}: {_apart(rows)}."
            + left_out(result, choice, wanted),
            margin=margin,
        )

    return drawn


def _named(metric: str, what: str) -> str:
    """``Selection rate, ratios``; a metric that is itself a ratio is not named twice."""
    heading = words.heading(metric)
    return f"{heading}s" if what.startswith(heading.split()[-1]) else f"{heading}, {what}"


def _margin(result: object) -> float | None:
    declared = getattr(getattr(result, "protocol", None), "equivalence", None)
    return None if declared is None else declared.difference


def _apart(rows: Iterable[Estimate]) -> str:
    known = [r for r in rows if words.shown(r)]
    equal = {r: 1.0 if _is_ratio(r) else 0.0 for r in known}
    excluding = sum(r.conf_low > null or r.conf_high < null for r, null in equal.items())
    return f"{excluding} of {len(known)} intervals exclude equality"


def explained_choices(result: Result) -> list[Subject]:
    """The attributes whose groups explain part of what was taken out, or of components."""
    return list(dict.fromkeys(Subject(r.metric, r.attribute) for r in result.estimates if _explained(r)))


def explained(result: Result, choice: Subject) -> Drawing:
    """The share of each component, direction or feature that the groups explain."""
    rows = [r for r in result.estimates if _explained(r) and r.attribute == choice.attribute]
    shown = sorted(rows, key=lambda r: -r.estimate)[:MOST] if len(rows) > MOST else rows
    more = f" The {MOST} largest of {len(rows)} are drawn." if len(rows) > MOST else ""
    known = [r for r in rows if words.shown(r)]
    most = max(known, key=lambda r: r.estimate, default=None)
    who = words.capital(attribute_name(choice.attribute) or "groups")
    caption = f"{who}: at most {words.percent(most.estimate)} % explained, of {most.term}." if most else f"{who}."
    return shares("explained", shown, [r.term for r in shown], caption=caption + more, axis="explained by groups, %")


def _explained(row: Estimate) -> bool:
    return row.metric == "R2" and bool(row.term)
