"""The gap of people who are alike: regressions of each group, standardized to everybody."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from fairstats.inference.parts.coefficients import FEWEST
from fairstats.inference.parts.models import GapFit, fitted
from fairstats.inference.parts.units import Floats, Integers, Pair, paired, spread_of
from fairstats.inference.regression import cluster_robust
from fairstats.language import message

COMMON = message("fewer than {n} people a column in the smaller group: slopes are common to both")
MOST_CLUSTERS = 1000  # beyond it K - 1 degrees of freedom are as good as Satterthwaite's, and quicker


@dataclass(frozen=True)
class Adjusted:
    """An adjusted gap beside the plain coefficient of the group, each with its error and degrees of freedom.

    reason: why there are no numbers, or a caution; ``common`` says that slopes are those of both groups.
    """

    estimate: float
    std_error: float
    df: float
    plain: float
    plain_error: float
    plain_df: float
    reason: str = ""
    common: bool = False


NAN = float("nan")
NOTHING = Adjusted(NAN, NAN, NAN, NAN, NAN, NAN)


def adjusted_gaps(
    y: Floats,
    X: Floats,
    codes: Integers,
    reference: int,
    weights: Floats | None = None,
    clusters: Integers | None = None,
) -> dict[int, Adjusted]:
    """Return the adjusted gap of each group from the reference.

    y: amounts, or decisions as 0 and 1, shape (n,).
    X: covariates without an intercept, shape (n, k).
    codes: of the groups, shape (n,); reference: the code of the reference.
    weights: probability weights; clusters: codes, shape (n,).
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
    for code in np.unique(codes):
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
    to_group = np.append(np.zeros(1 + k), 1.0)
    plain = float(both.coefficients[-1]), *_error(pair, [(whole, both, to_group)])
    fits = [fitted("identity", rows, pair.y, pair) for rows in pair.sides]
    few = min(rows.stop - rows.start for rows in pair.sides) < FEWEST * (1 + k)
    if few or any(fit.reason for fit in fits):
        reason = COMMON.format(n=FEWEST) if few else next(fit.reason for fit in fits if fit.reason)
        return Adjusted(*plain, *plain, reason, True)
    means = [float(at @ fit.coefficients) for fit in fits]
    error, df = _error(pair, [(rows, fit, at) for rows, fit in zip(pair.sides, fits, strict=True)])
    apart = (fits[0].coefficients - fits[1].coefficients)[1:] / safe
    error = float(np.sqrt(error**2 + apart @ spread @ apart))
    return Adjusted(means[0] - means[1], error, df, *plain)


Side = tuple[slice, GapFit, Floats]


def _error(pair: Pair, sides: Sequence[Side]) -> tuple[float, float]:
    """Error and degrees of freedom of a combination of the coefficients of one fit, or of a difference of two."""
    clusters = pair.clusters
    if clusters is not None and clusters.max() < MOST_CLUSTERS:
        return _few_clusters(pair, sides)

    def raw(block: slice, side: int) -> Floats:
        rows, fit, to = sides[min(side, len(sides) - 1)]
        residuals = fit.residuals[block.start - rows.start : block.stop - rows.start]
        return pair.design[block, : len(to)] * (pair.weights[block] * residuals)[:, None]

    ends = sides[0], sides[-1]
    signs = (1.0, 1.0 if len(sides) == 1 else -1.0)
    group, reference = (sign * (fit.bread @ to)[:, None] for sign, (_, fit, to) in zip(signs, ends, strict=True))
    error, df = spread_of(pair, raw, (group, reference), 1 + pair.Z.shape[1]).of(np.ones((1, 1)))
    return float(error[0]), float(df[0])


def _few_clusters(pair: Pair, sides: Sequence[Side]) -> tuple[float, float]:
    """CR2 of the regression that holds all fits side by side."""
    assert pair.clusters is not None
    widths = [len(to) for *_, to in sides]
    design = np.zeros((len(pair.y), sum(widths)))
    left, contrast, start = np.empty(len(pair.y)), np.zeros(sum(widths)), 0
    for sign, (rows, fit, to) in zip((1.0, -1.0), sides, strict=False):
        part = pair.design[rows, : len(to)]
        design[rows, start : start + len(to)] = part
        contrast[start : start + len(to)] = sign * to
        left[rows] = pair.y[rows] - part @ fit.coefficients
        start += len(to)
    root = np.sqrt(pair.weights)
    robust = cluster_robust(design * root[:, None], left * root, pair.clusters)
    return float(np.sqrt(contrast @ robust.covariance @ contrast)), robust.df(contrast)


def one_sided(codes: NDArray[np.integer], groups: NDArray[np.integer], count: int) -> list[int]:
    """The levels of a factor that hold people of one group only.

    codes: of the factor, shape (n,); groups: of the groups, shape (n,); count: of the levels.

    >>> one_sided(np.array([0, 0, 1]), np.array([0, 1, 1]), 2)
    [1]
    """
    present = np.zeros((count, int(groups.max()) + 1), dtype=bool)
    present[codes, groups] = True
    return np.flatnonzero(present.sum(axis=1) == 1).tolist()
