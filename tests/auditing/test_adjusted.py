"""``adjust_for``: the gap of people who are alike, in audits of amounts."""

from __future__ import annotations

import math
import re

import numpy as np
import pandas as pd
import pytest

import fairstats as fs
from fairstats.auditing.adjusted import too_few
from fairstats.auditing.answer import answering_rows
from fairstats.cli import run
from fairstats.document import Table
from fairstats.errors import InputError
from fairstats.inference.scores.survey import Scored


def staff(n: int = 400, seed: int = 3) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    sex = rng.choice(["f", "m"], n)
    grade = rng.choice(["a", "b", "c"], n)
    tenure = rng.gamma(2.0, 4.0, n) + (sex == "m")
    pay = np.exp(3 + 0.1 * (grade == "b") + 0.01 * tenure + rng.normal(0, 0.2, n)) * np.where(sex == "f", 0.9, 1.0)
    more = {"race": rng.choice(["w", "x", "y"], n, p=[0.5, 0.3, 0.2]), "w": rng.uniform(0.5, 2, n)}
    return pd.DataFrame({"sex": sex, "grade": grade, "tenure": tenure, "pay": pay, "plant": np.arange(n) % 30, **more})


def audited(frame: object, **options: object) -> fs.Audit:
    given = {"amount": "pay", "groups": "sex", "reference": "m", "adjust_for": "~ C(grade) + tenure", **options}
    return fs.audit(frame, **given)  # type: ignore[arg-type]


def rows(audit: fs.Audit, metric: str = "adjusted gap of means", **where: object) -> list[fs.Estimate]:
    return [*audit.estimates.where(metric=metric, **where)]


@pytest.mark.parametrize("design", [{}, {"weights": "w", "weight_type": "probability"}, {"clusters": "plant"}])
def test_the_numbers_are_those_of_the_public_function(design: dict[str, str]) -> None:
    frame = staff()
    options = {name: value for name, value in design.items() if name != "weight_type"}
    _, adjusted, plain = fs.adjusted_gap(
        frame, "pay", "sex", adjust_for="~ C(grade) + tenure", reference="m", **options
    )
    audit = audited(frame, **design)
    for metric, wanted in (("adjusted gap", adjusted), ("group coefficient", plain)):
        (row,) = rows(audit, metric)
        assert (row.estimate, row.std_error, row.df) == pytest.approx((wanted.estimate, wanted.std_error, wanted.df))


def test_the_gap_is_that_of_standardized_regressions_and_its_limits_are_fiellers() -> None:
    smf = pytest.importorskip("statsmodels.formula.api")
    frame = staff().assign(symmetric=lambda d: 20 + 0.3 * d.tenure + (d.sex == "m") + np.tile([-1.0, 1, -2, 2], 100))
    (row,) = rows(audited(frame, amount="symmetric", adjust_for="~ tenure"))
    means, variance = {}, {}
    for group, part in frame.groupby("sex"):
        fit = smf.ols("symmetric ~ tenure", part).fit(cov_type="HC3")
        at = np.array([1.0, frame.tenure.mean()])
        means[group] = at @ fit.params
        variance[group] = at @ fit.cov_params() @ at
        means[group, "slope"] = fit.params["tenure"]
    assert row.estimate == pytest.approx(1 - means["f"] / means["m"], rel=1e-9)
    spread = frame.tenure.var(ddof=0) / len(frame)
    V = np.diag([variance["f"], variance["m"]])
    slopes = np.array([means["f", "slope"], means["m", "slope"]])
    V = V + spread * np.outer(slopes, slopes)
    for ratio in (1 - row.conf_low, 1 - row.conf_high):
        error = math.sqrt(np.array([ratio, -1]) ** 2 @ np.array([V[1, 1], V[0, 0]]) - 2 * ratio * V[0, 1])
        t = abs(means["f"] - ratio * means["m"]) / error
        assert t == pytest.approx(1.966, abs=0.03)  # Hall's correction is small in symmetric samples


@pytest.mark.long
def test_a_row_of_the_gap_and_of_the_difference_share_one_test() -> None:
    audit = audited(staff(), groups=["sex", "race"], reference={"sex": "m", "race": "w"}, margin={"gap": 0.05})
    assert {row.attribute for row in rows(audit)} == {"sex", "race", "sex:race"}
    for gap, moved in zip(rows(audit), rows(audit, "adjusted gap"), strict=True):
        assert gap.p_value == moved.p_value and gap.given == "C(grade) + tenure"
        assert (gap.p_adjusted < 0.05) == (not gap.conf_low <= 0 <= gap.conf_high)
        assert (moved.p_adjusted < 0.05) == (not moved.conf_low <= 0 <= moved.conf_high)
    (row,) = rows(audit, attribute="sex")
    assert row.verdict == "disparity shown"


def test_frequencies_count_people() -> None:
    frame = staff().assign(count=lambda d: np.arange(len(d)) % 3)
    repeated = frame.loc[frame.index.repeat(frame["count"])]
    (one,), (other,) = rows(audited(frame, weights="count")), rows(audited(repeated))
    assert (one.estimate, one.p_value, one.n) == pytest.approx((other.estimate, other.p_value, other.n))
    with pytest.raises(InputError, match="adjust_for needs a row a person, and the weights count 400,000,000"):
        audited(frame.assign(count=1_000_000), weights="count")


def test_the_finding_answers_what_was_declared_and_survives_a_file(tmp_path) -> None:
    audit = audited(staff(), margin={"gap": 0.05})
    text = audit.finding()
    first = "Among people alike in grade and tenure, the mean pay is 5.9% lower among women than among men ("
    assert text.startswith(first) and "beyond the margin of 5%" in text
    assert "); without regard to grade and tenure, women against men: mean " in text
    audit.save(tmp_path / "audit.npz")
    loaded = fs.load(tmp_path / "audit.npz")
    assert loaded.finding() == text and loaded.estimates == audit.estimates
    page = fs.report(audit).html
    assert "as it is and adjusted for C(grade) + tenure" in page and "Adjusted for" in page
    assert "is not settled" in page.split("What this does not show")[0]  # page one answers the margin
    assert "Not adjusted" not in page
    assert "adjustiert für C(grade) + tenure" in fs.report(audit, language="de").html


def test_with_strata_and_with_decisions_the_adjusted_gap_has_a_separate_sentence() -> None:
    frame = staff().assign(bonus=lambda d: (d.pay > 22).astype(int))
    for options in ({"strata": "grade"}, {"decision": "bonus"}):
        text = audited(frame, adjust_for="~ tenure", **options).finding()
        said = "among people alike in tenure, the mean pay is 5.4% lower among women than among men"
        assert text.lower().count(said) == 1


def test_a_gate_asks_the_adjusted_gap_in_place_of_the_crude_one() -> None:
    frame = staff()
    wanted = {row.metric for row in answering_rows(audited(frame)) if row.verdict}
    assert "adjusted gap of means" in wanted and not wanted & {"gap of means", "mean amount"}
    assert "gap of means" in {row.metric for row in answering_rows(fs.audit(frame, amount="pay", groups="sex"))}


def test_levels_and_ranges_of_one_group_are_said() -> None:
    frame = staff()
    frame.loc[frame.index[frame.sex == "f"][:20], "grade"] = "only women"
    audit = audited(frame)
    assert "only one group has grade = only women" in audit.finding()
    assert "slopes are common to both" in audit.finding()
    frame = staff()
    frame.loc[frame.sex == "f", "tenure"] += 500
    audit = audited(frame)
    assert not any(row.verdict for row in (*rows(audit), *rows(audit, "adjusted gap")))
    said = "Whether the mean pay differs between women and men cannot be answered among people alike in grade and "
    said += "tenure: the groups have no range of tenure in common; without regard to grade and tenure, women against "
    assert audit.finding().startswith(f"{said}men: mean ")


def test_a_level_that_neither_group_has_is_left_out_of_the_whole() -> None:
    frame = staff(900)
    frame.loc[frame.index[frame.race == "y"][:60], "grade"] = "z"  # nobody of w and x is there
    row = next(row for row in rows(audited(frame, groups="race", reference="w")) if row.group == "x")
    without = frame[frame.grade != "z"]
    alone = next(row for row in rows(audited(without, groups="race", reference="w")) if row.group == "x")
    assert row.status == "ok" and row.estimate == pytest.approx(alone.estimate)


@pytest.mark.parametrize(
    ("change", "fact"),
    [
        ({"adjust_for": "~ sex"}, "what is adjusted for is the group"),
        ({"adjust_for": "~ copy"}, "follow from each other or from the group"),
        ({"adjust_for": "~ own"}, "follow from each other or from the group"),
        ({"amount": "exact", "adjust_for": "~ tenure"}, "no error to measure by"),
    ],
)
def test_what_has_no_adjusted_gap_is_a_row_with_its_reason(change: dict[str, str], fact: str) -> None:
    frame = staff().assign(copy=lambda d: d.sex, own=lambda d: d.sex + d.grade, exact=lambda d: 10 + 2 * d.tenure)
    audit = audited(frame, **change)
    for row in [*rows(audit), *rows(audit, "adjusted gap")]:
        assert row.status == "unestimable" and fact in str(row.reason)
    assert audit.estimates.where(metric="gap of means", status="ok")
    assert "cannot be answered among people alike in" in audit.finding()


def test_summaries_have_a_row_of_the_adjusted_gap() -> None:
    audit = audited(staff(), unit="EUR")
    (row,) = rows(audit)
    for text in (audit.summary(), str(audit)):
        head = "Adjusted gap of mean pay (EUR) by sex, for grade and tenure; in % of that of Men Women "
        assert head + f"{100 * row.estimate:.1f}%" in " ".join(text.split())
    assert "Adjusted" not in fs.audit(staff(), amount="pay", groups="sex").summary()


def test_negative_amounts_have_a_difference_and_no_ratio() -> None:
    audit = audited(staff().assign(pay=lambda d: d.pay - 20))
    assert rows(audit)[0].status == "unestimable"
    assert rows(audit, "adjusted gap")[0].verdict == "disparity shown"
    assert "for grade and tenure; difference from that of Men Women −" in " ".join(audit.summary().split())
    assert "Among people alike in grade and tenure, the mean pay is lower among women than" in audit.finding()


@pytest.mark.parametrize(
    ("change", "fact"),
    [
        ({"adjust_for": "~ nothing"}, "has 'nothing', which is not a column of data"),
        ({"adjust_for": "~ grade +"}, "is not a formula that can be read"),
        ({"adjust_for": "pay ~ tenure"}, "with a left side; it names the covariates alone; pass '~ tenure'"),
        ({"margin": {"gap": 5}}, r"^margin\['gap'\] has 5; a margin is a share"),
        ({"adjust_for": []}, "it is a formula such as"),
        ({"adjust_for": "~ pay"}, "has 'pay', which is amount, too"),
        ({"adjust_for": "~ endless"}, r"adjust_for has infinite values in 'endless' \(row 1\)"),
        ({"adjust_for": "~ flat"}, "has 'flat', which is the same of everybody"),
        ({"adjust_for": "~ tenure + double"}, "has 'double', which follows from the columns before it"),
        ({"adjust_for": "~ alone"}, "holds one person, of whom no error can be known"),
        ({"amount": None, "decision": "bonus"}, "it adjusts gaps of amounts, and there are none"),
    ],
)
def test_bad_covariates_are_one_error(change: dict[str, object], fact: str) -> None:
    frame = staff().assign(
        endless=lambda d: np.where(d.index == 0, np.inf, 1.0), flat=1.0, double=lambda d: 2 * d.tenure, bonus=1,
        alone=lambda d: np.where(d.index == 0, "one", d.grade),
    )  # fmt: skip
    with pytest.raises(InputError, match=fact):
        audited(frame, **change)


def test_a_covariate_that_counts_the_rows_is_warned_of() -> None:
    frame = staff().assign(number=lambda d: np.arange(len(d)) + 1)
    with pytest.warns(fs.errors.FairstatsWarning, match="adjust_for has 'number', which counts the rows"):
        audited(frame, adjust_for="~ tenure + number")


def test_tallies_and_parts_have_no_covariates(tmp_path) -> None:
    frame = staff()
    with pytest.raises(InputError, match="data is a tally, which has no covariates; a regression needs a row a person"):
        fs.audit(fs.tally(frame, amount="pay", groups="sex"), adjust_for="~ tenure")
    frame.to_csv(tmp_path / "a.csv")
    frame[1:].to_csv(tmp_path / "b.csv")
    with pytest.raises(InputError, match=r"data is counted where it is, in parts; .* pass one table in memory"):
        audited(str(tmp_path / "*.csv"))
    assert rows(audited(str(tmp_path / "a.csv")))[0].estimate == pytest.approx(rows(audited(frame))[0].estimate)


def test_people_without_a_covariate_are_counted() -> None:
    frame = staff()
    frame.loc[:24, "tenure"] = np.nan
    audit = audited(frame)
    (step,) = [step for step in audit.flow if "covariate" in str(step.label)]
    assert (step.label, step.n) == ("covariate missing (grade, tenure)", 25)
    assert rows(audit)[0].n == 375
    assert "Of 25 people a covariate is missing" in audit.finding()


def test_the_flow_of_an_adjusted_audit_adds_up() -> None:
    frame = staff()
    frame.loc[:24, "tenure"] = np.nan
    frame.loc[30:36, "pay"] = np.nan
    report = fs.report(audited(frame))
    (flow,) = (b for b in report.contents.blocks if isinstance(b, Table) and "From rows read" in b.caption)
    steps = [(str(line[0]), str(line[1])) for line in flow.rows]
    left = len(frame) - 7
    assert steps[-3:] == [
        ("with an amount", str(left)), ("covariate missing (grade, tenure)", "25"),
        ("in the adjusted gaps", str(len(frame[["pay", "grade", "tenure"]].dropna()))),
    ]  # fmt: skip
    assert (
        f"Kept: rows read {len(frame)}, with an amount {left}. Lost: amount missing 7."
        in fs.report(audited(frame)).html
    )


def test_the_pay_of_one_person_does_not_follow_from_crude_and_adjusted_means() -> None:
    """With one woman at a level of two, crude and adjusted means are two equations in her pay and the others' mean."""
    frame = staff()
    frame["part"] = (frame.index % 2).astype(int)
    frame.loc[frame.sex == "f", "part"] = 0
    frame.loc[frame.index[frame.sex == "f"][0], "part"] = 1
    audit = audited(frame, adjust_for="~ part", min_n=5)
    for metric in ("adjusted gap of means", "adjusted gap", "group coefficient"):
        (row,) = rows(audit, metric)
        assert (row.status, str(row.reason)) == ("suppressed", "fewer than 5 people of a group in a level of part")
        assert math.isnan(row.estimate)
    assert rows(audited(frame, adjust_for="~ tenure", min_n=5))[0].status == "ok"
    frame["tenure"] = np.where(frame.sex == "f", frame.part, frame.tenure)  # a number of two values among women
    assert rows(audited(frame, adjust_for="~ tenure", min_n=5))[0].status == "suppressed"


def test_how_few_lack_a_covariate_is_withheld_with_small_groups() -> None:
    frame = staff()
    frame.loc[:1, "tenure"] = np.nan
    audit = audited(frame, min_n=5)
    (step,) = [step for step in audit.flow if "covariate" in str(step.label)]
    assert math.isnan(step.n) and math.isnan(rows(audit)[0].n) and rows(audit)[0].status == "ok"
    assert "covariate is missing" not in audit.finding()
    assert "adjusted for C(grade) + tenure" in fs.report(audit).html


def test_names_of_levels_of_one_group_are_withheld_with_small_groups() -> None:
    frame = staff()
    frame.loc[frame.index[frame.sex == "f"][:20], "grade"] = "only women"
    reason = str(rows(audited(frame, min_n=5))[0].reason)
    assert "only one group has some levels of grade" in reason and "only women" not in reason


def test_withheld_groups_are_not_among_everybody() -> None:
    frame = staff()
    frame.loc[[0, 1, 2], "race"] = "few"
    audit = audited(frame, groups="race", reference="w", min_n=5)
    few = next(row for row in rows(audit) if row.group == "few")
    assert few.status == "suppressed" and math.isnan(few.estimate)


def few(spread: float, seed: int = 2) -> pd.DataFrame:
    """Twenty women whose pay spreads so, and men with a spread of 1/2; means that are far apart."""
    frame = staff()[lambda d: (d.sex == "m") | (d.index < 60)]
    women = frame.sex == "f"
    errors = np.random.default_rng(seed).normal(0, np.where(women, spread, 0.5))
    return frame.assign(pay=np.exp(3 + errors) * np.where(women, 4, 1))


@pytest.mark.long
def test_few_people_have_a_verdict_that_their_limits_agree_with() -> None:
    verdicts = set()
    for rise in (1.0, 0.4, 0.3, 0.25):
        frame = few(0.5).assign(pay=lambda d, rise=rise: np.where(d.sex == "f", rise * d.pay, d.pay))
        audit = audited(frame, adjust_for="~ tenure")
        for row in (*rows(audit), *rows(audit, "adjusted gap")):
            assert "a permutation test of residuals: the larger p" in str(row.method)
            assert (row.p_adjusted < 0.05) == (not row.conf_low <= 0 <= row.conf_high)
            assert (row.verdict == "disparity shown") == (row.p_adjusted < 0.05)
            verdicts.add(row.verdict)
        alone = fs.adjusted_gap(frame, "pay", "sex", adjust_for="~ tenure", reference="m")[1]
        assert (alone.p_value, alone.conf_low, alone.conf_high) == (row.p_value, row.conf_low, row.conf_high)
    assert verdicts == {"disparity shown", "inconclusive"}


def test_few_people_who_differ_in_spread_have_limits_and_no_verdict() -> None:
    (row,) = rows(audited(few(1.0), adjust_for="~ tenure"))
    assert (row.status, row.verdict) == ("ok", "") and row.conf_low < row.estimate < row.conf_high
    assert "too few people for a test of adjusted means" in str(row.reason)
    one = np.ones(40)
    assert not too_few(*[Scored(np.exp(np.linspace(-1, 1, 40)), one, one, one)] * 2)


def test_amounts_in_a_sentence_have_no_capital() -> None:
    frame = staff().assign(pay=lambda d: d.pay - 20)
    text = fs.audit(frame, amount="pay", groups="race", reference="w").finding()
    assert text.startswith("No difference in mean pay is shown between")


def test_the_command_and_a_protocol_file_take_covariates(tmp_path, capsys) -> None:
    table, plan = tmp_path / "pay.csv", tmp_path / "audit.toml"
    staff().to_csv(table, index=False)
    plan.write_text('amount = "pay"\ngroups = ["sex"]\nreference = "m"\nadjust_for = ["grade", "tenure"]\n')
    said = []
    for options in (
        ["--amount", "pay", "--groups", "sex", "--reference", "m", "--adjust-for", "~ grade + tenure"],
        ["--amount", "pay", "--groups", "sex", "--reference", "m", "--adjust-for", "grade,tenure"],
        ["--protocol", str(plan)],
    ):
        assert run(["audit", str(table), *options]) == 0
        said.append(capsys.readouterr().out.split("Protocol")[0])
    assert "Among people alike in grade and tenure, the mean pay is 5.9% lower" in " ".join(said[0].split())
    assert said[0] == said[1] == said[2]
    with pytest.raises(InputError, match=r"adjust_for has '~ grade'; the protocol audit\.toml has"):
        fs.audit(str(table), adjust_for="~ grade", protocol=plan)


def test_page_one_has_people_means_and_gaps_of_every_group() -> None:
    audit = audited(staff(), unit="EUR/h")
    page = " ".join(re.sub(r"<[^>]+>", " ", fs.report(audit).html).split())
    (mean,) = (row for row in audit.estimates.where(metric="mean amount", group="f", contrast="none", given=""))
    (crude,) = audit.estimates.where(metric="gap of means", group="f")
    (alike,) = rows(audit)
    line = page[page.index("Every group") : page.index("below 0 it is above")]
    assert "mean EUR/h" in line and "(reference)" in line and "alike in grade and tenure" in line
    assert f"{mean.n:g} {mean.estimate:.1f}" in line or f"{mean.n:g} {mean.estimate:.2f}" in line
    assert f"{crude.estimate:.1%}" in line and f"{alike.estimate:.1%}" in line and "lower, beyond chance" in line


def test_a_margin_decides_the_same_gap_in_both_units_and_the_gate(tmp_path, capsys) -> None:  # type: ignore[no-untyped-def]
    rng = np.random.default_rng(3)
    d = pd.DataFrame({"sex": rng.choice(["f", "m"], 3000), "tenure": rng.integers(0, 20, 3000)})
    d["pay"] = np.exp(10.5 + 0.01 * d["tenure"] + 0.02 * (d["sex"] == "m") + rng.normal(0, 0.2, 3000)).round()
    result = fs.audit(d, groups="sex", amount="pay", adjust_for="~ tenure", margin={"gap": 0.05}, reference="f")
    for metric, other in (("gap of means", "mean amount"), ("adjusted gap of means", "adjusted gap")):
        (gap,), (moved,) = (
            result.estimates.where(metric=metric, group="m"),
            result.estimates.where(metric=other, group="m", contrast="difference"),
        )
        assert gap.verdict == moved.verdict == "equivalence shown" and gap.p_equivalence == moved.p_equivalence
        assert moved.conf_low <= moved.margin_low <= moved.margin_high <= moved.conf_high
    d.to_csv(tmp_path / "pay.csv", index=False)
    asked = ["audit", str(tmp_path / "pay.csv"), "--amount", "pay", "--groups", "sex", "--fail-on", "disparity"]
    assert run([*asked, "--margin", "gap=0.05"]) == 0
    assert run([*asked, "--margin", "gap=0.01"]) == 1
    assert "geometric" not in capsys.readouterr().err
    assert run(asked) == 1
    assert "geometric" in capsys.readouterr().err


def test_a_gap_of_people_who_are_hardly_alike_in_a_number_has_no_verdict() -> None:
    """Pay is a curve of age alone, women are 20 to 36 years old, men 35 to 60: a straight line makes a gap of it."""
    rng, n = np.random.default_rng(5), 3000
    sex = np.where(rng.random(n) < 0.45, "f", "m")
    age = np.where(sex == "f", rng.uniform(20, 36, n), rng.uniform(35, 60, n))
    pay = 20 + 0.02 * (age - 20) ** 2 + rng.normal(0, 1, n)
    options = {"amount": "pay", "groups": "sex", "reference": "m", "adjust_for": "~ age", "margin": {"gap": 0.05}}
    result = fs.audit({"sex": sex, "age": age, "pay": pay}, **options)
    rows = result.estimates.where(metric="adjusted gap of means")
    assert [row.verdict for row in rows] == [""] and abs(rows[0].estimate) > 0.05
    why = "no verdict: too few people of the two groups have the same age"
    assert str(rows[0].reason) == why and why in result.finding()
    wider = np.where(sex == "f", rng.uniform(20, 48, n), rng.uniform(35, 60, n))
    caution = fs.audit({"sex": sex, "age": wider, "pay": pay}, **options)
    (row,) = caution.estimates.where(metric="adjusted gap of means")
    assert row.verdict and "few people of the two groups have the same age" in str(row.reason)
    same = fs.audit({"sex": sex, "age": rng.uniform(20, 60, n), "pay": pay}, **options)
    (row,) = same.estimates.where(metric="adjusted gap of means")
    assert "the same age" not in str(row.reason)


def test_the_level_of_adjusted_gaps_is_said_with_the_people_of_unknown_group_among_the_comparisons() -> None:
    frame = staff()
    some = np.arange(len(frame)) % 40 == 0
    unknown = frame.assign(sex=frame["sex"].where(~some))
    for people, said in ((unknown, True), (frame, False)):
        audit = audited(people)
        text, html = audit.finding(), fs.report(audit).html
        levels = {row.conf_level for row in rows(audit, attribute="sex")}
        assert levels == ({0.975} if said else {0.95})
        named = "adjusted for 2 comparisons, one of them of people of unknown group"
        assert text.count(named) == int(said) and (f"95% intervals, {named}." in html) == said
        assert "97.5% interval" not in html
        assert (
            "Intervals of differences are adjusted for 2 comparisons. Those of coefficients are at 95%" in html
        ) == said
    (coefficient,) = audited(frame).estimates.only(metric="group coefficient", attribute="sex")
    assert coefficient.conf_level == 0.95


@pytest.mark.parametrize("given", [{"adjust_for": "~ tenure"}, {"adjust_for": None, "strata": "grade"}])
def test_crude_gaps_of_amounts_have_no_verdict_where_adjusted_ones_answer(given: dict[str, str]) -> None:
    """In print, tables and figures alike; tidy rows keep theirs, and their reason says what they do not hold fixed."""
    audit = audited(staff(), **given)
    what = "the strata" if "strata" in given else "the covariates"
    name = "grade" if "strata" in given else "tenure"
    for metric in ("gap of means", "gap of medians"):
        (crude,) = audit.estimates.where(metric=metric, role="main", given="")
        assert crude.verdict and str(crude.reason).endswith(f"not adjusted for {what}")
    lines = [line for line in str(audit).split("\n") if line.startswith("  Women ")]
    assert [line.endswith(" D") for line in lines] == [False, True]
    table = fs.table(audit)
    crude = table.to_frame()["gap"].str.endswith(", crude")
    assert list(crude) == [False, True, True]
    assert list(table.to_frame()["verdict"]) == ["shown", "–", "–"]
    assert f"not adjusted for {name}, without a verdict" in table.note
    for kind, n in (("gaps", 2), ("differences", 1), ("claims", 2)):
        drawn = fs.plot(audit, kind)
        rows = re.findall(r"against Men[^:]*: [^;]*?(, shown)?\.(?= |$)", drawn.alt)
        assert rows == [", shown", *[""] * n], kind
        assert kind == "claims" or f"Gray: crude, not adjusted for {name}." in drawn.caption
    assert "Not adjusted for " in fs.plot(audit, "ratios").caption
    metric = "mean difference within strata" if "strata" in given else "adjusted gap"
    assert fs.plot(audit, metric=metric).caption == fs.plot(audit, "differences").caption
    assert fs.table(audit, "differences", metric="mean amount").to_frame()["verdict"][1] == "shown"
