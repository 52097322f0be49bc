"""Which rows are one question, and the families of a whole audit under one error rate."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from fairstats.auditing.audit import audit
from fairstats.errors import InputError
from fairstats.estimates import Estimate
from fairstats.inference.multiplicity import decided_families, p_adjust, question_of


def people(rng, n=600):
    data = {"a": rng.choice(list("xyz"), n), "b": rng.choice(list("pq"), n)}
    data |= {"d": (rng.random(n) < np.where(data["b"] == "p", 0.7, 0.4)).astype(int), "y": rng.integers(0, 2, n)}
    return pd.DataFrame(data)


@pytest.mark.long
@pytest.mark.parametrize("rule", ["bonferroni", "holm", "bh"])
def test_an_audit_that_is_one_family_counts_every_question_once(rng, rule):
    """A rate and its complement are one question: their differences have one test."""
    arguments = {"decision": "d", "groups": ["a", "b"], "outcome": "y", "p_adjust": rule, "family": "audit"}
    estimates = audit(people(rng), **arguments).estimates
    rows = [row for family in decided_families(estimates).values() for row in family]
    assert len(rows) == 6 * (2 + 1 + 5)  # six rates of a, b and a:b
    assert [r.p_adjusted for r in rows] == pytest.approx(p_adjust([r.p_value for r in rows], rule), rel=1e-6)
    for row in estimates.where(contrast="difference", role="main"):
        if row.verdict and rule != "holm":
            assert (row.p_adjusted <= 0.05) == (row.conf_low > 0 or row.conf_high < 0)


def test_strata_rows_and_scores_are_families_too(rng):
    data = people(rng).assign(s=lambda t: rng.random(len(t)), f=rng.choice(list("kl"), 600))
    result = decided_families(audit(data, "d", "b", score="s", strata="f", family="audit").estimates)
    named = {("b", "selection rate", ""), ("b", "risk difference within strata", "f"), ("b", "P(X>Y)", "")}
    assert set(result) >= named
    rows = [row for family in result.values() for row in family]
    assert {row.conf_level for row in rows} == {1 - 0.05 / len(rows)}


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({"p_adjust": "none"}, "family has 'audit' and p_adjust has 'none'"),
        ({"p_adjust": "bh", "reference": "highest_rate"}, "reference has 'highest_rate'"),
        ({"family": "study"}, "family has 'study'; .* rate, audit"),
    ],
)
def test_what_no_rule_can_hold_over_an_audit_is_refused(rng, arguments, text):
    with pytest.raises(InputError, match=text):
        audit(people(rng), "d", "a", **({"family": "audit"} | arguments))


def test_a_complement_is_no_further_question():
    assert question_of(Estimate("FNR", "g")) == question_of(Estimate("TPR", "g")) != question_of(Estimate("FPR", "g"))
