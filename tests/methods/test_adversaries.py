"""INLP and RLACE: after them a linear probe of rows that nobody trained on is at chance, before them it is not."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from scipy.optimize import approx_fprime
from sklearn.linear_model import LogisticRegression

import fairstats
from fairstats.errors import FairstatsWarning, InputError
from fairstats.linalg.matrices import onto_fantope
from fairstats.methods.probed import ProbedRows, _Adversary, _orthonormal


def draw(n: int = 3000, p: int = 8, levels: int = 2, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    g = rng.integers(0, levels, n)
    mean = rng.normal(size=(levels, p)) * np.r_[np.ones(3), np.zeros(p - 3)]
    return mean[g] + rng.normal(size=(n, p)) @ rng.normal(size=(p, p)) / np.sqrt(p), g


METHODS: dict[str, Any] = {
    "inlp": lambda X, g: fairstats.comparators.inlp(X, g, rounds=4),
    "rlace": lambda X, g: fairstats.comparators.rlace(X, g),
    "inlp_pca": lambda X, g: fairstats.comparators.inlp_pca(X, g, k=3),
    "rlace_pca": lambda X, g: fairstats.comparators.rlace_pca(X, g, k=3),
}


def held_out(S: np.ndarray, g: np.ndarray) -> tuple[float, float, float]:
    """Accuracy of a probe on the second half of rows that the method never saw, the largest group's share, its SE."""
    half = len(S) // 2
    right = LogisticRegression(C=100.0, max_iter=1000).fit(S[:half], g[:half]).score(S[half:], g[half:])
    chance = np.bincount(g[half:]).max() / half
    return right, chance, np.sqrt(chance * (1 - chance) / half)


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("levels", [2, 3])
def test_a_held_out_linear_probe_is_at_chance_within_two_standard_errors(name, levels):
    X, g = draw(levels=levels, seed=levels)
    fit = METHODS[name](X[:1000], g[:1000])
    before, chance, error = held_out(X[1000:], g[1000:])
    after, _, _ = held_out(fit.transform(X[1000:]), g[1000:])
    assert before > chance + 10 * error
    assert after < chance + 2 * error


@pytest.mark.parametrize("name", METHODS)
def test_a_projection_is_orthogonal_and_idempotent(name):
    X, g = draw(400)
    fit = METHODS[name](X, g)
    assert all(x.holds for x in fit.guarantees)
    if hasattr(fit, "matrix"):
        np.testing.assert_allclose(fit.matrix, fit.matrix.T, atol=1e-9)
        np.testing.assert_allclose(fit.matrix @ fit.matrix, fit.matrix, atol=1e-9)
    else:
        np.testing.assert_allclose(fit.loadings.T @ fit.loadings, np.eye(3), atol=1e-9)
        assert fit.energy[0] >= fit.energy[1] >= fit.energy[2]


def test_one_round_takes_out_the_machine_of_scikit_learn():
    from sklearn.svm import LinearSVC

    X, g = draw(500)
    w = LinearSVC(fit_intercept=False, dual=False).fit(X - X.mean(axis=0), g).coef_.ravel()
    removed = fairstats.comparators.inlp(X, g, rounds=1).left.ravel()
    assert abs(removed @ w) / np.linalg.norm(w) == pytest.approx(1.0, abs=1e-9)


def test_the_hardest_direction_is_the_difference_of_means():
    """Belrose et al. (2023), theorem 3.1: chance is reached where, and only where, the groups' means are equal."""
    X, g = draw(2000)
    difference = X[g == 1].mean(axis=0) - X[g == 0].mean(axis=0)
    fit = fairstats.comparators.rlace(X, g, rank=1)
    assert abs(fit.left.ravel() @ difference) / np.linalg.norm(difference) > 0.99
    adjusted = fit.transform(X)
    left = adjusted[g == 1].mean(axis=0) - adjusted[g == 0].mean(axis=0)
    assert np.linalg.norm(left) < 0.05 * np.linalg.norm(difference)


def test_the_fantope_projection_is_the_nearest_point(rng):
    cvxpy = pytest.importorskip("cvxpy")
    A = rng.normal(size=(5, 5))
    A = A + A.T
    P = cvxpy.Variable((5, 5), symmetric=True)
    problem = cvxpy.Problem(cvxpy.Minimize(cvxpy.sum_squares(P - A)), [P >> 0, np.eye(5) - P >> 0, cvxpy.trace(P) == 2])
    problem.solve(solver="CLARABEL")
    np.testing.assert_allclose(onto_fantope(A, 2), P.value, atol=1e-5)


def test_too_small_a_rank_is_said_never_silent():
    X, g = draw(500, levels=3)
    with pytest.warns(FairstatsWarning, match="below the .* of chance"):
        fit = fairstats.comparators.rlace(X, g, rank=1, max_iter=30)
    assert "chance has" in fit.summary()


@pytest.mark.parametrize("name", ["inlp", "rlace"])
def test_groups_that_a_probe_separates_fully_are_erased_all_the_same(name):
    rng = np.random.default_rng(0)
    g = np.arange(400) % 2
    X = rng.normal(size=(400, 6)) + 30 * g[:, None] * np.array([1, 0, 0, 0, 0, 0])
    S = METHODS[name](X, g).transform(X)
    after, chance, error = held_out(S, g)
    assert after < chance + 3 * error


@pytest.mark.parametrize("name", ["inlp", "rlace"])
def test_more_features_than_rows(name):
    rng = np.random.default_rng(0)
    X, g = rng.normal(size=(30, 50)), np.arange(30) % 2
    fit = getattr(fairstats.comparators, name)(X, g, **({"rounds": 5} if name == "inlp" else {}))
    assert fit.transform(X).shape == (30, 50) and all(x.holds for x in fit.guarantees)


@pytest.mark.long
@pytest.mark.parametrize("name", METHODS)
def test_held_out_scores_and_files(name, tmp_path):
    X, g = draw(200)
    fit = METHODS[name](X, g)
    assert fit.crossfit(X, g).scores.shape[0] == 200
    fit.save(tmp_path / "fit.npz")
    np.testing.assert_array_equal(fairstats.load(tmp_path / "fit.npz").transform(X), fit.transform(X))
    assert max(map(len, fit.summary().splitlines())) <= 80


@pytest.mark.parametrize(
    ("call", "match"),
    [
        (lambda X, g: fairstats.comparators.inlp(X, None), "groups is missing; inlp"),
        (lambda X, g: fairstats.comparators.rlace(X, fairstats.continuous(X[:, 0])), "continuous attribute"),
        (lambda X, g: fairstats.comparators.inlp(X, np.zeros(len(X))), "1 level"),
        (lambda X, g: fairstats.comparators.inlp(X, g, rounds=8), "rounds has 8"),
        (lambda X, g: fairstats.comparators.rlace(X, g, rank=0), "rank has 0"),
        (lambda X, g: fairstats.comparators.inlp_pca(X, g, k=8), "k has 8"),
        (lambda X, g: fairstats.comparators.rlace_pca(X, g, k=0), "k has 0"),
        (lambda X, g: fairstats.comparators.rlace(__import__("scipy.sparse").sparse.csr_array(X), g), "X is sparse"),
    ],
)
def test_bad_input_is_named(call, match):
    X, g = draw(100)
    with pytest.raises(InputError, match=match):
        call(X, g)


@pytest.mark.parametrize("levels", [2, 4])
def test_the_slope_of_the_adversary_is_that_of_finite_differences(levels: int) -> None:
    """Of the loss of the best probe with respect to the projector: by the envelope theorem the probe stands still."""
    rng = np.random.default_rng(levels)
    g = rng.integers(0, levels, 200)
    X = rng.standard_normal((200, 4)) + 0.7 * np.eye(levels, 4)[g]
    rows = ProbedRows.of("rlace", X, g.astype(str), data=None, missing="raise", scale=False)
    A = rng.standard_normal((4, 4))
    P = 0.2 * (A + A.T)

    def loss(flat: np.ndarray) -> float:
        turned = flat.reshape(4, 4)
        adversary = _Adversary(rows, 0.1)
        for _ in range(3):  # the search begins where it ended, and ends closer
            value, _ = adversary.beat(turned)
        return value

    adversary = _Adversary(rows, 0.1)
    for _ in range(3):
        _, slope = adversary.beat(P)
    numeric = approx_fprime(P.ravel(), loss, 1e-5).reshape(4, 4)
    np.testing.assert_allclose(slope, 0.5 * (numeric + numeric.T), atol=1e-3 * np.abs(numeric).max())


def test_logistic_probes_take_out_the_direction_of_logistic_regression() -> None:
    rng = np.random.default_rng(5)
    g = rng.choice(["a", "b"], 200)
    X = rng.standard_normal((200, 4)) + np.outer(g == "b", [2.0, 1, 0, 0])
    fit = fairstats.comparators.inlp(X, g, rounds=1, probe="logistic")
    model = LogisticRegression(C=1.0, fit_intercept=False, max_iter=1000).fit(X - X.mean(axis=0), g)
    along = (model.coef_ / np.linalg.norm(model.coef_)) @ fit.left
    np.testing.assert_allclose(np.abs(along), 1.0, atol=1e-6)
    assert np.abs(fit.left - fairstats.comparators.inlp(X, g, rounds=1).left).max() > 1e-3
    k = fairstats.comparators.inlp_pca(X, g, k=2, probe="logistic")
    assert k.settings["probe"] == "logistic" and all(x.holds for x in k.guarantees)


@pytest.mark.parametrize("probe", ["svm", "logistic"])
def test_the_search_ends_at_chance(probe: str) -> None:
    rng = np.random.default_rng(6)
    g = np.repeat(["a", "b"], [700, 300])
    X = rng.standard_normal((1000, 12))
    X[:, 0] += 4.0 * (g == "b")
    fit = fairstats.comparators.inlp(X, g, rounds=10, probe=probe, until_chance=True)
    plain = fairstats.comparators.inlp(X, g, rounds=10, probe=probe)
    assert 1 == len(fit.canonical) < len(plain.canonical) and "was at chance" in fit.notes[0]
    with pytest.raises(InputError, match="probe has 'tree'"):
        fairstats.comparators.inlp(X, g, probe="tree")


def test_rounds_past_the_features_are_refused_with_their_number() -> None:
    X, g = np.random.default_rng(0).normal(size=(60, 5)), np.tile(["a", "b"], 30)
    with pytest.raises(InputError, match=r"rounds has 9; .*5 features"):
        fairstats.comparators.inlp(X, g, rounds=9)


def test_a_level_without_weight_and_one_step_are_said() -> None:
    X, g = np.random.default_rng(0).normal(size=(60, 4)), np.tile(["a", "b"], 30)
    with pytest.raises(InputError, match="level"):
        fairstats.comparators.rlace(X, g, weights=(g == "a").astype(float))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert "in 1 steps" in fairstats.comparators.rlace(X, g, max_iter=1).notes[0]


def test_directions_that_are_not_orthonormal_are_seen() -> None:
    U = np.linalg.qr(np.random.default_rng(0).normal(size=(5, 3)))[0]
    assert _orthonormal(U).value < 1e-12 and _orthonormal(U[:, :0]).value == 0.0
    assert _orthonormal(2 * U).value == pytest.approx(3.0) and not _orthonormal(2 * U).holds
    assert _orthonormal(U[:, [0, 0]]).value == pytest.approx(1.0)
