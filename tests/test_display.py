"""What a console and a notebook show of every result: short, readable, escaped, and without effect on the page."""

from __future__ import annotations

import html
import json
import re
from collections import Counter
from dataclasses import replace
from html.parser import HTMLParser
from typing import Any

import numpy as np
import pandas as pd
import pytest

import fairstats
from fairstats.auditing.answer import answers
from fairstats.errors import AbsentError, InputError
from fairstats.estimates import FORMS, Estimate, Estimates, Reads, Worded
from fairstats.reporting.display import markdown_of
from fairstats.text import compact
from tests.reporting.reader import texts
from tests.results import NAMES, results

LIMIT = 8_000  # bytes of a short form
TRAP = '"><script>alert(1)</script>\x1b[2J \u202e'
VOID = {"img"}


class Page(HTMLParser):
    """The elements of a fragment, with their attributes; every one is closed where it was opened."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.fixture(params=NAMES)
def result(request: pytest.FixtureRequest) -> Reads:
    return results()[request.param]


@pytest.mark.long
def test_html_is_tables_and_sentences_with_styles_on_the_elements_only(result: Reads) -> None:
    shown = result._repr_html_()
    page = Page(shown)
    members = {"div", "p", "table", "caption", "thead", "tbody", "tr", "th", "td", "bdi", "code"}
    assert "`" not in shown
    assert {tag for tag, _ in page.tags} <= members
    assert {name for _, attributes in page.tags for name in attributes} <= {"style", "scope", "colspan"}
    assert "<table" in shown and len(shown) < 60_000


@pytest.mark.long
def test_documents_that_are_no_pages_show_the_same_as_markdown(result: Reads) -> None:
    shown, page = markdown_of(result), result._repr_html_()
    assert "<" not in shown.replace("\\<", "") and not re.search("^#", shown, re.MULTILINE)
    assert shown.count("| ---") >= 1 and shown.count("\n\n| ") == page.count("<table")


@pytest.mark.long
def test_html_shows_intervals_verdicts_and_at_most_twenty_lines_a_table() -> None:
    shown = results()["audit"]._repr_html_()
    assert ">shown<" in shown and " to " in shown and "Black" in shown
    many = results()["audit of scores"].estimates._repr_html_()
    assert many.count("<tr") <= 22 and re.search(r"and \d+ more</td>", many)
    assert f"and {len(results()['audit of scores'].estimates) - 20} more" in many


def test_html_of_an_audit_says_what_its_rows_are_compared_with_and_at_which_level() -> None:
    people = pd.DataFrame({"sex": ["f"] * 50 + ["m"] * 50, "race": ["a", "b"] * 50, "d": [0, 1] * 50})
    audited = fairstats.audit(people, "d", ["race", "sex"])
    page = audited._repr_html_()
    assert "page one" not in page and "Selection rate by sex; difference from Women</caption>" in page
    assert {r.reference for r in audited.claims()} <= set(audited.references.values())
    assert ">95% CI, adjusted, points</th>" in page and "interval</th>" not in page
    assert "inconclusive" not in page and "not settled" in page


def crossing(n: int = 1200) -> pd.DataFrame:
    rng = np.random.default_rng(11)
    people = pd.DataFrame({"x": rng.choice([*"ab"], n), "g": rng.choice([*"cde"], n), "s": rng.choice([*"uvw"], n)})
    people["y"] = (rng.random(n) < 0.4).astype(int)
    people["d"] = ((rng.random(n) < 0.25) | (people.y == 1) & (people.x == "a")).astype(int)
    people["w"], people["c"] = rng.uniform(1, 3, n), np.arange(n) // 20
    return people


def rows_of(table: str) -> list[str]:
    """The rows of a table of HTML as text, the cells parted by one space."""
    lines = re.findall(r"<tr[^>]*>(.*?)</tr>", table)
    return [" ".join(html.unescape(re.sub("<[^>]+>", " ", line)).split()) for line in lines]


@pytest.mark.parametrize(
    "options",
    [
        {"outcome": "y"},
        {"outcome": "y", "min_n": 430},
        {"strata": "s"},
        {"outcome": "y", "design": fairstats.survey_design(weights="w", clusters="c")},
        {"outcome": "y", "law": "employment"},
    ],
)
def test_html_of_an_audit_has_the_answers_and_the_table_of_its_print(options: dict[str, Any]) -> None:
    result = fairstats.audit(crossing(), "d", ["g", "x"], **options)
    page, printed = result._repr_html_(), str(result)
    assert page.count("<table") == 1 and "Comparisons with the reference" not in page
    lines = [" ".join(line.split()) for line in printed.split("\n")]
    start = next(at for at, line in enumerate(lines) if line.startswith(("people rate", "selected/all rate")))
    rows = rows_of(re.search(r"<table.*?</table>", page)[0])
    assert rows == lines[start : start + len(rows)] and len(rows) == 8  # headings, two attributes, five groups
    shown = [" ".join(html.unescape(re.sub("<[^>]+>", "", one)).split()) for one in re.findall(r"<p .*?</p>", page)]
    answer = printed.split("\n\n")[1].partition("\n\N{HORIZONTAL ELLIPSIS}")[0].replace("`", "")
    assert shown[0] == lines[0] and " ".join(shown[1:]).startswith(" ".join(answer.split()))
    assert shown[1] in " ".join(answer.split()) and len(shown[1]) < 350  # an answer a paragraph
    assert ("Also compared: " in printed) == any(one.startswith("Also compared: ") for one in shown)


def test_tables_of_an_audit_in_a_notebook_name_groups_as_its_sentences_do() -> None:
    named = {"groups": {"x": {"a": "Newcomers", "b": "Residents"}}, "attributes": {"x": "origin"}}
    page = fairstats.audit(crossing(), "d", "x", outcome="y", labels=named)._repr_html_()
    assert ">Newcomers<" in page and "Newcomers had" in page and ">origin<" in page
    assert not re.search(">(a|b|x)<", page)


@pytest.mark.long
def test_text_and_notebook_are_renderings_of_one_document(result: Reads) -> None:
    if not isinstance(result, Worded):
        return
    wording = Counter(word for word in result.summary().split() if word.strip("-"))
    shown = Counter(word for _, text in texts(result._repr_html_()) for word in text.split())
    assert not wording - shown and sum(wording.values()) > 40
    assert max(map(len, result.summary().split("\n"))) <= 80


def test_numbers_are_written_as_in_the_report() -> None:
    audit = results()["audit"]
    page = fairstats.report(audit).html
    cells = re.findall(r"<td[^>]*>([-0-9.]+ to [-0-9.]+)</td>", audit._repr_html_())
    assert cells and all(cell in page for cell in cells)


def test_what_comes_from_data_is_escaped() -> None:
    table = pd.DataFrame({"g": [TRAP, "b"] * 60, "d": [0, 1, 1, 1, 1] * 24, "x": np.arange(120.0) % 7})
    audit = fairstats.audit(table.rename(columns={"g": f"g{TRAP}"}), "d", f"g{TRAP}")
    fit = fairstats.og(["x"], "g", k=1, data=table)
    for shown in (audit._repr_html_(), audit.estimates._repr_html_(), fit._repr_html_()):
        assert "<script" not in shown and "\x1b" not in shown and "\u202e" not in shown
        Page(shown)
    assert "<bdi>" in audit._repr_html_()


def test_ipython_shows_the_summary_within_a_screen(result: Reads) -> None:
    pretty = pytest.importorskip("IPython.lib.pretty", reason="IPython is not installed; it is among the extra dev")
    shown = pretty.pretty(result).split("\n")
    assert len(shown) <= 60 and max(map(len, shown)) <= 80
    if not isinstance(result, fairstats.Estimates):
        assert shown[:20] == str(result).split("\n")[:20]


def test_a_long_summary_says_how_much_is_left() -> None:
    pretty = pytest.importorskip("IPython.lib.pretty", reason="IPython is not installed; it is among the extra dev")

    class Long(Reads):
        def summary(self) -> str:
            return "\n".join(map(str, range(100)))

    assert pretty.pretty(Long()).endswith("\n58\n... and 41 more lines; print(result) shows all")
    for name, one in results().items():
        if name.startswith(("audit", "comparison")):  # printed is the answer; the summary is the long one
            most = 29 if "strata" in name or "scores" in name else 25  # one table of all attributes
            assert str(one) == pretty.pretty(one) and len(str(one).split("\n")) <= most


def test_short_forms_are_short(result: Reads) -> None:
    assert len(repr(result).encode()) <= LIMIT
    if not isinstance(result, fairstats.Estimates):
        assert "\n" not in repr(result)


@pytest.mark.long
def test_short_forms_are_short_whatever_the_data_call_their_groups() -> None:
    labels = [f"{'ä long name ' * 30}{i}" for i in range(60)]
    table = pd.DataFrame({"g": labels * 10, "d": np.arange(600) % 3 == 0, "x": np.arange(600) % 11})
    audit = fairstats.audit(table, "d", "g")
    wide = pd.DataFrame(np.arange(12_000.0).reshape(4, 3000) % 5, columns=[f"feature {i}" for i in range(3000)])
    moments = fairstats.moments(wide.assign(g=["a", "b"] * 2), "g")
    report = fairstats.report(results()["audit"])
    for one in (
        audit,
        audit.estimates,
        fairstats.og(["x"], "g", k=1, data=table),
        moments,
        report,
        fairstats.tally(table, "d", "g"),
    ):
        assert len(repr(one).encode()) <= LIMIT, type(one)
    shown = repr(audit.estimates)  # labels that differ at their ends can be told apart
    assert all(re.search(rf"^  .*name {i}$", shown, re.MULTILINE) for i in (0, 1, 10, 26))
    assert "\n" not in repr(report) + repr(moments)


def test_a_report_is_a_separate_document_in_a_notebook() -> None:
    report = fairstats.report(results()["audit"])
    ((tag, attributes),) = Page(report._repr_html_()).tags
    assert tag == "iframe" and attributes["srcdoc"] == report.html
    assert "allow-scripts" not in attributes["sandbox"] and "allow-same-origin" not in attributes["sandbox"]
    assert repr(report).startswith("<Report: ") and html.escape(report.title) in report._repr_html_()


def test_one_estimate_says_what_it_is_its_number_interval_and_verdict() -> None:
    rows = results()["audit"].estimates.where(role="main", contrast="difference")
    text = repr(rows[0])
    number = r"−?0\.\d+"
    start = "<Estimate: selection rate · colour = Black vs White · difference: "
    assert re.fullmatch(rf"{start}{number}; 95% interval {number} to {number}; p [=<] 0\.\d+; n = \d+; [a-z ]+>", text)
    assert "<table" in rows[0]._repr_html_() and "nan" not in text
    trap = fairstats.Estimate("TPR", "sex", TRAP, reason=TRAP)
    assert "\x1b" not in repr(trap) and "<script" not in trap._repr_html_() and "no number" in repr(trap)
    same = [fairstats.Estimates([fairstats.Estimate("TPR", n=n, p_value=float("nan"))]) for n in (3, 3, 4)]
    assert same[0] == same[1] != same[2] and hash(same[0]) == hash(same[1]) and same[0] != fairstats.Estimates([])


@pytest.mark.long
@pytest.mark.parametrize("name", NAMES)
def test_what_people_look_for_on_a_result_is_answered_with_the_code_that_does_it(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = results()[name]
    assert not hasattr(result, "to_nothing") and not hasattr(result, "to_latex")
    with pytest.raises(AttributeError, match="to_nothing"):
        result.to_nothing  # noqa: B018
    absent = {form: code for form, code in FORMS.items() if not hasattr(type(result), form)}
    assert len(absent) >= len(FORMS) - 1  # a table of estimates has to_frame
    for form, code in absent.items():
        with pytest.raises(AbsentError, match=re.escape(f"{form} is no method of {type(result).__name__}; {code} ")):
            getattr(result, form)
    runs = FORMS.values() if name == "audit" else (FORMS["to_latex"], FORMS["to_df"])
    for code in runs:
        assert eval(code, {"fs": fairstats, "result": result}) is not None  # noqa: S307  ours


def test_tidy_chooses_rows_as_where_does(rng):
    for result in results().values():
        rows = result.estimates if isinstance(result, Reads) else result
        first = rows[0]
        if isinstance(result, Reads):
            chosen = result.tidy(metric=first.metric, role=first.role)
            expected = rows.where(metric=first.metric, role=first.role).to_frame()
            pd.testing.assert_frame_equal(chosen[list(expected.columns)], expected)
            assert 0 < len(chosen) <= len(result.tidy()) == len(rows)
    audit = results()["audit"]
    pd.testing.assert_frame_equal(audit.tidy(role="all"), audit.tidy())
    pd.testing.assert_frame_equal(audit.tidy(role="all", contrast="ratio"), audit.tidy(contrast="ratio"))
    (gap,) = audit.tidy(metric="demographic_parity_difference").estimate
    shares = fairstats.arrests().head(1500).groupby("colour").released.agg(lambda column: (column == "Yes").mean())
    assert abs(gap) == pytest.approx(shares.max() - shares.min())
    for wrong, text in (
        ({"metrc": "x"}, "did you mean 'metric'"),
        ({"metric": "selection rat"}, "did you mean 'selection rate'"),
        ({"metric": "TPR difference"}, "no row has it"),
        ({"metric": "foo"}, "no row has it; the table has"),  # "for" is a name, but the table has no such rate
    ):
        with pytest.raises(InputError, match=text):
            audit.tidy(**wrong)
    for call, text in (
        (lambda: audit.tidy("metric"), r"by position; name a column for each value, as in tidy\(role='main'\)\.$"),
        (lambda: results()["projection"].tidy("loadings", metric="R2"), "metric chooses estimates"),
    ):
        with pytest.raises(InputError, match=text):
            call()


def test_html_of_an_audit_under_the_law_of_employment_has_the_ratios_of_its_print() -> None:
    data = {"g": ["a", "b"] * 200, "d": [1, 0, 1, 1, 0, 0, 1, 0] * 50}
    for law in ("employment", "credit"):
        result = fairstats.audit(data, "d", "g", law=law)
        (row,) = result.estimates.where(metric="impact ratio", given="", role="main")
        table = html.unescape(re.sub("<[^>]+>", " ", result._repr_html_()))
        assert ("ratio to the highest" in table) is (law == "employment")
        if law == "employment":
            assert f"{row.estimate:.2f}" in table.partition("ratio to the highest")[2] and " 1.00 " in table


def test_the_row_of_the_answer_stands_first_in_html_of_an_audit_of_amounts() -> None:
    rng = np.random.default_rng(5)
    sex, grade = np.repeat(["f", "m"], 100), rng.integers(0, 3, 200)
    pay = 30 + 4 * grade + 3 * (sex == "m") + rng.normal(0, 1, 200)
    table = pd.DataFrame({"sex": sex, "grade": grade, "pay": pay})
    page = fairstats.audit(table, amount="pay", groups="sex", reference="m", adjust_for="~ grade")._repr_html_()
    lines = re.findall(r"<bdi>([^<]*gap[^<]*|Gap[^<]*)</bdi>", page)
    assert lines == ["Adjusted gap of means", "Gap of means", "Gap of medians"]


def test_comparisons_of_amounts_in_a_notebook_are_in_the_order_of_the_answers_and_of_the_attributes_alone() -> None:
    rng = np.random.default_rng(6)
    people = crossing().assign(pay=rng.normal(50, 4, 1200))
    people.loc[people.g == "e", "pay"] += 5
    result = fairstats.audit(people, amount="pay", groups=["x", "g"], adjust_for="~ s")
    assert [one.attribute for one in answers(result)] == ["g", "x"]
    page = result._repr_html_()
    rows = rows_of(page.split("Comparisons with the reference</caption>")[1].split("</table>")[0])[1:]
    statistics = ("Adjusted gap of means", "Gap of means", "Gap of medians")
    assert [re.match("(.*?) [gx] ", row)[1] for row in rows] == [one for one in statistics for _ in "ggx"]
    assert [re.search(" ([gx]) ", row)[1] for row in rows] == [*"ggx"] * 3


def test_the_finding_of_a_comparison_in_a_notebook_is_its_paragraphs() -> None:
    result = results()["comparison"]
    page = result._repr_html_().partition("<table")[0]
    answer, *more = re.findall(r"<p [^>]*>([^<]*)</p>", page)[1:]
    assert html.unescape(" ".join([answer, *more])) == result.finding() and more[0].startswith("AUC: ")


@pytest.mark.parametrize("name", ["audit", "comparison"])
def test_a_finding_at_the_end_of_a_cell_is_its_text(name: str) -> None:
    finding = results()[name].finding()
    assert isinstance(finding, str) and repr(finding) == str(finding) == f"{finding}"
    assert json.loads(json.dumps(finding)) == finding


def test_a_notebook_says_the_auc_of_a_probe_once_beside_the_statements() -> None:
    leakage = results()["leakage"]
    after = leakage.probed[0]
    short = f"{after.estimate:.2f} [{after.conf_low:.2f}, {after.conf_high:.2f}]"
    for one in (leakage, replace(leakage, before=Estimates(()))):
        page = html.unescape(one._repr_html_())
        assert page.count("<table") == 1 and page.count(short) + page.count(f"{after.estimate:.3f}") == 2
        assert page.count("MMD²") == str(one).count("MMD²")  # in its sentences, in no table


def test_html_of_classes_has_their_shares_and_errors_by_group_as_print_has() -> None:
    people = crossing()
    people["y"], people["d"] = (np.where(people[one] == 1, people.s, "u") for one in "yd")
    result = fairstats.audit(people, "d", "x", outcome="y")
    shares, errors = re.findall(r"<table.*?</table>", result._repr_html_())
    printed = [" ".join(line.split()) for line in str(result).split("\n")]
    assert (
        set(rows_of(errors)[1:]) <= set(printed) and rows_of(errors)[0] == "TPR: u TPR: v TPR: w PPV: u PPV: v PPV: w"
    )
    rates = result.estimates.where(metric="class share", contrast="none", attribute="x")
    assert all(f">{100 * row.estimate:.1f}" in shares for row in rates) and len(rates) == 6


BOLD = [
    ({"p_adjust": "bh"}, {"flagged"}),
    ({"margin": 0.01}, {"shown; over 1.0 not settled", "beyond margin"}),
    ({"margin": 0.15}, {"shown; over 15.0 not settled"}),
]


@pytest.mark.parametrize(("options", "words"), BOLD)
def test_every_verdict_that_shows_a_difference_is_bold_and_no_group_that_is_called_so(options, words) -> None:
    people = pd.DataFrame({"g": np.repeat(["shown", "not settled", "beyond margin", "flagged"], 1000)})
    people["d"] = [*[0] * 500, *[1] * 500, *[0] * 510, *[1] * 490, *[0] * 560, *[1] * 440, *[0] * 640, *[1] * 360]
    page = fairstats.audit(people, "d", "g", reference="shown", **options)._repr_html_()
    assert set(re.findall(r'<td[^>]*;font-weight:600;">(?:<bdi>)?([^<]*)', page)) == words


def test_html_of_a_weighted_design_has_what_the_printed_form_has_below_the_answer(rng) -> None:
    table = pd.DataFrame({"g": ["a", "b", "c"] * 80, "psu": np.arange(240) // 10, "w": rng.uniform(1, 3, 240)})
    table["y"] = (rng.random(240) < 0.4).astype(int)
    design = fairstats.survey_design(weights="w", clusters="psu")
    audited = fairstats.audit(table, "y", "g", design=design)
    page, printed = audited._repr_html_(), " ".join(str(audited).split())
    for words in ("Rows behind them, and clusters (psu), by g: a (80 and 24), b (80 and 24), c (80 and 24).",
                  "24 units drawn", "23 degrees of freedom", f"{len(audited.notes)} cautions; "):  # fmt: skip
        assert words in printed and words in " ".join(text for _, text in texts(page)), words
    assert "result.summary(): all of it as text" in page and "print(result)" not in page


def test_text_of_several_lines_is_shown_as_it_is_printed(result: Reads) -> None:
    pretty = pytest.importorskip("IPython.lib.pretty", reason="IPython is not installed; it is among the extra dev")
    text = result.summary()
    assert isinstance(text, str) and repr(text) == text and type(str(text)) is str
    assert pretty.pretty(text) == text


def test_html_of_an_audit_has_every_group_and_of_many_those_that_a_table_has_room_for() -> None:
    people = pd.DataFrame({"race": [*"abcd"] * 60, "sex": ["f", "m", "m"] * 80, "d": ([0, 1, 1, 0, 1] * 48)})
    people["y"] = people.d ^ (np.arange(240) % 4 == 0)

    def lines(result: fairstats.Audit) -> list[str]:
        return [row.split()[0] for row in rows_of(result._repr_html_())[1:]]

    assert lines(fairstats.audit(people, "d", ["sex", "race"], outcome="y")) == [
        *("sex", "Men", "Women", "race"),
        *"abcd",
    ]
    many = {f"g{k}": [f"r{i % 14}" for i in range(k, 240 + k)] for k in range(4)}
    shown = lines(fairstats.audit(people.assign(**many), "d", [*many], outcome="y"))
    assert len(shown) <= 20 and {*many} <= {*shown} and shown.count("\N{HORIZONTAL ELLIPSIS}") == 4


def test_a_contrast_is_not_named_twice_and_one_estimate_is_one() -> None:
    y, d, g = [0, 1] * 60, [0, 1, 1] * 40, ["a", "b", "c", "c"] * 30
    page = fairstats.stats.equalized_odds_difference(y, d, sensitive_features=g)._repr_html_()
    assert ">1 estimate<" in page and ">Equalized odds difference<" in page
    page = fairstats.stats.demographic_parity_difference(y, d, sensitive_features=g)._repr_html_()
    assert ">Selection rate, difference<" in page


@pytest.mark.parametrize("sampled", [False, True])
@pytest.mark.parametrize("decided", [False, True])
def test_html_of_amounts_in_points_has_their_means_and_the_standard_errors_that_print_has(
    rng: np.random.Generator, sampled: bool, decided: bool
) -> None:
    n = 300
    people = pd.DataFrame({"race": rng.choice([*"ABC"], n), "c": rng.integers(0, 30, n), "w": rng.uniform(1, 3, n)})
    people["need"], people["helped"] = rng.normal(50, 9, n), rng.integers(0, 2, n)
    design = {"design": fairstats.survey_design(weights="w", clusters="c")} if sampled else {}
    about = {"groups": "race", "reference": "A", "amount": "need", "unit": "points", **design}
    result = fairstats.audit(people, **({"decision": "helped"} if decided else {}), **about)
    tables = re.findall(r"<table.*?</table>", result._repr_html_(), re.DOTALL)
    assert len(tables) == 1 + decided
    assert "Mean need by race; difference from A" in tables[-1] and "mean, points" in tables[-1]
    means, gaps = (result.estimates.only(metric="mean amount", contrast=one) for one in ("none", "difference"))
    for row in (*means, *(gaps if sampled else ())):
        assert f">{compact(row.std_error)}<" in tables[-1]
    assert ("std. error, %" in tables[0]) == (sampled and decided)
    assert result.plots[0] == ("rates" if decided else "differences")
    drawing = result.plot("differences", metric="mean amount")
    assert "ratios" not in result.plots or decided
    assert all(f"{compact(row.estimate)}, interval" in drawing.alt for row in gaps)
    assert "0 of 2 intervals" in drawing.caption
    drawn = [line.get_xdata()[0] for line in drawing.figure.axes[0].lines if line.get_marker() in "so"]
    assert sorted(drawn) == pytest.approx(sorted(row.estimate for row in gaps))


def test_html_of_scores_and_outcomes_has_the_rates_that_print_has(rng: np.random.Generator) -> None:
    n = 300
    people = pd.DataFrame({"g": rng.choice([*"abc"], n), "y": rng.integers(0, 2, n), "s": rng.normal(0, 1, n)})
    result = fairstats.audit(people, outcome="y", groups="g", score="s")
    page = result._repr_html_()
    assert "Scoring rate by g" in page and "no verdict" not in page and "Base rate by g" not in page
    for row in result.estimates.only(metric="P(X>Y)", role="main"):
        assert f">{row.estimate:.3f}<" in page
    assert "Base rate by g" in fairstats.audit(people, outcome="y", groups="g")._repr_html_()


def test_rows_of_a_console_do_not_look_alike_and_say_why_there_is_no_interval() -> None:
    rows = [
        Estimate("score shift", "race", "C", reference="all others", given=f"fold {f}", term=f"component {c}")
        for f in (1, 2)
        for c in (1, 2)
    ]
    rows = [replace(row, role="supplementary", contrast="difference", estimate=0.1) for row in rows]
    text = repr(Estimates(rows))
    assert "…" not in text and text.count("  component 1\n") == 2 and len(set(text.split("supplementary"))) == 5
    alone = replace(rows[0], reason="the same for every person: no interval")
    text = repr(Estimates([alone]))
    assert " ".join(part for part in text.split() if part).count("the same for every person") == 1
    assert max(map(len, text.splitlines())) <= 80
    assert repr(Estimates(rows * 6)).endswith("... and 4 more; all in to_frame()")


@pytest.mark.parametrize("given", [{"strata": "job"}, {"adjust_for": "~ age"}])
def test_crude_rows_have_no_verdict_in_html_where_others_answer(given: dict[str, str], rng) -> None:
    people = pd.DataFrame({"sex": rng.choice(["f", "m"], 600), "job": rng.choice(["a", "b"], 600)})
    people["age"] = rng.normal(size=600)
    people["pay"] = rng.normal(50, 5, 600) + 5.0 * (people["sex"] == "m")
    page = fairstats.audit(people, amount="pay", groups="sex", **given)._repr_html_()
    rows = [re.sub(r"<[^>]*>", " ", line).split() for line in re.findall(r"<tr>(.*?)</tr>", page)]
    gaps = {" ".join(row[: row.index("sex")]): row[-1] for row in rows if "sex" in row}
    answering = "Gap of means within strata" if "strata" in given else "Adjusted gap of means"
    assert [name for name, last in gaps.items() if last == "shown"] == [answering]
    assert {"Gap of means", "Gap of medians"} < set(gaps)


@pytest.fixture(scope="module")
def loans() -> pd.DataFrame:
    rng = np.random.default_rng(3)
    origin = rng.choice(["local", "migrant", "other"], 2400, p=[0.62, 0.28, 0.1])
    table = pd.DataFrame(
        {"origin": origin, "branch": rng.choice(["N", "S", "W"], 2400), "sex": rng.choice([*"fm"], 2400)}
    )
    table["income"] = rng.lognormal(10.4 + 0.15 * (origin == "local"), 0.4)
    table["ok"] = rng.random(2400) < np.where(origin == "migrant", 0.25, 0.53)
    table["limit"] = np.where(table["ok"], 0.1 * table["income"], np.nan)
    return table


def test_comparisons_of_amounts_beside_a_decision_are_one_table_in_a_notebook(loans: pd.DataFrame) -> None:
    result = fairstats.audit(loans, decision="ok", amount="limit", groups="origin", unit="EUR")
    captions = re.findall(r"<caption[^>]*>(.*?)</caption>", result._repr_html_())
    assert captions.count("Comparisons with the reference") == 1 and len(set(captions)) == len(captions)


def test_people_of_gaps_in_a_notebook_are_those_of_both_groups_as_in_the_table(loans: pd.DataFrame) -> None:
    result = fairstats.audit(loans, amount="limit", groups="origin", unit="EUR", adjust_for="~ income + C(branch)")
    shown = rows_of(re.search(r"<table.*?</table>", result._repr_html_())[0])
    known = loans.dropna(subset=["limit"]).origin.value_counts()
    people = [f"{known['local'] + known[group]:,}" for group in ("migrant", "other")] * 3
    assert "people of both groups" in shown[0]
    assert [next(n for n in people if f" {n} " in row) for row in shown[1:]] == people
    column = fairstats.table(result, "gaps").to_frame()["people of both groups"]
    assert column.astype(str).str.replace(",", "").tolist() == [n.replace(",", "") for n in people]


def test_rows_in_a_notebook_say_what_they_are_of_and_their_level(loans: pd.DataFrame) -> None:
    rows = fairstats.audit(loans, "ok", "origin").estimates
    page = html.unescape(re.sub("<[^>]+>", " ", rows._repr_html_()))
    assert "all groups at once" in page and "98.33%" not in page.partition("Selection rate")[0]
    assert re.search(r"omnibus\s+origin\s+all groups at once", page) and "sensitivity" in page
    levels = {f"{100 * row.conf_level:.4g}%" for row in rows[:20] if row.conf_low == row.conf_low}
    assert len(levels) > 1 and all(f" {one} " in page for one in levels)
    assert "to 99" not in page and " role " in page and " level " in page
    assert " role " not in rows.where(role="main", metric="selection rate")._repr_html_()


def test_a_table_that_a_result_shortened_says_once_how_many_rows_there_are(loans: pd.DataFrame) -> None:
    scan = fairstats.subgroup_scan(loans, "ok", ["origin", "sex", "branch"])
    many = len(scan.tested())
    assert re.findall(r"and (\d+) more", scan._repr_html_()) == [str(many - 20)]
    assert re.findall(r"and (\d+) more", str(scan)) == ([str(many - 30)] if many > 30 else [])
