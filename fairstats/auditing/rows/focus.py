"""The comparison that the protocol names for page one, where it is none with the reference."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

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

ROLE: Role = "focus"
HEADLINES = ("selection rate", "scoring rate", "base rate")
ASKED = ("selection rate", "scoring rate", "base rate", "FPR", "FNR", "PPV")  # the questions of page one


def focus_rows(
    rates: Sequence[Evidence], attribute: str, labels: tuple[str, ...], reference: str, protocol: Protocol
) -> list[Rows]:
    """The rows of a comparison that the protocol names, where the comparisons with the reference do not hold it.

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
        Of every question of page one the difference of the two groups, in the declared direction. Of the first question
        also the smallest difference that this comparison would show with power 0.8.

    References
    ----------
    Fleiss, Levin & Paik (2003), Statistical Methods for Rates and Proportions, chapter 4 (power).

    Examples
    --------
    >>> import numpy as np
    >>> from fairstats.inference.decisions import decide_all
    >>> n = np.array([400.0, 350.0, 300.0])
    >>> part = Evidence("selection rate", np.array([200.0, 150.0, 90.0]), n, n, n, True, "")
    >>> named = Protocol(("g",), focus=("g", "c", "b"))
    >>> rows = decide_all([focus_rows([part], "g", ("a", "b", "c"), "a", named)])[0]
    >>> rows[0].group, rows[0].reference, rows[0].conf_level, rows[0].verdict
    ('c', 'b', 0.95, 'disparity shown')
    """
    if protocol.focus[:1] != (attribute,) or reference in protocol.focus[1:]:
        return []  # another attribute's, or a comparison with the reference
    head = headline_rate(rates)
    group, base = (labels.index(label) for label in protocol.focus[1:])
    adjust = replace(protocol.multiplicity, all_pairs=False, over_audit=False)
    rows: list[Rows] = []
    for part in rates:
        if part.metric not in ASKED or not _judged(part.metric, rates, protocol):
            continue
        family = _family(part, (group, base), adjust, attribute, labels, protocol)
        rows.append(family)
        if part is head:
            rows.append(After(family, partial(_power, part, (group, base))))
    return rows


def _judged(metric: str, rates: Sequence[Evidence], protocol: Protocol) -> bool:
    """Base rates describe the outcome: where there are decisions or scores they are no question of page one."""
    decided = bool(protocol.score) or any(part.metric == "selection rate" for part in rates)
    return metric != "base rate" or not decided


def _family(
    part: Evidence,
    places: tuple[int, int],
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
    return Undecided([one], adjust, alone=True)


def _power(part: Evidence, places: tuple[int, int], rows: Estimates) -> Estimates:
    """The smallest differences that the comparison would show, at the level of its interval."""
    known = list(rows.only(status="ok"))
    found = power_rows(part, places[1], [(row, places[0]) for row in known], [row.conf_level for row in known])
    return Estimates(replace(one, role=ROLE) for own in found for one in own)
