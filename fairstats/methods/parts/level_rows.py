"""What the maps that know a row's group share: centered rows, the regression on the groups, the rows of a level."""

from __future__ import annotations

from typing import Any

import numpy as np

from fairstats.data.centered import Centered, centered
from fairstats.data.design import Design
from fairstats.data.scaling import freedom
from fairstats.errors import InputError, listing

NOTE = (
    "New rows need their group. Means are made equal, so no linear probe of the training rows finds the groups; other "
    "probes may."
)


class LevelRows:
    """The rows of a level with their weights, and the divisor of their sum of squares."""

    def __init__(self, inside: np.ndarray, mass: np.ndarray) -> None:
        self.inside, self.mass = inside, mass[inside]
        self.freedom = float(freedom(self.mass.sum(), self.mass @ self.mass))

    @property
    def count(self) -> float:
        """How many rows of equal weight are worth as much: (Σw)²/Σw²."""
        return float(self.mass.sum() ** 2 / (self.mass @ self.mass))

    def mean(self, rows: np.ndarray) -> np.ndarray:
        """Return the mean (p,) of these among all rows."""
        return np.asarray(self.mass @ rows[self.inside] / self.mass.sum())

    def mean_sd(self, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the mean and standard deviation (p,) of these among all rows."""
        mean = self.mean(rows)
        return mean, np.sqrt(self.mass @ (rows[self.inside] - mean) ** 2 / self.freedom)

    def mean_covariance(self, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the mean (p,) and covariance matrix (p, p) of these among all rows."""
        mean = self.mean(rows)
        own = np.sqrt(self.mass)[:, None] * (rows[self.inside] - mean)
        return mean, own.T @ own / self.freedom


def levels_of(design: Design, method: str) -> tuple[tuple[str, ...], np.ndarray, list[LevelRows]]:
    """Return the levels of the one attribute, their codes (n,), and the rows of each.

    Raises
    ------
    InputError
        No groups, several attributes or a continuous one, a level of one row.
    """
    if design.groups is None:
        raise InputError(f"groups is missing; {method} takes out what they explain.")
    if len(design.groups.factors) != 1 or design.groups.continuous_names:
        names = listing((*design.groups.names, *design.groups.continuous_names))
        raise InputError(f"groups has {names}; {method} takes one attribute: join two as 'a:b', cut numbers.")
    factor = design.groups.factors[0]
    mass = masses(design)
    parts = [LevelRows(factor.codes == g, mass) for g in range(len(factor.levels))]
    small = [level for level, part in zip(factor.levels, parts, strict=True) if not part.freedom]
    if small:
        raise InputError(
            f"groups has the level {listing(small)} with one row, which has no spread; merge it, or drop it."
        )
    return factor.levels, factor.codes, parts


def masses(design: Design) -> np.ndarray:
    """Return the weights (n,), 1 where there are none."""
    return np.ones(design.n) if design.weights is None else design.weights


def centered_rows(design: Design, view: Centered) -> np.ndarray:
    """Return dense rows less their mean, which is subtracted twice: that of numbers near 1e8 is rounded."""
    mass = masses(design)
    dense: Any = design.X
    rows = np.asarray(dense.toarray() if hasattr(dense, "toarray") else dense) - view.scaling.center
    rows -= mass @ rows / mass.sum()
    return rows


def regressed(design: Design, method: str) -> tuple[Centered, np.ndarray, np.ndarray, float]:
    """Return the view, the regression M (q, p) of the features on the groups, their R² (p,), and what it explains.

    Raises
    ------
    InputError
        No groups.
    """
    if design.groups is None:
        raise InputError(f"groups is missing; {method} takes out what they explain.")
    view = centered(design)
    M = np.linalg.solve(view.gram_z, view.cross_z)
    lost = np.einsum("qp,qp->p", view.cross_z, M)
    squares = view.squares
    return view, M, np.clip(lost / np.where(squares > 0, squares, 1.0), 0, 1), float(lost.sum())


def shifts(view: Centered, codes: np.ndarray, groups: Any, means: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return M (q, p) and o (p,) for which z M + o is the mean (G, p) of a row's level."""
    first = [int(np.flatnonzero(codes == g)[0]) for g in range(len(means))]
    Z = view.encoding.encode(groups)[first]
    found = np.linalg.lstsq(np.column_stack([Z, np.ones(len(Z))]), means, rcond=None)[0]
    return found[:-1], found[-1]
