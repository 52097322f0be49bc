"""Scores in subgroups, rates drawn toward their mean: how often right scores are flagged, and what is covered."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import NDArray

from benchmarks.coverage.cells import Cell, Shares, counted
from fairstats.auditing.subgroups import ScoredPeople, Subgroup, subgroups_of
from fairstats.inference.multiplicity import p_adjust
from fairstats.inference.rates.many_rates import largest_tail
from fairstats.inference.rates.residuals import residual_p
from fairstats.inference.rates.shrinkage import shrunken
from fairstats.provenance import Attribute

CALIBRATED = "Scores of subgroups: any flag, or any limit crossed, where all scores are right, nominal 5 %"
EXTREME = "Scores of subgroups: the same where the mean residual is 0 and scores are too extreme"
DRAWN = "Rates drawn toward their mean: limits of all groups on average, nominal 95 %"
Floats = NDArray[np.float64]
JOINT = 3000  # draws of the joint level: quicker, and as good on average
LEVELS = (2, 4, 3)  # labels of three columns, and three bands of the score
SHARES = ((0.6, 0.4), (0.7, 0.2, 0.07, 0.03), (0.5, 0.3, 0.2))


def people(n: int, rate: float, concentration: float, rng: np.random.Generator) -> tuple[list[Attribute], Floats]:
    """Labels of unequal shares, and scores from a beta law, ascending."""
    scores = np.sort(rng.beta(rate * concentration, (1 - rate) * concentration, n))
    labels = [rng.choice(count, n, p=share).astype(np.int32) for count, share in zip(LEVELS, SHARES, strict=True)]
    labels.append((3 * np.arange(n) // n).astype(np.int32))
    return [Attribute(name, x, tuple("abcd")) for name, x in zip("uvws", labels, strict=True)], scores


def flagged(case: tuple[int, float, float, int, float], rng: np.random.Generator, draws: int) -> Shares:
    """How often a calibrated score is flagged, or a limit of a subgroup leaves 0 out; slope 1 is calibrated."""
    n, rate, concentration, least, slope = case
    rows = []
    for draw in range(draws):
        attributes, scores = people(n, rate, concentration, rng)
        chance = np.clip(scores.mean() + slope * (scores - scores.mean()), 0, 1)
        cells, place = np.unique(np.stack([a.codes for a in attributes]), axis=1, return_inverse=True)
        place, one = place.ravel(), np.ones(n)
        events, size = (np.bincount(place, x).astype(float) for x in (rng.random(n) < chance, one))
        columns = tuple(Attribute(a.name, codes, a.labels) for a, codes in zip(attributes, cells, strict=True))
        counts = ScoredPeople(columns, events, size, scores, one, place)
        every: list[Subgroup] = subgroups_of(counts, 2, least, "s" if slope == 1 else "")
        if slope != 1:  # bands of such scores are wrong, and so no part of what is claimed
            every = [subgroup for subgroup in every if "s" not in subgroup.attribute.split(":")]
        kept = [subgroup for subgroup in every if subgroup.n >= least]
        members = np.stack([subgroup.members for subgroup in kept])
        tail = largest_tail((members * counts.variance) @ members.T.astype(float), 0.95, draw, JOINT)
        p = np.array([residual_p(counts.law(subgroup.members), int(subgroup.events)) for subgroup in kept])
        rows.append({
            "any flag": bool((p_adjust(p, "bh") <= 0.05).any()),
            "any limit crossed": bool((p < 2 * tail).any()),
            "unadjusted": bool((p <= 0.05).any()),
        })  # fmt: skip
    return counted(rows)


TRUE: dict[str, Callable[[int, np.random.Generator], Floats]] = {
    "normal rates": lambda g, rng: np.clip(rng.normal(0.3, 0.08, g), 0.01, 0.99),
    "rates of 0.2, a tenth of them 0.6": lambda g, rng: np.where(rng.random(g) < 0.1, 0.6, 0.2),
    "rates of 0.3 and 0.5": lambda g, rng: np.where(rng.random(g) < 0.5, 0.5, 0.3),
    "skewed rates (beta, mean 0.12)": lambda g, rng: rng.beta(0.8, 6, g),
}


def averaged(law: str, groups: int, rng: np.random.Generator, draws: int) -> Shares:
    """The share of groups, of 8 to 200 people, whose limits hold; the squared error as a share of that of raw rates."""
    covered, error, raw = [], [], []
    for _ in range(draws):
        n = np.round(np.exp(rng.uniform(np.log(8), np.log(200), groups)))
        true = TRUE[law](groups, rng)
        events = rng.binomial(n.astype(int), true)
        result = shrunken(events, n)
        covered.append(((result.low <= true) & (true <= result.high)).mean())
        error.append(((result.estimate - true) ** 2).mean())
        raw.append(((events / n - true) ** 2).mean())
    return {"covered on average": float(np.mean(covered)), "squared error, of that of raw rates": sum(error) / sum(raw)}


def cells() -> list[Cell]:
    """The cells of the three tables."""
    named = "{} people, rate {:g}, concentration {:g}, subgroups of {} and more"
    right = [(500, 0.02, 20, 10), (500, 0.1, 5, 10), (500, 0.5, 2, 1), (2000, 0.1, 5, 10)]
    bounds = {"any flag": 0.06, "any limit crossed": 0.06}
    below = {"squared error, of that of raw rates": 1.0}
    return [
        *(Cell(CALIBRATED, named.format(*c), partial(flagged, (*c, 1.0)), 300, most=bounds) for c in right),
        Cell(EXTREME, "500 people, slope 0.7", partial(flagged, (500, 0.3, 2, 10, 0.7)), 300),
        *(
            Cell(DRAWN, f"{law}, 40 groups", partial(averaged, law, 40), 100, 0, below, {"covered on average": 0.95})
            for law in TRUE
        ),
        *(
            Cell(DRAWN, f"{law}, 10 groups", partial(averaged, law, 10), 300, 0, below, {"covered on average": 0.95})
            for law in TRUE
        ),
    ]
