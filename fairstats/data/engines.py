"""Data that stay where they are: what holds them, and how something is computed of all their parts."""

from __future__ import annotations

import hashlib
import io
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import narwhals as nw

from fairstats.data.batches import (
    BATCH_ROWS,
    Condensed,
    arrow,
    lazy_frame,
    name_of,
    no_answer,
    reader_of,
    reader_tables,
    schema_of,
)
from fairstats.data.scan import FORMATS, files_of, one_schema, open_files
from fairstats.data.tables import Columns, is_table
from fairstats.errors import InputError
from fairstats.files import file_sha256

Value = TypeVar("Value")
AT_ONCE = 64 << 20  # a single file up to this size is read at once, so that errors name its rows
FAN_IN = 8


@dataclass(frozen=True, eq=False)
class Source:
    """Data that are not read as one table.

    name: what messages and reports call it.
    columns: its columns.
    numeric: whether a column holds numbers or logicals, where that is known beforehand.
    parts: columns to the parts that hold them: one lazy frame, or tables one after the other.
    reduced: the same, computed by workers: columns, what to make of a part, how to join several; None if there are
        none.
    labels_are_text: labels were kept as text files spell them.
    sha256: of the file; of several, of the lines that ``sha256sum`` prints of them, names without folders.
    """

    name: str
    columns: tuple[str, ...]
    numeric: dict[str, bool]
    parts: Callable[[Sequence[str]], Iterable[Any]] | None = None
    reduced: Callable[[Sequence[str], Callable[[Any], Any], Callable[[list[Any]], Any]], Any] | None = None
    labels_are_text: bool = False
    files: tuple[str, ...] = field(default=())

    @property
    def sha256(self) -> str:
        """The hash of the files, "" where there are none."""
        if len(self.files) < 2:
            return file_sha256(self.files[0]) if self.files else ""
        lines = "".join(f"{file_sha256(f)}  {os.path.basename(f)}\n" for f in self.files)
        return hashlib.sha256(lines.encode()).hexdigest()

    def reduce(
        self, columns: Sequence[str], make: Callable[[Any], Value | None], join: Callable[[list[Value]], Value]
    ) -> Value:
        """Return what is made of every part, joined; the result does not depend on how the rows are parted."""
        if self.reduced is not None:
            total = self.reduced(columns, make, join)
        else:
            assert self.parts is not None
            total = joined(filter(None, map(make, self._parts(columns))), join)
        if total is None:
            raise InputError("data", f"has no rows ({self.name}); nothing can be estimated from it.")
        return total

    def _parts(self, columns: Sequence[str]) -> Iterator[Any]:
        """The parts; an engine that stops between two of them is one error."""
        assert self.parts is not None
        try:
            yield from self.parts(columns)
        except (InputError, GeneratorExit):
            raise
        except Exception as problem:
            raise no_answer(self.name, columns, problem) from problem


def joined(result: Iterable[Value], join: Callable[[list[Value]], Value]) -> Value | None:
    """Return many joined in bounded memory, each into few larger ones: a part is joined as often as a tree is high."""
    levels: list[list[Value]] = []
    for one in result:
        for level in levels:
            level.append(one)
            if len(level) < FAN_IN:
                break
            one = join(level)
            level.clear()
        else:
            levels.append([one])
    left = [one for level in levels for one in level]
    return join(left) if left else None


def source_of(data: Any, labels: Callable[[Sequence[str]], Iterable[str]]) -> Source | None:
    """Return what holds the data, None for a table in memory or a small file.

    data: a lazy frame of polars, a DuckDB relation, an Ibis table, a Dask frame; an Arrow data set, reader or anything
        that gives an Arrow stream; a folder, a glob, a list of files, or one large Parquet or Arrow file; an iterator
        of tables; rows that R's database counted.
    labels: the columns that hold labels, of the names of all columns.
    """
    if type(data).__module__.split(".")[0] in ("dask", "dask_expr") and hasattr(data, "to_delayed"):
        return _of_dask(data)
    if isinstance(data, (str, Path)) or _are_paths(data):
        return _of_files(data, labels)
    if isinstance(data, Condensed):
        return _of_counts(data)
    if is_table(data):
        return None
    module = type(data).__module__.split(".")[0]
    if type(data).__name__ == "DuckDBPyConnection":
        raise InputError(
            "data", "is a connection of DuckDB, which has many tables; pass one: connection.sql('FROM people')."
        )
    if module == "pyarrow" and hasattr(data, "get_fragments"):
        return _of_dataset(data, "Arrow data set")
    if (frame := lazy_frame(data)) is not None:
        return _of_lazy(frame, data)
    if (reader := reader_of(data)) is not None:
        return _of_reader(reader, "Arrow stream")
    if isinstance(data, io.IOBase):
        raise InputError("data", "is an open file; pass its path, or the table that was read from it.")
    if isinstance(data, Iterator):
        return _of_chunks(data)
    return None


def _are_paths(data: Any) -> bool:
    return isinstance(data, (list, tuple)) and bool(data) and all(isinstance(one, (str, Path)) for one in data)


def _of_lazy(frame: nw.LazyFrame[Any], data: Any) -> Source:
    name = name_of(data)
    schema = schema_of(frame, name)
    return Source(name, tuple(schema.names()), _numeric(schema), parts=lambda columns: [frame])


def _of_counts(data: Condensed) -> Source:
    names = data.columns.names
    entries = {name: data.columns.is_numeric(name) for name in names}
    weights = (data.weights,) if data.weights else ()
    return Source(data.name, (*names, *weights), entries, parts=lambda columns: [data])


def _numeric(schema: Any) -> dict[str, bool]:
    return {name: bool(kind.is_numeric() or kind == nw.Boolean) for name, kind in schema.items()}


def _of_dask(data: Any) -> Source:
    meta = nw.from_native(data._meta, eager_only=True)

    def reduced(columns: Sequence[str], make: Callable[[Any], Any], join: Callable[[list[Any]], Any]) -> Any:
        import dask

        work, merge = dask.delayed(_computed, pure=True), dask.delayed(_merged, pure=True)
        try:
            level = [work(part, make) for part in data[list(columns)].to_delayed()]
            while len(level) > 1:
                level = [merge(level[i : i + FAN_IN], join) for i in range(0, len(level), FAN_IN)]
            return dask.compute(level[0])[0] if level else None
        except Exception as problem:
            raise no_answer("Dask data frame", columns, problem) from problem

    return Source("Dask data frame", tuple(map(str, data.columns)), _numeric(meta.schema), reduced=reduced)


def _computed(part: Any, make: Callable[[Any], Any]) -> Any:
    return make(Columns(part)) if len(part) else None


def _merged(parts: list[Any], join: Callable[[list[Any]], Any]) -> Any:
    there = [part for part in parts if part is not None]
    return join(there) if there else None


def _of_files(source: Any, labels: Callable[[Sequence[str]], Iterable[str]]) -> Source | None:
    single = not _are_paths(source) and not os.path.isdir(source)
    if single and os.path.exists(source):
        suffix = Path(source).suffix.lower()
        if FORMATS.get(suffix, "csv") == "csv" or os.path.getsize(source) <= AT_ONCE:
            return None
    elif single and not set("*?[") & set(str(source)):
        return None  # whoever reads one file says that there is none, and which one may be meant
    arrow()
    files = files_of(source, "data")
    data, text = open_files(files, lambda names: dict.fromkeys(labels(names), "labels"), "data")
    name = str(source) if not _are_paths(source) else f"{len(files)} files from {files[0]}"
    return _of_dataset(data, os.path.basename(name) if single and len(files) == 1 else name, text, tuple(files), labels)


def _of_dataset(
    data: Any,
    name: str,
    text: bool = False,
    files: tuple[str, ...] = (),
    labels: Callable[[Sequence[str]], Iterable[str]] = lambda names: (),
) -> Source:
    import pyarrow.dataset as ds

    schema = nw.from_native(data.schema.empty_table(), eager_only=True).schema

    def parts(columns: Sequence[str]) -> Iterator[Any]:
        pa = arrow()
        one_schema(data, columns, "data")
        read = data
        options: dict[str, Any] = {}
        if isinstance(getattr(data, "format", None), ds.ParquetFileFormat):
            options["fragment_scan_options"] = ds.ParquetFragmentScanOptions(pre_buffer=False)
            if files:  # text stays the numbers that the file has for it, which are grouped several times as fast
                entries = {c: data.schema.field(c).type for c in columns}
                texts = [c for c, k in entries.items() if pa.types.is_string(k) or pa.types.is_large_string(k)]
                read = ds.dataset(list(files), format=ds.ParquetFileFormat(dictionary_columns=texts))
        for batch in read.to_batches(
            columns=list(columns), batch_size=BATCH_ROWS, batch_readahead=2, fragment_readahead=1, **options
        ):
            if batch.num_rows:
                yield nw.from_native(pa.Table.from_batches([batch]), eager_only=True)

    return Source(name, tuple(data.schema.names), _numeric(schema), parts, labels_are_text=text, files=files)


def _of_reader(reader: Any, name: str) -> Source:
    schema = nw.from_native(reader.schema.empty_table(), eager_only=True).schema

    def parts(columns: Sequence[str]) -> Iterator[Any]:
        return (nw.from_native(table, eager_only=True) for table in reader_tables(reader, columns, name))

    return Source(name, tuple(schema.names()), _numeric(schema), parts)


def _of_chunks(tables: Iterator[Any]) -> Source:
    first = next(tables, None)
    if first is None:
        raise InputError("data", "has no tables; nothing can be estimated from it.")
    columns = Columns(first)
    names = columns.names

    def parts(columns: Sequence[str]) -> Iterator[Any]:
        for i, part in enumerate(one for group in ((first,), tables) for one in group):
            current = Columns(part)
            for column in columns:
                if column not in current.names:
                    raise InputError("data", f": table {i + 1} lacks the column {column!r}, which the first one has.")
            yield current

    return Source("tables one by one", names, {name: columns.is_numeric(name) for name in names}, parts)
