"""Fair PCA of a stream: the means are equal, nothing explains more than is said, memory is O(pk)."""

from __future__ import annotations

import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fairstats as fs


def sample(seed: int, n: int, p: int, decay: float, levels: int = 3) -> tuple[np.ndarray, np.ndarray]:
    """Rows about a large mean, whose groups' means differ, with eigenvalues that fall by a power of their number."""
    rng = np.random.default_rng(seed)
    g = np.concatenate([np.arange(levels), rng.integers(0, levels, n - levels)])
    Q = np.linalg.qr(rng.standard_normal((p, p)))[0]
    X = rng.standard_normal((n, p)) * np.arange(1, p + 1.0) ** -decay @ Q
    return X + 0.2 * g[:, None] * rng.standard_normal(p) + 50 * rng.standard_normal(p), np.array(list("abcdef"))[g]


def chunks(X: np.ndarray, g: np.ndarray, rows: int = 37) -> list[pd.DataFrame]:
    table = pd.DataFrame(X, columns=[f"x{j + 1}" for j in range(X.shape[1])]).assign(g=g)
    return [table.iloc[i : i + rows] for i in range(0, len(table), rows)]


def explained(fit: fs.Projection) -> float:
    return 1 - fit.error / fit.total


@pytest.mark.long
@settings(max_examples=25, deadline=None)
@given(
    st.integers(0, 10**6),
    st.integers(30, 200),
    st.integers(5, 80),
    st.floats(0, 1.5),
    st.integers(1, 3),
    st.integers(0, 12),
    st.integers(1, 4),
)
def test_means_are_equal_and_nothing_explains_more_than_is_said(
    seed: int, n: int, p: int, decay: float, k: int, spare: int, passes: int
) -> None:
    X, g = sample(seed, n, p, decay)
    best = fs.fair_pca(X, g, k)
    fit = fs.fair_pca_stream(chunks(X, g), "g", k, sketch=k + spare, passes=passes)
    scores = fit.transform(X)
    means = np.array([scores[g == a].mean(axis=0) for a in np.unique(g)])
    assert np.ptp(means, axis=0).max() < 1e-9 * X.std()
    np.testing.assert_allclose(fit.loadings.T @ fit.loadings, np.eye(k), atol=1e-10)
    np.testing.assert_allclose(fit.total, best.total, rtol=1e-9)
    short = explained(best) - explained(fit)
    assert -1e-9 < short <= fit.guarantees[1].value + 1e-9
    assert all(one.holds for one in fit.guarantees)
    measured = ((scores - scores.mean(axis=0)) ** 2).sum(axis=0)
    if passes == 1:  # what the sketch keeps of a component is at most what there is
        assert (fit.energy <= measured * (1 + 1e-9)).all()
    else:
        np.testing.assert_allclose(fit.energy, measured, rtol=1e-9)


def test_a_sketch_of_as_many_rows_as_features_gives_the_exact_fit() -> None:
    X, g = sample(1, 300, 40, 0.4)
    best, fit = fs.fair_pca(X, g, 3), fs.fair_pca_stream(chunks(X, g), "g", 3, passes=1, sketch=40)
    np.testing.assert_allclose(fit.loadings, best.loadings, atol=1e-9)
    np.testing.assert_allclose(fit.energy, best.energy, rtol=1e-10)
    np.testing.assert_allclose([fit.pca_error, fit.total], [best.pca_error, best.total], rtol=1e-10)


def test_more_passes_explain_more_up_to_the_best() -> None:
    X, g = sample(2, 400, 120, 0.6)
    best = explained(fs.fair_pca(X, g, 3))
    short = [best - explained(fs.fair_pca_stream(X, g, 3, sketch=8, passes=n)) for n in (1, 2, 4, 30)]
    assert short[0] > 5 * short[1] > 25 * short[2] > 0
    assert abs(short[3]) < 1e-7


def test_every_source_gives_the_same_fit(tmp_path: Path) -> None:
    X, g = sample(3, 200, 30, 0.8)
    parts = chunks(X, g)
    table = pd.concat(parts)
    table.to_parquet(tmp_path / "rows.parquet", row_group_size=40)
    table.to_csv(tmp_path / "rows.csv", index=False)
    best = fs.fair_pca(X, g, 2).loadings
    sources = (parts, iter(parts), table, tmp_path / "rows.parquet", str(tmp_path / "*.csv"))
    for source in sources:
        fit = fs.fair_pca_stream(source, "g", 2)
        np.testing.assert_allclose(fit.loadings, best, atol=1e-9)
        assert fit.features == tuple(table.columns[:-1])
    np.testing.assert_allclose(fs.fair_pca_stream(X, g, 2).loadings, best, atol=1e-9)


def test_several_attributes_and_weights_are_those_of_the_exact_fit() -> None:
    X, g = sample(4, 240, 25, 0.6)
    rng = np.random.default_rng(4)
    extra = {"h": np.where(rng.random(240) < 0.4, "u", "v"), "w": rng.integers(0, 3, 240).astype(float)}
    table = pd.concat(chunks(X, g)).reset_index(drop=True).assign(**extra)
    parts = [table.iloc[i : i + 50] for i in range(0, 240, 50)]
    names = list(table.columns[:25])
    best = fs.fair_pca(names, ["g", "h"], 2, data=table, weights="w")
    fit = fs.fair_pca_stream(parts, ["g", "h"], 2, features=names, weights="w")
    np.testing.assert_allclose(fit.loadings, best.loadings, atol=1e-9)
    np.testing.assert_allclose(fit.energy, best.energy, rtol=1e-9)
    assert fit.encoding is not None and best.encoding is not None
    assert fit.encoding.columns == best.encoding.columns


def test_memory_is_that_of_the_sketch_not_of_the_features_squared(tmp_path: Path) -> None:
    n, p, k = 240, 6000, 2
    rows = np.lib.format.open_memmap(tmp_path / "rows.npy", mode="w+", dtype=float, shape=(n, p))
    rng = np.random.default_rng(5)
    rows[:] = rng.standard_normal((n, 5)) @ rng.standard_normal((5, p)) + 0.3 * rng.standard_normal((n, p))
    g = rng.integers(0, 2, n).astype(str)
    tracemalloc.start()
    fit = fs.fair_pca_stream(rows, g, k, sketch=10)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < p * p * 8 / 4  # 72 MB of 288
    assert explained(fs.fair_pca(np.asarray(rows), g, k)) - explained(fit) < 1e-6


def test_the_gap_in_the_population_is_larger_than_it_says_in_few_samples() -> None:
    rng = np.random.default_rng(6)
    apart = 0.3 * rng.standard_normal(60)
    over = 0
    for _ in range(40):
        g = rng.integers(0, 2, 80)
        X = rng.standard_normal((80, 60)) + g[:, None] * apart
        fit = fs.fair_pca_stream(X, g, 2, passes=1)
        over += np.linalg.norm(apart @ fit.loadings) > fit.diagnostics["population_gap"] * np.sqrt(fit.total / 80)
    assert over <= 2


def test_it_is_saved_and_transforms_files_as_before(tmp_path: Path) -> None:
    X, g = sample(7, 100, 12, 0.5)
    pd.concat(chunks(X, g)).to_parquet(tmp_path / "rows.parquet")
    fit = fs.fair_pca_stream(tmp_path / "rows.parquet", "g", 2)
    again = fs.load(fit.save(tmp_path / "fit.npz"))
    assert isinstance(again, fs.Projection)
    np.testing.assert_array_equal(again.transform(X), fit.transform(X))
    assert again.summary() == fit.summary()
    fit.transform_to(tmp_path / "rows.parquet", tmp_path / "scores.parquet")
    scores = pd.read_parquet(tmp_path / "scores.parquet").to_numpy()
    np.testing.assert_allclose(scores, fit.transform(X), atol=1e-12)


def test_the_summary_says_how_close_it_is_and_of_whom() -> None:
    X, g = sample(8, 200, 60, 0.3)
    text = " ".join(fs.fair_pca_stream(iter(chunks(X, g)), "g", 2, sketch=10).summary().split())
    assert "Fair PCA of a stream (equal group means)" in text
    assert "share of the total that other components with equal group means could add, at most" in text
    assert "The source was read once: each component explains what is shown, or more by" in text
    assert "the groups' mean scores there differ by at most" in text and "with probability 95% or more" in text
    again = fs.fair_pca_stream(chunks(X, g), "g", 2, sketch=10).summary()
    assert "read once" not in again


def test_what_it_cannot_do_is_one_error() -> None:
    X, g = sample(9, 60, 8, 0.5)
    parts = chunks(X, g)
    table = pd.concat(parts)

    def twice() -> Iterator[pd.DataFrame]:
        yield from parts

    with pytest.raises(fs.InputError, match="passes has 2, and source can be read once only"):
        fs.fair_pca_stream(twice(), "g", passes=2)
    with pytest.raises(fs.InputError, match="groups has x8, which is continuous"):
        fs.fair_pca_stream(table, fs.continuous("x8"), features=["x1", "x2"])
    with pytest.raises(fs.InputError, match="one level"):
        fs.fair_pca_stream(table[table["g"] == "a"], "g")
    with pytest.raises(fs.InputError, match="1 to 6 here"):
        fs.fair_pca_stream(table, "g", 7)
    with pytest.raises(fs.InputError, match="sketch has 1"):
        fs.fair_pca_stream(table, "g", 2, sketch=1)
    with pytest.raises(fs.InputError, match="missing or infinite"):
        fs.fair_pca_stream(table.assign(x1=np.nan), "g")
