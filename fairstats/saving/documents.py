"""The JSON of a report, of an audit or of a table of estimates, as the header that `reader` judges value by value."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import is_dataclass
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

import numpy as np

from fairstats.auditing.result import SCHEMA as AUDIT
from fairstats.auditing.result import Audit
from fairstats.edges import reason
from fairstats.errors import FileError
from fairstats.estimates import Estimates
from fairstats.glossary import GLOSSARY
from fairstats.saving.reader import Reader, no_number

REPORT = "fairstats/report/1"
ESTIMATES = "fairstats/estimates/1"
_INFINITE = {"Inf": "inf", "-Inf": "-inf"}
_SAID = ("schema", "finding")  # what the JSON says beside the fields


def of_document(data: bytes, source: str) -> Any:
    """Return the audit, or the table of estimates, that a JSON document holds; of a report, its audit.

    Parameters
    ----------
    data : bytes
        What `report(to="a.json")` wrote, or ``to_dict()`` of an audit or of estimates as JSON.
    source : str
        What an error calls it.

    Returns
    -------
    Audit or Estimates

    Raises
    ------
    FileError
        It is no such document, is damaged, or is a report without an audit.

    Examples
    --------
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
                f"{source} is a report without an audit, whose fits and comparisons it tells and does not hold; save "
                "each of them by result.save(path), and load that .npz file."
            )
        schema = document["schema"]
    arrays: dict[str, np.ndarray] = {}
    if schema == AUDIT:
        return _audit(document)
    if schema == ESTIMATES:
        return Reader(arrays).table(_packed(document["estimates"], Estimates, arrays))
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
    fields = {name: value for name, value in recorded.items() if name not in _SAID}
    made: Audit = Reader(arrays).result(_packed(fields, Audit, arrays))
    return made


def _packed(value: Any, kind: Any, arrays: dict[str, np.ndarray]) -> Any:
    """A plain value as a saved file holds one of that annotation; the reader refuses what does not fit."""
    origin, inner = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        return None if value is None else _packed(value, next(p for p in inner if p is not NoneType), arrays)
    if kind is Estimates:
        return {"@estimates": _columns(value, arrays)}
    if kind is float and (value is None or value in _INFINITE):
        return {"@float": "nan" if value is None else _INFINITE[value]}
    if is_dataclass(kind) and isinstance(value, dict):
        hints = get_type_hints(kind)
        made = {name: _packed(part, hints.get(name), arrays) for name, part in value.items()}
        return {"@class": kind.__name__, "fields": made}  # type: ignore[union-attr]
    if origin is tuple and isinstance(value, list):
        return {"@tuple": [_packed(part, inner[0], arrays) for part in value]}
    if origin in (dict, Mapping) and isinstance(value, dict):
        return {"@dict": [[name, _packed(part, inner[1], arrays)] for name, part in value.items()]}
    return value


def _columns(records: Any, arrays: dict[str, np.ndarray]) -> dict[str, Any]:
    """The rows by column: lists of text, and arrays of numbers."""
    made: dict[str, Any] = {}
    strange = {name for record in records for name in record} - set(GLOSSARY)
    if strange:
        raise ValueError(f"{sorted(strange)[0][:40]!r} is no column of a table of estimates")
    for name, column in GLOSSARY.items():
        values = [record[name] for record in records]
        if column.dtype == "float":
            place = f"{len(arrays)} {name}"
            arrays[place] = np.array([_number(value) for value in values], dtype=float)
            made[name] = {"@array": place}
        else:
            made[name] = {"@list": values}
    return made


def _number(value: Any) -> float:
    if value is None or value in _INFINITE:
        return float(_INFINITE.get(value, "nan"))
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise ValueError(f"{str(value)[:40]!r} for a number")
    return float(value)
