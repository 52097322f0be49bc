"""The page that says which statistic can be estimated under which weights and designs is true."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from fairstats.auditing.audit import audit
from fairstats.auditing.result import Audit

PAGE = Path(__file__).parents[2] / "docs" / "estimable.md"
DESIGNS = {
    "people": {},
    "frequency weights": {"weights": "w"},
    "probability weights": {"weights": "p", "weight_type": "probability"},
    "clusters": {"clusters": "c"},
    "a survey's design": {"design": {"weights": "p", "strata": "h", "clusters": "c"}},
}
# statistic: how its rows are found
STATISTICS = {
    "rates with Wilson intervals": {"metric": "FPR", "contrast": "none", "role": "main"},
    "differences of rates": {"metric": "FPR", "contrast": "difference", "role": "main"},
    "ratios of rates": {"metric": "FPR", "contrast": "ratio", "role": "main"},
    "all groups at once (omnibus)": {"metric": "FPR", "role": "omnibus", "contrast": "none"},
    "largest difference, worst ratio, equalized odds difference": {
        "role": "omnibus",
        "contrast": ("difference", "ratio"),
    },
    "impact ratio with shortfall and one selection more": {"metric": ("impact ratio", "shortfall")},
    "bounds for missing groups and outcomes": {"role": "bounds", "given": "missing groups"},
    "minimal detectable difference": {"role": "power"},
    "common odds ratio within strata": {"metric": "common odds ratio"},
    "risk difference within strata, standardized difference": {
        "metric": ("risk difference within strata", "standardized difference")
    },
    "risk ratio within strata, conditional odds ratio, shortfall in people": {
        "metric": ("risk ratio within strata", "conditional odds ratio", "shortfall in people")
    },
    "E-value, Rosenbaum bound": {"metric": ("E-value", "Rosenbaum bound")},
    "P(X>Y), AUC and its differences, test of equal distributions": {
        "metric": ("P(X>Y)", "AUC", "score distribution"),
        "role": ("main", "omnibus"),
    },
    "P(X>Y) within strata": {"metric": "P(X>Y) within strata"},
    "shift of the scores": {"metric": "score shift", "role": "main"},
    "shift of the scores and test of equal distributions within strata": {
        "metric": ("score shift within strata", "score distribution within strata")
    },
    "calibration": {"metric": ("Brier score", "calibration intercept", "calibration slope")},
    "threshold sweep": {"given": "threshold 0.5"},
}
WORDS = {True: "yes", False: "no"}


ARGUMENTS = {"outcome": "y", "score": "s", "threshold": 0.5, "groups": "g", "strata": "z"}
WEIGHTED = DESIGNS["probability weights"]


@pytest.fixture(scope="module")
def data() -> pd.DataFrame:
    """Some people of three groups."""
    rng = np.random.default_rng(1)
    n = 900
    score = np.round(rng.uniform(0.1, 0.9, n), 1)
    return pd.DataFrame(
        {
            "g": rng.choice(["a", "b", "c", None], n, p=[0.4, 0.3, 0.25, 0.05]),
            "y": (rng.random(n) < score).astype(int),
            "s": score,
            "w": rng.integers(1, 4, n),
            "p": rng.gamma(2.0, 5.0, n),
            "c": rng.integers(0, 60, n),
            "z": rng.choice(["x", "y"], n),
        }
    ).assign(h=lambda people: people["c"] % 10)


@pytest.fixture(scope="module")
def audits(data: pd.DataFrame) -> dict[str, Audit]:
    """The same people audited under every design."""
    return {name: audit(data, **ARGUMENTS, **design) for name, design in DESIGNS.items()}


def estimable(result: Audit, statistic: str) -> bool:
    """Whether the audit has such rows and all of them are estimated."""
    rows = result.estimates.only(**STATISTICS[statistic])
    return bool(rows) and all(row.status == "ok" for row in rows)


def page() -> dict[str, list[str]]:
    """The table of the page: statistic to one word a design."""
    lines = [line.strip("| ").split("|") for line in PAGE.read_text(encoding="utf-8").splitlines() if line[:1] == "|"]
    cells = [[cell.strip() for cell in line] for line in lines]
    assert cells[0][1:] == list(DESIGNS)
    return {row[0]: row[1:] for row in cells[2:]}


@pytest.mark.long
@pytest.mark.parametrize("statistic", STATISTICS)
def test_the_page_says_what_an_audit_does(audits, statistic):
    assert page()[statistic] == [WORDS[estimable(result, statistic)] for result in audits.values()]


def test_the_page_lists_every_statistic_once():
    assert list(page()) == list(STATISTICS)


@pytest.mark.long
def test_what_is_not_estimated_says_why_or_is_absent(audits):
    for result in audits.values():
        assert all(row.reason for row in result.estimates if row.status == "unestimable")


# What a row of weighted or clustered people may say it was made by; anything else needs independent people.
BY_DESIGN = {
    "Wilson score interval on the effective size, t",
    "Miettinen-Nurminen interval; Rao-Scott score test on effective sizes, t",
    "Koopman interval; Rao-Scott score test on effective sizes, t",
    "approximate Hotelling test on effective sizes, F",
    "simultaneous Miettinen-Nurminen intervals on effective sizes, t (Bonferroni, all pairs)",
    "simultaneous Koopman intervals on effective sizes, t (Bonferroni, all pairs)",
    "linearized, logit, t",
    "linearized by cluster (jackknife), logit, t",
    "variance of the survey's design, logit, t",
    "Korn-Graubard interval of few effective events, t",
    "design-based rank test, t",
    "design-based rank test, approximate Hotelling, F",
    "limits of the two areas combined (MOVER; linearized, logit, t)",
    "worst cases over what is missing (Manski); without sampling error",
}


@pytest.mark.long
@pytest.mark.parametrize("design", ["probability weights", "clusters", "both", "a survey's design"])
def test_no_number_of_weighted_or_clustered_people_comes_from_a_method_for_independent_ones(audits, data, design):
    result = audits[design] if design in audits else audit(data, **ARGUMENTS, **DESIGNS["clusters"], **WEIGHTED)
    members = {
        row.method for row in result.estimates if row.status == "ok" and row.metric != "common strata"
    }  # a count
    others = {
        method for method in members - BY_DESIGN if not method.endswith(("t", "on effective sizes", "effective counts"))
    }
    assert others == {"power 0.8 of the pooled z-test on effective sizes, at 0.983333"}
    assert all("linearized" in m or "survey's design" in m for m in members - BY_DESIGN if m.endswith("t"))
    for row in result.estimates:
        if row.status != "ok":
            assert row.reason and np.isnan([row.estimate, row.p_value, row.conf_low, row.std_error]).all()
    if design != "clusters":  # weighted people are not drawn as if each were one
        assert result.curves == ()
