"""fairstats: how a data set or a model treats groups of people, shown and defended.

Names are loaded when first used, so ``import fairstats`` costs next to nothing.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from fairstats.auditing.audit import audit
    from fairstats.cluster.partition import Partition
    from fairstats.cluster.spectral import fair_spectral, spectral
    from fairstats.comparing.compare import compare
    from fairstats.comparing.fairlearn_reductions import reduction
    from fairstats.data import simulate
    from fairstats.data.datasets import arrests
    from fairstats.data.graphs import Graph, graph
    from fairstats.data.groups import continuous
    from fairstats.data.moments import Moments
    from fairstats.data.neighbors import neighbor_graph
    from fairstats.data.sources import read_table
    from fairstats.data.stream import moments
    from fairstats.inference.representations.component_tests import component_tests
    from fairstats.inference.representations.extra_error import extra_error
    from fairstats.inference.representations.group_losses import group_losses
    from fairstats.inference.representations.leakage import leakage
    from fairstats.methods.baselines import location_scale, residualise
    from fairstats.methods.disparity import disparity_path, disparity_pca
    from fairstats.methods.fair_kernel_pca import fair_kernel_pca
    from fairstats.methods.fair_pca import fair_pca
    from fairstats.methods.fpca import fpca
    from fairstats.methods.inlp import inlp, inlp_pca
    from fairstats.methods.leace import leace, leace_pca
    from fairstats.methods.mbf import mbf_pca
    from fairstats.methods.minimax import minimax_pca
    from fairstats.methods.og import og
    from fairstats.methods.pca import pca
    from fairstats.methods.results.eraser import Eraser
    from fairstats.methods.results.group_map import Adjuster
    from fairstats.methods.results.kernel import KernelProjection
    from fairstats.methods.results.projection import Projection
    from fairstats.methods.results.saving import load
    from fairstats.methods.rlace import rlace, rlace_pca
    from fairstats.methods.sog import sog, sog_path
    from fairstats.presets.local_law_144 import local_law_144
    from fairstats.reporting.plot import plot
    from fairstats.reporting.report import report

__version__ = "0.1.0"

_HOME = {
    "Adjuster": "methods.results.group_map",
    "Eraser": "methods.results.eraser",
    "Graph": "data.graphs",
    "KernelProjection": "methods.results.kernel",
    "Moments": "data.moments",
    "Partition": "cluster.partition",
    "Projection": "methods.results.projection",
    "arrests": "data.datasets",
    "audit": "auditing.audit",
    "compare": "comparing.compare",
    "component_tests": "inference.representations.component_tests",
    "continuous": "data.groups",
    "disparity_path": "methods.disparity",
    "disparity_pca": "methods.disparity",
    "extra_error": "inference.representations.extra_error",
    "fair_kernel_pca": "methods.fair_kernel_pca",
    "fair_pca": "methods.fair_pca",
    "fair_spectral": "cluster.spectral",
    "fpca": "methods.fpca",
    "graph": "data.graphs",
    "group_losses": "inference.representations.group_losses",
    "inlp": "methods.inlp",
    "inlp_pca": "methods.inlp",
    "leace": "methods.leace",
    "leace_pca": "methods.leace",
    "leakage": "inference.representations.leakage",
    "load": "methods.results.saving",
    "local_law_144": "presets.local_law_144",
    "location_scale": "methods.baselines",
    "mbf_pca": "methods.mbf",
    "minimax_pca": "methods.minimax",
    "moments": "data.stream",
    "neighbor_graph": "data.neighbors",
    "og": "methods.og",
    "pca": "methods.pca",
    "plot": "reporting.plot",
    "read_table": "data.sources",
    "reduction": "comparing.fairlearn_reductions",
    "report": "reporting.report",
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
