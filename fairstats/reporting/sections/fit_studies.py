"""Studies of a fit that a report was given: the price for new people, stability, the number of components."""

from __future__ import annotations

from fairstats.estimates import Estimates
from fairstats.inference.representations.choice_of_k import ERROR, LEAST, ChoiceOfK
from fairstats.inference.representations.fit_study import LOADING, FitStudy
from fairstats.language import again, say
from fairstats.reporting.figures.path import path
from fairstats.reporting.figures.style import Drawing
from fairstats.results import Result
from fairstats.studies.curve import Curve


def said_of(result: Result) -> str:
    """What a study found, as sentences; "" for other results."""
    return " ".join(map(again, result.statements)) if isinstance(result, FitStudy) else ""


def rows_of(result: Result) -> Estimates:
    """The rows that a page has of a result; loadings are in results.csv."""
    if isinstance(result, FitStudy):
        return Estimates(row for row in result.estimates if row.metric != LOADING)
    return result.estimates


def figure_of(name: str, result: Result) -> Drawing | None:
    """The picture of a choice of the number of components, None for other results."""
    return errors_by_k(name, result) if isinstance(result, ChoiceOfK) else None


def errors_by_k(name: str, found: ChoiceOfK) -> Drawing:
    """Draw the cross-validated error over the number of components, of a method and of principal components."""
    nothing = found.estimates.where(metric=ERROR, fit="pca", k=0.0)[0].estimate
    lines, hidden = [], 0
    for fit in found.fits:
        every = [row for row in found.estimates.only(metric=ERROR, fit=fit) if row.k > 0]
        least = min(row.estimate for row in every)
        rows = [row for row in every if row.estimate <= 1.5 * max(nothing, least)]
        hidden += len(every) - len(rows)
        columns = ([getattr(row, key) for row in rows] for key in ("k", "estimate", "conf_low", "conf_high"))
        x, y, low, high = (tuple(map(float, column)) for column in columns)
        lines.append(Curve("path", "", fit, x, y, low=low, high=high))
    said = [say("The error of {fit} is least with k = {k}.", fit=fit, k=found.chosen(fit, LEAST)) for fit in found.fits]
    said += [say("Line across: the error without components.")]
    said += [say("Larger errors are not drawn.")] if hidden else []
    return path(
        name,
        lines,
        caption=" ".join(said),
        setting=say("number of components"),
        axis=say("cross-validated error"),
        chosen=float(found.k),
        null=nothing,
        order=found.fits,
        counted=True,
    )
