"""One row a class of results: where it is, whether its name is public, its class in R. Everything that lists them reads
this: the names of the package, what a saved file may hold, the records that R keeps.

Nothing here imports a class before it is asked for. What a notebook shows of a class and what R's record adds are
functions that name the class themselves (``notebook`` in `fairstats.reporting.display`, ``extra`` in
`fairstats.r.records`); a class without them has what every result has.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, NamedTuple


class ResultClass(NamedTuple):
    """A class by its name.

    Attributes
    ----------
    name, home : str
        The class, and its module.
    r : tuple of str
        The classes that its object has in R.
    public : bool
        Whether ``fairstats`` has it by its name.
    fit : bool
        Whether it is what a method gives, so that its settings are those of a call.
    saved : bool
        Whether a file may hold it as a result; a table of estimates has a form of its own.
    by : str
        The function that gives it, or one of several.
    """

    name: str
    home: str
    r: tuple[str, ...] = ("fairstats_result", "fairstats")
    public: bool = True
    fit: bool = False
    saved: bool = True
    by: str = ""


def _r(name: str, *further: str) -> tuple[str, ...]:
    """Our class comes first; prcomp's biplot() and screeplot() serve what we have no method for."""
    return (f"fairstats_{name}", "fairstats", *further)


_ROWS = (
    ResultClass("Projection", "fairstats.methods.results", _r("fit", "prcomp"), fit=True, by="fair_pca"),
    ResultClass("KernelProjection", "fairstats.methods.kernel_result", _r("kernel"), fit=True),
    ResultClass("Eraser", "fairstats.methods.feature_maps", _r("eraser"), fit=True, by="leace"),
    ResultClass("GroupAdjustment", "fairstats.methods.feature_maps", _r("group_map"), fit=True),
    ResultClass("Audit", "fairstats.auditing.result", _r("audit"), by="audit"),
    ResultClass("Comparison", "fairstats.comparing.result", _r("comparison"), by="compare"),
    ResultClass("Partition", "fairstats.cluster.partition", _r("partition"), by="spectral_clustering"),
    ResultClass("OutOfFoldScores", "fairstats.methods.crossfit", _r("held_out")),
    ResultClass("Leakage", "fairstats.inference.representations.leakage", by="leakage"),
    ResultClass("ExtraError", "fairstats.inference.representations.extra_error", by="extra_error"),
    ResultClass("ComponentSelection", "fairstats.inference.representations.choosing_k", by="select_k"),
    ResultClass("FitStudy", "fairstats.inference.representations.fit_studies", by="price_of_fairness"),
    ResultClass("Tradeoff", "fairstats.inference.representations.tradeoff", by="tradeoff"),
    ResultClass("Proxies", "fairstats.inference.representations.proxies", by="proxies"),
    ResultClass("AuditComparison", "fairstats.auditing.change", by="compare_audits"),
    ResultClass("SubgroupScan", "fairstats.auditing.subgroups", by="subgroup_scan"),
    ResultClass("GroupStudy", "fairstats.auditing.group_studies", by="representation"),
    ResultClass("Decomposition", "fairstats.auditing.decompose", _r("decomposition"), by="decompose"),
    ResultClass("ImpactTable", "fairstats.auditing.local_law_144", _r("impact_table"), public=False),
    ResultClass("Tally", "fairstats.auditing.tally", _r("tally"), by="tally"),
    ResultClass("Estimates", "fairstats.estimates", _r("estimates"), saved=False),
    ResultClass("Moments", "fairstats.data.moments", _r("moments"), by="moments"),
)
RESULT_CLASSES = {row.name: row for row in _ROWS}
SAVED = tuple(row.name for row in _ROWS if row.saved)
FITS = tuple(row.name for row in _ROWS if row.fit)

# Classes of the fields of results, by their module.
_PARTS = {
    "fairstats.auditing.counts": ("Cell",),
    "fairstats.auditing.designs": ("SurveyDesign",),
    "fairstats.auditing.local_law_144": ("Category",),
    "fairstats.auditing.protocol": ("About", "Resolved", "Words"),
    "fairstats.cluster.embedding": ("Composition", "Cuts", "Embedding"),
    "fairstats.comparing.result": ("ComparisonProtocol", "ScoreCurve", "SplitValues", "Term"),
    "fairstats.data.centered_view": ("Scaling",),
    "fairstats.data.formula": ("Formula",),
    "fairstats.data.groups": ("Encoding", "Groups"),
    "fairstats.data.tables": ("Factor",),
    "fairstats.inference.multiplicity": ("Margins",),
    "fairstats.methods.results": ("Components", "GroupPrice", "Guarantee", "KernelMap", "LinearMap", "Price"),
    "fairstats.provenance": ("Curve", "DataSource", "FlowStep", "Provenance", "TableOfCounts"),
}
# The closed set of classes that a saved file may name, each with its module: nothing else is ever built from a file.
IN_FILES = {
    **{name: RESULT_CLASSES[name].home for name in SAVED},
    **{name: home for home, names in _PARTS.items() for name in names},
}


def class_of(name: str) -> Any:
    """The class of that name, which is one of those that a saved file may name."""
    return getattr(import_module(IN_FILES[name]), name)


def classes_in_r(result: object) -> tuple[str, ...] | None:
    """The classes that a result has in R; None for what is no result with a row here."""
    names = (cls.__name__ for cls in type(result).__mro__ if cls.__module__.startswith("fairstats."))
    return next((RESULT_CLASSES[name].r for name in names if name in RESULT_CLASSES), None)
