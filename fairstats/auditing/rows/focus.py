"""The comparison of page one: two declared groups, or the lowest and the highest rate of the first attribute."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from fairstats.auditing.effective_counts import Evidence
from fairstats.auditing.protocol import Protocol
from fairstats.auditing.references import headline_rate
from fairstats.auditing.rows.rates import pair_equivalence, pair_rows
from fairstats.auditing.rows.sensitivity import power_rows
from fairstats.auditing.two_groups import Against, Pair
from fairstats.estimates import NAN, Estimate, Estimates
from fairstats.glossary import Role
from fairstats.inference.decisions import After, Comparison, Rows, Undecided
from fairstats.inference.families import Family
from fairstats.labels import holds_missing

ROLE: Role = "focus"
FEW = 30  # a smaller group is not picked for page one
HEADLINES = ("selection rate", "scoring rate", "base rate")
ASKED = ("selection rate", "scoring rate", "base rate", "FPR", "FNR", "PPV")  # the questions of page one


def large_groups(part: Evidence, labels: Sequence[str], min_n: int) -> list[int]:
    """The groups that may be picked: those with a rate of at least 30 people, or the only two that there are.

    Examples
    --------
    >>> n = np.array([400.0, 350.0, 2.0])
    >>> large_groups(Evidence("base rate", n / 2, n, n, n, True, ""), ("a", "b", "c"), 1)
    [0, 1]
    >>> two = [Evidence("base rate", m / 2, m, m, m, True, "") for m in (n[[0, 2]], n[[0, 2]] * [1, 0])]
    >>> [large_groups(part, ("a", "c"), 1) for part in two]
    [[0, 1], []]
    """
    named = [i for i, label in enumerate(labels) if not holds_missing(label)]
    known = part.estimable(min_n) & ~np.isnan(part.rate)
    if len(named) == 2:
        return named if known[named].all() else []
    return [i for i in named if known[i] and part.people[i] >= FEW]


def focus_rows(
    rates: Sequence[Evidence], attribute: str, labels: tuple[str, ...], reference: str, protocol: Protocol
) -> list[Rows]:
    """The rows of the comparison of page one, where the comparisons with the reference do not hold them.

    Parameters
    ----------
    rates : sequence of Evidence
        The rates of the attribute.
    attribute, labels, reference : str, tuple of str, str
        The attribute, its groups, and the one that the others are compared with.
    protocol : Protocol
        The declared comparison, level, adjustment, margin, smallest group.

    Returns
    -------
    list of Undecided and After
        Of every question of page one the difference of the two groups, worse group first. Where the protocol names
        the two, that is one comparison; where the data pick them, the family is all pairs of the groups that could
        have been picked (Bonferroni), so that picking the largest difference costs no error. Of the first question
        also the smallest difference that this comparison would show with power 0.8.

    References
    ----------
    Hsu (1996), Multiple Comparisons, chapter 5 (all pairs); Fleiss, Levin & Paik (2003), chapter 4 (power).

    Examples
    --------
    >>> from fairstats.inference.decisions import decide_all
    >>> n = np.array([400.0, 350.0, 300.0])
    >>> part = Evidence("selection rate", np.array([200.0, 150.0, 90.0]), n, n, n, True, "")
    >>> rows = decide_all([focus_rows([part], "g", ("a", "b", "c"), "a", Protocol(("g",)))])[0]
    >>> rows[0].group, rows[0].reference, round(rows[0].conf_level, 4), rows[0].verdict
    ('c', 'a', 0.9833, 'disparity shown')
    """
    head = headline_rate(rates)
    if protocol.focus:
        if protocol.focus[0] != attribute or reference in protocol.focus[1:]:
            return []  # another attribute's, or a comparison with the reference
        picked, others = [labels.index(label) for label in protocol.focus[1:]], 0
        adjust = replace(protocol.multiplicity, all_pairs=False, over_audit=False)
    else:
        known = large_groups(head, labels, protocol.min_n)
        named = [label for label in labels if not holds_missing(label)]
        if attribute != protocol.groups[0] or len(named) < 3 or len(known) < 2:
            return []
        picked, others = _ends(head, known), len(known) - 2
        adjust = replace(protocol.multiplicity, all_pairs=True, over_audit=False)
    low, high = sorted(picked, key=lambda i: _rate(head, i))
    rows: list[Rows] = []
    for part in rates:
        if part.metric not in ASKED or not _judged(part.metric, rates, protocol):
            continue
        family = _family(part, (low, high), others, adjust, attribute, labels, protocol)
        rows.append(family)
        if part is head:
            rows.append(After(family, partial(_power, part, (low, high))))
    return rows


def _rate(part: Evidence, i: int) -> float:
    return float(part.rate[i]) if part.n[i] else NAN


def _ends(part: Evidence, known: Sequence[int]) -> list[int]:
    """The lowest and the highest of the rates; of equal ones the first two groups."""
    low, high = min(known, key=lambda i: part.rate[i]), max(known, key=lambda i: part.rate[i])
    return [low, high] if low != high else list(known[:2])


def _judged(metric: str, rates: Sequence[Evidence], protocol: Protocol) -> bool:
    """Base rates describe the outcome: where there are decisions or scores they are no question of page one."""
    decided = bool(protocol.score) or any(part.metric == "selection rate" for part in rates)
    return metric != "base rate" or not decided


def _family(
    part: Evidence,
    places: tuple[int, int],
    others: int,
    adjust: Family,
    attribute: str,
    labels: tuple[str, ...],
    protocol: Protocol,
) -> Undecided:
    group, base = places
    pair = Pair(Against(part, base), group)
    known = bool(part.estimable(protocol.min_n)[list(places)].all())

    def rows(level: float) -> Sequence[Estimate]:
        return [replace(pair_rows(pair, attribute, labels, protocol, level)[0], role=ROLE)]

    one = Comparison(
        pair.p_value() if known else NAN,
        rows,
        pair_equivalence(pair, protocol)[:1] if known else (),
    )
    # the other groups are of the family: they count its pairs, and have no rows
    silent = [Comparison(NAN, lambda level: ())] * others
    return Undecided([one, *silent], adjust, alone=True)


def _power(part: Evidence, places: tuple[int, int], rows: Estimates) -> Estimates:
    """The smallest differences that the comparison would show, at the level of its interval."""
    known = list(rows.only(status="ok"))
    found = power_rows(part, places[1], [(row, places[0]) for row in known], [row.conf_level for row in known])
    return Estimates(replace(one, role=ROLE) for own in found for one in own)
