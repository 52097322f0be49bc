"""The price of a fit: brute force on reconstructions, sums, what it must and must not show; every linear method."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

import fairstats
from fairstats.data.design import Design
from fairstats.errors import InputError
from fairstats.estimates import Estimates
from fairstats.inference.representations.fit_studies import SHARE, kept, pca_beside
from fairstats.text import compact
from tests.laws.every_method import EVERY, OF, sample
from tests.laws.test_price import OPTIONS, UNCENTERED

pytestmark = pytest.mark.filterwarnings("ignore::fairstats.errors.FairstatsWarning")
PRICED = {name: fit for name, fit in OPTIONS.items() if name != "pca"}
MAPS = {name: fit for name, fit in EVERY.items() if not OF[name].reduces}
FOLDS = np.arange(160) // 2 % 2


def uneven(n: int) -> np.ndarray:
    return np.random.default_rng(2).uniform(0.1, 5.0, n)


def only(result: fairstats.FitStudy, **values: Any) -> Any:
    (row,) = result.estimates.only(**values)
    return row


def whole(result: fairstats.FitStudy, estimator: str) -> float:
    return float(only(result, metric="price", estimator=estimator, group="", term="").estimate)


@pytest.mark.long
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("name", [*OPTIONS, *(f"uncentered {name}" for name in UNCENTERED)])
def test_what_components_keep_adds_up_to_the_errors_of_the_fit(name: str, weighted: bool) -> None:
    X, g = sample()
    options: dict[str, Any] = {"weights": uneven(len(X))} if weighted else {}
    built = UNCENTERED[name.removeprefix("uncentered ")] if name not in OPTIONS else OPTIONS[name]
    fit = built(X, g, **options)
    design = Design.of(X, g, **options)
    w = options.get("weights", np.ones(len(X)))
    for each, error in ((fit, fit.error), (pca_beside(fit, design), fit.pca_error)):
        result = kept(each, design)
        left = result.before - result.by_component.sum(axis=1)
        assert w @ left == pytest.approx(error, abs=1e-8 * fit.total)
        rebuilt = np.sum(
            ((X - each.reconstruct(X, g)) / (1.0 if fit.scaling.scale is None else fit.scaling.scale)) ** 2, 1
        )
        np.testing.assert_allclose(left, rebuilt, atol=1e-9 * rebuilt.max())


@pytest.mark.long
@pytest.mark.parametrize("name", PRICED)
def test_the_held_out_price_is_that_of_fits_without_the_fold(name: str) -> None:
    X, g = sample()
    result = fairstats.price_of_fairness(PRICED[name](X, g, k=2), X, g, folds=FOLDS)
    lost = np.zeros(len(X))
    for f in (0, 1):
        new, old = f == FOLDS, f != FOLDS
        fit = PRICED[name](X[old], g[old], k=2)
        plain = pca_beside(fit, Design.of(X[old], g[old]))
        ours, theirs = (X[new] - each.reconstruct(X[new], g[new]) for each in (fit, plain))
        lost[new] = np.sum(ours**2, axis=1) - np.sum(theirs**2, axis=1)
        if fit.group_means is None and "tradeoff" not in name:  # PCA itself, made by itself
            np.testing.assert_allclose(theirs, X[new] - fairstats.pca(X[old], k=2).reconstruct(X[new]), atol=1e-7)
    assert whole(result, "held out") == pytest.approx(lost.mean(), rel=1e-6)
    for v in "ab":
        row = only(result, metric="price", estimator="held out", group=v, reference="")
        assert row.estimate == pytest.approx(lost[g == v].mean(), rel=1e-6, abs=1e-9)
        assert row.n == (g == v).sum()


@pytest.mark.long
@pytest.mark.parametrize("name", PRICED)
def test_prices_of_components_sum_to_the_price_and_groups_average_to_it(name: str) -> None:
    X, g = sample()
    fit = PRICED[name](X, g, k=2)
    result = fairstats.price_of_fairness(fit, X, g)
    assert whole(result, "in sample") == pytest.approx(fit.extra_error / len(X), abs=1e-9 * fit.total / len(X))
    for way in ("held out", "in sample"):
        total = whole(result, way)
        rows = result.estimates.only(metric="price", estimator=way)
        parts = [r.estimate for r in rows if r.term]
        groups = [r for r in rows if r.group and not r.reference]
        assert sum(parts) == pytest.approx(total, abs=1e-9 * fit.total / len(X))
        assert sum(r.n * r.estimate for r in groups) / len(X) == pytest.approx(total, rel=1e-9, abs=1e-12)
        assert all(np.isnan(r.conf_low) == (way == "in sample") or r.reason for r in rows)


@pytest.mark.parametrize("name", MAPS)
def test_maps_of_features_are_priced_by_how_far_they_move_new_people(name: str) -> None:
    X, g = sample()
    fit = MAPS[name](X, g)
    result = fairstats.price_of_fairness(fit, X, g, folds=FOLDS)
    source = fit.crossfit(X, g, folds=FOLDS)
    assert whole(result, "held out") == pytest.approx(np.sum((X - source.scores) ** 2) / len(X), rel=1e-9)
    assert whole(result, "in sample") == pytest.approx(fit.error / len(X), rel=1e-8)
    assert not result.estimates.only(role="component") and result.estimates[0].versus == "none"


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("name", ["fair_pca", "og"])
def test_the_share_is_the_price_by_the_variation_with_the_error_of_a_ratio(name: str, weighted: bool) -> None:
    """Of the held-out rows, each fold about what its own training rows say; the error against the jackknife."""
    X, g = sample()
    w = uneven(len(X)) if weighted else np.ones(len(X))
    options: dict[str, Any] = {"weights": w} if weighted else {}
    fit = PRICED[name](X, g, k=2, **options)
    result = fairstats.price_of_fairness(fit, X, g, folds=FOLDS, **options)
    lost, before = np.zeros(len(X)), np.zeros(len(X))
    for f in (0, 1):
        new, old = f == FOLDS, f != FOLDS
        part = {"weights": w[old]} if weighted else {}
        current = PRICED[name](X[old], g[old], k=2, **part)
        plain = pca_beside(current, Design.of(X[old], g[old], **part))
        ours, theirs = (X[new] - each.reconstruct(X[new], g[new]) for each in (current, plain))
        lost[new] = np.sum(ours**2, axis=1) - np.sum(theirs**2, axis=1)
        before[new] = np.sum((X[new] - current.scaling.center) ** 2, axis=1)
    row = only(result, metric=SHARE, estimator="held out")
    assert row.estimate == pytest.approx(w @ lost / (w @ before), rel=1e-6)
    left = np.array([(w @ lost - a) / (w @ before - b) for a, b in zip(w * lost, w * before, strict=True)])
    spread = np.sqrt((len(X) - 1) * np.mean((left - left.mean()) ** 2))
    assert row.std_error == pytest.approx(spread, rel=0.05)
    assert row.conf_low < row.estimate < row.conf_high


def test_whole_weights_estimate_what_repeated_rows_do_but_no_surer() -> None:
    X, g = sample()
    w = np.random.default_rng(1).integers(0, 4, len(X))
    rows = [np.repeat(a, w, axis=0) for a in (X, g, FOLDS)]
    ours = fairstats.price_of_fairness(fairstats.fair_pca(X, g, 2, weights=w), X, g, weights=w, folds=FOLDS)
    theirs = fairstats.price_of_fairness(fairstats.fair_pca(*rows[:2], 2), *rows[:2], folds=rows[2])
    for a, b in zip(ours.estimates, theirs.estimates, strict=True):
        assert a.key == b.key and a.estimate == pytest.approx(b.estimate, rel=1e-7)
        assert np.isnan(a.std_error) or a.std_error > b.std_error
    with pytest.raises(InputError, match="weights is missing"):
        fairstats.price_of_fairness(fairstats.fair_pca(X, g, 2, weights=w), X, g)


def test_a_fit_that_is_pca_costs_nobody_anything() -> None:
    X, g = sample()
    result = fairstats.price_of_fairness(
        fairstats.disparity_pca(X, g, 2, lam=1.0, advantaged="a", disadvantaged="b"), X, g
    )
    for row in result.estimates:
        assert abs(row.estimate) < 1e-9 and np.isnan(row.p_value) and row.reason


def test_a_direction_that_is_taken_out_costs_its_variation() -> None:
    rng = np.random.default_rng(5)
    g = np.arange(2000) % 2
    X = rng.standard_normal((2000, 4)) * [4, 3, 2, 1]
    X[:, 0] += 20 * g  # PCA keeps the first direction, fair PCA the next two
    row = fairstats.price_of_fairness(fairstats.fair_pca(X, g.astype(str), k=2), X, g.astype(str)).estimates[0]
    assert row.conf_low < 16 + 100 - 4 < row.conf_high and row.p_value < 1e-9


def test_families_are_adjusted_by_themselves() -> None:
    from statsmodels.stats.multitest import multipletests

    rng = np.random.default_rng(3)
    X, g = rng.standard_normal((300, 6)) * [4, 3, 2, 1, 1, 1], rng.choice(list("abc"), 300)
    X += 2.0 * (g == "b")[:, None]
    result = fairstats.price_of_fairness(fairstats.fair_pca(X, g, k=3), X, g).estimates.only(
        estimator="held out", metric="price"
    )
    levels = Estimates(r for r in result if r.group and not r.reference)
    gaps, parts = (Estimates(r for r in result if getattr(r, name)) for name in ("reference", "term"))
    for family, size in ((levels, 3), (gaps, 2), (parts, 3)):
        assert len(family) == size
        want = multipletests(family.column("p_value"), method="holm")[1]
        np.testing.assert_allclose(family.column("p_adjusted"), want)


def test_what_has_no_price_is_named() -> None:
    X, g = sample()
    with pytest.raises(InputError, match="fit is pca, and prices are compared with pca"):
        fairstats.price_of_fairness(fairstats.pca(X, g, k=2), X, g)
    with pytest.raises(InputError, match="fits of kernels rebuild no features"):
        fairstats.price_of_fairness(fairstats.fair_kernel_pca(X, g, k=2), X, g)
    with pytest.raises(InputError, match="it is a fit that rebuilds features"):
        fairstats.price_of_fairness(X, X, g)
    fit = fairstats.fair_pca(X, g, 2, y=X[:, 0] > 5, positive="True", target="equal_opportunity")
    with pytest.raises(InputError, match="of people whose outcome is positive"):
        fairstats.price_of_fairness(fit, X, g)
    y = X[:, 0] > 5
    result = fairstats.price_of_fairness(fit, Design.of(X, g, y=y))
    assert whole(result, "in sample") == pytest.approx(fit.extra_error / y.sum(), rel=1e-8)


def test_rows_of_another_fit_are_refused_by_their_number_or_means() -> None:
    X, g = sample()
    fit = fairstats.fair_pca(X, g, k=2)
    with pytest.raises(InputError, match=rf"X has 100 rows and the fit had {len(X)}; pass the rows of the fit"):
        fairstats.price_of_fairness(fit, X[:100], g[:100])
    with pytest.raises(InputError, match=r"other rows than the fit .the mean of x1 is .*; pass the rows of the fit"):
        fairstats.price_of_fairness(fit, X + 0.5, g)


STUDIES = fairstats.price_of_fairness, fairstats.bootstrap_loadings, fairstats.extra_error


@pytest.mark.parametrize("study", STUDIES)
def test_other_groups_than_those_of_the_fit_are_refused_by_their_sizes_or_errors(study: Any) -> None:
    X, g = sample()
    X = X + 2.0 * (g == "b")[:, None]
    fit = fairstats.og(X, g, k=2)
    for way, others in {
        "other people in its groups than the fit .the error of group = . is": np.random.default_rng(0).permutation(g),
        "groups of other sizes than the fit": np.where(np.arange(len(X)) < 10, "a", "b"),
        "other groups than the fit": np.where(g == "a", "x", "y"),
    }.items():
        with pytest.raises(
            InputError, match=f"groups has {way}.*pass the groups of the fit|level that the fit has not"
        ):
            study(fit, X, others)
    with pytest.raises(InputError, match="X has other rows than the fit"):
        study(fit, X + 0.5, g)
    order = np.random.default_rng(1).permutation(len(X))
    study(fit, X[order], g[order])


def test_the_price_is_that_of_tradeoff_and_says_its_folds() -> None:
    X, g = sample()
    result = fairstats.price_of_fairness(fairstats.fair_pca(X, g, k=2), X, g)
    beside = fairstats.tradeoff(X, g, ["pca", "fair_pca"], k=2)
    (apart,) = beside.estimates.only(fit="fair_pca", versus="pca", attribute="")
    assert whole(result, "held out") == pytest.approx(apart.estimate, rel=1e-9)
    assert result.summary().startswith("Price for new people, 5 folds (fair_pca)")
    assert "; 5 folds" in str(result.estimates[0].method) and not str(result.estimates[-1].method).endswith("5 folds")
    assert "Limits that include it need bootstrap samples, to each of which fair_pca is fitted again." in (
        " ".join(result.summary().split())
    )
    assert "Preis für neue Personen, 5 Teile" in fairstats.report(result, language="de").html
    of_og = fairstats.price_of_fairness(fairstats.og(X, g, k=2), X, g, folds=FOLDS)
    assert of_og.question == "Price for new people, 2 folds" and "bootstrap" not in of_og.summary()


def test_page_one_of_a_fit_says_where_its_price_for_new_people_is() -> None:
    X, g = sample()
    fit = fairstats.fair_pca(X, g, k=2)
    alone, both = (fairstats.report(*of).html for of in ([fit], [fit, fairstats.price_of_fairness(fit, X, g)]))
    assert "without intervals: of other rows" in alone and "without intervals: of other rows" not in both
    assert "new people, with intervals, stands further on." in both


def test_several_attributes_and_continuous_ones_are_priced() -> None:
    X, g = sample()
    h = np.random.default_rng(2).choice(["u", "v", "w"], len(X))
    result = fairstats.price_of_fairness(fairstats.fair_pca(X, {"g": g, "h": h}, 2), X, {"g": g, "h": h})
    assert {r.attribute for r in result.estimates if r.group} == {"g", "h"}
    age = fairstats.continuous(np.random.default_rng(3).uniform(20, 60, len(X)), "age")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        alone = fairstats.price_of_fairness(fairstats.og(X, age, 2), X, age)
    assert not any(r.group for r in alone.estimates) and alone.estimates[0].p_value <= 1


def test_a_price_below_0_is_said_to_be_smaller_by_as_much() -> None:
    X, g = sample()
    signs = set()
    for seed in range(12):
        result = fairstats.price_of_fairness(fairstats.minimax_pca(X, g, k=1), X, g, folds=2, seed=seed)
        row = result.estimates[0]
        signs.add(row.estimate < 0)
        ends = f"({compact(-row.conf_high)} to {compact(-row.conf_low)})"
        what = f"{compact(row.estimate)} (" if row.estimate > 0 else f"{compact(-row.estimate)} {ends}"
        verbs = ("exceeds that", "is smaller than that"), ("it is larger by", "it is smaller by")
        is_open = row.conf_low <= 0 <= row.conf_high
        assert verbs[is_open][row.estimate < 0] in result.statements[0]
        assert ("is not shown to differ" in result.statements[0]) is is_open
        assert what in result.statements[0] and ", −" not in result.statements[0]
    assert signs == {True, False}
