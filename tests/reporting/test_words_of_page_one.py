"""The words of page one: its title, directions of gaps, crossed groups that reverse an answer, columns as code."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pandas as pd

import fairstats
from fairstats.auditing.answer import answers
from fairstats.auditing.sentences import _opposite, headline, main_findings, page_one, reversals
from fairstats.estimates import Estimate
from fairstats.reporting.words import claim
from fairstats.text import percent

LABELS = {
    "unit": "defendants",
    "favorable": "were rated low risk",
    "unfavorable": "were rated high risk",
    "score": "the score",
    "groups": {"race": {"b": "Black", "w": "White"}, "sex": {"f": "women", "m": "men"}},
}


def rated(**cells: tuple[int, int]) -> pd.DataFrame:
    """People by race and sex (``bf``), of whom so many have a score of 5 or more."""
    rows = [(*cell, 7 if i < k else 2) for cell, (k, n) in cells.items() for i in range(n)]
    return pd.DataFrame(rows, columns=["race", "sex", "s"])


def audit(data: pd.DataFrame, **options: object) -> fairstats.Audit:
    options = {"labels": LABELS, "reference": {"race": "w", "sex": "m"}} | options
    return fairstats.audit(data, score="s", threshold=5, favorable=0, groups=["race", "sex"], **options)


REVERSED = {"bm": (700, 1000), "bf": (380, 800), "wm": (300, 1000), "wf": (330, 800)}


def test_a_metric_that_is_a_ratio_is_not_called_a_ratio_twice() -> None:
    row = Estimate("impact ratio", "g", "a", "ratio", "b")
    assert claim(row) == "Impact ratio: a against b (g)"
    assert claim(replace(row, metric="selection rate")) == "Selection rate, ratio: a against b (g)"


def test_where_a_crossed_group_reverses_an_answer_page_one_says_so() -> None:
    result = audit(rated(**REVERSED))
    sex = next(one for one in answers(result) if one.attribute == "sex")
    assert headline(result, [sex]).startswith("Women were rated high risk less often than men: 44.4% against 50.0%")
    (found,) = reversals(result, sex)
    text = found.text
    assert "mong White defendants the gap by sex " in text and " the other way round" in text
    assert " 41.3% of women and 30.0% of men were rated high risk" in text
    (row,) = result.estimates.where(
        attribute="race:sex", group="w:f", reference="w:m", contrast="difference", metric="selection rate", role="main"
    )
    assert text.endswith("; not settled).") == (row.verdict == "inconclusive")
    assert (", beyond chance: " in text) == (row.verdict == "disparity shown") == found.shown
    rest = result.estimates.where(contrast="none")
    (alone,) = reversals(replace(result, estimates=rest), sex)  # no row of the result is of that pair
    assert alone.text.endswith(" if tested alone).") and not alone.shown
    same = audit(rated(bm=(700, 1000), bf=(380, 800), wm=(400, 1000), wf=(290, 800)))
    assert not any(reversals(same, one) for one in answers(same))


def wilson(k: int, n: int) -> Estimate:
    p, z = k / n, 1.959964
    middle, half = p + z**2 / (2 * n), z * np.sqrt(p * (1 - p) / n + z**2 / (4 * n**2))
    ends = {"conf_low": (middle - half) / (1 + z**2 / n), "conf_high": (middle + half) / (1 + z**2 / n)}
    return Estimate("selection rate", estimate=p, **ends)


def test_where_nothing_differs_within_one_group_a_reversal_is_rarely_said() -> None:
    """Women are rated less often in all, among White defendants as often as men: 2.5% of 2,000 draws reverse that."""
    rng = np.random.default_rng(1)
    draws = ((wilson(rng.binomial(800, 0.35), 800), wilson(rng.binomial(1000, 0.35), 1000)) for _ in range(2000))
    assert sum(_opposite(row, base, -0.1) for row, base in draws) <= 75  # 50, and 3.6 of its standard errors


def test_the_title_says_the_system_and_who_was_decided_on() -> None:
    data = rated(**REVERSED)
    report = fairstats.report(audit(data, about={"system": "Screener", "version": "2"}))
    assert report.title == "Screener: defendants rated high risk, by race and sex"
    assert "<title>Screener: defendants rated high risk, by race and sex" in report.html
    assert "rated high risk = the score of 5 or more" in report.html
    assert fairstats.report(audit(data)).title == "Audit: defendants rated high risk, by race and sex"
    assert fairstats.report(audit(data, labels=None)).title == "Audit of s by race and sex"


def test_columns_are_code_and_no_line_names_an_argument() -> None:
    html = fairstats.report(audit(rated(**REVERSED), labels=None)).html
    assert "flagged = s of 5 or more" in html and " times as often as those with" in html
    assert "<code>race</code>" in html
    assert "`" not in re.sub(r"<script.*?</script>|<meta[^>]*>", "", html, flags=re.S)
    assert "labels=" not in html.partition("Scope and protocol")[0]


def test_a_gap_that_may_be_nothing_is_said_with_both_directions() -> None:
    result = audit(rated(bm=(400, 1000), bf=(310, 800), wm=(390, 1000), wf=(300, 800)))
    for one in answers(result):
        assert one.gap is not None and one.code == "inconclusive"
        low, high = one.gap.conf_low, one.gap.conf_high
        assert f"{percent(-low)} less to {percent(high)} more" in headline(result, [one])
        side = "less" if one.gap.estimate < 0 else "more"
        assert f"{percent(abs(one.gap.estimate))} percentage points {side} among " in headline(result, [one])


def test_shares_of_findings_are_those_of_the_table_and_what_is_shown_comes_first() -> None:
    rng = np.random.default_rng(5)
    data = pd.concat([rated(**REVERSED)] * 2, ignore_index=True)
    data["y"] = (rng.random(len(data)) < np.where(data.s >= 5, 0.6, 0.3) - 0.15 * (data.sex == "f")).astype(int)
    words = LABELS | {"positive": "were rearrested", "negative": "were not rearrested"}
    result = audit(data, outcome="y", labels=words)
    found = main_findings(result, page_one(result), answers(result))
    text = " ".join(f"{claim} {numbers}" for claim, numbers in found)
    assert "of 100" not in text and "positive prediction" not in text
    rates = {percent(r.estimate) for r in result.estimates.where(role="main", contrast="none") if r.status == "ok"}
    rates |= {percent(1 - r.estimate) for r in result.estimates.where(role="main", metric="selection rate")}  # flagged
    assert set(re.findall(r"([\d.]+)% (?:of|against)", text)) <= rates
    states = ["may be" in claim or "no difference is shown" in claim for claim, _ in found if "cannot all" not in claim]
    assert states == sorted(states)


def test_a_group_that_is_flagged_less_often_and_wrongly_more_often_is_not_left_with_the_better_sentence() -> None:
    rows = [("m", 500, 1000, 320, 150), ("f", 300, 1000, 120, 80)]  # flagged, all, right of those, missed of the others
    people = [
        (sex, 7 if i < flagged else 2, int(i < right or flagged <= i < flagged + missed))
        for sex, flagged, n, right, missed in rows
        for i in range(n)
    ]
    data = pd.DataFrame(people, columns=["sex", "s", "y"])
    options = {"outcome": "y", "score": "s", "threshold": 5, "favorable": 0, "reference": "m"}
    limits = {"known_limits": "arrests stand for <crimes>."}
    current = fairstats.audit(data, groups="sex", labels={"unit": "defendants"}, about=limits, **options)
    data["other"] = data["s"].where(data.index % 9 > 0, 9 - data["s"])
    thresholds = {"outcome": "y", "threshold": 5, "favorable": 0, "reference": "m"}
    models = fairstats.compare_models(data, ["s", "other"], "sex", **thresholds)
    numbers = list[int]()
    for beside in ([models], []):  # the point of the models comes first
        html = fairstats.report(current, *beside).html
        text = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", html))
        assert "Women were flagged less often than men: 30.0% against 50.0%" in text
        found = re.findall(r"<li[^>]*>.*?</li>", html.partition("Main findings")[2], flags=re.S)
        n = next(i for i, one in enumerate(found, 1) if "a smaller share of women than of men" in one)
        but = re.search(r"50\.0% \(but of women flagged a smaller share [^:)]*: finding (\d)\)", text)
        assert (int(but[1]) if but else None) == (n if n > 3 else None)  # the first three are read with the headline
        numbers.append(n)
        assert ("The audit of s: Women" in text) == bool(beside)
    assert numbers[0] == numbers[1] + 1
    assert text.count("Known limits, as declared: arrests stand for &lt;crimes&gt;.") == 1  # beside the answer
    long = fairstats.audit(data, groups="sex", about={"known_limits": "arrests stand for crimes; " * 9}, **options)
    text = re.sub(r"<[^>]+>", "", fairstats.report(long).html)
    assert text.index("Known limits (below) may change any number.") < text.index(
        "Known limits, as declared: arrests stand for"
    )
    data.loc[(data.sex == "f") & (data.s > 5), "y"] = 1  # those flagged are right more often
    better = fairstats.report(fairstats.audit(data, groups="sex", labels={"unit": "defendants"}, **options)).html
    assert "less often than men" in better and "(but of women" not in better


def test_known_limits_are_pointed_at_with_several_classes() -> None:
    data = pd.DataFrame({"sex": ["f", "m"] * 150, "d": ["yes", "no", "later"] * 100})
    first = fairstats.report(fairstats.audit(data, "d", "sex", about={"known_limits": "one year"}))
    assert "Known limits, as declared: one year." in first.contents.context["findings"]["paragraphs"][-1].text


def test_under_the_false_discovery_rate_no_number_of_comparisons_is_said() -> None:
    cells = {"bm": (700, 1000), "bf": (300, 800), "wm": (400, 1000), "wf": (320, 800)}  # one of three is flagged
    result = audit(rated(**cells), p_adjust="bh")
    report = fairstats.report(result)
    points = dict(report.contents.context["findings"]["points"])
    said = r"Gap 30\.0 points \([\d.]+ to [\d.]+, adjusted for the false discovery rate\)"
    assert re.search(said, " ".join(points.values()))
    text = re.sub(r"<[^>]+>", "", report.html)
    assert "Intervals are adjusted for the false discovery rate." in text
    assert "Intervals of differences are adjusted for" not in text and "those tested together have" not in text
