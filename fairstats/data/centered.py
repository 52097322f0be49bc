"""The centered view of a fit's input: by moments, or by rows where p > n or where X is sparse and wide."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np
from scipy import linalg, sparse

from fairstats.data.centered_view import (
    Centered,
    GroupCells,
    GroupProducts,
    Pairs,
    Residual,
    Scaling,
    column_sd,
    freedom,
    sparse_losses,
)
from fairstats.data.design import Design, check_squares
from fairstats.data.groups import Encoding
from fairstats.data.moments import Moments, centering, shifted
from fairstats.errors import InputError, Setting, listing
from fairstats.linalg.eigen import (
    EPS,
    fix_signs,
    hidden_in_rounding,
    pseudo_solve,
    solved,
    top_eigen,
    top_values,
    truncated_svd,
    well_conditioned,
)
from fairstats.linalg.subspace import MatrixDeflation, Product, ProductDeflation, Spectrum, beside, leading_pairs
from fairstats.validation import flag

# CenteredMoments: the centered view of data known by their moments; every matrix is p × p.


RESOLVED = 1e10  # condition of correlations up to which their inverse keeps six digits
CANCELED = 1e-8  # of a sum of squares: a difference of two that is less keeps half of the digits,
FIVE_DIGITS = 1e-11  # and one that is less than that not five of them


class CenteredMoments(Centered):
    """Data known by their moments: p × p sums, pooled or by cell."""

    def __init__(self, moments: Moments, *, scale: bool = False, design: Design | None = None) -> None:
        self.moments, self.design = moments, design
        self._leading: dict[int, Pairs] = {}
        weight, delta, T = moments.total()
        p = moments.p
        left = float(freedom(weight, moments.squares.sum()))
        spread = None if design is None else design.spread
        center = moments.shift[:p] + delta[:p]
        sd = column_sd(np.diag(T)[:p], center, left, moments.features, spread) if scale else None
        self.scaling = Scaling(
            moments.features,
            center,
            sd,
            int(moments.n.sum()),
            weight,
            moments.named,
            moments.formula,
            moments.weighted,
            moments.source,
            left,
        )
        self._T, self._mean_delta = T, delta

    @cached_property
    def covariance(self) -> np.ndarray:
        return self._scaled(self._scaled(self._T[: self.moments.p, : self.moments.p]).T)

    @cached_property
    def _spectrum(self) -> Spectrum:
        return Spectrum(self.covariance)

    @cached_property
    def encoding(self) -> Encoding:
        return self._z[0]

    @cached_property
    def gram_z(self) -> np.ndarray:
        return self._z[1]

    @cached_property
    def cross_z(self) -> np.ndarray:
        return self._scaled(self._z[2])

    @cached_property
    def squares(self) -> np.ndarray:
        return np.diag(self.covariance)

    @property
    def total(self) -> float:
        return float(np.trace(self.covariance))

    @property
    def effective_n(self) -> float:
        return self.scaling.weight**2 / float(self.moments.squares.sum())

    @property
    def attributes(self) -> tuple[str, ...]:
        m = self.moments
        return m.attributes[: len(m.attributes) - bool(m.outcome)]

    @property
    def continuous(self) -> tuple[str, ...]:
        return self.moments.continuous

    def leading(self, k: int) -> Pairs:
        if k not in self._leading:
            self._leading[k] = self._spectrum.leading(k)
        return self._leading[k]

    def leading_energy(self, k: int) -> float:
        if k in self._leading:
            return float(self._leading[k][0].sum())
        return self._spectrum.energy(k)

    def leading_outside(self, k: int, Q: np.ndarray) -> Pairs:
        return self._spectrum.outside(k, Q)

    def leading_erased(self, k: int, left: np.ndarray, right: np.ndarray) -> Pairs:
        C, image = self.covariance, self.covariance @ right.T
        if np.linalg.norm(image - left) <= ALONG * np.linalg.norm(left):
            return self._spectrum.less(k, left)  # (I − LR)C(I − RᵀLᵀ) with CRᵀ = L
        half = image - 0.5 * (left @ (right @ image))
        outer = half @ left.T
        return leading_pairs(C - outer - outer.T, k)

    def leading_residual(self, k: int) -> Pairs:
        values, U = top_eigen(self._residual, k)
        return np.maximum(values, 0.0), U

    def residual_energy(self, k: int) -> float:
        return float(np.maximum(top_values(self._residual, k), 0.0).sum())

    def residual_operator(self) -> MatrixDeflation:
        return MatrixDeflation(self._residual)

    def leading_about_origin(self, k: int) -> Pairs:
        mean = self._scaled(self.scaling.center)
        values, U = top_eigen(self.covariance + self.scaling.weight * np.outer(mean, mean), k)
        return np.maximum(values, 0.0), U

    def solve_correlation(self, A: np.ndarray) -> np.ndarray:
        return pseudo_solve(self._correlation, A)

    @property
    def _correlation(self) -> np.ndarray:
        size = np.sqrt(np.where(self.squares > 0, self.squares, 1.0))
        return self.covariance / size[:, None] / size

    @cached_property
    def resolved(self) -> bool:
        return well_conditioned(self._correlation, RESOLVED)

    def unexplained(self, A: np.ndarray, W: np.ndarray) -> float:
        image = self._correlation @ W
        rest = A - image @ (np.linalg.pinv(W.T @ image, hermitian=True) @ (W.T @ A))
        share = float(np.linalg.norm(rest.T @ self.solve_correlation(rest), 2))  # no difference of rounded shares
        if self.resolved:
            return share
        size = np.sqrt(np.where(self.squares > 0, self.squares, 1.0))
        mean = self._scaled(self.scaling.center) / size
        given = EPS * float(np.linalg.norm(mean)) * np.sqrt(self.scaling.weight)
        return max(share, hidden_in_rounding(self._correlation, A, given))

    def along(self, B: np.ndarray) -> np.ndarray:
        return B.T @ (self.covariance @ B)

    def unbiased(self, attribute: str) -> tuple[np.ndarray, np.ndarray]:
        _, weight, _, within = self.second_moments(attribute)
        left = freedom(weight, self.moments.collapse((attribute,)).squares)
        return weight, within * np.where(left > 0, weight / np.where(left > 0, left, 1.0), 1.0)[:, None, None]

    def second_moments(self, attribute: str) -> tuple[tuple[str, ...], np.ndarray, np.ndarray, np.ndarray]:
        m = self.moments
        if not m.by_cell:
            raise InputError(
                f"these moments pool second moments over groups; compute them with {Setting('by_cell', True)}."
            )
        m = m.collapse((attribute,))
        means = self._scaled(m.delta[:, : m.p] - self._mean_delta[: m.p])
        within = m.scatter[:, : m.p, : m.p] / np.where(m.weight > 0, m.weight, 1.0)[:, None, None]
        if self.scaling.scale is not None:
            within /= np.outer(self.scaling.scale, self.scaling.scale)
        return tuple(c[0] for c in m.cells), m.weight, means, within

    @property
    def spanned(self) -> tuple[None, CenteredMoments]:
        return None, self

    @property
    def cells(self) -> GroupCells | None:
        m = self.moments
        present = m.by_cell and bool(m.attributes) and not m.continuous and not m.outcome
        return GroupCells(m.attributes, m.levels, m.cells) if present else None

    def cell_losses(self, maps: Sequence[Residual]) -> tuple[np.ndarray, list[np.ndarray]]:
        m, sd = self.moments, np.ones(self.moments.p) if self.scaling.scale is None else self.scaling.scale
        lost = [np.empty(len(m.cells)) for _ in maps]
        widths = np.cumsum([part.weights.shape[1] for part in maps])[:-1]
        every = np.hstack([part.weights for part in maps])
        for c in range(len(m.cells)):
            scatter, size = m.scatter[c, : m.p, : m.p], max(m.weight[c], np.finfo(float).tiny)
            varies = float(np.sum(np.diag(scatter) / sd**2)) / size
            image = (scatter @ (every / sd[:, None])) / sd[:, None] / size  # Σ_c B of all maps, with no p × p copy
            for j, (part, current) in enumerate(zip(maps, np.split(image, widths, axis=1), strict=True)):
                mean = (m.delta[c, : m.p] + (m.shift[: m.p] - part.center)) / sd
                lost[j][c] = _loss(varies, current, mean, part, part.added[c])
        return m.weight, lost

    @property
    def residual_rounding(self) -> np.ndarray:
        return self._rounding() if self._partial is None else np.sqrt(FIVE_DIGITS * self._partial[1])

    @property
    def residual_resolved(self) -> bool:
        return self._partial is None or bool((self._partial[0] > CANCELED * self._partial[1]).all())

    @cached_property
    def _partial(self) -> tuple[np.ndarray, np.ndarray] | None:
        """Squares (p,) that all and that only the labels of the groups leave; None where these are all there is."""
        if not self.continuous:
            return None
        p = self.moments.p
        return np.diag(self._residual), np.diag(self._scaled(self._scaled(self._beside_labels[0][:p, :p]).T))

    @cached_property
    def _residual(self) -> np.ndarray:
        """X_cᵀM_ZX_c (p × p)."""
        p, (S, kept) = self.moments.p, self._beside_labels
        rest = S[:p, :p]
        if kept:
            rest = rest - S[:p, kept] @ np.linalg.solve(S[np.ix_(kept, kept)], S[kept, :p])
        return self._scaled(self._scaled(rest).T)

    @cached_property
    def _beside_labels(self) -> tuple[np.ndarray, list[int]]:
        """What the labels leave of the features and continuous attributes: sums of squares, with no difference of sums.

        And which of these columns are the continuous attributes that the encoding keeps.
        """
        m, encoding = self._labels, self.encoding
        scatter = m.scatter.sum(axis=0)
        root, labels = np.sqrt(m.weight)[:, None], encoding.raw(m.cells)
        indicators = [j for j in encoding.kept if j < labels.shape[1]]
        if len(m.cells) > len(indicators) + 1:  # several attributes: their cells' means differ by more than they say
            Q = np.linalg.qr(root * np.column_stack([np.ones(len(labels)), labels[:, indicators]]))[0]
            rest = root * (m.delta - self._mean_delta)
            for _ in range(2):
                rest = rest - Q @ (Q.T @ rest)
            scatter = scatter + rest.T @ rest
        return scatter, [m.p + j - labels.shape[1] for j in encoding.kept if j >= labels.shape[1]]

    @property
    def _labels(self) -> Moments:
        return self.moments.collapse(self.moments.attributes[:-1]) if self.moments.outcome else self.moments

    def _scaled(self, rows: np.ndarray) -> np.ndarray:
        return rows if self.scaling.scale is None else rows / self.scaling.scale

    @cached_property
    def _z(self) -> tuple[Encoding, np.ndarray, np.ndarray]:
        m = self._labels
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
        encoding = draft.independent(gram, center)
        kept = list(encoding.kept)
        return encoding, gram[np.ix_(kept, kept)], cross[kept]


def _loss(total: float, image: np.ndarray, mean: np.ndarray, part: Residual, added: np.ndarray) -> float:
    """E‖x(I − BUᵀ) + a‖² for x of covariance Σ (tr Σ and ΣB are given) and the given mean."""
    B, U = part.weights, part.loadings
    varies = total - 2 * np.sum(U * image) + np.sum((U.T @ U) * (B.T @ image))
    return float(varies + np.sum((mean - (mean @ B) @ U.T + added) ** 2))


# CenteredRows: the centered view of rows, for p > n or sparse: products with X_c, and nothing p × p or n × n.


FEW = 2000  # rows, of more columns, up to which one factor of them is made for all questions
ALONG = 1e-10  # of orthonormal directions: what sticks out of a space that holds them but for rounding
MANY, FILLED = 1000, 0.1  # columns from which on, and share of entries up to which, a sparse matrix is left sparse


def by_products(X: Any) -> bool:
    """Return whether products with a matrix cost less than its sums of products: sparse, and of many columns.

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
        check_squares(design.X, squares, design.features)
        left = float(freedom(weight, design.n if w is None else w @ w))
        sd = column_sd(squares, mean, left, design.features, design.spread) if scale else None
        self.scaling = Scaling(
            design.features,
            mean,
            sd,
            design.n,
            weight,
            design.named,
            design.formula,
            w is not None,
            "rows in memory",
            left,
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
        if len(X) < X.shape[1]:  # the driver's path for a few long rows is slower than the two steps it is made of
            basis, triangle = linalg.qr(X.T, mode="economic", overwrite_a=True, check_finite=False)
            left, s, inner = np.linalg.svd(triangle.T)
            right = inner @ basis.T
        else:
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
        coordinates, basis = self._factored[0], self._factored[2]
        if self._root is not None:
            coordinates = coordinates / self._root[:, None]
        names = tuple(f"v{j}" for j in range(coordinates.shape[1]))
        return basis, CenteredMoments(Moments.of(replace(self.design, X=coordinates, features=names, y=None)))

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
        about_group_mean = np.maximum(squares - np.sum(means**2, axis=1), 0.0)
        levels = tuple(":".join(cell) for cell in cells)
        return GroupProducts(self.times, self.transposed, p, codes, levels, roots, mass, means, about_group_mean)

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
            raise InputError("groups", "is missing; this method needs them.")
        levels = tuple(f.levels for f in groups.factors)
        draft = Encoding(groups.names, levels, groups.continuous_names, (), np.empty(0))
        codes, cells = groups.cells
        Z = np.hstack([draft.raw(cells)[codes], groups.continuous])
        w = np.ones(self.design.n) if self.design.weights is None else self.design.weights
        center = w @ Z / w.sum()
        Z = (Z - center) * np.sqrt(w)[:, None]
        with np.errstate(over="ignore", invalid="ignore"):  # checked by the result
            gram, c = Z.T @ Z, groups.continuous.shape[1]
        check_squares(groups.continuous, np.diag(gram)[len(gram) - c :], groups.continuous_names, "groups")
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

    @property
    def _small(self) -> bool:
        """Whether the rows are so few that one factor of them serves all questions: products are asked otherwise."""
        return not sparse.issparse(self.design.X) and self.design.n <= FEW

    @cached_property
    def _factored(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """X_c and M_ZX_c (n × m each) in the coordinates of an orthonormal basis (p × m) of what both span.

        What the groups leave is factored before what they explain, so that means far apart cost it no digits.
        """
        if self.design.groups is None:
            basis, triangle = linalg.qr(self.rows.T, mode="economic", check_finite=False)
            return triangle.T, triangle.T, basis
        Q = np.linalg.qr(self._z[1])[0]
        both = np.vstack([self._beside_groups, Q.T @ self.rows])
        basis, triangle = linalg.qr(both.T, mode="economic", overwrite_a=True, check_finite=False)
        rest, means = triangle.T[: self.design.n], triangle.T[self.design.n :]
        return rest + Q @ means, rest, basis

    @cached_property
    def _triplets(self) -> tuple[Pairs, Pairs]:
        """All singular values and right singular vectors (m × n, in coordinates) of X_c and of M_ZX_c."""
        plain, rest, _ = self._factored
        pairs = _right_vectors(plain)
        return pairs, pairs if rest is plain else _right_vectors(rest)

    def _of_factor(self, pairs: Pairs, k: int) -> Pairs:
        values, V = pairs
        return values[:k] ** 2, fix_signs(self._factored[2] @ V[:, :k])

    def leading(self, k: int) -> Pairs:
        if k not in self._leading:
            self._leading[k] = (
                self._of_factor(self._triplets[0], k) if self._small else self._svd(self.times, self.transposed, k)
            )
        return self._leading[k]

    def leading_energy(self, k: int) -> float:
        return float(np.sum(self._triplets[0][0][:k] ** 2) if self._small else self.leading(k)[0].sum())

    def leading_residual(self, k: int) -> Pairs:
        return self._of_factor(self._triplets[1], k) if self._small else self._svd(*self._residual(), k)

    def residual_energy(self, k: int) -> float:
        if self._small:
            return float(np.sum(self._triplets[1][0][:k] ** 2))
        # A residual of 1e-5 makes the values good to 1e-10.
        values = truncated_svd(*self._residual(), self._shape, k, tolerance=1e-5, values_only=True)[0]
        return float(np.sum(values**2))

    def residual_operator(self) -> ProductDeflation:
        if sparse.issparse(self.design.X):
            explained = np.einsum("qp,qp->p", self.cross_z, np.linalg.solve(self.gram_z, self.cross_z))
            squares = np.maximum(self.squares - explained, 0.0)
        else:
            squares = np.einsum("np,np->p", self._beside_groups, self._beside_groups)
        return ProductDeflation(*self._residual(), self._shape, squares)

    @property
    def residual_rounding(self) -> np.ndarray:
        return self._rounding()

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
        if not sparse.issparse(self.design.X):
            return lambda V: self._beside_groups @ V, lambda S: self._beside_groups.T @ S
        Q = np.linalg.qr(self._z[1])[0]

        def off(S: np.ndarray) -> np.ndarray:
            return S - Q @ (Q.T @ S)

        return lambda V: off(self.times(V)), lambda S: self.transposed(off(S))

    @cached_property
    def _beside_groups(self) -> np.ndarray:
        """M_Z X_c of dense rows: products of the rows would leave rounding where the groups are far apart."""
        Q = np.linalg.qr(self._z[1])[0]
        rest = self.rows - Q @ (Q.T @ self.rows)
        return np.asarray(rest - Q @ (Q.T @ rest))

    def leading_outside(self, k: int, Q: np.ndarray) -> Pairs:
        if self._small:
            plain, _, basis = self._factored
            inside = basis.T @ Q
            if np.linalg.norm(Q - basis @ inside) <= ALONG:
                values, U = self._of_factor(_right_vectors(plain - (plain @ inside) @ inside.T), k)
                return values, beside(U, Q)

        def off(V: np.ndarray) -> np.ndarray:
            return V - Q @ (Q.T @ V)

        values, U = self._svd(lambda V: self.times(off(V)), lambda S: off(self.transposed(S)), k)
        return values, beside(U, Q)

    def leading_erased(self, k: int, left: np.ndarray, right: np.ndarray) -> Pairs:
        if self._small:  # left lies in the row space
            plain, _, basis = self._factored
            return self._of_factor(_right_vectors(plain - self.times(right.T) @ (basis.T @ left).T), k)

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
            X, current = self.design.X[i : i + 256], codes[i : i + 256]
            for j, part in enumerate(maps):
                x = (X - part.center) / sd
                rest = x - (x @ part.weights) @ part.loadings.T + part.added[current]
                squares[j] += np.bincount(current, w[i : i + 256] * np.sum(rest**2, axis=1), minlength=len(cells))
        return mass, list(squares / np.where(mass > 0, mass, 1.0))

    @property
    def _shape(self) -> tuple[int, int]:
        return self.design.n, self.design.p

    def _svd(self, times: Product, transposed: Product, k: int) -> Pairs:
        values, U = truncated_svd(times, transposed, self._shape, k, tolerance=self._tolerance)
        return values**2, U


def _right_vectors(A: np.ndarray) -> Pairs:
    _, values, right = np.linalg.svd(A, full_matrices=False)
    return values, right.T


# Up to this size second moments are kept by group, which the price by group needs; beyond it they cost too much.
SMALL_SCATTER, SMALL_ROWS = 1_000_000, 4_000_000
BESIDE_MOMENTS = "was given beside moments, which already hold theirs; leave it out."


def centered(
    X: Any,
    groups: Any = None,
    *,
    data: Any = None,
    weights: Any = None,
    missing: str = "raise",
    scale: bool = False,
    among_features: bool = False,
) -> Centered:
    """Return the centered view of any input of a fit.

    X: shape (n, p).
    scale: divide columns by their standard deviation (ddof 1).
    among_features: whether a group variable may be a feature.
    Returns: by rows where p > n, or where they are sparse and many columns wide; by moments otherwise: of every cell of
        the groups where they are small.

    >>> centered([[1.0, 2.0], [3.0, 2.0], [5.0, 5.0]]).covariance.tolist()
    [[8.0, 6.0], [6.0, 6.0]]
    """
    scale = flag("scale", scale)
    if isinstance(X, Moments):
        if groups is not None:
            raise InputError("groups", BESIDE_MOMENTS)
        refuse_one_group(X)
        return CenteredMoments(X, scale=scale)
    if not isinstance(X, Design):
        current = among_features
        X = Design.of(X, groups, data=data, weights=weights, missing=missing, among_features=current)
    design = X.counted()
    if design.p > design.n or by_products(design.X):
        return CenteredRows(design, scale=scale)
    cells = len(design.groups.cells[1]) if design.groups else 1
    small = cells * design.p**2 <= SMALL_SCATTER and design.n * design.p <= SMALL_ROWS
    return CenteredMoments(Moments.of(design, by_cell=small), scale=scale, design=design)


def by_rows(view: Centered) -> Centered:
    """Return the same data by their rows, where these are at hand and sums of squares do not resolve them."""
    if view.resolved or view.design is None:
        return view
    return CenteredRows(view.design, scale=view.scaling.scale is not None)


def by_rows_beside_groups(view: Centered) -> Centered:
    """Return the same data by their rows, where these are at hand and moments lose what the groups leave of them."""
    if view.design is None or view.residual_resolved:
        return view
    return CenteredRows(view.design, scale=view.scaling.scale is not None)


def centered_by_group(
    X: Any,
    groups: Any = None,
    *,
    data: Any = None,
    weights: Any = None,
    missing: str = "raise",
    scale: bool = False,
    spanned: bool = False,
    products: bool = False,
) -> Centered:
    """Return the centered view whose second moments by group are at hand, for methods that compare groups.

    spanned: whether the method asks for ``moments_within_span`` alone, which rows of p > n have without a p × p matrix.
    products: whether it can do with ``group_products`` of sparse rows.
    """
    scale = flag("scale", scale)
    if isinstance(X, Moments):
        return centered(X, groups, scale=scale)
    design = X if isinstance(X, Design) else Design.of(X, groups, data=data, weights=weights, missing=missing)
    if design.groups is None:
        raise InputError("groups", "is missing; this method compares their losses.")
    design = rows_to_compare(design)
    if (spanned and design.p > design.n) or (products and by_products(design.X)):
        return CenteredRows(design, scale=scale)
    return CenteredMoments(Moments.of(design), scale=scale, design=design)


def refuse_one_group(moments: Moments) -> None:
    """Refuse moments of an attribute with one level."""
    for name, levels in zip(moments.attributes, moments.levels, strict=True):
        if len(levels) < 2 and name != moments.outcome:
            raise InputError(
                "groups",
                f"has one level ({listing(levels)}) in these moments; at least two groups are needed "
                "to compare: add the moments of other people.",
                value=name,
            )


def rows_to_compare(design: Design) -> Design:
    """Return the rows of positive weight of a design with groups, of which every attribute has two levels at least."""
    design = design.counted()
    assert design.groups is not None
    for name, factor in zip(design.groups.names, design.groups.factors, strict=True):
        if len(factor.levels) < 2:
            raise InputError(
                "groups",
                f"has one level ({listing(factor.levels)}) among the rows of positive weight; at least "
                "two groups are needed to compare.",
                value=name,
            )
    return design
