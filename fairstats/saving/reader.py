"""A saved result is rebuilt from its header: a closed set of classes, and every field judged by its annotation."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import numpy as np

from fairstats.estimates import Estimates
from fairstats.methods.registry import METHODS
from fairstats.saving.classes import FITS, LEFT_OUT, NARROWER, RESULTS, SIZES, class_of
from fairstats.saving.rows import unpacked


def no_number(text: str) -> Any:
    """Refuse NaN and Infinity as JSON numbers; our headers hold them as text."""
    raise ValueError(f"{text} for a number")


class Reader:
    """Builds a result of a header and its arrays; every value is judged by its field's annotation."""

    def __init__(self, arrays: Mapping[str, np.ndarray]) -> None:
        self.arrays = arrays
        self.sizes: dict[str, int] = {}

    def result(self, value: Any) -> Any:
        """The result that the header holds."""
        if isinstance(value, dict) and set(value) == {"@estimates"}:
            return self.table(value)
        name = value["@class"] if isinstance(value, dict) else None
        if name not in RESULTS:
            raise ValueError(f"{str(name)[:40]!r} is no result")
        made = self.instance(value, name)
        if name in FITS:
            _judge_call(made.method, made.settings)
        return made

    def table(self, value: Any) -> Estimates:
        """A table of estimates."""
        if not isinstance(value, dict) or set(value) != {"@estimates"}:
            raise ValueError("no table of estimates where one belongs")
        return unpacked({name: self.plain(column, name) for name, column in value["@estimates"].items()})

    def instance(self, value: Any, name: str) -> Any:
        """An instance of the class of that name, and of no other."""
        if not isinstance(value, dict) or set(value) != {"@class", "fields"} or value["@class"] != name:
            raise ValueError(f"no {name} where one belongs")
        cls = class_of(name)
        hints, given = get_type_hints(cls), value["fields"]
        known = {f.name: f for f in fields(cls)}
        strange = set(given) - {n for n in known if (name, n) not in LEFT_OUT}
        absent = {n for n, f in known.items() if f.default is MISSING and f.default_factory is MISSING} - set(given)
        if strange or absent:
            raise ValueError(f"{name} with the fields {sorted(given)}")
        read = {}
        for field, inner in given.items():
            narrow = NARROWER.get((name, field))
            if narrow is None:
                read[field] = self.value(inner, hints[field], f"{name}.{field}")
            else:
                read[field] = None if inner is None else self.instance(inner, narrow)
            self.agree(read[field], SIZES.get(name, {}).get(field), f"{name}.{field}")
        return cls(**read)

    def value(self, value: Any, kind: Any, where: str) -> Any:
        """A value of the annotated type."""
        origin, inner = get_origin(kind), get_args(kind)
        if origin in (Union, UnionType):
            if value is None and NoneType in inner:
                return None
            kind = next(part for part in inner if part is not NoneType)
            return self.value(value, kind, where)
        if kind is Any:
            return self.plain(value, where)
        if kind is Estimates:
            return self.table(value)
        if origin is Literal:
            if value not in inner:
                raise ValueError(f"{where} has a value that there is not")
            return value
        if origin is tuple and isinstance(value, dict) and set(value) == {"@floats"}:
            return self.floats(value["@floats"], inner, where)
        if origin is list and isinstance(value, dict) and set(value) == {"@list"}:
            return [self.value(part, inner[0], where) for part in value["@list"]]
        if is_dataclass(kind):
            return self.instance(value, kind.__name__)  # type: ignore[union-attr]
        if origin is tuple and isinstance(value, dict) and set(value) == {"@tuple"}:
            return tuple(self.value(part, inner[0], where) for part in value["@tuple"])
        if origin in (dict, Mapping) and isinstance(value, dict) and set(value) == {"@dict"}:
            return {self.value(k, inner[0], where): self.value(v, inner[1], where) for k, v in value["@dict"]}
        if origin is None and kind is not NoneType:
            plain = self.plain(value, where)
            if type(plain) is kind or (kind is float and type(plain) is int):
                return plain
        raise ValueError(f"{where} is of another type")

    def floats(self, value: Any, inner: tuple[Any, ...], where: str) -> tuple[float, ...]:
        """A long tuple of numbers, which stands as an array."""
        numbers = self.plain(value, where)
        if inner != (float, Ellipsis) or not isinstance(numbers, np.ndarray) or numbers.dtype != np.float64:
            raise ValueError(f"{where} is of another type")
        return tuple(numbers.ravel().tolist())

    def plain(self, value: Any, where: str) -> Any:
        """Text, a number, an array, or lists and dictionaries of these: never an instance of a class."""
        if isinstance(value, str):
            return _text(value)
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, (int, float)) and abs(value) <= sys.float_info.max:
            return value
        if not isinstance(value, dict) or len(value) != 1:
            raise ValueError(f"{where} is of another type")
        ((kind, inner),) = value.items()
        if kind == "@float" and inner in ("nan", "inf", "-inf"):
            return float(inner)
        if kind == "@array":
            return self.arrays[inner]
        if kind == "@dict":
            return {_key(k, where): self.plain(v, where) for k, v in inner}
        if kind in ("@tuple", "@list"):
            return (tuple if kind == "@tuple" else list)(self.plain(part, where) for part in inner)
        raise ValueError(f"{where} is of another type")

    def agree(self, value: Any, sizes: str | None, where: str) -> None:
        """Refuse an array whose size another one contradicts."""
        if value is None or sizes is None:
            return
        shape = value.shape if isinstance(value, np.ndarray) else (len(value),)
        if isinstance(value, np.ndarray) and value.dtype.kind not in "biuf":
            raise ValueError(f"{where} is of another type")
        if len(shape) != len(sizes) or any(self.sizes.setdefault(s, n) != n for s, n in zip(sizes, shape, strict=True)):
            raise ValueError(f"{where} has the shape {shape}")


def _key(key: Any, where: str) -> Any:
    if not isinstance(key, (str, int, float)):
        raise ValueError(f"{where} is of another type")
    return _text(key) if isinstance(key, str) else key


def _text(value: str) -> str:
    """Text that can be written; half a character (a lone surrogate) is none, and no label has one."""
    value.encode()
    return value


def _judge_call(method: str, settings: Mapping[str, Any]) -> None:
    """Check a saved fit's method and settings against the registry, since ``crossfit`` calls the method with them."""
    if method not in METHODS:
        raise ValueError(f"{method[:40]!r} is no method")
    known = set(inspect.signature(METHODS[method].function).parameters)
    if not set(settings) <= known - {"X", "groups", "data"}:
        raise ValueError(f"{method!r} has no such settings")
