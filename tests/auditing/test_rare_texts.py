"""Sentences that few audits say, word by word, with their numbers counted here."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest

import fairstats as fs
from fairstats.auditing.coding import CodedTally
from fairstats.auditing.input import UNKNOWN
from fairstats.auditing.own_words import Words
from fairstats.auditing.protocol import Protocol
from fairstats.auditing.words import cautions, phrases, summary
from fairstats.auditing.words.answer import answer, beside_margin, context, gap_text, nothing, verdict
from fairstats.auditing.words.finding import claim_text, claims, distance, held_fixed
from fairstats.auditing.words.further import further_text
from fairstats.auditing.words.page_one import PageOne, page_one
from fairstats.auditing.words.summary_details import remarks
from fairstats.estimates import Estimate, Estimates
from fairstats.inference.verdicts import BORDER
from fairstats.studies.flow import FlowStep

GAP = Estimate("FPR", "g", "b", "difference", "a", "g", estimate=-0.1, conf_low=-0.25, conf_high=0.05, conf_level=0.95)


def cells(*counts: tuple[str, int, int, int]) -> pd.DataFrame:
    """People of a group, an outcome and a decision, so many each."""
    rows = [(g, y, d) for g, y, d, n in counts for _ in range(n)]
    return pd.DataFrame(rows, columns=["g", "y", "d"])


def found(**parts: Any) -> Any:
    """What a sentence reads of an audit, and nothing else."""
    return SimpleNamespace(**{"protocol": Protocol(("g",)), "references": {"g": "a"}, **parts})


def test_an_error_that_is_the_same_within_the_margin_is_said_so() -> None:
    counts = [(g, y, d, 500) for g in "ab" for y in (0, 1) for d in (0, 1)]
    made = fs.audit(cells(*counts), "d", "g", outcome="y", equivalence=0.12)
    page = page_one(made)
    of = f"50 of 100 ({page.group}) and 50 of 100 ({page.reference}): the same, within the declared margin."
    wanted = [f"Where {about} for {of}" for about in ("y = 1: d = 0", "y = 0: d = 1", "d = 1: y = 1")]
    assert context(made, page) == wanted


def test_the_error_that_harms_the_person_stands_first() -> None:
    """A wrong refusal where the prediction is the favor; a wrong alarm where it is not."""
    counts = cells(("a", 0, 0, 30), ("a", 0, 1, 20), ("a", 1, 1, 25), ("a", 1, 0, 25))
    data = pd.concat([counts, counts.assign(g="b")])
    for favorable, parts in ((1, ["y = 1: d = 0", "y = 0: d = 1"]), (0, ["y = 0: d = 1", "y = 1: d = 0"])):
        made = fs.audit(data, "d", "g", outcome="y", favorable=favorable, predicts=1)
        assert [said.removeprefix("Where ").partition(" for ")[0] for said in context(made, page_one(made))][
            :2
        ] == parts


def test_nothing_can_be_compared_where_one_group_is_left() -> None:
    one, other = SimpleNamespace(attribute="g"), SimpleNamespace(attribute="h")
    rows = Estimates([replace(GAP, verdict="inconclusive")])
    assert nothing(found(cells=[one, other, other], estimates=rows)) == (
        "g has a single group: there is nothing to compare."
    )
    none = "No group could be compared with its reference; the table of estimates states why."
    assert nothing(found(cells=[one, one], estimates=Estimates([GAP]))) == none
    few = "No two groups of g have 30 people or more: no comparison of it is put first."
    assert nothing(found(cells=[one, one], estimates=rows)) == few


def test_a_comparison_without_a_rate_says_which_groups_and_why() -> None:
    made = fs.audit(cells(("a", 0, 1, 40), ("a", 1, 0, 40), ("b", 0, 1, 30), ("b", 1, 0, 50)), "d", "g")
    page = page_one(made)
    for reason, why in (("no positives", "no positives"), ("", "there is no rate")):
        line = replace(page.head, gap=replace(page.head.gap, status="unestimable", reason=reason))
        said = answer(made, replace(page, lines=(line,)))
        assert said == f"g = {page.group} and g = {page.reference} cannot be compared: {why}."
        assert verdict(replace(page, lines=(line,))) == ""
    assert verdict(None) == ""


def test_what_would_have_been_shown_is_said_where_it_is_known() -> None:
    made = fs.audit(cells(("a", 0, 1, 40), ("a", 0, 0, 40), ("b", 0, 1, 36), ("b", 0, 0, 44)), "d", "g")
    page = page_one(made)
    assert verdict(replace(page, detectable=float("nan"))) == "That is no evidence of equality."
    assert verdict(replace(page, detectable=0.234)) == (
        "That is no evidence of equality: with these numbers of people a true difference of 23.4 percentage points "
        "would have been shown with a chance of 80 %."
    )


def test_scores_on_a_grid_are_within_half_a_step() -> None:
    said = cautions._grid(CodedTally((), np.ones(3), level=2))
    assert said == (
        "The scores have more than 1,048,576 distinct values and are on a grid: each is within 0.12 of what it was. "
        "P(X>Y), AUC and the shift say by how much that moves them at most; other statistics of scores are those of "
        "the grid."
    )
    assert cautions._grid(CodedTally((), np.ones(3))) == ""


@pytest.mark.parametrize("favors", [0, 1])
def test_a_label_that_everybody_has_or_nobody_is_to_be_checked(favors: int) -> None:
    rules = Protocol(("g",), decision="d", favorable="yes", outcome="y", positive="1")
    same, other = np.ones(4, dtype=np.int8), np.zeros(4, dtype=np.int8)
    mixed = np.array([0, 1, UNKNOWN, 1], dtype=np.int8)

    def said(decision: Any, outcome: Any) -> str:
        return cautions._constant(CodedTally((), np.ones(4), outcome, decision, favors), rules)

    whole, none = ("Everybody", "Nobody") if favors else ("Nobody", "Everybody")
    assert said(same, mixed) == f"{whole} has d: yes. Check the label."
    assert said(other, None) == f"{none} has d: yes. Check the label."
    assert said(same, same) == f"{whole} has d: yes; everybody has y: 1. Check the label."
    assert said(other, other) == f"{none} has d: yes; nobody has y: 1. Check the label."
    assert said(mixed, other) == "Nobody has y: 1. Check the label."
    assert said(mixed, mixed) == said(np.full(4, UNKNOWN, dtype=np.int8), None) == ""


@pytest.mark.parametrize(("status", "word"), [("unestimable", "not estimable"), ("suppressed", "suppressed")])
def test_rows_without_a_number_are_counted_with_the_first_reason(status: Any, word: str) -> None:
    plain = replace(GAP, status=status)
    rest = "the table of estimates gives each reason."
    assert cautions._withheld(Estimates([GAP]), status) == ""
    assert cautions._withheld(Estimates([GAP, plain, plain]), status) == f"2 of 3 estimates are {word}; {rest}"
    rows = Estimates([GAP, plain, replace(plain, reason="of one"), replace(plain, reason="of two"), GAP])
    assert cautions._withheld(rows, status) == f"3 of 5 estimates are {word} (for example: of one); {rest}"


def test_a_border_case_of_a_rate_and_of_its_complement_is_one() -> None:
    row = replace(GAP, reason=f"{BORDER}the interval covers 0")
    twin = replace(row, metric="TNR")
    said = (
        "Border cases, in which the adjusted test and the interval disagree (1): FPR of b against a. The test decides;"
    )
    rest = " within strata a disparity needs both."
    assert cautions.border_cases(Estimates([row, twin])) == said + rest
    assert cautions.border_cases(Estimates([twin, row])) == said + rest
    alone = cautions.border_cases(Estimates([twin, replace(row, group="c")]))
    assert "(2): TNR of b against a, FPR of c against a." in alone
    strange = replace(row, metric="a metric of one's own")
    assert "(1): a metric of one's own of b against a." in cautions.border_cases(Estimates([strange]))
    assert cautions.border_cases(Estimates([GAP])) == ""


def test_the_list_of_small_groups_ends_after_eight_and_begins_below_thirty() -> None:
    def rates(sizes: dict[str, float]) -> Estimates:
        return Estimates([Estimate("selection rate", a, g, n=n) for g, n in sizes.items() for a in ("g", "g:h")])

    assert cautions.small_groups(rates({"a": 30, "b": 31})) == ""
    wide = "Their intervals are wide; a missing verdict does not show equal treatment."
    assert cautions.small_groups(rates({"a": 29, "b": 30}).where(attribute="g")) == (
        f"Groups of fewer than 30 people: a (29). {wide}"
    )
    assert cautions.small_groups(rates({"a": 29, "b": 30}).where(attribute="g:h")) == (
        f"1 of 2 intersections have fewer than 30 people. {wide}"
    )
    nine = cautions.small_groups(rates({f"v{i}": i for i in range(9)}))
    assert nine.startswith("Groups of fewer than 30 people: v0 (0), v1 (1)") and "v7 (7) and 1 more. 9 of 9" in nine


def test_a_claim_in_a_metric_of_ones_own_names_its_groups_and_interval() -> None:
    row = replace(GAP, metric="a metric", estimate=0.1234, conf_low=-0.05, conf_high=0.25)
    said = claim_text(found(), row)
    assert said == "The A metric of b and a (g) differ by 0.123 (95 % interval −0.050 to 0.250)."


def test_no_claims_where_nothing_was_judged() -> None:
    assert list(claims(found(estimates=Estimates([GAP])))) == []


def test_a_claim_without_a_p_value_says_least() -> None:
    row = replace(GAP, conf_low=0.1, conf_high=0.3)
    assert distance(row) == (0.1, 0.0) and distance(replace(row, p_value=0.25)) == (0.1, 0.75)
    ratio = replace(row, metric="impact ratio", contrast="ratio", conf_low=0.4, conf_high=0.7, p_value=0.5)
    assert distance(ratio) == (pytest.approx(0.3), 0.5)


def test_strata_of_one_group_are_counted_where_the_difference_is_told() -> None:
    """10 + 20 people are in strata where only one of the groups is."""
    data = pd.DataFrame(
        {
            "g": ["a"] * 50 + ["b"] * 50 + ["a"] * 10 + ["b"] * 20,
            "z": ["both"] * 100 + ["first"] * 10 + ["last"] * 20,
            "d": [1] * 40 + [0] * 10 + [1] * 15 + [0] * 35 + [0, 1] * 15,
        }
    )
    made = fs.audit(data, "d", "g", strata="z")
    (row,) = made.estimates.where(metric="risk difference within strata")
    said = "30 people are in strata where one of the two groups is absent, and are left out"
    assert row.reason.partition(";")[0] == said
    text = " ".join(made.summary().split())
    assert f"disparity shown ({said}); common odds ratio" in text
    assert held_fixed(made, page_one(made)).endswith(f": disparity shown ({said}).")
    rows = made.estimates.where(attribute="g")
    none = [replace(r, status="unestimable", reason="too few") if r is row else r for r in rows]
    (given,) = [s for s in remarks(Estimates(none), "selection rate", "z") if s.startswith("Given")]
    about = f"Given z: {row.group} against {row.reference}"
    assert given.startswith(f"{about}: difference within strata not estimable: too few; common odds ratio ")


def test_what_else_is_settled_is_named_by_verdict_metric_and_group() -> None:
    def row(metric: str, group: str, verdict: Any, attribute: str = "g") -> Estimate:
        return replace(GAP, metric=metric, attribute=attribute, group=group, verdict=verdict)

    shown, equal = "disparity shown", "equivalence shown"
    rows = [
        row("PPV", "b", shown),
        row("PPV", "c", shown),
        row("PPV", "d", equal),
        row("PPV", "e", "inconclusive"),
        row("FDR", "b", shown),  # 100 % less PPV
        row("AUC", "", equal),
        row("accuracy", "b", shown),
        row("accuracy", "b", shown, "h"),
    ]
    said = further_text(found(estimates=Estimates(rows)), "g", {"TPR"})
    assert said == (
        "Also settled by g, with numbers in tidy(): disparity shown in positive predictive value (b and c) and "
        "accuracy (b); equivalence shown in positive predictive value (d) and AUC."
    )
    left = further_text(found(estimates=Estimates(rows)), "g", ("PPV", "AUC"))
    assert left == "Also settled by g, with numbers in tidy(): disparity shown in accuracy (b)."
    assert further_text(found(estimates=Estimates(rows[3:4])), "g", ()) == ""


def test_lines_of_a_summary_are_laid_out_to_the_column() -> None:
    assert summary._gap(replace(GAP, status="unestimable", reason="a: b")) == "not estimable"
    assert summary._gap(replace(GAP, status="suppressed")) == "suppressed"
    row = replace(GAP, verdict="disparity shown", p_value=0.01, p_adjusted=0.0123)
    assert summary._gap(row) == " −10.0  −25.0 to +5.0   0.012 D"
    assert summary._rate(replace(GAP, estimate=0.05, conf_low=0.001, conf_high=0.1)) == "  5.0   0.1 to 10.0"
    assert summary._rate(replace(GAP, status="suppressed", reason="n < 9")) == "suppressed: n < 9"
    long = "a name that goes on and on until there is no room beside it in a line of scores"
    rows = Estimates(
        [replace(row, group=long, n=100), replace(row, group="b", n=7, status="unestimable", reason="few")]
    )
    assert summary._score_lines(rows) == [
        "  a name that goes on and on until there is no room beside it in a line of",
        "    scores",
        f"  {'':<34} 100  −0.100   −0.250 to 0.050   0.012 D",
        f"  {'b':<34}   7 not estimable: few",
        "",
    ]
    assert summary._cautions(found(notes=())) == []
    assert summary._cautions(found(notes=("one", "two " * 20)))[:3] == [
        "Cautions",
        "  - one",
        "  - " + "two " * 18 + "two",
    ]


def test_counts_are_whole_up_to_ten_digits_and_empty_where_they_are_withheld() -> None:
    sizes = {float("nan"): "", 1234.4: "1,234", 9_999_999_999.0: "9,999,999,999"}
    assert {n: summary._people(n) for n in sizes} == sizes
    assert len(summary._people(1e10)) < 10 and len(summary._people(1.5e12)) < 10


def test_intersections_have_one_table_and_say_where_the_others_are() -> None:
    base = cells(("m", 0, 1, 9), ("m", 0, 0, 6), ("m", 1, 1, 12), ("m", 1, 0, 5), ("f", 0, 1, 8), ("f", 1, 0, 20))
    data = base.assign(h=["u", "v"] * 30)
    text = fs.audit(data, "d", ["g", "h"], outcome="y").summary()
    of_pairs = text.split(" by g:h, %;")
    assert len(of_pairs) == 2 and "\n  the other rates of g:h are in tidy()\n\n" in of_pairs[1]
    table = of_pairs[1].split("\n\n")[0].splitlines()
    people = data.groupby(["g", "h"]).d.agg(["sum", "size"])
    head = of_pairs[0].rsplit("\n", 1)[-1]
    column = {"Base rate": "y", "Selection rate": "d"}[head]
    people = data.groupby(["g", "h"])[column].agg(["sum", "size"])
    counted = {f"{g}:{h}": f"{row['sum']}/{row['size']}" for (g, h), row in people.iterrows()}
    assert {line.split()[0]: line.split()[1] for line in table[1:-1]} == counted
    assert "the other rates of g are" not in text and "the other rates of h are" not in text


def test_rates_are_shares_of_all_who_or_of_all_people_with() -> None:
    plain = Protocol(("g",), outcome="y", positive="1")
    assert phrases.share_of(plain, "base rate") == "the share of all people with y = 1"
    told = replace(plain, words=Words(unit="people", positive="paid", negative="did not pay"))
    assert phrases.share_of(told, "base rate") == "the share of all who paid"


def test_statements_of_what_was_measured_are_known_again_by_their_beginnings() -> None:
    rules = Protocol(("g",), outcome="y", decision="d", predicts="1", favorable="0", positive="1")
    made = [*phrases.measured(rules), *phrases.measured(replace(rules, decision=""))]
    assert made == [
        "The favorable decision is d = 0.",
        "The positive outcome is y = 1, predicted by d = 1.",
        "The positive outcome is y = 1.",
    ]
    assert phrases.measured_among([made[0], "The outcome is y.", made[1], "Positive.", made[2]]) == made


def test_no_page_one_where_its_rate_was_not_judged() -> None:
    made = fs.audit(cells(("a", 0, 1, 40), ("a", 1, 0, 40), ("b", 0, 1, 30), ("b", 1, 0, 50)), "d", "g")
    assert isinstance(page_one(made), PageOne)
    rows = Estimates([replace(row, verdict="") for row in made.estimates])
    assert page_one(replace(made, estimates=rows)) is None


def test_an_interval_that_ends_at_no_difference_goes_one_way() -> None:
    for low, high in ((-0.2, 0.0), (0.0, 0.2)):
        row = replace(GAP, estimate=(low + high) / 2, conf_low=low, conf_high=high)
        way = "less" if low else "more"
        assert gap_text(row) == f"10.0 percentage points {way} (95 % confidence interval 0.0 to 20.0)"
    across = replace(GAP, estimate=0.0)
    assert gap_text(across) == "0.0 percentage points more (95 % confidence interval 25.0 less to 5.0 more)"


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize(("low", "beyond"), [(0.1, False), (0.1000001, True), (0.05, False)])
def test_an_interval_is_beyond_the_margin_where_it_does_not_touch_it(sign: int, low: float, beyond: bool) -> None:
    made = fs.audit(cells(("a", 0, 1, 40), ("a", 0, 0, 40), ("b", 0, 1, 4), ("b", 0, 0, 76)), "d", "g", equivalence=0.1)
    page = page_one(made)
    ends = sorted((sign * low, sign * 0.4))
    gap = replace(page.head.gap, estimate=sign * 0.25, conf_low=ends[0], conf_high=ends[1], verdict="disparity shown")
    said = beside_margin(made, replace(page, lines=(replace(page.head, gap=gap, turned=False),)))
    whole = "The whole interval is beyond the declared margin of ±10.0 points."
    part = "A difference is shown; that it is beyond the declared margin of ±10.0 points is not."
    assert said == (whole if beyond else part)


def test_a_group_without_a_rate_stands_last() -> None:
    data = cells(("a", 0, 1, 40), ("a", 0, 0, 40), ("b", 0, 1, 30)).astype({"d": float})
    data.loc[data.g == "b", "d"] = np.nan
    for order in (data, data.iloc[::-1]):
        made = fs.audit(order, "d", "g")
        page = page_one(made)
        assert (page.group, page.reference) == ("a", "b")
        assert made.finding().startswith("g = a and g = b cannot be compared: ") or made.finding().startswith(
            "g = b and g = a cannot be compared: "
        )
        assert f"cannot be compared: {page.head.gap.reason}." in made.finding()


def test_people_lost_are_a_share_of_all_who_were_counted() -> None:
    for size, share in ((1, "100.0"), (4, "25.0"), (0, "100.0")):
        said = cautions._lost(CodedTally((), np.ones(size), flow=(FlowStep("decision missing", 1),)), "decision")
        assert said.startswith(f"The decision is missing for 1 people ({share} %); if that depends on the decision,")


def test_withheld_cells_are_named_up_to_three() -> None:
    def said(n: int) -> str:
        withheld = SimpleNamespace(names=tuple("uvwxyz"[:n]), least=np.full(n, 1.0), most=np.full(n, 4.0))
        return cautions._hidden(SimpleNamespace(withheld=withheld, size=1234))

    assert said(3).startswith(
        "Those who counted the people withheld 3 cells, of 3 to 12 people (1,234 are in the others): u, v, w. The rows"
    )
    assert " withheld 5 cells, of 5 to 20 people (1,234 are in the others): u, v, w and 2 more. The rows" in said(5)


def test_border_cases_are_named_up_to_four() -> None:
    rows = [replace(GAP, group=f"v{i}", reason=f"{BORDER}of one") for i in range(5)]
    four = ", ".join(f"FPR of v{i} against a" for i in range(4))
    assert f"disagree (4): {four}. The test" in cautions.border_cases(Estimates(rows[:4]))
    assert f"disagree (5): {four} and 1 more. The test" in cautions.border_cases(Estimates(rows))


def test_no_difference_is_called_higher_and_a_negative_one_lower() -> None:
    rules = Protocol(("g",), score="s", outcome="y")
    for estimate, side in ((0.0, "0.000 higher"), (0.02, "0.020 higher"), (-0.02, "0.020 lower")):
        row = replace(GAP, metric="AUC", estimate=estimate)
        assert claim_text(found(protocol=rules), row).startswith(f"The AUC of s is {side} in b than in a (g): ")


@pytest.mark.parametrize("groups", [11, 12, 13, 15])
def test_what_remains_within_strata_is_said_of_twelve_groups(groups: int) -> None:
    gap = replace(GAP, metric="risk difference within strata", verdict="inconclusive", attribute="g")
    odds = Estimate("common odds ratio", "g", estimate=0.5, conf_low=0.25, conf_high=1.0, p_adjusted=0.04)
    names = [f"v{i:02d}" for i in range(groups)]
    rows = [replace(row, group=name) for name in names for row in (gap, odds)]
    said = remarks(Estimates(rows), "FPR", "z")
    more = groups - 12
    assert said[:12] == [
        f"Given z: {name} against a: difference within strata 10.0 percentage points less (95 % confidence interval "
        "25.0 less to 5.0 more), inconclusive; common odds ratio 0.50 (0.25 to 1.00), p = 0.040."
        for name in names[:12]
    ]
    assert said[12:] == ([f"Given z: … and {more} more group{'s' * (more > 1)}, all in tidy()."] if more > 0 else [])
    withheld = [replace(row, status="suppressed") for row in rows]
    assert remarks(Estimates(withheld), "FPR", "z") == []


def test_numbers_that_fill_a_line_leave_the_names_lines_of_their_own() -> None:
    rate = Estimate("FPR", "g", "x", events=4_500_000_000, n=9_000_000_000, estimate=0.5, conf_low=0.5, conf_high=0.5)
    other = replace(rate, group="a")
    gap = replace(GAP, group="x", p_adjusted=0.2, verdict="inconclusive")
    lines = summary._metric("FPR", Estimates([rate, other]), Estimates([gap]), found())
    assert lines == [
        "FPR by g, %; difference from a in points",
        "  x",
        "   4,500,000,000/9,000,000,000  50.0  50.0 to 50.0  −10.0  −25.0 to +5.0   0.200",
        "    i",
        "  a",
        "   4,500,000,000/9,000,000,000  50.0  50.0 to 50.0 reference",
        "",
    ]


def test_a_line_of_too_many_words_goes_on_below_its_name() -> None:
    assert summary._kept("  a   12  34") == ["  a   12  34"]
    assert summary._kept("  a   12 " + "word " * 20) == [
        "  a   12 " + "word " * 13 + "word",
        "    " + "word " * 5 + "word",
    ]


def test_scores_of_intersections_have_no_table() -> None:
    rng = np.random.default_rng(2)
    data = pd.DataFrame({"g": ["a", "b"] * 30, "h": rng.choice(["u", "v"], 60), "s": rng.integers(0, 9, 60)})
    made = fs.audit(data, groups=["g", "h"], score="s")
    assert made.estimates.where(attribute="g:h", metric="P(X>Y)", role="main")
    text = made.summary()
    heads = [line for line in text.splitlines() if line.startswith("P(X>Y) of s by ")]
    assert [head.split()[4].rstrip(":") for head in heads] == ["g", "h"]


def test_a_line_does_not_end_at_a_hyphen() -> None:
    assert summary._wrapped("word " * 15 + "re-arrested") == ["word " * 14 + "word", "re-arrested"]
