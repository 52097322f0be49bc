"""Rows that carry names (an index of pandas) are paired by these names, and never by position where names disagree.

The same names in the same order pass, repeated ones included; the same set of different names is put in order; anything
else is refused. Arrays, lists and polars have no names: they are taken by position.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import is_dataclass, replace
from typing import Any

from fairstats.errors import InputError, listing


def row_index(data: Any) -> Any:
    """Return the index that rows carry: that of a pandas frame or series (also inside a `Columns`), else None."""
    if hasattr(data, "_frame"):
        data = data._frame.to_native()
    if hasattr(data, "iloc") and hasattr(data, "index"):
        return data.index
    if isinstance(data, Mapping):
        return next((i for i in map(row_index, data.values()) if i is not None), None)
    return None


def aligned(values: Any, index: Any, argument: str, to: str = "X") -> Any:
    """Return ``values`` in the order of ``index``, where both carry names; unchanged where one does not.

    Parameters
    ----------
    values : anything with one entry a row
        A pandas series or frame; a dictionary or list of these; ``continuous(...)`` of one; else unchanged.
    index : pandas.Index or None
        The rows' names in the order wanted.
    argument, to : str
        Who is aligned to what, for the message.

    Raises
    ------
    InputError
        Both carry names, and these are not the same.

    Examples
    --------
    >>> import pandas as pd
    >>> aligned(pd.Series(["b", "a"], index=[2, 1]), pd.Index([1, 2]), "groups").tolist()
    ['a', 'b']
    """

    def in_order(part: Any) -> Any:
        own = part.index
        if index is None or len(own) != len(index) or own.equals(index):  # lengths are judged elsewhere
            return part
        order = own.get_indexer(index) if own.is_unique and index.is_unique else None
        if order is None or (order < 0).any():
            raise InputError(_differ(own, index, order, argument, to))
        return part.iloc[order]

    return each(values, in_order)


def each(values: Any, change: Callable[[Any], Any]) -> Any:
    """Apply ``change`` to every pandas series or frame in what was given as groups, y or weights."""
    if isinstance(values, Mapping):
        return {k: each(v, change) for k, v in values.items()}
    if isinstance(values, (list, tuple)) and any(row_index(_inner(v)) is not None for v in values):
        return [each(v, change) for v in values]
    if is_dataclass(values) and hasattr(values, "values"):  # continuous(series)
        return replace(values, values=each(values.values, change))  # type: ignore[type-var]
    return change(values) if hasattr(values, "iloc") and hasattr(values, "index") else values


def first_index(*candidates: tuple[str, Any]) -> tuple[str, Any]:
    """Return the name of the first argument that carries an index, and that index; ("", None) where none does."""
    return next(((name, i) for name, data in candidates if (i := any_index(data)) is not None), ("", None))


def same_order(values: Any, index: Any, argument: str, to: str) -> None:
    """Refuse an index in another order than ``index``, where the rows that both are for have none."""
    own = any_index(values)
    if own is not None and index is not None and len(own) == len(index) and not own.equals(index):
        raise InputError(
            f"{argument} and {to} have indexes in different orders, and X has none, so it cannot be known which "
            "is that of its rows; pass X as a data frame, or arrays (to_numpy()) in the order of X."
        )


def any_index(data: Any) -> Any:
    """Return the index of the data, of a list or tuple that of the first member that has one, or None."""
    if isinstance(data, (list, tuple)):
        return next((i for i in (row_index(_inner(v)) for v in data) if i is not None), None)
    return row_index(_inner(data))


def _inner(value: Any) -> Any:
    return value.values if is_dataclass(value) and hasattr(value, "values") else value


def _differ(own: Any, index: Any, order: Any, argument: str, to: str) -> str:
    way = f"reindex one of them, or pass {argument} as an array (to_numpy()) if the rows are in the same order."
    if order is None:
        who = argument if not own.is_unique else to
        return (
            f"{argument} and {to} have different indexes, and that of {who} has repeated entries, so rows cannot be "
            f"paired; {way}"
        )
    lost = index[order < 0]
    return (
        f"{argument} and {to} have different indexes ({argument} lacks {listing(map(repr, lost.tolist()), 3)}), so "
        f"rows cannot be paired; {way}"
    )
