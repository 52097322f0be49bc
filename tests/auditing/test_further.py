"""Whatever an audit settles is named: in the summary's sentences, and in a table of the page."""

from __future__ import annotations

import re

import numpy as np
import pytest

import fairstats
from fairstats.auditing.result import BESIDE, SCORE_TABLES
from fairstats.auditing.sentences import SETTLED, further
from fairstats.metrics import METRICS, shown


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


def test_the_summary_names_what_it_has_no_lines_for(audited: fairstats.Audit) -> None:
    text = " ".join(audited.summary().split())
    wording = re.search(r"Also settled by g, with numbers in tidy\(\): (.*?)\.(?: |$)", text)
    assert wording is not None
    assert "disparity shown in" in wording[1] and "calibration intercept (b)" in wording[1]


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
    assert further(result, "g:h", {*shown("summary"), *(metric for metric, _ in SCORE_TABLES), *BESIDE})
    text = " ".join(result.summary().split())
    assert "Also settled by g, with numbers" in text and "Also settled by g:h" not in text
