"""Page one of audits of people: each test reads the page for a fault that a clerk or a compliance officer named."""

from __future__ import annotations

import re
import subprocess
from functools import cache

import numpy as np
import pandas as pd
import pytest

import fairstats
from benchmarks import gallery
from fairstats.auditing.answer import answers, decisions_beside
from fairstats.auditing.result import Audit
from fairstats.reporting import render
from fairstats.reporting.bundle import gather
from fairstats.reporting.sections.methods import intervals
from fairstats.reporting.sections.page_one import findings
from tests.reporting.reader import texts

SAID = {"unit": "applicants", "favorable": "were approved", "unfavorable": "were refused"}


def read(result: object, **options: object) -> str:
    """All texts of a report in a line."""
    html = fairstats.report(result, **options).html  # type: ignore[arg-type]
    return " ".join(" ".join(text for _, text in texts(html)).replace("\N{NO-BREAK SPACE}", " ").split())


def page_one(result: Audit, **options: object) -> str:
    return read(result, **options).partition("Scope and protocol")[0]


def counted(cells: dict[tuple[str, str], tuple[int, int]]) -> pd.DataFrame:
    """People by sex and race, of each cell so many, of whom so many have the decision."""
    rows = [(sex, race, int(i < k)) for (sex, race), (k, n) in cells.items() for i in range(n)]
    return pd.DataFrame(rows, columns=["sex", "race", "d"])


@cache
def scored() -> pd.DataFrame:
    """Three groups that differ in scores and outcomes."""
    rng, n = np.random.default_rng(3), 3000
    race = rng.choice(["African-American", "Caucasian", "Hispanic"], n, p=[0.5, 0.3, 0.2])
    chance = np.where(race == "African-American", 0.6, 0.35)
    outcome = (rng.random(n) < chance).astype(int)
    score = rng.integers(1, 8, n) + 2 * outcome + (race == "African-American")
    return pd.DataFrame({"race": race, "y": outcome, "s": score})


@cache
def flagged() -> Audit:
    return fairstats.audit(scored(), groups="race", outcome="y", score="s", threshold=6, favorable=0)


def test_the_largest_group_is_named_as_people_and_the_others_without_their_noun() -> None:
    text = page_one(flagged())
    assert re.search(
        r"African-American people, the largest group by race, were flagged more often \([\d.]+%\) than", text
    )
    assert re.search(r"than every other group: Caucasian \([\d.]+%\) and Hispanic \(", text)  # the larger first


def test_an_outcome_without_words_is_named_by_its_column_where_it_is_first_spoken_of() -> None:
    text, shares = page_one(flagged()), scored().groupby("race").y.mean()
    said = f"{100 * shares['African-American']:.1f}% of African-American people had the outcome, against"
    assert re.search(rf"{said} .*?, a gap of [\d.]+ to [\d.]+ points\.", text)
    assert "outcome: y = 1 ·" in text and "Of those who had the outcome," in text


def test_gaps_in_decisions_stand_beside_those_in_outcomes_with_the_limits_of_their_difference() -> None:
    shares, text = scored().groupby("race").agg(d=("s", lambda s: (s >= 6).mean()), y=("y", "mean")), read(flagged())
    apart = shares.loc["Caucasian"] - shares.loc["African-American"]
    ratios = shares.loc["Caucasian"] / shares.loc["African-American"]
    numbers = f"{100 * apart.d:.1f} {100 * apart.y:.1f} {100 * (apart.d - apart.y):.1f} "
    line = rf"Caucasian against African-American {numbers}(\S+ to \S+) {ratios.d / ratios.y:.2f} "
    assert re.search(line, text.replace("−", "-"))


def test_the_theorem_is_cited_where_it_is_said_and_listed_where_it_is_cited() -> None:
    text = page_one(flagged())
    assert "the share of those flagged who had the outcome equal in all of them (Chouldechova 2017)" in text
    premise = "all three errors can be equal only if there are no false alarms (Chouldechova 2017)"
    assert premise not in text and premise in read(flagged())
    source = "Chouldechova, A. (2017). Fair prediction with disparate impact: a study of bias in recidivism prediction "
    assert source + "instruments. Big Data 5, 153-163." in read(flagged())
    (plain,) = gallery.loans()  # decisions alone
    assert "Chouldechova" not in read(plain)


def test_a_method_has_each_interval_and_test_once() -> None:
    lines = intervals(flagged().estimates)
    assert len(lines) > 4
    for name, text in lines:
        steps = text.removeprefix("Method: ").rstrip(".").split("; ")
        assert len(steps) == len(set(steps)), (name, text)


CELLS = {  # approved, people: men 26%, women 9%; of White people 21%, Black 8%, Asian 28%, others in between
    ("m", "White"): (1600, 6000), ("f", "White"): (260, 2700), ("m", "Black"): (60, 500), ("f", "Black"): (20, 480),
    ("m", "Asian"): (80, 220), ("f", "Asian"): (14, 110), ("m", "Other"): (6, 40), ("f", "Other"): (3, 37),
}  # fmt: skip


@cache
def lent() -> Audit:
    reference = {"sex": "m", "race": "White"}
    options = {"favorable": 1, "margin": 0.05, "reference": reference, "labels": SAID, "action_plan": True}
    return fairstats.audit(counted(CELLS), "d", ["sex", "race"], **options)  # type: ignore[arg-type]


def test_a_further_gap_has_its_direction_and_what_is_open_of_it_in_the_table() -> None:
    text = page_one(lent())
    assert "Both gaps exceed the margin, the 5 percentage points that this audit treats as small." in text
    assert re.search(r"Asian \(28.\d%\): approved more often than .+?\.", text)
    rows = lent().estimates.only(metric="selection rate", attribute="race", contrast="difference", group="Asian")
    assert rows[0].verdict == "disparity shown" and rows[0].conf_low < 0.05  # beyond chance, not beyond the margin
    line = r"Asian 330 28\.5 .*?\+7\.\d \([\d.]+ to [\d.]+\) size open"  # 94 of 330
    assert re.search(line, text)
    assert "Gray: the margin (of this audit, not of law). Size open: beyond chance, perhaps within the margin." in text


def test_the_table_for_decision_names_what_is_shown_and_has_no_line() -> None:
    text = page_one(lent())
    assert "Beyond chance, too" not in text  # others have a line, or fare better
    gap = 100 * (1600 / 6000 - 20 / 480)
    assert f"Gap, Black women to White men −{gap:.1f} points, beyond margin" in text
    text = page_one(fairstats.audit(REGIONS, "d", "region", favorable=1, reference="a", action_plan=True))
    assert "Gap, c −30.0 points" in text and "Gap, d −20.0 points" in text and "Gap, e" not in text
    assert " higher, beyond chance" in text  # of e in the table of groups
    (loans,) = gallery.loans(labels=gallery.APPLICANTS, action_plan=True)
    assert "Beyond chance, too: " not in page_one(loans)  # whose one gap has its line


REGIONS = pd.DataFrame(
    [(name, int(i < k)) for name, k in (("a", 500), ("c", 200), ("d", 300), ("e", 700)) for i in range(1000)],
    columns=["region", "d"],
)


def crossed(people: pd.DataFrame, decided: pd.Series, columns: list[str]) -> pd.Series:
    return decided.groupby([people[name] for name in columns]).mean()


MEETING = {"second-attribute": ("sex", "ethnicity"), "four-fifths": ("sex", "race")}


@pytest.mark.parametrize("kind", MEETING)
def test_page_one_says_what_holds_where_two_attributes_meet(kind: str) -> None:
    one, other = MEETING[kind]
    (result,) = gallery.KINDS[kind].results()
    text = page_one(result, **gallery.KINDS[kind].options)
    cells = [cell for cell in result.cells if result.protocol.is_crossed(cell.attribute)]
    assert len(cells) == 6
    nouns = {"Male": "men", "Female": "women"}
    named = {cell.favorable / cell.n: cell.group.split(":") for cell in cells}
    (low, first), (high, second) = ((p, f"{named[p][1]} {nouns[named[p][0]]}") for p in (min(named), max(named)))
    (reference,) = (p for p, labels in named.items() if labels == ["Female", "White"])
    rates = f"{100 * low:.1f}% of {first} against {100 * reference:.1f}% of White women were"
    assert f"{one.capitalize()} and {other} together: {rates}" in text
    apart = result.estimates.only(metric="selection rate", contrast="difference", role="main", given="")
    shown = [row for row in apart if result.protocol.is_crossed(row.attribute) and row.verdict == "disparity shown"]
    assert {row.group.split(":")[1] for row in shown} == {"Black"} and len(shown) == 2
    less = r"2 groups were (approved|hired) less often than White women \([\d.]+%\); not settled for 3 groups"
    assert re.search(less, read(result))  # over their table
    if kind == "four-fifths":
        assert (
            f"Where sex and race meet, {sum(rate < 0.8 * high for rate in named)} of 5 ratios to the highest rate are "
            f"below 0.80, the lowest {low / high:.2f}: {first} to {second}." in text.partition("Table 1")[0]
        )
        assert "By sex and race, each by itself, no other group is below 0.80." in text and low / high < 0.8
        (row,) = result.estimates.only(metric="impact ratio", attribute="race", group="Black", role="main", given="")
        assert 0.795 < row.conf_high < 0.805
        said = "is shown to be below" if row.conf_high < 0.8 else "is not settled"
        assert said in text.partition("true ratio")[2][:40] and f"to {row.conf_high:.3f}, adjusted" in text


def test_beside_a_difference_that_is_shown_the_groups_that_are_open_are_named() -> None:
    (loans,) = gallery.loans(labels=gallery.APPLICANTS)
    assert re.search(r"Asian [\d,]+ 58\.7 \S+ \([^)]*\) not settled", page_one(loans))


def test_people_short_of_the_highest_rate_are_not_those_of_page_one_and_the_note_says_so() -> None:
    best = scored().assign(spared=scored().s < 6).groupby("race").spared.mean().idxmax()
    assert best != "African-American"
    note = f"People are counted from the rate of {best}; page one compares with African-American."
    assert note in read(flagged())


def test_a_change_is_of_how_often_what_happened_and_its_interval_stands_beside_it() -> None:
    text = read(*gallery.change())
    assert "The gap in the share who were shortlisted between women and men narrowed from 13.7 to 5.4" in text
    assert "In both audits the rate of women is the lower one." in text
    assert "For women it was 26.9% in the earlier audit and 34.8% in the later one; for men 40.7% and 40.2%." in text
    assert "+8.4 (3.9 to 12.8)" in text


PUBLISHED = [name for name in ("compas", "compas-labels", "adult") if name in gallery.available()]


@pytest.mark.skipif(not PUBLISHED, reason="FAIRSTATS_DATA names no folder with the data")
@pytest.mark.parametrize("kind", PUBLISHED)
def test_page_one_of_published_data_has_all_that_belongs_to_it(kind: str, tmp_path) -> None:
    of, file = gallery.KINDS[kind], tmp_path / "one.pdf"
    html = fairstats.report(*of.results(), **of.options).html
    alone = html[: html.index('<section id="protocol"')] + html[html.index("</main>") :]
    file.write_bytes(render.pdf(alone, (), "2024-01-01T00:00:00+00:00", "id"))
    first = subprocess.run(["pdftotext", "-l", "1", file, "-"], check=True, capture_output=True).stdout.decode()
    assert not re.search(r"[a-z0]\.(Race|Sex|Other)\b", first)  # the parts of the answer run on, a blank between them
    for heading in ("Main findings", "Every group", "What this does not show", "Before you rely on it"):
        assert heading in first, heading
    assert "had the outcome" not in first
    wanted = {  # of the table of ProPublica: 1,901 of 3,696 Black, 966 of 2,454 White defendants were rearrested
        "compas": (
            "American defendants were rearrested, against 39.4% (Caucasian), 36.4% "
            "(Hispanic) and 35.3% (Other), a smaller gap: 12.1 to 16.2 points.",
            "Race: 4 gaps of 24.0 to 37.9 percentage points, each beyond chance",
            "Missed cases are less frequent among African-American defendants than in 3 of 5 other groups. Of those "
            "who were rearrested, ",
            # 498 of 1395 and 2752 of 5819 people; flagged 591 and 2726
            "Sex: a gap of about 4.5 percentage points (95% interval 0.6 to 8.3). 35.7% of women and 47.3% "
            "of men were rearrested, a larger gap: 11.6 points.",
            "else not settled. 95% intervals, adjusted for 6 comparisons.",
            "against 23.5% (Caucasian), 21.5% (Hispanic), 14.8% (Other) and 2 of 23 (Asian).",
        ),
        "compas-labels": (  # screened before April 2014: 1,340 of 3,134 Black, 643 of 2,130 White were rearrested
            "(95% interval 21.2 to 28.3). 42.8% of Black and 30.2% of White defendants were rearrested: "
            f"{1340 / 3134 / (643 / 2130):.1f} times as often, a gap of {100 * (1340 / 3134 - 643 / 2130):.1f} points. "
            "At the rate of White defendants, 776 fewer Black defendants would have been rated medium or high risk "
            "(arithmetic only). Other race (19.7%): rated medium or high risk less often than White "
            "defendants.",
            "56.5% against 31.8%. By sex the gap is much smaller: 39.9% of women against 44.2% of men. Race:",
            "26.1% of women and 38.7% of men were rearrested, a larger gap: 12.6 points. Of those rated medium or "
            "high risk, a smaller share of women than of men were rearrested (finding 3). Known limits",
            "Known limits, as declared: people scored after March 2014 are left out: the file lacks "
            "nearly all of them not rearrested. Main findings",
            "Of those who were not rearrested, 44.9% of Black and 23.4% of White defendants were",
            "(gap 21.5 points, 17.2 to 25.7). Tentative: Other race (14.8%), less than White defendants. 2.",
            "48.8% of White and 27.8% of Black defendants were rated low risk (gap 21.0 points, 14.9 to 27.1). "
            "Other race (68%): more than White defendants. 3.",
            "were rearrested: 40.4% against 55.0% (gap 14.6 points, 8.0 to 21.0). 4.",
            "Race and sex together: 58.1% of Black men against 30.4% of White men were rated medium or high risk. Gap "
            "about 27.6 points (23.3 to 31.8); 46.0% against 31.7% were rearrested. "
            "Other combinations rated medium or high risk less often than White men, beyond chance: 2; more often: 1.",
            "Tentative: of those who were rated medium or high risk, perhaps a smaller share of White than of Black "
            "defendants were rearrested: 48.6% against 54.6% (gap 6.0 points, 0.02 to 11.9).",
            "Where groups differ in how many were rearrested, a rule with both kinds of error cannot make false "
            "alarms, missed cases and the share of those rated medium or high risk who were rearrested equal in all "
            "of them (Chouldechova 2017); which should be equal is for law or policy.",
            "Filled dot: differs beyond chance; else not settled. † Tentative: its interval leaves out 0, but of "
            "several rates compared in addition to the gap one may differ this much by chance. 95% intervals, "
            "adjusted for 6 comparisons. Gaps: of unrounded rates.",
            "Not named: auditor, reviewer and approver.",
            "Nothing shows that the groups, headline comparison and cut-off were fixed before the data were seen.",
            "Cut-offs, each tested by itself: a gap at all 9 tried (race), 8 of 9 (sex)",
            "Who is missing; how race and sex were recorded, and whether they entered the score.",
            "Gaps: of unrounded rates.",
            "That groups whose gap is not settled are treated alike: nobody set beforehand how small a gap does not "
            "matter.",
        ),
        "adult": (
            "25.9% against 8.7%. White people were approved about 2.6 times as often as Black people: 21.5% "
            "against 8.1%. Both gaps exceed the margin, the 5 percentage points that this audit treats as small.",
            "(95% interval 15.3 to 19.0). 31.3% of men and 11.6% of women earn over $50,000: 2.7 times "
            "as often, a gap of 19.7 points. At the rate of men, 591 more women would have been approved "
            "(arithmetic only).",
            "26.4% of White and 13.0% of Black people earn over $50,000: 2.0 times as often, a gap of 13.4 points. At "
            "the rate of White people, 131 more Black people would have been approved (arithmetic only). Asian "
            "or Pacific (28.4%): approved more often than White people; American Indian (9.9%): less often.",
            "Sex and race together: 3.7% of Black women against 26.8% of White men were approved. Gap about 23.0 "
            "points (19.6 to 25.5); 6.2% against 32.4% earn over $50,000. Other combinations "
            "approved less often than White men, beyond chance: 5; more often: 1.",
            "Tentative: refusals of higher earners may be more frequent among women than men and among Black "
            "than White people. Of those who earn over $50,000, 46.3% of women (185 of 400) and "
            "38.6% of men were refused (gap 7.7 points, 0.8 to 14.7). By race: 51.6% of Black "
            "(66 of 128) and 39.5% of White people (gap about 12.0 points, 0.6 to 23.4).",
            "Men 6.9; White 5.4, size open",
            "† More refusals of higher earners",
            "Women 7.7; Black 12.0",
            "Whether “earn over $50,000” is the right measure for this use, and recorded alike in all groups.",
            "Approvals of lower earners are about 3.5 times as frequent among men as among women. Of those who earn "
            "up to "
            "$50,000, 9.7% of men and 2.8% of women were approved",
            "Where groups differ in how many earn over $50,000, a rule with both kinds of error cannot make approvals "
            "of lower earners, refusals of higher earners and the share of those approved who earn over $50,000 equal "
            "in all of them (Chouldechova 2017); which should be equal is for law or policy.",
            "Also compared, not settled: the share of those approved who earn over $50,000 (Women 71.9%, Men 74.3%; "
            "Black 78% (62 of 80), White 74.3%).",
            "Whether the law on credit (12 CFR 1002) was kept: not tested. Grounds other than sex and race were not "
            "examined.",
            "−11.6 points, size open",
            "Would more data settle its size?",
            "(gap 6.9 points, 5.6 to 8.3; beyond margin). By race: 7.5% of White and 2.1% of Black people (gap 5.4 "
            "points, 3.6 to 6.7; size open: perhaps within the margin).",
            "Not settled, under 100 people: Other race (77). Gaps not listed: Asian or Pacific (approved more "
            "often); other combinations.",
            "Gap, Women",
            "−13.4 points, beyond margin",
            "Can a model as accurate have less gap?",
            "Is this combination looked at by itself?",
        ),
    }
    line = " ".join(first.split())
    for text in wanted[kind]:
        assert text in line, text
    assert line.count("arithmetic only") == {"compas": 0, "compas-labels": 1, "adult": 2}[kind]
    later = " ".join(re.sub(r"<[^>]+>", " ", html[html.index('<section id="protocol"') :]).split())
    reversal = "Among White defendants the gap by sex may be the other way: 36.3% of women, 30.4% of men (not settled)."
    assert (reversal in later) == (kind == "compas-labels") and reversal not in line


@pytest.mark.skipif("compas-labels" not in PUBLISHED, reason="FAIRSTATS_DATA names no folder with the data")
def test_what_is_for_decision_is_the_gaps_then_the_findings() -> None:
    reference = {"race": "Caucasian", "sex": "Male"}
    headline = {"race": ["African-American", "Caucasian"]}
    line = page_one(
        *gallery.compas_of_two_years(
            labels=gallery.DEFENDANTS, headline=headline, reference=reference, action_plan=True
        )
    )
    for text in (
        "Gap, Black men to White men",
        "More missed cases White 21.0; Other race ",
        "Fewer rearrested, of those rated medium or high risk Women 14.6; † White 6.0",
        "Gaps not listed: Women and Other race (rated medium or high risk less often); other combinations.",
    ):
        assert text in line, text


def with_outcomes(black: int, white: int) -> str:
    """Page one where 600 of 1,000 Black and 400 of 1,000 White people were approved, and so many paid back."""
    cells = ("B", 600, black), ("W", 400, white)
    rows = [(race, int(i < k), int(i >= 1000 - y)) for race, k, y in cells for i in range(1000)]
    labels = SAID | {"positive": "paid back", "negative": "did not pay back"}
    data = pd.DataFrame(rows, columns=["race", "d", "y"])
    options = {"outcome": "y", "labels": labels, "reference": {"race": "W"}, "favorable": 1}
    return page_one(fairstats.audit(data, "d", "race", **options))  # type: ignore[arg-type]


@pytest.mark.long
@pytest.mark.parametrize(
    ("black", "white", "text"),
    [
        (850, 400, "paid back, a larger gap: 45.0 points."),
        (480, 400, "paid back, a smaller gap: 8.0 points."),
        (640, 400, "paid back, a gap of 24.0 points."),
        (330, 130, "paid back, a gap of 20.0 points."),
        (400, 500, "paid back, a gap the other way: 10.0 points."),
        (410, 400, "paid back: a difference is not shown."),  # may be alike
    ],
)
def test_outcomes_are_compared_with_the_gap_where_their_interval_says_so(black: int, white: int, text: str) -> None:
    page = with_outcomes(black, white)
    assert text in page and f"{black / 10:.1f}% of " in page and f"{white / 10:.1f}% of " in page


@pytest.mark.parametrize(("men", "women", "text"), [(3400, 700, "4.9 times as often, a gap of 27.0"),
                                                    (3400, 1400, "2.4 times as often, a gap of 20.0")])  # fmt: skip
def test_where_decisions_are_told_in_times_outcomes_are_in_times_and_points(men: int, women: int, text: str) -> None:
    """26% against 9% are 2.9 times, 17 points: 34% against 14% 2.4 times, and 20 points."""
    cells = ("m", 2600, men), ("f", 900, women)
    rows = [(sex, int(i < k), int(i >= 10000 - y)) for sex, k, y in cells for i in range(10000)]
    labels = SAID | {"positive": "paid back", "negative": "did not pay back"}
    data = pd.DataFrame(rows, columns=["sex", "d", "y"])
    options = {"outcome": "y", "labels": labels, "reference": {"sex": "m"}, "favorable": 1}
    page = page_one(fairstats.audit(data, "d", "sex", **options))  # type: ignore[arg-type]
    assert "almost three times as often" in page and f"paid back: {text} points." in page


def test_without_intervals_nothing_is_said_of_the_difference_of_two_gaps() -> None:
    """Holm's steps have none where there are several comparisons."""
    cells = ("B", 600, 640), ("W", 400, 400)
    rows = [(race, i % 2, int(i < k), int(i >= 1000 - y)) for race, k, y in cells for i in range(1000)]
    data = pd.DataFrame(rows, columns=["race", "side", "d", "y"])
    labels = SAID | {"positive": "paid back", "negative": "did not pay back"}
    options = {"outcome": "y", "labels": labels, "reference": {"race": "W"}, "favorable": 1, "law": "credit"}
    with_limits, without = (
        page_one(fairstats.audit(data, "d", ["race", "side"], p_adjust=rule, **options))  # type: ignore[arg-type]
        for rule in ("bonferroni", "holm")
    )
    assert all("paid back, a gap of 24.0 points." in text for text in (with_limits, without))


def test_a_group_whose_outcomes_differ_the_other_way_is_named() -> None:
    cells = ("A", 1000, 620, 380), ("B", 600, 240, 330), ("C", 400, 140, 110)  # people, approved, paid back
    rows = [(race, int(i < k), int(i >= n - y)) for race, n, k, y in cells for i in range(n)]
    data = pd.DataFrame(rows, columns=["race", "d", "y"])
    labels = SAID | {"positive": "paid back", "negative": "did not pay back"}
    text = page_one(fairstats.audit(data, "d", "race", outcome="y", labels=labels, favorable=1, positive=1))
    assert re.search(r"38\.0% of .* paid back, against 27\.5% \(C\), a smaller gap: 10\.5 points\.", text)
    assert re.search(r"38\.0% of .* paid back, against 55\.0% \(B\), a gap the other way: 17\.0 points", text)


def test_decisions_and_outcomes_of_the_same_people_are_compared_person_by_person() -> None:
    """Beside what each person adds to the difference of both gaps, and to that of the logarithms of both ratios."""
    rng = np.random.default_rng(4)
    found = set()
    for kept, given in (
        ((0.9, 0.9), 0.0),
        ((0.5, 0.5), 0.3),
        ((0.4, 0.7), 0.0),
        ((0.5, 0.99), 0.05),
        ((0.85, 0.94), 0),
    ):
        race = np.repeat(["B", "W"], [3000, 5000])
        y = rng.random(8000) < np.where(race == "B", 0.2, 0.5)
        d = np.where(y, rng.random(8000) < np.where(race == "B", *kept), rng.random(8000) < given)
        data = {"race": race, "d": d.astype(int), "y": y.astype(int)}
        audit = fairstats.audit(data, "d", "race", outcome="y", reference={"race": "W"}, favorable=1, positive=1)
        rows = audit.estimates.only(contrast="difference", role="main", given="")
        result = decisions_beside(
            audit, *(next(r for r in rows if r.metric == m) for m in ("base rate", "selection rate"))
        )
        for at, moves in enumerate(((1.0, 1.0), None)):
            value = variance = 0.0
            for group, sign in (("B", -1), ("W", 1)):
                D, Y = d[race == group], y[race == group]
                by_d, by_y = moves or (1 / D.mean(), 1 / Y.mean())
                value += sign * ((D.mean() - Y.mean()) if moves else np.log(D.mean() / Y.mean()))
                variance += np.var(D * by_d - Y * by_y) / len(D)
            z = value / variance**0.5
            assert not 1.7 < abs(z) < 2.2  # far from the line, where both ways to compute have to agree
            expected = "" if abs(z) < 1.96 else "more" if z > 0 else "less"
            assert (result.points, result.ratio)[at].replace("opposed", "") == expected
            half, ends = 1.96 * variance**0.5, (result.difference, tuple(np.log(result.factor)))[at]
            assert ends == pytest.approx((-value, -value - half, -value + half), abs=0.05 * half)
            found.add((at, expected))
    assert len(found) == 6


SIZES = [(40, 60, 0.5, 0.2), (200, 1000, 0.3, 0.5), (1000, 1000, 0.1, 0.3)]
CASES = [("anew", *size, follows) for size in SIZES for follows in (0.0, 0.5, 0.9)]  # the share decided by outcome
# of those with the outcome some are refused: equal gaps by as many points in both groups, equal ratios by one share
CASES += [
    ("points", 30, 1000, 0.8, 0.3, 0.05),
    ("points", 200, 1000, 0.6, 0.4, 0.02),
    ("points", 60, 60, 0.8, 0.3, 0.2),
]
CASES += [
    ("ratios", 30, 1000, 0.1, 0.1, 0.1),
    ("ratios", 40, 1000, 0.2, 0.4, 0.1),
    ("ratios", 200, 1000, 0.1, 0.5, 0.5),
]


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "n", "of", "p", "q", "share"), CASES)
def test_equal_gaps_of_decisions_and_outcomes_are_seldom_said_to_differ(kind, n, of, p, q, share) -> None:
    rng = np.random.default_rng(n + of)
    claims = 0
    for _ in range(300):
        race = np.repeat(["B", "W"], [n, of])
        chance, drawn = np.where(race == "B", p, q), rng.random((2, n + of))
        outcome = drawn[0] < chance
        refused = drawn[1] < (share if kind == "ratios" else share * p / chance)
        anew = np.where(rng.random(n + of) < share, outcome, drawn[1] < chance)
        decision = anew if kind == "anew" else outcome & ~refused
        data = {"race": race, "d": decision.astype(int), "y": outcome.astype(int)}
        audit = fairstats.audit(data, "d", "race", outcome="y", reference={"race": "W"}, favorable=1, positive=1)
        rows = audit.estimates.only(contrast="difference", role="main", given="")
        outcomes, gap = (next(row for row in rows if row.metric == m) for m in ("base rate", "selection rate"))
        found = decisions_beside(audit, outcomes, gap)
        claims += (found.ratio if kind == "ratios" else found.points) in ("more", "less")
    assert claims <= 0.06 * 300 + 2 * (300 * 0.06 * 0.94) ** 0.5


CROWD = {
    ("m", "White"): (700, 1000), ("f", "White"): (500, 1000), ("m", "Black"): (300, 900), ("f", "Black"): (200, 900),
    ("m", "Asian"): (20, 50), ("f", "Asian"): (0, 12),
}  # fmt: skip


def test_a_range_of_rates_says_which_groups_it_leaves_out() -> None:
    shown = fairstats.audit(counted(CROWD), "d", ["sex", "race"], favorable=1, labels=SAID)
    named = fairstats.audit(counted(CROWD), "d", ["sex", "race"], intersections=["sex:race"], favorable=1, labels=SAID)
    wide = "Rates of groups of 100 people or more: 22.2% (Black women) to 70.0% (White men)."
    assert wide in page_one(named) and wide not in page_one(shown)  # of combinations that are a declared question
    alike = {group: (n // 2 + i if n > 12 else 6, n) for i, (group, (_, n)) in enumerate(CROWD.items())}
    result = fairstats.audit(counted(alike), "d", ["sex", "race"], favorable=1, labels=SAID)
    said = "from 50.0% of White men to 58% (29 of 50) of Asian men were approved, in groups of 30 people or more."
    assert f"together: {said}" in page_one(result)  # of Asian women 6 of 12
    small = fairstats.audit(counted(alike | {("f", "Asian"): (12, 12)}), "d", ["sex", "race"], favorable=1, labels=SAID)
    assert "together: 100% (12 of 12) of Asian women against 50.1% of White women were approved." in page_one(small)
    assert ", in Gruppen ab 30 Personen. " in read(result, language="de")
    (loans,) = gallery.loans(labels=gallery.APPLICANTS)
    assert "leaves out" not in page_one(loans)


def test_the_table_for_decision_does_not_close_what_page_one_leaves_open() -> None:
    (result,) = gallery.KINDS["equivalence"].results()
    text = page_one(result, **gallery.KINDS["equivalence"].options)
    assert "Every gap by gender and age within the margin" in text
    assert "Gaps where gender and age meet 2 of 3 not settled" in text


def test_every_highest_rate_of_the_ratios_is_named() -> None:
    (result,) = gallery.KINDS["four-fifths"].results()
    assert "1.00" in page_one(result) and "Highest:" not in page_one(result)  # the table has those whose ratio is 1
    (credit,) = gallery.loans(labels=gallery.APPLICANTS, law="credit")
    assert "Highest: Women." not in page_one(credit)


def test_one_rate_has_one_name_after_page_one() -> None:
    (loans,) = gallery.loans(labels=gallery.APPLICANTS)
    text = read(loans)
    assert "Share who were approved: how large a gap this audit would have found" in text
    assert "Selection rate: how large" not in text and "would have been selected" not in text
    (hired,) = gallery.KINDS["four-fifths"].results()
    assert "Selection rate by race: ratios to the highest" in read(hired)  # as the rule of four fifths calls it


def test_the_page_of_pay_speaks_of_what_people_earn() -> None:
    (result,) = gallery.KINDS["pay"].results()
    text = read(result)
    assert text.startswith("Audit: what employees earn per hour, by sex") and "Audit of hourly" not in text
    plain = "without regard to grade, women earn 9.4% less per hour than men (95% confidence interval 8.2% to 10.6%)"
    assert f"{plain}: mean 20.66 against" in text and text.index(plain) > text.index("veraged over the strata of grade")
    assert "a gap within the margin of 5% (90%" in text and "A gap remains, though within the margin" in text
    table = text.partition("in every stratum of grade")[2].partition("Every stratum by itself")[0]
    assert "beyond or within" in table and "shown" not in table.replace("beyond or within", "")
    assert "was employees earn per hour, nach" in read(result, language="de")


def test_each_attribute_begins_with_its_name_and_a_title_is_no_column() -> None:
    rng, n = np.random.default_rng(3), 3000
    data = pd.DataFrame({"race": rng.choice(["a", "b", "c"], n), "sex": rng.choice(["men", "women"], n)})
    data["raw_score"] = rng.integers(1, 11, n) + 2 * (data.race != "a") + (data.sex == "men")
    roles = {"score": "raw_score", "threshold": 6, "favorable": 0, "labels": {"unit": "defendants"}}
    html = fairstats.report(fairstats.audit(data, groups=["race", "sex"], **roles)).html
    head, rest = html[html.index("<h1") :].split('class="answer"', 1)
    assert "raw_score" not in head and "defendants flagged, by race and sex" in head and "score of 6 or more" in head
    assert "<strong>Sex</strong>: " in rest and ">Race" in rest


def test_page_one_says_that_people_are_sums_of_weights() -> None:
    rng, n = np.random.default_rng(1), 800
    data = pd.DataFrame({"sex": rng.choice(["men", "women"], n), "w": rng.choice([2, 120], n)})
    data["hired"] = rng.choice(["yes", "no"], n)
    kept = fairstats.audit(data, "hired", "sex", favorable="yes", weights="w", weight_type="probability")
    said = f"Audit of 800 people, who stand for {data.w.sum():,} (sum of their weights)"
    note = "Numbers of people are sums of weights. Rows behind them, by sex"
    html, german = (fairstats.report(kept, language=tongue).html for tongue in ("en", "de"))
    assert said in html and note in html and "Summe ihrer Gewichte" in german
    counted = fairstats.report(fairstats.audit(data, "hired", "sex", favorable="yes", weights="w")).html
    assert "sum of their weights" not in counted and note not in counted


@pytest.fixture(scope="module")
def lent_by_branch() -> pd.DataFrame:
    """People of three regions in two branches: outcomes and decisions differ by region, and not by sex."""
    rng = np.random.default_rng(11)
    n = 4000
    data = pd.DataFrame({"sex": rng.choice(["F", "M"], n), "region": rng.choice(list("ABC"), n)})
    data["branch"] = rng.choice(["x", "y"], n)
    data["y"] = (rng.random(n) < 0.5 + 0.15 * (data.region == "A")).astype(int)
    data["d"] = (rng.random(n) < 0.3 + 0.3 * data.y + 0.1 * (data.region == "A")).astype(int)
    return data


ASKED = {"outcome": "y", "favorable": 1, "positive": 1, "reference": {"sex": "M", "region": "B"}}


def test_beside_a_gap_within_strata_outcomes_are_said_to_be_without_regard_to_them(lent_by_branch) -> None:
    groups = ["region", "sex"]
    plain, within = (
        page_one(fairstats.audit(lent_by_branch, "d", groups, **ASKED, **more)) for more in ({}, {"strata": "branch"})
    )
    assert "without regard to" not in plain
    assert re.search(r"[\d.]+% of [^%]*% of [^.]*, [^.]*gap[^.]*\.[^.]*\. These rates are without regard to", within)


@pytest.mark.parametrize("p_adjust", ["bonferroni", "holm"])  # with intervals, and without
def test_outcomes_are_said_to_differ_where_they_do_whatever_the_adjustment(lent_by_branch, p_adjust: str) -> None:
    text = page_one(fairstats.audit(lent_by_branch, "d", ["region", "sex"], **ASKED, p_adjust=p_adjust))
    assert re.search(r", a (smaller |larger )?gap ", text) and ": a difference is not shown." in text
    assert " equal in all of them (Chouldechova" in text
    alike = lent_by_branch.assign(y=np.tile([0, 1, 1, 0, 1], 800))
    text = page_one(fairstats.audit(alike, "d", ["region", "sex"], **ASKED, p_adjust=p_adjust))
    assert text.count(": a difference is not shown.") == 2 and "equal in all of them" not in text


def test_of_predictive_values_it_is_counted_from_how_many_groups_the_largest_differs() -> None:
    cells = {"A": (800, 640), "B": (800, 480), "C": (800, 628)}  # flagged, right when flagged
    rows = [(g, 1, int(i < k)) for g, (n, k) in cells.items() for i in range(n)]
    rows += [(g, 0, int(i < 300)) for g, n in {"A": 900, "B": 2000, "C": 2000}.items() for i in range(n)]
    data = pd.DataFrame(rows, columns=["g", "d", "y"])
    data = pd.concat([data, data[data.g == "A"].assign(d=0).head(1500)])
    text = page_one(fairstats.audit(data, "d", "g", outcome="y", favorable=1, positive=1))
    assert "more often than 1 of 2 other groups." in text or "less often than 1 of 2 other groups." in text


@pytest.mark.parametrize(("women", "smaller"), [(560, True), (360, False)])  # of 1000; 600 of 1000 men, 150 of 600 B
def test_a_gap_of_at_most_half_the_first_is_called_much_smaller(women: int, smaller: bool) -> None:
    rows = [("W", "f", int(i < women)) for i in range(1000)] + [("W", "m", int(i < 600)) for i in range(1000)]
    rows += [("B", sex, int(i < 75)) for sex in "fm" for i in range(300)]
    data = pd.DataFrame(rows * 8, columns=["race", "sex", "d"])
    options = {"labels": SAID, "reference": {"race": "W", "sex": "m"}, "favorable": 1}
    audit = fairstats.audit(data, "d", ["race", "sex"], **options)  # type: ignore[arg-type]
    first, second = (one.gap for one in answers(audit))
    assert first is not None and second is not None
    assert ("By sex the gap is much smaller: " in page_one(audit)) == smaller
    assert (abs(second.estimate) <= abs(first.estimate) / 2) == smaller


def test_the_evidence_of_an_error_has_the_gap_of_each_group_and_further_groups_have_their_side() -> None:
    """Of 1,000 people a group who do not pay back 100, 300, 500 and 20 are approved in W, B, C and D."""
    people = {"W": (1000, 100), "B": (3000, 900), "C": (900, 450), "D": (900, 18)}
    rows = [(race, int(i < k), 0) for race, (n, k) in people.items() for i in range(n)]
    rows += [(race, int(i < n // 2), 1) for race, (n, _) in people.items() for i in range(n)]
    data = pd.DataFrame(rows, columns=["race", "d", "y"])
    labels = SAID | {"positive": "paid back", "negative": "did not pay back"}
    options = {"outcome": "y", "labels": labels, "favorable": 1, "action_plan": True, "headline": {"race": ["B", "W"]}}
    audit = fairstats.audit(data, "d", "race", reference={"race": "W"}, **options)  # type: ignore[arg-type]
    page = findings(gather([audit], None, ""))
    claims = [claim for claim, _ in page["points"]]
    n = next(i for i, claim in enumerate(claims, 1) if claim.startswith("Mistaken approvals"))
    line = next(row for row in page["actions"].rows if row[0].startswith("More mistaken approvals"))
    assert line[1] == "B 20.0; C 40.0; W 8.0"
    text = page["points"][n - 1][1]
    assert "C (50.0%): more than " in text and "D (2.0%): less than " in text
