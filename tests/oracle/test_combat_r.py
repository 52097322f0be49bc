"""Empirical Bayes of locations and scales, against ComBat of R's sva (Bioconductor)."""

from __future__ import annotations

import subprocess
from typing import Any

import numpy as np
import pytest

import fairstats
from tests.oracle.r import requires_r, run_r

SCRIPT = """
suppressPackageStartupMessages(library(sva))
data <- do.call(rbind, input$data)
batch <- unlist(input$batch)
model <- model.matrix(~ unlist(input$covariate))
quiet <- function(...) suppressMessages(ComBat(...))
list(plain = quiet(data, batch), covariate = quiet(data, batch, mod = model))
"""


def has_sva() -> bool:
    """It is no part of the set-up: with what it needs it is larger than all of R's packages here together."""
    items = ["Rscript", "--vanilla", "-e", "quit(status = !requireNamespace('sva', quietly = TRUE))"]
    try:
        return subprocess.run(items, capture_output=True, check=False).returncode == 0
    except FileNotFoundError:
        return False


@pytest.fixture(scope="module")
def combat() -> tuple[np.ndarray, np.ndarray, np.ndarray, Any]:
    """Groups, a covariate, features, and what R makes of them."""
    requires_r("jsonlite")
    if not has_sva():
        pytest.skip("R's package sva is not installed (Debian: r-bioc-sva)")
    rng = np.random.default_rng(4)
    g = np.repeat(["a", "b", "c"], [12, 9, 15])
    c = rng.standard_normal(36) + (g == "b")
    X = rng.standard_normal((36, 25)) * rng.uniform(0.5, 3, 25) + 10 + np.outer(c, rng.standard_normal(25))
    X[g == "b"] = X[g == "b"] * rng.uniform(1, 2, 25) + rng.standard_normal(25)
    return g, c, X, run_r(SCRIPT, {"data": X.T.tolist(), "batch": g.tolist(), "covariate": c.tolist()})


@pytest.mark.parametrize("protect", [None, ["x1"]])
def test_empirical_bayes_is_combat(protect: list[str] | None, combat: Any) -> None:
    g, c, X, answers = combat
    rows = np.column_stack([c, X]) if protect else X
    fit = fairstats.comparators.location_scale(rows, g, protect=protect, empirical_bayes=True)
    ours = fit.transform(rows, g)
    theirs = np.array(answers["covariate" if protect else "plain"]).T
    # its estimates stop where they move by less than 1e-4
    np.testing.assert_allclose(ours[:, 1:] if protect else ours, theirs, atol=2e-4 * np.abs(X - X.mean(axis=0)).max())
    if protect:
        np.testing.assert_allclose(ours[:, 0], c, atol=1e-12)
    assert all(x.holds for x in fit.guarantees)
    plain = fairstats.comparators.location_scale(rows, g, protect=protect)
    assert np.abs(plain.transform(rows, g) - ours).max() > 0.05
