"""Files in and out: which may be read, which may be written, and writing that happens whole or not at all."""

from __future__ import annotations

import difflib
import errno
import hashlib
import os
import secrets
import shutil
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from fairstats.arguments import shown
from fairstats.errors import FairstatsError, FileError, InputError

Name = str | os.PathLike[str]
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def file_path(argument: str, value: Any) -> str | os.PathLike[str]:
    """Return the path of a file or folder, as text or `pathlib.Path`.

    Examples
    --------
    >>> file_path("to", "audit.html")
    'audit.html'
    """
    if not isinstance(value, (str, os.PathLike)) or not os.fspath(value) or "\0" in str(value):
        raise InputError(f"{argument} has {shown(value)}; it is the path of a file; pass it as text.")
    return value


def existing(path: str | os.PathLike[str], argument: str = "path") -> Path:
    """The file at ``path``; a FileError where there is none, or a folder, a pipe or a device."""
    file = Path(file_path(argument, path))
    try:
        there = file.exists()
    except OSError as problem:  # a name that no file can have
        raise FileError(f"{argument} has {shown(str(path))}; it cannot be read ({problem.strerror}).") from None
    if not there:
        raise FileError(f"there is no file {str(file)!r}{_similar(file)}.")
    if file.is_dir():
        raise FileError(f"{str(file)!r} is a folder; name one file in it.")
    if not file.is_file():
        raise FileError(f"{str(file)!r} is a pipe or a device; save what it gives to a file, and name that.")
    return file


def atomic_write(path: str | os.PathLike[str], data: bytes) -> None:
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
    with replacing(path) as beside, open(beside, "wb") as stream:
        stream.write(data)
        stream.flush()
        os.fsync(stream.fileno())


@contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[Path]:
    """A new file beside ``path`` to write to; it takes the place of ``path`` when the block ends without error.

    Where ``path`` is a symbolic link, the file that it names is replaced, and the link stays. The new file is made
    under a name that nobody can know beforehand, and only where nothing has that name: in a folder that others may
    write to, no link of theirs is followed.
    """
    check_target(path)
    target = Path(os.path.realpath(path))
    beside = target.with_name(f".{target.name[:100]}.{secrets.token_hex(8)}.part")
    try:
        os.close(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0), 0o666))
        yield beside
        if target.exists():
            shutil.copymode(target, beside)
        os.replace(beside, target)
    except PermissionError:
        raise FileError(f"{str(path)!r} may not be written by this user; choose another folder.") from None
    except OSError as problem:
        if isinstance(problem, FairstatsError) or problem.errno not in _FULL:
            raise
        raise FileError(f"{str(path)!r} was not written ({problem.strerror}); what was there is as it was.") from None
    finally:
        beside.unlink(missing_ok=True)


def check_target(path: str | os.PathLike[str]) -> None:
    """Raise FileError where ``path`` cannot become a file: its folder is missing, or it is a folder or a device."""
    target = Path(os.path.realpath(file_path("to", path)))
    try:
        target.exists()
    except OSError as problem:  # a name that no file can have
        raise FileError(f"to has {shown(str(path))}; it cannot be written ({problem.strerror}).") from None
    if target.is_dir():
        raise FileError(f"{str(path)!r} is a folder; add a file name.")
    if not target.parent.is_dir():
        raise FileError(f"{str(path)!r} cannot be written: there is no folder {str(Path(path).parent)!r}; create it.")
    if target.exists() and not target.is_file():
        raise FileError(f"{str(path)!r} is a pipe or a device, which would be replaced by a file; name a file.")


def check_targets(targets: Sequence[Name], inputs: Iterable[Name] = ()) -> None:
    """Raise FileError before anything is computed where a file could not be written, or would destroy another.

    Parameters
    ----------
    targets : sequence of paths
        What will be written.
    inputs : iterable of paths
        What is read; those that do not exist destroy nothing.

    Raises
    ------
    FileError
        As `check_target`; a target is an input, by whatever path or link; two targets are one file.

    Examples
    --------
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

    Parameters
    ----------
    targets : sequence of paths
    hashes : iterable of str
        SHA-256 of what was read, as hexadecimal digits; empty ones are passed over.
    """
    known = set(filter(None, hashes))
    for target in targets if known else ():
        if Path(target).is_file() and file_sha256(target) in known:
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


def _similar(file: Path) -> str:
    if not file.parent.is_dir():
        return f": there is no folder {str(file.parent)!r}"
    # Endings are not compared, or every .csv would resemble every other.
    ending = file.suffix.casefold()
    others = {f.stem.casefold(): f.name for f in file.parent.iterdir() if f.suffix.casefold() == ending}
    close = difflib.get_close_matches(file.stem.casefold(), others, n=1, cutoff=0.65)
    return f"; did you mean {others[close[0]]!r}?" if close else ""
