"""The claims of an audit as a forest plot."""

from __future__ import annotations

from collections import Counter

from fairstats.auditing.result import Audit
from fairstats.estimates import Estimate, Estimates
from fairstats.glossary import SHOWN
from fairstats.reporting import numbers as words
from fairstats.reporting.figures.forest import forest
from fairstats.reporting.figures.style import Drawing


def figure_of(audit: Audit, claims: Estimates) -> Drawing | None:
    """Draw the claims of the most frequent kind as a forest plot, since one axis holds one kind of number."""
    kinds = Counter(r.contrast for r in claims if plottable(r))
    if not kinds:
        return None
    kind = max(kinds, key=lambda c: (kinds[c], c == "difference"))
    rows = [r for r in claims if r.contrast == kind and plottable(r)]
    apart = sum(r.verdict in SHOWN for r in rows)
    what = {"difference": "differences", "ratio": "ratios", "none": "comparisons"}[kind]
    caption = f"{apart} of {len(rows)} {what} shown here show a disparity." if len(rows) > 1 else words.claim(rows[0])
    labels = [f"{words.heading(r.metric)}: {r.group} against {r.reference}" for r in rows]
    return forest("page-one", rows, caption=caption, margin=audit.protocol.equivalence.difference, labels=labels)


def plottable(row: Estimate) -> bool:
    """Whether a claim has an axis: a rate's difference in points, or P(X>Y)."""
    return words.unit(row) != "" or (row.metric == "P(X>Y)" and row.contrast == "none")
