"""Methods that show a model the groups while it learns, and hide them when it predicts (Pope & Sydnor 2011)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from fairstats.data.design import Design
from fairstats.data.encoding import Encoding
from fairstats.data.scaling import Scaling
from fairstats.errors import not_installed
from fairstats.methods.pca import pca
from fairstats.methods.results.new_rows import matrix_like


@dataclass(frozen=True)
class WithGroups:
    """Standardized features beside the group indicators Z; ``shown`` makes Z of new rows from their encoded one."""

    scaling: Scaling
    encoding: Encoding
    shown: Callable[[np.ndarray, Encoding], np.ndarray]

    def training(self, design: Design) -> np.ndarray:
        """Features and Z of the rows that a model learns from."""
        return np.hstack([self._rows(design), self._encoded(design)])

    def transform(self, design: Design) -> np.ndarray:
        """Features of new rows, and of Z what is shown."""
        return np.hstack([self._rows(design), self.shown(self._encoded(design), self.encoding)])

    def _rows(self, design: Design) -> np.ndarray:
        rows = np.asarray(matrix_like(self.scaling, design)) - self.scaling.center
        return rows if self.scaling.scale is None else rows / self.scaling.scale

    def _encoded(self, design: Design) -> np.ndarray:
        assert design.groups is not None
        return self.encoding.encode(design.groups)


def _all(Z: np.ndarray, encoding: Encoding) -> np.ndarray:
    return Z


def _mean(Z: np.ndarray, encoding: Encoding) -> np.ndarray:
    """Set Z to its training mean, which is 0 after centering, for everybody."""
    return np.zeros_like(Z)


def _zero(Z: np.ndarray, encoding: Encoding) -> np.ndarray:
    """Set the part of Z in the prediction to 0, as if everybody were a member of the first level."""
    return np.tile(-encoding.center, (len(Z), 1))


SHOWN = {"with_groups": _all, "pope_sydnor": _mean, "pope_sydnor_zero": _zero}


@dataclass(frozen=True)
class GroupsShownInTraining:
    """A method that shows a model the groups in training; calling it makes `WithGroups` of training rows."""

    shown: str
    scale: bool

    def __call__(self, design: Design, k: int) -> WithGroups:
        fit = pca(design, k=1, scale=self.scale)  # for its checked center, scale and encoding
        assert fit.encoding is not None
        return WithGroups(fit.scaling, fit.encoding, SHOWN[self.shown])


@dataclass(frozen=True)
class CorrelationRemoved:
    """fairlearn's CorrelationRemover, fitted to training rows; it regresses features on uncentered indicators."""

    scale: bool
    alpha: float = 1.0

    def __call__(self, design: Design, k: int) -> Any:
        try:
            from fairlearn.preprocessing import CorrelationRemover
        except ImportError:
            raise not_installed("the method correlation_remover", "fairlearn", "compare") from None

        beside = GroupsShownInTraining("with_groups", self.scale)(design, k)
        q = beside.encoding.center.size
        p = len(beside.scaling.features)
        remover = CorrelationRemover(sensitive_feature_ids=list(range(p, p + q)), alpha=self.alpha)
        return _Remover(remover.fit(beside.training(design)), beside)


@dataclass(frozen=True)
class _Remover:
    remover: Any
    beside: WithGroups

    def transform(self, design: Design) -> np.ndarray:
        """The features with their correlation with Z removed."""
        return np.asarray(self.remover.transform(self.beside.training(design)))
