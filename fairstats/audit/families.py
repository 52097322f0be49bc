"""Families of comparisons: the levels of their intervals, their adjusted p-values, and the verdict."""

from __future__ import annotations

from dataclasses import replace

from fairstats.audit.result import Protocol
from fairstats.inference.equivalence import verdict
from fairstats.inference.estimate import Estimate
from fairstats.inference.multiplicity import adjust, adjusted_levels

BORDER = "border case: the test and the interval disagree; the verdict is read from the interval"


def plan(p: list[float], groups: int, protocol: Protocol) -> list[tuple[float, float]]:
    """The level of the interval and the adjusted p of every comparison of one family.

    Parameters
    ----------
    p : list of float
        Unadjusted p-values of the groups against the reference; NaN is no member of the family.
    groups : int
        How many groups there are, the reference included.
    protocol : Protocol
        Adjustment and level. Against the highest rate the reference is itself a result of the data, so the family is
        all pairs of groups, whichever of them is shown (Bonferroni).

    Returns
    -------
    list of (float, float)

    References
    ----------
    Hsu (1996), Multiple Comparisons, chapter 4 (why the best group needs simultaneous intervals).

    Examples
    --------
    >>> plan([0.01, 0.2], 3, Protocol(("g",)))
    [(0.975, 0.02), (0.95, 0.2)]
    >>> [round(level, 4) for level, _ in plan([0.01, 0.2], 3, Protocol(("g",), reference="highest_rate"))]
    [0.9833, 0.9833]
    """
    if protocol.reference == "highest_rate":
        pairs = max(groups * (groups - 1) // 2, 1)
        level = 1 - (1 - protocol.conf_level) / pairs
        return [(level, min(1.0, value * pairs)) for value in p]
    levels = adjusted_levels(p, protocol.adjust, protocol.conf_level)
    adjusted = adjust(p, protocol.adjust)
    return [
        (protocol.conf_level if level != level else level, value)
        for level, value in zip(levels.tolist(), adjusted.tolist(), strict=True)
    ]


def judged(
    row: Estimate,
    protocol: Protocol,
    *,
    null: float = 0.0,
    narrow: tuple[float, float] | None = None,
) -> Estimate:
    """The row with its verdict, read from its adjusted interval.

    Parameters
    ----------
    row : Estimate
        With interval and adjusted p.
    protocol : Protocol
        Level and margin.
    null : float
        The value of no disparity.
    narrow : (float, float), optional
        The 1 - 2 alpha interval of the same adjusted alpha, for equivalence; without it no margin applies.

    Returns
    -------
    Estimate
        The reason names a border case, where the test and the interval disagree.

    Examples
    --------
    >>> row = Estimate("FPR", contrast="difference", conf_low=0.1, conf_high=0.2, p_adjusted=0.01)
    >>> judged(row, Protocol(("g",))).verdict
    'disparity shown'
    """
    if row.status != "ok":
        return row
    margin = protocol.equivalence if narrow is not None else None
    low, high = narrow or (row.conf_low, row.conf_high)
    word = verdict(row.conf_low, row.conf_high, low, high, margin, null)
    excluded = row.conf_low > null or row.conf_high < null
    rejected = row.p_adjusted <= 1 - protocol.conf_level
    return replace(row, verdict=word, reason=row.reason if excluded == rejected else BORDER)
