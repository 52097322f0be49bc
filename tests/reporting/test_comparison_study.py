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
