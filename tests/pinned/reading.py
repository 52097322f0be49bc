"""Every number and word of a result as lines of text, and whether two such readings agree.

``python -m tests.pinned.reading`` writes the pinned readings again.
"""

from __future__ import annotations

import hashlib
import inspect
import json
import math
import re
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse

from fairstats.errors import FairstatsError, FairstatsWarning
from fairstats.estimates import Estimate, Estimates
from fairstats.results import Reads

PINNED = Path(__file__).parent.parent / "snapshots" / "numbers"
# a module of cases and a file of readings each
PLACES = (
    "bounds",
    "statistics",
    "rare",
    "people",
    "audits",
    "told",
    "representations",
    "corners",
    "edges",
    "fits",
    "comparators",
    "paths",
    "odd",
    "solvers",
)
LISTED = 10  # numbers of one array that stand in the file; of more, their number and five sums
SHOWN = 40  # characters of a text that stand in the file; of more, their number and a hash
CLOSE, NOISE = 1e-6, 1e-9  # how far apart two readings of a number may be: of its size, and in all
ASKED = {"conf_level": 0.8, "margin": 0.15, "level": 0.9, "least": 0.7}  # of methods of statistics
APART = {"provenance", "plots"}  # not about the numbers
# read by other names, or elsewhere
TWICE = {"components_", "explained_variance_ratio_", "scaling", "encoding", "features"}

Cases = dict[str, Callable[[], Any]]
Lines = dict[str, list[float | str]]


def read(value: Any, at: str = "") -> Iterator[tuple[str, list[float | str]]]:
    """Name and values of everything in a result that can be told."""
    if isinstance(value, Estimates):
        for column in (f.name for f in fields(Estimate)):
            values = [getattr(row, column) for row in value]
            if any(v not in ("", None) and v == v for v in values):  # what no row has is left out
                yield from read(np.array(values), f"{at}.{column}")
    elif isinstance(value, pd.DataFrame):
        for column in value.columns:
            yield from read(value[column].to_numpy(), f"{at}.{column}")
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            if str(key) not in APART:
                yield from read(inner, f"{at}.{key}")
    elif is_dataclass(value) or isinstance(value, Reads):
        yield from read(parts(value), at)
    elif sparse.issparse(value):
        yield from read(value.toarray(), at)
    elif isinstance(value, tuple) and hasattr(value, "_asdict"):
        yield from read(value._asdict(), at)
    elif isinstance(value, (list, tuple)) and not any(
        all(isinstance(one, kind) for one in value) for kind in ((int, float, np.number), str)
    ):
        for i, inner in enumerate(value):
            yield from read(inner, f"{at}[{i}]")
    elif value is None or isinstance(value, (str, bool, int, float, np.ndarray, np.generic, list, tuple)):
        yield at or "value", list(told(np.asarray(value)))


def parts(value: Any) -> dict[str, Any]:
    """What a result holds, works out and says."""
    found = {f.name: getattr(value, f.name) for f in fields(value)} if is_dataclass(value) else {}
    for name, kind in inspect.getmembers(type(value)):
        if name[0] != "_" and name not in found and (isinstance(kind, property) or hasattr(kind, "attrname")):
            found[name] = attempt(lambda name=name: getattr(value, name))
    if hasattr(value, "summary"):
        found["summary"] = value.summary()
    elif is_dataclass(value) and type(value).__module__.startswith("fairstats.inference"):
        found |= asked(value)
    return {name: inner for name, inner in found.items() if name[0] != "_" and name not in APART | TWICE}


def asked(value: Any) -> dict[str, Any]:
    """What the methods of a statistic answer, at a level and with a margin."""
    answers: dict[str, Any] = {}
    for name, method in inspect.getmembers(value, inspect.ismethod):
        wanted = {
            p.name for p in inspect.signature(method).parameters.values() if p.default is p.empty or p.name in ASKED
        }
        if name[0] != "_" and wanted <= set(ASKED):
            answers[name] = attempt(lambda method=method, wanted=wanted: method(**{w: ASKED[w] for w in wanted}))
    return answers


def attempt(call: Callable[[], Any]) -> Any:
    """What a call gives, or the words with which it says no."""
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        try:
            value = call()
        except FairstatsError as no:
            return f"{type(no).__name__}: {no}"
    spoken = [str(w.message) for w in said if issubclass(w.category, FairstatsWarning)]
    return {"value": value, "warned": spoken} if spoken else value


def told(array: np.ndarray) -> Iterator[float | str]:
    """The values of an array, or what would change if one of them did."""
    flat = array.ravel()
    if flat.dtype.kind not in "biuf":
        text = plain("; ".join(str(one) for one in flat))
        digest = hashlib.sha256(text.encode()).hexdigest()[:12]
        yield text if len(text) <= SHOWN else f"{text[:SHOWN]}... {len(text)} {digest}"
        return
    if flat.dtype.kind == "b" or flat.size <= LISTED:
        yield from (float(one) for one in flat[:LISTED])
        if flat.size > LISTED:
            yield hashlib.sha256(flat.tobytes()).hexdigest()[:12]
        return
    known = np.where(np.isfinite(flat), flat, 0.0).astype(float)
    at = np.arange(flat.size)
    yield f"{flat.size} values, {int(np.isnan(flat.astype(float)).sum())} unknown"
    yield from (
        float(known.sum()),
        float(np.abs(known).sum()),
        float(known @ np.cos(at)),
        float(known @ np.cos(1.7 * at)),
    )


def plain(text: str) -> str:
    """A text without the digits that rounding writes: they, and where lines break after them, differ by machine."""
    text = re.sub(r" *[-\N{MINUS SIGN}]?\d[\d.]*e[-\N{MINUS SIGN}](0[6-9]|[1-9]\d)", " 0", text)
    before, checked, after = text.partition("Guarantees, checked on")
    return before + checked + " ".join(after.split())


def reading(call: Callable[[], Any]) -> Lines:
    """One case read: its lines by name."""
    return dict(read(attempt(call)))


def agree(one: list[float | str], other: list[float | str], close: float = CLOSE) -> bool:
    """Whether two readings of the same values are the same but for rounding."""
    if len(one) != len(other):
        return False
    numbers = [value for value in other if isinstance(value, float) and math.isfinite(value)]
    size = max(map(abs, numbers), default=0.0) if len(numbers) > 1 else 0.0
    return all(same(a, b, max(NOISE, 1e-3 * close * size), close) for a, b in zip(one, other, strict=True))


def same(a: float | str, b: float | str, noise: float, close: float) -> bool:
    """Whether two values are the same but for rounding."""
    if isinstance(a, str) or isinstance(b, str):
        return a == b
    return a == b or (math.isnan(a) and math.isnan(b)) or abs(a - b) <= noise + close * abs(b)


def line(values: list[float | str]) -> str:
    """Values as they stand in the file."""
    return json.dumps([value if isinstance(value, str) else float(f"{value:.8g}") for value in values])


@cache
def stored(place: str) -> dict[str, Lines]:
    """The pinned readings of one place: name of the case, name of the line."""
    found: dict[str, Lines] = {}
    case = ""
    for text in (PINNED / f"{place}.txt").read_text(encoding="utf-8").splitlines():
        if text.startswith("# "):
            case = text[2:]
            found[case] = {}
        else:
            name, _, values = text.strip().rpartition(": [")
            found[case][name] = json.loads("[" + values)
    return found


def write(place: str) -> None:
    """Pin the readings of one place."""
    out = []
    for name, call in import_module(f"tests.pinned.{place}").CASES.items():
        out += [f"# {name}", *(f"  {at}: {line(values)}" for at, values in reading(call).items())]
    PINNED.mkdir(exist_ok=True)
    (PINNED / f"{place}.txt").write_text("\n".join(out) + "\n", encoding="utf-8")


if __name__ == "__main__":
    for wanted in sys.argv[1:] or PLACES:
        write(wanted)
