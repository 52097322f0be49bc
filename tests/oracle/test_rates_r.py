"""Rates against R: intervals, exact tests and adjusted p-values over generated tables with zeros and lone people."""

import os
from pathlib import Path

import numpy as np
import pytest

from fairstats.inference.multiplicity import p_adjust
from fairstats.inference.rates.one_rate import clopper_pearson, wilson
from fairstats.inference.rates.rate_tests import fisher_exact, z_test
from tests.oracle.r import requires_r, run_r

SCRIPT = """
quiet <- suppressWarnings
table2 <- function(t) matrix(c(t[1], t[3], t[2] - t[1], t[4] - t[3]), 2)
list(
  wilson = lapply(input$tables, function(t) quiet(prop.test(t[1], t[2], correct = FALSE)$conf.int)),
  exact = lapply(input$tables, function(t) binom.test(t[1], t[2])$conf.int),
  fisher = sapply(input$tables, function(t) fisher.test(table2(t))$p.value),
  z = sapply(input$tables, function(t) quiet(prop.test(t[c(1, 3)], t[c(2, 4)], correct = FALSE)$p.value)),
  holm = lapply(input$families, p.adjust, method = "holm"),
  bh = lapply(input$families, p.adjust, method = "BH"),
  bonferroni = lapply(input$families, p.adjust, method = "bonferroni")
)
"""


def generated_tables():
    rng = np.random.default_rng(11)
    tables = [(0, 1, 0, 1), (1, 1, 0, 1), (1, 1, 1, 1), (0, 1, 30, 60), (0, 50, 0, 70), (50, 50, 70, 70)]
    for size in (4, 25, 300, 20_000):
        for _ in range(60):
            n1, n0 = rng.integers(1, size, 2)
            p1, p0 = rng.beta(0.6, 0.6, 2)
            tables.append((int(rng.binomial(n1, p1)), int(n1), int(rng.binomial(n0, p0)), int(n0)))
    return tables


def compas_tables():
    folder = os.environ.get("FAIRSTATS_DATA")
    if not folder:
        pytest.skip("FAIRSTATS_DATA is unset: it names the folder whose data/ holds the COMPAS file")
    import pandas as pd

    data = pd.read_csv(Path(folder) / "data" / "compas-scores-two-years.csv")
    by_race = (data["decile_score"] >= 5).groupby(data["race"]).agg(["sum", "size"])
    reference = by_race.loc["Caucasian"]
    others = by_race.drop(index="Caucasian")
    return [(int(e), int(n), int(reference["sum"]), int(reference["size"])) for e, n in others.to_numpy()]


@pytest.fixture(scope="module", params=[generated_tables, compas_tables], ids=["generated", "COMPAS"])
def answers(request):
    requires_r()
    tables = request.param()
    rng = np.random.default_rng(3)
    families = [(rng.random(m) ** 3).tolist() for m in (2, 3, 7, 40)] + [[0.01, 0.01, 0.04, 1.0, 0.01]]
    return np.array(tables), families, run_r(SCRIPT, {"tables": tables, "families": families})


@pytest.mark.long
def test_wilson_equals_prop_test_without_correction(answers):
    tables, _, r = answers
    assert np.column_stack(wilson(tables[:, 0], tables[:, 1])) == pytest.approx(np.array(r["wilson"]), abs=1e-10)


def test_clopper_pearson_equals_binom_test(answers):
    tables, _, r = answers
    ours = np.column_stack(clopper_pearson(tables[:, 0], tables[:, 1]))
    assert ours == pytest.approx(np.array(r["exact"]), abs=1e-10)


def test_fisher_equals_fisher_test(answers):
    tables, _, r = answers
    assert fisher_exact(*tables.T) == pytest.approx(np.array(r["fisher"]), rel=1e-8, abs=1e-14)


def test_z_test_equals_prop_test_of_two_samples(answers):
    # R gives NaN where nobody or everybody has the property; we give 1: such data cannot show a difference
    tables, _, r = answers
    expected = np.nan_to_num(np.array(r["z"], dtype=float), nan=1.0)
    assert z_test(*tables.T)[1] == pytest.approx(expected, rel=1e-8, abs=1e-14)


@pytest.mark.parametrize("method", ["holm", "bh", "bonferroni"])
def test_adjusted_p_values_equal_p_adjust(answers, method):
    _, families, r = answers
    for family, expected in zip(families, r[method], strict=True):
        assert p_adjust(family, method) == pytest.approx(np.array(expected), rel=1e-12)
