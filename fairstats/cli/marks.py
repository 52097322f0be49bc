"""Whether a file was written by fairstats, judged from its content: only such a file is overwritten unasked."""

from __future__ import annotations

import re
import zipfile
import zlib
from collections.abc import Callable, Iterable
from pathlib import Path

from fairstats.errors import FileError

HEAD = 4096
COMMENT = "# Written by fairstats"  # the first line of text files that have comments
_PDF_STREAM = re.compile(rb"stream\r?\n(.*?)endstream", re.S)
_PDF_MARK = re.compile(rb"(?:Creator\s*\(|CreatorTool>|CreatorTool=[\"'])fairstats")


def check_overwriting(targets: Iterable[str]) -> None:
    """Raise FileError for a target that exists and does not bear our mark.

    Parameters
    ----------
    targets : iterable of paths

    Raises
    ------
    FileError
    """
    for target in targets:
        file = Path(target)
        if file.is_file() and file.stat().st_size and not is_ours(file):
            raise FileError(
                f"{target!r} exists, and nothing in it says that fairstats wrote it; name another file, or replace it "
                "with --force."
            )


def is_ours(file: Path) -> bool:
    """Return whether the content bears the mark that fairstats leaves in files of this ending.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder, "audit.json")
    ...     _ = file.write_text('{"schema": "fairstats/report/1"}')
    ...     is_ours(file)
    True
    """
    judge = _JUDGES.get(file.suffix.lower())
    try:
        return judge is not None and judge(file)
    except (OSError, ValueError, zlib.error, zipfile.BadZipFile):
        return False


def _head(*marks: bytes) -> Callable[[Path], bool]:
    def judge(file: Path) -> bool:
        with file.open("rb") as stream:
            start = stream.read(HEAD)
        return any(mark in start for mark in marks)

    return judge


def _whole(mark: bytes) -> Callable[[Path], bool]:
    return lambda file: mark in file.read_bytes()


def _rows(file: Path) -> bool:
    """A table of estimates: the header has the columns of the glossary."""
    from fairstats.glossary import GLOSSARY

    with file.open(encoding="utf-8", errors="replace") as stream:
        names = stream.readline(HEAD).strip().replace("\t", ",").split(",")
    return names[1:] == [*GLOSSARY] or names == [*GLOSSARY]


def _pdf(file: Path) -> bool:
    """The program in the document's information, which may be compressed."""
    content = file.read_bytes()
    if not content.startswith(b"%PDF"):
        return False
    parts = (found.group(1) for found in _PDF_STREAM.finditer(content))
    return bool(_PDF_MARK.search(content)) or any(_PDF_MARK.search(_inflated(part)) for part in parts)


def _inflated(part: bytes) -> bytes:
    try:
        return zlib.decompressobj().decompress(part, 1 << 20)
    except zlib.error:
        return b""


def _zip(*members: str, mark: bytes = b"fairstats") -> Callable[[Path], bool]:
    def judge(file: Path) -> bool:
        with zipfile.ZipFile(file) as archive:
            inside = set(archive.namelist())
            return any(mark in archive.read(member) for member in members if member in inside)

    return judge


_OFFICE = _zip("docProps/core.xml", "docProps/app.xml", "docProps/custom.xml")
_JUDGES: dict[str, Callable[[Path], bool]] = {
    ".json": _head(b'"schema": "fairstats/', b'"schema":"fairstats/'),
    ".html": _head(b'name="generator" content="fairstats'),
    ".pdf": _pdf,
    ".csv": _rows,
    ".tsv": _rows,
    ".npz": _zip("header.npy", mark=b'"fairstats/saved"'),
    ".parquet": _whole(b"fairstats.table"),
    ".feather": _whole(b"fairstats.table"),
    ".arrow": _whole(b"fairstats.table"),
    ".svg": _head(b'data-generator="fairstats"'),
    ".png": _head(b"Software\0fairstats"),
    ".md": _head(b"<!-- fairstats", b"<!-- Written by fairstats"),
    ".docx": _OFFICE,
    ".xlsx": _OFFICE,
    ".toml": _head(COMMENT.encode()),
}
