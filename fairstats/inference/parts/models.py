"""Regressions within and over the two groups of a gap, with what each person moves of their coefficients."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy.special import expit

from fairstats.inference.parts.units import Floats, Integers, Pair, blocks
from fairstats.inference.regression import DETERMINED, SEPARATED, maximize
from fairstats.language import message

COLLINEAR = message("its covariates are collinear here: a column is constant or follows from the others")
SEPARATES = message("the covariates separate the decisions: coefficients are infinite")
# A direction of the standardized columns with less than this share of the largest has no slope.
FLAT = 1e-11
FEWEST_FREE = 4  # degrees of freedom of a regression's error, below which its limits are not used
ALONE = 1e-8  # a unit takes all but this share of a direction


@dataclass(frozen=True, eq=False)
class GapFit:
    """A regression on some rows: its coefficients (k,), or why it has none.

    bread: inverse of the information, shape (k, k).
    residuals: of its rows, inflated by what the fit took of each unit's variance (HC3; CR3 of clusters), shape (n,).
    """

    coefficients: Floats
    bread: Floats
    residuals: Floats
    reason: str = ""


def fitted(link: str, rows: slice, y: Floats, pair: Pair, *, with_group: bool = False) -> GapFit:
    """Regress y on the covariates of some rows, by a logit where the link says so.

    link: "identity" or "logit".
    rows: one side of the pair, or all.
    y: one value a row of the pair, shape (n,).
    with_group: whether the group has a coefficient.
    """
    design = pair.design if with_group else pair.common
    weights, width, n = pair.weights, design.shape[1], rows.stop - rows.start
    within = [gram for gram, side in zip(pair.grams, pair.sides, strict=True) if rows in (side, slice(0, len(pair.y)))]
    gram = np.sum(within, axis=0)[:width, :width]
    if np.linalg.eigvalsh(gram / max(np.trace(gram), 1e-300))[0] <= FLAT:
        return _none(width, n, COLLINEAR)
    if link == "identity":
        bread = np.linalg.inv(gram)
        beta = bread @ _moment(design, weights, y, rows)
    else:
        scale = weights[rows].mean()
        maximum = maximize(design[rows], y[rows], weights=weights[rows] / scale, tolerance=1e-10)
        if not maximum.settled or np.abs(design[rows] @ maximum.coefficients).max() >= SEPARATED:
            return _none(width, n, SEPARATES)
        beta, bread = maximum.coefficients, np.linalg.inv(maximum.information * scale)
    left, variance, leverage = np.empty(n), np.ones(n), np.empty(n)
    for block in blocks(rows):
        X, at = design[block], slice(block.start - rows.start, block.stop - rows.start)
        mean, variance[at] = predicted(link, X @ beta)
        left[at] = y[block] - mean
        leverage[at] = weights[block] * variance[at] * np.einsum("ij,ij->i", X @ bread, X)
    if link == "identity":  # one step of refinement: normal equations square the condition number
        step = bread @ _moment(design[rows], weights[rows], left, slice(0, n))
        beta += step
        left -= design[rows] @ step
    if pair.clusters is None:
        free = 1 - leverage if pair.Z.shape[1] else np.sqrt(1 - leverage)  # of means alone HC2 is exact: Welch's error
        residuals = np.where(free > DETERMINED, left / np.where(free > DETERMINED, free, 1.0), 0.0)
    else:
        residuals = _of_clusters(design[rows], weights[rows], pair.clusters[rows], bread, left, variance)
    return GapFit(beta, bread, residuals)


def _none(width: int, n: int, reason: str) -> GapFit:
    return GapFit(np.full(width, np.nan), np.full((width, width), np.nan), np.full(n, np.nan), reason)


def _moment(design: Floats, weights: Floats, y: Floats, rows: slice) -> Floats:
    return np.asarray(sum((weights[block] * y[block]) @ design[block] for block in blocks(rows)))


def predicted(link: str, eta: Floats) -> tuple[Floats, Floats]:
    """Means and their derivatives at linear predictors."""
    if link == "identity":
        return eta, np.ones(len(eta))
    p = expit(eta)
    return p, p * (1 - p)


def _of_clusters(
    X: Floats, weights: Floats, clusters: Integers, bread: Floats, left: Floats, variance: Floats
) -> Floats:
    """Residuals as large as if the cluster of each had been left out of the fit."""
    raised, unit = left.copy(), np.eye(len(bread))
    for members in rows_of(clusters):
        part = X[members]
        score = part.T @ (weights[members] * left[members])
        free = unit - part.T @ (part * (weights[members] * variance[members])[:, None]) @ bread
        # a direction that this cluster alone determines has no error left to be raised
        step = np.linalg.lstsq(free, score, rcond=1e-8)[0]
        raised[members] += variance[members] * (part @ (bread @ step))
    return raised


def freedom(pair: Pair, rows: slice, fit: GapFit, to: Floats) -> float:
    """Degrees of freedom of the variance of ``to @ coefficients``, were residuals independent and equally variable.

    Few, where much of it rests on few people or clusters; 0 where one decides a part of it, of which no error is known.
    Source: Bell & McCaffrey (2002), Survey Methodology 28, 169-181; with residuals raised as by HC3 and CR3.
    """
    B, k = fit.bread, len(to)
    weighted = np.zeros((k, k))
    for block in blocks(rows):
        part = pair.design[block, :k] * pair.weights[block, None]
        weighted += part.T @ part
    Q = np.block([[B @ weighted @ B, -B], [-B, np.zeros((k, k))]])  # the residuals' covariance is 1 + P Q P'
    trace = of_squares = 0.0
    total = np.zeros((2 * k, 2 * k))
    for squares, sums in _raised(pair, rows, B, to):
        corner = np.einsum("ij,ij->i", sums @ Q, sums)
        trace += float((squares + corner).sum())
        of_squares += float(squares @ (squares + 2 * corner))
        total += sums.T @ sums
    turned = Q @ total
    return trace**2 / (of_squares + float(np.einsum("ij,ji->", turned, turned))) if trace > 0 else 0.0


def _raised(pair: Pair, rows: slice, B: Floats, to: Floats) -> Iterator[tuple[Floats, Floats]]:
    """Of some units at a time the squares of what their raised residuals bring, and its sums with P = [X, WX].

    Nothing where one unit decides a part of ``to @ coefficients``.
    """
    k = len(to)
    if pair.clusters is None:
        parts = []
        for block in blocks(rows):
            X, w = pair.design[block, :k], pair.weights[block]
            parts.append((1 - w * np.einsum("ij,ij->i", X @ B, X), w * (X @ (B @ to))))
        free, pull = map(np.concatenate, zip(*parts, strict=True))
        decided = free <= ALONE
        if np.any(decided & (np.abs(pull) > ALONE * np.abs(pull).max())):
            return
        raised = pull / np.where(decided, 1.0, free)
        for block in blocks(rows):
            X, of = pair.design[block, :k], raised[block.start - rows.start : block.stop - rows.start, None]
            yield of[:, 0] ** 2, np.concatenate([X, X * pair.weights[block, None]], axis=1) * of
        return
    X, w, root, units = pair.design[rows, :k], pair.weights[rows], np.linalg.cholesky(B), pair.clusters[rows]
    if decided_by_one(X * np.sqrt(w)[:, None] @ root, units, root.T @ to):
        return
    for unit in rows_of(units):
        part, weights = X[unit], w[unit, None]
        left = np.eye(k) - B @ (part.T @ (part * weights))
        one = (part * weights) @ np.linalg.lstsq(left, B @ to, rcond=ALONE)[0]
        yield np.array([one @ one]), np.concatenate([one @ part, one @ (part * weights)])[None]


def rows_of(units: Integers) -> list[Integers]:
    """The rows of each unit."""
    order = np.argsort(units, kind="stable")
    return np.split(order, np.flatnonzero(np.diff(units[order])) + 1)


def decided_by_one(q: Floats, units: Integers, bring: Floats) -> bool:
    """Whether a part of a sum of coefficients comes from the rows of one unit alone.

    q: the rows in orthonormal columns; bring: what each column brings to the sum.
    """
    for rows in rows_of(units):
        values, vectors = np.linalg.eigh(q[rows].T @ q[rows])
        if np.abs(vectors[:, values >= 1 - ALONE].T @ bring).max(initial=0.0) > ALONE * np.linalg.norm(bring):
            return True
    return False
