"""Helpers of several sections: the groups of an attribute by size, and a sentence on a metric's range of rates."""

from __future__ import annotations

from collections.abc import Sequence

from fairstats.auditing.result import Audit
from fairstats.comparing.result import Comparison
from fairstats.estimates import Estimate, Estimates
from fairstats.language import again, say
from fairstats.methods.results.checking import failures
from fairstats.reporting import numbers as words
from fairstats.reporting.bundle import Bundle, name_of
from fairstats.studies.curve import Curve

FEW = 30  # a heading does not rest on fewer people


def broken_guarantees(bundle: Bundle) -> list[str]:
    """What is said first of all: guarantees of the fits that do not hold."""
    return [
        say("{method}: a guarantee does not hold on its data: {told}.", method=name_of(fit), told=again(told))
        for fit in bundle.fits
        for told in failures(fit.guarantees)
    ]


def by_size(audit: Audit, attribute: str) -> list[str]:
    """The groups of an attribute, largest first; of ordered columns in the order of their levels."""
    cells = [c for c in audit.cells if c.attribute == attribute]
    if any(name == attribute for name, *_ in audit.protocol.order):
        return [c.group for c in cells]
    return [c.group for c in sorted(cells, key=lambda c: -c.n if c.n == c.n else 1)]


def sized(rows: Estimates, order: Sequence[str]) -> Estimates:
    """The rows in the order of the groups."""
    rank = {group: i for i, group in enumerate(order)}
    return Estimates(sorted(rows, key=lambda r: rank.get(r.group, len(rank))))


def curves(audit: Audit, kind: str, attribute: str) -> list[Curve]:
    """The curves of one kind and attribute."""
    return [c for c in audit.curves if c.kind == kind and c.attribute == attribute]


def span(rows: Sequence[Estimate], what: str) -> str:
    """``selection rates from 74.1 % (Black) to 85.8 % (White)``; said where smaller groups do not set the ends."""
    known = [r for r in rows if words.shown(r)]
    large = [r for r in known if r.n >= FEW]
    large = large if len(large) > 1 else known
    if not large:
        return say("{what} cannot be estimated", what=what)
    low, high = min(large, key=lambda r: r.estimate), max(large, key=lambda r: r.estimate)
    if low is high or words.estimate(low) == words.estimate(high):
        return f"{what}: {words.estimate(low)} ({words.listed([r.group for r in large], 3)})"
    ends = {"low": words.estimate(low), "low_group": low.group, "high": words.estimate(high), "high_group": high.group}
    if any(not low.estimate <= r.estimate <= high.estimate for r in known):
        return say(
            "{what} from {low} ({low_group}) to {high} ({high_group}); groups of {few} or more",
            what=what,
            few=FEW,
            **ends,
        )
    return say("{what} from {low} ({low_group}) to {high} ({high_group})", what=what, **ends)


def plural(metric: str) -> str:
    """``selection rates``, ``false positive rates``, ``AUC``."""
    name = words.in_text(metric)
    return say("{name}s", name=name) if words.known(metric).heading.endswith(("rate", "value")) else name


def term_name(result: Comparison, row: Estimate) -> str:
    """The method and model that a row is about, or the two that it compares."""
    one, between, other = result.label(row).partition(" vs ")
    return say("{one} vs {other}", one=one, other=other) if row.versus and between else result.label(row)


def attribute_name(attribute: str) -> str:
    """``sex:race`` as it is read: ``sex × race``."""
    return attribute.replace(":", " × ")
