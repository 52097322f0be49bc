"""Groups: one attribute or several, their intersections, continuous ones; and their numeric encoding Z."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from fairstats.data.columns import MISSING_LEVEL, Columns, Factor, factor, is_table
from fairstats.errors import InputError, listing

MOST_NUMERIC_LEVELS = 20


@dataclass(frozen=True)
class Continuous:
    """Marks a group variable as continuous: its own column of Z, not a set of levels."""

    values: Any
    name: str = ""


def continuous(values: Any, name: str = "") -> Continuous:
    """Use a group variable as a continuous attribute.

    Parameters
    ----------
    values : str or array (n,)
        The name of a column of ``data``, or the numbers themselves.
    name : str, optional
        A name for an array.

    Returns
    -------
    Continuous
        To be passed as ``groups``.

    Examples
    --------
    >>> continuous("racepctblack").values
    'racepctblack'
    """
    return Continuous(values, name or (values if isinstance(values, str) else "group"))


@dataclass(frozen=True)
class Groups:
    """The group variables of n rows.

    Attributes
    ----------
    names : tuple of str
        The categorical attributes; ``"sex:race"`` is an intersection.
    factors : tuple of Factor
        Their codes and levels.
    continuous_names, continuous : tuple of str, array (n, c)
        The continuous attributes.
    missing : dict
        Missing values found, by attribute, before they were made a level or dropped.
    keep : array of bool (n_read,) or None
        The rows that remain when ``missing="drop"`` took some away.
    """

    names: tuple[str, ...]
    factors: tuple[Factor, ...]
    continuous_names: tuple[str, ...]
    continuous: np.ndarray
    missing: dict[str, int]
    keep: np.ndarray | None = None

    @property
    def n(self) -> int:
        """Number of rows."""
        return len(self.factors[0].codes) if self.factors else len(self.continuous)

    @cached_property
    def cells(self) -> tuple[np.ndarray, tuple[tuple[str, ...], ...]]:
        """Codes (n,) of the combinations of levels that occur, and those combinations."""
        if not self.factors:
            return np.zeros(self.n, dtype=np.intp), ((),)
        if len(self.factors) == 1:
            return self.factors[0].codes, tuple((level,) for level in self.factors[0].levels)
        flat = np.ravel_multi_index([f.codes for f in self.factors], [len(f.levels) for f in self.factors])
        seen, codes = np.unique(flat, return_inverse=True)
        index = np.unravel_index(seen, [len(f.levels) for f in self.factors])
        labels = [
            tuple(f.levels[i] for f, i in zip(self.factors, row, strict=True))
            for row in zip(*(x.tolist() for x in index), strict=True)
        ]
        return codes.astype(np.intp), tuple(labels)

    def take(self, rows: np.ndarray) -> Groups:
        """The groups of some of the rows (a mask or indices); levels that no longer occur are dropped."""
        factors = tuple(factor(f.labels[rows], f.levels) for f in self.factors)
        return Groups(self.names, factors, self.continuous_names, self.continuous[rows], self.missing)

    @property
    def labels(self) -> np.ndarray:
        """One label a row, attributes joined by ':' (object array)."""
        codes, cells = self.cells
        return np.array([":".join(c) for c in cells], dtype=object)[codes]

    @staticmethod
    def of(groups: Any, data: Any = None, *, missing: str = "raise", at_least: int = 2) -> Groups:
        """Build groups from column names of ``data``, arrays, a table, ``continuous(...)``, or a list of these."""
        if isinstance(groups, Groups):
            return groups
        if missing not in ("raise", "level", "drop"):
            raise InputError(f"missing={missing!r} is not known; use 'raise', 'level' or 'drop'.")
        columns = Columns(data) if data is not None else None
        parts = [_part(name, value, columns) for name, value in _named(groups, columns)]
        lengths = {name: len(values) for name, _, values in parts}
        if len(set(lengths.values())) > 1:
            raise InputError(f"groups have different lengths ({lengths}); give one value a row.")
        if not parts:
            raise InputError("groups is empty; name at least one group variable.")
        absent = {name: _missing_rows(values) for name, _, values in parts}
        counts = {name: int(m.sum()) for name, m in absent.items()}
        if missing == "raise":
            _refuse_missing(absent)
        keep = None
        if missing == "drop" and any(counts.values()):
            keep = ~np.logical_or.reduce(list(absent.values()))
        return _assemble(parts, counts, keep, at_least)


def _named(groups: Any, columns: Columns | None) -> list[tuple[str, Any]]:
    """(name, value) pairs, whatever form the argument had."""
    if isinstance(groups, str):
        return [(groups, groups)]
    if isinstance(groups, Continuous):
        return [(groups.name, groups)]
    if isinstance(groups, Mapping):
        return [(str(k), v) for k, v in groups.items()]
    if is_table(groups):
        table = Columns(groups, "groups")
        return [(c, table.factor(c, "groups")) for c in table.names]
    if (
        isinstance(groups, (list, tuple))
        and groups
        and columns is not None
        and all(isinstance(g, (str, Continuous)) for g in groups)
    ):
        return [(g if isinstance(g, str) else g.name, g) for g in groups]
    if isinstance(groups, (list, tuple)) and any(isinstance(g, Continuous) for g in groups):
        return [(getattr(g, "name", "") or f"group {i + 1}", g) for i, g in enumerate(groups)]
    name = getattr(groups, "name", None)
    values = groups if _is_categorical(groups) else np.asarray(groups)
    if np.ndim(values) == 2:
        return [(f"group {j + 1}", values[:, j]) for j in range(np.shape(values)[1])]
    if np.ndim(values) != 1:
        raise InputError(f"groups has {np.ndim(values)} dimensions; give one label a row, or a column name of data.")
    return [(str(name) if name is not None else "group", values)]


def _is_categorical(values: Any) -> bool:
    return hasattr(values, "cat") or type(values).__name__ == "Categorical"


def _part(name: str, value: Any, columns: Columns | None) -> tuple[str, bool, Any]:
    """(name, is continuous, Factor or float array) of one group variable."""
    if isinstance(value, Continuous):
        inner = value.values
        if isinstance(inner, str):
            inner = _needs(columns, inner).numeric(inner, "groups")
        return name, True, np.asarray(inner, dtype=float)
    if isinstance(value, Factor):
        return name, False, value
    if isinstance(value, str):
        table = _needs(columns, value)
        if value not in table and ":" in value:
            return name, False, _cross([table.factor(part, "groups") for part in value.split(":")])
        out = table.factor(value, "groups")
        if table.is_numeric(value):
            _refuse_many_numbers(name, out)
        return name, False, out
    if _is_categorical(value):
        categories = getattr(value, "cat", value).categories
        return name, False, factor(np.asarray(value, dtype=object), [str(c) for c in categories])
    out = factor(value)
    if np.asarray(value).dtype.kind in "iuf":
        _refuse_many_numbers(name, out)
    return name, False, out


def _needs(columns: Columns | None, name: str) -> Columns:
    if columns is None:
        raise InputError(
            f"groups={name!r} names a column, but no data was given; pass data=, or the labels themselves."
        )
    return columns


def _refuse_many_numbers(name: str, made: Factor) -> None:
    whole = all("." not in level and "e" not in level for level in made.levels)
    if len(made.levels) > MOST_NUMERIC_LEVELS or not whole:
        raise InputError(
            f"groups={name!r} has {len(made.levels)} distinct numbers; pass continuous({name!r}) to use it as a "
            "continuous attribute, or cut it into labelled classes first."
        )


def _cross(factors: list[Factor]) -> Factor:
    """The intersection of several attributes; missing where any of them is."""
    codes = np.stack([f.codes for f in factors])
    shape = [len(f.levels) for f in factors]
    flat = np.where((codes < 0).any(axis=0), -1, np.ravel_multi_index(np.maximum(codes, 0), shape))
    seen = np.unique(flat[flat >= 0])
    lookup = np.full(int(np.prod(shape)) + 1, -1, dtype=np.intp)
    lookup[seen] = np.arange(len(seen))
    index = np.unravel_index(seen, shape)
    levels = [
        ":".join(f.levels[i] for f, i in zip(factors, row, strict=True))
        for row in zip(*(x.tolist() for x in index), strict=True)
    ]
    return Factor(lookup[flat], tuple(levels))


def _missing_rows(values: Factor | np.ndarray) -> np.ndarray:
    return values.codes < 0 if isinstance(values, Factor) else ~np.isfinite(values)


def _refuse_missing(absent: dict[str, np.ndarray]) -> None:
    for name, rows in absent.items():
        if rows.any():
            count = int(rows.sum())
            raise InputError(
                f"groups={name!r} has {count} missing value{'s' * (count > 1)} (rows "
                f'{listing((np.flatnonzero(rows) + 1).tolist())}); pass missing="level" to keep them as a group, '
                'or missing="drop" to leave those rows out.'
            )


def _assemble(
    parts: list[tuple[str, bool, Any]], counts: dict[str, int], keep: np.ndarray | None, at_least: int
) -> Groups:
    rows = slice(None) if keep is None else keep
    names, factors, numbers = [], [], []
    for name, is_number, values in parts:
        if is_number:
            column = values[rows]
            if not np.isfinite(column).all():
                raise InputError(
                    f"groups={name!r} is continuous and has missing values, which cannot be a level; "
                    'pass missing="drop".'
                )
            numbers.append((name, column))
            continue
        made = values if keep is None else factor(values.labels[keep], values.levels)
        if (made.codes < 0).any():
            levels = (*made.levels, MISSING_LEVEL)
            made = Factor(np.where(made.codes < 0, len(made.levels), made.codes), levels)
        if len(made.levels) < at_least:
            raise InputError(
                f"groups={name!r} has {len(made.levels)} level ({listing(made.levels)}); at least two groups "
                "are needed to compare."
            )
        names.append(name)
        factors.append(made)
    n = len(factors[0].codes) if factors else len(numbers[0][1])
    matrix = np.column_stack([v for _, v in numbers]) if numbers else np.empty((n, 0))
    return Groups(tuple(names), tuple(factors), tuple(n for n, _ in numbers), matrix, counts, keep)
