"""Whoever names no level gets 95 %, everywhere."""

from __future__ import annotations

import inspect
import pkgutil
from importlib import import_module

import fairstats.inference


def test_every_default_level_is_95_percent() -> None:
    seen = 0
    for module in pkgutil.walk_packages(fairstats.inference.__path__, "fairstats.inference."):
        for name, value in vars(import_module(module.name)).items():
            if inspect.isfunction(value) and value.__module__ == module.name:
                level = inspect.signature(value).parameters.get("conf_level")
                if level is not None and level.default is not inspect.Parameter.empty:
                    assert level.default == 0.95, f"{module.name}.{name}"
                    seen += 1
    assert seen > 20
