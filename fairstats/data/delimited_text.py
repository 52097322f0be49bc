"""The bytes of a text table as UTF-8: which encoding they are in, and what is no text though its name says so."""

from __future__ import annotations

import codecs
import warnings

from fairstats.errors import FairstatsWarning, FileError

HEAD = 4096
_MARKS = ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))
# What is saved or fetched under the name of a table.
_OTHERS = (
    (b"%pdf-", "a PDF"), (b"<!doctype", "a web page"), (b"<html", "a web page"), (b"{\\rtf", "a text with formats"),
    (b"pk\x03\x04", "a workbook or another archive"), (b"\xd0\xcf\x11\xe0", "an old workbook"),
)  # fmt: skip


def utf8(raw: bytes | bytearray, name: str) -> bytes:
    """Return a file's text as UTF-8 without marks: it may be UTF-16, else Windows-1252 or Latin-1 with a warning."""
    kind = next((kind for mark, kind in _OTHERS if raw[:HEAD].lstrip().lower().startswith(mark)), "")
    if kind:
        raise FileError(f"{name} is not text but {kind}, whatever its name says; export the table as CSV.")
    for mark, encoding in _MARKS:
        if raw.startswith(mark):
            if encoding == "utf-16":
                return _strictly(raw, encoding, name).encode()
            raw = raw.removeprefix(mark * (1 + raw[len(mark) :].startswith(mark)))  # two programs put one there each
            return bytes(raw) if _is_utf8(raw) else _strictly(raw, "utf-8", name).encode()
    if b"\0" in raw[:HEAD]:
        return _strictly(raw, _utf16_order(raw[:HEAD], name), name).encode()
    if _is_utf8(raw):
        return bytes(raw)
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError as error:
        text, encoding = _western(raw)
        warnings.warn(
            f"{name} is not UTF-8 (byte 0x{raw[error.start]:02x} at position {error.start}); it was read as "
            f"{encoding}. Save it as UTF-8 if its letters look wrong.",
            FairstatsWarning,
            stacklevel=2,
        )
        return text.encode()
    raise AssertionError("UTF-8 in blocks is UTF-8 as a whole")


def _is_utf8(raw: bytes | bytearray) -> bool:
    """Whether the bytes are UTF-8, without the text that they are."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    view = memoryview(raw)
    try:
        for start in range(0, len(raw), 1 << 20):
            decoder.decode(view[start : start + (1 << 20)])
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    return True


def _strictly(raw: bytes | bytearray, encoding: str, name: str) -> str:
    try:
        return raw.decode(encoding)
    except UnicodeDecodeError as error:
        raise FileError(
            f"{name} starts like {encoding.upper()} text but breaks it at byte {error.start}; "
            "the file is damaged or is not text: save it again as UTF-8."
        ) from None


def _utf16_order(head: bytes | bytearray, name: str) -> str:
    """Return the byte order of UTF-16 text without a mark, from the side on which the zero bytes stand."""
    even, odd = head[0::2].count(0), head[1::2].count(0)
    if min(even, odd) == 0 and max(even, odd) > len(head) / 8:
        return "utf-16-le" if odd else "utf-16-be"
    raise FileError(f"{name} is not text (it holds zero bytes); save the table as CSV or Parquet.")


def _western(raw: bytes | bytearray) -> tuple[str, str]:
    try:
        return raw.decode("cp1252"), "Windows-1252"
    except UnicodeDecodeError:
        return raw.decode("latin-1"), "Latin-1"
