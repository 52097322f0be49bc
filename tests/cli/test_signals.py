"""A command that is ended from outside leaves no half file, no part of one, and no process at work."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from fairstats.cli import run
from fairstats.files import atomic_write, replacing

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="signals and /proc")
HELD = """
import os, sys, time
from fairstats import files
from fairstats.cli import main
real = files._take_places
def held(parts):
    print("held", flush=True)
    time.sleep(60)
files._take_places = held
main(sys.argv[1:])
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rng: np.random.Generator) -> Path:
    monkeypatch.chdir(tmp_path)
    n = 400
    people = pd.DataFrame(
        {"g": ["u", "v"] * (n // 2), "d": rng.integers(0, 2, n), "a": rng.random(n), "b": rng.random(n)}
    )
    people.to_csv("p.csv", index=False)
    return tmp_path


@pytest.mark.long
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_command_that_is_ended_leaves_what_was_there(folder: Path, number: int) -> None:
    Path("a.json").write_text('{"schema": "fairstats/report/1"}')
    before = {file.name: file.read_bytes() for file in folder.iterdir()}
    words = ["audit", "p.csv", "--groups", "g", "--decision", "d", "--to", "a.json", "--to", "a.html"]
    command = subprocess.Popen(
        [sys.executable, "-c", HELD, *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # A shell in the background ignores Ctrl-C, and what it starts does so too.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    assert command.stdout is not None and command.stdout.readline() == "held\n"
    command.send_signal(number)
    _, text = command.communicate(timeout=30)
    assert (command.returncode, text.strip()) == (130, "fairstats: interrupted; no file was changed half-way.")
    assert {file.name: file.read_bytes() for file in folder.iterdir()} == before


def _children(parent: int) -> set[int]:
    result = set()
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:  # it ended meanwhile
                continue
            if fields[0] != "Z" and int(fields[1]) == parent:
                result.add(int(entry.name))
    return result


@pytest.mark.long
def test_a_comparison_that_is_ended_ends_its_processes(folder: Path) -> None:
    words = ["compare", "p.csv", "--outcome", "d", "--groups", "g", "--features", "a,b", "--model", "logistic",
             "--n-repeats", "5000", "--n-jobs", "2", "--cache", "cells"]  # fmt: skip
    code = "import sys; from fairstats.cli import main; main(sys.argv[1:])"
    command = subprocess.Popen([sys.executable, "-c", code, *words], stderr=subprocess.PIPE, text=True)
    workers: set[int] = set()
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline and not (len(workers) >= 2 and len(list(Path("cells").glob("*.json"))) > 12):
        workers |= _children(command.pid)
        time.sleep(0.1)
    assert len(workers) >= 2, "no processes were seen"
    command.send_signal(signal.SIGTERM)
    _, text = command.communicate(timeout=60)
    assert (command.returncode, text.splitlines()[-1:]) == (
        130,
        ["fairstats: interrupted; no file was changed half-way."],
    )
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline and any(Path(f"/proc/{worker}").exists() for worker in workers):
        time.sleep(0.1)
    assert [worker for worker in workers if Path(f"/proc/{worker}").exists()] == []


def test_the_handler_of_who_embeds_us_stays(folder: Path, capsys: Any) -> None:
    words = ["audit", "p.csv", "--groups", "g", "--decision", "d"]
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
    assert run(words) == 0
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
    codes: list[int] = []
    thread = threading.Thread(target=lambda: codes.append(run(words)))  # where no handler can be set
    thread.start()
    thread.join()
    assert codes == [0]


def test_what_a_killed_run_left_is_swept_and_nothing_else(tmp_path: Path) -> None:
    target = tmp_path / "a[1].csv"
    names = {
        "left": f".a[1].csv.{'0' * 16}.part", "young": f".a[1].csv.{'1' * 16}.part",
        "of another": f".b.csv.{'2' * 16}.part", "not of ours": ".a[1].csv.mine.part",
    }  # fmt: skip
    for kind, name in names.items():
        (tmp_path / name).write_bytes(b"x")
        if kind != "young":  # which nobody is writing either
            os.utime(tmp_path / name, (time.time() - 2 * 86400,) * 2)
    (tmp_path / f".a[1].csv.{'3' * 16}.part").mkdir()
    atomic_write(target, b"new")
    left = {entry.name for entry in tmp_path.iterdir()}
    assert left == {
        target.name,
        f".a[1].csv.{'3' * 16}.part",
        *(names[k] for k in ("of another", "not of ours")),
    }


def test_a_part_that_was_exchanged_does_not_take_the_place(tmp_path: Path) -> None:
    victim, target = tmp_path / "victim", tmp_path / "a.csv"
    victim.write_bytes(b"mine")
    with pytest.raises(OSError, match="another program exchanged the file in the making"), replacing(target) as part:
        part.unlink()
        part.symlink_to(victim)
    assert victim.read_bytes() == b"mine" and not target.exists()


def test_the_scores_and_the_table_of_a_fit_are_written_together(folder: Path, capsys: Any) -> None:
    Path("scores.csv").mkdir()
    words = [
        "fit",
        "og",
        "p.csv",
        "--groups",
        "g",
        "-k",
        "1",
        "--features",
        "a,b",
        "--to",
        "out.csv",
        "--to",
        "out.npz",
    ]
    assert run([*words, "--scores", "scores.txt"]) == 2
    assert "'scores.txt' is no table; its ending can be" in capsys.readouterr().err
    Path("scores.csv").rmdir()
    assert run([*words, "--scores", "scores.csv"]) == 0
    err = capsys.readouterr().err
    assert [name in err for name in ("wrote out.csv", "wrote out.npz", "wrote scores.csv")] == [True] * 3
    assert (
        list(pd.read_csv("scores.csv").columns) == ["g", "d", "a", "b", ".score_1"]
        or "score" in Path("scores.csv").read_text()
    )
