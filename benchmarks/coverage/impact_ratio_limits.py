"""How often all impact ratios of a table lie within their limits: against the best, and one Koopman interval at a time.

Run ``python benchmarks/coverage/impact_ratio_limits.py [--quick]`` (4000 tables a cell, or 300).
"""

from __future__ import annotations

import argparse

import numpy as np

from fairstats.inference.rates.two_rates import koopman
from fairstats.presets.local_law_144_tables import impact_table

# people of the categories, their rates
SEVEN = (400, 300, 200, 150, 100, 80, 60)
CELLS = (
    (SEVEN, (0.4,) * 7),
    (SEVEN, (0.1,) * 7),
    (SEVEN, (0.3, 0.3, 0.3, 0.4, 0.4, 0.2, 0.2)),
    ((500, 480), (0.3, 0.3)),
)


def coverage(cell: tuple[tuple[int, ...], tuple[float, ...]], draws: int, rng: np.random.Generator) -> tuple:
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
    return together / draws, apart / draws


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--quick", action="store_true")
    draws = 300 if parser.parse_args().quick else 4000
    rng = np.random.default_rng(144)
    print(f"{draws} tables a cell: nominal 95 %, Monte Carlo error {100 * np.sqrt(0.05 * 0.95 / draws):.1f} points")
    for cell in CELLS:
        together, apart = coverage(cell, draws, rng)
        print(f"  {cell[0]}; {cell[1]} | {100 * together:.1f} % | one at a time {100 * apart:.1f} %", flush=True)


if __name__ == "__main__":
    main()
