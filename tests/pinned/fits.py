"""Every method at its defaults and beside them: all that a fit holds, works out and says, and its scores of rows."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

import fairstats as fs
from fairstats.methods.registry import METHODS
from tests.laws.every_method import EVERY, OF, SEARCHES, sample, wide
from tests.pinned.reading import Cases, parts, plain

OPTIONS: dict[str, list[dict[str, Any]]] = {
    "og": [{"center": False}, {"basis": "residual", "intercept": False}, {"intercept": False}],
    "sog": [{"t": 1.2}, {"t": 2.2, "tolerance": 1e-6, "max_iter": 50}, {"t": "cv", "folds": 3, "seed": 2}],
    "fair_pca": [
        {"equalize": "covariance", "directions": 0.9},
        {"equalize": "covariance", "directions": 3},
        {"tradeoff": 0.5},
        {"target": "equal_opportunity", "y": "outcome"},
        {"target": "equal_opportunity", "y": "outcome", "positive": 0, "tradeoff": 0.2},
    ],
    "fair_kernel_pca": [
        {"kernel": "polynomial", "degree": 2},
        {"kernel": "polynomial", "gamma": 0.1, "coef0": 0.5},
        {"kernel": "sigmoid", "gamma": 0.01},
        {"kernel": "linear", "center": False},
        {"landmarks": 15, "seed": 3},
        {"tradeoff": 0.5},
        {"target": "equal_opportunity", "y": "outcome"},
    ],
    "minimax_pca": [
        {"around": "overall"},
        *({"objective": one} for one in ("error", "variance", "nash")),
        {"solver": "mw", "steps": 30},
        {"solver": "mw", "steps": 20, "rate": 0.2},
        {"solver": "sdp"},
    ],
    "disparity_pca": [{"lam": 0.0}, {"lam": 0.99, "center": False}, {"lam": "balance"}],
    "leace_pca": [{"shrinkage": True}],
    "leace": [{"shrinkage": True}, {"projection": "orthogonal"}],
    "fpca": [{"delta": 0.1}, {"mu": 0.1}, {"solver": "scs"}],
    "mbf_pca": [{"starts": 1, "max_iter": 5, "tau": 0.5}, {"starts": 1, "max_iter": 8, "sigma": 2.0, "seed": 3}],
    "inlp_pca": [{"probe": "logistic"}, {"penalty": 0.1}],
    "inlp": [{"rounds": 1}, {"rounds": 3, "probe": "logistic", "penalty": 0.1}, {"until_chance": True}],
    "rlace_pca": [{"max_iter": 15}],
    "rlace": [{"rank": 2, "max_iter": 15}],
    "quadratic_leace": [{"shrinkage": True}],
    "location_scale": [{"protect": ["x1"]}, {"empirical_bayes": True}, {"protect": "x2", "empirical_bayes": True}],
}
# of these the defaults are tried on one table only
SLOW = {"mbf_pca", "rlace", "rlace_pca", "fpca", "inlp", "inlp_pca"}
ROADS = {"fpca", "mbf_pca", "sog"}  # searches whose last steps are those of rounding, and so of the machine
ROAD = {"iterations", "steps", "subproblems", "penalty", "residual", "eigenvalues", "status"}
LOOSE = {**SEARCHES, "fpca": 1e-3, "inlp": 1e-4, "inlp_pca": 1e-4, "sog": 1e-4}  # how close two ends are, of their size


def three(n: int = 75, p: int = 5) -> tuple[np.ndarray, np.ndarray]:
    """Three groups, one of them small, far from the origin."""
    rng = np.random.default_rng(21)
    g = rng.choice(["a", "b", "c"], n, p=[0.5, 0.38, 0.12])
    shift = np.array([{"a": 0.0, "b": 1.0, "c": -2.0}[one] for one in g])[:, None] * np.linspace(1, 0, p)
    return np.round(
        rng.standard_normal((n, p)) * np.linspace(2.5, 0.5, p) * (1 + 0.4 * (g == "b")[:, None]) + shift + 8, 3
    ), g


def two() -> tuple[np.ndarray, np.ndarray]:
    X, g = sample(n=70, p=5)
    return np.round(X, 3), g


def told(fit: Any, X: np.ndarray, g: np.ndarray) -> dict[str, Any]:
    """The fit, its tables, and what it makes of rows."""
    rows, of = X[:20], g[:20]
    found: dict[str, Any] = {"fit": loosely(fit) if fit.method in ROADS else fit, "repr": repr(fit)}
    found["scores"] = fit.transform(rows, of)
    if not isinstance(fit, fs.KernelProjection) and hasattr(fit, "reconstruct"):
        found["again"] = fit.reconstruct(rows, of)
    return found


def loosely(fit: Any) -> dict[str, Any]:
    """What of a search does not hang on the road that it took: no counts of steps, no distance left from its end."""
    found = parts(fit)
    found["diagnostics"] = {name: value for name, value in fit.diagnostics.items() if name not in ROAD}
    if "objective" in found["diagnostics"]:
        found["diagnostics"]["objective"] = ends(fit.diagnostics["objective"])
    found["guarantees"] = [(one.statement, one.tolerance, one.holds) for one in fit.guarantees]
    found["estimates"] = fs.Estimates(row for row in fit.estimates if row.role != "guarantee")
    for text in ("summary", "notes"):
        found[text] = " ".join(re.sub(r"\d[\d.,]*(e[-\N{MINUS SIGN}]\d\d)?", "#", plain(str(found[text]))).split())
    return found


def ends(objective: Any) -> list[float]:
    """Where each search ended."""
    return [float(np.ravel(one)[-1]) for one in (objective if isinstance(objective, list) else [objective])]


def outcome(n: int) -> np.ndarray:
    return (np.random.default_rng(33).random(n) < 0.5).astype(int)


def case(form: str, tables: str = "two", **options: Any) -> Any:
    """A method fitted to one of the tables."""
    X, g = {"two": two, "three": three, "wide": lambda: wide(16, 24)}[tables]()
    if "y" in options:
        options["y"] = outcome(len(g))
    if options.get("weights") == "times":
        options["weights"] = 1.0 + np.arange(len(g)) % 3
    return told(EVERY[form](X, g, **options), X, g)


def of_method(name: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Name and arguments of every case of a method."""
    method = METHODS[name]
    for form in (one for one, of in OF.items() if of is method):
        yield form, {"form": form}
    form = next(one for one, of in OF.items() if of is method)
    for options in OPTIONS.get(name, []):
        yield f"{form}, {', '.join(f'{key} {value}' for key, value in options.items())}", {"form": form, **options}
    if name in SLOW:
        return
    scaled = {"scale": True} if "scale" in inspect.signature(method.function).parameters else {}
    yield f"{form}, times", {"form": form, "weights": "times"}
    yield f"{form}, scaled", {"form": form, **scaled}
    yield f"{form}, wide", {"form": form, "tables": "wide"}
    if method.reduces:
        yield f"{form}, k 1", {"form": form, "k": 1}
        yield f"{form}, k 3, scaled, times", {"form": form, "k": 3, "weights": "times", **scaled}
    if "advantaged" not in method.needs:
        yield f"{form}, three groups", {"form": form, "tables": "three"}
        yield f"{form}, three groups, scaled", {"form": form, "tables": "three", **scaled}


def cases(names: Iterable[str]) -> Cases:
    """The cases of some methods."""
    return {name: lambda options=options: case(**options) for method in names for name, options in of_method(method)}


CASES: Cases = cases(name for name, method in METHODS.items() if not method.comparator)
