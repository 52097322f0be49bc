"""Parts of a decomposition and adjusted gaps: how often their intervals cover what a whole population has.

Amounts are lognormal (σ 0.5) with five covariates, of which the groups have different means and slopes. What is
covered are the parts of 400,000 people with the shares of the groups in the cell.
"""

from __future__ import annotations

from functools import cache, partial
from typing import NamedTuple

import numpy as np

from benchmarks.coverage.cells import Cell, Shares, counted
from fairstats.inference.parts.adjusted import Adjusted, adjusted_gaps
from fairstats.inference.parts.coefficients import GapTerm, by_coefficients
from fairstats.inference.parts.quantiles import by_reweighting
from fairstats.inference.parts.units import limits, paired

SLOPES = np.array([0.10, 0.08, 0.05, -0.05, 0.0])
TERMS = tuple(GapTerm(f"x{j}", (j,)) for j in range(5))
TABLE = "Parts of a gap of means, lognormal amounts, five covariates: coverage of 95 % intervals"
Drawn = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray | None]


class Sizes(NamedTuple):
    """People of the group and of the reference; clusters that hold people of both, 0 for none."""

    group: int
    reference: int
    clusters: int = 0


ROWS = [Sizes(50, 50), Sizes(40, 400), Sizes(40, 2000), Sizes(100, 100), Sizes(400, 60), Sizes(300, 600)]
ROWS += [Sizes(120, 120, 12), Sizes(200, 200, 20), Sizes(400, 400, 40), Sizes(40, 400, 20)]
PARTS = {
    "gap": ("gap", "", ""),
    "explained": ("explained", "", "pooled_with_group"),
    "unexplained": ("unexplained", "", "pooled_with_group"),
    "first variable": ("explained", "x0", "pooled_with_group"),
    "explained, reference": ("explained", "", "reference"),
}


def drawn(sizes: Sizes, rng: np.random.Generator) -> Drawn:
    """Amounts, covariates, who is of the group, and clusters."""
    n = sizes.group + sizes.reference
    member = np.arange(n) < sizes.group
    X = rng.normal(size=(n, 5)) - 0.4 * member[:, None] * np.array([1, 0.5, 0, 1, 0])
    X[:, 4] = X[:, 4] > 0.3
    error = 0.5 * rng.normal(size=n)
    clusters = None
    if sizes.clusters:
        clusters = rng.integers(0, sizes.clusters, n)
        error = np.sqrt(0.9) * error + np.sqrt(0.1) * 0.5 * rng.normal(size=sizes.clusters)[clusters]
    log = 3 + X @ SLOPES - 0.1 * member + 0.05 * member * X[:, 0] + error
    return np.exp(log), X, member, clusters


@cache
def truth(share: float) -> tuple[dict[tuple[str, str, str], float], Adjusted]:
    """The parts of a population in which the group has this share."""
    y, X, member, _ = drawn(Sizes(200_000, 200_000), np.random.default_rng(7))
    w = np.where(member, share, 1 - share)
    whole = by_coefficients(paired(y, X, member, w), TERMS, "pooled_with_group")
    parts = {(p.component, p.term, p.form): p.estimate for p in whole.parts}
    return parts, adjusted_gaps(y, X, member.astype(int), 0, w)[1]


def one(sizes: Sizes, rng: np.random.Generator) -> dict[str, bool | float]:
    """Whether each interval covers."""
    y, X, member, clusters = drawn(sizes, rng)
    wanted, adjusted = truth(sizes.group / (sizes.group + sizes.reference))
    result = by_coefficients(paired(y, X, member, None, clusters), TERMS, "pooled_with_group")
    parts = {(p.component, p.term, p.form): p for p in result.parts}
    out: dict[str, bool | float] = {}
    for name, key in PARTS.items():
        part = parts[key]
        low, high = limits(part.estimate, part.std_error, part.df, 0.95, part.skewness)
        out[name] = bool(low <= wanted[key] <= high)
    gap = adjusted_gaps(y, X, member.astype(int), 0, None, clusters)[1]
    low, high = limits(gap.estimate, gap.std_error, gap.df, 0.95)
    out["adjusted gap"] = bool(low <= (adjusted.plain if gap.common else adjusted.estimate) <= high)
    return out


REWEIGHTED = "Parts of a gap of quantiles by reweighting, the same people: coverage of 95 % intervals"
AT = (0.5, 0.9)


@cache
def quantile_truth(share: float, at: float) -> list[float]:
    """Gap, explained and unexplained part of a population."""
    y, X, member, _ = drawn(Sizes(200_000, 200_000), np.random.default_rng(7))
    w = np.where(member, share, 1 - share)
    return [part.estimate for part in by_reweighting(paired(y, X, member, w), "reference", at)[0].parts]


def reweighted(sizes: Sizes, rng: np.random.Generator, draws: int) -> Shares:
    """The shares of samples whose intervals cover, at the median and at the 0.9 quantile."""
    rows = []
    for _ in range(draws):
        y, X, member, _ = drawn(sizes, rng)
        row: dict[str, bool | float] = {}
        for at in AT:
            wanted = quantile_truth(sizes.group / (sizes.group + sizes.reference), at)
            parts = by_reweighting(paired(y, X, member), "reference", at)[0].parts
            for part, value in zip(parts, wanted, strict=True):
                low, high = limits(part.estimate, part.std_error, part.df, 0.95)
                row[f"{part.component}, {at:g}"] = bool(low <= value <= high)
        rows.append(row)
    return counted(rows)


def covered(sizes: Sizes, rng: np.random.Generator, draws: int) -> Shares:
    """The shares of samples whose intervals cover."""
    return counted(one(sizes, rng) for _ in range(draws))


def cells() -> list[Cell]:
    """The cells of the table."""
    out = []
    for i, sizes in enumerate(ROWS):
        text = f"{sizes.group} and {sizes.reference} people" + (
            f" in {sizes.clusters} clusters" if sizes.clusters else ""
        )
        least = dict.fromkeys((*PARTS, "adjusted gap"), 0.93)
        draws = 300 if sizes.clusters > 12 else 1000
        out.append(Cell(TABLE, text, partial(covered, sizes), draws, 40 * (i == 0), least=least))
    least = {f"{part}, {at:g}": 0.92 for part in ("gap", "explained", "unexplained") for at in AT}
    for sizes in (Sizes(30, 30), Sizes(100, 100), Sizes(40, 400), Sizes(400, 100), Sizes(1000, 1000)):
        text = f"{sizes.group} and {sizes.reference} people"
        out.append(Cell(REWEIGHTED, text, partial(reweighted, sizes), 500, 0, least=least))
    return out
