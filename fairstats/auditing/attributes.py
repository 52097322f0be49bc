"""Group columns as coded levels: single attributes, intersections, strata; missing people are a level of their own."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from fairstats.auditing.protocol import Protocol
from fairstats.data.columns import Columns
from fairstats.data.factors import Factor, crossed
from fairstats.data.label_codes import judge_labels
from fairstats.errors import InputError, listing
from fairstats.labels import column_parts, refuse_reserved
from fairstats.limits import more, most
from fairstats.studies.attribute import Attribute, by_size


def label_column(columns: Columns, role: str, name: str) -> Factor:
    """A column of labels, of which at least one is known."""
    factor = columns.labels(name, role)
    if not factor.levels:
        raise InputError(f"{role} has the column {name!r}; all its values are missing; name another column.")
    return factor


def group_columns(columns: Columns, protocol: Protocol) -> dict[str, Factor]:
    """Every single column that an attribute needs; missing people have the code −1."""
    names = dict.fromkeys(p for g in protocol.groups for p in column_parts(g, columns.names))
    parts = {}
    for name in names:
        part = columns.labels(name, "groups")
        judge_labels(name, part)  # how many groups there are is judged of all people, of whom these may be a part
        if protocol.missing == "raise":
            lost = np.flatnonzero(part.codes < 0)
            missing_refused(name, len(lost), f" (rows {listing(lost + 1)})")
        parts[name] = part
    return parts


def missing_refused(name: str, lost: float, where: str = "") -> None:
    """Nobody is without a group where that was not allowed."""
    if lost:
        raise InputError(
            f"groups has {name!r} with {lost:g} missing values{where}; pass missing='level' to keep them as a group, "
            f"or missing='drop' to leave them out."
        )


def check_levels(name: str, labels: tuple[str, ...]) -> None:
    """Two groups at least, and no more than can be compared one by one."""
    if len(labels) < 2:
        only = f"its only level is {labels[0]!r}" if labels else "nobody has a known group"
        raise InputError(f"groups has {name!r}; {only}; an audit needs two groups at least.")
    if len(labels) > most("FAIRSTATS_MAX_GROUPS"):
        raise InputError(
            f"groups has {name!r} with {len(labels)} levels; an audit compares {more('FAIRSTATS_MAX_GROUPS')}; "
            f"join them into fewer groups first."
        )


# in smaller data strata of one person are no sign of a column of measurements
FEWEST_IN_STRATA = 20


def audited(parts: dict[str, Factor], protocol: Protocol, people: NDArray[np.float64]) -> tuple[Attribute, ...]:
    """The audited attributes in order; several single ones are followed by their intersection."""
    singles = [g for g in protocol.groups if g in parts]
    several = {g: column_parts(g, parts) for g in protocol.groups if g not in parts}
    if len(singles) > 1:
        several.setdefault(":".join(singles), singles)
    factors = {name: crossed([parts[p] for p in own]) for name, own in ({s: [s] for s in singles} | several).items()}
    return tuple(by_size(as_levels(name, factor), people) for name, factor in factors.items())


def as_levels(name: str, factor: Factor) -> Attribute:
    """A factor without gaps as the levels of an attribute."""
    return Attribute(name, factor.codes.astype(np.int32), factor.levels)


def strata_columns(columns: Columns, protocol: Protocol) -> dict[str, Factor]:
    """The legitimate factors; a missing one has the code −1."""
    parts = {}
    for name in column_parts(protocol.strata, columns.names) if protocol.strata else ():
        parts[name] = columns.labels(name, "strata")
        refuse_reserved(name, parts[name].levels, "strata")
    return parts


def strata_levels(factors: Mapping[str, Factor], strata: str, people: NDArray[np.float64]) -> Attribute:
    """The combinations of the legitimate factors; a missing factor is a stratum of its own.

    Raises
    ------
    InputError
        If hardly two people share a stratum, as with a column of measurements.
    """
    parts = [factors[name].with_missing_level() for name in column_parts(strata, tuple(factors))]
    crossing = crossed(parts)
    sizes = np.bincount(crossing.codes, people, len(crossing.levels))
    alone, total = float((sizes == 1).sum()), float(people.sum())
    if total >= FEWEST_IN_STRATA and alone > total / 2:
        raise InputError(
            f"strata has {strata!r}, with {int((sizes > 0).sum()):,} values for {total:,.0f} people; {alone:,.0f} of "
            "them share their value with nobody, so that there is nobody to compare them with; pass a column of few "
            "values, such as ranges of a number (pandas.cut(column, 5))."
        )
    return by_size(as_levels(strata, crossing), people)
