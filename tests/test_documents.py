"""The README's blocks and the vignettes run as they stand, and what they say comes out."""

from __future__ import annotations

import ast
import functools
import importlib
import importlib.util
import inspect
import itertools
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import binom

import fairstats.cli
from fairstats.methods.registry import METHODS
from tests.oracle.r import requires_r
from tests.r.bridge import requires_bridge

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text()
ENV = {**os.environ, "PYTHONPATH": str(ROOT)}


GUIDE = ROOT / "docs" / "guide"
COMMANDS = (GUIDE / "command-line.md").read_text()


def blocks(language: str, text: str = README) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", text, flags=re.S | re.M)


def run(command: list[str], folder: Path, **environment: str) -> str:
    done = subprocess.run(command, cwd=folder, env={**ENV, **environment}, capture_output=True, text=True)
    assert done.returncode == 0, f"{shlex.join(command)}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def tour(tmp_path_factory) -> tuple[Path, str]:
    """A folder in which a reader has followed the Python part, and what it printed."""
    folder = tmp_path_factory.mktemp("tour")
    return folder, run([sys.executable, "-c", "".join(blocks("python"))], folder)


def test_the_python_part_runs_and_writes_its_files(tour):
    folder, printed = tour
    assert {"arrests.csv", "audit.html", "audit.pdf"} <= {f.name for f in folder.iterdir()}
    assert "Orthogonal to groups" in printed and "holds" in printed and "AUC" in printed


def test_the_examples_are_of_five_lines_or_a_little_more():
    """A visitor reads no more; comments and blank lines apart."""
    for example in (*blocks("python"), blocks("bash")[1], *blocks("r")):
        assert len([line for line in example.splitlines() if line.strip()]) <= 7, example


def test_the_page_of_groups_known_as_probabilities_runs_and_begins_with_what_a_user_of_two_files_types(tmp_path):
    code = re.findall(r"^```\{run\} python\n(.*?)^```$", (GUIDE / "uncertain-groups.md").read_text(), flags=re.S | re.M)
    hidden, usual = code[0].removeprefix(":hide:\n"), code[1]
    assert hidden != code[0] and not any(":hide:" in block for block in code[1:])
    assert "people.csv" in usual and "bisg.csv" in usual and 'known="race"' in usual
    assert len([line for line in usual.splitlines() if line and not line.startswith("import")]) == 4
    more = "truth = rates['Black'] - rates['White']\n"
    more += (
        "row = fs.group_probabilities(mixed, 'released', groups, known='race', reference='White').by_bound().iloc[0]\n"
    )
    more += "print('holds', row.low <= truth <= row.high)\n"
    assert run([sys.executable, "-c", "".join([hidden, *code[1:], more])], tmp_path).endswith("holds True\n")


def test_the_part_on_r_from_python_runs(tmp_path):
    requires_bridge()
    page = (GUIDE / "r-and-python.md").read_text()
    code = "import fairstats as fs\nimport fairstats.r as fr\npeople = fs.arrests()\n" + "".join(blocks("python", page))
    assert "none · glm (R)" in run([sys.executable, "-c", code], tmp_path)


def test_functions_of_r_that_do_not_begin_with_fair_are_named_where_the_rule_is():
    """The page on both languages gives the rule and its exceptions; R's help page names each one."""
    package = ROOT / "r" / "fairstats"
    exported = re.findall(r"^export\((\w+)\)$", (package / "NAMESPACE").read_text(), re.M)  # without former names
    others = {name for name in exported if not name.startswith("fair_")}
    names = (package / "man" / "fairstats-package.Rd").read_text().partition("\\section{Names}")[2]
    assert others == set(re.findall(r"\\link\[.*?\]\{(\w+)\(\)\}", names.partition("Tables have")[0]))
    page = (GUIDE / "r-and-python.md").read_text()
    rule = page.partition("Methods that fit or")[2].partition("Different on purpose")[0]
    kinds = {*METHODS, "arrests", "tidy", "glance", "augment"}  # which the rule has as methods, data and verbs
    single = {name for name in others - kinds if not name.startswith(("step_", "simulate_"))}
    assert {name for name in single if f"`{name}" not in rule} == set()


def test_the_picture_of_the_readme_is_of_the_finding_below_it():
    """`tools/readme_picture.py` keeps the finding in the picture; a picture of other numbers has to be drawn again."""
    (name,) = re.findall(r"^!\[[^\]]+\]\((.+)\)$", README, flags=re.M)
    picture = (ROOT / name).read_bytes()
    assert picture.startswith(b"\x89PNG") and len(picture) < 60_000
    text = picture[picture.index(b"tEXtDescription\0") + 16 :]
    assert text.startswith(blocks("text")[0].strip().encode())


def test_the_measured_numbers_of_the_readme_are_those_of_the_page_of_verdicts():
    page = (ROOT / "docs" / "verdicts.md").read_text()
    table = page.partition("## Two groups of equal rates: chance of a false claim of difference, beside")[2]
    rows = re.findall(r"^\| (\d+ and \d+ people, rate [\d.]+) \| ([\d.]+%) \| ([\d.]+%) \| ([\d.]+%) \|", README, re.M)
    assert len(rows) == 3
    for name, *cells in rows:
        assert f"| {name} | {' | '.join(cells)} |" in table, name


def test_a_rule_about_the_size_of_a_ratio_breaks_by_chance_as_often_as_the_readme_says():
    """AIF360's and aequitas' rule by binomial probabilities; their cells are of 500 samples."""
    rows = re.findall(r"^\| (\d+) and (\d+) people, rate ([\d.]+) (?:\| [\d.]+% ){3}\| (\d+)% \|", README, re.M)
    assert len(rows) == 3
    for n1, n0, rate, cell in rows:
        first, second = (np.arange(int(n) + 1) for n in (n1, n0))
        law = np.outer(binom.pmf(first, int(n1), float(rate)), binom.pmf(second, int(n0), float(rate)))
        one, other = (first / int(n1))[:, None], second / int(n0)
        outside = law[(one < 0.8 * other) | (one > 1.25 * other)].sum()
        assert abs(int(cell) / 100 - outside) < 0.005 + 3 * (outside * (1 - outside) / 500) ** 0.5


def test_every_command_of_the_readme_and_of_its_page_runs(tour, monkeypatch, capsys):
    folder, _ = tour
    monkeypatch.chdir(folder)
    commands = [line for text in (README, COMMANDS) for block in blocks("bash", text) for line in block.splitlines()]
    commands = [line for line in commands if line.startswith("fairstats")]
    assert len(commands) >= 12
    (protocol,) = blocks("toml", COMMANDS)
    printed = {}
    for command in dict.fromkeys(commands):
        if "--protocol" in command:
            (folder / "audit.toml").write_text(protocol)
        assert fairstats.cli.run(shlex.split(command)[1:]) == 0, command
        printed[command] = capsys.readouterr().out
        assert printed[command] or "--to" in command, command
    assert (folder / "adjusted.csv").exists() and (folder / "results.csv").exists()
    assert "Protocol (read from audit.toml" in printed["fairstats audit arrests.csv --protocol audit.toml"]


def test_the_two_commands_of_the_readme_are_targets_of_the_makefile():
    targets = re.findall(r"^make (\w+)", blocks("bash")[0], flags=re.M)
    assert targets == ["demo", "test"]
    for target in (*targets, *re.findall(r"`make (\w+)`", README + (ROOT / "CONTRIBUTING.md").read_text())):
        assert re.search(rf"^{target}:", (ROOT / "Makefile").read_text(), flags=re.M), target


def test_the_r_part_of_the_readme_runs_in_r(tour, tmp_path):
    requires_r("reticulate", "tibble", "generics")
    folder, _ = tour
    package = str(ROOT / "r" / "fairstats")
    how = ["--no-docs", "--no-byte-compile", "--no-test-load", f"--library={tmp_path}"]
    run(["R", "CMD", "INSTALL", *how, package], tmp_path)
    (script,) = blocks("r")
    (folder / "tour.R").write_text(script)
    there = {"R_LIBS": str(tmp_path), "RETICULATE_PYTHON": sys.executable, "TZ": "UTC"}
    printed = run(["Rscript", "--vanilla", "tour.R"], folder, **there)
    assert (folder / "audit-from-r.pdf").read_bytes().startswith(b"%PDF")
    assert "A tibble: 6" in printed and "PC3" in printed


DOCUMENTS = ["README.md", "CONTRIBUTING.md", "ARCHITECTURE.md", "templates/README.md"]
DOCUMENTS += ["docs/estimable.md", "docs/metrics.md", "docs/coverage.md", "docs/guide/command-line.md"]
ENDINGS = "po|mo|md|py|cff|txt|csv|toml|json|html|pdf|svg|css|j2|R|sh"
# Files that a reader makes, or that a report writes; folders of a reader's own.
MADE = {
    "audit.toml",
    "results.json",
    "results.csv",
    "presets/mine.html.j2",
    "data/",
    "golden/",
    "locale/fr/LC_MESSAGES/fairstats.po",
}


def docstrings() -> dict[str, str]:
    """Return every docstring of the package with the place where it stands."""
    entries = {}
    for file in sorted((ROOT / "fairstats").rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and (text := ast.get_docstring(node)):
                entries[f"{file.relative_to(ROOT)}:{getattr(node, 'name', '')}"] = text
    return entries


@functools.cache
def texts() -> dict[str, str]:
    """Return the documents and the docstrings by the place where they stand."""
    return {**{name: (ROOT / name).read_text() for name in DOCUMENTS}, **docstrings()}


@functools.cache
def tracked() -> frozenset[str]:
    """Return the paths of the tree, each also without the folders that it begins with."""
    folders = ("fairstats", "tests", "tools", "docs", "benchmarks", "templates", "r", "vignettes", "packages", ".ci")
    files = [f for folder in folders for f in (ROOT / folder).rglob("*") if f.is_file()] + list(ROOT.glob("*.*"))
    parts = [file.relative_to(ROOT).parts for file in files]
    return frozenset("/".join(path[at:]) for path in parts for at in range(len(path)))


def test_files_and_folders_that_the_documents_name_exist():
    missing = []
    for place, text in texts().items():
        files = re.findall(rf"(?<!`)`((?:[\w.-]+/)*[\w.-]+\.(?:{ENDINGS}))`(?!`)", text)
        missing += [(place, name) for name in files if name not in MADE | tracked()]
        for name in set(re.findall(r"(?<!`)`((?:[\w-]+/)+)`(?!`)", text)) - MADE:
            if not any((root / name).is_dir() for root in (ROOT, ROOT / "fairstats", ROOT / "templates")):
                missing.append((place, name))
    assert missing == []


def resolved(name: str) -> object:
    """Return what a dotted name of the package stands for; AttributeError where there is none."""
    thing: object = fairstats
    path = "fairstats"
    for part in name.split(".")[1:]:
        path = f"{path}.{part}"
        try:
            thing = getattr(thing, part)
        except AttributeError:
            if importlib.util.find_spec(path) is None:
                raise
            thing = importlib.import_module(path)
    return thing


def test_names_of_the_package_that_the_documents_use_exist():
    rooms = {f.stem for f in (ROOT / "fairstats").iterdir() if f.suffix == ".py" or (f / "__init__.py").exists()}
    missing = []
    for place, text in texts().items():
        names = re.findall(r"\b(?:fairstats|fs)((?:\.[A-Za-z_]\w*)+)", text)
        if place != "templates/README.md":  # whose names are those of a context
            names += [f".{name}" for name in re.findall(rf"`((?:{'|'.join(sorted(rooms))})(?:\.\w+)+)`", text)]
        for name in names:
            if name.rpartition(".")[2] in ENDINGS.split("|"):
                continue
            try:
                resolved(f"fairstats{name}")
            except (AttributeError, ModuleNotFoundError):
                missing.append((place, f"fairstats{name}"))
    assert missing == []


SCRIPTS = sorted((ROOT / "vignettes").glob("*.py"))


@pytest.mark.long
@pytest.mark.parametrize(
    "script",  # the site runs all of them, too
    [pytest.param(s, id=s.stem, marks=[pytest.mark.slow] if s.stem != "federated" else []) for s in SCRIPTS],
)
def test_a_vignette_runs_and_its_page_asks_nobody_for_anything(script, tmp_path):
    run([sys.executable, str(ROOT / "tools" / "vignettes.py"), "--to", str(tmp_path), str(script)], tmp_path)
    page = (tmp_path / f"{script.stem}.html").read_text()
    assert page.count("data:image/") >= 2
    assert not re.search(r"""(?:src|href)=["'](?:https?:)?//""", page)


def helped() -> dict[str, str]:
    """The help of every public function, class and method."""
    texts, modules = {}, [fairstats, fairstats.stats, fairstats.comparators]
    for module in modules:
        for name in module.__all__:
            value = getattr(module, name)
            texts[name] = inspect.getdoc(value) or ""
            if inspect.isclass(value):
                parts = inspect.getmembers(value, lambda part: inspect.isfunction(part) or isinstance(part, property))
                texts |= {f"{name}.{k}": inspect.getdoc(part) or "" for k, part in parts if not k.startswith("_")}
    return texts


def test_help_stands_alone():
    """Who installed the package has no folder of ours: help points to none."""
    texts = helped()
    assert len(texts) > 150 and "Parameters" in texts["audit"]
    assert [
        name for name, text in texts.items() if re.search(r"\b(docs|benchmarks|tests|tools|templates)/", text)
    ] == []


def test_the_site_has_a_page_for_every_public_name(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "docs" / "_site"))
    pages = importlib.import_module("reference_pages")
    members = {entry.name for _, _, entries in pages.subjects() for entry in entries}
    assert {f"fs.{name}" for name in fairstats.__all__} - {"fs.stats", "fs.comparators"} <= members
    assert {f"fs.stats.{name}" for name in fairstats.stats.__all__} <= members


def test_the_page_of_a_name_links_others_of_its_subject(monkeypatch, tmp_path):
    monkeypatch.syspath_prepend(str(ROOT / "docs" / "_site"))
    pages = importlib.import_module("reference_pages")
    pages.write(tmp_path)
    for _, _, entries in pages.subjects():
        for entry, other in itertools.pairwise(entries):
            assert f":doc:`{other.name} <{other.page}>`" in (tmp_path / f"{entry.page}.rst").read_text(), entry.name
