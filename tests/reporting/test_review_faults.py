"""The 22 faults that four readers found in reports: a test each that reads the page, here or where `ELSEWHERE` says.

The reports are those of the gallery, whose data are simulated.
"""

from __future__ import annotations

import re
from functools import cache
from html import unescape
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import fairstats
from benchmarks.gallery import KINDS, loans, small
from fairstats.reporting.report import Report
from fairstats.text import compact
from tests.reporting.reader import texts

ROOT = Path(__file__).parents[2]
ELSEWHERE = {
    2: "tests/reporting/test_page_one.py::test_four_fifths_on_page_one_is_the_lowest_ratio_of_all_attributes",
    3: "tests/reporting/test_exports.py::test_what_the_auditor_has_not_ticked_is_stated_in_no_form",
    5: "tests/reporting/test_page_one.py::test_captions_of_many_comparisons_count_what_they_say",
    6: "tests/auditing/test_contradictions.py::test_no_row_of_a_random_audit_contradicts_itself",
    7: "tests/reporting/test_report.py::test_of_two_tests_in_one_column_the_note_says_which",
    8: "tests/reporting/test_page_one.py::test_fits_to_different_features_stand_apart",
    9: "tests/reporting/test_page_one.py::test_what_is_from_before_the_groups_are_taken_out_says_so",
    10: "tests/comparing/test_compare.py::test_a_gap_that_is_turned_around_is_no_smaller_gap_only",
    13: "tests/reporting/test_browser.py::test_no_number_of_a_table_breaks_in_two",
    14: "tests/reporting/test_page_one.py::test_captions_of_many_comparisons_count_what_they_say",
    19: "tests/reporting/test_report.py::test_the_heading_of_a_part_agrees_with_its_table_and_names_what_is_found",
    20: "tests/reporting/test_report.py::test_the_heading_of_a_part_agrees_with_its_table_and_names_what_is_found",
}


@cache
def report(name: str) -> Report:
    """The report of a kind of the gallery."""
    kind = KINDS[name]
    return fairstats.report(*kind.results(), **kind.options)


def said(html: str) -> str:
    """All texts of a page in a line, breaks and unbreakable spaces as spaces."""
    return " ".join(" ".join(text for _, text in texts(html)).replace("\N{NO-BREAK SPACE}", " ").split())


def page_one(name: str) -> str:
    return said(report(name).html).partition("Scope and protocol")[0]


def test_every_fault_has_a_test() -> None:
    here = {int(n) for n in re.findall(r"^def test_fault_(\d+)_", Path(__file__).read_text(), re.M)}
    assert here | set(ELSEWHERE) == set(range(1, 23)) and not here & set(ELSEWHERE)
    for place in ELSEWHERE.values():
        file, _, name = place.partition("::")
        assert f"def {name}(" in (ROOT / file).read_text(), place


def test_fault_1_page_one_answers_for_every_attribute_and_so_does_the_description() -> None:
    (audit,) = loans()
    rates = {row.group: f"{100 * row.estimate:.1f}%" for row in audit.estimates.only(metric="selection rate")}
    text = page_one("second-attribute")
    assert rates["Black"] in text and rates["Female"] in text
    assert re.search(r"\bNo difference\b[^:]*\bmen and women\b", text)
    (meta,) = re.findall(r'<meta name="description" content="([^"]*)"', report("second-attribute").html)
    assert rates["Black"] in unescape(meta).replace("\N{NO-BREAK SPACE}", " ")


def test_fault_4_what_is_withheld_changes_no_finding_and_no_count() -> None:
    """The highest rate is of a withheld group: no ratio to another one is said to be to the highest."""
    (audit,) = small()
    assert {row.group for row in audit.estimates.only(status="suppressed", metric="selection rate")} >= {"Asian"}
    text = said(report("small-groups").html)
    assert not re.search(r"ratios? to the highest, that of (White|Hispanic|Black)", text)
    assert "shown but not compared" not in text
    assert not len(audit.estimates.only(metric="impact ratio", attribute="ethnicity", status="ok"))
    share = re.search(r"White 210 (\S+)", text.partition("People by ethnicity")[2])
    assert share is None or float(share[1]) == pytest.approx(100 * 210 / 282, abs=0.051)  # of all 282 people


@pytest.mark.long
def test_fault_11_leakage_alone_has_a_title_a_question_and_an_answer_with_its_number() -> None:
    built = report("leakage")
    assert built.title == "Can the groups of color still be told apart after orthogonal PCA?"
    best = max(r.estimate for r in KINDS["leakage"].results()[0].estimates.only() if r.metric.startswith("AUC"))
    text = page_one("leakage")
    assert "Can a model tell the groups apart from the result, on rows that it was not trained on?" in text
    share = f"{100 * best:.1f}"
    start = f"A non-linear model can tell White arrestees from Black arrestees in {share}% of pairs "
    before = next(100 * r.estimate for r in KINDS["leakage"].results()[0].before if "non-linear" in r.metric)
    assert float(share) > before  # what got worse is said in words, and that this was not tested
    assert f"; 50% is chance), {before:.1f}% before the adjustment" in text
    assert "Whether before and after differ by more than chance was not tested." in text
    assert re.search(rf"{start}\(95% CI [^)]+\)", text) and "told beyond" not in text
    assert "Before: the same from as many principal components of the features" in text
    assert "The results follow" not in text


def test_other_measures_that_show_nothing_do_not_contradict_page_one() -> None:
    (leak,) = KINDS["leakage"].results()
    others = [r for r in leak.estimates if not r.metric.startswith("AUC") and r.p_adjusted == r.p_adjusted]
    assert min(r.p_adjusted for r in others) > 0.05  # while a non-linear model tells the groups
    measured = f"Orthogonal PCA: {len(others)} other measures, of {others[0].n:.0f} rows,"
    heading = f"{measured} did not detect what a model of page one did"
    assert heading in said(report("leakage").html)


def test_fault_12_counts_of_a_hundred_thousand_people_do_not_run_together() -> None:
    rows = [(g, d, n) for g, k in (("a", 49287), ("b", 50102)) for d, n in ((1, k), (0, 100000 - k))]
    data = pd.DataFrame(rows, columns=["g", "d", "n"])
    html = fairstats.report(fairstats.audit(data, "d", "g", weights="n")).html
    cells = [text for element, text in texts(html) if element in ("td", "th")]
    assert "100,000" in cells and not re.search(r"\d,\d{3}\d", said(html))


@pytest.mark.parametrize("name", ["subgroups", "change", "leakage"])
def test_fault_15_provenance_has_the_call_the_seed_and_the_versions(name: str) -> None:
    text = said(report(name).html).partition("What is needed to run it again")[2]
    assert re.search(r"Call fairstats\.(subgroup_scan|compare_audits|leakage)\(", text)
    assert "Seed 0" in text and re.search(r"Versions python 3\.\S+ fairstats", text)
    assert name == "leakage" or "SHA-256 of the data" in text


def test_fault_15_a_file_of_subgroups_has_its_name_and_hash(tmp_path: Path) -> None:
    import hashlib

    file = tmp_path / "people.csv"
    fairstats.arrests()[:600].to_csv(file, index=False)
    scan = fairstats.subgroup_scan(file, "released", ["colour", "sex"], favorable="Yes")
    text = said(fairstats.report(scan).html)
    assert "people.csv" in text and hashlib.sha256(file.read_bytes()).hexdigest() in text


def test_fault_16_labels_reach_title_questions_captions_and_protocol() -> None:
    rng = np.random.default_rng(0)
    n = 1200
    data = pd.DataFrame({"grp": rng.choice(["K1", "K2"], n, p=[0.6, 0.4]), "dec": rng.integers(0, 2, n)})
    labels = {
        "unit": "defendants",
        "favorable": "were released",
        "unfavorable": "were detained",
        "attributes": {"grp": "race"},
        "groups": {"grp": {"K1": "White", "K2": "Black"}},
        "title": "Bail decisions",
    }
    html = fairstats.report(fairstats.audit(data, "dec", "grp", favorable=1, labels=labels)).html
    text = said(html).partition("Scope and protocol")[0]
    assert text.startswith("Bail decisions") and "defendants" in text and "were released" in text
    assert "grp" not in text and "K1" not in text and "K2" not in text
    assert "K1" not in said(html).partition("Outcomes by group")[2].partition("Appendix")[0]


def test_fault_17_the_law_has_its_titles_its_order_its_unknowns_and_nothing_else() -> None:
    html = report("local-law-144").html
    text, first = said(html), page_one("local-law-144")
    assert first.startswith("Local Law 144 bias audit of Resume screener by sex and race/ethnicity")
    titles = ["Sex categories, sel", "Race/ethnicity categories, sel", "Intersectional categories (sex × race/"]
    places = [first.index(title) for title in titles]
    assert places == sorted(places)
    order = ["Hispanic or Latino", "White", "Black or African American", "Native Hawaiian or Pacific Islander", "Asian"]
    table = first[places[1] : places[2]]
    assert [*re.findall("|".join(f"{name} (?=\\d)" for name in order), table)] == [f"{name} " for name in order]
    assert table.count("(under 2%)") == 2  # a mark that says what it is, wherever its table ends
    assert "Under 2% of the data used: the rule permits the auditor to exclude such a category" in table
    assert re.search(
        r"People of unknown sex, who are left out of Table 1: \d+\. People of unknown race/ethnicity, who .*: none\.",
        first,
    )
    assert "compared with" not in text and "sets of comparisons" not in text and "against White" not in text
    assert text.count("The intervals are not asked for by the law") == 1


def test_fault_18_finding_print_and_page_one_state_one_direction() -> None:
    (audit,) = KINDS["nothing-shown"].results()
    first = audit.finding().split(". ")[0].removesuffix(".")
    assert "30.0% against 29.6%, 0.3 percentage points more among women" in first
    assert first in " ".join(str(audit).split())
    assert "30.0% of women and 29.6% of men, 0.3 percentage points more among women" in page_one("nothing-shown")


def test_fault_21_a_change_has_its_table_once_and_points_to_no_page_that_it_is_on() -> None:
    built = report("change")
    text = said(built.html)
    assert text.count("−13.7 (−16.8 to −10.6)") == 1 and "Read next" not in text
    assert "narrowed from 13.7 to 5.4 percentage points, by about 8.4 (95% confidence interval " in text
    assert "Filled: disparity shown" not in text and "web page ends with the second" not in text


def test_fault_22_two_percent_is_cited_where_it_stands_and_no_argument_is_named() -> None:
    for name in ("second-attribute", "four-fifths", "leakage", "local-law-144"):
        text = said(report(name).html).partition("What is needed to run it again")[0]
        assert not re.search(r"2% of the people or more \(29 CFR 1607\.4\(D\)\)", text), name
        assert not re.search(r"\((favorable|family|score|scores)=|leakage\(\)|audit\(\)", text), name
    assert "2% of the labor force or of the workforce (29 CFR 1607.15(A)(2)(a))" in said(report("four-fifths").html)


@pytest.mark.long
def test_no_result_alone_is_without_a_title_and_an_answer_with_its_numbers() -> None:
    """Losses by group, tests, held-out scores, prices, extra errors, numbers of components, a table of a law."""
    people = fairstats.arrests()[:600]
    fit = fairstats.og("~ age + checks + year", "colour", 2, data=people, scale=True)
    losses = fairstats.reconstruction_error_by_group(fit, people)
    gap = min(losses.only(contrast="difference"), key=lambda r: r.p_adjusted if r.p_adjusted == r.p_adjusted else 2)
    row = losses.only(contrast="none", fit=gap.fit, group="Black")[0]
    kept = fit.crossfit(people)
    tests = fairstats.component_tests(kept)
    shown, tested = sum(r.p_adjusted <= 0.05 for r in tests), sum(r.p_adjusted == r.p_adjusted for r in tests)
    (table,) = fairstats.local_law_144(fairstats.audit(people, "released", "sex", favorable="Yes"))
    wanted = {
        "Reconstruction loss": (losses, f"reconstruction error is {compact(row.estimate)} against"),
        "Probability of a higher score and shift": (tests, f"{shown} of {tested} tests show"),
        "Held-out scores of og": (kept, "Scores of 600 rows by og"),
        "Price for new people, 5 folds (og)": (
            fairstats.price_of_fairness(fit, people),
            "On new people the squared error of og",
        ),
        "Extra error of og": (fairstats.extra_error(fit, people), "the groups explain"),
        "Number of components (fair_pca)": (
            fairstats.select_k("~ age + checks + year", "colour", data=people, max_k=2, permutations=9),
            "By least squares no number of components of fair_pca predicts better than the means",
        ),
        "Impact ratios by sex": (table, "By sex the lowest impact ratio is"),
    }
    for title, (result, answer) in wanted.items():
        built = fairstats.report(result)
        text = said(built.html)
        assert built.title == title and answer in text.partition("What this does not show")[0], title
        assert "The results follow" not in text


def test_the_site_lists_every_report_whose_data_may_ship() -> None:
    listed = re.findall(r'reports/([^"]+)\.html">([^<]+)<', (ROOT / "docs/gallery/reports.md").read_text())
    assert listed == [(name, kind.title) for name, kind in KINDS.items() if not kind.needs]


def test_what_leaks_in_these_data_is_said_even_where_too_few_refits_show_it() -> None:
    """With nine refits no p-value is below 0.1: an AUC far from guessing is not said to be nothing."""
    rng = np.random.default_rng(0)
    g = rng.choice(["a", "b"], 800)
    X = rng.normal(size=(800, 3)) * np.where(g == "a", 1.0, 4.0)[:, None]
    leak = fairstats.leakage(fairstats.og(X, g, k=2), X, g, permutations=9)
    row = max((r for r in leak.estimates if r.metric.startswith("AUC")), key=lambda r: r.estimate)
    assert row.verdict == "inconclusive" and row.conf_low == 0.5 and row.estimate > 0.7
    text = said(fairstats.report(leak).html)
    assert "From these scores a model can tell the groups of group apart better than by chance." in text
    sides = f"people with group {row.group} from people with group {row.reference}"
    assert f"A non-linear model can tell {sides} in 92.7% of pairs (95% CI " in text
    assert "With 9 refits no leak beyond theirs can be shown, however large" in text
