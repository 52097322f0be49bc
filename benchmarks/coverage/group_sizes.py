"""How large a third group has to be for an alternative to be found: ``python -m benchmarks.coverage.group_sizes``.

Prints the table of ``docs/guide/models.md``. Outcomes are 1 for half of the people, and the candidate is right about
75 % of them. The model in use decides otherwise about a share of all people, and refuses so many more of the second
group that its gap is 12 points; the third group has no gap with either. A search is that of `fairstats.alternatives`
with one candidate, without its sentences and its other rates. Finished cells are kept in ``build/coverage``.
"""

from __future__ import annotations

import argparse
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from benchmarks.coverage.cells import Cell, Shares, Store
from fairstats.auditing.group_studies import direction, size_limit
from fairstats.auditing.models import Compared, tallied
from fairstats.estimates import Estimates

REFERENCE, SECOND, GAP, RIGHT = 6000, 3000, 0.12, 0.75
LABELS, LEVEL, MARGIN = ("a", "b", "c"), 0.95, 0.02  # people of "a" are the reference
THIRD = (200, 500, 1000, 2000, 5000, 10_000)
APART = (0.1, 0.2)
GAP_MARGINS = (0.02, 0.05, 0.1)
DRAWS = 400
Counts = dict[str, tuple[NDArray[np.float64], NDArray[np.float64]]]


def half(third: int, apart: float, rng: np.random.Generator) -> Counts:
    """Whom the model in use and the candidate accept, and about whom they are right, among half of the people."""
    codes = np.repeat([0, 1, 2], (REFERENCE // 2, SECOND // 2, third // 2))
    y = rng.random(codes.size) < 0.5
    new = np.where(rng.random(codes.size) < RIGHT, y, ~y)
    old = np.where(rng.random(codes.size) < apart, ~new, new)
    old &= (codes != 1) | (rng.random(codes.size) >= 2 * GAP)  # half of the group were accepted
    decisions = np.stack([old, new], axis=1)
    return {
        "selection rate": tallied(codes, decisions, len(LABELS)),
        "accuracy": tallied(codes, decisions == y[:, None], len(LABELS)),
    }


def decides(chosen: Counts) -> str:
    """The group whose gap decides, "" where those who choose do not prefer the candidate."""
    (n, both), (_, right) = chosen["selection rate"], chosen["accuracy"]
    rates = both.diagonal(axis1=1, axis2=2) / n[:, None]
    old, new = np.abs(rates[1:] - rates[0]).T
    lost = (right[:, 0, 0] - right[:, 1, 1]).sum() / n.sum()
    return LABELS[1 + int(old.argmax())] if new.max() < old.max() and lost <= MARGIN else ""


def most_larger(tested: Counts, group: str) -> float:
    """By how much the gap of the other group may be larger, where all else is shown; else endless."""
    about = Compared("g", LABELS, 0, ("old", "new"), ((1, 0),), LEVEL, None, "none", joint=False)
    changes, beside = about.rate("selection rate", *tested["selection rate"])
    right, _ = about.rate("accuracy", *tested["accuracy"])
    rows = Estimates([*changes, *beside])
    near = next(row for row in right if not row.group).conf_low > -MARGIN
    smaller = next(row for row in changes if row.group == group)
    if not near or direction(smaller, rows) != "smaller":
        return float("inf")
    return size_limit(next(row for row in changes if row.group != group), rows)


def found(case: tuple[int, float], rng: np.random.Generator, draws: int) -> Shares:
    """The share of searches that find the candidate, by ``gap_margin``."""
    larger = np.full(draws, np.inf)
    for i in range(draws):
        if group := decides(half(*case, rng)):
            larger[i] = most_larger(half(*case, rng), group)
    return {f"{margin:g}": float(np.mean(larger < margin)) for margin in GAP_MARGINS}


def cells(draws: int = DRAWS) -> list[Cell]:
    """A cell for each share of people about whom the models differ, and each size of the third group."""
    return [
        Cell("An alternative is found", f"{third} people, {apart:g} apart", partial(found, (third, apart)), draws)
        for apart in APART
        for third in THIRD
    ]


def main() -> None:
    """Print the table, a line a share and margin, and its largest standard error."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--draws", type=int, default=DRAWS, help="searches a cell")
    draws = parser.parse_args().draws
    store = Store(Path(__file__).parents[2] / "build" / "coverage")
    shares = [store.shares(cell, draws) for cell in cells(draws)]
    print(f"| people of the third group | {' | '.join(f'{third:,}' for third in THIRD)} |")
    print("|---" * (1 + len(THIRD)) + "|")
    for i, apart in enumerate(APART):
        for margin in GAP_MARGINS:
            row = [share[f"{margin:g}"] for share in shares[i * len(THIRD) : (i + 1) * len(THIRD)]]
            name = f"both models differ on {apart:.0%} of people, `gap_margin` {100 * margin:g} points"
            print(f"| {name} | {' | '.join(f'{100 * share:.0f}' for share in row)} |")
    print(f"\n{draws} searches a cell; standard errors of at most {50 / np.sqrt(draws):.1f} points.")


if __name__ == "__main__":
    main()
