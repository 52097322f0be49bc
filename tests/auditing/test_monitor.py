"""Gaps watched period by period: what a bet may win by chance, the limits, the alarm, the state, what is refused."""

from __future__ import annotations

import json
import os
import re
from hashlib import sha256
from itertools import product
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binom, norm

import fairstats as fs
from benchmarks.coverage.monitoring import drawn
from fairstats.auditing.group_studies import watched_rows
from fairstats.auditing.monitor import exchanged, jumped, places_in_time
from fairstats.cli import run
from fairstats.errors import FileError, InputError
from fairstats.inference.rates.monitoring import WatchedGap, log_bets, log_wealth
from fairstats.inference.rates.planned_looks import PlannedGap, Spending, boundaries
from fairstats.reporting.bundle import gather
from fairstats.reporting.report import context
from fairstats.reporting.sections.studies import watched_table
from fairstats.text import percent


@pytest.mark.parametrize("null", [-0.6, -0.1, 0.0, 0.05, 0.3])
@pytest.mark.parametrize("people", [(1, 1), (4, 9), (12, 3)])
def test_no_bet_wins_on_average_where_the_gap_is_within_the_hypothesis(null: float, people: tuple[int, int]) -> None:
    n_a, n_b = people
    a, b = (v.ravel().astype(float) for v in np.meshgrid(np.arange(n_a + 1), np.arange(n_b + 1), indexing="ij"))
    won = np.exp(log_bets(a, np.full_like(a, n_a), b, np.full_like(b, n_b), np.full_like(a, null)))
    for p_b, less in product(np.linspace(0, 1, 11), (0.0, 0.05, 0.4)):
        if 0 <= (p_a := p_b + null - less) <= 1:
            chance = binom.pmf(a, n_a, p_a) * binom.pmf(b, n_b, p_b)
            assert (chance @ won).max() <= 1 + 1e-9


def test_no_bet_wins_on_average_where_everybody_has_a_different_chance() -> None:
    chances_a, chances_b = np.array([0.05, 0.9, 0.25]), np.array([0.6, 0.2])  # both means are 0.4
    total = 0.0
    for outcome in product((0, 1), repeat=5):
        drawn = np.array(outcome)
        chance = np.where(drawn, [*chances_a, *chances_b], 1 - np.array([*chances_a, *chances_b])).prod()
        total = total + chance * np.exp(log_bets(drawn[:3].sum(), 3.0, drawn[3:].sum(), 2.0, np.array(0.0)))
    assert np.max(total) <= 1


def series(rng: np.random.Generator, periods: int, gap: Any, n: int = 300) -> WatchedGap:
    rate = 0.3 + 0.15 * np.sin(np.arange(periods) / 5)
    people, others = rng.integers(n // 3, n, periods), rng.integers(n, 2 * n, periods)
    y, y_ref = rng.binomial(people, rate + gap), rng.binomial(others, rate)
    return WatchedGap(*(v.astype(float) for v in (y, people, y_ref, others)))


@pytest.mark.long
def test_the_limits_are_where_the_bets_of_a_fine_grid_stop_to_be_conclusive() -> None:
    gap = series(np.random.default_rng(4), 12, 0.1)
    low, high = gap.limits(0.05, (0.0, 0.0))
    grid = np.linspace(-0.15, 0.45, 6001)
    known = gap.above._log_wealth(grid) < np.log(40)
    assert low == pytest.approx(grid[known.argmax(axis=1)].clip(low.min()), abs=2e-4)
    other = gap.below._log_wealth(-grid) < np.log(40)
    last = 6000 - other[:, ::-1].argmax(axis=1)
    assert high == pytest.approx(grid[last].clip(None, high.max()), abs=2e-4)
    assert (np.diff(low) >= -1e-12).all() and (np.diff(high) <= 1e-12).all()


@pytest.mark.long
@pytest.mark.parametrize("margin", [0.0, 0.04])
def test_limits_and_alarm_are_one_fact_in_every_period(margin: float) -> None:
    for seed, change in product(range(4), (0.0, 0.1, -0.15)):
        gap = series(np.random.default_rng(seed), 20, np.where(np.arange(20) > 6, change, 0))
        low, high = gap.limits(0.05, (-margin, margin))
        assert ((low > margin) | (high < -margin)).tolist() == (gap.log_e((-margin, margin)) > np.log(20)).tolist()


def test_alarms_without_a_gap_stay_within_the_error_over_120_looks_at_drifting_rates() -> None:
    rng, draws = np.random.default_rng(7), 400
    rate = np.clip(0.2 + 0.15 * np.sin(np.arange(120) / 7), 0.02, 0.5)[:, None]
    n, m = (np.broadcast_to(rng.integers(20, 900, (120, 1)), (120, draws)) for _ in range(2))
    a, b = rng.binomial(n, rate), rng.binomial(m, rate)
    nothing = np.zeros(draws)
    either = np.maximum(log_wealth(a, n, b, m, nothing)[-1], log_wealth(b, m, a, n, nothing)[-1])
    assert (either >= np.log(40)).mean() <= 0.05


def people(periods: range = range(18), *, gap: float = -0.15, since: int = 9, without: int = 5) -> pd.DataFrame:
    rows = []
    for k in periods:
        rng = np.random.default_rng(k)
        for race, n, rate in (("white", 400, 0.3), ("black", 200, 0.3 + gap * (k >= since)), ("asian", 100, 0.3)):
            month = f"{2024 + k // 12}-{k % 12 + 1:02d}"
            rows.append(pd.DataFrame({"month": month, "race": race, "hired": rng.binomial(1, rate, n)}))
    found = pd.concat(rows, ignore_index=True)
    return found[found["month"] != f"2024-{without + 1:02d}"]


def test_the_alarm_is_the_first_period_whose_e_value_reaches_the_error_of_its_group() -> None:
    result = fs.monitor(people(), "hired", "race")
    so_far = result.estimates.where(estimator="periods so far", group="black")
    first = next(row.given for row in so_far if row.statistic >= 2 / 0.05)
    assert result.alarm == first and "2024-10" <= first <= "2025-03"
    assert [row.verdict for row in result.compared()] == ["inconclusive", "disparity shown"]
    since = result.estimates.where(term="since the change")[0]
    assert since.given in ("2024-09", "2024-10", "2024-11") and since.estimate == pytest.approx(-0.15, abs=0.05)
    assert result.statements[0].startswith(f"Alarm in {first}: black had a lower rate than white")
    assert result.statements[-1] == "Nothing is known of the period between 2024-05 and 2024-07."
    for row in so_far:
        assert (row.p_adjusted <= 0.05) == (row.conf_low > 0 or row.conf_high < 0)
    assert max(map(len, result.summary().splitlines())) <= 80


@pytest.mark.long
def test_no_alarm_without_a_gap_nor_for_one_within_the_margin_and_both_are_said() -> None:
    quiet = fs.monitor(people(gap=0), "hired", "race")
    assert quiet.alarm is None and quiet.statements[0] == "No alarm in 17 periods (2 groups compared with white)."
    assert fs.monitor(people(), "hired", "race", margin=0.2).alarm is None
    beyond = fs.monitor(people(gap=-0.25), "hired", "race", margin=0.05)
    assert "more than 5 percentage points below that of white" in beyond.statements[0]


def test_a_gap_that_turns_is_said_not_to_have_been_the_same() -> None:
    d = people(range(24), gap=-0.2, since=12, without=99)
    early = (d["race"] == "black") & (d["month"] < "2025")
    d.loc[early, "hired"] = np.random.default_rng(0).binomial(1, 0.5, early.sum())
    result = fs.monitor(d, "hired", "race")
    assert "No one gap of black fits all periods" in result.statements[2]
    since = result.estimates.where(term="since the change")[0]
    assert "higher rate" in result.statements[0] and since.estimate > 0.1  # until the alarm, before it turned
    row = result.compared()[1]
    last = result.estimates.where(estimator="periods so far", group="black")[-1]
    assert last.reason == "the gap was not the same in all periods: one limit stands alone"
    assert row.verdict == "disparity shown" and (last.conf_low > 0 or last.conf_high < 0)


@pytest.mark.parametrize(
    ("spending", "limits"),
    [("obrien-fleming", [4.877, 3.357, 2.680, 2.290, 2.031]), ("pocock", [2.438, 2.427, 2.410, 2.397, 2.386])],
)
def test_limits_of_five_looks_are_those_that_are_published(spending: Spending, limits: list[float]) -> None:
    """DeMets & Lan (1994), Statistics in Medicine 13, 1341-1352; R: ldbounds, gsDesign."""
    assert boundaries(np.arange(1.0, 6), 5, 0.05, spending) == pytest.approx(limits, abs=6e-4)
    z = np.random.default_rng(0).normal(size=(200_000, 5)) * np.sqrt([3, 1, 2, 1, 5])
    information = np.cumsum([3.0, 1, 2, 1, 5])  # unlike parts
    crossed = np.abs(z.cumsum(axis=1)) / np.sqrt(information) > boundaries(information, 5, 0.05, spending)
    assert crossed.any(axis=1).mean() == pytest.approx(0.05, abs=0.002)


@pytest.mark.long
@pytest.mark.parametrize("spending", ["obrien-fleming", "pocock"])
def test_planned_limits_p_and_verdict_are_one_fact_at_every_look(spending: Spending) -> None:
    rng = np.random.default_rng(3)
    for gap in (0.0, 0.06, 0.12) * 6:
        n, n_ref = rng.integers(1, 120, (2, 6)).astype(float)
        y, y_ref = rng.binomial(n.astype(int), 0.3 + gap), rng.binomial(n_ref.astype(int), 0.3)
        planned = PlannedGap(y.astype(float), n, y_ref.astype(float), n_ref, 6, spending)
        low, high = planned.limits(0.05)
        assert ((low > 0) | (high < 0)).tolist() == (planned.p_values(0.05) <= 0.05).tolist()
        narrower = planned.limits(0.2)
        assert (narrower[0] >= low).all() and (narrower[1] <= high).all()


@pytest.mark.long
@pytest.mark.parametrize("within", [(-0.04, 0.04), (0.02, 0.09)])
def test_planned_looks_beyond_a_margin_or_a_baseline_are_the_limits_of_the_gap(within: tuple[float, float]) -> None:
    rng, alarms = np.random.default_rng(5), 0
    for gap in (0.0, 0.06, 0.2, -0.2) * 5:
        n, n_ref = rng.integers(20, 200, (2, 6)).astype(float)
        y, y_ref = rng.binomial(n.astype(int), 0.3 + gap), rng.binomial(n_ref.astype(int), 0.3)
        counts = y.astype(float), n, y_ref.astype(float), n_ref
        planned = PlannedGap(*counts, 6, "obrien-fleming", within)
        low, high = planned.limits(0.05)
        assert np.array_equal((low, high), PlannedGap(*counts, 6, "obrien-fleming").limits(0.05))
        beyond = (low > within[1]) | (high < within[0])
        assert beyond.tolist() == (planned.p_values(0.05) <= 0.05).tolist()
        alarms += beyond.any()
    assert 5 <= alarms <= 15


@pytest.mark.long
def test_planned_looks_take_a_margin_and_a_baseline_that_is_no_look(tmp_path: Path) -> None:
    d = quarters(gap=-0.2, since=14)
    assert fs.monitor(d, "hired", "race", looks=8).alarm is not None
    assert fs.monitor(d, "hired", "race", looks=8, margin=0.3).alarm is None
    whole = fs.monitor(d, "hired", "race", looks=4, baseline="2024-Q4", state=tmp_path / "s.json")
    assert whole.alarm is not None and whole.alarm > "2025-Q1" and "All 4 planned looks are done." in whole.statements
    assert "in some period after 2024-Q4 the gap of black (black less white) was below" in whole.statements[0]
    (before,) = whole.estimates.where(term="baseline", group="black")
    for row in whole.estimates.where(estimator="periods so far", group="black"):
        assert (row.p_adjusted <= 0.05) == (row.conf_low > before.conf_high or row.conf_high < before.conf_low)
    with pytest.raises(fs.InputError, match="looks has 4, and there are 5 periods after the baseline"):
        fs.monitor(d.assign(month="2026-Q1"), "hired", "race", state=tmp_path / "s.json")
    same = fs.monitor(quarters(gap=-0.2, since=0), "hired", "race", looks=4, baseline="2024-Q4")
    assert same.alarm is None


def quarters(**options: Any) -> pd.DataFrame:
    d = people(range(24), without=99, **options)
    return d.assign(month=d["month"].map(lambda month: f"{month[:4]}-Q{(int(month[5:]) + 2) // 3}"))


@pytest.mark.long
def test_planned_looks_see_a_gap_and_no_more_of_them_are_allowed(tmp_path: Path) -> None:
    d = quarters(gap=-0.15, since=6)
    with pytest.raises(fs.InputError, match="looks has 4, and there are 8 periods"):
        fs.monitor(d, "hired", "race", looks=4)
    whole = fs.monitor(d, "hired", "race", looks=8)
    assert whole.alarm is not None and "All 8 planned looks are done." in whole.statements
    (step,) = [text for text in whole.statements if text.startswith("Next: ")]
    early = fs.monitor(d[d["month"] < "2025-Q4"], "hired", "race", looks=8)
    assert early.alarm == whole.alarm and "Looks planned: 8; so far: 7." in early.statements
    for result, more in ((whole, False), (early, True)):
        pages = (*result.statements, *context(gather([result], None, ""), "generic")["findings"]["rely"])
        assert any("go on with the same settings" in text for text in pages) is more
    assert "All planned looks are done; do not begin anew" in step
    for row in whole.estimates.where(estimator="periods so far"):
        assert (row.p_adjusted <= 0.05) == (row.conf_low > 0 or row.conf_high < 0)
    for _, part in d.groupby("month"):
        result = fs.monitor(part, "hired", "race", looks=8, state=tmp_path / "s.json")
    assert result.estimates.to_dict() == whole.estimates.to_dict() and result.statements[:-1] == whole.statements
    begun = tmp_path / "without.json"
    fs.monitor(d, "hired", "race", state=begun)
    for name, value in (("looks", 8), ("baseline", d["month"].iloc[0])):
        with pytest.raises(fs.InputError, match=f"was begun without {name}; leave it out, or begin another file"):
            fs.monitor(d, "hired", "race", state=begun, **{name: value})
    with pytest.raises(fs.InputError, match="was begun with looks=8; pass that"):
        fs.monitor(d, "hired", "race", looks=9, state=tmp_path / "s.json")
    with pytest.raises(fs.InputError, match="looks has 8, and there are 9 periods"):
        fs.monitor(d.assign(month="2026-Q4"), "hired", "race", state=tmp_path / "s.json")
    assert " z" in whole.summary() and " e\n" not in whole.summary()
    assert fs.monitor(quarters(gap=0), "hired", "race", looks=8, spending="pocock").alarm is None


@pytest.mark.long
def test_beside_a_baseline_a_gap_that_was_there_is_none_and_a_new_one_is(tmp_path: Path) -> None:
    d = people(range(24), gap=-0.2, since=0, without=99)
    assert fs.monitor(d, "hired", "race").alarm is not None
    same = fs.monitor(d, "hired", "race", baseline="2024-12")
    assert same.alarm is None and same.statements[0] == "No alarm in 12 periods (2 groups compared with white)."
    late = people(range(24), gap=-0.2, since=14, without=99)
    found = fs.monitor(late, "hired", "race", baseline="2024-12")
    assert found.alarm is not None and found.alarm > "2025-02"
    (row,) = found.estimates.where(term="baseline", group="black")
    limit = f"was below {100 * row.conf_low:.1f}, the lower limit from the periods until then".replace(
        "-", "\N{MINUS SIGN}"
    )
    assert limit in found.statements[0]
    before = late[late["month"] <= "2024-12"]
    by_month = before.groupby(["month", "race"])["hired"].agg(["sum", "size"]).unstack()
    counts = [by_month[kind][race] for race in ("black", "white") for kind in ("sum", "size")]
    yardstick = fs.stats.stratified_rates(*counts)
    ends = yardstick.limits(1 - 0.2 * 0.05 / 2)
    assert (row.estimate, row.conf_low, row.conf_high) == pytest.approx((yardstick.difference, *ends))
    for known in found.estimates.where(estimator="periods so far", group="black"):
        assert known.given > "2024-12"
        assert (known.p_adjusted <= 0.05) == (known.conf_low > row.conf_high or known.conf_high < row.conf_low)
    first = late["month"] <= "2025-01"
    fs.monitor(late[first], "hired", "race", baseline="2024-12", state=tmp_path / "s.json")
    assert fs.monitor(late[~first], "hired", "race", state=tmp_path / "s.json").statements == found.statements
    wide = fs.monitor(late, "hired", "race", baseline="2024-12", margin=0.3)
    assert wide.alarm is None


@pytest.mark.long
def test_days_are_hinted_at_and_many_missing_ones_are_one_sentence() -> None:
    d = people(range(12), gap=0, without=99)
    days = pd.Series(np.random.default_rng(0).integers(1, 9, len(d))).map("{:02d}".format)
    result = fs.monitor(d.assign(month=d["month"] + "-" + days), "hired", "race")
    assert sum("Nothing is known" in line for line in result.statements) == 1
    assert any(" periods between 2024-01-" in line and "at 11 places." in line for line in result.statements)
    assert result.statements[-1].startswith("Every day is a period of its own; with few people a day, months")
    one = fs.monitor(d[d["month"] == "2024-03"], "hired", "race")
    assert one.statements[0] == "No alarm in the one period so far, 2024-03 (2 groups compared with white)."


def test_a_group_that_no_period_has_beside_the_reference_is_said_not_to_be_compared() -> None:
    """No alarm is said of those who were compared alone."""
    d = people(range(2), gap=0, without=99)
    apart = d[(d["race"] == "white") == (d["month"] == "2024-01")]
    result = fs.monitor(apart, "hired", "race", reference="white")
    assert result.statements[0] == "Nothing was compared: no watched period has people of white and of another group."
    some = fs.monitor(d[(d["race"] != "black") | (d["month"] == "none")], "hired", "race", reference="white",
                      levels=["white", "black", "asian"])  # fmt: skip
    assert some.statements[0] == "No alarm in 2 periods (asian compared with white)."
    assert "Not compared: black. No watched period has people of them and of white." in some.statements


@pytest.mark.long
def test_month_by_month_is_bit_for_bit_the_whole(tmp_path: Path) -> None:
    d, whole = people(), fs.monitor(people(), "hired", "race")
    for _, month in d.groupby("month"):
        result = fs.monitor(month, "hired", "race", state=tmp_path / "s.json")
    assert result.estimates.to_dict() == whole.estimates.to_dict() and result.statements[:-1] == whole.statements
    assert result.alarm == whole.alarm is not None
    assert result.statements[-1].startswith("An alarm in 2025-05 or before is not new")
    assert result.new_alarms == {} != result.alarms == whole.new_alarms


def test_a_month_in_which_nobody_of_a_group_was_there_or_selected_goes_on(tmp_path: Path) -> None:
    d = people(range(3), without=99)
    d.loc[d["month"] == "2024-03", "hired"] = 0
    d = d[(d["month"] != "2024-02") | (d["race"] != "asian")]
    for _, month in d.groupby("month"):
        result = fs.monitor(month, "hired", "race", state=tmp_path / "s.json")
    assert result.estimates.to_dict() == fs.monitor(d, "hired", "race").estimates.to_dict()
    gap = result.estimates.where(given="2024-02", group="asian", estimator="of the period", contrast="difference")[0]
    assert gap.status == "unestimable" and gap.reason == "nobody of a group in the period"


def test_a_tally_says_which_columns_are_watched() -> None:
    data = people()
    named = fs.monitor(data, "hired", "race", reference="white")
    halves = [fs.tally(data[data["month"].isin(part)], "hired", "race", strata="month")
              for part in np.array_split(sorted(set(data["month"])), 2)]  # fmt: skip
    for counted in (halves[0] + halves[1], halves):
        assert fs.monitor(counted, reference="white").tidy().equals(named.tidy())
    years = fs.tally(data.assign(year=data["month"].str[:4]), "hired", "race", strata="year")
    assert fs.monitor(years, reference="white").settings["period"] == "year"
    with pytest.raises(fs.InputError, match=r"^decision is missing; name one column of the data\.$"):
        fs.monitor(data)
    several = fs.tally(data.assign(sex=data["race"]), "hired", ["race", "sex"], strata="month")
    with pytest.raises(fs.InputError, match=r"^groups is missing; name one column of those counted: race, sex"):
        fs.monitor(several)
    assert fs.monitor(several, groups="sex", reference="white").alarm == named.alarm


@pytest.mark.long
def test_people_tallies_counts_and_files_are_the_same(tmp_path: Path) -> None:
    d = people()
    whole = fs.monitor(d, "hired", "race").estimates.to_dict()
    months = [month for _, month in d.groupby("month")]
    tallies = [fs.tally(month, "hired", "race", strata="month") for month in months]
    assert fs.monitor(tallies, "hired", "race").estimates.to_dict() == whole
    files = [tmp_path / f"{k}.csv" for k in range(len(months))]
    for file, month in zip(files, months, strict=True):
        month.to_csv(file, index=False)
    assert fs.monitor(files, "hired", "race").estimates.to_dict() == whole
    table = d.groupby(["month", "race"], as_index=False).agg(hired=("hired", "sum"), n=("hired", "size"))
    counts = fs.from_counts(table, "race", "hired", "n", strata="month")
    assert fs.monitor(counts, "hired", "race").estimates.to_dict() == whole


def test_who_has_no_place_is_counted(tmp_path: Path) -> None:
    d = people(range(2)).astype({"hired": float})
    d.iloc[:3, 2] = np.nan
    assert fs.monitor(d, "hired", "race").statements[-1].startswith("3 people lack")


@pytest.mark.parametrize(
    ("labels", "lost"),
    [
        (["2024-Q4", "2025-Q2"], "Nothing is known of the period between 2024-Q4 and 2025-Q2."),
        (["2024-W52", "2025-W03"], "Nothing is known of 2 periods between 2024-W52 and 2025-W03."),
        (["2024-11-01", "2025-01-01"], "Nothing is known of the period between 2024-11-01 and 2025-01-01."),
        (["9", "11"], "Nothing is known of the period between 9 and 11."),
        (["202411", "202501"], "Nothing is known of the period between 202411 and 202501."),
    ],
)
def test_periods_are_put_in_order_and_what_is_missing_is_said(labels: list[str], lost: str) -> None:
    d = people(range(2)).assign(month=lambda d: d["month"].map({"2024-01": labels[1], "2024-02": labels[0]}))
    result = fs.monitor(d, "hired", "race")
    assert list(result.periods) == labels and lost in result.statements


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"decision": "race"}, "period has"),
        ({"period": "when"}, "when"),
        ({"period": "place"}, "no order that is sure"),
        ({"reference": "z"}, "reference has 'z'"),
        ({"margin": -0.1}, "margin has -0.1"),
        ({"conf_level": 2}, "conf_level has 2"),
        ({"favorable": "yes"}, "favorable"),
        ({"groups": "one"}, "fewer than two groups"),
        (
            {"baseline": "2024-02"},
            "'2024-02', after which no period follows; .* have 2024-01 to 2024-02; name one before",
        ),
        (
            {"baseline": "2024-03"},
            "'2024-03', which is no period of the data; .* before the last. The first call takes",
        ),
        ({"groups": ["race", "one"]}, "groups has .*it is the name of one column; run this once for each"),
        ({"looks": 1}, "looks has 1"),
        ({"spending": "pocock"}, "spending has 'pocock', which is of planned looks; pass looks="),
        ({"looks": 3, "spending": "haybittle"}, "spending has 'haybittle'"),
    ],
)
def test_bad_input_is_one_clear_error(change: dict[str, Any], word: str) -> None:
    d = people(range(2)).assign(place=lambda d: d["month"].map({"2024-01": "x", "2024-02": "y"}), one="x")
    with pytest.raises(fs.InputError, match=word):
        fs.monitor(d, **{"decision": "hired", "groups": "race", **change})


def test_a_call_without_periods_names_the_default() -> None:
    data = people(range(2)).rename(columns={"month": "m"})
    with pytest.raises(fs.InputError, match="period is missing, and its default, 'month', is not a column of data"):
        fs.monitor(data, "hired", "race")
    with pytest.raises(fs.InputError, match="period='month' is not a column of data"):
        fs.monitor(data, "hired", "race", period="month")


def test_a_baseline_that_one_period_cannot_have_says_what_the_first_call_takes() -> None:
    with pytest.raises(
        fs.InputError,
        match=r"which is no period of the data; the data have 2024-01. The first call takes all periods up to",
    ):
        fs.monitor(people(range(1)), "hired", "race", baseline="2024-03")


def test_the_heading_counts_the_people_of_the_state_with_its_periods(tmp_path: Path) -> None:
    for at in range(3):
        file = tmp_path / f"{at}.csv"
        people(range(at, at + 1)).to_csv(file, index=False)
        result = fs.monitor(file, "hired", ["race"], state=tmp_path / "s.json")
        if at == 1:
            assert result.method == "1.csv, after one earlier period of the state"
    assert result.method == "2.csv, after 2 earlier periods of the state"
    assert result.n == len(people(range(3)))


def test_the_mean_gap_has_no_limits_after_an_alarm_and_a_note() -> None:
    rng, months = np.random.default_rng(0), np.repeat(["2024-01", "2024-02", "2024-03", "2024-04"], 1200)
    sex = rng.choice(["f", "m"], 4800)
    rate = np.where(sex == "f", np.repeat([0.5, 0.5, 0.3, 0.2], 1200), 0.5)
    d = pd.DataFrame({"month": months, "sex": sex, "hired": (rng.random(4800) < rate).astype(int)})
    result = fs.monitor(d, "hired", "sex", reference="m")
    (row,) = result.compared()
    assert np.isnan([row.conf_low, row.conf_high]).all() and row.reason.startswith("after an alarm no interval")
    (line,) = [line for line in str(result).splitlines() if line.startswith("f − m")]
    assert line.split()[4:] == [percent(row.estimate), "–†", "<0.001", "D"]
    noted = "†: no interval is about the mean gap of all periods, in which it need not have been the same"
    assert noted in " ".join(str(result).split()) and "Intervals are of a gap" not in str(result)
    assert "Chance of any false alarm, in all periods: at most 5%." in " ".join(str(result).split())
    page = fs.report(result).html
    assert noted in page and page.count("–†") == 1
    two = fs.monitor(pd.concat([d, d[d["sex"] == "m"].assign(sex="x")]), "hired", "sex", reference="m")
    groups = watched_table(two)  # of page one: the cell of the console, and its note
    cells = [line[3] for line in groups.rows]  # those with an alarm come first
    assert cells[0] == "–†" and " to " in cells[1] and groups.note.count(noted) == 1
    inside = fs.monitor(people(range(1)), "hired", "race")
    assert all(row.conf_low <= row.estimate <= row.conf_high for row in inside.compared())
    assert "Intervals are of a gap in some period, not of the mean gap." in " ".join(str(inside).split())
    assert "†" not in str(inside) + fs.report(inside).html


def test_a_table_of_counts_is_refused_with_the_way_that_takes_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    months, sexes = ["2024-01", "2024-01", "2024-02", "2024-02"], ["f", "m"] * 2
    d = pd.DataFrame({"month": months, "sex": sexes, "sel": [101, 124, 135, 110], "n": [298, 302, 305, 300]})
    with pytest.raises(fs.InputError, match="a row has to be one person; if these are numbers of people, pass what "):
        fs.monitor(d, "sel", "sex")
    file, tally = tmp_path / "counts.csv", tmp_path / "counts.npz"
    d.to_csv(file, index=False)
    line = ["--decision", "sel", "--groups", "sex", "--period", "month"]
    assert run(["monitor", str(file), *line]) == 2
    said = " ".join(capsys.readouterr().err.split())
    assert "pass the tally that fairstats tally makes of them with --selected sel, --total and --strata month" in said
    assert "--favorable" not in said
    counted = ["--groups", "sex", "--selected", "sel", "--total", "n", "--strata", "month"]
    assert run(["tally", str(file), *counted, "--to", str(tally)]) == 0
    assert run(["monitor", str(tally), *line]) == 0


def test_a_study_of_groups_says_that_passes_is_of_an_audit() -> None:
    result = fs.monitor(people(range(2)), "hired", "race")
    with pytest.raises(AttributeError, match=r"passes is of an audit; result\.shown\(\) has"):
        result.passes()  # type: ignore[attr-defined]
    assert not hasattr(result, "other")


def test_a_foreign_state_is_refused_and_stays_as_it_was(tmp_path: Path) -> None:
    state, first, later = tmp_path / "s.json", people(range(3)), people(range(3, 5))
    fs.monitor(first, "hired", "race", state=state)
    before = state.read_bytes()
    for change, word in (
        ({"data": first.iloc[1:]}, "has 2024-01 with other counts than the state, which goes to '2024-03' already"),
        ({"data": people(range(1))}, "goes to '2024-03' already; .* begin another state with all periods"),
        ({"margin": 0.02}, "begun with margin=0.0; pass that, or begin another file"),
        ({"conf_level": 0.9}, "begun with conf_level"),
        ({"reference": "black"}, "begun with reference"),
        ({"data": later.rename(columns={"race": "origin"}), "groups": "origin"}, "begun with groups"),
        ({"data": later.replace({"asian": "other"})}, "the state does not know"),
    ):
        with pytest.raises(fs.InputError, match=word):
            fs.monitor(**{"data": later, "decision": "hired", "groups": "race", "state": state, **change})
    assert state.read_bytes() == before


def coded(codes: dict[int, Any], *months: int) -> pd.DataFrame:
    return people(range(*months), without=99).replace({"hired": codes})


@pytest.mark.parametrize(
    ("first", "later"),
    [
        ({}, {0: 1, 1: 2}), ({}, {0: 0, 1: 2}), ({}, {0: 2, 1: 2}), ({}, {0: "x", 1: "y"}), ({}, {0: 0, 1: "yes"}),
        ({0: "no", 1: "yes"}, {}), ({0: "no", 1: "yes"}, {0: "No", 1: "yes"}), ({0: 0, 1: 0}, {0: 1, 1: 2}),
    ],
)  # fmt: skip
def test_decisions_with_other_labels_than_those_of_the_state_are_refused(
    first: dict[int, Any], later: dict[int, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    state, file = tmp_path / "s.json", tmp_path / "m.csv"
    favorable = first.get(1) or 1
    fs.monitor(coded(first, 3), "hired", "race", favorable=favorable, state=state)
    before, month = state.read_bytes(), coded(later, 3, 4)
    with pytest.raises(fs.InputError, match=r"decision has 'hired' with .* in 2024-04, which no period before it has"):
        fs.monitor(month, "hired", "race", state=state)
    month.to_csv(file, index=False)
    assert run(["monitor", str(file), "--decision", "hired", "--groups", "race", "--state", str(state)]) == 2
    said = " ".join(capsys.readouterr().err.split())
    assert "write decisions in one way in all periods. If a label is new, make a column of two labels" in said
    assert "in all periods, and begin another state with all periods" in said
    assert state.read_bytes() == before
    whole = pd.concat([coded(first, 3), month])
    for named in ({"favorable": favorable}, {}):
        with pytest.raises(
            fs.InputError, match=r"with .* in 2024-04, .*; the labels until then are .*, in all periods\.$"
        ):
            fs.monitor(whole.sample(frac=1, random_state=1), "hired", "race", **named)


@pytest.mark.parametrize("codes", [{}, {0: 0, 1: 0}, {0: 1, 1: 1}, {0: "no", 1: "yes"}, {0: False, 1: True}])
@pytest.mark.parametrize("first", [{}, {0: 0, 1: 0}, {0: 1, 1: 1}])
def test_a_month_of_one_decision_or_with_words_that_mean_the_same_goes_on(
    codes: dict[int, Any], first: dict[int, int], tmp_path: Path
) -> None:
    state = tmp_path / "s.json"
    fs.monitor(coded(first, 2), "hired", "race", favorable=1, state=state)
    result = fs.monitor(coded(codes, 2, 3), "hired", "race", state=state)
    same = {k: int(v in (1, "yes")) for k, v in codes.items()}
    plain = pd.concat([coded(first, 2), coded(same, 2, 3)])
    assert result.estimates.to_dict() == fs.monitor(plain, "hired", "race").estimates.to_dict()


def test_a_state_of_before_learns_the_labels_of_decisions_with_its_next_month(tmp_path: Path) -> None:
    state = tmp_path / "s.json"
    fs.monitor(coded({}, 2), "hired", "race", state=state)
    content = json.loads(state.read_text())
    assert sorted(content.pop("decisions")) == ["0", "1"]
    del content["sha256"]
    summed = sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()
    state.write_text(json.dumps({**content, "sha256": summed}))
    with pytest.raises(fs.InputError, match="decision has 'hired' with x, y in 2024-03, which no period"):
        fs.monitor(coded({0: "x", 1: "y"}, 2, 3), "hired", "race", state=state)
    fs.monitor(coded({}, 2, 3), "hired", "race", state=state)
    with pytest.raises(fs.InputError, match="decision has 'hired' with 2 in 2024-04, which no period"):
        fs.monitor(coded({0: 1, 1: 2}, 3, 4), "hired", "race", state=state)


def test_without_a_baseline_the_result_says_what_is_asked(capsys: pytest.CaptureFixture[str]) -> None:
    said = "The question is whether there is a gap; to ask whether it changed, name a baseline before"
    assert said in " ".join(str(fs.monitor(people(range(3)), "hired", "race")).split())
    assert said not in " ".join(str(fs.monitor(people(range(3)), "hired", "race", baseline="2024-02")).split())
    assert run(["monitor", "--help"]) == 0
    assert "whether there is a gap; with --baseline, whether it is no longer" in " ".join(
        capsys.readouterr().out.split()
    )


@pytest.mark.parametrize(
    "change",
    [
        {"schema": "fairstats/audit/1"}, {"people": [[1, 2]]}, {"selected": [[9999, 0, 0]] * 3}, {"margin": "0"},
        {"periods": ["2024-03", "2024-02", "2024-01"]}, {"labels": ["a", "a", "b"]}, {"reference": "z"},
        {"more": 1}, {"left_out": -1}, {"people": [[1.5, 2, 3]] * 3}, {"conf_level": True}, {"favorable": None},
        {"decisions": [0, 1]},
    ],
)  # fmt: skip
def test_a_damaged_state_is_refused(tmp_path: Path, change: dict[str, Any]) -> None:
    state = tmp_path / "s.json"
    fs.monitor(people(range(3)), "hired", "race", state=state)
    state.write_text(json.dumps({**json.loads(state.read_text()), **change}))
    with pytest.raises(FileError, match="no state of monitor"):
        fs.monitor(people(range(3, 5)), "hired", "race", state=state)


def test_a_count_that_was_edited_by_hand_is_refused_and_other_spacing_is_not(tmp_path: Path) -> None:
    state = tmp_path / "s.json"
    fs.monitor(people(range(3)), "hired", "race", state=state)
    content = json.loads(state.read_text())
    state.write_text(json.dumps(content))
    fs.monitor(people(range(3, 4)), "hired", "race", state=state)
    content = json.loads(state.read_text())
    content["selected"][1][0] += 1
    state.write_text(json.dumps(content))
    with pytest.raises(FileError, match="is not as monitor wrote it: its counts or its rules were changed"):
        fs.monitor(people(range(4, 5)), "hired", "race", state=state)


def test_a_later_month_may_have_one_group_alone(tmp_path: Path) -> None:
    d = people(range(3), without=99)
    d = d[(d["month"] != "2024-03") | (d["race"] == "asian")]
    for _, month in d.groupby("month"):
        result = fs.monitor(month, "hired", "race", state=tmp_path / "s.json")
    assert result.estimates.to_dict() == fs.monitor(d, "hired", "race").estimates.to_dict()
    nobody = d[d["month"] == "2024-03"].assign(month="2024-04", race=None)
    with pytest.raises(fs.InputError, match="race"):
        fs.monitor(nobody, "hired", "race", state=tmp_path / "s.json")


def yearly(rates: dict[str, float], months: int = 6) -> pd.DataFrame:
    """The same share of 200 people of each group in every month."""
    parts = [
        pd.DataFrame({"month": 202401 + k, "race": group, "hired": np.arange(200) < round(200 * rate)})
        for k in range(months)
        for group, rate in rates.items()
    ]
    return pd.concat(parts, ignore_index=True)


def test_labels_that_change_places_in_a_month_are_asked_about_without_a_verdict() -> None:
    table = yearly({"a": 0.25, "b": 0.41, "c": 0.6})
    other = table.assign(hired=table["hired"] ^ (table["month"] == 202404))
    result = fs.monitor(other, "hired", "race", reference="b")
    line = (
        "In 202404, 202405 the rates of all groups moved to the other side of 50% from the period before, each by 18.0 "
        "percentage points or more: check whether the labels of hired mean the same."
    )
    assert line in result.statements and line in fs.report(result).html
    assert "prüfen sie, ob" in fs.report(result, language="de").html.casefold()
    one = table["race"] == "a"  # a real change of one group, or of all on their side of 50%
    alone = table.assign(hired=table["hired"] ^ ((table["month"] == 202404) & one))
    half = yearly({"a": 0.1, "b": 0.2}, 3), yearly({"a": 0.45, "b": 0.48}, 6)[lambda frame: frame["month"] > 202403]
    for quiet in (table, alone, pd.concat(half)):
        assert not any("other side of 50%" in text for text in fs.monitor(quiet, "hired", "race").statements)


def test_labels_that_changed_places_are_said_on_stderr_and_have_a_gate(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = yearly({"a": 0.25, "b": 0.25}).replace({"hired": {True: "yes", False: "no"}})
    turned = table.assign(
        hired=table["hired"].where(table["month"] != 202406, table["hired"].map({"yes": "no", "no": "yes"}))
    )
    for data, found in ((table, False), (turned, True)):
        data.to_csv(tmp_path / "d.csv", index=False)
        line = ["monitor", str(tmp_path / "d.csv"), "--decision", "hired", "--groups", "race", "--favorable", "yes"]
        assert run([*line, "--fail-on", "new-alarm"]) == 0
        noted = "fairstats: note: In 202406 the rates of all groups moved" in capsys.readouterr().err
        assert noted is found
        assert run([*line, "--fail-on", "new-alarm,labels"]) == found
        said = capsys.readouterr().err
        assert ("gate failed: labels. In 202406 the rates of all groups moved" in said) is found
        assert "copy of the state" not in said  # there is none
        assert "note: In 202406" not in said
    turned.to_csv(tmp_path / "d.csv", index=False)
    for _ in range(2):  # the second time the month is in the state already
        assert run([*line, "--state", str(tmp_path / "s.json"), "--fail-on", "labels"]) == 1
        said = " ".join(capsys.readouterr().err.split())
        assert "call again with the copy of the state from before" in said


def test_labels_of_groups_that_change_places_are_asked_about_and_have_the_gate(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = yearly({"a": 0.4, "b": 0.4}, 8)
    table = table[(table["race"] == "b") | (np.arange(len(table)) % 2 == 0)]  # 100 of a and 200 of b a month
    late = table["month"] >= 202407
    turned = table.assign(race=table["race"].where(~late, table["race"].map({"a": "b", "b": "a"})))
    joined = table.assign(race=table["race"].where(~late, "b"))
    line = (
        "In 202407 shares of groups among the people jumped from the period before ({}): check whether the labels of "
    )
    for data, moves in (
        (table, ""),
        (turned, "b from 66.7% to 33.3%, a from 33.3% to 66.7%"),
        (joined, "b from 66.7% to 100.0%, a from 33.3% to 0.0%"),
    ):
        result = fs.monitor(data, "hired", "race", reference="b")
        said = line.format(moves) + "race mean the same."
        assert (said in result.statements) == (said in fs.report(result).html) == bool(moves)
        data.to_csv(tmp_path / "d.csv", index=False)
        call = ["monitor", str(tmp_path / "d.csv"), "--decision", "hired", "--groups", "race", "--fail-on", "labels"]
        assert run([*call, "--reference", "b", "--favorable", "True"]) == bool(moves)
        assert (f"gate failed: labels. {said}" in capsys.readouterr().err) == bool(moves)
    back = table.assign(race=table["race"].where(table["month"] != 202407, table["race"].map({"a": "b", "b": "a"})))
    (text,) = [text for text in fs.monitor(back, "hired", "race", reference="b").statements if "jumped" in text]
    assert text.startswith("In 202407, 202408 shares of groups") and "(in 202407: b from 66.7% to 33.3%" in text


def test_labels_are_asked_of_the_periods_of_this_call_and_a_reference_that_is_gone_is_one_event(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = yearly({"a": 0.4, "b": 0.4, "c": 0.4}, 7)
    table = table[(table["race"] == "b") | (np.arange(len(table)) % 4 == 0)]  # 50 of a and c, 200 of b
    swap = table["race"].map({"a": "a", "b": "c", "c": "b"})
    table = table.assign(race=table["race"].where(table["month"] < 202406, swap))  # they stay so
    table = table[(table["month"] != 202403) | (table["race"] != "b")]
    gone = "In 202403 there was nobody of b, the reference: no group was compared then."
    for gates, codes in ((["new-alarm,labels"], [0, 0, 1, 0, 0, 1, 0]), (["new-alarm"], [0] * 7)):
        state = str(tmp_path / f"{gates[0]}.json")
        for k, code in enumerate(codes):
            table[table["month"] == 202401 + k].to_csv(tmp_path / "d.csv", index=False)
            call = ["monitor", str(tmp_path / "d.csv"), "--decision", "hired", "--groups", "race", "--reference", "b"]
            call += ["--favorable", "True", "--state", state, "--fail-on", *gates]
            assert run(call) == code
            said = capsys.readouterr().err
            assert (gone in said) == (k == 2) and ("shares of groups" in said) == (k == 5)
            assert run(call) == code  # the same month again
            assert (gone in capsys.readouterr().err) == (k == 2)
    statements = fs.monitor(table, "hired", "race", reference="b").statements
    assert gone in statements and next(text for text in statements if "shares of groups" in text).startswith(
        "In 202406 "
    )
    assert sum("mean the same" in text for text in statements) == 1


def test_shares_of_groups_that_stay_are_seldom_asked_about() -> None:
    rng, draws = np.random.default_rng(3), 200
    series = [rng.multinomial(200, [0.5, 0.35, 0.15], size=120) for _ in range(draws)]
    assert sum(bool(jumped(n)) for n in series) <= binom.ppf(0.999, draws, 120 * 3 * 2 * norm.sf(4))


def test_a_tiny_group_takes_page_one_with_its_alarm_only() -> None:
    parts = [yearly({"b": 0.4, "c": 0.4}), yearly({"a": 0.4}).iloc[::50].assign(hired=[False, True, False, False] * 6)]
    result = fs.monitor(pd.concat(parts), "hired", "race", reference="b")
    tiny, large = result.compared()
    assert result.alarm is None and tiny.n == 24 and abs(tiny.estimate) > abs(large.estimate)
    groups, periods = context(gather([result], None, ""), "generic")["findings"]["tables"]
    assert [line[1] for line in groups.rows] == ["1,200", "24"]
    assert periods.rows[-1][1] == "400" and periods.note.endswith("the other groups are on the following pages.")


@pytest.mark.parametrize(("volume", "rate"), [((40, 200), 0.5), ((200, 1000), 0.35), ((1000, 5000), 0.45)])
def test_rates_that_drift_are_seldom_asked_about(volume: tuple[int, int], rate: float) -> None:
    draws = 200
    y, n, y_ref, n_ref = drawn(volume, rate, np.zeros(120), np.random.default_rng(11), draws)
    found = sum(bool(exchanged(*(np.stack(v, axis=2)[:, i] for v in ((n, n_ref), (y, y_ref))))) for i in range(draws))
    assert found <= binom.ppf(0.999, draws, 0.01)


def test_without_an_alarm_the_constant_gap_that_is_not_excluded_is_in_the_first_lines_and_on_page_one() -> None:
    table = yearly({"a": 0.4, "b": 0.4})
    result = fs.monitor(table, "hired", "race", reference="b")
    (row,) = result.compared()
    low, high = (percent(v) for v in (row.conf_low, row.conf_high))
    line = f"A constant gap of {low} to {high} percentage points (a less b) is not excluded."
    assert " ".join(str(result).split("Rates are")[0].split()).endswith(line)
    assert line in fs.report(result).html.split("Table 1")[0]
    several = fs.monitor(yearly({"a": 0.4, "b": 0.4, "c": 0.42}), "hired", "race", reference="b")
    each = [f"{row.group} {percent(row.conf_low)} to {percent(row.conf_high)}" for row in several.compared()]
    line = f"Constant gaps that are not excluded, in percentage points less b: {', '.join(each)}."
    assert str(several.statements[1]) == line and line in fs.report(several).html.split("Table 1")[0]
    raised = fs.monitor(yearly({"a": 0.1, "b": 0.4}), "hired", "race", reference="b")
    assert raised.alarm and not any("constant gap" in text for text in raised.statements)


def test_what_is_no_json_is_no_state(tmp_path: Path) -> None:
    for content in (b"", b"[", b"[]", b"\xff", b"{}", b"[" * 100_000):
        (tmp_path / "s.json").write_bytes(content)
        with pytest.raises(FileError, match="no state of monitor"):
            fs.monitor(people(range(2)), "hired", "race", state=tmp_path / "s.json")


def test_what_cannot_be_a_file_of_state_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path, tmp_path / "pipe", tmp_path / "nowhere" / "s.json", "a\0b"):
        with pytest.raises((FileError, fs.InputError)):
            fs.monitor(people(range(2)), "hired", "race", state=path)


def test_a_scheduler_sees_the_alarm_in_the_exit_code(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    state = str(tmp_path / "s.json")
    for first, last, code in ((0, 6, 0), (6, 18, 1)):
        people(range(first, last)).to_csv(tmp_path / "m.csv", index=False)
        line = ["monitor", str(tmp_path / "m.csv"), "--decision", "hired", "--groups", "race"]
        assert run([*line, "--state", state, "--fail-on", "alarm"]) == code
    assert "gate failed: alarm in 202" in capsys.readouterr().err
    assert run([*line, "--state", str(tmp_path / "m.csv")]) == 2


def two_alarms() -> pd.DataFrame:
    """Twelve months: Black people are selected less from the fourth month on, Asian people from the ninth."""
    rng = np.random.default_rng(0)
    months = [f"2024-{m:02}" for m in range(1, 13)]
    d = pd.DataFrame({"month": np.repeat(months, 900), "race": np.tile(["White", "Black", "Asian"], 3600)})
    later = {"Black": "2024-04", "Asian": "2024-09"}
    low = [race in later and month >= later[race] for race, month in zip(d["race"], d["month"], strict=True)]
    return d.assign(hired=rng.binomial(1, np.where(low, 0.2, 0.5)))


def test_the_gate_names_the_month_of_every_alarm(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    d = two_alarms()
    d.to_csv(tmp_path / "m.csv", index=False)
    result = fs.monitor(d, "hired", "race", reference="White")
    assert list(result.alarms) == ["Black", "Asian"] and result.alarms["Black"] == result.alarm < result.alarms["Asian"]
    line = ["monitor", str(tmp_path / "m.csv"), "--decision", "hired", "--groups", "race", "--reference", "White"]
    assert run([*line, "--fail-on", "alarm"]) == 1
    assert (
        "Black" in result.plot().caption and "Asian" not in result.plot().caption
    )  # of the first alarm, as the report
    assert "Asian" in result.plot(term="Asian").caption
    of = "selection rate of {} against White"
    said = f"alarm in {result.alarm}: {of.format('Black')}; in {result.alarms['Asian']}: {of.format('Asian')}."
    assert f"gate failed: {said}" in capsys.readouterr().err


@pytest.mark.long
def test_a_new_alarm_has_an_exit_code_of_its_own_also_where_the_month_comes_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Twelve calls of one month each: 1 in the month of each group's alarm alone, twice where that is sent twice."""
    d = two_alarms()
    months, alarms = sorted(set(d["month"])), fs.monitor(d, "hired", "race", reference="White").alarms
    state, file, result = str(tmp_path / "s.json"), tmp_path / "m.csv", tmp_path / "r.npz"
    line = ["monitor", str(file), "--decision", "hired", "--groups", "race", "--state", state]
    for month in months:
        d[d["month"] == month].to_csv(file, index=False)
        new = [race for race, at in alarms.items() if at == month]
        for _ in range(2):
            code = run([*line, "--reference", "White", "--to", str(result), "--force", "--fail-on", "new-alarm"])
            assert code == bool(new)
            assert list(fs.load(result).new_alarms) == new
            said = capsys.readouterr().err
            assert all(f"gate failed: new alarm in {month}: selection rate of {race} against" in said for race in new)
        assert run([*line, "--fail-on", "alarm"]) == (month >= min(alarms.values()))
    page = fs.report(fs.load(result)).html
    assert "An alarm in 2024-11 or before is not new" in page


@pytest.mark.parametrize(
    ("labels", "of_state", "said"),
    [
        (
            ["2024-01", "2024-02", "2025-01-15"],
            2,
            "with 2025-01-15 beside those of the state, such as 2024-02; write all",
        ),
        (["2024-01", "2024-Q2", "2024-03"], 0, "with 2024-Q2 beside the others, such as 2024-03; write all in one way"),
        (["2024-01", "202401", "2024-02"], 0, "with 2024-01, 202401, which are one period; write it in one way"),
        (["spring", "autumn"], 0, "with spring, autumn, which have no order that is sure; write months as 2024-03"),
    ],
)
def test_a_period_in_another_form_is_the_one_that_is_named(labels: list[str], of_state: int, said: str) -> None:
    with pytest.raises(fs.InputError, match=re.escape(f"has 'month' {said}")):
        places_in_time(labels, "month", of_state)


def test_the_report_and_the_chart_tell_the_same_and_a_file_keeps_the_alarm(tmp_path: Path) -> None:
    result = fs.monitor(people(), "hired", "race")
    assert f"alarm: {result.alarm}" in fs.plot(result, "periods", term="black").svg
    assert "alarm: " not in fs.plot(result, "periods", term="asian").svg
    page = fs.report(result).html
    assert "Period by period" in page and f"Alarm in {result.alarm}" in page
    german = fs.report(result, language="de").html
    assert f"Alarm in {result.alarm}: Personen (black) und " in german and "Zeitraum für Zeitraum" in german
    result.save(tmp_path / "r.npz")
    assert fs.load(tmp_path / "r.npz").alarm == result.alarm
    lines = fs.table(result).to_frame()
    assert lines["period"].tolist() == [known.given for known, *_ in watched_rows(result)]
    rates = [100 * mine.estimate for _, _, mine, _ in watched_rows(result) if mine]
    assert [float(cell.strip("%")) for cell in lines["rate"] if cell != "–"] == pytest.approx(rates, abs=0.051)


def test_the_periods_are_a_frame_with_the_shares_of_the_people_and_one_alarm_a_group() -> None:
    d = people()
    result = fs.monitor(d, "hired", "race")
    lines = result.by_period()
    counted = d.groupby(["month", "race"])["hired"].agg(["size", "mean"])
    for line in lines.itertuples():
        mine, other = (counted.loc[(line.period, label)] for label in (line.group, line.reference))
        assert (line.n, line.n_reference) == (mine["size"], other["size"])
        assert (line.share, line.share_reference) == pytest.approx((mine["mean"], other["mean"]))
        assert line.gap == pytest.approx(mine["mean"] - other["mean"]) and line.conf_low < line.gap < line.conf_high
    assert dict(lines[lines["alarm"]][["group", "period"]].to_numpy()) == result.alarms
    last = lines[lines["group"] == "asian"].iloc[-1]
    (row,) = (row for row in result.compared() if row.group == "asian")
    assert (last.so_far, last.so_far_low, last.so_far_high) == (row.estimate, row.conf_low, row.conf_high)
    assert len(fs.representation({"a": 15, "b": 390}, benchmark={"a": 0.2, "b": 0.8}).by_period()) == 0


def test_every_group_has_a_table_of_its_last_periods() -> None:
    result = fs.monitor(people(range(24)), "hired", "race", margin=0.01)
    text = result.summary()
    for row in result.compared():
        lines = text.split(f"\n{row.group} − {row.reference}\n")[1].splitlines()[3:23]
        assert (lines[0][:7], lines[-1][:7]) == ("2024-04", "2025-12")
    assert len(result.compared()) == 2 and " ".join(text.split()).count("3 earlier: tidy().") == 2
    assert "p: of a gap beyond the margin, not of a gap of 0." in " ".join(text.split())


def test_page_one_answers_for_every_group() -> None:
    result = fs.monitor(people(), "hired", "race", reference="white")
    page = context(gather([result], None, ""), "generic")["findings"]
    groups, periods = page["tables"]
    assert [(line[0], line[-1]) for line in groups.rows] == [("Black people", result.alarm), ("Asian people", "none")]
    d = people()
    rates = d.groupby("race")["hired"].agg(["sum", "size"])
    assert groups.rows[0][1] == f"{rates.loc['black', 'size']:,}"
    asian = result.by_period().query("group == 'asian'").iloc[-1]
    assert groups.rows[1][3] == f"{percent(asian.so_far_low)} to {percent(asian.so_far_high)}"
    assert len(periods.rows) == 12 and "groups" in page["question"]
    quiet = fs.monitor(people(range(8)), "hired", "race", reference="white")
    page = context(gather([quiet], None, ""), "generic")["findings"]
    assert page["sentence"] == (
        "No alarm about any of the 2 groups compared with white people in the 7 periods that were looked at."
    )
    assert [line[-1] for line in page["tables"][0].rows] == ["none", "none"]
    both = people()
    both.loc[both["race"] == "asian", "hired"] *= both["month"] < "2024-10"
    watched = fs.monitor(both, "hired", "race", reference="white")
    assert [*watched.alarms] == ["asian", "black"] and [*watched.alarms.values()] == sorted(watched.alarms.values())
    many = pd.concat([people(range(2), without=9).assign(race=lambda d, k=k: d["race"] + str(k)) for k in range(4)])
    page = context(gather([fs.monitor(many, "hired", "race", reference="white0")], None, ""), "generic")["findings"]
    assert len(page["tables"][0].rows) == 8
    assert page["tables"][0].note.endswith(" 3 more groups are on the following pages.")


def test_page_one_without_an_alarm_is_of_the_group_with_the_most_evidence() -> None:
    rng = np.random.default_rng(1)
    rows = []
    for month in ("2024-01", "2024-02", "2024-03"):
        for race, rate in (("Asian", 0.5), ("Black", 0.32), ("White", 0.5)):
            rows += [(month, race, int(rng.random() < rate)) for _ in range(80)]
    d = pd.DataFrame(rows, columns=["month", "race", "hired"])
    result = fs.monitor(d, "hired", "race", reference="White", margin=0.02)
    assert result.alarm is None
    asian, black = result.compared()
    assert black.p_adjusted < asian.p_adjusted
    page = context(gather([result], None, ""), "generic")["findings"]
    assert page["sentence"].endswith("A gap of up to 2 points was allowed.")
    assert [line[0] for line in page["tables"][0].rows] == ["Black people", "Asian people"]
    assert "Of all groups Black people have the most evidence" in page["tables"][1].note


def test_a_decision_of_amounts_is_refused_in_words_that_monitor_knows() -> None:
    d = {"month": [1, 2] * 30, "sex": ["f", "m", "m"] * 20, "pay": [1.5 * i for i in range(60)]}
    with pytest.raises(fs.InputError, match="it must have two; of scores or amounts make a column of 0 and 1") as error:
        fs.monitor(d, "pay", "sex")
    assert "score=" not in str(error.value) and "amount=" not in str(error.value)


@pytest.mark.long
def test_the_last_period_that_comes_again_is_counted_once_and_other_counts_of_it_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    state, file = tmp_path / "s.json", tmp_path / "m.csv"
    line = ["monitor", str(file), "--decision", "hired", "--groups", "race", "--state", str(state)]
    line += ["--fail-on", "alarm"]
    for first, last, code in ((0, 6, 0), (6, 18, 1)):
        people(range(first, last)).to_csv(file, index=False)
        assert run(line) == code
        before, said = state.read_bytes(), capsys.readouterr().out
        assert run(line) == code and state.read_bytes() == before
        out = " ".join(capsys.readouterr().out.split())
        assert "already, with the same counts; nothing was counted twice." in out
        assert out.split(" people ")[0] == " ".join(said.split()).split(" people ")[0]  # as many, of as many periods
    whole = fs.monitor(people(), "hired", "race")
    again = fs.monitor(people(range(17, 18)), "hired", "race", state=state)
    assert again.estimates.to_dict() == whole.estimates.to_dict() and again.n == whole.n
    assert again.statements[:-2] == whole.statements
    assert again.statements[-2].startswith("The state had 2025-06 already")
    assert again.statements[-1].startswith("An alarm in 2025-05 or before is not new")
    people(range(17, 18)).iloc[1:].to_csv(file, index=False)
    assert run(line) == 2 and state.read_bytes() == before
    assert "has 2025-06 with other counts than the state" in " ".join(capsys.readouterr().err.split())
    with pytest.raises(fs.InputError, match="has 2025-06, and the state goes to '2025-06' already"):
        fs.monitor(people(range(17, 19)), "hired", "race", state=state)  # who is left out may be counted twice
    with pytest.raises(fs.InputError, match="goes to '2025-06' already"):
        fs.monitor(people(range(3, 4)), "hired", "race", state=state)


def sudden(at: int, periods: int) -> pd.DataFrame:
    """A gap in one period alone."""
    rows = [
        (f"2025-{k + 1:02d}", sex, int(j < (100 if k == at and sex == "f" else 300)))
        for k in range(periods)
        for sex in "fm"
        for j in range(600)
    ]
    return pd.DataFrame(rows, columns=["month", "sex", "hired"])


@pytest.mark.long
@pytest.mark.parametrize("options", [{}, {"margin": 0.02}, {"baseline": "2025-02"}])
def test_a_single_period_is_no_span_of_periods(options: dict[str, Any]) -> None:
    for last in (4, 5):
        result = fs.monitor(sudden(3, last), "hired", "sex", favorable=1, reference="m", **options)
        assert result.alarm == result.estimates.where(term="since the change")[0].given == "2025-04"
        gap = percent(100 / 600 - 300 / 600)
        chosen = "(chosen by the data, it is too large as a rule)."
        assert f"; in 2025-04 the gap was {gap} percentage points {chosen}" in result.statements[0]
        assert "Rates are of hired = 1." in result.statements
        page = fs.report(result).html
        assert "2025-04 to 2025-04" not in page and "2025-05 to 2025-05" not in page
        assert ("After the alarm, in 2025-05, the share of " in page) == (last == 5)
        after = [line for line in result.statements if line.startswith("After the alarm")]
        said = (
            "After the alarm, in 2025-05, the gap of f was 0.0 percentage points; whether it has changed again was not"
        )
        assert after == [f"{said} tested."] * (last == 5) and page.count("After the alarm") == len(after)
    assert "von etwa 2025-04" not in fs.report(result, language="de").html


@pytest.mark.long
def test_an_alarm_says_the_next_step_and_a_reference_by_size_is_named() -> None:
    result = fs.monitor(people(), "hired", "race")
    since = result.estimates.where(term="since the change")[0].given
    (step,) = [line for line in result.statements if line.startswith("Next: ")]
    assert f"audit the decisions from {since} on to see why" in step and "do not begin anew" in step
    assert "Reference: white, the largest group of 2024-01; it stays" in " ".join(str(result).split())
    named = fs.monitor(people(gap=0), "hired", "race", reference="white")
    assert not any(line.startswith(("Next: ", "Reference: ")) for line in named.statements)
    page = fs.report(result).html
    assert "is White people, the largest group of 2024-01" in page or "is white people, the largest group" in page


def test_a_reference_that_a_former_call_named_is_not_called_the_largest_group(tmp_path: Path) -> None:
    d, state = people(), tmp_path / "state.json"
    first, later = d["month"] == d["month"].min(), d["month"] > d["month"].min()
    fs.monitor(d[first], "hired", "race", reference="white", state=state)
    result = fs.monitor(d[later], "hired", "race", state=state)
    assert result.statements == fs.monitor(d, "hired", "race", reference="white").statements
    assert not [text for text in result.statements if text.startswith("Reference: ")]
    assert [text for text in fs.monitor(d, "hired", "race").statements if text.startswith("Reference: ")]


@pytest.mark.parametrize("baseline", [None, "2025-02"])
def test_the_chart_names_the_lines_of_the_margin(baseline: str | None) -> None:
    result = fs.monitor(sudden(3, 5), "hired", "sex", favorable=1, margin=0.03, baseline=baseline)
    before = result.estimates.only(term="baseline")
    ends = (before[0].conf_low - 0.03, before[0].conf_high + 0.03) if baseline else (-0.03, 0.03)
    drawing = fs.plot(result, "periods")
    low, high = (f"{100 * end:+.1f}".replace("-", "−") for end in ends)
    assert f"Lines of the margin: at {low} and {high} points." in drawing.alt
    assert f"margin {low}" in drawing.svg and f"margin {high}" in drawing.svg
    assert ("baseline" in drawing.svg) == bool(baseline)
    assert "Lines of the margin" not in fs.plot(fs.monitor(sudden(3, 5), "hired", "sex", favorable=1), "periods").alt


def test_a_report_has_the_rates_of_periods_once() -> None:
    page = fs.report(fs.monitor(sudden(3, 5), "hired", "sex", favorable=1)).html
    captions = re.findall(r"<caption>Table \d+\. (Period by period|Evidence so far)", page)
    assert captions == ["Period by period", "Evidence so far"]
    assert len(re.findall("<tr><th scope=row[^>]*>2025-04<td>", page)) == 2 and page.count("<td>50.0<td>16.7<td>") == 1
    assert "Rates and gaps of the periods are on page one." in page
    several = fs.report(fs.monitor(people(range(5)), "hired", "race")).html
    assert re.findall(r"<caption>Table \d+\. (Period by period|Evidence so far)", several) == ["Period by period"] * 2


def first_alarms(looks: int, gap: float, begin: int) -> dict[str, list[int]]:
    """The look of the alarm of 60 series, by rule; one more than there are looks where none is raised."""
    rng, found = np.random.default_rng(2), {"bets": list[int](), "obrien-fleming": [], "pocock": []}
    for _ in range(60):
        y = rng.binomial(300, 0.4 - gap * (np.arange(1, looks + 1) >= begin)).astype(float)
        counts = y, np.full(looks, 300.0), rng.binomial(500, 0.4, looks).astype(float), np.full(looks, 500.0)
        raised = {"bets": WatchedGap(*counts).log_e((0.0, 0.0)) >= np.log(20)}
        for name in get_args(Spending):
            low, high = PlannedGap(*counts, looks, name).limits(0.05)
            raised[name] = (low > 0) | (high < 0)
        for name, at in raised.items():
            found[name].append(int(at.argmax()) + 1 if at.any() else looks + 1)
    return found


@pytest.mark.slow
def test_which_rule_sees_a_gap_sooner_is_as_the_guide_says() -> None:
    few = {name: np.mean(np.array(at) <= 4) for name, at in first_alarms(4, 0.1, 3).items()}
    assert min(few["obrien-fleming"], few["pocock"]) > few["bets"] + 0.3
    small = {name: np.mean(np.array(at) <= 12) for name, at in first_alarms(12, 0.05, 1).items()}
    assert min(small["obrien-fleming"], small["pocock"]) > small["bets"]
    late = {name: np.median(at) for name, at in first_alarms(12, 0.2, 8).items()}
    assert late["bets"] == 8 and late["obrien-fleming"] == late["pocock"] == 9
    begun = {name: np.median(at) for name, at in first_alarms(12, 0.1, 1).items()}
    assert begun["pocock"] < begun["bets"] < begun["obrien-fleming"]


@pytest.mark.parametrize("group", ["f", "m"])
def test_a_period_without_one_of_the_groups_is_named_and_counts_nobody(group: str) -> None:
    months = [f"2024-{k:02d}" for k in range(1, 7) for _ in range(200)]
    people = pd.DataFrame({"month": months, "sex": ["f", "m"] * 600, "hired": ([0] * 3 + [1] * 5) * 150})
    rest = people[(people["month"] != "2024-03") | (people["sex"] != group)]
    result = fs.monitor(rest, "hired", "sex", reference="m")
    end = {"f": "f: they were not compared then.", "m": "m, the reference: no group was compared then."}[group]
    assert f"In 2024-03 there was nobody of {end}" in result.statements
    (row,) = result.compared()
    without = fs.monitor(rest[rest["month"] != "2024-03"], "hired", "sex", reference="m").compared()[0]
    assert (row.n, row.estimate, row.p_value) == (without.n, without.estimate, without.p_value) and row.n == 500
    assert not any("nobody of" in text for text in fs.monitor(people, "hired", "sex", reference="m").statements)


@pytest.mark.parametrize("labels", [("no", "yes"), ("False", "True")])
def test_decisions_that_are_written_otherwise_than_those_of_the_state_are_said(
    labels: tuple[str, str], tmp_path: Path
) -> None:
    state = tmp_path / "s.json"
    d = pd.DataFrame({"month": "2024-01", "g": ["a", "b"] * 50, "y": [0, 1, 1, 1] * 25})
    fs.monitor(d, "y", "g", reference="a", state=state)
    later = d.assign(month="2024-02", y=d["y"].map(dict(enumerate(labels))))
    said = fs.monitor(later, "y", "g", reference="a", state=state).statements
    line = f"Decisions of 2024-02 are written otherwise than those of the state: {labels[1]} counts as its 1."
    assert line in said
    again = fs.monitor(d.assign(month="2024-03"), "y", "g", reference="a", state=state).statements
    assert not any("written otherwise" in text for text in again)


def test_a_watched_gap_without_a_comparison_is_printed_and_nothing_else() -> None:
    data = {"month": ["2026-01"] * 50 + ["2026-02"] * 50, "sex": ["m"] * 50 + ["f"] * 50, "d": [0, 1] * 50}
    result = fs.monitor(data, decision="d", groups="sex", period="month")
    assert "In 2026-02 there was nobody of m, the reference" in str(result)
    for show in (fs.report, fs.table):
        with pytest.raises(InputError, match="no period yet in which a group could be compared with the reference"):
            show(result)


def test_groups_that_are_named_beforehand_may_come_later(tmp_path) -> None:
    """A group without anybody in the first months has its share of the error from the start, as with a state."""
    rng = np.random.default_rng(4)
    rows = [(f"2024-{m:02d}", g, int(rng.random() < p)) for m in range(1, 7)
            for g, n, p in (("a", 300, 0.5), ("b", 200, 0.5), ("c", 200, 0.1)) if g != "c" or m > 2
            for _ in range(n)]  # fmt: skip
    table = pd.DataFrame(rows, columns=["month", "g", "y"])
    levels, rules = ["a", "b", "c", "d"], {"decision": "y", "groups": "g", "reference": "a"}
    whole = fs.monitor(table, **rules, levels=levels)
    for month, part in table.groupby("month"):
        step = fs.monitor(part, **rules, levels=levels, state=tmp_path / "s.json")
        assert month > "2024-02" or step.alarm is None
    assert repr(step.estimates.to_records()) == repr(whole.estimates.to_records())
    assert set(whole.alarms) == {"c"} and whole.compared()[-1].group == "d"
    assert whole.compared()[0].conf_level == pytest.approx(1 - 0.05 / 3)  # of three groups beside the reference
    assert whole.estimates.where(group="d", contrast="difference", role="main")[0].status == "unestimable"
    assert "watched from 2024-01 to 2024-06" in fs.report(whole).html
    with pytest.raises(fs.InputError, match="the data have c, too"):
        fs.monitor(table, **rules, levels=["a", "b"])
    with pytest.raises(fs.InputError, match="the state was begun with a, b, c, d"):
        fs.monitor(part, **rules, levels=["a", "b", "c"], state=tmp_path / "s.json")


def test_a_group_that_comes_after_the_baseline_is_named_and_the_others_are_compared() -> None:
    table = yearly({"a": 0.4, "b": 0.5}, 8)
    late = table["month"] >= 202406
    mixed = table.assign(race=table["race"].where(~late | (np.arange(len(table)) % 9 > 0), "x"))
    call = {"reference": "b", "baseline": "202404", "margin": 0.02}
    result = fs.monitor(mixed, "hired", "race", levels=["a", "b", "x"], **call)
    main = {row.group: row for row in result.compared()}
    without = fs.monitor(mixed, "hired", "race", levels=["a", "b", "x"], reference="b")
    assert main["a"].verdict and main["a"].status == "ok"
    assert (main["x"].status, main["x"].reason) == ("unestimable", "nobody of the group was compared in the baseline")
    of_periods = {"group": "x", "estimator": "of the period", "contrast": "difference"}
    own, other = (
        [(r.given, r.estimate) for r in one.estimates.only(**of_periods) if r.status == "ok"]
        for one in (result, without)
    )
    assert own == other and [given for given, _ in own] == ["202406", "202407", "202408"]
    (text,) = [text for text in result.statements if text.startswith("Not compared with the baseline")]
    assert "ends with 202404" in text and ": x." in text and text in fs.report(result).html
    assert "No alarm" not in result.statements[0] or "(a compared with b)" in result.statements[0]
    with pytest.raises(fs.InputError, match="before anybody of x was compared; name a later period"):
        fs.monitor(mixed[mixed["race"] != "a"], "hired", "race", levels=["b", "x"], **call)


def test_a_group_that_is_missing_for_a_period_is_one_event_and_its_return_none(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    counts = {"a": 120, "b": 120, "woman": 120}
    rows = [
        (f"2026-{m:02d}", g, int(i % 2 == 0))
        for m in range(1, 8)
        for g, n in counts.items()
        if (m, g) != (4, "woman")
        for i in range(n)
    ]
    whole = pd.DataFrame(rows, columns=["month", "sex", "hired"])
    words = "In 2026-04 there was nobody of woman: they were not compared then."
    text = " ".join(str(fs.monitor(whole, "hired", "sex", period="month", reference="a")).split())
    assert text.count(words) == 1 and "jumped" not in text
    call = ["monitor", str(tmp_path / "d.csv"), "--decision", "hired", "--groups", "sex", "--period", "month"]
    call += ["--reference", "a", "--favorable", "1", "--state", str(tmp_path / "s.json"), "--fail-on", "labels"]
    for month in range(1, 8):
        whole[whole.month == f"2026-{month:02d}"].to_csv(tmp_path / "d.csv", index=False)
        assert run(call) == (month == 4)
        said = capsys.readouterr().err
        assert (words in said) == (month == 4) and "shares of groups" not in said
    swapped = whole.assign(sex=whole.sex.where((whole.sex != "woman") | (whole.month < "2026-04"), "w"))
    assert "jumped" in str(fs.monitor(swapped, "hired", "sex", period="month", reference="a"))
    exchanged_shares = whole[(whole.sex != "a") | (whole.month < "2026-05") | (whole.index % 6 == 0)]
    assert "jumped" in str(fs.monitor(exchanged_shares, "hired", "sex", period="month", reference="b"))


def test_labels_that_change_places_are_asked_about_though_a_third_group_is_small() -> None:
    n = np.array([[500.0, 300.0, 44.0]] * 2)
    rates = np.array([[0.40, 0.32, 0.41], [0.60, 0.68, 0.59]])  # that of 44 people moves by 1.7 standard errors
    assert exchanged(n, np.round(n * rates)) == {1: pytest.approx(0.18, abs=0.02)}
    rates[1, 2] = 0.45  # a group that stays on its side is no exchange
    assert exchanged(n, np.round(n * rates)) == {}


def test_print_has_the_periods_of_one_group_and_names_the_groups_without_an_alarm(tmp_path: Path, capsys: Any) -> None:
    months = [f"2024-{m:02d}" for m in range(1, 11)]
    sizes, rates = {"r": 1000, "a": 600, "b": 400, "c": 200}, {"r": 0.5, "a": 0.5, "b": 0.3, "c": 0.45}
    table = pd.concat([
        pd.DataFrame({"month": month, "g": g, "hired": (np.arange(n) < rates[g] * n).astype(int)})
        for month in months for g, n in sizes.items()
    ])  # fmt: skip
    result = fs.monitor(table, "hired", "g", period="month", reference="r")
    assert set(result.alarms) == {"b"} and "No alarm of a, c, compared with r." in result.statements
    (constant,) = [text for text in result.statements if text.startswith("Constant gaps that are not excluded")]
    assert "less r: a " in constant and "; c " not in constant and "b " not in constant.partition("less r:")[2]
    assert result.summary().count("\nperiod ") == 3 and str(result).count("\nperiod ") == 1
    assert "\nb − r\n" in str(result) and "Periods of the other groups: all in tidy()." in " ".join(str(result).split())
    table.to_csv(tmp_path / "p.csv", index=False)
    call = ["monitor", str(tmp_path / "p.csv"), "--period", "month", "--decision", "hired", "--groups", "g"]
    assert run([*call, "--reference", "r"]) == 0
    printed = capsys.readouterr().out
    assert printed.count("\nperiod ") == 1 and "all written by --to FILE.csv" in " ".join(printed.split())


def test_print_says_how_large_the_gap_was_after_the_alarm_in_brief_without_tables(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = people()
    result = fs.monitor(table, "hired", "race", reference="white")
    (group, alarm), *_ = result.alarms.items()
    rows = result.by_period()
    late = rows[(rows.group == group) & (rows.period > alarm)]
    said = f"After the alarm, from {late.period.iloc[0]} to {late.period.iloc[-1]}, the gap of {group} was between "
    said += f"{percent(late.gap.min())} and {percent(late.gap.max())} percentage points, period by period"
    assert said in " ".join(str(result).split())
    table.to_csv(tmp_path / "p.csv", index=False)
    line = ["monitor", str(tmp_path / "p.csv"), "--decision", "hired", "--groups", "race", "--reference", "white"]
    assert run([*line, "--brief"]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert f"Alarm in {alarm}: {group}" in out and said in out and "Next: audit the decisions" in out
    assert "---" not in out and "Rates are of" not in out
    assert not any("After the alarm" in line for line in fs.monitor(people(gap=0), "hired", "race").statements)


def test_the_picture_says_what_is_shaded_and_is_drawn_from_a_saved_result_of_any_group(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    result = fs.monitor(people(), "hired", "race", reference="white")
    other = next(row.group for row in result.compared() if row.group != next(iter(result.alarms)))
    meaning = "shaded: limits of the gap so far, if it never changed"
    assert meaning in result.plot().svg
    with pytest.raises(fs.InputError, match="group is called term here"):
        result.plot(group=other)
    monkeypatch.chdir(tmp_path)
    result.save("result.npz")
    people().to_csv("p.csv", index=False)
    assert run(["monitor", "p.csv", "--decision", "hired", "--groups", "race", "--to", "m.svg"]) == 2
    assert "fairstats plot result.npz --to m.svg" in " ".join(capsys.readouterr().err.split())
    assert run(["plot", "result.npz", "--group", other, "--to", "m.svg"]) == 0
    assert f"Rate of {other} less that of white" in " ".join(capsys.readouterr().out.split())
