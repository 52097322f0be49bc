"""Arguments that are arrays, judged: the door of every function of counts, scores and samples."""

from __future__ import annotations

import math
from collections.abc import Mapping
from contextlib import suppress
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairstats.arguments import shown, within
from fairstats.errors import InputError, listing

Floats = NDArray[np.float64]


def array(
    argument: str,
    value: Any,
    *,
    low: float = -math.inf,
    high: float = math.inf,
    missing: bool = False,
    dims: tuple[int, ...] = (0, 1),
    empty: bool = False,
) -> Floats:
    """Return numbers as an array of floats: the door of every function of arrays.

    Parameters
    ----------
    argument : str
    value : array_like
        Numbers or logicals; text, complex numbers and dates are none.
    low, high : float
        Bounds of the numbers, which belong; a bound that is not given also forbids no infinite number.
    missing : bool
        Whether NaN may be among them.
    dims : tuple of int
        How many dimensions it may have; 0 is one number.
    empty : bool
        Whether it may have no entries.

    Raises
    ------
    InputError
        Naming the argument, the fact and how many entries are concerned.

    Examples
    --------
    >>> array("events", [1, 2], low=0).tolist()
    [1.0, 2.0]
    """
    made = _floats(argument, value)
    if made.ndim not in dims:
        kinds = " or ".join(("one number", "a list of numbers", "a table of numbers")[d] for d in dims)
        raise InputError(f"{argument} has {made.ndim} dimensions; it is {kinds}; pass that.")
    if not made.size and not empty:
        raise InputError(f"{argument} is empty; there is nothing to compute from; pass at least one number.")
    if not missing and np.isnan(made).any():
        raise InputError(f"{argument} has {_count(np.isnan(made))}; leave them out, or fill them in.")
    outside = (made < low) | (made > high) | (np.isinf(made) & math.isfinite(low))
    if outside.any():
        first = made[outside].flat[0] if made.ndim else float(made)
        reach = within(low, high, "[]") or "that is finite"
        raise InputError(f"{argument} has {first:g}; each is a number {reach}; correct the entries.")
    return made


def row_labels(argument: str, value: Any) -> NDArray[np.intp]:
    """Return one label a row, of any kind, as codes from 0.

    Examples
    --------
    >>> row_labels("strata", ["b", "a", "b"]).tolist()
    [1, 0, 1]
    """
    if not isinstance(value, (str, bytes, Mapping, set, frozenset)) and hasattr(value, "__len__"):
        with suppress(TypeError, ValueError):
            labels = np.asarray(value)
            if labels.ndim == 1 and labels.size and labels.dtype.kind != "c":
                text = labels.astype(str) if labels.dtype.kind == "O" else labels
                return np.unique(text, return_inverse=True)[1].astype(np.intp)
    raise InputError(f"{argument} has {shown(value)}; it is one label a row; pass a list or an array of one dimension.")


def _count(bad: NDArray[np.bool_]) -> str:
    rows = listing((np.flatnonzero(bad) + 1).tolist())
    return "a missing value" if bad.ndim == 0 else f"{int(bad.sum())} missing values (entries {rows})"


def _floats(argument: str, value: Any) -> Floats:
    way = "pass numbers"
    if value is None or isinstance(value, (str, bytes, Mapping, set, frozenset)):
        raise InputError(f"{argument} has {shown(value)}; it is made of numbers; {way}.")
    if np.ma.is_masked(value):
        value = np.ma.filled(np.ma.asarray(value, dtype=float), np.nan)
    try:
        made = np.asarray(value)
    except ValueError:
        raise InputError(f"{argument} has entries of different lengths; a list of numbers has none; {way}.") from None
    if made.dtype.kind == "O" and all(v is None or isinstance(v, (Real, np.generic)) for v in made.flat):
        with suppress(TypeError, ValueError, OverflowError):
            return made.astype(float)
    if made.dtype.kind not in "biuf":
        _refuse_text(argument, value, made)
        raise InputError(f"{argument} has {shown(value)}; it is made of numbers; {way}.")
    return np.asarray(made, dtype=float)


def _refuse_text(argument: str, value: Any, made: NDArray[Any]) -> None:
    """Labels in the place of numbers; a comparison is offered where it is a yes or no that each row has."""
    labels = list(dict.fromkeys(v for v in made.flat if isinstance(v, str)))
    if not labels:
        return
    fact = f"{argument} holds text ({listing([shown(str(v)) for v in labels], 2)}); it is made of numbers"
    way = "pass numbers"
    if len(labels) == 2 and (argument in ("y", "d") or argument.startswith("y_")):
        way = f"pass 1 for one of the two and 0 for the other, as {argument} == {shown(str(labels[0]))} makes them"
        if isinstance(value, (list, tuple)) or not all(isinstance(v, str) for v in made.flat):
            way = (
                "pass 1 for one of the two and 0 for the other"  # == is no comparison of entries, or forgets who lacks
            )
    raise InputError(f"{fact}; {way}.")
