"""R's values as they are, before anyone decides what they mean in Python: the one form that both bridges share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

# R stores a missing logical or integer as this number.
NA_INTEGER = -(2**31)
# Of the many NaN, R's NA is the one with 1954 in its low word.
NA_REAL = np.array([0x7FF00000000007A2], dtype=np.uint64).view(np.float64)[0]

# How the entries of an atomic vector lie in memory; text is a code into its distinct strings, -1 missing.
STORAGE: dict[str, np.dtype[Any]] = {
    "logical": np.dtype("<i4"),
    "integer": np.dtype("<i4"),
    "double": np.dtype("<f8"),
    "character": np.dtype("<i4"),
    "raw": np.dtype("u1"),
}


@dataclass(frozen=True)
class Null:
    """R's NULL."""


@dataclass(frozen=True)
class Atom:
    """An atomic vector: ``data`` as `STORAGE` says, ``strings`` the distinct texts of a character vector."""

    type: str
    data: np.ndarray
    strings: Sequence[str] = ()
    attributes: dict[str, Value] = field(default_factory=dict)

    def texts(self) -> list[str | None]:
        """A character vector as strings, missing ones None."""
        known = [*self.strings, None]
        return [known[code] for code in self.data.tolist()]


@dataclass(frozen=True)
class Items:
    """A generic vector: a list, or a data frame, depending on its attributes."""

    values: Sequence[Value]
    attributes: dict[str, Value] = field(default_factory=dict)


@dataclass(frozen=True)
class Sparse:
    """A ``dgCMatrix``: compressed columns of doubles."""

    indices: np.ndarray
    pointers: np.ndarray
    data: np.ndarray
    shape: tuple[int, int]
    named: bool = False  # had names of rows or columns, which scipy's matrices cannot keep


@dataclass(frozen=True)
class Foreign:
    """An R object that is no data (a function, an environment, a model), kept only to be named in a message."""

    kind: str
    classes: tuple[str, ...]


Value = Null | Atom | Items | Sparse | Foreign


def text(*strings: str | None, attributes: dict[str, Value] | None = None) -> Atom:
    """A short character vector."""
    distinct = list(dict.fromkeys(s for s in strings if s is not None))
    codes = [-1 if s is None else distinct.index(s) for s in strings]
    return Atom("character", np.array(codes, dtype=STORAGE["character"]), distinct, attributes or {})


def integers(*numbers: int) -> Atom:
    """A short integer vector."""
    return Atom("integer", np.array(numbers, dtype=STORAGE["integer"]))


def classes(value: Value) -> tuple[str, ...]:
    """The class attribute; empty where there is none."""
    if isinstance(value, Foreign):
        return value.classes
    attribute = value.attributes.get("class") if isinstance(value, (Atom, Items)) else None
    return tuple(t for t in attribute.texts() if t) if isinstance(attribute, Atom) else ()


def strings(value: Value | None) -> list[str | None] | None:
    """A character attribute as strings; None where there is none."""
    return value.texts() if isinstance(value, Atom) and value.type == "character" else None


@dataclass(frozen=True)
class Record:
    """An R list with a class; ``fairstats`` is always one of them."""

    classes: tuple[str, ...]
    fields: dict[str, Any]
