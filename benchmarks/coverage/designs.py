"""Weighted and clustered people: how often "disparity shown" is wrong where all rates are equal, and how limits cover.

Beside ours the rules of before: the effective size p(1 - p)/v with normal quantiles. People are drawn as sums by
cluster where that is the same.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logit, ndtr, ndtri, stdtrit

from benchmarks.coverage.cells import Cell, Shares, counted
from fairstats.inference.rates.many_rates import chi_square
from fairstats.inference.rates.one_rate import wilson
from fairstats.inference.rates.sampling import SampledPeople, Sampling, SurveyRates
from fairstats.inference.rates.strata_rows import stratified_rates_from_data
from fairstats.inference.rates.survey import (
    DesignFamily,
    DesignRates,
    correlated_difference_score,
    correlated_ratio_score,
    rates_of_clusters,
    rates_of_weighted,
)

Floats = NDArray[np.float64]
Drawn = tuple[DesignRates, Floats]  # as decided now, and the effective sizes of before
WEIGHTS = "Uneven probability weights (lognormal): two rates"
CLUSTERS = "Clusters: two rates"
SIZES = "Clusters of unequal size: two rates"
STRATIFIED = "Units drawn within strata (survey designs): two rates"
UNEQUAL = "Units of unequal size (survey designs): two rates"
FAMILIES = "Weights and clusters: three groups and more of one rate"
MARGINS = 'Weights and clusters: two groups at the margin, false "equivalence shown"'
STRATA = "Weights and clusters: two groups within three strata, no difference"
# people of the reference and of the group, sd of log weights (coefficient of variation), rates of both
WEIGHTED = (
    ((200, 200), 0.5, (0.2, 0.2)),
    ((200, 200), 1.0, (0.2, 0.2)),
    ((200, 50), 1.0, (0.2, 0.2)),
    ((100, 20), 1.0, (0.5, 0.5)),
    ((500, 100), 1.3, (0.1, 0.1)),
    ((300, 60), 1.0, (0.9, 0.9)),
    ((1000, 30), 0.7, (0.05, 0.05)),
    ((200, 50), 1.0, (0.5, 0.2)),
    ((500, 100), 1.3, (0.3, 0.1)),
    ((2000, 12), 0.2, (0.01, 0.01)),
    ((2000, 12), 0.2, (0.99, 0.99)),
    ((2000, 30), 0.5, (0.02, 0.02)),
)
# clusters (one number: they hold both groups), people of each group in one, rate, correlation within a cluster
CLUSTERED = (
    (8, (10, 10), 0.3, 0.3),
    (8, (10, 10), 0.05, 0.1),
    (8, (20, 4), 0.3, 0.3),
    (15, (10, 10), 0.3, 0.3),
    (15, (20, 5), 0.1, 0.2),
    (30, (10, 10), 0.05, 0.1),
    (60, (10, 10), 0.3, 0.3),
    (60, (10, 10), 0.05, 0.1),
    ((5, 5), (15, 15), 0.3, 0.2),
    ((8, 8), (15, 15), 0.3, 0.2),
    ((8, 8), (15, 15), 0.1, 0.2),
    ((8, 60), (15, 15), 0.1, 0.2),
    ((15, 15), (15, 15), 0.1, 0.2),
    ((30, 30), (15, 15), 0.05, 0.2),
    ((60, 60), (15, 15), 0.1, 0.2),
)
# clusters, their median size, sd of log sizes ("half": one holds as many people as its group's others), share of the
# group in each (a number, or "apart": most hold one group), rate, correlation within a cluster
UNEVEN: tuple[tuple[int | tuple[int, int], int, float | str, float | str, float, float], ...] = (
    ((40, 40), 8, 1.0, 0, 0.3, 0.5),
    (40, 12, 1.0, "apart", 0.3, 0.5),
    ((4, 40), 8, 1.0, 0, 0.3, 0.5),
    ((40, 40), 8, 1.5, 0, 0.5, 0.2),
    ((4, 20), 20, 0.0, 0, 0.5, 0.5),
    ((5, 45), 20, "half", 0, 0.1, 0.5),
    ((25, 25), 20, "half", 0, 0.5, 0.05),
    ((12, 12), 12, 1.0, 0, 0.5, 0.2),
    ((12, 12), 12, 1.0, 0, 0.1, 0.0),
    (6, 12, 1.0, 0.5, 0.5, 0.2),
    (12, 12, 1.0, 0.1, 0.1, 0.05),
    (12, 20, "half", 0.5, 0.5, 0.2),
    (24, 20, "half", 0.1, 0.5, 0.2),
    (50, 12, 1.0, 0.1, 0.5, 0.05),
)
# strata, units drawn in each, people of each group in a unit, rate, sd of strata's logits, correlation within a unit
DRAWN = (
    (8, 2, (10, 10), 0.3, 0.5, 0.1),
    (8, 2, (10, 10), 0.05, 0.5, 0.05),
    (8, 2, (20, 4), 0.3, 0.5, 0.2),
    (15, 4, (10, 10), 0.3, 0.5, 0.1),
    (15, 4, (10, 3), 0.05, 0.5, 0.05),
    (15, 2, (30, 30), 0.3, 1.0, 0.05),
    (4, 50, (1, 0.3), 0.1, 1.0, 0.0),
)
# units, strata, sd of log sizes, who is in them ("within": both groups; "apart": most are of one; "across": one group),
# rate, correlation within a unit, by replicates (a stratified jackknife's) or not
OF_UNEQUAL_SIZE = (
    *((K, 1, sd, kind, rate, 0.2, False)
      for K, kind in ((15, "within"), (15, "apart"))
      for sd in (0.2, 0.8, 1.3)
      for rate in (0.1, 0.3)),
    (12, 2, 1.3, "across", 0.3, 0.2, False),
    (15, 1, 1.3, "apart", 0.3, 0.2, True),
    (6, 1, 1.3, "within", 0.5, 0.2, False),
    (40, 1, 1.3, "across", 0.1, 0.2, False),
    (40, 2, 1.3, "apart", 0.3, 0.2, False),
)  # fmt: skip
HOLDING = {"within": "both groups in each", "apart": "most of one group", "across": "one group in each"}
EQUIVALENT = (("weights", 0.15), ("12 clusters", 0.3), ("12 clusters", 0.2), ("40 clusters", 0.15))
QUICK = (1, 4, 10)
WITHIN = ("weights, 50 and 200", "16 clusters hold both", "8 and 8 clusters", "8 and 60 clusters")
WITHIN += ("10 and 6 clusters of lognormal size",)


def weighted(people: Sequence[int], spread: float, rates: Sequence[float], rng: np.random.Generator) -> Drawn:
    """Groups of people whose weights say nothing about them."""
    sums = []
    for n, p in zip(people, rates, strict=True):
        w, y = np.exp(rng.normal(0, spread, n)), rng.random(n) < p
        sums.append((w @ y, w.sum(), w**2 @ y, (w**2).sum(), n))
    events, n, e2, n2, count = np.array(sums, dtype=float).T
    result = rates_of_weighted(events, n, e2, n2, count, int(count.sum()))
    p = events / n
    with np.errstate(divide="ignore", invalid="ignore"):
        size = p * (1 - p) * n**2 / ((1 - p) ** 2 * e2 + p**2 * (n2 - e2))
    inside = (p > 1e-9) & (p < 1 - 1e-9)  # sums of weights round
    return result, np.where(inside, np.minimum(size, count), n**2 / n2)


def clustered(
    clusters: int | Sequence[int],
    people: Sequence[int],
    rate: float,
    icc: float,
    rng: np.random.Generator,
    *,
    last: int = 0,
) -> Drawn:
    """Groups within clusters that have rates of their own (beta), shared by the groups or not."""
    first, second = rate * (1 - icc) / icc, (1 - rate) * (1 - icc) / icc
    if isinstance(clusters, int):
        d = np.tile(np.array(people), (clusters, 1))
    else:
        d = np.zeros((sum(clusters), len(people)), dtype=int)
        ends = np.cumsum([0, *clusters])
        for g, size in enumerate(people):
            d[ends[g] : ends[g + 1], g] = size
        d[-1, -1] = last or d[-1, -1]
    e = rng.binomial(d, rng.beta(first, second, len(d))[:, None]).astype(float)
    return rates_of_clusters(e, d.astype(float), d.sum(axis=0).astype(float), len(d)), before(e, d)


def stratified(
    strata: int, units: int, people: tuple[float, float], rate: float, spread: float, icc: float,
    rng: np.random.Generator,
) -> Drawn:  # fmt: skip
    """Two groups in units within strata with rates of their own; of fewer than one person a unit, some have none."""
    K = strata * units
    where = np.repeat(np.arange(strata), units)
    middle = expit(logit(rate) + spread * ndtri((np.arange(strata) + 0.5) / strata))
    middle = (middle * rate / middle.mean())[where]
    rates = rng.beta(middle * (1 - icc) / icc, (1 - middle) * (1 - icc) / icc) if icc else middle
    d = np.column_stack([rng.binomial(1, n, K) if n < 1 else np.full(K, int(n)) for n in people])
    e = rng.binomial(d, rates[:, None])
    plan = Sampling(where, np.full(strata, float(units)), np.ones(strata))
    top, group = np.repeat([1.0, 0.0], 2 * K), np.tile(np.repeat([0, 1], K), 2)
    n = np.concatenate([e.T.ravel(), (d - e).T.ravel()]).astype(float)
    cells = SampledPeople(n, n, n, np.tile(np.arange(K), 4))
    return plan.rates(top, np.ones(4 * K), cells, group, 2), before(e.astype(float), d.astype(float))


def unequal(
    units: int,
    strata: int,
    spread: float,
    kind: str,
    rate: float,
    icc: float,
    replicated: bool,
    rng: np.random.Generator,
) -> tuple[SurveyRates, Floats]:
    """Two groups in units of lognormal size, drawn again until both have an error; the design's degrees of freedom."""
    where = np.arange(units) % strata
    count = np.bincount(where).astype(float)
    plan = Sampling(where, count, np.ones(strata))
    if replicated:  # of each unit, whose stratum's others count for it
        factor = np.where(where[:, None] == where, (count / (count - 1))[where], 1.0) * (1 - np.eye(units))
    while True:
        size = np.maximum(2, np.round(20 * np.exp(rng.normal(0, spread, units)))).astype(int)
        share = {"within": np.full(units, 0.5), "across": (np.arange(units) // strata % 2).astype(float)}
        current = rng.binomial(size, rng.beta(0.3, 0.3, units) if kind == "apart" else share[kind])
        d = np.column_stack([size - current, current])
        e = rng.binomial(d, rng.beta(rate * (1 - icc) / icc, (1 - rate) * (1 - icc) / icc, units)[:, None])
        n = np.concatenate([e.T.ravel(), (d - e).T.ravel()]).astype(float)
        unit, top = np.tile(np.arange(units), 4), np.repeat([1.0, 0.0], 2 * units)
        group = np.tile(np.repeat([0, 1], units), 2)
        if replicated:
            plan = Sampling(where, count, np.ones(strata), replicates=n[:, None] * factor[unit],
                            scales=((count - 1) / count)[where])  # fmt: skip
            unit = np.arange(4 * units)
        result = plan.rates(top, np.ones(4 * units), SampledPeople(n, n, n, unit), group, 2)
        if result.estimable.all():
            return result, np.array([plan.size(unit[(group == g) & (n > 0)])[1] for g in (0, 1)], dtype=float)


def uneven(
    clusters: int | tuple[int, int],
    median: int,
    spread: float | str,
    share: float | str,
    rate: float,
    icc: float,
    rng: np.random.Generator,
) -> Drawn:
    """Clusters of unequal size, drawn again until both groups have an error."""
    count = clusters if isinstance(clusters, int) else sum(clusters)
    while True:
        if spread == "half":
            size = np.full(count, median)
            size[0] = median * ((clusters if isinstance(clusters, int) else clusters[0]) - 1)
        else:
            size = np.maximum(1, np.round(median * np.exp(rng.normal(0, float(spread), count)))).astype(int)
        if isinstance(clusters, int):
            current = rng.binomial(size, rng.beta(0.3, 0.3, count) if share == "apart" else float(share))
        else:
            current = np.where(np.arange(count) >= clusters[0], size, 0)
        d = np.column_stack([size - current, current])
        of = rng.beta(rate * (1 - icc) / icc, (1 - rate) * (1 - icc) / icc, count) if icc > 0 else np.full(count, rate)
        e = rng.binomial(d, of[:, None]).astype(float)
        result = rates_of_clusters(e, d.astype(float), d.sum(axis=0).astype(float), count)
        if result.estimable.all():
            return result, before(e, d)


def before(e: Floats, d: NDArray[np.int64]) -> Floats:
    """Effective sizes p(1 - p)/v of groups in clusters."""
    n, units = d.sum(axis=0).astype(float), (d > 0).sum(axis=0)
    p = e.sum(axis=0) / n
    with np.errstate(divide="ignore", invalid="ignore"):
        variance = np.sum(((e - p * d) / n) ** 2, axis=0) * units / (units - 1)
        size = p * (1 - p) / variance
    return np.where((p > 0) & (p < 1), np.minimum(size, n), units.astype(float))


def two(
    draw: Callable[[np.random.Generator], Drawn], rates: Sequence[float], rng: np.random.Generator, draws: int
) -> Shares:
    """The verdict and the coverage of the limits: the score test at the truth is what they invert."""
    rows = []
    for _ in range(draws):
        result, before = draw(rng)
        pair = result.pair(1, 0)
        critical = -float(stdtrit(pair.df, 0.025))
        scores = (
            correlated_difference_score(pair.four, pair.correlation, rates[1] - rates[0]),
            correlated_ratio_score(pair.four, pair.correlation, rates[1] / rates[0]),
        )
        low, high = result.limits(1, 0.95)
        old = wilson(result.rate[1] * before[1], before[1])
        row: dict[str, bool | float] = {}
        if rates[0] == rates[1]:
            pooled = float(result.rate @ before / before.sum())
            apart = float(np.sum(1 / before) - 2 * pair.correlation / before.prod() ** 0.5)
            error = np.sqrt(pooled * (1 - pooled) * max(apart, 0.0))
            gap = result.rate[1] - result.rate[0]
            row |= {"disparity shown": pair.p_value <= 0.05}
            row |= {"normal, p(1 - p)/v": bool(error > 0 and 2 * ndtr(-abs(gap) / error) <= 0.05)}
        rows.append(
            row
            | {
                "difference covered": abs(scores[0]) <= critical,
                "ratio covered": abs(scores[1]) <= critical,
                "rate covered": low <= rates[1] <= high,
                "rate covered before": old[0] <= rates[1] <= old[1],
            }
        )
    return counted(rows)


def of_design(
    draw: Callable[[np.random.Generator], tuple[SurveyRates, Floats]], rate: float, rng: np.random.Generator, draws: int
) -> Shares:
    """The verdict, with the degrees of freedom of the units' weights and with those of the design (as R's survey)."""
    rows = []
    for _ in range(draws):
        result, plain = draw(rng)
        least = 1 / np.sqrt(plain)
        old = replace(result, overlap=np.outer(least, least), freedom=plain, clustered=False).pair(1, 0)
        pair, (low, high) = result.pair(1, 0), result.limits(1, 0.95)
        known = {"disparity shown": pair.p_value <= 0.05, "units less strata": old.p_value <= 0.05}
        ends = pair.limits(0.95)
        rows.append(known | {"difference covered": ends[0] <= 0 <= ends[1], "rate covered": low <= rate <= high})
    return counted(rows)


def at_margin(design: str, margin: float, rng: np.random.Generator, draws: int) -> Shares:
    """The share of samples in which two groups that differ by the margin are called equivalent."""
    rows = []
    for _ in range(draws):
        if design == "weights":
            result = weighted((300, 150), 0.8, (0.3, 0.3 + margin), rng)[0]
        else:
            count = 12 if design == "12 clusters" else 40
            rates = 0.3, 0.3 + margin
            d = np.zeros((2 * count, 2), dtype=int)
            d[:count, 0] = d[count:, 1] = 20
            mean = np.repeat(rates, count)
            e = rng.binomial(d, rng.beta(mean * 7 / 3, (1 - mean) * 7 / 3)[:, None]).astype(float)  # correlation 0.3
            result = rates_of_clusters(e, d.astype(float), d.sum(axis=0).astype(float), len(d))
        rows.append({"equivalence shown": result.pair(1, 0).p_equivalence(margin) <= 0.05})
    return counted(rows)


def several(draw: Callable[[np.random.Generator], Drawn], rng: np.random.Generator, draws: int) -> Shares:
    """Claims of a difference among groups of one rate: omnibus, largest difference, the family, and before."""
    rows = []
    for _ in range(draws):
        result, before = draw(rng)
        family = DesignFamily(result, tuple(range(result.rate.size)))
        against = [result.pair(k, 0).p_value for k in range(1, result.rate.size)]
        rows.append(
            {
                "any false verdict": min(against) * len(against) <= 0.05,
                "omnibus": family.omnibus()[3] <= 0.05,
                "largest difference": family.joint_p() <= 0.05,
                "chi-square, p(1 - p)/v": chi_square(result.rate * before, before)[2] <= 0.05,
            }
        )
    return counted(rows)


def within(design: str, rng: np.random.Generator, draws: int) -> Shares:
    """Mantel-Haenszel's difference of people in three strata."""
    rows = []
    for _ in range(draws):
        k = np.repeat(np.arange(68 if design == "8 and 60 clusters" else 16), 8)
        if design == "weights, 50 and 200":
            k = np.arange(250)
        strata = rng.integers(0, 3, k.size)
        if design == "weights, 50 and 200":
            group, y = k < 50, rng.random(k.size) < 0.2 + 0.1 * strata
            result = stratified_rates_from_data(y, group, strata, weights=np.exp(rng.normal(0, 1, k.size)))
        elif design == "10 and 6 clusters of lognormal size":
            k = np.repeat(np.arange(16), np.maximum(1, np.round(np.exp(rng.normal(2, 1.2, 16)))).astype(int))
            y = rng.random(k.size) < rng.beta(1.2, 2.8, 16)[k]
            result = stratified_rates_from_data(y, k >= 10, k % 3, clusters=k)
        else:
            group = np.arange(k.size) % 2 == 0 if design == "16 clusters hold both" else k < 8
            y = rng.random(k.size) < rng.beta(1.2, 2.8, k.max() + 1)[k] * (0.7 + 0.15 * strata)
            result = stratified_rates_from_data(y, group, strata, clusters=k)
        low, high = result.limits(0.95)
        rows.append({"disparity shown": result.p_value <= 0.05, "covered": low <= 0 <= high})
    return counted(rows)


def cells() -> list[Cell]:
    """The cells of the tables."""
    out = []
    for people, spread, rates in WEIGHTED:
        cv = np.sqrt(np.exp(spread**2) - 1)
        name = f"{people[0]} and {people[1]}, weights' cv {cv:.1f}, rates {rates[0]:g} and {rates[1]:g}"
        cell = _two(WEIGHTS, name, partial(weighted, people, spread, rates), rates, len(out) in QUICK)
        # limits are held to their level where somebody is expected to differ from the rest of a group
        out.append(cell if min(people) * min(*rates, 1 - max(rates)) >= 1 else replace(cell, least={}))
    for k, (clusters, sizes, rate, icc) in enumerate(CLUSTERED):
        where = f"{clusters} hold both" if isinstance(clusters, int) else f"{clusters[0]} and {clusters[1]}"
        name = f"{where}, {sizes[0]} and {sizes[1]} people in each, rate {rate:g}, correlation {icc:g}"
        out.append(_two(CLUSTERS, name, partial(clustered, clusters, sizes, rate, icc), (rate, rate), k in QUICK))
    for k, (count, last) in enumerate(((5, 50), (12, 200), (40, 200))):
        name = f"30 and {count}, 10 people in each but {last} in one of the group's, rate 0.3, correlation 0.3"
        draw = partial(clustered, (30, count), (10, 10), 0.3, 0.3, last=last)
        out.append(_two(CLUSTERS, name, draw, (0.3, 0.3), k == 1))
    for k, cell in enumerate(UNEVEN):
        clusters, median, spread, share, rate, icc = cell
        where = f"{clusters} hold both" if isinstance(clusters, int) else f"{clusters[0]} and {clusters[1]}"
        how = "one as large as its group's others" if spread == "half" else f"median {median}, log sd {spread:g}"
        mixed = {"apart": ", most of one group", 0.1: ", 10 % of the group"}.get(share, "")
        name = f"{where}{mixed}, {how}, rate {rate:g}, correlation {icc:g}"
        out.append(_two(SIZES, name, partial(uneven, *cell), (rate, rate), k in (0, 1)))
    for k, (strata, units, people, rate, spread, icc) in enumerate(DRAWN):
        name = f"{strata} strata × {units}, {people[0]:g} and {people[1]:g} people in each, rate {rate:g}, "
        name += f"correlation {icc:g}"
        draw = partial(stratified, strata, units, people, rate, spread, icc)
        out.append(replace(_two(STRATIFIED, name, draw, (rate, rate), k in (0, 3)), draws=2000))
    for k, (units, strata, sd, kind, rate, icc, replicated) in enumerate(OF_UNEQUAL_SIZE):
        name = f"{units} units{f' in {strata} strata' if strata > 1 else ''}, "
        name += f"{HOLDING[kind]}, log sd {sd:g}, rate {rate:g}"
        name += ", replicates" if replicated else ""
        draw_one = partial(unequal, units, strata, sd, kind, rate, icc, replicated)
        run = partial(of_design, draw_one, rate)
        out.append(Cell(UNEQUAL, name, run, 1000, 300 * (k in (5, 13)), most={"disparity shown": 0.06}))
    families: dict[str, Callable[[np.random.Generator], Drawn]] = {
        "4 groups of 200, 100, 100, 60, weights' cv 1.3, rate 0.3": partial(
            weighted, (200, 100, 100, 60), 1.0, (0.3,) * 4
        ),
        "3 groups of 2000, 12, 12, weights' cv 0.2, rate 0.99": partial(weighted, (2000, 12, 12), 0.2, (0.99,) * 3),
        "6 groups in 8 clusters that hold all, rate 0.3": partial(clustered, 8, (10,) * 6, 0.3, 0.2),
        "6 groups in 20 clusters that hold all, rate 0.3": partial(clustered, 20, (10,) * 6, 0.3, 0.2),
        "4 groups in 10 clusters each, rate 0.3": partial(clustered, (10,) * 4, (10,) * 4, 0.3, 0.2),
        "3 groups in 15 clusters each, rate 0.1": partial(clustered, (15,) * 3, (15,) * 3, 0.1, 0.2),
    }
    bounds = {"any false verdict": 0.06, "omnibus": 0.06, "largest difference": 0.06}
    out += [
        Cell(FAMILIES, name, partial(several, draw), 2000, 300 * (k < 3), most=bounds)
        for k, (name, draw) in enumerate(families.items())
    ]
    out += [
        Cell(
            MARGINS,
            f"{design}, rates 0.3 and {0.3 + margin:g}",
            partial(at_margin, design, margin),
            4000,
            500 * (k == 1),
            most={"equivalence shown": 0.06},
        )
        for k, (design, margin) in enumerate(EQUIVALENT)
    ]
    return out + [
        Cell(STRATA, name, partial(within, name), 2000, 200 * (k == 0), most={"disparity shown": 0.06})
        for k, name in enumerate(WITHIN)
    ]


def _two(
    table: str, name: str, draw: Callable[[np.random.Generator], Drawn], rates: Sequence[float], quick: bool
) -> Cell:
    most = {"disparity shown": 0.06} if rates[0] == rates[1] else {}
    least = {"difference covered": 0.93, "rate covered": 0.93}
    return Cell(table, name, partial(two, draw, rates), 4000, 500 * quick, most=most, least=least)
