"""Regressing groups out, and equal locations and scales: against least squares written out, and fairlearn's remover."""

from __future__ import annotations

import numpy as np
import pytest

import fairstats
from fairstats.errors import InputError


def draw(n: int = 200, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    g = rng.choice(["a", "b", "c"], n)
    X = rng.normal(size=(n, 3)) * np.where(g == "b", 3.0, 1.0)[:, None] + 2.0 * (g == "c")[:, None]
    return X, g


def test_residuals_are_those_of_least_squares_with_the_mean_added_back():
    X, g = draw()
    h = np.linspace(-1, 1, 200)
    fit = fairstats.comparators.residualize(X, {"g": g, "h": fairstats.continuous(h)})
    Z = np.column_stack([np.ones(200), g == "b", g == "c", h])
    expected = X - Z @ np.linalg.lstsq(Z, X, rcond=None)[0] + X.mean(axis=0)
    np.testing.assert_allclose(fit.transform(X, {"g": g, "h": fairstats.continuous(h)}), expected, atol=1e-10)
    assert fit.error == pytest.approx(np.sum((X - expected) ** 2)) and fit.guarantees[0].holds


def test_new_rows_lose_the_shift_of_their_group():
    X, g = draw()
    fit = fairstats.comparators.residualize(X, g)
    shift = X[g == "c"].mean(axis=0) - X.mean(axis=0)
    np.testing.assert_allclose(fit.transform(np.zeros((1, 3)), ["c"]), -shift[None], atol=1e-12)
    with pytest.raises(InputError, match="not seen"):
        fit.transform(np.zeros((1, 3)), ["d"])
    with pytest.raises(InputError, match="groups is missing"):
        fit.transform(X)


def test_means_and_spreads_are_equal_afterward_and_not_before():
    X, g = draw()
    fit = fairstats.comparators.location_scale(X, g)
    S = fit.transform(X, g)
    pooled = np.sqrt(sum((np.sum(g == a) - 1) * X[g == a].var(axis=0, ddof=1) for a in "abc") / (200 - 3))
    for a in "abc":
        np.testing.assert_allclose(S[g == a].mean(axis=0), X.mean(axis=0), atol=1e-10)
        np.testing.assert_allclose(S[g == a].std(axis=0, ddof=1), pooled, rtol=1e-10)
    assert not np.allclose(X[g == "b"].std(axis=0), X[g == "a"].std(axis=0), rtol=0.5)
    assert all(x.holds for x in fit.guarantees)


def test_residuals_with_fairlearns_remover_differ_by_its_uncentered_indicators():
    preprocessing = pytest.importorskip("fairlearn.preprocessing")
    X, g = draw()
    two = np.where(g == "a", "a", "b")
    Z = (two == "b").astype(float)
    theirs = preprocessing.CorrelationRemover(sensitive_feature_ids=[3]).fit_transform(np.column_stack([X, Z]))
    ours = fairstats.comparators.residualize(X, two).transform(X, two)
    np.testing.assert_allclose(theirs - theirs.mean(axis=0), ours - ours.mean(axis=0), atol=1e-9)


@pytest.mark.parametrize("name", ["residualize", "location_scale"])
def test_the_verbs_of_its_siblings(name, tmp_path):
    X, g = draw()
    fit = getattr(fairstats.comparators, name)({"u": X[:, 0], "v": X[:, 1], "w": X[:, 2], "g": g}, "g")
    data = {"u": X[:, 0], "v": X[:, 1], "w": X[:, 2], "g": g}
    fit.save(tmp_path / "fit.npz")
    again, result = (one.transform(data) for one in (fairstats.load(tmp_path / "fit.npz"), fit))
    assert list(again) == ["u", "v", "w"]
    np.testing.assert_array_equal(list(again.values()), list(result.values()))
    assert fit.crossfit(X, g).scores.shape == (200, 3)
    assert max(map(len, fit.summary().splitlines())) <= 80 and "holds" in fit.summary()
    assert list(fit.tidy().term[:3]) == ["u", "v", "w"] and fit.glance().guarantees_hold[0]
    assert fit.to_dict()["schema"] == "fairstats/group-map/1"


@pytest.mark.parametrize(
    ("call", "match"),
    [
        (lambda X, g: fairstats.comparators.residualize(X, None), "groups is missing"),
        (lambda X, g: fairstats.comparators.location_scale(X, {"g": g, "h": g}), "one attribute"),
        (lambda X, g: fairstats.comparators.location_scale(X, g, weights=-np.ones(len(X))), "weights"),
        (lambda X, g: fairstats.comparators.location_scale(X, fairstats.continuous(X[:, 0])), "one attribute"),
        (lambda X, g: fairstats.comparators.location_scale(X, np.r_[["z"], g[1:]]), "with one row"),
        (
            lambda X, g: fairstats.comparators.location_scale(np.where((g == "b")[:, None], 1.0, X), g),
            "constant in the group 'b'",
        ),
    ],
)
def test_bad_input_is_named(call, match):
    X, g = draw()
    with pytest.raises(InputError, match=match):
        call(X, g)


def test_protected_features_stay_and_so_does_what_they_say_of_the_others():
    rng = np.random.default_rng(2)
    g = rng.choice(["a", "b"], 300)
    c = rng.standard_normal(300) + 2.0 * (g == "b")
    X = np.column_stack([3 * c + rng.standard_normal(300) * np.where(g == "b", 2.0, 1.0) + (g == "b"), c])
    fit = fairstats.comparators.location_scale(X, g, protect="x2")
    S = fit.transform(X, g)
    np.testing.assert_allclose(S[:, 1], c, atol=1e-12)
    # an independent regression on the protected feature and the group: its slope stays, the group's part is gone
    design = np.column_stack([np.ones(300), c, g == "b"]).astype(float)
    slope = np.linalg.lstsq(design, X[:, 0], rcond=None)[0][1]
    left = S[:, 0] - slope * c
    assert np.abs(left[g == "a"].mean() - left[g == "b"].mean()) < 1e-9
    assert left[g == "a"].std(ddof=1) == pytest.approx(left[g == "b"].std(ddof=1), rel=1e-9)
    assert all(x.holds for x in fit.guarantees)
    plain = fairstats.comparators.location_scale(X, g).transform(X, g)  # takes out what c explains of the groups, too
    assert (
        S[g == "b", 0].mean() - S[g == "a", 0].mean() > 4 and abs(np.ptp([plain[g == v].mean() for v in "ab"])) < 1e-9
    )
    again = fairstats.comparators.location_scale(X[:, ::-1] + 1e6, g, protect=["x1"]).transform(X[:, ::-1] + 1e6, g)
    np.testing.assert_allclose(again[:, ::-1] - 1e6, S, atol=1e-6)


@pytest.mark.parametrize(
    ("options", "match"),
    [
        ({"protect": ["x9"]}, "protect has 'x9', which is not a feature"),
        ({"protect": ["x1", "x2", "x3"]}, "protect has all features"),
        ({"protect": ["x1"]}, "protect has x1, which the groups"),
        ({"empirical_bayes": True, "protect": ["x2"]}, "X has 2 features that vary and are not protected"),
    ],
)
def test_what_cannot_be_protected_or_learned_is_said(options, match):
    X, g = draw()
    X[:, 0] = np.where("x1" in options["protect"], g == "b", X[:, 0])
    with pytest.raises(InputError, match=match):
        fairstats.comparators.location_scale(X, g, **options)
