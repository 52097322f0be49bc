"""Which comparison of several is named first, and how far each is from equality."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from fairstats import metrics
from fairstats.estimates import Estimate
from fairstats.glossary import SHOWN
from fairstats.labels import holds_missing

# the second of comparisons of which a share may be false
_REST = re.compile(
    r"(all |any )?others?\b|unknown|unspecified|undisclosed|declined|refused|missing|n/?a$|none$|"
    r"not (known|stated|reported|specified|available|given|disclosed)|no (answer|response)|prefer not|"
    r"sonstige|andere|unbekannt|keine angabe|ohne angabe",
    re.IGNORECASE,
)


def turned(row: Estimate) -> Estimate:
    """A comparison the other way around: of the reference with the group.

    Examples
    --------
    >>> row = turned(Estimate("FPR", "g", "b", "difference", "a", estimate=0.1, conf_low=0.0, conf_high=0.3))
    >>> row.group, row.estimate, row.conf_low, row.conf_high
    ('a', -0.1, -0.3, 0.0)
    """
    null = null_of(row)
    other = replace(row, group=row.reference, reference=row.group)
    estimate, low, high = (2 * null - end + 0.0 for end in (row.estimate, row.conf_high, row.conf_low))
    ends = (2 * null - end + 0.0 for end in (row.margin_high, row.margin_low))
    return other.with_interval(estimate, low, high, **dict(zip(("margin_low", "margin_high"), ends, strict=True)))


def null_of(row: Estimate) -> float:
    """The value of no difference."""
    known = metrics.METRICS.get(row.metric)
    return known.null if known and row.contrast == "none" else 0.0


def distance(row: Estimate) -> tuple[float, float]:
    """How far the interval is from equality; where it covers it, how little the data speak for equality.

    Ordering by the size of the estimate would let the smallest groups win by noise.

    Examples
    --------
    >>> distance(Estimate("FPR", contrast="difference", conf_low=0.1, conf_high=0.3, p_value=0.001))
    (0.1, 0.999)
    """
    known = metrics.METRICS.get(row.metric)
    null = known.null if known else 0.0
    p = row.p_value if row.p_value == row.p_value else 1.0
    ends = (row.conf_low - null, null - row.conf_high)
    return max([0.0, *(end for end in ends if end == end)]), 1 - p


def rest(label: str) -> bool:
    """Whether a label is no group of its own: everybody else, or people of whom it is not known.

    Examples
    --------
    >>> rest("Other"), rest("Unknown"), rest("other/unknown"), rest("Mother tongue: German"), rest("Nonesuch")
    (True, True, True, False, False)
    """
    return holds_missing(label) or _REST.match(label.strip()) is not None


def lead_of(rows: Sequence[Estimate]) -> Estimate | None:
    """The comparison that is named: of those shown the farthest from equality, else the largest estimate.

    The largest *estimate* of groups of unequal size is often that of a small one without any difference.
    """
    shown = [row for row in rows if row.verdict in SHOWN]
    among = shown or list(rows)
    named = [row for row in among if not rest(row.group)] or among
    if not named:
        return None
    return max(named, key=distance if shown else lambda row: (abs(row.estimate - null_of(row)), 0.0))
