"""The site as it was built: a reader's words are found, axe-core has nothing to say, no page asks anybody for anything.

`make docs` runs these at its end; elsewhere they are skipped where no site was built.
"""

from __future__ import annotations

import json
import re
from functools import reduce
from pathlib import Path
from typing import Any

import pytest

from fairstats.methods.registry import METHODS
from fairstats.metrics import METRICS
from tests.reporting.test_browser import AXE, axe, browser

__all__ = ["axe", "browser"]  # fixtures
SITE = Path(__file__).resolve().parent.parent / "docs" / "_build" / "html"
pytestmark = pytest.mark.skipif(not (SITE / "searchindex.js").is_file(), reason="no site is built; make docs builds it")


@pytest.fixture(scope="module")
def index() -> dict[str, Any]:
    """The index that the search of the site reads."""
    text = (SITE / "searchindex.js").read_text(encoding="utf-8")
    return dict(json.loads(text[text.index("(") + 1 : text.rindex(")")]))


def found(index: dict[str, Any], query: str) -> set[str]:
    """The pages that have every word of a query, as the site's search has it."""
    stem = pytest.importorskip("snowballstemmer").stemmer("english").stemWord

    def pages(word: str) -> set[int]:
        places = [index[part].get(stem(word), []) for part in ("terms", "titleterms")]
        return {n for place in places for n in (place if isinstance(place, list) else [place])}

    numbers = reduce(set.intersection, map(pages, re.findall(r"\w+", query.lower())))
    return {index["docnames"][n] for n in numbers}


@pytest.mark.parametrize(
    ("query", "page"),
    [
        ("equalized odds", "reference/metric-equalized-odds-difference"),
        ("four fifths", "reference/metric-impact-ratio"),
        ("Mann-Whitney", "reference/metric-p-x-greater-y"),
        ("reticulate", "guide/r-and-python"),
        ("PostgreSQL", "guide/database"),
        ("tibble", "guide/r-and-python"),
        ("Lemma optimal", "reference/og"),
    ],
)
def test_the_search_finds(index, query, page):
    assert page in found(index, query)


def test_a_word_that_is_nowhere_is_not_found(index):
    assert found(index, "zzyzx") == set()


def test_every_method_and_metric_has_its_page_in_the_search(index):
    pages = set(index["docnames"])
    assert {f"reference/{row.name}" for row in METHODS.values() if not row.comparator} <= pages
    assert {f"reference/comparators-{row.name}" for row in METHODS.values() if row.comparator} <= pages
    assert sum(page.startswith("reference/metric-") for page in pages) == len(METRICS)


PAGES = ["index", "start", "guide/which-metric", "gallery/pictures", "reference/og", "reference/metric-selection-rate"]


@pytest.mark.parametrize("page", PAGES)
def test_axe_finds_no_violation(browser, axe, page):
    where, rules = (SITE / f"{page}.html").as_uri(), AXE.replace("'wcag2aaa', ", "")  # a contrast of 4.5, the theme's
    assert rules != AXE
    for width, dark in ((360, False), (1280, False), (1280, True)):
        assert json.loads(browser.ask(where, width, rules, before=axe, dark=dark)) == [], (width, dark)


@pytest.mark.parametrize("page", PAGES)
def test_a_page_asks_nobody_for_anything_and_does_not_scroll_sideways(browser, page):
    seen = browser.visit((SITE / f"{page}.html").as_uri(), 360)
    assert [r for r in seen.requests if not r.startswith(("data:", "file:"))] == []
    assert seen.scroll_width <= 360
