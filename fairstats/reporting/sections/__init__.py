"""The sections: each a function from the results to the context of one template; None where it has nothing to say."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fairstats.language import mark
from fairstats.reporting.bundle import Bundle
from fairstats.reporting.sections.changes import change_page
from fairstats.reporting.sections.clusters import clusters
from fairstats.reporting.sections.comparison import comparison
from fairstats.reporting.sections.errors import errors
from fairstats.reporting.sections.findings import findings, four_fifths_findings
from fairstats.reporting.sections.limits import limits
from fairstats.reporting.sections.local_law import law_errors, law_findings, law_outcomes, local_law
from fairstats.reporting.sections.outcomes import outcomes
from fairstats.reporting.sections.page_one_fits import fits_page
from fairstats.reporting.sections.page_one_results import comparison_page
from fairstats.reporting.sections.protocol import data, protocol
from fairstats.reporting.sections.representation import representation
from fairstats.reporting.sections.sensitivity import sensitivity

SECTIONS: dict[str, Callable[[Bundle], dict[str, Any] | None]] = {
    "findings": findings,
    "protocol": protocol,
    "data": data,
    "outcomes": outcomes,
    "errors": errors,
    "representation": representation,
    "clusters": clusters,
    "comparison": comparison,
    "sensitivity": sensitivity,
    "limits": limits,
}
HEADINGS = {
    "protocol": mark("Scope and protocol"),
    "data": mark("Data"),
    "outcomes": mark("Outcomes by group"),
    "errors": mark("Errors and scores"),
    "representation": mark("Representation"),
    "clusters": mark("Clusters"),
    "comparison": mark("Comparison"),
    "sensitivity": mark("Sensitivity"),
    "limits": mark("Limits, readings, provenance"),
}

# What a preset adds to the context of the general report.
PRESET_SECTIONS: dict[str, dict[str, Callable[[Bundle], dict[str, Any] | None]]] = {
    "four_fifths": {"findings": four_fifths_findings},
    "method": {"findings": fits_page},
    "comparison": {"findings": comparison_page},
    "monitoring": {"findings": change_page},
    "ll144": {"local_law": local_law, "findings": law_findings, "outcomes": law_outcomes, "errors": law_errors},
}
