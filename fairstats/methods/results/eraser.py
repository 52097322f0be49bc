"""Eraser: an affine map of the features onto themselves that takes a concept out, and its verbs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, overload

import numpy as np

from fairstats.data.encoding import Encoding
from fairstats.data.matrices import refuse_nonfinite
from fairstats.data.returned import like
from fairstats.data.scaling import Scaling
from fairstats.methods.results.feature_map import FeatureMap
from fairstats.methods.results.guarantee import Guarantee
from fairstats.methods.results.new_rows import matrix_like
from fairstats.text import number

if TYPE_CHECKING:
    from narwhals.typing import IntoDataFrameT


@dataclass(frozen=True, repr=False, kw_only=True)
class Eraser(FeatureMap):
    """The map ``r(x) = x − left · right · (x − μ)``, kept as its p × r and r × p factors.

    ``right · left`` is the identity, so that I − left · right is an oblique projector and r(r(x)) = r(x).

    Attributes
    ----------
    scaling : Scaling
        Features, center μ (p,), scale (p,) or None, n.
    left, right : arrays (p, r), (r, p)
        In scaled units where the fit was scaled.
    canonical : array (r,)
        Squared canonical correlations between the features and the groups, largest first: what a linear predictor of
        the groups can reach along each erased direction.
    total, error : float
        ‖X_c‖² and ‖X − r(X)‖², in the units of the factors.
    """

    method: str
    title: str
    scaling: Scaling
    left: np.ndarray
    right: np.ndarray
    canonical: np.ndarray
    total: float
    error: float
    encoding: Encoding
    guarantees: tuple[Guarantee, ...] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    schema: ClassVar[str] = "fairstats/eraser/1"
    effect: ClassVar[str] = "squared canonical correlation of features and groups, before erasing (descriptive)"

    @property
    def rank(self) -> int:
        """Number of directions taken out."""
        return len(self.canonical)

    @property
    def matrix(self) -> np.ndarray:
        """I − left · right (p × p), in original units: r(x) − μ = (x − μ) times its transpose."""
        sd = np.ones(len(self.features)) if self.scaling.scale is None else self.scaling.scale
        return np.eye(len(sd)) - (sd[:, None] * self.left) @ (self.right / sd)

    @overload
    def transform(self, X: IntoDataFrameT, groups: Any = None) -> IntoDataFrameT: ...
    @overload
    def transform(self, X: Mapping[str, Any], groups: Any = None) -> dict[str, np.ndarray]: ...
    @overload
    def transform(self, X: Any, groups: Any = None) -> np.ndarray: ...
    def transform(self, X: Any, groups: Any = None) -> Any:
        """Return the adjusted rows (n × p) in original units; ``groups`` is not needed and not looked at.

        Parameters
        ----------
        X : array (n, p), sparse matrix or table
            A table is matched by column names; a formula's fit needs a table, and a table comes back.
        """
        return like(X, self._mapped(X), self.features)

    def _mapped(self, X: Any, groups: Any = None) -> np.ndarray:
        matrix = matrix_like(self.scaling, X)
        rows = matrix.toarray() if hasattr(matrix, "toarray") else np.asarray(matrix)
        if not np.isfinite(rows).all():
            refuse_nonfinite(rows, self.features)
        sd = self.scaling.scale
        part = ((rows - self.scaling.center) @ (self.right if sd is None else self.right / sd).T) @ self.left.T
        return np.asarray(rows - (part if sd is None else part * sd))

    def _effects(self) -> Iterator[tuple[str, float]]:
        yield from ((f"direction {j + 1}", float(value)) for j, value in enumerate(self.canonical))

    def _size(self) -> dict[str, Any]:
        return {"rank": self.rank}

    def _table(self) -> list[str]:
        rows = (f"{j + 1:>9}   {number(100 * value, 2):>28}" for j, value in enumerate(self.canonical))
        return ["direction   % explained by groups before", *rows]

    def _own(self) -> dict[str, Any]:
        return {
            "scale": None if self.scaling.scale is None else self.scaling.scale.tolist(),
            "left": self.left.tolist(),
            "right": self.right.tolist(),
            "canonical": self.canonical.tolist(),
        }
