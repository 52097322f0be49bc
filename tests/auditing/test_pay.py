"""Reports of pay: the European and the British figures by hand, categories, what is withheld, bad input."""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import fairstats as fs
from fairstats.auditing.group_studies import in_law_order, margin_word, of_category, provision
from fairstats.auditing.pay import QUARTER_TERMS
from fairstats.cli import run
from fairstats.document import Table
from fairstats.errors import InputError
from fairstats.inference.verdicts import decisive_interval, decisive_level
from fairstats.language import language, speaking, translated


@cache
def staff() -> pd.DataFrame:
    """3,000 people with bonuses; two grades are small."""
    rng = np.random.default_rng(7)
    n = 3000
    sex = rng.choice(["f", "m"], n, p=[0.45, 0.55])
    grade = rng.binomial(5, np.where(sex == "f", 0.35, 0.5))
    hours = rng.choice([20.0, 30.0, 38.0], n) * 52
    rate = (18 * 1.12**grade * np.exp(rng.normal(0, 0.15, n)) * np.where(sex == "f", 0.97, 1)).round(2)
    bonus = np.where(rng.random(n) < np.where(sex == "f", 0.3, 0.4), rng.lognormal(8, 0.5, n).round(), 0.0)
    frame = pd.DataFrame({"sex": sex, "hours": hours, "pay": rate * hours + bonus, "bonus": bonus})
    return frame.assign(grade=[f"G{g + 1}" for g in grade], hourly=frame["pay"] / hours)


@cache
def european() -> fs.GroupStudy:
    return fs.pay_transparency(staff(), "pay", "sex", variable_pay="bonus", category="grade", hours="hours")


@cache
def british() -> fs.GroupStudy:
    return fs.gender_pay_gap(staff(), "pay", "sex", bonus="bonus", hours="hours")


def gap(values: pd.Series, frame: pd.DataFrame, how: str = "mean") -> float:
    by = values.groupby(frame["sex"]).agg(how)
    return float(1 - by["f"] / by["m"])


def gap_of(values: np.ndarray, sex: np.ndarray) -> float:
    return float(1 - values[sex == "women"].mean() / values[sex == "men"].mean())


def one(result: fs.GroupStudy, **where: object) -> fs.Estimate:
    (row,) = result.estimates.where(**where)
    return row


@pytest.mark.long
def test_figures_a_to_f_by_hand() -> None:
    d, got = staff(), staff()[staff()["bonus"] > 0]
    extra = d["bonus"] / d["hours"]
    for term, values, frame in (
        ("pay per hour", d["hourly"], d),
        ("pay as given", d["pay"], d),
        ("variable pay per hour, those who get any", extra[got.index], got),
        ("variable pay per hour, everybody", extra, d),
    ):
        row = one(european(), metric="gap of means", term=term)
        assert row.estimate == pytest.approx(gap(values, frame), abs=1e-12)
        assert row.conf_low < row.estimate < row.conf_high
        if term != "variable pay per hour, everybody":  # most get none: the median is 0
            median = one(european(), metric="gap of medians", term=term)
            assert median.estimate == pytest.approx(gap(values, frame, "median"), abs=1e-12)
    rates = (d["bonus"] > 0).groupby(d["sex"]).mean()
    for group in "fm":
        assert one(european(), metric="selection rate", contrast="none", group=group).estimate == rates[group]
    difference = one(european(), metric="selection rate", contrast="difference")
    assert difference.n == len(d) and difference.events == (d["bonus"] > 0).sum()  # of both groups
    assert difference.estimate == pytest.approx(rates["f"] - rates["m"]) and difference.verdict == "disparity shown"


@pytest.mark.long
def test_the_overall_gap_is_that_of_an_audit() -> None:
    large = staff()[staff()["grade"].isin(["G2", "G3", "G4"])]
    for metric, d in ("gap of means", staff()), ("gap of medians", staff()), ("gap of means within strata", large):
        result = fs.pay_transparency(d, "pay", "sex", variable_pay="bonus", category="grade", hours="hours")
        audit = fs.audit(d, amount="hourly", groups="sex", reference="m", strata="grade", min_n=5)
        (row,) = audit.estimates.where(metric=metric, role="main")
        mine = [r for r in result.estimates.where(metric=metric, term="pay per hour") if r.role == "main"]
        assert [repr(r.changed(term="", n=row.n)) for r in mine] == [repr(row)]
        assert mine[0].n == len(d)  # of both groups


def test_quarters_split_those_who_are_tied_in_proportion() -> None:
    d = staff().sort_values("hourly", kind="stable")
    for k, part in enumerate(np.array_split(np.arange(3000), 4), 1):  # few are tied at a cut
        share = (d["sex"].to_numpy()[part] == "f").mean()
        row = one(british(), metric="share", group="f", term=QUARTER_TERMS[k - 1])
        assert row.n == pytest.approx(750) and row.estimate == pytest.approx(share, abs=0.002)
    tied = {"sex": ["f", "m", "m", "m"] * 10, "pay": [10.0] * 40}
    shares = fs.gender_pay_gap(tied, "pay", "sex").estimates.where(metric="share", group="f")
    assert [row.estimate for row in shares] == pytest.approx([0.25] * 4)


def test_the_british_bonus_is_of_those_who_get_one_and_of_the_year() -> None:
    got = staff()[staff()["bonus"] > 0]
    term = "bonus, those who get one"
    assert one(british(), metric="gap of means", term=term).estimate == pytest.approx(gap(got["bonus"], got))
    assert one(british(), metric="gap of medians", term=term).estimate == pytest.approx(
        gap(got["bonus"], got, "median")
    )


def test_categories_by_hand() -> None:
    d, seen = staff(), 0
    for row, basic, extra, given in european().by_category():
        frame = d[d["grade"] == row.term]
        if row.status == "suppressed":
            assert basic.status == extra.status == given.status == "suppressed" and np.isnan(row.n)
            continue
        seen += 1
        assert row.n == len(frame) and row.events == (frame["sex"] == "f").sum()
        assert row.estimate == pytest.approx(gap(frame["hourly"], frame))
        assert basic.estimate == pytest.approx(gap((frame["pay"] - frame["bonus"]) / frame["hours"], frame))
        assert extra.estimate == pytest.approx(gap(frame["bonus"] / frame["hours"], frame))
        assert given.estimate == pytest.approx(gap(frame["pay"], frame))
        assert (row.p_adjusted < 0.05) == (row.conf_low > 0 or row.conf_high < 0) == (row.verdict == "disparity shown")
    # one has few people, and one is withheld beside it; rather than a third the figure over all of them is
    assert seen == 4
    assert one(european(), metric="gap of means within strata").status == "suppressed"


def test_the_table_of_categories_says_the_level_of_its_intervals() -> None:
    """Bonferroni's by hand: three categories share one error rate of 5%."""
    rng = np.random.default_rng(0)
    people = pd.DataFrame({"sex": rng.choice(["f", "m"], 600), "grade": rng.choice(list("abc"), 600)})
    people["pay"] = rng.lognormal(3, 0.2, 600)
    text = " ".join(fs.pay_transparency(people, pay="pay", groups="sex", category="grade").summary().split())
    assert f"Intervals: {100 - 5 / 3:.2f}%. Beyond or within" in text


def sides(gaps: list[float]) -> str:
    """In which direction the gaps of 5% or more are, as sentences have it."""
    less = [gap > 0 for gap in gaps if abs(gap) >= 0.05]
    if not less or len(set(less)) == 2:
        return f" (women get less in {sum(less)} of these, more in {len(less) - sum(less)})" if less else ""
    return " (women get less)" if less[0] else " (women get more)"


def largest(gaps: dict[str, float]) -> str:
    """The gaps of 5% or more as sentences name them."""
    large = sorted((name for name in gaps if abs(gaps[name]) >= 0.05), key=lambda name: -abs(gaps[name]))
    each = [f"{name} ({100 * abs(gaps[name]):.1f}% {'less' if gaps[name] > 0 else 'more'})" for name in large]
    return f"largest first: {', '.join(each)}."


@pytest.mark.long
def test_three_words_and_sentences() -> None:
    rng = np.random.default_rng(1)
    sex = np.tile(["women", "men"], 900)
    grade = np.repeat(["far", "near", "few"], [800, 960, 40])
    pay = 20 + rng.normal(0, 1, 1800)
    pay *= np.where((sex == "women") & (grade != "near"), 0.88, 1)
    result = fs.pay_transparency({"sex": sex, "grade": grade, "pay": pay * 1.0}, "pay", "sex", category="grade")
    verdicts = {str(row.term): row.verdict for (row,) in result.by_category()}
    assert verdicts["near"] == "equivalence shown"
    text = " ".join(result.statements)
    observed = (
        "The observed gap of women in total pay is 5% or more in 2 of 3 categories (women get less), and smaller in"
    )
    assert f"{observed} 1." in text
    said = (
        "The gap of women in total pay is shown to be larger than 5% in 2 of 3 categories given, and smaller in 1; in 0"
    )
    assert f"{said} it is not settled." in text
    of = {name: gap_of(pay[grade == name], sex[grade == name]) for name in ("far", "near", "few")}
    assert f"Categories with a gap of women of 5% or more in total pay, {largest(of)}" in text
    mean = result.compared()[0]
    low, high, points = 100 * mean.conf_low, 100 * mean.conf_high, 100 * mean.estimate
    assert text.startswith(
        f"women earn {points:.1f}% less than men (mean; 95% confidence interval {low:.1f} to {high:.1f})."
    )
    assert "near     480  480" in result.summary() and max(map(len, result.summary().splitlines())) <= 80
    more = fs.gender_pay_gap({"sex": sex, "pay": np.where(sex == "men", pay * 0.5, pay)}, "pay", "sex")
    assert "% more than men (mean; 95% confidence interval " in more.statements[0]


def test_few_people_are_withheld_and_nothing_else_is_lost() -> None:
    d = pd.DataFrame({"sex": ["f", "m"] * 30 + ["f"], "grade": ["a", "b", "b", "a"] * 15 + ["c"]})
    d["pay"] = np.arange(61) % 7 + 20.0
    hidden = fs.pay_transparency(d, "pay", "sex", category="grade")
    status = {str(row.term): row.status for (row,) in hidden.by_category()}
    assert status["c"] == "suppressed" and list(status.values()).count("suppressed") == 2
    shown = fs.pay_transparency(d, "pay", "sex", category="grade", min_n=1)
    lone = next(row for (row,) in shown.by_category() if row.term == "c")
    assert lone.status == "unestimable" and lone.reason
    small = fs.pay_transparency({"sex": ["f"] * 3 + ["m"] * 30, "pay": list(range(20, 53))}, "pay", "sex")
    assert all(row.estimate != row.estimate for row in small.estimates)


@pytest.mark.long
def test_missing_pay_group_category_and_bonus_are_said() -> None:
    d = staff().head(400).copy()
    d.loc[:4, "pay"], d.loc[5:7, "sex"], d.loc[8:9, "grade"], d.loc[10:29, "bonus"] = np.nan, None, None, np.nan
    result = fs.pay_transparency(d, "pay", "sex", variable_pay="bonus", category="grade", hours="hours")
    text = " ".join(result.statements)
    for words in ("5 people whose pay or hours", "group of 3 people", "2 people of unknown", "20 people without an en"):
        assert words in text
    assert result.n == 392


def test_page_one_of_the_british_report_begins_with_all_that_is_said_of_bonuses() -> None:
    """Mean, median and bonuses are one paragraph: regulations 8 to 12."""
    said = " ".join(text[0].upper() + text[1:] for text in map(str, british().statements[:3]))
    assert "A bonus is paid to" in said
    assert said in " ".join(re.sub("<[^>]*>", " ", fs.report(british()).html).split())


@pytest.mark.long
def test_a_third_group_that_is_small_in_categories_hides_no_gap_of_women_and_men() -> None:
    """Women and men are compared as without the third group, whose own gaps say why there is none."""
    rng = np.random.default_rng(3)
    n = {"women": 40, "men": 50, "diverse": 2}
    grades, sexes = ["a", "b", "c", "d"], list(n)
    rows = [(grade, sex) for grade in grades for sex in sexes for _ in range(n[sex])]
    d = pd.DataFrame(rows, columns=["grade", "sex"]).assign(pay=rng.normal(20, 2, len(rows)))
    with_third = fs.pay_transparency(d, "pay", "sex", category="grade")
    alone = fs.pay_transparency(d[d["sex"] != "diverse"], "pay", "sex", category="grade")
    of = {row.term: row for (row,) in with_third.by_category() if row.group == "women"}
    for (row,) in alone.by_category():
        assert of[row.term].estimate == row.estimate and of[row.term].n == row.n == 90
    third = [row for (row,) in with_third.by_category() if row.group == "diverse"]
    assert [row.status for row in third] == ["suppressed"] * 4
    assert {str(row.reason) for row in third} == {"fewer than 5 diverse or men"}
    assert with_third.statements[0].startswith("women earn") or with_third.statements[0].startswith("Women earn")
    assert "fewer than 5 women" not in with_third.summary()
    page = " ".join(re.sub("<[^>]*>", " ", fs.report(with_third).html).split()).partition("Table 1")[0]
    assert "The observed gap of women" in page  # of the third group page one has the mean; the tables have the rest
    mean = one(with_third, metric="gap of means", group="diverse", term="pay as given")
    assert f"Diverse earn {100 * abs(mean.estimate):.1f}%" in page and page.count("iverse") == 2  # and how many


def test_who_gets_a_bonus_is_said_where_its_gap_cannot_be() -> None:
    d = staff().head(100)
    for bonus, share in ((0.0, "0.0"), (5.0, "100.0")):
        result = fs.gender_pay_gap(d.assign(bonus=bonus), "hourly", "sex", bonus="bonus")
        assert f"A bonus is paid to {share}% of women and {share}% of men" in " ".join(result.statements)


def test_limits_without_a_verdict_are_not_called_a_difference_that_is_not_shown() -> None:
    """Means of few people who spread unequally, and no logarithm of nothing: an interval beyond 0, and no verdict."""
    rng = np.random.default_rng(0)
    d = pd.DataFrame({"sex": ["f"] * 30 + ["m"] * 40})
    d["pay"] = np.exp(np.r_[1.5 + rng.normal(size=30), 3 + 0.3 * rng.normal(size=40)])
    d.loc[0, "pay"] = 0.0
    result = fs.gender_pay_gap(d, "pay", "sex")
    row = one(result, metric="gap of means", group="f")
    assert row.conf_low > 0 and not row.verdict and "spread differently" in row.reason
    assert result.statements[0].endswith("from which no verdict is read).")
    assert "No verdict on means: the amounts of the two groups spread differently" in fs.report(result).html


def test_an_observed_gap_has_no_need_of_limits() -> None:
    d = staff().copy()
    d.loc[d.index[(d.sex == "m")][0], "hourly"] = 3000 * d.hourly.mean()  # one man makes up nearly all of the variance
    mean = d.groupby("sex").hourly.mean()
    gap = 100 * (1 - mean["f"] / mean["m"])
    for report in (fs.pay_transparency, fs.gender_pay_gap):
        result = report(d, "hourly", "sex")
        row = one(result, metric="gap of means", group="f", given="")
        assert np.isclose(100 * row.estimate, gap) and np.isnan(row.conf_low) and not row.verdict
        said = f"{gap:.1f}% less than men (mean; no confidence interval: the mean of the reference is too uncertain"
        assert said in result.statements[0]
        assert any("A single amount of men makes up" in text for text in result.statements)
        page = fs.report(result).html
        assert "\N{EN DASH}: the mean of the reference is too uncertain" in page
        assert "A single amount of men makes up" in page.partition("Table 1")[0]
    cells = pd.DataFrame({"sex": ["f", "m"] * 126, "grade": ["a"] * 240 + ["b"] * 12})
    rng = np.random.default_rng(5)
    cells["hourly"] = np.exp(3 + 0.15 * rng.normal(size=len(cells)))
    cells.loc[cells.index[-1], "hourly"] *= 4
    small = cells[cells.grade == "b"].groupby("sex").hourly.mean()
    result = fs.pay_transparency(cells, "hourly", "sex", category="grade")
    (row,) = [row for row, *_ in result.by_category() if row.term.endswith("b")]
    assert np.isclose(row.estimate, 1 - small["f"] / small["m"]) and row.estimate >= 0.05
    assert "b (" in " ".join(result.statements)  # named among the categories with a gap of 5% or more


@pytest.mark.parametrize(
    ("change", "argument", "fact"),
    [
        ({"pay": "much"}, "pay", "numbers are needed"),
        ({"pay": np.inf}, "pay", "infinite"),
        ({"pay": -1.0}, "pay", "negative"),
        ({"hours": 0.0}, "hours", "not above 0"),
        ({"bonus": 1e9}, "variable_pay", "above all pay"),
        ({"bonus": -5.0}, "variable_pay", "negative"),
    ],
)
def test_bad_columns(change: dict[str, object], argument: str, fact: str) -> None:
    with pytest.raises(InputError, match=fact) as found:
        fs.pay_transparency(staff().head(50).assign(**change), "pay", "sex", variable_pay="bonus", hours="hours")
    assert found.value.argument == argument


def test_bad_groups() -> None:
    d = staff().head(50)
    with pytest.raises(InputError, match="which of G1"):
        fs.gender_pay_gap(d, "pay", "grade")
    with pytest.raises(InputError, match="name one of these"):
        fs.gender_pay_gap(d, "pay", "sex", reference="x")
    with pytest.raises(InputError, match="name another column"):
        fs.pay_transparency(d, "pay", "sex", category="sex")
    with pytest.raises(InputError, match="with 1 groups"):
        fs.gender_pay_gap(d.assign(sex="m"), "pay", "sex")


@pytest.mark.parametrize("make", [european, british])
def test_saved_reported_and_drawn(make: object, tmp_path: Path) -> None:
    result = make()  # type: ignore[operator]
    result.save(tmp_path / "pay.npz")
    again = fs.load(tmp_path / "pay.npz")
    assert again.summary() == result.summary() and max(map(len, result.summary().splitlines())) <= 80
    assert "gap of women, % of what men get" in result.plot().svg
    fs.report(again, to=tmp_path / "pay.html")
    page = (tmp_path / "pay.html").read_text()
    assert "Women earn 12.2% less per hour than men (mean; 95% confidence interval" in page
    assert ("Gaps by category, Article 9(1)(g): grade" in page) == (result is european())
    fs.report(again, to=tmp_path / "de.html", language="de")
    assert "weniger je Stunde" in (tmp_path / "de.html").read_text()


@pytest.mark.long
def test_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "staff.csv"
    staff().head(600).to_csv(file, index=False)
    arguments = ["pay", str(file), "--pay", "pay", "--groups", "sex", "--hours", "hours"]
    assert run([*arguments, "--category", "grade", "--variable-pay", "bonus"]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "observed gap of women in total pay per hour is 5% or more in" in said
    assert "run again with --min-n 1;" in said and "min_n=1" not in said
    head = staff().head(600)
    assert f"In pay as given, women get {100 * gap(head['pay'], head):.1f}% less (mean; " in said
    assert run([*arguments, "--law", "uk", "--bonus", "bonus"]) == 0
    assert "Great Britain" in capsys.readouterr().out
    assert run([*arguments, "--bonus", "bonus"]) == 2
    assert "--bonus is not of the law 'eu'" in capsys.readouterr().err


@pytest.mark.parametrize("report_of", [fs.pay_transparency, fs.gender_pay_gap])
@pytest.mark.parametrize("name", ["weights", "clusters", "adjust_for"])
def test_reports_of_laws_count_every_worker_once(report_of: Callable[..., object], name: str) -> None:
    fact = rf"{name} is no argument of .*: the law counts every worker once.*fairstats.audit"
    with pytest.raises(InputError, match=fact):
        report_of({"sex": ["m", "f"], "pay": [1.0, 2.0]}, pay="pay", groups="sex", **{name: "pay"})


@pytest.mark.long
def test_the_report_names_the_categories_and_the_letters_of_the_article() -> None:
    result = fs.pay_transparency(staff(), "pay", "sex", category="grade", hours="hours", min_n=1)
    text = result.summary().replace("\n", " ")
    for what, column in ("total pay per hour", "hourly"), ("pay as given", "pay"):
        of = {str(grade): gap(frame[column], frame) for grade, frame in staff().groupby("grade")}
        assert f"Categories with a gap of women of 5% or more in {what}, {largest(of)}" in text
    assert "Article 10(1) asks for a joint pay assessment where the average pay" in text
    assert "(e) is who gets any, (f) are the quarters, (g) the gaps by category" in text


@pytest.mark.long
@pytest.mark.parametrize("report_of", [fs.pay_transparency, fs.gender_pay_gap])
def test_few_people_of_another_group_are_left_out_of_all_numbers(report_of: object) -> None:
    part = "variable_pay" if report_of is fs.pay_transparency else "bonus"
    d = staff().head(600)[["sex", "pay", "bonus"]]
    other = d.head(3).assign(sex=["diverse", "diverse", "x"], pay=[30000.0, 40000.0, 50000.0], bonus=9000.0)
    alone = report_of(d, "pay", "sex", **{part: "bonus"})  # type: ignore[operator]
    beside = report_of(pd.concat([d, other]), "pay", "sex", **{part: "bonus"})  # type: ignore[operator]
    assert list(beside.estimates) == list(alone.estimates) and beside.n == alone.n
    said = "People of other recorded groups: fewer than 5; left out of the comparison of women and men."
    assert set(beside.statements) - set(alone.statements) == {said}
    many = report_of(pd.concat([d, *[other.assign(sex="diverse")] * 2]), "pay", "sex", **{part: "bonus"})  # type: ignore[operator]
    assert {row.group for row in many.estimates} == {"f", "m", "diverse"}
    few_women = pd.concat([d[d["sex"] == "m"], d[d["sex"] == "f"].head(3)])
    assert {row.status for row in report_of(few_women, "pay", "sex").estimates} == {"suppressed"}  # type: ignore[operator]


def test_entries_are_missing_of_those_who_are_counted() -> None:
    d = staff().head(400).copy()
    d.loc[:9, "bonus"], d.loc[:3, "pay"] = np.nan, np.nan
    text = " ".join(fs.pay_transparency(d, "pay", "sex", variable_pay="bonus", hours="hours").statements)
    assert "4 people whose pay or hours are not known" in text and "6 people without an entry of variable pay" in text


def test_a_category_without_a_gap_says_why_and_how_many_people_they_have() -> None:
    rng = np.random.default_rng(2)
    sizes = {"big": (60, 60), "mid": (30, 40), "few": (2, 30), "chiefs": (20, 20), "menonly": (0, 25), "low": (22, 24)}
    sizes |= {"last": (90, 90)}
    rows = [
        (name, sex) for name, n in sizes.items() for sex, k in zip(("women", "men"), n, strict=True) for _ in range(k)
    ]
    d = pd.DataFrame(rows, columns=["grade", "sex"]).assign(pay=rng.normal(20, 1, len(rows)))
    d.loc[d.index[d["grade"] == "chiefs"][0], "pay"] = 9000.0
    d.loc[(d["grade"] == "big") & (d["sex"] == "women"), "pay"] *= 1.2
    d.loc[(d["grade"] == "last") & (d["sex"] == "women"), "pay"] *= 0.8
    result = fs.pay_transparency(d, "pay", "sex", category="grade")
    reasons = {str(row.term): row.reason for (row,) in result.by_category() if row.estimate != row.estimate}
    assert reasons.pop("few") == "fewer than 5 women or men" and reasons.pop("chiefs") == "one person's pay dominates"
    assert reasons.pop("menonly") == "no women"
    assert reasons and set(reasons.values()) == {"withheld so that another cannot be computed"}
    gone = {"few", "chiefs", "menonly", *reasons}
    text = " ".join(result.statements)
    assert (
        f"People in categories of which no gap of women is given: {d['grade'].isin(gone).sum()}. Categories by reason: "
        in text
    )
    assert "fewer than 5 women or men: 1" in text and "no women: 1" in text
    if not {"big", "last"} & gone:
        of = {
            name: gap_of(f["pay"].to_numpy(), f["sex"].to_numpy()) for name, f in d.groupby("grade") if name not in gone
        }
        assert "more)" in largest(of) and "less)" in largest(of) and largest(of) in text


def test_reasons_are_one_where_they_would_tell_how_many_the_small_cell_has() -> None:
    """12 withheld people, of whom two protecting cells have 5 each at least, leave 1 woman and 1 man."""
    d = pd.DataFrame({"sex": ["women", "men"] * 106, "grade": ["few"] * 2 + ["five"] * 10 + ["a", "a"] * 100})
    d = d.assign(pay=20.0 + np.arange(len(d)) % 7)
    result = fs.pay_transparency(d, "pay", "sex", category="grade")
    hidden = {row.reason for (row,) in result.by_category() if row.status == "suppressed"}
    assert hidden == {"fewer than 5 people, or beside such a group"}


def test_a_median_of_0_is_a_gap_of_100_percent() -> None:
    d = pd.DataFrame({"sex": ["women", "men"] * 50, "pay": np.arange(100) + 500.0})
    d["bonus"] = np.where(d["sex"] == "men", 10.0 + np.arange(100), np.where(np.arange(100) % 6 == 0, 40.0, 0.0))
    result = fs.pay_transparency(d, "pay", "sex", variable_pay="bonus")
    row = one(result, metric="gap of medians", term="variable pay, everybody")
    assert row.estimate == 1 and row.status == "ok" and np.isnan(row.conf_low)
    assert row.p_adjusted < 0.05 and row.verdict == "disparity shown"  # of the test of the difference of medians
    nobody = d.assign(bonus=np.where(np.arange(100) % 12 < 2, 40.0, 0.0))
    row = one(
        fs.pay_transparency(nobody, "pay", "sex", variable_pay="bonus"),
        metric="gap of medians",
        term="variable pay, everybody",
    )
    assert np.isnan(row.estimate)


@pytest.mark.long
def test_one_person_is_singular() -> None:
    d = staff().head(300).copy()
    d.loc[0, "pay"], d.loc[1, "grade"], d.loc[2, "sex"], d.loc[3, "bonus"] = np.nan, None, None, np.nan
    result = fs.pay_transparency(d, "pay", "sex", variable_pay="bonus", category="grade", hours="hours")
    text = " ".join(result.statements)
    assert "1 people" not in text and "1 categories" not in text
    assert text.count("One person") == 3 and "The group of one person is not known" in text


@pytest.mark.long
def test_the_german_report_of_pay_names_categories_in_german() -> None:
    d = staff().head(1500)
    d = d.assign(pay=np.where((d["sex"] == "f") & d["grade"].isin(["G2", "G3", "G4"]), d["pay"] * 0.8, d["pay"]))
    result = fs.pay_transparency(d, "pay", "sex", variable_pay=None, category="grade", hours="hours", min_n=1)
    with speaking(language("de")):
        text = " ".join(map(translated, result.statements))
    assert (
        "mit einer Lücke von 5\N{NO-BREAK SPACE}% oder mehr im gesamten Entgelt je Stunde, die größte zuerst: G" in text
    )
    assert "mit einer Lücke von 5\N{NO-BREAK SPACE}% oder mehr im Entgelt wie angegeben, die größte zuerst: G" in text
    assert "Artikel 10 Absatz 1 verlangt eine gemeinsame Entgeltbewertung" in text
    assert " and " not in text and "Er beträgt" not in text


def test_a_withheld_category_is_not_counted_as_one_without_a_gap(tmp_path: Path) -> None:
    """A category of 7 hides others beside it, of which one has 5% or more."""
    rng = np.random.default_rng(0)
    sex, job = rng.choice(["f", "m"], 900), rng.choice(["lead", "tech", "office"], 900)
    rate = np.exp(3 + 0.06 * ((sex == "m") & (job != "office")) + 0.1 * rng.standard_normal(900))
    job = np.where(np.arange(900) < 7, "ceo", job)
    result = fs.pay_transparency({"sex": sex, "job": job, "pay": rate}, "pay", "sex", category="job")
    known = [row for (row,) in result.by_category() if row.estimate == row.estimate]
    large = sum(abs(row.estimate) >= 0.05 for row in known)
    assert 0 < len(known) < 4
    said = (
        f"observed gap of women in total pay is 5% or more in {large} of the {len(known)} categories whose gap is given"
    )
    said += f"{sides([row.estimate for row in known])}, and smaller in "
    said += f"{len(known) - large}. Further categories: {4 - len(known)} withheld."
    text = result.summary().replace("\n", " ")
    assert said in text and "without a gap" not in text
    hidden = {str(row.term): row.reason for (row,) in result.by_category() if row.estimate != row.estimate}
    assert sum("not known" in line for line in result.summary().splitlines()) == len(hidden) == 4 - len(known)
    page = fs.report(result).html.partition("Gaps by category")[2]
    for name, why in hidden.items():  # the reason stands in the line of its category
        (line,) = [line for line in page.splitlines() if f">{name}<" in line]
        assert line.endswith(f">{why}")
    page = tmp_path / "de.html"
    fs.report(result, to=page, language="de")
    german = page.read_text()
    assert "nicht bekannt" in german and f"Arbeitnehmern: {4 - len(known)} zurückgehalten." in german


@pytest.mark.parametrize(("result", "form"), [(british, "pdf"), (european, "html"), (british, "json")])
def test_a_report_of_pay_is_verified_as_one_of_an_audit_is(
    result: Callable[[], fs.GroupStudy], form: str, tmp_path: Path
) -> None:
    file = tmp_path / f"pay.{form}"
    fs.report(result(), to=file, language="de")
    assert fs.verify_report(file, staff()).ok
    less = fs.verify_report(file, staff().assign(pay=lambda d: np.where(d.index == 7, d.pay + 900, d.pay)))
    assert less.status == "disagreement" and any("gap of means" in d.where for d in less.differences)


def test_what_is_edited_in_a_report_of_pay_is_found(tmp_path: Path) -> None:
    people, file = tmp_path / "staff.csv", tmp_path / "pay.json"
    staff().to_csv(people, index=False)
    fs.report(fs.gender_pay_gap(people, "pay", "sex", bonus="bonus", hours="hours"), to=file)
    text = file.read_text()
    found = fs.verify_report(file, people)
    assert found.ok and "the recorded one" in found.summary()
    (tmp_path / "other.csv").write_bytes(people.read_bytes())
    assert fs.verify_report(file, tmp_path / "other.csv").ok  # the same workers by another name
    said = british().statements[0]
    for old, new, where in [
        ('"min_n": 5', '"min_n": 1', "statements"),
        (str(said), str(said).replace("less", "more"), "statements"),
        ('"verdict": "disparity shown"', '"verdict": "inconclusive"', "verdict"),
        ('"call": "fairstats.gender', '"call": "gender', ""),
        ('"method": "staff.csv"', '"method": "others.csv"', "results_sha256"),
        ('"pay": "pay"', '"pay": "salary"', "the report"),
    ]:
        assert text.count(old)
        file.write_text(text.replace(old, new, 1))
        found = fs.verify_report(file, people)
        if where:
            assert found.status == "disagreement" and any(where in d.where for d in found.differences), old
        else:
            assert "the call are what the report says of itself" in found.summary()
    both = tmp_path / "both.json"
    fs.report(british(), european(), to=both)
    found = fs.verify_report(both, people)
    assert found.status == "partly verified" and not found.differences  # data in memory have no hash


def test_women_and_men_are_called_so_where_the_data_have_letters(tmp_path: Path) -> None:
    text = " ".join(european().statements)
    assert "women earn" in text and "of what men get" in text and not {"f", "m"} & set(text.split())
    assert {row.group for row in european().estimates} == {"f", "m"}  # the rows keep the labels of the data
    other = staff().head(300).assign(sex=lambda d: d["sex"].map({"f": "Kassel", "m": "Bonn"}))
    assert "Kassel earn" in fs.gender_pay_gap(other, "pay", "sex", reference="Bonn").statements[0]
    fs.report(european(), to=tmp_path / "de.html", language="de")
    page = (tmp_path / "de.html").read_text()
    assert "Frauen: Verdienst" in page and "Anteil mit variablem Entgelt" in page


def test_the_proportion_is_named_as_the_directive_does() -> None:
    assert one(european(), metric="selection rate", contrast="difference").term == "proportion receiving variable pay"


def test_every_figure_has_its_letter_and_groups_are_called_as_people_say(tmp_path: Path) -> None:
    """Letters of Article 9(1) and numbers of the regulations stand in tables and pictures, never a code of the data."""
    letters = {(row.metric, str(row.term)): provision(european(), row) for row in european().estimates}
    assert letters["gap of means", "pay per hour"] == "a" and letters["gap of medians", "pay as given"] == "c"
    assert letters["gap of means", "variable pay per hour, everybody"] == "b"
    assert letters["gap of medians", "variable pay per hour, those who get any"] == "d"
    assert letters["selection rate", "proportion receiving variable pay"] == "e"
    assert letters["share", "lower quarter"] == "f" and letters["gap of means", "G1"] == "g"
    numbers = [provision(british(), row) for row in in_law_order(british(), british().estimates)]
    assert list(dict.fromkeys(numbers)) == ["8", "9", "10", "11", "12", "13"]
    fs.report(european(), to=tmp_path / "eu.html")
    page = (tmp_path / "eu.html").read_text()
    assert "(b) mean of variable pay per hour, everybody" in european().plot().svg and ">(g) grade G2<" in page
    assert "Gaps of pay, Article 9(1)(a) to (d)" in page and "Gaps by category, Article 9(1)(g): grade" in page
    assert page.count("<h1") == 1 and "All numbers …" not in page and ">f<" not in page and ">m<" not in page
    assert "Gaps of pay with their 98.75% interval" in page and "All 4 hold together with 95%." in page
    assert "95 to 9" not in page
    summary = european().summary()
    assert any(line.split()[:4] == ["a", "gap", "of", "means:"] for line in summary.splitlines())
    assert "Women earn" in summary and " f\n" not in summary


@pytest.mark.parametrize("law", ["eu", "uk"])
def test_groups_are_called_by_labels(law: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    d = staff().head(600).assign(sex=lambda d: d["sex"].map({"f": "1", "m": "2"}))
    report_of = fs.pay_transparency if law == "eu" else fs.gender_pay_gap
    names = {"groups": {"sex": {"1": "Arbeiterinnen", "2": "Arbeiter"}}}
    result = report_of(d, "pay", "sex", reference="2", labels=names)  # type: ignore[operator]
    assert {row.group for row in result.estimates} == {"1", "2"} and result.settings["labels"] == names
    assert "Arbeiterinnen earn" in result.statements[0] and "lower quarter, Arbeiterinnen" in result.summary()
    assert "gap of Arbeiterinnen, % of what Arbeiter get" in result.plot().svg
    with pytest.raises(InputError, match="labels has 'unit'; a report of pay takes 'groups' alone"):
        report_of(d, "pay", "sex", reference="2", labels={"unit": "workers"})  # type: ignore[operator]
    with pytest.raises(InputError, match="'3'"):
        report_of(d, "pay", "sex", reference="2", labels={"groups": {"sex": {"3": "x"}}})  # type: ignore[operator]
    d.to_csv(tmp_path / "staff.csv", index=False)
    command = ["pay", str(tmp_path / "staff.csv"), "--law", law, "--pay", "pay", "--groups", "sex", "--reference", "2"]
    assert run([*command, "--labels", "groups.sex.1=Arbeiterinnen"]) == 0
    assert "Arbeiterinnen earn" in capsys.readouterr().out
    assert run([*command, "--weights", "hours"]) == 2
    assert "the law counts every worker once" in capsys.readouterr().err


@pytest.mark.long
def test_a_gap_within_the_margin_has_the_limits_that_show_it(tmp_path: Path) -> None:
    """The sentence and the picture have one interval."""
    d = staff().assign(pay=lambda d: np.where(d["sex"] == "f", d["pay"] * 1.02, d["pay"]))
    result = fs.pay_transparency(d, "pay", "sex", category="grade", hours="hours", min_n=1)
    row = next(row for row, *_ in result.by_category() if row.verdict == "equivalence shown")
    low, high = decisive_interval(row)
    ends = f"{100 * low:.1f} to {100 * high:.1f}".replace("-", "−")
    # Article 10 is of categories: of the average over them no margin is answered, and it comes after them
    average = one(result, metric="gap of means within strata")
    assert average.verdict in ("inconclusive", "disparity shown") and np.isnan(average.p_equivalence)
    text = " ".join(result.statements)
    said = f"(95% confidence interval {100 * average.conf_low:.1f} to {100 * average.conf_high:.1f}): a figure that"
    assert average.estimate > 0 and said.replace("-", "−") in text
    assert text.index("is shown to be larger than 5% in") < text.index("weighted over all categories")
    fs.report(result, to=tmp_path / "eu.html")
    page = (tmp_path / "eu.html").read_text()
    drawn = re.findall(r"<text[^>]*>(.*?)</text>", page)
    assert any(text.endswith(f"({ends})") for text in drawn)
    assert not any("%:" in text for text in drawn)  # the caption has the levels, once
    caption = re.sub("<[^>]*>", " ", page.partition("Gaps of pay with the limits that decide")[2].partition("Table")[0])
    equal = {decisive_level(row) for row in result.compared() if row.verdict == "equivalence shown"}
    others = {decisive_level(row) for row in result.compared() if of_category(row) and row.estimate == row.estimate}
    assert all(level in caption for level in equal | others) and "Other limits: " in caption


def test_differences_of_a_report_of_pay_are_above_0_where_women_get_less() -> None:
    """Gaps and differences of proportions have one sign in summary and page; the rows are group less reference."""
    row = one(european(), metric="selection rate", contrast="difference")
    n = f"{100 * abs(row.estimate):.1f}"
    sign = "−" if row.estimate > 0 else ""
    summary = " ".join(european().summary().split())
    assert f"{sign}{n}" in summary and "pay, men − women" in summary
    page = re.sub("<[^>]*>", " ", fs.report(european()).html)
    assert "point" in page.partition("Table 1")[2].split()[:20]
    assert f"{sign}{n} points" in page and "men less women" in page and "women less men" not in page


@pytest.mark.long
def test_page_one_has_the_categories_of_article_10_largest_first() -> None:
    low = staff().assign(pay=lambda d: np.where(d["sex"] == "f", 0.9 * d["pay"], d["pay"]))
    result = fs.pay_transparency(low, "pay", "sex", category="grade", hours="hours")
    page = re.sub(r"<[^>]*>|\s+", " ", fs.report(result).html).partition("All numbers")[0]
    of = {str(row.term): max(abs(row.estimate), abs(given.estimate)) for row, given in result.by_category()}
    large = [name for name in sorted(of, key=of.__getitem__, reverse=True) if of[name] >= 0.05]
    assert large and "Categories with an observed gap of 5% or more, Article 10(1)" in page
    found = page.partition("or more, Article 10(1)")[2]
    places = [found.index(name) for name in large]
    assert places == sorted(places)
    few = staff().assign(pay=lambda d: 20.0 + np.arange(len(d)) % 7)
    assert (
        "5% or more, Article 10(1)"
        not in fs.report(fs.pay_transparency(few, "pay", "sex", category="grade")).html.partition("Check this")[0]
    )


def test_the_gap_of_bonuses_is_said_without_a_sign() -> None:
    said = next(text for text in british().statements if "A bonus is paid" in text)
    mean, median = (
        one(british(), metric=f"gap of {what}", term="bonus, those who get one") for what in ("means", "medians")
    )
    words = [f"{100 * abs(row.estimate):.1f}% {'less' if row.estimate >= 0 else 'more'}" for row in (mean, median)]
    assert said.endswith(f"of those who get one, women get {words[0]} than men (mean; median: {words[1]}).")
    after = british().statements[british().statements.index(said) + 1]
    assert mean.verdict == median.verdict == "inconclusive"
    assert after == "No difference is shown in the mean of those who get any and the median of those who get any."
    for result in (european(), british()):  # what is said not to differ is what the tables call so
        (line,) = [text for text in result.statements if text.startswith("No difference is shown in the m")]
        of = {"the mean of those who get any": "means", "the median of those who get any": "medians"}
        for words_of, what in of.items():
            row = next(
                row for row in result.estimates
                if row.metric == f"gap of {what}" and "those who get" in row.term and not row.given
            )  # fmt: skip
            assert (words_of in line) == (row.verdict == "inconclusive")


def test_page_one_says_what_holds_of_single_categories_and_of_variable_pay() -> None:
    result = european()
    page = re.sub("<[^>]*>", " ", fs.report(result).html).partition("Table 1")[0]
    parts = [row for row in result.estimates if row.term and "variable pay" in row.term and row.given]
    known = [row.estimate for row in parts if row.estimate == row.estimate]
    apart = sum(abs(estimate) >= 0.05 for estimate in known)
    words = [margin_word(row, 0.05) for row, *_ in result.by_category() if row.estimate == row.estimate]
    none = "do the limits settle whether"
    assert (none in page) == (set(words) == {"not settled"})
    assert ("is shown to be larger than 5% in" in page) != (none in page)
    bold = re.sub(r"\s+", " ", page)
    said = (
        f"In variable pay alone, a gap of 5% or more is observed in {apart} of the {len(known)} categories whose gap "
        f"of it is given{sides(known)}."
    )
    assert said in " ".join(result.summary().split()) and "In variable pay alone" not in bold  # the law does not ask it
    gaps = [row for row in result.estimates if row.group == "f" and "per hour" in row.term and not row.given]
    named = [row for row in gaps if row.metric.startswith("gap of") and row.estimate == row.estimate]
    assert len(named) == 5
    for row in named:  # every quantity of the table that is per hour
        assert f"{100 * abs(row.estimate):.1f}%" in bold.partition("Categories with a gap")[0], row
    sexes = staff()["sex"].value_counts()
    assert f"{sexes['m']:,} men" in bold and f"{sexes['f']:,} women" in bold
    d = staff().assign(bonus=lambda d: np.where(np.arange(len(d)) % 3 == 0, d["bonus"], 0.0))
    none = fs.pay_transparency(d, "pay", "sex", variable_pay="bonus", hours="hours")
    assert "–: half of a group or more get none, so that its median is 0" in " ".join(none.summary().split())
    html = fs.report(none).html
    assert "half of a group or more get none, so that its median is 0 and there is no ratio" in html
    both = "Pay as given: not divided by the hours. Article 3(1) takes as level of pay both the pay of the year"
    assert both in html and "per hour alone: (b), (d) and (f)." in html
    plain = fs.report(fs.pay_transparency(d, "pay", "sex", hours="hours")).html
    assert "; per hour alone: (f)." in plain  # no column of variable pay, and none of categories


def test_pay_without_hours_is_said_to_be_taken_as_hourly() -> None:
    alone = fs.gender_pay_gap(staff(), pay="hourly", groups="sex").statements
    assert any(line.startswith("No hours are named: hourly is taken as pay per hour.") for line in alone)
    assert not any(line.startswith("No hours are named") for line in british().statements)


def test_missing_pay_is_counted_by_group_unless_few_and_pay_without_hours_is_not_called_hourly() -> None:
    sex = np.array(["women", "men"] * 200, dtype=object)
    pay = np.where(sex == "men", 3000.0, 2800.0) + np.tile(np.arange(40.0), 10)
    missing = np.where(np.arange(400) < 30, np.nan, pay)
    missing[41:80:2] = np.nan
    lines = fs.gender_pay_gap({"sex": sex, "pay": missing}, "pay", "sex").statements
    assert "50 people whose pay or hours are not known are left out: 35 of the group men, 15 of the group women." in [
        *lines
    ]
    assert "per hour" not in lines[0] and any(line.startswith("No hours are named") for line in lines)
    few = np.where(np.arange(400) < 7, np.nan, pay)  # 4 women, 3 men
    said = fs.gender_pay_gap({"sex": sex, "pay": few}, "pay", "sex").statements
    assert "7 people whose pay or hours are not known are left out." in said


def unknown_category(women: int, men: int) -> fs.GroupStudy:
    """3,000 people in five categories, of whom so many women and men have none."""
    rng = np.random.default_rng(11)
    sex = rng.choice(["f", "m"], 3000, p=[0.45, 0.55])
    grade = rng.choice([f"G{i}" for i in range(1, 6)], 3000, p=[0.3, 0.28, 0.22, 0.18, 0.02]).astype(object)
    pay = 20 * np.exp(rng.normal(0, 0.15, 3000)) * np.where(sex == "f", 0.9, 1)
    for group, n in (("f", women), ("m", men)):
        grade[np.flatnonzero(sex == group)[:n]] = None
    return fs.pay_transparency({"sex": sex, "grade": grade, "pay": pay}, "pay", "sex", category="grade")


@pytest.mark.long
def test_categories_withheld_for_people_of_unknown_category_say_so_and_only_given_ones_are_counted() -> None:
    """What is withheld, why, and how it can be seen; the same categories are given where more people have none."""
    result = unknown_category(4, 7)
    given = [row for (row,) in result.by_category() if row.estimate == row.estimate]
    hidden = [row for (row,) in result.by_category() if row.status == "suppressed"]
    assert (len(given), len(hidden)) == (4, 1)
    assert {str(row.reason) for row in hidden} == {
        "withheld so that the pay of people of unknown category cannot be computed"
    }
    text = " ".join(result.statements)
    large = sum(abs(row.estimate) >= 0.05 for row in given)
    words = [margin_word(row, 0.05) for row in given]
    for said in (
        f"The observed gap of women in total pay is 5% or more in {large} of the 4 categories whose gap is given"
        f"{sides([row.estimate for row in given])}, and smaller in {4 - large}. Further categories: 1 withheld.",
        f"larger than 5% in {words.count('beyond')} of 4 categories given, and smaller in "
        f"{words.count('within')}; in {words.count('not settled')} it is not settled.",
        "The pay of people of unknown category could be computed from the categories, if all were given. Of these "
        "people: fewer than 5 women or men.",
        "To see what is withheld, run again with min_n=1; that report is not for publication.",
    ):
        assert said in text
    page = " ".join(re.sub("<[^>]*>", " ", fs.report(result).html).split()).partition("All numbers")[0]
    assert "Of these people: fewer than 5 women or men." in page and "not for publication" not in page
    german = " ".join(re.sub("<[^>]*>", " ", fs.report(result, language="de").html).split())
    assert "nicht zur Veröffentlichung" not in german and "ohne bekannte Gruppe von Arbeitnehmern ließe" in german
    enough = unknown_category(40, 70)
    assert all(row.estimate == row.estimate for (row,) in enough.by_category())
    assert "withheld" not in " ".join(enough.statements).partition("Article 9(1)")[0]
    assert "run again" not in " ".join(enough.statements)


def test_the_weights_of_strata_are_named_where_their_average_stands() -> None:
    """The average by hand with the weights that the pages name, and not with others."""
    d = pd.DataFrame({"sex": ["f"] * 90 + ["m"] * 210, "grade": ["a"] * 80 + ["b"] * 10 + ["a"] * 20 + ["b"] * 190})
    d["pay"] = 20.0 + np.arange(300) % 7 + 3 * (d["sex"] == "m") * (d["grade"] == "a")
    audit = fs.audit(d, amount="pay", groups="sex", reference="m", strata="grade")
    means, n = (d.groupby(["grade", "sex"])["pay"].agg(how).unstack() for how in ("mean", "size"))
    weight = n["f"] * n["m"] / (n["f"] + n["m"])
    by_hand = 1 - (weight * means["f"]).sum() / (weight * means["m"]).sum()
    (row,) = audit.estimates.where(metric="gap of means within strata", role="main")
    assert row.estimate == pytest.approx(by_hand, abs=1e-12)
    assert row.estimate != pytest.approx(1 - (n.T.sum() * means["f"]).sum() / (n.T.sum() * means["m"]).sum(), abs=1e-3)
    said = "with the weights n₁n₀/(n₁ + n₀), where n₁ and n₀ are a stratum's people of the two groups: none counts for"
    law = fs.pay_transparency(d, "pay", "sex", category="grade")
    for result in (audit, law):
        assert said in html.unescape(fs.report(result).html)
        assert "mit den Gewichten n₁n₀/(n₁ + n₀)" in fs.report(result, language="de").html
    weighted = "In total pay, weighted over all categories (n₁n₀/(n₁ + n₀), of the people of both groups), women get"
    assert weighted in " ".join(law.statements)


@pytest.mark.long
def test_the_margin_of_article_10_is_of_categories_alone() -> None:
    """Gaps of everybody have 95% limits and are shown or not, however small."""
    d = staff().assign(pay=lambda d: np.where(d["sex"] == "f", d["pay"] * 1.115, d["pay"]))
    result = fs.pay_transparency(d, "pay", "sex", category="grade", hours="hours")
    row = one(result, metric="gap of means", term="pay per hour")
    with_margin = fs.audit(
        d.assign(hourly=d["pay"] / d["hours"]), amount="hourly", groups="sex", reference="m", margin={"gap": 0.05}
    )
    (within,) = with_margin.estimates.where(metric="gap of means")
    assert within.verdict == "equivalence shown" and within.estimate == pytest.approx(row.estimate)
    assert row.verdict == ("disparity shown" if row.conf_low > 0 or row.conf_high < 0 else "inconclusive")
    assert np.isnan([row.margin_low, row.margin_high, row.p_equivalence]).all()
    page = " ".join(html.unescape(re.sub("<[^>]*>", " ", fs.report(result).html)).split())
    table = page.partition("Table 1. ")[2].partition("Table 2. ")[0]
    assert "95% interval" in table and "90%" not in table and "within" not in table and "not settled" not in table
    ends = f"{100 * row.conf_low:.1f} to {100 * row.conf_high:.1f}".replace("-", "−")
    assert f"(a) mean of pay per hour {100 * row.estimate:.1f}% {ends} ".replace("-", "−") in table
    assert f"95% confidence interval {100 * row.conf_low:.1f} to" in result.statements[0] or row.estimate < 0
    words = re.findall(r"(?:shown|not shown)(?= \()", table)
    assert words


def test_page_one_says_what_intervals_of_all_workers_mean_and_when_a_median_is_0() -> None:
    page = " ".join(html.unescape(re.sub("<[^>]*>", " ", fs.report(european()).html)).split())
    first = page.partition("All numbers")[0]
    said = "Article 10 asks for the observed gaps; intervals treat these workers as if they were drawn at random from "
    assert f"{said}many." in first.partition("Table 1")[0] and "true gap" not in page
    assert "variable pay of everybody" in page
    assert "p is adjusted for" not in page  # one group is compared
    women, men = ((staff()["sex"] == sex) & (staff()["grade"] == "G3") for sex in "fm")
    assert f"G3 {women.sum()} {men.sum()} " in page
    d = staff().assign(bonus=lambda d: np.where(d["sex"] == "m", d["bonus"] + 1, d["bonus"]))
    result = fs.pay_transparency(d, "pay", "sex", variable_pay="bonus", hours="hours")
    row = one(result, metric="gap of medians", term="variable pay per hour, everybody")
    assert row.estimate == 1 and (d.loc[d["sex"] == "f", "bonus"] > 0).mean() < 0.5
    said = "Of women, half or more get no variable pay: their median of it is 0, so that the gap of medians, counting "
    assert f"{said}everybody, is 100%." in " ".join(result.statements)
    assert f"{said}everybody, is 100%." not in " ".join(european().statements)  # of neither: there is no ratio
    german = html.unescape(re.sub("<[^>]*>", "", fs.report(result, language="de").html))
    assert "als wären diese Arbeitnehmer zufällig aus vielen gezogen" in german and "ihr Median ist 0" in german


@pytest.mark.parametrize("command", ["pay", "decompose"])
def test_labels_of_the_help_are_those_that_the_command_takes(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "staff.csv"
    staff().head(600).assign(sex=lambda d: d["sex"].map({"f": "1", "m": "2"})).to_csv(file, index=False)
    assert run([command, "--help"]) == 0
    said = " ".join(capsys.readouterr().out.partition("--labels KEY=TEXT")[2].split()).partition("; repeatable")[0]
    examples = re.findall(r"[a-z]+\.[\w.]+=\w+", said)
    assert "groups.sex.1=women" in examples and "unit=" not in said
    arguments = ["--groups", "sex", "--reference", "2"]
    arguments += ["--pay", "hourly"] if command == "pay" else ["--amount", "hourly", "--explained-by", "grade"]
    for example in examples:
        assert run([command, str(file), *arguments, "--labels", example]) == 0
    assert "omen" in capsys.readouterr().out


@pytest.mark.long
@pytest.mark.parametrize("law", ["eu", "uk"])
def test_page_one_names_the_employer_and_the_period_or_that_they_are_not_given(
    law: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    report_of = fs.pay_transparency if law == "eu" else fs.gender_pay_gap
    about = {"employer": "Example <Ltd>", "period": "2026"}
    result = report_of(staff().head(300), "pay", "sex", about=about)
    page = html.unescape(re.sub("<[^>]*>", "", fs.report(result).html))
    assert "employer: Example <Ltd> · period: 2026" in page and result.settings["about"] == about
    part = report_of(staff().head(300), "pay", "sex", about={"period": "2026"})
    assert "employer not given · period: 2026" in re.sub("<[^>]*>", "", fs.report(part).html)
    german = re.sub("<[^>]*>", "", fs.report(report_of(staff().head(300), "pay", "sex"), language="de").html)
    assert "Arbeitgeber nicht angegeben · Zeitraum nicht angegeben" in german
    for wrong, fact in (
        ({"boss": "x"}, "'boss'; the entries are"),
        ("x", "it is a mapping"),
        ({"period": 2026}, "2026"),
    ):
        with pytest.raises(InputError, match=fact):
            report_of(staff().head(300), "pay", "sex", about=wrong)
    staff().head(300).to_csv(tmp_path / "staff.csv", index=False)
    command = ["pay", str(tmp_path / "staff.csv"), "--law", law, "--pay", "pay", "--groups", "sex"]
    assert run([*command, "--about", "employer=Example Ltd", "--to", str(tmp_path / "pay.html")]) == 0
    assert "employer: Example Ltd · period not given" in re.sub("<[^>]*>", "", (tmp_path / "pay.html").read_text())


@pytest.mark.long
def test_names_over_a_figure_stand_apart() -> None:
    """Where the margin is narrow for the figure, "equal" stands left of its line."""
    d = staff().assign(pay=lambda d: np.where(d["sex"] == "f", 0.5 * d["pay"], d["pay"]))
    drawn = fs.pay_transparency(d, "pay", "sex", category="grade", hours="hours").plot().svg
    assert 'text-anchor="end">equal<' in drawn and "margin ±5" in drawn
    wide = fs.pay_transparency(staff(), "pay", "sex", category="grade").plot().svg
    assert ">equal<" in wide and 'text-anchor="end">equal<' not in wide


def test_british_bonuses_are_of_all_relevant_employees() -> None:
    """Regulations 10 to 12 are of all relevant employees, 8, 9 and 13 of those on full pay, whose pay is known."""
    rng, n = np.random.default_rng(1), 1000
    d = pd.DataFrame({"sex": np.where(np.arange(n) % 2, "women", "men"), "pay": rng.normal(30, 4, n).clip(10)})
    d["bonus"] = np.where(rng.random(n) < 0.4, rng.lognormal(6, 0.5, n), 0)
    d.loc[(d.sex == "women") & (d.bonus > 0) & (rng.random(n) < 0.4), "pay"] = np.nan
    result = fs.gender_pay_gap(d, pay="pay", groups="sex", bonus="bonus")
    shares = {row.group: row.estimate for row in result.estimates.where(metric="selection rate", contrast="none")}
    assert shares == pytest.approx((d.bonus > 0).groupby(d.sex).mean().to_dict())
    got = d[d.bonus > 0].groupby("sex").bonus
    for metric, of in (("gap of means", got.mean()), ("gap of medians", got.median())):
        row = one(result, metric=metric, term="bonus, those who get one")
        assert row.estimate == pytest.approx(1 - of["women"] / of["men"])
    row = one(result, metric="gap of means", term="pay per hour")
    assert row.estimate == pytest.approx(1 - d[d.sex == "women"].pay.mean() / d[d.sex == "men"].pay.mean())
    left = f"who are in regulations 10 to 12 (bonus) and not in 8, 9 and 13: {d.pay.isna().sum()}."
    assert left in " ".join(result.statements)


def test_an_incomplete_report_of_article_9_says_what_is_not_given() -> None:
    d = staff()
    bare = " ".join(fs.pay_transparency(d, "pay", "sex").statements)
    assert "(b), (d) and (e), without variable pay; (g), without categories of workers." in bare
    page = fs.report(fs.pay_transparency(d, "pay", "sex")).html
    assert (
        "Article 9(1)(a) and (c)" in page and "Article 9(1)(f), each" in page and "Article 9(1)(a) to (d)" not in page
    )
    assert "Not given, as the data" not in " ".join(european().statements)


@pytest.mark.long
def test_gaps_in_pay_as_given_are_listed_beside_those_per_hour() -> None:
    """Article 3(1) has both levels of pay: a category counts for Article 10 by either, and page one names it."""
    rng = np.random.default_rng(4)
    n = 1200
    sex, grade = rng.choice(["f", "m"], n), rng.choice(["a", "b", "c", "d"], n)
    rate = 20 * np.exp(0.1 * rng.standard_normal(n)) * np.where((sex == "f") & np.isin(grade, ["a", "b"]), 0.85, 1)
    hours = 1000.0 * np.where((sex == "f") & (grade == "a"), 1.18, 1) * np.where((sex == "f") & (grade == "c"), 0.8, 1)
    d = pd.DataFrame({"sex": sex, "grade": grade, "pay": rate * hours, "hours": hours, "rate": rate})
    result = fs.pay_transparency(d, "pay", "sex", category="grade", hours="hours")
    per_hour, given = ({str(name): gap(f[column], f) for name, f in d.groupby("grade")} for column in ("rate", "pay"))
    page = " ".join(html.unescape(re.sub("<[^>]*>", " ", fs.report(result).html)).split()).partition("All numbers")[0]
    bold, _, table = page.partition("or more, Article 10(1)")
    of = {"a": ("per hour", True, False), "b": ("both", True, True), "c": ("as given", False, True)}
    for name, (word, hourly, as_given) in of.items():
        assert (abs(per_hour[name]) >= 0.05, abs(given[name]) >= 0.05) == (hourly, as_given)
        assert re.search(rf" {name} \d+ \d+ \S+% \S+ to \S+ {word} ", table)
    assert max(abs(per_hour["d"]), abs(given["d"])) < 0.05 and not re.search(r" d \d+ \d+ ", table)
    assert f"gap of women of 5% or more in total pay per hour, {largest(per_hour)}" in bold
    assert f"gap of women of 5% or more in pay as given, {largest(given)}" in bold
    said = (
        "In pay as given, a gap of 5% or more is observed in 2 of the 4 categories whose gap of it is given (women get"
    )
    assert f"{said} less)." in bold
    assert "Per hour and as given: (a), (c) and (g)" in bold
    assert "pay as given" not in fs.pay_transparency(d, "rate", "sex", category="grade").by_category()[0][0].term
    assert len(fs.pay_transparency(d, "rate", "sex", category="grade").by_category()[0]) == 1


@pytest.mark.long
def test_a_category_whose_pay_as_given_is_one_person_s_keeps_its_gap_per_hour() -> None:
    """Nearly all hours of the women of a category are one person's, and so is their pay as given."""
    d = staff().query("grade in ('G2', 'G3', 'G4')").copy()
    few = d.index[(d["grade"] == "G2") & (d["sex"] == "f")][5:]
    d = d.drop(few)
    d.loc[d.index[(d["grade"] == "G2") & (d["sex"] == "f")][0], ["hours", "pay"]] *= 400
    result = fs.pay_transparency(d, "pay", "sex", category="grade", hours="hours")
    row, given = next(line for line in result.by_category() if line[0].term == "G2")
    assert row.status == "ok" and given.status == "suppressed" and given.reason == "one person's pay dominates"
    assert sum(line[1].status == "suppressed" for line in result.by_category()) > 1  # others protect it


@pytest.mark.long
def test_pay_without_hours_and_a_report_that_withholds_nothing_say_so():
    d = staff()
    yearly = fs.pay_transparency(d, "pay", "sex", category="grade")
    said = "No hours are named: pay is taken as the pay of the year and as pay per hour."
    assert said in " ".join(" ".join(yearly.statements).split()) and "No hours" not in " ".join(european().statements)
    assert said in re.sub(r"\s+", " ", re.sub("<[^>]+>", "", fs.report(yearly).html))
    hidden = [row for row in yearly.estimates if row.status == "suppressed"]
    alone = fs.pay_transparency(d, "pay", "sex", category="grade", min_n=1)
    assert hidden and not any("Nothing is withheld" in line for line in yearly.statements)
    assert any(
        line.startswith("Nothing is withheld: this report may tell what one person") for line in alone.statements
    )


def test_a_tally_goes_into_an_audit():
    counted = fs.tally(staff(), amount="hourly", groups="sex")
    with pytest.raises(InputError, match=r"is a tally, which has no row a worker; .*fairstats\.audit takes tallies"):
        fs.pay_transparency(counted, "hourly", "sex")


@pytest.mark.long
def test_every_dash_has_its_reason_and_a_figure_of_categories_alone_does_not_call_them_wider():
    d = staff().assign(bonus=lambda d: np.where(np.arange(len(d)) % 3 == 0, d["bonus"], 0.0))
    result = fs.pay_transparency(d, "pay", "sex", variable_pay="bonus", category="grade", hours="hours")
    within = result.estimates.where(metric="gap of means within strata")
    assert [row.status for row in within] == ["suppressed"]
    report = fs.report(result)
    (every,) = (one for one in report.contents.blocks if isinstance(one, Table) and "Every figure" in one.caption)
    cells = {tuple(map(str, line[:3])): str(line[4]) for line in every.rows}
    median = next(cell for key, cell in cells.items() if key[0] == "(d)" and "everybody" in key[2])
    average = next(cell for key, cell in cells.items() if key[1] == "Gap of means within strata")
    for text in (every.note, " ".join(result.summary().split())):
        assert f" {median}: half of a group or more get none" in text
        assert f" {average}: it would tell the amounts of few people" in text and median != average

    def caption(of: fs.GroupStudy) -> str:
        return fs.report(of).html.partition("Gaps of pay with their")[2].partition("</figcaption>")[0]

    given = sum(row.estimate == row.estimate for row, *_ in result.by_category())
    assert f"All {given} hold together with 95%." in caption(result) and "wider" not in caption(result)
    large = d[d["grade"].isin(["G2", "G3", "G4"])]  # the average over them is drawn, too
    beside = fs.pay_transparency(large, "pay", "sex", category="grade", hours="hours")
    assert "of the categories are wider (98.33% each), so that all 3 hold together with 95%" in caption(beside)


def test_a_missing_interval_has_its_own_reason_and_the_verdict_of_its_test():
    """6 women and 8 men have medians without limits, and 2 of each who get a bonus no gap: two reasons, two signs."""
    d = pd.DataFrame({"sex": ["f"] * 6 + ["m"] * 8})
    d["pay"] = np.r_[18.0, 20, 22, 23, 27, 31, 19, 21, 25, 26, 30, 33, 35, 40]
    d["bonus"] = np.where(np.isin(np.arange(14), [0, 1, 7, 8]), 1.0, 0.0)
    result = fs.pay_transparency(d, "pay", "sex", variable_pay="bonus")
    median = one(result, metric="gap of medians", term="pay as given")
    assert median.estimate == 1 - 22.5 / 28 and np.isnan(median.conf_low) and median.verdict == "inconclusive"
    few = one(result, metric="gap of medians", term="variable pay, those who get any")
    assert np.isnan(few.estimate) and few.reason == "fewer than 5 people" != median.reason
    tables = [one for one in fs.report(result).contents.blocks if isinstance(one, Table)]
    gaps, every = (next(one for one in tables if name in one.caption) for name in ("Gaps of pay", "Every figure"))
    for page, number, limits in ((gaps, 2, 3), (every, 4, 5)):
        cells = {str(line[0]): list(map(str, line)) for line in reversed(page.rows)}
        dash, none = cells["(c)"][limits], cells["(d)"][number]
        assert f"{dash}: {median.reason}." in page.note and f"{none}: {few.reason}." in page.note and dash != none
        assert cells["(c)"][-1] == "not shown"
    text = " ".join(result.summary().split())
    line = next(line for line in result.summary().splitlines() if line.startswith("c "))
    assert f" {dash} " in line and line.endswith("?") and f"{dash}: {median.reason}." in text


@pytest.mark.long
def test_article_10_is_named_with_its_own_limit_alone():
    titles = {}
    for margin in (0.03, 0.05):
        result = fs.pay_transparency(staff(), "pay", "sex", category="grade", hours="hours", margin=margin)
        blocks = fs.report(result).contents.blocks
        titles[margin] = next(b.caption for b in blocks if isinstance(b, Table) and "Categories with" in b.caption)
    assert "3% or more" in titles[0.03] and "Article" not in titles[0.03]
    assert titles[0.05].endswith("5% or more, Article 10(1)")


@pytest.mark.long
def test_every_dash_of_a_category_has_its_reason_below_the_table():
    """One category without variable pay beside withheld ones: the reasons differ, and so do the signs."""
    d = staff()
    d.loc[d["grade"] == "G3", "bonus"] = 0.0
    result = fs.pay_transparency(d, "pay", "sex", variable_pay="bonus", category="grade", hours="hours")
    lines = {row.term: dict(zip(("whole", "basic", "variable", "given"), (row, *apart), strict=True))
             for row, *apart in result.by_category()}  # fmt: skip
    none = lines["G3"]["variable"]
    assert (none.status, none.reason) == (
        "unestimable", "all amounts of the reference group are 0, so that there is no ratio"
    )  # fmt: skip
    assert lines["G3"]["basic"].status == "ok"
    withheld = next(name for name in lines if lines[name]["basic"].status == "suppressed")
    (page,) = (b for b in fs.report(result).contents.blocks if isinstance(b, Table) and "Gaps by category" in b.caption)
    cells = {str(line[0]): list(map(str, line)) for line in page.rows}
    signs = [cells["G3"][-2], cells[withheld][-3]]
    assert len(set(signs)) == 2 and cells[withheld].count(signs[1]) == 4
    for text in (page.note, " ".join(result.summary().split())):
        assert f"{signs[0]}: {none.reason}." in text
        assert f"{signs[1]}: {lines[withheld]['basic'].reason}." in text and "withheld, or" not in text


def test_what_is_withheld_is_told_by_stratum_and_an_average_by_what_it_would_give_away():
    result = fs.audit(staff(), amount="hourly", groups="sex", reference="m", strata="grade", min_n=5)
    table = fs.report(result).html.split("Groups that are withheld or not compared</caption>")[1].split("</table>")[0]
    (line,) = [re.sub(r"<[^>]+>", "|", line) for line in table.split("<tbody>")[1].split("<tr>")[1:]]
    assert "|grade|" in line and "G6|withheld: fewer than 5 people" in line and "Men" not in line
    average = [row for row in european().estimates if row.metric == "gap of means within strata"]
    assert [row.status for row in average] == ["suppressed"]
    assert average[0].reason == "it would tell the amounts of few people in a stratum"


def test_people_without_an_amount_are_left_out_of_the_count_on_page_one_and_of_the_last_step():
    d = staff().assign(hourly=lambda d: d.hourly.where(d.index >= 45))
    result = fs.audit(d, amount="hourly", groups="sex", reference="m", labels={"unit": "employees"})
    page = re.sub(r"\s+", " ", re.sub("<[^>]+>", " ", fs.report(result).html))
    assert "Audit of 2,955 employees with an amount, of 3,000" in page
    assert "rows read 3,000 amount missing 45 left out of the comparison of amounts with an amount 2,955" in page
    assert "rows analyzed 3,000" not in page


@pytest.mark.parametrize("call", [fs.pay_transparency, fs.gender_pay_gap])
def test_the_median_is_said_with_its_interval_and_whether_it_shows_a_difference(
    call: Callable[..., fs.GroupStudy],
) -> None:
    for people, open_end in ((staff(), ""), (staff().query("grade == 'G1'"), ": a difference is not shown")):
        result = call(people, "hourly", "sex")
        (row,) = [row for row in result.estimates if row.metric == "gap of medians"]
        by = people.groupby("sex")["hourly"].median()
        less = 100 * (1 - by["f"] / by["m"])
        low, high = (f"{100 * end:.1f}".replace("-", "−") for end in (row.conf_low, row.conf_high))
        (said,) = [line for line in result.statements if line.startswith("Median")]
        ends = f"95% confidence interval {low} to {high}{open_end}"
        assert said == f"Median: women get {less:.1f}% less than men ({ends})."
        assert (row.verdict == "inconclusive") is bool(open_end)


@pytest.mark.parametrize("law", ["eu", "uk"])
def test_a_report_that_is_written_leaves_the_answer_at_the_terminal(law, tmp_path, capsys) -> None:
    """What is said of the groups, without tables and the notes on the law, which the summary has."""
    staff().to_csv(tmp_path / "staff.csv", index=False)
    command = ["pay", str(tmp_path / "staff.csv"), "--law", law, "--pay", "pay", "--groups", "sex", "--reference", "m"]
    assert run(command) == 0
    whole = " ".join(capsys.readouterr().out.split())
    assert run([*command, "--to", str(tmp_path / "pay.html")]) == 0
    *lines, last = capsys.readouterr().out.splitlines()
    assert last == "Without --to all figures are printed, and what the law asks for." and len(lines) < 25
    answer = " ".join(" ".join(lines).split())
    assert whole.startswith(answer[: answer.index("earn")]) and "quarter of pay" in answer
    assert "Check this" in whole and "Check this" not in answer and "estimate" not in answer
