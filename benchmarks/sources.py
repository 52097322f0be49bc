"""Audits where the rows are, beside the engine's own bare GROUP BY: Parquet files, PostgreSQL; and beside fairlearn.

Usage: python -m benchmarks.sources [--rows 10_000_000] [--postgres 10_000_000]

Makes Parquet files of three columns (group, decision, outcome) in a temporary folder. The yardstick of a folder is
DuckDB's ``SELECT race, decision, outcome, count(*) ... GROUP BY`` of the same files; of PostgreSQL the same query. What
is timed is the tally: what an audit makes of it takes the same fifth of a second however many rows there are. Of a
million people in memory the whole audit stands beside fairlearn's ``MetricFrame`` of two rates, which has no intervals.
Memory is the peak of a process that does nothing but the audit. ``--rows 100_000_000`` takes half a gigabyte of disk.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.side_by_side import ratio, report  # first: it pins the thread pools

# isort: split
import numpy as np
import pandas as pd

import fairstats

PER_FILE, MOST_MEMORY = 5_000_000, 1000
ROLES = {"decision": "decision", "groups": "race", "outcome": "outcome"}
QUERY = "SELECT race, decision, outcome, count(*) FROM {} GROUP BY race, decision, outcome"
MEMORY = """
import pathlib, re, sys, fairstats as fs
fs.audit(sys.argv[1], "decision", "race", outcome="outcome")
print(int(re.search(r"VmHWM:\\s+(\\d+)", pathlib.Path("/proc/self/status").read_text())[1]) // 1024)
"""


def people(n: int, seed: int) -> pd.DataFrame:
    """A group of four, a decision and an outcome."""
    rng = np.random.default_rng(seed)
    race = np.array(["white", "black", "asian", "other"])[rng.choice(4, n, p=[0.6, 0.2, 0.15, 0.05])]
    return pd.DataFrame({"race": race, "decision": rng.integers(0, 2, n), "outcome": rng.integers(0, 2, n)})


def write(folder: Path, rows: int) -> None:
    """Parquet files of so many people together."""
    for i, start in enumerate(range(0, rows, PER_FILE)):
        people(min(PER_FILE, rows - start), i).to_parquet(folder / f"part-{i:03d}.parquet", index=False)


def of_files(rows: int) -> list[bool]:
    """An audit of a folder, in time and memory."""
    import duckdb

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write(folder, rows)
        pattern = str(folder / "*.parquet")
        table = f"read_parquet('{pattern}')"
        ours = ratio(lambda: fairstats.tally(pattern, **ROLES), lambda: duckdb.sql(QUERY.format(table)).fetchall(), 3)
        engine = ratio(
            lambda: fairstats.tally(duckdb.sql(f"FROM {table}"), **ROLES),
            lambda: duckdb.sql(QUERY.format(table)).fetchall(),
            3,
        )
        done = subprocess.run([sys.executable, "-c", MEMORY, pattern], capture_output=True, text=True, check=True)
    memory = int(done.stdout)
    print(f"peak memory of the audit of the folder: {memory} MB")
    return [
        report(f"{rows:.0e} rows of Parquet, tally of the folder", "DuckDB's GROUP BY", ours, 1.3),
        report(f"{rows:.0e} rows of Parquet, tally of the relation", "DuckDB's GROUP BY", engine, 1.3),
        memory < MOST_MEMORY,
    ]


def of_postgres(rows: int) -> list[bool]:
    """An audit of a table of PostgreSQL, started for this."""
    from tests.postgres import server

    with tempfile.TemporaryDirectory(prefix="pg") as name, server(Path(name)) as result:
        backend = result.connect()
        with backend.con.cursor() as cursor:
            cursor.execute("CREATE TABLE people (race text, decision bigint, outcome bigint)")
            cursor.execute(
                "INSERT INTO people SELECT (ARRAY['white', 'black', 'asian'])[1 + floor(random() * 3)::int], "
                f"floor(random() * 2)::bigint, floor(random() * 2)::bigint FROM generate_series(1, {rows})"
            )
            cursor.execute("ANALYZE people")
        backend.con.commit()

        def bare() -> None:
            with backend.con.cursor() as cursor:
                cursor.execute(QUERY.format("people")).fetchall()

        measured = ratio(lambda: fairstats.tally(backend.table("people"), **ROLES), bare, 3)
        backend.disconnect()
    return [report(f"{rows:.0e} rows in PostgreSQL", "its GROUP BY", measured, 1.3)]


def beside_fairlearn() -> list[bool]:
    """A million people in memory: an audit with intervals and tests beside two rates by group."""
    from fairlearn.metrics import MetricFrame, selection_rate, true_positive_rate

    table = people(1_000_000, 0)

    def theirs() -> None:
        metrics = {"selection": selection_rate, "tpr": true_positive_rate}
        frame = MetricFrame(
            metrics=metrics, y_true=table["outcome"], y_pred=table["decision"], sensitive_features=table["race"]
        )
        frame.difference(method="between_groups")

    return [
        report(
            "10^6 people in memory",
            "fairlearn's MetricFrame, 2 rates",
            ratio(lambda: fairstats.audit(table, **ROLES), theirs, 3),
            1,
        )
    ]


def main() -> int:
    """Measure everything; 1 where something took longer than it may."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=lambda text: int(text.replace("_", "")), default=10_000_000)
    parser.add_argument("--postgres", type=lambda text: int(text.replace("_", "")), default=10_000_000)
    chosen = parser.parse_args()
    return int(not all([*of_files(chosen.rows), *of_postgres(chosen.postgres), *beside_fairlearn()]))


if __name__ == "__main__":
    sys.exit(main())
