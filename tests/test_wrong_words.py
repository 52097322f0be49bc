"""Whatever is typed, a command ends with 0, 1 or 2; with 2 in one line; never with a traceback."""

from __future__ import annotations

import contextlib
import shutil
from pathlib import Path

import click
import pytest

from fairstats.cli import run
from tests.wrong_values import alarm
from tests.wrong_words import LINES, WORDS, line, options, prepare

EVERY = [(command, parameter) for command, parameter in options() if command != "demo"]
AT_ONCE = 1  # words an option in the usual run; all of them in the slow one


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("words")
    with contextlib.chdir(folder):
        prepare(folder)
    return folder


@pytest.mark.long
def test_every_command_has_a_valid_line(prepared: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert {command for command, _ in options()} == set(LINES)
    with contextlib.chdir(prepared):
        for words in (words for command, words in LINES.items() if command != "demo"):  # tests/test_cli.py makes that
            assert run(words) == 0, capsys.readouterr().err


def faults(
    command: str, parameter: click.Parameter, words: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> dict[str, str]:
    entries = {}
    for word in words:
        capsys.readouterr()
        try:
            with alarm():
                code = run(line(command, parameter, word))
        except TimeoutError as error:
            entries[word] = str(error)
            continue
        lines = [text for text in capsys.readouterr().err.splitlines() if not text.startswith("fairstats: note: ")]
        if code not in (0, 1, 2):
            entries[word] = f"{code}: {lines[-2:]}"
        elif code == 2 and not (lines and lines[-1].startswith("fairstats: error: ") and "Traceback" not in str(lines)):
            entries[word] = f"{code}: {lines}"
    return entries


@pytest.mark.long
@pytest.mark.filterwarnings("ignore::fairstats.errors.FairstatsWarning")
@pytest.mark.parametrize("at", range(len(EVERY)), ids=[f"{c} {p.opts[0]}" for c, p in EVERY])
def test_a_wrong_word_is_one_line_of_error_or_has_a_meaning(
    at: int, prepared: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command, parameter = EVERY[at]
    words = tuple(WORDS[(at * 11 + 5 * i) % len(WORDS)] for i in range(AT_ONCE))
    with contextlib.chdir(prepared):
        assert faults(command, parameter, words, capsys) == {}


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::fairstats.errors.FairstatsWarning")
@pytest.mark.parametrize("at", range(len(EVERY)), ids=[f"{c} {p.opts[0]}" for c, p in EVERY])
def test_every_wrong_word_is_one_line_of_error_or_has_a_meaning(
    at: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command, parameter = EVERY[at]
    with contextlib.chdir(tmp_path):
        prepare(tmp_path)
        assert faults(command, parameter, WORDS, capsys) == {}
    shutil.rmtree(tmp_path)
