"""The headline difference whatever the missing groups and decisions are: bounds, and an interval around them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from fairstats.auditing.counts import NONE, CountTable
from fairstats.auditing.effective_counts import Evidence
from fairstats.estimates import Estimate
from fairstats.inference.rates.missing_bounds import NOBODY, Gaps, Known, bounds_with_error, difference_bounds
from fairstats.labels import MISSING_LEVEL, holds_missing, split

GROUPS, AND = "missing groups", " and "
WORST_CASE = "worst cases over what is missing (Manski); without sampling error"
WITH_ERROR = "worst cases over what is missing, with sampling error (Imbens-Manski)"
SAMPLING = "with sampling error"


def bound_rows(part: Evidence, table: CountTable, group: int, base: int, row: Estimate) -> Iterator[Estimate]:
    """The bounds of one comparison: by each kind of gap, by both jointly, and the widest with sampling error.

    Parameters
    ----------
    part : Evidence
        The rate.
    table : CountTable
        Its attribute; of an intersection, people with a missing part may belong to every cell that agrees in the
        other parts.
    group, base : int
        Places of the group and of the reference.
    row : Estimate
        The comparison as audited.

    Yields
    ------
    Estimate
        Of the role "bound"; the ends are bounds, and confidence limits only where ``term`` says "with sampling error".
        Nothing where nothing is missing, or where people of unknown group are withheld.

    References
    ----------
    Manski (2003), Partial Identification of Probability Distributions, chapter 1; Imbens & Manski (2004), Econometrica
    72, 1845-1857.

    Examples
    --------
    >>> n = np.array([80.0, 40.0])
    >>> part = Evidence("selection rate", np.array([48.0, 12.0]), n, n, n, True, "")
    >>> counts = np.zeros((2, 3, 3))
    >>> counts[1, 2, 2] = 10  # of ten the decision is not known
    >>> table = CountTable("sex", ("m", "f"), counts, 1, False, True)
    >>> row = Estimate("selection rate", "sex", "f", "difference", "m", estimate=-0.3, conf_level=0.95)
    >>> [(r.given, r.term, round(r.conf_low, 2)) for r in bound_rows(part, table, 1, 0, row)]
    [('missing decision', '', -0.36), ('missing decision', 'with sampling error', -0.48)]
    """
    label = table.labels[group]
    if holds_missing(label) or holds_missing(table.labels[base]):
        groups: list[int] = []
    else:
        groups = [i for i, other in enumerate(table.labels) if holds_missing(other)]
    people = [_people(part, table, i) for i in (group, base, *groups)]
    if any(not sum(known) for known in people[2:]):  # withheld: what they would allow is not known
        groups, people = [], people[:2]
    gaps = Gaps(people[0], people[1], *_places(table.labels, groups, people[2:], label, table.labels[base]))
    lacking = any(known[2] for known in gaps)
    outcome = "outcome" if part.metric == "base rate" else "decision"
    asked: dict[str, Gaps] = {}
    if sum(sum(known) for known in gaps[2:]):
        asked[GROUPS] = Gaps(*((a, b, 0.0) for a, b, _ in gaps))
    if people[0][2] + people[1][2] > 0:
        asked[f"missing {outcome}"] = Gaps(gaps.own, gaps.base)
    if lacking and GROUPS in asked:
        asked[f"{GROUPS}{AND}{outcome}"] = gaps
    blank = Estimate(row.metric, row.attribute, row.group, "difference", row.reference, n=row.n, events=row.events)
    blank = replace(blank, estimate=row.estimate, role="bound", method=WORST_CASE)
    for given, which in asked.items():
        low, high = difference_bounds(which)
        yield replace(blank, given=given, conf_low=low, conf_high=high)
    if asked and part.exact:
        given, which = list(asked.items())[-1]
        low, high = bounds_with_error(which, row.conf_level if row.conf_level == row.conf_level else 0.95)
        limits = replace(blank, given=given, term=SAMPLING, method=WITH_ERROR, conf_level=row.conf_level)
        yield replace(limits, conf_low=max(low, -1.0), conf_high=min(high, 1.0))


def _people(part: Evidence, table: CountTable, group: int) -> Known:
    """People of a group with the property, without it, and of whom it is not known."""
    counts = table.counts[group]
    unknown = float(counts[NONE].sum() if part.metric == "base rate" else counts[:, NONE].sum())
    return float(part.events[group]), float(part.n[group] - part.events[group]), unknown


def _places(
    labels: tuple[str, ...], groups: list[int], people: list[Known], own: str, base: str
) -> tuple[Known, Known, Known]:
    """The people of unknown group who may be of the group only, of the reference only, and of either."""
    sums = np.array([NOBODY] * 3)
    for i, known in zip(groups, people, strict=True):
        mine, theirs = (_agrees(labels[i], other) for other in (own, base))
        if mine or theirs:
            sums[2 if mine and theirs else 0 if mine else 1] += known
    first, second, third = ((float(a), float(b), float(c)) for a, b, c in sums)
    return first, second, third


def _agrees(missing: str, label: str) -> bool:
    """Whether people of a label with a missing part may be of another one.

    Examples
    --------
    >>> _agrees("f:(missing)", "f:old"), _agrees("m:(missing)", "f:old")
    (True, False)
    >>> _agrees("(missing)", "f:old")
    True
    """
    if missing == MISSING_LEVEL:  # of a single attribute, whose labels may hold a ":" that joins nothing
        return True
    return all(a in (b, MISSING_LEVEL) for a, b in zip(split(missing), split(label), strict=True))
