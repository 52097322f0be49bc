"""When a page one is set tighter: what it does not show, or what follows it, is on a page too late."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

import fairstats
from fairstats.reporting.pdf import overflows


@pytest.mark.parametrize(
    ("pages", "over"),
    [
        (({"findings", "unshown", "clusters"}, {"limits"}), False),
        (({"findings", "unshown"}, {"clusters"}), False),
        (({"findings"}, {"unshown", "clusters"}), True),
        (({"findings", "unshown"}, set(), {"clusters"}), True),
    ],
)
def test_page_one_runs_over_where_its_end_or_what_follows_is_late(pages: tuple[set[str], ...], over: bool) -> None:
    assert overflows(SimpleNamespace(pages=[SimpleNamespace(anchors=names) for names in pages])) is over


def test_the_end_of_page_one_has_the_name_that_is_looked_for() -> None:
    page = fairstats.report(fairstats.audit({"sex": ["f", "m"] * 40, "hired": [0, 1, 1, 1] * 20}, "hired", "sex")).html
    assert page.count('id="unshown"') == 1
