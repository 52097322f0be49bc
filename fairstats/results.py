"""What a result can do with the rooms above it: the one place through which it finds its drawings."""

from __future__ import annotations

from importlib import import_module
from typing import Any


def draw(result: Any, kind: str = "") -> Any:
    """Return a figure of a result, as ``fairstats.plot`` draws it."""
    return import_module("fairstats.reporting.plot").plot(result, kind)
