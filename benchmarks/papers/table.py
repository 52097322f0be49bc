"""A paper's number beside ours: printed, checked by the paper's own spread, and kept as a small file."""

from __future__ import annotations

import csv
import math
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

RESULTS = Path(__file__).parent / "results"


@dataclass(frozen=True)
class Row:
    """One number of a paper.

    ``sd`` is the paper's own standard deviation of the number (NaN where it prints none), ``remark`` says where the
    paper's program departs from its text, or why the numbers differ.
    """

    item: str
    paper: float
    ours: float
    sd: float = math.nan
    remark: str = ""
    tried: str = ""

    @property
    def verdict(self) -> str:
        """``ok`` within twice the paper's spread, else ``explained`` by the remark, ``open``, or ``UNEXPLAINED``."""
        if math.isnan(self.paper):
            return "ours"
        near = 2 * self.sd if self.sd > 0 else 0.005 * max(abs(self.paper), 1.0)
        if abs(self.ours - self.paper) <= near + 1e-9:
            return "ok"
        return "explained" if self.remark else "open" if self.tried else "UNEXPLAINED"


def show(name: str, title: str, rows: Iterable[Row]) -> int:
    """Print a table and write ``results/<name>.csv``; how many differences nothing explains."""
    rows = list(rows)
    print(f"\n{title}\n{'':<52}{'paper':>10}{'sd':>8}{'ours':>10}{'difference':>12}  verdict")
    for row in rows:
        numbers = f"{_text(row.paper):>10}{_text(row.sd):>8}{_text(row.ours):>10}{_text(row.ours - row.paper):>12}"
        print(f"{row.item:<52}{numbers}  {': '.join(filter(None, (row.verdict, row.remark or row.tried)))}")
    RESULTS.mkdir(exist_ok=True)
    with (RESULTS / f"{name}.csv").open("w", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(["item", "paper", "ours", "sd", "remark", "verdict"])
        numbers = ([_short(v) for v in (row.paper, row.ours, row.sd)] for row in rows)
        out.writerows([r.item, *n, r.remark or r.tried, r.verdict] for r, n in zip(rows, numbers, strict=True))
    return sum(row.verdict == "UNEXPLAINED" for row in rows)


def _text(value: float) -> str:
    return "" if math.isnan(value) else f"{value:.4g}"


def _short(value: float) -> str:
    return "" if math.isnan(value) else f"{value:.6g}"
