"""Studies of a fit that a report was given: the price for new people, stability, the number of components."""

from __future__ import annotations

from fairstats.estimates import Estimate, Estimates
from fairstats.inference.representations.choice_of_k import ERROR, LEAST, NUMBER, ChoiceOfK
from fairstats.inference.representations.fit_study import IN_SAMPLE, LOADING, FitStudy
from fairstats.language import again, say
from fairstats.reporting.figures.path import path
from fairstats.reporting.figures.style import Drawing
from fairstats.results import Result
from fairstats.studies.curve import Curve


def said_of(result: Result) -> str:
    """What a study found, as sentences; "" for other results."""
    if not isinstance(result, FitStudy):
        return ""
    # whose templates a result that was loaded from a file needs
    from fairstats.inference.representations import price_of_fit, stability_of_fit  # noqa: F401

    return " ".join(map(again, result.statements))


def rows_of(result: Result) -> Estimates:
    """The rows that a page has of a result: of studies neither loadings, nor parts in sample, nor what is drawn."""
    if isinstance(result, FitStudy):
        return Estimates(row for row in result.estimates if row.metric != LOADING and not _part_in_sample(row))
    if isinstance(result, ChoiceOfK):
        return result.estimates.where(metric=NUMBER)
    return result.estimates


def _part_in_sample(row: Estimate) -> bool:
    """Of the rows that the fit was made of, which flatter it, a page has what it costs in all."""
    return row.estimator == IN_SAMPLE and bool(row.group or row.term)


def note_of(result: Result) -> str:
    """Where the rows are that the page leaves out, "" where it has all."""
    return say("Further rows: results.csv.") if len(rows_of(result)) < len(result.estimates) else ""


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
