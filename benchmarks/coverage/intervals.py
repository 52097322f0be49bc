"""Coverage of every interval and size of every test of rates, by enumeration; writes docs/coverage.md.

One and two rates are enumerated over all tables but tails of 1e-9, so those numbers are exact. The
intervals for several groups are simulated. Run: ``python -m benchmarks.coverage.intervals [--quick]``.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaln, ndtri
from scipy.stats import binom

from fairstats.inference.rates.many_rates import CONTRASTS, largest_score, simultaneous_level
from fairstats.inference.rates.one_rate import INTERVALS
from fairstats.inference.rates.rate_tests import difference_score, ratio_score, z_test
from fairstats.inference.rates.two_rates import DIFFERENCE_INTERVALS, RATIO_INTERVALS, katz, newcombe

Floats = NDArray[np.float64]
LEVEL, ALPHA = 0.95, 0.05
Z = float(-ndtri(ALPHA / 2))
SIZES = (8, 10, 15, 20, 30, 50, 100, 200, 500, 1000, 2000, 5000, 10_000)
RATES = (0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99)
PAIRS = (
    (8, 8),
    (8, 200),
    (12, 2000),
    (30, 30),
    (30, 3000),
    (10, 10),
    (10, 30),
    (10, 1000),
    (20, 20),
    (50, 50),
    (50, 500),
    (100, 100),
    (200, 200),
    (1000, 1000),
)
PAIRS += ((100, 10_000), (10_000, 10_000))
FEW_RATES = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 0.8, 0.9, 0.95, 0.98, 0.99)
NEGLIGIBLE = 1e-9


@dataclass(frozen=True)
class Grid:
    """Coverage (or size) of one method by cell; ``cells`` says what each number is about."""

    method: str
    values: Floats
    cells: list[str]
    expected: Floats | None = None  # of one rate and of two: the fewest events, or others, that a group expects

    @property
    def usual(self) -> Floats:
        """Values of the cells in which n p and n (1 - p) are 1 at least in every group."""
        return self.values if self.expected is None else self.values[self.expected >= 1 - 1e-9]

    def worst(self, most: int, key: Callable[[float], float]) -> list[str]:
        """The most extreme cells in words."""
        order = sorted(range(self.values.size), key=lambda i: key(self.values[i]))[:most]
        return [f"{self.values[i]:.1%} at {self.cells[i]}" for i in order]


def support(n: int, p: float) -> tuple[Floats, Floats]:
    """Counts that have a chance, and their probabilities."""
    low, high = binom.ppf(NEGLIGIBLE, n, p), binom.isf(NEGLIGIBLE, n, p)
    counts = np.arange(max(0, low), min(n, high) + 1)
    return counts, binom.pmf(counts, n, p)


def one_rate(sizes: Iterable[int] = SIZES, rates: Iterable[float] = RATES) -> list[Grid]:
    """Coverage of the intervals of one rate."""
    cells = [(n, p) for n in sizes for p in rates]
    names = [f"n = {n}, p = {p:g}" for n, p in cells]
    return [
        Grid(
            name,
            np.array([_covered_one(limits, n, p) for n, p in cells]),
            names,
            np.array([n * min(p, 1 - p) for n, p in cells]),
        )
        for name, limits in INTERVALS.items()
    ]


def _covered_one(limits: Callable[..., tuple[Floats, Floats]], n: int, p: float) -> float:
    counts, chance = support(n, p)
    low, high = limits(counts, n, LEVEL)
    return float(chance[(low <= p) & (p <= high)].sum())


def _covers_newcombe(e1: Floats, n1: int, e0: Floats, n0: int, p1: float, p0: float) -> NDArray[np.bool_]:
    low, high = newcombe(e1, n1, e0, n0, LEVEL)
    return (low <= p1 - p0) & (p1 - p0 <= high)


def _covers_log(e1: Floats, n1: int, e0: Floats, n0: int, p1: float, p0: float) -> NDArray[np.bool_]:
    low, high = katz(e1, n1, e0, n0, LEVEL)
    return (low <= p1 / p0) & (p1 / p0 <= high)


# a score interval contains the truth exactly where the score there is not significant: no limits needed
COVERS: dict[str, Callable[..., NDArray[np.bool_]]] = {
    "newcombe": _covers_newcombe,
    "miettinen-nurminen": lambda e1, n1, e0, n0, p1, p0: np.abs(difference_score(e1, n1, e0, n0, p1 - p0)) <= Z,
    "koopman": lambda e1, n1, e0, n0, p1, p0: np.abs(ratio_score(e1, n1, e0, n0, p1 / p0)) <= Z,
    "log": _covers_log,
}


def two_rates(pairs: Iterable[tuple[int, int]] = PAIRS, rates: tuple[float, ...] = FEW_RATES) -> list[Grid]:
    """Coverage of the intervals of a difference and a ratio."""
    cells = [(n1, p1, n0, p0) for n1, n0 in pairs for p1 in rates for p0 in rates]
    values: dict[str, list[float]] = {name: [] for name in COVERS}
    for n1, p1, n0, p0 in cells:
        (e1, chance1), (e0, chance0) = support(n1, p1), support(n0, p0)
        chance = np.outer(chance1, chance0)
        for name, covers in COVERS.items():
            values[name].append(float(chance[covers(e1[:, None], n1, e0, n0, p1, p0)].sum()))
    names = [f"n = {n1} and {n0}, p = {p1:g} and {p0:g}" for n1, p1, n0, p0 in cells]
    expected = np.array([min(n1 * min(p1, 1 - p1), n0 * min(p0, 1 - p0)) for n1, p1, n0, p0 in cells])
    return [Grid(name, np.array(v), names, expected) for name, v in values.items()]


def rejected_conditionally(n1: int, n0: int, total: int) -> tuple[float, float]:
    """Chance that Fisher's and the mid-p test reject, given the total of events."""
    spread = np.sqrt(total * n1 * n0 * (n1 + n0 - total)) / (n1 + n0) ** 1.5
    middle, reach = total * n1 / (n1 + n0), 9 * spread + 10
    x = np.arange(max(0, total - n0, int(middle - reach)), min(n1, total, int(middle + reach)) + 1)
    log = -sum(gammaln(v + 1.0) for v in (x, n1 - x, total - x, n0 - total + x))
    chance = np.exp(log - np.max(log))
    chance /= chance.sum()
    ordered = np.sort(chance)
    p = np.cumsum(ordered)[np.searchsorted(ordered, chance * (1 + 1e-7), side="right") - 1]
    return float(chance[p <= ALPHA].sum()), float(chance[p - chance / 2 <= ALPHA].sum())


def sizes(pairs: Iterable[tuple[int, int]] = PAIRS, rates: Iterable[float] = FEW_RATES) -> list[Grid]:
    """Chance that each test rejects where the rates are equal."""
    cells = [(n1, n0, p) for n1, n0 in pairs for p in rates]
    values: dict[str, list[float]] = {"fisher": [], "mid-p": [], "z (2-SD)": [], "score (Miettinen-Nurminen)": []}
    for n1, n0, p in cells:
        (e1, chance1), (e0, chance0) = support(n1, p), support(n0, p)
        chance = np.outer(chance1, chance0)
        totals, share = support(n1 + n0, p)
        fisher, mid = share @ np.array([rejected_conditionally(n1, n0, int(total)) for total in totals])
        z = np.abs(z_test(e1[:, None], n1, e0, n0)[0])
        score = z * np.sqrt((n1 + n0 - 1) / (n1 + n0))
        result = (fisher, mid, chance[z > Z].sum(), chance[score > Z].sum())
        for name, value in zip(values, result, strict=True):
            values[name].append(float(value))
    names = [f"n = {n1} and {n0}, p = {p:g}" for n1, n0, p in cells]
    return [Grid(name, np.array(v), names) for name, v in values.items()]


GROUPS = ((10, 10), (10, 50), (50, 50), (10, 10, 10), (20, 40, 80), (10, 10, 10, 500), (100, 100, 100, 100))
GROUPS += ((10,) * 7, (20,) * 7, (100,) * 7, (50, 60, 70, 80, 90, 100, 2000), (1000, 5000, 10_000))


def several_groups(
    groups: Iterable[tuple[int, ...]] = GROUPS, samples: int = 4000, replicates: int = 4000
) -> list[Grid]:
    """Coverage of 0 by the interval of the largest difference (of 1 by the worst ratio's) where all rates are equal."""
    cells = [(n, p) for n in groups for p in (0.05, 0.1, 0.3, 0.5, 0.8) if min(n) * min(p, 1 - p) >= 5 - 1e-9]
    names = [f"n = {', '.join(map(str, n))}, p = {p:g}" for n, p in cells]
    entries = {"largest difference": "difference", "worst ratio": "ratio"}
    return [
        Grid(name, np.array([_covered_jointly(n, p, kind, samples, replicates) for n, p in cells]), names)
        for name, kind in entries.items()
    ]


def _covered_jointly(n: tuple[int, ...], p: float, kind: str, samples: int, replicates: int) -> float:
    """The interval contains equality exactly where no pair's score reaches the joint critical value."""
    sizes_, factor = np.array(n, dtype=float), CONTRASTS[kind].factor
    events = np.random.default_rng(1).binomial(n, p, (samples, len(n))).astype(float)
    _, first, code = np.unique(events.sum(axis=1), return_index=True, return_inverse=True)
    # the reference distribution depends on the data through their total alone
    joint = [simultaneous_level(events[i], n, LEVEL, contrast=kind, replicates=replicates, seed=int(i)) for i in first]
    critical = -ndtri((1 - np.array([level.conf_level for level in joint])) / 2)
    return float(np.mean(largest_score(events, sizes_, factor) <= critical[code]))


def equalized_odds(samples: int = 4000, replicates: int = 1000) -> Grid:
    """Coverage of 0 by the interval of the equalized odds difference under equality."""
    cells = [
        ((20, 30, 60), (40, 60, 90), 0.6, 0.2),
        ((50,) * 4, (80,) * 4, 0.3, 0.1),
        ((200, 400), (300, 900), 0.8, 0.05),
    ]
    values, names = [], []
    for positives, negatives, tpr, fpr in cells:
        rng, n = np.random.default_rng(2), np.array([positives, negatives])
        events = rng.binomial(n, [[tpr], [fpr]], (samples, *n.shape))
        values.append(
            np.mean(
                [simultaneous_level(e, n, replicates=replicates, seed=s).p_value > ALPHA for s, e in enumerate(events)]
            )
        )
        names.append(f"positives {positives}, TPR {tpr:g}, negatives {negatives}, FPR {fpr:g}")
    return Grid("equalized odds difference", np.array(values), names)


def zero_widths() -> dict[str, int]:
    """How many intervals have no width among tables with rates of 0 or 1."""
    n = np.array(SIZES, dtype=float)
    entries = {}
    for name, limits in INTERVALS.items():
        low, high = limits(np.stack([0 * n, n]), n, LEVEL)
        entries[name] = int(np.sum(high <= low))
    ends = np.stack([0 * n, n])[:, :, None, None]
    for name, limits in {**DIFFERENCE_INTERVALS, **RATIO_INTERVALS}.items():
        low, high = limits(ends, n[:, None, None], np.stack([0 * n, n]), n, LEVEL)
        entries[name] = int(np.sum(high <= low))
    return entries


def summary(grids: Iterable[Grid]) -> str:
    """Mean, extremes and share of cells far off, one line a method."""
    lines = [
        "| method | cells | mean | lowest | highest | under 93 % | under 90 % | lowest where n p, n (1 - p) ≥ 1 |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for g in grids:
        v = g.values
        shares = " | ".join(f"{np.mean(v < limit):.0%}" for limit in (0.93, 0.9))
        extremes = f"{v.mean():.1%} | {v.min():.1%} | {v.max():.1%}"
        lines.append(f"| {g.method} | {v.size} | {extremes} | {shares} | {g.usual.min():.1%} |")
    return "\n".join(lines)


def matrix(grid: Grid, rows: Iterable[object], columns: Iterable[object], corner: str) -> str:
    """One method by cell: a table of percentages."""
    names, heads = list(rows), list(columns)
    values = grid.values.reshape(len(names), len(heads))
    lines = [f"| {corner} | " + " | ".join(f"{c:g}" for c in heads) + " |", "|---" * (len(heads) + 1) + "|"]  # type: ignore[str-format]
    for name, line in zip(names, values, strict=True):
        lines.append(f"| {name} | " + " | ".join(f"{100 * v:.1f}" for v in line) + " |")
    return "\n".join(lines)


def worst(grids: Iterable[Grid], key: Callable[[float], float], most: int = 5) -> str:
    """The bad cells of each method, named."""
    return "\n".join(f"- {g.method}: {'; '.join(g.worst(most, key))}" for g in grids)


def document(pairs: tuple[tuple[int, int], ...], samples: int, replicates: int) -> str:
    """Everything as one Markdown page."""
    one, two, size = one_rate(), two_rates(pairs), sizes(pairs)
    several = [*several_groups(samples=samples, replicates=replicates), equalized_odds(samples=samples // 4)]
    named = [f"{n1}, {n0}" for n1, n0 in pairs]
    parts = [
        INTRODUCTION,
        "## One rate\n",
        summary(one),
        "\nCells with the lowest coverage:\n\n" + worst(one, lambda v: v),
        *(f"\n### {g.method}: coverage in percent by n and p\n\n{matrix(g, SIZES, RATES, 'n')}" for g in one),
        "\n## Two rates: differences and ratios\n",
        summary(two),
        "\nCells with the lowest coverage:\n\n" + worst(two, lambda v: v),
        "\n" + TWO_RATES,
        "\n## Size of the tests of two rates\n",
        "\n".join(f"- {g.method}: mean {g.values.mean():.1%}, largest {g.values.max():.1%}" for g in size),
        "\nCells with the largest size:\n\n" + worst(size, lambda v: -v),
        *(f"\n### {g.method}: size in percent by n and p\n\n{matrix(g, named, FEW_RATES, 'n')}" for g in size),
        "\n" + SIZE,
        "\n## Several groups\n",
        summary(several),
        "\nCells farthest from 95 %:\n\n" + worst(several, lambda v: -abs(v - LEVEL)),
        "\n" + SEVERAL,
        "\n## Intervals without width at rates of 0 or 1\n",
        "\n".join(f"- {name}: {count or 'none'}" for name, count in zero_widths().items()),
        "\n" + ZERO,
    ]
    return "\n".join(parts) + "\n"


INTRODUCTION = """# Coverage of the intervals and size of the tests

Written by `python -m benchmarks.coverage.intervals`. Nominal coverage is 95 %, nominal size 5 %. One and two rates are
enumerated over all tables but tails of 1e-9, so those numbers are exact; several groups are simulated.

![Coverage of each interval and size of each test by p, three sample sizes; numbers in the tables](coverage.svg)

The picture shows the lowest coverage over the other group's rate where there are two (`benchmarks/coverage/plot.py`).
"""
TWO_RATES = """\
Where a rate is near 0 or 1 and the group small, the observed rate takes two or three values and coverage jumps between
them: no interval escapes that. The log interval has no information at a rate of 0 and no width at 1, and is offered
for comparison with other software only."""
SIZE = """\
The 2-SD test exceeds its nominal size where few events are expected in the smaller group and the groups differ in
size; those are the cells named above. Fisher's test never exceeds it and lies below it nearly everywhere: that is the
price of a guarantee for every table. Mid-p lies between."""
SEVERAL = """\
Under equality the true largest difference is 0. Cells are those in which n p and n (1 - p) are at least 5 in every
group. A percentile bootstrap of the largest difference never covers 0: all its replicates are positive."""
ZERO = """\
The log interval of a ratio has no width where both rates are 1; it is there for comparison with other software."""


def main(quick: bool) -> None:
    """Compute the page, print it, and write it unless in a hurry."""
    start = time.perf_counter()
    page = document(PAIRS[:7], 500, 500) if quick else document(PAIRS, 8000, 5000)
    print(page)
    if not quick:
        target = Path(__file__).parents[2] / "docs" / "coverage.md"
        target.parent.mkdir(exist_ok=True)
        target.write_text(page)
    print(f"{time.perf_counter() - start:.0f} s", file=sys.stderr)


if __name__ == "__main__":
    main("--quick" in sys.argv)
