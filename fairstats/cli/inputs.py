"""FILE on the command line: a path, ``-`` for standard input, several files and patterns as one table."""

from __future__ import annotations

import glob
import re
import sys
import tempfile
import zlib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fairstats.errors import FileError, InputError

if TYPE_CHECKING:
    from fairstats.data.sources import Table

STDIN = "-"
STDIN_NAME = "standard input"
IN_PARTS = (".parquet", ".feather", ".arrow")
FORMATS = ("csv", "tsv", "parquet", "feather", "arrow", "rds")
_MARKS = ((b"PAR1", "parquet"), (b"ARROW1", "arrow"), (b"X\n\0\0", "rds"), (b"RDX", "rds"), (b"A\n", "rds"))

FILES = click.argument("files", nargs=-1, required=True, metavar="FILE...")
INPUT_FORMAT = click.option("--input-format", type=click.Choice(FORMATS),
                            help="What standard input holds. [found from its first bytes]")  # fmt: skip


def expanded(files: Sequence[str]) -> list[str]:
    """Return the files with every pattern replaced by what it matches, in the order of names.

    Raises
    ------
    FileError
        A pattern matches nothing, or standard input stands beside something else or twice.
    """
    found: list[str] = []
    for name in files:
        is_pattern = any(letter in name for letter in "*?[") and not Path(name).exists()
        matches = sorted(glob.glob(name, recursive=True)) if is_pattern else [name]
        if not matches:
            raise FileError(f"no file matches {name!r}; check the folder and the ending.")
        found += matches
    if found.count(STDIN) > 1:
        raise InputError("FILE has '-' twice; standard input can be read once.")
    return found


def source(files: Sequence[str], input_format: str | None = None) -> Any:
    """Return what `fairstats.audit` reads: the path of one file, several as one table, or the sum of saved tallies."""
    if len(files) == 1 and files[0] != STDIN and not _is_saved(files[0]):
        return files[0]
    if any(map(_is_saved, files)):
        return _tallies(files)
    from fairstats.data.several import Several

    return Several(tuple(files), lambda name, labels: _one(name, labels, input_format))


def people(files: Sequence[str], input_format: str | None = None) -> Any:
    """Return the same for what only counts people: several files of Parquet or Arrow stay paths, read in parts."""
    if len(files) > 1 and all(Path(name).suffix.lower() in IN_PARTS for name in files):
        return list(files)
    return source(files, input_format)


def table(files: Sequence[str], labels: Iterable[str] = (), input_format: str | None = None) -> Table:
    """Return the files as one table."""
    from fairstats.data.several import Several

    return Several(tuple(files), lambda name, labels: _one(name, labels, input_format)).table(labels)


def _one(name: str, labels: Iterable[str], input_format: str | None) -> Table:
    from fairstats.data.sources import read_table

    if name != STDIN:
        return read_table(name, labels=labels)
    content = sys.stdin.buffer.read()
    if not content or content.isspace():
        raise FileError("the standard input is empty; pipe a table into it, with a header line and at least one row.")
    from dataclasses import replace

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, f"stdin.{input_format or sniffed(content)}")
        file.write_bytes(content)
        try:
            return replace(read_table(file, labels=labels), name=STDIN_NAME)
        except (FileError, InputError) as problem:  # nobody knows of our file
            said = re.sub(
                rf"'?{re.escape(str(file))}'?|'?\b{re.escape(file.name)}'?", "the standard input", str(problem)
            )
            raise type(problem)(said) from None


def sniffed(content: bytes) -> str:
    """Return the ending of a file with this content: by its first bytes, else text with separators.

    Examples
    --------
    >>> import gzip
    >>> sniffed(b"PAR1..."), sniffed(b"sex,hired\\n"), sniffed(gzip.compress(b"a,b\\n1,2\\n"))
    ('parquet', 'csv', 'csv.gz')
    """
    compressed = content[:2] == b"\x1f\x8b"
    try:
        first = zlib.decompressobj(wbits=31).decompress(content, 8) if compressed else content[:8]
    except zlib.error:
        first = b""
    kind = next((name for mark, name in _MARKS if first.startswith(mark)), "csv")
    return f"{kind}.gz" if compressed and kind == "csv" else kind


def _is_saved(name: str) -> bool:
    return Path(name).suffix.lower() == ".npz"


def _tallies(files: Sequence[str]) -> Any:
    """The saved tallies, added up."""
    import fairstats

    parts = []
    for name in files:
        if not _is_saved(name):
            raise InputError(f"FILE has {name!r} beside saved tallies; count it first: fairstats tally {name} ...")
        parts.append(loaded(name, fairstats.Tally, "tally", "fairstats tally"))
    return sum(parts)


def loaded(name: str, kind: type | tuple[type, ...], what: str, maker: str) -> Any:
    """Return the saved result of a file; InputError where it is of another kind."""
    import fairstats

    result: Any = fairstats.load(name)
    if not isinstance(result, kind):
        raise InputError(
            f"{name!r} holds {_article(type(result).__name__.lower())}; what is needed is {_article(what)}, as "
            f"{maker} saves it."
        )
    return result


def _article(noun: str) -> str:
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"
