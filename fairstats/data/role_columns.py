"""Columns passed themselves, as arrays or series, beside a table or without one: they get names in a table."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from fairstats.arguments import shown
from fairstats.data.alignment import aligned, first_index
from fairstats.data.columns import Columns, is_table
from fairstats.errors import InputError
from fairstats.rpy2_objects import unwrapped

CALLED = {"groups": "group", "strata": "stratum"}  # what rows without a name are called, where it is not the argument
Given = list[tuple[str, str, Any]]  # role, name (or ""), rows


def named_columns(data: Any, single: Mapping[str, Any], several: Mapping[str, Any]) -> tuple[Any, dict[str, Any]]:
    """Return the table with the rows that were passed in place of a column's name, and a name for each.

    Parameters
    ----------
    data : table, path, None, or anything else that a study takes
        What names are columns of.
    single, several : mapping of str to object
        Argument to what was passed: one column, or one and more.

    Returns
    -------
    data, roles
        As they came where only names were passed. Else a table that has the rows too, and a name for every argument:
        that of a series, otherwise the argument's. Rows that carry an index are paired by it.

    Raises
    ------
    InputError
        If rows do not fit together, or stand beside a file.

    Examples
    --------
    >>> table, roles = named_columns(None, {"decision": [1, 0, 1]}, {"groups": ["f", "m", "m"]})
    >>> roles, table["group"]
    ({'decision': 'decision', 'groups': 'group'}, ['f', 'm', 'm'])
    """
    data = unwrapped(data)
    single, several = ({name: unwrapped(value) for name, value in some.items()} for some in (single, several))
    roles = {**single, **several}
    parts = {name: _one(name, value, data) for name, value in single.items()}
    parts |= {name: _some(name, value, data) for name, value in several.items()}
    given = [part for found in parts.values() for part in found if not isinstance(part[2], str)]
    if not given:
        if data is None and any(value is not None for value in roles.values()):
            first = next(name for name, value in roles.items() if value is not None)
            raise InputError(
                f"data is absent, and {first} has {shown(roles[first])}; pass the table that has the column, or arrays."
            )
        return data, roles
    if isinstance(data, (str, os.PathLike)) or (data is not None and not is_table(data)):
        raise InputError(
            f"{given[0][0]} has {shown(given[0][2])} beside data, which is {shown(data)}; rows stand beside a table; "
            "read a file with fairstats.read_table(path).frame, or name the column."
        )
    used = {name for found in parts.values() for _, _, name in found if isinstance(name, str)}
    taken = used | {piece for name in used for piece in name.split(":")}
    new: dict[str, Any] = {}
    for role, found in parts.items():
        if found:
            names = [value if isinstance(value, str) else _fresh(role, name, taken) for _, name, value in found]
            new |= {n: value for n, (_, _, value) in zip(names, found, strict=True) if not isinstance(value, str)}
            roles[role] = names[0] if len(names) == 1 else names
    return _with(data, new, [part[0] for part in given]), roles


def _one(role: str, value: Any, data: Any) -> Given:
    """What was passed as one column: its rows, or nothing where it is a name or no column at all."""
    if isinstance(value, str):
        return [(role, "", value)]
    if isinstance(value, (list, tuple)):
        return [(role, "", value)] if value and _fits(value, data) else []
    if value is None or not _is_array(value):
        return []
    if len(getattr(value, "shape", (0,))) != 1:
        raise InputError(f"{role} has {shown(value)}; it is one entry a person; pass one column, or its name.")
    return [(role, _name(value), value)]


def _some(role: str, value: Any, data: Any) -> Given:
    """The same of one column or several: names, rows, a table of rows."""
    if isinstance(value, (list, tuple)):
        parts = list(value)
        if any(_is_array(part) for part in parts):
            found = [_one(role, part, data) for part in parts]
            wrong = next((part for part, made in zip(parts, found, strict=True) if not made), None)
            if wrong is not None:
                raise InputError(f"{role} has {shown(wrong)}; each is the name of a column, or its rows; pass those.")
            return [part for made in found for part in made]
        if parts and _fits(parts, data) and not _are_names(parts, data):
            return [(role, "", value)]
        return [(role, "", name) for name in parts] if all(isinstance(name, str) for name in parts) else []
    if is_table(value):
        table = Columns(value, role)
        native = value if isinstance(value, Mapping) else None
        rows = {n: native[n] if native is not None and n in native else _series(table, n) for n in table.names}
        return [(role, name, rows[name]) for name in table.names]
    return _one(role, value, data)


def _series(table: Columns, name: str) -> Any:
    return table.series(name, name).to_native()


def _is_array(value: Any) -> bool:
    return (hasattr(value, "dtype") and hasattr(value, "__len__")) or hasattr(value, "to_numpy")


def _are_names(parts: Sequence[Any], data: Any) -> bool:
    """Whether a list as long as its table names columns, or intersections (``"sex:race"``) of them, all the same."""
    known = set(Columns(data).names) if is_table(data) else set()
    return all(str(part) in known or set(str(part).split(":")) <= known for part in parts)


def _fits(value: Sequence[Any], data: Any) -> bool:
    """Whether a list is rows: without a table always, beside one where it is as long."""
    return data is None or (is_table(data) and len(value) == Columns(data).n)


def _name(value: Any) -> str:
    name = getattr(value, "name", None)
    return name if isinstance(name, str) else ""


def _fresh(role: str, name: str, taken: set[str]) -> str:
    """A name that no other column of the study has."""
    plain = CALLED.get(role, role)
    tried = [name, plain, *(f"{plain} {i}" for i in range(2, len(taken) + 3))]
    made = next(one for one in tried if one and one not in taken)
    taken.add(made)
    return made


def _with(data: Any, new: dict[str, Any], roles: Sequence[str]) -> Any:
    """The table with the rows as columns, all in one order."""
    named = dict(zip(new, roles, strict=True))
    first, index = ("data", None) if data is None else first_index(("data", data))
    if index is None:
        first, index = first_index(*((named[n], value) for n, value in new.items()))
    rows = {n: aligned(value, index, named[n], first) for n, value in new.items()}
    sizes = {named[n]: len(value) for n, value in rows.items()}
    if data is not None:
        sizes["data"] = Columns(data).n
    if len(set(sizes.values())) > 1:
        said = ", ".join(f"{n} has {size}" for n, size in sizes.items())
        raise InputError(f"{said} entries; these belong to the same people; pass as many of each.")
    if data is None:
        return rows
    if isinstance(data, Mapping):
        return {**data, **rows}
    if hasattr(data, "assign"):
        return data.assign(**{n: getattr(value, "array", value) for n, value in rows.items()})
    import narwhals as nw

    frame = nw.from_native(data, eager_only=True)
    made = [nw.new_series(n, np.asarray(v).tolist(), backend=frame.implementation) for n, v in rows.items()]
    return frame.with_columns(*made).to_native()
