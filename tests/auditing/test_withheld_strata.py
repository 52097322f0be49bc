"""What is withheld by stratum: no person's amount follows from what is shown, by solving for it."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import linprog

import fairstats as fs
from fairstats.auditing.suppression import dominated
from fairstats.inference.parts.adjusted import adjusted_gaps

MIN_N = 4


SIZES = (0, 0, 1, 2, 3, 5, 6, 9, 9, 12)


def random_table(rng: np.random.Generator, sizes: tuple[int, ...] = SIZES) -> pd.DataFrame:
    """People of two or three groups in strata of which some are small or lack a group, some unknown."""
    groups = ["f", "m", "x"][: rng.integers(2, 4)]
    strata = [f"s{h}" for h in range(rng.integers(2, 7))] + [None] * bool(rng.integers(2))
    people = rng.choice(sizes, (len(strata), len(groups)))
    rows = [
        (s, g)
        for s, line in zip(strata, people, strict=True)
        for g, n in zip(groups, line, strict=True)
        for _ in range(n)
    ]
    frame = pd.DataFrame(rows, columns=["s", "g"])
    return frame.assign(pay=rng.lognormal(3, rng.choice([0.3, 1.5]), len(frame)))


def equations(result: fs.Audit, d: pd.DataFrame) -> np.ndarray:
    """What is shown of sums of amounts as rows over people; how many people each cell has is known to the attacker."""
    t = result.tidy()
    t = t[(t["status"] == "ok") & t["estimate"].notna()]
    stratum = d["s"].astype(object).where(d["s"].notna(), "")
    rows = [np.zeros(len(d))]
    for row in t[(t["metric"] == "mean amount") & (t["contrast"] == "none")].itertuples():
        mine = (d["g"] == row.group) & ((stratum == row.term) if row.given else True)
        assert row.estimate == pytest.approx(d["pay"][mine].mean())
        rows.append(mine.to_numpy(float))
    for row in t[t["metric"] == "mean difference within strata"].itertuples():
        rows += averages(d, row.group, row.reference)
    return np.array(rows)


def averages(d: pd.DataFrame, group: str, reference: str) -> list[np.ndarray]:
    """The averages of both groups within strata: the gap and the difference give both."""
    cell = d[d["s"].notna()].groupby(["s", "g"]).size().unstack(fill_value=0)
    n, m = (cell.get(one, 0 * cell.iloc[:, 0]) for one in (group, reference))
    weight = (n * m / (n + m)).fillna(0)
    sides = ((group, n), (reference, m))
    return [
        d["s"].map(weight / k.where(k > 0)).fillna(0).to_numpy() * (d["g"] == one).to_numpy(float) for one, k in sides
    ]


def of_categories(result: fs.GroupStudy, d: pd.DataFrame) -> np.ndarray:
    """The same of a report of pay, for whoever knows the reference's means beside the gaps."""
    rows = [np.zeros(len(d))]
    for row in result.estimates:
        if row.estimate != row.estimate:
            continue
        both = d["g"].isin([row.group, row.reference])
        if row.metric == "gap of means within strata":
            rows += averages(d, row.group, row.reference)
        elif row.metric == "gap of means" and row.role == "main":
            mine = both & ((d["s"] == row.term) if row.given else True)
            rows += [(mine & (d["g"] == one)).to_numpy(float) for one in (row.group, row.reference)]
    return np.array(rows)


def determined(space: np.ndarray, vector: np.ndarray) -> bool:
    """Whether a combination of the rows gives it."""
    vector = vector / np.linalg.norm(vector)
    return bool(np.linalg.norm(vector - space.T @ (space @ vector)) < 1e-7)


def secrets(d: pd.DataFrame) -> list[np.ndarray]:
    """Every person, and every cell of a stratum and group that is small or dominated."""
    result = [*np.eye(len(d))]
    for _, cell in d.fillna({"s": ""}).groupby(["s", "g"]):
        if len(cell) < MIN_N or dominated(cell["pay"].to_numpy(), np.ones(len(cell))):
            result.append(d.index.isin(cell.index).astype(float))
    return result


def leaks(d: pd.DataFrame, matrix: np.ndarray) -> bool:
    """Whether a secret is determined, or the rest of a group beside its shown strata is small or dominated."""
    basis = np.linalg.svd(matrix, full_matrices=False)
    space = basis.Vh[1e-9 * max(basis.S[0], 1) < basis.S]
    if any(determined(space, vector) for vector in secrets(d)):
        return True
    for group in d["g"].unique():
        mine = (d["g"] == group).to_numpy()
        shown = np.any(
            [row > 0 for row in matrix if np.isin(row, (0, 1)).all() and row.sum() < mine.sum()] or [~mine], axis=0
        )
        rest = mine & ~shown
        small = rest.sum() < MIN_N or dominated(d["pay"][rest].to_numpy(), np.ones(rest.sum()))
        if rest.any() and small and determined(space, rest.astype(float)):
            return True
    return False


def audited(d: pd.DataFrame, min_n: int) -> fs.Audit:
    return fs.audit(d, amount="pay", groups="g", reference="m", strata="s", min_n=min_n)


@pytest.mark.long
@pytest.mark.parametrize(("tables", "least"), [(7, 1), pytest.param(30, 4, marks=pytest.mark.slow)])
def test_nobody_s_amount_follows_from_what_is_shown_of_random_tables(tables: int, least: int) -> None:
    rng, shown, bare = np.random.default_rng(19), 0, 0
    for _ in range(tables):
        d = random_table(rng)
        if d["g"].nunique() < 2 or "m" not in set(d["g"]) or d["s"].nunique() < 1:
            continue
        assert not leaks(d, equations(audited(d, MIN_N), d)), d.groupby(["s", "g"], dropna=False).size()
        t = audited(d, MIN_N).tidy()
        shown += bool((t["given"].ne("") & t["term"].ne("") & t["estimate"].notna()).any())
        bare += bare < 3 and leaks(d, equations(audited(d, 1), d))
    assert shown >= least  # not all is withheld
    assert bare == 3  # the attack finds people where nothing is


@pytest.mark.long
@pytest.mark.parametrize(("tables", "least"), [(5, 1), pytest.param(25, 4, marks=pytest.mark.slow)])
def test_nobody_s_pay_follows_from_the_categories_of_a_report_of_pay(tables: int, least: int) -> None:
    rng, shown = np.random.default_rng(20), 0
    for _ in range(tables):
        d = random_table(rng)
        if d["g"].nunique() < 2 or "m" not in set(d["g"]) or d["s"].nunique() < 1:
            continue
        result = fs.pay_transparency(d, "pay", "g", category="s", reference="m", min_n=MIN_N)
        left_out = {"f", "m", "x"} - {row.group for row in result.estimates}
        counted = d[~d["g"].isin(left_out)].reset_index(drop=True)
        assert not leaks(counted, of_categories(result, counted)), d.groupby(["s", "g"], dropna=False).size()
        shown += any(
            row.estimate == row.estimate for row in result.estimates if row.given and row.term != "pay as given"
        )
    assert shown >= least


def of_covariates(result: fs.Audit, d: pd.DataFrame) -> list[np.ndarray]:
    """What the adjusted numbers are of everybody's amounts: regressions are linear in them."""
    rows: list[np.ndarray] = []
    shown = {r.group for r in result.estimates.where(metric="adjusted gap", contrast="difference") if r.status == "ok"}
    if not shown:
        return rows
    means = result.estimates.where(metric="mean amount", contrast="none", given="")
    seen = {row.group for row in means if row.status == "ok"}
    whole = d[d["s"].notna() & d["g"].isin(seen)]
    for group in shown:
        pair = whole["g"].isin([group, "m"])
        some = whole[whole["s"].isin(set(whole["s"][pair]))]
        X = pd.get_dummies(some["s"], drop_first=True).to_numpy(float)
        codes = np.where(some["g"] == group, 1, np.where(some["g"] == "m", 0, 2))
        found = [adjusted_gaps(unit, X, codes, 0, groups=(1,))[1] for unit in np.eye(len(some))]
        for column in (*np.array([one.means for one in found]).T, np.array([one.plain for one in found])):
            rows.append(pd.Series(column, some.index).reindex(d.index, fill_value=0).to_numpy())
        (row,) = result.estimates.where(metric="adjusted gap", group=group)
        assert row.estimate == pytest.approx((rows[-3] - rows[-2]) @ d["pay"])
    return rows


@pytest.mark.long
@pytest.mark.parametrize(("tables", "least"), [(5, 1), pytest.param(12, 2, marks=pytest.mark.slow)])
def test_nobody_s_amount_follows_from_adjusted_and_crude_means(tables: int, least: int) -> None:
    rng, shown, bare = np.random.default_rng(22), 0, 0
    for _ in range(tables):
        d = random_table(rng, (3, 9, 9, 9, 12, 12, 12, 12))
        if "m" not in set(d["g"]) or d["g"].nunique() < 2 or d["s"].nunique() < 2 or d.groupby("s").size().min() < 2:
            continue
        for min_n in (MIN_N, 1)[: 1 + (bare < 2)]:
            result = fs.audit(d, amount="pay", groups="g", reference="m", adjust_for="~ s", min_n=min_n)
            adjusted = of_covariates(result, d)
            found = leaks(d, np.array([*equations(result, d), *adjusted]))
            if min_n > 1:
                assert not found, d.groupby(["s", "g"], dropna=False).size()
                shown += bool(adjusted)
            else:
                bare += found
    assert shown >= least and bare  # the attack finds people where nothing is withheld


@pytest.mark.long
def test_beyond_a_quantile_that_is_shown_there_are_people() -> None:
    rng, shown = np.random.default_rng(23), 0
    for _ in range(8):
        d = random_table(rng)
        if "m" not in set(d["g"]) or d["g"].nunique() < 2:
            continue
        result = fs.audit(d, amount="pay", groups="g", reference="m", quantiles=(0.1, 0.5, 0.9), min_n=MIN_N)
        for row in result.estimates:
            if row.metric in ("median amount", "amount quantile") and row.contrast == "none" and row.status == "ok":
                pay = d["pay"][d["g"] == row.group]
                assert min((pay <= row.estimate).sum(), (pay >= row.estimate).sum()) >= MIN_N / 2, row
                shown += 1
    assert shown >= 8


@pytest.mark.long
@pytest.mark.parametrize("law", ["eu", "uk"])
@pytest.mark.parametrize(("tables", "least"), [(5, 1), pytest.param(9, 2, marks=pytest.mark.slow)])
def test_nobody_s_bonus_follows_from_a_report_of_pay(tables: int, least: int, law: str) -> None:
    """Unknown are everybody's pay and the bonus of those who get one; gaps give both means to whoever knows one."""
    rng, shown = np.random.default_rng(24), 0
    for _ in range(tables):
        d = random_table(rng)
        d["bonus"] = np.where(rng.random(len(d)) < 0.5, 0.3 * rng.random(len(d)) * d["pay"], 0)
        if "m" not in set(d["g"]) or d["g"].nunique() < 2 or d["s"].nunique() < 1:
            continue
        if law == "eu":
            options = {"variable_pay": "bonus", "category": "s"}
            result = fs.pay_transparency(d, "pay", "g", reference="m", min_n=MIN_N, **options)
        else:
            result = fs.gender_pay_gap(d, "pay", "g", bonus="bonus", reference="m", min_n=MIN_N)
        pay, bonus = np.eye(len(d)), np.eye(len(d)) * (d["bonus"] > 0).to_numpy(float)
        rows = [np.zeros(2 * len(d))]
        for row in result.estimates:
            if row.estimate != row.estimate or row.metric != "gap of means":
                continue
            parts = {": basic pay": (pay, -bonus), ": variable pay": (0 * pay, bonus)}
            ending = next((end for end in parts if row.term.endswith(end)), "")
            if row.given:
                among, moved = d["s"] == row.term.removesuffix(ending), parts.get(ending, (pay, 0 * bonus))
            else:
                among, moved = d["s"] == d["s"], (pay, 0 * bonus)
                among = among | d["s"].isna()
                if "variable" in row.term or "bonus" in row.term:
                    moved = (0 * pay, bonus)
            for group in (row.group, row.reference):
                mine = (among & (d["g"] == group)).to_numpy(float)
                rows.append(np.concatenate([mine @ part for part in moved]))
        matrix = np.array(rows)
        basis = np.linalg.svd(matrix, full_matrices=False)
        space = basis.Vh[1e-9 * max(basis.S[0], 1) < basis.S]
        one = np.eye(2 * len(d))
        got = np.flatnonzero(d["bonus"] > 0)
        assert not any(determined(space, one[i]) for i in [*range(len(d)), *(len(d) + got)])
        for group in d["g"].unique():
            mine = (d["g"] == group).to_numpy() & (d["bonus"] > 0).to_numpy()
            if 0 < mine.sum() < MIN_N:
                assert not determined(space, np.concatenate([np.zeros(len(d)), mine]))
        shown += len(rows) > 3
    assert shown >= least


@pytest.mark.long
@pytest.mark.parametrize("lone", ["m", "f", "none"])
def test_no_few_people_or_their_decisions_are_left_by_comparisons_within_strata(lone: str) -> None:
    """One person in a stratum without the other group, or in none: the total less those compared would be this one."""
    rng = np.random.default_rng(3)
    d = pd.DataFrame({"g": ["f", "m"] * 60, "s": np.repeat(["a", "b", "c"], 40).astype(object)})
    d.loc[120] = ["m" if lone == "none" else lone, None if lone == "none" else "d"]
    d = d.assign(yes=rng.integers(0, 2, len(d)), pay=rng.lognormal(3, 0.3, len(d)))
    for wanted in ({"decision": "yes"}, {"amount": "pay"}, {"score": "pay"}):
        result = fs.audit(d, groups="g", reference="m", strata="s", min_n=5, **wanted)  # type: ignore[arg-type]
        within = [row for row in result.estimates if row.given == "s" and row.contrast != "none"]
        assert any(row.estimate == row.estimate for row in within)
        for row in result.estimates:
            if row.given == "s":
                assert np.isnan(row.events) or row.term, row
                assert not 0 < len(d) - row.n < 5 and "is in a stratum where" not in row.reason, row
                assert row.metric != "common strata" or row.status == "suppressed"
        assert not fs.audit(d, groups="g", reference="m", strata="s", **wanted).estimates.where(given="s", n=np.nan)  # type: ignore[arg-type]
        assert "counts are withheld, as a stratum has fewer than 5 people of a group" in {
            part for row in within for part in row.reason.split("; ")
        }


def narrowed(d: pd.DataFrame, matrix: np.ndarray) -> float:
    """How nearly a small cell's sum follows for whoever guesses every amount to one half: as a share of the sum."""
    pay, least = d["pay"].to_numpy(), 1.0
    for _, cell in d.groupby(["s", "g"]):
        if len(cell) < MIN_N:
            aim = d.index.isin(cell.index).astype(float)
            ends = [
                linprog(sign * aim, A_eq=matrix, b_eq=matrix @ pay, bounds=np.c_[0.5 * pay, 1.5 * pay]).fun * sign
                for sign in (1, -1)
            ]
            least = min(least, *(abs(end / (aim @ pay) - 1) for end in ends))
    return least


@pytest.mark.long
@pytest.mark.parametrize("law", [False, True])
def test_no_small_cell_follows_nearly_from_totals_and_averages(law: bool) -> None:
    """By linear programs: each small sum may be 10% less, or more, if others may be half as large again."""
    rng = np.random.default_rng(25)

    def attacked(sizes: list[tuple[int, int]], min_n: int) -> float:
        people = [(f"s{h}", g) for h, n in enumerate(sizes) for g, k in zip("fm", n, strict=True) for _ in range(k)]
        d = pd.DataFrame(people, columns=["s", "g"])
        d["pay"] = rng.lognormal(3, 0.3, len(d))
        if law:
            made = fs.pay_transparency(d, "pay", "g", category="s", reference="m", min_n=min_n)
            return narrowed(d, of_categories(made, d))
        return narrowed(d, equations(audited(d, min_n), d))

    alike = [(1, 0), (3, 40), (1, 12), (12, 12), (9, 9)]  # the small cells of women weigh nearly alike in the average
    some = [[(int(f), int(m)) for f, m in rng.choice((1, 3, 6, 12, 40), (5, 2))] for _ in range(4)]
    assert min(attacked(sizes, MIN_N) for sizes in (alike, *some)) > 0.1 - 1e-6
    assert attacked(alike, 1) < 1e-6
