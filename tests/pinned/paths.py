"""The rarely taken paths of fits: odd rows and options, new rows, folds, tables of results, and what they say no to."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse

import fairstats as fs
from tests.pinned.fits import LOOSE as LOOSE
from tests.pinned.fits import ROADS, ends, three
from tests.pinned.reading import Cases, attempt

ROLES: dict[str, Any] = {"advantaged": "a", "disadvantaged": "b"}
Fit = Callable[..., Any]
OTHERS = fs.comparators
COLUMNS = ["u", "v", "w", "x", "y", "z"]


def short(fit: Any, X: Any = None, g: Any = None) -> dict[str, Any]:
    """What moves when a fit does: its energies, prices, checks, notes, and scores of rows."""
    found: dict[str, Any] = {
        name: getattr(fit, name) for name in ("settings", "energy", "group_share", "canonical") if hasattr(fit, name)
    }
    price = getattr(fit, "price", None)
    found["price"] = (fit.total, fit.error, 0.0 if price is None else fit.pca_error)
    found["by_group"] = (
        [] if price is None else [(row.level, row.n, row.error, row.pca_error) for row in price.by_group]
    )
    found["checked"] = [(one.statement, one.tolerance, one.holds) for one in fit.guarantees]
    if fit.method in ROADS:
        told = getattr(fit, "diagnostics", {})
        return found | {"ends": ends(told["objective"]) if "objective" in told else []}
    found |= {"notes": fit.notes, "title": fit.title, "diagnostics": getattr(fit, "diagnostics", {})}
    if X is not None:
        found["scores"] = attempt(lambda: np.asarray(fit.transform(X, g)))
    return found | {"summary": fit.summary()}


def fitted(method: Fit, X: Any, g: Any, *args: Any, **options: Any) -> dict[str, Any]:
    """A method fitted to rows, and its scores of a third of them."""
    made = attempt(lambda: method(X, g, *args, **options))
    fit = made["value"] if isinstance(made, dict) else made
    if isinstance(fit, str):
        return {"said": fit}
    rows = X[::3] if isinstance(X, np.ndarray) else None
    given = np.asarray(g)[::3] if rows is not None and isinstance(g, (np.ndarray, list)) else None
    warned = made["warned"] if isinstance(made, dict) else []
    return short(fit, rows, given) | {"warned": warned}


def times(g: Any) -> np.ndarray:
    """Weights, one of them 0."""
    return np.r_[0.0, 1.0 + np.arange(len(g) - 1) % 3]


def many(n: int = 120, p: int = 6, levels: int = 5) -> tuple[np.ndarray, np.ndarray]:
    """Many groups, each of most spread along an axis of its own."""
    rng = np.random.default_rng(5)
    g = np.arange(n) % levels
    spread = 1.0 + 2.0 * (np.arange(p)[None, :] == g[:, None]) + 0.3 * np.linspace(1, 0, p)
    return np.round(rng.standard_normal((n, p)) * spread, 3), np.array([f"g{one:02d}" for one in g])


@cache
def frame() -> pd.DataFrame:
    """A table with two attributes, one of them not known of everybody, and a number."""
    X, g = three(p=7)
    made = pd.DataFrame(X[:, :6], columns=COLUMNS, index=np.arange(len(g)) + 100)
    made["race"], made["sex"] = g, np.tile(["f", "m", "m"], len(g))[: len(g)]
    made["age"] = np.round(20 + 3 * X[:, 6] + 5 * (made["sex"] == "m"), 2)
    made["part"] = made["race"].where(np.arange(len(g)) % 9 > 0, None)
    made["times"] = times(g)
    return made


def pairs(n: int = 40, p: int = 4) -> tuple[np.ndarray, np.ndarray]:
    """Two groups of equal means: every row and its opposite."""
    rows = np.round(np.random.default_rng(9).standard_normal((n // 4, p)) * np.linspace(2, 0.5, p), 3)
    return np.vstack([rows, -rows, 1.5 * rows[:, ::-1], -1.5 * rows[:, ::-1]]), np.repeat(["a", "b"], n // 2)


DEFAULTS: dict[str, tuple[Fit, dict[str, Any]]] = {
    "pca": (fs.pca, {}),
    "og": (fs.og, {}),
    "og residual": (fs.og, {"basis": "residual"}),
    "sog": (fs.sog, {"t": 1.5}),
    "fair_pca": (fs.fair_pca, {}),
    "fair_pca tradeoff": (fs.fair_pca, {"tradeoff": 0.4}),
    "fair_kernel_pca": (fs.fair_kernel_pca, {}),
    "fair_kernel_pca tradeoff": (fs.fair_kernel_pca, {"tradeoff": 0.4, "gamma": 0.03}),
    "fair_kernel_pca landmarks": (fs.fair_kernel_pca, {"landmarks": 60, "gamma": 0.03, "seed": 2}),
    "leace_pca": (fs.leace_pca, {"shrinkage": True}),
    "leace": (fs.leace, {}),
    "residualize": (OTHERS.residualize, {}),
}
GROUPED: dict[str, tuple[Fit, dict[str, Any]]] = {
    "minimax_pca": (fs.minimax_pca, {}),
    "fair_pca covariance": (fs.fair_pca, {"equalize": "covariance", "directions": 3, "k": 1}),
    "quadratic_leace": (OTHERS.quadratic_leace, {"shrinkage": True}),
    "location_scale": (OTHERS.location_scale, {"protect": ["v"]}),
    "location_scale bayes": (OTHERS.location_scale, {"empirical_bayes": True, "protect": ["v"]}),
}


def of_tables() -> Cases:
    """Columns of a table: one attribute, several, a number, a formula, groups that are missing, weights."""
    cases: Cases = {}
    groups: dict[str, Any] = {
        "race": "race",
        "race and sex": ["race", "sex"],
        "age": fs.continuous("age"),
        "sex and age": ["sex", fs.continuous("age")],
        "crossed": "race:sex",
    }
    for name, (method, options) in {**DEFAULTS, **GROUPED}.items():
        for told, given in groups.items():
            if told == "race" or (name in DEFAULTS) != (told == "crossed"):
                cases[f"{name} by {told}"] = lambda m=method, o=options, g=given: of_table(m, g, **o)
        if name in GROUPED:
            cases[f"{name} by age"] = lambda m=method, o=options: of_table(m, fs.continuous("age"), **o)
            cases[f"{name} by two"] = lambda m=method, o=options: of_table(m, ["race", "sex"], **o)
        cases[f"{name} without the missing"] = lambda m=method, o=options: of_table(m, "part", missing="drop", **o)
    for name in ("og", "fair_pca", "leace", "fair_kernel_pca"):
        method, options = DEFAULTS[name]
        cases[f"{name} of missing"] = lambda m=method, o=options: of_table(m, "part", **o)
        cases[f"{name} with a level of the missing"] = lambda m=method, o=options: of_table(
            m, "part", missing="level", weights="times", **o
        )
        cases[f"{name} of a formula"] = lambda m=method, o=options: short(
            m("~ u + v:w + x + y + z", "race", data=frame(), scale=True, **o), frame(), "race"
        )
    return cases


def of_table(method: Fit, groups: Any, **options: Any) -> Any:
    fit = method(COLUMNS, groups, data=frame(), **options)
    rows = frame().iloc[::4]
    found = short(fit, rows)
    if hasattr(fit, "augment"):
        found["augmented"] = attempt(lambda: fit.augment(rows).iloc[:, -fit.k :])
        found["loadings"] = fit.tidy("loadings")
    return found


def of_folds() -> Cases:
    """Held-out scores of every kind of fit, and what folds are refused."""
    cases: Cases = {}
    for name, (method, options) in {**DEFAULTS, **GROUPED}.items():
        cases[f"{name} in three folds"] = lambda m=method, o=options: held(m, o, folds=3, seed=1)
        if name in ("og", "fair_pca tradeoff", "fair_kernel_pca tradeoff", "fair_kernel_pca landmarks", "leace"):
            cases[f"{name} in own folds, of times"] = lambda m=method, o=options: held(
                m,
                {**o, "weights": "times"},
                folds=np.array(["p", "q", "r"])[np.arange(len(frame())) // 30],
                weights="times",
            )
    X, g = three()
    plain = fs.og(X, g)
    weighed = fs.og(X, g, weights=times(g))
    for name, call in {
        "no groups": lambda: plain.crossfit(X),
        "too few folds": lambda: plain.crossfit(X, g, folds=1),
        "too many folds": lambda: plain.crossfit(X, g, folds=len(g) + 1),
        "folds of another length": lambda: plain.crossfit(X, g, folds=[0, 1, 0]),
        "one row of a group": lambda: plain.crossfit(X, ["z", *g[1:]]),
        "weights that the fit had not": lambda: plain.crossfit(X, g, weights=times(g)),
        "no weights": lambda: weighed.crossfit(X, g),
        "as many folds as rows": lambda: plain.crossfit(X[:9], np.tile(["a", "b", "c"], 3), folds=9),
        "a fractional optimum": lambda: fs.minimax_pca(*many(), k=2).crossfit(*many(), folds=2),
    }.items():
        cases[f"crossfit with {name}"] = call
    for name, given in {
        "numbers": {"folds": np.arange(12) % 3},
        "labels": {"folds": list("ab" * 6)},
        "weights": {"folds": np.repeat([4, 2], 6), "weights": np.r_[0.0, np.ones(10), 2.0]},
        "equal weights": {"folds": np.repeat([0, 1], 6), "weights": np.r_[0.0, np.ones(11)]},
        "short folds": {"folds": [0, 1]},
        "short weights": {"folds": np.arange(12) % 2, "weights": [1.0]},
        "a group in one fold only": {"folds": np.repeat([0, 1, 2], 4)},
    }.items():
        cases[f"held out by hand, {name}"] = lambda o=given: by_hand(**o)
    return cases


def held(method: Fit, options: dict[str, Any], **crossed: Any) -> Any:
    fit = method(COLUMNS, "race", data=frame(), **options)
    made = fit.crossfit(frame(), "race", **crossed)
    return {"scores": made.scores, "folds": made.folds, "rows": made.estimates, "said": made.summary()}


def by_hand(**options: Any) -> dict[str, Any]:
    scores = np.round(np.column_stack([np.sin(np.arange(12.0)), np.arange(12.0) ** 2]), 6)
    given = {"groups": ["x"] * 4 + ["y"] * 5 + ["z"] * 3, "method": "mine", "seed": 3, **options}
    made = fs.HeldOut(scores=scores, **given)
    counted = made.counted()
    found = {"n": made.n, "k": made.k, "folds": made.folds, "one": made.glance(), "record": made.to_dict()}
    found |= {"counted": (counted.n, counted.scores, "none" if counted.weights is None else counted.weights)}
    found["again"] = made.counted(np.arange(12.0)).weights
    return found | {"said": made.summary(), "repr": repr(made), "rows": attempt(lambda: made.estimates)}


def of_kernels() -> Cases:
    """Default widths and what has none, indefinite kernels, ranks, landmarks, outcomes."""
    X, g = three()
    y = (np.arange(len(g)) % 3 > 0).astype(int)
    kernel = fs.fair_kernel_pca
    far, alone = X + 1000.0 * (np.arange(5) == 2), X * np.r_[1.0, 1e5, 1.0, 1.0, 1.0]
    cases: Cases = {
        f"kernel pca, {name}": lambda o=options: fitted(kernel, X, g, **o)
        for name, options in {
            "times": {"weights": times(g)},
            "scaled": {"scale": True},
            "polynomial of times": {"kernel": "polynomial", "weights": times(g)},
            "cut off": {"kernel": "polynomial", "coef0": -3.0, "gamma": 0.2},
            "sigmoid": {"kernel": "sigmoid", "scale": True, "k": 1},
            "linear, too many": {"kernel": "linear", "k": 5},
            "linear landmarks": {"kernel": "linear", "landmarks": 9, "k": 4},
            "landmarks, not centered": {"landmarks": 30, "center": False, "k": 3, "tradeoff": 0.3},
            "landmarks of times": {"landmarks": 75, "weights": times(g), "scale": True},
            "landmarks of a sigmoid": {"kernel": "sigmoid", "landmarks": 5, "scale": True},
            "of the good": {"y": y, "target": "equal_opportunity", "tradeoff": 1.0, "weights": times(g)},
            "of the others": {"y": y, "target": "equal_opportunity", "positive": 0, "landmarks": 20, "gamma": 0.01},
            "no tradeoff": {"tradeoff": 0.0},
            "k too large": {"k": 100},
            "more landmarks than rows": {"landmarks": 76},
            "an outcome for nothing": {"y": y},
            "no such outcome": {"target": "equal_opportunity", "y": y, "positive": 7},
            "no outcome": {"target": "equal_opportunity"},
            "too wide": {"gamma": 1e200},
            "of one group of the good": {"target": "equal_opportunity", "y": (g == "a").astype(int)},
        }.items()
    }
    for name, call in {
        "one feature": lambda: fitted(kernel, X[:, :1], g, k=1),
        "far from the origin": lambda: fitted(kernel, far, g),
        "far from the origin, scaled": lambda: fitted(kernel, far, g, scale=True),
        "far from the origin, polynomial": lambda: fitted(kernel, far, g, kernel="polynomial", degree=1),
        "one feature is all": lambda: fitted(kernel, alone, g),
        "one feature is all, of times": lambda: fitted(kernel, alone - X.mean(axis=0), g, weights=times(g)),
        "one feature is most": lambda: fitted(kernel, X * np.r_[1.0, 50.0, 1, 1, 1], g),
        "no variation": lambda: fitted(kernel, np.ones((12, 3)), np.arange(12) % 2, kernel="linear"),
        "equal means": lambda: fitted(kernel, *pairs(), kernel="linear", k=2),
        "too many rows": lambda: fitted(kernel, np.zeros((10_001, 1)), np.arange(10_001) % 2),
        "moments": lambda: fitted(kernel, fs.moments(X, g), None),
        "sparse": lambda: fitted(kernel, sparse.csr_array(X), g, gamma=0.02),
        "a table of new rows": lambda: kernel(COLUMNS, "race", data=frame()).transform(frame()[COLUMNS[::-1]]),
        "an array of new rows": lambda: kernel(X, g).transform(X[:, :4]),
    }.items():
        cases[f"kernel pca, {name}"] = call
    cases["kernel pca, record"] = lambda: kernel(X, g, scale=True).to_dict() | {"brief": repr(kernel(X, g))}
    return cases


CASES: Cases = of_tables() | of_folds() | of_kernels()
