"""What page one claims is what the tables of its report have: verdicts, levels, groups, and how they were chosen."""

from __future__ import annotations

import itertools
import re
from html import unescape

import numpy as np
import pandas as pd
import pytest

import fairstats
from benchmarks import gallery
from fairstats.auditing.result import Audit
from fairstats.auditing.sentences import page_one
from fairstats.reporting.figures.rates import MOST_COLUMNS, MOST_ROWS
from fairstats.text import percent
from tests.auditing.test_words import table
from tests.reporting.test_page_one import lines, page


def text(html: str) -> str:
    return " ".join(unescape(re.sub(r"<svg.*?</svg>|<[^>]*>", " ", html[html.index("<main") :], flags=re.S)).split())


def decided(*counts: tuple[str, int, int, int]) -> pd.DataFrame:
    """People of (group, outcome, how many, of whom selected)."""
    rows = [(g, y, int(i < k)) for g, y, n, k in counts for i in range(n)]
    return pd.DataFrame(rows, columns=["g", "y", "d"])


def test_a_difference_that_its_table_shows_is_never_called_open_on_page_one() -> None:
    """Of 200 people each 100 and 122 were selected: p = 0.03, above a third of the level, below the level."""
    data = decided(("a", 1, 200, 100), ("a", 0, 200, 20), ("b", 1, 200, 122), ("b", 0, 200, 60))
    result = fairstats.audit(data, "d", "g", outcome="y", favorable=1, reference="b")
    line = next(one for one in page_one(result).lines if one.metric == "FNR")
    assert line.gap.verdict == "disparity shown" and line.alone and line.verdict == "inconclusive"
    claim, numbers = next(one for one in page(result)["points"] if "refusals" in one[0])
    assert claim == ("Tentative: mistaken refusals may be more frequent among people with `g` a.")
    assert f"(gap {percent(abs(line.gap.estimate))} points, " in numbers


@pytest.mark.parametrize(
    ("third", "words"),
    [
        ((55, 100), "Both gaps exceed the margin, the 5 percentage points that this audit treats as small."),
        ((20, 1000), "Both gaps exceed the margin, the 5 percentage points that this audit treats as small."),
    ],
)
def test_which_gaps_are_beyond_the_margin_is_counted(third: tuple[int, int], words: str) -> None:
    data = table(a=(600, 1000), b=(0, 1000), c=third)
    data["sex"] = np.where(data.d == 1, np.arange(len(data)) % 10 < 8, np.arange(len(data)) % 10 < 3)
    result = fairstats.audit(data, "d", ["sex", "g"], reference={"g": "a"}, favorable=1, margin=0.05)
    matches = page(result)
    assert matches["sentence"].endswith(words)
    assert (lines(matches["card"])["c"][-1] == "beyond margin") == (third == (20, 1000))


@pytest.fixture(scope="module")
def small() -> Audit:
    (result,) = gallery.small()
    return result


def test_groups_that_are_withheld_follow_the_result_and_are_explained(small: Audit) -> None:
    matches = page(small)
    assert matches["sentence"].startswith(
        "Among the groups that are not withheld, no difference by ethnicity and sex is shown in how often employees "
        "were promoted, compared with White employees and women. 3 of 6 groups of ethnicity are withheld, to protect "
        "small numbers: these 24 people are not compared."
    )
    assert "Withheld: a group of fewer than 10 people, or one from which such" in matches["card"].note
    assert "The comparisons of withheld groups are among those adjusted for." in matches["card"].note  # 6, of which 3
    assert [row[-1] for row in lines(matches["card"]).values()].count("withheld") == 3


def test_of_withheld_groups_at_least_two_share_what_subtraction_gives(small: Audit) -> None:
    """All people less those that are printed are 24 in three groups: of no one group the number follows."""
    printed = [cell.n for cell in small.cells if cell.attribute == "ethnicity" and cell.n == cell.n]
    withheld = sum(cell.attribute == "ethnicity" and cell.n != cell.n for cell in small.cells)
    assert 282 - sum(printed) == 24 and withheld == 3


def flagged(**arguments: object) -> Audit:
    data = decided(("a", 1, 400, 280), ("a", 0, 400, 160), ("b", 1, 200, 60), ("b", 0, 200, 30), ("c", 0, 250, 90))
    return fairstats.audit(data, "d", "g", outcome="y", favorable=0, **arguments)


@pytest.mark.parametrize(
    "deeds",
    [
        ("were hired", "were turned down"),
        ("got the job", "got no job"),
    ],
)
def test_of_an_error_so_many_fewer_it_would_be_at_the_rate_of_the_others(deeds) -> None:
    """Of 400 who did well 300 of the men and 200 of the women, of 400 who did badly 100 and 50."""
    cells = ("m", 1, 300), ("m", 0, 100), ("f", 1, 200), ("f", 0, 50)
    data = pd.DataFrame([(g, int(i < k), y) for g, y, k in cells for i in range(400)], columns=["sex", "d", "y"])
    labels = dict(zip(("favorable", "unfavorable"), deeds, strict=True)) | {
        "unit": "people", "positive": "did well", "negative": "did badly",
    }  # fmt: skip
    options = {"decision": "d", "groups": "sex", "outcome": "y", "favorable": 1, "labels": labels}
    for reference, fewer in (
        ("m", "these men, there would have been 100 fewer mistaken refusals among women (arithmetic only)."),
        ("f", "these women, there would have been 50 fewer mistaken approvals among men (arithmetic only)."),
    ):
        result = fairstats.audit(data, reference=reference, **options)
        assert f"At the rate of {fewer}" in result.finding()
        assert "arithmetic only" not in " ".join(numbers for _, numbers in page(result)["points"])


def test_without_a_declared_reference_every_group_that_differs_is_in_the_sentence() -> None:
    """440 of the 800 of a are flagged, 90 of the 400 of b, 90 of the 250 of c: no one pair is the question."""
    matches = page(flagged())
    assert matches["sentence"] == (
        "a, the largest group by g, had `d = 1` more often (55.0%) than every other group: b (22.5%) and c (36.0%)."
    )
    assert not any("At the rate of" in line for line in matches["context"])
    (claim, numbers) = next(one for one in matches["points"] if "False alarms" in one[0])
    assert claim == ("False alarms are more frequent among people with `g` a than in 1 of 2 other groups.")
    assert numbers == "Of those who had `y = 0`, 40.0% of people with `g` a had `d = 1`, against 15.0% (b)."
    named = page(flagged(reference="a"))["sentence"]
    assert named.startswith(
        "People with `g` a had `d = 1` about 2.4 times as often as those with b: 55.0% against 22.5%"
    )


def test_of_many_regions_the_headline_names_the_largest_first() -> None:
    html = fairstats.report(*gallery.regions()).html
    assert (
        "Compared with Central Plains (61.2% were granted; the largest group by region), applications were granted "
        "less often in 2 of the 19 other groups, West Valley (52.0%) and North Hills (54.5%), and more often in 1, "
        "South Hills (70.1%)."
    ) in text(html)
    assert "combinations of none" not in html and "All groups" in text(html).partition("Contents")[0]
    german = text(fairstats.report(*gallery.regions(), language="de").html)
    assert "Verglichen mit Central Plains (61,2" in german and "; die größte Gruppe von region)" in german


def test_intersections_are_called_by_one_mark_in_all_of_a_report() -> None:
    whole = text(fairstats.report(*gallery.hired()).html)
    assert "observed extremes: Women × 40-and-over (234 of 775) and Men × Under-40 (382 of 1,302)" in whole
    assert "those of combinations apart (gender × age: 3)" in whole
    assert "4 groups as recorded: men × under 40," in whole and "(Men × Under-40)" in whole
    assert "gender:age" not in whole and "men:under" not in whole.lower()


def test_the_case_of_four_fifths_is_one_of_employment() -> None:
    whole = text(fairstats.report(*gallery.screened(), preset="four_fifths").html)
    assert "Black applicants were hired at 0.68 of the rate of White applicants" in whole and "loan" not in whole
    assert "law: employment" in whole and "none was declared" not in whole


def test_people_are_counted_of_the_group_at_the_rate_of_its_reference() -> None:
    """440 of the 800 of a are flagged and 90 of the 400 of b: at the rate of b 180 of a, 260 fewer."""
    line = "At the rate of those with b, 260 fewer people with `g` a would have had `d = 1` (arithmetic only)."
    both = flagged(reference="b", headline={"g": ["a", "b"]})
    assert line in page(both)["context"]
    # nobody asks for more people whom a decision harms
    assert not any("At the rate of" in text for text in page(flagged(reference="a"))["context"])


def test_an_interval_of_equality_has_one_level_in_all_of_a_report() -> None:
    (result,) = gallery.hired(margin=0.05)
    html = unescape(fairstats.report(result).html)
    matches, whole = page(result), text(html)
    gap = "Gender: about 0.3 percentage points more among women (90% interval 2.5 less to 3.2 more)."
    assert gap in matches["context"] and "interval" not in matches["sentence"]
    named = (
        "Gender and age together: for 2 of 3 combinations equality with under-40 men within the margin is not shown:"
    )
    named += " 40-and-over men and 40-and-over women."
    assert named in matches["context"]
    assert "Of one within the margin it is the 90% interval, by which the test shows it." in whole
    assert "+0.4 (90%: −3.5 to +4.5)" in html and "+0.7 (−4.1 to +5.6)" in html  # in the picture, beside those of 95%
    assert "within the margin (90% together): selection rate gender and age 2 95%" in whole
    assert "within the margin (90% together): selection rate gender × age 3 96.67%" in whole
    assert "two one-sided tests at 5% each; shown where the 90% interval lies inside the margin." in whole
    assert "Schuirmann, D. J. (1987)" in whole and "Schuirmann" not in text(fairstats.report(*gallery.hired()).html)
    assert "90% intervals, adjusted for 2 comparisons." in matches["card"].note
    assert lines(matches["card"])["Women"][-1] == "within margin"
    assert next(row for row in matches["card"].rows if row[0].text == "Women")[4].below == "(−2.5 to 3.2)"
    assert "90% CI, adjusted" in whole and "95%: −2.5" not in whole and "90%: −2.5" not in whole
    assert "how large a gap this audit would have found" not in whole  # both are shown to be equal


def test_what_is_not_settled_has_one_word() -> None:
    (result,) = gallery.loans()
    whole = text(fairstats.report(result).html)
    assert "not settled" in whole
    assert not re.search("inconclusive|no difference shown", whole, re.IGNORECASE)


def test_of_many_groups_the_title_says_which_there_are_in_the_order_of_their_gaps() -> None:
    (result,) = gallery.regions()
    matches = page(result)
    assert matches["card_title"] == "The reference and the 10 groups with the strongest evidence of a gap"
    assert matches["sentence"].endswith(", and more often in 1, South Hills (70.1%).")
    assert "Whether 16 others differ is not settled." in result.finding()
    gaps = [row[3].replace("● ", "").replace("−", "-") for row in lines(matches["card"]).values()]
    values = [float(gap) for gap in gaps[1:]]
    assert values == sorted(values) and len(values) == 10
    assert "or withheld" not in matches["card"].note
    assert page(gallery.loans()[0])["card_title"] == "Every group"


def test_the_title_of_the_table_of_page_one_names_its_attributes_where_some_have_no_line() -> None:
    rng = np.random.default_rng(5)
    data = pd.DataFrame({name: rng.choice(["p", "q", "r"], 6000) for name in "abcd"} | {"sex": np.arange(6000) % 2})
    data["hired"] = (rng.random(6000) < 0.4 + 0.1 * data.sex).astype(int)
    five = page(fairstats.audit(data, "hired", ["sex", *"abcd"], intersections=False))
    assert [row[0].text for row in five["card"].rows if len(row) == 1] == ["Sex"]
    assert five["card_title"] == "Every group of sex"
    assert five["card"].note.endswith("The groups of a, b, c and d are in the tables of later pages.")
    four = page(fairstats.audit(data, "hired", ["sex", *"abc"], intersections=False))
    assert [row[0].text for row in four["card"].rows if len(row) == 1] == ["Sex", "A", "B", "C"]
    assert four["card_title"] == "Every group" and "later pages" not in four["card"].note
    data["sex"] = rng.integers(0, 14, 6000)
    data["hired"] = (rng.random(6000) < 0.3 + 0.03 * data.sex).astype(int)
    many = page(fairstats.audit(data, "hired", ["sex", *"abcd"], intersections=False))
    assert many["card_title"] == "Of sex: references, and the 10 groups with the strongest evidence of a gap"


def test_beside_a_declared_pair_the_other_groups_that_differ_are_named() -> None:
    groups = table(a=(500, 1000), b=(300, 1000), c=(350, 1000), d=(490, 1000))
    result = fairstats.audit(groups, "d", "g", reference="a", headline={"g": ["b", "a"]})
    assert re.search(r"c \(35\.0%\): had `d = 1` less often than .+\.", " ".join(page(result)["context"]))
    assert "Also shown to differ from a: c less often (35.0%)." in result.finding()
    whole = fairstats.audit(groups[groups.g.isin(["a", "b"])], "d", "g", reference="a", headline={"g": ["b", "a"]})
    assert "Also shown to differ" not in whole.finding()


def test_page_one_names_what_nobody_said_of_the_system() -> None:
    data = table(a=(500, 1000), b=(300, 1000))
    assert page(fairstats.audit(data, "d", "g"))["who"].endswith("not given: system, version, period, law")
    about = {"system": "Screener", "version": "2", "period": "2025"}
    named = page(fairstats.audit(data, "d", "g", about=about))
    assert "not given" not in named["who"] and "Not named: auditor, reviewer and approver." in named["rely"]


def test_another_attribute_comes_before_one_more_group_of_the_same_rate() -> None:
    rng, n = np.random.default_rng(3), 12000
    data = pd.DataFrame({"g": rng.choice(list("abc"), n), "sex": rng.choice(["men", "women"], n)})
    data["y"] = rng.random(n) < np.where(data.sex == "women", 0.35, 0.6)
    data["flagged"] = rng.random(n) < 0.3 + 0.3 * data.y + 0.2 * (data.g == "a")
    roles = {"outcome": "y", "favorable": False, "positive": True, "reference": {"g": "a"}}
    points = page(fairstats.audit(data, "flagged", ["g", "sex"], **roles))["points"]
    claims = [claim.startswith("Of those who had `flagged = True`, a smaller share of") for claim, _ in points]
    assert claims == [False, False, True, False]  # of b; c has its dot in the table
    # the gap of men and women is the larger one, and has the claim
    assert "share of women than of men" in points[2][0] and re.search(
        r"By g: [\d.]+% of people with `g` b", points[2][1]
    )
    assert points[0][0] == ("False alarms are more frequent among people with `g` a than among people with `g` b.")


def test_ratios_that_page_one_has_are_not_said_again_and_digits_are_explained() -> None:
    whole = text(fairstats.report(*gallery.screened(), preset="four_fifths").html)
    assert "Ratio of the selection rate of" not in whole.partition("Outcomes by group")[2]
    regions = text(fairstats.report(*gallery.regions()).html)
    assert "0.698 to 0.998" in regions and "more digits where two would round a limit to 1 or" in regions
    assert "more digits" in whole  # of a ratio that two digits would put on 0.80


def test_where_groups_meet_they_are_people_in_sentences_and_a__in_tables() -> None:
    audited = fairstats.audit(fairstats.arrests(), "released", ["colour", "sex"], favorable="Yes")
    shown = text(fairstats.report(audited).html)
    assert "selection rate lower for Black men (73.7%) than for White men (85.7%); not settled" in shown
    assert "the difference from White men in points" in shown and "Framed: shown to differ." in shown
    assert "4 groups as recorded: White × Male, Black × Male," in shown


@pytest.mark.long
def test_groups_without_a_place_in_the_picture_of_pairs_are_counted_by_attribute() -> None:
    rng = np.random.default_rng(5)
    data = pd.DataFrame(
        {"site": rng.choice(list("abcdefghijklmnopqrst"), 6000), "job": rng.choice(list("ABCDEFGHIJKL"), 6000)}
    )
    data["hired"] = rng.integers(0, 2, 6000)
    result = text(fairstats.report(fairstats.audit(data, "hired", ["job", "site"])).html)
    assert (
        f"Not drawn: {20 - MOST_ROWS} smaller groups of site and {12 - MOST_COLUMNS} smaller groups of job." in result
    )


def test_the_interval_of_a_gap_of_pay_within_the_margin_has_the_level_of_the_headline() -> None:
    rng = np.random.default_rng(5)
    n = 3000
    data = pd.DataFrame({"sex": rng.choice(["f", "m"], n), "origin": rng.choice(["x", "y"], n)})
    data["pay"] = np.exp(3 + 0.2 * rng.normal(size=n))
    shown = page(fairstats.audit(data, amount="pay", groups=["sex", "origin"], margin={"gap": 0.05}))
    cells = [cell.below for row in shown["card"].rows for cell in row if cell.below.startswith("9")]
    assert len(cells) == 2 and all(cell.startswith("90%: ") for cell in cells)  # each by itself is one of 95%
    assert "90% confidence interval" in shown["sentence"] and "90% intervals" in shown["card"].note


def test_of_many_intersections_those_where_nothing_is_shown_are_one_finding() -> None:
    """480 of 1,000 women and 720 of 1,000 men of every region, race and age: only combinations with sex differ."""
    cells = itertools.product("fm", "NS", "AB", ["old", "young"], range(250))
    data = pd.DataFrame(cells, columns=["sex", "region", "race", "age", "i"])
    data["d"] = (data.i < np.where(data.sex == "f", 120, 180)).astype(int)
    points = page(fairstats.audit(data, "d", ["sex", "region", "race", "age"], favorable=1))["points"]
    claims = [claim for claim, _ in points]
    assert claims[-1] == "No group is shown to differ from its reference by region × race, region × age and race × age."
    assert [claim.split(" together")[0] for claim in claims[:-1]] == ["Sex and region", "Sex and race", "Sex and age"]


def test_the_larger_gap_in_the_share_right_has_the_claim_and_the_smaller_one_of_the_first_attribute_follows() -> None:
    rng = np.random.default_rng(2)
    sex, race = rng.choice(["women", "men"], 12_000), rng.choice(["Black", "White"], 12_000)
    d = (rng.random(12_000) < np.where(sex == "men", 0.6, 0.35)).astype(int)  # sex is the first attribute
    right = 0.85 - 0.06 * (sex == "women") - 0.3 * (race == "Black")
    y = np.where(d == 1, rng.random(12_000) < right, rng.random(12_000) < 0.3).astype(int)
    html = fairstats.report(
        fairstats.audit(
            pd.DataFrame({"sex": sex, "race": race, "d": d, "y": y}),
            "d",
            ["sex", "race"],
            outcome="y",
            reference={"sex": "men", "race": "White"},
        )
    ).html
    text = " ".join(re.sub(r"<[^>]+>", "", html).split())
    claim = text[text.index("a smaller share of Black people than of White people had y = 1") :][:250]
    assert re.search(r"gap 28\.4 points.*By sex: 70\.9% of men and 64\.0% of women", claim)
    assert "a smaller share of women than of men had y = 1" not in text
