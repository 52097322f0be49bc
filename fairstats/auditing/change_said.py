"""The statements of a change: how many are shown, and the first few of them."""

from __future__ import annotations

from fairstats.estimates import Estimate, Estimates
from fairstats.inference.multiplicity import rejected
from fairstats.text import p_equals, percent, span

CHANGE, BEFORE, AFTER = "change", "before", "after"
# What results and consoles say in English; a report says it of the rows, in its language.
NONE_SHOWN = "No change of a difference between groups is shown ({count} compared)."
SHOWN = "A change of a difference between groups is shown in {shown} of {count} comparisons."
ONE = (
    "{metric}, {group} less {reference} ({attribute}): {before} percentage points before, {after} after, "
    "a change of {change} ({limits})."
)
MOST = 5


def place_of(row: Estimate) -> dict[str, str]:
    """What two rows of one comparison have in common."""
    return {"metric": row.metric, "attribute": row.attribute, "group": row.group, "reference": row.reference}


def gaps_of(table: Estimates, row: Estimate) -> tuple[Estimate | None, Estimate | None]:
    """The differences that a change is of, before and after; None where one could not be had."""
    found = (table.only(estimator=name, contrast="difference", **place_of(row)) for name in (BEFORE, AFTER))
    before, after = (next(iter(rows), None) for rows in found)
    return before, after


def known_gaps(table: Estimates, row: Estimate) -> tuple[float, float]:
    """The two differences of a change that was estimated: both are there."""
    before, after = gaps_of(table, row)
    assert before is not None and after is not None
    return before.estimate, after.estimate


def said_of(table: Estimates, conf_level: float) -> tuple[str, ...]:
    """How many changes are shown, and each of the first few of them."""
    changes = [row for row in table.only(estimator=CHANGE) if row.status == "ok"]
    found = [row for row in changes if rejected(row.p_adjusted, conf_level)]
    if not found:
        return (NONE_SHOWN.format(count=len(changes)),)
    said = [SHOWN.format(shown=len(found), count=len(changes))]
    for row in sorted(found, key=lambda r: r.p_adjusted)[:MOST]:
        old, new = known_gaps(table, row)
        known = row.conf_low == row.conf_low  # Holm's steps have no intervals
        said.append(
            ONE.format(
                metric=row.metric,
                group=row.group,
                reference=row.reference,
                attribute=row.attribute,
                before=percent(old),
                after=percent(new),
                change=percent(row.estimate),
                limits=span(row.conf_low, row.conf_high, percent) if known else p_equals(row.p_adjusted),
            )
        )
    return tuple(said)
