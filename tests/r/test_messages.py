"""Messages in R's words: written by Python from values, so that R edits no sentence."""

import ast
import json
from pathlib import Path

import numpy as np
import pytest

import fairstats
from fairstats.errors import ANY_OF, OF_FILES, Call, InputError, Setting, not_installed, snippet, writing_for
from fairstats.inference.representations.tradeoff import SEVERAL
from fairstats.labels import IN_PANDAS
from fairstats.language import as_record, message, of_record
from fairstats.saving import LOADED
from fairstats.words_in_r import _SNIPPETS, REPORT_FROM_R, InR

ROOT = Path(fairstats.__file__).parents[1]
PEOPLE = {"d": [0, 1] * 50, "g": ["a", "b"] * 50, "age": [x + 0.5 for x in range(100)]}
SPELLED = {"d": ["yes", "Yes", "YES", "no"] * 25, "g": ["a", "b"] * 50}


def literals(function):
    """What the package gives to a function as its first argument, where that stands in the source as text."""
    trees = [ast.parse(file.read_text()) for file in (ROOT / "fairstats").rglob("*.py")]
    calls = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Call)]
    named = [node for node in calls if isinstance(node.func, ast.Name) and node.func.id == function and node.args]
    return {node.args[0].value for node in named if isinstance(node.args[0], ast.Constant)}


@pytest.mark.parametrize(
    ("text", "in_r"),
    [
        (lambda: Call("audit", ("tally",)), "fair_audit(tally)"),
        (lambda: Call("og"), "og()"),
        (lambda: Call("leakage", ("fit", "X", "groups")), "fair_leakage(fit, x, groups)"),
        (lambda: Call("continuous", ("'age'",)), "continuous = 'age'"),
        (lambda: Setting("margin", True), "margin = TRUE"),
        (lambda: Setting("margin"), "margin"),
        (lambda: snippet("fit.transform(X)"), "predict(fit, x)"),
        (lambda: not_installed("fpca", "cvxpy", "compare"),
         'fpca needs cvxpy, which is not installed: install_fairstats(extras = "compare").'),
    ],
)  # fmt: skip
def test_a_value_is_written_for_r(text, in_r):
    with writing_for(InR()):
        assert str(text()) == in_r


def test_a_report_that_was_made_in_r_has_the_same_words_and_no_folders():
    call = Call("audit", ((OF_FILES, ["folder/people.csv"]), ("groups", ["sex", "race"]), ("intersections", True)))
    with writing_for(REPORT_FROM_R):
        assert str(call) == "fair_audit('people.csv', groups = c('sex', 'race'), intersections = TRUE)"
        assert [str(Call("og")), str(Setting("margin", 0.05))] == ["og()", "margin = 0.05"]
        assert snippet("fairstats.leakage(fit.crossfit(X, groups))") == "fair_leakage(fair_crossfit(fit, x, groups))"


@pytest.mark.parametrize(
    ("call", "in_python", "in_r"),
    [
        (lambda: fairstats.audit(PEOPLE, "d", "g", intersections=True),
         "has True; it says which columns are crossed; pass 'pairs', 'full', a list such as ['sex:race'], or False",
         "has TRUE; it says which columns are crossed; pass 'pairs', 'full', a list such as 'sex:race', or FALSE"),
        (lambda: fairstats.audit(PEOPLE, "d", "age"),
         "(pandas.cut(data['age'], [-1, 33.5, 66.5, 99.5])) and name that column",
         "(cut(data$age, c(-1, 33.5, 66.5, 99.5))) and name that column"),
        (lambda: fairstats.og(["age", "g"], data=PEOPLE, groups="d", k=1),
         "or give a formula such as '~ age + g', with the table as data=, which makes",
         "or give a formula such as ~ age + g, with the data frame as data, which makes"),
        (lambda: fairstats.audit(PEOPLE, "d", "g", margin={"ratio": 2}),
         "margin['ratio'] has 2;", "margin$ratio has 2;"),
        (lambda: fairstats.leakage(fairstats.og(["age"], data=PEOPLE, groups="d", k=1), margin="a"),
         "margin has 'a'; a margin is how far an AUC", "margin has 'a'; a margin is how far an AUC"),
        (lambda: fairstats.audit(amount="age", groups="g", data=PEOPLE, adjust_for="age ~ d"),
         "pass '~ d'.",
         "pass ~ d."),
        (lambda: fairstats.audit(SPELLED, "d", "g", favorable="yes"),
         "in all rows (data['d'] = data['d'].replace({'YES': 'yes', 'Yes': 'yes'})), or",
         "in all rows (data$d[data$d %in% c('YES', 'Yes')] <- 'yes'), or"),
        (lambda: fairstats.leakage(np.zeros((9, 2))),
         "pass fairstats.leakage(fit, X, groups), or fairstats.leakage(fit.crossfit(X, groups)), or OutOfFoldScores(",
         "pass fair_leakage(fit, x, groups), or fair_leakage(fair_crossfit(fit, x, groups))."),
        (lambda: fairstats.local_law_144(fairstats.pca(np.vander([3.0, 1, 4, 1, 5], 3), k=1)),
         "audit has a value of type Projection; it is an audit",
         "audit has a value of class fairstats_fit; it is an audit"),
        (lambda: fairstats.report(5),
         "pass what fairstats.audit, a method such as fairstats.og, or fairstats.compare returned",
         "pass what fair_audit(), a method such as og(), or fair_compare() returned"),
    ],
)  # fmt: skip
def test_an_error_is_written_for_its_reader(call, in_python, in_r):
    with pytest.raises(InputError) as python:
        call()
    assert in_python in str(python.value)
    with pytest.raises(InputError) as r, writing_for(InR()):
        call()
    assert in_r in str(r.value)


@pytest.mark.long
def test_every_function_that_a_message_names_is_one_of_both_packages():
    exported = (ROOT / "r/fairstats/NAMESPACE").read_text()
    assert InR().call("survey_design", None) == "svydesign()"  # of R's package survey
    for function in literals("Call") - {"continuous", "read_table", "stats.logistic", "survey_design"}:
        name = InR().call(function, None).removesuffix("()")
        assert f"export({name})" in exported, function
        assert callable(fairstats.stats.by_group if function == "stats.by_group" else getattr(fairstats, function))


@pytest.mark.long
def test_every_piece_of_python_that_has_other_words_in_r_is_in_a_message():
    assert set(_SNIPPETS) - literals("snippet") <= {
        ", or OutOfFoldScores(scores, folds, groups, method, seed) if the rows were held out by other means",
        "fairstats.leakage(fit.crossfit(X, groups))",
        ANY_OF,
        IN_PANDAS,
        LOADED,
        SEVERAL,
    }


@pytest.mark.parametrize("call", [Call("audit"), Call("leakage", ()), Call("leakage", ("fit", "X"))])
def test_a_function_in_a_message_comes_back_from_a_file(call):
    kept = message("{function} measures them", function=call)
    again = of_record(json.loads(json.dumps(as_record(kept))))
    assert (again, again.values["function"]) == (kept, call)
