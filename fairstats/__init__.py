"""fairstats: how a data set or a model treats groups of people, shown and defended.

Names are loaded when first used, so ``import fairstats`` costs next to nothing. The methods come from
`fairstats.methods.registry`; those that others propose live in ``fs.comparators``, statistics in ``fs.stats``.
"""

# The names below are what a type checker sees of the package: `as` says that they are public.
from __future__ import annotations

import importlib
import importlib.util
from typing import TYPE_CHECKING, Any

from fairstats.attached import attached as _attached
from fairstats.former import COMMANDS_ALONE as _COMMANDS_ALONE
from fairstats.former import ELSEWHERE as _ELSEWHERE
from fairstats.former import FUNCTIONS as _FORMER
from fairstats.former import NOT_HERE as _NOT_HERE
from fairstats.former import R_VERBS as _R_VERBS
from fairstats.former import missing as _missing
from fairstats.methods.registry import METHODS as _METHODS
from fairstats.result_classes import RESULT_CLASSES as _RESULT_CLASSES

if TYPE_CHECKING:
    from fairstats import comparators as comparators
    from fairstats import r as r
    from fairstats import sklearn as sklearn
    from fairstats import stats as stats
    from fairstats.auditing.alternatives import alternatives as alternatives
    from fairstats.auditing.audit import audit as audit
    from fairstats.auditing.change import AuditComparison as AuditComparison
    from fairstats.auditing.change import compare_audits as compare_audits
    from fairstats.auditing.decompose import Decomposition as Decomposition
    from fairstats.auditing.decompose import adjusted_gap as adjusted_gap
    from fairstats.auditing.decompose import decompose as decompose
    from fairstats.auditing.designs import survey_design as survey_design
    from fairstats.auditing.group_probabilities import group_probabilities as group_probabilities
    from fairstats.auditing.group_studies import GroupStudy as GroupStudy
    from fairstats.auditing.local_law_144 import local_law_144 as local_law_144
    from fairstats.auditing.matched_pairs import matched_pairs as matched_pairs
    from fairstats.auditing.models import compare_models as compare_models
    from fairstats.auditing.monitor import monitor as monitor
    from fairstats.auditing.pay import gender_pay_gap as gender_pay_gap
    from fairstats.auditing.pay import pay_transparency as pay_transparency
    from fairstats.auditing.people import from_counts as from_counts
    from fairstats.auditing.people import tally as tally
    from fairstats.auditing.representation import representation as representation
    from fairstats.auditing.result import Audit as Audit
    from fairstats.auditing.stages import stages as stages
    from fairstats.auditing.subgroups import SubgroupScan as SubgroupScan
    from fairstats.auditing.subgroups import subgroup_scan as subgroup_scan
    from fairstats.auditing.tally import Tally as Tally
    from fairstats.cluster.partition import Partition as Partition
    from fairstats.cluster.spectral import fair_spectral_clustering as fair_spectral_clustering
    from fairstats.cluster.spectral import spectral_clustering as spectral_clustering
    from fairstats.comparing.compare import compare as compare
    from fairstats.comparing.methods import fairlearn_reduction as fairlearn_reduction
    from fairstats.comparing.result import Comparison as Comparison
    from fairstats.data import datasets as datasets
    from fairstats.data import simulate as simulate
    from fairstats.data.datasets import arrests as arrests
    from fairstats.data.graphs import Graph as Graph
    from fairstats.data.graphs import graph as graph
    from fairstats.data.graphs import kneighbors_graph as kneighbors_graph
    from fairstats.data.groups import continuous as continuous
    from fairstats.data.moments import Moments as Moments
    from fairstats.data.read import read_table as read_table
    from fairstats.data.stream import moments as moments
    from fairstats.errors import FairstatsError as FairstatsError
    from fairstats.errors import FairstatsWarning as FairstatsWarning
    from fairstats.errors import InputError as InputError
    from fairstats.estimates import Estimate as Estimate
    from fairstats.estimates import Estimates as Estimates
    from fairstats.inference.representations.choosing_k import ComponentSelection as ComponentSelection
    from fairstats.inference.representations.choosing_k import select_k as select_k
    from fairstats.inference.representations.extra_error import ExtraError as ExtraError
    from fairstats.inference.representations.extra_error import extra_error as extra_error
    from fairstats.inference.representations.fit_studies import FitStudy as FitStudy
    from fairstats.inference.representations.fit_studies import bootstrap_loadings as bootstrap_loadings
    from fairstats.inference.representations.fit_studies import component_tests as component_tests
    from fairstats.inference.representations.fit_studies import price_of_fairness as price_of_fairness
    from fairstats.inference.representations.fit_studies import (
        reconstruction_error_by_group as reconstruction_error_by_group,
    )
    from fairstats.inference.representations.leakage import Leakage as Leakage
    from fairstats.inference.representations.leakage import leakage as leakage
    from fairstats.inference.representations.proxies import Proxies as Proxies
    from fairstats.inference.representations.proxies import proxies as proxies
    from fairstats.inference.representations.tradeoff import Tradeoff as Tradeoff
    from fairstats.inference.representations.tradeoff import tradeoff as tradeoff
    from fairstats.methods.crossfit import OutOfFoldScores as OutOfFoldScores
    from fairstats.methods.disparity import disparity_path as disparity_path
    from fairstats.methods.disparity import disparity_pca as disparity_pca
    from fairstats.methods.fair_pca import fair_pca as fair_pca
    from fairstats.methods.feature_maps import Eraser as Eraser
    from fairstats.methods.feature_maps import GroupAdjustment as GroupAdjustment
    from fairstats.methods.kernel_pca import fair_kernel_pca as fair_kernel_pca
    from fairstats.methods.kernel_result import KernelProjection as KernelProjection
    from fairstats.methods.leace import leace as leace
    from fairstats.methods.leace import leace_pca as leace_pca
    from fairstats.methods.minimax import minimax_pca as minimax_pca
    from fairstats.methods.og import og as og
    from fairstats.methods.pca import pca as pca
    from fairstats.methods.results import Projection as Projection
    from fairstats.methods.sog import sog as sog
    from fairstats.methods.sog import sog_path as sog_path
    from fairstats.methods.streamed import fair_pca_stream as fair_pca_stream
    from fairstats.reporting.plot import plot as plot
    from fairstats.reporting.report import Report as Report
    from fairstats.reporting.report import report as report
    from fairstats.reporting.result_table import ResultTable as ResultTable
    from fairstats.reporting.result_table import table as table
    from fairstats.reporting.verify import Verification as Verification
    from fairstats.reporting.verify import verify_report as verify_report
    from fairstats.saving import load as load

__version__ = "0.3.0"
__citation__ = f"""@misc{{fairstats,
  author = {{{{The fairstats authors}}}},
  title = {{fairstats: fair decompositions and audit statistics}},
  year = {{2026}},
  note = {{Python package, version {__version__}}},
}}"""

# Public name -> the module that has it.
_HOME = {
    **{row.name: row.home.removeprefix("fairstats.") for row in _RESULT_CLASSES.values() if row.public},
    "Estimate": "estimates",
    "compare_audits": "auditing.change",
    "subgroup_scan": "auditing.subgroups",
    "FairstatsError": "errors",
    "FairstatsWarning": "errors",
    "Graph": "data.graphs",
    "InputError": "errors",
    "Report": "reporting.report",
    "Verification": "reporting.verify",
    "ResultTable": "reporting.result_table",
    "adjusted_gap": "auditing.decompose",
    "arrests": "data.datasets",
    "audit": "auditing.audit",
    "select_k": "inference.representations.choosing_k",
    "compare": "comparing.compare",
    "from_counts": "auditing.people",
    "matched_pairs": "auditing.matched_pairs",
    "representation": "auditing.representation",
    "alternatives": "auditing.alternatives",
    "compare_models": "auditing.models",
    "monitor": "auditing.monitor",
    "group_probabilities": "auditing.group_probabilities",
    "stages": "auditing.stages",
    "survey_design": "auditing.designs",
    "pay_transparency": "auditing.pay",
    "gender_pay_gap": "auditing.pay",
    "component_tests": "inference.representations.fit_studies",
    "continuous": "data.groups",
    "decompose": "auditing.decompose",
    "disparity_path": "methods.disparity",
    "extra_error": "inference.representations.extra_error",
    "fair_spectral_clustering": "cluster.spectral",
    "graph": "data.graphs",
    "reconstruction_error_by_group": "inference.representations.fit_studies",
    "leakage": "inference.representations.leakage",
    "load": "saving",
    "local_law_144": "auditing.local_law_144",
    "moments": "data.stream",
    "kneighbors_graph": "data.graphs",
    "plot": "reporting.plot",
    "price_of_fairness": "inference.representations.fit_studies",
    "tradeoff": "inference.representations.tradeoff",
    "proxies": "inference.representations.proxies",
    "read_table": "data.read",
    "fairlearn_reduction": "comparing.methods",
    "report": "reporting.report",
    "sog_path": "methods.sog",
    "fair_pca_stream": "methods.streamed",
    "spectral_clustering": "cluster.spectral",
    "bootstrap_loadings": "inference.representations.fit_studies",
    "table": "reporting.result_table",
    "tally": "auditing.people",
    "verify_report": "reporting.verify",
}
# Public class -> the function that gives its objects, which nobody makes by hand.
_GIVEN_BY = {row.name: row.by for row in _RESULT_CLASSES.values()}
_GIVEN_BY |= {"Graph": "graph", "Report": "report", "ResultTable": "table", "Verification": "verify_report"}
# Modules that are public as such.
_MODULES = {"comparators": "comparators", "datasets": "data.datasets", "simulate": "data.simulate", "stats": "stats"}
# Modules that an attribute loads, too, and that `from fairstats import *` leaves alone: their names are short.
_ATTRIBUTES = ("r", "sklearn")


# What lower layers call of upper ones.


def _save(result: Any, path: Any, *, overwrite: bool) -> Any:
    from fairstats.saving import save

    return save(result, path, overwrite=overwrite)


def _clusters(partition: Any) -> Any:
    from fairstats.reporting.sections.other import finding

    return finding(partition)


def _models_in_short(result: Any) -> Any:
    from fairstats.auditing.models_in_short import in_short

    return in_short(result)


def _bounds_answered(result: Any) -> Any:
    from fairstats.auditing.group_probabilities import answered

    return answered(result)


def _bounds_in_short(result: Any) -> Any:
    from fairstats.auditing.group_probabilities import in_short

    return in_short(result)


def _html(result: Any) -> Any:
    from fairstats.reporting.display import html_of

    return html_of(result)


def _plots(result: Any) -> Any:
    from fairstats.reporting.plot import plots

    return plots(result)


def _plot(result: Any, kind: Any, **which: Any) -> Any:
    from fairstats.reporting.plot import plot

    return plot(result, kind, **which)


def _from_r(value: Any) -> Any:
    from fairstats.r.sessions import data_from_r

    return data_from_r(value)


_attached.save, _attached.html, _attached.plots, _attached.plot = _save, _html, _plots, _plot
_attached.from_r, _attached.methods, _attached.clusters = _from_r, _METHODS, _clusters
_attached.models_in_short, _attached.bounds_in_short = _models_in_short, _bounds_in_short
_attached.bounds_answered = _bounds_answered


def _public() -> list[str]:
    """Return every public name: a method that a test registers is one while it is registered."""
    return sorted([*_HOME, *_MODULES, *(name for name, row in _METHODS.items() if not row.comparator)])


__all__ = _public()


def _hint(name: str) -> str:
    """What to type for a name of another module, of R, of a metric or of another library, "" of other names."""
    name = name.replace("equalised", "equalized")
    if name in _FORMER:
        return ""
    in_r = _R_VERBS.get(bare := name.removeprefix("fair_"), bare)
    in_r = _FORMER.get(in_r, in_r)
    if in_r in _public():
        return f"it is fairstats.{in_r}"
    for module in ("stats", "comparators", "simulate"):
        if (within := name.removeprefix(f"{module}_")) in importlib.import_module(
            f"fairstats.{_MODULES[module]}"
        ).__all__:
            return f"it is fairstats.{module}.{within}"
    if name in _COMMANDS_ALONE:
        return f"the command {_COMMANDS_ALONE[name]} does that"
    familiar = importlib.import_module("fairstats.metrics").FAMILIAR
    if in_r in familiar and familiar[in_r].metrics:
        return f"it is a metric of audits: fairstats.audit(...).tidy(metric={in_r!r})"
    classes = (getattr(importlib.import_module(row.home), row.name) for row in _RESULT_CLASSES.values())
    if any(callable(getattr(one, in_r, None)) for one in classes):
        return f"results have it: result.{in_r}()"
    if name in _NOT_HERE:
        return (
            "no method here does that; fairstats.audit takes what it decides, fairstats.compare_models several models"
        )
    return f"fairstats.{_ELSEWHERE[name]} does that here" if name in _ELSEWHERE else ""


if not TYPE_CHECKING:  # to a type checker, a name that is not imported above is a mistake

    def __getattr__(name: str) -> Any:
        if name in _MODULES:
            return importlib.import_module(f"fairstats.{_MODULES[name]}")
        if name in _ATTRIBUTES:
            return importlib.import_module(f"fairstats.{name}")
        if name in _METHODS and not _METHODS[name].comparator:
            return _METHODS[name].function
        if name not in _HOME:
            module = name.startswith("_") or importlib.util.find_spec(f"fairstats.{name}")  # a module in an import
            if not module and (hint := _hint(name)):
                raise AttributeError(f"module 'fairstats' has no attribute {name!r}; {hint}")
            raise _missing("fairstats", name, _FORMER, _public())
        value = getattr(importlib.import_module(f"fairstats.{_HOME[name]}"), name)
        if by := _GIVEN_BY.get(name):
            importlib.import_module("fairstats.validation").given_by(value, by)
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return _public()
