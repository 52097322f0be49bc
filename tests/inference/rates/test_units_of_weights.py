"""Probability weights have no unit: every statistic of weighted people is the same in thousandths and in millions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np
import pytest
from scipy.stats import beta, binom

from fairstats import stats
from fairstats.estimates import Estimate
from fairstats.inference.means import LossSample
from fairstats.inference.rates.strata_rows import CountedPeople, StratifiedPeople
from fairstats.inference.rates.survey import BURSTS, DesignRates
from fairstats.metrics import STATISTICS

N = 240
RNG = np.random.default_rng(12)
G = RNG.choice(["a", "b", "c"], N)
Y = RNG.integers(0, 2, N)
S = np.clip(RNG.random(N) / 2 + 0.3 * Y, 0, 1)
D = (S > 0.4).astype(int)
W = RNG.uniform(0.2, 3.0, N)
CLUSTER = RNG.integers(0, 30, N)
STRATUM = np.where(np.arange(N) < 225, RNG.integers(0, 4, N), 4)
STRATUM[225:] = np.where(np.arange(15) == 0, 4, 5)  # strata in which hardly anybody is
ONE = G == "a"
SIZES = np.array([40.0, 300.0])
ROWS = np.column_stack([np.ones(N), S])
LEVELS = np.unique(G, return_inverse=True)[1]


def familiar(name: str) -> Callable[[np.ndarray], Any]:
    scored = "class" in name or "brier" in name or name == "abroca"
    return lambda w: getattr(stats, name)(Y, S if scored else D, groups=G, sample_weight=w)


def stratified(standard: str, clusters: np.ndarray | None) -> Callable[[np.ndarray], Any]:
    return lambda w: stats.stratified_rates_from_data(D, ONE, STRATUM, weights=w, clusters=clusters, standard=standard)


ASKED: dict[str, Callable[[np.ndarray], Any]] = {
    **{name: familiar(name) for name in STATISTICS if name != "abroca"},
    **{
        f"{standard}{' clusters' * (clusters is not None)}": stratified(standard, clusters)
        for standard in ("mantel-haenszel", "everybody", "group")
        for clusters in (None, CLUSTER)
    },
    "weighted rate": lambda w: stats.survey_rate(D, weights=w),
    "weighted rate of clusters": lambda w: stats.survey_rate(D, weights=w, clusters=CLUSTER),
    "rao scott": lambda w: stats.rao_scott(D, LEVELS, weights=w),
    "rao scott of clusters": lambda w: stats.rao_scott(D, LEVELS, weights=w, clusters=CLUSTER),
    "superiority": lambda w: stats.probability_of_superiority_survey(
        S[ONE], S[~ONE], x_weights=w[ONE], y_weights=w[~ONE]
    ),
    "superiority of clusters": lambda w: stats.probability_of_superiority_survey(
        S[ONE], S[~ONE], x_weights=w[ONE], y_weights=w[~ONE], x_clusters=CLUSTER[ONE], y_clusters=CLUSTER[~ONE]
    ),
    "logistic": lambda w: stats.logistic(ROWS, Y, weights=w, covariance="robust").coefficients,
    "ecdf": lambda w: stats.ecdf(S, weights=w)[1],
    "effective size": lambda w: stats.effective_size(w),
}
SUMS = {"n", "n0", "n1", "events", "total", "left_out"}  # of weights themselves: they have the unit


def numbers(value: Any, unit: float = 1.0) -> list[float]:
    if is_dataclass(value):
        parts = [(getattr(value, f.name), unit if f.name in SUMS else 1.0) for f in fields(value)]
        return [one / by for part, by in parts for one in numbers(part)]
    if isinstance(value, (tuple, list)):
        return [one for part in value for one in numbers(part)]
    if isinstance(value, (str, type(None))) or callable(value):
        return []
    return np.asarray(value, dtype=float).ravel().tolist()


@pytest.mark.long
@pytest.mark.parametrize("name", ASKED)
def test_the_unit_of_probability_weights_changes_sums_of_weights_only(name: str) -> None:
    plain = numbers(ASKED[name](W))
    assert plain and np.isfinite(plain).any()
    for unit in (1e-12, 1e-3, 1e9):
        result = numbers(ASKED[name](W * unit), unit)
        np.testing.assert_allclose(result, plain, rtol=1e-6, atol=1e-9, err_msg=f"{unit}")


@pytest.mark.parametrize("errors", [1, 2])
def test_one_group_with_too_few_weighted_errors_is_enough_to_have_no_limits(errors: int) -> None:
    y = np.array([0] * errors + [1] * 4 + [0] * 4)
    d = np.array([1] * errors + [0, 0, 1, 1] + [1, 1, 0, 0])
    row = stats.treatment_equality(y, d, groups=["a"] * errors + ["b"] * 8, sample_weight=np.linspace(1, 2, y.size))
    assert (row.status == "ok") == (errors == 2) and np.isnan(row.conf_low) == (errors == 1)


@pytest.mark.parametrize("rate", [0.001, 0.02, 0.1, 0.3, 0.5, 0.8, 0.99])
def test_what_rare_events_add_is_half_the_excess_kurtosis_of_their_count_and_never_below_0(
    rate: float,
) -> None:
    result = DesignRates(np.full(2, 0.4), SIZES, np.eye(2), np.array([9, 9]), np.eye(2) / 9, np.eye(2), clustered=True)
    added = np.diag(result.uncertainty([0, 1], rate) - result.overlap)
    kurtosis = binom.stats(1, rate, moments="k") / SIZES
    np.testing.assert_allclose(added, BURSTS / 2 * np.maximum(kurtosis, 0))


@pytest.mark.parametrize("events", [0.0, 0.3, 0.9, 1.0, 1.5, 9.6, 10.0])
def test_exact_limits_of_fractional_counts_are_quantiles_of_beta(events: float) -> None:
    low, high = stats.clopper_pearson(events, 10, conf_level=0.9)
    assert low == pytest.approx(beta.ppf(0.05, events, 11 - events) if events else 0.0, abs=1e-12)
    assert high == pytest.approx(beta.ppf(0.95, events + 1, 10 - events) if events < 10 else 1.0, abs=1e-12)


@pytest.mark.parametrize("units", [1, 2, 3])
def test_two_clusters_are_enough_for_a_statistic_and_one_is_not(units: int) -> None:
    y, codes = np.array([0, 1, 1, 0, 1, 0] * units), np.array([0, 0, 1, 1, 1, 0] * units)
    result = stats.rao_scott(y, codes, weights=np.linspace(1, 2, y.size), clusters=np.arange(y.size) // 6)
    assert np.isnan(result[0]) == (units == 1)


def test_one_person_of_weight_has_a_mean_and_no_variance() -> None:
    result = LossSample.of(np.array([0.3, 0.9]), 1e-12, np.array([2.0, 0.0]))
    assert (result.n, result.mean) == (1.0, 0.3) and np.isnan(result.variance)


@pytest.mark.parametrize("weight", [None, 0.4, 1.0, 3.0])
@pytest.mark.parametrize("side", [ONE, ~ONE])
def test_a_stratum_needs_somebody_of_either_group_however_light(weight: float | None, side: np.ndarray) -> None:
    """Four clusters of either group, of which one has its only people in a stratum of its own."""
    n = 40
    y, group, clusters = np.arange(n) % 3 == 0, np.arange(n) < 20, np.arange(n) // 5
    strata, w = np.isin(np.arange(n), range(15, 20)).astype(int), np.ones(n)
    if weight is not None:
        strata[-1], w[-1] = 1, weight
    group = group if side is ONE else ~group
    result = stats.stratified_rates_from_data(y, group, strata, weights=w, clusters=clusters)
    assert (result.reason == "fewer than four clusters in a group") == (weight is None)
    assert result.strata == (1 if weight is None else 2) and np.isnan(result.variance1) == (weight is None)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("clustered", [False, True])
def test_people_who_are_alike_may_be_counted(weighted: bool, clustered: bool) -> None:
    cells = np.unique(np.column_stack([D, ONE, STRATUM % 3, CLUSTER % 12]), axis=0)
    rng = np.random.default_rng(6)
    rows = rng.integers(1, 5, len(cells))
    w = rng.uniform(0.5, 3, len(cells)) if weighted else np.ones(len(cells))
    y, one, strata, clusters = cells.T
    about = Estimate("", "sex", "f", "difference", "m")

    def limits(of: StratifiedPeople) -> np.ndarray:
        return np.array([(r.estimate, r.conf_low, r.conf_high, r.p_value, r.n) for r in of.rows(about)])

    who, counted = clusters if clustered else None, CountedPeople(1.0 * rows, rows * w, rows * w**2)
    short = StratifiedPeople(y, one == 1, strata, w if weighted else None, who, counted)
    many = np.repeat(np.arange(len(cells)), rows)
    current = w[many] if weighted else None
    long = StratifiedPeople(y[many], one[many] == 1, strata[many], current, clusters[many] if clustered else None)
    np.testing.assert_allclose(limits(short), limits(long), rtol=1e-9)
    assert np.isfinite(limits(long)[:, :3]).all()


@pytest.mark.parametrize("strata", [1, 3])
@pytest.mark.parametrize("outcome", [0, 1])
def test_where_nothing_varies_degrees_of_freedom_are_those_of_people(strata: int, outcome: int) -> None:
    """Of equal strata with m people of either group: m - 1 of each."""
    m = 6
    group, code = np.tile(np.repeat([True, False], m), strata), np.repeat(np.arange(strata), 2 * m)
    result = stats.stratified_rates_from_data(
        np.full(code.size, outcome), group, code, weights=np.full(code.size, 0.7), standard="everybody"
    )
    assert result.df == pytest.approx(2 * strata * (m - 1)) and result.difference == 0


@pytest.mark.parametrize("people", [1, 2, 3])
def test_two_people_of_weight_have_limits_and_one_has_none(people: int) -> None:
    y, group = np.array([*[1, 0, 1][:people], 0, 1, 0, 1]), np.array(["a"] * people + ["b"] * 4)
    row = stats.demographic_parity_difference(y, y, groups=group, sample_weight=np.linspace(1, 2, y.size))
    assert np.isnan(row.conf_low) == (people == 1)
