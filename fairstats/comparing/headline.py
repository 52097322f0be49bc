"""The pair of groups that a comparison speaks of first, and its rows with intervals that know how it was picked."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from fairstats.comparing.metrics import SELECTIONS
from fairstats.estimates import Estimate, Estimates
from fairstats.glossary import Role
from fairstats.language import say
from fairstats.text import listed

if TYPE_CHECKING:
    from fairstats.comparing.result import Comparison, Term

FOCUS: Role = "focus"
FEW = 30  # held out: the finding does not rest on a smaller group


def headline_pairs(rows: Estimates, term: Term) -> list[Estimate]:
    """P(X>Y) of every pair that may be picked: those with at least 30 people, or all where there is none.

    Parameters
    ----------
    rows : Estimates
        The rows of a comparison.
    term : Term
        One of its methods and models.

    Returns
    -------
    list of Estimate
    """
    about = {"fit": term.method, "model": term.model, "versus": "", "k": float(term.k) if term.k else math.nan}
    known = [r for r in rows.where(metric="P(X>Y)", role="main", **about) if not math.isnan(r.estimate)]
    return [r for r in known if r.n >= FEW] or known


def furthest(pairs: Sequence[Estimate]) -> Estimate:
    """The pair whose scores are furthest apart; of equal ones the first."""
    return max(pairs, key=lambda row: abs(row.estimate - 0.5))


def headline(result: Comparison) -> tuple[Estimates, int]:
    """P(X>Y) of the pair that the first method sets furthest apart, a row a method, and of how many it was picked.

    Parameters
    ----------
    result : Comparison
        The comparison.

    Returns
    -------
    Estimates
        In the order of ``result.terms``; empty where no two groups could be compared. The intervals hold for all pairs
        that could have been picked, method by method.
    int
        How many those are.
    """
    among = headline_pairs(result.estimates, result.terms[0])
    picked = result.estimates.where(role=FOCUS, metric="P(X>Y)")
    if not among or len(picked):
        return picked, len(among)
    one = furthest(among)
    like = {"metric": one.metric, "attribute": one.attribute, "group": one.group, "reference": one.reference}
    return result.estimates.where(role="main", versus="", **like), 1


def reversals(result: Comparison, first: Estimate) -> list[tuple[Term, Estimate, Estimate]]:
    """Where a method turned the gap of a pair around: the term, and the rows of the first method and of this one.

    Parameters
    ----------
    result : Comparison
        The comparison.
    first : Estimate
        A row of the pair.

    Returns
    -------
    list of (Term, Estimate, Estimate)
        Of the share predicted favorable (or positive), where both intervals exclude equality, on opposite sides.
    """
    pair = {"attribute": first.attribute, "group": first.group, "reference": first.reference, "versus": ""}
    every = result.estimates.only(metric=SELECTIONS, contrast="difference", **pair)
    rows = every.only(role=FOCUS) or every.only(role="main")
    found = []
    for term in result.terms[1:]:
        start = next((t for t in result.terms if t.model == term.model), term)
        old, new = rows.only(**result.of(start)), rows.only(**result.of(term))
        if old and new and (old[0].conf_low > 0 > new[0].conf_high or old[0].conf_high < 0 < new[0].conf_low):
            found.append((term, old[0], new[0]))
    return found


def holding(rows: Estimates, terms: Sequence[Term], names: dict[str, str], result: Comparison) -> list[str]:
    """With which methods the interval leaves it open whether there is a difference at all."""
    known = [(names[t.name], own[0]) for t in terms if (own := rows.where(**result.of(t))) and own[0].status == "ok"]
    inside = [name for name, row in known if row.conf_low <= 0.5 <= row.conf_high]
    outside = [name for name, _ in known if name not in inside]
    if not known:
        return []
    if not inside:
        return [say("No interval holds 50: a difference is left with each.")]
    if not outside:
        return [say("Every interval holds 50: neither a difference nor its absence is shown.")]
    values = {"inside": listed(inside), "outside": listed(outside)}
    return [
        say(
            "Intervals that hold 50, so that neither a difference nor its absence is shown: {inside}; that do not: "
            "{outside}.",
            **values,
        )
    ]
