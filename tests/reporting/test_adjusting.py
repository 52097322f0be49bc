"""A comparison in a report: its rates, its gaps, and the distributions of held-out scores, one panel a method."""

from __future__ import annotations

import re
from html import unescape

import numpy as np
import pandas as pd
import pytest

import fairstats
from fairstats.comparing.result import answer_and_more
from fairstats.document import Table
from fairstats.errors import InputError
from fairstats.reporting.sections.page_one import _naming


def test_a_comparison_has_its_tables_and_one_ecdf_a_method(rng: np.random.Generator, tmp_path) -> None:
    g = rng.choice(["<b>", "w"], 400)
    X = rng.standard_normal((400, 4)) + 0.8 * (g == "w")[:, None]
    frame = pd.DataFrame(X, columns=list("pqrs")).assign(g=g, y=(X[:, 0] + rng.standard_normal(400) > 0.4).astype(int))
    comparison = fairstats.compare(frame, outcome="y", groups="g", features=list("pqrs"), n_repeats=3, progress=False)
    fairstats.report(comparison, to=tmp_path / "compare.html")
    page = (tmp_path / "compare.html").read_text()
    areas = comparison.estimates.where(metric="AUC", attribute="", contrast="none")
    assert re.search(
        rf"From no adjustment to orthogonal PCA the gap goes from .* points, AUC from "
        rf"{areas[0].estimate:.3f} to {areas[1].estimate:.3f}</h3>",
        page,
    )
    assert page.count("held-out scores by group") >= 2 and page.count("<svg") >= 2
    assert "&lt;b&gt;" in page and "<b>" not in page
    row = comparison.estimates.where(
        metric="AUC", attribute="g", group="w", contrast="none", fit="og", model="logistic", versus=""
    )[0]
    assert f"{row.estimate:.3f}" in page


def test_a_method_has_a_line_with_what_it_changes_and_page_one_says_the_finding(rng: np.random.Generator) -> None:
    X = rng.standard_normal((300, 3))
    g = np.where(X[:, 0] + rng.standard_normal(300) > 0, "a", "b")
    frame = pd.DataFrame(X, columns=list("pqr")).assign(g=g, y=(X[:, 0] + rng.standard_normal(300) > 0).astype(int))
    comparison = fairstats.compare(frame, outcome="y", groups="g", features=list("pqr"), n_repeats=4, progress=False)
    document = fairstats.report(comparison)
    page = document.html
    text = re.sub(r"<[^>]*>", "", page)
    answer, more = answer_and_more(comparison, _naming(comparison))
    for sentences in (answer, *(sentence for _, sentence in more)):
        shown = sentences.replace("`", "")
        assert unescape(text).index(shown) < text.index("From no adjustment to orthogonal PCA the gap goes from")
    in_brief, rest = answer_and_more(comparison)
    assert all(sentences in comparison.finding() for sentences in (in_brief, *(sentence for _, sentence in rest)))
    rows = [row for block in document.contents.blocks if isinstance(block, Table) for row in block.rows]
    levels = next(row for row in rows if row[0] == "orthogonal PCA")  # on page one: of one model the methods alone
    changes = next(row for row in rows if row[0] == "orthogonal PCA against no adjustment")
    auc, accuracy = (
        comparison.estimates.where(metric=m, attribute="", fit="og", model="logistic", versus="")[0]
        for m in ("AUC", "accuracy")
    )
    assert (levels[1], levels[3]) == (f"{auc.estimate:.3f}", f"{100 * accuracy.estimate:.1f}")
    change = comparison.estimates.where(
        metric="AUC", attribute="", contrast="difference", fit="og", versus="none", model="logistic"
    )[0]
    low, middle, high = (f"{v:.3f}".replace("-", "−") for v in (change.conf_low, change.estimate, change.conf_high))
    assert (changes[4], changes[5]) == (middle, f"{low} to {high}")


def test_the_labels_of_a_report_name_the_groups_and_the_outcome_of_a_comparison(rng: np.random.Generator) -> None:
    g = rng.choice(["F", "M"], 400, p=[0.4, 0.6])
    X = rng.standard_normal((400, 3)) + 1.2 * (g == "M")[:, None]
    frame = pd.DataFrame(X, columns=list("pqr")).assign(g=g, y=(X[:, 0] + rng.standard_normal(400) > 0.4).astype(int))
    comparison = fairstats.compare(frame, outcome="y", groups="g", features=list("pqr"), n_repeats=3, progress=False)
    groups = {"g": {"F": "women", "M": "men"}, "y": {"1": "rearrested"}}
    labels = {"unit": "defendants", "attributes": {"g": "sex", "y": "rearrest"}, "groups": groups}
    report = fairstats.report(comparison, labels=labels)
    assert (
        report.title.startswith("Predicting rearrest:")
        and "“rearrested” less often for women than for men" in report.html
    )
    section = report.contents.context["comparison"]["comparisons"][0]
    tables = {table.caption: table for table in section["tables"]}
    assert {row[1] for row in tables["Predictions by sex"].rows} == {"Women", "Men"}
    assert {row[2] for row in tables["Differences between groups (a probability of 0.5 is none)"].rows} == {
        "Women against Men"
    }
    page = report.contents.context["findings"]["figures"]
    assert page and all("Women and Men" in drawing.caption for drawing in page)
    assert report.id == fairstats.report(comparison).id and "F against M" not in report.html.partition("<script")[0]
    with pytest.raises(InputError, match=r"of fits, fairstats.compare, .* and clusterings; audits and decomp"):
        fairstats.report(fairstats.audit(frame, "y", "g"), labels=labels)
