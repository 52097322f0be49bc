"""Audits of small data with every option, and what is made of audits: rows of estimates, not their sentences."""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import Any

import pandas as pd

import fairstats as fs
from fairstats import choices
from tests.pinned.people import gaps, people
from tests.pinned.reading import Cases

DECISION, OUTCOME = {"decision": "hired"}, {"outcome": "good"}
BOTH = {**DECISION, **OUTCOME}
QUESTIONS: dict[str, dict[str, Any]] = {
    "decision": DECISION,
    "outcome": OUTCOME,
    "both": BOTH,
    "against": {**BOTH, "favorable": 0, "positive": 0},
    "score": {**OUTCOME, "score": "score"},
    "points": {**OUTCOME, "score": "points"},
    "score alone": {"score": "score"},
    "threshold": {**OUTCOME, "score": "score", "threshold": 0.5},
    "threshold alone": {"score": "points", "threshold": 4, "favorable": 0},
    "all": {**BOTH, "score": "score"},
}
DESIGNS: dict[str, dict[str, Any]] = {
    "strata": {"strata": "dept"},
    "times": {"weights": "times"},
    "drawn": {"weights": "weight", "weight_type": "probability"},
    "clusters": {"clusters": "court"},
    "drawn clusters": {"weights": "weight", "weight_type": "probability", "clusters": "court"},
    "times in strata": {"strata": "dept", "weights": "times"},
    "drawn in strata": {"strata": "dept", "weights": "weight", "weight_type": "probability"},
    "clusters in strata": {"strata": "dept", "clusters": "court"},
}


def audited(data: pd.DataFrame | None = None, **options: Any) -> fs.Audit:
    return fs.audit(people() if data is None else data, **{"groups": ["sex", "race"], **options})


def plain_audits() -> Cases:
    """What is asked, how groups are compared, at which level."""
    cases: Cases = {}
    for name, question in QUESTIONS.items():
        by = ["sex", "race"] if name in ("both", "score", "all") else "race"
        cases[name] = lambda q=question, b=by: audited(groups=b, **q).estimates
        cases[f"{name}, gaps"] = lambda q=question: audited(gaps(), groups="race", **q).estimates
        cases[f"{name}, gaps dropped"] = lambda q=question: (
            audited(gaps(), groups="sex", missing="drop", conf_level=0.9, **q).estimates
        )
    for adjust, reference in product(choices.ADJUSTMENTS, (*choices.REFERENCES, "y")):
        options: dict[str, Any] = {"adjust": adjust, "reference": reference, "groups": "race"}
        cases[f"{adjust}, {reference}"] = lambda o=options: audited(**DECISION, **o).estimates
    for adjust in choices.ADJUSTMENTS:
        if adjust != "none":
            cases[f"{adjust} over the audit"] = lambda a=adjust: audited(**DECISION, family="audit", adjust=a).estimates
        cases[f"{adjust} of scores"] = lambda a=adjust: audited(**QUESTIONS["score"], adjust=a).estimates
    cases["equivalence"] = lambda: audited(**BOTH, groups="race", equivalence=0.3).estimates
    cases["equivalence of each"] = lambda: audited(**BOTH, equivalence={"difference": 0.3, "ratio": 0.7}).estimates
    cases["equivalence to the highest"] = lambda: (
        audited(**DECISION, equivalence=0.3, reference="highest_rate").estimates
    )
    cases["equivalence in strata"] = lambda: audited(**DECISION, equivalence=0.3, strata="dept").estimates
    cases["equivalence of scores"] = lambda: audited(**QUESTIONS["score"], equivalence=0.2).estimates
    cases["withheld"] = lambda: audited(**BOTH, min_n=12).estimates
    for name in ("score", "score alone", "threshold"):
        cases[f"withheld of {name}"] = lambda q=QUESTIONS[name]: audited(**q, min_n=15).estimates
    cases["numbers predicted"] = lambda: audited(groups="sex", decision="hired", outcome="good", predicts=0).estimates
    cases["another level"] = lambda: audited(**QUESTIONS["all"], groups="sex", conf_level=0.8).estimates
    return cases


def designed() -> Cases:
    """Strata, weights and clusters, of each question."""
    cases: Cases = {}
    for (name, question), (design, more) in product(QUESTIONS.items(), DESIGNS.items()):
        if name in ("decision", "score", "threshold"):
            by = "race" if name == "decision" else "sex"
            cases[f"{name}, {design}"] = lambda q=question, m=more, b=by: audited(**q, **m, groups=b).estimates
    for design in ("strata", "drawn", "clusters", "drawn clusters"):
        cases[f"{design} with gaps"] = lambda d=design: audited(gaps(), **BOTH, **DESIGNS[d], groups="sex").estimates
        cases[f"{design} to the highest"] = lambda d=design: (
            audited(**DECISION, **DESIGNS[d], groups="race", reference="highest_rate", conf_level=0.9).estimates
        )
    for design, adjust in product(("times", "drawn", "clusters"), ("max-t", "none")):
        cases[f"{design}, {adjust}"] = lambda d=design, a=adjust: (
            audited(**DECISION, **DESIGNS[d], adjust=a, groups="race").estimates
        )
    return cases


@cache
def halves() -> tuple[fs.Audit, fs.Audit]:
    early, late = people().iloc[:50].reset_index(drop=True), people().iloc[50:].reset_index(drop=True)
    return audited(early, **BOTH, groups="sex"), audited(late, **BOTH, groups="sex")


def made_of_audits() -> Cases:
    """Bootstraps, changes, tables of a law, subgroups and tallies."""
    cases: Cases = {
        "bootstrap": lambda: audited(**BOTH).bootstrap(replicates=60).estimates,
        "bootstrap of gaps": lambda: audited(gaps(), **BOTH, groups="race", seed=3).bootstrap(replicates=60).estimates,
        "change": lambda: fs.change(*halves()).estimates,
        "change of TPR": lambda: fs.change(*halves(), metric="TPR", conf_level=0.9, adjust="none").estimates,
        "worsened": lambda: fs.change(*halves()).worsened(0.1),
        "impact tables": lambda: [table.estimates for table in fs.local_law_144(audited(**DECISION))],
        "impact of scores": lambda: [t.estimates for t in fs.local_law_144(audited(score="points", threshold=4))],
        "tally": lambda: fs.audit(fs.tally(people(), "hired", ["sex", "race"], outcome="good")).estimates,
        "tally withheld": lambda: fs.audit(fs.tally(people(), "hired", "sex").withhold(min_n=5)).estimates,
    }
    both = ["sex", "race"]
    for metric in ("selection rate", "TPR", "FPR", "PPV"):
        cases[f"subgroups {metric}"] = lambda m=metric: (
            fs.subgroups(
                people(), groups=both, metric=m, smallest=4, **(DECISION if m == "selection rate" else BOTH)
            ).estimates
        )
    cases["subgroups with tolerance"] = lambda: (
        fs.subgroups(
            people(), "hired", [*both, "dept"], depth=3, smallest=6, tolerance=0.1, conf_level=0.9, fdr=0.2, adjust="by"
        ).estimates
    )
    cases["subgroups by"] = lambda: fs.subgroups(gaps(), "hired", both, smallest=3, missing="drop").estimates
    return cases


def beside_the_rows(audit: fs.Audit) -> dict[str, Any]:
    """What an audit holds beside its rows: curves, counts, who was left out, whom groups are compared with."""
    return {name: getattr(audit, name) for name in ("curves", "cells", "flow", "references", "protocol")}


def several() -> Cases:
    """Several attributes, declared comparisons, what is withheld and missing at once; and what stands beside rows."""
    cases: Cases = {}
    kept: dict[str, dict[str, Any]] = {
        "score": QUESTIONS["score"],
        "points": {**QUESTIONS["points"], "min_n": 4},
        "all": {**QUESTIONS["all"], "missing": "drop"},
        "threshold alone": QUESTIONS["threshold alone"],
        "drawn": {**QUESTIONS["threshold"], **DESIGNS["drawn"]},
        "clusters": {**QUESTIONS["score"], **DESIGNS["clusters"]},
        "withheld": {**QUESTIONS["all"], "min_n": 9},
    }
    for name, options in kept.items():
        cases[f"beside the rows of {name}"] = lambda o=options: beside_the_rows(audited(gaps(), **o))
    for adjust in choices.ADJUSTMENTS:
        options = {**DECISION, "groups": "race", "adjust": adjust, "equivalence": 0.4}
        cases[f"two groups declared, {adjust}"] = lambda o=options: audited(
            reference="x", focus=("race", "y", "z"), **o
        ).estimates.only(role="focus")
    cases["gaps in both"] = lambda: audited(gaps(), **BOTH, conf_level=0.9).estimates
    cases["gaps in both, drawn"] = lambda: audited(gaps(), **DECISION, **DESIGNS["drawn"]).estimates
    cases["gaps of strata"] = lambda: audited(gaps(), outcome="good", groups="sex", strata=["race", "dept"]).estimates
    cases["references of each"] = lambda: audited(**DECISION, reference={"race": "y", "sex": "m"}).estimates
    cases["times of few"] = lambda: audited(**QUESTIONS["all"], **DESIGNS["times"], min_n=23).estimates
    cases["drawn of few"] = lambda: audited(**QUESTIONS["score"], **DESIGNS["drawn"], min_n=12).estimates
    for name in ("both", "score", "all"):
        cases[f"tally withheld of {name}"] = lambda q=QUESTIONS[name]: (
            fs.audit(
                fs.tally(gaps(), groups=["sex", "race"], **q).withhold(3), groups="sex", equivalence=0.9, **q
            ).estimates
        )
    cases["change of groups"] = lambda: (
        fs.change(
            *(audited(part.reset_index(drop=True), **DECISION) for part in (people().iloc[:60], people().iloc[60:])),
            adjust="bh",
        ).estimates
    )
    cases["subgroups of three"] = lambda: (
        fs.subgroups(
            people(), "hired", ["sex", "race", "dept"], outcome="good", metric="accuracy", depth=3, smallest=5
        ).estimates
    )
    return cases


CASES: Cases = plain_audits() | designed() | made_of_audits() | several()
