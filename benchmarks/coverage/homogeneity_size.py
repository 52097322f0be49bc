"""How often a common odds ratio is rejected as not common: the exact conditional test beside Breslow and Day's.

Run ``python benchmarks/coverage/homogeneity_size.py [--quick]`` (4000 draws a cell, or 300).
"""

from __future__ import annotations

import argparse

import numpy as np

from fairstats.inference.rates.homogeneity import homogeneity_test
from fairstats.inference.rates.mantel_haenszel import breslow_day

# strata, people of the group (least, most), of the reference, common odds ratio
CELLS = (
    (100, (1, 3), (1, 3), 1.0),
    (100, (1, 3), (1, 3), 3.0),
    (50, (1, 1), (5, 20), 1.0),
    (10, (8, 12), (40, 60), 2.0),
)
CELLS += ((4, (40, 60), (40, 60), 2.0),)


def sizes(cell: tuple[int, tuple[int, int], tuple[int, int], float], draws: int, rng: np.random.Generator) -> tuple:
    """The share of draws in which each test rejects at 5 %."""
    strata, own, other, odds = cell
    exact = chi = 0
    for _ in range(draws):
        n1, n0 = (rng.integers(low, high + 1, strata) for low, high in (own, other))
        base = rng.uniform(0.2, 0.6, strata)
        own_rate = odds * base / (1 - base + odds * base)
        tables = rng.binomial(n1, own_rate), n1, rng.binomial(n0, base), n0
        exact += homogeneity_test(*tables, draws=199).p_value <= 0.05
        chi += breslow_day(*tables)[2] <= 0.05
    return exact / draws, chi / draws


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--quick", action="store_true")
    draws = 300 if parser.parse_args().quick else 4000
    rng = np.random.default_rng(13)
    print(f"{draws} draws a cell: nominal 5 %, Monte Carlo error {100 * np.sqrt(0.05 * 0.95 / draws):.1f} points")
    print("strata; people of the group; of the reference; odds ratio | exact | Breslow-Day")
    for cell in CELLS:
        exact, chi = sizes(cell, draws, rng)
        print(f"  {'; '.join(map(str, cell)):<32} | {100 * exact:5.1f} % | {100 * chi:5.1f} %", flush=True)


if __name__ == "__main__":
    main()
