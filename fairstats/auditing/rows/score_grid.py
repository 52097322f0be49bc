"""What a grid of scores cannot tell: by how much a statistic of the scores may differ from that of the grid."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from fairstats.data.grids import EXACT, in_bins
from fairstats.estimates import Estimate
from fairstats.inference.scores.merged_samples import Blocks

Floats = NDArray[np.float64]


def untold(blocks: Blocks, level: int) -> float:
    """The most by which P(X>Y) of the scores can differ from that of the grid: half the share of pairs within a bin.

    Parameters
    ----------
    blocks : Blocks
        Two samples on the grid, merged.
    level : int
        The grid's.

    Returns
    -------
    float
        0 without a grid.

    Examples
    --------
    >>> untold(Blocks(np.array([0.25, 0.5]), np.array([2.0, 2.0]), np.array([1.0, 3.0])), 1)
    0.0625
    """
    if level >= EXACT or not blocks.n or not blocks.m:
        return 0.0
    shared = in_bins(blocks.values, level)
    return float(blocks.x[shared] @ blocks.y[shared]) / (blocks.n * blocks.m) / 2


def untold_shift(blocks: Blocks, level: int) -> float:
    """The most by which a difference of two scores, and so the median of all, can be off: a step of the grid.

    Examples
    --------
    >>> untold_shift(Blocks(np.array([0.25]), np.ones(1), np.ones(1)), 1)
    0.5
    """
    return 2.0**-level if level < EXACT and in_bins(blocks.values, level).any() else 0.0


def told(row: Estimate, most: float) -> Estimate:
    """A row that says by how much its estimate can be off, rounded upward.

    Examples
    --------
    >>> told(Estimate("P(X>Y)", estimate=0.5), 0.0123).reason
    'scores on a grid: off by at most 0.013'
    """
    if not most or row.status != "ok":
        return row
    digit = 10.0 ** (np.floor(np.log10(most)) - 1)
    caution = f"scores on a grid: off by at most {np.ceil(most / digit) * digit:.2g}"
    return replace(row, reason="; ".join(filter(None, [row.reason, caution])))
