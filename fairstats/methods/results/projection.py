"""Projection: the one result of every linear method, and its verbs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

from fairstats.arguments import one_of
from fairstats.choices import ON_UNKNOWN, OnUnknown
from fairstats.data.alignment import aligned, row_index
from fairstats.data.columns import Columns, is_table
from fairstats.data.design import Design, as_matrix, refuse_nonfinite
from fairstats.data.encoding import Encoding
from fairstats.data.groups import Groups
from fairstats.data.scaling import Scaling
from fairstats.errors import InputError, listing, visible
from fairstats.methods.results.component_fit import ComponentFit
from fairstats.methods.results.describe import summarize
from fairstats.methods.results.fit_parts import Components, LinearMap, Price
from fairstats.methods.results.guarantee import Guarantee
from fairstats.methods.results.heldout import HeldOut


@dataclass(frozen=True, repr=False, kw_only=True)
class Projection(ComponentFit):
    """A linear map to k scores, ``S = ((X − center)/scale) B − Z Λ``, and back, ``X̃ = S Uᵀ``.

    Attributes
    ----------
    method, title : str
        Name of the function that made it, and what it is called in a heading.
    settings : dict
        The arguments, beside the data, with which ``method`` was called.
    scaling : Scaling
        Features, center (p,), scale (p,) or None, n.
    linear : LinearMap
        ``weights`` B (p, k), ``loadings`` U (p, k), ``origin`` (p,), and ``coefficients`` Λ (q, k) and ``group_means``
        (q, p), or None; each is an attribute of the fit as well.
    components : Components
        ``energy`` d_j² (k,) and ``group_share`` R_j² (k,), attributes of the fit as well.
    price : Price
        ``total`` ‖X_c‖², ``error`` ‖X_c − X̃‖² and ``pca_error`` of plain PCA of the same k, attributes of the fit as
        well, and the errors ``by_group``.
    encoding : Encoding or None
        Z, the groups as numbers.
    guarantees : tuple of Guarantee
    notes : tuple of str
    diagnostics : dict
        What the method noted of its work.
    """

    method: str
    title: str
    settings: Mapping[str, Any]
    scaling: Scaling
    linear: LinearMap
    components: Components
    price: Price
    encoding: Encoding | None = None
    guarantees: tuple[Guarantee, ...] = ()
    notes: tuple[str, ...] = ()
    diagnostics: Mapping[str, Any] = field(default_factory=dict)

    @property
    def weights(self) -> np.ndarray:
        """B (p, k): a row's scores are its centered and scaled features times these."""
        return self.linear.weights

    @property
    def loadings(self) -> np.ndarray:
        """U (p, k): scores times Uᵀ reconstruct the centered and scaled features."""
        return self.linear.loadings

    @property
    def origin(self) -> np.ndarray:
        """What is added to a reconstruction (p,), in the units of the data."""
        return self.linear.origin

    @property
    def coefficients(self) -> np.ndarray | None:
        """Λ (q, k), where the scores depend on the group of a row."""
        return self.linear.coefficients

    @property
    def group_means(self) -> np.ndarray | None:
        """M (q, p), where a reconstruction adds the mean of a row's group."""
        return self.linear.group_means

    def transform(self, X: Any, groups: Any = None, *, on_unknown: OnUnknown = "raise") -> np.ndarray:
        """Return scores of new rows.

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
        one_of("on_unknown", on_unknown, ON_UNKNOWN)
        matrix = matrix_like(self.scaling, X)
        B = self.weights if self.scaling.scale is None else self.weights / self.scaling.scale[:, None]
        scores = matrix @ B - self.scaling.center @ B if sparse.issparse(matrix) else (matrix - self.scaling.center) @ B
        if not np.isfinite(scores).all():
            refuse_nonfinite(matrix, self.features)
        if self.coefficients is not None:
            scores = scores - self._encode(X, groups, on_unknown, len(scores)) @ self.coefficients
        return np.asarray(scores)

    def reconstruct(self, X: Any, groups: Any = None, *, on_unknown: OnUnknown = "raise") -> np.ndarray:
        """Return the adjusted data (n × p) in the original units: unscaled, mean added back."""
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
        """Make held-out scores: fitted and transformed inside folds, stratified by group.

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

    def transform_to(self, source: Any, to: Any, *, keep: list[str] | None = None, progress: bool = False) -> Path:
        """Write the scores of files (a path, glob or data set) to the Parquet file ``to``, chunk by chunk."""
        from fairstats.data.stream import transform_files

        return transform_files(self, source, to, keep=keep, progress=progress)

    def summary(self) -> str:
        """Say what was fitted, what it guarantees with the check as a number, and what it costs."""
        return visible(summarize(self, self.price.by_group))

    def augment(self, data: Any, groups: Any = None) -> Any:
        """Return ``data`` with the columns ``.score_1`` … ``.score_k`` added; the same kind of table as given."""
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
        """Return everything but the data, JSON-ready."""
        return {
            "schema": "fairstats/projection/1",
            **self._common(),
            "center": self.scaling.center.tolist(),
            "loadings": self.loadings.tolist(),
            "scale": None if self.scaling.scale is None else self.scaling.scale.tolist(),
            "price": [vars(p) for p in self.price.by_group],
        }

    def _encode(self, X: Any, groups: Any, on_unknown: str, n: int) -> np.ndarray:
        assert self.encoding is not None
        made = groups_like(self.encoding, X, groups, n, f"the scores of {self.method} depend on")
        return self.encoding.encode(made, on_unknown=on_unknown)


def groups_like(encoding: Encoding, X: Any, groups: Any, n: int, what: str) -> Groups:
    """Return the groups of n new rows as a fit knew them, given or columns of X; ``what`` says why they are needed."""
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
    """Return new rows as the matrix (n × p) that a fit knew: through its formula, by column names, or by position."""
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
