"""Scores and fits at their edges: more differences than are formed, ties, large effects, too few rows."""

from __future__ import annotations

from typing import Any

import numpy as np

import fairstats as fs
from fairstats import stats
from fairstats.data.design import Design
from fairstats.inference.representations.group_part import from_rows
from fairstats.inference.representations.noncentral import null_tail, share_interval, total_interval
from fairstats.inference.representations.quadratic_forms import tail
from fairstats.inference.representations.studentized_rows import permutation_p
from fairstats.inference.scores.design_effects import design_effect
from fairstats.inference.scores.design_ranks import design_rank_omnibus, design_rank_test
from fairstats.inference.scores.difference_selection import difference_order_statistics
from fairstats.inference.scores.rare_scores import pooled_floors, rarity
from tests.pinned.people import people
from tests.pinned.rare import scored
from tests.pinned.reading import Cases
from tests.pinned.statistics import samples


def searches() -> Cases:
    """More differences than are formed: guesses, samples and halves, of normal, tied and heavy values."""
    rng = np.random.default_rng(4)
    x, y = rng.normal(0.1, 1, 1300), rng.normal(0, 1.5, 1500)
    kinds = {
        "normal": (x, y),
        "heavy": (np.exp(3 * x), y**3),
        "lattice": (np.arange(1300.0), np.arange(1500.0)),
        "few rows": (x[:40], rng.normal(size=50_000)),
        "repeated": (np.round(x, 2), np.round(y, 4)),
    }
    cases: Cases = {}
    for kind, two in kinds.items():
        total = two[0].size * two[1].size
        places = [1, 7, total // 40, total // 2, total // 2 + 1, total - 300, total]
        cases[f"order statistics {kind}"] = lambda a=two, k=places: difference_order_statistics(*a, k)
        cases[f"hodges_lehmann {kind}"] = lambda a=two: stats.hodges_lehmann(*a, 0.8)
    return cases


def ranks() -> Cases:
    """Weighted and clustered scores: ties of four people in five, margins, one value."""
    ties = np.r_[np.zeros(24), 1.0, 2.0, 2.0], np.r_[np.zeros(20), 1.0], np.r_[np.zeros(9), 3.0, 4.0, 5.0, 1.0]
    kinds = {kind: (x, y, np.r_[x[:3], y[-3:]] + 0.4) for kind, x, y in samples() if x.size > 1} | {"rare": ties}
    cases: Cases = {}
    for kind, values in kinds.items():
        for clustered in (False, True):
            made = [scored(v, at, clustered) for at, v in enumerate(values)]
            for equal in (True, False):
                effect = design_effect(made[0], made[1], equal=equal)
                other = design_effect(made[2], made[1], equal=equal)
                cases[f"design_effect {equal} {clustered} {kind}"] = lambda a=effect, b=other: [
                    a.estimate,
                    a.std_error,
                    a.df,
                    a.statistic,
                    a.p_value,
                    a.method,
                    a.sizes,
                    [a.p_equivalence(m) for m in (0.05, 0.3, 0.49)],
                    a.limits(0.8),
                    a.limits(0.99),
                    a.correlation(b),
                    b.correlation(a),
                ]
            sizes = np.array([v.size / 1.3 for v in values])
            places = [np.arange(sum(s.values.size for s in made)) % 7 / 7.0] * 3
            cases[f"rarity {clustered} {kind}"] = lambda m=made, n=sizes, p=places: [
                rarity(m, n),
                pooled_floors(m, n, p),
            ]
            if kind == "rare":
                cases[f"design ranks {clustered} {kind}"] = lambda m=made: [
                    design_rank_test(m[0], m[1]),
                    design_rank_test(m[2], m[0]),
                    design_rank_omnibus(tuple(m)),
                ]
    x = scored(np.ones(5), 0, False)
    cases["design_rank_test of one value"] = lambda: [design_rank_test(x, scored(np.ones(4), 1, c)) for c in (False,)]
    cases["relative_effect of two"] = lambda: [
        stats.relative_effect(a, b) for a, b in (([1, 2], [3, 4]), ([2, 2], [2]), ([1, 5], [3, 3]))
    ]
    return cases


def parts_of_groups() -> Cases:
    """What groups explain of scores: large and small effects, no noise, many rows, one axis."""
    rng = np.random.default_rng(3)
    code = np.repeat([0, 1, 2], [40, 25, 12])
    Z = (code[:, None] == [1, 2]).astype(float)
    noise = rng.standard_normal((77, 2)) * (1 + code)[:, None]
    kinds = {
        kind: noise + size * Z @ np.array([[1.0, 0.5], [0.3, -1.0]])
        for kind, size in (("none", 0.0), ("small", 0.4), ("large", 6.0), ("huge", 20.0))
    }
    kinds["one"] = noise[:, :1] + Z[:, :1]
    cases: Cases = {}
    for kind, A in kinds.items():
        part = from_rows(A, Z, code)
        for level in (0.95, 0.6):
            cases[f"total_interval {level} {kind}"] = lambda p=part, c=level: total_interval(p, c)
        cases[f"null_tail {kind}"] = lambda p=part: null_tail(p)
        for j in range(A.shape[1]):
            cases[f"share_interval {kind} {j}"] = lambda p=part, j=j: share_interval(p.component(j), 0.9)
        for codes in (code, None):
            cases[f"permutation_p {kind} {codes is None}"] = lambda A=A, c=codes: permutation_p(A, Z, c, 29, 2)
    large = np.repeat([0, 1], 1500)
    many = from_rows(rng.standard_normal((3000, 1)) + 0.2 * large[:, None], large[:, None] * 1.0, large)
    cases["total_interval of many"] = lambda: [total_interval(many, 0.9), share_interval(many, 0.9), null_tail(many)]
    for x, lam, df, delta in (
        (5000.0, np.ones(1), 1, np.zeros(1)),
        (1.0, np.array([1.0, 0.5]), 2, np.array([90.0, 0.0])),
        (30.0, np.array([1.0, 0.02]), 1, np.array([1.0, 900.0])),
        (3.0, np.array([1.0, 0.01, 0.001]), 0.7, np.array([0.0, 300.0, 4000.0])),
        (0.0, np.ones(2), 3, np.zeros(2)),
    ):
        cases[f"tail {x} {lam.size} {df}"] = lambda a=(x, lam, df, delta): tail(*a)
    return cases


def fits() -> Cases:
    """Results of a fit by themselves: as a dictionary, in a line, of too few rows, with failures."""
    rows, race = people()[["u", "v", "w", "points"]].to_numpy(), people()["race"].to_numpy()
    good = people()["good"].to_numpy()
    sex, few = people()["sex"].to_numpy(), (rows[:9], np.array(list("aabbaabba")))
    lone = np.r_[["x"], np.where(people()["sex"] == "f", "f", "m")[1:]]
    spread: dict[str, Any] = {"permutations": 9}
    cases: Cases = {}
    for kind, call in {
        "extra_error": lambda: fs.extra_error(fs.pca(rows, race, k=2), rows, race, **spread),
        "extra_error without permutations": lambda: fs.extra_error(fs.pca(rows, race, k=2), rows, race, permutations=0),
        "extra_error without rows": lambda: fs.extra_error(fs.pca(rows, race, k=2)),
        "stability": lambda: fs.stability(fs.fair_pca(rows, race, k=1), rows, race, replicates=20),
        "price": lambda: fs.price(fs.og(rows, race, k=2), rows, race),
        "leakage": lambda: fs.leakage(fs.og(rows, sex).crossfit(rows, sex), **spread),
        "leakage of few": lambda: fs.leakage(fs.pca(*few, k=1), *few, **spread),
        "leakage of a lone person": lambda: fs.leakage(fs.pca(rows, lone), rows, lone, **spread),
        "component_tests": lambda: fs.component_tests(fs.pca(rows).crossfit(rows, race)),
        "group_losses": lambda: fs.group_losses(fs.pca(rows, race), rows, race),
    }.items():
        cases[f"{kind} told"] = lambda c=call: [(made := c()).to_dict(), repr(made), str(made), made.glance()]
    sparse = rows.copy()
    sparse[2:, 3] = 0.0
    cases["stability of a feature of two"] = lambda: fs.stability(
        fs.pca(sparse, race, k=2, scale=True), sparse, race, replicates=20
    )
    outcome = Design.of(rows, race, y=good)
    cases["price of equal opportunity"] = lambda: fs.price(
        fs.fair_pca(outcome, None, k=2, target="equal_opportunity"), outcome
    )
    cases["price of equal opportunity without outcome"] = lambda: fs.price(
        fs.fair_pca(outcome, None, k=2, target="equal_opportunity"), rows, race
    )
    return cases


CASES: Cases = searches() | ranks() | parts_of_groups() | fits()
