"""Every bad input is one clear error; every kind of table gives the same design."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy.sparse import csr_array

import fairstats
import fairstats as fs
from fairstats.data.design import Design
from fairstats.data.formula import Formula
from fairstats.data.groups import Groups
from fairstats.data.tables import Columns
from fairstats.errors import FairstatsError, FairstatsWarning, InputError

FRAME = pd.DataFrame(
    {
        "age": [20.0, 31.0, 45.0, 52.0, 38.0, 27.0],
        "priors": [0, 3, 1, 7, 2, 5],
        "sex": ["F", "M", "M", "F", "M", "F"],
        "race": ["b", "w", "b", "w", "b", "w"],
    }
)


@pytest.mark.parametrize("convert", [lambda d: d, pl.from_pandas, pa.Table.from_pandas, lambda d: d.to_dict("list")])
def test_tables_of_every_kind_are_one_design(convert) -> None:
    design = Design.of("~ (age + priors + sex)**2", groups=["race", "sex"], data=convert(FRAME), among_features=True)
    assert design.features == ("age", "priors", "sexM", "age:priors", "age:sexM", "priors:sexM")
    np.testing.assert_array_equal(design.X[:, 4], FRAME.age * (FRAME.sex == "M"))
    assert design.groups is not None
    assert design.groups.cells[1] == (("b", "F"), ("b", "M"), ("w", "F"), ("w", "M"))


def test_a_frame_of_features_leaves_out_what_other_arguments_name() -> None:
    frame = FRAME.drop(columns="sex").assign(w=1.0)
    design = Design.of(frame, "race", weights="w")
    assert design.features == ("age", "priors")


@pytest.mark.parametrize(
    ("values", "levels"),
    [
        ([1.0, 2.0, 1.0], ("1", "2")),
        ([True, False, True], ("False", "True")),
        (["10", "9", "10"], ("10", "9")),
        ([10, 9, 10], ("9", "10")),
        (pd.Categorical(["hi", "lo", "lo"], categories=["lo", "mid", "hi"]), ("lo", "hi")),
    ],
)
def test_levels_have_the_order_a_reader_expects(values, levels) -> None:
    assert Groups.of(values).factors[0].levels == levels


def test_an_intersection_is_written_with_a_colon() -> None:
    groups = Groups.of("sex:race", FRAME)
    assert groups.factors[0].levels == ("F:b", "F:w", "M:b", "M:w")
    assert list(groups.labels[:2]) == ["F:b", "M:w"]


def test_missing_groups_are_refused_kept_or_dropped_and_counted() -> None:
    frame = FRAME.assign(race=["b", None, "b", "w", None, "w"])
    with pytest.raises(
        InputError, match=r"groups='race' has 2 missing values \(rows 2, 5\); leave these rows out first"
    ):
        Design.of(["age"], groups="race", data=frame)
    kept = Design.of(["age"], groups="race", data=frame, missing="level")
    assert kept.groups is not None and kept.groups.factors[0].levels == ("b", "w", "(missing)")
    dropped = Design.of(["age"], groups="race", data=frame, missing="drop")
    assert dropped.n == 4 and dropped.groups is not None and dropped.groups.missing == {"race": 2}


BAD = {
    "NaN": (
        lambda: fairstats.og([[1.0, 2.0], [np.nan, 1.0], [2.0, 2.0]], ["a", "b", "b"], k=1),
        r"X has missing or infinite values \(row 2; column x1\)",
    ),
    "infinite": (
        lambda: fairstats.og([[1.0, 2.0], [np.inf, 1.0], [2.0, 2.0]], ["a", "b", "b"], k=1),
        "missing or infinite",
    ),
    "constant": (
        lambda: fairstats.og([[1.0, 2.0], [1.0, 1.0], [1.0, 0.0]], ["a", "b", "b"], k=1, scale=True),
        "x1 is constant and has no standard deviation to divide by; leave it out",
    ),
    "constant both": (
        lambda: fairstats.og([[1.0, 2.0], [1.0, 2.0], [1.0, 2.0]], ["a", "b", "b"], k=1, scale=True),
        "x1, x2 are constant and have no standard deviation to divide by; leave them out",
    ),
    "k zero": (lambda: fairstats.og(FRAME, "race", k=0), "not numbers"),
    "k small": (lambda: fairstats.og(["age", "priors"], "race", k=0, data=FRAME), r"k has 0; it can be 1 to 2"),
    "k large": (lambda: fairstats.og(["age", "priors"], "race", k=3, data=FRAME), r"k has 3; it can be 1 to 2"),
    "k fraction": (
        lambda: fairstats.og(["age", "priors"], "race", k=1.5, data=FRAME),
        "k has 1.5; it is a whole number",
    ),
    "one group": (lambda: fairstats.og(["age"], "race", k=1, data=FRAME.assign(race="b")), "has 1 level"),
    "unknown column": (
        lambda: fairstats.og(["agee"], "race", k=1, data=FRAME),
        "X='agee' is not a column.*did you mean 'age'",
    ),
    "unknown group": (lambda: fairstats.og(["age"], "rase", k=1, data=FRAME), "groups='rase'.*did you mean 'race'"),
    "duplicate": (
        lambda: fairstats.og(pd.DataFrame(np.ones((3, 2)), columns=["a", "a"]), ["u", "v", "v"], k=1),
        "several columns named a",
    ),
    "lengths": (lambda: fairstats.og(np.ones((3, 2)), ["u", "v"], k=1), "groups has 2 values and X has 3 rows"),
    "weights": (lambda: fairstats.og(np.eye(3), ["u", "v", "v"], k=1, weights=[1, -1, 1]), "weights has negative"),
    "no groups": (lambda: fairstats.og(np.eye(3), k=1), "groups is missing"),
    "numbers as groups": (lambda: fairstats.og(np.eye(30), np.linspace(0, 1, 30), k=1), "continuous"),
    "text": (lambda: fairstats.og([["a", "b"]], ["u"], k=1), "not numbers"),
    "dimension": (lambda: fairstats.og([1.0, 2.0], ["u", "v"], k=1), "1 dimension"),
    "basis": (lambda: fairstats.og(np.eye(3), ["u", "v", "v"], k=1, basis="best"), "basis has 'best'; the choices are"),
    "code in a formula": (
        lambda: fairstats.og("~ age + __import__('os').getcwd()", "race", k=1, data=FRAME),
        r"formulas here take|can be read",
    ),
    "lambda in a formula": (
        lambda: fairstats.og("~ age + (lambda: 1)()", "race", k=1, data=FRAME),
        r"cannot be read|not a column",
    ),
    "braces": (lambda: fairstats.og("~ {age}", "race", k=1, data=FRAME), "braces"),
    "formula column": (lambda: fairstats.og("~ agee", "race", k=1, data=FRAME), "did you mean 'age'"),
    "formula without ~": (
        lambda: fairstats.og("age + priors", "race", k=1, data=FRAME),
        r"X='age \+ priors' is not a column of data; a formula begins with ~: pass '~ age \+ priors'",
    ),
    "formula missing": (
        lambda: fairstats.og("~ age", "race", k=1, data=FRAME.assign(age=[1, 2, None, 4, 5, 6])),
        r"has missing or infinite values \(row 3\)",
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input_is_one_clear_error(name: str) -> None:
    call, message = BAD[name]
    with pytest.raises(FairstatsError, match=message):
        call()


def test_a_column_whose_name_is_code_is_only_a_name(tmp_path) -> None:
    trap = tmp_path / "ran"
    name = f"open({str(trap)!r}, 'w')"
    frame = FRAME.rename(columns={"age": name})
    fit = fairstats.og([name, "priors"], groups="race", data=frame, k=1)
    with pytest.raises(InputError):
        fairstats.og(f"~ {name} + priors", groups="race", data=frame, k=1)
    assert fit.features[0] == name and not trap.exists()


def test_new_data_are_matched_by_name_and_new_levels_refused() -> None:
    fit = fairstats.og("~ age + priors + sex", groups="race", data=FRAME, k=2)
    shuffled = FRAME[["race", "sex", "priors", "age"]]
    np.testing.assert_allclose(fit.transform(shuffled), fit.transform(FRAME))
    with pytest.raises(InputError, match="level that the fit has not seen"):
        fit.transform(FRAME.assign(race="x"))
    new = FRAME.assign(sex=["x", *FRAME["sex"][1:]])
    with pytest.raises(
        InputError, match=r"not seen \(x, row 1\); it knows .*; recode these rows .*, or leave them out"
    ):
        fit.transform(new)
    assert np.isfinite(fit.transform(FRAME.assign(race="x"), on_unknown="mean").to_numpy()).all()
    with pytest.raises(InputError, match=r"lacks|not a column"):
        fit.transform(FRAME.drop(columns="age"))
    one = fit.transform(FRAME.iloc[[0]])
    np.testing.assert_allclose(one, fit.transform(FRAME).iloc[[0]])


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        ("~ f + l:f", [("b", None), ("a", True), ("b", True)]),
        ("~ l*f", [(None, True), ("b", None), ("b", True)]),
        ("~ C(l):v", [(False, "v"), (True, "v")]),
    ],
)
def test_a_logical_column_crossed_as_r_has_it(text: str, columns: list[tuple[object, object]]) -> None:
    """R 4.2: model.matrix() without its intercept makes these columns of values."""
    data = pd.DataFrame({"l": [True, False, False, True], "f": list("aabb"), "v": [1.0, 2.0, 3.0, 5.0]})

    def column(parts: tuple[object, object]) -> np.ndarray:
        values = np.ones(4)
        for part in parts:
            if part is not None:
                values *= data.v if part == "v" else data.l == part if isinstance(part, bool) else data.f == part
        return values

    expected = np.column_stack([column(c) for c in columns])
    np.testing.assert_array_equal(Design.of(text, data=data).X, expected)


def test_a_name_with_dots_is_a_column_wherever_it_stands() -> None:
    data = pd.DataFrame({"years.of.service": [1.0, 2.0, 4.0, 8.0], "site.no": [1, 2, 1, 3]})
    X = Design.of("~ log2(years.of.service) + I(years.of.service**2) + C(site.no)", data=data).X
    second, third = data["site.no"] == 2, data["site.no"] == 3
    expected = np.column_stack([[0.0, 1, 2, 3], [1.0, 4, 16, 64], second, third])
    np.testing.assert_allclose(X, expected)
    with pytest.raises(InputError, match=r"'years\.of\.age', which is not a column"):
        Design.of("~ log(years.of.age)", data=data)
    with pytest.raises(InputError, match="is not a formula that can be read"):
        Design.of("~ log(site.no).real", data=data)


@pytest.mark.parametrize(
    ("text", "wording"),
    [
        ("~ l:f", r"crosses the logical column 'l' with 'f', .* write C\(l\) for these, or add f"),
        ("~ v + l:f:v", r"with 'f:v'"),
        ("~ .", "has the dot of R; name its columns"),
        ("~ . - v", "has the dot"),
    ],
)
def test_formulas_that_r_reads_otherwise_are_refused_with_a_way_out(text: str, wording: str) -> None:
    data = pd.DataFrame({"l": [True, False, False, True], "f": list("aabb"), "v": [1.0, 2.0, 3.0, 5.0]})
    with pytest.raises(InputError, match=wording):
        Design.of(text, data=data)


def test_the_content_of_an_array_is_checked_as_a_tables_columns_are() -> None:
    days = np.datetime64("2020-01-01") + np.arange(6)
    days[3] = np.datetime64("NaT")
    X = np.arange(12.0).reshape(6, 2)
    odd = X.astype(object)
    odd[4, 1] = "3"
    dated = X.astype(object)
    dated[2, 0] = pd.Timestamp("2020-01-01")
    columns = np.column_stack([days, days])
    for wrong in (columns, columns - days[0], columns.tolist(), pd.DataFrame(columns).to_numpy(), dated):
        with pytest.raises(InputError, match="X holds dates or lengths of time"):
            fairstats.og(wrong, list("ababab"), 1)
    for wrong in (X.astype(str), X.astype("S"), X.astype(str).tolist(), odd):
        with pytest.raises(InputError, match=r"X holds values that are not numbers \(the text .*\); pass real numbers"):
            fairstats.og(wrong, list("ababab"), 1)
    for right in (X.astype(object), X.tolist(), X.astype(np.int8), X > 3):
        assert Design.of(right).X.dtype == float


def test_a_group_among_the_features_is_refused() -> None:
    sex = FRAME.assign(sex=(FRAME.sex == "M") * 1)
    ours = ["age", "priors", "sex"]
    for fit in (fairstats.og, fairstats.leace, fairstats.comparators.residualize, fairstats.moments):
        for groups in ("sex", ["race", "sex"], "race:sex", fairstats.continuous("sex")):
            with pytest.raises(InputError, match=r"groups has 'sex', which is a feature too.*leave it out"):
                fairstats.moments(sex, groups, features=ours) if fit is fairstats.moments else fit(
                    ours, groups, data=sex
                )
    for features in ("~ age * sex", ["age", "sex"]):  # sex is text: no number, and no feature either
        with pytest.raises(InputError, match=r"groups has 'sex'.*leave it out of the features"):
            fairstats.leace(features, "sex", data=FRAME)
    with pytest.raises(InputError, match="groups has 'sex'"):
        fairstats.og(sex[ours], sex["sex"], 1)
    # Another variable of that name is none of them; nor does PCA adjust anything.
    assert fairstats.og(sex[ours], FRAME["race"].rename("sex"), 1).features == tuple(ours)
    assert fairstats.pca(ours, "sex", data=sex).crossfit(sex).scores.shape == (6, 2)


COLUMNS = {
    "array": lambda v: v[:, None],
    "list": lambda v: v[:, None].tolist(),
    "masked": lambda v: np.ma.array(v)[:, None],
    "pandas": lambda v: pd.DataFrame({"v": v}),
    "polars": lambda v: pl.DataFrame({"v": v}),
}


@pytest.mark.long
@pytest.mark.parametrize("column", COLUMNS.values(), ids=COLUMNS)
def test_a_table_of_one_column_is_its_entries(column):
    """As scikit-learn takes y of shape (n, 1): outcomes, decisions, scores, labels, weights, marked numbers."""
    rng = np.random.default_rng(3)
    n = 60
    X, g, y, d = rng.normal(size=(n, 3)), rng.choice(["a", "b"], n), rng.integers(0, 2, n), rng.integers(0, 2, n)
    outcome, score, w = np.where(y, "u", "v"), rng.random(n), rng.random(n) + 1
    stats = fs.stats

    def results(c):
        gap = stats.equalized_odds_difference(c(y), c(d), sensitive_features=c(g), sample_weight=c(w))
        weighted = stats.survey_rate(c(d), c(w), clusters=c(np.arange(n) // 3))
        fits = (
            fs.og(X, c(g), 1, weights=c(w)),
            fs.og(X, fs.continuous(c(score)), 1),
            fs.fair_pca(X, c(g), 1, y=c(outcome), target="equal_opportunity", positive="u"),
            fs.fair_kernel_pca(X, c(g), k=1, weights=c(w), seed=1),
        )
        numbers = [gap.estimate, gap.conf_low, *stats.brier_score(c(score), c(y))[:3], stats.auc(c(score), c(y)).auc]
        return [*numbers, weighted.rate, weighted.std_error, *(fit.tidy().estimate.to_numpy() for fit in fits)]

    for one, other in zip(results(column), results(lambda v: v), strict=True):
        np.testing.assert_allclose(np.asarray(one, dtype=float), np.asarray(other, dtype=float), rtol=1e-12)


def test_sparse_columns_of_pandas_are_the_numbers_that_they_hold():
    """As features, in a formula (where they became levels), of files, as decisions, scores, weights and groups."""
    rng = np.random.default_rng(0)
    n = 200
    D = pd.DataFrame({"x": rng.poisson(0.5, n) * 1.0, "z": rng.normal(size=n), "w": rng.integers(0, 2, n)})
    P = D.assign(x=pd.arrays.SparseArray(D.x, fill_value=0.0), w=pd.arrays.SparseArray(D.w, fill_value=0))
    g, y = rng.choice(["a", "b"], n), rng.integers(0, 2, n)

    def results(T):
        whole = T.assign(g=g, y=y)
        yield fs.leace(T, g).transform(T)
        yield fs.leace("~ x + z + w", g, data=T).transform(T)
        yield fs.leace(fs.moments(T.assign(g=g), "g")).transform(T)
        yield fs.leace({"x": T.x, "z": T.z}, T.w).transform(T[["x", "z"]])
        yield fs.audit(whole, "w", "g").tidy().estimate
        yield fs.audit(whole, "y", "w").tidy().estimate
        yield fs.audit(whole, score="x", groups="g").tidy().estimate
        yield fs.audit(whole.assign(x=T.x + 1), "y", "g", weights="x").tidy().estimate
        yield fs.stats.demographic_parity_difference(y, T.w, sensitive_features=T.w > 0).estimate

    for one, other in zip(results(P), results(D), strict=True):
        np.testing.assert_allclose(np.asarray(one), np.asarray(other), rtol=1e-12)


def _copies(g: pd.Series, numbers: pd.Series) -> dict[str, tuple]:
    """Features that are the group by another name, and the group as it was passed."""
    x = np.random.default_rng(1).normal(size=len(g))
    table = pd.DataFrame({"x": x, "g": g, "copy": g, "coded": g.map({"a": 3, "b": 1, "c": 2}), "is_b": (g == "b") * 1})
    bare = g.to_numpy()
    return {
        "formula": ("~ x + g", bare, table),
        "other name": ("~ x + copy", "g", table),
        "codes": (table[["x", "coded"]], bare, None),
        "indicator": (table[["x", "is_b"]], bare, None),
        "number": (pd.DataFrame({"x": x, "z": numbers}), fs.continuous(numbers.to_numpy()), None),
    }


@pytest.mark.parametrize("name", _copies(pd.Series(list("abc")), pd.Series([1, 2, 3])))
def test_a_group_among_the_features_is_seen_by_its_values(name) -> None:
    rng = np.random.default_rng(0)
    g, numbers = pd.Series(rng.choice(["a", "b", "c"], 90), name="g"), pd.Series(rng.normal(size=90))
    X, groups, data = _copies(g, numbers)[name]
    with pytest.warns(FairstatsWarning, match=r"this feature tells the group, and would be adjusted for itself"):
        Design.of(X, groups, data=data, weights=np.arange(90) > 0)


def test_a_feature_that_differs_within_one_group_only_is_none_of_the_group() -> None:
    """Of 90 rows beyond the first ones one differs; a constant column tells no group either."""
    g = np.repeat(["a", "b"], 600)
    X = pd.DataFrame({"x": (g == "a") * 1.0, "z": np.ones(1200)})
    X.loc[900, "x"] = 1.0
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        Design.of(X, g)


@pytest.mark.parametrize("gap", [None, np.nan, pd.NA])
def test_missing_entries_of_an_object_array_are_missing(gap) -> None:
    X = np.arange(8.0).reshape(4, 2).astype(object)
    X[2, 1] = gap
    with pytest.raises(InputError, match=r"missing or infinite values \(row 3; column x2\)"):
        fairstats.og(X, ["a", "b", "a", "b"], k=1)


def test_groups_in_the_place_of_features_are_known_as_such() -> None:
    with pytest.raises(InputError, match=r"X is one column of text \('a'\), as groups are; give the features first"):
        fairstats.og(np.array(["a", "b"] * 10), np.arange(40.0).reshape(20, 2))


@pytest.mark.parametrize("sparse_rows", [False, True])
def test_a_missing_value_is_found_in_the_row_that_was_given(sparse_rows: bool) -> None:
    """Rows before it that have no group, or no weight, are counted as well."""
    X = np.random.default_rng(0).standard_normal((20, 3))
    X[1, 0] = X[9, 1] = np.nan
    rows = csr_array(X) if sparse_rows else X
    g = np.array(["a", "b"] * 10, dtype=object)
    gaps, w = g.copy(), np.ones(20)
    gaps[[1, 6]], w[[1, 6]] = None, 0.0
    for fit in (fairstats.og, fairstats.leace, fairstats.fair_pca):
        for given in ({"groups": gaps, "missing": "drop"}, {"groups": g, "weights": w}):
            with pytest.raises(InputError, match=r"infinite values \(row 10; column x2\)"):
                fit(rows, **given)
    with pytest.raises(InputError, match=r"\(rows 2, 10; columns x1, x2\)"):
        fairstats.og(rows, g)


def test_a_path_in_the_place_of_a_table_and_a_number_in_that_of_groups_are_told_the_way(tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_text("g,x,z\n" + "a,1,2\nb,2,1\na,2,3\nb,1,1\n" * 5)
    with pytest.raises(InputError, match=r"to read that file pass fairstats.read_table\('.*people.csv'\)"):
        fairstats.og(["x", "z"], "g", k=1, data=str(path))
    assert fairstats.og(["x", "z"], "g", k=1, data=fairstats.read_table(path)).k == 1
    with pytest.raises(InputError, match=r"groups has 3; .* a number of components is k=3"):
        fairstats.pca(["x", "z"], 3, data=fairstats.read_table(path))


def test_a_column_that_tells_rows_apart_is_refused_before_a_formula_makes_columns_of_it(monkeypatch) -> None:
    n = 60
    data = pd.DataFrame(
        {"age": np.arange(n), "id": [f"p{i}" for i in range(n)], "site": [f"s{i % 20}" for i in range(n)]}
    )
    for text in ("~ age + id", "~ C(age)"):
        with pytest.raises(InputError, match="whose 60 labels in 60 rows tell the rows apart"):
            Formula.bind(text, Columns(data))
    assert len(Formula.bind("~ age + site", Columns(data)).features) == 20
    monkeypatch.setenv("FAIRSTATS_MAX_LEVELS", "19")
    with pytest.raises(InputError, match="which has 20 labels; a formula takes at most 19"):
        Formula.bind("~ age + site", Columns(data))
