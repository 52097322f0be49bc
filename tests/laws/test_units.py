"""No method's answer hangs on the origin or the unit of the data, nor on the route that they take."""

from __future__ import annotations

import warnings
from inspect import signature
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

import fairstats
from fairstats.methods.registry import METHODS
from tests.laws.every_method import EVERY, OF, PROJECTIONS, ROWS_ONLY, SEARCHES, apart, sample, wide

EPS = float(np.finfo(float).eps)
SLOW = {"fpca", "mbf_pca", "rlace", "rlace_pca"}
PRICES: dict[str, tuple[str, int]] = {"inlp": ("penalty", -2), "inlp_pca": ("penalty", -2), "fpca": ("mu", -1)}
PRICES |= {"kernel rbf": ("gamma", -2), "kernel landmarks": ("gamma", -2)}


def every(*without: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("name", [n for n in EVERY if n not in without])


def adjusted(name: str, X: Any, g: np.ndarray, seen: Any = None, **more: Any) -> np.ndarray:
    """Scores, or adjusted rows less the mean of the raw ones."""
    seen = X if seen is None else seen
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # searches that end early do so in all units
        fit = EVERY[name](seen, **({} if isinstance(seen, fairstats.Moments) else {"g": g}), **more)
    assert all(x.holds for x in fit.guarantees) or name in SEARCHES
    result = fit.transform(X, g)
    return np.asarray(result if OF[name].reduces else result - fit.scaling.center)


def test_every_method_of_the_registry_is_tested_by_these_laws() -> None:
    assert {OF[name].name for name in EVERY} == set(METHODS)


def routes(name: str) -> list[str]:
    take = ["rows"]
    take += ["weights"] * OF[name].weights + ["chunks"] * OF[name].moments + ["sparse"] * (name not in ROWS_ONLY)
    return take


@pytest.mark.long
@every()
@pytest.mark.parametrize("columns", ["one", "all"])
@pytest.mark.parametrize("data", ["tall", "wide"])
def test_an_offset_changes_nothing_by_any_route(name: str, columns: str, data: str) -> None:
    """To the rounding of the numbers themselves: 1e8 standard deviations from 0 leave them eight digits."""
    if data == "wide" and name in ("fpca", "inlp_pca", "fair_pca-s", "quadratic_leace"):
        pytest.skip(
            "covariances of a group are singular"
            if name == "quadratic_leace"
            else "what is left is the null space, and no direction in it is better than another"
        )
    X, g = sample() if data == "tall" else wide()
    more = {"t": 3.0} if name == "sog" and data == "wide" else {}
    plain: dict[tuple[float, bool], np.ndarray] = {}  # of the rows as they are, without weights and with them
    for offset in (1e4, 1e8):
        moved = np.where(np.arange(X.shape[1]) < (1 if columns == "one" else X.shape[1]), offset, 0.0)
        far = X + moved
        near = far - moved  # the same numbers: the difference is exact
        for route in routes(name):
            if data == "wide" and route == "chunks":
                continue
            if route == "weights":
                more = {**more, "weights": np.random.default_rng(1).uniform(0.5, 2, len(X))}
            seen: Any = far
            if route == "chunks":
                seen = fairstats.Moments.of(far[:70], g[:70]) + fairstats.Moments.of(far[70:], g[70:])
                more.pop("weights", None)
            elif route == "sparse":
                seen = sparse.csr_array(far)
                more.pop("weights", None)
            tolerance = max(SEARCHES.get(name, 1e-9), 300 * EPS * offset)
            if name.startswith("rlace") and data == "wide":
                tolerance = 0.05  # probes of more features than rows have no single best
            got = adjusted(name, sparse.csr_array(far) if route == "sparse" else far, g, seen, **more)
            if (offset, "weights" in more) not in plain:
                plain[offset, "weights" in more] = adjusted(name, near, g, **more)
            assert apart(got, plain[offset, "weights" in more]) < tolerance, (offset, route)


@pytest.mark.long
@every()
@pytest.mark.parametrize("unit", [1e-100, 1e-30, 1e30, 1e100])
def test_the_unit_of_the_data_changes_nothing_but_the_unit_of_the_scores(name: str, unit: float) -> None:
    X, g = sample()
    argument, power = PRICES.get(name, ("", 0))  # prices of what is not in units of the data
    price: dict[str, float] = {} if not argument else {argument: {"penalty": 1.0, "mu": 0.01, "gamma": 0.05}[argument]}
    got = adjusted(name, X * unit, g, **{a: v * unit**power for a, v in price.items()})
    size = 1.0 if name in ("kernel rbf", "kernel landmarks") else unit
    assert apart(got / size, adjusted(name, X, g, **price)) < max(SEARCHES.get(name, 0.0), 1e-9 if not price else 1e-2)


@pytest.mark.parametrize("name", [n for n in PROJECTIONS if n not in SLOW])
@pytest.mark.parametrize("size", [1e3, 1e6])
@pytest.mark.parametrize("column", [0, 3])
def test_features_that_are_0_change_nothing_where_one_column_dominates(name: str, size: float, column: int) -> None:
    """With them p > n, and the other route is taken: both know the components below the one of dollars."""
    if name in ("fair_pca-s", "inlp_pca", "sog", "leace_pca shrunk"):
        pytest.skip("counts features, or bounds their number")
    if name.startswith("minimax") and size > 1e3:
        pytest.skip("its losses are equal to 1e-8 of the largest sum of squares, which is that column's")
    X, g = sample(n=60)
    X[:, column] *= size
    narrow = adjusted(name, X, g, k=3)
    broad = adjusted(name, np.hstack([X, np.zeros((60, 60))]), g, k=3)
    for j in range(3):
        assert apart(broad[:, j], narrow[:, j]) < 1e-7


@pytest.mark.long
@pytest.mark.parametrize("shape", [(300, 40), (1000, 850), (120, 300)])
@pytest.mark.parametrize("size", [1.0, 1e4, 1e7])
@given(seed=st.integers(0, 1000))
@settings(max_examples=3, deadline=None)
def test_singular_values_and_loadings_of_pca_are_numpys(shape: tuple[int, int], size: float, seed: int) -> None:
    rng = np.random.default_rng(seed)
    n, p = shape
    X = rng.standard_normal(shape) + 2 * rng.standard_normal((n, 3)) * [3, 2, 1] @ rng.standard_normal((3, p)) + 40.0
    X[:, seed % p] = size * np.exp(rng.standard_normal(n)) if size > 1 else X[:, seed % p]
    fit = fairstats.pca(X, k=4)
    _, s, right = np.linalg.svd(X - X.mean(axis=0), full_matrices=False)
    np.testing.assert_allclose(fit.singular_values, s[:4], rtol=1e-8)
    np.testing.assert_allclose(np.abs(np.sum(fit.loadings[:, :3] * right[:3].T, axis=0)), 1, atol=1e-8)


@pytest.mark.parametrize("offset", [0.0, 1e6, 1e8])
@pytest.mark.parametrize("form", ["dense", "sparse", "scaled"])
def test_neighbors_are_those_of_the_distances_wherever_the_rows_are(offset: float, form: str) -> None:
    X = np.random.default_rng(2).integers(-(2**20), 2**20, (200, 24)) / 2.0**20
    far = X + offset if offset else X
    X = far - offset
    if form == "scaled":
        X = X / X.std(axis=0, ddof=1)
    squares = ((X[:, None] - X[None]) ** 2).sum(axis=-1)
    np.fill_diagonal(squares, np.inf)
    wanted = np.zeros((200, 200), dtype=bool)
    wanted[np.arange(200)[:, None], np.argsort(squares, axis=1)[:, :5]] = True
    result = fairstats.kneighbors_graph(sparse.csr_array(far) if form == "sparse" else far, 5, scale=form == "scaled")
    np.testing.assert_array_equal(result.weights.toarray() > 0, wanted | wanted.T)
    huge = fairstats.kneighbors_graph(X * 2.0**600, 5)
    np.testing.assert_array_equal(huge.weights.toarray() > 0, wanted | wanted.T)


@pytest.mark.long
@pytest.mark.parametrize("unit", [1.0, 1e-6])
@pytest.mark.parametrize("name", PROJECTIONS)
def test_the_error_of_pca_beside_a_fit_is_that_of_pca(name: str, unit: float) -> None:
    X, g = sample()
    argument, power = PRICES.get(name, ("", 0))
    more = {argument: {"penalty": 1.0, "mu": 0.01}[argument] * unit**power} if argument else {}
    fit = EVERY[name](unit * X, g, **more)
    if name in ("minimax_pca", "minimax_pca nash", "minimax_pca nested"):  # their data are centered by group
        X = X - np.where((g == "a")[:, None], X[g == "a"].mean(axis=0), X[g == "b"].mean(axis=0))
    wanted = fairstats.pca(X, k=2)
    assert fit.pca_error / unit**2 == pytest.approx(wanted.error, rel=1e-9, abs=0)
    assert fit.total / unit**2 == pytest.approx(wanted.total, rel=1e-9, abs=0)


@pytest.mark.long
@every()
def test_scaled_data_are_standardized_data(name: str) -> None:
    if OF[name].result == "group map":
        pytest.skip("has no such argument: it treats every feature alike")
    X, g = sample()
    X = X * np.geomspace(1e-3, 1e4, X.shape[1])
    standard = (X - X.mean(axis=0)) / X.std(axis=0, ddof=1)
    scaled, plain = adjusted(name, X, g, scale=True), adjusted(name, standard, g)
    if not OF[name].reduces:
        scaled = scaled / X.std(axis=0, ddof=1)
    assert apart(scaled, plain) < max(SEARCHES.get(name, 0.0), 1e-8)


@pytest.mark.parametrize("name", ["pca", "og", "fair_pca"])
def test_scores_of_rows_far_from_the_origin_keep_their_digits(name: str) -> None:
    X, g = sample()
    far = X + 1e8
    near = far - 1e8  # the same numbers: the difference is exact
    ours, theirs = (PROJECTIONS[name](rows, g, k=2).transform(rows, g) for rows in (far, near))
    np.testing.assert_allclose(ours, theirs, atol=1e-7 * np.abs(theirs).max())


@pytest.mark.long
@pytest.mark.parametrize("name", [name for name in EVERY if "scale" in signature(OF[name].function).parameters])
def test_a_rare_column_that_is_constant_in_a_fold_has_the_spread_of_all_rows(name: str) -> None:
    X, g = sample(n=80, p=4)
    X[:, 3] = 0.0
    X[[3, 6], 3] = 1.0
    folds = np.where(np.isin(np.arange(80), [3, 6]), 0, np.arange(80) % 2)  # fold 0 is fitted on rows without a 1
    fit = EVERY[name](X, g, k=2, scale=True)
    with pytest.warns(fairstats.FairstatsWarning, match="constant in the rows outside fold 1: x4"):
        kept = fit.crossfit(X, g, folds=folds)
    assert np.isfinite(kept.scores).all()
    if name in SEARCHES or any(word in name for word in ("kernel", "-s", "minimax", "shrunk", "inlp")):
        return  # these know how many columns there are
    # In the fit of fold 0 it is a column of zeros, which changes nothing.
    first, tested = folds == 1, (folds == 0) & (X[:, 3] == 0)
    part = EVERY[name](X[first][:, :3], g[first], k=2, scale=True)
    ours, theirs = (
        kept.scores[tested][:, : part.transform(X[:1, :3], g[:1]).shape[1]],
        part.transform(X[tested][:, :3], g[tested]),
    )
    assert apart(np.abs(ours), np.abs(theirs)) < 1e-7
