"""Permutation of rows with a studentized statistic: equal means are tested, and unequal spreads are no evidence."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fairstats.inference.representations.group_part import FITTED, Floats, orthonormal

# statistics this close are ties of rounding
TIE = 1e-10


class Moved(NamedTuple):
    """What a permutation test needs of one order of the rows: ‖QᵀA‖², and the trace of its noise and of its square."""

    explained: float
    noise: float
    squares: float


def permutation_p(
    A: Floats, Z: Floats, codes: NDArray[np.intp] | None, permutations: int, seed: int
) -> tuple[float, bool]:
    """The p-value of ‖P_Z A‖², studentized, among random orders of the rows of A.

    Parameters
    ----------
    A : array (n, k)
    Z : array (n, q)
        Of full column rank.
    codes : array of int (n,), optional
        Cell of each row, as in `from_rows`.
    permutations, seed : int

    Returns
    -------
    p_value : float
        (1 + #{≥}) / (1 + permutations), ties counted.
    studentized : bool
        False where a row is alone in its group and shows no spread: then exchangeability is tested.

    Notes
    -----
    What is compared is how far ‖P_Z A‖² lies in the tail of a Box approximation, f χ²_f/tr Ω with f = (tr Ω)²/tr Ω²,
    whose Ω is estimated anew for every order (HC2). Exact where the rows are exchangeable; and since the limiting
    distribution does not depend on the spreads, valid in large samples where means are equal and spreads are not.

    References
    ----------
    Chung & Romano (2013), Annals of Statistics 41, 484-507; (2016), Multivariate and multiple permutation tests,
    Journal of Econometrics 193, 76-91 (prepivoting); Box (1954), Annals of Mathematical Statistics 25, 290-302.

    Examples
    --------
    >>> A, g = np.arange(20.0)[:, None], np.repeat([0, 1], 10)
    >>> permutation_p(A, (g == 1.0)[:, None], g, 99, 1)
    (0.01, True)
    """
    A, Z = A - A.mean(axis=0), Z - Z.mean(axis=0)
    rng = np.random.default_rng(seed)
    Q = orthonormal(Z, np.ones(len(Z)))
    free = 1 - 1 / len(A) - np.sum(Q**2, axis=1)
    studentized = bool(free.min() > FITTED)
    of = _by_cell(A, Q, free, codes) if codes is not None else _by_row(A, Q, free)
    orders: Iterator[NDArray[np.intp]] = (rng.permutation(len(A)) for _ in range(permutations))
    statistic = _tail if studentized else _plain
    threshold = statistic(of(np.arange(len(A))))
    if np.isfinite(threshold):
        threshold -= TIE * abs(threshold)
    reached = sum(statistic(of(order)) >= threshold for order in orders)
    return (1 + reached) / (1 + permutations), studentized


def _by_cell(A: Floats, Q: Floats, free: Floats, codes: NDArray[np.intp]) -> Callable[[NDArray[np.intp]], Moved]:
    """From the sums of squares and products of each cell alone: its rows are equal in Q."""
    sorted_rows = np.argsort(codes, kind="stable")
    size = np.bincount(codes)
    ends = np.cumsum(size)
    starts = ends - size
    q, free = Q[sorted_rows[starts]], np.maximum(free[sorted_rows[starts]], FITTED)
    overlap = (q @ q.T) ** 2
    length = np.sum(q**2, axis=1) / free
    weight = overlap / np.outer(free, free)

    def moved(order: NDArray[np.intp]) -> Moved:
        rows = A[order[sorted_rows]]
        parts = [rows[i:j] for i, j in zip(starts, ends, strict=True)]
        sums = np.stack([part.sum(axis=0) for part in parts])
        effect = q.T @ sums
        fitted = q @ effect
        squares = np.stack([(e := part - value).T @ e for part, value in zip(parts, fitted, strict=True)])
        flat = squares.reshape(len(squares), -1)
        trace = np.einsum("cjj->c", squares)
        return Moved(float(np.sum(effect**2)), float(length @ trace), float(np.sum(weight * (flat @ flat.T))))

    return moved


def _by_row(A: Floats, Q: Floats, free: Floats) -> Callable[[NDArray[np.intp]], Moved]:
    """From every row by itself, where no two need be equal in Q."""
    scale = 1 / np.sqrt(np.maximum(free, FITTED))

    def moved(order: NDArray[np.intp]) -> Moved:
        rows = A[order]
        effect = Q.T @ rows
        left = (rows - Q @ effect) * scale[:, None]
        R = (Q[:, :, None] * left[:, None, :]).reshape(len(rows), -1)
        noise = R.T @ R
        return Moved(float(np.sum(effect**2)), float(np.trace(noise)), float(np.sum(noise**2)))

    return moved


def _plain(found: Moved) -> float:
    return found.explained


def _tail(found: Moved) -> float:
    """The normal quantile of the Box approximation (Wilson & Hilferty), which never underflows."""
    if found.noise <= 0:
        return np.inf if found.explained > 0 else -np.inf
    part = 2 * found.squares / (9 * found.noise**2)
    return float((np.cbrt(found.explained / found.noise) - (1 - part)) / np.sqrt(part))
