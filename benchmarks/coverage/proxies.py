"""How often ``proxies`` shows any of sixty features of noise to give the groups away, alone or beside the others."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

import fairstats as fs
from benchmarks.coverage.cells import Cell, Shares
from fairstats.inference.representations.proxies import ADDED, ALONE

TABLE = 'Sixty features of noise: "disparity shown" for any of them'
FEATURES = 60
ALL, LABELS = range(5), (3, 4)
# people, shares of the groups, kinds of features, draws: a data set takes three to five seconds
DESIGNS = (
    (150, (0.8, 0.2), ALL, 200),
    (300, (0.7, 0.3), LABELS, 60),
    (600, (0.5, 0.5), ALL, 60),
    (600, (0.95, 0.05), ALL, 30),
    (600, (0.6, 0.3, 0.1), ALL, 30),
    (2000, (0.7, 0.3), ALL, 30),
)


def noise(kind: int, n: int, rng: np.random.Generator) -> np.ndarray:
    """A feature that says nothing: numbers, those mostly 0, those with gaps, few and many labels."""
    x = rng.normal(size=n)
    if kind == 0:
        return x
    if kind == 1:
        return np.where(rng.random(n) < 0.95, 0.0, np.exp(x))
    if kind == 2:
        return np.where(rng.random(n) < 0.3, np.nan, x)
    return rng.integers(0, 2 if kind == 3 else 30, n).astype(str)


def any_claim(n: int, shares: tuple[float, ...], kinds: Sequence[int], rng: np.random.Generator, draws: int) -> Shares:
    """The share of data sets with a claim about any feature, in each family."""
    claims = np.zeros(2)
    for _ in range(draws):
        people: dict[str, np.ndarray] = {"g": rng.choice(len(shares), n, p=shares)}
        people |= {f"x{j}": noise(kinds[j % len(kinds)], n, rng) for j in range(FEATURES)}
        rows = fs.proxies(people, "g", seed=int(rng.integers(2**31))).estimates.only(role="main")
        claims += [any(r.verdict == "disparity shown" for r in rows.only(metric=metric)) for metric in (ALONE, ADDED)]
    return {"verdict alone": claims[0] / draws, "verdict of what it adds": claims[1] / draws}


def cells() -> list[Cell]:
    """The cells of the table."""
    return [
        Cell(
            TABLE,
            f"{n} people, groups of {', '.join(f'{s:.0%}' for s in shares)}{', labels only' * (kinds == LABELS)}",
            partial(any_claim, n, shares, kinds),
            draws,
            most={"verdict alone": 0.06, "verdict of what it adds": 0.06},
        )
        for n, shares, kinds, draws in DESIGNS
    ]
