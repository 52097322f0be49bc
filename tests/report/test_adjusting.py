"""A comparison in a report: its rates, its gaps, and the distributions of held-out scores, one panel a method."""

from __future__ import annotations

import numpy as np
import pandas as pd

import fairstats as fs


def test_a_comparison_has_its_tables_and_one_ecdf_a_method(rng: np.random.Generator, tmp_path) -> None:
    g = rng.choice(["<b>", "w"], 400)
    X = rng.standard_normal((400, 4)) + 0.8 * (g == "w")[:, None]
    frame = pd.DataFrame(X, columns=list("pqrs")).assign(g=g, y=(X[:, 0] + rng.standard_normal(400) > 0.4).astype(int))
    made = fs.compare(frame, outcome="y", groups="g", features=list("pqrs"), repeats=3, progress=False)
    fs.report(made, to=tmp_path / "compare.html")
    page = (tmp_path / "compare.html").read_text()
    assert "What adjusting costs: 2 ways to predict y" in page
    assert page.count("held-out scores by group") >= 2 and page.count("<svg") >= 2
    assert "&lt;b&gt;" in page and "<b>" not in page
    row = made.estimates.where(metric="AUC", attribute="g", group="w", contrast="none", term="og · logistic")[0]
    assert f"{row.estimate:.3f}" in page
