"""The verdict of a comparison, read from the adjusted p-values of its family: of the test, and of the equivalence test.

Whatever the sizes of the groups, the chance of a false word is that of the tests. Intervals stand beside the verdict;
where an edge of the interval says otherwise, the row says which decided.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from fairstats import metrics
from fairstats.estimates import NAN, Estimate, Estimates
from fairstats.inference.families import Family, Null, adjusted_levels_and_p, equivalence_adjusted
from fairstats.inference.gatekeeping import Together, across
from fairstats.inference.verdicts import verdict_of
from fairstats.progress import steps


@dataclass(frozen=True)
class Comparison:
    """One member of a family: its tests, and its rows at a level of confidence.

    Attributes
    ----------
    p_value : float
        Unadjusted; NaN is no member of the family.
    rows : callable
        Level → rows, the one that carries the verdict first.
    equal : tuple of (float or None)
        Row by row the unadjusted p-value of practical equality, None where no margin was declared. A row after the
        first has a verdict only where one was.
    size : float
        (Effective) size of the group; only max-t looks at it.
    both : bool
        Whether a disparity is shown only where the limits exclude the null value too.
    without : str, optional
        Why it has no verdict, where it has none.
    """

    p_value: float
    rows: Callable[[float], Sequence[Estimate]]
    equal: tuple[float | None, ...] = ()
    size: float = NAN
    both: bool = False
    without: str | None = None


@dataclass(frozen=True, eq=False)
class Undecided:
    """One family of comparisons before its verdicts.

    Attributes
    ----------
    comparisons : sequence of Comparison
        The groups against one reference.
    family : Family
        Level and adjustment.
    base : float
        (Effective) size of the reference.
    null : callable, optional
        The null distribution for max-t.
    jointly : float, optional
        The p-value of the claim that *all* groups are equivalent to each other, in place of the first rows' own. It
        needs no adjustment: a false claim of any one pair is a false claim of all.
    """

    comparisons: Sequence[Comparison]
    family: Family
    base: float = NAN
    null: Callable[[], Null] | None = None
    jointly: float | None = None


@dataclass(frozen=True, eq=False)
class After:
    """Rows that are made of a family's own rows once these are decided."""

    of: Undecided
    rows: Callable[[Estimates], Estimates]


Rows = Estimates | Undecided | After


def decide_all(sections: Sequence[Sequence[Rows]]) -> list[Estimates]:
    """Decide every family of an audit, and make the rows that rest on what was decided.

    Where the families share one error rate, their p-values are adjusted for each other (`across`).

    Parameters
    ----------
    sections : sequence of sequences of Estimates, Undecided or After
        Rows in their order, those of a family as one entry.

    Returns
    -------
    list of Estimates
        The rows of each section.

    Examples
    --------
    >>> gap = Estimate("FPR", "g", "b", "difference", "a", estimate=0.2, conf_low=0.1, conf_high=0.3)
    >>> family = Undecided([Comparison(0.001, lambda level: [gap])], Family())
    >>> [len(rows) for rows in decide_all([[family, Estimates([gap])], [After(family, lambda rows: rows)]])]
    [2, 1]
    """
    families = {id(f): f for rows in sections for entry in rows if (f := _family(entry)) is not None}
    known = {key: decided(family) for key, family in steps("tests", list(families.items()))}
    if any(of.family.over_audit for of in families.values()):
        # How the level is shared is known once all families are: the tests are the same, levels and verdicts are not.
        adjustment = next(of.family.adjust for of in families.values())
        together = Together.of((row for rows in known.values() for row in rows), adjustment)
        known |= {
            key: decided(replace(of, family=replace(of.family, together=together)))
            for key, of in families.items()
            if of.family.over_audit
        }

    def rows_of(rows: Rows) -> Estimates:
        if isinstance(rows, After):
            return rows.rows(known[id(rows.of)])
        return known[id(rows)] if isinstance(rows, Undecided) else rows

    return [Estimates(row for rows in section for row in rows_of(rows)) for section in sections]


def _family(rows: Rows) -> Undecided | None:
    return rows.of if isinstance(rows, After) else rows if isinstance(rows, Undecided) else None


def decided(of: Undecided) -> Estimates:
    """Every row of one family with its level, adjusted p-values and verdict: the one place where that is decided.

    Parameters
    ----------
    of : Undecided
        The family.

    Returns
    -------
    Estimates
        The rows of each comparison in turn.

    Examples
    --------
    >>> gap = Estimate("FPR", "g", "b", "difference", "a", estimate=0.2, conf_low=0.1, conf_high=0.3)
    >>> row = decided(Undecided([Comparison(0.001, lambda level: [gap])], Family()))[0]
    >>> row.verdict, row.p_adjusted
    ('disparity shown', 0.001)
    """
    comparisons, family = of.comparisons, of.family
    judged = _first(comparisons, family)
    others = family.together.beside(judged[0]) if family.together and judged else ()
    sizes = [c.size for c in comparisons]
    steps = adjusted_levels_and_p([c.p_value for c in comparisons], family, sizes, of.base, of.null, others)
    places = max((len(c.equal) for c in comparisons), default=0)
    equal = [_equivalence([_at(c, k) for c in comparisons], family) for k in range(places)]
    if of.jointly is not None and places and any(_at(c, 0) is not None for c in comparisons):
        equal[0] = [of.jointly] * len(comparisons)
    if family.together and judged:
        equal = [across(p, family.together.beside_equal(row)) for p, row in zip(equal, judged, strict=False)]
    out = []
    for i, (comparison, (level, p)) in enumerate(zip(comparisons, steps, strict=True)):
        for k, row in enumerate(comparison.rows(level)):
            declared = _at(comparison, k) is not None
            p_equal = equal[k][i] if declared else NAN
            out.append(_judged(row, comparison, family, p, p_equal, k == 0 or declared))
    return Estimates(out)


def _first(comparisons: Sequence[Comparison], family: Family) -> Sequence[Estimate]:
    """The rows of one comparison, which say what the family is about; none where it stands alone or has no verdict."""
    among = [c for c in comparisons if c.without is None]
    return among[0].rows(family.conf_level) if family.together and among else ()


def _at(comparison: Comparison, k: int) -> float | None:
    return comparison.equal[k] if k < len(comparison.equal) else None


def _equivalence(p: list[float | None], family: Family) -> list[float]:
    return equivalence_adjusted([NAN if value is None else value for value in p], family)


def _judged(row: Estimate, of: Comparison, family: Family, p: float, p_equal: float, judged: bool) -> Estimate:
    if row.status != "ok":
        return row
    # A row beside the judged one may report a test of its own: the family's p-value is not about that.
    its_own = not (math.isnan(row.p_value) or math.isnan(of.p_value)) and row.p_value != of.p_value
    row = replace(row, p_adjusted=NAN if its_own and not judged else p, p_equivalence=p_equal)
    if of.without is not None and judged:
        return replace(row, reason=_joined(row.reason, of.without))
    if not judged:
        return row
    found = verdict_of(p, p_equal, (row.conf_low, row.conf_high), family.conf_level, null_value(row), of.both)
    return replace(row, verdict=found.verdict, reason=_joined(row.reason, found.reason))


def _joined(*parts: str) -> str:
    return "; ".join(filter(None, parts))


def null_value(row: Estimate) -> float:
    """The value of no disparity: 0 of a difference, 1 of a ratio, the metric's own otherwise.

    Examples
    --------
    >>> null_value(Estimate("P(X>Y)")), null_value(Estimate("FPR", contrast="ratio"))
    (0.5, 1.0)
    """
    if row.contrast != "none":
        return 1.0 if row.contrast == "ratio" else 0.0
    return metrics.METRICS[row.metric].null if row.metric in metrics.METRICS else 0.0
