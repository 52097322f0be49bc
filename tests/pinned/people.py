"""Rows of people: their groups, strata, clusters, weights, decisions, outcomes and scores, in small."""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import Any

import numpy as np
import pandas as pd

from fairstats import stats
from tests.pinned.reading import Cases

ROWS, GROUPS = 96, ("x", "y", "z")


@cache
def people(n: int = ROWS, seed: int = 12) -> pd.DataFrame:
    """Three groups (one of eight people), two strata that predict, clusters of unequal size, weights."""
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame({"race": rng.choice(GROUPS, n, p=[0.55, 0.37, 0.08]), "sex": np.tile(["f", "m"], n // 2)})
    frame["dept"] = np.where(rng.random(n) < 0.5 + 0.2 * (frame["sex"] == "f"), "art", "law")
    frame["court"] = np.repeat(np.arange(n), 1 + np.arange(n) % 5)[:n]
    frame["weight"], frame["times"] = np.round(rng.uniform(0.4, 3, n), 2), 1 + np.arange(n) % 3
    chance = 0.3 + 0.3 * (frame["dept"] == "law") + 0.2 * (frame["race"] == "x")
    frame["good"] = (rng.random(n) < chance).astype(int)
    frame["hired"] = (rng.random(n) < 0.2 + 0.4 * frame["good"] + 0.2 * (frame["sex"] == "m")).astype(int)
    frame["score"] = np.round(np.clip(0.2 + 0.4 * frame["good"] + 0.3 * rng.standard_normal(n), 0.02, 0.98), 2)
    frame["points"] = np.round(10 * frame["score"])
    frame[["u", "v", "w"]] = np.round(
        rng.standard_normal((n, 3)) + (frame["sex"] == "m").to_numpy()[:, None] * [1, 0.3, 0], 3
    )
    return frame


@cache
def gaps() -> pd.DataFrame:
    """The same, where not everything is known of everybody."""
    frame = people().copy()
    frame[["good", "hired"]] = frame[["good", "hired"]].astype(float)
    frame.loc[::11, "good"], frame.loc[3::17, "hired"], frame.loc[5::13, "race"] = np.nan, np.nan, None
    frame.loc[2::19, "score"] = np.nan
    return frame


def columns(*names: str) -> list[Any]:
    """Columns of the people."""
    return [people()[name].to_numpy() for name in names]


WEIGHTS: dict[str, dict[str, Any]] = {
    "people": {},
    "times": {"sample_weight": columns("times")[0], "weight_type": "frequency"},
    "drawn": {"sample_weight": columns("weight")[0]},
}
OF_RATES = ("demographic_parity", "equal_opportunity", "predictive_parity", "equalized_odds")
OF_SCORES = ("abroca", "balance_for_the_negative_class", "balance_for_the_positive_class", "brier_parity")


def shares(y: Any, d: Any, s: Any, w: Any) -> float:
    """A metric of somebody's own: the weighted share of whom the decision serves right."""
    return float(np.average(d == y, weights=w))


def familiar() -> Cases:
    """The measures by the names that other packages gave them."""
    cases: Cases = {}
    y, d, s = columns("good", "hired", "score")
    for (weighed, w), by in product(WEIGHTS.items(), ("sex", "race")):
        of: dict[str, Any] = {"groups": people()[by].to_numpy(), **w}
        for name, contrast, method in product(OF_RATES, ("difference", "ratio"), ("between_groups", "to_overall")):
            call = getattr(stats, f"{name}_{contrast}")
            cases[f"{name}_{contrast} {method} {weighed} {by}"] = lambda f=call, m=method, o=of: f(y, d, method=m, **o)
        for contrast in ("difference", "ratio"):
            call = getattr(stats, f"equalized_odds_{contrast}")
            cases[f"equalized_odds_{contrast} mean {weighed} {by}"] = lambda f=call, o=of: f(
                y, d, agg="mean", conf_level=0.9, **o
            )
        cases[f"conditional_use_accuracy_equality {weighed} {by}"] = lambda o=of: (
            stats.conditional_use_accuracy_equality(y, d, **o)
        )
        cases[f"treatment_equality {weighed} {by}"] = lambda o=of: stats.treatment_equality(y, d, **o)
        for name in OF_SCORES:
            cases[f"{name} {weighed} {by}"] = lambda f=name, o=of: getattr(stats, f)(y, s, **o)
            cases[f"{name} 0.8 {weighed} {by}"] = lambda f=name, o=of: getattr(stats, f)(y, s, conf_level=0.8, **o)
    return cases


def own_metrics() -> Cases:
    """A function of people's own, by group, with each interval."""
    cases: Cases = {}
    y, d, s, race, sex = columns("good", "hired", "score", "race", "sex")
    for interval in ("percentile", "studentized"):
        cases[f"by_group {interval}"] = lambda i=interval: stats.by_group(
            shares, y, d, groups=race, interval=i, replicates=80
        )
        cases[f"by_group {interval} drawn"] = lambda i=interval: stats.by_group(
            shares,
            y,
            d,
            w=columns("weight")[0],
            groups=sex,
            name="right",
            interval=i,
            replicates=60,
            conf_level=0.8,
            seed=4,
        )
    cases["by_group times"] = lambda: stats.by_group(
        shares, y, d, s, columns("times")[0], groups=sex, weight_type="frequency", reference="f", replicates=40
    )
    return cases


def within_strata() -> Cases:
    """Rates of people within strata: plain, drawn, of clusters; and a logistic regression's effect."""
    cases: Cases = {}
    y, dept = columns("hired", "dept")
    options: dict[str, dict[str, Any]] = {
        "people": {},
        "drawn": {"weights": columns("weight")[0]},
        "of clusters": {"clusters": columns("court")[0]},
        "drawn clusters": {"weights": columns("weight")[0], "clusters": columns("court")[0]},
    }
    for (kind, more), level, standard in product(
        options.items(), ("m", "f"), ("mantel-haenszel", "everybody", "group")
    ):
        inside = columns("sex")[0] == level
        cases[f"stratified_rates_of_people {kind} {level} {standard}"] = lambda i=inside, o=more, s=standard: (
            stats.stratified_rates_of_people(y, i, dept, standard=s, **o)
        )
    x = np.column_stack([columns("sex")[0] == "m", columns("dept")[0] == "law", *columns("u")]).astype(float)
    for covariance, clusters in (("model", None), ("robust", None), ("cluster", columns("court")[0])):
        for weighed, w in (("people", np.ones(ROWS)), ("drawn", columns("weight")[0])):
            cases[f"average_marginal_effect {covariance} {weighed}"] = lambda c=covariance, g=clusters, w=w: (
                stats.average_marginal_effect(
                    stats.logistic(x, y, weights=w, covariance=c, clusters=g), x, w, 0, slice(0, 1)
                )
            )
    return cases


CASES: Cases = familiar() | own_metrics() | within_strata()
