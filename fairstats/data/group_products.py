"""Second moments by group of rows known by their products: in a basis, and the leading directions of their mixtures."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from fairstats.data.centered_view import Pairs, Residual, Spanned
from fairstats.data.means import shifted
from fairstats.linalg.deflation import Product
from fairstats.linalg.krylov import truncated_svd


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

    def leading(self, mixture: np.ndarray, k: int, about_own: bool) -> Pairs:
        """Return the k leading eigenpairs of Σ w_g S_g, w ≥ 0 (G,), about each group's own mean or the mean of all."""
        factor = np.sqrt(np.maximum(mixture, 0.0) / self.weights)[self.codes][:, None]
        shift = self.roots[:, None] if about_own else np.zeros((len(self.roots), 1))
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
