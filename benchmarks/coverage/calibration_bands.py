"""Whole curves: how often one lies within its band, and the size of Spiegelhalter's test."""

from __future__ import annotations

from functools import partial

import numpy as np
from scipy.special import expit, ndtr, ndtri

from benchmarks.coverage.cells import Cell, Shares
from fairstats.inference.rates.one_rate import wilson
from fairstats.inference.scores.calibration import calibration_curve, spiegelhalter_z
from fairstats.inference.scores.roc import roc_band

MIDDLE = np.array([0.05 + 0.9 * (i + 0.5) / 10 for i in range(10)])
PEOPLE = (10, 30, 100, 1000)  # in each of ten bins
POSITIVES = ((20, 200), (50, 80), (500, 500))  # positives and negatives of a ROC curve, one standard deviation apart
CALIBRATED = ((30, 0.0), (60, -2.0), (300, -3.0))  # people, mean logit


def calibration(people: int, rng: np.random.Generator, draws: int) -> Shares:
    """All bins within the band, and within pointwise intervals."""
    p, edges, kept = np.repeat(MIDDLE, people), (MIDDLE[1:] + MIDDLE[:-1]) / 2, np.zeros(2)
    for _ in range(draws):
        curve = calibration_curve(p, rng.random(p.size) < p, edges)
        low, high = wilson(curve.events, curve.n)
        kept += ((curve.low <= MIDDLE) & (curve.high >= MIDDLE)).all(), ((low <= MIDDLE) & (high >= MIDDLE)).all()
    return {"all covered": float(kept[0] / draws), "all covered by pointwise intervals": float(kept[1] / draws)}


def roc(cell: tuple[int, int], rng: np.random.Generator, draws: int) -> Shares:
    """The whole ROC curve within its band."""
    at = np.linspace(0.005, 0.995, 199)
    truth, y = ndtr(1 + ndtri(at)), np.repeat([1, 0], cell)
    inside = 0
    for _ in range(draws):
        low, high = roc_band(rng.normal(size=y.size) + y, y, at)
        inside += bool(((low <= truth) & (truth <= high)).all())
    return {"all covered": inside / draws}


def size(cell: tuple[int, float], rng: np.random.Generator, draws: int) -> Shares:
    """Spiegelhalter's test of right probabilities."""
    result = 0
    for _ in range(draws):
        p = expit(rng.normal(cell[1], 1, cell[0]))
        result += spiegelhalter_z(p, (rng.random(p.size) < p).astype(int)).p_value <= 0.05
    return {"rejected": result / draws}


def cells() -> list[Cell]:
    """The cells of the three tables."""
    bands = [
        Cell(
            "Calibration curves of ten bins: all of them within the band",
            f"{people} people in a bin",
            partial(calibration, people),
            quick=100 * (people == 30),
            least={"all covered": 0.93},
        )
        for people in PEOPLE
    ]
    curves = [
        Cell("ROC curves: the whole within the band", f"{a} positives, {b} negatives", partial(roc, (a, b)), 2000)
        for a, b in POSITIVES
    ]
    tests = [
        Cell(
            "Spiegelhalter's test of right probabilities",
            f"{n} people, mean logit {mean:g}",
            partial(size, (n, mean)),
            quick=200 * (n == 60),
            most={"rejected": 0.07},
        )
        for n, mean in CALIBRATED
    ]
    return [*bands, *curves, *tests]
