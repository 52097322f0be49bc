"""Moments merge exactly and do not lose digits to a large common mean."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

import fairstats
from fairstats.data.centered import CenteredMoments, CenteredRows
from fairstats.data.design import Design
from fairstats.errors import InputError


def example(rng: np.random.Generator, n: int = 200, p: int = 6) -> tuple[np.ndarray, np.ndarray]:
    return rng.standard_normal((n, p)) @ rng.standard_normal((p, p)), rng.choice(["a", "b", "c"], n)


@pytest.mark.parametrize("by_cell", [True, False])
def test_covariance_and_group_means_are_numpys(rng: np.random.Generator, by_cell: bool) -> None:
    X, g = example(rng)
    m = fairstats.Moments.of(X, g, by_cell=by_cell)
    weight, delta, T = m.total()
    np.testing.assert_allclose(T / (weight - 1), np.cov(X.T), rtol=1e-12)
    np.testing.assert_allclose(m.shift + delta, X.mean(axis=0), rtol=1e-12)
    for j, (cell,) in enumerate(m.cells):
        np.testing.assert_allclose(m.shift + m.delta[j], X[g == cell].mean(axis=0), rtol=1e-11)
        if by_cell:
            np.testing.assert_allclose(m.scatter[j] / (m.n[j] - 1), np.cov(X[g == cell].T), rtol=1e-11)


def test_a_common_mean_of_1e8_costs_no_more_than_the_digits_that_the_data_lack(rng: np.random.Generator) -> None:
    X = np.round(rng.standard_normal((400, 3)), 6) + 1e8
    g = rng.choice(["a", "b"], 400)
    m = fairstats.Moments.of(X[:150], g[:150]) + fairstats.Moments.of(X[150:], g[150:])
    C = m.total()[2] / 399
    exact = [[Fraction(v) for v in row] for row in X.T.tolist()]
    means = [sum(c) / 400 for c in exact]
    for i in range(3):
        for j in range(i, 3):
            true = sum((a - means[i]) * (b - means[j]) for a, b in zip(exact[i], exact[j], strict=True)) / 399
            assert abs(C[i, j] - float(true)) < 1e-9


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(1, 59), st.booleans())
def test_chunks_equal_the_whole_in_any_split_and_order(seed: int, cut: int, by_cell: bool) -> None:
    rng = np.random.default_rng(seed)
    X, g = example(rng, 60, 4)
    g[:2], g[-2:] = ["a", "b"], ["b", "c"]
    w = rng.random(60) + 0.1
    whole = fairstats.Moments.of(X, g, weights=w, by_cell=by_cell)
    parts = [
        fairstats.Moments.of(Design.of(X[s], g[s], weights=w[s], at_least=1), by_cell=by_cell)
        for s in (slice(None, cut), slice(cut, None))
    ]
    for merged in (parts[0] + parts[1], parts[1] + parts[0]):
        assert sorted(merged.cells) == sorted(whole.cells)
        to = [merged.cells.index(c) for c in whole.cells]
        np.testing.assert_array_equal(merged.n[to], whole.n)
        np.testing.assert_allclose((merged.shift + merged.delta)[to], whole.shift + whole.delta, atol=1e-12)
        scatter = merged.scatter[to] if by_cell and merged.by_cell else merged.scatter.sum(axis=0)
        np.testing.assert_allclose(
            scatter, whole.scatter if by_cell and merged.by_cell else whole.scatter.sum(axis=0), atol=1e-9
        )


def test_whole_weights_are_repeated_rows(rng: np.random.Generator) -> None:
    X, g = example(rng, 50, 3)
    w = rng.integers(1, 4, 50)
    a, b = fairstats.Moments.of(X, g, weights=w), fairstats.Moments.of(np.repeat(X, w, axis=0), np.repeat(g, w))
    np.testing.assert_allclose(a.total()[2], b.total()[2], rtol=1e-11)
    np.testing.assert_allclose(a.weight, b.weight)


def test_sparse_equals_dense(rng: np.random.Generator) -> None:
    X = sparse.random(300, 20, 0.1, rng=rng, format="csc")
    g = rng.choice(["a", "b"], 300)
    np.testing.assert_allclose(
        fairstats.Moments.of(X, g).total()[2], fairstats.Moments.of(X.toarray(), g).total()[2], atol=1e-12
    )


def test_rows_and_moments_give_the_same_spread(rng: np.random.Generator) -> None:
    X, g = example(rng, 80, 7)
    X = np.hstack([X, rng.standard_normal((80, 1))])
    design = Design.of(X, g, weights=rng.random(80))
    a, b = CenteredMoments(fairstats.Moments.of(design), scale=True), CenteredRows(design, scale=True)
    assert a.total == pytest.approx(b.total, rel=1e-12)
    np.testing.assert_allclose(a.cross_z, b.cross_z, atol=1e-10)
    np.testing.assert_allclose(a.gram_z, b.gram_z, atol=1e-10)
    for route in ("leading", "leading_residual"):
        (va, ua), (vb, ub) = getattr(a, route)(3), getattr(b, route)(3)
        np.testing.assert_allclose(va, vb, rtol=1e-9)
        np.testing.assert_allclose(ua, ub, atol=1e-7)


def test_an_outcome_splits_cells_and_collapses_back(rng: np.random.Generator) -> None:
    X, g = example(rng)
    y = rng.integers(0, 2, len(X))
    m = fairstats.Moments.of(X, g, y=y)
    plain = fairstats.Moments.of(X, g)
    merged = m.collapse(("group",))
    np.testing.assert_allclose(merged.scatter, plain.scatter, rtol=1e-10)
    positive = m.within_outcome("1")
    assert positive.n.sum() == y.sum()
    np.testing.assert_allclose(positive.total()[2], fairstats.Moments.of(X[y == 1], g[y == 1]).total()[2], rtol=1e-10)


def test_moments_of_other_features_do_not_add() -> None:
    a = fairstats.Moments.of({"x": [1.0, 2.0], "g": ["u", "v"]}, "g")
    b = fairstats.Moments.of({"y": [1.0, 2.0], "g": ["u", "v"]}, "g")
    with pytest.raises(InputError, match="features differ"):
        a + b


@pytest.mark.parametrize("offset", [0.0, 0.3, 40.0], ids=["about 0", "near 0", "far from 0"])
@pytest.mark.parametrize("G", [2, 7])
def test_every_route_over_several_blocks_gives_sums_in_long_precision(
    rng: np.random.Generator, offset: float, G: int
) -> None:
    n = 40_000
    X, g, w = rng.standard_normal((n, 3)) * [1, 2, 1e3] + offset, rng.integers(0, G, n), rng.uniform(0.1, 3, n)
    before, long = X.copy(), X.astype(np.longdouble)
    for mass, given_weights in ((np.ones(n), None), (w, w)):
        means = np.array([np.average(long[g == j], axis=0, weights=mass[g == j]) for j in range(G)])
        apart = (long - means[g]) * np.sqrt(mass)[:, None]
        within = np.array([apart[g == j].T @ apart[g == j] for j in range(G)])
        size = np.sqrt(np.einsum("gii,gjj->gij", within, within)).astype(float)
        for by_cell in (True, False):
            m = fairstats.Moments.of(X, g, weights=given_weights, by_cell=by_cell)
            np.testing.assert_allclose(m.weight, np.bincount(g, mass), rtol=1e-13)
            np.testing.assert_allclose(m.shift + m.delta, means.astype(float), atol=1e-12, rtol=1e-12)
            expected = within if by_cell else within.sum(axis=0, keepdims=True)
            error = np.abs(m.scatter - expected.astype(float)).max(axis=0)
            assert (error <= 1e-12 * size.sum(axis=0)).all()
    assert (before == X).all()


@pytest.mark.parametrize("shape", [(60, 4), (20, 40)])
def test_what_squares_lose_is_refused_under_the_name_of_what_holds_it(rng, shape) -> None:
    n = shape[0]
    X, g = rng.standard_normal(shape), np.arange(n) % 2
    c = rng.standard_normal(n)
    one = X.copy()
    one[:, 1] *= 1e-170
    for tiny in (X * 1e-170, one, X * 1e-320, sparse.csr_array(one)):
        for fit in (fairstats.og, fairstats.leace, fairstats.minimax_pca, fairstats.fair_kernel_pca):
            with pytest.raises(InputError, match=r"X has numbers too small to be squared \(column x[12]\)"):
                fit(tiny, g)
    for scale, text in ((1e-170, "small"), (1e200, "large")):
        for fit in (fairstats.og, fairstats.leace):
            with pytest.raises(InputError, match=rf"groups has numbers too {text} to be squared \(column age\)"):
                fit(X, fairstats.continuous(c * scale, "age"))
    with pytest.raises(InputError, match="weights has 1e-310 as its largest value"):
        fairstats.og(X, g, weights=np.full(n, 1e-310))
    # A column that does not vary is one, however small.
    flat = np.column_stack([X, np.full(n, 1e-200)])
    assert fairstats.og(flat, g).error == pytest.approx(fairstats.og(X, g).error)


def test_a_site_with_one_group_gives_its_part(rng) -> None:
    from fairstats.methods.registry import METHODS

    parts = [
        pd.DataFrame(rng.standard_normal((n, 3)), columns=list("xyz")).assign(g=g) for n, g in ((20, "a"), (30, "b"))
    ]
    whole = fairstats.og(pd.concat(parts), "g", 1)
    for as_given in (lambda part: part, lambda part: iter([part])):
        first, second = (fairstats.moments(as_given(part), "g") for part in parts)
        assert first.levels == (("a",),)
        np.testing.assert_allclose(fairstats.og(first + second, k=1).loadings, whole.loadings, atol=1e-12)
        for row in METHODS.values():
            if row.moments:
                with pytest.raises(InputError, match=r"groups='g' has one level \(a\) in these moments"):
                    row.function(first, **row.needs)
    with pytest.raises(InputError, match="look like a measurement"):
        fairstats.moments(pd.DataFrame({"x": rng.standard_normal(40), "g": rng.standard_normal(40)}), "g")


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("apart", [1e6, 1e8])
def test_groups_far_apart_cost_no_digits_within_them(rng, apart: float, weighted: bool) -> None:
    n = 400
    g = np.arange(n) % 2
    X = rng.standard_normal((n, 5)) * [3, 2.5, 2, 1.5, 1]
    far = X + np.round(apart * np.outer(g, [1.0, 0.5, -1.0, 0.3, 0.2]))
    w = rng.uniform(0.5, 2, n) if weighted else None
    mass = np.ones(n) if w is None else w
    current = (
        far - np.array([np.average(far[g == j].astype(np.longdouble), axis=0, weights=mass[g == j]) for j in (0, 1)])[g]
    )
    within = [((current * mass[:, None]).T @ (current * (g == j)[:, None])).astype(float) for j in (0, 1)]
    for by_cell in (True, False):
        result = fairstats.Moments.of(far, g, weights=w, by_cell=by_cell)
        expected = np.array(within) if by_cell else sum(within)[None]
        np.testing.assert_allclose(result.scatter, expected, rtol=1e-9, atol=1e-9 * np.trace(expected.sum(axis=0)))
        residual = np.linalg.eigvalsh(sum(within))[::-1]
        basis = fairstats.og(result, k=2, basis="residual").loadings
        assert np.trace(basis.T @ sum(within) @ basis) == pytest.approx(residual[:2].sum(), rel=1e-9)
    near = fairstats.minimax_pca(current.astype(float), g, 2, weights=w)
    assert fairstats.minimax_pca(far, g, 2, weights=w).diagnostics["losses"] == pytest.approx(
        near.diagnostics["losses"], rel=1e-6
    )
