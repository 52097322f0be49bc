"""Rows of an engine or of an Arrow stream, as Arrow tables one after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import narwhals as nw

from fairstats.data.condensed import no_answer, quiet
from fairstats.errors import InputError, not_installed

BATCH_ROWS = 1 << 20


def lazy_frame(data: Any) -> nw.LazyFrame[Any] | None:
    """Return a lazy frame, a relation or a table of a database as narwhals has it, None for anything else."""
    frame = nw.from_native(data, pass_through=True)
    return frame if isinstance(frame, nw.LazyFrame) else None


def reader_of(data: Any) -> Any:
    """Return the Arrow stream of what gives one, None for anything else."""
    if type(data).__module__.split(".")[0] == "pyarrow":
        return data if hasattr(data, "read_next_batch") else None
    if not hasattr(data, "__arrow_c_stream__"):
        return None
    return arrow().RecordBatchReader.from_stream(data)


def arrow() -> Any:
    """Return pyarrow, which reads folders, patterns and streams."""
    try:
        import pyarrow
        import pyarrow.dataset
    except ImportError:
        raise not_installed("a folder, a pattern or a stream", "pyarrow", "scale") from None
    return pyarrow


def name_of(data: Any) -> str:
    """Return what a lazy table is called: its name in the engine, where it has one, and the engine.

    Examples
    --------
    >>> import polars
    >>> name_of(polars.LazyFrame({"x": [1]}))
    'polars lazy frame'
    """
    module = type(data).__module__.split(".")[0]
    if module == "polars":
        return "polars lazy frame"
    if module == "ibis":
        try:
            return f"{data.get_name()} ({data.get_backend().name})"
        except Exception:  # noqa: BLE001  an expression has no name, and may have no backend either
            return "Ibis expression"
    kinds = {"duckdb": "DuckDB relation", "_duckdb": "DuckDB relation"}
    return kinds.get(module, f"{module} {type(data).__name__}")


def schema_of(frame: nw.LazyFrame[Any], name: str) -> Any:
    """Return the names and types of a lazy frame's columns."""
    try:
        with quiet():
            return frame.collect_schema()
    except Exception as problem:
        raise no_answer(name, ["(all)"], problem) from problem


def lazy_tables(frame: nw.LazyFrame[Any], columns: Sequence[str], name: str) -> Iterator[Any]:
    """Return some columns of a lazy frame as Arrow tables, as the engine gives them."""
    try:
        with quiet():
            native = frame.select(list(columns)).to_native()
            parts = _stream(native)
            for part in parts:
                table = _table(part)
                if table.num_rows:
                    yield table
    except (InputError, GeneratorExit):
        raise
    except Exception as problem:
        raise no_answer(name, columns, problem, "give") from problem


def reader_tables(reader: Any, columns: Sequence[str] | None, name: str) -> Iterator[Any]:
    """Return some columns of an Arrow stream as tables; a stream is read once."""
    pa = arrow()
    try:
        for batch in reader:
            if batch.num_rows:
                table = pa.Table.from_batches([batch])
                yield table if columns is None else table.select(list(columns))
    except (InputError, GeneratorExit):
        raise
    except Exception as problem:
        raise no_answer(name, columns or ["(all)"], problem, "give") from problem


def _stream(native: Any) -> Any:
    """The parts of a native lazy frame, by the way in which its own library gives them."""
    ways: tuple[tuple[str, Callable[[Any], Any]], ...] = (
        ("collect_batches", lambda one: one.collect_batches(chunk_size=BATCH_ROWS, maintain_order=True)),  # polars
        ("to_pyarrow_batches", lambda one: one.to_pyarrow_batches(chunk_size=BATCH_ROWS)),  # Ibis
        ("to_arrow_reader", lambda one: one.to_arrow_reader(BATCH_ROWS)),  # DuckDB
        ("fetch_record_batch", lambda one: one.fetch_record_batch(BATCH_ROWS)),  # DuckDB before 1.4
    )
    native = _relation(native)
    for name, way in ways:
        if hasattr(native, name):
            return way(native)
    return [nw.from_native(native).collect().to_arrow()]


def _relation(native: Any) -> Any:
    """An Ibis expression over DuckDB as a relation, where Ibis asks DuckDB for a way that DuckDB 2 no longer has."""
    if not hasattr(native, "to_pyarrow_batches"):
        return native
    backend = native.get_backend()
    if backend.name != "duckdb" or hasattr(backend.con, "fetch_record_batch"):
        return native
    return backend.con.sql(str(backend.compile(native)))


def _table(part: Any) -> Any:
    pa = arrow()
    if isinstance(part, pa.RecordBatch):
        return pa.Table.from_batches([part])
    return part if isinstance(part, pa.Table) else part.to_arrow()
