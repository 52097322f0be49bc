"""Statistics where a formula changes: many and few rows, long tails, large strata, no spread, and what decides."""

from __future__ import annotations

from typing import Any

import numpy as np

import fairstats as fs
from fairstats import stats
from fairstats.inference.decisions import null_value
from fairstats.inference.families import Family, equivalence_adjusted, shared_reference
from fairstats.inference.gatekeeping import across
from fairstats.inference.multiplicity import benjamini_yekutieli
from fairstats.inference.rates.changed_gaps import change_limits, changed_gap
from fairstats.inference.rates.missing_bounds import Gaps, bounds_with_error, difference_bounds
from fairstats.inference.rates.rate_bootstrap import fractions, percentile
from fairstats.inference.rates.stratified_rows import stratified_difference_rows
from fairstats.inference.repeated_splits import between_strata, corrected, twice_median
from fairstats.inference.representations.quadratic_forms import inverted_tail, matched_tail, tail
from fairstats.inference.scores.curves import thin
from fairstats.inference.scores.design_ranks import design_rank_omnibus, design_rank_test
from fairstats.inference.scores.design_samples import Scored
from fairstats.inference.scores.survey_ranks import weighted_median
from fairstats.inference.verdicts import decide
from tests.pinned.people import people
from tests.pinned.reading import Cases
from tests.pinned.statistics import samples

LARGE = ([30_000, 900, 4], [70_000, 9_000, 40], [20_000, 700, 9], [60_000, 8_000, 60])
EQUAL = np.full(12, 0.3)


def tails() -> Cases:
    """Quadratic forms of normal variables, near and far."""
    cases: Cases = {}
    sums: dict[str, tuple[Any, ...]] = {
        "one": (np.array([1.0]), 1, np.zeros(1)),
        "three": (np.array([2.0, 1.0, 0.3]), 1, np.array([0.0, 1.0, 2.0])),
        "many": (np.linspace(1, 0.01, 30), 1, np.zeros(30)),
        "one leads": (np.r_[5.0, np.full(40, 0.01)], 1, np.zeros(41)),
        "shifted": (np.array([1.0, 0.5]), 4, np.array([30.0, 0.0])),
    }
    for kind, (lam, df, delta) in sums.items():
        mean = float(np.sum(lam * (df + delta)))
        for times in (0.05, 0.5, 1.0, 3.0, 12.0):
            at = (times * mean, lam, df, delta)
            cases[f"tail {kind} {times}"] = lambda at=at: tail(*at)
            cases[f"matched_tail {kind} {times}"] = lambda at=at: matched_tail(*at)
            if kind != "one leads":
                cases[f"inverted_tail {kind} {times}"] = lambda at=at: inverted_tail(*at)
    return cases


def orders() -> Cases:
    """Samples of thousands, and of nobody's spread."""
    rng = np.random.default_rng(8)
    x, y = rng.normal(0.1, 1, 900), rng.normal(0, 1.5, 700)
    many = {"fine": (x, y), "rounded": (np.round(x, 1), np.round(y, 1)), "heavy": (x**3, np.exp(y))}
    cases: Cases = {}
    for kind, two in many.items():
        for name in ("hodges_lehmann", "mann_whitney", "kolmogorov_smirnov", "superiority", "relative_effect"):
            cases[f"{name} of many {kind}"] = lambda f=name, a=two: getattr(stats, f)(*a)
        cases[f"kruskal_wallis of many {kind}"] = lambda a=two: stats.kruskal_wallis([*a, a[0][:90] + 0.2])
    cases["thin"] = lambda: thin(np.arange(60.0), np.round(np.sqrt(np.arange(60.0)), 1), 12)
    cases["thin straight"] = lambda: thin(np.arange(9.0), 2 * np.arange(9.0), 4)
    cases["weighted_median"] = lambda: [
        weighted_median([3, 1, 2, 9], w) for w in ([1, 1, 1, 1], [1, 5, 1, 1], [1, 1, 2, 4])
    ]
    for kind, a, b in samples():
        if a.size > 1:
            parts = [a, b, np.concatenate([a[::2], b[::3]]) + 0.3]
            for clustered in (False, True):
                made = tuple(scored(values, at, clustered) for at, values in enumerate(parts))
                cases[f"design_rank_omnibus {clustered} {kind}"] = lambda of=made: design_rank_omnibus(of)
                cases[f"design_rank_test {clustered} {kind}"] = lambda of=made: design_rank_test(*of[:2])
    return cases


def scored(values: np.ndarray, at: int, clustered: bool) -> Scored:
    """Weighted people, in clusters of three that samples share."""
    order = np.argsort(values, kind="stable")
    w = 1 + (np.arange(values.size) + at) % 3 * 0.7
    clusters = (np.arange(values.size) + at) // 3 if clustered else None
    return Scored(values[order], w, w**2, np.ones(values.size), clusters)


def large_strata() -> Cases:
    """Strata of thousands, of one, and without both groups."""
    strata: dict[str, Any] = {
        "large": LARGE,
        "of one": ([1, 0, 1, 3], [1, 1, 1, 9], [0, 0, 1, 2], [1, 1, 1, 7]),
        "apart": ([3, 0], [9, 0], [0, 5], [0, 30]),
    }
    cases: Cases = {}
    for kind, table in strata.items():
        for name in (
            "stratified_mid_p",
            "conditional_odds_ratio",
            "homogeneity_test",
            "cmh_test",
            "common_odds_ratio",
            "breslow_day",
        ):
            if (name, kind) != ("homogeneity_test", "large"):
                cases[f"{name} {kind}"] = lambda f=name, t=table: getattr(stats, f)(*t)
        cases[f"rows {kind}"] = lambda t=table: stratified_difference_rows(*t)
        for standard in ("mantel-haenszel", "everybody", "group"):
            cases[f"stratified_rates {standard} {kind}"] = lambda t=table, s=standard: stats.stratified_rates(*t, s)
    return cases


def equal_scores() -> Cases:
    """Losses without spread, all right, all wrong."""
    cases: Cases = {}
    for kind, s, y in (
        ("alike", EQUAL, np.zeros(12)),
        ("right", np.ones(9), np.ones(9)),
        ("wrong", np.zeros(9), np.ones(9)),
        ("one", EQUAL[:1], np.ones(1)),
    ):
        cases[f"brier {kind}"] = lambda s=s, y=y: stats.brier(s, y, 0.9)
        cases[f"calibration_error {kind}"] = lambda s=s, y=y: stats.calibration_error(s, y)
        cases[f"recalibration {kind}"] = lambda s=s, y=y: stats.recalibration(s, y)
        cases[f"spiegelhalter {kind}"] = lambda s=s, y=y: stats.spiegelhalter(s, y)
    rare = np.r_[np.zeros(40), 0.9, 0.8]
    cases["relative_effect of rare scores"] = lambda: stats.relative_effect(rare, np.r_[np.zeros(30), 0.7])
    cases["superiority_by_design of rare scores"] = lambda: stats.superiority_by_design(
        rare, np.r_[np.zeros(30), 0.7], x_weights=1 + np.arange(42) % 2
    )
    return cases


def _gaps() -> list[Gaps]:
    few = Gaps((1, 0, 1), (0, 1, 0)), Gaps((0, 9, 1), (9, 0, 0), (0, 1, 0), (2, 0, 0), (0, 0, 3))
    return [Gaps((20, 30, 2), (12, 25, 3)), Gaps((20, 30, 2), (12, 25, 3), (1, 2, 0), (0, 3, 1), (2, 2, 2)), *few]


def decisions() -> Cases:
    """Verdicts, families, adjustments over questions and splits."""
    p, equal = [0.001, 0.6, 0.04, 0.2], [0.9, 0.01, 0.3, 0.04]
    cases: Cases = {"benjamini_yekutieli": lambda: benjamini_yekutieli(p), "across": lambda: across(p, equal)}
    for how in ("holm", "bh", "bonferroni", "none"):
        cases[f"decide {how}"] = lambda h=how: decide(p, equal, conf_level=0.9, adjustment=h)
        cases[f"equivalence_adjusted {how}"] = lambda h=how: equivalence_adjusted(equal, Family(0.9, h))
    cases["shared_reference"] = lambda: shared_reference(p, [10.0, 30.0, 20.0, 5.0], 40.0, 3)
    rows = [fs.Estimate("TPR", contrast=contrast) for contrast in ("difference", "ratio", "none")]
    rows += [fs.Estimate(m, contrast="difference") for m in ("AUC", "P(X>Y)")] + [
        fs.Estimate("P(X>Y)"),
        fs.Estimate("AUC"),
    ]
    cases["null_value"] = lambda: [null_value(row) for row in rows]
    values = np.random.default_rng(1).normal(0.1, 0.2, (9, 3))
    cases["corrected"] = lambda: corrected(values, 0.3)
    cases["corrected between"] = lambda: corrected(values, 0.5, 0.8, [0.01, 0.0, 0.2])
    cases["between_strata"] = lambda: between_strata([[0.2, 0.4], [0.1, 0.5]], [[0.4, 0.6], [0.7, 0.3]], [10, 30])
    cases["twice_median"] = lambda: twice_median([[0.01, 0.2], [0.03, 0.9], [0.2, 0.8]])
    for e, n in (([30, 20, 12, 15], [50, 40, 40, 60]), ([0, 3, 5, 5], [4, 9, 5, 8]), ([3, 3, 1, 1], [3, 3, 1, 1])):
        cases[f"changed_gap {e}"] = lambda a=(e, n): changed_gap(*np.reshape(a, (2, 2, 2)))
        cases[f"changed_gap 0.8 {e}"] = lambda a=(e, n): changed_gap(*np.reshape(a, (2, 2, 2)), 0.8)
        cases[f"change_limits {e}"] = lambda a=(e, n): change_limits(*(np.array(v[:2], float) for v in a), 0.9)
    for gaps in _gaps():
        for level in (0.95, 0.8):
            cases[f"bounds_with_error {level} {tuple(gaps)}"] = lambda g=gaps, c=level: bounds_with_error(g, c)
        cases[f"difference_bounds {tuple(gaps)}"] = lambda g=gaps: difference_bounds(g)
    drawn = np.random.default_rng(2).random((40, 3))
    cases["percentile"] = lambda: percentile(np.where(drawn > 0.97, np.nan, drawn), 0.8)
    cases["fractions"] = lambda: [fractions(np.arange(16).reshape(2, 2, 2, 2), favors) for favors in (0, 1)]
    x, y = people()[["u", "v"]].to_numpy(), people()["hired"].to_numpy()
    cases["df of clusters"] = lambda: [
        stats.logistic(np.column_stack([np.ones(len(x)), x]), y, covariance="cluster", clusters=people()["court"]).df(c)
        for c in np.eye(3)
    ]
    cases["logistic that separates"] = lambda: stats.logistic(
        np.column_stack([np.ones(8), np.arange(8.0)]), np.arange(8) > 3
    )
    cases["logistic of one column twice"] = lambda: stats.logistic(x[:, [0, 0]], y)
    return cases


CASES: Cases = tails() | orders() | large_strata() | equal_scores() | decisions()
