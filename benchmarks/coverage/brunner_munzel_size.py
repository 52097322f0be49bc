"""P(X>Y): how often "disparity shown" is wrong where the truth is 1/2, and how often the limits cover elsewhere.

Run ``python benchmarks/coverage/brunner_munzel_size.py [--quick]`` (4000 draws, or 300). Beside ours: the t test,
Mann-Whitney, and Newcombe's method 5, which assume equal shapes (the last two) or many different values (the first).
"""

from __future__ import annotations

import argparse
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from fairstats.inference.scores.brunner_munzel import relative_effect
from fairstats.inference.scores.mann_whitney import mann_whitney
from fairstats.inference.scores.superiority import superiority

Floats = NDArray[np.float64]
rng = np.random.default_rng(20240)


def normal(n: int, center: float = 0, spread: float = 1) -> Callable[[], Floats]:
    """Normal scores."""
    return lambda: rng.normal(center, spread, n)


def points(n: int, *chances: float) -> Callable[[], Floats]:
    """Scores 0, 1, 2 ... with given chances."""
    return lambda: rng.choice(len(chances), n, p=chances).astype(float)


def exponential(n: int, scale: float) -> Callable[[], Floats]:
    """Exponential scores."""
    return lambda: rng.exponential(scale, n)


CELLS: list[tuple[str, Callable[[], Floats], Callable[[], Floats], float]] = [
    ("normal 8, 8", normal(8), normal(8), 0.5),
    ("normal 20, 20", normal(20), normal(20), 0.5),
    ("sd 4:1, 8, 200", normal(8, 0, 4), normal(200), 0.5),
    ("sd 20:1, 12, 200", normal(12, 0, 20), normal(200), 0.5),
    ("sd 4:1, 15, 150", normal(15, 0, 4), normal(150), 0.5),
    ("sd 1:4, 15, 150", normal(15), normal(150, 0, 4), 0.5),
    ("sd 2:1, 40, 400", normal(40, 0, 2), normal(400), 0.5),
    ("5 points, polarized 20, 200", points(20, 0.4, 0.1, 0, 0.1, 0.4), points(200, 0, 0.1, 0.8, 0.1, 0), 0.5),
    ("90 % zero, 12, 2000", points(12, 0.9, 0.05, 0.05), points(2000, 0.9, 0.05, 0.05), 0.5),
    ("97 % zero, 200, 200", points(200, 0.97, 0.02, 0.01), points(200, 0.97, 0.02, 0.01), 0.5),
    ("97 % zero, 400, 5000", points(400, 0.97, 0.02, 0.01), points(5000, 0.97, 0.02, 0.01), 0.5),
    ("shift 1, sd 3:1, 20, 200", normal(20, 1, 3), normal(200), 0.624085),
    ("shift 2, 12, 100", normal(12, 2), normal(100), 0.921350),
    ("shift 3, 20, 20", normal(20, 3), normal(20), 0.983053),
    ("exponential, 2:1, 10, 100", exponential(10, 2), exponential(100, 1), 2 / 3),
]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="300 draws a cell")
    draws = 300 if parser.parse_args().quick else 4000
    print(f"{draws} draws a cell; columns 1 to 3: p <= .05 (a size where P = .5); 4 and 5: coverage of 95 % limits")
    print(f"{'':>28}      P    ours  BM t   Mann-W.   ours   Newcombe 5")
    for name, first, second, truth in CELLS:
        seen = []
        for i in range(draws):
            x, y = first(), second()
            ours, plain = relative_effect(x, y, seed=i), relative_effect(x, y, permute=False)
            other = superiority(x, y)
            low, high = ours.limits()
            seen.append(
                (
                    ours.p_value <= 0.05,
                    plain.p_value <= 0.05,
                    mann_whitney(x, y).p_value <= 0.05,
                    np.nan if np.isnan(low) else low <= truth <= high,
                    other.low <= truth <= other.high,
                )
            )
        shares = np.nanmean(np.array(seen, dtype=float), axis=0)
        print(f"{name:>28}  {truth:5.3f}  " + "  ".join(f"{v:6.1%}" for v in shares), flush=True)


if __name__ == "__main__":
    main()
