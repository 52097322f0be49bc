"""What audits, tallies, subgroups, changes and tables say of themselves, and what they write."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

import fairstats as fs
from fairstats.methods.registry import METHODS
from tests.pinned.audits import BOTH, DECISION, DESIGNS, QUESTIONS, audited, halves
from tests.pinned.people import gaps, people
from tests.pinned.reading import Cases

GROUPS = ["sex", "race"]
ELSEWHERE = {"estimates", "provenance"}  # pinned as rows, or of the day


@cache
def results() -> dict[str, Any]:
    """Results by name, small and of every kind that an audit can be made of or into."""
    one = people().iloc[[0, 0, 0]].reset_index(drop=True)
    return {
        "tally": fs.tally(people(), "hired", GROUPS, outcome="good"),
        "tally of scores": fs.tally(gaps(), None, "sex", outcome="good", score="score"),
        "tally of one cell": fs.tally(one, "hired", "sex"),
        "tally with all": fs.tally(
            people(), "hired", "race", outcome="good", strata="dept", weights="weight", clusters="court"
        ),
        "tally withheld": fs.tally(people(), "hired", GROUPS, outcome="good").withhold(min_n=6),
        "audit": audited(**BOTH, min_n=12),
        "audit of all": audited(gaps(), **QUESTIONS["all"], groups="race", strata="dept", equivalence=0.3),
        "audit of drawn clusters": audited(**DECISION, **DESIGNS["drawn clusters"], groups="sex"),
        "subgroups": fs.subgroups(people(), "hired", [*GROUPS, "dept"], depth=3, smallest=4, fdr=0.3, tolerance=0.1),
        "subgroups of few": fs.subgroups(people().head(40), "hired", GROUPS, smallest=15),
        "subgroups of a tally": fs.subgroups(
            fs.tally(people(), "hired", GROUPS, outcome="good"),
            "hired",
            GROUPS,
            outcome="good",
            metric="TPR",
            smallest=3,
        ),
        "change": fs.change(*halves()),
        "bootstrap": audited(**BOTH, groups="sex").bootstrap(replicates=40),
        "impact table": fs.local_law_144(audited(**DECISION))[0],
        "impact table of both": fs.local_law_144(audited(**DECISION))[-1],
    }


NAMES = (
    *("tally", "tally of scores", "tally of one cell", "tally with all", "tally withheld", "audit", "audit of all"),
    *("audit of drawn clusters", "subgroups", "subgroups of few", "subgroups of a tally", "change", "bootstrap"),
    *("impact table", "impact table of both"),
)


def told(name: str) -> dict[str, Any]:
    """Short form, long form, one row, and everything as plain values."""
    result = results()[name]
    found: dict[str, Any] = {"repr": repr(result), "str": str(result), "html": result._repr_html_()}
    if hasattr(result, "glance"):
        found["glance"] = result.glance()
    if hasattr(result, "to_dict"):
        found["plain"] = {key: value for key, value in result.to_dict().items() if key not in ELSEWHERE}
    return found


def moved() -> fs.Audit:
    """Rows in another order, groups by name, weights that count some people twice and some not at all."""
    rows = people().iloc[np.random.default_rng(1).permutation(len(people()))]
    return audited(rows.assign(times=rows["times"] - 1), **BOTH, weights="times", reference={"race": "z", "sex": "m"})


CASES: Cases = {
    **{f"{name} told": lambda name=name: told(name) for name in NAMES},
    "audit of rows in another order": lambda: moved().estimates,
    "rows of the registry": lambda: {
        name: {**vars(method), "variants": repr(method.variants), "needs": repr(method.needs)}
        for name, method in METHODS.items()
    },
}
