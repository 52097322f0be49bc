"""Every table of ``docs/verdicts.md``: ``python -m benchmarks.coverage [--quick] [--only WORD] [--draws N]``.

Finished cells are kept in ``build/coverage``: an interrupted run goes on where it stopped. ``--quick`` draws few
samples of some cells, keeps nothing, and is what CI runs. Exits with 1 where a bound is broken by more than chance.
"""

from __future__ import annotations

import argparse
import sys
import time
from importlib import import_module
from pathlib import Path

import numpy as np

from benchmarks.coverage.cells import Cell, Shares, Store

PAGES = (
    "two_groups",
    "families",
    "agreeing_intervals",
    "partial_nulls",
    "whole_audits",
    "equivalence",
    "strata",
    "homogeneity",
    "unmeasured_factors",
    "missing_bounds",
    "designs",
)
PAGES += (
    "scores",
    "stratified_scores",
    "design_scores",
    "brier",
    "familiar_scores",
    "calibration_bands",
    "impact_ratio_limits",
)
PAGES += ("changed_gaps", "subgroups", "residuals")
PAGES += ("parts",)
PAGES += ("extra_error", "prices", "leakage")
PAGES += ("amounts", "adjusted_gaps", "classes", "studies", "monitoring", "proxies")
PAGES += ("uncertain_groups",)
ROOT = Path(__file__).parents[2]
INTRODUCTION = """# How often a verdict is wrong

Written by `python -m benchmarks.coverage --write`, seeded. A verdict is read from adjusted p-values and agrees with
the interval beside it: the p-value of a row is the larger of the exact one and that at which the interval touches
equality. This page is about verdicts, `docs/coverage.md` about intervals and single tests. Nominal error of a family:
5 %. In bold: what an audit of this package decides, or covers. The other columns are other rules on the same samples;
those named after packages are written from their documentation. A verdict rejects no more than the exact unconditional
test, so where a table has no column for it, that test's bounds it. Random audits are searched for rows that
contradict themselves in `tests/auditing/test_contradictions.py`: none among 13,289 rows of 600 audits.
"""
OURS = ("disparity shown", "equivalence shown", "any false verdict", "covered", "fairstats", "verdict", "exact")
OURS += (
    "all covered",
    "covered on average",
    "any flag",
    "any limit crossed",
    "false flags",
    "one covered",
    "difference covered",
    "rate covered",
    "ratio covered",
    "rejected",
    "factor excluded",
    "false claim beside a true one",
    "claim of the rate",
    "shown at the detectable difference",
)
OURS += ("selection rate", "TPR", "FPR", "PPV", "accuracy", "any rate")
OURS += ("family='rate'", "family='audit'", "verdict alone", "verdict of what it adds")


def grid() -> list[Cell]:
    """Every cell."""
    return [cell for page in PAGES for cell in import_module(f"benchmarks.coverage.{page}").cells()]


def table(rows: list[tuple[Cell, int, Shares]]) -> str:
    """One table as Markdown, its Monte Carlo error below it."""
    columns = list(dict.fromkeys(name for _, _, shares in rows for name in shares))
    heads = [f"**{c}**" if c in OURS else c for c in columns]
    lines = [f"| | {' | '.join(heads)} |", "|" + "---|" * (len(columns) + 1)]
    for cell, _, shares in rows:
        values = [shares.get(c, float("nan")) for c in columns]
        lines.append(f"| {cell.name} | {' | '.join('–' if v != v else f'{v:.1%}' for v in values)} |")
    draws = sorted({count for cell, count, _ in rows if cell.draws})
    if not draws:
        return "\n".join(lines) + "\n\nBy enumeration."
    error = 100 * np.sqrt(0.05 * 0.95 / min(draws))
    counts = " to ".join(f"{n}" for n in dict.fromkeys((draws[0], draws[-1])))
    return "\n".join(lines) + f"\n\n{counts} draws a cell; Monte Carlo error of 5 %: {error:.1f} points."


def page(results: list[tuple[Cell, int, Shares]]) -> str:
    """The page of all tables."""
    names = dict.fromkeys(cell.table for cell, _, _ in results)
    parts = [f"## {name}\n\n{table([row for row in results if row[0].table == name])}\n" for name in names]
    return "\n".join([INTRODUCTION, *parts])


def main() -> int:
    """Run the grid, print its tables, and say which bounds are broken."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="the cells and draws of CI")
    parser.add_argument("--only", default="", help="tables or cells whose name has this word")
    parser.add_argument("--draws", type=int, default=0, help="at most so many draws a cell")
    parser.add_argument("--write", action="store_true", help="write docs/verdicts.md")
    arguments = parser.parse_args()
    store = None if arguments.quick else Store(ROOT / "build" / "coverage")
    results, broken, start = [], [], time.perf_counter()
    for cell in grid():
        if arguments.only not in f"{cell.table} {cell.name}" or (arguments.quick and not cell.quick):
            continue
        most = cell.quick if arguments.quick else cell.draws
        draws = min(most, arguments.draws) if arguments.draws and cell.draws else most
        shares = cell.shares(draws) if store is None else store.shares(cell, draws)
        results.append((cell, draws, shares))
        broken += cell.broken(shares, draws)
        print(f"{time.perf_counter() - start:6.0f} s  {cell.table}: {cell.name}", file=sys.stderr, flush=True)
    text = page(results)
    print(text)
    if arguments.write:
        (ROOT / "docs" / "verdicts.md").write_text(text)
    print("\n".join(["Broken bounds:", *broken] if broken else ["Every bound holds."]), file=sys.stderr)
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
