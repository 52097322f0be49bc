"""A survey's design in an audit: what is refused, what is said, domains, files, and the command."""

from __future__ import annotations

import html
import json
import math
import re

import numpy as np
import pandas as pd
import pytest

import fairstats as fs
from fairstats.cli import main, run
from fairstats.errors import InputError
from tests.oracle.test_survey_designs_r import sample
from tests.reporting.reader import texts

NESTED = {"weights": "w", "strata": "s", "clusters": "k", "nest": True}


@pytest.fixture(scope="module")
def made() -> pd.DataFrame:
    return sample()


def audit(people: pd.DataFrame, **design):
    return fs.audit(people, "d", "g", reference="a", design=fs.survey_design(**({"weights": "w"} | design)))


@pytest.mark.parametrize(
    ("design", "fact"),
    [
        ({"strata": "s", "clusters": "k"}, "in more than one stratum of 's'; where labels begin anew"),
        (NESTED | {"fpc": "few"}, "fpc 'few' below the units that were drawn in strata"),
        (NESTED | {"fpc": "x"}, "fpc 'x' with different values in strata"),
        (NESTED | {"drawn": "one"}, "drawn 'one' below the units that have rows"),
        (NESTED | {"strata": "gone"}, "strata 'gone'; data have no such column"),
        ({"strata": "holes"}, "strata 'holes' with 1 missing values .row 1."),
        ({"weights": "bad"}, "'bad' with 1 negative values"),
        ({"weights": "none"}, "all weights are 0"),
        ({"calibration": ["x", "age"], "base_weights": "w"}, "calibration 'age'; data have no such column"),
        ({"calibration": "x", "base_weights": "bad"}, "base_weights 'bad' below 0"),
        ({"replicate_weights": ["w", "rw9"], "kind": "BRR"}, "replicate_weights 'rw9'; data have no such column"),
        ({"replicate_weights": ["w", "bad"], "kind": "BRR"}, "replicate_weights 'bad' with negative"),
        ({"replicate_weights": ["w", "x"], "kind": "JKn", "rscales": [1, 1, 1]}, "3 rscales and 2 replicates"),
        (
            {"replicate_weights": ["f1", "f2"], "kind": "JK1"},
            "if they are factors of the weights, pass combined_weights=False",
        ),
        (
            {"replicate_weights": ["w", "v"], "kind": "JK1", "combined_weights": False},
            "if they are whole weights, leave out combined_weights=False",
        ),
        ({"clusters": "u", "fpc": "all"}, "by which every unit was drawn"),
        ({"clusters": ["u", "h"], "fpc": ["all", "drawn_h"]}, "fpc all, drawn_h by which every unit was drawn"),
        (
            {"clusters": ["u", "h", "i"], "fpc": ["all", "P", "Q"]},
            "units of the stage before with one unit of 'i'; name",
        ),
        ({"clusters": ["u", "h"], "fpc": ["all", "Q"]}, "fpc 'Q' with different values in strata"),
        ({"clusters": ["u", "gone"], "fpc": ["all", "P"]}, "clusters 'gone'; data have no such column"),
    ],
)
def test_columns_that_contradict_a_design_are_refused(made, design, fact):
    people = made.assign(few=2, one=1, bad=made["w"].where(made.index != 4, -1), none=0.0, all=made["u"].nunique())
    people = people.assign(f1=1.0, f2=np.where(made.index % 2, 2.0, 0.0), v=2 * made["w"])
    people["holes"] = made["s"].where(made.index != 0)
    with pytest.raises(InputError, match=fact):
        audit(people, **design)


@pytest.mark.parametrize(
    ("design", "fact"),
    [
        ({"nest": True}, "nest is True"),
        ({"calibration": "x"}, "base_weights is absent; name the column"),
        ({"calibration": ["x", "x"], "base_weights": "v"}, "name each column once[.]"),
        ({"base_weights": "v"}, "base_weights has 'v'; it goes with calibration"),
        (
            {"calibration": "x", "base_weights": "v", "replicate_weights": ["a", "b"], "kind": "BRR"},
            "calibration has 'x', which replicates hold",
        ),
        ({"kind": "BRR"}, "kind has 'BRR'; it is of replicates"),
        ({"combined_weights": False}, "combined_weights has False; it is of replicates"),
        ({"replicate_weights": ["a", "b"]}, "kind is absent"),
        ({"replicate_weights": ["a", "b"], "kind": "JKn"}, "rscales is absent"),
        ({"replicate_weights": ["a", "b"], "kind": "other"}, "scale is absent"),
        (
            {"replicate_weights": ["a", "b"], "kind": "BRR", "strata": "s"},
            "strata has 's', which replicates hold",
        ),
        ({"replicate_weights": "a", "kind": "BRR"}, "two different columns or more"),
        ({"single_units": "drop"}, "single_units has 'drop'"),
        ({"clusters": ["k", "h"]}, "different numbers of stages .clusters 2.; name an fpc for each stage"),
        ({"clusters": ["k", "h"], "fpc": "N"}, "different numbers of stages .clusters 2, fpc 1."),
        ({"clusters": ["k", "k"], "fpc": ["N", "P"]}, "clusters has .*; name a column of its own for every stage"),
    ],
)
def test_arguments_that_do_not_go_together_are_refused(design, fact):
    with pytest.raises(InputError, match=fact):
        fs.survey_design(**({"weights": "w"} | design))


def test_factors_are_multiplied_with_the_weights(made) -> None:
    rng = np.random.default_rng(0)
    names = [f"r{i}" for i in range(12)]
    factors = pd.DataFrame(rng.choice([0.0, 2.0], (len(made), 12)), columns=names, index=made.index)
    rows = []
    for columns, combined in ((factors, False), (factors.mul(made["w"], axis=0), True)):
        people = pd.concat([made, columns], axis=1)
        found = audit(people, replicate_weights="r*", kind="BRR", combined_weights=combined)
        rows.append([(row.estimate, row.std_error) for row in found.estimates.where(metric="selection rate")])
    assert np.allclose(*rows, equal_nan=True)


@pytest.mark.parametrize("beside", [{"clusters": "u"}, {"weights": "N"}])
def test_a_second_design_and_people_counted_already_are_refused_beside_it(made, beside):
    with pytest.raises(InputError, match="design is given"):
        fs.audit(made, "d", "g", design=fs.survey_design(**NESTED), **beside)
    with pytest.raises(InputError, match="a tally, which has no units"):
        fs.audit(fs.tally(made, "d", "g"), design=fs.survey_design(**NESTED))
    with pytest.raises(InputError, match="a tally, which has no units"):
        fs.audit(fs.tally(made, groups="g", amount="x"), adjust_for="~ s", design=fs.survey_design(**NESTED))


def test_weights_that_were_calibrated_to_the_decision_leave_its_rates_no_error(made):
    people = made.assign(label=made["d"].map({0: "no", 1: "yes"}) + made["g"])
    people["post"] = people["w"] * people["d"].map({0: 1.2, 1: 0.7})
    plain = NESTED | {"weights": "post"}
    for design in (plain, plain | {"calibration": "label", "base_weights": "w"}):
        result = audit(people, **design)
        for row in result.estimates.where(metric="selection rate", contrast=("none", "difference"), role="main"):
            assert (row.std_error < 1e-9) == ("calibration" in design)
        assert ("Weights were calibrated to label" in result.summary()) == ("calibration" in design)


def test_a_stratum_of_one_unit_stops_the_audit_until_a_rule_is_named(made):
    people = made[(made["s"] != 3) | (made["k"] == 1)]
    with pytest.raises(InputError, match=r"one drawn unit in stratum 3; if the table was cut .*domain; .*name a rule"):
        audit(people, **NESTED)
    result = audit(people, **NESTED, single_units="certainty")
    assert any("Strata of one drawn unit (1) add nothing" in note for note in result.notes)


def drawn_designs(made: pd.DataFrame) -> tuple[pd.DataFrame, list[dict]]:
    """Designs of strata, of two stages, calibrated, and of replicates, and their table with a domain."""
    rng = np.random.default_rng(1)
    people = made.assign(some=made["x"] < made["x"].quantile(0.4), base=made["w"] * rng.uniform(0.8, 1.2, len(made)))
    for r in range(20):
        people[f"r{r}"] = people["w"] * rng.choice([0.0, 2.0], len(made))
    calibrated = NESTED | {"calibration": ["x", "f"], "base_weights": "base"}
    return people, [NESTED, {}, calibrated, {"replicate_weights": "r*", "kind": "BRR"}]


def test_a_domain_is_that_of_weights_of_0_outside_of_it_with_counts_of_its_people_alone(made):
    people, designs = drawn_designs(made)
    outside = ~people["some"]
    zero = people.assign(w0=people["w"].where(people["some"], 0.0))
    zero.loc[outside, [f"r{r}" for r in range(20)]] = 0.0
    measures = {"amount": "x", "score": "y", "unit": "points", "adjust_for": "~ f", "reference": "a"}
    people, zero = (one.assign(y=one["x"] + one["f"]) for one in (people, zero))
    for design in designs:
        named = fs.survey_design(**({"weights": "w"} | design | {"domain": "some"}))
        weighted = {"weights": "w0"} | ({"calibrated_weights": "w"} if "calibration" in design else {})
        found = fs.audit(people, "d", "g", **measures, design=named)
        pd.testing.assert_frame_equal(
            found.tidy(), fs.audit(zero, "d", "g", **measures, design=fs.survey_design(**(design | weighted))).tidy()
        )
        rates = found.estimates.where(metric="selection rate", contrast="none", role="main")
        assert sum(row.n_unweighted for row in rates) == people["some"].sum() == found.people
        steps = [(str(step.label), step.n) for step in found.flow[:3]]
        assert steps == [
            ("rows read", len(people)),
            ("outside the domain some", outside.sum()),
            ("rows of the domain", people["some"].sum()),
        ]
    text = " ".join(str(found).split())
    assert f"{people['some'].sum()} rows of the domain, of {len(people)} rows" in text
    page = " ".join(" ".join(text for _, text in texts(fs.report(found).html)).split())
    assert f"Audit of {people['some'].sum()} people" in page and "outside the domain some" in page


def test_units_without_people_of_a_domain_are_said_beside_its_degrees_of_freedom(made):
    people = made.assign(some=made["s"] < 4)
    text = " ".join(audit(people, **NESTED, domain="some").summary().split())
    units = people[people["some"]].groupby("s")["k"].nunique()
    assert f"{made['u'].nunique()} units drawn in 6 strata" in text
    assert f"People of {units.sum()} units in 3 strata are audited: {units.sum() - 3} degrees of freedom" in text


@pytest.mark.parametrize(
    ("column", "fact"),
    [
        ("g", "domain 'g', with .*; name a column of True and False"),
        ("s", "domain 's', with 2; name a column of True and False"),
        ("gone", "domain 'gone'; data have no such column"),
        ("nobody", "domain 'nobody', in which nobody is of a weight above 0"),
        ("holes", "domain 'holes' with 1 missing values"),
    ],
)
def test_what_is_no_domain_is_refused(made, column, fact):
    people = made.assign(nobody=False, holes=np.where(made.index == 0, np.nan, 1.0))
    with pytest.raises(InputError, match=fact):
        audit(people, **NESTED, domain=column)


def test_rows_behind_weighted_counts_are_those_whose_decision_is_known(made):
    people = made.assign(d=made["d"].where(made.index % 5 > 0))
    known = people.dropna(subset="d").groupby("g").size()
    result = audit(people, **NESTED)
    rows = result.estimates.where(metric="selection rate", contrast="none", role="main")
    assert {row.group: row.n_unweighted for row in rows} == known.to_dict()
    assert f"Rows behind them with known decision, and clusters (k), by g: a ({known['a']} and" in " ".join(
        str(result).split()
    )


def test_labels_of_units_that_begin_anew_are_pointed_out_where_nothing_is_compared(made):
    text = fs.audit(made, "d", "g", weights="w", weight_type="probability", clusters="k", strata="s", min_n=1)
    few = fs.audit(
        made.assign(k=made["k"] % 3), "d", "g", weights="w", weight_type="probability", clusters="k", strata="s"
    )
    assert "fewer than four clusters" in few.finding()
    for one in (text, few):
        assert any("pass fairstats.survey_design with nest=True" in str(note) for note in one.notes)
    assert "pass fairstats.survey_design with nest=True" in few.finding() and "nest=True" not in text.finding()


def test_the_result_says_the_design_and_keeps_it(made, tmp_path):
    result = audit(made, **NESTED, fpc="N")
    units = made["u"].nunique()
    said = f"{units} units drawn in 6 strata, {units - 6} degrees of freedom"
    assert said in " ".join(str(result).split()) and said in " ".join(result.summary().split())
    assert "Rows behind them, and clusters (k), by g: a (" in " ".join(str(result).split())
    result.save(tmp_path / "a.npz")
    again = fs.load(tmp_path / "a.npz")
    assert again.protocol.design == result.protocol.design and again.estimates == result.estimates
    page = tmp_path / "a.html"
    page.write_text(fs.report(result, language="de").html)
    text = " ".join(page.read_text().split())
    assert f"{units} gezogene Einheiten in 6 Schichten" in text and "Stichprobenplan" in text
    fs.report(result, to=tmp_path / "a.json")
    assert json.loads((tmp_path / "a.json").read_text())["audit"]["protocol"]["design"]["fpc"] == "N"
    assert fs.verify_report(tmp_path / "a.json", made).ok
    assert "survey_design(weights='w', strata='s'" in result.provenance.call


def test_a_mapping_a_file_and_the_value_are_one_design(made, tmp_path):
    plan = tmp_path / "audit.toml"
    plan.write_text(
        'decision = "d"\ngroups = ["g"]\nreference = "a"\n'
        'design = { weights = "w", strata = "s", clusters = "k", nest = true }\n'
    )
    wanted = audit(made, **NESTED).estimates
    assert fs.audit(made, "d", "g", reference="a", design=NESTED).estimates == wanted
    assert fs.audit(made, protocol=plan).estimates == wanted


def test_stages_are_lists_in_every_front_end(made, tmp_path):
    stages = {"clusters": ["k", "h"], "fpc": ["N", "P"]}
    result = audit(made, **NESTED | stages)
    assert result.protocol.design.stages == [{"clusters": "k", "fpc": "N"}, {"clusters": "h", "fpc": "P"}]
    assert result.protocol.design.given()["clusters"] == ("k", "h")
    for ending in ("npz", "json"):
        file = tmp_path / f"a.{ending}"
        result.save(file) if ending == "npz" else file.write_text(json.dumps(result.to_dict()))
    assert fs.load(tmp_path / "a.npz").protocol.design == result.protocol.design
    made.to_csv(tmp_path / "p.csv", index=False)
    line = ["audit", str(tmp_path / "p.csv"), "--decision", "d", "--groups", "g", "--reference", "a"]
    for entry in ("weights=w", "strata=s", "nest=true", "clusters=k,h", "fpc=N,P"):
        line += ["--design", entry]
    assert run([*line, "--to", str(tmp_path / "c.npz")]) == 0
    errors = [row.std_error for row in fs.load(tmp_path / "c.npz").estimates.where(metric="selection rate")]
    assert errors == pytest.approx(
        [row.std_error for row in result.estimates.where(metric="selection rate")], nan_ok=True
    )


def test_units_without_a_member_of_a_group_stay_in_the_variance(made):
    """A group that lives in half of the strata has the variance of a domain, and fewer degrees of freedom."""
    people = made.assign(g=np.where(made["s"] <= 3, made["g"], "other"))
    row = audit(people, **NESTED).estimates.where(metric="selection rate", group="b", contrast="none")[0]
    mine = people[people["g"] == "b"]
    z = (mine["w"] * (mine["d"] - row.estimate) / mine["w"].sum()).groupby([mine["s"], mine["k"]]).sum()
    variance = 0.0
    for stratum, units in made.groupby("s")["k"].unique().items():
        sums = np.array([z.get((stratum, k), 0.0) for k in units])
        variance += len(sums) / (len(sums) - 1) * np.sum((sums - sums.mean()) ** 2)
    assert row.std_error == pytest.approx(np.sqrt(variance), rel=1e-10)
    held = mine.groupby("s")["k"].nunique()
    assert 1 < row.df < held.sum() - len(held)  # of units of unequal size fewer than units less strata


def test_rows_do_not_contradict_themselves_under_a_design(made):
    for row in audit(made, **NESTED).estimates.where(metric="selection rate", contrast="difference", role="main"):
        assert (row.p_adjusted < 0.05) == (row.conf_low > 0 or row.conf_high < 0) == (row.verdict == "disparity shown")


SCORED = {"score": "x", "strata": "job"}


def test_what_few_units_or_replicates_cannot_tell_says_why(made):
    people = made.assign(job=np.where(made.index % 3, "x", "y"), age=np.arange(len(made)) % 31)
    few = people.assign(g=np.where((people["g"] == "e") & ((people["s"] > 2) | (people["k"] > 1)), "a", people["g"]))
    rng = np.random.default_rng(2)
    weights = made["w"].to_numpy()[:, None] * rng.choice([0.0, 2.0], (len(made), 16))
    weights[(made["g"] == "e").to_numpy(), 3] = 0
    empty = people.join(pd.DataFrame(weights, columns=[f"r{i}" for i in range(16)], index=people.index))
    replicated = {"weights": "w", "replicate_weights": "r*", "kind": "BRR"}
    for table, design, why, of_gap in (
        (few, NESTED, "fewer than four sampling units", "fewer than four sampling units"),
        (empty, replicated, "a replicate gives all of a group", "a replicate leaves too few people"),
    ):
        design = fs.survey_design(**design)
        rows = fs.audit(table, "d", "g", reference="a", design=design, **SCORED).estimates
        rates = "selection rate", "risk difference within strata"
        for metric in (*rates, "P(X>Y)", "P(X>Y) within strata", "score distribution"):
            of = {"contrast": "difference"} if metric == "selection rate" else {}
            (row,) = rows.where(metric=metric, group="e", role="main", **of)
            assert row.status == "unestimable" and why in str(row.reason), metric
        rows = fs.audit(table, amount="x", groups="g", adjust_for="~ age", reference="a", design=design).estimates
        (row,) = rows.where(metric="adjusted gap", group="e")
        assert row.status == "unestimable" and of_gap in str(row.reason)
        rows = fs.audit(table, amount="x", groups="g", strata="job", reference="a", design=design).estimates
        for metric in ("gap of means", "gap of medians", "gap of means within strata"):
            (row,) = rows.where(metric=metric, group="e", role="main")
            assert row.status == "unestimable" and why in str(row.reason), metric
        for metric in ("mean amount", "geometric mean", "median amount"):
            (row,) = rows.where(metric=metric, group="e", role="main", contrast="none", given="")
            assert math.isfinite(row.estimate) and math.isnan(row.conf_low) and why in str(row.reason), metric


@pytest.mark.long
def test_rows_behind_summed_weights_stand_beside_them(made):
    counted = made.groupby("g").size()
    design = fs.survey_design(weights="w", strata="s", clusters="k", nest=True)
    for people in (made, made.assign(w=1.0)):  # summed weights may equal the rows
        for options in ({"decision": "d"}, {"amount": "x"}, {"score": "x"}):
            for drawn in ({"design": design}, {"weights": "w", "weight_type": "probability"}):
                rows = fs.audit(people, groups="g", reference="a", **options, **drawn).estimates
                told = [row for row in rows if row.group and row.n_unweighted == row.n_unweighted]
                assert {row.group for row in rows.where(role="main") if row.n_unweighted != row.n_unweighted} == set()
                assert all(row.n_unweighted == counted[row.group] for row in told)
    outcome = made.assign(y=made["k"] % 2)
    rows = fs.audit(outcome, "d", "g", outcome="y", score="x", design=design).estimates
    for row in rows.where(metric=("TPR", "AUC"), role="main"):
        known = outcome[(outcome["g"] == row.group) & ((outcome["y"] == 1) | (row.metric == "AUC"))]
        assert row.n_unweighted == len(known)
    for options in ({"min_n": 3, "design": design}, {"weights": "k"}, {"clusters": "u"}):
        rows = fs.audit(made, "d", "g", amount="x", **options).estimates
        assert all(math.isnan(row.n_unweighted) for row in rows)


def test_scores_of_a_unit_whose_weight_is_all_that_counts_have_no_error(made):
    people = made.assign(job=np.where(made.index % 3, "x", "y"))
    people["w"] = people["w"] * np.where(people["u"] == people.loc[people["g"] == "e", "u"].iloc[0], 1e18, 1.0)
    for design in (NESTED, {"weights": "w", "clusters": "u"}):
        rows = fs.audit(people, groups="g", reference="a", design=fs.survey_design(**design), **SCORED).estimates
        for metric in ("P(X>Y)", "P(X>Y) within strata"):
            (row,) = rows.where(metric=metric, group="e", role="main")
            assert row.status == "unestimable" and "one cluster" in str(row.reason), row


def test_a_regression_needs_more_degrees_of_freedom_than_covariates(made):
    rng = np.random.default_rng(3)
    people = made.assign(**{f"c{i}": rng.normal(size=len(made)) for i in range(14)})
    formula = "~ " + " + ".join(f"c{i}" for i in range(14))
    design = fs.survey_design(**NESTED)
    rows = fs.audit(people, amount="x", groups="g", adjust_for=formula, reference="a", design=design).estimates
    assert {str(row.reason) for row in rows.where(metric="adjusted gap")} == {
        "the design has no more degrees of freedom than the regression has covariates"
    }


@pytest.mark.parametrize("design", [NESTED, {"weights": "w", "strata": "s"}, {"weights": "w", "clusters": "u"}])
def test_equal_scores_show_nothing(made, design):
    people = made.assign(x=1.0, job=np.where(made.index % 3, "x", "y"))
    rows = fs.audit(people, groups="g", reference="a", design=fs.survey_design(**design), **SCORED).estimates
    for row in rows.where(metric=("P(X>Y)", "P(X>Y) within strata"), role="main"):
        assert row.verdict != "disparity shown" and row.conf_low < 0.5 < row.conf_high
    for row in rows.where(metric="score distribution", role="main"):
        assert row.p_value == 1


@pytest.mark.long
def test_scores_and_adjusted_gaps_do_not_contradict_themselves(made):
    people = made.assign(job=np.where(made.index % 3, "x", "y"), age=np.arange(len(made)) % 31)
    design, seen = fs.survey_design(**NESTED), set()
    for more in np.linspace(0, 2, 9) * made["x"].std():
        apart = people.assign(x=made["x"] + more * (made["g"] == "b"))
        rows = fs.audit(apart, "d", "g", reference="a", design=design, **SCORED).estimates
        amounts = fs.audit(apart, amount="x", groups="g", adjust_for="~ age", reference="a", design=design).estimates
        for row in [*rows, *amounts]:
            if row.verdict in ("disparity shown", "inconclusive") and row.conf_low == row.conf_low:
                null = 0.5 if row.metric.startswith("P(X>Y)") else 1.0 if row.contrast == "ratio" else 0.0
                away = not row.conf_low <= null <= row.conf_high
                assert (row.p_adjusted < 0.05) == away == (row.verdict == "disparity shown"), row
                seen.add((row.metric, row.verdict))
    for metric in ("P(X>Y)", "P(X>Y) within strata", "adjusted gap"):
        assert {(metric, "disparity shown"), (metric, "inconclusive")} <= seen, metric


def test_reports_of_scores_and_adjusted_gaps_name_the_design(made):
    people = made.assign(job=np.where(made.index % 3, "x", "y"), age=np.arange(len(made)) % 31)
    design = fs.survey_design(**NESTED)
    scores = fs.audit(people, "d", "g", reference="a", design=design, **SCORED)
    amounts = fs.audit(people, amount="x", groups="g", adjust_for="~ age", reference="a", design=design)
    for result, english, german in (
        (scores, "variance of the survey's design, logit, t", "Varianz des Stichprobenplans, logit, t"),
        (scores, "limits of a score test on effective sizes", "Grenzen eines Score-Tests mit effektiven Umfängen"),
        (amounts, "variance of the survey's design, t", "Varianz des Stichprobenplans, t"),
    ):
        assert english in html.unescape(" ".join(fs.report(result).html.split()))
        assert german in html.unescape(" ".join(fs.report(result, language="de").html.split()))
    assert "one test, linearized, t. Medians: Woodruff's" in " ".join(amounts.summary().split())


def test_the_command_takes_a_design(made, tmp_path, capsys):
    made.to_csv(tmp_path / "people.csv", index=False)
    options = [f"--design={entry}" for entry in ("weights=w", "strata=s", "clusters=k", "nest=true")]
    with pytest.raises(SystemExit) as stopped:
        main(["audit", str(tmp_path / "people.csv"), "--decision", "d", "--groups", "g", *options])
    assert stopped.value.code in (0, None)
    assert "units drawn in 6 strata" in " ".join(capsys.readouterr().out.split())


def test_jackknife_weights_that_are_called_half_samples_are_refused(made):
    units = made["u"].unique()[:12]
    left = {f"r{i}": made["w"] * np.where(made["u"] == unit, 0.0, 12 / 11) for i, unit in enumerate(units)}
    rules = {"replicate_weights": "r*", "kind": "BRR"}
    with pytest.raises(InputError, match=r"kind 'BRR', and 9.% of the replicate weights are about those"):
        audit(made.assign(**left), **rules)
    assert len(audit(made.assign(**left), **rules, scale=11 / 12).estimates)  # who says the scale, decides
    with pytest.raises(InputError, match="has 1 rscales and 12 replicates; pass one of each"):
        audit(made.assign(**left), **rules | {"kind": "JK1", "rscales": [0.8]})


def test_a_printed_audit_of_weights_counts_the_rows_behind_them() -> None:
    people = {"g": ["a"] * 30 + ["b"] * 20, "hired": [0, 1] * 25, "w": [3.0] * 30 + [7.5] * 20}
    text = " ".join(str(fs.audit(people, "hired", "g", weights="w", weight_type="probability")).split())
    assert "Numbers of people are sums of weights. Rows behind them, by g: b (20), a (30)." in text or (
        "Numbers of people are sums of weights. Rows behind them, by g: a (30), b (20)." in text
    )


def test_the_legend_names_the_intervals_of_few_events_where_a_rate_has_them() -> None:
    people = {"g": ["a"] * 40 + ["b"] * 40, "w": [1.0, 2.0] * 40, "unit": [i // 2 for i in range(80)]}
    design, rare = fs.survey_design(clusters="unit", weights="w"), [1] * 2 + [0] * 38 + [0, 1] * 20
    result = fs.audit(people | {"hired": rare}, "hired", "g", design=design)
    assert any("Korn-Graubard" in row.method for row in result.estimates.where(role="main", contrast="none"))
    assert "Korn-Graubard intervals of few events" in " ".join(result.summary().split())
    usual = fs.audit(people | {"hired": [0, 1, 1, 0] * 20}, "hired", "g", design=design)
    assert "Korn-Graubard" not in usual.summary()


def test_rows_behind_combinations_stand_in_the_table_alone(made):
    people = made.assign(h=np.where(made["k"] == 1, "x", "y"))
    drawn = {"weights": "w", "weight_type": "probability"}
    crossed = fs.audit(people, "d", ["g", "h"], **drawn)
    assert sum("Rows behind them" in str(note) for note in crossed.notes) == 2
    (row,) = crossed.estimates.where(metric="selection rate", group="a:x", contrast="none", role="main")
    assert row.n_unweighted == ((people["g"] == "a") & (people["h"] == "x")).sum()
    assert any("Rows behind them" in str(note) for note in fs.audit(people, "d", "g:h", **drawn).notes)


def test_rows_behind_summed_weights_are_counted_for_adjusted_gaps_strata_and_all_groups() -> None:
    """Where everybody weighs 2, half of every n are rows; what is detectable is about effective people, not rows."""
    rng = np.random.default_rng(1)
    n = 900
    people = {"g": rng.choice(list("abc"), n), "s": rng.choice(["u", "v", ""], n), "w": np.full(n, 2.0)}
    people |= {"h": rng.integers(0, 2, n), "x": rng.random(n), "pay": rng.lognormal(3, 0.4, n)}
    weighted = {"groups": "g", "weights": "w", "weight_type": "probability", "strata": "s"}
    decided = fs.audit(people, decision="h", **weighted).estimates
    paid = fs.audit(people, amount="pay", adjust_for=["x"], **weighted).estimates
    counted = {"risk difference within strata", "common strata", "selection rate", "adjusted gap", "group coefficient"}
    for row in (*decided, *paid):
        if row.role != "power" and row.metric in counted:
            assert row.n_unweighted == row.n / 2 > 0, row
    assert {row.metric for row in (*decided, *paid)} >= counted
    withheld = fs.audit(people, decision="h", min_n=5, **weighted).estimates
    assert all(np.isnan(row.n_unweighted) for row in withheld)


def test_readers_see_the_standard_errors_of_a_design_and_what_stands_behind_its_numbers(rng) -> None:
    """A linearized error by hand: each unit adds its sum of w (y - p) / W, whose variance over the units counts."""
    table = pd.DataFrame({"g": rng.choice(["a", "b", "c"], 600), "psu": np.arange(600) // 20})
    table["w"] = rng.uniform(1, 4, 600)
    table["y"] = (rng.random(600) < 0.3 + 0.02 * (table.psu % 10)).astype(int)
    design = fs.survey_design(weights="w", clusters="psu")
    audited = fs.audit(table, "y", "g", design=design, reference="a")
    parts = {}
    for group in "abc":
        w = table.w.where(table.g == group, 0.0)
        parts[group] = (w * (table.y - (w @ table.y) / w.sum()) / w.sum()).groupby(table.psu).sum()

    def error(units: pd.Series) -> str:
        return f"{100 * np.sqrt(30 / 29 * ((units - units.mean()) ** 2).sum()):.1f}"

    summary = " ".join(audited.summary().split())
    said = {
        what: summary.split(f"Standard errors of {what}, in points: ")[1].split(". ")[0].split("; ")
        for what in ("rates", "differences")
    }
    assert set(said["rates"]) == {f"{group} {error(parts[group])}" for group in "abc"}
    assert set(said["differences"]) == {f"{group} {error(parts[group] - parts['a'])}" for group in "bc"}
    assert "Standard errors" not in fs.audit(table, "y", "g", reference="a").summary()
    both = fs.audit(table, "y", "g", amount="y", unit="points", design=design, reference="a").summary()
    said = {  # one call has the rates and, as svyby does, the means with their errors
        what: " ".join(both.split()).split(f"Standard errors of {what}: ")[1].split(". ")[0].split("; ")
        for what in ("means", "differences")
    }
    errors = {f"{text.split()[0]} {float(text.split()[-1]):.3f}" for text in said["means"]}
    assert errors == {f"{group} {np.sqrt(30 / 29 * ((u - u.mean()) ** 2).sum()):.3f}" for group, u in parts.items()}
    assert "Standard errors" not in fs.audit(table, amount="y", groups="g", unit="points", reference="a").summary()
    page = [text for _, text in texts(fs.report(audited).html)]
    assert error(parts["b"]) in page and error(parts["b"] - parts["a"]) in page
    first = " ".join(page[: page.index("Rules")])
    assert (
        "Rows behind them, and clusters (" in first and "30 units drawn" in first and "29 degrees of freedom" in first
    )
    with pytest.raises(InputError, match=r"of a decision coded 0 and 1, amount='y' compares adjusted shares"):
        fs.audit(table, "y", "g", design=design, adjust_for="~ w")
    assert fs.audit(table, amount="y", groups="g", design=design, adjust_for="~ w").finding()


def units_of(sizes, seed: int = 4) -> pd.DataFrame:
    """People in units of these sizes, half of each group in every unit; everybody of b has d, and none too few."""
    k = np.repeat(np.arange(len(sizes)), sizes)
    g = np.where(np.arange(k.size) % 2 == 0, "a", "b")
    d = (g == "b") | (np.random.default_rng(seed).random(k.size) < 0.5)
    return pd.DataFrame({"k": k, "g": g, "d": d.astype(int), "w": 1.0, "one": 1})


@pytest.mark.parametrize(
    ("sizes", "rule"),
    [((20,) * 12, "those of the sampled units of these two groups"), ((2,) * 10 + (60, 90), "Satterthwaite")],
)
def test_units_of_unequal_size_have_fewer_degrees_of_freedom_and_the_audit_says_which_rule_gave_them(sizes, rule):
    people = units_of(sizes)
    result = audit(people, clusters="k")
    (row,) = result.estimates.where(metric="selection rate", group="a", contrast="none")
    shares = np.array(sizes) / sum(sizes)
    assert row.df == pytest.approx(1 / np.sum(shares**2) - 1)  # 11 of units of one size
    text = " ".join(str(result).split())
    n = sum(sizes) // 2
    assert rule in text and f"and clusters (k), by g: a ({n} and 12), b ({n} and 12)" in text


def test_a_jackknife_of_the_same_units_has_their_degrees_of_freedom_and_their_limits_of_a_rate_of_one():
    people = units_of((4, 6, 10, 10, 20, 40))
    k = people["k"].to_numpy()
    people = people.assign(**{f"r{i}": people["w"] * np.where(k == i, 0.0, 6 / 5) for i in range(6)})
    replicated = audit(people, replicate_weights="r*", kind="JK1")
    for mine, other in zip(audit(people, clusters="k").estimates, replicated.estimates, strict=True):
        if mine.contrast == "none" and mine.metric == "selection rate" and mine.role == "main":
            assert other.df == pytest.approx(mine.df)
            assert mine.group != "b" or other.conf_low == pytest.approx(mine.conf_low)


def test_rates_by_group_are_printed_before_notes_on_units_and_sums_of_weights_have_no_decimals() -> None:
    rng = np.random.default_rng(4)
    n = 1400
    data = pd.DataFrame({"h": np.repeat(np.arange(12), n // 12 + 1)[:n], "c": rng.integers(0, 4, n)})
    data["w"], data["sex"] = rng.gamma(4, 30, n).round(2), rng.choice(["F", "M"], n)
    data["eth"] = rng.choice(["Majority", "Minority A", "Minority B"], n, p=[0.6, 0.3, 0.1])
    data["d"] = np.where(rng.random(n) < 0.55 - 0.15 * (data.eth == "Minority A"), "yes", "no")
    data["s"] = rng.normal(50 - 4 * (data.eth == "Minority A"), 12)
    design = fs.survey_design(weights="w", strata="h", clusters="c", nest=True)
    result = fs.audit(data, "d", ["eth", "sex"], favorable="yes", score="s", design=design, intersections=False)
    text = str(result)
    for name, label in (("eth", "Minority A"), ("sex", "M")):
        people, events = (data.w[(data[name] == label) & kept].sum() for kept in (data.d != "", data.d == "yes"))
        called = {"M": "Men"}.get(label, label)
        line = next(line for line in text.splitlines() if line.strip().startswith(f"{called} "))
        assert f"{people:,.0f} {100 * events / people:.1f}" in " ".join(line.split())
    assert "not printed" not in text and len(text.splitlines()) <= 39  # ten for errors
    page = fs.report(result).html
    assert f"{people:,.0f}" in page and not re.search(r"\d,\d{3}\.\d", page)
    assert not re.search(r"Defined in the appendix:\s*</(p|dt|span|strong)>\s*</", page)


def test_the_print_of_a_survey_has_its_tables_with_standard_errors_before_notes_and_the_group_that_differs() -> None:
    rng = np.random.default_rng(1)
    n = 1200
    data = pd.DataFrame({"h": np.repeat(np.arange(12), 100), "c": np.tile(np.repeat(np.arange(5), 20), 12)})
    data["w"], data["g"] = rng.uniform(50, 150, n), rng.choice(["w", "b", "h", "a"], n)
    data["need"] = rng.normal(50 - 5 * (data.g == "b"), 9)
    data["helped"] = (rng.random(n) < 0.4).astype(int)
    design = fs.survey_design(weights="w", strata="h", clusters="c", nest=True)
    about = {"groups": "g", "reference": "w", "design": design}
    points = fs.audit(data, amount="need", unit="points", **about)
    both = fs.audit(data, "helped", amount="need", unit="points", **about)
    error = {r.group: r.std_error for r in both.estimates.where(metric="selection rate", contrast="none", given="")}
    for result in (points, both):
        text = " ".join(str(result).split())
        for group in "wbha":
            assert re.search(rf" {group} [\d,]+ [\d.]+ ", text)
        assert "Standard errors of means: " in text and "not printed" not in text
        assert text.index("Standard errors of differences") < text.index("Of the whole sampling design")
    assert f"a {100 * error['a']:.1f}" in text.partition("Standard errors of rates, in points: ")[2].partition(".  ")[0]
    assert "counts are sums of weights" in text
    rates = fs.table(both)
    assert "std. error (%)" in rates.to_markdown() and "'gaps', 'means' and " in " ".join(str(rates).split())
    gaps = fs.table(points).to_frame()
    assert {"difference (points)", "std. error (points)", "adjusted p"} <= {
        *gaps.columns
    } and "not estimable" not in gaps.to_string()
    two = data[data.g.isin(["w", "b"])].assign(got=lambda d: ((d.g == "w") | (d.c == 0)).astype(int))
    differs = fs.audit(two, "got", "g", reference="w", weights="w", weight_type="probability")
    assert "(arithmetic only, in sums of weights)" in differs.finding()


def test_that_numbers_are_sums_of_weights_is_said_where_rows_are_withheld(made) -> None:
    result = audit(made, **NESTED)
    hidden = fs.audit(made, "d", "g", reference="a", design=fs.survey_design(**NESTED), min_n=3)
    said = "Numbers of people are sums of weights."
    assert f"{said} Rows behind them, and clusters" in " ".join(str(result).split())
    text = f"{said} Rows behind them are not shown where small groups are withheld."
    for words in (str(hidden), hidden.summary(), " ".join(part for _, part in texts(fs.report(hidden).html))):
        assert text in " ".join(words.split())
    amounts = fs.audit(made, amount="x", unit="points", groups="g", design=fs.survey_design(**NESTED))
    for one, note in (
        (result, "Events and people: sums of weights."),
        (hidden, "Events and people"),
        (amounts, "n: s"),
    ):
        page = " ".join(part for _, part in texts(fs.report(one).html))
        assert note in page and "n: sums of weights." in page
    plain = " ".join(part for _, part in texts(fs.report(fs.audit(made, "d", "g")).html))
    assert "sums of weights" not in plain


@pytest.mark.parametrize("role", [{}, {"domain": "inside"}])
def test_a_missing_weight_under_a_design_is_not_dropped(made, role) -> None:
    lost = made.assign(w=made["w"].where(made.index != 3), inside=made.index != 3)
    with pytest.raises(InputError, match=r"1 missing values .*give these rows weight 0, as those outside of domain"):
        audit(lost, **NESTED | role)
    kept = audit(lost.fillna({"w": 0.0}), **NESTED | role)
    assert kept.estimates == audit(made.assign(inside=made.index != 3), **NESTED, domain="inside").estimates
    with pytest.raises(InputError, match="fill them in or drop the rows"):
        fs.audit(lost, "d", "g", weights="w", weight_type="probability")


def test_under_the_law_of_employment_a_sample_says_why_it_has_no_impact_ratio(made) -> None:
    why = "Impact ratio and four fifths are of people counted one by one, not under survey weights or clusters."
    for sampled in ({"design": fs.survey_design(**NESTED)}, {"weights": "w", "weight_type": "probability"}):
        result = fs.audit(made, "d", "g", law="employment", **sampled)
        page = " ".join(part for _, part in texts(fs.report(result).html))
        assert result.finding().count(why) == page.count(why) == 1
        assert why not in fs.audit(made, "d", "g", **sampled).finding()
    assert why not in fs.audit(made, "d", "g", law="employment").finding()


def test_one_stratum_and_one_degree_of_freedom_are_singular() -> None:
    people = units_of((20, 20)).assign(s=1)
    text = " ".join(audit(people, strata="s", clusters="k").summary().split())
    assert "2 units drawn in 1 stratum, 1 degree of freedom (units less strata)" in text
    text = " ".join(audit(pd.concat([people, people.assign(s=2)]), **NESTED).summary().split())
    assert "4 units drawn in 2 strata, 2 degrees of freedom" in text


def test_weights_of_a_survey_that_are_taken_as_counts_are_pointed_out_in_print(made) -> None:
    result = fs.audit(pd.concat([made] * 9).assign(w=40), "d", "g", weights="w")
    assert "taken as counts" in " ".join(str(result).split()) and "taken as counts" in result.summary()
