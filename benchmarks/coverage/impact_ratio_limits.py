"""Impact ratios: how often all of a table lie within their limits, against the best and one interval at a time."""

from __future__ import annotations

from functools import partial

import numpy as np

from benchmarks.coverage.cells import Cell, Shares
from fairstats.auditing.local_law_144 import impact_table
from fairstats.inference.rates.two_rates import koopman

# people of the categories, their rates
SEVEN = (400, 300, 200, 150, 100, 80, 60)
RATES = (
    (SEVEN, (0.4,) * 7),
    (SEVEN, (0.1,) * 7),
    (SEVEN, (0.3, 0.3, 0.3, 0.4, 0.4, 0.2, 0.2)),
    ((500, 480), (0.3, 0.3)),
)


def coverage(cell: tuple[tuple[int, ...], tuple[float, ...]], rng: np.random.Generator, draws: int) -> Shares:
    """The share of tables in which every limit holds: now, and one interval at a time against the observed highest."""
    n, rates = np.array(cell[0]), np.array(cell[1])
    truth, together, apart = rates / rates.max(), 0, 0
    for _ in range(draws):
        events = rng.binomial(n, rates)
        lines = impact_table(events, n, [str(i) for i in range(n.size)]).categories
        together += all(c.ratio_low <= t <= c.ratio_high for c, t in zip(lines, truth, strict=True))
        best = int(np.argmax(events / n))
        low, high = koopman(events, n, events[best], n[best], 0.95)
        holds = (low <= truth) & (truth <= high)
        apart += bool(holds[np.arange(n.size) != best].all())
    return {"all covered": together / draws, "all covered by Koopman, one at a time": apart / draws}


TABLE = "Impact ratios of Local Law 144: all limits of a table hold"


def cells() -> list[Cell]:
    """The cells of the table."""
    return [
        Cell(
            TABLE,
            f"categories of {', '.join(map(str, n))}, rates {', '.join(f'{p:g}' for p in rates)}",
            partial(coverage, (n, rates)),
            2000,
            100 * (k == 3),
            least={"all covered": 0.93},
        )
        for k, (n, rates) in enumerate(RATES)
    ]
