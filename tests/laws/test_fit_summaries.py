"""What a fit's summary prints is what its numbers are: each line read, and computed once more from the scores."""

from __future__ import annotations

import inspect
import re
import warnings

import numpy as np
import pytest
from scipy import stats

import fairstats
from fairstats.methods.registry import METHODS
from fairstats.methods.results import f_test
from tests.laws.every_method import PROJECTIONS, sample

pytestmark = pytest.mark.filterwarnings("ignore::fairstats.errors.FairstatsWarning")
QUICK = ("pca", "og", "og, svd", "fair_pca", "fair_pca-s", "minimax_pca", "disparity_pca", "leace_pca")


def read(text: str) -> float:
    return float(text.replace(",", "").replace("−", "-"))


def test_a_fit_that_keeps_the_means_does_not_say_that_it_took_them_away() -> None:
    X, g = sample()
    assert ", 2 components" in (text := fairstats.og(X, g, k=2, center=False).summary()) and "(as they are)" in text
    given = {"k": 2, "lam": 0.5, "advantaged": g[0], "disadvantaged": next(level for level in g if level != g[0])}
    two = (g == given["advantaged"]) | (g == given["disadvantaged"])
    assert "(as they are)" in fairstats.disparity_pca(X[two], g[two], center=False, **given).summary()
    assert "(scaled)" in fairstats.disparity_pca(X[two], g[two], center=False, scale=True, **given).summary()


@pytest.mark.parametrize("name", [name for name in PROJECTIONS if name in QUICK])
@pytest.mark.parametrize("scale", [False, True])
def test_the_lines_of_a_summary_are_the_numbers_of_the_fit(name: str, scale: bool) -> None:
    X, g = sample()
    fit = PROJECTIONS[name](X, g, k=3, scale=scale)
    sd = X.std(axis=0, ddof=1) if scale else 1.0
    values = np.array([X[g == level].mean(axis=0) for level in g])  # what minimax PCA reconstructs is about these
    total = float(np.sum(((X - (values if name == "minimax_pca" else X.mean(axis=0))) / sd) ** 2))
    text = fit.summary()
    assert fit.total == pytest.approx(total)
    assert ("(centered and scaled)" in text) == scale and ("(centered)" in text) != scale
    assert ("% explained by groups" in text) == np.isfinite(fit.group_share).any()
    assert repr(fit).rstrip(">").endswith(f"extra error {abs(100 * fit.extra_error / total):.2f}%")
    for row, promise in zip(fit.estimates.only(role="guarantee"), fit.guarantees, strict=True):
        assert row.method == f"at most {promise.tolerance:.0e}".replace("-", "−") and row.estimate == promise.value
    spoken = " ".join(text.split())
    for promise in fit.guarantees:
        power = f"1e{round(np.log10(promise.tolerance)):03d}".replace("-", "−")
        assert f"(at most {power}): holds" in spoken
    table = re.findall(r"^(\d+) +([\d.,e+−]+) +([\d.]+)(?:  +([\d.]+))?(?:  +(<?[\d.]+))?$", text, re.M)
    assert [int(row[0]) for row in table] == [1, 2, 3]
    of_k = {1 + j: (e, s) for j, (e, s) in enumerate(zip(fit.energy, fit.group_share, strict=True))}
    for number, size, share, explained, p in table:
        energy, of_groups = of_k[int(number)]
        assert size == f"{energy:,.6g}" and share == f"{100 * energy / total:.2f}"
        assert (explained == f"{100 * of_groups:.2f}") if explained else not np.isfinite(of_groups)
        if p:
            scores = fairstats.pca(X, k=3, scale=scale).transform(X)[:, int(number) - 1]
            exact = stats.f_oneway(scores[g == "a"], scores[g == "b"]).pvalue
            assert p == (f"{exact:.3f}" if exact >= 0.0005 else "<0.001")
    prices = dict(
        re.findall(r"^(explained by PCA of the same k|explained by this fit|extra error)  +(.+)$", text, re.M)
    )
    assert prices["explained by PCA of the same k"].split()[0].rstrip("%") == f"{100 - 100 * fit.pca_error / total:.2f}"
    assert prices["explained by this fit"].split()[0].rstrip("%") == f"{100 - 100 * fit.error / total:.2f}"
    extra = prices["extra error"]
    assert abs(read(extra.split()[0].rstrip("%")) - 100 * fit.extra_error / total) <= 0.005 + 1e-9
    inside = extra.split()[-1]
    assert inside == f"{fit.extra_error:,.6g}".replace("-", "−") and len(inside.strip("−0.,").replace(".", "")) <= 8
    by_group = re.findall(r"^group=(\w) +([\d,]+) +([\d.,e+−]+) +([\d.,e+−]+)$", text, re.M)
    assert len(by_group) == len(fit.price.by_group or ())
    for (level, n, by_pca, group_error), row in zip(by_group, fit.price.by_group or (), strict=True):
        assert level == row.level and read(n) == row.n
        assert by_pca == f"{row.pca_error:,.5g}" and group_error == f"{row.error:,.5g}"
    for promise in fit.guarantees:
        assert promise.statement.split(":")[0].split(",")[0] in " ".join(text.split())


def test_a_summary_of_many_components_shows_ten() -> None:
    X, _ = sample(p=14)
    text = fairstats.pca(X, k=13).summary()
    assert "... and 3 more; all in tidy()" in text.splitlines()
    assert "more; all in tidy()" not in fairstats.pca(X, k=10).summary()


def test_held_out_means_are_those_of_the_rows_of_a_fold() -> None:
    X, g = sample(n=90)
    weights = np.random.default_rng(1).integers(0, 3, 90).astype(float)
    for given in (None, weights):
        source = fairstats.og(X, g, k=2, weights=given).crossfit(X, g, folds=3, seed=2, weights=given)
        w = np.ones(90) if given is None else given
        rows = source.estimates
        assert len(rows) == 3 * 2 * 2
        for row in rows:
            inside = (g == row.group) & (source.folds == int(row.given.split()[1]) - 1)
            j = int(row.term.split()[1]) - 1
            assert row.n == w[inside].sum()
            assert row.estimate == pytest.approx(np.average(source.scores[inside, j], weights=w[inside]))
        for again in (source.counted(), source.counted(w)):
            kept = w > 0
            np.testing.assert_array_equal(again.scores, source.scores[kept])
            np.testing.assert_array_equal(np.ones(again.n) if again.weights is None else again.weights, w[kept])
        other = np.where(np.arange(90) % 2, 3.0, 0.0)
        assert source.counted(other).n == 45 and source.counted(other).weights is None


def test_a_promise_that_fails_is_warned_of_in_the_line_of_the_caller() -> None:
    X, g = sample()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        fairstats.og(X, g, k=2, intercept=False)
    assert [w.filename for w in caught] == [__file__]


@pytest.mark.parametrize(("n", "q"), [(30, 2), (5, 2), (4, 2), (3, 2)])
def test_the_f_test_of_a_share_is_that_of_a_regression(n: int, q: int) -> None:
    share, rest = np.array([0.2, 0.7]), n - 1 - q
    F, p = f_test(share, q, n)
    if rest == 0:
        assert np.isnan(F).all() and np.isnan(p).all()
        return
    np.testing.assert_allclose(F, share * rest / (q * (1 - share)))
    np.testing.assert_allclose(p, stats.f.sf(F, q, rest))


def test_whoever_names_no_number_of_components_gets_two_and_no_seed_0() -> None:
    for name, row in METHODS.items():
        parameters = inspect.signature(row.function).parameters
        for argument, default in (("k", 2), ("seed", 0)):
            if argument in parameters and parameters[argument].default is not inspect.Parameter.empty:
                assert parameters[argument].default == default, (name, argument)
    parameters = inspect.signature(fairstats.Projection.crossfit).parameters
    assert parameters["seed"].default == 0
