"""Matched applications: Bertrand & Mullainathan's tables, McNemar, conditional logit, clusters, the error rate."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binom, binomtest, multinomial

import fairstats as fs
from fairstats.auditing.group_studies import decided_rows
from fairstats.auditing.matched_pairs import _signed
from fairstats.cli import run
from fairstats.inference.rates.paired import tango
from tests.oracle.r import requires_r, run_r

CALLBACKS = Path(os.environ.get("FAIRSTATS_DATA", "/nowhere"), "cases", "callbacks.csv")
published = pytest.mark.skipif(not CALLBACKS.exists(), reason="FAIRSTATS_DATA names no folder of real data")


def pairs(up: int, down: int, both: int = 20, neither: int = 20) -> pd.DataFrame:
    """Pairs of which so many favor x, y, both and neither."""
    call = np.repeat([[1, 0], [0, 1], [1, 1], [0, 0]], [up, down, both, neither], axis=0).ravel()
    n = len(call) // 2
    return pd.DataFrame({"pair": np.repeat(np.arange(n), 2), "g": ["x", "y"] * n, "call": call})


@published
def test_bertrand_and_mullainathan() -> None:
    sent = pd.read_csv(CALLBACKS)
    rows = fs.matched_pairs(sent, "call", "race", "ad_id", clusters="first_name", reference="w").estimates
    rates = {row.group: row for row in rows.where(metric="selection rate", contrast="none")}
    assert {g: (r.events, r.n, round(100 * r.estimate, 2)) for g, r in rates.items()} == {
        "w": (235, 2435, 9.65),
        "b": (157, 2435, 6.45),
    }
    shares = rows.where(metric="share favored", contrast="none")
    assert [(r.group or r.term, r.events, r.n) for r in shares] == [
        ("b", 46, 1323),
        ("w", 111, 1323),
        ("equal", 1166, 1323),
    ]
    assert [f"{100 * r.estimate:.2f}" for r in shares][:2] == ["3.48", "8.39"]
    (test,) = rows.where(metric="share favored", contrast="difference")
    assert f"{test.p_value:.1e}" == "2.2e-07" and test.verdict == "disparity shown"
    names = rows.where(role="sensitivity")[0]
    assert names.n == 36 and 0.0001 <= names.p_value < 0.01


@pytest.mark.parametrize(("up", "down"), [(0, 6), (1, 5), (3, 3), (8, 21), (0, 0)])
def test_of_pairs_it_is_mcnemars_exact_test(up: int, down: int) -> None:
    (row,) = fs.matched_pairs(pairs(up, down), "call", "g", "pair", reference="y").compared()
    expected = binomtest(up, up + down).pvalue if up + down else 1.0
    assert row.p_value == pytest.approx(expected)
    assert row.estimate == pytest.approx((up - down) / (up + down + 40))
    assert (row.verdict == "disparity shown") == (not row.conf_low <= 0 <= row.conf_high)
    assert row.method == "exact McNemar test and Tango's limits, widened where the test shows nothing"
    assert row.conf_low <= row.estimate <= row.conf_high and row.conf_low < row.conf_high
    (said,) = (
        s for s in fs.matched_pairs(pairs(up, down), "call", "g", "pair", reference="y").statements if "shares" in s
    )
    low, high = (f"{100 * end:.1f}".replace("-", "−") for end in (row.conf_low, row.conf_high))
    assert said.endswith(f"percentage points ({low} to {high}).".replace("−0.0 ", "0.0 "))


def test_with_six_discordant_pairs_it_errs_in_at_most_five_percent_of_samples() -> None:
    for uneven in (6, 12, 25):
        shown = []
        for up in range(uneven + 1):
            (row,) = fs.matched_pairs(pairs(up, uneven - up), "call", "g", "pair", reference="y").compared()
            shown.append(row.verdict == "disparity shown")
        assert 0 < binom.pmf(np.arange(uneven + 1), uneven, 0.5)[shown].sum() <= 0.05


@pytest.mark.long
def test_the_odds_ratio_is_that_of_clogit() -> None:
    requires_r("survival")
    rng = np.random.default_rng(2)
    frame = pd.DataFrame({"block": rng.integers(0, 30, 160), "g": rng.choice(["x", "y"], 160)})
    frame["call"] = (rng.random(160) < np.where(frame["g"] == "x", 0.6, 0.35)).astype(int)
    row = fs.matched_pairs(frame, "call", "g", "block", reference="y").estimates.where(metric="common odds ratio")[0]
    script = """
        suppressMessages(library(survival))
        d <- data.frame(call = input$call, x = input$g == "x", block = input$block)
        unname(exp(coef(clogit(call ~ x + strata(block), d, method = "exact"))))
    """
    text = run_r(script, {name: frame[name].tolist() for name in frame})
    assert row.estimate == pytest.approx(float(text), rel=1e-4)


def test_clusters_of_names_are_exchanged_and_templates_keep_their_sign() -> None:
    frame = pairs(9, 3, 10, 10)
    frame["name"] = frame["g"] + (np.arange(len(frame)) // 2 % 4).astype(str)
    frame["template"] = frame["pair"] % 8
    names = fs.matched_pairs(frame, "call", "g", "pair", reference="y", clusters="name").estimates
    (row,) = names.where(role="sensitivity")
    calls = frame.groupby("name")["call"].mean().to_numpy()
    every = [c for c in range(256) if bin(c).count("1") == 4]
    gaps = [abs(np.mean([calls[i] for i in range(8) if c >> i & 1]) -
                np.mean([calls[i] for i in range(8) if not c >> i & 1])) for c in every]  # fmt: skip
    observed = abs(calls[:4].mean() - calls[4:].mean())
    assert row.p_value == pytest.approx(np.mean(np.array(gaps) >= observed - 1e-12))
    crossed = fs.matched_pairs(frame, "call", "g", "pair", reference="y", clusters="template").estimates
    (other,) = crossed.where(role="sensitivity")
    gap = frame.assign(s=np.where(frame["g"] == "x", 1, -1) * frame["call"]).groupby("template")["s"].sum().to_numpy()
    signs = np.array(np.meshgrid(*[[-1, 1]] * 8)).reshape(8, -1)
    assert other.p_value == pytest.approx(np.mean(np.abs(gap @ signs) >= abs(gap.sum()) - 1e-9))


def test_the_same_name_twice_is_the_null() -> None:
    """Answers that depend on chance and not on the name: two groups disagree as often as one does with itself."""
    rng = np.random.default_rng(5)
    block = np.repeat(np.arange(3000), 4)
    answer = (rng.random(12000) < np.repeat(rng.random(3000), 4)).astype(int)
    frame = {"prompt": block, "name": ["x", "x", "y", "y"] * 3000, "yes": answer}
    rows = fs.matched_pairs(frame, "yes", "name", "prompt").estimates.where(metric="disagreement")
    between, same, gap = rows
    assert between.estimate == pytest.approx(1 / 3, abs=0.02) and same.estimate == pytest.approx(1 / 3, abs=0.02)
    assert gap.conf_low < 0 < gap.conf_high


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"blocks": "ad"}, "^blocks"),
        ({"blocks": "alone"}, "no block holds"),
        ({"favorable": 2}, "favorable"),
        ({"reference": "z"}, "the groups are"),
        ({"decision": "pair"}, "^decision"),
        (
            {"decision": "three"},
            r"with 3 values \(0, 1, 2\); it must have two; to set '1' against all others, .*='1'\.$",
        ),
        ({"clusters": "c"}, "^clusters"),
    ],
)
def test_bad_pairs_are_refused(options: dict[str, object], words: str) -> None:
    frame = pairs(3, 5).assign(alone=range(96), three=[0, 1, 2] * 32)
    with pytest.raises(fs.InputError, match=words):
        fs.matched_pairs(**{"data": frame, "decision": "call", "groups": "g", "blocks": "pair", **options})


def test_command_and_report(tmp_path, capsys) -> None:
    path = tmp_path / "sent.csv"
    pairs(3, 21).to_csv(path, index=False)
    options = ["--decision", "call", "--groups", "g", "--blocks", "pair", "--reference", "y", "--fail-on", "disparity"]
    assert run(["matched-pairs", str(path), *options]) == 1
    assert "Of 64 blocks x has the higher rate in 3, y in 21" in " ".join(capsys.readouterr().out.split())
    page = fs.report(fs.matched_pairs(pairs(3, 21), "call", "g", "pair", reference="y"), language="de").html
    assert "Anteil bevorzugt" in page and "in 40 sind beide gleich" in page


def test_the_answer_takes_the_clusters_into_account() -> None:
    """Two names are no sample of names."""
    sent = {
        "ad": np.repeat(range(100), 2),
        "g": ["A", "B"] * 100,
        "y": [1, 0] * 100,
        "first": ["Emily", "Lakisha"] * 100,
    }
    two = fs.matched_pairs(sent, "y", "g", "ad", clusters="first", reference="A")
    (row,) = two.compared()
    assert row.p_value < 1e-20 and row.p_adjusted == 1 and row.verdict == "inconclusive" and row.conf_high == 1
    assert row.reason == "the p-value of the clusters is the larger one and counts"
    text = " ".join(two.summary().split())
    assert "No difference is shown (1 compared)." in text
    assert "(over blocks p < 0.001, over 2 clusters p = 1.000; the larger one counts, adjusted p = 1.000)" in text
    assert (
        "With 2 clusters no difference between B and A can be shown: their test gives no p-value below 1.000." in text
    )


def test_the_least_p_value_of_clusters_is_that_of_the_clearest_data() -> None:
    for names, few in ((3, True), (4, False)):  # 2 of choose(6, 3) = 20 ways, of choose(8, 4) = 70
        frame = pd.DataFrame({"ad": np.repeat(range(120), 2), "g": ["A", "B"] * 120, "y": [1, 0] * 120})
        frame["first"] = frame["g"] + (frame["ad"] % names).astype(str)
        result = fs.matched_pairs(frame, "y", "g", "ad", clusters="first", reference="A")
        (row,) = result.compared()
        assert row.p_adjusted == pytest.approx(2 / (20 if few else 70))
        assert (row.verdict == "inconclusive") == few == ("can be shown" in " ".join(result.statements))
        frame["first"] = frame["ad"] % (names + 2)  # a template has both groups: 2 of 2^5 = 32, of 2^6 = 64 signs
        result = fs.matched_pairs(frame, "y", "g", "ad", clusters="first", reference="A")
        assert result.compared()[0].p_adjusted == pytest.approx(2 / 2 ** (names + 2))
        assert ("can be shown" in " ".join(result.statements)) == few


def test_a_group_without_a_block_in_common_has_no_number() -> None:
    people = {"pair": [0, 0, 1, 1, 2], "g": ["a", "b", "a", "b", "c"], "yes": [1, 0, 0, 1, 1]}
    text = fs.matched_pairs(people, "yes", "g", "pair", reference="a").summary()
    assert "share favored, c − a" in text and "nan" not in text


@pytest.mark.long
@pytest.mark.parametrize(("n", "x", "y"), [(100, 0.12, 0.0), (200, 0.10, 0.02), (200, 0.15, 0.06)])
def test_limits_cover_whatever_number_of_blocks_differs(n: int, x: float, y: float) -> None:
    """The exact probability that the true difference is between the limits, of all tables that come to pass."""
    up, down = (v.ravel() for v in np.meshgrid(np.arange(70), np.arange(70 if y else 1)))
    chance = binom.pmf(up, n, x) * binom.pmf(down, n - up, y / (1 - x))
    seen = chance > 2e-4
    about, kept = fs.Estimate("share favored", "g", "x", "difference", "y"), 0.0
    for a, b, p in zip(up[seen], down[seen], chance[seen], strict=True):
        ((row,),) = decided_rows([_signed(about, float(a), float(b), n, "")], 0.95, "bonferroni")
        assert (row.verdict == "disparity shown") == (not row.conf_low <= 0 <= row.conf_high)
        assert (row.p_adjusted < 0.05) == (row.verdict == "disparity shown")
        kept += p * (row.conf_low <= x - y <= row.conf_high)
    assert 0.94 <= kept / chance[seen].sum() <= 0.97


def test_limits_are_tangos_and_as_many_times_wider_as_the_clusters_say() -> None:
    (row,) = fs.matched_pairs(pairs(0, 12, 44, 44), "call", "g", "pair", reference="y").compared()
    for limit in (row.conf_low, row.conf_high):  # the score statistic of Tango (1998), at either limit
        b = -12 + (2 * 100 + 12) * limit
        q = (np.sqrt(b * b + 8 * 100 * 12 * limit * (1 - limit)) - b) / 400
        z = (-12 - 100 * limit) / np.sqrt(100 * (2 * q + limit * (1 - limit)))
        assert abs(z) == pytest.approx(1.959964, rel=1e-6)
    ((wide,),) = decided_rows([_signed(row, 12.0, 30.0, 200, "", 0.2)], 0.95, "bonferroni")
    assert wide.conf_low < 0 < wide.conf_high and wide.verdict == "inconclusive"
    ((at,),) = decided_rows([_signed(row, 12.0, 30.0, 200, "", 0.2)], 0.8, "bonferroni")
    assert at.conf_high == pytest.approx(0, abs=1e-9)  # p = 0.2 is where the limits of 80% touch it


def test_what_is_missing_is_named() -> None:
    frame = pairs(3, 21).astype({"call": float, "pair": float})
    frame.loc[[0, 1, 2], "call"] = np.nan
    frame.loc[9, "pair"] = np.nan
    lines = fs.matched_pairs(frame, "call", "g", "pair", reference="y").statements
    assert lines[-2:] == ("Left out, without a value of call: 3.", "Left out, without a value of pair: 1.")


def test_of_three_groups_a_share_says_beside_whom() -> None:
    frame = {"pair": np.repeat(range(30), 3), "g": ["w", "b", "h"] * 30, "call": [1, 0, 0, 0, 1, 1] * 15}
    text = " ".join(fs.matched_pairs(frame, "call", "g", "pair", reference="w").summary().split())
    assert "share favored, w over b 30" in text and "share favored, equal, h and w 30" in text


@pytest.mark.parametrize(
    ("n", "up", "down", "covered"),
    [(100, 0.12, 0.0, 95.7), (200, 0.10, 0.02, 95.0), (200, 0.15, 0.06, 95.0), (1000, 0.08, 0.03, 95.0)],
)
def test_the_limits_hold_the_difference_as_often_as_the_guide_says(n, up, down, covered) -> None:
    """By enumeration, up to counts of hardly any probability."""
    spread = [np.flatnonzero(binom.pmf(np.arange(n + 1), n, rate) > 1e-9) for rate in (up, down)]
    ups, downs = (counts.ravel() for counts in np.meshgrid(*spread))
    law = multinomial.pmf(np.stack([ups, downs, n - ups - downs], axis=-1), n, [up, down, 1 - up - down])
    low, high = tango(ups, downs, np.full(ups.size, n))
    inside = law[(low <= up - down) & (up - down <= high)].sum()
    assert round(100 * inside, 1) == covered
    assert f"{covered}%" in (Path(__file__).parents[2] / "docs/guide/matched-pairs.md").read_text()
