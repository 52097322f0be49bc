"""Adjustment within the declared family: equal to R's p.adjust, Dunnett's critical values, error rates kept."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy.special import ndtr, ndtri

from fairstats.auditing.audit import audit
from fairstats.auditing.effective_counts import Evidence
from fairstats.auditing.protocol import Protocol
from fairstats.auditing.rows.rates import contrasts
from fairstats.inference.decisions import decided
from fairstats.inference.families import Family, adjusted_levels_and_p


@pytest.mark.parametrize(("adjust", "name"), [("holm", "holm"), ("bh", "fdr_bh"), ("bonferroni", "bonferroni")])
def test_adjusted_p_equal_those_of_statsmodels(rng, adjust, name):
    from statsmodels.stats.multitest import multipletests

    data = pd.DataFrame({"g": rng.choice(list("abcde"), 500), "d": rng.integers(0, 2, 500)})
    rows = audit(data, decision="d", groups="g", adjust=adjust).estimates.where(contrast="difference", role="main")
    rows = rows.where(metric="selection rate")
    assert rows.column("p_adjusted") == pytest.approx(multipletests(rows.column("p_value"), method=name)[1])


@pytest.mark.parametrize("groups", [2, 5])
def test_max_t_has_dunnetts_critical_value(groups):
    """Coverage of the critical value by his integral: given the reference's noise the comparisons are independent."""
    levels = {
        level for level, _ in adjusted_levels_and_p([0.3] * groups, Family(adjust="max-t"), [100.0] * groups, 100.0)
    }
    assert len(levels) == 1
    reach = -ndtri((1 - levels.pop()) / 2) * np.sqrt(2)
    noise = np.linspace(-8, 8, 4001)
    density = np.exp(-(noise**2) / 2) / np.sqrt(2 * np.pi)
    covered = np.trapezoid(density * (ndtr(noise + reach) - ndtr(noise - reach)) ** groups, noise)
    assert covered == pytest.approx(0.95, abs=0.004)  # two standard errors of 10 000 draws


def test_max_t_is_between_no_adjustment_and_bonferroni(rng):
    data = pd.DataFrame({"g": rng.choice(list("abcde"), 500), "d": rng.integers(0, 2, 500)})
    none, joint, strict = (
        audit(data, decision="d", groups="g", adjust=how).estimates.where(
            contrast="difference", role="main", metric="selection rate"
        )
        for how in ("none", "max-t", "bonferroni")
    )
    for a, b, c in zip(none, joint, strict, strict=True):
        assert a.conf_level < b.conf_level < c.conf_level
        assert b.p_adjusted <= c.p_adjusted + 0.02
        assert a.conf_high <= b.conf_high <= c.conf_high


@pytest.mark.parametrize("adjust", ["holm", "max-t"])
def test_any_false_disparity_is_claimed_in_about_five_percent_of_samples(adjust):
    rng = np.random.default_rng(17)
    n = np.array([400.0, 200.0, 150.0, 120.0, 100.0])
    protocol, labels, false = Protocol(("g",), adjust=adjust), tuple("abcde"), 0
    for _ in range(200):
        part = Evidence("FPR", rng.binomial(n.astype(int), 0.4).astype(float), n, n, n, True, "")
        false += bool(decided(contrasts(part, "g", labels, "a", protocol)).where(verdict="disparity shown"))
    assert false <= 20  # 10 expected, three standard errors


def test_max_t_is_seeded_and_takes_scores_and_weights(rng):
    data = pd.DataFrame({"g": rng.choice(list("abc"), 300), "d": rng.integers(0, 2, 300), "s": rng.random(300)})
    data["w"] = rng.random(300)
    arguments = {"decision": "d", "groups": "g", "adjust": "max-t", "seed": 3}
    assert audit(data, score="s", **arguments).estimates == audit(data, score="s", **arguments).estimates
    weighted = audit(data, weights="w", weight_type="probability", **arguments).estimates
    assert not np.isnan(weighted.where(contrast="difference", role="main", metric="selection rate")[0].p_adjusted)


def test_max_t_of_groups_in_too_few_clusters_has_nothing_to_adjust(rng):
    clusters = np.r_[np.arange(80) % 8, np.arange(40) % 2 + 10, np.arange(40) % 3 + 20]
    data = {"g": np.repeat(["a", "b", "c"], [80, 40, 40]), "d": rng.integers(0, 2, 160), "c": clusters}
    data["w"] = rng.uniform(0.5, 2, 160)
    asked = {"weights": "w", "weight_type": "probability", "clusters": "c", "adjust": "max-t"}
    made = audit(data, "d", "g", **asked).estimates.where(contrast="difference", metric="selection rate")
    assert {row.reason for row in made if row.group} == {"fewer than four clusters in a group"}
    assert all(np.isnan(row.p_adjusted) for row in made)


def test_the_summary_names_the_method():
    data = {"g": list("aabbcc") * 5, "d": [0, 1] * 15}
    text = audit(data, decision="d", groups="g", adjust="max-t").summary()
    assert "adjusted by single-step max-t" in " ".join(text.split())


def test_a_rule_of_one_attribute_has_its_own_family_whatever_the_others_have() -> None:
    """Against the highest rate all pairs are the family, also where only one attribute has that rule."""
    rng = np.random.default_rng(11)
    people = {"g": rng.choice(list("abcd"), 400), "s": rng.choice(["f", "m"], 400)}
    people["d"] = rng.random(400) < np.where(people["g"] == "a", 0.65, 0.5)
    every = audit(people, decision="d", favorable=True, groups=["g", "s"], reference="highest_rate")
    one = audit(people, decision="d", favorable=True, groups=["g", "s"], reference={"g": "highest_rate"})
    asked = {"attribute": "g", "metric": "selection rate", "contrast": "difference", "role": "main"}
    assert one.estimates.where(**asked).to_records() == every.estimates.where(**asked).to_records()
    plain = audit(people, decision="d", favorable=True, groups=["g", "s"])
    other = {**asked, "attribute": "s"}
    assert one.estimates.where(**other).to_records() == plain.estimates.where(**other).to_records()
    assert "of g by Bonferroni over all pairs of groups" in " ".join(one.summary().split())
