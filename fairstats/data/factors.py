"""Factors: columns of labels as codes and levels, of any source, and their intersections."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import narwhals as nw
import numpy as np

from fairstats.arguments import shown
from fairstats.errors import InputError
from fairstats.labels import MISSING_LEVEL, distinct, is_missing, is_number, join, label, ordered, refuse_inexact
from fairstats.rpy2_objects import unwrapped

MOST_CELLS = 10**6  # a crossing with fewer possible cells is counted
MOST_NARROW = 120  # levels whose codes are single bytes
BLOCK = 1 << 16  # rows at once
FEW = 4  # levels that are counted faster one by one


@dataclass(frozen=True)
class Factor:
    """A categorical column: ``levels[codes[i]]`` is the label of row i, code −1 a missing value.

    Codes are signed integers of any width; `wide` gives those that can be multiplied. ``numbers`` says whether the
    labels are those of numbers; an intersection says it of every part. ``ordered`` says that the order of the levels
    was declared and is kept in tables.
    """

    codes: np.ndarray
    levels: tuple[str, ...]
    numbers: tuple[bool, ...] = (False,)
    ordered: bool = False

    def __len__(self) -> int:
        return len(self.codes)

    def take(self, rows: Any) -> Factor:
        """Return the factor of some rows, levels unchanged."""
        return replace(self, codes=self.codes[rows])

    def used(self) -> Factor:
        """Return the factor without the levels that do not occur."""
        counts = counted(self.codes, len(self.levels))
        if counts.all():
            return self
        lookup = np.append(np.where(counts > 0, np.cumsum(counts > 0) - 1, -1), -1).astype(self.codes.dtype)
        levels = tuple(v for v, n in zip(self.levels, counts, strict=True) if n)
        return replace(self, codes=lookup[self.codes], levels=levels)

    def wide(self) -> Factor:
        """Return the factor with codes that arithmetic does not overflow."""
        return replace(self, codes=self.codes.astype(np.intp, copy=False))

    def with_missing_level(self) -> Factor:
        """Return the factor with "(missing)" as its last level, where something is missing."""
        if not (self.codes < 0).any():
            return self
        codes = np.where(self.codes < 0, len(self.levels), self.codes)
        return replace(self, codes=codes, levels=(*self.levels, MISSING_LEVEL))

    @property
    def labels(self) -> np.ndarray:
        """Labels as an object array, missing ones None."""
        return np.array([*self.levels, None], dtype=object)[self.codes]


def factor(values: Any, levels: Sequence[str] | None = None, argument: str = "values") -> Factor:
    """Code labels; levels that do not occur are dropped, the rest sorted (numbers by value).

    Parameters
    ----------
    values : array, list, pandas or polars series, masked array (n,)
        Numbers, strings, logicals, dates; None, NaN and masked entries are missing.
    levels : sequence of str, optional
        The order of the levels, of which those that occur are kept.
    argument : str
        Who asks, for messages.

    Returns
    -------
    Factor

    Raises
    ------
    InputError
        Different values with the same label, such as 1 and "1"; whole numbers that floats cannot tell apart.

    Examples
    --------
    >>> factor([10, 2.0, 2, None]).levels
    ('2', '10')
    """
    return _coded(values, levels, argument).wide()


def _coded(values: Any, levels: Sequence[str] | None = None, argument: str = "values") -> Factor:
    if isinstance(values, Factor):
        return values
    values = unwrapped(values)
    if isinstance(values, np.ma.MaskedArray):
        return _with_gaps(np.ma.getmaskarray(values), factor(values.compressed(), levels, argument))
    if levels is None and (series := _series(values)) is not None:
        return of_series(series, argument)
    values = _array(values)
    if values.ndim != 1:
        raise InputError(f"{argument} has {shown(values)}; it is one label a row; pass a list of them.")
    if values.dtype.kind == "O":
        return _of_objects(values, levels, argument)
    if levels is None and values.dtype.kind in "biu" and values.size and (made := _small_integers(values)):
        return made
    if values.dtype.kind in "biufmM" and levels is None:
        missing = np.isnan(values) if values.dtype.kind in "fmM" else np.zeros(len(values), dtype=bool)
        return _with_gaps(missing, _by_unique(values[~missing], argument))
    return _of_objects(values.astype(object), levels, argument)


def _array(values: Any) -> np.ndarray:
    """Labels as an array; a list keeps what its entries are, which one type for all of them would lose."""
    if not isinstance(values, (list, tuple)):
        return np.asarray(values)
    return np.fromiter(values, dtype=object, count=len(values))


def _series(values: Any) -> Any:
    """A series of pandas, polars or pyarrow as narwhals sees it; None for arrays and lists."""
    if isinstance(values, (list, tuple, np.ndarray)):
        return None
    if nw.dependencies.is_into_series(values):
        return nw.from_native(values, series_only=True)
    if type(values).__module__.split(".")[0] == "pandas":  # its arrays and indexes
        import pandas as pd

        return nw.from_native(pd.Series(values), series_only=True)
    return None


def of_series(series: Any, argument: str) -> Factor:
    """Code a narwhals series, in the order of its categories where it has them."""
    native = series.to_native()
    if hasattr(native, "cat") and hasattr(native.cat, "codes"):  # pandas: codes as they are, no label an object
        categories = distinct(list(native.cat.categories), argument)
        return Factor(native.cat.codes.to_numpy(), tuple(categories), ordered=bool(native.cat.ordered)).used()
    if series.dtype in (nw.Categorical, nw.Enum):
        known = _categories(series)
        levels = None if known is None else distinct(known, argument)
        made = _of_objects(np.asarray(series.to_list(), dtype=object), levels, argument)
        return replace(made, ordered=series.dtype == nw.Enum)
    if series.dtype.is_numeric() or series.dtype == nw.Boolean:
        if series.null_count() == 0:
            return _coded(np.asarray(series.to_numpy()), argument=argument)
        missing = np.asarray(series.is_null().to_numpy(), dtype=bool)
        return _with_gaps(missing, factor(np.asarray(series.drop_nulls().to_numpy()), argument=argument))
    if hasattr(native, "factorize"):  # pandas: text that is not made objects first
        values = native.to_numpy() if native.dtype == object else native.array
        return _of_objects(values, None, argument)
    return _of_objects(_array(series.to_list()), None, argument)


def _categories(series: Any) -> list[Any] | None:
    """Declared categories in their order; None for polars' Categorical, whose order is that of the text."""
    native = series.to_native()
    if hasattr(native, "unify_dictionaries"):  # pyarrow
        return list(native.unify_dictionaries().chunk(0).dictionary.to_pylist())
    return list(series.dtype.categories) if series.dtype == nw.Enum else None


def _with_gaps(missing: np.ndarray, made: Factor) -> Factor:
    """The factor of all rows, from that of the rows that are not missing."""
    if not missing.any():
        return made
    codes = np.full(len(missing), -1, dtype=np.intp)
    codes[~missing] = made.codes
    return Factor(codes, made.levels, made.numbers)


def _small_integers(values: np.ndarray) -> Factor | None:
    low, high = int(values.min()), int(values.max())
    if high - low > 1024:
        return None
    logical, width = values.dtype.kind == "b", high - low + 1
    codes = values.view(np.int8) if logical else values
    if low:  # one byte does not hold every difference of two bytes
        codes = codes.astype(np.int16) - np.int16(low) if codes.itemsize == 1 else codes - codes.dtype.type(low)
    names = tuple(str(bool(v)) if logical else str(v) for v in range(low, high + 1))
    return Factor(codes.astype(np.int8 if width <= MOST_NARROW else np.int16, copy=False), names, (not logical,)).used()


def counted(codes: np.ndarray, width: int) -> np.ndarray:
    """Count how often each code occurs, missing ones left out: in blocks that stay in cache.

    Examples
    --------
    >>> counted(np.array([1, -1, 1, 0]), 3).tolist()
    [1, 2, 0]
    """
    if width <= FEW:
        return np.array([np.count_nonzero(codes == code) for code in range(width)], dtype=np.int64)
    counts = np.zeros(width + 1, dtype=np.int64)
    block = max(BLOCK, width)
    for start in range(0, len(codes), block):
        counts += np.bincount(codes[start : start + block].astype(np.intp) + 1, minlength=width + 1)
    return counts[1:]


def _by_unique(values: np.ndarray, argument: str) -> Factor:
    unique, codes = np.unique(values, return_inverse=True)
    if values.dtype.kind == "f":
        refuse_inexact(unique, argument)
    names = [label(v) for v in unique] if values.dtype.kind in "mM" else [label(v) for v in unique.tolist()]
    return Factor(codes.astype(np.intp), tuple(names), (values.dtype.kind in "iuf",))


def _of_objects(values: Any, levels: Sequence[str] | None, argument: str) -> Factor:
    """Code values of any type: equal numbers are one, a logical or a text is none of them."""
    import pandas as pd

    try:
        codes, unique = pd.factorize(values, use_na_sentinel=True)
        kinds = set(map(type, values)) if {1, 0}.intersection(unique) else set()
        if kinds & {bool, np.bool_} and not kinds <= {bool, np.bool_, type(None)}:
            # True equals 1 for Python, which makes them one; keyed by what they are they stay two.
            keys = np.empty(len(values), dtype=object)
            keys[:] = [None if is_missing(v) else (isinstance(v, (bool, np.bool_)), v) for v in values]
            codes, pairs = pd.factorize(keys, use_na_sentinel=True)
            unique = [v for _, v in pairs]
    except (TypeError, NotImplementedError):  # the latter of Arrow's lists and structs
        kind = type(next((v for v in values if getattr(v, "__hash__", None) is None), values)).__name__
        raise InputError(
            f"{argument} holds {kind} values, which are no labels; give one text or number a row."
        ) from None
    unique = list(unique)
    text = distinct(unique, argument)
    numbers = bool(unique) and all(is_number(v) for v in unique)
    own = set(text)
    kept = ordered(own, [numbers]) if levels is None else [v for v in levels if v in own]
    place = {t: i for i, t in enumerate(kept)}
    lookup = np.array([*(place[t] for t in text), -1], dtype=np.int8 if len(kept) <= MOST_NARROW else np.intp)
    return Factor(lookup[codes], tuple(kept), (numbers,))


def crossed(factors: list[Factor]) -> Factor:
    """Return the intersection of several attributes; people without a label in a part are ``(missing)`` there."""
    if len(factors) == 1:
        return factors[0]
    factors = [f.with_missing_level() for f in factors]
    flat, cells = np.zeros(len(factors[0]), dtype=np.intp), [()]
    for f in factors:  # one at a time: the product of all levels may exceed any table
        width = len(f.levels)
        seen, flat = _observed(flat * width + f.codes, len(cells) * width)
        cells = [(*cells[c // width], f.levels[c % width]) for c in seen.tolist()]
    numbers = tuple(n for f in factors for n in f.numbers)
    return Factor(flat.astype(np.intp), tuple(map(join, cells)), numbers, all(f.ordered for f in factors))


def _observed(flat: np.ndarray, possible: int) -> tuple[np.ndarray, np.ndarray]:
    """The values that occur, and the place of each row's among them: counted where they are few, else sorted."""
    if possible > MOST_CELLS:
        return np.unique(flat, return_inverse=True)
    counts = np.bincount(flat, minlength=possible)
    return np.flatnonzero(counts), (np.cumsum(counts > 0) - 1)[flat]
