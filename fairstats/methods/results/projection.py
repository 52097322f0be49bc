"""Projection: the one result of every linear method, and its verbs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args, overload

import numpy as np
from scipy import sparse

from fairstats.arguments import one_of
from fairstats.choices import ON_UNKNOWN, OnUnknown
from fairstats.data.columns import Columns
from fairstats.data.encoding import Encoding
from fairstats.data.matrices import refuse_nonfinite
from fairstats.data.returned import like
from fairstats.data.scaling import Scaling
from fairstats.errors import InputError, visible
from fairstats.methods.results.component_fit import ComponentFit
from fairstats.methods.results.describe import summarize
from fairstats.methods.results.fit_parts import Components, LinearMap, Price
from fairstats.methods.results.guarantee import Guarantee
from fairstats.methods.results.heldout import HeldOut
from fairstats.methods.results.new_rows import groups_like, matrix_like
from fairstats.naming import answering

if TYPE_CHECKING:
    import pandas as pd
    from narwhals.typing import IntoDataFrameT

Tidy = Literal["estimates", "loadings"]


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

    @property
    def rotation(self) -> np.ndarray:
        """The loadings (p, k) under the name that R's ``prcomp`` has for them."""
        return self.loadings

    @property
    def components_(self) -> np.ndarray:
        """The loadings as rows (k, p), as scikit-learn's decompositions have them."""
        return self.loadings.T

    @overload
    def transform(
        self, X: IntoDataFrameT, groups: Any = None, *, on_unknown: OnUnknown = "raise"
    ) -> IntoDataFrameT: ...
    @overload
    def transform(
        self, X: Mapping[str, Any], groups: Any = None, *, on_unknown: OnUnknown = "raise"
    ) -> dict[str, np.ndarray]: ...
    @overload
    def transform(self, X: Any, groups: Any = None, *, on_unknown: OnUnknown = "raise") -> np.ndarray: ...
    def transform(self, X: Any, groups: Any = None, *, on_unknown: OnUnknown = "raise") -> Any:
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
        array (n, k), or the kind of table that X is
            A table's columns are ``score_1`` … ``score_k``, its rows are named as those of X.
        """
        return like(X, self._mapped(X, groups, on_unknown), self._scores)

    def _mapped(self, X: Any, groups: Any = None, on_unknown: OnUnknown = "raise") -> np.ndarray:
        one_of("on_unknown", on_unknown, ON_UNKNOWN)
        matrix = matrix_like(self.scaling, X)
        B = self.weights if self.scaling.scale is None else self.weights / self.scaling.scale[:, None]
        scores = matrix @ B - self.scaling.center @ B if sparse.issparse(matrix) else (matrix - self.scaling.center) @ B
        if not np.isfinite(scores).all():
            refuse_nonfinite(matrix, self.features)
        if self.coefficients is not None:
            scores = scores - self._encode(X, groups, on_unknown, len(scores)) @ self.coefficients
        return np.asarray(scores)

    @overload
    def reconstruct(
        self, X: IntoDataFrameT, groups: Any = None, *, on_unknown: OnUnknown = "raise"
    ) -> IntoDataFrameT: ...
    @overload
    def reconstruct(
        self, X: Mapping[str, Any], groups: Any = None, *, on_unknown: OnUnknown = "raise"
    ) -> dict[str, np.ndarray]: ...
    @overload
    def reconstruct(self, X: Any, groups: Any = None, *, on_unknown: OnUnknown = "raise") -> np.ndarray: ...
    def reconstruct(self, X: Any, groups: Any = None, *, on_unknown: OnUnknown = "raise") -> Any:
        """Return the adjusted data (n × p) in the original units: unscaled, mean added back.

        An array, or the kind of table that X is, with the names of the features.
        """
        return like(X, self._rebuilt(X, groups, on_unknown), self.features)

    def _rebuilt(self, X: Any, groups: Any, on_unknown: OnUnknown) -> np.ndarray:
        adjusted = self._mapped(X, groups, on_unknown) @ self.loadings.T
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

    @answering
    def tidy(self, table: Tidy = "estimates", **where: object) -> pd.DataFrame:  # type: ignore[override]  # no column is called table
        """Return a tidy table as a pandas frame.

        Parameters
        ----------
        table : {"estimates", "loadings"}
            ``estimates`` with the columns of the glossary; or one row a feature and component, with its loading.
        **where
            Column and value, to choose rows of ``estimates`` as `Estimates.where` does.

        Returns
        -------
        pandas.DataFrame
            Of loadings: ``feature``, ``component`` (from 1), ``loading``.
        """
        if one_of("table", table, get_args(Tidy)) == "estimates":
            return super().tidy(**where)
        if where:
            raise InputError(f"{next(iter(where))} chooses estimates; the loadings have none; leave it out.")
        import pandas as pd

        p, k = self.loadings.shape
        feature, component = np.repeat(list(self.features), k), np.tile(np.arange(1, k + 1), p)
        return pd.DataFrame({"feature": feature, "component": component, "loading": self.loadings.ravel()})

    def summary(self) -> str:
        """Say what was fitted, what it guarantees with the check as a number, and what it costs."""
        return visible(summarize(self, self.price.by_group))

    def augment(self, data: Any, groups: Any = None) -> Any:
        """Return ``data`` with the columns ``.score_1`` … ``.score_k`` added; the same kind of table as given."""
        import narwhals as nw

        table = Columns(data)
        scores = self._mapped(data, groups)
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
