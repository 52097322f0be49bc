"""Minimax fair PCA: certified by the dual bound, equal losses, ranks, an SDP, and the authors' own optimum."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fairstats
from fairstats.errors import InputError
from fairstats.linalg.eigen import top_values
from fairstats.methods import minimax_solvers
from fairstats.methods.minimax_solvers import _free_direction, extreme, nash


def problem(rng: np.random.Generator, G: int, p: int, k: int, whole: bool = False) -> tuple[np.ndarray, np.ndarray]:
    parts = [rng.standard_normal((int(rng.integers(1, 15)), p)) @ rng.standard_normal((p, p)) for _ in range(G)]
    parts = [np.round(X) for X in parts] if whole else parts
    S = np.stack([X.T @ X / len(X) for X in parts])
    return S, np.array([top_values(s, k).sum() for s in S])


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 2**32 - 1), st.booleans())
def test_two_groups_meet_the_dual_bound_with_a_subspace(seed: int, whole: bool) -> None:
    rng = np.random.default_rng(seed)
    p = int(rng.integers(2, 9))
    k = int(rng.integers(1, p + 1))
    S, sigma = problem(rng, 2, p, k, whole)
    result = minimax_solvers.dual(S, sigma, k)
    lost = minimax_solvers.losses(S, sigma, result.vectors)
    size = max(sigma.max(), 1e-300)
    assert np.abs(result.vectors.T @ result.vectors - np.eye(k)).max() < 1e-10
    assert lost.max() - result.bound <= 1e-8 * size
    if (result.dual > 1e-9).all():
        assert abs(lost[0] - lost[1]) <= 1e-8 * size


def test_a_tie_is_split_by_rotation() -> None:
    S = np.stack([np.diag([4.0, 1, 0]), np.diag([0.0, 1, 4])])
    result = minimax_solvers.dual(S, np.array([4.0, 4.0]), 1)
    np.testing.assert_allclose(minimax_solvers.losses(S, np.array([4.0, 4.0]), result.vectors), [2, 2], atol=1e-12)


@pytest.mark.long
@settings(max_examples=15, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(3, 6))
def test_more_groups_meet_the_bound_within_the_rank(seed: int, G: int) -> None:
    rng = np.random.default_rng(seed)
    p = int(rng.integers(3, 8))
    k = int(rng.integers(1, p))
    S, sigma = problem(rng, G, p, k)
    result = minimax_solvers.dual(S, sigma, k)
    lost = minimax_solvers.losses(S, sigma, result.vectors, result.fractions)
    assert lost.max() - result.bound <= 1e-6 * sigma.max()
    assert len(result.fractions) <= k + int(np.floor(np.sqrt(2 * G + 0.25) - 1.5))
    assert result.fractions.sum() <= k + 1e-6 and result.fractions.max() <= 1


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("G", [3, 4, 6])
def test_the_semidefinite_program_has_the_same_optimum(rng: np.random.Generator, G: int) -> None:
    pytest.importorskip("cvxpy")
    S, sigma = problem(rng, G, 5, 2)
    ours, theirs = minimax_solvers.dual(S, sigma, 2), minimax_solvers.semidefinite(S, sigma, 2)
    a, b = (minimax_solvers.losses(S, sigma, m.vectors, m.fractions).max() for m in (ours, theirs))
    assert a == pytest.approx(b, abs=1e-6 * sigma.max())


def matrices(shared: Path, *names: str) -> np.ndarray:
    folder = shared / "golden" / "minimax"
    items = [pd.read_csv(folder / f"{name}.csv", header=None).apply(pd.to_numeric, errors="coerce") for name in names]
    square = [m.dropna(how="all").dropna(axis=1, how="all").to_numpy() for m in items]
    assert all(m.shape[0] == m.shape[1] and np.allclose(m, m.T, atol=1e-8) for m in square)
    return np.stack(square)


def test_three_groups_equal_the_stored_optimum(shared: Path) -> None:
    S = matrices(shared, *(f"uthaipon_k3_B{i}" for i in range(3)))
    stored = pd.read_csv(shared / "golden" / "minimax" / "uthaipon_k3_cvxpy.csv")
    for row in stored[stored.obj == "MM_Loss"].itertuples():
        sigma = np.array([top_values(s, row.d).sum() for s in S])
        result = minimax_solvers.dual(S, sigma, row.d)
        ours = minimax_solvers.losses(S, sigma, result.vectors, result.fractions).max()
        assert ours == pytest.approx(-row.value, abs=1e-6 * sigma.max())


CREDIT = [
    "SEX",
    "LIMIT_BAL",
    "MARRIAGE",
    "AGE",
    *(f"PAY_{i}" for i in range(1, 7)),
    *(f"BILL_AMT{i}" for i in range(1, 7)),
    *(f"PAY_AMT{i}" for i in range(1, 6)),
]


def test_credit_equals_the_authors_optimum_for_every_rank(shared: Path) -> None:
    data = pd.read_csv(shared / "data" / "creditdata.csv")
    groups = np.where(data.EDUCATION.isin([1, 2]), "higher", "lower")
    moments = fairstats.Moments.of(CREDIT, groups, data=data)
    stored = pd.read_csv(shared / "golden" / "minimax" / "credit_samadi_groups_centred_octave.csv")
    scale = 30000 / 29999  # they divide by n − 1 in the covariance of a group; the order of groups does not matter
    for row in stored.itertuples():
        fit = fairstats.minimax_pca(moments, k=row.r, scale=True)
        lost = fit.diagnostics["losses"]
        assert all(g.holds for g in fit.guarantees), fit.guarantees
        assert max(lost.values()) == pytest.approx(row.eigopt_phi, rel=3e-4 * scale)


def test_multiplicative_weights_are_the_authors_iterates(shared: Path) -> None:
    S = matrices(shared, "credit_samadi_groups_centred_covA", "credit_samadi_groups_centred_covB")
    stored = pd.read_csv(shared / "golden" / "minimax" / "credit_samadi_groups_centred_uthaiponMW.csv")
    for row in stored[(stored["T"] <= 100)].itertuples():
        sigma = np.array([top_values(s, row.r).sum() for s in S])
        average, last = minimax_solvers.multiplicative_weights(S, sigma, row.r, int(row.T), row.eta)
        assert minimax_solvers.losses(S, sigma, average.vectors, average.fractions).max() == pytest.approx(
            row.mw_avg, rel=1e-6
        )
        assert minimax_solvers.losses(S, sigma, last.vectors).max() == pytest.approx(row.mw_last, rel=1e-6)
        exact = minimax_solvers.dual(S, sigma, row.r)
        assert minimax_solvers.losses(S, sigma, exact.vectors).max() <= row.mw_avg + 1e-12


@pytest.mark.parametrize("center", ["group", "overall"])
@pytest.mark.parametrize("G", [2, 3])
def test_losses_are_those_of_the_reconstruction(rng: np.random.Generator, center: str, G: int) -> None:
    g = rng.integers(0, G, 200)
    X = (
        rng.standard_normal((200, 6)) * np.array([[3, 1, 1, 1, 1, 0.5], [1, 3, 1, 2, 1, 1], [1, 1, 3, 1, 2, 1]])[g]
        + g[:, None]
    )
    fit = fairstats.minimax_pca(X, g, k=2, center_by=center)
    result = fit.reconstruct(X, g)
    for level, lost in fit.diagnostics["losses"].items():
        rows = g == int(level)
        current = X[rows] - (X[rows] if center == "group" else X).mean(axis=0)
        best = np.sum(np.linalg.svd(current, compute_uv=False)[2:] ** 2) if center == "group" else None
        if best is None:
            values = np.linalg.eigvalsh(current.T @ current)
            best = values[:-2].sum()
        assert lost == pytest.approx((np.sum((X[rows] - result[rows]) ** 2) - best) / rows.sum(), rel=1e-6, abs=1e-9)
    worst = max(fit.diagnostics["losses"].values())
    assert worst <= max(fit.diagnostics["pca_losses"].values()) + 1e-9


def test_bad_input(rng: np.random.Generator) -> None:
    X, g = rng.standard_normal((30, 4)), np.arange(30) % 2
    with pytest.raises(InputError, match=r"k has 5; it can be 1 to 4"):
        fairstats.minimax_pca(X, g, k=5)
    with pytest.raises(InputError, match="solver has 'lp'; the choices are"):
        fairstats.minimax_pca(X, g, k=1, solver="lp")
    with pytest.raises(InputError, match="2 attributes"):
        fairstats.minimax_pca(X, {"a": g, "b": g[::-1]}, k=1)
    with pytest.raises(InputError, match="continuous"):
        fairstats.minimax_pca(X, fairstats.continuous(X[:, 0]), k=1)
    with pytest.raises(InputError, match="by_cell=True"):
        fairstats.minimax_pca(fairstats.Moments.of(X, g, by_cell=False), k=1)


def test_many_features_take_the_route_by_subspaces_to_the_same_answer(rng: np.random.Generator, monkeypatch) -> None:
    X = [
        rng.standard_normal((300, 60)) * 0.8 ** np.arange(60) @ np.linalg.qr(rng.standard_normal((60, 60)))[0]
        for _ in "ab"
    ]
    S = np.stack([x.T @ x / 300 for x in X])
    sigma = np.array([top_values(s, 4).sum() for s in S])
    direct = minimax_solvers.dual(S, sigma, 4)
    monkeypatch.setattr(minimax_solvers, "DENSE", 50)
    by_subspaces = minimax_solvers.dual(S, sigma, 4)
    a, b = (minimax_solvers.losses(S, sigma, m.vectors) for m in (direct, by_subspaces))
    np.testing.assert_allclose(a, b, atol=1e-9 * sigma.max())
    assert by_subspaces.bound == pytest.approx(direct.bound, rel=1e-9)


def random_problem(seed: int) -> tuple[np.ndarray, np.ndarray, int, int]:
    """Rows, groups, k and G, with covariances that differ much."""
    rng = np.random.default_rng(seed)
    G, p = int(rng.integers(3, 8)), int(rng.integers(2, 6))
    spread = rng.uniform(0.2, 3.0, size=(G, 1, p))
    X = np.concatenate(rng.standard_normal((G, p + 4, p)) * spread)
    return X, np.repeat([f"g{i}" for i in range(G)], p + 4), int(rng.integers(1, p)), G


def most_components(k: int, G: int) -> int:
    return k + int(np.floor(np.sqrt(2 * G + 0.25) - 1.5))


@pytest.mark.filterwarnings("ignore:minimax_pca. a guarantee does not hold:fairstats.errors.FairstatsWarning")  # mw
@pytest.mark.parametrize("solver", ["dual", "mw", "sdp"])
def test_three_groups_of_orthogonal_axes_share_one_dimension(solver: str) -> None:
    fit = fairstats.minimax_pca(np.vstack([np.eye(3), -np.eye(3)]), list("abc") * 2, k=1, solver=solver)
    # every group has variance 1 on an axis of its own: a third of each is the best that there is
    np.testing.assert_allclose(list(fit.diagnostics["losses"].values()), 2 / 3, atol=0.01 if solver == "mw" else 1e-6)
    assert fit.k <= most_components(1, 3) or solver == "mw"
    assert np.isfinite(fit.transform(np.eye(3), list("abc"))).all()


@pytest.mark.long
@pytest.mark.parametrize("seed", range(12))
def test_random_problems_reach_the_semidefinite_program_within_the_rank(seed: int) -> None:
    X, g, k, G = random_problem(seed)
    exact = fairstats.minimax_pca(X, g, k)
    program = fairstats.minimax_pca(X, g, k, solver="sdp")
    size = max(np.trace(np.cov(X[g == v].T)) for v in np.unique(g))
    for fit in (exact, program):
        assert fit.k <= most_components(k, G)
        lam = fit.diagnostics["fractions"]
        assert lam.sum() == pytest.approx(k, abs=1e-6) and lam.max() <= 1
        assert fit.guarantees[0].holds
    worst = [max(fit.diagnostics["losses"].values()) for fit in (exact, program)]
    assert worst[0] == pytest.approx(worst[1], abs=1e-6 * size)
    assert worst[0] - exact.diagnostics["bound"] <= 1e-7 * size


def test_the_rounding_of_a_mixture_is_no_further_component() -> None:
    S = np.array([np.diag(d) for d in ([4.0, 1.0, 0.5, 0.1], [1.0, 4.0, 0.5, 0.1], [1.0, 1.0, 3.0, 0.1])])
    sigma = np.array([np.sort(np.diag(s))[::-1][:3].sum() for s in S])
    V = np.linalg.qr(np.eye(4) + 1e-4 * np.random.default_rng(0).standard_normal((4, 4)))[0]
    lam = np.array([1.0, 1.0, 1 - 3e-6, 3e-6])
    result, fractions = extreme(S, sigma, 3, V, lam, np.array([0.3, 0.3, 0.4]), 0.0)
    assert result.shape == (4, 3) and (fractions == 1).all()


@pytest.mark.parametrize("seed", range(12))
def test_no_component_is_for_rounding_alone(seed: int) -> None:
    rng = np.random.default_rng(seed)
    G, p, k = (int(rng.integers(*ends)) for ends in ((3, 7), (4, 9), (1, 4)))
    X = rng.normal(size=(60 * G, p)) * np.repeat(rng.uniform(0.3, 2, size=(G, p)), 60, axis=0)
    fit = fairstats.minimax_pca(X, np.repeat(np.arange(G), 60), k)
    lam = fit.diagnostics["fractions"]
    assert ((lam == 1) | ((lam > 1e-3) & (lam < 1 - 1e-3))).all()
    assert lam.sum() == pytest.approx(k, abs=1e-6) and fit.guarantees[0].holds
    assert any("fractional" in note for note in fit.notes) == (fit.k > k)


@pytest.mark.long
def test_crossfit_of_solutions_with_different_numbers_of_components() -> None:
    counts = set()
    for seed in range(8):
        rng = np.random.default_rng(seed)
        X, g = rng.standard_normal((100, 5)), rng.choice(list("abcd"), 100)
        kept = fairstats.minimax_pca(X, g, 2).crossfit(X, g)
        folds = [fairstats.minimax_pca(X[kept.folds != f], g[kept.folds != f], 2) for f in (0, 1)]
        counts.add(tuple(fit.k for fit in folds))
        assert kept.scores.shape == (100, max(fit.k for fit in folds))
        for f, fit in enumerate(folds):
            current = fit.transform(X[kept.folds == f], g[kept.folds == f])
            # a turn keeps all products of rows, also where it puts two components into three columns
            scores = kept.scores[kept.folds == f]
            np.testing.assert_allclose(scores @ scores.T, current @ current.T, atol=1e-8 * np.abs(current).max() ** 2)
    assert any(a != b for a, b in counts)


@pytest.mark.long
@pytest.mark.parametrize("G", [2, 4])
@pytest.mark.parametrize("center_by", ["group", "overall"])
def test_each_objective_is_optimal_for_its_measure(G: int, center_by: str) -> None:
    rng = np.random.default_rng(G)
    g = rng.choice(list("abcd"[:G]), 300, p=np.arange(1, G + 1) / np.arange(1, G + 1).sum())
    X = rng.standard_normal((300, 6)) * [[3, 1, 1, 1, 1, 1], [1, 5, 1, 1, 1, 1], [1, 1, 2, 1, 1, 1], [1] * 6][0]
    for j, v in enumerate("abcd"[:G]):
        X[g == v, j] *= 2.0 + j
    fits = {
        name: fairstats.minimax_pca(X, g, 2, center_by=center_by, objective=name)
        for name in ("loss", "error", "variance", "nash")
    }
    center = np.array([X[g == v].mean(axis=0) for v in g]) if center_by == "group" else X.mean(axis=0)
    worst: dict[str, dict[str, float]] = {}
    for name, fit in fits.items():
        assert all(x.holds for x in fit.guarantees)
        rows = X - center
        lost = np.sum((X - fit.reconstruct(X, g)) ** 2, axis=1)
        whole = np.sum(rows**2, axis=1)
        errors = {v: lost[g == v].mean() for v in "abcd"[:G]}
        best = {v: np.linalg.eigvalsh(rows[g == v].T @ rows[g == v] / (g == v).sum())[-2:].sum() for v in errors}
        kept = {v: whole[g == v].mean() - errors[v] for v in errors}
        worst[name] = {
            "loss": max(best[v] - kept[v] for v in errors),
            "error": max(errors.values()),
            "variance": -min(kept.values()),
            "nash": -sum(np.log(list(kept.values()))),
        }
    for name in fits:
        assert worst[name][name] <= min(other[name] for other in worst.values()) + 1e-7 * abs(worst[name][name])
    assert fits["variance"].settings["objective"] == "variance" and "Least variance kept" in fits["variance"].notes[0]


@pytest.mark.long
@pytest.mark.parametrize(("G", "k"), [(2, 1), (2, 3), (3, 2), (5, 1), (8, 2)])
def test_nash_welfare_is_the_optimum_of_the_program_and_knows_no_units_of_groups(G: int, k: int) -> None:
    cp = pytest.importorskip("cvxpy")
    rng = np.random.default_rng(G + k)
    S, _ = problem(rng, G, 7, k)
    S += 0.01 * np.eye(7)
    result = nash(S, k)
    P = cp.Variable((7, 7), symmetric=True)
    limits = [P >> 0, np.eye(7) - P >> 0, cp.trace(P) <= k]
    units = np.trace(S, axis1=1, axis2=2)
    program = cp.Problem(cp.Maximize(sum(cp.log(cp.trace(s @ P)) for s in S / units[:, None, None])), limits)
    program.solve(solver=cp.CLARABEL)
    V = result.vectors * np.sqrt(result.fractions)
    reached = float(sum(np.log(np.sum(V * (s @ V))) for s in S))
    assert reached >= program.value + np.log(units).sum() - 1e-6 and abs(reached - result.bound) < 1e-8 * G
    assert len(result.fractions) <= most_components(k, G) and result.fractions.sum() <= k + 1e-9
    assert G > 2 or result.fractions.tolist() == [1.0] * k
    other = nash(S * np.geomspace(1e-6, 1e6, G)[:, None, None], k)
    np.testing.assert_allclose(other.bound, result.bound, atol=1e-8 * G)  # the factors' logarithms sum to 0


@pytest.mark.parametrize("objective", ["loss", "error", "variance", "nash"])
def test_the_note_of_an_objective_says_what_the_worst_group_has_and_would_have_by_pca(objective: str) -> None:
    X, g = np.random.default_rng(1).standard_normal((60, 5)) * [3, 2, 1, 1, 1], np.tile(list("abc"), 20)
    centered = X - np.array([X[g == v].mean(axis=0) for v in g])
    S = {v: centered[g == v].T @ centered[g == v] / 20 for v in "abc"}
    fit, V = fairstats.minimax_pca(X, g, 2, objective=objective), fairstats.pca(centered, k=2).loadings
    by_pca = {v: np.sum(V * (S[v] @ V)) for v in "abc"}
    ours = {v: np.sum(fit.weights * (S[v] @ fit.weights)) for v in "abc"}
    best = {v: np.linalg.eigvalsh(S[v])[-2:].sum() for v in "abc"}
    of = {"loss": best, "error": {v: np.trace(S[v]) for v in "abc"}}.get(objective)
    numbers = [float(x) for x in re.findall(r"\d+\.\d+", fit.notes[0])]
    wanted = [min(kept.values()) if of is None else max(of[v] - kept[v] for v in "abc") for kept in (ours, by_pca)]
    assert numbers[1] == pytest.approx(wanted[1], rel=1e-5)
    if fit.k == 2:
        assert numbers[0] == pytest.approx(wanted[0], rel=1e-5)


@pytest.mark.parametrize(("G", "k"), [(3, 1), (4, 2)])
def test_nash_welfare_of_many_features_meets_its_bound(G: int, k: int) -> None:
    A = np.random.default_rng(G).standard_normal((G, 30, 30))
    S = A @ A.transpose(0, 2, 1)
    result = nash(S, k)
    V = result.vectors * np.sqrt(result.fractions)
    assert float(sum(np.log(np.sum(V * (s @ V))) for s in S)) == pytest.approx(result.bound, abs=1e-6)


def test_nash_welfare_says_what_it_cannot_do_and_what_it_kept() -> None:
    X, g = np.random.default_rng(1).standard_normal((60, 5)) * [3, 2, 1, 1, 1], np.tile(list("abc"), 20)
    fit = fairstats.minimax_pca(X, g, 2, objective="nash")
    kept = [np.sum(((X - fit.reconstruct(X, g)) - (X - X[g == v].mean(axis=0)))[g == v] ** 2) / 20 for v in "abc"]
    assert all(x.holds for x in fit.guarantees) and "geometric mean of the groups' variances" in fit.notes[1]
    if fit.k == 2:
        assert f"is {np.prod(kept) ** (1 / 3):.4f}"[:9] in fit.notes[1]
    with pytest.raises(InputError, match="solver has 'mw', and objective='nash' is solved by 'dual' only"):
        fairstats.minimax_pca(X, g, 2, objective="nash", solver="mw")
    for at in (1.0, 0.1, 3.0):  # what rounding leaves of equal rows is no variation
        flat = np.where((g == "c")[:, None], at, X)
        with pytest.raises(InputError, match="groups has c, whose rows do not vary"):
            fairstats.minimax_pca(flat, g, 2, objective="nash")


@pytest.mark.filterwarnings("ignore:minimax_pca. a guarantee does not hold")  # after few steps it does not, and says so
def test_steps_and_rate_are_those_of_the_multiplicative_weights() -> None:
    X, g = np.random.default_rng(3).standard_normal((90, 6)) * [3, 2, 2, 1, 1, 1], np.tile(list("abc"), 30)
    X[g == "b", 3] *= 4
    best = fairstats.minimax_pca(X, g, 2).diagnostics["bound"]
    worst = []
    for steps, rate in ((1, 1.0), (20, 0.1), (500, 0.1)):
        fit = fairstats.minimax_pca(X, g, 2, solver="mw", max_iter=steps, learning_rate=rate)
        assert fit.diagnostics["iterations"] == steps and (fit.settings["max_iter"], fit.settings["learning_rate"]) == (
            steps,
            rate,
        )
        worst.append(max(fit.diagnostics["losses"].values()))
        assert worst[-1] >= best - 1e-9
    assert worst[2] < worst[0] and worst[2] - best < 0.2 * (worst[0] - best)
    default = fairstats.minimax_pca(X, g, 2, solver="mw")
    same = fairstats.minimax_pca(X, g, 2, solver="mw", max_iter=100, learning_rate=1.0)
    np.testing.assert_array_equal(default.loadings, same.loadings)
    for wrong in ({"max_iter": 5}, {"learning_rate": 0.5}):
        with pytest.raises(InputError, match="it goes with solver='mw' only"):
            fairstats.minimax_pca(X, g, 2, **wrong)


@pytest.mark.parametrize(("m", "blocks"), [(3, 2), (4, 3), (5, 6)])
def test_a_free_direction_changes_no_loss(m: int, blocks: int) -> None:
    rng = np.random.default_rng(m)
    S = [part + part.T for part in rng.standard_normal((blocks, m, m))]
    D = _free_direction(S, m)
    assert np.array_equal(D, D.T) and np.linalg.norm(D) > 0.1
    assert abs(np.trace(D)) < 1e-12 and max(abs(np.sum(D * part)) for part in S) < 1e-10


def test_the_semidefinite_program_says_its_iterations() -> None:
    pytest.importorskip("cvxpy", reason="the extra compare is not installed")
    rng = np.random.default_rng(1)
    X, g = rng.standard_normal((60, 4)), np.tile(["a", "b", "c"], 20)
    assert fairstats.minimax_pca(X, g, 2, solver="sdp").diagnostics["iterations"] > 1


@pytest.mark.parametrize("w", [0.2, 0.7])
def test_the_slope_of_the_loss_difference_is_that_of_finite_differences(w: float) -> None:
    S, sigma = problem(np.random.default_rng(7), 2, 6, 2)
    D, gap, h = S[0] - S[1], float(sigma[0] - sigma[1]), 1e-6
    ahead, here, behind = (minimax_solvers._dense_look(S[1] + x * D, D, gap, 2, x) for x in (w + h, w, w - h))
    assert here.slope == pytest.approx((ahead.excess - behind.excess) / (2 * h), rel=1e-5) and here.slope < 0


def test_equal_losses_are_promised_where_both_groups_bind() -> None:
    rng = np.random.default_rng(2)
    g = np.repeat(["a", "b"], 60)
    X = rng.standard_normal((120, 4)) * np.where((g == "a")[:, None], [3.0, 1, 1, 1], [1.0, 3, 1, 1])
    both = fairstats.minimax_pca(X, g, 1)
    assert (both.diagnostics["dual"] > 1e-9).all() and len(both.guarantees) == 2
    assert both.guarantees[1].statement.startswith("difference of the two groups' losses")


def test_a_path_without_shares_goes_from_nothing_to_all_of_the_disparity() -> None:
    X, g = np.random.default_rng(3).standard_normal((80, 4)), np.tile(["a", "b"], 40)
    roles = {"advantaged": "a", "disadvantaged": "b"}
    path = fairstats.disparity_path(fairstats.disparity_pca(X, g, 1, lam=0.5, **roles), X, g)
    assert path["lam"].iloc[0] == 0.0 and path["lam"].iloc[-1] == 1.0 and len(path) == 101


def test_multiplicative_weights_do_not_leave_the_numbers_where_losses_are_large() -> None:
    rng = np.random.default_rng(0)
    g = np.repeat(["a", "b"], 100)
    X = rng.standard_normal((200, 3)) * np.where(g == "a", 1.0, 9.0)[:, None] * [30.0, 5.0, 1.0]
    S, sigma = np.stack([np.cov(X[g == level].T, bias=True) for level in "ab"]), np.full(2, 1e6)
    with np.errstate(all="raise", under="ignore"):
        average, last = minimax_solvers.multiplicative_weights(S, sigma, 1, steps=5)
    assert np.isfinite(average.vectors).all() and np.isfinite(last.bound)


@pytest.mark.parametrize("objective", ["loss", "variance", "error"])
def test_the_print_and_the_picture_are_of_what_is_made_even(objective: str) -> None:
    rng = np.random.default_rng(3)
    g = np.repeat(["a", "b"], [120, 80])
    X = rng.normal(size=(200, 5)) * np.where(g == "a", 1.0, 2.0)[:, None] * [3, 1, 2, 1, 1]
    fit = fairstats.minimax_pca(X, g, k=2, objective=objective)
    drawing = fairstats.plot(fit, "group_loss")
    drawn = [line.get_xdata() for line in drawing.figure.axes[0].lines if len(line.get_xdata()) == 2]
    plain, ours = fit.diagnostics["pca_losses"], fit.diagnostics["losses"]
    assert np.allclose(drawn, [(plain[name], ours[name]) for name in ("a", "b")], rtol=0.02)
    printed, table = fit.summary(), "loss of a group" if objective == "loss" else "variation kept of a group"
    if objective == "error":  # which is the mean squared error
        assert "of a group" not in printed and "Mean squared error of a row by group" in drawing.alt
        return
    best = [np.linalg.eigvalsh(np.cov(X[g == name].T, bias=True))[-2:].sum() for name in ("a", "b")]
    for name, most in zip(("a", "b"), best if objective == "loss" else [max(best)] * 2, strict=True):
        Z = X[g == name] - X[g == name].mean(axis=0)
        assert ours[name] == pytest.approx(most - np.sum((Z @ fit.loadings) ** 2) / len(Z))
    assert ours["a"] == pytest.approx(ours["b"], rel=1e-6) or objective == "variance"
    lines = printed.split(table.capitalize())[1].split("mean squared error")[0].splitlines()
    assert [line.split()[0] for line in lines if line[:2] in ("a ", "b ")] == ["a", "b"]
    assert f"{table.capitalize()}" in drawing.alt and table in drawing.figure.axes[0].get_xlabel()
    assert fairstats.report(fit, language="de").html
