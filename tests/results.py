"""One result of every class, small and made once: what displays, plots and tables are tried on."""

from __future__ import annotations

import inspect
from functools import cache
from typing import Any

import numpy as np

import fairstats
from fairstats.estimates import Reads, Worded

# Known without making them, so that collecting tests takes no time.
NAMES = (
    "audit",
    "audit of scores",
    "audit within strata",
    "estimates",
    "projection",
    "kernel",
    "eraser",
    "group map",
    "held out",
    "leakage",
    "extra error",
    "choice of k",
    "price",
    "decomposition",
    "proxies",
    "tradeoff",
    "representation",
    "subgroups",
    "change",
    "comparison",
    "partition",
    "impact table",
)


@cache
def results() -> dict[str, Reads]:
    """Results by name, at least one of each class that `Reads` has."""
    people = fairstats.arrests().head(1500)
    rng = np.random.default_rng(0)
    scored = people.assign(score=np.round(people["checks"] / 12 + rng.uniform(0, 0.5, len(people)), 3))
    many = people.assign(checks=np.where(rng.random(len(people)) < 0.1, "7 or more", people["checks"].astype(str)))
    many.loc[::50, "released"] = None
    plain = fairstats.audit(people, "released", "colour", favorable="Yes")
    og = fairstats.og(["age", "checks"], "colour", k=2, data=people)
    kept = og.crossfit(people, "colour")
    halves = people.head(900), people.tail(600)
    result: dict[str, Any] = {
        "audit": plain,
        "audit of scores": fairstats.audit(
            scored,
            groups=["colour", "sex"],
            outcome="released",
            positive="Yes",
            score="score",
            threshold=0.5,
            favorable=1,
        ),
        "audit within strata": fairstats.audit(
            many, "released", ["checks", "colour"], favorable="Yes", strata="sex", reference={"checks": "0"}
        ),
        "estimates": plain.estimates,
        "projection": og,
        "kernel": fairstats.fair_kernel_pca(["age", "checks"], "colour", k=2, data=people.head(200)),
        "eraser": fairstats.leace(["age", "checks"], "colour", data=people),
        "group map": fairstats.comparators.residualize(["age", "checks"], "colour", data=people),
        "held out": kept,
        "leakage": fairstats.leakage(kept, permutations=19),
        "extra error": fairstats.extra_error(og, people, "colour", permutations=19),
        "choice of k": fairstats.select_k(
            ["age", "checks", "year"], "colour", "og", data=people, permutations=9, folds=2
        ),
        "price": fairstats.price_of_fairness(og, people, "colour"),
        "decomposition": fairstats.decompose(people, "age", "sex", explained_by="~ checks + employed"),
        "proxies": fairstats.proxies(people, "sex", features=["age", "colour"]),
        "tradeoff": fairstats.tradeoff(people[["age", "checks"]], people["colour"], methods=["pca", "og"], k=1),
        "representation": fairstats.representation(
            {"Black": 15, "White": 390}, benchmark={"Black": 0.154, "White": 0.846}
        ),
        "subgroups": fairstats.subgroup_scan(people, "released", ["colour", "sex"], favorable="Yes"),
        "change": fairstats.compare_audits(
            *(fairstats.audit(half, "released", "colour", favorable="Yes") for half in halves)
        ),
        "comparison": fairstats.compare(
            people, outcome="released", positive="Yes", groups="colour", features=["age", "checks"], n_repeats=3
        ),
        "partition": fairstats.fair_spectral_clustering(fairstats.simulate.sbm(60), np.tile(["f", "m"], 30)),
        "impact table": fairstats.local_law_144(plain)[0],
    }
    assert tuple(result) == NAMES
    return result


def classes(base: type = Reads) -> set[type]:
    """The classes of results that can be made."""
    below = {result for child in base.__subclasses__() for result in classes(child)}
    return below if base in (Reads, Worded) or inspect.isabstract(base) else below | {base}
