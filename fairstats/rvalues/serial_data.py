"""The data in R's serialization: vectors, text, lists, pairlists, sparse matrices, and R's shorter forms of vectors."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from struct import Struct
from typing import Any

import numpy as np

from fairstats.errors import FileError
from fairstats.limits import more, most
from fairstats.rvalues.serial_reader import Pairs, SerialReader, Symbol, classes, pairs, whole_row_names
from fairstats.rvalues.values import NA_INTEGER, STORAGE, Atom, Foreign, Items, Null, Sparse, Value

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
    known: dict[tuple[int, bytes], int] = {}
    raw, at, unpack = reader.raw, reader.at, Struct(">ii").unpack_from
    for i in range(n):
        head, size = unpack(raw, at)
        at += 8
        if size < 0:
            codes[i] = -1
            continue
        key = (head, raw[at : at + size])
        at += size
        codes[i] = known.setdefault(key, len(known))
    reader.at = at
    texts = [_decoded(reader, head, text) for head, text in known]
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


def text(reader: SerialReader, flags: int) -> str:
    """One string, decoded; vectors of strings read missing ones themselves."""
    size = reader.integer()
    text = "NA" if size < 0 else _decoded(reader, flags, reader.take(size))
    reader.attributes(flags)
    return text


def s4(reader: SerialReader, flags: int) -> Value:
    """An S4 object: a sparse matrix, or only its class."""
    slots = reader.attributes(flags)
    kinds = classes(slots)
    if kinds != ("dgCMatrix",):
        return Foreign("S4", kinds)
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
        reader.asked += int(n)
        if reader.asked > most("FAIRSTATS_MAX_SEQUENCE"):
            raise FileError(
                f"{reader.name} has sequences of {reader.asked} numbers; they may be {more('FAIRSTATS_MAX_SEQUENCE')}."
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

    Examples
    --------
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
