"""A user's script under mypy: what is called is known all the way, and what is misspelled is an error."""

from __future__ import annotations

import ast
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SCRIPT = ROOT / "tests" / "typed_script.py"
FOUND = re.compile(r".*typed_script\.py:(\d+): (note|error): (.*)")


@pytest.mark.long
def test_a_type_checker_sees_what_a_script_gets() -> None:
    mypy = pytest.importorskip("mypy.api", reason="mypy is not installed; it is among the extra dev")
    # as `make types` runs it, whose cache it finds
    items = ["--config-file", str(ROOT / "pyproject.toml"), "--no-pretty", str(SCRIPT)]
    reported, failed, _ = mypy.run(items)
    assert not failed, failed
    seen: dict[int, list[str]] = {}
    for line in reported.splitlines():
        if result := FOUND.match(line):
            seen.setdefault(int(result[1]), []).append(result[3] if result[2] == "note" else f"error: {result[3]}")
    for number, line in enumerate(SCRIPT.read_text().splitlines(), 1):
        code, _, comment = line.partition("  # ")
        if comment.startswith("error: "):
            assert any(message.startswith(comment) for message in seen.pop(number, [])), (line, reported)
        elif code.startswith("reveal_type"):
            (message,) = seen.pop(number)
            revealed = message.removeprefix('Revealed type is "').removesuffix('"')
            assert re.sub(r"\b(?:\w+\.)+(\w)", r"\1", revealed).replace("builtins.", "") == comment, line
    assert seen == {}


@pytest.mark.slow
def test_another_type_checker_sees_the_same() -> None:
    """Pyright is what editors run (Pylance): what it reveals, and on which lines it finds an error."""
    pytest.importorskip("pyright", reason="pyright is not installed; it is among the extra dev")
    if shutil.which("node") is None:
        pytest.skip("pyright needs node")
    command = [sys.executable, "-m", "pyright", "--outputjson", "--pythonpath", sys.executable, str(SCRIPT)]
    reported = subprocess.run(command, capture_output=True, text=True, timeout=300)
    if not reported.stdout.startswith("{"):
        pytest.skip(f"pyright did not start: {reported.stderr[-200:]}")
    seen: dict[int, list[tuple[str, str]]] = {}
    for result in json.loads(reported.stdout)["generalDiagnostics"]:
        seen.setdefault(result["range"]["start"]["line"] + 1, []).append((result["severity"], result["message"]))
    for number, line in enumerate(SCRIPT.read_text().splitlines(), 1):
        code, _, comment = line.partition("  # ")
        if comment.startswith("error: "):
            assert [severity for severity, _ in seen.pop(number, [])] == ["error"], line
        elif code.startswith("reveal_type"):
            ((_, message),) = seen.pop(number)
            assert message.endswith(f' is "{comment}"'), (line, message)
    assert seen == {}


@pytest.mark.long
def test_no_argument_travels_where_a_type_checker_does_not_look() -> None:
    places = set()
    for file in (ROOT / "fairstats").rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "locals":
                places.add(str(file.relative_to(ROOT)))
    assert places == set()
