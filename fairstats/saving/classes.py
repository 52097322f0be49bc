"""The closed set of classes that a saved file may name, and what their annotations do not say."""

from __future__ import annotations

from importlib import import_module
from typing import Any

# Nothing else is ever built from a file.
CLASSES = {
    "Audit": "fairstats.auditing.result",
    "Category": "fairstats.presets.local_law_144_tables",
    "Cell": "fairstats.auditing.counts",
    "Change": "fairstats.auditing.change",
    "Subgroups": "fairstats.auditing.subgroups_result",
    "ChoiceOfK": "fairstats.inference.representations.choice_of_k",
    "Comparison": "fairstats.comparing.result",
    "ComparisonProtocol": "fairstats.comparing.result",
    "Components": "fairstats.methods.results.fit_parts",
    "Composition": "fairstats.cluster.measures",
    "Curve": "fairstats.studies.curve",
    "Cuts": "fairstats.cluster.measures",
    "DataSource": "fairstats.studies.provenance",
    "Embedding": "fairstats.cluster.embedding",
    "Encoding": "fairstats.data.encoding",
    "Eraser": "fairstats.methods.results.eraser",
    "ExtraError": "fairstats.inference.representations.extra_error_result",
    "Factor": "fairstats.data.columns",
    "FitStudy": "fairstats.inference.representations.fit_study",
    "FlowStep": "fairstats.studies.flow",
    "Formula": "fairstats.data.formula",
    "GroupMap": "fairstats.methods.results.group_map",
    "GroupPrice": "fairstats.methods.results.fit_parts",
    "Groups": "fairstats.data.groups",
    "Guarantee": "fairstats.methods.results.guarantee",
    "HeldOut": "fairstats.methods.results.heldout",
    "ImpactTable": "fairstats.presets.local_law_144_tables",
    "KernelMap": "fairstats.methods.results.fit_parts",
    "KernelProjection": "fairstats.methods.results.kernel",
    "Leakage": "fairstats.inference.representations.leakage_result",
    "LinearMap": "fairstats.methods.results.fit_parts",
    "Margins": "fairstats.inference.margins",
    "Partition": "fairstats.cluster.partition",
    "Price": "fairstats.methods.results.fit_parts",
    "Projection": "fairstats.methods.results.projection",
    "Provenance": "fairstats.studies.provenance",
    "Resolved": "fairstats.auditing.resolved",
    "Scaling": "fairstats.data.scaling",
    "ScoreCurve": "fairstats.comparing.result",
    "SplitValues": "fairstats.comparing.result",
    "Tally": "fairstats.auditing.tally",
    "Term": "fairstats.comparing.result",
    "Words": "fairstats.auditing.own_words",
}
FITS = ("Projection", "KernelProjection", "Eraser", "GroupMap")
RESULTS = (
    *FITS,
    "Audit",
    "Comparison",
    "Partition",
    "HeldOut",
    "Leakage",
    "ExtraError",
    "ChoiceOfK",
    "FitStudy",
    "Change",
    "Subgroups",
    "ImpactTable",
    "Tally",
)
# Fields whose annotation says less than what they hold.
NARROWER = {("Scaling", "formula"): "Formula"}
# Names of the rows of somebody's data are theirs, and are not written.
LEFT_OUT = {("Groups", "index")}
# Sizes that agree with each other: p features, k components, q columns of Z, m landmarks, r directions, n rows.
SIZES = {
    "Scaling": {"features": "p", "center": "p", "scale": "p"},
    "Encoding": {"kept": "q", "center": "q"},
    "LinearMap": {"weights": "pk", "loadings": "pk", "origin": "p", "coefficients": "qk", "group_means": "qp"},
    "KernelMap": {"basis": "mp", "coefficients": "mk", "offset": "k", "shift": "p"},
    "Components": {"energy": "k", "group_share": "k"},
    "Eraser": {"left": "pr", "right": "rp", "canonical": "r"},
    "GroupMap": {"coefficients": "qp", "share": "p", "protected": "r", "slopes": "rp", "offset": "p"},
    "HeldOut": {"scores": "nk", "folds": "n", "weights": "n", "before": "nb"},
    "Factor": {"codes": "n"},
    "Tally": {"rows": "n", "used": "n", "weight": "n", "square": "n", "least": "n", "most": "n"},
    "Groups": {"continuous": "nc", "continuous_names": "c"},
}


def class_of(name: str) -> Any:
    """The class of that name, which is one of the closed set."""
    return getattr(import_module(CLASSES[name]), name)
