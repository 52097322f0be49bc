"""Stages of a selection, matched pairs, and models compared, without a difference: how often one is shown."""

from __future__ import annotations

from functools import partial
from itertools import product
from math import comb

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binom

import fairstats as fs
from benchmarks.coverage.cells import Cell, Shares
from fairstats.auditing.alternatives import FOUND
from fairstats.auditing.group_studies import WITHOUT_REGARD, decided_rows
from fairstats.auditing.matched_pairs import _signed
from fairstats.auditing.models import RATES
from fairstats.estimates import Estimate
from fairstats.inference.rates.paired import PairedGap, PairedPredictive, PairedRate
from fairstats.inference.scores.paired import Areas, PairedAreas

STAGES = 'Three stages of a selection without a difference: "disparity shown" at some stage'
MODELS = 'Two models without a change of the gap between two groups: "disparity shown"'
PREDICTIVE = 'Two models without a change of the gap in PPV between two groups: "disparity shown"'
PREDICTIVE_PAIRS = (
    ((8, 8), (0.5, 0.5), 1.0),
    ((20, 200), (0.3, 0.5), 0.3),
    ((40, 4000), (0.1, 0.3), 0.1),
    ((60, 60), (0.9, 0.7), 0.5),
    ((200, 200), (0.5, 0.3), 1.0),
    ((500, 2000), (0.2, 0.3), 0.1),
    ((500, 500), (0.95, 0.9), 0.05),
    *(((n, 2000), (0.5, 0.5), -share) for n in (8, 20, 40, 60, 100, 200) for share in (0.05, 0.2, 0.5)),
)
EQUAL_MODELS = 'Three models that are alike, compared with the first by five rates: "disparity shown" in a rate'
# people of both groups, how often the outcome is 1, and the share of whom a model decides on anew
MODEL_TRIPLES = (
    ((60, 60), (0.5, 0.5), 1.0),
    ((200, 1000), (0.3, 0.5), 0.3),
    ((500, 500), (0.5, 0.4), 1.0),
    ((1000, 1000), (0.5, 0.5), 0.3),
    ((2000, 6000), (0.3, 0.4), 0.1),
)
PAIRS = 'Matched pairs without a difference, given how many differ: "disparity shown"'
CLUSTERED = 'Matched pairs of clusters without a difference, six pairs or more that differ: "disparity shown"'
# clusters, pairs of applications, whether a cluster is a name of one group, and how far clusters are apart in log odds
CLUSTERS = {
    "16 names that are alike": (16, 96, True, 0.0),
    "16 names that differ": (16, 96, True, 1.0),
    "16 names that differ much": (16, 96, True, 2.0),
    "20 templates without a lean": (20, 60, False, 0.0),
    "20 templates, each leaning to a side": (20, 60, False, 1.5),
}
# people of each of two groups, and the rates of the stages: eight a group reach the last of the first row
SELECTIONS = (((60, 60), (0.4, 0.33, 0.5)), ((200, 60), (0.5, 0.3, 0.5)), ((30, 12), (0.7, 0.7, 0.5)))
WITHIN = 'Three stages of a selection without a difference within postings: "disparity shown" at some stage'
# people of each of two groups and the rates of the stages by posting; eight a group reach the last of the first row
POSTINGS = {
    "40, 20 and 40, 20 people, rates alike": (((40, 40), (20, 20)), ((0.4, 0.33, 0.5), (0.4, 0.33, 0.5))),
    "40, 20 and 20, 40 people, rates apart": (((40, 20), (20, 40)), ((0.6, 0.4, 0.5), (0.2, 0.4, 0.5))),
    "30, 10, 20 and 10, 30, 20 people, rates apart": (
        ((30, 10), (10, 30), (20, 20)),
        ((0.7, 0.5, 0.5), (0.3, 0.3, 0.5), (0.5, 0.4, 0.4)),
    ),
}
COVERED = "Matched pairs: coverage of the difference of the shares of blocks that favor a side"
# blocks, and the shares of them that favor either side
FAVORED = (
    (6, 0.5, 0.5), (20, 0.3, 0.05), (50, 0.1, 0.1), (100, 0.12, 0.0), (200, 0.1, 0.02), (200, 0.15, 0.06),
    (1000, 0.08, 0.03),
)  # fmt: skip
AREAS = 'Two scores without a change of the gap in AUC between two groups: "disparity shown"'
# people with and without the outcome in the group, in the reference, the separation, and the noise of either score
SCORE_PAIRS = (
    ((4, 8), (40, 40), 1.0, 1.0),
    ((8, 8), (8, 8), 1.0, 0.3),
    ((20, 20), (400, 400), 2.0, 0.3),
    ((20, 60), (20, 60), 1.0, 1.0),
    ((100, 100), (400, 400), 1.0, 0.1),
)
SEARCHES = "No less discriminatory alternative among many candidates: one is found"
SEARCHED = {
    "1 candidate with the same gap": (1, 0.0, 0.02),
    "20 candidates with the same gap": (20, 0.0, 0.02),
    "20 candidates with the same gap, any accuracy allowed": (20, 0.0, 0.9),
    "20 candidates without a gap, less accurate by the margin": (20, 0.02, 0.02),
}
DIFFERING = (6, 8, 12, 30)
# people of both groups, how many each model favors, and the share of whom they decide on independently
MODEL_PAIRS = (
    ((8, 8), (0.3, 0.3), 1.0),
    ((8, 40), (0.3, 0.6), 1.0),
    ((8, 400), (0.1, 0.1), 1.0),
    ((20, 400), (0.5, 0.3), 0.2),
    ((40, 40), (0.3, 0.6), 0.2),
    ((40, 4000), (0.1, 0.3), 0.2),
    ((300, 300), (0.5, 0.5), 0.05),
    ((2000, 2000), (0.1, 0.5), 0.05),
)


def stages(
    case: tuple[tuple[tuple[int, int], ...], tuple[tuple[float, ...], ...]], rng: np.random.Generator, draws: int
) -> Shares:
    """The share of selections with a claim at any stage; the bottom line is a family of its own."""
    people, rates = case
    strata = "posting" if len(people) > 1 else None
    shown, crude = 0, 0
    for _ in range(draws):
        left = np.ravel(people)
        table = {"g": ["a", "b"] * len(people), "posting": [f"p{i // 2}" for i in range(left.size)]}
        table["took"] = left.tolist()
        for name, rate in zip("xyz", np.repeat(rates, 2, axis=0).T, strict=True):
            left = rng.binomial(left, rate)
            table[name] = left.tolist()
        rows = fs.stages(table, list("xyz"), "g", total="took", strata=strata).estimates
        rows = [row for row in rows if row.term in ("x", "y", "z")]
        shown += any(row.verdict == "disparity shown" for row in rows)
        crude += any(3 * row.p_value < 0.05 for row in rows if row.estimator == WITHOUT_REGARD)
    return {"verdict": shown / draws} | ({"without regard to postings": crude / draws} if strata else {})


def limits(case: tuple[int, float, float], rng: np.random.Generator, draws: int) -> Shares:
    """The chance that the limits hold the difference, and that they leave out 0, over all tables that come to pass."""
    number, favors, against = case
    ups, downs = (v.ravel() for v in np.meshgrid(np.arange(number + 1), np.arange(number + 1)))
    rest = binom.pmf(downs, number - ups, against / (1 - favors))
    chance = np.where(ups + downs <= number, binom.pmf(ups, number, favors) * rest, 0)
    seen = chance > 1e-7
    of, kept, shown = Estimate("share favored", "g", "b", "difference", "a"), 0.0, 0.0
    for up, down, p in zip(ups[seen].tolist(), downs[seen].tolist(), chance[seen].tolist(), strict=True):
        ((row,),) = decided_rows([_signed(of, up, down, number, "")], 0.95, "bonferroni")
        kept += p * (row.conf_low <= favors - against <= row.conf_high)
        shown += p * (row.verdict == "disparity shown")
    return {"covered": kept / chance[seen].sum(), "disparity shown": shown / chance[seen].sum()}


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


def clustered_pairs(case: tuple[int, int, bool, float], rng: np.random.Generator, draws: int) -> Shares:
    """The share of samples with a claim, of the larger p-value and of the pairs as if they were independent."""
    clusters, number, named, spread = case
    claims, alone, sides = 0, 0, np.arange(2)[:, None]
    for _ in range(draws):
        differing = 0
        while differing < 6:
            effects = rng.normal(0, spread, clusters)
            of = rng.permuted(np.arange(number) % (clusters // 2 if named else clusters))
            cluster = np.stack([of, rng.permuted(of) + clusters // 2]) if named else np.stack([of, of])
            lean = effects[cluster] if named else effects[cluster] * (sides - 0.5)
            yes = rng.random((2, number)) < 1 / (1 + np.exp(1 - lean))
            differing = int((yes[0] != yes[1]).sum())
        people = {"pair": np.tile(np.arange(number), 2), "g": np.repeat(["a", "b"], number)}
        people |= {"yes": yes.astype(int).ravel(), "cluster": cluster.ravel().astype(str)}
        for whole in (True, False):
            found = fs.matched_pairs(people, "yes", "g", "pair", clusters="cluster" if whole else None, reference="a")
            claim = found.compared()[0].verdict == "disparity shown"
            claims, alone = (claims + claim, alone) if whole else (claims, alone + claim)
    return {"pairs alone": alone / draws, "verdict": claims / draws}


def model_pairs(
    case: tuple[tuple[int, int], tuple[float, float], float], rng: np.random.Generator, draws: int
) -> Shares:
    """The share of pairs of models whose change of the gap is called shown."""
    people, rates, apart = case
    sides = []
    for n, rate in zip(people, rates, strict=True):
        differ = apart * rate * (1 - rate)  # the chance that the first favors somebody whom the second does not
        chances = [rate - differ, differ, differ, 1 - rate - differ]
        both, up, down, _ = rng.multinomial(n, chances, draws).T.astype(float)
        sides.append(PairedRate(both + up, both + down, both, np.full(draws, float(n))))
    gap = PairedGap(*sides)
    low, high = gap.limits(0.95)
    wald = np.abs(gap.change) > 1.959964 * gap.std_error
    return {"verdict": float(((low > 0) | (high < 0)).mean()), "Wald, paired": float(wald.mean())}


def equal_models(
    case: tuple[tuple[int, int], tuple[float, float], float], rng: np.random.Generator, draws: int
) -> Shares:
    """The share of samples in which a rate, or any of the five, claims that one of three equal models differs."""
    people, rates, anew = case
    decisions = np.array(list(product((0, 1), repeat=3)))
    sides = []  # by group: how many people of every outcome each triple of decisions is about
    for n, rate in zip(people, rates, strict=True):
        chances = []
        for share, chance in ((rate, 0.75), (1 - rate, 0.3)):
            each = [anew * chance + (1 - anew) * usual for usual in (0, 1)]
            of = [np.where(decisions, one, 1 - one).prod(axis=1) for one in each]
            chances.append(share * ((1 - chance) * of[0] + chance * of[1]))
        sides.append(rng.multinomial(n, np.ravel(chances), draws).reshape(draws, 2, -1).astype(float))
    shown = {rate: np.zeros(draws, dtype=bool) for rate in RATES if rate != "AUC"}

    def claim(rate: str, pair: PairedGap | PairedRate, comparisons: int) -> None:
        low, high = pair.limits(1 - 0.05 / comparisons)
        shown[rate] |= (low > 0) | (high < 0)

    whole = [side.sum(axis=1) for side in sides]
    with_outcome, without = ([side[:, y] for side in sides] for y in (0, 1))
    right = [side[:, 0] + side[:, 1, ::-1] for side in sides]  # without the outcome the other decision is right
    for k in (1, 2):
        first, second = decisions[:, k], decisions[:, 0]
        of = np.stack([first, second, first * second], axis=1)

        def paired(counts: NDArray[np.float64], of: NDArray[np.int_] = of) -> PairedRate:
            return PairedRate(*(counts @ of).T, counts.sum(axis=1))

        for rate, about, comparisons in (
            ("selection rate", whole, 2), ("TPR", with_outcome, 2), ("FPR", without, 2), ("accuracy", right, 4)
        ):  # fmt: skip
            claim(rate, PairedGap(*map(paired, about)), comparisons)
        claim("accuracy", paired(right[0] + right[1]), 4)
        hits, all_of = (np.stack([counts @ of for counts in about], axis=1) for about in (with_outcome, whole))
        limits = np.array([PairedPredictive(*one).limits(0.975) for one in zip(hits, all_of, strict=True)])
        shown["PPV"] |= (limits[:, 0] > 0) | (limits[:, 1] < 0)
    shown["any rate"] = np.any(list(shown.values()), axis=0)
    return {rate: float(v.mean()) for rate, v in shown.items()}


def predictive_pairs(
    case: tuple[tuple[int, int], tuple[float, float], float], rng: np.random.Generator, draws: int
) -> Shares:
    """The share of pairs of models, alike in both groups, whose change of the gap in PPV is called shown."""
    people, rates, apart = case
    shown = wald = 0
    for _ in range(draws):
        sides = []
        for n, rate in zip(people, rates, strict=True):
            y = rng.random(n) < rate
            chance = np.where(y, 0.8, 0.3 * rate) if apart > 0 else np.full(n, 0.5)
            first = rng.random(n) < chance
            second = np.where(rng.random(n) < apart, rng.random(n) < chance, first)
            if (
                apart < 0
            ):  # the second refuses that share of those whom the first predicts wrongly, alike in both groups
                second &= y | (rng.random(n) >= -apart)
            predicted = np.stack([first, second, first & second])
            sides.append([(predicted & y).sum(axis=1), predicted.sum(axis=1)])
        hits, of = np.swapaxes(np.array(sides, dtype=float), 0, 1)
        if of[:, :2].all():
            gap = PairedPredictive(hits, of)
            low, high = gap.limits(0.95)
            shown += low > 0 or high < 0
            wald += abs(gap.change) > 1.959964 * gap.std_error
    return {"verdict": shown / draws, "Wald, paired": wald / draws}


def score_pairs(
    case: tuple[tuple[int, int], tuple[int, int], float, float], rng: np.random.Generator, draws: int
) -> Shares:
    """The share of pairs of scores, equally good in both groups, whose change of the gap is called shown."""
    *sides, apart, noise = case
    shown = wald = 0
    for _ in range(draws):
        areas = []
        for positives, negatives in sides:
            y = np.arange(positives + negatives) < positives
            truth = apart * y + rng.normal(size=y.size)
            scores = truth[:, None] + noise * rng.normal(size=(y.size, 2))
            areas.append(Areas.of(scores, y))
        change = PairedAreas(*areas, 0, 1)
        low, high = change.limits(0.95)
        shown += low > 0 or high < 0
        wald += abs(change.change) > 1.959964 * change.std_error
    return {"verdict": shown / draws, "DeLong, paired": wald / draws}


def searches(case: tuple[int, float, float], rng: np.random.Generator, draws: int) -> Shares:
    """The share of searches that find an alternative, of candidates that decide otherwise at random, no better.

    case: candidates, how much more accurate the model in use is, and the margin: at the margin candidates leave no gap.
    """
    count, lost, margin = case
    n, found = 2000, 0
    for _ in range(draws):
        g, y = rng.random(n) < 0.4, rng.random(n) < 0.5
        right = 0.7 - 0.15 * np.where(y, g, -1.0 * g)  # the chance to be right about somebody
        models = [np.where(rng.random(n) < right, y, ~y)]
        for _ in range(count):
            if lost:  # right as often in both groups, and by the margin less often
                models.append(np.where(rng.random(n) < 0.7 - lost, y, ~y))
            else:
                models.append(np.where(rng.random(n) < 0.2, np.where(rng.random(n) < right, y, ~y), models[0]))
        table = {f"m{k}": one.astype(int) for k, one in enumerate(models)}
        names = list(table)
        table |= {"g": np.where(g, "v", "u"), "y": y.astype(int)}
        result = fs.alternatives(table, names, "g", outcome="y", margin=margin)
        found += result.statements[0].template == FOUND.template
    return {"verdict": found / draws}


def cells() -> list[Cell]:
    """The cells of all tables."""
    selections = [
        Cell(
            STAGES,
            f"{a} and {b} people, rates {', '.join(f'{r:g}' for r in rates)}",
            partial(stages, (((a, b),), (rates,))),
            2000,
            60 * (i == 0),
            most={"verdict": 0.05},
        )
        for i, ((a, b), rates) in enumerate(SELECTIONS)
    ]
    selections += [
        Cell(WITHIN, name, partial(stages, case), 1000, 30 * (i == 0), most={"verdict": 0.05})
        for i, (name, case) in enumerate(POSTINGS.items())
    ]
    compared = [
        Cell(
            MODELS,
            f"{a} and {b} people, rates {p:g} and {q:g}, {apart:.0%} decided anew",
            partial(model_pairs, ((a, b), (p, q), apart)),
            40_000,
            2000 * (i == 0),
            most={"verdict": 0.06},
        )
        for i, ((a, b), (p, q), apart) in enumerate(MODEL_PAIRS)
    ]
    compared += [
        Cell(
            PREDICTIVE,
            f"{a} and {b} people, rates {p:g} and {q:g}, "
            + (f"{apart:.0%} decided anew" if apart > 0 else f"{-apart:.0%} of false positives refused"),
            partial(predictive_pairs, ((a, b), (p, q), apart)),
            4000,
            200 * (i == 0),
            most={"verdict": 0.06},
        )
        for i, ((a, b), (p, q), apart) in enumerate(PREDICTIVE_PAIRS)
    ]
    compared += [
        Cell(
            EQUAL_MODELS,
            f"{a} and {b} people, outcomes {p:.0%} and {q:.0%}, {anew:.0%} decided anew",
            partial(equal_models, ((a, b), (p, q), anew)),
            40_000,
            1000 * (i == 0),
            most={rate: 0.05 for rate in RATES if rate != "AUC"},
        )
        for i, ((a, b), (p, q), anew) in enumerate(MODEL_TRIPLES)
    ]
    compared += [
        Cell(
            AREAS,
            f"{a} and {b} with, {m} and {n} without, separated by {apart:g}, noise {noise:g}",
            partial(score_pairs, ((a, m), (b, n), apart, noise)),
            4000,
            200 * (i == 0),
            most={"verdict": 0.06},
        )
        for i, ((a, m), (b, n), apart, noise) in enumerate(SCORE_PAIRS)
    ]
    compared += [
        Cell(SEARCHES, name, partial(searches, case), 400 if i < 2 else 200, 2 * (i == 0), most={"verdict": 0.05})
        for i, (name, case) in enumerate(SEARCHED.items())
    ]
    compared += [
        Cell(CLUSTERED, name, partial(clustered_pairs, case), 1000, 4 * (i == 0), most={"verdict": 0.05})
        for i, (name, case) in enumerate(CLUSTERS.items())
    ]
    compared += [
        Cell(
            COVERED,
            f"{n} blocks, {up:.0%} favor one side and {down:.0%} the other",
            partial(limits, (n, up, down)),
            0,
            int(n < 100),
            most={"disparity shown": 0.05} if up == down else {},
            least={"covered": 0.94},
        )
        for n, up, down in FAVORED
    ]
    return [*selections, *compared] + [
        Cell(PAIRS, f"{n} pairs that differ", partial(pairs, n), 0, 1, most={"verdict": 0.05}) for n in DIFFERING
    ]
