"""Data with nothing in them, and numbers that are none: a result that can be read, or one clear refusal."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

import fairstats
from fairstats.errors import FairstatsError, InputError
from tests.laws.every_method import EVERY, OF, PROJECTIONS, sample

GROUPS = np.tile(["a", "b"], 20)
REDUCING = [name for name in EVERY if OF[name].reduces]


def read(fit: Any) -> None:
    """Everything that tells of a fit, without one NaN among its shares."""
    assert len(fit.summary()) and len(fit.glance()) == 1
    rows = fit.tidy()
    if "metric" in rows and "variance share" in set(rows["metric"]):
        assert np.isfinite(rows.loc[rows["metric"] == "variance share", "estimate"]).all()


@pytest.mark.long
@pytest.mark.parametrize("name", EVERY)
@pytest.mark.parametrize("value", [0.0, 1.0, 0.1, 1e8 + 0.1])
@pytest.mark.parametrize("shape", [(40, 7), (8, 12)])
def test_constant_features_leave_nothing_and_say_so_without_a_crash(
    name: str, value: float, shape: tuple[int, int]
) -> None:
    X, g = np.full(shape, value), GROUPS[: shape[0]]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            fit = EVERY[name](X, g, **({"n_landmarks": 4} if name == "kernel landmarks" else {}))
        except InputError:
            return
    read(fit)
    result = fit.transform(X, g)
    assert np.isfinite(result).all() and all(x.holds for x in fit.guarantees)
    assert np.abs(result - (0.0 if OF[name].reduces else value)).max() <= 1e-6 * max(value, 1.0)


@pytest.mark.long
@pytest.mark.parametrize("name", EVERY)
@pytest.mark.parametrize("case", ["two rows", "a group of one row", "every column is the group"])
def test_hardly_any_data_are_fitted_or_refused(name: str, case: str) -> None:
    X, _ = sample(n=40)
    g, k = GROUPS, 2
    if case == "two rows":
        X, g, k = X[:2], GROUPS[:2], 1
    elif case == "a group of one row":
        g = np.array(["a"] * 39 + ["b"])
    else:
        X = np.repeat((GROUPS == "a")[:, None] * 1.0, 7, axis=1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            fit = EVERY[name](X, g, k, **({"n_landmarks": 2} if name == "kernel landmarks" else {}))
        except FairstatsError:
            return
    read(fit)
    assert np.isfinite(fit.transform(X, g)).all()


@pytest.mark.long
@pytest.mark.parametrize("name", REDUCING)
@pytest.mark.parametrize("k", [np.nan, np.inf, -np.inf, "2", None, 2.5, True, 0, 10**9])
def test_a_k_that_is_no_number_of_components_is_refused_by_name(name: str, k: Any) -> None:
    X, g = sample(n=40)
    with pytest.raises(InputError, match="k has"):
        EVERY[name](X, g, k)


@pytest.mark.long
@pytest.mark.parametrize("name", [n for n in PROJECTIONS if n not in ("mbf_pca", "rlace_pca", "inlp_pca", "sog")])
@pytest.mark.parametrize("shape", [(40, 7), (9, 20)])
def test_components_beyond_the_rank_hold_nothing_and_spoil_nothing(name: str, shape: tuple[int, int]) -> None:
    if name == "fair_pca-s":
        pytest.skip("takes the null space first")
    rng = np.random.default_rng(0)
    X, g = rng.standard_normal((shape[0], 3)) @ rng.standard_normal((3, shape[1])), GROUPS[: shape[0]]
    fit = EVERY[name](X, g, 5)
    read(fit)
    assert np.isfinite(fit.loadings).all() and all(x.holds for x in fit.guarantees)
    if name == "pca":
        assert fit.energy[3:].max() < 1e-12 * fit.total
        np.testing.assert_allclose(fit.loadings.T @ fit.loadings, np.eye(5), atol=1e-12)


@pytest.mark.parametrize("name", EVERY)
def test_complex_numbers_are_refused_and_not_cut_in_half(name: str) -> None:
    X, g = sample(n=40)
    for values in (X + 1j, (X + 1j).tolist(), sparse.csr_array(X + 1j), pd.DataFrame(X + 1j)):
        with pytest.raises(InputError):
            EVERY[name](values, g)
    fit = EVERY[name](X, g)
    with pytest.raises(InputError, match="complex"):
        fit.transform(X + 1j, g)


def test_complex_weights_of_a_graph_are_refused() -> None:
    with pytest.raises(InputError, match="data holds complex numbers"):
        fairstats.graph(np.ones((4, 4)) * 1j)
    with pytest.raises(InputError, match="complex"):
        fairstats.kneighbors_graph(np.ones((9, 2)) * 1j, 2)


def test_rows_of_weight_0_may_lie_anywhere() -> None:
    X, _ = sample()
    far, w = X.copy(), np.ones(len(X))
    far[:20] += 1e12
    w[:20] = 0.0
    np.testing.assert_allclose(
        fairstats.pca(far, weights=w).transform(X), fairstats.pca(X[20:]).transform(X), atol=1e-9 * np.abs(X).max()
    )


@pytest.mark.parametrize(
    "method",
    [
        fairstats.pca,
        fairstats.og,
        fairstats.fair_pca,
        fairstats.leace_pca,
        fairstats.minimax_pca,
        fairstats.disparity_pca,
    ],
)
def test_components_beyond_the_rank_are_reported_and_small_units_are_not_taken_for_them(method: Any) -> None:
    rng = np.random.default_rng(0)
    g = np.tile(["a", "b"], 25)
    groups: dict[str, Any] = {} if method is fairstats.pca else {"groups": g}
    if method is fairstats.disparity_pca:
        groups |= {"advantaged": "a", "disadvantaged": "b", "lam": 0.5}
    flat = rng.standard_normal((50, 2)) @ rng.standard_normal((2, 6)) + 7.0
    taken = {fairstats.fair_pca: 1, fairstats.leace_pca: 1}.get(method, 0)
    notes = " ".join(method(flat, k=4, **groups).notes)
    assert f"{2 + taken} of the components hold no variation" in notes
    full = rng.standard_normal((50, 6)) * [1e9, 1, 1, 1, 1, 1e-3]
    assert "no variation" not in " ".join(method(full, k=4, **groups).notes)
    deep = method(full, k=5, **groups)
    assert "no variation" not in " ".join(deep.notes)
