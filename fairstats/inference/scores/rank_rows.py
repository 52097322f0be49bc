"""Scores of a group against its reference, by ranks: the statistics, and the rows that an audit makes of them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from fairstats.estimates import Estimate
from fairstats.inference.scores.hodges_lehmann import hodges_lehmann
from fairstats.inference.scores.kolmogorov_smirnov import kolmogorov_smirnov
from fairstats.inference.scores.mann_whitney import EMPTY, mann_whitney, rank_test
from fairstats.inference.scores.merged_samples import RankTest, merge
from fairstats.inference.scores.superiority import (
    BrunnerMunzel,
    Superiority,
    brunner_munzel,
    cliffs_delta,
    superiority,
    superiority_of,
)

__all__ = [
    "BrunnerMunzel",
    "RankTest",
    "Superiority",
    "brunner_munzel",
    "cliffs_delta",
    "hodges_lehmann",
    "kolmogorov_smirnov",
    "mann_whitney",
    "shift_estimate",
    "superiority",
    "superiority_estimate",
]

NAN = float("nan")


def superiority_estimate(
    x: ArrayLike,
    y: ArrayLike,
    *,
    metric: str = "P(X>Y)",
    attribute: str = "",
    group: str = "",
    reference: str = "",
    conf_level: float = 0.95,
) -> Estimate:
    """The row of an audit for the probability of superiority of a group over its reference.

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
        Interval by Newcombe, p-value and statistic (U) by Mann-Whitney: near p = 1 - conf_level the two may disagree,
        because the test assumes equal distributions and the interval does not.

    Examples
    --------
    >>> superiority_estimate([2, 3], [1, 1], group="b", reference="a").estimate
    1.0
    """
    blocks = merge(x, y)
    test = rank_test(blocks)
    theta, se, low, high = superiority_of(blocks, conf_level)
    row = Estimate(metric, attribute, group, reference=reference, n=blocks.n, method=f"Newcombe 5; {test.method}")
    return _fill(row, test, theta, se, low, high, conf_level)


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
    """The row of an audit for the shift of a group's scores against its reference (Hodges-Lehmann).

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
        Contrast "difference"; the median of all differences, Moses' interval, Mann-Whitney's p-value.

    Examples
    --------
    >>> shift_estimate([2, 3, 4], [1, 1, 2], group="b", reference="a").estimate
    2.0
    """
    blocks = merge(x, y)
    test = rank_test(blocks)
    row = Estimate(
        metric, attribute, group, "difference", reference, n=blocks.n, method=f"Hodges-Lehmann, Moses; {test.method}"
    )
    estimate, low, high = hodges_lehmann(x, y, conf_level)
    return _fill(row, test, estimate, NAN, low, high, conf_level)


def _fill(
    row: Estimate, test: RankTest, estimate: float, se: float, low: float, high: float, conf_level: float
) -> Estimate:
    if np.isnan(estimate):
        return replace(row, status="unestimable", reason=EMPTY, method="")
    return replace(
        row,
        estimate=estimate,
        std_error=se,
        conf_low=low,
        conf_high=high,
        conf_level=conf_level,
        statistic=test.statistic,
        p_value=test.p_value,
    )
