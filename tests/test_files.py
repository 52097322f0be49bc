"""No output destroys an input, whatever its path; no device becomes a file; nobody's link is followed."""

from __future__ import annotations

import errno
import os
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import fairstats
from fairstats import files
from fairstats.cli import run
from fairstats.data.stream import transform_files
from fairstats.errors import FileError
from fairstats.files import atomic_write, check_targets, existing, replacing, write_together


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rng: np.random.Generator) -> Path:
    """Everything that a command may read, in the working folder."""
    monkeypatch.chdir(tmp_path)
    n = 60
    people = pd.DataFrame({"g": ["u", "v"] * 30, "d": rng.integers(0, 2, n), "a": rng.normal(size=n)})
    people["b"] = rng.normal(size=n)
    people.to_csv("in.csv", index=False)
    pd.DataFrame({"v": np.arange(n), "g": people["g"]}).to_csv("nodes.csv", index=False)
    pd.DataFrame({"from": np.arange(n), "to": (np.arange(n) + 1) % n}).to_csv("edges.csv", index=False)
    pd.DataFrame({"s1": ["train", "test"] * 30}).to_csv("splits.csv", index=False)
    Path("audit.json").write_text('groups = ["g"]\ndecision = "d"\n')
    fairstats.og("~ a + b", "g", data=people, k=1).save("fit.npz")
    return tmp_path


@pytest.fixture
def kept(folder: Path) -> Iterator[None]:
    before = {p.name: p.read_bytes() for p in folder.iterdir()}
    yield
    assert {p.name: p.read_bytes() for p in folder.iterdir() if p.name in before} == before
    assert {p.name for p in folder.iterdir()} - set(before) <= {"same.csv", "linked.csv", "hard.csv", "cells", "sub"}


AUDIT = ["audit", "in.csv", "--groups", "g", "--decision", "d"]
FIT = ["fit", "og", "in.csv", "--groups", "g", "-k", "1"]
COMPARE = ["compare", "in.csv", "--outcome", "d", "--groups", "g", "--features", "a,b", "--n-repeats", "1"]
CLUSTER = ["cluster", "edges.csv", "--nodes", "nodes.csv", "--groups", "g"]
DESTROYING = {
    "audit, data": [*AUDIT, "--to", "in.csv"],
    "audit, data by another path": [*AUDIT, "--to", "sub/../in.csv"],
    "audit, symbolic link": [*AUDIT, "--to", "linked.csv"],
    "audit, hard link": [*AUDIT, "--to", "hard.csv"],
    "audit, protocol": ["audit", "in.csv", "--protocol", "audit.json", "--to", "audit.json"],
    "audit, second of two": [*AUDIT, "--to", "new.html", "--to", "in.csv"],
    "fit, table": [*FIT, "--to", "in.csv"],
    "fit, scores": [*FIT, "--scores", "in.csv"],
    "fit, both outputs": [*FIT, "--to", "new.csv", "--scores", "./new.csv"],
    "fit, twice": [*FIT, "--to", "new.csv", "--to", "new.csv"],
    "apply, data": ["apply", "fit.npz", "in.csv", "--to", "in.csv"],
    "apply, scores": ["apply", "fit.npz", "in.csv", "--scores", "in.csv"],
    "apply, fit": ["apply", "fit.npz", "in.csv", "--to", "fit.npz"],
    "apply, both outputs": ["apply", "fit.npz", "in.csv", "--to", "new.csv", "--scores", "new.csv"],
    "compare, data": [*COMPARE, "--to", "in.csv"],
    "compare, splits": [*COMPARE, "--splits", "splits.csv", "--to", "splits.csv"],
    "compare, a cell": [*COMPARE, "--cache", "cells", "--to", f"cells/{'0' * 40}.json"],
    "cluster, edges": [*CLUSTER, "--to", "edges.csv"],
    "cluster, nodes": [*CLUSTER, "--to", "nodes.csv"],
}


@pytest.mark.parametrize("name", DESTROYING)
def test_no_command_writes_over_what_it_reads(
    folder: Path, kept: None, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "sub").mkdir()
    (folder / "cells").mkdir()
    cell = folder / "cells" / f"{'0' * 40}.json"
    cell.write_text("{}")
    (folder / "linked.csv").symlink_to("in.csv")
    os.link("in.csv", "hard.csv")
    assert run(DESTROYING[name]) == 2
    err = capsys.readouterr().err
    refused = ("is read; writing would destroy it", "are one file", "has 'fit.npz'; the ending can be")
    assert any(reason in err for reason in refused)
    assert cell.read_text() == "{}"


def test_results_do_not_write_over_the_data_that_they_were_read_from(folder: Path, kept: None) -> None:
    audit = fairstats.audit("in.csv", groups="g", decision="d")
    with pytest.raises(FileError, match=r"'in\.csv' holds the data"):
        fairstats.report(audit, to="in.csv")
    with pytest.raises(FileError, match="holds the data"):
        fairstats.report(audit).write(folder / "in.csv")
    declared = fairstats.audit("in.csv", protocol="audit.json")
    with pytest.raises(FileError, match="or the protocol"):
        fairstats.report(declared, to=["new.html", "audit.json"])
    with pytest.raises(FileError, match="one file"):
        fairstats.report(audit, to=["new.html", "./new.html"])


def test_scores_are_not_written_over_their_source(folder: Path, rng: np.random.Generator) -> None:
    table = pd.DataFrame({"a": rng.normal(size=20), "b": rng.normal(size=20)})
    table.to_parquet("one.parquet")
    fit = fairstats.pca(table, k=1)
    before = Path("one.parquet").read_bytes()
    for source in ("one.parquet", "*.parquet", ["one.parquet"]):
        with pytest.raises(FileError, match="is read"):
            transform_files(fit, source, folder / "one.parquet")
    assert Path("one.parquet").read_bytes() == before


@pytest.mark.parametrize("write", [lambda p: atomic_write(p, b"x"), lambda p: check_targets([p])])
def test_a_pipe_or_a_device_is_never_replaced(tmp_path: Path, write: Callable[[Path], object]) -> None:
    pipe, link = tmp_path / "pipe.csv", tmp_path / "link.csv"
    os.mkfifo(pipe)
    link.symlink_to("/dev/null")
    for path in (pipe, link):
        with pytest.raises(FileError, match=f"{path.name}' is a pipe or a device"):
            write(path)
    assert stat.S_ISFIFO(pipe.stat().st_mode) and link.is_symlink()
    with pytest.raises(FileError, match="pipe or a device"):
        existing(pipe)
    with pytest.raises(FileError, match="pipe or a device"):
        fairstats.audit({"g": ["u"], "d": [1]}, protocol=pipe)


def test_a_folder_that_is_a_file_or_of_the_system_is_named_without_the_name_of_a_part(tmp_path: Path) -> None:
    (tmp_path / "people.csv").write_text("a")
    with pytest.raises(FileError, match=r"people\.csv' is a file, and no folder"):
        atomic_write(tmp_path / "people.csv" / "r.html", b"r")
    with pytest.raises(FileError, match=r"'/proc/r\.html' (cannot be written|may not be written)") as found:
        atomic_write("/proc/r.html", b"r")
    assert ".part" not in str(found.value)


def test_a_link_into_a_folder_that_is_not_there_names_that_folder(folder: Path) -> None:
    Path("dangling.json").symlink_to(folder / "nowhere" / "x.json")
    with pytest.raises(
        FileError, match=r"'dangling\.json' .*leads to '.*nowhere/x\.json': there is no folder '.*nowhere'"
    ):
        atomic_write("dangling.json", b"x")
    with pytest.raises(FileError, match=r"there is no folder 'absent'; create it"):
        atomic_write("absent/x.json", b"x")


def test_a_link_that_waits_under_the_name_of_the_part_is_not_followed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    victim = tmp_path / "victim"
    victim.write_bytes(b"mine")
    monkeypatch.setattr("secrets.token_hex", lambda n: "0" * 2 * n)
    with replacing(tmp_path / "s.csv") as beside:
        waiting = beside.name
    (tmp_path / waiting).symlink_to(victim)
    with pytest.raises(FileExistsError):
        atomic_write(tmp_path / "s.csv", b"theirs")
    assert victim.read_bytes() == b"mine"


@pytest.mark.long
def test_concurrent_writers_of_one_target_leave_one_whole_file(tmp_path: Path) -> None:
    script = (
        "import sys, pyarrow as pa; from fairstats.data.scan import write_parquet\n"
        "from concurrent.futures import ThreadPoolExecutor\n"
        "table = pa.table({'x': list(range(2000))})\n"
        "def write(i): return write_parquet([table] * 5, sys.argv[1])\n"
        "with ThreadPoolExecutor(8) as pool: list(pool.map(write, range(24)))"
    )
    target = tmp_path / "s.parquet"
    subprocess.run([sys.executable, "-c", script, str(target)], check=True)
    assert len(pd.read_parquet(target)) == 10_000
    assert [p.name for p in tmp_path.iterdir()] == ["s.parquet"]


KILLED = """
import os, sys
from fairstats.files import replacing_together
with replacing_together(sys.argv[1:]) as parts:
    for part in parts:
        part.write_bytes(b"half")
    os.write(1, b"writing")
    os.read(0, 1)
"""


def test_what_a_killed_run_left_goes_with_the_next_and_what_another_writes_stays(tmp_path: Path) -> None:
    targets = [tmp_path / "a.json", tmp_path / "b.json"]
    command = [sys.executable, "-c", KILLED, *map(str, targets)]
    (tmp_path / "a.json").write_bytes(b"old")
    (tmp_path / ".other.json.0123456789abcdef.part").write_bytes(b"of somebody else")
    runs = [subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) for _ in range(3)]
    for process in runs:
        assert process.stdout.read(7) == b"writing"
    for process in runs[:2]:
        process.kill()
        process.wait()
    assert len(list(tmp_path.glob(".a.json.*.part"))) == len(list(tmp_path.glob(".b.json.*.part"))) == 3
    write_together([(target, b"new") for target in targets])
    assert len(list(tmp_path.glob(".a.json.*.part"))) == len(list(tmp_path.glob(".b.json.*.part"))) == 1
    runs[2].communicate(b"x")
    assert runs[2].returncode == 0 and [target.read_bytes() for target in targets] == [b"half", b"half"]
    assert sorted(p.name for p in tmp_path.iterdir()) == [".other.json.0123456789abcdef.part", "a.json", "b.json"]
    for process in runs:
        process.stdin.close(), process.stdout.close()


def test_without_locks_a_part_goes_after_a_day(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "_lock", lambda handle: None)
    left = tmp_path / ".a.json.0123456789abcdef.part"
    left.write_bytes(b"x")
    atomic_write(tmp_path / "a.json", b"new")
    assert left.exists()
    now = time.time()
    monkeypatch.setattr("time.time", lambda: now + 25 * 3600)
    atomic_write(tmp_path / "a.json", b"newer")
    assert [p.name for p in tmp_path.iterdir()] == ["a.json"]


def test_a_full_disk_is_reported_with_the_file(tmp_path: Path) -> None:
    target = tmp_path / "a.csv"
    target.write_bytes(b"old")
    with pytest.raises(FileError, match=r"a\.csv' was not written \(No space left"), replacing(target):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    assert target.read_bytes() == b"old" and len(list(tmp_path.iterdir())) == 1
