"""The picture of docs/coverage.md: exact coverage by p, one line a sample size; writes docs/coverage.svg."""

from __future__ import annotations

from pathlib import Path

import matplotlib
import numpy as np
from matplotlib.figure import Figure

from benchmarks.coverage.intervals import FEW_RATES, LEVEL, PAIRS, RATES, Grid, one_rate, sizes, two_rates

SHOWN_SIZES = (10, 50, 1000)
SHOWN_PAIRS = tuple(pair for pair in PAIRS if pair in ((10, 10), (50, 50), (10, 1000)))
MARKERS = ("o", "s", "^")
GRAYS = ("#1f4e79", "#555555", "#999999")


def panels() -> list[tuple[str, list[str], list[np.ndarray], tuple[float, ...], float]]:
    """Title, names of the lines, their values by p, the ps, and the nominal level."""
    out = []
    for grid in one_rate(SHOWN_SIZES, RATES):
        lines = [grid.values.reshape(len(SHOWN_SIZES), -1)[i] for i in range(len(SHOWN_SIZES))]
        out.append((f"one rate: {grid.method}", [f"n = {n}" for n in SHOWN_SIZES], lines, RATES, LEVEL))
    for grid in two_rates(SHOWN_PAIRS, FEW_RATES):
        out.append((f"two rates: {grid.method}", _pairs(), _worst_by_rate(grid), FEW_RATES, LEVEL))
    for grid in sizes(SHOWN_PAIRS, FEW_RATES):
        lines = [grid.values.reshape(len(SHOWN_PAIRS), -1)[i] for i in range(len(SHOWN_PAIRS))]
        out.append((f"size of the test: {grid.method}", _pairs(), lines, FEW_RATES, 1 - LEVEL))
    return out


def _pairs() -> list[str]:
    return [f"n = {a}, {b}" for a, b in SHOWN_PAIRS]


def _worst_by_rate(grid: Grid) -> list[np.ndarray]:
    """The lowest coverage over the other group's rate."""
    table = grid.values.reshape(len(SHOWN_PAIRS), len(FEW_RATES), -1)
    return [table[i].min(axis=1) for i in range(len(SHOWN_PAIRS))]


def draw(target: Path) -> None:
    """Draw all panels into one SVG."""
    drawn = panels()
    with matplotlib.rc_context({"svg.hashsalt": "fairstats", "font.size": 7, "svg.fonttype": "path"}):
        figure = Figure(figsize=(7.1, 1.9 * -(-len(drawn) // 3)), layout="constrained")
        for i, (title, names, lines, rates, level) in enumerate(drawn):
            axes = figure.add_subplot(-(-len(drawn) // 3), 3, i + 1)
            axes.axhline(level, color="#bbbbbb", linewidth=0.8)
            for name, values, marker, color in zip(names, lines, MARKERS, GRAYS, strict=True):
                axes.plot(
                    range(len(rates)), values, color=color, marker=marker, markersize=2.5, linewidth=0.8, label=name
                )
            axes.set_xticks(range(0, len(rates), 2), [f"{r:g}" for r in rates[::2]])
            axes.set_ylim((0, 0.12) if level < 0.5 else (0.8, 1.005))
            axes.set_title(title, fontsize=7, loc="left")
            axes.legend(
                fontsize=6,
                frameon=False,
                loc="lower center" if level > 0.5 else "upper center",
                ncols=3,
                handlelength=1.2,
                columnspacing=0.8,
            )
            for side in ("top", "right"):
                axes.spines[side].set_visible(False)
        figure.savefig(target, format="svg", metadata={"Date": None})


if __name__ == "__main__":
    draw(Path(__file__).parents[2] / "docs" / "coverage.svg")
