"""How often the intervals of Brier scores and of their differences hold where outcomes are rare.

Run ``python benchmarks/coverage/brier_coverage.py [--quick]`` (4000 draws a cell, or 1000). Probabilities are right:
logits are normal with standard deviation 1 around the mean of the cell.
"""

from __future__ import annotations

import argparse

import numpy as np
from scipy.special import expit, stdtrit

from fairstats.inference.scores.brier_score import brier_difference, mean_loss

# people of the group, of the reference, mean logit
CELLS = ((60, 60, -3.0), (60, 500, -3.0), (40, 40, -2.0), (25, 25, -3.0), (60, 200, 0.0), (300, 3000, -3.0))


def coverage(cell: tuple[int, int, float], draws: int, rng: np.random.Generator) -> list[float]:
    """Hall of one group, Student of one group, the difference now, Welch."""
    own, other, mean = cell
    chance = expit(rng.normal(mean, 1, 2_000_000))
    truth, held = float(np.mean(chance * (1 - chance))), np.zeros(4)
    for _ in range(draws):
        losses = []
        for n in (own, other):
            p = expit(rng.normal(mean, 1, n))
            losses.append((p - (rng.random(n) < p)) ** 2)
        one, gap = mean_loss(losses[0]), brier_difference(*losses)
        variances = [v.var(ddof=1) / v.size for v in losses]
        df = sum(variances) ** 2 / sum(v**2 / (x.size - 1) for v, x in zip(variances, losses, strict=True))
        student = abs(losses[0].mean() - truth) <= stdtrit(own - 1, 0.975) * np.sqrt(variances[0])
        welch = abs(gap.estimate) <= stdtrit(df, 0.975) * np.sqrt(sum(variances))
        held += one.low <= truth <= one.high, student, gap.low <= 0 <= gap.high, welch
    return (held / draws).tolist()


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--quick", action="store_true")
    draws = 1000 if parser.parse_args().quick else 4000
    rng = np.random.default_rng(9)
    print(f"{draws} draws a cell: nominal 95 %, Monte Carlo error {100 * np.sqrt(0.05 * 0.95 / draws):.1f} points")
    print("people of the group, of the reference, mean logit | Hall | Student | difference, Hall's combined | Welch")
    for cell in CELLS:
        values = " | ".join(f"{100 * v:5.1f} %" for v in coverage(cell, draws, rng))
        print(f"  {', '.join(f'{v:g}' for v in cell):<14} | {values}", flush=True)


if __name__ == "__main__":
    main()
