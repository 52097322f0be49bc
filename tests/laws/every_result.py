"""One result of every kind, made once: what laws about all results run over."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pandas as pd

import fairstats
from fairstats.estimates import Result


@cache
def people(n: int = 240) -> pd.DataFrame:
    rng = np.random.default_rng(11)
    frame = pd.DataFrame({"sex": rng.choice(["f", "m"], n), "race": rng.choice(["a", "b", "c"], n)})
    frame["dept"] = rng.choice(["x", "y"], n)
    frame[["u", "v", "w"]] = rng.standard_normal((n, 3)) + (frame["sex"] == "f").to_numpy()[:, None]
    frame["score"] = 1 / (1 + np.exp(-frame["u"] - rng.standard_normal(n)))
    frame["hired"] = (frame["score"] > 0.5).astype(int)
    frame["good"] = (rng.random(n) < frame["score"]).astype(int)
    return frame


X = ["u", "v", "w"]


def fit(name: str, **options: Any) -> Any:
    home = fairstats if hasattr(fairstats, name) else fairstats.comparators
    return getattr(home, name)(X, "sex", data=people(), **options)


def graph() -> np.ndarray:
    rng = np.random.default_rng(2)
    links = np.triu(rng.random((30, 30)) < 0.3, 1).astype(float)
    return links + links.T


def audited(**options: Any) -> fairstats.Audit:
    return fairstats.audit(people(), groups=["sex", "race"], **options)


MADE: dict[str, Callable[[], Any]] = {
    "audit": lambda: audited(outcome="good", decision="hired", score="score"),
    "audit, strata": lambda: audited(decision="hired", strata="dept"),
    "audit, scores": lambda: audited(score="score", outcome="good", strata="dept"),
    "audit, withheld": lambda: audited(outcome="good", decision="hired", min_n=45),
    "audit, equivalence": lambda: audited(decision="hired", outcome="good", margin=0.1),
    "bootstrap": lambda: audited(decision="hired", outcome="good").bootstrap(replicates=50),
    "impact table": lambda: fairstats.local_law_144(audited(decision="hired"))[0],
    "comparison": lambda: fairstats.compare(
        people(),
        outcome="good",
        groups="sex",
        features=X,
        methods=["none", "og", "pca"],
        k=[1, 2],
        model=["logistic", "lasso"],
        favorable=1,
        n_repeats=3,
        progress=False,
        representation=True,
    ),
    "proxies": lambda: fairstats.proxies(people(), "sex", features=["u", "v", "race"]),
    "tradeoff": lambda: fairstats.tradeoff(people()[X], people()["sex"], methods=["pca", "og"], k=1),
    "subgroups": lambda: fairstats.subgroup_scan(people(), "hired", ["sex", "race"], min_n=5),
    "representation": lambda: fairstats.representation(people(), "race", benchmark={"a": 0.5, "b": 0.3, "c": 0.2}),
    "stages": lambda: fairstats.stages(
        people().assign(both=lambda d: d["hired"] * d["good"]), ["hired", "both"], "race"
    ),
    "matched pairs": lambda: fairstats.matched_pairs(
        people().assign(block=lambda d: d.groupby("sex").cumcount()), "hired", "sex", "block", clusters="dept"
    ),
    "models": lambda: fairstats.compare_models(
        people().assign(bold=lambda d: (d["u"] > 0).astype(int)), {"old": "hired", "new": "bold"}, "sex", outcome="good"
    ),
    "monitor": lambda: fairstats.monitor(
        people().assign(month=lambda d: 1 + np.arange(len(d)) * 6 // len(d)), "hired", "sex"
    ),
    "group probabilities": lambda: fairstats.group_probabilities(
        people().assign(pf=lambda d: np.where(d["sex"] == "f", 0.9, 0.1), pm=lambda d: 1 - d["pf"]),
        "hired",
        {"f": "pf", "m": "pm"},
    ),
    "pay": lambda: fairstats.pay_transparency(
        people().assign(pay=lambda d: 20 + d["u"].abs(), more=lambda d: d["v"].abs(), hours=40),
        "pay",
        "sex",
        variable_pay="more",
        category="dept",
        hours="hours",
    ),
    "decomposition": lambda: fairstats.decompose(people(), "u", "sex", explained_by="~ v + dept", reference="m"),
    "change": lambda: fairstats.compare_audits(
        *(
            fairstats.audit(half, "hired", ["sex", "race"])
            for half in (people()[:140], people()[140:].reset_index(drop=True))
        )
    ),
    "pca": lambda: fairstats.pca(X, data=people(), k=2),
    "og": lambda: fit("og"),
    "og, scaled": lambda: fit("og", scale=True),
    "minimax": lambda: fit("minimax_pca"),
    "kernel": lambda: fit("fair_kernel_pca"),
    "leace": lambda: fit("leace"),
    "residualize": lambda: fit("residualize"),
    "location_scale": lambda: fit("location_scale"),
    "partition": lambda: fairstats.fair_spectral_clustering(graph(), ["a", "b", "c"] * 10, k=2),
    "held out": lambda: fairstats.og(X, "sex", data=people()).crossfit(people(), "sex"),
    "leakage": lambda: fairstats.leakage(made("held out"), permutations=19),
    "extra error": lambda: fairstats.extra_error(fairstats.pca(X, "sex", data=people()), people(), permutations=19),
    "component tests": lambda: fairstats.component_tests(made("held out")),
    "price": lambda: fairstats.price_of_fairness(fit("fair_pca"), people(), "sex"),
    "stability": lambda: fairstats.bootstrap_loadings(fit("og"), people(), "sex", replicates=20),
    "choice of k": lambda: fairstats.select_k(X, "sex", "og", data=people(), permutations=9),
    "group losses": lambda: fairstats.reconstruction_error_by_group(fit("og"), people(), "sex"),
}

TABLES = ("bootstrap", "component tests", "group losses")  # results that are tables of estimates


@cache
def made(name: str) -> Any:
    """The result of that name; the same object every time."""
    result = MADE[name]()
    assert isinstance(result, Result)
    return result
