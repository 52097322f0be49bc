"""The sections: each a function from the results to the context of one template; None where it has nothing to say."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fairstats.language import mark
from fairstats.reporting.bundle import Bundle
from fairstats.reporting.sections.audit import data, errors, limits, outcomes, protocol, sensitivity
from fairstats.reporting.sections.comparison import comparison, law_comparison
from fairstats.reporting.sections.fits import fits_page, representation
from fairstats.reporting.sections.methods import methods
from fairstats.reporting.sections.other import (
    change_page,
    clusters_section,
    law_data,
    law_errors,
    law_findings,
    law_methods,
    law_outcomes,
    law_protocol,
    law_sensitivity,
    local_law,
)
from fairstats.reporting.sections.page_one import comparison_page, findings, four_fifths_findings, four_fifths_outcomes

SECTIONS: dict[str, Callable[[Bundle], dict[str, Any] | None]] = {
    "findings": findings,
    "protocol": protocol,
    "data": data,
    "outcomes": outcomes,
    "errors": errors,
    "representation": representation,
    "clusters": clusters_section,
    "comparison": comparison,
    "sensitivity": sensitivity,
    "methods": methods,
    "limits": limits,
}
HEADINGS = {
    "protocol": mark("Scope and protocol"),
    "data": mark("Data"),
    "outcomes": mark("Outcomes by group"),
    "errors": mark("Errors and scores"),
    "representation": mark("Details of the methods"),
    "clusters": mark("Clusters"),
    "comparison": mark("Comparison"),
    "sensitivity": mark("Do the findings depend on our choices?"),
    "methods": mark("Appendix: Methods"),
    "limits": mark("Provenance and sign-off"),
}

# What a preset adds to the context of the general report.
PRESET_SECTIONS: dict[str, dict[str, Callable[[Bundle], dict[str, Any] | None]]] = {
    "four_fifths": {"findings": four_fifths_findings, "outcomes": four_fifths_outcomes},
    "method": {"findings": fits_page},
    "comparison": {"findings": comparison_page},
    "monitoring": {"findings": change_page},
    "ll144": {
        "local_law": local_law,
        "findings": law_findings,
        "data": law_data,
        "protocol": law_protocol,
        "outcomes": law_outcomes,
        "errors": law_errors,
        "comparison": law_comparison,
        "sensitivity": law_sensitivity,
        "methods": law_methods,
    },
}
