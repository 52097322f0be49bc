"""How often a family of an audit has any false verdict: through the audit's own rows, not through its tests.

Run ``python benchmarks/coverage/family_size.py [--quick]`` (4000 draws a cell, or 1000). The cells are those in which
intervals alone, and equivalence at the levels of the tests of no difference, failed.
"""

from __future__ import annotations

import argparse

import numpy as np

from fairstats.auditing.effective_counts import Evidence
from fairstats.auditing.margins import Margins
from fairstats.auditing.protocol import Protocol
from fairstats.auditing.rows.rates import contrasts
from fairstats.inference.decisions import decided

# rate of everybody, people of the reference, of each group, groups
EQUAL = ((0.01, 2000, 12, 5), (0.01, 10_000, 20, 8), (0.99, 5000, 25, 6), (0.005, 5000, 40, 6), (0.02, 2000, 12, 5))
EQUAL += ((0.02, 1000, 30, 5), (0.95, 1000, 15, 3), (0.3, 300, 300, 5), (0.5, 8, 8, 1), (0.01, 200, 12, 1))
# rate of the reference, its people, those of each group, groups, margin below which all of them lie
MARGIN = ((0.5, 10_000, 2000, 5, 0.1), (0.5, 1500, 400, 5, 0.1), (0.3, 1500, 400, 3, 0.1), (0.06, 1000, 100, 2, 0.05))


def false_verdicts(word: str, cell: tuple[float, ...], below: float, draws: int, rng: np.random.Generator) -> float:
    """The share of families in which some comparison has the word."""
    rate, base, own, groups = cell[:4]
    n = np.array([base, *[own] * int(groups)], dtype=float)
    p = np.array([rate, *[rate - below] * int(groups)])
    labels = tuple(f"g{i}" for i in range(n.size))
    protocol = Protocol(("g",), equivalence=Margins(difference=below or None))
    found = 0
    for _ in range(draws):
        part = Evidence("FPR", rng.binomial(n.astype(int), p).astype(float), n, n, n, True, "")
        found += bool(decided(contrasts(part, "g", labels, "g0", protocol)).only(verdict=word))
    return found / draws


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--quick", action="store_true")
    draws = 1000 if parser.parse_args().quick else 4000
    rng = np.random.default_rng(11)
    print(f"{draws} draws a cell: nominal 5 %, Monte Carlo error {100 * np.sqrt(0.05 * 0.95 / draws):.1f} points")
    print("no difference: p, n of the reference, n of a group, groups; any 'disparity shown'")
    for cell in EQUAL:
        share = false_verdicts("disparity shown", cell, 0.0, draws, rng)
        print(f"  {', '.join(f'{v:g}' for v in cell):<24} {100 * share:5.1f} %", flush=True)
    print("all at the margin: p, n of the reference, n of a group, groups, margin; any 'equivalence shown'")
    for cell in MARGIN:
        share = false_verdicts("equivalence shown", cell, cell[4], draws, rng)
        print(f"  {', '.join(f'{v:g}' for v in cell):<24} {100 * share:5.1f} %", flush=True)


if __name__ == "__main__":
    main()
