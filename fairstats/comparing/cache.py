"""Finished cells on disk: a comparison that was interrupted, or grows, computes only what is new."""

from __future__ import annotations

import functools
import hashlib
import inspect
import json
import os
from collections.abc import Callable
from pathlib import Path
from types import CodeType
from typing import Any

import numpy as np

from fairstats.edges import edge
from fairstats.errors import FileError
from fairstats.replacing import atomic_write


def digest(*facts: Any) -> str:
    """One hash of arrays, numbers, text and tuples of these; equal only for equal content.

    Examples
    --------
    >>> digest("a", 1.0, np.arange(3)) == digest("a", 1.0, np.arange(3))
    True
    >>> digest("ab", "c") == digest("a", "bc")
    False
    """
    hasher = hashlib.sha256()
    for fact in facts:
        if isinstance(fact, np.ndarray):
            hasher.update(f"array{fact.dtype.str}{fact.shape}".encode())
            hasher.update(np.ascontiguousarray(fact).tobytes())
        else:
            text = repr(fact).encode()
            hasher.update(f"text{len(text)}:".encode() + text)
    return hasher.hexdigest()


def identity_of(thing: Any) -> str:
    """Return a function, an estimator or an instance as text (source and settings), different for different ones.

    What a function reads from its module, or calls there, is not in it.

    Examples
    --------
    >>> identity_of(functools.partial(digest, 1)) == identity_of(functools.partial(digest, 2))
    False
    """
    if isinstance(thing, functools.partial):
        return f"{identity_of(thing.func)} {_settings(dict(enumerate(thing.args)) | thing.keywords)}"
    named = inspect.isroutine(thing) or inspect.isclass(thing)
    known = thing if named else type(thing)
    if hasattr(known, "get_params"):  # an estimator's repr leaves out what is long
        settings = {} if named else thing.get_params(deep=True)
        return f"{known.__module__}.{known.__qualname__} {_settings(settings)}"
    try:
        source = inspect.getsource(known)
    except (OSError, TypeError):
        source = f"{known.__module__}.{known.__qualname__}"
    return f"{source} {_settings(_captured(thing) if named else vars(thing))}"


def _captured(function: Any) -> dict[Any, Any]:
    """Return what a function's source does not show: its compiled code, its defaults, the variables it captures."""
    held = {f"default {i}": v for i, v in enumerate(getattr(function, "__defaults__", None) or ())}
    held |= getattr(function, "__kwdefaults__", None) or {}
    code, cells = getattr(function, "__code__", None), getattr(function, "__closure__", None) or ()
    if code is not None:
        held |= {name: cell.cell_contents for name, cell in zip(code.co_freevars, cells, strict=True)}
        held["code"] = _instructions(code)
    owner = getattr(function, "__self__", None)
    return held if owner is None or inspect.ismodule(owner) else held | {"self": repr(owner)}


def _instructions(code: CodeType) -> tuple[Any, ...]:
    plain = (sorted(map(repr, c)) if isinstance(c, frozenset) else c for c in code.co_consts)
    return code.co_code.hex(), code.co_names, [_instructions(c) if isinstance(c, CodeType) else c for c in plain]


def _settings(values: dict[Any, Any]) -> list[tuple[str, str]]:
    deep = {k: identity_of(v) if callable(v) or hasattr(v, "get_params") else repr(v) for k, v in values.items()}
    return sorted((str(k), v) for k, v in deep.items())


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
        """Return the cell of a key: read from its file where that is whole, otherwise computed and written."""
        if not self.folder:
            return make()
        name = digest(self.about, *_flat(key))
        file = Path(self.folder) / f"{name[:40]}.json"
        stored = _read(file, name)
        if stored is None:
            stored = make()
            cell = {part: _plain(v) for part, v in stored.items()}
            atomic_write(file, json.dumps({"key": name, "sha256": _seal(cell), "cell": cell}).encode())
        return stored


def _flat(key: Any) -> list[Any]:
    return [leaf for part in key for leaf in _flat(part)] if isinstance(key, tuple) else [key]


def _plain(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return {"shape": list(value.shape), "values": value.ravel().tolist()}
    return value


def _seal(cell: Any) -> str:
    """The hash of a cell's content, by which one that was changed or cut is known."""
    return hashlib.sha256(json.dumps(cell, sort_keys=True).encode()).hexdigest()


def _read(file: Path, name: str) -> dict[str, Any] | None:
    """Read a stored cell; None, as where there is no file, for one of other content than was written for this key."""
    try:
        with edge(f"the cell {file}", "take it away"):
            stored = json.loads(file.read_bytes())
            cell = stored["cell"]
            if stored["key"] != name or stored["sha256"] != _seal(cell):
                return None
            return {part: _array(v) for part, v in cell.items()}
    except FileError:
        return None


def _array(value: Any) -> Any:
    if isinstance(value, dict):
        return np.array(value["values"], dtype=float).reshape(value["shape"])
    return value
