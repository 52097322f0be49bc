"""Rates and their comparisons: against scikit-learn's and statsmodels' numbers, and by laws that hold for any table."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import norm

from fairstats.auditing.audit import audit
from fairstats.auditing.counts import RATES, Evidence
from fairstats.auditing.protocol import Protocol
from fairstats.auditing.rates import contrasts
from fairstats.errors import InputError
from fairstats.inference.multiplicity import p_adjust
from fairstats.inference.rates.equivalence import tost_rates, tost_ratio
from fairstats.inference.rates.exact import (
    barnard_test,
    equivalence_of_range,
    equivalence_of_rates,
    equivalence_of_ratio,
)
from fairstats.inference.rates.rate_tests import difference_score
from fairstats.inference.rates.two_rates import miettinen_nurminen
from fairstats.inference.verdicts import decided


def people(rng: np.random.Generator, n: int = 400, groups: str = "abc") -> pd.DataFrame:
    """A random table with an outcome and a decision that depends on it."""
    outcome = rng.integers(0, 2, n)
    decision = np.where(rng.random(n) < 0.3, 1 - outcome, outcome)
    return pd.DataFrame({"g": rng.choice(list(groups), n, p=[0.6, 0.3, 0.1]), "y": outcome, "d": decision})


def test_rates_equal_those_of_scikit_learn(rng):
    from sklearn.metrics import accuracy_score, confusion_matrix

    data = people(rng)
    rows = audit(data, outcome="y", decision="d", groups="g").estimates
    for group, part in data.groupby("g"):
        tn, fp, fn, tp = confusion_matrix(part["y"], part["d"]).ravel()
        wanted = {
            "base rate": (tp + fn) / len(part),
            "selection rate": (tp + fp) / len(part),
            "TPR": tp / (tp + fn),
            "FPR": fp / (fp + tn),
            "TNR": tn / (fp + tn),
            "FNR": fn / (tp + fn),
            "PPV": tp / (tp + fp),
            "NPV": tn / (tn + fn),
            "accuracy": accuracy_score(part["y"], part["d"]),
        }
        assert set(wanted) <= set(RATES)
        for metric, value in wanted.items():
            row = rows.where(metric=metric, group=group, contrast="none")[0]
            assert row.estimate == pytest.approx(value, abs=1e-15)
            assert row.events / row.n == pytest.approx(value, abs=1e-15)


def test_intervals_and_adjusted_p_equal_those_of_statsmodels(rng):
    from statsmodels.stats.multitest import multipletests
    from statsmodels.stats.proportion import proportion_confint

    rows = audit(people(rng), outcome="y", decision="d", groups="g", reference="a").estimates
    for metric in RATES:
        levels = {r.group: r for r in rows.where(metric=metric, contrast="none", role="main")}
        gaps = rows.where(metric=metric, contrast="difference", role="main")
        base = levels["a"]
        tables = [(r.events, r.n, base.events, base.n) for r in gaps]
        # scipy's barnard_exact: see there; at least the p at which the score interval touches 0
        p = [max(barnard_test(*t), 2 * norm.sf(abs(difference_score(*t, 0.0)))) for t in tables]
        assert gaps.column("p_value") == pytest.approx(p, rel=1e-6)
        assert gaps.column("p_adjusted") == pytest.approx(multipletests(p, method="bonferroni")[1], rel=1e-6)
        for row in levels.values():
            wanted = proportion_confint(row.events, row.n, method="wilson")
            assert (row.conf_low, row.conf_high) == pytest.approx(wanted, abs=1e-12)
        for row in gaps:
            # each end is where the score test has the p of the level, or equality, where the exact test keeps it
            for end in (row.conf_low, row.conf_high):
                p_end = 2 * norm.sf(abs(difference_score(row.events, row.n, base.events, base.n, end)))
                assert p_end == pytest.approx(1 - row.conf_level, rel=1e-6) or end == 0.0


@settings(max_examples=60, deadline=None)
@given(
    sizes=st.lists(st.integers(1, 60), min_size=2, max_size=6),
    seed=st.integers(0, 2**32 - 1),
    p_adjust=st.sampled_from(["bh", "bonferroni", "none"]),
)
def test_interval_test_and_verdict_agree(sizes, seed, p_adjust):
    rng = np.random.default_rng(seed)
    n = np.array(sizes, dtype=float)
    part = Evidence("FPR", rng.binomial(sizes, rng.random()).astype(float), n, n, n, True, "")
    labels = tuple(f"g{i}" for i in range(len(sizes)))
    rows = decided(contrasts(part, "g", labels, "g0", Protocol(("g",), p_adjust=p_adjust)))
    for row in rows.where(contrast="difference"):
        excluded = row.conf_low > 0 or row.conf_high < 0
        assert (row.verdict in ("disparity shown", "flagged")) == (row.p_adjusted <= 0.05) == excluded


def test_the_reference_can_be_exchanged_and_the_difference_changes_its_sign(rng):
    data = people(rng)
    one = audit(data, decision="d", groups="g", reference="a").estimates
    two = audit(data, decision="d", groups="g", reference="b").estimates
    there = one.where(group="b", contrast="difference")[0]
    back = two.where(group="a", contrast="difference")[0]
    assert there.estimate == pytest.approx(-back.estimate)
    assert there.p_value == pytest.approx(back.p_value)
    assert there.statistic == pytest.approx(-back.statistic)


def test_row_order_does_not_matter(rng):
    data = people(rng)
    arguments = {"outcome": "y", "decision": "d", "groups": "g"}
    shuffled = data.sample(frac=1, random_state=1)
    assert audit(data, **arguments).estimates == audit(shuffled, **arguments).estimates


def test_frequency_weights_are_repeated_rows(rng):
    data = people(rng, 80)
    data["w"] = rng.integers(0, 5, len(data))
    whole = data.loc[data.index.repeat(data["w"])]
    arguments = {"outcome": "y", "decision": "d", "groups": "g", "reference": "a"}
    weighted = audit(data, weights="w", **arguments).estimates
    repeated = audit(whole, **arguments).estimates
    columns = ["metric", "group", "contrast", "n", "estimate", "conf_low", "conf_high", "p_value", "p_adjusted"]
    left, right = (rows.to_frame()[columns].sort_values(columns[:3]) for rows in (weighted, repeated))
    pd.testing.assert_frame_equal(left.reset_index(drop=True), right.reset_index(drop=True))


def test_the_unfavorable_decision_has_the_complementary_rate(rng):
    data = people(rng)
    up = audit(data, decision="d", groups="g", favorable=1).estimates.where(contrast="none", role="main")
    down = audit(data, decision="d", groups="g", favorable=0).estimates.where(contrast="none", role="main")
    assert up.column("estimate") == pytest.approx([1 - v for v in down.column("estimate")])


def test_error_rates_do_not_depend_on_which_decision_is_favorable(rng):
    data = people(rng)
    errors = {
        "metric": ("TPR", "FPR", "PPV"),
        "role": ("main", "omnibus"),
    }  # page one picks its groups by the decision
    one = audit(data, outcome="y", decision="d", groups="g", favorable=1).estimates.where(**errors)
    two = audit(data, outcome="y", decision="d", groups="g", favorable=0).estimates.where(**errors)
    assert one == two and len(one) > 10


def test_decisions_in_other_words_give_the_same_error_rates(rng):
    data = people(rng)
    renamed = data.assign(d=np.where(data["d"] == 1, "detained", "released"))
    one = audit(data, outcome="y", decision="d", groups="g", favorable=0).estimates
    two = audit(
        renamed, outcome="y", decision="d", groups="g", favorable="released", positive_prediction="detained"
    ).estimates
    assert one == two


def test_without_an_outcome_no_decision_predicts(rng):
    with pytest.raises(InputError, match=r"positive_prediction has '0'; .*, and there is no outcome; name the column"):
        audit(people(rng), decision="d", groups="g", positive_prediction=0)


@pytest.mark.parametrize("favorable", [0, 1])
def test_low_scores_may_predict_the_outcome(rng, favorable):
    """A credit score: who falls below the threshold is predicted to default."""
    data = people(rng).assign(s=lambda d: 10 - 10 * d["d"] - rng.random(len(d)))
    one = audit(data, outcome="y", decision="d", groups="g", favorable=1 - favorable).estimates
    two = audit(
        data, outcome="y", score="s", threshold=5, positive_prediction=0, favorable=favorable, groups="g"
    ).estimates
    for metric in RATES:
        left, right = (rows.where(metric=metric, role="main") for rows in (one, two))
        assert left == right


def test_equivalence_needs_a_margin_and_a_narrow_interval():
    decision = np.tile([0, 1], 20000)
    data = pd.DataFrame({"g": np.repeat(["a", "b"], 20000), "d": decision})
    without = audit(data, decision="d", groups="g").estimates.where(contrast="difference", role="main")[0]
    within = audit(data, decision="d", groups="g", margin=0.02).estimates.where(contrast="difference", role="main")[0]
    narrower = audit(data, decision="d", groups="g", margin=0.005).estimates.where(contrast="difference", role="main")[
        0
    ]
    assert without.verdict == "inconclusive"
    assert within.verdict == "equivalence shown"
    assert narrower.verdict == "inconclusive"


def test_a_group_without_positives_is_a_row_and_not_a_gap(rng):
    data = people(rng)
    data.loc[data["g"] == "c", "y"] = 0
    rows = audit(data, outcome="y", decision="d", groups="g", reference="a").estimates.where(group="c")
    rate = rows.where(metric="TPR", contrast="none")[0]
    assert (rate.status, rate.reason, rate.n) == ("unestimable", "no positives", 0)
    assert np.isnan(rate.estimate)
    assert rows.where(metric="TPR", contrast="difference")[0].reason == "no positives in the group"
    assert rows.where(metric="FPR", contrast="difference")[0].status == "ok"


def test_unestimable_comparisons_are_no_members_of_the_family(rng):
    data = people(rng)
    data.loc[data["g"] == "c", "y"] = 0
    rows = audit(data, outcome="y", decision="d", groups="g", reference="a").estimates
    row = rows.where(metric="TPR", contrast="difference", group="b")[0]
    assert row.p_adjusted == row.p_value
    assert row.conf_level == pytest.approx(0.95)


def test_small_groups_are_suppressed_and_show_no_numbers(rng):
    data = people(rng)
    smallest = int((data["g"] == "c").sum())
    result = audit(data, outcome="y", decision="d", groups="g", reference="a", min_n=smallest + 1)
    for row in result.estimates.where(group="c"):
        assert row.status == "suppressed"
        assert str(smallest + 1) in row.reason
        hidden = [
            row.n,
            row.events,
            row.estimate,
            row.conf_low,
            row.conf_high,
            row.p_value,
            row.std_error,
            row.statistic,
        ]
        assert np.isnan(hidden).all()
    cell = next(c for c in result.cells if c.group == "c")
    assert np.isnan([cell.n, cell.positives, cell.tp, cell.favorable]).all()


def test_against_the_highest_rate_the_intervals_cover_equality_in_most_samples():
    """A plain interval against the best of six equal groups covers 56%; the one shown must reach 95%."""
    rng = np.random.default_rng(7)
    n = np.full(6, 100.0)
    protocol, labels, clean = Protocol(("g",), reference="highest_rate"), tuple("abcdef"), 0
    for _ in range(100):
        part = Evidence("selection rate", rng.binomial(100, 0.5, 6).astype(float), n, n, n, True, "")
        best = labels[int(np.argmax(part.events))]
        clean += not decided(contrasts(part, "g", labels, best, protocol)).where(verdict="disparity shown")
    assert clean >= 90


def test_a_known_group_is_the_reference_even_where_more_people_have_none():
    data = {"g": ["a"] * 10 + ["b"] * 9 + [None] * 30, "d": [0, 1] * 24 + [1]}
    result = audit(data, decision="d", groups="g")
    assert result.references == {"g": "a"}
    assert [c.group for c in result.cells] == ["a", "b", "(missing)"]


@pytest.mark.parametrize("decision", [0, 1, "no", "yes", True])
def test_an_audit_in_which_nobody_or_everybody_was_selected_is_an_audit(decision):
    data = {"g": list("ab") * 20, "d": [decision] * 40, "y": [0, 1, 1, 1] * 10, "z": [0, 0, 1, 1] * 10}
    arguments = {"favorable": "yes", "positive_prediction": "yes"} if isinstance(decision, str) else {}
    result = audit(data, decision="d", outcome="y", groups="g", strata="z", **arguments)
    rate = float(decision in (1, True, "yes"))
    assert (
        result.estimates.where(metric="selection rate", contrast="none", role="main").column("estimate") == [rate] * 2
    )
    gap = result.estimates.where(metric="selection rate", contrast="difference", role="main")[0]
    assert (gap.estimate, gap.p_value, gap.verdict) == (0, 1, "inconclusive")
    assert any(("Everybody" if rate else "Nobody") in note for note in result.notes)


def test_one_of_twelve_against_twenty_of_two_thousand_is_no_disparity():
    """Fisher's p is 0.12; score intervals alone have called it one in up to 12% of samples with equal rates."""
    data = {"g": ["a"] * 2000 + ["b"] * 12, "d": [1] * 20 + [0] * 1980 + [1] + [0] * 11}
    row = audit(data, decision="d", groups="g").estimates.where(contrast="difference", role="main")[0]
    assert miettinen_nurminen(1, 12, 20, 2000)[0] > 0
    assert (row.verdict, row.conf_low, row.reason) == ("inconclusive", 0.0, "")


def test_equivalence_is_adjusted_over_tests_of_equivalence_and_a_ratio_has_its_margin(rng):
    data = people(rng, 6000)
    result = audit(data, decision="d", groups="g", margin={"difference": 0.08, "ratio": 0.8})
    gaps, ratios = (
        result.estimates.where(contrast=c, role="main", metric="selection rate") for c in ("difference", "ratio")
    )
    levels = {r.group: r for r in result.estimates.where(contrast="none", role="main", metric="selection rate")}
    base = levels[gaps[0].reference]
    exact = (lambda *t: equivalence_of_rates(*t, 0.08)), equivalence_of_ratio
    by_limits = (lambda *t: tost_rates(*t, 0.08)), tost_ratio
    for rows, test, limits in zip((gaps, ratios), exact, by_limits, strict=True):
        tables = [(levels[r.group].events, levels[r.group].n, base.events, base.n) for r in rows]
        p = [max(float(test(*t)), float(limits(*t))) for t in tables]
        assert rows.column("p_equivalence") == pytest.approx(p_adjust(p, "bonferroni"))
        assert all((r.verdict == "equivalence shown") == (r.p_equivalence <= 0.05) for r in rows)
    assert "ratio" not in result.claims().column("contrast")


def test_against_the_highest_rate_equivalence_is_adjusted_for_all_pairs(rng):
    data = people(rng, 9000)
    result = audit(data, decision="d", groups="g", margin=0.15, reference="highest_rate").estimates
    levels = result.where(contrast="none", role="main", metric="selection rate")
    wanted = equivalence_of_range(levels.column("events"), levels.column("n"), 0.15)
    gaps = result.where(contrast="difference", role="main", metric="selection rate")
    alone = [2 * row.margin_high < 0.3 for row in gaps]
    assert alone == [row.verdict == "equivalence shown" for row in gaps] == [True, True]
    assert max(gaps.column("p_equivalence")) <= 3 * wanted * (1 + 1e-9)
    assert result.where(role="omnibus", contrast="difference", metric="selection rate")[0].p_equivalence == wanted


def test_without_a_margin_no_equivalence_is_shown(rng):
    rows = audit(people(rng, 3000), outcome="y", decision="d", groups="g").estimates
    assert not rows.only(verdict="equivalence shown")
    assert np.isnan(rows.column("p_equivalence")).all()


@pytest.mark.parametrize(
    ("yes", "no"), [(1, 0), (True, False), ("Yes", "No"), ("yes", "no"), ("YES", "NO"), ("TRUE", "FALSE"), (1.0, 0.0)]
)
def test_the_default_is_one_true_or_yes_however_spelled_and_whoever_was_selected(yes, no):
    groups = list("aaabbb") * 4
    for chosen in ([yes, no, no, no, no, yes] * 4, [yes] * 24, [no] * 24):
        result = audit({"d": chosen, "g": groups}, "d", "g")
        rates = result.estimates.where(contrast="none", role="main", metric="selection rate")
        entries = {row.group: row.estimate for row in rates}
        shares = {g: sum(c == yes for c, at in zip(chosen, groups, strict=True) if at == g) / 12 for g in "ab"}
        assert entries == pytest.approx(shares)
        assert result.protocol.favorable == str(yes).removesuffix(".0") or len(set(chosen)) == 1


@pytest.mark.parametrize("chosen", [["hired", "turned down"] * 12, ["hired"] * 24, ["Yes", "Perhaps"] * 12])
def test_other_words_are_no_yes_by_default(chosen):
    with pytest.raises(InputError, match=r"favorable has '1', its default; 'd' has no such label; .*favorable='"):
        audit({"d": chosen, "g": list("aaabbb") * 4}, "d", "g")
    everybody = audit({"d": ["hired"] * 24, "g": list("aaabbb") * 4}, "d", "g", favorable="turned down")
    assert everybody.estimates.where(metric="selection rate", contrast="none", role="main")[0].estimate == 0
