"""The leading spaces of mixtures of the groups' second moments, each solved once."""

from __future__ import annotations

import numpy as np

from fairstats.linalg.subspace import TOLERANCE, by_lanczos, dense_pairs

MANY = 400  # features from which on a mixture's directions are kept for the next
SPARE = 8  # directions beyond the k leading ones that are kept: they halve the rounds, and cost next to nothing


class Spaces:
    """The leading eigenpairs of Σ w_g S_g at the weights w asked so far, each of which is solved once.

    Examples
    --------
    >>> Spaces(np.stack([np.diag([2.0, 1.0]), np.diag([1.0, 4.0])])).at(np.array([0.0, 1.0]), 1)[0].tolist()
    [4.0]
    """

    def __init__(self, S: np.ndarray) -> None:
        self.S = S
        self._known: dict[tuple[float, ...], tuple[np.ndarray, np.ndarray]] = {}
        self._flat = False

    def at(self, w: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray]:
        """Return the k leading values and their vectors (p × k)."""
        key, p = tuple(w.tolist()), self.S.shape[1]
        if key not in self._known:
            one = np.flatnonzero(w)
            M = self.S[one[0]] if len(one) == 1 and w[one[0]] == 1.0 else np.tensordot(w, self.S, axes=1)
            more = SPARE if len(self.S) == 2 and p >= MANY else 0
            # Where one mixture's spectrum is flat those of the others are: Lanczos is not tried again.
            found = None if self._flat else by_lanczos(M, min(k + more, p), TOLERANCE)
            self._flat = found is None
            self._known[key] = found or dense_pairs(M, min(k + more, p))
        values, U = self._known[key]
        return values[:k], U[:, :k]

    def basis(self) -> np.ndarray:
        """Return an orthonormal basis of all directions met."""
        stacked = np.hstack([U for _, U in self._known.values()])
        left, size, _ = np.linalg.svd(stacked, full_matrices=False)
        return np.asarray(left[:, size > 1e-8])
