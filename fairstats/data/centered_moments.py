"""CenteredMoments: the centered view of data known by their moments; every matrix is p × p."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from fairstats.data.centered_view import Centered, GroupCells, Pairs, Residual
from fairstats.data.design import Design
from fairstats.data.encoding import Encoding
from fairstats.data.moments import Moments
from fairstats.data.scaling import Scaling, column_sd, freedom
from fairstats.errors import InputError
from fairstats.linalg.deflation import MatrixDeflation
from fairstats.linalg.eigen import pseudo_solve, top_eigen, top_values, well_conditioned
from fairstats.linalg.subspace import Spectrum

RESOLVED = 1e10  # condition of correlations up to which their inverse keeps six digits


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
        return self._spectrum.less(k, left)  # (I − LR)C(I − RᵀLᵀ) with CRᵀ = L

    def leading_residual(self, k: int) -> Pairs:
        values, U = top_eigen(self._residual(), k)
        return np.maximum(values, 0.0), U

    def residual_energy(self, k: int) -> float:
        return float(np.maximum(top_values(self._residual(), k), 0.0).sum())

    def residual_operator(self) -> MatrixDeflation:
        return MatrixDeflation(self._residual())

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

    def along(self, B: np.ndarray) -> np.ndarray:
        return B.T @ (self.covariance @ B)

    def unbiased(self, attribute: str) -> tuple[np.ndarray, np.ndarray]:
        _, weight, _, within = self.second_moments(attribute)
        left = freedom(weight, self.moments.collapse((attribute,)).squares)
        return weight, within * np.where(left > 0, weight / np.where(left > 0, left, 1.0), 1.0)[:, None, None]

    def second_moments(self, attribute: str) -> tuple[tuple[str, ...], np.ndarray, np.ndarray, np.ndarray]:
        m = self.moments
        if not m.by_cell:
            raise InputError("these moments pool second moments over groups; compute them with by_cell=True.")
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
        known = m.by_cell and bool(m.attributes) and not m.continuous and not m.outcome
        return GroupCells(m.attributes, m.levels, m.cells) if known else None

    def cell_losses(self, maps: Sequence[Residual]) -> tuple[np.ndarray, list[np.ndarray]]:
        m, sd = self.moments, np.ones(self.moments.p) if self.scaling.scale is None else self.scaling.scale
        lost = [np.empty(len(m.cells)) for _ in maps]
        widths = np.cumsum([part.weights.shape[1] for part in maps])[:-1]
        every = np.hstack([part.weights for part in maps])
        for c in range(len(m.cells)):
            scatter, size = m.scatter[c, : m.p, : m.p], max(m.weight[c], np.finfo(float).tiny)
            varies = float(np.sum(np.diag(scatter) / sd**2)) / size
            image = (scatter @ (every / sd[:, None])) / sd[:, None] / size  # Σ_c B of all maps, with no p × p copy
            for j, (part, own) in enumerate(zip(maps, np.split(image, widths, axis=1), strict=True)):
                mean = (m.delta[c, : m.p] + (m.shift[: m.p] - part.center)) / sd
                lost[j][c] = _loss(varies, own, mean, part, part.added[c])
        return m.weight, lost

    def _residual(self) -> np.ndarray:
        """X_cᵀM_ZX_c (p × p)."""
        m = self.moments
        if len(m.attributes) == 1 and not m.continuous:  # what varies within its cells, with no difference of sums
            return self._scaled(self._scaled(m.scatter.sum(axis=0)).T)
        return self.covariance - self.cross_z.T @ np.linalg.solve(self.gram_z, self.cross_z)

    def _scaled(self, rows: np.ndarray) -> np.ndarray:
        return rows if self.scaling.scale is None else rows / self.scaling.scale

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
        encoding = draft.independent(gram, center)
        kept = list(encoding.kept)
        return encoding, gram[np.ix_(kept, kept)], cross[kept]


def _loss(total: float, image: np.ndarray, mean: np.ndarray, part: Residual, added: np.ndarray) -> float:
    """E‖x(I − BUᵀ) + a‖² for x of covariance Σ (tr Σ and ΣB are given) and the given mean."""
    B, U = part.weights, part.loadings
    varies = total - 2 * np.sum(U * image) + np.sum((U.T @ U) * (B.T @ image))
    return float(varies + np.sum((mean - (mean @ B) @ U.T + added) ** 2))
