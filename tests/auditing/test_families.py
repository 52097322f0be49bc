"""Adjustment within the declared family: equal to R's p.adjust, error rates kept."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from fairstats.auditing.audit import audit
from fairstats.auditing.counts import Evidence
from fairstats.auditing.protocol import Protocol
from fairstats.auditing.rates import contrasts
from fairstats.errors import InputError
from fairstats.inference.verdicts import decided


@pytest.mark.long
@pytest.mark.parametrize(("p_adjust", "name"), [("holm", "holm"), ("bh", "fdr_bh"), ("bonferroni", "bonferroni")])
def test_adjusted_p_equal_those_of_statsmodels(rng, p_adjust, name):
    from statsmodels.stats.multitest import multipletests

    data = pd.DataFrame({"g": rng.choice(list("abcde"), 500), "d": rng.integers(0, 2, 500)})
    rows = audit(data, decision="d", groups="g", p_adjust=p_adjust).estimates.where(contrast="difference", role="main")
    rows = rows.where(metric="selection rate")
    assert rows.column("p_adjusted") == pytest.approx(multipletests(rows.column("p_value"), method=name)[1])


@pytest.mark.long
@pytest.mark.parametrize("p_adjust", ["holm", "bonferroni"])
def test_any_false_disparity_is_claimed_in_about_five_percent_of_samples(p_adjust):
    rng = np.random.default_rng(17)
    n = np.array([400.0, 200.0, 150.0, 120.0, 100.0])
    protocol, labels, false = Protocol(("g",), p_adjust=p_adjust), tuple("abcde"), 0
    for _ in range(200):
        part = Evidence("FPR", rng.binomial(n.astype(int), 0.4).astype(float), n, n, n, True, "")
        false += bool(decided(contrasts(part, "g", labels, "a", protocol)).where(verdict="disparity shown"))
    assert false <= 20  # 10 expected, three standard errors


def test_max_t_is_refused_with_what_holds_instead(rng):
    with pytest.raises(InputError, match=r"p_adjust has 'max-t'; .* pass p_adjust='bonferroni'"):
        audit({"g": list("aabb") * 5, "d": [0, 1] * 10}, decision="d", groups="g", p_adjust="max-t")


@pytest.mark.long
@pytest.mark.parametrize("people", [(2000, 2000, 8, 8, 8, 8, 8), (500, 300, 20, 20, 20, 20)])
def test_one_real_difference_makes_no_other_one_likelier(people):
    """Where labels of all groups were exchanged (max-t), a third of such samples had a false claim."""
    rng, n = np.random.default_rng(4), np.array(people, dtype=float)
    rates = np.where(np.arange(n.size) == 1, 0.5, 0.01)
    labels = tuple(f"g{i}" for i in range(n.size))
    false = 0
    for _ in range(150):
        part = Evidence("FPR", rng.binomial(people, rates).astype(float), n, n, n, True, "")
        rows = decided(contrasts(part, "g", labels, "g0", Protocol(("g",)))).where(verdict="disparity shown")
        false += any(row.group != "g1" for row in rows)
    assert false <= 150 * 0.05 + 3 * np.sqrt(150 * 0.05 * 0.95)


def test_against_the_highest_rate_all_pairs_of_that_attribute_are_of_the_family() -> None:
    """Also where only one attribute has that rule; those of the others count as they are."""
    rng = np.random.default_rng(11)
    people = {"g": rng.choice(list("abcd"), 400), "s": rng.choice(["f", "m"], 400)}
    people["d"] = rng.random(400) < np.where(people["g"] == "a", 0.65, 0.5)
    every = audit(people, decision="d", favorable=True, groups=["g", "s"], reference="highest_rate")
    one = audit(people, decision="d", favorable=True, groups=["g", "s"], reference={"g": "highest_rate"})
    arguments = {"attribute": "g", "metric": "selection rate", "contrast": "difference", "role": "main"}
    assert one.estimates.where(**arguments).to_records() == every.estimates.where(**arguments).to_records()
    rows = one.estimates.where(metric="selection rate", contrast="difference", role="main", attribute=["g", "s"])
    assert rows.column("conf_level") == pytest.approx([1 - 0.05 / (6 + 1)] * 4)
    assert "of g by Bonferroni over all pairs of groups" in " ".join(one.summary().split())


def test_one_pair_has_one_adjusted_p_as_difference_and_as_impact_ratio():
    """Among four attributes the difference was inconclusive (.111), the ratio of the same rates shown (.028)."""
    rng = np.random.default_rng(11)
    people = pd.DataFrame({"vet": ["y"] * 138 + ["n"] * 1362, "h": [1] * 49 + [0] * 89 + [1] * 364 + [0] * 998})
    for k in range(3):
        people[f"x{k}"] = rng.choice(list("ab"), 1500)
    rows = audit(people, "h", ["vet", "x0", "x1", "x2"], reference="highest_rate").estimates
    for name in ("vet", "x0", "x1", "x2"):
        (gap,) = rows.where(metric="selection rate", attribute=name, role="main", contrast="difference")
        (ratio,) = rows.where(metric="impact ratio", attribute=name, role="main")
        alone = audit(people, "h", name).estimates.where(metric="impact ratio", role="main")[0]
        assert ratio.p_adjusted == pytest.approx(min(1, 4 * alone.p_adjusted))
        assert (ratio.p_adjusted, ratio.conf_level) == pytest.approx((gap.p_adjusted, gap.conf_level))
        assert (ratio.conf_high < 1) == (ratio.p_adjusted <= 0.05) == ("beyond chance" in ratio.reason)
