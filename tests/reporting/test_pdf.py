"""The PDF: tagged, complete, attached, the same bytes twice, and closed to the machine it is made on."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import fairstats
from fairstats.errors import FileError
from fairstats.reporting import render
from fairstats.reporting.report import report
from tests.reporting.sample import sample

weasyprint = pytest.importorskip("weasyprint", reason="WeasyPrint is not installed: pip install weasyprint")


def tool(name: str) -> str:
    path = shutil.which(name)
    if path is None:
        pytest.skip(f"{name} is not installed: sudo apt-get install poppler-utils qpdf")
    return path


def run(*command: object) -> str:
    return subprocess.run([str(c) for c in command], check=True, capture_output=True, text=True).stdout


@pytest.fixture(scope="module")
def result():
    return report(sample())


@pytest.fixture(scope="module")
def file(result, tmp_path_factory):
    path = tmp_path_factory.mktemp("pdf") / "audit.pdf"
    result.write(path)
    return path


def test_structure_is_sound(file):
    assert "No syntax or stream encoding errors found" in run(tool("qpdf"), "--check", file)


def test_is_tagged_titled_and_numbered(file, result):
    info = run(tool("pdfinfo"), file)
    assert "Tagged:          yes" in info and result.title in info
    last = int(info.split("Pages:")[1].split()[0])
    text = run(tool("pdftotext"), "-layout", file, "-")
    assert f"page {last} of {last}" in text and f"Report {result.id}" in text


def test_attachments_equal_the_results(file, result, tmp_path):
    run(tool("pdfdetach"), "-saveall", "-o", tmp_path, file)
    kept, alone = json.loads((tmp_path / "results.json").read_text()), json.loads(result.json)
    assert kept.pop("pages")["preset"] == "generic" and kept.pop("software")["weasyprint"]
    assert alone.pop("software") and list(kept) == list(alone) and kept == alone
    assert (tmp_path / "results.csv").read_text() == result.csv


def test_fonts_are_embedded(file):
    lines = run(tool("pdffonts"), file).splitlines()[2:]
    assert lines and all(" yes yes " in line for line in lines)


def test_a_minus_is_one_character_in_text_tables_and_figures(file):
    text = run(tool("pdftotext"), "-layout", file, "-")
    assert "−12.0" in text and "−18.0 to −6.0" in text  # no wider space before the second
    assert re.findall(r"(?<![\w-])-\d[^\n]*", text) == []
    assert "Black & brown" in text and "<script>alert(1)</script>" in text


def test_page_one_is_the_argument(file):
    first = run(tool("pdftotext"), "-l", 1, file, "-")
    assert all(heading in first for heading in ("Every group", "What this does not show", "Before you rely on it"))


def test_bookmarks_lead_to_the_sections(file):
    pikepdf = pytest.importorskip("pikepdf", reason="pikepdf is not installed")
    with pikepdf.open(file) as opened, opened.open_outline() as outline:
        titles = [item.title for item in outline.root]
    assert titles[:2] == ["Page one", "Scope and protocol, given with the run"]
    assert titles[-1].startswith("Provenance")


def test_same_report_gives_the_same_bytes(result, file):
    assert result.to_pdf() == file.read_bytes()


@pytest.mark.parametrize(
    "html",
    [
        '<a rel="attachment" href="file:///etc/hostname">x</a>',
        '<img src="file:///etc/hostname">',
        '<link rel="stylesheet" href="http://127.0.0.1:9/x.css">',
        "<style>@import url(http://127.0.0.1:9/x.css);</style>",
        '<style>p { background: url("https://127.0.0.1:9/x.png") }</style><p>x',
    ],
)
def test_a_template_reaches_neither_files_nor_the_network(html):
    with pytest.raises(FileError, match="a template asks for"):
        render.pdf(f"<title>t</title>{html}", (), "2024-01-01T00:00:00+00:00", "id")


def test_two_gaps_beside_each_other_leave_room_for_the_names_of_groups(tmp_path: Path) -> None:
    """The gap as it is and that within strata, with the outcome: no name is cut, and no number runs into another."""
    rng = np.random.default_rng(7)
    data = pd.DataFrame({"sex": rng.choice(["f", "m"], 900), "dept": rng.choice(["u", "v"], 900)})
    data["hired"], data["y"] = (
        (rng.random(900) < np.where(data.sex == "f", 0.3, 0.6)).astype(int),
        rng.integers(0, 2, 900),
    )
    result = fairstats.audit(data, "hired", "sex", outcome="y", strata="dept", reference="m", margin=0.05)
    fairstats.report(result, to=tmp_path / "r.pdf")
    first = run(tool("pdftotext"), "-layout", "-l", 1, tmp_path / "r.pdf", "-")
    assert "Men (reference)" in first
    assert re.search(r"−\d\d\.\d \(−\d\d\.\d to −\d\d\.\d\) +−\d\d\.\d \(−\d\d\.\d to −\d\d\.\d\)", first)


def test_no_line_ends_within_a_unit(tmp_path) -> None:
    """At some of these widths the line would end after the slash."""
    text = "mean 22.66 against 25.76 EUR/h; among people (EUR/h), 3 km/day"
    widths = "".join(f"<p style='width:{width}mm'>{text}</p>" for width in range(20, 70))
    made = render.pdf(f"<html lang=en><title>t</title>{widths}", (), "2024-01-01T00:00:00+00:00", "id")
    (tmp_path / "widths.pdf").write_bytes(made)
    lines = run(tool("pdftotext"), "-layout", tmp_path / "widths.pdf", "-").splitlines()
    assert len(lines) > 60 and not any(line.rstrip().endswith("/") for line in lines)
    assert sum(line.count("EUR/h") for line in lines) == 100
