"""A wide table of counts in place of people: every function takes it, and nothing calls its rows people."""

from __future__ import annotations

import html
import json
import math
import re
import warnings
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import scipy.stats

import fairstats as fs
from fairstats.cli import run
from fairstats.errors import InputError

TABLE = pd.DataFrame(
    {
        "race": ["White", "Black", "Hispanic", "Asian"],
        "applicants": [520, 180, 140, 60],
        "hires": [156, 36, 30, 21],
    }
)
NAMED = {"groups": "race", "selected": "hires", "total": "applicants"}


def people(table: pd.DataFrame = TABLE) -> pd.DataFrame:
    """One row a person."""
    rows = np.repeat(np.arange(len(table)), table["applicants"])
    hired = np.concatenate([np.arange(n) < k for n, k in zip(table["applicants"], table["hires"], strict=True)])
    return table.drop(columns=["applicants", "hires"]).iloc[rows].assign(hires=hired.astype(int))


def test_counts_give_the_numbers_of_the_people() -> None:
    counted = fs.from_counts(TABLE, **NAMED)
    for function, options in ((fs.audit, {"reference": "White"}), (fs.subgroup_scan, {})):
        rows = function(counted, **options).tidy()
        pd.testing.assert_frame_equal(rows, function(people(), "hires", "race", **options).tidy(), rtol=1e-12)


def test_counts_and_weights_give_one_largest_gap_whatever_the_order_of_the_groups() -> None:
    selected = TABLE.assign(hires=1, n=TABLE["hires"])
    long = pd.concat([selected, TABLE.assign(hires=0, n=TABLE["applicants"] - TABLE["hires"])])
    counted, weighted = fs.audit(fs.from_counts(TABLE, **NAMED)), fs.audit(long, "hires", "race", weights="n")
    (one,), (other,) = (a.estimates.where(role="omnibus", contrast="difference") for a in (counted, weighted))
    assert (one.estimate, one.conf_low, one.conf_high) == (other.estimate, other.conf_low, other.conf_high)


def test_rows_of_counts_and_people_are_distinguished() -> None:
    counted = fs.from_counts(TABLE, **NAMED)
    result = fs.audit(counted)
    assert (result.people, result.data.rows) == (900, 4)
    assert "900 people in 4 rows" in str(result) and "900  people read" in result.summary()
    page = fs.report(result).html
    assert "Audit of 900 people" in page and "stands for as many people as it counts" in page
    assert "is one person" not in page
    both = counted + fs.from_counts(TABLE, **NAMED)
    assert both.lines == 8 and both.rows.sum() == 1800 and counted.withhold(30).lines == 4
    assert (counted + fs.tally(people(), "hires", "race")).lines == 904


def test_berkeley_says_4526_people_in_24_rows(tmp_path: Path) -> None:
    """R's UCBAdmissions, long: a line a department, sex and answer."""
    cells = [
        512,
        313,
        89,
        19,
        353,
        207,
        17,
        8,
        120,
        205,
        202,
        391,
        138,
        279,
        131,
        244,
        53,
        138,
        94,
        299,
        22,
        351,
        24,
        317,
    ]
    rows = [(d, s, a) for d in "ABCDEF" for s in ("Male", "Female") for a in ("Admitted", "Rejected")]
    long = pd.DataFrame(rows, columns=["Dept", "Gender", "Admit"]).assign(n=cells)
    options = {"favorable": "Admitted", "weights": "n", "strata": "Dept"}
    result = fs.audit(long, "Admit", "Gender", **options)
    assert str(result).splitlines()[0] == "Audit of data in memory: 4,526 people in 24 rows"
    wide = long.pivot(index=["Dept", "Gender"], columns="Admit", values="n").reset_index()
    wide = wide.assign(all=wide["Admitted"] + wide["Rejected"])
    counted = fs.from_counts(wide, "Gender", "Admitted", "all", strata="Dept")
    other = fs.audit(counted)
    assert str(other).splitlines()[0] == "Audit of counts in memory: 4,526 people in 12 rows"
    metric = "risk difference within strata"
    one, two = (r.estimates.where(metric=metric, contrast="difference")[0] for r in (result, other))
    assert one.estimate == pytest.approx(two.estimate) and one.p_value == pytest.approx(two.p_value)
    counted.save(tmp_path / "c.npz")
    assert fs.load(tmp_path / "c.npz").lines == 12


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"selected": "applicants", "total": "hires"}, "nobody is selected who is not among all"),
        ({"selected": "race"}, "no labels"),
        ({"total": "hire"}, "did you mean 'hires'"),
        ({"groups": None}, "groups is absent"),
        ({"table": TABLE.assign(hires=[1, 2.5, 3, 4])}, "2.5 in row 2"),
        ({"table": TABLE.assign(hires=[1, np.nan, 3, 4])}, "nan in row 2.*where the count is withheld, leave its line"),
        ({"table": TABLE.assign(hires=["1,001", "*", "3", "4"])}, r"'\*' in row 2 of 'hires'; .* leave its line out"),
        (
            {"table": TABLE.assign(hires=["7", "3", "", "4"])},
            "a blank in row 3 of 'hires'; .* the lowest and then the hi",
        ),
        ({"table": TABLE.assign(hires=[8.0, "<5", 3, 4])}, "'<5' in row 2 of 'hires'; .* leave its line out"),
        ({"table": TABLE.assign(hires=["low", "4", "4", "4"])}, "'low' in row 1 of 'hires'; .*; correct it"),
        ({"table": TABLE.assign(hires=["low", "high", "low", "low"])}, "'hires', a column of text .high, low.; name"),
        ({"table": TABLE.assign(hires=["1,001", "1 095", "3", "4"])}, "'1 095' in row 2 of 'hires'; .*; correct it"),
        ({"table": TABLE.assign(hires=-1)}, "whole number"),
        ({"table": TABLE.assign(applicants=["1,52", "180", "140", "60"])}, r"'1,52' in row 1.*such as 1520 or 1,520"),
        ({"table": TABLE.assign(applicants=["0,123", "180", "140", "60"])}, "0,123.* in row 1"),
        ({"table": TABLE.assign(applicants=["0520", "180", "140", "x"])}, r"'x' in row 4.*such as 1520 or 1,520"),
        ({"table": TABLE.assign(race=["Total ", "Black", "Hispanic", "Asian"])}, "in row 1 of 'race', with 520 people"),
        ({"table": TABLE.assign(hires=0, applicants=0)}, "all its values are 0"),
    ],
)
def test_bad_counts_are_refused(change: dict[str, object], words: str) -> None:
    with pytest.raises(fs.InputError, match=words):
        fs.from_counts(**{"table": TABLE, **NAMED, **change})


def test_a_line_of_totals_is_refused_within_the_other_columns_and_a_group_of_that_name_is_not() -> None:
    table = TABLE.assign(sex="f")
    men = pd.DataFrame({"race": "All", "applicants": [100], "hires": [50], "sex": "m"})
    assert fs.from_counts(pd.concat([table, men]), ["race", "sex"], "hires", "applicants").rows.sum() == 1000
    both = pd.concat([table, men.assign(sex="f", applicants=900)], ignore_index=True)
    with pytest.raises(fs.InputError, match="'All' in row 5 of 'race', with 900 people where the other rows have 900"):
        fs.from_counts(both, ["race", "sex"], "hires", "applicants")
    few = TABLE.assign(race=["White", "Black", "Hispanic", "All"])
    assert "All" in fs.audit(fs.from_counts(few, **NAMED)).by_group().index


def test_command_line_reads_counts_of_every_kind(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for suffix, write in (
        (".csv", lambda p: TABLE.to_csv(p, index=False)),
        (".xlsx", lambda p: TABLE.to_excel(p, index=False)),
        (".json", lambda p: TABLE.to_json(p, orient="records")),
    ):
        path = tmp_path / f"counts{suffix}"
        write(path)
        options = ["--groups", "race", "--selected", "hires", "--total", "applicants"]
        assert run(["audit", str(path), *options, "--brief"]) == 0
        assert "900 people in 4 rows" in capsys.readouterr().out
        assert run(["audit", str(path), *options[:4]]) == 2
        assert "give both" in capsys.readouterr().err
        assert run(["audit", str(path), *options, "--decision", "hires"]) == 2
        assert "leave it out" in capsys.readouterr().err
        assert run(["tally", str(path), *options, "--to", str(tmp_path / f"t{suffix}.npz")]) == 0


def test_tables_in_workbooks_and_json_are_read(tmp_path: Path) -> None:
    book, text = tmp_path / "t.xlsx", tmp_path / "t.json"
    TABLE.to_excel(book, index=False)
    pd.testing.assert_frame_equal(fs.read_table(book).frame, TABLE, check_dtype=False)
    for orient in ("records", "list"):
        text.write_text(json.dumps(TABLE.to_dict(orient=orient)))
        pd.testing.assert_frame_equal(fs.read_table(text).frame, TABLE, check_dtype=False)
    with pd.ExcelWriter(book) as writer:
        TABLE.to_excel(writer, sheet_name="a", index=False)
        TABLE.to_excel(writer, sheet_name="b", index=False)
    with pytest.raises(fs.InputError, match=r"several sheets with cells \(a, b\)"):
        fs.read_table(book)
    for content in ('{"a": [1], "b": [1, 2]}', '[{"a": [1]}]', "3"):
        text.write_text(content)
        with pytest.raises(fs.InputError, match="is no table"):
            fs.read_table(text)


def test_a_connection_is_no_table() -> None:
    duckdb = pytest.importorskip("duckdb")
    with pytest.raises(fs.InputError, match=r"connection\.sql\('FROM people'\)"):
        fs.audit(duckdb.connect(), "hired", "sex")


@pytest.mark.long
def test_a_report_of_counts_is_verified_by_its_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The report says by which columns the counts were read; the command is not told again."""
    table = pd.concat([TABLE.assign(job=job) for job in ("a", "b")])
    table.loc[table["job"] == "b", "hires"] += 5
    right, false, page = (str(tmp_path / name) for name in ("right.csv", "false.csv", "audit.html"))
    table.to_csv(right, index=False)
    table.assign(hires=table["hires"] + (table["race"] == "Black")).to_csv(false, index=False)
    options = ["--groups", "race", "--selected", "hires", "--total", "applicants", "--strata", "job", "--to", page]
    assert run(["audit", right, *options]) == 0
    assert run(["verify", page, right]) == 0 and "the recorded one" in capsys.readouterr().out
    assert run(["verify", page, false]) == 1 and "race Black" in capsys.readouterr().out
    renamed = tmp_path / "renamed.csv"
    table.rename(columns={"hires": "taken"}).to_csv(renamed, index=False)
    assert run(["verify", page, str(renamed)]) == 1
    assert "the audit cannot be recomputed: " in (out := capsys.readouterr().out) and "1 of 1" not in out
    # in memory, as table and as tally; a tally of more groups than are audited is read whole
    both = {**NAMED, "groups": ["race", "job"]}
    fs.report(fs.audit(fs.from_counts(table, **both), groups="race"), to=page, overwrite=True)
    assert fs.verify_report(page, table).ok and fs.verify_report(page, fs.from_counts(table, **both)).ok
    assert fs.verify_report(page, pd.read_csv(false)).status == "disagreement"
    with pytest.raises(fs.InputError, match="applicants"):
        fs.verify_report(page, people(table))


@pytest.mark.parametrize("counts", [3, {}, {"total": 3}, {"of": "x"}, {"groups": 3, "selected": [], "total": {}}])
def test_a_report_whose_reading_of_counts_was_changed_is_refused(tmp_path: Path, counts: object) -> None:
    file = tmp_path / "audit.json"
    fs.report(fs.audit(fs.from_counts(TABLE, **NAMED)), to=str(file))
    written = json.loads(file.read_text())
    assert written["audit"]["data"]["counts"] == {**NAMED, "groups": ["race"], "strata": [], "not_selected": ""}
    assert "counts" not in fs.audit(people(), "hires", "race").to_dict()["data"]
    written["audit"]["data"]["counts"] = counts
    file.write_text(json.dumps(written))
    with pytest.raises(fs.InputError):
        fs.verify_report(file, TABLE)


def test_a_line_of_totals_in_every_column_is_refused_too():
    rows = [("f", "b", 10, 3), ("f", "w", 20, 9), ("m", "b", 12, 5), ("m", "w", 22, 12), ("Total", "Total", 64, 29)]
    table = pd.DataFrame(rows, columns=["sex", "race", "n", "hired"])
    with pytest.raises(fs.InputError, match="counted twice"):
        fs.from_counts(table, ["sex", "race"], selected="hired", total="n")
    with pytest.raises(fs.InputError, match="counted twice"):
        fs.from_counts(table.replace({"sex": {"Total": "Both sexes"}}), ["sex", "race"], selected="hired", total="n")
    assert fs.from_counts(table.head(4), ["sex", "race"], selected="hired", total="n").rows.sum() > 0


BY_BOTH = [("f", "b", 10, 3), ("f", "w", 20, 9), ("m", "b", 12, 5), ("m", "w", 22, 12)]


def by_both(*extra: tuple[str | None, str | None, int, int]) -> fs.Tally:
    table = pd.DataFrame([*BY_BOTH, *extra], columns=["sex", "race", "n", "hired"])
    return fs.from_counts(table, ["sex", "race"], selected="hired", total="n")


@pytest.mark.parametrize(
    "extra",
    [
        [("f", None, 30, 12), ("m", None, 34, 17)],
        [(None, None, 64, 29)],
        [("f", " ", 30, 12)],
        [("", "Total", 64, 29)],
    ],
)
def test_a_blank_beside_the_sum_of_the_other_lines_is_refused(extra: list[tuple[str | None, str | None, int, int]]):
    with pytest.raises(fs.InputError, match=r"a blank in row 5.*counted twice"):
        by_both(*extra)


def test_a_blank_of_other_people_is_no_total() -> None:
    with pytest.warns(fs.FairstatsWarning, match="'race' has blanks: 37 people whose group is not known"):
        assert by_both(("f", None, 30, 11), ("m", None, 7, 2)).rows.sum() == 101
    alone = {"race": ["White", None, "Black"], "sex": list("ffm"), "n": [10, 10, 9], "hired": [3, 3, 4]}
    with pytest.warns(fs.FairstatsWarning, match="'race' has blanks: 10 people"):
        assert fs.from_counts(alone, ["race", "sex"], "hired", "n").rows.sum() == 29
    both = {"race": ["White", "Unknown", None, "Black"], "n": [10, 10, 9, 8], "hired": [3, 3, 4, 5]}
    with pytest.warns(fs.FairstatsWarning, match="'race' has blanks, 'Unknown': 19 people"):
        fs.from_counts(both, "race", "hired", "n")


def test_a_line_of_the_sum_of_the_others_is_refused_whatever_its_name() -> None:
    with pytest.raises(fs.InputError, match="'All women' in 'race', with 30 people, 12 of them selected, as many as"):
        by_both(("f", "All women", 30, 12))
    with pytest.raises(fs.InputError, match="strata has 'All departments' in 'job', with 64 people, 29 of them"):
        rows = [*BY_BOTH, ("f", "All departments", 30, 12), ("m", "All departments", 34, 17)]
        table = pd.DataFrame(rows, columns=["sex", "job", "n", "hired"])
        fs.from_counts(table, "sex", selected="hired", total="n", strata="job")
    assert by_both(("f", "Other", 30, 12), ("m", "Other", 34, 16)).rows.sum() == 128  # within the women only
    for last in (False, True):
        lines = [("a", 120, 30), ("b", 80, 20), ("c", 100, 10)]
        lines.insert(3 * last, ("ACME", 300, 60))
        with pytest.raises(fs.InputError, match="'ACME' in 'g', with 300 people, 60 of them selected, as many as"):
            fs.from_counts(pd.DataFrame(lines, columns=["g", "n", "k"]), "g", "k", "n")


@pytest.mark.parametrize("label", ["A", "Other", "White"])
def test_a_group_that_may_be_as_many_as_the_others_by_chance_is_taken_with_a_warning(label: str) -> None:
    counts = {"g": [label, "B", "C"], "n": [200, 120, 80], "k": [50, 30, 20]}
    with pytest.warns(fs.FairstatsWarning, match=f"'{label}' in 'g' has 200 people, 50 of them .* leave its row out"):
        assert fs.from_counts(counts, "g", "k", "n").rows.sum() == 400
    with pytest.raises(fs.InputError, match="'Company total' in row 1 of 'g'"):
        fs.from_counts(counts | {"g": ["Company total", "B", "C"]}, "g", "k", "n")


@pytest.mark.parametrize("blank", [None, "", " ", "All", "Both", "-", "\N{EN DASH}", "N/A", "*", ".."])
@pytest.mark.parametrize("total", [False, True])
def test_margins_of_one_table_are_refused(blank: str | None, total: bool) -> None:
    rows = [("f", blank, 620, 149), ("m", blank, 580, 174), (blank, "b", 340, 75), (blank, "w", 860, 248)]
    table = pd.DataFrame([*rows, *[(blank, blank, 1200, 323)] * total], columns=["sex", "race", "n", "hired"])
    with pytest.raises(fs.InputError, match="margins of one table, whose people would be counted 2 times"):
        fs.from_counts(table, ["sex", "race"], selected="hired", total="n")


PUBLISHED = [
    ("Female", "", 2646, 1224),
    ("Male", "", 2732, 1518),
    ("", "Hispanic", 882, 412),
    ("", "White", 2677, 1398),
    ("", "Black", 752, 329),
    ("", "Asian", 895, 540),
]


@pytest.mark.parametrize("blank", [None, "", "-", "All", "All races", "Any race", "Unknown"])
@pytest.mark.parametrize("groups", ["sex", "race"])
@pytest.mark.parametrize(
    "extra", [[], [("Female", "Black", 300, 120), ("Male", "Black", 400, 190)], [("", "", 5378, 2742)]]
)
def test_lines_of_an_attribute_that_is_not_named_are_no_unknown_people(blank, groups, extra, tmp_path, capsys) -> None:
    table = pd.DataFrame([*PUBLISHED, *extra], columns=["sex", "race", "n", "hired"]).replace("", blank)
    times, of_both = (3, r" or of both \(rows 7, 8\)") if len(extra) == 2 else (2, "")
    other = {"sex": r"'race' \(rows 3, 4, 5, 6\)", "race": r"'sex' \(rows 1, 2\)"}[groups]
    with pytest.raises(fs.InputError, match=rf"counted {times} times; make a table .* or of {other}{of_both}; if"):
        fs.from_counts(table.assign(year="2023"), groups, selected="hired", total="n")
    with pytest.raises(fs.InputError, match="margins of one table"):
        fs.stages(table, ["hired"], groups, total="n")
    long = pd.concat([table.assign(k=1, w=table["hired"]), table.assign(k=0, w=table["n"] - table["hired"])])
    with pytest.raises(fs.InputError, match="margins of one table"):
        fs.audit(long[["sex", "race", "k", "w"]], "k", groups, weights="w", weight_type="frequency")


@pytest.mark.parametrize(("total", "kind"), [(np.nan, float), ("2021-2022", str), ("2021-2022", object)])
def test_lines_of_all_years_are_refused_where_the_year_is_a_number_too(total: Any, kind: type) -> None:
    rows = [(year, g, n, k) for year in (2021, 2022) for g, n, k in (("f", 100, 20), ("m", 150, 45))]
    table = pd.DataFrame([*rows, (total, "f", 200, 40), (total, "m", 300, 90)], columns=["year", "g", "n", "k"])
    table["year"] = table["year"].astype(kind)  # as from a workbook
    with pytest.raises(fs.InputError, match=r"'year'.* counted twice"):
        fs.from_counts(table, "g", selected="k", total="n")
    assert fs.from_counts(table[:4], "g", selected="k", total="n").rows.sum() == 500


def test_a_column_of_no_labels_beside_the_counts_is_let_be() -> None:
    table = TABLE.assign(x=[b"a", b"b", b"x", None])
    assert fs.from_counts(table, **NAMED).rows.sum() == TABLE["applicants"].sum()


def test_a_column_that_names_the_attribute_of_each_line_is_warned_of() -> None:
    rows = [("sex", "F", 620, 149), ("sex", "M", 590, 174), ("race", "A", 550, 138), ("race", "W", 650, 185)]
    table = pd.DataFrame(rows, columns=["kind", "category", "n", "k"])
    with pytest.warns(
        fs.FairstatsWarning, match="other labels for each of race, sex in 'kind', of 1,200 to 1,210 people"
    ):
        fs.from_counts(table, "category", selected="k", total="n")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        fs.from_counts(
            table.assign(kind=["x", "y", "x", "y"]).replace({"category": {"A": "F", "W": "M"}}), "category", "k", "n"
        )
        fs.from_counts(table.assign(n=[620, 590, 200, 300]), "category", "k", "n")  # sites of two regions


@pytest.mark.parametrize(("selected", "total"), [("1", "0"), ("Yes", "No"), ("True", "False")])
def test_the_other_answer_is_no_number_of_all(selected: str, total: str) -> None:
    with pytest.raises(fs.InputError, match=f"total has '{total}', by its name the people who were not selected"):
        fs.from_counts({"sex": ["f", "m"], selected: [20, 30], total: [80, 90]}, "sex", selected, total)


@pytest.mark.filterwarnings("ignore:rows of the same")
@pytest.mark.parametrize(
    ("name", "labels"),
    [
        ("job", ["clerk", "clerk", "clerk", "driver", "driver", "driver"]),
        ("note", ["", "see 1", "not stated", "", "", "not stated"]),
        ("note", ["", "", "no answer", "", "", "unknown"]),
        ("race", ["a", "b", "a", "a", "b", "b"]),
    ],
)
def test_people_of_unknown_group_beside_another_column_are_no_margins(name: str, labels: list[str]) -> None:
    table = {
        "sex": ["f", "m", "", "f", "m", ""],
        name: labels,
        "n": [30, 40, 9, 50, 60, 11],
        "hired": [9, 8, 2, 7, 9, 3],
    }
    with pytest.warns(fs.FairstatsWarning, match="'sex' has blanks: 20 people whose group is not known"):
        assert fs.from_counts(table, "sex", "hired", "n").rows.sum() == 200


def test_margins_are_known_by_their_sums_too() -> None:
    rows = [("f", "?", 620, 149), ("m", "?", 580, 174), ("X", "b", 340, 75), ("X", "w", 860, 248)]
    table = pd.DataFrame(rows, columns=["sex", "race", "n", "hired"])
    with pytest.raises(fs.InputError, match="margins of one table"):
        fs.from_counts(table, ["sex", "race"], selected="hired", total="n")
    table.loc[0, "n"] = 621  # a table of four combinations of three sexes and three races
    assert fs.from_counts(table, ["sex", "race"], selected="hired", total="n").rows.sum() == 2401


def test_a_label_of_blanks_is_a_group_that_is_not_known() -> None:
    table = {"race": ["White", "", "Black"], "n": [20, 10, 9], "hired": [3, 3, 4]}
    with pytest.warns(fs.FairstatsWarning, match="'race' has blanks: 10 people"):
        assert fs.from_counts(table, "race", "hired", "n").factors["race"].levels == ("Black", "White")


@pytest.mark.parametrize("groups", [2, 4])
def test_counts_as_a_decision_are_refused_with_weights_too(groups: int) -> None:
    with pytest.raises(fs.InputError, match=r"decision has 'hires' .*from_counts.* selected='hires'"):
        fs.audit(TABLE.head(groups), "hires", "race", weights="applicants")
    classes = {"race": ["a", "a", "b", "b", "b"], "class": [0, 2, 0, 1, 2], "n": [50, 60, 40, 30, 20]}
    assert fs.audit(classes, "class", "race", weights="n").protocol.classes == ("0", "1", "2")


@pytest.mark.parametrize("blank", [None, "", "All"])
def test_lines_of_another_column_are_no_group_of_this_one(blank: str | None) -> None:
    rows = [(blank, 620, 149), (blank, 580, 174), ("b", 340, 75), ("w", 860, 248)]
    table = pd.DataFrame(rows, columns=["race", "n", "hired"])
    with pytest.raises(fs.InputError, match="in row 1 of 'race', with 1200 people where the other rows have 1200"):
        fs.from_counts(table, "race", selected="hired", total="n")


def noted(people: fs.Tally, words: str, folder: Path | None = None) -> None:
    """A warning about the lines is a caution: of the audit, its print, page one, its JSON, and of a tally of parts."""
    result = fs.audit(people)
    assert any(words in note for note in result.notes)
    assert words in " ".join(str(result).split()), str(result)
    assert words in " ".join(fs.audit(people + people).notes)
    assert words in json.dumps(result.to_dict(), ensure_ascii=False)
    if folder is not None:
        people.save(folder / "t.npz")
        assert fs.load(folder / "t.npz").notes == people.notes
        fs.report(result, to=folder / "r.html")
        page = html.unescape(re.sub(r"<[^>]+>", " ", (folder / "r.html").read_text("utf-8")))
        assert words in " ".join(page.partition("Before you rely on it")[2].partition("Not named")[0].split())


@pytest.mark.parametrize("more", [[], [("young", 500, 100), ("old", 700, 223)]])
def test_blocks_of_the_same_people_in_one_column_are_refused(more: list[tuple[str, int, int]]) -> None:
    """Beside a column of other labels, and where all lines have as many people, they are a caution of the audit."""
    rows = [
        ("Female", 620, 149),
        ("Male", 580, 174),
        ("Black", 340, 75),
        ("White", 650, 185),
        ("Asian", 210, 63),
        *more,
    ]
    table = pd.DataFrame(rows, columns=["category", "n", "hired"])
    words = f"are {2 + bool(more)} blocks of 1,200 people, 323 of them selected, which begin with Female, Black"
    with pytest.raises(fs.InputError, match=f"{words}.* a table of the rows of one block alone, 1 to 2 or 3 to 5"):
        fs.from_counts(table, "category", selected="hired", total="n")
    beside = {"note": list("vwxyzab"[: len(table)])}
    with pytest.warns(fs.FairstatsWarning, match=words):
        noted(fs.from_counts(table.assign(**beside), "category", selected="hired", total="n"), words)
    even = {"g": list("abcd"), "n": [200] * 4, "k": [20, 30, 15, 35]}
    with pytest.warns(fs.FairstatsWarning, match="2 blocks of 400 people, 50 of them selected"):
        fs.from_counts(even, "g", "k", "n")
    apart = table.assign(n=table.n + 1)  # no blocks of as many people
    with pytest.warns(fs.FairstatsWarning, match=r"labels of a sex \('Female'\) and of a race \('Asian'\)"):
        fs.from_counts(apart, "category", selected="hired", total="n")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        fs.from_counts(table[2:5], "category", selected="hired", total="n")


@pytest.mark.parametrize(
    "name",
    ["rejected", "n_failed", "Not hired", "not_selected", "applications denied", "abgelehnt", "not advanced",
     "did not advance", "didnt_advance", "not moved forward", "no hire", "no offer", "non-hires", "without offer",
     "others", "other applicants", "remaining", "the rest", "n_not_matched", "übrige", "kein Angebot", "Absagen"],
)  # fmt: skip
def test_a_total_that_is_named_as_those_who_were_not_selected_is_refused(name: str, tmp_path: Path, capsys) -> None:
    table = TABLE.assign(**{name: TABLE["applicants"] - TABLE["hires"]})
    table["hires"] = table[[name, "hires"]].min(axis=1)
    with pytest.raises(fs.InputError, match=f"total has '{name}', by its name the people who were not selected"):
        fs.from_counts(table, **(NAMED | {"total": name}))
    table.to_csv(tmp_path / "t.csv", index=False)
    assert run(["audit", str(tmp_path / "t.csv"), "--groups", "race", "--selected", "hires", "--total", name]) == 2
    assert f"--total has '{name}'" in capsys.readouterr().err


@pytest.mark.parametrize(
    "name",
    ["not_hired", "n_not_hired", "rejections", "denied", "declined_to_date", "not_interviewed", "n not shortlisted",
     "not_called_back", "did_not_pass", "nicht_befördert", "failures", "n_failures"],
)  # fmt: skip
def test_those_who_were_not_selected_are_refused_in_the_place_of_the_selected(name: str, tmp_path, capsys) -> None:
    table = TABLE.assign(**{name: TABLE["applicants"] - TABLE["hires"]})
    text = f"has '{name}', by its name the people who were not selected; .* a column of 'applicants' less '{name}'"
    with pytest.raises(fs.InputError, match=f"selected {text}"):
        fs.from_counts(table, **(NAMED | {"selected": name}))
    fs.from_counts(table.rename(columns={name: "counted"}), **(NAMED | {"selected": "counted"}))  # as the text says
    table.to_csv(tmp_path / "t.csv", index=False)
    call = ["audit", str(tmp_path / "t.csv"), "--groups", "race", "--total", "applicants"]
    assert run([*call, "--selected", name]) == 2
    assert f"--selected has '{name}'" in capsys.readouterr().err


def test_those_who_were_not_selected_are_named_in_the_place_of_all(tmp_path: Path, capsys) -> None:
    table = TABLE.assign(rejected=TABLE["applicants"] - TABLE["hires"]).drop(columns="applicants")
    result = fs.audit(fs.from_counts(table, "race", "hires", not_selected="rejected"))
    all_of = fs.audit(fs.from_counts(TABLE, **NAMED))
    assert result.tidy().equals(all_of.tidy()) and "not_selected='rejected'" in result.provenance.call
    path, report = str(tmp_path / "t.csv"), str(tmp_path / "r.json")
    table.to_csv(path, index=False)
    columns = ["--groups", "race", "--selected", "hires"]
    assert run(["audit", path, *columns, "--not-selected", "rejected", "--to", report]) == 0
    assert run(["verify", report, path]) == 0
    for wrong, words in (
        ([], "give both of a pair"),
        (["--total", "hires", "--not-selected", "rejected"], "give both of a pair"),
        (["--not-selected", "hires"], "name two columns of counts"),
        (["--not-selected", "Rejected"], "--not-selected Rejected is not a column of data"),
    ):
        capsys.readouterr()
        assert run(["audit", path, *columns, *wrong]) == 2 and words in capsys.readouterr().err
    for given, words in (
        ({}, "not_selected is not given, and no total"),
        ({"total": "applicants", "not_selected": "hires"}, "not_selected is given beside total='applicants'"),
        ({"not_selected": "applicants"}, "by its name everybody; pass total='applicants'"),
        ({"rejected": "applicants"}, "rejected is called not_selected here"),
    ):
        with pytest.raises(fs.InputError, match=words):
            fs.from_counts(TABLE, "race", "hires", **given)


def test_a_total_beside_the_sum_of_both_counts_is_of_those_who_were_not_selected() -> None:
    """Whatever its name, also where more people are out than in; with no such column nothing is known of it."""
    table = TABLE.assign(out=TABLE["applicants"] - TABLE["hires"])
    assert (table["out"] >= table["hires"]).all()
    with pytest.raises(fs.InputError, match="total has 'out', and 'applicants' is 'hires' plus 'out' on every line"):
        fs.from_counts(table, **(NAMED | {"total": "out"}))
    fs.from_counts(table.drop(columns="applicants"), **(NAMED | {"total": "out"}))
    assert fs.from_counts(table, **NAMED).digest() == fs.from_counts(TABLE, **NAMED).digest()


@pytest.mark.parametrize("lines", [("applicants", "hires"), ("hired", "rejected"), ("first", "second")])
def test_a_table_whose_columns_are_the_groups_is_to_be_transposed(lines: tuple[str, str], tmp_path: Path) -> None:
    table = pd.DataFrame({"": lines, "White": [520, 156], "Black": [180, 36], "Asian": [60, 21]})
    with pytest.raises(fs.InputError, match="where these are the groups, transpose the table: a line a group"):
        fs.from_counts(table.rename(columns={"": "of"}), "of", "Black", "White")
    named = table.rename(columns={"": "of", "White": "north", "Black": "south"})
    if lines[0] != "first":  # the lines say it alone
        with pytest.raises(fs.InputError, match="transpose the table"):
            fs.from_counts(named, "of", "south", "north")
    else:
        fs.from_counts(named, "of", "south", "north")


@pytest.mark.parametrize(("k", "n"), [(42, 310), (65, 310), (20, 400)])
def test_people_short_of_four_fifths_are_as_many_as_reach_them(k: int, n: int) -> None:
    people = fs.from_counts({"g": ["a", "b"], "n": [n, 400], "k": [k, 105]}, "g", "k", "n")
    (line,) = fs.table(fs.audit(people, **LAW), "impact").to_frame().to_dict("records")
    more = int(line["short of 80% (people)"])
    assert (k + more) / n >= 0.8 * 105 / 400 > (k + more - 1) / n


@pytest.mark.parametrize(("k", "n", "best", "everybody"), [(27, 45, 30, 40), (36, 60, 30, 40), (28, 35, 40, 40)])
def test_nobody_is_short_of_exactly_four_fifths(k: int, n: int, best: int, everybody: int) -> None:
    assert Fraction(k, n) == Fraction(4, 5) * Fraction(best, everybody)
    people = fs.from_counts({"g": ["a", "b"], "n": [n, everybody], "k": [k, best]}, "g", "k", "n")
    (line,) = fs.table(fs.audit(people, **LAW), "impact").to_frame().to_dict("records")
    assert line["short of 80% (people)"] == "none"


@pytest.mark.parametrize("stages", [False, True])
def test_marks_of_thousands_in_counts_are_read(stages: bool, tmp_path: Path) -> None:
    file = tmp_path / "counts.csv"
    file.write_text('race,applicants,hires\nWhite,"1,480","1,001"\nBlack,"1,020,300",850\nAsian,75,12\n')
    if stages:
        rows = fs.stages(str(file), ["hires"], "race", total="applicants").estimates.where(contrast="none")
        assert {(row.group, row.n, row.events) for row in rows} >= {("White", 1480, 1001), ("Black", 1020300, 850)}
        return
    rates = fs.audit(fs.from_counts(str(file), **NAMED)).by_group()["selection rate"].to_dict()
    assert rates == {"White": 1001 / 1480, "Black": 850 / 1020300, "Asian": 12 / 75}


def test_marks_of_thousands_in_frequencies_are_read_as_in_counts() -> None:
    rows = pd.DataFrame({"race": list("wwbb"), "hired": [1, 0, 1, 0], "n": ["1,001", "479", "850", "1,019,450"]})
    plain = rows.assign(n=[1001, 479, 850, 1019450])
    read, numbers = (fs.audit(table, "hired", "race", weights="n") for table in (rows, plain))
    assert read.estimates == numbers.estimates and read.people == 1001 + 479 + 850 + 1019450
    with pytest.raises(InputError, match="holds text"):  # a weight of a survey may have a decimal comma
        fs.audit(rows, "hired", "race", weights="n", weight_type="probability")


def test_counts_as_text_are_read() -> None:
    """As of a table that was read with dtype=str, with marks of thousands or without."""
    numbers = fs.from_counts(TABLE, **NAMED).digest()
    texts = TABLE.astype(str)
    assert fs.from_counts(texts, **NAMED).digest() == numbers
    assert fs.from_counts(texts.assign(hires=[f"{k:.1f}" for k in TABLE["hires"]]), **NAMED).digest() == numbers


@pytest.mark.filterwarnings("ignore:rows of the same")
@pytest.mark.parametrize("label", ["Total", "All", "Every job"])
@pytest.mark.parametrize("stages", [False, True])
def test_lines_of_totals_in_a_column_that_is_not_named_are_refused(label: str, stages: bool) -> None:
    jobs = pd.concat([TABLE.assign(job="clerk"), TABLE.assign(job="driver", hires=TABLE["hires"] // 2)])
    sums = jobs.groupby("race", as_index=False)[["applicants", "hires"]].sum().assign(job=label)
    assert fs.from_counts(jobs, **NAMED).rows.sum() == 2 * TABLE["applicants"].sum()
    for table in (pd.concat([jobs, sums]), pd.concat([sums, jobs]).astype({"job": "category"})):
        with pytest.raises(fs.InputError, match=f"(table|data) has '{label}' .*these would be counted twice; leave"):
            if stages:
                fs.stages(table, ["hires"], "race", total="applicants")
            else:
                fs.from_counts(table, **NAMED)


def test_that_rows_of_several_jobs_are_added_up_is_said_where_no_strata_are_named() -> None:
    jobs = pd.concat([TABLE.assign(job="clerk"), TABLE.assign(job="driver", hires=TABLE["hires"] // 2)])
    with pytest.warns(fs.FairstatsWarning, match="Rows of the same race are added up over job; .* pass strata='job'"):
        fs.from_counts(jobs, **NAMED)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        fs.from_counts(jobs, **NAMED, strata="job")
        fs.from_counts(TABLE.assign(job="clerk"), **NAMED)
        fs.from_counts(TABLE.assign(job=["a", "b", "c", "d"]), **NAMED)  # a job each: nothing is added


def test_the_name_of_a_file_of_counts_stays(tmp_path: Path) -> None:
    (tmp_path / "new").mkdir()
    file, other = tmp_path / "march.csv", tmp_path / "new" / "april.csv"
    for path in (file, other):
        TABLE.to_csv(path, index=False)
    counted = fs.from_counts(file, **NAMED)
    counted.save(tmp_path / "c.npz")
    for tally in (counted, fs.load(tmp_path / "c.npz"), counted + counted):
        assert fs.audit(tally).data.name == "march.csv"
    report = fs.report(fs.audit(counted), *fs.local_law_144(fs.audit(counted)), preset="ll144").html
    assert "march.csv" in report and "counts in memory" not in report
    for tally in (counted + fs.from_counts(other, **NAMED), fs.from_counts(TABLE, **NAMED)):
        assert fs.audit(tally).data.name == "counts in memory"


@pytest.mark.parametrize("name", ["hire rate", "pct_hired", "% hired", "selection_rate_pct"])
def test_per_cents_in_the_place_of_counts_are_refused_by_their_name(name: str) -> None:
    with pytest.raises(fs.InputError, match="by its name per cents or rates; verdicts and limits need numbers"):
        fs.from_counts(TABLE.rename(columns={"hires": name}), **(NAMED | {"selected": name}))


def test_a_line_of_unknown_people_is_in_no_claim_and_no_ratio_and_is_counted() -> None:
    counts = {"race": ["White", "Black", "Asian", "Unknown"], "n": [640, 210, 150, 85], "hired": [180, 38, 47, 40]}
    with pytest.warns(fs.FairstatsWarning, match="'race' has 'Unknown': 85 people whose group is not known") as caught:
        people = fs.from_counts(counts, "race", selected="hired", total="n")
    assert caught[0].filename == __file__  # the call, and no line of the package
    result = fs.audit(people, law="employment")
    text = " ".join(result.summary().split())
    assert {step.label: step.n for step in result.flow}["race missing"] == 85
    assert "Impact ratio to Asian, the highest rate: White 0.90" in text  # not to the 40 of 85 who are not known
    assert "Below 0.8: Black." in text and "Unknown" not in text and "Of 2 groups compared" in text
    with pytest.warns(fs.FairstatsWarning, match="'race' has blanks: 85 people"):
        blank = fs.from_counts(counts | {"race": ["White", "Black", "Asian", None]}, "race", "hired", "n")
    assert fs.audit(blank, law="employment").estimates == result.estimates  # as a blank is read


@pytest.mark.parametrize(
    ("selected", "total"),
    [
        ("hires", "applicants"),
        ("hires", "notes_of_people"),
        ("hires", "failsafe"),
        ("not_rejected", "applicants"),
        ("hires", "approved_and_denied"),
        ("hires", "not_for_profit"),
        ("failed_to_appear", "applicants"),
        ("heart_failure", "applicants"),
        ("approved_and_denied", "applicants"),
        ("not_for_profit", "applicants"),
        ("hires", "not_withdrawn"),
        ("hires", "no_of_applicants"),
        ("no_promoted", "no_hired"),
        ("white_collar_hires", "white_collar_applicants"),
    ],
)
def test_other_names_of_totals_are_not_warned_of(selected: str, total: str) -> None:
    table = TABLE.rename(columns={"hires": selected, "applicants": total})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        fs.from_counts(table, "race", selected=selected, total=total)


def test_a_line_that_is_there_twice_and_counts_of_100_are_noted(tmp_path: Path) -> None:
    twice = pd.concat([TABLE, TABLE.tail(1)])
    with pytest.warns(fs.FairstatsWarning, match="Row 5 of the counts is the same as a row before it"):
        noted(fs.from_counts(twice, **NAMED), "Row 5 of the counts is the same as a row before it", tmp_path)
    with warnings.catch_warnings():  # of another month they are other people
        warnings.simplefilter("error")
        fs.from_counts(twice.assign(month=[1, 1, 1, 1, 2]), **NAMED)
    with pytest.warns(fs.FairstatsWarning, match="'applicants' is 100 in every row; where 'hires' is in per cents"):
        people = fs.from_counts(TABLE.assign(applicants=100, hires=[30, 20, 21, 35]), **NAMED)
    noted(people, "'applicants' is 100 in every row")


@pytest.mark.parametrize(
    "label",
    ["Total applicants", "All applicants", "All races", "All groups", "All employees", "Combined", "Subtotal",
     "Company", "Company total", "Overall", "total of all employees", "All Race/Ethnicities", "Total*", "Totale",
     "Column total", "Grand total (all)", "(all)", "2024 total", "Overall (all)", "Gesamtergebnis", "Total général"],
)  # fmt: skip
def test_a_total_by_name_is_refused_where_it_is_a_little_off(label: str) -> None:
    """Two more people than the lines have, and the same in a long table of counts."""
    n, k = TABLE["applicants"].sum() + 2, TABLE["hires"].sum()
    table = pd.concat([TABLE, pd.DataFrame({"race": [label], "applicants": [n], "hires": [k]})])
    with pytest.raises(fs.InputError, match=rf"'{re.escape(label)}' in row 5 of 'race', with {n} people"):
        fs.from_counts(table, **NAMED)
    cells = table.assign(no=table["applicants"] - table["hires"]).melt("race", ["hires", "no"], "hired", "n")
    with pytest.raises(fs.InputError, match=f"'{re.escape(label)}' in 'race', with"):
        fs.audit(cells, "hired", "race", favorable="hires", weights="n")


def test_a_word_for_a_sum_before_another_noun_is_no_total() -> None:
    table = pd.DataFrame({"part": ["Total hip replacement", "Partial"], "n": [600, 100], "k": [200, 50]})
    assert fs.from_counts(table, "part", "k", "n").rows.sum() == 700


SITES = [
    ("North", "White", 600, 372), ("North", "Black", 80, 62), ("North", "Asian", 120, 70),
    ("South", "White", 150, 15), ("South", "Black", 420, 55), ("South", "Asian", 200, 18),
]  # fmt: skip


def by_site(*extra: tuple[str | None, str | None, int, int]) -> pd.DataFrame:
    return pd.DataFrame([*SITES, *extra], columns=["site", "race", "n", "k"])


@pytest.mark.filterwarnings("ignore:rows of the same|Rows of the same")
@pytest.mark.parametrize("strata", [None, "site"])
@pytest.mark.parametrize(
    "extra",
    [
        [("North Total", None, 800, 504)],
        [("Norte, total", "All", 801, 500)],  # by its name, whatever the sum
        [("Ergebnis Nord", None, 801, 504), ("South", "Other", 40, 3)],
        [("N.", None, 800, 504)],  # by the sum of the rows of North
        [("x", None, 770, 504), ("y", None, 800, 88)],  # together
        [(None, None, 800, 504), (None, None, 770, 88)],
    ],
)
def test_subtotals_without_a_group_are_no_people_of_unknown_group(extra, strata: str | None) -> None:
    table = by_site(*extra)
    long = pd.concat([table.assign(hired=1, people=table.k), table.assign(hired=0, people=table.n - table.k)])
    with pytest.raises(fs.InputError, match=r"in rows? 7.* of 'race', .*counted twice"):
        fs.from_counts(table, "race", "k", "n", strata=strata)
    with pytest.raises(fs.InputError, match="counted twice"):
        fs.stages(table, ["k"], "race", total="n", strata=strata)
    if extra[0][0]:  # blank in both columns the rows of a long table cannot be told apart
        with pytest.raises(InputError, match="counted twice"):
            fs.audit(long, "hired", "race", weights="people", weight_type="frequency", strata=strata)


@pytest.mark.filterwarnings("ignore:'race' has blanks")
def test_people_of_unknown_group_are_no_subtotals() -> None:
    for extra in (("North", None, 30, 12), ("West", None, 801, 504), (None, None, 12, 3)):
        assert fs.from_counts(by_site(extra), "race", "k", "n", strata="site").rows.sum() == 1570 + extra[2]
    of_total = [("Total Wine", "White", 40, 9), ("Total Wine", None, 12, 3)]  # a site of that name, with groups
    assert fs.from_counts(by_site(*of_total), "race", "k", "n", strata="site").rows.sum() == 1622


@pytest.mark.parametrize("merged", ["site", "race"])
def test_labels_on_the_first_row_of_each_block_are_to_be_filled_down(merged: str) -> None:
    table = by_site().sort_values([merged, "n"], ascending=False)
    blank = table.assign(**{merged: table[merged].where(~table[merged].duplicated())})
    people = table["n"][table[merged].duplicated()].sum()
    for strata in ("site", None):
        if strata or merged == "race":
            with pytest.raises(fs.InputError, match=f"'{merged}', which is blank for {people:,} people, .* fill it"):
                fs.from_counts(blank, "race", "k", "n", strata=strata)
    with pytest.raises(fs.InputError, match="fill it down first"):
        fs.stages(blank, ["k"], "race", total="n", strata="site")
    assert fs.from_counts(table, "race", "k", "n", strata="site").rows.sum() == 1570


def test_the_call_that_repeats_an_audit_of_counts_reads_them_by_their_columns(tmp_path, monkeypatch):
    table = {"race": ["White", "Black"], "sex": ["f", "m"], "people": [480, 220], "hires": [96, 26]}
    pd.DataFrame(table).to_csv(tmp_path / "c.csv", index=False)
    call = fs.audit(fs.from_counts(table, "race", "hires", "people"), law="employment").provenance.call
    again = eval(call, {"fairstats": fs, "data": table})  # noqa: S307 - our text
    assert again.provenance.call == call and again.protocol.law == "employment"
    file, saved = str(tmp_path / "c.csv"), str(tmp_path / "c.json")
    assert run(["audit", file, "--groups", "race", "--selected", "hires", "--total", "people", "--to", saved]) == 0
    call = json.loads((tmp_path / "c.json").read_text())["audit"]["provenance"]["call"]
    assert call == (
        "fairstats.audit(fairstats.from_counts('c.csv', groups=['race'], selected='hires', total='people'), "
        "groups=['race'])"
    )
    monkeypatch.chdir(tmp_path)
    again = eval(call, {"fairstats": fs})  # noqa: S307 - our text
    assert again.by_group()["selection rate"].to_dict() == {"White": 0.2, "Black": 26 / 220}


def test_a_table_with_a_column_a_group_is_told_to_be_transposed(tmp_path, capsys):
    wide = pd.DataFrame({"White": [480, 96], "Black": [220, 26]}, index=["people", "hires"])
    with pytest.raises(fs.InputError, match=r"none is a column; the columns are White, Black; .* transpose the table"):
        fs.from_counts(wide, "race", "hires", "people")
    wide.to_csv(tmp_path / "w.csv")
    assert run(["audit", str(tmp_path / "w.csv"), "--groups", "race", "--selected", "hires", "--total", "people"]) == 2
    assert "--total people; none is a column" in capsys.readouterr().err
    with pytest.raises(fs.InputError, match=r"groups has 'kind', whose lines are 'hires', 'people', .* transpose"):
        fs.from_counts(wide.rename_axis("kind").reset_index(), "kind", "hires", "people")
    turned = wide.T.rename_axis("race").reset_index()
    result = fs.audit(fs.from_counts(turned, "race", "hires", "people"))
    assert result.by_group()["selection rate"].to_dict() == {"White": 0.2, "Black": 26 / 220}
    assert not any("helps the person" in note for note in result.notes)  # selected= says so
    people = pd.DataFrame({"race": ["White", "Black"] * 40, "hires": [1, 0, 0, 1] * 20})
    assert any("helps the person" in note for note in fs.audit(people, "hires", "race").notes)


@pytest.mark.parametrize(("favorable", "less"), [(1, True), (0, False)])
def test_counts_are_read_back_in_words_in_every_language_and_after_loading(tmp_path, favorable, less):
    table = {"group": ["White", "Black"], "applicants": [520, 180], "hires": [156, 36]}
    people = fs.from_counts(table, groups="group", selected="hires", total="applicants")
    made = fs.audit(people, groups="group", reference="White", favorable=favorable)
    made.save(tmp_path / "a.npz")
    for result in (made, fs.load(tmp_path / "a.npz")):
        assert ("Black people were selected less often" in result.finding()) == less
        assert less or "Black people were not selected more often" in result.finding()
        pages = {tongue: fs.report(result, language=tongue).html for tongue in ("en", "de")}
        assert "hires = 1" not in f"{result.summary()} {result} {''.join(pages.values())}"
        assert ("seltener ausgewählt" in pages["de"]) == less
    words = {"unit": "applicants", "favorable": "were hired", "unfavorable": "were turned down"}
    assert "were hired" in fs.audit(people, groups="group", favorable="1", labels=words).finding()


def test_a_group_of_nobody_is_warned_of() -> None:
    table = {"race": ["a", "b", "c", "c"], "n": [30, 40, 0, 0], "hires": [3, 5, 0, 0], "job": ["x", "x", "x", "y"]}
    with pytest.warns(fs.FairstatsWarning, match="'n' is 0 for c in 'race': a group of nobody has no rate"):
        people = fs.from_counts(table, "race", selected="hires", total="n", strata="job")
    assert [cell.group for cell in fs.audit(people).cells] == ["b", "a"]
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # nobody in one line only
        fs.from_counts(table | {"n": [30, 40, 0, 7]}, "race", selected="hires", total="n", strata="job")


@pytest.mark.parametrize("withheld", ["s", "(D)", "1-4", "1–4", "Suppressed", "fewer than 5", "under ten", "4 or less"])
def test_words_and_letters_for_a_withheld_count_have_the_advice_of_one(withheld: str) -> None:
    with pytest.raises(fs.InputError, match=r"in row 2 of 'hires'; .* withheld, leave its line out and say so"):
        fs.from_counts(TABLE.assign(hires=["8", withheld, "3", "4"]), **NAMED)
    with pytest.raises(fs.InputError, match=r"in row 2 of 'hires'; .* correct it"):
        fs.from_counts(TABLE.assign(hires=["8", "about 5", "3", "4"]), **NAMED)


@pytest.mark.parametrize("withheld", ["<5", "*", "..", ""])
def test_counts_as_a_decision_are_refused_where_one_of_them_is_withheld(withheld: str) -> None:
    table = TABLE.assign(hires=[*TABLE["hires"].astype(str)[:3], withheld])
    with pytest.raises(fs.InputError, match=r"decision has 'hires' .* fairstats.from_counts takes a table of counts"):
        fs.audit(table, "hires", "race")


@pytest.mark.parametrize("role", ["score", "amount", "outcome"])
def test_counts_beside_the_people_that_they_are_of_are_no_scores(role: str) -> None:
    """One whole number a group, or group and stratum, no larger than its weight; scores are in many rows."""
    jobs = pd.concat([TABLE.assign(job="a"), TABLE.assign(job="b", hires=9)])
    for table, strata in ((TABLE, None), (jobs, "job")):
        if role == "outcome" and strata:  # classes that repeat
            continue
        with pytest.raises(
            fs.InputError, match=rf"{role} has 'hires'.* takes a table of counts: pass selected='hires'"
        ):
            fs.audit(table, groups="race", strata=strata, weights="applicants", **{role: "hires"})
    rng = np.random.default_rng(1)
    scored = pd.DataFrame({"race": ["a", "b"] * 30, "hires": rng.integers(0, 9, 60), "n": rng.integers(9, 20, 60)})
    assert fs.audit(scored, groups="race", weights="n", **{role: "hires"}).cells


def test_whole_amounts_below_their_weights_are_audited_with_a_row_a_person_as_the_refusal_says() -> None:
    pay = pd.DataFrame({"sex": list("fm") * 3, "job": list("aabbcc"), "pay": [12, 30, 5, 7, 8, 9], "n": [40, 50] * 3})
    given = {"amount": "pay", "groups": "sex", "strata": "job"}
    with pytest.raises(fs.InputError, match=r"total='n'; if they are not, give each person a row, without weights\.$"):
        fs.audit(pay, **given, weights="n")
    assert fs.audit(pay.loc[pay.index.repeat(pay["n"])], **given).data.rows == 270


@pytest.mark.parametrize("name", ["events", "selected", "n"])
def test_who_passes_counts_to_an_audit_is_told_where_they_go(name: str) -> None:
    with pytest.raises(
        fs.InputError, match=rf"{name} is no argument of audit: .* fairstats.from_counts\(table, groups,"
    ):
        fs.audit(TABLE, groups="race", **{name: "hires"})


def test_a_lazy_table_of_counts_is_read_as_any_other() -> None:
    polars, duckdb = pytest.importorskip("polars"), pytest.importorskip("duckdb")
    connection, counted = duckdb.connect(), fs.from_counts(TABLE, **NAMED)
    connection.register("counts", TABLE)
    for lazy in (polars.from_pandas(TABLE).lazy(), connection.sql("FROM counts")):
        assert fs.from_counts(lazy, **NAMED).digest() == counted.digest()


def test_counts_under_the_law_of_employment_begin_with_the_ratio_of_four_fifths():
    counts = {
        "race": ["White", "Black", "Asian", "Native"],
        "applicants": [600, 250, 180, 9],
        "hires": [120, 35, 27, 0],
    }
    people = fs.from_counts(counts, groups="race", selected="hires", total="applicants")
    text = " ".join(str(fs.audit(people, law="employment")).split())
    head = (
        "rows Black people were selected at 0.70 of the rate of White people, the highest (14.0% against 20.0%): below"
    )
    assert f"{head} four fifths (0.80)" in text and "1 of the other ratios" not in text
    assert (
        "The other ratio is below 0.80 as well: Asian (0.75). Not counted, with under 2% of the people: Native" in text
    )
    assert "White 120/600 20.0 1.00 reference" in text and "Black 35/250 14.0 0.70" in text
    finding = fs.audit(people, law="employment").finding()
    assert finding.index("0.70 of the rate") < finding.index("is shown to differ")
    equal = {"sex": ["men", "women"], "applicants": [500, 300], "hires": [100, 48]}  # 0.16 of 0.20
    audit = fs.audit(fs.from_counts(equal, "sex", "hires", "applicants"), law="employment")
    first = "Women were selected at 0.80 of the rate of men, the highest (16.0% against 20.0%): not below four fifths"
    assert audit.finding().startswith(first)


@pytest.mark.parametrize("min_n", [1, 10])
def test_groups_that_the_rule_does_not_count_are_in_no_family_of_ratios(min_n: int) -> None:
    known = {"White": (500, 150), "Black": (300, 62), "Asian": (200, 55), "Hispanic": (250, 66)}

    def ratios(more: dict[str, tuple[int, int]], **options: Any) -> dict[str, Any]:
        every = known | more
        table = {"race": list(every), "n": [n for n, _ in every.values()], "hired": [k for _, k in every.values()]}
        people = fs.from_counts(table, "race", "hired", "n")
        rows = fs.audit(people, min_n=min_n, **options).estimates.only(metric="impact ratio", role="main")
        return {row.group: row for row in rows}

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of people whose group is not known
        alone = ratios({}, law="employment")
        beside = ratios({"Unknown": (80, 20), "Native": (12, 0)}, law="employment")
        plain = ratios({"Unknown": (80, 20), "Native": (12, 0)})
        one_rule = ratios({"Unknown": (80, 20), "Native": (12, 0)}, law="employment", reference="highest_rate")
    for group, row in alone.items():
        assert (beside[group].p_adjusted, beside[group].conf_low) == (row.p_adjusted, row.conf_low)
    assert alone["Black"].conf_level == pytest.approx(1 - 0.05 / 6)
    for group in ("(missing)", "Native"):  # no test, and no words of one
        assert math.isnan(beside[group].p_adjusted) and "significant" not in beside[group].reason
    for rows in (plain, one_rule):  # all pairs; there a difference and its ratio have one p
        assert rows["Black"].conf_level == pytest.approx(1 - 0.05 / 15)


def test_a_share_of_few_people_is_printed_with_the_digits_of_its_gap() -> None:
    table = {"race": ["White", "Black", "Asian"], "n": [500, 300, 40], "hired": [150, 62, 9]}
    lines = str(fs.audit(fs.from_counts(table, "race", "hired", "n"), law="employment")).splitlines()
    (asian,) = (line for line in lines if line.split()[:1] == ["Asian"])
    assert "9/40" in asian and " 22.5 " in asian and "−7.5" in asian


def test_a_report_of_counts_says_that_its_hash_is_not_of_the_file(tmp_path):
    table = pd.DataFrame({"race": ["a", "b"], "n": [500, 300], "k": [200, 100]})
    result = fs.audit(fs.from_counts(table, "race", "k", "n"))
    built = fs.report(result)
    assert f"SHA-256 of its counts {result.data.sha256[:8]}" in built.html
    assert "SHA-256 of the counts" in built.html and "SHA-256 of the data" not in built.html
    built.write(tmp_path / "a.html")
    checked = str(fs.verify_report(tmp_path / "a.html", table))
    assert f"SHA-256 of the counts: {result.data.sha256}, the recorded one" in checked
    turned = fs.audit(fs.from_counts(table[::-1], "race", "k", "n"))
    assert turned.data.sha256 == result.data.sha256  # whatever the order of its lines


HIRING = pd.DataFrame(
    [("White", 1200, 360), ("Black", 300, 60), ("Hispanic", 240, 66), ("Asian", 180, 50), ("Native", 12, 2)],
    columns=["race", "applicants", "hires"],
)
UNKNOWN = pd.DataFrame([("Unknown", 90, 33)], columns=HIRING.columns)
LONG = {"decision": "status", "groups": "race", "favorable": "hired", "weights": "n"}
LAW = {"law": "employment"}


def lines(table: pd.DataFrame) -> pd.DataFrame:
    """A line a group and decision."""
    hired = table.assign(status="hired", n=table["hires"])
    return pd.concat([hired, table.assign(status="not hired", n=table["applicants"] - table["hires"])])


@pytest.mark.filterwarnings("ignore:'race' has 'Unknown'")
def test_people_of_unknown_group_set_no_highest_rate_under_the_law_in_whatever_form_they_come(tmp_path) -> None:
    table = pd.concat([HIRING, UNKNOWN])
    long = lines(table).reset_index(drop=True)
    counted = fs.audit(fs.from_counts(table, **NAMED), law="employment")
    weighted = fs.audit(long, **LONG, **LAW)
    one_each = fs.audit(
        long.loc[long.index.repeat(long["n"]), ["race", "status"]], "status", "race", favorable="hired", **LAW
    )
    for other in (weighted, one_each):
        ratios = {(r.group, r.reference): r.estimate for r in other.estimates.where(metric="impact ratio")}
        assert ratios == {(r.group, r.reference): r.estimate for r in counted.estimates.where(metric="impact ratio")}
        assert "0.67 of the rate of White people, the highest" in " ".join(str(other).split())
        assert "they are counted as (missing): race ('Unknown')" in other.finding()
        assert "that of White" in str(fs.table(other, "impact"))
        assert "they are counted as (missing): race (&#39;Unknown&#39;)" in fs.report(other).html
    blank = long.assign(race=long["race"].where(long["race"] != "Unknown"))
    assert fs.audit(blank, **LONG, **LAW).estimates == weighted.estimates
    assert "Unknown" in fs.audit(long, **LONG).by_group().index  # no law asks for a highest rate
    long.to_csv(tmp_path / "long.csv", index=False)
    gate = ["audit", str(tmp_path / "long.csv"), "--decision", "status", "--groups", "race", "--favorable", "hired"]
    gate += ["--weights", "n", "--law", "employment", "--fail-on", "ratio<0.7"]
    assert run([*gate[:-1], "ratio<0.6"]) == 0 and run(gate) == 1


@pytest.mark.filterwarnings("ignore:'race' has 'Unknown'")
def test_the_first_sentence_says_whose_difference_is_beyond_chance() -> None:
    known, all_known = (
        fs.audit(fs.from_counts(table, **NAMED), **LAW) for table in (pd.concat([HIRING, UNKNOWN]), HIRING)
    )
    words = "the difference is beyond chance among those whose race is known."
    page = fs.report(known).html
    for text in (str(known), known.finding(), page):
        assert words in " ".join(text.split()) and "the difference is beyond chance." not in " ".join(text.split())
    assert "the difference is beyond chance." in all_known.finding()
    other = fs.audit(fs.from_counts(pd.concat([HIRING, UNKNOWN]), **NAMED), reference="Hispanic", **LAW)
    assert words in other.finding()  # of two groups that are not the reference
    one = pd.concat([HIRING.assign(applicants=10 * HIRING.applicants, hires=10 * HIRING.hires), UNKNOWN[:1]])
    one.loc[one.race == "Unknown", ["applicants", "hires"]] = 1, 0
    few = fs.audit(fs.from_counts(one, **NAMED), reference="Hispanic", **LAW)
    assert "the difference is beyond chance." in few.finding()  # which one person cannot overturn


@pytest.mark.parametrize("everybody", ["applicants", "Total", "n", "N applied", "No. of people"])
def test_a_melted_table_of_applicants_and_hires_is_refused(everybody: str) -> None:
    melted = HIRING.rename(columns={"applicants": everybody}).melt("race")
    options = {"favorable": "hires", "weights": "value"}
    with pytest.raises(fs.InputError, match=f"'hires' and '{everybody}'.*selected='hires', total='{everybody}'"):
        fs.audit(melted, "variable", "race", **options, **LAW)
    others = HIRING.assign(applicants=HIRING["applicants"] - HIRING["hires"])
    for name in ("not hired", "other applicants", "non-applicants"):
        fs.audit(others.rename(columns={"applicants": name}).melt("race"), "variable", "race", **options)
    answers = others.rename(columns={"applicants": "n", "hires": "y"}).melt("race")  # no and yes
    fs.audit(answers, "variable", "race", favorable="y", weights="value")


@pytest.mark.filterwarnings("ignore:'race' has 'Unknown'")
@pytest.mark.parametrize(("label", "n"), [("Total", 1932), ("Grand total", 1930), ("All", 1940), ("Sum", 1900)])
@pytest.mark.parametrize("unknown", [False, True])
def test_a_total_of_the_known_groups_or_with_a_slip_is_refused(label: str, n: int, unknown: bool) -> None:
    total = pd.DataFrame([(label, n, 538)], columns=HIRING.columns)
    table = pd.concat([HIRING, *([UNKNOWN] if unknown else []), total])
    with pytest.raises(fs.InputError, match=f"'{label}' .*counted twice"):
        fs.from_counts(table, **NAMED)
    for law in ({}, LAW):
        with pytest.raises(fs.InputError, match=f"'{label}' in 'race', with {n:,} people .*counted twice"):
            fs.audit(lines(table), **LONG, **law)


def test_a_group_by_the_name_of_a_total_is_never_the_reference_by_itself() -> None:
    table = pd.concat([HIRING, pd.DataFrame([("Total", 1300, 1000)], columns=HIRING.columns)])
    for reference in ("largest_group", "highest_rate"):
        audit = fs.audit(lines(table), **LONG, reference=reference, law="employment")
        assert audit.references == {"race": "White"}
        assert {row.reference for row in audit.estimates.where(metric="impact ratio", role="main")} == {"White"}
    assert fs.audit(lines(table), **LONG, reference="Total").references == {"race": "Total"}


def test_of_equal_highest_rates_the_largest_group_has_the_highest_in_every_form() -> None:
    table = HIRING.assign(hires=[360, 60, 66, 54, 2]).iloc[::-1]  # Asian and White 30%
    more = lines(table)
    more = pd.concat(
        [more[more["race"] != "Asian"], *[more[more["race"] == "Asian"].assign(n=lambda d: d["n"] / 9)] * 9]
    )
    audits = [
        fs.audit(fs.from_counts(table, **NAMED), **LAW),
        fs.audit(more.assign(n=more["n"].astype(int)), **LONG, **LAW),
    ]
    audits.append(fs.audit(people(table), "hires", "race", **LAW))
    for audit in audits:
        assert "of the rate of White people, the highest" in audit.finding()


def test_a_long_table_without_weights_is_told_of_them() -> None:
    long = lines(HIRING)[["race", "status", "n"]]
    with pytest.warns(fs.FairstatsWarning, match="every combination of race, status has one row.* pass weights='n'"):
        fs.audit(long, "status", "race", favorable="hired")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        fs.audit(long, **LONG)
        fs.audit(pd.concat([long, long]), "status", "race", favorable="hired")
        fs.audit(long.drop(columns="n"), "status", "race", favorable="hired")


def test_a_long_table_of_decisions_and_outcomes_without_weights_is_told_of_them() -> None:
    long = pd.DataFrame(list(product("ab", [0, 1], [0, 1])), columns=["g", "d", "y"])
    long["n"] = [30, 20, 10, 40, 25, 25, 10, 40]
    with pytest.warns(fs.FairstatsWarning, match="every combination of g, d, y has one row.* pass weights='n'"):
        fs.audit(long, "d", "g", outcome="y")
    with pytest.warns(fs.FairstatsWarning, match="every combination of g, y has one row.* pass weights='n'"):
        fs.audit(long[long["d"] == 1], outcome="y", groups="g")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        fs.audit(long[long["d"] != long["y"]], "d", "g", outcome="y")  # no table of counts lacks half its cells
        fs.audit(long, "d", "g", outcome="y", weights="n")


SOME = [("White", 500, 100), ("Black", 300, 40), ("Hispanic", 200, 30), ("Group D", 500, 70)]


def test_a_group_that_is_the_sum_of_some_others_is_named_with_them() -> None:
    table = pd.DataFrame(SOME, columns=["race", "applicants", "hires"])
    text = "'Group D' in 'race' has 500 people, 70 of them selected, exactly as many as 'Black', 'Hispanic' together"
    with pytest.warns(fs.FairstatsWarning, match=text):
        fs.from_counts(table, **NAMED)
    with pytest.raises(InputError, match=r"'Minorities' in 'race' has 500 people, .* leave its rows out"):
        fs.from_counts(table.replace("Group D", "Minorities"), **NAMED)
    three = [*SOME[:3], ("Asian", 100, 31), ("Group D", 600, 101)]
    with pytest.warns(fs.FairstatsWarning, match="exactly as many as 'Asian', 'Black', 'Hispanic' together"):
        fs.from_counts(pd.DataFrame(three, columns=table.columns), **NAMED)
    jobs = pd.concat([table.assign(job="a"), table.assign(job="b", hires=table["hires"] + 1)])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        fs.from_counts(table.assign(hires=[100, 40, 30, 71]), **NAMED)
        fs.from_counts(jobs, **NAMED, strata="job")  # 72 of 500 are no sum of 41 and 31


def test_where_small_groups_leave_nothing_the_way_out_is_to_join_them() -> None:
    table = pd.DataFrame(
        [("White", 500, 100), ("Black", 300, 40), ("NH", 4, 0)], columns=["race", "applicants", "hires"]
    )
    assert "Join small groups in the data" in fs.audit(fs.from_counts(table, **NAMED), min_n=10).finding()
    assert "Join small groups" not in fs.audit(fs.from_counts(table, **NAMED)).finding()


@pytest.mark.filterwarnings("ignore:rows of the same")
@pytest.mark.parametrize("reference", ["White", "Black"])
@pytest.mark.parametrize("strata", [None, "job"])
def test_where_the_rule_counts_no_group_but_the_highest_all_are_counted_and_tested(reference, strata) -> None:
    size = {"race": ["White", "Black"] * 2, "job": ["a", "a", "b", "b"], "n": [2500, 40] * 2, "hires": [750, 4] * 2}
    people = fs.from_counts(size, "race", "hires", "n", strata=strata)
    built = fs.audit(people, law="employment", reference={"race": reference}, strata=strata)
    (ratio,) = built.estimates.where(metric="impact ratio", role="main", contrast="ratio")
    exact = scipy.stats.fisher_exact([[8, 1500], [72, 3500]]).pvalue
    assert exact / 2 < ratio.p_value < exact + 2e-4  # that of the unconditional test is raised by 1e-4
    finding = " ".join(built.finding().split())
    assert "(0.80) in these data; the difference is beyond chance. The true ratio is shown to be below 0.80" in finding
    assert "not settled" not in finding


def test_each_attribute_of_which_the_rule_counts_no_group_has_its_groups_counted(tmp_path, capsys) -> None:
    lines = ["sex,race,n,hires", "M,White,2600,800", "F,White,2400,700", "M,Black,45,4", "F,Black,35,4"]
    (tmp_path / "c.csv").write_text("\n".join(lines), encoding="utf-8")
    call = ["audit", str(tmp_path / "c.csv"), "--selected", "hires", "--total", "n", "--law", "employment"]
    for groups in (["race"], ["race", "--reference", "Black"], ["sex,race"]):
        assert run([*call, "--fail-on", "ratio<0.8", "--groups", *groups]) == 1
        said = capsys.readouterr().err
        assert "impact ratio of Black against White (0.33). Counted, too (under 2% of the people: Black);" in said


def test_counts_with_marks_of_thousands_are_weights_and_no_note_says_that_they_are_decimals(tmp_path, capsys) -> None:
    lines = ["race,result,n", "a,yes,312", 'a,no,"1,168"', "b,yes,148", "b,no,872"]
    (tmp_path / "long.csv").write_text("\n".join(lines), encoding="utf-8")
    call = ["audit", str(tmp_path / "long.csv"), "--groups", "race", "--decision", "result", "--favorable", "yes"]
    assert run([*call, "--weights", "n"]) == 0
    said = capsys.readouterr()
    assert "312/1,480" in said.out and "decimal mark" not in said.out + said.err
    assert run(["describe", str(tmp_path / "long.csv")]) == 0
    assert re.search(r"n: text, 4 different, 148 to 1168\n.*\n    could be: .*weights", capsys.readouterr().out)


@pytest.mark.parametrize("label", ["All jobs", "Total", "Office"])
@pytest.mark.parametrize("strata", [None, "job"])
def test_a_long_table_with_lines_of_totals_is_refused_as_the_same_counts_are(label: str, strata: str | None) -> None:
    wide = pd.DataFrame(
        {"job": ["a", "a", "b", "b"], "sex": ["f", "m"] * 2, "n": [40, 60, 55, 30], "k": [8, 24, 20, 13]}
    )
    whole = wide.groupby("sex", as_index=False)[["n", "k"]].sum().assign(job=label)
    every = pd.concat([wide, whole], ignore_index=True)
    long = pd.concat([every.assign(hired=1, people=every.k), every.assign(hired=0, people=every.n - every.k)])
    with pytest.raises(InputError, match="counted twice"):
        fs.from_counts(every, "sex", "k", "n", strata=strata)
    with pytest.raises(InputError, match="counted twice"):
        fs.audit(long, "hired", "sex", weights="people", weight_type="frequency", strata=strata)
    fs.audit(long[long.job != label], "hired", "sex", weights="people", weight_type="frequency", strata=strata)


def test_a_line_of_all_but_the_largest_group_is_refused_whatever_its_name() -> None:
    """A subtotal of everybody but White people was the largest group, and took the lowest ratio from another."""
    table = pd.DataFrame(
        {"race": ["White", "Black", "Hispanic", "Asian", "Two"], "n": [412, 198, 143, 96, 30], "k": [94, 29, 25, 24, 3]}
    )
    for name in ("POC", "Underrepresented", "Minority"):
        rest = pd.DataFrame({"race": [name], "n": [467], "k": [81]})
        with pytest.raises(InputError, match=rf"'{name}' in 'race' has 467 people, 81 of them selected, exactly"):
            fs.from_counts(pd.concat([table, rest]), "race", "k", "n")
        fs.from_counts(pd.concat([table, rest.assign(k=82)]), "race", "k", "n")


def test_a_decision_of_one_value_that_is_no_flag_is_refused() -> None:
    data = pd.DataFrame({"m": 2024, "g": ["a", "b"] * 20, "none": 0, "refused": "no"})
    with pytest.raises(InputError, match=r"decision has 'm' with one value alone, '2024'; decisions have two"):
        fs.audit(data, "m", "g")
    for column, favorable in (("m", 2024), ("none", 1), ("refused", "yes")):  # of everybody, and of nobody
        rates = fs.audit(data, column, "g", favorable=favorable).tidy(metric="selection rate", contrast="none")
        assert set(rates["estimate"]) == {float(column == "m")}
    with pytest.raises(InputError, match=r"selected has 0\.6; it counts people"):
        fs.stats.adverse_impact([0.6, 0.4], [100, 100], ["a", "b"])


def test_a_row_a_person_with_a_number_in_the_place_of_people_is_a_caution() -> None:
    people = {"id": range(40), "sex": ["f", "m"] * 20, "hired": [0, 1, 1, 0] * 10, "age": range(20, 60)}
    people = pd.DataFrame(people)
    with pytest.warns(fs.FairstatsWarning, match="'hired' is 0 or 1 in each of the 40 rows, of 2 groups"):
        audited = fs.audit(fs.from_counts(people, "sex", "hired", "age"))
    assert any("'age' is no number of people; pass the table itself" in str(note) for note in audited.notes)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        fs.from_counts(people.assign(age=1), "sex", "hired", "age")  # of one person each
