"""Finished cells on disk: a comparison that was interrupted, or grows, computes only what is new."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from fairstats.data.sources import atomic_write
from fairstats.errors import FileError


def digest(*facts: Any) -> str:
    """One hash of arrays, numbers, text and tuples of these; equal only for equal content.

    Examples
    --------
    >>> digest("a", 1.0, np.arange(3)) == digest("a", 1.0, np.arange(3))
    True
    >>> digest("ab", "c") == digest("a", "bc")
    False
    """
    made = hashlib.sha256()
    for fact in facts:
        if isinstance(fact, np.ndarray):
            made.update(f"array{fact.dtype.str}{fact.shape}".encode())
            made.update(np.ascontiguousarray(fact).tobytes())
        else:
            text = repr(fact).encode()
            made.update(f"text{len(text)}:".encode() + text)
    return made.hexdigest()


class Store:
    """A folder of cells, one JSON file each, named by the hash of all that the numbers depend on.

    ``Store("")`` keeps nothing.
    """

    def __init__(self, folder: str, about: str = "") -> None:
        self.folder, self.about = folder, about
        if folder:
            try:
                os.makedirs(folder, exist_ok=True)
            except OSError as problem:
                raise FileError(f"cache={folder!r} cannot be a folder ({problem.strerror}).") from None

    def cell(self, key: tuple[Any, ...], make: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        """The cell of a key: read if it is there and whole, else made and written in one step."""
        if not self.folder:
            return make()
        file = Path(self.folder) / f"{digest(self.about, *_flat(key))[:40]}.json"
        found = _read(file)
        if found is None:
            found = make()
            atomic_write(file, json.dumps({name: _plain(v) for name, v in found.items()}).encode())
        return found


def _flat(key: Any) -> list[Any]:
    return [leaf for part in key for leaf in _flat(part)] if isinstance(key, tuple) else [key]


def _plain(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return {"shape": list(value.shape), "values": value.ravel().tolist()}
    return value


def _read(file: Path) -> dict[str, Any] | None:
    """A stored cell; one that cannot be read is as if it were not there."""
    try:
        text = file.read_text()
    except FileNotFoundError:
        return None
    try:
        return {name: _array(v) for name, v in json.loads(text).items()}
    except ValueError:
        return None


def _array(value: Any) -> Any:
    if isinstance(value, dict):
        return np.array(value["values"], dtype=float).reshape(value["shape"])
    return value
