"""Objects of R that a caller has through rpy2, as the values that they are in Python."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any

FEW = 100  # a longer list is one of labels, not of columns


def unwrapped(value: Any) -> Any:
    """A vector, factor or table of rpy2 as Python's, also within a dictionary or list; anything else as it is.

    numpy would take a factor for its codes, and R's missing integers for numbers.

    Examples
    --------
    >>> unwrapped([1, 2])
    [1, 2]
    """
    if isinstance(value, Mapping) and any(map(_of_r, value.values())):
        return {name: unwrapped(part) for name, part in value.items()}
    if type(value) in (list, tuple) and any(map(_of_r, value[:FEW])):
        return [unwrapped(part) for part in value]
    return importlib.import_module("fairstats.r.sessions").from_r(value) if _of_r(value) else value


def _of_r(value: Any) -> bool:
    kind = type(value)
    return kind.__module__.partition(".")[0] == "rpy2" or (kind.__name__, kind.__module__) == _KEPT


_KEPT = ("RObject", "fairstats.r.sessions")
