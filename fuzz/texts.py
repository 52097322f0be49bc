"""Targets for atheris: what reads bytes or text of strangers. An error of ours is an answer, anything else a fault."""

from __future__ import annotations

import contextlib
import io
import json
import tempfile
import warnings
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import fairstats
from fairstats.auditing.arguments import AuditArguments
from fairstats.auditing.protocol import declare, read_protocol
from fairstats.data import read
from fairstats.data.formula import Formula
from fairstats.data.tables import Columns
from fairstats.errors import FairstatsError, edge
from fairstats.rvalues.convert import to_python
from fairstats.rvalues.rds import deserialize
from fairstats.saving import from_bytes

TABLE = pd.DataFrame({"a": [1.0, 2.0, 3.5, -1.0], "b": [0.5, 0.25, 2.0, 1.0], "g": ["u", "v", "u", "v"]})


def table(raw: bytes) -> None:
    """A delimited file, read with and without a column of labels."""
    frame = read.parse(raw, "rows.csv")
    assert len(read.parse(raw, "rows.csv", None, list(frame.columns)[:1])) == len(frame)


def rds(raw: bytes) -> None:
    """R's serialized data, unpacked."""
    with edge("rows.rds", "save it again"):
        to_python(deserialize(raw, "rows.rds"), "rows.rds")


@cache
def _saved() -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        path = fairstats.og("~ a + b", "g", data=TABLE, k=1).save(Path(folder) / "fit.npz")
        with np.load(path) as stored:
            return dict(stored)


def saved(raw: bytes) -> None:
    """A saved result whose header is anything: JSON, or a change of a valid one at a place that the bytes choose."""
    arrays = {name: value for name, value in _saved().items() if name != "header"}
    header = raw if raw[:1] == b"{" else _changed(_saved()["header"].tobytes(), raw)
    file = io.BytesIO()
    np.savez(file, header=np.frombuffer(header, dtype=np.uint8), **arrays)
    from_bytes(file.getvalue(), "fit.npz").summary()


def _changed(header: bytes, raw: bytes) -> bytes:
    """One value of a valid header, chosen by the first two bytes, replaced by the JSON that the others are."""
    result, at = json.loads(header), int.from_bytes(raw[:2], "big")
    places = list(_places(result))
    holder, key = places[at % len(places)]
    try:
        holder[key] = json.loads(raw[2:])
    except (ValueError, RecursionError):
        holder[key] = raw[2:].decode("latin-1")
    return json.dumps(result).encode()


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, one in inner:
        yield value, key
        yield from _places(one)


def archive(raw: bytes) -> None:
    """A file that may be a saved result: any bytes after the mark of a zip file."""
    from_bytes(b"PK\x03\x04" + raw, "fit.npz")


PROTOCOL = Path(tempfile.gettempdir()) / f"fairstats-fuzz-{id(object())}.toml"


def protocol(raw: bytes) -> None:
    """A declared audit."""
    PROTOCOL.write_bytes(raw)
    declared, _ = read_protocol(PROTOCOL)
    declare(AuditArguments(**declared))
    fairstats.audit(TABLE.assign(d=[0, 1, 1, 0]), protocol=PROTOCOL)


def formula(raw: bytes) -> None:
    """A formula, bound to a table and computed."""
    text = raw.decode("utf-8", "replace")
    Formula.bind(text if "~" in text else f"~ {text}", Columns(TABLE)).matrix(Columns(TABLE))


TARGETS: dict[str, Callable[[bytes], None]] = {
    "table": table, "rds": rds, "saved": saved, "archive": archive, "protocol": protocol, "formula": formula,
}  # fmt: skip


def attempt(target: str, raw: bytes) -> None:
    """Run one target on bytes; what a user would be told is an answer."""
    with contextlib.suppress(FairstatsError), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        TARGETS[target](raw)
