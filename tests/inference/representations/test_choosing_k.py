"""The number of components: brute force on left-out entries, data of known rank, every linear method."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.decomposition import PCA

import fairstats
from fairstats.data.design import Design
from fairstats.errors import InputError
from fairstats.inference.representations.choosing_k import CHANCE, SIZE, left_out
from fairstats.text import compact
from tests.laws.every_method import PROJECTIONS, ROLES, sample

SLOW = {"fpca", "mbf_pca", "rlace_pca"}
RULES = ("least error", "fewest within one standard error", "parallel analysis")


def spiked(n: int, p: int, k: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    g = rng.choice(["a", "b"], n)
    X = rng.standard_normal((n, k)) @ rng.standard_normal((k, p)) * 2 + rng.standard_normal((n, p))
    return X, g


@pytest.mark.parametrize("name", ["pca", "fair_pca", "minimax_pca", "sog"])
def test_an_entry_is_predicted_by_least_squares_of_the_others_on_their_loadings(name: str) -> None:
    X, g = sample(n=80, p=6)
    fit = PROJECTIONS[name](X, g, k=2)
    new, h = sample(seed=9, n=12, p=6)
    rest = new - fit.origin
    if fit.group_means is not None:
        rest = rest - (fit.reconstruct(new, h) - fit.origin - fit.transform(new, h) @ fit.loadings.T)
    taken = np.zeros_like(new)
    if name == "sog":
        taken = ((new - fit.scaling.center) @ fit.weights - fit.transform(new, h)) @ fit.loadings.T
    want = np.zeros(len(new))
    for i, j in np.ndindex(new.shape):
        others = np.arange(6) != j
        s = np.linalg.lstsq(fit.loadings[others], rest[i, others], rcond=None)[0]
        want[i] += (rest[i, j] - fit.loadings[j] @ s + taken[i, j]) ** 2
    np.testing.assert_allclose(left_out(fit, Design.of(new, h)), want, rtol=1e-9)


def test_of_og_what_is_taken_out_for_the_group_is_error() -> None:
    X, g = sample(n=80, p=6)
    fit, plain = fairstats.og(X, g, 2), fairstats.pca(X, k=2)
    taken = X @ fit.weights - fit.transform(X, g) - fit.scaling.center @ fit.weights
    rest = X - fit.origin
    H = plain.loadings @ plain.loadings.T
    want = (rest - rest @ H) / (1 - np.diag(H)) + taken @ fit.loadings.T
    np.testing.assert_allclose(left_out(fit, Design.of(X, g)), np.sum(want**2, axis=1), rtol=1e-9)


def test_with_every_component_nothing_predicts_an_entry() -> None:
    X, g = sample(n=80, p=5)
    np.testing.assert_allclose(
        left_out(fairstats.pca(X, k=5), Design.of(X, g)), np.sum((X - X.mean(axis=0)) ** 2, axis=1)
    )


@pytest.mark.long
@pytest.mark.parametrize("k", [1, 3])
def test_the_rank_of_the_population_is_found(k: int) -> None:
    items = [fairstats.select_k(*spiked(300, 15, k, seed), "og", permutations=39, seed=seed) for seed in range(3)]
    for one in items:
        assert one.k == k
        for rule in RULES[:2]:
            assert one.chosen("og", rule) == one.chosen("pca", rule) == k
        # parallel analysis may miss the weakest after strong ones, as is known
        assert all(k - (k > 1) <= one.chosen(name, RULES[2]) <= k for name in ("og", "pca"))


@pytest.mark.long
def test_noise_has_no_component_above_chance() -> None:
    rng = np.random.default_rng(0)
    counts = []
    for seed in range(20):
        X, g = rng.standard_normal((100, 6)), rng.choice(["a", "b"], 100)
        counts.append(
            fairstats.select_k(X, g, "og", permutations=39, folds=2, seed=seed).chosen("pca", "parallel analysis")
        )
    assert np.mean(np.array(counts) > 0) <= 0.2  # 5% in truth


@pytest.mark.long
@pytest.mark.parametrize("name", [name for name in PROJECTIONS if name not in SLOW])
def test_every_linear_method_has_a_choice(name: str, tmp_path: Path) -> None:
    from fairstats.methods.registry import METHODS
    from tests.laws.every_method import OF

    X, g = sample(n=120, p=6)
    row = OF[name]
    more = {**row.needs, **row.variants.get(name, {})}
    more |= {"directions": 4, "max_k": 4} if name == "fair_pca-s" else {}
    result = fairstats.select_k(X, g, row.name, permutations=5, folds=3, **more)
    assert METHODS[row.name] is row and 1 <= result.k <= result.max_k <= 6
    assert max(len(line) for line in result.summary().splitlines()) <= 80
    errors = result.estimates.only(metric="cross-validated error", fit=row.name)
    assert [r.k for r in errors] == list(range(result.max_k + 1))
    assert errors[0].estimate > 0 and result.plot().alt
    again = fairstats.load(result.save(tmp_path / "k.npz"))
    assert again.summary() == result.summary() and again.k == result.k


def test_weights_are_repeated_rows_and_their_unit_does_not_count() -> None:
    X, g = spiked(120, 6, 2)
    w, fold = np.random.default_rng(1).integers(0, 4, 120), np.arange(120) % 3
    ours = fairstats.select_k(X, g, "og", weights=w, folds=fold, permutations=0)
    rows = [np.repeat(a, w, axis=0) for a in (X, g, fold)]
    theirs = fairstats.select_k(*rows[:2], "og", folds=rows[2], permutations=0)
    other = fairstats.select_k(X, g, "og", weights=w * 1e-3, folds=fold, permutations=0)
    for a, b, c in zip(ours.estimates, theirs.estimates, other.estimates, strict=True):
        if a.metric == "cross-validated error":
            assert (a.fit, a.k) == (b.fit, b.k) == (c.fit, c.k)
            assert a.estimate == pytest.approx(b.estimate, rel=1e-8) == c.estimate


def test_bad_calls_are_named() -> None:
    X, g = sample(n=60, p=5)
    calls = {
        "method has 'leace', which makes no linear components": {"method": "leace"},
        "method has 'ogg', which is not known; did you mean 'og'": {"method": "ogg"},
        "max_k has 9; it can be 1 to 4": {"method": "fair_pca", "max_k": 9},
        "t is missing; sog needs it": {"method": "sog"},
        "bases is no argument of og; did you mean 'basis'": {"method": "og", "bases": 1},
        r"most is called max_k here: select_k\(X, groups, max_k=most\)": {"method": "fair_pca", "most": 2},
        r"^max\.k is no argument of og; did you mean 'max_k'\?$": {"method": "og", "max.k": 2},
        "^nothing_near is no argument of og; leave it out": {"method": "og", "nothing_near": 2},
        "advantaged is missing": {"method": "disparity_pca", "lam": 0.5},
    }
    for message, options in calls.items():
        with pytest.raises(InputError, match=message):
            fairstats.select_k(X, g, **options)
    assert fairstats.select_k(X, g, "disparity_pca", lam=0.5, permutations=0, **ROLES).k >= 1


def test_parallel_analysis_is_that_of_permuted_columns_by_numpy() -> None:
    X, g = spiked(60, 5, 1, seed=2)
    result = fairstats.select_k(X, g, "pca", permutations=9, seed=4)
    rng = np.random.default_rng(4)
    drawn = np.array([np.linalg.eigvalsh(np.cov(rng.permuted(X, axis=0).T, ddof=0))[::-1] for _ in range(9)])
    sizes, most = np.linalg.eigvalsh(np.cov(X.T, ddof=0))[::-1], result.max_k
    items = [row for row in result.estimates if row.metric == SIZE]
    limits = [row for row in result.estimates if row.metric == CHANCE]
    assert [row.k for row in items] == [row.k for row in limits] == list(range(1, most + 1))
    np.testing.assert_allclose([row.estimate for row in items], sizes[:most])
    np.testing.assert_allclose([row.estimate for row in limits], np.quantile(drawn, 0.95, axis=0)[:most])
    np.testing.assert_allclose([row.p_value for row in items], ((1 + (drawn >= sizes).sum(axis=0)) / 10)[:most])
    above = sizes > np.quantile(drawn, 0.95, axis=0)
    assert result.chosen("pca", "parallel analysis") == int(np.argmin(above))


def test_where_no_number_predicts_better_than_the_means_the_answer_says_so() -> None:
    """Independent features hold nothing of each other; and with as many components as features nothing is predicted."""
    X = np.random.default_rng(0).standard_normal((200, 4))
    result = fairstats.select_k(X, np.tile(["a", "b"], 100), "minimax_pca", permutations=0)
    assert result.max_k == 4 and max(result.chosen(fit, rule) for fit in result.fits for rule in RULES[:2]) < 4
    text = " ".join(str(result).split())
    assert text.count("by least squares no number of components predicts better than the means") == 2
    assert "least error none none fewest within one standard error none none" in text
    assert f"k = {result.k} has the least error of the numbers below 4, but more than the means alone." in text
    assert text.index("No number of components can be recommended") < text.index("rule ")
    helps = helpful()
    assert f"Take k = {helps.k}: of the numbers" in " ".join(str(helps).split())
    fewer = fairstats.select_k(X, np.tile(["a", "b"], 100), "minimax_pca", permutations=0, max_k=3)
    assert f"k = {fewer.k} has the least error of the numbers tried, but more" in " ".join(str(fewer).split())
    assert "error below k = 4, but" in repr(result) and "error, but" in repr(fewer)
    assert "but more than the means alone" in repr(result) and "but more than" not in repr(helpful())


def test_where_least_squares_fails_a_model_that_shrinks_is_named_which_predicts() -> None:
    """Indicators of two columns: probabilistic PCA predicts entries of new rows better than the means do."""
    rng = np.random.default_rng(3)
    X = np.eye(3)[rng.choice(3, 400, p=[0.3, 0.3, 0.4])][:, 1:]
    X = np.hstack([X, np.eye(6)[rng.integers(0, 6, 400)][:, 1:]])
    result = fairstats.select_k(X, rng.choice(["a", "b"], 400), permutations=0, max_k=3)
    text = " ".join(str(result).split())
    assert "but more than the means alone. Least squares does not draw predictions toward the means; a model" in text
    assert "probabilistic PCA" not in str(helpful())
    train, new = X[:320], X[320:]
    precision = PCA(2).fit(train).get_precision()
    rest = new - train.mean(axis=0)
    assert np.sum((rest @ precision / np.diag(precision)) ** 2) < 0.95 * np.sum(rest**2)


def helpful() -> fairstats.ComponentSelection:
    rng = np.random.default_rng(3)
    X = rng.standard_normal((200, 1)) + 0.3 * rng.standard_normal((200, 4))
    result = fairstats.select_k(X, np.tile(["a", "b"], 100), "og", permutations=0)
    assert "least error 1 1" in " ".join(str(result).split())
    return result


def test_a_least_error_at_the_last_number_says_that_it_still_falls() -> None:
    rng = np.random.default_rng(0)
    X = rng.standard_normal((200, 5)) @ rng.standard_normal((5, 9)) * 3 + 0.1 * rng.standard_normal((200, 9))
    for most, falls in ((3, True), (8, False)):
        result = fairstats.select_k(X, np.tile(["a", "b"], 100), "pca", max_k=most, permutations=0)
        row = next(r for r in result.estimates if r.estimator == "least error" and r.fit == "pca")
        assert (row.estimate == most) == falls and bool(row.reason) == falls


def test_what_scale_does_and_which_rule_is_taken_are_said_where_it_matters() -> None:
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.standard_normal((300, 4)) @ rng.standard_normal((4, 4)), columns=list("abcd"))
    X["d"] *= 100
    g = np.repeat(["a", "b"], 150)
    apart = fairstats.select_k(X, g, permutations=9)
    sd = X.std()
    text = " ".join(apart.summary().split())
    assert f"go from {compact(sd.min())} ({sd.idxmin()}) to {compact(sd.max())} (d)" in text
    assert "scale=True divides each feature by its own" in text
    assert ("predict entries worse than the means" in text) == any(
        float(share.replace(",", "")) > 100 for share in re.findall(r"\(([\d.,]+)%\)", text)
    )
    assert not fairstats.select_k(X, g, permutations=9, scale=True).notes
    X["e"] = X["a"] + rng.normal(size=300)  # so that some number predicts better than the means
    for permutations in (0, 9):
        chosen = fairstats.select_k(X, g, scale=True, permutations=permutations)
        rules = {int(row.estimate) for row in chosen.estimates.where(metric="number of components", fit=chosen.method)}
        assert ("The rules differ. k is that of the least error" in " ".join(chosen.summary().split())) == (
            len(rules) > 1
        )


def test_dummies_that_add_up_to_1_are_named_and_their_errors_are_no_shares() -> None:
    rng = np.random.default_rng(0)
    job, g = rng.integers(0, 12, 600), rng.choice(["a", "b"], 600)
    X = pd.get_dummies(pd.Series(job)).astype(float).set_axis([f"job{j}" for j in range(12)], axis=1)
    X["age"] = rng.normal(40, 9, 600)
    result = fairstats.select_k(X, g, "og", max_k=12, permutations=0)
    assert np.linalg.matrix_rank(X - X.mean()) == result.k == 12
    note = "Of 13 features 1 can be computed from the others (job11), as columns of 0 and 1 that add up to 1."
    assert result.notes[0].startswith(note) and note in " ".join(result.summary().split())
    nothing, *errors = (row.estimate for row in result.estimates.only(metric="cross-validated error", fit="og"))
    most = max(errors) / nothing
    assert (
        most > 100 and f"({compact(most)} times)" in result.summary() and f"{100 * most:,.1f}%" not in result.summary()
    )
    assert note in " ".join(fairstats.report(result).html.split())
    assert "Von 13 Variablen " in fairstats.report(result, language="de").html
    dropped = fairstats.select_k(X.drop(columns="job11"), g, "og", max_k=3, permutations=0)
    assert not any("can be computed" in one for one in dropped.notes)
