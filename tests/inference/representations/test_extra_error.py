"""The extra error: exact null mean, calibrated p-values, intervals that cover, sums of squares as vegan's."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import fairstats as fs
from fairstats.errors import InputError
from fairstats.inference.representations import quadratic_forms
from tests.oracle.r import requires_r, run_r


def sample(rng: np.random.Generator, shift: float, n: int = 90) -> tuple[np.ndarray, np.ndarray]:
    g = np.arange(n) % 3
    X = rng.standard_normal((n, 4)) * [3, 2, 1, 1]
    X[:, 0] += 2 * shift * (g == 1)
    X[:, 1] += 2 * shift * (g == 2)
    return X, np.array(["a", "b", "c"])[g]


def test_the_permutation_mean_is_exact(rng: np.random.Generator) -> None:
    X, g = sample(rng, 0.3, 30)
    e = fs.extra_error(fs.og(X, g, k=2), X, g, permutations=0)
    A = fs.pca(X, k=2).transform(X)
    Z = np.column_stack([g == "b", g == "c"]).astype(float)
    Q = np.linalg.qr(Z - Z.mean(axis=0))[0]
    drawn = [np.sum((Q[rng.permutation(30)].T @ A) ** 2) for _ in range(20_000)]
    assert e.expected == pytest.approx(np.mean(drawn), abs=4 * np.std(drawn) / np.sqrt(20_000))
    assert e.observed == pytest.approx(np.sum((Q.T @ A) ** 2), rel=1e-10)


def test_p_values_are_uniform_under_exchangeability() -> None:
    rng = np.random.default_rng(11)
    p = []
    for _ in range(200):
        X, g = sample(rng, 0.0)
        e = fs.extra_error(fs.og(X, g, k=3), X, g, permutations=99, seed=int(rng.integers(1e6)))
        p.append((e.p_permutation, e.p_asymptotic))
    permutation, asymptotic = np.array(p).T
    assert stats.kstest(asymptotic, "uniform").pvalue > 0.001
    assert np.mean(permutation <= 0.05) <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 200)
    assert np.corrcoef(permutation, asymptotic)[0, 1] > 0.98


@pytest.mark.slow
@pytest.mark.parametrize("shift", [0.0, 0.2, 0.6])
def test_the_interval_covers(shift: float) -> None:
    rng = np.random.default_rng(12)
    covered = 0
    for _ in range(400):
        X, g = sample(rng, shift, 120)
        means = np.zeros((3, 2))
        means[1, 0] = means[2, 1] = 2 * shift
        true = 40 * np.sum((means - means.mean(axis=0)) ** 2)
        e = fs.extra_error(fs.og(X, g, k=4))
        covered += e.conf_low - 1e-9 <= true <= e.conf_high
    assert 0.92 <= covered / 400 <= 0.985


def test_r2_interval_inverts_the_noncentral_f() -> None:
    from fairstats.inference.representations.noncentral import r2_interval

    low, high = r2_interval(0.2, 2, 60)
    F = (0.2 / 2) / (0.8 / 57)
    assert stats.ncf.sf(F, 2, 57, 60 * low / (1 - low)) == pytest.approx(0.025, rel=1e-6)
    assert stats.ncf.cdf(F, 2, 57, 60 * high / (1 - high)) == pytest.approx(0.025, rel=1e-6)
    assert r2_interval(0.001, 2, 60)[0] == 0.0


def test_components_dispersion_and_sums_of_squares_are_rs(rng: np.random.Generator) -> None:
    requires_r("vegan")
    X, g = sample(rng, 0.4)
    fit = fs.og(X, g, k=3)
    e = fs.extra_error(fit, X, g, permutations=0)
    script = """
    A <- do.call(rbind, input$A); g <- factor(unlist(input$g))
    r <- vegan::rda(A ~ g); a <- vegan::adonis2(dist(A) ~ g, permutations = 1)
    lm1 <- lapply(seq_len(ncol(A)), function(j) { s <- summary(lm(A[, j] ~ g)); c(s$r.squared, s$fstatistic[[1]]) })
    b <- anova(vegan::betadisper(dist(A), g, type = "centroid"))
    list(constrained = r$CCA$tot.chi * (nrow(A) - 1),
         adonis = a$SumOfSqs[1], lm = lm1, F = b$`F value`[1], p = b$`Pr(>F)`[1])
    """
    A = fs.pca(X, k=3).transform(X)
    out = run_r(script, {"A": A.tolist(), "g": g.tolist()})
    assert e.observed == pytest.approx(out["constrained"], rel=1e-8)
    assert e.observed == pytest.approx(out["adonis"], rel=1e-8)
    for row, (r2, F) in zip(e.estimates.where(metric="R2"), out["lm"], strict=True):
        assert (row.estimate, row.statistic) == pytest.approx((r2, F), rel=1e-8)
    spread = e.estimates.where(metric="dispersion")[0]
    assert (spread.statistic, spread.p_value) == pytest.approx((out["F"], out["p"]), rel=1e-8)


def test_rows_are_found_again_for_formulas_and_frames(rng: np.random.Generator) -> None:
    X, g = sample(rng, 2.0)
    frame = pd.DataFrame(X, columns=list("pqrs")).assign(race=g)
    by_name = fs.extra_error(fs.og(["p", "q", "r", "s"], "race", data=frame, k=2), frame, "race", permutations=49)
    by_formula = fs.extra_error(fs.og("~ p + q + r + s", "race", data=frame, k=2), frame, "race", permutations=49)
    by_array = fs.extra_error(fs.og(X, g, k=2), X, g, permutations=49)
    assert by_name.p_permutation == by_formula.p_permutation == by_array.p_permutation == 0.02


def test_moments_give_the_asymptotic_p_and_say_so(rng: np.random.Generator) -> None:
    X, g = sample(rng, 2.0)
    e = fs.extra_error(fs.og(fs.Moments.of(X, g), k=2))
    assert np.isnan(e.p_permutation) and e.p_asymptotic < 1e-4
    assert "moments only" in e.estimates[0].reason


def test_a_basis_that_looked_at_the_groups_is_refused(rng: np.random.Generator) -> None:
    X, g = sample(rng, 0.5)
    with pytest.raises(InputError, match="looking at the groups"):
        fs.extra_error(fs.og(X, g, k=2, basis="residual"), X, g)
    with pytest.raises(InputError, match="fit has no groups"):
        fs.extra_error(fs.pca(X, k=2), X, g)
    with pytest.raises(InputError, match="the fit had 90"):
        fs.extra_error(fs.og(X, g, k=2), X[:50], g[:50])


def test_weighted_rows_are_described_and_not_tested(rng: np.random.Generator) -> None:
    X, g = sample(rng, 2.0)
    e = fs.extra_error(fs.og(X, g, k=2, weights=rng.random(90) + 0.5))
    assert e.observed > 0 and np.isnan([e.p_asymptotic, e.p_permutation, e.conf_low, e.conf_high]).all()
    assert "weighted rows" in e.estimates[0].reason


def test_a_strong_effect_never_fails() -> None:
    # one path of integration failed for 13 of these 60 seeds
    for seed in (1, 3, 5, 7, 14, 23):
        rng = np.random.default_rng(seed)
        groups = np.repeat(["a", "b"], 30)
        X = rng.normal(size=(60, 4)) + 5.0 * (groups == "b")[:, None]
        found = fs.extra_error(fs.og(X, groups, k=2), X, groups, permutations=0)
        assert 0 < found.conf_low < found.observed < found.conf_high


def test_an_approximated_tail_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quadratic_forms, "BENDS", ())
    groups = np.repeat(["a", "b"], 30)
    X = np.random.default_rng(1).normal(size=(60, 4))
    row = fs.extra_error(fs.og(X, groups, k=2), X, groups, permutations=0).estimates[0]
    assert row.method.endswith("(Liu-Tang-Zhang approximation)")
