"""The tables that New York City's Local Law 144 asks for (6 RCNY § 5-300 ff.); intervals are marked as ours."""

from __future__ import annotations

from typing import Any

from fairstats.errors import InputError
from fairstats.presets.local_law_144 import local_law_144
from fairstats.presets.local_law_144_tables import ImpactTable
from fairstats.reporting import numbers as words
from fairstats.reporting.bundle import Bundle
from fairstats.reporting.sections.shared import attribute_name
from fairstats.reporting.tables import Heading, Table, table, text


def local_law(bundle: Bundle) -> dict[str, Any]:
    """The context of the preset ``ll144``."""
    audit = bundle.audit
    if audit is None:
        raise InputError("preset='ll144' needs an audit of decisions or scores; pass one to report().")
    # tables that the auditor brings, with exclusions, or those in which nobody is excluded
    tables = tuple(t for t in bundle.others if isinstance(t, ImpactTable)) or local_law_144(audit)
    name = audit.data.name or "data in memory"
    return {
        "sentence": f"{audit.data.rows} people were read from {name}; the audit was made on "
        f"{audit.provenance.created[:10]}. The law sets no threshold: these tables state no conclusion.",
        "tables": [table_of(one) for one in tables],
        "unknown": [
            f"{attribute_name(t.attribute)}: {words.count(t.unknown)} people of unknown category, counted in no rate"
            for t in tables
        ],
    }


def table_of(law: ImpactTable) -> Table:
    """The table of one attribute as the rule asks for it, with our intervals."""
    scoring = law.measure == "scoring rate"
    headings = [
        text("category"),
        Heading("applicants"),
        Heading("above the median" if scoring else "selected"),
        Heading("scoring rate" if scoring else "selection rate", "%"),
        Heading("interval (ours)", "%"),
        Heading("impact ratio"),
        Heading("interval (ours)"),
        text("note"),
    ]
    rows = [
        [
            c.category,
            words.count(c.n),
            words.count(c.selected),
            words.percent(c.rate),
            words.span(c.conf_low, c.conf_high, words.percent),
            words.number(c.impact_ratio, 2) if c.status == "ok" else words.DASH,
            words.span(c.ratio_low, c.ratio_high, lambda v: words.number(v, 2)) if c.status == "ok" else words.DASH,
            c.reason or ("highest rate" if c.category == law.highest else ""),
        ]
        for c in law.categories
    ]
    note = (
        f"Impact ratio: rate over the highest rate among categories not excluded ({law.highest or 'none'}). The "
        "intervals are not asked for by the law: Wilson for rates; for ratios they hold together, whichever category "
        "truly has the highest rate."
    )
    return table(f"{attribute_name(law.attribute)}: rates and impact ratios", headings, rows, note, 60)
