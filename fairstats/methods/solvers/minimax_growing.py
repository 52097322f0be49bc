"""Minimax within the leading subspaces met so far, until the dual of all features certifies it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from fairstats.data.centered_view import Spanned
from fairstats.data.group_products import GroupProducts
from fairstats.errors import NumericalError
from fairstats.linalg.krylov import next_block
from fairstats.methods.solvers import minimax_solvers
from fairstats.methods.solvers.minimax_spaces import Spaces

Moments = Callable[[Spanned], tuple[Spaces, np.ndarray]]  # of S (G, m, m), and σ (G,)


def grown(groups: GroupProducts, k: int, about_own: bool, moments: Moments, most: int = 40) -> Spanned:
    """Return second moments by group in a basis of few directions that holds a minimax solution, and PCA's.

    A restriction only raises the largest loss, so its solution is feasible; the leading eigenvectors of the full
    mixture at its weights bound the optimum from below, and are the directions that are missing.

    Parameters
    ----------
    groups : GroupProducts
    k : int
    about_own : bool
        Each group about its own mean.
    moments : callable
        What the losses are made of, from second moments in a basis.

    Raises
    ------
    NumericalError
        The gap between the two did not close.
    """
    G = len(groups.levels)
    asked = [*np.eye(G), groups.weights / groups.weights.sum(), np.full(G, 1 / G)]
    directions = [groups.leading(w, k, about_own)[1] for w in asked]
    basis = np.linalg.qr(groups.means.T)[0]
    for U in directions:
        basis = np.hstack([basis, next_block(basis, U, 1e-12)[0]])
    closed = 1e-10 if G == 2 else 1e-8
    for _ in range(most):
        known = groups.within(basis)
        spaces, sigma = moments(known)
        S = spaces.S
        found = minimax_solvers.dual(S, sigma, k, spaces)
        values, U = groups.leading(found.dual, k, about_own)
        bound = float(found.dual @ sigma - values.sum())
        largest = float(minimax_solvers.losses(S, sigma, found.vectors, found.fractions).max())
        # The last directions are kept too: losses are then good to the gap, loadings no longer to its root only.
        basis = np.hstack([basis, next_block(basis, U, 1e-12)[0]])
        if largest - bound <= closed * float(sigma.max()) or basis.shape[1] == len(known.means[0]):
            return groups.within(basis)
    raise NumericalError(
        f"minimax_pca of sparse rows did not close its gap in {most} rounds (largest loss {largest:g}, at least "
        f"{bound:g}); pass fairstats.moments(X, groups), which takes 8 bytes for each pair of columns and group."
    )
