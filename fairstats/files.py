"""Files in and out: which may be read, and which may be written."""

from __future__ import annotations

import difflib
import errno
import hashlib
import io
import os
import re
import secrets
import shutil
import time
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from fairstats.errors import FairstatsError, FileError, InputError, Setting, with_hint
from fairstats.validation import flag, more, most, shown

Name = str | os.PathLike[str]


def file_path(argument: str, value: Any) -> str | os.PathLike[str]:
    """Return the path of a file or folder, as text or `pathlib.Path`.

    >>> file_path("to", "audit.html")
    'audit.html'
    """
    if not isinstance(value, (str, os.PathLike)) or not os.fspath(value) or "\0" in str(value):
        raise InputError(argument, f"has {shown(value)}; it is the path of a file; pass it as text.")
    return value


def existing(path: str | os.PathLike[str], argument: str = "path") -> Path:
    """The file at ``path``; a FileError where there is none, or a folder, a pipe or a device."""
    file = Path(file_path(argument, path))
    if "\n" in str(path):
        raise FileError(
            f"{argument} has {shown(str(path))}, text of several lines and no path; save it as a file first."
        )
    try:
        there = file.exists()
    except OSError as problem:  # a name that no file can have
        raise FileError(f"{argument} has {shown(str(path))}; it cannot be read ({problem.strerror}).") from None
    if not there:
        raise FileError(with_hint(*_similar(file)))
    if file.is_dir():
        raise FileError(f"{str(file)!r} is a folder; name one file in it.")
    if not file.is_file():
        raise FileError(f"{str(file)!r} is a pipe or a device; save what it gives to a file, and name that.")
    return file


def check_target(path: str | os.PathLike[str]) -> None:
    """Raise FileError where ``path`` cannot become a file: its folder is missing, or it is a folder or a device."""
    target = Path(os.path.realpath(file_path("to", path)))
    try:
        target.exists()
    except OSError as problem:  # a name that no file can have
        raise FileError(f"to has {shown(str(path))}; it cannot be written ({problem.strerror}).") from None
    if target.is_symlink():  # where links lead to a file, the file was found above
        raise FileError(f"{str(path)!r} is a link that leads to itself; name another file.")
    if target.is_dir():
        raise FileError(f"{str(path)!r} is a folder; add a file name.")
    if target.parent.is_file():
        raise FileError(f"{str(path)!r} cannot be written: {str(Path(path).parent)!r} is a file, and no folder.")
    if not target.parent.is_dir():
        is_link = Path(path).is_symlink()
        where = f"it is a link that leads to {str(target)!r}: " if is_link else ""
        folder = target.parent if is_link else Path(path).parent
        raise FileError(f"{str(path)!r} cannot be written: {where}there is no folder {str(folder)!r}; create it.")
    if target.exists() and not target.is_file():
        raise FileError(f"{str(path)!r} is a pipe or a device, which would be replaced by a file; name a file.")


def check_targets(targets: Sequence[Name], inputs: Iterable[Name] = ()) -> None:
    """Raise FileError before anything is computed where a file could not be written, or would destroy another.

    targets: what will be written.
    inputs: what is read; those that do not exist destroy nothing.
    Raises FileError: as `check_target`; a target is an input, by whatever path or link; two targets are one file.

    >>> check_targets(["out.csv", "./out.csv"])
    Traceback (most recent call last):
    fairstats.errors.FileError: 'out.csv' and './out.csv' are one file; the second would replace the first; ...
    """
    inputs = list(inputs)
    for i, target in enumerate(targets):
        check_target(target)
        for read in inputs:
            if is_same(target, read):
                raise FileError(
                    f"{os.fspath(target)!r} is the file {os.fspath(read)!r}, which is read; writing would destroy it; "
                    "give the output another name."
                )
        for earlier in targets[:i]:
            if is_same(earlier, target):
                raise FileError(
                    f"{os.fspath(earlier)!r} and {os.fspath(target)!r} are one file; the second would replace the "
                    "first; give each output a name of its own."
                )


def check_kept(targets: Sequence[Name], hashes: Iterable[str]) -> None:
    """Raise FileError where a target holds the very data that a result was made of: results know hashes, not paths.

    hashes: SHA-256 of what was read, as hexadecimal digits; empty ones are passed over.
    """
    present = set(filter(None, hashes))
    for target in targets if present else ():
        if Path(target).is_file() and file_sha256(target) in present:
            raise FileError(
                f"{os.fspath(target)!r} holds the data or the protocol of this result; writing would destroy it; "
                "give the output another name."
            )


def is_same(a: Name, b: Name) -> bool:
    """Whether two paths are one file, also through links."""
    if os.path.realpath(a) == os.path.realpath(b):
        return True
    try:
        return os.path.samefile(a, b)
    except OSError:  # one of them is not there, and then they are two
        return False


def file_sha256(path: str | os.PathLike[str]) -> str:
    """The SHA-256 of a file, as 64 hexadecimal digits."""
    with open(path, "rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def refuse_copies(names: Sequence[str], argument: str) -> None:
    """Refuse a file that is another one under a second name, or is named twice; files of different sizes are none."""
    by_size: dict[int, list[str]] = {}
    for name in names:
        if Path(name).is_file():
            by_size.setdefault(Path(name).stat().st_size, []).append(name)
    for same in by_size.values():
        found: dict[str, str] = {}
        for name in same if len(same) > 1 else ():
            digest = file_sha256(name)
            if digest in found and not _without_rows(name):
                fact = f"has {name!r}, which is the same as {found[digest]!r}"
                raise InputError(argument, f"{fact}; its people would be counted twice; name one.")
            found[digest] = name


def _without_rows(name: str) -> bool:
    """Whether it is a part that an engine wrote for nobody, of which there may be many alike."""
    if Path(name).suffix.lower() != ".parquet":
        return False
    with suppress(ImportError, OSError, ValueError):  # whoever reads it says what is wrong
        from pyarrow.parquet import read_metadata

        return int(read_metadata(name).num_rows) == 0
    return False


def _similar(file: Path) -> tuple[str, str]:
    """What is not there, and the hint of a file with nearly that name."""
    fact = f"there is no file {str(file)!r}"
    if " ~ " in f" {file}":
        return f"{fact}, which looks like a formula: pass the table itself in its place", ""
    if re.match(r"[a-z][a-z0-9]+:/", str(file)):
        return (
            f"{str(file).replace(':/', '://', 1)!r} is an address, and no file: save what it gives, and name that",
            "",
        )
    if not file.parent.is_dir():
        return f"{fact}: there is no folder {str(file.parent)!r}", ""
    # Only files of its ending, in any order of its letters, or every .csv would resemble every other; of none all.
    ending, stem = file.suffix.casefold(), file.stem.casefold()
    beside = sorted(file.parent.iterdir(), key=lambda f: f.suffix.casefold() == ending)  # its own ending wins
    others = {f.stem.casefold(): f for f in beside if not ending or {*f.suffix.casefold()} == {*ending}}
    close = difflib.get_close_matches(stem, others, n=1, cutoff=0.65)
    return fact, f"; did you mean {str(others[close[0]])!r}?" if close else ""


# Files written whole or not at all, several together, and durably: neither a kill nor a power cut tears one.


_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_STALE = 24 * 3600  # seconds: no command writes one file for a day; where a lock does not tell whether one does
_NO_LINKS = getattr(os, "O_NOFOLLOW", 0)


def atomic_write(path: Name, data: bytes) -> None:
    """Write bytes to a file in one step: an interrupted run leaves the old file as it was.

    path: the file; its folder must exist.
    data: its whole content.
    Raises FileError: the folder is missing or may not be written, or ``path`` is itself a folder.
    """
    write_together([(path, data)])


def write_together(files: Iterable[tuple[Name, bytes]]) -> None:
    """Write several files; where one of them cannot be written, all stay as they were."""
    files = list(files)
    with replacing_together([path for path, _ in files]) as parts:
        for part, (_, data) in zip(parts, files, strict=True):
            part.write_bytes(data)


@contextmanager
def replacing(path: Name) -> Iterator[Path]:
    """A new file beside ``path`` to write to; it takes the place of ``path`` when the block ends without error."""
    with replacing_together([path]) as (part,):
        yield part


@contextmanager
def replacing_together(paths: Sequence[Name]) -> Iterator[list[Path]]:
    """New files beside ``paths`` to write to; they take their places when the block ends without error.

    Where a path is a symbolic link, the file that it names is replaced, and the link stays. A new file is made under a
    name that nobody can know beforehand, and only where nothing has that name: in a folder that others may write to, no
    link of theirs is followed. All are on the disk before the first takes its place; where one cannot take it, those
    before it are put back. What stops the machine between two of them leaves each of them whole, old or new.
    """
    parts: list[_Part] = []
    try:
        for path in paths:
            with _file_errors(path):
                check_target(path)
                parts.append(_begun(path))
        with _file_errors(*paths):
            yield [part.beside for part in parts]
        for part in parts:
            with _file_errors(part.path):
                _finish(part)
        _take_places(parts)
    finally:
        for part in parts:
            os.close(part.handle)
            part.beside.unlink(missing_ok=True)


@dataclass
class _Part:
    """A file in the making: what it will replace, its own name, and its handle."""

    path: Name
    target: Path
    beside: Path
    handle: int


def _begun(path: Name) -> _Part:
    target = Path(os.path.realpath(path))
    _sweep(target)
    while True:
        beside = _name_beside(target, "part")
        try:
            handle = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NO_LINKS, 0o666)
        except OSError as problem:  # a folder of the system, or one that can only be read
            if isinstance(problem, (PermissionError, FileExistsError)) or problem.errno in _FULL:
                raise
            raise FileError(
                f"{str(path)!r} cannot be written ({problem.strerror}); choose another folder."
            ) from problem
        if _lock(handle) is not False and beside.exists():
            return _Part(path, target, beside, handle)
        os.close(handle)  # swept away by another run before it was locked


def _name_beside(target: Path, kind: str) -> Path:
    return target.with_name(f".{target.name[:100]}.{secrets.token_hex(8)}.{kind}")


def _lock(handle: int) -> bool | None:
    """Lock a file for as long as it is open, by whatever end of the process; None where that cannot be done."""
    try:
        import fcntl

        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except (ImportError, OSError):  # Windows; file systems without locks
        return None
    return True


def _sweep(target: Path) -> None:
    """Take away what a run that was killed left beside the same file: a part that nobody has locked, copies of old."""
    ours = re.compile(rf"\.{re.escape(target.name[:100])}\.[0-9a-f]{{16}}\.(part|old)")
    with suppress(OSError), os.scandir(target.parent) as entries:  # what cannot be swept does no harm
        for entry in entries:
            present = ours.fullmatch(entry.name)
            if present and entry.is_file(follow_symlinks=False):
                since = time.time() - entry.stat(follow_symlinks=False).st_ctime  # a copy of old has the time of old
                _take_away(entry.path, since > _STALE, present[1] == "part")


def _take_away(path: str, is_stale: bool, is_part: bool) -> None:
    """Remove it while it is locked, so that nobody begins to write to it in between."""
    handle = os.open(path, os.O_RDWR | _NO_LINKS)
    try:
        got = _lock(handle) if is_part else None
        if got or (got is None and is_stale):
            os.unlink(path)
    finally:
        os.close(handle)


def _finish(part: _Part) -> None:
    """The content on the disk, with the mode of what it replaces."""
    if not os.path.samestat(os.fstat(part.handle), os.stat(part.beside, follow_symlinks=False)):
        raise FileError(f"{str(part.path)!r} was not written: another program exchanged the file in the making.")
    if part.target.exists():
        shutil.copymode(part.target, part.beside)
    os.fsync(part.handle)


def _take_places(parts: Sequence[_Part]) -> None:
    """Every file to its place; a failure puts back what had one."""
    kept = {i: _kept(part.target) for i, part in enumerate(parts) if len(parts) > 1 and part.target.exists()}
    done: list[int] = []
    try:
        for i, part in enumerate(parts):
            with _file_errors(part.path):
                os.replace(part.beside, part.target)
            done.append(i)
    except BaseException:
        for i in done:
            if i in kept:
                os.replace(kept[i], parts[i].target)
            else:
                parts[i].target.unlink(missing_ok=True)
        raise
    finally:
        for old in kept.values():
            old.unlink(missing_ok=True)
    for folder in dict.fromkeys(part.target.parent for part in parts):
        sync_folder(folder)


def _kept(target: Path) -> Path:
    """The old file under a second name, until all have taken their places."""
    beside = _name_beside(target, "old")
    try:
        os.link(target, beside)
    except OSError:  # a file system without links
        shutil.copy2(target, beside)
    return beside


def make_folder(folder: Name) -> None:
    """Make a folder where there is none, durably; its parent must exist."""
    try:
        os.mkdir(folder)
    except FileExistsError:
        return
    sync_folder(Path(folder).resolve().parent)


def sync_folder(folder: Path) -> None:
    """Which names a folder has, on the disk: without it a power cut may undo what took a place."""
    if os.name != "posix":
        return
    with suppress(OSError):  # network file systems have no such call, and what is written is whole without it
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


@contextmanager
def _file_errors(*paths: Name) -> Iterator[None]:
    """Errors of the system as one of ours, with the file."""
    named = ", ".join(repr(str(path)) for path in paths)
    try:
        yield
    except PermissionError as problem:
        raise FileError(f"{named} may not be written by this user; choose another folder.") from problem
    except OSError as problem:
        if isinstance(problem, FairstatsError) or problem.errno not in _FULL:
            raise
        raise FileError(f"{named} was not written ({problem.strerror}); what was there is as it was.") from problem


# Whether a file was written by fairstats, checked from its content: only such a file is overwritten unasked.


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

    overwrite: whether also files that fairstats did not write are replaced.
    content: what is to be written, by target. Text that has no place for a mark is ours where it begins with the same
        line.

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
            raise FileError(
                f"{os.fspath(target)!r} exists, and {fact}; name another file, or pass {Setting('overwrite', True)}."
            )


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
    """Return whether the content bears the mark that fairstats leaves in files of this ending."""
    check = _RECOGNIZERS.get(file.suffix.lower())
    try:
        return check is not None and check(file)
    except (OSError, ValueError, zlib.error, zipfile.BadZipFile):
        return False


def _head(*marks: bytes) -> Callable[[Path], bool]:
    def check(file: Path) -> bool:
        with file.open("rb") as stream:
            start = stream.read(HEAD)
        return any(mark in start for mark in marks)

    return check


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
    from fairstats.estimates import GLOSSARY

    with file.open(encoding="utf-8", errors="replace") as stream:
        names = stream.readline(HEAD).strip().replace("\t", ",").split(",")
    return names[1:] == [*GLOSSARY] or names == [*GLOSSARY]


def _pdf(file: Path) -> bool:
    """The program in the document's information, which may be compressed."""
    content = file.read_bytes()
    if not content.startswith(b"%PDF"):
        return False
    parts = (result.group(1) for result in _PDF_STREAM.finditer(content))
    return bool(_PDF_MARK.search(content)) or any(_PDF_MARK.search(_inflated(part)) for part in parts)


def _inflated(part: bytes) -> bytes:
    try:
        return zlib.decompressobj().decompress(part, 1 << 20)
    except zlib.error:
        return b""


def _zip(member: str, mark: bytes) -> Callable[[Path], bool]:
    def check(file: Path) -> bool:
        with zipfile.ZipFile(file) as archive:
            return member in archive.namelist() and mark in archive.read(member)

    return check


_OFFICE = _zip("docProps/core.xml", mark=f">{WORDS}<".encode())
_RECOGNIZERS: dict[str, Callable[[Path], bool]] = {
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
    ".bib": _head(LATEX.encode()),
    ".docx": _OFFICE,
    ".xlsx": _OFFICE,
    ".toml": _undecided,
}


# Compressed bytes unfolded, as far as the limit goes: a small file must not fill the memory.


_AT_ONCE = 1 << 20
GZIP, _BZIP2, _XZ = b"\x1f\x8b", b"BZ", b"\xfd7"


def unpacked(raw: bytes, name: str) -> bytes | bytearray:
    """Return the content of bytes packed by gzip, bzip2 or xz; others as they are.

    Raises FileError: they are damaged, end too early, or unfold into more than ``FAIRSTATS_MAX_BYTES``.

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
