"""Scores of a group against its reference, by ranks: the statistics, and the rows that an audit makes of them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from fairstats.estimates import Estimate
from fairstats.inference.scores.hodges_lehmann import hodges_lehmann, shift_of
from fairstats.inference.scores.kolmogorov_smirnov import kolmogorov_smirnov
from fairstats.inference.scores.mann_whitney import EMPTY, mann_whitney, rank_test
from fairstats.inference.scores.merged_samples import Blocks, RankTest, merge
from fairstats.inference.scores.superiority import (
    Superiority,
    cliffs_delta,
    superiority,
)

__all__ = [
    "RankTest",
    "Superiority",
    "cliffs_delta",
    "hodges_lehmann",
    "kolmogorov_smirnov",
    "mann_whitney",
    "shift_estimate",
    "superiority",
]

NAN = float("nan")
NO_SHIFT_LIMITS = "so many differences of two scores are equal that the shift has no interval"


def shift_estimate(
    x: ArrayLike,
    y: ArrayLike,
    *,
    metric: str = "score shift",
    attribute: str = "",
    group: str = "",
    reference: str = "",
    conf_level: float = 0.95,
) -> Estimate:
    """The shift of a group's scores against its reference (Hodges-Lehmann), which is one number if the shapes agree.

    Parameters
    ----------
    x, y : array_like, shape (n,) and (m,)
        Scores of the group and of the reference.
    metric, attribute, group, reference : str
        What the row says it is about.
    conf_level : float
        Confidence level.

    Returns
    -------
    Estimate
        Contrast "difference"; the median of all differences, Moses' interval, Mann-Whitney's p-value. Neither interval
        nor p-value, with the reason, where ties leave the interval no width.

    Examples
    --------
    >>> shift_estimate([2, 3, 4], [1, 1, 2], group="b", reference="a").estimate
    2.0
    """
    blocks = merge(x, y)
    row = Estimate(metric, attribute, group, "difference", reference, n=blocks.n)
    return shift_row(blocks, rank_test(blocks), row, conf_level)


def shift_row(blocks: Blocks, test: RankTest, about: Estimate, conf_level: float) -> Estimate:
    """A row filled with the Hodges-Lehmann shift and a Mann-Whitney test that was made before.

    Parameters
    ----------
    blocks : Blocks
        Scores of the group and of the reference, merged.
    test : RankTest
        Mann-Whitney's.
    about : Estimate
        What the row says it is about.
    conf_level : float
        Confidence level.

    Returns
    -------
    Estimate

    Examples
    --------
    >>> shift_row(merge([2, 3], [1, 1]), RankTest(4.0, 0.3, "Mann-Whitney"), Estimate("score shift"), 0.95).estimate
    1.5
    """
    estimate, low, high = shift_of(blocks, conf_level)
    if np.isnan(estimate):
        return replace(about, status="unestimable", reason=EMPTY)
    # Moses' limits assume a continuous distribution that is shifted: where they meet, ties made them, not precision.
    if low == high:  # a p-value beside a shift that the ties hold at one number is of the distributions, not of it
        said = "; ".join(filter(None, [NO_SHIFT_LIMITS, about.reason]))
        return replace(about, estimate=estimate, method="Hodges-Lehmann, if the shapes agree", reason=said)
    return about.with_interval(
        estimate, low, high, conf_level, method=f"Hodges-Lehmann, Moses, if the shapes agree; {test.method}"
    ).with_test(test.statistic, test.p_value)
