"""One figure of one result, as it stands in the report: to look at in a notebook, or to save."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from fairstats import metrics
from fairstats.arguments import shown, word
from fairstats.errors import InputError, listing, nearest
from fairstats.reporting.drawings.kind import Kind, Subject
from fairstats.reporting.drawings.of_fits import is_path, path
from fairstats.reporting.drawings.registry import KINDS, offered
from fairstats.reporting.figures.style import Drawing
from fairstats.results import Figure
from fairstats.studies.provenance import digests

CONTRASTS: dict[str, Figure] = {"difference": "differences", "ratio": "ratios"}  # what a familiar name asks for


def plot(
    result: Any,
    kind: Figure | None = None,
    *,
    metric: str | None = None,
    attribute: str | None = None,
    term: str | None = None,
) -> Drawing:
    """Draw one figure of a result, as it stands in the report.

    Parameters
    ----------
    result : any result, or the table of ``disparity_path`` or ``sog_path``
    kind : str, optional
        One of ``result.plots``, which names the figures that this result has; the first of them by default.
        Rates by group: "rates", "differences", "ratios", "forest" (both beside each other), "claims" (page one),
        "errors" (several error rates), "funnel" (many groups), "matrix" (two attributes), "crude_adjusted" (strata),
        "hundred" (of 100 people), "flow" (rows).
        Scores: "ecdf", "roc", "calibration", "outcome_by_score", "score_distribution", "thresholds". Comparisons:
        "differences", "changes" (against the first method), "price_gap", "rates", "ecdf". Fits: "scree", "explained",
        "group_loss". Clusterings: "clusters". Leakage: "probes". Studies of a fit: "study". Two audits:
        "changes". A path table: "path".
    metric, attribute : str, optional
        Which metric, by which attribute; the first that the figure can show by default. A metric may have its
        familiar name: "demographic_parity_difference" asks for the kind "differences", too.
    term : str, optional
        Of a comparison the method and model ("og · logistic"), of held-out scores the component ("component 1").

    Returns
    -------
    Drawing
        Notebooks show it; ``save(path)`` writes it; ``svg``, ``alt`` and ``caption`` are its text.

    Raises
    ------
    InputError
        A result that has no figure, or a kind, metric, attribute or term that it has none of.

    Examples
    --------
    >>> import fairstats as fs
    >>> import numpy as np, fairstats as fs
    >>> fit = fs.pca(np.diag([3.0, 2.0, 1.0]), k=2)
    >>> fit.plots
    ('scree',)
    >>> fs.plot(fit, "scree").svg.startswith("<svg")
    True
    """
    asked = {"metric": metric, "attribute": attribute, "term": term}
    wanted = {name: word(name, value) for name, value in asked.items() if value is not None}
    if "metric" in wanted:
        wanted["metric"], contrast = metrics.ours(wanted["metric"])
        kind = CONTRASTS.get(contrast) if kind is None else kind
    if kind is not None:
        word("kind", kind)
    if is_path(result):
        for name, value in {**({} if kind in (None, "path") else {"kind": kind}), **wanted}.items():
            raise InputError(
                f"{name} has {shown(value)}; the table of a path has one figure, kind 'path'; leave it out."
            )
        return path(result)
    found = _of_kind(offered(result), kind) if _has_row(result) else {}
    if not found:
        raise InputError(
            f"result has {shown(result)}, of which there is nothing to draw; pass a result whose plots is not empty, "
            "such as a fit or an audit with groups, or the table of a path."
        )
    pairs = [(one, choice) for one, choices in found.items() for choice in choices]
    for name, value in wanted.items():
        pairs = _with(pairs, name, value)
    drawn, choice = pairs[0]
    return replace(drawn.draw(result, choice), sources=digests([result]))


def plots(result: Any) -> tuple[Figure, ...]:
    """The kinds of figures that a result has, the one that `plot` draws by default first."""
    return tuple(kind.name for kind in offered(result))


def _has_row(result: Any) -> bool:
    return isinstance(result, tuple({kind.of for kind in KINDS}))


def _of_kind(found: dict[Kind, list[Subject]], kind: Figure | None) -> dict[Kind, list[Subject]]:
    if kind is None or not found:
        return found
    named = {one: choices for one, choices in found.items() if one.name == kind}
    return named or _refuse("kind", kind, [one.name for one in found])


def _with(pairs: list[tuple[Kind, Subject]], name: str, value: str) -> list[tuple[Kind, Subject]]:
    kept = [(kind, choice) for kind, choice in pairs if getattr(choice, name) == value]
    return kept or _refuse(name, value, [getattr(choice, name) for _, choice in pairs], pairs[0][0])


def _refuse(name: str, value: str, known: list[str], kind: Kind | None = None) -> Any:
    names = list(dict.fromkeys(filter(None, known)))
    if not names:
        figure = "" if kind is None else f" of kind {kind.name!r}"
        raise InputError(f"{name} has {shown(value)}; the figure{figure} has no {name} to choose; leave it out.")
    hint = nearest(value, names) or "."
    fact = "the choices are" if kind is None else "there are figures of"
    raise InputError(f"{name} has {shown(value)}; {fact} {listing(names, 12)}{hint}")
