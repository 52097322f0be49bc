"""Quadratic LEACE: equal means and covariances, by the least change; its barycenter and transports."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.discriminant_analysis import QuadraticDiscriminantAnalysis

import fairstats
from fairstats.errors import InputError
from fairstats.linalg.matrices import barycenter, root, transport

quadratic_leace = fairstats.comparators.quadratic_leace


def draw(levels: str = "ab", n: int = 400, p: int = 4, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    g = rng.choice(list(levels), n)
    X = rng.standard_normal((n, p))
    for j, level in enumerate(levels):
        X[g == level] = X[g == level] @ (np.eye(p) + j * rng.standard_normal((p, p))) + j
    return X + 7.0, g


def covariances(levels: int, p: int = 3) -> np.ndarray:
    rng = np.random.default_rng(levels)
    return np.stack([(lambda A: A @ A.T)(rng.standard_normal((p, p + 2))) for _ in range(levels)])


def cost(K: np.ndarray, B: np.ndarray, weights: np.ndarray) -> float:
    """Σ w W₂² by the formula of Gelbrich, not by the maps."""
    inner = [np.trace(root(root(B) @ Kg @ root(B))) for Kg in K]
    return float(sum(w * (np.trace(Kg) + np.trace(B) - 2 * t) for w, Kg, t in zip(weights, K, inner, strict=True)))


@pytest.mark.parametrize("levels", ["ab", "abc"])
@pytest.mark.parametrize("weighted", [False, True])
def test_means_and_covariances_are_equal_and_quadratic_probes_are_at_chance(levels: str, weighted: bool) -> None:
    X, g = draw(levels)
    w = np.random.default_rng(1).uniform(0.3, 3, len(X)) if weighted else np.ones(len(X))
    fit = quadratic_leace(X, g, weights=w if weighted else None)
    S = fit.transform(X, g)
    means = [np.average(S[g == v], axis=0, weights=w[g == v]) for v in levels]
    np.testing.assert_allclose(means, [np.average(X, axis=0, weights=w)] * len(levels), atol=1e-9)
    spread = [np.cov(S[g == v].T, aweights=w[g == v]) for v in levels]
    np.testing.assert_allclose(spread, [spread[0]] * len(levels), rtol=1e-8, atol=1e-8)
    assert all(x.holds for x in fit.guarantees) and len(fit.guarantees) == 2
    assert fit.error == pytest.approx(float(w @ np.sum((X - S) ** 2, axis=1)), rel=1e-9)
    if not weighted:
        probe = QuadraticDiscriminantAnalysis(priors=np.full(len(levels), 1 / len(levels)))
        reported = probe.fit(S, g).predict_proba(S)
        np.testing.assert_allclose(reported, 1 / len(levels), atol=0.01)  # it divides by n
        assert probe.fit(X, g).score(X, g) > 1 / len(levels) + 0.1


def test_two_groups_have_the_barycenter_of_the_closed_form_and_the_cost_of_gelbrichs_bound() -> None:
    """Bruinsma & Arpino: w₀²K₀ + w₁²K₁ + w₀w₁(P + Pᵀ), P = (K₀K₁)^½."""
    K, w = covariances(2), np.array([0.3, 0.7])
    values, V = np.linalg.eig(K[0] @ K[1])
    P = (V * np.sqrt(values)) @ np.linalg.inv(V)
    closed = w[0] ** 2 * K[0] + w[1] ** 2 * K[1] + w[0] * w[1] * (P + P.T)
    np.testing.assert_allclose(barycenter(K, w), closed.real, atol=1e-10)


@pytest.mark.parametrize("G", [2, 3, 5])
def test_no_other_covariance_is_nearer_to_all_groups(G: int) -> None:
    K, w = covariances(G), np.arange(1, G + 1) / (G * (G + 1) / 2)
    B = barycenter(K, w)
    for Kg in K:
        T = transport(Kg, B)
        np.testing.assert_allclose(T @ Kg @ T, B, atol=1e-10)
        assert np.linalg.eigvalsh(T)[0] > 0
    rng = np.random.default_rng(3)
    for size in (1e-3, 1e-1, 1.0):
        step = rng.standard_normal((3, 3)) * size
        other = (np.eye(3) + step) @ B @ (np.eye(3) + step).T
        assert cost(K, other, w) > cost(K, B, w)


def test_the_change_is_between_that_of_equal_means_and_that_of_matching_one_group() -> None:
    X, g = draw("ab")
    fit, plain = quadratic_leace(X, g), fairstats.comparators.residualize(X, g)
    assert plain.error < fit.error
    n = {v: int(np.sum(g == v)) for v in "ab"}
    K = np.stack([np.cov(X[g == v].T) for v in "ab"])
    w = np.array([n["a"], n["b"]]) / len(X)
    moved = sum((n[v] - 1) * np.sum((transport(K[j], K[0]) - np.eye(4)) @ K[j] * (transport(K[j], K[0]) - np.eye(4)))
                for j, v in enumerate("ab"))  # fmt: skip
    assert fit.error < plain.error + moved
    assert fit.error == pytest.approx(plain.error + len(X) * cost(K, barycenter(K, w), w), rel=0.02)


def test_few_rows_ask_for_shrinkage_and_get_equal_means() -> None:
    X, g = draw("ab", n=24, p=20)
    with pytest.raises(InputError, match=r"whose \d+ rows have covariances of the 20 features that are singular"):
        quadratic_leace(X, g)
    fit = quadratic_leace(X, g, shrinkage=True)
    S = fit.transform(X, g)
    np.testing.assert_allclose(S[g == "a"].mean(axis=0), S[g == "b"].mean(axis=0), atol=1e-9)
    assert len(fit.guarantees) == 1 and fit.guarantees[0].holds and fit.settings == {"shrinkage": True}


def test_features_in_units_too_far_apart_are_refused_with_the_way_out() -> None:
    rng = np.random.default_rng(1)
    X, g = rng.standard_normal((600, 3)) * [10.0, 6700.0, 0.02], np.array(["a", "b"] * 300)
    with pytest.raises(InputError, match=r"standard deviations within groups are 0.0\d+ to 6.\d+e\+03, .* divide each"):
        quadratic_leace(X, g)
    assert all(one.holds for one in quadratic_leace(X / X.std(axis=0), g).guarantees)


def test_constant_features_unseen_levels_and_files(tmp_path) -> None:
    X, g = draw("ab")
    X = np.column_stack([X, np.full(len(X), 3.0)])
    fit = quadratic_leace(X, g)
    assert (fit.transform(X, g)[:, 4] == 3.0).all()
    with pytest.raises(InputError, match="not seen"):
        fit.transform(X[:1], ["c"])
    np.testing.assert_allclose(fit.transform(X[:1], ["c"], on_unknown="mean"), X[:1])
    fit.save(tmp_path / "fit.npz")
    np.testing.assert_array_equal(fairstats.load(tmp_path / "fit.npz").transform(X, g), fit.transform(X, g))
    assert fit.crossfit(X, g).scores.shape == X.shape
