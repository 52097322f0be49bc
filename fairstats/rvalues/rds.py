"""R's data files: ``.rds`` read and written without R, by the table of types that the bridges share."""

from __future__ import annotations

import gzip
import math
import os
import struct
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from struct import Struct
from typing import TYPE_CHECKING, Any

import numpy as np

from fairstats.errors import FileError, InputError, edge, reason
from fairstats.files import atomic_write, existing, file_path, unpacked
from fairstats.rvalues.convert import (
    NA_INTEGER,
    STORAGE,
    Atom,
    Foreign,
    Items,
    Null,
    Sparse,
    Value,
    integers,
    strings,
    text,
    to_python,
    to_rvalue,
)
from fairstats.validation import answering, more, most

if TYPE_CHECKING:
    import pandas as pd


# The reader of R's serialization: bytes in order, references back, attributes; others tell what each kind holds.


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
    bytes_wanted: int = 0  # numbers that it must make and that are not in the bytes
    readers: Mapping[int, Callable[[SerialReader, int], Any]] = field(default_factory=dict)

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
        return self.readers[kind](self, flags)

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


# The data in R's serialization: vectors, text, lists, pairlists, sparse matrices, and R's shorter forms of vectors.


LISTSXP, HAS_TAG = 2, 1 << 10
_BYTES, _LATIN1, _UTF8, _ASCII = 1 << 1, 1 << 2, 1 << 3, 1 << 6


def numbers(kind: str, stored: str) -> Callable[[SerialReader, int], Value]:
    """A vector of numbers, ``stored`` big-endian."""

    def read(reader: SerialReader, flags: int) -> Value:
        n = reader.length()
        data = np.frombuffer(reader.take(n * np.dtype(stored).itemsize), stored).astype(STORAGE[kind])
        return Atom(kind, data, (), reader.attributes(flags))

    return read


def complex_numbers(reader: SerialReader, flags: int) -> Value:
    """A complex vector, passed over."""
    reader.take(16 * reader.length())
    return Foreign("complex", classes(reader.attributes(flags)) or ("complex",))


def character(reader: SerialReader, flags: int) -> Value:
    """Text by its distinct strings: each is decoded once, however often it stands there."""
    n = reader.length()
    if not 0 <= 8 * n <= len(reader.raw):
        raise ValueError(f"{n} strings wanted at byte {reader.at}")
    codes = np.empty(n, dtype=STORAGE["character"])
    present: dict[tuple[int, bytes], int] = {}
    raw, at, unpack = reader.raw, reader.at, Struct(">ii").unpack_from
    for i in range(n):
        head, size = unpack(raw, at)
        at += 8
        if size < 0:
            codes[i] = -1
            continue
        key = (head, raw[at : at + size])
        at += size
        codes[i] = present.setdefault(key, len(present))
    reader.at = at
    texts = [_decoded(reader, head, text) for head, text in present]
    return _distinct(codes, texts, reader.attributes(flags))


def _distinct(codes: np.ndarray, texts: list[str], attributes: dict[str, Value]) -> Atom:
    if len(set(texts)) < len(texts):  # the same text in two encodings
        places = {t: i for i, t in enumerate(dict.fromkeys(texts))}
        codes = np.array([*(places[t] for t in texts), -1], dtype=STORAGE["character"])[codes]
        texts = list(places)
    return Atom("character", codes, texts, attributes)


def _decoded(reader: SerialReader, head: int, text: bytes) -> str:
    levels = head >> 12
    encoding = "UTF-8" if levels & (_UTF8 | _ASCII) else "latin-1" if levels & _LATIN1 else reader.encoding
    try:
        if levels & _BYTES:
            raise UnicodeError
        return text.decode(encoding)
    except (UnicodeError, LookupError):
        raise FileError(
            f"{reader.name} has text that is not valid {encoding} ({text[:40]!r}); in R, say how it is encoded before "
            'saving: x <- iconv(x, "latin1", "UTF-8").'
        ) from None


def generic(reader: SerialReader, flags: int) -> Value:
    """A list."""
    n = reader.length()
    if not 0 <= 4 * n <= len(reader.raw):
        raise ValueError(f"{n} values wanted at byte {reader.at}")
    values = [reader.value() for _ in range(n)]
    return Items(values, reader.attributes(flags))


def expression(reader: SerialReader, flags: int) -> Value:
    """A list of calls, of which only the class is kept."""
    items = generic(reader, flags)
    return Foreign("expression", classes(items.attributes) if isinstance(items, Items) else ())


def pairlist(reader: SerialReader, flags: int) -> Any:
    """Tags and values one after the other: a loop, since its length is not bounded as nesting is."""
    tags: list[str] = []
    values: list[Any] = []
    while True:
        reader.attributes(flags)
        tag = reader.item() if flags & HAS_TAG else None
        tags.append(tag.name if isinstance(tag, Symbol) else "")
        values.append(reader.item())
        flags = reader.integer()
        if flags & 0xFF != LISTSXP:
            reader.at -= 4
            return Pairs(tags, values, reader.item())


def symbol(reader: SerialReader, flags: int) -> Symbol:
    """A name; later ones refer to it."""
    text = reader.item()
    if not isinstance(text, str):
        raise ValueError(f"a name that is no text before byte {reader.at}")
    return reader.remember(Symbol(text))


def read_text(reader: SerialReader, flags: int) -> str:
    """One string, decoded; vectors of strings read missing ones themselves."""
    size = reader.integer()
    text = "NA" if size < 0 else _decoded(reader, flags, reader.take(size))
    reader.attributes(flags)
    return text


def s4(reader: SerialReader, flags: int) -> Value:
    """An S4 object: a sparse matrix, or only its class."""
    slots = reader.attributes(flags)
    names = classes(slots)
    if names != ("dgCMatrix",):
        return Foreign("S4", names)
    i, p, dim = (_vector(slots.get(s), "integer") for s in ("i", "p", "Dim"))
    x, heads = _vector(slots.get("x"), "double"), slots.get("Dimnames")
    if len(dim) != 2 or len(p) != dim[1] + 1 or len(i) != len(x):
        raise ValueError(f"a sparse matrix whose parts disagree before byte {reader.at}")
    named = isinstance(heads, Items) and not all(isinstance(v, Null) for v in heads.values)
    return Sparse(i, p, x, (int(dim[0]), int(dim[1])), named)


def alternative(reader: SerialReader, flags: int) -> Value:
    """Vectors that R keeps in a shorter form: 1:n, numbers not yet made text, a vector with notes about it."""
    info, state, attributes = reader.item(), reader.item(), reader.item()
    first = info.values[0] if isinstance(info, Pairs) else None
    if not isinstance(first, Symbol):
        raise ValueError(f"a vector of no kind before byte {reader.at}")
    kind = first.name
    make = _ALTERNATIVES.get(kind)
    if make is None:
        return Foreign("altrep", (kind,))
    vector = make(reader, state)
    named = dict(pairs(attributes)) if isinstance(attributes, Pairs) else {}
    if named and not isinstance(vector, (Atom, Items)):
        raise ValueError(f"no vector where one belongs before byte {reader.at}")
    return replace(vector, attributes=whole_row_names(named)) if named else vector


def _vector(value: Any, kind: str) -> np.ndarray:
    """The entries of a vector of that kind, which nothing else stands for."""
    if not isinstance(value, Atom) or value.type != kind:
        raise ValueError(f"no {kind} vector where one belongs")
    return value.data


def _sequence(kind: str) -> Callable[[SerialReader, Any], Atom]:
    def make(reader: SerialReader, state: Any) -> Atom:
        n, first, step = _vector(state, "double")
        if not 0 <= n < np.inf:
            raise ValueError(f"a sequence of {n:g} numbers before byte {reader.at}")
        # 200 bytes may ask for any memory: what is in no byte of the file is counted.
        reader.bytes_wanted += int(n)
        if reader.bytes_wanted > most("FAIRSTATS_MAX_SEQUENCE"):
            raise FileError(
                f"{reader.name} has sequences of {reader.bytes_wanted} numbers; "
                f"they may be {more('FAIRSTATS_MAX_SEQUENCE')}."
            )
        return Atom(kind, (first + step * np.arange(int(n))).astype(STORAGE[kind]))

    return make


def _deferred(reader: SerialReader, state: Any) -> Atom:
    numbers = state.values[0] if isinstance(state, Pairs) else None
    if not isinstance(numbers, Atom) or numbers.type not in ("integer", "double"):
        raise ValueError(f"no numbers where they belong before byte {reader.at}")
    whole = numbers.type == "integer"
    missing = numbers.data == NA_INTEGER if whole else numbers.data.view("<u4")[::2] == 1954
    texts = [None if m else as_character(v) for v, m in zip(numbers.data.tolist(), missing.tolist(), strict=True)]
    distinct = {t: i for i, t in enumerate(dict.fromkeys(t for t in texts if t is not None))}
    codes = np.array([-1 if t is None else distinct[t] for t in texts], dtype=STORAGE["character"])
    return Atom("character", codes, list(distinct))


def as_character(number: float) -> str:
    """Return a number as R's as.character() writes it: at most 15 digits, an exponent only where that is shorter.

    >>> as_character(7), as_character(0.1 + 0.2), as_character(1e5), as_character(123456.0), as_character(-1e-20)
    ('7', '0.3', '1e+05', '123456', '-1e-20')
    """
    if isinstance(number, int):
        return str(number)
    if not math.isfinite(number):
        return {math.inf: "Inf", -math.inf: "-Inf"}.get(number, "NaN")
    mantissa, exponent = f"{number:.14e}".split("e")
    mantissa = mantissa.rstrip("0").rstrip(".")
    places = max(0, len(mantissa.partition(".")[2]) - int(exponent))
    plain, short = f"{number:.{places}f}", f"{mantissa}e{exponent}"
    return plain if len(plain) <= len(short) else short


_ALTERNATIVES: dict[str, Callable[[SerialReader, Any], Any]] = {
    "compact_intseq": _sequence("integer"),
    "compact_realseq": _sequence("double"),
    "deferred_string": _deferred,
    **{
        f"wrap_{kind}": lambda reader, state: (state.values if isinstance(state, (Pairs, Items)) else [state])[0]
        for kind in ("integer", "logical", "real", "string", "list", "raw")
    },
}


# The code in R's serialization, passed over and never run: functions, calls, environments, compiled functions.


_LANGSXP, _BCODESXP = 6, 21
_ATTRLANGSXP, _ATTRLISTSXP, _BCREPREF, _BCREPDEF = 240, 239, 243, 244


def code(kind: str) -> Callable[[SerialReader, int], Value]:
    """Language, functions and promises: attributes, tag, head and tail, of which only the class is kept."""

    def read(reader: SerialReader, flags: int) -> Value:
        names = classes(reader.attributes(flags))
        for _ in range(2 + bool(flags & HAS_TAG)):
            reader.item()
        return Foreign(kind, names or _IMPLICIT.get(kind, ()))

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
    present: dict[int, Any] = {}
    reader.integer()  # how many parts repeat
    _compiled_part(reader, present)
    reader.attributes(flags)
    return Foreign("bytecode", ("function",))


def _compiled_part(reader: SerialReader, present: dict[int, Any]) -> None:
    reader.item()
    for _ in range(reader.integer()):
        kind = reader.integer()
        if kind == _BCODESXP:
            _compiled_part(reader, present)
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


# R's serialization read without R: bytes of an ``.rds`` file → values; code in it is passed over, never run.


def deserialize(raw: bytes, name: str) -> Value:
    """The R value that bytes hold.

    Raises FileError: ``raw`` is no R serialization, is written in another of its forms, or ends too early.
    """
    if not raw.startswith(b"X\n"):
        raise FileError(f"{name} {_OTHERS.get(raw[:2], 'is no file of saveRDS()')}; in R, saveRDS(x, {name!r}).")
    reader = SerialReader(raw, name, 2, readers=_READERS)
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
_READERS: dict[int, Callable[[SerialReader, int], Any]] = {
    0: _constant(Null()),
    1: symbol,
    2: pairlist,
    3: code("closure"),
    4: environment,
    5: code("promise"),
    6: code("language"),
    7: builtin,
    8: builtin,
    9: read_text,
    10: numbers("logical", ">i4"),
    13: numbers("integer", ">i4"),
    14: numbers("double", ">f8"),
    15: complex_numbers,
    16: character,
    17: code("language"),
    19: generic,
    20: expression,
    21: compiled,
    22: pointer(2),
    23: pointer(0),
    24: numbers("raw", "u1"),
    25: s4,
    238: alternative,
    241: _ENVIRONMENT,
    242: _ENVIRONMENT,
    247: named_environment,
    248: named_environment,
    249: named_environment,
    250: _ENVIRONMENT,
    251: _constant(Foreign("symbol", ("name",))),
    252: _constant(Foreign("symbol", ("name",))),
    253: _ENVIRONMENT,
    254: _constant(Null()),
}


# Values → the bytes of an ``.rds`` file, without R: version 2 of R's format, which every R since 2.3 reads.


_ATTRIBUTES, _OBJECT, _TAG = 1 << 9, 1 << 8, 1 << 10
_SYMBOL, _PAIR, _CHARACTER, _S4, _NULL, _REFERENCE = 1, 2, 9, 25, 254, 255
_WRITTEN_TYPES = {"logical": (10, ">i4"), "integer": (13, ">i4"), "double": (14, ">f8"), "raw": (24, "u1")}
_ASCII_FLAG, _UTF8_FLAG, _IS_S4 = (1 << 6) << 12, (1 << 3) << 12, (1 << 4) << 12
# R 4.0.0 wrote it, R 2.3.0 can read it: the same bytes wherever they are written.
_HEADER = b"X\n" + struct.pack(">iii", 2, 0x00040000, 0x00020300)
_MISSING = struct.pack(">ii", _CHARACTER, -1)


def serialize(value: Value) -> bytearray:
    """The bytes that R's ``unserialize`` turns into the value, as ``readRDS`` does what they are compressed to."""
    writer = _Writer([_HEADER])
    writer.value(value)
    return bytearray().join(writer.parts)


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
            items = [*(_string(t) for t in atom.strings), _MISSING]
            self.parts.append(b"".join([items[code] for code in atom.data.tolist()]))
        else:
            kind, stored = _WRITTEN_TYPES[atom.type]
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
    levels = _ASCII_FLAG if string.isascii() else _UTF8_FLAG
    return struct.pack(">ii", _CHARACTER | levels, len(coded)) + coded


_R_LEVEL = 6  # what saveRDS uses; Python's 9 takes five times as long


@answering
def read_rds(path: str | os.PathLike[str]) -> Any:
    """Read what R's ``saveRDS`` wrote; R itself is not needed, and no code in the file is run.

    Parameters
    ----------
    path : str or path
        A file of ``saveRDS``: plain or packed by gzip, bzip2 or xz.

    Returns
    -------
    any
        By the table in the guide "R from Python": a data frame becomes a pandas one, and so on.

    Raises
    ------
    FileError
        The file is missing, damaged, or no file of ``saveRDS`` in its usual form.
    ConversionError
        It holds, anywhere, what is no data: a function, an environment, a model. The message says where.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_rds({"a": 1, "b": [0.5, 1.5]}, f"{folder}/x.rds")
    ...     read_rds(f"{folder}/x.rds")
    {'a': 1, 'b': array([0.5, 1.5])}
    """
    file = existing(path)
    return _value(file, file.name)


def _value(file: Path, name: str) -> Any:
    with edge(name, "copy it, or save it again in R"):
        return to_python(deserialize(bytes(unpacked(file.read_bytes(), name)), name), name)


def write_rds(obj: Any, path: str | os.PathLike[str]) -> None:
    """Write a value of the table in the guide "R from Python" for R's ``readRDS``."""
    atomic_write(file_path("path", path), rds_bytes(obj))


def rds_bytes(obj: Any) -> bytes:
    """The content of that file: the same object gives the same bytes, since no clock is in it."""
    return gzip.compress(serialize(to_rvalue(obj, "obj")), _R_LEVEL, mtime=0)


def read_frame(file: Path, name: str) -> pd.DataFrame:
    """The data frame in an ``.rds`` file, for `fairstats.read_table`; row names are left behind."""
    import pandas as pd

    value = _value(file, name)
    if not isinstance(value, pd.DataFrame):
        kind = type(value).__name__
        raise InputError(f"{name} holds no data frame (but a {kind}); in R, as.data.frame() may make one.")
    return value.reset_index(drop=True)
