"""What can be computed from published sums: the range of a count over all tables that agree with them."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

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
    []
    >>> attack.narrow(csr_array([[1.0, 1.0]]), pair, pair, np.array([1.0, 1.0]), np.array([6.0, 7.0]))
    [1]
    """

    def __init__(self, truth: Floats) -> None:
        self.truth = truth
        self._witnesses = [truth]

    def narrow(
        self,
        sums: csr_array,
        floors: csr_array,
        counts: csr_array,
        low: Floats,
        high: Floats,
        owners: Sequence[Hashable] | None = None,
    ) -> list[int]:
        """The counts whose range does not reach from `low` to `high`.

        Parameters
        ----------
        sums, floors : sparse, shape (m, v)
            A and B.
        counts : sparse, shape (k, v)
            The protected counts.
        low, high : ndarray, shape (k,)
            What must be possible; ``high - low`` with NaN in `low` asks for a width, wherever the range lies.

        owners : sequence, optional
            Whose count it is: of each owner the first one is looked for.

        Returns
        -------
        list of int
        """
        program, seen = _Program(sums, floors, self.truth), _Seen(counts, low, high)
        for witness in self._witnesses:
            seen.add(witness)
        for sign in (1.0, -1.0):
            left = np.flatnonzero(seen.short(sign) & ~np.isnan(low))
            if left.size > 1:  # one program that brings as many counts as it can to their ends at once
                self._keep(program.joint(counts[left], sign, (high if sign > 0 else -low)[left]), seen)
        failing: dict[Hashable, int] = {}
        for i, owner in enumerate(owners or range(counts.shape[0])):
            for sign in (1.0, -1.0):
                if owner not in failing and seen.short(sign)[i]:
                    self._keep(program.extreme(counts[[i]], sign), seen)
                    if seen.short(sign)[i] and (sign < 0 or low[i] == low[i]):
                        failing[owner] = i
        return list(failing.values())

    def _keep(self, witness: Floats, seen: _Seen) -> None:
        self._witnesses.append(witness)
        seen.add(witness)


class _Seen:
    """The least and greatest values of counts over the solutions seen so far."""

    def __init__(self, counts: csr_array, low: Floats, high: Floats) -> None:
        self.counts, self.low, self.high = counts, low, high
        self.least, self.most = np.full(low.size, np.inf), np.full(low.size, -np.inf)

    def add(self, solution: Floats) -> None:
        """Look at one solution."""
        values = self.counts @ solution
        self.least, self.most = np.minimum(self.least, values), np.maximum(self.most, values)

    def short(self, sign: float) -> NDArray[np.bool_]:
        """Which counts have not been seen at their upper (sign 1) or lower end, or over their width."""
        end = self.most < self.high - TOLERANCE if sign > 0 else self.least > self.low + TOLERANCE
        return np.where(np.isnan(self.low), self.most - self.least < self.high - TOLERANCE, end)


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
