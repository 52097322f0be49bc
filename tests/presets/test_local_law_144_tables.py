"""Local Law 144: exclusion before the highest rate, unknown people, medians, and words that are never printed."""

import re
import subprocess
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import fairstats
from fairstats.auditing.local_law_144 import above_median, impact_table
from fairstats.errors import InputError
from fairstats.inference.rates.one_rate import wilson


def test_a_small_category_is_excluded_before_the_highest_rate_is_taken_and_still_shown():
    table = impact_table([9, 500, 300], [10, 1000, 1000], ["tiny", "a", "b"], exclude={"tiny": "ten people"})
    tiny, a, b = table.categories
    assert table.highest == "a"
    assert (tiny.status, tiny.n, tiny.rate) == ("excluded", 10, 0.9)
    text = (
        "0.50% of the data used, people of unknown category included, under 2%: not in the ratios; the auditor's "
        "justification: ten people"
    )
    assert tiny.reason == text
    assert np.isnan(tiny.impact_ratio)
    assert (a.impact_ratio, b.impact_ratio) == (1, 0.6)
    assert (tiny.conf_low, tiny.conf_high) == pytest.approx(wilson(9, 10))


def test_nobody_is_excluded_by_default_and_two_percent_are_of_all_data_used():
    assert impact_table([1, 40], [2, 98], ["x", "y"]).categories[0].reason == ""
    # 19 of 1000 people, 100 of whom have no known category: 1.9% of the data used, 2.11% of the rest
    table = impact_table([19, 400], [19, 881], ["x", "y"], unknown=100)
    assert table.highest == "x" and table.categories[0].share == 0.019
    assert table.categories[0].reason == (
        "1.90% of the data used, people of unknown category included, under 2%: may be excluded with a justification"
    )
    assert impact_table([19, 400], [19, 881], ["x", "y"], unknown=100, exclude={"x": "few"}).highest == "y"


@pytest.mark.parametrize(
    ("exclude", "message"),
    [
        ({"z": "few"}, "exclude has 'z'; there is no such category"),
        ({"y": "few"}, "exclude has 'y', which is 98.10% of the data used, people of unknown category included"),
        ({"x": " "}, "exclude has no justification for 'x'"),
    ],
)
def test_only_small_categories_are_excluded_and_only_with_a_justification(exclude, message):
    with pytest.raises(InputError, match=message):
        impact_table([10, 400], [19, 981], ["x", "y"], exclude=exclude)


def test_intervals_of_ratios_hold_together_whichever_category_is_highest():
    """Seven categories of one rate: every impact ratio is 1; one interval at a time missed in a third of the tables."""
    rng, draws, together = np.random.default_rng(3), 200, 0
    n = np.array([400, 300, 200, 150, 100, 80, 60])
    for _ in range(draws):
        table = impact_table(rng.binomial(n, 0.4), n, list("abcdefg"))
        together += all(c.ratio_low <= 1 <= c.ratio_high for c in table.categories)
    assert together / draws >= 0.95 - 3 * np.sqrt(0.05 * 0.95 / draws)


def test_the_highest_may_not_be_the_highest():
    table = impact_table([41, 40], [100, 100], ["a", "b"])
    best = table.categories[0]
    assert (best.impact_ratio, best.ratio_high) == (1, 1) and best.ratio_low < 1


def test_unknown_people_are_counted_and_change_no_rate():
    with_unknown, without = (impact_table([5, 9], [10, 10], ["x", "y"], unknown=u) for u in (50, 0))
    assert with_unknown.unknown == 50
    bare = (repr([replace(c, share=0) for c in t.categories]) for t in (with_unknown, without))
    assert len(set(bare)) == 1


@given(st.lists(st.tuples(st.integers(0, 50), st.integers(0, 500)), min_size=1, max_size=8))
def test_every_category_keeps_two_rows_and_no_ratio_exceeds_one(cells):
    selected, n = [min(e, m) for e, m in cells], [m for _, m in cells]
    table = impact_table(selected, n, [f"c{i}" for i in range(len(n))], attribute="race")
    rows = table.estimates
    assert len(rows) == 2 * len(n)
    for row in rows.where(contrast="ratio"):
        assert row.status == "ok" or (row.reason and np.isnan(row.estimate))
        assert not row.estimate > 1
    assert "compl" not in str(rows)


def test_nobody_selected_leaves_the_ratios_unestimable():
    table = impact_table([0, 0], [10, 10], ["x", "y"])
    assert [c.status for c in table.categories] == ["unestimable"] * 2
    assert table.categories[0].reason == "nobody was selected in any category: 0/0"
    assert "intervals of these ratios" not in table.summary()
    assert "intervals of these ratios" in impact_table([1, 0], [10, 10], ["x", "y"]).summary()


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(-1, 2)), min_size=1, max_size=40))
def test_scoring_rates_count_strictly_above_the_median_of_everybody(people):
    scores, codes = (np.array(v) for v in zip(*people, strict=True))
    above, n = above_median(scores, codes, 3)
    median = np.median(scores)
    for c in range(3):
        assert n[c] == sum(codes == c)
        assert above[c] == sum((codes == c) & (scores > median))


@pytest.mark.long
def test_tied_lowest_ratios_are_all_named_and_tables_beside_each_other_do_not_touch(tmp_path: Path) -> None:
    people = {("f", "A"): (40, 100), ("m", "A"): (60, 150), ("f", "B"): (20, 100), ("m", "B"): (30, 150)}
    rows = [(sex, race, i < k) for (sex, race), (k, n) in people.items() for i in range(n)]
    data = pd.DataFrame(rows, columns=["sex", "race", "hired"])
    result = fairstats.audit(data, "hired", ["sex", "race"], favorable=True)
    laws = fairstats.local_law_144(result)
    fairstats.report(result, *laws, preset="ll144", to=tmp_path / "one.pdf")
    read = subprocess.run(
        ["pdftotext", "-layout", "-l", "1", tmp_path / "one.pdf", "-"], check=True, capture_output=True
    )
    page = read.stdout.decode()
    assert "By sex × race it is 0.50: m × B and f × B, 20.0%. By sex it is 1.00: f, 30.0%." in " ".join(page.split())
    assert re.search("ratio +race", page) and not re.search(r"ratiorace|1\.00A", page)


def test_tables_and_what_verifying_says_show_themselves_in_a_notebook(tmp_path: Path) -> None:
    data = pd.DataFrame({"sex": ["f", "m"] * 200, "hired": [1, 0, 1, 1] * 100})
    result = fairstats.audit(data, "hired", "sex", favorable=1)
    tables = fairstats.local_law_144(result)
    assert tables._repr_html_().count("<table") >= len(tables) == 1 and repr(tables) == str(tables[0])
    fairstats.report(result, to=tmp_path / "one.json")
    verified = fairstats.verify_report(tmp_path / "one.json", data)
    assert repr(verified) == verified.summary() and "all agree within 1e-9" in repr(verified)


def test_what_only_one_table_has_is_answered_by_taking_one():
    tables = fairstats.local_law_144(fairstats.audit({"g": ["a", "b"] * 40, "d": [0, 1, 1, 1] * 20}, "d", "g"))
    for name in ("tidy", "summary", "glance"):
        with pytest.raises(
            AttributeError, match=rf"{name} is of one table, and these are 1; take one: tables\[0\].{name}"
        ):
            getattr(tables, name)
    assert not hasattr(tables, "fit") and not hasattr(tables, "__array__")
