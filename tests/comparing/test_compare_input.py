"""Bad input to compare(): the message names the argument, the value, the fact and the way out."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import fairstats
from fairstats.comparing.methods import MOST_K, chosen_methods, most_allowed
from fairstats.data.design import Design
from fairstats.errors import InputError, NumericalError
from fairstats.methods.registry import METHODS
from tests.comparing.test_compare import ASKED, shifted
from tests.laws.every_method import sample


def refused(match: str, data=None, **change):
    with pytest.raises(InputError, match=match):
        fairstats.compare(shifted() if data is None else data, **{**ASKED, "n_repeats": 2, **change})


def test_an_outcome_needs_two_values():
    data = shifted()
    refused(r"outcome='z' has 3 values \(1, 2, 3\); it must have two", data.assign(z=[1, 2, 3] * 200), outcome="z")
    refused("outcome='z' has one value only", data.assign(z=1), outcome="z")
    refused("outcome='z' has 1 missing values", data.assign(z=[None, *[0, 1] * 299, 1]), outcome="z")
    refused("outcome='Y' is not a column of data", outcome="Y")
    refused(r"positive=2 is not a value of 'y'.*its values are 0, 1", positive=2)
    refused("favorable='no' is not a value of 'y'", favorable="no")


def test_the_outcome_is_no_feature():
    refused("features has 'y', which is the outcome", features=["x1", "y"])
    refused("features has 'y', which is the outcome", features="~ x1 * y")


def test_features_are_checked():
    data = shifted()
    refused("features='x4' is not a column of data; its columns are g, x1", features=["x1", "x4"])
    refused("features has columns that are not numbers", data.assign(t="a"), features=["x1", "t"])
    refused(r"features has constant columns \(c\)", data.assign(c=1.0), features=["x1", "c"])
    refused("features has missing or infinite", data.assign(x1=np.r_[np.nan, data.x1[1:]]))
    refused("it is a formula or a list", features=3)


def test_unknown_methods_and_models_are_answered_with_the_nearest():
    refused("methods has 'og-residuals', which is not known; did you mean 'og-residual'", methods=["og-residuals"])
    refused("methods has og more than once", methods=["og", "og"])
    refused("methods is empty", methods=[])
    refused("model has 'logistics', which is not known; did you mean 'logistic'", model="logistics")
    refused("cannot be fitted", model=dict)


def test_k_says_how_large_it_can_be():
    refused(r"k has 4; it can be 1 to 3 here \(3 features, 450 rows to train on\)", k=4)
    refused("k has 0; it", k=0)
    refused("methods has 'fair_pca', which refused the training rows.*k has 3; it", methods="fair_pca", k=3)


@pytest.mark.parametrize("change", [{"test_size": 0}, {"test_size": 1.0}, {"conf_level": 95}, {"n_repeats": 0}])
def test_numbers_out_of_range(change):
    refused(f"{next(iter(change))} has .*; it ", **change)


def test_a_group_too_small_to_be_in_both_parts_is_named():
    data = shifted()
    data.loc[[0], "g"] = "<b>c</b>"
    refused("groups='g' has the level '<b>c</b>' with 1 person, too few to be in both", data)
    data.loc[[0, 1], ["g", "y"]] = [["c", 0], ["c", 1]]
    refused("groups='g' has the level 'c' with 2 people", data)


def test_missing_groups_are_refused_kept_or_left_out_with_their_count():
    data = shifted().assign(g=lambda d: d.g.where(d.index >= 30))
    refused(r"groups=.g. has 30 missing values.*missing=.level.", data)
    kept = fairstats.compare(data, **{**ASKED, "n_repeats": 2, "missing": "level"})
    assert any(r.group == "(missing)" for r in kept.estimates)
    left = fairstats.compare(data, **{**ASKED, "n_repeats": 2, "missing": "drop"})
    assert left.glance()["rows"][0] == 570 and ("g missing", 30) in [(f.label, f.n) for f in left.flow]


def test_continuous_groups_are_refused():
    refused("groups has the continuous attribute 'x1'", groups=fairstats.continuous("x1"), features=["x2", "x3"])


@pytest.mark.long
def test_a_feature_that_is_constant_in_a_training_part_is_left_out_and_said_so():
    data = shifted().assign(rare=np.r_[np.ones(2), np.zeros(598)])
    result = fairstats.compare(data, **{**ASKED, "features": ["x1", "x2", "x3", "rare"], "n_repeats": 40})
    problems = result.terms[0].problems
    assert 0 < problems["features that are constant in the training rows were left out"] < 40
    assert "constant in the training rows" in " ".join(result.summary().split())


def test_a_method_that_gives_nonsense_is_named():
    class Odd:
        def __init__(self, result):
            self.made = result

        def transform(self, design):
            return self.made(design.n)

    refused("methods has 'odd', whose transform gave an array of shape", methods=[("odd", lambda d, k: Odd(np.ones))])
    with pytest.raises(NumericalError, match="methods has 'odd', whose transform gave missing"):
        bad = ("odd", lambda d, k: Odd(lambda n: np.full((n, 1), np.nan)))
        fairstats.compare(shifted(), **ASKED, methods=[bad])


@pytest.mark.filterwarnings("ignore::fairstats.errors.FairstatsWarning")  # of a search that ends early
@pytest.mark.parametrize("name", [row.name for row in METHODS.values() if row.reduces and not row.needs])
def test_without_k_a_method_computes_as_many_components_as_it_can(name):
    X, g = sample(n=40, p=4)
    design = Design.of(X, g)
    most = most_allowed(chosen_methods((name,), True), design)
    method = METHODS[name].function
    assert method(design, None, k=most).settings["k"] == most or name == "minimax_pca"
    if most < MOST_K:
        with pytest.raises(InputError, match="k has"):
            method(design, None, k=most + 1)


def test_without_k_the_largest_that_all_methods_allow_is_taken():
    comparison = fairstats.compare(
        shifted(), **{**ASKED, "n_repeats": 2, "methods": ["pca", "og", "fair_pca"], "k": None}
    )
    p = len(ASKED["features"])
    assert set(comparison.tidy()["k"].dropna()) == {p - 1}


@pytest.mark.parametrize("rare", ["label", "number"])
def test_by_default_as_many_components_as_every_training_part_allows(rare: str) -> None:
    rng = np.random.default_rng(0)
    table = pd.DataFrame({"g": rng.choice(["a", "b"], 600), "y": rng.integers(0, 2, 600), "x": rng.normal(size=600)})
    first = np.arange(600) < 2
    table["rare"] = np.where(first, "u", "v") if rare == "label" else first.astype(int)
    result = fairstats.compare(table, outcome="y", groups="g", features="~ x + rare", n_repeats=12, progress=False)
    assert {term.k for term in result.terms} == {0, 1}
