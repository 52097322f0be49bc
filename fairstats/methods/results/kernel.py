"""KernelProjection: a projection whose components are functions of a kernel, and its verbs."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from fairstats.data.encoding import Encoding
from fairstats.data.scaling import Scaling
from fairstats.errors import InputError, visible
from fairstats.estimates import Estimates
from fairstats.methods.results.crossfit import assign_folds, design_to_refit, fits_without, held_out, turn
from fairstats.methods.results.describe import WIDTH, brief, glance_row, summarize, tidy_rows
from fairstats.methods.results.guarantee import Guarantee
from fairstats.methods.results.heldout import HeldOut
from fairstats.methods.results.projection import matrix_like
from fairstats.methods.solvers.kernels import CHUNK, kernel_matrix, prepared
from fairstats.results import Reads

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, repr=False, kw_only=True)
class KernelProjection(Reads):
    """Scores ``s(x) = k(x, basis) A + b`` from kernels of a row with the rows (or landmarks) of the fit.

    Attributes
    ----------
    scaling : Scaling
        Features, center (p,) and scale (p,) or None: what is done to a row before the kernel sees it.
    kernel, parameters : str, dict
        Its name and the parameters that it has.
    basis : array (m, p)
        The rows of the fit, or the landmarks, as the kernel sees them: less ``shift`` or standardized.
    coefficients, offset : array (m, k), array (k,)
        A and b; the centering in feature space is part of them.
    energy : array (k,)
        Sum of squares of each score.
    total, error, pca_error : float
        Sum of squares in feature space, what the k components leave of it, and what kernel PCA would leave.
    """

    method: str
    title: str
    scaling: Scaling
    kernel: str
    parameters: Mapping[str, float]
    basis: np.ndarray
    coefficients: np.ndarray
    offset: np.ndarray
    energy: np.ndarray
    group_share: np.ndarray
    total: float
    error: float
    pca_error: float
    encoding: Encoding | None = None
    guarantees: tuple[Guarantee, ...] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    diagnostics: Mapping[str, Any] = field(default_factory=dict)
    shift: np.ndarray | None = None  # (p,) subtracted from rows before the kernel; fits of old files have none

    @property
    def k(self) -> int:
        """Number of components."""
        return len(self.energy)

    @property
    def features(self) -> tuple[str, ...]:
        """Names of the p features."""
        return self.scaling.features

    @property
    def extra_error(self) -> float:
        """What the condition costs in feature space, against kernel PCA of the same k."""
        return self.error - self.pca_error

    def transform(self, X: Any, groups: Any = None) -> np.ndarray:
        """Scores of new rows (n × k); ``groups`` is not needed and not looked at.

        Parameters
        ----------
        X : array (n, p), sparse matrix or table
            A table is matched by column names; a formula's fit needs a table.
        """
        matrix = matrix_like(self.scaling, X)
        scores = np.empty((matrix.shape[0], self.k))
        for i in range(0, len(scores), CHUNK):
            rows = prepared(self.scaling, matrix[i : i + CHUNK], self.shift)
            K = kernel_matrix(self.kernel, self.parameters, rows, self.basis)
            scores[i : i + CHUNK] = K @ self.coefficients + self.offset
        return scores

    def reconstruct(self, X: Any, groups: Any = None) -> np.ndarray:
        """Raise InputError: a point of a kernel's feature space has, in general, no row of data that maps to it."""
        raise InputError(
            f"reconstruct is not defined for {self.method}: components live in the kernel's feature space, and points "
            "there have no pre-image among rows of data. Use transform, or fair_pca for adjusted data."
        )

    def crossfit(
        self,
        X: Any,
        groups: Any = None,
        *,
        data: Any = None,
        weights: Any = None,
        folds: int | Any = 2,
        seed: int = 0,
    ) -> HeldOut:
        """Held-out scores: fitted and transformed inside folds, stratified by group.

        There are no loadings to compare: components of the folds are turned to those of the first by orthogonal
        Procrustes on the scores of all rows. Compare rows of one fold only, as with every projection. A weighted fit
        needs its ``weights`` again.
        """
        design = design_to_refit(self.scaling, X, groups, data, weights)
        fold = assign_folds(design, folds, seed)
        root = np.ones((design.n, 1)) if design.weights is None else np.sqrt(design.weights)[:, None]
        counted = fold[root[:, 0] > 0]
        fewest = len(counted) - int(np.bincount(counted).max())
        scores = np.empty((design.n, self.k))
        target: np.ndarray | None = None
        for held, part in fits_without(self, _settings_for(self.settings, fewest), design, fold):
            made = part.transform(design)
            target = root * made if target is None else target
            scores[held] = made[held] @ turn(root * made, target)
        return held_out(scores, fold, design, self.method, seed)

    @cached_property
    def estimates(self) -> Estimates:
        """One row a component and number: share of variation, share explained by the groups, price."""
        return tidy_rows(self)

    def glance(self) -> pd.DataFrame:
        """One row about the fit."""
        return glance_row(self)

    def summary(self) -> str:
        """What was fitted, what it guarantees with the check as a number, and what it costs."""
        title, _, *rest = summarize(self).split("\n")
        treated = "as they are" if self.scaling.scale is None else "centered and scaled"
        rows = f"{self.scaling.n} rows, {len(self.features)} features ({treated}), {self.k} components"
        given = "".join(f", {name} {value:.4g}" for name, value in self.parameters.items())
        kernel = f"Kernel: {self.kernel}{given}; {len(self.basis)} basis rows; sums of squares are of its feature space"
        return visible("\n".join([title, rows, *textwrap.wrap(kernel, WIDTH, subsequent_indent="  "), *rest]))

    def _brief(self) -> str:
        return brief(self)

    def to_dict(self) -> dict[str, Any]:
        """Everything but the rows of the basis, JSON-ready."""
        return {
            "schema": "fairstats/kernel-projection/1",
            "method": self.method,
            "title": self.title,
            "k": self.k,
            "n": self.scaling.n,
            "features": list(self.features),
            "kernel": {"name": self.kernel, **self.parameters},
            "basis_rows": len(self.basis),
            "settings": dict(self.settings),
            "energy": self.energy.tolist(),
            "total": self.total,
            "error": self.error,
            "pca_error": self.pca_error,
            "guarantees": [g.to_dict() for g in self.guarantees],
            "estimates": self.estimates.to_records(),
            "notes": list(self.notes),
        }


def _settings_for(settings: Mapping[str, Any], n: int) -> dict[str, Any]:
    """The settings of a fit for fewer rows, of which no more than all can be landmarks."""
    count = settings["landmarks"]
    return {**settings, "landmarks": None if count is None else min(count, n)}
