"""The page in a browser: it asks for nothing, logs nothing, runs nothing, and fits a telephone."""

from __future__ import annotations

import json
import os
import shutil
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import fairstats
from fairstats.reporting.report import report
from tests.reporting.browser import Browser
from tests.reporting.sample import SCRIPT, sample


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    path = tmp_path_factory.mktemp("page") / "audit.html"
    report(sample(), to=path)
    return path


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    if program is None:
        assert os.environ.get("CI") != "true", "continuous integration needs Chromium: apt-get install chromium"
        pytest.skip("Chromium is not installed: sudo apt-get install chromium")
    with Browser(program, tmp_path_factory.mktemp("profile")) as opened:
        yield opened


@pytest.mark.long
@pytest.mark.parametrize("width", [360, 1200])
def test_no_request_no_message_no_sideways_scrolling(browser, page, width):
    seen = browser.visit(page.as_uri(), width)
    assert [r for r in seen.requests if not r.startswith("data:")] == [page.as_uri()]
    assert seen.messages == []
    assert seen.scroll_width <= width
    assert "Inter" in seen.faces
    assert SCRIPT in seen.text


def test_the_client_sees_requests_and_messages_where_there_are_some(browser, tmp_path):
    bad = tmp_path / "bad.html"
    bad.write_text("<img src='absent.png'><script>console.error('seen')</script><p style='width:2000px'>wide")
    seen = browser.visit(bad.as_uri(), 360)
    assert any(r.endswith("absent.png") for r in seen.requests)
    assert any("seen" in m for m in seen.messages)
    assert seen.scroll_width > 360


def test_a_browser_runs_no_script_in_a_report_whatever_its_template_holds(browser, tmp_path):
    script = "<p>text<script>console.error('it-has-run')</script><img src='data:,' onerror=console.error('it-has-run')>"
    start = "<!doctype html><html lang=en><head><title>t</title></head><body>"
    (tmp_path / "report.html.j2").write_text(start + script)
    report(sample(), templates=tmp_path, to=tmp_path / "own.html")
    (tmp_path / "control.html").write_text(start + script)
    ran = {
        name: [m for m in browser.visit((tmp_path / name).as_uri(), 800).messages if "it-has-run" in m]
        for name in ("own.html", "control.html")
    }
    assert not ran["own.html"] and len(ran["control.html"]) == 2


AXE = """axe.run(document, {runOnly: {type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag2aaa', 'wcag21a', 'wcag21aa',
'wcag22aa', 'best-practice']}}).then(found => JSON.stringify(found.violations.map(
v => [v.id, v.nodes.map(n => n.html)])))"""


def _six(rng: np.random.Generator) -> dict[str, tuple[list, dict]]:
    """Reports of every kind: scores of two attributes, a decision, thirty groups, a law, a method, a comparison."""
    n = 900
    frame = pd.DataFrame(rng.standard_normal((n, 3)), columns=["p", "q", "r"])
    frame["race"] = rng.choice(["White", "Black", "Hispanic or Latino", "Asian"], n)
    frame["sex"] = rng.choice(["Female", "Male"], n)
    frame["score"] = rng.integers(1, 11, n)
    frame["y"] = (rng.random(n) < frame.score / 11).astype(int)
    frame["office"] = rng.choice(["north", "south"], n)
    frame["hired"] = (rng.random(n) < 0.3 + 0.1 * (frame.sex == "Male")).astype(int)
    frame["region"] = [f"Region {i % 30}" for i in range(n)]
    fit = fairstats.og(frame[["p", "q", "r"]], frame.race, 2)
    scored = {"outcome": "y", "score": "score", "threshold": 5, "favorable": 0}
    arguments = {"outcome": "y", "groups": "race", "features": ["p", "q", "r"], "n_repeats": 3, "progress": False}
    law = fairstats.audit(frame, "hired", ["sex", "race", "sex:race"])
    return {
        "scores": ([fairstats.audit(frame, groups=["race", "sex"], **scored)], {}),
        "decision": ([fairstats.audit(frame, "hired", ["sex", "race"], strata="office", margin=0.1)], {}),
        "thirty groups": ([fairstats.audit(frame, groups="region", **scored)], {}),
        "law": ([law], {"preset": "ll144"}),
        "method": (
            [fit, fairstats.leakage(fit, frame[["p", "q", "r"]], frame.race, permutations=9)],
            {"preset": "method"},
        ),
        "comparison": ([fairstats.compare(frame, methods=["none", "og"], k=2, **arguments)], {}),
    }


@pytest.fixture(scope="module")
def six(tmp_path_factory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("six")
    result = _six(np.random.default_rng(7))
    for name, (results, how) in result.items():
        report(*results, to=folder / f"{name}.html", **how)
    return {name: folder / f"{name}.html" for name in result}


@pytest.fixture(scope="module")
def axe() -> str:
    file = Path(os.environ.get("FAIRSTATS_AXE") or Path(sys.prefix) / "share/axe-core/axe.min.js")
    if not file.is_file():
        assert os.environ.get("FAIRSTATS_AXE") is None, f"FAIRSTATS_AXE names {file}, which is not there"
        pytest.skip("axe-core is not installed: make test installs it with npm; or FAIRSTATS_AXE names axe.min.js")
    return file.read_text()


@pytest.mark.parametrize("name", ["scores", "decision", "thirty groups", "law", "method", "comparison"])
def test_axe_finds_no_violation_best_practice_included(browser, six, axe, name):
    between = [(768, False)] * (name == "scores")
    for width, dark in ((360, False), *between, (1280, False), (1280, True)):
        result = json.loads(browser.ask(six[name].as_uri(), width, AXE, before=axe, dark=dark))
        assert result == [], (width, dark)


def test_axe_finds_a_violation_where_there_is_one(browser, axe, tmp_path):
    (tmp_path / "bad.html").write_text("<!doctype html><html><title>t</title><main><h1>t</h1><img src='data:,'>")
    result = json.loads(browser.ask((tmp_path / "bad.html").as_uri(), 1280, AXE, before=axe))
    assert {"image-alt", "html-has-lang"} <= {rule for rule, _ in result}


def test_on_a_telephone_every_cell_is_in_sight_and_named_by_its_column(browser, page):
    seen = browser.ask(
        page.as_uri(),
        360,
        """[...document.querySelectorAll('.full td')].filter(c => c.getBoundingClientRect().right > 360 ||
        getComputedStyle(c, '::before').content.length < 3).map(c => c.textContent)""",
    )
    assert seen == []


@pytest.mark.long
@pytest.mark.parametrize("width", [360, 400, 768])
def test_no_number_of_a_table_breaks_in_two(browser, page, width):
    broken = """[...document.querySelectorAll('td')].filter(c => c.children.length == 0 && /^[−+0-9.,%]+$/.test(
        c.textContent.trim())).filter(c => { const r = document.createRange(); r.selectNodeContents(c);
        return new Set([...r.getClientRects()].map(b => b.top)).size > 1; }).map(c => c.textContent)"""
    assert browser.ask(page.as_uri(), width, broken) == []


@pytest.mark.long
def test_only_what_scrolls_has_a_tab_stop_and_small_text_has_a_contrast_of_seven(browser, page):
    narrow = "filter(t => t.querySelectorAll('thead th').length < 7).length"
    assert browser.ask(page.as_uri(), 768, f"[...document.querySelectorAll('.table[tabindex]')].{narrow}") == 0
    color = "getComputedStyle(document.querySelector('.note')).color"
    assert browser.ask(page.as_uri(), 768, color) == "rgb(89, 89, 89)"
    assert browser.ask(page.as_uri(), 768, color, dark=True) == "rgb(180, 180, 180)"


@pytest.mark.long
def test_figures_take_the_colors_of_a_house_style_on_the_page_and_in_the_pdf(browser, tmp_path):
    from fairstats.reporting.render import _resolved

    (tmp_path / "styles").mkdir()
    packaged = (Path(__file__).parents[2] / "templates/styles/tokens.css").read_text()
    (tmp_path / "styles/tokens.css").write_text(packaged.replace("#0b4f8a", "#7a1f5c"))
    result = report(sample(), templates=tmp_path, to=tmp_path / "own.html")
    color = "getComputedStyle(document.querySelector('svg [stroke*=accent]')).stroke"
    assert browser.ask((tmp_path / "own.html").as_uri(), 900, color) == "rgb(122, 31, 92)"
    printed = _resolved(result.html)
    assert "#7a1f5c" in printed.split("<svg", 1)[1] and "var(--" not in printed
