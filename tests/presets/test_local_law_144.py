"""The tables of Local Law 144, from decisions and from scores."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from fairstats.auditing.audit import audit
from fairstats.auditing.local_law_144 import local_law_144
from fairstats.errors import InputError


def applicants() -> pd.DataFrame:
    """A published kind of table: two sexes, one unknown; four races, one of them under 2%."""
    rng = np.random.default_rng(144)
    data = pd.DataFrame(
        {
            "sex": rng.choice(["Female", "Male", None], 2000, p=[0.45, 0.5, 0.05]),
            "race": rng.choice(["Asian", "Black", "White", "Pacific"], 2000, p=[0.2, 0.3, 0.49, 0.01]),
            "score": rng.integers(0, 100, 2000).astype(float),
        }
    )
    data["hired"] = (rng.random(2000) < np.where(data["sex"] == "Male", 0.4, 0.3)).astype(int)
    data.loc[data["race"] == "Pacific", "hired"] = 1
    return data


def test_three_tables_with_unknown_people_counted_and_small_categories_shown():
    data = applicants()
    result = audit(data, decision="hired", groups=["sex", "race"])
    sex, race, both = local_law_144(result, exclude={"Pacific": "too few people for a rate"})
    assert (sex.attribute, race.attribute, both.attribute) == ("sex", "race", "sex:race")
    assert sex.unknown == data["sex"].isna().sum() == both.unknown
    assert race.unknown == 0
    small = next(c for c in race.categories if c.category == "Pacific")
    assert (small.status, small.rate) == ("excluded", 1.0)
    assert "under 2%" in small.reason and "too few people for a rate" in small.reason
    assert all(c.status != "excluded" for t in local_law_144(result) for c in t.categories)
    with pytest.raises(InputError, match="exclude has 'Pacifc'; there is no such category; did you mean 'Pacific'"):
        local_law_144(result, exclude={"Pacifc": "few"})
    with pytest.raises(InputError, match="exclude has 'Pacific'; it is a mapping"):
        local_law_144(result, exclude="Pacific")
    # the excluded category has the highest rate, and is not what the others are compared with
    assert race.highest != "Pacific"
    rates = data[data["race"] != "Pacific"].groupby("race")["hired"].mean()
    for category in race.categories:
        if category.status == "ok":
            assert category.impact_ratio == pytest.approx(rates[category.category] / rates.max())


def test_scoring_rate_is_the_share_above_the_median_of_the_whole_sample():
    data = applicants()
    (table,) = local_law_144(audit(data, score="score", groups="sex"))
    assert table.measure == "scoring rate"
    above = data["score"] > data["score"].median()
    for category in table.categories:
        assert category.rate == pytest.approx(above[data["sex"] == category.category].mean())


def test_no_conclusion_of_law_is_printed():
    data = applicants()
    result = audit(data, decision="hired", groups=["sex", "race"])
    tables = local_law_144(result)
    words = (result.summary() + str(tables) + str([t.estimates for t in tables])).lower()
    assert not any(word in words for word in ("compliant", "compliance", "unlawful", "unbiased"))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"decision": "hired", "min_n": 30}, "min_n=30, which hides counts"),
        ({"outcome": "hired"}, "neither decisions nor scores"),
        ({"decision": "hired", "clusters": "score"}, "weights or clusters"),
    ],
)
def test_audits_that_cannot_give_the_tables(arguments, message):
    result = audit(applicants(), groups=["sex", "race"], **arguments)
    with pytest.raises(InputError, match=message):
        local_law_144(result)
