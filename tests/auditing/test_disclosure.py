"""`min_n` survives an attack: no suppressed count can be read, computed, or bounded more narrowly than is declared."""

from __future__ import annotations

import json
import math
from collections import Counter
from dataclasses import dataclass
from functools import cache

import numpy as np
import pandas as pd
import pytest

from fairstats.auditing import suppression
from fairstats.auditing.audit import audit
from fairstats.auditing.suppression import HIGHEST
from fairstats.reporting.report import report
from tests.auditing.attack import COUNTS, KINDS, Attacker

CLOSE = 1e-4
QUICK = (0, 1, 2, 3, 5, 6, 7, 8, 9, 10, 11, 12)  # of the 200 reports
CELLS = ("tp", "fp", "fn", "tn")
BLOCKS = (  # a rate, the denominators that decide about it, and what is withheld with it
    ("base rate", ("outcome known",), ("positives", "negatives")),
    ("selection rate", ("decision known",), ("yes", "no")),
    ("TPR", ("P", "N", "PP", "PN"), ("tp",)),
)
TOGETHER = {"TPR": ["TPR", "FPR", "TNR", "FNR", "PPV", "NPV", "accuracy"]}
Place = tuple[str, str]  # an attribute and a group


def random_people(seed: int) -> tuple[pd.DataFrame, dict]:
    """A table with rare levels, rare outcomes and missing values, and the arguments of its audit.

    Of three columns all are crossed, or every two.
    """
    rng = np.random.default_rng(seed)
    n = int(rng.choice([60, 150, 400, 900]))
    names = ["g", "s", "r"][: int(rng.integers(1, 4))]
    data = {}
    for name, levels in zip(names, ("abcde", "mfx", "uvw"), strict=False):
        shares = rng.dirichlet(np.full(int(rng.integers(2, len(levels) + 1)), 0.7))
        data[name] = np.array([f"{name}{c}" for c in levels])[rng.choice(shares.size, n, p=shares)]
        data[name][:2] = [f"{name}{levels[0]}", f"{name}{levels[1]}"]
    types = rng.choice(["both", "decision", "outcome"], p=[0.6, 0.2, 0.2])
    for column in ("y", "d"):
        data[column] = rng.binomial(1, rng.choice([0.05, 0.3, 0.5, 0.9]), n).astype(float)
        data[column][:2] = [0, 1]
        data[column][2:][rng.random(n - 2) < rng.choice([0, 0, 0.05, 0.5])] = np.nan
    arguments = {"groups": names, "min_n": int(rng.choice([3, 5, 10, 20]))}
    arguments["intersections"] = "pairs" if seed % 2 else "full"
    arguments |= {"outcome": "y"} if types != "decision" else {}
    arguments |= {"decision": "d"} if types != "outcome" else {}
    return pd.DataFrame(data), arguments


def truth(data: pd.DataFrame, arguments: dict, place: Place) -> dict[str, float]:
    """The counts of a group, from the rows."""
    rows = np.ones(len(data), dtype=bool)
    for column, level in zip(place[0].split(":"), place[1].split(":"), strict=True):
        rows &= (data[column] == level).to_numpy()
    coded = [
        data.loc[rows, c].fillna(2).to_numpy() if role in arguments else np.full(rows.sum(), 2.0)
        for role, c in (("outcome", "y"), ("decision", "d"))
    ]
    table = {kind: float(np.sum((coded[0] == kind[0]) & (coded[1] == kind[1]))) for kind in KINDS}
    return {name: sum(v for kind, v in table.items() if f(*kind)) for name, f in COUNTS.items()}


@dataclass(frozen=True, eq=False)
class Report:
    """What an attacker has, and the truth that it is compared with."""

    attacker: Attacker
    rows: dict[tuple[str, str, str], dict]  # metric, attribute, group -> row
    size: dict[Place, float | None]  # as published
    true: dict[Place, dict[str, float]]
    least: int

    @classmethod
    def of(cls, data: pd.DataFrame, arguments: dict) -> Report:
        published = json.loads(json.dumps(audit(data, **arguments).to_dict()))
        size = {(c["attribute"], c["group"]): c["n"] for c in published["cells"]}
        rows = {(r["metric"], r["attribute"], r["group"]): r for r in published["estimates"] if r["contrast"] == "none"}
        attacker = Attacker(published)
        places = {*size, *((attacker.finest, atom) for atom in attacker.atoms)}
        return cls(attacker, rows, size, {place: truth(data, arguments, place) for place in places}, arguments["min_n"])

    @cache  # noqa: B019
    def atoms(self, place: Place) -> frozenset[str]:
        kept = self.attacker.rows(*place, "n").reshape(len(self.attacker.atoms), -1).any(axis=1)
        return frozenset(np.array(self.attacker.atoms)[kept])

    def inside(self, place: Place, other: Place) -> bool:
        """Whether the second group holds everybody of the first, as the list of intersections shows."""
        return self.atoms(place) <= self.atoms(other)

    def listed(self, place: Place) -> int:
        """The least size that the list of groups gives away: the groups of one attribute that lie within."""
        return max(Counter(other[0] for other in self.size if self.inside(other, place)).values())

    def around(self, hidden: set[Place], place: Place, names: tuple[str, ...] = ("n",)) -> list[dict[str, float]]:
        """Everybody withheld in the table of a group, published groups that hold it, and both: where they are many."""

        def total(places: list[Place]) -> dict[str, float]:
            return {name: sum(self.true[p][name] for p in places) for name in COUNTS}

        pool = [p for p in hidden if p[0] == place[0]]
        holders = [p for p in self.size if p not in hidden and p != place and self.inside(place, p)]
        items = [total(pool), *(self.true[h] for h in holders)]
        withheld = frozenset().union(*map(self.atoms, pool))
        for holder in holders:
            part = total([(self.attacker.finest, atom) for atom in withheld & self.atoms(holder)])
            items.append(part)
        return [union for union in items if min(union[name] for name in names) >= self.least]

    def whole(self, hidden: set[Place], place: Place) -> bool:
        """Whether an intersection of which nothing is shown: then the single attributes may imply it."""
        return ":" in place[0] and all(p in hidden for p in self.size if p[0] == place[0])


def attack(data: pd.DataFrame, arguments: dict) -> int:
    """Attack one audit; how many counts were suppressed."""
    report = Report.of(data, arguments)
    return attack_groups(report) + attack_rates(report)


def attack_groups(report: Report) -> int:
    """Everything of withheld groups."""
    least, attacked = report.least, 0
    hidden = {p for p, n in report.size.items() if n is None}
    for place, shown in report.size.items():
        current, listed = report.true[place], report.listed(place)
        assert shown is None or shown == current["n"] >= least
        if shown is not None:
            continue
        low, high = report.attacker.range(*place, "n")
        assert low - CLOSE <= current["n"] <= high + CLOSE
        assert high - low >= least - 1 - listed - CLOSE, (place, low, high)
        if current["n"] >= least:
            continue
        assert low <= listed + CLOSE and high >= least - 1 - CLOSE, (place, low, high)
        around = report.around(hidden, place)
        for name in [] if report.whole(hidden, place) else COUNTS:
            low, high = report.attacker.range(*place, name)
            floor = max([0.0, *(listed - (t["n"] - t[name]) for t in around)])
            cap = min([least - 1, *(t[name] for t in around)])
            assert low <= floor + CLOSE and high >= max(floor, cap) - CLOSE, (place, name, low, high, floor, cap)
        attacked += len(COUNTS)
    return attacked


def attack_rates(report: Report) -> int:
    """Rates of groups that are shown, where their own denominator is small."""
    attacked = 0
    for place, shown in report.size.items():
        for metric, present, counts in BLOCKS:
            small = min(report.true[place][name] for name in present) < report.least
            if shown is None or (metric, *place) not in report.rows or not small:
                continue
            assert {report.rows[m, *place]["status"] for m in TOGETHER.get(metric, [metric])} == {"suppressed"}
            hidden = {p for p in report.size if report.rows[metric, *p]["status"] != "ok"}
            needed = ("base rate", "selection rate") if counts == ("tp",) else ()
            columns = {report.rows[m, *place]["status"] for m in needed} | {"ok"}
            if report.whole(hidden, place) or columns != {"ok"}:
                continue  # a column that is withheld as a whole is attacked itself
            for name in counts:
                low, high = report.attacker.range(*place, name)
                floor, cap = declared(report, report.around(hidden, place, present), place, name)
                assert low <= floor + CLOSE and high >= cap - CLOSE, (place, name, low, high, floor, cap)
                attacked += 1
    return attacked


def declared(report: Report, around: list[dict], place: Place, name: str) -> tuple[float, float]:
    """The range that the docstring of `fairstats.auditing.suppression` promises of a numerator."""
    current, least = report.true[place], report.least
    if name != "tp":
        floor = max([0.0, *(current["n"] - (t["n"] - t[name]) for t in around)])
        return floor, max(floor, min([least - 1, *(t[name] for t in around)]))
    parts = [report.true[report.attacker.finest, atom] for atom in report.atoms(place)]
    spare = {cell: min([np.inf, *(t[cell] - current[cell] for t in around)]) for cell in CELLS}
    down = min(sum(min(t["tp"], t["tn"]) for t in parts), spare["fp"], spare["fn"])
    up = min(sum(min(t["fp"], t["fn"]) for t in parts), spare["tp"], spare["tn"])
    return current["tp"] - down, current["tp"] + min(up, max(0, least - 1 - down))


@pytest.mark.long
def test_no_suppressed_count_can_be_had_by_subtraction():
    """The example of the review: 4 people of whom 3 were selected, in two attributes."""
    rng = np.random.default_rng(0)
    data = pd.DataFrame({"g": ["a"] * 100 + ["b"] * 60 + ["c"] * 40 + ["e"] * 4, "s": ["m", "f"] * 102})
    data["d"] = [*rng.integers(0, 2, 200), 1, 1, 1, 0]
    arguments = {"decision": "d", "groups": ["g", "s"], "min_n": 10}
    assert attack(data, arguments) > 0
    shown = {c.group: c.n for c in audit(data, **arguments).cells if c.attribute == "g"}
    assert shown["a"] == 100 and shown["b"] == 60 and math.isnan(shown["c"]) and math.isnan(shown["e"])


@pytest.mark.long
@pytest.mark.parametrize("seed", QUICK)
def test_no_suppressed_count_is_bounded_more_narrowly_than_declared(seed):
    attack(*random_people(seed))


@pytest.mark.long
def test_the_quick_reports_are_attacked_at_all():
    """A report that withholds nothing would pass the test above."""
    assert sum(attack(*random_people(seed)) for seed in QUICK[:3]) > 20


@pytest.mark.slow
@pytest.mark.parametrize("seed", sorted(set(range(200)) - set(QUICK)))
def test_no_suppressed_count_is_bounded_more_narrowly_than_declared_in_any_of_200(seed):
    attack(*random_people(seed))


def test_the_attack_finds_what_is_open():
    """An attacker who can find nothing would make the tests above pass: with one group withheld, it is computed."""
    data = pd.DataFrame({"g": ["a"] * 100 + ["b"] * 60 + ["c"] * 4, "d": [0, 1] * 82})
    published = json.loads(json.dumps(audit(data, decision="d", groups="g").to_dict()))
    for cell in published["cells"]:
        if cell["group"] == "c":
            cell |= {name: None for name in cell if name not in ("attribute", "group")}
    published["estimates"] = [r for r in published["estimates"] if r["group"] != "c"]
    assert Attacker(published).range("g", "c", "n") == pytest.approx((4, 4))


def scored(seed: int = 0) -> pd.DataFrame:
    """Two groups of many people and two of few, with scores, strata, weights and clusters."""
    rng = np.random.default_rng(seed)
    g = np.repeat(["a", "b", "c", "e"], [120, 90, 30, 4])
    data = pd.DataFrame({"g": g, "p": rng.random(g.size).round(3), "w": rng.uniform(1, 3, g.size)})
    data["y"] = rng.binomial(1, data["p"])
    data["d"] = rng.binomial(1, 0.2 + 0.6 * data["p"])
    data["k"], data["t"] = rng.integers(0, 20, g.size), rng.choice(["u", "v"], g.size)
    return data


DESIGNS = {
    "people": {"score": "p", "decision": "d", "strata": "t"},
    "threshold": {"score": "p", "threshold": 0.5, "positive_prediction": 1},
    "scores only": {"score": "p"},
    "probability weights": {"decision": "d", "weights": "w", "weight_type": "probability"},
    "clusters": {"decision": "d", "clusters": "k", "strata": "t"},
}


@pytest.mark.long
@pytest.mark.parametrize("design", DESIGNS)
def test_nothing_published_is_a_function_of_suppressed_people(design):
    """Whatever is true of the people of c and e: no estimate, standard error, p-value, curve or word changes."""
    data = scored()
    hidden = data["g"].isin(["c", "e"])
    other = data.copy()
    for column in ("p", "y", "d", "t", "w"):
        other.loc[hidden, column] = data.loc[hidden, column].to_numpy()[::-1]
    assert not other.equals(data)
    arguments = {
        "outcome": "y",
        "groups": "g",
        "reference": "a",
        "min_n": 10,
        "p_adjust": "bonferroni",
        **DESIGNS[design],
    }
    one, two = audit(data, **arguments), audit(other, **arguments)
    gone = one.estimates.where(status="suppressed")
    assert {row.group for row in gone if row.metric not in HIGHEST} == {"c", "e", ""}  # "": of all groups at once
    assert any(math.isfinite(v) for v in one.estimates.where(group="b").column("p_value"))
    published, again = one.to_dict(), two.to_dict()
    for part in ("finding", "flow", "references", "cells", "estimates", "curves", "notes"):
        assert json.dumps(published[part]) == json.dumps(again[part]), part
    assert one.summary() == two.summary()


@pytest.mark.long
@pytest.mark.parametrize("design", DESIGNS)
def test_no_number_stands_in_a_row_or_line_of_a_suppressed_group(design):
    result = audit(scored(), outcome="y", groups="g", reference="a", min_n=10, **DESIGNS[design])
    rows = result.tidy()
    mine = rows[rows["group"].isin(["c", "e"]) | rows["reference"].isin(["c", "e"])]
    assert set(mine["status"]) == {"suppressed"}
    assert mine["reason"].nunique() == 1  # a small group and one that protects it are told in the same words
    assert mine.select_dtypes("number").isna().all(axis=None)
    assert not [c for c in result.curves if c.group in "ce"]
    lines = [line.split() for line in result.summary().splitlines()]
    text = [line for line in lines if line and line[0] in ("c", "e")]
    assert text and all(line[1] == "withheld:" or {*line[1:]} == {"–", "withheld"} for line in text)


def test_the_order_of_withheld_groups_does_not_tell_their_sizes():
    data = pd.DataFrame({"g": np.repeat(["a", "z", "m", "b"], [90, 40, 30, 4]), "d": [0, 1] * 82})
    cells = audit(data, decision="d", groups="g", min_n=5).cells
    assert [c.group for c in cells] == ["a", "z", "b", "m"]


def test_people_without_a_group_are_one_of_the_groups_also_in_the_flow():
    data = pd.DataFrame({"g": ["a"] * 60 + ["b"] * 50 + [None] * 3, "d": [0, 1] * 56 + [0]})
    result = audit(data, decision="d", groups="g", min_n=10)
    (step,) = [s for s in result.flow if s.label == "g missing"]
    assert math.isnan(step.n) and step.reason.endswith("suppressed")
    assert "bounds: missing groups" not in result.estimates.column("term")
    assert result.to_dict()["flow"][1]["n"] is None


@pytest.mark.long
@pytest.mark.parametrize("lost", [1, 3, 9])
@pytest.mark.parametrize("more", [{}, {"y": "outcome"}, {"s": "groups"}])
def test_how_few_people_without_a_group_were_left_out_is_not_printed(lost, more, monkeypatch):
    """Whoever of the smallest group had none instead: all that is published is the same, the page too."""

    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")

    def left_out(k: int) -> pd.DataFrame:
        people = pd.DataFrame({"g": ["a"] * 140 + ["c"] * 80 + ["b"] * 40, "d": [0, 1] * 130, "s": list("xy") * 130})
        people["y"] = [0, 0, 1, 1] * 65
        people.loc[260 - k :, "g"] = None
        return people

    arguments = {
        "decision": "d",
        "groups": ["g", *more] if "s" in more else "g",
        "outcome": "y" if "y" in more else None,
    }
    results = [audit(left_out(k), **arguments, min_n=10, missing="drop") for k in (lost, 5)]
    flow = {s.label: s.n for s in results[0].flow}
    assert flow["rows read"] == 260 and math.isnan(flow["g missing"]) and math.isnan(flow["rows analyzed"])
    for name in ("g", *(["s"] if "s" in more else [])):
        cells = {c.group: c.n for c in results[0].cells if c.attribute == name}
        assert sum(map(math.isnan, cells.values())) >= 1, "all less those of the groups would tell"
    if "s" not in more:  # the labels of s are those of the people left out, too
        one, other = (r.to_dict() | {"provenance": "", "data": ""} for r in results)
        assert one == other
        assert report(results[0]).html == report(results[1]).html


def test_many_people_without_a_group_are_counted_and_few_of_one_attribute_are_not():
    data = pd.DataFrame({"g": ["a"] * 90 + ["b"] * 60, "s": ["x", "y"] * 75, "d": [0, 1] * 75})
    data.loc[:2, "g"], data.loc[20:39, "s"] = None, None
    flow = {s.label: s.n for s in audit(data, decision="d", groups=["g", "s"], min_n=10, missing="drop").flow}
    assert math.isnan(flow["g missing"]) and math.isnan(flow["s missing"]) and flow["rows analyzed"] == 127
    flow = {s.label: s.n for s in audit(data, decision="d", groups=["g", "s"], missing="drop").flow}
    assert (flow["g missing"], flow["s missing"], flow["rows analyzed"]) == (3, 20, 127)
    data.loc[3:20, "g"] = None
    flow = {s.label: s.n for s in audit(data, decision="d", groups="g", min_n=10, missing="drop").flow}
    assert (flow["g missing"], flow["rows analyzed"]) == (21, 129)


def test_weights_do_not_make_a_group_large():
    """`min_n` looks at people: nine of weight 100 are nine."""
    data = pd.DataFrame({"g": ["a"] * 50 + ["b"] * 40 + ["c"] * 9, "d": [0, 1, 1] * 33, "w": [1.0] * 90 + [100.0] * 9})
    arguments = {"decision": "d", "groups": "g", "min_n": 10, "weights": "w"}
    by_type = {kind: audit(data, **arguments, weight_type=kind) for kind in ("probability", "frequency")}
    sizes = {kind: {c.group: c.n for c in result.cells} for kind, result in by_type.items()}
    assert math.isnan(sizes["probability"]["c"]) and sizes["frequency"]["c"] == 900


def test_a_rate_of_few_people_is_withheld_and_their_number_among_many_is_not():
    data = pd.DataFrame({"g": ["a"] * 100 + ["b"] * 60, "y": [0, 1] * 50 + [1] * 3 + [0] * 57})
    data["d"] = np.tile([0, 1, 1, 0], 40)
    result = audit(data, outcome="y", decision="d", groups="g", min_n=10)
    status = {(r.metric, r.group): r.status for r in result.estimates.where(contrast="none", term="") if r.group}
    assert status["base rate", "b"] == status["selection rate", "b"] == status["TPR", "a"] == "ok"
    assert {status[m, "b"] for m in TOGETHER["TPR"]} == {"suppressed"}
    b = next(c for c in result.cells if c.group == "b")
    assert b.positives == 3 and math.isnan(b.tp)
    data["s"] = ["m", "m", "f", "f"] * 40  # another attribute tells the sum of a and b
    both = audit(data, outcome="y", decision="d", groups=["g", "s"], min_n=10)
    assert all(math.isnan(c.tp) for c in both.cells if c.attribute == "g")


def test_curves_have_a_step_for_many_people_only():
    data = scored()
    result = audit(data, outcome="y", score="p", decision="d", groups="g", min_n=10)
    for curve in [c for c in result.curves if c.kind == "ecdf"]:
        n = int((data["g"] == curve.group).sum())
        steps = np.diff([0, *curve.y, 1]) * n
        assert steps.min() > 10 - CLOSE


@pytest.mark.parametrize("least", [2, 10, 25])
def test_two_points_of_a_roc_curve_are_apart_by_min_n_people(least):
    data = scored()
    for curve in audit(data, outcome="y", score="p", groups="g", min_n=least).curves:
        if curve.kind == "roc":
            current = data[data["g"] == curve.group].dropna(subset=["y", "p"])
            n, positives = len(current), int(current["y"].sum())
            people = np.asarray(curve.x) * (n - positives) + np.asarray(curve.y) * positives
            assert len(people) > 2 and (np.diff(people)[1:-1] > least - CLOSE).all()
            assert people[1] > 0 and people[-1] == pytest.approx(n)


def test_bins_that_are_left_out_cannot_be_had_from_the_others():
    from fairstats.auditing.curves import _shown

    assert _shown(np.array([20.0, 12, 3, 30]), 10).tolist() == [True, False, False, True]
    assert _shown(np.array([20.0, 12, 3, 2, 11]), 10).tolist() == [True, True, False, False, False]
    assert _shown(np.array([20.0, 12, 3]), 1).tolist() == [True, True, True]


@pytest.mark.parametrize("missing", [0, 4, 200])
def test_people_without_a_score_beside_a_decision_are_counts_to_guard(missing, monkeypatch):
    rng, seen = np.random.default_rng(1), []
    people = pd.DataFrame({"g": np.repeat(["a", "b"], 100), "d": rng.integers(0, 2, 200), "s": rng.random(200)})
    people.loc[: missing - 1, "s"] = np.nan
    atom_counts = suppression.atom_counts
    monkeypatch.setattr(suppression, "atom_counts", lambda *given: seen.append(atom_counts(*given)) or seen[-1])
    score = {"score": "s"} if missing < 200 else {}
    audit(people, decision="d", groups="g", min_n=10, **score)
    assert ("score" in seen[0].blocks) == (0 < missing < 200)
    assert seen[0].counts.sum() == 200


@pytest.mark.parametrize("min_n", [3, 8])
def test_cells_beside_known_sums_are_open_by_no_more_than_min_n_less_one(min_n, monkeypatch):
    rng, seen = np.random.default_rng(2), []
    people = pd.DataFrame({"g": np.repeat(["a", "b"], 200), "y": rng.integers(0, 2, 400), "d": rng.integers(0, 2, 400)})
    atom_counts = suppression.atom_counts
    monkeypatch.setattr(suppression, "atom_counts", lambda *given: seen.append(atom_counts(*given)) or seen[-1])
    audit(people, outcome="y", decision="d", groups="g", min_n=min_n)
    for group in range(2):
        ranges = suppression._numerators(seen[0], (0, group), np.full((0, 18), 0.0), min_n)
        widths = [high - low for _, low, high in ranges]
        assert widths == [widths[0]] * 4  # one number is free, and moves all four
        tp = seen[0].sums[0][group] @ ranges[0][0].astype(float)
        down = tp - ranges[0][1]
        assert ranges[0][2] - tp == max(0.0, min(min_n - 1 - down, widths[0]))
        assert widths[0] == max(down, min_n - 1)


def test_only_withheld_groups_of_somebody_have_a_floor(monkeypatch):
    seen = []
    people = pd.DataFrame({"g": list("aaaabbbbcc") * 10, "d": [0, 1] * 50, "w": [1.0] * 8 + [0.0, 0.0] + [1.0] * 90})
    people.loc[people["g"] == "c", "w"] = 0.0
    atom_counts = suppression.atom_counts
    monkeypatch.setattr(suppression, "atom_counts", lambda *given: seen.append(atom_counts(*given)) or seen[-1])
    audit(people, decision="d", groups="g", weights="w", min_n=3)
    sums = seen[0].sums[0].sum(axis=1)
    every = np.ones(sums.size, dtype=bool)
    assert suppression.floors(seen[0], [every]).shape == (int((sums > 0).sum()), seen[0].counts.size)


@pytest.mark.parametrize("min_n", [3, 12])
def test_a_withheld_group_may_have_anything_from_one_person_to_min_n_less_one(min_n, monkeypatch):
    seen = []
    people = pd.DataFrame({"g": np.repeat(["a", "b", "c"], [60, 50, 2]), "d": [0, 1] * 56})
    atom_counts = suppression.atom_counts
    monkeypatch.setattr(suppression, "atom_counts", lambda *given: seen.append(atom_counts(*given)) or seen[-1])
    audit(people, decision="d", groups="g", min_n=min_n)
    place = (0, seen[0].labels[0].index("c"))
    mask, low, high = suppression._sizes(seen[0], place, np.zeros((0, 18)), min_n)[0]
    assert mask.all() and low == seen[0].listed[place] and high == min_n - 1


def few_of_many(third: int) -> pd.DataFrame:
    """Two large groups, one of `third` people that are all selected, and one of four."""
    sizes = {"a": (600, 240), "b": (400, 120), "c": (third, third), "e": (4, 0)}
    rows = [(g, int(i < k)) for g, (n, k) in sizes.items() for i in range(n)]
    return pd.DataFrame(rows, columns=["g", "d"])


def test_no_finding_changes_because_groups_are_withheld():
    """What is said of the highest rate and of all groups is that of all people, or withheld."""
    open_, hidden = (audit(few_of_many(40), "d", "g", min_n=least) for least in (1, 10))
    assert open_.estimates.where(metric="impact ratio", group="b", given="")[0].reference == "c"  # 100%
    assert {r.status for r in hidden.estimates if r.metric in HIGHEST or r.role == "omnibus"} == {"suppressed"}
    # 14 of 1,014 people: whatever their rates, the rule of four fifths counts no group of under 2%
    open_, hidden = (audit(few_of_many(10), "d", "g", min_n=least) for least in (1, 10))
    first, second = (r.estimates.where(metric=tuple(HIGHEST), group="b", contrast="ratio") for r in (open_, hidden))
    assert [r.estimate for r in first] == [r.estimate for r in second] and first[0].estimate == pytest.approx(0.75)
