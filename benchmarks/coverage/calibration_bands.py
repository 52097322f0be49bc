"""How often a whole curve lies within its band, and the size of Spiegelhalter's test.

Run ``python benchmarks/coverage/calibration_bands.py [--quick]`` (4000 draws a cell, or 500).
"""

from __future__ import annotations

import argparse

import numpy as np
from scipy.special import expit, ndtr, ndtri

from fairstats.inference.rates.one_rate import wilson
from fairstats.inference.scores.calibration_curve import calibration_curve
from fairstats.inference.scores.calibration_error import spiegelhalter
from fairstats.inference.scores.roc_differences import roc_band

MIDDLE = np.array([0.05 + 0.9 * (i + 0.5) / 10 for i in range(10)])
PEOPLE = (10, 30, 100, 1000)  # in each of ten bins
POSITIVES = ((20, 200), (50, 80), (500, 500))  # positives and negatives of a ROC curve, one standard deviation apart
CALIBRATED = ((30, 0.0), (60, -2.0), (300, -3.0))  # people, mean logit


def calibration(people: int, draws: int, rng: np.random.Generator) -> tuple[float, float]:
    """All bins within the band, and within pointwise intervals."""
    p, edges, held = np.repeat(MIDDLE, people), (MIDDLE[1:] + MIDDLE[:-1]) / 2, np.zeros(2)
    for _ in range(draws):
        curve = calibration_curve(p, rng.random(p.size) < p, edges)
        low, high = wilson(curve.events, curve.n)
        held += ((curve.low <= MIDDLE) & (curve.high >= MIDDLE)).all(), ((low <= MIDDLE) & (high >= MIDDLE)).all()
    return float(held[0] / draws), float(held[1] / draws)


def roc(cell: tuple[int, int], draws: int, rng: np.random.Generator) -> float:
    """The whole ROC curve within its band."""
    at = np.linspace(0.005, 0.995, 199)
    truth, y = ndtr(1 + ndtri(at)), np.repeat([1, 0], cell)
    inside = 0
    for _ in range(draws):
        low, high = roc_band(rng.normal(size=y.size) + y, y, at)
        inside += bool(((low <= truth) & (truth <= high)).all())
    return inside / draws


def size(cell: tuple[int, float], draws: int, rng: np.random.Generator) -> float:
    """Spiegelhalter's test of right probabilities."""
    found = 0
    for _ in range(draws):
        p = expit(rng.normal(cell[1], 1, cell[0]))
        found += spiegelhalter(p, (rng.random(p.size) < p).astype(int)).p_value <= 0.05
    return found / draws


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--quick", action="store_true")
    draws = 500 if parser.parse_args().quick else 4000
    rng = np.random.default_rng(16)
    print(f"{draws} draws a cell: Monte Carlo error {100 * np.sqrt(0.05 * 0.95 / draws):.1f} points")
    print("calibration, ten bins: people of a bin | band | pointwise")
    for people in PEOPLE:
        band, pointwise = calibration(people, draws, rng)
        print(f"  {people:>5} | {100 * band:5.1f} % | {100 * pointwise:5.1f} %", flush=True)
    print("ROC: positives, negatives | band")
    for cell in POSITIVES:
        print(f"  {cell} | {100 * roc(cell, draws, rng):5.1f} %", flush=True)
    print("Spiegelhalter's test: people, mean logit | size")
    for calibrated in CALIBRATED:
        print(f"  {calibrated} | {100 * size(calibrated, draws, rng):5.1f} %", flush=True)


if __name__ == "__main__":
    main()
