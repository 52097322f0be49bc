"""Every unusable input is an error that names the argument, the value and the way out."""

from __future__ import annotations

import ast
import io
import re

import numpy as np
import pandas as pd
import pytest

import fairstats
from fairstats.auditing.audit import audit
from fairstats.auditing.people import _check_weights
from fairstats.auditing.protocol import Protocol
from fairstats.auditing.sensitivity import MOST_THRESHOLDS, _thresholds
from fairstats.cli import run
from fairstats.data.batches import WeightFacts
from fairstats.errors import FileError, InputError

DATA = pd.DataFrame(
    {
        "race": ["a", "b", "b", None] * 5,
        "same": ["x"] * 20,
        "many": [str(i) for i in range(20)] * 1,
        "y": [0, 1, 1, 0] * 5,
        "three": [0, 1, 2, 0] * 5,
        "one": [1] * 20,
        "d": ["no", "yes"] * 10,
        "s": np.arange(20.0),
        "negative": [-1.0] + [1.0] * 19,
        "half": [0.5] * 20,
        "countless": [2.0**50] * 20,
        "huge": [1e300] * 20,
        "tiny": [1e-300] + [1.0] * 19,
        "void": [None] * 20,
        "endless": [np.inf] + [1.0] * 19,
    }
)
DECIDED = {"decision": "d", "favorable": "yes", "groups": "race"}

CASES = {
    "unknown column": ({"outcome": "y", "groups": "rase"}, "did you mean 'race'"),
    "unknown outcome": ({"outcome": "yy", "groups": "race"}, "outcome"),
    "outcome with twenty values": ({"outcome": "s", "groups": "race"}, r"outcome has 's' with 20 values \(0, 1, 10"),
    "decision with twenty values": ({"decision": "s", "groups": "race"}, "decision has 's' with 20 values"),
    "threshold above the scores": ({"score": "s", "threshold": 50, "groups": "race"}, "go from 0 to 19"),
    "threshold at the lowest score": ({"score": "s", "threshold": 0, "groups": "race"}, "everybody would get the same"),
    "threshold alone": ({"threshold": 0.5, "groups": "race"}, "it needs scores; name the column"),
    "threshold without score": ({"outcome": "y", "threshold": 1, "groups": "race"}, "it needs scores"),
    "threshold that is not finite": ({"score": "s", "threshold": float("nan"), "groups": "race"}, "finite number"),
    "threshold and decision": ({**DECIDED, "score": "s", "threshold": 1}, "defined twice"),
    "favorable of a threshold": ({"score": "s", "threshold": 5, "groups": "race", "favorable": "yes"}, "favorable=0"),
    "predicts of a threshold": (
        {"score": "s", "threshold": 5, "groups": "race", "positive_prediction": "yes"},
        "positive_prediction=0",
    ),
    "one group": ({**DECIDED, "groups": "same"}, "'x'"),
    "unknown reference": ({**DECIDED, "reference": "B"}, "reference has 'B'; .*The groups are b, a"),
    "unknown reference of an attribute": ({**DECIDED, "reference": {"race": "c"}}, "reference has 'c'; 'race' has no"),
    "positive label absent": ({"outcome": "y", "positive": "Yes", "groups": "race"}, "positive has 'Yes'; .* 0, 1"),
    "favorable label absent": ({**DECIDED, "favorable": "Yes"}, "did you mean 'yes'"),
    "margin of zero": ({**DECIDED, "margin": 0}, "margin has 0"),
    "negative margin": ({**DECIDED, "margin": -0.1}, "above 0 and below 1"),
    "conf_level of 1": ({**DECIDED, "conf_level": 1}, "conf_level has 1"),
    "conf_level in per cent": ({**DECIDED, "conf_level": 95}, "pass 0.95"),
    "unknown adjustment": ({**DECIDED, "p_adjust": "hoch"}, "p_adjust has 'hoch'"),
    "unknown missing": ({**DECIDED, "missing": "ignore"}, "missing has 'ignore'"),
    "min_n of 2.5": ({**DECIDED, "min_n": 2.5}, "min_n has 2.5; it is a whole number"),
    "no columns": ({"groups": "race"}, "nothing can be audited"),
    "no groups": ({"outcome": "y"}, "groups is absent"),
    "a group twice": ({**DECIDED, "groups": ["race", "race"]}, "'race' more than once"),
    "group is the outcome": ({"outcome": "y", "groups": "y"}, "it is also the outcome"),
    "column not named by text": (
        {"outcome": 3, "groups": "race"},
        "outcome has 3; it must be text; pass the name of a column",
    ),
    "several decisions": (
        {"decision": ["d", "y"], "groups": "race"},
        "decisions of several models are for fairstats.compare_models",
    ),
    "missing groups refused": ({**DECIDED, "missing": "raise"}, "race.*5 missing values"),
    "negative weights": ({**DECIDED, "weights": "negative"}, r"negative values \(row 1\)"),
    "frequencies that are not whole": (
        {**DECIDED, "weights": "half"},
        "weight_type='probability', or its whole design by design",
    ),
    "frequencies that cannot be added up": ({**DECIDED, "weights": "countless"}, r"a sum of 2.25e\+16; .* 2\^53"),
    "weights too large": (
        {**DECIDED, "weights": "huge", "weight_type": "probability"},
        "20 values above 1e50 or below 1e-50 .*divide them by their mean",
    ),
    "weights too small": ({**DECIDED, "weights": "tiny", "weight_type": "probability"}, r"below 1e-50 \(row 1\)"),
    "scores that are text": ({"score": "d", "groups": "race"}, "score"),
    "infinite decisions": (
        {"decision": "endless", "favorable": 1, "groups": "race"},
        "='endless' has infinite .*row 1",
    ),
    "infinite outcomes": (
        {"outcome": "endless", "positive": 1, "groups": "race"},
        "='endless' has infinite .*row 1",
    ),
    "infinite groups": ({"outcome": "y", "groups": "endless"}, "='endless' has infinite .*row 1"),
    "scores that are not finite": ({"score": "endless", "groups": "race"}, r"infinite values in 'endless' \(row 1\)"),
    "outcome without values": ({"outcome": "void", "groups": "race"}, "all its values are missing"),
    "labels that do not match": ({**DECIDED, "outcome": "y"}, "pass positive_prediction="),
    "predicts that is no label": (
        {**DECIDED, "outcome": "y", "positive_prediction": "Y"},
        "positive_prediction has 'Y'",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_bad_input_is_named_with_its_way_out(case):
    arguments, message = CASES[case]
    with pytest.raises(InputError, match=message):
        audit(DATA, **arguments)


def test_too_many_groups():
    data = pd.DataFrame({"id": [f"i{i}" for i in range(5002)], "k": ["a", "b"] * 2501, "d": [0, 1] * 2501})
    with pytest.raises(InputError, match="5002 levels; an audit compares at most 5000"):
        audit(data, decision="d", groups="id")
    with pytest.raises(InputError, match=r"'half:other' with 5002 levels.*leave this intersection out"):
        halves = {"half": data["id"].str[:3], "other": data["id"].str[3:]}
        audit(data.assign(**halves), decision="d", groups=["half", "other"])


@pytest.mark.parametrize(
    ("which", "text"),
    [
        ("pair", "did you mean 'pairs'"),
        ("none", "has 'none'; the choices are pairs, full; pass 'pairs', 'full', a list .* or False for none"),
        (True, "has True; it says which columns are crossed"),
        (["sex"], "'sex' in a list, which joins no columns"),
        (["sex:age"], "'age' is not among groups.*they are sex, race"),
        (["sex:sex"], "which is one column"),
    ],
)
def test_intersections_that_are_none(which, text):
    data = pd.DataFrame({"sex": ["f", "m"] * 10, "race": ["a", "a", "b", "b"] * 5, "d": [0, 1, 1, 1] * 5})
    with pytest.raises(InputError, match=text):
        audit(data, decision="d", groups=["sex", "race"], intersections=which)


def test_nobody_is_left():
    data = pd.DataFrame({"a": ["x", "y", None, None], "b": [None, None, "x", "y"], "d": [0, 1, 0, 1]})
    with pytest.raises(InputError, match="nobody has a known group"):
        audit(data, decision="d", groups=["a", "b"], missing="drop")


def test_duplicate_column_names():
    data = pd.DataFrame([[0, 1, "a"], [1, 0, "b"]], columns=["d", "d", "g"])
    with pytest.raises(InputError, match="several columns named d"):
        audit(data, decision="d", groups="g")


def test_a_thing_that_is_no_table():
    with pytest.raises(InputError, match="data"):
        audit(42, decision="d", groups="g")


def test_markup_in_group_names_is_kept_as_data():
    names = ["<script>alert(1)</script>", '"><img src=x onerror=alert(1)>']
    data = pd.DataFrame({"g": names * 10, "d": [0, 1, 1, 1] * 5})
    result = audit(data, decision="d", groups="g")
    assert {c.group for c in result.cells} == set(names)
    assert {r["group"] for r in result.to_dict()["estimates"]} == set(names)


def test_a_protocol_file_that_is_contradicted(tmp_path):
    path = tmp_path / "audit.toml"
    path.write_text('decision = "d"\nfavorable = "yes"\ngroups = "race"\nconf_level = 0.9\n')
    with pytest.raises(InputError, match=re.escape("conf_level has 0.99; the protocol audit.toml has 0.9")):
        audit(DATA, conf_level=0.99, protocol=path)


@pytest.mark.parametrize(
    "argument",
    [
        {"margin": 0.25},
        {"reference": "a"},
        {"p_adjust": "holm"},
        {"intersections": False},
        {"strata": "d"},
        {"seed": 1},
    ],
)
def test_what_decides_and_is_not_in_the_protocol_file_is_refused(argument, tmp_path):
    path = tmp_path / "audit.toml"
    path.write_text('decision = "d"\nfavorable = "yes"\ngroups = "race"\n')
    (name,) = argument
    with pytest.raises(InputError, match=f"{name} has .*; it is not in the protocol audit.toml"):
        audit(DATA, **argument, protocol=path)


def test_an_error_of_an_entry_names_the_protocol_file(tmp_path):
    path = tmp_path / "audit.toml"
    path.write_text('decision = "d"\nfavorable = "yes"\ngroups = "race"\nconf_level = 95\n')
    with pytest.raises(
        InputError, match=r"^protocol has 'audit\.toml': entry conf_level has 95; it is a number above 0"
    ):
        audit(DATA, protocol=path)


def test_what_others_call_an_option_is_named_without_a_word_on_letters():
    with pytest.raises(InputError, match="did you mean 'bh'\\?"):
        audit(DATA, "d", "race", favorable="yes", p_adjust="fdr")


def test_a_favorable_label_of_the_groups_tells_of_swapped_columns():
    people = {"colour": ["a", "b"] * 20, "released": ["Yes", "No", "Yes", "Yes"] * 10}
    with pytest.raises(InputError, match="'Yes' is a label of groups='released'; did you swap decision and groups"):
        audit(people, "colour", "released", favorable="Yes")
    with pytest.raises(InputError, match="has no such label"):
        audit(people, "colour", "released", favorable="Maybe")


def test_words_may_be_added_and_a_protocol_says_none_of_intersections(tmp_path):
    path = tmp_path / "audit.toml"
    path.write_text('decision = "d"\nfavorable = "yes"\ngroups = "race"\nintersections = "none"\n')
    result = audit(DATA, protocol=path, about={"system": "Screener"}, action_plan=True, labels={"unit": "students"})
    assert result.protocol.intersections == () and result.protocol.about.system == "Screener"


@pytest.mark.parametrize(
    ("content", "message"),
    [("groups = [", "it is not TOML"), ('group = "race"', "did you mean 'groups'"), ("", "nothing can be audited")],
)
def test_a_protocol_file_that_cannot_be_used(tmp_path, content, message):
    path = tmp_path / "audit.toml"
    path.write_text(content)
    with pytest.raises(InputError, match=message):
        audit(DATA, protocol=path)


def test_a_protocol_file_that_is_not_there(tmp_path):
    with pytest.raises(FileError, match="there is no file"):
        audit(DATA, protocol=tmp_path / "audit.toml")


def test_a_cluster_may_be_missing_only_of_people_who_are_left_out():
    people = DATA.assign(c=[None if pd.isna(race) else str(i % 5) for i, race in enumerate(DATA["race"])])
    kept = audit(people, decision="d", favorable="yes", groups="race", clusters="c", missing="drop")
    assert kept.estimates.only(metric="selection rate", attribute="race", reference="")[0].n == 10
    with pytest.raises(InputError, match=r"clusters has 'c' with 5 missing values \(rows 4, 8, 12"):
        audit(people, decision="d", favorable="yes", groups="race", clusters="c", missing="level")
    people.loc[0, "c"] = None
    with pytest.raises(InputError, match=r"clusters has 'c' with 1 missing values \(row 1\)"):
        audit(people, decision="d", favorable="yes", groups="race", clusters="c", missing="drop")


@pytest.mark.parametrize(
    ("bad", "kind", "message"),
    [
        (np.nan, "frequency", "1 missing values"),
        (-1.0, "probability", "1 negative values"),
        (0.5, "frequency", "1 values that are not whole"),
        (0.5, "probability", None),
        (1e60, "probability", "1 values above 1e50 or below 1e-50"),
    ],
)
def test_a_single_weight_that_cannot_be_one_is_refused(bad: float, kind: str, message: str | None) -> None:
    data = pd.DataFrame({"g": ["a", "b"] * 30, "d": [0, 1, 1] * 20, "w": [1.0] * 59 + [bad]})
    if message is None:
        assert fairstats.audit(data, "d", "g", weights="w", weight_type=kind).estimates
        return
    with pytest.raises(InputError, match=f"weights has 'w' with {message}"):
        fairstats.audit(data, "d", "g", weights="w", weight_type=kind)


def test_a_word_beside_the_default_of_a_decision_is_no_pair_of_labels() -> None:
    data = pd.DataFrame({"g": ["a", "b"] * 30, "d": ["approved"] * 60, "y": ["good", "bad", "bad"] * 20})
    with pytest.raises(InputError, match="favorable"):
        fairstats.audit(data, "d", "g", outcome="y", positive="bad")


@pytest.mark.parametrize("kind", ["frequency", "probability"])
@pytest.mark.parametrize(
    ("facts", "message"),
    [
        (WeightFacts(least=1.0, most=5.0), None),
        (WeightFacts(unusable=1, least=1.0, most=5.0), "1 missing or infinite values"),
        (WeightFacts(negative=1, least=1.0, most=5.0), "1 negative values"),
        (WeightFacts(fractions=1, least=0.5, most=5.0), "1 values that are not whole"),
        (WeightFacts(least=1e-60, most=5.0), "values above 1e50 or below 1e-50"),
        (WeightFacts(least=1.0, most=1e60), "values above 1e50 or below 1e-50"),
    ],
)
def test_a_single_weight_of_an_engine_that_cannot_be_one_is_refused(
    kind: str, facts: WeightFacts, message: str | None
) -> None:
    tally = fairstats.tally({"g": ["a", "b"], "d": [0, 1], "w": [1.0, 2.0]}, "d", "g", weights="w")
    declared = Protocol(("g",), decision="d", weights="w", weight_type=kind)
    if message is None or (facts.fractions and kind == "probability"):
        _check_weights(tally, facts, declared)
        return
    with pytest.raises(InputError, match=f"weights has 'w' with {message}"):
        _check_weights(tally, facts, declared)


@pytest.mark.parametrize("distinct", [2, MOST_THRESHOLDS, MOST_THRESHOLDS + 1, MOST_THRESHOLDS + 2, 60])
def test_a_sweep_has_every_threshold_where_they_are_few_and_else_the_twentieths(distinct: int) -> None:
    scores = np.repeat(np.arange(distinct, dtype=float), 3)
    values = _thresholds(scores)
    if distinct - 1 <= MOST_THRESHOLDS:
        np.testing.assert_array_equal(values, np.arange(1, distinct))
    else:
        places = np.ceil(np.arange(1, 20) / 20 * scores.size).astype(int) - 1
        np.testing.assert_array_equal(values, np.unique(scores[places]))


def three_answers(missing: bool) -> pd.DataFrame:
    """Decisions of three kinds, whole and broken numbers, and two groups."""
    rng = np.random.default_rng(4)
    data = pd.DataFrame({"g": rng.choice(["a", "b"], 300), "x": rng.choice(["accept", "reject", "review"], 300)})
    data["code"], data["p"] = rng.integers(0, 3, 300), rng.random(300)
    if missing:
        data.loc[:9, "x"] = None
    return data


@pytest.mark.parametrize("missing", [False, True])
def test_one_of_many_decisions_is_set_against_all_others_and_nobody_is_left_out(missing):
    data = three_answers(missing)
    data["many"] = data["x"].str.cat(data["code"].astype(str).add(data["g"].mul(data.index % 2)))
    with pytest.raises(InputError, match=r"keep every row and pass favorable='accept0'"):
        audit(data, "many", "g")
    result = audit(data, "x", "g", favorable="review")
    assert {step.label: step.n for step in result.flow}["decision missing"] == 10 * missing
    chosen = sum(cell.favorable for cell in result.cells)
    assert chosen == (data["x"] == "review").sum() and result.data.rows == 300
    for argument in ({"decision": "many"}, {"outcome": "many"}, {"decision": "p"}, {"outcome": "p"}):
        with pytest.raises(InputError) as error:
            audit(data, groups="g", **argument)
        assert "leave out" not in str(error.value)
        assert ("score='p'" in str(error.value)) == ("p" in argument.values())


@pytest.mark.parametrize(
    "values",
    [[0.1, 0.8], [0.001, 0.002, 0.0031], [3.25, 3.251, 3.2515, 7.0], list(range(40)), [-2.5, 1e6], [1.5, 1.5, 2.5]],
)
def test_the_classes_that_a_message_proposes_hold_everybody(values):
    data = pd.DataFrame({"g": np.resize(values, 120), "d": [0, 1] * 60})
    with pytest.raises(InputError, match=r"pandas\.cut") as error:
        audit(data, "d", "g")
    code = re.search(r"\((pandas\.cut\(.*?\]\))", str(error.value)).group(1)
    classes = eval(code, {"data": data, "pandas": pd})  # noqa: S307
    assert classes.notna().all() and classes.nunique() > 1


def test_what_stands_in_the_place_of_the_table_is_answered_by_a_call_that_runs():
    data = three_answers(False)
    y, d = data["code"] > 0, data["p"] > 0.5
    with pytest.raises(InputError, match=r"audit\(outcome=y_true, decision=y_pred, groups=sensitive_features\)"):
        audit(y, d, sensitive_features=data["g"])
    assert audit(outcome=y, decision=d, groups=data["g"]).data.rows == 300

    class Model:
        def predict(self, X):
            return d

    with pytest.raises(InputError, match=r"audit\(X, decision=model.predict\(X\), groups=...\)"):
        audit(Model(), data, y, groups="g")
    assert audit(data, decision=Model().predict(data), groups="g").data.rows == 300
    with pytest.raises(InputError, match="tolerance is called margin here"):
        audit(data, d, "g", tolerance=0.05)


def test_periods_are_groups_by_their_text():
    data = pd.DataFrame({"m": pd.PeriodIndex(["2024-01", "2024-02"] * 30, freq="M"), "d": [0, 1, 1] * 20})
    assert [cell.group for cell in audit(data, "d", "m").cells] == ["2024-01", "2024-02"]


def test_groups_that_may_be_one_and_labels_that_may_be_missing_are_cautioned_against():
    groups = ["f", "f ", "F", "caf\u00e9", "cafe\u0301", "n/a", "m"]
    data = pd.DataFrame({"g": np.repeat(groups, 40), "d": [0, 1] * 140})
    notes = " ".join(audit(data, "d", "g").notes)
    assert (
        re.search(r"audited apart: g \('.*f '.*\), g \('caf", notes) and "may mean that the group is not known" in notes
    )
    clean = audit(data[data["g"].isin(["f", "m"])], "d", "g").notes
    assert not any("audited apart" in note or "not known are" in note for note in clean)


def test_an_outcome_that_is_the_decision_is_refused():
    data = {"g": ["a", "b"] * 20, "h": [1, 1, 0, 0] * 10}
    with pytest.raises(InputError, match="outcome has 'h'; it is also the decision"):
        audit(data, "h", "g", outcome="h")


@pytest.mark.parametrize(
    ("arguments", "wording"),
    [
        ({"weight_type": "probability"}, "weight_type has 'probability'; there are no weights"),
        ({"positive": "Q"}, "positive has 'Q'; it is a label of the outcome, and there is none"),
        ({"margin": {"auc": 0.1}}, "margin has 'auc' (0.1); it is for comparisons of scores, and there are none"),
        ({"margin": {"leakage": 0.1}}, "margin has 'leakage' (0.1); no row of an audit measures leakage"),
    ],
)
def test_what_would_do_nothing_is_refused(arguments: dict[str, object], wording: str) -> None:
    data = {"g": ["a", "b"] * 40, "y": [1, 0] * 40}
    with pytest.raises(fairstats.InputError, match=re.escape(wording)):
        fairstats.audit(data, "y", "g", **arguments)


@pytest.mark.parametrize("role", ["decision", "outcome"])
def test_a_measurement_of_which_a_label_was_chosen_is_told_what_it_may_be_in_a_few_words(role):
    data = {"g": ["a", "b"] * 400, "income": [100 + k / 7 for k in range(800)]}
    chosen = {"decision": "favorable", "outcome": "positive"}[role]
    with pytest.raises(
        InputError, match=r"with 800 values .*; if they are scores, pass score='income'|amount='income'"
    ) as found:
        audit(data, groups="g", **{role: "income", chosen: 1})
    assert len(str(found.value)) < 400
    data["income"] = [f"L{k % 300}" for k in range(800)]
    with pytest.raises(
        InputError, match=rf"has no such label; its labels are .* {chosen}='L101' or another of them"
    ) as found:
        audit(data, groups="g", **{role: "income", chosen: "no"})
    assert len(str(found.value)) < 400
    assert audit(data, groups="g", **{role: "income", chosen: "L7"}).estimates  # one of many, set against the rest


@pytest.mark.parametrize(("decision", "outcome"), [("y_true", "y_pred"), ("actual", "prediction"), ("Truth", "yPred")])
def test_what_happened_and_what_was_predicted_that_were_swapped_are_asked_about(decision: str, outcome: str) -> None:
    data = pd.DataFrame({"g": ["a", "b"] * 20, decision: [0, 1, 1, 0] * 10, outcome: [0, 1, 1, 1] * 10})
    wording = (
        rf"did you swap them\? Pass decision='{outcome}' and outcome='{decision}', or, if not, positive_prediction="
    )
    with pytest.raises(InputError, match=wording):
        audit(data, decision, "g", outcome=outcome)
    assert audit(data, decision, "g", outcome=outcome, positive_prediction=1).references
    assert audit(data, outcome, "g", outcome=decision).references
    several = data.assign(**{decision: ["a", "b", "c", "a"] * 10, outcome: ["a", "b", "c", "c"] * 10})
    with pytest.raises(InputError, match=r"did you swap them.*give the columns other names"):
        audit(several, decision, "g", outcome=outcome)


def test_what_is_no_table_is_called_what_it_is(tmp_path) -> None:
    with pytest.raises(InputError, match="data is an open file; pass its path"):
        audit(io.StringIO("g,d\na,1\n"), "d", "g")
    with pytest.raises(FileError, match="text of several lines and no path"):
        audit("g,d\na,1\n" * 99, "d", "g")
    with pytest.raises(FileError, match=r"a folder without files of \.parquet"):
        audit(tmp_path, "d", "g")
    with pytest.raises(InputError, match="the line with the names of the columns is missing"):
        audit({"M": ["F", "M"], "0.343": [1, 2]}, "d", "g")
    with pytest.raises(InputError) as found:
        audit({"0": ["F", "M"], "1": [1, 2]}, "d", "g")
    assert "is missing" not in str(found.value)


@pytest.mark.parametrize("threshold", [None, 0.5])
def test_a_score_that_is_the_same_of_everybody_is_refused(threshold: float | None) -> None:
    data = {"g": ["a", "b"] * 20, "y": [0, 1, 1, 0] * 10, "s": [0.5] * 40}
    with pytest.raises(InputError, match=r"score has 's', which is 0\.5 for everybody"):
        audit(data, score="s", outcome="y", groups="g", threshold=threshold)


def test_one_number_in_two_spellings_is_no_third_answer() -> None:
    data = {"g": ["a", "b"] * 20, "d": ["0", "1", "1", "1.0"] * 10}
    with pytest.raises(InputError, match=r"spells one class in several ways \('1', '1.0'\)"):
        audit(data, "d", "g")
    with pytest.raises(InputError, match="'d' spells it in 2 ways"):
        audit(data, "d", "g", favorable="1")


@pytest.mark.parametrize(
    ("text", "way"),
    [("34.3%", "take the % away"), ("1,742.17", "without marks of thousands"), ("1.742,17", "marks of"),
     ("many", "correct or code it"), ("0,500", "with a decimal comma.*correct or code it")],
)  # fmt: skip
def test_text_that_is_nearly_a_number_has_a_way_to_become_one(text: str, way: str) -> None:
    with pytest.raises(InputError, match=way):
        audit({"g": ["a", "b"] * 20, "s": [text, "2"] * 20}, amount="s", groups="g")


def test_a_row_of_the_names_of_the_columns_is_refused() -> None:
    data = pd.DataFrame({"g": ["a", "b", "g"] * 10, "d": ["0", "1", "1"] * 10})
    assert audit(data, "d", "g").references  # a group that is called as its column is
    header = pd.DataFrame({"g": ["g"], "d": ["d"]})
    with pytest.raises(InputError, match=r"a row whose values are the names of the columns \(g, d\); leave it out"):
        audit(pd.concat([data, header], ignore_index=True), "d", "g")


@pytest.mark.parametrize("answers", [(0, 1), (False, True), ("no", "yes")])
def test_a_decision_and_a_group_that_were_swapped_are_asked_about(answers: tuple[object, object]) -> None:
    data = pd.DataFrame({"sex": ["f", "m"] * 10, "hired": [answers[i % 3 == 0] for i in range(20)]})
    with pytest.raises(InputError, match=r"did you swap them.*decision='hired' and groups='sex'.*favorable='f' or"):
        audit(data, "sex", "hired")
    assert audit(data, "sex", "hired", favorable="m").references  # who says which label helps is not asked
    with pytest.raises(InputError, match="favorable has '1', its default"):  # both are words: neither is known
        audit(data.assign(hired=np.where(data["hired"] == answers[0], "no", "hired")), "sex", "hired")


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ({"outcome": "d", "favorable": "yes"}, "favorable has 'yes'; it is a label of the decision, and there is none"),
        (
            {"outcome": "d", "positive_prediction": "yes"},
            "positive_prediction has 'yes'; it is the decision that predicts",
        ),
    ],
)
def test_a_label_of_a_column_that_is_not_there_is_refused(given: dict[str, str], text: str) -> None:
    with pytest.raises(InputError) as error:
        fairstats.audit({"g": ["a", "b"] * 4, "d": ["no", "yes", "yes", "no"] * 2}, groups="g", **given)
    assert text in str(error.value)


@pytest.mark.parametrize(
    ("decision", "outcome", "beside"),
    [
        ([0, 1], ["no", "paid"], ", and the decision that predicts it: positive_prediction='0' or positive_pred"),
        (["x", "y"], ["x", "z"], ""),
        (["TRUE", "FALSE"], ["2", "0"], ""),
    ],
)
def test_a_missing_positive_label_names_the_prediction_too_where_no_choice_tells_it(
    decision: list[object], outcome: list[str], beside: str
) -> None:
    data = {"sex": ["f", "m"] * 40, "lent": decision * 40, "paid": outcome * 20 + outcome[::-1] * 20}
    with pytest.raises(fairstats.InputError, match=r"positive has '1', its default; 'paid' has no such label") as error:
        fairstats.audit(data, "lent", "sex", outcome="paid", favorable=decision[1])
    assert f"whichever is the event{beside or '.'}" in str(error.value)
    with pytest.raises(fairstats.InputError, match="positive has '1'") as error:
        fairstats.compare_models(
            data | {"b": data["lent"]}, ["lent", "b"], "sex", outcome="paid", favorable=decision[1]
        )
    assert ("positive_prediction" in str(error.value)) == bool(beside)


def test_a_column_in_the_place_of_the_table_is_refused_whoever_made_it() -> None:
    polars = pytest.importorskip("polars")
    for column in (DATA["d"], polars.Series("d", ["yes", "no"])):
        with pytest.raises(InputError, match="data is of type Series; pass a pandas, polars or pyarrow table"):
            audit(column, "d", "race")


def test_a_model_in_the_place_of_its_predictions_is_answered_by_the_call() -> None:
    class Model:
        def predict(self, rows: object) -> None: ...

    for value in (Model(), Model().predict):
        with pytest.raises(
            InputError, match=r"decision has .*; pass what it predicts, model.predict\(X\), or the name"
        ):
            audit(DATA, decision=value, groups="race")


def test_a_city_is_no_law_of_an_audit_and_an_address_no_file() -> None:
    with pytest.raises(InputError, match=r"law has 'NYC'; .* fairstats.local_law_144\(audit\), .* preset='ll144'"):
        audit(DATA, law="NYC", **DECIDED)
    with pytest.raises(FileError, match=r"'https://example.org/x.csv' is an address, and no file: save what"):
        audit("https://example.org/x.csv", **DECIDED)


@pytest.mark.parametrize(("tick", "empty"), [("X", None), ("X", ""), (1.0, None), (True, None)])
def test_a_tick_is_no_decision_until_the_empty_cells_are_filled(tick, empty, tmp_path, capsys):
    data = pd.DataFrame({"sex": ["f", "m"] * 40, "h": pd.Series([tick, empty, empty, tick, tick] * 16, dtype=object)})
    with pytest.raises(InputError, match=r"missing for 32 of 80 rows and '(X|1|True)' for all others") as refused:
        fairstats.audit(data, decision="h", groups="sex", favorable=tick)
    line = re.search(r"first: (data.*);", str(refused.value)).group(1)
    exec(line, {"data": data})  # noqa: S102  what the message advises
    assert data["h"].tolist() == [True, False, False, True, True] * 16
    assert "60% (24 of 40) against 60% (24 of 40)" in fairstats.audit(data, decision="h", groups="sex").finding()
    data.replace({"h": {True: "X", False: None}}).to_csv(tmp_path / "t.csv", index=False)
    command = ["audit", str(tmp_path / "t.csv"), "--decision", "h", "--favorable", "X", "--groups", "sex", "--brief"]
    assert run(command) == 2 and "write a second label, such as 'no', into the empty cells" in capsys.readouterr().err


def test_a_column_of_numbers_as_text_is_named_as_one_and_one_with_a_word_by_its_word() -> None:
    for other, said in (("3", "these are numbers as text"), ("x", "('x' in row 2); numbers are needed: correct")):
        with pytest.raises(InputError) as caught:
            fairstats.audit({"sex": ["f", "m"] * 40, "s": ["0.5", other] * 40}, score="s", groups="sex")
        assert said in str(caught.value)


def test_a_number_for_a_margin_that_is_a_ratio_and_labels_for_a_score_are_refused() -> None:
    data = {"g": ["a", "b"] * 50, "d": [0, 1, 1, 1] * 25}
    with pytest.raises(
        InputError, match=r"margin has 0.8: .*80 percentage points; .* margin=\{'ratio': 0.8\}, for such"
    ):
        audit(data, "d", "g", margin=0.8)
    wide = audit(data, "d", "g", margin={"difference": 0.8})
    assert wide.protocol.margin.difference == 0.8
    assert "The margin of ±80.0 points is wide: it is as far as 10.0% is from 90.0%." in wide.notes
    assert not any("is wide: it" in note for note in audit(data, "d", "g", margin=0.2).notes)
    with pytest.raises(
        InputError, match=r"score has 'd' with no other values than 0 and 1; .* pass decision='d' in place"
    ):
        audit(data, score="d", groups="g")
    assert audit(data, score="d", threshold=0.5, groups="g").estimates
    lazy = pytest.importorskip("polars").LazyFrame(data)
    with pytest.raises(InputError, match="score has 'd' with no other values than 0 and 1"):
        audit(lazy, score="d", groups="g")
    with pytest.raises(InputError, match=r"several columns are a list; pass groups=\['g', 'd'\]"):
        audit(lazy, "d", groups="g + d")


def test_of_sums_of_weights_rates_that_differ_by_rounding_are_tied_and_the_larger_group_is_the_reference() -> None:
    rng = np.random.default_rng(0)
    for n in (17, 23, 31, 38):
        w = rng.integers(1, 10, n) / 10
        data = {"g": ["a"] * 2 * n + ["b"] * 6 * n, "d": ([0] * n + [1] * n) + ([0] * 3 * n + [1] * 3 * n)}
        data["w"] = [*w, *w, *np.repeat(w, 3), *rng.permutation(np.repeat(w, 3))]
        found = audit(data, "d", "g", weights="w", weight_type="probability", reference="highest_rate")
        assert found.references == {"g": "b"}


def test_lengths_of_time_are_in_the_largest_unit_that_none_but_0_is_shorter_than() -> None:
    for zero in (1, 0):
        data = pd.DataFrame({"g": ["a", "b"] * 30, "t": pd.to_timedelta([zero, 2, *range(3, 61)], unit="D")})
        assert audit(data, groups="g", amount="t").protocol.unit == "days"


@pytest.mark.parametrize("right", ["sex + C(race)", "factor(race)", "sex | region", "1", "."])
def test_of_a_formula_that_has_more_than_names_no_columns_are_guessed(right: str) -> None:
    with pytest.raises(InputError, match=r"is a formula; .* audit\(data, decision=\.\.\., groups=\.\.\.\)"):
        audit(f"hired ~ {right}", data=PEOPLE)


def test_a_path_to_a_home_folder_or_a_copy_is_no_formula() -> None:
    for path in ("~/none.csv", "none.csv~", "none~1.csv"):
        with pytest.raises(fairstats.FairstatsError) as error:
            audit(path, "hired", groups="sex")
        assert "formula" not in str(error.value)
    with pytest.raises(InputError, match=r"decision='income', groups=\['capital.gain', 'sex'\]"):
        audit("income ~ capital.gain + sex", data=PEOPLE)


PEOPLE = {"sex": ["Male", "Female"] * 40, "race": ["White", "White", "Black", "Black"] * 20}
PEOPLE |= {"hired": [1, 0, 1, 1, 0] * 16, "psu": list(range(8)) * 10, "w": [1.5, 2.5] * 40}


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"groups": "sex,race"}, "groups has 'sex,race'; several columns are a list; pass groups=['sex', 'race']."),
        ({"groups": "~ sex + race"}, "several columns are a list; pass groups=['sex', 'race']."),
        ({"groups": ["sex", "sex*race"]}, "several columns are a list; pass groups=['sex', 'race']."),
        ({"groups": "sex", "strata": "race psu"}, "pass strata=['race', 'psu']."),
        ({"groups": "", "decision": "hired ~ sex + race"}, "audit(data, decision='hired', groups=['sex', 'race'])."),
        ({"reference": ["Male", "White"]}, "pass reference={'sex': 'Male', 'race': 'White'}."),
        ({"reference": ["Male", "White"], "groups": "sex"}, "pass a mapping such as reference={"),
        ({"reference": ["Male"], "groups": "sex"}, "a list; it is one label, or a mapping; pass 'Male'."),
        ({"reference": "Male, White"}, "pass reference={'sex': 'Male', 'race': 'White'}."),
        ({"clusters": ["psu", "sex"]}, "the stages of a survey are for fairstats.survey_design"),
        ({"conf_level": 0.05}, "if it is an error rate, pass its complement, conf_level=0.95."),
        ({"weights": "w", "weight_type": "survey"}, "did you mean 'probability'?"),
        ({"p_adjust": "benjamini-hochberg"}, "did you mean 'bh'?"),
        ({"p_adjust": None}, "did you mean 'none'?"),
        ({"missing": "omit"}, "did you mean 'drop'?"),
        ({"cov_type": "cluster"}, "cov_type is no argument of audit: standard errors follow from what was drawn"),
        ({"label_col": "hired"}, "label_col is called outcome here"),
        ({"design": {"ids": "psu", "weights": "w"}}, "design has 'ids'; did you mean 'clusters'?"),
    ],
)
def test_a_newcomer_reads_what_to_write(options: dict[str, object], says: str) -> None:
    arguments = {"decision": "hired", "groups": ["sex", "race"]} | options
    with pytest.raises(fairstats.FairstatsError) as error:
        fairstats.audit(PEOPLE, **{name: value for name, value in arguments.items() if value != ""})
    assert says in str(error.value)


def test_arguments_of_other_packages_surveys_and_statistics_lead_to_ours() -> None:
    for name in ("psu", "ids"):
        with pytest.raises(fairstats.FairstatsError, match=f"{name} is called clusters here: survey_design"):
            fairstats.survey_design(weights="w", **{name: "psu"})
    with pytest.raises(AttributeError, match=r"it is a metric of audits: fairstats.audit\(...\).tidy\(metric='tpr'\)"):
        fairstats.stats.tpr  # noqa: B018
    with pytest.raises(fairstats.FairstatsError, match=r"'hired ~ sex' is a formula; .* groups='sex'"):
        fairstats.audit("hired ~ sex", data=PEOPLE)
    with pytest.raises(AttributeError, match=r"params is no method of Audit; result.tidy\(\) does that"):
        fairstats.audit(PEOPLE, "hired", "sex").params  # noqa: B018
    both = {**PEOPLE, "y": ["good", "bad"] * 40, "d": ["yes!", "no!"] * 40}
    with pytest.raises(fairstats.FairstatsError, match=r"positive='good'.*helps the person: favorable='no!'"):
        fairstats.audit(both, "d", "sex", outcome="y")
    with pytest.raises(fairstats.FairstatsError, match=r"predict_proba\(X\)\[:, 1\]"):
        fairstats.audit(PEOPLE, groups="sex", score=np.full((80, 2), 0.5))


def test_an_amount_of_zero_and_one_is_said_to_be_a_decision_and_missing_amounts_are_in_the_first_line() -> None:
    caution = "decision='hired' in its place compares the shares"
    assert any(caution in note for note in fairstats.audit(PEOPLE, amount="hired", groups="sex").notes)
    beside = fairstats.audit({**PEOPLE, "fee": [0, 1, 1, 1] * 20}, "hired", "sex", amount="fee").notes
    assert any("The amount fee is 0 or 1 for everybody" in note for note in beside)
    assert not any("in its place" in note for note in beside)  # there is a decision
    pay = {**PEOPLE, "pay": [None, 20.0, 30.0, 25.5] * 20}
    result = fairstats.audit(pay, amount="pay", groups="sex")
    assert str(result).splitlines()[0] == "Audit of data in memory: 80 rows; amount missing: 20"


def test_labels_say_everything_that_is_wrong_at_once_with_a_whole_example() -> None:
    with pytest.raises(fairstats.InputError) as error:
        fairstats.audit(PEOPLE, "hired", "sex", labels={"decision": "x", "sex": "Sex", "favorable": "were hired"})
    text = str(error.value)
    assert "has 'decision', 'sex'; there are no such entries" in text and "without 'unfavorable' and 'unit'" in text
    whole = re.search(r"a whole one is (\{.*\}), with favorable=1", text)
    assert whole is not None
    people = {**PEOPLE, "sex": ["m", "f"] * 40}
    assert fairstats.audit(people, "hired", "sex", labels=ast.literal_eval(whole[1]), favorable=1).finding()


def test_the_number_that_another_bridge_makes_of_a_missing_integer_of_r_is_no_label() -> None:
    people = pd.DataFrame(
        {"g": list("ab") * 40, "y": np.array([0, 1] * 40, dtype="i4"), "x": np.arange(80, dtype="i4")}
    )
    people.loc[3, ["y", "x"]] = -(2**31)
    calls = (
        lambda: fairstats.audit(people, "y", "g"),
        lambda: fairstats.audit(people, groups="g", amount="x"),
        lambda: fairstats.og(people[["x"]], groups=people["g"], k=1),
    )
    for call in calls:
        with pytest.raises(InputError, match=r"has '[xy]' with -2147483648, which rpy2 makes of R's missing"):
            call()
    wide = people.astype({"y": "i8"}).replace({"y": {-(2**31): 0}})
    assert fairstats.audit(wide, "y", "g").estimates  # in other columns nobody asks


def test_a_column_that_names_people_is_no_group() -> None:
    people = pd.DataFrame({"sex": ["f", "m"] * 20, "hired": [0, 1, 1, 0] * 10})
    people["person"] = [f"P{i}" for i in range(40)]
    for groups in ("person", ["sex", "person"]):
        with pytest.raises(
            fairstats.InputError, match="groups='person' has 40 labels for 40 people, as names or numbers"
        ):
            fairstats.audit(people, "hired", groups)
    people["person"] = [f"P{i % 20}" for i in range(40)]
    assert fairstats.audit(people, "hired", "person").protocol.groups == ("person",)
