"""The numbers of a fit's summary are those of the fit, in every method; guarantees measure what they promise."""

from __future__ import annotations

import inspect
import re
from functools import cache
from typing import Any

import numpy as np
import pytest

import fairstats
from fairstats.methods import disparity
from fairstats.methods.leace import _alike
from fairstats.methods.location_scale import LevelRows
from fairstats.methods.minimax import _promises
from fairstats.methods.minimax_solvers import Minimax
from fairstats.text import number, significant
from tests.laws.every_method import EVERY, OF, PROJECTIONS

pytestmark = pytest.mark.filterwarnings("ignore::fairstats.errors.FairstatsWarning")
RNG = np.random.default_rng(31)
G = np.array(["a", "b"])[np.arange(120) % 2]
X = RNG.standard_normal((120, 5)) * [3.1, 2.3, 1.7, 1.2, 0.6] + 0.9 * (G == "b")[:, None]
X[:, 1] *= np.where(G == "b", 1.3, 1.0)
MAPS = [name for name in EVERY if OF[name].result == "eraser" or not OF[name].reduces]


@cache
def example(name: str) -> Any:
    return EVERY[name](X, G)


def words(fit: Any) -> str:
    return " ".join(fit.summary().split())


@pytest.mark.parametrize("name", PROJECTIONS)
def test_the_price_of_a_summary_is_the_errors_of_the_fit(name: str) -> None:
    fit = example(name)
    text, part = words(fit), 100 / fit.total
    explained = f"{number(100 - fit.pca_error * part, 2)}% {significant(fit.total - fit.pca_error, 6)}"
    assert f"explained by PCA of the same k {explained}" in text
    assert f"explained by this fit {number(100 - fit.error * part, 2)}%" in text
    assert f"extra error {number(fit.extra_error * part, 2)}% {significant(fit.extra_error, 6)}" in text
    assert all(f"={v} 60 " in text for v in "ab")


@pytest.mark.parametrize("name", MAPS)
def test_the_price_of_a_map_is_how_far_it_moves_the_data(name: str) -> None:
    fit = example(name)
    arguments = (X, G) if "groups" in inspect.signature(fit.transform).parameters else (X,)
    moved = float(np.sum((fit.transform(*arguments) - X) ** 2))
    share = 100 * moved / float(np.sum((X - X.mean(axis=0)) ** 2))
    assert fit.error == pytest.approx(moved, rel=1e-8)
    assert f"the data moved by {number(share, 2)}% of their sum of squares ({significant(moved, 6)})" in words(fit)


@pytest.mark.parametrize("groups", [11, 12, 13])
def test_errors_of_twelve_groups_are_printed_and_the_rest_counted(groups: int) -> None:
    g = np.array([f"g{i:02d}" for i in range(groups)])[np.arange(130) % groups]
    rows = RNG.standard_normal((130, 3))
    text = fairstats.pca(rows, g, 1).summary()
    assert len(re.findall(r"=g\d\d +\d+ ", text)) == min(groups, 12)
    assert ("... and 1 more" in text.split("this fit")[-1]) == (groups == 13) and "and 0 more" not in text


def test_another_basis_is_named_with_its_price() -> None:
    fits = {basis: fairstats.og(X, G, k=2, basis=basis) for basis in ("svd", "residual")}
    for basis, other in (("svd", "residual"), ("residual", "svd")):
        reported = fits[basis].diagnostics["other_basis"]
        if reported is None:
            continue
        wanted = fits[other].extra_error
        assert reported[1] == pytest.approx(wanted, rel=1e-8)
        percent = number(100 * wanted / fits[other].total, 2)
        assert f"extra error, {reported[0]} {percent}% {significant(wanted, 6)}" in words(fits[basis])
        return
    raise AssertionError("no fit names another basis")


@pytest.mark.parametrize("count", [2, 3])
def test_the_bound_of_two_groups_is_kept_more_closely(count: int) -> None:
    lost = np.ones(count)
    result = Minimax(np.eye(3), np.ones(3), np.full(count, 1 / count), 0.9, 1)
    (bound, *_), gap = _promises(np.full(count, 4.0), lost, result, {"objective": "error", "solver": "dual"})
    assert bound.tolerance == (1e-8 if count == 2 else 1e-6)
    assert gap == pytest.approx(0.1) and bound.value == pytest.approx(0.1 / 4) and not bound.holds


@pytest.mark.parametrize("turned", [0.0, 0.01, 0.5])
def test_guarantees_of_disparity_pca_fail_where_the_directions_are_not_the_best(turned: float) -> None:
    fit = fairstats.disparity_pca(X, G, 2, lam=0.6, advantaged="a", disadvantaged="b")
    assert fit.guarantees[0].holds and fit.guarantees[0].value >= 0
    seen: list[Any] = []
    whole = disparity._projection
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(disparity, "_projection", lambda *given: seen.append(given) or whole(*given))
        fairstats.disparity_pca(X, G, 2, lam=0.6, advantaged="a", disadvantaged="b")
    view, problem, present, lam, U, settings = seen[0]
    out = np.linalg.qr(np.column_stack([U, np.eye(len(U))]))[0][:, U.shape[1]]
    away = U.copy()
    away[:, 0] = np.cos(turned) * U[:, 0] + np.sin(turned) * out
    assert whole(view, problem, present, lam, away, settings).guarantees[0].holds == (turned == 0)


def test_guarantees_of_equal_covariances_are_in_standard_deviations() -> None:
    parts = [LevelRows(v == G, np.ones(120)) for v in "ab"]
    rows = X - X.mean(axis=0)
    items = [(rows[v == G].mean(axis=0), np.cov(rows[v == G].T)) for v in "ab"]
    middle = (items[0][1] + items[1][1]) / 2
    spread = np.sqrt((np.diag(items[0][1]) + np.diag(items[1][1])) / 2)
    for part, (mean, cov) in zip(parts, items, strict=True):
        result = part.mean_covariance(rows + 3.0)
        np.testing.assert_allclose(result[0], mean + 3.0)
        np.testing.assert_allclose(result[1], cov)
    means, covariances, *_ = _alike(rows, parts, middle)
    assert means.value == pytest.approx(max(np.max(np.abs(mean) / spread) for mean, _ in items))
    wanted = max(np.max(np.abs(cov - middle) / np.outer(spread, spread)) for _, cov in items)
    assert covariances.value == pytest.approx(wanted) and not means.holds and not covariances.holds
