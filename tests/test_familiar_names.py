"""The names of other libraries, wherever a metric is named."""

from __future__ import annotations

import inspect
import operator
import re

import numpy as np
import pandas as pd
import pytest

import fairstats
from fairstats import metrics
from fairstats.errors import InputError, InputTypeError
from fairstats.former import ELSEWHERE, NOT_HERE, OF_RESULTS
from fairstats.metrics import STATISTICS
from tests import public_calls


@pytest.fixture(scope="module")
def people() -> pd.DataFrame:
    rng = np.random.default_rng(5)
    n = 900
    table = pd.DataFrame({"g": rng.choice(list("abc"), n), "sex": rng.choice(["f", "m"], n), "s": rng.random(n)})
    chance = {"a": 0.3, "b": 0.5, "c": 0.6}
    table["d"] = (rng.random(n) < table.g.map(chance)).astype(int)
    table["y"] = (rng.random(n) < 0.3 + 0.3 * table.d).astype(int)
    return table


@pytest.fixture(scope="module")
def audited(people) -> fairstats.Audit:
    return fairstats.audit(people, "d", ["g", "sex"], outcome="y")


def test_a_familiar_gap_is_the_row_over_all_groups_and_of_two_groups_their_comparison(people, audited):
    rows = audited.estimates.where(metric="demographic_parity_difference")
    over_all = audited.estimates.where(metric="selection rate", contrast="difference", role="omnibus")
    two = audited.estimates.where(metric="selection rate", contrast="difference", attribute="sex", role="main")
    assert {row.key for row in rows.where(attribute="g")} == {row.key for row in over_all.where(attribute="g")}
    assert [row.key for row in rows.where(attribute="sex")] == [row.key for row in two]
    shares = people.groupby("g").d.mean()
    assert rows.where(attribute="g")[0].estimate == pytest.approx(shares.max() - shares.min())
    shares = people.groupby("sex").d.mean()
    assert abs(rows.where(attribute="sex")[0].estimate) == pytest.approx(shares.max() - shares.min())


def test_names_of_rates_are_their_rows_and_stand_beside_ours(audited):
    rows = audited.estimates
    assert rows.where(metric="true_positive_rate") == rows.where(metric="TPR") == rows.where(metric="recall")
    assert rows.where(metric="selection_rate", contrast="none") == rows.where(metric="selection rate", contrast="none")
    both = rows.where(metric=("recall", "FPR"), contrast="none")
    assert set(both.column("metric")) == {"TPR", "FPR"}
    assert rows.where(metric="equalized_odds_difference") == rows.where(metric="equalized odds difference")
    assert len(rows.where(metric="equal_opportunity_difference", attribute="g")) == 1
    assert rows.where(metric="demographic_parity_difference", role="main", attribute="g").column("role") == ["main"] * 2


def test_a_name_that_no_row_has_is_an_error_that_says_what_it_is_or_what_computes_it(people, audited):
    with pytest.raises(InputError, match="did you mean 'demographic_parity_difference'"):
        audited.estimates.where(metric="demographic_parity_diference")
    with pytest.raises(InputError, match=r"fairstats\.stats\.treatment_equality computes it from people"):
        audited.estimates.where(metric="treatment_equality")
    decided = fairstats.audit(people, "d", "g")
    with pytest.raises(InputError, match="no row has it; it is TPR difference"):
        decided.estimates.where(metric="equal_opportunity_difference")
    assert len(decided.estimates.only(metric="equal_opportunity_difference")) == 0


def test_a_comparison_has_a_row_of_a_familiar_name(people):
    people = people.assign(x=people.s + people.d, z=people.s**2)
    comparison = fairstats.compare(
        people, outcome="y", groups="g", features=["x", "z"], methods=["none"], n_repeats=2, progress=False
    )
    rows = comparison.estimates.where(metric="demographic_parity_difference")
    assert len(rows) and set(rows.column("metric")) == {"demographic parity difference"}


def test_the_one_table_names_rows_and_functions_that_there_are():
    assert {name for name in STATISTICS if name not in fairstats.stats.__all__} == set()
    for name, meant in metrics.FAMILIAR.items():
        assert name == meant.name and name not in metrics.METRICS
        assert {m for m in meant.metrics if m not in metrics.METRICS} == set()
        assert meant.metrics or meant.call
    assert metrics.get("sensitivity") is metrics.METRICS["TPR"]
    with pytest.raises(InputError, match="did you mean 'sensitivity'"):
        metrics.get("sensitivty")


def test_figures_tables_and_the_command_line_read_familiar_names(people, audited, tmp_path):
    from click.testing import CliRunner

    from fairstats.cli import cli

    table = fairstats.table(audited, metric="equal_opportunity_difference", attribute="g")
    assert table.caption == "True positive rate by g: differences from " + audited.references["g"]
    assert table.shown == fairstats.table(audited, "differences", metric="TPR", attribute="g").shown
    pytest.importorskip("matplotlib")
    assert fairstats.plot(audited, metric="recall").svg == fairstats.plot(audited, metric="TPR").svg
    named, ours = (
        fairstats.plot(audited, metric="demographic_parity_ratio"),
        fairstats.plot(audited, "ratios", metric="selection rate"),
    )
    assert named.svg == ours.svg
    with pytest.raises(InputError, match="metric has 'recal'"):
        fairstats.plot(audited, metric="recal")
    saved = audited.save(tmp_path / "a.npz")
    items = ["plot", str(saved), "--metric", "demographic_parity_difference", "--to", str(tmp_path / "a.svg")]
    done = CliRunner().invoke(cli, items, standalone_mode=False)
    assert done.exception is None and (tmp_path / "a.svg").read_text().startswith("<?xml")


@pytest.mark.parametrize(
    ("args", "more"),
    [
        ((), {"decision": "d", "groups": "g", "favorable": 1, "favourable": 1}),
        ((None, "d", "g"), {"sensitive_features": "g"}),
        ((None, "d"), {"groups": "g", "sensitive_features": "g"}),
    ],
)
def test_one_argument_by_two_names_is_refused_without_a_call_that_python_would_not_read(args, more):
    with pytest.raises(
        fairstats.errors.InputTypeError, match=r"(favorable|groups) is passed twice so; pass it once\.$"
    ):
        fairstats.audit(*args, **more)


def test_labels_in_the_place_of_yes_and_no_are_answered_with_the_comparison_that_makes_them():
    labels, pred, groups = np.array(["passed", "failed", "passed", "passed"]), [1, 0, 0, 1], ["f", "f", "m", "m"]
    gap = fairstats.stats.equal_opportunity_difference
    with pytest.raises(fairstats.errors.InputError, match=r"y_true holds text .'passed', 'failed'.*y_true == 'passed'"):
        gap(labels, pred, groups=groups)
    assert gap(labels == "passed", pred, groups=groups) == gap(
        [1, 0, 1, 1], pred, groups=groups
    )  # what the message says can be passed
    with pytest.raises(
        fairstats.errors.InputError, match=r"0 for the other[.]$"
    ):  # a list is not compared entry by entry
        gap(labels.tolist(), pred, groups=groups)
    with pytest.raises(fairstats.errors.InputError, match=r"events holds text .*; pass numbers[.]$"):
        fairstats.stats.wilson(labels, 4)


@pytest.mark.parametrize(
    ("name", "ours"),
    [("tolerance", "margin"), ("controls", "strata"), ("privileged_groups", "reference"), ("prot_attr", "groups")],
)
def test_an_argument_by_another_word_is_answered_with_ours(people, name, ours):
    with pytest.raises(fairstats.errors.InputTypeError, match=rf"{name} is called {ours} here: audit\(.*{ours}={name}"):
        fairstats.audit(people, "d", **({} if ours == "groups" else {"groups": "g"}), **{name: 0.1})


@pytest.mark.parametrize(
    ("function", "given", "text"),
    [
        ("audit", {"amount": "s", "controls": "g"}, "controls is called adjust_for here"),
        ("audit", {"pay": "s"}, "pay is called amount here"),
        ("decompose", {"amount": "s", "covariates": "g"}, "covariates is called explained_by here"),
        ("adjusted_gap", {"outcome": "s", "adjust_for": "g"}, "outcome is called amount here"),
        ("pay_transparency", {"amount": "s"}, "amount is called pay here"),
        ("audit", {"eps": 0.1}, "eps is called margin here"),
        ("compare_models", {"predictions": ["s"]}, "predictions is called models here"),
        ("alternatives", {"predictions": ["s"]}, "predictions is called candidates here"),
        ("representation", {"reference": {"a": 1}}, "reference is called benchmark here"),
    ],
)
def test_a_word_that_means_another_argument_in_each_function_is_answered_with_that_of_the_function(
    people, function, given, text
):
    with pytest.raises(InputTypeError, match=text):
        getattr(fairstats, function)(people, groups="sex", **given)


def test_what_stands_in_another_form_is_answered_with_the_call_that_takes_it(people, tmp_path):
    frame = pd.DataFrame(people)
    with pytest.raises(InputError, match=r"groups='g' is the index of data, .*; pass data\.reset_index\(\)"):
        fairstats.audit(frame.set_index("g"), "d", "g")
    result = fairstats.audit(people, "d", "g")
    with pytest.raises(InputError, match=r"make a list: fairstats\.table\(\[one, other\]\)"):
        fairstats.table(result, result)
    with pytest.raises(
        InputTypeError, match=r"labels is no argument of compare: its reports, tables and figures have them"
    ):
        fairstats.compare({}, outcome="y", groups="g", features=["x"], labels={"unit": "people"})
    with pytest.raises(InputTypeError, match=r"set_size_inches"):
        result.plot("rates").save(tmp_path / "rates.png", figsize=(3, 2))
    with pytest.raises(InputError, match=r"pass such a weight; fairstats\.tradeoff compares several"):
        fairstats.fair_pca(["s", "d"], "sex", data=people, k=1, tradeoff=[0, 1])
    frame.to_csv(path := tmp_path / "new.csv", index=False)
    with pytest.raises(InputError, match=r"X is the name of a file; pass fairstats\.read_table\('.*new\.csv'\)"):
        fairstats.pca(["s", "d"], data=people, k=1).transform(str(path))
    frame.to_json(tmp_path / "new.json")  # each column by the index, as pandas writes it
    assert fairstats.audit(tmp_path / "new.json", "d", "g").estimates == result.estimates


def test_methods_and_functions_say_which_argument_is_wrong_in_the_users_words(people):
    with pytest.raises(InputError, match="lam is absent; disparity_pca needs it"):
        fairstats.disparity_pca(["s", "d"], "sex", data=people, k=2)
    with pytest.raises(InputTypeError, match="strata is called adjust_for here: adjusted_gap"):
        fairstats.adjusted_gap({"pay": [1, 2], "sex": ["f", "m"]}, "pay", "sex", strata="job")
    with pytest.raises(InputTypeError, match="y is no argument of leace: what it takes out of X is passed as groups="):
        fairstats.leace(X=np.eye(4), y=[0, 1, 0, 1])
    with pytest.raises(InputError, match="k is no argument of disparity_path; its arguments are"):
        fairstats.disparity_path(["s", "d"], "sex", data=people, k=2)
    with pytest.raises(InputError, match="y is called y_true here: by_group"):
        fairstats.stats.by_group(np.mean, y=people.y, groups=people.g)


@pytest.mark.parametrize("make", [pd.Series, pd.Index, pd.Categorical, np.array, tuple, "polars"])
def test_labels_of_groups_may_be_any_column(make):
    labels = ["men", "women"]
    column = pytest.importorskip("polars").Series(labels) if make == "polars" else make(labels)
    assert fairstats.stats.adverse_impact([48, 12], [80, 40], column) == fairstats.stats.adverse_impact(
        [48, 12], [80, 40], labels
    )


@pytest.mark.parametrize(
    ("name", "way"),
    [
        ("accuracy_score_group_min", "it is the smallest estimate of metric 'accuracy', contrast 'none'"),
        ("recall_score_group_max", "it is the largest estimate of metric 'TPR', contrast 'none'"),
        ("zero_one_loss_group_max", "it is 1 less the smallest estimate of metric 'accuracy', contrast 'none'"),
        ("zero_one_loss_difference", "of the size of 'accuracy_difference', which is there"),
        (
            "f1_score_group_min",
            r"in every group f1_score is estimated from people by fairstats.stats.by_group",
        ),
    ],
)
def test_a_familiar_name_that_no_row_has_says_how_it_is_read(people, name, way):
    with pytest.raises(InputError, match=way):
        fairstats.audit(people, "d", "g", outcome="y").tidy(metric=name)


def test_a_metric_of_all_groups_is_no_metric_of_a_group(people):
    fairlearn = pytest.importorskip("fairlearn.metrics")
    arrays = people.y, people.d
    for metric in (fairlearn.recall_score_group_min, fairstats.stats.equal_opportunity_difference):
        with pytest.raises(InputError, match=r"metric takes sensitive_features: .* all groups at once"):
            fairstats.stats.by_group(metric, *arrays, sensitive_features=people.g)


def test_every_function_says_which_argument_it_does_not_know():
    functions = {name: one for name in fairstats.__all__ if inspect.isfunction(one := getattr(fairstats, name))}
    assert len(functions) > 40
    for name, function in functions.items():
        if any(one.kind is one.VAR_KEYWORD for one in inspect.signature(function).parameters.values()):
            continue  # select_k, which hands the rest on to a method
        with pytest.raises(InputTypeError, match=r"no_such_argument is no argument of"):
            function(no_such_argument=1)
        assert function.__name__ == name


@pytest.mark.long
@pytest.mark.parametrize("name", public_calls.CALLS)
def test_every_method_says_which_argument_it_does_not_know(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    function, given = public_calls.CALLS[name]()
    kinds = [one.kind for one in inspect.signature(function).parameters.values()]
    # scikit-learn calls its transformers; columns and settings by any name have errors of their own
    of_sklearn = name.startswith("FairTransformer")
    if inspect.isclass(function) or of_sklearn or inspect.Parameter.VAR_KEYWORD in kinds or name == "Moments.of":
        return
    given = {argument: value for argument, value in given.items() if not argument.startswith("*")}
    with pytest.raises(InputTypeError, match=r"no_such_argument is no argument of"):
        function(**given, no_such_argument=1)


def test_a_file_is_called_path_where_a_result_is_saved_or_loaded(people):
    with pytest.raises(InputTypeError, match=r"^file is called path here: save\(path=file\)\.$"):
        fairstats.audit(people, "d", "g").save(file="audit.npz")
    with pytest.raises(InputTypeError, match=r"^file is called path here: load\(path=file\)\.$"):
        fairstats.load(file="audit.npz")


PEOPLE = {"sex": ["f", "m"] * 60, "hired": [1, 0, 0, 1, 1, 0] * 20}


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ({"privileged_groups": [{"sex": "m"}]}, r"audit\(data, decision, groups, reference=\{'sex': 'm'\}\)\.$"),
        ({"label_names": ["paid"]}, r"audit\(data, decision, groups, outcome='paid'\)\.$"),
        ({"alpha": 0.05}, r"^alpha is no argument of audit; its complement is: 0\.05 is conf_level=0\.95\.$"),
        ({"p_adjust": "fdr"}, "^p_adjust has 'fdr'; .*; did you mean 'bh'?"),
    ],
)
def test_what_others_give_in_another_form_is_said_in_ours(given: dict[str, object], text: str) -> None:
    with pytest.raises((InputError, InputTypeError), match=text):
        fairstats.audit(PEOPLE, "hired", "sex", **given)
    ours = {"reference": {"sex": "m"}, "conf_level": 0.95, "p_adjust": "bh"}
    assert fairstats.audit(PEOPLE, "hired", "sex", **ours).references == {"sex": "m"}


def test_a_transformer_says_which_arguments_it_has() -> None:
    FairTransformer = pytest.importorskip("fairstats.sklearn").FairTransformer
    for given, text in (
        ({"groups": ["sex"]}, r"^groups is called group_columns here: FairTransformer\(method, group_columns=groups\)"),
        ({"tradeoff": 0.5}, "^tradeoff is no argument of FairTransformer; its arguments are method, k, .*options"),
    ):
        with pytest.raises(InputTypeError, match=text):
            FairTransformer("fair_pca", **given)
    with pytest.raises(InputError, match=r"group_columns has 'sex'; .* pass group_columns=\['sex'\]\."):
        FairTransformer(group_columns="sex").fit(pd.DataFrame(PEOPLE))


@pytest.mark.parametrize(
    ("given", "way"),
    [
        ({"ratio": 0.8}, r"declared before, fairstats\.audit\(\.\.\., margin=\{'ratio': 0\.8\}\)"),
        ({"margin": 0.1}, r"margin=0\.05"),
        ({"metrics": ["TPR"]}, r"metrics is called metric here: passes\(metric=metrics\)"),
    ],
)
def test_a_gate_answers_the_arguments_that_it_does_not_have(people, given, way):
    with pytest.raises(InputTypeError, match=way):
        fairstats.audit(people, "d", "g", margin=0.1).passes(**given)


def test_a_name_of_another_library_is_answered_with_what_to_type(audited):
    for name in ("disparate_impact", "statistical_parity_difference", "selection_rate", "true_positive_rate_ratio"):
        with pytest.raises(AttributeError, match=rf"it is a metric of audits: .*\.tidy\(metric='{name}'\)$"):
            getattr(fairstats, name)
        assert len(audited.tidy(metric=name))
    for name, ours in ELSEWHERE.items():
        with pytest.raises(AttributeError, match=rf"'{name}'; fairstats\.{re.escape(ours)} does that here$"):
            getattr(fairstats, name)
        assert callable(operator.attrgetter(ours.partition("(")[0])(fairstats))
    for name in NOT_HERE:
        with pytest.raises(AttributeError, match=r"no method here does that; fairstats\.audit takes what it decides"):
            getattr(fairstats, name)
    with pytest.raises(AttributeError, match=r"'MetricFrame'; fairstats\.stats\.by_group does that here$"):
        fairstats.stats.MetricFrame  # noqa: B018
    with pytest.raises(AttributeError, match=r"it is fairstats\.stats\.equalized_odds_difference$"):
        fairstats.equalized_odds_difference  # noqa: B018


def test_what_results_of_other_libraries_have_is_answered_with_what_an_audit_has(people):
    audited = fairstats.audit(people, "d", "g", outcome="y", margin=0.1)
    for name in (*OF_RESULTS, "disparate_impact", "statistical_parity_difference"):
        assert not hasattr(audited, name)
        with pytest.raises(fairstats.InputError, match=f"^{name} is no method of Audit; ") as found:
            getattr(audited, name)
        way = str(found.value).split("; ")[1].removesuffix(" does that.")
        assert eval(way, {"result": audited}) is not None  # noqa: S307 - what is offered can be typed
    with pytest.raises(AttributeError, match="has no attribute 'nonesuch'"):
        audited.nonesuch  # noqa: B018


def test_groups_of_another_library_are_answered_in_our_form(people):
    words = r"reference={'g': 'a'}, groups=\['g'\]\)"
    with pytest.raises(InputTypeError, match=words):
        fairstats.audit(people, decision="d", privileged_groups=[{"g": "a"}], unprivileged_groups=[{"g": "b"}])
