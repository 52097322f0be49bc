"""Cholesterol in the American survey NHANES equals the numbers that R's survey has for it."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import fairstats as fs
from tests.oracle.r import requires_r, run_r

PRINTED = {
    ("everybody", True): 0.00748,
    ("everybody", False): 0.01023,
    ("adults", True): 0.00919,
    ("adults", False): 0.01222,
}
CODE = """
suppressPackageStartupMessages(library(survey))
data(nhanes, envir = environment())
nhanes$unit <- paste(nhanes$SDMVSTRA, nhanes$SDMVPSU)
nhanes$adults <- nhanes$agecat != "(0,19]"
answer <- function(design, all) {
  known <- subset(design, !is.na(HI_CHOL) & (all | adults))
  by <- svyby(~HI_CHOL, ~RIAGENDR, known, svymean, covmat = TRUE)
  list(gap = unname(coef(by)[2] - coef(by)[1]), error = as.numeric(SE(svycontrast(by, c(-1, 1)))),
    rates = unname(coef(by)), errors = as.numeric(SE(by)),
    rows = as.integer(table(known$variables$RIAGENDR)), df = degf(known))
}
with <- svydesign(id = ~SDMVPSU, strata = ~SDMVSTRA, weights = ~WTMEC2YR, nest = TRUE, data = nhanes)
without <- svydesign(id = ~unit, weights = ~WTMEC2YR, data = nhanes)
list(everybody_TRUE = answer(with, TRUE), everybody_FALSE = answer(without, TRUE),
  adults_TRUE = answer(with, FALSE), adults_FALSE = answer(without, FALSE))
"""


def audited(shared: Path, whose: str, strata: bool) -> fs.Audit:
    """High cholesterol of women less that of men; adults are domains of the whole sample, as in R."""
    d = pd.read_csv(shared / "cases" / "nhanes.csv").rename(columns={"HI_CHOL": "high"})
    d["unit"] = d["SDMVSTRA"].astype(str) + "-" + d["SDMVPSU"].astype(str)
    d["group"] = d["RIAGENDR"].map({1: "men", 2: "women"})
    if whose == "adults":
        d.loc[d["agecat"] == "(0,19]", "group"] += " up to 19"
    if strata:
        design = fs.survey_design(weights="WTMEC2YR", strata="SDMVSTRA", clusters="SDMVPSU", nest=True)
    else:
        design = fs.survey_design(weights="WTMEC2YR", clusters="unit")
    return fs.audit(d, "high", "group", reference="men", design=design)


def numbers(result: fs.Audit) -> tuple[fs.Estimate, list[fs.Estimate]]:
    """The difference of women from men, and the rates of men and women."""
    rows = result.estimates.where(metric="selection rate", role="main")
    (gap,) = rows.where(contrast="difference", group="women")
    rates = [rows.where(contrast="none", group=group)[0] for group in ("men", "women")]
    return gap, rates


@pytest.mark.parametrize(("whose", "strata"), PRINTED)
def test_standard_errors_are_the_printed_ones(shared: Path, whose: str, strata: bool) -> None:
    gap, _ = numbers(audited(shared, whose, strata))
    assert round(gap.std_error, 5) == PRINTED[whose, strata]


@cache
def in_r() -> Any:
    return run_r(CODE)


@pytest.mark.parametrize(("whose", "strata"), PRINTED)
def test_rates_and_errors_are_those_of_survey(shared: Path, whose: str, strata: bool) -> None:
    requires_r("survey")
    gap, rates = numbers(audited(shared, whose, strata))
    r = in_r()[f"{whose}_{str(strata).upper()}"]
    assert gap.estimate == pytest.approx(r["gap"], abs=1e-10) and gap.std_error == pytest.approx(r["error"], abs=1e-10)
    assert [row.estimate for row in rates] == pytest.approx(r["rates"], abs=1e-10)
    assert [row.std_error for row in rates] == pytest.approx(r["errors"], abs=1e-10)


@pytest.mark.parametrize("strata", [True, False])
def test_a_domain_is_a_subset_of_the_design(shared: Path, strata: bool) -> None:
    """By ``domain=`` rates, errors, rows and degrees of freedom are those of ``subset(design, adults)``."""
    requires_r("survey")
    d = pd.read_csv(shared / "cases" / "nhanes.csv").rename(columns={"HI_CHOL": "high"})
    d["adults"] = d["agecat"] != "(0,19]"
    d["unit"] = d["SDMVSTRA"].astype(str) + "-" + d["SDMVPSU"].astype(str)
    d["group"] = d["RIAGENDR"].map({1: "men", 2: "women"})
    how = {"strata": "SDMVSTRA", "clusters": "SDMVPSU", "nest": True} if strata else {"clusters": "unit"}
    design = fs.survey_design(weights="WTMEC2YR", domain="adults", **how)
    result = fs.audit(d, "high", "group", reference="men", design=design)
    gap, rates = numbers(result)
    r = in_r()[f"adults_{str(strata).upper()}"]
    assert gap.std_error == pytest.approx(r["error"], abs=1e-10)
    assert [row.std_error for row in rates] == pytest.approx(r["errors"], abs=1e-10)
    assert [row.n_unweighted for row in rates] == r["rows"]
    assert any(f"{r['df']:.0f} degrees of freedom" in str(note) for note in result.notes)
    lost = d[d["adults"] & d["high"].isna()]
    assert f"decision missing: {len(lost)}" in " ".join(str(result).split())
