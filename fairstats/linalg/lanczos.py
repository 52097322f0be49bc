"""The largest eigenpairs of a symmetric operator known by its products: block Lanczos with thick restarts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from fairstats.errors import NumericalError
from fairstats.linalg.eigen import EPS, fix_signs

SHORT = 1e-3  # a remainder shorter than this, beside the image, is made orthogonal again


@dataclass(frozen=True)
class Eigenpairs:
    """Eigenpairs, largest first, and what it took to find them.

    Attributes
    ----------
    values : array (k,)
    vectors : array (n, k), orthonormal columns
    residuals : array (k,)
        ‖Av − λv‖, from a product of its own and not from the recurrence.
    following : float
        Ritz value of the next eigenpair, NaN where the space has none; a lower bound of that eigenvalue.
    products : int
        Columns that the operator was applied to.
    restarts : int
    """

    values: np.ndarray
    vectors: np.ndarray
    residuals: np.ndarray
    following: float
    products: int
    restarts: int


def largest_pairs(
    times: Callable[[np.ndarray], np.ndarray],
    start: np.ndarray,
    k: int,
    size: float,
    *,
    tolerance: float = 1e-10,
    flat: float = 0.0,
    most: int = 20_000,
) -> Eigenpairs:
    """Return the k algebraically largest eigenpairs of a symmetric operator.

    Parameters
    ----------
    times : callable
        ``times(V) = A V`` for V (n × b).
    start : array (n, b), b ≥ k
        A random block. With b ≥ k it meets every copy of a repeated eigenvalue, which single vectors can miss.
    k : int
    size : float
        An upper bound of ‖A‖: what residuals are relative to.
    tolerance : float
        Accepted ‖Av − λv‖ relative to ``size``. The values are then exact to its square over the gap.
    flat : float
        A looser tolerance for a spectrum without a gap, in which vectors are determined the less: it counts once the
        basis has been full.
    most : int
        Products after which ``NumericalError`` is raised.

    Returns
    -------
    Eigenpairs

    Raises
    ------
    NumericalError
        The residuals did not come down; the message has them.

    References
    ----------
    Wu & Simon (2000), SIAM J. Matrix Anal. Appl. 22, 602-616 (thick restart).
    Golub & Van Loan (2013), Matrix Computations, section 10.3 (block Lanczos).

    Examples
    --------
    >>> A = np.diag(np.arange(50.0))
    >>> block = np.random.default_rng(0).standard_normal((50, 3))
    >>> largest_pairs(lambda V: A @ V, block, 2, 49.0).values.round(9).tolist()
    [49.0, 48.0]
    """
    space = _Space(start)
    products = restarts = 0
    residuals = np.full(k, np.inf)
    while products < most:
        products += space.expand(times, 64 * EPS * size)
        values, rotation = np.linalg.eigh(space.inner)
        values, rotation = values[::-1], rotation[:, ::-1]
        residuals = np.linalg.norm(space.corner @ rotation[-space.last :, :k], axis=0)
        asked = (max(tolerance, flat) if restarts else tolerance) * size
        if not space.fresh.shape[1] or residuals.max() <= asked:
            return _checked(times, space, values, rotation, k, asked, products + k, restarts)
        if space.full:
            space.restart(values, rotation, k)
            restarts += 1
        space.grow()
    raise NumericalError(
        f"the eigenvectors did not converge in {products} matrix-vector products (residuals up to "
        f"{residuals.max() / size:.1e} of the norm, {tolerance:.0e} needed): eigenvalue {k} stands too close to the "
        "next ones. Ask for another k, or leave out weakly connected parts of a graph."
    )


class _Space:
    """An orthonormal basis V = [kept Ritz vectors, blocks], VᵀAV, and the part of A·(newest block) outside V."""

    def __init__(self, start: np.ndarray) -> None:
        n, width = start.shape
        self.width = width
        # Long cycles pay: a restart forgets what it cuts off. The bound is a gigabyte, at four blocks or more.
        blocks = max(4, min(24, int(1e9 / (8 * n * width))))
        self.capacity = min(n, max(blocks * width, 60))
        self.store = np.empty((n, self.capacity), order="F")
        self.store[:, : self.width] = np.linalg.qr(start)[0]
        self.inner = np.zeros((self.width, self.width))
        self.used = self.last = self.width

    @property
    def basis(self) -> np.ndarray:
        return self.store[:, : self.used]

    @property
    def full(self) -> bool:
        return self.used + self.fresh.shape[1] > self.capacity

    def expand(self, times: Callable[[np.ndarray], np.ndarray], noise: float) -> int:
        """Multiply the newest block; orthogonalize twice, since once leaves rounding in a short remainder."""
        image = times(self.basis[:, -self.last :])
        side = self.basis.T @ image
        image -= self.basis @ side
        again = self.basis.T @ image
        image -= self.basis @ again
        side += again
        self.inner[:, -self.last :] = side
        self.inner[-self.last :, :] = side.T
        fresh, self.corner = np.linalg.qr(image)
        turn, sizes, _ = np.linalg.svd(self.corner)
        fresh = fresh @ turn[:, sizes > noise]
        # At length 1 now: a short column carried rounding of the basis out of proportion to itself.
        for _ in range(2 if (sizes < SHORT * np.linalg.norm(side)).any() else 0):
            fresh = np.linalg.qr(fresh - self.basis @ (self.basis.T @ fresh))[0]
        self.fresh = fresh[:, : len(fresh) - self.used]
        return self.last

    def grow(self) -> None:
        """Append the remainder to the basis as its newest block."""
        width = self.fresh.shape[1]
        self.store[:, self.used : self.used + width] = self.fresh
        self.used += width
        self.last = width
        self.inner = np.pad(self.inner, (0, width))

    def restart(self, values: np.ndarray, rotation: np.ndarray, k: int) -> None:
        """Keep the Ritz vectors that matter: the wanted ones, and as many more as leave room for new blocks."""
        keep = min(k + (self.capacity - k) // 3, self.used)
        self.store[:, :keep] = self.basis @ rotation[:, :keep]
        self.used = keep
        self.inner = np.diag(values[:keep])


def _checked(
    times: Callable[[np.ndarray], np.ndarray],
    space: _Space,
    values: np.ndarray,
    rotation: np.ndarray,
    k: int,
    accepted: float,
    products: int,
    restarts: int,
) -> Eigenpairs:
    """Check the answer by residuals from fresh products, since rounding can make those of the recurrence too small."""
    vectors = fix_signs(space.basis @ rotation[:, :k])
    residuals = np.linalg.norm(times(vectors) - vectors * values[:k], axis=0)
    if residuals.max() > 100 * accepted:
        raise NumericalError(
            f"the eigenvectors have residuals of {residuals.max():.1e} where {accepted:.1e} was computed; the weights "
            "of the graph differ by too many orders of magnitude: rescale or leave out the smallest."
        )
    following = float(values[k]) if len(values) > k else float("nan")
    return Eigenpairs(values[:k], vectors, residuals, following, products, restarts)
