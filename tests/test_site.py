"""The pages that `docs/_site` writes from the registries: every method and metric has one, with every heading."""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

import fairstats
from fairstats.methods.registry import METHODS
from fairstats.metrics import METRICS
from tests import toy_method

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture
def site(monkeypatch) -> Iterator[dict[str, ModuleType]]:
    monkeypatch.syspath_prepend(str(ROOT / "docs" / "_site"))
    names = ("method_pages", "metric_pages", "method_words", "metric_words", "reference_pages", "collected")
    yield {name: importlib.import_module(name) for name in names}


def parts(page: str, rule: str) -> dict[str, str]:
    """The text under each heading of a page."""
    pieces = re.split(rule, page, flags=re.M)
    return dict(zip(pieces[1::2], (text.strip() for text in pieces[2::2]), strict=True))


RST, MARKDOWN = r"^(.+)\n-{3,}$", r"^## (.+)$"


@pytest.mark.parametrize("name", [*METHODS, "spectral_clustering", "fair_spectral_clustering"])
def test_the_page_of_a_method_has_every_heading(name, site):
    pages = site["reference_pages"]
    entry = next(e for _, _, entries in pages.subjects() for e in entries if e.name.rsplit(".", 1)[-1] == name)
    result = parts(pages.page(entry, set()), RST)
    assert [*result] == [*site["method_pages"].HEADINGS, "Arguments"]
    assert all(result.values()), result
    assert result["Example"].startswith(">>> ") and "fs." in result["Example"]
    assert re.search(r"\(\d{4}\)", result["References"])
    if name in site["method_words"].WORDS:  # else both are the docstring's
        assert result["Estimator"] != result["Problem"]


def test_what_the_og_page_says_of_the_lemma_is_so(site):
    """36 and 32, as the example on the page has it."""
    X, g = [[3.0, 1.0], [3.0, -1.0], [-3.0, 1.0], [-3.0, -1.0]], ["a", "a", "b", "b"]
    differs = site["method_words"].WORDS["og"].differs
    for basis, number in (("svd", 36), ("residual", 32)):
        assert round(fairstats.og(X, g, k=1, basis=basis).extra_error, 9) == number
        assert str(number) in differs


def test_a_method_that_is_new_has_its_page(site, monkeypatch):
    """A row of the registry and a docstring are enough."""
    monkeypatch.setitem(METHODS, "toy_pca", toy_method.ROW)
    lines = "\n".join(site["method_pages"].body("toy_pca", toy_method.toy_pca))
    result = parts(lines, RST)
    assert [*result] == [*site["method_pages"].HEADINGS]
    assert result["Guarantee"].startswith("* ") and result["Cost"] and result["References"]


def test_words_are_of_methods_that_exist(site):
    assert set(site["method_words"].WORDS) <= {*METHODS, "spectral_clustering", "fair_spectral_clustering"}


@pytest.mark.parametrize("name", METRICS)
def test_the_page_of_a_metric_has_every_heading(name, site):
    pages = site["metric_pages"]
    metric = METRICS[name]
    result = parts(pages.page(metric), MARKDOWN)
    assert [*result] == [*pages.HEADINGS]
    assert all(result.values()), result
    assert "`" in result["Formula"]
    assert "?" in result["Question"] and "{" not in result["Question"]
    if metric.is_rate or name in ("AUC", "P(X>Y)", "Brier score", "impact ratio", "equalized odds difference"):
        assert "| **" in result["How often that is wrong"], "no table of docs/verdicts.md"


def test_two_metrics_do_not_share_a_page(site):
    pages = site["metric_pages"].pages()
    assert len(pages) == len(METRICS) + 1


def test_words_are_of_metrics_that_exist(site):
    words = site["metric_words"]
    for table in (words.FORMULAS, words.QUESTIONS, words.MISLEADS, words.INTERVALS):
        assert set(table) - {"rate", "none"} <= set(METRICS)


def test_references_of_methods_name_a_doi_or_what_they_are(site):
    """Every article that has a DOI can be followed; proceedings without one are named as such."""
    missing = [
        reference
        for row in METHODS.values()
        for reference in row.references
        if "doi:" not in reference and not re.search(r"NIPS", reference)
    ]
    assert missing == []


def test_a_case_stops_where_a_number_differs_from_the_printed_one():
    """The code of the directive `published`, without the packages that build the site."""
    source = (ROOT / "docs" / "_site" / "two_languages.py").read_text(encoding="utf-8")
    code = re.search(r'^BESIDE = """\n(.*?)"""', source, re.S | re.M)[1]
    session: dict = {}
    exec(code, session)  # noqa: S102  code of this repository
    with pytest.raises(AssertionError, match=r"ratio: printed 0\.59, here 0\.58"):
        session["_beside"]("a court", [("rate", "64%", "64%"), ("ratio", "0.59", "0.58")])


def test_every_case_is_compared_with_what_was_printed():
    cases = sorted((ROOT / "docs" / "cases").glob("*.md"))
    assert len(cases) == 11
    for page in cases:
        text = page.read_text(encoding="utf-8")
        assert ("```{published}" in text and "## What it does not show" in text) or page.stem == "index", page
