"""One fit by every route: rows at once, chunks, sparse rows by products, more features than rows."""

from __future__ import annotations

import inspect
import tracemalloc
from typing import Any

import numpy as np
import pytest
from scipy import sparse

import fairstats
from fairstats.data import centered as centered_rows
from fairstats.data.centered import CenteredRows, centered
from fairstats.data.design import Design
from fairstats.errors import InputError, NumericalError
from fairstats.linalg.eigen import solved, truncated_svd
from tests.laws.every_method import EVERY, OF, ROWS_ONLY, SEARCHES, apart, sample, wide

DIGITS = 1e-7  # of adjusted rows, a tenth of it where two losses are made equal; errors agree to their square
BY_MOMENTS = [name for name in EVERY if OF[name].moments]
SPARSE = [name for name in EVERY if name not in ROWS_ONLY and not name.startswith("kernel")]


@pytest.fixture
def every_sparse_by_products(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(centered_rows, "MANY", 1)
    monkeypatch.setattr(centered_rows, "FILLED", 1.0)


def same_fit(name: str, ours: Any, theirs: Any, X: np.ndarray, g: np.ndarray) -> None:
    """Adjusted rows, scores, error and guarantees; signs are fixed by the loadings."""
    tolerance = max(SEARCHES.get(name, 0.0), 10 * DIGITS if name.startswith("minimax") else DIGITS)
    for one in (ours, theirs):
        assert all(promise.holds for promise in one.guarantees)
    assert apart(ours.transform(X, g), theirs.transform(X, g)) < tolerance
    if hasattr(ours, "reconstruct"):
        assert apart(ours.reconstruct(X, g), theirs.reconstruct(X, g)) < tolerance
    assert ours.error == pytest.approx(theirs.error, abs=tolerance**2 * ours.total + 1e-12 * ours.total)
    if not hasattr(ours, "price"):
        return
    for a, b in zip(
        ours.price.by_group, theirs.price.by_group, strict=bool(ours.price.by_group and theirs.price.by_group)
    ):
        assert a.level == b.level
        assert (a.n, a.error, a.pca_error) == pytest.approx((b.n, b.error, b.pca_error), rel=1e-6)


@pytest.mark.long
@pytest.mark.parametrize("name", BY_MOMENTS)
@pytest.mark.parametrize("parts", [2, 7])
def test_chunks_give_the_fit_of_the_whole(name: str, parts: int) -> None:
    X, g = sample()
    chunks = [
        {**{f"x{j + 1}": part[:, j] for j in range(7)}, "g": current}
        for part, current in zip(np.array_split(X, parts), np.array_split(g, parts), strict=True)
    ]
    same_fit(name, EVERY[name](fairstats.moments(chunks, "g")), EVERY[name](X, g), X, g)


@pytest.mark.long
@pytest.mark.parametrize("name", SPARSE)
@pytest.mark.parametrize(
    "more", [{}, {"scale": True}, {"weights": np.random.default_rng(1).uniform(0.5, 2, 160)}], ids=str
)
@pytest.mark.usefixtures("every_sparse_by_products")
def test_products_with_sparse_rows_give_the_fit_of_dense_ones(name: str, more: dict[str, Any]) -> None:
    X, g = sample()
    X[np.random.default_rng(4).random(X.shape) < 0.4] = 0.0
    X[:, 2] += 100.0  # one column without zeros, far from 0
    if "weights" in more and not OF[name].weights:
        pytest.skip("takes no weights")
    if "scale" in more and "scale" not in inspect.signature(OF[name].function).parameters:
        pytest.skip("has no scale")
    same_fit(name, EVERY[name](sparse.csr_array(X), g, **more), EVERY[name](X, g, **more), X, g)


@pytest.mark.parametrize("name", [n for n in SPARSE if n in BY_MOMENTS and n not in SEARCHES])
@pytest.mark.usefixtures("every_sparse_by_products")
def test_sparse_rows_of_more_features_give_the_fit_of_dense_ones(name: str) -> None:
    X, g = wide()
    X[np.random.default_rng(4).random(X.shape) < 0.2] = 0.0
    more = {"t": 2.0} if name == "sog" else {"directions": 38} if name == "fair_pca-s" else {}
    if name in ("leace", "leace_pca"):
        pytest.skip("the features determine the groups, and new rows are not told")
    same_fit(name, EVERY[name](sparse.csr_array(X), g, **more), EVERY[name](X, g, **more), X, g)


def words(n: int, p: int, seed: int = 0) -> tuple[sparse.csr_array, np.ndarray]:
    """Counts of words of probabilities 1/rank, 15 a row; two groups, one of which likes the first words more."""
    rng = np.random.default_rng(seed)
    g = rng.integers(0, 2, n)
    chance = 1.0 / np.arange(1, p + 1)
    columns = rng.choice(p, (n, 15), p=chance / chance.sum())
    columns[(g == 1)[:, None] & (rng.random((n, 15)) < 0.2)] = 3
    X = sparse.coo_array((np.ones(15 * n), (np.repeat(np.arange(n), 15), columns.ravel())), shape=(n, p))
    return X.tocsr(), g


@pytest.mark.long
@pytest.mark.parametrize("name", ["pca", "og", "fair_pca", "leace_pca", "sog", "minimax_pca"])
def test_a_thousand_sparse_columns_need_no_matrix_of_their_products(name: str) -> None:
    X, g = words(1200, 1000)
    assert isinstance(centered(X, g), CenteredRows) and not isinstance(centered(X[:, :900], g), CenteredRows)
    more = {"t": 4.0} if name == "sog" else {}
    ours = EVERY[name](X, g, k=3, **more)
    same_fit(name, ours, EVERY[name](fairstats.Moments.of(X, g), k=3, **more), X.toarray(), g)
    assert ours.price.by_group


@pytest.mark.long
@pytest.mark.parametrize("center_by", ["group", "overall"])
@pytest.mark.parametrize("objective", ["loss", "error", "variance"])
@pytest.mark.usefixtures("every_sparse_by_products")
def test_minimax_of_three_groups_by_products_has_the_bound_of_all_features(objective: str, center_by: str) -> None:
    rng = np.random.default_rng(6)
    g = rng.integers(0, 3, 300)
    X = sparse.random_array((300, 30), density=0.3, rng=rng).toarray() * np.linspace(1, 3, 90).reshape(3, 30)[g]
    options: dict[str, Any] = {"objective": objective, "center_by": center_by, "weights": rng.uniform(0.5, 2, 300)}
    ours = fairstats.minimax_pca(sparse.csr_array(X), g, 3, **options)
    theirs = fairstats.minimax_pca(X, g, 3, **options)
    assert all(promise.holds for promise in ours.guarantees)
    assert ours.diagnostics["bound"] == pytest.approx(theirs.diagnostics["bound"], rel=1e-7)
    assert max(ours.diagnostics["losses"].values()) == pytest.approx(
        max(theirs.diagnostics["losses"].values()), rel=1e-7
    )
    assert (ours.total, ours.pca_error) == pytest.approx((theirs.total, theirs.pca_error), rel=1e-9)


def test_sparse_rows_stay_sparse() -> None:
    """A matrix of 2 million by 100 000 would take 1.6 TB: whoever fills in its zeros does not come back."""
    rng = np.random.default_rng(0)
    n, p, m = 2_000_000, 100_000, 100_000
    X = sparse.coo_array((rng.standard_normal(m), (rng.integers(0, n, m), rng.integers(0, p, m) // 5)), shape=(n, p))
    design = Design.of(X.tocsr(), rng.integers(0, 2, n))
    view = centered(design)
    assert view.total == pytest.approx(float((X.tocsr().power(2)).sum()), rel=1e-3)
    assert view.cell_losses([])[0].sum() == n
    X = X.tocsr()
    X.data[5] = np.nan
    with pytest.raises(InputError, match="missing or infinite values "):
        fairstats.pca(X, k=1)


def test_new_sparse_rows_stay_sparse() -> None:
    rng = np.random.default_rng(0)
    n, p, m = 20_000, 500, 5_000
    X = sparse.csr_array(
        sparse.coo_array((rng.standard_normal(m), (np.arange(m), rng.integers(0, p, m))), shape=(n, p))
    )
    fit = fairstats.pca(X[:200], k=1)
    tracemalloc.start()
    scores = fit.transform(X)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 8 * n * p / 20
    np.testing.assert_allclose(scores[:50], fit.transform(X[:50].toarray()), atol=1e-12)
    assert (scores[m:] == scores[-1]).all()


def flat(rng: np.random.Generator, n: int, p: int, first: float) -> np.ndarray:
    """Noise, of which nothing stands out, but for one direction where ``first`` is above 0."""
    A = rng.standard_normal((n, p))
    return A + first * np.outer(rng.standard_normal(n), rng.standard_normal(p)) / np.sqrt(p)


@pytest.mark.long
@pytest.mark.parametrize("shape", [(760, 540), (540, 760)])
@pytest.mark.parametrize("first", [0.0, 1e2, 1e6])
def test_flat_spectra_come_out_as_numpys(rng: np.random.Generator, shape: tuple[int, int], first: float) -> None:
    A = flat(rng, *shape, first)
    products = []

    def times(V: np.ndarray) -> np.ndarray:
        products.append(V.shape[1])
        return A @ V

    values, vectors = truncated_svd(times, lambda W: A.T @ W, shape, 4)
    _, s, right = np.linalg.svd(A, full_matrices=False)
    np.testing.assert_allclose(values, s[:4], rtol=1e-10)
    np.testing.assert_allclose(np.abs(np.sum(vectors * right[:4].T, axis=0)), 1, atol=1e-8)
    np.testing.assert_allclose(vectors.T @ vectors, np.eye(4), atol=1e-10)
    assert sum(products) < 520


def test_conjugate_gradients_give_the_solution_of_least_length(rng: np.random.Generator) -> None:
    A = rng.standard_normal((30, 12)) @ rng.standard_normal((12, 20))
    R, B = A.T @ A, A.T @ rng.standard_normal((30, 3))
    B[:, 2] = 0.0
    np.testing.assert_allclose(solved(lambda V: R @ V, B, 1e-13), np.linalg.pinv(R) @ B, atol=1e-9)
    with pytest.raises(NumericalError, match="nearly combinations of others"):
        solved(lambda V: np.diag(10.0 ** -np.arange(9.0)) @ V, np.ones((9, 1)), 1e-13, most=5)


@pytest.mark.parametrize("name", [name for name in EVERY if name not in ROWS_ONLY])
def test_scipys_matrices_are_read_as_its_arrays(name: str) -> None:
    X, g = sample(n=60, p=4)
    ours, theirs = (EVERY[name](kind(X), g) for kind in (sparse.csr_matrix, sparse.csr_array))
    np.testing.assert_array_equal(ours.transform(sparse.csc_matrix(X), g), theirs.transform(sparse.csr_array(X), g))
