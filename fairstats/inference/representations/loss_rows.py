"""Rows of means of squared distances, and of their differences, by group: t intervals adjusted for skewness."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from fairstats.data.design import Design
from fairstats.estimates import Estimate, Estimates
from fairstats.inference.multiplicity import adjust
from fairstats.inference.skewness_t import LossSample, inference
from fairstats.labels import MISSING_LEVEL

Floats = NDArray[np.float64]
METHOD = "mean of squared distances; t, adjusted for skewness (Hall)"
WEIGHTED = "weighted mean of squared distances, linearized; t, adjusted for skewness (Hall)"
ALONE = "one person: no interval"
SAME = "the same for every person: no interval"
ROUNDING = 1e-10  # of the losses: differences of two losses that vary by less do not vary


@dataclass(frozen=True)
class Level:
    """The people of one level of an attribute, and their number (their summed weights)."""

    attribute: str
    group: str
    rows: NDArray[np.bool_]
    n: float


def group_rows(
    about: Estimate, levels: list[Level], values: Floats, weights: Floats | None, noise: float, conf_level: float
) -> list[Estimate]:
    """Return a row for the mean of each level of an attribute, and for its difference from that of the largest.

    Parameters
    ----------
    about : Estimate
        What the rows are about; with ``versus`` the values are changes, and their means are tested.
    levels : list of Level
        From ``levels_of``.
    values : array (n,)
        The loss of each row, or its change.
    weights : array (n,) or None
    noise : float
        Values that spread less do not vary.
    conf_level : float
    """
    own = [None if weights is None else weights[at.rows] for at in levels]
    samples = [LossSample.of(values[at.rows], noise, w) for at, w in zip(levels, own, strict=True)]
    rows = [*_levels(about, samples, levels, conf_level), *_gaps(about, samples, levels, conf_level)]
    return rows if weights is None else [weighted_method(row) for row in rows]


def weighted_method(row: Estimate) -> Estimate:
    """Return the row with the words for weighted means."""
    return replace(row, method=row.method.replace(METHOD, WEIGHTED))


def levels_of(design: Design) -> Iterator[list[Level]]:
    """The levels of each attribute, largest first, people without a group last."""
    assert design.groups is not None
    for name, factor in zip(design.groups.names, design.groups.factors, strict=True):
        mass = np.bincount(factor.codes, design.weights, minlength=len(factor.levels))
        levels = [Level(name, v, factor.codes == code, float(mass[code])) for code, v in enumerate(factor.levels)]
        yield sorted((at for at in levels if at.n > 0), key=lambda at: (at.group == MISSING_LEVEL, -at.n, at.group))


def _levels(about: Estimate, samples: list[LossSample], levels: list[Level], conf_level: float) -> Iterator[Estimate]:
    contrast = "difference" if about.versus else "none"
    for at, own in zip(levels, samples, strict=True):
        row = about.blank(attribute=at.attribute, group=at.group, contrast=contrast, n=at.n, estimate=own.mean)
        yield filled(row, own.mean, (own,), conf_level, tested=bool(about.versus))


def _gaps(about: Estimate, samples: list[LossSample], levels: list[Level], conf_level: float) -> Iterator[Estimate]:
    base, rows = samples[0], []
    for at, own in zip(levels[1:], samples[1:], strict=True):
        gap = own.mean - base.mean
        row = about.blank(attribute=at.attribute, group=at.group, contrast="difference", reference=levels[0].group)
        row = replace(row, n=at.n, estimate=gap)
        rows.append(filled(row, gap, (own, base), conf_level, tested=True))
    made = Estimates(rows)
    yield from made.with_p_adjusted(adjust(made.column("p_value"), "holm"))


def filled(row: Estimate, estimate: float, samples: tuple[LossSample, ...], level: float, tested: bool) -> Estimate:
    if min(s.n for s in samples) < 2:
        return replace(row, reason=ALONE)
    if not any(s.variance for s in samples):
        return replace(row, std_error=0.0, reason=SAME)
    made = inference(estimate, samples, level)
    row = replace(row, std_error=made.std_error, conf_low=made.low, conf_high=made.high, conf_level=level)
    row = replace(row, df=made.df, method=METHOD)
    return replace(row, statistic=made.statistic, p_value=made.p_value) if tested else row
