"""Gaps of quantiles: by reweighting (DiNardo, Fortin & Lemieux 1996), and the outcome that RIF regressions explain."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from fairstats.inference.parts.coefficients import EXPLAINED, GAP, UNEXPLAINED, Decomposed, GapPart
from fairstats.inference.parts.models import SEPARATES, fitted
from fairstats.inference.parts.units import Floats, Pair, gap_error, spread_of
from fairstats.language import message

APART = message(
    "covariates tell the groups apart, so that no weights make them alike: leave out the covariates or the people that "
    "only one group has"
)


def quantile(y: Floats, weights: Floats, at: float) -> float:
    """The weighted quantile; with equal weights that of R's ``quantile`` (type 7).

    >>> quantile(np.array([3.0, 1, 2, 10]), np.ones(4), 0.5)
    2.5
    """
    order = np.argsort(y, kind="stable")
    w = weights[order]
    before = np.cumsum(w) - w
    return float(np.interp(at * before[-1], before, y[order]))


def density(y: Floats, weights: Floats, at: float) -> float:
    """Gaussian kernel density at a point, with Silverman's bandwidth (R's ``nrd0``) of as many people as count.

    >>> round(density(np.arange(100.0), np.ones(100), 50.0), 4)
    0.01
    """
    share = weights / weights.sum()
    n = 1 / float(share @ share)
    mean = float(share @ y)
    spread = np.sqrt(float(share @ (y - mean) ** 2) * n / max(n - 1, 1))
    middle = (quantile(y, weights, 0.75) - quantile(y, weights, 0.25)) / 1.34
    width = 0.9 * (min(spread, middle) if middle > 0 else spread) * n**-0.2
    if width <= 0:
        return float("inf")
    return float(share @ np.exp(-(((y - at) / width) ** 2) / 2) / (width * np.sqrt(2 * np.pi)))


def recentered(pair: Pair, at: float) -> Pair:
    """The pair with each amount replaced by its influence on its group's quantile, whose mean is that quantile.

    Source: Firpo, Fortin & Lemieux (2009), Econometrica 77, 953-973.
    """
    y = np.empty(len(pair.y))
    for rows in pair.sides:
        values, w = pair.y[rows], pair.weights[rows]
        q = quantile(values, w, at)
        y[rows] = q + _score(values, w, q) / density(values, w, q)
    return replace(pair, y=y)


@dataclass(frozen=True)
class Balance:
    """How well reweighted people stand for the others.

    effective: as many people of equal weights would be as informative; people: how many there are.
    largest: the share of the person with the largest weight.
    before, after: the largest standardized difference of a covariate; column: which.
    """

    effective: float
    people: int
    largest: float
    before: float
    after: float
    column: int


def by_reweighting(pair: Pair, form: str, at: float | None) -> tuple[Decomposed, Balance | None]:
    """Decompose a gap of quantiles, or of means, by giving the people of one group the covariates of the other.

    form: "reference" reweights people of the reference to the group's covariates, "group" the group's to the
        reference's.
    at: the quantile, None for means.
    Returns: the parts, and what the weights are worth.
    Source: DiNardo, Fortin & Lemieux (1996), Econometrica 64, 1001-1044; Fortin, Lemieux & Firpo (2011), Handbook of
    Labor Economics 4A. Errors by influence functions, which know that the weights were estimated.
    """
    fit = fitted("logit", slice(0, len(pair.y)), pair.design[:, -1], pair)
    moved_side = 1 if form == "reference" else 0
    rows = pair.sides[moved_side]
    sign = 1.0 if form == "reference" else -1.0
    statistics = [_statistic(pair.y[r], pair.weights[r], at) for r in pair.sides]
    gap = statistics[0] - statistics[1]
    scores = [_moves(pair.y[r], pair.weights[r], at, q) for r, q in zip(pair.sides, statistics, strict=True)]
    if fit.reason:
        reason = APART if fit.reason == SEPARATES else fit.reason
        lost = [GapPart(c, "", form, np.nan, reason=reason) for c in (EXPLAINED, UNEXPLAINED)]
        return Decomposed((GapPart(GAP, "", "", gap, *gap_error(pair, (scores[0], scores[1]))), *lost)), None
    eta = sign * (pair.common[rows] @ fit.coefficients)
    weights = pair.weights[rows] * np.exp(eta - eta.max())
    counterfactual = _statistic(pair.y[rows], weights, at)
    whole = weights.sum()
    score = _moves(pair.y[rows], weights, at, counterfactual)
    balance = _balance(pair, moved_side, weights)
    free = max(balance.effective - 1 - pair.Z.shape[1], 1.0)  # what the weights leave of the people, less the columns
    score *= np.sqrt(balance.effective / free)
    slope = (weights / whole * score) @ pair.common[rows] * sign  # by the coefficients of the weights
    totals = [pair.weights[r].sum() for r in pair.sides]

    def raw(block: slice, side: int) -> Floats:
        place = slice(block.start - pair.sides[side].start, block.stop - pair.sides[side].start)
        w = pair.weights[block]
        n_side = pair.sides[side].stop - pair.sides[side].start
        out = np.zeros((len(w), 3))
        out[:, side] = np.sqrt(n_side / max(n_side - 1, 1)) * w / totals[side] * scores[side][place]
        out[:, 2] = w * fit.residuals[block] * (pair.common[block] @ (fit.bread @ slope))
        if side == moved_side:
            out[:, 2] += weights[place] / whole * score[place]
        return out

    spread = spread_of(pair, raw, (np.eye(3), np.eye(3)), 1 + pair.Z.shape[1])
    to_parts = np.array(
        [[1, -1, 0], [0, -1, 1], [1, 0, -1]] if form == "reference" else [[1, -1, 0], [1, 0, -1], [0, -1, 1]]
    )
    errors, df = spread.of(to_parts.astype(float))
    df[1:] = np.minimum(df[1:], free)
    values = to_parts @ np.array([*statistics, counterfactual])
    labels = ((GAP, "", ""), (EXPLAINED, "", form), (UNEXPLAINED, "", form))
    parts = tuple(
        GapPart(*label, float(v), float(s), float(d)) for label, v, s, d in zip(labels, values, errors, df, strict=True)
    )
    return Decomposed(parts), balance


_OF_GROUP = np.array([[1.0, 0, -1], [0, -1, 1]])


def _statistic(y: Floats, weights: Floats, at: float | None) -> float:
    return float(weights @ y / weights.sum()) if at is None else quantile(y, weights, at)


def _moves(y: Floats, weights: Floats, at: float | None, value: float) -> Floats:
    """How far a person of weight 1 in all moves the statistic."""
    if at is None:
        return y - value
    return _score(y, weights, value) * _slope(y, weights, at)


def _score(y: Floats, weights: Floats, value: float) -> Floats:
    """How far a person of weight 1 in all moves the share of people below a quantile, and it up."""
    below = (y <= value).astype(float)
    return np.asarray(float(weights @ below / weights.sum()) - below)


def _slope(y: Floats, weights: Floats, at: float) -> float:
    """By how much a quantile moves with its share, between Woodruff's limits of it.

    A kernel density would smooth the tail of a skewed distribution, and make errors of high quantiles too small.
    Source: Woodruff (1952), JASA 47, 635-646; Francisco & Fuller (1991), Annals of Statistics 19, 454-469.

    >>> round(float(_slope(np.arange(101.0), np.ones(101), 0.5)), 6)
    100.0
    """
    share = weights / weights.sum()
    half = 1.96 * np.sqrt(at * (1 - at) * float(share @ share))
    low, high = max(at - half, 0.0), min(at + half, 1.0)
    return (quantile(y, weights, high) - quantile(y, weights, low)) / (high - low)


def _balance(pair: Pair, moved: int, weights: Floats) -> Balance:
    rows, target = pair.sides[moved], pair.sides[1 - moved]
    share = weights / weights.sum()
    means = [np.average(pair.Z[r], axis=0, weights=pair.weights[r]) for r in (rows, target)]
    before, after = np.abs(means[0] - means[1]), np.abs(share @ pair.Z[rows] - means[1])
    worst = int(after.argmax())
    return Balance(
        1 / float(share @ share), len(share), float(share.max()), float(before.max()), float(after.max()), worst
    )
