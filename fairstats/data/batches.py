"""Rows of an engine or of an Arrow stream, as Arrow tables one after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from typing import Any

import narwhals as nw
import numpy as np

from fairstats.data.grids import EXACT, MOST_VALUES, expression, finest_level
from fairstats.data.tables import Columns
from fairstats.errors import InputError, SourceError, ignoring, not_installed

# One Arrow batch counted: labels of few values make one small number a row, which is counted by its place.


WIDEST = 1 << 12  # whole numbers further apart are hashed
MOST_PLACES = 1 << 16
IN_CACHE = 1 << 16  # rows at a time


@dataclass(frozen=True, eq=False)
class Digits:
    """A column as digits: what each row has, how many different ones there may be, what the digits stand for."""

    codes: np.ndarray
    low: int  # to be subtracted
    values: Any  # an Arrow array, whose last one may be missing

    @property
    def size(self) -> int:
        """How many digits there are."""
        return max(len(self.values), 1)


@dataclass(frozen=True, eq=False)
class Places:
    """All columns together as one number a row."""

    digits: tuple[Digits, ...]
    rows: int

    @property
    def strides(self) -> list[int]:
        """What one step of each column adds to the number."""
        sizes = [d.size for d in self.digits]
        return [int(np.prod(sizes[i + 1 :], dtype=np.int64)) for i in range(len(sizes))]

    @property
    def size(self) -> int:
        """How many numbers there may be."""
        return int(np.prod([d.size for d in self.digits], dtype=np.float64))

    def part(self, start: int, stop: int) -> np.ndarray:
        """Return the numbers of some rows."""
        place = self.digits[0].codes[start:stop].astype(np.int64)
        for digits in self.digits[1:]:
            place *= digits.size
            place += digits.codes[start:stop]
        offset = sum(digits.low * stride for digits, stride in zip(self.digits, self.strides, strict=True))
        if offset:
            place -= _wrapped(offset)
        return place

    def counted(self) -> np.ndarray:
        """Count the rows that have each number."""
        counts = np.zeros(self.size, dtype=np.int64)
        for start in range(0, self.rows, IN_CACHE):
            counts += np.bincount(self.part(start, min(start + IN_CACHE, self.rows)), minlength=counts.size)
        return counts

    def labels(self, places: np.ndarray) -> list[Any]:
        """Return the values of each column at some numbers."""
        import pyarrow as pa

        pairs = zip(self.digits, self.strides, strict=True)
        return [d.values.take(pa.array((places // stride) % d.size)) for d, stride in pairs]


def counted_batch(table: Any, keys: list[str], arguments: dict[str, tuple[Any, str]], rows: str) -> Any:
    """Return the combinations of some columns of an Arrow table, with their rows and what else is asked for.

    table: few rows: it is counted in this thread, since handing them to others takes longer than counting them.
    keys: columns of labels.
    asked: name to column and Arrow's name of an aggregate.

    >>> import pyarrow as pa
    >>> counted_batch(pa.table({"hired": [True, None, True]}), ["hired"], {}, "n").to_pydict()
    {'hired': [True, None], 'n': [2, 1]}
    """
    import pyarrow as pa

    places = places_of(table, keys)
    if places is None:
        return _grouped(table, keys, arguments | {rows: ([], "count_all")})
    if not arguments:
        counts = places.counted()
        there = np.flatnonzero(counts)
        return pa.table([*places.labels(there), pa.array(counts[there])], names=[*keys, rows])
    result = _grouped(
        table.append_column("place", pa.array(places.part(0, places.rows))),
        ["place"],
        arguments | {rows: ([], "count_all")},
    )
    labels = places.labels(result["place"].to_numpy())
    return pa.table([*labels, *result.drop_columns("place").columns], names=[*keys, *result.column_names[1:]])


def _grouped(table: Any, keys: list[str], arguments: dict[str, tuple[Any, str]]) -> Any:
    import pyarrow as pa

    result = pa.TableGroupBy(table, keys, use_threads=False).aggregate(list(arguments.values()))
    called = {name: "count_all" if column == [] else f"{column}_{how}" for name, (column, how) in arguments.items()}
    return pa.table({**{key: result[key] for key in keys}, **{name: result[old] for name, old in called.items()}})


def places_of(table: Any, keys: list[str]) -> Places | None:
    """Return the rows of an Arrow table as one number each, None where a column has too many values for that."""
    digits: list[Digits] = []
    for key in keys:
        column = table[key]
        result = _digits(column.chunk(0) if column.num_chunks == 1 else column.combine_chunks())
        if result is None:
            return None
        digits.append(result)
    places = Places(tuple(digits), table.num_rows)
    return places if places.size <= MOST_PLACES else None


def _digits(column: Any) -> Digits | None:
    import pyarrow as pa
    import pyarrow.compute as pc

    kind = column.type
    if pa.types.is_dictionary(kind):
        column, values, low = column.indices, column.dictionary, 0
    elif pa.types.is_boolean(kind):
        column, values, low = column.cast(pa.uint8()), pa.array([False, True]), 0
    elif pa.types.is_integer(kind):
        ends = pc.min_max(column)
        low, high = ends["min"].as_py(), ends["max"].as_py()
        if low is None or high - low >= WIDEST:
            return None
        values = pa.array(range(low, high + 1), type=kind)
    else:
        return None
    if len(values) > MOST_PLACES:
        return None
    if not column.null_count:
        codes = column.to_numpy()
        return Digits(codes.view(np.int64) if codes.dtype == np.uint64 else codes, low, values)
    lost = column.is_null().to_numpy(zero_copy_only=False)
    codes = column.fill_null(low).to_numpy().astype(np.int64) - np.int64(_wrapped(low))  # wraps as they do
    codes[lost] = len(values)
    return Digits(codes, 0, pa.concat_arrays([values, pa.nulls(1, values.type)]))


def _wrapped(value: int) -> int:
    """A number beyond 64 bits as the signed one of the same lowest bits: numpy's sums and products keep those."""
    return (value + (1 << 63)) % (1 << 64) - (1 << 63)


# Rows condensed by whoever holds them: one row a combination of labels and scores, with counts and sums of weights.


ROWS, WEIGHT = "n_", "w_"
SUMMED = ("u_count", "p_count", "m_count", "f_count", "least", "most", "u_sum", "s_sum")  # of weights
WHOLE_FROM = 2.0**52
LARGEST = 1e100  # products of such weights are finite; larger ones are refused by whoever judges weights


@dataclass(frozen=True)
class WeightFacts:
    """What has to be known of all weights before they are used, from parts that add up."""

    unusable: int = 0  # missing, not a number, infinite, or beyond any use
    fractions: int = 0  # not whole
    negative: int = 0
    least: float = np.inf  # of those above 0
    most: float = 0.0

    @staticmethod
    def usable(weights: np.ndarray) -> np.ndarray:
        """Return which weights are numbers that can be added up and squared."""
        return np.abs(weights) < LARGEST

    def __add__(self, other: WeightFacts) -> WeightFacts:
        return WeightFacts(
            self.unusable + other.unusable,
            self.fractions + other.fractions,
            self.negative + other.negative,
            min(self.least, other.least),
            max(self.most, other.most),
        )


@dataclass(frozen=True, eq=False)
class Condensed:
    """Combinations that occur, and of each how many rows there are, with the sums of their weights and squares."""

    columns: Columns
    sums: dict[str, np.ndarray]
    facts: WeightFacts
    grids: dict[str, int] = field(default_factory=dict)
    name: str = ""  # of the table that was condensed, where somebody else did
    weights: str = ""


def condensed(
    frame: Any, keys: Sequence[str], weights: str, name: str, numbers: Mapping[str, float | None] | None = None
) -> Condensed | None:
    """Return the combinations of a table with their counts, made by the engine that holds it.

    frame: the rows; one ``group_by().agg()`` is run on them, and only its result comes here.
    keys: columns of labels and scores.
    weights: the column of weights, or "".
    name: what messages call the table.
    numbers: which of the keys are numbers, each with a threshold or None. Where an engine has more than 2^20 distinct
        ones, it puts them on a grid.
    Returns: None where there are no rows.
    Raises SourceError if the engine does not answer.
    """
    # Names of our own: engines differ in which names they allow, and in whether they tell "A" from "a".
    short = {f"k{i}_": key for i, key in enumerate(keys)}
    wanted = {current: nw.col(key) for current, key in short.items()}
    grids: dict[str, int] = {}
    sums = [nw.len().alias(ROWS)]
    if weights:
        wanted[WEIGHT] = nw.col(weights).cast(nw.Float64)
    try:
        with quiet():
            for column, cut in (numbers or {}).items() if isinstance(frame, nw.LazyFrame) else ():
                current, values = f"k{list(keys).index(column)}_", nw.col(column).cast(nw.Float64)
                if (level := _level(frame.select(values.alias("x_")), cut)) < EXACT:
                    wanted[current], grids[column] = expression(values, level, cut, nw.when), level
            if weights or isinstance(frame, nw.LazyFrame):
                frame = frame.select(*(chosen.alias(current) for current, chosen in wanted.items()))
            if weights:
                frame, sums = _weighed(frame, sums)
            if isinstance(frame, nw.LazyFrame):
                result = _collected(frame.group_by(*short).agg(*sums))
            else:
                batch = frame.to_arrow()
                if not weights:
                    batch = batch.select(list(short.values())).rename_columns(list(short))
                result = nw.from_native(_of_arrow(batch, list(short), bool(weights)), eager_only=True)
    except Exception as problem:
        raise no_answer(name, [*keys, *([weights] if weights else [])], problem) from problem
    if not len(result):
        return None
    entries = {c: result[c].to_numpy().astype(float) for c in result.columns if c not in short}
    columns = Columns(result.select(*short).rename(short).to_native())
    return Condensed(columns, *_read(entries, bool(weights)), grids)


def from_counts(table: Any, weights: str, name: str) -> Condensed:
    """Return combinations that somebody else counted, with the sums that `condensed` asks an engine for.

    table: the labels and scores of each combination; ``n_``, its rows; where people are weighted ``u_count``,
        ``p_count``, ``m_count``, ``f_count``, ``least``, ``most``, ``u_sum`` and ``s_sum``.
    weights: the column of weights, or "".
    name: what messages call the table.

    >>> import pandas as pd
    >>> from_counts(pd.DataFrame({"sex": ["f", "m"], "n_": [3, 4]}), "", "people").sums["rows"].tolist()
    [3.0, 4.0]
    """
    frame = nw.from_native(table, eager_only=True)
    sums = [column for column in frame.columns if column in (ROWS, *SUMMED)]
    entries = {column: frame[column].to_numpy().astype(float) for column in sums}
    return Condensed(Columns(frame.drop(sums).to_native()), *_read(entries, bool(weights)), name=name, weights=weights)


def _level(scores: nw.LazyFrame[Any], cut: float | None) -> int:
    """The level of the grid on which an engine's scores are few enough: a question or a few, each a pass."""
    x = nw.col("x_")
    scores = scores.filter((x - x) == 0)  # not missing, no NaN, not infinite

    def ask(frame: nw.LazyFrame[Any]) -> dict[str, Any]:
        different = frame.group_by("x_").agg(nw.len().alias("rows_"))  # counting distinct values is not in every engine
        built = different.select(nw.len().alias("n"), x.min().alias("low"), x.max().alias("high")).collect()
        return {str(k): v for k, v in built.to_arrow().to_pylist()[0].items()}

    def distinct(level: int) -> int:
        return int(ask(scores.select(expression(x, level, cut, nw.when).alias("x_")))["n"])

    result = ask(scores)
    if result["n"] <= MOST_VALUES:
        return EXACT
    return finest_level(distinct, EXACT, int(np.floor(np.log2(MOST_VALUES / (result["high"] - result["low"])))))


def _collected(frame: nw.LazyFrame[Any]) -> Any:
    """What an engine answers. PostgreSQL works alone in a cursor, which is how Ibis asks it, and in parallel else."""
    native = frame.to_native()
    backend = native.get_backend() if hasattr(native, "to_pyarrow_batches") else None
    if backend is None or backend.name != "postgres":
        return frame.collect()
    import pyarrow as pa

    with closing(backend.raw_sql(str(backend.compile(native)))) as cursor:
        rows = cursor.fetchall()
    schema = native.schema().to_pyarrow()
    try:
        columns = list(zip(*rows, strict=True)) or [()] * len(schema)
        arrays = [pa.array(values, type=one.type) for values, one in zip(columns, schema, strict=True)]
    except (pa.ArrowException, TypeError):  # a type that only Ibis knows how to read
        return frame.collect()
    return nw.from_native(pa.table(arrays, schema=schema), eager_only=True)


def _of_arrow(table: Any, keys: list[str], weighted: bool) -> Any:
    """The combinations of one Arrow batch."""
    arguments: dict[str, tuple[Any, str]] = {}
    if weighted:
        arguments |= {f"{c}count": (c, "count") for c in ("u_", "p_", "m_", "f_")}
        arguments |= {"least": ("p_", "min"), "most": ("u_", "max"), "u_sum": ("u_", "sum"), "s_sum": ("s_", "sum")}
    return counted_batch(table, keys, arguments, ROWS)


def _weighed(frame: Any, sums: list[Any]) -> tuple[Any, list[Any]]:
    """Columns whose plain sums say all that is needed of weights: not every engine sums an expression."""
    w = nw.col(WEIGHT)
    usable = nw.when((w > -LARGEST) & (w < LARGEST)).then(w)
    frame = frame.with_columns(usable.alias("u_"))
    u = nw.col("u_")
    frame = frame.with_columns(
        nw.when(u > 0).then(u).alias("p_"),
        nw.when(u < 0).then(u).alias("m_"),
        # larger ones are whole; SQLite's floor goes no further than 64 bits
        nw.when((u < WHOLE_FROM) & (u > -WHOLE_FROM) & (u.floor() != u)).then(u).alias("f_"),
        (u * u).alias("s_"),
    )
    counts = [nw.col(c).count().alias(f"{c}count") for c in ("u_", "p_", "m_", "f_")]
    return frame, [*sums, *counts, nw.col("p_").min().alias("least"), nw.col("u_").max().alias("most")] + [
        nw.col(c).sum().alias(f"{c}sum") for c in ("u_", "s_")
    ]


def _read(values: Mapping[str, np.ndarray], weighted: bool) -> tuple[dict[str, np.ndarray], WeightFacts]:
    rows = values[ROWS]
    if not weighted:
        return {"rows": rows}, WeightFacts()
    sums = {"used": values["p_count"], "weight": values["u_sum"], "square": values["s_sum"]}
    facts = WeightFacts(
        int((rows - values["u_count"]).sum()),
        int(values["f_count"].sum()),
        int(values["m_count"].sum()),
        float(np.nanmin(np.append(values["least"], np.inf))),
        float(np.nanmax(np.append(values["most"], 0.0))),
    )
    return {"rows": rows, **{k: np.nan_to_num(v) for k, v in sums.items()}}, facts


def facts_of(weights: np.ndarray) -> WeightFacts:
    """Return the same facts of weights in memory.

    >>> facts_of(np.array([1.0, 2.5, np.nan]))
    WeightFacts(unusable=1, fractions=1, negative=0, least=1.0, most=2.5)
    """
    usable = weights[WeightFacts.usable(weights)]
    positive = usable[usable > 0]
    return WeightFacts(
        weights.size - usable.size,
        int((usable != np.floor(usable)).sum()),
        int((usable < 0).sum()),
        float(positive.min(initial=np.inf)),
        float(positive.max(initial=0.0)),
    )


@contextmanager
def quiet() -> Iterator[None]:
    """Keep from the user what engines tell each other's authors."""
    with ignoring(DeprecationWarning):
        yield


def no_answer(name: str, columns: Sequence[str], problem: Exception, verb: str = "count") -> SourceError | InputError:
    """Return one error for what an engine said: the source, the columns asked for, and the engine's own words."""
    if isinstance(problem, InputError):
        return problem
    text = " ".join(str(problem).split())[:300].rstrip(".") or type(problem).__name__
    return SourceError(
        f"{name} did not {verb} the columns {', '.join(columns)} ({type(problem).__name__}: {text}); nothing was "
        "estimated; see that it can be reached, that these columns may be read, and that they can be grouped by."
    )


BATCH_ROWS = 1 << 20


def lazy_frame(data: Any) -> nw.LazyFrame[Any] | None:
    """Return a lazy frame, a relation or a table of a database as narwhals has it, None for anything else."""
    frame = nw.from_native(data, pass_through=True)
    return frame if isinstance(frame, nw.LazyFrame) else None


def reader_of(data: Any) -> Any:
    """Return the Arrow stream of what gives one, None for anything else."""
    if type(data).__module__.split(".")[0] == "pyarrow":
        return data if hasattr(data, "read_next_batch") else None
    is_column = hasattr(data, "dtype")
    if is_column or not hasattr(data, "__arrow_c_stream__"):
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
    entries = {"duckdb": "DuckDB relation", "_duckdb": "DuckDB relation"}
    return entries.get(module, f"{module} {type(data).__name__}")


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
