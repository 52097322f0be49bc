"""What is inferred about representations: leakage, extra error, prices, stability, choices of k, losses by group."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

import fairstats as fs
from tests.pinned.people import people
from tests.pinned.reading import Cases

X = ["u", "v", "w", "points"]
FITS = ("og", "fair_pca", "leace_pca", "pca")


@cache
def fit(name: str, groups: str = "race", **options: Any) -> Any:
    home = fs if hasattr(fs, name) else fs.comparators
    return getattr(home, name)(X, groups, data=people(), **options)


@cache
def held(name: str, groups: str = "race", **options: Any) -> fs.HeldOut:
    return fit(name, groups).crossfit(people(), groups, **options)


@cache
def weighed() -> fs.Projection:
    return fs.og(X, "race", data=people(), weights=people()["times"].to_numpy(float))


def leaks() -> Cases:
    """Can the groups be told from held-out scores?"""
    cases: Cases = {}
    times, clusters = people()["times"].to_numpy(), people()["court"].to_numpy()
    for name in (*FITS, "leace"):
        for groups in ("sex", "race"):
            if (name, groups) in (("og", "sex"), ("pca", "race"), ("leace", "sex")):
                cases[f"leakage {name} {groups}"] = lambda n=name, g=groups: fs.leakage(held(n, g), permutations=19)
            cases[f"component_tests {name} {groups}"] = lambda n=name, g=groups: fs.component_tests(held(n, g))
    cases["leakage more folds"] = lambda: fs.leakage(
        held("og", "sex", folds=4, seed=3), permutations=39, conf_level=0.9, seed=2
    )
    cases["leakage refitted"] = lambda: fs.leakage(fit("og", "sex"), people(), "sex", permutations=9)
    cases["leakage of pca refitted"] = lambda: fs.leakage(fit("pca"), people(), "race", permutations=9, folds=3)
    cases["leakage of times"] = lambda: fs.leakage(held("og", "sex"), weights=times, permutations=19)
    cases["leakage equivalent"] = lambda: fs.leakage(held("og", "sex"), equivalence=0.3, permutations=19)
    cases["leakage of own folds"] = lambda: fs.leakage(
        fit("pca", "sex").crossfit(people(), "sex", folds=clusters % 3), permutations=19
    )
    cases["leakage of a number"] = lambda: fs.leakage(
        fs.og(X[:3], fs.continuous(people()["points"], "points"), data=people()).crossfit(
            people(), fs.continuous(people()["points"], "points")
        ),
        permutations=19,
    )
    cases["component_tests of times"] = lambda: fs.component_tests(held("pca", "race"), weights=times, conf_level=0.9)
    cases["component_tests alone"] = lambda: fs.component_tests(held("pca", "race"), adjust="none")
    return cases


def errors() -> Cases:
    """What does fairness cost, and to whom?"""
    cases: Cases = {}
    for name in FITS:
        for groups in ("sex", "race"):
            call = (name, groups)
            if name in ("og", "pca"):
                cases[f"extra_error {name} {groups}"] = lambda c=call: fs.extra_error(
                    fit(*c), people(), c[1], permutations=29
                )
            if name != "pca":
                cases[f"price {name} {groups}"] = lambda c=call: fs.price(fit(*c), people(), c[1])
            cases[f"group_losses {name} {groups}"] = lambda c=call: fs.group_losses(fit(*c), people(), c[1])
            cases[f"stability {name} {groups}"] = lambda c=call: fs.stability(fit(*c), people(), c[1], replicates=20)
    times = people()["times"].to_numpy(float)
    og = ("og", "race")
    cases["extra_error at another level"] = lambda: fs.extra_error(
        fit("pca"), people(), "race", permutations=19, seed=3, conf_level=0.8
    )
    cases["extra_error of a scaled fit"] = lambda: fs.extra_error(
        fit("pca", "sex", scale=True), people(), "sex", permutations=19
    )
    cases["price of more folds"] = lambda: fs.price(
        fit(*og), people(), "race", folds=3, seed=2, conf_level=0.8, adjust="none"
    )
    cases["price of times"] = lambda: fs.price(weighed(), people(), "race", weights=times)
    cases["stability of times"] = lambda: fs.stability(
        weighed(), people(), "race", weights=times, replicates=20, seed=2, conf_level=0.8
    )
    cases["group_losses of times"] = lambda: fs.group_losses(weighed(), people(), "race", weights=times, conf_level=0.8)
    cases["price of leace"] = lambda: fs.price(fit("leace", "race"), people(), "race")
    for method in ("fair_pca", "og", "leace_pca"):
        cases[f"choose_k {method}"] = lambda m=method: fs.choose_k(X, "race", m, data=people(), permutations=9, folds=3)
    cases["choose_k of times"] = lambda: fs.choose_k(
        X,
        "sex",
        "og",
        data=people(),
        weights=times,
        scale=True,
        most=3,
        permutations=9,
        folds=2,
        conf_level=0.8,
        seed=4,
    )
    return cases


def many_features(n: int = 40, p: int = 30) -> tuple[np.ndarray, np.ndarray]:
    """So many features that components follow the noise of their rows."""
    rng = np.random.default_rng(5)
    return rng.standard_normal((n, p)) * np.linspace(3, 0.5, p), np.tile(["f", "m"], n // 2)


def unusual() -> Cases:
    """Many features, moments alone, groups that are a number, fits about other points."""
    dense, sides = many_features()
    rows, race = people()[X].to_numpy(), people()["race"].to_numpy()
    both = {"sex": people()["sex"].to_numpy(), "race": race}
    age = fs.continuous(people()["score"], "score")
    moments = fs.Moments.of(rows, race)
    by = {"sex": sides}
    cases: Cases = {
        "extra_error of many features": lambda: fs.extra_error(
            fs.pca(dense, sides, k=3), dense, sides, permutations=19
        ),
        "extra_error of og, many": lambda: fs.extra_error(fs.og(dense, by, k=2, scale=True), dense, by, permutations=9),
        "extra_error of moments": lambda: fs.extra_error(fs.pca(moments, k=2), moments),
        "extra_error of og of moments": lambda: fs.extra_error(fs.og(moments, k=3), moments),
        "extra_error without rows": lambda: fs.extra_error(fs.og(rows, race, k=2)),
        "extra_error of two attributes": lambda: fs.extra_error(fs.og(rows, both, k=2), rows, both, permutations=19),
        "extra_error of a number": lambda: fs.extra_error(
            fs.og(rows[:, :3], age, k=2), rows[:, :3], age, permutations=19
        ),
        "extra_error of a weighted fit": lambda: fs.extra_error(weighed(), people(), "race"),
        "group_losses uncentered": lambda: fs.group_losses(fs.og(rows, race, center=False), rows, race),
        "group_losses of minimax": lambda: fs.group_losses(fs.minimax_pca(rows, both["sex"]), rows, both["sex"]),
        "group_losses scaled": lambda: fs.group_losses(fs.fair_pca(rows, race, scale=True), rows, race),
        "group_losses of leace": lambda: fs.group_losses(fs.leace_pca(rows, race, k=3), rows, race),
        "group_losses of two attributes": lambda: fs.group_losses(fs.fair_pca(rows, both), rows, both),
        "price of two attributes": lambda: fs.price(fs.og(rows, both, k=2), rows, both),
        "price of minimax": lambda: fs.price(fs.minimax_pca(rows, both["sex"]), rows, both["sex"]),
        "price scaled": lambda: fs.price(fs.fair_pca(rows, race, scale=True), rows, race),
        "price uncentered": lambda: fs.price(fs.og(rows, race, center=False), rows, race),
        "stability scaled": lambda: fs.stability(fs.pca(rows, race, scale=True), rows, race, replicates=20),
        "stability of one": lambda: fs.stability(fs.fair_pca(rows, race, k=1), rows, race, replicates=20),
        "stability of many features": lambda: fs.stability(fs.pca(dense, sides, k=3), dense, sides, replicates=20),
        "leakage of two attributes": lambda: fs.leakage(fs.og(rows, both).crossfit(rows, both), permutations=19),
        "leakage of two attributes refitted": lambda: fs.leakage(fs.og(rows, both), rows, both, permutations=5),
        "leakage of many features": lambda: fs.leakage(
            fs.pca(dense, sides, k=9).crossfit(dense, sides), permutations=19
        ),
        "leakage of a number refitted": lambda: fs.leakage(fs.og(rows[:, :3], age), rows[:, :3], age, permutations=5),
        "component_tests of two attributes": lambda: fs.component_tests(fs.pca(rows).crossfit(rows, both)),
        "choose_k of many features": lambda: fs.choose_k(dense, sides, "og", permutations=5, folds=2, most=6),
    }
    return cases


def comparisons() -> Cases:
    """Whole comparisons of methods by what a model makes of them."""
    options: dict[str, Any] = {"outcome": "good", "groups": "sex", "features": X, "progress": False}
    return {
        "compare": lambda: fs.compare(
            people(), **options, methods=["none", "og", "pca"], k=[1, 2], repeats=3
        ).estimates,
        "compare representations": lambda: without_seconds(fs.compare(
            people(), **options, methods=["og", "leace"], k=2, model="lasso", repeats=4, representation=True,
            favorable=1, test_size=0.4, conf_level=0.9, threshold=0.4, seed=2, scale=False,
        ).estimates),
        "compare trained on what was measured": lambda: fs.compare(
            people(), **options, repeats=3, train_on="measured"
        ).estimates,
        "clusters": lambda: fs.fair_spectral(_graph(), ["a", "b", "c"] * 10, k=2, starts=2),
        "clusters without groups": lambda: fs.spectral(_graph(), ["a", "b", "c"] * 10, k=3, starts=2),
    }  # fmt: skip


def without_seconds(rows: fs.Estimates) -> fs.Estimates:
    return fs.Estimates(row for row in rows if row.metric != "fit seconds")


def _graph() -> np.ndarray:
    links = np.triu(np.random.default_rng(2).random((30, 30)) < 0.3, 1).astype(float)
    return links + links.T


CASES: Cases = leaks() | errors() | unusual() | comparisons()
