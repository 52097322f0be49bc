"""The page in a browser: it asks for nothing, logs nothing, runs nothing, and fits a telephone."""

from __future__ import annotations

import os
import shutil

import pytest

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
