"""GroupMap: a map of the features onto themselves that depends on the group of a row, and its verbs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, overload

import numpy as np

from fairstats.arguments import one_of
from fairstats.choices import ON_UNKNOWN, OnUnknown
from fairstats.data.encoding import Encoding
from fairstats.data.matrices import refuse_nonfinite
from fairstats.data.returned import like
from fairstats.data.scaling import Scaling
from fairstats.methods.results.feature_map import FeatureMap
from fairstats.methods.results.guarantee import Guarantee
from fairstats.methods.results.new_rows import groups_like, matrix_like
from fairstats.text import number

if TYPE_CHECKING:
    from narwhals.typing import IntoDataFrameT


@dataclass(frozen=True, repr=False, kw_only=True)
class GroupMap(FeatureMap):
    """The map ``x → m + F_g (x − z M − o − m)``: the groups' shifts taken out, and perhaps their spreads made equal.

    m is the mean μ or, where features are protected, what these say of the others: ``μ + (x_P − μ_P) slopes``.

    Attributes
    ----------
    scaling : Scaling
        Features, center μ (p,), n.
    encoding, coefficients : Encoding, array (q, p)
        Z and M, the regression of the features on it.
    factors : dict
        Level → F_g, where the method changes spreads: an array (p,) of factors, or (p, p) where it changes
        covariances; empty otherwise.
    protected, slopes, offset : tuple of str, array (r, p) or None, array (p,) or None
        Features that stay as they are, the regression on them within groups, and o, where there are any.
    share : array (p,)
        R² of each feature on the groups, before.
    total, error : float
        ‖X_c‖² and ‖X − adjusted X‖².
    """

    method: str
    title: str
    scaling: Scaling
    encoding: Encoding
    coefficients: np.ndarray
    share: np.ndarray
    total: float
    error: float
    factors: Mapping[str, np.ndarray] = field(default_factory=dict)
    protected: tuple[str, ...] = ()
    slopes: np.ndarray | None = None
    offset: np.ndarray | None = None
    guarantees: tuple[Guarantee, ...] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    schema: ClassVar[str] = "fairstats/group-map/1"
    effect: ClassVar[str] = "regression of the feature on the groups, before (descriptive)"

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
        """Return the adjusted rows (n × p), in the units of the data.

        Parameters
        ----------
        X : array (n, p) or table
            A table is matched by column names; a formula's fit needs a table, and a table comes back.
        groups : as in the fit
            Needed, unless X is a table that has the columns.
        on_unknown : {"raise", "mean"}
            A group level that the fit has not seen is an error, or left as it is.
        """
        return like(X, self._mapped(X, groups, on_unknown), self.features)

    def _mapped(self, X: Any, groups: Any = None, on_unknown: OnUnknown = "raise") -> np.ndarray:
        one_of("on_unknown", on_unknown, ON_UNKNOWN)
        matrix = matrix_like(self.scaling, X)
        rows = matrix.toarray() if hasattr(matrix, "toarray") else np.asarray(matrix, dtype=float)
        if not np.isfinite(rows).all():
            refuse_nonfinite(rows, self.features)
        made = groups_like(self.encoding, X, groups, len(rows), f"what {self.method} takes out depends on")
        if not self.factors:
            return np.asarray(rows - self.encoding.encode(made, on_unknown=on_unknown) @ self.coefficients)
        middle = self.scaling.center + np.zeros_like(rows) if self.slopes is not None else self.scaling.center
        if self.slopes is not None:
            held = [self.features.index(name) for name in self.protected]
            middle += (rows[:, held] - self.scaling.center[held]) @ self.slopes
        out = rows - self.encoding.encode(made, on_unknown=on_unknown) @ self.coefficients - middle
        codes, cells = made.cells
        for code, cell in enumerate(cells):
            level = ":".join(cell)
            if level not in self.factors:  # one that the fit has not seen: left as it is
                continue
            inside = codes == code
            if self.offset is not None:
                out[inside] -= self.offset
            factor = self.factors[level]
            out[inside] = out[inside] @ factor if factor.ndim == 2 else factor * out[inside]
        return np.asarray(middle + out)

    def _effects(self) -> Iterator[tuple[str, float]]:
        yield from zip(self.features, self.share, strict=True)

    def _table(self) -> list[str]:
        order = np.argsort(-self.share, kind="stable")[:8]
        return [
            f"{'feature':<40}   % explained by groups before",
            *(f"{self.features[j][:40]:<40}   {number(100 * self.share[j], 2):>28}" for j in order),
            *([f"... and {len(self.features) - 8} more; all in tidy()"] if len(self.features) > 8 else []),
        ]

    def _own(self) -> dict[str, Any]:
        return {
            "coefficients": self.coefficients.tolist(),
            "factors": {level: values.tolist() for level, values in self.factors.items()},
            "protected": list(self.protected),
            "slopes": None if self.slopes is None else self.slopes.tolist(),
            "offset": None if self.offset is None else self.offset.tolist(),
        }
