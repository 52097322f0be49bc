"""Kitagawa's decomposition of a gap of rates or means by strata, and Das Gupta's over several factors: no model."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from math import factorial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairstats.errors import Setting
from fairstats.inference.parts.coefficients import EXPLAINED, GAP, UNEXPLAINED, Decomposed, GapPart
from fairstats.inference.parts.units import Floats, Integers, Pair, derivatives, gap_error, spread_of
from fairstats.language import message

AVERAGE = "average"
ONE_SIDED = message(
    "{n} of {count} strata hold people of one group only, with whom nobody can be compared: join strata, leave these "
    "people out, or take {setting}"
)


def by_strata(pair: Pair, codes: Integers, names: Sequence[str]) -> Decomposed:
    """Decompose a gap into what composition and what rates within strata account for, each factor by itself.

    pair: the people; its covariates are not used.
    codes: the level of every person on every factor, in the pair's order of rows, shape (n, factors).
    Source: Kitagawa (1955), Journal of the American Statistical Association 50, 1168-1194; over several factors, in no
    order, Das Gupta (1993), Standardization and decomposition of rates, U.S. Bureau of the Census P23-186, chapter 6.
    """
    cells, place = np.unique(codes, axis=0, return_inverse=True)
    place, count = place.ravel(), len(cells)
    people = np.stack([np.bincount(place[rows], minlength=count) for rows in pair.sides])
    weight = [np.bincount(place[rows], pair.weights[rows], minlength=count) for rows in pair.sides]
    alone = int(np.count_nonzero((people == 0).any(axis=0)))
    total = [np.bincount(place[rows], pair.weights[rows] * pair.y[rows], minlength=count) for rows in pair.sides]
    if alone:
        means = [float(total[side].sum() / weight[side].sum()) for side in (0, 1)]
        group, reference = (pair.y[rows] - mean for rows, mean in zip(pair.sides, means, strict=True))
        reason = ONE_SIDED.format(n=alone, count=count, setting=Setting("method", "oaxaca"))
        lost = (GapPart(c, "", AVERAGE, np.nan, reason=reason) for c in (EXPLAINED, UNEXPLAINED))
        return Decomposed((GapPart(GAP, "", "", means[0] - means[1], *gap_error(pair, (group, reference))), *lost))
    theta = np.concatenate([*weight, *total])

    def parts(at: NDArray[Any]) -> NDArray[Any]:
        w, t = at.reshape(2, 2, count)
        return _parts(w / w.sum(axis=1, keepdims=True), t / w, cells)

    values = parts(theta).real
    by_people, by_sums = derivatives(parts, theta).T.reshape(2, 2, count, -1)  # of each side and cell

    def raw(block: slice, side: int) -> Floats:
        rows = pair.sides[side]
        units = rows.stop - rows.start if pair.clusters is None else len(np.unique(pair.clusters[rows]))
        w = np.sqrt(units / max(units - 1, 1)) * pair.weights[block, None]
        cell = place[block]
        return np.asarray(w * (by_people[side, cell] + pair.y[block, None] * by_sums[side, cell]))

    same = np.eye(len(values))
    errors, df = spread_of(pair, raw, (same, same), 1).of(same)
    labels = [(GAP, "", ""), (EXPLAINED, "", AVERAGE)]
    labels += [(EXPLAINED, name, AVERAGE) for name in names] + [(UNEXPLAINED, "", AVERAGE)]
    numbers = zip(values.tolist(), errors.tolist(), df.tolist(), strict=True)
    return Decomposed(tuple(GapPart(*label, *number) for label, number in zip(labels, numbers, strict=True)))


def _parts(share: NDArray[Any], rate: NDArray[Any], cells: Integers) -> NDArray[Any]:
    """The gap, composition in all and by factor, and rates, from shares and rates of cells of both groups."""
    factors = cells.shape[1]
    by_factor = [_of_factor(share, cells, j) for j in range(factors)]
    mean = rate.mean(axis=0)
    effects = [(mean * _effect(by_factor, j)).sum() for j in range(factors)]
    rates = (share.mean(axis=0) * (rate[0] - rate[1])).sum()
    gap = (share[0] * rate[0]).sum() - (share[1] * rate[1]).sum()
    return np.array([gap, sum(effects), *effects, rates])


def _of_factor(share: NDArray[Any], cells: Integers, j: int) -> NDArray[Any]:
    """What a factor brings to the share of each cell: their product over factors is the share."""
    others = [i for i in range(cells.shape[1]) if i != j]
    factors = cells.shape[1]
    out = np.ones_like(share)
    for size in range(factors):
        power = factorial(size) * factorial(factors - size - 1) / factorial(factors)
        for chosen in combinations(others, size):
            out = out * (_margin(share, cells, (*chosen, j)) / _margin(share, cells, chosen)) ** power
    return out


def _margin(share: NDArray[Any], cells: Integers, which: Sequence[int]) -> NDArray[Any]:
    """The share of everybody with the same levels of some factors, for each cell."""
    if not which:
        return np.broadcast_to(share.sum(axis=1, keepdims=True), share.shape)
    place = np.unique(cells[:, list(which)], axis=0, return_inverse=True)[1].ravel()
    sums = np.zeros((2, int(place.max()) + 1), dtype=share.dtype)
    for side in (0, 1):
        np.add.at(sums[side], place, share[side])
    return np.asarray(sums[:, place])


def _effect(by_factor: Sequence[NDArray[Any]], j: int) -> NDArray[Any]:
    """The change of one factor of a product, averaged over all orders in which the others may change."""
    others = [i for i in range(len(by_factor)) if i != j]
    out = np.zeros_like(by_factor[j][0])
    for size in range(len(others) + 1):
        power = factorial(size) * factorial(len(others) - size) / factorial(len(by_factor))
        for chosen in combinations(others, size):
            product = np.ones_like(out)
            for i in others:
                product = product * by_factor[i][0 if i in chosen else 1]
            out = out + power * product
    return out * (by_factor[j][0] - by_factor[j][1])
