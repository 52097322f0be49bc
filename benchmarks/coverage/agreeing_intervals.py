"""The interval that agrees with the verdict of two groups: how it covers, and how long it is beside Newcombe's.

By enumeration over 11 by 11 rates from .01 to .99: Miettinen and Nurminen's interval, extended to 0 where the exact
test does not reject.
"""

from __future__ import annotations

from functools import partial

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binom

from benchmarks.coverage.cells import Cell, Shares
from benchmarks.coverage.two_groups import ALPHA, rejections
from fairstats.inference.rates.two_rates import miettinen_nurminen, newcombe

Floats = NDArray[np.float64]
SIZES = ((8, 8), (12, 30), (20, 20), (12, 200), (30, 60), (60, 60), (12, 2000), (60, 200), (200, 200))
RATES = (0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9, 0.95, 0.99)
TABLE = "Two groups: coverage and width of the interval that agrees with the verdict, over 121 pairs of rates"


def _median(values: Floats, weights: Floats) -> float:
    order = np.argsort(values.ravel())
    return float(values.ravel()[order][np.searchsorted(np.cumsum(weights.ravel()[order]), 0.5)])


def covering(n1: int, n0: int, rng: np.random.Generator, draws: int) -> Shares:
    """Shares of coverage, and the median over the rates of the ratio of median widths."""
    x, y = np.meshgrid(np.arange(n1 + 1.0), np.arange(n0 + 1.0), indexing="ij")
    low, high = miettinen_nurminen(x, n1, y, n0, 1 - ALPHA)
    shown = rejections(n1, n0, ALPHA, (0, n0))["verdict"]
    low, high = np.where(~shown & (low > 0), 0.0, low), np.where(~shown & (high < 0), 0.0, high)
    other = newcombe(x, n1, y, n0, 1 - ALPHA)
    rows = []
    for p1 in RATES:
        for p0 in RATES:
            chance = binom.pmf(x, n1, p1) * binom.pmf(y, n0, p0)
            current, theirs = (
                float(chance[(a <= p1 - p0 + 1e-12) & (p1 - p0 - 1e-12 <= b)].sum()) for a, b in ((low, high), other)
            )
            rows.append((current, theirs, _median(high - low, chance) / _median(other[1] - other[0], chance)))
    current, theirs, width = np.array(rows).T
    return {
        "covered": float(current.mean()),
        "lowest": float(current.min()),
        "pairs of rates under 93 %": float(np.mean(current < 0.93)),
        "Newcombe": float(theirs.mean()),
        "Newcombe, lowest": float(theirs.min()),
        "Newcombe, pairs under 93 %": float(np.mean(theirs < 0.93)),
        "median width in Newcombe's": float(np.median(width)),
    }


def cells() -> list[Cell]:
    """The cells of the table."""
    return [
        Cell(
            TABLE,
            f"{n1} and {n0} people",
            partial(covering, n1, n0),
            0,
            int(n0 == 30),
            most={"median width in Newcombe's": 1.03},
            least={"covered": 0.94},
        )
        for n1, n0 in SIZES
    ]
