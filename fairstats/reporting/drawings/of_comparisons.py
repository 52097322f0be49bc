"""Figures of a comparison: gaps between groups and what each method changes, rates by group, held-out scores."""

from __future__ import annotations

from collections.abc import Callable

from fairstats.comparing.result import Comparison, Term
from fairstats.errors import InputError
from fairstats.estimates import Estimate
from fairstats.reporting import numbers as words
from fairstats.reporting.drawings.kind import Subject
from fairstats.reporting.drawings.of_rows import MOST, by_metric, contrasted, rated
from fairstats.reporting.figures.dot import dot
from fairstats.reporting.figures.forest import forest
from fairstats.reporting.figures.style import Drawing
from fairstats.reporting.sections.methods_compared import GAPS, price_of, scores_of
from fairstats.reporting.sections.shared import attribute_name
from fairstats.vocabulary.metric import PERCENT

_gap = contrasted("difference")


def gap_choices(result: Comparison) -> list[Subject]:
    """The metrics and attributes in which groups differ."""
    return by_metric(Subject(r.metric, r.attribute) for r in result.estimates if _gap(r))


def gaps(result: Comparison, choice: Subject) -> Drawing:
    """The differences between groups under each method and model."""
    rows = [r for r in result.estimates if _gap(r) and (r.metric, r.attribute) == (choice.metric, choice.attribute)]
    caption = f"{words.heading(choice.metric)}: differences by {attribute_name(choice.attribute)}, by method and model."
    return _forest("gaps", result, rows, caption, lambda r: f"{result.label(r)}: {r.group} against {r.reference}")


def change_choices(result: Comparison) -> list[Subject]:
    """The metrics of which a method's change for everybody is known."""
    return by_metric(Subject(r.metric) for r in result.estimates if _change(r))


def changes(result: Comparison, choice: Subject) -> Drawing:
    """A metric for everybody under each method, less that of the first method."""
    rows = [r for r in result.estimates if _change(r) and r.metric == choice.metric]
    caption = f"{words.heading(choice.metric)} of everybody, less the first method's."
    return _forest("changes", result, rows, caption, result.label)


def _change(row: Estimate) -> bool:
    scale = words.known(row.metric).scale
    return bool(row.versus) and not row.group and not row.reference and row.role == "main" and scale == PERCENT


def _forest(
    name: str, result: Comparison, rows: list[Estimate], caption: str, label: Callable[[Estimate], str]
) -> Drawing:
    more = f" The first {MOST} of {len(rows)} are drawn." if len(rows) > MOST else ""
    shown = rows[:MOST]
    return forest(name, shown, caption=caption + more, labels=[label(r) for r in shown])


def rate_choices(result: Comparison) -> list[Subject]:
    """The metrics, attributes, and methods with models."""
    names = {term.name: place for place, term in enumerate(result.terms)}
    found = {Subject(r.metric, r.attribute, result.label(r)) for r in result.estimates if rated(r)}
    return by_metric(sorted(found, key=lambda choice: (choice.attribute, names[choice.term])))


def rates(result: Comparison, choice: Subject) -> Drawing:
    """A rate by group under one method and model."""
    rows = result.estimates.where(metric=choice.metric, attribute=choice.attribute, **result.of(_term(result, choice)))
    name, by_name = words.in_text(choice.metric), attribute_name(choice.attribute)
    caption = f"{choice.term}: {name} by {by_name}, people held out."
    reference = result.references.get(choice.attribute, "")
    return dot("rates", [r for r in rows if rated(r)][:MOST], caption=caption, reference=reference, axis=f"{name}, %")


def score_choices(result: Comparison) -> list[Subject]:
    """The attributes, and methods with models, whose held-out scores were kept."""
    kept = {(c.attribute, c.term) for c in result.curves if c.group}
    return [Subject("", a, t.name) for a in result.references for t in result.terms if (a, t.name) in kept]


def scores(result: Comparison, choice: Subject) -> Drawing:
    """The distributions of held-out scores by group."""
    drawing = scores_of("scores", result, choice.attribute, _term(result, choice))
    if drawing is None:
        raise InputError("kind has 'ecdf'; the comparison kept no held-out scores; compare with a model that has them.")
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
        raise InputError("kind has 'price_gap'; the comparison has no gap to draw; compare at least two methods.")
    return drawing


def _term(result: Comparison, choice: Subject) -> Term:
    return next(term for term in result.terms if term.name == choice.term)
