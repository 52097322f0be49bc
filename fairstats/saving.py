"""Every result in one file, and back: a JSON header that names a closed set of classes, and plain arrays; no pickle."""

from __future__ import annotations

import inspect
import io
import json
import math
import operator
import sys
import zipfile
from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints, overload

import numpy as np

from fairstats.auditing.result import SCHEMA as AUDIT
from fairstats.auditing.result import Audit
from fairstats.auditing.tally import Tally
from fairstats.data.moments import Moments
from fairstats.errors import Call, FileError, InputError, Setting, reason, snippet
from fairstats.estimates import GLOSSARY, ROLES, STATUSES, VERDICTS, Estimate, Estimates, Result, Saved
from fairstats.files import atomic_write, check_overwriting, existing, file_path
from fairstats.language import Message, as_record, of_record
from fairstats.methods.registry import METHODS
from fairstats.metrics import RATES
from fairstats.result_classes import FITS, IN_FILES, SAVED, class_of
from fairstats.validation import answering, shown

# What the annotations of the classes in a file (`fairstats.result_classes`) do not say.


# Fields whose annotation says less than what they hold.
NARROWER = {("Scaling", "formula"): "Formula"}
# Names of the rows of somebody's data are theirs, and are not written; what the cautions say already is not, either.
LEFT_OUT = {("Groups", "index"), ("DataSource", "thousands"), ("DataSource", "repeated")}
# Sizes that agree with each other: p features, k components, q columns of Z, m landmarks, r directions, n rows.
SIZES = {
    "Scaling": {"features": "p", "center": "p", "scale": "p"},
    "Encoding": {"kept": "q", "center": "q"},
    "LinearMap": {"weights": "pk", "loadings": "pk", "origin": "p", "coefficients": "qk", "group_means": "qp"},
    "KernelMap": {"basis": "mp", "coefficients": "mk", "offset": "k", "shift": "p"},
    "Components": {"energy": "k", "group_share": "k"},
    "Eraser": {"left": "pr", "right": "rp", "canonical": "r"},
    "GroupAdjustment": {"coefficients": "qp", "share": "p", "protected": "r", "slopes": "rp", "offset": "p"},
    "OutOfFoldScores": {"scores": "nk", "folds": "n", "weights": "n", "before": "nb", "features": "np"},
    "Factor": {"codes": "n"},
    "Tally": {"rows": "n", "used": "n", "weight": "n", "square": "n", "least": "n", "most": "n"},
    "Moments": {"features": "p", "cells": "g", "n": "g", "weight": "g", "squares": "g", "shift": "d", "delta": "gd"},
    "Groups": {"continuous": "nc", "continuous_names": "c"},
}


# Tables of estimates in a saved file: text by column in the header, numbers as one array a column.


_CLOSED = {"role": ROLES, "status": tuple(STATUSES), "verdict": ("", *VERDICTS)}


def packed(rows: Estimates) -> dict[str, Any]:
    """Columns by name, lists of text and arrays of numbers; a column in which every row has the default is left out.

    >>> packed(Estimates([Estimate("TPR", n=3)]))
    {'metric': ['TPR'], 'n': array([3.])}
    """
    columns: dict[str, Any] = {"metric": rows.column("metric")}
    blank = Estimate("")
    for name, column in GLOSSARY.items():
        values = rows.column(name)
        default = getattr(blank, name)
        if name == "metric" or all(v == default or v != v for v in values):
            continue
        columns[name] = values if column.dtype == "str" else np.array(values, dtype=float)
    return columns


def unpacked(columns: Mapping[str, Any]) -> Estimates:
    """The table of these columns.

    >>> unpacked({"metric": ["TPR"], "n": np.array([3.0])})[0].n
    3.0
    """
    n = len(columns["metric"])
    read = {name: _column(name, values, n) for name, values in columns.items()}
    rows = Estimates(Estimate(**dict(zip(read, row, strict=True))) for row in zip(*read.values(), strict=True))
    for row in rows.where(contrast=["none", "difference"]):
        ends = (row.conf_low, row.conf_high, row.margin_low, row.margin_high) if row.metric in _SHARES else ()
        if any(map(math.isinf, (row.estimate, *ends))):
            raise ValueError("an infinite estimate or limit that is no ratio's")
    return rows


_SHARES = {metric.name for metric in RATES}
# limits may have open ends
_FINITE = ("n", "n_unweighted", "events", "conf_level", "p_value", "p_adjusted", "p_equivalence", "k")


def _column(name: str, values: Any, n: int) -> list[Any]:
    if name not in GLOSSARY:
        raise ValueError(f"{name[:40]!r} is no column of a table of estimates")
    if GLOSSARY[name].dtype == "float":
        if not isinstance(values, np.ndarray) or values.dtype != np.float64 or values.shape != (n,):
            raise ValueError(f"the column {name} is of another type")
        if name in _FINITE and np.isinf(values).any():
            raise ValueError(f"the column {name} has an infinite value")
        return list(values.tolist())
    if not isinstance(values, list) or len(values) != n or not all(isinstance(v, str) for v in values):
        raise ValueError(f"the column {name} is of another type")
    if name in _CLOSED and not set(values) <= set(_CLOSED[name]):
        raise ValueError(f"the column {name} has a value that there is not")
    return values


# A saved result is rebuilt from its header: a closed set of classes, and every field checked by its annotation.


def no_number(text: str) -> Any:
    """Refuse NaN and Infinity as JSON numbers; our headers hold them as text."""
    raise ValueError(f"{text} for a number")


class Reader:
    """Builds a result of a header and its arrays; every value is checked by its field's annotation."""

    def __init__(self, arrays: Mapping[str, np.ndarray], messages: Any = None) -> None:
        self.arrays = arrays
        self.messages = _read_messages(messages or {})
        self.sizes: dict[str, int] = {}

    def result(self, value: Any) -> Any:
        """The result that the header holds."""
        if isinstance(value, dict) and set(value) == {"@estimates"}:
            return self.table(value)
        name = value["@class"] if isinstance(value, dict) else None
        if name not in SAVED:
            raise ValueError(f"{str(name)[:40]!r} is no result")
        built = self.instance(value, name)
        if name in FITS:
            _check_call(built.method, built.settings)
        return built

    def table(self, value: Any) -> Estimates:
        """A table of estimates."""
        if not isinstance(value, dict) or set(value) != {"@estimates"}:
            raise ValueError("no table of estimates where one belongs")
        return unpacked({name: self.plain(column, name) for name, column in value["@estimates"].items()})

    def instance(self, value: Any, name: str) -> Any:
        """An instance of the class of that name, and of no other."""
        if not isinstance(value, dict) or set(value) != {"@class", "fields"} or value["@class"] != name:
            raise ValueError(f"no {name} where one belongs")
        cls = class_of(name)
        hints, given = get_type_hints(cls), value["fields"]
        entries = {f.name: f for f in fields(cls)}
        strange = set(given) - {n for n in entries if (name, n) not in LEFT_OUT}
        absent = {n for n, f in entries.items() if f.default is MISSING and f.default_factory is MISSING} - set(given)
        if strange or absent:
            raise ValueError(f"{name} with the fields {sorted(given)}")
        read = {}
        for field, inner in given.items():
            narrow = NARROWER.get((name, field))
            if narrow is None:
                read[field] = self.value(inner, hints[field], f"{name}.{field}")
            else:
                read[field] = None if inner is None else self.instance(inner, narrow)
            self.agree(read[field], SIZES.get(name, {}).get(field), f"{name}.{field}")
        return cls(**read)

    def value(self, value: Any, kind: Any, where: str) -> Any:
        """A value of the annotated type."""
        origin, inner = get_origin(kind), get_args(kind)
        if origin in (Union, UnionType):
            if value is None and NoneType in inner:
                return None
            return self.value(value, _member(inner, isinstance(value, dict) and set(value) == {"@tuple"}), where)
        if kind is Any:
            return self.plain(value, where)
        if kind is Estimates:
            return self.table(value)
        if origin is Literal:
            if value not in inner:
                raise ValueError(f"{where} has a value that there is not")
            return value
        if origin is tuple and isinstance(value, dict) and set(value) == {"@floats"}:
            return self.floats(value["@floats"], inner, where)
        if origin is list and isinstance(value, dict) and set(value) == {"@list"}:
            return [self.value(part, inner[0], where) for part in value["@list"]]
        if is_dataclass(kind):
            return self.instance(value, kind.__name__)  # type: ignore[union-attr]
        if origin is tuple and isinstance(value, dict) and set(value) == {"@tuple"}:
            return tuple(self.value(part, inner[0], where) for part in value["@tuple"])
        if origin in (dict, Mapping) and isinstance(value, dict) and set(value) == {"@dict"}:
            return {self.value(k, inner[0], where): self.value(v, inner[1], where) for k, v in value["@dict"]}
        if origin is None and kind is not NoneType:
            plain = self.plain(value, where)
            if type(plain) in (kind, Message if kind is str else kind) or (kind is float and type(plain) is int):
                return plain
        raise ValueError(f"{where} is of another type")

    def floats(self, value: Any, inner: tuple[Any, ...], where: str) -> tuple[float, ...]:
        """A long tuple of numbers, which stands as an array."""
        numbers = self.plain(value, where)
        if inner != (float, Ellipsis) or not isinstance(numbers, np.ndarray) or numbers.dtype != np.float64:
            raise ValueError(f"{where} is of another type")
        return tuple(numbers.ravel().tolist())

    def plain(self, value: Any, where: str) -> Any:
        """Text, a number, an array, or lists and dictionaries of these: never an instance of a class."""
        if isinstance(value, str):
            return self.messages.get(value) or _text(value)
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, (int, float)) and abs(value) <= sys.float_info.max:
            return value
        if not isinstance(value, dict) or len(value) != 1:
            raise ValueError(f"{where} is of another type")
        ((kind, inner),) = value.items()
        if kind == "@float" and inner in ("nan", "inf", "-inf"):
            return float(inner)
        if kind == "@array":
            return self.arrays[inner]
        if kind == "@dict":
            return {_key(k, where): self.plain(v, where) for k, v in inner}
        if kind in ("@tuple", "@list"):
            return (tuple if kind == "@tuple" else list)(self.plain(part, where) for part in inner)
        raise ValueError(f"{where} is of another type")

    def agree(self, value: Any, sizes: str | None, where: str) -> None:
        """Refuse an array whose size another one contradicts."""
        if value is None or sizes is None:
            return
        shape = value.shape if isinstance(value, np.ndarray) else (len(value),)
        if isinstance(value, np.ndarray) and value.dtype.kind not in "biuf":
            raise ValueError(f"{where} is of another type")
        if isinstance(value, np.ndarray) and value.dtype.kind == "f" and np.isinf(value).any():
            raise ValueError(f"{where} has an infinite value")
        if len(shape) != len(sizes) or any(self.sizes.setdefault(s, n) != n for s, n in zip(sizes, shape, strict=True)):
            raise ValueError(f"{where} has the shape {shape}")


def _read_messages(recorded: Any) -> dict[str, Message]:
    """The messages of a file by their text; a text that was changed there is the message no more."""
    if not isinstance(recorded, dict):
        raise ValueError("no messages where they belong")
    entries = {_text(text): of_record(record) for text, record in recorded.items()}
    return {text: message for text, message in entries.items() if message == text}


def _key(key: Any, where: str) -> Any:
    if not isinstance(key, (str, int, float)):
        raise ValueError(f"{where} is of another type")
    return _text(key) if isinstance(key, str) else key


def _text(value: str) -> str:
    """Text that can be written; half a character (a lone surrogate) is none, and no label has one."""
    value.encode()
    return value


def _check_call(method: str, settings: Mapping[str, Any]) -> None:
    """Check a saved fit's method and settings against the registry, since ``crossfit`` calls the method with them."""
    if method not in METHODS:
        raise ValueError(f"{method[:40]!r} is no method")
    present = set(inspect.signature(METHODS[method].function).parameters)
    if not set(settings) <= present - {"X", "groups", "data"}:
        raise ValueError(f"{method!r} has no such settings")


# The JSON of a report, of an audit or of a table of estimates, as the header that `reader` judges value by value.


REPORT = "fairstats/report/1"
ESTIMATES = "fairstats/estimates/1"
_INFINITE = {"Inf": "inf", "-Inf": "-inf"}
_DERIVED = ("schema", "finding", "messages")  # what the JSON says beside the fields


def of_document(data: bytes, source: str) -> Any:
    """Return the audit, or the table of estimates, that a JSON document holds; of a report, its audit.

    data: what `report(to="a.json")` wrote, or ``to_dict()`` of an audit or of estimates as JSON.
    source: what an error calls it.
    Raises FileError: it is no such document, is damaged, or is a report without an audit.

    >>> from fairstats.estimates import Estimate
    >>> text = json.dumps(Estimates([Estimate("TPR", n=3)]).to_dict())
    >>> of_document(text.encode(), "it").column("n")
    [3.0]
    """
    document = json.loads(data.decode("utf-8-sig"), parse_constant=no_number)
    schema = document.get("schema") if isinstance(document, dict) else None
    if schema == REPORT:
        document = document.get("audit")
        if document is None:
            raise FileError(
                f"{source} is a report without an audit, whose fits and comparisons it tells and does not hold; "
                f"{snippet('save each of them by result.save(path), and load that .npz file')}."
            )
        schema = document["schema"]
    arrays: dict[str, np.ndarray] = {}
    if schema == AUDIT:
        return _audit(document)
    if schema == ESTIMATES:
        reader = Reader(arrays, document.get("messages"))
        return reader.table(_packed(document["estimates"], Estimates, arrays))
    raise ValueError(f"its schema is {str(schema)[:40]!r}")


def audit_of(recorded: dict[str, Any]) -> Audit:
    """The audit whose ``to_dict()`` a report holds; FileError where it is none."""
    try:
        return _audit(recorded)
    except FileError:
        raise
    except Exception as problem:
        raise FileError(f"the results in the report are damaged ({reason(problem)}).") from problem


def _audit(recorded: dict[str, Any]) -> Audit:
    arrays: dict[str, np.ndarray] = {}
    fields = {name: value for name, value in recorded.items() if name not in _DERIVED}
    audit: Audit = Reader(arrays, recorded.get("messages")).result(_packed(fields, Audit, arrays))
    return audit


def _packed(value: Any, kind: Any, arrays: dict[str, np.ndarray]) -> Any:
    """A plain value as a saved file holds one of that annotation; the reader refuses what does not fit."""
    origin, inner = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        return None if value is None else _packed(value, _member(inner, isinstance(value, list)), arrays)
    if kind is Estimates:
        return {"@estimates": _columns(value, arrays)}
    if kind is float and (value is None or value in _INFINITE):
        return {"@float": "nan" if value is None else _INFINITE[value]}
    if is_dataclass(kind) and isinstance(value, dict):
        hints = get_type_hints(kind)
        entries = {name: _packed(part, hints.get(name), arrays) for name, part in value.items()}
        return {"@class": kind.__name__, "fields": entries}  # type: ignore[union-attr]
    if origin is tuple and isinstance(value, list):
        return {"@tuple": [_packed(part, inner[0], arrays) for part in value]}
    if origin in (dict, Mapping) and isinstance(value, dict):
        return {"@dict": [[name, _packed(part, inner[1], arrays)] for name, part in value.items()]}
    return value


def _member(union: tuple[Any, ...], several: bool) -> Any:
    """The type of a union that holds several values, or the one that holds a single value."""
    members = [kind for kind in union if kind is not NoneType]
    return next((kind for kind in members if (get_origin(kind) is tuple) is several), members[0])


def _columns(records: Any, arrays: dict[str, np.ndarray]) -> dict[str, Any]:
    """The rows by column: lists of text, and arrays of numbers."""
    result: dict[str, Any] = {}
    strange = {name for record in records for name in record} - set(GLOSSARY)
    if strange:
        raise ValueError(f"{sorted(strange)[0][:40]!r} is no column of a table of estimates")
    for name, column in GLOSSARY.items():
        values = [record[name] for record in records]
        if column.dtype == "float":
            place = f"{len(arrays)} {name}"
            arrays[place] = np.array([_number(value) for value in values], dtype=float)
            result[name] = {"@array": place}
        else:
            result[name] = {"@list": values}
    return result


def _number(value: Any) -> float:
    if value is None or value in _INFINITE:
        return float(_INFINITE.get(value, "nan"))
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise ValueError(f"{str(value)[:40]!r} for a number")
    return float(value)


# Arrays out of an .npz file that nobody vouches for: no pickle, and never more memory than the file is long.


_HEADERS = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}


def read_arrays(data: bytes) -> dict[str, np.ndarray]:
    """Arrays by name; ValueError or zipfile's own errors where the bytes are no plain, uncompressed .npz file.

    >>> sheet = io.BytesIO()
    >>> np.savez(sheet, a=np.arange(3))
    >>> read_arrays(sheet.getvalue())["a"].tolist()
    [0, 1, 2]
    """
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        members = archive.infolist()
        # What numpy's savez writes is stored as it is; a small file that unfolds into a large one is none of ours.
        if any(m.compress_type != zipfile.ZIP_STORED for m in members) or sum(m.file_size for m in members) > len(data):
            raise ValueError("its arrays are compressed")
        names = [m.filename.removesuffix(".npy") for m in members]
        if len(set(names)) < len(names):
            raise ValueError("two arrays of one name")
        return {name: _array(archive.read(member)) for name, member in zip(names, members, strict=True)}


def _array(raw: bytes) -> np.ndarray:
    stream = io.BytesIO(raw)
    shape, by_column, dtype = _HEADERS[np.lib.format.read_magic(stream)](stream)
    if dtype.kind not in "biufU":
        raise ValueError(f"an array of the type {dtype}")
    # numpy.load would set memory aside for whatever shape the header states.
    if math.prod(shape) * dtype.itemsize != len(raw) - stream.tell():
        raise ValueError(f"an array of the shape {shape} in {len(raw)} bytes")
    flat = np.frombuffer(raw, dtype, offset=stream.tell())
    return np.array(flat.reshape(shape, order="F" if by_column else "C"))


# Saving and loading results without pickle: a JSON header and plain arrays in one .npz file.


FORMAT = 3
LOADED = "load reads what result.save(path) writes, .npz files, and the audit in a report's .json"
R_SUFFIXES = (".rds", ".rdata", ".rda")
ZIP = b"PK"  # how an .npz file begins
OLDER = {1: "fairstats before 0.2", 2: "0.2 in development, whose fits had other fields and settings"}
Kind = TypeVar("Kind", bound=Saved)
LONG = 16  # numbers of a tuple that stand as an array from here on


def save(result: Any, path: str | Path, *, overwrite: bool = False) -> Path:
    """Write a result to a file that ``load`` reads, in this version and in later ones.

    result: an audit, a comparison, a fit, held-out scores (without the names of their rows), a table of estimates ...
    path: ending in ``.npz``; an interrupted run leaves an old file as it was.
    overwrite: whether a file that fairstats did not write is replaced.
    """
    path = Path(file_path("path", path))
    if path.suffix.casefold() in R_SUFFIXES:
        raise FileError(
            f"{Setting('path', str(path))} does not end in .npz; results are saved as .npz files; R's own "
            "files are what saveRDS() writes and readRDS() reads."
        )
    if path.suffix != ".npz":
        raise FileError(
            f"{Setting('path', str(path))} does not end in .npz; results are saved as .npz files; a report is what "
            f"{Call('report')} writes ({Setting('to', str(path))})."
        )
    check_overwriting([path], overwrite)
    atomic_write(path, to_bytes(result))
    return path


def to_bytes(result: Any) -> bytes:
    """Return a result as the bytes that ``save`` writes; R's objects carry them, and so outlive their session.

    >>> from fairstats.estimates import Estimate, Estimates
    >>> from_bytes(to_bytes(Estimates([Estimate("TPR", n=3)])), "the table").column("n")
    [3.0]
    """
    arrays: dict[str, np.ndarray] = {}
    messages: dict[str, Any] = {}
    packed_result = _pack(result, arrays, messages)
    header = {"schema": "fairstats/saved", "format": FORMAT, "package": "fairstats", "result": packed_result}
    header["messages"] = messages
    buffer = io.BytesIO()
    stored: Any = {**arrays, "header": np.frombuffer(json.dumps(header, allow_nan=False).encode(), dtype=np.uint8)}
    np.savez(buffer, **stored)
    return buffer.getvalue()


@overload
def load(path: str | Path) -> Result: ...
@overload
def load(path: str | Path, kind: type[Kind]) -> Kind: ...
@answering
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
        raise FileError(f"{Setting('path', str(path))} may not be read by this user; change its permissions.") from None
    except OSError as problem:
        raise FileError(
            f"{Setting('path', str(path))} cannot be read ({problem.strerror}); copy it, or save again."
        ) from None
    result = from_bytes(data, f"{Setting('path', str(path))}")
    if kind is not None and not isinstance(result, kind):
        raise InputError(
            f"kind has {kind.__name__}; {str(path)!r} holds a result of {type(result).__name__}; pass that."
        )
    return result


def _checked_result(result: Any) -> Any:
    """The result, once it has said itself: that its parts belong together is no type that a field could be held to."""
    if isinstance(result, Audit):
        _agreeing(result)
    if isinstance(result, Moments):
        _agreeing_moments(result)
        return result
    result.summary()
    repr(result)
    if not isinstance(result, Tally):  # whose every cell was checked, and there may be millions
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
    headline = audit.protocol.headline
    if headline and (len(headline) != 3 or headline[0] not in audited):
        raise ValueError("its focus is no comparison of its groups")


def _agreeing_moments(m: Moments) -> None:
    """Refuse moments of columns, or of groups, that their names do not have."""
    columns, cells = m.p + len(m.continuous), len(m.cells)
    if len(m.shift) != columns or m.scatter.shape not in (
        (cells, columns, columns),
        (1, columns, columns),
        (cells, m.p),
    ):
        raise ValueError("its sums are not those of its columns")
    if not np.isfinite(m.scatter).all() or m.scatter.dtype.kind != "f":
        raise ValueError("its sums are no numbers")
    if len(m.levels) != len(m.attributes) or len(m.numbers) not in (0, len(m.attributes)):
        raise ValueError("its levels are not those of its attributes")
    if any(len(cell) != len(m.levels) or not all(map(operator.contains, m.levels, cell)) for cell in m.cells):
        raise ValueError("its groups are not of its levels")


def from_bytes(data: bytes, source: str) -> Any:
    """Return the result that ``to_bytes`` made the bytes of, or that is in a report's JSON; errors name ``source``."""
    is_json = data[:100].lstrip(b"\xef\xbb\xbf \r\n\t")[:1] == b"{"
    foreign = FileError(f"{source} is not a result that this package saved; {snippet(LOADED)}.")
    if not data.startswith(ZIP) and not is_json:
        if source.strip("'\"").casefold().endswith(R_SUFFIXES):
            raise FileError(
                f"{source} is not a result that this package saved; files of R are read by readRDS() in R"
                f"{snippet(', where fair_save() writes .npz files')}; {snippet(LOADED)}."
            )
        raise foreign
    try:
        if is_json:
            return _checked_result(of_document(data, source))
        arrays = read_arrays(data)
        if "header" not in arrays:
            raise foreign
        header = json.loads(arrays.pop("header").tobytes(), parse_constant=no_number)
        version = header["format"]
        if type(version) is not int or version < 1:
            raise ValueError(f"its format is {str(version)[:20]!r}")
        if version == FORMAT:
            return _checked_result(Reader(arrays, header.get("messages")).result(header["result"]))
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


_PLAIN = (str, float, type(None), int, bool)  # most of what there is, looked at first


def _pack(value: Any, arrays: dict[str, np.ndarray], messages: dict[str, Any]) -> Any:
    if type(value) in _PLAIN and (type(value) is not float or math.isfinite(value)):
        return value
    if isinstance(value, Message) and value not in messages:
        messages[str(value)] = as_record(value)
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
        assert name in IN_FILES, type(value)
        kept = {
            f.name: _pack(getattr(value, f.name), arrays, messages)
            for f in fields(value)
            if (name, f.name) not in LEFT_OUT
        }
        return {"@class": name, "fields": kept}
    if isinstance(value, Estimates):
        return {"@estimates": {name: _pack(column, arrays, messages) for name, column in packed(value).items()}}
    if isinstance(value, Mapping):
        return {"@dict": [[_pack(k, arrays, messages), _pack(v, arrays, messages)] for k, v in value.items()]}
    assert isinstance(value, (tuple, list)), type(value)
    if isinstance(value, tuple) and len(value) >= LONG and all(type(v) is float for v in value):
        return {"@floats": _pack(np.array(value), arrays, messages)}
    return {"@tuple" if isinstance(value, tuple) else "@list": [_pack(v, arrays, messages) for v in value]}
