"""Subgroups beside everybody: how often all limits hold at once, and which share of the flagged is flagged falsely."""

from __future__ import annotations

from functools import partial
from itertools import combinations, product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from benchmarks.coverage.cells import Cell, Shares
from fairstats.inference.multiplicity import p_adjust
from fairstats.inference.rates.many_rates import _sides, excess_p, joint_tail

LEVELS = (4, 4, 4, 5, 5)  # labels of five columns: 215 subgroups of one or two columns
LIMITS = "Subgroups: all limits hold, of 215 of one or two columns of five"
FLAGS = "Subgroups: the share of false flags among the flagged, nominal 5 %"
JOINT = 3000  # draws of the joint level: quicker, and as good on average
Floats = NDArray[np.float64]


class Population(NamedTuple):
    """The people of all cells, and the subgroups that are made of them."""

    share: Floats
    rate: Floats
    members: NDArray[np.bool_]

    @property
    def excess(self) -> Floats:
        """Of every subgroup, exactly."""
        current = (self.members @ (self.share * self.rate)) / (self.members @ self.share)
        return np.asarray(current - self.share @ self.rate)


def population(base: float, effect: float, one_column: bool) -> Population:
    """Labels of unequal shares; effects of all columns on the logit, or of two labels of the first that cancel out."""
    rng = np.random.default_rng(1)
    labels = np.array(list(product(*map(range, LEVELS))))
    shares = [rng.dirichlet(np.full(count, 1.5)) for count in LEVELS]
    share = np.prod([items[labels[:, j]] for j, items in enumerate(shares)], axis=0)
    if one_column:
        moved = np.zeros(LEVELS[0])
        moved[:2] = effect * base, -effect * base * shares[0][0] / shares[0][1]
        rate = base + moved[labels[:, 0]]
    else:
        share = share * np.exp(0.5 * rng.standard_normal(share.size))
        items = [effect * rng.standard_normal(count) for count in LEVELS]
        rate = 1 / (1 + (1 - base) / base * np.exp(-sum(items[j][labels[:, j]] for j in range(len(LEVELS)))))
    members = [
        (labels[:, columns] == wanted).all(axis=1)
        for k in (1, 2)
        for columns in combinations(range(len(LEVELS)), k)
        for wanted in product(*(range(LEVELS[j]) for j in columns))
    ]
    return Population(share / share.sum(), rate, np.array(members))


def drawn(
    people: Population, n: int, rng: np.random.Generator, smallest: int
) -> tuple[NDArray[np.bool_], Floats, Floats]:
    """Which subgroups have so many people, and the events and people of all cells."""
    counts = rng.multinomial(n, people.share)
    return (people.members @ counts) >= smallest, rng.binomial(counts, people.rate).astype(float), counts.astype(float)


def covered(case: tuple[int, float, float, int], rng: np.random.Generator, draws: int) -> Shares:
    """The share of data sets in which no limit is crossed, ours and Wald's at the same joint level."""
    n, base, effect, smallest = case
    people = population(base, effect, one_column=False)
    ours = wald = 0
    for draw in range(draws):
        kept, events, counts = drawn(people, n, rng, smallest)
        members, truth = people.members[kept], people.excess[kept]
        some = counts > 0
        tail = joint_tail(members[:, some], events[some], counts[some], 0.95, draw, JOINT)
        current, size = members @ events, members @ counts
        (lower, upper), _, _ = _sides(current, size, events.sum(), n)
        tails = np.full(truth.size, tail)
        ours += not (lower.leaves_out(truth, tails) | upper.leaves_out(-truth, tails)).any()
        wald += not (np.abs(lower.excess - truth) > -ndtri(tail) * _wald(current, size, events.sum(), n)).any()
    return {"all covered": ours / draws, "Wald's all covered": wald / draws}


def _wald(events: Floats, n: Floats, all_events: float, all_n: float) -> Floats:
    """The standard error of the excess, from the observed rates."""
    p, q, s = events / n, (all_events - events) / (all_n - n), n / all_n
    return np.asarray(
        np.sqrt((1 - s) ** 2 * (p * (1 - p) / n + q * (1 - q) / (all_n - n)) + (p - q) ** 2 * s * (1 - s) / all_n)
    )


def flagged(case: tuple[int, float, float, int], rng: np.random.Generator, draws: int) -> Shares:
    """The mean share of false flags, and how many of the subgroups that differ are found."""
    n, base, effect, smallest = case
    people = population(base, effect, one_column=True)
    equal = np.abs(people.excess) < 1e-12
    rows = []
    for _ in range(draws):
        kept, events, counts = drawn(people, n, rng, smallest)
        members, same = people.members[kept], equal[kept]
        p = excess_p(members @ events, members @ counts, events.sum(), n)
        procedures = {
            "bh": p_adjust(p, "bh"),
            "by": p_adjust(p, "bh") * (1 / np.arange(1, p.size + 1)).sum(),
            "none": p,
        }
        flags = {name: values <= 0.05 for name, values in procedures.items()}
        row = {name: (flag & same).sum() / max(flag.sum(), 1) for name, flag in flags.items()}
        rows.append([row["bh"], row["by"], row["none"], (flags["bh"] & ~same).sum() / max((~same).sum(), 1)])
    false, strict, plain, result = np.mean(rows, axis=0).tolist()
    entries = {"false flags": false, "false by p_adjust='by'": strict, "false unadjusted": plain}
    return entries | ({} if equal.all() else {"found": result})


def cells() -> list[Cell]:
    """The cells of both tables."""
    at_once = [(500, 0.03, 0.0, 1), (500, 0.03, 0.5, 1), (500, 0.3, 0.5, 1), (500, 0.3, 0.5, 10)]
    at_once += [(2000, 0.03, 0.5, 10), (2000, 0.3, 0.0, 10), (2000, 0.3, 0.5, 10), (20_000, 0.03, 0.5, 10)]
    at_once += [(20_000, 0.3, 0.5, 10)]
    rates = [(500, 0.03, 0.0, 10), (500, 0.3, 0.0, 1), (500, 0.3, 0.5, 1), (500, 0.3, 0.5, 10), (2000, 0.03, 0.8, 10)]
    rates += [
        (2000, 0.3, 0.0, 10),
        (2000, 0.3, 0.5, 10),
        (2000, 0.3, 0.2, 10),
        (20_000, 0.03, 0.5, 10),
        (20_000, 0.3, 0.2, 10),
    ]
    named = "{} people, rate {:g}, effects {:g}, subgroups of {} and more"
    return [
        *(Cell(LIMITS, named.format(*c), partial(covered, c), 500, least={"all covered": 0.94}) for c in at_once),
        *(Cell(FLAGS, named.format(*c), partial(flagged, c), 500, most={"false flags": 0.05}) for c in rates),
    ]
