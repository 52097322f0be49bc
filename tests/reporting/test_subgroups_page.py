"""Page one of a search for subgroups: how many are flagged, the farthest, what a flag promises, at which level."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import fairstats
from fairstats.auditing.subgroups import who
from fairstats.text import level_number
from tests.reporting.test_page_one import page


@pytest.fixture(scope="module")
def people() -> pd.DataFrame:
    rng = np.random.default_rng(4)
    made = pd.DataFrame({"sex": rng.choice(["f", "m"], 900), "age": rng.choice(["old", "young"], 900)})
    made["paid"] = (rng.random(900) < 0.5).astype(int)
    made["lent"] = (rng.random(900) < np.where((made.sex == "f") & (made.age == "old"), 0.2, 0.7)).astype(int)
    return made


def test_the_answer_counts_flags_and_names_the_farthest_with_its_people(people: pd.DataFrame) -> None:
    found = fairstats.subgroups(
        people, "lent", ["sex", "age"], outcome="paid", metric="TPR", tolerance=0.04, favorable=1
    )
    made = page(found)
    paid = people[people.paid == 1]
    flagged, judged, overall = len(found.flagged()), len(found.judged()), 100 * paid.lent.mean()
    assert flagged and made["who"].startswith(f"{len(paid)} people that the rate is of · ")
    assert made["question"] == "Which subgroups by sex and age have a true positive rate that differs from everybody's?"
    start = f"{flagged} of {judged} subgroups are flagged: their true positive rate is more than 4.0 percentage points"
    assert made["sentence"] == f"{start} from everybody's {overall:.1f} %."
    text = fairstats.report(found).html
    assert "fairstats.subgroups(data, " in text and "Versions" in text
    first = paid[(paid.sex == "f") & (paid.age == "old")]
    told = " ".join(made["context"])
    assert f"sex = f, age = old ({len(first)} people) with {100 * first.lent.mean():.1f} %" in told
    assert (
        "True positive rate: of people with paid = 1, the share with lent = 1." in told and "5 % of the flags" in told
    )
    assert "The positive outcome is" not in told  # the definition has said it
    for side, sign in (("above", 1), ("below", -1)):  # the first of either side is named
        rows = [row for row in found.judged() if row.verdict == "flagged" and sign * row.estimate > 0]
        assert (f"Farthest {side} everybody, by its limits: " in told) == bool(rows)
        if rows:
            assert (
                f"{side} everybody, by its limits: {who(rows[0].attribute, rows[0].group)} ({rows[0].n:.0f} people)"
                in told
            )
    row = found.judged()[0]
    (drawn,) = made["figures"]
    assert f"the {level_number(row.conf_level)} % interval of each. Gray: up to 4.0 points" in drawn.caption
    assert any("(paid) is taken as recorded" in said for said in made["unshown"]) and not made["next"]
    assert fairstats.report(found).title == "Subgroups by sex, age whose true positive rate differs from everybody's"


def test_page_one_says_how_many_are_not_judged_and_why(people: pd.DataFrame) -> None:
    found = fairstats.subgroups(people, "lent", ["sex", "age"], smallest=300, favorable=1)
    left = sum(row.status != "ok" for row in found.estimates)
    assert left and page(found)["context"][-1] == (
        f"Not judged: {left} more, of fewer than 300 people, of the same people as another one, or of everybody."
    )
    assert not any(said.startswith("Further subgroups") for said in page(found)["context"])


def test_where_none_is_flagged_page_one_says_so_and_what_the_rate_is(people: pd.DataFrame) -> None:
    found = fairstats.subgroups(people, outcome="paid", groups=["sex", "age"], metric="base rate")
    assert not len(found.flagged())
    made = page(found)
    said = f"None of {len(found.judged())} subgroups is flagged as differing from everybody's base rate of"
    assert made["sentence"] == f"{said} {100 * people.paid.mean():.1f} %."
    assert made["context"][0] == "Base rate: the share of all people with paid = 1."
    assert not any(said.startswith("Farthest") for said in made["context"])
    plain = page(fairstats.subgroups(people, "lent", "sex", favorable=1))
    assert plain["sentence"].endswith(f"selection rate differs from everybody's {100 * people.lent.mean():.1f} %.")
    assert not any("taken as recorded" in said for said in plain["unshown"])
