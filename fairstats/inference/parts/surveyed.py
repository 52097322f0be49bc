"""The gap of people who are alike under a survey's design: linearized regressions, or one of each replicate."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from fairstats.inference.parts.adjusted import COMMON, NOBODY_ALIKE, NOTHING, Adjusted
from fairstats.inference.parts.coefficients import FEWEST
from fairstats.inference.parts.units import Floats
from fairstats.inference.rates.sampling import FEWEST_UNITS, TOO_FEW_UNITS, Sampling
from fairstats.language import message

Mask = NDArray[np.bool_]
OF_DESIGN = message("variance of the survey's design, t")
NO_FREEDOM = message("the design has no more degrees of freedom than the regression has covariates")
FEW_FREE = message("a group has no more degrees of freedom than covariates: slopes are common to both")
NO_REPLICATE = message("a replicate leaves too few people for the regression")
SMALLEST = 1e-10  # singular values of a regression, by its largest


def surveyed_gap(
    y: Floats, X: Floats, sides: tuple[Mask, Mask], weights: Floats, unit: NDArray[np.intp], sampling: Sampling
) -> Adjusted:
    """The adjusted means of a group and its reference, and the plain coefficient, with a survey's variances.

    y, X: amounts and covariates without an intercept of everybody, shapes (n,) and (n, k).
    sides: who is in the group, and in the reference.
    weights, unit: of everybody, shape (n,).
    Returns: as `adjusted_gaps`. Degrees of freedom are survey's: those of the design less the covariates, and less the
        group where slopes are common; of two regressions the fewer.
    Source: Binder (1983), International Statistical Review 51, 279-292. R: ``survey::svyglm``.
    """
    center = weights @ X / weights.sum()
    spread = np.sqrt(weights @ (X - center) ** 2 / weights.sum())
    Z = np.column_stack([np.ones(len(y)), (X - center) / np.where(spread > 0, spread, 1.0)])
    k, pair = X.shape[1], sides[0] | sides[1]
    units, freedom = zip(*(sampling.size(unit[some]) for some in (*sides, pair)), strict=True)
    if min(units) < FEWEST_UNITS or min(freedom) < 1:
        return replace(NOTHING, reason=TOO_FEW_UNITS)
    df, plain_df = min(freedom[:2]) - k, freedom[2] - k - 1
    if plain_df < 1:
        return replace(NOTHING, reason=NO_FREEDOM)
    common, reason = False, ""
    if min(int(side.sum()) for side in sides) < FEWEST * (1 + k):
        common, reason = True, COMMON.format(n=FEWEST)
    elif df < 1:
        common, reason = True, FEW_FREE
    fits = _Fits(y, Z, sides)
    found, each = fits.numbers(weights, common)
    if not np.isfinite(found).all():
        return replace(NOTHING, reason=NOBODY_ALIKE)
    if sampling.replicates is None:
        moved = np.array([sampling.total(column, weights, unit) for column in each.T])
    else:
        one = np.array([fits.numbers(column[unit], common)[0] for column in sampling.replicates.T])
        moved = np.array([sampling.replicated(value, of) for value, of in zip(found, one.T, strict=True)])
    if not np.isfinite(moved).all():
        return replace(NOTHING, reason=NO_REPLICATE)
    V = moved @ moved.T
    plain = float(found[2]), float(np.sqrt(V[2, 2])), float(plain_df)
    df = plain_df if common else df
    return Adjusted(found[:2], V[:2, :2], np.zeros(4), float(df), *plain, reason, common, OF_DESIGN)


class _Fits:
    """Both adjusted means and the coefficient of the group, of any weights."""

    def __init__(self, y: Floats, Z: Floats, sides: tuple[Mask, Mask]) -> None:
        self.y, self.Z = y, Z
        self.pair = np.flatnonzero(sides[0] | sides[1])
        self.joined = np.column_stack([Z[self.pair], sides[0][self.pair]])
        self.rows = [np.flatnonzero(side) for side in sides]

    def numbers(self, weights: Floats, common: bool) -> tuple[Floats, Floats]:
        """The three numbers, and what each person adds to them per weight, shape (n, 3); NaN without a regression."""
        total = weights.sum()
        at = weights @ self.Z / total
        found, each = np.full(3, np.nan), np.zeros((len(self.y), 3))
        b, of = _least_squares(self.joined, self.y[self.pair], weights[self.pair])
        found[2], each[self.pair, 2] = b[-1], of[:, -1]
        for side, rows in enumerate(self.rows):
            if common:
                to = np.append(at, 1.0 - side)
                found[side], slopes = to @ b, b[:-1]
                each[self.pair, side] = of @ to
            else:
                slopes, own = _least_squares(self.Z[rows], self.y[rows], weights[rows])
                found[side] = at @ slopes
                each[rows, side] = own @ at
            each[:, side] += (self.Z - at) @ slopes / total
        return found, each


def _least_squares(X: Floats, y: Floats, weights: Floats) -> tuple[Floats, Floats]:
    """Coefficients, and what each row adds to them per weight; NaN where the columns follow from each other."""
    root = np.sqrt(weights)
    q, r = np.linalg.qr(X * root[:, None])
    size = np.abs(np.diag(r))
    if len(X) < X.shape[1] or not size.min() > SMALLEST * size.max():
        return np.full(X.shape[1], np.nan), np.full(X.shape, np.nan)
    inverse = np.linalg.inv(r)
    b = inverse @ (q.T @ (root * y))
    return b, (X * (y - X @ b)[:, None]) @ inverse @ inverse.T
