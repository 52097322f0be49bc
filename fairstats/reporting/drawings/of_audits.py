"""Figures of an audit beyond rates and differences: page one, error rates, curves of scores, other thresholds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from fairstats.auditing.result import Audit
from fairstats.errors import InputError
from fairstats.estimates import Estimates
from fairstats.reporting import numbers as words
from fairstats.reporting.drawings.kind import Subject
from fairstats.reporting.drawings.of_rows import contrasted, rated, rows_of
from fairstats.reporting.figures.funnel import funnel as funnel_figure
from fairstats.reporting.figures.hundred import hundred as hundred_figure
from fairstats.reporting.figures.style import WIDE, Drawing
from fairstats.reporting.sections.claims import figure_of, plottable
from fairstats.reporting.sections.errors import forest_of as errors_forest
from fairstats.reporting.sections.errors import forest_rows, panels_of
from fairstats.reporting.sections.outcomes import FROM_A_FUNNEL, forest_of, matrix_of
from fairstats.reporting.sections.protocol import flow_of, steps_of
from fairstats.reporting.sections.score_pictures import curves_of, distribution_picture, outcome_picture
from fairstats.reporting.sections.sensitivity import WITHIN, strata_of, sweep, sweep_lines
from fairstats.reporting.sections.shared import by_size, sized

MOST_PANELS, MOST_BLOCKS = 6, 3


def claims_choices(audit: Audit) -> list[Subject]:
    """One figure, where page one has comparisons to draw."""
    return [Subject()] if any(plottable(row) for row in audit.claims()) else []


def claims(audit: Audit, _: Subject) -> Drawing:
    """The comparisons of page one."""
    return _made(figure_of(audit, audit.claims()))


def forest_choices(audit: Audit) -> list[Subject]:
    """The metrics and attributes with at least two comparisons, each as difference and as ratio."""
    found = []
    for metric, attribute in dict.fromkeys((r.metric, r.attribute) for r in audit.estimates if _difference(r)):
        differences, ratios = _contrasts(audit, Subject(metric, attribute))
        if len(differences) > 1 and {r.group for r in differences} <= {r.group for r in ratios}:
            found.append(Subject(metric, attribute))
    return found


def forest(audit: Audit, choice: Subject) -> Drawing:
    """Differences and ratios side by side."""
    return _made(forest_of("forest", *_contrasts(audit, choice), audit))


_difference, _ratio = contrasted("difference"), contrasted("ratio")


def _contrasts(audit: Audit, choice: Subject) -> tuple[Estimates, Estimates]:
    order = by_size(audit, choice.attribute)
    return sized(rows_of(audit, choice, _difference), order), sized(rows_of(audit, choice, _ratio), order)


def funnel_choices(audit: Audit) -> list[Subject]:
    """The rates of which at least as many groups are known as the report draws a funnel of."""
    counts = Counter((r.metric, r.attribute) for r in audit.estimates if rated(r) and words.shown(r))
    return [Subject(*key) for key, count in counts.items() if count >= FROM_A_FUNNEL]


def funnel(audit: Audit, choice: Subject) -> Drawing:
    """The rates of many groups against their sizes."""
    chosen = (choice.metric, choice.attribute)
    rows = [r for r in audit.estimates if rated(r) and (r.metric, r.attribute) == chosen and words.shown(r)]
    return funnel_figure("funnel", rows, axis=words.in_text(choice.metric), level=audit.protocol.conf_level)


def hundred(audit: Audit, choice: Subject) -> Drawing:
    """Of 100 people of each of the largest groups, how many."""
    order = by_size(audit, choice.attribute)
    rows = [r for r in sized(rows_of(audit, choice, rated), order) if words.shown(r)][:MOST_BLOCKS]
    what = words.in_text(choice.metric)
    return hundred_figure("hundred", rows, caption=f"Filled: {what}, of 100 people, rounded.", what=what)


def flow_choices(audit: Audit) -> list[Subject]:
    """One figure, where rows were lost on the way."""
    kept, lost = steps_of(audit)
    return [Subject()] if lost and len(kept) > 1 else []


def flow(audit: Audit, _: Subject) -> Drawing:
    """The rows from those read to those analyzed."""
    return _made(flow_of(audit))


def matrix_choices(audit: Audit) -> list[Subject]:
    """The rates by each pair of attributes."""
    found = (Subject(r.metric, r.attribute) for r in audit.estimates if rated(r) and r.attribute.count(":") == 1)
    return list(dict.fromkeys(found))


def matrix(audit: Audit, choice: Subject) -> Drawing:
    """The rate of each pair of groups of two attributes."""
    rates = rows_of(audit, choice, rated)
    return _made(matrix_of("matrix", choice.attribute, rates, rows_of(audit, choice, _difference), choice.metric))


def strata_choices(audit: Audit) -> list[Subject]:
    """The attributes, and the factors within whose levels their groups were compared."""
    found = ((r.attribute, r.given) for r in audit.estimates if r.metric == WITHIN and ":" not in r.attribute)
    return [Subject("", attribute, given) for attribute, given in dict.fromkeys(found)]


def strata(audit: Audit, choice: Subject) -> Drawing:
    """Differences as they are, and within strata."""
    drawn = [part["figure"] for part in strata_of(audit, choice.attribute, 0) if choice.term in part["figure"].alt]
    return _made(drawn[0] if drawn else None)


def errors_choices(audit: Audit) -> list[Subject]:
    """The attributes with at least two groups whose error rates are compared."""
    return [Subject("", a) for a in audit.references if len(panels_of(forest_rows(audit, a))[0]) > 1]


def error_rates(audit: Audit, choice: Subject) -> Drawing:
    """Differences of several error rates in one figure."""
    return _made(errors_forest("errors", forest_rows(audit, choice.attribute)))


def curve_choices(*kinds: str) -> Callable[[Audit], list[Subject]]:
    """The attributes with curves of one of these kinds."""

    def offered(audit: Audit) -> list[Subject]:
        return [Subject("", a) for a in dict.fromkeys(c.attribute for c in audit.curves if c.kind in kinds)]

    return offered


def curve(kind: str) -> Callable[[Audit, Subject], Drawing]:
    """Curves of the scores, one line a group."""

    def drawn(audit: Audit, choice: Subject) -> Drawing:
        return curves_of(kind, kind, audit, choice.attribute)

    return drawn


def outcome_by_score(audit: Audit, choice: Subject) -> Drawing:
    """How often the outcome follows each score, by group."""
    return _made(outcome_picture(audit, choice.attribute, "outcome-by-score"))


def score_distribution(audit: Audit, choice: Subject) -> Drawing:
    """How the scores of the groups are distributed."""
    return _made(distribution_picture(audit, choice.attribute, "score-distribution", most=MOST_PANELS, width=WIDE))


def threshold_choices(audit: Audit) -> list[Subject]:
    """The attributes for which other thresholds of the score were looked at."""
    return [Subject("", a) for a in audit.references if ":" not in a and sweep_lines(audit, a)]


def thresholds(audit: Audit, choice: Subject) -> Drawing:
    """Differences of selection rates had the score been cut elsewhere."""
    return _made(sweep("thresholds", audit, choice.attribute))


def _made(drawing: Drawing | None) -> Drawing:
    if drawing is None:
        raise InputError("kind has no figure of this result.")
    return drawing
