"""Fair PCA by maximum mean discrepancy: the bound holds, derivatives are right, nothing simple does better."""

from __future__ import annotations

import itertools
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy.spatial.distance import cdist

import fairstats
from fairstats.errors import DependencyError, FairstatsWarning, InputError
from fairstats.methods.mbf import Augmented, Discrepancy, Linear, Penalized, best_of

pymanopt = pytest.importorskip("pymanopt")


def draw(n: int = 150, p: int = 6, seed: int = 0, groups: int = 2) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    g = rng.integers(0, groups, n)
    X = rng.normal(size=(n, p)) * np.linspace(2, 0.5, p)
    X[:, 0] += 2.0 * g
    X[:, 1] *= np.where(g == 1, 2.0, 1.0)
    return X, g


def mmd2(a: np.ndarray, b: np.ndarray, sigma: float) -> float:
    def mean(u, v):
        return np.exp(-cdist(u, v, "sqeuclidean") / (2 * sigma**2)).mean()

    return mean(a, a) + mean(b, b) - 2 * mean(a, b)


def contrast(g: np.ndarray) -> np.ndarray:
    return np.where(g == 1, 1 / (g == 1).sum(), -1 / (g == 0).sum())[:, None]


def test_the_value_is_the_biased_mmd_and_the_derivatives_are_those_of_it(rng, monkeypatch):
    monkeypatch.setattr("fairstats.methods.mbf.BLOCK", 1000)  # several blocks
    X, g = draw(60, 4)
    X = X - X.mean(axis=0)
    gap = Discrepancy(X, contrast(g), 1.7)
    V, H = np.linalg.qr(rng.normal(size=(4, 2)))[0], rng.normal(size=(4, 2))
    assert gap(V)[0] == pytest.approx(mmd2(X[g == 1] @ V, X[g == 0] @ V, 1.7), abs=1e-13)
    h = 1e-5
    numeric = (gap(V + h * H)[0] - gap(V - h * H)[0]) / (2 * h)
    gap = Discrepancy(X, contrast(g), 1.7)
    assert np.sum(gap(V)[1] * H) == pytest.approx(numeric, rel=1e-6)
    second = (gap(V + h * H)[1] - gap(V - h * H)[1]) / (2 * h)
    np.testing.assert_allclose(gap.hessian(V, H), second, atol=1e-4 * np.abs(second).max())


@pytest.mark.parametrize("tau", [0.03, 0.005])
def test_scores_are_within_tau_and_plain_ones_are_not(tau):
    X, g = draw()
    fit = fairstats.comparators.mbf_pca(X, g, k=2, tau=tau)
    S = fit.transform(X)
    result = mmd2(S[g == 1], S[g == 0], fit.diagnostics["sigma"])
    assert result <= tau and result == pytest.approx(fit.diagnostics["mmd2"], abs=1e-12)
    plain = fairstats.pca(X, k=2).transform(X)
    assert mmd2(plain[g == 1], plain[g == 0], fit.diagnostics["sigma"]) > 3 * tau
    np.testing.assert_allclose(fit.loadings.T @ fit.loadings, np.eye(2), atol=1e-12)
    assert all(x.holds for x in fit.guarantees) and "MMD²" in fit.summary()


def test_no_better_point_is_found_by_a_generic_solver():
    """scipy's constrained minimizer from twenty starts, on the sphere (k = 1)."""
    from scipy.optimize import NonlinearConstraint, minimize

    X, g = draw(80, 3)
    fit = fairstats.comparators.mbf_pca(X, g, k=1, tau=0.02)
    Z, sigma = X - X.mean(axis=0), fit.diagnostics["sigma"]
    C = Z.T @ Z / np.trace(Z.T @ Z)
    gap = Discrepancy(Z, contrast(g), sigma)

    def unit(v):
        return (v / np.linalg.norm(v))[:, None]

    bound = NonlinearConstraint(lambda v: gap(unit(v))[0], -np.inf, 0.02)
    starts = np.random.default_rng(1).normal(size=(20, 3))
    best = 0.0
    for start in starts:
        result = minimize(lambda v: -(unit(v).T @ C @ unit(v)).item(), start, constraints=[bound], method="SLSQP")
        if gap(unit(result.x))[0] <= 0.02 + 1e-8:
            best = max(best, -result.fun)
    ours = 1 - fit.error / fit.total
    assert ours >= best * (1 - 0.02)


def test_a_loose_bound_is_plain_pca():
    X, g = draw()
    fit = fairstats.comparators.mbf_pca(X, g, k=2, tau=10.0)
    assert fit.error == pytest.approx(fairstats.pca(X, k=2).error, rel=1e-5)


def test_an_unreachable_bound_is_said_never_silent():
    X, g = draw()
    with pytest.warns(FairstatsWarning, match="MMD².*at most 1e-06.*Raise tau, or ask for fewer"):
        fit = fairstats.comparators.mbf_pca(X, g, k=6, tau=1e-6)
    assert not fit.guarantees[1].holds and "DOES NOT HOLD" in fit.summary()


def test_three_groups_and_two_attributes_sum_their_discrepancies():
    X, g = draw(groups=3)
    fit = fairstats.comparators.mbf_pca(X, {"g": g, "h": np.arange(150) % 2}, k=2, tau=0.05)
    S, sigma = fit.transform(X), fit.diagnostics["sigma"]
    parts = [mmd2(S[g == a], S[g != a], sigma) for a in range(3)]
    h = np.arange(150) % 2
    assert sum(parts) + mmd2(S[h == 1], S[h == 0], sigma) == pytest.approx(fit.diagnostics["mmd2"], abs=1e-12)


SLOWER = [pytest.param(*case, marks=pytest.mark.slow) for case in (("COMPAS", 2, 1e-3), ("German", 2, 1e-6))]


@pytest.mark.long
@pytest.mark.parametrize(("name", "k", "tau"), [("German", 10, 1e-3), *SLOWER])
def test_as_much_variance_at_no_more_discrepancy_as_the_authors_loadings(shared: Path, name: str, k: int, tau: float):
    """Their loadings are not stored; what they give on the test rows of ten splits is. Ours are fitted as theirs."""
    from tests.golden.test_paper_tables import Splits, table

    splits, theirs = Splits(shared, name), table(shared, name, k).loc[f"MbF-PCA_{round(-np.log10(tau))}"]
    items = []
    for split in range(2):
        X, z, X_test, z_test, _ = splits(split)
        fit = fairstats.comparators.mbf_pca(X, z, k, tau=tau, sigma=theirs.loc[split, "sigma"], n_init=1)
        assert fit.diagnostics["mmd2"] <= tau
        A, S = np.cov(X_test.T), X_test @ fit.loadings
        items.append({
            "expvar": 100 * np.trace(fit.loadings.T @ A @ fit.loadings) / np.trace(A),
            "mmd2": mmd2(S[z_test == 1], S[z_test == 0], theirs.loc[split, "sigma"]),
        })  # fmt: skip
    ours, sd = pd.DataFrame(items).mean(), theirs[["expvar", "mmd2"]].std()
    paper = theirs.loc[:1, ["expvar", "mmd2"]].mean()
    assert (abs(ours - paper) <= 2 * sd).all()


@pytest.mark.long
def test_a_bound_that_the_first_start_misses_is_met_from_the_least_variation(shared: Path, monkeypatch):
    from fairstats.methods import mbf
    from tests.golden.test_paper_tables import Splits

    X, z, *_ = Splits(shared, "Adult")(0)
    X = X[:300, X[:300].std(axis=0) > 1e-12]
    X /= X.std(axis=0)
    fit = fairstats.comparators.mbf_pca(X, z[:300], 8, tau=1e-6, n_init=1, max_iter=8)
    # That start loses 94.7%. Where so short a search ends depends on the last bits of the rows: 82 to 91.2%.
    assert fit.guarantees[1].holds and fit.error < 0.93 * fit.total
    monkeypatch.setattr(mbf, "_least_variation", lambda *_: None)
    with pytest.warns(FairstatsWarning, match="MMD² of the scores between the groups"):
        fairstats.comparators.mbf_pca(X, z[:300], 8, tau=1e-6, n_init=1, max_iter=8)


@pytest.mark.parametrize(
    ("words", "match"),
    [
        ({"tau": 0}, "tau has 0; it"),
        ({"tau": "small"}, "tau has 'small'"),
        ({"sigma": -1.0}, "sigma has -1.0"),
        ({"k": 7}, "k has 7; it"),
        ({"groups": None}, "groups is missing"),
        ({"groups": fairstats.continuous(np.arange(150.0))}, "continuous attribute"),
        ({"groups": np.zeros(150)}, "1 level"),
        ({"n_init": 0}, "n_init has 0"),
    ],
)
def test_bad_input_is_named(words, match):
    X, g = draw()
    with pytest.raises(InputError, match=match):
        fairstats.comparators.mbf_pca(X, **{"groups": g, "k": 2, **words})


def test_a_missing_solver_names_the_extra(monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "pymanopt", None)
    X, g = draw()
    with pytest.raises(DependencyError, match=r"part of the extra compare"):
        fairstats.comparators.mbf_pca(X, g, k=2)


def test_held_out_scores_and_files(tmp_path):
    X, g = draw()
    fit = fairstats.comparators.mbf_pca(X, g, k=2, tau=0.01)
    assert fit.crossfit(X, g).scores.shape == (150, 2)
    fit.save(tmp_path / "fit.npz")
    np.testing.assert_array_equal(fairstats.load(tmp_path / "fit.npz").loadings, fit.loadings)


def test_the_derivatives_that_the_search_uses_are_those_of_finite_differences(monkeypatch: pytest.MonkeyPatch) -> None:
    result, plain = [], pymanopt.Problem
    monkeypatch.setattr(pymanopt, "Problem", lambda *a, **k: result.append(plain(*a, **k)) or result[-1])
    X, g = draw(60, 4)
    fit = fairstats.comparators.mbf_pca(X, g, 2, tau=5e-4, n_init=1)
    assert fit.diagnostics["subproblems"] <= len(result) and fit.diagnostics["steps"] >= fit.diagnostics["subproblems"]
    rng, h = np.random.default_rng(0), 1e-5
    for problem in (result[0], result[-1]):  # of the penalty, and of what refines it
        U, H = np.linalg.qr(rng.standard_normal((4, 2)))[0], rng.standard_normal((4, 2))
        slope = (problem.cost(U + h * H) - problem.cost(U - h * H)) / (2 * h)
        assert np.sum(problem.euclidean_gradient(U) * H) == pytest.approx(slope, rel=1e-4)
        curve = (problem.euclidean_gradient(U + h * H) - problem.euclidean_gradient(U - h * H)) / (2 * h)
        np.testing.assert_allclose(problem.euclidean_hessian(U, H), curve, rtol=1e-3, atol=1e-4 * np.abs(curve).max())


@pytest.mark.parametrize("price", [Linear(0.7), Augmented(0.3, 2.0, 1.0), Augmented(5.0, 0.5, 0.1)])
def test_the_price_of_a_discrepancy_is_never_negative_and_its_derivatives_are_those_of_finite_differences(price):
    for gap in (0.0, 0.2, 0.6, 0.9, 1.5, 4.0):
        value, slope, bend = price(gap)
        (low, below, _), (high, above, _) = price(gap - 1e-6), price(gap + 1e-6)
        assert value >= 0 and slope >= 0
        assert (high - low) / 2e-6 == pytest.approx(slope, abs=1e-6)
        assert (above - below) / 2e-6 == pytest.approx(bend, abs=1e-6)


def test_the_best_of_several_searches_varies_most_within_the_bound_or_is_nearest_to_it():
    def end(share: float, discrepancy: float) -> Penalized:
        return Penalized(np.eye(2)[:, :1], share, discrepancy, 1.0, 1, 1)

    outside, far, within, better = end(0.9, 2.0), end(0.95, 7.0), end(0.5, 0.8), end(0.6, 0.9)
    for searches in itertools.permutations([outside, far, within, better]):
        assert best_of(searches, 1.0) is better
    for searches in itertools.permutations([outside, far]):
        assert best_of(searches, 1.0) is outside
