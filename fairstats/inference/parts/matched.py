"""Fairlie's decomposition of a gap of decisions: people matched by rank, one variable exchanged after the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from fairstats.inference.parts.coefficients import EXPLAINED, UNEXPLAINED, WEIGHTS, Decomposed, GapTerm, by_coefficients
from fairstats.inference.parts.models import fitted, predicted
from fairstats.inference.parts.units import Floats, Pair

SAMPLES = 100  # of the larger group, each as large as the smaller


def by_matching(pair: Pair, terms: Sequence[GapTerm], form: str | float, seed: int) -> Decomposed:
    """Decompose a gap of decisions; variables are exchanged in the order of ``terms``, on which their parts depend.

    form: as in `by_coefficients`, whose whole explained part this divides.
    Returns: errors of variables are those of the coefficients alone, as Fairlie gives them.
    Source: Fairlie (2005), Journal of Economic and Social Measurement 30, 305-316.
    """
    whole = by_coefficients(pair, terms, form, link="logit", separate=False)
    chosen = form if isinstance(form, str) else f"{form:g}"
    explained = next(p for p in whole.parts if (p.component, p.term, p.form) == (EXPLAINED, "", chosen))
    if not np.isfinite(explained.estimate):
        return whole
    beta, covariance = _coefficients(pair, form)
    sides = [pair.common[rows] for rows in pair.sides]
    ranks = [predicted("logit", X @ beta)[0] for X in sides]
    shares = [pair.weights[rows] / pair.weights[rows].sum() for rows in pair.sides]
    few = min(len(X) for X in sides)
    rng = np.random.default_rng(seed)
    even = len(sides[0]) == len(sides[1]) and all(np.ptp(share) == 0 for share in shares)
    samples = 1 if even else SAMPLES
    effect, slope = np.zeros(len(terms)), np.zeros((len(terms), len(beta)))
    for _ in range(samples):
        group, current = (_ranked(X, r, s, few, rng) for X, r, s in zip(sides, ranks, shares, strict=True))
        current = current.copy()
        p, v = predicted("logit", current @ beta)
        mean, gradient = p.mean(), v @ current / few
        for j, term in enumerate(terms):
            columns = [1 + column for column in term.columns]
            current[:, columns] = group[:, columns]
            p, v = predicted("logit", current @ beta)
            effect[j] += (p.mean() - mean) / samples
            slope[j] += (v @ current / few - gradient) / samples
            mean, gradient = p.mean(), v @ current / few
    # what the samples miss of the whole part is left to no variable: all are scaled by the same
    scale = explained.estimate / effect.sum() if effect.sum() != 0 else 1.0
    errors = np.abs(scale) * np.sqrt(np.maximum(np.einsum("ij,jk,ik->i", slope, covariance, slope), 0.0))
    by_term = dict(zip((t.name for t in terms), zip(effect * scale, errors, strict=True), strict=True))
    parts = []
    for part in whole.parts:
        if part.component == EXPLAINED and part.term and part.form == chosen:
            estimate, error = by_term[part.term]
            part = replace(part, estimate=float(estimate), std_error=float(error))
        if not (part.component == UNEXPLAINED and part.term):
            parts.append(part)
    return Decomposed(tuple(parts))


def _ranked(X: Floats, rank: Floats, share: Floats, n: int, rng: np.random.Generator) -> Floats:
    """As many rows as the smaller group has, by their predicted chance; drawn where there are more, or weights."""
    if np.ptp(share) == 0:
        rows = rng.permutation(len(X))[:n] if len(X) > n else np.arange(n)
    else:
        rows = rng.choice(len(X), n, p=share)
    return X[rows[np.argsort(rank[rows], kind="stable")]]


def _coefficients(pair: Pair, form: str | float) -> tuple[Floats, Floats]:
    """Coefficients of a form without the group's column, and their covariance."""
    whole, k = slice(0, len(pair.y)), 1 + pair.Z.shape[1]
    group, reference = pair.sides
    share = float(pair.weights[reference].sum() / pair.weights.sum())
    weight = {**WEIGHTS, "share": share}.get(str(form), form)
    if isinstance(weight, str):
        pieces = [(whole, weight == "pooled_with_group", 1.0)]
    else:
        pieces = [(rows, False, w) for rows, w in ((reference, weight), (group, 1 - weight)) if w]
    beta, covariance = np.zeros(k), np.zeros((k, k))
    for rows, with_group, part in pieces:
        fit = fitted("logit", rows, pair.y, pair, with_group=with_group)
        design = pair.design[rows, : len(fit.coefficients)]
        moved = (design * (pair.weights[rows] * fit.residuals)[:, None]) @ fit.bread[:, :k]
        if pair.clusters is not None:
            sums = np.zeros((int(pair.clusters.max()) + 1, k))
            np.add.at(sums, pair.clusters[rows], moved)
            moved = sums
        beta += part * fit.coefficients[:k]
        covariance += part**2 * moved.T @ moved
    return beta, covariance
