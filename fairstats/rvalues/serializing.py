"""Values → the bytes of an ``.rds`` file, without R: version 2 of R's format, which every R since 2.3 reads."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from fairstats.rvalues.values import Atom, Items, Null, Sparse, Value, integers, text

_ATTRIBUTES, _OBJECT, _TAG = 1 << 9, 1 << 8, 1 << 10
_SYMBOL, _PAIR, _CHARACTER, _S4, _NULL, _REFERENCE = 1, 2, 9, 25, 254, 255
_KINDS = {"logical": (10, ">i4"), "integer": (13, ">i4"), "double": (14, ">f8"), "raw": (24, "u1")}
_ASCII, _UTF8, _IS_S4 = (1 << 6) << 12, (1 << 3) << 12, (1 << 4) << 12
# R 4.0.0 wrote it, R 2.3.0 can read it: the same bytes wherever they are written.
_HEADER = b"X\n" + struct.pack(">iii", 2, 0x00040000, 0x00020300)
_MISSING = struct.pack(">ii", _CHARACTER, -1)


def serialize(value: Value) -> bytes:
    """The bytes that R's ``readRDS`` turns into the value."""
    writer = _Writer([_HEADER])
    writer.value(value)
    return b"".join(writer.parts)


@dataclass
class _Writer:
    parts: list[bytes]
    symbols: dict[str, int] = field(default_factory=dict)

    def integer(self, number: int) -> None:
        """Four bytes."""
        self.parts.append(struct.pack(">i", number))

    def value(self, value: Value) -> None:
        """Any value, with what is in it."""
        if isinstance(value, Null):
            self.integer(_NULL)
        elif isinstance(value, Items):
            self.head(19, value.attributes, len(value.values))
            for item in value.values:
                self.value(item)
            self.attributes(value.attributes)
        elif isinstance(value, Sparse):
            self.sparse(value)
        else:
            assert isinstance(value, Atom), value
            self.atom(value)

    def head(self, kind: int, attributes: Mapping[str, Value], length: int) -> None:
        """Kind, flags and length of a vector."""
        flags = kind | (_ATTRIBUTES if attributes else 0) | (_OBJECT if "class" in attributes else 0)
        self.integer(flags)
        if length < 2**31:
            self.integer(length)
        else:
            self.parts.append(struct.pack(">iii", -1, length >> 32, length & 0xFFFFFFFF))

    def atom(self, atom: Atom) -> None:
        """A vector with its attributes."""
        if atom.type == "character":
            self.head(16, atom.attributes, len(atom.data))
            known = [*(_string(t) for t in atom.strings), _MISSING]
            self.parts.append(b"".join([known[code] for code in atom.data.tolist()]))
        else:
            kind, stored = _KINDS[atom.type]
            self.head(kind, atom.attributes, len(atom.data))
            self.parts.append(np.ascontiguousarray(atom.data, dtype=stored).tobytes())
        self.attributes(atom.attributes)

    def attributes(self, attributes: Mapping[str, Value]) -> None:
        """A pairlist of attributes; nothing where there are none."""
        for name, value in attributes.items():
            self.integer(_PAIR | _TAG)
            self.symbol(name)
            self.value(value)
        if attributes:
            self.integer(_NULL)

    def symbol(self, name: str) -> None:
        """A name in full the first time, then by its number."""
        if name in self.symbols:
            self.integer(self.symbols[name] << 8 | _REFERENCE)
            return
        self.symbols[name] = len(self.symbols) + 1
        self.integer(_SYMBOL)
        self.parts.append(_string(name))

    def sparse(self, matrix: Sparse) -> None:
        """A dgCMatrix with its slots."""
        self.integer(_S4 | _ATTRIBUTES | _OBJECT | _IS_S4)
        self.attributes(
            {
                "i": Atom("integer", matrix.indices),
                "p": Atom("integer", matrix.pointers),
                "Dim": integers(*matrix.shape),
                "Dimnames": Items([Null(), Null()]),
                "x": Atom("double", matrix.data),
                "factors": Items([]),
                "class": text("dgCMatrix", attributes={"package": text("Matrix")}),
            }
        )


def _string(string: str) -> bytes:
    coded = string.encode()
    levels = _ASCII if string.isascii() else _UTF8
    return struct.pack(">ii", _CHARACTER | levels, len(coded)) + coded
