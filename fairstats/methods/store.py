"""Saving and loading results without pickle: a JSON header and plain arrays in one .npz file."""

from __future__ import annotations

import io
import json
import math
import zipfile
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from fairstats.errors import FileError

FORMAT = 1
# The closed set of classes that a file may name; nothing else is ever built from one.
_CLASSES = {
    "Projection": "fairstats.methods.projection",
    "Guarantee": "fairstats.methods.projection",
    "Frame": "fairstats.data.units",
    "GroupPrice": "fairstats.methods.price",
    "Encoding": "fairstats.data.encoding",
    "Formula": "fairstats.data.formula",
    "KernelProjection": "fairstats.methods.kernel",
    "Eraser": "fairstats.methods.eraser",
    "Adjuster": "fairstats.methods.adjuster",
}


def save(fit: Any, path: str | Path) -> Path:
    """Write a fit to a file that ``load`` reads.

    Parameters
    ----------
    fit : Projection, KernelProjection or Eraser
    path : path
        Ending in ``.npz``; an interrupted run leaves an old file as it was.

    Returns
    -------
    Path
    """
    from fairstats.data.sources import atomic_write

    path = Path(path)
    if path.suffix != ".npz":
        raise FileError(f"path={str(path)!r} does not end in .npz; fits are saved as .npz files.")
    arrays: dict[str, np.ndarray] = {}
    header = {"format": FORMAT, "package": "fairstats", "fit": _pack(fit, arrays)}
    buffer = io.BytesIO()
    stored: Any = {**arrays, "header": np.frombuffer(json.dumps(header, allow_nan=False).encode(), dtype=np.uint8)}
    np.savez(buffer, **stored)
    atomic_write(path, buffer.getvalue())
    return path


def load(path: str | Path) -> Any:
    """Read a fit that ``save`` wrote; nothing in the file is run.

    Raises
    ------
    FileError
        No such file, not a fairstats file, damaged, or written by a newer version.
    """
    path = Path(path)
    if not path.is_file():
        raise FileError(f"path={str(path)!r} is not a file.")
    try:
        with np.load(io.BytesIO(path.read_bytes()), allow_pickle=False) as stored:
            arrays = {name: stored[name] for name in stored.files}
        header = json.loads(arrays.pop("header").tobytes())
        version = int(header["format"])
    except (zipfile.BadZipFile, OSError, EOFError, ValueError, KeyError, TypeError) as problem:
        raise FileError(
            f"path={str(path)!r} is not a fit that this package saved, or it is damaged ({problem})."
        ) from None
    if version > FORMAT:
        raise FileError(
            f"path={str(path)!r} has format {version}, and this version of fairstats reads up to {FORMAT}; update it."
        )
    try:
        return _unpack(header["fit"], arrays)
    except (KeyError, TypeError, ValueError) as problem:
        raise FileError(f"path={str(path)!r} is damaged: its header does not fit its arrays ({problem}).") from None


def _pack(value: Any, arrays: dict[str, np.ndarray]) -> Any:
    if value is None or isinstance(value, (str, bool, int)):
        return value
    if isinstance(value, (float, np.floating)):
        return float(value) if math.isfinite(value) else {"@float": str(float(value))}
    if isinstance(value, (np.integer, np.bool_)):
        return value.item()
    if isinstance(value, np.ndarray):
        assert value.dtype != object
        name = f"a{len(arrays)}"
        arrays[name] = value
        return {"@array": name}
    if is_dataclass(value):
        kept = {f.name: _pack(getattr(value, f.name), arrays) for f in fields(value)}
        assert type(value).__name__ in _CLASSES, type(value)
        return {"@class": type(value).__name__, "fields": kept}
    if isinstance(value, Mapping):
        return {"@dict": [[k, _pack(v, arrays)] for k, v in value.items()]}
    assert isinstance(value, (tuple, list)), type(value)
    return {"@tuple" if isinstance(value, tuple) else "@list": [_pack(v, arrays) for v in value]}


def _unpack(value: Any, arrays: Mapping[str, np.ndarray]) -> Any:
    if not isinstance(value, dict):
        return value
    kind, inner = next(iter(value.items()))
    if kind == "@class":
        home = import_module(_CLASSES[inner])
        return getattr(home, inner)(**{k: _unpack(v, arrays) for k, v in value["fields"].items()})
    return _READERS[kind](inner, arrays)


_READERS = {
    "@float": lambda v, _: float(v),
    "@array": lambda v, arrays: arrays[v],
    "@dict": lambda v, arrays: {k: _unpack(x, arrays) for k, x in v},
    "@tuple": lambda v, arrays: tuple(_unpack(x, arrays) for x in v),
    "@list": lambda v, arrays: [_unpack(x, arrays) for x in v],
}
