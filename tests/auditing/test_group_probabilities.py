"""Groups known as probabilities: bounds by brute force, biases, coverage, verdicts, known groups, bad input."""

from __future__ import annotations

import itertools
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from numpy.typing import NDArray
from scipy.optimize import linprog
from scipy.stats import binomtest, mannwhitneyu, norm

import fairstats as fs
from fairstats.auditing.group_probabilities import AT_RANDOM, WITHHELD
from fairstats.auditing.group_studies import bounded_rows, limits, study_p
from fairstats.cli import run
from fairstats.errors import InputError
from fairstats.estimates import Estimate
from fairstats.inference.rates.uncertain import (
    UncertainGroups,
    associations,
    bound_limits,
    calibrated,
    drawn_at_random,
    jump_where_alike,
    unordered,
)
from fairstats.language import in_language, language, message, translated
from fairstats.reporting import tables, words
from fairstats.reporting.bundle import gather
from fairstats.reporting.report import context
from fairstats.reporting.sections.uncertain import bounds_table
from fairstats.reporting.tables import level_of
from fairstats.text import DASH

Floats = NDArray[np.float64]
GROUPS = {"White": "pw", "Black": "pb"}


def drawn(
    n: int, rng: np.random.Generator, shape: tuple[float, ...] = (0.3, 0.3), gap: float = 0.0, proxy: float = 0.0
) -> tuple[Floats, NDArray[np.intp], Floats]:
    """Probabilities, groups drawn by them, and decisions that depend on both."""
    shares = rng.dirichlet(shape, n)
    group = (rng.random((n, 1)) > shares.cumsum(axis=1)[:, :-1]).sum(axis=1)
    rate = 0.5 - gap * (group == 1) - proxy * shares[:, 1]
    return shares, group, (rng.random(n) < rate).astype(float)


def table(n: int = 600, seed: int = 0, shape: tuple[float, ...] = (0.1, 0.1), gap: float = 0.2) -> pd.DataFrame:
    shares, group, selected = drawn(n, np.random.default_rng(seed), shape, gap)
    race = np.array(["White", "Black", "Asian"], dtype=object)[group]
    return pd.DataFrame({"hired": selected.astype(int), "pw": shares[:, 0], "pb": shares[:, 1], "race": race})


def partly(n: int = 2000, gap: float = 0.4) -> pd.DataFrame:
    """The same, where the group of four in five is known."""
    people = table(n, gap=gap)
    return people.assign(race=people["race"].where(np.arange(n) % 5 > 0))


def cells(probabilities: Floats, rates: Floats, size: int) -> tuple[Floats, Floats]:
    """People in cells of equal probabilities, of whom exactly the rate is selected; shape (cells, groups)."""
    selected = np.concatenate([np.arange(size) < round(rate * size) for rate in rates]).astype(float)
    return np.repeat(probabilities, size, axis=0), selected


@pytest.mark.parametrize("size", [2, 3, 4])
@pytest.mark.parametrize("seed", range(6))
def test_the_bound_of_a_difference_is_that_of_a_linear_program(size: int, seed: int) -> None:
    """Over all joint laws of group and decision that agree with the margins of every cell (Kallus, Mao & Zhou)."""
    rng = np.random.default_rng(seed)
    probabilities = np.array([[1, 0, 0, 0], [0.9, 0.1, 0, 0], [0.2, 0.5, 0.2, 0.1], [0.4, 0.1, 0.2, 0.3]])[:, :size]
    probabilities = probabilities / probabilities.sum(axis=1)[:, None]
    rates = rng.integers(1, 20, len(probabilities)) / 20
    shares, selected = cells(probabilities, rates, 200)
    people = UncertainGroups(selected, shares)
    people.__dict__["_expected"] = np.repeat(rates, 200)  # the rates as they are: the bound without noise
    total = probabilities.mean(axis=0)
    cost = np.zeros((len(rates), size))
    cost[:, 0], cost[:, 1] = 1 / total[0] / len(rates), -1 / total[1] / len(rates)
    sums = np.kron(np.eye(len(rates)), np.ones(size))
    limits = [(0, p) for p in probabilities.ravel()]
    for end, sign in zip(people.ends(0, 1), (1, -1), strict=True):
        solved = linprog(sign * cost.ravel(), A_eq=sums, b_eq=rates, bounds=limits)
        assert end.estimate == pytest.approx(sign * solved.fun, abs=1e-9)


@pytest.mark.parametrize("seed", range(4))
def test_ends_are_those_of_a_linear_program_where_many_people_have_the_same_probabilities(seed: int) -> None:
    """Rates of selection that no regression on the probabilities has: a linear program of the rates of the cells."""
    rng = np.random.default_rng(seed)
    probabilities, rates = rng.dirichlet((0.6, 0.4, 0.3), 12), rng.random(12)
    cell = rng.integers(0, 12, 6000)
    selected = (rng.random(6000) < rates[cell]).astype(float)
    counts = np.bincount(cell)
    found, weight = np.bincount(cell, selected) / counts, counts / 6000
    total = weight @ probabilities
    cost = np.zeros((12, 3))
    cost[:, 0], cost[:, 1] = weight / total[0], -weight / total[1]
    sums, limits = np.kron(np.eye(12), np.ones(3)), [(0, p) for p in probabilities.ravel()]
    for end, sign in zip(UncertainGroups(selected, probabilities[cell], seed).ends(0, 1), (1, -1), strict=True):
        exact = sign * linprog(sign * cost.ravel(), A_eq=sums, b_eq=found, bounds=limits).fun
        assert -1e-9 < sign * (exact - end.estimate) < 0.02


def test_branches_that_are_wrong_make_the_bound_wider_only() -> None:
    shares, _, selected = drawn(4000, np.random.default_rng(1), (0.4, 0.4, 0.2), 0.2)
    fitted = UncertainGroups(selected, shares)
    low, high = (end.estimate for end in fitted.ends(0, 1))
    for wrong in (np.zeros(4000), np.ones(4000), np.random.default_rng(2).random(4000)):
        other = UncertainGroups(selected, shares)
        other.__dict__["_expected"] = wrong
        least, most = (end.estimate for end in other.ends(0, 1))
        assert least < low + 0.01
        assert most > high - 0.01


def test_the_weighted_difference_lies_in_the_bound_of_any_data() -> None:
    rng = np.random.default_rng(3)
    for n in (2, 5, 30, 200):
        for _ in range(20):
            people = UncertainGroups(rng.integers(0, 2, n).astype(float), rng.dirichlet((0.3, 0.3, 0.3), n))
            for pair in ((0, None), (0, 1), (2, 1)):
                low, high = people.ends(*pair)
                assert low.estimate - 1e-12 <= people.weighted(*pair).estimate <= high.estimate + 1e-12


def test_groups_that_are_certain_are_the_plain_difference() -> None:
    group = np.repeat([0, 1], [60, 40])
    selected = np.concatenate([np.arange(60) < 30, np.arange(40) < 10]).astype(float)
    people = UncertainGroups(selected, np.eye(2)[group])
    low, high = people.ends(0, 1)
    assert low.estimate == pytest.approx(0.25)
    assert high.estimate == pytest.approx(0.25)
    assert people.weighted(0, 1).estimate == pytest.approx(0.25)
    linear = people.linear(0, 1)
    assert linear is not None
    assert linear[0] == pytest.approx(0.25)
    rates = np.array([31 / 62, 11 / 42])  # Agresti & Caffo (2000)
    error = np.sqrt((rates * (1 - rates) / [62, 42]).sum())
    expected = rates[0] - rates[1] - 1.959964 * error, rates[0] - rates[1] + 1.959964 * error
    assert bound_limits((low, high), 0.95) == pytest.approx(expected, abs=1e-6)


def test_the_linear_difference_is_the_slope_of_one_probability() -> None:
    shares, _, selected = drawn(500, np.random.default_rng(4), gap=0.2)
    found = UncertainGroups(selected, shares).linear(0, 1)
    assert found is not None
    slope = np.polyfit(shares[:, 0], selected, 1)[0]
    assert found[0] == pytest.approx(slope)
    constant = UncertainGroups(selected, np.full((500, 2), 0.5))
    assert constant.linear(0, 1) is None


@pytest.mark.parametrize(("gap", "proxy"), [(0.2, 0.0), (0.1, 0.2), (0.3, 0.1)])
def test_the_truth_lies_between_the_weighted_and_the_linear_difference_where_the_condition_holds(
    gap: float, proxy: float
) -> None:
    """Elzayn et al.: the weighted lacks E Cov(Y, G | p) / Var(G), the linear has E Cov(Y, p | G) / Var(p) too much."""
    shares, group, selected = drawn(150_000, np.random.default_rng(5), gap=gap, proxy=proxy)
    people = UncertainGroups(selected, shares)
    truth = selected[group == 1].mean() - selected[group == 0].mean()
    weighted, linear = people.weighted(1, 0).estimate, people.linear(1, 0)
    assert linear is not None
    black, p = (group == 1).astype(float), shares[:, 1]
    left_out = ((black - p) * selected).mean() / black.var()
    within = sum((group == g).mean() * np.cov(selected[group == g], p[group == g])[0, 1] for g in (0, 1)) / p.var()
    assert weighted == pytest.approx(truth - left_out, abs=0.008)
    assert linear[0] == pytest.approx(truth + within, abs=0.008)
    assert linear[0] - 0.008 < truth < weighted


@pytest.mark.long
def test_the_bracket_may_fail_where_the_condition_does() -> None:
    shares, group, selected = drawn(200_000, np.random.default_rng(6), gap=0.3, proxy=-0.2)
    people = UncertainGroups(selected, shares)
    truth = selected[group == 1].mean() - selected[group == 0].mean()
    linear = people.linear(1, 0)
    assert linear is not None
    assert linear[0] > truth + 0.02
    low, high = people.ends(1, 0)
    assert low.estimate < truth < high.estimate


@pytest.mark.long
def test_the_limits_hold_the_truth_and_verdicts_under_no_gap_are_rare() -> None:
    """A light version of the cells of benchmarks/coverage; the least favorable case has certain groups."""
    rng, runs = np.random.default_rng(7), 250
    for n, shape, gap in ((60, (0.01, 0.01), 0.0), (200, (0.01, 0.02), 0.0), (300, (0.1, 0.2), 0.25)):
        held = claims = 0
        for i in range(runs):
            shares, _, selected = drawn(n, rng, shape, gap)
            low, high = bound_limits(UncertainGroups(selected, shares, i).ends(1, 0), 0.95)
            held += low <= -gap <= high
            claims += low > 0 or high < 0
        assert held >= 0.92 * runs
        assert gap or claims <= 0.08 * runs


@pytest.mark.long
def test_known_groups_narrow_the_bound_which_keeps_its_error_rate_and_holds_the_truth() -> None:
    """Known at random, people are in the bound with 0 or 1, whatever their probability was."""
    rng, runs, expected = np.random.default_rng(12), 150, truth()
    for n, part in ((150, 0.5), (400, 0.9)):
        held = claims = 0
        for seed in range(runs):
            shares, group, selected = drawn(n, rng)
            known = rng.random(n) < part
            low, high = bound_limits(UncertainGroups(selected, certain(shares, group, known), seed).ends(1, 0), 0.95)
            claims += low > 0 or high < 0
            shares, group, selected = drawn(n, rng, gap=0.25, proxy=0.1)
            people = UncertainGroups(selected, certain(shares, group, known), seed)
            low, high = bound_limits(people.ends(1, 0), 0.95)
            held += low <= expected <= high
        assert held >= 0.92 * runs
        assert claims <= 0.08 * runs
    without = UncertainGroups(selected, shares).ends(1, 0)
    width = people.ends(1, 0)[1].estimate - people.ends(1, 0)[0].estimate
    assert width < 0.3 * (without[1].estimate - without[0].estimate)


def certain(shares: Floats, group: NDArray[np.intp], known: NDArray[np.bool_]) -> Floats:
    return np.where(known[:, None], np.eye(shares.shape[1])[group], shares)


def mixture(n: int = 1500, gap: float = 0.4) -> pd.DataFrame:
    """The group of seven in ten is known, and there are probabilities of the others."""
    people = table(n, shape=(1.0, 1.0), gap=gap)
    people["asked"] = people["race"].where(np.arange(n) % 10 > 2)
    people.loc[people["asked"].notna(), ["pw", "pb"]] = np.nan
    return people


def test_known_groups_without_probabilities_are_in_the_bound_as_if_these_were_0_and_1() -> None:
    people = mixture()
    result = fs.group_probabilities(people, "hired", GROUPS, known="asked", reference="White")
    sure = people.assign(
        pw=people["pw"].fillna((people["asked"] == "White").astype(float)),
        pb=people["pb"].fillna((people["asked"] == "Black").astype(float)),
    )
    passed = fs.group_probabilities(sure, "hired", GROUPS, reference="White")
    assert result.n == passed.n == 1500 and result.shown() == passed.shown() != []
    for mine, other in zip(result.compared(), passed.compared(), strict=True):
        assert (mine.conf_low, mine.conf_high) == pytest.approx((other.conf_low, other.conf_high))
    assert not [row for row in result.estimates if row.role == "omnibus" or row.estimator == "corrected"]
    premise = next(line for line in result.statements if line.startswith("A verdict comes from the bound alone."))
    assert "takes the 1,050 known groups as they are" in premise and "right for the other 450 people" in premise
    assert "it takes 10 people of known group with probabilities, and there are 0." in premise
    assert dict(page_one(result)["points"])["What the bound rests on."] == premise
    assert page_one(result)["question"].startswith("Of some people the group is known, of the others a probability of")
    assert premise in " ".join(str(result).split())
    with pytest.raises(fs.InputError, match="drawn_at_random is of people whose group is known, of whom fewer than 10"):
        fs.group_probabilities(people, "hired", GROUPS, known="asked", drawn_at_random=True)
    with pytest.raises(fs.InputError, match="or leave these cells of pw, pb empty: a known group counts as it is"):
        fs.group_probabilities(sure, "hired", GROUPS, known="asked", reference="White")


def test_known_people_with_and_without_probabilities_check_and_correct_by_those_who_have_them() -> None:
    """By hand: the known without probabilities add their group, the others are corrected by those who have both."""
    people = table(3000, shape=(1.0, 1.0), gap=0.2)
    known, without = np.arange(3000) % 5 < 2, np.arange(3000) % 5 == 0
    people["asked"] = people["race"].where(known)
    people.loc[without, ["pw", "pb"]] = np.nan
    result = fs.group_probabilities(people, "hired", GROUPS, known="asked", reference="White")
    rates = {}
    for group, column in GROUPS.items():
        is_in, p, y = (people["asked"] == group).astype(float), people[column], people["hired"]
        both, rest = known & ~without, ~without
        sums = []
        for v in (y, pd.Series(np.ones(3000))):
            wrong = ((is_in - p) * v)[both].mean() * rest.sum()
            sums.append((p * v)[rest].sum() + wrong + (is_in * v)[without].sum())
        rates[group] = sums[0] / sums[1]
    (row,) = result.estimates.only(contrast="difference", estimator="corrected")
    assert row.estimate == pytest.approx(rates["Black"] - rates["White"])
    (check,) = result.estimates.only(role="omnibus", term="calibration")
    assert check.n == 600
    text = " ".join(result.statements)
    assert "The group of 1,200 people is known. 600 of them have no probabilities: they are in the bound" in text
    assert "Corrected by the 600 of 1,200 people whose group is known" in " ".join(page_one(result)["context"])
    german = fs.report(result, language="de").html.replace("\N{NARROW NO-BREAK SPACE}", " ")
    assert "Unter 600 von 1 200, deren Gruppe bekannt ist" in german


@pytest.mark.parametrize("seed", range(3))
def test_people_of_whom_nothing_is_known_are_bounded_by_every_way_to_put_them_into_groups(seed: int) -> None:
    rng = np.random.default_rng(seed)
    probabilities, rates = rng.dirichlet((1, 1, 1), 3), rng.integers(1, 20, 3) / 20
    shares, selected = cells(probabilities, rates, 20)
    people = UncertainGroups(selected, shares)
    people.__dict__["_expected"] = np.repeat(rates, 20)
    total, sums = 20 * probabilities.sum(axis=0), np.kron(np.eye(3), np.ones(3))
    limits, found = [(0, p) for p in probabilities.ravel()], []
    for yes, no in itertools.product(range(4), range(3)):  # of three selected and two others in the first group
        for yes_r, no_r in itertools.product(range(4 - yes), range(3 - no)):  # in the reference
            of, base = total[0] + yes + no, total[1] + yes_r + no_r
            cost = np.zeros((3, 3))
            cost[:, 0], cost[:, 1] = 20 / of, -20 / base
            for sign in (1, -1):
                solved = linprog(sign * cost.ravel(), A_eq=sums, b_eq=rates, bounds=limits)
                found.append(sign * solved.fun + yes / of - yes_r / base)
    low, high = people.ends(0, 1, np.array([1.0, 1, 1, 0, 0]))
    assert (low.estimate, high.estimate) == pytest.approx((min(found), max(found)))


def test_people_of_whom_nothing_is_known_are_counted_and_what_they_could_change_is_said() -> None:
    for n, end in ((10, "the gap is shown over all people, too."), (600, "among the others, not over all people.")):
        people = mixture(3000, 0.3)
        people.loc[people.index[people["asked"].isna()][:n], ["pw", "pb"]] = np.nan
        result = fs.group_probabilities(people, "hired", GROUPS, known="asked", reference="White")
        (worst,) = result.estimates.only(estimator="bound at worst")
        (row,) = result.compared()
        assert result.n == 3000 - n and row.verdict == "disparity shown" and worst.verdict == ""
        assert worst.conf_low < row.conf_low < row.conf_high < worst.conf_high
        assert (worst.conf_high < 0) == (n == 10)
        said = result.statements[1]
        assert said.startswith(f"Of {n} of 3,000 people neither the group nor all probabilities are known: the bound")
        assert minus(f"{100 * worst.conf_low:.1f} and {100 * worst.conf_high:.1f} percentage points: ") in said
        assert said.endswith(end) and "sampling error (95% limits), the difference" in said
        assert page_one(result)["context"][0] == said.replace("(95% limits)", "(95% CI)")
        assert said in " ".join(str(result).split())
    without = fs.group_probabilities(people, "hired", GROUPS, reference="White")
    assert any(line.startswith("Where the group itself is known of some of them, known") for line in without.statements)


def two_gaps(lost: float) -> pd.DataFrame:
    """Both groups are selected less often; of some people nothing is known."""
    people, rng = three(4000, sharp=0.3), np.random.default_rng(5)
    people["hired"] = (rng.random(4000) < 0.75 - 0.5 * (1 - people["pw"])).astype(int)
    people.loc[rng.random(4000) < lost, [*THREE.values(), "seventy"]] = np.nan
    return people


@pytest.mark.parametrize("lost", [0.01, 0.3])
def test_what_people_of_whom_nothing_is_known_could_overturn_is_said_once_and_marked(lost: float) -> None:
    people = two_gaps(lost).assign(sex=["f", "m"] * 2000)
    result = fs.group_probabilities(people, "hired", THREE, known="seventy", reference="White")
    assert len(result.shown()) == 2
    worst = {row.group: row for row in result.estimates.only(estimator="bound at worst")}
    undone = [group for group, row in worst.items() if row.conf_high >= 0]
    assert len(undone) == (2 if lost > 0.1 else 0)
    (said,) = (text for text in result.statements if "neither the group nor all probabilities are known" in text)
    for group, row in worst.items():
        assert minus(f"{group} {100 * row.conf_low:.1f} to {100 * row.conf_high:.1f}") in said
    assert ("Shown among the others, not over all people: " in said) == bool(undone)
    page = page_one(result)
    on_page = said.replace("(97.5% limits)", "(95% CI, adjusted)")
    assert "sampling error (97.5% limits), differences" in said and said in " ".join(str(result).split())
    assert page["context"][0] == on_page
    marked = [line[0] for line in page["tables"][0].rows if line[-1] == "yes \N{DOUBLE DAGGER}"]
    assert sorted(marked) == sorted(undone)
    note = "\N{DOUBLE DAGGER} Among those who are known; those who are missing could overturn it."
    assert (note in page["tables"][0].note) == (fs.report(result).html.count(note) == 2) == bool(undone)
    assert ("Whether it holds over all people: those who are missing could overturn it." in page["unshown"]) == bool(
        undone
    )
    for text in (str(result), result.summary()):
        assert text.count(" D\N{DOUBLE DAGGER}") == len(undone)
        assert ("could overturn it." in " ".join(text.split())) == bool(undone)
    joint = page_of(fs.audit(people, "hired", "sex"), result)["points"]
    assert any(on_page in text for _, text in joint) == bool(undone)  # else on a later page
    assert said in fs.report(fs.audit(people, "hired", "sex"), result).html


def test_a_joint_report_has_the_bounds_of_all_groups() -> None:
    people = three(3000).assign(sex=["f", "m"] * 1500)
    for p_adjust in ("bonferroni", "holm"):
        result = fs.group_probabilities(people, "hired", THREE, known="seventy", reference="White", p_adjust=p_adjust)
        text = fs.report(fs.audit(people, "hired", "sex"), result).html
        for row, ends, _ in bounded_rows(result):
            one = row if p_adjust == "bonferroni" else ends
            numbers = [minus(f"{100 * end:.1f}") for end in (one.conf_low, one.conf_high)]
            assert (
                " to ".join(numbers) in text or " to ".join(n.lstrip("\N{MINUS SIGN}") for n in numbers[::-1]) in text
            )


def test_the_finding_is_what_print_begins_with() -> None:
    people = three(3000)
    result = fs.group_probabilities(people, "hired", THREE, known="tenth", reference="White", drawn_at_random=True)
    assert result.finding() == " ".join(result.statements[:4]) and result.statements[0].startswith("If the ")
    assert " ".join(result.finding().split())[:200] in " ".join(str(result).split())
    other = fs.representation({"Black": 15, "White": 390}, benchmark={"Black": 0.154, "White": 0.846})
    assert other.finding() == " ".join(other.statements)


def test_a_p_value_of_a_page_is_written_once_in_german() -> None:
    """0.002 was printed as 0 002: a number that was German already was taken for thousands."""
    result = fs.group_probabilities(
        three(3000), "hired", THREE, known="seventy", reference="White", drawn_at_random=True, p_adjust="holm"
    )
    with in_language(language("de")):
        assert "p < 0,001)" in page_one(result)["sentence"]
        assert translated(message("p {p}", p="0,002")) == "p 0,002"
        assert translated(message("p {p}", p="<0.001")) == "p <0,001"
        assert translated(message("p {p}", p="1,234")) == "p 1\u202f234"


def test_numbers_do_not_run_into_each_other_beside_a_long_name() -> None:
    people = three(3000)
    names = {"White": "Weiße", "Black": "Schwarze", "Hispanic": "Asiatisch/Pazifikinsulaner"}
    people["race"] = people["seventy"].map(names)
    groups = {names[name]: column for name, column in THREE.items()}
    result = fs.group_probabilities(people, "hired", groups, known="race", reference="Weiße", drawn_at_random=True)
    with in_language(language("de")):
        one = bounds_table(result)
        needs, share = tables._needs(one), tables.widths(one)
        assert sum(least for least, *_ in needs) > tables.FULL
        for heading, (least, *_), part in zip(one.headings, needs, share, strict=True):
            assert heading.kind == "text" or part / 100 * tables.FULL > least - 0.05


def test_probabilities_of_0_for_every_group_are_a_caution() -> None:
    people = table(600, shape=(1.0, 1.0))
    people.loc[:6, ["pw", "pb"]] = 0.0
    text = " ".join(fs.group_probabilities(people, "hired", GROUPS).statements)
    assert "7 people have a probability of 0 of every named group: they count as certain to be in none of them." in text


def test_known_groups_enter_the_bound_and_its_sentence() -> None:
    people = table(3000, shape=(1.0, 1.0))
    people["asked"] = people["race"].where(np.arange(3000) % 10 > 0)
    unknown = fs.group_probabilities(people, "hired", GROUPS, reference="White")
    result = fs.group_probabilities(people, "hired", GROUPS, known="asked", reference="White")
    assert result.shown() and result.statements[0].startswith(
        "Whoever is in which group, a smaller share of Black than of White was recorded as `hired`: by"
    )
    assert unknown.statements[0].startswith(
        "It is open whether a smaller or a larger share of Black than of White was recorded as `hired`: whoev"
    )
    sure = people.assign(pw=people["pw"].where(people["asked"].isna(), people["asked"] == "White").astype(float))
    passed = fs.group_probabilities(sure.assign(pb=1 - sure["pw"]), "hired", GROUPS, reference="White")
    for mine, other in zip(result.compared(), passed.compared(), strict=True):
        assert (mine.conf_low, mine.conf_high) == pytest.approx((other.conf_low, other.conf_high))
    (check,) = result.estimates.only(role="omnibus", term="calibration")
    assert check.n == 2700
    assert np.isfinite(check.statistic)  # of the probabilities as they are in the table


def test_the_correction_by_known_groups_is_right_where_the_weighted_estimate_is_not() -> None:
    rng, found, held, expected = np.random.default_rng(8), [], 0, truth()
    for _ in range(200):
        shares, group, selected = drawn(1500, rng, gap=0.25, proxy=0.1)
        known = np.where((rng.random(1500) < 0.3)[:, None], np.eye(2)[group], np.nan)
        estimate = UncertainGroups(selected, shares).corrected(known, 1, 0)
        assert estimate is not None
        found.append(estimate[0])
        held += abs(estimate[0] - expected) <= 1.96 * estimate[1]
    assert np.mean(found) == pytest.approx(expected, abs=0.01)
    assert held >= 0.91 * 200


def truth() -> float:
    """The difference of the two rates: the gap, and what those of a group have more of the probability."""
    shares = np.random.default_rng(9).dirichlet((0.3, 0.3), 1_000_000)[:, 1]
    return -0.25 - 0.1 * float(
        (shares**2).mean() / shares.mean() - (shares * (1 - shares)).mean() / (1 - shares).mean()
    )


@pytest.mark.long
def test_the_check_of_probabilities_keeps_its_error_rate_and_finds_wrong_ones() -> None:
    rng, claims = np.random.default_rng(10), 0
    for _ in range(200):
        shares, group, _ = drawn(500, rng, (1.0, 1.0, 0.5))
        claims += calibrated(np.eye(3)[group], shares, 0)[2] <= 0.05
    assert claims <= 0.09 * 200
    for _ in range(40):  # few surprises are expected: groups are drawn
        shares, group, _ = drawn(30, rng, (0.05, 0.05))
        claims += calibrated(np.eye(2)[group], shares, 0)[2] <= 0.05
    assert claims <= 0.09 * 240
    shares, group, _ = drawn(300, rng, (0.5, 0.5))
    assert calibrated(np.eye(2)[group], 0.5 + 0.4 * (shares - 0.5), 0)[2] < 1e-4


def test_rows_agree_with_one_another_and_only_the_bound_has_verdicts() -> None:
    for seed, gap in itertools.product(range(2), (0.0, 0.15, 0.3)):
        people = table(400, seed, (0.1, 0.1, 0.05), gap)
        result = fs.group_probabilities(people, "hired", GROUPS, known="race", seed=seed)
        (row,) = result.compared()
        assert (
            (row.verdict == "disparity shown") == (not row.conf_low <= 0 <= row.conf_high) == (row.p_adjusted <= 0.05)
        )
        (ends,) = result.estimates.only(role="bounds", contrast="difference")
        (weighted,) = result.estimates.only(contrast="difference", estimator="weighted")
        assert row.conf_low <= ends.conf_low <= weighted.estimate <= ends.conf_high <= row.conf_high
        assert np.isnan([row.estimate, ends.estimate]).all()  # every value between the ends is possible
        lines = fs.table(result, "estimates").to_frame()
        assert {*lines.estimate[lines.setting.str.contains("bound")]} == {"–"}
        page = " ".join(re.sub(r"<[^>]*>", " ", fs.report(result).html).split())
        assert f"less {row.reference}, bound {words.count(row.n)} – {words.interval(row)} " in page
        assert {r.estimator for r in result.estimates if r.verdict} <= {"bound"}


def test_statements_say_the_bound_the_condition_and_the_bias() -> None:
    result = fs.group_probabilities(table(2000), "hired", GROUPS, reference="White")
    (row,) = result.compared()
    assert result.statements[0] == (
        f"Whoever is in which group, a smaller share of Black than of White was recorded as `hired`: by "
        f"{-100 * row.conf_high:.1f} to {-100 * row.conf_low:.1f} percentage points (95% limits), if the probabilities "
        "are right, which the data cannot show."
    )
    assert "Without people whose group is known the data cannot show that." in result.statements[1]
    assert (
        "larger than the weighted difference and smaller than that of linear regression, if the "
        "probabilities are right and two conditions hold" in (result.statements[-2])
    )
    assert result.statements[-1].startswith(
        "People of known group who were drawn at random show how large the gap is without these conditions."
    )
    three = fs.group_probabilities(table(2000, shape=(0.1, 0.1, 0.1)), "hired", GROUPS, reference="White")
    assert (
        "weighted difference may be larger or smaller than the gap, and so may that of linear" in three.statements[-1]
    )
    assert "the gap need not lie between the two" in three.statements[-1]
    assert three.statements[1].startswith("Of the people, 3")


@pytest.mark.parametrize(("rates", "gap"), [((0.62, 0.60, 0.45), -0.02), ((0.55, 0.55, 0.25), 0.0)])
def test_with_three_groups_the_weighted_difference_may_be_too_large(rates: tuple[float, ...], gap: float) -> None:
    """Exact cells: the gap has one direction at all probabilities, and the weighted difference is still the larger."""
    kinds = np.array([[0.1, 0.45, 0.45], [0.8, 0.15, 0.05]])
    shares, selected = cells(kinds, kinds @ np.array(rates), 2000)
    people = pd.DataFrame({"hired": selected.astype(int), **dict(zip(THREE.values(), shares.T, strict=True))})
    result = fs.group_probabilities(people, "hired", THREE, reference="White")
    (row,) = result.estimates.only(contrast="difference", group="Black", estimator="weighted")
    assert row.conf_high < gap
    fewer = fs.group_probabilities(people, "hired", dict(list(THREE.items())[:2]), reference="White")
    for one in (result, fewer):  # those of no named group are a group, too
        assert "larger than the weighted" not in one.summary()
        assert "weighted difference may be larger or smaller" in " ".join(one.summary().split())
        assert "weighted difference may be larger or smaller" in page_one(one)["points"][-2][1]
        assert "no gap at equal probabilities" not in " ".join(str(one).split())
    assert "no gap between any of the groups at equal probabilities" in " ".join(str(result).split())


def test_probabilities_that_known_groups_refute_give_no_verdict() -> None:
    people = table(3000, gap=0.4)
    people["race"] = np.where(np.arange(3000) < 400, people["race"], None)
    assert fs.group_probabilities(people, "hired", GROUPS, known="race").shown()
    wrong = people.assign(pw=0.5 + 0.8 * (people["pw"] - 0.5), pb=0.5 + 0.8 * (people["pb"] - 0.5))
    result = fs.group_probabilities(wrong, "hired", GROUPS, known="race")
    assert result.statements[0].startswith("No verdict is given: among 400 people whose group is known, the groups are")
    assert not [row for row in result.estimates if row.verdict]


def unlike() -> pd.DataFrame:
    """No gap; of the others, who are not like those who stated their group, the probabilities are wrong."""
    rng, n = np.random.default_rng(5), 8000
    high, stated = rng.random(n) < 0.5, np.arange(n) < 2000
    p = np.where(high, 0.95, 0.05)
    black = rng.random(n) < np.where(stated, p, 0.5)
    hired = rng.random(n) < np.where(stated, 0.8, np.where(high, 0.2, 0.7))
    race = pd.Series(np.where(black, "Black", "White"))
    return pd.DataFrame({"hired": hired.astype(int), "pb": p, "pw": 1 - p, "truth": race, "race": race.where(stated)})


def test_no_verdict_is_given_where_people_whose_group_is_known_were_not_drawn_at_random(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    people, file = unlike(), tmp_path / "people.csv"
    rates = people.groupby("truth")["hired"].mean()
    result = fs.group_probabilities(people, "hired", GROUPS, known="race", reference="White")
    ((row, ends, _),) = bounded_rows(result)
    assert ends.conf_high < row.conf_high < -0.2 < rates["Black"] - rates["White"]  # a verdict would be of a false size
    (check,) = result.estimates.only(term="calibration", role="omnibus")
    (drawing,) = result.estimates.only(term="drawn at random")
    assert check.p_value > 0.05 > drawing.p_value
    assert not [one for one in result.estimates if one.verdict] and row.reason == WITHHELD[AT_RANDOM]
    first = "No verdict is given: the 2,000 people whose group is known do not look like a random sample (p <0.001), so"
    assert result.statements[0].startswith(first) and "no departure" not in " ".join(result.statements)
    page = page_one(result)
    assert page["sentence"] == result.statements[0]
    points = dict(page["points"])
    assert list(points) == ["What is bounded.", "What follows.",
                            "What to do next."]  # fmt: skip
    assert points["What follows."].startswith("From the probabilities nothing follows on whether there is a gap")
    html = fs.report(result).html
    assert "from which the verdicts come" not in html and "no departure" not in html
    german = fs.report(result, language="de").html
    assert "Es wird kein Urteil gefällt: Die" in german and "nichts darüber, ob es einen Abstand gibt" in german
    people.drop(columns="truth").to_csv(file, index=False)
    line = ["group-probabilities", str(file), "--decision", "hired", "--groups", "White=pw,Black=pb", "--known", "race"]
    assert run(line) == 0
    assert run([*line, "--fail-on", "disparity"]) == 2
    assert "are not like the others" in capsys.readouterr().err


def test_page_one_says_what_is_bounded_what_follows_and_what_to_do_next() -> None:
    shown = fs.group_probabilities(partly(), "hired", GROUPS, known="race", reference="White")
    ((row, ends, _),) = bounded_rows(shown)
    points = dict(page_one(shown)["points"])
    assert (
        minus(f"it lies between {100 * ends.conf_low:.1f} and {100 * ends.conf_high:.1f} percentage")
        in (points["What is bounded."])
    )
    assert f"of {-100 * row.conf_high:.1f} percentage points at least" in points["What follows."]
    assert points["What to do next."].startswith("Look for the reasons")
    left_open = fs.group_probabilities(table(300, gap=0.0), "hired", GROUPS, reference="White")
    points = dict(page_one(left_open)["points"])
    neither = "It follows neither that Black people and White people differ nor that they are alike: both are possible."
    assert points["What follows."] == neither
    assert "ask for their group: with the argument “known”" in points["What to do next."]


def test_known_groups_of_people_unlike_the_others_are_a_caution_and_those_drawn_at_random_are_none() -> None:
    people, rng, claims = table(2000, gap=0.2), np.random.default_rng(11), 0
    chances = {
        "selected": np.where(people["hired"] == 1, 0.4, 0.2), "group": np.where(people["race"] == "Black", 0.1, 0.4),
        "high": np.where(people["pb"] > 0.5, 0.1, 0.4),
    }  # fmt: skip
    for chance in chances.values():
        known = people["race"].where(rng.random(2000) < chance)
        result = fs.group_probabilities(people.assign(race=known), "hired", GROUPS, known="race", reference="White")
        found = bool(result.shown())
        assert result.statements[1 + found].startswith("People whose group is known are not like the others (p <0.001)")
        corrected = next(line for line in result.statements if line.startswith("Corrected by"))
        assert ", if these had been drawn at random, which is refuted (p <0.001), the" in corrected
        assert " would be, " in corrected
        assert found or corrected == result.statements[2]
        first, *rest = page_one(result)["context"]
        (second, *_) = rest
        assert first == result.statements[1 + found]
        assert second == corrected.replace(" 95% limits:", " 95% CI:")
        assert second.startswith(f"Corrected by the {known.notna().sum()} people")
        assert "beyond chance" not in " ".join((*result.statements, first, second))
        (row,) = result.estimates.only(term="drawn at random")
        assert row.role == "omnibus" and row.n == known.notna().sum() and row.p_value < 0.001
    shares = people[["pw", "pb"]].to_numpy()
    for _ in range(300):
        claims += drawn_at_random(rng.random(2000) < 0.1, shares, people["hired"].to_numpy(float))[2] <= 0.05
    assert claims <= 0.085 * 300
    random = people.assign(race=people["race"].where(np.arange(2000) % 5 == 0))
    lines = fs.group_probabilities(random, "hired", GROUPS, known="race").statements
    assert not any("not like the others" in line for line in lines)


def test_page_one_and_print_open_with_the_bound_and_then_with_what_known_people_say() -> None:
    for gap in (0.2, 0.0):
        people = table(2000, shape=(1.0, 1.0), gap=gap)
        known = people["race"].where(np.arange(2000) % 5 == 0)
        result = fs.group_probabilities(people.assign(race=known), "hired", GROUPS, known="race", reference="White")
        page, start = page_one(result), "It is open whether a smaller or a larger share of Black "
        assert result.statements[0].startswith(start) and page["sentence"].startswith(start)
        condition = "if the probabilities are right for the other 1,600 people, which the data cannot show"
        assert all(condition in text for text in (result.statements[0], page["sentence"]))
        assert "in which the other 1,600 people can be in the groups and agree" in page["points"][0][1]
        assert "if the probabilities are right for the other 1,600 people; " in page["tables"][0].note
        (row,) = result.estimates.only(contrast="difference", estimator="corrected")
        numbers = [minus(f"{100 * number:.1f}") for number in (row.estimate, row.conf_low, row.conf_high)]
        assert result.statements[1].startswith("Corrected by the 400 people whose group is known, if these were drawn")
        assert f"Black {numbers[0]} ({numbers[1]} to {numbers[2]})" in result.statements[1]
        assert page["context"][0] == result.statements[1].replace(" 95% limits:", " 95% CI:")
        assert page["context"][0].endswith("That is no verdict.")


@pytest.mark.parametrize("options", [{}, {"known": "tenth"}, {"known": "stated"}, {"known": "seventy"}])
@pytest.mark.parametrize("size", [2, 3, 4])
def test_print_answers_in_30_lines_with_each_estimate_its_limits_and_what_it_supposes(
    size: int, options: dict[str, Any]
) -> None:
    people = three(3000, sharp=0.1)
    people["po"] = people["ph"] / 2
    people["ph"] = people["ph"] / 2 if size == 4 else people["ph"]
    names = ["pw", "pb", "ph", "po"][:size]
    people[names] = people[names].div(people[names].sum(axis=1), axis=0)
    called = dict(zip(["White", "Black", "Hispanic", "Other"], names, strict=False))
    kept = people["seventy"].isin([*called, np.nan]) | people["seventy"].isna()
    for extra in ({}, {"drawn_at_random": True} if options else {"p_adjust": "holm"}, {"conf_level": 0.9}):
        given = people.assign(**{name: people[name].where(people[name].isin(called)) for name in options.values()})
        result = fs.group_probabilities(given[kept], "hired", called, reference="White", **options, **extra)
        text = str(result)
        lines, flat = text.splitlines(), " ".join(text.split())
        assert len(lines) <= 30 and max(map(len, lines)) <= 80
        assert result.statements[0] in flat
        assert " ".join(lines[1:]).startswith(result.statements[0][:60]) and flat.endswith("has all numbers.")
        for row, ends, beside in bounded_rows(result):
            at = next(i for i, line in enumerate(lines) if line.startswith("bound" if size == 2 else f"{row.group}  "))
            first = lines[at]
            cells = re.split(r"  +", first + (f"  {lines[at + 1]}" if size > 2 else ""))
            assert words.span(ends.conf_low, ends.conf_high, words.percent) in cells
            assert row.conf_low != row.conf_low or words.span(row.conf_low, row.conf_high, words.percent) in cells
            for one in (one for one in beside if one.status == "ok"):
                line = next(line for line in lines if line.startswith(one.estimator)) if size == 2 else first
                assert minus(f"{100 * one.estimate:.1f}") in re.split(r"  +", line.replace("*", ""))
                there = re.split(r"  +", line) if size == 2 else cells
                assert words.span(one.conf_low, one.conf_high, words.percent) in there
            assert all(f"{one.estimator}" in flat for one in beside)
        apart = "no gap at" if size == 2 else "no gap between any of the groups at"
        refuted = "bound: probabilities are right (refuted)" in flat
        bound = "probabilities are right" if not options or refuted else "probabilities right for the others"
        if options and not refuted and size > 2:
            others = int(given[options["known"]].isna()[kept].sum())
            bound = f"probabilities are right for the other {others:,} people"
        conditions = (bound, f"{apart} equal probabilities", "same rate throughout each group")
        assert all(condition in flat for condition in conditions)
        assert (
            re.search("known people drawn at random|drawn at random .doubtful.|drawn at random, as decl", flat)
            is not None
        ) == bool(options)
        (check,) = result.estimates.only(role="omnibus", term="calibration") or [None]
        assert (check is None) == ("no condition is tested" in flat) == (not options)


@pytest.mark.parametrize("kind", ["pdf", "html", "json"])
def test_a_report_of_probabilities_is_verified_by_the_call_on_the_data(kind: str, tmp_path: Path) -> None:
    people, file, report = three(600), tmp_path / "p.csv", tmp_path / f"r.{kind}"
    people.to_csv(file, index=False)
    options = {"known": "tenth", "favorable": 1, "p_adjust": "holm", "seed": 3, "drawn_at_random": True}
    fs.report(fs.group_probabilities(file, "hired", THREE, reference="White", **options), to=report)
    found = fs.verify_report(report, file)
    assert found.status == "verified" and found.compared > 300
    assert run(["verify", str(report), str(file)]) == 0
    people.assign(pw=people["pb"], pb=people["pw"]).to_csv(file, index=False)
    assert fs.verify_report(report, file).status == "disagreement"
    people.drop(columns="pb").to_csv(file, index=False)
    assert fs.verify_report(report, file).status == "disagreement"


def test_three_people_decided_alike_have_no_limits_of_no_width() -> None:
    result = fs.group_probabilities(table(3).assign(hired=[1, 1, 1]), "hired", GROUPS, favorable=1)
    assert {row.status for row in result.estimates.only(estimator="linear")} == {"unestimable"}


def test_rounded_probabilities_are_scaled_and_missing_ones_left_out() -> None:
    people = table(500)
    rounded = people.round({"pw": 2, "pb": 2})
    rounded.loc[:3, "pw"] = np.nan
    result = fs.group_probabilities(rounded, "hired", GROUPS)
    assert result.statements[1].startswith("Of 4 of 500 people neither the group nor all probabilities are known: the")
    assert result.n == 496
    undecided = rounded.assign(hired=rounded["hired"].astype(float).where(rounded.index != 9))
    lines = fs.group_probabilities(undecided, "hired", GROUPS).statements
    assert lines[1].startswith("Of 4 of 499 people") and lines[-1] == "Left out, without a decision: 1 of 500 people."
    assert lines[-1] in " ".join(str(fs.group_probabilities(undecided, "hired", GROUPS)).split())
    assert "none of the named groups" not in " ".join(result.statements)


@pytest.mark.parametrize("row", [(0.34, 0.56, 0.11), (0.33, 0.33, 0.33), (0.145, 0.155, 0.155, 0.165, 0.175, 0.205)])
def test_two_decimals_of_any_number_of_groups_are_rounded_probabilities(row: tuple[float, ...]) -> None:
    """Exact ones of half a hundredth are rounded up: six add up to 1.03, three may to 1.01 and to a little more."""
    up = [float(f"{np.ceil(100 * p - 1e-9) / 100:.2f}") for p in row]
    people = pd.DataFrame([up, [1 - 0.1 * (len(row) - 1), *[0.1] * (len(row) - 1)]] * 60)
    people.columns = [*"abcdef"[: len(row)]]
    result = fs.group_probabilities(people.assign(y=[0, 1, 1, 0] * 30), "y", {c: c for c in people.columns})
    expected = sum(one.n for one in result.estimates.only(contrast="none", estimator="weighted"))
    assert abs(expected - 120) < 1e-9 and "none of the named groups" not in " ".join(result.statements)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"groups": {"White": "pw"}}, "name two groups or more"),
        ({"groups": ["pw", "pb"]}, "name two groups or more"),
        ({"groups": {"White": "pw", "Black": "pw"}}, "every group has a column of its own"),
        ({"groups": {"White": "pw", "Black": "nobody"}}, "nobody"),
        (
            {"groups": {"White": "pw", "Black": "sure"}},
            r"add up to 1\..* add up to 1 at most, and by rounding to 1.01; ",
        ),
        ({"groups": {"White": "pw", "Black": "hired"}}, "^decision has 'hired', which is a column of probabilities"),
        ({"groups": {"White": "pw", "Black": "more"}}, "a probability is between 0 and 1"),
        ({"groups": {"White": "pw", "Black": "none"}}, "which is 0 for everybody"),
        ({"groups": {"White": "pw", "Black": "race"}}, "numbers are needed"),
        ({"decision": "race"}, "it must have two"),
        ({"reference": "Asian"}, "the groups are White, Black"),
        ({"known": "other"}, "the groups are White, Black"),
        ({"known": "other"}, "or give each further group a column of its probabilities, 0 for people who cannot be"),
        ({"known": "few"}, "10 are the fewest"),
    ],
)
def test_bad_input_is_one_clear_error(change: dict[str, Any], said: str) -> None:
    people = table(60, shape=(1.0, 1.0)).assign(more=1.5, none=0.0, sure=1.0, few=["White"] * 3 + [None] * 57)
    people["other"] = people["race"].replace("Black", "Martian")
    people["race"] = np.where(np.arange(60) < 20, "Asian", people["race"]) if "decision" in change else people["race"]
    with pytest.raises(fs.InputError, match=said):
        fs.group_probabilities(people, **{"decision": "hired", "groups": GROUPS, **change})


@pytest.mark.parametrize("label", [0, 1])
def test_where_everybody_is_decided_on_alike_the_ends_are_no_gap(label: int) -> None:
    result = fs.group_probabilities(table(60).assign(hired=label), "hired", GROUPS, reference="White")
    ((row, ends, _),) = bounded_rows(result)
    assert ends.conf_low == ends.conf_high == 0 and row.conf_low < 0 < row.conf_high and row.verdict == "inconclusive"


def test_report_says_on_page_one_what_the_bound_supposes_and_draws_it(tmp_path: Path) -> None:
    result = fs.group_probabilities(partly(), "hired", GROUPS, known="race", reference="White")
    html = fs.report(result).html
    first = html.split("Further results")[0]
    condition = "the probabilities are right for the other 400 people"
    assert f"A verdict comes from the bound alone. It supposes that {condition}: of those with" in first
    assert f"Bars: bounds of the differences if {condition}; lines" in first
    assert "Black less White, ends of the bound" in html
    assert "less ," not in html
    german = fs.report(result, language="de").html
    assert "Ein Urteil folgt nur aus den Schranken" in german
    drawing = result.plot()
    assert drawing.alt.startswith("Bounds. Black less White: −")
    assert result.save(tmp_path / "result.npz")
    again = fs.load(tmp_path / "result.npz")
    assert again.summary() == result.summary()
    assert fs.report(again).html.count("corrected by known groups") == html.count("corrected by known groups") > 0
    assert max(map(len, result.summary().splitlines())) <= 80


def test_command_is_the_call_and_a_gate_fails_where_a_difference_is_shown(tmp_path: Path) -> None:
    people, file, out = table(2000, gap=0.4), tmp_path / "people.csv", tmp_path / "out.npz"
    people.to_csv(file, index=False)
    line = ["group-probabilities", str(file), "--decision", "hired", "--groups", "White=pw,Black=pb"]
    assert run([*line, "--known", "race", "--to", str(out)]) == 0
    expected = fs.group_probabilities(str(file), "hired", GROUPS, known="race")
    assert fs.load(out).summary() == expected.summary()
    assert run([*line, "--fail-on", "disparity"]) == 1
    assert run([*line[:-1], "White=pw"]) == 2


def test_brief_prints_the_bounds_and_what_they_rest_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    people = table(2000, shape=(1.0, 1.0), gap=0.2)
    people["asked"] = people["race"].where(np.arange(2000) % 5 == 0)
    people.to_csv(tmp_path / "p.csv", index=False)
    named = ",".join(f"{group}={column}" for group, column in GROUPS.items())
    line = ["group-probabilities", str(tmp_path / "p.csv"), "--decision", "hired", "--groups", named]
    assert run([*line, "--known", "asked", "--reference", "White"]) == 0
    whole = capsys.readouterr().out
    assert run([*line, "--known", "asked", "--reference", "White", "--brief"]) == 0
    short = capsys.readouterr().out
    result = fs.group_probabilities(tmp_path / "p.csv", "hired", GROUPS, known="asked", reference="White")
    (asked,) = ([line for line in str(result).splitlines() if "summary()" not in line],)
    assert [line for line in short.splitlines() if "--brief" not in line] == asked
    assert "without --brief or --to all numbers are printed" in short and "--brief" not in whole
    assert whole.startswith(result.summary().split("fairstats.audit")[0])


def test_an_audit_that_is_given_probabilities_names_the_function_for_them() -> None:
    with pytest.raises(
        fs.InputError, match=r"probabilities of a group, use fairstats\.group_probabilities; otherwise cut"
    ):
        fs.audit(table(60, shape=(1.0, 1.0)), "hired", "pw")


def test_people_who_cannot_differ_have_no_test_of_their_drawing() -> None:
    people = table().assign(hired=1, pw=0.5, pb=0.5)
    people["race"] = people["race"].where(np.arange(len(people)) % 5 == 0)
    rows = fs.group_probabilities(people, "hired", GROUPS, known="race", favorable=1).estimates
    (row,) = rows.only(term="drawn at random")
    assert row.status == "unestimable" and row.reason == "too few people, or all decided alike"


def test_the_order_of_rows_changes_nothing() -> None:
    rng = np.random.default_rng(3)
    p = rng.beta(2, 2, 300).round(2)
    group = np.where(rng.random(300) < p, "A", "B")
    table = pd.DataFrame({"y": rng.integers(0, 2, 300), "a": p, "b": 1 - p})
    table["known"] = np.where(rng.random(300) < 0.2, group, None)
    other = table.sample(frac=1, random_state=2)
    shares = {"A": "a", "B": "b"}
    first, second = (fs.group_probabilities(t, "y", shares, reference="A", known="known") for t in (table, other))
    for one, two in zip(first.estimates, second.estimates, strict=True):
        numbers = [(row.estimate, row.conf_low, row.conf_high, row.p_value) for row in (one, two)]
        np.testing.assert_allclose(*numbers, rtol=1e-9, atol=1e-12)


def test_the_bound_of_every_group_is_said_before_an_estimate_with_a_bias() -> None:
    rng = np.random.default_rng(0)
    shares, group, _ = drawn(4000, rng, (0.05, 0.05, 0.05))
    selected = (rng.random(4000) < np.array([0.7, 0.3, 0.65])[group]).astype(int)
    d = pd.DataFrame({"hired": selected, "pw": shares[:, 0], "pb": shares[:, 1], "pa": shares[:, 2]})
    result = fs.group_probabilities(d, "hired", {**GROUPS, "Asian": "pa"}, reference="White")
    assert {row.group: row.verdict for row in result.compared()}["Asian"] == "inconclusive"
    lines = result.statements
    bound, linear = (
        next(i for i, line in enumerate(lines) if line.startswith(start))
        for start in (
            "It is open whether a smaller or a larger share of Asian than of White was",
            "With more than two groups the weighted difference",
        )
    )
    assert bound < linear
    assert [row.verdict == "disparity shown" for row in result.compared()] == [True, False]
    assert page_one(result)["sentence"].endswith(" A gap is shown for 1 of the 2 groups compared with White people.")


def test_groups_that_were_assigned_have_no_verdict_and_the_way_out_first() -> None:
    d = table().assign(pw=lambda d: d["pw"].round(), pb=lambda d: 1 - d["pw"])
    result = fs.group_probabilities(d, "hired", GROUPS, reference="White")
    first, second, *_ = result.statements
    assert first.startswith("No verdict is given: all probabilities are 0 or 1, ")
    assert "pass the probabilities that it was chosen by" in first and "fairstats.audit of these groups" in first
    (row,), page = result.compared(), page_one(result)
    assert row.verdict == "" and row.reason == "no verdict: all probabilities are 0 or 1" and row.p_value != row.p_value
    rates, counts = (d.groupby(d["pb"] == 1)["hired"].agg(of) for of in ("mean", "size"))
    gap, error = rates[True] - rates[False], np.sqrt((rates * (1 - rates) / counts).sum())
    numbers = re.search(r"Black (\S+) \((\S+) to (\S+)\)", second.replace("\N{MINUS SIGN}", "-"))
    assert numbers and [float(x) for x in numbers.groups()] == pytest.approx(
        [100 * (gap + k * error) for k in (0, -1.96, 1.96)], abs=0.3
    )
    assert page["sentence"] == f"{first} {second}".replace("(95% limits)", "(95% CI)")
    assert " ".join(str(result).split()).partition(" people ")[2].startswith(f"{first} {second} ")
    points = dict(page["points"])
    assert minus(f"White people: {100 * gap:.1f} percentage points, if each") in points["What is bounded."]
    assert points["What to do next."].startswith("Pass the probabilities that the groups were chosen by.")
    assert "how large" not in str(points) and "Look for the reasons" not in str(points)
    assert not re.search("Whoever|nobody was put|verdict comes from|corrected", f"{page} {result.statements}")
    lost = fs.group_probabilities(d.assign(pw=d["pw"].where(d.index > 8)), "hired", GROUPS, reference="White")
    assert "Of 9 of 600 people neither the group nor all probabilities are known: they are left out." in lost.statements
    assert not any("smaller than that of linear regression" in text for text in result.statements)
    some = table()
    known = some["race"].where(some.index % 5 == 0)
    some["pw"] = some["pw"].mask(known.notna(), (known == "White") * 1.0)
    some["pb"] = 1 - some["pw"]
    share = 100 * (some[["pw", "pb"]] == 1).any(axis=1).mean()
    (said,) = (x for x in fs.group_probabilities(some, "hired", GROUPS).statements if "are 0 or 1" in x)
    assert said.startswith(f"The probabilities of {share:.1f}% of people are 0 or 1, and the bound takes their groups")
    assert said.count(". ") == 1  # two sentences
    assert "are 0 or 1" not in " ".join(fs.group_probabilities(table(), "hired", GROUPS).statements)


def test_probabilities_of_0_and_1_are_refuted_by_a_known_group_that_they_exclude() -> None:
    d = table().assign(pb=np.arange(600) % 2.0, pw=lambda d: 1 - d["pb"])  # as many of each: no variance is left
    truth = d["pb"].map({1.0: "Black", 0.0: "White"}).where(np.arange(600) % 4 < 2)
    truth.iloc[:2] = ["Black", "White"]  # two who are in the other group
    result = fs.group_probabilities(d.assign(race=truth), "hired", GROUPS, known="race", reference="White")
    assert result.statements[0].startswith("No verdict is given") and result.compared()[0].verdict == ""
    with pytest.raises(fs.InputError, match="by these nothing can be tested"):
        fs.group_probabilities(d.assign(race=truth.iloc[2:]), "hired", GROUPS, known="race")
    agree, known = np.eye(2)[np.arange(40) % 2], np.eye(2)[np.arange(40) % 2]
    assert np.isnan(calibrated(known, agree, 0)[2])
    known[0] = 1 - known[0]
    assert calibrated(known, agree, 0)[2] == 0  # nobody can be there; by chance alone it is in none of the draws


@pytest.mark.parametrize("p_adjust", ["bonferroni", "holm"])
@pytest.mark.parametrize("gap", [0.0, 0.4])
@pytest.mark.parametrize("wrong", [False, True])
def test_where_every_group_is_known_the_answer_is_that_of_an_audit_and_says_so(
    gap: float, wrong: bool, p_adjust: Any
) -> None:
    """Probabilities that are refuted withhold no verdict that does not rest on them."""
    people = table(2000, gap=gap)
    if wrong:
        people[["pw", "pb"]] = people[["pb", "pw"]].to_numpy()
    options = {"known": "race", "reference": "White", "p_adjust": p_adjust, "drawn_at_random": wrong}
    result = fs.group_probabilities(people, "hired", GROUPS, **options)
    rates = people.groupby("race")["hired"].mean()
    truth, (row,) = rates["Black"] - rates["White"], result.compared()
    ((_, ends, _),) = bounded_rows(result)
    assert ends.conf_low == pytest.approx(truth) and ends.conf_high == pytest.approx(truth)
    assert row.verdict == ("disparity shown" if gap else "inconclusive")
    first, second = result.statements[:2]
    page, shown = page_one(result), abs(truth) if gap else truth
    assert "2,000 people compared: if none was filled in" in second and "fairstats.audit answers this exactly" in second
    assert page["question"].startswith("A group is given for everybody.")
    for said in (first, page["sentence"]):
        assert minus(f"{100 * shown:.1f} percentage points (") in said
        assert said.startswith(
            "As every group is known, if none was filled in from the probabilities: a smaller share of Black"
            if gap
            else "It is open"
        )
    printed = " ".join(str(result).split())
    everything = f"{result.statements} {page} {printed}"
    assert first in printed and second in printed and second in str(page["points"])
    assert not re.search("if the probabilities are right|drawn at random|No verdict|no verdict|Whoever", everything)
    assert ("not as frequent as the probabilities say" in everything) == wrong
    german = fs.report(result, language="de").html
    assert "ist keine Wahrscheinlichkeit nötig" in german and "zufällig gezogen" not in german


def test_declared_people_who_refute_the_probabilities_tell_one_story() -> None:
    """The corrected difference under its condition, in a sentence; no number that is refuted as if it were right."""
    people = three(6000, sharp=0.3)
    sharp = people[["pw", "pb", "ph"]] ** 2  # in the right order of people, and wrong
    people[["pw", "pb", "ph"]] = sharp.div(sharp.sum(axis=1), axis=0)
    rng = np.random.default_rng(3)
    people["asked"] = people["seventy"].where(rng.random(6000) < 0.5)
    result = fs.group_probabilities(people, "hired", THREE, known="asked", reference="White", drawn_at_random=True)
    (check,) = result.estimates.only(role="omnibus", term="calibration")
    assert check.p_value < 0.001 and not any(row.verdict for row in result.compared())
    of = {row.group: row for row in result.estimates.only(contrast="difference", estimator="corrected")}
    assert -of["Black"].estimate > abs(of["Hispanic"].estimate)
    page, said = page_one(result), " ".join(result.statements)
    assert " a smaller share of Black people than of White people was recorded as `hired`, by " in page["sentence"]
    assert f"{-100 * of['Black'].estimate:.1f} percentage points (95% CI, adjusted " in page["sentence"]
    assert page["sentence"].endswith("Then the probabilities are refuted (p <0.001), and the bound with them.")
    other = words.span(of["Hispanic"].conf_low, of["Hispanic"].conf_high, words.percent)
    assert other in page["context"][0] and "Hispanic" in page["context"][0]
    for text in (said, str(page)):
        assert "If these people were drawn at random, as declared, the probabilities are wrong" in text
        assert "Either these people" not in text and "if the probabilities are right, which" not in text
    assert all("they refute the probabilities" in text for text in (page["points"][0][1], page["tables"][0].note))
    assert "right (refuted)" in " ".join(str(result).split())
    follows = dict(page["points"])
    assert "that Black people were selected less often than White people" in follows["What follows."]
    assert "as declared, its verdict is about everybody" in follows["What to do next."]


def test_known_groups_without_a_group_are_an_error_and_with_few_of_one_correct_nothing() -> None:
    d = table()
    with pytest.raises(fs.InputError, match="known has 'one', by which nobody is in Black"):
        fs.group_probabilities(d.assign(one="White"), "hired", GROUPS, known="one")
    for few, status in ((9, "unestimable"), (10, "ok")):
        place = d.groupby("race").cumcount()
        known = d["race"].where(place < np.where(d["race"] == "Black", few, 40))
        result = fs.group_probabilities(d.assign(known=known), "hired", GROUPS, known="known")
        (row,) = result.estimates.where(contrast="difference", estimator="corrected")
        assert row.status == status
        assert ("Corrected by" in " ".join(result.statements)) == (status == "ok")
        few_known = (
            "Not corrected by people whose group is known: Black (fewer than 10 people are known to be in a group)."
        )
        assert (
            (few_known in result.statements)
            == (status != "ok")
            == ("Corrected, without a number: " in result.summary())
        )


def test_a_difference_is_not_corrected_where_a_corrected_rate_is_none() -> None:
    """Nobody of a group is known who was selected, and of others mostly those: the corrected rate is below 0."""
    rng = np.random.default_rng(0)
    race, hired = rng.choice(["A", "B", "C"], 2000, p=[0.6, 0.3, 0.1]), rng.integers(0, 2, 2000)
    shares = rng.dirichlet([1, 1, 1], 2000)
    d = pd.DataFrame({"hired": hired, "a": shares[:, 0], "b": shares[:, 1], "c": shares[:, 2]})
    often = np.where(hired == 1, 0.4, 0.2) * ((race != "C") | (hired == 0))
    d["known"] = np.where(rng.random(2000) < often, race, "")
    result = fs.group_probabilities(d, "hired", {"A": "a", "B": "b", "C": "c"}, known="known", reference="A")
    status = {(row.contrast, row.group): row.status for row in result.estimates.where(estimator="corrected")}
    assert status["none", "C"] == status["difference", "C"] == "unestimable" != status["difference", "B"]
    reason = "the corrected rate of a group is not between 0 and 100%"
    assert f"Not corrected by people whose group is known: C ({reason})." in result.statements


def page_of(*results: Any) -> dict[str, Any]:
    return context(gather(list(results), None, ""), "generic")["findings"]


def page_one(result: fs.GroupStudy) -> dict[str, Any]:
    return page_of(result)


def minus(text: str) -> str:
    return text.replace("-", "\N{MINUS SIGN}")


def test_page_one_answers_and_its_table_has_the_numbers_of_the_rows() -> None:
    result = fs.group_probabilities(partly(), "hired", GROUPS, known="race", reference="White")
    ((row, ends, estimates),) = bounded_rows(result)
    page = page_one(result)
    assert row.verdict == "disparity shown" and row.conf_high < 0 and estimates[-1].estimator == "corrected"
    limits = f"{-100 * row.conf_high:.1f} to {-100 * row.conf_low:.1f}"
    assert page["sentence"].startswith("Whoever is in which group, a smaller share of Black people than of White")
    name = level_of([row], result.conf_level)  # one interval, one name
    assert f"below the bound its {name}" in page["tables"][0].note
    assert f"as `hired`: by {limits} percentage points ({name})" in page["sentence"] and name == "95% CI"
    assert (
        f"({name}, which adds sampling error: " in page["points"][0][1] and f"the {name} adds" in page["tables"][0].note
    )
    assert f"lines: their {name}" in page["figures"][0].caption
    assert minus(f"Black {100 * estimates[-1].estimate:.1f} (") in page["context"][0]
    line = page["tables"][0].rows[1]
    gaps = [minus(f"{100 * one.estimate:.1f}") for one in estimates]
    assert "decides alone whether a gap is shown" in page["tables"][0].note
    assert line[3] == minus(f"{100 * ends.conf_low:.1f} to {100 * ends.conf_high:.1f}") and [*line[4:]] == [
        *gaps,
        "yes",
    ]
    below = page["tables"][0].rows[2]
    assert [*below[3:7]] == [words.span(one.conf_low, one.conf_high, words.percent) for one in (row, *estimates)]
    assert below[0] == "limits" and "below each estimate its 95% CI by itself" in page["tables"][0].note


def test_no_cell_of_the_table_of_bounds_is_wider_than_its_column_in_any_language() -> None:
    """Limits of three estimates beside those of the bound ran into each other in German."""
    people = three(3000, sharp=0.1)
    result = fs.group_probabilities(people, "hired", THREE, known="tenth", reference="White")
    for code in ("en", "de"):
        with in_language(language(code)):
            table = bounds_table(result)
            assert sum(least for least, *_ in tables._needs(table)) <= tables.FULL


def test_the_least_p_value_that_draws_give_is_printed_as_a_bound_in_tables_too() -> None:
    row = Estimate("share", role="omnibus", p_value=1 / 1000)
    assert study_p(row) == "<0.001*" and study_p(replace(row, p_value=2 / 1000)) == "0.002*"


def test_of_three_corrected_differences_each_has_its_limits_in_print_and_on_page_one() -> None:
    people = three(3000, 2, sharp=0.1).assign(po=lambda d: d["ph"] / 2, ph=lambda d: d["ph"] / 2)
    rng = np.random.default_rng(0)
    turned = (people["tenth"] == "Hispanic") & (rng.random(3000) < 0.5)
    people["tenth"] = people["tenth"].mask(turned, "Other")
    options = {"known": "tenth", "drawn_at_random": True, "reference": "White"}
    result = fs.group_probabilities(people, "hired", {**THREE, "Other": "po"}, **options)
    rows = result.estimates.only(contrast="difference", estimator="corrected", status="ok")
    page = page_one(result)
    assert len(rows) == 3 and page["sentence"].startswith("If the")
    lead = next(row for row in rows if f" share of {row.group} people than of" in page["sentence"])
    ends = sorted((abs(lead.conf_low), abs(lead.conf_high)))
    assert f"({level_of([lead], result.conf_level)} {words.span(*ends, words.percent)})" in page["sentence"]
    for row in rows:
        ends = words.span(row.conf_low, row.conf_high, words.percent)
        assert str(result).count(ends) >= 1 and (row is lead or f"{row.group} " in page["context"][0])
        assert row is lead or f"({ends})" in page["context"][0]
        assert any(ends in line for line in page["tables"][0].rows)


@pytest.mark.parametrize("missing", ["level", "drop"])
def test_beside_an_audit_the_bound_has_its_table_its_picture_and_how_both_relate(missing: str) -> None:
    people = table(2000, gap=0.4).assign(sex=["f", "m"] * 1000, truth=lambda d: d["race"])
    people["race"] = people["race"].where(np.arange(2000) % 10 < 7)
    bound = fs.group_probabilities(people, "hired", GROUPS, known="race", reference="White")
    audit = fs.audit(people, "hired", "race", reference="White", missing=missing)
    html = fs.report(audit, bound).html
    (shown, at_least), (supposed, corrected) = page_of(audit, bound)["points"][-2:]
    question, _, claim = shown.partition(": ")
    assert question == "Groups known as probabilities" and claim.endswith(
        "had `hired = 1` less often than White people."
    )
    assert page_one(bound)["sentence"].startswith(claim[:60].capitalize()[:20]) and supposed.startswith("If the ")
    ((row, _, [*_, one]),) = bounded_rows(bound)
    assert minus(f"By {-100 * row.conf_high:.1f} to {-100 * row.conf_low:.1f} percentage points (95% CI)") in at_least
    (drawn,) = bound.estimates.only(term="drawn at random")
    assert minus(f"of {100 * one.estimate:.1f} percentage points (95% CI ") in corrected
    assert f"no verdict. Drawn at random: not refuted, p {words.p_value(drawn.p_value)}; the data" in corrected
    assert all(len(text.split()) < 50 for text in (shown, at_least, supposed, corrected))
    for line in (
        "The audit compares people whose race is recorded (1,400 of 2,000).", "The bound is about 2,000 people, ",
        "The range that the audit has with these people at worst uses no probabilities.",
    ):  # fmt: skip
        assert line in html and line not in f"{at_least}{corrected}"
    (table_of_bound,) = page_one(bound)["tables"]
    caption = table_of_bound.caption.split(". ")[-1]
    assert caption in html and page_one(bound)["figures"][0].caption.split(":")[0] in html
    for other in (
        fs.audit(people, "hired", "sex"),
        fs.audit(people.assign(race=people["truth"]), "hired", "race"),
        fs.audit(people.assign(other=people["hired"]), "other", "race"),
    ):
        assert "The audit compares people whose" not in fs.report(other, bound).html


def test_the_bounds_are_a_frame_of_the_numbers_of_the_rows() -> None:
    people = table(2000, gap=0.4)
    people["race"] = people["race"].where(np.arange(2000) < 1600)
    result = fs.group_probabilities(people, "hired", GROUPS, known="race", reference="White")
    (line,) = result.by_bound().itertuples()
    assert (line.group, line.reference, line.verdict) == ("Black", "White", "disparity shown")
    assert line.conf_low < line.low < line.high < line.conf_high < 0
    for name in ("weighted", "linear", "corrected"):
        (row,) = result.estimates.only(contrast="difference", group="Black", estimator=name)
        assert getattr(line, name) == row.estimate
    assert fs.group_probabilities(people, "hired", GROUPS).by_bound()["corrected"].isna().all()


def test_page_one_says_what_is_open_and_what_is_refuted() -> None:
    open_still = page_one(fs.group_probabilities(table(300, gap=0.0), "hired", GROUPS, reference="White"))
    assert open_still["sentence"].startswith("It is open whether a smaller or a larger share of Black people than of ")
    assert open_still["tables"][0].rows[1][-1] == "no"
    people = table(3000, gap=0.4)
    people["race"] = np.where(np.arange(3000) < 400, people["race"], None)
    wrong = people.assign(pw=0.5 + 0.8 * (people["pw"] - 0.5), pb=0.5 + 0.8 * (people["pb"] - 0.5))
    refuted = page_one(fs.group_probabilities(wrong, "hired", GROUPS, known="race", reference="White"))
    assert refuted["sentence"].startswith("No verdict is given: among 400 people")
    headings = [heading for heading, _ in refuted["points"]]
    assert headings[:2] == ["What is bounded.", "What follows."] and headings[-1] == "What to do next."
    assert refuted["points"][1][1].startswith("From the probabilities nothing follows on whether there is a gap")
    assert not any(heading.label == "shown" for heading in refuted["tables"][0].headings)
    assert "the 95% CI adds sampling error." in refuted["tables"][0].note and "alone" not in refuted["tables"][0].note


def test_what_follows_tells_the_bound_from_people_drawn_at_random_and_where_a_verdict_may_come_from() -> None:
    people = table(2000, shape=(1.0, 1.0), gap=0.2)
    people["asked"] = people["race"].where(np.arange(2000) % 5 == 0)
    result = fs.group_probabilities(people, "hired", GROUPS, known="asked", reference="White")
    corrected = next(row for row in result.estimates.only(estimator="corrected", contrast="difference"))
    assert result.compared()[0].verdict == "inconclusive" and corrected.conf_high < 0
    points = {point[0]: point[1] for point in page_one(result)["points"]}
    assert points["What follows."] == (
        "From the probabilities it follows neither that Black people and White people differ nor that they are alike. "
        "From the people whose group is known it follows, if they were drawn at random, that Black people were "
        "selected less often than White people. That is no verdict: the data cannot show how they were drawn."
    )
    assert "audit these people by themselves" in points["What to do next."]
    assert any(
        "If you know that they were, fairstats.audit of a table with their rows alone" in text
        for text in result.statements
    )
    bounds = [line for line in result.summary().splitlines() if line.startswith(("bound,", "ends of the bound,"))]
    assert bounds and all("–" in line for line in bounds)


THREE = {"White": "pw", "Black": "pb", "Hispanic": "ph"}


def three(n: int = 1500, seed: int = 1, sharp: float = 0.8) -> pd.DataFrame:
    """People of three races with posteriors, and the group of: 70%, a random tenth, those who state it by choice."""
    rng = np.random.default_rng(seed)
    shares = rng.dirichlet(np.array([0.55, 0.3, 0.15]) * sharp, n)
    group = (rng.random((n, 1)) > shares.cumsum(axis=1)[:, :-1]).sum(axis=1)
    hired = rng.random(n) < np.array([0.6, 0.3, 0.5])[group]
    race = pd.Series(np.array(list(THREE), dtype=object)[group])
    stating = 0.7 * np.where(hired, 0.25, 0.05) * np.where(race == "Black", 2, 1)
    known = {"seventy": rng.random(n) < 0.7, "tenth": rng.random(n) < 0.1, "stated": rng.random(n) < stating}
    people = pd.DataFrame({"hired": hired.astype(int), **dict(zip(THREE.values(), shares.T, strict=True))})
    return people.assign(**{name: race.where(among) for name, among in known.items()})


def as_stated(people: pd.DataFrame, known: str) -> pd.DataFrame:
    there = people[known].notna()
    sure = {p: people[p].mask(there, (people[known] == group) * 1.0) for group, p in THREE.items()}
    return people.assign(**sure)


def test_ends_that_exclude_0_show_nothing_where_the_limits_do_not() -> None:
    """With few people chance alone puts the gap among them outside the ends, although the probabilities are right."""
    outside = 0
    for seed in range(40):
        rng = np.random.default_rng(seed)
        p = np.where(rng.random(60) < 0.5, 0.03, 0.97)
        black, hired = rng.random(60) < p, rng.random(60) < 0.3
        people = pd.DataFrame({"hired": hired.astype(int), "pb": p, "pw": 1 - p})
        result = fs.group_probabilities(people, "hired", GROUPS, reference="White")
        ((row, ends, _),) = bounded_rows(result)
        low, high = 100 * ends.conf_low, 100 * ends.conf_high
        if result.shown() or low <= 0 <= high:
            continue
        outside += not low <= 100 * (hired[black].mean() - hired[~black].mean()) <= high
        lead, page = result.statements[0], page_one(result)["sentence"]
        for text, name in ((lead, "95% limits"), (page, "95% CI")):
            assert text.startswith("It is open whether")
            assert minus(f"{100 * row.conf_low:.1f} and {100 * row.conf_high:.1f} percentage points ({name}; ") in text
            assert minus(f"; without sampling error {low:.1f} to {high:.1f})") in text
        assert "there is a gap" not in str(page_one(result)["points"])
    assert outside


def test_limits_of_a_refused_run_have_the_level_of_a_verdict_which_is_named() -> None:
    people = three()
    refused = fs.group_probabilities(people, "hired", THREE, known="stated", reference="White")
    passed = fs.group_probabilities(as_stated(people, "stated"), "hired", THREE, reference="White")
    assert not refused.shown() and not any(row.verdict for row in refused.compared())
    for mine, other in zip(refused.compared(), passed.compared(), strict=True):
        assert mine.conf_level == other.conf_level == pytest.approx(0.975)
        assert (mine.conf_low, mine.conf_high) == pytest.approx((other.conf_low, other.conf_high))
        assert mine.reason == WITHHELD[AT_RANDOM] and mine.verdict == ""
    for result in (refused, passed):
        said = [line for line in result.statements if line.startswith("Limits of the bounds of differences")]
        assert said == [
            "Limits of the bounds of differences have the level 97.5%, so that they hold together at 95%"
            + (", and so do those of corrected differences; limits of " if result is refused else "; those of ")
            + "other estimates have the level 95%, each by itself."
        ]
        of_known = "corrected differences 97.5%, " * (result is refused)
        assert f"Intervals: bounds of differences 97.5%, {of_known}other rows 95%" in " ".join(result.summary().split())
        html = fs.report(result).html
        assert html.count(said[0]) >= 1 and "95 to 97.5%" not in html
    plain = fs.group_probabilities(people, "hired", THREE, reference="White", p_adjust="none")
    assert "Limits with sampling error have the level 95%, each by itself." in plain.statements
    assert "Intervals: 95%; ends of" in " ".join(plain.summary().split())
    holm = fs.group_probabilities(people, "hired", THREE, known="stated", reference="White", p_adjust="holm")
    assert all(row.conf_low != row.conf_low and "Holm" in row.reason for row in holm.compared())
    assert not re.search(f"by {DASH}|{DASH} to|to {DASH}", str(page_one(holm)["points"]))


def test_without_limits_page_one_has_the_direction_and_p_and_the_order_of_the_statements() -> None:
    seen = set()
    for n, favorable in itertools.product((260, 1500), (0, 1)):
        result = fs.group_probabilities(
            three(n, 5, 0.2), "hired", THREE, reference="White", p_adjust="holm", favorable=favorable
        )
        page, lead = page_one(result), result.statements[0]
        row, ends = next((row, ends) for row, ends, _ in bounded_rows(result) if f" {row.group} " in lead)
        less, shown = ends.conf_high < 0, row.verdict == "disparity shown"
        seen.add((shown, less))
        assert not ends.conf_low <= 0 <= ends.conf_high
        size = " to ".join(f"{100 * end:.1f}" for end in sorted((abs(ends.conf_low), abs(ends.conf_high))))
        p = limits(row)
        for said in (lead, page["sentence"]):
            ends_of = size if shown else minus(f"{100 * ends.conf_low:.1f} and {100 * ends.conf_high:.1f}")
            assert said.startswith("Whoever is in which group" if shown else "It is open whether")
            assert f" {ends_of} percentage points (without sampling error; {p})" in said
            assert row.group in said.split("White")[0] and (
                f"a {'smaller' if less else 'larger'} share" in said or not shown
            )
        assert not re.search(f"by {DASH}|{DASH} to|to {DASH}|of {DASH}|95% CI, adjusted", str(page["points"]))
        assert "95% CI, adjusted" not in str(page["tables"]) and "adjusted p" in str(page["tables"])
    assert seen == {(True, True), (True, False), (False, True), (False, False)}


def test_page_one_is_about_the_difference_that_the_statements_begin_with() -> None:
    """The clearest of two that are shown is not the largest."""
    rng = np.random.default_rng(1)
    group = rng.choice(3, 260, p=[0.5, 0.42, 0.08])
    hired = (rng.random(260) < np.array([0.75, 0.3, 0.15])[group]).astype(int)
    people = pd.DataFrame({"hired": hired} | {p: (group == i) * 1.0 for i, p in enumerate(THREE.values())})
    people.loc[0, [*THREE.values()]] = 0.9, 0.1, 0.0  # of nobody would the probabilities put all into groups
    result = fs.group_probabilities(people, "hired", THREE, favorable=1, reference="White")
    assert len(result.shown()) == 2 and " smaller share of Black than of White" in result.statements[0]
    assert page_one(result)["sentence"].startswith("Whoever is in which group, a smaller share of Black people")


def _percents(line: str) -> list[float]:
    return [float(number) for number in re.findall(r"([\d.]+)%", line)]


def test_a_sample_that_is_refused_by_decision_and_probability_together_shows_these() -> None:
    rng, n = np.random.default_rng(3), 8000
    q = rng.uniform(0.01, 0.99, n)
    black = rng.random(n) < q
    y = (rng.random(n) < np.where(black, 0.3, 0.42)).astype(int)
    pb, high = q.round(2), rng.random(n)
    for sign in (1, -1):
        chance = 0.15 + 0.2 * sign * np.where(y == 1, 1, -0.6) * (q - 0.5)
        people = pd.DataFrame({"hired": y, "pb": pb, "pw": 1 - pb})
        people["race"] = pd.Series(np.where(black, "Black", "White")).where(high < chance)
        result = fs.group_probabilities(people, "hired", GROUPS, known="race", favorable=1, reference="White")
        (line,) = (line for line in result.statements if "not like the others" in line)
        there = people["race"].notna()
        means = [
            people.loc[(there == of) & (y == decision), "pb"].mean() for decision in (1, 0) for of in (True, False)
        ]
        assert "the mean probability of Black is" in line
        assert _percents(line) == pytest.approx([100 * mean for mean in means], abs=0.051)
        assert sign * (means[0] - means[1]) > 0.05 and sign * (means[3] - means[2]) > 0.03
        assert line in page_one(result)["context"] and "Decision and probability together" in " ".join(
            str(result).split()
        )
        assert "by chance" not in result.statements[0]  # p <0.001


def sharpened(power: float, n: int = 3000, seed: int = 3) -> pd.DataFrame:
    """People of three races, known of 70% drawn at random; probabilities of the others are moved towards 0 and 1."""
    people = three(n, seed)
    columns, others = list(THREE.values()), people["seventy"].isna()
    moved = people.loc[others, columns] ** power
    people.loc[others, columns] = moved.div(moved.sum(axis=1), axis=0)
    return people


def test_probabilities_moved_towards_0_and_1_of_those_whose_group_is_not_known_alone_get_no_verdict() -> None:
    options = {"known": "seventy", "reference": "White"}
    assert fs.group_probabilities(sharpened(1), "hired", THREE, **options).shown()
    people = sharpened(2)
    result = fs.group_probabilities(people, "hired", THREE, **options)
    (drawing,) = result.estimates.only(term="drawn at random")
    assert drawing.p_value < 0.001 and not [row for row in result.estimates if row.verdict]
    lines = " ".join(result.statements)
    squares = (people[[*THREE.values()]] ** 2).sum(axis=1).groupby(people["seventy"].notna()).mean()
    numbers = f"(p <0.001; mean sums of squares {squares[False]:.2f} and {squares[True]:.2f})"
    assert f"closer to 0 and 1 than those of people of known group {numbers}" in lines
    assert "If these were moved towards 0 and 1, the bound is too narrow, with or without known groups." in lines
    assert "If they were computed in another way, people of known group may have been drawn at random all" in lines
    audit = fs.audit(people, "hired", "seventy", reference="White", missing="drop")
    (_, joint) = page_of(audit, result)["points"][-1]
    assert (
        "closer to 0 and 1" in joint and "these data refute" not in joint
    )  # who is missing may be chance all the same
    assert "no departure" not in lines and "a verdict holds" not in lines
    assert "closer to 0 and 1" in " ".join(str(result).split())
    page = page_one(result)
    assert any("closer to 0 and 1" in line for line in page["context"])
    assert dict(page["points"])["What to do next."].startswith("See whether the probabilities of people whose group")
    flatter = fs.group_probabilities(sharpened(0.5), "hired", THREE, **options)
    assert "less close to 0 and 1" in " ".join(flatter.statements) and "too narrow" not in " ".join(flatter.statements)


def test_a_spread_that_is_alike_refutes_no_random_sample_more_often_than_its_level() -> None:
    rng, refuted, found = np.random.default_rng(2), 0, 0
    for _ in range(400):
        shares = rng.dirichlet([0.6, 0.2, 0.13, 0.07], 800)
        selected = (rng.random(800) < 0.2 + 0.4 * shares[:, 0]).astype(float)
        known = rng.random(800) < 0.7
        refuted += drawn_at_random(known, shares, selected)[2] <= 0.05
        shares[~known] = shares[~known] ** 1.5 / (shares[~known] ** 1.5).sum(axis=1, keepdims=True)
        found += drawn_at_random(known, shares, selected)[2] <= 0.05
    assert 0.025 * 400 <= refuted <= 0.085 * 400 and found >= 0.9 * 400


def test_a_merge_in_which_no_id_matches_is_named_with_an_id_of_each_table() -> None:
    people = table(60).assign(id=range(60))
    decisions = people[["id", "hired"]].assign(id=lambda d: d["id"].astype(str))
    shares = people[["id", *GROUPS.values()]].assign(id=lambda d: [f"{i:04d}" for i in d["id"]])
    shares["id"] = "x" + shares["id"]
    for how, ids in (("left", "'id' is '0' where a decision is."), ("outer", "and 'x0000' where probabilities are.")):
        with pytest.raises(fs.InputError, match="no id of the one table is in the other") as error:
            fs.group_probabilities(decisions.merge(shares, on="id", how=how), "hired", GROUPS)
        assert ids in str(error.value) and "nobody both" in str(error.value) and "merge again" in str(error.value)
    with pytest.raises(fs.InputError, match="pass more"):
        fs.group_probabilities(people.head(1), "hired", GROUPS)


def test_two_studies_of_one_report_say_by_what_they_differ_and_why_their_answers_may() -> None:
    people = table(2000, gap=0.4).assign(wb=lambda d: d["pw"], ww=lambda d: d["pb"])
    people["race"] = people["race"].where(np.arange(2000) % 10 < 7)
    audit = fs.audit(people, "hired", "race", reference="White")
    options = {"reference": "White"}
    first = fs.group_probabilities(people, "hired", GROUPS, known="race", drawn_at_random=True, **options)
    plain = fs.group_probabilities(people, "hired", GROUPS, **options)
    half = fs.group_probabilities(people.head(1000), "hired", GROUPS, **options)
    other = fs.group_probabilities(people, "hired", {"White": "ww", "Black": "wb"}, **options)
    alike = fs.group_probabilities(people, "hired", {"White": "ww", "Black": "wb"}, known="race", **options)
    for second, named, why in (
        (plain, "· without known groups ·", "a known group needs no probability"),
        (half, "· 1,000 people ·", "the people are others"),
        (other, "· probabilities in `ww` and `wb` ·", "of other people, so that both sets may be right"),
        (alike, "· probabilities in `ww` and `wb`", "where they differ one set at most is right"),
    ):
        (lead, _), *_, (again, text) = page_of(audit, first, second)["points"][-3:]
        assert lead.startswith("Groups known as probabilities · ")
        assert ("groups known in `race`" in lead) == (second is not alike)
        assert again.startswith("Groups known as probabilities · ") and named in again
        assert "Why this answer may differ from that of the same question above: " in text and why in text
    assert "Why this answer" not in str(page_of(audit, plain)["points"])
    assert ", of 1,000 people (the audit has 2,000): whoever is in which" in str(page_of(audit, half)["points"])


def test_a_random_sample_that_is_refused_has_a_word_of_caution_and_its_declared_answer_second() -> None:
    people, rng = table(2000, gap=0.2), np.random.default_rng(5)
    for _ in range(400):
        known = people["race"].where(rng.random(2000) < 0.2)
        result = fs.group_probabilities(
            people.assign(race=known), "hired", GROUPS, known="race", reference="White", drawn_at_random=True
        )
        (row,) = result.estimates.only(term="drawn at random")
        if row.p_value <= 0.05:
            break
    assert 0.001 < row.p_value <= 0.05
    first, second, *_ = result.statements
    assert "by chance this happens to 5% of random samples" in first and first.count("by chance") == 1
    assert second.startswith("Corrected by") and "which is refuted" in second
    assert second in " ".join(str(result).split())
    page = page_one(result)
    assert page["sentence"] == first and page["context"][0] == second.replace(" 95% limits:", " 95% CI:")


def test_probabilities_that_are_right_on_average_and_wrong_in_slope_show_the_slope() -> None:
    rng, n = np.random.default_rng(3), 8000
    q = rng.uniform(0.01, 0.99, n)
    black = rng.random(n) < q
    y = (rng.random(n) < np.where(black, 0.3, 0.42)).astype(int)
    known = pd.Series(np.where(black, "Black", "White")).where(rng.random(n) < 0.15)
    for factor in (0.6, 1.0 / 0.6):
        pb = np.clip(0.5 + factor * (q - 0.5), 0.01, 0.99).round(2)
        people = pd.DataFrame({"hired": y, "pb": pb, "pw": 1 - pb, "race": known})
        result = fs.group_probabilities(people, "hired", GROUPS, known="race", favorable=1, reference="White")
        line, among = result.statements[0], people[known.notna()]
        low = among["pb"] < among["pb"].median()
        values = [(part["pb"].mean(), (part["race"] == "Black").mean()) for part in (among[low], among[~low])]
        (low_mean, low_share), (high_mean, high_share) = values
        assert "Where the probabilities of Black are low (" in line and "% or less)" in line
        numbers = [among.loc[low, "pb"].max(), low_mean, low_share, high_mean, high_share]
        assert _percents(line) == pytest.approx([100 * number for number in numbers], abs=0.051)
        direction = 1 if factor < 1 else -1
        assert direction * (low_mean - low_share) > 0.05 and direction * (high_share - high_mean) > 0.05
        assert page_one(result)["sentence"] == line and line in " ".join(str(result).split())
        rows = result.tidy(term="calibration", group="Black").set_index("given")
        assert rows.loc["low probabilities", "estimate"] == pytest.approx(low_share - low_mean)
        assert rows.loc["high probabilities", "estimate"] == pytest.approx(high_share - high_mean)
        assert (
            "low probabilities" in " ".join(result.summary().split()) and "low probabilities" in fs.report(result).html
        )


def test_low_probabilities_are_the_lowest_where_nobody_is_below_the_median() -> None:
    rng, n = np.random.default_rng(3), 8000
    high = rng.random(n) < 0.4
    black = rng.random(n) < np.where(high, 0.75, 0.4)
    people = pd.DataFrame({"hired": rng.integers(0, 2, n), "pb": np.where(high, 0.9, 0.3)}).assign(
        pw=lambda d: 1 - d["pb"], race=pd.Series(np.where(black, "Black", "White")).where(rng.random(n) < 0.15)
    )
    line = fs.group_probabilities(people, "hired", GROUPS, known="race", favorable=1, reference="White").statements[0]
    low, among = people["pb"] == 0.3, people["race"].notna()
    shares = [(people.loc[among & part, "race"] == "Black").mean() for part in (low, ~low)]
    assert "Where the probabilities of Black are low (30.0% or less)" in line
    assert _percents(line) == pytest.approx([30.0, 30.0, 100 * shares[0], 90.0, 100 * shares[1]], abs=0.051)


def test_a_refused_sample_says_what_differs_and_how_frequent_the_known_groups_are() -> None:
    people = three(3000)
    there = people["stated"].notna()
    result = fs.group_probabilities(people, "hired", THREE, known="stated", reference="White")
    (line,) = (line for line in result.statements if "not like the others" in line)
    for name in ("hired", *THREE.values()):
        for mean in (people.loc[there, name].mean(), people.loc[~there, name].mean()):
            assert f"{100 * mean:.1f}%" in line
    assert "Of these numbers, the share selected differs most." in line
    odd = people.assign(stated=people["tenth"].where(people["pb"] > 0.5))
    line = next(
        line
        for line in fs.group_probabilities(odd, "hired", THREE, known="stated", reference="White").statements
        if "not like the others" in line
    )
    assert "Of these numbers, the mean probability of Black differs most." in line
    wrong = people.assign(pb=0.6 * people["pb"], pw=people["pw"] + 0.4 * people["pb"])
    for known in ("stated", "tenth"):
        result = fs.group_probabilities(wrong, "hired", THREE, known=known, reference="White")
        (check,) = result.estimates.only(role="omnibus", term="calibration")
        lines, page = [line for line in result.statements if "groups are not as frequent as" in line], page_one(result)
        assert check.p_value < 0.05 and len(lines) == (known == "tenth")  # nothing of people who were not drawn so
        among = wrong[wrong[known].notna()]
        share, mean = (among[known] == "Black").mean(), among["pb"].mean()
        for line in lines:
            assert line.startswith("No verdict is given: among ") and line == page["sentence"]
            assert f"Black {100 * share:.1f}% and {100 * mean:.1f}%" in line
        reason = WITHHELD["drawn at random" if known == "stated" else "calibration"]
        assert {row.reason for row in result.compared()} == {reason}
        text = dict(page["points"])["What to do next."]
        assert ("rests on the probabilities alone" if known == "stated" else "audit these people by") in text
        assert "the argument “known”" in text


def test_a_report_that_the_command_writes_has_no_option_in_its_sentences(tmp_path: Path) -> None:
    three(3000).to_csv(tmp_path / "people.csv", index=False)
    items = ["--decision", "hired", "--reference", "White", "--known", "stated", "--to", str(tmp_path / "a.html")]
    items += ["--groups", ",".join(f"{name}={column}" for name, column in THREE.items())]
    assert run(["group-probabilities", str(tmp_path / "people.csv"), *items]) == 0
    page = (tmp_path / "a.html").read_text()
    assert "the bound then rests on the probabilities alone" in page
    sentences = re.sub(r"<(code|pre)[^>]*>.*?</\1>", "", page, flags=re.DOTALL)
    assert "--known" not in sentences


def test_the_column_of_known_groups_gives_no_name_to_the_groups() -> None:
    people = table(2000)
    people["asked"] = people["race"].where(people.index % 10 == 0)
    people[["race", "asked"]] = people[["race", "asked"]].replace({"White": "A", "Black": "B"})
    result = fs.group_probabilities(people, "hired", {"A": "pw", "B": "pb"}, known="asked", reference="A")
    assert "people of group B" in (html := fs.report(result).html) and "asked</code> B" not in html


def test_a_group_that_was_assigned_by_the_probabilities_is_not_known() -> None:
    people = three(2000, sharp=0.5)
    shares = people[list(THREE.values())].to_numpy()
    most = np.array(list(THREE), dtype=object)[shares.argmax(axis=1)]
    expected = f"{shares.max(axis=1).sum():,.0f}"
    for race, n in ((most, 2000), (np.where(shares.max(axis=1) > 0.6, most, None), (shares.max(axis=1) > 0.6).sum())):
        with pytest.raises(
            fs.InputError, match=f"the most probable group of all {n:,} people of known group"
        ) as raised:
            fs.group_probabilities(people.assign(race=race), "hired", THREE, known="race")
        assert (expected in str(raised.value)) == (n == 2000) and "Leave known out" in str(raised.value)


@pytest.mark.parametrize("kind", ["right", "stated by choice", "equal", "0 and 1, and one of three"])
@pytest.mark.parametrize("sharp", [0.02, 0.3, 3.0])
def test_known_groups_of_honest_data_are_not_called_assigned(kind: str, sharp: float) -> None:
    for seed in range(10):
        people = three(1500, seed=seed, sharp=sharp)
        columns, known = list(THREE.values()), "stated" if kind == "stated by choice" else "seventy"
        if kind == "equal":  # every group is the most probable one
            people[columns] = 1 / 3
        elif kind.startswith("0"):  # as sharp as can be, beside people of whom nothing is known
            sure = pd.get_dummies(people["seventy"])[list(THREE)].to_numpy(dtype=float)
            people[columns] = np.where(people[["seventy"]].notna(), sure, people[columns])
            people.loc[people.index[:20], columns] = 1 / 3
        fs.group_probabilities(people, "hired", THREE, known=known)


@pytest.mark.parametrize("known", ["everybody", "some"])
def test_groups_filled_in_for_those_who_lack_one_are_not_known(known: str) -> None:
    people = three(5000, sharp=1.0)
    most = pd.Series(np.array(list(THREE), dtype=object)[people[list(THREE.values())].to_numpy().argmax(axis=1)])
    filled = people["seventy"].fillna(most if known == "everybody" else most.where(people.index % 6 > 0))
    with pytest.raises(InputError, match="how frequent a known group is changes steadily with its probability"):
        fs.group_probabilities(people.assign(race=filled), "hired", THREE, known="race")
    fs.group_probabilities(people, "hired", THREE, known="seventy")


@pytest.mark.parametrize("wrong", ["right", "by choice", "too even", "too sharp", "of other shares", "rows", "sets"])
def test_groups_that_change_steadily_with_wrong_probabilities_are_not_called_filled_in(wrong: str) -> None:
    found = []
    for seed in range(40):
        rng = np.random.default_rng(seed)
        right = rng.dirichlet((1.2, 0.5, 0.3), 3000)
        right = right[rng.integers(0, 40, 3000)] if wrong == "sets" else right
        group = (rng.random((3000, 1)) > right.cumsum(axis=1)[:, :-1]).sum(axis=1)
        said = right ** {"too even": 0.3, "too sharp": 2.0}.get(wrong, 1.0)
        said = said * (1.0, 2.0, 4.0) if wrong == "of other shares" else said
        if wrong == "rows":
            said[:900] = said[rng.permutation(900)]
        said = said / said.sum(axis=1, keepdims=True)
        there = rng.random(3000) < np.array([0.9, 0.5, 0.7])[group] if wrong == "by choice" else np.full(3000, True)
        found.append(jump_where_alike(np.eye(3)[group][there], said[there]))
        mixed = np.where(rng.random(3000) < 0.4, said.argmax(axis=1), group)
        assert wrong == "sets" or jump_where_alike(np.eye(3)[mixed], said) < 1e-3
    assert min(found) > 1e-4 and np.mean(np.array(found) <= 0.05) <= 0.15


def test_two_groups_with_the_same_probabilities_have_no_jump() -> None:
    right = np.random.default_rng(1).dirichlet((1.0, 1.0), 2000)
    said = np.column_stack([right[:, 0], right[:, 1] / 2, right[:, 1] / 2])
    group = (np.random.default_rng(2).random((2000, 1)) > right.cumsum(axis=1)[:, :-1]).sum(axis=1)
    assert jump_where_alike(np.eye(3)[group], said) > 0.001


def test_known_groups_written_as_probabilities_of_1_and_0_are_refused_and_refute_nothing() -> None:
    people = table(2000, gap=0.2)
    drawn = people["race"].where(np.arange(2000) % 5 < 3)
    filled = people.assign(race=drawn)
    for group, column in GROUPS.items():
        filled[column] = filled[column].where(drawn.isna(), (drawn == group).astype(float))
    with pytest.raises(InputError, match="all 1,200 people whose group is known are 1 for it and 0 for the others"):
        fs.group_probabilities(filled, "hired", GROUPS, known="race", reference="White")
    with_both = fs.group_probabilities(people.assign(race=drawn), "hired", GROUPS, known="race", reference="White")
    assert not any("refuted" in text for text in with_both.statements)  # the same people, drawn at random
    alone = fs.group_probabilities(filled, "hired", GROUPS, reference="White")
    assert bounded_rows(alone)[0][1].conf_low == bounded_rows(with_both)[0][1].conf_low


def of_both_conditions(n: int, seed: int, by_group: float, by_probability: float) -> pd.DataFrame:
    """People whose selection depends on the group and, within it, on the probability; a third of the groups known."""
    rng = np.random.default_rng(seed)
    p = np.clip(rng.beta(0.6, 0.9, n), 0.02, 0.98)
    group = rng.random(n) < p
    selected = (rng.random(n) < 0.5 + by_group * group + by_probability * p).astype(int)
    known = np.where(rng.random(n) < 0.33, np.where(group, "B", "A"), None)
    return pd.DataFrame({"y": selected, "A": 1 - p, "B": p, "known": known, "group": group})


def test_what_both_estimators_err_by_is_the_difference_to_the_truth_of_known_people() -> None:
    d = of_both_conditions(60_000, 3, -0.2, -0.15)
    result = fs.group_probabilities(d, "y", {"A": "A", "B": "B"}, known="known", reference="A")
    rows = {row.estimator: row for row in result.estimates if row.contrast == "difference" and row.group == "B"}
    gap = d["y"][d["group"]].mean() - d["y"][~d["group"]].mean()
    alone = fs.group_probabilities(d, "y", {"A": "A", "B": "B"}, reference="A")
    plain = {
        row.estimator: row.estimate for row in alone.estimates if row.contrast == "difference" and row.group == "B"
    }
    lacking, much = rows["what weighted lacks"], rows["what linear has too much"]
    assert lacking.conf_low < gap - plain["weighted"] < lacking.conf_high
    assert much.conf_low < plain["linear"] - gap < much.conf_high
    assert not lacking.verdict and lacking.n == d["known"].notna().sum()
    assert any(
        text.startswith("If they were drawn at random, the") and "both conditions hold" in text
        for text in result.statements
    )
    assert not any("Both conditions" in text or "B from A" in text for text in alone.statements[-1:])


def test_a_condition_that_known_people_refute_is_said() -> None:
    d = of_both_conditions(20_000, 4, -0.3, 0.25)
    result = fs.group_probabilities(d, "y", {"A": "A", "B": "B"}, known="known", reference="A")
    assert any("show that a condition does not hold" in text for text in result.statements)
    page = fs.report(result).contents.context["findings"]
    assert any("show that a condition does not hold" in text for _, text in page["points"])
    three = d.assign(C=d["B"] / 2, B=d["B"] / 2)
    several = fs.group_probabilities(three, "y", {"A": "A", "B": "B", "C": "C"}, reference="A")
    assert not any("condition" in text for text in several.statements)


def test_where_no_verdict_is_given_there_is_no_p() -> None:
    d = of_both_conditions(4000, 5, -0.2, -0.1).assign(known=lambda d: np.where(d["group"] & (d["y"] == 1), "B", None))
    result = fs.group_probabilities(d, "y", {"A": "A", "B": "B"}, known="known", reference="A")
    assert result.statements[0].startswith("No verdict is given")
    (row,) = result.compared()
    assert row.verdict == "" and np.isnan([row.p_value, row.p_adjusted]).all() and row.conf_low < row.conf_high


def test_people_declared_to_be_drawn_at_random_come_first_with_the_condition(tmp_path, capsys) -> None:
    rng = np.random.default_rng(8)
    p = rng.choice([0.05, 0.2, 0.5, 0.8, 0.95], 6000, p=[0.4, 0.2, 0.15, 0.15, 0.1])
    black = rng.random(6000) < p
    table = pd.DataFrame({"hired": (rng.random(6000) < np.where(black, 0.35, 0.47)).astype(int), "b": p, "w": 1 - p})
    table["race"] = np.where(rng.random(6000) < 0.7, np.where(black, "Black", "White"), None)
    call = {"groups": {"White": "w", "Black": "b"}, "known": "race", "reference": "White"}
    without = fs.group_probabilities(table, "hired", **call)
    result = fs.group_probabilities(table, "hired", **call, drawn_at_random=True)
    assert result.estimates.to_records() == without.estimates.to_records()  # the sentences alone differ
    known = table.dropna(subset="race")
    rates = known.groupby("race")["hired"].mean()
    (row,) = result.estimates.where(estimator="corrected", contrast="difference")
    assert row.estimate == pytest.approx(rates["Black"] - rates["White"], abs=0.02)  # the sample by itself is near
    first = result.statements[0]
    assert first.startswith(f"If the {len(known):,} people of known group were drawn at random, as declared (not ")
    (drawing,) = result.estimates.only(term="drawn at random")
    assert f"(not refuted, p {drawing.p_value:.3f}; the data cannot show it)" in first
    assert f"share of Black than of White was recorded as `hired`, by {-100 * row.estimate:.1f} percentage " in first
    assert len(first) <= 240 and result.statements[1].startswith("Without that assumption: It is open")
    page = page_one(result)
    assert "a smaller share of Black people than of White people was recorded as `hired`, by " in page["sentence"]
    assert page["context"][0].startswith("Without that assumption: It is open whether a smaller or a larger share of")
    assert result.compared()[0].verdict == without.compared()[0].verdict == "inconclusive"
    assert f"{-100 * row.estimate:.1f} percentage points" in fs.report(result).html and not any(
        "which is no verdict" in x for x in result.statements
    )
    stated = table.assign(race=np.where(table["hired"] == 1, table["race"], None))  # those hired alone state it
    refuted = fs.group_probabilities(stated, "hired", **call, drawn_at_random=True).statements
    assert refuted[0].startswith("No verdict is given") and not any("as declared (" in text for text in refuted)
    with pytest.raises(fs.InputError, match="no column of it is named"):
        fs.group_probabilities(table, "hired", call["groups"], drawn_at_random=True)
    table.to_csv(tmp_path / "t.csv", index=False)
    line = ["group-probabilities", str(tmp_path / "t.csv"), "--decision", "hired", "--groups", "White=w,Black=b"]
    assert run([*line, "--known", "race", "--reference", "White", "--drawn-at-random", "--brief"]) == 0
    assert "as declared (not refuted, p " in " ".join(capsys.readouterr().out.split())


def test_people_declared_to_be_drawn_at_random_come_first_with_what_they_show() -> None:
    """The weighted difference is larger for a group whose corrected limits are wide."""
    seen = 0
    for seed in range(40):
        people, rng = three(1500, seed=seed, sharp=0.8), np.random.default_rng(seed)
        group = (rng.random((1500, 1)) > people[list(THREE.values())].to_numpy().cumsum(axis=1)[:, :-1]).sum(axis=1)
        people["hired"] = (rng.random(1500) < np.array([0.6, 0.45, 0.4])[group]).astype(int)
        people["tenth"] = np.where(rng.random(1500) < 0.1, np.array([*THREE], dtype=object)[group], None)
        options = {"known": "tenth", "reference": "White", "drawn_at_random": True}
        result = fs.group_probabilities(people, "hired", THREE, **options)
        first, page = result.statements[0], page_one(result)
        if not first.startswith("If the"):
            continue
        rows = result.estimates.only(contrast="difference", estimator="corrected", status="ok")
        out = {row.group for row in rows if not row.conf_low <= 0 <= row.conf_high}
        weighted = result.estimates.only(contrast="difference", estimator="weighted")
        seen += bool(out) and max(weighted, key=lambda row: abs(row.estimate)).group not in out
        assert ("it is open" in first) == (not out) and (not out or any(f" of {one} than" in first for one in out))
        assert ("it is open" in page["sentence"]) == (not out)
        printed = " ".join(str(result).split())
        assert result.statements[1] in printed or all(str(limits(row)) in printed for row in rows)  # or in the table
    assert seen


@pytest.mark.parametrize("p_adjust", ["bonferroni", "holm", "bh", "none"])
def test_corrected_differences_are_a_family_with_its_level_its_p_and_no_verdict(p_adjust: Any) -> None:
    people = three(3000).assign(other=0.0)
    options = {"known": "seventy", "reference": "White", "p_adjust": p_adjust, "drawn_at_random": True}
    result = fs.group_probabilities(people, "hired", THREE, **options)
    rows = result.estimates.only(contrast="difference", estimator="corrected")
    p = 2 * norm.sf([abs(row.estimate / row.std_error) for row in rows])
    assert [row.p_value for row in rows] == pytest.approx(p, rel=1e-6, abs=1e-300)
    assert [row.p_adjusted for row in rows] == pytest.approx(fs.stats.p_adjust(p, p_adjust), rel=1e-6, abs=1e-300)
    assert not any(row.verdict for row in rows)
    if p_adjust == "holm":
        assert all(row.conf_low != row.conf_low for row in rows) and "(adjusted p " in result.statements[0]
        assert any("p <0.001" in line for line in page_one(result)["tables"][0].rows)
        return
    each = 0.975 if p_adjust == "bonferroni" else 0.95  # by Benjamini and Hochberg both are flagged
    assert [row.conf_level for row in rows] == pytest.approx([each, each])
    reach = norm.ppf(0.5 + each / 2)
    assert [row.conf_high for row in rows] == pytest.approx([row.estimate + reach * row.std_error for row in rows])
    assert f"({100 * each:g}% limits " in result.statements[0]
    note = page_one(result)["tables"][0].note
    assert ("below corrected its 95% CI, adjusted" in note) == (p_adjust == "bonferroni")
    assert ("bound and corrected 97.5%, together 95%" in " ".join(str(result).split())) == (p_adjust == "bonferroni")


def test_what_is_shown_as_declared_is_marked_and_the_column_of_the_bound_is_named() -> None:
    """The table says neither "no" nor "?" of what the sentence above it answers under the declared condition."""
    people = three(3000, sharp=1.0)
    options = {"known": "seventy", "reference": "White"}
    declared = fs.group_probabilities(people, "hired", THREE, **options, drawn_at_random=True)
    plain = fs.group_probabilities(people, "hired", THREE, **options)
    table, printed = page_one(declared)["tables"][0], " ".join(str(declared).split())
    assert table.headings[-1].label == "by the bound" and page_one(plain)["tables"][0].headings[-1].label == "shown"
    verdicts = {row.group: row.verdict for row in declared.compared()}
    shown = {row.group: row.p_adjusted <= 0.05 for row in corrected_rows(declared)}
    assert any(shown.values()) and "inconclusive" in verdicts.values()
    for line in table.rows[1::2]:
        assert line[6].startswith("*") == shown[line[0]]
        assert line[7] == ("shown" if verdicts[line[0]] == "disparity shown" else "not settled")
    assert "*: shown, if they were, as declared." in table.note and "*: shown, if drawn at random." in printed
    assert (
        "corrected: drawn at random, as declared." in printed
        and "*" not in str(plain) + page_one(plain)["tables"][0].note
    )


def corrected_rows(result: Any) -> list[Estimate]:
    return list(result.estimates.only(contrast="difference", estimator="corrected"))


def test_a_group_is_its_label_in_the_table_of_page_one_which_takes_one_line_in_german() -> None:
    """In words, "Personen (Hispanic) (Referenz)" took three lines, and the table of four groups the next page."""
    result = fs.group_probabilities(three(), "hired", THREE, known="seventy", reference="Hispanic")
    with in_language(language("de")):
        rows = page_one(result)["tables"][0].rows
    assert [line[0] for line in rows[:2]] == ["Hispanic (Referenz)", "White"]


def test_what_differs_of_people_who_were_not_drawn_at_random_is_printed() -> None:
    """Of four groups, too, who stated theirs by group alone: no further caution that only summary() has."""
    people = three(4000, sharp=1.0).assign(po=lambda d: d["ph"] / 2, ph=lambda d: d["ph"] / 2)
    race = people["seventy"].mask((people["seventy"] == "Hispanic") & (people.index % 2 == 0), "Asian")
    rng = np.random.default_rng(4)
    people["chosen"] = race.where((race != "Black") | (rng.random(4000) < 0.5))
    result = fs.group_probabilities(people, "hired", {**THREE, "Asian": "po"}, known="chosen", reference="White")
    printed = " ".join(str(result).split())
    assert "People whose group is known are not like the others" in printed and "Further cautions" not in printed
    assert len(str(result).splitlines()) <= 30


def test_of_three_declared_differences_without_a_gap_one_is_claimed_in_5_of_100() -> None:
    claims, of = 0, {"a": "a", "b": "b", "c": "c", "d": "d"}
    for seed in range(120):
        rng = np.random.default_rng(seed)
        shares = rng.dirichlet([1.2, 0.6, 0.6, 0.5], 20)[rng.integers(0, 20, 600)]
        group = (rng.random((600, 1)) > shares.cumsum(axis=1)[:, :-1]).sum(axis=1)
        people = pd.DataFrame(shares, columns=list(of)).assign(hired=(rng.random(600) < 0.5).astype(int))
        people["group"] = pd.Series(np.array(list(of), dtype=object)[group]).where(rng.random(600) < 0.7)
        options = {"known": "group", "drawn_at_random": True, "reference": "a"}
        first = fs.group_probabilities(people, "hired", of, **options).statements[0]
        claims += first.startswith("If the") and "it is open" not in first
    assert claims <= 12  # 6 expected; limits by themselves claim about one in eight


def test_a_group_that_nobody_known_has_and_a_label_that_may_mean_missing_are_refused() -> None:
    rng = np.random.default_rng(1)
    race = rng.choice(["White", "Black", "Other"], 900, p=[0.5, 0.3, 0.2])
    data = pd.DataFrame({"race": np.where(rng.random(900) < 0.7, race, None), "ok": rng.choice(["yes", "no"], 900)})
    guess = np.where(rng.random(900) < 0.7, race, rng.permutation(race))
    data["w"], data["b"] = (0.1 + 0.7 * (guess == one) for one in ("White", "Black"))  # the rest is of nobody's group
    call = {"known": "race", "favorable": "yes", "reference": "White"}
    names = {"White": "w", "Black or African American": "b"}
    with pytest.raises(
        fs.InputError, match="with Black, Other, which are no named groups, and with nobody of Black or"
    ):
        fs.group_probabilities(data, "ok", names, **call)
    with pytest.raises(fs.InputError, match="'Unknown', which may mean that the group is not known; leave empty"):
        fs.group_probabilities(data.fillna({"race": "Unknown"}), "ok", {"White": "w", "Black": "b"}, **call)
    n = int((data.race == "Other").sum())
    said = " ".join(str(fs.group_probabilities(data, "ok", {"White": "w", "Black": "b"}, **call)).split())
    assert f"Known, but in no named group: Other {n}." in said


def test_a_known_group_may_have_a_probability_of_0_for_everybody_else() -> None:
    """They are in the bound with their group; where their own probabilities exclude it, these are refuted."""
    people = three(3000)
    people["asked"] = people["seventy"].mask((people.index % 50 == 0) & people["seventy"].notna(), "Native")
    groups = {**THREE, "Native": "pn"}
    people["pn"], options = 0.0, {"known": "asked", "reference": "White"}
    with pytest.raises(InputError, match="with Native; the groups are White, Black, Hispanic, whose probabilities"):
        fs.group_probabilities(people, "hired", THREE, **options)
    alone = people.copy()
    alone.loc[people["asked"].notna(), list(groups.values())] = np.nan
    result = fs.group_probabilities(alone, "hired", groups, **options)
    (ends,) = result.estimates.only(group="Native", contrast="none", role="bounds")
    rate = people.loc[people["asked"] == "Native", "hired"].mean()
    assert ends.conf_low == pytest.approx(rate) == ends.conf_high
    (row,) = result.estimates.only(term="group known")
    assert (row.n, row.events) == (3000, people["asked"].notna().sum()) and all(r.verdict for r in result.compared())
    result = fs.group_probabilities(people, "hired", groups, **options)
    (check,) = result.estimates.only(role="omnibus", term="calibration")
    number = (people["asked"] == "Native").sum()
    said = f" {number} are in a group whose probability is 0 for them (most often Native), which no way of drawing"
    assert check.p_value == 0 and said in result.statements[0]
    with pytest.raises(InputError, match="'pn', which is 0 for everybody; leave the group out"):
        fs.group_probabilities(people, "hired", groups)


def test_a_size_is_one_number_and_a_headline_names_groups_without_a_name() -> None:
    people = three(3000)
    most = people[list(THREE.values())].idxmax(axis=1)
    sure = people.assign(**{column: (most == column) * 1.0 for column in THREE.values()})
    result = fs.group_probabilities(sure, "hired", THREE, reference="White", p_adjust="holm")
    gaps = {row.group: f"{100 * ends.conf_low:.1f}" for row, ends, _ in bounded_rows(result)}
    for text in (result.statements[1], page_one(result)["sentence"]):
        listed = " (without sampling error): " + ", ".join(f"{group} {gap}" for group, gap in gaps.items())
        assert minus(listed) in text
    people, groups = table(2000, gap=0.4).replace({"race": {"White": "x", "Black": "y"}}), {"x": "pw", "y": "pb"}
    page = page_one(fs.group_probabilities(people, "hired", groups, known="race", reference="x"))
    assert " a smaller share of people of group y than of people of group x was " in page["sentence"]


def mixed(kind: str, n: int = 4000) -> pd.DataFrame:
    """People who state their group by choice, beside probabilities in another order of rows or of columns."""
    people, rng = three(n, sharp=0.3), np.random.default_rng(12)
    names = list(THREE.values())
    people[names] = people[names].where(people[names] > 0.01, 0.0).to_numpy()
    people[names] = people[names].div(people[names].sum(axis=1), axis=0)
    if kind == "rows":
        people[names] = people[names].to_numpy()[rng.permutation(n)]
    elif kind == "columns":
        people[names[1:]] = people[names[:0:-1]].to_numpy()
    chance = np.where(people["seventy"] == "White", 0.9, 0.6) - 0.2 * (people["hired"] == 0)
    return people.assign(stated=people["seventy"].where(rng.random(n) < chance))


@pytest.mark.parametrize("kind", ["rows", "columns"])
@pytest.mark.parametrize("declared", [False, True])
def test_mixed_rows_and_swapped_columns_have_no_verdict_however_people_were_drawn(kind: str, declared: bool) -> None:
    people = mixed(kind)
    options = {"known": "stated", "reference": "White", "drawn_at_random": declared}
    result = fs.group_probabilities(people, "hired", THREE, **options)
    (drawing,) = result.estimates.only(term="drawn at random")
    (ranks,) = result.estimates.only(term="rank association")
    (zero,) = result.estimates.only(term="in a group of probability 0")
    assert drawing.p_value < 0.05 and ranks.p_value < 0.001 and zero.p_value < 0.001
    known = people.dropna(subset="stated")
    excluded = sum(((known["stated"] == group) & (known[p] == 0)).sum() for group, p in THREE.items())
    assert (zero.n, zero.events) == (len(known), excluded)
    assert not any(row.verdict for row in result.compared())
    page = page_one(result)
    for text in (result.statements[0], page["sentence"], " ".join(str(result).split())):
        assert "No verdict is given, however people of known group were drawn: among " in text
        assert f"{excluded:,} are in a group whose probability is 0 for them" in text
        assert (
            "about as frequent at high as at low" if kind == "rows" else "less frequent at high than at low"
        ) in text
        assert "put together by their order), columns of probabilities were swapped" in text
    assert "not like the others (p <0.001)" in " ".join(str(result).split())
    assert "its verdict holds" not in " ".join(result.statements)
    assert "together by what names a person" in dict(page["points"])["What to do next."]
    assert "right (refuted)" in " ".join(str(result).split())


@pytest.mark.parametrize("kind", ["assigned", "some rows"])
def test_probabilities_that_say_too_much_are_not_called_unrelated_to_the_groups(kind: str) -> None:
    people, names = mixed("") if kind == "some rows" else three(4000, sharp=2.0), list(THREE.values())
    shares, rng = people[names].to_numpy(), np.random.default_rng(4)
    nobody = "Who is in which group: nobody was put into one."
    if kind == "assigned":
        people[names] = 1.0 * (shares == shares.max(axis=1)[:, None])
    else:
        some = np.arange(len(people)) % 10 < 7
        people.loc[some, names] = shares[rng.permutation(np.flatnonzero(some))]
    result = fs.group_probabilities(people, "hired", THREE, known="seventy", reference="White")
    first, page, known = result.statements[0], page_one(result), people.dropna(subset="seventy")
    assert "The most probable group was assigned, probabilities were moved towards 0 and 1" in first
    assert "about as frequent" not in first and "less frequent" not in first
    assert (nobody in page["unshown"]) == (kind != "assigned")
    assert " ".join(result.statements).count("No verdict is given") == 1
    assert "Where the most probable group was assigned" in dict(page["points"])["What to do next."]
    refuted = "The people whose group is known refute the probabilities: the gap may lie outside the bound."
    assert page["figures"][0].caption.endswith(f" {refuted}")
    found = re.search(r"\. (\w+) is less concentrated .* or less ([\d.]+)% .* of the others ([\d.]+)% ", first)
    assert found
    p, there = known[THREE[found[1]]], known["seventy"] == found[1]
    high = p >= p.median() if (p < p.median()).any() else p > p.min()
    assert [float(found[2]), float(found[3])] == [round(100 * there[part].mean(), 1) for part in (~high, high)]
    (low, _), (_, most) = (binomtest(int(there[x].sum()), int(x.sum())).proportion_ci() for x in (high, ~high))
    assert low > most  # the shares differ beyond doubt


@pytest.mark.parametrize("kind", ["rows", "columns"])
def test_mixed_rows_come_before_what_people_declared_to_be_drawn_at_random_say(kind: str) -> None:
    """The test refutes the probabilities also of those who were not, so that nothing follows from "then"."""
    people = mixed(kind)
    people.loc[people["seventy"].notna() & (people.index % 50 == 0), list(THREE.values())] = np.nan
    known = {"known": "seventy", "reference": "White", "drawn_at_random": True}
    result = fs.group_probabilities(people, "hired", THREE, **known)
    first, second, *_ = result.statements
    assert first.startswith("No verdict is given, however people of known group were drawn: ") and "mixed up" in first
    assert second.startswith("If the ") and " were drawn at random, as declared (" in second
    page, audit = page_one(result), fs.audit(people, "hired", "seventy", reference="White")
    (joint,) = (text for name, text in page_of(audit, result)["points"] if name == "Groups known as probabilities.")
    for text in (page["sentence"], joint):
        assert text.startswith(f"{first} If the ") and "Then the probabilities" not in text
    assert first not in page["context"]
    both = people["seventy"].notna() & people["pw"].notna()
    assert f"among {both.sum():,} of {people['seventy'].notna().sum():,} of them" in first
    html = fs.report(audit, result).html
    assert "have no probabilities: they are in the bound with their group" in html
    assert "The bound is about" not in html and "The audit compares people whose seventy is recorded" in html


def test_right_probabilities_of_people_who_state_their_group_by_choice_are_not_called_mixed() -> None:
    result = fs.group_probabilities(mixed(""), "hired", THREE, known="stated", reference="White")
    (drawing,), (check,) = (
        result.estimates.only(role="omnibus", term=one) for one in ("drawn at random", "calibration")
    )
    assert drawing.p_value < 0.001 and check.p_value < 0.001
    assert min(result.estimates.only(term="rank association")[0].p_value, 1) > 0.9
    first = (
        "No verdict is given: the 1,854 people whose group is known do not look like a random sample (p <0.001), so "
    )
    page = page_one(result)
    assert " if " not in page["sentence"]  # what a condition has is not in the answer
    assert page["sentence"].startswith(first) and "after all" not in " ".join([*page["context"], str(result)])


def test_association_is_the_area_that_pairs_give_and_what_is_implied_the_area_of_drawn_groups() -> None:
    rng = np.random.default_rng(1)
    shares = rng.dirichlet([1, 0.5, 0.2], 60).round(1)
    known = np.eye(3)[rng.integers(0, 3, 60)]
    found, implied, errors = associations(known, shares)
    for i in range(3):
        p, of = shares[:, i], known[:, i]
        above = (p[:, None] > p) + 0.5 * (p[:, None] == p)
        for got, weight in ((found[i], of), (implied[i], p)):
            pairs = np.outer(weight, 1 - weight)
            want = (above * pairs).sum() / pairs.sum() if weight is of else None
            assert want is None or got + 0.5 == pytest.approx(want)
        test = mannwhitneyu(p[of == 1], p[of == 0], use_continuity=False, method="asymptotic", alternative="less")
        assert norm.cdf(found[i] / errors[i]) == pytest.approx(test.pvalue)
    p = np.repeat([0.2, 0.7], 3000)[:, None]
    drawn_areas = [associations((rng.random(p.shape) < p) * 1.0, p)[0][0] for _ in range(200)]
    assert associations(p, p)[1][0] == pytest.approx(np.mean(drawn_areas), abs=0.002)


@pytest.mark.parametrize("m", [20, 100, 400])
@pytest.mark.parametrize("shape", [(0.5, 0.5), (0.6, 0.2, 0.15, 0.05), (19.0, 1.0)])
def test_right_probabilities_are_seldom_called_mixed_also_of_people_who_state_it_by_choice(
    m: int, shape: tuple[float, ...]
) -> None:
    rng, alarms, runs = np.random.default_rng(m), np.zeros(2), 400
    for _ in range(runs):
        shares = rng.dirichlet(shape, 4 * m)
        group = (rng.random((4 * m, 1)) > shares.cumsum(axis=1)[:, :-1]).sum(axis=1)
        for k, chance in enumerate((1.0, np.where(group == 0, 0.9, 0.3))):
            of = np.flatnonzero(rng.random(4 * m) < chance)[:m]
            alarms[k] += unordered(np.eye(len(shape))[group[of]], shares[of]).min() <= 0.05 / len(shape)
    assert (alarms / runs < 0.05).all()


def test_rounded_probabilities_are_no_contradiction() -> None:
    rng = np.random.default_rng(3)
    p = rng.beta(0.2, 0.2, 6000)
    race = pd.Series(np.where(rng.random(6000) < p, "Black", "White")).where(rng.random(6000) < 0.7)
    people = pd.DataFrame({"hired": rng.integers(0, 2, 6000), "pw": 1 - p.round(2), "pb": p.round(2), "race": race})
    result = fs.group_probabilities(people, "hired", GROUPS, known="race", reference="White")
    (zero,) = result.estimates.only(term="in a group of probability 0")
    assert zero.events > 0 and zero.p_value > 0.05 and "probability is 0" not in " ".join(result.statements)


def test_right_probabilities_that_are_refuted_by_chance_say_how_often_that_happens_and_what_differs() -> None:
    for seed in range(60):
        shares, group, selected = drawn(1500, np.random.default_rng(seed), (0.5, 0.5))
        race = np.where(np.arange(1500) % 3 > 0, np.array(["White", "Black"])[group], None)
        people = pd.DataFrame({"hired": selected.astype(int), "pw": shares[:, 0], "pb": shares[:, 1], "race": race})
        result = fs.group_probabilities(people, "hired", GROUPS, known="race", reference="White")
        (check,) = result.estimates.only(role="omnibus", term="calibration")
        (drawing,) = result.estimates.only(term="drawn at random")
        if 0.001 < check.p_value < 0.05 < drawing.p_value:
            break
    first = result.statements[0]
    assert f"(for all groups p {check.p_value:.3f}; by chance this happens to 5% of random samples). " in first
    assert re.search(
        r"(differs most \(\d\.\d standard errors\)|\d points more are in it \(\d\.\d standard errors off\))", first
    )


@pytest.mark.parametrize("declared", [False, True])
def test_no_draw_farther_out_is_not_called_what_chance_gives_often(declared: bool) -> None:
    people = three(1500, sharp=0.8)
    sharper = people[list(THREE.values())].to_numpy() ** 5
    people[list(THREE.values())] = sharper / sharper.sum(axis=1, keepdims=True)
    options = {"known": "seventy", "reference": "White", "drawn_at_random": declared}
    result = fs.group_probabilities(people, "hired", THREE, **options)
    (check,) = result.estimates.only(role="omnibus", term="calibration")
    assert check.p_value == 0.001  # none of 999 draws
    (refuted,) = (text for text in result.statements if text.startswith("No verdict is given"))
    assert "the probabilities say (for all groups p <0.001). " in refuted and "by chance" not in " ".join(
        result.statements
    )
    assert "(p 0.001" not in str(result) and "(p 0.001" not in page_one(result)["sentence"]


def test_a_report_has_the_tests_beside_the_corrected_figure_and_its_boxes_before_the_picture() -> None:
    people = three(4000, sharp=0.3)
    rng = np.random.default_rng(4)
    people["asked"] = people["seventy"].where(rng.random(4000) < 0.5)
    for declared in (False, True):
        options = {"known": "asked", "reference": "White", "drawn_at_random": declared}
        result = fs.group_probabilities(people, "hired", THREE, **options)
        p = [result.estimates.only(role="omnibus", term=one)[0].p_value for one in ("drawn at random", "calibration")]
        page = page_one(result)
        beside = page["sentence"] if declared else " ".join(page["context"])
        said = (
            "not refuted, p {}; the data cannot show it"
            if declared
            else "which the data do not refute (p {}) and cannot"
        )
        assert said.format(f"{p[0]:.3f}") in beside
        assert f"(p {p[1]:.3f})" in dict(page["points"])["What the bound rests on."]
        html = fs.report(result).html
        assert html.index("What this does not show") < html.index("<figure")
        assert "missing groups may not be random" in html
        key = "bar: bound; line: its 95% CI, adjusted; dot: weighted; square: linear; diamond: corrected"
        assert key in result.plot().svg and "difference of selection rates" in result.plot().svg
    with pytest.raises(InputError, match="this study has the words of its data: give the groups and the decision"):
        fs.report(result, labels={"unit": "applicants"})


def test_other_groups_are_parted_into_shown_and_open_if_people_were_drawn_at_random() -> None:
    rng, n = np.random.default_rng(3), 6000
    names = np.array(["White", "Black", "Asian"])
    p = rng.dirichlet([0.9, 0.4, 0.3], size=300)[rng.integers(0, 300, n)]
    group = (p.cumsum(axis=1) < rng.random(n)[:, None]).sum(axis=1).clip(0, 2)
    people = pd.DataFrame({f"p_{name}": p[:, i] for i, name in enumerate(names)})
    people["hired"] = (rng.random(n) < np.array([0.6, 0.45, 0.6])[group]).astype(int)
    people["race"] = pd.Series(names[group]).where(rng.random(n) < 0.7)
    groups = {str(name): f"p_{name}" for name in names}
    result = fs.group_probabilities(people, "hired", groups, known="race", reference="White", drawn_at_random=True)
    rows = {row.group: row for row in result.estimates.only(estimator="corrected", status="ok")}
    assert rows["Black"].p_adjusted < 0.05 < rows["Asian"].p_adjusted
    first, second, *_ = result.statements
    assert "a smaller share of Black than of White" in first
    assert second.startswith("If so, it is open for other groups") and "Asian" in second


def test_beside_an_audit_of_the_same_decision_the_claims_have_its_words() -> None:
    people = table(2000, gap=0.2)
    people["race"] = people["race"].where(np.random.default_rng(5).random(2000) < 0.5)
    labels = {"unit": "applicants", "favorable": "were hired", "unfavorable": "were turned down"}
    audit = fs.audit(people, "hired", "race", favorable=1, reference="White", labels=labels)
    study = fs.group_probabilities(people, "hired", GROUPS, known="race", reference="White")
    text = " ".join(re.sub(r"<[^>]+>", " ", fs.report(audit, study).html).split())
    assert "whoever is in which group, " in text
    assert re.search(r"Black applicants were hired less (often|or more often) than White applicants", text)
    assert "was recorded as" not in text[: text.index("Table 1")]


def test_the_bound_is_the_same_of_a_file_of_15_digits(tmp_path) -> None:
    rng, n = np.random.default_rng(2), 1500
    percent = rng.dirichlet([5, 2, 1], 40).round(3)[rng.integers(0, 40, n)] * 100
    people = pd.DataFrame(percent / 100, columns=["pw", "pb", "pa"]).assign(hired=rng.integers(0, 2, n))
    groups = {"White": "pw", "Black": "pb", "Asian": "pa"}
    people.to_csv(tmp_path / "p.csv", index=False, float_format="%.15g")
    again = pd.read_csv(tmp_path / "p.csv")
    assert (again[["pw", "pb", "pa"]] != people[["pw", "pb", "pa"]]).any(axis=None)
    one, other = (fs.group_probabilities(each, "hired", groups).tidy() for each in (people, again))
    pd.testing.assert_frame_equal(one, other, rtol=0, atol=1e-12)


def test_where_those_selected_differ_no_way_of_computing_probabilities_excuses_it() -> None:
    people, rng = table(3000, gap=0.2), np.random.default_rng(4)
    even = (people[["pb", "pw"]] ** 2).sum(axis=1)
    state = rng.random(3000) < np.clip(0.1 + 0.8 * even + np.where(people["hired"] == 1, 0.08, -0.08), 0, 1)
    people["race"] = people["race"].where(state)
    texts = fs.group_probabilities(people, "hired", GROUPS, known="race").statements
    shares = [f"{100 * people.loc[of, 'hired'].mean():.1f}%" for of in (state, ~state)]
    assert any(f"{shares[0]} of them are selected and {shares[1]} of the others" in text for text in texts)
    assert not any("drawn at random all the same" in text or "after all" in text for text in texts)
    people["race"] = table(3000, gap=0.2)["race"].where(rng.random(3000) < np.clip(1.3 * even - 0.4, 0, 1))
    texts = fs.group_probabilities(people, "hired", GROUPS, known="race").statements
    assert any("may have been drawn at random all the same" in text for text in texts)


def test_an_audit_and_a_study_of_other_people_are_called_so() -> None:
    people, rng = table(2000, gap=0.2), np.random.default_rng(5)
    people["race"] = people["race"].where(rng.random(2000) < 0.5)
    first, last = people[:1000], people[1000:]
    study = fs.group_probabilities(last, "hired", GROUPS, known="race", reference="White")
    sentence = "Both are not of the same people or columns"
    for of, differ in ((first, True), (last, False)):
        page = page_of(fs.audit(of, "hired", "race", reference="White"), study)
        assert (sentence in " ".join(text for pair in page["points"] for text in pair)) == differ
