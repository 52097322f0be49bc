"""Projection: the one result of every linear method, and its verbs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

from fairstats.data.alignment import aligned, row_index
from fairstats.data.columns import Columns, is_table
from fairstats.data.design import Design, as_matrix, refuse_nonfinite
from fairstats.data.encoding import Encoding
from fairstats.data.groups import Groups
from fairstats.data.scaling import Scaling
from fairstats.errors import InputError, listing, visible
from fairstats.estimates import Estimates
from fairstats.methods.results.describe import brief, glance_row, summarize, tidy_rows
from fairstats.methods.results.guarantee import Guarantee
from fairstats.methods.results.heldout import HeldOut
from fairstats.results import Reads

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, repr=False, kw_only=True)
class Projection(Reads):
    """A linear map to k scores, ``S = ((X − center)/scale) B − Z Λ``, and back, ``X̃ = S Uᵀ``.

    Attributes
    ----------
    method : str
        Name of the function that made it.
    scaling : Scaling
        Features, center (p,), scale (p,) or None, n.
    weights : array (p, k)
        B; equal to the loadings where those are orthonormal.
    loadings : array (p, k)
        U.
    energy : array (k,)
        Squared length of each component before the groups' part is removed (d_j²).
    group_share : array (k,)
        R_j²: the share of each component that the groups explain; NaN where no groups were given.
    total, error, pca_error : float
        ‖X_c‖², ‖X_c − X̃‖² and the same for plain PCA of the same k: the price is the difference of the last two.
    encoding, coefficients : Encoding, array (q, k), or None
        Z and Λ, for methods whose scores depend on the group of a row.
    guarantees : tuple of Guarantee
    settings : dict
        The arguments, beside the data, with which ``method`` was called.
    """

    method: str
    title: str
    scaling: Scaling
    weights: np.ndarray
    loadings: np.ndarray
    energy: np.ndarray
    group_share: np.ndarray
    total: float
    error: float
    pca_error: float
    origin: np.ndarray
    encoding: Encoding | None = None
    coefficients: np.ndarray | None = None
    guarantees: tuple[Guarantee, ...] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)
    spectrum: np.ndarray | None = None
    notes: tuple[str, ...] = ()
    group_means: np.ndarray | None = None  # (q, p): what reconstruct adds for a row's group, Z M
    diagnostics: Mapping[str, Any] = field(default_factory=dict)
    price: tuple[Any, ...] = ()  # GroupPrice by level, where the data told it

    @property
    def k(self) -> int:
        """Number of components."""
        return int(self.weights.shape[1])

    @property
    def features(self) -> tuple[str, ...]:
        """Names of the p features."""
        return self.scaling.features

    @property
    def singular_values(self) -> np.ndarray:
        """Lengths of the components (k,)."""
        return np.sqrt(self.energy)

    @property
    def extra_error(self) -> float:
        """What the method's condition costs: ‖X_c − X̃‖² minus that of PCA of the same k."""
        return self.error - self.pca_error

    def transform(self, X: Any, groups: Any = None, *, on_unknown: str = "raise") -> np.ndarray:
        """Scores of new rows.

        Parameters
        ----------
        X : array (n, p), sparse matrix or table
            A table is matched by column names; a formula's fit needs a table.
        groups : as in the fit
            Needed where the scores depend on the group (``coefficients`` is not None).
        on_unknown : {"raise", "mean"}
            A group level that the fit has not seen is an error, or treated as average.

        Returns
        -------
        array (n, k)
        """
        matrix = matrix_like(self.scaling, X)
        B = self.weights if self.scaling.scale is None else self.weights / self.scaling.scale[:, None]
        scores = matrix @ B - self.scaling.center @ B if sparse.issparse(matrix) else (matrix - self.scaling.center) @ B
        if not np.isfinite(scores).all():
            refuse_nonfinite(matrix, self.features)
        if self.coefficients is not None:
            scores = scores - self._encode(X, groups, on_unknown, len(scores)) @ self.coefficients
        return np.asarray(scores)

    def reconstruct(self, X: Any, groups: Any = None, *, on_unknown: str = "raise") -> np.ndarray:
        """The adjusted data (n × p) in the original units: unscaled, mean added back."""
        adjusted = self.transform(X, groups, on_unknown=on_unknown) @ self.loadings.T
        if self.group_means is not None:
            adjusted = adjusted + self._encode(X, groups, on_unknown, len(adjusted)) @ self.group_means
        return (adjusted if self.scaling.scale is None else adjusted * self.scaling.scale) + self.origin

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

        Components of the folds are turned to those of the first fold (orthogonal Procrustes on the loadings), so that
        component j means the same in all. ``folds`` is a number, or the fold of each row. Compare rows of one fold
        only: across folds the fits have seen each other's rows, and noise shows up as its mirror image. Hence two
        folds, the largest parts in which rows share a fit that saw none of them.

        A weighted fit needs its ``weights`` again, and an unweighted one takes none; rows of weight 0 are scored, and
        count for nothing else. With a trade-off the fair and the other components are turned separately. Where a
        fold's minimax solution has fewer components than another's, its span is turned within the larger one.
        """
        from fairstats.methods.results.crossfit import crossfit

        return crossfit(self, X, groups, data, weights, folds, seed)

    def transform_to(self, source: Any, to: Any, *, keep: list[str] | None = None, progress: bool = False) -> Any:
        """Scores of files (a path, glob or data set) written to the Parquet file ``to``, chunk by chunk."""
        from fairstats.data.stream import transform_files

        return transform_files(self, source, to, keep=keep, progress=progress)

    @cached_property
    def estimates(self) -> Estimates:
        """One row a component and number: share of variation, share explained by the groups with its F-test, price."""
        return tidy_rows(self)

    def glance(self) -> pd.DataFrame:
        """One row about the fit."""
        return glance_row(self)

    def summary(self) -> str:
        """What was fitted, what it guarantees with the check as a number, and what it costs."""
        return visible(summarize(self, self.price))

    def _brief(self) -> str:
        return brief(self)

    def augment(self, data: Any, groups: Any = None) -> Any:
        """``data`` with the columns ``.score_1`` … ``.score_k`` added; the same kind of table as given."""
        import narwhals as nw

        table = Columns(data)
        scores = self.transform(data, groups)
        frame = nw.from_native(table._frame, eager_only=True)
        made = [
            nw.new_series(f".score_{j + 1}", scores[:, j].tolist(), backend=nw.get_native_namespace(frame))
            for j in range(self.k)
        ]
        native = data if hasattr(data, "iloc") else frame.to_native()  # pandas: names of columns as they were
        if hasattr(native, "index"):  # pandas aligns on the index, which may be anything
            return native.assign(**{f".score_{j + 1}": scores[:, j] for j in range(self.k)})
        return frame.with_columns(*made).to_native()

    def to_dict(self) -> dict[str, Any]:
        """Everything but the data, JSON-ready."""
        return {
            "schema": "fairstats/projection/1",
            "method": self.method,
            "title": self.title,
            "k": self.k,
            "n": self.scaling.n,
            "features": list(self.features),
            "settings": dict(self.settings),
            "center": self.scaling.center.tolist(),
            "loadings": self.loadings.tolist(),
            "scale": None if self.scaling.scale is None else self.scaling.scale.tolist(),
            "energy": self.energy.tolist(),
            "total": self.total,
            "error": self.error,
            "pca_error": self.pca_error,
            "price": [vars(p) for p in self.price],
            "guarantees": [g.to_dict() for g in self.guarantees],
            "estimates": self.estimates.to_records(),
            "notes": list(self.notes),
        }

    def _encode(self, X: Any, groups: Any, on_unknown: str, n: int) -> np.ndarray:
        assert self.encoding is not None
        made = groups_like(self.encoding, X, groups, n, f"the scores of {self.method} depend on")
        return self.encoding.encode(made, on_unknown=on_unknown)


def groups_like(encoding: Encoding, X: Any, groups: Any, n: int, what: str) -> Groups:
    """The groups of n new rows as a fit knew them: as given, or columns of X; ``what`` says why they are needed."""
    if groups is None and isinstance(X, Design):
        groups = X.groups
    if groups is None and is_table(X):
        groups = [*encoding.names, *encoding.continuous_names]
    if groups is None:
        names = listing((*encoding.names, *encoding.continuous_names))
        raise InputError(f"groups is missing; {what} the group of a row ({names}).")
    index = X.index if isinstance(X, Design) else row_index(X)
    groups = aligned(groups, index, "groups")
    made = Groups.of(encoding.ask(groups), X if is_table(X) else None, missing="level", at_least=1, index=index)
    if made.n != n:
        raise InputError(f"groups has {made.n} values and X has {n} rows; give one a row.")
    return made


def matrix_like(scaling: Scaling, X: Any) -> Any:
    """New rows as the matrix (n × p) that a fit knew: through its formula, by column names, or by position."""
    if isinstance(X, Design):
        return X.X
    if scaling.formula is not None:
        if not is_table(X):
            raise InputError(
                "X must be a table here, since the fit came from a formula; pass one with the columns "
                f"{listing(scaling.formula.variables)}."
            )
        return scaling.formula.matrix(Columns(X, "X"))
    if is_table(X):
        columns = Columns(X, "X")
        lost = [f for f in scaling.features if f not in columns]
        if not scaling.named:  # the fit's names are made up, and are no names of a table's columns
            if len(columns.names) != len(scaling.features):
                raise InputError(
                    f"X has {len(columns.names)} columns and the fit {len(scaling.features)}, which came from an array "
                    "without names; give the same features in the same order, without further columns."
                )
            return columns.matrix(columns.names, "X")
        if lost:
            raise InputError(f"X lacks the columns {listing(lost)} that the fit used; add them, or refit without them.")
        return columns.matrix(scaling.features, "X")
    matrix = as_matrix(X)
    if matrix.shape[1] != len(scaling.features):
        raise InputError(
            f"X has {matrix.shape[1]} columns and the fit {len(scaling.features)}; give the same features in the "
            "same order, or a table with their names."
        )
    return matrix
