"""All groups at once, adverse impact and sensitivity: against scipy, by hand, and by brute force."""

from __future__ import annotations

import itertools

import numpy as np
import pandas as pd
import pytest

from fairstats.auditing.audit import audit
from fairstats.inference.rates.exact import decisive_test
from fairstats.inference.rates.two_rates import difference, ratio


def hiring() -> pd.DataFrame:
    """Three groups with 48 of 80, 12 of 40 and 18 of 30 hired."""
    counts = {"men": (48, 80), "women": (12, 40), "other": (18, 30)}
    rows = [(g, int(i < e)) for g, (e, n) in counts.items() for i in range(n)]
    return pd.DataFrame(rows, columns=["g", "d"])


def test_the_omnibus_row_is_pearsons_chi_square():
    from scipy.stats import chi2_contingency

    row = audit(hiring(), decision="d", groups="g").estimates.where(role="omnibus", contrast="none")[0]
    test = chi2_contingency([[48, 12, 18], [32, 28, 12]], correction=False)
    assert (row.statistic, row.df, row.p_value) == pytest.approx((test.statistic, test.dof, test.pvalue), rel=1e-12)


def test_two_groups_have_no_omnibus_row():
    data = hiring()
    rows = audit(data[data["g"] != "other"], decision="d", groups="g").estimates
    assert not rows.where(role="omnibus")


@pytest.mark.long
def test_the_largest_difference_covers_zero_under_equality():
    """A percentile bootstrap of a maximum never does."""
    rng = np.random.default_rng(3)
    covered = 0
    for _ in range(40):
        data = {"g": np.repeat(list("abcd"), 50), "d": rng.integers(0, 2, 200)}
        row = audit(data, decision="d", groups="g").estimates.where(role="omnibus", contrast="difference")[0]
        assert row.estimate >= 0
        covered += row.conf_low <= 0
    assert covered >= 34


def test_equalized_odds_is_the_larger_range_of_tpr_and_fpr(rng):
    data = pd.DataFrame({"g": rng.choice(list("abc"), 600), "y": rng.integers(0, 2, 600), "d": rng.integers(0, 2, 600)})
    rows = audit(data, outcome="y", decision="d", groups="g").estimates
    ranges = [np.ptp(rows.where(metric=m, contrast="none", role="main").column("estimate")) for m in ("TPR", "FPR")]
    assert rows.where(metric="equalized odds difference")[0].estimate == pytest.approx(max(ranges))


def test_adverse_impact_by_hand():
    rows = audit(hiring(), decision="d", groups="g", reference="men").estimates.where(group="women")
    ratio = rows.where(metric="impact ratio", role="main")[0]
    assert ratio.estimate == pytest.approx(0.5)
    assert ratio.reason.startswith("below four fifths and significant")
    assert rows.where(metric="shortfall", role="main")[0].estimate == pytest.approx(12)
    assert rows.where(metric="shortfall", given="four fifths of the highest rate")[0].estimate == pytest.approx(
        40 * 0.8 * 0.6 - 12
    )
    assert rows.where(metric="impact ratio", given="one selection more")[0].estimate == pytest.approx(13 / 40 / 0.6)
    moved = rows.where(metric="impact ratio", given="one selection moved")[0]
    assert moved.estimate == pytest.approx((13 / 40) / (47 / 80))


def test_the_flip_flop_is_named():
    data = pd.DataFrame({"g": ["a"] * 20 + ["b"] * 10, "d": [1] * 6 + [0] * 14 + [1] * 2 + [0] * 8})
    row = audit(data, decision="d", groups="g").estimates.where(metric="impact ratio", role="main")[0]
    assert "one selection more" in row.reason
    assert row.reason.startswith("below four fifths, not significant")


def test_bounds_for_missing_groups_and_decisions_are_what_every_completion_gives():
    """All 3^4 ways to fill in four missing people, by brute force."""
    seen = [("a", 1)] * 5 + [("a", 0)] * 3 + [("b", 1)] * 2 + [("b", 0)] * 6
    lost = [(None, 1), (None, 1), (None, 0)]
    data = pd.DataFrame(seen + lost, columns=["g", "d"])
    rows = audit(data, decision="d", groups="g", reference="a").estimates
    row = rows.where(given="missing groups", group="b")[0]
    gaps = []
    for filled in itertools.product(["a", "b", "elsewhere"], repeat=len(lost)):
        whole = pd.DataFrame(seen + [(g, d) for g, (_, d) in zip(filled, lost, strict=True)], columns=["g", "d"])
        rates = whole.groupby("g")["d"].mean()
        gaps.append(rates["b"] - rates["a"])
    assert (row.conf_low, row.conf_high) == pytest.approx((min(gaps), max(gaps)))

    absent = pd.DataFrame([*seen, ("a", None), ("b", None), ("b", None)], columns=["g", "d"])
    row = audit(absent, decision="d", groups="g", reference="a").estimates.where(given="missing decision")[0]
    gaps = []
    for filled in itertools.product([0, 1], repeat=3):
        whole = absent.assign(d=[d for _, d in seen] + list(filled))
        rates = whole.groupby("g")["d"].mean()
        gaps.append(rates["b"] - rates["a"])
    assert (row.conf_low, row.conf_high) == pytest.approx((min(gaps), max(gaps)))


def test_complete_data_have_no_bounds():
    assert not audit(hiring(), decision="d", groups="g").estimates.where(role="bounds")


@pytest.mark.parametrize("favorable", [0, 1])
def test_the_threshold_sweep_holds_the_audited_threshold(rng, favorable):
    data = pd.DataFrame({"g": rng.choice(["a", "b"], 300), "s": rng.integers(1, 11, 300)})
    rows = audit(data, score="s", threshold=5, favorable=favorable, groups="g", reference="a").estimates
    audited = rows.where(metric="selection rate", contrast="difference", role="main")[0]
    swept = rows.where(given="threshold 5")[0]
    assert (swept.estimate, swept.conf_low, swept.events) == pytest.approx(
        (audited.estimate, audited.conf_low, audited.events)
    )
    assert {r.given for r in rows if r.given.startswith("threshold")} == {f"threshold {t}" for t in range(2, 11)}


def test_the_detectable_difference_is_detected_with_power_80_percent():
    rng = np.random.default_rng(5)
    rows = audit(hiring(), decision="d", groups="g", reference="men", p_adjust="none").estimates
    below = rows.where(role="power", term="below", group="women")[0].estimate
    rate = rows.where(metric="selection rate", group="men", contrast="none", role="main")[0].estimate
    current, other = rng.binomial(40, rate + below, 4000), rng.binomial(80, rate, 4000)
    pooled = (current + other) / 120
    z = (current / 40 - other / 80) / np.sqrt(pooled * (1 - pooled) * (1 / 40 + 1 / 80))
    assert 0.76 < np.mean(np.abs(z) > 1.96) < 0.84


def test_all_groups_together_are_compared_as_two_by_two():
    """Rows made from arrays against the public functions of one table each: empty groups, no events, all events."""
    rng = np.random.default_rng(3)
    sizes = [1, 2, 3, 5, 8, 30, 400, 900]
    data = pd.DataFrame({"g": np.repeat([f"g{n}" for n in sizes], sizes)})
    data["d"] = rng.binomial(1, 0.5, len(data))
    data["y"] = np.where(data["g"].isin(["g2", "g5"]), 0, rng.binomial(1, 0.5, len(data)))
    data.loc[data["g"] == "g8", "d"] = 1
    data.loc[data["g"] == "g3", "d"] = 0
    result = audit(data, decision="d", outcome="y", groups="g", positive_prediction=1, p_adjust="none")
    counted = {c.group: c for c in result.cells}
    events = {
        "selection rate": lambda c: (c.favorable, c.n),
        "TPR": lambda c: (c.tp, c.tp + c.fn),
        "FPR": lambda c: (c.fp, c.fp + c.tn),
    }
    compared = 0
    for metric, of in events.items():
        for row in result.estimates.where(metric=metric, role="main", contrast=("difference", "ratio")):
            table = (*of(counted[row.group]), *of(counted["g900"]))
            kind, interval = (difference, "miettinen-nurminen") if row.contrast == "difference" else (ratio, "koopman")
            one = kind(*table, interval=interval, test="z")
            assert (row.status, row.n) == (one.status, one.n)
            if row.status != "ok":
                continue
            p = float(decisive_test(*table))
            assert row.p_value == pytest.approx(p, rel=1e-9) or row.p_value > p  # the interval touches later
            same = ("estimate", "std_error", "statistic", "events")
            assert [getattr(row, k) for k in same] == pytest.approx([getattr(one, k) for k in same], nan_ok=True)
            null = float(row.contrast == "ratio")
            inside = one.conf_low <= null <= one.conf_high or p > 0.05
            ends = (min(one.conf_low, null), max(one.conf_high, null)) if inside else (one.conf_low, one.conf_high)
            assert (row.conf_low, row.conf_high) == pytest.approx(ends, rel=1e-9, abs=1e-12)
            compared += 1
    assert compared > 30


@pytest.mark.long
def test_which_columns_are_crossed():
    rng = np.random.default_rng(0)
    data = pd.DataFrame({name: rng.choice(list("xyz"), 300) for name in "abc"}).assign(d=rng.integers(0, 2, 300))
    crossed = {
        "pairs": ["a:b", "a:c", "b:c"],
        "full": ["a:b:c"],
        "c:a": ["c:a"],
        ("a:b", "a:b:c"): ["a:b", "a:b:c"],
        False: [],
    }
    for which, matches in crossed.items():
        arguments = list(which) if isinstance(which, tuple) else which
        result = audit(data, decision="d", groups=["a", "b", "c"], intersections=arguments)
        assert list(result.references) == ["a", "b", "c", *matches]
        for row in result.estimates.where(metric="selection rate", contrast="none", role="main"):
            parts = zip(row.attribute.split(":"), row.group.split(":"), strict=True)
            current = np.logical_and.reduce([data[column] == label for column, label in parts])
            assert (row.n, row.estimate) == (current.sum(), pytest.approx(data.loc[current, "d"].mean()))
    assert list(audit(data, decision="d", groups=["a", "b", "a:b"], intersections=False).references) == [
        "a",
        "b",
        "a:b",
    ]
    assert list(audit(data, decision="d", groups=["a", "b", "b:a"]).references) == ["a", "b", "b:a"]
