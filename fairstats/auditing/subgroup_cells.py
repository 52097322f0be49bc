"""Which subgroups there are in a tally: every combination of labels of up to so many columns that somebody has."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from fairstats.auditing.coding import CodedTally
from fairstats.auditing.input import UNKNOWN
from fairstats.errors import InputError
from fairstats.labels import join
from fairstats.limits import more, most
from fairstats.metrics import Metric
from fairstats.studies.attribute import Attribute

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class RatePeople:
    """The people of one rate by cell: a label of every column, numerator and denominator."""

    columns: tuple[Attribute, ...]
    events: Floats
    n: Floats


@dataclass(frozen=True, eq=False)
class Subgroup:
    """One combination of labels: who is in it."""

    attribute: str
    group: str
    members: NDArray[np.bool_]  # by cell
    events: float
    n: float


def people_of(tally: CodedTally, metric: Metric) -> RatePeople:
    """Return the people that a rate is about, by the labels of all columns.

    Parameters
    ----------
    tally : CodedTally
        Its attributes are single columns.
    metric : Metric
        A share of the count table.

    Returns
    -------
    RatePeople

    Examples
    --------
    >>> from fairstats.metrics import METRICS
    >>> sex = Attribute("sex", np.array([0, 0, 1], dtype=np.int32), ("m", "f"))
    >>> made = people_of(CodedTally((sex,), np.ones(3), decision=np.array([1, 0, 1])), METRICS["selection rate"])
    >>> made.events.tolist(), made.n.tolist()
    ([1.0, 1.0], [2.0, 1.0])
    """
    unknown = np.full(tally.rows.size, UNKNOWN, dtype=np.intp)
    outcome = unknown if tally.outcome is None else tally.outcome.astype(np.intp)
    decision = unknown if tally.decision is None else tally.decision.astype(np.intp)
    counted = np.zeros((2, 3, 3))
    for i, places in enumerate(metric.cells(tally.favors)):
        counted[i][tuple(zip(*places, strict=True))] = 1
    events, n = counted[:, outcome, decision] * tally.rows
    codes, place = np.unique(np.stack([a.codes for a in tally.attributes]), axis=1, return_inverse=True)
    columns = tuple(Attribute(a.name, own, a.labels) for a, own in zip(tally.attributes, codes, strict=True))
    return RatePeople(columns, *(np.bincount(place.ravel(), counts).astype(float) for counts in (events, n)))


def subgroups_of(people: RatePeople, depth: int, smallest: int) -> list[Subgroup]:
    """Every subgroup that somebody is in, by the number of its columns, then in the order of columns and labels.

    Raises
    ------
    InputError
        If more of them have at least ``smallest`` people than limits can be simultaneous for.

    Examples
    --------
    >>> sex = Attribute("sex", np.array([0, 0, 1], dtype=np.int32), ("m", "f"))
    >>> old = Attribute("old", np.array([0, 1, 1], dtype=np.int32), ("no", "yes"))
    >>> found = subgroups_of(RatePeople((sex, old), np.array([1.0, 0, 2]), np.array([5.0, 4, 3])), 2, 1)
    >>> [(s.group, s.n) for s in found]
    [('m', 9.0), ('f', 3.0), ('no', 5.0), ('yes', 7.0), ('m:no', 5.0), ('m:yes', 4.0), ('f:yes', 3.0)]
    """
    found, large = [], 0
    for attribute, group, members in _combinations(people, depth):
        subgroup = Subgroup(attribute, group, members, float(people.events @ members), float(people.n @ members))
        found.append(subgroup)
        large += subgroup.n >= smallest
        if large > most("FAIRSTATS_MAX_SUBGROUPS"):
            raise InputError(
                f"depth has {depth} and smallest {smallest}; there are more subgroups than can be judged together, "
                f"{more('FAIRSTATS_MAX_SUBGROUPS')}; look less deep, or raise smallest."
            )
    return found


def _combinations(people: RatePeople, depth: int) -> Iterator[tuple[str, str, NDArray[np.bool_]]]:
    for k in range(1, min(depth, len(people.columns)) + 1):
        for chosen in combinations(people.columns, k):
            codes = np.stack([column.codes for column in chosen])
            for combination in np.unique(codes, axis=1).T:
                labels = [column.labels[code] for column, code in zip(chosen, combination, strict=True)]
                members = (codes == combination[:, None]).all(axis=0)
                yield ":".join(c.name for c in chosen), join(labels) if k > 1 else labels[0], members
