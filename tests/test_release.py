"""What a release is made of agrees with itself: versions, dependencies, workflows, forms, metadata, archives."""

from __future__ import annotations

import importlib
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

import fairstats

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
MAKEFILE = (ROOT / "Makefile").read_text()
WORKFLOWS = {file.stem: file.read_text() for file in (ROOT / ".github" / "workflows").glob("*.yml")}


def test_every_place_that_names_the_version_names_one():
    places = {
        "CITATION.cff": rf"^version: {re.escape(fairstats.__version__)}$",
        "conda/meta.yaml": rf'set version = "{re.escape(fairstats.__version__)}"',
        ".zenodo.json": rf'"version": "{re.escape(fairstats.__version__)}"',
        "r/fairstats/DESCRIPTION": rf"^Version: {re.escape(fairstats.__version__)}$",
        "CHANGELOG.md": rf"^## {re.escape(fairstats.__version__)}\b",
    }
    assert [name for name, text in places.items() if not re.search(text, (ROOT / name).read_text(), re.M)] == []


def test_the_notes_of_a_tag_are_its_section_of_the_changelog(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "tools"))
    notes = importlib.import_module("changelog").notes
    text = (ROOT / "CHANGELOG.md").read_text()
    assert notes(fairstats.__version__, text).count("\n- ") > 10 and "## " not in notes(fairstats.__version__, text)
    assert notes("1.0.0", "# C\n\n## 1.0.0 (2026)\n- a\n\n## 0.9.0\n- b\n") == "- a\n"
    with pytest.raises(SystemExit, match=r"no section of version 9\.9\.9"):
        notes("9.9.9", text)


def test_the_conda_recipe_needs_what_the_project_needs():
    recipe = (ROOT / "conda" / "meta.yaml").read_text()
    run = set(re.findall(r"^    - ([\w-]+) >=([\d.]+)$", recipe.partition("  run:")[2].partition("test:")[0], re.M))
    names = {"matplotlib": "matplotlib-base"}
    wanted = [*PROJECT["dependencies"], *PROJECT["optional-dependencies"]["report"]]
    pairs = {(names.get(name, name), version) for name, version in (one.split(">=") for one in wanted)}
    assert run == pairs | {("python", PROJECT["requires-python"].removeprefix(">="))}
    assert f"license: {PROJECT['license']}" in recipe


def test_workflows_call_targets_that_exist_and_nothing_else_that_checks():
    for name, text in WORKFLOWS.items():
        called = re.findall(r"\bmake (\w+)", re.sub(r"^\s*#.*$", "", text, flags=re.M))
        assert called, name
        for target in called:
            assert re.search(rf"^{target}:", MAKEFILE, flags=re.M), (name, target)
        assert not re.search(r"run: .*\b(pytest|pip|sphinx)\b", text), name


def test_the_matrix_is_of_the_pythons_that_we_declare():
    jobs = yaml.safe_load(WORKFLOWS["ci"])["jobs"]
    declared = re.findall(r"Programming Language :: Python :: (3\.\d+)", "\n".join(PROJECT["classifiers"]))
    matrix = jobs["test"]["strategy"]["matrix"]
    assert matrix["python"] == declared == ["3.11", "3.12", "3.13"]
    assert matrix["versions"] == ["locked", "lowest"]
    assert jobs["installed"]["steps"][1]["with"]["python-version"].split() == declared


def test_publishing_is_written_down_and_switched_off():
    job = yaml.safe_load(WORKFLOWS["release"])["jobs"]["publish"]
    assert job["if"] == "vars.PUBLISH == 'yes'" and job["permissions"] == {"id-token": "write"}
    assert "password" not in WORKFLOWS["release"] and "secrets." not in "".join(WORKFLOWS.values())
    for text in WORKFLOWS.values():
        assert yaml.safe_load(text)["permissions"] == {"contents": "read"}


def test_issue_forms_are_forms():
    forms = {f.stem: yaml.safe_load(f.read_text()) for f in (ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml")}
    assert set(forms) == {"config", "wrong-number", "fault", "method"}
    for name, form in forms.items():
        if name == "config":
            continue
        assert {"name", "description", "body"} <= set(form)
        ids = [part["id"] for part in form["body"]]
        assert len(set(ids)) == len(ids)
        assert all(part["attributes"]["label"] for part in form["body"])


def test_zenodo_and_the_citation_say_what_the_project_says():
    text: dict[str, Any] = json.loads((ROOT / ".zenodo.json").read_text())
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    assert text["title"] == cited["title"] and text["version"] == str(cited["version"])
    assert text["keywords"] == PROJECT["keywords"]
    assert cited["license"] == PROJECT["license"].split(" AND ")
    assert [creator["name"] for creator in text["creators"]] == [author["name"] for author in PROJECT["authors"]]


def test_the_paper_cites_what_its_bibliography_has_and_every_entry_has_a_doi():
    paper, bibtex = (ROOT / "paper" / "paper.md").read_text(), (ROOT / "paper" / "paper.bib").read_text()
    entries = dict(re.findall(r"^@\w+\{(\w+),\n(.*?)^\}", bibtex, flags=re.M | re.S))
    cited = set(re.findall(r"@([a-z]+\d*)", paper.partition("---\n\n")[2]))
    assert cited and cited <= set(entries)
    assert [key for key, entry in entries.items() if not re.search(r"^  doi = \{10\.\d+/\S+\}$", entry, re.M)] == []
    words = len(paper.partition("---\n\n")[2].split())
    assert 250 <= words <= 1000  # as the journal asks
    heads = re.findall(r"^# (.+)$", paper, flags=re.M)
    assert {"Summary", "Statement of need", "State of the field", "References"} <= set(heads)


def test_the_numbers_of_the_paper_are_those_of_the_page_of_verdicts():
    table = (ROOT / "docs" / "verdicts.md").read_text()
    assert "| 12 and 2000 people, rate 0.01 | 1.1% | 100.0% | 87.3% |" in table
    text = " ".join((ROOT / "paper" / "paper.md").read_text().split())
    assert (
        "a bootstrap interval of the largest difference excludes zero in all samples, a normal interval in 87 %" in text
    )
    assert "claims a difference in 1.1 %" in text


@pytest.mark.long
def test_archives_that_are_built_twice_are_the_same_bytes(tmp_path):
    """From two copies of the tree, with other times of files and other rights of who builds."""
    items = []
    for turn, mask in (("first", 0o022), ("second", 0o077)):
        tree = tmp_path / turn
        ignored = shutil.ignore_patterns(".*", "_build", "build", "dist", "__pycache__", "demo-report", "tests")
        shutil.copytree(ROOT, tree, ignore=ignored, copy_function=shutil.copy)
        shutil.copy(ROOT / ".gitignore", tree)
        for kind in ("wheel", "sdist"):
            command = [sys.executable, "-m", "hatchling", "build", "-t", kind, "-d", str(tmp_path / f"{turn}-dist")]
            env = {**os.environ, "SOURCE_DATE_EPOCH": "1767225600"}
            done = subprocess.run(command, cwd=tree, capture_output=True, text=True, env=env, umask=mask)
            assert done.returncode == 0, done.stderr
        items.append({file.name: file.read_bytes() for file in (tmp_path / f"{turn}-dist").iterdir()})
    assert len(items[0]) == 2 and items[0] == items[1]
