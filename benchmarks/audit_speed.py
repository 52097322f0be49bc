"""Audits of a million people and of a hundred groups; one sort of a million scores and one pandas group-by beside them.

The yardstick is what any such audit has to do at least once: to group a million people by one column, and to sort a
million scores (stably); both together take an eighth of a second on a common machine.
"""

from __future__ import annotations

import sys
from time import perf_counter
from typing import Any

from benchmarks.side_by_side import ratio, report  # first: it pins the thread pools

# isort: split
import numpy as np
import pandas as pd

import fairstats

MILLION, HUNDRED_THOUSAND = 1_000_000, 100_000
REPEATS = 3


def people(n: int, groups: int = 5, seed: int = 0) -> pd.DataFrame:
    """Two attributes, a continuous score, an outcome and a decision; group sizes as they come."""
    rng = np.random.default_rng(seed)
    score = rng.normal(size=n)
    sex = rng.integers(0, 2, n)
    score += 0.2 * sex
    return pd.DataFrame(
        {
            "sex": np.array(["f", "m"])[sex],
            "group": np.array([f"g{i:03d}" for i in range(groups)])[rng.integers(0, groups, n)],
            "score": score,
            "outcome": (rng.random(n) < 1 / (1 + np.exp(-score))).astype(int),
            "decision": (score + rng.normal(size=n) > 0.5).astype(int),
        }
    )


TWO: dict[str, Any] = {"decision": "decision", "groups": ["sex", "group"]}
ONE: dict[str, Any] = {"decision": "decision", "groups": "group"}
OUTCOME: dict[str, Any] = {"outcome": "outcome", "favorable": 1}
# what is audited, people, groups, arguments, the most in units of the yardstick
CASES = [
    ("10^6 people, two attributes, decision", MILLION, 5, TWO, 2),
    ("  and a score", MILLION, 5, TWO | {"score": "score"}, 16),
    ("  and an outcome", MILLION, 5, TWO | {"score": "score"} | OUTCOME, 28),
    ("10^5 people, 100 groups, decision", HUNDRED_THOUSAND, 100, ONE, 6),
    ("10^5 people, 150 groups, decision", HUNDRED_THOUSAND, 150, ONE, 9),
    ("10^5 people, 100 groups, decision and outcome", HUNDRED_THOUSAND, 100, ONE | OUTCOME, 36),
]


def main() -> bool:
    table = people(MILLION)
    scores = table["score"].to_numpy()

    def yardstick() -> None:
        table.groupby("group")["decision"].mean()
        np.argsort(scores, kind="stable")

    fine = True
    for name, n, groups, arguments, at_most in CASES:
        # other people every time: exact tests and permutations of known counts are kept
        tables = iter([people(n, groups, seed) for seed in range(REPEATS + 1)])
        seconds: list[float] = []

        def audit(arguments: dict[str, Any] = arguments, seconds: list[float] = seconds, tables: Any = tables) -> None:
            start = perf_counter()
            fairstats.audit(next(tables), **arguments)
            seconds.append(perf_counter() - start)

        measured = ratio(audit, yardstick, repeats=REPEATS)
        fine &= report(f"{name} ({min(seconds):.2f} s)", "group-by and sort of 10^6", measured, at_most)
    return fine


if __name__ == "__main__":
    sys.exit(0 if main() else 1)
