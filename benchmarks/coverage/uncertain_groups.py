"""Groups known as probabilities: how often a verdict is wrong, and how often the limits of the bound hold the truth."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

import numpy as np
from scipy.optimize import brentq

from benchmarks.coverage.cells import Cell, Shares
from fairstats.inference.rates.one_rate import critical
from fairstats.inference.rates.uncertain import UncertainGroups, bound_limits, calibrated, drawn_at_random

TABLE = "Groups known as probabilities: limits of the bound that hold the true difference, and verdicts without one"
WITH_KNOWN = "Groups known of some people, drawn at random, as probabilities of the others"
MANY = 400_000


class Law(NamedTuple):
    """Probabilities by a beta law, and decisions: rate at probability 0, its slope, the gap at equal probabilities.

    attained: the selected are as often not in the group as the probabilities allow, so that the truth is an end of the
        bound; the slope is then the one without a difference.
    digits: of the probabilities, so that many people have the same.
    """

    a: float
    b: float
    gap: float = 0.0
    slope: float = 0.0
    attained: bool = False
    digits: int | None = None


LAWS = (
    (30, Law(0.001, 0.001), "certain groups, no difference"),
    (60, Law(0.001, 0.009), "certain groups of 10% and 90%, no difference"),
    (400, Law(0.001, 0.019), "certain groups of 5% and 95%, no difference"),
    (100, Law(0.05, 0.05), "near certain groups, no difference"),
    (400, Law(0.2, 1.8), "uncertain groups of 10% and 90%, no difference"),
    (100, Law(0.1, 0.1, attained=True), "no difference, which is the end of the bound"),
    (1000, Law(0.1, 0.1, attained=True), "no difference, which is the end of the bound"),
    (1000, Law(0.05, 0.45, attained=True), "groups of 10% and 90%, no difference, which is the end of the bound"),
    (
        1000,
        Law(0.5, 0.5, attained=True, digits=1),
        "eleven probabilities, no difference, which is the end of the bound",
    ),
    (200, Law(0.05, 0.05, 0.2), "near certain groups, 20 points apart"),
    (1000, Law(0.3, 0.3, 0.1, 0.2), "uncertain groups, 10 points apart at equal probabilities"),
    (1000, Law(0.3, 0.3, -0.3, 0.4), "uncertain groups whose proxies speak for the other"),
)


# people, the share of them whose group is known, and the law
KNOWN = (
    (100, 0.2, Law(0.05, 0.05), "near certain groups, no difference"),
    (400, 0.05, Law(0.2, 1.8), "uncertain groups of 10% and 90%, no difference"),
    (400, 0.5, Law(0.3, 0.3), "uncertain groups, no difference"),
    (1000, 0.1, Law(0.1, 0.1, attained=True), "no difference, which is the end of the bound"),
    (1000, 0.1, Law(0.3, 0.3, 0.1, 0.2), "uncertain groups, 10 points apart at equal probabilities"),
    (1000, 0.3, Law(0.3, 0.3, -0.3, 0.4), "uncertain groups whose proxies speak for the other"),
)


def people(law: Law, n: int, rng: np.random.Generator, slope: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Probabilities, who is in the group, and who is selected."""
    p, u = rng.beta(law.a, law.b, n), rng.random(n)
    p = p if law.digits is None else p.round(law.digits)
    within = u < p
    rate = np.clip(0.4 + slope * p + law.gap * within, 0, 1)
    return p, within, (u > 1 - rate) if law.attained else (rng.random(n) < rate)


def truth(law: Law, slope: float) -> float:
    """The difference of the two rates, from many people."""
    _, within, selected = people(law, MANY, np.random.default_rng(1), slope)
    return float((selected[within].mean() if within.any() else 0.0) - selected[~within].mean())


def limits_hold(case: tuple[int, Law], rng: np.random.Generator, draws: int) -> Shares:
    """The share of samples whose limits hold the truth, and with a verdict where there is no difference."""
    n, law = case
    slope = float(brentq(lambda s: truth(law, s), 0.0, 0.6, xtol=1e-4)) if law.attained else law.slope
    none = not law.gap and (law.attained or not slope)
    target = 0.0 if none else truth(law, slope)
    covered = claims = used = 0
    while used < draws:
        p, _, selected = people(law, n, rng, slope)
        if not 0 < p.sum() < n:
            continue
        used += 1
        of = UncertainGroups(selected.astype(float), np.column_stack([p, 1 - p]), used)
        low, high = bound_limits(of.ends(0, 1), 0.95)
        covered += low <= target <= high
        claims += low > 0 or high < 0
    return {"covered": covered / draws} | ({"verdict": claims / draws} if none else {})


def with_known(case: tuple[int, float, Law], rng: np.random.Generator, draws: int) -> Shares:
    """As `limits_hold`, with known groups; also limits of the corrected difference, and chances that are refuted."""
    n, share, law = case
    slope = float(brentq(lambda s: truth(law, s), 0.0, 0.6, xtol=1e-4)) if law.attained else law.slope
    none = not law.gap and (law.attained or not slope)
    target = 0.0 if none else truth(law, slope)
    covered = corrected = claims = refuted = unlike = used = 0
    while used < draws:
        p, within, selected = people(law, n, rng, slope)
        tell = rng.permutation(n) < max(10, round(share * n))
        if not 0 < p.sum() < n or not 0 < within[tell].sum() < tell.sum():
            continue
        used += 1
        stated, groups = np.column_stack([p, 1 - p]), np.column_stack([within, ~within]).astype(float)
        known = np.where(tell[:, None], groups, np.nan)
        of = UncertainGroups(selected.astype(float), np.where(tell[:, None], groups, stated), used)
        low, high = bound_limits(of.ends(0, 1), 0.95)
        wrong = calibrated(groups[tell], stated[tell], used)[2] <= 0.05
        found = UncertainGroups(selected.astype(float), stated, used).corrected(known, 0, 1)
        covered += low <= target <= high
        claims += not wrong and (low > 0 or high < 0)
        refuted += wrong
        unlike += drawn_at_random(tell, stated, selected.astype(float))[2] <= 0.05
        corrected += found is not None and abs(found[0] - target) <= critical(0.95) * found[1]
    shares = {"covered": covered / draws, "corrected": corrected / draws, "probabilities refuted": refuted / draws}
    shares["known ones unlike the others"] = unlike / draws
    return shares | ({"verdict": claims / draws} if none else {})


def cells() -> list[Cell]:
    """The cells of the tables."""
    known = [
        Cell(
            WITH_KNOWN,
            f"{n} people, {share:.0%} known, {what}",
            partial(with_known, (n, share, law)),
            1000,
            least={"covered": 0.94},
            most={"probabilities refuted": 0.06, "known ones unlike the others": 0.06}
            | ({"verdict": 0.06} if "no difference" in what else {}),
        )
        for n, share, law, what in KNOWN
    ]
    return known + [
        Cell(
            TABLE,
            f"{n} people, {what}",
            partial(limits_hold, (n, law)),
            1000,
            least={"covered": 0.94},
            most={"verdict": 0.06} if "no difference" in what else {},
        )
        for n, law, what in LAWS
    ]
