"""A valid value with one thing wrong in it, for every argument that is an array, a list or a table; and the laws.

`wrong_values` passes things that the argument is not. Here the argument is what it should be, but for one entry, one
row, its shape or its size. A case is decided by the kind of its damage:

==============  ====================================================================================================
one entry is    an object, a list, bytes, a complex number: refused (no number and no label is one)
one entry is    missing (None): refused, or the answer says so: it differs from the one without damage
a mask          the answer is that of None in the same place
a row           too few or too many, where another argument has as many: refused
a row of more   dimensions: refused, or the same answer
numbers as text refused, or the answer to the numbers
==============  ====================================================================================================

Whatever it is, the answer is a result or one error of ours that names an argument; no other exception or warning.
"""

from __future__ import annotations

import dataclasses
import re
import warnings
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
import pandas as pd

from fairstats.errors import FairstatsError, FairstatsWarning
from tests.wrong_values import alarm, arguments, call

REFUSED: dict[str, Any] = {"a complex number": 1j, "bytes": b"x", "a list": [1], "an object": object()}
OTHERS: dict[str, Any] = {"nan": np.nan, "inf": np.inf, "text": "x", "no text": "", "1e400": 10**400, "1e308": 1e308}
Answer = tuple[str, Any]


def with_entry(value: Any, entry: Any) -> Any:
    """The value with one entry replaced, or None where it has none: the middle one, of a table's first column."""
    if isinstance(value, pd.DataFrame):
        column = next((c for c in value if value[c].dtype.kind in "fiu"), None)
        return None if column is None else value.assign(**{column: with_entry(value[column].to_numpy(), entry)})
    if isinstance(value, dict) and value and all(isinstance(v, list) for v in value.values()):
        name = next((n for n, v in value.items() if v and isinstance(v[0], float)), None)
        return None if name is None else {**value, name: with_entry(value[name], entry)}
    if isinstance(value, list) and len(value) > 1 and np.ndim(value[0]) == 0:
        return [entry if i == len(value) // 2 else v for i, v in enumerate(value)]
    if not isinstance(value, np.ndarray) or value.size < 2:
        return None
    plain = value.dtype.kind == "f" and isinstance(entry, float)
    kind = complex if isinstance(entry, complex) and value.dtype.kind in "iuf" else object
    result = value.copy() if plain else value.astype(kind)
    result[tuple(np.array(value.shape) // 2)] = entry
    return result


def masked(value: Any) -> Any:
    """The value with a mask over that entry."""
    if not isinstance(value, (np.ndarray, list)) or with_entry(value, None) is None:
        return None
    shape = np.shape(value)
    mask = np.zeros(shape, dtype=bool)
    mask[tuple(np.array(shape) // 2)] = True
    return np.ma.masked_array(np.array(value), mask=mask)


def is_numeric(value: Any) -> bool:
    """Whether it is an array, or a list, of numbers."""
    if not isinstance(value, (np.ndarray, list)) or len({np.shape(v) for v in value}) != 1:
        return False
    return np.size(value) > 1 and np.array(value).dtype.kind in "iuf"


def damages(value: Any, partners: set[int]) -> Iterator[tuple[str, str, Callable[[], Any]]]:
    """Kinds of damage that a value can have: the law it falls under, its name and how it is made."""
    rows = isinstance(value, (np.ndarray, list)) and len(value) > 1 and len({np.shape(v) for v in value}) == 1
    if with_entry(value, None) is not None:
        for name, entry in REFUSED.items():
            yield "refused", name, lambda entry=entry: with_entry(value, entry)
        yield "said", "a missing entry", lambda: with_entry(value, None)
        for name, entry in OTHERS.items():
            yield "any", name, lambda entry=entry: with_entry(value, entry)
    if masked(value) is not None:
        yield "as missing", "a mask", lambda: masked(value)
    if rows:
        law = "refused" if len(value) in partners else "any"
        yield law, "a row too few", lambda: value[:-1]
        yield law, "a row too many", lambda: [*value, value[0]] if isinstance(value, list) else np.r_[value, value[:1]]
        yield "any", "all alike", lambda: np.full_like(np.array(value), np.array(value).flat[0])
        yield "same", "a dimension more", lambda: np.array(value)[..., None]
        yield "same", "a dimension before", lambda: [value]
    if is_numeric(value):
        yield "same", "numbers as text", lambda: np.array(value).astype(str)
        yield "any", "1e300 as large", lambda: np.array(value) * 1e300
        yield "any", "1e-300 as large", lambda: np.array(value) * 1e-300
        yield "any", "negative", lambda: -np.array(value)


def faults(function: Callable[..., Any], valid: Mapping[str, Any], ignored: set[str]) -> list[str]:
    """What is wrong with the answers to damaged values of a call; nobody looks at arguments that are `ignored`."""
    items = []
    usual = answer(function, valid)
    for argument, value in valid.items():
        partners = {
            len(other) for name, other in valid.items() if name != argument and isinstance(other, (np.ndarray, list))
        }
        for law, kind, make in damages(value, partners):
            result = answer(function, {**valid, argument: make()})
            if result[0] == "raw":
                items.append(f"{argument} with {kind}: {result[1]}")
            excused = bool({argument, f"{argument} with {kind}"} & ignored) or result[0] == "refused"
            if result[0] != "raw" and not excused and not keeps(law, result, usual, function, valid, argument):
                items.append(f"{argument} with {kind}: accepted")
    return items


def keeps(law: str, result: Answer, usual: Answer, function: Any, valid: Mapping[str, Any], argument: str) -> bool:
    """Whether an accepted value may be accepted, by the law of its kind."""
    if law == "refused":
        return False
    if law == "as missing":
        absent = (with_entry(valid[argument], entry) for entry in (None, np.nan))
        return any(like(result, answer(function, {**valid, argument: value})) for value in absent)
    if law == "same":
        return like(result, usual)
    if law == "said":
        return not like(result, usual)
    return law == "any"


def answer(function: Callable[..., Any], given: Mapping[str, Any]) -> Answer:
    """What a call comes to: accepted with its result, refused by an error of ours, or raw."""
    try:
        with alarm(), warnings.catch_warnings():
            warnings.simplefilter("error")
            warnings.simplefilter("ignore", FairstatsWarning)
            return "accepted", call(function, given)
    except FairstatsError as error:
        names = [*given, *arguments(function), "X", "method"]
        named = any(re.search(rf"(?<!\w){name.lstrip('*')}(?!\w)", str(error)) for name in names)
        return ("refused", "") if named else ("raw", f"names no argument: {error}")
    except Exception as error:  # noqa: BLE001  any other is the fault that is looked for
        return "raw", f"{type(error).__name__}: {str(error)[:150]}"


def like(one: Answer, other: Answer) -> bool:
    """Whether two answers are of one kind and hold the same numbers."""
    if one[0] != other[0]:
        return False
    a, b = (np.array(list(numbers(x[1]))) for x in (one, other))
    return a.shape == b.shape and bool(np.allclose(a, b, rtol=1e-6, equal_nan=True))


def numbers(result: Any, depth: int = 0) -> Iterator[float]:
    """Every number of a result."""
    if isinstance(result, (bool, int, float, np.number)):
        yield float(result)
    elif isinstance(result, np.ndarray) and result.dtype.kind in "biuf":
        yield from result.astype(float).ravel().tolist()
    elif isinstance(result, pd.DataFrame):
        yield from numbers(result.select_dtypes("number").to_numpy())
    elif isinstance(result, Mapping):
        yield from (x for v in result.values() for x in numbers(v, depth))
    elif isinstance(result, (tuple, list)) or type(result).__name__ == "Estimates":
        yield from (x for v in result for x in numbers(v, depth))
    elif dataclasses.is_dataclass(result) and depth < 4:
        yield from (x for f in dataclasses.fields(result) for x in numbers(getattr(result, f.name), depth + 1))
