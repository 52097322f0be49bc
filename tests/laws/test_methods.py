"""Laws that every linear method keeps, over one table of methods."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import fairstats as fs
from fairstats.errors import InputError

ROLES = {"advantaged": "a", "disadvantaged": "b"}
METHODS: dict[str, Callable[..., fs.Projection]] = {
    "pca": fs.pca,
    "og": fs.og,
    "og residual": lambda X, g=None, k=2, **o: fs.og(X, g, k, basis="residual", **o),
    "sog": lambda X, g=None, k=2, **o: fs.sog(X, g, k, t=1.6, **o),
    "fair_pca": fs.fair_pca,
    "fair_pca S": lambda X, g=None, k=2, **o: fs.fair_pca(X, g, k, equalize="covariance", l=4, **o),
    "minimax": fs.minimax_pca,
    "minimax overall": lambda X, g=None, k=2, **o: fs.minimax_pca(X, g, k, center="overall", **o),
    "disparity": lambda X, g=None, k=2, **o: fs.disparity_pca(X, g, k, lam=0.7, **ROLES, **o),
    "leace_pca": fs.leace_pca,
    "fpca": fs.comparators.fpca,
}
HIDES = ["og", "og residual", "sog", "fair_pca", "fair_pca S", "leace_pca", "fpca"]
pytestmark = pytest.mark.parametrize("name", METHODS)


def sample(seed: int = 3, n: int = 160, p: int = 7) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    g = rng.choice(["a", "b"], n, p=[0.6, 0.4])
    spread = np.where((g == "a")[:, None], np.linspace(3, 1, p), np.linspace(1.5, 2, p))
    return rng.standard_normal((n, p)) * spread + 1.5 * rng.standard_normal(p) * (g == "b")[:, None] + 5.0, g


def scores(fit: fs.Projection, X: np.ndarray, g: np.ndarray) -> np.ndarray:
    return fit.transform(X, g)


def same(a: np.ndarray, b: np.ndarray, tolerance: float = 1e-6) -> None:
    np.testing.assert_allclose(a, b, atol=tolerance * max(1.0, np.abs(b).max()))


def test_guarantees_hold_and_pca_is_never_beaten(name: str) -> None:
    X, g = sample()
    fit = METHODS[name](X, g, k=2)
    assert all(x.holds for x in fit.guarantees)
    assert fit.error >= fs.pca(X, k=2).error - 1e-9 * fit.total or name == "minimax"  # that one has means by group
    assert "Guarantees" in fit.summary() or name == "pca"
    assert max(len(line) for line in fit.summary().splitlines()) <= 80


def test_methods_that_hide_the_group_do_and_pca_does_not(name: str) -> None:
    if name not in HIDES:
        pytest.skip("does not promise it")
    X, g = sample()

    def gap(S: np.ndarray) -> float:
        return float(np.abs(S[g == "a"].mean(axis=0) - S[g == "b"].mean(axis=0)).max() / S.std())

    assert gap(fs.pca(X, k=2).transform(X)) > 0.05
    assert gap(scores(METHODS[name](X, g, k=2), X, g)) < 1e-9


def test_error_and_price_by_group_are_those_of_the_reconstruction(name: str) -> None:
    X, g = sample()
    for scale in (False, True):
        fit = METHODS[name](X, g, k=2, scale=scale)
        sd = X.std(axis=0, ddof=1) if scale else 1.0
        rest = np.sum(((X - fit.reconstruct(X, g)) / sd) ** 2, axis=1)
        if name != "minimax":  # its total is of the group-centred data
            assert fit.error == pytest.approx(rest.sum(), rel=1e-8)
        plain = fs.pca(X, k=2, scale=scale)
        theirs = np.sum(((X - plain.reconstruct(X)) / sd) ** 2, axis=1)
        assert [p.level for p in fit.price] == ["a", "b"]
        for price in fit.price:
            rows = g == price.level
            assert price.n == rows.sum()
            assert price.error == pytest.approx(rest[rows].mean(), rel=1e-7)
            if name != "minimax":  # PCA there is that of the group-centred data, too
                assert price.pca_error == pytest.approx(theirs[rows].mean(), rel=1e-7)


def test_row_order_chunks_and_unit_weights_change_nothing(name: str) -> None:
    X, g = sample()
    fit = METHODS[name](X, g, k=2)
    order = np.random.default_rng(0).permutation(len(X))
    chunks = fs.Moments.of(X[:70], g[:70]) + fs.Moments.of(X[70:], g[70:])
    for other in (
        METHODS[name](X[order], g[order], k=2),
        METHODS[name](chunks, k=2),
        METHODS[name](X, g, k=2, weights=np.ones(len(X))),
    ):
        same(scores(other, X, g), scores(fit, X, g))


def test_a_shift_of_the_data_changes_no_score(name: str) -> None:
    X, g = sample()
    same(scores(METHODS[name](X + 1000.0, g, k=2), X + 1000.0, g), scores(METHODS[name](X, g, k=2), X, g))


def test_rank_deficient_data_are_fitted(name: str) -> None:
    X, g = sample()
    X = np.hstack([X, X[:, :2] @ np.array([[1.0], [2.0]])])
    fit = METHODS[name](X, g, k=2)
    assert np.isfinite(scores(fit, X, g)).all() and all(x.holds for x in fit.guarantees)


def test_nearly_equal_group_means_remove_nothing(name: str) -> None:
    if name not in HIDES or name in ("sog", "fair_pca S"):
        pytest.skip("changes the data for other reasons too")
    X, _ = sample(n=80)
    both, g = np.vstack([X, X]), np.repeat(["a", "b"], 80)
    fit = METHODS[name](both, g, k=2)
    same(np.abs(scores(fit, both, g)), np.abs(fs.pca(both, k=2).transform(both)))


def test_what_is_saved_comes_back(name: str, tmp_path) -> None:
    X, g = sample()
    fit = METHODS[name](X, g, k=2)
    again = fs.load(fit.save(tmp_path / "fit.npz"))
    np.testing.assert_array_equal(scores(again, X, g), scores(fit, X, g))
    assert again.summary() == fit.summary()


def test_more_features_than_rows_are_fitted(name: str) -> None:
    rng = np.random.default_rng(8)
    X, g = rng.standard_normal((24, 40)) * np.linspace(3, 0.3, 40), np.tile(["a", "b"], 12)
    t = {"sog": 3.0}.get(name)
    fit = fs.sog(X, g, 2, t=t) if t else METHODS[name](X, g, k=2)
    assert all(x.holds for x in fit.guarantees)
    if name in HIDES:
        S = scores(fit, X, g)
        assert np.abs(S[g == "a"].mean(axis=0) - S[g == "b"].mean(axis=0)).max() < 1e-8 * np.abs(X).max()


def test_k_at_its_maximum_leaves_only_what_the_condition_takes(name: str) -> None:
    if name == "sog":
        pytest.skip("sparse loadings of unit length keep an error of their own")
    X, g = sample()
    k = {"fair_pca": 6, "fair_pca S": 4, "leace_pca": 6, "fpca": 6}.get(name, 7)
    fit = METHODS[name](X, g, k=k)
    between = sum((g == v).sum() * np.sum((X[g == v].mean(axis=0) - X.mean(axis=0)) ** 2) for v in "ab")
    takes = {
        "pca": 0.0,
        "og": between,
        "og residual": between,
        "minimax": 0.0,
        "minimax overall": 0.0,
        "disparity": 0.0,
    }
    if name in takes:
        assert fit.error == pytest.approx(takes[name], abs=1e-8 * fit.total)
    with pytest.raises(InputError, match="out of range"):
        METHODS[name](X, g, k=k + 1)
