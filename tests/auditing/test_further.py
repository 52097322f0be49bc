"""Whatever an audit settles is named: in the summary's sentences, and in a table of the page."""

from __future__ import annotations

import numpy as np
import pytest

import fairstats
from fairstats.auditing.result import BESIDE, SCORE_TABLES
from fairstats.auditing.sentences import SETTLED, further
from fairstats.metrics import METRICS, shown
from fairstats.text import number


@pytest.fixture(scope="module")
def audited() -> fairstats.Audit:
    """Two groups whose probabilities are calibrated differently."""
    rng = np.random.default_rng(6)
    n = 3000
    g, p = rng.choice(["a", "b"], n), rng.uniform(0.05, 0.95, n)
    y = rng.random(n) < np.where(g == "a", p, 0.6 * p)
    table = {"g": g, "p": p, "y": y, "d": p > 0.5}
    favor = {"favorable": True, "positive": True}
    return fairstats.audit(table, "d", "g", outcome="y", score="p", reference="a", **favor)


def test_the_summary_has_the_numbers_of_calibration(audited: fairstats.Audit) -> None:
    text = audited.summary()
    for head, metric in {"Brier score": "Brier score", "Calibration intercept": "calibration intercept"}.items():
        (row,) = audited.estimates.only(metric=metric, group="b", contrast="difference", role="main")
        _, _, table = text.partition(f"{head} of p by g: difference from a\n")
        assert table.splitlines()[0].split()[2] == number(row.estimate, 3) and " D" in table.splitlines()[0]


def test_the_finding_of_a_score_says_in_what_it_predicts_differently() -> None:
    rng = np.random.default_rng(6)
    n = 3000
    g, p = rng.choice(["a", "b", "c"], n), rng.uniform(0.05, 0.95, n)
    y = rng.random(n) < np.where(g == "b", 0.6 * p, p)
    table = {"g": g, "p": p, "y": y}
    result = fairstats.audit(table, groups="g", outcome="y", score="p", reference="a", positive=True)
    levels = {(r.metric, r.group): r.estimate for r in result.estimates.only(role="main", contrast="none")}
    text = " ".join(str(result).split())
    assert "How well p predicts the outcome differs by group (disparity shown; people with `g` b against those" in text
    for metric in ("AUC", "Brier score", "calibration intercept", "calibration slope"):
        one, other = (number(levels[metric, group], 3) for group in ("b", "a"))
        assert f"{metric} {one} against {other}" in text
    even = {**table, "y": rng.random(n) < p}
    same = fairstats.audit(even, groups="g", outcome="y", score="p", reference="a", positive=True)
    assert "predicts the outcome" not in same.finding()


def test_points_of_a_calibration_curve_are_apart() -> None:
    """Deciles that nearly coincide would have their points above each other."""
    rng = np.random.default_rng(6)
    p = np.where(rng.random(3000) < 0.5, rng.uniform(0.2, 0.8, 3000), rng.uniform(0.9, 0.9003, 3000))
    table = {"g": rng.choice(["a", "b"], 3000), "p": p, "y": rng.random(3000) < p}
    result = fairstats.audit(table, groups="g", outcome="y", score="p", positive=True)
    for curve in (one for one in result.curves if one.kind == "calibration"):
        assert len(curve.x) > 4 and np.diff(curve.x).min() > 0.005


def test_every_settled_comparison_is_printed_or_named(audited: fairstats.Audit) -> None:
    printed = {*shown("summary"), *(metric for metric, _ in SCORE_TABLES), *BESIDE}
    named = {row.metric for row in further(audited, "g", printed)} | printed
    for row in audited.estimates.only(role="main"):
        if row.verdict in SETTLED:
            assert row.metric in named or METRICS[row.metric].complement in named, row.metric


def test_what_intersections_settle_is_in_the_table_and_not_in_the_summary() -> None:
    rng = np.random.default_rng(6)
    n = 4000
    g, h, p = rng.choice(["a", "b"], n), rng.choice(["u", "v"], n), rng.uniform(0.05, 0.95, n)
    y = (rng.random(n) < np.where(g == "a", p, 0.6 * p)).astype(int)
    result = fairstats.audit({"g": g, "h": h, "p": p, "y": y}, groups=["g", "h", "g:h"], outcome="y", score="p")
    assert further(result, "g:h", {*shown("summary"), "P(X>Y)", *BESIDE})
    text = " ".join(result.summary().split())
    assert "Brier score of p by g: difference" in text
    assert "Brier score of p by g:h" not in text and "Also settled by g:h" not in text
