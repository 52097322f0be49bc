"""What can be computed from published sums: the range of a count over all tables that agree with them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linprog
from scipy.sparse import csr_array, hstack, vstack
from scipy.sparse import identity as eye

from fairstats.errors import NumericalError

Floats = NDArray[np.float64]
TOLERANCE = 1e-6


class Attack:
    """Ranges of counts x ≥ 0 under published sums A x = A x₀ and floors B x ≥ 1, x₀ being the truth.

    Every solution of a linear program is kept as a witness: publishing less leaves it a solution, so that what was once
    shown to be wide is never solved again.

    Parameters
    ----------
    truth : ndarray, shape (v,)
        x₀.

    Examples
    --------
    Two groups of which the sum, 7, is known: either may have everybody but one.

    >>> attack = Attack(np.array([2.0, 5.0]))
    >>> pair = csr_array(np.eye(2))
    >>> attack.narrow(csr_array([[1.0, 1.0]]), pair, pair, np.array([1.0, 1.0]), np.array([6.0, 6.0]))
    >>> attack.narrow(csr_array([[1.0, 1.0]]), pair, pair, np.array([1.0, 1.0]), np.array([6.0, 7.0]))
    1
    """

    def __init__(self, truth: Floats) -> None:
        self.truth = truth
        self._witnesses = truth[:, None]

    def narrow(self, sums: csr_array, floors: csr_array, counts: csr_array, low: Floats, high: Floats) -> int | None:
        """The first count whose range does not reach from `low` to `high`; None where all do.

        Parameters
        ----------
        sums, floors : sparse, shape (m, v)
            A and B.
        counts : sparse, shape (k, v)
            The protected counts.
        low, high : ndarray, shape (k,)
            What must be possible; ``high - low`` with NaN in `low` asks for a width, wherever the range lies.

        Returns
        -------
        int or None
        """
        program = _Program(sums, floors, self.truth)
        absolute = ~np.isnan(low)
        top, bottom = np.where(absolute, high, np.inf), np.where(absolute, low, -np.inf)
        for sign, ends in ((1.0, top), (-1.0, -bottom)):
            self._together(program, counts, sign, ends)
        for i in range(counts.shape[0]):
            for sign in (1.0, -1.0):
                if not self._reached(counts[[i]], low[i], high[i]):
                    self._keep(program.extreme(counts[[i]], sign))
            if not self._reached(counts[[i]], low[i], high[i]):
                return i
        return None

    def _reached(self, count: csr_array, low: float, high: float) -> bool:
        seen = (count @ self._witnesses).ravel()
        if low != low:
            return bool(np.ptp(seen) >= high - TOLERANCE)
        return bool(seen.max() >= high - TOLERANCE and seen.min() <= low + TOLERANCE)

    def _together(self, program: _Program, counts: csr_array, sign: float, ends: Floats) -> None:
        """One program that brings as many counts as it can to their ends at once."""
        seen = sign * (counts @ self._witnesses)
        left = np.flatnonzero((seen.max(axis=1) < ends - TOLERANCE) & np.isfinite(ends))
        if left.size > 1:
            self._keep(program.joint(counts[left], sign, ends[left]))

    def _keep(self, witness: Floats) -> None:
        self._witnesses = np.column_stack([self._witnesses, witness])


class _Program:
    """The linear program without the variables that the sums fix one by one."""

    def __init__(self, sums: csr_array, floors: csr_array, truth: Floats) -> None:
        single = np.diff(sums.indptr) == 1
        fixed = np.zeros(truth.size, dtype=bool)
        fixed[sums[single].indices] = True
        self.truth, self.free = truth, np.flatnonzero(~fixed)
        left = sums[:, self.free]
        self.sums = left[np.diff(left.indptr) > 0]
        self.equal = self.sums @ truth[self.free]
        self.floors = floors[:, self.free]
        self.least = 1 - (floors @ truth - self.floors @ truth[self.free])

    def extreme(self, count: csr_array, sign: float) -> Floats:
        """A solution at which the count is greatest (sign 1) or smallest (sign -1)."""
        return self._solved(-sign * count[:, self.free].toarray().ravel(), self.sums, -self.floors, -self.least, None)

    def joint(self, counts: csr_array, sign: float, ends: Floats) -> Floats:
        """A solution at which the sum of the counts, each counted up to its end only, is greatest."""
        k, rows = counts.shape[0], counts[:, self.free]
        at_truth = sign * (counts @ self.truth - rows @ self.truth[self.free])  # the part that is known
        cost = np.concatenate([np.zeros(self.free.size), -np.ones(k)])
        equal = hstack([self.sums, csr_array((self.sums.shape[0], k))], format="csr")
        above = vstack(
            [hstack([-self.floors, csr_array((self.floors.shape[0], k))]), hstack([-sign * rows, eye(k)])], format="csr"
        )
        bounds = [(0, None)] * self.free.size + [(None, float(end)) for end in ends]
        return self._solved(cost, equal, above, np.concatenate([-self.least, at_truth]), bounds)

    def _solved(self, cost: Floats, equal: csr_array, above: csr_array, limit: Floats, bounds: list | None) -> Floats:
        if not self.free.size:
            return self.truth
        found = linprog(
            cost, A_ub=above, b_ub=limit, A_eq=equal, b_eq=self.equal, bounds=bounds or (0, None), method="highs"
        )
        if found.status not in (0, 3):
            raise NumericalError(f"the linear program of the suppression ended with: {found.message}")
        solution = self.truth.copy()
        solution[self.free] = found.x[: self.free.size]
        return solution
