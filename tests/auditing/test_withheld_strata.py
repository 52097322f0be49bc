"""What is withheld by stratum: no person's amount follows from what is shown, by solving for it."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import fairstats as fs
from fairstats.auditing.suppression import dominated

MIN_N = 4


def random_table(rng: np.random.Generator) -> pd.DataFrame:
    """People of two or three groups in strata of which some are small or lack a group, some unknown."""
    groups = ["f", "m", "x"][: rng.integers(2, 4)]
    strata = [f"s{h}" for h in range(rng.integers(2, 7))] + [None] * bool(rng.integers(2))
    sizes = rng.choice([0, 0, 1, 2, 3, 5, 6, 9, 9, 12], (len(strata), len(groups)))
    rows = [
        (s, g)
        for s, line in zip(strata, sizes, strict=True)
        for g, n in zip(groups, line, strict=True)
        for _ in range(n)
    ]
    frame = pd.DataFrame(rows, columns=["s", "g"])
    return frame.assign(pay=rng.lognormal(3, 0.3, len(frame)))


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
        cell = (
            d[d["s"].notna()]
            .groupby(["s", "g"])
            .size()
            .unstack(fill_value=0)
            .reindex(columns=["f", "m", "x"], fill_value=0)
        )
        n, m = cell[row.group], cell[row.reference]
        weight = (n * m / (n + m)).fillna(0)
        for group, size in ((row.group, n), (row.reference, m)):  # the gap and the difference give both averages
            share = d["s"].map(weight / size.where(size > 0)).fillna(0).to_numpy()
            rows.append(share * (d["g"] == group).to_numpy(float))
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


def leaks(d: pd.DataFrame, min_n: int) -> bool:
    result = fs.audit(d, amount="pay", groups="g", reference="m", strata="s", min_n=min_n)
    matrix = equations(result, d)
    basis = np.linalg.svd(matrix, full_matrices=False)
    space = basis.Vh[1e-9 * max(basis.S[0], 1) < basis.S]
    return any(determined(space, vector) for vector in secrets(d))


def test_nobody_s_amount_follows_from_what_is_shown_of_random_tables() -> None:
    rng, shown, bare = np.random.default_rng(19), 0, 0
    for _ in range(30):
        d = random_table(rng)
        if d["g"].nunique() < 2 or "m" not in set(d["g"]) or d["s"].nunique() < 1:
            continue
        assert not leaks(d, MIN_N), d.groupby(["s", "g"], dropna=False).size()
        t = fs.audit(d, amount="pay", groups="g", reference="m", strata="s", min_n=MIN_N).tidy()
        shown += bool((t["given"].ne("") & t["term"].ne("") & t["estimate"].notna()).any())
        bare += bare < 3 and leaks(d, 1)
    assert shown >= 4  # not all is withheld
    assert bare == 3  # the attack finds people where nothing is


@pytest.mark.parametrize("lone", ["m", "f", "none"])
def test_no_few_people_or_their_decisions_are_left_by_comparisons_within_strata(lone: str) -> None:
    """One person in a stratum without the other group, or in none: the total less those compared would be this one."""
    rng = np.random.default_rng(3)
    d = pd.DataFrame({"g": ["f", "m"] * 60, "s": np.repeat(["a", "b", "c"], 40).astype(object)})
    d.loc[120] = ["m" if lone == "none" else lone, None if lone == "none" else "d"]
    d = d.assign(yes=rng.integers(0, 2, len(d)), pay=rng.lognormal(3, 0.3, len(d)))
    for asked in ({"decision": "yes"}, {"amount": "pay"}, {"score": "pay"}):
        result = fs.audit(d, groups="g", reference="m", strata="s", min_n=5, **asked)  # type: ignore[arg-type]
        within = [row for row in result.estimates if row.given == "s" and row.contrast != "none"]
        assert any(row.estimate == row.estimate for row in within)
        for row in result.estimates:
            if row.given == "s":
                assert np.isnan(row.events) or row.term, row
                assert not 0 < len(d) - row.n < 5 and "1 people" not in row.reason, row
                assert row.metric != "common strata" or row.status == "suppressed"
        assert not fs.audit(d, groups="g", reference="m", strata="s", **asked).estimates.where(given="s", n=np.nan)  # type: ignore[arg-type]
        assert "not counted here, as a stratum has fewer than 5 people of a group" in {
            part for row in within for part in row.reason.split("; ")
        }
