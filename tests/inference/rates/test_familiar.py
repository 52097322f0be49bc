"""Fairness metrics by their familiar names: the numbers of fairlearn and fairmetrics, with intervals that cover."""

from __future__ import annotations

import inspect
import os
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import fairstats
from fairstats import stats
from fairstats.errors import InputError
from fairstats.metrics import STATISTICS

fairlearn = pytest.importorskip("fairlearn.metrics")
EXACT = 1e-12


def simulated(seed: int, sizes: dict[str, int], weighted: bool = False) -> dict[str, Any]:
    rng = np.random.default_rng(seed)
    groups = np.repeat(list(sizes), list(sizes.values()))
    shift = np.repeat(np.linspace(0, 0.2, len(sizes)), list(sizes.values()))
    score = np.clip(rng.beta(2, 2, groups.size) + shift - 0.1, 0, 1)
    y = (rng.random(groups.size) < score).astype(int)
    weights = rng.gamma(3.0, size=groups.size) if weighted else None
    return {"y": y, "d": (score > 0.5).astype(int), "s": score, "g": groups, "w": weights}


def arrests() -> dict[str, Any]:
    table = fairstats.arrests()
    y, d = (table.employed == "Yes").astype(int).to_numpy(), (table.released == "Yes").astype(int).to_numpy()
    return {"y": y, "d": d, "s": 0.2 + 0.6 * d, "g": table.colour.to_numpy(), "w": None}


def real(name: str) -> dict[str, Any]:
    folder = os.environ.get("FAIRSTATS_DATA")
    if not folder:
        pytest.skip("FAIRSTATS_DATA names no folder")
    table = pd.read_csv(Path(folder) / "data" / name)
    if name.startswith("compas"):
        s, y, g = table.decile_score / 10, table.two_year_recid, table.race
    elif name.startswith("fairml_law"):
        s, y, g = table.ugpa.clip(0, 4) / 4, table.bar, table.race1
    else:
        s, y, g = table.hours_per_week / 100, table.income, table.race
    y = (y == y.max()).astype(int)
    return {"y": y.to_numpy(), "d": (s > s.median()).astype(int).to_numpy(), "s": s.to_numpy(), "g": g, "w": None}


DATA = {
    "arrests": arrests,
    "two groups": lambda: simulated(1, {"a": 150, "b": 90}),
    "five groups, weighted": lambda: simulated(2, {"a": 300, "b": 200, "c": 150, "d": 90, "e": 80}, weighted=True),
    "compas": lambda: real("compas-scores-two-years.csv"),
    "law school": lambda: real("fairml_law_school_admissions.csv"),
    "adult": lambda: real("fairml_adult.csv"),
}
SAME = (
    *("demographic_parity_difference", "demographic_parity_ratio", "equal_opportunity_difference"),
    *("equal_opportunity_ratio", "equalized_odds_difference", "equalized_odds_ratio"),
)


@pytest.mark.long
@pytest.mark.parametrize(
    "data", [pytest.param(d, marks=[pytest.mark.slow] * (d in ("law school", "adult"))) for d in DATA]
)
def test_the_estimates_are_those_of_fairlearn(data):
    people = DATA[data]()
    for name in SAME:
        for method in ("between_groups", "to_overall"):
            for agg in ("worst_case", "mean") if name.startswith("equalized") else ("",):
                more = {"agg": agg} if agg else {}
                theirs = getattr(fairlearn, name)(
                    people["y"], people["d"], sensitive_features=people["g"], sample_weight=people["w"], method=method,
                    **more,
                )  # fmt: skip
                row = getattr(stats, name)(
                    people["y"], people["d"], groups=people["g"], sample_weight=people["w"], method=method, **more
                )
                assert row.estimate == pytest.approx(theirs, abs=EXACT), (name, method)
                assert row.conf_low <= row.estimate <= row.conf_high and row.conf_low < row.conf_high, (name, method)


@pytest.mark.long
@pytest.mark.parametrize("name", [name for name in stats.__all__ if hasattr(fairlearn, name)])
def test_a_call_written_for_fairlearn_runs_as_it_stands(name):
    """Its arguments by their names, places and defaults, and its values on random data."""
    ours, theirs = getattr(stats, name), getattr(fairlearn, name)
    parameters = inspect.signature(ours).parameters
    for argument, parameter in inspect.signature(theirs).parameters.items():
        assert parameters[argument].kind == parameter.kind, argument
        required = parameter.default is inspect.Parameter.empty
        assert required or parameters[argument].default == parameter.default, argument
    positional = [
        [n for n, p in inspect.signature(f).parameters.items() if p.kind != p.KEYWORD_ONLY] for f in (ours, theirs)
    ]
    assert positional[0] == positional[1]
    rng = np.random.default_rng(17)
    for _ in range(12):
        n = int(rng.integers(40, 200))
        y, d = rng.integers(0, 2, (2, n))
        g = rng.choice(["f", "m", "x"][: rng.integers(2, 4)], n)
        more: dict[str, Any] = {"method": str(rng.choice(["between_groups", "to_overall"]))}
        if rng.random() < 0.5:
            more["sample_weight"] = rng.gamma(2.0, size=n)
        if "agg" in parameters:
            more["agg"] = str(rng.choice(["worst_case", "mean"]))
        features = pd.DataFrame({"sex": g, "old": rng.integers(0, 2, n)}) if rng.random() < 0.3 else pd.Series(g)
        row = ours(y, d, sensitive_features=features, **more)
        assert row.estimate == pytest.approx(theirs(y, d, sensitive_features=features, **more), abs=EXACT)


def test_the_groups_have_two_names_and_errors_say_the_one_that_was_used():
    y, d, g = [0, 1] * 20, [0, 1, 1, 1] * 10, ["f", "m", "f", "f"] * 10
    for name in STATISTICS:
        function = getattr(stats, name)
        assert function(y, d, sensitive_features=g) == function(y, d, groups=g), name
        for call, text in (
            ({}, "groups is absent; pass a label a person, as groups or as sensitive_features"),
            ({"groups": g, "sensitive_features": g}, "groups and sensitive_features are two names of one argument"),
            ({"sensitive_features": g[1:]}, "sensitive_features has 39"),
            ({"sensitive_features": [None, *g[1:]]}, "sensitive_features has 1 missing value;"),
        ):
            with pytest.raises(InputError, match=text):
                function(y, d, **call)


@pytest.mark.long
@pytest.mark.parametrize("data", DATA)
def test_what_fairlearn_has_no_name_for_is_its_metric_frame_of_every_group(data):
    from sklearn.metrics import brier_score_loss, precision_score

    people = DATA[data]()
    y, d, s, g, w = (people[k] for k in "ydsgw")

    def frame(metric: Any, among: Any = slice(None), values: Any = d, truth: Any = y) -> Any:
        arguments = {"metrics": metric, "y_true": truth[among], "y_pred": values[among]}
        params = {"sample_weight": None if w is None else w[among]}
        return fairlearn.MetricFrame(**arguments, sensitive_features=np.asarray(g)[among], sample_params=params)

    entries = {"groups": g, "sample_weight": w}
    precision, npv = frame(precision_score), frame(precision_score, values=1 - d, truth=1 - y)
    assert stats.predictive_parity_difference(y, d, **entries).estimate == pytest.approx(
        precision.difference(), abs=EXACT
    )
    assert stats.predictive_parity_ratio(y, d, **entries).estimate == pytest.approx(precision.ratio(), abs=EXACT)
    use = max(precision.difference(), npv.difference())
    assert stats.conditional_use_accuracy_equality(y, d, **entries).estimate == pytest.approx(use, abs=EXACT)
    positives, negatives = (frame(fairlearn.mean_prediction, y == label, s).difference() for label in (1, 0))
    assert stats.balance_for_the_positive_class(y, s, **entries).estimate == pytest.approx(positives, abs=EXACT)
    assert stats.balance_for_the_negative_class(y, s, **entries).estimate == pytest.approx(negatives, abs=EXACT)
    brier = frame(brier_score_loss, values=s).difference()
    assert stats.brier_parity(y, s, **entries).estimate == pytest.approx(brier, abs=EXACT)


def fairmetrics(table: pd.DataFrame) -> tuple[dict[str, float], dict[str, float]]:
    """Signed differences and ratios as R's fairmetrics 1.0.3 defines them on its help pages: group 1 to group 2."""

    def parts(frame: pd.DataFrame) -> dict[str, float]:
        y, d, s = frame.y, frame.d, frame.s
        wrong = {"fn": ((y == 1) & (d == 0)).sum(), "fp": ((y == 0) & (d == 1)).sum()}
        shares = {"ppr": d.mean(), "fnr": 1 - d[y == 1].mean(), "fpr": d[y == 0].mean(), "ppv": y[d == 1].mean()}
        means = {"positive": s[y == 1].mean(), "negative": s[y == 0].mean(), "brier": ((y - s) ** 2).mean()}
        return {**shares, "npv": 1 - y[d == 0].mean(), "treatment": wrong["fn"] / wrong["fp"], **means}

    one, two = (parts(current) for _, current in table.groupby("g"))
    rates = {"ppr": "ppr", "ppv": "ppv", "fpr": "fpr", "tpr": "fnr"}
    kept = [{**part, "fnr": 1 - part["fnr"]} for part in (one, two)]  # its ratio is of the false negatives
    ratios = {name: float(kept[0][rate] / kept[1][rate]) for name, rate in rates.items()}
    return {name: one[name] - two[name] for name in one}, ratios


def two_largest(people: dict[str, Any]) -> dict[str, Any]:
    table = pd.DataFrame({k: np.asarray(people[k]) for k in "ydsg"})
    table = table[table.g.isin(table.g.value_counts().index[:2])]
    return {k: table[k].to_numpy() for k in "ydsg"}


TWO = {
    **{f"simulated {seed}": lambda seed=seed: simulated(seed, {"a": 140 + 10 * seed, "b": 100}) for seed in range(5)},
    **DATA,
}


@pytest.mark.long
@pytest.mark.parametrize("data", TWO)
def test_of_two_groups_the_estimates_are_the_sizes_of_the_signed_differences_of_fairmetrics(data):
    people = two_largest(TWO[data]())
    signed, ratios = fairmetrics(pd.DataFrame({k: people[k] for k in "ydsg"}))
    assert any(value < 0 for value in signed.values())  # theirs is signed, ours is not
    size = {name: abs(value) for name, value in signed.items()}
    ratio = {name: min(value, 1 / value) for name, value in ratios.items()}
    expected = {
        "demographic_parity_difference": ("d", size["ppr"]),
        "equal_opportunity_difference": ("d", size["fnr"]),
        "predictive_parity_difference": ("d", size["ppv"]),
        "equalized_odds_difference": ("d", max(size["fnr"], size["fpr"])),
        "conditional_use_accuracy_equality": ("d", max(size["ppv"], size["npv"])),
        "treatment_equality": ("d", size["treatment"]),
        "balance_for_the_positive_class": ("s", size["positive"]),
        "balance_for_the_negative_class": ("s", size["negative"]),
        "brier_parity": ("s", size["brier"]),
        "demographic_parity_ratio": ("d", ratio["ppr"]),
        "predictive_parity_ratio": ("d", ratio["ppv"]),
        "equal_opportunity_ratio": ("d", ratio["tpr"]),
        "equalized_odds_ratio": ("d", min(ratio["tpr"], ratio["fpr"])),
    }
    assert {*expected, "abroca"} == set(STATISTICS)  # fairmetrics has no area between curves
    for name, (column, value) in expected.items():
        result = getattr(stats, name)(people["y"], people[column], groups=people["g"])
        assert result.estimate == pytest.approx(value, abs=EXACT), name


def test_the_interval_between_groups_is_that_of_the_audit(tmp_path):
    people = simulated(4, {"a": 120, "b": 110, "c": 90})
    table = pd.DataFrame({k: people[k] for k in "ydg"})
    audited = fairstats.audit(table, "d", "g", outcome="y").estimates
    for name in ("demographic_parity_difference", "equal_opportunity_ratio", "equalized_odds_difference"):
        row = getattr(stats, name)(table.y, table.d, groups=table.g)
        (other,) = audited.where(metric=name)
        assert (row.estimate, row.conf_low, row.conf_high) == (other.estimate, other.conf_low, other.conf_high), name
    (kin,) = audited.where(metric="predictive_parity_difference")
    assert kin.estimate == stats.predictive_parity_difference(table.y, table.d, groups=table.g).estimate


def test_frequencies_are_people_and_equal_probability_weights_change_no_estimate():
    people = simulated(6, {"a": 60, "b": 50, "c": 40})
    counts = np.random.default_rng(0).integers(0, 4, people["y"].size)
    repeated = {k: np.repeat(people[k], counts) for k in "ydsg"}
    for name in STATISTICS:
        if name == "abroca":  # its bootstrap draws other people: tests/inference/scores/test_abroca.py
            continue
        column = "s" if "class" in name or "brier" in name else "d"
        function = getattr(stats, name)
        weighted = function(
            people["y"], people[column], groups=people["g"], sample_weight=counts, weight_type="frequency"
        )
        plain = function(repeated["y"], repeated[column], groups=repeated["g"])
        for part in ("estimate", "conf_low", "conf_high"):
            assert getattr(weighted, part) == pytest.approx(getattr(plain, part), abs=1e-9), (name, part)
        equal = function(people["y"], people[column], groups=people["g"], sample_weight=np.full(people["y"].size, 3.0))
        assert equal.estimate == pytest.approx(
            function(people["y"], people[column], groups=people["g"]).estimate, abs=EXACT
        ), name


def test_a_group_without_anybody_in_a_denominator_is_left_out_and_named():
    y, d = [1, 1, 1, 0, 0, 0] * 10, [1, 0, 1, 0, 1, 0] * 10
    groups = ["a", "b", "a", "a", "b", "c"] * 10  # c has no positives
    row = stats.equal_opportunity_difference(y, d, groups=groups)
    assert row.reason.endswith("no positives in c") and row.estimate == 1.0
    assert fairlearn.equal_opportunity_difference(y, d, sensitive_features=groups) == 1.0
    alone = stats.equal_opportunity_difference([1, 0] * 5, [1, 0] * 5, groups=["a", "b"] * 5)
    assert alone.status == "unestimable" and np.isnan(alone.estimate) and alone.reason == "no positives in b"
    endless = stats.treatment_equality([1, 1, 1, 0] * 5, [0, 0, 0, 1] * 5, groups=["a", "b", "a", "b"] * 5)
    assert endless.reason == "no false positives in a: the ratio is infinite"
    nobody = stats.demographic_parity_ratio([1, 0] * 5, [0] * 10, groups=["a", "b"] * 5)
    assert nobody.status == "unestimable" and nobody.reason == "no events in any group: 0/0"


@pytest.mark.parametrize("errors", [1, 2, 3])
def test_ratios_of_errors_of_weighted_people_have_limits_from_two_errors_on(errors):
    y = np.array([0] * 20 + [0] * errors + [1, 1, 0, 0] + [0] * 20)
    d = np.array([0] * 20 + [1] * errors + [0, 0, 1, 1] + [0] * 20)
    g = np.array(["a"] * (20 + errors) + ["b"] * 24)
    w = np.linspace(1, 2, y.size)
    row = stats.treatment_equality(y, d, groups=g, sample_weight=w)
    assert (row.status == "ok") == (errors > 1)
    assert errors > 1 or row.reason == "one weighted error in a group leaves no limits"


def test_rows_are_paired_by_their_index_and_never_by_position_where_indexes_differ():
    people = simulated(3, {"a": 40, "b": 30})
    y, d, g = (pd.Series(people[k], index=[f"p{i}" for i in range(70)]) for k in "ydg")
    plain = stats.equalized_odds_difference(y, d, groups=g)
    assert plain.attribute == "" and stats.brier_parity(y, d, groups=g.rename("race")).attribute == "race"
    pair = pd.DataFrame({"race": g, "sex": ["f", "m"] * 35})
    assert stats.demographic_parity_ratio(y, d, groups=pair).attribute == "race:sex"
    assert stats.equalized_odds_difference(y, d[::-1], groups=g.sample(frac=1, random_state=1)) == plain
    with pytest.raises(InputError, match="groups and y_true have different indexes"):
        stats.equalized_odds_difference(y, d, groups=g.rename(lambda name: name + "!"))
    with pytest.raises(InputError, match="y_pred has 69, groups has 70"):
        stats.equalized_odds_difference(people["y"], people["d"][:-1], groups=people["g"])
    with pytest.raises(InputError, match="pass y_pred == the label that counts as 1"):
        stats.equalized_odds_difference(people["y"], people["d"] + 1, groups=people["g"])
    with pytest.raises(InputError, match=r"pass decisions, as y_pred >= 0\.5 makes them of scores"):
        stats.equalized_odds_difference(people["y"], people["d"] * 0.7, groups=people["g"])


# Coverage of the true gap: cells of three groups, with and without a gap, in samples of 60 to 120 a group.
def _draw(rng: np.random.Generator, equal: bool) -> tuple[np.ndarray, ...]:
    g = np.repeat([0, 1, 2], [60, 90, 120])
    y = (rng.random(g.size) < 0.5).astype(int)
    tpr, fpr = (np.full(3, 0.6), np.full(3, 0.3)) if equal else (np.array([0.6, 0.8, 0.7]), np.array([0.2, 0.3, 0.45]))
    d = (rng.random(g.size) < np.where(y == 1, tpr[g], fpr[g])).astype(int)
    shape = np.where(equal, 0.0, 1.0) * g
    s = rng.beta(2 + 2 * y + shape, 3.0)
    return y, d, s, g


TRUE = {  # without and with a gap
    "demographic_parity_difference": (0.0, 0.575 - 0.4),
    "demographic_parity_ratio": (1.0, 0.4 / 0.575),
    "equal_opportunity_difference": (0.0, 0.2),
    "equal_opportunity_ratio": (1.0, 0.75),
    "equalized_odds_difference": (0.0, 0.25),
    "equalized_odds_ratio": (1.0, 0.2 / 0.45),
    "predictive_parity_difference": (0.0, 0.75 - 0.7 / 1.15),
    "predictive_parity_ratio": (1.0, 0.7 / 1.15 / 0.75),
    "conditional_use_accuracy_equality": (0.0, 0.75 - 0.7 / 1.15),
    "treatment_equality": (0.0, 2.0 - 0.2 / 0.3),
    "balance_for_the_positive_class": (0.0, 6 / 9 - 4 / 7),
    "balance_for_the_negative_class": (0.0, 4 / 7 - 2 / 5),
}


DESIGNS = [
    *((name, False, "between_groups") for name in TRUE),
    # the true distance from everybody depends on the groups' shares where there is a gap
    *((name, True, "to_overall") for name in TRUE if name.rsplit("_", 1)[1] in ("difference", "ratio")),
    *(pytest.param(name, True, how, marks=pytest.mark.slow) for name in TRUE for how in ("between_groups", "weights")),
    *(pytest.param(name, False, "weights", marks=pytest.mark.slow) for name in list(TRUE)[2:]),
    *((name, False, "weights") for name in list(TRUE)[:2]),
]


@pytest.mark.long
@pytest.mark.parametrize(("name", "equal", "method"), DESIGNS)
def test_the_interval_holds_the_true_gap(name, equal, method):
    rng, runs, kept = np.random.default_rng(11), 30, 0
    for _ in range(runs):
        y, d, s, g = _draw(rng, equal)
        arguments: dict[str, Any] = {"method": method} if method == "to_overall" else {}
        if method == "weights":
            arguments = {"sample_weight": rng.uniform(1, 3, y.size)}
        row = getattr(stats, name)(y, s if "class" in name else d, groups=g, **arguments)
        kept += row.conf_low - 1e-12 <= TRUE[name][not equal] <= row.conf_high + 1e-12
    assert kept >= 0.83 * runs, kept / runs  # three standard errors below 0.95


def test_a_missing_group_is_one_error_with_a_way_out_that_exists():
    from fairstats import stats

    with pytest.raises(InputError, match="groups has 1 missing value; leave those people out, or give them a label"):
        stats.demographic_parity_difference([1, 0, 1, 0], [1, 0, 1, 0], groups=["a", None, "b", "a"])


def test_equalized_odds_are_the_same_whichever_answer_is_called_positive() -> None:
    one = simulated(3, {"a": 40, "b": 30, "c": 20})
    row = stats.equalized_odds_difference(one["y"], one["d"], groups=one["g"])
    other = stats.equalized_odds_difference(1 - one["y"], 1 - one["d"], groups=one["g"])
    for name in ("estimate", "conf_low", "conf_high", "p_value"):
        assert getattr(row, name) == pytest.approx(getattr(other, name), abs=EXACT), name
