"""Files in and out: which may be read, and which may be written."""

from __future__ import annotations

import difflib
import hashlib
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from fairstats.arguments import shown
from fairstats.errors import FileError, InputError

Name = str | os.PathLike[str]


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
    if not target.parent.is_dir():
        is_link = Path(path).is_symlink()
        where = f"it is a link that leads to {str(target)!r}: " if is_link else ""
        folder = target.parent if is_link else Path(path).parent
        raise FileError(f"{str(path)!r} cannot be written: {where}there is no folder {str(folder)!r}; create it.")
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
