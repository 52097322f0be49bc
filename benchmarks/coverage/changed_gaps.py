"""Changes of a difference of two rates: how often limits hold, and how often no change is called one."""

from __future__ import annotations

from functools import partial

import numpy as np

from benchmarks.coverage.cells import Cell, Shares
from fairstats.inference.rates.two_rates import change_limits

# people of group and reference before, then after; the rates in the same order
CASES = (
    ((8, 8, 8, 8), (0.3, 0.2, 0.6, 0.5)),
    ((8, 20, 8, 20), (0.5, 0.5, 0.5, 0.5)),
    ((12, 12, 8, 8), (0.5, 0.5, 0.5, 0.5)),
    ((12, 2000, 15, 1800), (0.1, 0.2, 0.1, 0.2)),
    ((60, 400, 60, 400), (0.02, 0.05, 0.02, 0.05)),
    ((200, 300, 250, 280), (0.3, 0.5, 0.3, 0.5)),
    ((200, 300, 250, 280), (0.3, 0.5, 0.45, 0.5)),
)
Case = tuple[tuple[int, ...], tuple[float, ...]]


def shares(case: Case, rng: np.random.Generator, draws: int) -> Shares:
    """The share of draws whose limits hold the change; where there is none, in which one is shown."""
    n, rates = (np.reshape(part, (2, 2)) for part in case)
    truth = rates[1, 0] - rates[1, 1] - rates[0, 0] + rates[0, 1]
    covered = shown = 0
    for _ in range(draws):
        low, high = change_limits(rng.binomial(n, rates), n)
        covered += low - 1e-12 <= truth <= high + 1e-12
        shown += low > 0 or high < 0
    entries = {"covered": covered / draws}
    return entries if abs(truth) > 1e-9 else entries | {"false change": shown / draws}


TABLE = "Changes of a difference of two rates between two audits"


def cells() -> list[Cell]:
    """The cells of the table."""
    return [
        Cell(
            TABLE,
            f"{', '.join(map(str, n))} people, rates {', '.join(f'{p:g}' for p in rates)}",
            partial(shares, (n, rates)),
            4000,
            least={"covered": 0.94},
            **({"most": {"false change": 0.06}} if np.isclose(rates[2] - rates[3], rates[0] - rates[1]) else {}),
        )
        for n, rates in CASES
    ]
