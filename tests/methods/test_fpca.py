"""FPCA: the optimum of its semidefinite program, fair PCA and PCA as limits, and the authors' numbers."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fairstats
from fairstats.errors import DependencyError, InputError, NumericalError
from fairstats.linalg.matrices import capped, onto_fantope
from fairstats.methods import fpca
from fairstats.methods.fpca import Relaxation, _loadings
from tests.golden.test_paper_tables import Splits, mmd2, table
from tests.methods.test_fair_pca import indicators, relative_gap, sample

cp = pytest.importorskip("cvxpy", reason="the extra compare is not installed")


def other_program(X: np.ndarray, g: np.ndarray, k: int, delta: float, mu: float) -> tuple[float, np.ndarray]:
    """The same optimum, written with the spectral norm of A P instead of Schur blocks, nothing taken out beforehand."""
    Xc = X - X.mean(axis=0)
    p = Xc.shape[1]
    C = Xc.T @ Xc / (len(X) * np.linalg.norm(Xc))
    f = X[g == 1].mean(axis=0) - X[g == 0].mean(axis=0)
    Q = np.cov(X[g == 1].T, ddof=0) - np.cov(X[g == 0].T, ddof=0)
    P = cp.Variable((p, p), PSD=True)
    cost = 0
    for S in (Q, -Q):
        values, V = np.linalg.eigh(S)
        A = np.diag(np.sqrt(np.maximum(values - min(values[0], 0), 0))) @ V.T
        cost += cp.square(cp.sigma_max(A @ P))
    limits = [cp.lambda_max(P) <= 1, cp.trace(P) == k, f @ P @ f <= delta**2]
    problem = cp.Problem(cp.Maximize(cp.trace(C @ P) - mu * cost), limits)
    problem.solve(solver="SCS", eps=1e-8, max_iters=100_000)
    return float(problem.value), P.value


@pytest.mark.parametrize(("delta", "mu"), [(0.3, 0.05), (0.05, 0.3), (1.0, 0.01)])
def test_optimum_equals_that_of_another_formulation_by_another_solver(delta: float, mu: float) -> None:
    X, g = sample(5, n=90, p=5)
    fit = fairstats.comparators.fpca(X, g, 2, delta=delta, mu=mu)
    value, P = other_program(X, g, 2, delta, mu)
    assert fit.diagnostics["objective"] == pytest.approx(value, rel=1e-4)
    assert fit.diagnostics["dual_bound"] >= value - 1e-5 * abs(value)
    np.testing.assert_allclose(fit.diagnostics["eigenvalues"], np.linalg.eigvalsh(P)[::-1], atol=5e-3)
    assert fit.diagnostics["solver"] == "clarabel" and all(x.holds for x in fit.guarantees)


@pytest.mark.parametrize("levels", [2, 3])
def test_both_solvers_find_the_same_and_groups_are_each_against_the_rest(levels: int) -> None:
    X, g = sample(1, n=120, p=6, levels=levels)
    a, b = (fairstats.comparators.fpca(X, g, 2, delta=0.2, mu=0.05, solver=s) for s in ("clarabel", "scs"))
    assert a.diagnostics["objective"] == pytest.approx(b.diagnostics["objective"], rel=1e-3)
    assert len({a.diagnostics["solver"], b.diagnostics["solver"]}) == 2


@given(st.integers(0, 10_000))
@settings(max_examples=20, deadline=None)
def test_no_feasible_matrix_is_above_the_dual_bound(seed: int) -> None:
    """Weak duality, for any multipliers whatever; the solver is not asked."""
    rng = np.random.default_rng(seed)
    half = rng.standard_normal((2, 5, 5))
    S = half @ half.transpose(0, 2, 1)
    f = rng.standard_normal((5, 1))
    program = Relaxation(np.diag(rng.uniform(0, 3, 5)), S, f, 2, 0.2, 1.0)
    A = [np.linalg.cholesky(s).T for s in S]
    W = rng.standard_normal((2, 5, 5))
    W = W @ W.transpose(0, 2, 1)
    N = np.array([a.T @ (w / np.trace(w)) @ a for a, w in zip(A, W, strict=True)])
    start = onto_fantope(rng.standard_normal((5, 5)), 2)
    bound = program.bound(start, N, rng.uniform(0, 1, 1))
    for _ in range(20):
        P = onto_fantope(rng.standard_normal((5, 5)), 2)
        if program.excess(P) <= 0:
            assert program.value(P) <= bound + 1e-9


@given(st.lists(st.floats(-3, 3), min_size=2, max_size=9), st.data())
@settings(max_examples=60, deadline=None)
def test_projection_onto_the_capped_simplex_meets_its_optimality_conditions(values: list[float], data: Any) -> None:
    v = np.array(values)
    k = data.draw(st.integers(1, len(v)))
    x = capped(v, k)
    assert x.sum() == pytest.approx(k) and x.min() >= 0 and x.max() <= 1
    theta = v - x  # one number where x is inside, no less below it, no more above
    inside = (x > 1e-9) & (x < 1 - 1e-9)
    if inside.any():
        t = theta[inside][0]
        np.testing.assert_allclose(theta[inside], t, atol=1e-9)
        assert (v[x <= 1e-9] <= t + 1e-9).all() and (v[x >= 1 - 1e-9] >= 1 + t - 1e-9).all()


def test_without_a_price_on_covariances_it_is_fair_pca_and_without_a_bound_pca() -> None:
    X, g = sample(2, levels=3)
    for fit, like in (
        (fairstats.comparators.fpca(X, g, 2, delta=0, mu=0), fairstats.fair_pca(X, g, 2)),
        (fairstats.comparators.fpca(X, g, 2, delta=1e3, mu=0), fairstats.pca(X, g, 2)),
    ):
        np.testing.assert_allclose(fit.loadings, like.loadings, atol=1e-4)
        assert "tight" in fit.notes[1] and "not tight" not in fit.notes[1]


def test_means_are_equal_at_delta_0_where_pca_has_them_apart() -> None:
    X, g = sample(3, levels=3)
    fit = fairstats.comparators.fpca(X, g, 3, delta=0, mu=0.1)
    assert relative_gap(fairstats.pca(X, k=3).transform(X), indicators(g)) > 0.1
    assert relative_gap(fit.transform(X), indicators(g)) < 1e-12
    assert fairstats.comparators.fpca(X, g, 2, delta=0.3, mu=0.0).diagnostics["mean_distance"] > 0.01


def test_a_higher_price_makes_covariances_more_alike() -> None:
    rng = np.random.default_rng(0)
    g = np.arange(400) % 2
    X = rng.standard_normal((400, 6)) * np.where(g[:, None] == 1, 1.0, np.array([4.0, 3, 2, 1, 1, 1]))
    gaps = []
    for mu in (0.0, 1.0):
        S = fairstats.comparators.fpca(X, g, 2, mu=mu).transform(X)
        gaps.append(np.linalg.norm(np.cov(S[g == 1].T) - np.cov(S[g == 0].T), 2))
    assert gaps[1] < 0.5 * gaps[0]


@pytest.mark.long
@pytest.mark.parametrize(("delta", "k"), [(0.1, 2), (0.0, 2), (0.1, 10)])
def test_explained_variance_and_mmd_are_the_authors_on_compas(shared: Path, delta: float, k: int) -> None:
    """FPCA(δ, 0.01) of Lee et al. by another solver; their numbers come from a less exact one."""
    splits, theirs = Splits(shared, "COMPAS"), table(shared, "COMPAS", k)
    for split in range(3):
        X, z, X_test, z_test, _ = splits(split)
        fit, row = fairstats.comparators.fpca(X, z, k, delta=delta, mu=0.01), theirs.loc[(f"FPCA_{delta:.1f}", split)]
        A, S = np.cov(X_test.T), fit.transform(X_test)
        share = 100 * np.trace(fit.loadings.T @ A @ fit.loadings) / np.trace(A)
        assert share == pytest.approx(row["expvar"], abs=0.02)
        assert mmd2(S[z_test == 1], S[z_test == 0], row["sigma"]) == pytest.approx(row["mmd2"], abs=3e-4)


def test_more_features_than_rows_are_fitted() -> None:
    X, g = sample(4, n=20, p=26)
    fit = fairstats.comparators.fpca(X, g, 2)
    assert fit.diagnostics["solver"] == "scs" and all(x.holds for x in fit.guarantees)


def test_a_solver_that_fails_is_replaced_and_named(monkeypatch: pytest.MonkeyPatch) -> None:
    X, g = sample(6, n=60, p=4)
    monkeypatch.setitem(fpca.OPTIONS, "clarabel", {"max_iter": 1})
    fit = fairstats.comparators.fpca(X, g, 1)
    assert fit.diagnostics["solver"] == "scs"
    assert "after clarabel:" in fit.summary().replace("\n", " ")
    with pytest.raises(NumericalError, match=r"not solved \(clarabel: .*\); choose"):
        fairstats.comparators.fpca(X, g, 1, solver="clarabel")


def test_bad_input_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    X, g = sample(7, n=60, p=4)
    for wrong, message in (
        ({"delta": -1}, "delta has -1; it"),
        ({"mu": np.nan}, "mu has nan; it"),
        ({"solver": "mosek"}, "solver has 'mosek'; the choices are auto, clarabel, scs"),
        ({"k": 4}, "k has 4; it can be 1 to 3 here .*at delta=0"),
    ):
        with pytest.raises(InputError, match=message):
            fairstats.comparators.fpca(X, g, **{"k": 1, **wrong})
    with pytest.raises(InputError, match="continuous attribute"):
        fairstats.comparators.fpca(X, fairstats.continuous(X[:, 0], "age"), 1)
    with pytest.raises(InputError, match="has 1 level"):
        fairstats.comparators.fpca(X, np.zeros(60), 1)
    with pytest.raises(NumericalError, match=r"infeasible .*k=4 directions .*delta=0.01"):
        fairstats.comparators.fpca(X, g, 4, delta=0.01)
    monkeypatch.setitem(sys.modules, "cvxpy", None)
    with pytest.raises(DependencyError, match=r"pip install cvxpy .part of the extra compare"):
        fairstats.comparators.fpca(X, g, 1)


def test_loadings_past_the_bound_of_the_relaxation_are_said() -> None:
    rng = np.random.default_rng(3)
    g = np.repeat(["a", "b"], 60)
    X = rng.standard_normal((120, 5)) * [3, 2, 1.5, 1, 1] + (g == "b")[:, None] * [2.0, 1, 0, 0, 0]
    for delta in (0.1, 0.3, 1.0):
        fit = fairstats.comparators.fpca(X, g, 2, delta=delta, mu=0.5)
        past = fit.diagnostics["mean_distance"] > delta and fit.diagnostics["eigenvalues"][1] <= 1 - 1e-3
        assert (f"more than delta = {delta:g}" in " ".join(fit.notes)) == past
        assert "of the relaxation P and not of its loadings" in fit.guarantees[0].statement
        if delta == 0.1:
            assert past


@pytest.mark.parametrize("delta", [0.2, 0.5])
def test_the_promise_names_the_square_of_delta_and_its_tolerance_is_a_share_of_it(delta: float) -> None:
    X, g = sample(2, n=80, p=4)
    bound, gap = fairstats.comparators.fpca(X, g, 1, delta=delta).guarantees
    assert f"delta² = {delta * delta:g}," in bound.statement
    assert bound.tolerance == pytest.approx(delta * delta / 1000) and gap.tolerance == 1e-3
    assert 0 <= bound.value <= bound.tolerance


def test_a_multiplier_becomes_a_density_whatever_the_solver_returns() -> None:
    rng = np.random.default_rng(0)
    half = rng.standard_normal((4, 4))
    S = half @ half.T
    np.testing.assert_allclose(fpca._density(S), S / np.trace(S), atol=1e-12)
    result = fpca._density(np.diag([2.0, 1.0, -5.0]))
    np.testing.assert_allclose(result, np.diag([2 / 3, 1 / 3, 0.0]), atol=1e-15)
    for nothing in (np.zeros((3, 3)), -np.eye(3)):
        np.testing.assert_allclose(fpca._density(nothing), np.eye(3) / 3, atol=1e-15)


@pytest.mark.parametrize("seed", range(5))
def test_what_a_solver_left_outside_the_bound_is_moved_inside(seed: int) -> None:
    rng = np.random.default_rng(seed)
    program = Relaxation(np.eye(5), np.zeros((1, 5, 5)), rng.standard_normal((5, 1)), 2, 0.2, 0.3)
    P = onto_fantope(5 * np.eye(5) + rng.standard_normal((5, 5)), 2)
    moved = fpca._feasible(program, P)
    assert program.excess(P) > 0 >= program.excess(moved) - 1e-12
    assert np.trace(moved) == pytest.approx(2) and np.linalg.eigvalsh(moved)[0] > -1e-9
    assert np.array_equal(fpca._feasible(program, moved), moved) or program.excess(moved) > 0


@pytest.mark.parametrize("k", [1, 2, 3, 4])
def test_of_directions_that_the_relaxation_ties_those_of_most_variation_are_taken(k: int) -> None:
    axes = np.linalg.qr(np.random.default_rng(k).standard_normal((6, 6)))[0]
    P = (axes * [0.9, 0.4, 0.4, 0.4, 0.4, 0.0]) @ axes.T
    C = (axes * [1.0, 2.0, 9.0, 4.0, 3.0, 50.0]) @ axes.T
    U = _loadings(P, C, k)
    wanted = axes[:, [0, 2, 3, 4][:k]]
    np.testing.assert_allclose(U @ U.T, wanted @ wanted.T, atol=1e-10)
    variation = np.diag(U.T @ C @ U)
    assert U.shape == (6, k) and (np.diff(variation) <= 1e-9).all()
