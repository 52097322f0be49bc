"""A long command shows how far it is, where somebody sees it, and nowhere else."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

import fairstats
from fairstats.errors import heard_by, steps

PEOPLE = pd.DataFrame({"g": ["a", "b", "c"] * 40, "d": [0, 1] * 60, "s": [i / 7 % 1 for i in range(120)]})


def test_an_audit_says_how_far_it_is_and_is_the_same_whether_heard_or_not() -> None:
    text: list[tuple[str, int, int]] = []
    with heard_by(lambda *step: text.append(step)):
        heard = fairstats.audit(PEOPLE, decision="d", score="s", groups="g")
    for what in ("estimates", "tests"):
        items = [(done, total) for name, done, total in text if name == what]
        assert items == [(i, items[-1][1]) for i in range(items[-1][1] + 1)] and items[-1][1] > 0
    assert heard.estimates.to_frame().equals(
        fairstats.audit(PEOPLE, decision="d", score="s", groups="g").estimates.to_frame()
    )


def test_nobody_listens_after_the_block() -> None:
    text: list[object] = []
    with heard_by(lambda *step: text.append(step)):
        assert list(steps("a", [1])) == [1]
    assert list(steps("b", [1, 2])) == [1, 2]
    assert text == [("a", 0, 1), ("a", 1, 1)]


def test_long_studies_say_their_parts() -> None:
    X, groups = PEOPLE[["s"]].assign(t=PEOPLE["s"] ** 2), PEOPLE["g"]
    fit, text = fairstats.og(X, groups, k=1), []
    with heard_by(lambda *step: text.append(step)):
        fairstats.bootstrap_loadings(fit, X, groups, replicates=20)
        fairstats.leakage(fit, X, groups, permutations=19)
        options = {"outcome": "d", "groups": "g", "features": ["s"], "methods": "none", "progress": False}
        fairstats.compare(PEOPLE, n_repeats=3, **options)
    for what, total in (("samples", 20), ("refits", 19), ("splits", 3)):
        assert [step for step in text if step[0] == what] == [(what, i, total) for i in range(total + 1)]


def test_items_of_unknown_number_are_passed_on_in_silence() -> None:
    text: list[object] = []
    with heard_by(lambda *step: text.append(step)):
        assert list(steps("a", iter([1, 2]))) == [1, 2] and text == []
        assert list(steps("b", iter([1]), 1)) == [1]
    assert text == [("b", 0, 1), ("b", 1, 1)]


@pytest.mark.parametrize(
    ("seconds", "expected"), [(12.0, "about 24 s to go"), (90.0, "about 180 s to go (3 minutes)"), (2.0, "")]
)
def test_where_nobody_listens_a_long_computation_is_announced_once(monkeypatch, capsys, seconds, expected) -> None:
    clock = iter([0.0, *(seconds * i for i in range(10))])
    monkeypatch.setattr("fairstats.errors.perf_counter", lambda: next(clock))
    assert list(steps("tests", range(4), work=[1, 1, 1, 0])) == [0, 1, 2, 3]
    out, err = capsys.readouterr()
    assert out == "" and err == (f"fairstats: tests: 1 of 4 done, {expected}\n" if expected else "")


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="a terminal")
@pytest.mark.parametrize("quiet", [False, True])
def test_a_bar_is_on_a_terminal_alone(tmp_path: Path, quiet: bool) -> None:
    PEOPLE.to_csv(tmp_path / "p.csv", index=False)
    code = "import sys; from fairstats.cli import main; main(sys.argv[1:])"
    words = ["audit", str(tmp_path / "p.csv"), "--decision", "d", "--groups", "g", *(["--quiet"] if quiet else [])]
    command, parent, child = [sys.executable, "-c", code, *words], *pty.openpty()
    done = subprocess.run(
        command, stdout=subprocess.PIPE, stderr=child, env={**os.environ, "TERM": "xterm"}, check=True
    )
    os.close(child)
    seen = b""
    os.set_blocking(parent, False)
    try:
        while part := os.read(parent, 1 << 16):
            seen += part
    except OSError:  # nothing more
        pass
    assert (b"rows" in seen) is not quiet
    assert done.stdout.startswith(b"Audit of p.csv")
    if not quiet:  # what is shown at a terminal goes nowhere else
        silent = subprocess.run(command, capture_output=True, check=True)
        assert silent.stderr == b"" and silent.stdout == done.stdout
