"""What the table of methods says that a method does is what its fits do."""

from __future__ import annotations

import inspect
from functools import cache
from typing import Any

import numpy as np
import pytest

import fairstats
from fairstats.errors import FairstatsError
from tests.laws.every_method import EVERY, OF

pytestmark = pytest.mark.filterwarnings("ignore::fairstats.errors.FairstatsWarning")
RNG = np.random.default_rng(4)
G = np.array(["a", "b"])[np.arange(120) % 2]
X = RNG.standard_normal((120, 5)) * [3.0, 2.0, 1.5, 1.0, 0.7]
X[:, 0] += 3.0 * (G == "b")
X[:, 2] -= 1.0 * (G == "b")
# Every group about its own mean: nothing of the means is in the scores.
OWN_MEANS = {"minimax_pca", "minimax_pca nash", "minimax_pca nested"}
NOT_ALL = {"location_scale protect", "location_scale bayes"}  # spare features, or shrink what they take out


@cache
def example(name: str) -> Any:
    return EVERY[name](X, G)


@cache
def scores(name: str) -> np.ndarray:
    """The scores of a method, or the features as it gives them back."""
    fit = EVERY[name](X, G)
    return np.asarray(
        fit.transform(X, G) if "groups" in inspect.signature(fit.transform).parameters else fit.transform(X)
    )


def explained(S: np.ndarray) -> float:
    """The share of the sum of squares that the means of two groups of one size explain."""
    apart = S[G == "a"].mean(axis=0) - S[G == "b"].mean(axis=0)
    return float(np.sum(apart**2) / 4 / S.var(axis=0).sum())


@pytest.mark.parametrize("name", [name for name in EVERY if name not in OWN_MEANS | NOT_ALL])
def test_groups_are_hidden_by_the_methods_that_promise_it_and_by_no_other(name: str) -> None:
    S = scores(name)
    apart = np.abs(S[G == "a"].mean(axis=0) - S[G == "b"].mean(axis=0))
    assert OF[name].hides == bool(apart.max() < 1e-9 * X.std())


@pytest.mark.parametrize("name", [name for name in EVERY if name not in OWN_MEANS | NOT_ALL])
def test_less_than_half_is_left_of_the_groups_by_the_methods_meant_to_remove_them(name: str) -> None:
    assert OF[name].removes == (explained(scores(name)) < 0.5 * explained(scores("pca")))


@pytest.mark.parametrize("name", EVERY)
def test_a_method_goes_without_groups_or_rows_where_the_table_says_so_and_only_there(name: str) -> None:
    def goes(*given: Any) -> bool:
        try:
            EVERY[name](*given)
        except FairstatsError:
            return False
        return True

    assert goes(X) == (not OF[name].groups)
    if name not in {"location_scale bayes", "leace orthogonal"}:
        assert goes(fairstats.moments(X, G)) == OF[name].moments


@pytest.mark.parametrize("name", EVERY)
def test_a_method_takes_weights_and_makes_the_kind_of_fit_that_the_table_says(name: str) -> None:
    assert OF[name].weights == ("weights" in inspect.signature(OF[name].function).parameters)
    entries = {"projection": fairstats.Projection, "kernel projection": fairstats.KernelProjection}
    entries |= {"eraser": fairstats.Eraser, "group map": fairstats.GroupAdjustment}
    assert type(example(name)) is entries[OF[name].result]
