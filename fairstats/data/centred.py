"""The centred, scaled view of the data that methods work on: from moments, or from the rows where p is large.

Both classes answer the same questions: total variation, XᵀX restricted to its k leading directions, cross products
with the group encoding Z. A method is written once, against these.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from scipy import sparse

from fairstats.data.design import Design, refuse_nonfinite
from fairstats.data.encoding import Encoding
from fairstats.data.means import centering, shifted
from fairstats.data.moments import Moments
from fairstats.data.scaling import Frame, column_sd, freedom
from fairstats.errors import InputError
from fairstats.linalg.eigen import independent_columns, top_eigen, top_values
from fairstats.linalg.krylov import truncated_svd
from fairstats.linalg.subspace import beside, leading_pairs, top_outside

# Up to this size second moments are kept by group, which the price by group needs; beyond it they cost too much.
SMALL_SCATTER, SMALL_ROWS = 1_000_000, 4_000_000


class MomentSpread:
    """The spread of data known by their moments."""

    def __init__(self, moments: Moments, *, scale: bool = False) -> None:
        self.moments = moments
        weight, delta, T = moments.total()
        p = moments.p
        left = float(freedom(weight, moments.squares.sum()))
        sd = column_sd(np.diag(T)[:p], moments.shift[:p] + delta[:p], left, moments.features) if scale else None
        self.frame = Frame(
            moments.features,
            moments.shift[:p] + delta[:p],
            sd,
            int(moments.n.sum()),
            weight,
            moments.named,
            moments.formula,
            moments.weighted,
            moments.source,
        )
        self._T, self._mean_delta = T, delta

    @cached_property
    def covariance(self) -> np.ndarray:
        """X_cᵀX_c (p × p), scaled: sums, not divided by n."""
        return self._scaled(self._scaled(self._T[: self.moments.p, : self.moments.p]).T)

    @cached_property
    def encoding(self) -> Encoding:
        """The group encoding; columns that are combinations of others are dropped."""
        return self._z[0]

    @cached_property
    def gram_z(self) -> np.ndarray:
        """ZᵀZ (q × q)."""
        return self._z[1]

    @cached_property
    def cross_z(self) -> np.ndarray:
        """ZᵀX_c (q × p)."""
        return self._scaled(self._z[2])

    @property
    def total(self) -> float:
        """‖X_c‖²."""
        return float(np.trace(self.covariance))

    def leading(self, k: int) -> tuple[np.ndarray, np.ndarray]:
        """Squared singular values and right singular vectors of X_c."""
        return leading_pairs(self.covariance, k)

    def leading_residual(self, k: int) -> tuple[np.ndarray, np.ndarray]:
        """The same of M_Z X_c."""
        explained = self.cross_z.T @ np.linalg.solve(self.gram_z, self.cross_z)
        values, U = top_eigen(self.covariance - explained, k)
        return np.maximum(values, 0.0), U

    def residual_energy(self, k: int) -> float:
        """Sum of the k largest squared singular values of M_Z X_c."""
        explained = self.cross_z.T @ np.linalg.solve(self.gram_z, self.cross_z)
        return float(np.maximum(top_values(self.covariance - explained, k), 0.0).sum())

    def leading_outside(self, k: int, Q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The same of X_c(I − QQᵀ), for Q (p × r) with orthonormal columns and k ≤ p − r."""
        return top_outside(self.covariance, k, Q)

    def along(self, B: np.ndarray) -> np.ndarray:
        """BᵀX_cᵀX_cB (k × k) for B (p × k): sums of squares and products of the scores X_cB."""
        return B.T @ (self.covariance @ B)

    def unbiased(self, attribute: str) -> tuple[np.ndarray, np.ndarray]:
        """Weights (G,) and unbiased covariances of the levels (G, p, p): over n_g − 1, or its weighted form."""
        _, weight, _, within = self.second_moments(attribute)
        left = freedom(weight, self.moments.collapse((attribute,)).squares)
        return weight, within * np.where(left > 0, weight / np.where(left > 0, left, 1.0), 1.0)[:, None, None]

    def second_moments(self, attribute: str) -> tuple[tuple[str, ...], np.ndarray, np.ndarray, np.ndarray]:
        """Levels of one attribute, their weights (G,), means of X_c (G, p) and covariances Σ_g (G, p, p; over n_g)."""
        m = self.moments
        if not m.by_cell:
            raise InputError("these moments pool second moments over groups; compute them with by_cell=True.")
        m = m.collapse((attribute,))
        means = self._scaled(m.delta[:, : m.p] - self._mean_delta[: m.p])
        within = m.scatter[:, : m.p, : m.p] / np.where(m.weight > 0, m.weight, 1.0)[:, None, None]
        if self.frame.scale is not None:
            within /= np.outer(self.frame.scale, self.frame.scale)
        return tuple(c[0] for c in m.cells), m.weight, means, within

    @property
    def max_rank(self) -> int:
        """The largest k that can be asked for."""
        return min(self.moments.p, self.frame.n)

    def _scaled(self, rows: np.ndarray) -> np.ndarray:
        return rows if self.frame.scale is None else rows / self.frame.scale

    @cached_property
    def _z(self) -> tuple[Encoding, np.ndarray, np.ndarray]:
        m = self.moments
        if m.outcome:
            m = m.collapse(m.attributes[:-1])
        draft = Encoding(m.attributes, m.levels, m.continuous, (), np.empty(0))
        D = draft.raw(m.cells)
        mean = m.weight @ D / m.weight.sum()
        E = D - mean
        p = m.p
        between = (E * m.weight[:, None]).T @ (m.delta - self._mean_delta)
        T = self._T
        gram = np.block([[(E * m.weight[:, None]).T @ E, between[:, p:]], [between[:, p:].T, T[p:, p:]]])
        cross = np.vstack([between[:, :p], T[p:, :p]])
        center = np.concatenate([mean, m.shift[p:] + self._mean_delta[p:]])
        kept = list(_kept(gram))
        return (
            draft.of_columns(kept, np.diag(gram), center),
            gram[np.ix_(kept, kept)],
            cross[kept],
        )


class RowSpread:
    """The spread of rows, for p > n or k far below a large p: products with X_c, never p × p or n × n."""

    def __init__(self, design: Design, *, scale: bool = False, tolerance: float = 1e-9) -> None:
        self.design, self._tolerance = design, tolerance
        w = design.weights
        weight = float(design.n if w is None else w.sum())
        mean, self._rest, squares = centering(design.X, w)
        if not np.isfinite(squares.sum()):
            refuse_nonfinite(design.X, design.features)
        left = float(freedom(weight, design.n if w is None else w @ w))
        sd = column_sd(squares, mean, left, design.features) if scale else None
        self.frame = Frame(
            design.features, mean, sd, design.n, weight, design.named, design.formula, w is not None, "rows in memory"
        )
        self.squares = squares if sd is None else squares / sd**2
        self.total = float(self.squares.sum())
        self._root = None if w is None else np.sqrt(w)

    @cached_property
    def rows(self) -> np.ndarray:
        """W^½ X_c (n × p), dense and scaled, of columns with mean 0 up to the rounding of X_c itself."""
        X = self.design.X.toarray() if sparse.issparse(self.design.X) else self.design.X
        X = X - self.frame.center
        X -= self._rest
        if self.frame.scale is not None:
            X /= self.frame.scale
        if self._root is not None:
            X *= self._root[:, None]
        return np.asarray(X)

    @cached_property
    def _shifted(self) -> tuple[Any, np.ndarray]:
        X, center = shifted(self.design.X, self.frame.center)
        return X, center + self._rest

    def times(self, V: np.ndarray) -> np.ndarray:
        """W^½ X_c V."""
        if not sparse.issparse(self.design.X):
            return np.asarray(self.rows @ V)
        V = V if self.frame.scale is None else V / self.frame.scale[:, None]
        X, center = self._shifted
        out = X @ V - center @ V
        return out if self._root is None else out * self._root[:, None]

    def transposed(self, S: np.ndarray) -> np.ndarray:
        """X_cᵀ W^½ S."""
        if not sparse.issparse(self.design.X):
            return np.asarray(self.rows.T @ S)
        S = S if self._root is None else S * self._root[:, None]
        X, center = self._shifted
        out = X.T @ S - np.outer(center, S.sum(axis=0))
        return out if self.frame.scale is None else out / self.frame.scale[:, None]

    @cached_property
    def _z(self) -> tuple[Encoding, np.ndarray]:
        groups = self.design.groups
        if groups is None:
            raise InputError("groups is missing; this method needs them.")
        levels = tuple(f.levels for f in groups.factors)
        draft = Encoding(groups.names, levels, groups.continuous_names, (), np.empty(0))
        codes, cells = groups.cells
        Z = np.hstack([draft.raw(cells)[codes], groups.continuous])
        w = np.ones(self.design.n) if self.design.weights is None else self.design.weights
        center = w @ Z / w.sum()
        Z = (Z - center) * np.sqrt(w)[:, None]
        gram = Z.T @ Z
        kept = list(_kept(gram))
        return draft.of_columns(kept, np.diag(gram), center), Z[:, kept]

    @property
    def encoding(self) -> Encoding:
        """The group encoding."""
        return self._z[0]

    @property
    def gram_z(self) -> np.ndarray:
        """ZᵀZ (q × q)."""
        return self._z[1].T @ self._z[1]

    @cached_property
    def cross_z(self) -> np.ndarray:
        """ZᵀX_c (q × p)."""
        return self.transposed(self._z[1]).T

    def leading(self, k: int) -> tuple[np.ndarray, np.ndarray]:
        """Squared singular values and right singular vectors of X_c."""
        return self._svd(self.times, self.transposed, k)

    def leading_residual(self, k: int) -> tuple[np.ndarray, np.ndarray]:
        """The same of M_Z X_c."""
        return self._svd(*self._residual_products(), k)

    def residual_energy(self, k: int) -> float:
        """Sum of the k largest squared singular values of M_Z X_c; a residual of 1e-5 makes them good to 1e-10."""
        shape = (self.design.n, self.design.p)
        return float(
            np.sum(truncated_svd(*self._residual_products(), shape, k, tolerance=1e-5, values_only=True)[0] ** 2)
        )

    @property
    def residual_squares(self) -> np.ndarray:
        """Squared lengths (p,) of the columns of M_Z X_c: those of X_c less what Z explains."""
        explained = np.einsum("qp,qp->p", self.cross_z, np.linalg.solve(self.gram_z, self.cross_z))
        return np.maximum(self.squares - explained, 0.0)

    def _residual_products(self) -> tuple[Any, Any]:
        Q = np.linalg.qr(self._z[1])[0]

        def off(S: np.ndarray) -> np.ndarray:
            return S - Q @ (Q.T @ S)

        return lambda V: off(self.times(V)), lambda S: self.transposed(off(S))

    def leading_outside(self, k: int, Q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The same of X_c(I − QQᵀ), for Q (p × r) with orthonormal columns."""

        def off(V: np.ndarray) -> np.ndarray:
            return V - Q @ (Q.T @ V)

        values, U = self._svd(lambda V: self.times(off(V)), lambda S: off(self.transposed(S)), k)
        return values, beside(U, Q)

    def along(self, B: np.ndarray) -> np.ndarray:
        """BᵀX_cᵀX_cB (k × k)."""
        scores = self.times(B)
        return scores.T @ scores

    @property
    def max_rank(self) -> int:
        """The largest k that can be asked for."""
        return min(self.design.n, self.design.p)

    def _svd(self, times: Any, transposed: Any, k: int) -> tuple[np.ndarray, np.ndarray]:
        values, U = truncated_svd(times, transposed, (self.design.n, self.design.p), k, tolerance=self._tolerance)
        return values**2, U


Spread = MomentSpread | RowSpread


def spread(
    X: Any, groups: Any = None, *, data: Any = None, weights: Any = None, missing: str = "raise", scale: bool = False
) -> Spread:
    """The spread of any input of a fit: rows (p > n, or sparse with large p) or, usually, their moments."""
    if isinstance(X, Moments):
        if groups is not None:
            raise InputError("groups was given beside moments, which already hold theirs; leave it out.")
        return MomentSpread(X, scale=scale)
    design = X if isinstance(X, Design) else Design.of(X, groups, data=data, weights=weights, missing=missing)
    design = design.counted()
    if design.p > design.n:
        return RowSpread(design, scale=scale)
    cells = len(design.groups.cells[1]) if design.groups else 1
    small = cells * design.p**2 <= SMALL_SCATTER and design.n * design.p <= SMALL_ROWS
    return MomentSpread(Moments.of(design, by_cell=small), scale=scale)


def _kept(gram: np.ndarray) -> tuple[int, ...]:
    kept = independent_columns(gram)
    if not kept:
        raise InputError("groups do not vary: every row has the same group once weights are applied.")
    return kept
