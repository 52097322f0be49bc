"""Centered: what every method may ask of the data, whether they are known by moments or by rows."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from scipy import linalg

from fairstats.data.groups import Encoding
from fairstats.data.moments import shifted
from fairstats.errors import InputError, Setting, listing
from fairstats.linalg.eigen import EPS, column_space, fix_signs, truncated_svd
from fairstats.linalg.subspace import Deflation, Product

if TYPE_CHECKING:
    from fairstats.data.design import Design


# The centers and scales of the features of a fit, with which new rows are treated alike.


@dataclass(frozen=True)
class Scaling:
    """Features, center and scale of the rows of a fit."""

    features: tuple[str, ...]
    center: np.ndarray  # (p,) subtracted
    scale: np.ndarray | None  # (p,) divided by
    n: int
    weight: float
    named: bool
    formula: Any
    weighted: bool
    source: str
    freedom: float | None = None  # Σw − Σw²/Σw; not in files of before

    @property
    def divisor(self) -> float:
        """What a sum of squares of these rows is divided by for a variance; 1 of one row."""
        return (self.weight - self.weight / self.n if self.freedom is None else self.freedom) or 1.0


def freedom(weight: Any, squares: Any) -> Any:
    """Return the divisor of a sum of squares about a mean: Σw − Σw²/Σw, which is n − 1 where all weights are 1.

    Variances then do not depend on the unit of the weights, and are unbiased where a weight says how precise a row is.
    One row has 0.
    """
    left = weight - squares / np.where(weight > 0, weight, 1.0)
    return np.where(left > 1e-12 * weight, left, 0.0)


def column_sd(
    squares: np.ndarray, mean: np.ndarray, left: float, features: tuple[str, ...], spread: np.ndarray | None = None
) -> np.ndarray:
    """Return standard deviations (p,) from sums of squares and ``freedom``.

    A constant column is an error, unless the rows are a part of others in which its ``spread`` is known.
    """
    sd = np.sqrt(np.maximum(squares, 0.0) / left) if left > 0 else np.zeros_like(squares)
    constant = sd <= 1e-12 * np.maximum(np.abs(mean), np.finfo(float).tiny)
    if spread is not None:
        return np.where(constant, spread, sd)
    if constant.any():
        names = [features[j] for j in np.flatnonzero(constant)]
        are, have, them = ("is", "has", "it") if len(names) == 1 else ("are", "have", "them")
        raise InputError(
            f"{Setting('scale', True)}, but {listing(names)} {are} constant and {have} no standard deviation to divide "
            f"by; leave {them} out, or pass {Setting('scale', False)}."
        )
    return sd


Pairs = tuple[np.ndarray, np.ndarray]


@dataclass(frozen=True)
class GroupCells:
    """The G combinations of the levels of labeled attributes that occur."""

    attributes: tuple[str, ...]
    levels: tuple[tuple[str, ...], ...]
    cells: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Residual:
    """The map from a row x of cell c to what a fit loses of it: (x − center)/scale · (I − BUᵀ) + a_c."""

    center: np.ndarray  # (p,)
    weights: np.ndarray  # B (p × k)
    loadings: np.ndarray  # U (p × k)
    added: np.ndarray  # a (G × p)


class Spanned(NamedTuple):
    """Second moments of an attribute's levels in the coordinates of a basis of r directions, which holds all rows.

    ``basis`` (p × r) is None where the coordinates are the features. A vector of coordinates b stands for basis · b.
    """

    basis: np.ndarray | None
    levels: tuple[str, ...]
    weights: np.ndarray  # (G,)
    means: np.ndarray  # (G, r)
    covariances: np.ndarray  # (G, r, r), over n_g
    outside: np.ndarray | float = 0.0  # (G,): what the rows vary outside the basis, over n_g

    def lifted(self, B: np.ndarray) -> np.ndarray:
        """Return the vectors (p × k) that have coordinates B (r × k)."""
        return B if self.basis is None else self.basis @ B

    def directions(self, U: np.ndarray) -> np.ndarray:
        """Return the same of loadings, whose signs are those of their largest entries."""
        return U if self.basis is None else fix_signs(self.basis @ U)


ROUNDING = 64 * EPS


class Centered(ABC):
    """The data as a linear map X_c: rows weighted, centered at their mean, scaled if asked; and their groups Z.

    A method is a function of this view and never asks which kind it is. In exact arithmetic both kinds answer every
    question alike; they differ in what an answer costs.

    Notation: X_c (n × p) stands for W^½(X − 1μᵀ)/scale with the weights W of the rows, so that X_cᵀX_c are weighted
    sums, not divided by n; Z (n × q) is the encoding of the groups, centered, of full column rank, times W^½; P_Z is
    the projector onto its columns and M_Z = I − P_Z.

    Promises
    --------
    *Shapes.* Vectors of values have shape (k,), largest first and never below 0; matrices of vectors (p, k) with
    orthonormal columns of fixed sign.
    *Exact up to rounding* are ``total``, ``squares``, ``covariance``, ``along``, ``gram_z``, ``cross_z``,
    ``explained``, ``shares``, ``cell_losses``, and second moments by group. Shifts of the data
    cost them no digits.
    *Iterated to a tolerance* where p is large: ``leading`` and its kin; values to 1e-12 of the largest, vectors to the
    square root of that over the gap to the next value. ``leading_energy`` and ``residual_energy`` promise the sum only,
    to 1e-10, and are cheaper.
    *Judged.* Numbers are finite and every column of Z varies, or an ``InputError`` has said so.

    Costs
    -----
    =====================  ========================  ===========================================
    asked                  CenteredMoments            CenteredRows (p > n)
    =====================  ========================  ===========================================
    memory                 p², or p² a cell          n·p, that of the rows
    covariance             at hand                   n·p², formed: only methods of small p ask
    along, explained       p²·k, p·q·k               n·p·k, p·q·k
    leading and its kin    p³, or p²·k by Lanczos    n·p·k by Lanczos; nothing p × p or n × n
    second moments         at hand, by cell          n·p², formed
    =====================  ========================  ===========================================
    """

    scaling: Scaling
    design: Design | None = None  # the rows, where they are at hand

    # --- what the data are -----------------------------------------------------------------------------------------

    @property
    @abstractmethod
    def attributes(self) -> tuple[str, ...]:
        """Names of the labeled group attributes."""

    @property
    @abstractmethod
    def continuous(self) -> tuple[str, ...]:
        """Names of the continuous group attributes."""

    @property
    @abstractmethod
    def effective_n(self) -> float:
        """(Σw)²/Σw², the number of rows of equal weight that say as much."""

    @property
    def grouped(self) -> bool:
        """Whether the data came with groups."""
        return bool(self.attributes or self.continuous)

    @property
    def max_rank(self) -> int:
        """The largest k that can be asked for: min(n, p)."""
        return min(self.scaling.n, len(self.scaling.features))

    # --- second moments --------------------------------------------------------------------------------------------

    @property
    @abstractmethod
    def total(self) -> float:
        """‖X_c‖²."""

    @property
    @abstractmethod
    def squares(self) -> np.ndarray:
        """Squared lengths (p,) of the columns of X_c."""

    @property
    @abstractmethod
    def covariance(self) -> np.ndarray:
        """X_cᵀX_c (p × p): sums, not divided by n."""

    @abstractmethod
    def along(self, B: np.ndarray) -> np.ndarray:
        """Return BᵀX_cᵀX_cB (k × k) for B (p × k): sums of squares and products of the scores X_cB."""

    @abstractmethod
    def solve_correlation(self, A: np.ndarray) -> np.ndarray:
        """Return R⁺A for A (p × q), where R = D⁻¹X_cᵀX_cD⁻¹ and D are the lengths of the columns (1 where that is 0).

        The rank of R is measured against rounding: of its entries, and of the data as they were before centering.
        """

    @abstractmethod
    def second_moments(self, attribute: str) -> tuple[tuple[str, ...], np.ndarray, np.ndarray, np.ndarray]:
        """Return the levels of an attribute, weights (G,), means of X_c (G, p), covariances Σ_g (G, p, p; over n_g)."""

    @property
    def resolved(self) -> bool:
        """Whether directions in which the columns hardly vary are known: they are lost in sums of squares."""
        return True

    def unexplained(self, A: np.ndarray, W: np.ndarray) -> float | None:
        """Return the largest share of a combination of q orthonormal columns that X_c explains and X_cD⁻¹W does not.

        A (p × q) are their correlations with X_cD⁻¹, as in ``solve_correlation``; what rounding may hide counts. None
        where the difference of the two shares is as good.
        """
        return None

    @property
    def groups_explained(self) -> np.ndarray | None:
        """ZᵀP_XZ (q × q), what the features explain of the groups, where it is known without X_cᵀX_c."""
        return None

    @property
    @abstractmethod
    def spanned(self) -> tuple[np.ndarray | None, Centered]:
        """An orthonormal basis (p × r) of what the rows span, and the data in its coordinates, where p > n.

        Where the features are no more than the rows, the basis is None and the data are these.
        """

    def moments_within_span(self, attribute: str) -> Spanned:
        """Return ``second_moments`` in the coordinates of an orthonormal basis of what the rows span, where p > n."""
        basis, data = self.spanned
        return Spanned(basis, *data.second_moments(attribute))

    @property
    def group_products(self) -> GroupProducts | None:
        """Products with the rows by group, where second moments by group would take too much memory."""
        return None

    @abstractmethod
    def unbiased(self, attribute: str) -> tuple[np.ndarray, np.ndarray]:
        """Return weights (G,) and unbiased covariances of the levels (G, p, p): over n_g − 1, or its weighted form."""

    def _rounding(self) -> np.ndarray:
        """Lengths (p,) of what rounding changes of the columns of X_c, before and after they are centered."""
        mean = self.scaling.center / (1.0 if self.scaling.scale is None else self.scaling.scale)
        return ROUNDING * (np.sqrt(self.squares) + np.abs(mean) * np.sqrt(self.scaling.weight))

    # --- leading directions ----------------------------------------------------------------------------------------

    @abstractmethod
    def leading(self, k: int) -> Pairs:
        """Return the k largest squared singular values of X_c (k,) and its right singular vectors (p × k)."""

    @abstractmethod
    def leading_energy(self, k: int) -> float:
        """Return the sum of the k largest squared singular values of X_c: what PCA keeps."""

    @abstractmethod
    def leading_outside(self, k: int, Q: np.ndarray) -> Pairs:
        """Return ``leading`` of X_c(I − QQᵀ), Q (p × r) orthonormal, k ≤ p − r; the vectors are orthogonal to Q."""

    @abstractmethod
    def leading_erased(self, k: int, left: np.ndarray, right: np.ndarray) -> Pairs:
        """Return ``leading`` of X_c(I − RᵀLᵀ), for L (p × r) in the row space of X_c and R (r × p) with RL = I."""

    @abstractmethod
    def leading_residual(self, k: int) -> Pairs:
        """Return ``leading`` of M_Z X_c."""

    @abstractmethod
    def residual_energy(self, k: int) -> float:
        """Return the sum of the k largest squared singular values of M_Z X_c."""

    @abstractmethod
    def residual_operator(self) -> Deflation:
        """Return X_cᵀM_ZX_c (p × p) as an operator from which components can be taken out one by one."""

    @property
    @abstractmethod
    def residual_rounding(self) -> np.ndarray:
        """Lengths (p,) up to which a column of M_Z X_c is nothing but rounding."""

    @property
    def residual_resolved(self) -> bool:
        """Whether no column of M_Z X_c is lost in the difference of larger sums of squares."""
        return True

    @abstractmethod
    def leading_about_origin(self, k: int) -> Pairs:
        """Return ``leading`` of the weighted rows with their means left in."""

    # --- groups ----------------------------------------------------------------------------------------------------

    @property
    @abstractmethod
    def encoding(self) -> Encoding:
        """The encoding Z of the groups; columns that are combinations of others are dropped."""

    @property
    @abstractmethod
    def gram_z(self) -> np.ndarray:
        """ZᵀZ (q × q)."""

    @property
    @abstractmethod
    def cross_z(self) -> np.ndarray:
        """ZᵀX_c (q × p)."""

    @property
    @abstractmethod
    def cells(self) -> GroupCells | None:
        """The cells of the groups, where ``cell_losses`` can tell them apart: labels only, and nothing pooled."""

    @abstractmethod
    def cell_losses(self, maps: Sequence[Residual]) -> tuple[np.ndarray, list[np.ndarray]]:
        """Return weights (G,) of the ``cells``, and for each map the mean squared residual in each cell (G,)."""

    def explained(self, B: np.ndarray) -> np.ndarray:
        """Return ‖P_Z X_c b_j‖² (k,) for each column b_j of B (p × k): what the groups explain of a score."""
        H = self.cross_z @ B
        return np.einsum("qk,qk->k", H, np.linalg.solve(self.gram_z, H))

    def shares(self, B: np.ndarray, energy: np.ndarray) -> np.ndarray:
        """Return R² of each score X_cb on the groups, given its square; 0 where the score is nothing but rounding."""
        solid = energy > 1e-14 * self.total
        return np.where(solid, self.explained(B) / np.where(solid, energy, 1.0), 0.0)

    @cached_property
    def mean_directions(self) -> np.ndarray:
        """An orthonormal basis (p × r) of X_cᵀZ: the directions in which the groups' means differ.

        Z enters through an orthonormal basis of its columns, so that a small group counts as much as a large one and
        the product is measured against ‖X_c‖.
        """
        root = linalg.cholesky(self.gram_z, lower=True)
        return column_space(linalg.solve_triangular(root, self.cross_z, lower=True).T, float(np.sqrt(self.total)))


# Second moments by group of rows known by their products: in a basis, and the leading directions of their mixtures.


@dataclass(frozen=True)
class GroupProducts:
    """The rows X_c (n × p, times the root of their weights) by their products, and the group of each of them.

    ``squares`` (G,) are sums of squares of the groups about their own means, over n_g.
    """

    times: Product
    transposed: Product
    p: int
    codes: np.ndarray  # (n,)
    levels: tuple[str, ...]
    roots: np.ndarray  # (n,) of the weights
    weights: np.ndarray  # (G,)
    means: np.ndarray  # (G, p) of X_c
    squares: np.ndarray  # (G,)

    def within(self, basis: np.ndarray) -> Spanned:
        """Return second moments by group in the coordinates of a basis (p × m) that holds all means."""
        scores = self.times(basis)
        means = self.means @ basis
        scores -= self.roots[:, None] * means[self.codes]
        parts = [scores[self.codes == g] for g in range(len(self.levels))]
        covariances = np.stack([part.T @ part / n for part, n in zip(parts, self.weights, strict=True)])
        outside = np.maximum(self.squares - np.trace(covariances, axis1=1, axis2=2), 0.0)
        return Spanned(basis, self.levels, self.weights, means, covariances, outside)

    def leading(self, mixture: np.ndarray, k: int, about_group_mean: bool) -> Pairs:
        """Return the k leading eigenpairs of Σ w_g S_g, w ≥ 0 (G,), about each group's own mean or the mean of all."""
        factor = np.sqrt(np.maximum(mixture, 0.0) / self.weights)[self.codes][:, None]
        shift = self.roots[:, None] if about_group_mean else np.zeros((len(self.roots), 1))
        member = np.eye(len(self.levels))[self.codes]

        def forward(V: np.ndarray) -> np.ndarray:
            return np.asarray(factor * (self.times(V) - shift * (self.means @ V)[self.codes]))

        def back(S: np.ndarray) -> np.ndarray:
            T = factor * S
            return np.asarray(self.transposed(T) - self.means.T @ (member.T @ (shift * T)))

        values, U = truncated_svd(forward, back, (len(self.codes), self.p), k)
        return values**2, U


def sparse_losses(X: Any, codes: np.ndarray, part: Residual, sd: Any) -> np.ndarray:
    """Return ‖x(I − BUᵀ) + a‖² (n,) for each sparse row, a that of its cell, from products that leave X sparse."""
    X, left = shifted(X, part.center)
    B, U, added, left = part.weights, part.loadings, part.added, left / sd
    right = np.hstack([B, U, added.T, left[:, None]])
    image = X @ (right / np.reshape(sd, (-1, 1)))
    k, G = U.shape[1], len(added)
    scores, kept, beside, along = np.split(image - left @ right, [k, 2 * k, 2 * k + G], axis=1)
    squared = X.multiply(X) @ (np.ones(X.shape[1]) / sd**2)
    total = np.asarray(squared).ravel() - 2 * along[:, 0] - left @ left  # x = x̃ − m: ‖x̃‖² − 2mᵀ(x̃ − m) − ‖m‖²
    off = beside[np.arange(len(codes)), codes] - np.sum(scores * (added @ U)[codes], axis=1)
    fitted = np.sum(scores * (scores @ (U.T @ U) - 2 * kept), axis=1)
    return np.asarray(np.maximum(total + fitted + 2 * off + np.sum(added**2, axis=1)[codes], 0.0))
