"""Studies of fits and scores have the unit of the data, or none: what is large or small does not depend on it."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest

import fairstats

pytestmark = pytest.mark.filterwarnings("ignore::fairstats.errors.FairstatsWarning")
N = 90
FOLDS = np.arange(N) // 3 % 3
G = np.array(["a", "b", "c"])[np.arange(N) % 3]
PAIR = np.array(["f", "m"])[np.arange(N) % 2]


@cache
def rows() -> np.ndarray:
    rng = np.random.default_rng(21)
    X = rng.standard_normal((N, 5)) * [3.0, 2.0, 1.5, 1.0, 0.7] + 0.8 * (G == "b")[:, None]
    return X + rng.standard_normal((5, 5)).sum(axis=0)


ROTATION = np.linalg.qr(np.random.default_rng(3).standard_normal((5, 5)))[0]
STUDIES: dict[str, Callable[[np.ndarray], Any]] = {
    "price": lambda X: fairstats.price_of_fairness(fairstats.fair_pca(X, G, 2), X, G, folds=FOLDS),
    "price of a map": lambda X: fairstats.price_of_fairness(fairstats.leace(X, G), X, G, folds=FOLDS),
    "stability": lambda X: fairstats.bootstrap_loadings(fairstats.og(X, G, 2), X, G, replicates=20, seed=1),
    "extra error": lambda X: fairstats.extra_error(fairstats.og(X, G, k=2), X, G, permutations=9),
    "extra error of all": lambda X: fairstats.extra_error(fairstats.og(X, PAIR, k=5), X, PAIR, permutations=9),
    "choice of k": lambda X: fairstats.select_k(X, G, "og", permutations=9, folds=FOLDS),
    "group losses": lambda X: fairstats.reconstruction_error_by_group(fairstats.fair_pca(X, G, 2), X, G),
    "component tests": lambda X: fairstats.component_tests(fairstats.og(X, G, 2).crossfit(X, G, folds=FOLDS)),
}
NUMBERS = ("estimate", "conf_low", "conf_high", "std_error", "statistic", "events")
PURE = ("p_value", "p_adjusted", "df", "n")


@cache
def plain(name: str) -> list[Any]:
    return list(STUDIES[name](rows()).estimates)


@pytest.mark.long
@pytest.mark.parametrize("name", STUDIES)
@pytest.mark.parametrize("unit", [1e-6])
def test_every_number_of_a_study_is_in_squared_units_of_the_data_or_has_none(name: str, unit: float) -> None:
    items = list(STUDIES[name](rows() * unit).estimates)
    assert [(r.key, r.status, r.verdict, r.reason) for r in items] == [
        (r.key, r.status, r.verdict, r.reason) for r in plain(name)
    ]
    for ours, theirs in zip(items, plain(name), strict=True):
        for part in PURE:
            np.testing.assert_allclose(getattr(ours, part), getattr(theirs, part), rtol=2e-5, atol=1e-9, err_msg=part)
        for part in NUMBERS:
            mine, other = getattr(ours, part), getattr(theirs, part)
            agree = [np.isclose(mine, other * unit**d, 2e-5, 1e-7 * unit**d, equal_nan=True) for d in (0, 1, 2)]
            assert any(agree), (part, ours.metric, mine, other)


@pytest.mark.parametrize(
    "name", [name for name in STUDIES if name not in ("choice of k", "stability", "component tests")]
)
def test_a_rotation_of_the_features_changes_no_study(name: str) -> None:
    items = list(STUDIES[name](rows() @ ROTATION + 7.0).estimates)
    for ours, theirs in zip(items, plain(name), strict=True):
        assert (ours.key, ours.status) == (theirs.key, theirs.status)
        for part in (*NUMBERS, *PURE):
            mine, other = getattr(ours, part), getattr(theirs, part)
            assert abs(mine) == pytest.approx(abs(other), rel=1e-5, abs=1e-7, nan_ok=True), (part, ours)
