"""One sparse component: the direction of bounded ℓ1 norm along which an operator is largest."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from fairstats.linalg.deflation import Deflation
from fairstats.linalg.eigen import fix_signs
from fairstats.linalg.threshold import l1_sphere

SINGLE_STARTS = 5
TRIAL_STEPS = 25  # steps after which only the best starts go on
CLIMBS = 2  # so many of them
SETTLED = 8  # steps without a change of the entries that are not 0, after which Newton's method is tried
LARGEST_SYSTEM = 400  # entries up to which it is


@dataclass(frozen=True)
class SparseComponent:
    """A unit vector u with ‖u‖₁ ≤ t, its image Cu, uᵀCu, and how it was found."""

    u: np.ndarray
    image: np.ndarray
    d2: float
    iterations: int
    converged: bool
    objective: np.ndarray  # after every step


def sparse_component(operator: Deflation, t: float, tolerance: float, max_iter: int) -> SparseComponent:
    """Maximize uᵀCu over ‖u‖₂ ≤ 1, ‖u‖₁ ≤ t by u ← S_θ(Cu)/‖·‖ from several starts.

    Parameters
    ----------
    operator : Deflation
        C (p × p), positive semi-definite.
    t, tolerance, max_iter : as for ``sog``

    Notes
    -----
    Starts are the leading eigenvector and the five best single columns, all at once for 25 steps. Then the steps of the
    best two are lengthened along the last move (Nesterov's momentum) as long as the objective does not fall; where it
    would, a plain step is taken, which never lets it fall. Once the entries that are not 0 stay the same, Newton's
    method on the stationary equations of these entries jumps to the end; what it finds is taken only where it is a
    local maximum by its first and second derivatives and no lower. The end is a fixed point of the plain step.
    """
    diagonal = operator.diagonal
    best = np.argsort(-diagonal, kind="stable")[:SINGLE_STARTS]
    singles = np.zeros((len(diagonal), len(best)))
    singles[best, np.arange(len(best))] = 1.0
    U = np.hstack([l1_sphere(operator.leading(), t), singles])
    active = np.arange(U.shape[1])
    traces: list[list[float]] = [[] for _ in active]
    for _ in range(min(TRIAL_STEPS, max_iter)):
        image = operator.times(U[:, active])
        for a, value in zip(active.tolist(), np.einsum("pb,pb->b", U[:, active], image).tolist(), strict=True):
            traces[a].append(value)
        moved = _step(U[:, active], image, t)
        change = np.linalg.norm(moved - U[:, active], axis=0)
        U[:, active] = moved
        active = active[change > tolerance]
        if not len(active):
            break
    values = np.array([trace[-1] for trace in traces])
    ends: list[SparseComponent] = []
    for j in np.argsort(-values.round(_digits(values)), kind="stable"):
        if len(ends) < CLIMBS and all(abs(end.u @ U[:, j]) < 1 - 1e-6 for end in ends):
            ends.append(_end(operator, t, U[:, j], traces[j], j not in active, tolerance, max_iter))
    # Ends that are equal but for rounding: the first start decides, so that results do not hang on it.
    highest = max(end.d2 for end in ends)
    return next(end for end in ends if end.d2 >= highest * (1 - 1e-12))


def _digits(values: np.ndarray) -> int:
    """Decimal places that leave twelve digits of the largest."""
    return 12 - int(np.ceil(np.log10(max(float(values.max()), 1e-280))))


def _end(
    operator: Deflation, t: float, u: np.ndarray, trace: list[float], done: bool, tolerance: float, max_iter: int
) -> SparseComponent:
    """Where one start ends that has come to u, along the objectives of ``trace``."""
    trace, image = list(trace), operator.times(u[:, None])[:, 0]
    if not done:
        climb = _Climb(operator, t, u, image)
        for change in climb.steps(max_iter - len(trace)):
            trace.append(climb.value)
            if change <= tolerance:
                done = True
                break
        u, image = climb.u, climb.image
    sign = 1.0 if fix_signs(u[:, None])[:, 0] @ u > 0 else -1.0
    return SparseComponent(sign * u, sign * image, float(u @ image), len(trace), done, np.array(trace))


def _step(U: np.ndarray, image: np.ndarray, t: float) -> np.ndarray:
    alive = np.abs(image).max(axis=0) > 0
    moved = U.copy()
    if alive.any():
        moved[:, alive] = l1_sphere(image[:, alive], t)
    return moved


class _Climb:
    """The way of one u upward: ``u``, its image Cu and its value, none of which is ever lower than before."""

    def __init__(self, operator: Deflation, t: float, u: np.ndarray, image: np.ndarray) -> None:
        self.operator, self.t = operator, t
        self.u, self.image, self.value = u, image, float(u @ image)

    def steps(self, most: int) -> Iterator[float]:
        """Take up to ``most`` steps; after each, how far a plain step moved, or infinity after another kind of step."""
        before, momentum, same, wait = (self.u, self.image), 0, 0, SETTLED
        for _ in range(most):
            support = self.u != 0
            if momentum:
                weight = momentum / (momentum + 3)
                ahead = self.image + weight * (self.image - before[1])  # C(u + w(u − before)): no product of its own
                before = self.u, self.image
                if not self._take(ahead):
                    momentum, before = 0, (self.u, self.image)
                    continue
                plain = np.inf if np.linalg.norm(self.u - before[0]) > 0 else 0.0
            else:
                before = self.u, self.image
                self._take(self.image, whatever=True)
                plain = float(np.linalg.norm(self.u - before[0]))
            momentum += 1
            same = same + 1 if np.array_equal(support, self.u != 0) else 0
            if same >= wait:
                wait = SETTLED if self._newton() else 2 * wait
                same, momentum = 0, 0  # a plain step follows, which says whether this is the end
            yield plain
            if np.linalg.norm(self.u - before[0]) < 1e-9:
                momentum = 0

    def _take(self, ahead: np.ndarray, whatever: bool = False) -> bool:
        """Move to S_θ(ahead)/‖·‖ where that is not lower, or ``whatever`` it is."""
        u = _step(self.u[:, None], ahead[:, None], self.t)
        image = self.operator.times(u)[:, 0]
        value = float(u[:, 0] @ image)
        if not whatever and value < self.value:
            return False
        self.u, self.image, self.value = u[:, 0], image, value
        return True

    def _newton(self, rounds: int = 6) -> bool:
        """Solve Cu = μu + θs, ‖u‖ = 1, sᵀu = t on the entries that are not 0 (signs s); go there if it is a peak."""
        A = np.flatnonzero(self.u)
        u, s, m = self.u[A], np.sign(self.u[A]), len(A)
        if not 2 < m <= LARGEST_SYSTEM or s @ u < self.t * (1 - 1e-9):
            return False
        columns = np.zeros((len(self.u), m))
        columns[A, np.arange(m)] = 1.0
        C = self.operator.times(columns)[A]
        mu, theta = np.linalg.lstsq(np.column_stack([u, s]), C @ u, rcond=None)[0]
        system = np.zeros((m + 2, m + 2))
        for _ in range(rounds):
            rest = np.r_[mu * u + theta * s - C @ u, (u @ u - 1) / 2, s @ u - self.t]
            system[:m, :m] = C - mu * np.eye(m)
            system[:m, m:] = -np.column_stack([u, s])
            system[m:, :m] = system[:m, m:].T
            try:
                change = np.linalg.solve(system, rest)
            except np.linalg.LinAlgError:
                return False
            u, mu, theta = u + change[:m], mu + change[m], theta + change[m + 1]
            if np.linalg.norm(change[:m]) < 1e-13:
                break
        if theta < 0 or not (u * s > 0).all():
            return False
        tangent = np.linalg.qr(np.column_stack([u, s]), mode="complete")[0][:, 2:]
        if np.linalg.eigvalsh(tangent.T @ C @ tangent)[-1] >= mu:
            return False
        made = np.zeros_like(self.u)
        made[A] = u / np.linalg.norm(u)
        image = self.operator.times(made[:, None])[:, 0]
        outside = np.abs(np.delete(image, A)).max(initial=0.0)
        value = float(made @ image)
        if outside > theta * (1 + 1e-12) or value < self.value:
            return False
        self.u, self.image, self.value = made, image, value
        return True
