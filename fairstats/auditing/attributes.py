"""Group columns as coded levels: single attributes, intersections, strata; missing people are a level of their own."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fairstats.auditing.result import FlowStep, Protocol
from fairstats.data.columns import MISSING_LEVEL, Columns
from fairstats.errors import InputError, listing

MOST_LEVELS = 200
MOST_CELLS = 10**6  # a crossing with fewer possible cells is counted, one with more is sorted


@dataclass(frozen=True)
class Levels:
    """One audited attribute: a code for every row, and the labels in order of size."""

    name: str
    codes: NDArray[np.int32]
    labels: tuple[str, ...]


def code_column(columns: Columns, role: str, name: str) -> tuple[NDArray[np.int32], tuple[str, ...]]:
    """Codes (-1 is missing) and labels."""
    factor = columns.factor(name, role)
    if not factor.levels:
        raise InputError(f"{role} has the column {name!r}; all its values are missing; name another column.")
    return factor.codes.astype(np.int32), factor.levels


def group_columns(columns: Columns, protocol: Protocol) -> tuple[dict[str, Levels], list[FlowStep]]:
    """Every single column that an attribute needs, missing people coded as a level of their own, always the last."""
    names = dict.fromkeys(p for g in protocol.groups for p in ([g] if g in columns else g.split(":")))
    parts, steps = {}, []
    for name in names:
        codes, labels = code_column(columns, "groups", name)
        absent = int(np.sum(codes < 0))
        check_levels(name, labels)
        if absent and protocol.missing == "raise":
            rows = listing(np.flatnonzero(codes < 0) + 1)
            raise InputError(
                f"groups has {name!r} with {absent} missing values (rows {rows}); pass missing='level' to keep them as "
                f"a group, or missing='drop' to leave them out."
            )
        if absent:
            kept = "kept as the level " + MISSING_LEVEL if protocol.missing == "level" else "left out"
            steps.append(FlowStep(f"{name} missing", absent, kept))
            labels = tuple(dict.fromkeys((*labels, MISSING_LEVEL)))
            codes = np.where(codes < 0, labels.index(MISSING_LEVEL), codes).astype(np.int32)
        parts[name] = Levels(name, codes, labels)
    return parts, steps


def check_levels(name: str, labels: tuple[str, ...]) -> None:
    """Two groups at least, and no more than can be compared one by one."""
    if len(labels) < 2:
        only = f"its only level is {labels[0]!r}" if labels else "nobody has a known group"
        raise InputError(f"groups has {name!r}; {only}; an audit needs two groups at least.")
    if len(labels) > MOST_LEVELS:
        raise InputError(
            f"groups has {name!r} with {len(labels)} levels; an audit compares at most {MOST_LEVELS}; "
            f"join them into fewer groups first."
        )


def audited(parts: dict[str, Levels], protocol: Protocol) -> tuple[Levels, ...]:
    """The audited attributes in order; several single ones are followed by their intersection."""
    singles = [g for g in protocol.groups if g in parts]
    several = [g for g in protocol.groups if g not in parts]
    if len(singles) > 1 and ":".join(singles) not in several:
        several.append(":".join(singles))
    joined = [crossed(name, [parts[p] for p in name.split(":")]) for name in several]
    return tuple(by_size(levels) for levels in [*(parts[s] for s in singles), *joined])


def crossed(name: str, parts: list[Levels]) -> Levels:
    """The intersection of several columns: the combinations that occur, labels joined by ``:``."""
    codes, labels = parts[0].codes, list(parts[0].labels)
    for part in parts[1:]:
        width = len(part.labels)
        flat = codes.astype(np.int64) * width + part.codes
        cells = len(labels) * width
        observed = np.flatnonzero(np.bincount(flat, minlength=cells)) if cells <= MOST_CELLS else np.unique(flat)
        codes = np.searchsorted(observed, flat).astype(np.int32)
        labels = [f"{labels[c // width]}:{part.labels[c % width]}" for c in observed.tolist()]
    return Levels(name, codes, tuple(labels))


def by_size(levels: Levels) -> Levels:
    """Observed levels from the largest to the smallest, ties by name, missing ones last: independent of row order."""
    sizes = np.bincount(levels.codes, minlength=len(levels.labels))
    seen = [i for i in range(len(sizes)) if sizes[i]]
    order = sorted(seen, key=lambda i: (MISSING_LEVEL in levels.labels[i].split(":"), -sizes[i], levels.labels[i]))
    place = np.empty(len(sizes), dtype=np.int32)
    place[order] = np.arange(len(order), dtype=np.int32)
    return Levels(levels.name, place[levels.codes], tuple(levels.labels[i] for i in order))


def code_strata(columns: Columns, protocol: Protocol) -> Levels | None:
    """The combinations of the legitimate factors; a missing factor is a stratum of its own."""
    if not protocol.strata:
        return None
    parts = []
    for name in protocol.strata.split(":"):
        codes, labels = code_column(columns, "strata", name)
        parts.append(Levels(name, np.where(codes < 0, len(labels), codes).astype(np.int32), (*labels, MISSING_LEVEL)))
    return by_size(crossed(protocol.strata, parts))
