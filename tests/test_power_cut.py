"""The machine stops at any moment: what it finds on its disk afterward is the old file or the new one, whole.

The primitive operations of a write are recorded (a file made, its content forced to the disk, a name given, taken or
exchanged, a folder's names forced to the disk) and replayed up to every one of them. What was forced is on the disk; of
what was not, a file holds anything, and the names are as they were after any of the operations since.
"""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import fairstats
from fairstats.data.read import write_table
from fairstats.data.stream import transform_files
from fairstats.files import atomic_write, write_together

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="reads /proc/self/fd")
ANYTHING = b"\0anything"  # a file whose content was not forced to the disk


@dataclass
class Log:
    """What happened in one folder: (operation, names or inode, content)."""

    folder: Path
    operations: list[tuple[Any, ...]] = field(default_factory=list)

    def inside(self, path: Any) -> str:
        """The name of a path in the folder, "" for any other."""
        path = Path(os.fsdecode(path))
        return path.name if path.parent.resolve() == self.folder.resolve() else ""


@contextmanager
def recorded(folder: Path) -> Iterator[Log]:
    """Record the operations of the block in the folder."""
    log, patch = Log(folder), pytest.MonkeyPatch()
    real = {name: getattr(os, name) for name in ("open", "fsync", "replace", "rename", "link", "unlink", "remove")}

    def opened(path: Any, flags: int, *more: Any, **options: Any) -> int:
        handle = real["open"](path, flags, *more, **options)
        if flags & os.O_CREAT and log.inside(path):
            log.operations.append(("made", log.inside(path), os.fstat(handle).st_ino))
        return int(handle)

    def forced(handle: int) -> None:
        real["fsync"](handle)
        state = os.fstat(handle)
        if stat.S_ISDIR(state.st_mode):
            log.operations.append(("names forced",))
        else:
            content = Path(f"/proc/self/fd/{handle}").read_bytes()
            log.operations.append(("content forced", state.st_ino, content))

    def named(kind: str) -> Callable[..., None]:
        def act(*paths: Any, **options: Any) -> None:
            real[kind](*paths, **options)
            names = [log.inside(path) for path in paths]
            if any(names):
                log.operations.append((kind, *names))

        return act

    patch.setattr(os, "open", opened)
    patch.setattr(os, "fsync", forced)
    for kind in ("replace", "rename", "link", "unlink", "remove"):
        patch.setattr(os, kind, named(kind))
    try:
        yield log
    finally:
        patch.undo()


def disks(before: dict[str, bytes], operations: list[tuple[Any, ...]]) -> Iterator[dict[str, bytes]]:
    """Every disk that a power cut after these operations may leave: names with contents."""
    contents: dict[int, bytes] = {-i - 1: content for i, content in enumerate(before.values())}
    names = {name: -i - 1 for i, name in enumerate(before)}
    states = [dict(names)]  # since the names were last forced
    for kind, *rest in operations:
        if kind == "content forced":
            contents[rest[0]] = rest[1]
            continue
        if kind == "names forced":
            states = [dict(names)]
            continue
        if kind == "made":
            names[rest[0]] = rest[1]
            contents.setdefault(rest[1], ANYTHING)
        elif kind in ("replace", "rename"):
            names[rest[1]] = names.pop(rest[0])
        elif kind == "link":
            names[rest[1]] = names[rest[0]]
        else:
            names.pop(rest[0], None)
        states.append(dict(names))
    for state in states:
        yield {name: contents[inode] for name, inode in state.items()}


def survives(folder: Path, write: Callable[[], Any], targets: list[str]) -> None:
    """Assert that after a cut at any moment each target is old or new, and after the last operation new."""
    before = {file.name: file.read_bytes() for file in folder.iterdir() if file.is_file()}
    with recorded(folder) as log:
        write()
    after = {name: (folder / name).read_bytes() for name in targets}
    assert {name for name in targets if before.get(name) == after[name]} == set(), "nothing was written"
    for moment in range(len(log.operations) + 1):
        for disk in disks(before, log.operations[:moment]):
            for name in targets:
                assert disk.get(name) in (before.get(name), after[name]), (name, log.operations[:moment])
    for disk in disks(before, log.operations):
        assert {name: disk.get(name) for name in targets} == after, "the last names were not forced to the disk"


@pytest.fixture(scope="module")
def people() -> pd.DataFrame:
    rng = np.random.default_rng(1)
    return pd.DataFrame(
        {"g": ["u", "v"] * 60, "d": rng.integers(0, 2, 120), "a": rng.random(120), "b": rng.random(120)}
    )


@pytest.fixture(scope="module")
def report(people: pd.DataFrame) -> fairstats.Report:
    return fairstats.report(fairstats.audit(people, decision="d", groups="g"))


WRITES: dict[str, tuple[list[str], Callable[[Path, Any], Any]]] = {
    "report": (["a.html", "a.json"], lambda f, w: w.report.write(f / "a.html", f / "a.json", overwrite=True)),
    "figure": (["a.svg"], lambda f, w: w.audit.plot("rates").save(f / "a.svg", overwrite=True)),
    "saved fit": (["a.npz"], lambda f, w: w.fit.save(f / "a.npz", overwrite=True)),
    "table as Parquet": (["a.parquet"], lambda f, w: write_table(w.people, f / "a.parquet")),
    "table as CSV": (["a.csv"], lambda f, w: write_table(w.people, f / "a.csv")),
    "table as .rds": (["a.rds"], lambda f, w: write_table(w.people, f / "a.rds")),
    "scores chunk by chunk": (["a.parquet"], lambda f, w: transform_files(w.fit, w.source, f / "a.parquet")),
    "bytes": (["a.bin"], lambda f, w: atomic_write(f / "a.bin", b"new")),
    "several": (["a", "b", "c"], lambda f, w: write_together([(f / n, n.encode()) for n in "abc"])),
}


@dataclass
class Made:
    """What is written."""

    people: pd.DataFrame
    report: fairstats.Report
    source: Path

    def __post_init__(self) -> None:
        self.audit = fairstats.audit(self.people, decision="d", groups="g")
        self.fit = fairstats.og("~ a + b", "g", data=self.people, k=1)
        self.people.to_parquet(self.source)


@pytest.mark.long
@pytest.mark.parametrize("old", [True, False], ids=["over an old file", "where there is none"])
@pytest.mark.parametrize("name", WRITES)
def test_after_a_power_cut_the_old_or_the_new_file_is_there(
    name: str, old: bool, people: pd.DataFrame, report: fairstats.Report, tmp_path: Path
) -> None:
    folder = tmp_path / "out"
    folder.mkdir()
    targets, write = WRITES[name]
    for target in targets if old else ():
        (folder / target).write_bytes(b"old")
    result = Made(people, report, tmp_path / "source.parquet")
    survives(folder, lambda: write(folder, result), targets)


def test_after_a_power_cut_a_cache_has_no_torn_cell(people: pd.DataFrame, tmp_path: Path) -> None:
    with recorded(tmp_path) as log:
        fairstats.compare(
            people,
            outcome="d",
            groups="g",
            features=["a"],
            methods=["none"],
            n_repeats=2,
            cache=tmp_path,
            progress=False,
        )
    whole = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    assert len(whole) >= 2
    for moment in range(len(log.operations) + 1):
        for disk in disks({}, log.operations[:moment]):
            cells = {name: content for name, content in disk.items() if name.endswith(".json")}
            assert cells.items() <= whole.items()


@pytest.mark.parametrize("lack", ["fsync", "the order"])
def test_the_simulation_finds_a_write_that_is_not_safe(lack: str, tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"old")

    def without_fsync() -> None:
        handle = os.open(tmp_path / "part", os.O_WRONLY | os.O_CREAT)
        os.write(handle, b"new")
        os.close(handle)
        os.replace(tmp_path / "part", tmp_path / "a")

    def names_never_forced() -> None:
        handle = os.open(tmp_path / "part", os.O_WRONLY | os.O_CREAT)
        os.write(handle, b"new")
        os.fsync(handle)
        os.close(handle)
        os.replace(tmp_path / "part", tmp_path / "a")

    with pytest.raises(AssertionError):
        survives(tmp_path, without_fsync if lack == "fsync" else names_never_forced, ["a"])


def test_a_set_of_files_is_replaced_together_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in "ab":
        (tmp_path / name).write_bytes(b"old")
    real, seen = os.replace, []

    def full(source: Any, target: Any) -> None:
        seen.append(Path(target).name)
        if seen == ["a", "b", "c"]:
            raise OSError(28, os.strerror(28))
        real(source, target)

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(fairstats.errors.FileError, match=r"c' was not written \(No space left"):
        write_together([(tmp_path / name, b"new") for name in "abcd"])
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == {"a": b"old", "b": b"old"}
