"""Adjusted gaps of two groups whose people are paid alike given what is adjusted for: false verdicts, and coverage.

Mean pay is linear in a grade of three levels and in tenure, both of which differ between the groups; errors are
lognormal and multiply it. Beside ours what a regression prints: the coefficient of the group with classical and with
HC3 errors. "Withheld" are claims that an audit does not make, since few people seem to differ in spread.
"""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

import numpy as np
from scipy.special import stdtr

from benchmarks.coverage.cells import Cell, Shares, counted
from benchmarks.coverage.design_scores import sample
from fairstats.auditing.adjusted import too_few
from fairstats.inference.amounts.means import too_few_for_means
from fairstats.inference.parts import adjusted
from fairstats.inference.parts.adjusted import AdjustedPair, adjusted_gaps
from fairstats.inference.parts.coefficients import GapTerm, by_coefficients
from fairstats.inference.parts.surveyed import surveyed_gap
from fairstats.inference.parts.units import limits, paired
from fairstats.inference.rates.sampling import Sampling

EQUAL = "Adjusted gaps of equal shape, no gap"
APART = "Adjusted gaps of unequal spread, no gap"
DESIGNED = "Adjusted gaps of weighted and clustered people, no gap"
LEVEL = "Adjusted gaps where a level of a factor holds few people of the group, no gap"
SURVEYED = "Adjusted gaps under a survey's design (units drawn within strata), no gap"
# strata, units drawn in each, people of the group and of the reference in a unit, correlation within a unit, covariates
DRAWN_UNITS = (
    (8, 2, (10, 10), 0.1, 1),
    (8, 2, (4, 20), 0.2, 1),
    (15, 2, (3, 10), 0.1, 2),
    (15, 4, (5, 8), 0.3, 2),
    (30, 2, (2, 6), 0.1, 3),
)
CLOSER = 4000  # draws of cells whose share is near its bound
DRAWN, ROWS = 199, 1000  # permutations of each sample, and people of a large reference among whom they are
RATIO = 0.8


class People(NamedTuple):
    """How many of the group and of the reference, and the spread of their logarithms."""

    group: int
    reference: int
    spread: float
    other: float
    clusters: int = 0
    weighted: bool = False


def drawn(people: People, rng: np.random.Generator) -> dict[str, np.ndarray | None]:
    """Amounts, covariates, who is of the group, weights and clusters."""
    n = people.group + people.reference
    member = np.arange(n) < people.group
    grade = rng.binomial(2, np.where(member, 0.3, 0.5))
    tenure = rng.gamma(2.0, 4.0, n) + 2 * ~member
    error, clusters = rng.normal(size=n), None
    if people.clusters:
        clusters = rng.integers(0, people.clusters, n)
        error = np.sqrt(0.8) * error + np.sqrt(0.2) * rng.normal(size=people.clusters)[clusters]
    spread = np.where(member, people.spread, people.other)
    y = (20 + 4 * grade + 0.3 * tenure) * np.exp(spread * error - spread**2 / 2)
    X = np.column_stack([grade == 1, grade == 2, tenure]).astype(float)
    weights = np.exp(0.83 * rng.normal(size=n)) if people.weighted else None
    return {"y": y, "X": X, "codes": member.astype(np.intp), "weights": weights, "clusters": clusters}


def classical(y: np.ndarray, X: np.ndarray, codes: np.ndarray) -> float:
    """Student's p of the coefficient in one regression."""
    design = np.column_stack([codes, np.ones(len(y)), X])
    bread = np.linalg.inv(design.T @ design)
    beta = bread @ design.T @ y
    df = len(y) - design.shape[1]
    error = np.sqrt(bread[0, 0] * np.sum((y - design @ beta) ** 2) / df)
    return float(2 * stdtr(df, -abs(beta[0] / error)))


def one(people: People, rng: np.random.Generator, draw: int) -> dict[str, bool | float]:
    """The verdict of an audit, and whether the limits hold no gap, and one of 20%."""
    data = drawn(people, rng)
    y, codes = data["y"], data["codes"]
    found = adjusted_gaps(**data, reference=0, seed=draw)[1]  # type: ignore[arg-type]
    pair = AdjustedPair.of(found)
    if pair.reason or not np.isfinite(found.estimate):  # a level of the grade with nobody
        return dict.fromkeys(
            ("disparity shown", "withheld", "covered", "a gap of 20 % covered", "HC3", "classical"), np.nan
        )
    weights = np.ones(len(y)) if data["weights"] is None else data["weights"]
    sides = [sample(y[codes == code], weights[codes == code]) for code in (1, 0)]
    few = too_few(*sides) if pair.permuted is None else too_few_for_means(*sides)
    of_ratio = float("nan")
    if len(y) <= ROWS:
        lower = data | {"y": np.where(codes == 1, RATIO * y, y)}
        below = AdjustedPair.of(adjusted_gaps(**lower, reference=0, seed=draw)[1])  # type: ignore[arg-type]
        of_ratio = min(below.tails(1 / RATIO, 0.0)) > 0.025
    hc3 = 2 * stdtr(found.plain_df, -abs(found.plain / found.plain_error))
    return {
        "disparity shown": pair.p_value <= 0.05 and not few,
        "withheld": pair.p_value <= 0.05 and few,
        "covered": pair.p_value > 0.05,
        "a gap of 20 % covered": of_ratio,
        "HC3": hc3 <= 0.05,
        "classical": classical(y, data["X"], codes) <= 0.05,  # type: ignore[arg-type]
    }


def decomposed(y: np.ndarray, level: np.ndarray, member: np.ndarray, clusters: np.ndarray | None) -> float:
    """Whether the limits of what is not accounted for hold no gap; NaN where there are none."""
    parts = by_coefficients(
        paired(y, level[:, None], member, None, clusters), (GapTerm("level", (0,), 2),), "group"
    ).parts
    one = next(part for part in parts if (part.component, part.term, part.form) == ("unexplained", "", "group"))
    low, high = limits(one.estimate, one.std_error, one.df, 0.95, one.skewness)
    return float(low <= 0 <= high) if np.isfinite(one.std_error) else np.nan


def of_level(few: int, clusters: bool, rng: np.random.Generator, draws: int) -> Shares:
    """200 people of the group, of whom ``few`` are of the level that 40 % of the 400 others are of, and are paid alike.

    "Decomposed" are limits of what the group's own slopes do not account for, where they are given. Beside ours a
    regression of each group with HC3 errors and normal limits.
    """
    member, rows = np.arange(600) < 200, []
    codes = member.astype(np.intp)
    of = np.arange(600) // 2 if clusters else None
    for _ in range(draws):
        level = np.where(member, np.arange(600) < few, rng.random(600) < 0.4).astype(float)
        y = 20 * np.exp(0.3 * level + 0.25 * rng.normal(size=600))
        pair = AdjustedPair.of(adjusted_gaps(y, level[:, None], codes, 0, clusters=of)[1])
        low, high = pair.difference_limits(0.95)
        share = level.mean()
        gap = variance = 0.0
        with np.errstate(divide="ignore", invalid="ignore"):
            for side, sign in ((member, 1), (~member, -1)):
                for at, part in ((1, share), (0, 1 - share)):
                    paid = y[side & (level == at)]
                    gap += sign * part * paid.mean()
                    off = (paid - paid.mean()) / (1 - 1 / len(paid)) if len(paid) > 1 else np.zeros(1)
                    variance += part**2 * (off @ off) / len(paid) ** 2
        rows.append(
            {
                "disparity shown": pair.p_value <= 0.05,
                "covered": low <= 0 <= high,
                "decomposed": decomposed(y, level, member, of),
                "HC3 of each group": abs(gap) > 1.96 * np.sqrt(variance),
            }
        )
    return counted(rows)


def of_design(
    strata: int,
    units: int,
    people: tuple[int, int],
    icc: float,
    covariates: int,
    rng: np.random.Generator,
    draws: int,
) -> Shares:
    """Amounts of people in units that differ, drawn within strata that differ and weigh differently.

    Beside the verdict the plain coefficient, with the error and the degrees of freedom of survey's `svyglm`.
    """
    of, rows = np.repeat(np.arange(strata), units), []
    plan = Sampling(of, np.full(strata, float(units)), np.ones(strata))
    code = np.concatenate([np.repeat(np.arange(of.size), n) for n in people])
    member = np.repeat([True, False], [of.size * n for n in people])
    for _ in range(draws):
        shared = rng.normal(0, 0.5, strata)[of] + rng.normal(0, np.sqrt(icc), of.size)
        weight = np.exp(rng.normal(0, 0.5, strata))[of]
        X = (
            rng.normal(size=(code.size, covariates))
            + rng.normal(0, 0.5, of.size)[code][:, None]
            + 0.3 * member[:, None]
        )
        y = 3 + 0.5 * X.sum(axis=1) + shared[code] + rng.normal(0, np.sqrt(1 - icc), code.size)
        found = surveyed_gap(y, X, (member, ~member), weight[code], code, plan)
        pair = AdjustedPair.of(found)
        low, high = pair.difference_limits(0.95)
        plain = 2 * stdtr(found.plain_df, -abs(found.plain / found.plain_error))
        rows.append({"disparity shown": pair.p_value <= 0.05, "covered": low <= 0 <= high, "svyglm": plain <= 0.05})
    return counted(rows)


def shares(people: People, rng: np.random.Generator, draws: int) -> Shares:
    """The shares of samples."""
    plain = adjusted.DRAWN_OF_MANY, adjusted.MOST_ROWS
    adjusted.DRAWN_OF_MANY, adjusted.MOST_ROWS = DRAWN, ROWS
    try:
        return counted(one(people, rng, draw) for draw in range(draws))
    finally:
        adjusted.DRAWN_OF_MANY, adjusted.MOST_ROWS = plain


def cells() -> list[Cell]:
    """The cells of the tables."""
    out = []

    def add(table: str, name: str, people: People, least: float = 0.93, draws: int = 500) -> None:
        quick = 100 * (people[:3] == (20, 20, 1.0))
        bounds = {"most": {"disparity shown": 0.06}, "least": {"covered": least}}
        out.append(Cell(table, name, partial(shares, people), draws, quick, **bounds))

    for n, m in ((8, 8), (8, 20), (8, 400), (20, 20), (20, 100), (20, 5000), (100, 100), (100, 5000), (150, 5000)):
        for s in (0.3, 0.5, 1.0):
            add(EQUAL, f"{n} and {m} people, spread {s:g}", People(n, m, s, s))
    sizes = ((8, 8), (8, 400), (20, 20), (20, 400), (50, 50), (100, 100), (100, 5000))
    for s, other in ((1.0, 0.5), (0.5, 1.0), (0.5, 0.3), (0.3, 0.5)):
        for n, m in sizes:
            name = f"{n} people with a spread of {s:g}, {m} with {other:g}"
            needed = n >= (100 if max(s, other) == 1 else 20)
            draws = CLOSER if n == m == 50 and max(s, other) < 1 else 500
            add(APART, name, People(n, m, s, other), 0.93 if needed else 0.85, draws)
    for s in (0.3, 1.0):
        for n, m in ((20, 100), (40, 200), (100, 400)):
            add(DESIGNED, f"weights of sd 1, {n} and {m} people, spread {s:g}", People(n, m, s, s, weighted=True))
        for clusters in (12, 20, 40):
            name = f"{4 * clusters} and {8 * clusters} people in {clusters} clusters, spread {s:g}"
            add(DESIGNED, name, People(4 * clusters, 8 * clusters, s, s, clusters=clusters))
    for few in (1, 2, 3, 4, 5, 6, 8, 12, 20):
        for clusters in (False, True) if few in (1, 3, 12) else (False,):
            name = f"{few} of 200 people of the group in the level" + ", pairs as clusters" * clusters
            bounds = {"most": {"disparity shown": 0.06}, "least": {"covered": 0.94}}
            out.append(
                Cell(
                    LEVEL, name, partial(of_level, few, clusters), 500 if clusters else 2000, 100 * (few == 2), **bounds
                )
            )
    for H, k, (n, m), icc, columns in DRAWN_UNITS:
        name = f"{H} strata of {k} units, {n} and {m} people in each; {columns} covariates"
        run = partial(of_design, H, k, (n, m), icc, columns)
        bounds = {"most": {"disparity shown": 0.06}, "least": {"covered": 0.94}}
        out.append(Cell(SURVEYED, name, run, 2000, 100 * (H == 8), **bounds))
    return out
