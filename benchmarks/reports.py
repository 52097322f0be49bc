"""Audits of a CSV file beside pandas' own reading; the page, the PDF and the Word file of a report
beside the audit that it tells of.

The file has about 22 MB. A report is of two attributes, an outcome and a score of 7000 people: its page has thirteen
figures and some 25 tables. The audit that stands beside it is of other people every time, as exact tests are kept.
"""

from __future__ import annotations

import sys
import tempfile
from itertools import count
from pathlib import Path
from typing import Any

from benchmarks.side_by_side import ratio, report  # first: it pins the thread pools

# isort: split
import numpy as np
import pandas as pd

import fairstats
from fairstats.reporting.bundle import without_data

ROWS, PEOPLE, SMALL = 1_250_000, 7000, 120_000
ROLES: dict[str, Any] = {"decision": "decision", "groups": ["group", "sex"]}


def people(n: int, seed: int = 0) -> pd.DataFrame:
    """Two attributes, a score of ten values, an outcome and a decision."""
    rng = np.random.default_rng(seed)
    score = rng.integers(1, 11, n)
    return pd.DataFrame(
        {
            "sex": np.array(["female", "male"])[rng.integers(0, 2, n)],
            "group": np.array(["north", "south", "east", "west"])[rng.choice(4, n, p=[0.5, 0.3, 0.15, 0.05])],
            "score": score,
            "outcome": (rng.random(n) < score / 12).astype(int),
            "decision": (score + rng.normal(size=n) > 5).astype(int),
        }
    )


def of_a_file() -> bool:
    """An audit of a CSV file beside reading it with pandas and auditing the frame."""
    with tempfile.TemporaryDirectory() as name:
        file = Path(name, "people.csv")
        people(ROWS).to_csv(file, index=False)
        size = file.stat().st_size / 1e6
        measured = ratio(lambda: fairstats.audit(file, **ROLES), lambda: fairstats.audit(pd.read_csv(file), **ROLES), 7)
    return report(f"audit of a CSV file of {size:.0f} MB", "pandas' read, audit of the frame", measured, 1.3)


def of_reports() -> list[bool]:
    """The page, the PDF and the Word file, beside the audit; the size of the page without its data."""
    roles = {**ROLES, "outcome": "outcome", "score": "score", "favorable": 0}
    result, seeds = fairstats.audit(people(PEOPLE), **roles), count(1)

    def audit() -> None:
        fairstats.audit(people(PEOPLE, next(seeds)), **roles)

    size = len(without_data(fairstats.report(result).html).encode())
    print(f"page without its data: {size / 1000:.0f} kB")
    return [
        report("page of a report", "its audit", ratio(lambda: fairstats.report(result).html, audit), 0.6),
        report("PDF of a report", "its audit", ratio(lambda: fairstats.report(result).to_pdf(), audit), 3.5),
        report(
            "Word file of a report", "its audit", ratio(lambda: fairstats.report(result).form("-", ".docx"), audit), 1.6
        ),
        size <= SMALL,
    ]


def main() -> bool:
    return all([of_a_file(), *of_reports()])


if __name__ == "__main__":
    sys.exit(0 if main() else 1)
