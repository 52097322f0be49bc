"""Saving and loading results without pickle: a JSON header and plain arrays in one .npz file."""

from __future__ import annotations

import io
import json
import math
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import numpy as np

from fairstats.errors import FileError
from fairstats.methods.results.saved_arrays import read_arrays
from fairstats.methods.results.saved_fit import CLASSES, Reader, no_number

FORMAT = 1


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
    from fairstats.files import atomic_write

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
        arrays = read_arrays(path.read_bytes())
        header = json.loads(arrays.pop("header").tobytes(), parse_constant=no_number)
        version = header["format"]
        if type(version) is not int or version < 1:
            raise ValueError(f"its format is {str(version)[:20]!r}")
        if version <= FORMAT:
            return Reader(arrays).fit(header["fit"])
    except PermissionError:
        raise FileError(f"path={str(path)!r} may not be read by this user; change its permissions.") from None
    except Exception as problem:  # noqa: BLE001  a file may be broken in every way that there is, and all are one to users
        reason = (str(problem).splitlines() or [type(problem).__name__])[0]
        raise FileError(
            f"path={str(path)!r} is not a fit that this package saved, or it is damaged ({reason[:200]})."
        ) from None
    raise FileError(
        f"path={str(path)!r} has format {version}, and this version of fairstats reads up to {FORMAT}; update it."
    )


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
        assert type(value).__name__ in CLASSES, type(value)
        return {"@class": type(value).__name__, "fields": kept}
    if isinstance(value, Mapping):
        return {"@dict": [[k, _pack(v, arrays)] for k, v in value.items()]}
    assert isinstance(value, (tuple, list)), type(value)
    return {"@tuple" if isinstance(value, tuple) else "@list": [_pack(v, arrays) for v in value]}
