"""The part of scores that goes with the groups, with a covariance that lets the groups differ in spread."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

Floats = NDArray[np.float64]
# a row whose leverage is this close to 1 is fitted exactly, and shows nothing of its spread
FITTED = 1e-9
# noise less than this share of the sum of squares is rounding
NO_SPREAD = 1e-24


class Cells(NamedTuple):
    """Scores by cell of the groups: sizes (C,), means (C, k), scatter about them (C, k, k), Z of each (C, q)."""

    n: Floats
    mean: Floats
    scatter: Floats
    z: Floats


@dataclass(frozen=True)
class GroupPart:
    """QᵀA for scores A (n × k) and an orthonormal basis Q (n × q) of the groups, with its estimated covariance.

    Attributes
    ----------
    effect : array (q, k)
        QᵀA; its squares sum to what the groups explain, ‖P_Z A‖².
    noise : array (qk, qk)
        Covariance of the effect, row by row: Σ_i (q_i q_iᵀ) ⊗ (e_i e_iᵀ)/(1 − h_i) over the residuals e_i (HC2), which
        for one attribute is each group's own unbiased covariance. NaN where a group of one row shows no spread.
    rest : array (k,)
        Residual sums of squares of the scores.
    directions, within, freedom : arrays (C, q), (C, k, k), (C,)
        q of each cell, its part of the covariance and the degrees of freedom of that; empty directions stand for one
        block without cells (continuous attributes).
    rest_error : array (k,)
        Standard error of the logarithm of ``rest``.
    n : float
        Rows.
    """

    effect: Floats
    noise: Floats
    rest: Floats
    directions: Floats
    within: Floats
    freedom: Floats
    rest_error: Floats
    n: float

    @property
    def explained(self) -> float:
        """‖P_Z A‖²."""
        return float(np.sum(self.effect**2))

    @property
    def unknown(self) -> str:
        """Why the covariance cannot be estimated, or ""."""
        if not np.isfinite(self.noise).all():
            return "no interval: a group of one row shows no spread"
        spread, size = float(np.trace(self.noise)), self.explained + float(self.rest.sum())
        return "" if spread > NO_SPREAD * size else "no interval: nothing varies within the groups"

    @cached_property
    def axes(self) -> tuple[Floats, Floats]:
        """Variances (m,) along the axes of the noise and the effect along them (m,), less axes without noise."""
        values, vectors = np.linalg.eigh(self.noise)
        use = values > max(values[-1], 0.0) * 1e-12
        return values[use], self.effect.ravel() @ vectors[:, use]

    def component(self, j: int) -> GroupPart:
        """The same of one component."""
        k = self.effect.shape[1]
        return replace(
            self,
            effect=self.effect[:, [j]],
            noise=self.noise[j::k, j::k],
            rest=self.rest[[j]],
            within=self.within[:, [j]][:, :, [j]],
            rest_error=self.rest_error[[j]],
        )

    def degrees(self, conf_level: float) -> float:
        """Satterthwaite's degrees of freedom of the noise, where it matters: in its sum and along the effect.

        The quantiles of ‖m + ε‖² move with Ω as tr(ΩW), W = I + (2z/s)(Ω + mmᵀ), s² = 2 tr Ω² + 4 mᵀΩm.
        """
        m, omega = self.effect.ravel(), self.noise
        size = self.explained
        share = max(size - float(np.trace(omega)), 0.0) / size if size > 0 else 0.0
        m = m * np.sqrt(share)
        spread = 2 * float(np.sum(omega**2)) + 4 * float(m @ omega @ m)
        if spread <= 0:
            return float(self.freedom.sum())
        bend = 2 * float(ndtri((1 + conf_level) / 2)) / np.sqrt(spread)
        W = np.eye(m.size) + bend * (omega + np.outer(m, m))
        total = float(np.sum(omega * W))
        if not self.directions.size:
            product = omega @ W
            return total**2 / float(np.sum(product * product.T)) * float(self.freedom[0])
        q, k = self.effect.shape
        blocks = np.einsum("cq,qiuj,cu->cij", self.directions, W.reshape(q, k, q, k), self.directions, optimize=True)
        product = self.within @ blocks
        return total**2 / float(np.sum(np.einsum("cij,cji->c", product, product) / self.freedom))


def from_cells(cells: Cells, rest_error: Floats | None = None) -> GroupPart:
    """Return the group part of scores that are known by cell of the groups.

    Parameters
    ----------
    cells : Cells
        ``z`` is centered at its mean over the rows.
    rest_error : array (k,), optional
        As in `GroupPart`; by default that of normal scores.

    Returns
    -------
    GroupPart

    Examples
    --------
    >>> z = np.array([[-0.5], [0.5]])
    >>> part = from_cells(Cells(np.full(2, 4.0), np.array([[0.0], [2.0]]), np.full((2, 1, 1), 3.0), z))
    >>> round(part.explained, 9), round(float(part.noise[0, 0]), 9), round(part.degrees(0.95), 9)
    (8.0, 1.0, 6.0)
    """
    basis = orthonormal(cells.z, cells.n)
    q, k = basis.shape[1], cells.mean.shape[1]
    n = float(cells.n.sum())
    mean = cells.n @ cells.mean / n
    effect = (basis * cells.n[:, None]).T @ cells.mean
    leverage = 1 / n + np.sum(basis**2, axis=1)
    off = cells.mean - mean - basis @ effect
    squares = cells.scatter + cells.n[:, None, None] * off[:, :, None] * off[:, None, :]
    rest = np.einsum("cjj->j", squares)
    alone = 1 - leverage < FITTED
    within = squares / np.where(alone, np.nan, 1 - leverage)[:, None, None]
    noise = np.einsum("cq,cu,cij->qiuj", basis, basis, within, optimize=True).reshape(q * k, q * k)
    if rest_error is None:
        each = np.einsum("cjj->cj", cells.scatter)
        rest_error = _log_error(np.sum(2 * each**2 / np.maximum(cells.n - 1, 1)[:, None], axis=0), rest)
    return GroupPart(effect, noise, rest, basis, within, cells.n * (1 - leverage), rest_error, n)


def from_rows(A: Floats, Z: Floats, codes: NDArray[np.intp] | None) -> GroupPart:
    """Return the group part of rows of scores.

    Parameters
    ----------
    A : array (n, k)
    Z : array (n, q)
        Of full column rank.
    codes : array of int (n,), optional
        Cell of each row, rows of a cell being equal in Z; without it (continuous attributes) every row stands alone.

    Returns
    -------
    GroupPart

    Examples
    --------
    >>> A, g = np.array([[0.0], [2.0], [3.0], [5.0]]), np.array([0, 0, 1, 1])
    >>> round(from_rows(A, (g == 1.0)[:, None], g).explained, 9)
    9.0
    """
    A, Z = A - A.mean(axis=0), Z - Z.mean(axis=0)
    n, k = A.shape
    if codes is not None:
        cells = by_cell(A, Z, codes)
        first = from_cells(cells)
        E = A - _fitted(cells, first)[codes]
        squares = E**2
        mean = np.stack([np.bincount(codes, s) for s in squares.T], axis=1) / cells.n[:, None]
        return replace(first, rest_error=_log_error(np.sum((squares - mean[codes]) ** 2, axis=0), first.rest))
    Q = orthonormal(Z, np.ones(n))
    q = Q.shape[1]
    effect = Q.T @ A
    E = A - Q @ effect
    free = 1 - 1 / n - np.sum(Q**2, axis=1)
    rest = np.sum(E**2, axis=0)
    R = (Q[:, :, None] * E[:, None, :]).reshape(n, q * k) / np.sqrt(np.where(free < FITTED, np.nan, free))[:, None]
    error = _log_error(np.sum((E**2 - rest / n) ** 2, axis=0), rest)
    blank = np.empty((0, q)), np.empty((0, k, k))
    return GroupPart(effect, R.T @ R, rest, *blank, np.array([max(n - 1.0 - q, 0.0)]), error, float(n))


def by_cell(A: Floats, Z: Floats, codes: NDArray[np.intp]) -> Cells:
    """Return sizes, means and scatter of the rows by cell; every cell 0 ... C − 1 occurs."""
    order = np.argsort(codes, kind="stable")
    ends = np.cumsum(np.bincount(codes))
    starts = np.concatenate([[0], ends[:-1]])
    sorted_scores = A[order]
    return _sliced(sorted_scores, starts, ends, Z[order[starts]])


def _sliced(A: Floats, starts: NDArray[np.intp], ends: NDArray[np.intp], z: Floats) -> Cells:
    parts = [A[i:j] for i, j in zip(starts, ends, strict=True)]
    mean = np.stack([part.mean(axis=0) for part in parts])
    centered = [part - center for part, center in zip(parts, mean, strict=True)]
    return Cells((ends - starts).astype(float), mean, np.stack([part.T @ part for part in centered]), z)


def orthonormal(z: Floats, n: Floats) -> Floats:
    """Return an orthonormal basis of the columns of Z, row by row of z, each standing for n rows."""
    root = np.sqrt(n)[:, None]
    return np.asarray(np.linalg.qr(z * root)[0] / root)


def _fitted(cells: Cells, part: GroupPart) -> Floats:
    return np.asarray(cells.n @ cells.mean / part.n + part.directions @ part.effect)


def _log_error(variance: Floats, value: Floats) -> Floats:
    return np.sqrt(variance) / np.where(value > 0, value, 1.0)
