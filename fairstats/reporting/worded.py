"""An audit whose attributes and groups are called by the names of its protocol: what the sections of a report show."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from fairstats.auditing.result import Audit
from fairstats.auditing.words.cautions import elsewhere, other_reference, small_groups
from fairstats.estimates import Estimate, Estimates
from fairstats.labels import join, split
from fairstats.text import capital

ALL_GROUPS = "all groups"  # whose rows name groups in their reason


def worded(audit: Audit) -> Audit:
    """Call groups and attributes by the names that were given; files of results keep the labels of the data.

    Where two groups of an attribute would have one name, its labels stay.

    Parameters
    ----------
    audit : Audit
        The audit.

    Returns
    -------
    Audit
        With other labels in rows, counts, curves, references and in the comparison of page one, and no names left.

    Examples
    --------
    >>> from fairstats.auditing.audit import audit
    >>> made = audit({"g": ["f", "m"] * 9, "d": [0, 1, 1] * 6}, "d", "g", words={"groups": {"g": {"f": "women"}}})
    >>> worded(made).references, [c.group for c in worded(made).cells]
    ({'g': 'Women'}, ['Women', 'm'])
    """
    own = audit.protocol.words
    if not own.groups and not own.attributes:
        return audit
    called = _Names(audit)

    def row(old: Estimate) -> Estimate:
        reason = called.within(old.reason, old.attribute) if old.role == ALL_GROUPS else old.reason
        group, reference = (called.group(old.attribute, label) for label in (old.group, old.reference))
        return replace(old, attribute=called.attribute(old.attribute), group=group, reference=reference, reason=reason)

    focus = audit.protocol.focus
    if focus:
        focus = (called.attribute(focus[0]), *(called.group(focus[0], label) for label in focus[1:]))
    protocol = replace(
        audit.protocol,
        groups=tuple(called.attribute(a) for a in audit.protocol.groups),
        focus=focus,
        words=replace(own, groups=(), attributes=()),
    )
    rows = Estimates(row(r) for r in audit.estimates)
    renamed = {"attribute": called.attribute, "group": called.group}
    return replace(
        audit,
        protocol=protocol,
        estimates=rows,
        cells=tuple(_named(c, renamed) for c in audit.cells),
        curves=tuple(_named(c, renamed) for c in audit.curves),
        references={called.attribute(a): called.group(a, label) for a, label in audit.references.items()},
        notes=_said_again(audit.notes, audit.estimates, rows, _elsewhere(audit, called)),
    )


def _elsewhere(audit: Audit, called: _Names) -> tuple[str, str]:
    """The caution on a reference that not every attribute has, and the same with names."""
    label, others = audit.protocol.reference, elsewhere(audit.protocol, audit.references)
    own = next((a for a, level in audit.references.items() if level == label), "")
    named = {called.attribute(a): called.group(a, level) for a, level in others.items()}
    return other_reference(label, others), other_reference(called.group(own, label), named)


def _said_again(notes: tuple[str, ...], old: Estimates, new: Estimates, reference: tuple[str, str]) -> tuple[str, ...]:
    """The cautions that name groups, made of the rows in which these have their names."""
    again = {caution(old): caution(new) for caution in (small_groups,)} | dict([reference])
    return tuple(again.get(note, note) for note in notes)


def _named(part, called):  # type: ignore[no-untyped-def]  # a Cell or a Curve, given back as what it was
    group = called["group"](part.attribute, part.group)
    return replace(part, attribute=called["attribute"](part.attribute), group=group)


class _Names:
    """The names of attributes and groups, those of intersections made of their parts."""

    def __init__(self, audit: Audit) -> None:
        own, self.cells = audit.protocol.words, audit.cells
        columns = list(dict.fromkeys(part for cell in audit.cells for part in cell.attribute.split(":")))
        self.attributes = _distinct({c: dict(own.attributes).get(c, c) for c in columns})
        labels: dict[str, dict[str, str]] = {c: {} for c in columns}
        for cell in audit.cells:
            for column, label in zip(cell.attribute.split(":"), _parts(cell.attribute, cell.group), strict=False):
                labels[column][label] = capital(own.group(column, label)) or label
        self.groups = {column: _distinct(names) for column, names in labels.items()}

    def attribute(self, name: str) -> str:
        return ":".join(self.attributes.get(part, part) for part in name.split(":")) if name else ""

    def group(self, attribute: str, label: str) -> str:
        if not label or not attribute:
            return label
        columns, parts = attribute.split(":"), _parts(attribute, label)
        if len(columns) != len(parts):
            return label
        named = [self.groups.get(c, {}).get(part, part) for c, part in zip(columns, parts, strict=True)]
        return named[0] if len(named) == 1 else join(named)

    def within(self, text: str, attribute: str) -> str:
        """A text in which groups stand before a count in brackets."""
        labels = sorted((c.group for c in self.cells if c.attribute == attribute), key=len, reverse=True)
        known = "|".join(map(re.escape, labels))
        return (
            re.sub(rf"(?<!\w)({known})(?= \()", lambda found: self.group(attribute, found[0]), text) if known else text
        )


def _parts(attribute: str, label: str) -> list[str]:
    return split(label) if ":" in attribute else [label]


def _distinct(names: Mapping[str, str]) -> dict[str, str]:
    """The names, or the labels where two would be called the same or a name has the mark of intersections."""
    clear = len(set(names.values())) == len(names) and not any(":" in n for k, n in names.items() if n != k)
    return dict(names) if clear else {label: label for label in names}
