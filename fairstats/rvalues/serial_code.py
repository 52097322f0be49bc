"""The code in R's serialization, passed over and never run: functions, calls, environments, compiled functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fairstats.rvalues.serial_data import HAS_TAG, LISTSXP
from fairstats.rvalues.serial_reader import SerialReader, classes
from fairstats.rvalues.values import Foreign, Value

_LANGSXP, _BCODESXP = 6, 21
_ATTRLANGSXP, _ATTRLISTSXP, _BCREPREF, _BCREPDEF = 240, 239, 243, 244


def code(kind: str) -> Callable[[SerialReader, int], Value]:
    """Language, functions and promises: attributes, tag, head and tail, of which only the class is kept."""

    def read(reader: SerialReader, flags: int) -> Value:
        known = classes(reader.attributes(flags))
        for _ in range(2 + bool(flags & HAS_TAG)):
            reader.item()
        return Foreign(kind, known or _IMPLICIT.get(kind, ()))

    return read


_IMPLICIT = {"closure": ("function",), "builtin": ("function",), "language": ("call",)}


def environment(reader: SerialReader, flags: int) -> Value:
    """Enclosure, frame, hash table and attributes, passed over."""
    foreign = reader.remember(Foreign("environment", ("environment",)))
    reader.integer()  # whether it is locked
    for _ in range(4):
        reader.item()
    return foreign


def named_environment(reader: SerialReader, flags: int) -> Value:
    """A package or namespace, known by its name and version."""
    reader.integer()
    for _ in range(reader.integer()):
        reader.item()
    return reader.remember(Foreign("environment", ("environment",)))


def pointer(parts: int) -> Callable[[SerialReader, int], Value]:
    """Pass over an external pointer or a weak reference of so many ``parts``, which refer to memory."""

    def read(reader: SerialReader, flags: int) -> Value:
        foreign = reader.remember(Foreign("externalptr", ("externalptr",)))
        for _ in range(parts):
            reader.item()
        reader.attributes(flags)
        return foreign

    return read


def builtin(reader: SerialReader, flags: int) -> Value:
    """A primitive function, known by its name."""
    reader.take(reader.integer())
    return Foreign("builtin", _IMPLICIT["builtin"])


def compiled(reader: SerialReader, flags: int) -> Value:
    """Byte code with its constants, passed over."""
    known: dict[int, Any] = {}
    reader.integer()  # how many parts repeat
    _compiled_part(reader, known)
    reader.attributes(flags)
    return Foreign("bytecode", ("function",))


def _compiled_part(reader: SerialReader, known: dict[int, Any]) -> None:
    reader.item()
    for _ in range(reader.integer()):
        kind = reader.integer()
        if kind == _BCODESXP:
            _compiled_part(reader, known)
        else:
            _compiled_language(reader, kind)


def _compiled_language(reader: SerialReader, kind: int) -> None:
    while kind in (_LANGSXP, LISTSXP, _BCREPDEF, _ATTRLANGSXP, _ATTRLISTSXP):
        if kind == _BCREPDEF:
            reader.integer()
            kind = reader.integer()
        if kind in (_ATTRLANGSXP, _ATTRLISTSXP):
            reader.item()
        reader.item()  # tag
        _compiled_language(reader, reader.integer())  # head
        kind = reader.integer()  # tail
    if kind == _BCREPREF:
        reader.integer()
    else:
        reader.item()
