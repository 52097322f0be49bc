"""Selecting from a large table is what a search through all of its rows finds, in their order."""

from __future__ import annotations

import pickle
from itertools import product

import pytest

import fairstats
from fairstats.errors import InputError
from fairstats.estimates import MANY_ROWS, Estimate, Estimates


def test_a_large_table_selects_what_a_search_of_every_row_finds() -> None:
    groups = [f"g{i}" for i in range(MANY_ROWS)]
    rows = Estimates(
        Estimate(metric, attribute, group) for group, metric, attribute in product(groups, ("TPR", "FPR"), ("a", "b"))
    )
    cases = (
        {"metric": "TPR"},
        {"metric": ("FPR", "TPR"), "attribute": "b"},
        {"attribute": ["b", "a"], "group": "g7"},
        {"metric": ("TPR", "TPR"), "group": ("g3", "g1")},
        {"role": "main", "metric": "FNR"},
        {"n": float("nan"), "attribute": "a"},
    )
    for wanted in cases:
        among = {k: v if isinstance(v, (list, tuple)) else (v,) for k, v in wanted.items() if k != "n"}
        brute = [row for row in rows if all(getattr(row, k) in v for k, v in among.items())]
        for _ in range(2):  # the second asks what the first has noted
            assert list(rows.only(**wanted)) == brute
    with pytest.raises(InputError, match=f"did you mean '{groups[-1]}'"):
        rows.where(metric="TPR").where(group=f"{groups[-1]}9")


def test_a_group_that_is_looked_for_by_its_name_is_named_by_its_label() -> None:
    data = {"sex": ["f", "m"] * 60, "race": ["b", "b", "w"] * 40, "d": [1, 1, 0, 1, 0, 0] * 20}
    result = fairstats.audit(data, "d", ["sex", "race"], labels={"groups": {"race": {"b": "Black", "w": "White"}}})
    saved = pickle.loads(pickle.dumps(result))
    for name, label in (("Black", "b"), ("women", "f"), ("Women:Black", "f:b")):
        for rows in (result.estimates, saved.estimates, result.estimates.where(metric="selection rate")):
            with pytest.raises(InputError, match=f"did you mean '{label}', the label of the data that is called so"):
                rows.where(group=name)
        with pytest.raises(InputError, match=f"did you mean '{label}'"):
            result.tidy(group=name)
    with pytest.raises(InputError, match="did you mean 'b'"):
        result.estimates.where(reference="Black", group="w")
    with pytest.raises(InputError, match="no row has it; the table has"):
        result.estimates.where(group="Green")
