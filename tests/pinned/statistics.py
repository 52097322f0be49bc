"""The statistics of counts, samples and scores, called on small tables, at their defaults and beside them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np

from fairstats import stats
from tests.pinned.reading import Cases

# Groups of 1 to 3,000, rates of 0, 1 and between, equal groups, one far larger than the other.
E1 = np.array([3, 0, 5, 45, 0, 7, 1, 300, 2, 40, 6, 0, 1400, 9.0])
N1 = np.array([10, 5, 5, 120, 8, 7, 1, 1000, 3, 41, 250, 1, 3000, 10.0])
E0 = np.array([8, 4, 2, 80, 0, 9, 0, 280, 30, 10, 1, 6, 200, 20.0])
N0 = np.array([12, 9, 7, 130, 9, 9, 1, 900, 500, 12, 240, 7, 400, 41.0])
MANY = ([30, 12, 9, 2], [100, 40, 45, 3])
TABLES = {
    "four groups": MANY,
    "none": ([0, 3, 0], [9, 12, 4]),
    "all": ([9, 3, 4], [9, 12, 4]),
    "two": ([5, 9], [9, 11]),
}
TABLES |= {"one person": ([1, 8, 30], [1, 20, 60]), "large": ([500, 420, 90], [900, 1000, 200])}
STRATA: dict[str, tuple[Any, ...]] = {
    "three strata": ([10, 4, 2], [20, 12, 9], [15, 9, 8], [22, 14, 11]),
    "an empty stratum": ([10, 0, 2], [20, 0, 9], [15, 9, 8], [22, 14, 11]),
    "nobody selected": ([0, 0, 1], [5, 6, 7], [2, 0, 3], [6, 5, 9]),
    "all selected": ([5, 6, 7], [5, 6, 7], [2, 0, 3], [6, 5, 9]),
    "large": ([300, 120, 80], [700, 300, 90], [200, 160, 200], [600, 310, 230]),
    "opposed": ([20, 4], [25, 20], [6, 17], [24, 21]),
}
RATES = ("clopper_pearson", "jeffreys", "wilson")
PAIRS = ("koopman", "log_ratio", "miettinen_nurminen", "newcombe")
TESTS = ("fisher_exact", "mid_p", "z_test", "unconditional_test", "impact_ratio", "pooled_shortfall")
OVER_STRATA = ("breslow_day", "cmh_test", "common_odds_ratio", "conditional_odds_ratio", "homogeneity_test")


def samples() -> Iterator[tuple[str, np.ndarray, np.ndarray]]:
    """Two samples of few, of ties, of many, of one value, apart."""
    rng = np.random.default_rng(6)
    yield "few", np.array([1.0, 2.5, 4.0, 8.0]), np.array([0.5, 3.0, 3.5, 5.0, 9.0])
    yield "ties", np.array([1, 1, 2, 3, 3, 4, 4.0]), np.array([1, 2, 2, 3, 5, 5, 6, 6.0])
    yield "many", rng.normal(0.3, 1.0, 70), rng.normal(0.0, 2.0, 55)
    yield "rounded", np.round(rng.normal(0.3, 1.0, 80), 1), np.round(rng.normal(0.0, 1.4, 61), 1)
    yield "one value", np.ones(5), np.ones(6)
    yield "apart", np.arange(6.0), np.arange(10.0, 18.0)
    yield "one", np.array([2.0]), np.arange(8.0)
    yield "skewed", rng.exponential(1.0, 30), rng.exponential(2.0, 25)


def scored(n: int = 90, seed: int = 9, digits: int = 2) -> tuple[np.ndarray, np.ndarray]:
    """Probabilities and outcomes."""
    rng = np.random.default_rng(seed)
    s = np.round(rng.beta(2, 2, n), digits)
    return s, (rng.random(n) < s**1.4).astype(float)


def of_counts() -> Cases:
    """Rates, two rates, several rates."""
    table = (E1, N1, E0, N0)
    cases: Cases = {}
    for name, level in product(RATES, (0.95, 0.8)):
        cases[f"{name} {level}"] = lambda n=name, c=level: getattr(stats, n)(E1, N1, c)
    for name, level in product(PAIRS, (0.95, 0.8)):
        cases[f"{name} {level}"] = lambda n=name, c=level: getattr(stats, n)(*table, c)
    for name in TESTS:
        cases[name] = lambda n=name: getattr(stats, n)(*table)
    cases["shortfall"] = lambda: stats.shortfall(E1, N1, 0.4)
    for margin in (0.05, 0.3):
        cases[f"tost_rates {margin}"] = lambda m=margin: stats.tost_rates(*table, m)
        cases[f"equivalence_of_rates {margin}"] = lambda m=margin: stats.equivalence_of_rates(
            *(v[:9] for v in table), m
        )
        cases[f"tost_ratio {margin}"] = lambda m=margin: stats.tost_ratio(*table, 1 - m)
        cases[f"equivalence_of_ratio {margin}"] = lambda m=margin: stats.equivalence_of_ratio(
            *(v[:9] for v in table), 1 - m
        )
    cases["equivalence_of_ratio upper"] = lambda: stats.equivalence_of_ratio(*(v[:7] for v in table), 0.5, 1.6)
    cases["tost"] = lambda: stats.tost([0.1, -0.2, 0.0, np.nan], [0.05, 0.2, 0.1, 1.0], 0.15, [np.inf, 5, 9, 3])
    for level in (0.95, 0.9):
        cases[f"power {level}"] = lambda c=level: stats.power(
            [0.5, 0.4, 0.1, 0.02], [20, 50, 200, 7], [0.5, 0.6, 0.2, 0.9], [30, 50, 90, 9], c
        )
    for n1, p0, n0 in ((40, 0.5, 60), (300, 0.1, 900), (5, 0.3, 6), (50, 0.0, 50), (50, 1.0, 80)):
        cases[f"minimal_detectable_difference {n1} {p0}"] = lambda a=(n1, p0, n0): stats.minimal_detectable_difference(
            *a
        )
    cases["minimal_detectable_difference of"] = lambda: stats.minimal_detectable_difference(
        90, 0.4, 70, metric="TPR", attribute="sex", group="f", reference="m", conf_level=0.9, target=0.9
    )
    for kind, (e, n) in TABLES.items():
        for name in ("chi_square", "permutation_test", "against_best", "rate_range", "worst_ratio", "joint_level"):
            cases[f"{name} {kind}"] = lambda f=name, a=(e, n): getattr(stats, f)(*a)
        for contrast in ("ratio", "difference"):
            cases[f"joint_level {contrast} {kind}"] = lambda a=(e, n), c=contrast: stats.joint_level(
                *a, 0.9, contrast=c, replicates=500, seed=3
            )
        cases[f"against_best ratio {kind}"] = lambda a=(e, n): stats.against_best(*a, 0.9, contrast="ratio")
        cases[f"equivalence_of_range {kind}"] = lambda a=(e, n): stats.equivalence_of_range(*a, 0.35)
        labels = list("wxyz")[: len(n)]
        cases[f"adverse_impact {kind}"] = lambda a=(e, n, labels): stats.adverse_impact(*a)
        cases[f"adverse_impact to y {kind}"] = lambda a=(e, n, labels): stats.adverse_impact(
            *a, reference="x", attribute="race", conf_level=0.9, adjust_method="none"
        )
    return cases


def of_strata() -> Cases:
    """Rates of two groups within strata, and what nobody measured."""
    cases: Cases = {}
    for kind, table in STRATA.items():
        for name in OVER_STRATA:
            cases[f"{name} {kind}"] = lambda f=name, t=table: getattr(stats, f)(*t)
        cases[f"breslow_day plain {kind}"] = lambda t=table: stats.breslow_day(*t, tarone=False)
        cases[f"cmh_test plain {kind}"] = lambda t=table: stats.cmh_test(*t, correct=False)
        cases[f"homogeneity_test drawn {kind}"] = lambda t=table: stats.homogeneity_test(*t, draws=199, seed=4)
        for mid in (True, False):
            cases[f"conditional_odds_ratio {mid} {kind}"] = lambda t=table, m=mid: stats.conditional_odds_ratio(
                *t, 0.9, mid=m
            )
            cases[f"stratified_mid_p {mid} {kind}"] = lambda t=table, m=mid: stats.stratified_mid_p(*t, mid=m)
            cases[f"rosenbaum_p {mid} {kind}"] = lambda t=table, m=mid: stats.rosenbaum_p(*t, 1.5, mid=m)
        cases[f"rosenbaum_bound {kind}"] = lambda t=table: stats.rosenbaum_bound(*t)
        for standard in ("mantel-haenszel", "group", "everybody"):
            cases[f"stratified_rates {standard} {kind}"] = lambda t=table, s=standard: stats.stratified_rates(*t, s)
    cases["stratified_rates own"] = lambda: stats.stratified_rates(*STRATA["three strata"], [1, 2, 5])
    cases["e_value"] = lambda: stats.e_value([0.2, 0.8, 1, 1.3, 4, 1e9, np.nan])
    cases["e_value_of_interval"] = lambda: stats.e_value_of_interval([0.2, 0.8, 1.2, 0.1], [0.5, 1.1, 4, 0.99])
    p = [0.001, 0.2, 0.04, 0.04, 1.0, 0.013, np.nan]
    for method in ("holm", "bh", "bonferroni", "none"):
        cases[f"adjust {method}"] = lambda m=method: stats.adjust(p, m)
        cases[f"adjusted_levels {method}"] = lambda m=method: stats.adjusted_levels(p, m, 0.9)
    cases["holm_levels"] = lambda: stats.holm_levels(p)
    drawn = np.random.default_rng(1).standard_normal((200, 4))
    cases["max_t"] = lambda: stats.max_t(drawn, [2.5, -1.0, 0.2, -3.1])
    for x, df, shift in ((4.0, 9, 0.0), (1.2, 30, 0.5), (30.0, 5, 0.0), (0.0, 9, 0.0), (7.0, 1e6, 1.0)):
        cases[f"upper_tail {x} {df}"] = lambda a=(x, df, shift): stats.upper_tail(
            a[0], np.array([2.0, 1.0, 0.3]), a[1], a[2]
        )
        cases[f"upper_tail of shifts {x} {df}"] = lambda a=(x, df, shift): stats.upper_tail(
            a[0], np.array([2.0, 1.0, 1.0]), a[1], np.array([0.0, a[2], 0.4])
        )
    return cases


def of_samples() -> Cases:
    """Two samples and several."""
    cases: Cases = {}
    for kind, x, y in samples():
        for name in ("cliffs_delta", "superiority", "hodges_lehmann"):
            for level in (0.95, 0.8):
                cases[f"{name} {level} {kind}"] = lambda f=name, a=(x, y, level): getattr(stats, f)(*a)
        for name in ("kolmogorov_smirnov", "mann_whitney", "relative_effect", "superiority_by_design"):
            cases[f"{name} {kind}"] = lambda f=name, a=(x, y): getattr(stats, f)(*a)
        for exact in (True, False):
            cases[f"mann_whitney {exact} {kind}"] = lambda a=(x, y), e=exact: stats.mann_whitney(*a, exact=e)
            cases[f"relative_effect {exact} {kind}"] = lambda a=(x, y), e=exact: stats.relative_effect(
                *a, permute=e, seed=2
            )
        u, v = 1 + np.arange(x.size) % 3, 2 - np.arange(y.size) % 2 * 0.7
        cases[f"superiority_by_design weights {kind}"] = lambda a=(x, y, u, v): stats.superiority_by_design(
            *a[:2], x_weights=a[2], y_weights=a[3]
        )
        cases[f"superiority_by_design clusters {kind}"] = lambda a=(x, y, u, v): stats.superiority_by_design(
            *a[:2],
            x_weights=a[2],
            y_weights=a[3],
            x_clusters=np.arange(a[0].size) // 2,
            y_clusters=np.arange(a[1].size) // 3 + 2,
            conf_level=0.9,
        )
        cases[f"ecdf {kind}"] = lambda a=(x, u): stats.ecdf(*a)
        third = np.concatenate([x[:3], y[-2:]]) + 0.5
        cases[f"kruskal_wallis {kind}"] = lambda a=(x, y, third): stats.kruskal_wallis(a)
        cases[f"dunn {kind}"] = lambda a=(x, y, third): stats.dunn(a)
        cases[f"dunn none {kind}"] = lambda a=(x, y, third): stats.dunn(a, "none")
    for theta, n, m in ((0.7, 30, 40), (1.0, 5, 9), (0.5, 2, 3), (0.02, 100, 20)):
        cases[f"newcombe_auc {theta}"] = lambda a=(theta, n, m): stats.newcombe_auc(*a)
        cases[f"newcombe_auc 0.8 {theta}"] = lambda a=(theta, n, m): stats.newcombe_auc(*a, 0.8)
        cases[f"auc_interval {theta}"] = lambda a=(theta, n, m): stats.auc_interval(a[0], 0.06, *a[1:], 0.9)
    cases["auc_interval without error"] = lambda: stats.auc_interval(0.8, 0.0, 9, 12)
    rng = np.random.default_rng(3)
    w = rng.uniform(0.5, 3, 60)
    cases["effective_size"] = lambda: stats.effective_size(w)
    for rate in (0.4, 0.03, 1.0):
        y = (rng.random(60) < rate).astype(float)
        cases[f"weighted_rate {rate}"] = lambda y=y: stats.weighted_rate(y, w)
        cases[f"weighted_rate of clusters {rate}"] = lambda y=y: stats.weighted_rate(y, w, np.arange(60) // 4)
        cases[f"rao_scott {rate}"] = lambda y=y: stats.rao_scott(y, np.arange(60) % 3, w)
        cases[f"rao_scott of clusters {rate}"] = lambda y=y: stats.rao_scott(
            y, np.arange(60) % 3, w, np.arange(60) // 4
        )
    return cases


def of_scores() -> Cases:
    """Scores beside outcomes."""
    cases: Cases = {}
    kinds = {"fine": scored(), "coarse": scored(digits=1), "few": scored(9, 2), "many": scored(400, 5, 3)}
    s, y = scored(40, 8)
    kinds |= {"all good": (s, np.ones(40)), "perfect": (s, (s > 0.5) * 1.0), "certain": (np.round(s), y)}
    for kind, (s, y) in kinds.items():
        for name in ("auc", "brier", "calibration_error", "recalibration", "spiegelhalter", "roc_curve"):
            cases[f"{name} {kind}"] = lambda f=name, a=(s, y): getattr(stats, f)(*a)
        cases[f"calibration_curve {kind}"] = lambda a=(s, y): stats.calibration_curve(*a)
        cases[f"calibration_curve own bins {kind}"] = lambda a=(s, y): stats.calibration_curve(
            *a, [0, 0.3, 0.7, 1], 0.9
        )
        cases[f"calibration_error own bins {kind}"] = lambda a=(s, y): stats.calibration_error(*a, [0, 0.3, 0.7, 1])
        cases[f"brier 0.8 {kind}"] = lambda a=(s, y): stats.brier(*a, 0.8)
        cases[f"auc 0.8 {kind}"] = lambda a=(s, y): stats.auc(*a, 0.8)
        cases[f"roc_band {kind}"] = lambda a=(s, y): stats.roc_band(*a, [0.05, 0.2, 0.5, 0.9], 0.9)
        other = np.clip(s + np.sin(np.arange(s.size)) / 5, 0, 1)
        cases[f"auc_difference_paired {kind}"] = lambda a=(s, other, y): stats.auc_difference_paired(*a)
        cases[f"auc_difference {kind}"] = lambda a=(s, y): stats.auc_difference(*a, *scored(50, 1, 1), 0.9)
        cases[f"stratified_auc {kind}"] = lambda a=(s, y): stats.stratified_auc(*a, np.arange(a[0].size) % 3)
        x = np.column_stack([s, np.cos(np.arange(s.size))])
        for covariance in ("model", "robust"):
            cases[f"logistic {covariance} {kind}"] = lambda a=(x, y), c=covariance: stats.logistic(*a, covariance=c)
        cases[f"logistic weights {kind}"] = lambda a=(x, y): stats.logistic(*a, weights=1 + np.arange(a[1].size) % 3)
        for covariance in ("cluster",):
            cases[f"logistic {covariance} {kind}"] = lambda a=(x, y), c=covariance: stats.logistic(
                *a, covariance=c, clusters=np.arange(a[1].size) // 4
            )
    rng = np.random.default_rng(2)
    rows, codes, folds = rng.standard_normal((36, 2)), np.arange(36) % 3, np.arange(36) // 18
    moved = rows + 0.8 * (codes == 1)[:, None]
    for kind, X in (("alike", rows), ("apart", moved)):
        cases[f"mmd {kind}"] = lambda X=X: stats.mmd(X, codes, folds, permutations=49)
        cases[f"distance_correlation {kind}"] = lambda X=X: stats.distance_correlation(
            X, codes + 0.5 * X[:, 1], folds, permutations=49, seed=2
        )
        cases[f"distance_correlation one {kind}"] = lambda X=X: stats.distance_correlation(
            X, X[:, 0] ** 2, folds, permutations=29
        )
    return cases


CASES: Cases = of_counts() | of_strata() | of_samples() | of_scores()
