"""The base of maps of the features onto themselves: held-out rows, tables, words, files."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, overload

import numpy as np

from fairstats.data.centered_view import Scaling
from fairstats.data.design import Design, refuse_nonfinite
from fairstats.data.groups import Encoding
from fairstats.data.tables import like
from fairstats.document import Block, Paragraph, Table, headings
from fairstats.estimates import Estimate, Estimates, Worded
from fairstats.language import message
from fairstats.methods.crossfit import (
    ROUNDING,
    OutOfFoldScores,
    assign_folds,
    design_to_refit,
    fits_without,
    groups_like,
    matrix_like,
    out_of_fold_scores,
    spans,
    without_rounding,
)
from fairstats.methods.results import (
    Guarantee,
    brief,
    closing,
    features_of,
    guarantee_rows,
    more_note,
    opening,
    printed,
    rows_of,
)
from fairstats.text import number, significant
from fairstats.validation import ON_UNKNOWN, OnUnknown, one_of

if TYPE_CHECKING:
    import pandas as pd
    from narwhals.typing import IntoDataFrameT


class FeatureMap(Worded, ABC):
    """Verbs of a result whose scores and adjusted data are one thing.

    A subclass says what it adjusts (`transform`), what it took out (`_effects`, a name and a share of variance each),
    and how its own fields are written (`_own`).
    """

    method: str
    title: str
    scaling: Scaling
    encoding: Encoding
    total: float
    error: float
    guarantees: tuple[Guarantee, ...]
    settings: Mapping[str, Any]
    notes: tuple[str, ...]

    schema: ClassVar[str]
    effect: ClassVar[str]  # what a share is of

    @abstractmethod
    def _mapped(self, X: Any, groups: Any = None) -> np.ndarray:
        """Return the adjusted rows (n × p)."""

    @abstractmethod
    def _effects(self) -> Iterator[tuple[str, float]]:
        """Name, and share of its variance that the groups explained, of everything taken out."""

    @abstractmethod
    def _fields(self) -> dict[str, Any]:
        """The fields of the subclass, JSON-ready."""

    def _size(self) -> dict[str, Any]:
        """Counts of a fit, in its glance and in its second line."""
        return {}

    @abstractmethod
    def _effects_table(self) -> Table:
        """What was taken out."""

    @property
    def features(self) -> tuple[str, ...]:
        """Names of the p features."""
        return self.scaling.features

    @overload
    def reconstruct(self, X: IntoDataFrameT, groups: Any = None) -> IntoDataFrameT: ...
    @overload
    def reconstruct(self, X: Mapping[str, Any], groups: Any = None) -> dict[str, np.ndarray]: ...
    @overload
    def reconstruct(self, X: Any, groups: Any = None) -> np.ndarray: ...
    def reconstruct(self, X: Any, groups: Any = None) -> Any:
        """Return the same as ``transform``: scores and adjusted data are one thing here."""
        return like(X, self._mapped(X, groups), self.features)

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
        """Make held-out adjusted rows, by fits that did not see them, folds stratified by group.

        A weighted fit needs its ``weights`` again.
        """
        design = design_to_refit(self, X, groups, data, weights)
        fold = assign_folds(design, folds, seed)
        rows = np.empty((design.n, design.p))
        for kept, part in fits_without(self, dict(self.settings), design, fold):
            rows[kept] = part._mapped(design.take(kept))
        rows = without_rounding(rows, fold, ROUNDING * spans(design.X))
        return out_of_fold_scores(rows, fold, design, seed, self, beside=not isinstance(X, Design))

    @cached_property
    def estimates(self) -> Estimates:
        """One row for everything taken out (its share of variance that the groups explain), and one for the change."""
        attribute, n = ", ".join((*self.encoding.names, *self.encoding.continuous_names)), self.scaling.n
        rows = [
            Estimate("R2", attribute, term=name, role="component", n=n, estimate=float(value), method=self.effect)
            for name, value in self._effects()
        ]
        moved = self.error / self.total if self.total > 0 else 0.0
        method = message("share of the total sum of squares, against the data as they are")
        change = Estimate("extra error", attribute, role="price", n=n, events=self.error, estimate=moved, method=method)
        return Estimates([*rows, change, *guarantee_rows(self.guarantees, n)])

    def glance(self) -> pd.DataFrame:
        """Return one row about the fit."""
        import pandas as pd

        row = {"method": self.method, "n": self.scaling.n, "p": len(self.features), **self._size()}
        holds = all(g.holds for g in self.guarantees)
        return pd.DataFrame([{**row, "total": self.total, "error": self.error, "guarantees_hold": holds}])

    def __str__(self) -> str:
        return printed(self, [self._effects_table()])

    def _sizes(self) -> tuple[str, ...]:
        return (", ".join([rows_of(self), features_of(self)]),)

    def _content(self) -> Iterator[Block]:
        """What was taken out, how far the data moved, and the guarantees with their checks as numbers."""
        yield from opening(self, *self._sizes())
        yield self._effects_table()
        moved = 100 * self.error / self.total if self.total > 0 else 0.0
        price = f"{number(moved, 2)}% of their sum of squares ({significant(self.error, 6)})"
        yield Paragraph(f"Price: the data moved by {price}")
        yield from closing(self)

    def _brief(self) -> str:
        return brief(self)

    def to_dict(self) -> dict[str, Any]:
        """Return everything but the data, JSON-ready."""
        return {
            "schema": self.schema,
            "method": self.method,
            "title": self.title,
            "n": self.scaling.n,
            "features": list(self.features),
            "settings": dict(self.settings),
            "center": self.scaling.center.tolist(),
            **self._fields(),
            "total": self.total,
            "error": self.error,
            "guarantees": [g.to_dict() for g in self.guarantees],
            "estimates": self.estimates.to_records(),
            "notes": list(self.notes),
        }


# Eraser: an affine map of the features onto themselves that takes a concept out, and its verbs.


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
    effect: ClassVar[str] = message(
        "squared canonical correlation of features and groups, before erasing (descriptive)"
    )

    @property
    def rank(self) -> int:
        """Number of directions taken out."""
        return len(self.canonical)

    @property
    def _left(self) -> int:
        """In how many directions adjusted rows can differ: n centered rows of p features, and ``rank`` taken out."""
        return max(min(self.scaling.n - 1, len(self.features)) - self.rank, 0)

    @property
    def matrix(self) -> np.ndarray:
        """I − left · right (p × p), in original units: r(x) − μ = (x − μ) times its transpose."""
        if self.rank == len(self.features):
            return np.zeros((self.rank, self.rank))
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
        if self.rank == len(self.features):  # left · right is the identity, and what is left no more than its rounding
            return np.zeros_like(rows, dtype=float) + self.scaling.center
        sd = self.scaling.scale
        part = ((rows - self.scaling.center) @ (self.right if sd is None else self.right / sd).T) @ self.left.T
        return np.asarray(rows - (part if sd is None else part * sd))

    def _effects(self) -> Iterator[tuple[str, float]]:
        yield from ((message("direction {n}", n=j + 1), float(value)) for j, value in enumerate(self.canonical))

    def _size(self) -> dict[str, Any]:
        return {"rank": self.rank}

    def _sizes(self) -> tuple[str, ...]:
        erased = f"{self.rank} direction{'s' * (self.rank != 1)} erased{', none left' * (not self._left)}"
        return (", ".join([rows_of(self), features_of(self), erased]),)

    def _effects_table(self) -> Table:
        rows = ((str(j + 1), number(100 * value, 2)) for j, value in enumerate(self.canonical))
        return Table("", headings("direction", "% explained by groups before"), tuple(rows))

    def _fields(self) -> dict[str, Any]:
        return {
            "scale": None if self.scaling.scale is None else self.scaling.scale.tolist(),
            "left": self.left.tolist(),
            "right": self.right.tolist(),
            "canonical": self.canonical.tolist(),
        }


# GroupAdjustment: a map of the features onto themselves that depends on the group of a row, and its verbs.


@dataclass(frozen=True, repr=False, kw_only=True)
class GroupAdjustment(FeatureMap):
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
    effect: ClassVar[str] = message("regression of the feature on the groups, before (descriptive)")

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
            A group level that the fit has not seen is an error, or left as it is; of several attributes, the others are
            adjusted for all the same.
        """
        return like(X, self._mapped(X, groups, on_unknown), self.features)

    def _mapped(self, X: Any, groups: Any = None, on_unknown: OnUnknown = "raise") -> np.ndarray:
        one_of("on_unknown", on_unknown, ON_UNKNOWN)
        matrix = matrix_like(self.scaling, X)
        rows = matrix.toarray() if hasattr(matrix, "toarray") else np.asarray(matrix, dtype=float)
        if not np.isfinite(rows).all():
            refuse_nonfinite(rows, self.features)
        result = groups_like(self.encoding, X, groups, len(rows), f"what {self.method} takes out depends on")
        if not self.factors:
            return np.asarray(rows - self.encoding.encode(result, on_unknown=on_unknown) @ self.coefficients)
        middle = self.scaling.center + np.zeros_like(rows) if self.slopes is not None else self.scaling.center
        if self.slopes is not None:
            items = [self.features.index(name) for name in self.protected]
            middle += (rows[:, items] - self.scaling.center[items]) @ self.slopes
        out = rows - self.encoding.encode(result, on_unknown=on_unknown) @ self.coefficients - middle
        codes, cells = result.cells
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

    def _effects_table(self, most: int = 8) -> Table:
        order = np.argsort(-self.share, kind="stable")[:most]
        rows = ((self.features[j], number(100 * self.share[j], 2)) for j in order)
        heads = headings("feature", "% explained by groups before")
        return Table("", heads, tuple(rows), more_note(len(self.features), most))

    def _fields(self) -> dict[str, Any]:
        return {
            "coefficients": self.coefficients.tolist(),
            "factors": {level: values.tolist() for level, values in self.factors.items()},
            "protected": list(self.protected),
            "slopes": None if self.slopes is None else self.slopes.tolist(),
            "offset": None if self.offset is None else self.offset.tolist(),
        }
