"""The wheel with the extras tables, duckdb, sql, scale and compare at the lowest versions that they declare."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from tests.test_installed import ROOT, call, prepared, python, uv, wheel

__all__ = ["wheel"]  # the fixture
EXTRAS = ("report", "tables", "duckdb", "sql", "scale", "compare")
# the backend that Ibis is tried with is the user's choice, and no part of the extra
BACKEND = "ibis-framework[duckdb]"


@pytest.mark.slow  # make installed
def test_every_extra_works_at_its_lowest_versions(wheel: Path, tmp_path: Path) -> None:
    built = call(uv(), "venv", "-q", "-p", python("3.11"), tmp_path / "env")
    assert built.returncode == 0, built.stderr
    its_python = tmp_path / "env" / "bin" / "python"
    wanted = [word for extra in EXTRAS for word in ("--extra", extra)]
    install = (uv(), "pip", "install", "-q", "--python", its_python)
    installed = call(*install, "-r", ROOT / "pyproject.toml", *wanted, BACKEND, "--resolution", "lowest-direct")
    assert installed.returncode == 0, installed.stderr
    installed = call(*install, "--no-deps", wheel)
    assert installed.returncode == 0, installed.stderr
    there = dict(re.findall(r"^([\w.-]+)==(\S+)$", call(uv(), "pip", "freeze", "--python", its_python).stdout, re.M))
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    for requirement in (one for extra in EXTRAS for one in declared[extra]):
        name, version = re.sub(r"\[.*?\]", "", requirement).split(">=")
        result = there[name.replace("_", "-")]
        assert result.startswith(version), (requirement, result)
    prepared(tmp_path)
    done = call(its_python, ROOT / "tests" / "installed_extras.py", tmp_path, cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.split() == list(EXTRAS[1:])
