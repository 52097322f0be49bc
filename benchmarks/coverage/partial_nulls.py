"""One real difference among others that are none, all declared attributes at once, and what could have been shown.

A rule whose null distribution assumes that nothing differs may be wrong as soon as something does: labels exchanged
among all groups (max-t) claimed falsely in up to 33 % of the first cells.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from benchmarks.coverage.cells import Cell, Shares
from fairstats.auditing.counts import Evidence
from fairstats.auditing.protocol import Protocol
from fairstats.auditing.rates import contrasts
from fairstats.inference.rates.equivalence import detectable
from fairstats.inference.rates.exact import decisive_test
from fairstats.inference.rates.many_rates import ratio_to_best
from fairstats.inference.verdicts import decide_all, decided

# people of the reference, of the group that differs, of the others; rate, rate of the group that differs
PARTIAL = (
    ((2000, 2000, *[8] * 5), 0.01, 0.5),
    ((2000, 1000, *[8] * 5), 0.01, 0.3),
    ((2000, 500, *[12] * 5), 0.02, 0.5),
)
PARTIAL += (((500, 300, *[20] * 4), 0.05, 0.6), ((1500, 1500, *[8] * 5), 0.02, 0.5))
BEST = (((2000, 2000, *[8] * 5), 0.99, 0.5), ((1000, 1000, 15, 15, 15), 0.97, 0.5), ((500, 500, 20, 20), 0.95, 0.6))
BEST += (((100, 100, 100), 0.5, 0.5), ((300, 200, 100, 50), 0.3, 0.2))
# groups of each of four attributes, people, rate
ATTRIBUTES = (((2, 3, 4, 6), 3000, 0.3), ((2, 2, 5, 8), 600, 0.05), ((3, 3, 3, 3), 200, 0.5))
RATES = ("selection rate", "TPR", "FPR", "PPV", "NPV", "accuracy")
# people of the group, rate and people of the reference, comparisons
POWER = ((12, 0.01, 2000, 1), (12, 0.02, 2000, 5), (30, 0.02, 3000, 1), (8, 0.05, 3000, 1), (12, 0.3, 200, 1))
POWER += ((20, 0.2, 20, 1), (40, 0.01, 400, 1), (100, 0.4, 100, 3), (300, 0.3, 700, 1))


def beside_a_true_one(cell: tuple[tuple[int, ...], float, float], rng: np.random.Generator, draws: int) -> Shares:
    """The share of families in which a comparison is claimed that is none, by adjustment."""
    people, rate, other = cell
    n = np.array(people, dtype=float)
    rates = np.where(np.arange(n.size) == 1, other, rate)
    labels = tuple(f"g{i}" for i in range(n.size))
    entries = {"bonferroni": 0, "holm": 0}
    memo: dict[tuple[int, ...], dict[str, bool]] = {}
    for _ in range(draws):
        events = rng.binomial(people, rates)
        key = tuple(events.tolist())
        if key not in memo:
            part = Evidence("FPR", events.astype(float), n, n, n, True, "")
            memo[key] = {
                rule: any(
                    row.group != "g1"
                    for row in decided(contrasts(part, "g", labels, "g0", Protocol(("g",), p_adjust=rule))).only(
                        verdict="disparity shown"
                    )
                )
                for rule in ("bonferroni", "holm")
            }
        for rule, wrong in memo[key].items():
            entries[rule] += wrong
    return {"false claim beside a true one": entries["bonferroni"] / draws, "the same by Holm": entries["holm"] / draws}


def best(cell: tuple[tuple[int, ...], float, float], rng: np.random.Generator, draws: int) -> Shares:
    """How often all limits against the best other group hold."""
    people, rate, other = cell
    rates = np.where(np.arange(len(people)) == 1, other, rate)
    truth = rates - np.array([np.delete(rates, i).max() for i in range(rates.size)])
    covered = wrong = 0
    for _ in range(draws):
        limits = ratio_to_best(rng.binomial(people, rates), people)
        covered += bool(np.all((limits.low <= truth + 1e-12) & (truth <= limits.high + 1e-12)))
        wrong += bool(np.any((limits.high < 0) & (truth >= 0)))
    return {"all covered": covered / draws, 'false "not the best"': wrong / draws}


def all_attributes(cell: tuple[tuple[int, ...], int, float], rng: np.random.Generator, draws: int) -> Shares:
    """Nothing differs in six rates of four attributes: any claim of the first rate, and of any."""
    groups, people, rate = cell
    first = every = 0
    for _ in range(draws):
        section = []
        for a, size in enumerate(groups):
            n = rng.multinomial(people, np.arange(size, 0, -1) / (size * (size + 1) / 2)).astype(float)
            labels = tuple(f"g{i}" for i in range(size))
            for metric in RATES:
                part = Evidence(metric, rng.binomial(n.astype(int), rate).astype(float), n, n, n, True, "")
                section.append(contrasts(part, f"a{a}", labels, "g0", Protocol((f"a{a}",))))
        shown = decide_all([section])[0].only(verdict="disparity shown")
        first += any(row.metric == RATES[0] for row in shown)
        every += bool(shown)
    return {"claim of the rate": first / draws, "claim of any of six rates": every / draws}


def shown_at(cell: tuple[int, float, int, int], rng: np.random.Generator, draws: int) -> Shares:
    """How often the test that decides rejects at the difference that it would show with a chance of 80 %."""
    n1, p0, n0, comparisons = cell
    alpha = 0.05 / comparisons
    gap = float(detectable(n1, p0, n0, 1 - alpha)[1])
    tables, counted = np.unique(
        np.column_stack([rng.binomial(n1, p0 + gap, draws), rng.binomial(n0, p0, draws)]), axis=0, return_counts=True
    )
    shown = sum(k for (x, y), k in zip(tables, counted, strict=True) if decisive_test(x, n1, y, n0) <= alpha)
    return {"shown at the detectable difference": shown / draws}


PARTIAL_TABLE = 'One group truly differs: any false "disparity shown" of another, through the rows of an audit'
BEST_TABLE = "Each group against the best of the others: all limits hold"
ATTRIBUTES_TABLE = 'Four attributes, six rates, nothing differs: any "disparity shown"'
POWER_TABLE = "The difference that would be shown with a chance of 80 %: how often it is"


def cells() -> list[Cell]:
    """The cells of these tables."""
    partial_nulls = [
        Cell(
            PARTIAL_TABLE,
            f"{', '.join(map(str, people))} people, rate {rate:g}, of the second {other:g}",
            partial(beside_a_true_one, (people, rate, other)),
            1000,
            60 * (k == 0),
            most={"false claim beside a true one": 0.06},
        )
        for k, (people, rate, other) in enumerate(PARTIAL)
    ]
    bests = [
        Cell(
            BEST_TABLE,
            f"{', '.join(map(str, people))} people, rate {rate:g}, of the second {other:g}",
            partial(best, (people, rate, other)),
            4000,
            300 * (k < 3),
            least={"all covered": 0.93},
        )
        for k, (people, rate, other) in enumerate(BEST)
    ]
    audits = [
        Cell(
            ATTRIBUTES_TABLE,
            f"{', '.join(map(str, groups))} groups of {people} people, rate {rate:g}",
            partial(all_attributes, (groups, people, rate)),
            400,
            20 * (k == 2),
            most={"claim of the rate": 0.06},
        )
        for k, (groups, people, rate) in enumerate(ATTRIBUTES)
    ]
    powers = [
        Cell(
            POWER_TABLE,
            f"{n1} people against {n0} at {p0:g}, {k} comparison{'s' * (k > 1)}",
            partial(shown_at, (n1, p0, n0, k)),
            4000,
            1000 * (n1 < 13),
            most={"shown at the detectable difference": 0.82},
            least={"shown at the detectable difference": 0.78},
        )
        for n1, p0, n0, k in POWER
    ]
    return [*partial_nulls, *bests, *audits, *powers]
