"""The gap of people who are alike: regressions of each group, standardized to everybody."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from fairstats.inference.amounts.means import DRAWN_OF_MANY, FEW_PERMUTED, Exchanges, Mean, MeanPair
from fairstats.inference.parts.coefficients import FEWEST, SIDES
from fairstats.inference.parts.models import FEWEST_FREE, GapFit, fitted, freedom
from fairstats.inference.parts.units import Floats, Integers, Pair, blocks, paired, spread_of
from fairstats.inference.regression import DETERMINED, cluster_robust
from fairstats.language import message

COMMON = message("fewer than {n} people a column in the smaller group: slopes are common to both")
DIFFERENCE = np.array([1.0, -1.0])
STANDARDIZED = message("linear regression of each group, standardized to everybody; {text}")
ONE_COEFFICIENT = message("coefficient of the group in one linear regression; {text}")
HC3, CR2 = message("HC3, t"), message("CR2 of clusters, t with Satterthwaite's df")
HALL = message("HC3, t without and with Hall's correction of skewness")
PERMUTED = message(
    "HC3, t without and with Hall's correction of skewness, and a permutation test of residuals: the larger p"
)
NOBODY_ALIKE = message("the covariates of these people follow from each other or from the group")
CONSTANT = message("a covariate is constant in one of the groups, or follows from others: slopes are common to both")
RESTING = message(
    "much of the adjusted mean of the {side} rests on few people, such as those of one level: slopes are common to both"
)
Side = tuple[slice, GapFit, Floats]
MOST_CLUSTERS = 1000  # beyond it K - 1 degrees of freedom are as good as Satterthwaite's, and quicker


@dataclass(frozen=True, eq=False)
class Adjusted:
    """The means that everybody would have as people of a group and of its reference, and the plain coefficient beside.

    means, covariance: of the group and of the reference, shapes (2,) and (2, 2).
    cubes: their third cumulants, of the group three, two, one and no times: shape (4,).
    df: degrees of freedom of their difference.
    reason: why there are no numbers, or a caution; ``common`` says that slopes are those of both groups.
    sides: the fit of all rows, or that of each side, and what its coefficients bring to both means.
    errors: how the error of the plain coefficient is found.
    permuted: of a small group, residuals exchanged between the groups; people keep their weights.
    linearized: under a survey's design the standard error of the gap, which tests do not rest on.
    """

    means: Floats
    covariance: Floats
    cubes: Floats
    df: float
    plain: float
    plain_error: float
    plain_df: float
    reason: str = ""
    common: bool = False
    errors: str = HC3
    sides: Sequence[Side] = ()
    permuted: PermutedResiduals | None = None
    linearized: float = float("nan")

    @property
    def estimate(self) -> float:
        """The adjusted gap: the group's mean less the reference's."""
        return float(self.means[0] - self.means[1])

    @property
    def std_error(self) -> float:
        """Of the gap."""
        return self.spread(1.0)[0]

    def spread(self, scale: float) -> tuple[float, float]:
        """Standard error and skewness of the group's mean, times a number, less the reference's."""
        V, part = self.covariance, scale ** np.arange(3, -1, -1) * np.array([1.0, -3.0, 3.0, -1.0])
        error = float(np.sqrt(max(scale**2 * V[0, 0] - 2 * scale * V[0, 1] + V[1, 1], 0.0)))
        return error, float(part @ self.cubes) / error**3 if error > 0 else NAN


@dataclass(frozen=True, eq=False)
class AdjustedPair(MeanPair):
    """Adjusted means, compared as two means are: limits of the difference and of the ratio from one test."""

    adjusted: Adjusted = field(default_factory=lambda: NOTHING)

    @staticmethod
    def of(adjusted: Adjusted) -> AdjustedPair:
        """The pair of two adjusted means."""
        V, cubes, (x, y) = adjusted.covariance, adjusted.cubes, adjusted.means
        exact = not adjusted.std_error > EXACT * max(abs(x), abs(y))
        group, reference = (
            Mean(NAN, float(mean), float(variance), float(third), adjusted.df, reason=NO_ERROR if exact else "")
            for mean, variance, third in ((x, V[0, 0], cubes[0]), (y, V[1, 1], cubes[3]))
        )
        return AdjustedPair(group, reference, adjusted.permuted, adjusted=adjusted)

    @property
    def method(self) -> str:
        """How test and limits are made."""
        one = self.adjusted
        text = PERMUTED if self.permuted else HALL if one.errors == HC3 else one.errors
        return (ONE_COEFFICIENT if one.common else STANDARDIZED).format(text=text)

    def error(self, scale: float = 1.0) -> tuple[float, float, float]:
        """Standard error, degrees of freedom and skewness of scale·x − y."""
        error, skewness = self.adjusted.spread(scale)
        return error, min(self.adjusted.df, MOST_DF), skewness


class PermutedResiduals(Exchanges):
    """The studentized adjusted gap of residuals that are exchanged at random between the groups.

    Residuals of the regression in which the hypothesis holds are permuted and fitted again; each gap is divided by its
    own HC3 error. Of a large reference a random part stands for all: its share of the error is small.
    pair, sides: people, and what the coefficients of each regression bring to both means, as in `_covariance`.
    means: of the group and of the reference.
    Source: Freedman & Lane (1983), Journal of Business & Economic Statistics 1, 292-298; DiCiccio & Romano (2017),
        Journal of the American Statistical Association 112, 1211-1220: studentized, valid without equal variances in
        large samples.
    """

    all = False

    def __init__(self, pair: Pair, sides: Sequence[Side], means: Floats, seed: int) -> None:
        self.pair, self.sides, self.means, self.seed = pair, sides, means, seed

    @property
    def least(self) -> float:
        """The smallest one-sided p-value there can be."""
        return 1 / (1 + DRAWN_OF_MANY)

    def statistics(self, scale: float, shift: float) -> tuple[float, Floats]:
        """The gap over its error."""
        (x, y), (gaps, squares) = self.means, self._sums
        part = np.array([scale, 1.0, scale * x - shift - y])
        with np.errstate(divide="ignore", invalid="ignore"):
            t = gaps @ part / np.sqrt(np.einsum("ijk,j,k->i", squares, part, part))
        t = np.nan_to_num(t, nan=0.0, posinf=np.inf, neginf=-np.inf)
        return float(t[0]), t[1:]

    @cached_property
    def _sums(self) -> tuple[Floats, Floats]:
        """Gaps (draws, 3) and variances (draws, 3, 3) of both sides' residuals, and of a gap of 1; observed first."""
        design, bring, y, w, member = self._rows()
        weighted = design * w[:, None]
        bread = np.linalg.inv(design.T @ weighted)
        hat = weighted @ bread
        free = 1 - np.einsum("ij,ij->i", hat, design)
        gap = bring @ DIFFERENCE
        pull = hat @ gap
        left = y - design @ (hat.T @ y)
        parts = np.stack([np.where(member, left, 0.0), np.where(member, 0.0, left)], axis=1)
        parts -= design @ (hat.T @ parts)
        parts = np.column_stack([parts, design @ (bread @ gap) / (gap @ bread @ gap)])
        raised = np.where(free > DETERMINED, pull / np.where(free > DETERMINED, free, 1.0), 0.0)
        rng, n = np.random.default_rng(self.seed), len(y)
        gaps, squares = [], []
        at_once = max(1, MOST_AT_ONCE // n)
        for first in range(0, 1 + DRAWN_OF_MANY, at_once):
            order = np.tile(np.arange(n), (min(at_once, 1 + DRAWN_OF_MANY - first), 1))
            if first:
                order = rng.permuted(order, axis=1)
            else:
                order[1:] = rng.permuted(order[1:], axis=1)
            # draws × parts × people
            moved = parts.T[:, order].swapaxes(0, 1)
            coefficients = moved @ hat
            moved -= coefficients @ design.T
            moved *= raised
            gaps.append(coefficients @ gap)
            squares.append(moved @ moved.swapaxes(1, 2))
        return np.concatenate(gaps), np.concatenate(squares)

    def _rows(self) -> tuple[Floats, Floats, Floats, Floats, NDArray[np.bool_]]:
        """Of one regression: columns, what coefficients bring to both means, amounts, weights, the group's people."""
        pair, (group, reference) = self.pair, self.pair.sides
        # in an order of their own, so that what is drawn does not depend on that of the rows
        rows = [
            side.start + np.lexsort((pair.weights[side], *pair.Z[side].T, pair.y[side])) for side in (group, reference)
        ]
        rng = np.random.default_rng(self.seed)
        rows = [r if len(r) <= MOST_ROWS else np.sort(rng.choice(r, MOST_ROWS, replace=False)) for r in rows]
        chosen = np.concatenate(rows)
        member = chosen >= pair.start
        widths = [len(to) for *_, to in self.sides]
        bring = np.concatenate([to for *_, to in self.sides])
        design = np.zeros((len(chosen), len(bring)))
        if len(widths) == 1:
            design[:] = pair.design[chosen]
        else:
            for side, start in ((member, 0), (~member, widths[0])):
                design[side, start : start + widths[0]] = pair.common[chosen[side]]
        return design, bring, pair.y[chosen], pair.weights[chosen], member


NAN = float("nan")
MOST_ROWS = 2000  # of a group whose residuals are exchanged
MOST_AT_ONCE = 100_000  # residuals of so many draws
MOST_DF = 1e6  # beyond it t is normal
EXACT = 1e-10  # errors below this share of the means are rounding
NO_ERROR = message("the regression leaves no error to measure by")
NOTHING: Adjusted = Adjusted(np.full(2, NAN), np.full((2, 2), NAN), np.full(4, NAN), NAN, NAN, NAN, NAN)


def adjusted_gaps(
    y: Floats,
    X: Floats,
    codes: Integers,
    reference: int,
    weights: Floats | None = None,
    clusters: Integers | None = None,
    groups: Iterable[int] | None = None,
    seed: int = 0,
) -> dict[int, Adjusted]:
    """Return the adjusted gap of each group from the reference.

    y: amounts, or decisions as 0 and 1, shape (n,).
    X: covariates without an intercept, shape (n, k).
    codes: of the groups, shape (n,); reference: the code of the reference.
    weights: probability weights; clusters: codes, shape (n,).
    groups: codes of those that are compared; all by default.
    seed: of the permutations that groups of at most 100 people have.
    Returns: by code. Means are those that everybody would have on average, were all people of the group, less those
        were all of the reference: linear regressions of each, with their slopes (g-computation). Errors are HC3's,
        under clusters CR2 with Satterthwaite's degrees of freedom, and have those of everybody's covariates.
    Source: Lin (2013), Annals of Applied Statistics 7, 295-318; Pustejovsky & Tipton (2018), Journal of Business &
        Economic Statistics 36, 672-683.

    >>> x = np.array([0.0, 1, 2, 3, 4] * 8)
    >>> g = np.arange(40) % 2
    >>> round(adjusted_gaps(3 * x - g, x[:, None], g, 0)[1].estimate, 6)
    -1.0
    """
    w = np.ones(len(y)) if weights is None else weights
    share = w / w.sum()
    center = share @ X
    scatter = (X - center).T @ ((X - center) * share[:, None])
    spread = scatter / _people(w, clusters)
    out = {}
    for code in np.unique(codes) if groups is None else groups:
        if code != reference:
            rows = np.flatnonzero((codes == code) | (codes == reference))
            some = None if clusters is None else clusters[rows]
            pair = paired(y[rows], X[rows], codes[rows] == code, w[rows], some)
            found = _adjusted(pair, center, spread)
            few = min(side.stop - side.start for side in pair.sides) <= FEW_PERMUTED
            if few and clusters is None and found.sides:
                found = replace(found, permuted=PermutedResiduals(pair, found.sides, found.means, seed))
            out[int(code)] = found if clusters is None else replace(found, errors=CR2)
    return out


def _people(weights: Floats, clusters: Integers | None) -> float:
    """How many independent units the mean of everybody rests on."""
    sums = weights if clusters is None else np.bincount(clusters, weights)
    share = sums / sums.sum()
    return 1 / float(share @ share)


def _adjusted(pair: Pair, center: Floats, spread: Floats) -> Adjusted:
    whole, k = slice(0, len(pair.y)), pair.Z.shape[1]
    safe = np.where(pair.spread > 0, pair.spread, 1.0)
    at = np.concatenate([[1.0], center / safe - pair.shift])
    both = fitted("identity", whole, pair.y, pair, with_group=True)
    if both.reason:
        return replace(NOTHING, reason=NOBODY_ALIKE)
    plain, common = _common(pair, both, at, spread, safe)
    fits = [fitted("identity", rows, pair.y, pair) for rows in pair.sides]
    few = min(rows.stop - rows.start for rows in pair.sides) < FEWEST * (1 + k)
    if few or any(fit.reason for fit in fits):
        return replace(common, reason=COMMON.format(n=FEWEST) if few else CONSTANT)
    means = np.array([at @ fit.coefficients for fit in fits])
    sides = [(rows, fit, np.outer(at, unit)) for rows, fit, unit in zip(pair.sides, fits, np.identity(2), strict=True)]
    free = [freedom(pair, rows, fit, at) for rows, fit, _ in sides]
    if min(free) < FEWEST_FREE:
        return replace(common, reason=RESTING.format(side=SIDES[int(np.argmin(free))]))
    covariance, cubes, df = _covariance(pair, sides)
    slopes = np.stack([fit.coefficients[1:] / safe for fit in fits], axis=1)
    return Adjusted(means, covariance + slopes.T @ spread @ slopes, cubes, df, *plain, sides=sides)


def _common(
    pair: Pair, both: GapFit, at: Floats, spread: Floats, safe: Floats
) -> tuple[tuple[float, float, float], Adjusted]:
    """The plain coefficient of the group with its error and degrees of freedom, and the gap with common slopes."""
    to = np.stack([np.append(at, 1.0), np.append(at, 0.0)], axis=1)
    sides = [(slice(0, len(pair.y)), both, to)]
    covariance, cubes, df = _covariance(pair, sides)
    slopes = np.repeat((both.coefficients[1:-1] / safe)[:, None], 2, axis=1)
    error = float(np.sqrt(max(DIFFERENCE @ covariance @ DIFFERENCE, 0.0)))
    means = to.T @ both.coefficients
    plain = float(means[0] - means[1]), error, df
    return plain, Adjusted(means, covariance + slopes.T @ spread @ slopes, cubes, df, *plain, common=True, sides=sides)


def _covariance(pair: Pair, sides: Sequence[Side]) -> tuple[Floats, Floats, float]:
    """Covariance and third cumulants of the two means, and degrees of freedom of their difference.

    sides: one fit of all rows, or that of each side; what its coefficients bring to both means, shape (columns, 2).
    """
    clusters = pair.clusters
    if clusters is not None and clusters.max() < MOST_CLUSTERS:
        covariance, df = _few_clusters(pair, sides)
        return covariance, np.zeros(4), df

    def raw(block: slice, side: int) -> Floats:
        rows, fit, to = sides[min(side, len(sides) - 1)]
        residuals = fit.residuals[block.start - rows.start : block.stop - rows.start]
        return pair.design[block, : len(to)] * (pair.weights[block] * residuals)[:, None]

    maps = sides[0][1].bread @ sides[0][2], sides[-1][1].bread @ sides[-1][2]
    found, cubes = spread_of(pair, raw, maps, 1 + pair.Z.shape[1]), np.zeros(4)
    if clusters is None and len(sides) == 2:
        group, reference = (freedom(pair, rows, fit, to @ DIFFERENCE) for rows, fit, to in sides)
        found = replace(found, df=(group, reference))
    if clusters is None:
        for side, (rows, to) in enumerate(zip(pair.sides, maps, strict=True)):
            for block in blocks(rows):
                x, y = (raw(block, side) @ to).T
                cubes += (x**3).sum(), (x * x * y).sum(), (x * y * y).sum(), (y**3).sum()
    return found.of_group + found.of_reference, cubes, float(found.of(DIFFERENCE[None])[1][0])


def _few_clusters(pair: Pair, sides: Sequence[Side]) -> tuple[Floats, float]:
    """CR2 of the regression that holds all fits side by side."""
    assert pair.clusters is not None
    widths = [len(to) for *_, to in sides]
    design = np.zeros((len(pair.y), sum(widths)))
    left, bring, start = np.empty(len(pair.y)), np.zeros((sum(widths), 2)), 0
    for rows, fit, to in sides:
        part = pair.design[rows, : len(to)]
        design[rows, start : start + len(to)] = part
        bring[start : start + len(to)] = to
        left[rows] = pair.y[rows] - part @ fit.coefficients
        start += len(to)
    root = np.sqrt(pair.weights)
    robust = cluster_robust(design * root[:, None], left * root, pair.clusters)
    return bring.T @ robust.covariance @ bring, robust.df(bring @ DIFFERENCE)


def one_sided(codes: NDArray[np.integer], groups: NDArray[np.integer], count: int) -> list[int]:
    """The levels of a factor that hold people of one group only.

    codes: of the factor, shape (n,); groups: of the groups, shape (n,); count: of the levels.

    >>> one_sided(np.array([0, 0, 1]), np.array([0, 1, 1]), 2)
    [1]
    """
    present = np.zeros((count, int(groups.max()) + 1), dtype=bool)
    present[codes, groups] = True
    return np.flatnonzero(present.sum(axis=1) == 1).tolist()
