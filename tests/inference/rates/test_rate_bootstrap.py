"""Bootstrap on counts: the same distribution as resampling rows, at a cost that ignores their number."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn.metrics import accuracy_score, precision_score, recall_score

from fairstats.errors import InputError
from fairstats.inference.rates.one_rate import bootstrap_rates, fractions, percentile, resample, wilson
from fairstats.metrics import rates

TABLES = arrays(np.int64, (3, 2, 2), elements=st.integers(0, 40))


def test_resampling_counts_has_the_distribution_of_resampling_rows():
    rng = np.random.default_rng(0)
    table = np.array([[[30, 5], [4, 11]], [[12, 9], [2, 7]]])
    rows = np.repeat(np.arange(8), table.ravel())
    by_row = np.array([np.bincount(rng.choice(rows, rows.size), minlength=8) for _ in range(4000)])
    by_count = resample(table, replicates=4000).reshape(4000, 8)
    assert by_count.mean(axis=0) == pytest.approx(by_row.mean(axis=0), abs=0.35)
    assert np.cov(by_count.T) == pytest.approx(np.cov(by_row.T), abs=2.0)


@given(TABLES)
def test_every_resample_has_as_many_people_and_group_sizes_vary_only_on_request(table):
    free, fixed = (resample(table, replicates=20, scheme=s) for s in ("people", "within groups"))
    assert (free.sum(axis=(1, 2, 3)) == table.sum()).all()
    assert (fixed.sum(axis=(2, 3)) == table.sum(axis=(1, 2))).all()
    assert (free[:, table == 0] == 0).all()


def test_the_seed_decides():
    table = np.full((2, 2, 2), 9)
    assert np.array_equal(resample(table, seed=3), resample(table, seed=3))
    assert not np.array_equal(resample(table, seed=3), resample(table, seed=4))


def test_rates_are_those_of_scikit_learn():
    rng = np.random.default_rng(2)
    y, decision = rng.integers(0, 2, (2, 300))
    table = np.zeros((2, 2))
    np.add.at(table, (y, decision), 1)
    entries = {metric: events / n for metric, (events, n) in fractions(table).items()}
    assert entries["TPR"] == pytest.approx(recall_score(y, decision))
    assert entries["TNR"] == pytest.approx(recall_score(y, decision, pos_label=0))
    assert entries["PPV"] == pytest.approx(precision_score(y, decision))
    assert entries["NPV"] == pytest.approx(precision_score(y, decision, pos_label=0))
    assert entries["accuracy"] == pytest.approx(accuracy_score(y, decision))
    assert entries["base rate"] == pytest.approx(y.mean())
    assert entries["selection rate"] == pytest.approx(decision.mean())
    assert entries["FPR"] == pytest.approx(1 - entries["TNR"])
    assert entries["FNR"] == pytest.approx(1 - entries["TPR"])


def test_bootstrap_standard_errors_are_the_binomial_ones_for_fixed_denominators():
    rows = bootstrap_rates([[[60, 20], [30, 90]]], ["a"], scheme="within groups")
    row = rows.where(metric="accuracy")[0]
    assert row.std_error == pytest.approx(np.sqrt(0.75 * 0.25 / 200), rel=0.03)
    assert (row.conf_low, row.conf_high) == pytest.approx(wilson(150, 200), abs=0.01)


@pytest.mark.long
@given(TABLES)
def test_no_interval_has_zero_width_and_no_row_is_dropped(table):
    rows = bootstrap_rates(table, ["a", "b", "c"], replicates=200)
    assert len(rows) == 3 * len(rates("audit"))
    for row in rows:
        if row.n == 0:
            assert row.status == "unestimable"
        elif row.events in (0, row.n):
            assert (row.conf_low, row.conf_high) == pytest.approx(wilson(row.events, row.n))
            assert row.conf_high > row.conf_low
        elif row.reason == "":
            assert row.conf_high > row.conf_low


def test_a_coarse_bootstrap_says_so():
    row = bootstrap_rates([[[50, 1], [30, 30]]], ["a"], replicates=200).where(metric="FPR")[0]
    assert row.reason == "fewer than 5 events or non-events: the bootstrap is coarse"


def test_ten_million_people_cost_as_much_as_ten():
    # 7 rows a rate, 10 000 replicates: drawn from a 28-cell table, never from the rows
    rows = bootstrap_rates(np.full((7, 2, 2), 360_000), [f"g{i}" for i in range(7)])
    assert len(rows) == 7 * len(rates("audit"))
    assert rows.where(metric="TPR")[0].conf_high - rows.where(metric="TPR")[0].conf_low < 0.004


def test_percentiles_ignore_unknown_replicates():
    assert percentile([[0.1, np.nan], [0.2, np.nan], [np.nan, np.nan], [0.3, np.nan]], 0.5)[0] == pytest.approx(
        [0.15, np.nan], nan_ok=True
    )


def test_an_empty_table_resamples_to_itself():
    assert not resample(np.zeros((2, 2, 2)), replicates=3).any()


def test_unknown_scheme_names_the_choices():
    with pytest.raises(InputError, match="scheme has 'rows'; the choices are people, within groups"):
        resample([[1, 2]], scheme="rows")
