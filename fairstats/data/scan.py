"""Reading a source chunk by chunk: file sets through pyarrow, iterators as they are; schemas are checked first."""

from __future__ import annotations

import glob
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import narwhals as nw

from fairstats.data.batches import lazy_frame, lazy_tables, name_of, reader_of, reader_tables, schema_of
from fairstats.data.read import ENDINGS, MISSING
from fairstats.data.tables import Columns, warn_of_dropped_index, without_index
from fairstats.errors import FileError, InputError, listing, nearest, not_installed, with_hint
from fairstats.files import refuse_copies, replacing
from fairstats.labels import label
from fairstats.validation import shown

UNNAMED = "all columns"  # who asks for a column that no argument names
BATCH_BYTES = 16 << 20
TABLES = tuple(ending for ending in ENDINGS if ending != ".json")  # a report in JSON may lie beside its data
FORMATS = {".parquet": "parquet", ".pq": "parquet", ".feather": "feather", ".arrow": "ipc", ".csv": "csv"}


class Scan:
    """A source that yields tables; ``columns``, ``rows`` (0 if unknown) and ``name`` are known beforehand.

    ``labels_are_text`` says that labels were kept as a text file spells them: only the whole of them tells numbers.
    """

    def __init__(
        self,
        name: str,
        columns: tuple[str, ...],
        rows: int,
        chunks: Callable[[], Iterator[Any]],
        levels: Callable[[str], tuple[str, ...] | None],
        labels_are_text: bool = False,
    ) -> None:
        self.name, self.columns, self.rows = name, columns, rows
        self.labels_are_text = labels_are_text
        self._chunks, self._levels = chunks, levels

    def __iter__(self) -> Iterator[Any]:
        return self._chunks()

    def text_levels(self, names: Iterable[str]) -> dict[str, tuple[str, ...] | None]:
        """Return levels of text columns over the whole source, None for numeric ones."""
        return {name: self._levels(name) for name in names}


Choice = Callable[[tuple[str, ...]], Mapping[str, str]]  # names of columns -> those asked for, and by which argument


def open_scan(source: Any, choose: Choice, labels: Choice = lambda names: {}) -> Scan:
    """Return a scan of a path, glob, list of paths, Arrow data set or stream, lazy frame, or an iterable of tables.

    ``choose`` says which of the columns are read, ``labels`` which of them hold labels.
    """
    if isinstance(source, (str, Path)) or (
        isinstance(source, (list, tuple)) and source and all(isinstance(s, (str, Path)) for s in source)
    ):
        data, text = open_files(source, labels)
        return _of_dataset(data, str(source), choose, text)
    if type(source).__module__.startswith("pyarrow") and hasattr(source, "get_fragments"):
        return _of_dataset(source, "pyarrow data set", choose)
    if (frame := lazy_frame(source)) is not None:
        return _of_lazy(frame, name_of(source), choose)
    if (reader := reader_of(source)) is not None:
        return _of_reader(reader, choose)
    if isinstance(source, Iterable) and getattr(source, "ndim", None) != 0:
        return _of_chunks(source)
    raise InputError("source", f"has {shown(source)}; pass a path, a table, or an iterator of tables.")


def files_of(source: Any, argument: str = "source") -> list[str]:
    """Return the files that a path, a folder, a glob or a list of these names."""
    names = [str(s) for s in source] if isinstance(source, (list, tuple)) else [str(source)]
    refuse_copies(names, argument)
    files: list[str] = []
    for name in names:
        if os.path.isdir(name):
            every = sorted(f for f in Path(name).rglob("*") if f.is_file() and f.name[0] not in "._")
            inside = [str(f) for f in every if f.suffix in FORMATS]
            left = [str(f.relative_to(name)) for f in every if f.suffix not in FORMATS and f.name.endswith(TABLES)]
            if left:
                raise InputError(
                    argument,
                    f"has {shown(name)}, a folder that also holds {listing(left, 3)}; from a folder are read "
                    f"{listing(FORMATS, 9)} alone: name the files one by one, or by a pattern.",
                )
        else:
            inside = [name] if os.path.exists(name) else sorted(glob.glob(name, recursive=True))
        if not inside and os.path.isdir(name):
            raise FileError(
                f"{argument} has {shown(name)}, a folder without files of {listing(FORMATS, 9)}; name another."
            )
        if not inside:
            raise FileError(
                f"{argument} has {shown(name)}, which names no file; give a path, a folder or a pattern such as "
                "'part-*.parquet'."
            )
        files += inside
    return files


def open_files(source: Any, labels: Choice, argument: str = "source") -> tuple[Any, bool]:
    """Return the files as one data set, and whether its labels are the text of a text file."""
    try:
        import pyarrow.dataset as ds
    except ImportError:
        raise not_installed("a file read in chunks", "pyarrow", "scale") from None
    files = files_of(source, argument)
    members = {FORMATS.get(Path(f).suffix, "") for f in files}
    if len(members) != 1 or "" in members:
        raise InputError(
            argument,
            f"has files of the kinds {listing(sorted({Path(f).suffix for f in files}))}; give files "
            f"of one kind, of {listing(FORMATS, 9)}.",
            value=source,
        )
    kind = members.pop()
    try:
        dataset = ds.dataset(files, format=_text_format(()) if kind == "csv" else kind)
        if kind == "csv":
            dataset = ds.dataset(files, format=_text_format(labels(tuple(dataset.schema.names))))
        return dataset, kind == "csv"
    except (OSError, ValueError) as problem:
        raise FileError(f"{argument}={source!r} cannot be read: {str(problem).splitlines()[0]}") from None


def _text_format(labels: Iterable[str]) -> Any:
    """CSV as `data.read` reads it: the same missing values, and labels as text."""
    import pyarrow as pa
    import pyarrow.dataset as ds
    from pyarrow import csv

    types = dict.fromkeys(labels, pa.string())
    options = csv.ConvertOptions(null_values=list(MISSING), strings_can_be_null=True, column_types=types)
    return ds.CsvFileFormat(convert_options=options)


def _of_dataset(data: Any, name: str, choose: Choice, text: bool = False) -> Scan:
    columns = tuple(data.schema.names)
    arguments = _chosen(choose, columns, data.schema)
    one_schema(data, arguments)
    rows_at_once = max(256, min(BATCH_BYTES // (8 * max(len(arguments), 1)), 1 << 20))

    def chunks() -> Iterator[Any]:
        import pyarrow as pa

        # A scanner reads ahead of its consumer; a small lead keeps memory bounded whatever the size of the source.
        batches = data.to_batches(columns=list(arguments), batch_size=rows_at_once, **_lead(data))
        for batch in batches:
            if batch.num_rows:
                yield pa.Table.from_batches([batch])

    def levels(column: str) -> tuple[str, ...] | None:
        import pyarrow as pa

        kind = data.schema.field(column).type
        if pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_boolean(kind):
            return None
        names: set[str] = set()
        for batch in data.to_batches(columns=[column], **_lead(data)):
            names.update(label(v) for v in batch.column(0).unique().to_pylist() if v is not None)
        return tuple(sorted(names))

    return Scan(name, columns, int(data.count_rows()), chunks, levels, text)


def _chosen(choose: Choice, columns: tuple[str, ...], schema: Any = None) -> Mapping[str, str]:
    """The columns that are asked for, each of which is there; an index that pandas wrote is read where it is named."""
    features, present = set(without_index(columns, schema)), set(columns)
    wanted = choose(columns)
    arguments = {name: who for name, who in wanted.items() if who != UNNAMED or name in features}
    warn_of_dropped_index((name for name in wanted if name not in arguments), "source")
    for column, argument in arguments.items():
        if column not in present:
            fact = "lacks the column" if argument == "source" else "has"
            what = "" if argument == "source" else ", which is not a column of source"
            fact, way = f"{fact} {shown(column)}{what}", f"its columns are {listing(columns, 12)}."
            raise InputError(argument, with_hint(fact, nearest(column, columns), way))
    return arguments


def _of_lazy(frame: Any, name: str, choose: Choice) -> Scan:
    schema = schema_of(frame, name)
    arguments = _chosen(choose, tuple(schema.names()))

    def levels(column: str) -> tuple[str, ...] | None:
        kind = schema[column]
        if kind.is_numeric() or kind == nw.Boolean:
            return None
        names: set[str] = set()
        for table in lazy_tables(frame.select(column).unique(), [column], name):
            names.update(label(v) for v in table.column(0).to_pylist() if v is not None)
        return tuple(sorted(names))

    return Scan(name, tuple(schema.names()), 0, lambda: lazy_tables(frame, list(arguments), name), levels)


def _of_reader(reader: Any, choose: Choice) -> Scan:
    schema = nw.from_native(reader.schema.empty_table(), eager_only=True).schema
    arguments, name = _chosen(choose, tuple(schema.names()), reader.schema), "Arrow stream"

    def levels(column: str) -> None:
        _refuse_text(column, schema[column].is_numeric() or schema[column] == nw.Boolean)

    return Scan(name, tuple(schema.names()), 0, lambda: reader_tables(reader, list(arguments), name), levels)


def _refuse_text(column: str, numeric: bool) -> None:
    """What is read once does not tell the levels of text before it is read."""
    if not numeric:
        raise InputError(
            f"features use the text column {column!r}, whose levels an iterator does not tell beforehand; give "
            "files, or code it as numbers."
        )


def _lead(data: Any) -> dict[str, Any]:
    """Return scanner options that bound what is read ahead, so that whole files are never in memory."""
    import pyarrow.dataset as ds

    lead: dict[str, Any] = {"batch_readahead": 1, "fragment_readahead": 1}
    if isinstance(getattr(data, "format", None), ds.ParquetFileFormat):
        lead["fragment_scan_options"] = ds.ParquetFragmentScanOptions(pre_buffer=False)
    return lead


def one_schema(data: Any, names: Iterable[str], argument: str = "source") -> None:
    """Refuse files whose columns or types differ; pyarrow would fill or cast them silently."""
    first = data.schema
    for fragment in data.get_fragments():
        physical_schema = fragment.physical_schema
        present = set(physical_schema.names)
        for column in names:
            if column not in present:
                raise InputError(
                    argument, f": the file {fragment.path!r} lacks the column {column!r}, which the first file has."
                )
            if physical_schema.field(column).type != first.field(column).type:
                raise InputError(
                    argument,
                    f": the column {column!r} is {physical_schema.field(column).type} in {fragment.path!r} and "
                    f"{first.field(column).type} in the first file; write them alike.",
                )


def _of_chunks(source: Iterable[Any]) -> Scan:
    iterator = iter(source)
    first = next(iterator, None)
    if first is None:
        raise InputError("source", "has no chunks; nothing can be estimated from it.")
    names = Columns(first, "source").names

    def chunks() -> Iterator[Any]:
        for i, part in enumerate(x for group in ((first,), iterator) for x in group):
            current = Columns(part, "source").names
            if set(current) != set(names):
                raise InputError(
                    "source", f": chunk {i + 1} has the columns {listing(current)} and the first {listing(names)}."
                )
            yield part if current == names else Columns(part, "source").native(names)

    def levels(column: str) -> None:
        _refuse_text(column, Columns(first, "source").is_numeric(column))

    return Scan("chunks", names, 0, chunks, levels)


def write_parquet(chunks: Iterable[Any], to: str | Path) -> Path:
    """Write tables (pyarrow) to one Parquet file as they come; an interrupted run leaves an old file as it was."""
    import pyarrow.parquet as pq

    to = Path(to)
    writer = None
    with replacing(to) as beside:
        try:
            for table in chunks:
                writer = writer or pq.ParquetWriter(beside, table.schema)
                writer.write_table(table)
            if writer is None:
                raise InputError("source", "has no rows; nothing was written.")
        finally:
            if writer is not None:
                writer.close()
    return to


def paths_of(source: Any) -> list[str]:
    """Return the files that a source names; none where it is no path."""
    parts = source if isinstance(source, (list, tuple)) else [source]
    if parts and all(isinstance(part, (str, Path)) for part in parts):
        return files_of(source)
    return list(getattr(source, "files", None) or [])  # of a pyarrow data set
