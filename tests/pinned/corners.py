"""Statistics where nothing, or hardly anything, is known: empty groups, one person, rates of 0 and 1, no margin."""

from __future__ import annotations

from typing import Any

import numpy as np

from fairstats import stats
from fairstats.estimates import Estimate
from fairstats.inference.families import Family, adjusted_levels_and_p
from fairstats.inference.gatekeeping import Together
from fairstats.inference.margins import margins
from fairstats.inference.rates.changed_gaps import changed_gap
from fairstats.inference.rates.design_families import DesignFamily
from fairstats.inference.rates.design_rates import DesignRates
from fairstats.inference.rates.design_sums import rates_of_clusters, rates_of_weighted
from fairstats.inference.rates.rate_bootstrap import bootstrap_rates, resample
from fairstats.inference.rates.stratified_odds import stratified
from fairstats.inference.rates.stratified_rows import StratifiedCounts, StratifiedPeople
from fairstats.inference.scores.auc_rows import auc_difference_estimate
from fairstats.inference.scores.calibration_curve import bin_edges
from fairstats.inference.scores.stratified_auc import stratified_by_design
from fairstats.inference.verdicts import decisive_p
from tests.pinned.people import people
from tests.pinned.reading import Cases

E, N = np.array([20.0, 9, 0, 30]), np.array([60.0, 30, 8, 44])


def nobody() -> Cases:
    """Empty groups and strata, groups of one, rates of 0 and 1."""
    names = ["a", "b", "c"]
    one, none = np.ones(6), np.zeros(0)
    strata: dict[str, Any] = {
        "apart": ([3, 0], [9, 0], [0, 5], [0, 30]),
        "all": ([5, 6], [5, 6], [4, 9], [4, 9]),
        "none and all": ([0, 0], [5, 60], [4, 9], [4, 9]),
        "few": ([1, 2, 0, 4], [3, 4, 5, 9], [2, 0, 3, 1], [4, 4, 9, 5]),
        "one informs": ([1, 0, 3, 2], [3, 4, 3, 5], [2, 0, 3, 0], [4, 6, 3, 0]),
    }
    cases: Cases = {
        "adverse_impact of an empty group": lambda: stats.adverse_impact([3, 0, 4], [9, 0, 30], names),
        "adverse_impact to an empty group": lambda: stats.adverse_impact([3, 0, 4], [9, 0, 30], names, reference="b"),
        "adverse_impact of nobody selected": lambda: stats.adverse_impact([0, 0, 0], [9, 4, 30], names),
        "adverse_impact of nobody": lambda: stats.adverse_impact([0, 0], [0, 0], names[:2]),
        "adverse_impact by one": lambda: stats.adverse_impact(
            [8, 39, 11], [20, 50, 17], names, reference="b", attribute="race", conf_level=0.8, adjust_method="bh"
        ),
        "changed_gap of nobody": lambda: changed_gap([[1, 0], [2, 3]], [[3, 0], [9, 8]]),
        "changed_gap to one": lambda: changed_gap([[0, 5], [5, 0]], [[5, 5], [5, 5]]),
        "weighted_rate of nobody": lambda: stats.weighted_rate([1, 0], [0, 0]),
        "weighted_rate of one": lambda: stats.weighted_rate([1, 0, 0], [2, 1, 3], [1, 1, 1]),
        "weighted_rate of no weight": lambda: stats.weighted_rate([1, 0, 1, 1, 0], [1, 0, 2, 1, 0.5], [0, 1, 2, 2, 3]),
        "rao_scott of two": lambda: stats.rao_scott([1, 0, 0], [0, 1, 1], [1, 2, 0]),
        "rao_scott of one group": lambda: stats.rao_scott([1, 0, 0], [1, 1, 1], [1, 2, 1]),
        "unconditional_test of nobody": lambda: stats.unconditional_test([1, 0], [3, 0], [2, 1], [5, 4]),
        "stratified_auc of nobody": lambda: [
            stats.stratified_auc(none, none, none),
            stats.stratified_auc(one, one, one),
        ],
        "stratified_by_design": lambda: stratified_by_design(
            np.arange(12.0) % 5, np.arange(12) % 2, np.arange(12) // 4, 1 + np.arange(12) % 3, 0.9
        ),
        "auc difference row": lambda: auc_difference_estimate(
            [1, 2, 4, 3, 5],
            [0, 1, 0, 1, 1],
            [1, 2, 3, 4],
            [1, 0, 1, 0],
            attribute="sex",
            group="b",
            reference="a",
            conf_level=0.9,
        ),
        "auc difference of one outcome": lambda: auc_difference_estimate(
            [1, 2], [0, 0], [1, 2, 3], [1, 0, 1], group="b", reference="a"
        ),
        "auc_difference without a difference": lambda: stats.auc_difference([1, 2, 3], [0, 1, 0], [1, 2, 3], [0, 1, 0]),
        "auc_difference of one outcome": lambda: stats.auc_difference([1, 2, 3], [0, 0, 0], [1, 2, 3], [0, 1, 0]),
        "bin_edges": lambda: [
            bin_edges(np.arange(9.0) ** 2 / 64, b, how) for b in (3, 10) for how in ("quantile", "uniform")
        ],
        "logistic of no outcome": lambda: stats.logistic([[1.0], [2.0]], [0, 2]),
        "fisher_exact of impossible": lambda: [
            f([3, 2.5, 9], [5, 5, 9], [2, 3, 0], [5, 5, 9]) for f in (stats.fisher_exact, stats.mid_p)
        ],
        "mmd of few": lambda: stats.mmd(
            np.arange(6.0)[:, None], [0, 0, 1, 1, 1, 0], [0, 0, 0, 1, 1, 1], permutations=9
        ),
        "distance_correlation of few": lambda: stats.distance_correlation(
            np.arange(6.0)[:, None], np.ones(6), [0] * 6, permutations=9
        ),
    }
    for kind, table in strata.items():
        cases[f"stratified odds {kind}"] = lambda t=table: stratified(*t)
        counted = StratifiedCounts(*table)
        about = Estimate("selection rate", "sex", "f", "difference", "m")
        cases[f"stratified counts {kind}"] = lambda c=counted, a=about: [
            c.rows(a, 0.9),
            c.p_value,
            c.p_equivalence(0.2),
        ]
        for standard in ("mantel-haenszel", "everybody", "group"):
            cases[f"stratified_rates {standard} {kind}"] = lambda t=table, s=standard: stats.stratified_rates(*t, s)
    return cases


def apart_people() -> Cases:
    """People of whom a stratum holds one group only, and rates of 0 and 1 among weighted people."""
    y, who, strata = people()["hired"].to_numpy(), (people()["race"] == "x").to_numpy(), people()["dept"].to_numpy()
    w, court = people()["weight"].to_numpy(), people()["court"].to_numpy()
    about = Estimate("selection rate", "race", "x", "difference", "others")
    cases: Cases = {}
    for kind, inside, event, by in (
        ("apart", strata == "art", y, strata),
        ("all", who, np.ones(y.size), strata),
        ("apart rates", who, who * 1, strata),
        ("small strata", who, y, np.arange(y.size) // 5),
    ):
        for weighed, more in (
            ("drawn", {"weights": w}),
            ("clusters", {"clusters": court}),
            ("both", {"weights": w, "clusters": court}),
        ):
            made = StratifiedPeople(event, inside, np.unique(by, return_inverse=True)[1], **more)
            cases[f"stratified people {weighed} {kind}"] = lambda m=made, a=about: [
                m.rows(a, 0.9),
                m.p_value,
                m.p_equivalence(0.2),
            ]
    return cases


def designs() -> Cases:
    """Weighted rates of several groups, by people and by clusters."""
    rng = np.random.default_rng(6)
    e = rng.integers(0, 4, (9, 3)).astype(float)
    d = e + rng.integers(0, 5, (9, 3))
    d[6:, 2] = e[6:, 2] = 0
    made: dict[str, DesignRates] = {
        "weighted": rates_of_weighted(E, N, 1.5 * E, 1.4 * N, np.round(N / 1.2), 110),
        "few": rates_of_weighted(E / 8, N / 8, E / 6, N / 5, np.array([6.0, 3, 1, 5]), 15),
        "none": rates_of_weighted(0 * E, N, 0 * E, N, N, 142),
        "clusters": rates_of_clusters(e, d, d.sum(axis=0) * 1.2, 9),
        "few clusters": rates_of_clusters(e[:3], d[:3], d[:3].sum(axis=0), 3),
        "one large": rates_of_clusters(
            np.vstack([e, [[300, 10, 2]]]), np.vstack([d, [[500, 30, 3]]]), d.sum(axis=0), 10
        ),
    }
    cases: Cases = {}
    for kind, of in made.items():
        every = tuple(range(len(of.rate)))
        usable = tuple(np.flatnonzero(of.estimable & (of.size > 0)).tolist())
        cases[f"design rates {kind}"] = lambda o=of, k=every: [
            o,
            [o.df(i) for i in k],
            [o.lacking([i]) for i in k],
            o.lacking(k),
        ]
        for places in (every, usable, usable[:1]):
            cases[f"design family {kind} {len(places)}"] = lambda o=of, p=places: _family(o, p)
    return cases


def _family(of: DesignRates, places: tuple[int, ...]) -> Any:
    if len(places) > 1 and not of.estimable[list(places)].all():
        return of.lacking(places)
    family = DesignFamily(of, places)
    pairs = list(family.pairs)
    said = [
        family.largest_difference(0.9),
        family.worst_ratio(0.9),
        family.p_equivalence(0.3),
        family.null(pairs, 1)[:50],
    ]
    each = [
        [pair.limits(0.8), pair.ratio_limits(0.8), pair.p_value, pair.p_equivalence(0.25), pair.df] for pair in pairs
    ]
    return {"said": said, "pairs": each}


def words() -> Cases:
    """Margins in words, families, the p-value that decides, resampled tables."""
    some = {"difference": 0.05, "ratio": 0.8, "auc": 0.03, "leakage": 0.1}
    cases: Cases = {f"margins {name}": lambda n=name: _margins({n: some[n]}) for name in some}
    cases |= {
        "margins all": lambda: _margins(some),
        "margins none": lambda: _margins(None),
        "margin": lambda: _margins(0.02),
    }
    for wrong in (0, 1, 0.5, -0.1, 2):
        cases[f"margins {wrong}"] = lambda v=wrong: [_margins(v)]
        cases[f"margins of AUCs {wrong}"] = lambda v=wrong: [_margins({"auc": v})]
    rows = [
        Estimate("FPR", verdict=v, p_value=0.3, p_adjusted=p, p_equivalence=0.02)
        for v in ("equivalence shown", "disparity shown", "")
        for p in (0.4, np.nan)
    ]
    cases["decisive_p"] = lambda: [decisive_p(row) for row in rows]
    family = [
        Estimate("FPR", a, g, c, "m", p_value=p, p_adjusted=2 * p, p_equivalence=q, verdict="inconclusive", role=role)
        for (a, g, c, p, q, role) in (
            ("sex", "f", "difference", 0.01, 0.3, "main"),
            ("sex", "f", "ratio", 0.01, 0.4, "main"),
            ("sex", "d", "difference", 0.2, 0.7, "main"),
            ("race", "b", "difference", 0.04, np.nan, "main"),
            ("race", "c", "difference", 0.3, -0.0, "focus"),
        )
    ]
    for how in ("holm", "bh"):
        cases[f"together {how}"] = lambda h=how: [
            [t.beside(row), t.beside_equal(row)] for t in (Together.of(family, h),) for row in family
        ]
    cases["single step"] = lambda: [
        adjusted_levels_and_p(p, Family(0.9, how, pairs, 3), [20.0, 30.0, 9.0], 50.0, others=more)
        for how in ("max-t", "holm", "bh", "none")
        for pairs in (False, True)
        for p in ([0.01, 0.4, np.nan], [np.nan] * 3)
        for more in ((), (0.02, 0.3))
    ]
    tables = np.array([[[6, 3], [2, 9]], [[0, 0], [0, 0]], [[12, 1], [0, 3]]])
    for scheme in ("people", "within groups"):
        cases[f"resample {scheme}"] = lambda s=scheme: resample(tables, replicates=20, scheme=s, seed=3)
        cases[f"bootstrap_rates {scheme}"] = lambda s=scheme: bootstrap_rates(
            tables, ["a", "b", "c"], replicates=60, scheme=s, seed=3
        )
    return cases


def _margins(value: Any) -> Any:
    made = margins(value)
    return [made, made.words, bool(made)]


def gaps_of_few() -> Cases:
    """Familiar measures where a group has one person, nobody of whom it is asked, or one outcome."""
    y, d = np.array([1, 0, 1, 0, 1, 1, 0, 0, 1]), np.array([0, 0, 1, 0, 1, 0, 1, 0, 0])
    groups = list("aaaabbbbc")
    w = 0.5 + np.arange(9) % 4
    cases: Cases = {}
    for kind, of, more in (
        ("people", y, {}),
        ("drawn", y, {"sample_weight": w}),
        ("times", y, {"sample_weight": np.ceil(w), "weight_type": "frequency"}),
        ("no positives", 0 * y, {}),
        ("no positives drawn", 0 * y, {"sample_weight": w}),
        ("a has none", y * (np.arange(9) > 3), {}),
    ):
        for name in ("demographic_parity", "equal_opportunity", "predictive_parity", "equalized_odds"):
            for contrast in ("difference", "ratio"):
                for method in ("between_groups", "to_overall"):
                    call = getattr(stats, f"{name}_{contrast}")
                    cases[f"{name}_{contrast} {method} {kind}"] = lambda f=call, a=(of, d), m=method, o=more: f(
                        *a, groups=groups, method=m, conf_level=0.9, **o
                    )
        for pred, decided in (("", d), (" all", 0 * d + 1), (" right", of)):
            cases[f"treatment_equality{pred} {kind}"] = lambda a=(of, decided), o=more: stats.treatment_equality(
                *a, groups=groups, **o
            )
            cases[f"conditional_use_accuracy_equality{pred} {kind}"] = lambda a=(of, decided), o=more: (
                stats.conditional_use_accuracy_equality(*a, groups=groups, **o)
            )
    half = lambda y, d, s, w: float("nan") if y[0] == 0 and y.size < 3 else float(np.average(y, weights=w))  # noqa: E731
    for interval in ("percentile", "studentized"):
        cases[f"by_group of few {interval}"] = lambda i=interval: stats.by_group(
            half, y, d, groups=groups, interval=i, replicates=40, reference="b"
        )
    cases["by_group of no weight"] = lambda: stats.by_group(half, y, d, w=np.r_[w[:8], 0], groups=groups, replicates=40)
    cases["by_group of none"] = lambda: stats.by_group(lambda *rows: None, y, d, groups=groups, replicates=40)
    cases["by_group of errors"] = lambda: stats.by_group(lambda *rows: 1 / 0, y, d, groups=groups, replicates=40)
    return cases


CASES: Cases = nobody() | apart_people() | designs() | words() | gaps_of_few()
