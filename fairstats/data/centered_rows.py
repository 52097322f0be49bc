"""CenteredRows: the centered view of rows, for p > n or sparse: products with X_c, and nothing p × p or n × n."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np
from scipy import sparse

from fairstats.data.centered_moments import CenteredMoments
from fairstats.data.centered_view import Centered, GroupCells, Pairs, Residual
from fairstats.data.design import Design
from fairstats.data.encoding import Encoding
from fairstats.data.group_products import GroupProducts, sparse_losses
from fairstats.data.matrices import judge_squares
from fairstats.data.means import centering, shifted
from fairstats.data.moments import Moments
from fairstats.data.scaling import Scaling, column_sd, freedom
from fairstats.errors import InputError
from fairstats.linalg.conjugate import solved
from fairstats.linalg.deflation import Product, ProductDeflation
from fairstats.linalg.eigen import EPS
from fairstats.linalg.krylov import truncated_svd
from fairstats.linalg.subspace import beside

MANY, FILLED = 1000, 0.1  # columns from which on, and share of entries up to which, a sparse matrix is left sparse


def by_products(X: Any) -> bool:
    """Return whether products with a matrix cost less than its sums of products: sparse, and of many columns.

    Examples
    --------
    >>> by_products(sparse.eye_array(5000, 2000).tocsr()), by_products(np.eye(2000))
    (True, False)
    """
    return bool(sparse.issparse(X) and X.shape[1] >= MANY and X.nnz <= FILLED * X.shape[0] * X.shape[1])


class CenteredRows(Centered):
    """Rows in memory, dense or sparse."""

    design: Design

    def __init__(self, design: Design, *, scale: bool = False, tolerance: float = 1e-9) -> None:
        self.design, self._tolerance = design, tolerance
        self._leading: dict[int, Pairs] = {}
        w = design.weights
        weight = float(design.n if w is None else w.sum())
        mean, self._rest, squares = centering(design.X, w)
        judge_squares(design.X, squares, design.features)
        left = float(freedom(weight, design.n if w is None else w @ w))
        sd = column_sd(squares, mean, left, design.features, design.spread) if scale else None
        self.scaling = Scaling(
            design.features, mean, sd, design.n, weight, design.named, design.formula, w is not None, "rows in memory"
        )
        self._squares = squares if sd is None else squares / sd**2
        self._root = None if w is None else np.sqrt(w)

    @cached_property
    def rows(self) -> np.ndarray:
        """W^½ X_c (n × p), dense and scaled, of columns with mean 0 up to the rounding of X_c itself."""
        X = self.design.X.toarray() if sparse.issparse(self.design.X) else self.design.X
        X = X - self.scaling.center
        X -= self._rest
        if self.scaling.scale is not None:
            X /= self.scaling.scale
        if self._root is not None:
            X *= self._root[:, None]
        return np.asarray(X)

    @property
    def squares(self) -> np.ndarray:
        return self._squares

    @cached_property
    def total(self) -> float:
        return float(self._squares.sum())

    @property
    def effective_n(self) -> float:
        w = self.design.weights
        return float(self.design.n) if w is None else self.scaling.weight**2 / float(w @ w)

    @property
    def attributes(self) -> tuple[str, ...]:
        return () if self.design.groups is None else self.design.groups.names

    @property
    def continuous(self) -> tuple[str, ...]:
        return () if self.design.groups is None else self.design.groups.continuous_names

    @cached_property
    def covariance(self) -> np.ndarray:
        return self.rows.T @ self.rows

    def along(self, B: np.ndarray) -> np.ndarray:
        scores = self.times(B)
        return scores.T @ scores

    def solve_correlation(self, A: np.ndarray) -> np.ndarray:
        if by_products(self.design.X):
            size = np.sqrt(np.where(self.squares > 0, self.squares, 1.0))[:, None]
            return solved(lambda V: self.transposed(self.times(V / size)) / size, A, 1e-13)
        _, s, right = self._factor
        return right.T @ ((right @ A) / s[:, None] ** 2)

    @cached_property
    def _factor(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Singular vectors (n × r), values (r,) and vectors (r × p) of the rows with columns of length 1."""
        squares = np.einsum("np,np->p", self.rows, self.rows)
        size = np.sqrt(np.where(squares > 0, squares, 1.0))
        X, w = self.rows / size, self.design.weights
        left, s, right = np.linalg.svd(X, full_matrices=False)
        # n rows of mean 0 span n − 1 directions at most; and numbers far from 0 were rounded before they came here.
        mean = self.scaling.center / (1.0 if self.scaling.scale is None else self.scaling.scale) / size
        given = EPS * float(np.linalg.norm(mean)) * np.sqrt(self.scaling.weight)
        kept = s > max(max(X.shape) * EPS * s[0], given)
        kept[self.design.n - 1 if w is None else int(np.count_nonzero(w)) - 1 :] = False
        return left[:, kept], s[kept], right[kept]

    @property
    def groups_explained(self) -> np.ndarray | None:
        if by_products(self.design.X):
            return None
        image = self._factor[0].T @ self._z[1]
        return image.T @ image

    def second_moments(self, attribute: str) -> tuple[tuple[str, ...], np.ndarray, np.ndarray, np.ndarray]:
        return self._moments.second_moments(attribute)

    @cached_property
    def spanned(self) -> tuple[np.ndarray, CenteredMoments]:
        left, s, right = np.linalg.svd(self.rows, full_matrices=False)
        coordinates = left * s if self._root is None else left * s / self._root[:, None]
        names = tuple(f"v{j}" for j in range(len(s)))
        return right.T, CenteredMoments(Moments.of(replace(self.design, X=coordinates, features=names, y=None)))

    @property
    def group_products(self) -> GroupProducts | None:
        groups = self.design.groups
        if groups is None or not by_products(self.design.X):
            return None
        codes, cells = groups.cells
        p, G = self.design.p, len(cells)
        nothing = Residual(self.scaling.center, np.empty((p, 0)), np.empty((p, 0)), np.zeros((G, p)))
        mass, (squares,) = self.cell_losses([nothing])
        roots = np.ones(self.design.n) if self._root is None else self._root
        means = self.transposed(roots[:, None] * np.eye(G)[codes]).T / mass[:, None]
        about_own = np.maximum(squares - np.sum(means**2, axis=1), 0.0)
        levels = tuple(":".join(cell) for cell in cells)
        return GroupProducts(self.times, self.transposed, p, codes, levels, roots, mass, means, about_own)

    def unbiased(self, attribute: str) -> tuple[np.ndarray, np.ndarray]:
        return self._moments.unbiased(attribute)

    @cached_property
    def _moments(self) -> CenteredMoments:
        return CenteredMoments(Moments.of(self.design), scale=self.scaling.scale is not None, design=self.design)

    @cached_property
    def _shifted(self) -> tuple[sparse.csr_array, np.ndarray]:
        X, center = shifted(self.design.X, self.scaling.center)
        return X, center + self._rest

    def times(self, V: np.ndarray) -> np.ndarray:
        """Return W^½ X_c V."""
        if not sparse.issparse(self.design.X):
            return np.asarray(self.rows @ V)
        V = V if self.scaling.scale is None else V / self.scaling.scale[:, None]
        X, center = self._shifted
        out = X @ V - center @ V
        return out if self._root is None else out * self._root[:, None]

    def transposed(self, S: np.ndarray) -> np.ndarray:
        """Return X_cᵀ W^½ S."""
        if not sparse.issparse(self.design.X):
            return np.asarray(self.rows.T @ S)
        S = S if self._root is None else S * self._root[:, None]
        X, center = self._shifted
        out = X.T @ S - np.outer(center, S.sum(axis=0))
        return out if self.scaling.scale is None else out / self.scaling.scale[:, None]

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
        with np.errstate(over="ignore", invalid="ignore"):  # judged by the result
            gram, c = Z.T @ Z, groups.continuous.shape[1]
        judge_squares(groups.continuous, np.diag(gram)[len(gram) - c :], groups.continuous_names, "groups")
        encoding = draft.independent(gram, center)
        return encoding, Z[:, list(encoding.kept)]

    @property
    def encoding(self) -> Encoding:
        return self._z[0]

    @cached_property
    def gram_z(self) -> np.ndarray:
        return self._z[1].T @ self._z[1]

    @cached_property
    def cross_z(self) -> np.ndarray:
        return self.transposed(self._z[1]).T

    def leading(self, k: int) -> Pairs:
        if k not in self._leading:
            self._leading[k] = self._svd(self.times, self.transposed, k)
        return self._leading[k]

    def leading_energy(self, k: int) -> float:
        return float(self.leading(k)[0].sum())

    def leading_residual(self, k: int) -> Pairs:
        return self._svd(*self._residual(), k)

    def residual_energy(self, k: int) -> float:
        # A residual of 1e-5 makes the values good to 1e-10.
        values = truncated_svd(*self._residual(), self._shape, k, tolerance=1e-5, values_only=True)[0]
        return float(np.sum(values**2))

    def residual_operator(self) -> ProductDeflation:
        explained = np.einsum("qp,qp->p", self.cross_z, np.linalg.solve(self.gram_z, self.cross_z))
        return ProductDeflation(*self._residual(), self._shape, np.maximum(self.squares - explained, 0.0))

    def leading_about_origin(self, k: int) -> Pairs:
        root = np.ones(self.design.n) if self._root is None else self._root
        mean = self.scaling.center / (1.0 if self.scaling.scale is None else self.scaling.scale)
        return self._svd(
            lambda V: self.times(V) + np.outer(root, mean @ V),
            lambda S: self.transposed(S) + np.outer(mean, root @ S),
            k,
        )

    def _residual(self) -> tuple[Product, Product]:
        """Products with M_Z X_c."""
        Q = np.linalg.qr(self._z[1])[0]

        def off(S: np.ndarray) -> np.ndarray:
            return S - Q @ (Q.T @ S)

        return lambda V: off(self.times(V)), lambda S: self.transposed(off(S))

    def leading_outside(self, k: int, Q: np.ndarray) -> Pairs:
        def off(V: np.ndarray) -> np.ndarray:
            return V - Q @ (Q.T @ V)

        values, U = self._svd(lambda V: self.times(off(V)), lambda S: off(self.transposed(S)), k)
        return values, beside(U, Q)

    def leading_erased(self, k: int, left: np.ndarray, right: np.ndarray) -> Pairs:
        def back(S: np.ndarray) -> np.ndarray:
            T = self.transposed(S)
            return T - left @ (right @ T)

        return self._svd(lambda V: self.times(V - right.T @ (left.T @ V)), back, k)

    @property
    def cells(self) -> GroupCells | None:
        groups = self.design.groups
        if groups is None or not groups.factors or groups.continuous_names:
            return None
        return GroupCells(groups.names, tuple(f.levels for f in groups.factors), groups.cells[1])

    def cell_losses(self, maps: Sequence[Residual]) -> tuple[np.ndarray, list[np.ndarray]]:
        assert self.design.groups is not None
        codes, cells = self.design.groups.cells
        w = np.ones(len(codes)) if self.design.weights is None else self.design.weights
        sd = 1.0 if self.scaling.scale is None else self.scaling.scale
        mass = np.bincount(codes, w, minlength=len(cells))
        if sparse.issparse(self.design.X):
            of_rows = (sparse_losses(self.design.X, codes, part, sd) for part in maps)
            return mass, [np.bincount(codes, w * one) / np.where(mass > 0, mass, 1.0) for one in of_rows]
        squares = np.zeros((len(maps), len(cells)))
        for i in range(0, len(codes), 256):
            X, own = self.design.X[i : i + 256], codes[i : i + 256]
            for j, part in enumerate(maps):
                x = (X - part.center) / sd
                rest = x - (x @ part.weights) @ part.loadings.T + part.added[own]
                squares[j] += np.bincount(own, w[i : i + 256] * np.sum(rest**2, axis=1), minlength=len(cells))
        return mass, list(squares / np.where(mass > 0, mass, 1.0))

    @property
    def _shape(self) -> tuple[int, int]:
        return self.design.n, self.design.p

    def _svd(self, times: Product, transposed: Product, k: int) -> Pairs:
        values, U = truncated_svd(times, transposed, self._shape, k, tolerance=self._tolerance)
        return values**2, U
