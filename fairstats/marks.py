"""Whether a file was written by fairstats, judged from its content: only such a file is overwritten unasked."""

from __future__ import annotations

import os
import re
import zipfile
import zlib
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from fairstats.arguments import flag
from fairstats.errors import FileError

HEAD = 4096
WORDS = "Written by fairstats"
COMMENT = f"# {WORDS}"  # the first line of text files that have comments
LATEX = f"% {WORDS}\n"
MARKDOWN = f"\n<!-- {WORDS} -->\n"  # the last line
GENERATOR = '<meta name="generator" content="fairstats">'
_PLAIN = (".csv", ".txt")  # text that has no place for a mark
_PDF_STREAM = re.compile(rb"stream\r?\n(.*?)endstream", re.S)
_PDF_MARK = re.compile(rb"(?:Creator\s*\(|CreatorTool>|CreatorTool=[\"'])fairstats")


def check_overwriting(
    targets: Iterable[str | os.PathLike[str]], overwrite: bool = False, content: Mapping[str, bytes] | None = None
) -> None:
    """Raise FileError for a target that exists and does not bear our mark, unless it may be replaced all the same.

    Parameters
    ----------
    targets : iterable of paths
    overwrite : bool
        Whether also files that fairstats did not write are replaced.
    content : mapping, optional
        What is to be written, by target. Text that has no place for a mark is ours where it begins with the same line.

    Raises
    ------
    FileError

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "a.csv").write_text("name,born")
    ...     check_overwriting([f"{folder}/a.csv"])
    Traceback (most recent call last):
    fairstats.errors.FileError: '...a.csv' exists, and nothing in it says that fairstats wrote it; ...
    """
    if flag("overwrite", overwrite):
        return
    for target in targets:
        file = Path(target)
        if _has_content(file) and not is_ours(file):
            if file.suffix.lower() in _PLAIN and _begins_alike(file, (content or {}).get(os.fspath(target), b"")):
                continue
            edited = file.suffix.lower() == ".toml" and _head(COMMENT.encode())(file)
            fact = "choices were made in it" if edited else "nothing in it says that fairstats wrote it"
            raise FileError(f"{os.fspath(target)!r} exists, and {fact}; name another file, or pass overwrite=True.")


def _has_content(file: Path) -> bool:
    try:
        return file.is_file() and file.stat().st_size > 0
    except OSError:  # a name that no file can have: `check_target` says so
        return False


def _begins_alike(file: Path, content: bytes) -> bool:
    line = content.split(b"\n", 1)[0]
    if not line.strip():
        return False
    with file.open("rb") as stream:
        return stream.read(len(line) + 1).rstrip(b"\n") == line


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


def _undecided(file: Path) -> bool:
    """A protocol in which everything still stands behind a #: once a choice is made, it is its maker's."""
    lines = file.read_text(encoding="utf-8").splitlines()
    return lines[0].startswith(COMMENT) and all(not line.strip() or line.startswith("#") for line in lines)


def _tail(mark: str) -> Callable[[Path], bool]:
    return lambda file: file.read_bytes().rstrip().endswith(mark.strip().encode())


def _whole(mark: bytes) -> Callable[[Path], bool]:
    return lambda file: mark in file.read_bytes()


def _page(file: Path) -> bool:
    """A report, of own templates too, whose data stand in it; or a table."""
    content = file.read_bytes()
    return (
        b'name="generator" content="fairstats' in content[:HEAD]
        or b' download="results.json.gz" href="data:' in content
    )


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


def _zip(member: str, mark: bytes) -> Callable[[Path], bool]:
    def judge(file: Path) -> bool:
        with zipfile.ZipFile(file) as archive:
            return member in archive.namelist() and mark in archive.read(member)

    return judge


_OFFICE = _zip("docProps/core.xml", mark=f">{WORDS}<".encode())
_JUDGES: dict[str, Callable[[Path], bool]] = {
    ".json": _head(b'"schema": "fairstats/', b'"schema":"fairstats/'),
    ".html": _page,
    ".pdf": _pdf,
    ".csv": _rows,
    ".tsv": _rows,
    ".npz": _zip("header.npy", mark=b'"fairstats/saved"'),
    ".parquet": _whole(b"fairstats.table"),
    ".feather": _whole(b"fairstats.table"),
    ".arrow": _whole(b"fairstats.table"),
    ".svg": _head(b'data-generator="fairstats"'),
    ".png": _head(b"Software\0fairstats"),
    ".md": _tail(MARKDOWN),
    ".tex": _head(LATEX.encode()),
    ".docx": _OFFICE,
    ".xlsx": _OFFICE,
    ".toml": _undecided,
}
