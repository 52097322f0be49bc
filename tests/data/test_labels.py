"""What a label is, where text is a number, and what is no label: one clear error each."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import sparse

import fairstats
from fairstats.data.groups import Groups
from fairstats.data.read import MISSING, parse, read_table
from fairstats.data.tables import factor
from fairstats.errors import FairstatsWarning, InputError
from fairstats.labels import look_alike

SOURCES = (Path(__file__).parents[2] / "docs/sources.md").read_text()
LONG = [900719925474099301, 900719925474099302]


def sizes(data: object, **more: object) -> dict[str, int]:
    return {c.group: c.n for c in fairstats.audit(data, decision="d", groups="g", **more).cells}


def test_a_table_says_where_its_frame_is(tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_text("g,d\na,1\n")
    with pytest.raises(AttributeError, match=r"no attribute 'to_pandas'; its pandas frame is \.frame"):
        read_table(path).to_pandas()


@pytest.mark.parametrize("suffix", [".csv", ".parquet", ".feather"])
def test_long_numbers_beside_a_gap_stay_apart(tmp_path: Path, suffix: str) -> None:
    frame = pd.DataFrame({"g": pd.array([*LONG * 30, 7, None], dtype="Int64"), "d": [*[1, 1, 0, 0] * 15, 1, 0]})
    path = tmp_path / f"a{suffix}"
    frame.to_csv(path, index=False) if suffix == ".csv" else getattr(frame, f"to_{suffix[1:]}")(path)
    truth = {str(LONG[0]): 30, str(LONG[1]): 30, "7": 1, "(missing)": 1}
    assert sizes(path) == truth
    assert str(read_table(path).frame["g"].dtype) == "Int64"
    m = fairstats.moments(path, "g", missing="level")
    assert {c[0]: n for c, n in zip(m.cells, m.n.tolist(), strict=True)} == truth
    audit = fairstats.audit(path, decision="d", groups="g", clusters="g", missing="drop")
    assert {c.group: c.n for c in audit.cells} == {k: n for k, n in truth.items() if k != "(missing)"}


def test_leading_zeros_are_part_of_a_label_and_features_are_numbers(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("g,d,x\n" + "01,1,0.50\n01,1,0.5\n1,0,-0.25\n1,0,1e-05\n2,1,3\n2,0,\n")
    assert sizes(path) == {"01": 2, "1": 2, "2": 2}
    frame = read_table(path).frame
    assert frame["g"].tolist() == ["01", "01", "1", "1", "2", "2"]
    assert frame["x"].dtype == float and frame["x"].tolist()[:5] == [0.5, 0.5, -0.25, 1e-05, 3.0]


def test_one_number_spelled_in_two_ways_is_two_labels_and_one_number(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("g,d\n" + "1,1\n1.0,0\n" * 3)
    assert sizes(path) == {"1": 3, "1.0": 3}
    with pytest.warns(FairstatsWarning, match=r"the column g spells one number in several ways \(1, 1.0\)"):
        assert read_table(path).frame["g"].tolist() == [1.0] * 6
    assert read_table(path, labels=["g"]).frame["g"].tolist() == ["1", "1.0"] * 3


@pytest.mark.parametrize("route", ["a file", "chunks"])
def test_a_logical_in_several_spellings_is_one_logical_on_every_route(tmp_path: Path, route: str) -> None:
    path = tmp_path / "a.csv"
    words = np.array(["TRUE", "True", "true", "FALSE", "False"])[np.random.default_rng(3).integers(0, 5, 90)]
    x = np.random.default_rng(4).normal(size=90)
    pd.DataFrame({"g": ["a", "b", "b"] * 30, "d": words, "x": x}).to_csv(path, index=False)
    frame = pd.read_csv(path)  # where pandas reads a logical
    if route == "a file":
        assert sizes(path) == sizes(frame)
        found = [fairstats.audit(data, "d", "g", favorable="TRUE").tidy()["estimate"] for data in (path, frame)]
        np.testing.assert_array_equal(*found)
        return
    ours, theirs = (fairstats.moments(source, "d", features=["x"]) for source in (path, [frame[:40], frame[40:]]))
    assert ours.cells == theirs.cells == (("False",), ("True",))
    for name in ("n", "weight"):
        np.testing.assert_array_equal(getattr(ours, name), getattr(theirs, name))
    mean = [frame["x"][frame["d"] == value].mean() for value in (False, True)]
    spread = [((frame["x"][frame["d"] == value] - m) ** 2).sum() for value, m in zip((False, True), mean, strict=True)]
    np.testing.assert_allclose((ours.delta + ours.shift).ravel(), mean)
    np.testing.assert_allclose(ours.scatter.ravel(), spread)


def test_decisions_written_as_floats_are_favorable_as_before(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    pd.DataFrame({"g": list("aabb") * 5, "d": [1.0, 0, None, 1] * 5}).to_csv(path, index=False)
    assert "1.0" in path.read_text()
    audit = fairstats.audit(path, decision="d", groups="g", favorable=1)
    assert audit.protocol.favorable == "1"
    path.write_text("g,d\n" + "a,TRUE\nb,FALSE\nb,TRUE\n" * 4)
    assert fairstats.audit(path, decision="d", groups="g").protocol.favorable == "True"


@pytest.mark.parametrize(
    ("text", "kind", "values"),
    [
        ("18446744073709551615\nNA\n", "UInt64", [2**64 - 1, None]),
        ("99999999999999999999\nNA\n", "str", ["99999999999999999999", None]),
        ("18446744073709551615\n-1\n", "str", ["18446744073709551615", "-1"]),
        ("1\nNA\n", "Int64", [1, None]),
        ("1.5\nNA\n", "float64", [1.5, None]),
        ("-01\n-1\n", "str", ["-01", "-1"]),
        ("05/01/2020\n05/02/2020\n", "str", ["05/01/2020", "05/02/2020"]),
        ("NA\n", "float64", [None]),
    ],
)
def test_a_column_is_numbers_where_nothing_is_lost(text: str, kind: str, values: list[object]) -> None:
    result = parse(f"a,b\n{text.replace(chr(10), ',1' + chr(10))}".encode(), "x.csv")["a"]
    assert str(result.dtype) == kind
    assert [None if pd.isna(v) else v for v in result] == values


def test_zero_padded_codes_in_chunks(tmp_path: Path) -> None:
    table = {"x": [1.0, 2, 3, 5, 4, 6], "g": ["01", "1.0", "²", "--5", "." + "9" * 400, "9" * 400]}
    pd.DataFrame(table).to_parquet(tmp_path / "a.parquet")
    want = Groups.of("g", table).factors[0].levels
    assert fairstats.moments(tmp_path / "a.parquet", "g").levels == (want,)
    assert fairstats.moments([table], "g").levels == (want,)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        (np.array([1, "1", 2], dtype=object), "different values with the same label '1' \\(as int, str\\)"),
        ([True, "True", "x"], "same label 'True' \\(as bool, str\\)"),
        (pd.Categorical([1, "1", 1]), "same label '1'"),
        (np.array([2.0**60, 1.0, 1.0]), "so large \\(1152921504606846976\\) that different whole numbers share one"),
        ([[1], [2, 3], [1]], "holds list values, which are no labels"),
        ([{}, {}, {}], "holds dict values, which are no labels"),
        ([0.5, 1.5, 0.5], "2 distinct numbers, some with fractions"),
        (list(range(201)), "has 201 distinct whole numbers"),
    ],
)
def test_what_is_no_label_is_refused(values: object, message: str) -> None:
    with pytest.raises(InputError, match=message):
        Groups.of(values)


def test_logicals_and_numbers_are_different_and_equal_numbers_are_one() -> None:
    assert Groups.of([True, 1, "x", 1.0]).factors[0].codes.tolist() == [1, 0, 2, 0]
    assert Groups.of(np.array([2**63 + 5, 2**63 + 6], dtype=np.uint64)).factors[0].levels == (
        "9223372036854775813",
        "9223372036854775814",
    )


@pytest.mark.parametrize(
    "values",
    [
        ["a", "b", float("nan")],
        ["a", "b", None],
        np.ma.array(["a", "b", "a"], mask=[False, False, True]),
        np.array(["a", "b", pd.NA], dtype=object),
        pd.Series(["a", "b", None]),
        pl.Series(["a", "b", None]),
        pd.Categorical(["a", "b", None]),
    ],
)
def test_missing_labels_are_missing_in_any_container(values: object) -> None:
    X = np.eye(3)
    for groups in (values, {"g": values}):
        with pytest.raises(InputError, match=r"has 1 missing value \(row 3\)"):
            fairstats.og(X, groups, k=1)
        assert Groups.of(groups, missing="level").factors[0].levels == ("a", "b", "(missing)")
    with pytest.raises(InputError, match="y has 1 missing"):
        fairstats.fair_pca(X, ["u", "v", "v"], 1, y=values, target="equal_opportunity", positive="a")
    with pytest.raises(InputError, match="is missing for 1 vertices"):
        fairstats.fair_spectral_clustering(np.ones((3, 3)) - np.eye(3), values, 2)


def test_masked_entries_of_x_and_weights_are_missing() -> None:
    X = np.ma.array(np.eye(3), mask=np.eye(3) > 0)
    with pytest.raises(InputError, match="X has 3 masked entries"):
        fairstats.pca(X, k=1)
    with pytest.raises(InputError, match=r"weights has negative, missing or infinite values \(row 2\)"):
        fairstats.pca(np.eye(3), k=1, weights=np.ma.array([1, 1, 1], mask=[0, 1, 0]))


@pytest.mark.parametrize("kind", [int, float])
def test_fits_audits_and_chunks_have_one_rule_for_numbers_as_groups(kind: type) -> None:
    table = {"g": [kind(i % 30) for i in range(90)], "x": np.arange(90.0) ** 2 % 7, "d": [0, 1, 1] * 30}
    fractions = {**table, "g": [i % 3 + 0.5 for i in range(90)]}
    calls = [
        lambda t: fairstats.og(["x"], "g", k=1, data=t),
        lambda t: fairstats.audit(t, decision="d", groups="g"),
        lambda t: fairstats.moments([{k: v[i::2] for k, v in t.items()} for i in (0, 1)], "g", features=["x"]),
    ]
    for call in calls:
        with pytest.raises(InputError, match=r"'g' has 30 distinct whole numbers, .*cut\(data\['g'\], \[-1, 9, 19"):
            call(table)
        with pytest.raises(InputError, match="'g' has 3 distinct numbers, some with fractions, which look like a meas"):
            call(fractions)
        with pytest.raises(InputError, match="'g:h' has 3 distinct numbers"):
            Groups.of("g:h", {**fractions, "h": list("uvw") * 30})
        call({**table, "g": [str(v) for v in table["g"]]})  # text needs no word
        call({**table, "g": [kind(i % 20) for i in range(90)]})
        classes = pd.cut(pd.Series(table["g"]), [-1, 9, 19, 29])  # what the message says can be done
        call({**table, "g": classes})


@pytest.mark.parametrize("form", ["%Y-%m-%d", "%Y-%m-%d %H:%M:%S", "%d/%m/%Y", "%d.%m.%Y"])
def test_many_dates_are_a_measurement_and_a_few_are_groups(form: str) -> None:
    days = [datetime(2024, 1, 1, 9, 30) + timedelta(days=i % 25) for i in range(75)]
    table = {"x": np.arange(75.0) ** 2 % 7, "d": [0, 1, 1] * 25}
    calls = [
        lambda t: fairstats.og(["x"], "g", k=1, data=t),
        lambda t: fairstats.audit(t, decision="d", groups="g"),
        lambda t: fairstats.moments([{k: v[i::2] for k, v in t.items()} for i in (0, 1)], "g", features=["x"]),
    ]
    for call in calls:
        for many in (days, [day.date() for day in days], [day.strftime(form) for day in days]):
            with pytest.raises(InputError, match="'g' has 25 distinct dates or times, which look like a meas"):
                call({**table, "g": many})
        call({**table, "g": [day.strftime("%Y-%m") for day in days[:-1]] + ["2024-02"]})
        call({**table, "g": [days[i % 20] for i in range(75)]})


def test_clusters_with_gaps_are_one_clear_error() -> None:
    table = {"d": [0, 1] * 6, "g": list("aab" * 4), "c": [1.0, None, *range(10)]}
    with pytest.raises(InputError, match=r"clusters has 'c' with 1 missing values \(row 2\)"):
        fairstats.audit(table, decision="d", groups="g", clusters="c")
    fairstats.audit({**table, "g": ["a", None, *"bbaabbaabb"]}, decision="d", groups="g", clusters="c", missing="drop")


def test_tables_with_other_names_than_text_are_tables() -> None:
    X = np.random.default_rng(0).normal(size=(20, 3))
    frame = pd.DataFrame(X)
    result = fairstats.pca(frame, k=2)
    assert result.features == ("0", "1", "2")
    np.testing.assert_array_equal(result.transform(frame[[2, 0, 1]]), result.transform(frame))
    assert list(result.augment(frame).columns) == [0, 1, 2, ".score_1", ".score_2"]
    nested = frame.set_axis(pd.MultiIndex.from_product([["a"], [1, 2, 3]]), axis=1)
    assert fairstats.pca(nested, k=1).features == ("('a', 1)", "('a', 2)", "('a', 3)")


def _dictionary(text: list[str]) -> pa.Array:
    return pa.DictionaryArray.from_arrays([1 if v == "u" else 0 for v in text], ["v", "u", "w"])


def test_series_of_every_library_are_groups() -> None:
    X, text = np.random.default_rng(0).normal(size=(6, 2)), list("uvuvuv")
    enum = pl.Series("g", text, dtype=pl.Enum(["v", "u", "w"]))
    assert Groups.of(enum).factors[0].levels == Groups.of("g", pa.table({"g": _dictionary(text)})).factors[0].levels
    assert Groups.of(enum).factors[0].levels == ("v", "u")
    for groups in (pl.Series("g", text), pl.Series("g", text, dtype=pl.Categorical), pd.Series(text, name="g")):
        encoding = fairstats.og(X, groups, k=1).encoding
        assert (encoding.names, encoding.levels) == (("g",), (("u", "v"),))
    assert fairstats.og(X, pd.Categorical([1.0, 2.0] * 3), k=1).encoding.levels == (("1", "2"),)


def test_moments_of_arrays_and_chunks_in_another_order() -> None:
    X, g = np.random.default_rng(0).normal(size=(6, 2)), list("uvuvuv")
    with pytest.raises(InputError, match="source is an array, whose columns have no names"):
        fairstats.moments(X, g, features=["a"])
    np.testing.assert_allclose(fairstats.moments(sparse.csr_array(X), g).scatter, fairstats.moments(X, g).scatter)
    frame = pd.DataFrame(X, columns=["a", "b"]).assign(g=g)
    parts = [frame[:3], frame[3:][["g", "b", "a"]]]
    np.testing.assert_allclose(fairstats.moments(parts, "g").total()[2], fairstats.moments(frame, "g").total()[2])


def test_dates_are_called_as_in_r() -> None:
    days = pd.to_datetime(["2020-01-01", "2021-06-30"] * 2)
    for values in (days, pl.Series(days), days.date.tolist(), days.to_numpy(), days.tz_localize("UTC")):
        assert Groups.of(values).factors[0].levels == ("2020-01-01", "2021-06-30")
    times = pd.to_datetime(["2020-01-01 10:30:00", "2020-01-01 00:00:00"])
    assert Groups.of(times).factors[0].levels == ("2020-01-01", "2020-01-01 10:30:00")


def test_levels_of_disparity_are_named_as_labels_are() -> None:
    X, g = np.random.default_rng(0).normal(size=(20, 3)), np.array([1.0, 2.0] * 10)
    a = fairstats.disparity_pca(X, g, 1, lam=0.5, advantaged=1.0, disadvantaged=2)
    b = fairstats.disparity_pca(X, g, 1, lam=0.5, advantaged="1", disadvantaged="2")
    np.testing.assert_array_equal(a.loadings, b.loadings)


def test_a_plain_list_of_labels_beside_a_table_is_one_label_a_row_unless_it_names_columns() -> None:
    rng = np.random.default_rng(3)
    table = pd.DataFrame(rng.normal(size=(40, 3)), columns=["u", "v", "w"])
    labels = ["a", "b"] * 20
    by_list, by_array = fairstats.og(table, labels, k=1), fairstats.og(table, np.array(labels), k=1)
    np.testing.assert_array_equal(by_list.loadings, by_array.loadings)
    table["s"], table["t"] = labels, rng.choice(["x", "y"], 40)
    assert fairstats.og("~ u + v", ["s", "t"], data=table, k=1).encoding.names == ("s", "t")
    with pytest.raises(InputError, match="'q'"):
        fairstats.og("~ u + v", ["q", "t"], data=table, k=1)


@pytest.mark.parametrize(
    "values",
    [
        np.array([1.0, np.nan, 0.0, -np.inf]),
        np.ma.masked_array([1.0, 5.0, 0.0, np.inf], [False, True, False, False]),
        pd.Series([1.0, None, 0.0, np.inf]),
        pl.Series([1.0, None, 0.0, np.inf]),
    ],
)
def test_an_infinite_number_is_no_label_and_its_row_is_counted_with_the_missing_ones(values: object) -> None:
    with pytest.raises(InputError, match=r"infinite values \(row 4\)"):
        factor(values)


def test_words_that_a_text_file_has_for_missing_labels_are_told(tmp_path: Path) -> None:
    """Of columns that hold labels, and where they hold text: NA beside numbers is a missing number."""
    file = tmp_path / "na.csv"
    file.write_text("race,code,note\n" + "White,1,NA\nNA,2,x\nnull,NA,x\n,2,x\n" * 30)
    with pytest.warns(FairstatsWarning) as seen:
        table = read_table(file, labels=["race", "code"])
    assert [str(one.message) for one in seen] == [
        "na.csv: 60 values of the column race were read as missing: 'NA' (30), 'null' (30). Where one of these is a "
        "label, as NA may be for Native American, write it out in the file."
    ]
    assert table.frame["race"].isna().sum() == 90
    for word in MISSING:  # as docs/sources.md and the docstring list them
        assert parse(f"a,b\n{word},1\nx,1\n".encode(), "f.csv")["a"].isna().tolist() == [True, False]
        assert not word or (f"`{word}`" in SOURCES and f"``{word}``" in str(read_table.__doc__))
    assert parse(b"a,b\nNone,1\n?,1\n", "f.csv")["a"].tolist() == ["None", "?"]


def test_numbers_look_alike_where_they_are_equal_in_every_digit() -> None:
    other = ["12345678901234567", "12345678901234568", "1e400", "2e500", "9" * 30, "9" * 29 + "8", "1e" + "9" * 20]
    same = ["0.50", "1e2", "-0", "-inf"], [".5", "100.0", "0", "-Infinity"]
    assert look_alike([*other, *same[0], *same[1]]) == list(zip(*same, strict=True))


@pytest.mark.parametrize("mark", ["\u200b", "\u00ad", "\ufeff", "\u200e", "\u2060"])
def test_characters_that_print_nothing_make_labels_look_alike(mark: str) -> None:
    assert look_alike(["Köln", f"Kö{mark}ln", "Bonn"]) == [("Köln", f"Kö{mark}ln")]
    table = {"g": [f"Köln{mark}", "Köln"] * 30, "d": [0, 1, 1] * 20}
    notes = fairstats.audit(table, "d", "g").notes
    assert any("several spellings" in note and ascii(mark)[1:-1] in note for note in notes)


@pytest.mark.parametrize(("written", "typed"), [("Sta\u0308dte", "Städte"), ("Städte", "Sta\u0308dte")])
def test_a_name_whose_letters_are_composed_otherwise_is_shown_by_its_codes(written: str, typed: str) -> None:
    with pytest.raises(InputError) as error:
        fairstats.audit({written: ["a", "b"] * 30, "d": [0, 1, 1] * 20}, "d", typed)
    assert f"did you mean {written!a}, whose letters look the same?" in str(error.value)


def test_record_batches_are_tables_and_lists_of_rows_are_answered_with_what_to_type() -> None:
    people = pd.DataFrame({"g": ["a", "b"] * 20, "d": [0, 1, 1, 0, 1] * 8})
    batch = pa.RecordBatch.from_pandas(people)
    for call in (fairstats.audit, fairstats.subgroup_scan):
        assert call(batch, "d", "g").estimates == call(people, "d", "g").estimates
        with pytest.raises(InputError, match=r"list of rows; pass pandas.DataFrame\(rows\)"):
            call(people.to_dict("records"), "d", "g")


def test_bytes_are_answered_with_how_to_decode_them_and_arrays_among_fields_are_no_columns() -> None:
    people = np.zeros(40, dtype=[("g", "S5"), ("d", "i8"), ("x", "f8", (3,))])
    people["g"], people["d"] = ["a", "b"] * 20, [0, 1, 1, 0, 1] * 8
    with pytest.raises(InputError, match=r"bytes and no text; decode it: numpy.char.decode\(array\)"):
        fairstats.audit(people, "d", "g")
    text = {"g": np.char.decode(people["g"]), "d": people["d"]}
    decoded = people.astype([("g", "U5"), ("d", "i8"), ("x", "f8", (3,))])
    assert fairstats.audit(decoded, "d", "g").estimates == fairstats.audit(text, "d", "g").estimates


def test_a_structured_array_is_a_table_of_its_fields() -> None:
    people = pd.DataFrame({"g": ["a", "b"] * 20, "d": [0, 1, 1, 0, 1] * 8})
    fields = np.array(list(zip(people["g"], people["d"], strict=True)), dtype=[("g", "U1"), ("d", "i8")])
    for table in (fields, people.to_records(index=False)):
        assert fairstats.audit(table, "d", "g").estimates == fairstats.audit(people, "d", "g").estimates


def test_a_workbook_and_a_text_file_read_the_same_words_as_missing(tmp_path: Path) -> None:
    frame = pd.DataFrame(
        {
            "race": ["x", "n/a", "NA", "y"] * 9,
            "pay": [1.5, "n/a", 3.0, "NULL"] * 9,
            "free": ["None", "-", "a", "nan"] * 9,
        }
    )
    frame.to_csv(tmp_path / "t.csv", index=False)
    frame.to_excel(tmp_path / "t.xlsx", index=False)
    read = []
    for ending in ("csv", "xlsx"):
        with pytest.warns(fairstats.FairstatsWarning, match=r"18 values of the column race .*'n/a' \(9\), 'NA' \(9\)"):
            read.append(fairstats.read_table(tmp_path / f"t.{ending}", labels=["race"]).frame)
    for column in frame:
        first, second = (one[column].tolist() for one in read)
        assert [str(v) for v in first] == [str(v) for v in second] or pd.isna(first).tolist() == pd.isna(
            second
        ).tolist()
    assert read[1]["pay"].dtype.kind == "f" and read[1]["race"].isna().sum() == 18
