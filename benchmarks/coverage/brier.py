"""Brier scores: how often their intervals, and those of their differences, hold where outcomes are rare.

Probabilities are right: logits are normal with standard deviation 1 around the mean of the cell.
"""

from __future__ import annotations

from functools import partial

import numpy as np
from scipy.special import expit, stdtrit

from benchmarks.coverage.cells import Cell, Shares
from fairstats.inference.scores.calibration import brier_difference, mean_loss

# people of the group, of the reference, mean logit
SAMPLES = ((60, 60, -3.0), (60, 500, -3.0), (40, 40, -2.0), (25, 25, -3.0), (60, 200, 0.0), (300, 3000, -3.0))


def coverage(cell: tuple[int, int, float], rng: np.random.Generator, draws: int) -> Shares:
    """Hall of one group, Student of one group, the difference now, Welch."""
    current, other, mean = cell
    chance = expit(rng.normal(mean, 1, 2_000_000))
    truth, kept = float(np.mean(chance * (1 - chance))), np.zeros(4)
    for _ in range(draws):
        losses = []
        for n in (current, other):
            p = expit(rng.normal(mean, 1, n))
            losses.append((p - (rng.random(n) < p)) ** 2)
        one, gap = mean_loss(losses[0]), brier_difference(*losses)
        variances = [v.var(ddof=1) / v.size for v in losses]
        df = sum(variances) ** 2 / sum(v**2 / (x.size - 1) for v, x in zip(variances, losses, strict=True))
        student = abs(losses[0].mean() - truth) <= stdtrit(current - 1, 0.975) * np.sqrt(variances[0])
        welch = abs(gap.estimate) <= stdtrit(df, 0.975) * np.sqrt(sum(variances))
        kept += one.low <= truth <= one.high, student, gap.low <= 0 <= gap.high, welch
    return dict(
        zip(("one covered", "one by Student", "difference covered", "difference by Welch"), kept / draws, strict=True)
    )


TABLE = "Brier scores: coverage of their intervals"


APPROXIMATE = " (the row says: approximate)"


def _few(people: int, mean: float) -> bool:
    """Whether fewer than two of the rare outcome are expected, where no interval is known that covers."""
    return bool(people * expit(mean) < 2)


def cells() -> list[Cell]:
    """The cells of the table."""
    return [
        Cell(
            TABLE,
            f"{current} and {other} people, mean logit {mean:g}" + APPROXIMATE * _few(current, mean),
            partial(coverage, (current, other, mean)),
            quick=200 * (k == 0),
            least={} if _few(current, mean) else {"one covered": 0.9, "difference covered": 0.9},
        )
        for k, (current, other, mean) in enumerate(SAMPLES)
    ]
