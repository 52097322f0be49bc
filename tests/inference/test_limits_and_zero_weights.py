"""What holds at exactly a documented limit, on one side of two alone, and for people who weigh nothing."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats as scipy_stats

import fairstats
from fairstats import stats
from fairstats.errors import InputError
from fairstats.inference.means import LossSample
from fairstats.inference.representations.extra_error import follows_noise, from_rows
from fairstats.inference.scores.brunner_munzel import FEW_DIFFERENT
from fairstats.inference.scores.calibration import calibration_estimates
from fairstats.inference.scores.hodges_lehmann import hodges_lehmann
from fairstats.inference.scores.merged import merge
from fairstats.inference.scores.roc import ecdf, stratified_auc

RNG = np.random.default_rng(11)
Y, D = RNG.integers(0, 2, 40), RNG.integers(0, 2, 40)
GROUPS, W = np.tile(["a", "b", "c", "b"], 10), np.round(RNG.uniform(0.5, 3, 40), 1)


@pytest.mark.long
@pytest.mark.parametrize("name", ["demographic_parity", "equal_opportunity", "predictive_parity", "equalized_odds"])
@pytest.mark.parametrize("contrast", ["difference", "ratio"])
@pytest.mark.parametrize("method", ["between_groups", "to_overall"])
@pytest.mark.parametrize("weight_type", ["probability", "frequency"])
def test_people_without_weight_are_as_if_they_were_not_there(name, contrast, method, weight_type):
    call = getattr(stats, f"{name}_{contrast}")
    w = (W if weight_type == "probability" else np.ceil(W)) * (np.arange(40) % 7 > 0)
    options = {"method": method, "weight_type": weight_type}
    with_them = call(Y, D, groups=GROUPS, sample_weight=w, **options)
    left = w > 0
    without = call(Y[left], D[left], groups=GROUPS[left], sample_weight=w[left], **options)
    assert [with_them.estimate, with_them.conf_low, with_them.conf_high, with_them.p_value] == pytest.approx(
        [without.estimate, without.conf_low, without.conf_high, without.p_value], nan_ok=True
    )


@pytest.mark.parametrize("clustered", [False, True])
@pytest.mark.parametrize("side", [0, 1])
def test_a_design_forgets_values_without_weight(clustered, side):
    x, y = RNG.normal(size=20), RNG.normal(size=17)
    weights = [np.ones(20) + np.arange(20) % 3, np.ones(17) + np.arange(17) % 2]
    clusters = [np.arange(20) // 2, np.arange(17) // 2]
    weights[side][::5] = 0
    kept = [w > 0 for w in weights]

    def result(use):
        items = [v[u] for v, u in zip((x, y), use, strict=True)]
        more = {f"{k}_weights": w[u] for k, w, u in zip("xy", weights, use, strict=True)}
        more |= {f"{k}_clusters": c[u] for k, c, u in zip("xy", clusters, use, strict=True)} if clustered else {}
        built = stats.probability_of_superiority_survey(*items, **more)
        return [built.estimate, built.std_error, built.df, built.low, built.high, built.p_value]

    assert result([np.ones(20, bool), np.ones(17, bool)]) == pytest.approx(result(kept))


@pytest.mark.parametrize("contrast", ["difference", "ratio"])
def test_nobody_selected_is_no_difference_and_no_ratio(contrast):
    result = getattr(stats, f"demographic_parity_{contrast}")(Y, 0 * D, groups=GROUPS, method="to_overall")
    assert result.estimate == pytest.approx(0.0) if contrast == "difference" else np.isnan(result.estimate)


@pytest.mark.parametrize("where", [0, 1])
@pytest.mark.parametrize("value", [np.inf, -np.inf, np.nan])
def test_one_value_that_is_not_finite_has_no_shift(where, value):
    samples = [np.arange(6.0), np.arange(7.0)]
    samples[where][2] = value
    with pytest.raises(InputError, match="missing or infinite"):
        hodges_lehmann(*samples)


@pytest.mark.parametrize(("few", "text"), [(4, True), (5, False), (6, False)])
def test_fewer_than_five_of_one_outcome_are_said_to_be_few(few, text):
    for y in (np.arange(30) < few, np.arange(30) >= few):
        score = calibration_estimates(np.linspace(0.1, 0.9, 30), y.astype(float))[0]
        assert ("fewer than 5" in score.reason) is text


def test_weights_of_one_sample_alone_count():
    x, y, w = np.array([1.0, 2, 2]), np.array([2.0, 3]), np.array([2.0, 5.0])
    for weighed, repeated in (
        (merge(x, y, None, w), merge(x, np.repeat(y, [2, 5]))),
        (merge(y, x, w), merge(np.repeat(y, [2, 5]), x)),
    ):
        assert [weighed.x.tolist(), weighed.y.tolist()] == [repeated.x.tolist(), repeated.y.tolist()]


@pytest.mark.parametrize("swapped", [False, True])
@pytest.mark.parametrize("off", [FEW_DIFFERENT - 1, FEW_DIFFERENT])
def test_a_sample_with_few_off_its_commonest_value_is_permuted(swapped, off):
    """Whichever of the two it is; the documented limit is fewer than 15."""
    tied, fine = np.r_[np.zeros(30), 1.0 + np.arange(off)], np.linspace(-1.0, 9.0, 45)
    result = stats.relative_effect(*((fine, tied) if swapped else (tied, fine)))
    assert ("permut" in result.method) is (off < FEW_DIFFERENT)


def test_degrees_of_freedom_are_above_zero_one_by_one():
    for wrong in ([5.0, 0.0], [0.0, 5.0], [-1.0, 3.0]):
        with pytest.raises(InputError, match="degrees of freedom are above 0"):
            stats.tost([0.1, 0.2], [0.1, 0.1], 0.3, wrong)


def test_samples_may_be_the_rows_of_an_array():
    table = RNG.normal(size=(3, 12))
    assert stats.kruskal_wallis(table).p_value == stats.kruskal_wallis(list(table)).p_value
    assert stats.kruskal_wallis(table).p_value == pytest.approx(scipy_stats.kruskal(*table).pvalue, abs=0.02)


@pytest.mark.parametrize(
    ("n", "p", "k", "noisy"),
    [
        *((50, 10, 9, True), (51, 10, 9, False), (50, 10, 10, False)),
        *((10000, 16, 11, False), (10000, 16, 6, True), (10000, 16, 7, False)),
    ],
)
def test_components_follow_noise_from_the_documented_numbers_on(n, p, k, noisy):
    """p ≥ n/5 or p − k ≥ (np)^¼/2 (here 10), where some are left out."""
    assert follows_noise(n, p, k) is noisy


def test_components_that_repeat_others_add_no_axis_of_noise():
    code = np.repeat([0, 1], [15, 12])
    for seed in range(12):
        a = np.random.default_rng(seed).normal(size=(27, 1)) + code[:, None]
        part = from_rows(np.hstack([a, 3 * a, -0.7 * a]), code[:, None] * 1.0, code)
        variances, along = part.axes
        assert variances.size == 1
        assert float(along @ along) == pytest.approx(part.explained)


def test_pairs_of_two_in_a_fold_of_four_are_enough_for_a_discrepancy():
    """The unbiased statistic needs two rows of either side in a fold (Gretton et al. 2012); with one it has none."""
    rows = np.array([[0.0], [1.0], [5.0], [7.0]])
    two = stats.mmd(rows, [0, 0, 1, 1], np.zeros(4, int), permutations=5)[0]
    square = (rows - rows.T) ** 2
    kernel = np.exp(-square / (2 * np.median(np.sqrt(square[np.triu_indices(4, 1)])) ** 2))
    assert two.statistic == pytest.approx(kernel[0, 1] + kernel[2, 3] - kernel[:2, 2:].sum() / 2)
    one = stats.mmd(rows, [0, 1, 1, 1], np.zeros(4, int), permutations=5)[0]
    assert np.isnan(one.statistic)


def test_an_exact_test_that_is_too_much_work_is_refused_though_people_are_few_enough():
    values = RNG.normal(size=1000)
    with pytest.raises(InputError, match="out of reach"):
        stats.mann_whitney(values[:500], values[500:], exact=True)
    assert fairstats.stats.mann_whitney(values[:10], values[500:], exact=True).method.startswith("Mann-Whitney, exact")


def test_a_module_requires_weights_and_outcomes_where_nothing_was_checked_before():
    with pytest.raises(InputError, match="no positive one"):
        ecdf([1.0, 2.0], [0.0, 0.0])
    result, z, p = stratified_auc([], [], [])
    assert (result.n_pos, result.n_neg, result.method) == (0, 0, "")
    assert np.isnan([result.auc, z, p]).all()


@pytest.mark.parametrize("weights", [None, np.array([3.0])])
def test_one_loss_has_no_spread(weights):
    sample = LossSample.of(np.array([2.0]), 0.0, weights)
    assert sample.mean == 2.0 and np.isnan(sample.variance)


@pytest.mark.parametrize("name", ["fit", "scores"])
def test_leakage_names_the_argument_that_was_passed(name):
    with pytest.raises(InputError, match=f"^{name} has"):
        fairstats.leakage(**{name: np.zeros((20, 2))}, groups=np.tile(["a", "b"], 10))
