"""R's serialization read without R: bytes of an ``.rds`` file → values; code in it is passed over, never run.

The format is that of "R Internals", section 1.8, in its big-endian form (XDR), versions 2 and 3.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any

from fairstats.edges import reason
from fairstats.errors import FileError
from fairstats.rvalues import serial_code as code
from fairstats.rvalues import serial_data as data
from fairstats.rvalues.serial_reader import SerialReader
from fairstats.rvalues.values import Foreign, Null, Value


def deserialize(raw: bytes, name: str) -> Value:
    """The R value that bytes hold.

    Raises
    ------
    FileError
        ``raw`` is no R serialization, is written in another of its forms, or ends too early.
    """
    if not raw.startswith(b"X\n"):
        raise FileError(f"{name} {_OTHERS.get(raw[:2], 'is no file of saveRDS()')}; in R, saveRDS(x, {name!r}).")
    reader = SerialReader(raw, name, 2, kinds=_KINDS)
    try:
        version = reader.integer()
        reader.at += 8  # which R wrote it, which can read it
        if version not in (2, 3):
            raise FileError(f"{name} has version {version} of R's format; in R, saveRDS(x, {name!r}, version = 3).")
        if version == 3:
            reader.encoding = reader.take(reader.integer()).decode("ascii")
        value = reader.value()
        if reader.at < len(raw):
            raise ValueError(f"{len(raw) - reader.at} bytes are left over")
        return value
    except RecursionError as problem:
        raise FileError(
            f"{name} holds lists within lists, deeper than can be read; in R, unlist() or save parts."
        ) from problem
    except (struct.error, IndexError, KeyError, TypeError, ValueError) as problem:
        raise FileError(f"{name} is damaged or not whole ({reason(problem)}); copy it again.") from problem


_OTHERS = {
    b"RD": "holds a workspace (.RData), which is many objects",
    b"A\n": "is written as text (ascii = TRUE)",
    b"B\n": "is written in the machine's own byte order (xdr = FALSE)",
}


def _constant(value: Any) -> Callable[[SerialReader, int], Any]:
    return lambda reader, flags: value


_ENVIRONMENT = _constant(Foreign("environment", ("environment",)))
_KINDS: dict[int, Callable[[SerialReader, int], Any]] = {
    0: _constant(Null()),
    1: data.symbol,
    2: data.pairlist,
    3: code.code("closure"),
    4: code.environment,
    5: code.code("promise"),
    6: code.code("language"),
    7: code.builtin,
    8: code.builtin,
    9: data.text,
    10: data.numbers("logical", ">i4"),
    13: data.numbers("integer", ">i4"),
    14: data.numbers("double", ">f8"),
    15: data.complex_numbers,
    16: data.character,
    17: code.code("language"),
    19: data.generic,
    20: data.expression,
    21: code.compiled,
    22: code.pointer(2),
    23: code.pointer(0),
    24: data.numbers("raw", "u1"),
    25: data.s4,
    238: data.alternative,
    241: _ENVIRONMENT,
    242: _ENVIRONMENT,
    247: code.named_environment,
    248: code.named_environment,
    249: code.named_environment,
    250: _ENVIRONMENT,
    251: _constant(Foreign("symbol", ("name",))),
    252: _constant(Foreign("symbol", ("name",))),
    253: _ENVIRONMENT,
    254: _constant(Null()),
}
