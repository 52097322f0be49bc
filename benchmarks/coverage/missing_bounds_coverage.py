"""How often the true difference lies within the bounds over what is missing, and within them with sampling error.

Run ``python benchmarks/coverage/missing_bounds_coverage.py [--quick]`` (4000 draws a cell, or 800). "Worst" cells lose
people so that the truth lies at the upper bound of the population, where the interval is shortest on that side.
"""

from __future__ import annotations

import argparse

import numpy as np

from fairstats.inference.rates.missing_bounds import Gaps, bounds_with_error, difference_bounds

# people, share without a group and (independently) without a decision, rates of the two groups, worst case
CELLS = ((80, 0.1, 0.5, 0.4, True), (200, 0.1, 0.5, 0.4, True), (400, 0.05, 0.3, 0.3, True))
CELLS += ((1000, 0.1, 0.5, 0.4, True), (400, 0.02, 0.5, 0.5, False), (400, 0.0, 0.5, 0.4, False))


def sample(cell: tuple[int, float, float, float, bool], rng: np.random.Generator) -> Gaps:
    """Two groups of people of whom some lack a group, some a decision, some both."""
    n, share, p, q, worst = cell
    own = rng.random(n) < 0.5
    y = rng.random(n) < np.where(own, p, q)
    chance = np.where(own == y, 2 * share, 0.0) if worst else share
    no_group, no_decision = rng.random(n) < chance, rng.random(n) < chance

    def known(of: np.ndarray) -> tuple[float, float, float]:
        seen = of & ~no_decision
        return float((seen & y).sum()), float((seen & ~y).sum()), float((of & no_decision).sum())

    return Gaps(known(own & ~no_group), known(~own & ~no_group), either=known(no_group))


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--quick", action="store_true")
    draws = 800 if parser.parse_args().quick else 4000
    rng = np.random.default_rng(12)
    print(f"{draws} draws a cell: nominal 95 %, Monte Carlo error {100 * np.sqrt(0.05 * 0.95 / draws):.1f} points")
    print("people; missing; rates; worst case | with sampling error | bounds alone")
    for cell in CELLS:
        gap, held = cell[2] - cell[3], np.zeros(2)
        for _ in range(draws):
            gaps = sample(cell, rng)
            held += [low <= gap <= high for low, high in (bounds_with_error(gaps), difference_bounds(gaps))]
        wide, narrow = 100 * held / draws
        print(f"  {', '.join(map(str, cell)):<28} | {wide:.1f} % | {narrow:.1f} %", flush=True)


if __name__ == "__main__":
    main()
