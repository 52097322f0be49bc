"""The tally is the same whoever holds the rows: engines, clusters, files, streams; and so is the audit."""

from __future__ import annotations

import hashlib
import sys
import tempfile
from functools import lru_cache
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import fairstats
from fairstats.data import engines
from fairstats.data.engines import joined
from fairstats.errors import InputError
from tests.auditing.engines import HOLDERS, arrow, in_postgres, people
from tests.auditing.test_tally import as_table
from tests.postgres import server

ALL = {"groups": ["g", "code", "flag:day"], "outcome": "y", "strata": ["dept", "whole"], "weights": "w"}


@pytest.fixture(scope="module")
def postgres(tmp_path_factory):
    with tempfile.TemporaryDirectory(prefix="pg") as folder, server(Path(folder)) as result:
        backend = result.connect()
        yield backend
        backend.disconnect()


def holder(name: str, table: pd.DataFrame, folder: Path, request) -> object:
    if name == "postgres":
        return in_postgres(table, request.getfixturevalue("postgres"))
    return HOLDERS[name](table, folder)


def same(one: fairstats.Tally, other: fairstats.Tally) -> None:
    """Counts are equal; sums of weights to the last digits, since they are added in another order."""
    a, b = as_table(one), as_table(other)
    assert a.keys() == b.keys()
    ours, theirs = (np.array([t[k] for k in a]) for t in (a, b))
    np.testing.assert_array_equal(ours[:, :2], theirs[:, :2])
    np.testing.assert_allclose(ours, theirs, rtol=1e-12)


@pytest.mark.long
@pytest.mark.parametrize("name", [*HOLDERS, "postgres"])
@pytest.mark.parametrize("roles", [{}, {"weights": None, "score": "score", "strata": None}])
def test_a_tally_is_the_same_whoever_holds_the_rows(name, roles, tmp_path, request):
    table = people(1, 700)
    arguments = ALL | roles
    mine = fairstats.tally(table, "d", **arguments)
    assert "01" in mine.factors["g"].levels and mine.factors["code"].levels == ("8", "9", "10", "11")
    theirs = fairstats.tally(holder(name, table, tmp_path, request), "d", **arguments)
    for column, factor in mine.factors.items():
        assert theirs.factors[column].levels == factor.levels, column
        assert theirs.factors[column].numbers == factor.numbers, column
    same(mine, theirs)
    assert list(theirs.factors) == list(mine.factors)


DESIGNS = (
    {"strata": "dept", "groups": "flag:code"},
    {"weights": "w", "weight_type": "probability", "outcome": "y"},
    {"score": "score", "outcome": "y", "missing": "drop"},
    {"clusters": "code"},
)


@lru_cache
def audited(place: int) -> fairstats.Audit:
    return fairstats.audit(clustered(), "d", **({"groups": "g"} | DESIGNS[place]))


def clustered() -> pd.DataFrame:
    return people(2, 400).dropna(subset="code")


EACH = {(i % len(DESIGNS), name) for i, name in enumerate([*HOLDERS, "postgres"])}
EVERY = {(i, name) for i in range(len(DESIGNS)) for name in ("duckdb", "postgres", "polars", "dask")}


@pytest.mark.long
@pytest.mark.parametrize(("place", "name"), sorted(EACH | EVERY))
def test_an_audit_is_the_same_whoever_holds_the_rows(place, name, tmp_path, request):
    mine, table = audited(place), clustered()
    theirs = fairstats.audit(holder(name, table, tmp_path, request), "d", **({"groups": "g"} | DESIGNS[place]))
    assert len(mine.estimates) == len(theirs.estimates) > 30
    for x, y in zip(mine.estimates, theirs.estimates, strict=True):
        assert (x.metric, x.group, x.term, x.verdict, x.status) == (y.metric, y.group, y.term, y.verdict, y.status)
        np.testing.assert_allclose(x.estimate, y.estimate, rtol=1e-12, atol=1e-12)
        np.testing.assert_allclose([x.conf_low, x.p_value], [y.conf_low, y.p_value], rtol=1e-8, atol=1e-12)
    assert mine.flow == theirs.flow
    assert theirs.data.rows == len(table)


@pytest.mark.long
@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 10**6), parts=st.integers(1, 6), weighted=st.booleans(), scored=st.booleans())
def test_any_partition_gives_the_tally_of_the_whole(seed, parts, weighted, scored):
    duckdb, pl = pytest.importorskip("duckdb"), pytest.importorskip("polars")
    import pyarrow as pa

    table = people(seed, 150)
    roles = ALL | {"weights": "w" if weighted else None, "score": "score" if scored else None}
    part = np.random.default_rng(seed).integers(0, parts, len(table))
    mine = fairstats.tally(table, "d", **roles)
    pieces = [table[part == i] for i in range(parts) if (part == i).any()]
    same(mine, fairstats.tally(iter(pieces), "d", **roles))
    whole = arrow(table)
    batches = [batch for i in range(parts) for batch in whole.filter(pa.array(part == i)).to_batches()]
    same(mine, fairstats.tally(pa.RecordBatchReader.from_batches(whole.schema, batches), "d", **roles))
    same(mine, fairstats.tally(duckdb.connect().from_arrow(whole), "d", **roles))
    same(mine, fairstats.tally(pl.concat([pl.from_arrow(arrow(piece)) for piece in pieces]).lazy(), "d", **roles))


def test_many_parts_are_joined_as_a_tree():
    assert joined(([i] for i in range(1000)), lambda lists: sorted(x for one in lists for x in one)) == list(
        range(1000)
    )
    sizes = []
    joined(iter([1] * 1000), lambda numbers: (sizes.append(len(numbers)), sum(numbers))[1])
    assert max(sizes) <= 32 and len(sizes) < 150
    assert joined(iter([]), sum) is None


@pytest.mark.long
@pytest.mark.parametrize("name", ["duckdb", "polars", "dask", "reader", "parquet_folder", "tables", "sqlite"])
def test_bad_input_is_one_error(name, tmp_path, request):
    table = people(3, 120).assign(w=1.0)
    arguments = {"weights": "w", "score": "score", "outcome": "y"}

    def refused(changed: pd.DataFrame, words: str, **roles) -> None:
        source = holder(name, changed, tmp_path, request)
        with pytest.raises(fairstats.errors.FairstatsError, match=words) as error:
            fairstats.audit(source, "d", **({"groups": "g"} | arguments | roles))
        assert "\n" not in str(error.value)

    refused(table, r"groups='gg' is not a column of data \(.*\)[;.].* columns are", groups="gg")
    refused(table, "score='g' .*numbers", score="g")
    refused(table.assign(w=np.where(np.arange(120) == 7, np.nan, 1.0)), "weights has 'w' with 1 missing or infinite")
    refused(table.assign(w=np.where(np.arange(120) == 7, -2.0, 1.0)), "weights has 'w' with 1 negative")
    refused(table.assign(w=0.0), "all weights are 0")
    refused(table.assign(w=1e60), "above 1e50")
    refused(table.assign(score=np.inf), "score has infinite values in 'score'")
    refused(table.assign(score=np.nan), "all its values are missing|score='score' .*numbers")
    refused(table.assign(g=None), "groups has 'g'; nobody has a known group")
    refused(table.assign(g="(missing)"), r"has the label '\(missing\)'")
    refused(table.assign(d=pd.array(np.arange(120) % 3, dtype="Int64")), "decision has 'd' with 3 classes")
    refused(table.iloc[:0], "data has no (rows|tables)")


def test_frequencies_are_whole_and_known_groups_may_be_required():
    duckdb = pytest.importorskip("duckdb")
    table = people(3, 120)
    source = duckdb.connect().from_arrow(arrow(table))
    with pytest.raises(InputError, match=r"weights has 'w' with .* values that are not whole"):
        fairstats.audit(source, "d", "g", weights="w")
    with pytest.raises(InputError, match=r"groups has 'g' with .* missing values; pass missing='level'"):
        fairstats.audit(source, "d", "g", missing="raise")


def test_files_that_differ_are_refused(tmp_path):
    folder = HOLDERS["parquet_folder"](people(4, 100), tmp_path)
    people(4, 10).drop(columns="d").to_parquet(folder / "part-9.parquet")
    with pytest.raises(InputError, match=r"part-9.parquet' lacks the column 'd'"):
        fairstats.tally(folder, "d", "g")
    people(4, 10).assign(d="yes").to_parquet(folder / "part-9.parquet")
    with pytest.raises(InputError, match=r"the column 'd' is (large_)?string in .*part-9.parquet' and int64"):
        fairstats.tally(folder, "d", "g")
    (folder / "part-9.parquet").write_bytes(b"PAR1 broken")
    with pytest.raises(fairstats.errors.FairstatsError, match=r"part-9.parquet"):
        fairstats.tally(folder, "d", "g")
    with pytest.raises(fairstats.errors.FileError, match=r"data has .*, which names no file"):
        fairstats.tally(tmp_path / "none-*.parquet", "d", "g")


def test_one_large_file_is_read_in_parts_and_keeps_its_hash(tmp_path, monkeypatch):
    table = people(5, 400)
    path = tmp_path / "people.parquet"
    table.to_parquet(path)
    small = fairstats.audit(path, "d", "g")
    monkeypatch.setattr(engines, "AT_ONCE", 100)
    large = fairstats.audit(path, "d", "g")
    assert large.data == small.data
    assert large.estimates.tidy().equals(small.estimates.tidy())
    assert repr(large.provenance.call) == repr(small.provenance.call)


def test_the_hash_of_a_folder_is_that_of_what_sha256sum_prints(tmp_path):
    folder = HOLDERS["parquet_folder"](people(5, 100), tmp_path)
    files = sorted(folder.iterdir())
    printed = "".join(f"{hashlib.sha256(f.read_bytes()).hexdigest()}  {f.name}\n" for f in files)
    assert fairstats.audit(folder, "d", "g").data.sha256 == hashlib.sha256(printed.encode()).hexdigest()


def test_without_pyarrow_a_folder_is_a_dependency_error(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(fairstats.errors.DependencyError, match="needs pyarrow, which is not installed"):
        fairstats.tally(tmp_path, "d", "g")


def test_only_the_columns_that_are_needed_are_read():
    pl = pytest.importorskip("polars")

    def never(frame):
        raise AssertionError("read")

    table = pl.from_arrow(arrow(people(6, 50))).lazy()
    table = table.with_columns(pl.col("unread").map_batches(never, return_dtype=pl.Float64))
    assert fairstats.tally(table, "d", "g").rows.sum() == 50


@pytest.mark.long
@pytest.mark.parametrize("name", ["duckdb", "ibis_duckdb", "sqlite", "polars", "reader", "postgres"])
def test_moments_are_the_same_whoever_holds_the_rows(name, tmp_path, request):
    table = people(9, 400).dropna()
    mine = fairstats.moments(table, ["g", "code"], features=["w", "score"], y="y")
    theirs = fairstats.moments(holder(name, table, tmp_path, request), ["g", "code"], features=["w", "score"], y="y")
    assert theirs.cells == mine.cells and theirs.levels == mine.levels
    np.testing.assert_array_equal(theirs.n, mine.n)
    np.testing.assert_allclose(theirs.shift + theirs.delta, mine.shift + mine.delta, rtol=1e-10)
    np.testing.assert_allclose(theirs.scatter, mine.scatter, rtol=1e-9, atol=1e-12)


def test_a_formula_asks_an_engine_for_the_levels_of_its_text_columns():
    pl = pytest.importorskip("polars")
    table = people(9, 300).dropna()
    source = pl.from_arrow(arrow(table)).lazy()
    mine = fairstats.moments(table, "g", features="~ w + dept")
    theirs = fairstats.moments(source, "g", features="~ w + dept")
    assert theirs.features == mine.features
    np.testing.assert_allclose(theirs.total()[2], mine.total()[2], rtol=1e-9)
    with pytest.raises(InputError, match="features has 'ww', which is not a column of source"):
        fairstats.moments(source, "g", features=["ww"])
    with pytest.raises(InputError, match="whose levels an iterator does not tell"):
        fairstats.moments(HOLDERS["reader"](table, None), "g", features="~ dept")


def test_a_table_of_a_file_keeps_its_name_and_hash(tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    people(1, 200).to_csv(path, index=False)
    read = fairstats.read_table(path)
    by_path, by_table = (fairstats.audit(one, "d", "g") for one in (path, read))
    assert by_table.data == by_path.data and by_table.provenance.call == by_path.provenance.call
    assert by_table.data.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()
    assert by_table.estimates == by_path.estimates
    beside = fairstats.audit(read, "d", groups=read.frame["g"].to_numpy())
    assert not beside.data.sha256  # the rows that were added are not in the file
