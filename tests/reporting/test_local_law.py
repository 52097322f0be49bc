"""The Local Law 144 preset: three tables, unknown category counted, small categories shown, no verdict of law."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import fairstats
from benchmarks import gallery
from fairstats.errors import InputError
from tests.reporting.reader import texts


def applicants() -> pd.DataFrame:
    rng = np.random.default_rng(4)
    n = 1000
    race = rng.choice(["A", "B", "<i>C</i>"], n, p=[0.6, 0.39, 0.01]).astype(object)
    race[:7] = None
    return pd.DataFrame({"sex": rng.choice(["f", "m"], n), "race": race, "hired": (rng.random(n) < 0.3).astype(int)})


def test_the_three_tables_are_there_with_their_numbers() -> None:
    data = applicants()
    page = fairstats.report(fairstats.audit(data, decision="hired", groups=["sex", "race"]), preset="ll144").html
    text = re.sub(r"<[^>]+>", " ", page)
    titles = (
        "Sex categories, selection rate: impact ratios to ",
        "Categories of race, selection rate: ",
        "Intersectional categories (sex × race), selection rate: ",
    )
    assert [text.count(title) for title in titles] == [1, 1, 1]  # and no second table of ratios to another reference
    assert (
        "unknown race, who are left out of Table 2: 7." in text
        and "unknown sex, who are left out of Table 1: none." in text
    )
    assert "&lt;i&gt;C&lt;/i&gt;" in page and "<i>C</i>" not in page
    assert "compliant" not in page.lower() and "Local Law 144 of New York City sets no threshold" in page
    rates = data.groupby("sex").hired.mean()
    ratio = rates.min() / rates.max()
    assert f"{100 * rates['f']:.1f}" in text and f"{ratio:.2f}" in text


def test_a_ratio_of_few_people_comes_after_the_lowest_of_the_larger_categories() -> None:
    rates = {"A": (480, 600), "B": (300, 390), "C": (2, 10)}
    rows = [(race, int(i < k)) for race, (k, n) in rates.items() for i in range(n)]
    data = pd.DataFrame(rows, columns=["race", "hired"])
    text = re.sub(r"<[^>]+>", " ", fairstats.report(fairstats.audit(data, "hired", "race"), preset="ll144").html)
    wording = " ".join(text.split())
    first = "By race the lowest impact ratio of the categories with 2% of the data or more is 0.96, that of B: 76.9%"
    assert first in wording  # 0.769 / 0.8
    assert "80.0% of 600. Lower, with under 2% of the data: C (0.25; 10 people)." in wording
    two = fairstats.report(fairstats.audit(data[data["race"] != "B"], "hired", "race"), preset="ll144").html
    large = fairstats.report(fairstats.audit(data[data["race"] != "C"], "hired", "race"), preset="ll144").html
    two, large = (one.replace("\N{NO-BREAK SPACE}", " ") for one in (two, large))
    assert "C is under 2% of the data." in two and "or more is" not in two
    assert "under 2% of the data" not in large


def test_people_of_unknown_categories_of_two_attributes_lack_the_one_or_the_other() -> None:
    page = fairstats.report(
        fairstats.audit(applicants(), decision="hired", groups=["sex", "race"]), preset="ll144"
    ).html
    assert "People of unknown sex or race, who are left out of Table 3: 7." in page


def test_the_tool_of_the_notice_is_the_system_of_the_line_under_the_title() -> None:
    result = fairstats.audit(applicants(), decision="hired", groups="sex")
    named = fairstats.report(result, preset="ll144", ll144_notice={"tool": "Ranker"}).html
    text = " ".join(re.sub(r"<[^>]+>", " ", named).split())
    assert "Ranker · " in text and "not given: auditor, version, period" in text
    unnamed = fairstats.report(result, preset="ll144", ll144_notice={"vendor": "Acme"}).html
    assert "not given: auditor, system, version, period" in re.sub(r"<[^>]+>", " ", unnamed)


def test_a_report_without_an_audit_has_no_such_tables() -> None:
    with pytest.raises(InputError, match="preset='ll144' needs an audit"):
        fairstats.report(fairstats.pca(np.eye(4), k=2), preset="ll144")


def test_the_tables_in_place_of_the_audit_are_refused_with_the_way_to_their_report():
    audit = fairstats.audit({"g": ["a", "b"] * 40, "hired": [1, 0, 1, 1] * 20}, "hired", "g")
    with pytest.raises(InputError, match="pass the audit, with preset='ll144'"):
        fairstats.report(fairstats.local_law_144(audit))


def test_people_are_counted_where_a_row_stands_for_many():
    """900 people in 8 rows: the rows are no people, in no report of them."""
    counts = {"White": (156, 520), "Black": (36, 180), "Hispanic": (30, 140), "Asian": (21, 60)}
    rows = [(g, d, n) for g, (k, total) in counts.items() for d, n in ((1, k), (0, total - k))]
    people = pd.DataFrame([*rows, (None, 0, 7)], columns=["group", "hired", "n"])
    audit = fairstats.audit(people, "hired", "group", weights="n")
    page = fairstats.report(audit).html
    assert "Audit of 907 people" in page and "all 907 people in 9 rows were analyzed" in page
    assert "each row of data in memory stands for as many people as n says" in page
    law = texts(fairstats.report(audit, preset="ll144").html)
    assert sum("907 people" in text for _, text in law[:12]) == 1  # said once on page one
    assert [(s.label, s.n) for s in audit.flow][:3] == [("rows read", 9), ("people read", 907), ("group missing", 7)]
    later = fairstats.audit(people.assign(n=people.n + 1), "hired", "group", weights="n")
    assert fairstats.compare_audits(audit, later).people == (907, 916)


def test_that_the_highest_rate_is_of_few_is_said_beside_the_ratio_and_each_table_has_its_footnote():
    counts = {"White": (400, 800), "Black": (100, 300), "Asian": (9, 10)}  # 10 of 1,110: 0.9%
    rows = [(g, int(i < k)) for g, (k, n) in counts.items() for i in range(n)]
    page = fairstats.report(
        fairstats.audit(pd.DataFrame(rows, columns=["race", "hired"]), "hired", "race"), preset="ll144"
    ).html
    text = " ".join(re.sub(r"<[^>]*>", " ", page).replace("&nbsp;", " ").split())
    assert "Asian is 0.9% of the data: every ratio by race rests on the rate of 10 people." in text
    assert "Of the categories of 2% or more the highest rate is 50.0%, that of White." in text
    assert re.search(r"1\.00 \(under 2%\).{0,300}Under 2% of the data used: the rule permits the auditor", text)
    assert (
        text.count("The intervals are not asked for by the law") == 1
        and "unknown race, who are left out of Table 1: none." in text
    )


def test_page_two_says_that_people_of_unknown_groups_are_in_the_audit_and_not_in_the_tables() -> None:
    audit = fairstats.audit(applicants(), decision="hired", groups=["sex", "race"])
    text = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", fairstats.report(audit, preset="ll144").html))
    assert "without the people whose group is not recorded, whom the audit keeps as a group (missing)" in text
    assert "of them race missing" in text and "less race missing" not in text
    crossed = [c for c in audit.cells if ":" in c.group]
    few = sum(c.n < 30 for c in crossed)
    joint = f"{few} of {len(crossed)} intersections, those of people whose group is not recorded included, have fewer"
    assert any(joint in note for note in audit.notes)
    dropped = fairstats.audit(applicants(), decision="hired", groups=["sex", "race"], missing="drop")
    text = re.sub(r"<[^>]+>", " ", fairstats.report(dropped).html)
    assert "less race missing" in text and "whom the audit keeps" not in text


def test_labels_of_unknown_people_are_groups_of_the_audit_and_in_no_table_of_the_law() -> None:
    data = {"race": ["White", "Black", "Unknown", "None"] * 40, "hired": [1, 0, 0, 1] * 20 + [1, 1, 0, 0] * 20}
    text = re.sub(r"<[^>]+>", " ", fairstats.report(fairstats.audit(data, "hired", "race"), preset="ll144").html)
    text = unescape(re.sub(r"\s+", " ", text))
    assert "are groups in the audit, and left out of the tables of the law: race ('Unknown')." in text
    assert "are groups like any other: race ('None'). If so, make them missing, as empty cells," in text
    assert "whom the audit keeps as a group (missing)" not in text
    assert "without the people whose label says that the group is not known, whom the audit keeps as a group" in text
    known = fairstats.audit({"race": ["a", "b"] * 40, "hired": [1, 0, 0, 1] * 20}, "hired", "race")
    assert "Tables of the law" not in fairstats.report(known, preset="ll144").html


@pytest.mark.parametrize(
    ("groups", "lacking"),
    [
        (["sex"], "Table by race/ethnicity and Table by sex and race/ethnicity together"),
        (["race"], "Table by sex and Table by sex and race/ethnicity together"),
        (["other"], "Auditor and Table by sex and race/ethnicity together"),  # which may be of either
        (["race", "other"], "Independence of the auditor and Auditor"),  # which may be of sex
        (["sex", "race"], "Independence of the auditor and Auditor"),
    ],
)
def test_a_notice_says_which_tables_of_the_law_are_to_be_given(groups, lacking) -> None:
    labels = {
        "sex": ["Male", "Female"] * 40,
        "race": ["White", "White", "Black", "Black"] * 20,
        "other": ["x", "y"] * 40,
    }
    audit = fairstats.audit(labels | {"hired": [1, 0, 1, 1, 0] * 16}, "hired", groups)
    about = dict(fairstats.report(audit, preset="ll144").contents.context["local_law"]["about"])
    given = about["To be given before publication"]
    assert given.endswith(lacking) and given.count("Table") == lacking.count("Table")


def test_tables_of_two_tables_of_totals_name_the_data_of_both() -> None:
    counts = {"sex": (["Female", "Male"], [170, 206]), "race": (["Black", "White"], [124, 252])}
    sexes, races = (
        fairstats.audit(
            fairstats.from_counts({name: labels, "k": k, "n": [450, 750]}, groups=name, selected="k", total="n")
        )
        for name, (labels, k) in counts.items()
    )
    tables = [*fairstats.local_law_144(sexes), *fairstats.local_law_144(races)]
    page = " ".join(text for _, text in texts(fairstats.report(sexes, *tables, preset="ll144").html))
    digests = [one.data.sha256[:8] for one in (sexes, races)]
    assert "Table 2 is of other data." in page and "Table 1 is of other data" not in page
    assert all(f"SHA-256 of its counts {digest}" in page for digest in digests) and len(set(digests)) == 2
    with pytest.raises(InputError, match=r"\*local_law_144\(other\), preset='ll144'"):
        fairstats.report(sexes, races, preset="ll144")


@pytest.mark.long
def test_groups_are_called_as_recorded_and_methods_are_those_of_the_annex() -> None:
    """The tables of the law have the labels of the data, and so has every table beside them; nothing is tested."""
    html = fairstats.report(*gallery.law(), preset="ll144").html
    whole = " ".join(unescape(re.sub(r"<[^>]+>", " ", html[html.index("<main") :])).split())
    assert "Female" in whole and "Women" not in whole and "Non-Hispanic" not in whole
    assert "By race/ethnicity it is 0.38: Black or African American, 17.2%. By sex it is 0.56: Female, 24.0%." in whole
    methods = whole.rpartition("Appendix: Methods")[2].partition("Provenance")[0]
    assert "simultaneous intervals against the best other category" in methods
    assert not re.search("Koopman|Miettinen|Pearson|level of each", methods) and "not estimable" not in whole


def test_the_printed_tables_have_selections_and_the_order_of_the_reports() -> None:
    """The rule's own order: Hispanic or Latino first, men before women, then races as the EEO-1 has them."""
    races = ("Asian", "White", "Two or More Races", "Hispanic or Latino", "Black or African American")
    rows = [(s, r, int(i < 9 + k)) for k, r in enumerate(races) for s in ("Female", "Male") for i in range(40 + k)]
    audit = fairstats.audit(pd.DataFrame(rows, columns=["sex", "race", "hired"]), "hired", ["sex", "race"])
    tables = fairstats.local_law_144(audit)
    order = [races[k] for k in (3, 1, 4, 0, 2)]
    crossed = [f"{s}:{r}" for s in ("Male", "Female") for r in order[1:]]
    assert [[c.category for c in one.in_order] for one in tables] == [
        ["Male", "Female"],
        order,
        ["Male:Hispanic or Latino", "Female:Hispanic or Latino", *crossed],
    ]
    printed = [line.split() for line in str(tables[1]).splitlines()]
    assert printed[2][:3] == ["category", "people", "selected"]
    assert ["Asian", "80", "18"] in [line[:3] for line in printed] and ["White", "82", "20"] in [x[:3] for x in printed]
    firsts = [line[0] for line in printed if line and line[0] in {one.split()[0] for one in races}]
    assert firsts == [one.split()[0] for one in order]
    frame = fairstats.table(tables[1]).to_frame()
    assert list(frame["category"]) == order and list(frame["people"]) == [str(c.n)[:-2] for c in tables[1].in_order]
    assert list(frame["selected"].astype(float)) == [c.selected for c in tables[1].in_order]
    page = unescape(re.sub(r"<[^>]+>", " ", fairstats.report(audit, preset="ll144").html))
    table = page[page.index("Race/ethnicity categories") :]
    places = [table.index(f" {one} ") for one in order]
    assert places == sorted(places)


def test_a_table_by_itself_says_who_is_in_no_rate_and_which_categories_are_small() -> None:
    data = applicants()
    _, table, _ = fairstats.local_law_144(fairstats.audit(data, decision="hired", groups=["sex", "race"]))
    (small,) = (c for c in table.categories if c.reason)
    note = fairstats.table(table).note
    assert f"{small.category}: {small.reason}." in note and "People of unknown race, who are left out: 7." in note
    excluded = {small.category: "few people"}
    _, table, _ = fairstats.local_law_144(fairstats.audit(data, "hired", ["sex", "race"]), exclude=excluded)
    assert "few people" in fairstats.table(table).note


def test_a_report_with_an_exclusion_is_verified_and_has_the_tables_once(tmp_path: Path) -> None:
    people, few = (
        applicants(),
        {"<i>C</i>": "a dozen people say nothing about a rate, nor of a ratio of it"},
    )
    audit = fairstats.audit(people, "hired", ["sex", "race"])
    tables = fairstats.local_law_144(audit, exclude=few, unknown=[])
    assert [c.justification for c in tables[1].categories if c.status == "excluded"] == [*few.values()]
    file = str(tmp_path / "law.json")
    page = fairstats.report(audit, *tables, preset="ll144", to=file).html
    assert fairstats.verify_report(file, people).ok
    assert "Further results" not in page  # page one and the annex have the tables
    changed = file_with(file, "a dozen people", "a dozen persons")
    assert fairstats.verify_report(changed, people).status == "disagreement"
    table = fairstats.report(audit, *tables).html.partition("impact ratios by race: estimates")[2].partition("</table>")
    assert "a dozen people" not in table[0] and "excluded by the protocol" in table[0] and "a dozen people" in table[2]


def file_with(file: str, old: str, new: str) -> str:
    """A copy of a report in JSON in which a text is another."""
    text = Path(file).read_text(encoding="utf-8")
    assert old in text
    changed = Path(file).with_name("changed.json")
    changed.write_text(text.replace(old, new), encoding="utf-8")
    return str(changed)


def test_the_page_of_the_law_of_new_york_names_no_other_law_than_was_declared() -> None:
    people = {"sex": ["f", "m"] * 60, "hired": [0, 1, 1, 1, 0, 0] * 20}
    html = fairstats.report(fairstats.audit(people, "hired", "sex"), preset="ll144").html
    assert "law: Local Law 144 of New York City" in html and "1607" not in html
    assert "that of the preset, Local Law 144 of New York City; none was declared" in html
    assert "Rules of the City of New York, title 6, section 5-300." in html
    declared = fairstats.audit(people, "hired", "sex", law="employment")
    html = fairstats.report(declared, preset="ll144").html
    assert "law: Local Law 144 of New York City" in html and "law: employment" not in html
    assert "decisions on employment; the page is of Local Law 144 of New York City" in html


def combinations(less: int = 0) -> fairstats.Tally:
    rows = [("Female", "Black", 380, 150 - less), ("Female", "White", 1300, 650), ("Female", "Native", 10, 3)]
    rows += [("Male", "Black", 372, 179), ("Male", "White", 1377, 748), ("Male", "Native", 13, 5)]
    table = pd.DataFrame(rows, columns=["sex", "race", "n", "k"])
    return fairstats.from_counts(table, ["sex", "race"], selected="k", total="n")


def test_what_is_said_of_an_attribute_follows_it_and_a_title_without_a_tool_names_no_column() -> None:
    audit = fairstats.audit(combinations())
    html = " ".join(unescape(re.sub(r"<[^>]+>", " ", fairstats.report(audit, preset="ll144").html)).split())
    assert re.search(
        r"By race it is 0\.84: Black, 43\.8%\. Lower, .*: Native \(0\.67; 23 people\)\. By sex it is", html
    )
    assert "Local Law 144 bias audit by sex and race" in html and "bias audit of k" not in html


def test_a_category_that_is_excluded_alone_is_named_where_its_combinations_are_not() -> None:
    audit, few = fairstats.audit(combinations()), {"Native": "23 people"}
    words = "each of which is excluded by its own name: Male:Native and Female:Native."
    assert "by its own name" not in fairstats.report(audit, preset="ll144").html
    assert words in fairstats.report(audit, *fairstats.local_law_144(audit, exclude=few), preset="ll144").html
    every = few | {"Male:Native": "13 people", "Female:Native": "10 people"}
    tables = fairstats.local_law_144(audit, exclude=every)
    assert "by its own name" not in fairstats.report(audit, *tables, preset="ll144").html


def test_the_annex_of_counts_above_the_median_does_not_say_that_they_were_selected() -> None:
    audit = fairstats.audit(combinations(less=40))
    scored = fairstats.local_law_144(audit, measure="scoring rate")
    html = fairstats.report(audit, *scored, preset="ll144").html
    assert "score above the median" in html and "were selected" not in html
    assert "were selected" in fairstats.report(audit, preset="ll144").html


def test_tables_of_selection_and_of_scoring_rates_in_one_report_name_their_measure() -> None:
    table = pd.DataFrame({"sex": ["f", "f", "m", "m"], "race": ["a", "b", "a", "b"], "n": [300, 200, 280, 220]})
    table = table.assign(hired=[90, 40, 99, 55], above=[150, 90, 145, 100])
    chosen, scored = (
        fairstats.audit(fairstats.from_counts(table, ["sex", "race"], name, "n")) for name in ("hired", "above")
    )
    of_scores = fairstats.local_law_144(scored, measure="scoring rate")
    both = fairstats.report(chosen, *fairstats.local_law_144(chosen), *of_scores, preset="ll144")
    page = " ".join(unescape(re.sub(r"<[^>]+>", " ", both.html)).split())
    titles = [
        one.caption
        for one in (*both.contents.context["local_law"]["tables"], *both.contents.context["local_law"]["annex"])
    ]
    assert len(set(titles)) == 12 and sum("selection rate" in one for one in titles) == 6
    assert sum("scoring rate" in one for one in titles) == 6
    assert page.count("for scoring rates: ") == 3 and page.count("for selection rates: ") == 2  # after the lowest
    assert page.count("Tables 4, 5 and 6 are of other data.") == 1 and "Table 4 is of" not in page
    assert "Favorable to the person were selected" in page  # the audit is of those who were
    alone = fairstats.report(scored, *of_scores, preset="ll144").html
    assert "for scoring rates: " not in alone and "score above the median" in alone
