"""What a row says of how it was made is what was asked: its numbers are those of the call, and no others."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import fairstats
from fairstats.inference.representations import leakage
from tests.laws.every_result import X, fit, made, people

pytestmark = pytest.mark.filterwarnings("ignore::fairstats.errors.FairstatsWarning")

ASKED: dict[str, tuple[Callable[[], Any], set[str]]] = {
    "choice of k": (
        lambda: fairstats.select_k(X, "sex", "og", data=people(), permutations=7, seed=41),
        {"7", "41", "95"},
    ),
    "extra error": (
        lambda: fairstats.extra_error(fairstats.pca(X, "sex", data=people()), people(), permutations=17, seed=41),
        {"17", "41"},
    ),
    "stability": (
        lambda: fairstats.bootstrap_loadings(fit("og"), people(), "sex", replicates=21, seed=41),
        {"21", "41"},
    ),
}


def words(result: Any) -> list[str]:
    return [part for row in result.estimates for part in (*row.method.split(";"), *row.reason.split(";"))]


@pytest.mark.parametrize("name", ASKED)
def test_numbers_in_the_words_of_rows_are_those_of_the_call(name: str) -> None:
    call, wanted = ASKED[name]
    lines = [part for part in words(call()) if "up to about" not in part and "fewer than" not in part]
    numbers = {one for part in lines for one in re.findall(r"(?<![\w.])\d[\d.]*(?<!\.)", part)}
    assert numbers == wanted


@pytest.mark.parametrize("most", [30, 240])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("permutations", [0, 17])
def test_a_part_of_the_rows_is_named_where_it_is_a_part(
    most: int, weighted: bool, permutations: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(leakage, "MOST_ROWS", most)
    kept = made("held out")
    kept = kept.counted(np.linspace(1, 2, 240)) if weighted else kept
    run = leakage.ScoresRun.of(kept, permutations, 0.95, 41, None)
    (row,) = run.of_numbers("age", np.linspace(0, 1, 240))[-1:]
    assert row.metric == "distance correlation" and row.n <= most and (row.n == 240) == (most == 240 and not weighted)
    whole = f"{permutations or 'no'} permutations within folds"
    part = f" on a random {row.n:.0f} rows" + ", drawn by weight" * weighted
    assert row.method == whole + part * (row.n < 240)


def test_what_was_not_drawn_counts_no_draws() -> None:
    result = fairstats.extra_error(fairstats.pca(X, "sex", data=people()), people(), permutations=0)
    assert result.permutations == 0 and np.isnan(result.p_permutation)
    assert not any("studentized permutation" in part for part in words(result))
    drawn = fairstats.extra_error(fairstats.pca(X, "sex", data=people()), people(), permutations=9)
    assert drawn.permutations == 9 and 0.1 <= drawn.p_permutation <= 1


NARROW: dict[str, Callable[[], Any]] = {
    "leakage": lambda: replace(made("leakage"), statements=("x " * 300,)),
    "leakage, of refits": lambda: replace(made("leakage"), statements=("x " * 300,), refits="permuted labels"),
    "study of a fit": lambda: replace(made("price"), statements=("x " * 300,)),
    "extra error": lambda: replace(made("extra error"), why="x " * 300),
    "choice of k": lambda: replace(
        made("choice of k"), estimates=made("choice of k").estimates.map(lambda row: replace(row, reason="x " * 300))
    ),
}


@pytest.mark.parametrize("name", NARROW)
def test_what_is_long_is_broken_where_the_line_ends(name: str) -> None:
    """Words of one letter fill a line: 79 letters after an even indent, one more would be 81."""
    lines = [line for line in NARROW[name]().summary().splitlines() if line.rstrip().endswith("x x x")]
    widths = [len(line) for line in lines]
    assert max(widths) <= 80 and sum(width >= 78 for width in widths) >= 6


BROKEN = {
    "conf_low": ("interval for the part", "Equal means of the groups"),
    "p_permutation": ("permutation p ",),
    "p_asymptotic": ("asymptotic ",),
}


@pytest.mark.parametrize(
    "absent", [(), *((name,) for name in BROKEN), ("p_permutation", "p_asymptotic"), tuple(BROKEN)]
)
def test_the_summary_of_extra_error_says_what_there_is_and_no_more(absent: tuple[str, ...]) -> None:
    result = replace(made("extra error"), **dict.fromkeys(absent, float("nan")))
    text = result.summary()
    for name, phrases in BROKEN.items():
        assert all((phrase in text) == (name not in absent) for phrase in phrases), name
    spreads = "conf_low" in absent and not {"p_permutation", "p_asymptotic"} <= set(absent)
    assert ("Equal distributions of the groups" in text) == spreads
    assert (", p = " in repr(result)) == (not {"p_permutation", "p_asymptotic"} <= set(absent))


@pytest.mark.parametrize(
    ("expected", "wording"), [(float("nan"), "rows are weighted"), (0.0, "nothing varies"), (2.0, "4.0 times")]
)
def test_the_summary_of_extra_error_says_what_chance_would_explain(expected: float, wording: str) -> None:
    text = " ".join(replace(made("extra error"), observed=8.0, expected=expected).summary().split())
    assert wording in text and text.count("chance") == (1 if expected > 0 else "rows are" in wording)
