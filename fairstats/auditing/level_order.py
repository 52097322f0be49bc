"""Tables in the order of the levels of ordered columns; numbers are made in that of size, and do not depend on it."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from fairstats.auditing.result import Audit
from fairstats.auditing.tally import Tally
from fairstats.estimates import Estimate, Estimates
from fairstats.labels import MISSING_LEVEL, column_parts, join

Item = TypeVar("Item")


def in_level_order(audit: Audit, tally: Tally) -> Audit:
    """The audit with its groups in the order of their levels, where every column behind them has one.

    The order becomes part of the protocol, so that the audit of the same people in a file of text has it, too.

    Examples
    --------
    >>> import pandas as pd, fairstats as fs
    >>> band = pd.Categorical(["low", "high", "high", "low", "high"] * 9, ["low", "high"], ordered=True)
    >>> made = fs.audit({"band": band, "d": [0, 1, 1, 1, 0] * 9}, "d", "band")
    >>> [cell.group for cell in made.cells], made.references
    (['low', 'high'], {'band': 'high'})
    """
    order = audit.protocol.order or _declared(audit, tally)
    places = {name: {group: i for i, group in enumerate(groups)} for name, *groups in order}
    if not places:
        return audit

    def place(item: Any) -> int:
        return places.get(item.attribute, {}).get(item.group, len(places.get(item.attribute, ())))

    def sorted_runs(items: Iterable[Item], kind: Any) -> list[Item]:
        return [one for _, run in itertools.groupby(items, kind) for one in sorted(run, key=place)]

    return replace(
        audit,
        protocol=replace(audit.protocol, order=order),
        cells=tuple(sorted_runs(audit.cells, lambda cell: cell.attribute)),
        estimates=Estimates(sorted_runs(audit.estimates, _kind)),
        curves=tuple(sorted_runs(audit.curves, lambda curve: (curve.attribute, curve.kind))),
    )


def _kind(row: Estimate) -> tuple[object, ...]:
    """Rows of one kind that follow each other are those of the groups of one attribute."""
    return row.attribute, row.metric, row.role, row.given, row.contrast == "none", bool(row.group)


def _declared(audit: Audit, tally: Tally) -> tuple[tuple[str, ...], ...]:
    found = []
    for attribute in audit.references:
        parts = [tally.factors[name] for name in column_parts(attribute, tuple(tally.factors))]
        if all(part.ordered for part in parts):
            shown = {cell.group for cell in audit.cells if cell.attribute == attribute}
            found.append((attribute, *(label for label in _crossing([p.levels for p in parts]) if label in shown)))
    return tuple(found)


def _crossing(levels: Sequence[tuple[str, ...]]) -> Iterable[str]:
    """The labels of an attribute, or of an intersection, in the order of their parts; people without one come last."""
    known = [(*own, MISSING_LEVEL) for own in levels]
    return known[0] if len(known) == 1 else map(join, itertools.product(*known))
