"""scikit-learn's own checks, and the ways in which groups reach a pipeline."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import sklearn
from scipy import sparse
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import make_scorer
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import parametrize_with_checks

import fairstats
from fairstats.errors import InputError
from fairstats.methods.registry import METHODS
from fairstats.sklearn import FairTransformer
from tests.laws.every_method import ROWS_ONLY, SEARCHES, sample

NEEDS_GROUPS = "fits without groups, which must be refused: it would be plain PCA"
NO_ROOM = "has two columns, of which one is the group and the other differs between groups: nothing is left to keep"
WITHOUT = [
    "check_fit_score_takes_y",
    "check_estimators_overwrite_params",
    "check_dont_overwrite_parameters",
    "check_n_features_in",
    "check_estimators_fit_returns_self",
    "check_readonly_memmap_input",
    "check_n_features_in_after_fitting",
    "check_dtype_object",
    "check_positive_only_tag_during_fit",
    "check_estimators_dtypes",
    "check_pipeline_consistency",
    "check_estimators_nan_inf",
    "check_estimators_pickle",
    "check_f_contiguous_array_estimator",
    "check_transformer_data_not_an_array",
    "check_dict_unchanged",
    "check_transformer_general",
    "check_transformer_preserve_dtypes",
    "check_methods_sample_order_invariance",
    "check_methods_subset_invariance",
    "check_fit2d_1feature",
    "check_fit_idempotent",
    "check_fit_check_is_fitted",
    "check_fit2d_predict1d",
    "check_sample_weights_pandas_series",
    "check_sample_weights_not_an_array",
    "check_sample_weights_list",
    "check_all_zero_sample_weights_error",
    "check_sample_weights_shape",
    "check_sample_weights_not_overwritten",
    "check_sample_weight_equivalence_on_dense_data",
    "check_sample_weight_equivalence_on_sparse_data",
    "check_estimator_sparse_tag",
    "check_estimator_sparse_array",
    "check_estimator_sparse_matrix",
]
TIGHT = [
    "check_estimators_overwrite_params",
    "check_estimators_fit_returns_self",
    "check_readonly_memmap_input",
    "check_fit_idempotent",
    "check_fit_check_is_fitted",
    "check_n_features_in",
    "check_sample_weights_shape",
    "check_sample_weights_not_overwritten",
]


def expected_failures(estimator: FairTransformer) -> dict[str, str]:
    """The checks that a required group breaks, each with its reason; the list is strict."""
    if estimator.group_columns is None:
        return dict.fromkeys(WITHOUT, NEEDS_GROUPS)
    return dict.fromkeys(TIGHT, NO_ROOM) if estimator.method == "fair_pca" else {}


@pytest.mark.long
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.SkipTestWarning")
@parametrize_with_checks(
    [
        FairTransformer("og", k=1, group_columns=[fairstats.continuous(0)]),
        FairTransformer("fair_pca", k=1, group_columns=[fairstats.continuous(0)]),
        FairTransformer("fair_pca", k=1),
    ],
    expected_failed_checks=expected_failures,
)
def test_scikit_learns_checks(estimator, check) -> None:
    assert estimator is not None
    check(estimator)


@pytest.fixture
def people(rng: np.random.Generator) -> pd.DataFrame:
    race = rng.choice(["b", "w"], 300)
    X = pd.DataFrame(rng.standard_normal((300, 5)), columns=list("abcde")).add(0.8 * (race == "b"), axis=0)
    return X.assign(race=race)


def test_no_groups_is_an_error_and_never_plain_pca(people: pd.DataFrame) -> None:
    X = people.drop(columns="race")
    with pytest.raises(InputError, match=r"sensitive_features is missing.*plain PCA"):
        FairTransformer("og").fit(X)
    with pytest.raises(InputError, match="sensitive_features is missing; scores of 'og' depend on the group"):
        FairTransformer("og").fit(X, sensitive_features=people.race).transform(X)
    assert FairTransformer("fair_pca").fit(X, sensitive_features=people.race).transform(X).shape == (300, 2)


def test_groups_from_columns_equal_groups_passed(people: pd.DataFrame) -> None:
    X = people.drop(columns="race")
    a = FairTransformer("og", k=3, group_columns=["race"]).fit_transform(people)
    b = FairTransformer("og", k=3).fit_transform(X, sensitive_features=people.race)
    np.testing.assert_allclose(a, b)
    np.testing.assert_allclose(a, fairstats.og(X, people.race, k=3).transform(X, people.race), atol=1e-12)
    with pytest.raises(InputError, match=r"group_columns has 'rase'.*did you mean 'race'"):
        FairTransformer("og", group_columns=["rase"]).fit(people)


def test_names_come_out_and_results_can_be_frames(people: pd.DataFrame) -> None:
    result = FairTransformer("og", k=2, group_columns=["race"]).set_output(transform="pandas").fit(people)
    assert list(result.transform(people).columns) == ["fairtransformer0", "fairtransformer1"]


def test_a_y_that_is_no_y_of_these_rows_is_refused(people: pd.DataFrame) -> None:
    y = (people.a > 0).astype(int)
    for first, second, text in (
        (y, people, "^X has 1 dimension; give the table first, y second"),
        (people, y[:10], r"^y cannot be used: .*\[300, 10\]"),
    ):
        with pytest.raises(InputError, match=text):
            FairTransformer("og", group_columns=["race"]).fit(first, second)


def test_metadata_routing_through_a_pipeline_in_a_grid_search(people: pd.DataFrame, rng: np.random.Generator) -> None:
    X = people.drop(columns="race")
    y = (X.a + rng.standard_normal(300) > 0.4).astype(int)
    with sklearn.config_context(enable_metadata_routing=True):
        pipe = make_pipeline(StandardScaler(), FairTransformer("og"), LogisticRegression())
        search = GridSearchCV(pipe, {"fairtransformer__k": [1, 2, 4]}, cv=3, error_score="raise")
        search.fit(X, y, sensitive_features=people.race.to_numpy())
        best = search.best_estimator_
        scores = best[:-1].transform(X, sensitive_features=people.race.to_numpy())
    gap = scores[people.race == "b"].mean(axis=0) - scores[people.race == "w"].mean(axis=0)
    assert np.abs(gap).max() < 1e-10


def test_group_columns_need_no_routing_in_a_grid_search(people: pd.DataFrame, rng: np.random.Generator) -> None:
    y = (people.a + rng.standard_normal(300) > 0.4).astype(int)
    pipe = make_pipeline(FairTransformer("fair_pca", group_columns=["race"]), LogisticRegression())
    search = GridSearchCV(pipe, {"fairtransformer__k": [1, 2]}, cv=3, error_score="raise").fit(people, y)
    assert search.best_score_ > 0.5


def test_a_scorer_by_group_goes_with_group_columns(people: pd.DataFrame, rng: np.random.Generator) -> None:
    y = (people.a + rng.standard_normal(300) > 0.4).astype(int)
    seen = []

    def gap(y_true: pd.Series, y_pred: np.ndarray, sensitive_features: np.ndarray) -> float:
        seen.append(set(sensitive_features))
        return -abs(y_pred[sensitive_features == "b"].mean() - y_pred[sensitive_features == "w"].mean())

    pipe = make_pipeline(FairTransformer("og", group_columns=["race"]), LogisticRegression())
    races = people.race.to_numpy()
    with sklearn.config_context(enable_metadata_routing=True):
        scorer = make_scorer(gap).set_score_request(sensitive_features=True)
        search = GridSearchCV(pipe, {"fairtransformer__k": [2]}, cv=3, error_score="raise", scoring=scorer)
        search.fit(people, y, sensitive_features=races)
        other = FairTransformer("og", group_columns=["race"]).fit(people, sensitive_features=rng.permutation(races))
    assert seen == [{"b", "w"}] * 3
    assert np.isfinite(search.best_score_)
    want = FairTransformer("og", group_columns=["race"]).fit_transform(people)
    np.testing.assert_allclose(other.transform(people, sensitive_features=races[::-1]), want)


def test_an_unknown_method_names_the_nearest(people: pd.DataFrame) -> None:
    with pytest.raises(InputError, match=r"method has 'fairpca'; the choices are pca, .*; did you mean 'fair_pca'"):
        FairTransformer("fairpca", group_columns=["race"]).fit(people)


@pytest.mark.long
@pytest.mark.parametrize("name", METHODS)
def test_every_method_is_a_transformer_with_weights(name: str) -> None:
    X, g = sample(n=60, p=5)
    w = np.random.default_rng(1).uniform(0.2, 3, 60)
    row = METHODS[name]
    options = dict(row.needs)
    result = FairTransformer(name, k=2, options=options)
    got = result.fit_transform(X, sensitive_features=g, sample_weight=w)
    fit = row.function(X, g, weights=w, **({"k": 2} if row.reduces else {}), **row.needs)
    np.testing.assert_allclose(got, fit.transform(X, g), atol=1e-9)
    assert len(result.get_feature_names_out()) == got.shape[1] == (2 if row.reduces else 5)
    unweighted = FairTransformer(name, k=2, options=options).fit_transform(X, sensitive_features=g)
    assert np.abs(np.abs(got) - np.abs(unweighted)).max() > 1e-6


def test_sparse_rows_and_groups_of_polars() -> None:
    pl = pytest.importorskip("polars")
    X, g = sample(n=60, p=5)
    thin = sparse.csr_array(np.where(np.abs(X - 5) > 1, X, 0.0))
    for name, row in METHODS.items():
        result = FairTransformer(name, options=dict(row.needs))
        if name in ROWS_ONLY:
            with pytest.raises(InputError, match="X is sparse"):
                result.fit(thin, sensitive_features=g)
            continue
        want = result.fit_transform(thin.toarray(), sensitive_features=g)
        near = SEARCHES.get(name, 1e-8)
        np.testing.assert_allclose(np.abs(result.fit_transform(thin, sensitive_features=g)), np.abs(want), atol=near)
        polar = result.fit_transform(thin.toarray(), sensitive_features=pl.Series("sex", g))
        np.testing.assert_allclose(polar, want, atol=1e-12)
    data = pl.DataFrame({**{f"x{j}": X[:, j] for j in range(5)}, "sex": g})
    frame = pd.DataFrame({**{f"x{j}": X[:, j] for j in range(5)}, "sex": g})
    by_column = FairTransformer("og", group_columns=["sex"]).fit(data)
    assert by_column.feature_names_in_.tolist() == [*(f"x{j}" for j in range(5)), "sex"]
    want = FairTransformer("og", group_columns=["sex"]).fit_transform(frame)
    np.testing.assert_allclose(by_column.transform(data), want, atol=1e-12)
    for groups in (data["sex"], data.select("sex"), data["sex"].cast(pl.Categorical)):
        got = FairTransformer("og").fit_transform(X, sensitive_features=groups)
        np.testing.assert_allclose(got, want, atol=1e-12)


def test_scale_of_what_does_not_scale_is_refused() -> None:
    X, g = sample(n=60, p=5)
    with pytest.raises(InputError, match="scale has True, and residualize treats every feature alike"):
        FairTransformer("residualize", scale=True).fit(X, sensitive_features=g)


def test_positions_of_groups_in_arrays_that_hold_text(people: pd.DataFrame) -> None:
    at = people.columns.get_loc("race")
    named = FairTransformer("og", group_columns=["race"]).fit_transform(people)
    mixed = people.to_numpy(dtype=object)
    for X in (mixed, mixed.tolist()):
        result = FairTransformer("og", group_columns=[at]).fit(X)
        np.testing.assert_allclose(result.transform(X), named)
        np.testing.assert_allclose(result.transform(X[:5]), named[:5])
    assert result.n_features_in_ == people.shape[1]


def test_names_of_features_that_a_map_keeps(people: pd.DataFrame) -> None:
    items = [name for name in people.columns if name != "race"]
    for name in ("leace", "residualize"):
        result = FairTransformer(name, group_columns=["race"]).set_output(transform="pandas").fit(people)
        assert list(result.get_feature_names_out()) == items == list(result.transform(people).columns)
    array = FairTransformer("leace").fit(people[items].to_numpy(), sensitive_features=people.race)
    assert list(array.get_feature_names_out()) == [f"x{j}" for j in range(len(items))]


def test_what_a_method_needs_is_said_by_name(people: pd.DataFrame) -> None:
    with pytest.raises(InputError, match=r"options lacks t, which sog needs; .*options=\{'t': 1.6\}"):
        FairTransformer("sog", group_columns=["race"]).fit(people)
    with pytest.raises(InputError, match="options lacks lam, advantaged, disadvantaged"):
        FairTransformer("disparity_pca", group_columns=["race"]).fit(people)
    X, g = sample(n=30)
    for call, text in (
        (lambda: fairstats.sog(X, g), "t is absent; sog needs it"),
        (lambda: fairstats.disparity_pca(X, g), "lam is absent; disparity_pca needs it"),
        (lambda: fairstats.disparity_path(), "fit is absent; disparity_path needs it"),
        (lambda: fairstats.sog_path(X, g), "ts is absent; sog_path needs it"),
        (lambda: fairstats.leace(X, g, k=2), "k is no argument of leace; its arguments are X, groups"),
    ):
        with pytest.raises(InputError, match=text):
            call()


def test_a_scorer_that_passes_no_groups_on_is_named(people: pd.DataFrame, rng: np.random.Generator) -> None:
    X, groups = people.drop(columns="race"), people.race.to_numpy()
    y = (X.a + rng.standard_normal(300) > 0.4).astype(int)
    with sklearn.config_context(enable_metadata_routing=True):
        pipe = make_pipeline(FairTransformer("og"), LogisticRegression())
        search = GridSearchCV(pipe, {"fairtransformer__k": [1, 2]}, cv=3, error_score="raise", scoring="roc_auc")
        with pytest.raises(
            InputError,
            match=r"predict too: .*best_estimator_.predict.* passes nothing on to transform: name group_columns",
        ):
            search.fit(X, y, sensitive_features=groups)


def test_the_fit_of_a_table_has_the_names_of_its_columns(people: pd.DataFrame) -> None:
    fit = FairTransformer("og", group_columns=["race"]).fit(people[["a", "b", "race"]]).fit_
    assert fit.features == ("a", "b")


def test_groups_that_are_new_or_missing_follow_the_arguments_and_errors_name_the_column(people: pd.DataFrame) -> None:
    people = people.select_dtypes("number")
    X = people.assign(g=np.where(np.arange(len(people)) % 2, "a", "b"))
    rows = X.head(3).assign(g=["a", "new", None])
    fair = FairTransformer("og", group_columns=["g"]).fit(X)
    with pytest.raises(InputError, match="on_unknown='mean'"):
        fair.transform(rows)
    scores = fair.set_params(on_unknown="mean").transform(rows)
    np.testing.assert_allclose(scores, fair.fit_.transform(rows.drop(columns="g"), rows["g"], on_unknown="mean"))
    some = X.assign(g=X["g"].where(np.arange(len(X)) > 4))
    with pytest.raises(InputError, match="missing='level'"):
        fair.fit(some)
    assert "(missing)" in fair.set_params(missing="level").fit(some).fit_.encoding.levels[0]
    dropping = FairTransformer("og", group_columns=["g"], missing="drop")
    with pytest.raises(InputError, match=r"missing has 'drop', .*out of X and y.* or on_unknown='mean'"):
        dropping.fit_transform(some)
    with pytest.raises(InputError, match=r"not seen: \(missing\) \(rows 1, 2, 3, 4, 5\); it knows a, b\."):
        dropping.fit(some).transform(some)
    averaged = dropping.set_params(on_unknown="mean").fit_transform(some)
    np.testing.assert_allclose(averaged[5:], FairTransformer("og", group_columns=["g"]).fit_transform(some[5:]))
    fair_pca = FairTransformer("fair_pca", group_columns=["g"], missing="drop").fit_transform(some)
    assert len(averaged) == len(fair_pca) == len(some)
    name = people.columns[0]
    for wrong in (np.nan, "text"):
        with pytest.raises(InputError, match=f"X, column '{name}', cannot be used"):
            fair.transform(rows.astype({name: object}).assign(**{name: [wrong, 1.0, 2.0]}))
    with pytest.raises(InputError, match="set_output"):
        fair.fit(X.to_numpy())
