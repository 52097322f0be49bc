"""Whether decisions or scores agree with the outcome more, or less, often than by chance.

Less often is rare but where labels changed places. The share of right decisions would not tell: of a rare outcome that
is often predicted most predictions are wrong. So the measure is the balanced accuracy, (TPR + TNR) / 2, or the AUC.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import hypot
from statistics import NormalDist
from typing import NamedTuple

from fairstats.auditing.answer import complement
from fairstats.estimates import Estimate

LEAST, LARGEST_P = 0.05, 0.001  # distance from 0.5, and two-sided p of 0.5
NEARLY_ALL = 0.9  # of people are in groups on the same side
FEWEST = 10  # with the outcome, and without it, for an AUC: normal limits of few are too narrow


class Agreement(NamedTuple):
    """Which side of 0.5 it is on, 0 where that is not clear; the mean over groups; how many groups are below 0.5."""

    side: int
    share: float
    below: int
    groups: int


def agreement(rows: Iterable[Estimate]) -> Agreement:
    """How far decisions or scores agree with the outcome, within groups, whose rates may differ in both.

    rows: the TPR and the FPR, or the AUC, of each group, with limits.

    >>> rates = (("TPR", 0.2, 0.15, 0.26), ("FPR", 0.7, 0.64, 0.75))
    >>> agreement(Estimate(name, group="f", n=200).with_interval(*values, 0.95) for name, *values in rates)
    Agreement(side=-1, share=0.25, below=1, groups=1)
    """
    of: dict[str, list[Estimate]] = {}
    for row in rows:
        if row.conf_high > row.conf_low:  # both are NaN where nothing is estimated
            of.setdefault(row.group, []).append(complement(row) if row.metric == "FPR" else row)
    found = [
        own for own in of.values()
        if len(own) == 2 or (own[0].metric == "AUC" and min(own[0].events, own[0].n - own[0].events) >= FEWEST)
    ]  # fmt: skip
    n = [sum(row.n for row in own) for own in found]
    if not sum(n):
        return Agreement(0, 0.5, 0, 0)
    shares = [sum(row.estimate for row in own) / len(own) for own in found]
    share = sum(size * one for size, one in zip(n, shares, strict=True)) / sum(n)
    side = -1 if share < 0.5 else 1
    # the limits of a mean by those of its parts (MOVER), on the side of 0.5
    toward = [
        (row.conf_high - row.estimate if side < 0 else row.estimate - row.conf_low) * size / len(own) / sum(n)
        for size, own in zip(n, found, strict=True) for row in own
    ]  # fmt: skip
    level = found[0][0].conf_level
    further = NormalDist().inv_cdf(1 - LARGEST_P / 2) / NormalDist().inv_cdf((1 + level) / 2)
    alike = sum(size for size, one in zip(n, shares, strict=True) if (one - 0.5) * side > 0) / sum(n)
    clear = abs(share - 0.5) > max(LEAST, further * hypot(*toward)) and alike >= NEARLY_ALL
    return Agreement(side if clear else 0, share, sum(one < 0.5 for one in shares), len(shares))
