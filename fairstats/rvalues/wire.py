"""R's values as bytes: one JSON header that describes them, and one buffer a vector. R/wire.R does the same in R."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import numpy as np

from fairstats.errors import InputError
from fairstats.rvalues.convert import STORAGE, Atom, Foreign, Items, Null, Sparse, Value

VERSION = 2


def pack(value: Value) -> tuple[str, list[bytearray]]:
    """Header and buffers of a value."""
    buffers: list[bytearray] = []
    header = {"version": VERSION, "value": _describe(value, buffers)}
    return json.dumps(header, ensure_ascii=False), buffers


def unpack(header: str, buffers: Sequence[Any]) -> Value:
    """The value that a header and its buffers describe."""
    described = json.loads(header)
    if described["version"] != VERSION:
        raise InputError(
            f"the R package speaks version {described['version']} of the bridge and this Python package version "
            f"{VERSION}; update both to the same release."
        )
    return _value(described["value"], buffers)


def _describe(value: Value, buffers: list[bytearray]) -> dict[str, Any]:
    if isinstance(value, Null):
        return {"type": "NULL"}
    if isinstance(value, Items):
        inner = [_describe(v, buffers) for v in value.values]
        return {"type": "list", "values": inner, "attributes": _attributes(value.attributes, buffers)}
    if isinstance(value, Sparse):
        slots = (value.indices.astype("<i4"), value.pointers.astype("<i4"), value.data.astype("<f8"))
        where = [_add(buffers, slot) for slot in slots]
        return {"type": "dgCMatrix", "buffers": where, "dim": list(value.shape)}
    assert isinstance(value, Atom), value
    node: dict[str, Any] = {"type": value.type, "n": len(value.data)}
    node["buffer"] = _add(buffers, value.data.astype(STORAGE[value.type], copy=False))
    if value.type == "character":
        node["distinct"] = len(value.strings)
        node["strings"] = len(buffers)
        # R's strings end with a zero byte, so that one cannot be in them: the writer of values refuses it.
        buffers.append(bytearray("".join(s + "\0" for s in value.strings).encode()))
    node["attributes"] = _attributes(value.attributes, buffers)
    return node


def _attributes(attributes: dict[str, Value], buffers: list[bytearray]) -> list[dict[str, Any]]:
    return [{"name": name, "value": _describe(v, buffers)} for name, v in attributes.items()]


def _add(buffers: list[bytearray], data: np.ndarray) -> int:
    buffers.append(bytearray(np.ascontiguousarray(data)))
    return len(buffers) - 1


def _value(node: dict[str, Any], buffers: Sequence[Any]) -> Value:
    kind = node["type"]
    if kind == "NULL":
        return Null()
    if kind == "foreign":
        return Foreign(node["kind"], tuple(node["class"]))
    if kind == "dgCMatrix":
        i, p, x = (buffers[b] for b in node["buffers"])
        shape = (int(node["dim"][0]), int(node["dim"][1]))
        indices, pointers = np.frombuffer(i, "<i4"), np.frombuffer(p, "<i4")
        return Sparse(indices, pointers, np.frombuffer(x, "<f8"), shape, bool(node["named"]))
    attributes = {a["name"]: _value(a["value"], buffers) for a in node["attributes"]}
    if kind == "list":
        return Items([_value(v, buffers) for v in node["values"]], attributes)
    kept = buffers[node["buffer"]]
    # the numbers of a parcel stay known as parts of it
    data = kept.view(STORAGE[kind]) if isinstance(kept, np.ndarray) else np.frombuffer(kept, STORAGE[kind])
    strings: list[str] = []
    if kind == "character":
        strings = bytes(buffers[node["strings"]]).decode().split("\0")[:-1]
    return Atom(kind, data, strings, attributes)
