"""Gaps of scores by their familiar names: how often their intervals hold the true gap of three groups, or of two.

Brier parity: probabilities are right, logits normal with standard deviation 1, so that the score of a group is the mean
of p(1 - p). ABROCA: scores of negatives standard normal, of positives normal; beside ours the percentiles of the
bootstrap.
"""

from __future__ import annotations

from functools import partial

import numpy as np
from scipy.special import expit, ndtr, ndtri

from benchmarks.coverage.brier import APPROXIMATE
from benchmarks.coverage.cells import Cell, Shares, counted
from fairstats import stats
from fairstats.inference.fairness_metrics import FEWEST
from fairstats.inference.scores.roc import area_between_roc_curves

PARITY = "Brier parity of three groups: coverage of its interval"
AREA = "ABROCA of two groups: coverage of its interval"
# people by group, mean logits
PARITIES = (
    ((60, 90, 120), (0.0, 0.0, 0.0)),
    ((60, 90, 120), (-2.0, 0.0, 1.0)),
    ((200, 300, 2000), (-2.0, -2.0, -2.0)),
    ((200, 300, 2000), (-3.0, -1.0, 0.0)),
)
# people of each outcome in the two groups, means and standard deviations of the positives' scores
AREAS = (
    ((60, 40, 90, 60), (1.0, 1.0), (1.0, 1.0)),
    ((60, 40, 90, 60), (0.6, 1.4), (1.0, 1.0)),
    ((60, 40, 90, 60), (1.0, 1.0), (0.5, 2.0)),
    ((20, 10, 200, 100), (1.0, 1.0), (1.0, 1.0)),
    ((20, 10, 200, 100), (2.5, 2.0), (1.0, 1.0)),
    ((600, 400, 900, 600), (1.0, 1.2), (1.0, 1.0)),
)


def parity(cell: tuple[tuple[int, ...], tuple[float, ...]], rng: np.random.Generator, draws: int) -> Shares:
    """The share of samples whose interval holds the true largest difference."""
    sizes, means = cell
    nodes, weights = np.polynomial.hermite_e.hermegauss(80)
    chances = [expit(mean + nodes) for mean in means]
    true = [float(np.sum(weights * p * (1 - p)) / weights.sum()) for p in chances]
    groups, truth, rows = np.repeat(np.arange(len(sizes)), sizes), max(true) - min(true), []
    for _ in range(draws):
        p = expit(rng.normal(np.repeat(means, sizes), 1.0))
        row = stats.brier_parity((rng.random(p.size) < p).astype(int), p, groups=groups)
        rows.append({"covered": row.conf_low - 1e-12 <= truth <= row.conf_high + 1e-12})
    return counted(rows)


def area(cell: tuple[tuple[int, ...], ...], rng: np.random.Generator, draws: int) -> Shares:
    """The share of samples whose interval holds the true area between the curves; the same of bootstrap percentiles."""
    (m1, n1, m2, n2), means, spreads = cell
    at = (np.arange(100_000) + 0.5) / 100_000
    curves = [1 - ndtr((ndtri(1 - at) - mean) / spread) for mean, spread in zip(means, spreads, strict=True)]
    truth, rows = float(np.mean(np.abs(curves[0] - curves[1]))), []
    y = np.repeat([0, 1, 0, 1], [m1, n1, m2, n2])
    groups = np.repeat([0, 1], [m1 + n1, m2 + n2])
    center, spread = y * np.take(means, groups), np.where(y == 1, np.take(spreads, groups), 1.0)
    for k in range(draws):
        s = rng.normal(center, spread)
        row = stats.abroca(y, s, groups=groups, seed=k)
        low, high = np.quantile([_again(s, y, groups, rng) for _ in range(200)], [0.025, 0.975])
        rows.append({"covered": row.conf_low <= truth <= row.conf_high, "by percentiles": low <= truth <= high})
    return counted(rows)


def _again(s: np.ndarray, y: np.ndarray, groups: np.ndarray, rng: np.random.Generator) -> float:
    parts = [np.flatnonzero((groups == g) & (y == label)) for g in (0, 1) for label in (0, 1)]
    drawn = [rng.choice(part, part.size) for part in parts]
    first, second = (np.concatenate(drawn[at : at + 2]) for at in (0, 2))
    return area_between_roc_curves(s[first], y[first], s[second], y[second])


def cells() -> list[Cell]:
    """The cells of the two tables."""
    parities = [
        Cell(
            PARITY,
            f"{', '.join(map(str, sizes))} people, mean logits {', '.join(f'{mean:g}' for mean in means)}",
            partial(parity, (sizes, means)),
            draws=2000,
            quick=200 * (k == 0),
            least={"covered": 0.93},
        )
        for k, (sizes, means) in enumerate(PARITIES)
    ]
    areas = [
        Cell(
            AREA,
            f"{m1} + {n1} and {m2} + {n2}, means {means[0]:g}, {means[1]:g}, sd {spreads[0]:g}, {spreads[1]:g}"
            + APPROXIMATE * (min(m1, n1, m2, n2) < FEWEST),
            partial(area, ((m1, n1, m2, n2), means, spreads)),
            draws=200,
            quick=20 * (k == 0),
            least={} if min(m1, n1, m2, n2) < FEWEST else {"covered": 0.95},
        )
        for k, ((m1, n1, m2, n2), means, spreads) in enumerate(AREAS)
    ]
    return parities + areas
