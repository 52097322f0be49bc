"""Strata: how often "disparity shown" is wrong where every stratum has equal rates, and what the limits cover.

Run ``python benchmarks/coverage/stratified_size.py [--quick]`` (4000 draws a cell, or 400). A verdict needs both the
interval of the Mantel-Haenszel difference without 0 and the exact stratified mid-p at or below 5 %.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from fairstats.inference.rates.mantel_haenszel import cmh_test
from fairstats.inference.rates.stratified_exact import stratified_mid_p
from fairstats.inference.rates.stratified_rates import stratified_rates

Array = NDArray[np.float64]
# sizes of the group and of the reference, rates of the reference, rates of the group
Draw = Callable[[float], tuple[NDArray[np.int64], NDArray[np.int64], Array, Array]]
rng = np.random.default_rng(7)


def logistic(strata: int, people: int, share: float, center: float, spread: float = 0.0) -> Draw:
    """Random sizes of the group, random rates, log odds ratios with a mean and, if asked for, a spread."""

    def draw(effect: float) -> tuple[NDArray[np.int64], NDArray[np.int64], Array, Array]:
        n1, base = rng.binomial(people, share, strata), rng.normal(center, 1, strata)
        return n1, people - n1, expit(base + effect + spread * rng.normal(size=strata) * (effect != 0)), expit(base)

    return draw


def fixed(strata: int, n1: int, n0: int, p: float) -> Draw:
    """Equal strata; the effect is on the logit scale."""
    odds = np.log(p / (1 - p))
    size = (np.full(strata, n1), np.full(strata, n0))
    return lambda effect: (*size, np.full(strata, expit(odds + effect)), np.full(strata, p))


CELLS: dict[str, Draw] = {
    "40 strata of 5": logistic(40, 5, 0.5, 0),
    "40 strata of 5, unequal effects": logistic(40, 5, 0.5, 0, 1.5),
    "100 pairs": logistic(100, 2, 0.5, 0),
    "15 strata of 3": logistic(15, 3, 0.5, 0),
    "40 strata of 6, group 10 %, rare": logistic(40, 6, 0.1, -3),
    "12 strata, 1 against 40, rare": fixed(12, 1, 40, 0.05),
    "3 strata, 8 against 200, rare": fixed(3, 8, 200, 0.05),
    "5 strata, 20 against 200, rare": fixed(5, 20, 200, 0.02),
    "3 strata, 8 against 8": fixed(3, 8, 8, 0.5),
    "4 strata, 60 against 90": fixed(4, 60, 90, 0.3),
    "4 strata of 150, unequal effects": logistic(4, 150, 0.4, 0, 1.5),
}


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="400 draws a cell")
    draws = 400 if parser.parse_args().quick else 4000
    print(f"{draws} draws a cell. Equal rates: verdict, mid-p alone, CMH, Wald (Qiu's variance). Log odds ratio 0.7:")
    print("coverage of the limits, of Wald's, share shown.")
    for name, draw in CELLS.items():
        null, other = [], []
        for effect, seen in ((0.0, null), (0.7, other)):
            for _ in range(draws):
                n1, n0, p1, p0 = draw(effect)
                e1, e0 = rng.binomial(n1, p1), rng.binomial(n0, p0)
                made = stratified_rates(e1, n1, e0, n0)
                if made.reason:
                    continue
                weight = n1 * n0 / (n1 + n0)
                truth = float(weight @ (p1 - p0) / weight.sum())
                low, high = made.limits()
                exact = stratified_mid_p(e1, n1, e0, n0)[0] <= 0.05
                wald = abs(made.difference - truth) <= 1.959964 * made.std_error
                cmh = cmh_test(e1, n1, e0, n0, correct=False)[1] <= 0.05
                seen.append((exact and (low > 0 or high < 0), exact, cmh, wald, low <= truth <= high))
        a, b = np.mean(null, axis=0), np.mean(other, axis=0)
        print(
            f"{name:>34}: size {a[0]:6.2%} {a[1]:6.2%} {a[2]:6.2%} {1 - a[3]:6.2%}"
            f"   coverage {b[4]:6.2%} (null {a[4]:6.2%}) {b[3]:6.2%}   shown {b[0]:6.1%}",
            flush=True,
        )


if __name__ == "__main__":
    main()
