"""Group columns as coded levels: single attributes, intersections, strata; missing people are a level of their own."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fairstats.auditing.protocol import Protocol
from fairstats.data.columns import Columns
from fairstats.data.factors import Factor, crossed
from fairstats.data.label_codes import judge_labels
from fairstats.errors import InputError, listing
from fairstats.labels import MISSING_LEVEL, column_parts, refuse_reserved
from fairstats.studies.attribute import Levels, by_size
from fairstats.studies.flow import FlowStep

MOST_LEVELS = 200


def code_column(columns: Columns, role: str, name: str) -> tuple[NDArray[np.int32], tuple[str, ...]]:
    """Codes (-1 is missing) and labels."""
    factor = columns.factor(name, role)
    if not factor.levels:
        raise InputError(f"{role} has the column {name!r}; all its values are missing; name another column.")
    return factor.codes.astype(np.int32), factor.levels


def group_columns(columns: Columns, protocol: Protocol) -> tuple[dict[str, Factor], list[FlowStep]]:
    """Every single column that an attribute needs, missing people coded as a level of their own, always the last."""
    names = dict.fromkeys(p for g in protocol.groups for p in column_parts(g, columns.names))
    parts, steps = {}, []
    for name in names:
        made = columns.factor(name, "groups")
        judge_labels(name, made)
        check_levels(name, made.levels)
        lost = np.flatnonzero(made.codes < 0)
        if len(lost) and protocol.missing == "raise":
            raise InputError(
                f"groups has {name!r} with {len(lost)} missing values (rows {listing(lost + 1)}); pass missing='level' "
                f"to keep them as a group, or missing='drop' to leave them out."
            )
        if len(lost):
            kept = "kept as the level " + MISSING_LEVEL if protocol.missing == "level" else "left out"
            steps.append(FlowStep(f"{name} missing", len(lost), kept))
            made = made.with_missing_level()
        parts[name] = made
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


def audited(parts: dict[str, Factor], protocol: Protocol) -> tuple[Levels, ...]:
    """The audited attributes in order; several single ones are followed by their intersection."""
    singles = [g for g in protocol.groups if g in parts]
    several = {g: column_parts(g, parts) for g in protocol.groups if g not in parts}
    if len(singles) > 1:
        several.setdefault(":".join(singles), singles)
    made = {name: crossed([parts[p] for p in own]) for name, own in ({s: [s] for s in singles} | several).items()}
    return tuple(by_size(as_levels(name, factor)) for name, factor in made.items())


def as_levels(name: str, factor: Factor) -> Levels:
    """A factor without gaps as the levels of an attribute."""
    return Levels(name, factor.codes.astype(np.int32), factor.levels)


def code_strata(columns: Columns, protocol: Protocol) -> Levels | None:
    """The combinations of the legitimate factors; a missing factor is a stratum of its own."""
    if not protocol.strata:
        return None
    parts = []
    for name in column_parts(protocol.strata, columns.names):
        made = columns.factor(name, "strata")
        refuse_reserved(name, made.levels, "strata")
        parts.append(made.with_missing_level())
    return by_size(as_levels(protocol.strata, crossed(parts)))
