"""The reader of R's serialization: bytes in order, references back, attributes; others tell what each kind holds."""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from fairstats.rvalues.values import NA_INTEGER, Atom, Foreign, Null, Value, strings

_HAS_ATTRIBUTES = 1 << 9


@dataclass(frozen=True)
class Symbol:
    """A name of R's."""

    name: str


@dataclass(frozen=True)
class Pairs:
    """A pairlist: tags and values, and what stands in place of the last NULL."""

    tags: list[str]
    values: list[Any]
    rest: Any


@dataclass
class SerialReader:
    """Bytes, the place in them, and what kinds of items are read by."""

    raw: bytes
    name: str
    at: int
    encoding: str = "UTF-8"
    references: list[Any] = field(default_factory=list)
    asked: int = 0  # numbers that it must make and that are not in the bytes
    kinds: Mapping[int, Callable[[SerialReader, int], Any]] = field(default_factory=dict)

    def integer(self) -> int:
        """Four bytes."""
        (number,) = struct.unpack_from(">i", self.raw, self.at)
        self.at += 4
        return int(number)

    def length(self) -> int:
        """The length of a vector; a long one has two more integers."""
        short = self.integer()
        return short if short != -1 else (self.integer() << 32) + self.integer()

    def take(self, n: int) -> bytes:
        """The next n bytes."""
        taken = self.raw[self.at : self.at + n]
        if n < 0 or len(taken) < n:
            raise ValueError(f"{n} bytes wanted at byte {self.at}")
        self.at += n
        return taken

    def value(self) -> Value:
        """An item that is a value; anything else is foreign."""
        item = self.item()
        return item if isinstance(item, Value) else Foreign(type(item).__name__.strip("_").lower(), ())

    def item(self) -> Any:
        """Read the next item, of whatever kind its flags say."""
        flags = self.integer()
        kind = flags & 0xFF
        if kind == 255:
            return self.references[(flags >> 8 or self.integer()) - 1]
        return self.kinds[kind](self, flags)

    def attributes(self, flags: int) -> dict[str, Value]:
        """The attributes that follow an item whose flags say so."""
        pairs_read = self.item() if flags & _HAS_ATTRIBUTES else Null()
        if not isinstance(pairs_read, Pairs):
            return {}
        plain = {t: v if isinstance(v, Value) else Foreign("language", ()) for t, v in pairs(pairs_read)}
        return whole_row_names(plain)

    def remember(self, item: Any) -> Any:
        """Keep what later items may refer to."""
        self.references.append(item)
        return item


def pairs(pairs: Pairs) -> list[tuple[str, Any]]:
    """Tags with their values."""
    return list(zip(pairs.tags, pairs.values, strict=True))


def whole_row_names(attributes: dict[str, Value]) -> dict[str, Value]:
    """R counts the rows of a short form c(NA, n) by its absolute value; one sign is enough for us."""
    rows = attributes.get("row.names")
    if isinstance(rows, Atom) and rows.type == "integer" and len(rows.data) == 2 and rows.data[0] == NA_INTEGER:
        attributes["row.names"] = replace(rows, data=np.array([NA_INTEGER, -abs(int(rows.data[1]))], dtype="<i4"))
    return attributes


def classes(attributes: dict[str, Value]) -> tuple[str, ...]:
    """The class attribute, () where there is none."""
    return tuple(c for c in strings(attributes.get("class")) or [] if c)
