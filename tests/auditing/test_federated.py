"""Sites that exchange tallies: what leaves, what the merged audit says of it, the truth within its bounds."""

from __future__ import annotations

import itertools

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fairstats
from fairstats.errors import InputError


def people(seed: int, n: int = 900) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    group = rng.choice(["a", "b", "c"], n, p=[0.6, 0.3, 0.1])
    return pd.DataFrame(
        {
            "g": group,
            "ward": rng.choice(list("xyz"), n),
            "d": rng.choice([0, 1, np.nan], n, p=[0.5, 0.45, 0.05]),
            "y": rng.random(n) < 0.3 + 0.2 * (group == "b"),
            "score": rng.normal(0.3 * (group == "b"), 1, n),
            "site": rng.choice(3, n, p=[0.6, 0.3, 0.1]),
        }
    )


ROLES = {"decision": "d", "groups": ["g", "ward"], "outcome": "y"}


def merged(table: pd.DataFrame, min_n: int, **roles) -> fairstats.Tally:
    sites = (fairstats.tally(table[table["site"] == site], **(ROLES | roles)) for site in range(3))
    return sum(site.withhold(min_n) for site in sites)


@settings(max_examples=6, deadline=None)
@given(seed=st.integers(0, 10**6), min_n=st.integers(2, 30))
def test_no_cell_of_few_people_leaves_and_nobody_is_lost_without_a_word(seed, min_n):
    table = people(seed)
    site = table[table["site"] == 1]
    current, left = (
        fairstats.tally(site, **ROLES, score="score"),
        fairstats.tally(site, **ROLES, score="score").withhold(min_n),
    )
    assert left.rows[left.rows > 0].min(initial=min_n) >= min_n
    few = left.most[left.most > 0] < min_n
    assert (left.least[left.most > 0][few] == 1).all() and (left.most[left.most > 0][few] == min_n - 1).all()
    np.testing.assert_array_equal(left.most[left.most >= min_n], left.least[left.most >= min_n])
    lost = current.rows.sum() - left.rows.sum()
    assert left.least.sum() <= lost <= left.most.sum()
    assert not set(left.numbers["score"][left.rows > 0]) & set(site["score"])  # no score of a person leaves
    assert np.isnan(left.numbers["score"][left.most > 0]).all()
    again = left.withhold(min_n)
    assert again.rows.sum() == left.rows.sum() and again.most.sum() == left.most.sum()


@pytest.mark.parametrize("scores", ["different", "equal", "few"])
@pytest.mark.parametrize("n", [1, 2, 7, 9])
def test_scores_do_not_tell_how_many_people_were_withheld(scores, n):
    """One cell for each score would say how many there were: neither bound depends on who is withheld."""
    rng = np.random.default_rng(n)
    score = {"different": np.linspace(-3, 3, n), "equal": np.zeros(n), "few": rng.integers(0, 2, n)}[scores]
    present = pd.DataFrame({"g": "a", "y": [0, 1] * 200, "x": rng.normal(size=400)})
    table = pd.concat([present, pd.DataFrame({"g": "c", "y": 1, "x": score})])
    left = fairstats.tally(table, groups="g", outcome="y", score="x").withhold(10)
    (cell,) = (cell for cell in left.withheld() if cell["g"] == "c")
    assert (cell["least"], cell["most"]) == (1, 9)
    for other in left.withheld():  # tails of scores: few, or as many as may be told
        assert (other["least"], other["most"]) == (1, 9) or other["least"] == other["most"] >= 10
    assert left.rows.sum() + left.least.sum() <= len(table) <= left.rows.sum() + left.most.sum()


def test_the_cells_of_pandas_are_withheld():
    table = people(1)
    site = table[table["site"] == 2]
    counts = site.groupby(["g", "ward", "y", "d"], dropna=False).size()
    left = fairstats.tally(site, **ROLES).withhold(5)
    assert left.rows.sum() == counts[counts >= 5].sum()
    assert len(left.withheld()) == (counts < 5).sum()
    assert left.withheld()[0].keys() == {"g", "ward", "y", "d", "least", "most"}
    assert f"{(counts < 5).sum()} withheld" in repr(left)


RATES = ("selection rate", "base rate", "TPR", "FPR", "PPV", "accuracy")


@pytest.mark.long
@pytest.mark.parametrize(("seed", "min_n"), [(1, 2), (2, 6), (3, 20)])
def test_the_audit_of_all_people_is_within_the_bounds_of_the_merged_audit(seed, min_n):
    table = people(seed)
    arguments = ROLES | {"groups": "g", "reference": "a"}
    truth = fairstats.audit(table, **arguments)
    bounds = fairstats.audit(merged(table, min_n), **arguments).estimates.only(role="bounds", given="withheld cells")
    exact = {(r.metric, r.attribute, r.group, r.contrast, r.reference): r for r in truth.estimates if r.role == "main"}
    checked = 0
    for row in bounds:
        if row.metric == "impact ratio":  # to the highest of those who were sent, which may be another of all
            rates = (exact["selection rate", "g", group, "none", ""].estimate for group in (row.group, row.reference))
            estimate = next(rates) / next(rates)
        else:
            estimate = exact[row.metric, row.attribute, row.group, row.contrast, row.reference].estimate
        assert row.conf_low - 1e-12 <= estimate <= row.conf_high + 1e-12, row
        checked += row.metric in RATES
    assert checked > 10


@pytest.mark.long
def test_the_bounds_of_a_rate_are_attained():
    """Against every completion of the withheld cells."""
    table = people(4, 120)
    counted = merged(table, 6, groups="g")
    row = fairstats.audit(counted, "d", "g", outcome="y").estimates.only(
        role="bounds", given="withheld cells", metric="TPR", contrast="none", group="b"
    )[0]
    cells = [c for c in counted.withheld() if c["g"] == "b" and c["y"] == "True" and c["d"] is not None]
    assert cells
    shown = fairstats.audit(counted, "d", "g", outcome="y").estimates.where(
        metric="TPR", contrast="none", group="b", role="main"
    )[0]
    rates = []
    for people_of in itertools.product(*(range(c["least"], c["most"] + 1) for c in cells)):
        favored = sum(n for n, c in zip(people_of, cells, strict=True) if c["d"] == "1")
        rates.append((shown.events + favored) / (shown.n + sum(people_of)))
    assert (row.conf_low, row.conf_high) == (pytest.approx(min(rates)), pytest.approx(max(rates)))


@pytest.mark.long
@pytest.mark.parametrize("threshold", [None, 0.0])
def test_scores_are_bounded_too(threshold):
    table = people(5, 1500)
    arguments = {"groups": "g", "outcome": "y", "score": "score", "reference": "a"}
    truth = fairstats.audit(table, **arguments, threshold=threshold)
    counted = merged(table, 10, decision=None, groups="g", score="score")
    assert counted.grids
    audit = fairstats.audit(counted, **arguments, threshold=threshold)
    exact = {(r.metric, r.group, r.contrast): r for r in truth.estimates if r.role == "main"}
    result = set()
    slack = 2.0 ** -counted.grids["score"]
    for row in audit.estimates.only(role="bounds", given="withheld cells"):
        current = exact[row.metric, row.group, row.contrast]
        assert row.conf_low - slack <= current.estimate <= row.conf_high + slack
        result.add(row.metric)
    assert {"P(X>Y)", "AUC"} <= result
    assert ("selection rate" in result) == (threshold is not None)


@pytest.mark.long
def test_the_audit_says_which_cells_were_withheld(tmp_path):
    table = people(6)
    audit = fairstats.audit(merged(table, 10), **ROLES)
    note = next(note for note in audit.notes if "withheld" in note)
    assert "cells, of" in note and "g " in note
    assert "Whatever the withheld cells are, the difference of these people lies within" in audit.summary()
    kept = fairstats.load(merged(table, 10).save(tmp_path / "sites.npz"))
    assert fairstats.audit(kept, **ROLES).notes == audit.notes
    assert not any("withheld" in note for note in fairstats.audit(table, **ROLES).notes)


def test_what_cannot_be_withheld_is_refused():
    counted = fairstats.tally(people(7).assign(w=1.0), "d", "g", weights="w")
    with pytest.raises(InputError, match="what withheld people weigh has no bound"):
        counted.withhold(5)
    with pytest.raises(InputError, match="min_n has 1"):
        fairstats.tally(people(7), "d", "g").withhold(1)
    with pytest.raises(InputError, match="an audit needs two groups"):
        fairstats.audit(fairstats.tally(people(7), "d", "g").withhold(290), "d", "g")


def test_a_verdict_stands_only_where_withheld_people_could_not_overturn_it():
    rng = np.random.default_rng(8)
    n = 4000
    group = rng.choice(["a", "b", "c"], n, p=[0.5, 0.45, 0.05])
    chance = np.select([group == "a", group == "b"], [0.75, 0.4], 0.85)
    table = pd.DataFrame({"g": group, "d": (rng.random(n) < chance).astype(int), "y": rng.random(n) < 0.5})
    table["site"] = rng.choice(3, n)
    audit = fairstats.audit(merged(table, 15, groups="g"), "d", "g", outcome="y", reference="a")
    rows = audit.estimates.where(metric="selection rate", contrast="difference", role="main")
    bounds = {r.group: r for r in audit.estimates.only(role="bounds", metric="selection rate", contrast="difference")}
    verdicts = {r.group: r.verdict for r in rows}
    assert verdicts["b"] == "disparity shown" and bounds["b"].conf_high < 0
    assert verdicts["c"] == "inconclusive" and bounds["c"].conf_low < 0 < bounds["c"].conf_high
    assert "could overturn" in next(r.reason for r in rows if r.group == "c")
    unbounded = [r for r in audit.estimates if r.verdict == "disparity shown" and r.role != "main"]
    assert unbounded == []


@pytest.mark.long
def test_cells_of_one_person_count_where_others_were_withheld():
    table = people(4, 300)
    one, other = (
        fairstats.tally(table[table["site"] == 0], **ROLES),
        fairstats.tally(table[table["site"] != 0], **ROLES).withhold(12),
    )
    assert (one.rows == 1).any() and other.most.any()
    both = one + other
    rates = fairstats.audit(both, **ROLES, min_n=1).estimates.where(
        metric="selection rate", contrast="none", role="main"
    )
    site, cells = table[table["site"] == 0], both.rows.sum()
    assert cells >= len(site)
    for row in (r for r in rates if r.attribute == "g"):
        assert row.n >= site[(site["g"] == row.group)]["d"].notna().sum()
    assert sum(r.n for r in rates if r.attribute == "g") == pytest.approx(
        sum(r.n for r in rates if r.attribute == "ward")
    )
