"""Rows that carry an index are paired by it, in every method and wherever rows are given again."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import fairstats
from fairstats.errors import InputError
from fairstats.methods.registry import METHODS
from fairstats.sklearn import FairTransformer

NAMES = sorted(METHODS)
every_method = pytest.mark.parametrize("name", NAMES)


def sample(n: int = 60) -> tuple[pd.DataFrame, pd.Series, pd.Series]:
    rng = np.random.default_rng(5)
    g = pd.Series(rng.choice(["a", "b"], n), name="sex")
    X = pd.DataFrame(rng.normal(size=(n, 4)) * [3, 2, 1, 0.5], columns=list("wxyz"))
    X.loc[g == "b", "w"] += 3.0
    return X, g, pd.Series(rng.integers(1, 4, n).astype(float))


def fit(name: str, X: Any, g: Any, **more: Any) -> Any:
    row = METHODS[name]
    sized = {"k": 2} if row.reduces else {}
    return row.function(X, g, **sized, **row.needs, **more)


def mixed(frame: Any) -> Any:
    return frame.sample(frac=1.0, random_state=1)


def scores(result: Any, X: pd.DataFrame, g: pd.Series) -> np.ndarray:
    return np.asarray(result.transform(X, g))


@pytest.mark.long
@every_method
def test_groups_and_weights_find_their_rows(name: str) -> None:
    X, g, w = sample()
    turned = mixed(X)
    by_hand = {"weights": w[turned.index].to_numpy()} if METHODS[name].weights else {}
    by_index = {"weights": w} if METHODS[name].weights else {}
    want = fit(name, turned, g[turned.index].to_numpy(), **by_hand)
    same = fit(name, turned, g, **by_index)
    np.testing.assert_array_equal(scores(same, turned, g), scores(want, turned, g[turned.index]))
    for groups in ({"sex": g}, g.to_frame(), g.astype("category")):
        np.testing.assert_array_equal(scores(fit(name, turned, groups, **by_index), turned, g), scores(same, turned, g))


@every_method
def test_other_rows_are_refused(name: str) -> None:
    X, g, w = sample()
    for index in (range(100, 160), [f"r{i}" for i in range(60)], [0, *range(59)]):
        with pytest.raises(InputError, match="groups and X have different indexes"):
            fit(name, X, g.set_axis(index))
        if METHODS[name].weights:
            with pytest.raises(InputError, match="weights and X have different indexes"):
                fit(name, X, g, weights=w.set_axis(index))
    with pytest.raises(InputError, match="groups has 59 values"):
        fit(name, X, g[1:])


@pytest.mark.long
@every_method
def test_equal_order_and_arrays_go_by_position(name: str) -> None:
    X, g, _ = sample()
    twice = [0, *range(59)]
    want = scores(fit(name, X, g.to_numpy()), X, g)
    for rows, groups in (
        (X.set_axis(twice), g.set_axis(twice)),
        (X.set_axis(twice), g.to_numpy()),
        (X.to_numpy(), g.set_axis(twice)),
    ):
        np.testing.assert_allclose(scores(fit(name, rows, groups), X, g), want, atol=1e-9)


@every_method
def test_new_rows_find_their_groups(name: str) -> None:
    X, g, _ = sample()
    result, turned = fit(name, X, g), mixed(X)
    want = scores(result, turned, g[turned.index].to_numpy())
    np.testing.assert_array_equal(scores(result, turned, g), want)
    if getattr(result, "coefficients", None) is not None and METHODS[name].result in ("projection", "group map"):
        with pytest.raises(InputError, match="groups and X have different indexes"):
            result.transform(X, g.set_axis(range(100, 160)))


@pytest.mark.long
@every_method
def test_held_out_rows_find_their_groups_and_folds(name: str) -> None:
    X, g, _ = sample()
    turned, fold = mixed(X), pd.Series(np.arange(60) % 2)
    result = fit(name, X, g)
    kept = result.crossfit(turned, g, folds=fold)
    want = result.crossfit(turned, g[turned.index].to_numpy(), folds=fold[turned.index].to_numpy())
    np.testing.assert_array_equal(kept.scores, want.scores)
    assert (kept.groups.labels == g[turned.index].to_numpy()).all()
    with pytest.raises(InputError, match="folds and X have different indexes"):
        result.crossfit(X, g, folds=fold.set_axis(range(100, 160)))


@pytest.mark.long
def test_arguments_of_a_fits_methods_find_their_rows() -> None:
    X, g, _ = sample()
    turned = mixed(X)
    put = {"sex": g[turned.index].to_numpy()}
    result = fairstats.og(X, g, k=2)
    assert (
        fairstats.reconstruction_error_by_group(result, turned, g).to_records()
        == fairstats.reconstruction_error_by_group(result, turned, put).to_records()
    )
    a, b = (fairstats.extra_error(result, turned, groups, permutations=9).to_dict() for groups in (g, put))
    assert a == b
    kept = result.crossfit(turned, g)
    assert kept.groups.index is turned.index or kept.groups.index.equals(turned.index)
    a, b = (fairstats.leakage(kept, groups=groups, permutations=9).estimates.to_records() for groups in (g, put))
    assert a == b
    a, b = (fairstats.leakage(result, turned, groups, permutations=9).estimates.to_records() for groups in (g, put))
    assert a == b
    moments = [fairstats.Moments.of(turned, groups) for groups in (g, put)]
    np.testing.assert_array_equal(moments[0].delta, moments[1].delta)
    np.testing.assert_array_equal(moments[0].delta, fairstats.moments(turned, g).delta)


def test_outcomes_find_their_rows_and_so_does_a_second_table() -> None:
    X, g, _ = sample()
    y = pd.Series(np.arange(60) % 3 > 0)
    turned = mixed(X)
    a, b = (
        fairstats.fair_pca(turned, groups, 2, y=outcome, positive=True, target="equal_opportunity")
        for groups, outcome in ((g, y), (g[turned.index].to_numpy(), y[turned.index].to_numpy()))
    )
    np.testing.assert_array_equal(a.loadings, b.loadings)
    table = X.assign(sex=g)
    a, b = fairstats.og(turned, "sex", k=2, data=table), fairstats.og(turned, g, k=2)
    np.testing.assert_array_equal(a.loadings, b.loadings)


def test_the_transformer_pairs_by_index() -> None:
    X, g, _ = sample()
    turned = mixed(X)
    a = FairTransformer("og", k=2).fit_transform(turned, sensitive_features=g)
    b = FairTransformer("og", k=2).fit_transform(turned, sensitive_features=g[turned.index].to_numpy())
    np.testing.assert_array_equal(a, b)
    with pytest.raises(InputError, match="sensitive_features and X have different indexes"):
        FairTransformer("og", k=2).fit(X, sensitive_features=g.set_axis(range(100, 160)))


def test_two_indexes_in_different_orders_need_one_of_x() -> None:
    X, g, w = sample()
    with pytest.raises(InputError, match="weights and groups have indexes in different orders"):
        fairstats.og(X.to_numpy(), g, k=2, weights=mixed(w))


def test_vertices_find_their_groups() -> None:
    networkx = pytest.importorskip("networkx")
    graph = networkx.Graph()
    graph.add_nodes_from([3, 0, 4, 1, 2])
    graph.add_edges_from([(0, 1), (1, 2), (2, 3), (3, 4), (4, 0), (0, 2)])
    groups = pd.Series(list("abaab"), name="g")
    want = fairstats.fair_spectral_clustering(graph, [groups[v] for v in graph.nodes], 2)
    for given in (groups, {"g": groups}, groups.to_frame()):
        result = fairstats.fair_spectral_clustering(graph, given, 2)
        assert result.labels.tolist() == want.labels.tolist()
        assert result.compositions[0].counts.tolist() == want.compositions[0].counts.tolist()
    with pytest.raises(InputError, match="groups and graph have different indexes"):
        fairstats.fair_spectral_clustering(graph, groups.set_axis(list("vwxyz")), 2)
    nodes = pd.DataFrame({"id": [4, 3, 2, 1, 0], "g": list("baaba")})
    beside = fairstats.fair_spectral_clustering(graph, nodes["g"], 2, nodes=nodes)
    assert list(beside.nodes) == [4, 3, 2, 1, 0]
    by_name = fairstats.fair_spectral_clustering(graph, "g", 2, nodes=nodes)
    assert beside.labels.tolist() == by_name.labels.tolist()


def test_attributes_of_new_rows_are_matched_by_name() -> None:
    rng = np.random.default_rng(2)
    data = pd.DataFrame(rng.normal(size=(40, 3)), columns=list("abc"))
    data["p"], data["q"] = rng.choice(["no", "yes"], 40), rng.choice(["no", "yes"], 40)
    numbers = pd.DataFrame({"u": rng.normal(size=40), "v": rng.normal(size=40)})
    for result in (fairstats.og(data, ["p", "q"], k=2), fairstats.comparators.residualize(data, ["p", "q"])):
        want = result.transform(data)
        for groups in (["q", "p"], data[["q", "p"]], {"q": data.q, "p": data.p}, data[["p", "q"]].to_numpy()):
            np.testing.assert_array_equal(result.transform(data, groups), want)
        with pytest.raises(InputError, match="the attribute 'z', which the fit does not know"):
            result.transform(data, {"p": data.p, "z": data.q})
    ages = [fairstats.continuous(numbers[c], c) for c in "uv"]
    result = fairstats.og(data[list("abc")], ages, k=2)
    np.testing.assert_array_equal(result.transform(data, ages[::-1]), result.transform(data, ages))
    swapped = fairstats.og(data[list("abc")].to_numpy(), data[["p", "q"]].to_numpy(), k=2)  # no names: by position
    assert np.abs(swapped.transform(data[list("abc")], data[["q", "p"]]).to_numpy() - want.to_numpy()[:, :2]).max() > 0


def test_generated_names_of_features_are_no_names() -> None:
    X = np.random.default_rng(0).normal(size=(30, 3))
    result = fairstats.pca(X, k=2)
    table = pd.DataFrame(X, columns=["x3", "x1", "x2"])
    np.testing.assert_array_equal(result.transform(table), result.transform(X))
    with pytest.raises(InputError, match="X has 4 columns and the fit 3, which came from an array"):
        result.transform(table.assign(g="u"))


@pytest.mark.long
@every_method
def test_groups_that_are_columns_of_the_fit_need_not_be_named_again(name: str) -> None:
    X, g, _ = sample()
    table = X.assign(sex=g)
    result = METHODS[name].function(
        list("wxyz"), "sex", **({"k": 2} if METHODS[name].reduces else {}), **METHODS[name].needs, data=table
    )
    if result.encoding is None:  # disparity_pca, which keeps no more than the names of two levels
        with pytest.raises(InputError, match="groups is missing"):
            result.crossfit(table)
        return
    fold = np.arange(60) % 2
    np.testing.assert_array_equal(
        result.crossfit(table, folds=fold).scores, result.crossfit(table, "sex", folds=fold).scores
    )
    arguments = [fairstats.reconstruction_error_by_group] if METHODS[name].result == "projection" else []
    arguments += [fairstats.price_of_fairness] * (name != "pca" and bool(arguments)) + [
        fairstats.bootstrap_loadings
    ] * (name == "og")
    for function in arguments:
        more = {"replicates": 20} if function is fairstats.bootstrap_loadings else {}
        ours, theirs = function(result, table, **more), function(result, table, "sex", **more)
        assert ours.estimates.to_records() == theirs.estimates.to_records()
        with pytest.raises(InputError, match="groups is missing"):
            function(result, X, **more)
        with pytest.raises(InputError, match="groups is missing"):
            function(result, X.to_numpy(), **more)
