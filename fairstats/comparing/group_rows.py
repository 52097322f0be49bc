"""From measures to tidy rows: levels by group, gaps between groups, differences between methods, curves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import groupby
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairstats.comparing.headline import FOCUS, furthest, headline_pairs
from fairstats.comparing.metrics import SHARE, Measure, distribution, joint, superiority
from fairstats.comparing.one_split import stack
from fairstats.comparing.overall_rows import parity_rows, representation_rows
from fairstats.comparing.result import ScoreCurve, Term
from fairstats.comparing.rows import Splits, level_row, tested_row, versus, with_test
from fairstats.estimates import Estimate, Estimates
from fairstats.inference.multiplicity import adjust
from fairstats.inference.repeated_splits import twice_median

Floats = NDArray[np.float64]
KS_METHOD = "mean of {} splits; twice the median p of Kolmogorov-Smirnov"


def estimates(splits: Splits) -> Estimates:
    """Every row of a comparison, p-values adjusted within their families.

    Parameters
    ----------
    splits : Splits
        The numbers of all splits.

    Returns
    -------
    Estimates
        Attribute, gaps between groups (Holm over groups and terms), differences between methods (Holm over groups and
        terms; a family each metric, attribute and kind).
    """
    between_groups = [*_gaps(splits), *_paired(splits)]
    about_all = _adjusted([*parity_rows(splits), *representation_rows(splits)])
    found = [*_levels(splits), *_adjusted(between_groups), *_adjusted(_between_methods(splits)), *about_all]
    return Estimates([*found, *_headline(splits, Estimates(found))])


def _headline(splits: Splits, rows: Estimates) -> Iterator[Estimate]:
    """P(X>Y) and selection rates of the pair that the first method sets furthest apart, with every method.

    The data pick it among m pairs, so each interval has the level 1 - α/m: with any one method all m intervals of a
    metric hold at once with the confidence that was asked for, hence that of the pair picked does (Bonferroni).
    """
    among = headline_pairs(rows, splits.terms[0])
    if len(among) < 2:
        return
    widest = furthest(among)
    together = replace(splits, conf_level=1 - (1 - splits.conf_level) / len(among))
    measure = superiority(splits.plan, splits.results)
    panels = [splits.plan.panels[g] for g, _ in splits.plan.pairs]
    q = next(i for i, at in enumerate(panels) if (at.attribute, at.group) == (widest.attribute, widest.group))
    selected = next((made for made in splits.measures if made.metric == splits.selection), None)
    for t, term in enumerate(splits.terms):
        about = together.about(measure, q, term, splits.plan.pairs[q][0], reference=widest.reference, role=FOCUS)
        yield level_row(about, together.corrected(*measure.of(t)), q, within=SHARE)
        if selected is not None:
            gap = list(_gap(together, selected.at(t), term, *selected.of(t)))[q]
            yield replace(gap, role=FOCUS, p_adjusted=min(1.0, gap.p_value * len(among)))


def joint_shares(splits: Splits) -> Estimates:
    """The four joint shares of Table 2 of Aliverti et al. (2021), by group; they sum to 1.

    Parameters
    ----------
    splits : Splits
        The numbers of all splits.

    Returns
    -------
    Estimates
    """
    return Estimates(row for measure in joint(splits.plan, splits.results) for row in _level(splits, measure))


def _levels(splits: Splits) -> Iterator[Estimate]:
    for measure in splits.measures:
        yield from _level(splits, measure)


def _level(splits: Splits, measure: Measure) -> Iterator[Estimate]:
    for t, term in enumerate(splits.terms):
        c = splits.corrected(*measure.of(t))
        for g in range(len(splits.plan.panels)):
            yield level_row(splits.about(measure.at(t), g, term, g), c, g, measure.within)


def _gaps(splits: Splits) -> Iterator[Estimate]:
    for measure in splits.measures:
        for t, term in enumerate(splits.terms):
            yield from _gap(splits, measure.at(t), term, *measure.of(t))


def _gap(splits: Splits, measure: Measure, term: Term, values: Floats, added: Floats) -> Iterator[Estimate]:
    """Each group less its reference: different people, so what the strata add is summed."""
    for g, r in splits.plan.pairs:
        sides = splits.corrected(values[:, [g, r]], added[[g, r]])
        c = splits.corrected(values[:, [g]] - values[:, [r]], added[[g]] + added[[r]])
        if np.isnan(sides.std_error).any():  # what one side varies by is not what both do
            c = c.without_error()
        reference = splits.plan.panels[r].group
        about = splits.about(measure, g, term, g, contrast="difference", reference=reference)
        yield tested_row(about, c, 0)


def _paired(splits: Splits) -> Iterator[Estimate]:
    """P(X>Y) and the Kolmogorov-Smirnov distance of each group's scores and its reference's."""
    if not splits.plan.pairs:
        return
    measure, tests = superiority(splits.plan, splits.results), stack(splits.results, "distance")
    for t, term in enumerate(splits.terms):
        c = splits.corrected(*measure.of(t))
        for q, (g, r) in enumerate(splits.plan.pairs):
            about = splits.about(measure, q, term, g, reference=splits.plan.panels[r].group)
            yield with_test(level_row(about, c, q, within=SHARE), c, q, null=0.5)
            method = KS_METHOD.format(len(splits.results))
            distance = replace(about, metric="Kolmogorov-Smirnov distance", method=method, conf_level=np.nan)
            p = float(twice_median(tests[:, t, q, 1]))
            yield replace(distance, estimate=float(tests[:, t, q, 0].mean()), p_value=p)


def _between_methods(splits: Splits) -> Iterator[Estimate]:
    """Each term less the first method with the same model: levels by group, and gaps between groups."""
    for t, b, term in versus(splits.terms):
        for measure in splits.measures:
            values, added = measure.of(t, less=b)
            c = splits.corrected(values, added)
            for g in range(len(splits.plan.panels)):
                about = splits.about(measure.at(t), g, term, g, contrast="difference")
                yield tested_row(about, c, g)
            yield from _gap(splits, measure.at(t), term, values, added)


def _family(row: Estimate) -> tuple[Any, ...]:
    return row.metric, row.attribute, bool(row.reference)


def _adjusted(rows: Iterable[Estimate]) -> Iterator[Estimate]:
    for _, family in groupby(sorted(rows, key=_family), key=_family):
        members = Estimates(family)
        yield from members.with_p_adjusted(adjust(members.column("p_value"), "holm"))


def curves(splits: Splits) -> tuple[ScoreCurve, ...]:
    """Distribution functions of the held-out scores by term and group, averaged over splits, with pointwise bands.

    Parameters
    ----------
    splits : Splits
        The numbers of all splits.

    Returns
    -------
    tuple of ScoreCurve
    """
    lines = []
    for t, term in enumerate(splits.terms):
        grid = tuple(splits.results[0].grids[t].tolist())
        c = splits.corrected(*distribution(splits.plan, splits.results, t))
        low, high = (np.clip(np.where(np.isnan(v), c.mean, v), 0, 1) for v in (c.low, c.high))
        for g, at in enumerate(splits.plan.panels):
            x_y = grid, tuple(c.mean[g].tolist())
            band = tuple(low[g].tolist()), tuple(high[g].tolist())
            lines.append(ScoreCurve("ecdf", at.attribute, at.group, *x_y, *band, term.name))
    return tuple(lines)
