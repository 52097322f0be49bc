"""Audits of a million people and of thousands of groups; one sort of a million scores and a group-by beside them.

The yardstick is what any such audit has to do at least once: to group a million people by one column, and to sort a
million scores (stably); both together take an eighth of a second on a common machine. With ``--large`` large audits
stand beside version 0.2, each in a process of its own: seconds of processor, the most memory, and the exponent of cost
in rows of output. ``--command`` measures COMPAS at the command line (``FAIRSTATS_DATA``) beyond the imports of pandas
and scipy.stats, as an installed wheel starts, whose modules are compiled: 12.6 s in version 0.2. What is left is to a
fifth our imports (half of that the code that dataclasses write), to a fifth permutations, to a sixth exact tests.
"""

from __future__ import annotations

import os
import subprocess
import sys
from multiprocessing import get_context
from pathlib import Path
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage
from time import perf_counter, process_time
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


# what is audited, people, levels of each column, whether there is an outcome, arguments, and of version 0.2 the rows of
# output, seconds and megabytes
PAIRS: dict[str, Any] = {"intersections": "pairs"}
FULL: dict[str, Any] = {"intersections": "full"}
LARGE: list[tuple[str, int, tuple[int, ...], bool, dict[str, Any], tuple[int, float, int] | None]] = [
    ("10^5 people, 2 x 2 x 4 x 12, all crossed", HUNDRED_THOUSAND, (2, 2, 4, 12), True, FULL, (8_646, 20.0, 282)),
    ("10^5 people, 2 x 2 x 4 x 12, pairs", HUNDRED_THOUSAND, (2, 2, 4, 12), True, PAIRS, None),
    ("10^6 people, 20 x 2 x 4 x 12 x 2, all crossed", MILLION, (20, 2, 4, 12, 2), True, FULL, (159_044, 968.0, 4_800)),
    ("10^6 people, 20 x 2 x 4 x 12 x 2, pairs", MILLION, (20, 2, 4, 12, 2), True, PAIRS, None),
    ("10^5 people, 1000 groups, decision", HUNDRED_THOUSAND, (1000,), False, {}, None),
    ("10^5 people, 1000 groups, decision and outcome", HUNDRED_THOUSAND, (1000,), True, {}, None),
]
GROWING = (100, 200, 400, 800, 1600)  # groups of 250 people each, whose cost in rows has an exponent


def crossed(n: int, levels: tuple[int, ...], outcome: bool, seed: int = 0) -> pd.DataFrame:
    """Columns of groups of equal chances, a decision and perhaps an outcome that it depends on."""
    rng = np.random.default_rng(seed)
    columns: dict[str, Any] = {
        f"a{i}": np.array([f"l{j:04d}" for j in range(k)])[rng.integers(0, k, n)] for i, k in enumerate(levels)
    }
    present = (rng.random(n) < 0.4).astype(int)
    columns["decision"] = (rng.random(n) < 0.35 + 0.2 * present).astype(int)
    return pd.DataFrame(columns | ({"outcome": present} if outcome else {}))


def measured(n: int, levels: tuple[int, ...], outcome: bool, arguments: dict[str, Any]) -> tuple[int, float, int]:
    """Rows of output, seconds of processor and megabytes of one audit, of the process that runs it."""
    data, answers = crossed(n, levels, outcome), OUTCOME_OF_LARGE if outcome else {}
    fairstats.audit(
        data.head(2000), "decision", "a0" if len(levels) == 1 else ["a0", "a1"], **answers
    )  # loads what it needs
    start = process_time()
    result = fairstats.audit(data, "decision", [f"a{i}" for i in range(len(levels))], **answers, **arguments)
    return len(result.estimates), process_time() - start, getrusage(RUSAGE_SELF).ru_maxrss // 1024


OUTCOME_OF_LARGE: dict[str, Any] = {"outcome": "outcome", "positive_prediction": 1}


def alone(*case: Any) -> tuple[int, float, int]:
    """`measured` in a fresh process."""
    with get_context("spawn").Pool(1) as pool:
        return pool.apply(measured, case)


def large() -> None:
    """Print the large audits beside version 0.2, and how cost grows with the rows of output."""
    for name, n, levels, outcome, arguments, before in LARGE:
        rows, seconds, memory = alone(n, levels, outcome, arguments)
        beside = "" if before is None else f"   (0.2: {before[0]:,} rows, {before[1]:,.0f} s, {before[2]:,} MB)"
        print(f"{name:48} {rows:8,} rows {seconds:7.2f} s {memory:6,} MB{beside}", flush=True)
    items = [alone(250 * k, (k,), True, {}) for k in GROWING]
    rows, seconds = np.array([row[:2] for row in items]).T
    exponent = np.polyfit(np.log(rows), np.log(seconds), 1)[0]
    print(f"cost grows with rows of output to the power of {exponent:.2f} ({rows[0]:,.0f} to {rows[-1]:,.0f} rows)")


COMPAS = ("--outcome", "two_year_recid", "--groups", "race,sex", "--score", "decile_score", "--threshold", "5",
          "--favorable", "0")  # fmt: skip


def of_command(*words: str) -> float:
    """Seconds of processor of a run of Python."""
    before = getrusage(RUSAGE_CHILDREN)
    compiled = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    subprocess.run([sys.executable, *words], check=True, stdout=subprocess.DEVNULL, env=compiled)
    after = getrusage(RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def command() -> None:
    """Print what COMPAS at the command line takes beyond the imports of pandas and scipy.stats."""
    file = str(Path(os.environ["FAIRSTATS_DATA"], "data", "compas-scores-two-years.csv"))
    imports, whole = (
        min(of_command(*words) for _ in range(2 * REPEATS))
        for words in (("-c", "import pandas, scipy.stats"), ("-m", "fairstats", "audit", file, *COMPAS))
    )
    print(f"COMPAS at the command line: {whole - imports:.2f} s beyond the imports ({imports:.2f} s of {whole:.2f} s)")


def main() -> bool:
    if "--large" in sys.argv:
        large()
        return True
    if "--command" in sys.argv:
        command()
        return True
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
