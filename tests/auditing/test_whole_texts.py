"""What small audits say is what it was, each letter, digit and blank: their summaries, and the sentences of page one.

``python -m tests.auditing.whole_texts`` pins the texts again; read the difference before you commit it.
"""

from __future__ import annotations

import warnings
from difflib import unified_diff

import pytest

from tests.auditing.whole_texts import CASES, said, stored


@pytest.mark.parametrize("name", CASES)
def test_the_texts_of_an_audit_are_the_pinned_ones(name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = said(name)
    assert "\n".join(unified_diff(stored()[name], found, "pinned", "said", n=1, lineterm="")) == ""


def test_no_text_is_pinned_of_an_audit_that_nobody_makes() -> None:
    assert list(stored()) == list(CASES)
