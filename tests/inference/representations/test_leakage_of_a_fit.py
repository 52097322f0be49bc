"""Leakage of a method: compared with refits on exchanged rows; sizes by simulation, areas by hand."""

import itertools

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import fairstats
from fairstats.errors import InputError
from fairstats.inference.representations.probes import Parts


def noise(rng, n, p, shift=0.0):
    g = np.array(["a", "b"])[np.arange(n) % 2]
    return rng.normal(size=(n, p)) + shift * (g == "b")[:, None], g


@pytest.mark.parametrize("method", [fairstats.fair_pca, fairstats.og, fairstats.leace, fairstats.fair_kernel_pca])
def test_a_fit_is_tested_as_it_is_on_rows_that_are_not_its_own(method):
    X, g = noise(np.random.default_rng(0), 400, 4, shift=1.0)
    fit = method(X[:200], g[:200], **({} if method is fairstats.leace else {"k": 2}))
    new, of = X[200:] + 3.0 * (g[200:] == "b")[:, None] * [1, -1, 0, 0], g[200:]
    result = fairstats.leakage(fit, new, of, permutations=9)
    scores = fit.transform(new) if method is not fairstats.og else fit.transform(new, of)
    kept = fairstats.OutOfFoldScores(scores, np.zeros(200, int), of, fit.method, 0)
    by_hand = fairstats.leakage(kept, permutations=9)
    assert result.estimates.column("estimate") == pytest.approx(by_hand.estimates.column("estimate"), nan_ok=True)
    assert not result.refits and result.folds == 1
    assert "disparity shown" in result.estimates.column("verdict")
    assert result.summary().startswith(f"Leakage of one fit on 200 rows that it was not made of: {fit.method}")
    assert "Nothing was fitted to these rows" in result.summary() and "Each fit had seen" not in result.summary()
    page = " ".join(fairstats.report(result).html.split())
    assert "of one fit that was not made of these rows" in page and "nothing was fitted to these." in page
    assert "about half; trained on the other half" in page and "Conditional" not in result.summary()
    with pytest.raises(InputError, match="folds has 5; rows that the fit was not made of need none"):
        fairstats.leakage(fit, new, of, folds=5)


def test_a_fit_and_its_rows_in_any_order_are_refitted_and_other_groups_of_them_are_refused():
    X, g = noise(np.random.default_rng(0), 200, 4, shift=1.0)
    fit, order = fairstats.fair_pca(X, g, 2), np.random.default_rng(1).permutation(200)
    assert fairstats.leakage(fit, X[order], g[order], permutations=1).refits
    with pytest.raises(
        InputError, match=r"which has seen these rows; pass those of the fit, or fairstats.leakage\(fit"
    ):
        fairstats.leakage(fit, X, g[order])
    sex = np.where(np.arange(400) % 3, "m", "f")
    other = fairstats.leakage(fit, *(v[:90] for v in (X, sex)), permutations=0)
    assert other.estimates[0].group == "m"


@pytest.mark.slow
def test_og_without_any_relation_is_no_leak_though_its_scores_are():
    rng, of_method, of_scores = np.random.default_rng(3), 0, 0
    for seed in range(24):
        X, g = noise(rng, 120, 10)
        fit = fairstats.og(X, g, k=8)
        of_method += fairstats.leakage(fit, X, g, permutations=19, seed=seed).estimates[0].verdict == "disparity shown"
        if seed < 15:
            of_scores += fairstats.leakage(fit.crossfit(X, g), permutations=0).estimates[0].verdict == "disparity shown"
    assert of_method / 24 <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 24)
    assert of_scores / 15 >= 0.1  # what the refits are for


@pytest.mark.long
def test_a_shift_and_a_spread_that_a_method_leaves_are_leaks():
    rng = np.random.default_rng(4)
    X, g = noise(rng, 400, 4, 0.7)
    X = X * np.where(g == "a", 2.0, 1.0)[:, None]
    plain = fairstats.leakage(fairstats.pca(X, g, k=2), X, g, permutations=39)
    assert [r.verdict for r in plain.estimates[:2]] == ["disparity shown"] * 2
    assert plain.refits and "39 refits on permuted labels" in plain.summary()
    assert plain.refits == "permuted labels"
    equalized = fairstats.leakage(fairstats.og(X, g, k=2), X, g, permutations=39, margin=0.2)
    assert [r.verdict for r in equalized.estimates[:2]] == ["equivalence shown", "disparity shown"]
    assert equalized.refits == "exchanged residuals"
    assert equalized.statements[0].startswith("group: linear: shown to leak no more than AUC 0.70")
    assert all(r.p_value == 1 / 40 for r in equalized.estimates[2:])


@pytest.mark.long
@pytest.mark.parametrize("fits", [12, pytest.param(40, marks=pytest.mark.slow)])
def test_a_difference_that_is_hidden_is_no_leak_by_the_noise_of_hiding_it(fits):
    rng, leaks = np.random.default_rng(12), 0
    for seed in range(fits):
        X, g = noise(rng, 160, 6)
        X[:, 0] += 1.0 * (g == "b")
        leakage = fairstats.leakage(fairstats.leace_pca(X, g, k=4), X, g, permutations=19, seed=seed)
        leaks += leakage.estimates[0].verdict == "disparity shown"
    assert leaks / fits <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / fits)  # a quarter, where labels are permuted


@pytest.mark.long
@pytest.mark.parametrize(("fits", "most"), [(10, 1), pytest.param(30, 4, marks=pytest.mark.slow)])
def test_features_of_two_values_that_know_nothing_of_the_group_are_no_leak(fits, most):
    """A fifth of such samples, where the residuals of 0/1 features are exchanged: each group has its own lattice."""
    rng, leaks = np.random.default_rng(21), 0
    for seed in range(fits):
        X, g = rng.integers(0, 2, (120, 3)).astype(float), np.where(rng.random(120) < 0.4, "a", "b")
        leakage = fairstats.leakage(fairstats.og(X, g, k=2), X, g, permutations=19, seed=seed)
        leaks += leakage.estimates[1].verdict == "disparity shown"
    assert leaks <= most
    assert leakage.refits == "permuted labels (linear probe: exchanged residuals)"


@pytest.mark.long
def test_a_lattice_of_every_group_is_a_leak_that_og_makes():
    rng = np.random.default_rng(22)
    g = np.repeat(["a", "b"], 150)
    X = (rng.random((300, 4)) < np.where(g == "a", 0.3, 0.6)[:, None]).astype(float)
    leakage = fairstats.leakage(fairstats.og(X, g, k=2), X, g, permutations=39, margin=0.2)
    assert [r.verdict for r in leakage.estimates[:2]] == ["equivalence shown", "disparity shown"]
    both = np.column_stack([X[:, 0], rng.normal(size=300)])
    mixed = fairstats.leakage(fairstats.og(both, g, k=1), both, g, permutations=1)
    assert mixed.refits.startswith("exchanged residuals, and exchanged values of features of few values")


def test_areas_are_those_of_mann_whitney_within_parts_ties_included():
    rng = np.random.default_rng(5)
    codes, folds = rng.integers(0, 3, 200), np.arange(200) % 2
    order, plan = Parts.of(codes, folds, 0)
    codes = codes[order]
    predictions = rng.integers(0, 6, (200, 3)).astype(float)
    members = np.eye(3)[codes]
    for j, area in enumerate(plan.areas(predictions, members)):
        won = pairs = 0.0
        for part in plan.tested:
            mine = codes[part] == j
            x, y = predictions[part][mine, j], predictions[part][~mine, j]
            won += stats.mannwhitneyu(x, y).statistic
            pairs += len(x) * len(y)
        assert area == pytest.approx(won / pairs)


def test_predictions_are_of_least_squares_on_the_parts_before():
    rng = np.random.default_rng(6)
    codes, folds = rng.integers(0, 2, 120), np.zeros(120, dtype=int)
    order, plan = Parts.of(codes, folds, 0)
    codes = codes[order]
    S = rng.normal(size=(120, 3))
    result = plan.predictions(S, np.eye(2)[codes], "linear probe")[:, 1]
    y = codes
    for part in plan.tested:
        before = slice(0, part.start)
        slopes = np.linalg.lstsq(np.column_stack([np.ones(part.start), S[before]]), y[before], rcond=None)[0]
        np.testing.assert_allclose(result[part], S[part] @ slopes[1:] - S[before].mean(0) @ slopes[1:], atol=1e-4)


def test_permutations_keep_the_levels_of_every_part():
    rng = np.random.default_rng(7)
    codes, folds = rng.integers(0, 3, 90), np.arange(90) % 3
    order, plan = Parts.of(codes, folds, 0)
    codes = codes[order]
    order = plan.permuted(rng)
    assert sorted(order) == list(range(90)) and (order != np.arange(90)).any()
    for part in [slice(a, b) for cut in plan.cuts for a, b in itertools.pairwise(cut)]:
        assert sorted(codes[order[part]]) == sorted(codes[part])


def test_several_attributes_and_numbers_have_rows_and_statements_each():
    rng = np.random.default_rng(8)
    X, g = noise(rng, 300, 4)
    age, town = rng.normal(size=300), rng.choice(["x", "y", "z"], 300)
    X[:, 0] += age
    X[:, 1] += 2.0 * (town == "z")
    leakage = fairstats.leakage(fairstats.pca(X, k=3), X, [g, town, fairstats.continuous(age, "age")], permutations=39)
    assert [s.split(":")[0] for s in leakage.statements] == ["group 1", "group 2", "age"]
    assert "linear: leak shown" in leakage.statements[1] and "dependence shown" in leakage.statements[2]
    assert len(leakage.estimates) == 4 + 10 + 3


@pytest.mark.long
def test_kernels_and_erasers_are_refitted_too_and_weighted_fits_are_not():
    rng = np.random.default_rng(9)
    X, g = noise(rng, 80, 3, 0.5)
    for fit in (fairstats.fair_kernel_pca(X, g, k=2), fairstats.leace(X, g), fairstats.comparators.residualize(X, g)):
        leakage = fairstats.leakage(fit, X, g, permutations=5)
        assert leakage.refits and leakage.estimates[0].status == "ok"
    w = rng.uniform(0.5, 2, 80)
    leakage = fairstats.leakage(fairstats.og(X, g, k=2, weights=w), X, g, weights=w, permutations=5)
    assert not leakage.refits and "given these scores" in leakage.estimates[0].reason
    assert leakage.weighted and "rows of unlike weights cannot be exchanged" in " ".join(leakage.summary().split())
    with pytest.raises(InputError, match="weights is missing"):
        fairstats.leakage(fairstats.og(X, g, k=2, weights=w), X, g)


def test_what_a_half_does_not_allow_is_a_reason():
    rng = np.random.default_rng(10)
    X, g = noise(rng, 20, 30)
    leakage = fairstats.leakage(fairstats.og(X, g, k=15), X, g, permutations=5)
    assert set(leakage.estimates.column("status")) == {"unestimable"}
    assert "the fit to a part of the rows failed" in leakage.estimates[0].reason
    assert "not estimable" in leakage.statements[0]


@pytest.mark.parametrize("far", ["x", "y", "z"])
def test_of_several_levels_and_attributes_each_row_is_of_one_level(far):
    rng = np.random.default_rng(9)
    X, g = noise(rng, 240, 3)
    town = rng.choice(["x", "y", "z"], 240)
    X[:, 0] += 5.0 * (town == far)
    leakage = fairstats.leakage(
        fairstats.pca(X, {"g": g, "town": town}, k=2), X, {"g": g, "town": town}, permutations=0
    )
    areas = {
        r.group: r.estimate for r in leakage.estimates if r.attribute == "town" and r.metric == "AUC of linear probe"
    }
    assert set(areas) == {"x", "y", "z"}
    assert areas[far] > 0.95 and all(area < 0.9 for group, area in areas.items() if group != far)


@pytest.fixture(scope="module")
def lattice():
    """Whole numbers that tell nothing of the group: by subtracting means a fit gives every group its own lattice."""
    rng = np.random.default_rng(0)
    g = np.where(rng.random(1200) < 0.5, "a", "b")
    X = pd.DataFrame({"age": rng.integers(0, 6, 1200), "days": rng.integers(0, 3, 1200), "g": g})
    return X, fairstats.og(["age", "days"], "g", data=X, k=2)


def test_what_is_recognized_in_scores_is_said_though_refits_leak_as_much(lattice):
    people, fit = lattice
    leakage = fairstats.leakage(fit, people, permutations=19)
    assert [row.verdict for row in leakage.estimates[:2]] == ["inconclusive"] * 2
    (row,) = leakage.recognized
    after = next(r for r in leakage.estimates if r.metric == row.metric)
    # the own interval leaves 0.5 out, and the other one says that it was extended
    assert (
        row.metric == "AUC of non-linear probe" and row.estimate == after.estimate and row.conf_high == after.conf_high
    )
    assert row.conf_low > 0.5 == after.conf_low and "extended to 0.5" in after.reason
    mean = next(r for r in leakage.refitted if r.metric == row.metric).estimate
    assert mean > 0.55 and after.p_value > 0.05
    found = f"non-linear: recognized in these scores, AUC {row.estimate:.2f} [{row.conf_low:.2f}, {row.conf_high:.2f}]"
    assert f"{found}, not shown to be more than in refits (mean AUC {mean:.2f}), p = " in leakage.statements[0]
    assert leakage.statements[0].endswith("; the non-linear probe finds more after than before.")
    text = " ".join(leakage.summary().split())
    assert "fairstats.leakage(fit.crossfit(X, groups))" in text
    assert "of these scores alone; in tidy() the reason has it, and the interval is that of a leak beyond the" in text
    assert (
        f"recognized in these scores, whose own interval is {row.conf_low:.2f} to {row.conf_high:.2f}" in after.reason
    )
    assert text.endswith("leaves 0.5 out where a leak is shown, and only there, but for a group that is recognized.")
    assert leakage.plot().caption.startswith("og: 0 of 2 probes show a leak. 1 more: in these scores")
    before = next(r for r in leakage.before if r.metric == row.metric).estimate
    assert (
        f", before {100 * before:.1f}." in leakage.plot().alt
        and "Open: before the adjustment" in leakage.plot().caption
    )


@pytest.mark.long
def test_the_mean_of_refits_and_the_own_interval_are_those_of_the_scores(lattice):
    people, fit = lattice
    leakage = fairstats.leakage(fit, people, permutations=7)
    quick = {row.metric: row for row in leakage.conditional}
    assert [row.verdict for row in leakage.conditional] == ["inconclusive", "disparity shown"]
    for row in leakage.estimates[:2]:  # the same number, with more or less around it
        assert quick[row.metric].estimate == row.estimate and quick[row.metric].p_value <= row.p_value
    rng, areas = np.random.default_rng(0), []
    for _ in range(12):
        shuffled = people.assign(g=rng.permutation(people["g"]))
        areas.append(
            fairstats.leakage(fairstats.og(["age", "days"], "g", data=shuffled, k=2), shuffled, permutations=0)
        )
    mean = np.mean([one.estimates[1].estimate for one in areas])
    spread = np.std([one.estimates[1].estimate for one in areas])
    assert leakage.refitted[1].estimate == pytest.approx(mean, abs=4 * spread * np.sqrt(1 / 7 + 1 / 12))


@pytest.mark.long
@pytest.mark.parametrize("language", ["en", "de"])
def test_a_page_never_says_that_no_model_recognizes_what_one_does(lattice, language):
    people, fit = lattice
    leakage = fairstats.leakage(fit, people, permutations=19)
    for results in ((leakage,), (fit, leakage)):
        text = " ".join(fairstats.report(*results, language=language).html.split())
        if language == "de":
            assert "Aus diesen Scores kann ein Modell die Gruppen von" in text
            continue
        assert "No model tried here" not in text and "It is not shown that the groups" not in text
        assert "From these scores a model can tell the groups of" in text and "is not shown. A non-linear model" in text
        assert "they are not hidden from it" in text and "in these scores" in text
        (row,) = leakage.recognized
        assert f"{row.estimate:.1%} of pairs (95% CI {100 * row.conf_low:.1f} to {100 * row.conf_high:.1f}" in text
        mean = next(r for r in leakage.refitted if r.metric == row.metric).estimate
        assert f"a non-linear model was right in {mean:.1%} of pairs on average, and here in {row.estimate:.1%}" in text


def test_equal_weights_change_nothing_of_what_is_found():
    rng = np.random.default_rng(9)
    X, g = noise(rng, 80, 3, 0.5)
    w = np.full(80, 3.0)
    plain = fairstats.leakage(fairstats.og(X, g, k=2), X, g, permutations=9)
    equal = fairstats.leakage(fairstats.og(X, g, k=2, weights=w), X, g, weights=w, permutations=9)
    assert equal.refits == plain.refits and not equal.weighted
    for name in ("estimate", "conf_low", "p_value"):
        np.testing.assert_allclose(equal.estimates.column(name), plain.estimates.column(name), rtol=1e-6)


def of_three(rng):
    g = np.repeat(["a", "b", "c"], [67, 64, 266])
    shift = (g == "c").astype(float) + 0.5 * (g == "b")
    return np.column_stack([rng.normal(size=397) * 3e4 + 1e5 + 3e4 * shift, rng.integers(0, 40, 397) + 9 * shift]), g


@pytest.mark.parametrize("held_out", [False, True])
def test_rounding_of_what_is_erased_tells_no_group(held_out):
    X, g = of_three(np.random.default_rng(1))
    with pytest.warns(fairstats.FairstatsWarning, match="leaves nothing"):
        fit = fairstats.leace(X, g)
    kept = fit.crossfit(X, g)
    for fold in (0, 1):
        assert not np.ptp(kept.scores[kept.folds == fold], axis=0).any()
    given = (kept,) if held_out else (fit, X, g)
    for row in fairstats.leakage(*given, permutations=19).estimates:
        assert row.estimate == (0.5 if row.metric.startswith("AUC") else 0) and row.p_value == 1


@pytest.mark.parametrize("twice", [False, True])
def test_a_component_without_variation_adds_nothing_to_what_probes_find(twice):
    X, g = of_three(np.random.default_rng(2))
    X = np.column_stack([X, X[:, 0] * 2])
    fits = {k: fairstats.og(X, g, k=k, scale=True) for k in (2, 3)}
    if twice:  # scores that were held out by other means, of which only their sizes are known
        folds = np.arange(len(g)) % 2
        kept = {k: fairstats.OutOfFoldScores(fit.transform(X, g), folds, g, "og", 0) for k, fit in fits.items()}
    else:
        kept = {k: fit.crossfit(X, g) for k, fit in fits.items()}
    assert not kept[3].scores[:, 2].any()
    linear = {k: [r.estimate for r in fairstats.leakage(one, permutations=0).estimates[:3]] for k, one in kept.items()}
    np.testing.assert_allclose(linear[3], linear[2], atol=0.02)


def test_features_of_small_units_are_no_rounding(rng):
    g = np.arange(200) % 2
    X = np.column_stack([rng.normal(size=200) * 1e6, rng.normal(size=200) * 1e-6 + 1e-6 * g, rng.normal(size=200)])
    for fit in (fairstats.pca(X, k=3), fairstats.comparators.residualize(X, g)):
        kept = fit.crossfit(X, g)
        for fold in (0, 1):
            assert np.unique(kept.scores[kept.folds == fold], axis=0).shape == (100, 3)
            assert all(np.ptp(kept.scores[kept.folds == fold], axis=0) > 1e-7)
