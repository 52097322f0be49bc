"""Kernels of pairs of rows, and the rows as a kernel sees them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NoReturn, overload

import numpy as np

from fairstats.data.centered_view import Scaling
from fairstats.data.design import Design, refuse_unsquarable
from fairstats.data.groups import Encoding
from fairstats.data.tables import like
from fairstats.errors import AbsentError, InputError, snippet
from fairstats.methods.crossfit import (
    OutOfFoldScores,
    assign_folds,
    design_to_refit,
    fits_without,
    matrix_like,
    out_of_fold_scores,
    turn,
)
from fairstats.methods.results import (
    ComponentFit,
    Components,
    Guarantee,
    KernelMap,
    Price,
    features_of,
    of_components,
    rows_of,
)
from fairstats.text import significant

if TYPE_CHECKING:
    from narwhals.typing import IntoDataFrameT


CHUNK = 4096  # rows whose kernel with the basis is held at once

PARAMETERS: dict[str, tuple[str, ...]] = {
    "rbf": ("gamma",),
    "polynomial": ("gamma", "degree", "coef0"),
    "linear": (),
    "sigmoid": ("gamma", "coef0"),
}


def prepared(scaling: Scaling, matrix: Any, shift: np.ndarray | None) -> np.ndarray:
    """Return rows as the kernel sees them: dense, finite, less the shift, standardized where the fit was scaled."""
    dense = matrix.toarray() if hasattr(matrix, "toarray") else matrix
    refuse_unsquarable(dense, scaling.features)
    if scaling.scale is not None:
        return np.asarray((dense - scaling.center) / scaling.scale)
    return np.asarray(dense if shift is None else dense - shift)


def kernel_matrix(name: str, parameters: Mapping[str, float], X: np.ndarray, Y: np.ndarray) -> np.ndarray:
    """Return k(x, y) of all pairs of rows (n × m), as scikit-learn defines the kernels.

    >>> kernel_matrix("polynomial", {"gamma": 1.0, "degree": 2, "coef0": 1.0}, np.eye(2), np.eye(2)).tolist()
    [[4.0, 1.0], [1.0, 4.0]]
    """
    from sklearn.metrics.pairwise import pairwise_kernels

    return np.asarray(pairwise_kernels(X, Y, metric=name, **parameters))


# KernelProjection: a projection whose components are functions of a kernel, and its verbs.


@dataclass(frozen=True, repr=False, kw_only=True)
class KernelProjection(ComponentFit):
    """Scores ``s(x) = k(x, basis) A + b`` from kernels of a row with the rows (or landmarks) of the fit.

    Attributes
    ----------
    method, title : str
        Name of the function that made it, and what it is called in a heading.
    settings : dict
        The arguments, beside the data, with which ``method`` was called.
    scaling : Scaling
        Features, center (p,) and scale (p,) or None: what is done to a row before the kernel sees it.
    kernel_map : KernelMap
        The kernel's ``name`` and ``parameters``, the ``basis`` (m, p), ``coefficients`` A (m, k), ``offset`` b (k,).
    components : Components
        ``energy`` (k,), the sum of squares of each score, and ``group_share`` (k,).
    price : Price
        Sum of squares in feature space, what the k components leave of it, and what kernel PCA would leave.
    encoding, guarantees, notes, diagnostics : as of a Projection
    """

    method: str
    title: str
    settings: Mapping[str, Any]
    scaling: Scaling
    kernel_map: KernelMap
    components: Components
    price: Price
    encoding: Encoding | None = None
    guarantees: tuple[Guarantee, ...] = ()
    notes: tuple[str, ...] = ()
    diagnostics: Mapping[str, Any] = field(default_factory=dict)

    @property
    def kernel(self) -> str:
        """Name of the kernel."""
        return self.kernel_map.name

    @property
    def parameters(self) -> Mapping[str, float]:
        """The parameters that the kernel has."""
        return self.kernel_map.parameters

    @property
    def basis(self) -> np.ndarray:
        """The rows of the fit, or the landmarks (m, p), as the kernel sees them."""
        return self.kernel_map.basis

    @property
    def rotation(self) -> np.ndarray:
        """Raise AbsentError: components are functions of a kernel, and have no loadings."""
        raise AbsentError(
            f"{self.method} has no loadings: its components are functions of a kernel; "
            f"{snippet('fit.transform(X)')} gives the scores of rows, and fair_pca has loadings."
        )

    components_ = rotation

    @overload
    def transform(self, X: IntoDataFrameT, groups: Any = None) -> IntoDataFrameT: ...
    @overload
    def transform(self, X: Mapping[str, Any], groups: Any = None) -> dict[str, np.ndarray]: ...
    @overload
    def transform(self, X: Any, groups: Any = None) -> np.ndarray: ...
    def transform(self, X: Any, groups: Any = None) -> Any:
        """Return scores of new rows (n × k); ``groups`` is not needed and not looked at.

        Parameters
        ----------
        X : array (n, p), sparse matrix or table
            A table is matched by column names; a formula's fit needs a table, and a table comes back.
        """
        return like(X, self._mapped(X), self._scores)

    def _mapped(self, X: Any, groups: Any = None) -> np.ndarray:
        matrix = matrix_like(self.scaling, X)
        scores = np.empty((matrix.shape[0], self.k))
        for i in range(0, len(scores), CHUNK):
            rows = prepared(self.scaling, matrix[i : i + CHUNK], self.kernel_map.shift)
            K = kernel_matrix(self.kernel, self.parameters, rows, self.basis)
            scores[i : i + CHUNK] = K @ self.kernel_map.coefficients + self.kernel_map.offset
        return scores

    def reconstruct(self, X: Any, groups: Any = None) -> NoReturn:
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
    ) -> OutOfFoldScores:
        """Make held-out scores: fitted and transformed inside folds, stratified by group.

        There are no loadings to compare: components of the folds are turned to those of the first by orthogonal
        Procrustes on the scores of all rows. Compare rows of one fold only, as with every projection. A weighted fit
        needs its ``weights`` again.
        """
        design = design_to_refit(self, X, groups, data, weights)
        fold = assign_folds(design, folds, seed)
        root = np.ones((design.n, 1)) if design.weights is None else np.sqrt(design.weights)[:, None]
        counted = fold[root[:, 0] > 0]
        fewest = len(counted) - int(np.bincount(counted).max())
        scores = np.empty((design.n, self.k))
        target: np.ndarray | None = None
        for kept, part in fits_without(self, _settings_for(self.settings, fewest), design, fold):
            result = part._mapped(design)
            target = root * result if target is None else target
            # Where the fit promises something of its first components only, a turn of all would mix the others in.
            cuts = np.cumsum(part.diagnostics.get("blocks", ()))[:-1]
            pairs = zip(*(np.split(S, cuts, axis=1) for S in (result, root * result, target)), strict=True)
            scores[kept] = np.hstack([S[kept] @ turn(current, other) for S, current, other in pairs])
        return out_of_fold_scores(scores, fold, design, seed, self, beside=not isinstance(X, Design))

    def _sizes(self) -> tuple[str, ...]:
        treated = "as they are" if self.scaling.scale is None else "centered and scaled"
        rows = f"{rows_of(self)}, {features_of(self)} ({treated}), {of_components(self.k)}"
        given = "".join(f", {name} {significant(value, 4)}" for name, value in self.parameters.items())
        about = f"{len(self.basis)} basis rows; sums of squares are of its feature space"
        return rows, f"Kernel: {self.kernel}{given}; {about}"

    def to_dict(self) -> dict[str, Any]:
        """Return everything but the rows of the basis, JSON-ready."""
        return {
            "schema": "fairstats/kernel-projection/1",
            **self._common(),
            "kernel": {"name": self.kernel, **self.parameters},
            "basis_rows": len(self.basis),
        }


def _settings_for(settings: Mapping[str, Any], n: int) -> dict[str, Any]:
    """The settings of a fit for fewer rows, of which no more than all can be landmarks."""
    count = settings["n_landmarks"]
    return {**settings, "n_landmarks": None if count is None else min(count, n)}
