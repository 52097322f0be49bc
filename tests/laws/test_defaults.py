"""What a call does that names no more than it must: one default for one argument, in all methods and both languages."""

from __future__ import annotations

import ast
import inspect
import re
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

import fairstats
from fairstats.methods.registry import METHODS

R = Path(__file__).parents[2] / "r" / "fairstats" / "R"
OWN = {  # of arguments that share no more than their name, or that one method cannot do without
    "groups": "methods that always compare groups",
    "tolerance": "of losses in SOG, of steps in MbF-PCA",
    "max_iter": "steps of different kinds",
    "solver": "each method has its own",
}
WORDS = {"NULL": None, "TRUE": True, "FALSE": False}


def defaults(function: Any) -> dict[str, Any]:
    parameters = inspect.signature(function).parameters.values()
    return {p.name: p.default for p in parameters if p.default is not inspect.Parameter.empty}


def formals(name: str) -> dict[str, Any]:
    """Defaults of an R function, read from its source; of several strings the first, as match.arg() does."""
    text = "".join((R / file).read_text(encoding="utf-8") for file in ("fits.R", "comparators.R"))
    inside = re.search(rf"^{name} <- function\((.*?)\) \{{$", text, re.M | re.S)
    assert inside is not None, name
    entries = {}
    for argument, value in re.findall(r'(\w+) = (c\([^)]*\)|"[^"]*"|[^,\s]+)', inside.group(1)):
        first = value.removeprefix("c(").split(",")[0].rstrip(")")
        entries[argument] = WORDS[first] if first in WORDS else ast.literal_eval(first.removesuffix("L"))
    return entries


def test_an_argument_has_one_default_in_all_methods() -> None:
    result: dict[str, dict[str, Any]] = defaultdict(dict)
    for name, row in METHODS.items():
        for argument, value in defaults(row.function).items():
            result[argument][name] = value
    differ = {argument for argument, values in result.items() if len({repr(value) for value in values.values()}) > 1}
    assert differ <= set(OWN)


@pytest.mark.parametrize("name", [n for n, row in METHODS.items() if row.function.__module__.startswith("fairstats.")])
def test_r_and_python_have_the_same_defaults(name: str) -> None:
    ours, theirs = defaults(METHODS[name].function), formals(name)
    shared = set(ours) & set(theirs)
    assert {"data", "weights", "missing"} <= shared and (not METHODS[name].reduces or "k" in shared)
    assert set(ours) - set(theirs) <= {"groups"}
    assert {argument: theirs[argument] for argument in shared} == {argument: ours[argument] for argument in shared}


def test_the_module_of_what_others_propose_has_exactly_that() -> None:
    """Each by the person who proposed it: what is said to be other people's work is, and only there."""
    assert sorted(fairstats.comparators.__all__) == sorted(name for name, row in METHODS.items() if row.comparator)
    for name, row in METHODS.items():
        home = fairstats.comparators if row.comparator else fairstats
        assert getattr(home, name) is row.function
        assert row.comparator or not hasattr(fairstats.comparators, name)


def test_held_out_scores_of_all_fits_have_the_same_folds() -> None:
    types = (fairstats.Projection, fairstats.KernelProjection, fairstats.Eraser, fairstats.GroupAdjustment)
    assert {repr(defaults(kind.crossfit)["folds"]) for kind in types} == {"2"}
    assert {repr(defaults(kind.crossfit)["seed"]) for kind in types} == {"0"}
