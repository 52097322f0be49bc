"""Which comparisons are adjusted together, how many such families were tested, and what that leaves open."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairstats.choices import ALL_PAIRS, AUDIT, FAMILIES, NONE, RATE, adjusted_by, adjustment
from fairstats.inference.gatekeeping import judged_families
from fairstats.language import mark, say
from fairstats.text import level

if TYPE_CHECKING:
    from fairstats.auditing.result import Audit


def family_text(audit: Audit) -> str:
    """Return the sentence that says which tests are adjusted together, and how.

    Parameters
    ----------
    audit : Audit
        The audit.

    Returns
    -------
    str

    Examples
    --------
    >>> from fairstats.auditing.audit import audit
    >>> family_text(audit({"sex": ["f", "m", "m"], "hired": [1, 0, 1]}, decision="hired", groups="sex"))
    'the comparisons of one rate over all attributes (sex: 1), adjusted by Bonferroni'
    """
    sizes = ", ".join(
        f"{attribute}: {sum(c.attribute == attribute for c in audit.cells) - 1}" for attribute in audit.references
    )
    asked = audit.protocol.adjust, audit.protocol.reference
    words = say(FAMILIES[audit.protocol.family].words)
    if adjustment(*asked) is ALL_PAIRS:
        words, sizes = say(_PAIRS[audit.protocol.family]), say("{sizes} shown", sizes=sizes)
    return "; ".join(filter(None, (f"{words} ({sizes}), {adjusted_by(*asked)}", count_text(audit))))


_PAIRS = {
    RATE: mark("the comparisons of all pairs of groups of one rate over all attributes"),
    AUDIT: mark("all comparisons of all pairs of groups of the audit"),
}


def families_of(audit: Audit) -> int:
    """How many families of tests there are: one rate over all attributes each, intersections apart."""
    judged = judged_families(audit.estimates)
    if audit.protocol.adjust == NONE:
        return len(judged)
    return len({(metric, given, ":" in attribute) for attribute, metric, given in judged})


def count_text(audit: Audit) -> str:
    """Return how many families were tested and what their number does to the level; "" for one.

    Parameters
    ----------
    audit : Audit
        The audit.

    Returns
    -------
    str

    Examples
    --------
    >>> from fairstats.auditing.audit import audit
    >>> data = {"sex": ["f", "m"] * 20, "age": ["old", "old", "young", "young"] * 10, "hired": [1, 0, 0, 0] * 10}
    >>> count_text(audit(data, "hired", ["sex", "age"], family="audit"))
    '2 families (one rate each, intersections apart) share the level of 5 %'
    """
    protocol, count = audit.protocol, families_of(audit)
    if count < 2:
        return ""
    values = {"n": count, "level": level(1 - protocol.conf_level)}
    if protocol.family == AUDIT:
        return say("{n} families (one rate each, intersections apart) share the level of {level}", **values)
    if protocol.adjust == NONE:
        return say(
            "{n} families (one rate each, of one attribute) were tested without an adjustment, so a false claim "
            "somewhere is likelier than {level}",
            **values,
        )
    return say(
        "{n} families (one rate each, intersections apart) were tested, each at the level of {level} by itself, so a "
        "false claim in some family is likelier than that",
        **values,
    )


def among_families(audit: Audit) -> str:
    """Return how many families of tests there are beside the one that a reader sees; "" for one.

    Parameters
    ----------
    audit : Audit
        The audit.

    Returns
    -------
    str

    Examples
    --------
    >>> from fairstats.auditing.audit import audit
    >>> data = {"sex": ["f", "m"] * 20, "age": ["old", "old", "young", "young"] * 10, "hired": [1, 0, 0, 0] * 10}
    >>> among_families(audit(data, "hired", ["sex", "age"]))
    'The audit makes 2 sets of comparisons (one rate each, intersections apart), each at the level of 5 %: a set in
    which nothing differs shows a difference by chance at most that often.'
    """
    protocol, count = audit.protocol, families_of(audit)
    if count < 2:
        return ""
    values = {"n": count, "level": level(1 - protocol.conf_level)}
    if protocol.family == AUDIT:
        return say("The audit makes {n} sets of comparisons, all together at the level of {level}.", **values)
    return say(
        "The audit makes {n} sets of comparisons (one rate each, intersections apart), each at the level of {level}: a "
        "set in which nothing differs shows a difference by chance at most that often.",
        **values,
    )
