"""Held-out Mann–Whitney tests by component: SciPy's p-values, and what they must and must not see."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

import fairstats as fs
from fairstats.errors import InputError
from fairstats.inference.representations.component_tests import component_tests


def test_p_values_are_scipys_within_folds(rng: np.random.Generator) -> None:
    g = rng.choice(["a", "b", "c"], 150)
    X = rng.standard_normal((150, 4)) + 0.5 * (g == "b")[:, None]
    held = fs.og(X, g, k=2).crossfit(X, g)
    rows = component_tests(held)
    assert len(rows) == 2 * 3 * 2
    for row in rows:
        j, fold = (int(t.split()[-1]) - 1 for t in (row.term, row.given))
        part = held.folds == fold
        mine = part & (g == row.group)
        assert row.method.startswith("Brunner-Munzel, t")
        theirs = stats.brunnermunzel(held.scores[part & ~mine, j], held.scores[mine, j])
        assert (row.statistic, row.p_value) == pytest.approx((theirs.statistic, theirs.pvalue), rel=1e-8)


def test_pca_shows_the_groups_and_og_with_many_rows_does_not(rng: np.random.Generator) -> None:
    g = np.arange(4000) % 2
    X = rng.standard_normal((4000, 5)) * [3, 2, 1, 1, 1] + 0.6 * g[:, None]
    before = component_tests(fs.pca(X, k=2).crossfit(X, g))
    after = component_tests(fs.og(X, g, k=2).crossfit(X, g))
    assert max(before.column("p_adjusted")) < 1e-3
    assert min(after.column("p_adjusted")) > 0.01


def test_scores_that_were_not_held_out_are_refused(rng: np.random.Generator) -> None:
    X, g = rng.standard_normal((40, 3)), np.arange(40) % 2
    with pytest.raises(InputError, match="in-sample scores"):
        component_tests(fs.og(X, g, k=2).transform(X, g))
