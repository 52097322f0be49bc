"""Numbers in notes are recomputed from the fit; searches that are cut short, or have one way to go, still go it."""

from __future__ import annotations

import re
import warnings
from typing import Any

import numpy as np
import pandas as pd
import pytest

import fairstats
from fairstats.errors import FairstatsWarning
from fairstats.methods.minimax import _promises
from fairstats.methods.minimax_solvers import Minimax, polished
from fairstats.methods.probed import ProbedRows, r_squared
from fairstats.text import significant

RNG = np.random.default_rng(5)
G = np.array(["a", "b", "c"])[np.arange(90) % 3]
X = RNG.standard_normal((90, 5)) * [3, 2, 1, 1, 1] + 0.7 * (G == "b")[:, None]


def said(text: str, pattern: str) -> list[float]:
    result = re.search(pattern, " ".join(text.split()))
    assert result, text
    return [float(one.replace(",", "")) for one in result.groups()]


@pytest.mark.parametrize(
    "method", [fairstats.og, fairstats.fair_pca, fairstats.leace, fairstats.comparators.residualize]
)
def test_the_summary_of_several_attributes_says_that_their_intersections_stay(method) -> None:
    """What it says is so: means differ in the intersection, and no more once that is the attribute."""
    table = pd.DataFrame({"p": np.where(G == "a", "a", "b"), "q": np.array(["u", "v"])[np.arange(90) % 2]})
    both = np.where(table.p == "a", table.q, "w")
    features = X + 2 * (both == "u")[:, None] * [1, 0, 1, 0, 0]

    def gap(fit: Any) -> float:
        means = pd.DataFrame(fit.transform(features, table)).groupby([table.p, table.q]).mean()
        return float(np.ptp(means.to_numpy(), axis=0).max())

    note = "means of their intersections may still differ; groups='p:q' adjusts for these."
    fit = method(features, ["p", "q"], data=table)
    for text in (fit.summary(), str(fit)):
        assert note in " ".join(text.split())
    assert gap(fit) > 0.1 and gap(method(features, "p:q", data=table)) < 1e-8
    for groups in ("p", "p:q"):
        assert "intersections" not in method(features, groups, data=table).summary()
    with pytest.warns(FairstatsWarning, match="combinations of the others"):
        assert "intersections" not in method(features, ["p:q", "p"], data=table).summary()
    assert "intersections" not in fairstats.pca(features, ["p", "q"], data=table).summary()


@pytest.mark.parametrize("k", [1, 2])
def test_the_note_of_sog_on_later_scores_stands_where_there_are_some_and_is_so(k: int) -> None:
    fit = fairstats.sog(X, G, k=k, t=1.5)
    assert ("Later scores are uncorrelated" in " ".join(fit.notes)) == (k > 1)
    scores = fit.transform(X, G)
    others = np.column_stack([G == "b", G == "c", scores[:, : k - 1]]).astype(float)
    assert np.abs(np.corrcoef(others, scores[:, k - 1 :], rowvar=False)[-1, :-1]).max() < 1e-8


@pytest.mark.parametrize("objective", ["variance", "nash"])
def test_notes_of_minimax_say_what_the_groups_keep(objective: str) -> None:
    fit = fairstats.minimax_pca(X, G, k=2, objective=objective)
    plain = fairstats.pca(X, k=2)
    kept, beside = [], []
    for v in "abc":
        current = X[v == G] - X[v == G].mean(axis=0)
        spread = np.sum(current**2) / len(current)
        for result, loadings in ((kept, fit.loadings), (beside, plain.loadings)):
            left = current - current @ loadings @ loadings.T
            result.append(spread - np.sum(left**2) / len(current))
    ours, theirs = said(
        " ".join(fit.notes),
        r"kept of a group ([\d.,]+) \([\w, ]+\); with PCA of the same k, each group about its own mean, ([\d.,]+)\.",
    )
    scale = ours / min(kept)
    assert ours == pytest.approx(scale * min(kept), rel=1e-5)
    assert theirs == pytest.approx(scale * min(beside), rel=1e-3)
    assert str(ours)[-1] != "0" and len(f"{ours}".replace(".", "").lstrip("0")) <= 6
    if objective == "nash":
        mean, other = said(" ".join(fit.notes), r"variances kept is ([\d.,]+); with PCA .* mean, ([\d.,]+)\.")
        assert mean == pytest.approx(scale * np.exp(np.mean(np.log(kept))), rel=1e-3) and mean >= other
        assert all(len(f"{one}".replace(".", "").lstrip("0")) <= 6 for one in (mean, other))


def test_the_note_of_minimax_names_all_groups_that_are_worst_off() -> None:
    """Two groups end at the same loss; of three, the one that loses less is not named."""
    two = fairstats.minimax_pca(X[G != "c"], G[G != "c"], k=2)
    assert "(a, b); with PCA" in two.notes[0]
    overall = fairstats.minimax_pca(X, G, k=2, center_by="overall").notes[0]
    assert "with PCA of the same k " in overall and "about its own mean" not in overall
    three = fairstats.minimax_pca(np.where(G[:, None] == "c", 0.1, 1.0) * X, G, k=2)
    lost = three.diagnostics["losses"]
    assert lost["a"] == pytest.approx(lost["b"], abs=1e-6) and lost["c"] < 0.99 * lost["a"]
    assert "(a, b); with PCA" in three.notes[0]


@pytest.mark.parametrize("shift", [3.0])
def test_the_note_of_inlp_counts_rows(shift: float) -> None:
    Z = X + shift * (G == "c")[:, None]
    fit = fairstats.comparators.inlp(Z[:84], G[:84])
    reported, chance = said(
        " ".join(fit.notes), r"told ([\d.]+)% of the training rows' groups \(the largest group is ([\d.]+)%"
    )
    assert chance == pytest.approx(100 * 28 / 84, abs=0.05)
    assert abs(reported * 84 / 100 - round(reported * 84 / 100)) < 0.05 and reported <= 100


@pytest.mark.parametrize("steps", [7, 13])
def test_a_search_of_rlace_that_is_cut_short_is_evaluated_where_it_ends(steps: int) -> None:
    with warnings.catch_warnings(record=True) as reported:
        warnings.simplefilter("always", FairstatsWarning)
        fit = fairstats.comparators.rlace(X + 2.0 * (G == "c")[:, None], G, rank=1, max_iter=steps)
    losses = [
        said(str(one.message), r"loss of (-?[\d.]+|-inf) nats")[0] for one in reported if "nats" in str(one.message)
    ]
    assert all(np.isfinite(losses)) and np.abs(fit.left[:, 0]).max() < 1 - 1e-9  # not the first axis as it stood


@pytest.mark.parametrize("unit", [1e-9, 1.0, 1e9])
def test_the_share_that_groups_explain_of_a_score_has_no_unit(unit: float) -> None:
    rows = ProbedRows.of("inlp", X * unit, G, data=None, missing="raise", scale=False)
    share = r_squared(rows, np.eye(5))
    means = np.array([X[v == G].mean(axis=0) for v in "abc"]) - X.mean(axis=0)
    np.testing.assert_allclose(share, 30 * np.sum(means**2, axis=0) / np.sum((X - X.mean(axis=0)) ** 2, axis=0))


def test_fractions_that_leave_no_direction_over_are_shared_out_until_losses_are_equal() -> None:
    """Two groups, two axes, both in use: only the fractions can change, and 2 - 2 s = s has one answer."""
    S, sigma = np.array([np.diag([2.0, 0.0]), np.diag([0.0, 1.0])]), np.array([2.0, 1.0])
    V, lam = polished(S, sigma, np.eye(2), np.array([0.5, 0.5]), np.array([1 / 3, 2 / 3]))
    P = V @ np.diag(lam) @ V.T
    losses = sigma - np.einsum("gij,ij->g", S, P)
    np.testing.assert_allclose(losses, [2 / 3, 2 / 3], atol=1e-9)
    assert lam.sum() == pytest.approx(1)


@pytest.mark.parametrize("gap", [0.2, -0.2, 0.9])
def test_a_balance_of_disparity_pca_is_found_wherever_the_difference_changes_its_sign(gap: float) -> None:
    rng = np.random.default_rng(9)
    g = np.array(["a", "b"])[np.arange(120) % 2]
    spread = np.where((g == "a")[:, None], [1.0, 1 + gap, 1, 1], [1 + gap, 1.0, 1, 1])
    Z = 0.05 * rng.standard_normal((120, 4)) * spread  # errors far below 1: a difference of 1 is no edge of anything
    items = []
    for one, other in (("a", "b"), ("b", "a")):
        try:
            fit = fairstats.disparity_pca(Z, g, 2, lam="balance", advantaged=one, disadvantaged=other)
        except fairstats.errors.InputError as error:
            low, high = said(str(error), r"runs from (-?[\de.-]+) \(λ = 0\) to (-?[\de.-]+) \(λ = 1\)")
            assert low * high > 0
            continue
        lost = [np.mean(np.sum((Z - fit.reconstruct(Z))[g == v] ** 2, axis=1)) for v in "ab"]
        assert lost[0] == pytest.approx(lost[1], rel=1e-6)
        items.append(one)
    assert items


def test_folds_that_are_numbers_stay_as_they_were_numbered_and_labels_are_numbered() -> None:
    scores, folds = np.zeros((6, 1)), np.array([3, 10, 2, 3, 10, 2])
    kept = fairstats.OutOfFoldScores(scores=scores, folds=folds, groups=["a", "b"] * 3, method="ours", seed=0)
    assert kept.folds.dtype.kind == "i" and kept.folds.tolist() == folds.tolist()
    named = fairstats.OutOfFoldScores(scores=scores, folds=list("xyzxyz"), groups=["a", "b"] * 3, method="ours", seed=0)
    assert named.folds.tolist() == [0, 1, 2, 0, 1, 2]


@pytest.mark.parametrize("share", [1.0, 1.5, -0.2])
def test_a_number_of_directions_that_is_no_share_is_no_number_of_directions(share: float) -> None:
    with pytest.raises(fairstats.errors.InputError, match="directions") as reported:
        fairstats.fair_pca(X, G, 2, equalize="covariance", directions=share)
    assert "features; it can be" not in str(reported.value)


def test_components_without_variation_do_not_hide_what_the_groups_explain_of_the_others() -> None:
    low = X[:, :2] @ RNG.standard_normal((2, 4))
    text = fairstats.pca(low, G, k=4).summary()
    assert "what the groups explain" in text and "what the groups explain" not in fairstats.pca(low, k=4).summary()


def test_the_guarantee_of_two_equal_losses_can_fail() -> None:
    result = Minimax(np.eye(3), np.ones(3), np.array([0.5, 0.5]), 0.5, 1)
    settings = {"objective": "error", "solver": "dual"}
    for other, holds in ((1.0, True), (1.5, False)):
        promises, _ = _promises(np.array([4.0, 5.0]), np.array([1.0, other]), result, settings)
        (apart,) = (promise for promise in promises if "difference of the two" in promise.statement)
        assert apart.value == pytest.approx((other - 1) / 5) and apart.holds == holds


@pytest.mark.parametrize("k", [1, 2])
def test_scores_and_directions_are_numbered_from_1(k: int) -> None:
    fit = fairstats.fair_pca(X, G, k, tradeoff=0.5)
    assert f"Scores {k + 1} to {2 * k} are 0.5 times PCA's" in " ".join(fit.notes)
    lines = fairstats.leace(X, G).summary().splitlines()
    first = next(i for i, line in enumerate(lines) if line.startswith("direction "))
    assert [line.split()[0] for line in lines[first + 2 : first + 4]] == ["1", "2"]


@pytest.mark.parametrize("target", ["parity", "equal_opportunity"])
def test_equal_means_are_promised_among_the_rows_that_they_are_of(target: str) -> None:
    y = (np.arange(90) % 4 > 0).astype(int)
    options = {} if target == "parity" else {"target": target, "y": y}
    (reported, *_) = (
        g.statement for g in fairstats.fair_pca(X, G, 2, **options).guarantees if "equal group means" in g.statement
    )
    assert ("among rows with y=" in reported) == (target == "equal_opportunity")


@pytest.mark.parametrize("groups", [2, 3])
def test_the_weights_of_groups_at_the_nash_optimum_are_inverse_to_what_is_kept_of_them(groups: int) -> None:
    g = np.array(["a", "b", "c"])[np.arange(90) % groups]
    fit = fairstats.minimax_pca(X * np.where(g == "b", 2.0, 1.0)[:, None], g, k=2, objective="nash")
    Z = X * np.where(g == "b", 2.0, 1.0)[:, None]
    kept = []
    for v in sorted(set(g)):
        current = Z[g == v] - Z[g == v].mean(axis=0)
        kept.append(np.sum((current @ fit.loadings) ** 2) / len(current))
    wanted = 1 / np.array(kept)
    np.testing.assert_allclose(fit.diagnostics["dual"], wanted / wanted.sum(), rtol=1e-3)


@pytest.mark.parametrize("gamma", [0.0123456, 0.5])
def test_the_summary_of_a_kernel_has_its_width_to_four_digits(gamma: float) -> None:
    text = " ".join(fairstats.fair_kernel_pca(X, G, k=1, kernel="rbf", gamma=gamma).summary().split())
    assert f"gamma {significant(gamma, 4)}; 90 basis rows" in text


def test_one_protected_feature_that_the_groups_determine_is_refused_beside_others() -> None:
    g = np.array(["a", "b"])[np.arange(90) % 2]
    Z = np.column_stack([X[:, 0], np.where(g == "b", 0.7, 0.3), X[:, 2:]])
    with pytest.raises(fairstats.errors.InputError, match="which the groups"):
        fairstats.comparators.location_scale(Z, g, protect=["x1", "x2"])
    assert fairstats.comparators.location_scale(X, g, protect=["x1", "x2"]).summary()
