"""Published numbers on real tables."""

from __future__ import annotations

import pandas as pd
import pytest

from fairstats.auditing.audit import audit
from fairstats.data.datasets import arrests


def compas(shared) -> pd.DataFrame:
    """ProPublica's file; two of its columns come twice."""
    data = pd.read_csv(shared / "data" / "compas-scores-two-years.csv")
    return data[["race", "sex", "two_year_recid", "decile_score", "age_cat"]]


def test_propublica_error_rates_by_race(shared):
    """Larson, Mattu, Kirchner & Angwin (2016), How We Analyzed the COMPAS Recidivism Algorithm."""
    rows = audit(
        compas(shared),
        outcome="two_year_recid",
        score="decile_score",
        threshold=5,
        favorable=0,
        groups="race",
        reference="Caucasian",
    ).estimates.where(contrast="none", role="main")
    published = {
        ("FPR", "African-American"): 44.85,
        ("FPR", "Caucasian"): 23.45,
        ("FNR", "African-American"): 27.99,
        ("FNR", "Caucasian"): 47.72,
        ("PPV", "African-American"): 62.97,
        ("PPV", "Caucasian"): 59.13,
    }
    for (metric, group), value in published.items():
        assert round(100 * rows.where(metric=metric, group=group)[0].estimate, 2) == value


def test_the_arrests_table_gives_the_published_key_finding():
    result = audit(arrests(), decision="released", favorable="Yes", groups="colour")
    assert result.finding() == (
        "Black people had `released = Yes` less often than White people: 74.1% against 85.8%, a gap of 11.7 percentage "
        "points (95% confidence interval 9.1 to 14.3). Disparity shown. At the rate of White people, 150 more Black "
        "people would have had `released = Yes` (arithmetic only)."
    )


def test_a_path_gives_the_same_estimates_as_a_frame(tmp_path):
    arrests().to_csv(tmp_path / "arrests.csv", index=False)
    arguments = {"decision": "released", "favorable": "Yes", "groups": ["colour", "sex"]}
    read = audit(tmp_path / "arrests.csv", **arguments)
    assert read.estimates == audit(arrests(), **arguments).estimates
    assert read.data.name == "arrests.csv"
    assert len(read.data.sha256) == 64
    assert read.provenance.call == (
        "fairstats.audit('arrests.csv', decision='released', groups=['colour', 'sex'], favorable='Yes')"
    )


@pytest.mark.parametrize("library", ["polars", "pyarrow", "dict"])
def test_every_kind_of_table_gives_the_same_estimates(library):
    frame = arrests()
    tables = {
        "polars": lambda: pytest.importorskip("polars").DataFrame(frame.to_dict("list")),
        "pyarrow": lambda: pytest.importorskip("pyarrow").table(frame.to_dict("list")),
        "dict": lambda: frame.to_dict("list"),
    }
    arguments = {"decision": "released", "favorable": "Yes", "groups": "colour"}
    assert audit(tables[library](), **arguments).estimates == audit(frame, **arguments).estimates


def test_income_in_adult_by_sex(shared):
    """A decision column of text; shares counted by hand with pandas."""
    data = pd.read_csv(shared / "data" / "fairml_adult.csv")
    rows = audit(data, decision="income", favorable=">50K", groups=["sex", "race"]).estimates
    for sex, part in data.groupby("sex"):
        row = rows.where(attribute="sex", group=sex, contrast="none")[0]
        assert row.estimate == pytest.approx((part["income"] == ">50K").mean(), abs=1e-15)
    gap = rows.where(attribute="sex", contrast="difference")[0]
    assert (gap.group, gap.reference, gap.verdict) == ("Female", "Male", "disparity shown")


def test_law_school_logical_outcome_and_score_threshold(shared):
    data = pd.read_csv(shared / "data" / "fairml_law_school_admissions.csv")
    result = audit(data, outcome="bar", score="lsat", threshold=36, groups="race1", reference="white")
    assert result.protocol.positive == "True"
    black = data[data["race1"] == "black"]
    row = result.estimates.where(metric="TPR", group="black", contrast="none")[0]
    assert row.n == int(black["bar"].sum())
    assert row.events == int((black["lsat"] >= 36)[black["bar"]].sum())


def test_german_credit_outcome_alone_is_audited_by_its_base_rate(shared):
    data = pd.read_csv(shared / "data" / "fairml_german_credit.csv")
    result = audit(data, outcome="Credit_risk", positive="GOOD", groups="Gender")
    rows = result.estimates.where(contrast="difference", role="main")
    assert rows.column("metric") == ["base rate"]
    assert rows[0].verdict == "disparity shown"
    assert result.finding().startswith("Men had `Credit_risk = GOOD` less often than women: ")
