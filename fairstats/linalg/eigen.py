"""Top-k eigenpairs of a symmetric matrix, and the sign and rank conventions of the package."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import scipy
from scipy import linalg

from fairstats.errors import Call, NumericalError

EPS = float(np.finfo(float).eps)
LOST = 16  # times rounding: a correlation above is one


def top_eigen(C: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the k algebraically largest eigenpairs of a symmetric p × p matrix, largest first, signs fixed.

    C: shape (p, p).
    Returns: values: shape (k,); vectors: shape (p, k).

    >>> top_eigen(np.diag([1.0, 3.0, 2.0]), 2)[0].tolist()
    [3.0, 2.0]
    """
    p = len(C)
    C, order = _graded(C)
    try:
        values, vectors = linalg.eigh(C, subset_by_index=(p - k, p - 1), driver="evr", check_finite=False)
    except np.linalg.LinAlgError:
        values = np.empty(0)
    if len(values) < k:  # LAPACK's search among equal values may find none, or say so (scipy issue 13913)
        values, vectors = linalg.eigh(C, driver="evd", check_finite=False)
        values, vectors = values[p - k :], vectors[:, p - k :]
    if order is not None:  # the solver's values are good to the largest of them, those of the vectors to themselves
        values = np.einsum("pk,pk->k", vectors, C @ vectors)
        vectors[order] = vectors.copy()
    return values[::-1], fix_signs(vectors[:, ::-1])


def top_values(C: np.ndarray, k: int) -> np.ndarray:
    """Return the k algebraically largest eigenvalues of a symmetric matrix, largest first."""
    p = len(C)
    C, _ = _graded(C)
    try:
        values = linalg.eigh(C, eigvals_only=True, subset_by_index=(p - k, p - 1), driver="evr", check_finite=False)
    except np.linalg.LinAlgError:
        values = np.empty(0)
    if len(values) < k:  # as in top_eigen
        values = linalg.eigh(C, eigvals_only=True, driver="evd", check_finite=False)[p - k :]
    return values[::-1]


def _graded(C: np.ndarray) -> tuple[np.ndarray, np.ndarray | None]:
    """C with its coordinates from large to small, and their order; C itself where they are of like size.

    Reduction to tridiagonal form starts with the first coordinate. Where that is the largest, the small ones keep
    their own relative precision (Barlow & Demmel 1990); where it is met later, its rounding drowns them.
    """
    size = np.abs(np.diag(C))
    if not graded(C) or (size[:-1] >= size[1:]).all():
        return C, None
    order = np.argsort(-size, kind="stable")
    return C[np.ix_(order, order)], order


def graded(C: np.ndarray) -> bool:
    """Test whether the diagonal of a symmetric matrix spans more than four digits."""
    size = np.abs(np.diag(C))
    return bool(size.max() > 1e4 * size.min())


def fix_signs(U: np.ndarray) -> np.ndarray:
    """Return columns with their largest absolute entry positive; of entries equal to rounding, the first decides."""
    size = np.abs(U)
    sign = np.sign(U[np.argmax(size >= (1 - 1e-9) * size.max(axis=0), axis=0), np.arange(U.shape[1])])
    return U * np.where(sign == 0, 1.0, sign)


def pseudo_solve(R: np.ndarray, A: np.ndarray) -> np.ndarray:
    """Return R⁺A for a positive semi-definite matrix R (p × p), whose rank is measured against rounding of its values.

    >>> pseudo_solve(np.diag([4.0, 0.0]), np.ones((2, 1))).tolist()
    [[0.25], [0.0]]
    """
    p = len(R)
    if p >= 100:
        # Cholesky's factor where the rank is full beyond doubt: the estimated condition is good to a factor of ten.
        factor, failed = linalg.lapack.dpotrf(R, lower=1, clean=0)
        if not failed:
            rcond, _ = linalg.lapack.dpocon(factor, float(np.abs(R).sum(axis=0).max()), uplo="L")
            if rcond > 1e3 * p * EPS:
                return np.asarray(linalg.lapack.dpotrs(factor, A, lower=1)[0])
    values, V = np.linalg.eigh(R)
    kept = values > p * EPS * max(values[-1], 0.0)
    V, values = V[:, kept], values[kept]
    return np.asarray(V @ ((V.T @ A) / values[:, None]))


def well_conditioned(R: np.ndarray, most: float) -> bool:
    """Return whether the condition of a positive semi-definite matrix (p × p) is at most that; zeros do not count.

    >>> well_conditioned(np.diag([1.0, 1e-3, 0.0]), 1e6), well_conditioned(np.ones((2, 2)), 1e6)
    (True, False)
    """
    varies = np.diag(R) > 0
    R = R[np.ix_(varies, varies)] if not varies.all() else R
    if not len(R):
        return True
    factor, failed = linalg.lapack.dpotrf(R, lower=1, clean=0)
    if failed:
        return False
    rcond, _ = linalg.lapack.dpocon(factor, float(np.abs(R).sum(axis=0).max()), uplo="L")
    if rcond * most > 10:  # good to a factor of ten
        return True
    values = np.linalg.eigvalsh(R)
    return bool(values[-1] <= most * values[0])


def hidden_in_rounding(R: np.ndarray, A: np.ndarray, given: float = 0.0) -> float:
    """Return how much more than what R⁺A shows a combination of columns may explain, R (p × p) being rounded.

    R are correlations of p columns and A (p × q) those with q orthonormal others, both good to rounding. A direction in
    which the columns hardly vary is lost in R. It is none, the columns being combinations of others, where A is 0
    along it too, up to rounding; where A is not, it may explain everything. What is lost of other directions is of
    second order: with R + E for R, wᵀE R⁻¹Ew for w = R⁺A.

    given: what rounding of the columns before they came here adds, relative to their length.
    Returns: a squared correlation, at most 1.

    >>> A = np.array([[0.5], [0.5]])
    >>> hidden_in_rounding(np.ones((2, 2)), A) < 1e-20, hidden_in_rounding(np.ones((2, 2)), A + [[0.0], [1e-9]])
    (True, 1.0)
    """
    values, V = np.linalg.eigh(R)
    if not len(values) or not A.shape[1]:
        return 0.0
    p = len(values)
    solid = values > max(p, 16 * np.sqrt(p)) * EPS * values[-1]
    B, values = V.T @ A, values[solid]
    weights = float(np.linalg.norm(B[solid] / values[:, None], 2)) if solid.any() else 0.0
    lost = float(np.linalg.norm(B[~solid], 2)) if not solid.all() else 0.0
    # The lost directions are told from the others up to rounding over the others' values, which is that of R⁺A.
    if lost > LOST * (EPS * (1.0 + weights) + given):
        return 1.0
    return float(min((4 * EPS * weights) ** 2 / values[0], 1.0)) if len(values) else 0.0


def independent_columns(gram: np.ndarray, tolerance: float = 1e-10) -> tuple[int, ...]:
    """Return indices of the columns that are not combinations of earlier ones, from their Gram matrix.

    A column counts when what earlier ones leave of its squared length exceeds ``tolerance`` of it.
    """
    kept: list[int] = []
    for j in range(len(gram)):
        rest = gram[j, j]
        if kept:
            inner = gram[np.ix_(kept, kept)]
            rest -= gram[j, kept] @ np.linalg.solve(inner, gram[kept, j])
        if rest > tolerance * max(gram[j, j], np.finfo(float).tiny):
            kept.append(j)
    return tuple(kept)


def complement(Q: np.ndarray) -> np.ndarray:
    """Return an orthonormal basis (p × (p − r)) of what is orthogonal to the columns of Q (p × r, orthonormal)."""
    r = Q.shape[1]
    return linalg.qr(Q, mode="full", check_finite=False)[0][:, r:]


def column_space(A: np.ndarray, scale: float) -> np.ndarray:
    """Return an orthonormal basis of the columns of A, with singular values measured against ``scale``.

    ``scale`` is the natural size of the product that A is: for XᵀZ it is ‖X‖‖Z‖. A rule relative to A's own largest
    singular value would keep rounding noise when A is zero in exact arithmetic.
    """
    U, s, _ = np.linalg.svd(A, full_matrices=False)
    return U[:, s > 64 * EPS * max(scale, np.finfo(float).tiny)]


# Between two subspaces: the shortest rotation, and the point on it where a function is zero.


def geodesic(A: np.ndarray, B: np.ndarray) -> Callable[[float], np.ndarray]:
    """Return the path t ↦ Y(t) (p × k, orthonormal) of shortest rotation from span A (t = 0) to span B (t = 1).

    A, B: shape (p, k).
    Source: Edelman, Arias & Smith (1998), SIAM J. Matrix Anal. Appl. 20, section 2.5.

    >>> np.abs(geodesic(np.eye(3)[:, :1], np.eye(3)[:, 2:])(0.5).ravel()).round(6).tolist()
    [0.707107, 0.0, 0.707107]
    """
    left, cosines, right = np.linalg.svd(A.T @ B)
    start, end = A @ left, B @ right.T
    normal = end - start * cosines
    # Where a direction is shared its normal is rounding, and so is the angle: it stays where it is.
    length = np.linalg.norm(normal, axis=0)
    moving = length > 1e-12
    normal = np.where(moving, normal / np.where(moving, length, 1.0), 0.0)
    angles = np.where(moving, np.arctan2(length, cosines), 0.0)

    def at(t: float) -> np.ndarray:
        point = start * np.cos(t * angles) + normal * np.sin(t * angles)
        return np.linalg.qr(point)[0]

    return at


def balance(A: np.ndarray, B: np.ndarray, excess: Callable[[np.ndarray], float]) -> np.ndarray:
    """Return the subspace between A and B where ``excess``, which has different signs at A and B, is zero.

    Two eigenspaces of one matrix with a (nearly) tied eigenvalue are joined by a path of equally good subspaces, so
    a side condition that jumps between them can still be met exactly.
    """
    path = geodesic(A, B)
    at_start, at_end = excess(path(0.0)), excess(path(1.0))
    if at_start == 0 or at_end == 0 or (at_start > 0) == (at_end > 0):
        return path(0.0) if abs(at_start) <= abs(at_end) else path(1.0)
    return path(float(scipy.optimize.brentq(lambda t: excess(path(t)), 0.0, 1.0, xtol=1e-16, rtol=8.9e-16)))


# The largest eigenpairs of a symmetric operator known by its products: block Lanczos with thick restarts.


CYCLE = 10  # blocks from one restart to the next
SHORT = 1e-3  # a remainder shorter than this, beside the image, is made orthogonal again


@dataclass(frozen=True)
class Eigenpairs:
    """Eigenpairs, largest first, and what it took to find them.

    values: shape (k,).
    vectors: shape (n, k).
    residuals: ‖Av − λv‖, from a product of its own and not from the recurrence, shape (k,).
    following: Ritz value of the next eigenpair, NaN where the space has none; a lower bound of that eigenvalue.
    products: columns that the operator was applied to.
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

    times: ``times(V) = A V`` for V (n × b).
    start (n, b): a random block. With b ≥ k it meets every copy of a repeated eigenvalue, which single vectors can
        miss.
    size: an upper bound of ‖A‖: what residuals are relative to.
    tolerance: accepted ‖Av − λv‖ relative to ``size``. The values are then exact to its square over the gap.
    flat: a looser tolerance for a spectrum without a gap, in which vectors are determined the less: it counts once the
        basis has been full.
    most: products after which ``NumericalError`` is raised.
    Raises NumericalError: the residuals did not come down; the message has them.
    Source: Wu & Simon (2000), SIAM J. Matrix Anal. Appl. 22, 602-616 (thick restart). Golub & Van Loan (2013), Matrix
    Computations, section 10.3 (block Lanczos).

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
        arguments = (max(tolerance, flat) if restarts else tolerance) * size
        if not space.fresh.shape[1] or (len(values) >= k and residuals.max() <= arguments):
            return _checked(times, space, values, rotation, k, arguments, products + k, restarts)
        if space.full:
            space.restart(values, rotation, k)
            restarts += 1
        space.grow()
    raise NumericalError(
        f"the eigenvectors did not converge in {products} matrix-vector products (residuals up to "
        f"{residuals.max() / size:.1e} of the norm, {tolerance:.0e} needed): eigenvalue {k} stands too close to the "
        "next ones. Ask for another k, or leave out weakly connected parts of a graph."
    )


LOOKS = (1e-2, 1e-3)  # how closely the next eigenvalue is looked at, until it is seen to lie below


def largest_pairs_singly(
    times: Callable[[np.ndarray], np.ndarray], start: np.ndarray, k: int, size: float, *, tolerance: float, flat: float
) -> Eigenpairs:
    """As ``largest_pairs``, but vector by vector, which takes a third of the products of blocks.

    times: of an operator with no eigenvalue below 0.
    start (n, b): b ≥ k ≥ 2.

    Copies of a repeated eigenvalue may be missed. Among vectors orthogonal to what was found, the largest eigenvalue is
    therefore approached from a second start: above the k-th one, all is done again by blocks; else it is the next.
    """
    pairs = largest_pairs(times, start[:, :1], k, size, tolerance=tolerance, flat=flat)
    V, second, products = pairs.vectors, start[:, 1:2], pairs.products

    def off(B: np.ndarray) -> np.ndarray:
        return B - V @ (V.T @ B)

    for near in LOOKS if len(pairs.values) == k else ():
        beyond = largest_pairs(lambda B: off(times(off(B))), off(second), 1, size, tolerance=near)
        products += beyond.products
        below = float(pairs.values[-1] - beyond.values[0])
        if below < -flat * size:
            break
        if near == LOOKS[-1] or below > 10 * beyond.residuals[0]:
            return replace(pairs, following=max(float(beyond.values[0]), pairs.following), products=products)
        second = beyond.vectors
    return largest_pairs(times, start, k, size, tolerance=tolerance, flat=flat)


class _Space:
    """An orthonormal basis V = [kept Ritz vectors, blocks], VᵀAV, and the part of A·(newest block) outside V."""

    def __init__(self, start: np.ndarray) -> None:
        n, width = start.shape
        self.width = width
        # Long cycles forget less at a restart, and cost more to keep orthogonal. The bound is a gigabyte.
        blocks = max(4, min(CYCLE, int(1e9 / (8 * n * width))))
        self.capacity = min(n, max(blocks * width, 60))
        self.store = np.empty((n, self.capacity), order="F")
        self.store[:, : self.width] = np.linalg.qr(start)[0]
        self.inner = np.zeros((self.width, self.width))
        self.used = self.last = self.width
        self.near = 0  # the column from which on the next image has more than rounding in the basis

    @property
    def basis(self) -> np.ndarray:
        return self.store[:, : self.used]

    @property
    def full(self) -> bool:
        return self.used + self.fresh.shape[1] > self.capacity

    def expand(self, times: Callable[[np.ndarray], np.ndarray], noise: float) -> int:
        """Multiply the newest block; orthogonalize twice, since once leaves rounding in a short remainder.

        The operator is symmetric, so that all but the last two blocks get nothing but that rounding.
        """
        image = times(self.basis[:, -self.last :])
        near = self.basis[:, self.near :]
        side = near.T @ image
        image -= near @ side
        again = self.basis.T @ image
        image -= self.basis @ again
        again[self.near :] += side
        side, self.near = again, self.used - self.last
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
        self.used, self.near = keep, 0
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


# Truncated SVD of a matrix known by its products: block Krylov iteration (Musco & Musco 2015), residual checked.


Product = Callable[[np.ndarray], np.ndarray]

_UNITS = 64  # units of rounding, relative to ‖A‖, up to which a remainder is taken for none
_BLOCKS = 10  # a spectrum that has not converged after so many is flat
_EVEN = 3  # after so many where no direction is set aside: restarts keep less orthogonal
_APART = 1e3  # of singular values no further apart than this, squares in one matrix keep ten digits of the smaller one


def truncated_svd(
    times: Product,
    transposed: Product,
    shape: tuple[int, int],
    k: int,
    *,
    tolerance: float = 1e-9,
    values_only: bool = False,
    seed: int = 0,
    most: int = 60,
) -> tuple[np.ndarray, np.ndarray]:
    """Return the k largest singular values and right singular vectors of A.

    times, transposed: ``times(V) = A V`` for V (p × b), ``transposed(W) = Aᵀ W`` for W (n × b).
    shape: (n, p).
    tolerance: accepted ‖AᵀAu − s²u‖ relative to s₁², and ten times that relative to s² itself: a direction that
        dominates does not loosen the tolerance of the next ones. Less than rounding, 64 ε s₁ s, cannot be had. Values
        are good to the square.
    values_only: only sums of squares are wanted: relative to s₁² will do.
    seed: the starting block is random but reproducible.
    most: iterations after which ``NumericalError`` is raised.
    Returns: values: shape (k,); vectors: orthonormal; beyond the rank of A they are any directions, and the values are
        0, shape (p, k).

    Squared, a direction 1e-6 times as long as the first would drown in the rounding of it. So A V = W B is kept with V
    and W both orthonormal, and B's singular values are A's. Directions that stand out converge soon. Those of a flat
    spectrum do not: then the long ones are set aside, and the others, which are of like size, are found by a Lanczos
    iteration with restarts on AᵀA or AAᵀ, whichever is smaller (products of it, never the matrix).

    Source: Golub, Luk & Overton (1981), ACM Trans. Math. Softw. 7, 149-169 (block bidiagonalization). Wu & Simon
    (2000), SIAM J. Matrix Anal. Appl. 22, 602-616 (thick restart).
    """
    n, p = shape
    rng = np.random.default_rng(seed)
    # Aᵀ of a random block lies in the row space, so the basis never outgrows the rank.
    start = transposed(rng.standard_normal((n, min(k + 8, n, p))))
    V, _ = next_block(np.empty((p, 0)), start, _rounding(start))
    W, B, fresh, noise, checked = np.empty((n, 0)), np.empty((0, 0)), V, 0.0, 0
    for blocks in range(1, most + 1):
        image = times(fresh)
        side = W.T @ image
        noise = max(noise, _rounding(image))
        new, _ = next_block(W, image, noise)
        B = np.block([[B, side], [np.zeros((new.shape[1], B.shape[1])), new.T @ image]])
        W = np.hstack([W, new])
        fresh, corner = next_block(V, transposed(new), noise)
        fresh = fresh[:, : min(n, p) - V.shape[1]]
        # Judged at every step while that costs less than the products, then each time B has grown by an eighth.
        if not fresh.shape[1] or 5 * len(B) ** 3 <= n * p * new.shape[1] or len(B) >= 1.125 * checked:
            checked = len(B)
            left, values, right = np.linalg.svd(B, full_matrices=False)
            # Aᵀ maps every block of W but the newest into V: what sticks out of it is left of Aᵀw − su.
            residual = values[:k] * np.linalg.norm(corner @ left[len(B) - new.shape[1] :, :k], axis=0)
            squares = values[:k] ** 2
            arguments = np.full(len(squares), squares.max(initial=0.0))
            arguments = tolerance * (arguments if values_only else np.minimum(arguments, 10 * squares))
            arguments = np.maximum(arguments, noise * values[:k])
            if not fresh.shape[1] or (len(values) >= k and np.all(residual <= arguments)):
                return _completed(values[:k], V @ right[:k].T, k, rng)
            long = int(np.sum(values[:k] > _APART * values[k - 1]))
            flat = blocks >= (_BLOCKS if long else _EVEN) and min(n, p) > 4 * len(B)
            if flat and np.all(residual[:long] <= arguments[:long]):
                result = _Triplets(W @ left[:, : k + 1], values[: k + 1], V @ right[: k + 1].T)
                return _flat_rest(times, transposed, result, long, float(arguments[long:].min()))
        V = np.hstack([V, fresh])
    raise NumericalError(
        f"the truncated SVD did not reach a residual of {tolerance:g} in {most} iterations; "
        "ask for another k, or use rows ≥ columns so that the moments route is taken."
    )


class _Triplets(NamedTuple):
    """Singular triplets, one more than are wanted; the last of them not yet good to what is asked."""

    left: np.ndarray  # (n, k + 1)
    values: np.ndarray  # (k + 1,)
    right: np.ndarray  # (p, k + 1)


def _flat_rest(
    times: Product, transposed: Product, result: _Triplets, long: int, accepted: float
) -> tuple[np.ndarray, np.ndarray]:
    """Return the k largest singular values and right singular vectors, the first ``long`` as they were found."""
    tall = len(result.left) >= len(result.right)
    near = result.right if tall else result.left
    there, back = (times, transposed) if tall else (transposed, times)
    aside = near[:, :long]

    def off(V: np.ndarray) -> np.ndarray:
        return V - aside @ (aside.T @ V)

    size, k = float(result.values[long]) ** 2, len(result.values) - 1
    start = off(near[:, long:])
    start[:, 0] = start.sum(axis=1)  # a vector alone has to meet all that are wanted
    start[:, 1] = off(np.random.default_rng(0).standard_normal(len(near)))
    pairs = largest_pairs_singly(
        lambda V: off(back(there(off(V)))), start, k - long, size, tolerance=accepted / size, flat=accepted / size
    )
    rest = pairs.vectors if tall else transposed(pairs.vectors)
    vectors, triangle = np.linalg.qr(np.hstack([result.right[:, :long], rest]))
    values = np.linalg.norm(times(vectors), axis=0)
    order = np.argsort(-values, kind="stable")
    return values[order], fix_signs((vectors * np.sign(np.diag(triangle)))[:, order])


def _rounding(image: np.ndarray) -> float:
    """Return the size of the rounding errors of a product with these columns."""
    return _UNITS * EPS * float(np.linalg.norm(image, 2)) if image.size else 0.0


def _completed(
    values: np.ndarray, vectors: np.ndarray, k: int, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Fill up to k singular values with zeros, and directions orthogonal to the others, where the rank is below k."""
    lost = k - len(values)
    if lost:
        more, _ = next_block(vectors, rng.standard_normal((len(vectors), lost)), 0.0)
        values, vectors = np.pad(values, (0, lost)), np.hstack([vectors, more])
    return values, fix_signs(vectors)


def next_block(basis: np.ndarray, block: np.ndarray, noise: float) -> tuple[np.ndarray, np.ndarray]:
    """Return the part of a block (p × b) that is outside an orthonormal basis (p × m), orthonormal, and its triangle R.

    Directions shorter than ``noise`` are rounding and left out: normalized, they would point anywhere, back into the
    basis too. No column left means that the basis spans an invariant subspace.

    >>> next_block(np.eye(3)[:, :1], np.array([[5.0, 1.0], [2.0, 0.0], [0.0, 1e-18]]), 1e-15)[0].round(9).T + 0.0
    array([[0., 1., 0.]])
    """
    fresh, corner = np.linalg.qr(block - basis @ (basis.T @ block))
    if not corner.size:
        return fresh, corner
    turn, sizes, _ = np.linalg.svd(corner)
    fresh = fresh @ turn[:, sizes > noise]
    # Again, now at length 1: a short column carried rounding of the basis out of proportion to itself.
    return np.linalg.qr(fresh - basis @ (basis.T @ fresh))[0], corner


# Linear equations with a positive semi-definite matrix known by its products: conjugate gradients.


def solved(times: Callable[[np.ndarray], np.ndarray], B: np.ndarray, tolerance: float, most: int = 3000) -> np.ndarray:
    """Return the solution Y of least length of A Y = B, for B (p × q) within the column space of A.

    times: ``times(V) = A V`` for V (p × b), A symmetric positive semi-definite.
    B: shape (p, q).
    tolerance: accepted ‖AY − B‖ of a column, relative to that of B.
    most: steps after which ``NumericalError`` is raised.
    Returns: shape (p, q).
    Source: Hestenes & Stiefel (1952), J. Res. Natl. Bur. Stand. 49, 409-436.

    >>> solved(lambda V: np.diag([2.0, 4.0, 0.0]) @ V, np.array([[2.0], [2.0], [0.0]]), 1e-12).ravel().tolist()
    [1.0, 0.5, 0.0]
    """
    Y, rest, step = np.zeros_like(B), B.copy(), B.copy()
    square = np.sum(rest**2, axis=0)
    arguments = tolerance**2 * square
    for _ in range(most):
        if np.all(square <= arguments):
            return Y
        image = times(step)
        curve = np.sum(step * image, axis=0)
        length = np.where(curve > 0, square / np.where(curve > 0, curve, 1.0), 0.0)
        length = np.where(square > arguments, length, 0.0)  # a column that is done stays as it is
        Y += length * step
        rest = rest - length * image
        new = np.sum(rest**2, axis=0)
        step = rest + np.where(square > 0, new / np.where(square > 0, square, 1.0), 0.0) * step
        square = new
    raise NumericalError(
        f"X has columns that are nearly combinations of others: linear equations with its correlations left residuals "
        f"of {np.sqrt((square / np.maximum(arguments, 1e-300)).max()) * tolerance:.0e} "
        f"after {most} steps, {tolerance:.0e} "
        f"needed; leave out such columns, or pass {Call('moments', ('X', 'groups'))}, which takes 8 bytes for "
        "each pair of columns."
    )
