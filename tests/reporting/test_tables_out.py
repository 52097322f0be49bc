"""Tables handed on: the numbers of the rows in every format, and text from data that no format acts upon."""

from __future__ import annotations

import builtins
import csv
import io
import re
import subprocess
import sys
import zipfile
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import optimize, stats
from sklearn.metrics import roc_auc_score

import fairstats
from fairstats import metrics
from fairstats.cli import run
from fairstats.errors import DependencyError, FileError, InputError
from fairstats.reporting import exports, words
from fairstats.reporting.result_table import AUDIT, COMPARISON, latex_file
from tests.laws.every_result import MADE, made
from tests.results import results

HOSTILE = [
    "=HYPERLINK(1)", "+1|x", "-2+3", "@sum", "<script>alert(1)</script>", "a & b", "50 %_$#{}~^\\", "| pipe |",
    "*bold*", "[b] option", "plain",
]  # fmt: skip
RNG = np.random.default_rng(2)


@pytest.fixture(scope="module")
def hostile() -> fairstats.Audit:
    n = 40 * len(HOSTILE)
    people = {"who": np.repeat(HOSTILE, 40), "d": RNG.integers(0, 2, n), "y": RNG.integers(0, 2, n)}
    return fairstats.audit(people, "d", "who", outcome="y")


class Cells(HTMLParser):
    """The cells of a page, and every tag of it."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.cells: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.tags.add(tag)
        if tag in ("td", "th"):
            self.cells.append("")

    def handle_data(self, data: str) -> None:
        if self.cells:
            self.cells[-1] += data


def test_every_format_shows_the_same_cells(hostile, tmp_path):
    result = fairstats.table(hostile, "rates")
    groups = {row.group for row in hostile.estimates.where(metric="selection rate", contrast="none", role="main")}
    shown = [row[0] for row in result.shown.rows]
    assert set(shown) == groups == set(HOSTILE)
    page = Cells(result.to_html())
    assert set(shown) <= set(page.cells) and not {"script", "b"} & page.tags
    lines = list(csv.reader(io.StringIO(result.to_csv())))
    assert [line[0].removeprefix("'") for line in lines[1:]] == shown
    assert not any(line[0].startswith(("=", "+", "-", "@")) for line in lines)
    assert result.to_frame()["group"].tolist() == shown
    assert all(len(line) <= 80 for line in str(result).split("\n"))


def test_latex_takes_no_command_from_data(hostile):
    text = fairstats.table(hostile, "rates").to_latex()
    rows = text.split("\\midrule\n")[1].split("\\bottomrule")[0].strip().split("\n")
    assert len(rows) == len(HOSTILE) and all(row.endswith(r" \\") for row in rows)
    for row in rows:
        assert row.removesuffix(r" \\").replace(r"\&", "").count("&") == 4  # five columns, whatever the label
        assert not row.startswith(("[", "*"))
    assert r"50 \%\_\$\#\{\}\textasciitilde{}\textasciicircum{}\textbackslash{}" in text
    assert "$-$" in fairstats.table(hostile, "differences").to_latex()


def test_a_table_of_more_lines_than_a_page_is_one_that_pages_break():
    """Each page repeats the head, and long text is broken into lines; a shorter table is one if it is asked for."""
    result = fairstats.audit(fairstats.arrests(), "released", ["colour", "sex"], favorable="Yes")
    every, short = fairstats.table(result, "estimates"), fairstats.table(result, "rates")
    text = every.to_latex(label="tab:all")
    lines = text.split("\n")
    assert lines[0] == r"% \usepackage{array,booktabs,longtable,textcomp}"
    assert lines[1] == r"\begin{longtable}{>{\raggedright\arraybackslash}p{0.3\linewidth}lrrrrrr}"
    assert lines[2].endswith(r"\label{tab:all} \\") and text.count(r"\midrule") == 2 and text.count(r"\bottomrule") == 1
    head, body = text.split("\\endfoot\n")
    assert head.count("statistic & ") == 2 and head.index(r"\endfirsthead") < head.index(r"\endhead")
    assert body.split("\\end{longtable}")[0].count(r" \\" + "\n") == len(every.to_frame()) > 40
    assert r"\begin{table}" in every.to_latex(long=False) and r"\begin{longtable}" not in short.to_latex()
    assert r"\begin{longtable}" in short.to_latex(long=True)
    with pytest.raises(InputError, match="long has 'yes'"):
        short.to_latex(long="yes")


def test_latex_takes_a_caption_and_a_label(hostile):
    table = fairstats.table(hostile, "rates")
    text = table.to_latex(caption="50 % of A_b", label="tab:rates")
    assert "\\caption{50 \\% of A\\_b}\n\\label{tab:rates}\n\\begin{tabular}" in text
    rest = text.replace("\\label{tab:rates}\n", "").split("\\begin{tabular}")[1]
    assert rest == table.to_latex().split("\\begin{tabular}")[1] and "\\label" not in table.to_latex()
    for label in ("tab{x", "tab x", "a#b", "a\\b"):
        with pytest.raises(InputError, match="no label of LaTeX holds"):
            table.to_latex(label=label)


def test_a_label_is_saved_in_latex_and_refused_elsewhere(hostile, tmp_path):
    table = fairstats.table(hostile, "rates")
    saved = table.save(tmp_path / "t.tex", label="tab:x").read_text()
    assert saved.endswith(table.to_latex(label="tab:x")) and "\\label{tab:x}" in saved
    with pytest.raises(InputError, match=r"label has 'tab:x'; only a .tex file has a label"):
        table.save(tmp_path / "t.md", label="tab:x")


def test_markdown_word_and_excel_take_a_caption(hostile, tmp_path):
    docx, openpyxl = pytest.importorskip("docx"), pytest.importorskip("openpyxl")
    table, mine = fairstats.table(hostile, "rates"), "50 % of A*b"
    text = table.to_markdown(caption=mine)
    assert text.startswith("**50 % of A\\*b**\n") and text.split("\n", 1)[1] == table.to_markdown().split("\n", 1)[1]
    assert table.to_markdown() == table.to_markdown(caption="")
    document = docx.Document(table.to_docx(tmp_path / "t.docx", caption=mine))
    assert mine in [one.text for one in document.paragraphs] and document.core_properties.title == mine
    assert openpyxl.load_workbook(table.to_xlsx(tmp_path / "t.xlsx", caption=mine)).active["A1"].value == mine
    for write in (table.to_markdown, lambda caption: table.to_docx(tmp_path / "u.docx", caption=caption)):
        with pytest.raises(InputError, match="caption has 3"):
            write(caption=3)


def test_a_table_of_a_fit_says_each_thing_once():
    fit = fairstats.og("~ age + checks", "colour", data=fairstats.arrests(), k=2)
    frame = fairstats.table(fit, "guarantees").to_frame()
    assert list(frame.columns) == ["statistic", "n", "estimate"]
    for kind in ("components", "estimates"):
        rows = fairstats.table(fit, kind).to_frame()
        assert not rows["statistic"].duplicated().any()


def test_markdown_keeps_its_columns_whatever_the_labels(hostile):
    lines = [line for line in fairstats.table(hostile, "rates").to_markdown().split("\n") if line.startswith("|")]
    assert len(lines) == 2 + len(HOSTILE)
    assert {line.replace(r"\|", "").count("|") for line in lines} == {6}
    assert not any("<script>" in line.replace("\\<", "") for line in lines)


def test_excel_has_numbers_as_numbers_and_no_formula(hostile, tmp_path):
    openpyxl = pytest.importorskip("openpyxl")
    result = fairstats.table(hostile, "rates")
    sheet = openpyxl.load_workbook(result.to_xlsx(tmp_path / "t.xlsx")).active
    cells = [cell for row in sheet.iter_rows() for cell in row]
    assert "f" not in {cell.data_type for cell in cells}
    labels = {sheet.cell(4 + i, 1).value for i in range(len(HOSTILE))}
    assert labels == set(HOSTILE) and all(sheet.cell(4 + i, 1).quotePrefix for i in range(len(HOSTILE)))
    rates = {sheet.cell(4 + i, 1).value: sheet.cell(4 + i, 4).value for i in range(len(HOSTILE))}
    for row in hostile.estimates.where(metric="selection rate", contrast="none", role="main"):
        assert rates[row.group] == pytest.approx(100 * row.estimate, abs=0.05)
    assert "<f>" not in zipfile.ZipFile(tmp_path / "t.xlsx").read("xl/worksheets/sheet1.xml").decode()


def test_word_has_the_table_and_great_tables_escapes(hostile, tmp_path):
    docx = pytest.importorskip("docx")
    result = fairstats.table(hostile, "rates")
    (table,) = docx.Document(result.to_docx(tmp_path / "t.docx")).tables
    assert [row.cells[0].text for row in table.rows][1:] == [row[0] for row in result.shown.rows]
    pytest.importorskip("great_tables")
    page = result.to_gt().as_raw_html()
    assert "&lt;script&gt;" in page and "<script>alert" not in page


@pytest.mark.parametrize("name", MADE)
def test_every_result_has_a_table_in_every_format(name, tmp_path):
    result = made(name)
    table = fairstats.table(result)
    assert table.caption and len(table.shown.rows) and table.to_html() and table.to_latex() and table.to_markdown()
    assert all(len(line) <= 80 for line in str(table).split("\n")), name
    assert len(fairstats.table(result, "estimates").shown.rows) == len(result.estimates)  # whole, however long


def test_every_kind_of_an_audit_and_a_comparison(tmp_path):
    people = {k: np.asarray(v) for k, v in {"g": RNG.choice(list("abc"), 900), "y": RNG.integers(0, 2, 900)}.items()}
    people |= {"d": RNG.integers(0, 2, 900), "s": RNG.random(900)}
    audited = fairstats.audit(people, "d", "g", outcome="y", score="s")
    for kind in set(AUDIT) - {"gaps", "means", "impact by stratum"}:  # of amounts, of strata under a law
        assert len(fairstats.table(audited, kind).shown.rows), kind
    assert fairstats.table(audited, "rates", metric="true_positive_rate").caption == "True positive rate by g"
    rows = fairstats.table(audited, "differences", metric="recall").shown.rows
    assert [row[-1] for row in rows].count("reference") == 1
    for kind in COMPARISON:
        assert len(fairstats.table(made("comparison"), kind).shown.rows), kind
    with pytest.raises(InputError, match=r"kind has 'ratios'; .*it has methods, groups, differences, estimates"):
        fairstats.table(made("comparison"), "ratios")
    price = fairstats.table(made("og"), "guarantees")
    assert len(price.shown.rows) == len(made("og").estimates.where(role="guarantee"))


def test_a_table_is_written_by_the_ending_and_never_over_an_input(tmp_path):
    path = tmp_path / "people.csv"
    path.write_text("sex,hired\n" + "f,1\nm,0\nf,0\nm,1\n" * 20)
    table = fairstats.table(fairstats.audit(path, "hired", "sex"))
    before = path.read_bytes()
    with pytest.raises(FileError, match="holds the data"):
        table.save(path)
    assert path.read_bytes() == before
    for suffix in ("html", "tex", "md", "txt", "csv"):
        assert table.save(tmp_path / f"t.{suffix}").read_text().strip()
    with pytest.raises(FileError, match=r"ending in \.html, \.tex"):
        table.save(tmp_path / "t.rtf")
    with pytest.raises(FileError, match=r"ending in \.docx"):
        table.to_docx(tmp_path / "t.md")


def test_what_there_is_not_is_said_by_name(hostile):
    with pytest.raises(InputError, match=r"kind has 'rate'; .*did you mean 'rates'\? It has rates, differences"):
        fairstats.table(hostile, "rate")
    with pytest.raises(InputError, match=r"attribute has 'sex'; .*it has who"):
        fairstats.table(hostile, "rates", attribute="sex")
    with pytest.raises(InputError, match=r"metric has 'AUC', which needs .*score; this audit has none"):
        fairstats.table(hostile, "rates", metric="AUC")
    with pytest.raises(InputError, match="kind has 'scores'; this result has no rows of that"):
        fairstats.table(hostile, "scores")
    with pytest.raises(InputError, match="result has 3"):
        fairstats.table(3)


@pytest.mark.parametrize("kind", ["rates", "differences", "estimates"])
def test_a_table_of_several_results_has_the_cells_of_each_under_its_name(hostile, kind):
    rng = np.random.default_rng(4)
    people = {"sex": rng.choice(["f", "m"], 400), "d": rng.integers(0, 2, 400)}
    audits = {"first": hostile, "=second|": fairstats.audit(people, "d", "sex", conf_level=0.9)}
    joined = fairstats.table(audits, kind)
    assert set(joined.shown.headings) == {joined.shown.headings[0], *(h for a in audits.values() for h in of(a, kind))}
    headings = [h.label for h in joined.shown.headings]
    for name, one in audits.items():
        shown = fairstats.table(one, kind).shown
        place = [joined.shown.headings.index(heading) for heading in shown.headings]
        rows = [row for row in joined.shown.rows if row[0] == name]
        assert tuple(tuple(row[at] for at in place) for row in rows) == shown.rows
        others = set(range(1, len(headings))) - set(place)
        assert place == sorted(place) and {row[at] for row in rows for at in others} <= {"–"}
    assert "'=second|," in joined.to_csv() and all(len(line) <= 80 for line in str(joined).split("\n"))
    assert "=second\\|" in joined.to_markdown() and "=second" in joined.to_html() and "=second" in joined.to_latex()


def of(result: Any, kind: str) -> tuple[Any, ...]:
    return fairstats.table(result, kind).shown.headings


@pytest.mark.parametrize("kind", ["rates", "differences", "estimates"])
def test_a_table_has_a_block_of_each_attribute_that_is_asked_for(kind):
    rng = np.random.default_rng(4)
    people = {name: rng.choice(["a", "b"], 400) for name in ("g", "h")} | {"d": rng.integers(0, 2, 400)}
    audit = fairstats.audit(people, "d", ["g", "h"], labels={"attributes": {"g": "colour"}})
    one, other = (fairstats.table(audit, kind, attribute=name) for name in ("g", "h"))
    both = fairstats.table(audit, kind, attribute=["colour", "h"])
    alone = [list(row) for table in (one, other) for row in table.shown.rows]
    rows = both.shown.rows
    headings = [heading.label for heading in both.shown.headings]
    assert headings[0] == "attribute" and headings.count("attribute") == 1
    assert [row[0] for row in rows] == ["colour"] * len(one.shown.rows) + ["h"] * len(other.shown.rows)
    assert [list(row[1:]) for row in rows] == alone
    assert one.caption in both.caption and not both.hint
    named = fairstats.table({"x": audit, "y": audit}, kind, attribute={"x": "g", "y": "h"})
    assert [list(row[1:]) for row in named.shown.rows] == alone
    assert fairstats.table(audit, kind, attribute=["h"]).shown == other.shown
    crossed = fairstats.table({"x": audit, "y": audit}, kind, attribute=["g", "h"])
    assert crossed.to_frame().columns.tolist()[:2] == ["attribute", "result"]
    places = [
        (name, result, row)
        for name, one in zip(("colour", "h"), (one, other), strict=True)
        for result in "xy"
        for row in one.shown.rows
    ]
    assert [(row[0], row[1], row[2:]) for row in crossed.shown.rows] == places
    with pytest.raises(InputError, match=r"attribute has 'z'; the results are x, y"):
        fairstats.table({"x": audit, "y": audit}, kind, attribute={"z": "g"})
    with pytest.raises(InputError, match=r"attribute has \{'z': 'g'\}; one result takes a list"):
        fairstats.table(audit, kind, attribute={"z": "g"})
    with pytest.raises(InputError, match=r"attribute has 'z'; the result has no such attribute"):
        fairstats.table(audit, kind, attribute=["g", "z"])


def test_audits_of_the_same_columns_with_other_labels_of_them_share_no_table() -> None:
    rng = np.random.default_rng(3)
    years = [
        {"g": list("ab") * 100, "d": rng.choice(["yes", "no"], 200), "e": rng.choice(["yes", "no"], 200)}
        for _ in range(2)
    ]
    one, other = (fairstats.audit(d, "d", "g", favorable=f) for d, f in zip(years, ("yes", "no"), strict=True))
    same = "favorable='yes' and with favorable='no'; compare audits of the same question"
    for kind in ("differences", "rates", "ratios"):
        with pytest.raises(InputError, match=same):
            fairstats.table({"2023": one, "2024": other}, kind)
    with pytest.raises(InputError, match="compare audits of the same question"):
        fairstats.compare_audits(one, other)
    with pytest.raises(InputError, match=same):
        fairstats.table([one, one, other])
    predicted = [fairstats.audit(years[0], "d", "g", favorable="yes", outcome="e", positive=p) for p in ("yes", "no")]
    with pytest.raises(InputError, match="positive='yes' and with positive='no'"):
        fairstats.table(predicted, "differences")
    two_decisions = [fairstats.audit(years[0], name, "g", favorable=f) for name, f in (("d", "yes"), ("e", "no"))]
    assert len(fairstats.table(two_decisions, "differences").shown.rows) == 4


def test_a_comparison_has_a_line_a_method_and_group_and_calls_methods_by_their_titles():
    comparison = results()["comparison"]
    of = comparison.estimates.only(
        metric="AUC", attribute="colour", contrast="none", **comparison.of(comparison.terms[1])
    )
    shown = fairstats.table(comparison, "groups", metric="AUC").shown
    assert [heading.label for heading in shown.headings[:3]] == ["method and model", "colour", "people"]
    lines = [row for row in shown.rows if row[0] == "orthogonal PCA"]
    assert [(row[1], row[3]) for row in lines] == [(r.group, f"{r.estimate:.3f}") for r in of if r.group]
    assert shown.headings[4].label.endswith("interval") and lines[0][4] == words.interval(of[0])
    assert {row[0] for row in fairstats.table(comparison, "groups").shown.rows} == {"no adjustment", "orthogonal PCA"}
    apart = fairstats.table(comparison, "differences", metric="AUC").shown
    assert [heading.label for heading in apart.headings[:3]] == ["method and model", "rate", "groups"]
    assert ("orthogonal PCA against no adjustment", "AUC", "everybody") in {row[:3] for row in apart.rows}


def test_results_of_several_kinds_share_the_tables_that_all_have(hostile):
    fits = [made("og"), made("og")]
    joined = fairstats.table([hostile, *fits])
    assert joined.caption == "Estimates of audit, og 1 and og 2"
    counts = {name: [row[0] for row in joined.shown.rows].count(name) for name in ("audit", "og 1", "og 2")}
    assert counts == {"audit": len(hostile.estimates), "og 1": len(fits[0].estimates), "og 2": len(fits[1].estimates)}
    assert fairstats.table(fits).caption == "orthogonal PCA: components"
    with pytest.raises(InputError, match="kind has 'rates'; these results have no such table in common; they have est"):
        fairstats.table([hostile, *fits], "rates")
    with pytest.raises(InputError, match=r"result has 3 in it; its entries are results"):
        fairstats.table([hostile, 3])
    for nothing in ([], {}, "audit"):
        with pytest.raises(InputError, match="pass one or more"):
            fairstats.table(nothing)


@pytest.mark.parametrize(
    ("package", "write"), [("docx", "to_docx"), ("openpyxl", "to_xlsx"), ("great_tables", "to_gt")]
)
def test_without_a_package_the_error_names_the_extra(hostile, package, write, tmp_path, monkeypatch):
    there = builtins.__import__

    def missing(name: str, *args: Any, **kwargs: Any) -> Any:
        if name.partition(".")[0] == package:
            raise ImportError(name)
        return there(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", missing)
    arguments = [] if write == "to_gt" else [tmp_path / f"t.{write[3:]}"]
    with pytest.raises(DependencyError, match=r"part of the extra tables"):
        getattr(fairstats.table(hostile), write)(*arguments)


@pytest.mark.long
def test_text_html_latex_and_markdown_need_no_extra(tmp_path):
    """In a process in which no optional package can be imported."""
    code = """
import sys
for name in ("jinja2", "matplotlib", "weasyprint", "docx", "openpyxl", "great_tables", "pyarrow", "polars"):
    sys.modules[name] = None
import fairstats as fs
audit = fs.audit({"sex": ["f", "m"] * 40, "hired": [0, 1, 1, 1] * 20}, "hired", "sex")
for kind in ("rates", "differences", "impact", "estimates"):
    table = fs.table(audit, kind)
    assert str(table) and table.to_html() and table.to_latex() and table.to_markdown() and table.to_csv()
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stderr


def test_the_caption_of_ratios_leaves_names_as_they_are() -> None:
    import fairstats

    data = {"came from where": ["a", "b"] * 40, "hired": [0, 1, 1, 1] * 20}
    caption = fairstats.table(fairstats.audit(data, decision="hired", groups="came from where"), "ratios").caption
    assert "came from where: ratios to " in caption


def test_a_heading_that_comes_twice_says_what_it_is_of() -> None:
    data = {"g": ["a"] * 40 + ["b"] * 40, "s": ["x", "y"] * 40, "d": [1, 1, 0, 1] * 10 + [0, 1, 0, 0] * 10}
    shown = fairstats.table(fairstats.audit(data, "d", "g", strata="s"), "differences").to_frame()
    assert list(shown)[-2:] == ["crude (points)", "crude, 95% CI (points)"]


@pytest.mark.parametrize("within", [{"adjust_for": "~ grade"}, {"strata": "grade"}, {}])
def test_the_table_of_an_audit_of_amounts_has_its_gaps_first_that_of_the_answer(within: dict[str, str]) -> None:
    rng = np.random.default_rng(5)
    people = pd.DataFrame({"sex": np.repeat(["f", "m"], 100), "grade": rng.integers(0, 3, 200)})
    people["pay"] = 30 + 4 * people["grade"] + 3 * (people["sex"] == "m") + rng.normal(0, 1, 200)
    result = fairstats.audit(people, amount="pay", groups="sex", reference="m", **within)
    shown = fairstats.table(result).to_frame()
    first = {"adjust_for": "adjusted gap of means", "strata": "gap of means within strata"}
    names = [*(first[name] for name in within), "gap of means", "gap of medians"]
    called = [line.split(",")[0].lower().replace("within grade", "within strata") for line in shown["gap"]]
    assert called == names
    assert set(shown["people of both groups"]) == {"200"} and set(shown["group"]) == {"Women"}
    estimates = [result.estimates.only(metric=name, role="main", term="")[0].estimate for name in names]
    assert shown["estimate"].tolist() == [f"{100 * value:.1f}%" for value in estimates]
    crude = people.groupby("sex")["pay"].mean()
    assert estimates[names.index("gap of means")] == pytest.approx(1 - crude["f"] / crude["m"])
    with pytest.raises(fairstats.InputError, match="the table 'gaps' has no rows of that, but rates, differences"):
        fairstats.table(result, "gaps", metric="mean amount")


@pytest.mark.parametrize("design", [{}, {"weights": "w", "weight_type": "probability", "clusters": "block"}])
def test_standard_errors_and_headings_are_in_the_unit_of_their_metric(design: dict[str, str]) -> None:
    rng = np.random.default_rng(5)
    n = 400
    people = pd.DataFrame({"sex": rng.choice(["f", "m"], n), "block": rng.integers(0, 12, n)})
    people["w"], people["score"], people["pay"] = rng.uniform(1, 3, n), rng.normal(0, 1, n), rng.normal(40e3, 5e3, n)
    people["hired"], people["good"] = rng.integers(0, 2, n), rng.integers(0, 2, n)
    of = {"groups": "sex", "reference": "m", "amount": "pay", "unit": "EUR", **design}
    result = fairstats.audit(people, "hired", outcome="good", score="score", **of)
    called = {"mean amount": "mean", "median amount": "median", "geometric mean": "geometric mean"}
    errors = 0
    for metric in dict.fromkeys(row.metric for row in result.estimates if row.role == "main"):
        for kind, contrast in (("rates", "none"), ("differences", "difference")):
            rows = result.estimates.only(metric=metric, contrast=contrast, role="main", given="", term="")
            if not rows:
                continue
            table = fairstats.table(result, kind, metric=metric)
            cells = table.to_frame()
            names = [name for name in cells.columns if name.startswith("std. error")]
            written = {words.scale(row)(row.std_error) for row in rows if words.shown(row)}
            assert all(set(cells[name]) - {words.DASH} <= written for name in names)
            errors += bool(names)
            assert ("k of n" in table.note) == ("rate (%)" in cells and kind == "rates")
            if metric in called:
                assert f"{called[metric]} (EUR)" in cells and set(names) <= {"std. error (EUR)"}
                assert not any("%" in name and "EUR" not in name for name in cells)
            if "rate (%)" in cells:
                assert metrics.METRICS[metric].is_rate
    assert errors >= (10 if design else 3)
    alone = fairstats.table(fairstats.audit(people, **of), metric="mean amount").to_frame()
    mean = people["pay"][people["sex"] == "m"]
    if not design:
        (line,) = alone[alone["group"] == "Men"].to_dict("records")
        assert line["std. error (EUR)"] == words.compact(mean.std(ddof=1) / len(mean) ** 0.5)
    points = fairstats.audit(people, **{**of, "unit": "points"})
    assert "mean (points)" in fairstats.table(points, metric="mean amount").to_frame()


VERDICTS = {"disparity shown": "shown", "inconclusive": "not settled"}


def test_the_table_of_gaps_of_amounts_has_the_p_values_that_its_intervals_and_verdicts_have() -> None:
    rng = np.random.default_rng(5)
    people = pd.DataFrame({"g": rng.choice(["a", "b", "c"], 300), "years of work": rng.gamma(2, 3, 300)})
    people["pay"] = 30 + people["years of work"] + 1.5 * (people["g"] == "b") + rng.normal(0, 4, 300)
    result = fairstats.audit(people, amount="pay", groups="g", reference="a", adjust_for=["years of work"])
    table = fairstats.table(result, "gaps")
    shown, sizes = table.to_frame(), people["g"].value_counts()
    assert table.caption == "Gaps in pay by g, compared with a"
    rows = result.tidy().query("metric in ['gap of means', 'adjusted gap of means'] and role == 'main'")
    assert (rows["p_adjusted"] > rows["p_value"] + 0.001).any()
    for row in rows.itertuples():
        of_gap = shown["gap"].str.split(",").str[0] == row.metric.capitalize()
        crude = row.metric == "gap of means"  # the adjusted one answers in its place
        (line,) = shown[of_gap & (shown["group"] == row.group)].to_dict("records")
        assert line["adjusted p"] == words.p_value(row.p_adjusted)
        assert line["verdict"] == ("–" if crude else VERDICTS[row.verdict])
        assert line["people of both groups"] == str(sizes[row.group] + sizes["a"])
    assert "years of work" in table.to_latex() and not any(
        "`" in text or "grave" in text for text in (str(table), table.to_latex())
    )
    assert "how g was recorded" in " ".join(fairstats.report(result).html.split())


def test_the_command_writes_the_table_of_every_attribute_as_latex(tmp_path, capsys):
    """Of each attribute the rates, their gaps, and both of the errors, as the terminal's answer has."""
    people = pd.DataFrame({"sex": ["f", "m"] * 60, "job": ["x", "x", "y"] * 40, "hired": [1, 0, 0, 1, 1] * 24})
    people["able"] = [1, 1, 0, 0] * 30
    people.to_csv(tmp_path / "p.csv", index=False)
    audit = ["audit", str(tmp_path / "p.csv"), "--groups", "sex,job", "--decision", "hired", "--outcome", "able"]
    assert run([*audit, "--to", str(tmp_path / "t.tex")]) == 0
    text = (tmp_path / "t.tex").read_text()
    result = fairstats.audit(people, "hired", ["sex", "job"], outcome="able")
    for name in result.references:
        for kind in ("rates", "differences", "errors", "error differences"):
            assert text.count(fairstats.table(result, kind, attribute=name).to_latex()) == 1
    assert "usepackage{booktabs,textcomp}" in text
    capsys.readouterr()
    assert run([*audit, "--format", "tex"]) == 0
    assert capsys.readouterr().out == text
    assert run([*audit, "--to", str(tmp_path / "t.tex"), "--language", "de"]) == 0
    german = (tmp_path / "t.tex").read_text()
    assert "Auswahlrate" in german and "Differenz" in german and "Selection rate" not in german
    assert run([*audit, "--to", str(tmp_path / "t.xlsx")]) == 2
    assert "fairstats.table(result).save('table.xlsx')" in capsys.readouterr().err


def test_a_footnote_names_each_method_once(hostile):
    """Two metrics of which each has several methods, one in common."""
    note = fairstats.table(hostile, "estimates").note.split(". ")[0].removeprefix("Method: ").rstrip(".")
    steps = note.split("; ")
    assert len(steps) > 2 and len(steps) == len(set(steps))


def test_a_table_of_a_decision_that_harms_has_the_share_of_people_flagged_as_the_answer() -> None:
    """Counted by hand: of group a 30 of 50 are flagged, of group b 10 of 50."""
    cells = [("a", "high", 30), ("a", "low", 20), ("b", "high", 10), ("b", "low", 40)]
    rows = [(group, decision, k % 2) for group, decision, count in cells for k in range(count)]
    table = pd.DataFrame(rows, columns=["g", "d", "y"])
    audit = fairstats.audit(table, "d", "g", outcome="y", favorable="low", positive_prediction="high", reference="a")
    rates = fairstats.table(audit, "rates", metric="selection rate").to_frame()
    assert rates["k"].tolist() == ["30", "10"] and rates["rate (%)"].tolist() == ["60.0", "20.0"]
    apart = fairstats.table(audit, "differences", metric="selection rate")
    assert "−40.0" in apart.to_frame()["difference (points)"].tolist()
    assert "high" in apart.caption and "Selection rate" not in apart.caption
    ratios = fairstats.table(audit, "ratios", metric="selection rate")
    assert "d = low" in ratios.caption and "2.00" in ratios.to_frame()["ratio"].tolist()  # 80 % to 40 %


def test_figures_of_a_decision_that_harms_have_the_side_of_the_tables() -> None:
    """Counted by hand: of group a 30 of 50 are flagged, of group b 10 of 50, so 20 and 40 of 50 are not."""
    cells = [("a", "high", 30), ("a", "low", 20), ("b", "high", 10), ("b", "low", 40), ("c", "low", 50)]
    rows = [(group, decision, k % 2) for group, decision, count in cells for k in range(count)]
    table = pd.DataFrame(rows, columns=["g", "d", "y"])
    audit = fairstats.audit(table, "d", "g", outcome="y", favorable="low", positive_prediction="high", reference="a")
    about = {"metric": "selection rate"}
    rates = audit.plot("rates", **about)
    assert "a (n = 50): 60.0%" in rates.alt and "b (n = 50): 20.0%" in rates.alt and "with d = high" in rates.caption
    apart = "Share with d = high, difference: b against a (g): \N{MINUS SIGN}40.0"
    assert apart in audit.plot("differences", **about).alt and apart in audit.plot("claims").alt
    assert "filled: share with d = high. a: 60 of 100" in audit.plot("hundred", **about).alt
    ratios = audit.plot("ratios", **about)
    assert "Share with d = low, ratio: b against a (g): 2.00" in ratios.alt and "d = low, ratios" in ratios.caption
    both = audit.plot("forest", **about).figure
    assert [axes.get_title(loc="left") for axes in both.axes] == ["Share with d = high", "Share with d = low"]
    shown = audit._repr_html_()
    assert "In %: d = high, its gap" in shown and ">\N{MINUS SIGN}40.0 (" in shown and "Selection rate" not in shown


def test_tables_and_figures_call_a_rate_by_the_verb_that_the_report_has() -> None:
    people = {"g": ["a", "b"] * 50, "d": [1, 1, 1, 0] * 25, "y": [1, 1, 0, 0, 1] * 20}
    verbs = {"favorable": "were hired", "unfavorable": "were not hired", "unit": "applicants"}
    verbs |= {"positive": "did well", "negative": "did not"}
    audit = fairstats.audit(people, "d", "g", outcome="y", favorable=1, positive_prediction=1, labels=verbs)
    assert "Share who were hired by g" in fairstats.report(audit).html
    for metric, said in (("selection rate", "hare who were hired"), ("base rate", "hare who did well")):
        for kind in ("rates", "differences", "ratios"):
            assert f"S{said} by g" in fairstats.table(audit, kind, metric=metric).caption, kind
            drawing = audit.plot(kind, metric=metric)
            assert f"s{said}" in drawing.figure.axes[0].get_xlabel() and f"S{said}" in drawing.alt, kind
    assert "filled: share who were hired. a: 100 of 100" in audit.plot("hundred").alt
    assert fairstats.table(audit, "rates", metric="TPR").caption == "True positive rate by g"
    german = fairstats.table(audit, "rates", metric="selection rate", language="de")
    assert german.caption.startswith("Anteil derer, die ")


def test_a_comparison_that_page_one_calls_tentative_is_so_in_every_form_of_its_row() -> None:
    rng = np.random.default_rng(1)
    sex = rng.choice(["F", "M"], 3000, p=[0.45, 0.55])
    score = rng.normal(size=3000) + 0.15 * (sex == "M")
    hired, good = score + rng.normal(0, 0.5, 3000) > 0.4, score + rng.normal(0, 1, 3000) > 0.2
    people = pd.DataFrame({"sex": sex, "hired": hired, "good": good})
    result = fairstats.audit(people, "hired", "sex", outcome="good")
    found = {
        metric: fairstats.table(result, "differences", metric=metric).to_frame()["verdict"].iloc[-1]
        for metric in ("selection rate", "FPR", "TNR", "FNR", "TPR", "PPV")
    }
    assert found["TPR"] == found["FNR"] and found["TNR"] == found["FPR"]  # what is left of a rate is the same claim
    tentative = {metric for metric, verdict in found.items() if verdict == "tentative \N{DAGGER}"}
    assert tentative and "selection rate" not in tentative
    for row in result.estimates.only(contrast="difference", role="main", metric=tuple(found)):
        assert ("tentative" in row.reason) == (row.metric in tentative)
        assert ("tentative" in repr(fairstats.Estimates([row]))) == (row.metric in tentative)
        assert ("tentative \N{DAGGER}" in row._repr_html_()) == (row.metric in tentative)
        assert row.verdict == "inconclusive" or row.p_adjusted < 0.05  # the code is of the declared family
    assert {row.metric for row in result.claims() if "tentative" in row.reason} == tentative & {"FPR", "FNR", "PPV"}
    assert result.tidy().reason.str.contains("tentative").sum() >= len(tentative)


def test_a_verdict_is_tentative_in_tables_and_figures_where_it_is_in_the_report() -> None:
    """Of 200 people each 100 and 122 were selected: p = 0.03, above a third of the level, below the level."""
    counts = [("a", 1, 200, 100), ("a", 0, 200, 20), ("b", 1, 200, 122), ("b", 0, 200, 60)]
    rows = [(group, int(k < selected), y) for group, y, people, selected in counts for k in range(people)]
    data = pd.DataFrame(rows, columns=["g", "d", "y"])
    audit = fairstats.audit(data, "d", "g", outcome="y", favorable=1, reference="b", margin=0.05)
    missed = fairstats.table(audit, "differences", metric="FNR")
    assert "tentative \N{DAGGER}" in missed.to_frame()["verdict"].tolist() and "\N{DAGGER} Tentative" in missed.note
    drawn = audit.plot("differences", metric="FNR")
    assert "not settled" in drawn.alt and "or tentative." in drawn.caption
    selected = fairstats.table(audit, "differences", metric="selection rate")
    assert "beyond margin" in selected.to_frame()["verdict"].tolist()  # 120 and 182 of 400
    assert re.search(r">[\d.]+ \N{DAGGER}<", audit._repr_html_())


def test_all_groups_at_once_of_several_classes_have_their_one_test() -> None:
    """Pearson's test of the table of groups by classes, as SciPy has it."""
    counts = np.array([[30, 50, 20], [40, 25, 35]])
    rows = [("ab"[g], "lmh"[c]) for g in range(2) for c in range(3) for _ in range(counts[g, c])]
    audit = fairstats.audit(pd.DataFrame(rows, columns=["g", "d"]), "d", "g")
    shown = fairstats.table(audit, "at once")
    p = words.p_value(stats.chi2_contingency(counts).pvalue)
    assert shown.to_frame()["omnibus p"].tolist() == [p] and "Pearson" in shown.note


def test_models_compared_have_the_change_of_every_gap_and_pay_the_figures_of_its_law() -> None:
    """The numbers are those of the rows; p is the adjusted one, as in the summary."""
    rng = np.random.default_rng(0)
    sex, old = rng.choice(["f", "m"], 400), rng.integers(0, 2, 400)
    people = pd.DataFrame({"sex": sex, "old": old, "new": np.where(rng.random(400) < 0.1, 1 - old, old)})
    people["pay"], people["grade"] = rng.lognormal(3, 0.2, 400).round(2), rng.choice(["a", "b"], 400)
    models = fairstats.compare_models(people, ["old", "new"], "sex", reference="m")
    (line,) = fairstats.table(models).to_frame().to_numpy().tolist()
    gaps = {name: 100 * (people[sex == "f"][name].mean() - people[sex == "m"][name].mean()) for name in ("old", "new")}
    shown = [float(cell.replace("−", "-")) for cell in line[1:4]]
    assert shown == pytest.approx([gaps["old"], gaps["new"], gaps["new"] - gaps["old"]], abs=0.051)
    (row,) = models.estimates.where(role="main", contrast="difference")
    assert line[-2:] == [f"{row.p_adjusted:.3f}", "no"]
    pay = fairstats.pay_transparency(people, pay="pay", groups="sex", category="grade", reference="m")
    assert fairstats.table(pay).to_frame()["point"].tolist() == ["(a)", "(c)"]
    assert fairstats.table(pay, "shares").to_frame()["point"].tolist() == ["(f)"] * 4
    assert fairstats.table(pay, "categories").to_frame()["grade"].tolist() == ["a", "b"]
    assert latex_file([pay]).count(b"begin{table}") == 3


def test_differences_of_errors_are_those_of_the_rows_and_of_each_rate_alone() -> None:
    rng = np.random.default_rng(7)
    people = {"g": rng.choice(list("abc"), 900), "y": rng.integers(0, 2, 900), "d": rng.integers(0, 2, 900)}
    result = fairstats.audit(people, "d", "g", outcome="y")
    lines = fairstats.table(result, "error differences").to_frame()
    frame = pd.DataFrame(people)
    rates = frame[frame.y == 1].groupby("g").d.mean()
    (base,) = lines["group"][lines["verdict"] == "reference"].unique()
    of_tpr = lines[lines["statistic"] == "True positive rate"].set_index("group")
    for group in set("abc") - {base}:
        shown = float(of_tpr["difference (points)"][group].replace("−", "-"))
        assert shown == pytest.approx(100 * (rates[group] - rates[base]), abs=0.051)
    alone = fairstats.table(result, "differences", metric="FPR").to_frame()
    assert (
        lines[lines["statistic"] == "False positive rate"].iloc[:, 1:].to_numpy().tolist() == alone.to_numpy().tolist()
    )
    one = fairstats.table(result, "error differences", metric="FPR").to_frame()
    assert one["statistic"].unique().tolist() == ["False positive rate"]
    assert one.iloc[:, 1:].to_numpy().tolist() == alone.to_numpy().tolist()
    whole = fairstats.table(result, "errors").to_frame()
    rate = fairstats.table(result, "errors", metric="false_positive_rate").to_frame()
    assert list(rate.columns) == ["group", "False positive rate (%)"] and len(whole.columns) > 3
    assert rate["False positive rate (%)"].tolist() == whole["False positive rate (%)"].tolist()


def test_the_table_of_errors_has_the_rates_that_its_figure_draws() -> None:
    rng = np.random.default_rng(7)
    people = {"g": rng.choice(list("ab"), 900), "y": rng.integers(0, 2, 900), "d": rng.integers(0, 2, 900)}
    missed = 100 * (1 - pd.DataFrame(people).query("y == 1").groupby("g").d.mean())
    for predicted, first in ((1, "False negative rate"), (0, "False positive rate")):
        result = fairstats.audit(people, "d", "g", outcome="y", favorable=1, positive_prediction=predicted)
        drawn = dict.fromkeys(re.findall(r"([A-Z][a-z ]+ (?:rate|value)), difference", result.plot("errors").alt))
        shown = [heading.label for heading in fairstats.table(result, "errors").shown.headings[1:]]
        lines = fairstats.table(result, "error differences").to_frame()["statistic"].unique().tolist()
        assert shown[:3] == lines[:3] == [*drawn] and shown[0] == first and "True positive rate" in shown
    result = fairstats.audit(people, "d", "g", outcome="y")
    cells = fairstats.table(result, "errors", metric="FNR").to_frame().set_index("group")["False negative rate (%)"]
    assert [float(cells[g].split(" ")[0]) for g in "ab"] == pytest.approx([missed[g] for g in "ab"], abs=0.051)


def test_an_argument_that_a_table_has_nothing_to_choose_by_is_refused() -> None:
    with pytest.raises(InputError, match=r"metric has 'AUC'; the table 'scores' has no metric to choose; leave it out"):
        fairstats.table(results()["audit of scores"], "scores", metric="AUC")
    with pytest.raises(InputError, match="metric has 'TPR'; the table 'features' has no metric to choose"):
        fairstats.table(results()["proxies"], "features", metric="TPR")
    with pytest.raises(InputError, match="metric has 'TPR'; the table 'clusters' has no metric to choose"):
        fairstats.table(results()["partition"], "clusters", metric="TPR")
    people = {"g": ["a", "b"] * 150, "h": [*"uvvwww"] * 50, "d": [0, 1, 1, 1] * 75}
    result = fairstats.audit(people, "d", ["g", "h"])
    every = fairstats.table(result, "estimates")
    of_g = fairstats.table(result, "estimates", attribute="g")
    assert len(of_g.shown.rows) == len(result.estimates.where(attribute="g")) < len(every.shown.rows)


def test_tables_of_a_clustering_are_those_of_its_report_and_fit_80_columns() -> None:
    groups = pd.DataFrame({"three": np.tile(["African American", "European American", "Asian American"], 20)})
    result = fairstats.fair_spectral_clustering(fairstats.simulate.sbm(60), groups, k=3)
    price = fairstats.table(result, "price")
    assert price.caption == "The price of proportional clusters"
    assert [heading.label for heading in price.shown.headings] == ["quantity", "proportional", "ordinary"]
    plain = fairstats.spectral_clustering(fairstats.simulate.sbm(60), k=3)
    first = price.shown.rows[0]
    for cell, one in zip(first[1:], (result, plain), strict=True):
        assert float(cell) == pytest.approx(one.ratio_cut, rel=1e-3)
    clusters = fairstats.table(result, "clusters")
    lines = str(clusters).splitlines()
    assert max(map(len, lines)) <= 80 and "difference" not in str(clusters)
    assert any(line.startswith("proportional: cluster 1 ") for line in lines)


def test_a_decomposition_has_the_table_of_its_report_whole() -> None:
    """The explained part under the reference's slopes by hand: the difference in means times the slope of men."""
    rng = np.random.default_rng(5)
    people = pd.DataFrame({"sex": rng.choice(["f", "m"], 300), "years": rng.integers(0, 30, 300)})
    people["pay"] = 1000 + 20 * people.years - 100 * (people.sex == "f") + rng.normal(0, 50, 300)
    result = fairstats.decompose(people, "pay", "sex", explained_by="~ years", reference="m", coefficients="reference")
    parts = fairstats.table(result)
    frame = parts.to_frame()
    men, women = (people[people.sex == one] for one in "mf")
    slope = np.polyfit(men.years, men.pay, 1)[0]
    gap, part = women.pay.mean() - men.pay.mean(), slope * (women.years.mean() - men.years.mean())
    whole = frame[frame["variable"] == ""].set_index("part")["estimate"].str.replace("−", "-").astype(float)
    assert whole.to_dict() == pytest.approx(
        {"gap": gap, "accounted for": part, "not accounted for": gap - part}, abs=0.51
    )
    assert "mean of pay (Oaxaca and Blinder): parts" in parts.caption and "95% interval" in frame
    others = fairstats.table(result, "coefficients").to_frame()
    assert others["coefficients"][0] == "the reference's" and len(others) == 6
    assert not {"pooled_with_group", "unexplained"} & set(" ".join(map(str, frame.to_numpy().ravel())).split())


def test_p_beside_an_interval_of_equivalence_is_of_equivalence() -> None:
    result = fairstats.audit(fairstats.arrests(), "released", "sex", favorable="Yes", margin=0.1)
    about = {"metric": "selection rate", "contrast": "difference", "role": "main"}
    (row,) = (one for one in result.estimates.only(**about) if one.verdict == "equivalence shown")
    assert row.p_equivalence < 0.001 < row.p_value  # of "no difference" it is another p
    frame = fairstats.table(result, "estimates").to_frame()
    (line,) = frame[(frame["level"] == "90%") & (frame["estimate"] == "3.1 points")].to_dict("records")
    assert line["p"] == "<0.001" and line.get("adjusted p", "<0.001") == "<0.001"


def test_changes_of_models_say_level_and_finding_of_each_interval() -> None:
    """Tango's interval of paired accuracies by hand, at 1 − 2·0.05/3: three comparisons of accuracy are one family."""
    rng = np.random.default_rng(1)
    n, margin = 3000, 0.03
    g, y = rng.choice(list("abc"), n), rng.integers(0, 2, n)
    old = rng.integers(0, 2, n)
    people = pd.DataFrame({"g": g, "y": y, "A": old, "A2": np.where(rng.random(n) < 0.03, 1 - old, old)})
    found = fairstats.compare_models(people, ["A", "A2"], "g", outcome="y", margin=margin)
    table = fairstats.table(found)
    frame = table.to_frame()
    (line,) = frame[frame["of"] == "everybody"].to_dict("records")
    right = [(people[name] == y).to_numpy() for name in ("A", "A2")]
    b, c = int((right[1] & ~right[0]).sum()), int((right[0] & ~right[1]).sum())

    def score(d: float) -> float:
        first = -b - c + (2 * n - b + c) * d
        q = (np.sqrt(first**2 + 8 * n * c * d * (1 - d)) - first) / (4 * n)
        return float((b - c - n * d) / np.sqrt(n * (2 * q + d * (1 - d))))

    z = stats.norm.isf(0.05 / 3)
    low, high = (optimize.brentq(lambda d, s=s: score(d) - s * z, -0.2, 0.2) for s in (1, -1))
    assert -margin < low < high < margin
    p = min(1.0, 3 * max(stats.norm.sf(score(-margin)), stats.norm.cdf(score(margin))))
    shown = f"96.67%: {100 * low:.1f} to {100 * high:.1f}".replace("-", "−")
    assert line["95% CI, adjusted"] == shown and line["shown"] == "within margin"
    assert line["adjusted p"] == ("<0.001" if p < 0.001 else f"{p:.3f}")
    other = frame[~frame["95% CI, adjusted"].str.contains(":")]
    assert len(other) and set(other["shown"]) <= {"no", "smaller", "larger", "changed"}
    assert "(95% and 96.67% by itself)" in table.note and "(each at 97.5%)" in table.note
    alike = fairstats.table(fairstats.compare_models(people[g != "c"], ["A", "A2"], "g", margin=margin))
    assert alike.to_frame()["90% CI"].notna().all() and "90% by itself" in alike.note and "95%" not in alike.note


def three_models() -> pd.DataFrame:
    rng = np.random.default_rng(5)
    n = 900
    people = pd.DataFrame({"g": rng.choice(list("abc"), n), "y": rng.integers(0, 2, n)})
    for name, wrong in (("A", 0.3), ("B", 0.3), ("C", 0.2)):
        people[name] = np.abs(people["y"] - 0.4 - 0.2 * (rng.random(n) < wrong) * (people["g"] == "a")).round(2)
    return people


def test_tables_of_several_models_and_groups_are_narrow_and_leave_scores_as_they_are() -> None:
    """Gaps by hand; the areas are those of everybody; eight columns at most, which a page has room for."""
    people = three_models()
    found = fairstats.compare_models(people, ["A", "B", "C"], "g", outcome="y", threshold=0.5, reference="b")
    changes, every = fairstats.table(found), fairstats.table(found, "models")
    assert len(changes.shown.headings) <= 8 and len(every.shown.headings) <= 8
    rate = people.assign(**{name: people[name] >= 0.5 for name in "ABC"}).groupby("g")[list("ABC")].mean() * 100
    frame = changes.to_frame()
    gap, selected = rate.loc["a"] - rate.loc["b"], frame["rate"] == "Selection rate"
    (change,) = frame[selected & (frame["of"] == "a − b") & (frame["models"] == "C − A")]["change (points)"]
    assert float(change.replace("−", "-")) == pytest.approx(gap["C"] - gap["A"], abs=0.051)
    areas = [roc_auc_score(people["y"], people[name]) for name in "ABC"]
    of_areas = frame[(frame["rate"] == "AUC") & (frame["of"] == "everybody")]["change (points)"]
    assert [float(x.replace("−", "-")) for x in of_areas] == pytest.approx([x - areas[0] for x in areas[1:]], abs=6e-4)
    lines = every.to_frame()
    of_a = lines[lines["of"] == "a"]["gap: selection rate (points)"]
    assert [float(x.replace("−", "-")) for x in of_a] == pytest.approx(gap.tolist(), abs=0.051)
    assert not any(name.startswith(("gap: accuracy", "gap: AUC")) for name in lines) and "TPR: true" in every.note
    area = fairstats.table(found, "models", metric="AUC").to_frame()
    assert "gap: AUC" in area and "gap: selection rate (points)" not in area
    with pytest.raises(InputError, match=r"metric has 'FNR'; this result has no rows of that; name another metric"):
        fairstats.table(found, "models", metric="FNR")


def test_an_alternative_has_its_conditions_first() -> None:
    people = three_models().round(dict.fromkeys("ABC", 0)).astype(dict.fromkeys("ABC", int))
    found = fairstats.alternatives(people, ["A", "B", "C"], "g", outcome="y", margin=0.5, gap_margin=0.5)
    table, asked = fairstats.table(found), found.conditions()
    assert table.shown == fairstats.table(found, "conditions").shown
    assert len(asked) > 1 and table.to_frame()["condition"].tolist() == asked["condition"].tolist()
    assert table.to_frame()["shown"].eq("yes").tolist() == asked["shown"].tolist()


def test_groups_known_as_probabilities_have_their_bounds_first() -> None:
    """The ends of the bound by hand: a person of probability p selected at rate q is both with at most min(p, q)."""
    size, p, q = 400, np.array([0.1, 0.9]), np.array([0.75, 0.25])
    people = {"p": np.repeat(p, size)}
    people["hired"] = np.concatenate([np.arange(size) < rate * size for rate in q]).astype(int)
    people |= {"q": 0.6 * (1 - people["p"]), "r": 0.4 * (1 - people["p"])}
    found = fairstats.group_probabilities(people, "hired", {"f": "p", "m": "q", "x": "r"}, reference="m")
    table = fairstats.table(found)
    frame = table.to_frame()
    assert [*frame["group"]] == ["m (reference)", "f", "limits", "x", "limits"]
    assert (
        "below the bound its 95% CI, adjusted" in table.note
        and "97.5%" in table.note
        and "hold together at 95%" in table.note
    )
    shares = {"f": p, "m": 0.6 * (1 - p), "x": 0.4 * (1 - p)}
    for group in ("f", "x"):
        (line,) = frame[frame["group"].str.contains(group) & ~frame["group"].str.contains("reference")].to_dict(
            "records"
        )
        one, other = shares[group], shares["m"]
        ends = []
        for sign in (1, -1):  # in each cell a linear program in two unknowns: who of the selected are in either group
            value = 0.0
            for a, b, rate in zip(one, other, q, strict=True):
                costs = [-sign / one.sum(), sign / other.sum()]
                region = {"A_ub": [[1, 1], [-1, -1]], "b_ub": [rate, -max(0.0, rate - (1 - a - b))]}
                value += sign * -optimize.linprog(costs, **region, bounds=[(0, a), (0, b)]).fun
            ends.append(100 * value)
        assert [float(x.replace("−", "-")) for x in line["bound of the gap (points)"].split(" to ")] == pytest.approx(
            sorted(ends), abs=0.051
        )
    every = fairstats.table(found, "estimates").to_frame()
    assert len(every) == len(found.estimates) and {"95%", "97.5%"} <= set(every["level"])
    assert latex_file([found]).count(b"begin{table}") == 1


def test_proxies_have_adjusted_p_beside_adjusted_limits() -> None:
    """Bonferroni by hand: p times the number of features, at most 1; limits leave out 0.5 where it is below 0.05."""
    rng = np.random.default_rng(3)
    sex = rng.choice(["f", "m"], 600)
    people = {"sex": sex, **{f"x{i}": rng.normal(size=600) + 0.12 * i * (sex == "m") for i in range(6)}}
    found = fairstats.proxies(people, "sex")
    table = fairstats.table(found)
    frame = table.to_frame().set_index("feature")
    assert list(frame.index) == [row.term for row, _ in found.features()] and len(frame) == 6
    assert "99.17%" in table.note and "m against f" in table.note
    for row, added in found.features():
        line = frame.loc[row.term]
        for one, column in ((row, "adjusted p"), (added, "added to the others, adjusted p")):
            assert line[column] == words.p_value(min(1.0, 6 * one.p_value))
        low = float(line["95% CI, adjusted"].split(" to ")[0])
        assert (low > 0.5) == (min(1.0, 6 * row.p_value) < 0.05)
    every = fairstats.table(found, "estimates").to_frame()
    assert {"adjusted p", "level"} <= set(every) and every["level"].tolist().count("99.17%") == 12


def test_methods_compared_have_a_line_each_first() -> None:
    result = made("comparison")
    table = fairstats.table(result)
    frame = table.to_frame()
    assert len(frame) == len(result.terms) and frame.columns[0].startswith("method")
    splits = result.splits_frame()
    everybody = splits[(splits.attribute == "") & (splits.metric == "AUC")]
    means = everybody.groupby("term", sort=False).estimate.mean()
    assert frame["AUC"].astype(float).tolist() == pytest.approx(
        means[[t.name for t in result.terms]].tolist(), abs=6e-4
    )
    assert fairstats.table(result, metric="AUC").shown == fairstats.table(result, "groups", metric="AUC").shown
    with pytest.raises(InputError, match="metric has 'AUC'; the table 'methods' has no rows of that"):
        fairstats.table(result, "methods", metric="AUC")


def test_a_trade_off_has_a_line_a_method_first() -> None:
    rng = np.random.default_rng(0)
    g = np.repeat(["a", "b"], 100)
    X = rng.standard_normal((200, 4)) * [3, 2, 1, 1] + 2.0 * (g == "b")[:, None]
    found = fairstats.tradeoff(X, g, ["pca", ("fair_pca", {"k": [1, 2]})])
    table = fairstats.table(found)
    assert table.to_frame()["components"].tolist() == ["2", "1", "2"] and "hold for all numbers" in table.note
    costs = found.estimates.only(attribute="", versus="")
    assert table.to_frame()["error"].astype(float).tolist() == pytest.approx([r.estimate for r in costs], rel=1e-3)
    assert len(fairstats.table(found, "differences").shown.rows) == 1  # of as many components


def test_what_a_method_does_not_take_is_answered():
    result = fairstats.audit({"g": ["a", "b"] * 50, "d": [1, 0, 0, 1] * 25}, "d", "g")
    table = fairstats.table(result)
    for call, text in (
        (
            lambda: table.to_csv("x.csv"),
            "to_csv has 1 argument by position; it takes none so; name the others, as in numbers=; save(path) writes a "
            "file.",
        ),
        (lambda: table.to_html(path="x"), "path is no argument of to_html; it has none; save(path) writes a file."),
        (table.save, "path is absent; save needs it; pass it."),
        (lambda: result.summary("rates"), "summary takes no argument."),
        (lambda: result.finding(attribute="g"), "attribute is no argument of finding; it has none."),
    ):
        with pytest.raises(InputError) as raised:
            call()
        assert str(raised.value) == text


def test_latex_has_hyphens_quotes_and_small_numbers_as_a_typesetter_writes_them() -> None:
    assert exports.escaped("African-American, O'Brien's") == "African-American, O'Brien's"
    assert exports.escaped("a--b ''c'' \"d\"") == "a-{}-b '{}'c'{}' {''}d{''}"  # neither a dash nor a quotation mark
    assert exports.escaped("3.311e−17, 2e5") == r"3.311$\times10^{-17}$, 2e5"
    assert exports.escaped("1e−09") == r"1$\times10^{-9}$"


def test_intervals_stand_below_their_numbers_where_a_table_of_latex_is_wide() -> None:
    rng = np.random.default_rng(0)
    people = {"g": rng.choice(["a", "b"], 600), "d": rng.integers(0, 2, 600), "y": rng.integers(0, 2, 600)}
    found = fairstats.audit(people, "d", "g", outcome="y")
    whole, one = fairstats.table(found, "errors"), fairstats.table(found, "errors", metric="FPR")
    assert whole.caption == "Rates of errors and right decisions by g, with intervals"
    assert one.caption == "False positive rate by g, with intervals"
    cell = whole.shown.rows[0][2]
    number, interval = cell.split(" ", 1)
    assert rf"& \shortstack[r]{{{number}\\{interval}}} &" in whole.to_latex() and cell not in whole.to_latex()
    assert one.shown.rows[0][1] in one.to_latex()


def test_a_heading_in_latex_is_no_wider_than_its_column() -> None:
    result = results()["audit"]
    head = fairstats.table(result, "differences").to_latex().split("\\toprule\n")[1].split(" \\\\\n")[0]
    assert r"\shortstack[r]{difference\\(points)} &" in head and head.startswith("group & rate (\\%) &")


def test_differences_of_errors_name_their_methods_once() -> None:
    rng = np.random.default_rng(0)
    people = {"g": rng.choice(["a", "b", "c"], 600), "d": rng.integers(0, 2, 600), "y": rng.integers(0, 2, 600)}
    found = fairstats.audit(people, "d", "g", outcome="y")
    whole, one = (fairstats.table(found, "error differences"), fairstats.table(found, "differences", metric="FPR"))
    assert whole.note.count("Miettinen") == whole.note.count("Intervals are adjusted for 2 comparisons") == 1
    assert [row[2:] for row in whole.shown.rows if row[0] == "False positive rate"] == [
        row[1:] for row in one.shown.rows
    ]


def test_a_table_has_the_language_of_its_readers(tmp_path):
    """Words and decimal marks; what a spreadsheet computes with stays a number, and a missing group has a name."""
    people = {"sex": ["f", "m", None] * 40, "hired": [1, 0, 0, 1, 1, 0] * 20}
    result = fairstats.audit(people, "hired", "sex")
    built = fairstats.table(result, "differences", language="de")
    assert {row[0] for row in built.shown.rows} == {"Frauen", "Männer", "(ohne\u00a0Angabe)"}
    assert "(missing)" not in str(built)
    assert built.shown.headings[0].label == "Gruppe" and built.shown.rows[1][1] == "50,0"
    english = fairstats.table(result, "differences")
    numbers = [[row[1], row[2]] for row in csv.reader(built.to_csv().splitlines()[1:])]
    english = csv.reader(fairstats.table(result, "differences").to_csv().splitlines()[1:])
    assert numbers == [[row[1], row[2]] for row in english]
    sheet = pytest.importorskip("openpyxl").load_workbook(built.save(tmp_path / "t.xlsx")).active
    assert sheet.cell(5, 2).value == 50.0
    with pytest.raises(InputError, match="language has 'fr'"):
        fairstats.table(result, language="fr")


def test_the_note_of_a_joined_table_says_what_is_common_once_and_names_whose_the_rest_is() -> None:
    counts = [{"a": (274, 84), "b": (264, 125), "c": (262, 133)}, {"a": (23, 11), "b": (19, 7), "c": (18, 12)}]
    audits = []
    for one in counts:
        rows = [(g, int(i < k)) for g, (n, k) in one.items() for i in range(n)]
        audits.append(fairstats.audit(pd.DataFrame(rows, columns=["g", "d"]), "d", "g", reference="a"))
    rows = [one.estimates.only(metric="selection rate", contrast="difference", role="main") for one in audits]
    methods = [{r.group: r.method for r in one if r.group in "bc"} for one in rows]
    assert methods[0]["b"] != methods[0]["c"] or methods[0] != methods[1]
    note = fairstats.table({"first": audits[0], "second": audits[1]}, "differences").note
    for common in ("Method:", "Miettinen", "Intervals are adjusted for 2 comparisons"):
        assert note.count(common) == 1, note
    assert "first: " in note and "(b)" in note.partition("first: ")[2] and "(c)" in note.partition("first: ")[2]
    once = fairstats.table({"first": audits[0], "second": audits[0]}, "differences").note
    assert once.count("Fisher") == 1 and "first:" not in once


def test_a_note_of_ones_own_replaces_that_of_the_table(tmp_path: Path) -> None:
    table = fairstats.table(fairstats.audit({"g": ["a", "b"] * 40, "d": [0, 1, 1, 1] * 20}, "d", "g"), "rates")
    assert "50\\% of A\\_b" in (text := table.to_latex(note="50% of A_b")) and "Wilson" not in text
    assert "Wilson" in table.to_latex() and "Wilson" not in table.to_latex(note="") + table.to_markdown(note="")
    assert "mine" in table.to_markdown(note="mine")
    saved = table.save(tmp_path / "t.tex", caption="Who was hired", note="mine").read_text()
    assert "Who was hired" in saved and "mine" in saved and "Wilson" not in saved and table.caption not in saved
    from openpyxl import load_workbook

    sheet = load_workbook(table.to_xlsx(tmp_path / "t.xlsx", note="mine")).active
    cells = [cell for row in sheet.values for cell in row]
    assert "mine" in cells and not any("Wilson" in str(cell) for cell in cells)


def test_ratios_have_no_column_of_verdicts_and_an_audit_of_scores_begins_with_them() -> None:
    rng = np.random.default_rng(5)
    data = {"g": rng.choice(["a", "b"], 400), "y": rng.integers(0, 2, 400), "s": rng.random(400)}
    audit = fairstats.audit(data, "y", "g")
    assert list(fairstats.table(audit, "ratios").to_frame().columns)[-1] == "adjusted p"
    assert list(fairstats.table(audit, "differences").to_frame().columns)[-1] == "verdict"
    scores = fairstats.audit(data, score="s", outcome="y", groups="g")
    begins, table = str(fairstats.table(scores)), str(fairstats.table(scores, "scores"))
    assert " ".join(begins.split()).startswith(f"{' '.join(table.split())} Other tables: 'rates', 'differences', ")
    area = [h for h in fairstats.table(scores, "scores").shown.headings if "CI" in h.label]
    assert [h.label for h in area] == ["95% CI", "95% CI"]
    three = fairstats.audit(data | {"g": rng.choice(["a", "b", "c"], 400)}, score="s", outcome="y", groups="g")
    joint = fairstats.table(three, "scores")
    assert [h.label for h in joint.shown.headings if "CI" in h.label] == ["95% CI", "95% CI, adjusted"]
    assert "Intervals are adjusted for 2 comparisons, to hold together with 95%." in joint.note
    both = fairstats.audit(data, "y", "g", score="s")
    begins, table = str(fairstats.table(both)), str(fairstats.table(both, "rates"))
    named = "'differences', 'ratios', 'impact' and 'scores'"  # every one, not the nearest alone
    assert " ".join(begins.split()) == f"{' '.join(table.split())} Other tables: {named} (kind=)."


def test_the_table_of_means_has_standard_errors_and_the_differences_of_amounts_without_a_gap() -> None:
    rng = np.random.default_rng(7)
    people = pd.DataFrame(
        {"sex": rng.choice(["f", "m"], 300), "pay": rng.normal(30, 4, 300), "y": rng.integers(0, 2, 300)}
    )
    people["w"], people["unit"] = rng.uniform(1, 3, 300), rng.integers(0, 30, 300)
    for design in ({}, {"design": fairstats.survey_design(weights="w", clusters="unit")}):
        of = {"amount": "pay", "groups": "sex", "reference": "m", **design}
        result = fairstats.audit(people, **of)
        assert str(fairstats.table(result)).endswith("Other tables: 'means' (kind=).")
        table = fairstats.table(result, "means")
        assert table.caption == fairstats.table(result, metric="mean amount").caption == "Mean pay by sex"
        rows = {row.group: row for row in result.estimates.where(metric="mean amount", contrast="none")}
        for line in table.to_frame().to_dict("records"):
            row = rows[{"Women": "f", "Men": "m"}[line["group"]]]
            assert float(line["mean"]) == pytest.approx(row.estimate, abs=0.01)
            assert float(line["std. error"]) == pytest.approx(row.std_error, abs=0.01)
        in_points = fairstats.audit(people, unit="points", **of)
        points = fairstats.table(in_points, "means")
        assert points.caption == "Mean pay by sex; difference from Men" and "difference (points)" in points.to_frame()
        german = fairstats.table(in_points, "means", language="de")
        assert {"Mittelwert (points)", "Differenz (points)"} <= set(german.to_frame())  # a unit is data
        assert str(fairstats.table(in_points, "gaps")) == str(points)
        assert fairstats.table(result, "means", metric="median amount").caption == "Median pay by sex"
        for word in ("pay", "mean", "amount"):
            with pytest.raises(InputError, match=f"metric has '{word}'; .*pass 'mean amount', or kind='means'"):
                fairstats.table(result, metric=word)
        renamed = fairstats.audit(people.rename(columns={"pay": "median rent"}), **of | {"amount": "median rent"})
        with pytest.raises(InputError, match=r"metric has 'median rent'; .*pass 'mean amount'"):
            fairstats.table(renamed, metric="median rent")
        with pytest.raises(InputError, match=r"metric has 'medians'; .*pass 'median amount'"):
            fairstats.table(renamed, metric="medians")
        both = fairstats.audit(people, "y", **of)
        assert "'gaps' and 'means' (kind=)." in " ".join(str(fairstats.table(both)).split())


def test_scores_of_a_survey_have_their_standard_errors() -> None:
    rng = np.random.default_rng(8)
    people = pd.DataFrame({"g": rng.choice(["a", "b"], 300), "s": rng.random(300), "w": rng.uniform(1, 3, 300)})
    people["unit"] = rng.integers(0, 30, 300)
    design = fairstats.survey_design(weights="w", clusters="unit")
    result = fairstats.audit(people, groups="g", score="s", design=design)
    (row,) = result.estimates.where(metric="P(X>Y)", given="")
    assert fairstats.table(result).to_frame()["std. error"].tolist() == [f"{row.std_error:.3f}"]


def test_audits_without_a_table_in_common_are_no_heap_of_estimates() -> None:
    rng = np.random.default_rng(9)
    people = pd.DataFrame(
        {"g": rng.choice(["a", "b"], 200), "y": rng.integers(0, 2, 200), "pay": rng.normal(30, 4, 200)}
    )
    audits = {"who": fairstats.audit(people, "y", "g"), "pay": fairstats.audit(people, amount="pay", groups="g")}
    with pytest.raises(
        InputError, match=r"no table in common .*'who' has rates, .*'pay' has gaps, means; .*'estimates'"
    ):
        fairstats.table(audits)
    assert fairstats.table(audits, "estimates").to_frame()["result"].nunique() == 2


def test_changes_and_subgroups_have_tables_of_a_line_each() -> None:
    rng = np.random.default_rng(6)
    early, late = ({"g": rng.choice(["a", "b", "c"], 400), "y": rng.integers(0, 2, 400)} for _ in range(2))
    change = fairstats.compare_audits(fairstats.audit(early, "y", "g"), fairstats.audit(late, "y", "g"))
    table = fairstats.table(change)
    assert str(table) == str(fairstats.table(change, "changes", metric="selection rate"))
    lines = {line["groups"].split()[0]: line for line in table.to_frame().to_dict("records")}
    assert len(lines) == len(table.to_frame()) == 2
    for group, line in lines.items():
        about = {"group": group, "contrast": "difference"}
        for name in ("before", "after", "change"):
            (row,) = change.estimates.only(estimator=name, **about)
            assert line[f"{name} (points)"] == words.scale(row)(row.estimate)
        assert row.p_adjusted != row.p_value and line["adjusted p"] == words.p_value(row.p_adjusted)
    scan = fairstats.subgroup_scan(early, "y", "g")
    assert str(fairstats.table(scan)) == str(fairstats.table(scan, "subgroups"))
    assert len(fairstats.table(scan).to_frame()) == len(scan.tested())


def test_the_people_of_a_row_of_a_comparison_are_a_mean_over_splits_and_the_note_says_so() -> None:
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"a": rng.normal(size=300), "b": rng.normal(size=300), "g": rng.choice(["f", "m"], 300)})
    frame["y"] = frame.a + rng.normal(size=300) > 0
    result = fairstats.compare(
        frame, outcome="y", groups="g", features=["a", "b"], methods=["none", "leace"], n_repeats=3
    )
    note = "n: people held out whom a number is about, on average over the splits."
    assert note in fairstats.table(result, "estimates").note
    assert fairstats.table(result, "groups").note.startswith("Means over the splits, people held out;")


def test_printed_tables_break_lines_at_blanks_only():
    rng = np.random.default_rng(3)
    table = pd.DataFrame(
        {"Herkunft": rng.choice(["Einheimische", "Zugewanderte"], 4000), "job": rng.choice([*"xy"], 4000)}
    )
    table["d"] = rng.integers(0, 2, 4000)
    two = {name: fairstats.audit(table, "d", "Herkunft", strata="job") for name in ("2023", "2024")}
    for kind in ("rates", "differences"):
        built = fairstats.table(two, kind, language="de")
        printed, words_of = str(built), str(built.to_frame().to_numpy().tolist())
        assert max(map(len, printed.split("\n"))) <= 80
        assert "Zugewanderte" in printed and not re.search(r"\bZugewand\b|\bEinheim\b", printed)
        for number in re.findall("\\d\N{NARROW NO-BREAK SPACE}\\d{3}", words_of):
            assert number in printed
    assert len(re.findall(r"(?m)^Ergebnis", printed)) == 2  # columns that do not fit are below


def test_shares_of_variance_have_their_german_name():
    fit = results()["projection"]
    printed = str(fairstats.table(fit, "components", language="de"))
    assert "Varianzanteil" in printed and "Variance" not in printed


def test_the_note_of_differences_names_no_method_of_rates_whose_intervals_it_does_not_have() -> None:
    people = {"g": ["a", "b"] * 200, "d": [0, 1, 1, 1] * 100, "y": [0, 1, 1, 1, 0, 0, 1, 0] * 50}
    result = fairstats.audit(people, "d", "g", outcome="y")
    for kind in ("differences", "ratios", "error differences"):
        note = fairstats.table(result, kind).note
        assert "Method" in note and "Wilson" not in note, kind
    assert fairstats.table(result, "rates").note.startswith("Method: Wilson score interval")


def test_a_table_of_several_metrics_has_limits_as_numbers_in_every_language():
    people = {"g": ["a", "b"] * 200, "d": [0, 1, 1, 1] * 100, "y": [0, 1, 1, 1, 0, 0, 1, 0] * 50}
    result = fairstats.audit(people, "d", "g", outcome="y")
    metrics = ["selection rate", "TPR"]
    rows = [result.estimates.only(metric=one, contrast="difference", role="main")[0] for one in metrics]
    for language, kind, ends in (
        ("en", "differences", "95% CI, lower limit (points);95% CI, upper limit (points)"),
        ("de", "differences", "95\u00a0%-KI, untere Grenze (%\u2011Punkte);95\u00a0%-KI, obere Grenze (%\u2011Punkte)"),
        ("en", "errors", "True positive rate, lower limit (%);True positive rate, upper limit (%)"),
    ):
        asked = metrics if kind == "differences" else metrics[1]
        built = fairstats.table(result, kind, metric=asked, language=language)
        frame, read = built.to_frame(numbers=True), pd.read_csv(io.StringIO(built.to_csv(numbers=True)))
        assert list(frame) == list(read)
        if kind == "errors":
            rates = result.estimates.only(metric="TPR", contrast="none", role="main")
            expected = {row.group: (row.conf_low, row.conf_high) for row in rates}
            expected = np.array([expected[group] for group in frame["group"]])
        else:
            frame, read = (one[frame.iloc[:, 1] == "b"] for one in (frame, read))
            expected = np.array([(row.conf_low, row.conf_high) for row in rows])
        for one in (frame, read):
            assert one[ends.split(";")].to_numpy(dtype=float) == pytest.approx(100 * expected, abs=0.051)
    assert built.to_frame().iloc[0, 1].endswith(")")  # as shown, where numbers are not asked for


def test_tables_and_figures_of_a_comparison_take_the_labels_of_its_report():
    rng = np.random.default_rng(1)
    frame = pd.DataFrame({"a": rng.normal(size=300), "b": rng.normal(size=300), "g": rng.choice(["f", "m"], 300)})
    frame["y"] = frame.a + (frame.g == "m") + rng.normal(size=300) > 0
    result = fairstats.compare(
        frame, outcome="y", groups="g", features=["a", "b"], methods=["none", "leace"], n_repeats=3
    )
    labels = {"attributes": {"g": "gender"}, "groups": {"g": {"f": "Women", "m": "Men"}}}
    for kind in ("methods", "groups", "differences"):
        named = str(fairstats.table(result, kind, labels=labels))
        assert re.search("women|Women", named) and "f against m" not in named and not re.search(r"\bg\b", named)
    for kind in result.plots:
        drawn = fairstats.plot(result, kind, labels=labels)
        assert kind == "changes" or "Women" in f"{drawn.alt} {drawn.caption}", kind
        assert not re.search(r"\bf\b|\bg\b", drawn.alt), kind
    with pytest.raises(InputError, match="labels names the group 'x'"):
        fairstats.plot(result, labels={"groups": {"g": {"x": "y"}}})
    changed = fairstats.table(result, "differences").to_frame()
    one = changed[changed["method and model"].str.contains("against")]
    assert set(one["groups"]) == {"everybody", "f", "m", "f against m"}
    values = one[one["rate"] == "Positive rate"]
    assert len(values) == len(values["groups"].unique())  # of everybody there is one change, as of each group
