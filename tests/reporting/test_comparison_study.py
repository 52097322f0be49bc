"""A comparison of many methods in the report: what representations keep, and figures that stay few."""

from __future__ import annotations

import numpy as np
import pytest

import fairstats


@pytest.fixture(scope="module")
def html() -> str:
    rng = np.random.default_rng(0)
    n = 300
    g = rng.choice(["a", "b", "c"], n, p=[0.5, 0.3, 0.2])
    X = rng.normal(size=(n, 4)) + 1.5 * (g == "b")[:, None]
    y = (X.sum(axis=1) + rng.logistic(size=n) > 1).astype(int)
    comparison = fairstats.compare(
        {"g": g, "y": y, **{f"x{j}": X[:, j] for j in range(4)}}, outcome="y", groups="g",
        features=[f"x{j}" for j in range(4)], methods=["pca", "og", "fair_pca"], k=[1, 2],
        model=["logistic", "linear-svm"], n_repeats=3, representation=True, progress=False,
    )  # fmt: skip
    return fairstats.report(comparison).html


@pytest.mark.long
def test_what_methods_keep_and_give_away_is_a_table(html):
    assert "How much information the methods keep" in html and "MMD²" in html
    assert "Gaps over all groups" in html


def test_figures_stay_few_and_say_so(html):
    assert html.count("<figure") <= 6 and "8 more are in results.json" in html


def test_the_appendix_says_how_methods_were_compared_and_names_the_sources_of_its_notes() -> None:
    rng = np.random.default_rng(0)
    data = {"g": np.tile(["a", "b", "c"], 100), "x": rng.normal(size=300), "z": rng.normal(size=300)}
    data["y"] = (data["x"] + rng.logistic(size=300) > 0).astype(int)
    options = {"outcome": "y", "groups": "g", "features": ["x", "z"], "n_repeats": 3, "progress": False}
    report = fairstats.report(fairstats.compare(data, **options))
    part = report.contents.context["methods"]
    said = dict(part["compared"])
    assert said["splits"].startswith("3, drawn at random within groups and outcomes: 225 people to train on, 75 held")
    assert said["features"] == "2 columns, each divided by its standard deviation in the training rows: x, z."
    assert said["methods"].startswith("No adjustment and orthogonal PCA. Components, where a method has them:")
    assert (
        said["models"].startswith("Logistic regression, trained on the training rows") and "penalty" in said["models"]
    )
    assert "Bonferroni" in part["adjustment"][0] and "Holm" in part["adjustment"][0]
    assert any("Nadeau-Bengio" in how for _, how in part["intervals"])
    for source in ("Holm, S. (1979)", "Dunn, O. J. (1961)", "Nadeau, C."):
        assert any(one.startswith(source) for one in part["references"]), source
    assert "What was compared, and how" in report.html
    given = [(np.arange(0, 225), np.arange(225, 300)), (np.arange(75, 300), np.arange(0, 75))]
    options |= {"splits": given, "scale": False, "train_on": "measured"}
    said = dict(fairstats.report(fairstats.compare(data, **options)).contents.context["methods"]["compared"])
    assert said["splits"].startswith("2, as given:") and said["features"] == "2 columns, not scaled: x, z."
    assert "on the rows that they are measured on" in said["models"]
