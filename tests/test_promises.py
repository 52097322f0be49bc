"""What docs/promises.md says is tested by the tests that it names, and its limits are those of the code."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from fairstats.validation import LIMITS

ROOT = Path(__file__).resolve().parents[1]
PAGE = (ROOT / "docs" / "promises.md").read_text()
PROMISED, _, BELOW = PAGE.partition("## What is not promised")
SENTENCES = re.findall(r"^- (.*?)(?=\n- |\n\n|\Z)", PROMISED, re.M | re.S)
TEST = re.compile(r"`(tests/[\w/]+\.py)::(test_\w+)`")


@cache
def _tests(file: str) -> set[str]:
    tree = ast.parse((ROOT / file).read_text())
    return {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}


@pytest.mark.parametrize("sentence", SENTENCES, ids=[re.sub(r"\W+", " ", text)[:60] for text in SENTENCES])
def test_every_promise_names_tests_that_there_are(sentence: str) -> None:
    named = TEST.findall(sentence)
    assert named, "a promise without a test"
    for file, name in named:
        assert (ROOT / file).is_file(), file
        assert name in _tests(file), f"{file} has no {name}"
    assert "::" not in TEST.sub("", sentence), "a name that is no test"


def test_the_page_has_promises_in_every_part() -> None:
    parts = re.findall(r"^## (.*)\n((?:(?!## ).*\n)*)", PROMISED, re.M)
    assert len(parts) == 5 and all(TEST.search(text) for _, text in parts) and len(SENTENCES) > 20


def test_the_limits_on_the_page_are_those_of_the_code() -> None:
    rows = re.findall(r"^\| `(\w+)` \| (\d+) \| (.*) \|$", BELOW, re.M)
    assert [(name, int(most), what) for name, most, what in rows] == [(k, v.most, v.what) for k, v in LIMITS.items()]


def test_every_limit_is_used() -> None:
    code = "".join(f.read_text() for f in (ROOT / "fairstats").rglob("*.py") if f.name != "limits.py")
    assert [name for name in LIMITS if f'most("{name}")' not in code] == []


@pytest.mark.long
def test_processes_that_know_nothing_of_each_other_share_one_cache(tmp_path: Path, rng: np.random.Generator) -> None:
    """As two hosts on one file system: all at once, each writes and reads cells of the others."""
    n = 120
    people = pd.DataFrame({"g": ["u", "v"] * (n // 2), "y": rng.integers(0, 2, n), "s": rng.random(n)})
    people.to_csv(tmp_path / "p.csv", index=False)
    code = """
import sys, fairstats as fs
made = fs.compare(sys.argv[1], outcome="y", groups="g", features=["s"], methods=["none"], n_repeats=12,
                  cache=sys.argv[2] or None, progress=False)
print(made.estimates.to_frame().to_json(double_precision=15))
"""
    command = [sys.executable, "-c", code, str(tmp_path / "p.csv")]
    running = [
        subprocess.Popen([*command, str(tmp_path / "cells")], stdout=subprocess.PIPE, text=True) for _ in range(3)
    ]
    members = {process.communicate()[0] for process in running}
    alone = subprocess.run([*command, ""], capture_output=True, text=True, check=True).stdout
    assert members == {alone}
    left = [file.name for file in (tmp_path / "cells").iterdir()]
    assert left and all(re.fullmatch(r"[0-9a-f]{40}\.json", name) for name in left)
