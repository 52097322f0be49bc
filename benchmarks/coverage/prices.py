"""The price of a fit for new people: how often its interval covers, for every method of the family.

What is covered is what the fits of the folds cost people of the same population, averaged over folds: known exactly,
since a squared error is a function of the means and covariances of the groups. Also of the smaller group, and of
component 1. The cells have the groups' sizes fixed, which the limits of OG, whose price varies by group only, do not.
"""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

import numpy as np

import fairstats
from benchmarks.coverage.cells import Cell, Shares
from benchmarks.coverage.extra_error import Rows, rows
from fairstats.data.design import Design
from fairstats.inference.representations.fit_studies import pca_beside
from fairstats.methods.crossfit import assign_folds, fits_without
from fairstats.methods.results import Projection


class Method(NamedTuple):
    """A method by its public name, with its settings."""

    name: str
    settings: tuple[tuple[str, object], ...] = ()


METHODS = {
    "og": Method("og"),
    "sog": Method("sog", (("t", 1.6),)),
    "fair_pca": Method("fair_pca"),
    "fair_pca-s": Method("fair_pca", (("equalize", "covariance"), ("directions", 0.6))),
    "minimax_pca": Method("minimax_pca"),
    "disparity_pca": Method("disparity_pca", (("lam", 0.7), ("advantaged", "1"), ("disadvantaged", "0"))),
    "leace_pca": Method("leace_pca"),
}
ROWS = [
    Rows(60, 40, 6, 2, 1, 0.5, 1),
    Rows(60, 40, 6, 2, 1, 0.5, 0),
    Rows(20, 200, 6, 3, 2, 0.5, 1),
    Rows(150, 100, 25, 3, 1, 0.5, 0.5),
    Rows(100, 100, 6, 2, 2, 0.5, 1, "lognormal"),
]
TABLE = "The price of a fit for new people: coverage of its 95 % interval"


def loss(fit: Projection, j: int, cell: Rows, group: int) -> float:
    """Expected squared distance of a new person of a group from the reconstruction by the first j components."""
    sd = np.arange(1, cell.p + 1.0) ** -cell.decay
    shift = cell.effect * sd * np.where(np.arange(cell.p) % 2, 1, -1) * (np.arange(cell.p) < max(3, cell.p // 3))
    mean = shift if group == 0 else np.zeros(cell.p)
    spread = sd * (cell.ratio if group == 0 else 1.0)
    B, U = fit.weights[:, :j], fit.loadings[:, :j]
    left = np.eye(cell.p) - B @ U.T
    added = np.zeros(cell.p)
    if fit.encoding is not None:
        z = _z(fit, group)
        if fit.coefficients is not None:
            added = added + z @ fit.coefficients[:, :j] @ U.T
        if fit.group_means is not None:
            added = added - z @ fit.group_means
    center = (mean - fit.scaling.center) @ left + fit.scaling.center - fit.origin + added
    return float(center @ center + np.sum((spread[:, None] * left) ** 2))


def _z(fit: Projection, group: int) -> np.ndarray:
    assert fit.encoding is not None
    return np.asarray(fit.encoding.raw(((str(group),),))[0][list(fit.encoding.kept)] - fit.encoding.center)


def one(cell: Rows, method: Method, seed: int, rng: np.random.Generator) -> tuple[bool, bool, bool]:
    """Whether the intervals of the price in all, of the smaller group's and of component 1's cover."""
    X, codes, _ = rows(cell, rng)
    g = codes.astype(str)
    fit = getattr(fairstats, method.name)(X, g, k=cell.k, **dict(method.settings))
    result = fairstats.price_of_fairness(fit, X, g, seed=seed).estimates.where(metric="price", estimator="held out")
    design = Design.of(X, g)
    fold = assign_folds(design, 2, seed)
    small = int(cell.n2 < cell.n1)
    truth = np.zeros(3)
    for kept, part in fits_without(fit, dict(fit.settings), design, fold):
        plain = pca_beside(part, design.take(~kept))
        j = max(part.k, plain.k)
        cost = [loss(part, j, cell, v) - loss(plain, j, cell, v) for v in (0, 1)]
        first = [
            loss(part, 1, cell, v) - loss(part, 0, cell, v) - loss(plain, 1, cell, v) + loss(plain, 0, cell, v)
            for v in (0, 1)
        ]
        sizes = [int(np.sum(kept & (codes == v))) for v in (0, 1)]
        n = sum(sizes)
        truth += [n / len(X) * np.dot(sizes, cost) / n, 0, n / len(X) * np.dot(sizes, first) / n]
        truth[1] += sizes[small] / np.sum(codes == small) * cost[small]
    arguments = (
        next(r for r in result if not r.group and r.role == "main"),
        next(r for r in result if r.group == str(small) and not r.reference),
        next(r for r in result if r.term == "component 1"),
    )
    return tuple(bool(r.conf_low <= t <= r.conf_high) for r, t in zip(arguments, truth, strict=True))  # type: ignore[return-value]


def with_verdicts(cell: Rows, method: Method, rng: np.random.Generator, draws: int) -> Shares:
    """The shares of data sets whose intervals cover."""
    result = np.mean([one(cell, method, i, rng) for i in range(draws)], axis=0)
    return dict(zip(("covered", "group covered", "component covered"), map(float, result), strict=True))


def cells() -> list[Cell]:
    """The cells of the table."""
    out = []
    for i, cell in enumerate(ROWS):
        for name, method in METHODS.items():
            text = f"{name}: {cell.n1} and {cell.n2} rows, p {cell.p}, k {cell.k}, spread {cell.ratio:g}:1, effect "
            text += f"{cell.effect:g}" + (f", {cell.tail}" if cell.tail != "normal" else "")
            quick = 40 * (i == 0 and name in ("fair_pca", "minimax_pca"))
            least = {} if cell.tail == "lognormal" else {"covered": 0.90}  # a few people carry their sums of squares
            out.append(Cell(TABLE, text, partial(with_verdicts, cell, method), 500, quick, least=least))
    return out
