"""Leakage end to end: what is refused, what is found, and what the sentences say."""

import json
import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy.stats import norm

import fairstats
from fairstats.data.groups import Groups
from fairstats.errors import InputError
from fairstats.estimates import GLOSSARY, Estimate
from fairstats.inference.multiplicity import margins, rejected
from fairstats.inference.representations.leakage import Area, attainable, decided_areas, leakage, statement
from fairstats.inference.representations.probes import PROBES
from fairstats.methods.crossfit import OutOfFoldScores


def held_out(scores, groups, folds=2, method="pca"):
    n = len(scores)
    result = groups if isinstance(groups, Groups) else Groups.of({"sex": np.asarray(groups)})
    return OutOfFoldScores(np.asarray(scores, dtype=float), np.arange(n) % folds, result, method, 0)


def noise(n=240, k=3, levels=("a", "b"), seed=0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, k)), rng.choice(levels, size=n)


def test_scores_that_are_not_held_out_are_refused_with_the_way_out():
    S, g = noise()
    for wrong in (S, fairstats.pca(S, k=2), S.tolist()):
        with pytest.raises(InputError, match=r"held-out scores only; pass fairstats\.leakage\(fit, X, groups\)"):
            leakage(wrong, groups=g)
    with pytest.raises(InputError, match=r"held-out scores, as fit\.crossfit\(X, groups\) gives them"):
        leakage(pd.DataFrame(S), groups=g)
    transformer = pytest.importorskip("fairstats.sklearn").FairTransformer("pca", k=2)
    with pytest.raises(InputError, match=r"has the fit as its fit_, .*pipe\[1\]\.fit_\.crossfit"):
        leakage(transformer, groups=g)
    with pytest.raises(InputError, match="X and data go with a fit"):
        leakage(held_out(S, g), S)
    for wrong in ({}, {"fit": held_out(S, g), "scores": held_out(S, g)}):
        with pytest.raises(InputError, match="pass fit and X, or scores"):
            leakage(**wrong)


@pytest.mark.long
def test_names_of_columns_are_looked_up_in_data():
    people = fairstats.arrests()
    fit = fairstats.og("~ age + checks", "colour", data=people, k=2)
    usual = leakage(fit, people, "colour", permutations=9)
    for given in ({}, {"groups": "colour"}, {"X": "~ age + checks", "groups": "colour"}):
        assert leakage(fit, data=people, permutations=9, **given).estimates == usual.estimates
    scores = fit.crossfit(people)
    named, values = (
        leakage(scores, permutations=9, **given)
        for given in ({"groups": "sex", "data": people}, {"groups": people[["sex"]]})
    )
    assert named.estimates == values.estimates and named.estimates[0].attribute == "sex"
    for features in (["age", "checks"], "~ age + checks", people):
        with pytest.raises(InputError, match=r"fairstats\.proxies\(data, groups\) says which columns"):
            leakage(features, groups="colour", data=people)
    with pytest.raises(InputError, match="'shade' is not a column of data"):
        leakage(scores, groups="shade", data=people)


def test_bad_shapes_are_refused():
    S, g = noise()
    with pytest.raises(InputError, match="groups has 5 values and scores 240 rows"):
        leakage(held_out(S, g), groups=["a", "b", "a", "b", "a"])
    with pytest.raises(InputError, match="at least 10 rows"):
        leakage(held_out(S[:6], ["a", "b"] * 3))
    S[3, 1] = np.nan
    with pytest.raises(InputError, match="scores has 1 missing value"):
        leakage(held_out(S, g))


def test_what_is_not_shown_is_inconclusive_and_no_guarantee():
    result = leakage(held_out(*noise()), permutations=99)
    assert result.statements[0].startswith("sex: linear: inconclusive, AUC 0.")
    assert "non-linear: inconclusive" in result.statements[0] and "guarantee" not in result.summary()
    text = " ".join(result.summary().split())
    for metric in ("MMD²", "distance correlation"):  # by their numbers, not by their names alone
        row = result.estimates.where(metric=metric)[0]
        about = f" ({row.group}, {row.reference})" if row.group else ""
        value = f"{abs(row.estimate):.4f}".replace("-", "")
        assert re.search(rf"{metric} \u2212?{value}{re.escape(about)}, p = {row.p_value:.3f}", text)
    assert "No margin was declared" in result.summary() and np.isnan(result.estimates[0].p_equivalence)
    assert result.estimates.column("metric") == [
        "AUC of linear probe",
        "AUC of non-linear probe",
        "MMD²",
        "distance correlation",
    ]


@pytest.mark.long
def test_no_leak_is_shown_where_the_upper_limit_lies_below_the_margin():
    for margin, shown in ((0.01, False), (0.25, True)):
        for given in (margin, {"leakage": margin, "auc": 0.3}, margins({"leakage": margin})):
            result = leakage(held_out(*noise(n=600)), permutations=0, margin=given)
            row = result.estimates[0]
            assert (row.verdict == "equivalence shown") == shown == (row.p_equivalence <= 0.05)
            assert (f"linear: shown to leak no more than AUC {0.5 + margin:.2f}" in result.statements[0]) == shown
            assert "No margin" not in result.summary()
    for given, named in ((0.7, "margin"), ({"leakage": 0.7}, r"margin\['leakage'\]")):
        with pytest.raises(InputError, match=rf"^{named} has 0.7; a margin is how far an AUC"):
            leakage(held_out(*noise()), margin=given)


@pytest.mark.long
@pytest.mark.parametrize("fits", [3, pytest.param(8, marks=pytest.mark.slow)])
def test_limits_and_verdicts_agree(fits):
    rng = np.random.default_rng(2)
    for _ in range(fits):
        S, g = noise(seed=int(rng.integers(1e6)))
        S[:, 0] += rng.uniform(0, 0.8) * (g == "b")
        row = leakage(held_out(S, g), permutations=0, margin=0.2, conf_level=0.9).estimates[0]
        # two limits at 90% are two one-sided tests at 5%, of what a probe trained on these rows would attain
        below = row.conf_high < attainable(0.2, 4, (row.events / 2, (row.n - row.events) / 2))
        assert (row.p_equivalence < 0.05) == below and (row.verdict == "equivalence shown") >= below
        assert row.conf_low <= row.estimate <= row.conf_high
        assert rejected(row.p_adjusted, 0.9) == (row.conf_low > 0.5) == (row.verdict == "disparity shown")


@pytest.mark.long
def test_a_leak_is_shown_where_and_only_where_the_interval_leaves_one_half_out_and_of_no_leak_rarely() -> None:
    """Normal limits of an AUC of one half: the verdict, the adjusted p and the interval are one fact, at its level."""
    rng, shown = np.random.default_rng(0), 0
    for _ in range(500):
        z = float(rng.standard_normal())
        estimate = 0.5 + 0.02 * z

        def limits(level: float, at: float = estimate) -> tuple[float, float]:
            half = 0.02 * norm.ppf((1 + level) / 2)
            return at - half, at + half

        row = Estimate("AUC of linear probe", "g", "a").with_interval(estimate, *limits(0.95), 0.95)
        area = Area(row, limits, norm.sf(z), norm.sf(z), (100.0, 100.0))
        (decided,) = decided_areas([area], None, 0.95, 3, 2)
        leak = decided.verdict == "disparity shown"
        assert leak == (decided.p_adjusted <= 0.05) == (decided.conf_low > 0.5)
        assert leak or decided.conf_low <= 0.5 <= decided.conf_high
        assert decided.p_adjusted == pytest.approx(min(1.0, 2 * norm.sf(z)), abs=1e-6)
        shown += leak
    assert shown <= 25  # of 500, at 2.5% for no leak in truth: 12.5 on average


def test_a_shift_is_linear_leakage():
    S, g = noise()
    S[:, 1] += 1.5 * (g == "b")
    result = leakage(held_out(S, g), permutations=99)
    assert result.statements[0].startswith("sex: linear: leak shown, AUC 0.8")
    assert result.estimates.where(metric="MMD²")[0].p_value == 0.01


def test_unequal_dispersion_is_non_linear_leakage_only():
    S, g = noise(n=600)
    S *= np.where(g == "b", 2.0, 1.0)[:, None]
    result = leakage(held_out(S, g), permutations=99)
    assert "linear: inconclusive" in result.statements[0] and "; non-linear: leak shown, AUC 0." in result.statements[0]
    row = result.estimates.where(metric="AUC of non-linear probe")[0]
    assert row.group == "b" and row.reference == "a" and row.conf_low > 0.5
    assert all(r.p_value == 0.01 for r in result.estimates if r.metric in ("MMD²", "distance correlation"))


@pytest.mark.long
def test_og_removes_the_shift_that_pca_leaks():
    rng = np.random.default_rng(1)
    g = np.where(np.arange(500) % 2, "a", "b")
    X = rng.normal(size=(500, 6)) + 1.5 * (g == "a")[:, None]
    before = leakage(fairstats.pca(X, k=2).crossfit(X, g), permutations=99)
    after = leakage(fairstats.og(X, g, k=2).crossfit(X, g), permutations=99)
    assert before.estimates[0].conf_low > 0.85
    assert after.estimates[0].conf_low < 0.55


@pytest.mark.long
def test_several_levels_have_a_row_each_and_are_adjusted_together():
    S, g = noise(levels=("a", "b", "c"))
    S[:, 0] += 1.5 * (g == "c")
    result = leakage(held_out(S, g), permutations=99)
    linear = result.estimates.where(metric="AUC of linear probe")
    assert linear.column("group") == ["a", "b", "c"] and set(linear.column("reference")) == {"all others"}
    assert all(r.p_adjusted >= r.p_value for r in linear)
    assert (
        result.statements[0].startswith("sex: linear: leak shown, AUC 0.84 [")
        and "] for c, p < 0.001;" in result.statements[0]
    )


def test_several_attributes_and_a_continuous_one():
    S, g = noise()
    rng = np.random.default_rng(5)
    age = rng.normal(size=240)
    S[:, 0] += age
    groups = Groups.of([fairstats.continuous(age, "age"), g])
    result = leakage(held_out(S, groups), permutations=99)
    assert [line.split(":")[0] for line in result.statements] == ["group 2", "age"]
    assert "dependence shown" in result.statements[1]
    probes = result.estimates.where(attribute="age", metric=("AUC of linear probe", "AUC of non-linear probe"))
    assert set(probes.column("status")) == {"unestimable"}


def test_another_attribute_than_the_fits_can_be_tested():
    S, g = noise()
    other = np.where(S[:, 2] > 0, "x", "y")
    assert "linear: leak shown" in leakage(held_out(S, g), groups={"town": other}, permutations=99).statements[0]


def test_a_tiny_level_is_not_estimable_and_not_dropped():
    S, g = noise(levels=("a", "b", "c"))
    g[:] = np.where(np.arange(240) % 2, "a", "b")
    g[7] = "c"
    result = leakage(held_out(S, g), permutations=99)
    alone = [r for r in result.estimates if r.group == "c" and r.metric != "distance correlation"]
    assert len(alone) == 3
    assert all(r.status == "unestimable" or np.isfinite(r.estimate) for r in alone)
    assert result.estimates.where(metric="MMD²", group="c")[0].status == "unestimable"


def test_large_data_use_a_reported_sample_for_the_pairwise_measures(monkeypatch):
    from fairstats.inference.representations import leakage as module

    monkeypatch.setattr(module, "MOST_ROWS", 100)
    result = leakage(held_out(*noise()), permutations=99, seed=3)
    assert result.pairwise_n == 100 and "a random 100 of the rows, seed 3" in result.summary()
    assert result.estimates.where(metric="MMD²")[0].n == 100
    assert result.estimates[0].n > 100


@pytest.mark.long
def test_the_same_seed_gives_the_same_answer():
    S, g = noise()
    a, b, c = (leakage(held_out(S, g), permutations=99, seed=s) for s in (1, 1, 2))
    assert a.estimates == b.estimates and a.estimates != c.estimates


@pytest.mark.long
@pytest.mark.parametrize("fits", [3, pytest.param(8, marks=pytest.mark.slow)])
def test_estimation_noise_of_a_fit_is_what_the_caution_says(fits):
    rng = np.random.default_rng(6)
    values, caution = [], ""
    for seed in range(fits):
        X, g = rng.normal(size=(200, 10)), np.arange(200) % 2
        kept = fairstats.og(X, g.astype(str), k=8).crossfit(X, g.astype(str), folds=[0] * 100 + [1] * 100)
        result = leakage(kept, permutations=1, seed=seed)
        values.append(result.estimates[0].estimate)
        caution = result.estimates[0].reason
    limit = float(caution.split()[-1])
    assert 0.55 < np.mean(values) <= limit < 0.75


def test_the_sentence_takes_its_words_from_the_verdicts():
    def rows(*verdicts):
        numbers = {"estimate": 0.56, "conf_low": 0.52, "conf_high": 0.6, "p_value": 0.01}
        return [
            Estimate(f"AUC of {p}", "sex", level, reference="all others", verdict=verdict, **numbers)
            for p in PROBES
            for level, verdict in zip("abc", verdicts, strict=True)
        ]

    equal, leak, open_ = "equivalence shown", "disparity shown", "inconclusive"
    for verdicts, word in (
        ((equal, equal, equal), "shown to leak no more than AUC 0.60"),
        ((equal, leak, equal), "leak shown"),
        ((equal, open_, equal), "inconclusive"),
    ):
        assert statement("sex", rows(*verdicts), PROBES, 0.1).count(f": {word}, AUC 0.56") == 2


def test_results_are_tables_text_and_json():
    result = leakage(held_out(*noise()), permutations=99)
    assert list(result.tidy().columns) == list(GLOSSARY)
    assert result.glance().loc[0, "n"] == 240 and result.glance().loc[0, "folds"] == 2
    assert json.loads(json.dumps(result.to_dict()))["schema"] == "fairstats/leakage/1"
    assert "Conditional on these scores" in str(result) and "given these scores" in result.estimates[0].reason
    assert "0.5 is no leakage" in str(result) and max(map(len, str(result).splitlines())) <= 80


@pytest.mark.long
def test_scores_held_out_by_other_means_are_tested_as_those_of_a_fit() -> None:
    labels = np.array(["a", "b"] * 40)
    X = np.random.default_rng(5).normal(size=(80, 3))
    kept = fairstats.og(X, labels).crossfit(X, labels)
    again = fairstats.OutOfFoldScores(
        kept.scores.tolist(), kept.folds.astype(str), labels.tolist(), kept.method, kept.seed
    )
    assert fairstats.leakage(again, permutations=9).estimates == fairstats.leakage(kept, permutations=9).estimates
    with pytest.raises(InputError, match="folds has 79 values and scores 80 rows"):
        fairstats.OutOfFoldScores(kept.scores, kept.folds[:-1], labels, "ours", 0)


def test_without_permutations_there_is_no_p():
    rng = np.random.default_rng(2)
    x, g = rng.normal(size=(80, 3)), np.repeat(["a", "b"], 40)
    rows = fairstats.leakage(scores=fairstats.pca(x, k=2).crossfit(x, g), permutations=0).estimates
    for metric in ("MMD²", "distance correlation"):
        (row,) = rows.where(metric=metric)
        assert np.isfinite(row.estimate) and np.isnan(row.p_value) and np.isnan(row.p_adjusted)
        assert row.method.startswith("no permutations")


@pytest.mark.long
def test_what_a_fit_started_from_stands_beside_its_leak():
    """The README's example: whole numbers moved by group, which trees find though no linear model does."""
    people = fairstats.arrests()
    fit = fairstats.og("~ (age + checks)**2", groups="colour", data=people, k=2, scale=True)
    kept = fit.crossfit(people)
    result = leakage(kept, permutations=0)
    linear, trees = result.estimates.where(metric="AUC of linear probe")[0], result.estimates.only(role="main")[1]
    plain = leakage(
        fairstats.pca("~ (age + checks)**2", data=people, k=2, scale=True).crossfit(people, "colour"), permutations=0
    )
    assert [r.estimate for r in result.before] == pytest.approx([r.estimate for r in plain.estimates[:2]], abs=0.01)
    assert linear.estimate < 0.55 < 0.6 < result.before[0].estimate
    assert trees.estimate > 0.85 > 0.65 > result.before[1].estimate and not result.before[1].verdict
    text = result.statements[0]
    assert "Before (as many principal components): linear AUC 0.62" in text
    assert "Before (the features themselves): linear AUC 0." in text
    assert text.endswith("the non-linear probe finds more after than before.")
    # The remedies of the guide: the columns blurred by one step, or one map for all.
    rng = np.random.default_rng(0)
    blurred = people.assign(**{c: people[c] + rng.uniform(-0.5, 0.5, len(people)) for c in ("age", "checks")})
    other = fairstats.og("~ (age + checks)**2", groups="colour", data=blurred, k=2, scale=True).crossfit(blurred)
    assert leakage(other, permutations=0).estimates[1].estimate < 0.68
    one = fairstats.leace_pca("~ (age + checks)**2", groups="colour", data=people, k=2, scale=True).crossfit(people)
    result = leakage(one, permutations=0)
    assert result.estimates[1].estimate < 0.62 and "more after" not in result.statements[0]


@pytest.mark.long
def test_before_is_the_features_of_a_map_and_absent_where_nothing_is_known(tmp_path):
    X, g = noise(k=2)
    X[:, 0] += g == "b"
    fit = fairstats.comparators.residualize(X, g)
    kept = fit.crossfit(X, g)
    np.testing.assert_array_equal(kept.before, X)
    for result in (leakage(kept, permutations=0), leakage(fit, X, g, permutations=3)):
        assert "Before (the features): linear AUC 0.7" in result.statements[0]
        assert {"AUC of linear probe", "AUC of non-linear probe"} == {r.metric for r in result.before}
        result.save(tmp_path / "found.npz", overwrite=True)
        assert fairstats.load(tmp_path / "found.npz").to_dict() == result.to_dict()
    kept.save(tmp_path / "held.npz")
    assert (
        leakage(fairstats.load(tmp_path / "held.npz"), permutations=0).statements
        == leakage(kept, permutations=0).statements
    )
    assert fairstats.pca(X, g, 1).crossfit(X, g).before is None
    assert "Before" not in leakage(held_out(X, g), permutations=0).statements[0]


def test_the_sentence_has_one_group_after_and_before_and_no_small_one():
    rng = np.random.default_rng(4)
    groups = np.repeat(["f", "m", "x"], [150, 150, 24])
    X = (
        rng.normal(size=(324, 4))
        + np.where(groups == "m", 0.8, 0.0)[:, None]
        + np.where(groups == "x", 1.6, 0.0)[:, None]
    )
    fit = fairstats.og(X, groups, k=2)
    for result in (leakage(fit.crossfit(X, groups=groups), permutations=9), leakage(fit, X, groups, permutations=9)):
        (text,) = result.statements
        after, features, before = text.split(" Before ")
        assert features.startswith("(the features themselves): linear AUC ")
        for probe in PROBES:
            assert any(
                f"AUC {row.estimate:.2f} [{row.conf_low:.2f}" in features
                for row in result.features
                if row.metric == f"AUC of {probe}"
            )
        named = [re.findall(r"\] for (\w)", part) for part in (after, before)]
        assert named[0] == named[1] and len(named[0]) == 2 and "x" not in named[0]
        for probe, group in zip(PROBES, named[1], strict=True):
            (row,) = [r for r in result.before if r.metric == f"AUC of {probe}" and r.group == group]
            assert f"AUC {row.estimate:.2f} [{row.conf_low:.2f}" in before


@pytest.mark.long
def test_a_linear_leak_has_the_reason_that_it_has() -> None:
    rng = np.random.default_rng(0)
    n = 900
    g, other = rng.choice(["a", "b", "c"], n), rng.choice(["x", "y"], n)
    X = rng.normal(size=(n, 8)) + 1.5 * rng.normal(size=8) * (g == "a")[:, None]
    X += 1.2 * rng.normal(size=8) * (other == "x")[:, None]
    people = pd.DataFrame(X, columns=list("stuvwxyz")).assign(g=g, other=other, merged=np.where(g == "a", "a", "bc"))
    columns = list("stuvwxyz")

    def why(kept: OutOfFoldScores, *names: str) -> tuple[str, ...]:
        result = leakage(kept, groups=[*names] or None, data=people if names else None, permutations=0)
        assert all("linear: leak shown" in one for one in result.statements[: len(names) or 1])
        return result.statements[len(names) or 1 :]

    mixed = fairstats.fair_pca(columns, "g", 3, data=people, tradeoff=0.5).crossfit(people)
    (line,) = why(mixed)
    assert mixed.promised == 3 and line.startswith("The guarantee of the method is of the first 3 of the 6 scores;")
    # only these others leak
    assert (
        leakage(replace(mixed, scores=mixed.scores[:, 3:], promised=None), permutations=0).estimates[0].estimate > 0.6
    )
    fit = fairstats.fair_pca(columns, "g", 3, data=people).crossfit(people)
    assert why(fit, "other") == ("other is not a group of this fit, which promises nothing about it.",)
    told = replace(fit, scores=fit.scores + 0.8 * (g == "a")[:, None])  # of "merged" the fit promises what it does of g
    for names in ((), ("merged",)):
        first, more = why(told, *names)
        assert first.startswith("The guarantee of the method is of the rows that it was fitted to")
        assert more.startswith(
            "Each fit had seen 50% of the rows: with more folds, such as folds=5, it learns from more"
        )
    (first,) = why(replace(told, folds=np.arange(n) % 5))
    assert why(told, "g", "other") == (
        "other is not a group of this fit, which promises nothing about it.",
        first,
        more,
    )
