"""Batches counted by place are the batches that Arrow's own hash groups."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pa = pytest.importorskip("pyarrow")

from fairstats.data.batches import MOST_PLACES, counted_batch, places_of  # noqa: E402

INTEGERS = [getattr(pa, f"{sign}int{bits}")() for sign in ("", "u") for bits in (8, 16, 32, 64)]


def ends(kind: pa.DataType) -> tuple[int, int]:
    bits = kind.bit_width
    return (0, 2**bits - 1) if pa.types.is_unsigned_integer(kind) else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)


@st.composite
def columns(draw, n: int) -> pa.Array:
    """Labels of a kind, next to the ends of what it can hold, with or without gaps."""
    gaps = draw(st.booleans())
    kind = draw(st.sampled_from([*INTEGERS, pa.bool_(), pa.dictionary(pa.int8(), pa.string()), pa.float64()]))
    if kind in INTEGERS:
        low, high = ends(kind)
        start = draw(st.sampled_from([low, 0, high - 3]))
        values = st.integers(start, start + 3)
    elif kind == pa.bool_():
        values = st.booleans()
    else:
        values = st.sampled_from(["a", "b", "ä"] if kind != pa.float64() else [0.5, 1.0])
    return pa.array(draw(st.lists(st.none() | values if gaps else values, min_size=n, max_size=n)), type=kind)


@pytest.mark.long
@settings(max_examples=150, deadline=None)
@given(data=st.data(), n=st.integers(1, 30), k=st.integers(1, 3))
def test_every_combination_has_the_count_of_arrows_hash(data, n, k):
    names = [f"k{i}" for i in range(k)]
    table = pa.table({name: data.draw(columns(n)) for name in names} | {"w": np.arange(n) * 0.5})
    arguments = {"sum": ("w", "sum"), "least": ("w", "min")} if data.draw(st.booleans()) else {}
    result = counted_batch(table, names, arguments, "n")
    plain = pa.table([c.combine_chunks().dictionary_decode() if pa.types.is_dictionary(c.type) else c
                      for c in table.columns], names=table.column_names)  # fmt: skip
    current = plain.group_by(names).aggregate([([], "count_all"), ("w", "sum"), ("w", "min")]).to_pylist()
    expected = {tuple(row[c] for c in names): (row["count_all"], row["w_sum"], row["w_min"]) for row in current}
    rows = {tuple(row[c] for c in names): (row["n"], *(row[c] for c in arguments)) for row in result.to_pylist()}
    assert rows.keys() == expected.keys()
    assert all(rows[key] == expected[key][: len(rows[key])] for key in rows)


def test_columns_of_many_values_are_hashed():
    wide = pa.table({"x": [0, 10**6, 0], "d": [1, 1, 1]})
    assert places_of(wide, ["x", "d"]) is None
    assert sorted(counted_batch(wide, ["x", "d"], {}, "n")["n"].to_pylist()) == [1, 2]
    many = pa.table({c: np.arange(300) for c in "ab"})
    assert MOST_PLACES < 300 * 300 and places_of(many, ["a", "b"]) is None and places_of(many, ["a"]).size == 300
    assert len(counted_batch(many, ["a", "b"], {}, "n")) == 300
    assert places_of(pa.table({"x": pa.nulls(3, pa.int64())}), ["x"]) is None
    assert counted_batch(pa.table({"x": pa.nulls(3, pa.int64())}), ["x"], {}, "n").to_pylist() == [{"x": None, "n": 3}]


def test_more_rows_than_stay_in_cache_are_counted_in_pieces(rng):
    table = pa.table({"a": rng.integers(-3, 4, 200_001), "b": rng.integers(0, 2, 200_001) == 1})
    result = counted_batch(table, ["a", "b"], {}, "n").to_pylist()
    expected = table.to_pandas().groupby(["a", "b"]).size().to_dict()
    assert {(row["a"], row["b"]): row["n"] for row in result} == expected
