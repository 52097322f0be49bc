"""How often E-values and Rosenbaum's bound exclude an unmeasured factor that is the whole of a disparity.

Run ``python benchmarks/coverage/unmeasured_factor_size.py [--quick]`` (4000 draws a cell, or 500). Group and decision
are independent given the strata and a factor that nobody measured; its strength is known, so a bound or an E-value of
the limit above it is wrong. Two-sided level 5 %.
"""

from __future__ import annotations

import argparse

import numpy as np
from scipy.stats import nchypergeom_fisher

from fairstats.inference.rates.stratified_rates import stratified_rates
from fairstats.inference.rates.unmeasured_factors import e_value_of_interval, rosenbaum_bound

# strata, people of the group and of the reference in each, events in each, gamma of the worst factor
WORST = ((1, 60, 60, 50, 1.0), (1, 60, 60, 50, 2.0), (5, 20, 40, 25, 1.5), (100, 1, 1, 1, 3.0), (10, 8, 200, 40, 2.0))
# strata, people of each group in each, share with the factor in the group and in the reference, its risk ratio, rate
FACTORS = ((1, 400, 0.6, 0.3, 2.0, 0.2), (4, 100, 0.8, 0.2, 2.0, 0.2), (20, 20, 0.9, 0.3, 3.0, 0.1))


def bound_exceeds(cell: tuple[int, int, int, int, float], draws: int, rng: np.random.Generator) -> float:
    """The share of draws whose bound lies above the gamma that made the data."""
    strata, own, other, events, gamma = cell
    drawn = nchypergeom_fisher(own + other, events, own, gamma).rvs((draws, strata), random_state=rng)
    n1, n0 = np.full(strata, own), np.full(strata, other)
    return float(np.mean([rosenbaum_bound(e1, n1, events - e1, n0) > gamma for e1 in drawn]))


def limit_exceeds(cell: tuple[int, int, float, float, float, float], draws: int, rng: np.random.Generator) -> float:
    """The share of draws in which the E-value of the limit is above both ratios of the factor that made the ratio."""
    strata, size, own, other, relative, rate = cell
    n = np.full(strata, size)
    p1, p0 = (rate * (1 + (relative - 1) * share) for share in (own, other))
    strength, wrong = max(own / other, relative), 0
    for _ in range(draws):
        low, high = stratified_rates(rng.binomial(n, p1), n, rng.binomial(n, p0), n).ratio_limits(0.95)
        wrong += bool(e_value_of_interval(low, high) > strength)
    return wrong / draws


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--quick", action="store_true")
    draws = 500 if parser.parse_args().quick else 4000
    rng = np.random.default_rng(15)
    print(f"{draws} draws a cell; wrong at most in 5 % (2.5 % where the factor only works one way)")
    print("Rosenbaum's bound above gamma: strata, people of the group, of the reference, events, gamma")
    for cell in WORST:
        print(f"  {', '.join(f'{v:g}' for v in cell):<24} {100 * bound_exceeds(cell, draws, rng):5.1f} %", flush=True)
    print("E-value of the limit above the factor: strata, people, shares with the factor, its risk ratio, rate")
    for factor in FACTORS:
        print(
            f"  {', '.join(f'{v:g}' for v in factor):<24} {100 * limit_exceeds(factor, draws, rng):5.1f} %", flush=True
        )


if __name__ == "__main__":
    main()
