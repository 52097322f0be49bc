"""A notebook with every kind of result, executed and converted as a user does it, and opened in a browser."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from tests.reporting.browser import Browser
from tests.results import NAMES

# Found and not imported: it takes 3 s, which every worker would spend while it lists the tests.
if find_spec("nbconvert") is None:
    pytest.skip("nbconvert is not installed; it is among the extra dev", allow_module_level=True)
pytestmark = pytest.mark.long
ROOT = Path(__file__).resolve().parent.parent
OUTSIDE = "A paragraph of the reader.\n\n| their | table |\n|---|---|\n| 1 | 2 |\n"
PROSE = "p, h1, table, th, td"


def convert(folder: Path, *words: str) -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "IPYTHONDIR": str(folder / "ipython")}
    command = [sys.executable, "-m", "nbconvert", "--log-level", "ERROR", *words]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr[-3000:]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the notebook: executed, as a page, and as the page that it would be without our outputs."""
    import nbformat

    result = tmp_path_factory.mktemp("notebook")
    cell, text = nbformat.v4.new_code_cell, nbformat.v4.new_markdown_cell
    cells = [text(f"# A reader's heading\n\n{OUTSIDE}")]
    cells.append(cell("import fairstats as fs\nfrom tests.results import results\nmade = results()"))
    cells += [cell(f"made[{name!r}]") for name in NAMES]
    cells += [
        cell("made['audit'].plot()"),
        cell("made['comparison'].plot('ecdf')"),
        cell("fs.report(made['audit'])"),
        cell("fs.tally(fs.arrests(), 'released', 'colour')"),
        cell("made['audit'].tidy().head(2)"),
    ]
    cells.append(text(OUTSIDE))
    nbformat.write(nbformat.v4.new_notebook(cells=cells), result / "notebook.ipynb")
    convert(result, "--to", "notebook", "--execute", "notebook.ipynb", "--output", "executed.ipynb")
    convert(result, "--to", "html", "executed.ipynb", "notebook.ipynb")
    return result


@pytest.fixture(scope="module")
def outputs(folder: Path) -> dict[str, dict[str, Any]]:
    """What each cell showed, by its source and kind."""
    cells = json.loads((folder / "executed.ipynb").read_text())["cells"]
    shown = [(cell["source"], cell["outputs"]) for cell in cells if cell["cell_type"] == "code"]
    return {"".join(source): result[0]["data"] for source, result in shown if result}


def test_every_result_shows_itself(outputs: dict[str, dict[str, Any]]) -> None:
    for name in NAMES:
        data = outputs[f"made[{name!r}]"]
        page, plain = "".join(data["text/html"]), "".join(data["text/plain"])
        assert "<table" in page and "<style" not in page and len(page) < 60_000
        assert len(plain.split("\n")) <= 60
    counted = outputs["fs.tally(fs.arrests(), 'released', 'colour')"]
    assert "Tally of 5,226 rows in 4 cells" in "".join(counted["text/html"]) and "<style" not in counted["text/html"]
    drawn = outputs["made['audit'].plot()"]
    assert {"text/html", "image/png", "image/svg+xml"} <= set(drawn)
    assert len(json.dumps(drawn)) < 400_000
    assert "".join(outputs["fs.report(made['audit'])"]["text/plain"]).startswith("<Report: ")


def test_no_output_brings_a_style_sheet_or_a_script(outputs: dict[str, dict[str, Any]]) -> None:
    for source, data in outputs.items():
        page = re.sub(r'srcdoc="[^"]*"', "", "".join(data.get("text/html", "")))
        if "tidy" not in source:  # pandas brings a scoped one
            assert not re.search(r"<(style|script|link|meta|base)\b", page, re.IGNORECASE), source


def test_in_a_browser_everything_is_drawn_and_the_page_looks_as_before(folder: Path, tmp_path: Path) -> None:
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    if program is None:
        assert os.environ.get("CI") != "true", "continuous integration needs Chromium: apt-get install chromium"
        pytest.skip("Chromium is not installed: sudo apt-get install chromium")
    # variables of the notebook's theme are listed in any order, and set nothing by themselves
    prose = f"""[...document.querySelectorAll('.jp-RenderedMarkdown')].map(cell =>
        [...cell.querySelectorAll('{PROSE}')].map(part => {{
            const style = getComputedStyle(part);
            return [...style].filter(name => !/^(--|width|inline-size|perspective|transform)/.test(name))
                .map(name => name + ':' + style.getPropertyValue(name)).join(';')
        }}))"""
    images = "[...document.querySelectorAll('img')].map(image => [image.naturalWidth, image.alt.length])"
    frames = "[...document.querySelectorAll('iframe')].map(frame => frame.srcdoc.length)"
    with Browser(program, tmp_path / "profile") as browser:
        before = browser.ask((folder / "notebook.html").as_uri(), 1200, prose)
        after = browser.ask((folder / "executed.html").as_uri(), 1200, prose)
        drawn = browser.ask((folder / "executed.html").as_uri(), 1200, images)
        framed = browser.ask((folder / "executed.html").as_uri(), 1200, frames)
    assert len(before) == 2 and all(len(cell) >= 6 for cell in before)
    assert after == before
    assert len(drawn) == 2 and all(width > 100 and alt > 50 for width, alt in drawn)
    assert len(framed) == 1 and framed[0] > 20_000


def test_an_error_in_a_notebook_shows_the_callers_line_and_the_message(tmp_path: Path) -> None:
    import nbformat

    book = nbformat.v4.new_notebook()
    code = "import fairstats as fs\nd = {'sex': ['f', 'm'] * 40, 'hired': [0, 1] * 40}"
    calls = ["def mine():\n    return fs.audit(d, 'hird', 'sex')\nmine()", "fs.og(['hired'], 'sx', data=d, k=1)"]
    book.cells = [nbformat.v4.new_code_cell(text) for text in (code, *calls)]
    nbformat.write(book, tmp_path / "errors.ipynb")
    convert(tmp_path, "--execute", "--allow-errors", "--to", "notebook", "--output", "done.ipynb", "errors.ipynb")
    for cell in nbformat.read(tmp_path / "done.ipynb", as_version=4).cells[1:]:
        lines = "\n".join(cell.outputs[0].traceback).splitlines()
        assert (
            len(lines) <= 8
            and "did you mean" in lines[-1]
            and lines[-1].startswith(("InputError: ", "UnknownColumn: "))
        )
        assert any("fs." in line for line in lines) and not any("validation.py" in line for line in lines)
