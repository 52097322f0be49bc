"""People counted: against pandas, by any partition, and as good as the people themselves."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import fairstats
from fairstats.auditing.arguments import AuditArguments
from fairstats.auditing.audit import estimate
from fairstats.auditing.input import label_columns, observe
from fairstats.auditing.people import with_roles
from fairstats.auditing.protocol import Protocol, declare
from fairstats.auditing.tally import SUMS, Tally, code
from fairstats.data.tables import Factor
from fairstats.errors import InputError
from fairstats.inference.rates.strata_rows import CountedPeople, stratified_rates_from_data, stratified_rates_of_cells
from fairstats.provenance import take_in

ROLES = {"decision": "d", "outcome": "y", "groups": ["g", "s"], "strata": "dept", "missing": "level"}


def people(seed: int, n: int, scored: bool = False) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    table = pd.DataFrame(
        {
            "g": rng.choice(["a", "b", "01", None], n, p=[0.5, 0.3, 0.1, 0.1]),
            "s": rng.integers(1, 3, n),
            "dept": rng.choice(list("xyz"), n),
            "d": rng.choice([0, 1, np.nan], n, p=[0.5, 0.4, 0.1]),
            "y": rng.choice([True, False], n),
            "w": rng.gamma(2.0, 1.0, n) * (rng.random(n) > 0.05),
        }
    )
    return table.assign(score=np.where(rng.random(n) < 0.1, np.nan, rng.integers(0, 9, n) / 3)) if scored else table


def declared(**roles) -> Protocol:
    return declare(AuditArguments(**(ROLES | roles)), None)


def tallied(table: pd.DataFrame, protocol: Protocol) -> Tally:
    return Tally.of(observe(take_in(table, label_columns(protocol))[0], protocol))


def as_table(tally: Tally) -> dict[tuple, tuple]:
    """Cells by their labels."""
    labels = [factor.labels.tolist() for factor in tally.factors.values()]
    scores = [[None if v != v else v for v in x.tolist()] for x in tally.numbers.values()]
    sums = zip(*(getattr(tally, name).tolist() for name in SUMS), strict=True)
    return dict(zip(zip(*labels, *scores, strict=True), sums, strict=True))


@pytest.mark.parametrize("score", [None, "score"])
def test_every_combination_is_counted_as_pandas_counts_it(score):
    table = people(1, 3000, scored=True)
    tally = tallied(table, declared(score=score, weights="w", weight_type="probability"))
    names = [*tally.factors, *tally.numbers]
    table = table.assign(square=table["w"] ** 2, used=table["w"] > 0)
    current = table.groupby(names, dropna=False).agg(
        n=("w", "size"), w=("w", "sum"), q=("square", "sum"), u=("used", "sum")
    )
    assert len(tally) == len(current)
    assert tally.rows.sum() == 3000
    assert sorted(tally.rows) == sorted(current["n"])
    np.testing.assert_allclose(np.sort(tally.weight), np.sort(current["w"]), rtol=1e-12)
    np.testing.assert_allclose(np.sort(tally.square), np.sort(current["q"]), rtol=1e-12)
    np.testing.assert_allclose(np.sort(tally.used), np.sort(current["u"]))


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 10**6), parts=st.integers(2, 5), scored=st.booleans(), weighted=st.booleans())
def test_the_tallies_of_any_partition_add_up_to_that_of_the_whole(seed, parts, scored, weighted):
    table = people(seed, 120, scored=True)
    protocol = declared(
        score="score" if scored else None,
        weights="w" if weighted else None,
        weight_type="probability" if weighted else "frequency",
    )
    whole = observe(take_in(table, label_columns(protocol))[0], protocol)
    part = np.random.default_rng(seed).integers(0, parts, len(table))
    pieces = [Tally.of(_rows(whole, part == i)) for i in range(parts) if (part == i).any()]
    merged = sum(pieces)
    one, other = as_table(Tally.of(whole)), as_table(merged)
    assert one.keys() == other.keys()
    np.testing.assert_allclose([one[k] for k in one], [other[k] for k in one], rtol=1e-12)


@pytest.mark.parametrize("design", [{}, {"score": "score", "outcome": None}, {"weights": "w", "clusters": "s"}])
def test_the_audit_of_merged_tallies_is_that_of_the_people(design):
    table = people(5, 300, scored=True)
    protocol = declared(
        **({"groups": "g", "weight_type": "probability" if "weights" in design else "frequency"} | design)
    )
    whole = observe(take_in(table, label_columns(protocol))[0], protocol)
    tallies = [Tally.of(_rows(whole, np.arange(300) % 3 == i)) for i in range(3)]
    a, b = (estimate(*code(tally, protocol)) for tally in (Tally.of(whole), tallies[2] + tallies[0] + tallies[1]))
    for x, y in zip(a.estimates, b.estimates, strict=True):
        assert (x.metric, x.group, x.verdict) == (y.metric, y.group, y.verdict)
        np.testing.assert_allclose([x.estimate, x.conf_low, x.p_value], [y.estimate, y.conf_low, y.p_value], rtol=1e-9)


def _rows(observations, rows):
    """Some people, whose columns have the labels that occur among them."""
    weights = None if observations.weights is None else observations.weights[rows]
    factors = {name: factor.take(rows).used() for name, factor in observations.factors.items()}
    numbers = {name: x[rows] for name, x in observations.numbers.items()}
    return type(observations)(factors, numbers, weights, observations.weights_name)


def test_tallies_of_other_columns_do_not_add_up():
    table = people(3, 50)
    with pytest.raises(InputError, match="other counts d, g, s, y; this tally counts d, dept, g, s, y"):
        tallied(table, declared()) + tallied(table, declared(strata=None))


def test_a_column_of_very_many_labels_is_counted_too():
    many = Factor(np.arange(5000) % 4999, tuple(f"{i:04d}" for i in range(4999)))
    from fairstats.auditing.input import Observations

    tally = Tally.of(Observations({"a": many, "b": many, "c": many}, {}))
    assert len(tally) == 4999
    assert tally.rows[0] == 2


def test_the_dictionary_is_plain_and_says_its_schema():
    tally = tallied(people(4, 200, scored=True), declared(score="score"))
    kept = json.loads(json.dumps(tally.to_dict()))
    assert kept["schema"] == "fairstats/tally/1"
    assert sum(kept["cells"]["rows"]) == 200
    assert kept["labels"]["g"] == ["01", "a", "b"]
    assert len(kept["cells"]["labels"]["g"]) == len(kept["cells"]["numbers"]["score"]) == len(tally)


@pytest.mark.parametrize("clustered", [False, True])
def test_strata_of_cells_are_strata_of_people(rng, clustered):
    n = 600
    y, g, s, k = (rng.integers(0, m, n) for m in (2, 2, 4, 20))
    w = rng.choice([0.5, 1.0, 2.5], n)
    table = pd.DataFrame({"y": y, "g": g, "s": s, "k": k if clustered else 0, "w": w, "q": w * w, "n": 1.0})
    cells = table.groupby(["y", "g", "s", "k"], as_index=False).sum()
    counted = CountedPeople(*(cells[c].to_numpy() for c in ("n", "w", "q")))
    current = stratified_rates_from_data(y, g == 1, s, weights=w, clusters=k if clustered else None)
    ours = stratified_rates_of_cells(
        cells["y"], cells["g"] == 1, cells["s"].to_numpy(), counted, clusters=cells["k"] if clustered else None
    )
    for name in ("rate1", "rate0", "variance1", "variance0", "size1", "df", "n1"):
        assert getattr(ours, name) == pytest.approx(getattr(current, name), rel=1e-10, nan_ok=True), name


@pytest.mark.long
@pytest.mark.parametrize("design", [{}, {"weights": "w", "weight_type": "probability"}, {"clusters": "dept"}])
def test_an_audit_of_a_saved_tally_is_the_audit_of_the_table(design, tmp_path):
    table = people(6, 400, scored=True)
    roles = {"decision": "d", "outcome": "y", "score": "score", "groups": "g"}
    counted = fairstats.tally(table, **roles, weights="w", clusters="dept")
    kept = fairstats.load(counted.save(tmp_path / "people.npz"))
    assert repr(kept) == repr(counted)
    one, other = (fairstats.audit(data, **roles, **design, missing="level") for data in (table, kept))
    assert len(one.estimates) > 100
    for x, y in zip(one.estimates, other.estimates, strict=True):
        assert (x.metric, x.group, x.verdict, x.reason) == (y.metric, y.group, y.verdict, y.reason)
        np.testing.assert_allclose([x.estimate, x.conf_low, x.p_value], [y.estimate, y.conf_low, y.p_value], rtol=1e-9)
    assert one.flow == other.flow


def test_an_audit_asks_a_tally_for_nothing_that_it_has_not_counted():
    counted = fairstats.tally(people(7, 100, scored=True), "d", ["g", "s"])
    for roles, words in [
        ({"groups": "sex"}, "groups has 'sex'; the tally has no such column"),
        ({"groups": "g", "strata": "dept"}, "strata has 'dept'"),
        ({"groups": "g", "score": "score"}, "score has 'score'"),
        ({"groups": "g", "weights": "w"}, "weights has 'w'; the tally was counted without"),
        ({"groups": "g", "missing": "raise"}, "missing='level'"),
        ({"groups": ["g", "d"]}, "it is also the decision"),
    ]:
        with pytest.raises(InputError, match=words):
            fairstats.audit(counted, "d", **roles)
    assert "race" not in str(fairstats.audit(counted, "d", "s").estimates)


def test_a_site_with_one_group_is_counted_and_only_an_audit_needs_two():
    women = fairstats.tally({"sex": ["f", "f"], "hired": [0, 1]}, "hired", "sex")
    men = fairstats.tally({"sex": ["m", "m"], "hired": [1, 1]}, "hired", "sex")
    with pytest.raises(InputError, match="its only level is 'f', missing values and blanks apart; an audit needs two"):
        fairstats.audit(women, "hired", "sex")
    assert fairstats.audit(women + men, "hired", "sex").cells[0].n == 2


def test_a_tally_shows_itself_as_every_other_object_does():
    trap = '"><script>alert(1)</script>\x1b[2J'
    table = pd.DataFrame({"g": ["a", "b", trap, None] * 30, "d": [0, 1, 1] * 40, "s": np.arange(120) % 7 / 10})
    tally = fairstats.tally(table, "d", "g", score="s")
    text = tally.summary()
    assert max(map(len, text.splitlines())) <= 80 and text.startswith("Tally of 120 rows in 56 cells\n")
    assert "(missing) (30)" in text and "7 different numbers, 0 to 0.6" in text and str(tally) == text
    assert "\x1b" not in text + repr(tally) and repr(tally) == "<Tally: 120 rows in 56 cells of g, d, s>"
    page = tally._repr_html_()
    assert "<table" in page and "<script" not in page and "\x1b" not in page and "and 36 more" in page
    frame = tally.to_frame()
    assert list(frame) == ["g", "d", "s", ".rows"] and len(frame) == len(tally)
    counted = table.assign(g=table.g.fillna("nobody"), d=table.d.astype(str)).groupby(["g", "d", "s"]).size()
    assert frame.assign(g=frame.g.fillna("nobody")).set_index(["g", "d", "s"])[".rows"].to_dict() == counted.to_dict()
    weighted = fairstats.tally(table.assign(w=2.5), "d", "g", weights="w")
    assert weighted.to_frame()[".weight"].sum() == 300 and "w  weights, 300 in all" in weighted.summary()
    hidden = fairstats.tally(table, "d", "g", score="s").withhold(3)
    assert "withheld" in hidden.summary() and hidden.to_frame()[".most"].max() == 2
    assert "withheld, at least" in hidden._repr_html_() and hidden.to_frame()[".rows"].isna().any()
    assert fairstats.tally(table, "d", "g").summary().count("\n") == 3


def test_a_cell_without_a_label_is_called_missing_where_it_was_withheld():
    table = {"g": ["a"] * 40 + ["b"] * 40 + [None] * 3, "d": [0, 1] * 41 + [1]}
    audit = fairstats.audit(fairstats.tally(table, "d", "g").withhold(5), missing="level")
    hidden = " ".join(str(note) for note in audit.notes if "withheld" in note)
    assert "g (missing), d 1" in hidden and "None" not in hidden


def test_labels_that_are_numbers_in_one_tally_and_not_in_the_other_are_named():
    whole, logical = ({"g": list("ab") * 9, "d": [0, 1] * 9}, {"g": list("ab") * 9, "d": [False, True] * 9})
    with pytest.raises(fairstats.InputError, match="'d' holds 0, 1 in one part of the data and False, True in anot"):
        fairstats.tally(whole, "d", "g") + fairstats.tally(logical, "d", "g")


def test_a_sum_keeps_what_was_sent_beside_what_was_withheld():
    sites = [fairstats.tally({"g": ["a"] * n + ["b"] * 15, "d": [1] * (n + 15)}, "d", "g").withhold(5) for n in (15, 3)]
    counts = sum(sites).to_frame().set_index("g")[[".rows", ".least", ".most"]]
    assert counts.loc["a"].tolist() == [15, 1, 4] and counts.loc["b"].tolist() == [30, 0, 0]
    alone = sites[1].to_frame()
    assert alone[".rows"].isna().tolist() == [True, False] and alone[".rows"].sum() == 15


def test_the_lines_of_a_long_column_begin_where_its_text_does():
    table = pd.DataFrame({"g": [f"a label of some length {i % 9}" for i in range(90)], "decision": [0, 1, 1] * 30})
    lines = fairstats.tally(table, "decision", "g").summary().splitlines()
    first = next(line for line in lines if line.startswith("  g "))
    more = lines[lines.index(first) + 1]
    assert more.strip().startswith(("a label", "(", "label", "of", "some", "length")) or more.strip()[0].isdigit()
    assert len(more) - len(more.lstrip()) == first.index("a label")


def rows_of(audit: fairstats.Audit) -> list[tuple]:
    return [(r.metric, r.attribute, r.group, r.contrast, r.role, repr(r.estimate), r.verdict) for r in audit.estimates]


@pytest.mark.long
@pytest.mark.parametrize(
    "roles",
    [
        {"decision": "d", "groups": ["g", "s"]},
        {"decision": "d", "groups": "g", "strata": "dept:s"},
        {"decision": "d", "groups": "g:s", "weights": "w", "clusters": "dept"},
    ],
)
def test_an_audit_of_a_tally_needs_no_column_named_again(roles, tmp_path):
    counted = fairstats.tally(people(8, 150, scored=True), **roles)
    more = {"weight_type": "probability"} if "weights" in roles else {}
    named, left = fairstats.audit(counted, **roles, **more), fairstats.audit(counted, **more)
    assert rows_of(left) == rows_of(named) and left.protocol == named.protocol
    assert left.provenance.call == named.provenance.call
    kept = fairstats.load((counted + counted).save(tmp_path / "both.npz"))
    assert kept.roles == counted.roles and rows_of(fairstats.audit(kept, **more)) == rows_of(
        fairstats.audit(counted + counted, **roles, **more)
    )


def test_who_names_columns_of_a_tally_has_chosen(tmp_path):
    table = people(9, 150)
    counted = fairstats.tally(table, "d", ["g", "s"], outcome="y", weights="w")
    assert with_roles(counted, {"groups": None, "decision": "d", "weights": None}) == {
        "groups": ["g", "s"],
        "decision": "d",
        "weights": None,
    }
    chosen = with_roles(counted, {"groups": "g", "decision": None})
    assert chosen == {"groups": "g", "decision": "d", "outcome": "y", "weights": "w"}
    with pytest.raises(InputError, match="values that are not whole"):
        fairstats.audit(counted)
    file = tmp_path / "audit.toml"
    file.write_text('groups = ["s"]\nreference = "1"\nweight_type = "probability"')
    planned = fairstats.audit(counted, protocol=file).protocol
    assert (planned.groups, planned.decision, planned.outcome, planned.weights) == (("s",), "d", "y", "w")
    sites = fairstats.tally(table, "d", "g", strata="s"), fairstats.tally(table, "d", ["g", "s"])
    both = sites[0] + sites[1]
    assert both.roles == {"decision": ("d",)}
    with pytest.raises(InputError, match="groups is absent"):
        fairstats.audit(both)
    assert not both.withhold(5).roles.keys() - {"decision"}
    assert counted.to_dict()["roles"] == {"groups": ["g", "s"], "outcome": ["y"], "decision": ["d"], "weights": ["w"]}


def test_the_table_of_a_tally_is_not_audited_as_people() -> None:
    """Its lines are cells: four of them were four people, and withheld ones were left out of what weights count."""
    people = {"g": ["a", "b"] * 60, "y": [1, 1, 0, 0] * 28 + [1] * 7 + [0]}
    counted = fairstats.tally(people, "y", "g")
    frame = counted.to_frame()
    with pytest.raises(InputError, match="a line a cell, not a person; pass the tally itself, or pass weights"):
        fairstats.audit(frame, "y", "g")
    assert fairstats.audit(frame, "y", "g", weights=".rows").people == fairstats.audit(counted).people == 120
    hidden = counted.withhold(30).to_frame()
    assert (hidden[".most"] > 0).any()
    for weights in ({}, {"weights": ".rows"}):
        with pytest.raises(InputError, match="of withheld cells, whose people no column counts; pass the tally"):
            fairstats.audit(hidden, "y", "g", **weights)
