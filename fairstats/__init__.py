"""fairstats: how a data set or a model treats groups of people, shown and defended.

Names are loaded when first used, so ``import fairstats`` costs next to nothing.
"""

from __future__ import annotations

import importlib
import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fairstats.audit.audit import audit
    from fairstats.audit.compare import compare
    from fairstats.audit.local_law import local_law_144
    from fairstats.audit.reductions import reduction
    from fairstats.cluster.partition import Partition
    from fairstats.cluster.spectral import fair_spectral, spectral
    from fairstats.data import simulate
    from fairstats.data.datasets import arrests
    from fairstats.data.graphs import Graph, graph
    from fairstats.data.groups import continuous
    from fairstats.data.moments import Moments
    from fairstats.data.neighbors import neighbor_graph
    from fairstats.data.sources import read_table
    from fairstats.data.stream import moments
    from fairstats.inference.components import component_tests
    from fairstats.inference.extra_error import extra_error
    from fairstats.inference.group_losses import group_losses
    from fairstats.inference.leakage import leakage
    from fairstats.methods.adjuster import Adjuster
    from fairstats.methods.baselines import location_scale, residualise
    from fairstats.methods.disparity import disparity_path, disparity_pca
    from fairstats.methods.eraser import Eraser
    from fairstats.methods.fair_kernel_pca import fair_kernel_pca
    from fairstats.methods.fair_pca import fair_pca
    from fairstats.methods.fpca import fpca
    from fairstats.methods.inlp import inlp, inlp_pca
    from fairstats.methods.kernel import KernelProjection
    from fairstats.methods.leace import leace, leace_pca
    from fairstats.methods.mbf import mbf_pca
    from fairstats.methods.minimax import minimax_pca
    from fairstats.methods.og import og
    from fairstats.methods.pca import pca
    from fairstats.methods.projection import Projection
    from fairstats.methods.rlace import rlace, rlace_pca
    from fairstats.methods.sog import sog, sog_path
    from fairstats.methods.store import load
    from fairstats.report.plot import plot
    from fairstats.report.report import report

__version__ = "0.1.0"

_HOME = {
    "Adjuster": "methods.adjuster",
    "Eraser": "methods.eraser",
    "Graph": "data.graphs",
    "KernelProjection": "methods.kernel",
    "Moments": "data.moments",
    "Partition": "cluster.partition",
    "Projection": "methods.projection",
    "arrests": "data.datasets",
    "audit": "audit.audit",
    "compare": "audit.compare",
    "component_tests": "inference.components",
    "continuous": "data.groups",
    "disparity_path": "methods.disparity",
    "disparity_pca": "methods.disparity",
    "extra_error": "inference.extra_error",
    "fair_kernel_pca": "methods.fair_kernel_pca",
    "fair_pca": "methods.fair_pca",
    "fair_spectral": "cluster.spectral",
    "fpca": "methods.fpca",
    "graph": "data.graphs",
    "group_losses": "inference.group_losses",
    "inlp": "methods.inlp",
    "inlp_pca": "methods.inlp",
    "leace": "methods.leace",
    "leace_pca": "methods.leace",
    "leakage": "inference.leakage",
    "load": "methods.store",
    "local_law_144": "audit.local_law",
    "location_scale": "methods.baselines",
    "mbf_pca": "methods.mbf",
    "minimax_pca": "methods.minimax",
    "moments": "data.stream",
    "neighbor_graph": "data.neighbors",
    "og": "methods.og",
    "pca": "methods.pca",
    "plot": "report.plot",
    "read_table": "data.sources",
    "reduction": "audit.reductions",
    "report": "report.report",
    "residualise": "methods.baselines",
    "rlace": "methods.rlace",
    "rlace_pca": "methods.rlace",
    "sog": "methods.sog",
    "sog_path": "methods.sog",
    "spectral": "cluster.spectral",
}
# Modules that are public as such.
_MODULES = {"simulate": "data.simulate"}
__all__ = [
    "Adjuster",
    "Eraser",
    "Graph",
    "KernelProjection",
    "Moments",
    "Partition",
    "Projection",
    "arrests",
    "audit",
    "compare",
    "component_tests",
    "continuous",
    "disparity_path",
    "disparity_pca",
    "extra_error",
    "fair_kernel_pca",
    "fair_pca",
    "fair_spectral",
    "fpca",
    "graph",
    "group_losses",
    "inlp",
    "inlp_pca",
    "leace",
    "leace_pca",
    "leakage",
    "load",
    "local_law_144",
    "location_scale",
    "mbf_pca",
    "minimax_pca",
    "moments",
    "neighbor_graph",
    "og",
    "pca",
    "plot",
    "read_table",
    "reduction",
    "report",
    "residualise",
    "rlace",
    "rlace_pca",
    "simulate",
    "sog",
    "sog_path",
    "spectral",
]


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return importlib.import_module(f"fairstats.{_MODULES[name]}")
    if name not in _HOME:
        raise AttributeError(f"module 'fairstats' has no attribute {name!r}")
    value = getattr(importlib.import_module(f"fairstats.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOME, *_MODULES])


class _Package(ModuleType):
    """``fairstats.audit`` is the function, whoever imported the subpackage of that name and whenever."""

    def __setattr__(self, name: str, value: object) -> None:
        if not (name in _HOME and isinstance(value, ModuleType)):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package
