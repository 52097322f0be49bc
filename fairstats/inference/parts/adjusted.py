"""The gap of people who are alike: regressions of each group, standardized to everybody."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtr, stdtrit

from fairstats.inference.parts.coefficients import FEWEST
from fairstats.inference.parts.models import GapFit, fitted
from fairstats.inference.parts.units import Floats, Integers, Pair, paired, spread_of
from fairstats.inference.regression import cluster_robust
from fairstats.language import message

COMMON = message("fewer than {n} people a column in the smaller group: slopes are common to both")
DIFFERENCE = np.array([1.0, -1.0])
MOST_CLUSTERS = 1000  # beyond it K - 1 degrees of freedom are as good as Satterthwaite's, and quicker


@dataclass(frozen=True, eq=False)
class Adjusted:
    """The means that everybody would have as people of a group and of its reference, and the plain coefficient beside.

    means, covariance: of the group and of the reference, shapes (2,) and (2, 2).
    df: degrees of freedom of their difference.
    reason: why there are no numbers, or a caution; ``common`` says that slopes are those of both groups.
    """

    means: Floats
    covariance: Floats
    df: float
    plain: float
    plain_error: float
    plain_df: float
    reason: str = ""
    common: bool = False

    @property
    def estimate(self) -> float:
        """The adjusted gap: the group's mean less the reference's."""
        return float(self.means[0] - self.means[1])

    @property
    def std_error(self) -> float:
        """Of the gap."""
        V = self.covariance
        return float(np.sqrt(max(V[0, 0] - 2 * V[0, 1] + V[1, 1], 0.0)))

    @property
    def p_value(self) -> float:
        """Two-sided, of no gap."""
        return 2 * self._below(-abs(self.estimate), self.std_error)

    @property
    def ratio(self) -> float:
        """The group's mean over the reference's."""
        return float(self.means[0] / self.means[1])

    def p_equivalence(self, low: float, high: float) -> float:
        """Of the claim that the ratio lies between two bounds: two one-sided tests."""
        (group, reference), V = self.means, self.covariance
        errors = [np.sqrt(max(V[0, 0] - 2 * r * V[0, 1] + r * r * V[1, 1], 0.0)) for r in (low, high)]
        ends = low * reference - group, group - high * reference
        return max(self._below(float(end), float(error)) for end, error in zip(ends, errors, strict=True))

    def ratio_limits(self, conf_level: float) -> tuple[float, float]:
        """Fieller's limits; NaN where the reference's mean cannot be told from 0. Source: Fieller (1954), JRSS B 16."""
        (group, reference), V = self.means, self.covariance * self._t(conf_level) ** 2
        a, b, c = reference**2 - V[1, 1], group * reference - V[0, 1], group**2 - V[0, 0]
        if not (a > 0 and reference > 0):
            return NAN, NAN
        half = np.sqrt(max(b * b - a * c, 0.0))
        return float((b - half) / a), float((b + half) / a)

    def _t(self, conf_level: float) -> float:
        return float(stdtrit(min(self.df, MOST_DF), (1 + conf_level) / 2))

    def _below(self, distance: float, error: float) -> float:
        """The chance of a smaller estimate, at a distance from 0."""
        if not error > 0:
            return NAN
        return float(stdtr(min(self.df, MOST_DF), distance / error))


NAN = float("nan")
MOST_DF = 1e6  # beyond it t is normal
NOTHING = Adjusted(np.full(2, NAN), np.full((2, 2), NAN), NAN, NAN, NAN, NAN)


def adjusted_gaps(
    y: Floats,
    X: Floats,
    codes: Integers,
    reference: int,
    weights: Floats | None = None,
    clusters: Integers | None = None,
    groups: Iterable[int] | None = None,
) -> dict[int, Adjusted]:
    """Return the adjusted gap of each group from the reference.

    y: amounts, or decisions as 0 and 1, shape (n,).
    X: covariates without an intercept, shape (n, k).
    codes: of the groups, shape (n,); reference: the code of the reference.
    weights: probability weights; clusters: codes, shape (n,).
    groups: codes of those that are compared; all by default.
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
            out[int(code)] = _adjusted(pair, center, spread)
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
        return replace(NOTHING, reason=both.reason)
    plain, common = _common(pair, both, at, spread, safe)
    fits = [fitted("identity", rows, pair.y, pair) for rows in pair.sides]
    few = min(rows.stop - rows.start for rows in pair.sides) < FEWEST * (1 + k)
    if few or any(fit.reason for fit in fits):
        reason = COMMON.format(n=FEWEST) if few else next(fit.reason for fit in fits if fit.reason)
        return replace(common, reason=reason)
    means = np.array([at @ fit.coefficients for fit in fits])
    sides = [(rows, fit, np.outer(at, unit)) for rows, fit, unit in zip(pair.sides, fits, np.identity(2), strict=True)]
    covariance, df = _covariance(pair, sides)
    slopes = np.stack([fit.coefficients[1:] / safe for fit in fits], axis=1)
    return Adjusted(means, covariance + slopes.T @ spread @ slopes, df, *plain)


def _common(
    pair: Pair, both: GapFit, at: Floats, spread: Floats, safe: Floats
) -> tuple[tuple[float, float, float], Adjusted]:
    """The plain coefficient of the group with its error and degrees of freedom, and the gap with common slopes."""
    to = np.stack([np.append(at, 1.0), np.append(at, 0.0)], axis=1)
    covariance, df = _covariance(pair, [(slice(0, len(pair.y)), both, to)])
    slopes = np.repeat((both.coefficients[1:-1] / safe)[:, None], 2, axis=1)
    gap = Adjusted(to.T @ both.coefficients, covariance + slopes.T @ spread @ slopes, df, NAN, NAN, NAN, "", True)
    error = float(np.sqrt(max(covariance[0, 0] - 2 * covariance[0, 1] + covariance[1, 1], 0.0)))
    plain = float(both.coefficients[-1]), error, df
    return plain, replace(gap, plain=plain[0], plain_error=error, plain_df=df)


Side = tuple[slice, GapFit, Floats]


def _covariance(pair: Pair, sides: Sequence[Side]) -> tuple[Floats, float]:
    """Covariance of the two means, and degrees of freedom of their difference.

    sides: one fit of all rows, or that of each side; what its coefficients bring to both means, shape (columns, 2).
    """
    clusters = pair.clusters
    if clusters is not None and clusters.max() < MOST_CLUSTERS:
        return _few_clusters(pair, sides)

    def raw(block: slice, side: int) -> Floats:
        rows, fit, to = sides[min(side, len(sides) - 1)]
        residuals = fit.residuals[block.start - rows.start : block.stop - rows.start]
        return pair.design[block, : len(to)] * (pair.weights[block] * residuals)[:, None]

    group, reference = (fit.bread @ to for _, fit, to in (sides[0], sides[-1]))
    found = spread_of(pair, raw, (group, reference), 1 + pair.Z.shape[1])
    return found.of_group + found.of_reference, float(found.of(DIFFERENCE[None])[1][0])


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
