"""Weights follow a fit everywhere: whole weights are repeated rows, their unit and rows of weight 0 do not count."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import fairstats
from fairstats.errors import InputError
from fairstats.methods import registry
from fairstats.methods.crossfit import OutOfFoldScores
from tests.laws.every_method import EVERY as FORMS
from tests.laws.every_method import OF, ROLES, SEARCHES, sample
from tests.laws.test_methods import same
from tests.laws.test_price import OPTIONS

# "og, literal" is the paper's projection, which does not keep the promise, and says so at every fit.
pytestmark = pytest.mark.filterwarnings("ignore:og. a guarantee does not hold:fairstats.errors.FairstatsWarning")

EVERY: dict[str, Callable[..., Any]] = {
    **OPTIONS,
    **{name: fit for name, fit in FORMS.items() if OF[name].weights and OF[name].result != "projection"},
}
# Covariances over n - 1 (fair PCA-S, location_scale, quadratic_leace), a price against the number of rows (fpca and
# inlp), landmarks drawn from the rows, the number of rows by which covariances are shrunk, and distances of two rows
# (mbf) know repeated rows from heavy ones; weights are relative there.
RELATIVE = ("-s", "fpca", "landmarks", "location", "inlp", "mbf", "shrunk", "quadratic")
REPEATABLE = [name for name in EVERY if not any(word in name for word in RELATIVE)]


def test_every_method_that_takes_weights_is_here() -> None:
    X, g = sample(n=60)
    members = {EVERY[name](X, g, k=2).method for name in EVERY}
    assert members == {name for name, row in registry.METHODS.items() if row.weights}


def scores(fit: Any, X: np.ndarray, g: np.ndarray) -> np.ndarray:
    return np.asarray(fit.transform(X, g))


def whole(n: int) -> np.ndarray:
    return np.random.default_rng(1).integers(0, 4, n)


def uneven(n: int) -> np.ndarray:
    return np.random.default_rng(2).uniform(0.1, 5.0, n)


@pytest.mark.parametrize("name", REPEATABLE)
def test_whole_weights_are_repeated_rows(name: str) -> None:
    X, g = sample()
    w = whole(len(X))
    fit, repeated = EVERY[name](X, g, k=2, weights=w), EVERY[name](np.repeat(X, w, axis=0), np.repeat(g, w), k=2)
    ours, theirs = scores(fit, X, g), scores(repeated, X, g)
    of_kernel = name in OF and OF[name].result == "kernel projection"  # signs go by coefficients, one a row of the fit
    near = SEARCHES.get(name, 1e-6)
    same(*map(np.abs, (ours, theirs)) if of_kernel else (ours, theirs), near)
    assert fit.error == pytest.approx(repeated.error, rel=near, abs=1e-9 * fit.total)
    prices = [result.price.by_group if hasattr(result, "price") else () for result in (fit, repeated)]
    for ours, theirs in zip(*prices, strict=True):
        assert (ours.level, ours.n) == (theirs.level, theirs.n)
        assert (ours.error, ours.pca_error) == pytest.approx((theirs.error, theirs.pca_error), rel=near)


@pytest.mark.parametrize("name", [name for name in EVERY if name not in REPEATABLE])
def test_where_weights_are_not_repeated_rows_the_method_says_so(name: str) -> None:
    """Both cannot be had where a number of rows counts: that weights have no unit, and that they repeat rows."""
    X, g = sample()
    w = whole(len(X))
    fit, repeated = EVERY[name](X, g, k=2, weights=w), EVERY[name](np.repeat(X, w, axis=0), np.repeat(g, w), k=2)
    assert np.abs(np.abs(scores(fit, X, g)) - np.abs(scores(repeated, X, g))).max() > 1e-6  # else it is repeatable
    # leace_pca and inlp_pca take what leace and inlp take, and say no more of it.
    page = fit.method.removesuffix("_pca") if fit.method in ("leace_pca", "inlp_pca") else fit.method
    about = " ".join((registry.METHODS[page].function.__doc__ or "").split())
    assert "heavy rows are not repeated rows" in re.split(r" weights : ", about)[1].split(" missing : ")[0].lower()


@pytest.mark.long
@pytest.mark.parametrize("name", [name for name in REPEATABLE if name not in OF or OF[name].result != "group map"])
def test_whole_weights_with_scale_are_repeated_rows_of_the_same_scale_or_the_page_says_so(name: str) -> None:
    X, g = sample()
    w = whole(len(X))
    every = np.repeat(X, w, axis=0), np.repeat(g, w)
    fit = EVERY[name](X, g, k=2, weights=w, scale=True)
    one = EVERY[name](every[0] / fit.scaling.scale, every[1], k=2)
    near = SEARCHES.get(name, 1e-6)
    mine, theirs = scores(fit, X, g), scores(one, X / fit.scaling.scale, g)
    theirs = theirs * fit.scaling.scale if theirs.shape[1] == X.shape[1] else theirs  # features go back to their units
    of_kernel = name in OF and OF[name].result == "kernel projection"
    same(*map(np.abs, (mine, theirs)) if of_kernel else (mine, theirs), near)
    repeated = EVERY[name](*every, k=2, scale=True)
    if np.abs(np.abs(mine) - np.abs(scores(repeated, X, g))).max() > 1e-5:
        assert "With ``scale`` heavy rows are not repeated rows" in about_weights(fit.method)


def about_weights(method: str) -> str:
    """What the page of a method says of weights, where that is "as for" another method with the page of that one."""
    about = " ".join((registry.METHODS[method].function.__doc__ or "").split())
    other = re.search(r"weights\b[^:]*: [^:]*?[Aa]s for ``(\w+)``", about)
    return about + (about_weights(other[1]) if other else "")


def test_scaled_rows_of_weights_differ_from_repeated_ones_by_one_factor() -> None:
    """Standard deviations of relative weights have one divisor for all features, and repeated rows another."""
    X, g = sample()
    w = whole(len(X))
    sd = [
        fairstats.pca(X, g, 1, scale=True, weights=w),
        fairstats.pca(np.repeat(X, w, axis=0), np.repeat(g, w), 1, scale=True),
    ]
    factor = sd[0].scaling.scale / sd[1].scaling.scale
    effective = w.sum() ** 2 / (w @ w)
    np.testing.assert_allclose(factor**2, (1 - 1 / w.sum()) / (1 - 1 / effective))


@pytest.mark.long
@pytest.mark.parametrize("scale", [False, True])
@pytest.mark.parametrize("name", EVERY)
def test_the_unit_of_the_weights_changes_nothing(name: str, scale: bool) -> None:
    if scale and OF.get(name) is not None and OF[name].result == "group map":
        pytest.skip("does not scale")
    X, g = sample()
    w = uneven(len(X))
    options = {"scale": True} if scale else {}
    fit = EVERY[name](X, g, k=2, weights=w, **options)
    for other in (w / w.sum(), 1e3 * w):
        result = EVERY[name](X, g, k=2, weights=other, **options)
        if name == "fpca, delta":  # eigenvectors of a relaxation that is not tight: what it promises is the objective
            assert result.diagnostics["objective"] == pytest.approx(fit.diagnostics["objective"], rel=1e-3)
            continue
        same(scores(result, X, g), scores(fit, X, g), max(SEARCHES.get(name, 0.0), 1e-3 if "fpca" in name else 1e-8))
        assert result.error / result.total == pytest.approx(fit.error / fit.total, rel=1e-4, abs=1e-9)


@pytest.mark.parametrize("n", [40, 8])
def test_standard_deviations_of_equal_weights_are_those_of_none(n: int) -> None:
    X, g = sample(n=n)
    for c in (1.0, 1 / n, 0.01):
        np.testing.assert_allclose(
            fairstats.pca(X, g, 1, scale=True, weights=np.full(n, c)).scaling.scale, X.std(axis=0, ddof=1)
        )


@pytest.mark.long
@pytest.mark.parametrize("name", EVERY)
def test_rows_of_weight_zero_do_not_count(name: str) -> None:
    X, g = sample()
    w = uneven(len(X)) * (np.arange(len(X)) % 3 > 0)
    labels = np.where(np.arange(len(X)) % 6 == 3, "nobody", g)  # a level that only such rows have
    used = w > 0
    fit, without = EVERY[name](X, labels, k=2, weights=w), EVERY[name](X[used], g[used], k=2, weights=w[used])
    same(scores(fit, X[used], g[used]), scores(without, X[used], g[used]), 1e-10)
    assert fit.scaling.n == used.sum()


def test_what_is_left_of_a_group_variable_by_rows_of_weight_zero_is_said() -> None:
    X, g = sample()
    for name, fit in EVERY.items():
        if name in OF and not OF[name].groups:
            continue
        with pytest.raises(InputError, match=r"groups|level"):
            fit(X, g, k=2, weights=(g == "a").astype(float))


@pytest.mark.long
@pytest.mark.parametrize("name", EVERY)
def test_crossfit_of_a_weighted_fit_is_weighted_and_asks_for_the_weights(name: str) -> None:
    X, g = sample()
    w = uneven(len(X))
    folds = np.arange(len(X)) // 2 % 2
    fit = EVERY[name](X, g, k=2, weights=w)
    with pytest.raises(InputError, match=r"weights is missing: the fit was weighted"):
        fit.crossfit(X, g, folds=folds)
    with pytest.raises(InputError, match=r"weights were given, but the fit had none"):
        EVERY[name](X, g, k=2).crossfit(X, g, folds=folds, weights=w)
    kept = fit.crossfit(X, g, folds=folds, weights=w)
    first = folds == 0
    part = EVERY[name](X[~first], g[~first], k=2, weights=w[~first])
    same(np.abs(kept.scores[first]), np.abs(scores(part, X[first], g[first])))
    np.testing.assert_array_equal(kept.weights, w)


@pytest.mark.long
@pytest.mark.parametrize("name", REPEATABLE)
def test_crossfit_by_whole_weights_is_that_of_repeated_rows(name: str) -> None:
    X, g = sample()
    w, folds = whole(len(X)), np.arange(len(X)) // 2 % 2
    kept = EVERY[name](X, g, k=2, weights=w).crossfit(X, g, weights=w, folds=folds)
    rows = [np.repeat(a, w, axis=0) for a in (X, g, folds)]
    repeated = EVERY[name](*rows[:2], k=2).crossfit(*rows[:2], folds=rows[2])
    same(np.repeat(kept.scores, w, axis=0), repeated.scores, SEARCHES.get(name, 1e-6))


def test_folds_are_spread_over_the_rows_that_count() -> None:
    X, g = sample(n=60)
    w = np.where(np.arange(60) < 40, 1.0, 0.0)
    kept = fairstats.pca(X, g, weights=w).crossfit(X, g, weights=w, folds=4)
    for level in "ab":
        counts = np.bincount(kept.folds[(g == level) & (w > 0)], minlength=4)
        assert np.ptp(counts) <= 1
    assert np.isfinite(kept.scores).all()


def test_a_column_of_weights_is_named_as_in_the_fit() -> None:
    import pandas as pd

    X, g = sample()
    data = pd.DataFrame(X, columns=list("tuvwxyz")).assign(group=g, mass=uneven(len(X)))
    fit = fairstats.og(data, "group", k=2, weights="mass")
    assert "mass" not in fit.features
    kept = fit.crossfit(data, "group", weights="mass")
    same(kept.scores, fairstats.og(X, g, k=2, weights=data["mass"]).crossfit(X, g, weights=data["mass"]).scores)
    assert len(fairstats.reconstruction_error_by_group(fit, data, "group", weights="mass")) == 9


@pytest.mark.long
@pytest.mark.parametrize("name", OPTIONS)
@pytest.mark.parametrize("options", [{}, {"scale": True}, {"weights": uneven(160)}], ids=["plain", "scale", "weights"])
def test_group_losses_on_the_rows_of_the_fit_are_its_price(name: str, options: dict[str, Any]) -> None:
    X, g = sample()
    fit = OPTIONS[name](X, g, k=2, **options)
    agree(fit, fairstats.reconstruction_error_by_group(fit, X, g, weights=options.get("weights")))


def agree(fit: fairstats.Projection, result: fairstats.Estimates) -> None:
    for price in fit.price.by_group:
        at = [r for r in result if r.group == price.level and r.contrast == "none"]
        by_term = {r.fit: r for r in at if not r.versus}
        assert by_term[fit.method].n == pytest.approx(price.n)
        assert by_term[fit.method].estimate == pytest.approx(price.error, rel=1e-7, abs=1e-10)
        assert by_term["pca"].estimate == pytest.approx(price.pca_error, rel=1e-7, abs=1e-10)


@pytest.mark.parametrize("weighted", [False, True])
def test_group_losses_of_uncentered_and_fractional_fits_are_their_price(weighted: bool) -> None:
    X, g = sample()
    options = {"weights": uneven(len(X))} if weighted else {}
    rng = np.random.default_rng(1)
    h = rng.choice(list("abcd"), len(X))
    fits = [
        (fairstats.og(X, g, 2, center=False, **options), g),
        (fairstats.disparity_pca(X, g, 2, lam=0.5, center=False, **ROLES, **options), g),
        (fairstats.minimax_pca(rng.standard_normal((len(X), 5)), h, k=2, **options), h),
    ]
    for fit, labels in fits[:2]:
        agree(fit, fairstats.reconstruction_error_by_group(fit, X, labels, **options))
    Y = np.random.default_rng(1)
    Y.choice(list("abcd"), len(X))
    agree(fits[2][0], fairstats.reconstruction_error_by_group(fits[2][0], Y.standard_normal((len(X), 5)), h, **options))


def test_group_losses_of_whole_weights_are_those_of_repeated_rows_but_no_surer() -> None:
    X, g = sample()
    w = whole(len(X))
    fit = fairstats.fair_pca(X, g, 2, weights=w)
    with pytest.raises(InputError, match="weights is missing"):
        fairstats.reconstruction_error_by_group(fit, X, g)
    ours = fairstats.reconstruction_error_by_group(fit, X, g, weights=w)
    theirs = fairstats.reconstruction_error_by_group(
        fairstats.fair_pca(np.repeat(X, w, axis=0), np.repeat(g, w), 2), np.repeat(X, w, axis=0), np.repeat(g, w)
    )
    for a, b in zip(ours, theirs, strict=True):
        assert (a.key, a.n) == (b.key, b.n)
        assert a.estimate == pytest.approx(b.estimate, rel=1e-7)
        assert a.std_error > b.std_error


def test_equal_weights_leave_group_losses_as_they_are() -> None:
    X, g = sample()
    plain = fairstats.reconstruction_error_by_group(fairstats.og(X, g), X, g)
    for a, b in zip(
        plain, fairstats.reconstruction_error_by_group(fairstats.og(X, g), X, g, weights=np.ones(len(X))), strict=True
    ):
        np.testing.assert_allclose(
            [a.estimate, a.std_error, a.conf_low, a.conf_high, a.p_value, a.df],
            [b.estimate, b.std_error, b.conf_low, b.conf_high, b.p_value, b.df],
            rtol=1e-9,
        )


def test_the_paths_are_weighted() -> None:
    X, g = sample()
    w = whole(len(X))
    rows = np.repeat(X, w, axis=0), np.repeat(g, w)
    fit = fairstats.disparity_pca(X, g, 2, lam=0.4, weights=w, **ROLES)
    path = fairstats.disparity_path(fit, X, g, weights=w, lams=[0.0, 0.4, 1.0])
    other = fairstats.disparity_path(fairstats.disparity_pca(*rows, 2, lam=0.4, **ROLES), *rows, lams=[0.0, 0.4, 1.0])
    np.testing.assert_allclose(path.to_numpy(), other.to_numpy(), rtol=1e-9)
    assert path["disparity"][1] == pytest.approx(fit.diagnostics["disparity"])
    assert fairstats.disparity_path(fit, fairstats.Moments.of(X, g, weights=w), lams=[0.4])["disparity"][
        0
    ] == pytest.approx(fit.diagnostics["disparity"])
    with pytest.raises(InputError, match="weights is missing"):
        fairstats.disparity_path(fit, X, g)
    with pytest.raises(InputError, match="moments that are not weighted"):
        fairstats.disparity_path(fit, fairstats.Moments.of(X, g))
    sparse = fairstats.sog_path(X, g, 2, ts=[1.2, 2.0], weights=w)
    np.testing.assert_allclose(sparse.to_numpy(), fairstats.sog_path(*rows, 2, ts=[1.2, 2.0]).to_numpy(), rtol=1e-6)


def test_extra_error_of_a_weighted_fit_says_nothing_of_chance() -> None:
    X, g = sample()
    result = fairstats.extra_error(fairstats.og(X, g, weights=uneven(len(X))), X, g)
    assert np.isnan(result.expected) and np.isnan(result.p_permutation)
    by_metric = {r.metric: r for r in result.estimates}
    assert by_metric["extra error expected by chance"].status == "unestimable"
    assert by_metric["redundancy index, adjusted"].status == "unestimable"
    assert "not known" in result.summary() and "nan" not in result.summary().split("component ")[0]


@pytest.mark.long
def test_component_tests_and_leakage_are_of_the_weighted_rows() -> None:
    rng = np.random.default_rng(4)
    n = 600
    X, g = rng.standard_normal((n, 3)), rng.choice(["a", "b"], n)
    shifted = (X[:, 1] > 0) & (g == "b")
    X[shifted, 0] += 3.0
    w = np.where(shifted, 0.0, np.where(X[:, 1] > 0, 1e-4, 1.0))  # what differs between the groups hardly counts
    fit = fairstats.pca(X, g, k=1, weights=w)
    kept = fit.crossfit(X, g, weights=w)
    plain = OutOfFoldScores(kept.scores, kept.folds, kept.groups, kept.method, kept.seed)
    assert min(r.p_adjusted for r in fairstats.component_tests(kept)) > 0.01
    assert min(r.p_adjusted for r in fairstats.component_tests(plain)) < 1e-6
    assert max(r.n for r in fairstats.component_tests(kept)) < 100
    for result, reported in (
        (fairstats.leakage(kept, permutations=99), False),
        (fairstats.leakage(plain, permutations=99), True),
    ):
        assert all((r.p_value < 0.02) == reported for r in result.estimates), result
    assert fairstats.leakage(kept, permutations=9).n == int((w > 0).sum())


def test_component_tests_of_weights_estimate_what_repeated_rows_do() -> None:
    X, g = sample()
    w = whole(len(X))
    kept = fairstats.pca(X, g, k=2, weights=w).crossfit(X, g, weights=w, folds=np.arange(len(X)) // 2 % 2)
    rows = np.repeat(np.arange(len(X)), w)
    long = OutOfFoldScores(kept.scores[rows], kept.folds[rows], kept.groups.take(rows), "pca", 0)
    for a, b in zip(
        fairstats.component_tests(kept), fairstats.component_tests(long).only(metric="P(X>Y)"), strict=True
    ):
        assert (a.term, a.given, a.group, a.n) == (b.term, b.given, b.group, b.n)
        assert a.estimate == pytest.approx(b.estimate)


@pytest.mark.long
def test_equal_weights_leave_leakage_as_it_is() -> None:
    X, g = sample()
    kept = fairstats.og(X, g).crossfit(X, g)
    plain, other = (
        fairstats.leakage(kept, permutations=19),
        fairstats.leakage(kept, weights=np.full(len(X), 3.0), permutations=19),
    )
    assert plain.to_dict() == other.to_dict()
