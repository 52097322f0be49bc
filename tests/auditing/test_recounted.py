"""Audits recounted by hand: exactly at their limits, and with weights that repeat people."""

from __future__ import annotations

from dataclasses import fields, replace
from functools import lru_cache
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.stats import beta, binom, norm

import fairstats
from fairstats.auditing.counts import CountTable, Evidence, choose_reference, highest_rate
from fairstats.auditing.curves import probabilities
from fairstats.auditing.input import check_levels
from fairstats.auditing.protocol import Protocol
from fairstats.auditing.rates import headline_rows
from fairstats.auditing.scores import DesignSample, Sample
from fairstats.auditing.sensitivity import SAMPLING, THRESHOLD, bound_rows, threshold_of
from fairstats.errors import InputError
from fairstats.estimates import Estimate, Estimates
from fairstats.inference.scores.survey import Scored, design_effect
from fairstats.inference.verdicts import decide_all

NONE = np.array([])


def people(n: int = 96) -> pd.DataFrame:
    """Three groups (one of eleven people), two strata that predict, rows that stand for several people."""
    rng = np.random.default_rng(12)
    frame = pd.DataFrame({"race": rng.choice(("x", "y", "z"), n, p=[0.55, 0.37, 0.08])})
    frame["sex"], frame["times"] = np.tile(["f", "m"], n // 2), 1 + np.arange(n) % 3
    frame["dept"] = np.where(rng.random(n) < 0.5 + 0.2 * (frame["sex"] == "f"), "art", "law")
    chance = 0.3 + 0.3 * (frame["dept"] == "law") + 0.2 * (frame["race"] == "x")
    frame["good"] = (rng.random(n) < chance).astype(int)
    frame["hired"] = (rng.random(n) < 0.2 + 0.4 * frame["good"] + 0.2 * (frame["sex"] == "m")).astype(int)
    frame["score"] = np.round(np.clip(0.2 + 0.4 * frame["good"] + 0.3 * rng.standard_normal(n), 0.02, 0.98), 2)
    return frame


def sample(label: str, scores: Any, outcomes: Any = ()) -> Sample:
    scores, present = np.asarray(scores, dtype=float), np.asarray(outcomes, dtype=np.int8)
    return Sample(label, scores, scores[: present.size], present)


def test_as_many_groups_as_are_allowed_are_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAIRSTATS_MAX_GROUPS", "4")
    check_levels("g", tuple("abcd"))
    check_levels("g", tuple("ab"))
    for labels in ("abcde", "a", ""):
        with pytest.raises(InputError, match="groups has 'g'"):
            check_levels("g", tuple(labels))


@pytest.mark.parametrize(
    ("scores", "read"),
    [
        ([[0, 1]], False),
        ([[0, 0], [0]], False),
        ([[1, 1]], False),
        ([[0, 0.5]], True),
        ([[0.5, 1]], True),
        ([[0, 1], [0.3]], True),
        ([[0.3], []], True),
        ([[], []], False),
        ([[0.3], [1.2]], False),
        ([[0.3], [-0.2]], False),
        ([[0.3, 1.001]], False),
    ],
)
def test_scores_are_probabilities_where_all_lie_in_0_to_1_and_one_between(
    scores: list[list[float]], read: bool
) -> None:
    assert probabilities(np.concatenate([np.array(s, dtype=float) for s in scores])) is read


def test_an_area_of_weighted_people_is_not_taken_for_one_of_equal_scores() -> None:
    """Of positives that all have one score and negatives that have two, the variance is their own."""
    half, one = np.full(4, 0.5), np.ones(4)
    x, y = Scored(half, 2 * one, 4 * one, one), Scored(np.array([0.5, 0.5, 0.5, 0.1]), one, one, one)
    group = DesignSample("a", NONE, NONE, NONE, cells=x, positives=x, negatives=y)
    current, equal = (design_effect(x, y, equal=which) for which in (False, True))
    assert group.area.variance == current.variance != equal.variance
    assert group.area.estimate == pytest.approx((3 * 4 / 2 + 4) / 16)


NUMBERS = [f.name for f in fields(Estimate) if f.type == "float"]


def same(one: Estimates, other: Estimates) -> None:
    assert len(one) == len(other)
    for a, b in zip(one, other, strict=True):
        assert (a.metric, a.group, a.role, a.given, a.status, a.verdict) == (
            b.metric,
            b.group,
            b.role,
            b.given,
            b.status,
            b.verdict,
        )
        np.testing.assert_allclose(
            [getattr(a, name) for name in NUMBERS], [getattr(b, name) for name in NUMBERS], rtol=1e-9, atol=1e-12
        )


@pytest.mark.long
@pytest.mark.parametrize("min_n", [1, 20])
@pytest.mark.parametrize(
    "arguments", [{"decision": "hired"}, {"outcome": "good"}, {"score": "score", "threshold": 0.5}]
)
def test_people_who_count_several_times_are_as_many_people_in_every_stratum(
    arguments: dict[str, Any], min_n: int
) -> None:
    """Of one group there are 11 rows, which stand for 22 people."""
    data = people()
    again = data.loc[data.index.repeat(data["times"])].reset_index(drop=True)
    more = {"groups": "race", "strata": "dept", "min_n": min_n, "p_adjust": "bonferroni"} | arguments
    one = fairstats.audit(data, weights="times", **more)
    other = fairstats.audit(again, **more)
    same(one.estimates, other.estimates)
    assert one.cells == other.cells or np.isnan(one.cells[0].tp)
    within = [row for row in one.estimates if row.given == "dept" and row.group == "z"]
    # of common strata the number of people stays away where it would give those of a small stratum
    lost = {row.metric for row in within if row.status == "suppressed"}
    assert lost <= {"common strata"} < {row.metric for row in within}


def test_areas_are_bounded_by_all_pairs_with_a_withheld_person() -> None:
    rng = np.random.default_rng(3)
    n = 700
    data = pd.DataFrame({"g": rng.choice(list("ab"), n, p=[0.7, 0.3]), "y": rng.random(n) < 0.3})
    data["s"] = np.round(rng.normal(data["y"], 1), 1)
    counted = fairstats.tally(data, None, "g", outcome="y", score="s").withhold(4)
    audit = fairstats.audit(counted, None, "g", outcome="y", score="s", reference="a")
    cells = pd.DataFrame({name: factor.labels for name, factor in counted.factors.items()})
    cells["known"] = np.where(np.isnan(counted.numbers["s"]), 0, counted.rows)
    cells["hidden"] = counted.most
    assert (cells.groupby(["g", "y"])[["known", "hidden"]].sum() > 0).all(axis=None)

    def kept(*sides: pd.DataFrame) -> float:
        return float(np.prod([side["known"].sum() / (side["known"] + side["hidden"]).sum() for side in sides]))

    result = 0
    for row in audit.estimates.only(role="bounds", given="withheld cells"):
        current = cells[cells["g"] == row.group]
        if row.metric == "AUC" and row.contrast == "none":
            share = kept(current[current["y"] == "True"], current[current["y"] == "False"])
        elif row.metric == "P(X>Y)":
            share = kept(current, cells[cells["g"] == row.reference])
        else:
            continue
        about = {"metric": row.metric, "group": row.group, "reference": row.reference, "contrast": row.contrast}
        (sent,) = audit.estimates.only(given="cells that were sent", **about)
        assert (row.conf_low, row.conf_high) == pytest.approx((share * sent.estimate, 1 - share * (1 - sent.estimate)))
        result += 1
    assert result == 3


def rate(events: Any, n: Any) -> Evidence:
    events, n = np.asarray(events, dtype=float), np.asarray(n, dtype=float)
    return Evidence("selection rate", events, n, n, n, True, "")


def test_only_a_declared_pair_without_the_reference_has_separate_rows() -> None:
    labels, n = tuple("abc"), np.array([90.0, 80, 7])
    part = rate(n / [2, 3, 7], n)
    named = Protocol(("g",), decision="d", conf_level=0.9, headline=("g", "c", "b"))
    rows = decide_all([headline_rows([part], "g", labels, "a", named)])[0]
    assert [(row.group, row.reference, row.role, row.term) for row in rows[:1]] == [("c", "b", "headline", "")]
    assert rows[0].estimate == pytest.approx(1 / 7 - 1 / 3) and rows[0].conf_level == 0.9
    assert headline_rows([part], "g", labels, "b", named) == [] and headline_rows([part], "h", labels, "a", named) == []
    assert headline_rows([part], "g", labels, "a", replace(named, headline=())) == []


def test_a_reference_by_a_rule_has_min_n_people_and_a_known_group() -> None:
    n = np.array([90.0, 300.0, 40.0, 20.0])
    counts = np.zeros((4, 3, 3))
    counts[:, 2, 1] = n * [0.2, 0.9, 0.4, 0.8]
    counts[:, 2, 0] = n - counts[:, 2, 1]
    table = CountTable("g", ("a", "(missing)", "b", "c"), counts, 1, False, True)
    parts = (rate(counts[:, 2, 1], n),)
    chosen = {
        (rule, least): choose_reference(rule, table, parts, least)
        for rule in ("largest_group", "highest_rate")
        for least in (1, 20, 21, 40, 41, 90, 91)
    }
    assert chosen == {("largest_group", least): "a" for least in (1, 20, 21, 40, 41, 90, 91)} | {
        ("highest_rate", 1): "c",
        ("highest_rate", 20): "c",
        ("highest_rate", 21): "b",
        ("highest_rate", 40): "b",
        ("highest_rate", 41): "a",
        ("highest_rate", 90): "a",
        ("highest_rate", 91): "a",
    }
    assert choose_reference("b", table, parts, 91) == "b"
    shares = {share: highest_rate(parts[0], table.labels, 1, share) for share in (0.0, 20 / 450, 21 / 450, 0.1, 0.99)}
    assert shares == {0.0: 3, 20 / 450: 3, 21 / 450: 2, 0.1: 0, 0.99: 3}
    assert highest_rate(parts[0], table.labels, 91) == -1


@lru_cache(maxsize=8)
def exact_p(n1: int, n0: int) -> np.ndarray:
    """Barnard's test by the pooled z of every table of two groups, with Berger and Boos's set of rates, by brute force.

    The larger of its p and that of the score test with n/(n - 1), which decides a verdict.
    """
    x, y, n = np.arange(n1 + 1)[:, None], np.arange(n0 + 1), n1 + n0
    pooled = (x + y) / n
    error = np.sqrt(pooled * (1 - pooled) * (1 / n1 + 1 / n0))
    z = np.abs(x / n1 - y / n0) / np.where(error > 0, error, np.inf)
    far = np.round(z, 10).ravel()
    order = np.argsort(-far, kind="stable")
    last = np.searchsorted(-far[order], -far, side="right") - 1
    events, p = (x + y).ravel(), np.zeros(far.size)
    low = np.nan_to_num(beta.ppf(5e-6, events, n - events + 1), nan=0.0)
    high = np.nan_to_num(beta.ppf(1 - 5e-6, events + 1, n - events), nan=1.0)
    for rate in np.linspace(0.001, 0.999, 500):
        mass = np.outer(binom.pmf(x[:, 0], n1, rate), binom.pmf(y, n0, rate)).ravel()[order]
        p = np.where((low <= rate) & (rate <= high), np.maximum(p, np.cumsum(mass)[last] + 1e-5), p)
    return np.maximum(p.reshape(z.shape), 2 * norm.sf(z * np.sqrt((n - 1) / n)))


@pytest.mark.long
def test_the_smallest_detectable_difference_is_at_the_level_that_holm_asks_of_the_smallest_p() -> None:
    """Against the power of the exact test by enumeration of all tables, at the level of the family of two or of each.

    A wrong level moves the power by .08. The score test instead of the exact one moves it by .01; that the audit
    asks 16 counts of the reference for all of them, by .005.
    """
    of_reference = binom.pmf(np.arange(301), 300, 0.6)
    data = {"g": ["a"] * 300 + ["b"] * 200 + ["c"] * 100, "d": ([1] * 12 + [0] * 8) * 30}
    for p_adjust, level in (("holm", 0.975), ("none", 0.95), ("bonferroni", 0.975), ("bh", 0.975)):
        rows = fairstats.audit(data, "d", "g", p_adjust=p_adjust).estimates.only(role="power")
        assert {(row.group, row.term) for row in rows} == {(g, t) for g in "bc" for t in ("below", "above")}
        for row in rows:
            n1 = {"b": 200, "c": 100}[row.group]
            rejects = exact_p(n1, 300) <= 1 - level
            shown = binom.pmf(np.arange(n1 + 1), n1, 0.6 + row.estimate) @ rejects @ of_reference
            assert shown == pytest.approx(0.8, abs=0.006) and (row.estimate > 0) == (row.term == "above")


@pytest.mark.parametrize("unknown", ["f:(missing)", "m:(missing)", "(missing):old", "(missing):young", "f:young"])
def test_bounds_hold_over_every_way_to_place_people_whose_group_is_half_known(unknown: str) -> None:
    """Each person of a label with a missing part may be of either group that agrees, or of neither."""
    labels, yes, no = ("f:old", "m:old", unknown), (7, 20, 3), (8, 10, 2)
    counts = np.zeros((3, 3, 3))
    counts[:, 2, 1], counts[:, 2, 0] = yes, no
    n = np.add(yes, no)
    row = Estimate("selection rate", "sex:age", "f:old", "difference", "m:old", estimate=7 / 15 - 2 / 3)
    table = CountTable("sex:age", labels, counts, 1, False, True)
    rows = list(bound_rows(rate(yes, n), table, 0, 1, row))
    places = {"f:(missing)": (1, 0), "m:(missing)": (0, 1), "(missing):old": (1, 1)}.get(unknown)
    if places is None:
        assert rows == []
        return
    items = []
    for a, b, c, d in product(range(4), range(3), range(4), range(3)):  # yes and no of the group, of the reference
        if a + c <= 3 and b + d <= 2 and (places[0] or a + b == 0) and (places[1] or c + d == 0):
            items.append((7 + a) / (15 + a + b) - (20 + c) / (30 + c + d))
    assert [(r.given, r.term) for r in rows] == [("missing groups", ""), ("missing groups", SAMPLING)]
    assert (rows[0].conf_low, rows[0].conf_high) == pytest.approx((min(items), max(items)))
    assert rows[1].conf_low < rows[0].conf_low and rows[1].conf_high > rows[0].conf_high
    level = list(bound_rows(rate(yes, n), table, 0, 1, replace(row, conf_level=0.95)))[1]
    assert (rows[1].conf_low, rows[1].conf_high) == (level.conf_low, level.conf_high)  # where none was declared


def test_the_threshold_of_a_row_is_the_one_it_is_given() -> None:
    blank = Estimate("selection rate", "g", "b", "difference", "a")
    assert threshold_of(replace(blank, given=THRESHOLD.format(n="0.25"))) == 0.25
    assert np.isnan([threshold_of(blank), threshold_of(replace(blank, given="dept"))]).all()


def test_refused_missing_groups_are_named_by_their_rows_counted_from_one() -> None:
    with pytest.raises(InputError, match=r"\(rows 2, 4\)"):
        fairstats.audit({"g": ["a", None, "b", None, "b"], "d": [1, 0, 1, 0, 0]}, "d", "g", missing="raise")
