"""Two documents of results compared entry by entry: numbers within a tolerance, everything else exactly."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from fairstats.glossary import IDENTITY

TOLERANCE = 1e-9  # absolute up to 1, relative beyond
ABSENT = "(absent)"
_NAMES = {"cells": ("attribute", "group"), "curves": ("kind", "attribute", "group"), "flow": ("label",)}


@dataclass(frozen=True)
class Difference:
    """One entry that a report has and the data do not give: where it stands, what is written, what is recomputed."""

    where: str
    written: Any
    recomputed: Any

    def __str__(self) -> str:
        return f"{self.where}: {_shown(self.written)} in the report, {_shown(self.recomputed)} recomputed"


def differences(written: Any, recomputed: Any, where: str) -> Iterator[Difference]:
    """Every entry in which two values differ, in the order of the first.

    Examples
    --------
    >>> [str(d) for d in differences({"n": 1.0, "p": 0.5}, {"n": 1.0 + 1e-12, "p": 0.25}, "cell")]
    ['cell, p: 0.5 in the report, 0.25 recomputed']
    """
    if isinstance(written, dict) and isinstance(recomputed, dict):
        for name in dict.fromkeys([*written, *recomputed]):
            yield from differences(written.get(name, ABSENT), recomputed.get(name, ABSENT), f"{where}, {name}")
    elif isinstance(written, list) and isinstance(recomputed, list):
        yield from _of_lists(written, recomputed, where)
    elif not same(written, recomputed):
        yield Difference(where, written, recomputed)


def _of_lists(written: list[Any], recomputed: list[Any], where: str) -> Iterator[Difference]:
    """Entries that are named are matched by name, so that one that is missing does not make all others differ."""
    kind = where.rsplit(", ", 1)[-1]
    ours, theirs = _by_name(written, kind), _by_name(recomputed, kind)
    for name in dict.fromkeys([*ours, *theirs]):
        yield from differences(ours.get(name, ABSENT), theirs.get(name, ABSENT), _said(name, kind, where))


def _by_name(entries: list[Any], kind: str) -> dict[tuple[Any, ...], Any]:
    columns = IDENTITY if kind == "estimates" else _NAMES.get(kind, ())
    seen: Counter[tuple[Any, ...]] = Counter()
    named = {}
    for at, entry in enumerate(entries):
        name = tuple(str(entry.get(c, "")) for c in columns) if columns and isinstance(entry, dict) else (at,)
        seen[name] += 1
        named[(*name, seen[name])] = entry
    return named


def _said(name: tuple[Any, ...], kind: str, where: str) -> str:
    *parts, repeat = name
    if kind == "estimates":
        row = dict(zip(IDENTITY, parts, strict=True))
        row = {c: v for c, v in row.items() if v not in ("", "none", "None", "main")}
        against = f"{row.pop('contrast', '')} against {row.pop('reference', '')}".strip()
        words = [row.pop("metric", ""), *(f"{c} {v}" for c, v in row.items())]
        words += [against] if against != "against" else []
        return ", ".join(filter(None, words)) + (f" ({repeat})" if repeat > 1 else "")
    if kind in _NAMES:
        return f"{where}: {' '.join(filter(None, map(str, parts)))}"
    return f"{where} {int(parts[0]) + 1}"


def same(written: Any, recomputed: Any) -> bool:
    """Whether two values are one: numbers within `TOLERANCE`, absent numbers alike, all else exactly.

    Examples
    --------
    >>> same(0.1 + 0.2, 0.3), same(0.3, 0.31), same("Inf", "Inf"), same(1, True)
    (True, False, True, False)
    """
    if isinstance(written, bool) or isinstance(recomputed, bool):
        return written is recomputed
    if isinstance(written, (int, float)) and isinstance(recomputed, (int, float)):
        if math.isnan(written) or math.isnan(recomputed):
            return math.isnan(written) and math.isnan(recomputed)
        largest = max(1.0, abs(written), abs(recomputed))
        return written == recomputed or abs(written - recomputed) <= TOLERANCE * largest
    return bool(written == recomputed)


def _shown(value: Any) -> str:
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, dict):
        return "a row" if value else "nothing"
    text = "none" if value is None else str(value)
    return text if len(text) <= 80 else f"{text[:79]}…"
