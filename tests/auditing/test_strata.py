"""Comparisons given legitimate factors: Berkeley's admissions as published, and laws."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from fairstats.auditing.audit import audit

# Bickel, Hammel & O'Connell (1975), Science 187: men admitted and rejected, women admitted and rejected
BERKELEY = {
    "A": (512, 313, 89, 19),
    "B": (353, 207, 17, 8),
    "C": (120, 205, 202, 391),
    "D": (138, 279, 131, 244),
    "E": (53, 138, 94, 299),
    "F": (22, 351, 24, 317),
}


def berkeley() -> pd.DataFrame:
    """One row a cell, with its count as frequency weight."""
    rows = []
    for dept, counts in BERKELEY.items():
        cells = [("m", 1), ("m", 0), ("f", 1), ("f", 0)]
        rows += [(dept, sex, d, n) for (sex, d), n in zip(cells, counts, strict=True)]
    return pd.DataFrame(rows, columns=["dept", "sex", "admitted", "n"])


def applicants() -> pd.DataFrame:
    """The same, one row a person."""
    data = berkeley()
    return data.loc[data.index.repeat(data["n"])].drop(columns="n")


def test_the_difference_vanishes_within_departments():
    rows = audit(applicants(), decision="admitted", groups="sex", strata="dept").estimates
    crude = rows.where(metric="selection rate", contrast="difference", role="main")[0]
    assert (round(100 * crude.estimate, 1), crude.verdict) == (-14.2, "disparity shown")
    odds = rows.where(metric="common odds ratio")[0]
    # R: mantelhaen.test(UCBAdmissions, correct = FALSE): 0.9046968 for men over women, X-squared = 1.5246
    assert odds.estimate == pytest.approx(1 / 0.9046968, rel=1e-6)
    assert odds.statistic == pytest.approx(1.5246, abs=5e-5)
    effect = rows.where(metric="average marginal effect")[0]
    assert abs(effect.estimate) < 0.03
    assert effect.verdict == "inconclusive"
    homogeneity = rows.where(metric="homogeneity of odds ratios")[0]
    assert homogeneity.p_value < 0.01  # department A treats women better


def test_the_adjusted_odds_ratio_is_the_logistic_regression_of_statsmodels():
    import statsmodels.formula.api as smf

    data = applicants()
    fit = smf.logit("admitted ~ C(sex, Treatment('m')) + C(dept)", data).fit(disp=False)
    row = audit(data, decision="admitted", groups="sex", strata="dept").estimates.where(metric="adjusted odds ratio")[0]
    assert row.estimate == pytest.approx(np.exp(fit.params.iloc[1]), rel=1e-6)
    assert row.p_value == pytest.approx(fit.pvalues.iloc[1], rel=1e-5)


def test_frequency_weights_equal_people():
    one = audit(applicants(), decision="admitted", groups="sex", strata="dept", reference="m").estimates
    two = audit(berkeley(), decision="admitted", groups="sex", strata="dept", weights="n", reference="m").estimates
    for metric in ("common odds ratio", "adjusted odds ratio", "average marginal effect"):
        left, right = (rows.where(metric=metric)[0] for rows in (one, two))
        assert (left.estimate, left.std_error) == pytest.approx((right.estimate, right.std_error), rel=1e-8)


def test_a_margin_makes_the_adjusted_difference_an_equivalence_claim():
    rows = audit(applicants(), decision="admitted", groups="sex", strata="dept", equivalence=0.05).estimates
    assert rows.where(metric="average marginal effect")[0].verdict == "equivalence shown"


def test_the_finding_and_the_claims_say_what_remains_given_the_strata():
    result = audit(applicants(), decision="admitted", groups="sex", strata="dept")
    assert "Given dept, the adjusted difference is 1.9 points more" in result.finding()
    assert result.claims().column("metric") == ["selection rate", "average marginal effect"]


def test_strata_with_one_group_say_so_and_contribute_nothing():
    extra = pd.DataFrame({"dept": ["G"] * 30, "sex": ["m"] * 30, "admitted": [0, 1] * 15})
    data = applicants()
    more = pd.concat([data, extra])
    one, two = (audit(d, decision="admitted", groups="sex", strata="dept").estimates for d in (data, more))
    left, right = (rows.where(metric="common odds ratio")[0] for rows in (one, two))
    assert right.estimate == pytest.approx(left.estimate, rel=1e-12)
    assert "1 of 7 strata say nothing" in right.reason


def test_a_stratum_that_admits_nobody_does_not_break_the_regression():
    extra = pd.DataFrame({"dept": ["G"] * 30, "sex": ["m", "f"] * 15, "admitted": [0] * 30})
    rows = audit(pd.concat([applicants(), extra]), decision="admitted", groups="sex", strata="dept").estimates
    plain = audit(applicants(), decision="admitted", groups="sex", strata="dept").estimates
    left, right = (r.where(metric="adjusted odds ratio")[0] for r in (rows, plain))
    assert left.status == "ok"
    assert left.estimate == pytest.approx(right.estimate, rel=1e-8)


def test_clusters_make_the_regression_cluster_robust_and_refuse_the_exact_strata(rng):
    data = applicants().assign(office=lambda d: rng.integers(0, 40, len(d)))
    rows = audit(data, decision="admitted", groups="sex", strata="dept", clusters="office").estimates
    assert "cluster-robust" in rows.where(metric="average marginal effect")[0].method
    assert rows.where(metric="common odds ratio")[0].status == "unestimable"


def test_several_factors_are_crossed():
    data = applicants().assign(year=lambda d: np.arange(len(d)) % 2)
    result = audit(data, decision="admitted", groups="sex", strata=["dept", "year"])
    assert {r.given for r in result.estimates.where(metric="common odds ratio")} == {"dept:year"}
