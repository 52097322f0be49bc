"""What is installed is what was written: the wheel is whole, the import is cheap, the set-up says what it lacks."""

from __future__ import annotations

import ast
import importlib.metadata
import os
import re
import stat
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

import fairstats
import fairstats.r
from fairstats.cli import run
from fairstats.data.datasets import ARRESTS
from fairstats.methods.registry import METHODS
from tests.r.bridge import requires_bridge

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())


def python(code: str, **environment: str) -> subprocess.CompletedProcess:
    env = {**os.environ, "PYTHONPATH": str(ROOT), **environment}
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=env)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    """The wheel that is made from the source distribution, as a packager makes it."""
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return next(folder.glob("*.whl"))


@pytest.mark.long
def test_the_wheel_holds_every_module_template_and_font(wheel):
    inside = set(zipfile.ZipFile(wheel).namelist())
    for kind in ("*.py", "*.ttf", "*.woff2", "py.typed"):
        for file in (ROOT / "fairstats").rglob(kind):
            assert file.relative_to(ROOT).as_posix() in inside
    for file in (ROOT / "templates").rglob("*"):
        if file.is_file():
            assert f"fairstats/_templates/{file.relative_to(ROOT / 'templates').as_posix()}" in inside
    assert "fairstats/_templates/report.html.j2" in inside
    assert {"fairstats/r/_wire.R", "fairstats/r/_predicted.R", "fairstats/r/session.R"} <= inside
    assert not any(name.startswith(("tests/", "vignettes/", "benchmarks/")) for name in inside)


@pytest.mark.long
def test_the_wheel_states_both_licenses_and_carries_their_texts_and_nothing_under_another(wheel):
    archive = zipfile.ZipFile(wheel)
    info = next(name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
    metadata = archive.read(info).decode()
    assert "License-Expression: BSD-3-Clause AND OFL-1.1\n" in metadata
    texts = [archive.read(n).decode() for n in archive.namelist() if "/licenses/" in n]
    assert any("BSD 3-Clause" in t for t in texts) and any("SIL OPEN FONT LICENSE" in t for t in texts)
    assert not any("GNU GENERAL PUBLIC LICENSE" in t for t in texts)
    assert not any(name.endswith(".csv") for name in archive.namelist())  # the table of the examples is GPL
    assert "Programming Language :: Python :: 3.13\n" in metadata and "Project-URL" not in metadata  # there is none yet


def test_the_table_of_the_examples_is_a_separate_distribution(tmp_path):
    folder = ROOT / "packages" / "fairstats-data"
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(tmp_path), str(folder)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    archive = zipfile.ZipFile(next(tmp_path.glob("*.whl")))
    info = next(name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
    assert "License-Expression: GPL-2.0-or-later\n" in archive.read(info).decode()
    assert archive.read("fairstats_data/arrests.csv") == ARRESTS.read_bytes()
    assert any(b"GNU GENERAL PUBLIC LICENSE" in archive.read(n) for n in archive.namelist() if "/licenses/" in n)


@pytest.mark.long
def test_an_installed_wheel_writes_the_report_from_its_templates(wheel, tmp_path):
    zipfile.ZipFile(wheel).extractall(tmp_path / "site")
    audit = ["audit", str(ARRESTS), "--groups", "colour", "--decision", "released", "--favorable", "Yes"]
    code = f"from fairstats.cli import run; raise SystemExit(run({[*audit, '--to', str(tmp_path / 'audit.html')]!r}))"
    env = {**os.environ, "PYTHONPATH": str(tmp_path / "site")}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=env, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "<h1" in (tmp_path / "audit.html").read_text()


@pytest.mark.long
def test_an_installed_wheel_talks_to_r_by_its_copy_of_the_wire(wheel, tmp_path):
    requires_bridge()
    zipfile.ZipFile(wheel).extractall(tmp_path / "site")
    code = "import fairstats.r as r; print(r.sessions.shared_file('wire.R').name, r.session().eval('sum(x)', x=[1, 2]))"
    env = {**os.environ, "PYTHONPATH": str(tmp_path / "site")}
    code = f"import fairstats.r.sessions; {code}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=env, cwd=tmp_path)
    assert done.stdout == "_wire.R 3\n", done.stderr


def test_importing_the_package_loads_a_few_files_of_fairstats_and_nothing_heavy():
    """What takes time is what is loaded, and that can be counted: the registry with its words, and the errors."""
    before = set(python("import sys, typing, dataclasses, importlib; print(*sys.modules)").stdout.split())
    loaded = set(python("import fairstats, sys; print(*sys.modules)").stdout.split()) - before
    members = {name for name in loaded if name.split(".")[0] == "fairstats"}
    few = ("attached", "errors", "former", "language", "methods", "methods.registry", "result_classes")
    assert members == {"fairstats", *(f"fairstats.{name}" for name in few)}
    others = {name.split(".")[0] for name in loaded - members}
    assert others & set(importlib.metadata.packages_distributions()) == set()  # none that pip installed


def test_a_module_of_the_package_may_be_imported_first():
    """An import of a module asks the package for its name first, which must not load the functions that need it."""
    loaded = python("import fairstats.inference.multiplicity, sys; print(*sys.modules)").stdout.split()
    assert "fairstats.metrics" in loaded and "fairstats.stats" not in loaded


@pytest.mark.long
def test_the_package_shows_its_public_names_and_nothing_else():
    code = "import fairstats as fs; first = dir(fs); [getattr(fs, n) for n in first]; print(*first); print(*dir(fs))"
    first, later = (line.split() for line in python(code).stdout.splitlines())
    assert first == later == sorted(fairstats.__all__)
    assert set(fairstats.comparators.__all__) == set(dir(fairstats.comparators))
    for module in (fairstats.datasets, fairstats.simulate, fairstats.stats, fairstats.r):
        assert dir(module) == sorted(module.__all__), module


def test_a_type_checker_sees_the_names_that_there_are():
    """The imports that only a type checker makes are the public names, each from where it is loaded."""
    tree = ast.parse((ROOT / "fairstats" / "__init__.py").read_text())
    (block,) = (node for node in tree.body if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING")
    seen = {alias.name: node.module for node in block.body for alias in node.names}
    entries = {**fairstats._HOME, **{name: home.rpartition(".")[0] for name, home in fairstats._MODULES.items()}}
    entries |= dict.fromkeys(fairstats._ATTRIBUTES, "")
    entries |= {n: row.home.partition(":")[0].partition(".")[2] for n, row in METHODS.items() if not row.comparator}
    assert seen == {name: f"fairstats.{home}".rstrip(".") for name, home in entries.items()}


@pytest.mark.long
@pytest.mark.parametrize(
    "first", ["fairstats.auditing.result", "fairstats.reporting.words", "fairstats.auditing.audit"]
)
def test_audit_and_report_are_functions_whatever_was_imported_before(first):
    done = python(f"import {first}; import fairstats as fs; print(callable(fs.audit), callable(fs.report))")
    assert done.stdout.split() == ["True", "True"], done.stderr


@pytest.mark.long
@pytest.mark.parametrize("name", fairstats._ATTRIBUTES)
def test_a_separate_module_is_loaded_by_its_name_and_no_star_brings_it(name):
    done = python(
        f"import fairstats as fs; print(fs.{name}.__name__); from fairstats import *; print('{name}' in dir())"
    )
    assert done.stdout.split() == [f"fairstats.{name}", "False"], done.stderr


def test_every_public_name_exists_has_a_docstring_and_a_nearest_name():
    for name in fairstats.__all__:
        assert getattr(fairstats, name).__doc__, name
    with pytest.raises(AttributeError, match=r"it is fairstats\.stats\.conditional"):
        _ = fairstats.conditional_demographic_disparity
    with pytest.raises(AttributeError, match="no attribute 'audti'"):
        fairstats.audti  # noqa: B018


def test_the_version_has_one_home():
    assert PROJECT["tool"]["hatch"]["version"]["path"] == "fairstats/__init__.py"
    assert re.search(rf"^version: {fairstats.__version__}$", (ROOT / "CITATION.cff").read_text(), re.M)
    assert f"## {fairstats.__version__}" in (ROOT / "CHANGELOG.md").read_text()


def test_the_installed_package_says_how_to_cite_it(capsys):
    """One entry of BibTeX in Python and at the command line, of the same work as the file and R's citation."""
    entry = fairstats.__citation__
    found = dict(re.findall(r"^  (\w+) = \{(.*)\},$", entry, re.M))
    assert entry.startswith("@misc{fairstats,\n") and entry.count("{") == entry.count("}")
    assert (
        f'title: "{found["title"]}"' in (ROOT / "CITATION.cff").read_text() and fairstats.__version__ in found["note"]
    )
    assert f"- name: {found['author'].strip('{}')}" in (ROOT / "CITATION.cff").read_text()
    assert f'"{found["year"]}"' in (ROOT / "r/fairstats/inst/CITATION").read_text()
    assert run(["--citation"]) == 0 and capsys.readouterr().out == f"{entry}\n"


def test_constraints_pin_what_the_project_asks_for_and_name_no_host():
    lines = (ROOT / "constraints.txt").read_text().splitlines()
    pins = dict(line.split("==") for line in lines if not line.startswith("#"))
    assert all(re.fullmatch(r"[A-Za-z0-9._-]+==[A-Za-z0-9.+!]+", line) for line in lines if not line.startswith("#"))
    members = {_plain(name) for name in pins}
    extras = PROJECT["project"]["optional-dependencies"]
    items = [*PROJECT["project"]["dependencies"], *(r for extra, rs in extras.items() if extra != "r" for r in rs)]
    names = {_plain(re.match(r"[A-Za-z0-9._-]+", requirement)[0]) for requirement in items} - {"fairstats"}
    assert names <= members, names - members


@pytest.mark.parametrize("extras", ["report", "dev", "docs"])
def test_a_lock_has_the_versions_of_the_constraints_each_with_its_hashes_and_names_no_host(extras):
    pins = (line.split("==") for line in (ROOT / "constraints.txt").read_text().splitlines()[1:])
    present = {_plain(name): version for name, version in pins}
    text = re.sub(r"^#.*\n", "", (ROOT / "locks" / f"{extras}.txt").read_text(), flags=re.M)
    assert "://" not in text
    entries = [entry.split() for entry in text.replace("\\\n", " ").splitlines()]
    names = set()
    for entry in entries:
        name, version = entry[0].split("==")
        name = _plain(name.partition("[")[0])
        names.add(name)
        assert version == present.get(name, version if name == "setuptools" else None), name
        assert re.fullmatch("--hash=sha256:[0-9a-f]{64}", entry[-1]), name
    items = [*PROJECT["project"]["dependencies"], *PROJECT["project"]["optional-dependencies"][extras]]
    assert {_plain(re.match(r"[A-Za-z0-9._-]+", r)[0]) for r in items} - {"fairstats"} <= names
    assert {"hatchling", "editables"} <= names  # which build fairstats in place


def test_what_is_installed_here_is_what_the_constraints_pin():
    """The numbers in the tests were checked with these versions; a machine with others should know."""
    if not (ROOT / ".venv").exists() or Path(sys.prefix).resolve() != (ROOT / ".venv").resolve():
        pytest.skip("not the environment that make sets up")
    for line in (ROOT / "constraints.txt").read_text().splitlines()[1:]:
        name, version = line.split("==")
        try:
            assert importlib.metadata.version(name) == version, name
        except importlib.metadata.PackageNotFoundError:
            continue


def _plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


@pytest.fixture
def machine(tmp_path):
    """A machine without any system package: its tools are stand-ins that record how they were called."""
    folder = tmp_path / "bin"
    folder.mkdir()

    def make(user: int, **programs: str) -> dict[str, str]:
        stand_ins = {
            "id": f"echo {user}",
            "dpkg-query": "exit 1",
            "apt-cache": "exit 100",
            "apt-get": f'echo "$@" >> {tmp_path}/apt.log',
            **programs,
        }
        for name, body in stand_ins.items():
            file = folder / name
            file.write_text(f"#!/bin/sh\n{body}\n")
            file.chmod(file.stat().st_mode | stat.S_IXUSR)
        return {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}", "PYTHON": sys.executable}

    return make


def setup(env: dict[str, str], venv: Path, *groups: str, extras: str = "report") -> subprocess.CompletedProcess:
    command = [str(ROOT / "tools" / "setup.sh"), str(venv), extras, *groups]
    return subprocess.run(command, capture_output=True, text=True, env=env)


def test_without_root_the_setup_prints_the_line_that_installs_and_stops(machine, tmp_path):
    done = setup(machine(user=1000), tmp_path / "venv", "report", "checks")
    assert done.returncode == 1
    line = next(line for line in done.stderr.splitlines() if "sudo" in line)
    assert line.strip() == (
        "sudo apt-get install --no-install-recommends libpango-1.0-0 libpangoft2-1.0-0 libharfbuzz-subset0 "
        "fonts-dejavu-core poppler-utils qpdf postgresql chromium"
    )
    assert not (tmp_path / "venv").exists() and not (tmp_path / "apt.log").exists()


def test_headers_of_python_are_required_where_they_are_missing_since_r_in_python_is_compiled(machine, tmp_path):
    for missing, arguments in ((True, True), (False, False)):
        body = f'case "$*" in *Python.h*) exit {int(missing)};; *-dev*) echo "python3.11-dev|python3-dev";; esac'
        env = {**machine(1000, python3=body, **{"apt-cache": "exit 0"}), "PYTHON": "python3"}
        line = setup(env, tmp_path / "venv", "r").stderr
        assert "r-base-dev" in line and ("python3.11-dev" in line) is arguments
        assert "python3.11-dev" not in setup(env, tmp_path / "venv", "report").stderr


def test_of_two_names_for_a_package_the_one_that_the_distribution_has_is_required(machine, tmp_path):
    ubuntu = 'test "$2" = chromium-browser || test "${2#lib}" != "$2"'
    done = setup(machine(1000, **{"apt-cache": ubuntu}), tmp_path / "venv", "checks")
    assert "poppler-utils qpdf postgresql chromium-browser\n" in done.stderr
    has = 'for p; do :; done; case "$p" in lib*|r-*) exit 1;; *) echo install ok installed;; esac'
    there = machine(1000, **{"dpkg-query": has, "python3": "exit 0"})
    done = setup({**there, "PYTHON": "python3"}, tmp_path / "venv", "checks")
    assert "sudo" not in done.stderr


def test_as_root_the_setup_installs_what_is_missing_and_only_that(machine, tmp_path):
    has_pango = 'for p; do :; done; case "$p" in libpango*) echo install ok installed;; *) exit 1;; esac'
    (tmp_path / "venv" / "bin").mkdir(parents=True)
    pip = tmp_path / "venv" / "bin" / "python"
    early = f'case "$*" in */dev/fd/*) for p; do :; done; exec cat "$p" > {tmp_path}/early.txt;; esac'
    pip.write_text(f'#!/bin/sh\n{early}\necho "$@" >> {tmp_path}/pip.log\n')
    pip.chmod(0o755)
    done = setup(machine(0, **{"dpkg-query": has_pango}), tmp_path / "venv", "report", extras="dev")
    assert done.returncode == 0, done.stderr
    update, install = (tmp_path / "apt.log").read_text().splitlines()
    assert update.split()[0] == "update"
    assert install.split()[-2:] == ["libharfbuzz-subset0", "fonts-dejavu-core"] and "libpango" not in install
    locked, current = (tmp_path / "pip.log").read_text().splitlines()
    assert locked.endswith("--require-hashes -r locks/dev.txt")
    assert current.endswith("--no-deps --no-build-isolation -e .")
    # what is compiled against R comes when R is there, everything else beside Debian's packages
    names = {re.match(r"[^=]+", line)[0] for line in (tmp_path / "early.txt").read_text().splitlines() if "==" in line}
    lock = {
        re.match(r"[^=]+", line)[0] for line in (ROOT / "locks" / "dev.txt").read_text().splitlines() if "==" in line
    }
    assert lock - names == {"rpy2", "rpy2-rinterface", "rpy2-robjects"} and names < lock


def test_a_python_that_is_too_old_is_named(machine, tmp_path):
    body = 'case "$*" in *version_info*) exit 1;; --version) echo Python 3.9.2;; esac'
    env = {**machine(user=0, python3=body), "PYTHON": "python3"}
    done = setup(env, tmp_path / "venv", "report")
    assert done.returncode == 1 and "Python 3.9.2 is too old; fairstats needs Python 3.11 or newer" in done.stderr
