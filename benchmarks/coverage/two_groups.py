"""Two groups: how often "disparity shown" is wrong under equality, and right otherwise, by every decision rule.

By enumeration: all tables that have a chance are decided by each rule and their probabilities added. Families are
groups against one shared reference, decided at the first step of Holm's procedure (that is where a family-wise error
begins). Beside other packages by simulation.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import combinations_with_replacement

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binom

from benchmarks.coverage.anchors import verdicts
from benchmarks.coverage.cells import Cell, Shares, counted
from fairstats.auditing.counts import Against, Evidence
from fairstats.inference.rates.exact import barnard_test, score_p
from fairstats.inference.rates.rate_tests import TIE, _conditional, z_test
from fairstats.inference.rates.two_rates import newcombe

Flags = NDArray[np.bool_]
Rule = Callable[[int, int, float, tuple[int, int]], Flags]
ALPHA = 0.05
SIZES = (8, 12, 20, 30, 60, 200, 1000, 3000)
QUICK = ((8, 8), (8, 200), (12, 30), (12, 1000))
RATES = (0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5)
# reference n, group n, groups, rate: the cells of A4 where Newcombe's verdict had 4 to 19 %, and two more
FAMILIES = ((2000, 12, 5, 0.01), (5000, 25, 6, 0.01), (2000, 12, 5, 0.02), (1000, 15, 3, 0.05), (10_000, 20, 8, 0.01))
FAMILIES += ((5000, 40, 6, 0.005), (1000, 30, 5, 0.02), (300, 300, 5, 0.3), (200, 8, 4, 0.5), (60, 20, 8, 0.2))
POWER = ((20, 20, 0.2, 0.6), (12, 200, 0.1, 0.4), (30, 3000, 0.05, 0.2), (60, 60, 0.5, 0.75), (200, 1000, 0.1, 0.18))
POWER += ((50, 50, 0.02, 0.15),)


def _grid(n1: int, n0: int, reach: tuple[int, int]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    return np.meshgrid(np.arange(n1 + 1.0), np.arange(reach[0], reach[1] + 1.0), indexing="ij")


def by_newcombe(n1: int, n0: int, alpha: float, reach: tuple[int, int]) -> Flags:
    """Newcombe's interval at 1 - alpha excludes 0."""
    x, y = _grid(n1, n0, reach)
    low, high = newcombe(x, n1, y, n0, 1 - alpha)
    return np.asarray((low > 0) | (high < 0))


def by_z(n1: int, n0: int, alpha: float, reach: tuple[int, int]) -> Flags:
    """The pooled z-test."""
    x, y = _grid(n1, n0, reach)
    return np.asarray(z_test(x, n1, y, n0)[1] <= alpha)


def _by_total(n1: int, n0: int, reach: tuple[int, int], check: Callable[[int, NDArray[np.int64]], Flags]) -> Flags:
    """Rejections filled in along the totals e: judge(e, x) for the x of one diagonal."""
    out = np.zeros((n1 + 1, reach[1] - reach[0] + 1), dtype=bool)
    for e in range(reach[0], reach[1] + n1 + 1):
        x = np.arange(max(0, e - reach[1]), min(n1, e - reach[0]) + 1)
        if x.size:
            out[x, e - x - reach[0]] = check(e, x)
    return out


def conditional_p(e: int, x: NDArray[np.int64], n1: int, n0: int, mid: bool) -> NDArray[np.float64]:
    """Fisher's p-values, or mid-p, of all tables of one diagonal at once."""
    weights, place = _conditional(float(x[0]), n1, float(e - x[0]), n0)
    order = np.argsort(weights)
    total = np.concatenate([[0.0], np.cumsum(weights[order])])
    p = total[np.searchsorted(weights[order], weights * TIE, side="right")] - (weights / 2 if mid else 0)
    return p[place : place + x.size]


def by_fisher(n1: int, n0: int, alpha: float, reach: tuple[int, int]) -> Flags:
    """Fisher's exact test."""
    return _by_total(n1, n0, reach, lambda e, x: conditional_p(e, x, n1, n0, False) <= alpha)


def by_both(n1: int, n0: int, alpha: float, reach: tuple[int, int]) -> Flags:
    """Newcombe excludes 0 and mid-p <= alpha."""
    mid = _by_total(n1, n0, reach, lambda e, x: conditional_p(e, x, n1, n0, True) <= alpha)
    return by_newcombe(n1, n0, alpha, reach) & mid


def by_unconditional(n1: int, n0: int, alpha: float, reach: tuple[int, int]) -> Flags:
    """The exact unconditional test."""
    # on one diagonal the nuisance set is one and the same, so p falls as |z| grows: walk from a guess to the edges
    guess = {-1: 2.0, 1: 2.0}

    def check(e: int, x: NDArray[np.int64]) -> Flags:
        mean = e * n1 / (n1 + n0)
        sd = np.sqrt(max(mean * (1 - e / (n1 + n0)) * n0 / (n1 + n0), 1e-12))

        def rejected(i: int) -> bool:
            return bool(barnard_test(int(x[i]), n1, int(e - x[i]), n0) <= alpha)

        out = np.zeros(x.size, dtype=bool)
        for side in (-1, 1):  # positions beyond the edge, outward
            span = np.flatnonzero(x > mean) if side == 1 else np.flatnonzero(x < mean)[::-1]
            at = int(np.clip(np.searchsorted(np.abs(x[span] - mean), guess[side] * sd), 0, max(span.size - 1, 0)))
            while at > 0 and rejected(span[at - 1]):
                at -= 1
            while at < span.size and not rejected(span[at]):
                at += 1
            out[span[at:]] = True
            if at < span.size and sd > 1e-3:
                guess[side] = abs(x[span[at]] - mean) / sd
        return out

    return _by_total(n1, n0, reach, check)


def by_score(n1: int, n0: int, alpha: float, reach: tuple[int, int]) -> Flags:
    """Miettinen and Nurminen's interval excludes 0."""
    x, y = _grid(n1, n0, reach)
    return np.asarray(score_p(x, n1, y, n0) <= alpha)


def rejections(n1: int, n0: int, alpha: float, reach: tuple[int, int]) -> dict[str, Flags]:
    """What every rule rejects; that of an audit is the exact test where the score interval agrees."""
    entries = {name: rule(n1, n0, alpha, reach) for name, rule in RULES.items()}
    return entries | {"verdict": entries["unconditional"] & by_score(n1, n0, alpha, reach)}


RULES: dict[str, Rule] = {
    "z": by_z,
    "Newcombe": by_newcombe,
    "Newcombe and mid-p": by_both,
    "Fisher": by_fisher,
    "unconditional": by_unconditional,
}


def chance(n1: int, n0: int, p1: float, p0: float, rejected: Flags, first: int) -> float:
    """The probability of a rejection."""
    x, y = np.arange(n1 + 1), np.arange(first, first + rejected.shape[1])
    return float(binom.pmf(x, n1, p1) @ rejected @ binom.pmf(y, n0, p0))


def likely(n: int, p: float) -> tuple[int, int]:
    """Counts that have a chance."""
    return int(binom.ppf(1e-10, n, p)), int(binom.isf(1e-10, n, p))


def family(n1: int, n0: int, groups: int, p: float, rejected: Flags, reach: tuple[int, int]) -> float:
    """The chance of any false "disparity shown" among the groups, given the reference they share, averaged over it."""
    each = binom.pmf(np.arange(n1 + 1), n1, p) @ rejected
    return float(binom.pmf(np.arange(reach[0], reach[1] + 1), n0, p) @ (1 - (1 - each) ** groups))


def largest_size(n1: int, n0: int, rng: np.random.Generator, draws: int) -> Shares:
    """The largest size of each rule over the rates; rates above 1/2 by symmetry."""
    top = likely(n0, max(RATES))[1]
    rejected = rejections(n1, n0, ALPHA, (0, top))
    return {name: max(chance(n1, n0, p, p, r, 0) for p in RATES) for name, r in rejected.items()}


def family_size(cell: tuple[int, int, int, float], rng: np.random.Generator, draws: int) -> Shares:
    """The family-wise size of each rule."""
    n0, n1, groups, p = cell
    reach = likely(n0, p)
    result = rejections(n1, n0, ALPHA / groups, reach)
    return {name: family(n1, n0, groups, p, rejected, reach) for name, rejected in result.items()}


def power(cell: tuple[int, int, float, float], rng: np.random.Generator, draws: int) -> Shares:
    """The chance of "disparity shown" where there is one."""
    n1, n0, p0, p1 = cell
    reach = likely(n0, p0)
    result = rejections(n1, n0, ALPHA, reach)
    return {name: chance(n1, n0, p1, p0, rejected, reach[0]) for name, rejected in result.items()}


def beside_others(cell: tuple[int, int, float], rng: np.random.Generator, draws: int) -> Shares:
    """What an audit and other packages say of two equal rates."""
    n1, n0, p = cell
    n = np.array([n1, n0], dtype=float)

    def one() -> dict[str, bool]:
        e1, e0 = int(rng.binomial(n1, p)), int(rng.binomial(n0, p))
        part = Evidence("selection rate", np.array([e1, e0], dtype=float), n, n, n, True, "")
        return {"fairstats": bool(Against(part, 1, (0,)).p_values[0] <= ALPHA)} | verdicts((e1, n1, e0, n0), rng)

    return counted(one() for _ in range(draws))


SIZE_TABLE = 'Two groups of equal rates: largest chance of a false "disparity shown" over rates 0.005 to 0.995'
FAMILY_TABLE = 'Families of groups with one rate: chance of any false "disparity shown"'
POWER_TABLE = 'Two groups of different rates: chance of "disparity shown"'
OTHERS_TABLE = "Two groups of equal rates: chance of a false claim of difference, beside other packages"
OTHERS = ((8, 8, 0.5), (8, 200, 0.05), (12, 2000, 0.01), (30, 3000, 0.02), (60, 60, 0.1), (400, 1000, 0.3))


def cells() -> list[Cell]:
    """The cells of these tables."""
    pairs = sorted({*combinations_with_replacement(SIZES, 2), *QUICK})
    bound = {"verdict": 0.05 + 1e-6}
    sizes = [
        Cell(SIZE_TABLE, f"{n1} and {n0} people", partial(largest_size, n1, n0), 0, int((n1, n0) in QUICK), most=bound)
        for n1, n0 in pairs
    ]
    families = [
        Cell(
            FAMILY_TABLE,
            f"{groups} of {n1} people against {n0}, rate {p:g}",
            partial(family_size, (n0, n1, groups, p)),
            0,
            int(k < 2),
            most=bound,
        )
        for k, (n0, n1, groups, p) in enumerate(FAMILIES)
    ]
    powers = [
        Cell(POWER_TABLE, f"{n1} and {n0} people, rates {p1:g} and {p0:g}", partial(power, (n1, n0, p0, p1)), 0)
        for n1, n0, p0, p1 in POWER
    ]
    others = [
        Cell(
            OTHERS_TABLE,
            f"{n1} and {n0} people, rate {p:g}",
            partial(beside_others, (n1, n0, p)),
            2000,
            400,
            most={"fairstats": 0.06},
        )
        for n1, n0, p in OTHERS
    ]
    return [*sizes, *families, *powers, *others]
