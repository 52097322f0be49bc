"""Subgroups: all labels in loops, limits by enumeration of binomials, the covariance by resampling, one door."""

from __future__ import annotations

import json
import re
from itertools import combinations, product
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.integrate import quad
from scipy.stats import beta, binom, multivariate_normal, norm
from statsmodels.stats.multitest import multipletests

import fairstats
from fairstats.auditing.subgroups import REACHED, REACHED_MARGIN
from fairstats.cli import run
from fairstats.errors import InputError
from fairstats.inference.rates import many_rates
from fairstats.inference.rates.many_rates import _covariance, excess_limits, excess_p, joint_tail

COLUMNS = ["sex", "race", "age"]


def people(seed: int = 3, n: int = 900) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame({
        "sex": rng.choice(["f", "m"], n, p=[0.3, 0.7]),
        "race": rng.choice(["a", "b", "c:d"], n, p=[0.6, 0.35, 0.05]),
        "age": rng.choice(["old", "young", None], n, p=[0.5, 0.45, 0.05]),
    })  # fmt: skip
    low = (frame["sex"] == "f") & (frame["race"] == "b")
    frame["y"] = (rng.random(n) < 0.5).astype(int)
    return frame.assign(d=(rng.random(n) < np.where(low, 0.25, 0.6)).astype(int))


def of(frame: Any = None, **options: Any) -> fairstats.SubgroupScan:
    frame = people() if frame is None else frame
    named = {"decision": "d", "groups": COLUMNS, "outcome": "y"} if isinstance(frame, pd.DataFrame) else {}
    return fairstats.subgroup_scan(frame, **{**named, **options})


EVENTS = {
    "selection rate": (lambda t: t["d"] == 1, lambda t: t["d"] >= 0),
    "TPR": (lambda t: t["d"] == 1, lambda t: t["y"] == 1),
    "FPR": (lambda t: t["d"] == 1, lambda t: t["y"] == 0),
    "PPV": (lambda t: t["y"] == 1, lambda t: t["d"] == 1),
    "accuracy": (lambda t: t["y"] == t["d"], lambda t: t["d"] >= 0),
    "classification error": (lambda t: t["y"] != t["d"], lambda t: t["d"] >= 0),
}


@pytest.mark.long
@pytest.mark.parametrize("metric", EVENTS)
@pytest.mark.parametrize("depth", [1, 3])
def test_the_subgroups_are_all_that_a_loop_over_all_labels_finds(metric: str, depth: int) -> None:
    frame = people().fillna({"age": "(missing)"})
    event, among = EVENTS[metric]
    entries = {(row.attribute, row.group): row for row in of(metric=metric, max_order=depth, min_n=1).estimates}
    everybody = entries.pop(("", "everybody"))
    whole = frame[among(frame)]
    assert everybody.estimate == event(whole).mean()
    looked = 0
    for k in range(1, depth + 1):
        for names in combinations(COLUMNS, k):
            for labels in product(*(sorted(frame[name].unique()) for name in names)):
                current = whole[
                    np.logical_and.reduce([whole[name] == label for name, label in zip(names, labels, strict=True)])
                ]
                group = ":".join(label.replace(":", "\\:") for label in labels) if k > 1 else labels[0]
                if len(current):
                    row = entries[":".join(names), group]
                    looked += 1
                    assert (row.n, row.events) == (len(current), event(current).sum())
                    if row.status == "ok":
                        assert row.estimate == pytest.approx(event(current).mean() - event(whole).mean(), abs=1e-15)
                        assert row.conf_low <= row.estimate <= row.conf_high
    assert looked == sum(row.n > 0 for row in entries.values())


@pytest.mark.parametrize("counted", [(3, 12, 40, 88), (0, 12, 40, 88), (700, 1000, 3, 12), (12, 12, 30, 30)])
def test_a_limit_is_the_quantile_of_the_difference_of_two_beta_variables(counted: tuple[int, int, int, int]) -> None:
    x, n, y, m = counted
    for tail in (0.025, 0.0005):
        low, high = excess_limits(x, n, x + y, n + m, tail)
        for limit, (e, f), sign in ((low, (x, y), 1), (high, (n - x, m - y), -1)):  # the upper by who lacks the event
            s, excess = n / (n + m), sign * (x / n - y / m) * m / (n + m)
            moved = norm.ppf(tail) * limit / (1 - s) * np.sqrt(s * (1 - s) / (n + m))
            d = (excess - np.sqrt((excess - sign * limit) ** 2 - moved**2)) / (1 - s)

            def below(t: float, d: float = d, e: int = e, f: int = f) -> float:
                current = beta.cdf(d + t, e, n - e + 1) if e else float(d + t >= 0)
                return current * beta.pdf(t, f + 1, m - f) if f < m else 0.0

            chance = quad(below, 0, 1, limit=400, points=[f / m])[0] if f < m else beta.cdf(d + 1, e, n - e + 1)
            assert chance == pytest.approx(tail, rel=1e-2)


@pytest.mark.long
@pytest.mark.parametrize("sizes", [(4, 30), (10, 40), (40, 15)])
@pytest.mark.parametrize("tail", [0.025, 0.0005])
def test_limits_of_few_people_hold_by_enumeration(sizes: tuple[int, int], tail: float) -> None:
    n, rest = sizes
    x, y = (np.arange(m + 1) for m in sizes)
    low, high = excess_limits(x[:, None], n, x[:, None] + y, n + rest, tail)
    for p, q in product([0.005, 0.02, 0.2, 0.5, 0.9, 0.98], repeat=2):
        truth = rest / (n + rest) * (p - q)
        kept = (low <= truth + 1e-8) & (truth <= high + 1e-8)
        assert (binom.pmf(x, n, p)[:, None] * binom.pmf(y, rest, q) * kept).sum() >= 1 - 2 * tail


def test_p_values_are_the_limits_turned_round() -> None:
    x, n = np.array([0, 2, 9, 30, 700]), np.array([10, 40, 12, 100, 1000])
    for tolerance in (0.0, 0.03):
        p = excess_p(x, n, 900, 2000, tolerance)
        for factor, beyond in ((0.999, False), (1.001, True)):
            low, high = excess_limits(x, n, 900, 2000, np.minimum(p * factor, 1) / 2)
            outside = (low > tolerance) | (high < -tolerance)
            np.testing.assert_array_equal(outside[p < 1], np.full((p < 1).sum(), beyond))
    assert (excess_p(x, n, 900, 2000, 0.03) >= excess_p(x, n, 900, 2000)).all()


def test_the_covariance_is_that_of_what_each_person_moves() -> None:
    rng = np.random.default_rng(0)
    n, events = np.array([4000.0, 9000, 2500]), np.array([1000.0, 3000, 2000])
    members = np.array([[1, 0, 0], [1, 1, 0], [0, 0, 1], [0, 1, 1]], dtype=bool)
    draws = rng.multinomial(int(n.sum()), np.concatenate([events, n - events]) / n.sum(), size=20_000)
    people_, with_event = draws[:, :3] + draws[:, 3:], draws[:, :3]
    rates = (with_event @ members.T) / (people_ @ members.T) - (with_event.sum(1) / people_.sum(1))[:, None]
    drawn, result = np.cov(rates.T) * n.sum(), _covariance(members, events, n)
    np.testing.assert_allclose(result, drawn, atol=0.04 * np.diag(drawn).max())


def test_the_joint_level_is_that_of_correlated_normals() -> None:
    n, events = np.array([3000.0, 9000, 2500]), np.array([1000.0, 3000, 2000])
    members = np.array([[1, 0, 0], [1, 1, 0]], dtype=bool)
    tail = joint_tail(members, events, n, 0.95, seed=1)
    c = -norm.ppf(tail)
    values = _covariance(members, events, n)
    r = values[0, 1] / np.sqrt(values[0, 0] * values[1, 1])
    law = multivariate_normal([0, 0], [[1, r], [r, 1]])
    inside = law.cdf([c, c], lower_limit=[-c, -c])
    assert inside == pytest.approx(0.95, abs=0.006)
    assert joint_tail(members[:1], events, n, 0.95, seed=1) == pytest.approx(0.025, rel=0.05)


def test_the_joint_level_of_many_parts_is_that_of_few(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(4)
    n, rates = rng.integers(50, 900, 12).astype(float), rng.uniform(0.1, 0.6, 12)
    members = np.concatenate([np.eye(12, dtype=bool), rng.random((20, 12)) < 0.5])
    values = _covariance(members, n * rates, n)  # of parts that overlap: not of full rank
    tail = joint_tail(members, n * rates, n, 0.95, seed=1)
    monkeypatch.setattr(many_rates, "FEW_PARTS", 1)
    root, sd = many_rates._root(values), np.sqrt(np.diag(values))
    assert len(root) < len(values)
    np.testing.assert_allclose(root.T @ root, values / np.outer(sd, sd), atol=1e-5)
    assert joint_tail(members, n * rates, n, 0.95, seed=1) == pytest.approx(tail, rel=0.07)


@pytest.mark.parametrize("tolerance", [0.001, 0.02, 0.1])
def test_a_p_value_is_that_of_halving(tolerance: float) -> None:
    rng = np.random.default_rng(2)
    n = rng.integers(5, 1900, 60)
    e = rng.binomial(n, rng.uniform(0.01, 0.8, 60))
    (lower, upper), present, _ = many_rates._sides(e, n, e + 900, n + 3000)
    assert present.all()
    found = []
    for side in (lower, upper):
        low, high = np.full(60, np.log(many_rates.LEAST)), np.full(60, np.log(0.5))
        for _ in range(60):
            middle = (low + high) / 2
            out = side.leaves_out(np.full(60, tolerance), np.exp(middle))
            low, high = np.where(out, low, middle), np.where(out, middle, high)
        found.append(np.exp(high))
    expected = np.minimum(2 * np.minimum(*found), 1)
    np.testing.assert_allclose(excess_p(e, n, e + 900, n + 3000, tolerance), expected, rtol=1e-8)


def test_flags_are_those_of_the_procedure_and_verdicts_agree() -> None:
    result = of(max_order=3, fdr=0.1)
    rows = result.tested()
    p = [row.p_value for row in rows]
    for p_adjust, name in (("bh", "fdr_bh"), ("by", "fdr_by")):
        built = of(max_order=3, fdr=0.1, p_adjust=p_adjust).tested()
        np.testing.assert_allclose([row.p_adjusted for row in built], multipletests(p, method=name)[1], atol=1e-12)
    assert {row.key for row in result.flagged()} == {row.key for row in rows if row.p_adjusted <= 0.1}
    assert "f:b" in result.flagged().column("group")
    assert len(of(max_order=3, p_adjust="by").flagged()) <= len(of(max_order=3).flagged())
    for row in rows:  # limits that hold together are wider than what one test asks for
        assert row.p_value < 1 - row.conf_level or row.conf_low <= 0 <= row.conf_high
    near = of(margin=0.3)
    for row in near.tested():
        within = row.conf_low >= -0.3 and row.conf_high <= 0.3
        assert row.verdict == ("equivalence shown" if within else "inconclusive")
    assert "Up to 30.0 percentage points" in " ".join(near.statements)


def test_it_is_a_function_of_counts_and_of_the_seed() -> None:
    frame = people()
    first = of(frame)
    assert of(frame.sample(frac=1, random_state=5)).estimates == first.estimates
    halves = [fairstats.tally(half, "d", COLUMNS, outcome="y") for half in (frame[:400], frame[400:])]
    assert of(halves[0] + halves[1]).estimates == first.estimates
    scored = fairstats.tally(frame.assign(s=frame["y"] + 0.5), "d", COLUMNS, outcome="y", score="s")
    assert of(scored, metric="FPR").estimates == of(frame, metric="FPR").estimates
    assert of(frame).estimates == first.estimates
    assert of(frame, seed=9).tested()[0].conf_low != first.tested()[0].conf_low
    arrays = fairstats.subgroup_scan(decision=frame["d"], groups=frame[COLUMNS], outcome=frame["y"])
    assert arrays.estimates == first.estimates
    one_level = of(frame, groups=["sex"], max_order=5)
    assert one_level.estimates.column("group") == ["everybody", "m", "f"]


def test_every_subgroup_without_a_verdict_says_why() -> None:
    frame = people().assign(team=lambda t: np.where(t["sex"] == "f", "one", "two"))
    frame.loc[(frame["race"] == "c:d") & (frame["sex"] == "f"), "y"] = 0
    result = of(frame, groups=["sex", "race", "team"], metric="TPR", min_n=20)
    why = {(row.attribute, row.group): (row.status, row.reason) for row in result.estimates if row.status != "ok"}
    assert why["team", "one"] == ("excluded", "the same people as sex = f")
    assert why["sex:team", "f:one"] == ("excluded", "the same people as sex = f")
    assert why["sex:race", "f:c\\:d"] == ("unestimable", "no positives")
    assert why["sex:race", "m:c\\:d"] == ("excluded", "fewer than 20 people")
    few = sum("fewer" in reason for _, reason in why.values())
    alike = sum("same people" in reason for _, reason in why.values())
    nobody = sum(status == "unestimable" for status, _ in why.values())
    assert (
        f"Further subgroups, not tested: {few} of fewer than 20 people, {alike} of the same people as another one and "
        f"{nobody} of nobody whom the rate is about."
    ) in result.statements
    # nor do they count: neither for the joint level nor for flags
    without = of(frame, groups=["sex", "race"], metric="TPR", min_n=20)
    same = {row.key: row for row in without.tested()}
    assert all(same[row.key] == row for row in result.tested() if row.key in same)


BAD = {
    "metric": ({"metric": "AUC"}, "metric has 'AUC'; the choices are"),
    "outcome": ({"metric": "TPR", "outcome": None}, "metric has 'TPR', which needs the outcome"),
    "decision": ({"decision": None}, "metric has 'selection rate', which needs the decision"),
    "max_order": ({"max_order": 0}, "max_order has 0; it can be at least 1"),
    "min_n": ({"min_n": 5000}, "min_n has 5000; no subgroup short of everybody has so many people"),
    "margin": ({"margin": 1}, "margin has 1"),
    "fdr": ({"fdr": 0}, "fdr has 0"),
    "p_adjust": ({"p_adjust": "holm"}, "p_adjust has 'holm'; the choices are bh, by"),
    "joined": ({"groups": ["sex:race"]}, "groups has 'sex:race'; subgroups are made of single columns; name sex, race"),
    "unknown": ({"groups": ["sect"]}, "groups='sect' is not a column"),
    "groups": ({"groups": None}, "groups is absent"),
    "decision beside a score": ({"score": "s"}, "decision has 'd'; a score is compared with the outcome"),
    "rate beside a score": (
        {"score": "s", "decision": None, "metric": "TPR"},
        "metric has 'TPR', which needs no score",
    ),
    "no outcome": (
        {"score": "s", "decision": None, "outcome": None},
        "score has 's', which is compared with the outcome; name its column with outcome=",
    ),
    "no score": ({"metric": "mean residual"}, "metric has 'mean residual', which needs the score"),
    "no chances": ({"score": "far", "decision": None}, "score has 'far' with numbers from -1 to 4"),
    "bands": ({"score": "s", "decision": None, "bands": 0}, "bands has 0; it can be at least 1"),
    "bands of no score": ({"bands": 3}, "bands has 3; they are of a score, and there is none"),
    "one level": ({"groups": ["same"]}, "its only level is 'x'"),
}


@pytest.mark.parametrize(("options", "message"), BAD.values(), ids=BAD)
def test_a_wrong_question_is_one_error(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        of(people().assign(same="x", s=0.5, far=np.arange(900) % 6 - 1), **options)


def test_people_that_it_is_not_for_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    frame = people().assign(w=2, court=np.arange(900) // 9)
    for name, column in (("weights", "w"), ("clusters", "court")):
        with pytest.raises(InputError, match=rf"data has people with {name} \('{column}'\)"):
            fairstats.subgroup_scan(fairstats.tally(frame, "d", COLUMNS, **{name: column}))
    with pytest.raises(InputError, match="data has cells that were withheld"):
        fairstats.subgroup_scan(fairstats.tally(frame, "d", COLUMNS).withhold(30))
    monkeypatch.setenv("FAIRSTATS_MAX_SUBGROUPS", "5")
    with pytest.raises(InputError, match=r"max_order has 2 and min_n 10; .* at most 5 .*; look less deep"):
        of()


def test_the_published_example_on_compas(shared: Path) -> None:
    """Cherian and Candes flag subgroups of those who did not offend again: excess of the false positive rate."""
    rows = pd.read_csv(shared / "data" / "compas-scores-two-years.csv")
    rows = rows[rows["days_b_screening_arrest"].between(-30, 30) & (rows["is_recid"] != -1)]
    rows = rows.assign(high=(rows["decile_score"] >= 5).astype(int))
    result = fairstats.subgroup_scan(
        rows, "high", ["race", "age_cat", "sex"], outcome="two_year_recid", metric="FPR", max_order=3, min_n=1, fdr=0.1
    )
    assert len(rows) == 6172
    excess = {row.group: row for row in result.estimates}
    # as printed in the notebook beside their package, notebooks/compas.ipynb
    printed = {
        "African-American": 0.12067585,
        "25 - 45": 0.00718303,
        "Less than 25": 0.23186407,
        "Male": 0.00025448,
        "African-American:25 - 45": 0.11251147,
        "African-American:Less than 25": 0.29163371,
        "Other:Less than 25": 0.10269949,
        "Less than 25:Female": 0.30513722,
        "African-American:25 - 45:Female": 0.03691672,
        "Caucasian:Less than 25:Female": 0.39729408,
        "Hispanic:Less than 25:Male": 0.24077234,
    }
    for group, value in printed.items():
        assert excess[group].estimate == pytest.approx(value, abs=1e-8), group
    flagged = set(result.flagged().column("group"))
    assert {"African-American", "Less than 25", "African-American:Less than 25"} <= flagged
    # which they flag although their excess is 0.03 and 0.7 percentage points
    assert not {"Male", "25 - 45"} & flagged


def test_the_command_prints_what_python_finds_and_ends_with_one_where_something_is_flagged(
    tmp_path: Any, capsys: Any
) -> None:
    file = tmp_path / "people.csv"
    people().to_csv(file, index=False)
    line = ["subgroup-scan", str(file), "--decision", "d", "--groups", "sex,race,age"]
    assert run([*line, "--fail-on", "disparity"]) == 1
    printed = capsys.readouterr()
    ours = printed.out.replace("--max-order 3", "max_order=3").split("\n", 1)[1].split()
    assert "max_order=3" in ours and ours == of(outcome=None).summary().split("\n", 1)[1].split()
    assert "gate failed: flagged in" in printed.err
    assert max(map(len, printed.out.split("\n"))) <= 80
    assert run([*line, "--margin", "0.5", "--fail-on", "disparity", "--format", "json"]) == 0
    result = json.loads(capsys.readouterr().out)["others"][0]
    assert (result["schema"], result["margin"], result["max_order"]) == ("fairstats/subgroups/1", 0.5, 2)
    page = tmp_path / "page.html"
    assert run([*line, "--to", str(page), "--language", "de"]) == 0
    text = page.read_text(encoding="utf-8")
    assert "Ihr Wert (Anteil der Personen, die als <code>d = 1</code> erfasst sind) unterscheidet sich von" in text
    assert "Unterschied jeder Untergruppe zum Anteil aller" in text
    farthest = r"\d+,\d\s% von \d+ Frauen mit <code>race = b</code>, \d+,\d Punkte niedriger \(95[-\s]%-KI "
    assert re.search(f"Am weitesten darunter: {farthest}", text)


def test_flags_whose_limits_reach_equality_are_counted_in_words():
    rng = np.random.default_rng(1)
    columns = {name: rng.choice(list("abc"), 1500) for name in ("g", "h", "i")}
    chance = 0.4 + 0.12 * (columns["g"] == "a") - 0.1 * (columns["h"] == "b")
    data = columns | {"d": (rng.random(1500) < chance).astype(int)}
    result = fairstats.subgroup_scan(data, "d", list(columns))
    reached = [row for row in result.flagged() if row.conf_low <= 0 <= row.conf_high]
    lines = [text for text in result.statements if "these limits include no difference" in text]
    assert len(reached) > 1 and lines == [REACHED.format(within=len(reached))]
    assert not any(
        "these limits include no difference" in text for text in fairstats.subgroup_scan(data, "d", "g").statements
    )


def test_limits_that_reach_into_the_margin_are_not_said_to_include_no_difference():
    result = fairstats.subgroup_scan(
        fairstats.arrests(), "released", ["colour", "sex", "employed"], favorable="Yes", max_order=2, margin=0.02
    )
    reached = [row for row in result.flagged() if row.conf_low <= 0.02 and row.conf_high >= -0.02]
    assert any(row.conf_low > 0 or row.conf_high < 0 for row in reached)
    assert str(REACHED_MARGIN.format(within=len(reached))) in result.statements
    html = fairstats.report(result).html
    assert f"For {len(reached)} of the flagged subgroups these limits include differences within the margin" in html
    assert "include no difference" not in html


def test_the_first_sentence_counts_who_is_flagged_and_each_of_the_first_is_named_with_its_numbers() -> None:
    result = of(max_order=2, fdr=0.1, margin=0.02)
    rows, flagged = result.tested(), list(result.flagged())
    whole = result.estimates[0]
    assert flagged and result.statements[0] == (
        f"Flagged at a false discovery rate of 10%: {len(flagged)} of {len(rows)} subgroups (selection rate of "
        f"everybody: {100 * whole.estimate:.1f}%)."
    )
    for row, text in zip(flagged, result.statements[1:4], strict=False):
        assert f"(n = {row.n:,.0f}): {100 * row.events / row.n:.1f}%" in text
    near = sum(row.verdict == "equivalence shown" for row in rows)
    assert (
        f"Up to 2.0 percentage points from everybody are no disparity; shown to be so near: {near} of {len(rows)}."
        in (result.statements)
    )
    alike = fairstats.subgroup_scan(
        {"g": ["a", "b"] * 60, "h": ["x", "x", "y", "y"] * 30, "d": [1, 1, 0, 0] * 30}, "d", "g"
    )
    assert alike.statements[0] == (
        "None of 2 subgroups is flagged at a false discovery rate of 5% (selection rate of everybody: 50.0%)."
    )


def test_a_subgroup_of_exactly_the_smallest_size_is_tested(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    data = {"g": ["a"] * 10 + ["b"] * 20, "d": [1, 0] * 15}
    assert len(fairstats.subgroup_scan(data, "d", "g", min_n=10).tested()) == 2
    monkeypatch.setenv("FAIRSTATS_MAX_SUBGROUPS", "2")
    assert len(fairstats.subgroup_scan(data, "d", "g", min_n=10).tested()) == 2
    monkeypatch.setenv("FAIRSTATS_MAX_SUBGROUPS", "1")
    with pytest.raises(InputError, match="min_n 10; these are 2 subgroups with so many people, and at most 1 "):
        fairstats.subgroup_scan(data, "d", "g", min_n=10)
    many = {"g": [*map("g{}".format, range(21))] * 10, "d": [0, 1] * 105}
    with pytest.raises(InputError, match="these are 20 subgroups or more"):
        fairstats.subgroup_scan(many, "d", "g", min_n=10)


def test_bands_are_said_to_multiply_subgroups_that_are_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAIRSTATS_MAX_SUBGROUPS", "5")
    with pytest.raises(InputError, match=r"each also in 5 bands of the score; .*look less deep, pass fewer bands, or"):
        of(scored(), decision=None, score="s", max_order=1)


def scored(seed: int = 5, n: int = 1200) -> pd.DataFrame:
    """Scores that are right but for old women, who have the outcome less often."""
    frame = people(seed, n)
    rng = np.random.default_rng(seed)
    chance = rng.beta(2, 3, n).round(2)
    wrong = (frame["sex"] == "f") & (frame["age"] == "old")
    return frame.assign(s=chance, y=(rng.random(n) < np.where(wrong, chance / 3, chance)).astype(int))


@pytest.mark.parametrize("depth", [1, 2])
def test_residuals_of_all_subgroups_and_bands_are_those_of_a_loop(depth: int) -> None:
    frame = scored()
    result = of(frame, decision=None, score="s", bands=3, max_order=depth, min_n=1)
    frame = frame.fillna({"age": "(missing)"})
    entries = {(row.attribute, row.group): row for row in result.estimates}
    assert entries["", "everybody"].estimate == pytest.approx((frame["y"] - frame["s"]).mean())
    ordered = np.sort(frame["s"].to_numpy())
    cuts = [ordered[len(frame) // 3 - 1], ordered[2 * len(frame) // 3 - 1]]
    band = np.searchsorted(cuts, frame["s"], side="right")
    ends = [(frame["s"][band == k].min(), frame["s"][band == k].max()) for k in range(3)]
    frame = frame.assign(band=[f"{ends[k][0]:.2g} to {ends[k][1]:.2g}" for k in band])
    looked = 0
    for k in range(depth + 1):
        for names in combinations(COLUMNS, k):
            for extra in ([], ["band"]):
                if not (keys := [*names, *extra]):
                    continue
                for labels, part in frame.groupby(keys):
                    group = ":".join(str(label).replace(":", "\\:") for label in labels)
                    row = entries[":".join("s" if key == "band" else key for key in keys),
                                  group if len(keys) > 1 else labels[0]]  # fmt: skip
                    looked += 1
                    assert (row.n, row.events) == (len(part), part["y"].sum())
                    if row.status == "ok":
                        assert row.estimate == pytest.approx((part["y"] - part["s"]).mean(), abs=1e-12)
    assert looked == len(entries) - 1


def test_residuals_agree_with_their_limits_and_name_the_worst() -> None:
    result = of(scored(), decision=None, score="s", bands=1)
    assert result.of_scores and result.metric == "mean residual"
    rows = result.tested()
    assert [row.p_adjusted for row in rows] == pytest.approx(
        multipletests([row.p_value for row in rows], method="fdr_bh")[1]
    )
    for row in rows:
        beyond = row.conf_low > 0 or row.conf_high < 0
        assert beyond == (row.p_value < 1 - row.conf_level) and (row.contrast, row.reference) == ("difference", "score")
    worst = max(rows, key=lambda row: -row.conf_high)
    assert (worst.attribute, worst.group) == ("sex:age", "f:old") == (rows[0].attribute, rows[0].group)
    flagged, remain, first = result.statements[:3]
    assert remain.startswith(
        f"Flags that remain when the people of farther ones are left out: 1 of {len(result.flagged())}."
    )
    assert flagged.startswith(
        f"Flagged at a false discovery rate of 5%: {len(result.flagged())} of {len(rows)} subgroups"
    )
    share = 100 * worst.events / worst.n
    assert first.startswith(f"sex = f, age = old (n = {worst.n:.0f}): outcome {share:.1f}%, mean score ")
    assert f"{share - 100 * worst.estimate:.1f}%, a mean residual of −{-100 * worst.estimate:.1f} percentage" in first
    near = of(scored(), decision=None, score="s", margin=0.9)
    assert not len(near.flagged()) and near.statements[1].startswith("Farthest from 0: ")
    assert any("of up to 90.0 percentage points are no disparity" in line for line in near.statements)
    assert list(result.glance()["bands"]) == [1] and "bands" not in of().glance()


@pytest.mark.long
def test_scores_are_a_function_of_counts_and_bands_of_ties_are_fewer() -> None:
    frame = scored()
    counted = fairstats.tally(frame, outcome="y", score="s", groups=COLUMNS)
    assert of(counted, metric="mean residual").estimates == of(frame, decision=None, score="s").estimates
    tied = of(frame.assign(s=0.4), decision=None, score="s")
    assert not any("s" in row.attribute.split(":") for row in tied.tested())
    one = of(frame, decision=None, score="s", bands=1)
    assert len(one.estimates) == len(tied.estimates)
    unknown = frame.assign(y=frame["y"].where(frame.index % 10 > 0), s=frame["s"].where(frame.index % 7 > 0))
    known = unknown.dropna(subset=["y", "s"])
    expected = of(known.astype({"y": int}), decision=None, score="s").estimates
    assert of(unknown, decision=None, score="s").estimates.column("estimate") == expected.column("estimate")


def test_calibrated_scores_of_compas_are_wrong_for_young_women(shared: Path) -> None:
    """Deciles recalibrated for everybody, so that nothing but subgroups is wrong."""
    frame = pd.read_csv(shared / "data" / "compas-scores-two-years.csv")
    frame["risk"] = frame["decile_score"].map(frame.groupby("decile_score")["two_year_recid"].mean())
    result = fairstats.subgroup_scan(frame, score="risk", outcome="two_year_recid", groups=["sex", "race", "age_cat"])
    first = result.tested()[0]
    part = frame[(frame["sex"] == "Female") & (frame["age_cat"] == "Less than 25")]
    assert (first.attribute, first.group) == ("sex:age_cat", "Female:Less than 25")
    assert first.estimate == pytest.approx((part["two_year_recid"] - part["risk"]).mean())
    assert first.conf_high < 0 and first.verdict == "flagged"


def test_the_command_takes_a_score(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    scored().to_csv(tmp_path / "people.csv", index=False)
    line = ["subgroup-scan", str(tmp_path / "people.csv"), "--score", "s", "--outcome", "y", "--groups", "sex,age"]
    assert run([*line, "--bands", "2", "--fail-on", "disparity"]) == 1
    assert "Subgroups whose scores are not right" in capsys.readouterr().out


def one_bad_combination() -> dict[str, np.ndarray]:
    rng = np.random.default_rng(11)
    data = {"sex": rng.choice(["f", "m"], 5000), "race": rng.choice(["white", "black", "asian"], 5000)}
    data["disabled"] = rng.choice(["no", "yes"], 5000, p=[0.85, 0.15])
    data["veteran"] = rng.choice(["no", "yes"], 5000, p=[0.9, 0.1])
    chance = np.where((data["sex"] == "f") & (data["race"] == "black"), 0.2, 0.5)
    return {**data, "hired": (rng.random(5000) < chance).astype(int)}


def test_flags_that_follow_from_one_hidden_combination_are_marked_and_the_combination_is_named_alone() -> None:
    data = one_bad_combination()
    result = fairstats.subgroup_scan(data, "hired", ["sex", "race", "disabled", "veteran"])
    flagged = list(result.flagged())
    remain = [row.group for row in flagged if not row.reason]
    assert len(flagged) > 10 and remain == ["f:black"]
    assert {str(row.reason) for row in flagged if row.reason} == {
        "not flagged without the people of sex = f, race = black"
    }
    # counted another way: a scan of everybody else flags nothing
    rest = ~((data["sex"] == "f") & (data["race"] == "black"))
    assert not fairstats.subgroup_scan(
        {name: values[rest] for name, values in data.items()}, "hired", ["sex", "race", "disabled", "veteran"]
    ).flagged()
    text = result.summary()
    assert sum("a difference of" in line for line in result.statements) == 1
    assert f"Flags that remain when the people of farther ones are left out: 1 of {len(flagged)}." in " ".join(
        text.split()
    )
    assert "Farthest first" in text and "combinations of up to 2 of the 4 attributes" in " ".join(text.split())
    html = fairstats.report(result).html
    assert "Only 1 of them remains when the people of farther ones are left out." in html
    assert html.count("follows") >= len(flagged) - 1


def test_two_halves_are_one_finding_and_so_are_scores_of_one_combination() -> None:
    halves = fairstats.subgroup_scan(
        {"sex": ["f"] * 90 + ["m"] * 90, "hired": [1] * 20 + [0] * 100 + [1] * 60}, "hired", "sex"
    )
    assert [bool(row.reason) for row in halves.flagged()] == [False, True]
    data = one_bad_combination()
    scored = {**data, "risk": np.full(5000, 0.5)}
    found = fairstats.subgroup_scan(scored, score="risk", outcome="hired", groups=["sex", "race", "disabled"], bands=1)
    assert [row.group for row in found.flagged() if not row.reason] == ["f:black"]
