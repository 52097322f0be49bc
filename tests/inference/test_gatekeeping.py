"""The families of one audit under one error rate: against the sequential procedure, Holm's, and in simulation."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from fairstats.auditing.audit import audit
from fairstats.auditing.effective_counts import Evidence
from fairstats.auditing.protocol import Protocol
from fairstats.auditing.rows.rates import contrasts
from fairstats.errors import InputError
from fairstats.estimates import Estimate
from fairstats.inference.decisions import decide_all, decided
from fairstats.inference.families import Family
from fairstats.inference.gatekeeping import across, judged_families, question_of
from fairstats.inference.multiplicity import adjust


def sequentially(families: list[np.ndarray], alpha: float) -> list[np.ndarray]:
    """Which comparisons are rejected, step by step: Holm in each family at its share, shares pass on when all are."""
    done = [np.zeros(p.size, dtype=bool) for p in families]
    while True:
        share = alpha / max(sum(not whole.all() for whole in done), 1)
        now = [old | (p * (p.size - np.arange(p.size)) <= share) for old, p in zip(done, families, strict=True)]
        now = [np.logical_and.accumulate(rejected) for rejected in now]  # Holm stops at the first that it keeps
        if all((a == b).all() for a, b in zip(done, now, strict=True)):
            return done
        done = now


def test_adjusted_p_is_the_smallest_level_at_which_the_procedure_rejects(rng):
    for _ in range(60):
        families = [np.sort(rng.random(size) ** 4) for size in rng.integers(1, 5, rng.integers(2, 5))]
        within = [adjust(p) for p in families]
        largest = [float(p.max()) for p in within]
        found = [across(p, largest[:i] + largest[i + 1 :]) for i, p in enumerate(within)]
        for alpha in (*rng.random(6), *[p for ps in found for p in ps if p < 1]):
            # just above and just below each adjusted p, too
            for level in (alpha * (1 - 1e-9), alpha * (1 + 1e-9)):
                for own, said in zip(sequentially(families, level), found, strict=True):
                    assert [p <= level for p in said] == own.tolist()


def test_one_comparison_a_family_is_holms_procedure(rng):
    p = rng.random(7) ** 2
    found = [across([v], np.delete(p, i))[0] for i, v in enumerate(p)]
    assert found == pytest.approx(adjust(p))


def test_what_cannot_be_tested_stays_absent():
    assert np.isnan(across([float("nan")], [0.1])[0])


@pytest.mark.parametrize("false", ["none", "one a family", "whole families"])
def test_any_false_claim_over_twelve_families_has_a_chance_of_five_percent(false):
    """Three attributes, four rates, three comparisons each; p-values share a reference, and grossly false ones help."""
    rng, draws, count = np.random.default_rng(8), 4000, 0
    from scipy.special import ndtr

    for _ in range(draws):
        shared = rng.standard_normal((12, 1))
        p = 2 * ndtr(-np.abs((rng.standard_normal((12, 3)) + shared) / np.sqrt(2)))
        wrong = np.zeros((12, 3), dtype=bool)
        if false == "one a family":
            wrong[:, 0] = True
        elif false == "whole families":
            wrong[:8] = True
        p[wrong] = 1e-12
        within = [adjust(row) for row in p]
        largest = np.array([row.max() for row in within])
        found = np.array([across(row, np.delete(largest, i)) for i, row in enumerate(within)])
        count += bool((found[~wrong] <= 0.05).any())
    error = np.sqrt(0.05 * 0.95 / draws)
    assert count / draws <= 0.05 + 3 * error
    assert count / draws >= 0.02  # and the level is used


def test_the_audits_own_verdicts_err_together_in_five_percent_of_samples():
    """Three attributes by four rates through the rows of the audit; each rate by itself errs in one of twelve."""
    rng, draws = np.random.default_rng(5), 60
    n = np.array([400.0, 300.0, 200.0])
    alone, together = 0, 0
    protocol = Protocol(("a",), family="audit")
    for _ in range(draws):
        parts = {
            (a, m): Evidence(m, rng.binomial(n.astype(int), 0.4).astype(float), n, n, n, True, "")
            for a in "abc"
            for m in ("TPR", "FPR", "PPV", "NPV")
        }

        undecided = [[contrasts(part, a, ("u", "v", "w"), "u", protocol) for (a, _), part in parts.items()]]
        first = [decided(replace(of, family=Family())) for of in undecided[0]]
        if not any(rows.where(verdict="disparity shown") for rows in first):
            continue  # then there is none over the audit either
        alone += 1
        both = decide_all(undecided)[0]
        assert len(judged_families(both)) == 12
        together += bool(both.where(verdict="disparity shown"))
    assert together / draws <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / draws)
    assert alone / draws > 0.25  # 1 - 0.95^12 is 0.46 with independent families


def people(rng, n=600):
    data = {"a": rng.choice(list("xyz"), n), "b": rng.choice(list("pq"), n)}
    data |= {"d": (rng.random(n) < np.where(data["b"] == "p", 0.7, 0.4)).astype(int), "y": rng.integers(0, 2, n)}
    return pd.DataFrame(data)


def test_an_audit_that_is_one_family_reads_its_verdicts_from_the_common_p(rng):
    data = people(rng)
    asked = {"decision": "d", "groups": ["a", "b"], "outcome": "y", "equivalence": 0.1}
    apart, whole = (audit(data, **asked, family=f).estimates for f in ("rate", "audit"))
    families = judged_families(apart)
    assert len(families) == len({question_of(r) for r in apart if r.verdict}) == 18  # six rates of a, b and a:b
    largest = {question: max(row.p_adjusted for row in rows) for question, rows in families.items()}
    for question, rows in families.items():
        others = [p for other, p in largest.items() if other != question]
        expected = across([row.p_adjusted for row in rows], others)
        got = judged_families(whole)[question]
        assert [row.p_adjusted for row in got] == pytest.approx(expected)
        for row, p in zip(got, expected, strict=True):
            assert (row.verdict == "disparity shown") == (p <= 0.05 and row.verdict != "equivalence shown")
            assert row.conf_level == pytest.approx(1 - 0.05 / (18 * len(rows)))
    margins = [(r.p_equivalence, q.p_equivalence) for r, q in zip(apart, whole, strict=True) if r.verdict]
    assert all(own <= together for own, together in margins)
    assert any(own < together for own, together in margins)


def test_a_false_discovery_rate_over_the_audit_is_that_of_all_comparisons(rng):
    data = people(rng)
    asked = {"decision": "d", "groups": ["a", "b"], "outcome": "y", "adjust": "bh"}
    rows = [r for family in judged_families(audit(data, **asked, family="audit").estimates).values() for r in family]
    assert [r.p_adjusted for r in rows] == pytest.approx(adjust([r.p_value for r in rows], "bh"))


def test_strata_rows_and_scores_are_families_too(rng):
    data = people(rng).assign(s=lambda t: rng.random(len(t)), f=rng.choice(list("kl"), 600))
    found = judged_families(audit(data, "d", "b", score="s", strata="f", family="audit").estimates)
    assert set(found) == {("b", "selection rate", ""), ("b", "risk difference within strata", "f"), ("b", "P(X>Y)", "")}


def test_one_family_is_itself_whatever_the_scope(rng):
    data = people(rng)
    apart, whole = (audit(data, "d", "b", family=f).estimates for f in ("rate", "audit"))
    assert apart == whole


def test_the_number_of_families_is_said_on_the_console_and_in_the_report(rng):
    from fairstats.reporting.bundle import gather
    from fairstats.reporting.sections.findings import findings
    from fairstats.reporting.sections.protocol import protocol

    for family, words in (("rate", "3 families (one rate of one attribute each) were tested"), ("audit", "share")):
        result = audit(people(rng), "d", ["a", "b"], family=family)
        bundle = gather([result], None, "")
        assert words in " ".join(result.summary().split())
        assert words in dict(protocol(bundle)["rules"])["Family of tests"]
        shared = "each at" if family == "rate" else "all together at"
        assert f"tests 3 families of comparisons, {shared} the level of 5 %" in findings(bundle)["note"]
    assert "families" not in audit(people(rng), "d", "b").summary()


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"adjust": "none"}, "family has 'audit' and adjust has 'none'"),
        ({"adjust": "bh", "reference": "highest_rate"}, "reference has 'highest_rate'"),
        ({"family": "study"}, "family has 'study'; .* rate, audit"),
    ],
)
def test_what_no_rule_can_hold_over_an_audit_is_refused(rng, asked, said):
    with pytest.raises(InputError, match=said):
        audit(people(rng), "d", "a", **({"family": "audit"} | asked))


def test_the_highest_rate_and_max_t_keep_their_own_rule_within_each_family(rng):
    data = people(rng)
    for how in ({"reference": "highest_rate"}, {"adjust": "max-t"}, {"adjust": "bonferroni"}):
        apart, whole = (audit(data, "d", ["a", "b"], family=f, **how).estimates for f in ("rate", "audit"))
        largest = {q: max(r.p_adjusted for r in rows) for q, rows in judged_families(apart).items()}
        for question, rows in judged_families(whole).items():
            within = [r.p_adjusted for r in judged_families(apart)[question]]
            others = [p for q, p in largest.items() if q != question]
            assert [r.p_adjusted for r in rows] == pytest.approx(across(within, others))


def test_a_complement_is_no_further_question():
    assert question_of(Estimate("FNR", "g")) == question_of(Estimate("TPR", "g")) != question_of(Estimate("FPR", "g"))
