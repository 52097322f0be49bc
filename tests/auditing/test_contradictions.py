"""Random audits of random tables, in which no row may contradict itself, nor another row of the same comparison."""

from __future__ import annotations

import math
import warnings

import numpy as np
import pandas as pd
import pytest

import fairstats
from fairstats.auditing.audit import audit
from fairstats.auditing.tally import Tally
from fairstats.errors import InputError
from fairstats.estimates import VERDICTS, Estimate
from fairstats.inference.verdicts import null_value


def table(rng) -> pd.DataFrame:
    """People of two attributes, unequal groups and rates, scores on a coarse or a fine scale, strata and clusters."""
    groups = int(rng.integers(2, 6))
    sizes = rng.choice([3, 5, 8, 12, 20, 40, 90, 150, 400], groups)
    rates = np.clip(rng.choice([0.02, 0.1, 0.3, 0.5, 0.9]) + rng.choice([0, 0, 0.15, -0.1, 0.4], groups), 0.01, 0.99)
    g = np.repeat([f"g{i}" for i in range(groups)], sizes)
    d = (rng.random(g.size) < np.repeat(rates, sizes)).astype(int)
    s = rng.random(g.size) * 0.8 + 0.2 * rng.random() * d
    present = rng.random(g.size) < rng.choice([1.0, 1.0, 0.97, 0.8])
    return pd.DataFrame(
        {
            "g": np.where(present, g, None),
            "h": rng.choice(["u", "v"], g.size),
            "d": d,
            "y": (rng.random(g.size) < 0.2 + 0.5 * d).astype(int),
            "s": np.round(s, int(rng.choice([1, 6]))),
            "f": rng.choice(["k", "l", "m"], g.size),
            "w": rng.choice([0.5, 1.0, 1.5, 4.0], g.size),
            "k": rng.integers(1, 4, g.size),
            "c": rng.integers(0, 30, g.size),
        }
    )


def random_arguments(rng) -> dict[str, object]:
    """Arguments of an audit."""
    how: dict[str, object] = {
        "decision": "d",
        "groups": ["g"] if rng.random() < 0.5 else ["g", "h"],
        "p_adjust": str(rng.choice(["bonferroni", "bonferroni", "holm", "bh", "none"])),
        "family": str(rng.choice(["rate", "rate", "audit"])),
        "margin": [None, 0.05, 0.2, {"difference": 0.2, "ratio": 0.6, "auc": 0.15}][rng.integers(4)],
        "conf_level": float(rng.choice([0.9, 0.95, 0.99])),
        "reference": str(rng.choice(["largest_group", "largest_group", "highest_rate"])),
    }
    if rng.random() < 0.4:
        how["outcome"] = "y"
    if rng.random() < 0.4:
        how["score"] = "s"
    if rng.random() < 0.4:
        how["strata"] = "f"
    kind = rng.random()
    if kind < 0.15:
        how |= {"weights": "w", "weight_type": "probability"}
    elif kind < 0.25:
        how |= {"weights": "w", "weight_type": "probability", "clusters": "c"}
    elif kind < 0.35:
        how["clusters"] = "c"
    elif kind < 0.45:
        how["weights"] = "k"
    if rng.random() < 0.3:
        how["min_n"] = int(rng.choice([2, 10, 30]))
    if rng.random() < 0.3:
        how["missing"] = "drop"
    return how


def counted(data: pd.DataFrame, how: dict[str, object], rng) -> pd.DataFrame | Tally:
    """The rows, or the cells of two sites that withheld the small ones."""
    if "weights" in how or rng.random() < 0.6:
        return data
    roles = {
        name: how[name] for name in ("decision", "groups", "outcome", "score", "strata", "clusters") if name in how
    }
    site, least = rng.integers(0, 2, len(data)), int(rng.choice([2, 3, 5, 10]))
    return sum(fairstats.tally(data[site == k], **roles).withhold(least) for k in (0, 1))


def contradictions(row: Estimate, margins: tuple[float, float] | None, alpha: float, nested: bool) -> list[str]:
    """What is wrong with one checked row."""
    out, null = [], null_value(row)
    rejects, equal = row.p_adjusted <= alpha, row.p_equivalence <= alpha
    shown = row.verdict in ("disparity shown", "flagged")
    if row.verdict not in VERDICTS or shown != (rejects and not equal) or (row.verdict == "equivalence shown") != equal:
        out.append("verdict")
    present = not math.isnan(row.conf_low)
    if present and rejects != (row.conf_low > null or row.conf_high < null):
        out.append("interval")
    if present and not row.conf_low <= row.estimate <= row.conf_high:
        out.append("estimate")
    if row.p_adjusted < row.p_value - 1e-12:
        out.append("adjusted p")
    if margins and not math.isnan(row.margin_low):
        if equal != (row.margin_low > margins[0] and row.margin_high < margins[1]):
            out.append("margin")
        if not row.margin_low <= row.estimate <= row.margin_high:
            out.append("estimate within the margin's interval")
        if nested and not (row.conf_low <= row.margin_low and row.margin_high <= row.conf_high):
            out.append("nested")
    return out


def rows_with_verdicts(seed: int) -> int:
    """The rows of one random audit, each of which is checked."""
    rng = np.random.default_rng(seed)
    data, how = table(rng), random_arguments(rng)
    people = counted(data, how, rng)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            result = audit(people, **how)
        except InputError:
            return 0
    alpha, declared = 1 - how["conf_level"], result.protocol.margin
    rows = [r for r in result.estimates if r.status == "ok" and r.verdict]
    pairs: dict[tuple[object, ...], set[bool]] = {}
    for row in rows:
        wrong = contradictions(row, declared.around(row) if declared else None, alpha, how["p_adjust"] != "bh")
        assert not wrong, (seed, how, wrong, row)
        if row.metric == "selection rate" and how["p_adjust"] != "holm":
            same = (row.attribute, row.group, row.reference, row.role)
            pairs.setdefault(same, set()).add(row.p_adjusted <= alpha)
    assert all(len(text) == 1 for text in pairs.values())  # a difference and its ratio are one hypothesis
    items = [r for r in rows if r.role == "main" and r.conf_level > 0]
    levels = {(r.metric, r.given, ":" in r.attribute, r.conf_level) for r in items}
    if how["reference"] == "largest_group" and how["family"] == "rate":
        assert len(levels) == len({key[:3] for key in levels})  # one family, one level
    return len(rows)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(12))  # six hundred in the slow test below
def test_no_row_of_a_random_audit_contradicts_itself(seed):
    rows_with_verdicts(seed)


@pytest.mark.long
@pytest.mark.parametrize("p_adjust", ["bonferroni", "holm", "bh"])
@pytest.mark.parametrize("seed", range(3))
def test_withholding_groups_makes_no_verdict_and_no_shorter_interval(seed, p_adjust):
    """Its groups were taken out of the family: a difference of adjusted p .057 had .019 with min_n=10."""
    rng = np.random.default_rng(seed)
    data = table(rng).fillna("?")
    how = {
        "decision": "d",
        "groups": ["g", "h"],
        "outcome": "y",
        "strata": "f",
        "p_adjust": p_adjust,
        "reference": "g0",
    }
    whole, part = (audit(data, **how | {"reference": {"g": "g0", "h": "u"}}, min_n=n) for n in (1, 25))
    present, compared = {row.key: row for row in whole.estimates}, 0
    for row in part.estimates:
        if row.verdict:
            compared += 1
            assert row.p_adjusted >= present[row.key].p_adjusted - 1e-12, row
            assert row.conf_level >= present[row.key].conf_level - 1e-12, row
    assert compared


def test_the_words_say_how_many_comparisons_there_are_and_whose_rate_is_the_highest():
    sizes, hired = {"a": 400, "b": 300, "c": 12, "e": 9}, {"a": 200, "b": 122, "c": 11, "e": 2}
    data = {
        "g": np.repeat(list(sizes), list(sizes.values())),
        "d": np.concatenate([np.arange(n) < hired[g] for g, n in sizes.items()]).astype(int),
    }
    entries = {
        (rule, n): " ".join(audit(data, "d", "g", min_n=n, reference=rule).summary().split())
        for rule in ("largest_group", "highest_rate")
        for n in (1, 15)
    }
    assert "(g: 3)" in entries["largest_group", 1]
    assert "(g: 3, those of withheld groups too, of which 1 is shown)" in entries["largest_group", 15]
    assert "adjusted for 3 comparisons" in entries["largest_group", 15]
    assert "(g: 6, of which 3 are shown)" in entries["highest_rate", 1]
    assert "g: c (the group with the highest rate)" in entries["highest_rate", 1]
    assert "g: a (the group with the highest rate, of the groups that are shown)" in entries["highest_rate", 15]
    assert "(g: 6, those of withheld groups too, of which 1 is shown)" in entries["highest_rate", 15]
    assert (
        "adjusted for 6 comparisons" in entries["highest_rate", 15]
        and "2 groups of g cannot" in entries["highest_rate", 15]
    )


@pytest.mark.slow
@pytest.mark.parametrize("block", range(12))
def test_no_row_of_ten_thousand_contradicts_itself(block):
    assert sum(rows_with_verdicts(1000 + 100 * block + i) for i in range(50)) > 600


def test_withheld_comparisons_of_intersections_count_in_the_family_of_intersections():
    rng = np.random.default_rng(1)
    people = {"race": rng.choice(list("ABC"), 900, p=[0.6, 0.35, 0.05]), "sex": rng.choice(list("fm"), 900)}
    people["h"] = (rng.random(900) < 0.4).astype(int)
    plain, hidden = (audit(people, "h", ["race", "sex"], min_n=n).estimates for n in (1, 40))
    about = {"metric": "selection rate", "contrast": "difference", "role": "main"}
    assert hidden.where(**about, attribute="race:sex", status="suppressed")
    for name, size in (("race", 3), ("sex", 3), ("race:sex", 5)):
        rows = hidden.where(**about, attribute=name, status="ok")
        assert [round(0.05 / (1 - row.conf_level)) for row in rows] == [size] * len(rows)
    ends = [[(r.conf_low, r.conf_high) for r in rows.where(**about, attribute="sex")] for rows in (plain, hidden)]
    assert ends[0] == ends[1]


def test_what_few_people_without_a_group_hide_is_named_and_moves_no_reference():
    rng = np.random.default_rng(1)
    race = np.array(rng.choice(list("WBC"), 900, p=[0.5, 0.35, 0.15]), dtype=object)
    people = {"race": race, "h": (rng.random(900) < 0.4).astype(int), "sex": rng.choice(list("fm"), 900)}
    race[:4] = None
    shown = audit(people, "h", ["race", "sex"], missing="drop")
    result = audit(people, "h", ["race", "sex"], missing="drop", min_n=10)
    assert result.references == shown.references
    assert not result.estimates.where(attribute="race:sex", status="ok")  # all of its groups are withheld
    assert "or those left out without a group" in result.finding()
    text = "Fewer than 10 people are left out because race is missing, and further groups are withheld"
    assert any(note.startswith(text) and "missing='level' keeps" in note for note in result.notes)
