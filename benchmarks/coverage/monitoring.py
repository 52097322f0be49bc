"""Gaps watched over 120 periods: false alarms while volume and rates drift, wrong limits, how soon a gap is seen."""

from __future__ import annotations

from functools import partial
from itertools import product
from typing import get_args

import numpy as np
from numpy.typing import NDArray
from scipy.stats import norm

from benchmarks.coverage.cells import Cell, Shares
from fairstats.auditing.monitor import FOR_BASELINE
from fairstats.inference.rates.monitoring import log_wealth
from fairstats.inference.rates.planned_looks import PlannedGap, Spending
from fairstats.inference.rates.strata import stratified_rates
from fairstats.inference.rates.two_rates import miettinen_nurminen

Floats = NDArray[np.float64]
NOTHING = "A gap watched over 120 periods that is never there: an alarm in any of them"
LIMITS = "A gap of 120 periods that never changes: a limit is wrong in any of them"
AS_BEFORE = "A gap that is the same after a baseline of 12 periods: an alarm in any of 108 later ones"
FEW = "A gap that is never there, at looks that were planned: an alarm at any of them"
FEW_BESIDE = "A gap that is not beyond a margin or a baseline, at 6 looks that were planned: an alarm at any of them"
LATER = "A gap from period 25 of 120 on: alarm within so many periods"
SPENDING = get_args(Spending)
PERIODS, BEGIN, LEVEL = 120, 24, np.log(2 / 0.05)
# people of a period at least and at most, and the rate around which the rates drift
VOLUMES = ((40, 200), (200, 1000), (1000, 5000))
RATES = (0.02, 0.1, 0.5)
# people of a period, the rate, the gap from period 25 on, and within how many periods the alarm should be
CHANGES = ((400, 0.2, 0.1, 6), (400, 0.2, 0.05, 24), (2000, 0.2, 0.05, 6), (2000, 0.02, 0.01, 24), (5000, 0.5, 0.05, 3))


def drawn(
    volume: tuple[int, int], rate: float, gap: Floats, rng: np.random.Generator, draws: int
) -> tuple[Floats, Floats, Floats, Floats]:
    """Selected and people of the group (30 %) and the reference, shape (periods, draws); rates move up to two times."""
    least, most = volume
    trend = np.linspace(-1, 1, PERIODS)[:, None] * rng.uniform(-1, 1, draws) + rng.normal(0, 0.3, (PERIODS, draws))
    people = np.round(np.exp((np.log(least) + np.log(most)) / 2 + trend * np.log(most / least) / 2)).clip(least, most)
    n = rng.binomial(people.astype(int), 0.3).clip(1)
    waves = np.sin(np.arange(PERIODS)[:, None] / rng.uniform(3, 30, draws))
    base = np.minimum(rate * np.exp(waves * np.log(2) / 2), 0.6)
    y, y_ref = rng.binomial(n, base + gap[:, None]), rng.binomial((people - n).astype(int), base)
    return y.astype(float), n.astype(float), y_ref.astype(float), people - n


def z_of(y: Floats, n: Floats, y_ref: Floats, n_ref: Floats) -> Floats:
    """The pooled z of two rates, 0 where nobody or everybody is selected."""
    pooled = (y + y_ref) / (n + n_ref)
    variance = pooled * (1 - pooled) * (1 / n + 1 / n_ref)
    return np.where(variance > 0, (y / n - y_ref / n_ref) / np.sqrt(np.where(variance > 0, variance, 1)), 0.0)


def alarms(counts: tuple[Floats, Floats, Floats, Floats]) -> Floats:
    """From which period on the alarm is raised, shape (draws,); PERIODS where never."""
    y, n, y_ref, n_ref = counts
    nothing = np.zeros(y.shape[1])
    wealth = np.maximum(log_wealth(*counts, nothing), log_wealth(y_ref, n_ref, y, n, nothing))
    return first(wealth >= LEVEL)


def first(raised: NDArray[np.bool_]) -> Floats:
    """The first period of each draw in which it is raised, PERIODS where none."""
    return np.where(raised.any(axis=0), raised.argmax(axis=0), PERIODS).astype(float)


def false_alarms(case: tuple[tuple[int, int], float], rng: np.random.Generator, draws: int) -> Shares:
    """The share of series with an alarm; beside it tests of every period, and of all people so far, at 5 %."""
    counts = drawn(*case, np.zeros(PERIODS), rng, draws)
    z = z_of(*counts)
    so_far = np.abs(z_of(*(np.cumsum(v, axis=0) for v in counts)))
    once = norm.isf(0.025)
    return {
        "verdict": float((alarms(counts) < PERIODS).mean()),
        "z test of every period": float((np.abs(z) > once).any(axis=0).mean()),
        "z test of all so far": float((so_far > once).any(axis=0).mean()),
        "z test, Bonferroni": float((np.abs(z) > norm.isf(0.025 / PERIODS)).any(axis=0).mean()),
    }


def wrong_limits(case: tuple[tuple[int, int], float, float], rng: np.random.Generator, draws: int) -> Shares:
    """The share of series in which the confidence sequence, or the band of periods, is ever wrong."""
    volume, rate, gap = case
    y, n, y_ref, n_ref = counts = drawn(volume, rate, np.full(PERIODS, gap), rng, draws)
    true = np.full(draws, gap)
    above = log_wealth(*counts, true)[-1] >= LEVEL
    below = log_wealth(y_ref, n_ref, y, n, -true)[-1] >= LEVEL
    t = np.arange(1, PERIODS + 1)[:, None]
    levels = np.broadcast_to(1 - 0.05 / (t * (t + 1)), y.shape)
    low, high = miettinen_nurminen(y, n, y_ref, n_ref, levels)
    band = ((low > gap) | (high < gap)).any(axis=0)
    return {"verdict": float((above | below).mean()), "band": float(band.mean())}


def changed(case: tuple[tuple[int, int], float, float], rng: np.random.Generator, draws: int) -> Shares:
    """The share of series with an alarm beside the baseline, as `fairstats.monitor` raises it."""
    volume, rate, gap = case
    y, n, y_ref, n_ref = counts = drawn(volume, rate, np.full(PERIODS, gap), rng, draws)
    level = 1 - FOR_BASELINE * 0.05
    limits = [stratified_rates(*(v[:12, i] for v in counts)).limits(level) for i in range(draws)]
    low, high = np.array(limits).T
    later = [v[12:] for v in (y, n, y_ref, n_ref)]
    cut = np.log(2 / (0.05 * (1 - FOR_BASELINE)))
    above = log_wealth(*later, high)[-1] >= cut
    below = log_wealth(later[2], later[3], later[0], later[1], -low)[-1] >= cut
    return {
        "verdict": float((above | below).mean()),
        "limits of the baseline": float(((low > gap) | (high < gap)).mean()),
    }


def planned(case: tuple[tuple[int, int], float, int], rng: np.random.Generator, draws: int) -> Shares:
    """The share of series with an alarm at planned looks, by how the error is spent."""
    volume, rate, looks = case
    counts = [v[:looks] for v in drawn(volume, rate, np.zeros(PERIODS), rng, draws)]
    alarms = dict.fromkeys(SPENDING, 0)
    for i, name in product(range(draws), SPENDING):
        low, high = PlannedGap(*(v[:, i] for v in counts), looks, name).limits(0.05)
        alarms[name] += bool((low > 0).any() or (high < 0).any())
    once = norm.isf(0.025)
    unplanned = (np.abs(z_of(*(np.cumsum(v, axis=0) for v in counts))) > once).any(axis=0)
    first, second = (alarms[name] / draws for name in SPENDING)
    return {"verdict": first, "Pocock": second, "z test of all so far": float(unplanned.mean())}


def planned_beside(case: tuple[tuple[int, int], float, float, int], rng: np.random.Generator, draws: int) -> Shares:
    """The share of series with an alarm at planned looks of a gap as large as the margin, or as that of a baseline."""
    volume, rate, gap, before = case
    looks, margin = 6, 0.0 if before else gap
    counts = [v[: before + looks] for v in drawn(volume, rate, np.full(PERIODS, gap), rng, draws)]
    alarms = dict.fromkeys(SPENDING, 0)
    for i, name in product(range(draws), SPENDING):
        earlier, later = ([v[part, i] for v in counts] for part in (slice(before), slice(before, None)))
        within, error = (-margin, margin), 0.05
        if before:
            within, error = stratified_rates(*earlier).limits(1 - FOR_BASELINE * 0.05), 0.05 * (1 - FOR_BASELINE)
        low, high = PlannedGap(*later, looks, name, within).limits(error)
        alarms[name] += bool((low > within[1]).any() or (high < within[0]).any())
    first, second = (alarms[name] / draws for name in SPENDING)
    return {"verdict": first, "Pocock": second}


def cusum(z: Floats) -> Floats:
    """The two-sided CUSUM of z with reference value 1/2, shape (periods, draws)."""
    up = down = np.zeros(z.shape[1])
    out = []
    for now in z:
        up, down = np.maximum(0, up + now - 0.5), np.maximum(0, down - now - 0.5)
        out.append(np.maximum(up, down))
    return np.array(out)


def delays(case: tuple[int, float, float, int], rng: np.random.Generator, draws: int) -> dict[str, Floats]:
    """Periods from the change to the alarm, shape (draws,), by method; below 1 where it was raised before the change.

    The CUSUM has the limit that 5 % of series without a gap pass in 120 periods, which nobody knows beforehand. The
    fixed-sample test knows when the change was, and is made once, of all people since then: 1 where it sees the gap
    after as many periods as the case has, and PERIODS where not.
    """
    people, rate, gap, within = case
    volume = (people, people)
    counts = drawn(volume, rate, gap * (np.arange(PERIODS) >= BEGIN), rng, draws)
    nothing = drawn(volume, rate, np.zeros(PERIODS), rng, 4000)
    limit = np.quantile(cusum(z_of(*nothing)).max(axis=0), 0.95)
    since = np.abs(z_of(*(v[BEGIN : BEGIN + within].sum(axis=0) for v in counts)))
    return {
        "verdict": alarms(counts) - BEGIN + 1,
        "CUSUM": first(cusum(z_of(*counts)) > limit) - BEGIN + 1,
        "fixed-sample test": np.where(since > norm.isf(0.025), 1, PERIODS),
    }


def detected(case: tuple[int, float, float, int], rng: np.random.Generator, draws: int) -> Shares:
    """The share of series with an alarm within so many periods of the change."""
    within = case[-1]
    return {name: float((delay <= within).mean()) for name, delay in delays(case, rng, draws).items()}


def cells() -> list[Cell]:
    """The cells of the three tables."""
    quiet = [
        Cell(
            NOTHING,
            f"{least} to {most} people a period, rates about {rate:g}",
            partial(false_alarms, ((least, most), rate)),
            2000,
            200 * (i == 0),
            most={"verdict": 0.05},
        )
        for i, (least, most, rate) in enumerate((*volume, rate) for volume in VOLUMES for rate in RATES)
    ]
    constant = [
        Cell(
            LIMITS,
            f"{least} to {most} people a period, rates about {rate:g}, gap {gap:g}",
            partial(wrong_limits, ((least, most), rate, gap)),
            1000,
            100 * (i == 0),
            most={"verdict": 0.05, "band": 0.06},
        )
        for i, ((least, most), rate, gap) in enumerate(
            [((40, 200), 0.02, 0.0), ((40, 200), 0.1, 0.1), ((200, 1000), 0.02, 0.01), ((1000, 5000), 0.5, -0.1)]
        )
    ]
    volumes = [((40, 200), 0.02), ((40, 200), 0.5), ((200, 1000), 0.1), ((1000, 5000), 0.02), ((1000, 5000), 0.5)]
    as_before = [
        Cell(
            AS_BEFORE,
            f"{least} to {most} people a period, rates about {rate:g}, gap {gap:g}",
            partial(changed, ((least, most), rate, gap)),
            2000,
            100 * (i == 0),
            most={"verdict": 0.05},
        )
        for i, (((least, most), rate), gap) in enumerate(zip(volumes, (0.0, -0.1, 0.05, 0.01, 0.1), strict=True))
    ]
    few = [
        Cell(
            FEW,
            f"{looks} looks, {least} to {most} people each, rates about {rate:g}",
            partial(planned, ((least, most), rate, looks)),
            4000,
            50 * (i == 0),
            most={"verdict": 0.05, "Pocock": 0.05},
        )
        for i, (((least, most), rate), looks) in enumerate([*((v, 5) for v in volumes), (volumes[2], 12)])
    ]
    few += [
        Cell(
            FEW_BESIDE,
            f"{least} to {most} people a period, rates about {rate:g}, gap {gap:g}, "
            + ("after a baseline of 12" if before else "which is the margin"),
            partial(planned_beside, ((least, most), rate, gap, before)),
            800,
            most={"verdict": 0.05, "Pocock": 0.05},
        )
        for ((least, most), rate), gap, before in zip(
            (volumes[1], volumes[2], volumes[1], volumes[2], volumes[4]),
            (0.1, 0.03, -0.1, 0.05, 0.1),
            (0, 0, 12, 12, 12),
            strict=True,
        )
    ]  # fmt: skip
    return [*quiet, *constant, *as_before, *few] + [
        Cell(
            LATER,
            f"{people} people a period, rate {rate:g}, gap {gap:g}, {within} periods",
            partial(detected, (people, rate, gap, within)),
            1000,
        )
        for people, rate, gap, within in CHANGES
    ]
