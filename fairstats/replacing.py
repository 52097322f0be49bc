"""Files written whole or not at all, several together, and durably: neither a kill nor a power cut tears one."""

from __future__ import annotations

import errno
import os
import re
import secrets
import shutil
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from fairstats.errors import FairstatsError, FileError
from fairstats.files import Name, check_target

_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_STALE = 24 * 3600  # seconds: no command writes one file for a day; where a lock does not tell whether one does
_NO_LINKS = getattr(os, "O_NOFOLLOW", 0)


def atomic_write(path: Name, data: bytes) -> None:
    """Write bytes to a file in one step: an interrupted run leaves the old file as it was.

    Parameters
    ----------
    path : str or path
        The file; its folder must exist.
    data : bytes
        Its whole content.

    Raises
    ------
    FileError
        The folder is missing or may not be written, or ``path`` is itself a folder.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     atomic_write(f"{folder}/a.txt", b"whole")
    ...     pathlib.Path(folder, "a.txt").read_bytes()
    b'whole'
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
            with _told(path):
                check_target(path)
                parts.append(_begun(path))
        with _told(*paths):
            yield [part.beside for part in parts]
        for part in parts:
            with _told(part.path):
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
        handle = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _NO_LINKS, 0o666)
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
            known = ours.fullmatch(entry.name)
            if known and entry.is_file(follow_symlinks=False):
                since = time.time() - entry.stat(follow_symlinks=False).st_ctime  # a copy of old has the time of old
                _take_away(entry.path, since > _STALE, known[1] == "part")


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
            with _told(part.path):
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
def _told(*paths: Name) -> Iterator[None]:
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
