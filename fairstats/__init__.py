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
    from fairstats.data.datasets import arrests
    from fairstats.data.groups import continuous
    from fairstats.data.moments import Moments
    from fairstats.data.sources import read_table
    from fairstats.data.stream import moments
    from fairstats.inference.components import component_tests
    from fairstats.inference.extra_error import extra_error
    from fairstats.inference.group_losses import group_losses
    from fairstats.inference.leakage import leakage
    from fairstats.methods.disparity import disparity_path, disparity_pca
    from fairstats.methods.eraser import Eraser
    from fairstats.methods.fair_kernel_pca import fair_kernel_pca
    from fairstats.methods.fair_pca import fair_pca
    from fairstats.methods.fpca import fpca
    from fairstats.methods.kernel import KernelProjection
    from fairstats.methods.leace import leace, leace_pca
    from fairstats.methods.minimax import minimax_pca
    from fairstats.methods.og import og
    from fairstats.methods.pca import pca
    from fairstats.methods.projection import Projection
    from fairstats.methods.sog import sog, sog_path
    from fairstats.methods.store import load
    from fairstats.report.plot import plot
    from fairstats.report.report import report

__version__ = "0.1.0"

_HOME = {
    "Eraser": "methods.eraser",
    "KernelProjection": "methods.kernel",
    "Moments": "data.moments",
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
    "fpca": "methods.fpca",
    "group_losses": "inference.group_losses",
    "leace": "methods.leace",
    "leace_pca": "methods.leace",
    "leakage": "inference.leakage",
    "load": "methods.store",
    "local_law_144": "audit.local_law",
    "minimax_pca": "methods.minimax",
    "moments": "data.stream",
    "og": "methods.og",
    "pca": "methods.pca",
    "plot": "report.plot",
    "read_table": "data.sources",
    "report": "report.report",
    "sog": "methods.sog",
    "sog_path": "methods.sog",
}
__all__ = [
    "Eraser",
    "KernelProjection",
    "Moments",
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
    "fpca",
    "group_losses",
    "leace",
    "leace_pca",
    "leakage",
    "load",
    "local_law_144",
    "minimax_pca",
    "moments",
    "og",
    "pca",
    "plot",
    "read_table",
    "report",
    "sog",
    "sog_path",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'fairstats' has no attribute {name!r}")
    value = getattr(importlib.import_module(f"fairstats.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOME])


class _Package(ModuleType):
    """``fairstats.audit`` is the function, whoever imported the subpackage of that name and whenever."""

    def __setattr__(self, name: str, value: object) -> None:
        if not (name in _HOME and isinstance(value, ModuleType)):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package
