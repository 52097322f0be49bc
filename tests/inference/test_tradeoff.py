"""The curve of methods: the same numbers as the studies of one fit, and limits that hold together."""

from __future__ import annotations

import re
from itertools import product

import numpy as np
import pandas as pd
import pytest
from matplotlib.text import Text
from matplotlib.transforms import Bbox
from scipy.stats import binom
from sklearn.metrics import roc_auc_score

import fairstats
from fairstats.cli import run
from fairstats.data.datasets import ARRESTS
from fairstats.errors import InputError
from fairstats.text import compact


def people(seed: int, n: int = 240) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    g = rng.choice(["a", "b", "c"], n, p=[0.5, 0.3, 0.2])
    X = rng.standard_normal((n, 6)) * [3, 2, 2, 1, 1, 1] + 1.5 * (g == "b")[:, None] * [1, 0, 0, 0, 1, 0]
    return X, g, np.where(X[:, 1] + rng.standard_normal(n) > 0, "yes", "no")


def test_errors_are_those_of_the_fits_on_the_rows_that_they_left_out() -> None:
    X, g, _ = people(0)
    fold = np.arange(len(X)) % 3
    result = fairstats.tradeoff(X, g, ["pca", ("leace", {"scale": False}), "minimax_pca"], k=2, folds=fold)
    loss = np.empty(len(X))
    for f in range(3):
        fit = fairstats.minimax_pca(X[fold != f], g[fold != f], 2)
        inside = fold == f
        loss[inside] = np.sum((X[inside] - fit.reconstruct(X[inside], g[inside])) ** 2, axis=1)
    alone = [np.sum((X[fold == f] - X[fold != f].mean(axis=0)) ** 2) for f in range(3)]
    assert f"from the means of the features alone, the error is {compact(sum(alone) / len(X))}." in " ".join(
        result.statements
    )
    rows = {(r.fit, r.group): r for r in result.estimates.only(versus="")}
    assert rows["minimax_pca", ""].estimate == pytest.approx(loss.mean())
    assert rows["minimax_pca", "b"].estimate == pytest.approx(loss[g == "b"].mean() - loss[g == "a"].mean())
    kept = fairstats.price_of_fairness(fairstats.og(X, g, 2), X, g, folds=fold).estimates
    both = fairstats.tradeoff(X, g, ["pca", "og"], k=2, folds=fold).estimates
    price = both.only(fit="og", attribute="", versus="")[0].estimate - both.only(fit="pca", attribute="")[0].estimate
    assert price == pytest.approx(kept.only(metric="price", attribute="", estimator="held out")[0].estimate)


def test_with_an_outcome_accuracy_is_kept_and_leakage_falls_where_groups_are_taken_out() -> None:
    X, g, y = people(1, 2000)
    result = fairstats.tradeoff(X, g == "b", ["pca", "leace_pca"], k=4, y=y)
    rows = {(r.fit, r.metric): r for r in result.estimates.only(versus="")}
    assert rows["pca", "AUC of linear probe"].estimate > 0.7 > rows["leace_pca", "AUC of linear probe"].estimate
    assert rows["leace_pca", "AUC"].estimate == pytest.approx(rows["pca", "AUC"].estimate, abs=0.05)
    assert rows["pca", "AUC"].estimate == pytest.approx(roc_auc_score(y == "yes", X[:, 1]), abs=0.05)


def test_a_list_of_a_setting_is_a_curve_and_one_line_each_is_printed_and_drawn() -> None:
    X, g, _ = people(2)
    result = fairstats.tradeoff(X, g, ["pca", ("fair_pca", {"tradeoff": [0.0, 0.5, 1.0]})])
    names = [name for name, *_ in result.points()]
    assert names == ["pca", *(f"fair_pca (tradeoff={v})" for v in (0.0, 0.5, 1.0))]
    assert all(name.split()[-1] in result.summary() for name in names)
    assert max(map(len, result.summary().splitlines())) <= 80
    assert "fair_pca" in fairstats.plot(result, "price_gap").alt
    assert "fair_pca with a tradeoff above 0 are alike" in " ".join(result.statements)
    one = fairstats.tradeoff(X, g, [("fair_pca", {"tradeoff": [0.0, 0.5], "k": [1, 2]})])
    assert len(one.points()) == 4
    one = fairstats.tradeoff(X, g, [("fair_pca", {"tradeoff": 0.5})])
    assert len(one.statements) == 6 and one.curves == () and not one.estimates[0].term
    assert result.curves == ()  # which its weights are not
    lines = [line.get_xydata() for line in fairstats.plot(result, "price_gap").figure.axes[0].lines]
    assert not any(np.shape(line) == (3, 2) for line in lines)
    result = fairstats.tradeoff(X, g, ["pca", ("og", {"k": [1, 2, 3]})])
    names = [name for name, *_ in result.points()]
    assert result.curves == (tuple(names[1:]),)
    costs = {name: (cost.estimate, apart.estimate) for name, cost, apart in result.points()}
    lines = [line.get_xydata() for line in fairstats.plot(result, "price_gap").figure.axes[0].lines]
    assert any(np.shape(line) == (3, 2) and np.allclose(line, [costs[name] for name in names[1:]]) for line in lines)
    with pytest.raises(InputError, match="for pca and not for og, so that their errors are in different units"):
        fairstats.tradeoff(X, g, [("pca", {"scale": True}), "og"])
    two = np.where(g == "c", "a", g)  # whose gap is always of the same group
    grid = [(name, {"k": [1, 2, 3, 4]}) for name in ("pca", "og", "fair_pca", "leace_pca")]
    several = fairstats.tradeoff(X, two, grid)
    axes = fairstats.plot(several, "price_gap").figure.axes[0]
    assert len([line for line in axes.lines if np.shape(line.get_xydata()) == (4, 2)]) == 4
    assert len({line.get_color() for line in axes.lines if len(line.get_xdata()) == 4}) == 3  # and dashes
    assert {line.get_marker() for line in axes.lines} == {"None", "o", "s", "^", "D"}
    ends = ["pca", "og", "fair_pca", "leace_pca"]
    assert {text.get_text() for text in axes.texts} >= {f"{name} (k={k})" for name in ends for k in (1, 4)}
    with pytest.raises(InputError, match=r"k has \[1, 2\]; .* several are a setting of a method, as in methods="):
        fairstats.tradeoff(X, g, ["pca"], k=[1, 2])


def test_a_line_is_broken_where_the_widest_gap_becomes_that_of_another_group() -> None:
    g = np.repeat(["a", "b", "c"], [300, 150, 150])
    spread = {"a": [6.0, 1.5, 1.0, 0.5], "b": [6.0, 3.0, 1.0, 0.5], "c": [6.0, 1.5, 0.2, 0.1]}
    X = np.random.default_rng(0).standard_normal((600, 4)) * [spread[one] for one in g]
    result = fairstats.tradeoff(X, g, ["fair_pca", ("pca", {"k": [1, 2, 3]})], k=1)
    of = {name: left.group for name, _, left in result.points()}
    assert [of[name] for name in result.curves[0]] == ["b", "c", "c"]
    drawing = fairstats.plot(result, "price_gap")
    broken = "A line is broken where the widest gap becomes that of another group, on the other side of no gap."
    assert drawing.caption.endswith(broken)
    places = [[cost.estimate, left.estimate] for name, cost, left in result.points() if name in result.curves[0]]
    drawn = [line.get_xydata() for line in drawing.figure.axes[0].lines]
    assert any(np.shape(line) == (2, 2) and np.allclose(line, places[1:]) for line in drawn)
    assert not any(np.shape(line) == (3, 2) for line in drawn)


def test_settings_that_never_vary_are_said_once_and_no_name_repeats_them() -> None:
    X, g, _ = people(2)
    roles = {"advantaged": "a", "disadvantaged": "b"}
    methods = ["pca", ("og", {"basis": "residual"}), ("disparity_pca", {"lam": [0.1, 0.9], **roles})]
    result = fairstats.tradeoff(X, g, methods, scale=True)
    names = [name for name, *_ in result.points()]
    assert names == ["pca", "og", "disparity_pca (lam=0.1)", "disparity_pca (lam=0.9)"]
    assert result.curves == (tuple(names[2:]),)
    every = [line for line in result.statements if line.startswith("Settings")]
    assert every == [
        "Settings of all methods: scale=True.",
        "Settings of og: basis='residual'.",
        "Settings of disparity_pca: advantaged='a', disadvantaged='b'.",
    ]
    assert "Einstellungen aller Verfahren: scale=True." in fairstats.report(result, language="de").html
    one_by_one = [(name, {"scale": True}) for name in ("pca", "og")]
    apart = fairstats.tradeoff(X, g, one_by_one)
    assert list(apart.estimates) == list(fairstats.tradeoff(X, g, ["pca", "og"], scale=True).estimates)
    Z = (X - X.mean(axis=0)) / X.std(axis=0, ddof=1)
    total = np.sum(Z**2, axis=1).mean()
    least = next(cost for name, cost, _ in result.points() if name == "pca")
    assert total * 0.4 < least.estimate < total  # two of six components of features of variance 1
    plain = fairstats.tradeoff(X, g, ["pca", ("leace_pca", {"scale": False})], scale=True, y=g == "a")
    assert [row.term for row in plain.estimates.only(versus="") if not row.attribute] == ["", ""]
    assert "Settings of pca: scale=True." in plain.statements
    methods = ["pca", ("og", {"scale": False}), ("leace_pca", {"scale": False})]
    two = fairstats.tradeoff(X, g, methods, scale=True, y=g == "a")
    assert {"Settings of pca: scale=True.", "Settings of og and leace_pca: scale=False."} < set(two.statements)


def test_methods_whose_scores_need_the_group_of_new_people_are_named_with_an_outcome_and_without() -> None:
    X, g, y = people(2)
    for outcome in (None, y):
        methods = ["pca", "og", "fair_pca", "minimax_pca"]
        text = fairstats.report(fairstats.tradeoff(X, g, methods, y=outcome), language="de").html
        assert "Die Scores von og und minimax_pca hängen von der Gruppe" in text
        assert "depend on the group" not in fairstats.tradeoff(X, g, ["pca", "fair_pca"], y=outcome).summary()


def test_methods_that_move_groups_of_features_in_steps_have_the_caution_that_other_models_may_find_the_group() -> None:
    X, g, y = people(2)
    caution = "a model that is not linear, such as trees, can find the group"
    stepped = fairstats.tradeoff(np.round(2 * X), g, ["pca", "og", "minimax_pca"], y=y)
    assert any("By og each group is moved" in line and caution in line for line in stepped.statements)
    assert caution in fairstats.report(stepped).html and "linear discriminant on the scores" in stepped.summary()
    for others in (fairstats.tradeoff(X, g, ["pca", "og"], y=y), fairstats.tradeoff(np.round(2 * X), g, ["pca", "og"])):
        assert not any(caution in line for line in others.statements)


def test_a_level_that_a_fold_alone_has_is_divided_by_what_it_varies_among_all() -> None:
    X, g, _ = people(2)
    fold = np.arange(len(g)) % 2
    rare = (np.arange(len(g)) < 12) * (fold == 1) * 1.0
    result = fairstats.tradeoff(np.column_stack([X, rare]), g, ["pca"], k=1, scale=True, folds=fold)
    plain = fairstats.tradeoff(X, g, ["pca"], k=1, scale=True, folds=fold)
    sd = np.where(fold == 1, rare.std(ddof=1), rare[fold == 1].std(ddof=1))  # of the other fold's fit, or of all
    mean = np.where(fold == 1, 0.0, rare[fold == 1].mean())
    more = np.mean(((rare - mean) / sd) ** 2)
    assert result.estimates[0].estimate == pytest.approx(plain.estimates[0].estimate + more, rel=0.01)


def test_of_groups_of_several_columns_the_table_and_the_answer_name_the_column() -> None:
    X, g, _ = people(2)
    table = pd.DataFrame(X, columns=list("uvwxyz")).assign(team=g, code=np.arange(len(g)) % 2)
    table.loc[table["code"] == 1, "z"] *= 4  # which a fourth component takes up, and one alone does not
    result = fairstats.tradeoff(list("uvwxyz"), ["team", "code"], [("pca", {"k": [1, 4]})], data=table)
    widest = [row for *_, row in result.points()]
    whose = [f"{row.attribute} = {row.group} less {row.reference}" for row in widest]
    assert len(set(whose)) > 1, "or the column is left out"
    assert result._whose() == whose
    text = " ".join(result.summary().split())
    assert any(f", {one})." in text for one in whose) and "of" in text
    assert all(one in fairstats.report(result).html for one in whose)
    german = re.sub("<[^>]+>", " ", fairstats.report(result, language="de").html)
    assert whose[0].replace("less", "minus") in german and "Gruppen: team und code." in german
    assert " and " not in german.split("Einzelheiten")[0]
    assert fairstats.tradeoff(X, g == "b", ["pca"])._whose() == ["True less False"]


@pytest.mark.long
@pytest.mark.parametrize(("draws", "least"), [(40, 37), pytest.param(120, 110, marks=pytest.mark.slow)])
def test_joint_limits_cover_all_true_values_at_least_nearly_as_often_as_they_say(draws: int, least: int) -> None:
    """The errors of fixed folds' fits on a million people are not known, but their mean difference is."""
    hits = 0
    for seed in range(draws):
        rng = np.random.default_rng(seed)
        X, g = rng.standard_normal((400, 3)), np.repeat(["a", "b"], 200)
        result = fairstats.tradeoff(X, g, ["pca", "fair_pca", "leace_pca"], k=2, seed=seed)
        # Groups of one distribution: the true gap of every method is 0.
        gaps = [r for r in result.estimates if r.attribute and not r.versus]
        hits += all(r.conf_low <= 0 <= r.conf_high for r in gaps)
    assert hits >= least  # 95% of 120 is 114; limits are joint over the errors too, and so a little wide


def test_what_cannot_be_compared_is_one_clear_error() -> None:
    X, g, _ = people(3)
    with pytest.raises(InputError, match="no method"):
        fairstats.tradeoff(X, g, ["pcaa"])
    with pytest.raises(InputError, match="rebuilds no features"):
        fairstats.tradeoff(X, g, ["fair_kernel_pca"])
    with pytest.raises(InputError, match="needs"):
        fairstats.tradeoff(X, g, ["sog"])
    with pytest.raises(InputError, match="two are needed"):
        fairstats.tradeoff(X, g, ["pca"], y=g)
    with pytest.raises(InputError, match="methods has"):
        fairstats.tradeoff(X, g, "pca")
    with pytest.raises(InputError, match="k of fair_pca has 5; it can be 1 to 4 here"):
        fairstats.tradeoff(X, g, ["pca", "fair_pca"], k=5)


def test_rounding_is_no_error_and_no_gap() -> None:
    """As many components as features lose nothing; what arithmetic leaves of that is not shown."""
    X, g, _ = people(4)
    result = fairstats.tradeoff(1e6 * X + 1e3, g, ["pca", ("leace_pca", {"k": 4})], k=6)
    lossless = result.estimates.only(fit="pca")
    assert {(r.estimate, r.conf_low, r.conf_high) for r in lossless} == {(0.0, 0.0, 0.0)}
    assert result.estimates.only(fit="leace_pca", attribute="")[0].estimate > 1e9
    assert "e-" not in result.summary()


def test_the_answer_is_the_method_of_the_least_error_and_the_one_of_the_smallest_gap_with_its_sides_named() -> None:
    X, g, y = people(2)
    result = fairstats.tradeoff(X, g, ["pca", "og", "minimax_pca", ("fair_pca", {"tradeoff": [0.0, 0.5]})])
    as_many = [point for point in result.points() if point[1].k == 2]
    cost = min(as_many, key=lambda point: point[1].estimate)
    left = min(as_many, key=lambda point: abs(point[2].estimate))
    text = " ".join(result.summary().split())
    least = f"With k = 2 components, the features are rebuilt with the least error by {cost[0]}"
    assert f"{least} (error {compact(cost[1].estimate)})" in text
    gap = compact(left[2].estimate)
    assert f"smallest with {left[0]} ({gap}, {left[2].group} less {left[2].reference})" in text
    assert "The methods have 2 to 4 components" in text
    assert "minimax_pca rebuilds each group from the group's mean" in text
    assert "the group's mean" not in fairstats.tradeoff(X, g, ["pca", "og"]).summary()
    told = fairstats.tradeoff(X, g, ["pca", "leace_pca"], y=y)
    best = max(told.points(), key=lambda point: point[1].estimate)
    least = min(told.points(), key=lambda point: abs(point[2].estimate - 0.5))
    text = " ".join(told.summary().split())
    assert f"predicted best with {best[0]} (AUC {best[1].estimate:.3f})" in text
    assert least[2].conf_low < 0.5 and "is not shown with" in text
    assert "Groups: group. Outcome: y. Features: x1, " in text
    large, of, outcome = people(1, 2000)
    found = fairstats.tradeoff(large, of == "b", ["pca", "og"], y=outcome, k=4, folds=10)
    assert [left.conf_low > 0.5 for *_, left in found.points()] == [True, False]
    assert "is not shown with og:" in found.statements[0]
    assert not any("in finding the group least" in line for line in found.statements)
    both = fairstats.tradeoff(large, of == "b", [("pca", {"k": [1, 4]})], y=outcome)
    least = min(both.points(), key=lambda point: point[2].estimate)
    assert least[2].conf_low > 0.5
    assert f"found least with {least[0]} (AUC {least[2].estimate:.3f} for True against" in both.statements[0]
    two = fairstats.tradeoff(X, g == "b", ["pca", "og"]).summary()
    assert "Widest gap: True less False." in two


def test_each_name_in_the_picture_is_nearest_to_the_point_it_names() -> None:
    X, g, _ = people(2)
    result = fairstats.tradeoff(X, g, ["pca", "og", "leace_pca", ("fair_pca", {"tradeoff": [0.0, 0.5]})])
    figure = fairstats.plot(result).figure
    figure.draw_without_rendering()
    axes = figure.axes[0]
    at = {n: axes.transData.transform((c.estimate, a.estimate)) for n, c, a in result.points()}
    for text in axes.texts:
        box = text.get_window_extent()
        away = {n: np.hypot(max(box.x0 - x, x - box.x1, 0), max(box.y0 - y, y - box.y1, 0)) for n, (x, y) in at.items()}
        assert away[text.get_text()] <= min(away.values()) + 1e-6


def shifted() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Groups that differ in several features, and an outcome of the first one."""
    rng = np.random.default_rng(0)
    g = rng.choice(["a", "b", "c"], 900, p=[0.5, 0.3, 0.2])
    X = rng.normal(size=(900, 6)) * [3, 2, 1.5, 1, 1, 1]
    X += (g == "b")[:, None] * [1.0, 0, 1, 0, 0, 0] + (g == "c")[:, None] * [0.0, 2, 0, 1, 0, 0]
    return X, g, (X[:, 0] + rng.normal(size=900) > 0).astype(int)


@pytest.mark.long
def test_of_nine_methods_every_name_stands_in_the_frame() -> None:
    X, g, y = shifted()
    X[:, 4] = y  # so that most methods predict it, and their points lie at the right
    roles = {"advantaged": "a", "disadvantaged": "b"}
    methods = [
        "pca",
        "og",
        "fair_pca",
        "leace_pca",
        "minimax_pca",
        ("disparity_pca", {"lam": [0, 0.25, 0.5, 0.75], **roles}),
    ]
    for outcome in (None, y):
        figure = fairstats.plot(fairstats.tradeoff(X, g, methods, scale=True, y=outcome, folds=2)).figure
        figure.draw_without_rendering()
        frame = figure.axes[0].get_window_extent()
        names = " ".join(text.get_text() for text in figure.axes[0].texts)  # two of one place have one text
        assert len(figure.axes[0].texts) == 9 - names.count(" and ")
        for text in figure.axes[0].texts:
            box = text.get_window_extent()
            assert frame.x0 <= box.x0 and box.x1 <= frame.x1 + 1 and frame.y0 <= box.y0, text.get_text()


def test_at_the_command_line_a_method_that_lacks_a_setting_names_the_option(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["tradeoff", str(ARRESTS), "--groups", "colour", "--features", "age,checks", "--methods", "disparity_pca"]
    given = ["--set", "disparity_pca.advantaged=White", "--set", "disparity_pca.disadvantaged=Black", "-k", "1"]
    assert run([*words, *given]) == 2
    assert "which needs lam; add it, such as --set 'disparity_pca.lam=0.7'" in capsys.readouterr().err
    assert run([*words, *given, "--set", "disparity_pca.lam=0.7"]) == 0
    assert run([*words, *given, "--set", "disparity_pca.lam=[0.2, 0.7]", "--scale"]) == 0
    said = " ".join(capsys.readouterr().out.split())  # as options
    assert "Settings of disparity_pca: --set advantaged=White, --set disadvantaged=Black, --scale." in said
    assert run([*words, *given, "--set", "disparity_pca.lam=0.7", "--set", "disparity_pca.scale=True"]) == 0


def test_which_method_comes_first_is_asked_of_the_differences_of_the_same_people() -> None:
    """The limits of pca and og overlap, and every person's error is larger with og: that is no chance."""
    X, g, y = people(3, 500)
    fold = np.arange(len(X)) % 2
    errors = fairstats.tradeoff(X, g, ["pca", "og"], k=2, folds=fold)
    loss = {}
    for method in ("pca", "og"):
        loss[method] = np.empty(len(X))
        for f in (0, 1):
            fit, new = getattr(fairstats, method)(X[fold != f], g[fold != f], k=2), fold == f
            back = (
                fit.reconstruct(X[new], g[new]) if method == "pca" else fit.transform(X[new], g[new]) @ fit.loadings.T
            )
            loss[method][new] = np.sum((X[new] - back - (0 if method == "pca" else fit.scaling.center)) ** 2, axis=1)
    (_, first, _), (_, second, _) = errors.points()
    assert [first.estimate, second.estimate] == pytest.approx([loss["pca"].mean(), loss["og"].mean()])
    apart = loss["og"] - loss["pca"]
    assert apart.mean() > 4 * apart.std() / len(X) ** 0.5 and second.conf_low < first.conf_high
    assert not any("in error may be chance" in line for line in errors.statements)
    row = errors.estimates.only(versus="pca", attribute="")[0]
    inside = [apart[fold == f] - apart[fold == f].mean() for f in (0, 1)]
    assert row.estimate == pytest.approx(apart.mean())
    assert row.std_error == pytest.approx(np.sqrt(sum(np.sum(part**2) for part in inside)) / len(X))
    assert row.conf_low > 0 and f"og {compact(row.estimate)}" in " ".join(
        errors.summary().split("Each method less pca")[1].split()
    )
    assert "Each method less pca, on the same people" in fairstats.report(errors).html
    assert "the widest gap in error from the largest group is smallest with" in errors.statements[0]
    X, g, y = people(3)
    alike = fairstats.tradeoff(X, g, ["pca", "leace_pca", "og"], y=y, folds=2).statements
    assert any("in predicting the outcome may be chance: no difference from" in line for line in alike)


@pytest.mark.long
def test_differences_of_areas_between_methods_spread_as_in_samples_of_the_same_people() -> None:
    """The standard error beside a bootstrap of the people held out, the fits being as they are, and √2 for halves."""
    X, g, y = people(5, 600)
    target, fold = g == "b", np.arange(600) % 2
    result = fairstats.tradeoff(X, target, ["pca", "leace_pca"], k=3, y=y, folds=fold, seed=3)
    row = result.estimates.only(versus="pca", metric="AUC")[0]
    scores, place, case = np.empty((2, 600)), np.empty(600, dtype=int), y == "yes"
    for f in (0, 1):
        new, old = np.flatnonzero(fold == f), fold != f
        order, halves = np.random.default_rng(3).permutation(len(new)), np.empty(len(new), dtype=int)
        for side in (case[new], ~case[new]):
            halves[order[side[order]]] = np.arange(side.sum()) % 2
        fits = fairstats.pca(X[old], k=3), fairstats.leace_pca(X[old], target[old], k=3)
        for m, fit in enumerate(fits):
            S = np.column_stack([np.ones(len(new)), np.asarray(fit.transform(X[new]))])
            for half in (0, 1):
                b = np.linalg.lstsq(S[halves != half], case[new[halves != half]].astype(float), rcond=None)[0]
                scores[m, new[halves == half]] = S[halves == half] @ b
        place[new] = 2 * f + halves
    rng = np.random.default_rng(0)

    def apart(drawn: list[np.ndarray]) -> float:
        areas = [[roc_auc_score(case[i], scores[m, i]) for i in drawn] for m in (0, 1)]
        return float(np.mean(areas[1]) - np.mean(areas[0]))

    parts = [np.flatnonzero(place == j) for j in range(4)]
    assert row.estimate == pytest.approx(apart(parts))
    samples = [apart([rng.choice(part, len(part)) for part in parts]) for _ in range(300)]
    assert row.std_error == pytest.approx(2**0.5 * np.std(samples), rel=0.15)


@pytest.mark.long
@pytest.mark.parametrize(
    ("n", "share", "k", "folds", "draws"),
    [
        (100, 0.5, 2, 5, 60),
        *[
            pytest.param(n, share, k, folds, 300, marks=pytest.mark.slow)
            for n, share, k, folds in product((100, 400), (0.5, 0.2), (1, 4), (2, 5, 10))
            if share * n >= 8 * folds
        ],
    ],
)
def test_methods_are_seldom_said_to_leave_a_group_that_is_not_in_the_features(
    n: int, share: float, k: int, folds: int, draws: int
) -> None:
    """Both halves of a fold score each other; without an allowance for that a method in ten was said to leak."""
    methods = ["pca", "fair_pca", "leace_pca"]
    false, predicted, apart, spread = 0, 0, 0, []
    for seed in range(draws):
        rng = np.random.default_rng(seed)
        X, y = rng.standard_normal((n, 6)), rng.permutation(n) < n / 2
        g = np.where(rng.permutation(n) < share * n, "a", "b")
        rows = fairstats.tradeoff(X, g, methods, k=k, y=y, folds=folds, seed=seed).estimates
        false += any(row.conf_low > 0.5 for row in rows if row.attribute and not row.versus)
        predicted += any(row.conf_low > 0.5 for row in rows if not row.attribute and not row.versus)
        apart += any(not row.conf_low <= 0 <= row.conf_high for row in rows if row.versus)
        spread.append([(row.estimate, row.std_error) for row in rows if not row.versus])
    most = binom.isf(0.001, draws, 0.05)
    assert max(false, predicted, apart) <= most, (false, predicted, apart)
    estimates, errors = np.moveaxis(np.array(spread), -1, 0)
    assert (np.std(estimates, axis=0) < 1.15 * errors.mean(axis=0)).all()


def test_a_group_that_is_shown_to_be_found_stands_before_one_whose_larger_area_is_chance() -> None:
    rng = np.random.default_rng(6)
    g = rng.choice(["a", "b", "c"], 1200, p=[0.55, 0.43, 0.02])
    X = rng.standard_normal((1200, 3)) + [[0.35, 0, 0]] * (g == "b")[:, None] + [[0, 0.6, 0]] * (g == "c")[:, None]
    result = fairstats.tradeoff(X, g, ["pca"], k=3, y=rng.random(1200) < 0.5, folds=2)
    rows = result.estimates.only(metric="AUC of linear probe")
    shown = [row.group for row in rows if row.conf_low > 0.5]
    assert shown and max(rows, key=lambda row: row.estimate).group not in shown
    assert next(left.group for *_, left in result.points()) in shown


def test_limits_below_one_half_are_named_as_what_they_are() -> None:
    """In one half of each fold the group lies higher, in the other lower."""
    rng = np.random.default_rng(26)
    g, fold, sign = rng.permutation(np.repeat(["a", "b"], 200)), np.arange(400) % 2, np.empty(400)
    for f in (0, 1):
        new = np.flatnonzero(fold == f)
        order = np.random.default_rng(0).permutation(200)
        for side in (g[new] == "b", g[new] != "b"):
            sign[new[order[side[order]]]] = (-1.0) ** np.arange(side.sum())
    X = rng.normal(size=(400, 3))
    X[:, 0] += sign * (g == "b")
    found = fairstats.tradeoff(X, g, ["pca", "og"], y=X[:, 0] + rng.normal(size=400) > 0, folds=fold)
    rows = found.estimates.where(metric="AUC of linear probe", versus="")
    assert all(row.conf_high < 0.5 for row in rows)
    assert found.statements[0].endswith("the limits of every group's AUC reach 0.5, which is chance, or lie below it.")
    assert not any(line.startswith("With no method is the outcome shown") for line in found.statements)


def test_an_outcome_that_nothing_is_shown_to_predict_is_said_to_be_one() -> None:
    rng = np.random.default_rng(4)
    g = rng.choice(["a", "b"], 400)
    found = fairstats.tradeoff(rng.normal(size=(400, 3)), g, ["pca", "og"], y=rng.random(400) < 0.5)
    assert all(row.conf_low < 0.5 for row in found.estimates.where(metric="AUC", versus=""))
    assert "With no method is the outcome shown to be predicted better than by chance" in " ".join(found.answers())


def test_a_method_with_the_components_of_the_first_differs_by_0_and_widens_no_other_difference() -> None:
    X, g, _ = people(3, 600)
    roles = {"advantaged": "a", "disadvantaged": "b"}
    half = ("disparity_pca", {"lam": [0.5], **roles})
    alone = fairstats.tradeoff(X, g, ["pca", half], folds=2).estimates.where(versus="pca")
    both = fairstats.tradeoff(X, g, ["pca", ("disparity_pca", {"lam": [1.0, 0.5], **roles})], folds=2)
    same = [row for row in both.estimates if row.term == "lam=1.0" and row.versus]
    assert [(row.estimate, row.std_error) for row in same] == [(0.0, 0.0)] * 3
    others = [row for row in both.estimates if row.term == "lam=0.5" and row.versus]
    # the limits of both are drawn anew
    assert [r.conf_high - r.conf_low for r in others] == pytest.approx([r.conf_high - r.conf_low for r in alone], 0.01)
    (line,) = [line for line in both.summary().splitlines()[-8:] if line.startswith("disparity_pca (lam=1.0)")]
    assert line.split()[2:] == ["0.000", "–", "0.000", "–"]


def test_of_features_of_rare_levels_the_leak_of_leace_has_the_caution_of_a_comparison() -> None:
    rng = np.random.default_rng(1)
    of_a = rng.random(800) < 0.5
    X = pd.DataFrame({"x": of_a + 0.3 * rng.normal(size=800), "z": rng.normal(size=800), "rare": 0.0})
    X.loc[np.flatnonzero(of_a)[:4], "rare"] = 1.0
    y = rng.integers(0, 2, 800)
    result = fairstats.tradeoff(X, of_a, ["pca", "leace"], y=y)
    assert result.estimates.only(fit="leace", metric="AUC of linear probe")[0].estimate > 0.6
    (note,) = [one for one in result.statements if one.startswith("leace: too few rows differ from all others")]
    comparison = fairstats.compare(
        X.assign(g=of_a.astype(str), y=y), outcome="y", groups="g", features=list(X), methods=["none", "leace"],
        n_repeats=1, progress=False,
    )  # fmt: skip
    assert note in comparison.notes and "(rare: 4)" in note
    assert "In einigen Variablen unterscheiden sich zu wenige" in fairstats.report(result, language="de").html
    for other in (
        fairstats.tradeoff(X, of_a, ["pca", "og"], y=y),
        fairstats.tradeoff(X[["x", "z"]], of_a, ["leace"], y=y),
    ):
        assert not any("too few rows" in one for one in other.statements)


def test_of_whom_a_difference_is_stands_below_where_each_method_has_its_own_groups() -> None:
    X, g, y = shifted()
    result = fairstats.tradeoff(X, g, ["pca", "og"], y=y, folds=2)
    (_, _, first), (_, _, own) = result.points()
    ((_, _, apart),) = result.differences()
    assert (first.group, own.group, apart.group) == ("c", "a", "a")
    same = next(r for r in result.estimates.only(fit="pca", versus="", group="a"))
    assert apart.estimate == pytest.approx(own.estimate - same.estimate) != pytest.approx(own.estimate - first.estimate)
    note = "Of: the groups of the method's own line above, and pca is measured of the same ones here"
    assert note in " ".join(result.summary().split()) and note in fairstats.report(result).html.replace("&#39;", "'")
    two = fairstats.tradeoff(X, g == "c", ["pca", "og"], y=y)
    assert "Of: the groups" not in two.summary() + fairstats.report(two).html


def test_where_numbers_of_components_vary_methods_are_compared_at_as_many() -> None:
    X, g, _ = people(3)
    methods = [("pca", {"k": [1, 2, 3]}), ("fair_pca", {"k": [3, 1, 2]}), ("minimax_pca", {"k": 4})]
    result = fairstats.tradeoff(X, g, methods)
    rows = result.estimates
    single = {(r.fit, r.k, r.attribute, r.group): r.estimate for r in rows.only(versus="")}
    paired = [r for r in rows if r.versus]
    assert {(r.fit, r.k, r.versus) for r in paired} == {("fair_pca", k, f"pca (k={k})") for k in (1, 2, 3)}
    for r in paired:
        base = single["pca", r.k, r.attribute, r.group]
        assert r.estimate == pytest.approx(single[r.fit, r.k, r.attribute, r.group] - base)
    text = " ".join(result.summary().split())
    assert "Each method less pca with as many components, on the same people" in text
    assert all(f"With k = {k} components, the features" in text for k in (1, 2, 3)) and "k = 4" not in text
    assert "minimax_pca is made for its objective" in text
    assert "Not made to make the errors of groups alike, but to take the groups out of scores: fair_pca." in text
    assert "Of methods with as many components: the further left" in fairstats.plot(result, "price_gap").caption
    alike = fairstats.tradeoff(X, g, ["pca", "fair_pca"])
    assert "Each method less pca, on the same people" in alike.summary() and "objective" not in alike.summary()
    assert "Of methods with" not in fairstats.plot(alike, "price_gap").caption


def test_methods_made_for_another_gap_than_the_one_compared_are_named() -> None:
    X, g = np.random.default_rng(1).normal(size=(300, 5)), np.tile(["a", "b"], 150)
    removing, sharing = ["og", "leace_pca"], ["minimax_pca"]
    y = np.tile([0, 0, 1], 100)
    errors = " ".join(fairstats.tradeoff(X, g, ["pca", *removing, *sharing], k=2).statements)
    leaks = " ".join(fairstats.tradeoff(X, g, ["pca", *removing, *sharing], k=2, y=y).statements)
    assert "but to take the groups out of scores: og and leace_pca." in errors and "to share out" not in errors
    assert "but to share out the error among them: minimax_pca." in leaks and "errors of groups alike" not in leaks
    assert "Not made" not in " ".join(fairstats.tradeoff(X, g, ["pca", "og"], k=2, y=y).statements)


def test_what_may_be_chance_stands_beside_the_answer_and_on_page_one_in_it() -> None:
    X, g, _ = people(3)
    found = fairstats.tradeoff(X, g, [("pca", {"k": [1, 2]}), ("leace_pca", {"k": [1, 2]}), ("og", {"k": [1, 2]})])
    answers = found.answers()
    assert list(found.statements[: len(answers)]) == answers and len(answers) > 2
    at = [i for i, line in enumerate(answers) if line.startswith("With k = ")]
    assert at[0] == 0 and len(at) == 2
    for line in (one for i, one in enumerate(answers) if i not in at):
        assert "may be chance: no difference from" in line
    page = fairstats.report(found).contents.context["findings"]
    assert page["sentence"] == " ".join(answers) and not set(answers) & set(page["context"])
    two = g != "c"
    assert fairstats.table(fairstats.tradeoff(X[two], g[two], ["pca", "og"])).note.endswith("Widest gap: b less a.")
    assert "the same for every person of a group" in page["tables"][1].note
    unequal = fairstats.tradeoff(X, g, [("pca", {"k": 1}), ("fair_pca", {"k": 2})])
    assert any("The methods have 1 to 2 components" in line for line in unequal.answers())


def test_an_outcome_among_the_features_is_refused_in_the_words_of_compare() -> None:
    X, g, y = people(1)
    table = pd.DataFrame(X, columns=list("uvwxyz")).assign(team=g, ok=(y == "yes").astype(int))
    said = "has 'ok', which is the outcome; leave it out: a model would read the answer."
    given = (
        (["u", "v", "ok"], {"groups": "team", "y": "ok", "data": table}),
        ("~ u + v + ok", {"groups": "team", "y": "ok", "data": table}),
        (table[["u", "v", "ok"]], {"groups": g, "y": table["ok"]}),
    )
    for features, more in given:
        with pytest.raises(InputError, match=said):
            fairstats.tradeoff(features, methods=["pca"], **more)
    with pytest.raises(InputError, match=f"features {said}"):
        fairstats.compare(table, outcome="ok", groups="team", features=["u", "v", "ok"], progress=False)
    with pytest.raises(InputError, match=said):
        fairstats.fair_pca(["u", "v", "ok"], "team", 1, y="ok", target="equal_opportunity", positive=1, data=table)
    other = table["ok"].sample(frac=1, random_state=0).set_axis(table.index)  # of the same name, and another column
    assert fairstats.tradeoff(table[["u", "v", "ok"]], g, ["pca"], y=other).n == len(g)


def test_the_answer_names_the_methods_with_which_a_group_is_found() -> None:
    X, g, y = people(1, 2000)
    methods = [("pca", {"k": [4, 5, 6]}), ("leace_pca", {"k": [1, 2, 3, 4, 5]})]
    first = fairstats.tradeoff(X, g == "b", methods, y=y).answers()[0]
    assert first.startswith("k = 4: The outcome is predicted best with pca (k=4) (AUC")
    assert "finds a group with pca (k=4); that is not shown with leace_pca (k=4):" in first
    alike = [("pca", {"k": 4}), *(("leace_pca", {"k": 4, "scale": scaled}) for scaled in (True, False))]
    alike += [("og", {"k": 4, "scale": scaled}) for scaled in (True, False)]
    alike += [("disparity_pca", {"k": 4, "lam": lam, "advantaged": "False", "disadvantaged": "True"}) for lam in (0, 1)]
    many = fairstats.tradeoff(X, g == "b", alike, y=y).answers()[0]
    assert "finds a group with pca" in many and "that is not shown with" in many
    rng = np.random.default_rng(4)
    noise, by, outcome = rng.normal(size=(400, 6)), rng.random(400) < 0.5, rng.random(400) < 0.5
    none = fairstats.tradeoff(noise, by, methods[1:], y=outcome)
    assert "a linear score finds a group is not shown with any of the 5 methods: the limits" in none.answers()[0]


def test_the_differences_are_of_methods_with_as_many_components() -> None:
    X, g, _ = people(2)
    result = fairstats.tradeoff(X, g, ["pca", "fair_pca", "leace"], k=2)
    assert [name for name, *_ in result.differences()] == ["fair_pca"]
    after = " ".join(result.summary().split("Each method less pca")[1].split())
    assert "Without those that have no pca of as many components: leace." in after and after.count("leace") == 1
    assert fairstats.report(result).html.count("Without those that have no pca of as many components: leace.") == 1
    assert not fairstats.tradeoff(X, g, ["pca", "fair_pca"], k=2).not_subtracted()
    assert result.statements[-1].endswith("Folds: 5.")


def test_no_name_of_a_point_lies_over_the_point_of_another_and_each_method_has_its_mark() -> None:
    rng = np.random.default_rng(5)
    g = rng.random(1200) < 0.35
    X = rng.normal(size=(1200, 3)) @ rng.normal(size=(3, 8)) + 0.7 * rng.normal(size=(1200, 8))
    X[:, 0] += 1.2 * g
    X[:, 2] *= np.where(g, 1.8, 1)
    roles, ks = {"advantaged": "False", "disadvantaged": "True"}, [1, 2, 3, 5]
    methods = [(name, {"k": ks}) for name in ("pca", "fair_pca", "minimax_pca", "og")]
    methods += [("disparity_pca", {"k": ks, "lam": 0.5, **roles}), "leace"]
    figure = fairstats.plot(fairstats.tradeoff(X, g, methods, scale=True)).figure
    figure.draw_without_rendering()
    axes = figure.axes[0]
    marks = [line for line in axes.lines if line.get_marker() != "None"]
    assert len({(line.get_marker(), line.get_color()) for line in marks}) == 6
    frame = axes.get_window_extent()
    for text in axes.texts:
        box = text.get_bbox_patch().get_window_extent()
        assert frame.x0 <= box.x0 + 1 and box.x1 <= frame.x1 + 1
        for line in marks:
            x, y = axes.transData.transform(line.get_xydata()[0])
            assert not (box.x0 < x < box.x1 and box.y0 < y < box.y1), text.get_text()


def test_two_curves_of_one_method_are_named_by_the_setting_that_differs() -> None:
    X, g, _ = people(2)
    ks = {"k": [1, 2]}
    covariance = {"equalize": "covariance", **ks}
    methods = ["pca", ("fair_pca", ks), *(("fair_pca", {**covariance, "directions": n}) for n in (3, 4))]
    figure = fairstats.plot(fairstats.tradeoff(X, g, methods)).figure
    names = [name for text in figure.axes[0].texts for name in text.get_text().split(" and ")]
    assert len(set(names)) == 7 and not any("\N{HORIZONTAL ELLIPSIS}" in name for name in names)
    assert {"fair_pca (k=1)", "fair_pca (k=1, directions=3)", "fair_pca (k=2, directions=4)"} < set(names)


def test_the_text_of_the_picture_calls_an_area_by_its_name() -> None:
    X, g, y = people(2)
    areas, gaps = (fairstats.plot(fairstats.tradeoff(X, g, ["pca", "og"], y=of)).alt for of in (y, None))
    assert areas.startswith("AUC of the group against AUC of the outcome. pca: AUC of the outcome 0.")
    assert "gap" not in areas.lower() and areas.count("AUC of the group 0.") == 2
    assert gaps.startswith("Gap against price. pca: ")


def test_with_an_outcome_methods_are_compared_at_as_many_scores() -> None:
    X, g, y = people(1, 600)
    found = fairstats.tradeoff(X, g, [("pca", {"k": [1, 2]}), ("leace_pca", {"k": [1, 2]})], y=y)
    for k in (1, 2):
        (line,) = [one for one in found.answers() if one.startswith(f"k = {k}: ")]
        best = max((p for p in found.points() if p[1].k == k), key=lambda p: p[1].estimate)
        assert f"predicted best with {best[0]} (AUC {best[1].estimate:.3f})" in line
    unequal = fairstats.tradeoff(X, g, [("pca", {"k": 1}), ("leace_pca", {"k": 3})], y=y)
    assert any("1 to 3 scores" in one and "with equally many" in one for one in unequal.answers())
    assert not any("equally many" in one for one in fairstats.tradeoff(X, g, ["pca", "leace_pca"], y=y).statements)


def test_of_a_linear_probe_the_print_says_what_asks_other_models() -> None:
    X, g, y = people(2)
    line = "linear discriminant on the scores; other models may find more. fairstats.leakage asks them too."
    assert line in " ".join(fairstats.tradeoff(X, g, ["pca", "og"], y=y).summary().split())
    assert "other models may find more" not in fairstats.tradeoff(X, g, ["pca", "og"]).summary()


def test_areas_of_a_column_have_as_many_decimals() -> None:
    X, g, y = people(1, 2000)
    lines = fairstats.tradeoff(X, g == "b", ["pca", "leace_pca"], k=4, y=y)._table().rows
    numbers = [number for line in lines for cell in line[2:6] for number in cell.split(" to ")]
    assert all(re.fullmatch(r"[01]\.\d{3}", number) for number in numbers), numbers


@pytest.mark.parametrize("y", [None, "outcome"])
def test_in_the_picture_every_method_is_named_and_no_name_covers_another_or_a_point(y: str | None) -> None:
    X, g, outcome = people(1)
    sides = {"advantaged": "a", "disadvantaged": "b"}
    two = g != "c"
    methods = [
        "pca",
        ("disparity_pca", {"lam": [0, 0.5, 1], **sides}),
        ("fair_pca", {"tradeoff": [0.25, 0.5, 1]}),
        ("minimax_pca", {"objective": ["loss", "error", "variance", "nash"]}),
    ]
    result = fairstats.tradeoff(X[two], g[two], methods, y=None if y is None else outcome[two])
    figure = fairstats.plot(result).figure
    figure.draw_without_rendering()
    axes = figure.axes[0]
    texts = [text.get_text() for text in axes.texts]
    named = dict(text.split(": ", 1)[::-1] for text in texts if ": " in text)
    assert set(named) == {name for name, *_ in result.points()}  # with their parentheses
    assert set(named.values()) == {text for text in texts if text.isdigit()}
    boxes = [Text.get_window_extent(text) for text in axes.texts]  # without their leaders
    points = [axes.transData.transform(line.get_xydata()[0]) for line in axes.lines if line.get_marker() != "None"]
    half = 3 / 72 * figure.dpi
    assert len(points) == len(named)
    boxes += [Bbox([point - half, point + half]) for point in points]
    names = range(len(texts))
    assert not [(i, j) for i in names for j in range(i + 1, len(boxes)) if boxes[i].overlaps(boxes[j])]
    assert all(box.x0 >= 0 and box.x1 <= figure.bbox.width for box in boxes)
    few = fairstats.plot(fairstats.tradeoff(X, g, ["pca", "fair_pca", "og"])).figure.axes[0].texts
    assert {text.get_text() for text in few} == {
        "pca",
        "fair_pca",
        "og",
    }  # where there is room they stand at the points


def test_the_table_of_differences_says_that_gaps_are_subtracted_with_their_signs() -> None:
    X, g, y = people(1)
    result = fairstats.tradeoff(X, g, ["pca", "minimax_pca", "fair_pca"], k=2)
    gaps = [row.estimate for row in result.estimates if row.attribute and not row.versus]
    text = " ".join(result.summary().split())
    assert min(gaps) < 0 and "Gaps are subtracted with their signs: where one is below 0" in text
    assert "Abstände werden mit ihrem Vorzeichen abgezogen" in fairstats.report(result, language="de").html
    assert "signs" not in fairstats.tradeoff(X, g, ["pca", "minimax_pca"], y=y).summary()


def test_people_that_a_score_was_learned_from_are_counted_and_more_scores_are_not_said_to_predict_more() -> None:
    X, g, y = people(1)
    text = " ".join(fairstats.tradeoff(X, g, ["pca", ("fair_pca", {"k": [2, 3]})], y=y, folds=3).statements)
    assert "learned from 40 people, half of a fold" in text  # 240 people, 3 folds
    assert "More scores can predict more, and less where there are few people to learn from" in text


def test_a_feature_beside_which_no_other_counts_is_named_once() -> None:
    X, g, _ = people(1)
    X[:, 2] *= 100
    line = "x3 makes up at least 99.9% of what the features vary, and the first component is nearly it alone. With"
    fit = fairstats.fair_pca(X, g, 2)
    assert [note.startswith(line) for note in fit.notes].count(True) == 1
    assert np.var(X[:, 2]) / np.var(X, axis=0).sum() == pytest.approx(0.999, abs=0.001)
    result = fairstats.tradeoff(X, g, ["pca", "fair_pca"])
    assert [one.startswith(line) for one in result.statements].count(True) == 1
    assert not any("makes up" in note for note in fairstats.fair_pca(X, g, 2, scale=True).notes)
    assert not any("makes up" in one for one in fairstats.tradeoff(X, g, ["pca"], scale=True).statements)


def test_methods_with_more_scores_than_k_are_said_after_those_that_have_k() -> None:
    X, g, y = people(1, 600)
    weights = ("fair_pca", {"tradeoff": [0, 0.1, 0.5, 1]})
    found = fairstats.tradeoff(X, g == "b", ["pca", weights], k=2, y=y, scale=True)
    at = {point.method: point for point in found.points()}
    first, *others = found.answers()
    assert first.startswith("k = 2: ") and "fair_pca (tradeoff=0)" in first and "tradeoff=0.1" not in first
    left = at["fair_pca (tradeoff=0.1)"].left
    beside = (
        "With 4 scores, not 2: fair_pca (tradeoff=0.1), fair_pca (tradeoff=0.5) and fair_pca (tradeoff=1). A linear "
        f"score finds a group in them (AUC {left.estimate:.3f} for True)."
    )
    assert left.conf_low > 0.5 and beside in others
    assert not any("k = 4" in line for line in found.statements)
    assert any(line.startswith("Of the 2k scores of fair_pca") for line in found.statements)
    assert "Mit 4 statt 2 Scores: fair_pca" in fairstats.report(found, language="de").html
    errors = fairstats.tradeoff(X, g == "b", ["pca", weights], k=2)
    assert errors.answers()[0].startswith("With k = 2 components")
    assert any(line.startswith("With 4 components, not 2: fair_pca") for line in errors.answers())
    every = fairstats.tradeoff(X, g == "b", ["pca", "leace_pca", "leace"], k=2, y=y).answers()
    assert any(line.startswith("With 6 scores, not 2: leace. That a linear score finds") for line in every)
    double = fairstats.tradeoff(X, g == "b", [("pca", {"k": 4}), ("fair_pca", {"tradeoff": [0.1, 0.5]})], k=2, y=y)
    assert not any("not 2" in line for line in double.statements)  # as many of all: none stands beside
    short, long = (fairstats.fair_pca(X, g, 2, tradeoff=value).transform(X) for value in (None, 0.5))
    np.testing.assert_allclose(short, long[:, :2], atol=1e-8)
    np.testing.assert_allclose(np.abs(0.5 * fairstats.pca(X, k=2).transform(X)), np.abs(long[:, 2:]), atol=1e-8)


def test_points_are_a_list_that_prints_its_numbers_and_two_calls_are_joined_by_it() -> None:
    X, g, y = people(2)
    errors, areas = (fairstats.tradeoff(X, g, ["pca", "og"], y=of).points() for of in (None, y))
    cost, left = areas[0].cost.estimate, areas[0].left.estimate
    assert repr(areas[:1]) == f"[Point(method='pca', k=2, cost={cost:.3f}, left={left:.3f})]"
    assert [point.method for point in errors] == [point.method for point in areas] == ["pca", "og"]
    assert errors[1].cost.metric == "reconstruction loss" and areas[1].left.metric == "AUC of linear probe"
