"""Decisions and outcomes of several classes, beside the audits of each class alone, R and enumeration."""

from __future__ import annotations

import itertools
import math
import re
from html import unescape
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import fairstats as fs
from fairstats.auditing.answer import of_class
from fairstats.cli import run
from fairstats.errors import InputError
from tests.oracle.r import requires_r, run_r

ORDER = ["reject", "review", "accept"]


def applicants(n: int = 600, seed: int = 1) -> pd.DataFrame:
    """People of three groups, of whom the first is accepted less often; the outcome is predicted with errors."""
    rng = np.random.default_rng(seed)
    shares = {"Black": (0.5, 0.3, 0.2), "White": (0.3, 0.3, 0.4), "Asian": (0.34, 0.3, 0.36)}
    race = rng.choice(list(shares), n, p=(0.3, 0.5, 0.2))
    dec = np.array([rng.choice(ORDER, p=shares[r]) for r in race])
    out = np.where(rng.random(n) < 0.6, dec, rng.choice(ORDER, n))
    more = {"job": rng.choice(["a", "b"], n), "w": rng.integers(1, 4, n), "c": np.arange(n) // 4}
    return pd.DataFrame({"race": race, "dec": dec, "out": out, **more})


PEOPLE = applicants()


@pytest.mark.long
@pytest.mark.parametrize(
    "settings",
    [{}, {"strata": "job"}, {"weights": "w"}, {"weights": "w", "weight_type": "probability"}, {"clusters": "c"},
     {"margin": 0.2}, {"p_adjust": "holm"}, {"min_n": 5}],
)  # fmt: skip
def test_each_class_is_the_rate_of_its_label_against_the_rest(settings):
    """All but the adjustment is that of an audit of one label; p-values are adjusted over the whole family."""
    result = fs.audit(PEOPLE, "dec", "race", outcome="out", class_order=ORDER, **settings)
    for label in ORDER:
        alone = fs.audit(PEOPLE, "dec", "race", outcome="out", favorable=label, positive=label, **settings)
        for metric, ours in (("selection rate", "class share"), ("TPR", "class TPR"), ("PPV", "class PPV"),
                             ("risk difference within strata", "risk difference within strata")):  # fmt: skip
            one = [r for r in alone.estimates.only(metric=metric, role="main") if r.contrast != "ratio"]
            rows = [r for r in result.estimates.only(metric=ours, role="main", term=label) if r.contrast != "ratio"]
            assert [r.group for r in rows] == [r.group for r in one]
            for a, b in zip(one, rows, strict=True):
                assert (b.n, b.events, b.estimate) == pytest.approx((a.n, a.events, a.estimate), nan_ok=True)
                if a.reference and a.p_value > 0.001:  # a smaller one is raised to where its own interval touches 0
                    assert b.p_value == pytest.approx(a.p_value)
                if not a.reference:
                    assert (b.conf_low, b.conf_high) == pytest.approx((a.conf_low, a.conf_high))


def test_shares_and_the_order_are_one_family():
    """Three classes of two groups and two P(X>Y): p-values times eight; errors of each kind times six."""
    result = fs.audit(PEOPLE, "dec", "race", outcome="out", class_order=ORDER)
    for metric, k in (("class share", 8), ("P(X>Y) of classes", 8), ("class TPR", 6), ("class PPV", 6)):
        for row in result.estimates.only(metric=metric):
            if row.verdict:
                assert row.p_adjusted == pytest.approx(min(1, k * row.p_value))
    without = fs.audit(PEOPLE, "dec", "race").estimates.only(metric="class share", contrast="difference")
    assert all(row.p_adjusted == pytest.approx(min(1, 6 * row.p_value)) for row in without)


def test_shares_add_up_and_cumulative_shares_are_their_sums():
    result = fs.audit(PEOPLE, "dec", "race", class_order=ORDER).estimates
    for group in ("Black", "White", "Asian"):
        of = {m: {r.term: r.estimate for r in result.only(metric=m, group=group, contrast="none")}
              for m in ("class share", "cumulative share")}  # fmt: skip
        assert sum(of["class share"].values()) == pytest.approx(1)
        sums = dict(zip(ORDER[:2], np.cumsum([of["class share"][label] for label in ORDER])[:2], strict=True))
        assert of["cumulative share"] == pytest.approx(sums)
    assert not any(row.verdict for row in result.only(metric="cumulative share"))


def test_cumulative_share_up_to_the_first_class_has_the_interval_of_that_class():
    result = fs.audit(PEOPLE, "dec", "race", class_order=ORDER).estimates
    for group in ("Black", "Asian"):
        about = {"group": group, "term": "reject", "contrast": "difference"}
        one, other = (result.only(metric=m, **about)[0] for m in ("class share", "cumulative share"))
        assert (one.conf_low, one.conf_high) == pytest.approx((other.conf_low, other.conf_high))


def test_the_order_is_that_of_scores():
    """P(X>Y) of ordered classes is that of their places as scores."""
    result = fs.audit(PEOPLE, "dec", "race", class_order=ORDER).estimates
    scored = fs.audit(PEOPLE.assign(s=PEOPLE.dec.map(ORDER.index)), score="s", groups="race").estimates
    for group in ("Black", "Asian"):
        one, other = result.only(metric="P(X>Y) of classes", group=group), scored.only(metric="P(X>Y)", group=group)
        assert one[0].estimate == pytest.approx(other[0].estimate)
        assert one[0].p_value == pytest.approx(other[0].p_value)
    turned = fs.audit(PEOPLE, "dec", "race", class_order=ORDER[::-1]).estimates
    both = [r.only(metric="P(X>Y) of classes", group="Black")[0].estimate for r in (result, turned)]
    assert sum(both) == pytest.approx(1)


def test_all_classes_at_once_are_pearson_s_chi_square():
    table = pd.crosstab(PEOPLE.dec, PEOPLE.race)
    row = fs.audit(PEOPLE, "dec", "race").estimates.only(metric="class distribution")[0]
    expected = stats.chi2_contingency(table, correction=False)
    assert (row.statistic, row.df, row.p_value) == pytest.approx((*expected[:1], 4, expected[1]))


MISSING = PEOPLE.assign(race=PEOPLE.race.where(np.arange(len(PEOPLE)) % 40 > 0))


def test_the_test_of_all_classes_is_of_the_people_whose_group_is_known():
    table = pd.crosstab(MISSING.dec, MISSING.race)  # without those of no group
    result = fs.audit(MISSING, "dec", "race")
    row = result.estimates.only(metric="class distribution")[0]
    assert (row.statistic, row.df) == pytest.approx((stats.chi2_contingency(table, correction=False)[0], 4))
    assert row.n == table.to_numpy().sum()
    assert "chi-square test; without people whose group is missing" in " ".join(result.summary().split())


@pytest.mark.parametrize("missing", ["level", "drop"])
def test_bounds_over_missing_groups_are_those_of_the_class_alone(missing):
    whole = fs.audit(MISSING, "dec", "race", missing=missing)
    for label in ORDER:
        alone = fs.audit(MISSING, "dec", "race", favorable=label, missing=missing)
        theirs = [r for r in alone.estimates.only(role="bounds", contrast="difference") if not r.term]
        ours = [r for r in whole.estimates.only(role="bounds", term=label) if r.conf_level != r.conf_level]
        key = [(r.group, r.given, r.conf_low, r.conf_high) for r in ours]
        assert key == [(r.group, r.given, r.conf_low, r.conf_high) for r in theirs] and key
        # those with sampling error are wider, as they are adjusted for all classes
        sampled = whole.estimates.only(role="bounds", term=label, conf_level=whole.estimates.only(
            metric="class share", contrast="difference", term=label)[0].conf_level)  # fmt: skip
        for one, other in zip(sampled, alone.estimates.only(role="bounds", term="with sampling error"), strict=True):
            assert one.conf_low <= other.conf_low and one.conf_high >= other.conf_high


def test_differences_of_classes_that_the_missing_could_overturn_are_marked_and_the_others_named():
    rows = [("a", "yes", 360), ("a", "wait", 210), ("a", "no", 30), ("b", "yes", 210), ("b", "wait", 240)]
    rows += [("b", "no", 150), (None, "yes", 300)]
    people = {name: [row[i] for row in rows] for i, name in enumerate(("g", "d", "n"))}
    result = fs.audit(people, "d", "g", weights="n", reference="a")
    text, page = str(result), fs.report(result).html
    assert "Of these, those who are missing could not overturn: no more often (b)." in " ".join(text.split())
    assert "Over all people" not in text
    assert "‡ among those who are known; those who are missing could overturn it" in " ".join(text.split())
    assert text.count("disparity shown") == text.count("D disparity shown") == 1
    assert "‡ Among those who are known; those who are missing could overturn it." in page
    assert "Disparity shown among those who are known, not over all." in page
    assert "Disparity shown." in fs.report(fs.audit(PEOPLE, "dec", "race")).html
    with_margin = fs.report(fs.audit(PEOPLE, "dec", "race", margin=0.05)).contents.context["findings"]
    assert "Disparity shown." not in with_margin["sentence"]  # which the table has
    assert "is shown; that it is beyond the margin of ±5.0 points is not." in with_margin["paragraphs"][0].text
    assert "Share with d = no, difference: b against a (g)" in page and "missing groups, with sampling error" in page


def test_tables_and_figures_within_strata_name_the_class():
    page = fs.report(fs.audit(PEOPLE.assign(s=np.arange(len(PEOPLE)) % 2), "dec", "race", strata="s")).html
    for label in ORDER:
        assert f"Share with dec = {label} by race, compared with" in page
        assert f"Share with dec = {label}. Given s, " in page


@pytest.mark.parametrize("several", [["accept", "review"], ("accept", "review"), "accept,review"])
def test_several_labels_together_are_refused_with_the_one_line_that_joins_them(several):
    with pytest.raises(fs.InputError, match=r"it is one label; to set these together against the others, pass data"):
        fs.audit(PEOPLE, "dec", "race", favorable=several)
    joined = fs.audit(PEOPLE, PEOPLE["dec"].isin(["accept", "review"]), "race")
    theirs = fs.audit(PEOPLE, "dec", "race", favorable=["reject"]).estimates
    for group in ("Black", "Asian"):
        about = {"metric": "selection rate", "contrast": "difference", "role": "main", "group": group}
        assert joined.estimates.only(**about)[0].estimate == pytest.approx(-theirs.only(**about)[0].estimate)


def test_the_order_of_one_column_is_that_of_both_and_a_law_says_that_it_asks_for_one_class():
    ordered = PEOPLE.assign(dec=pd.Categorical(PEOPLE["dec"], ORDER, ordered=True), truth=PEOPLE["dec"])
    result = fs.audit(ordered, "dec", "race", outcome="truth", law="employment")
    assert result.protocol.classes == tuple(ORDER) and result.protocol.ranked
    wanted = "against the rest: name it by favorable='accept'."
    assert wanted in result.finding() and wanted in unescape(fs.report(result).html)
    turned = ordered.assign(truth=pd.Categorical(PEOPLE["dec"], ORDER[::-1], ordered=True))
    assert fs.audit(turned, "dec", "race", outcome="truth").protocol.ranked  # as it was: that of the decisions


SMALL = np.array([[5, 1, 0], [1, 4, 3]])
R_SCRIPT = """
tables <- lapply(input$tables, function(rows) do.call(rbind, rows))
set.seed(1)
simulated <- chisq.test(tables[[2]], simulate.p.value = TRUE, B = 1e5)
list(chi = chisq.test(tables[[1]])$p.value, simulated = simulated$p.value)
"""


def test_all_classes_at_once_are_those_of_r():
    requires_r()
    table = pd.crosstab(PEOPLE.dec, PEOPLE.race).to_numpy()
    theirs = run_r(R_SCRIPT, {"tables": [table.tolist(), SMALL.tolist()]})
    row = fs.audit(PEOPLE, "dec", "race").estimates.only(metric="class distribution")[0]
    assert row.p_value == pytest.approx(theirs["chi"], rel=1e-10)
    assert small_row().p_value == pytest.approx(theirs["simulated"], abs=0.008)


def small_row():
    labels = [c for row in SMALL for c, n in zip("xyz", row, strict=True) for _ in range(n)]
    people = {"d": labels, "g": ["a"] * 6 + ["b"] * 8}
    return fs.audit(people, "d", "g").estimates.only(metric="class distribution")[0]


def test_a_small_table_is_permuted_as_all_its_tables_say():
    """The p-value over 9,999 tables of the same margins is that of their enumeration, as Fisher's exact test's is."""
    row, columns = small_row(), SMALL.sum(axis=0)
    expected = np.outer(SMALL.sum(axis=1), columns) / 14

    def chance(first):
        return math.prod(math.comb(int(c), int(f)) for c, f in zip(columns, first, strict=True)) / math.comb(14, 6)

    p = sum(
        chance(first)
        for first in itertools.product(*(range(c + 1) for c in columns))
        if sum(first) == 6
        and (((np.array([first, columns - first]) - expected) ** 2) / expected).sum() >= row.statistic - 1e-9
    )
    assert row.p_value == pytest.approx(p, abs=0.008)
    assert row.method == "permutation test of chi-square"


def test_a_decision_of_two_labels_and_a_label_that_is_chosen_are_audits_of_a_rate():
    two = fs.audit(PEOPLE.assign(yes=(PEOPLE.dec == "accept").astype(int)), "yes", "race")
    chosen = fs.audit(PEOPLE, "dec", "race", favorable="accept")
    rows = [[(r.metric, r.group, r.estimate, r.p_adjusted, r.verdict) for r in result.estimates if r.role == "main"]
            for result in (two, chosen)]  # fmt: skip
    assert repr(rows[0]) == repr(rows[1])
    assert two.protocol.classes == chosen.protocol.classes == ()


def test_an_ordered_column_has_its_order():
    order = pd.Categorical(PEOPLE.dec, ORDER, ordered=True)
    result = fs.audit(PEOPLE.assign(dec=order), "dec", "race")
    assert (result.protocol.classes, result.protocol.ranked) == (tuple(ORDER), True)
    declared = fs.audit(PEOPLE, "dec", "race", class_order=ORDER)
    assert result.estimates.to_records() == declared.estimates.to_records()
    unordered = fs.audit(PEOPLE, "dec", "race")
    assert not unordered.estimates.only(metric="P(X>Y) of classes")


def test_classes_of_the_outcome_alone():
    rows = fs.audit(PEOPLE, outcome="out", groups="race").estimates.only(metric="class share", contrast="none")
    assert {(r.term, r.group): r.events for r in rows} == PEOPLE.groupby(["out", "race"]).size().to_dict()


def test_a_tally_of_classes_is_audited_as_the_people_are():
    tallied = fs.tally(PEOPLE[:300], "dec", "race", outcome="out") + fs.tally(
        PEOPLE[300:], "dec", "race", outcome="out"
    )
    one, other = (fs.audit(d, "dec", "race", outcome="out", class_order=ORDER) for d in (tallied, PEOPLE))
    assert one.estimates.to_records() == other.estimates.to_records()


def test_a_group_whose_errors_are_withheld_in_one_class_is_withheld_in_all():
    rng = np.random.default_rng(3)
    n = 300
    people = pd.DataFrame({"g": rng.choice(list("abc"), n), "d": rng.choice(list("xyz"), n)})
    people["o"] = np.where((people.g == "a") & (people.index > 6), "x", rng.choice(list("xyz"), n))
    result = fs.audit(people, "d", "g", outcome="o", min_n=10)
    for metric in ("class TPR", "class PPV"):
        rows = result.estimates.only(metric=metric, contrast="none")
        status = {g: {r.status for r in rows if r.group == g} for g in "abc"}
        assert status["a"] == {"suppressed"}
        assert all(len(s) == 1 for s in status.values())
    assert all(r.status == "ok" for r in result.estimates.only(metric="class share", contrast="none"))


def test_a_class_that_is_not_decided_on_in_a_group_is_a_share_of_zero():
    people = {"d": ["x"] * 20 + ["y"] * 20 + ["x", "y", "z"] * 10, "g": ["a"] * 40 + ["b"] * 30}
    row = fs.audit(people, "d", "g").estimates.only(metric="class share", term="z", group="a", contrast="none")
    row = row or fs.audit(people, "d", "g", reference="b").estimates.only(metric="class share", term="z", group="a")
    assert (row[0].events, row[0].estimate) == (0, 0)


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"class_order": ["reject", "review", "acept"]}, "did you mean 'accept'"),
        ({"class_order": ["reject", "review"]}, "it lists all labels of the column, three or more"),
        ({"class_order": ["reject", "review", "accept", "accept"]}, "more than once"),
        ({"class_order": ["reject", "review", "accept", "nobody"]}, "'dec' has no such label"),
        ({"class_order": "accept"}, "a list of labels"),
        ({"class_order": ORDER, "favorable": "accept"}, "drop one of the two"),
        ({"reference": "highest_rate"}, "another highest rate"),
        ({"score": "w"}, "audit the two apart"),
        ({"outcome": "job"}, "errors by class need the same labels"),
        ({"outcome": "out", "favorable": "accept"}, "or drop the latter"),
        ({"outcome": "out", "positive": "accept", "class_order": ORDER}, "favorable=, without class_order, or drop"),
        ({"headline": {"race": ["Black", "Asian"]}}, "a comparison with the reference"),
        ({"decision": "job", "class_order": ORDER}, "of which one is compared"),
        ({"favorable": "maybe"}, "has no such label"),
        ({"favorable": ["accept", "review"]}, "it is one label; to set these together .* leave it out"),
        ({"favorable": "accept, review"}, "it is one label; to set these together .* leave it out"),
    ],
)
def test_bad_input(settings, said):
    with pytest.raises(InputError, match=said):
        fs.audit(PEOPLE, **({"decision": "dec", "groups": "race"} | settings))


@pytest.mark.parametrize(
    "settings", [{}, {"class_order": ORDER}, {"positive": "a"}, {"class_order": ORDER, "positive": "a"}]
)
def test_classes_beside_an_outcome_of_two_labels_name_the_ways_that_there_are(settings):
    way = "as of 'accept', pass favorable='accept', positive_prediction='accept' and .*pass strata='job' in the place"
    with pytest.raises(InputError, match=way) as problem:
        fs.audit(PEOPLE, "dec", "race", outcome="job", **settings)
    assert ("without class_order" in str(problem.value)) == ("class_order" in settings)
    positive = settings.get("positive", "b")
    within = fs.audit(PEOPLE, "dec", "race", strata="job", class_order=settings.get("class_order"))
    rows = within.estimates.where(metric="risk difference within strata", given="job")
    assert {row.term for row in rows} == set(ORDER)
    binary = fs.audit(
        PEOPLE, "dec", "race", outcome="job", favorable="accept", positive=positive, positive_prediction="accept"
    )
    assert binary.estimates.where(metric="TPR", contrast="difference")


def test_errors_of_classes_are_a_table_and_metrics_are_named_as_they_are_printed():
    result = fs.audit(PEOPLE, "dec", "race", outcome="out", class_order=ORDER, margin=0.1)
    cells = fs.table(result, "errors").to_frame().set_index("group")
    for label in ORDER:
        for group, of in PEOPLE.groupby("race"):
            right = (of.dec == of.out) & (of.dec == label)
            shares = 100 * right.sum() / (of.out == label).sum(), 100 * right.sum() / (of.dec == label).sum()
            line = cells.loc[f"{label}: {group}"]
            assert [cell.split(" ")[0] for cell in line] == [f"{share:.1f}" for share in shares]
    gaps = fs.table(result, "error differences").to_frame()
    assert list(dict.fromkeys(gaps["statistic"])) == [
        "True positive rate of a class",
        "Positive predictive value of a class",
    ]
    printed = fs.table(result, "rates", metric="true positive rate of a class")
    assert printed.to_frame().equals(fs.table(result, "rates", metric="TPR").to_frame())
    assert str(result.passes("true positive rate of a class")) == str(result.passes("TPR"))
    order = fs.table(result, "rates", metric="P(X>Y)")
    assert order.to_frame().equals(fs.table(result, "rates", metric="P(X>Y) of classes").to_frame())
    binary = fs.audit(PEOPLE, "dec", "race", favorable="accept")
    with pytest.raises(InputError, match="which needs an outcome; this audit has none"):
        fs.table(binary, "rates", metric="true positive rate of a class")


def test_one_class_and_withheld_cells_are_refused():
    with pytest.raises(InputError, match="favorable"):
        fs.audit(PEOPLE.assign(dec="reject"), "dec", "race")
    with pytest.raises(InputError, match="withheld cells"):
        fs.audit(fs.tally(PEOPLE, "dec", "race").withhold(60))
    with pytest.raises(InputError, match="must have two"):
        fs.subgroup_scan(PEOPLE, "dec", ["race", "job"])
    with pytest.raises(InputError, match="several classes"):
        fs.audit(PEOPLE, "dec", "race", outcome="out").bootstrap()
    with pytest.raises(InputError, match="several classes"):
        fs.compare_audits(fs.audit(PEOPLE, "dec", "race"), fs.audit(applicants(seed=2), "dec", "race"))


def test_the_finding_names_class_group_and_both_shares():
    text = fs.audit(applicants(1200), "dec", "race", class_order=ORDER, reference="White").finding()
    first = text.split(". ")[0]
    assert all(part in first for part in ("dec", "Black", "White", "a gap of"))
    assert "comparisons of classes with White" in text
    assert "χ²" not in text  # on the later pages, and in the summary


@pytest.mark.parametrize("strata", [None, "job"])
def test_the_answer_and_page_one_say_the_order_where_it_is_shown_with_its_number(strata):
    result = fs.audit(applicants(1200), "dec", "race", class_order=ORDER, reference="White", strata=strata)
    (row,) = result.estimates.where(metric="P(X>Y) of classes", verdict="disparity shown")
    better = pd.DataFrame({"race": applicants(1200)["race"], "at": applicants(1200)["dec"].map(ORDER.index)})
    x, y = (better["at"][better["race"] == race].to_numpy() for race in (row.group, "White"))
    chance = (np.mean(x[:, None] > y) + np.mean(x[:, None] == y) / 2).round(3)
    crude = ", without regard to job" if strata else ""
    ends = f"{row.conf_low:.3f} to {row.conf_high:.3f}"
    said = f"the classes of {row.group} (P(X>Y) {chance:.3f}, {ends}{crude}) are shown to be worse than those of White."
    page = unescape(fs.report(result).html)
    assert chance < 0.5 and said in result.finding() and said in " ".join(str(result).split())
    assert said in " ".join(re.sub("<[^>]+>", " ", page[: page.index('id="protocol"')]).split())
    nothing = fs.audit({"d": ["x", "y", "z"] * 30, "g": ["a", "b"] * 45}, "d", "g").finding()
    assert nothing.startswith("No difference by g is shown in any of the 3 classes of d; the largest gap is that of")


def test_the_summary_has_80_columns_and_every_class():
    lines = fs.audit(PEOPLE, "dec", ["race", "job"], outcome="out", class_order=ORDER).summary().splitlines()
    assert max(map(len, lines)) <= 80
    for label in ORDER:
        assert f"dec = {label} by race, %; difference from White in points" in lines
        assert f"TPR of {label} by race, %; difference from White in points" in lines
    assert "  classes    reject < review < accept; in this order" in lines
    assert "gives them one" not in str(fs.audit(PEOPLE, "dec", "race", class_order=ORDER))
    unordered = fs.audit(PEOPLE, "dec", "race")
    assert "The classes have no order; class_order gives them one, and with it P(X>Y)." in str(unordered).splitlines()
    assert "without an order, which class_order gives" in " ".join(unordered.summary().split())
    assert "dec = review or worse by race, %; difference from White in points" in lines


def test_what_is_printed_says_which_classes_there_are_and_how_each_was_tested():
    result = fs.audit(PEOPLE, "dec", "race", class_order=ORDER, margin=0.01, strata="job")
    (row,) = result.estimates.only(metric="class distribution")
    table = pd.crosstab(PEOPLE["race"], PEOPLE["dec"])
    expected, df = stats.chi2_contingency(table)[0], (len(table) - 1) * 2
    assert (row.statistic, row.df) == (pytest.approx(expected), df)
    test = f"χ² = {expected:.1f}, df = {df}, p"
    assert f"All classes by race at once, without regard to job: {test}" in " ".join(result.summary().split())
    page, *later = fs.report(result).html.split("</section>")
    rest = " ".join(later)
    assert f"All classes and groups at once: {test}" in rest and "χ²" not in page
    assert "and this test are without regard to job." in rest
    gate = " ".join(str(result.passes()).split())
    assert "within strata of review by race of Black against White, within job" in gate
    assert dict(result.passes().without).keys() <= {"P(X>Y) of classes"}
    crude = fs.audit(PEOPLE, "dec", "race", margin=0.01)
    assert "class share of review by race of Black against White" in str(crude.passes())


@pytest.mark.long
def test_the_report_has_a_table_and_a_picture_of_all_classes_in_both_languages(tmp_path):
    result = fs.audit(PEOPLE, "dec", "race", outcome="out", class_order=ORDER, strata="job", action_plan=True)
    pages = {language: fs.report(result, language=language).html for language in ("en", "de")}
    assert "Classes of dec by race" in pages["en"]
    assert "Errors by class" in pages["en"]
    assert "Chance of a better class than White" in pages["en"]
    assert "Cumulative shares of dec by race" in pages["en"] and "review or worse" in pages["en"]
    assert "Kumulierte Anteile von dec nach race" in pages["de"]
    assert "Klassen von dec nach race" in pages["de"]
    assert "Fehler nach Klassen" in pages["de"]
    assert pages["en"].count("<svg") >= 4
    ids = [part.split('"')[0] for part in pages["en"].split(' id="')[1:]]
    assert len(ids) == len(set(ids))
    file = str(tmp_path / "r.json")
    fs.report(result, to=file)
    assert fs.verify_report(file, PEOPLE).ok
    assert not fs.verify_report(file, PEOPLE.assign(dec=PEOPLE.dec.to_numpy()[::-1])).ok


def test_figures_of_one_class_are_chosen_by_term():
    result = fs.audit(PEOPLE, "dec", "race", class_order=ORDER)
    assert "classes" in result.plots
    assert "reject: Black" in result.plot("classes").alt
    assert result.plot("differences", term="review").caption.startswith("Share with dec = review, differences")
    with pytest.raises(InputError, match="there are figures of"):
        result.plot("rates", term="nobody")


def test_every_figure_of_one_class_names_the_class_in_picture_caption_and_alternative_text():
    result = fs.audit(PEOPLE, "dec", ["race", "job"], outcome="out")
    kinds = ("rates", "differences", "ratios", "forest", "hundred", "matrix", "errors")
    for kind in kinds:
        drawing = result.plot(kind, term="review")
        said = [re.sub("<[^>]*>", " ", drawing.svg), drawing.alt, *([] if kind == "errors" else [drawing.caption])]
        for text in said:
            assert "dec = review" in text or "(class review)" in text, (kind, text)
            assert "election rate" not in text, (kind, text)
    claims = result.plot("claims")
    first = result.claims()[0]
    assert f"Share with dec = {first.term}: {first.group} against {first.reference}" in unescape(claims.svg)


def test_a_metric_of_a_column_that_was_not_given_says_which_is_needed(tmp_path, capsys):
    with_classes, of_one = (
        fs.audit(PEOPLE, "dec", "race", margin=0.1),
        fs.audit(PEOPLE, "dec", "race", favorable="accept", margin=0.1),
    )
    for result in (with_classes, of_one):
        for metric in ("tpr", "recall", "equalized odds", "equal_opportunity"):
            for ask in (result.passes, lambda m, r=result: r.plot(metric=m), lambda m, r=result: fs.table(r, metric=m)):
                with pytest.raises(InputError, match=f"{metric}.*, which needs an outcome; .* by outcome="):
                    ask(metric)
    with pytest.raises(InputError, match=r"needs an order of the classes; .*class_order="):
        with_classes.passes("P(X>Y)")
    with pytest.raises(InputError, match="which is a class; pass term='accept'"):
        with_classes.plot(metric="accept")
    every = fs.audit(PEOPLE, "dec", "race", outcome="out", margin=0.1)
    for metric, ours in (
        ("TPR of accept", "class TPR"),
        ("recall of accept", "class TPR"),
        ("PPV of accept", "class PPV"),
    ):
        assert metric.startswith("recall") or metric in every.summary()  # as the tables print it
        assert {(row.metric, row.term) for row in every.passes(metric).failures} == {(ours, "accept")}
        assert every.passes(metric).compared == 2
    with pytest.raises(InputError, match="no comparison of this audit is of it"):
        every.passes("FPR of accept")
    PEOPLE.to_csv(tmp_path / "p.csv", index=False)
    command = ["audit", str(tmp_path / "p.csv"), "--decision", "dec", "--groups", "race", "--fail-on", "disparity"]
    refused = {"tpr": "needs an outcome; this audit has none; name its column by --outcome"}
    refused["class distribution"] = "no comparison of this audit is of it; they are of class share"
    for metric, said in refused.items():
        assert run([*command, "--metric", metric]) == 2
        assert said in " ".join(capsys.readouterr().err.split())


def test_a_rate_of_all_classes_is_drawn_as_its_table_has_it():
    result = fs.audit(PEOPLE, "dec", "race", outcome="out", class_order=ORDER)
    assert fs.table(result, metric="TPR").to_markdown() == fs.table(result, metric="class TPR").to_markdown()
    for metric, name in (("class TPR", "class TPR"), ("recall", "class TPR"), ("class PPV", "class PPV")):
        drawing, (black, white) = result.plot(metric=metric), (PEOPLE[PEOPLE.race == r] for r in ("Black", "White"))
        known, hit = ("out", "dec") if name == "class TPR" else ("dec", "out")
        for race, people in (("Black", black), ("White", white)):
            right = people[people[known] == "review"][hit] == "review"
            share = f"{100 * right.mean():.{1 if len(right) >= 100 else 0}f}"  # of few people without decimals
            assert f"review: {race}: {share}%" in drawing.alt
            assert f"| review: {race} |" in fs.table(result, metric=name).to_markdown()
        assert " (class review) from " in result.plot(metric=metric, term="review").caption
    upto = result.plot(metric="cumulative share").alt
    share = PEOPLE[PEOPLE.race == "Black"].dec.isin(ORDER[:2]).mean()
    assert f"review or worse: Black: {100 * share:.1f}%" in upto
    assert "| review or worse: Black |" in fs.table(result, metric="cumulative share").to_markdown()
    order = fs.table(result, metric="P(X>Y) of classes").to_markdown()
    assert "| estimate |" in order and "%)" not in order and "people counted" not in order


def test_a_larger_gap_than_that_of_the_answer_is_named_where_it_is_shown():
    """Of the classes no is had by 30% of a, 60% of b and 70% of the 20 people of c, whose interval is nearer to 0."""
    cells = [("a", 300, 400, 300), ("b", 600, 250, 150), ("c", 14, 3, 3)]
    rows = [(g, label) for g, *counts in cells for label, n in zip(("no", "wait", "yes"), counts, strict=True)
            for _ in range(n)]  # fmt: skip
    result = fs.audit(pd.DataFrame(rows, columns=["g", "d"]), "d", "g", reference="a")
    gaps = {r.group: r for r in result.estimates.only(metric="class share", term="no", contrast="difference")}
    text, page = " ".join(str(result).split()), unescape(fs.report(result).html).split("</section>")[0]
    assert (
        gaps["b"].conf_low > gaps["c"].conf_low > 0 and "`d = no` differs most clearly: 60.0% of b, 30.0% of a" in text
    )
    larger = " Larger gaps in no, shown as well: c (40.0 points)."
    assert larger in text and larger in " ".join(re.sub("<[^>]+>", "", page).split())


def test_the_finding_says_which_way_classes_differ_and_names_people_without_a_group_apart():
    rng = np.random.default_rng(2)
    shares = {"a": (0.2, 0.3, 0.5), "b": (0.45, 0.3, 0.25), None: (0.5, 0.3, 0.2)}
    rows = [(g, label) for g, p in shares.items() for label in rng.choice(ORDER, 300, p=p)]
    result = fs.audit(pd.DataFrame(rows, columns=["g", "d"]), "d", "g", reference="a", class_order=ORDER)
    text = result.finding()
    assert (
        "Of 3 comparisons of classes with a, 2 are shown to differ: reject more often (b); accept less often (b)."
        in text
    )
    beside = (
        "People with no recorded g are shown to differ from a, too: reject more often; accept less often; worse in "
    )
    assert f"{beside}the order." in text
    assert "Over all people no gap to those with a is shown in any class: g is not known for 300 of them." in text
    assert (
        "1 more" not in text and "In the order reject < review < accept (P(X>Y): the chance of a better class" in text
    )


def test_errors_of_one_class_of_three_are_no_refusals():
    """Who was not accepted was perhaps reviewed; and the label that is set against the rest is the only prediction."""
    columns = {"decision": "dec", "groups": "race", "outcome": "job", "positive": "a", "favorable": "accept"}
    with pytest.raises(InputError, match="pass positive_prediction='accept' if 'accept' predicts 'a'") as problem:
        fs.audit(PEOPLE, **columns)
    assert "review'" not in str(problem.value)
    text = str(fs.audit(PEOPLE, **columns, positive_prediction="accept"))
    assert "false negatives (FNR)" in " ".join(text.split()) and "right when dec = accept (PPV)" in " ".join(
        text.split()
    )
    assert "mistaken" not in text and "approved" not in text


def test_a_small_group_is_a_caution_in_a_report_of_classes_too():
    few = pd.concat([PEOPLE, PEOPLE.head(4).assign(race="Other")])
    for order in (None, ORDER):
        assert "Groups of fewer than 30 people: Other (4)." in " ".join(
            fs.audit(few, "dec", "race", class_order=order).summary().split()
        )


def test_gates_ask_every_class():
    wide, narrow = (fs.audit(PEOPLE, "dec", "race", margin=m).passes() for m in (0.45, 0.05))
    assert bool(wide)
    assert not narrow
    assert {row.term for row in narrow.failures} == set(ORDER)


def test_saved_and_loaded(tmp_path):
    result = fs.audit(PEOPLE, "dec", "race", class_order=ORDER)
    result.save(tmp_path / "a.npz")
    again = fs.load(tmp_path / "a.npz")
    assert (again.finding(), again.protocol, again.summary()) == (result.finding(), result.protocol, result.summary())


def test_the_command_and_the_protocol_file(tmp_path, capsys):
    PEOPLE.to_csv(tmp_path / "p.csv", index=False)
    audit = ["audit", str(tmp_path / "p.csv"), "--groups", "race"]
    assert run([*audit, "--decision", "dec", "--class-order", "reject,review,accept"]) == 0
    one = capsys.readouterr().out
    (tmp_path / "plan.toml").write_text(
        'groups = "race"\ndecision = "dec"\nclass_order = ["reject", "review", "accept"]\n'
    )
    assert run([*audit, "--protocol", str(tmp_path / "plan.toml")]) == 0
    other = capsys.readouterr().out
    assert one.splitlines()[2:7] == other.splitlines()[2:7]
    assert run([*audit, "--decision", "dec", "--class-order", "reject,accept"]) == 2
    assert "--class-order" in capsys.readouterr().err
    assert run([*audit, "--decision", "dec", "--fail-on", "disparity"]) == 1


def test_the_view_of_one_class_is_an_audit():
    result = fs.audit(PEOPLE, "dec", "race", outcome="out")
    one = of_class(result, "accept")
    assert one.protocol.favorable == one.protocol.positive == "accept"
    assert {row.metric for row in one.estimates.only(contrast="none")} == {"selection rate", "TPR", "PPV"}


@pytest.mark.parametrize(
    ("table", "groups"),
    [
        ({"race": ["W", "B", "H", "A"], "hires": [156, 36, 30, 21]}, "race"),
        ({"race": ["W", "B", "H", "A"], "hires": [156, 36, 36, 21]}, "race"),  # a tie
        ({"race": ["W", "B", "H", "A"], "hires": [30, 36, 36, 30]}, "race"),
        ({"sex": ["m", "f"], "hires": [3738, 1494]}, "sex"),
        ({"sex": list("mfmf"), "race": list("WWBB"), "hires": [5, 3, 3, 2]}, ["sex", "race"]),
        ({"race": list("WBHA") * 2, "year": [1, 1, 1, 1, 2, 2, 2, 2], "hires": [9, 7, 31, 4, 8, 6, 31, 3]}, "race"),
        ({"race": list("WBHA") * 4, "hires": list(range(100, 116))}, "race"),  # too many for classes
    ],
)
def test_a_table_of_counts_is_not_taken_for_people_of_several_classes(table: dict[str, Any], groups: Any) -> None:
    with pytest.raises(fs.InputError, match=r"fairstats.from_counts takes a table of counts: pass selected='hires'"):
        fs.audit(table, "hires", groups)


@pytest.mark.parametrize("rows", [12, 300])
def test_ratings_are_classes_in_small_tables_and_where_only_one_group_has_a_rating(rows: int) -> None:
    """Codes of people in whatever form, also where cells of a tally are as few as groups."""
    table = {"race": ["W", "B", "H", "A"] * rows, "rating": [1, 2, 3, 45] * rows}
    assert fs.audit(table, "rating", "race").protocol.classes == ("1", "2", "3", "45")
    assert fs.audit(fs.tally(table, "rating", "race")).protocol.classes == ("1", "2", "3", "45")
    few = {"sex": list("fm") * 5, "rating": [1, 2, 3, 4, 5, 5, 4, 3, 2, 1]}
    assert len(fs.audit(few, "rating", "sex").protocol.classes) == 5
    weighed = {"sex": ["f", "m", "x"], "rating": [1, 2, 3], "n": [40, 50, 60]}
    assert len(fs.audit(weighed, "rating", "sex", weights="n").protocol.classes) == 3


def test_more_labels_than_classes_say_how_many_are_taken() -> None:
    table = {"g": ["a", "b"] * 70, "d": [f"L{i % 14}" for i in range(140)]}
    with pytest.raises(fs.InputError, match=r"14 values .*; 2 to 12 are taken; to set 'L0' against all others"):
        fs.audit(table, "d", "g")


def test_the_finding_names_of_each_error_by_class_the_largest_gap_that_is_shown():
    rng = np.random.default_rng(3)
    race, out = rng.choice(["b", "w"], 1500), rng.choice(ORDER, 1500)
    right = rng.random(1500) < np.where(race == "w", 0.85, 0.6)
    people = pd.DataFrame({"race": race, "out": out, "dec": np.where(right, out, rng.choice(ORDER, 1500))})
    result = fs.audit(people, "dec", "race", outcome="out", reference="w", class_order=ORDER)
    for metric, name, base, other in (
        ("class TPR", "True positive rates", "out", "dec"),
        ("class PPV", "Predictive values", "dec", "out"),
    ):
        found = (
            rf"{name} by class: a difference from w is shown in (\d) of 3 comparisons, the largest where `{base}` is "
        )
        found += rf"(\w+): `{other}` is \2 for ([\d.]+)% of b and ([\d.]+)% of w, a gap of ([\d.]+) percentage points"
        said = re.search(found + r" \(95% confidence interval [\d.]+ to [\d.]+, adjusted for 3", result.finding())
        assert said is not None, result.finding()
        count, label, *rates, gap = said.groups()
        of = people[people[base] == label].groupby("race")[other].agg(lambda v, label=label: 100 * (v == label).mean())
        assert [float(x) for x in rates] == pytest.approx([of["b"], of["w"]], abs=0.05)
        rows = result.estimates.where(metric=metric, contrast="difference", role="main")
        shown = [abs(r.estimate) for r in rows if r.verdict == "disparity shown"]
        assert len(shown) == int(count) and float(gap) == pytest.approx(100 * max(shown), abs=0.05)
        assert abs(of["b"] - of["w"]) / 100 == pytest.approx(max(shown))
    same = fs.audit(people.assign(race=rng.permutation(race)), "dec", "race", outcome="out", reference="w").finding()
    assert "No difference by race from w is shown in the true positive rate or predictive value of any class." in same
    assert "by class" not in fs.audit(people, "dec", "race", reference="w").finding()


def test_print_and_page_one_have_the_errors_of_every_class_and_group():
    result = fs.audit(PEOPLE, "dec", "race", outcome="out", class_order=ORDER, reference="White")
    printed = str(result).splitlines()
    start = next(i for i, line in enumerate(printed) if line.startswith("Errors, %: TPR"))
    assert max(map(len, printed)) <= 80 and start > next(
        i for i, x in enumerate(printed) if x.startswith("dec by race")
    )
    page = fs.report(result).html.split("</section>")[0]
    for group, of in PEOPLE.groupby("race"):
        line = next(line for line in printed[start:] if line.split()[:1] == [group])
        right = [((of.dec == label) & (of.out == label)).sum() for label in ORDER]
        expected = [
            100 * k / (of[base] == label).sum()
            for base in ("out", "dec")
            for k, label in zip(right, ORDER, strict=True)
        ]
        assert [float(x) for x in re.findall(r"\d+\.\d", line)] == pytest.approx(expected, abs=0.051)
        if min((of[base] == label).sum() for base in ("out", "dec") for label in ORDER) >= 100:
            assert all(f"{share:.1f}" in page for share in expected)
    assert "Errors, %" not in str(fs.audit(PEOPLE, "dec", "race"))


def test_counts_in_a_column_a_class_say_how_they_are_passed() -> None:
    table = {"g": ["a", "b"], "accept": [20, 30], "review": [10, 5], "reject": [4, 9]}
    with pytest.raises(fs.InputError, match="make a line for every group and label, with its number in weights"):
        fs.audit(table, ["accept", "review", "reject"], "g")


def test_rates_in_per_cent_are_no_classes() -> None:
    wide = {"group": list("abcd"), "rate": ["30.0%", "20.0%", "10.0%", "40.0%"]}
    with pytest.raises(fs.InputError, match=r"decision has 'rate' with 4 values"):
        fs.audit(wide, "rate", "group")


def test_classes_of_several_attributes_are_printed(tmp_path, capsys) -> None:
    """Every declared attribute has its table, which has the shares of all classes and gaps as the people have them."""
    rng = np.random.default_rng(6)
    d = pd.DataFrame({"sex": rng.choice(["f", "m"], 600), "race": rng.choice(list("abcde"), 600)})
    d["dec"] = np.where((d.sex == "f") & (rng.random(600) < 0.3), "reject", rng.choice(["accept", "review"], 600))
    order = {"class_order": ORDER}
    for options in ({}, order, {"intersections": False}, {"margin": 0.03}, order | {"strata": "race", "groups": "sex"}):
        result = fs.audit(d, **({"decision": "dec", "groups": ["sex", "race"]} | options))
        text = str(result)
        assert "dec = reject" in text and "not printed" not in text and all(len(x) <= 80 for x in text.splitlines())
        for attribute in set(result.references) & {"sex", "race"}:
            block = text.split(f"dec by {attribute}, %; difference from ")[1].split("\n\n")[0]
            base, label = re.findall(r"^(\S+) in (\w+), in\s+points", block)[0]
            recorded = {"Women": "f", "Men": "m"}  # which print calls as its sentences do
            base = recorded.get(base, base)
            assert base == result.references[attribute]
            lines = block[block.index("people") :].splitlines()
            lines = [line for line in lines if line.startswith(("people", "  "))]  # its letters are explained below
            heads, ranked = lines[0].split(), result.protocol.ranked
            assert heads == ["people", *result.protocol.classes, *["P(X>Y)"] * ranked]
            chances = {r.group: r for r in result.estimates.only(metric="P(X>Y) of classes", attribute=attribute)}
            of = d.groupby(attribute)["dec"].value_counts(normalize=True).mul(100)
            for line in lines[1:]:
                group, n, *rest = line.split()
                group = recorded.get(group, group)
                assert int(n) == (d[attribute] == group).sum()
                numbers = [float(x.replace("\u2212", "-")) for x in rest if re.search(r"\d", x)]
                assert numbers[:3] == pytest.approx(
                    [of.get((group, one), 0) for one in result.protocol.classes], abs=0.051
                )
                if ranked and group != base:
                    assert numbers.pop(3) == pytest.approx(chances[group].estimate, abs=0.00051)
                if group == base:
                    assert rest[-1] == "reference"
                else:
                    assert numbers[3] == pytest.approx(of.get((group, label), 0) - of.get((base, label), 0), abs=0.051)
                    assert numbers[4] <= numbers[3] <= numbers[5]
                    gaps = result.estimates.only(metric="class share", attribute=attribute, contrast="difference")
                    marks = {"disparity shown": "D", "inconclusive": "?", "equivalence shown": "E"}
                    shown = {r.term: marks[r.verdict] for r in gaps if r.group == group}
                    apart = [] if result.protocol.strata else [shown[c] for c in result.protocol.classes]
                    apart += [marks[chances[group].verdict]] if ranked else []
                    assert [x for x in rest if x in marks.values()] == apart
    crossed = fs.audit(d, "dec", ["sex", "race"], **order)
    rows = crossed.estimates.only(metric="class share", attribute="sex:race", contrast="difference", status="ok")
    k = sum(row.verdict == "disparity shown" for row in rows)
    assert f"Also compared: sex × race ({k} of {len(rows)} differences shown)." in str(crossed)
    d.to_csv(tmp_path / "d.csv", index=False)
    command = ["audit", str(tmp_path / "d.csv"), "--decision", "dec", "--groups", "sex,race", "--brief"]
    assert run(command) == 0 and "dec = reject" in capsys.readouterr().out


def test_tables_have_a_line_for_every_class_and_group():
    """Shares and gaps by hand from the people."""
    result = fs.audit(PEOPLE, "dec", "race", class_order=ORDER)
    share = PEOPLE.groupby("race")["dec"].value_counts(normalize=True)
    reference = result.references["race"]
    table = fs.table(result, "differences", attribute="race")
    assert f"differences from {reference}" in table.caption
    lines = {line[0]: line for line in table.shown.rows}
    assert len(lines) == len(ORDER) * PEOPLE["race"].nunique()
    assert list(dict.fromkeys(name.split(": ")[0] for name in lines)) == list(ORDER)
    for (race, label), rate in share.items():
        _, shown, gap, *_, verdict = lines[f"{label}: {race}"]
        assert float(shown) == pytest.approx(100 * rate, abs=0.051)
        if race == reference:
            assert verdict == "reference"
        else:
            less = 100 * (rate - share[reference, label])
            assert float(gap.replace("\u2212", "-")) == pytest.approx(less, abs=0.051)
    assert len(fs.table(result).shown.rows) == len(lines) and len(fs.table(result, "ratios").shown.rows) == len(lines)


def test_a_class_in_two_spellings_is_refused() -> None:
    data = {"g": ["a", "b"] * 4, "d": ["Yes", "yes", "No", "n/a", "Yes", "No", "No", "yes"]}
    with pytest.raises(InputError, match=r"decision has 'd', which spells one class in several ways \('Yes', 'yes'\)"):
        fs.audit(data, "d", "g")


def test_classes_that_a_line_has_no_room_for_follow_in_further_lines():
    rng = np.random.default_rng(2)
    of = [f"a long name of the class {k}" for k in range(7)]
    people = {"g": rng.choice(["a" * 60, "b"], 700), "d": rng.choice(of, 700)}
    text = str(fs.audit(people, "d", "g"))
    assert all(len(line) <= 80 for line in text.splitlines())
    table = text.split("d by g, %; ")[1]
    assert all(label in table for label in of)
    shares = pd.DataFrame(people).groupby("g")["d"].value_counts(normalize=True).mul(100)
    printed = re.findall(r"\d+\.\d(?= )", " ".join(line[2:] for line in table.splitlines() if " b " in line))
    assert printed[:7] == [f"{shares['b', label]:.1f}" for label in of]


def two_attributes() -> pd.DataFrame:
    """People of whom women are rejected more often, and people of the east accepted less often."""
    rng = np.random.default_rng(7)
    sex, region = rng.choice(["male", "female"], 6000), rng.choice(["north", "south", "east", "west"], 6000)
    fit = rng.logistic(size=6000) + 0.35 * (sex == "male") - 0.35 * (region == "east")
    dec = np.select([fit < -0.7, fit < 0.4], ["reject", "review"], "accept")
    return pd.DataFrame({"sex": sex, "region": region, "dec": dec})


def test_page_one_has_a_sentence_and_a_table_of_every_attribute_and_no_tests():
    people = two_attributes()
    labels = {"unit": "applicants", "groups": {"sex": {"female": "women", "male": "men"}}}
    result = fs.audit(people, "dec", ["sex", "region"], class_order=ORDER, labels=labels)
    report = fs.report(result)
    page, *later = report.html.split("</section>")
    text = " ".join(unescape(re.sub("<[^>]+>", " ", page)).split())
    assert not any(word in text for word in ("χ²", "random pairs", "or worse", "whose region is"))
    groups_of = people["sex"].nunique() + people["region"].nunique()
    assert page.count("<svg") == len(ORDER) * groups_of  # a mark a class and group
    answer = result.finding()
    for attribute in ("sex", "region"):
        found = re.search(
            rf"By {attribute}, `dec = (\w+)` differs most clearly between (\w+) and (\w+): ([\d.]+)% against "
            r"([\d.]+)%, a gap of ([\d.]+) percentage points \(95% confidence interval ([\d.]+) to ([\d.]+),",
            answer,
        )
        assert found is not None
        label, first, other, *numbers = found.groups()
        groups = people[attribute].replace({"female": "women", "male": "men"})
        shares = 100 * people["dec"].eq(label).groupby(groups).mean()
        share, base, gap, low, high = map(float, numbers)
        assert (share, base) == pytest.approx((shares[first], shares[other]), abs=0.051)
        assert gap == pytest.approx(abs(shares[first] - shares[other]), abs=0.051)
        assert (
            f"`dec = {label}`" not in text
            and f"By {attribute}, dec = {label} differs most clearly: {share:.1f}% of" in text
        )
        (table,) = page.split("<table")[1:]
        block = table.split(f">{attribute.capitalize()}: {label}")[1].split("rowgroup")[0]
        line = next(row for row in block.split("<tr")[1:] if f">{first}<" in row.lower())
        cells = [unescape(re.sub("<svg.*?</svg>|<[^>]+>", "", c)).strip() for c in re.split(r"<t[dh][^>]*>", line)[1:]]
        assert cells[1] == f"{groups.eq(first).sum():,}" and cells[2] == f"{share:.1f}" and "circle" in line
        value, ends = cells[4].rstrip(")").split("(")
        assert float(value.replace("\u2212", "-")) == pytest.approx(shares[first] - shares[other], abs=0.051)
        assert {x.lstrip("\u2212") for x in ends.split(" to ")} == {f"{low:.1f}", f"{high:.1f}"}
    headings = [unescape(re.sub("<[^>]+>", "", h)) for h in re.findall(r"<h3.*?</h3>", " ".join(later))]
    assert "region, all classes of dec: a difference is shown in reject and accept" in headings


def test_page_one_says_where_attributes_meet():
    people = two_attributes()
    result = fs.audit(people, "dec", ["sex", "region"], class_order=ORDER)
    text = " ".join(unescape(re.sub("<[^>]+>", " ", fs.report(result).html.split("</section>")[0])).split())
    found = re.search(
        r"Sex and region together: ([\d.]+)% of (\w+) with region (\w+) against ([\d.]+)% of (\w+) with region (\w+) "
        r"had dec = (\w+) ?\. Gap .*? points \([^)]*\)\. Of the 7 groups compared with "
        r"\w+ with region \w+ (.*?)\. "
        r"Rates of groups of 100 people or more: ([\d.]+)% \(.*?\) to ([\d.]+)% \(",
        text,
    )
    assert found is not None
    first, one, here, other, two, there, label, counted, low, high = found.groups()
    shares = 100 * people["dec"].eq(label).groupby([people["sex"], people["region"]]).mean()
    sexes = {"women": "female", "men": "male"}
    assert (float(low), float(high)) == pytest.approx((shares.min(), shares.max()), abs=0.051)
    named = (shares[sexes[one], here], shares[sexes[two], there])
    assert named == pytest.approx((float(first), float(other)), abs=0.051)
    about = {"metric": "class share", "attribute": "sex:region", "contrast": "difference", "term": label}
    apart = [row.estimate < 0 for row in result.estimates.only(**about) if row.verdict == "disparity shown"]
    assert f"{sum(apart)} are shown lower" in counted


def test_an_order_that_differs_where_no_class_does_is_said():
    """Every class differs a little in the same direction: P(X>Y) shows it, and no single class."""
    counts = {"a": (240, 220, 200, 180, 160), "b": (200, 200, 200, 200, 200)}
    labels = list("12345")
    people = [(g, d) for g, each in counts.items() for d, n in zip(labels, each, strict=True) for _ in range(n)]
    data = pd.DataFrame(people, columns=["g", "d"]).astype(str)
    result = fs.audit(data, "d", "g", class_order=labels, reference="b")
    verdicts = {(r.metric, r.term): r.verdict for r in result.estimates if r.verdict and r.metric != "cumulative share"}
    assert {v for (metric, _), v in verdicts.items() if metric == "class share"} == {"inconclusive"}
    assert verdicts["P(X>Y) of classes", ""] == "disparity shown"
    assert re.search(r"the classes of a \(P\(X>Y\) .*\) are shown to be worse than those of b\.", result.finding())
    turned = fs.audit(data, "d", "g", class_order=labels[::-1], reference="b")
    assert re.search(r"the classes of a \(P\(X>Y\) .*\) are shown to be better than those of b\.", turned.finding())


def test_a_report_has_both_error_rates_of_every_class_and_says_what_they_are_of() -> None:
    rng = np.random.default_rng(1)
    labels, n = ["reject", "review", "accept"], 900
    people = pd.DataFrame({"race": rng.choice(["black", "white"], n), "true": rng.choice(labels, n)})
    people["decision"] = np.where(rng.random(n) < 0.6, people["true"], rng.choice(labels, n))
    audit = fs.audit(people, "decision", "race", outcome="true", class_order=labels, reference="white")
    page = " ".join(re.sub("<[^>]+>", " ", unescape(fs.report(audit).html)).split())
    assert "Right when approved" not in page
    right = people.decision == people.true
    for label in labels:
        for whole, name in ((people.true == label, "True"), (people.decision == label, "Positive")):
            rates = [people.race.eq(group) & whole for group in ("black", "white")]
            counts = [f"{100 * right[rows].mean():.1f} {right[rows].sum()} {rows.sum()}" for rows in rates]
            rate = "True positive rate" if name == "True" else "Positive predictive value"
            assert f"{rate} {' '.join(counts)}" in page, (label, rate)
        assert f"Positive predictive value: of people with decision = {label}, the share with true = {label}." in page


def test_the_comparisons_that_are_adjusted_together_are_counted_with_the_order_and_errors_without_it() -> None:
    """Three groups: two comparisons of each of three classes and of their order make 8, those of one error 6."""
    rng = np.random.default_rng(2)
    labels, n = ["reject", "review", "accept"], 900
    people = pd.DataFrame({"race": rng.choice(["a", "b", "w"], n), "true": rng.choice(labels, n)})
    people["decision"] = np.where(rng.random(n) < 0.6, people["true"], rng.choice(labels, n))
    audit = fs.audit(people, "decision", "race", outcome="true", class_order=labels, reference="w")
    said = " ".join(audit.summary().split())
    ((size, fewer),) = re.findall(r"\(race: (\d+); of one error, which has no order, race: (\d+)\)", said)
    apart = audit.estimates.where(contrast="difference", role="main", status="ok")
    levels = {
        m: {round(0.05 / (1 - row.conf_level)) for row in apart.where(metric=m)} for m in ("class share", "class TPR")
    }
    assert levels == {"class share": {int(size)}, "class TPR": {int(fewer)}} and (size, fewer) == ("8", "6")
    alone = fs.audit(people, "decision", "race", class_order=labels, reference="w").summary()
    assert "the comparisons of all classes and their order over all attributes (race: 8)" in " ".join(alone.split())


def test_the_figure_of_errors_of_a_class_has_both_rates_with_their_differences() -> None:
    rng = np.random.default_rng(2)
    labels, n = ["reject", "review", "accept"], 900
    people = pd.DataFrame({"race": rng.choice(["a", "b", "w"], n), "true": rng.choice(labels, n)})
    people["decision"] = np.where(rng.random(n) < 0.6, people["true"], rng.choice(labels, n))
    audit = fs.audit(people, "decision", "race", outcome="true", class_order=labels, reference="w")
    drawn = audit.plot("errors", term="review")
    right = people.decision.eq("review") & people.true.eq("review")
    for base, name in ((people.true, "True positive rate"), (people.decision, "Positive predictive value")):
        rate = right[base == "review"].groupby(people.race).mean()
        assert name in drawn.svg
        for group in ("a", "b"):
            assert f"{100 * (rate[group] - rate['w']):.1f}".replace("-", "−") in drawn.alt, (name, group)
    page = fs.report(audit).html
    assert page.count("True positive rate</text>") == page.count("Positive predictive value</text>") == 3
    assert "rate less frequent" not in page and "what page one says of further rates" not in page


COUNTS = {"A": (400, 700, 900), "B": (418, 702, 880), "D": (600, 800, 600), "C": (10, 5, 10)}


def counted(*groups: str, **options: object) -> fs.Audit:
    """The people of some groups of a table of counts, of whom B is like A, D is not, and C are few."""
    table = {
        "g": [g for g in groups for _ in ORDER],
        "q": ORDER * len(groups),
        "n": [n for g in groups for n in COUNTS[g]],
    }
    return fs.audit(table, "q", "g", weights="n", reference="A", class_order=ORDER, **options)


def test_the_interval_of_an_equal_class_has_its_level_and_its_p_in_every_table():
    """Three groups by three classes and their order are 12 comparisons, tested on each side at 0.05 / 12."""
    result = counted("A", "B", "C", "D", margin=0.06)
    each = 1 - 2 * 0.05 / 12
    shares = {g: np.array(n) / sum(n) for g, n in COUNTS.items()}
    gap = shares["B"] - shares["A"]
    error = np.sqrt(sum(shares[g] * (1 - shares[g]) / sum(COUNTS[g]) for g in "AB"))  # of thousands a normal one
    half = stats.norm.ppf((1 + each) / 2) * error
    tail = 12 * stats.norm.sf((0.06 - abs(gap)) / error)
    table = fs.table(result, "differences").shown
    lines = {line[0]: line for line in table.rows}
    page, *later = fs.report(result).html.split("</section>")
    page, whole = (" ".join(unescape(re.sub("<[^>]+>", " ", part)).split()) for part in (page, " ".join(later)))
    for k, label in enumerate(ORDER):
        level, low, high = re.fullmatch(r"([\d.]+%): (\S+) to (\S+)", lines[f"{label}: B"][3]).groups()
        assert level == f"{100 * each:.2f}%"
        ends = [float(end.replace("\u2212", "-")) for end in (low, high)]
        assert ends == pytest.approx([100 * (gap[k] - half[k]), 100 * (gap[k] + half[k])], abs=0.11)
        assert float(lines[f"{label}: B"][4].strip("<")) == pytest.approx(tail[k], abs=2e-3)
        assert f"{level}: {low} to {high}" in whole
    assert f"({100 * each:.2f}% by itself)" in table.note and f"({100 * each:.2f}% by itself)" in whole
    assert f"the {100 * each:.2f}% interval" in " ".join(result.summary().split())
    assert "That of a gap within the margin is the 90% interval, by which the test shows it." in page
    assert "90%: " not in page + whole + str(table)
    alone = fs.table(counted("A", "B", margin=0.06), "differences").shown  # whose heading has the level of all cells
    assert "90% CI, adjusted" in [h.label for h in alone.headings] and "97.5% by itself" in alone.note
    assert not any("%" in cell for row in alone.rows for cell in row)


def test_page_one_of_classes_says_which_are_shown_equal_and_has_no_decimals_of_few_people():
    result = counted("A", "B", "C", "D", margin=0.06)
    said = "Within the margin of A: " + "; ".join(f"{label} (B)" for label in ORDER) + "."
    assert said in result.finding()
    page = fs.report(result).html.split("</section>")[0]
    text = " ".join(unescape(re.sub("<[^>]+>", " ", page)).split())
    assert said in text and text.count("within margin") == 3
    lines = " ".join(unescape(re.sub("<svg.*?</svg>|<[^>]+>", " ", page)).split())
    for line in (
        "A (reference) 2,000 45.0",
        "B 2,000 44.0 \u22121.0",
        "C 25 10 of 25 \u22125 (\u221227 to 22)",
        "D 2,000 30.0",
    ):
        assert line in lines
    without = fs.report(counted("A", "B", "C", "D")).html.split("</section>")[0]
    assert "within margin" not in unescape(re.sub("<[^>]+>", " ", without)) and "Within the margin" not in without
    german = unescape(fs.report(result, language="de").html.split("</section>")[0])
    assert "Innerhalb" in german


@pytest.mark.parametrize(
    ("groups", "margin", "letters"),
    [("ABCD", 0.06, "DE?"), ("ABCD", None, "D?"), ("AB", 0.06, "E"), ("ABC", 0.06, "E?")],
)
def test_letters_that_are_printed_are_explained_and_no_others(groups: str, margin: float | None, letters: str) -> None:
    means = {"D": "D disparity shown", "E": "E equivalence shown", "?": "? not settled"}
    classes = counted(*groups, **({} if margin is None else {"margin": margin}))
    two = {"g": [g for g in groups for _ in "yn"], "d": ["y", "n"] * len(groups)}
    two["n"] = [n for g in groups for n in (COUNTS[g][2], sum(COUNTS[g][:2]))]
    binary = fs.audit(two, "d", "g", favorable="y", weights="n", reference="A", margin=margin)
    for result in (classes, binary):
        assert f"\n{', '.join(means[letter] for letter in letters)}." in str(result)
    assert "disparity shown," not in str(fs.audit(two, score="n", groups="g"))  # no table, no letters


def test_a_gate_of_classes_says_in_which_a_small_group_is_not_decided_and_takes_a_class_by_its_name(tmp_path, capsys):
    counts = COUNTS | {"C": (22, 2, 1)}
    table = {"g": [g for g in counts for _ in ORDER], "q": ORDER * 4, "n": [n for g in counts.values() for n in g]}
    result = fs.audit(table, "q", "g", weights="n", reference="A", class_order=ORDER, margin=0.06)
    gaps = result.estimates.only(metric="class share", contrast="difference")
    open_in = [row.term for row in gaps if row.group == "C" and row.verdict == "inconclusive"]
    assert 0 < len(open_in) < 3
    assert result.passes().small == (f"C (25; in {', '.join(open_in)})",)
    assert counted("A", "C", margin=0.06).passes().small == ("C (25)",)  # in none
    gate = result.passes("accept")
    assert gate.compared == 3 and {row.term for row in gate.failures} == {"accept"}
    assert not {"B"} & {row.group for row in gate.failures}
    assert "P(X>Y) of classes (no margin can be declared" in " ".join(
        str(counted("A", "B", margin=0.06).passes()).split()
    )
    with pytest.raises(fs.InputError, match="did you mean 'accept'"):
        result.passes("acept")
    with pytest.raises(fs.InputError, match=r"which is a class: .*fairstats.audit with favorable='accept'"):
        fs.table(result, metric="accept")
    pd.DataFrame(table).to_csv(tmp_path / "q.csv", index=False)
    command = [
        "audit",
        str(tmp_path / "q.csv"),
        "--decision",
        "q",
        "--groups",
        "g",
        "--weights",
        "n",
        "--reference",
        "A",
    ]
    command += ["--margin", "0.06", "--class-order", ",".join(ORDER), "--metric", "accept", "--fail-on"]
    for name in ("disparity", "no-equivalence"):
        assert run([*command, name]) == 1
        line = capsys.readouterr().err
        assert "class share (accept) of D against A: −15.0 points (" in line and "(reject)" not in line
