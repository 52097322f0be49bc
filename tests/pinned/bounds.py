"""What a number may be: the error of every argument that is one, far below and far above what it can be."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from typing import Any

import fairstats as fs
from fairstats import stats
from fairstats.methods.registry import METHODS
from tests.pinned.fits import two
from tests.pinned.people import people
from tests.pinned.reading import Cases
from tests.pinned.representations import fit, held

FAR = {"below": -1e9, "above": 1e15}
FREE = {  # what is no quantity, or has no limit on that side
    *((side, name) for side in FAR for name in ("positive", "coef0")),
    *(
        ("above", name)
        for name in ("seed", "tolerance", "min_n", "depth", "df", "gamma", "delta", "mu", "tau", "sigma")
    ),
    ("above", "penalty"),
}


def numbers(function: Callable[..., Any]) -> Iterator[tuple[str, type]]:
    """The arguments that are numbers, by their defaults or what their types say, and whether they are whole."""
    for name, parameter in inspect.signature(function).parameters.items():
        kind = str(parameter.annotation)
        if isinstance(parameter.default, bool) or kind == "bool":
            continue
        if isinstance(parameter.default, (int, float)) or kind.startswith(("int", "float")):
            whole = isinstance(parameter.default, int) or kind.startswith("int")
            yield name, int if whole else float


def calls() -> Iterator[tuple[str, Callable[..., Any], dict[str, Any]]]:
    """Everything that takes numbers beside its data: name, function, and a call of it that is right."""
    X, g = two()
    for name, method in METHODS.items():
        yield name, method.function, {"X": X, "groups": g, **method.needs}
    rows = people()[["u", "v", "w", "points"]].to_numpy()
    of = {"X": rows, "groups": people()["sex"].to_numpy()}
    for function in (fs.extra_error, fs.price, fs.stability, fs.group_losses, fs.leakage):
        yield function.__name__, function, {"fit": fit("og", "sex"), **of}
    yield "component_tests", fs.component_tests, {"scores": held("og", "sex")}
    yield "leakage of scores", fs.leakage, {"scores": held("og", "sex")}
    yield "choose_k", fs.choose_k, {**of, "method": "og"}
    yield "crossfit", fit("og", "sex").crossfit, {"X": people(), "groups": "sex"}
    yield "audit", fs.audit, {"data": people(), "decision": "hired", "groups": "sex"}
    yield "subgroups", fs.subgroups, {"data": people(), "decision": "hired", "groups": ["sex", "race"]}
    table = {"e1": 3, "n1": 9, "e0": 5, "n0": 12}
    y, d, s = (people()[name].to_numpy() for name in ("good", "hired", "score"))
    data: dict[str, Any] = {
        **table, "events": [3, 5, 2], "n": [9, 12, 4], "x": [1.0, 2, 4], "y": [1.5, 3, 3], "selected": [3, 5],
        "y_true": y, "y_pred": d, "y_score": s, "groups": people()["sex"].to_numpy(), "p": [0.1, 0.2], "scores": s,
        "labels": ["a", "b"], "p1": 0.4, "p0": 0.3, "theta": 0.7, "se": 0.1, "rate": 0.4, "weights": [1, 2, 1.5],
        "estimate": 0.1, "std_error": 0.05, "margin": 0.1, "ratio": 1.2, "low": 0.3, "high": 0.9, "standard": "group",
    }  # fmt: skip
    for name in stats.__all__:
        function = getattr(stats, name)
        needed = [p.name for p in inspect.signature(function).parameters.values() if p.default is p.empty]
        if all(one in data for one in needed) and any(numbers(function)):
            own = {"y": y} if {"scores", "y"} <= set(needed) else {}
            own |= {"n": [9, 12]} if name == "adverse_impact" else {}
            own |= {"n": 30, "m": 40} if name in ("auc_interval", "newcombe_auc") else {}
            own |= {"n1": 30, "n0": 40} if name == "power" else {}
            yield name, function, {**{one: data[one] for one in needed}, **own}


def all_cases() -> Cases:
    cases: Cases = {}
    for name, function, valid in calls():
        for argument, kind in numbers(function):
            for where, value in FAR.items():
                if (where, argument) not in FREE:
                    given = {**valid, argument: kind(value)}
                    cases[f"{name} {argument} {where}"] = lambda function=function, given=given: function(**given)
    return cases


CASES: Cases = all_cases()
