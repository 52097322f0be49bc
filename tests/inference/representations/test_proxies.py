"""Proxies: what a feature tells is found again by scikit-learn, by construction, and not where there is nothing."""

from __future__ import annotations

import html
import re
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.stats import norm
from sklearn.metrics import roc_auc_score

import fairstats as fs
from fairstats.cli import run
from fairstats.cli.io import Shell
from fairstats.errors import writing_for
from fairstats.inference.multiplicity import Family
from fairstats.inference.representations.probes import FIRST_TESTED, PARTS, spread_evenly
from fairstats.inference.representations.proxies import (
    MAY_BE_CODES,
    _area,
    _Feature,
    _gain,
    _learned,
    _pairs,
    _scores,
    answers,
    headlines,
    is_call,
)
from fairstats.language import says
from fairstats.text import number

ALONE, ADDED, LEFT = "AUC of features", "AUC added by feature", "AUC of features left"


def of(result: fs.Proxies, metric: str, term: str, **more: str) -> Any:
    (row,) = (r for r in result.estimates.where(metric=metric, role="main", **more) if r.term == term)
    return row


def people(n: int = 1200) -> pd.DataFrame:
    rng = np.random.default_rng(2)
    g = rng.integers(0, 2, n)
    first, second = rng.integers(0, 2, (2, n))
    second = np.where(rng.random(n) < 0.95, first ^ g, second)
    frame = pd.DataFrame({"sex": np.array(["f", "m"])[g], "first": first, "second": second})
    frame["spread"] = rng.normal(size=n) * (1 + 3 * g)  # no difference of means
    frame["job"] = np.array(list("abcde"))[np.minimum(rng.poisson(0.7 + g), 4)]
    frame["same job"] = frame["job"].str.upper()
    frame["gap"] = np.where(rng.random(n) < 0.1 + 0.4 * g, np.nan, rng.normal(size=n))
    frame["noise"] = rng.normal(size=n)
    return frame


@pytest.fixture(scope="module")
def result() -> fs.Proxies:
    return fs.proxies(people(), "sex")


def test_a_factor_alone_is_the_share_by_label_learned_on_earlier_parts(result: fs.Proxies) -> None:
    frame = people()
    y = (frame["sex"] == "m").to_numpy().astype(int)
    part = spread_evenly(y, np.random.default_rng(0))
    areas, pairs = [], []
    for now in range(FIRST_TESTED, PARTS):
        train, test = frame[part < now], frame[part == now]
        share = (train["sex"] == "m").groupby(train["job"]).mean()
        areas.append(roc_auc_score(y[part == now], share.reindex(test["job"]).to_numpy()))
        pairs.append(y[part == now].sum() * (1 - y[part == now]).sum())
    assert of(result, ALONE, "job").estimate == pytest.approx(np.average(areas, weights=pairs), abs=1e-12)


def test_what_was_put_in_is_found(result: fs.Proxies) -> None:
    shown = {r.term for r in result.estimates.where(metric=ALONE, role="main") if r.verdict == "disparity shown"}
    assert shown == {"spread", "job", "same job", "gap"}
    # neither of two tells anything alone, both together nearly all
    assert of(result, ADDED, "first").conf_low > 0 and of(result, ADDED, "second").conf_low > 0
    # two that say the same add little to each other
    assert of(result, ADDED, "same job").estimate < 0.02 < of(result, ALONE, "same job").estimate - 0.5
    (together,) = result.estimates.where(metric=ALONE, role="omnibus")
    assert together.conf_low > 0.9 and together.term == ""


def test_rows_do_not_contradict_themselves(result: fs.Proxies) -> None:
    for row in result.estimates:
        if row.metric == "AUC of pairs":  # whose verdict stands in the row of what it adds
            assert row.verdict == "" and 0.5 < row.conf_low < row.estimate
            continue
        if np.isnan(row.conf_low):
            assert row.verdict in ("", "inconclusive") and row.estimate == 0
            continue
        null = 0.5 if row.metric in (ALONE, LEFT) else 0.0
        shown = row.verdict == "disparity shown"
        assert shown == (row.conf_low > null) == (row.p_adjusted < 0.05)
        assert row.conf_high >= null


def test_the_sentences_say_what_the_rows_say(result: fs.Proxies) -> None:
    pair, strongest, first, left, missing, second, third, *_, last = result.statements
    one, other = (of(result, ALONE, name).estimate for name in ("first", "second"))
    (found,) = result.estimates.where(metric="AUC of pairs")
    assert pair == (
        f"first and second together tell m from f (AUC {found.estimate:.2f}), although neither is shown to do so alone "
        f"({number(one, 2)}, {number(other, 2)})."
    )
    assert last == (
        "Of 7 features: all columns but those of the groups. A decision or an outcome among them is no feature: "
        "features= names those that a model reads. Seed 0."
    )
    spread = of(result, ALONE, "spread")
    assert strongest == (
        f"The strongest single proxy is spread: it tells m from f with an AUC of {spread.estimate:.2f} (99.29% limits "
        f"{spread.conf_low:.2f} to {spread.conf_high:.2f})."
    )
    end = result.left()[-1]
    assert left.startswith("Without ") and left.endswith("; more than guessing is not shown.")
    assert f"AUC of {end.estimate:.2f} (95% limits {end.conf_low:.2f} to {end.conf_high:.2f})" in left
    (together,) = result.estimates.where(metric=ALONE, role="omnibus")
    assert f"tell m from f with an AUC of {together.estimate:.2f}" in first
    assert missing.startswith("Whether gap is missing tells m from f by itself, whatever its values")
    assert second.startswith("Shown to give sex away by themselves: 4 of 7 features (")
    assert third.startswith("Shown to add to what the others tell of sex: ")
    text = [line for line in result.summary().splitlines() if not line.startswith("fairstats.")]
    assert max(map(len, text)) <= 80  # a call is one line, to be copied


def coded(n: int = 900) -> pd.DataFrame:
    """An occupation that tells most, by codes without an order; hours that tell less, with gaps; and a decision."""
    rng = np.random.default_rng(3)
    men = rng.random(n) < 0.5
    job = np.where(men, rng.integers(0, 22, n), rng.integers(10, 32, n))
    frame = pd.DataFrame({"sex": np.where(men, "m", "f"), "job": rng.choice(np.arange(1000, 9999), 32, False)[job]})
    frame["hours"] = (40 + 4 * men + rng.normal(0, 5, n)).round(1)
    frame["city"], frame["hired"] = rng.choice(["Bonn", "Ulm"], n), (rng.random(n) < 0.4).astype(int)
    return frame.assign(pay=np.where(rng.random(n) < 0.1, np.nan, rng.lognormal(10, 0.3, n).round()))


def test_codes_are_named_and_each_is_a_class_where_they_are_declared(tmp_path: Path, capsys) -> None:
    table, features = coded(), ["job", "hours", "city", "pay"]
    numbers = fs.proxies(table, "sex", features=features)
    (caution,) = (line for line in numbers.statements if says(line, MAY_BE_CODES))
    assert "perhaps codes: job. " in caution and "codes=['job'] takes each value as a class" in caution
    for name, names in (("area", ["area"]), ("zip_code", ["zip_code"]), ("wage", []), ("years_in_job", [])):
        values = table["pay"].fillna(0) // 1000 + (1 if name == "zip_code" else 0)
        values = table["job"] if name == "area" else values * (1 if name == "zip_code" else 1000)
        values = np.arange(len(table)) % 40 + 1 if name == "years_in_job" else values
        found = fs.proxies(table.assign(**{name: values}), "sex", features=["hours", name])
        assert [says(line, MAY_BE_CODES) for line in found.statements].count(True) == len(names), name
    declared = fs.proxies(table, "sex", features=features, codes=["job"])
    as_labels = fs.proxies(table.astype({"job": str}), "sex", features=features)
    assert not any(says(line, MAY_BE_CODES) for line in declared.statements)
    assert of(declared, ALONE, "job").estimate == of(as_labels, ALONE, "job").estimate
    assert of(declared, ALONE, "job").estimate > of(numbers, ALONE, "job").estimate
    table.to_csv(tmp_path / "p.csv", index=False)
    path = str(tmp_path / "p.csv")
    words = ["proxies", path, "--groups", "sex", "--features", "job,hours,city,pay"]
    assert run(words) == 0 and "--codes job takes" in " ".join(capsys.readouterr().out.split())
    assert run([*words, "--codes", "job"]) == 0
    out = capsys.readouterr().out
    assert "perhaps codes" not in out
    audited, compared = (line for line in out.splitlines() if line.startswith("fairstats "))
    assert audited == f"fairstats audit {path} --decision hired --groups sex  # how the decisions differ by sex"
    assert "--outcome hired --groups sex --features '~ C(job) + hours + city'  # what" in compared


def test_what_is_to_be_run_next_runs(tmp_path: Path) -> None:
    data = coded().rename(columns={"hours": "hours a week"})
    found = fs.proxies(data, "sex", features=["job", "hours a week", "city", "pay"], codes=["job"])
    audit, compare = (str(line) for line in found.statements if is_call(line))
    assert any("That comparison is without pay: it takes no missing values" in line for line in found.statements)
    assert eval(audit, {"fairstats": fs, "data": data}).protocol.groups == ("sex",)  # noqa: S307
    assert eval(compare.replace(")  #", ", n_repeats=2)  #"), {"fairstats": fs, "data": data}).estimates  # noqa: S307
    saved = fs.load(found.save(tmp_path / "found.npz"), fs.Proxies)
    assert saved.statements == found.statements and saved.summary() == found.summary()  # calls are calls again
    every = fs.proxies(data, "sex")
    assert any("OUTCOME stands for the column" in line for line in every.statements)
    assert any("hired is taken for the decision or the outcome" in line for line in headlines(found))
    two = data.assign(other=["a", "b"] * (len(data) // 2))
    both = fs.proxies(two, ["sex", "other"], features=["job", "city", "pay"], codes=["job"])
    assert any("decision='hired'" in line for line in both.statements)  # a group that is not shown is no decision
    beside = fs.proxies(data.drop(columns="sex"), data["sex"].to_numpy(), features=["job", "city"], codes=["job"])
    assert any("run this again." in line for line in beside.statements)
    assert not any(is_call(line) for line in beside.statements)


def test_files_are_named_as_given_to_who_runs_and_by_name_in_what_others_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data, features = coded().drop(columns="pay"), ["job", "city"]
    for name, rows in {"p.csv": data, "a.csv": data[:400], "b c.csv": data[400:]}.items():
        rows.to_csv(tmp_path / name, index=False)
    found = fs.proxies(str(tmp_path / "p.csv"), "sex", features=features, codes=["job"])
    (call,) = (line.partition("  #")[0] for line in found.summary().splitlines() if line.startswith("fairstats.audit"))
    assert eval(call, {"fairstats": fs}).protocol.groups == ("sex",)  # noqa: S307 - our text
    saved = fs.load(found.save(tmp_path / "found.npz"), fs.Proxies)
    for ending in ("html", "json", "md"):
        fs.report(found, to=tmp_path / f"o.{ending}")
        assert str(tmp_path) not in (tmp_path / f"o.{ending}").read_text()
    assert str(tmp_path) not in saved.summary() and "fairstats.audit('p.csv', decision='hired'" in saved.summary()
    files = [str(tmp_path / name) for name in ("a.csv", "b c.csv")]
    for page in ([], ["--to", str(tmp_path / "two.html")]):
        assert run(["proxies", *files, "--groups", "sex", "--features", ",".join(features), *page]) == 0
    out = capsys.readouterr().out
    assert f"fairstats audit {files[0]} '{files[1]}' --decision hired --groups sex  #" in out
    two = html.unescape((tmp_path / "two.html").read_text())  # a call takes a table of several files
    assert "fairstats.audit(data, decision='hired', groups='sex')" in two and str(tmp_path) not in two


@pytest.mark.parametrize("missing", ["drop", "level"])
def test_what_is_to_be_run_next_runs_with_missing_groups_and_labels_of_words(missing: str) -> None:
    data = coded().assign(hired=lambda table: np.where(table["hired"] == 1, "hired", "turned down"))
    data.loc[:40, "sex"] = None
    found = fs.proxies(data, "sex", features=["job", "hours", "city"], codes=["job"], missing=missing)
    audit, compare = (str(line) for line in found.statements if is_call(line))
    assert any(
        "FAVORABLE stands for the label of hired which helps the person: hired or turned down." in line
        for line in found.statements
    )
    assert f"missing='{missing}'" in compare and "FAVORABLE" in audit and "FAVORABLE" in compare
    run_audit = audit.replace("FAVORABLE", "hired")
    run_compare = compare.replace("FAVORABLE", "hired").replace(")  #", ", n_repeats=2)  #")
    assert eval(run_audit, {"fairstats": fs, "data": data}).protocol.favorable == "hired"  # noqa: S307
    assert eval(run_compare, {"fairstats": fs, "data": data}).estimates  # noqa: S307
    complete = fs.proxies(data[41:], "sex", features=["job", "hours", "city"], codes=["job"], missing=missing)
    assert not any("missing=" in line for line in complete.statements)


def test_what_to_do_with_a_proxy_and_how_many_people_each_level_has() -> None:
    rng = np.random.default_rng(1)
    g = rng.choice(["a", "b", "c"], 600, p=[0.6, 0.3, 0.1])
    counts = dict(zip(*np.unique(g, return_counts=True), strict=True))
    table = {"g": g, "x": rng.normal(size=600) + 3 * (g == "c"), "noise": rng.normal(size=600)}
    for features, strong in ((["x", "noise"], True), (["noise"], False)):
        found = fs.proxies(table, "g", features=features)
        assert found.estimates.where(metric=ALONE, role="main")[0].n == 300
        people = f"People by g: {counts['a']} a, {counts['b']} b and {counts['c']} c; 300 of them were tested."
        assert people in found.statements
        advice = [text for text in found.statements if "whether the decision needs it; leave out" in text]
        assert len(advice) == strong == ("Where some are needed, run what follows." in found.statements)
    rows = [row for row, _ in fs.proxies(table, "g").features()]
    assert [row.conf_low for row in rows] == sorted((row.conf_low for row in rows), reverse=True)  # over all groups


def test_cautions_of_identifiers_and_of_trees_that_tell_less_than_one_feature() -> None:
    rng, n = np.random.default_rng(0), 150
    sex = np.repeat(["f", "m"], n // 2)
    table = {"sex": sex, "height": rng.normal(170, 7, n) + 8 * (sex == "m"), "pay": rng.integers(20000, 90000, n)}
    table |= {"name": np.array([f"p{i}" for i in range(n)])} | {f"x{i}": rng.normal(size=n) for i in range(8)}
    found = fs.proxies(table, "sex", seed=4)
    (together,) = found.estimates.where(metric=ALONE, role="omnibus")
    alone = of(found, ALONE, "height").estimate
    assert alone > together.estimate
    assert f"height alone has an AUC of {alone:.2f}, above that of all features together" in found.statements[5]
    assert "a value of their own in name, as in an identifier" in found.statements[-2]
    assert found.statements[-1].endswith("Seed 4.")
    table["id"] = np.arange(n) + 1000
    *_, caution, asked = fs.proxies(table, "sex", features=["id", "x1"]).statements
    assert "in id, as in" in caution and "what the others are shown to add means little" in caution
    assert asked == "Of 2 features that were named. Seed 0."
    page = fs.report(found).html
    assert all(statement in page for statement in found.statements[-2:])


def test_every_feature_that_adds_is_named_with_its_p_value() -> None:
    rng, n = np.random.default_rng(0), 1500
    sex = rng.choice(["f", "m"], n)
    found = fs.proxies({"sex": sex} | {f"v{i}": rng.normal(size=n) + (sex == "m") for i in range(7)}, "sex")
    adding = [row for row in found.estimates.where(metric=ADDED) if row.verdict == "disparity shown"]
    text = found.statements[4]
    assert len(adding) > 5 and all(str(row.term) in text for row in adding) and "more" not in text
    lines = [line.split() for line in found.summary().splitlines() if line.startswith("v")]
    p = {line[0]: line[-1] for line in lines if len(line) == 8}
    assert all((p[str(row.term)] == "<0.001") == (row.p_adjusted < 0.0005) for row in adding)


def test_of_three_groups_each_is_compared_with_all_others() -> None:
    rng = np.random.default_rng(1)
    g = rng.integers(0, 3, 600)
    result = fs.proxies({"g": g, "x": rng.normal(size=600) + 3 * (g == 2)}, "g")
    levels = {r.group: r for r in result.estimates.where(metric=ALONE, role="main")}
    assert set(levels) == {"0", "1", "2"} and levels["2"].reference == "all others"
    assert levels["2"].estimate > 0.95 > levels["0"].estimate
    together = {r.group: r for r in result.estimates.where(metric=ALONE, role="omnibus")}
    shown = [label for label, r in together.items() if r.verdict == "disparity shown"]
    best = f"tell 2 best, from all others with an AUC of {together['2'].estimate:.2f}"
    assert result.statements[0].startswith(f"Of the 3 levels of g all features together {best}") and shown == [
        "0",
        "1",
        "2",
    ]
    assert result.statements[0].endswith("Shown to be predictable: 0, 1, 2.")


def test_a_gate_and_the_hint_in_place_of_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rng = np.random.default_rng(1)
    g = rng.integers(0, 2, 200)
    path = tmp_path / "people.csv"
    table = pd.DataFrame({"g": g, "noise": rng.normal(size=200), "proxy": rng.normal(size=200) + 2 * g})
    table.to_csv(path, index=False)
    command = ["proxies", str(path), "--groups", "g", "--fail-on", "disparity", "--features"]
    assert run([*command, "noise"]) == 0 and run([*command, "proxy"]) == 1
    assert "gate failed: disparity shown" in capsys.readouterr().err
    with pytest.raises(AttributeError, match=r"passes is of an audit; result\.estimates\.where"):
        fs.proxies(table, "g").passes("disparity")  # type: ignore[attr-defined]


def test_numbers_do_not_depend_on_units_or_the_order_of_columns() -> None:
    frame = people(600)
    one = fs.proxies(frame, "sex", features=["spread", "gap"])
    other = fs.proxies(frame.assign(spread=1e8 + 1000 * frame["spread"]), "sex", features=["gap", "spread"])
    for term in ("spread", "gap"):
        assert of(one, ALONE, term).estimate == of(other, ALONE, term).estimate


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"features": ["sex"]}, "features has 'sex', which is one of the groups"),
        ({"features": []}, "name at least one column"),
        ({"features": ["x", "x"]}, "each once"),
        ({"features": "x"}, "it is a list of column names"),
        ({"features": ["nothing"]}, "nothing"),
        ({"groups": "few", "features": ["x"]}, "fewer than 12 people of rare"),
        ({"groups": None}, "groups is absent"),
        ({"features": ["x"], "codes": ["y"]}, "codes has 'y', which is none of the features"),
        ({"features": ["x"], "codes": ["x"]}, "codes has 'x', which has fractions"),
        ({"features": ["far"]}, "infinite values in 'far'"),
        ({"features": ["gone", "never"]}, "features has \\['gone', 'never'\\], none of which varies"),
    ],
)
def test_bad_input_is_one_clear_error(given: dict[str, Any], said: str) -> None:
    frame = people(100).rename(columns={"noise": "x"})
    frame["few"] = ["rare"] * 5 + ["many"] * 95
    frame["gone"], frame["never"] = np.nan, pd.Series([None] * 100, dtype=object)
    frame["far"] = np.where(np.arange(100) == 3, np.inf, 1.0)
    with pytest.raises(fs.InputError, match=said):
        fs.proxies(frame, **{"groups": "sex", **given})


@pytest.mark.slow
@pytest.mark.parametrize(
    ("n", "shares"), [(150, (0.8, 0.2)), (600, (0.5, 0.5)), (600, (0.95, 0.05)), (600, (0.6, 0.3, 0.1))]
)
def test_of_sixty_features_of_noise_none_is_shown(n: int, shares: tuple[float, ...]) -> None:
    """A claim about any of them: at most 5% of data sets, of features alone and of what they add."""
    rng, claims, repeats = np.random.default_rng(5), np.zeros(2), 100
    for _ in range(repeats):
        frame: dict[str, Any] = {"g": rng.choice(len(shares), n, p=shares)}
        for j in range(60):
            frame[f"x{j}"] = rng.normal(size=n) if j % 3 else rng.integers(0, (2, 6, 30)[j // 3 % 3], n).astype(str)
        result = fs.proxies(frame, "g")
        for i, metric in enumerate((ALONE, ADDED)):
            rows = result.estimates.where(metric=metric, role="main")
            claims[i] += any(row.verdict == "disparity shown" for row in rows)
    assert (claims / repeats).max() <= 0.11  # .05 and two standard errors and a half


@pytest.mark.parametrize(
    ("feature", "area"),
    [
        (lambda x, g: x + 0.5 * g, norm.cdf(0.5 / np.sqrt(2))),
        (lambda x, g: x * (1 + g), 2 / np.pi * np.arctan(2)),  # |x| of one is larger: a ratio of normals is Cauchy
    ],
)
def test_the_area_of_a_number_by_itself_is_that_of_the_feature(feature: Any, area: float) -> None:
    """Raw shares of 20 people a class rank classes by chance: the mean of samples of 500 was 0.60 in place of 0.64."""
    estimates, held = [], 0
    for seed in range(60):
        rng = np.random.default_rng(seed)
        g = rng.permutation(500) % 2
        codes, part = g.astype(np.intp), spread_evenly(g.astype(np.intp), rng)
        tested = part >= FIRST_TESTED
        score = _scores(_learned(_Feature("x", feature(rng.normal(size=500), g), False), codes, part, 2), part)[
            tested, 1
        ]
        (row,) = _area(fs.Estimate(ALONE), score, g[tested] == 1, part[tested]).rows(0.95)
        estimates.append(row.estimate)
        held += row.conf_low <= area <= row.conf_high
    assert np.mean(estimates) == pytest.approx(area, abs=0.012)  # the standard error is 0.004
    assert held >= 53  # of 57 wanted; 0.95^60 leaves fewer than 53 in 2 of 100


def test_limits_of_what_a_feature_adds_end_at_what_an_area_can_lose() -> None:
    rng = np.random.default_rng(0)
    g = np.repeat(["f", "m"], 12)
    frame = pd.DataFrame({"g": g, "x": rng.normal(size=24) + 2 * (g == "m"), "z": rng.normal(size=24)})
    (row,) = _gain(
        fs.Estimate(ADDED),
        np.array([1, 2, 1.5, 3.0]),
        np.array([3.0, 1, 2, 2.5]),
        np.arange(4) % 2 == 1,
        np.zeros(4, dtype=int),
    ).rows(0.999)
    assert (row.conf_low, row.conf_high) == (-1.0, 1.0)
    for row in fs.proxies(frame, "g").estimates.where(metric=ADDED):
        assert not (row.conf_low < -1 or row.conf_high > 1)


def test_the_line_of_half_an_area_is_named_guessing(result: fs.Proxies) -> None:
    figure = result.plot().figure
    figure.draw_without_rendering()
    written = [text.get_text() for axes in figure.axes for text in axes.texts]
    assert "guessing" in written and "equal" not in written


@pytest.mark.parametrize("levels", ["fm", "abc"])
def test_the_picture_has_all_features_together_above_each_by_itself(levels: str) -> None:
    rng = np.random.default_rng(4)
    group = rng.choice(list(levels), 600)
    data = {"x": rng.normal(size=600) + (group == levels[0]), "z": rng.normal(size=600), "g": group}
    found = fs.proxies(data, "g")
    joint = found.estimates.where(metric=ALONE, role="omnibus")
    axes = found.plot().figure.axes[0]
    names = [name.get_text() for name in axes.get_yticklabels()]
    assert len(joint) == (1 if levels == "fm" else 3) and len(names) == 3 * len(joint)
    assert names[: len(joint)] == ["all together" if levels == "fm" else f"all together: {r.group}" for r in joint]
    assert f"{joint[0].estimate:.3f}" in found.plot().alt.split("by itself")[0]


@pytest.mark.parametrize("often", [0.0, 1.0])
def test_a_feature_that_is_mostly_one_value_is_a_proxy_by_the_others(often: float) -> None:
    """Nearly everybody has no capital gain: the one value is a class, on whichever side the others are."""
    rng = np.random.default_rng(3)
    sex = np.repeat(["f", "m"], 2000)
    some = rng.random(4000) < np.where(sex == "m", 0.06, 0.02)
    frame = pd.DataFrame({"sex": sex, "loss": np.where(some, 0.5 + rng.normal(size=4000) / 9, often)})
    row = of(fs.proxies(frame, "sex"), ALONE, "loss")
    best = 0.5 + (0.06 - 0.02) / 2  # the chance of a pair that one of them has some, ties half
    assert row.verdict == "disparity shown" and row.conf_low - 0.005 < best < row.conf_high + 0.005


def test_capital_losses_of_adult_tell_the_sex(shared: Path) -> None:
    adult = pd.read_csv(shared / "data" / "fairml_adult.csv").head(8000)
    row = of(fs.proxies(adult, "sex", features=["capital_loss", "capital_gain"]), ALONE, "capital_loss")
    assert row.verdict == "disparity shown"


@pytest.mark.parametrize("table", [people(60), people(60).to_dict("list"), "people.csv"])
def test_leakage_of_a_table_names_the_function_that_is_of_tables(table: Any) -> None:
    with pytest.raises(fs.InputError, match=r"fairstats.proxies\(data, groups\) says"):
        fs.leakage(table, groups="sex")


def test_an_auc_that_may_have_been_missed_is_about_the_least_that_is_shown() -> None:
    rng = np.random.default_rng(0)
    sex, noise = np.array(["f", "m"] * 40), rng.normal(size=80)
    said = fs.proxies({"sex": sex, "a": noise}, "sex").statements
    assert said[1].startswith("Not shown to give sex away: a. An AUC up to about 0.68 may have been missed: 39 people")
    assert "of 80 people about 0.68" in (Path(__file__).parents[3] / "docs/guide/proxies.md").read_text()
    for shift in np.linspace(0, 1.5, 9):
        row = of(fs.proxies({"sex": sex, "a": noise + shift * (sex == "m")}, "sex"), ALONE, "a")
        assert (row.verdict == "disparity shown") == (row.estimate > 0.68) or abs(row.estimate - 0.68) < 0.03


def test_limits_are_named_by_their_level_and_the_run_is_recorded(tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    people(300).to_csv(path, index=False)
    found = fs.proxies(str(path), "sex", features=["first", "spread"])
    alone = str(found).partition("\nfeature ")[2].partition("dropped in turn")[0]
    assert "97.5% limits" in alone and "95% limits" not in alone
    assert found.provenance is not None and "features=['first', 'spread']" in found.provenance.call
    assert found.data[0].name == "people.csv" and found.data[0].sha256 in fs.report(found).html


@pytest.mark.parametrize("adds", [True, False])
def test_the_picture_names_the_features_that_add_to_the_others(adds) -> None:
    """One that alone tells the group adds to noise all that it tells; noise adds nothing."""
    rng = np.random.default_rng(0)
    sex = rng.choice(["f", "m"], 600)
    data = {"height": rng.normal(170, 8, 600) - 10 * (sex == "f") * adds, "noise": rng.normal(size=600)}
    result = fs.proxies({**data, "sex": sex}, "sex")
    shown = [added.term for _, added in result.features() if added.verdict == "disparity shown"]
    assert shown == (["height"] if adds else [])
    said = "Shown to add to what the others tell: height." if adds else "None is shown to add"
    assert said in result.plot().caption


def test_the_printed_form_has_one_headline_an_attribute_then_the_strongest_features_then_the_rest() -> None:
    rng, n = np.random.default_rng(0), 400
    sex, old = rng.choice(["f", "m"], n), rng.choice(["no", "yes"], n)
    features = {f"v{i}": rng.normal(size=n) + 0.2 * i * (sex == "m") for i in range(10)}
    found = fs.proxies({"sex": sex, "old": old} | features, ["sex", "old"])
    title, table, rest = found.summary().partition("feature  ")[0], *found.summary().split("... and 8 more")
    assert title.count("All features together tell") == 2 and "by themselves" not in title
    lines = [line.split() for line in table.splitlines() if re.match(r"v\d", line)]
    of = {name: [row.term for row, _ in found.features() if row.attribute == name][:6] for name in ("sex", "old")}
    assert [(line[0], line[1]) for line in lines] == [(term, name) for name in of for term in of[name]]
    assert "Shown to give sex away by themselves" in " ".join(rest.split()) and rest.split()[-1] == "0."
    with writing_for(Shell()):
        assert "... and 8 more: --to FILE.csv writes all." in found.summary()


def test_page_one_has_a_sentence_an_attribute_then_the_features_level_by_level() -> None:
    rng, n = np.random.default_rng(2), 600
    sex, race = rng.choice(["f", "m"], n), rng.choice(["a", "b", "c"], n)
    features = {"x": rng.normal(size=n) + (sex == "m"), "y": rng.normal(size=n) + (race == "b"), "z": rng.random(n)}
    found = fs.proxies({"sex": sex, "race": race} | features, ["sex", "race"])
    first = answers(found)
    assert [line.values["feature"] for line in first] == ["x", "y"] and all(line in found.statements for line in first)
    page = fs.report(found).html
    of_sex, of_race = page.index("Sex: Each feature alone"), page.index("Race: Each feature alone")
    assert page.index(first[1]) < of_sex < of_race < page.index("Main findings") < page.index("Next: ask")
    cells = list(fs.table(found).to_frame().iloc[:, 1])
    assert cells[:3] == ["sex = m"] * 3 and cells == sorted(cells, key=cells.index) and len(set(cells)) == 4


def test_the_pair_that_is_named_best_is_so_among_those_that_tell_more_than_both_added_up() -> None:
    rng, n = np.random.default_rng(1), 6000
    g = rng.random(n) < 0.5
    x1, x2 = rng.normal(size=(2, n)) + 0.8 * g
    z = rng.normal(size=n)
    p = rng.normal(size=n) * 0.55 + 0.55 * g + 0.9 * z
    found = fs.proxies({"g": np.where(g, "a", "b"), "x1": x1, "x2": x2, "p": p, "q": z}, "g")
    assert roc_auc_score(g, x1 + x2) > found.pairs()[0][0].estimate + 0.03
    single, pair = found.statements[:2]
    assert single.startswith("The strongest single proxy is x1")
    assert pair.startswith("Of pairs that tell more together than both added up, p and q tell b from a best")


def test_each_attribute_has_its_picture() -> None:
    rng, n = np.random.default_rng(0), 600
    people = {"sex": rng.choice(["f", "m"], n), "g": rng.choice(["a", "b", "c"], n), "x": rng.normal(size=n)}
    found = fs.proxies(people | {"z": rng.normal(size=n)}, ["sex", "g"])
    drawn = ("all together", "x", "z")
    for name, labels in (("sex", {*drawn}), ("g", {f"{one}: {level}" for one in drawn for level in "abc"})):
        drawing = found.plot(attribute=name)
        assert drawing.caption.casefold().startswith(f"{name}: auc of all features")
        assert {text.get_text() for text in drawing.figure.axes[0].get_yticklabels()} == labels
    assert "Other attributes: g (attribute=)." in found.plot().hint
    assert fs.report(found).html.count("page-one-proxies-0-1-desc") and not found.plot(attribute="g").hint


def test_a_large_area_of_few_people_stands_behind_what_is_shown() -> None:
    rng = np.random.default_rng(7)
    g = np.repeat(["few", "many", "other"], [14, 500, 500])
    table = {"g": g, "x": rng.normal(size=len(g)) + 0.6 * (g == "many"), "noise": rng.normal(size=len(g))}
    found = fs.proxies(table, "g")
    rows = [row for row, _ in found.features()]
    largest = max(rows, key=lambda row: row.estimate)
    assert largest.group == "few" and largest.conf_low < 0.5
    shown = [row.verdict == "disparity shown" for row in rows]
    assert any(shown) and shown == sorted(shown, reverse=True) and rows[0] is not largest
    assert not [row for row in rows[1:] if row.conf_low > rows[0].conf_low]


@pytest.mark.parametrize("written", [str, pd.Timestamp])  # as a file has them, and as a table does
def test_dates_tell_what_their_days_tell(written):
    rng = np.random.default_rng(4)
    sex = rng.choice(["f", "m"], 600)
    days = rng.integers(0, 900, 600) + 200 * (sex == "f")
    dates = [written((pd.Timestamp("2020-01-01") + pd.Timedelta(days=int(one))).date()) for one in days]
    of_dates, of_days = (fs.proxies({"sex": sex, "hired": column}, "sex", seed=0) for column in (dates, days))
    pairs = zip(of_dates.estimates, of_days.estimates, strict=True)
    assert all(one.estimate == other.estimate for one, other in pairs)
    assert any("Dates are read as numbers of days: hired." in str(line) for line in of_dates.statements)


@pytest.mark.parametrize("seed", range(4))
def test_an_exclusive_or_pair_among_twelve_features_leads_and_is_what_its_table_of_counts_says(seed: int) -> None:
    rng, n = np.random.default_rng(seed), 600
    a, sex = rng.integers(0, 2, (2, n))
    frame = pd.DataFrame({f"x{j}": rng.normal(size=n) + 0.25 * (j % 4) * sex for j in range(10)})
    frame["a"], frame["b"] = a, a ^ sex ^ (rng.random(n) < 0.1)
    frame["sex"] = np.where(sex == 1, "m", "f")
    found = fs.proxies(frame, "sex", seed=seed)
    ((pair, added),) = found.pairs()
    assert pair.term == "a × b" and added.verdict == "disparity shown" and added.p_adjusted < 1e-6
    assert added.p_adjusted == pytest.approx(66 * added.p_value)
    part, areas, weights = spread_evenly(sex, np.random.default_rng(seed)), [], []
    for now in range(FIRST_TESTED, PARTS):
        here, y = part == now, sex[part == now]
        areas.append(roc_auc_score(y, (frame["a"] ^ frame["b"])[here]))
        weights.append(y.sum() * (1 - y).sum())
    # four cells in place of two: cells of one answer differ by chance
    assert pair.estimate == pytest.approx(np.average(areas, weights=weights), abs=0.03)
    assert found.statements[0].startswith(f"a and b together tell m from f (AUC {pair.estimate:.2f}), although neither")
    before, _, after = found.summary().partition("feature ")
    assert "a and b together tell" in before and f"a × b  {pair.estimate:.2f}" in after
    page = fs.report(found).html
    assert found.statements[0] in page and "a × b" in page
    assert {"AUC of pairs", "AUC added by pair"} <= set(found.tidy()["metric"])


@pytest.mark.parametrize(
    ("wrong", "first"), [(0.35, "a and b together tell"), (0.02, "The strongest single proxy is x")]
)
def test_what_tells_most_is_named_first_among_pairs_and_features(wrong: float, first: str) -> None:
    rng, n = np.random.default_rng(5), 1200
    a, b, c = rng.integers(0, 2, (3, n))
    g = (a == b) ^ (rng.random(n) < 0.1)
    table = {
        "a": a,
        "b": b,
        "c": c,
        "d": c ^ g ^ (rng.random(n) < 0.25),
        "x": (g ^ (rng.random(n) < wrong)).astype(int),
    }
    found = fs.proxies({"g": np.where(g, "m", "f"), **table}, "g")
    areas = [pair.estimate for pair, _ in found.pairs()]
    assert found.pairs()[0][0].term == "a × b" and len(areas) > 1 and areas == sorted(areas, reverse=True)
    assert found.statements[0].startswith(first)
    assert found.summary().index("Next: ask") < found.summary().index("adj. p")


@pytest.mark.parametrize(("n", "seen"), [(24, False), (400, True)])
def test_an_exclusive_or_without_error_is_a_pair_where_people_are_not_few(n: int, seen: bool) -> None:
    a, b = np.arange(n) % 2, np.arange(n) // 2 % 2
    codes = a ^ b
    part = spread_evenly(codes, np.random.default_rng(0))
    learned = [_learned(_Feature(name, x.astype(float), False), codes, part, 2) for name, x in (("a", a), ("b", b))]
    rows = _pairs("sex", codes, ["f", "m"], ["a", "b"], learned, part, Family(0.95, "bonferroni"))
    assert bool(rows) == seen
    for row in rows:
        assert row.conf_low > 0 and (row.estimate == 1 or row.conf_low < row.estimate <= 0.5)


def test_features_that_tell_the_group_each_by_itself_are_no_pair() -> None:
    rng = np.random.default_rng(4)
    sex = rng.integers(0, 2, 1200)
    alone = {name: rng.normal(size=1200) + 0.8 * sex for name in ("height", "weight")}
    alone["shoe"] = alone["height"] + 0.1 * rng.normal(size=1200)
    found = fs.proxies({"sex": np.where(sex == 1, "m", "f"), **alone}, "sex")
    assert not found.pairs() and "None of 3 pairs is shown" in " ".join(found.statements)


@pytest.mark.long
@pytest.mark.parametrize("strength", [0.0, 0.8])
def test_pairs_of_noise_and_of_features_that_add_up_are_seldom_shown(strength: float) -> None:
    rng, claims = np.random.default_rng(5), 0
    for _ in range(60):
        codes = rng.integers(0, 2, 300)
        x = rng.normal(size=(8, 300)) + strength * codes
        x[4:] = x[4:] > np.median(x[4:])
        part = spread_evenly(codes, rng)
        learned = [_learned(_Feature(str(j), x[j], False), codes, part, 2) for j in range(8)]
        names = [str(j) for j in range(8)]
        claims += bool(_pairs("sex", codes, ["f", "m"], names, learned, part, Family(0.95, "bonferroni")))
    assert claims <= 6  # of 3 at most; more than 6 of 60 at 0.05 each: 3 of 100


def test_people_without_a_group_are_left_out_unless_they_are_asked_about() -> None:
    rng = np.random.default_rng(0)
    table = pd.DataFrame({"sex": rng.choice(["f", "m"], 300), "x": rng.normal(size=300)})
    table.loc[:24, "sex"] = None
    found = fs.proxies(table, "sex")
    assert {row.group for row in found.estimates} == {"m"}
    assert found.estimates[0].reference == "f"
    assert "The sex of 25 people is not known; they are left out." in found.statements
    levels = fs.proxies(table, "sex", missing="level")
    assert {row.group for row in levels.estimates} == {"f", "m", "(missing)"}
    assert "not known" not in " ".join(levels.statements)


def test_all_features_that_tell_the_group_are_named_up_to_twelve() -> None:
    rng, n = np.random.default_rng(0), 400
    sex = rng.integers(0, 2, n)
    found = fs.proxies({"sex": sex} | {f"v{i}": rng.normal(size=n) + 2 * sex for i in range(12)}, "sex")
    (line,) = (text for text in found.statements if text.startswith("Shown to give sex away by themselves: 12 of 12"))
    assert all(f"v{i}" in line for i in range(12)) and "more" not in line


def redundant(n: int = 1500) -> pd.DataFrame:
    """Two columns of one content, a pair that tells only together, and noise, with a text of many labels and a date."""
    rng = np.random.default_rng(4)
    g = rng.integers(0, 2, n)
    one = rng.normal(size=n) + 1.2 * g
    left = rng.integers(0, 2, n)
    frame = pd.DataFrame({"sex": np.array(["f", "m"])[g], "pay": one, "bonus": one + 0.2 * rng.normal(size=n)})
    frame["left"], frame["right"] = left, left ^ g ^ (rng.random(n) < 0.1)
    frame["firm"] = [f"firm {i}" for i in rng.integers(0, 300, n)]
    frame["since"] = pd.Timestamp("2015-01-01") + pd.to_timedelta(rng.integers(0, 3000, n), unit="D")
    frame["age"] = np.where(rng.random(n) < 0.1, np.nan, rng.integers(18, 66, n))
    return frame.assign(**{f"n{i}": rng.normal(size=n) for i in range(6)})


def test_what_is_left_is_what_trees_tell_that_never_had_the_dropped_features() -> None:
    from sklearn.ensemble import HistGradientBoostingClassifier

    frame = redundant().drop(columns=["left", "right", "firm", "since"])
    found = fs.proxies(frame, "sex")
    left = found.left()
    assert {row.term for row in left} == {"pay", "bonus"}
    assert [row.verdict == "disparity shown" for row in left] == [True, False]
    y = (frame["sex"] == "m").to_numpy().astype(int)
    part = spread_evenly(y, np.random.default_rng(0))
    X, areas, pairs = frame.drop(columns=["sex", str(left[0].term)]), [], []
    for now in range(FIRST_TESTED, PARTS):
        trees = HistGradientBoostingClassifier(max_iter=60, max_leaf_nodes=16, early_stopping=False, random_state=0)
        scores = trees.fit(X[part < now].to_numpy(), y[part < now]).predict_proba(X[part == now].to_numpy())[:, 1]
        areas.append(roc_auc_score(y[part == now], scores))
        pairs.append(y[part == now].sum() * (1 - y[part == now]).sum())
    assert left[0].estimate == pytest.approx(np.average(areas, weights=pairs), abs=1e-12)
    assert "dropped in turn" in found.summary() and "by the half of the people that" in " ".join(found.statements)


def test_a_pair_among_many_features_is_seen_by_all_together_and_dropped_on_the_way() -> None:
    found = fs.proxies(redundant(), "sex")
    (pair,) = (row for row, _ in found.pairs() if row.term == "left × right")
    (together,) = found.estimates.where(metric=ALONE, role="omnibus")
    assert together.estimate > pair.estimate > 0.85
    dropped = [row.term for row in found.left()]
    assert {"pay", "bonus"} < set(dropped) and len({"left", "right"} & set(dropped)) == 1 and len(dropped) == 3
    assert found.left()[-1].verdict != "disparity shown" and found.left()[-1].conf_high < 0.6
    page = fs.report(found).html
    assert page.index("The strongest single proxy") < page.index("Each feature alone") < page.index("left × right")


def test_the_order_of_dropping_depends_on_nobody_who_is_tested() -> None:
    frame = redundant().drop(columns=["firm", "since", *(f"n{i}" for i in range(2, 6))])
    part = spread_evenly((frame["sex"] == "m").to_numpy().astype(int), np.random.default_rng(0))
    changed = frame.copy()
    tested = np.flatnonzero(part >= FIRST_TESTED)
    shuffled = np.random.default_rng(1).permutation(tested)
    changed.loc[tested, "n1"] = frame["pay"].to_numpy()[tested] * 3  # a proxy of the tested only
    changed.loc[tested, "pay"] = frame["pay"].to_numpy()[shuffled]
    first, second = ([row.term for row in fs.proxies(one, "sex").left()] for one in (frame, changed))
    assert second[: len(first)] == first[: len(second)]


def same_content(near: float = 0.0) -> dict[str, Any]:
    rng, n = np.random.default_rng(0), 2000
    g = rng.random(n) < 0.5
    x = rng.normal(size=n) + g
    table = {"sex": np.where(g, "f", "m"), "x": x, "copy": 2 * x + 1, "noise": rng.normal(size=n)}
    return table if not near else table | {"copy": x + near * rng.normal(size=n)}


@pytest.mark.parametrize("near", [0.0, 0.05])
@pytest.mark.parametrize("features", [["x", "copy", "noise"], ["copy", "x", "noise"]])
def test_of_two_columns_of_one_content_neither_adds_in_whatever_order_and_both_are_named(near, features) -> None:
    found = fs.proxies(same_content(near), "sex", features=features)
    for name in ("x", "copy"):
        assert of(found, ALONE, name).verdict == "disparity shown"
        assert abs(of(found, ADDED, name).estimate) < 0.01 and of(found, ADDED, name).verdict != "disparity shown"
    said = " ".join(found.statements)
    assert f"Say the same, or nearly: {features[1]} as {features[0]}. Neither" in said
    assert "None of 3 features is shown to add" in said


def test_labels_of_numbers_say_the_same_as_the_numbers_and_names_of_everybody_do_not() -> None:
    rng, n = np.random.default_rng(1), 400
    years = rng.integers(1, 9, n)
    table = {"sex": rng.choice(["f", "m"], n), "years": years, "degree": np.array(list("hgfedcba"))[years - 1]}
    table |= {"id": rng.permutation(n), "name": [f"p{i}" for i in range(n)], "x": rng.normal(size=n)}
    (said,) = (line for line in fs.proxies(table, "sex").statements if line.startswith("Say the same"))
    assert "nearly: degree as years. " in said


def test_what_a_feature_adds_is_what_trees_lose_that_never_had_it() -> None:
    from sklearn.ensemble import HistGradientBoostingClassifier

    rng, n = np.random.default_rng(3), 600
    y = rng.integers(0, 2, n)
    table = pd.DataFrame({"x": rng.normal(size=n) + y, "z": rng.normal(size=n) + 0.6 * y, "noise": rng.normal(size=n)})
    found = fs.proxies(table.assign(sex=np.array(["f", "m"])[y]), "sex", features=["x", "z", "noise"])
    part, pairs = spread_evenly(y, np.random.default_rng(0)), []
    areas: dict[str, list[float]] = {name: [] for name in ("", "x", "z", "noise")}
    for now in range(FIRST_TESTED, PARTS):
        pairs.append(y[part == now].sum() * (1 - y[part == now]).sum())
        for name, of_parts in areas.items():
            X = table.drop(columns=[name] if name else []).to_numpy()
            trees = HistGradientBoostingClassifier(max_iter=60, max_leaf_nodes=16, early_stopping=False, random_state=0)
            scores = trees.fit(X[part < now], y[part < now]).predict_proba(X[part == now])[:, 1]
            of_parts.append(roc_auc_score(y[part == now], scores))
    whole, *others = (np.average(of_parts, weights=pairs) for of_parts in areas.values())
    for name, other in zip(("x", "z", "noise"), others, strict=True):
        assert of(found, ADDED, name).estimate == pytest.approx(whole - other, abs=1e-12)


@pytest.mark.long
def test_what_features_of_no_content_of_their_own_add_is_seldom_shown() -> None:
    claims = 0
    for seed in range(40):
        rng, n = np.random.default_rng(seed), 600
        g = rng.random(n) < 0.3
        x = rng.normal(size=n) + g
        table = {"g": np.where(g, "a", "b"), "x": x, "near": x + 0.05 * rng.normal(size=n)}
        table |= {"alike": x + rng.normal(size=n), "label": rng.choice(list("abc"), n), "noise": rng.normal(size=n)}
        rows = fs.proxies(table, "g", seed=seed).estimates.where(metric=ADDED, verdict="disparity shown")
        claims += any(row.term != "x" for row in rows)
    assert claims <= 5  # of 2 at most; more than 5 of 40 at 0.05 each: 1 of 100


def test_only_the_first_twenty_features_are_left_out_one_by_one() -> None:
    rng, n = np.random.default_rng(0), 300
    y = rng.integers(0, 2, n)
    table = {"sex": np.array(["f", "m"])[y]} | {f"v{i}": rng.normal(size=n) + 1.5 * (i == 21) * y for i in range(22)}
    found = fs.proxies(table, "sex")
    rows = found.estimates.where(metric=ADDED)
    assert sum(row.status == "unestimable" for row in rows) == 2 and len(rows) == 22
    assert of(found, ADDED, "v21").verdict == "disparity shown"
    assert any(line.startswith("What a feature adds is estimated of 20:") for line in found.statements)
    assert any(
        line.startswith("Shown to add to what the others tell of sex: 1 of 20 (v21)") for line in found.statements
    )
    assert fs.report(found).html


def test_what_has_one_value_or_none_is_left_out_with_a_line_and_the_printed_comparison_runs() -> None:
    table = pd.DataFrame(same_content()).assign(firm="ACME", seven=7, gone=np.nan)
    table["never"], table["rare"] = pd.Series([None] * 2000, dtype=object), np.where(np.arange(2000) < 3, "a", "b")
    table["y"] = np.random.default_rng(1).integers(0, 2, 2000)
    found = fs.proxies(
        table.drop(columns=["copy", "noise"]), "sex", features=["x", "rare", "firm", "seven", "gone", "never"]
    )
    assert {row.term for row in found.estimates.where(metric=ALONE, role="main")} == {"x", "rare"}
    assert "Left out, as one value only tells nothing: firm, seven." in found.statements
    assert "Left out, as missing for everybody: gone, never." in found.statements
    _, compare = (str(line) for line in found.statements if is_call(line))
    assert "features='~ x + rare'" in compare
    assert eval(compare.replace(")  #", ", n_repeats=3)  #"), {"fairstats": fs, "data": table}).estimates  # noqa: S307
    every = fs.proxies(table[["sex", "x", "y"]], "sex")
    (said,) = (line for line in every.statements if line.startswith("OUTCOME stands"))
    assert said.endswith("if it is one of the features, take it out of them, here and in the comparison.")


def recoded(apart: int = 0) -> pd.DataFrame:
    """Sex by a number and by words of another language, a proxy, a pair, and an income that more of one sex lack."""
    rng = np.random.default_rng(0)
    women = rng.random(900) < 0.5
    a = rng.integers(0, 2, 900)
    people = pd.DataFrame({"sex": np.where(women, "f", "m"), "female": women.astype(int), "a": a})
    people["b"] = np.where(women ^ (rng.random(900) < 0.1), a, 1 - a)
    people["height"] = rng.normal(170, 7, 900) + 8 * ~women
    people["income"] = np.where(rng.random(900) < np.where(women, 0.5, 0.1), np.nan, rng.normal(3000, 500, 900))
    people.loc[people.index[:apart], "female"] = 1 - people["female"]
    return people


def test_a_feature_that_is_the_group_in_other_values_is_set_apart_with_what_differs() -> None:
    without = fs.proxies(recoded().drop(columns="female"), "sex")
    for apart in (0, 4):
        found = fs.proxies(recoded(apart), "sex")
        ends = f"one to one but for {apart} of 900 people" if apart else "one to one for all 900 people"
        assert found.statements[0].startswith(f"female is no proxy but sex itself in other values: {ends}.")
        assert found.estimates == without.estimates
        assert [line for line in found.statements[1:] if "female" in line] == []
        page = fs.report(found).html
        assert "is no proxy but" in page.split("Main findings")[0]
        assert "ist kein Stellvertreter" in fs.report(found, language="de").html
    far = fs.proxies(recoded(30), "sex")
    assert "strongest single proxy is female" in far.statements[0]
    races = recoded().assign(race=np.where(np.arange(900) % 3 == 0, "x", np.where(np.arange(900) % 3 == 1, "y", "z")))
    races["is_x"] = (races["race"] == "x").map({True: "yes", False: "no"})
    level = "is_x is no proxy but whether race is x: one to one "
    both = fs.proxies(races, ["race", "sex"], features=["is_x", "height"])
    assert both.statements[0].startswith(f"{level}for all 900 people.")
    assert both.statements[0].endswith("What follows of race is of the others.")
    page = fs.report(both, language="de").html
    assert "sondern sagt, ob race gleich x ist: eins zu eins bei allen 900" in page.split("Main findings")[0]
    races.loc[1:3, "is_x"] = "yes"
    nearly = fs.proxies(races, "race", features=["is_x", "height"]).statements[0]
    assert nearly.startswith(f"{level}but for 2 of 900 people.")
    with pytest.raises(fs.InputError, match="female alone, which is 'sex' itself, or one level of it, in other values"):
        fs.proxies(recoded(), "sex", features=["female"])


def test_whether_a_feature_is_missing_is_said_apart_from_its_values() -> None:
    people = recoded()
    found = fs.proxies(people, "sex", features=["income", "height"])
    row = found.estimates.only(metric="AUC of missing values")[0]
    women, missing = people["sex"] == "f", people["income"].isna()
    area = 0.5 + abs(missing[women].mean() - missing[~women].mean()) / 2  # of two values
    assert (row.term, row.verdict) == ("income", "disparity shown") and row.estimate == pytest.approx(area, abs=0.04)
    told = [line for line in found.statements if line.startswith("Whether income is missing tells m from f by itself")]
    assert f"AUC of {row.estimate:.2f}" in told[0] and f"missing for {row.events:.0f} of the 450" in told[0]
    same = people.assign(income=np.where(np.arange(900) % 4 == 0, np.nan, people["height"]))
    quiet = fs.proxies(same, "sex", features=["income"])
    assert not any("is missing tells" in line for line in quiet.statements)


def test_the_comparison_to_run_next_has_the_product_of_a_pair_that_is_shown() -> None:
    people = recoded().assign(hired=np.arange(900) % 2).drop(columns="female")
    found = fs.proxies(people, "sex", features=["a", "b", "height"])
    call = next(line for line in found.statements if line.startswith("fairstats.compare("))
    assert "'~ a + b + height + a:b'" in call and any("products of pairs" in line for line in found.statements)
    assert eval(call.split("  #")[0], {"fairstats": fs, "data": people}).estimates  # noqa: S307
    alone = fs.proxies(people, "sex", features=["a", "height"])
    assert not any("products of pairs" in line for line in alone.statements)


@pytest.mark.parametrize("missing", [1, 40, 300])
def test_copies_with_missing_values_are_named_where_both_are_known(missing: int) -> None:
    rng = np.random.default_rng(1)
    x, label = rng.normal(size=800), rng.choice(list("abcd"), 800)
    table = pd.DataFrame({"g": rng.choice(["f", "m"], 800), "x": x, "inches": 2.54 * x + 3, "l": label, "z": x})
    table["L"] = pd.Series(label).map({"a": "A1", "b": "B1", "c": "C1", "d": "D1"})
    table["z"] = rng.normal(size=800)
    table.loc[rng.choice(800, missing, replace=False), "inches"] = np.nan
    table.loc[rng.choice(800, missing, replace=False), "L"] = None
    table.loc[rng.choice(800, missing, replace=False), "z"] = np.nan
    (line,) = [one for one in fs.proxies(table, "g").statements if one.startswith("Say the same")]
    assert "inches as x" in line and "L as l" in line and "z as" not in line and "as z" not in line


def test_features_known_of_other_people_or_of_one_value_say_nothing_the_same() -> None:
    rng = np.random.default_rng(1)
    x, first = rng.normal(size=400), np.arange(400) < 190
    flag = np.where(rng.random(400) < 0.8, 1.0, np.nan)
    table = {"g": rng.choice(["f", "m"], 400), "x": np.where(first, x, np.nan), "y": np.where(first[::-1], x, np.nan)}
    table |= {"flag": flag, "other": np.where(np.arange(400) % 7, 2.0, np.nan)}
    assert not any(one.startswith("Say the same") for one in fs.proxies(table, "g").statements)


def test_the_families_and_what_the_split_does_are_said() -> None:
    people = recoded()
    (line,) = [one for one in fs.proxies(people, "sex").statements if "of these families" in one]
    assert "at most 5% of data sets, all of them together in more" in line
    assert line.endswith(
        ": all features together (and what is left of them), features alone, what features add, pairs and whether "
        "features are missing."
    )
    found = fs.proxies(people, "sex", features=["a", "height"], conf_level=0.9)
    (line,) = [one for one in found.statements if "of these families" in one]
    assert "at most 10%" in line and "missing" not in line
    alone = found.estimates.where(metric=ALONE, role="main")
    assert any(row.verdict not in ("disparity shown",) for row in alone)
    split = "with another one what is not shown may be"
    assert split in found.summary().replace("\n", " ")
    assert split not in " ".join(fs.proxies(people, "sex", features=["height"]).statements)
    below = any(round(row.estimate, 2) < 0.5 for row in alone)
    assert below == any(one.startswith("An AUC below 0.5 is chance") for one in found.statements)
    noise = {"g": people["sex"], **{f"x{i}": np.random.default_rng(i).normal(size=900) for i in range(6)}}
    found = fs.proxies(noise, "g")
    assert min(row.estimate for row in found.estimates.where(metric=ALONE, role="main")) < 0.495
    assert any(one.startswith("An AUC below 0.5 is chance") for one in found.statements)
    assert not any("families" in one for one in fs.proxies(noise, "g", p_adjust="none").statements)


def test_no_comparison_is_proposed_without_the_strongest_proxy() -> None:
    people = recoded()[["sex", "height", "b"]].assign(hired=np.arange(900) % 2)
    features = ["height", "b"]
    assert len([one for one in fs.proxies(people, "sex", features=features).statements if is_call(one)]) == 2
    people.loc[::9, "height"] = np.nan
    found = fs.proxies(people, "sex", features=features)
    assert [str(one).startswith("fairstats.audit(") for one in found.statements if is_call(one)] == [True]
    (line,) = [one for one in found.statements if one.startswith("No comparison of what")]
    assert "It would be without height, which tells most" in line
    assert not any(one.startswith("That comparison is without") for one in found.statements)
