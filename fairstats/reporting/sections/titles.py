"""Titles of sections: what the rows of a section show of all groups, by one rule, so that no table says otherwise."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

from fairstats.auditing.rates import DESCRIPTIVE
from fairstats.auditing.sentences import inside, parts
from fairstats.estimates import SHOWN, Estimate, alone
from fairstats.labels import holds_missing
from fairstats.language import say, says
from fairstats.reporting import words
from fairstats.text import listed

EQUIVALENT = "equivalence shown"
MOST_NAMES = 4  # in a title; of more groups their number


def rate_title(
    rates: Sequence[Estimate],
    differences: Sequence[Estimate],
    reference: str,
    said: str = "",
    called: str = "",
    most: int = MOST_NAMES,
) -> str:
    """Which groups have a higher and a lower rate than the reference, which an equal one, and of how many it is open.

    said: the verb phrase of what the rate counts; called: without it the rate, named by its metric where absent.
    most: groups that are named; of more their number.

    >>> rates = [Estimate("FPR", group=g, estimate=e, n=99) for g, e in (("a", 0.5), ("b", 0.4))]
    >>> gap = Estimate("FPR", group="a", reference="b", estimate=0.1, contrast="difference", verdict="disparity shown")
    >>> rate_title(rates, [gap], "b"), rate_title(rates, [gap.changed(verdict="inconclusive")], "b")
    ('false positive rate higher for a (50.0%) than for b (40.0%)', 'whether a (50.0%) and b (40.0%) differ in false
    positive rate is not settled')
    """
    present = {row.group: row for row in rates if words.shown(row)}
    if any(says(row.reason, DESCRIPTIVE) for row in differences) or not any(row.verdict for row in differences):
        return _spread([row for row in rates if words.shown(row)])

    def named(group: str) -> str:
        return f"{inside(group)} ({words.estimate(present[group])})" if group in present else inside(group)

    def names(rows: Sequence[Estimate]) -> str:
        return _groups([named(row.group) for row in rows], most)

    higher, lower, equal, left = by_finding(differences)
    metric = called or words.in_text((*differences, *rates)[0].metric)
    values = {"reference": named(reference), "metric": metric, **parts(said)}
    if not higher and not lower and not equal:
        if said and len(left) == 1:
            return say("Whether {groups} and {reference} differ is not settled", groups=names(left), **values)
        if said:
            return say("Whether any of {n} groups differs from {reference} is not settled", n=len(left), **values)
        if len(left) == 1:
            return say(
                "whether {groups} and {reference} differ in {metric} is not settled", groups=names(left), **values
            )
        return say(
            "whether any of {n} groups differs from {reference} in {metric} is not settled", n=len(left), **values
        )
    clauses = []
    if said:
        if higher:
            clauses.append(say("{groups} {event} more often than {reference}", groups=names(higher), **values))
        if lower:
            clauses.append(say("{groups} {event} less often than {reference}", groups=names(lower), **values))
    else:
        if higher:
            clauses.append(say("{metric} higher for {groups} than for {reference}", groups=names(higher), **values))
        if lower:
            clauses.append(say("{metric} lower for {groups} than for {reference}", groups=names(lower), **values))
    if equal:
        clauses.append(say("{groups} against {reference}: within the margin", groups=names(equal), **values))
    if left:
        clauses.append(say("not settled for {groups}", groups=_groups([inside(row.group) for row in left], most)))
    return "; ".join(clauses)


def by_finding(
    differences: Iterable[Estimate],
) -> tuple[list[Estimate], list[Estimate], list[Estimate], list[Estimate]]:
    """The differences that are shown to be above none, and below it, that are shown to be none, and the others."""
    kept = [row for row in differences if words.shown(row)]
    apart = [row for row in kept if row.verdict in SHOWN]
    equal = [row for row in kept if row.verdict == EQUIVALENT]
    known = [row for row in kept if not holds_missing(row.group)] or kept  # who is not known is no open question
    left = [row for row in known if row not in apart and row not in equal]
    return [r for r in apart if r.estimate > 0], [r for r in apart if r.estimate < 0], equal, left


def scores_title(rows: Sequence[Estimate], reference: str) -> str:
    """Whose scores are shown to be higher and lower than those of the reference; "" where no two groups are compared.

    rows: of P(X>Y), each of a group beside the reference.
    """
    above = [row.changed(estimate=row.estimate - 0.5) for row in rows if row.reference]
    return rate_title((), above, reference, called=say("scores"))


def errors_title(
    rows: Sequence[Estimate],
    metrics: Sequence[str],
    reference: str,
    page_level: float = math.nan,
    called: Mapping[str, str] = MappingProxyType({}),
) -> str:
    """What is shown of each error rate: the ones with a difference first, then those without; "" where there is none.

    rows: rates and differences of one attribute.
    page_level: of page one; a group that is shown at none but its own rate's has a dagger.
    called: what page one calls the errors of each rate; without it they are called by their rates.
    """
    names = {metric: called.get(metric) or words.in_text(metric) for metric in metrics}
    clauses, without, equal = [], [], []
    for metric in metrics:
        current = [row for row in rows if row.metric == metric]
        rates = [row for row in current if row.contrast == "none"]
        differences = [row for row in current if row.contrast == "difference"]
        higher, lower, same, left = by_finding(differences)
        if higher or lower:
            present = {row.group: row for row in rates if words.shown(row)}
            items = higher, lower, present, reference, page_level
            counted = metric in called and metric != "PPV"  # which is a share, also in plain words
            clauses.append(_error_clause(names[metric], counted, *items))
        elif same and not left:
            equal.append(names[metric])
        elif left:
            without.append(names[metric])
    if equal:
        clauses.append(say("within the margin: {rates}", rates=listed(equal)))
    if without and clauses:
        clauses.append(say("not settled for {rates}", rates=listed(without)))
    elif without:
        clauses.append(
            say(
                "whether any group differs from {reference} is not settled for {rates}",
                reference=inside(reference),
                rates=listed(without),
            )
        )
    return "; ".join(clauses)


def _error_clause(
    metric: str,
    counted: bool,
    higher: list[Estimate],
    lower: list[Estimate],
    present: dict[str, Estimate],
    reference: str,
    page_level: float,
) -> str:
    def named(group: str, sign: str = "") -> str:
        called = inside(group) + sign
        return f"{called} ({words.estimate(present[group])})" if group in present else called

    def names(rows: list[Estimate]) -> str:
        return _groups([named(row.group, words.ALONE * alone(row, page_level)) for row in rows])

    base = named(reference)
    values = {"metric": metric, "reference": base, "higher": names(higher), "lower": names(lower)}
    if counted and higher and lower:
        return say("{metric} more frequent among {higher} and less among {lower} than among {reference}", **values)
    if counted and higher:
        return say("{metric} more frequent among {higher} than among {reference}", **values)
    if counted:
        return say("{metric} less frequent among {lower} than among {reference}", **values)
    if higher and lower:
        return say("{metric} higher for {higher} and lower for {lower} than for {reference}", **values)
    if higher:
        return say("{metric} higher for {higher} than for {reference}", **values)
    return say("{metric} lower for {lower} than for {reference}", **values)


def _groups(names: Sequence[str], most: int = MOST_NAMES) -> str:
    return listed(names) if len(names) <= most else say("{n} groups", n=len(names))


def _spread(rates: Sequence[Estimate]) -> str:
    """The lowest and the highest rate of all groups that are shown, for rates that have no verdict."""
    if not rates:
        return ""
    metric, low, high = words.in_text(rates[0].metric), *(end(rates, key=lambda r: r.estimate) for end in (min, max))
    values = {"metric": metric, "low": words.estimate(low), "low_group": low.group}
    if low.estimate == high.estimate:
        return say("{metric} of {low} in every group", **values)
    return say(
        "{metric} from {low} ({low_group}) to {high} ({high_group})",
        high=words.estimate(high),
        high_group=high.group,
        **values,
    )
