"""Page one of every kind of report: it answers first, says nothing that is not in the results, and leads on."""

from __future__ import annotations

import re
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from html import unescape
from typing import Any

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from scipy.stats import chi2_contingency

import fairstats
from fairstats.errors import InputError
from fairstats.language import language, speaking
from fairstats.methods.registry import METHODS
from fairstats.reporting.bundle import gather
from fairstats.reporting.report import context
from fairstats.reporting.words import method_did, method_title, method_words
from fairstats.text import level, signed
from tests.auditing.test_page_one import FOUR, WORDS
from tests.auditing.test_words import people, table


def page(*results: object, preset: str = "generic") -> dict[str, Any]:
    result: dict[str, Any] = context(gather(results, None, ""), preset)["findings"]
    return result


def text(html: str) -> str:
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", html[html.index("<main") :])).split())


@pytest.fixture(scope="module")
def arrests() -> pd.DataFrame:
    return fairstats.arrests()


@pytest.fixture(scope="module")
def fit(arrests: pd.DataFrame) -> fairstats.Projection:
    return fairstats.og("~ age + checks + year", groups="colour", data=arrests[:600], k=2, scale=True)


def lines(card: Any) -> dict[str, list[str]]:
    """The lines of a scorecard by group, without those that name an attribute."""
    return {row[0].text: [cell.text for cell in row[1:]] for row in card.rows if len(row) > 1}


def test_the_scorecard_has_every_group_with_its_rate_gap_and_interval(arrests: pd.DataFrame) -> None:
    result = fairstats.audit(arrests, "released", ["colour", "sex"], favorable="Yes", labels=WORDS)
    card = page(result)["card"]
    sizes = arrests.groupby("colour").size()
    assert [row[0].text for row in card.rows] == [
        "Colour", "White (reference)", "Black", "Sex", "Men (reference)", "Women"
    ]  # fmt: skip
    black, white = lines(card)["Black"], lines(card)["White (reference)"]
    assert (black[0], white[0]) == (f"{sizes['Black']:,}", f"{sizes['White']:,}")
    assert (black[1], white[1], black[3]) == ("74.1", "85.8", "\N{BLACK CIRCLE} −11.7")
    (gap,) = result.estimates.where(metric="selection rate", attribute="colour", contrast="difference", role="main")
    ends = f"{100 * gap.conf_low:.1f} to {100 * gap.conf_high:.1f}".replace("-", "−")
    assert next(row for row in card.rows if row[0].text == "Black")[4].below == f"({ends})"
    assert "95% intervals, adjusted for 2 comparisons." in card.note
    assert next(row for row in card.rows if row[0].text == "Black")[3].mark.alt == "Below the reference."


def test_the_scorecard_has_base_rates_and_dots_where_errors_differ_beyond_chance() -> None:
    rng = np.random.default_rng(7)
    n = 6000
    data = pd.DataFrame({"g": rng.choice(["a", "b"], n), "y": rng.integers(0, 2, n)})
    data["d"] = (rng.random(n) < np.where(data.y == 1, 0.7, np.where(data.g == "b", 0.5, 0.2))).astype(int)
    errors = {}
    for declared in ({"favorable": 1}, {"favorable": 0, "positive_prediction": 1}, {}):  # {}: nobody said which helps
        built = page(fairstats.audit(data, "d", "g", outcome="y", reference="a", **declared))
        labels = [heading.label for heading in built["card"].headings]
        assert "outcome rate" in labels
        errors[declared.get("favorable")] = labels[-3:]
    assert errors == {
        1: ["mistaken refusals", "mistaken approvals", "right when approved"],
        0: ["false alarms", "missed cases", "right when flagged"],
        None: ["false negatives", "false positives", "right when selected"],
    }
    assert any(line.startswith("d = 1 is taken as the decision that helps the person") for line in built["rely"])
    card = built["card"]
    missed, favors, right = lines(card)["b"][-3:]
    false = data[(data.y == 0) & (data.g == "b")].d.mean()
    assert favors == f"\N{BLACK CIRCLE} {100 * false:.1f}" and right.startswith("\N{BLACK CIRCLE}")
    assert not missed.startswith("\N{BLACK CIRCLE}")


def test_of_many_groups_the_scorecard_has_the_ten_farthest_from_the_reference() -> None:
    data = table(**{f"g{i:02d}": (20 + 3 * i, 100) for i in range(20)})
    result = fairstats.audit(data, "d", "g", reference="g00")
    card = page(result)["card"]
    assert len(lines(card)) == 11 and {"g00 (reference)", "g19", "g10"} <= set(lines(card))
    assert "9 further groups, with less evidence of a gap, are in the tables." in card.note


def test_with_a_margin_the_scorecard_has_the_finding_beside_it() -> None:
    result = fairstats.audit(table(a=(600, 1000), b=(300, 1000), c=(605, 1000)), "d", "g", reference="a", margin=0.08)
    card = page(result)["card"]
    assert lines(card)["b"][-1] == "beyond margin" and lines(card)["c"][-1] == "within margin"
    assert "Gray: the margin (" in card.note


def test_with_strata_the_scorecard_has_the_verdict_that_holds_them_fixed() -> None:
    """Two departments with their own rates, more women where few are admitted: the crude gap is no finding."""
    rows = [("m", "x", 160, 200), ("f", "x", 40, 50), ("m", "y", 10, 50), ("f", "y", 40, 200)]
    people = [(sex, job, int(i < k)) for sex, job, k, n in rows for i in range(n)]
    data = pd.DataFrame(people, columns=["sex", "job", "d"])
    card = page(fairstats.audit(data, "d", "sex", strata="job", reference="m"))["card"]
    assert [h.label for h in card.headings][-3:] == ["crude gap", "within job", "finding"]
    *_, crude, within, finding = lines(card)["Women"]
    assert (crude, within, finding) == ("−36.0", "0.0", "not settled")


def test_beside_strata_and_covariates_the_scorecard_has_the_gap_that_its_heading_names() -> None:
    rng = np.random.default_rng(2)
    staff = {
        "sex": np.tile(["f", "m", "m"], 80),
        "job": np.tile(["x", "x", "y", "y"], 60),
        "age": rng.uniform(20, 60, 240),
    }
    staff["pay"] = 30 + staff["age"] / 2 + 3 * (staff["sex"] == "m") + rng.normal(0, 3, 240)
    within, alike = "gap of means within strata", "adjusted gap of means"
    for given, metric, heading in (
        ({"strata": "job"}, within, "within job"),
        ({"adjust_for": "~ age"}, alike, "alike in age"),
        ({"strata": "job", "adjust_for": "~ age"}, within, "within job"),  # of which the first sentence is
    ):
        result = fairstats.audit(staff, amount="pay", groups="sex", reference="m", **given)
        card = page(result)["card"]
        assert card.headings[-2].label == heading
        (row,) = result.estimates.only(metric=metric, role="main")
        assert lines(card)["Women"][-2] == f"{100 * row.estimate:.1f}%"


def test_an_audit_of_flags_is_answered_about_who_is_flagged() -> None:
    """A score of 5 or more harms: the answer, the scorecard and the printed table count those who have it."""
    rng = np.random.default_rng(1)
    data = pd.DataFrame({"g": rng.choice(["a", "b"], 2000), "y": rng.integers(0, 2, 2000)})
    data["s"] = rng.integers(1, 11, 2000) + 3 * (data.g == "b")
    result = fairstats.audit(data, groups="g", score="s", threshold=5, favorable=0, outcome="y", reference="a")
    share = (data.s >= 5).groupby(data.g).mean() * 100
    assert result.finding().startswith(
        f"People with `g` b had `s` of at least 5 about {share.b / share.a:.1f} times as often as those with a: "
        f"{share.b:.1f}% against {share.a:.1f}%"
    )
    spared = (data.g == "b").sum() * (share.b - share.a) / 100
    assert (
        f"At the rate of those with a, {spared:.0f} fewer people with `g` b would have had `s` of at least 5 "
        "(arithmetic only)." in result.finding()
    )
    card = page(result)["card"]
    n = (data.g == "b").sum()
    had = f"{100 * data.y[data.g == 'b'].mean():.1f}"
    assert lines(card)["b"][:3] == [f"{n:,}", had, f"{share.b:.1f}"] and card.headings[3].label == "flagged"
    assert card.headings[4].label.split() == ["0", "50", "100%"]  # 88.5 is the highest
    assert f"{share.b:.1f}" in str(result) and "\n\nIn %: s at least 5, its gap" in str(result)
    said = page(result)
    answered = f"People with `g` b were flagged about 1.5 times as often as those with a: {share.b:.1f}%"
    assert said["sentence"].startswith(answered)
    assert "flagged = s of 5 or more · outcome: y = 1" in said["who"] and "outcome rate" not in card.headings[2].label
    helps = fairstats.audit(data, groups="g", score="s", threshold=5, favorable=1, outcome="y", reference="a")
    assert "approved = s of 5 or more · outcome: y = 1" in page(helps)["who"]
    assert helps.finding().startswith(
        f"People with `g` b had `s` of at least 5 about 1.5 times as often as those with a: {share.b:.1f}%"
    )


def test_the_pair_of_page_one_is_in_a_table_of_the_same_report() -> None:
    result = fairstats.audit(table(**{f"g{i:02d}": (20 + i, 100) for i in range(30)}, tiny=(2, 2)), "d", "g")
    built = context(gather([result], None, ""))
    matches = built["findings"]
    reference = result.references["g"]
    farthest = max(
        result.estimates.where(metric="selection rate", contrast="difference", role="main", verdict="disparity shown"),
        key=lambda row: max(row.conf_low, -row.conf_high),
    )
    assert matches["sentence"].startswith(
        f"{reference}, one of the largest groups of g, had `d = 1` less often (20.0%) than "
    )
    assert f"{farthest.group} (" in matches["sentence"] and "tiny (" not in matches["sentence"]  # not the two people
    printed = str(built["outcomes"])
    assert farthest.group in printed and reference in printed


def test_where_to_read_on_names_sections_that_there_are(arrests: pd.DataFrame) -> None:
    html = fairstats.report(fairstats.audit(arrests, "released", ["colour", "sex"], favorable="Yes")).html
    arguments = re.findall(r'class="page" href="#([^"]*)"', html)
    assert arguments and all(f'id="{name}"' in html for name in arguments)
    assert "target-counter(attr(href),page)" in html


def test_four_fifths_on_page_one_is_against_the_highest_rate_whatever_the_reference() -> None:
    data = table(a=(41, 100), b=(65, 100), c=(79, 100))
    result = fairstats.audit(data, "d", "g", reference="a", law="employment")  # which is the group that fares worst
    line = (
        "People with `g` a had `d = 1` at 0.52 of the rate of those with c, the highest (41.0% against 79.0%): below "
    )
    line += "four fifths (0.80) in these data; the difference is beyond"
    built = page(result)
    assert built["sentence"] == f"{line} chance."
    assert built["context"][0].startswith("The true ratio is shown to be below 0.80 (")
    assert built["context"][1] == "No other ratio is below 0.80."


def test_four_fifths_on_page_one_is_the_lowest_ratio_of_all_attributes() -> None:
    data = table(White=(618, 1000), Black=(363, 1000)).rename(columns={"g": "ethnicity"})
    data["sex"] = np.tile(["men", "women"], 1000)
    built = page(fairstats.audit(data, "d", ["sex", "ethnicity"], law="employment"))
    line = (
        "Black people had `d = 1` at 0.59 of the rate of White people, the highest (36.3% against 61.8%): below "
        "four fifths (0.80) in these data; the difference is beyond chance."
    )
    (row,) = fairstats.audit(data, "d", "ethnicity").estimates.where(metric="impact ratio", role="main", given="")
    assert row.conf_high < 0.75
    assert built["sentence"] == line
    assert built["context"][0].startswith("The true ratio is shown to be below 0.80 (interval ")
    assert built["context"][1] == "By sex and ethnicity, each by itself, no other group is below 0.80."
    first = page(fairstats.audit(data, "d", ["sex", "ethnicity"]), preset="four_fifths")
    assert first["sentence"].startswith(line) and not any("four fifths" in line for line in first["context"])
    tables = first["tables"]
    assert [result.caption.split(":")[0] for result in tables] == [
        "Selection rate by sex",
        "Selection rate by ethnicity",
    ]


def test_a_ratio_beside_the_line_of_four_fifths_says_on_which_side_it_is() -> None:
    for events, wording in ((598, "0.797"), (602, "0.803"), (500, "0.67")):
        result = page(fairstats.audit(table(a=(750, 1000), b=(events, 1000)), "d", "g", law="employment"))
        side = (
            "below four fifths (0.80) in these data; the difference is beyond chance"
            if events < 600
            else "not below four fifths (0.80)"
        )
        rates = f"{events / 10:.1f}% against 75.0%"
        line = f"People with `g` b had `d = 1` at {wording} of the rate of those with a, the highest ({rates}): {side}."
        assert result["sentence"] == line
        assert any("the true ratio is below 0.80 is not settled" in text for text in result["context"]) == (
            events == 598
        )


def test_the_answer_under_the_law_of_employment_has_the_four_fifths_of_page_one() -> None:
    data = table(White=(750, 1000), Black=(598, 1000))
    audit = fairstats.audit(data, "d", "g", law="employment")
    found = page(audit)["sentence"]
    printed = " ".join(str(audit).split())
    assert "at 0.797 of the rate of" in found and audit.finding().startswith(found) and f"rows {found}" in printed
    assert re.search(r"Black 598/1,000 59\.8 0\.797 reference", printed)
    assert len(str(audit).splitlines()) <= 25
    assert re.search(r"Black 0\.797 \(.*\)\. Below 0\.8: Black\.", " ".join(audit.summary().split()))
    assert "four fifths" not in fairstats.audit(data, "d", "g").finding()


def test_page_one_says_how_many_people_the_largest_gap_and_every_attribute() -> None:
    data = table(a=(500, 1000), b=(520, 1000), c=(300, 1000))
    data["sex"] = np.tile(["men", "women"], 1500)
    result = fairstats.audit(data, "d", ["sex", "g"], reference={"g": "a"})
    matches = page(result)
    more = "At the rate of those with a, 200 more people with `g` c would have had `d = 1` (arithmetic only)."
    assert more in matches["context"]
    assert matches["sentence"].index("had `d = 1` less often than those with a: 30.0% against 50.0%") < matches[
        "sentence"
    ].index("women")
    assert result.finding().startswith(matches["sentence"].partition(". ")[0])
    html = fairstats.report(result).html
    assert f'<meta name="description" content="{matches["sentence"].replace("`", "")}">' in html


def test_page_one_says_what_it_does_not_show_and_where_the_numbers_are(arrests: pd.DataFrame, tmp_path) -> None:
    arrests.to_csv(tmp_path / "arrests.csv", index=False)
    result = fairstats.audit(tmp_path / "arrests.csv", "released", "colour", favorable="Yes")
    matches = page(result)
    assert matches["source"].startswith(f"Data arrests.csv, SHA-256 {result.data.sha256[:8]}…")
    assert result.data.sha256 not in matches["source"] + matches["who"]


def test_only_where_a_line_is_not_settled_page_one_says_that_this_shows_no_equality() -> None:
    unproved = (
        "That groups whose gap is not settled are treated alike: nobody set beforehand how small a gap does not matter."
    )
    settled, unsettled = table(a=(600, 1000), b=(300, 1000)), table(a=(60, 100), b=(56, 100))
    assert unproved not in page(fairstats.audit(settled, "d", "g"))["unshown"]
    assert unproved in page(fairstats.audit(unsettled, "d", "g"))["unshown"]


@pytest.mark.parametrize(("a", "b"), [((790, 1000), (412, 1000)), ((298, 377), (1522, 3696)), ((1, 3), (1, 6))])
def test_page_one_says_when_its_difference_is_not_that_of_its_shares(a, b) -> None:
    result = page(fairstats.audit(table(a=a, b=b), "d", "g"))
    ((_, parts, _, gap, *_),) = [cells for group, cells in lines(result["card"]).items() if "(reference)" not in group]
    ((_, other, *_),) = [cells for group, cells in lines(result["card"]).items() if "(reference)" in group]
    difference = Decimal(gap.removeprefix("\N{BLACK CIRCLE} ").replace("\N{MINUS SIGN}", "-"))
    shares = [
        100 * Fraction(cell.replace(" of ", "/")) if " of " in cell else Fraction(cell) for cell in (parts, other)
    ]
    assert abs(abs(shares[0] - shares[1]) - abs(Fraction(str(difference)))) <= Fraction(1, 2)
    assert "Gaps: of unrounded rates." in result["card"].note


def test_a_gap_of_a_finding_that_is_not_that_of_its_shares_is_about_so_large() -> None:
    """Of 1,000 people each 46.24 and 38.56% would be 46.2 and 38.6 with a gap of 7.7."""
    rows = [(g, y, int(i < k)) for g, y, n, k in [("a", 1, 5000, 3072), ("b", 1, 5000, 2688), ("a", 0, 5000, 1000),
            ("b", 0, 5000, 1500)] for i in range(n)]  # fmt: skip
    data = pd.DataFrame(rows, columns=["g", "y", "d"])
    result = page(fairstats.audit(data, "d", "g", outcome="y", favorable=1, reference="a"))
    assert any("46.2%" in text and "38.6%" in text and "(gap about 7.7 points" in text for _, text in result["points"])
    german = fairstats.report(fairstats.audit(data, "d", "g", outcome="y", favorable=1, reference="a"), language="de")
    assert "(Abstand etwa 7,7 Punkte" in german.html and "about" not in german.html.partition("Hauptbefunde")[2][:2000]


def test_the_title_is_that_of_the_words() -> None:
    arguments = {"title": "Hiring by age", "unit": "applicants", "population": "of 2025"}
    result = fairstats.audit(table(**FOUR), "d", "g", labels=arguments)
    assert fairstats.report(result).title == "Hiring by age"
    assert page(result)["who"].startswith("Audit of 274 applicants of 2025 · ")
    named = {"unit": "applicants", "score": "the test", "attributes": {"g": "school"}}
    assert fairstats.report(fairstats.audit(table(**FOUR), "d", "g", labels=named)).title == "Audit of d by school"
    scored = pd.DataFrame({"g": ["a", "b"] * 40, "s": range(80)})
    assert (
        fairstats.report(fairstats.audit(scored, score="s", groups="g", labels=named)).title
        == "Audit of the test by school"
    )
    twice = fairstats.audit(table(**FOUR), "d", "g", labels={"unit": "applicants", "population": "Applicants of 2025"})
    assert page(twice)["who"].startswith("Audit of 274 Applicants of 2025 · ")
    assert "each row of data in memory is one of the Applicants of 2025" in text(fairstats.report(twice).html)


def test_a_protocol_file_is_no_proof_and_its_date_is_said(tmp_path) -> None:
    path = tmp_path / "audit.toml"
    path.write_text('groups = ["g"]\ndecision = "d"\n')
    result = fairstats.audit(table(**FOUR), protocol=path)
    wording = text(fairstats.report(result).html)
    assert f"Read from audit.toml (SHA-256 {result.protocol.sha256}, last changed " in wording
    assert "A date is no proof" in wording and "were fixed before the data were seen." in wording
    assert "declared in advance" not in wording.replace("only an equivalence margin, declared in advance, can", "")
    assert result.protocol.changed[:4] == "20" + result.protocol.changed[2:4]


def test_the_heading_of_the_data_counts_as_the_flow_does() -> None:
    data = people(np.random.default_rng(3), 500).astype({"y": float})
    data.loc[:12, "y"] = np.nan
    result = context(gather([fairstats.audit(data, "d", "sex", outcome="y")], None, ""))["data"]
    steps = {row[0]: row[1] for row in result["flow"].rows}
    assert steps["rows analyzed"] == "500" and result["summary"].startswith("all 500 rows read were analyzed; 487 ")


def test_the_decision_that_is_taken_to_help_is_said() -> None:
    notes = fairstats.audit(table(**FOUR), "d", "g").notes
    assert "d = 1 is taken as the decision that helps the person; declare the other one where it does not." in notes
    other = fairstats.audit(table(**FOUR), "d", "g", favorable=0).notes
    assert not any("taken as the decision" in note for note in other)


@pytest.mark.long
def test_a_report_of_a_fit_begins_with_what_leaks(arrests: pd.DataFrame, fit: fairstats.Projection) -> None:
    leak = fairstats.leakage(fit.crossfit(arrests[:600]), permutations=9)
    result = page(fit, leak)
    best = max((r for r in leak.estimates if r.metric.startswith("AUC")), key=lambda r: r.estimate)
    first, _, rest = result["sentence"].partition("; ")
    assert f"in {100 * best.estimate:.1f}% of pairs (95% CI " in result["sentence"]
    assert (
        "After the adjustment by orthogonal PCA " in first and "`colour`" in first.split(". ")[0]
    )  # first whether the groups are told
    kept, plain = (100 * (1 - error / fit.total) for error in (fit.error, fit.pca_error))
    done = (
        " gave the new numbers the same average in every group of `colour` on these rows. The price: the new numbers "
        f"keep {kept:.1f}% of how the rows differ; as many numbers without the adjustment keep {plain:.1f}%."
    )
    assert rest.endswith(f"It{done}") and "removed" not in result["sentence"] and "not tested" not in rest
    features = "the 3 features `age`, `checks` and `year`"
    assert any(
        f"2 new numbers replace {features}. Method: orthogonal PCA, principal" in wording
        for wording in result["context"]
    )
    (promise, where), (use, text) = result["points"][1:]
    assert use == "What this means for use." and "they are not hidden from it" in text
    assert promise == "What the method promises, the same averages in every group, holds on these rows."
    checked = context(gather([fit], None, ""), "generic")["representation"]["parts"][0]["guarantees"]
    assert f"(table “{checked.caption}”)" in where and "0 for others" in checked.note
    assert not any(
        "tolerance" in str(built.headings) for built in result["tables"]
    )  # numbers of guarantees: in the annex
    without = page(fit)
    untested = "Whether a model can still tell the groups of `colour` apart: that was not tested."
    assert without["sentence"] == f"The adjustment by orthogonal PCA{done}".replace(
        "The price: ", "Whether a model can still tell the groups apart was not tested. The price: "
    )
    assert untested in without["unshown"] and untested not in result["unshown"]
    tested = (
        "Test on rows that orthogonal PCA did not see whether a model can still tell `colour`: `fairstats.leakage`."
    )
    assert tested in without["rely"] and tested not in result["rely"]


def test_a_fit_says_who_pays(fit: fairstats.Projection) -> None:
    (pays,) = [result for result in page(fit)["tables"] if result.caption.startswith("Error of the features")]
    entries = {f"{p.level} people": p for p in fit.price.by_group}
    assert {row[0] for row in pays.rows} == set(entries)
    for row in pays.rows:
        price = entries[row[0]]
        assert float(row[3]) == pytest.approx(price.error, rel=1e-3)
        assert float(row[4]) == pytest.approx(100 * (price.error / price.pca_error - 1), abs=0.051)


def test_a_comparison_names_every_method_on_page_one(arrests: pd.DataFrame) -> None:
    arguments = {"outcome": "released", "positive": "Yes", "groups": "colour", "features": ["age", "checks", "year"]}
    comparison = fairstats.compare(
        arrests[:900], **arguments, methods=["none", "og", "fair_pca"], k=2, n_repeats=2, progress=False
    )
    result = page(comparison)
    assert all(f"ith {name} " in result["sentence"] for name in ("no adjustment", "orthogonal PCA", "fair PCA"))
    assert result["context"][0].endswith(" of its features: orthogonal PCA and fair PCA.")
    (prices,) = result["tables"]
    assert [row[0] for row in prices.rows] == ["no adjustment", "orthogonal PCA", "fair PCA"]
    assert "no adjustment, orthogonal PCA and fair PCA" in gather([comparison], None, "").title
    p = comparison.protocol
    train, test = f"{p.n_train} to train on", f"{p.n_test} held out to measure on"
    assert result["who"].startswith(f"900 people: {train}, {test}, in each of 2 splits · ")
    assert result["question"].startswith("A model that predicts `released` may predict it less often for one group of")
    cut = "The model predicts “released” where its score, a probability, is 0.5 or more, "
    cut += "a cut-off that was set and not found from the data."
    assert (
        result["context"][-1].endswith(cut)
        and "from the features age, checks, year, was trained" in result["context"][-1]
    )
    assert [lead for lead, _ in result["points"]][-1] == "Quality of the scores (AUC)."
    assert result["rely"] and "a person recorded as “released” scores higher" in prices.note
    assert all(
        f"{name}: {method_words(method)}." in result["context"][-1]
        for name, method in (("Orthogonal PCA", "og"), ("Fair PCA", "fair_pca"))
    )
    assert "logistic" not in prices.note  # the one model, which no line names
    (picture,) = result["figures"]
    levels = {row.metric: row.conf_level for row in comparison.estimates.only(attribute="", contrast="none")}
    assert f"Lines across: the {level(levels['AUC'])} interval of AUC; upright: the " in picture.caption
    assert "interval of the gap, which is the " in picture.caption and picture.caption.endswith("; each by itself.")
    assert "Points: observed means over the splits" in picture.caption


@pytest.mark.parametrize(
    ("preset", "words"),
    [
        ("method", "needs a fit"),
        ("comparison", "needs a comparison"),
        ("monitoring", "needs a change"),
        ("four_fifths", "decisions"),
    ],
)
def test_a_preset_says_what_it_needs(preset: str, words: str) -> None:
    frame = {"g": ["a", "b"] * 40, "y": [0, 1, 1, 1] * 20}
    with pytest.raises(InputError, match=words):
        page(fairstats.audit(frame, outcome="y", groups="g"), preset=preset)


def test_four_fifths_stands_on_page_one_of_its_preset() -> None:
    result = page(fairstats.audit(table(**FOUR), "d", "g"), preset="four_fifths")
    (rule,) = result["tables"]
    assert "ratios to the highest" in rule.caption and "29 CFR 1607.4(D)" in rule.note


def applicants() -> pd.DataFrame:
    rng = np.random.default_rng(4)
    race = rng.choice(["White", "Hispanic or Latino", "Asian", "Pacific"], 2000, p=[0.6, 0.25, 0.14, 0.01])
    data = pd.DataFrame({"sex": rng.choice(["Female", "Male"], 2000), "race": race})
    data["hired"] = (rng.random(2000) < 0.3).astype(int)
    data.loc[:9, "race"] = None
    return data


def test_the_tables_of_the_law_are_page_one_as_the_rule_lays_them_out() -> None:
    data = applicants()
    result = fairstats.audit(data, "hired", ["sex", "race"])
    few = {"Pacific": "too few people for a rate"}
    about = {"tool": "Ranker", "vendor": "Acme", "distributed": "2026-01-15"}
    html = fairstats.report(
        result, *fairstats.local_law_144(result, exclude=few, about=about), preset="ll144", auditor="A. Statistician"
    ).html
    first = text(html).partition("Scope and protocol")[0]
    assert "Tool Ranker" in first and "Distribution date of the tool 2026-01-15" in first
    assert (
        "To be given before publication Version, Employer or employment agency" in first
        and "Auditor A. Statistician" in first
    )
    assert "too few people for a rate" in first and "People of unknown race, who are left out of Table 2: 10." in first
    assert "Disparity" not in first and "disparity shown" not in first and "no conclusion" in first
    law = context(gather([result], None, ""), "ll144")
    matrix = law["local_law"]["tables"][2]
    rows = [row[:2] for row in matrix.rows]
    assert rows[:2] == [(s, "Hispanic or Latino") for s in ("Male", "Female")]
    assert "By the rule every category of race but Hispanic or Latino is of people who are neither." in matrix.note
    order = rows[2:]
    races = [race for race in ("White", "Black", "Pacific", "Asian") if race in {race for _, race in order}]
    assert order == [(sex, race) for sex in ("Male", "Female") for race in races]
    present = data.dropna()
    for sex, race, n, selected, rate, _ in matrix.rows:
        hired = present[(present.sex == sex) & (present.race == race)].hired
        assert (int(n), int(selected)) == (len(hired), hired.sum()) and float(rate) == pytest.approx(
            100 * hired.mean(), abs=0.051
        )
    assert law["outcomes"] is None  # no second table of ratios, to another reference


def test_what_stands_beside_the_tables_of_the_law_is_tested() -> None:
    result = fairstats.audit(applicants(), "hired", "sex")
    with pytest.raises(InputError, match="about has 'tol'; there is no such entry; did you mean 'tool'"):
        fairstats.local_law_144(result, about={"tol": "x"})
    with pytest.raises(InputError, match="about has 'x'; it is a mapping"):
        fairstats.local_law_144(result, about="x")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="preset has 'generic'"):
        fairstats.report(result, ll144_notice={"tool": "x"})
    assert "Tool Ranker" in text(fairstats.report(result, preset="ll144", ll144_notice={"tool": "Ranker"}).html)


@pytest.mark.parametrize("method", ["minimax_pca", "disparity_pca"])
def test_a_method_that_takes_nothing_out_is_not_said_to(method: str) -> None:
    rng = np.random.default_rng(0)
    groups = np.repeat(["u", "v"], 60)
    X = rng.normal(size=(120, 5)) * np.where(groups == "u", 1.0, 2.0)[:, None]
    more = {} if method == "minimax_pca" else {"lam": 0.7, "advantaged": "u", "disadvantaged": "v"}
    built = getattr(fairstats, method)(X, groups, k=2, **more)
    result = page(built, preset="method")
    errors = {p.level: p.error for p in built.price.by_group}
    high = max(errors, key=lambda level: errors[level])
    assert (
        "take" not in result["sentence"].split("It takes no group out of them.")[0]
        and "removing" not in result["question"]
    )
    assert f"to {errors[high]:.4g} ({high})" in result["sentence"].split(", with principal components")[0]
    assert "Adjusting " not in gather([built], None, "").title
    removed = page(fairstats.og(X, groups, k=2), preset="method")
    title = gather([fairstats.og(X, groups, k=2)], None, "").title
    assert (
        "orthogonal PCA gave the new numbers the same average in every group of `group` on these rows"
        in removed["sentence"]
    )
    assert title == "Adjusting 5 features to hide group: orthogonal PCA"


def test_the_sweep_is_bold_for_the_group_of_page_one() -> None:
    from fairstats.auditing.sentences import page_one
    from fairstats.reporting.sections.audit import sweep

    rng = np.random.default_rng(5)
    data = pd.DataFrame({"g": rng.choice(["a", "b", "c"], 1500, p=[0.5, 0.3, 0.2])})
    data["s"] = rng.integers(1, 11, 1500) + 2 * (data["g"] == "c") - (data["g"] == "b")
    for group in ("b", "c"):
        result = fairstats.audit(data, score="s", groups="g", threshold=6, favorable=0, headline={"g": [group, "a"]})
        drawn, about = sweep("sweep", result, "g"), page_one(result)
        assert about is not None and drawn is not None
        assert f"Band: 95% interval of {group} at" in drawn.caption and {about.group, about.reference} == {group, "a"}


def test_a_label_that_ends_with_a_blank_is_in_quotes() -> None:
    result = fairstats.audit(table(**{"female ": (30, 60), "male": (50, 60)}), "d", "g")
    text = result.finding()
    assert "with `g` male had `d = 1` " in text and ('with `g` "female "' in text or 'those with "female ":' in text)


@pytest.mark.parametrize(
    ("events", "wording"), [(10, "are not all equal"), (49, "do not show that the rates of the groups differ")]
)
def test_all_groups_at_once_is_a_sentence_of_what_the_test_shows(events: int, wording: str) -> None:
    html = fairstats.report(fairstats.audit(table(a=(50, 100), b=(50, 100), c=(events, 100)), "d", "g")).html
    assert wording in text(html) and "one common rate" not in text(html)


AT_ONCE = [  # events of four groups, whose first is the reference; whether a pair, the chi-square and the range reject
    (
        (94, 56, 19, 37, 32),
        (211, 138, 69, 68, 62),
        (False, True, True),
        "No group is shown to differ from a, but a test",
    ),
    ((94, 34, 34), (214, 111, 84), (True, False, True), "The comparisons with a show that rates differ, and so does"),
    ((28, 43, 6, 13, 6, 4), (83, 81, 22, 20, 20, 11), (False, True, False), "Which two of them differ it leaves open."),
    ((50, 50, 52), (100, 100, 100), (False, False, False), "The data do not show that the rates of the groups differ"),
    ((50, 10, 50), (100, 100, 100), (True, True, True), "The rates of the groups are not all equal"),
]


@pytest.mark.parametrize(("events", "sizes", "found", "wording"), AT_ONCE)
def test_tests_of_the_same_question_that_do_not_agree_say_what_differs(events, sizes, found, wording) -> None:
    data = table(**{name: (k, n) for name, k, n in zip("abcdef", events, sizes, strict=False)})
    result = fairstats.audit(data, "d", "g", reference="a")
    rows = result.estimates.where(metric="selection rate")
    (chi,), (widest,) = (rows.where(role="omnibus", contrast=c) for c in ("none", "difference"))
    compared = chi2_contingency([events, np.subtract(sizes, events)], correction=False)  # the large samples' p-value
    assert (compared.pvalue < 0.05) == found[1] == (chi.p_value < 0.05)
    pairs = any(row.verdict == "disparity shown" for row in rows.where(role="main", contrast="difference"))
    assert (pairs, chi.p_value < 0.05, widest.conf_low > 0) == found
    page = text(fairstats.report(result).html)
    assert wording in page
    assert ("The data do not show that the rates" in page) == (not any(found))  # no sentence denies what another says


def test_page_one_of_the_law_says_which_ratio_is_the_lowest_and_no_verdict() -> None:
    data = applicants()
    result = fairstats.audit(data, "hired", ["sex", "race"])
    matches = page(result, preset="ll144")
    rates = {}
    for by in ("sex", "race", ["sex", "race"]):
        part = data.dropna().groupby(by)["hired"] if by != "sex" else data.groupby("sex")["hired"]
        kept = part.mean()[part.size() >= 0.02 * len(data)]  # smaller ones may be excluded: they come after
        rates[str(by)] = kept.min() / part.mean().max()
    ratio = re.search(r"the lowest impact ratio [a-z0-9% ]*is (\d\.\d+), that of ([^:]+): ", matches["sentence"])
    assert ratio is not None and float(ratio[1]) == pytest.approx(min(rates.values()), abs=0.0051)
    wording = r": \d+\.\d% of [\d,]+ people were selected; the highest rate is that of [^,]+, \d+\.\d% of \d+\."
    assert re.search(re.escape(ratio[2]) + wording, matches["sentence"])
    assert not any("impact ratio is" in wording for wording in matches["context"])  # the others are said in brief
    for by in ("sex", "race"):
        assert any(f"By {by} it is {rates[by]:.2f}: " in wording for wording in matches["context"])
    assert (
        matches["context"][-1] == "Local Law 144 of New York City sets no threshold: these tables state no conclusion."
    )


@pytest.mark.long
def test_page_one_of_several_methods_names_each_of_them_everywhere(arrests: pd.DataFrame) -> None:
    X, groups = arrests[:500][["age", "checks", "year"]].to_numpy(float), arrests["colour"][:500].to_numpy()
    fits = [fairstats.og(X, groups, k=2), fairstats.fair_pca(X, groups, k=2), fairstats.leace_pca(X, groups, k=2)]
    result = page(*fits)
    assert "og" not in result["question"].split() and "never sees `group`" in result["question"]
    for fit in fits:
        assert f"{100 * (1 - fit.error / fit.total):.1f}% with {method_title(fit.method)}" in result["sentence"]
        assert any(f"with {method_title(fit.method)} " in wording for _, wording in result["points"])
    leaks = [fairstats.leakage(fit.crossfit(X, groups), permutations=9) for fit in fits[:2]]
    tested = page(*fits, *leaks)
    reported = " ".join([tested["sentence"], *(wording for _, wording in tested["points"])])
    for fit, leak in zip(fits, leaks, strict=False):
        best = max(r.estimate for r in leak.estimates if r.metric.startswith("AUC of"))
        assert re.search(rf"After {method_title(fit.method)} [^.]* {100 * best:.1f}% of pairs", reported)
    two = page(*fits[:2], *leaks)
    kept = [f"{100 * (1 - fit.error / fit.total):.1f}% with {method_title(fit.method)}" for fit in fits[:2]]
    (said,) = (wording for about, wording in two["points"] if about == "What is kept.")
    assert said == f"Of how the rows differ, 2 new numbers keep {kept[0]} and {kept[1]}."
    assert any(line.startswith("Decide what matters more") for line in two["rely"])
    assert "hides the groups best" not in reported  # of the third nothing was tested
    alone = page(fits[0], fairstats.pca(X, k=2))
    assert (
        "The adjustment by orthogonal PCA gave the new numbers the same average " in alone["sentence"]
    )  # plain components are what it is priced against


@pytest.mark.parametrize("normalized", [True, False])
def test_the_answer_of_a_clustering_is_a_share_of_edges_and_not_the_name_of_a_criterion(normalized: bool) -> None:
    graph = fairstats.simulate.sbm(90, 3, (0.5, 0.3, 0.2), (0.5, 0.3, 0.2, 0.05), seed=1)
    built = fairstats.fair_spectral_clustering(
        graph, {"sex": np.where(np.arange(90) % 2, "f", "m")}, 3, normalized=normalized
    )
    result = page(built)
    wording, current = result["sentence"], built.compositions[0]
    assert "Cut" not in wording and "balance" not in wording
    plain = built.plain.compositions[0]
    frame = pd.DataFrame(
        {"sex": np.where(np.arange(90) % 2, "f", "m"), "ours": built.labels, "free": built.plain.labels}
    )
    women = {side: frame.groupby(side)["sex"].agg(lambda sex: (sex == "f").mean()) - 0.5 for side in ("ours", "free")}
    c, away = women["ours"].abs().idxmax(), 100 * women["free"].abs().max()  # both groups have 45 of the 90 members
    share, n = 50 + 100 * women["ours"][c], (built.labels == c).sum()
    rates = f"cluster {c}: {share:.1f}% of its members (n = {n}) are “f”, against 50.0% of all 90 members, a gap of"
    off = f"{rates} {abs(share - 50):.1f} percentage points; in the ordinary clustering up to"
    assert f"{off} {away:.1f}." in wording
    (drawn,) = result["figures"]
    assert "ordinary: cluster 1" in drawn.svg and "Open: the ordinary clustering." in drawn.caption
    v, v_free = (np.sqrt(chi2_contingency(one.counts, correction=False)[0] / 90) for one in (current, plain))
    assert wording.startswith(
        f"By sex the proportional clustering is {'closer' if v < v_free else 'no closer'} to the network's "
    )
    assert f"(Cramér's V {v:.3f} against {v_free:.3f})" in wording
    if normalized:
        ends = nx.from_scipy_sparse_array(graph.weights).to_directed().edges  # each link once at either member

        def leaving(labels: np.ndarray) -> float:
            out = pd.Series([100.0 * (labels[a] != labels[b]) for a, b in ends])
            return float(out.groupby([labels[a] for a, _ in ends]).mean().mean())

        cost, free = leaving(built.labels), leaving(built.plain.labels)
        assert wording.endswith(
            f"on average {cost:.1f}% of a cluster's link ends lead out, {free:.1f}% in the ordinary clustering."
        )
    else:
        shown = re.search(r"on average (\S+) links a member lead out of a cluster, (\S+) in the", wording)
        numbers = [built.ratio_cut / 3, built.plain.ratio_cut / 3]
        assert shown is not None and [*map(float, shown.groups())] == pytest.approx(numbers, rel=1e-3)


def test_page_one_of_a_clustering_says_of_what_graph_and_what_its_words_mean() -> None:
    graph = fairstats.simulate.sbm(90, 3, (0.5, 0.3, 0.2), (0.5, 0.3, 0.2, 0.05), seed=1)
    sexes = {"sex": np.where(np.arange(90) % 2, "f", "m")}
    built = fairstats.fair_spectral_clustering(graph, sexes, 3)
    result = page(built)
    assert result["who"].startswith(f"Network of 90 members and {built.edges:,} links · ") and not result["next"]
    assert result["question"].endswith("How near does it come, and how many links does that cut?")
    reported = " ".join(result["context"])
    assert "Proportional clustering: every cluster is to hold the groups in the proportions of the whole" in reported
    assert "Ordinary clustering: the same network in as many clusters without that aim" in reported
    assert "fair_spectral_clustering" not in " ".join([result["question"], result["sentence"], reported])
    (built_table,) = result["tables"]
    assert [h.label for h in built_table.headings] == [
        *("cluster", "members", "f", "difference", "m", "difference", "balance"),
    ]
    assert [row[0] for row in built_table.rows][:2] == ["all members", "proportional: cluster 1"]
    assert len(built_table.rows) == 7 and built_table.rows[0][1:4] == ("90", "50.0", "–")
    (fair,) = built.compositions
    for c, row in enumerate(built_table.rows[1:4]):
        shares = fair.counts[c] / fair.counts[c].sum()
        assert row[1:] == (
            f"{fair.counts[c].sum()}",
            f"{100 * shares[0]:.1f}",
            signed(100 * (shares[0] - 0.5)),
            f"{100 * shares[1]:.1f}",
            signed(100 * (shares[1] - 0.5)),
            f"{min(fair.counts[c]) / max(fair.counts[c]):.3f}",
        )
    assert result["rely"] and "the smallest ratio of two groups' counts" in built_table.note
    assert "A cluster is a set of members" in reported and "Links without weights: each counts 1." in reported
    left = " ".join(result["unshown"])
    assert (
        "the links of a network depend on each other" in left
        and "does not force it in the second" in left
        and "discrimination" not in left
    )
    assert fairstats.report(built).title == "Clusters of a network by sex"
    free = page(fairstats.spectral_clustering(graph, sexes, 3))
    assert "proportional: cl" not in str(free["tables"]) and "Proportional clustering" not in " ".join(
        [free["question"], free["sentence"], *free["context"], *free["unshown"]]
    )
    bare = page(fairstats.spectral_clustering(graph, k=3))
    assert "How well are" in bare["question"] and bare["sentence"].startswith("90 members in 3 clusters. On ")


def test_every_method_has_a_clause_that_says_what_it_makes_in_both_languages() -> None:
    for name, row in METHODS.items():
        assert method_words(name) and all(method_words(variant) == method_words(name) for variant in row.variants), name
        with speaking(language("de")):
            assert method_words(name) not in ("", row.makes), name
    assert method_words("none") and method_words("logistic") and method_words("a caller's own") == ""


@pytest.mark.long
def test_page_one_of_methods_says_what_each_makes_of_how_many_rows_and_at_which_level(arrests: pd.DataFrame) -> None:
    X, groups = arrests[:500][["age", "checks", "year"]].to_numpy(float), arrests["colour"][:500].to_numpy()
    fits = [fairstats.og(X, groups, k=2), fairstats.fair_pca(X, groups, k=1)]
    leaks = [fairstats.leakage(fit.crossfit(X, groups), permutations=9, conf_level=0.9) for fit in fits]
    result, bare = page(*fits, *leaks), page(*fits)
    assert result["who"].startswith("500 rows of data, 3 features · ")
    kept, losses = bare["tables"]
    assert [row[:2] for row in kept.rows] == [(method_title(fit.method), method_words(fit.method)) for fit in fits]
    assert (
        "New numbers: what stands for the features" in kept.note
        and "against as many principal components" in losses.note
    )
    share = 100 * (1 - fits[1].error / fits[1].total)
    assert f"{share:.1f}% with 1 of fair PCA" in bare["sentence"]  # k differs, so each says its own
    assert any("measured on the rows that the methods were fitted to" in wording for wording in bare["unshown"])
    assert not any(wording.startswith("Whether another kind of model") for wording in bare["unshown"])
    probed = result["tables"][0]
    assert [h.label for h in probed.headings][3:8] == ["before", "90% interval", "after", "90% interval", "adjusted p"]
    context = " ".join(result["context"])
    assert "the share in which it is right is called AUC" in context and "A linear model sees straight lines" in context
    rows = [row for leak in leaks for row in leak.estimates if row.metric.startswith("AUC")]
    assert [row[5] for row in probed.rows] == [f"{100 * row.estimate:.1f}" for row in rows]
    for row, line in zip(rows, probed.rows, strict=True):  # only what was tested
        assert line[-1] == ("shown" if row.verdict == "disparity shown" else "not shown")
    (strip,) = result["figures"]
    assert strip.caption.endswith("Lines: 90% interval.")


def test_captions_of_many_comparisons_count_what_they_say() -> None:
    """Filled points are verdicts, not intervals; of other cut-offs the limits speak, not the estimates."""
    from fairstats.reporting.sections.audit import errors_forest as forest_of
    from fairstats.reporting.sections.audit import forest_rows, sweep

    rng = np.random.default_rng(8)
    data = pd.DataFrame({"g": rng.choice(["a", "b", "c", "e"], 900, p=[0.4, 0.3, 0.25, 0.05])})
    data["s"] = rng.integers(1, 101, 900) + 8 * (data["g"] == "b")
    data["y"] = rng.integers(0, 2, 900)
    result = fairstats.audit(
        data, outcome="y", score="s", groups="g", threshold=60, favorable=0, headline={"g": ["b", "a"]}
    )
    apart = result.estimates.where(group="b", reference="a", contrast="difference")
    cuts = [row for row in apart if "threshold" in row.given]
    below = sum(r.conf_high < 0 for r in cuts)
    assert all(r.estimate < 0 for r in cuts) and 0 < below < len(cuts)  # every estimate, and not every limit
    drawn = sweep("sweep", result, "g")
    counted = f"at {below} of {len(cuts)} cut-offs, less often at none."
    assert f"b were at or above the cut-off more often than a {counted}" in drawn.caption
    rows = forest_rows(result, "g")
    apart = [replace(r, verdict="disparity shown") if r.conf_low < 0 < r.conf_high else r for r in rows]
    filled = sum(r.verdict == "disparity shown" for r in apart)
    caption = forest_of("f", result, apart).caption
    assert caption == f"{filled} of {len(rows)} differences from a are beyond chance (filled points)."


@pytest.fixture(scope="module")
def two_fits(arrests: pd.DataFrame) -> tuple[fairstats.Projection, fairstats.Projection]:
    """Fits to two features and to three."""
    some = arrests[:600]
    one = fairstats.og("~ age + checks", groups="colour", data=some, k=1, scale=True)
    return one, fairstats.fair_pca("~ age + checks + year", groups="colour", data=some, k=1, scale=True)


@pytest.mark.long
def test_leaks_beside_an_audit_are_named_by_method_and_drawn_once(two_fits, arrests: pd.DataFrame) -> None:
    some = arrests[:600]
    leaks = [fairstats.leakage(fit.crossfit(some), permutations=9) for fit in two_fits]
    audit = fairstats.audit(some, "released", "colour", favorable="Yes")
    built = page(audit, *leaks)
    titles = [title for title, _ in built["points"]]
    question = "Can the groups of colour still be told apart after"
    assert {f"{question} orthogonal PCA?", f"{question} fair PCA?"} <= {*titles}
    assert [one.name for one in built["figures"]] == ["page-one-leakage"]
    assert context(gather([audit, *leaks], None, ""), "generic")["representation"] is None
    crossed = fairstats.audit(some, "released", ["colour", "sex"], favorable="Yes")  # whose page one has more lines
    built = context(gather([crossed, *leaks], None, ""), "generic")
    assert not built["findings"]["figures"] and "Told apart best" in built["representation"]["leaks"].caption


@pytest.mark.long
def test_a_report_of_leakage_alone_says_which_groups_are_recognized_by_what(two_fits, arrests: pd.DataFrame) -> None:
    leak = fairstats.leakage(two_fits[0].crossfit(arrests[:600]), permutations=9)
    best = max((r for r in leak.estimates if r.metric.startswith("AUC")), key=lambda r: r.estimate)
    report = fairstats.report(leak)
    bundle = gather([leak], None, "")
    assert bundle.title == "Can the groups of colour still be told apart after orthogonal PCA?"
    result = page(leak)
    assert re.search(rf" tells? {best.group} people from {best.reference} people\b", result["sentence"])
    assert (
        f"{100 * best.estimate:.1f}% of pairs" in result["sentence"]
        and result["question"]
        and "600 rows" in result["who"]
    )
    assert "The results follow" not in report.html and report.html.count("<figure") == 1


def test_fits_to_different_features_stand_apart(two_fits) -> None:
    """No share, count or error of one is said to be of the features of the other."""
    result = page(*two_fits)
    wording = " ".join([result["sentence"], *result["context"]])
    for fit, features in zip(two_fits, (2, 3), strict=True):
        assert (
            f"{100 * (1 - fit.error / fit.total):.1f}% of {features} features with 1 of {method_title(fit.method)}"
            in wording
        )
    first, *losses = result["tables"]
    column = [heading.label for heading in first.headings].index("features")
    assert [line[column] for line in first.rows] == ["2", "3"] and len(losses) == 2
    assert gather(two_fits, None, "").title == "Fits to different features: orthogonal PCA, fair PCA"
    assert any("no comparison of the methods" in line for line in result["unshown"])


def test_what_is_from_before_the_groups_are_taken_out_says_so(two_fits) -> None:
    """The components of og carry less than those that it is made of, and the groups explain nothing of them."""
    og, _ = two_fits
    before = sum(row.estimate for row in og.estimates.only(metric="variance share"))
    assert before > 1 - og.error / og.total + 1e-4
    text_of = {fit.method: text(fairstats.report(fit).html) for fit in two_fits}
    assert f"Before adjustment the components carry {100 * before:.2f}%" in text_of["og"]
    assert "Orthogonal PCA: share of each component that the groups explained before adjustment" in text_of["og"]
    assert "efore adjustment" not in text_of["fair_pca"]


def test_a_report_of_leakage_says_how_it_is_reproduced(two_fits, arrests: pd.DataFrame) -> None:
    leak = fairstats.leakage(two_fits[0].crossfit(arrests[:600]), permutations=9, seed=3)
    wording = text(fairstats.report(leak).html)
    assert (
        "fairstats.leakage(scores=scores, permutations=9, seed=3)" in wording
        and "Seed 3" in wording
        and "Versions" in wording
    )


def test_page_one_has_no_column_of_intervals_that_there_are_not() -> None:
    """Holm's steps have p-values alone: that is said once, and no heading promises an interval."""
    rng = np.random.default_rng(3)
    data = {"a": rng.choice(list("xyz"), 900), "b": rng.choice(list("uvw"), 900), "d": rng.integers(0, 2, 900)}
    for p_adjust, there in (("holm", False), ("bonferroni", True)):
        html = fairstats.report(fairstats.audit(data, "d", ["a", "b"], p_adjust=p_adjust)).html
        first = html[html.index('id="findings"') : html.index('id="protocol"')]
        table = first[first.index("<table") : first.index("</table>")]
        assert (" to " in re.sub(r"<svg.*?</svg>", "", table, flags=re.S)) == there
        assert first.count("Holm's steps have no intervals that agree with them") + first.count(
            "Holm&#39;s steps have no intervals that agree with them"
        ) == (not there)


def test_every_method_that_takes_groups_out_says_what_it_did_and_none_that_they_are_gone() -> None:
    for row in METHODS.values():
        assert bool(row.did) == row.removes, row.name
        assert method_did(row.name, "sex").startswith(row.name) and "remove" not in method_did(row.name, "sex")


def test_with_too_few_refits_the_page_says_that_no_leak_could_be_shown(
    arrests: pd.DataFrame, fit: fairstats.Projection
) -> None:
    few = fairstats.leakage(fit, arrests[:600], permutations=9, seed=0)
    caution = "With 9 refits no leak beyond theirs can be shown"
    more = f"{caution}, however large: no p-value can be below 0.100. Take 19 or more."
    assert few.too_few and few.fewest == 19
    assert more in " ".join(page(few)["context"]) and caution in few.summary()
    enough = fairstats.leakage(fit, arrests[:600], permutations=19, seed=0)
    assert not enough.too_few and "beyond theirs can be shown" not in " ".join(page(enough)["context"])
    for row in (*few.estimates, *enough.estimates):
        if row.metric.startswith("AUC"):
            assert (row.verdict == "disparity shown") == (row.conf_low > 0.5), row


def test_which_features_give_a_group_away_has_a_title_an_answer_a_picture_and_both_numbers() -> None:
    rng = np.random.default_rng(0)
    sex = np.repeat(["f", "m"], 300)
    people = {"sex": sex, "height": rng.normal(170, 7, 600) + 12 * (sex == "m"), "luck": rng.normal(size=600)}
    found = fairstats.proxies(people, "sex")
    assert gather([found], None, "").title == "Which features give sex away"
    result = page(found)
    assert (
        result["sentence"] == " ".join(found.statements[:2])
        and any(block.text.startswith("A feature that gives a group") for block in result["actions"])
        and result["who"].startswith("600 people · ")
    )
    (built, left), (drawn,) = result["tables"], result["figures"]
    assert [row[0] for row in left.rows] == ["none", "height"]
    assert [row[0] for row in built.rows] == ["height", "luck"] and "0.5 is guessing" in drawn.caption
    for row, (alone, added) in zip(built.rows, found.features(), strict=True):
        assert float(row[1]) == pytest.approx(alone.estimate, abs=6e-4)
        assert float(row[4].replace("−", "-")) == pytest.approx(added.estimate, abs=6e-4)
    assert "Further results" not in fairstats.report(found).html


def test_five_attributes_have_a_line_each_and_the_farthest_first() -> None:
    """Rates and gaps by pandas; a level without a name of its own is a group of the table like any other."""
    rng = np.random.default_rng(1)
    data = pd.DataFrame({f"a{i}": rng.choice(["x", "y", "Other"], 3000, p=[0.5, 0.3, 0.2]) for i in range(5)})
    data["d"] = rng.random(3000) < 0.3 + 0.1 * (data.a1 == "y") + 0.3 * (data.a3 == "Other")
    names = list(data.columns[:5])
    (built,) = page(fairstats.audit(data, "d", names, favorable=True))["first"]
    assert [row[0] for row in built.rows[:2]] == ["a3", "a1"] and {row[0] for row in built.rows[:5]} == {*names}
    assert len(built.rows) == 5 + 10 and built.rows[0][2] == "Other"
    for row in built.rows[:5]:
        rates = data.groupby(row[0])["d"].mean()
        one, other = (float(rates[row[k]]) for k in (2, 4))
        assert (row[3], row[5]) == (f"{100 * one:.1f}", f"{100 * other:.1f}")
        assert float(row[6].replace("−", "-").strip("+")) == pytest.approx(100 * (one - other), abs=0.06)
    few = page(fairstats.audit(data, "d", names[:4], favorable=True))
    assert few["first"] == []


def test_what_methods_cost_and_leave_is_said_of_each_of_them() -> None:
    rng = np.random.default_rng(0)
    groups = np.repeat(["a", "b"], 100)
    X = rng.standard_normal((200, 4)) * [3, 2, 1, 1] + 2.0 * (groups == "b")[:, None]
    for y in (None, (X[:, 0] > 1).astype(int)):
        found = fairstats.tradeoff(X, groups, ["pca", "og"], y=y, folds=2)
        result = page(found)
        assert gather([found], None, "").title == "What methods cost and what they leave: pca and og"
        assert re.search(r" (by|with) pca \(", result["sentence"]) and " with og" in result["sentence"]
        assert [row[0] for row in result["tables"][0].rows] == ["pca", "og"] and len(result["figures"]) == 1


def test_a_report_without_intervals_has_no_general_words_on_them() -> None:
    graph = fairstats.simulate.sbm(90, 3, (0.5, 0.3, 0.2), (0.5, 0.3, 0.2, 0.05), seed=1)
    html = fairstats.report(fairstats.spectral_clustering(graph, k=3)).html
    assert "independent draws" not in html and "An interval that includes" not in html


def test_the_appendix_says_who_was_drawn_rows_clusters_or_the_units_of_a_design() -> None:
    rng = np.random.default_rng(2)
    data = {
        "g": rng.choice(["a", "b"], 600),
        "d": rng.integers(0, 2, 600),
        "school": np.arange(600) % 30,
        "w": [2.0] * 600,
    }
    design = fairstats.survey_design(weights="w", clusters="school")
    said = {
        "The rows are treated as independent draws": {},
        "The clusters (school) are treated as independent draws": {"clusters": "school"},
        "People are treated as drawn from the population by the declared sampling design": {"design": design},
    }
    for sentence, how in said.items():
        html = fairstats.report(fairstats.audit(data, "d", "g", **how)).html
        assert [one for one in said if one in html] == [sentence]


def test_page_one_of_several_classes_says_the_largest_gap_once_where_none_is_shown() -> None:
    rng = np.random.default_rng(1)
    sex = np.repeat(["women", "men"], 2000)
    shares = {"women": [0.50, 0.30, 0.20], "men": [0.515, 0.30, 0.185]}
    people = {"sex": sex, "grade": [rng.choice(["good", "fair", "poor"], p=shares[one]) for one in sex]}
    audit = fairstats.audit(people, "grade", "sex", class_order=["good", "fair", "poor"], reference="women")
    assert audit.finding().startswith("No difference by sex is shown in any of the 3 classes")
    (ends,) = re.findall(r"among men \(95% confidence interval (.*?), adjusted", audit.finding())
    gap = f"points more (95% interval {ends})"
    page = fairstats.report(audit).html.split("</section>")[0]
    text = " ".join(unescape(re.sub("<[^>]+>", " ", page)).split())
    assert text.count(gap) == 1


def test_a_column_of_mistaken_refusals_has_room_for_its_words() -> None:
    people = {"sex": ["f", "m"] * 400, "hired": [1, 0, 1, 1] * 200, "able": [1, 1, 1, 0, 0] * 160}
    audit = fairstats.audit(people, "hired", "sex", outcome="able", favorable=1, margin=0.05)
    page = fairstats.report(audit).html
    (kind,) = re.findall(r'<th[^>]*class="([^"]*)"[^>]*>mistaken refusals', page)
    assert "rate" in kind.split()  # the class of the wider column


def test_the_picture_of_all_classes_stands_once_and_is_of_every_attribute() -> None:
    rng = np.random.default_rng(1)
    people = {"sex": rng.choice(["f", "m"], 900), "race": rng.choice(["A", "B"], 900)}
    people["grade"] = rng.choice(["good", "fair", "poor"], 900)
    labels = {"attributes": {"sex": "gender"}}
    for groups in (["sex"], ["sex", "race"]):
        html = fairstats.report(fairstats.audit(people, "grade", groups, labels=labels)).html
        assert html.count("share of the group with this class") == len(groups)


def test_page_one_says_of_how_many_people_the_rates_are_where_decisions_are_missing(arrests: pd.DataFrame) -> None:
    some = arrests.assign(released=arrests["released"].astype(object).mask(arrests.index % 10 == 3))
    known = some.dropna(subset="released").groupby("colour").size()
    said = f"Rates are of people whose decision is known: {known['White']:,} White and {known['Black']:,} Black."
    assert said in page(fairstats.audit(some, "released", "colour", favorable="Yes"))["card"].note
    whole = page(fairstats.audit(arrests, "released", "colour", favorable="Yes"))["card"].note
    assert "is known" not in whole


def test_an_answer_that_missing_people_could_overturn_says_so_in_bold_and_its_numbers_below() -> None:
    """500 of 1,000 against 400 of 1,000, and 150 whose group, and 40 whose decision, is not known."""
    rows = [("a", i < 500) for i in range(1000)] + [("b", i < 400) for i in range(1000)] + [(None, True)] * 150
    data = pd.DataFrame(rows, columns=["g", "d"]).astype({"d": float})
    data.loc[:39, "d"] = np.nan
    audit = fairstats.audit(data, "d", "g", reference="a")
    result = page(audit)
    bold, below = result["sentence"], " ".join(result["context"])
    assert bold.endswith("among those with known g and decision; those who are missing could overturn it.")
    assert "interval" not in bold and "survive" not in bold
    assert below.startswith("A gap of 7.9 percentage points (95% interval")
    assert "this does not survive those who are missing: with them at worst, and sampling error, the gap lies" in below


def test_four_fifths_on_page_one_is_within_declared_strata_unless_a_report_asks_for_the_pooled_ratio() -> None:
    lines = [("a", "women", 1000, 100), ("a", "men", 200, 20), ("b", "women", 200, 80), ("b", "men", 1000, 400)]
    counts = pd.DataFrame(lines, columns=["job", "sex", "n", "k"])
    result = fairstats.audit(fairstats.from_counts(counts, "sex", "k", "n", strata="job"), law="employment")
    within = (
        "Women and men were selected at the same rate (within the same job, all taken together): not below four fifths"
    )
    pooled = "Women were selected at 0.43 of the rate of men, the highest (without regard to job: 15.0% against 35.0%)"
    first = page(result)
    assert first["sentence"] == f"{within} (0.80)." and f"{pooled}." in first["context"]
    note = first["card"].note
    assert (
        "Ratio within job: the impact ratio of people with the same job (Mantel-Haenszel)" in note
        and "0.43" not in str(first["card"].rows)
    )
    asked = page(result, preset="four_fifths")
    assert asked["sentence"].startswith(f"{pooled}: below four fifths") and f"{within} (0.80)." in asked["context"]
    assert asked["tables"][0].caption.endswith("ratios to the highest, that of Men, without regard to job")
    assert "ratio and test together" not in [heading.label for heading in asked["tables"][0].headings]


def test_where_all_other_ratios_are_low_they_are_not_counted_of_each_other_and_the_small_groups_test_is_defined() -> (
    None
):
    counts = {"job": ["d", "c", "m", "n"], "n": [905, 872, 252, 300], "k": [547, 119, 60, 80]}
    result = fairstats.audit(fairstats.from_counts(counts, "job", "k", "n"), law="employment")
    assert (
        "Both other ratios are below 0.80, too: m (0.39, beyond chance) and n (0.44, beyond chance)."
        in result.finding()
    )
    assert "(Berger and Boos)" not in fairstats.report(result).html
    few = fairstats.audit(fairstats.from_counts({"g": ["a", "b"], "n": [40, 12], "k": [20, 1]}, "g", "k", "n"))
    assert "plus 0.00001 (Berger and Boos)." in fairstats.report(few).html


def test_a_comparison_within_strata_that_cannot_be_made_says_why_beside_the_other_numbers() -> None:
    lines = [("a", "f", 90, 30), ("a", "m", 80, 40), ("b", "f", 70, 20), ("b", "m", 60, 20), ("c", "m", 90, 9)]
    lines += [("a", "x", 30, 9)]
    people = fairstats.from_counts(pd.DataFrame(lines, columns=["job", "g", "n", "k"]), "g", "k", "n", strata="job")
    report = fairstats.report(fairstats.audit(people, reference="m"))
    (row,) = (row for row in page(fairstats.audit(people, reference="m"))["card"].rows if row[0].text == "x")
    assert "not estimable" in [cell.text for cell in row]
    assert "not estimable: only 35% of m are in strata that hold both groups" in report.html
