"""Whoever names no level gets 95%, no seed 0, no target four fifths, everywhere."""

from __future__ import annotations

import inspect
import pkgutil
from importlib import import_module
from types import ModuleType
from typing import Any

import pytest

import fairstats.inference


@pytest.mark.parametrize(("name", "wanted", "least"), [("conf_level", 0.95, 20), ("seed", 0, 20), ("target", 0.8, 2)])
def test_every_default_level_seed_and_target_is_the_same(name: str, wanted: float, least: int) -> None:
    """95%, the seed 0, and four fifths: of functions and of methods, public or not."""
    seen = 0
    for module in pkgutil.walk_packages(fairstats.inference.__path__, "fairstats.inference."):
        for function in functions(import_module(module.name)):
            argument = inspect.signature(function).parameters.get(name)
            if argument is not None and argument.default is not inspect.Parameter.empty:
                assert argument.default == wanted, f"{module.name}.{function.__qualname__}"
                seen += 1
    assert seen > least


def functions(module: ModuleType) -> list[Any]:
    items = [value for value in vars(module).values() if getattr(value, "__module__", "") == module.__name__]
    inside = [value for one in items if inspect.isclass(one) for value in vars(one).values()]
    return [value for value in items + inside if inspect.isfunction(value)]
