"""Whatever a user passes, the answer is a result or an error of ours that names the argument; never a raw exception."""

from __future__ import annotations

import contextlib
import importlib
import inspect
import os
import re
import subprocess
import sys
from itertools import chain
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

import click
import numpy as np
import pandas as pd
import pytest

import fairstats
from fairstats.errors import FairstatsError, InputError
from fairstats.estimates import ROLES, STATUSES, VERDICTS, Figure, Role, Status, Verdict
from fairstats.inference import validation
from fairstats.inference.multiplicity import ADJUSTMENTS as BY_P
from fairstats.inference.validation import checks_of
from fairstats.methods.registry import METHODS
from fairstats.metrics import STATISTICS
from fairstats.reporting.figures.style import Drawing
from fairstats.reporting.plot import FIGURES as FIGURES
from fairstats.validation import (
    ADJUSTMENTS,
    GATES,
    MISSING,
    ON_UNKNOWN,
    WEIGHT_TYPES,
    Adjust,
    ByP,
    Missing,
    OnUnknown,
    WeightType,
)
from tests.public_calls import CALLS, STUDIES, TAKES, fit_call, methods, public
from tests.wrong_values import arguments, call, faults

ROOT = Path(__file__).parents[1]
TWO = {"e1": 3, "n1": 10, "e0": 5, "n0": 12}
G = {"events": [3, 5, 4], "n": [10, 12, 9]}
XY = {"x": [1.0, 2.0, 3.5, 2.5], "y": [2.0, 3.0, 4.0, 5.5, 1.5]}
SCORED = {"scores": [0.1, 0.6, 0.4, 0.8, 0.3, 0.7], "y": [0, 1, 0, 1, 1, 0]}
ROWS = {"scores": np.arange(20.0).reshape(10, 2) % 7, "folds": np.repeat([0, 1], 5), "permutations": 9}
DESIGN = np.column_stack([np.ones(8), np.repeat([0, 1], 4)])
FAMILIAR = {"y_true": [0, 1] * 6, "y_pred": [0, 1, 1, 1, 0, 1] * 2, "groups": ["a", "b", "b"] * 4}
FAMILIAR_SCORES = {"y_true": [0, 1] * 6, "y_score": [0.1, 0.7, 0.6, 0.8, 0.3, 0.5] * 2, "groups": ["a", "b", "b"] * 4}
STATS: dict[str, dict[str, Any]] = {
    **dict.fromkeys(STATISTICS, FAMILIAR),
    **dict.fromkeys((n for n in STATISTICS if n.startswith(("balance", "brier", "abroca"))), FAMILIAR_SCORES),
    "average_odds_difference": FAMILIAR,
    "generalized_entropy": FAMILIAR,
    "conditional_demographic_disparity": {k: v for k, v in FAMILIAR.items() if k != "y_true"},
    "p_adjust": {"p": [0.01, 0.2]},
    "adjusted_levels": {"p": [0.01, 0.2]},
    "adverse_impact": {"selected": [48, 12], "n": [80, 40], "labels": ["men", "women"]},
    "ratio_to_best": G,
    "auc": SCORED,
    "auc_difference": {**SCORED, "reference_scores": SCORED["scores"], "reference_y": SCORED["y"]},
    "auc_difference_paired": {**SCORED, "other": SCORED["scores"][::-1]},
    "auc_interval": {"theta": 0.7, "se": 0.1, "n": 10, "m": 12},
    "average_marginal_effect": {
        "fit": fairstats.stats.logistic(DESIGN, [0, 1, 0, 0, 1, 1, 0, 1]),
        "x": DESIGN, "weights": np.ones(8), "column": 1, "dummies": slice(1, 2),
    },
    "breslow_day": {"e1": [3, 2], "n1": [10, 9], "e0": [5, 4], "n0": [12, 8]},
    "brier_score": SCORED,
    "calibration_curve": SCORED,
    "chi_square": G,
    "cliffs_delta": XY,
    "clopper_pearson": {"events": 3, "n": 10},
    "cmh_test": {"e1": [3, 2], "n1": [10, 9], "e0": [5, 4], "n0": [12, 8]},
    "common_odds_ratio": {"e1": [3, 2], "n1": [10, 9], "e0": [5, 4], "n0": [12, 8]},
    "distance_correlation": {**ROWS, "target": np.arange(10.0) % 3},
    "conditional_odds_ratio": {"e1": [3, 2], "n1": [10, 9], "e0": [5, 4], "n0": [12, 8]},
    "homogeneity_test": {"e1": [3, 2], "n1": [10, 9], "e0": [5, 4], "n0": [12, 8], "draws": 19},
    "calibration_error": SCORED,
    "roc_band": {**SCORED, "at": [0.2, 0.5]},
    "spiegelhalter_z": SCORED,
    "e_value": {"ratio": 1.5},
    "e_value_of_interval": {"low": 1.2, "high": 1.9},
    "rosenbaum_bound": {"e1": [3, 2], "n1": [10, 9], "e0": [5, 4], "n0": [12, 8]},
    "rosenbaum_p": {"e1": [3, 2], "n1": [10, 9], "e0": [5, 4], "n0": [12, 8], "gamma": 1.5},
    "equivalence_of_range": {**G, "margin": 0.5},
    "equivalence_of_rates": {**TWO, "margin": 0.5},
    "equivalence_of_ratio": TWO,
    "pooled_shortfall": {"e1": [3, 2], "n1": [10, 9], "e0": [5, 4], "n0": [12, 8]},
    "relative_effect": XY,
    "stratified_mid_p": {"e1": [3, 2], "n1": [10, 9], "e0": [5, 4], "n0": [12, 8]},
    "stratified_rates": {"e1": [3, 2], "n1": [10, 9], "e0": [5, 4], "n0": [12, 8]},
    "stratified_rates_from_data": {
        "y": [0, 1, 1, 0, 1, 0], "in_group": [0, 0, 1, 1, 0, 1], "strata": [0, 0, 0, 1, 1, 1],
    },
    "dunn": {"groups": [XY["x"], XY["y"], [1.0, 4.0]]},
    "ecdf": {"x": XY["x"]},
    "effective_size": {"weights": [1, 2, 3]},
    "fisher_exact": TWO,
    "geometric_mean_ratio": {"x": [1.0, 2.0, 3.0, 5.0], "y": [2.0, 2.5, 4.0]},
    "hodges_lehmann": XY,
    "holm_levels": {"p": [0.01, 0.2]},
    "impact_ratio": {"selected": [4], "n": [10], "ref_selected": [5], "ref_n": [10]},
    "jeffreys": {"events": 3, "n": 10},
    "simultaneous_level": {**G, "replicates": 100},
    "kolmogorov_smirnov": XY,
    "koopman": TWO,
    "kruskal_wallis": {"groups": [XY["x"], XY["y"]]},
    "katz": TWO,
    "logistic": {"x": DESIGN, "y": [0, 1, 0, 0, 1, 1, 0, 1]},
    "mann_whitney": XY,
    "max_t": {"replicates": [[0.0, 1.0], [2.0, 0.5], [0.5, 0.2]], "observed": [1.5, 0.1]},
    "mean_difference": XY,
    "mean_gap": XY,
    "mid_p": TWO,
    "miettinen_nurminen": TWO,
    "minimal_detectable_difference": {"n1": 100, "p0": 0.5, "n0": 100},
    "mmd": {**ROWS, "codes": np.arange(10) % 2},
    "newcombe": TWO,
    "newcombe_auc": {"theta": 0.7, "n": 10, "m": 12},
    "permutation_test": {**G, "replicates": 50},
    "power": {"p1": 0.5, "n1": 100, "p0": 0.4, "n0": 100},
    "quantile_difference": XY,
    "quantile_gap": XY,
    "quarter_shares": {"samples": [XY["x"], XY["y"]]},
    "rao_scott": {"y": [0, 1, 1, 0, 1, 0], "codes": [0, 0, 0, 1, 1, 1], "weights": [1, 2, 1, 1, 2, 1]},
    "max_difference": G,
    "recalibration": SCORED,
    "roc_curve": SCORED,
    "shortfall": {"selected": 4, "n": 10, "rate": 0.5},
    "stratified_auc": {**SCORED, "strata": [0, 0, 0, 1, 1, 1]},
    "probability_of_superiority": XY,
    "probability_of_superiority_survey": XY,
    "tost": {"estimate": 0.01, "std_error": 0.02, "margin": 0.05},
    "tost_ratio": TWO,
    "tost_rates": {**TWO, "margin": 0.5},
    "barnard_test": TWO,
    "quadratic_form_sf": {"x": 3.8, "coefs": [1.0, 0.5], "df": 1},
    "survey_rate": {"y": [0, 1, 1, 0], "weights": [1, 1, 2, 1]},
    "wilson": {"events": 3, "n": 10},
    "worst_ratio": G,
    "z_test": TWO,
}  # fmt: skip
STATS["by_group"] = {
    "metric": lambda y: float(np.mean(y)), "y_true": [0.0, 1.0, 2.0] * 4, "groups": ["a", "b", "b"] * 4,
    "replicates": 5,
}  # fmt: skip


def test_every_statistic_has_a_valid_call_and_every_argument_a_check() -> None:
    assert set(STATS) == set(fairstats.stats.__all__)
    for name in fairstats.stats.__all__:
        function = getattr(fairstats.stats, name)
        assert set(checks_of(function)) == set(arguments(function))


@pytest.mark.long
@pytest.mark.parametrize("name", STATS)
def test_a_statistic_answers_wrong_values_by_a_result_or_an_error_that_names_the_argument(name: str) -> None:
    function = getattr(fairstats.stats, name)
    function(**STATS[name])
    assert faults(function, STATS[name], {}) == []


@pytest.mark.parametrize("name", validation.ROWS)
def test_a_statistic_says_which_arguments_are_of_different_lengths(name: str) -> None:
    function, valid = getattr(fairstats.stats, name), STATS[name]
    for together in validation.ROWS[name]:
        here = [argument for argument in together if valid.get(argument) is not None]
        for argument in here if len(here) > 1 else []:
            length = len(valid[argument])
            with pytest.raises(InputError) as error:
                function(**{**valid, argument: valid[argument][:-1]})
            for other in here:
                size = length - (other == argument)
                assert f"{other} has {size}" in str(error.value) or f"{other} ({size},)" in str(error.value)


@pytest.mark.long
@pytest.mark.parametrize("name", STUDIES)
def test_a_study_answers_wrong_values_by_a_result_or_an_error_that_names_the_argument(name: str, tmp_path: Any) -> None:
    function, valid = STUDIES[name]
    with contextlib.chdir(tmp_path):  # a folder for cached cells may have any name
        function(**valid)
        assert faults(function, valid, {}) == []


def test_everything_public_that_takes_an_argument_has_a_valid_call() -> None:
    assert set(public()) == {name.partition(" ")[0] for name in CALLS}


@pytest.mark.filterwarnings("ignore::fairstats.errors.FairstatsWarning")
@pytest.mark.parametrize("name", CALLS)
def test_everything_public_answers_wrong_values_by_a_result_or_an_error_that_names_the_argument(
    name: str, tmp_path: Any
) -> None:
    with contextlib.chdir(tmp_path):
        function, valid = CALLS[name]()
        if not name.startswith("datasets."):  # files that are not ours to republish
            answer = call(function, valid)
            assert {*methods(type(answer))} <= {name.partition(" ")[0] for name in CALLS}
        assert faults(function, valid, TAKES.get(name, {})) == []


@pytest.mark.long
@pytest.mark.parametrize("name", METHODS)
def test_a_fit_answers_wrong_values_by_a_result_or_an_error_that_names_the_argument(name: str) -> None:
    if METHODS[name].extra:
        pytest.importorskip("cvxpy")
    function, valid = fit_call(name)
    function(**valid)
    assert faults(function, valid, {}) == []


def test_fits_have_their_common_arguments_first_and_in_one_order() -> None:
    common = ["X", "groups", "k", "data", "weights", "missing", "scale"]
    for name, row in METHODS.items():
        given = arguments(row.function)
        shared = [argument for argument in common if argument in given]
        assert given[: len(shared)] == shared, name
        assert "seed" not in given or given[-1] == "seed", name


EVERY_CALL = {
    **CALLS,
    **{f"stats.{name}": lambda name=name: (getattr(fairstats.stats, name), STATS[name]) for name in STATS},
    **{name: lambda name=name: STUDIES[name] for name in STUDIES},
    **{name: lambda name=name: fit_call(name) for name in METHODS if not METHODS[name].extra},
}
# The names of methods are open: a method is a row of the registry. Which figures there are depends on the result.
OPEN = {
    ("sog", "t"),
    ("FairTransformer", "method"),
    ("Reads.plot", "kind"),
    ("plot", "kind"),
    ("Estimate.blank", "role"),
}


@pytest.mark.long
@pytest.mark.filterwarnings("ignore::fairstats.errors.FairstatsWarning")
@pytest.mark.parametrize("name", EVERY_CALL)
def test_what_a_type_checker_knows_of_a_closed_set_is_what_the_error_lists(name: str, tmp_path: Any) -> None:
    with contextlib.chdir(tmp_path):
        function, valid = EVERY_CALL[name]()
        hints = get_type_hints(
            getattr(function, "__func__", function),
            localns={"pd": pd, "os": os, "Path": Path, "Drawing": Drawing, "Estimates": fairstats.Estimates},
        )
        for argument in dict.fromkeys([*arguments(function), *valid]):
            if not argument.startswith("*") and (name, argument) not in OPEN:
                assert _listed(function, valid, argument) == _literal(hints.get(argument)), argument


def _listed(function: Any, valid: dict[str, Any], argument: str) -> set[str]:
    """The choices that the error of an unknown one names; none where it is no closed set."""
    try:
        call(function, {**valid, argument: "no such choice"})
    except FairstatsError as error:
        listed = re.match(rf"{argument} has 'no such choice'; the choices are ([^;]*)[;.]", str(error))
        return set(listed[1].split(", ")) if listed else set()
    return set()


def _literal(hint: Any) -> set[str]:
    """The names of a Literal, which may stand beside other types."""
    parts = [part for part in (hint, *get_args(hint)) if get_origin(part) is Literal]
    return {value for part in parts for value in get_args(part) if isinstance(value, str)}


def test_closed_sets_are_the_same_for_type_checkers_and_in_their_tables() -> None:
    tables = {
        Adjust: ADJUSTMENTS,
        ByP: BY_P,
        Missing: MISSING,
        OnUnknown: ON_UNKNOWN,
        Role: ROLES,
        Status: STATUSES,
        Verdict: ("", *VERDICTS),
        WeightType: WEIGHT_TYPES,
    }
    for literal, table in tables.items():
        assert literal.__args__ == tuple(table)
    assert set(get_args(Figure)) == {"path", *(kind.name for kind in FIGURES)}


def test_the_signature_of_an_audit_and_its_protocol_have_the_same_defaults() -> None:
    from dataclasses import fields

    from fairstats.auditing.arguments import AuditArguments

    entries = {name: p.default for name, p in inspect.signature(fairstats.audit).parameters.items()}
    assert {f.name: f.default for f in fields(AuditArguments)} == {
        k: v for k, v in entries.items() if k not in ("data", "protocol")
    }


def test_an_argument_that_is_declared_has_an_option_and_lines_a_check_and_a_place_in_r(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from fairstats.auditing import protocol
    from fairstats.auditing.arguments import ARGUMENTS, Argument
    from fairstats.cli import io
    from fairstats.cli.protocol import protocol_text

    toy = Argument("toy_level", 0.5, "level", "A level of its own.", {})
    monkeypatch.setitem(ARGUMENTS, "toy_level", toy)
    command = io.of_audit()(click.command()(lambda **_: None))
    option = next(p for p in command.params if p.name == "toy_level")
    assert option.opts == ["--toy-level"] and option.help == "A level of its own. [0.5]"
    table = type("Table", (), {"name": "p.csv", "rows": 1, "sha256": ""})
    assert "# toy_level = 0.5  # A level of its own.\n" in protocol_text(table, [], "audit.toml")
    assert protocol.CHECKS[toy.form]("toy_level", 0.9) == 0.9
    tool = ROOT / "tools" / "r_arguments.py"
    subprocess.run([sys.executable, str(tool), "--check"], check=True, cwd=ROOT)
    monkeypatch.syspath_prepend(str(tool.parent))
    source = importlib.import_module("r_arguments").written((ROOT / "r/fairstats/R/audit.R").read_text("utf-8"))
    assert "toy_level = 0.5, protocol = NULL) {" in " ".join(source.split()) and 'toy_level = "level"\n)' in source


@pytest.mark.parametrize("name", ["four_fifths", "four_fifths_rule", "statistical_parity"])
def test_names_that_people_try_say_what_does_it(name) -> None:
    with pytest.raises(AttributeError, match=r"fairstats\.audit.* does that here"):
        getattr(fairstats, name)


@pytest.mark.parametrize(
    ("name", "ours"),
    [
        *(("fair_audit", "it is fairstats.audit"), ("fair_table", "it is fairstats.table")),
        *(("fair_load", "it is fairstats.load"), ("fair_figure", "it is fairstats.plot")),
        *(("fair_save", "result.save()"), ("fair_passes", "result.passes()"), ("fair_by_group", "result.by_group()")),
        *(("tidy", "result.tidy()"), ("glance", "result.glance()"), ("predict", "result.transform()")),
        *(("simulate_sbm", "it is fairstats.simulate.sbm"), ("residualize", "it is fairstats.comparators.residualize")),
        *(
            ("by_group", "it is fairstats.stats.by_group"),
            ("fair_demographic_parity", "tidy(metric='demographic_parity')"),
        ),
        ("spectral", "it is called spectral_clustering now"),
    ],
)
def test_a_name_of_the_r_package_says_what_it_is_here(name, ours) -> None:
    with pytest.raises(AttributeError, match=re.escape(ours)):
        getattr(fairstats, name)


def test_a_name_of_the_command_line_and_a_british_one_say_what_does_it() -> None:
    with pytest.raises(AttributeError, match=r"the command fairstats describe FILE does that"):
        fairstats.describe  # noqa: B018
    with pytest.raises(AttributeError, match=r"tidy\(metric='equalized_odds'\)"):
        fairstats.equalised_odds  # noqa: B018
    with pytest.raises(AttributeError, match=r"save\(path\)"):
        fairstats.table(fairstats.audit({"g": ["f", "m"] * 60, "d": [0, 1, 1, 1] * 30}, "d", "g")).write("a.tex")


@pytest.mark.parametrize(
    ("given", "way"),
    [
        ({"score": "s", "threshold": "0.5"}, "threshold=0.5"),
        ({"decision": "d", "min_n": "30"}, "min_n=30"),
        ({"decision": "d", "conf_level": "0.9"}, "conf_level=0.9"),
    ],
)
def test_a_number_that_is_text_says_how_to_pass_it(given, way) -> None:
    with pytest.raises(FairstatsError, match=f"which is text; pass {re.escape(way)}"):
        fairstats.audit({"g": ["f", "m"] * 60, "d": [0, 1, 1, 1] * 30, "s": [0.1, 0.7] * 60}, groups="g", **given)


@pytest.mark.parametrize("last", [{"c": "u"}, {"sx": "a"}])
def test_a_reference_of_a_column_that_is_not_audited_names_the_column(last) -> None:
    people = {"sex": ["a", "b"] * 60, "race": ["x", "y", "y"] * 40, "d": [0, 1, 1, 1, 0] * 24, "c": ["u", "v"] * 60}
    reference = {"race": "x", "sex": "a"} | last
    for given in (reference, "; ".join(f"{name}={group}" for name, group in reference.items())):
        with pytest.raises(FairstatsError, match=f"names '{next(iter(last))}', which is not among groups sex, race"):
            fairstats.audit(people, "d", ["sex", "race"], reference=given)


def test_a_misspelled_method_and_a_gate_say_what_is_meant(tmp_path) -> None:
    result = fairstats.audit({"g": ["f", "m"] * 60, "d": [0, 1, 1, 1] * 30}, "d", "g")
    with pytest.raises(AttributeError, match="did you mean 'summary'"):
        result.sumary()
    for gate in chain.from_iterable(GATES.values()):
        with pytest.raises(InputError, match="a gate of --fail-on, at the command line; passes takes metrics"):
            result.passes(gate)
    data = tmp_path / "data.csv"
    data.write_text("g,d\nf,1\n")
    with pytest.raises(InputError, match="the report comes first, then the data"):
        fairstats.verify_report(data, tmp_path / "audit.pdf")
