"""Sensitivity: the same questions under other settings, and the difference that the data could have shown."""

from __future__ import annotations

from typing import Any

from fairstats.inference.estimate import Estimates
from fairstats.report import words
from fairstats.report.bundle import Bundle
from fairstats.report.columns import GENERAL, estimates_table
from fairstats.report.sections.errors import SCORES
from fairstats.report.sections.shared import attribute_name
from fairstats.report.tables import Table

_ELSEWHERE = {*words.RATES, *SCORES}


def sensitivity(bundle: Bundle) -> dict[str, Any] | None:
    """The context of ``sections/sensitivity.html.j2``: other settings, statistics shown nowhere else."""
    if bundle.audit is None:
        return None
    rows = bundle.audit.estimates
    settings = Estimates(r for r in rows if r.term)
    others = Estimates(r for r in rows if not r.term and r.metric not in _ELSEWHERE)
    tables = [*_by_attribute("Under other settings", settings), *_by_attribute("Further statistics", others)]
    return {"tables": tables} if tables else None


def _by_attribute(caption: str, rows: Estimates) -> list[Table]:
    attributes = dict.fromkeys(r.attribute for r in rows)
    return [
        estimates_table(f"{caption}: {attribute_name(a)}" if a else caption, rows.where(attribute=a), GENERAL)
        for a in attributes
    ]
