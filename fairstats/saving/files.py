"""Saving and loading results without pickle: a JSON header and plain arrays in one .npz file."""

from __future__ import annotations

import io
import json
import math
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any, TypeVar, overload

import numpy as np

from fairstats.arguments import shown
from fairstats.auditing.result import Audit
from fairstats.auditing.tally import Tally
from fairstats.edges import reason
from fairstats.errors import FileError, InputError
from fairstats.estimates import Estimates
from fairstats.files import existing, file_path
from fairstats.marks import check_overwriting
from fairstats.replacing import atomic_write
from fairstats.results import Result, Saved
from fairstats.saving.arrays import read_arrays
from fairstats.saving.classes import CLASSES, LEFT_OUT
from fairstats.saving.documents import of_document
from fairstats.saving.reader import Reader, no_number
from fairstats.saving.rows import packed

FORMAT = 3
ZIP = b"PK"  # how an .npz file begins
OLDER = {1: "fairstats before 0.2", 2: "0.2 in development, whose fits had other fields and settings"}
Kind = TypeVar("Kind", bound=Saved)
LONG = 16  # numbers of a tuple that stand as an array from here on


def save(result: Any, path: str | Path, *, overwrite: bool = False) -> Path:
    """Write a result to a file that ``load`` reads, in this version and in later ones.

    Parameters
    ----------
    result : any result
        An audit, a comparison, a fit, held-out scores (without the names of their rows), a table of estimates ...
    path : path
        Ending in ``.npz``; an interrupted run leaves an old file as it was.
    overwrite : bool
        Whether a file that fairstats did not write is replaced.

    Returns
    -------
    Path
    """
    path = Path(file_path("path", path))
    if path.suffix != ".npz":
        raise FileError(f"path={str(path)!r} does not end in .npz; results are saved as .npz files.")
    check_overwriting([path], overwrite)
    atomic_write(path, to_bytes(result))
    return path


def to_bytes(result: Any) -> bytes:
    """Return a result as the bytes that ``save`` writes; R's objects carry them, and so outlive their session.

    Examples
    --------
    >>> from fairstats.estimates import Estimate, Estimates
    >>> from_bytes(to_bytes(Estimates([Estimate("TPR", n=3)])), "the table").column("n")
    [3.0]
    """
    arrays: dict[str, np.ndarray] = {}
    header = {"schema": "fairstats/saved", "format": FORMAT, "package": "fairstats", "result": _pack(result, arrays)}
    buffer = io.BytesIO()
    stored: Any = {**arrays, "header": np.frombuffer(json.dumps(header, allow_nan=False).encode(), dtype=np.uint8)}
    np.savez(buffer, **stored)
    return buffer.getvalue()


@overload
def load(path: str | Path) -> Result: ...
@overload
def load(path: str | Path, kind: type[Kind]) -> Kind: ...
def load(path: str | Path, kind: type[Saved] | None = None) -> Any:
    """Read a result that ``save`` wrote, or the audit in the JSON of a report; nothing in the file is run.

    Parameters
    ----------
    path : path
        An ``.npz`` file of ``result.save(path)``; or a ``.json`` file of ``fairstats.report(audit, to=path)``.
    kind : class, optional
        The class that the result is to have, such as ``fairstats.Audit``; type checkers then know it, too.

    Returns
    -------
    Audit, Projection, Estimates, Tally, ...
        What was saved: its class, its numbers, its words.

    Raises
    ------
    FileError
        No such file, not a fairstats file, damaged, or written by a newer version, or by one before 0.2.
    InputError
        The file holds a result of another class than ``kind``.

    Examples
    --------
    >>> import fairstats as fs
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     fs.load(fs.Estimates([fs.Estimate("TPR", n=3)]).save(f"{folder}/rows.npz"), fs.Estimates).column("n")
    [3.0]
    """
    if kind is not None and not (isinstance(kind, type) and issubclass(kind, Saved)):
        raise InputError(f"kind has {shown(kind)}; it is a class of results; pass one such as fairstats.Audit.")
    path = existing(path)
    try:
        data = path.read_bytes()
    except PermissionError:
        raise FileError(f"path={str(path)!r} may not be read by this user; change its permissions.") from None
    except OSError as problem:
        raise FileError(f"path={str(path)!r} cannot be read ({problem.strerror}); copy it, or save again.") from None
    result = from_bytes(data, f"path={str(path)!r}")
    if kind is not None and not isinstance(result, kind):
        raise InputError(
            f"kind has {kind.__name__}; {str(path)!r} holds a result of {type(result).__name__}; pass that."
        )
    return result


def _said(result: Any) -> Any:
    """The result, once it has said itself: that its parts belong together is no type that a field could be held to."""
    if isinstance(result, Audit):
        _agreeing(result)
    result.summary()
    repr(result)
    if not isinstance(result, Tally):  # whose every cell was judged, and there may be millions
        result.to_dict()
    return result


def _agreeing(audit: Audit) -> None:
    """Refuse attributes that stand in one part of an audit and in another not."""
    groups = {(cell.attribute, cell.group) for cell in audit.cells}
    audited = {attribute for attribute, _ in groups}
    rows = set(audit.estimates.column("attribute")) - {""}
    curves = {curve.attribute for curve in audit.curves} - {""}
    if audited != set(audit.references) or not rows | curves <= audited:
        raise ValueError("its rows, its groups and its references are of other attributes")
    focus = audit.protocol.focus
    if focus and (len(focus) != 3 or focus[0] not in audited):
        raise ValueError("its focus is no comparison of its groups")


def from_bytes(data: bytes, source: str) -> Any:
    """Return the result that ``to_bytes`` made the bytes of, or that is in a report's JSON; errors name ``source``."""
    is_json = data[:100].lstrip(b"\xef\xbb\xbf \r\n\t")[:1] == b"{"
    if not data.startswith(ZIP) and not is_json:
        raise FileError(
            f"{source} is not a result that this package saved; load reads what result.save(path) writes, .npz files, "
            "and the audit in a report's .json."
        )
    try:
        if is_json:
            return _said(of_document(data, source))
        arrays = read_arrays(data)
        header = json.loads(arrays.pop("header").tobytes(), parse_constant=no_number)
        version = header["format"]
        if type(version) is not int or version < 1:
            raise ValueError(f"its format is {str(version)[:20]!r}")
        if version == FORMAT:
            return _said(Reader(arrays).result(header["result"]))
    except FileError:
        raise
    except Exception as problem:  # noqa: BLE001  a file may be broken in every way that there is, and all are one to users
        raise FileError(
            f"{source} is not a result that this package saved, or it is damaged ({reason(problem)})."
        ) from None
    if version < FORMAT:
        raise FileError(
            f"{source} has format {version}, of {OLDER[version]}, which is no longer read; make the result "
            "again, and save it."
        )
    raise FileError(f"{source} has format {version}, and this version of fairstats reads up to {FORMAT}; update it.")


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
        name = type(value).__name__
        assert name in CLASSES, type(value)
        kept = {f.name: _pack(getattr(value, f.name), arrays) for f in fields(value) if (name, f.name) not in LEFT_OUT}
        return {"@class": name, "fields": kept}
    if isinstance(value, Estimates):
        return {"@estimates": {name: _pack(column, arrays) for name, column in packed(value).items()}}
    if isinstance(value, Mapping):
        return {"@dict": [[k, _pack(v, arrays)] for k, v in value.items()]}
    assert isinstance(value, (tuple, list)), type(value)
    if isinstance(value, tuple) and len(value) >= LONG and all(type(v) is float for v in value):
        return {"@floats": _pack(np.array(value), arrays)}
    return {"@tuple" if isinstance(value, tuple) else "@list": [_pack(v, arrays) for v in value]}
