"""Held-out Mann–Whitney tests by component: SciPy's p-values, and what they must and must not see."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from scipy import stats

import fairstats
from fairstats.errors import InputError
from fairstats.inference.representations.fit_studies import component_tests
from tests.laws.every_method import EVERY, sample


def test_p_values_are_scipys_within_folds(rng: np.random.Generator) -> None:
    g = rng.choice(["a", "b", "c"], 150)
    X = rng.standard_normal((150, 4)) + 0.5 * (g == "b")[:, None]
    kept = fairstats.og(X, g, k=2).crossfit(X, g)
    rows = component_tests(kept)
    assert len(rows) == 2 * 2 * 3 * 2
    for row in rows:
        j, fold = (int(t.split()[-1]) - 1 for t in (row.term, row.given))
        part = kept.folds == fold
        mine = part & (g == row.group)
        x, y = kept.scores[mine, j], kept.scores[part & ~mine, j]
        if row.metric == "score shift":
            assert "Mann-Whitney" in row.method and row.role == "supplementary"
            theirs = stats.mannwhitneyu(x, y, method="exact" if "exact" in row.method else "asymptotic")
            assert row.estimate == pytest.approx(np.median(np.subtract.outer(x, y)))
        else:
            assert row.method.startswith("Brunner-Munzel, t")
            theirs = stats.brunnermunzel(y, x)
        assert (row.statistic, row.p_value) == pytest.approx((theirs.statistic, theirs.pvalue), rel=1e-8)
    for metric in ("P(X>Y)", "score shift"):
        family = rows.where(metric=metric)
        np.testing.assert_allclose(family.column("p_adjusted"), holm(family.column("p_value")))


def holm(p: list[float]) -> np.ndarray:
    order = np.argsort(p)
    steps = np.maximum.accumulate(np.array(p)[order] * np.arange(len(p), 0, -1))
    values = np.empty(len(p))
    values[order] = np.minimum(steps, 1.0)
    return values


@pytest.mark.long
def test_every_method_of_the_registry_is_tested_by_both() -> None:
    X, g = sample(n=80)
    for name, fit in EVERY.items():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            kept = fit(X, g, k=2).crossfit(X, g)
        rows = component_tests(kept)
        assert len(rows) == 2 * 2 * kept.k, name
        assert all(r.status == "ok" and 0 <= r.p_value <= r.p_adjusted <= 1 for r in rows), name


def test_pca_shows_the_groups_and_og_with_many_rows_does_not(rng: np.random.Generator) -> None:
    g = np.arange(4000) % 2
    X = rng.standard_normal((4000, 5)) * [3, 2, 1, 1, 1] + 0.6 * g[:, None]
    before = component_tests(fairstats.pca(X, k=2).crossfit(X, g))
    after = component_tests(fairstats.og(X, g, k=2).crossfit(X, g))
    assert max(before.column("p_adjusted")) < 1e-3
    assert min(after.column("p_adjusted")) > 0.01


def test_scores_that_were_not_held_out_are_refused(rng: np.random.Generator) -> None:
    X, g = rng.standard_normal((40, 3)), np.arange(40) % 2
    with pytest.raises(InputError, match="in-sample scores"):
        component_tests(fairstats.og(X, g, k=2).transform(X, g))


def test_scores_that_vary_by_rounding_alone_show_nothing_and_the_smallest_p_is_first(rng: np.random.Generator) -> None:
    g = np.arange(90) % 3
    X = rng.standard_normal((90, 2)) * [3e4, 8] + [1e5, 17] + 2 * g[:, None]
    with pytest.warns(fairstats.FairstatsWarning, match="leaves nothing"):
        fit = fairstats.leace(X, g)
    for row in component_tests(fit.crossfit(X, g)).where(metric="P(X>Y)"):
        assert (row.estimate, row.p_value) == (0.5, 1.0) and "every value of x and of y is the same" in row.reason
    for metric in ("P(X>Y)", "score shift"):
        p = component_tests(fairstats.pca(X, k=2).crossfit(X, g)).where(metric=metric).column("p_value")
        assert list(p) == sorted(p) and len(p) == 12
