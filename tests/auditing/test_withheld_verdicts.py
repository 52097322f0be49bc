"""What withheld people may do to a verdict: the test, the limits and the estimate at their worst case."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
import pytest

import fairstats
from fairstats.auditing.answer import open_within, ratios_within
from fairstats.auditing.protocol import Protocol
from fairstats.auditing.result import AS_SENT, SEARCHED, as_sent
from fairstats.auditing.sensitivity import (
    IMPOSSIBLE,
    OVER_SEARCHED,
    OVERTURNED,
    POWERLESS,
    UNBOUNDED,
    UNSENT,
    WITHHELD,
    tempered,
)
from fairstats.auditing.tally import CodedTally
from fairstats.estimates import SHOWN, Estimate
from fairstats.inference.multiplicity import Margins
from fairstats.inference.rates.adverse_impact import BELOW, CONCLUSIONS, OTHER_HIGHEST, concluded_side
from fairstats.inference.rates.exact import barnard_test
from fairstats.inference.rates.strata_rows import WITHIN, StratifiedCounts
from fairstats.inference.rates.two_rates import miettinen_nurminen
from fairstats.language import says
from fairstats.reporting.sections.audit import strata_of
from fairstats.saving import from_bytes, to_bytes


def arrested() -> Any:
    """The 63 women who were not released are withheld: of those who are left everybody was."""
    return fairstats.tally(fairstats.arrests(), "released", "sex").withhold(min_n=70)


def test_a_disparity_that_withheld_people_explain_is_not_shown():
    result = fairstats.audit(arrested(), favorable="Yes")
    row = result.estimates.where(metric="selection rate", contrast="difference", role="main")[0]
    bound = result.estimates.where(metric="selection rate", contrast="difference", given=WITHHELD)[0]
    assert (row.verdict, row.reason) == ("inconclusive", OVERTURNED)
    assert math.isnan(row.std_error) and math.isnan(row.statistic)  # p and limits are of the worst cases
    # the estimate of those who were sent lies outside the bounds, and within the limits, which hold both
    (sent,) = result.estimates.where(metric="selection rate", contrast="difference", given=AS_SENT)
    assert bound.conf_high < sent.estimate < row.conf_high and sent.estimate == pytest.approx(1 - 3954 / 4783)
    assert math.isnan(bound.estimate) and bound.reason == IMPOSSIBLE
    assert "2.0 to 17.1" in re.sub(r"<[^>]+>", " ", fairstats.report(result).html).partition("what is missing")[2]
    assert row.conf_low < min(0, bound.conf_low)
    men = 3954, 4783
    p = [float(barnard_test(380, 380 + lost, *men)) for lost in range(1, 70)]
    assert row.p_value >= max(p) > 0.05
    low = min(miettinen_nurminen(380, 380 + lost, *men)[0] for lost in range(1, 70))
    assert row.conf_low == pytest.approx(float(low))
    rate = result.estimates.where(metric="selection rate", contrast="none", group="Female", role="main")[0]
    assert rate.conf_low < 380 / 449 < 380 / 381 < rate.conf_high
    assert "Disparity shown" not in result.finding()


def test_what_is_only_bounded_has_no_estimate_in_any_table() -> None:
    """A rate of the sent cells, 1.0 where the truth is 380 of 443, once stood as an estimate of all."""
    result = fairstats.audit(arrested(), favorable="Yes")
    rates = {row.group: row for row in result.estimates.where(metric="selection rate", contrast="none", role="main")}
    assert {group: row.status for group, row in rates.items()} == {"Female": "bounded", "Male": "ok"}
    women = rates["Female"]
    assert math.isnan(women.estimate) and women.conf_low < 380 / 443 < women.conf_high
    assert rates["Male"].estimate == pytest.approx(3954 / 4783)
    assert result.by_group()["selection rate"].isna().to_dict() == {"Female": True, "Male": False}
    frame = result.tidy()
    touched = frame[(frame.role == "main") & (frame.group == "Female") | (frame.reference == "Female")]
    assert not ((touched.status == "ok") & touched.estimate.notna() & (touched.role == "main")).any()
    (sent,) = result.estimates.where(group="Female", contrast="none", given=AS_SENT)
    assert (sent.role, sent.estimate, sent.n) == ("supplementary", 1.0, 380)
    assert result.glance()["bounded"][0] == sum(row.status == "bounded" for row in result.estimates) > 0
    # sentences and pages say ranges, as before, of the same audit read from a file
    loaded = from_bytes(to_bytes(result), "result")
    assert loaded.finding() == result.finding() and "over what may have been withheld" in result.finding()
    assert str(as_sent(as_sent(result))) == str(result)


def test_a_disparity_that_they_cannot_explain_is_shown():
    """Forty withheld people of 2,000 do not make up for a difference of 30 points."""
    n = np.array([700, 300, 396, 604, 3])
    rows = {"g": ["a", "a", "b", "b", "b"], "d": [1, 0, 1, 0, 0], "x": ["u", "u", "u", "u", "v"]}
    tally = fairstats.tally({**{k: np.repeat(v, n) for k, v in rows.items()}}, "d", ["g", "x"]).withhold(min_n=5)
    result = fairstats.audit(tally, groups="g")
    row = result.estimates.where(metric="selection rate", contrast="difference", role="main")[0]
    plain = fairstats.audit({k: np.repeat(v, n)[:2000] for k, v in rows.items()}, "d", "g").estimates
    current = plain.where(metric="selection rate", contrast="difference", role="main")[0]
    assert row.verdict == current.verdict == "disparity shown"
    assert current.p_value <= row.p_value < 1e-10 and row.conf_high > current.conf_high - 0.01


def of_scores(margin: float | None = None, least: int = 0) -> Any:
    """P(X>Y) of two groups with whole scores from 0 to 9, of which the cells of fewer than `least` are withheld."""
    x = np.repeat(np.tile(np.arange(10.0), 2), [*range(30, 130, 10), *[40] * 9, 3])
    data = {"g": np.repeat(["a", "b"], [750, 363]), "x": x}
    tally = fairstats.tally(data, groups="g", score="x")
    given = {} if margin is None else {"margin": {"auc": margin}}
    return fairstats.audit(tally.withhold(least) if least else tally, reference="a", **given).estimates


@pytest.mark.parametrize(("margin", "least"), [(None, 5), (None, 45), (0.3, 5), (0.3, 45)])
def test_a_verdict_about_scores_stands_where_the_moved_limits_do(margin: float | None, least: int) -> None:
    """Three people of b may have any score, which the verdict survives; 363 of them overturn it."""
    (row,), (current,) = (of_scores(margin, n).where(metric="P(X>Y)", contrast="none", role="main") for n in (least, 0))
    assert current.verdict in ("disparity shown", "equivalence shown")
    assert row.conf_low <= current.conf_low and row.conf_high >= current.conf_high if row.status == "bounded" else True
    if least == 5:
        assert row.verdict == current.verdict and row.p_value >= current.p_value
    else:
        assert row.status != "bounded" or (row.verdict, row.reason) == ("inconclusive", OVERTURNED)


@pytest.mark.parametrize("changed", [{}, {"given": "dept"}, {"metric": "P(X>Y)"}, {"verdict": "inconclusive"}])
def test_a_comparison_without_bounds_has_neither_limits_nor_test_and_says_why(changed: dict[str, Any]) -> None:
    row = Estimate("FPR", "g", "b", "difference", "a", estimate=0.2, conf_low=0.1, conf_high=0.3, p_value=0.01)
    row = replace(row, **{"p_adjusted": 0.01, "verdict": "disparity shown", "n": 40, **changed})
    protocol = Protocol(("g",), margin=Margins(difference=0.2, auc=0.1))
    (result,) = tempered([row], [row], [], CodedTally((), np.zeros(0)), protocol)
    assert (result.status, result.reason, result.verdict, result.n) == ("unestimable", UNBOUNDED, "", 40)
    assert np.isnan([result.estimate, result.conf_low, result.conf_high, result.p_value, result.p_adjusted]).all()
    single = replace(row, metric="Brier score", verdict="", contrast="none", reference="")
    (result,) = tempered([single], [single], [], CodedTally((), np.zeros(0)), protocol)
    assert (result.status, result.reason, result.estimate) == ("ok", UNBOUNDED, 0.2)
    assert np.isnan([result.conf_low, result.conf_high, result.p_value, result.p_adjusted]).all()


def test_within_strata_the_arrests_have_one_answer_that_agrees_with_itself() -> None:
    """It was "8.5 points less, 5.6 to 11.5: not settled", with p = 3e-11."""
    tally = fairstats.tally(fairstats.arrests(), "released", ["colour", "sex"], strata="checks").withhold(min_n=10)
    result = fairstats.audit(tally, favorable="Yes", groups="colour")
    (row,) = result.estimates.only(metric=WITHIN, role="main")
    (bound,) = result.estimates.only(metric=WITHIN, role="bounds")
    (current,) = fairstats.audit(fairstats.arrests(), "released", "colour", strata="checks").estimates.only(
        metric=WITHIN, role="main"
    )
    assert (row.verdict, row.reason) == ("disparity shown", "")
    assert row.conf_low < bound.conf_low < current.estimate < bound.conf_high < row.conf_high < 0
    assert 1e-9 < row.p_value < 1e-6
    assert "between 7.0 and 11.1 points less, 4.5 to 13.8: disparity shown" in result.finding()
    for other in result.estimates:
        if other.given == "checks" and other.metric != WITHIN:
            assert np.isnan([other.conf_low, other.conf_high, other.p_value, other.p_adjusted]).all(), other


def stratified(rng: np.random.Generator, rates: tuple[float, float]) -> tuple[Any, Any]:
    """Few people of two groups in three strata, of whom the cells under four are withheld."""
    parts = [(f"g{g}", f"s{k}", rng.random(rng.integers(15, 60)) < rates[g]) for g in (0, 1) for k in range(3)]
    rows = [(g, s, int(d)) for g, s, decisions in parts for d in decisions]
    data = dict(zip("gsd", map(list, zip(*rows, strict=True)), strict=True))
    tally = fairstats.tally(data, "d", "g", strata="s").withhold(4)
    return tally, fairstats.audit(tally, reference="g0", margin=0.3)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(16))
def test_within_strata_no_withheld_people_go_beyond_bounds_limits_and_p(seed: int) -> None:
    """All that the withheld cells may hold, one after the other."""
    rng = np.random.default_rng(seed)
    tally, result = stratified(rng, [(0.08, 0.3), (0.05, 0.15), (0.1, 0.5), (0.1, 0.1)][seed % 4])
    hidden = tally.withheld()
    entries = {tuple(tally.factors[c].labels[i] for c in "gsd"): n for i, n in enumerate(tally.rows.tolist()) if n > 0}
    items = []
    for several in product(*(range(cell["least"], cell["most"] + 1) for cell in hidden[:6])):
        cells = entries | {(c["g"], c["s"], c["d"]): k for c, k in zip(hidden, several, strict=False)}
        e1, o1, e0, o0 = (
            np.array([cells.get((g, f"s{k}", d), 0) for k in range(3)]) for g in ("g1", "g0") for d in ("1", "0")
        )
        one = StratifiedCounts(e1, e1 + o1, e0, e0 + o0)
        items.append((one.effect.difference, *one.effect.limits(0.95), one.p_value))
    differences, lows, highs, p = map(np.array, zip(*items, strict=True))
    (row,), (bound,) = (result.estimates.only(metric=WITHIN, role=role) for role in ("main", "bounds"))
    if len(hidden) <= 6:
        assert (bound.conf_low, bound.conf_high) == pytest.approx((differences.min(), differences.max()), abs=1e-12)
    assert row.conf_low <= lows.min() + 1e-9 and row.conf_high >= highs.max() - 1e-9
    assert row.p_value >= p.max() - 1e-9
    assert (row.verdict == "disparity shown") <= (not row.conf_low <= 0 <= row.conf_high)


def test_limits_within_strata_may_be_the_widest_between_the_corners_of_what_is_withheld() -> None:
    """Of three cells of one to four people: the corners alone missed the highest limit of 64 tables by 0.5 points."""
    n = {"e1": [6, 4], "o1": [0, 3], "e0": [11, 0], "o0": [0, 4]}
    rows = [(key[1], int(key[0] == "e"), s) for key, of in n.items() for s in (0, 1) for _ in range(of[s])]
    data = dict(zip("gds", map(list, zip(*rows, strict=True)), strict=True))
    result = fairstats.audit(fairstats.tally(data, "d", "g", strata="s").withhold(5), reference="0")
    (row,) = result.estimates.only(metric=WITHIN, role="main")
    ends = []
    for a, b, c in product(range(1, 5), repeat=3):
        one = StratifiedCounts([6, a], [6, a + b], [11, 0], [11, c])
        ends.append(one.effect.limits(0.95))
    lows, highs = map(np.array, zip(*ends, strict=True))
    assert row.conf_low <= lows.min() + 1e-9 and row.conf_high >= highs.max() - 1e-9
    assert says(row.method, OVER_SEARCHED) and any(says(note, SEARCHED) for note in result.notes)
    assert "widest that a search" in " ".join(result.summary().split())


def three_groups() -> fairstats.Audit:
    """Of a 8 refusals are withheld, of c everybody; in truth a has 92 of 100, 42 points more than b."""
    n = [92, 8, 50, 50, 9]
    people = {"g": np.repeat(["a", "a", "b", "b", "c"], n), "h": np.repeat([1, 0, 1, 0, 0], n)}
    return fairstats.audit(fairstats.tally(people, "h", "g").withhold(min_n=10))


def test_the_first_sentence_states_no_difference_that_is_known_to_be_impossible() -> None:
    result = three_groups()
    bound = result.estimates.where(role="bounds", contrast="difference")[0]
    least, most = (92 / (92 + lost) - 0.5 for lost in (9, 1))  # one to nine people of a were withheld
    assert (bound.conf_low, bound.conf_high) == pytest.approx((least, most))
    finding = result.finding()
    assert "91 to 99% against 50% (50 of 100) over what may have been withheld; the gap is between 41.1 and" in finding
    assert "100%" not in finding and "and 48.9 percentage points more" in finding
    assert "ratio" not in fairstats.table(result, "ratios").to_frame()  # that of the cells that were sent
    row = fairstats.table(result, "estimates").to_frame().set_index("statistic").loc["Selection rate: a (g)"].iloc[0]
    assert row["estimate"] == "only bounded" and row["95 to 98.33% interval"].endswith(" to 100.0")
    assert "a gap of 50" not in finding and "fewer of the 92" not in finding and "more of the 92" not in finding
    for text in (str(result), result.summary()):
        assert "between 41.1 and 48.9 percentage points" in " ".join(text.split())[:400]


def test_a_comparison_at_the_worst_case_has_no_detectable_difference() -> None:
    """The power is that of the test of the people who were sent, which does not decide."""
    n = np.array([55, 45, 50, 50])
    people = {"g": np.repeat(["a", "a", "b", "b"], n), "h": np.repeat([1, 0, 1, 0], n), "s": np.repeat([*"uuuv"], n)}
    people["s"][:4] = "w"
    result = fairstats.audit(fairstats.tally(people, "h", ["g", "s"]).withhold(min_n=10), groups="g")
    power = result.estimates.where(role="power")
    assert len(power) == 2 and {(row.status, row.reason) for row in power} == {("unestimable", POWERLESS)}
    assert result.estimates.where(metric="selection rate", contrast="difference", role="main")[0].verdict
    assert "80% chance" not in result.finding() and "power 0.8" not in result.summary()


def test_bounds_are_no_second_answer_within_strata() -> None:
    tally = fairstats.tally(fairstats.arrests(), "released", "colour", strata="checks").withhold(min_n=10)
    result = fairstats.audit(tally, favorable="Yes")
    summary = " ".join(result.summary().split())
    assert summary.count("Given checks: Black against White") == 1 and "– %" not in summary
    assert "Given withheld cells" not in summary
    assert [one["table"].caption.rpartition(": ")[2] for one in strata_of(result, "colour", 0)] == [
        "crude, and given checks"
    ]
    assert "over what may have been withheld between 8.1 and 8.5 points less" in result.finding()


def test_a_rate_without_limits_prints_no_dash_for_them() -> None:
    people = {"g": ["a", "b"] * 60, "x": [float(i % 23) for i in range(120)]}
    people["g"][:2] = ["c", "c"]
    result = fairstats.audit(fairstats.tally(people, groups="g", score="x").withhold(min_n=2))
    assert "– to –" not in result.summary()


def test_a_group_of_which_every_cell_was_withheld_is_listed() -> None:
    result = three_groups()
    rows = result.estimates.where(metric="selection rate", group="c")
    assert {(row.contrast, row.status, row.reason) for row in rows.only(role="main")} >= {
        ("none", "suppressed", UNSENT),
        ("difference", "suppressed", UNSENT),
    }
    assert "1 group of g cannot be compared (c)." in result.finding()
    assert "c withheld: every cell of this group was withheld" in " ".join(result.summary().split())
    assert any("in no comparison: c (g)" in note for note in result.notes)
    page = fairstats.report(result).html
    assert "every cell of this group was withheld" in page and "1 of 3 groups of " in page
    # of several compared groups, whose differences and ratios alternate, once
    people = {"g": np.repeat(["a", "a", "b", "b", "d", "d", "c"], [92, 40, 50, 50, 30, 60, 9])}
    people["h"] = np.repeat([1, 0, 1, 0, 1, 0, 0], [92, 40, 50, 50, 30, 60, 9])
    several = fairstats.audit(fairstats.tally(people, "h", "g").withhold(min_n=10))
    assert "1 group of g cannot be compared (c)." in several.finding()
    kinds = [row.contrast for row in several.estimates.where(metric="selection rate", group="c", role="main")]
    assert kinds == ["none", "difference", "ratio"]


def test_the_rule_of_four_fifths_concludes_what_holds_however_many_are_withheld():
    """Every number of people in the withheld cells is tried: the rates, the highest of them, and all ratios to it."""
    draws = np.random.default_rng(31)
    columns = {"g": draws.choice(["a", "b", "c"], 1000, p=[0.6, 0.32, 0.08]), "h": draws.choice(["x", "y"], 1000)}
    columns["y"] = (draws.random(1000) < np.where(columns["g"] == "b", 0.06, 0.15)).astype(int)
    result = fairstats.audit(fairstats.tally(columns, "y", ["g", "h"]).withhold(min_n=12), law="employment")
    ratios = result.estimates.where(metric="impact ratio", attribute="g", role="main")
    possible: dict[str, list[float]] = {"b": [], "c": []}
    for b, c in product(range(1, 12), range(2, 23)):  # one cell of b, two of c, each of 1 to 11 people
        rates = {"a": 74 / 588, "b": (13 + b) / (330 + b), "c": c / (60 + c)}
        for group, values in possible.items():
            values.append(rates[group] / max(rate for other, rate in rates.items() if other != group))
    assert max(possible["b"]) < 0.8 and min(possible["c"]) < 0.8 < max(possible["c"])
    assert {row.group: concluded_side(row) for row in ratios} == {"b": BELOW, "c": ""}
    bounds = result.estimates.where(metric="impact ratio", attribute="g", given=WITHHELD)
    for bound in bounds:
        assert (bound.conf_low, bound.conf_high) == pytest.approx(
            (min(possible[bound.group]), max(possible[bound.group]))
        )
    assert all(says(row.reason, OTHER_HIGHEST) for row in ratios)  # c has up to 22 of 82
    for row in result.estimates.where(metric="shortfall", attribute="g"):
        assert (row.status, row.reason) == ("unestimable", UNBOUNDED)
    printed = fairstats.report(result).html
    assert "the highest: " not in printed and "could be chance" not in printed
    ends = {
        group: f"{min(v):.2f} to {max(v):.2f} of the highest rate of another group" for group, v in possible.items()
    }
    assert f"below it b, {ends['b']}; on either side of it c, {ends['c']} and x" in printed
    assert "Below 0.8: b. On either side of it, as withheld people may be: c." in " ".join(result.summary().split())


def people(groups: str, favored: list[int], others: list[int]) -> dict[str, Any]:
    """Of every group so many with y = 1, and so many with y = 0."""
    n = len(groups)
    return {"g": np.repeat([*groups] * 2, [*favored, *others]), "y": np.repeat([1] * n + [0] * n, [*favored, *others])}


def withheld(data: dict[str, Any], least: int = 10) -> fairstats.Tally:
    return fairstats.tally(data, "y", "g").withhold(least)


def test_a_group_of_which_nobody_was_sent_may_have_the_highest_rate() -> None:
    """Nine of fourteen of T are selected, half of A and 28 of 60 of B, which is 0.73 of the rate of T."""
    data = people("ABT", [30, 28, 9], [30, 32, 5])
    for tally in (withheld(data), withheld(people("A", [30], [30])) + withheld(people("BT", [28, 9], [32, 5]))):
        result = fairstats.audit(tally, law="employment")
        b, t = result.estimates.only(metric="impact ratio", role="main")
        assert says(b.reason, OTHER_HIGHEST) and b.status == "bounded" and math.isnan(b.conf_low)
        assert (t.group, t.status, t.reason) == ("T", "suppressed", UNSENT)
        (bound,) = result.estimates.only(metric="impact ratio", role="bounds")
        assert (bound.conf_low, bound.conf_high) == pytest.approx((28 / 60 / 0.9, 28 / 30))
        text = " ".join(str(result).split())
        assert (
            "below it none; on either side of it B, 0.52 to 0.93 of the highest rate of another group and T, " in text
        )
        summary = " ".join(result.summary().split())
        assert "not known to be that of all people: B 0.52 to 0.93. Below 0.8: none." in summary
        assert "On either side of it, as withheld people may be: B, T." in summary


@pytest.mark.parametrize(
    ("favored", "others", "significant", "open_"),
    [
        ([390, 11, 28], [10, 19, 2], {True}, False),
        ([190, 16, 28], [10, 6, 2], {True}, False),  # c has the highest rate only where few of it were refused
        ([190, 15, 28], [10, 5, 2], {True, False}, True),
    ],
)
def test_a_ratio_is_open_only_where_some_withheld_people_change_it(
    favored: list[int], others: list[int], significant: set[bool], open_: bool
) -> None:
    """Of the first tables b is below four fifths, by more than chance, whichever of a and c has the highest rate."""
    (row,) = fairstats.audit(withheld(people("abc", favored, others), 5)).estimates.only(
        metric="impact ratio", group="b", role="main"
    )
    found = set()
    for lost in range(1, 5):  # of c
        full = fairstats.audit(people("abc", favored, [*others[:2], lost]), "y", "g").estimates
        (current,) = full.only(metric="impact ratio", group="b", role="main")
        found.add(says(current.reason, CONCLUSIONS[BELOW, True]))
        assert concluded_side(current) == BELOW
    assert found == significant
    assert (row.status, says(row.reason, OTHER_HIGHEST), concluded_side(row)) == ("bounded", True, BELOW)
    assert (says(row.reason, OVERTURNED), says(row.reason, CONCLUSIONS[BELOW, True])) == (open_, not open_)


def test_the_comparison_of_a_withheld_group_counts_in_the_adjustment() -> None:
    data = people("RABCDT", [200, 164, 200, 200, 200, 3], [200, 236, 200, 200, 200, 2])
    rows = [
        result.estimates.only(metric="selection rate", contrast="difference", group="A", role="main")[0]
        for result in (fairstats.audit(withheld(data), reference="R"), fairstats.audit(data, "y", "g", reference="R"))
    ]
    assert rows[0].p_adjusted == rows[1].p_adjusted == pytest.approx(5 * rows[0].p_value)
    assert [row.verdict for row in rows] == ["inconclusive"] * 2 and rows[0].conf_low == rows[1].conf_low


def test_intersections_that_are_withheld_count_and_are_named() -> None:
    data = people("mfmf", [90, 60, 40, 3], [60, 90, 60, 2])
    data["h"] = np.repeat([*"uuvv"] * 2, [90, 60, 40, 3, 60, 90, 60, 2])
    tally = fairstats.tally(data, "y", ["g", "h"]).withhold(10)
    results = [
        fairstats.audit(tally, intersections="pairs"),
        fairstats.audit(data, "y", ["g", "h"], intersections="pairs"),
    ]
    about = {"metric": "selection rate", "contrast": "difference", "attribute": "g:h", "role": "main", "status": "ok"}
    (row, *_), (current, *_) = (r.estimates.only(**about) for r in results)
    assert (row.group, row.p_adjusted) == (current.group, current.p_adjusted)
    unsent = results[0].tidy(role="all").query("reason == @UNSENT and attribute == 'g:h'")
    assert len(unsent["group"].unique()) == 1 and unsent["group"].iloc[0] in " ".join(results[0].notes)


@pytest.mark.parametrize("rule", ["holm", "bh"])
def test_every_adjustment_is_of_worst_cases(rule: str) -> None:
    """The p-value of c was that of a family in which b is sure, whose people could be otherwise."""
    data = people("abc", [42, 1, 22], [108, 32, 27])
    result = fairstats.audit(withheld(data), reference="a", p_adjust=rule)
    c, b = result.estimates.only(metric="selection rate", contrast="difference", role="main")
    assert (
        b.p_value > 0.4
        and c.p_adjusted == pytest.approx(2 * c.p_value)
        and c.p_value == pytest.approx(0.0283, abs=1e-4)
    )
    assert (c.verdict, OVERTURNED in c.reason) == ("inconclusive", True)


def overturned(result: fairstats.Audit, full: fairstats.Audit) -> Iterator[tuple[object, ...]]:
    """The numbers and verdicts of an audit of withheld cells that the audit of all people contradicts."""
    entries = {(r.metric, r.group, r.reference, r.contrast, r.role, r.given, r.term): r for r in full.estimates}
    for row in result.estimates.only(role=("main", "headline")):
        current = entries.get((row.metric, row.group, row.reference, row.contrast, row.role, row.given, row.term))
        if row.metric == "impact ratio":
            sure = not says(row.reason, OTHER_HIGHEST)
            every = full.estimates.only(metric="impact ratio", role="main")
            current = next((r for r in every if r.group == row.group), None)
            if row.status in ("ok", "bounded") and sure and every[0].reference != row.reference:
                yield "another group is the highest", row
            side = concluded_side(row) if row.status in ("ok", "bounded") else ""
            if side and current is not None and concluded_side(current) != side:
                yield side, row, current
            if says(row.reason, CONCLUSIONS[BELOW, True]) and not says(current.reason, CONCLUSIONS[BELOW, True]):
                yield "significant", row, current
        if row.status not in ("ok", "bounded") or current is None or current.status != "ok":
            if row.verdict in (*SHOWN, "equivalence shown"):
                yield "no verdict", row
            continue
        if row.verdict in SHOWN and current.verdict == "equivalence shown":
            yield "within the margin", row, current
        for low, high in (("conf_low", "conf_high"), ("margin_low", "margin_high")):
            if getattr(row, low) > getattr(current, low) + 1e-7 or getattr(row, high) < getattr(current, high) - 1e-7:
                yield low, row, current
        for p in ("p_value", "p_adjusted", "p_equivalence"):
            if getattr(row, p) < getattr(current, p) - 1e-9:
                yield p, row, current
        if row.status == "ok" and not says(row.reason, UNBOUNDED) and abs(row.estimate - current.estimate) > 1e-9:
            yield "estimate", row, current


@pytest.mark.parametrize("seed", [*range(12), *(pytest.param(k, marks=pytest.mark.long) for k in range(12, 60))])
def test_no_withheld_people_overturn_what_an_audit_says(seed: int) -> None:
    """Of tables of one or two sites, with errors, strata, margins and every adjustment: the full audits of some people.

    The fewest and the most of every withheld cell, and others at random.
    """
    rng, least = np.random.default_rng(seed), 6
    third = ["", "o", "s"][seed % 3]  # outcome, or stratum
    levels = [["a", "b", "c", "d"][: rng.integers(2, 5)], [1, 0], [1, 0]][: 2 + bool(third)]
    given: dict[str, Any] = {"reference": "a", "p_adjust": ["bonferroni", "holm", "bh"][seed // 3 % 3]}
    given |= {"margin": {"difference": 0.2, "ratio": 0.6}} if rng.random() < 0.5 else {}
    given |= {"law": "employment"} if not third else {"outcome" if third == "o" else "strata": third}

    def table(cells: Counter[tuple[Any, ...]]) -> dict[str, list[Any]]:
        return dict(zip(["g", "y", third], map(list, zip(*cells.elements(), strict=True)), strict=False))

    sent, hidden, total = Counter[tuple[Any, ...]](), [], None
    for _ in range(rng.integers(1, 3)):
        cells = Counter({c: int(rng.integers(0, rng.choice([least, 40, 300]))) for c in product(*levels)})
        roles = {role: third for role in ("outcome", "strata") if role in given}
        tally = fairstats.tally(table(cells), "y", "g", **roles).withhold(least)
        total = tally if total is None else total + tally
        sent += Counter({c: n for c, n in cells.items() if n >= least})
        hidden += [c for c, n in cells.items() if 0 < n < least]
    try:
        result = fairstats.audit(total, "y", "g", **given)
    except fairstats.errors.InputError:  # of one group nobody was sent
        return
    for share in (0, 1, *[None] * 6):
        more = [rng.integers(1, least) if share is None else 1 + share * (least - 2) for _ in hidden]
        full = sent.copy()
        for cell, n in zip(hidden, more, strict=True):
            full[cell] += int(n)
        assert not [*overturned(result, fairstats.audit(table(full), "y", "g", **given))]


@pytest.mark.parametrize("seed", [*range(8), *(pytest.param(k, marks=pytest.mark.long) for k in range(8, 100))])
def test_no_disparity_is_shown_that_withheld_people_leave_within_the_margin(seed: int) -> None:
    """Of gaps a little below the margin, of which some people show equivalence."""
    rng, least = np.random.default_rng(seed), 10
    n, p, gap = rng.integers(600, 2000, 2), rng.uniform(0.3, 0.7), rng.choice([-1, 1]) * rng.uniform(0.09, 0.15)
    error = math.sqrt(p * (1 - p) * (1 / n).sum())
    given: dict[str, Any] = {"margin": float(abs(gap) + rng.uniform(1.5, 2.6) * error), "reference": "a"}
    given |= [{}, {"p_adjust": "bh"}, {"law": "employment"}, {"strata": "x"}][seed % 4]
    sent = Counter({("a", 1, "u"): round(n[0] * p), ("a", 0, "u"): n[0] - round(n[0] * p)})
    sent |= Counter({("b", 1, "u"): round(n[1] * (p + gap)), ("b", 0, "u"): n[1] - round(n[1] * (p + gap))})
    hidden = [(*pair, x) for x in "vw" for pair in product("ab", (1, 0))][: rng.integers(2, 9)]
    columns = ["g"] if "strata" in given else ["g", "x"]

    def table(more: Any) -> dict[str, list[Any]]:
        cells = sent + Counter(dict(zip(hidden, map(int, more), strict=True)))
        return dict(zip(["g", "y", "x"], map(list, zip(*cells.elements(), strict=True)), strict=True))

    roles = {"strata": "x"} if "strata" in given else {}
    tally = fairstats.tally(table(rng.integers(1, least, len(hidden))), "y", columns, **roles).withhold(least)
    result = fairstats.audit(tally, "y", "g", **given)
    for _ in range(4):
        for more in (rng.integers(1, least, len(hidden)), rng.choice([1, least - 1], len(hidden))):
            assert not [*overturned(result, fairstats.audit(table(more), "y", "g", **given))]


@pytest.mark.parametrize("given", [{}, {"p_adjust": "bh"}, {"law": "employment"}])
def test_of_a_difference_that_may_be_within_the_margin_the_sentence_says_so(given: dict[str, Any]) -> None:
    """All people show equivalence, those who were sent, and the worst case, a disparity."""
    data = people("fm", [1340, 1500], [1660, 1500])
    small = [[*cell] for cell in product("fm", [1, 0], "tuvw") for _ in range(4)]
    data = {k: [*data.get(k, ["s"] * 6000), *column] for k, column in zip("gyx", zip(*small, strict=True), strict=True)}
    tally = fairstats.tally(data, "y", ["g", "x"])
    margin = {"groups": "g", "reference": "m", "margin": 0.08, **given}
    row, current = (
        fairstats.audit(one, **margin).estimates.only(metric="selection rate", contrast="difference", role="main")[0]
        for one in (tally.withhold(10), tally)
    )
    assert current.verdict == "equivalence shown"
    assert (row.verdict, row.reason) == ("inconclusive", OVERTURNED) and row.conf_high < 0
    text = fairstats.audit(tally.withhold(10), **margin).finding()
    assert "f had `y = 1` less often than those with m" in text
    assert "A difference is shown; whether it is within the margin of ±8.0 points depends on the people of" in text
    assert "does not show" not in text
    # where no people overturn it, it is shown
    (far,) = fairstats.audit(tally.withhold(10), **(margin | {"margin": 0.04})).estimates.only(
        metric="selection rate", contrast="difference", role="main"
    )
    assert far.verdict in SHOWN


def departments() -> fairstats.Audit:
    """Ten women in department B are withheld, beside sixty men."""
    data = people("fm", [221, 200], [179, 200])
    more = people("fm", [5, 30], [5, 30])
    both = {k: [*data[k], *more[k]] for k in data} | {"s": [*["A"] * 800, *["B"] * 70]}
    return fairstats.audit(fairstats.tally(both, "y", "g", strata="s").withhold(10))


def test_people_beside_whom_the_other_group_is_withheld_are_not_left_out() -> None:
    result = departments()
    there = "60 people are in strata where the other group is withheld, and count in the bounds alone"
    (row,) = result.estimates.only(metric=WITHIN, role="main")
    assert there in row.reason and "left out" not in row.reason
    summary = " ".join(result.summary().split())
    assert f"{there}." in result.finding() and f"({there})" in summary and "are left out." not in result.finding()
    # within strata the bounds stand in place of the estimate that they may make impossible
    assert "difference within strata +3.4 to +6.7 points over what may have been withheld (95% interval" in summary
    assert "in the cells that were sent 5" not in summary
    tally = fairstats.tally(fairstats.arrests(), "released", ["colour", "sex"], strata="checks").withhold(10)
    arrested = fairstats.audit(tally, favorable="Yes", intersections="pairs")
    (few,) = arrested.estimates.only(metric=WITHIN, role="main", group="Black:Female")
    assert few.reason == "only 72% of White:Male are in strata of which people of both groups were sent"
    printed = " ".join(str(arrested).split())
    assert "White:Men (colour × sex), −8.9 to −8.4 points over what may have been withheld" in printed


def test_the_direction_of_bounds_is_said_in_words() -> None:
    tally = fairstats.tally(fairstats.arrests(), "released", ["colour", "sex"], strata="checks").withhold(10)
    finding = fairstats.audit(tally, favorable="Yes").finding()
    assert "the gap is between 10.4 and 14.5 percentage points less (" in finding  # Black people, a verdict
    assert "the gap is between 4.9 percentage points less and 9.7 more (" in finding  # women, none
    assert "between 7.8 points less and 6.3 more, 12.2 less to 9.2 more: not settled" in finding
    assert "the gap is between 4.1 and 6.1 percentage points more (95% confidence interval 2.5 less" in (
        departments().finding()
    )


def test_what_fails_a_gate_has_bounds_in_place_of_the_number_that_was_sent() -> None:
    data = people("fm", [90, 100], [110, 100]) | {"x": ["s"] * 400}
    data = {k: [*v, *more] for (k, v), more in zip(data.items(), ("fm" * 4, [1, 0] * 4, "uuuuvvvv"), strict=True)}
    tally = fairstats.tally(data, "y", ["g", "x"]).withhold(10)
    result = fairstats.audit(tally, groups="g", reference="m", margin=0.05)
    (bound,) = result.estimates.only(metric="selection rate", contrast="difference", role="bounds")
    text = " ".join(str(result.passes()).split())
    low, high = (f"{100 * end:+.1f}".replace("-", "\N{MINUS SIGN}") for end in (bound.conf_low, bound.conf_high))
    assert f"inconclusive, {low} to {high} points over what may have been withheld (90% interval" in text


def test_what_is_withheld_counts_in_the_note_of_a_change_and_in_the_error_of_a_lone_group() -> None:
    def year(seed: int) -> pd.DataFrame:
        rng = np.random.default_rng(seed)
        known = pd.DataFrame({"g": rng.choice(["A", "B", "C"], 400), "d": rng.integers(0, 2, 400)})
        return pd.concat([known, pd.DataFrame({"g": ["D"] * 4 + ["E"] * 4, "d": [0, 1] * 4})])

    audits = [fairstats.audit(fairstats.tally(year(s), "d", "g").withhold(min_n=5), reference="A") for s in (1, 2)]
    change = fairstats.compare_audits(*audits)
    (level,) = {row.conf_level for row in change.estimates if row.estimator == "change" and row.status == "ok"}
    assert level == pytest.approx(1 - 0.05 / 4)  # of B, C, D and E
    assert "all 4 comparisons allowed for" in fairstats.report(change).html
    lone = pd.DataFrame({"g": ["A"] * 50 + ["B"] * 6, "d": [0, 1] * 28})
    with pytest.raises(fairstats.InputError, match="every cell of B was withheld; an audit needs two groups"):
        fairstats.audit(fairstats.tally(lone, "d", "g").withhold(min_n=5))


CELLS = [*product("abc", "pq", (1, 0))]
SENT_AND_NOT = dict(zip(CELLS, [600, 200, 60, 340, 290, 100, 31, 170, 12, 2, 50, 60], strict=True))


def people_of(cells: dict[tuple[str, str, int], int]) -> dict[str, list[Any]]:
    """The people of groups g in strata s with the decision y."""
    every = [cell for cell, n in cells.items() for _ in range(n)]
    return {name: list(column) for name, column in zip("gsy", zip(*every, strict=True), strict=True)}


def counted_within(cells: dict[tuple[str, str, int], int]) -> Any:
    return fairstats.tally(people_of(cells), "y", "g", strata="s")


def test_no_group_is_the_highest_within_strata_while_withheld_people_decide_the_ratio_of_another() -> None:
    """c, whose ratio was not estimated, was dropped: "b 0.99 of a, the highest. Below 0.8: none", and a gate passed."""
    result = fairstats.audit(counted_within(SENT_AND_NOT).withhold(5), law="employment")
    assert len(ratios_within(result)) == 0 and open_within(result, "g") == ["c"]
    text, summary = result.finding(), " ".join(str(result.summary()).split())
    assert text.startswith("The rule of four fifths is not settled within s: people of withheld cells decide the ratio")
    assert "Without regard to s: Four-fifths rule (at least 0.80), whatever people were withheld: below it none" in text
    assert "Ratio within strata of s to the highest: not settled, withheld people decide that of c." in summary
    assert "Below 0.8" not in summary
    assert "not settled within s" in str(fairstats.table(result, "impact by stratum"))
    # in each stratum by itself the rows are those of every content, or none: c has 12 of 12 sent in p, of 13 to 16
    of_sent = of_strata(result)
    open_rows = [(r.term, r.group, r.contrast) for r in of_sent if r.status != "ok"]
    assert open_rows == [("p", "c", "none"), ("p", "c", "ratio")]
    for k in range(1, 5):
        whole = fairstats.audit(counted_within({**SENT_AND_NOT, ("c", "p", 0): k}), law="employment")
        low = {r.group: (r.reference, round(r.estimate, 1)) for r in ratios_within(whole)}
        assert low == {"a": ("c", 0.5), "b": ("c", 0.5)} or low == {"a": ("c", 0.4), "b": ("c", 0.5)}
        facts = [repr(r) for r in of_strata(whole) if (r.term, r.group) != ("p", "c")]
        assert facts == [repr(r) for r in of_sent if r.status == "ok"]


def of_strata(result: Any) -> list[Estimate]:
    """The rates and ratios of each stratum by itself."""
    rows = result.estimates.only(role="supplementary", given="s")
    return [r for r in rows if r.term and r.metric in ("selection rate", "impact ratio")]


def test_a_group_of_which_nobody_was_sent_in_a_stratum_leaves_its_ratios_open() -> None:
    """c, of 3 and 2 people in p, may be the highest there: whether b is below four fifths of it nobody knows."""
    cells = {**SENT_AND_NOT, ("a", "p", 1): 30, ("a", "p", 0): 10, ("b", "p", 1): 15, ("b", "p", 0): 20}
    cells |= {("c", "p", 1): 3, ("c", "p", 0): 2}
    result, whole = (
        fairstats.audit(tally, law="employment") for tally in (counted_within(cells).withhold(5), counted_within(cells))
    )
    there = [r for r in of_strata(result) if r.contrast == "ratio"]
    assert {(r.term, r.status) for r in there} == {("p", "unestimable"), ("q", "ok")}
    of_all = {(r.term, r.group): r for r in of_strata(whole) if r.contrast == "ratio"}
    assert [repr(r) for r in there if r.term == "q"] == [repr(r) for (term, _), r in of_all.items() if term == "q"]


@pytest.mark.parametrize("seed", range(4))
def test_what_is_said_of_ratios_within_strata_holds_in_every_content(seed: int) -> None:
    rng = np.random.default_rng(seed)
    cells = {cell: int(rng.integers(30, 400)) for cell in CELLS}
    hidden = [CELLS[i] for i in rng.choice(len(CELLS), 2, replace=False)]
    cells |= {cell: int(rng.integers(1, 5)) for cell in hidden}
    result = fairstats.audit(counted_within(cells).withhold(5), law="employment")
    highest = {r.reference for r in ratios_within(result)}
    ratios = {(r.term, r.group, r.reference): r for r in of_strata(result) if r.contrast == "ratio"}
    for content in product(range(1, 5), repeat=2):
        whole = fairstats.audit(counted_within({**cells, **dict(zip(hidden, content, strict=True))}), law="employment")
        assert not highest or highest == {r.reference for r in ratios_within(whole)}
        every = {(r.term, r.group, r.reference): r for r in of_strata(whole) if r.contrast == "ratio"}
        for key, row in ratios.items():
            if row.status == "ok":
                assert row.estimate == pytest.approx(every[key].estimate)
                assert not row.p_adjusted < every[key].p_adjusted - 1e-12


def test_what_no_withheld_person_touches_has_one_number_and_the_largest_group_is_that_of_sent_cells() -> None:
    result = fairstats.audit(counted_within(SENT_AND_NOT).withhold(5))
    summary = " ".join(str(result.summary()).split())
    assert "b against a: difference within strata −0.3 points (" in summary
    assert "c against a: difference within strata +25.8 to +28.8 points over what may have been withheld" in summary
    assert "the difference of these people lies within: c −5.8 to −4.6 points." in summary
    assert "a (the largest group of each attribute, of the cells that were sent)" in summary
    assert "largest group of each attribute, of the cells that were sent" in fairstats.report(result).html
    assert "withheld: 1, of 1 to 4 people" in summary
