"""One Arrow batch counted: labels of few values make one small number a row, which is counted by its place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

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


def counted_batch(table: Any, keys: list[str], asked: dict[str, tuple[Any, str]], rows: str) -> Any:
    """Return the combinations of some columns of an Arrow table, with their rows and what else is asked for.

    Parameters
    ----------
    table : pyarrow.Table
        Few rows: it is counted in this thread, since handing them to others takes longer than counting them.
    keys : list of str
        Columns of labels.
    asked : dict
        Name to column and Arrow's name of an aggregate.
    rows : str
        The name of the count.

    Returns
    -------
    pyarrow.Table

    Examples
    --------
    >>> import pyarrow as pa
    >>> counted_batch(pa.table({"hired": [True, None, True]}), ["hired"], {}, "n").to_pydict()
    {'hired': [True, None], 'n': [2, 1]}
    """
    import pyarrow as pa

    places = places_of(table, keys)
    if places is None:
        return _grouped(table, keys, asked | {rows: ([], "count_all")})
    if not asked:
        counts = places.counted()
        there = np.flatnonzero(counts)
        return pa.table([*places.labels(there), pa.array(counts[there])], names=[*keys, rows])
    made = _grouped(
        table.append_column("place", pa.array(places.part(0, places.rows))),
        ["place"],
        asked | {rows: ([], "count_all")},
    )
    labels = places.labels(made["place"].to_numpy())
    return pa.table([*labels, *made.drop_columns("place").columns], names=[*keys, *made.column_names[1:]])


def _grouped(table: Any, keys: list[str], asked: dict[str, tuple[Any, str]]) -> Any:
    import pyarrow as pa

    made = pa.TableGroupBy(table, keys, use_threads=False).aggregate(list(asked.values()))
    called = {name: "count_all" if column == [] else f"{column}_{how}" for name, (column, how) in asked.items()}
    return pa.table({**{key: made[key] for key in keys}, **{name: made[old] for name, old in called.items()}})


def places_of(table: Any, keys: list[str]) -> Places | None:
    """Return the rows of an Arrow table as one number each, None where a column has too many values for that.

    Examples
    --------
    >>> import pyarrow as pa
    >>> table = pa.table({"sex": pa.array(["f", None, "m"]).dictionary_encode(), "hired": [1, 0, 1]})
    >>> made = places_of(table, ["sex", "hired"])
    >>> made.part(0, 3).tolist(), made.counted().tolist()
    ([1, 4, 3], [0, 1, 0, 1, 1, 0])
    """
    digits: list[Digits] = []
    for key in keys:
        column = table[key]
        made = _digits(column.chunk(0) if column.num_chunks == 1 else column.combine_chunks())
        if made is None:
            return None
        digits.append(made)
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
