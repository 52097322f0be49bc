"""The gap of people who are alike under a survey's design: linearized regressions, or one of each replicate."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from fairstats.inference.parts.adjusted import COMMON, MOST_CLUSTERS, NOBODY_ALIKE, NOTHING, RESTING, Adjusted
from fairstats.inference.parts.coefficients import FEWEST, SIDES
from fairstats.inference.parts.models import decided_by_one, rows_of
from fairstats.inference.parts.units import Floats
from fairstats.inference.rates.sampling import FEWEST_UNITS, TOO_FEW_UNITS, Sampling
from fairstats.inference.regression import DETERMINED
from fairstats.language import message

Mask = NDArray[np.bool_]
Codes = NDArray[np.intp]
OF_DESIGN = message("variance of the survey's design, t")
NO_FREEDOM = message("the design has no more degrees of freedom than the regression has covariates")
FEW_FREE = message("a group has no more degrees of freedom than covariates: slopes are common to both")
NO_REPLICATE = message("a replicate leaves too few people for the regression")
SMALLEST = 1e-10  # singular values of a regression, by its largest


def surveyed_gap(
    y: Floats, X: Floats, sides: tuple[Mask, Mask], weights: Floats, unit: Codes, sampling: Sampling
) -> Adjusted:
    """The adjusted means of a group and its reference, and the plain coefficient, with a survey's variances.

    y, X: amounts and covariates without an intercept of everybody, shapes (n,) and (n, k).
    sides: who is in the group, and in the reference.
    weights, unit: of everybody, shape (n,).
    Returns: as `adjusted_gaps`. Degrees of freedom are survey's: those of the design less the covariates, and less the
        group where slopes are common; of two regressions the fewer. Tests and limits rest on residuals of units as they
    are without each unit, which few units make larger; replicates need no such correction.
    Source: Binder (1983), International Statistical Review 51, 279-292; Bell & McCaffrey (2002), Survey Methodology
    28, 169-181. R: ``survey::svyglm``.
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
    fits = _Fits(y, Z, sides, common)
    if sampling.replicates is None and not common and (side := fits.decided_by_one(weights, sampling.first(unit))):
        common, reason = True, RESTING.format(side=side)
        fits = _Fits(y, Z, sides, common)
    found, each = fits.numbers(weights)
    if not np.isfinite(found).all():
        return replace(NOTHING, reason=NOBODY_ALIKE)
    if sampling.replicates is None:
        moved = np.array([sampling.total(column, weights, unit) for column in each.T])
    else:
        one = np.array([fits.numbers(column[unit])[0] for column in sampling.replicates.T])
        moved = np.array([sampling.replicated(value, of) for value, of in zip(found, one.T, strict=True)])
    if not np.isfinite(moved).all():
        return replace(NOTHING, reason=NO_REPLICATE)
    V = moved @ moved.T
    error, plain_error = (float(np.sqrt(max(c @ V @ c, 0.0))) for c in np.array([[1, -1, 0], [0, 0, 1]]))
    if sampling.replicates is None and len(sampling.stratum) <= MOST_CLUSTERS:
        raised = fits.raised(weights, sampling.first(unit), len(sampling.stratum))
        first = sampling.first(unit)
        before = [np.bincount(first, weights * column, len(raised)).astype(float) for column in each.T]
        moved = np.array([sampling.raised(*one) for one in zip(raised.T, moved, before, strict=False)])
    covariance, plain = moved[:2] @ moved[:2].T, (float(found[2]), plain_error, float(plain_df))
    free = float(plain_df if common else df)
    return Adjusted(found[:2], covariance, np.zeros(4), free, *plain, reason, common, OF_DESIGN, linearized=error)


class _Fits:
    """Both adjusted means and the coefficient of the group, of any weights.

    Z: a column of 1, and the covariates, shape (n, 1 + k).
    sides: who is in the group, and in the reference.
    common: whether slopes are common to both.
    """

    def __init__(self, y: Floats, Z: Floats, sides: tuple[Mask, Mask], common: bool) -> None:
        self.y, self.Z, self.common = y, Z, common
        self.pair = np.flatnonzero(sides[0] | sides[1])
        self.joined = np.column_stack([Z[self.pair], sides[0][self.pair]])
        self.rows = [np.flatnonzero(side) for side in sides]

    def numbers(self, weights: Floats) -> tuple[Floats, Floats]:
        """The three numbers, and what each person adds to them per weight, shape (n, 3); NaN without a regression."""
        at = weights @ self.Z / weights.sum()
        found, each = np.full(3, np.nan), np.zeros((len(self.y), 3))
        both = _Fit(self.joined, self.y[self.pair], weights[self.pair])
        found[2], each[self.pair, 2] = both.coefficients[-1], both.influence[:, -1]
        for side, (rows, fit, to) in enumerate(self._sides(weights, at, both)):
            found[side] = to @ fit.coefficients
            each[rows, side] = fit.influence @ to
            each[:, side] += (self.Z - at) @ fit.coefficients[: len(at)] / weights.sum()
        return found, each

    def raised(self, weights: Floats, unit: Codes, units: int) -> Floats:
        """What each unit adds to both means, with residuals from a regression without it, shape (units, 2)."""
        at = weights @ self.Z / weights.sum()
        out = np.zeros((units, 2))
        both = _Fit(self.joined, self.y[self.pair], weights[self.pair])
        for side, (rows, fit, to) in enumerate(self._sides(weights, at, both)):
            of_all = weights * ((self.Z - at) @ fit.coefficients[: len(at)]) / weights.sum()
            out[:, side] = np.bincount(unit, of_all, units) + fit.without(unit[rows], units) @ to
        return out

    def decided_by_one(self, weights: Floats, unit: Codes) -> str:
        """The side of whose mean one unit alone decides a part, so that no error of it is known; "" where none does."""
        at = weights @ self.Z / weights.sum()
        for rows, name in zip(self.rows, SIDES, strict=True):
            fit = _Fit(self.Z[rows], self.y[rows], weights[rows])
            if np.isfinite(fit.inverse).all() and decided_by_one(fit.q, unit[rows], fit.inverse.T @ at):
                return name
        return ""

    def _sides(self, weights: Floats, at: Floats, both: _Fit) -> Iterator[tuple[Codes, _Fit, Floats]]:
        """The rows and the fit of each side, and what its coefficients bring to the side's mean."""
        for side, rows in enumerate(self.rows):
            if self.common:
                yield self.pair, both, np.append(at, 1.0 - side)
            else:
                yield rows, _Fit(self.Z[rows], self.y[rows], weights[rows]), at


class _Fit:
    """Weighted least squares; NaN where the columns follow from each other."""

    def __init__(self, X: Floats, y: Floats, weights: Floats) -> None:
        self.X, self.weights, k = X, weights, X.shape[1]
        self.q, r = np.linalg.qr(X * np.sqrt(weights)[:, None])
        size = np.abs(np.diag(r))
        self.inverse = np.full((k, k), np.nan)
        if len(X) >= k and size.min() > SMALLEST * size.max():
            self.inverse = np.linalg.inv(r)
        self.coefficients = self.inverse @ (self.q.T @ (np.sqrt(weights) * y))
        self.residuals = y - X @ self.coefficients

    @property
    def influence(self) -> Floats:
        """What each row adds to the coefficients per weight."""
        return (self.X * self.residuals[:, None]) @ self.inverse @ self.inverse.T

    def without(self, unit: Codes, units: int) -> Floats:
        """What each unit adds to the coefficients, its residuals over what the others hold of them (CR3)."""
        parts = self.q * (np.sqrt(self.weights) * self.residuals)[:, None]
        out = np.zeros((units, parts.shape[1]))
        for rows in rows_of(unit):
            one = unit[rows[0]]
            values, vectors = np.linalg.eigh(self.q[rows].T @ self.q[rows])
            left = 1 - values  # a direction that one unit alone determines has no error
            scale = np.where(left > DETERMINED, 1 / np.where(left > DETERMINED, left, 1.0), 0.0)
            out[one] = vectors @ (scale * (vectors.T @ parts[rows].sum(axis=0)))
        return out @ self.inverse.T
