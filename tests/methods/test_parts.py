"""Small parts of the methods against their definitions, at sizes where a slip would show."""

from __future__ import annotations

import re
from dataclasses import replace
from importlib import import_module
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from scipy import sparse
from scipy.stats import ks_2samp

import fairstats
from fairstats.data.centered import centered
from fairstats.data.design import Design
from fairstats.data.moments import Moments
from fairstats.errors import FairstatsWarning, InputError
from fairstats.methods.arguments import lattice_steps, shift_notes
from fairstats.methods.kernel_pca import _correlation
from fairstats.methods.location_scale import _uncorrelated, shrunk

leace_module = import_module("fairstats.methods.leace")


def test_combats_equations_hold_for_every_feature_however_soon_one_of_them_settles() -> None:
    """Johnson et al. (2007): γ* and δ²* solve both equations, whose priors come from the moments over features."""
    shift, variance = np.array([0.0, 0.3, 9.0, -40.0]), np.array([0.5, 1.0, 0.02, 30.0])
    n, part = 6.0, 5 / 6
    gamma, delta, _ = shrunk(shift, variance, n, part)
    mean, spread, m, s2 = shift.mean(), shift.var(ddof=1), variance.mean(), variance.var(ddof=1)
    a, b = (2 * s2 + m**2) / s2, (m * s2 + m**3) / s2
    np.testing.assert_allclose(gamma, (spread * n * shift + delta * mean) / (spread * n + delta), rtol=1e-9)
    squares = variance * part * n + n * (shift - gamma) ** 2
    np.testing.assert_allclose(delta, (0.5 * squares + b) / (n / 2 + a - 1), rtol=1e-9)


@pytest.mark.parametrize("size", [1e-6, 1.0, 1e6])
def test_the_correlation_with_the_groups_has_no_unit(size: float) -> None:
    rng = np.random.default_rng(2)
    scores, Z = rng.standard_normal((30, 2)), rng.standard_normal((30, 1))
    wanted = max(abs(Z[:, 0] @ s) / np.linalg.norm(Z) / np.linalg.norm(s) for s in scores.T)
    assert _correlation(size * scores, size * Z) == pytest.approx(wanted, rel=1e-12)
    assert _correlation(0 * scores, Z) == 0.0


def test_the_gap_of_covariances_is_that_of_the_pair_of_groups_that_differ_most() -> None:
    """Of three groups, two alike: the note of PCA-S names the largest spectral norm of a difference."""
    rng = np.random.default_rng(4)
    g = np.repeat(["a", "b", "c"], 40)
    X = rng.standard_normal((120, 5)) * np.where((g == "c")[:, None], [3, 1, 1, 1, 1.0], 1.0)
    fit = fairstats.fair_pca(X, g, k=2, equalize="covariance", directions=3)
    parts = [np.cov(fit.transform(X[g == level]), rowvar=False) for level in "abc"]
    gaps = [np.linalg.norm(one - other, 2) for one, other in combinations(parts, 2)]
    assert max(gaps) > 1.5 * min(gaps)
    assert f"differ by at most {max(gaps):.3g} (spectral norm, any two groups)" in " ".join(fit.notes)


@pytest.mark.parametrize("unit", [1e-6, 1.0, 1e6])
def test_a_guarantee_is_of_the_feature_that_keeps_most_of_the_groups(unit: float) -> None:
    """One feature of four is left as it was: the guarantee of what takes the means out is broken by that one."""
    rng = np.random.default_rng(8)
    X, g = rng.standard_normal((50, 4)), np.tile(["a", "b"], 25)
    X[:, 2] += 2.0 * (g == "a")
    X *= unit
    view = centered(Moments.of(X, g))
    M = np.linalg.solve(view.gram_z, view.cross_z)
    assert _uncorrelated(view, M).holds
    M[:, 2] = 0.0
    broken = _uncorrelated(view, M)
    Z = (g == "a") - 0.5
    wanted = abs(Z @ (X[:, 2] - X[:, 2].mean())) / np.sqrt(Z @ Z) / np.sqrt(np.sum((X - X.mean(axis=0)) ** 2))
    assert not broken.holds and broken.value == pytest.approx(wanted, rel=1e-9)


def test_the_correlation_that_leace_promises_is_that_of_the_feature_that_keeps_most(monkeypatch: Any) -> None:
    """An eraser that leaves one feature alone is found by its own guarantee, with that feature's correlation."""
    rng = np.random.default_rng(8)
    X, g = rng.standard_normal((50, 4)), np.tile(["a", "b"], 25)
    X[:, 2] += 2.0 * (g == "a")
    result, right = leace_module._uncorrelated, {}

    def spared(view: Any, matches: Any) -> Any:
        right["holds"] = result(view, matches).holds
        left = matches.left.copy()
        left[2] = 0.0
        return result(view, replace(matches, left=left))

    monkeypatch.setattr(leace_module, "_uncorrelated", spared)
    with pytest.warns(FairstatsWarning):
        broken = fairstats.leace(X, g).guarantees[0]
    assert right["holds"] and not broken.holds
    assert broken.value == pytest.approx(abs(np.corrcoef(X[:, 2], g == "a")[0, 1]), rel=1e-9)


def test_nothing_is_lost_of_any_group_where_every_dimension_is_kept() -> None:
    rng = np.random.default_rng(6)
    X, g = rng.standard_normal((40, 3)) * 1e3 + 1e5, np.tile(["a", "b"], 20)
    price = fairstats.pca(X, g, k=3).price
    assert [(one.error, one.pca_error) for one in price.by_group] == [(0.0, 0.0)] * 2


def test_two_rows_have_the_standard_deviation_of_two_numbers() -> None:
    X = np.array([[0.0, 1.0], [3.0, 5.0]])
    assert fairstats.pca(X, k=1).sdev == pytest.approx([np.std([0.0, 5.0], ddof=1)])


def test_rows_without_weight_do_not_make_a_group_large_enough_for_two_folds() -> None:
    """Of group b one row counts: it cannot be in a fold and outside; with two that count it can, whatever weighs 1."""
    rng = np.random.default_rng(2)
    X, g = rng.standard_normal((20, 3)), np.repeat(["a", "b"], [12, 8])
    w = np.ones(20)
    w[13:] = 0.0
    with pytest.raises(InputError, match="the only row of a group"):
        fairstats.og(X, g, k=1, weights=w).crossfit(X, g, weights=w)
    w[13] = 2.0
    folds = fairstats.og(X, g, k=1, weights=w).crossfit(X, g, weights=w).folds
    assert folds[12] != folds[13]


@pytest.mark.parametrize(("name", "least"), [("max_iter", 1), ("n_init", 1)])
def test_the_least_number_of_steps_is_one(name: str, least: int) -> None:
    rng = np.random.default_rng(1)
    X, g = rng.standard_normal((20, 3)), np.tile(["a", "b"], 10)
    short = {"max_iter": 1, "n_init": 1, "tau": 0.5}
    assert fairstats.comparators.mbf_pca(X, g, k=1, **short).k == 1
    with pytest.raises(InputError, match=f"{name} has {least - 1}; it can be {least} to"):
        fairstats.comparators.mbf_pca(X, g, k=1, **{**short, name: least - 1})


def test_the_step_of_a_lattice_is_the_divisor_of_all_differences() -> None:
    rng = np.random.default_rng(0)
    for step in (1.0, 0.1, 0.05, 7.0, 1 / 3):
        whole = rng.integers(0, 60, 3000)
        expected = step * np.gcd.reduce(np.diff(np.unique(whole)))
        assert lattice_steps((step * whole - 17.3)[:, None])[0] == pytest.approx(expected)
    late = np.append(np.tile([0.0, 4.0], 3000), 6.0)  # the last row halves it
    assert lattice_steps(np.column_stack([late, rng.standard_normal(6001), np.full(6001, 3.0)])).tolist() == [2, 0, 0]
    assert lattice_steps(sparse.csr_array(np.column_stack([late, np.roll(late, 1)]))).tolist() == [2, 2]


def test_maps_by_group_caution_of_features_on_a_lattice_and_say_that_what_holds_is_linear() -> None:
    rng = np.random.default_rng(0)
    g = rng.choice(["a", "b"], 400)
    X = np.column_stack([rng.integers(0, 9, 400) + (g == "a"), rng.standard_normal(400), rng.integers(0, 2, 400)])
    by_group = {
        "og": lambda X: fairstats.og(X, g, 1),
        "uncentered": lambda X: fairstats.og(X, g, 1, center=False),
        "sog": lambda X: fairstats.sog(X, g, 1, t=1.5),
        "cv": lambda X: fairstats.sog(X, g, 1, t="cv"),
        **{name: getattr(fairstats.comparators, name) for name in ("residualize", "location_scale", "quadratic_leace")},
    }
    share = 100 / 12 / X[:, 0].var()
    for name, method in by_group.items():
        fit = method(X) if name in ("og", "uncentered", "sog", "cv") else method(X, g)
        text = " ".join(fit.summary().split())
        assert "2 of 3 features take values on a lattice (x1 in steps of 1:" in text, name
        assert float(re.search(r"x1 in steps of 1: ([\d.]+)%", text)[1]) == pytest.approx(share, rel=0.05)
    kept = fairstats.comparators.location_scale(X, g, protect=["x1", "x3"])
    assert "lattice" not in kept.summary()
    for fit in (
        fairstats.og(rng.standard_normal((400, 3)), g, 1),
        fairstats.leace(X, g),
        fairstats.leace_pca(X, g, 1),
        fairstats.fair_pca(X, g, 1),
    ):
        assert "lattice" not in fit.summary() and "What holds is linear" in fit.summary()
    assert "What holds is linear" in fairstats.og(fairstats.Moments.of(X, g), k=1).summary()


def test_maps_by_group_say_where_moving_groups_tells_them_better_even_after_a_blur() -> None:
    rng = np.random.default_rng(0)
    a = rng.random(2000) < 0.5
    gain = np.where(rng.random(2000) < 0.1 + 0.1 * a, np.floor(rng.exponential(900, 2000)), 0.0)
    X = np.column_stack([gain, rng.integers(18, 80, 2000) + 3 * a, rng.standard_normal(2000) + 2 * a, gain > 0])
    g = np.where(a, "a", "b")
    blurred = X + [1, 1, 0, 1] * rng.uniform(-0.5, 0.5, X.shape)
    for values in (X, blurred):
        crowded = [note for note in fairstats.og(values, g, 1).notes if "lie close together" in note]
        assert len(crowded) == 1 and "In 1 of 4 features (x1)" in crowded[0]
    told = []
    for column in blurred.T:  # a threshold on the feature less its group's mean, beside one on the feature
        moved = column - np.where(a, column[a].mean(), column[~a].mean())
        told.append([ks_2samp(values[a], values[~a]).statistic for values in (column, moved)])
    assert [bool(after > before + 0.1) for before, after in told] == [True, False, False, False]
    assert "takes most of that away" not in " ".join(fairstats.og(X, g, 1).notes)
    assert not shift_notes(None, Design.of(rng.standard_normal((900, 3)), np.tile(["a", "b", "b"], 300)))


def _weighted_people() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(12)
    g = np.repeat(["a", "b", "c"], [30, 20, 15])
    X = rng.standard_normal((65, 4)) @ rng.standard_normal((4, 4)) + 3.0 * (g == "b")[:, None] * [1, 0, 2, 0]
    return X, g, rng.integers(1, 5, 65).astype(float)


def test_standard_deviations_do_not_depend_on_the_unit_of_the_weights() -> None:
    X, _, w = _weighted_people()
    plain = np.linalg.svd(X - X.mean(axis=0), compute_uv=False) / 8  # n - 1 = 64
    np.testing.assert_allclose(fairstats.pca(X, k=4).sdev, plain, rtol=1e-12)
    np.testing.assert_allclose(fairstats.pca(X, k=4, weights=np.full(65, 100.0)).sdev, plain, rtol=1e-12)
    share = w / w.sum()
    C = np.cov(X.T, aweights=w)  # as R's cov.wt: Σw(x − m)(x − m)ᵀ / (1 − Σw²) of weights that sum to 1
    M = X - share @ X
    np.testing.assert_allclose(C, (M.T * share) @ M / (1 - share @ share), rtol=1e-12)
    moments = fairstats.Moments.of(X, weights=w)
    for unit in (1.0, 1e-3, 250.0):
        for fit in (fairstats.pca(X, k=4, weights=unit * w), fairstats.pca(moments, k=4)):
            np.testing.assert_allclose(fit.sdev**2, np.linalg.eigvalsh(C)[::-1], rtol=1e-10)
        scaled = fairstats.pca(X, k=4, weights=unit * w, scale=True)
        assert np.sum(scaled.sdev**2) == pytest.approx(4, rel=1e-12)  # every feature has variance 1


def test_standard_deviations_are_those_of_the_scores() -> None:
    X, g, w = _weighted_people()
    two = np.where(g == "a", "a", "b")
    for weights in (None, w):
        with pytest.warns(FairstatsWarning, match="does not hold"):
            literal = fairstats.og(X, g, weights=weights, intercept=False)
        fits = [
            *(
                fairstats.og(X, g, weights=weights, **options)
                for options in ({}, {"basis": "residual"}, {"scale": True})
            ),
            fairstats.og(X, g, weights=weights, center=False),
            literal,
            fairstats.sog(X, g, t=1.5, weights=weights),
            fairstats.leace_pca(X, g, weights=weights),
            fairstats.fair_pca(X, g, weights=weights),
            fairstats.fair_pca(X, two, weights=weights, tradeoff=0.5),
            fairstats.minimax_pca(X, two, weights=weights),
            fairstats.minimax_pca(X, two, weights=weights, center_by="overall"),
            fairstats.disparity_pca(X, two, lam=0.5, advantaged="a", disadvantaged="b", weights=weights),
        ]
        for fit in fits:
            scores = fit.transform(X, two if fit.method in ("minimax_pca", "disparity_pca") or fit.k > 2 else g)
            found = np.diag(np.atleast_2d(np.cov(scores.T, aweights=weights)))
            np.testing.assert_allclose(fit.sdev**2, found, rtol=1e-8, err_msg=f"{fit.method} {dict(fit.settings)}")
            np.testing.assert_allclose(fit.explained_variance_ratio_, fit.score_energy / fit.total)
    before = fairstats.pca(X, k=2)
    np.testing.assert_allclose(fairstats.og(X, g).energy, before.energy)  # which its rows and its table describe


def test_a_text_says_what_components_it_describes_and_of_which_rows() -> None:
    X, g, w = _weighted_people()
    adjusted, weighted = fairstats.og(X, g), fairstats.og(X, g, weights=w)
    heading = "Principal components before the adjustment, and what the groups explain of them"
    assert heading in str(adjusted) and heading in str(weighted)
    assert "65 rows, 4 features" in str(adjusted) and "65 weighted rows, 4 features" in str(weighted)
    assert "No p-values" in str(weighted) and "No p-values" not in str(adjusted)
    assert "Principal components, and what the groups explain of them" in str(fairstats.pca(X, g))
    assert "\nComponents before the adjustment," in str(fairstats.og(X, g, basis="residual"))
    assert "\nComponents, and what" in str(fairstats.fair_pca(X, g))
    assert "65 weighted rows" in repr(weighted) and "65 weighted rows" in str(fairstats.leace(X, g, weights=w))
    assert "65 weighted rows" in str(fairstats.fair_kernel_pca(X, g, weights=w))
