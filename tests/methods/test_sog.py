"""SOG: the constraints of eq. (3), a monotone objective, errors no worse than the authors' best seed."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fairstats
from fairstats.errors import FairstatsWarning, InputError
from fairstats.linalg.matrices import l1_sphere
from fairstats.linalg.subspace import MatrixDeflation
from fairstats.methods.sog import sog_path, sparse_component


@settings(max_examples=200, deadline=None)
@given(st.integers(0, 2**32 - 1), st.booleans())
def test_the_threshold_is_feasible_and_optimal(seed: int, ties: bool) -> None:
    rng = np.random.default_rng(seed)
    p = int(rng.integers(1, 12))
    v = rng.integers(-3, 4, p).astype(float) if ties else rng.standard_normal(p)
    if not v.any():
        v[0] = 1.0
    t = rng.uniform(1, np.sqrt(p)) if rng.random() < 0.8 else float(rng.choice([1.0, np.sqrt(p)]))
    u = l1_sphere(v[:, None], t)[:, 0]
    assert np.linalg.norm(u) <= 1 + 1e-12 and np.abs(u).sum() <= t + 1e-9
    for _ in range(30):  # no feasible vector agrees better
        w = rng.standard_normal(p) * (rng.random(p) < 0.7)
        w = w / max(np.linalg.norm(w), np.abs(w).sum() / t, 1e-12)
        assert w @ v <= u @ v + 1e-9 * np.abs(v).sum()


def sample(rng: np.random.Generator, n: int = 150, p: int = 9) -> tuple[np.ndarray, np.ndarray]:
    g = rng.integers(0, 3, n)
    return rng.standard_normal((n, p)) @ rng.standard_normal((p, p)) + 2.0 * rng.standard_normal((3, p))[g], g


@pytest.mark.parametrize("shape", [(150, 9), (20, 35)])
@pytest.mark.parametrize("t", [1.0, 1.4, 2.0, 3.0])
def test_constraints_hold_and_error_is_that_of_the_reconstruction(rng: np.random.Generator, shape, t: float) -> None:
    X, g = sample(rng, *shape)
    fit = fairstats.sog(X, g, k=3, t=t, scale=True)
    S = fit.transform(X, g)
    Z = np.column_stack([g == 1, g == 2]).astype(float)
    gram = S.T @ S
    assert np.abs(S.T @ (Z - Z.mean(axis=0))).max() < 1e-8 * np.sqrt(gram.max() * len(X))
    assert np.abs(gram - np.diag(np.diag(gram))).max() < 1e-8 * gram.max()
    assert np.abs(fit.loadings).sum(axis=0).max() <= t + 1e-8
    np.testing.assert_allclose(np.linalg.norm(fit.loadings, axis=0), 1, atol=1e-10)
    Xs = (X - X.mean(axis=0)) / X.std(axis=0, ddof=1)
    assert fit.error == pytest.approx(np.sum((Xs - S @ fit.loadings.T) ** 2), rel=1e-9)
    np.testing.assert_allclose(np.diag(gram), fit.energy, rtol=1e-8)
    for trace in fit.diagnostics["objective"]:
        assert (np.diff(trace) >= -1e-9 * trace[-1]).all()


def test_rows_and_moments_agree_when_p_exceeds_n_by_one(rng: np.random.Generator) -> None:
    X, g = sample(rng, 40, 41)
    rows = fairstats.sog(X, g, k=2, t=2.0)
    moments = fairstats.sog(fairstats.Moments.of(X, g), k=2, t=2.0)
    assert rows.error == pytest.approx(moments.error, rel=1e-6)


def test_at_the_largest_t_it_is_the_residual_basis(rng: np.random.Generator) -> None:
    X, g = sample(rng)
    assert fairstats.sog(X, g, k=3, t=3.0).error == pytest.approx(
        fairstats.og(X, g, k=3, basis="residual").error, rel=1e-6
    )


def test_errors_are_no_worse_than_the_authors_best_seed(shared: Path) -> None:
    folder = shared / "golden" / "og"
    data = pd.read_csv(folder / "small_input.csv")
    X, z = data.drop(columns="z").to_numpy(), data["z"].to_numpy()
    best: dict[tuple[float, int], float] = {}
    for run in json.loads((folder / "small_sOG_summary.json").read_text())["runs"]:
        if "err_total" in run:
            key = (run["t_val"], run["K"])
            best[key] = min(best.get(key, np.inf), run["err_total"])
    assert len(best) >= 4
    for (t, k), theirs in best.items():
        assert fairstats.sog(X, z, k=k, t=t, scale=True).error <= theirs + 1e-9
    run = json.loads((folder / "compas1000_sOG_summary.json").read_text())
    people = pd.read_csv(folder / "compas_input_6features_z.csv").head(1000)
    features = "~ (age + juv_fel + juv_misd + juv_other + priors + felony)^2"
    for one in run if isinstance(run, list) else [run]:
        fit = fairstats.sog(features, "z", k=one["K"], t=one["t_val"], data=people, scale=True)
        assert fit.total == pytest.approx(one["fro2_X"]) and fit.error <= one["err_total"]


def test_ties_are_split_the_same_way_every_time() -> None:
    X = np.vstack([np.eye(4), -np.eye(4)]) * 2.0
    g = np.tile([0, 1, 0, 1], 2)
    a, b = (fairstats.sog(X, g, k=1, t=1.2) for _ in range(2))
    np.testing.assert_array_equal(a.loadings, b.loadings)
    assert np.abs(a.loadings).sum() <= 1.2 + 1e-12


def largest(v: np.ndarray, t: float) -> float:
    """max uᵀv over ‖u‖₂ ≤ 1, ‖u‖₁ ≤ t: the least of √Σ(|v| − θ)₊² + θt over θ ≥ 0, by the dual, in 50 digits."""
    from decimal import Decimal, localcontext

    with localcontext(prec=50):
        a = [abs(Decimal(float(x))) for x in v]

        def dual(theta: Decimal) -> Decimal:
            return sum((max(x - theta, Decimal(0)) ** 2 for x in a), Decimal(0)).sqrt() + theta * Decimal(t)

        low, high = Decimal(0), max(a)
        for _ in range(250):
            third = (high - low) / 3
            low, high = (low + third, high) if dual(low + third) > dual(high - third) else (low, high - third)
        return float(dual(low))


def test_entries_that_are_equal_but_for_the_last_digits_have_an_optimum_too() -> None:
    rng = np.random.default_rng(0)
    for _ in range(120):
        p = int(rng.integers(2, 8))
        near = int(rng.integers(1, p + 1))
        v = rng.standard_normal(p)
        v[:near] = v[0] * (1 + 10.0 ** rng.integers(-16, 0) * rng.standard_normal(near)) * rng.choice([-1, 1], near)
        t = float(rng.uniform(1, np.sqrt(p)) if rng.random() < 0.8 else np.sqrt(rng.integers(1, p + 1)))
        u = l1_sphere(v[:, None], t)[:, 0]
        assert np.linalg.norm(u) == pytest.approx(1, abs=1e-12) and np.abs(u).sum() <= t + 1e-9
        assert u @ v == pytest.approx(largest(v, t), rel=1e-11)


@pytest.mark.long
@pytest.mark.parametrize("t", [1.1, 1.3, 1.4, 1.6])
@pytest.mark.parametrize("gap", [1e-7, 1e-8, 1e-10])
def test_columns_that_are_nearly_equal_have_sparse_components(rng: np.random.Generator, gap: float, t: float) -> None:
    g = rng.choice(["a", "b"], 400)
    x, z = rng.normal(size=(2, 400))
    for X in (np.column_stack([x, x + gap * (g == "a"), z]), np.column_stack([x, x + gap * rng.normal(size=400), z])):
        for scale in (True, False):
            rows, moments = (
                fairstats.sog(*data, k=2, t=t, scale=scale) for data in ((X, g), (fairstats.Moments.of(X, g), None))
            )
            assert all(q.holds for q in (*rows.guarantees, *moments.guarantees))
            assert np.abs(rows.loadings).sum(axis=0).max() <= t + 1e-9


@pytest.mark.long
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("groups", ["one", "two", "continuous"])
def test_groups_that_are_far_apart_leave_what_varies_within_them(groups: str, weighted: bool) -> None:
    """The components are those of the same data with no distance between groups, which they do not depend on."""
    rng = np.random.default_rng(7)
    n = 6000
    g = np.sort(rng.choice(["a", "b"], n))  # sorted: the first rows are of one group
    h, age = rng.choice(["u", "v", "w"], n), rng.integers(20, 70, n).astype(float)
    w = rng.integers(1, 4, n).astype(float) if weighted else None
    noise = rng.normal(size=(n, 3)) * [1.0, 1.5, 2.0]
    by = {"one": g, "two": {"g": g, "h": h}, "continuous": {"g": g, "age": fairstats.continuous(age)}}[groups]

    def moved(far: float) -> np.ndarray:
        result = noise + np.outer(g == "a", [far, 1.0, 0.0])
        if groups == "two":
            result[:, 1] += far / 10 * (h == "v")
        if groups == "continuous":
            result[:, 2] += far / 100 * age
        return result

    near = moved(0.0)
    for far in (1e5, 1e7, 1e8):
        X = moved(far)
        sources = [(X, by)]
        if groups != "continuous":
            sources.append((fairstats.Moments.of(X, by, weights=w), None))
        for data in sources:
            weights = w if data[1] is not None else None
            sparse = fairstats.sog(*data, k=2, t=1.3, weights=weights)
            other = fairstats.sog(near, by, k=2, t=1.3, weights=w)
            np.testing.assert_allclose(sparse.loadings, other.loadings, atol=1e-14 * max(far, 1e5) + 1e-9)
            dense = fairstats.og(*data, k=2, basis="residual", weights=weights)
            same = fairstats.og(near, by, k=2, basis="residual", weights=w)
            np.testing.assert_allclose(dense.loadings, same.loadings, atol=1e-14 * max(far, 1e5) + 1e-9)
    if groups == "continuous" and not weighted:
        with pytest.raises(InputError, match=r"components nothing .* fit from rows, as moments may lose it in"):
            fairstats.sog(fairstats.Moments.of(moved(1e9), by, weights=w), None, k=3, t=1.3)


def test_a_column_that_the_groups_say_is_nothing_but_rounding() -> None:
    rng = np.random.default_rng(1)
    g = rng.integers(0, 2, 300)
    X = np.column_stack([rng.normal(size=300), 1e9 * g + 0.1, 3e7 * (1 - g)])
    for data in ((X, g), (fairstats.Moments.of(X, g), None), (np.hstack([X, np.zeros((300, 400))]), g)):
        assert fairstats.sog(*data, k=1, t=1.2).loadings[:3, 0].round(6).tolist() == [1, 0, 0]
        with pytest.raises(
            InputError, match=r"after 1 components nothing is left that the groups do not explain; pass"
        ):
            fairstats.sog(*data, k=2, t=1.2)


def test_the_path_over_t_trades_error_for_zeros(rng: np.random.Generator) -> None:
    X, g = sample(rng)
    path = sog_path(X, g, 2, ts=[1, 1.5, 2, 3])
    assert path.error.is_monotonic_decreasing and path.nonzero.is_monotonic_increasing


@pytest.mark.parametrize("t", [0.9, 3.2, "a"])
def test_t_outside_its_range_is_refused(rng: np.random.Generator, t) -> None:
    X, g = sample(rng)
    with pytest.raises(InputError, match=r"t has .*; it is a number from 1 to 3; .*√p"):
        fairstats.sog(X, g, k=2, t=t)


def test_no_convergence_is_a_warning(rng: np.random.Generator) -> None:
    X, g = sample(rng)
    with pytest.warns(FairstatsWarning, match="did not converge in 2 steps"):
        fairstats.sog(X, g, k=1, t=2.0, max_iter=2)


def paper_steps(C: np.ndarray, t: float) -> float:
    """Where the paper's step alone ends, from the best of the same starts: uᵀCu."""
    singles = np.eye(len(C))[:, np.argsort(-np.diag(C), kind="stable")[:5]]
    U = np.hstack([l1_sphere(np.linalg.eigh(C)[1][:, -1:], t), singles])
    for _ in range(25):
        U = l1_sphere(C @ U, t)
    u = U[:, [int(np.argmax(np.einsum("pb,pb->b", U, C @ U)))]]
    for _ in range(50_000):
        new = l1_sphere(C @ u, t)
        if np.linalg.norm(new - u) < 1e-11:
            break
        u = new
    return float((u.T @ C @ u)[0, 0])


@pytest.mark.parametrize("seed", range(8))
def test_long_steps_end_where_the_papers_do_or_higher(seed: int) -> None:
    """On noise, where nothing stands out and the paper's steps are many; the end is a fixed point of that step."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((400, 60)) + (seed % 2) * rng.standard_normal((400, 1)) * rng.standard_normal(60) * 0.3
    C, t = X.T @ X, (2.0, 3.5, 5.0)[seed % 3]
    result = sparse_component(MatrixDeflation(C), t, 1e-10, 5000)
    assert result.d2 >= paper_steps(C, t) * (1 - 1e-10)
    assert result.converged and result.iterations < 400
    assert np.linalg.norm(l1_sphere(C @ result.u[:, None], t)[:, 0] - result.u) < 1e-8
    assert (np.diff(result.objective) >= -1e-12 * result.d2).all()
    np.testing.assert_allclose(result.image, C @ result.u, atol=1e-10 * result.d2)


def factors(sparse: bool, n: int = 240, p: int = 16) -> tuple[np.ndarray, np.ndarray]:
    """One factor in three of the features, or in all of them, beside noise; and a shift of the groups."""
    rng = np.random.default_rng(1)
    g = rng.choice(["a", "b"], n)
    u = np.zeros(p)
    u[: 3 if sparse else p] = 1.0
    X = np.outer(rng.standard_normal(n), 4 * u / np.linalg.norm(u)) + rng.standard_normal((n, p))
    return X + (g == "a")[:, None], g


@pytest.mark.parametrize("scale", [False, True])
def test_the_bound_by_cross_validation_is_the_sparsest_within_one_standard_error(scale: bool) -> None:
    X, g = factors(sparse=True, n=90, p=9)
    w = np.random.default_rng(0).uniform(0.5, 2, len(X))
    fit = fairstats.sog(X, g, k=1, t="cv", scale=scale, weights=w, folds=3, seed=4)
    bounds, chosen = fit.diagnostics["bounds"], fit.diagnostics["t"]
    folds = fairstats.og(X, g, k=1, weights=w).crossfit(X, g, weights=w, folds=3, seed=4).folds
    lost = np.empty((len(X), len(bounds)))
    for f in range(3):
        kept = folds == f
        for j, t in enumerate(bounds):
            part = fairstats.sog(X[~kept], g[~kept], k=1, t=t, scale=scale, weights=w[~kept])
            left = X[kept] - part.reconstruct(X[kept], g[kept])
            lost[kept, j] = np.sum((left / (part.scaling.scale if scale else 1.0)) ** 2, axis=1)
    errors = np.average(lost, axis=0, weights=w)
    np.testing.assert_allclose(fit.diagnostics["errors"], errors, rtol=1e-8)
    best = int(np.argmin(errors))
    apart = lost - lost[:, [best]]
    error = np.sqrt(np.sum((w[:, None] * (apart - np.average(apart, axis=0, weights=w))) ** 2, axis=0)) / w.sum()
    assert chosen == min(t for t, e, s in zip(bounds, errors, error, strict=True) if e - errors[best] <= s)
    assert fit.settings["t"] == "cv" and f"t = {chosen:g}, by cross-validation" in fit.notes[0]
    same = fairstats.sog(X, g, k=1, t=chosen, scale=scale, weights=w)
    np.testing.assert_allclose(fit.loadings, same.loadings, atol=1e-12)


@pytest.mark.long
def test_cross_validation_finds_how_sparse_the_factor_is() -> None:
    few, all_of_them = (fairstats.sog(*factors(sparse), k=1, t="cv") for sparse in (True, False))
    assert few.diagnostics["t"] < 2.2 < 2.7 < all_of_them.diagnostics["t"]  # the truth: √3 and 4
    assert set(np.flatnonzero(np.abs(few.loadings[:, 0]) > 0.2)) == {0, 1, 2}
    kept = few.crossfit(*factors(True))  # every fold chooses its own
    assert kept.scores.shape == (240, 1)
    with pytest.raises(InputError, match="t has 'cv', and X is moments"):
        fairstats.sog(fairstats.moments(*factors(True)), k=1, t="cv")
    with pytest.raises(InputError, match="t has 'best'"):
        fairstats.sog(*factors(True), k=1, t="best")


@pytest.mark.long
@pytest.mark.filterwarnings("ignore:sog. a guarantee does not hold")  # which the fit says by itself
def test_moments_that_lost_what_is_left_give_no_component() -> None:
    """A continuous attribute of gap 1e9: what is left is rounding, even below 0; what is accepted is that of rows."""
    refused = 0
    for seed in range(12):
        rng = np.random.default_rng(seed)
        h, w = rng.normal(size=300), rng.random(300) + 0.5
        for gap in (1e4, 1e9, 1e10):
            X = rng.normal(size=(300, 3)) * [0.1, 1.0, 10.0] + gap * np.outer(h, [1.0, 0.3, -0.1])
            table = {"a": X[:, 0], "b": X[:, 1], "c": X[:, 2], "h": h, "w": w}
            try:
                fit = fairstats.sog(fairstats.moments(table, fairstats.continuous("h"), weights="w"), k=3, t=1.5)
            except InputError as problem:
                assert "fit from rows" in str(problem)
                refused += 1
                continue
            rows = fairstats.sog(X, fairstats.continuous(h), 3, t=1.5, weights=w)
            np.testing.assert_allclose(fit.diagnostics["d"], rows.diagnostics["d"], rtol=0.05)
    assert 24 <= refused < 36
