"""New York City Local Law 144 from an audit: its tables of rates and impact ratios, one an attribute."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from fairstats.arguments import instance, shown
from fairstats.auditing.result import Audit
from fairstats.errors import InputError, listing, nearest
from fairstats.labels import holds_missing
from fairstats.presets.local_law_144_tables import ImpactTable, impact_table
from fairstats.presets.notice import notice

MEASURES = ("selection rate", "scoring rate")


def local_law_144(
    audit: Audit, *, exclude: Mapping[str, str] | None = None, about: Mapping[str, str] | None = None
) -> tuple[ImpactTable, ...]:
    """Make the tables that Local Law 144 asks for, one for each attribute and one for their intersection.

    Selection rates where the audit has decisions, otherwise scoring rates (the share above the median of the sample).
    People of unknown category are counted and in no rate. A category of less than 2 % of the data used, people of
    unknown category included, says so; the auditor may exclude it from the ratios, with a justification. The law sets
    no threshold: the tables state no conclusion.

    Parameters
    ----------
    audit : Audit
        Of decisions or scores, with ``missing="level"`` (so that unknown categories are counted) and ``min_n=1``.
    exclude : mapping of str to str, optional
        Category to the auditor's justification: it is shown with its number, rate and justification, and left out
        before the highest rate is taken. Nobody is excluded unasked.
    about : mapping of str to str, optional
        What is published beside the tables: ``tool``, ``vendor``, ``version``, ``employer``, ``distributed`` (the day
        on which the tool came into use), ``data`` (their source, and whether they are historical or test data, and
        why), ``independence``. A report says which of them were not given.

    Returns
    -------
    tuple of ImpactTable

    Raises
    ------
    InputError
        If the audit has neither decisions nor scores, hides counts, or rests on weights or clusters; if a category
        cannot be excluded.

    References
    ----------
    Rules of the City of New York, title 6, sections 5-300 and 5-301.

    Examples
    --------
    >>> import fairstats as fs
    >>> data = {"sex": ["f"] * 50 + ["m"] * 50, "hired": [1] * 10 + [0] * 40 + [1] * 30 + [0] * 20}
    >>> (table,) = fs.local_law_144(fs.audit(data, decision="hired", groups="sex"))
    >>> table.highest, [round(c.impact_ratio, 2) for c in table.categories]
    ('m', [0.33, 1.0])
    """
    instance("audit", audit, Audit, "an audit", "pass what fairstats.audit returned")
    beside = notice(about)
    asked = _asked(exclude, {cell.group for cell in audit.cells})
    measure = next((m for m in MEASURES if audit.estimates.where(metric=m)), "")
    _check(audit, measure)
    made = (_table(audit, attribute, measure, asked) for attribute in audit.references)
    return tuple(replace(table, about=beside) for table in made)


def _asked(exclude: Any, categories: set[str]) -> Mapping[str, str]:
    if exclude is None:
        return {}
    if not isinstance(exclude, Mapping):
        raise InputError(
            f"exclude has {shown(exclude)}; it is a mapping of categories to the auditor's justifications; "
            "pass {category: justification}."
        )
    for category in exclude:
        if category not in categories:
            raise InputError(
                f"exclude has {shown(category)}; there is no such category{nearest(str(category), categories)}; "
                f"the categories are {listing(sorted(categories), 12)}."
            )
    return exclude


def _check(audit: Audit, measure: str) -> None:
    if not measure:
        raise InputError("audit has neither decisions nor scores; Local Law 144 asks for one of them; name a column.")
    if audit.protocol.missing == "drop":
        raise InputError(
            "audit has missing='drop', so that nobody of unknown category is counted, whose number Local Law 144 asks "
            "for; pass missing='level'."
        )
    if audit.protocol.weight_type == "probability" or audit.protocol.clusters:
        raise InputError(
            "audit rests on weights or clusters; Local Law 144 counts people; audit the people themselves."
        )
    if audit.estimates.where(metric=measure, contrast="none", status="suppressed"):
        raise InputError(
            f"audit has min_n={audit.protocol.min_n}, which hides counts that Local Law 144 asks for; pass min_n=1."
        )


def _table(audit: Audit, attribute: str, measure: str, exclude: Mapping[str, str]) -> ImpactTable:
    rows = audit.estimates.where(metric=measure, attribute=attribute, contrast="none", role="main")
    known = [row for row in rows if not holds_missing(row.group)]
    return impact_table(
        [row.events if row.n else 0.0 for row in known],
        [row.n for row in known],
        [row.group for row in known],
        attribute=attribute,
        measure=measure,
        unknown=sum(row.n for row in rows) - sum(row.n for row in known),
        exclude={row.group: exclude[row.group] for row in known if row.group in exclude},
        conf_level=audit.protocol.conf_level,
    )
