"""Stability of components: principal angles against scipy, matching, coverage of loadings, every linear method."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.linalg import subspace_angles

import fairstats
from fairstats.errors import InputError
from fairstats.inference.representations.fit_studies import largest_angle, matched
from tests.laws.every_method import PROJECTIONS, sample

SLOW = {"fpca", "mbf_pca", "rlace_pca"}


@settings(max_examples=60, deadline=None)
@given(st.integers(2, 7), st.integers(1, 4), st.integers(1, 4), st.integers(0, 10**6))
def test_the_largest_angle_is_scipys_in_either_order(p: int, k: int, r: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    U, V = rng.standard_normal((p, min(k, p))), rng.standard_normal((p, min(r, p)))
    want = np.degrees(subspace_angles(U, V).max())
    assert largest_angle(U, V) == pytest.approx(want, abs=1e-6) == largest_angle(V, U)


def test_a_turn_within_the_span_is_no_angle() -> None:
    rng = np.random.default_rng(0)
    U = np.linalg.qr(rng.standard_normal((6, 3)))[0]
    assert largest_angle(U, U @ np.linalg.qr(rng.standard_normal((3, 3)))[0]) < 1e-6


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 4), st.integers(0, 10**6))
def test_components_are_matched_so_that_cosines_have_the_largest_sum(k: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    U, V = (np.linalg.qr(rng.standard_normal((6, k)))[0] for _ in range(2))
    result, cosines = matched(U, V)
    best = max(sum(abs(U[:, i] @ V[:, j]) for i, j in enumerate(order)) for order in itertools.permutations(range(k)))
    assert cosines.sum() == pytest.approx(best)
    assert (np.einsum("pk,pk->k", U, result) >= 0).all()
    again, full = matched(V, V[:, ::-1] * -1)
    np.testing.assert_allclose(again, V)
    np.testing.assert_allclose(full, 1.0)


@pytest.mark.long
@pytest.mark.parametrize("name", [name for name in PROJECTIONS if name not in SLOW])
def test_every_linear_method_is_studied(name: str) -> None:
    X, g = sample(n=120, p=5)
    fit = PROJECTIONS[name](X, g, k=2)
    result = fairstats.bootstrap_loadings(fit, X, g, replicates=20)
    angles, loadings = result.estimates.only(metric="angle"), result.estimates.only(metric="loading")
    assert [r.term for r in angles] == ["all components", *(f"component {j + 1}" for j in range(fit.k))]
    assert all(0 <= r.conf_low <= r.estimate <= r.conf_high <= 90 for r in angles)
    assert len(loadings) == fit.k * 5
    for row in loadings:
        j = int(row.given.split()[-1]) - 1
        assert row.estimate == fit.loadings[fit.features.index(row.term), j]
    assert result.estimates == fairstats.bootstrap_loadings(fit, X, g, replicates=20).estimates


@pytest.mark.long
def test_strong_components_are_stable_and_ties_are_so_as_a_span_only() -> None:
    rng = np.random.default_rng(1)
    g = np.arange(400) % 2
    strong = rng.standard_normal((400, 5)) * [10, 5, 0.5, 0.5, 0.5]
    tied = rng.standard_normal((400, 5)) * [5, 5, 0.5, 0.5, 0.5]
    a, b = (
        fairstats.bootstrap_loadings(fairstats.og(X, g, k=2), X, g).estimates.only(metric="angle")
        for X in (strong, tied)
    )
    assert max(r.conf_high for r in a) < 5
    assert b[0].conf_high < 5 < 20 < b[1].conf_high


@pytest.mark.long
@pytest.mark.parametrize("fits", [15, pytest.param(40, marks=pytest.mark.slow)])
def test_limits_of_loadings_cover_those_of_the_population(fits: int) -> None:
    truth, covered = np.array([0.8, 0.6, 0.0, 0.0]), []
    root = np.linalg.qr(np.column_stack([truth, np.eye(4)[:, 1:]]))[0]
    root *= np.sign(root[:, 0] @ truth)
    for seed in range(fits):
        rng = np.random.default_rng(seed)
        X = rng.standard_normal((150, 4)) * [3, 1, 1, 1] @ root.T
        g = np.arange(150) % 2
        rows = fairstats.bootstrap_loadings(fairstats.og(X, g, k=1), X, g, replicates=60).estimates.only(
            metric="loading"
        )
        covered += [r.conf_low <= t <= r.conf_high for r, t in zip(rows, truth, strict=True)]
    assert np.mean(covered) > 0.88


def test_kernels_and_few_samples_are_refused() -> None:
    X, g = sample(n=60, p=4)
    with pytest.raises(InputError, match="have no loadings"):
        fairstats.bootstrap_loadings(fairstats.fair_kernel_pca(X, g, k=2), X, g)
    with pytest.raises(InputError, match="replicates has 5"):
        fairstats.bootstrap_loadings(fairstats.og(X, g), X, g, replicates=5)
