"""Compressed bytes unfolded, as far as the limit goes: a small file must not fill the memory."""

from __future__ import annotations

import io
from typing import BinaryIO

from fairstats.errors import FileError
from fairstats.limits import more, most

_AT_ONCE = 1 << 20
GZIP, _BZIP2, _XZ = b"\x1f\x8b", b"BZ", b"\xfd7"


def unpacked(raw: bytes, name: str) -> bytes | bytearray:
    """Return the content of bytes packed by gzip, bzip2 or xz; others as they are.

    Raises
    ------
    FileError
        They are damaged, end too early, or unfold into more than ``FAIRSTATS_MAX_BYTES``.

    Examples
    --------
    >>> import gzip
    >>> bytes(unpacked(gzip.compress(b"a,b"), "a.csv.gz"))
    b'a,b'
    """
    import lzma
    import zlib

    stream = _opened(raw)
    if stream is None:
        return raw
    limit, content = most("FAIRSTATS_MAX_BYTES"), bytearray()
    try:
        while part := stream.read(_AT_ONCE):
            content += part
            if len(content) > limit:
                raise FileError(
                    f"{name} unfolds into more than {limit} bytes; it may hold {more('FAIRSTATS_MAX_BYTES')}."
                )
    except FileError:
        raise
    except (OSError, EOFError, zlib.error, lzma.LZMAError, ValueError) as problem:
        raise FileError(f"{name} is damaged, or not whole ({str(problem).rstrip('.')}); fetch it again.") from problem
    return content


def _opened(raw: bytes) -> BinaryIO | io.BufferedIOBase | None:
    head = raw[:2]
    if head == GZIP:
        import gzip

        return gzip.GzipFile(fileobj=io.BytesIO(raw))
    if head == _BZIP2:
        import bz2

        return bz2.BZ2File(io.BytesIO(raw))
    if head == _XZ:
        import lzma

        return lzma.LZMAFile(io.BytesIO(raw))
    return None
