"""Laws that hold for any table, however small or lopsided: nothing breaks, nothing is dropped, numbers make sense."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairstats.auditing.audit import audit
from fairstats.errors import InputError

DESIGNS = (
    {},
    {"weights": "w"},
    {"weights": "w", "weight_type": "probability"},
    {"clusters": "c"},
    {"weights": "w", "weight_type": "probability", "clusters": "c"},
    {"strata": "z"},
    {"strata": "z", "clusters": "c"},
)
QUESTIONS = (
    {"outcome": "y", "decision": "d"},
    {"outcome": "y", "score": "s", "threshold": 0.5, "favorable": 0},
    {"outcome": "y", "score": "s"},
    {"decision": "d"},
    {"score": "s"},
    {"outcome": "y"},
)


def table(rng: np.random.Generator, n: int, groups: int, gaps: float) -> pd.DataFrame:
    """A small table with gaps, ties and everything that goes wrong in small samples."""

    def with_gaps(values: np.ndarray) -> np.ndarray:
        return np.where(rng.random(n) < gaps, np.nan, values.astype(float))

    names = np.array([f"g{i}" for i in range(groups)], dtype=object)
    return pd.DataFrame(
        {
            "g": np.where(rng.random(n) < gaps, None, rng.choice(names, n)),
            "h": rng.choice(["f", "m"], n),
            "y": with_gaps(rng.integers(0, 2, n)),
            "d": with_gaps((rng.random(n) < rng.random()).astype(int)),
            "s": with_gaps(rng.integers(0, 5, n) / 4),
            "w": rng.integers(0, 4, n),
            "c": rng.integers(0, max(n // 4, 1), n),
            "z": rng.choice(["p", "q", "r"], n),
        }
    )


ANY = given(
    seed=st.integers(0, 2**32 - 1),
    n=st.integers(4, 60),
    groups=st.integers(2, 5),
    gaps=st.sampled_from([0.0, 0.1, 0.4]),
    design=st.sampled_from(DESIGNS),
    question=st.sampled_from(QUESTIONS),
    options=st.sampled_from(
        [
            {},
            {"min_n": 5},
            {"missing": "drop"},
            {"reference": "highest_rate"},
            {"p_adjust": "bh"},
            {"margin": 0.1, "p_adjust": "bh"},
        ]
    ),
    attributes=st.sampled_from(["g", ["g", "h"], "g:h"]),
)


def test_of_scores_whose_groups_are_all_withheld_no_metric_is_missing():
    """Whether scores are probabilities is known from everybody, also where no group of an attribute may be shown."""
    question = {"outcome": "y", "score": "s", "threshold": 0.5, "favorable": 0}
    complete(0, 14, 2, 0.0, {"weights": "w"}, question, {"min_n": 5}, ["g", "h"])


@pytest.mark.long
@settings(max_examples=25, deadline=None, derandomize=True)
@ANY
def test_an_audit_of_any_table_is_complete_or_a_clear_error(**drawn):
    complete(**drawn)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:every combination of")  # four people may look like a table of counts
@settings(max_examples=200, deadline=None, derandomize=True)
@ANY
def test_an_audit_of_more_tables_is_complete_or_a_clear_error(**drawn):
    complete(**drawn)


def complete(seed, n, groups, gaps, design, question, options, attributes):
    """The audit has every row and a reason where one has no number, or the error names the way out."""
    data = table(np.random.default_rng(seed), n, groups, gaps)
    try:
        result = audit(data, groups=attributes, **question, **design, **options)
    except InputError as error:
        assert str(error).count(";") >= 1  # the fact and the way out
        return
    json.dumps(result.to_dict(), allow_nan=False)
    assert max(map(len, result.summary().splitlines())) <= 80
    assert result.finding()
    groups_of = {a: {c.group for c in result.cells if c.attribute == a} for a in result.references}
    for row in result.estimates:
        if row.status != "ok":
            assert row.reason, row
            assert np.isnan(row.estimate), row
        if row.status == "ok" and not np.isnan(row.conf_low):
            assert row.conf_low <= row.estimate + 1e-9 and row.estimate - 1e-9 <= row.conf_high, row
        if not np.isnan(row.p_value):
            assert 0 <= row.p_value <= 1, row
        if not np.isnan(row.p_adjusted):
            assert row.p_value - 1e-9 <= row.p_adjusted <= 1, row
    for attribute, wanted in groups_of.items():
        for metric in {
            r.metric for r in result.estimates if r.role == "main" and r.contrast == "none" and not r.reference
        }:
            current = result.estimates.where(attribute=attribute, metric=metric, contrast="none", role="main")
            assert {r.group for r in current} == wanted, metric
