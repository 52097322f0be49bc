"""A new measure is one file and its rows: tallies, files, suppression, answers and reports then know it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import fairstats as fs
from fairstats.auditing import arguments
from fairstats.auditing import audit as auditing
from fairstats.auditing.audit import carry_out
from fairstats.auditing.people import people
from fairstats.auditing.protocol import Protocol
from fairstats.metrics import METRICS
from tests.toy_measure import METRIC, ROW, mean_waits

DECLARED = Protocol(("sex",), measured=(("wait", "days"),))


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> pd.DataFrame:
    monkeypatch.setitem(arguments.MEASURES, "wait", ROW)
    monkeypatch.setitem(auditing.SECTIONS, "wait", mean_waits)
    monkeypatch.setitem(METRICS, METRIC.name, METRIC)
    rng = np.random.default_rng(3)
    data = pd.DataFrame({"sex": rng.choice(["f", "m"], 400), "site": rng.choice(["a", "b"], 400)})
    data["days"] = rng.integers(1, 30, 400) + 6.0 * (data["sex"] == "f")
    data.loc[:4, "days"] = np.nan
    data["seen"] = rng.choice([0, 1], 400)
    return data


def means(result: fs.Audit) -> dict[str, float]:
    return {row.group: row.estimate for row in result.estimates.where(metric="mean wait", contrast="none")}


def test_its_rows_are_decided_and_answered(table: pd.DataFrame) -> None:
    result = carry_out(table, DECLARED, {})
    by_sex = table.dropna().groupby("sex")["days"]
    assert means(result) == pytest.approx(by_sex.mean().to_dict())
    (gap,) = result.estimates.where(metric="mean wait", contrast="difference")
    one, other = (by_sex.get_group(group) for group in (gap.group, gap.reference))
    assert gap.p_value == pytest.approx(stats.ttest_ind(one, other, equal_var=False).pvalue)
    assert gap.verdict == "disparity shown"
    kind = "higher" if gap.estimate > 0 else "lower"
    named = {"f": "women", "m": "men"}
    assert f"Mean wait is {kind} among {named[gap.group]} than among {named[gap.reference]}" in result.finding()
    assert ("wait missing", 5) in [(step.label, step.n) for step in result.flow]


def test_it_stands_beside_decisions_and_scores(table: pd.DataFrame) -> None:
    beside = carry_out(table, replace(DECLARED, decision="seen", groups=("sex", "site")), {})
    alone = carry_out(table, DECLARED, {})
    plain = fs.audit(table, "seen", ["sex", "site"])
    both = [result.estimates.where(metric="mean wait", attribute="sex") for result in (beside, alone)]
    assert len(both[0]) == len(both[1])
    for one, same in zip(*both, strict=True):  # two attributes are adjusted together, each number is its own
        assert (one.estimate, one.n) == (same.estimate, same.n)
        assert one.p_value == pytest.approx(same.p_value, nan_ok=True)
    other = [row for row in beside.estimates.to_records() if row["metric"] != "mean wait"]
    assert other == plain.estimates.to_records()


def test_tallies_files_and_engines_count_it(table: pd.DataFrame, tmp_path: Path) -> None:
    wanted = carry_out(table, DECLARED, {})
    halves = [people(part, DECLARED)[0] for part in (table[:150], table[150:])]
    table.to_parquet(tmp_path / "people.parquet")
    for data in (sum(halves), tmp_path / "people.parquet"):
        pd.testing.assert_frame_equal(carry_out(data, DECLARED, {}).tidy(), wanted.tidy())


def test_small_groups_are_withheld(table: pd.DataFrame) -> None:
    table.loc[:6, "sex"] = "x"
    rows = carry_out(table, replace(DECLARED, min_n=10), {}).estimates.where(metric="mean wait")
    assert {row.status for row in rows if "x" in (row.group, row.reference)} == {"suppressed"}
    table["sex"] = np.where(table["sex"] == "x", "f", table["sex"])
    table.loc[table.index[table["sex"] == "f"][8:], "days"] = np.nan  # known of eight of a large group
    rows = carry_out(table, replace(DECLARED, min_n=10), {}).estimates.where(metric="mean wait")
    assert {row.status for row in rows if row.group == "f"} == {"suppressed"}


def test_reports_and_files_have_it(table: pd.DataFrame, tmp_path: Path) -> None:
    result = carry_out(table, DECLARED, {})
    result.save(tmp_path / "audit.npz")
    assert fs.load(tmp_path / "audit.npz").finding() == result.finding()
    assert "Mean wait by sex, difference from Men" in result.summary()
    page = fs.report(result).html
    assert "Mean wait by sex, compared with Men" in page and "Audit of days by sex" in page


def test_infinite_values_and_wrong_columns_are_refused(table: pd.DataFrame) -> None:
    with pytest.raises(fs.InputError, match="wait has infinite values in 'days'"):
        carry_out(table.assign(days=np.inf), DECLARED, {})
    with pytest.raises(fs.InputError, match="groups has 'days'; it is also the wait"):
        carry_out(table, replace(DECLARED, groups=("days",)), {})
