"""No sentence has a sum that a reader finds wrong: a difference is "about" where its two numbers have another."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import pytest

import fairstats
from benchmarks.gallery import KINDS
from fairstats.text import difference, subtracts
from tests.reporting.reader import texts

SENTENCES = {
    "models": (
        r"(?P<one>\S+)%(?: of Black people)? against (?P<other>\S+)%(?: of White people)?, "
        r"(?P<gap>[^,;]*?) points apart",
        r"(?P<one>\S+) %(?:, Personen \(White\)| gegenüber| gegen) (?P<other>\S+) %, "
        r"(?P<gap>[^;]*?) Punkte auseinander",
    ),
    "gap": (
        r"is (?P<one>\S+) EUR/h among women and (?P<other>\S+) EUR/h among men, (?P<gap>.*?) EUR/h less \(",
        r": (?P<one>\S+) EUR/h \(Frauen\) und (?P<other>\S+) EUR/h \(Männer\), also (?P<gap>.*?) EUR/h weniger \(",
    ),
    "clusters": (
        r"(?P<one>\S+)% of its members (?:\(n = \S+\) )?are “north”, against (?P<other>\S+)% of all .*?, a gap of "
        r"(?P<gap>.*?) percentage",
        r"(?P<one>\S+) % seiner Mitglieder (?:\(n = \S+\) )?sind „north“ gegenüber (?P<other>\S+) % aller .*?, ein "
        r"Abstand von (?P<gap>.*?) Proz",
    ),
}
CHANGE = (
    r"from (\S+) to (\S+) percentage points, by (about )?(\S+?) \(",
    r"von (\S+) auf (\S+) Prozentpunkte, um (etwa )?(\S+?) \(",
)


def read(name: str, language: str) -> str:
    """The sentences of page one."""
    html = fairstats.report(*KINDS[name].results(), language=language).html
    return re.sub(r"\s", " ", " ".join(text for element, text in texts(html)[:80] if element in ("p", "li")))


def exact(text: str) -> Decimal:
    return Decimal(text.replace(",", ".").replace("\N{MINUS SIGN}", "-"))


@pytest.mark.long
@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("name", SENTENCES)
def test_a_reader_who_subtracts_finds_the_difference_or_reads_about(name: str, language: str) -> None:
    pattern, word = (SENTENCES[name][0], "about ") if language == "en" else (SENTENCES[name][1], "etwa ")
    found = list(re.finditer(pattern, read(name, language)))
    assert len(found) >= {"models": 6}.get(name, 1)  # of whom each model selects: all, the right, the mistaken
    for match in found:
        one, other, gap = (exact(match[part].removeprefix(word)) for part in ("one", "other", "gap"))
        assert abs(abs(one - other) - abs(gap)) <= Decimal("0.1")
        assert match["gap"].startswith(word) == (abs(one - other) != abs(gap))
    if name in ("models", "gap"):
        assert any(match["gap"].startswith(word) for match in found)  # their readers found a wrong sum


@pytest.mark.parametrize("language", [0, 1])
def test_a_change_that_is_not_that_of_its_printed_gaps_is_said_to_be_before_rounding(language: int) -> None:
    ((before, after, said, change),) = re.findall(CHANGE[language], read("change", ("en", "de")[language]))
    assert bool(said) == (exact(before) - exact(after) != exact(change)) and said


def test_the_parts_of_a_gap_add_up_or_are_about() -> None:
    (gap, explained, rest), *_ = re.findall(
        r"among men, (.*?) EUR/h less \(.*?Of this gap, (\S+) .*? by grade and years of service; (.*?) EUR/h \(.*? is "
        r"not",
        read("gap", "en"),
    )
    gap, part = gap.removeprefix("about "), rest.removeprefix("about ")
    assert rest.startswith("about ") == (exact(gap) - exact(explained) != exact(part))
    text = read("gap", "de")
    assert re.search(
        r"auf grade und years of service; etwa 0,77 EUR/h \(\d,\d\d bis \d,\d\d\) entfallen nicht darauf", text
    )


def test_numbers_that_are_absent_have_no_sum() -> None:
    assert difference(0.05, 0.30, 0.25, 2) == "0.05" and not subtracts(0.14, 0.06, 0.08)
    assert subtracts(np.nan, 1.0, 1.0) and difference(np.nan, 1.0, 2.0) == "\N{EN DASH}"


def test_models_say_about_in_their_statements_too() -> None:
    (result,) = KINDS["models"].results()
    sums = [re.search(r"a gap of −(\S+) percentage points with .*?, of −(\S+) with .*change (.*?), ", text)
            for text in result.statements]  # fmt: skip
    found = [match for match in sums if match]
    assert found
    for match in found:
        gap = match[3].removeprefix("about ").lstrip("\N{MINUS SIGN}")
        assert match[3].startswith("about ") == (abs(exact(match[1]) - exact(match[2])) != exact(gap))


@pytest.mark.long
@pytest.mark.parametrize("language", ["en", "de"])
def test_the_margin_says_which_gap_it_is_of(language: str) -> None:
    rng = np.random.default_rng(4)
    data = pd.DataFrame({"grade": rng.integers(0, 2, 3000)})
    data["sex"] = np.where(rng.random(3000) < 0.8 - 0.6 * data.grade, "f", "m")
    data["pay"] = np.exp(3 + 0.3 * data.grade + rng.normal(0, 0.05, 3000))

    def said(**strata: Any) -> str:
        result = fairstats.audit(data, amount="pay", groups="sex", margin={"gap": 0.05}, reference="m", **strata)
        html = fairstats.report(result, language=language).html
        return re.sub(r"\s", " ", " ".join(text for element, text in texts(html)[:16] if element in ("p", "li")))

    within = {
        "en": "Averaged over the strata of grade, the gap is shown to be within the margin of 5%.",
        "de": "Im Mittel über die Schichten von grade: Es ist gezeigt, dass der Abstand innerhalb der Toleranz von 5 % "
        "liegt.",
    }
    crude = {"en": "A gap beyond the margin of 5% is shown.",
             "de": "Ein Abstand jenseits der Toleranz von 5 % ist gezeigt."}  # fmt: skip
    assert within[language] in said(strata="grade")
    assert crude[language] in said() and "grade" not in said()
