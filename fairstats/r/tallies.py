"""What R asks of tallies: people counted in a table, in files or in a database that R speaks to; added up, withheld."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

import fairstats
from fairstats.auditing.subgroups_result import Subgroups
from fairstats.auditing.tally import Tally
from fairstats.data.condensed import from_counts
from fairstats.r.reports import listed


def people_of(data: Any) -> Any:
    """Return what `fairstats.tally` takes: a table, paths, a tally; or what a database has counted for R.

    The latter comes as ``counted`` (a table), ``weights`` (a name) and ``name``, that of the database's table.
    """
    if isinstance(data, Mapping) and set(data) == {"counted", "weights", "name"}:
        return from_counts(data["counted"], data["weights"], data["name"])
    return data.tolist() if isinstance(data, np.ndarray) and data.dtype == object else data


def counted(data: Any, **options: Any) -> Tally:
    """Return the tally of people, wherever R has them."""
    return fairstats.tally(people_of(data), **listed(options))


def subgroups(data: Any, **options: Any) -> Subgroups:
    """Return which subgroups differ from everybody, wherever R has the people."""
    return fairstats.subgroups(people_of(data), **listed(options))


def added(one: Tally, other: Tally) -> Tally:
    """Return the tally of both sets of people."""
    return one + other


def withheld(tally: Tally, min_n: int) -> Tally:
    """Return the tally without the counts of its small cells."""
    return tally.withhold(min_n)


TALLIES: dict[str, Callable[..., Any]] = {
    "tally": counted,
    "subgroups": subgroups,
    "added": added,
    "withheld": withheld,
}
