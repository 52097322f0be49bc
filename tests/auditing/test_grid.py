"""Scores of very many distinct values: one grid however the rows are parted, and the truth within what the rows say."""

from __future__ import annotations

import re
from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fairstats
from fairstats.auditing import tally
from fairstats.auditing.result import _grid
from fairstats.auditing.scores import grid_error, grid_shift
from fairstats.data import batches, grids
from fairstats.data.grids import EXACT, level_of, snapped
from fairstats.errors import InputError
from fairstats.inference.scores.merged import Blocks
from fairstats.text import significant


@pytest.fixture(autouse=True)
def few_values(monkeypatch):
    for module in (grids, tally, batches):
        monkeypatch.setattr(module, "MOST_VALUES", 300)


def people(seed: int, n: int = 4000) -> pd.DataFrame:
    """Scores with an atom at 0, of sizes far apart."""
    rng = np.random.default_rng(seed)
    group = rng.choice(["a", "b", "c"], n)
    score = rng.normal(0.2 * (group == "b"), 1, n) * 10 ** rng.normal(size=n)
    return pd.DataFrame(
        {
            "g": group,
            "y": rng.integers(0, 2, n),
            "score": np.where(rng.random(n) < 0.2, 0.0, score),
            "w": rng.gamma(2.0, 1.0, n),
        }
    )


floats = st.floats(allow_nan=False, allow_infinity=False)


@settings(max_examples=300, deadline=None)
@given(x=floats, level=st.integers(-60, 60), coarser=st.integers(1, 40))
def test_a_score_is_on_its_point_or_in_the_middle_of_its_bin(x, level, coarser):
    """Against exact fractions; and a coarser level of a finer one is the coarser level itself."""
    result = float(snapped(np.array([x]), level)[0])
    scaled = Fraction(x) * Fraction(2) ** level
    below = scaled.numerator // scaled.denominator
    if scaled == below or abs(scaled) >= 2**52:
        assert result == x
    else:
        assert Fraction(result) == (Fraction(below) + Fraction(1, 2)) / Fraction(2) ** level
        assert abs(Fraction(result) - Fraction(x)) < Fraction(1, 2) / Fraction(2) ** level
    twice = snapped(np.array([result]), level - coarser)
    assert twice == snapped(np.array([x]), level - coarser)


def test_the_level_is_the_finest_that_leaves_few_enough():
    x = people(1)["score"].to_numpy()
    level = level_of(x)
    assert np.unique(snapped(x, level)).size <= 300 < np.unique(snapped(x, level + 1)).size
    assert level_of(x[:200]) == EXACT
    for start in (-20, 0, 3, 30):
        distinct = lambda k: np.unique(snapped(x, k)).size  # noqa: E731
        assert grids.finest_level(distinct, EXACT, start) == level


def same(one: fairstats.Tally, other: fairstats.Tally) -> None:
    assert one.grids == other.grids and len(one) == len(other)
    np.testing.assert_array_equal(one.numbers["score"], other.numbers["score"])
    np.testing.assert_array_equal(one.rows, other.rows)


@settings(max_examples=15, deadline=None)
@given(seed=st.integers(0, 10**6), parts=st.integers(1, 9))
def test_any_partition_is_on_the_grid_of_the_whole(seed, parts):
    table = people(seed, 1500)
    part = np.random.default_rng(seed).integers(0, parts, len(table))
    pieces = [table[part == i] for i in range(parts) if (part == i).any()]
    whole = fairstats.tally(table, groups="g", outcome="y", score="score")
    same(whole, fairstats.tally(iter(pieces), groups="g", outcome="y", score="score"))
    same(whole, sum(fairstats.tally(piece, groups="g", outcome="y", score="score") for piece in pieces))


@pytest.mark.long
@pytest.mark.parametrize("threshold", [None, 0.3])
def test_an_engine_has_the_grid_of_the_rows(threshold):
    duckdb, pl = pytest.importorskip("duckdb"), pytest.importorskip("polars")
    table = people(2)
    arguments = {"groups": "g", "outcome": "y", "score": "score", "threshold": threshold}
    mine = fairstats.audit(table, **arguments)
    for source in (duckdb.from_df(table), pl.from_pandas(table).lazy(), iter([table[:1700], table[1700:]])):
        theirs = fairstats.audit(source, **arguments)
        for x, y in zip(mine.estimates, theirs.estimates, strict=True):
            np.testing.assert_allclose([x.estimate, x.p_value], [y.estimate, y.p_value], rtol=1e-9)
            assert x.reason == y.reason


def bound(row) -> float:
    return float(re.search(r"off by at most ([\d.e+-]+)", row.reason)[1])


@pytest.mark.long
@pytest.mark.parametrize("design", [{}, {"weights": "w", "weight_type": "probability"}])
@pytest.mark.parametrize("seed", range(3))
def test_the_scores_themselves_are_within_what_the_rows_say(seed, design, monkeypatch):
    table = people(seed)
    arguments = {"groups": "g", "outcome": "y", "score": "score", "reference": "a"} | design
    gridded = fairstats.audit(table, **arguments)
    for module in (grids, tally, batches):
        monkeypatch.setattr(module, "MOST_VALUES", 1 << 20)
    exact = fairstats.audit(table, **arguments)
    checked = 0
    for x, y in zip(gridded.estimates, exact.estimates, strict=True):
        if x.metric in ("P(X>Y)", "AUC", "score shift") and y.status == "ok":
            assert 0 <= abs(x.estimate - y.estimate) <= bound(x) < 1
            checked += abs(x.estimate - y.estimate) > 0
    assert checked >= 5
    assert any("on a grid" in note for note in gridded.notes) and not any("on a grid" in note for note in exact.notes)
    assert not any("grid" in row.reason for row in exact.estimates)


def test_a_threshold_is_exact_of_rows_and_refused_of_a_tally_that_cannot_tell():
    table = people(3)
    audit = fairstats.audit(table, groups="g", score="score", threshold=0.3)
    rows = audit.estimates.where(metric="selection rate", contrast="none")
    current = table[table["score"] >= 0.3].groupby("g").size()
    assert {r.group: r.events for r in rows if r.group} == current.to_dict()
    counted = fairstats.tally(table, groups="g", score="score")
    with pytest.raises(InputError, match=r"threshold has 0.3; .* on a grid, and \d+ people in the bin"):
        fairstats.audit(counted, groups="g", score="score", threshold=0.3)
    assert fairstats.audit(counted, groups="g", score="score", threshold=1.0).estimates


def test_a_grid_is_kept_in_the_file(tmp_path):
    counted = fairstats.tally(people(3), groups="g", score="score")
    kept = fairstats.load(counted.save(tmp_path / "people.npz"))
    same(counted, kept)
    assert counted.to_dict()["grids"] == {"score": counted.grids["score"]}


def test_the_caution_says_the_step_of_the_grid():
    for level in (3, 8):
        text = _grid(SimpleNamespace(level=level))
        assert significant(0.5 ** (level + 1), 2) in text
    assert _grid(SimpleNamespace(level=EXACT)) == ""


def test_scores_that_are_on_no_grid_are_off_by_nothing():
    blocks = Blocks(np.array([0.25, 0.6]), np.ones(2), np.ones(2))
    assert grid_shift(blocks, EXACT) == grid_error(blocks, EXACT) == 0.0
    points = Blocks(np.array([0.0, 0.5]), np.ones(2), np.ones(2))  # both are points of the grid
    assert grid_shift(points, 1) == grid_error(points, 1) == 0.0
    assert grid_shift(blocks, 1) == 0.5
