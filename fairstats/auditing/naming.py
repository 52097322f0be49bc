"""An audit whose attributes and groups are called by the names of its protocol: what every form for readers shows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, TypeVar

from fairstats.auditing.sentences import name_of
from fairstats.estimates import Estimate, Estimates
from fairstats.labels import join, quoted, split
from fairstats.language import renamed
from fairstats.text import capital

A = TypeVar("A")  # an audit, whose file imports this one


def worded(audit: A, groups: bool = True) -> A:
    """Call groups and attributes by the names that were given; files of results keep the labels of the data.

    Where two groups of an attribute would have one name, which older files of results may have, its labels stay.

    groups: whether groups have other names too, which a law may want as they are recorded.
    Returns: with other labels in rows, counts, curves, references and in the comparison of page one, and no names left
        but those of strata, which rows have by their columns.

    >>> from fairstats.auditing.audit import audit
    >>> result = audit({"g": ["f", "m"] * 9, "d": [0, 1, 1] * 6}, "d", "g", labels={"groups": {"g": {"f": "women"}}})
    >>> worded(result).references, [c.group for c in worded(result).cells]
    ({'g': 'Women'}, ['Women', 'm'])
    """
    called = _Names(audit, groups)
    return _renamed(audit, called) if called.changes else audit


def _renamed(audit: Any, called: _Names) -> Any:
    labels, strata = audit.protocol.labels, audit.protocol.columns_of(audit.protocol.strata)

    def row(old: Estimate) -> Estimate:
        reason = renamed(old.reason, called.group)
        group, reference = (called.group(old.attribute, label) for label in (old.group, old.reference))
        return replace(old, attribute=called.attribute(old.attribute), group=group, reference=reference, reason=reason)

    headline = audit.protocol.headline
    if headline:
        headline = (called.attribute(headline[0]), *(called.group(headline[0], label) for label in headline[1:]))
    protocol = replace(
        audit.protocol,
        groups=tuple(called.attribute(a) for a in audit.protocol.groups),
        headline=headline,
        order=tuple((called.attribute(a), *(called.group(a, g) for g in of)) for a, *of in audit.protocol.order),
        crossed=_crossed(audit, called),
        labels=replace(labels, groups=(), attributes=tuple(one for one in labels.attributes if one[0] in strata)),
    )
    rows = Estimates(row(r) for r in audit.estimates)
    names = {"attribute": called.attribute, "group": called.group}
    return replace(
        audit,
        protocol=protocol,
        estimates=rows,
        cells=tuple(_named(c, names) for c in audit.cells),
        curves=tuple(_named(c, names) for c in audit.curves),
        references={called.attribute(a): called.group(a, label) for a, label in audit.references.items()},
        notes=tuple(renamed(note, called.group, called.attribute) for note in audit.notes),
    )


def labels_by_name(audit: Any) -> dict[str, str]:
    """What `worded` calls each group that has another name than its label, caseless, and that label."""
    called = _Names(audit, groups=True)
    names = ((called.group(cell.attribute, cell.group), cell.group) for cell in audit.cells)
    return {name.casefold(): label for name, label in names if name != label}


def attribute_in_words(audit: Any, attribute: str) -> str:
    """What `worded` calls an attribute of the data; a name that it has no word for stays."""
    return _Names(audit, groups=False).attribute(attribute)


def _crossed(audit: Any, called: _Names) -> tuple[tuple[str, ...], ...] | None:
    """The intersections by their names; strata keep those of their columns."""
    if audit.protocol.crossed is None:
        return None
    return tuple(
        (called.attribute(name), *map(called.column, columns)) if name in audit.references else (name, *columns)
        for name, *columns in audit.protocol.crossed
    )


def _named(part, called):  # type: ignore[no-untyped-def]  # a Cell or a Curve, given back as what it was
    group = called["group"](part.attribute, part.group)
    return replace(part, attribute=called["attribute"](part.attribute), group=group)


class _Names:
    """The names of attributes and groups, those of intersections made of their parts."""

    def __init__(self, audit: Any, groups: bool) -> None:
        current, self.cells = audit.protocol.labels, audit.cells
        self.columns_of = audit.protocol.columns_of
        columns = list(dict.fromkeys(part for cell in audit.cells for part in self.columns_of(cell.attribute)))
        self.attributes = _distinct({c: dict(current.attributes).get(c, c) for c in columns})
        labels: dict[str, dict[str, str]] = {c: {} for c in columns}
        for cell in audit.cells:
            for column, label in zip(
                self.columns_of(cell.attribute), self._parts(cell.attribute, cell.group), strict=False
            ):
                labels[column][label] = (groups and capital(name_of(audit.protocol, column, label))) or quoted(label)
        self.groups = {column: _distinct(names) for column, names in labels.items()}

    @property
    def changes(self) -> bool:
        """Whether a name is another one than in the data."""
        return any(name != label for names in (self.attributes, *self.groups.values()) for label, name in names.items())

    def column(self, name: str) -> str:
        return self.attributes.get(name, name)

    def attribute(self, name: str) -> str:
        return ":".join(self.attributes.get(part, part) for part in self.columns_of(name)) if name else ""

    def group(self, attribute: str, label: str) -> str:
        if not label or not attribute:
            return label
        columns, parts = self.columns_of(attribute), self._parts(attribute, label)
        if len(columns) != len(parts):
            return label
        named = [self.groups.get(c, {}).get(part, part) for c, part in zip(columns, parts, strict=True)]
        return named[0] if len(named) == 1 else join(named)

    def _parts(self, attribute: str, label: str) -> list[str]:
        return split(label) if len(self.columns_of(attribute)) > 1 else [label]


def _distinct(names: Mapping[str, str]) -> dict[str, str]:
    """The names, or the labels where two would be called the same or a name has the mark of intersections."""
    clear = len(set(names.values())) == len(names) and not any(":" in n for k, n in names.items() if n != k)
    return dict(names) if clear else {label: label for label in names}
