"""The interval of the extra error: how often it covers, with unequal spreads, few rows and many features.

Run ``python benchmarks/coverage/extra_error_coverage.py [--quick] [--part N]`` (2000 draws a cell, or 500; the Nth
sixth of the cells). What is covered is ‖P_Z E(A)‖², A the components that the interval speaks of: those of the fit,
or, where it splits rows, those of a half of the rows. Last: p ≤ .05 of the tail, and of 99 studentized permutations.
"""

from __future__ import annotations

import argparse
from typing import NamedTuple

import numpy as np

import fairstats as fs
from fairstats.inference.representations.judged_rows import judged_rows
from fairstats.inference.representations.noncentral import null_tail, total_interval
from fairstats.inference.representations.studentized_rows import permutation_p


class Cell(NamedTuple):
    """Sizes of two groups, features, components, spread of the first group, decay of the spectrum, effect in sd."""

    n1: int
    n2: int
    p: int
    k: int
    ratio: float = 1.0
    decay: float = 0.5
    effect: float = 0.0
    tail: str = "normal"


CELLS = [
    Cell(60, 40, 4, 2, 1, 0.5, 0.5),
    Cell(60, 40, 5, 5, 1, 1, 0.2),
    Cell(12, 200, 6, 5, 1, 0.5, 0),
    Cell(12, 200, 6, 5, 2, 0.5, 1),
    Cell(12, 200, 6, 5, 4, 0.5, 0),
    Cell(12, 200, 6, 5, 4, 0.5, 1),
    Cell(200, 12, 6, 5, 4, 0.5, 1),
    Cell(20, 280, 4, 3, 3, 0.5, 0),
    Cell(20, 280, 4, 3, 3, 0.5, 0.5),
    Cell(30, 30, 4, 3, 1, 0, 5),
    Cell(100, 100, 5, 4, 1, 0.5, 0.3, "t3"),
    Cell(100, 100, 5, 4, 2, 0.5, 0.3, "lognormal"),
    Cell(150, 100, 7, 4, 1, 0, 0.3),
    Cell(150, 100, 25, 5, 1, 0, 0.3),
    Cell(150, 100, 50, 5, 1, 1, 0.3),
    Cell(50, 30, 50, 3, 1, 0, 0.3),
    Cell(150, 100, 200, 5, 1, 0, 0.2),
    Cell(60, 60, 120, 3, 3, 0.5, 0.5),
    Cell(12, 200, 212, 3, 4, 0.5, 0.5),
]


def rows(cell: Cell, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Features, groups and the mean of every row."""
    g = np.repeat([0, 1], [cell.n1, cell.n2])
    sd = np.arange(1, cell.p + 1.0) ** -cell.decay
    shift = cell.effect * sd * np.where(np.arange(cell.p) % 2, 1, -1) * (np.arange(cell.p) < max(3, cell.p // 3))
    n = g.size
    if cell.tail == "t3":
        noise = rng.standard_t(3, (n, cell.p)) / np.sqrt(3)
    elif cell.tail == "lognormal":
        noise = (rng.lognormal(0, 1, (n, cell.p)) - np.exp(0.5)) / np.sqrt((np.e - 1) * np.e)
    else:
        noise = rng.normal(size=(n, cell.p))
    mean = np.outer(g == 0, shift)
    return mean + noise * sd * np.where(g == 0, cell.ratio, 1.0)[:, None], g, mean


def one(cell: Cell, seed: int, rng: np.random.Generator) -> tuple[bool, bool, bool, bool]:
    """Whether the truth lies below or above the interval, and whether either p-value is at most .05."""
    X, g, mean = rows(cell, rng)
    fit = fs.pca(X, g.astype(str), k=cell.k)
    found = judged_rows(fit, X, g.astype(str), None, seed)
    assert found.part is not None and found.components is not None and found.rows is not None
    codes = found.rows[2]
    assert codes is not None
    shift = mean[g == 0][0] @ found.components.weights
    share = float(np.mean(codes == codes[0]))
    truth = found.factor * found.n * share * (1 - share) * float(shift @ shift)
    limits = total_interval(found.part, 0.95)
    slack = 1e-9 * (1 + truth)
    return (
        truth < found.factor * limits.low - slack,
        truth > found.factor * limits.high + slack,
        null_tail(found.part).value <= 0.05,
        permutation_p(*found.rows, 99, seed)[0] <= 0.05,
    )


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="500 draws a cell")
    parser.add_argument("--part", type=int, default=0)
    asked = parser.parse_args()
    draws = 500 if asked.quick else 2000
    print(f"{draws} draws a cell; Monte Carlo error of 95 %: {100 * np.sqrt(0.05 * 0.95 / draws):.1f} points")
    print(f"{'n1, n2, p, k, spread ratio, decay, effect':>48}  covers  below  above   tail  permuted")
    for number, cell in enumerate(CELLS):
        if asked.part and number * 6 // len(CELLS) + 1 != asked.part:
            continue
        rng = np.random.default_rng([7, number])
        seen = np.mean([one(cell, i, rng) for i in range(draws)], axis=0)
        said = ", ".join(f"{v:g}" if not isinstance(v, str) else v for v in cell)
        figures = [1 - seen[0] - seen[1], *seen]
        print(f"{said:>48}  " + "  ".join(f"{v:6.1%}" for v in figures), flush=True)


if __name__ == "__main__":
    main()
