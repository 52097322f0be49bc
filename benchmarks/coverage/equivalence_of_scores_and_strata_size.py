"""How often P(X>Y), and a difference within strata, is falsely "equivalent" exactly at the margin: by simulation.

Run ``python benchmarks/coverage/equivalence_of_scores_and_strata_size.py [--quick]`` (4000 draws a cell, or 500).
"""

from __future__ import annotations

import argparse

import numpy as np
from scipy.special import ndtri

from fairstats.inference.rates.stratified_rates import stratified_rates
from fairstats.inference.scores.brunner_munzel import relative_effect

# n, m, standard deviations, margin
SCORES = ((30, 30, 1.0, 1.0, 0.2), (100, 100, 1.0, 1.0, 0.1), (20, 200, 1.0, 1.0, 0.2), (15, 150, 4.0, 1.0, 0.25))
SCORES += ((40, 400, 2.0, 1.0, 0.15), (200, 200, 1.0, 1.0, 0.05))
# strata, people of the group and of the reference in each, rate of the reference, margin
STRATA = ((3, 50, 50, 0.3, 0.1), (10, 20, 40, 0.5, 0.1), (40, 3, 5, 0.4, 0.15), (100, 1, 2, 0.3, 0.2))
STRATA += ((5, 20, 200, 0.1, 0.1), (2, 500, 500, 0.2, 0.03))


def scores(cell: tuple[float, ...], draws: int, rng: np.random.Generator) -> float:
    """The share of samples with P(X>Y) = 1/2 + margin in which equivalence is claimed."""
    n, m, sd1, sd0, margin = cell
    shift = float(ndtri(0.5 + margin)) * np.hypot(sd1, sd0)
    false = 0
    for seed in range(draws):
        x, y = rng.normal(shift, sd1, int(n)), rng.normal(0, sd0, int(m))
        false += relative_effect(x, y, seed=seed).p_equivalence(margin) <= 0.05
    return false / draws


def strata(cell: tuple[float, ...], draws: int, rng: np.random.Generator) -> float:
    """The share of samples with a difference of minus the margin in every stratum in which equivalence is claimed."""
    k, n1, n0, rate, margin = cell
    false = 0
    for _ in range(draws):
        e1 = rng.binomial(int(n1), max(rate - margin, 0), int(k))
        e0 = rng.binomial(int(n0), rate, int(k))
        made = stratified_rates(e1, np.full(int(k), n1), e0, np.full(int(k), n0))
        false += made.p_equivalence(margin) <= 0.05
    return false / draws


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--quick", action="store_true")
    draws = 500 if parser.parse_args().quick else 4000
    rng = np.random.default_rng(5)
    error = 100 * np.sqrt(0.05 * 0.95 / draws)
    print(f"{draws} draws a cell: nominal 5 %, Monte Carlo error {error:.1f} points")
    for name, cells, share in (("n, m, sd, sd, margin", SCORES, scores), ("K, n1, n0, rate, margin", STRATA, strata)):
        print(name)
        for cell in cells:
            print(f"  {', '.join(f'{v:g}' for v in cell):<28} {100 * share(cell, draws, rng):5.1f} %", flush=True)


if __name__ == "__main__":
    main()
