"""Whom the groups of each attribute are compared with: a declared level, the largest group, or the highest rate."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from fairstats.auditing.counts import CountTable
from fairstats.auditing.effective_counts import Evidence
from fairstats.auditing.protocol import Protocol
from fairstats.choices import HIGHEST_RATE, LARGEST_GROUP, REFERENCES
from fairstats.errors import InputError, listing, nearest
from fairstats.labels import holds_missing


def references_by_attribute(reference: str, attributes: Iterable[str]) -> dict[str, str]:
    """Which rule or level each attribute has: ``sex=Male; race=White`` names them one by one.

    Examples
    --------
    >>> references_by_attribute("race=White", ["sex", "race"])
    {'sex': 'largest_group', 'race': 'White'}
    >>> references_by_attribute("Male", ["sex"])
    {'sex': 'Male'}
    """
    known = tuple(attributes)
    parts = [part.partition("=") for part in reference.split("; ")]
    if not all(separator and attribute in known for attribute, separator, _ in parts):
        return dict.fromkeys(known, reference)
    named = {attribute: level for attribute, _, level in parts}
    return {attribute: named.get(attribute, LARGEST_GROUP) for attribute in known}


def refer(protocol: Protocol, tables: Sequence[tuple[CountTable, tuple[Evidence, ...]]]) -> dict[str, tuple[str, str]]:
    """The rule and the reference group of every attribute.

    Parameters
    ----------
    protocol : Protocol
        The declared rule or level, smallest group.
    tables : sequence of (CountTable, tuple of Evidence)
        Counts and rates of each attribute.

    Returns
    -------
    dict
        Attribute → rule and level.

    Raises
    ------
    InputError
        If no attribute has the level.

    Examples
    --------
    >>> table = CountTable("sex", ("a", "b"), np.ones((2, 3, 3)), 1, False, True)
    >>> refer(Protocol(("sex",)), [(table, ())])
    {'sex': ('largest_group', 'a')}
    """
    rules = _rules(protocol, [table for table, _ in tables])
    return {
        table.attribute: (
            rules[table.attribute],
            choose_reference(rules[table.attribute], table, rates, protocol.min_n),
        )
        for table, rates in tables
    }


def _rules(protocol: Protocol, tables: Sequence[CountTable]) -> dict[str, str]:
    """The rule or level of each attribute; a level given for all holds where it exists, the largest group elsewhere."""
    rules = references_by_attribute(protocol.reference, [t.attribute for t in tables])
    level = protocol.reference
    if level in REFERENCES or any(rule != level for rule in rules.values()):
        return rules
    holding = [t.attribute for t in tables if level in t.labels]
    if not holding:
        known = list(dict.fromkeys(label for t in tables for label in t.labels))
        for attribute in (part.partition("=")[0] for part in level.split("; ") if "=" in part):
            own = [t.attribute for t in tables]
            if attribute not in own:
                raise InputError(
                    f"reference names {attribute!r}; the audited attributes are {listing(own)}"
                    f"{nearest(attribute, own)}; name one of them, or give a label alone."
                )
        raise InputError(
            f"reference has {level!r}; no attribute has such a group{nearest(level, known)}; the groups are "
            f"{listing(known, 12)}; pass one of them, 'largest_group' or 'highest_rate'."
        )
    return {name: level if name in holding else "largest_group" for name in rules}


def choose_reference(rule: str, table: CountTable, parts: tuple[Evidence, ...], min_n: int) -> str:
    """The level that the others are compared with.

    Parameters
    ----------
    rule : str
        ``largest_group``, ``highest_rate`` (of the selection rate; without decisions of the scoring rate, without
        scores of the base rate), or a level.
    table : CountTable
        One attribute.
    parts : tuple of Evidence
        Its rates.
    min_n : int
        A smaller group cannot be the reference by a rule.

    Returns
    -------
    str

    Raises
    ------
    InputError
        If the level does not exist, or there is no rate to be highest.

    Examples
    --------
    >>> t = CountTable("sex", ("a", "b"), np.ones((2, 3, 3)), 1, False, True)
    >>> choose_reference("largest_group", t, (), 1)
    'a'
    """
    if rule not in REFERENCES:
        if rule in table.labels:
            return rule
        raise InputError(
            f"reference has {rule!r}; {table.attribute!r} has no such group{nearest(rule, table.labels)}; its groups "
            f"are {listing(table.labels)}; pass one of them, 'largest_group' or 'highest_rate'."
        )
    known = np.array([not holds_missing(label) for label in table.labels])
    if rule == HIGHEST_RATE:
        return table.labels[max(highest_rate(headline_rate(parts), table.labels, min_n), 0)]
    fit = known & (table.n >= min_n)
    return table.labels[int(np.argmax(np.where(fit if fit.any() else known, table.n, -1.0)))]


def highest_rate(part: Evidence, labels: tuple[str, ...], min_n: int, share: float = 0.0, absent: float = 0.0) -> int:
    """The place of the group with the highest rate.

    Parameters
    ----------
    part : Evidence
        The rate.
    labels : tuple of str
        Its groups; people without a group are never the highest.
    min_n : int
        A smaller group is not looked at.
    share : float
        Nor is one with a smaller share of the people, unless all are that small.
    absent : float
        People of withheld groups, who are among those that the share is of.

    Returns
    -------
    int
        -1 where no group can be estimated; the first of several equal ones.

    Examples
    --------
    >>> n = np.array([500.0, 490.0, 10.0])
    >>> part = Evidence("selection rate", np.array([200.0, 245.0, 9.0]), n, n, n, True, "")
    >>> highest_rate(part, ("a", "b", "c"), 1), highest_rate(part, ("a", "b", "c"), 1, 0.02)
    (2, 1)
    """
    fit = part.estimable(min_n) & ~np.isnan(part.rate)
    fit &= np.array([not holds_missing(label) for label in labels])
    large = fit & (part.people >= share * (part.people.sum() + absent))
    fit = large if large.any() else fit
    return int(np.argmax(np.where(fit, part.rate, -1.0))) if fit.any() else -1


def headline_rate(parts: Sequence[Evidence]) -> Evidence:
    """The rate that an audit is about: of decisions, else of scores above the median, else of outcomes.

    Examples
    --------
    >>> n = np.ones(2)
    >>> headline_rate([Evidence(m, n, n, n, n, True, "") for m in ("base rate", "selection rate")]).metric
    'selection rate'
    """
    by_metric = {part.metric: part for part in parts}
    return next(by_metric[m] for m in ("selection rate", "scoring rate", "base rate") if m in by_metric)
