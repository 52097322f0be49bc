"""What the summary says of impact ratios."""

from __future__ import annotations

import fairstats


def test_the_highest_rate_is_said_to_be_of_the_groups_that_count_where_a_small_one_is_higher() -> None:
    """Five people of 405 all got it: the rule compares with the highest rate among groups of 2% or more."""
    people = {"g": ["a"] * 300 + ["b"] * 100 + ["c"] * 5, "d": [1] * 200 + [0] * 100 + [1] * 50 + [0] * 50 + [1] * 5}
    with_small = " ".join(fairstats.audit(people, "d", "g").summary().split())
    assert "Impact ratio to a, the highest rate of groups with 2% of the people or more: b 0.75" in with_small
    kept = {name: values[:400] for name, values in people.items()}
    assert "Impact ratio to a, the highest rate: b 0.75" in " ".join(fairstats.audit(kept, "d", "g").summary().split())
