"""Which comparisons are adjusted together, how many such families were tested, and what that leaves open."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fairstats.choices import ALL_PAIRS, AUDIT, FAMILIES, NONE, adjusted_by, adjustment
from fairstats.inference.gatekeeping import judged_families
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
    'the comparisons of one rate within one attribute (sex: 1), adjusted by Holm'
    """
    sizes = ", ".join(
        f"{attribute}: {sum(c.attribute == attribute for c in audit.cells) - 1}" for attribute in audit.references
    )
    asked = audit.protocol.adjust, audit.protocol.reference
    words = FAMILIES[audit.protocol.family].words
    if adjustment(*asked) is ALL_PAIRS:
        words, sizes = words.replace("comparisons", "comparisons of all pairs of groups"), f"{sizes} shown"
    return "; ".join(filter(None, (f"{words} ({sizes}), {adjusted_by(*asked)}", count_text(audit))))


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
    '3 families (one rate of one attribute each) share the level of 5 %'
    """
    protocol, count = audit.protocol, len(judged_families(audit.estimates))
    if count < 2:
        return ""
    families, alpha = f"{count} families (one rate of one attribute each)", level(1 - protocol.conf_level)
    if protocol.family == AUDIT:
        return f"{families} share the level of {alpha}"
    if protocol.adjust == NONE:
        return f"{families} were tested without an adjustment, so a false claim somewhere is likelier than {alpha}"
    return (
        f"{families} were tested, each at the level of {alpha} by itself, so a false claim in some family is likelier "
        f"than that (family='audit' bounds it)"
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
    'The audit tests 3 families of comparisons, each at the level of 5 % by itself.'
    """
    protocol, count = audit.protocol, len(judged_families(audit.estimates))
    if count < 2:
        return ""
    alpha = level(1 - protocol.conf_level)
    held = (
        f"all together at the level of {alpha}"
        if protocol.family == AUDIT
        else f"each at the level of {alpha} by itself"
    )
    return f"The audit tests {count} families of comparisons, {held}."
