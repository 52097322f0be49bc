"""The wheel in fresh environments: no extras, the lowest versions that are declared, other Pythons."""

from __future__ import annotations

import functools
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import fairstats
from fairstats.text import json_plain

ROOT = Path(__file__).resolve().parent.parent
SMOKE = ROOT / "tests" / "installed_smoke.py"


def call(*words: str | Path, **options) -> subprocess.CompletedProcess:
    env = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "VIRTUAL_ENV")} | {"OMP_NUM_THREADS": "1"}
    return subprocess.run(list(map(str, words)), capture_output=True, text=True, env=env, **options)


@functools.cache
def uv() -> str:
    """The program that makes environments, once it has shown that it reaches a package index."""
    beside = Path(sys.executable).with_name("uv")
    result = str(beside) if beside.exists() else shutil.which("uv")
    if result is None:
        pytest.skip("uv is not installed")
    arguments = call(result, "pip", "compile", "-q", "-", input="click\n")
    if arguments.returncode:
        pytest.skip(f"no package index can be reached: {arguments.stderr.strip().splitlines()[-1][:200]}")
    return result


def python(version: str) -> Path:
    """A Python of this version on this machine: on the PATH, or one of pyenv's."""
    items = sorted((Path.home() / ".pyenv" / "versions").glob(f"{version}.*/bin/python"))
    on_path = shutil.which(f"python{version}")
    for candidate in [*([Path(on_path)] if on_path else []), *items]:
        if call(candidate, "-c", f"import sys; assert '%d.%d' % sys.version_info[:2] == '{version}'").returncode == 0:
            return candidate
    pytest.skip(f"Python {version} is not on this machine")


def prepared(folder: Path) -> None:
    """People whose chances are not equal, and what the environment of the tests makes of them."""
    chance = random.Random(7)
    lines = ["race,sex,dept,hired,good,score,x,z"]
    for _ in range(900):
        race, sex, dept = chance.choice("aabbc"), chance.choice("fm"), chance.choice("pq")
        good = int(chance.random() < 0.5)
        score = chance.gauss(good + (race == "a") / 2, 1)
        hired = int(score + chance.gauss(0, 1) > 0.8)
        x, z = chance.gauss(0, 1) + (race == "b"), chance.gauss(0, 1)
        lines.append(f"{race},{sex},{dept},{hired},{good},{score:.6f},{x:.6f},{z:.6f}")
    (folder / "people.csv").write_text("\n".join(lines) + "\n")
    audit = fairstats.audit(
        folder / "people.csv", "hired", ["race", "sex"], outcome="good", score="score", strata="dept"
    )
    (folder / "expected.json").write_text(json.dumps(json_plain(audit.estimates.to_records())))


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    command = (sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder, ROOT)
    done = call(*command)
    assert done.returncode == 0, done.stdout + done.stderr
    return next(folder.glob("*.whl"))


@pytest.fixture(scope="module")
def table(tmp_path_factory) -> Path:
    """The wheel of the arrests table, which the examples use."""
    folder = tmp_path_factory.mktemp("table")
    done = call(
        sys.executable,
        "-m",
        "build",
        "--wheel",
        "--no-isolation",
        "--outdir",
        folder,
        ROOT / "packages" / "fairstats-data",
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return next(folder.glob("*.whl"))


LOWEST = ("--extra", "report", "--resolution", "lowest-direct")
# The lowest versions have no wheels for 3.13.
ENVIRONMENTS = {
    "lowest versions, Python 3.11": ("3.11", LOWEST),
    "lowest versions, Python 3.12": ("3.12", LOWEST),
    "Python 3.11": ("3.11", ()),
    "Python 3.12": ("3.12", ()),
    "Python 3.13": ("3.13", ()),
}


@pytest.mark.slow  # make installed
@pytest.mark.parametrize("name", ENVIRONMENTS)
def test_the_wheel_and_the_examples_of_the_readme_work_in_a_fresh_environment(name, wheel, table, tmp_path):
    """First without extras (the lowest versions have one), then with what the README says to install."""
    version, how = ENVIRONMENTS[name]
    result = call(uv(), "venv", "-q", "-p", python(version), tmp_path / "env")
    assert result.returncode == 0, result.stderr
    there = tmp_path / "env" / "bin"

    def install(*wanted: str | Path) -> None:
        installed = call(uv(), "pip", "install", "-q", "--python", there / "python", *wanted)
        assert installed.returncode == 0, installed.stderr

    if how:  # what is lowest is what the project itself names
        install("-r", ROOT / "pyproject.toml", *how)
        install("--no-deps", wheel)
        frozen = call(uv(), "pip", "freeze", "--python", there / "python").stdout
        versions = dict(re.findall(r"^([\w.-]+)==(\S+)$", frozen, re.M))
        for requirement in tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]:
            package, lowest = requirement.split(">=")
            assert versions[package].startswith(lowest), (requirement, versions[package])
    else:
        install(wheel)
    prepared(tmp_path)
    done = call(there / "python", SMOKE, tmp_path, cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.startswith(version), done.stdout
    install(*(["--no-deps", table] if how else [f"{wheel}[report]", table]))
    visited(there, tmp_path / "visitor")


def visited(there: Path, folder: Path) -> None:
    """Run every example of the README by the programs of an environment."""
    folder.mkdir()
    text = (ROOT / "README.md").read_text()
    examples, shells = (re.findall(rf"^```{language}\n(.*?)^```", text, re.S | re.M) for language in ("python", "bash"))
    shell = [line for block in shells for line in block.splitlines() if line.startswith("fairstats ")]
    assert len(examples) == 3 and len(shell) == 5
    done = call(there / "python", "-W", "error::FutureWarning", "-c", "".join(examples), cwd=folder)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "74.1% against 85.8%" in text and "74.1% against 85.8%" in " ".join(done.stdout.split())
    for command in shell:
        done = call(there / command.split()[0], *command.split()[1:], cwd=folder)
        assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    assert (folder / "audit.pdf").read_bytes().startswith(b"%PDF") and (folder / "results.csv").exists()
