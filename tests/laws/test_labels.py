"""Different groups are never one, whatever their labels are and whichever way the data come."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import fairstats
from fairstats.data.groups import Groups
from fairstats.data.read import MISSING, read_table
from fairstats.errors import InputError
from fairstats.labels import join, label, of_text

codes = st.sampled_from(["01", "1", "1.0", "1.", "+1", "001", "-0", "0", "10", "2", "1e1", "9007199254740993", "x:y"])
words = st.text(st.characters(codec="utf-8", exclude_characters="\0\r\n\ufeff"), min_size=1, max_size=4)
texts = st.one_of(codes, words.filter(lambda t: t.strip() and t not in MISSING and t != "(missing)"))
KINDS: dict[str, st.SearchStrategy[Any]] = {
    "text": texts,
    "integers": st.one_of(st.integers(-3, 12), st.integers(2**53, 2**53 + 3), st.integers(-(2**63), 2**63 - 1)),
    "logicals": st.booleans(),
    "whole floats": st.integers(-3, 12).map(float),
}


def counts(groups: Groups) -> Counter[str]:
    return Counter(groups.labels.tolist())


def of_moments(m: Any) -> Counter[str]:
    return Counter({join(c) if len(c) > 1 else c[0]: int(n) for c, n in zip(m.cells, m.n, strict=True)})


def frames(values: list[Any]) -> dict[str, Any]:
    """The same column in every kind of table, with a feature beside it."""
    x = [float(i % 3) for i in range(len(values))]
    gaps = any(v is None for v in values)
    kind = type(next(v for v in values if v is not None))
    entries = {"dict": {"g": values, "x": x}, "object": pd.DataFrame({"g": pd.Series(values, dtype=object), "x": x})}
    typed = {int: "Int64", bool: "boolean", float: "Float64", str: "string"}[kind]
    entries["pandas"] = pd.DataFrame({"g": pd.array(values, dtype=typed), "x": x})
    if not gaps and kind is not str:
        entries["numpy"] = pd.DataFrame({"g": np.array(values), "x": x})
    entries["category"] = pd.DataFrame({"g": pd.Categorical(values), "x": x})
    entries["polars"] = pl.DataFrame({"g": values, "x": x})
    entries["pyarrow"] = pa.table({"g": values, "x": x})
    return entries


@pytest.mark.long
@settings(max_examples=12, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data(), kind=st.sampled_from(sorted(KINDS)), gaps=st.booleans())
def test_every_route_gives_the_same_groups(data: Any, kind: str, gaps: bool, tmp_path: Path) -> None:
    seen = data.draw(st.lists(KINDS[kind], min_size=2, max_size=5, unique=True))
    values = [*seen, *seen[:2], seen[0]] + [None] * gaps
    truth = Counter("(missing)" if v is None else label(v) for v in values)
    if len(truth) - gaps < 2:
        return
    level = "level"
    tables = frames(values)
    for name, table in tables.items():
        assert counts(Groups.of("g", table, missing=level)) == truth, name
    assert counts(Groups.of(values, missing=level)) == truth
    assert counts(Groups.of({"g": values}, missing=level)) == truth
    assert counts(Groups.of(tables["polars"]["g"], missing=level)) == truth
    first = values.index(None) if gaps else len(values) // 2
    halves = [{k: v[part] for k, v in tables["dict"].items()} for part in (slice(first), slice(first, None))]
    assert of_moments(fairstats.moments(halves, "g", missing=level)) == truth

    tables["pandas"].to_parquet(tmp_path / "a.parquet")
    tables["pyarrow"].to_pandas().to_feather(tmp_path / "a.feather") if kind == "text" else None
    assert counts(Groups.of("g", read_table(tmp_path / "a.parquet").frame, missing=level)) == truth
    assert of_moments(fairstats.moments(tmp_path / "a.parquet", "g", missing=level)) == truth

    written = tables["pandas"].astype({"g": object})
    written.to_csv(tmp_path / "a.csv", index=False)
    spelled = [None if v is None else str(v) for v in values]
    to = of_text(t for t in spelled if t is not None) or {}
    truth = Counter("(missing)" if t is None else to.get(t, t) for t in spelled)
    assert counts(Groups.of("g", read_table(tmp_path / "a.csv", labels=["g"]).frame, missing=level)) == truth
    chunked = fairstats.moments(tmp_path / "a.csv", "g", missing=level)
    assert of_moments(chunked) == truth
    whole = Groups.of("g", read_table(tmp_path / "a.csv", labels=["g"]).frame, missing=level)
    assert chunked.levels[0] == whole.factors[0].levels
    sizes = {c.group: c.n for c in fairstats.audit(tmp_path / "a.csv", score="x", groups="g").cells}
    assert sizes == dict(truth)


@pytest.mark.long
@settings(max_examples=12, deadline=None, derandomize=True)
@given(rows=st.lists(st.tuples(texts | st.none(), texts | st.none()), min_size=4, max_size=12))
def test_fits_audits_and_chunks_intersect_alike(rows: list[tuple[str | None, str | None]]) -> None:
    named = [tuple("(missing)" if v is None else v for v in row) for row in rows]
    if any(len({row[i] for row in rows if row[i] is not None}) < 2 for i in (0, 1)) or len(set(named)) < 2:
        return
    table = {"a": [r[0] for r in rows], "b": [r[1] for r in rows], "x": [float(i) for i in range(len(rows))]}
    truth = Counter(map(join, named))
    assert len(truth) == len(set(named))  # no two combinations share a name
    result = Groups.of("a:b", table, missing="level")
    assert counts(result) == truth
    chunks = [{k: v[i : i + 3] for k, v in table.items()} for i in range(0, len(rows), 3)]
    chunked = fairstats.moments(chunks, "a:b", missing="level")
    assert of_moments(chunked) == truth and chunked.levels[0] == result.factors[0].levels
    cells = fairstats.audit(table, score="x", groups="a:b").cells
    assert {c.group: c.n for c in cells} == dict(truth)


def test_a_column_with_a_colon_in_its_name_is_a_column_everywhere() -> None:
    table = pd.DataFrame({"a:b": ["p", "q"] * 8, "c": list("uuvv") * 4, "d": [0, 1, 1, 0] * 4, "x": range(16)})
    assert Groups.of("a:b", table).factors[0].levels == ("p", "q")
    assert Groups.of("a:b:c", table).factors[0].levels == ("p:u", "p:v", "q:u", "q:v")
    assert fairstats.moments([table], "a:b:c", features=["x"]).levels == (("p:u", "p:v", "q:u", "q:v"),)
    audited = fairstats.audit(table, decision="d", groups=["a:b", "c"])
    assert set(audited.references) == {"a:b", "c", "a:b:c"}
    assert fairstats.audit(table, decision="d", groups="c", strata="a:b").protocol.strata == "a:b"
    with pytest.raises(InputError, match="can be read as 'a' and 'b:c', 'a:b' and 'c'"):
        Groups.of("a:b:c", table.assign(**{"a": "u", "b:c": "v"}))


def test_intersections_of_numbers_have_one_order_on_every_route() -> None:
    table = {"n": [10, 9, None, 10, 9, 10], "s": list("uvuvuv"), "x": [1.0, 2, 3, 4, 5, 7]}
    whole = Groups.of("n:s", table, missing="level").factors[0].levels
    assert whole == ("9:u", "9:v", "10:u", "10:v", "(missing):u")
    parts = [{k: v[i : i + 2] for k, v in table.items()} for i in (4, 2, 0)]
    assert fairstats.moments(parts, "n:s", missing="level").levels == (whole,)


@pytest.mark.parametrize("read", ["fit", "audit", "moments", "strata"])
def test_a_label_that_reads_like_missing_is_refused(read: str) -> None:
    table = {"g": ["a", "b", "(missing)", None] * 3, "h": list("uv") * 6, "x": range(12), "d": [0, 1, 1] * 4}
    calls = {
        "fit": lambda: fairstats.og(["x"], "g", k=1, data=table, missing="level"),
        "audit": lambda: fairstats.audit(table, decision="d", groups="g"),
        "moments": lambda: fairstats.moments([table], "g", features=["x"], missing="level"),
        "strata": lambda: fairstats.audit(table, decision="d", groups="h", strata="g"),
    }
    with pytest.raises(InputError, match=r"='g' has the label '\(missing\)'"):
        calls[read]()
