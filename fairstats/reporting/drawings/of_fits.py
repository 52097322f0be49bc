"""Figures of fits, of clusterings, of held-out scores, and of the table of a path."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

import numpy as np

from fairstats.auditing.change import Change
from fairstats.cluster.partition import Partition
from fairstats.errors import InputError
from fairstats.estimates import Estimate
from fairstats.inference.representations.choice_of_k import ChoiceOfK
from fairstats.inference.representations.fit_study import IN_SAMPLE, LOADING, FitStudy, about
from fairstats.inference.representations.leakage_result import Leakage
from fairstats.methods.results.component_fit import ComponentFit
from fairstats.methods.results.heldout import HeldOut
from fairstats.reporting import numbers as words
from fairstats.reporting.drawings.kind import Subject
from fairstats.reporting.figures.clusters import clusters as clusters_figure
from fairstats.reporting.figures.ecdf import ecdf
from fairstats.reporting.figures.leakage_strip import PROBES, leakage_strip
from fairstats.reporting.figures.numbers_line import numbers_line
from fairstats.reporting.figures.path import path as path_figure
from fairstats.reporting.figures.style import Drawing
from fairstats.reporting.sections.changes import picture
from fairstats.reporting.sections.clusters import caption_of
from fairstats.reporting.sections.fit_studies import errors_by_k, said_of
from fairstats.reporting.sections.representation import adjusts_after, losses_of, scree_of
from fairstats.reporting.sections.shared import attribute_name
from fairstats.studies.curve import Curve

MOST_POINTS = 400  # of one line
MOST_STRIPS = 15
MOST_LINES = 40


def once(_: object) -> list[Subject]:
    """There is one such figure."""
    return [Subject()]


def scree(fit: ComponentFit, _: Subject) -> Drawing:
    """What each component carries, and how much of it goes with the groups."""
    drawing = scree_of("scree", fit.estimates, adjusts_after(fit.method))
    if drawing is None:
        raise InputError("kind has 'scree'; the fit has no components; fit it with k of 1 or more.")
    return drawing


def loss_choices(fit: ComponentFit) -> list[Subject]:
    """There is one such figure, where the data told the errors by group."""
    return [Subject()] if fit.price.by_group else []


def losses(fit: ComponentFit, _: Subject) -> Drawing:
    """Who pays: the error of each group under principal components and under the fit."""
    made = losses_of(0, fit.method, cast("Any", fit))
    if made is None:
        raise InputError(
            "kind has 'group_loss'; the fit knows no errors by group; use fs.group_losses(fit, X, groups)."
        )
    drawing: Drawing = made["figure"]
    return drawing


def choice(found: ChoiceOfK, _: Subject) -> Drawing:
    """The cross-validated error over the number of components, of the method and of principal components."""
    return errors_by_k("choice", found)


def study_choices(study: FitStudy) -> list[Subject]:
    """The numbers that a study found, by what they measure: an extra error, an angle, a change."""
    own = () if isinstance(study, Change) else study.estimates  # which has a figure of its own
    return list(dict.fromkeys(Subject(row.metric) for row in own if _found(row)))


def change_choices(found: Change) -> list[Subject]:
    """There is one such figure, where a difference is known before and after."""
    return [Subject()] if picture("changes", found) else []


def changes(found: Change, _: Subject) -> Drawing:
    """The differences before and after, and their changes."""
    return cast("Drawing", picture("changes", found))


def study(study: FitStudy, choice: Subject) -> Drawing:
    """What a study found, with its intervals; beside it the same on the rows of the fit."""
    rows = [row for row in study.estimates if row.metric == choice.metric and _found(row)]
    flattered = {about(row): row.estimate for row in study.estimates.only(metric=choice.metric, estimator=IN_SAMPLE)}
    more = f" The first {MOST_LINES} of {len(rows)} are drawn." if len(rows) > MOST_LINES else ""
    rows = rows[:MOST_LINES]
    beside = [flattered.get(about(row), float("nan")) for row in rows] if flattered else []
    open_ones = " Open: on the rows of the fit." if flattered else ""
    unit = words.unit(rows[0]).strip()
    return numbers_line(
        "study",
        rows,
        [about(row) for row in rows],
        caption=f"{said_of(study)}{open_ones}{more}",
        axis=words.heading(choice.metric) + (f", {unit}" if unit else ""),
        beside=beside,
    )


def _found(row: Estimate) -> bool:
    """Whether a number is what was asked for: no loading, and nothing that only stands beside."""
    return row.metric != LOADING and row.estimator != IN_SAMPLE and row.role != "beside"


def composition_choices(partition: Partition) -> list[Subject]:
    """The attributes that the clusters are described by."""
    return [Subject("", table.attribute) for table in partition.compositions]


def clusters(partition: Partition, choice: Subject) -> Drawing:
    """Each cluster's shares of the levels of an attribute."""
    (table,) = (table for table in partition.compositions if table.attribute == choice.attribute)
    return clusters_figure("clusters", table, caption=caption_of(table))


def held_choices(held: HeldOut) -> list[Subject]:
    """Each component by each attribute."""
    return [Subject("", name, f"component {j + 1}") for j in range(held.k) for name in held.groups.names]


def held_scores(held: HeldOut, choice: Subject) -> Drawing:
    """The distribution of one component's scores by group, in the first fold: its rows were scored by one fit."""
    j = int(choice.term.split()[-1]) - 1
    factor = held.groups.factors[held.groups.names.index(choice.attribute)]
    folds = np.unique(held.folds)
    weights = np.ones(held.n) if held.weights is None else np.asarray(held.weights)
    own = (held.folds == folds[0]) & (weights > 0)
    lines, sizes = [], {}
    for code, level in enumerate(factor.levels):
        rows = own & (np.asarray(factor.codes) == code)
        if rows.any():
            lines.append(_ecdf_line(choice.attribute, level, held.scores[rows, j], weights[rows]))
            sizes[level] = weights[rows].sum()
    by_name = attribute_name(choice.attribute)
    return ecdf(
        "held-out",
        lines,
        caption=f"Held-out scores of {choice.term} by {by_name}, fold 1 of {len(folds)}.",
        order=sorted(sizes, key=lambda level: -sizes[level]),
        axis=choice.term,
    )


def _ecdf_line(attribute: str, level: str, scores: np.ndarray, weights: np.ndarray) -> Curve:
    order = np.argsort(scores, kind="stable")
    below = np.cumsum(weights[order]) / weights.sum()
    at = np.unique(np.linspace(0, len(order) - 1, min(len(order), MOST_POINTS)).round().astype(int))
    return Curve("ecdf", attribute, level, tuple(scores[order][at].tolist()), tuple(below[at].tolist()))


def probe_choices(leakage: Leakage) -> list[Subject]:
    """The attributes whose groups probes were asked for."""
    return list(dict.fromkeys(Subject("", r.attribute) for r in leakage.estimates if r.metric in PROBES))


def probes(leakage: Leakage, choice: Subject) -> Drawing:
    """How well each probe tells each level of an attribute."""
    rows = [r for r in leakage.estimates if r.metric in PROBES and r.attribute == choice.attribute]
    strips = {row.group: [r for r in rows if r.group == row.group] for row in rows}
    told = sum(r.verdict == "disparity shown" for r in rows)
    more = f" The first {MOST_STRIPS} of {len(strips)} groups are drawn." if len(strips) > MOST_STRIPS else ""
    caption = f"{leakage.method}: {told} of {len(rows)} probes show a leak.{more}"
    return leakage_strip("probes", list(strips.items())[:MOST_STRIPS], caption=caption)


def is_path(table: object) -> bool:
    """Whether it is the table of ``disparity_path`` or ``sog_path``."""
    return bool({"lam", "t"} & set(getattr(table, "columns", ())))


def path(table: Any) -> Drawing:
    """The errors over the settings of a method."""
    setting = "lam" if "lam" in table.columns else "t"
    return path_figure(
        "path",
        list(_lines(table, setting)),
        caption=f"Errors over {setting}, {len(table)} settings.",
        setting={"lam": "λ"}.get(setting, setting),
        axis="mean squared error" if setting == "lam" else "squared error",
    )


def _lines(table: Any, setting: str) -> Iterator[Curve]:
    for name in table.columns:
        if name not in (setting, "nonzero", "explained"):
            x, y = (tuple(table[column].astype(float)) for column in (setting, name))
            yield Curve("path", "", str(name), x, y)
