"""Stages of a selection: Connecticut v. Teal, the bottom line, its parts, strata, and the error rate of few people."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import fairstats as fs
from fairstats.auditing.stages import parted
from fairstats.cli import run

TEAL = {"race": ["Black", "White"], "took": [48, 259], "passed": [26, 206], "promoted": [11, 35]}


def teal() -> fs.GroupStudy:
    return fs.stages(TEAL, ["passed", "promoted"], "race", total="took")


def people(counts: list[tuple[str, list[int]]]) -> pd.DataFrame:
    """A row a person, of how many began and passed each of three stages."""
    rows = [(g, *(int(i < n) for n in reached[1:])) for g, reached in counts for i in range(reached[0])]
    return pd.DataFrame(rows, columns=["g", "a", "b", "c"])


def test_connecticut_v_teal() -> None:
    rows = teal().estimates

    def one(**where: object) -> fs.Estimate:
        return rows.where(metric="selection rate", **where)[0]

    for group, rate, end in (("Black", 54.17, 22.9), ("White", 79.54, 13.5)):
        assert round(100 * one(term="passed", group=group, contrast="none").estimate, 2) == rate
        assert round(100 * one(term="bottom line", group=group, contrast="none").estimate, 1) == end
    assert round(one(term="passed", contrast="ratio").estimate, 2) == 0.68
    passed = one(term="passed", contrast="difference")
    assert passed.verdict == "disparity shown" and passed.conf_high < 0
    assert one(term="bottom line", contrast="difference").verdict == "inconclusive"


def test_a_stage_is_the_audit_of_who_reached_it() -> None:
    frame = people([("x", [60, 40, 20, 8]), ("y", [50, 40, 30, 20])])
    study = fs.stages(frame, ["a", "b", "c"], "g", reference="y", p_adjust="none")
    reached = frame[frame["a"] == 1]
    other = fs.audit(reached, "b", "g", reference="y", p_adjust="none").estimates
    expected = other.where(metric="selection rate", contrast="difference", role="main")[0]
    row = study.estimates.where(metric="selection rate", contrast="difference", term="b")[0]
    for name in ("estimate", "conf_low", "conf_high", "p_value", "n", "events"):
        assert getattr(row, name) == pytest.approx(getattr(expected, name), rel=1e-9), name


def test_parts_add_up_and_do_not_depend_on_the_order() -> None:
    rows = teal().estimates
    parts = rows.where(metric="contribution of the stage").column("estimate")
    assert sum(parts) == pytest.approx(11 / 48 - 35 / 259)
    one, other = np.array([0.5, 0.9, 0.2, 0.7]), np.array([0.6, 0.4, 0.3, 0.9])
    whole, slopes = parted(one, other)
    assert whole.sum() == pytest.approx(one.prod() - other.prod())
    np.testing.assert_allclose(parted(one[::-1], other[::-1])[0], whole[::-1])
    step = 1e-6
    for side in (0, 1):
        for j in range(4):
            moved = [one.copy(), other.copy()]
            moved[side][j] += step
            np.testing.assert_allclose((parted(*moved)[0] - whole) / step, slopes[:, side, j], atol=1e-5)


@pytest.mark.long
@pytest.mark.parametrize(
    ("draws", "least", "most"), [(100, 0.90, 0.99), pytest.param(300, 0.92, 0.985, marks=pytest.mark.slow)]
)
def test_limits_of_a_part_cover_it(draws: int, least: float, most: float) -> None:
    rng, kept = np.random.default_rng(1), []
    rates = np.array([[0.6, 0.5], [0.7, 0.4]])
    truth = parted(rates[0], rates[1])[0]
    for _ in range(draws):
        first = rng.binomial([150, 200], rates[:, 0])
        last = rng.binomial(first, rates[:, 1])
        table = {"g": ["x", "y"], "n": [150, 200], "a": first, "b": last}
        rows = fs.stages(table, ["a", "b"], "g", total="n", reference="y").estimates
        parts = rows.where(metric="contribution of the stage")
        kept += [row.conf_low <= t <= row.conf_high for row, t in zip(parts, truth, strict=True)]
    assert least <= np.mean(kept) <= most


@pytest.mark.long
@pytest.mark.parametrize("p_adjust", ["bonferroni", "holm", "bh"])
def test_with_eight_at_the_last_stage_it_errs_in_few_samples(p_adjust: str) -> None:
    """Sixty begin, of whom eight a group are expected at the last of three stages; no stage differs."""
    rng, errs, draws = np.random.default_rng(7), 0, 60
    for _ in range(draws):
        reached = [np.array([60, 60])]
        for rate in (0.5, 0.27, 0.5):
            reached.append(rng.binomial(reached[-1], rate))
        table = {"g": ["x", "y"], **{f"s{k}": column for k, column in enumerate(reached)}}
        result = fs.stages(table, ["s1", "s2", "s3"], "g", total="s0", p_adjust=p_adjust)
        stage = [row for row in result.compared() if row.term != "bottom line" and row.status == "ok"]
        for row in stage:
            if row.conf_low == row.conf_low:
                assert (row.verdict == "inconclusive") == (row.conf_low <= 0 <= row.conf_high)
        errs += any(row.verdict != "inconclusive" for row in stage)
    assert errs <= 7  # 60 draws at 5 %: more comes of chance once in a hundred times


def test_postings_are_pooled() -> None:
    frame = people([("x", [60, 40, 20, 8]), ("y", [50, 40, 30, 20])])
    frame["job"] = np.arange(len(frame)) % 2
    rows = fs.stages(frame, ["a", "b"], "g", strata="job", reference="y").estimates
    pooled = rows.where(metric="common odds ratio", term="a")[0]
    cells = [frame[(frame["g"] == g) & (frame["job"] == j)]["a"] for g in "xy" for j in (0, 1)]
    e, n = [c.sum() for c in cells], [len(c) for c in cells]
    assert pooled.estimate == pytest.approx(fs.stats.common_odds_ratio(e[:2], n[:2], e[2:], n[2:])[0])
    assert {"homogeneity of odds ratios", "homogeneity of differences"} <= set(rows.column("metric"))


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"groups": ["race", "sex"]}, "groups has \\['race', 'sex'\\]"),
        ({"reference": "black"}, "did you mean 'Black'"),
        ({"stages": ["promoted", "passed"]}, "more who passed 'passed' than who passed 'promoted'"),
        ({"total": None}, "other than 0 and 1"),
        ({"stages": []}, "name 1 to"),
        ({"stages": ["passd"]}, "did you mean 'passed'"),
        ({"stages": ["answer"], "total": None}, r"'answer', which holds text \('yes' in row 1\); .* passed \(1, Yes\)"),
        ({"groups": "sex"}, "^groups"),
        ({"reference": "Asian"}, "the groups are"),
        ({"p_adjust": "x"}, "p_adjust"),
    ],
)
def test_bad_stages_are_refused(options: dict[str, object], words: str) -> None:
    with pytest.raises(fs.InputError, match=words):
        fs.stages(
            **{
                "data": TEAL | {"answer": ["yes", "maybe"]},
                "stages": ["passed", "promoted"],
                "groups": "race",
                "total": "took",
                **options,
            }
        )


def test_command_report_and_nobody_left(tmp_path, capsys) -> None:
    path = tmp_path / "counts.csv"
    pd.DataFrame(TEAL).to_csv(path, index=False)
    options = ["stages", str(path), "--stages", "passed,promoted", "--total", "took", "--groups", "race"]
    assert run([*options, "--fail-on", "disparity"]) == 1
    printed = " ".join(capsys.readouterr().out.split())
    both = "passed: 54.2% of Black passed (26 of 48) and 79.5% of White (206 of 259)"
    assert f"{both}, a difference of −25.4 percentage points (−42.1" in printed
    page = fs.report(teal(), language="de").html
    assert "Stufen einer Auswahl" in page and "Endergebnis" in page
    none = fs.stages({"g": ["x", "y"], "n": [5, 5], "a": [0, 3], "b": [0, 1]}, ["a", "b"], "g", total="n")
    assert [row.term for row in none.estimates.where(status="unestimable", contrast="difference")] == ["b"]
    assert max(map(len, none.summary().split("\n"))) <= 80


def test_limits_and_differences_are_said_as_a_german_page_writes_them():
    teal = {"race": ["Black", "White"], "took": [48, 259], "passed": [26, 206], "promoted": [11, 35]}
    page = fs.report(fs.stages(teal, ["passed", "promoted"], "race", total="took"), language="de").html
    page = page.replace("\N{NO-BREAK SPACE}", " ")
    both = " passed: 54,2 % von Black kamen weiter (26 von 48) und 79,5 % von White (206 von 259)"
    assert f"{both}, ein Unterschied von −25,4 Prozentpunkten (−42,1 bis −9,2)" in page


def test_a_line_of_totals_is_no_group() -> None:
    teal = {"race": ["Black", "White", "Total"], "took": [48, 259, 307], "passed": [26, 206, 232]}
    with pytest.raises(fs.InputError, match=r"'Total' in row 3 of 'race', with 307 people.* counted twice"):
        fs.stages(teal, ["passed"], "race", total="took")
    within = {name: [*values[:2], *values] for name, values in teal.items()} | {"job": ["x", "x", "y", "y", "All"]}
    within["took"][-1] = 614
    with pytest.raises(fs.InputError, match="'Total' in row 5 of 'race', with 614 people"):
        fs.stages(within, ["passed"], "race", total="took", strata="job")
    named = teal | {"race": ["Black", "White", "Candidates of 1978"]}
    with pytest.raises(fs.InputError, match="'Candidates of 1978' in 'race', with 307 people, 232 of them selected"):
        fs.stages(named, ["passed"], "race", total="took")


def test_the_finding_of_a_study_is_its_sentences() -> None:
    result = teal()
    assert result.statements and result.finding() == " ".join(result.statements)


def test_a_p_value_by_itself_is_marked_and_a_chi_square_has_its_unit() -> None:
    rng = np.random.default_rng(1)
    people = pd.DataFrame({"race": rng.choice(["b", "w"], 300), "post": rng.choice(["x", "y"], 300)})
    people["hired"] = (rng.random(300) < 0.5).astype(int)
    result = fs.stages(people, ["hired"], "race", strata="post", reference="w")
    odds, same = (result.estimates.where(metric=m)[0] for m in ("common odds ratio", "homogeneity of odds ratios"))
    text = " ".join(result.summary().split())
    assert f"{odds.p_value:.3f}*" in text and f"{same.p_value:.3f}*" in text and "*: p by itself, not adjusted." in text
    assert text.count("χ² ") == 2  # the two tests that the strata are alike
    (row,) = (row for row in result.compared() if row.term == "hired")
    assert f"{row.p_adjusted:.3f} ?" in text
    assert "*: p by itself" not in fs.stages(people, ["hired"], "race", reference="w").summary()
    page = fs.report(result).html
    assert f"{odds.p_value:.3f}*" in page and "χ² " in page and "* p by itself, not adjusted." in page


def test_rows_of_several_people_are_the_people() -> None:
    rng = np.random.default_rng(0)
    people = pd.DataFrame({"g": rng.choice(["a", "b"], 300), "job": rng.choice(["x", "y"], 300)})
    people["s"] = rng.integers(0, 2, 300)
    people["t"] = people.s * rng.integers(0, 2, 300)
    rows = people.groupby(["g", "job", "s", "t"], as_index=False).size()
    for strata in (None, "job"):
        whole = fs.stages(people, ["s", "t"], "g", strata=strata)
        assert str(fs.stages(rows, ["s", "t"], "g", strata=strata, weights="size").estimates) == str(whole.estimates)
    with pytest.raises(fs.InputError, match=r"weights has .size. beside total, .*; pass one of them"):
        fs.stages(rows, ["s", "t"], "g", total="s", weights="size")
    total = {"g": "Total", "job": "x", "s": 1, "t": 1, "size": 300}
    with pytest.raises(fs.InputError, match=r"'Total' in row .* counted twice"):
        fs.stages(pd.concat([rows, pd.DataFrame([total])]), ["s", "t"], "g", weights="size")


def test_a_group_without_anybody_at_the_next_stage_has_no_parts() -> None:
    none = {"race": ["Black", "White"], "took": [48, 259], "passed": [0, 206], "promoted": [0, 35]}
    result = fs.stages(none, ["passed", "promoted"], "race", total="took")
    assert [row.term for row in result.shown()] == ["passed", "bottom line"]
    assert "largest part" not in " ".join(result.statements)
    assert result.statements[-1] == "Nobody of Black reached promoted."


def test_yes_and_no_are_passed_and_not() -> None:
    frame = people([("x", [60, 40, 20, 8]), ("y", [50, 40, 30, 20])])
    words = frame.assign(a=frame["a"].map({1: "Yes", 0: "no"}), b=frame["b"].map({1: "TRUE", 0: None}))
    both = [fs.stages(one, ["a", "b"], "g") for one in (frame, words)]
    assert both[0].estimates == both[1].estimates and len(both[0].shown()) > 0


def test_where_nothing_is_shown_the_end_is_said_with_its_limits() -> None:
    table = {"sex": ["f", "m"], "n": [40, 60], "passed": [20, 33], "hired": [8, 15]}
    lines = fs.stages(table, ["passed", "hired"], "sex", total="n").statements
    assert lines[0] == "No difference is shown (3 compared)."
    both = "Bottom line: 20.0% of f passed (8 of 40) and 25.0% of m (15 of 60)"
    assert lines[1] == f"{both}, a difference of −5.0 percentage points (−21.0 to 12.7): not settled."


def test_the_end_is_said_also_where_only_a_stage_is_shown_to_differ() -> None:
    table = {"sex": ["f", "m"], "n": [200, 400], "passed": [110, 270], "hired": [20, 60]}
    result = fs.stages(table, ["passed", "hired"], "sex", total="n", reference="m")
    assert [row.term for row in result.shown()] == ["passed"]
    assert result.statements[1].startswith("passed: 55.0% of f passed (110 of 200) and 67.5% of m (270 of 400), ")
    assert result.statements[2].startswith("Bottom line: 10.0% of f passed (20 of 200) and 15.0% of m (60 of 400), ")
    assert result.statements[2].endswith(": not settled.") and not result.statements[1].endswith(": not settled.")
    twice = {name: [*values, *values] for name, values in table.items()} | {"job": ["a", "a", "b", "b"]}
    within = fs.stages(
        {k: [v / 2 if k in ("n", "passed", "hired") else v for v in vs] for k, vs in twice.items()},
        ["passed", "hired"], "sex", total="n", strata="job", reference="m",
    )  # fmt: skip
    assert [row.term for row in within.shown()] == ["passed"]
    assert "Within job f and m differ by −5.0 percentage points in the end" in " ".join(within.statements)
    text = " ".join(within.summary().split())
    left = sum(row.metric in ("common odds ratio", "homogeneity of odds ratios", "homogeneity of differences")
               or (row.contrast == "ratio" and bool(row.estimator)) for row in within.estimates)  # fmt: skip
    assert "χ²" not in text and "common odds ratio" not in text and f" {left} more: tidy()." in text


JOBS = {"job": ["a", "a", "b", "b"], "sex": ["f", "m"] * 2, "applied": [400, 100, 100, 400],
        "interviewed": [80, 20, 60, 240], "hired": [40, 10, 30, 120]}  # fmt: skip


def test_verdicts_are_of_the_differences_within_strata(tmp_path, capsys) -> None:
    def of(table: dict[str, list[object]]) -> fs.GroupStudy:
        return fs.stages(table, ["interviewed", "hired"], "sex", total="applied", strata="job", reference="m")

    result = of(JOBS)
    assert [row.term for row in result.compared()] == ["interviewed", "hired", "bottom line"]
    assert all(row.metric == "risk difference within strata" and row.given == "job" for row in result.compared())
    assert [round(row.estimate, 12) for row in result.compared()] == [0, 0, 0] and not result.shown()
    text = " ".join(result.statements)
    assert "Within job f and m differ by 0.0 percentage points in the end (−5.9 to 6.2): not settled." in text
    assert "within job; without regard to it f and m differ by −12.0 percentage points in the end (−16.9" in text
    crude = result.estimates.where(estimator="without regard to strata", contrast="difference")
    assert [round(row.estimate, 2) for row in crude] == [-0.24, 0.0, -0.12]
    assert not any(row.verdict for row in crude) and {row.role for row in crude} == {"supplementary"}
    path = tmp_path / "jobs.csv"
    pd.DataFrame(JOBS).to_csv(path, index=False)
    options = ["--stages", "interviewed,hired", "--total", "applied", "--groups", "sex", "--fail-on", "disparity"]
    assert run(["stages", str(path), *options]) == 1
    assert run(["stages", str(path), *options, "--strata", "job"]) == 0
    apart = JOBS | {"interviewed": [20, 20, 20, 240], "hired": [10, 10, 10, 120]}
    shown = of(apart)
    people = pd.DataFrame(apart).loc[lambda t: t.index.repeat(t["applied"])]
    place = people.groupby(level=0).cumcount()
    people["in"] = (place < people["interviewed"]).astype(int)
    row = fs.audit(people, "in", "sex", strata="job", reference="m").estimates.where(
        metric="risk difference within strata"
    )[0]
    first = shown.compared()[0]
    for name in ("estimate", "p_value", "n"):
        assert getattr(first, name) == pytest.approx(getattr(row, name), rel=1e-9), name
    assert "interviewed, f: within job a difference of −27.5 percentage points from m" in " ".join(shown.statements)
    assert "without regard to job 40 of 500 passed (8.0%), a difference of −44.0 percentage" in " ".join(
        shown.statements
    )


def test_what_is_said_of_the_end_is_of_the_end_where_a_group_reached_no_later_stage() -> None:
    table = {"job": list("xxxyyy"), "race": list("abc") * 2, "n": [100, 90, 12, 50, 60, 9],
             "passed": [60, 40, 0, 10, 12, 0], "hired": [30, 20, 0, 5, 6, 0]}  # fmt: skip
    result = fs.stages(table, ["passed", "hired"], "race", total="n", strata="job")
    text = " ".join(result.statements)
    assert "b and a differ by −6.0 percentage points in the end (−15.2 to 3.2)" in text  # 26 of 150 less 35 of 150
    crude = result.estimates.where(estimator="without regard to strata", contrast="difference", group="c")
    assert [row.status for row in crude] == ["ok", "unestimable", "ok"]


def test_a_summary_shows_decisions_before_what_stands_beside_them() -> None:
    rng = np.random.default_rng(5)
    table = pd.DataFrame({"g": rng.choice(list("abcd"), 400), "job": rng.choice(["x", "y"], 400)})
    alive = np.ones(400)
    for name in "stu":
        alive = alive * (rng.random(400) < np.where(table["g"] == "a", 0.9, 0.6))
        table[name] = alive
    result = fs.stages(table, list("stu"), "g", strata="job")
    shown = [line for line in result.summary().splitlines() if line.rstrip().endswith("  D")]
    assert len(shown) == len(result.shown()) > 2


def test_strata_that_hold_one_group_show_nothing() -> None:
    table = {"job": ["a", "b"], "sex": ["f", "m"], "applied": [400, 100], "hired": [80, 20]}
    result = fs.stages(table, ["hired"], "sex", total="applied", strata="job")
    assert [row.status for row in result.compared()] == ["unestimable"] and not result.shown()
    few = {name: [*values, {"job": "b", "sex": "f", "applied": 20, "hired": 3}[name]] for name, values in table.items()}
    (row,) = fs.stages(few, ["hired"], "sex", total="applied", strata="job").compared()
    assert row.reason == "only 5% of f are in strata that hold both groups"
    few["job"][-1] = None
    assert (
        "Left out, without a value of job: 20."
        in fs.stages(few, ["hired"], "sex", total="applied", strata="job").statements
    )


def test_the_largest_part_is_said_where_it_is_shown() -> None:
    apart = {"sex": ["f", "m"], "all": [300, 300], "a": [200, 240], "b": [150, 200]}
    text = " ".join(fs.stages(apart, ["a", "b"], "sex", total="all", reference="m").statements)
    assert "comes from a: −10.6 of −16.7 percentage points (−16.1 to −5.0)." in text
    near = {"sex": ["f", "m"], "all": [200, 200], "a": [100, 115], "b": [70, 93]}
    result = fs.stages(near, ["a", "b"], "sex", total="all", reference="m")
    assert [row.term for row in result.shown()] == ["bottom line"]
    assert "largest part" not in " ".join(result.statements)
    assert len(fs.stages(apart, ["a"], "sex", total="all").compared()) == 1  # one stage is the end


def test_where_an_adjustment_has_no_limits_its_p_value_is_in_their_place() -> None:
    table = {"sex": ["f", "m"], "n": [200, 400], "passed": [110, 270], "hired": [20, 60]}
    result = fs.stages(table, ["passed", "hired"], "sex", total="n", reference="m", p_adjust="holm")
    (row,) = result.shown()
    assert np.isnan(row.conf_low)
    assert f"a difference of −12.5 percentage points (adjusted p = {row.p_adjusted:.3f})." in result.statements[1]
