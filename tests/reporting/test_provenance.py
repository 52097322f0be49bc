"""The last page says what made the results: of a fit its settings, rows and features, of a comparison its call."""

from __future__ import annotations

import fairstats
from fairstats.reporting.bundle import gather
from fairstats.reporting.sections.audit import limits
from tests.laws.every_result import made


def _provenance(*results: object) -> dict[str, str]:
    return dict(limits(gather(list(results), None, ""))["provenance"])


def test_a_fit_says_its_settings_its_rows_and_its_features():
    fit = made("og")
    text = _provenance(fit)["og was made with"]
    assert f"{fit.to_dict()['n']} rows" in text and "k = 2" in text
    assert all(name in text for name in fit.to_dict()["features"])
    assert "numpy" in _provenance(fit)["Versions that wrote this"]


def test_a_comparison_says_its_call_and_seed():
    text = _provenance(made("comparison"))
    assert text["Call"] == made("comparison").provenance.call and text["Seed"] == "0"


def test_a_clustering_says_its_vertices():
    assert "30 vertices" in _provenance(made("partition"))["fair_spectral_clustering was made with"]


def test_a_price_of_nothing_is_nothing():
    """PCA that keeps every direction loses nothing of anybody; rounding is not printed as a loss."""
    people = fairstats.arrests()
    fit = fairstats.og(people[["age", "checks", "year"]], people["colour"], k=3)
    assert [row.pca_error for row in fit.price.by_group] == [0.0, 0.0]
    assert min(row.error for row in fit.price.by_group) > 0.1
    assert "e-1" not in fit.summary().partition("Mean squared error")[2].partition("Guarantees")[0]
