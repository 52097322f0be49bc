"""Stages of a selection, and matched pairs, without a difference: how often one is shown."""

from __future__ import annotations

from functools import partial
from math import comb

import numpy as np

import fairstats as fs
from benchmarks.coverage.cells import Cell, Shares

STAGES = 'Three stages of a selection without a difference: "disparity shown" at some stage'
PAIRS = 'Matched pairs without a difference, given how many differ: "disparity shown"'
# people of each of two groups, and the rates of the stages: eight a group reach the last of the first row
SELECTIONS = (((60, 60), (0.4, 0.33, 0.5)), ((200, 60), (0.5, 0.3, 0.5)), ((30, 12), (0.7, 0.7, 0.5)))
DIFFERING = (6, 8, 12, 30)


def stages(case: tuple[tuple[int, int], tuple[float, ...]], rng: np.random.Generator, draws: int) -> Shares:
    """The share of selections with a claim at any stage; the bottom line is a family of its own."""
    people, rates = case
    at_a_stage = 0
    for _ in range(draws):
        table = {"g": ["a", "b"], "took": list(people)}
        left = np.array(people)
        for name, rate in zip("xyz", rates, strict=True):
            left = rng.binomial(left, rate)
            table[name] = left.tolist()
        rows = fs.stages(table, list("xyz"), "g", total="took").estimates
        at_a_stage += any(row.verdict == "disparity shown" and row.term in ("x", "y", "z") for row in rows)
    return {"verdict": at_a_stage / draws}


def pairs(differing: int, rng: np.random.Generator, draws: int) -> Shares:
    """The chance of a claim when each pair that differs favors either side with one half, by enumeration."""
    size = 0.0
    for favored in range(differing + 1):
        both = [(1, 0)] * favored + [(0, 1)] * (differing - favored) + [(1, 1)] * 20
        people = {"pair": np.repeat(np.arange(len(both)), 2), "g": ["a", "b"] * len(both), "yes": np.ravel(both)}
        result = fs.matched_pairs(people, "yes", "g", "pair", reference="b")
        claim = any(row.verdict == "disparity shown" for row in result.estimates)
        size += claim * comb(differing, favored) / 2**differing
    return {"verdict": size}


def cells() -> list[Cell]:
    """The cells of both tables."""
    selections = [
        Cell(
            STAGES,
            f"{a} and {b} people, rates {', '.join(f'{r:g}' for r in rates)}",
            partial(stages, ((a, b), rates)),
            2000,
            60 * (i == 0),
            most={"verdict": 0.05},
        )
        for i, ((a, b), rates) in enumerate(SELECTIONS)
    ]
    return selections + [
        Cell(PAIRS, f"{n} pairs that differ", partial(pairs, n), 0, 1, most={"verdict": 0.05}) for n in DIFFERING
    ]
