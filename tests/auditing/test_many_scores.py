"""Scores up to 2^20 distinct values are exact, wherever they are; one more, and they are on a grid that says so."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import fairstats

MOST = 2**20


@pytest.mark.long
@pytest.mark.parametrize("engine", ["memory", "duckdb", "polars"])
@pytest.mark.parametrize("more", [0, 1])
def test_scores_are_exact_up_to_two_to_the_twentieth(more, engine):
    rng = np.random.default_rng(1)
    x = rng.permutation(MOST + more) * np.pi
    table = pd.DataFrame({"g": np.where(np.arange(x.size) % 3 == 0, "a", "b"), "score": x})
    source = table
    if engine == "duckdb":
        source = pytest.importorskip("duckdb").from_df(table)
    elif engine == "polars":
        source = pytest.importorskip("polars").from_pandas(table).lazy()
    counted = fairstats.tally(source, groups="g", score="score")
    assert counted.rows.sum() == x.size
    if more:
        assert "score" in counted.grids and np.unique(counted.numbers["score"]).size <= MOST
        width = 2.0 ** -counted.grids["score"]
        np.testing.assert_allclose(np.sort(np.repeat(counted.numbers["score"], counted.rows.astype(int))), np.sort(x),
                                   atol=width / 2)  # fmt: skip
    else:
        assert counted.grids == {} and len(counted) == MOST
        order = np.argsort(counted.numbers["score"])
        np.testing.assert_array_equal(counted.numbers["score"][order], np.sort(x))
        labels = counted.factors["g"].labels[order]
        np.testing.assert_array_equal(labels, table.sort_values("score")["g"].to_numpy())
