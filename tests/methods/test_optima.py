"""Optima found by a search are optima of the problem, whichever route finds them: small problems solved otherwise."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import optimize

import fairstats
from fairstats.errors import InputError
from fairstats.methods import minimax_solvers
from fairstats.methods.minimax_solvers import extreme

RNG = np.random.default_rng(17)


def test_the_losses_of_a_fractional_optimum_are_those_of_what_is_rebuilt() -> None:
    """Four lines in the plane at 45 degrees: half of either axis is kept of each."""
    r = np.sqrt(0.5)
    lines = np.array([[1, 0], [0, 1], [r, r], [r, -r]])
    rows, g = np.vstack([lines, -lines]), list("abcd") * 2
    fit = fairstats.minimax_pca(rows, g, k=1)
    left = np.sum((rows - fit.reconstruct(rows, g)) ** 2, axis=1)
    np.testing.assert_allclose(left, 0.5, atol=1e-9)
    np.testing.assert_allclose(list(fit.diagnostics["losses"].values()), 0.5, atol=1e-9)
    assert fit.diagnostics["iterations"] > 0 and "fractional" in " ".join(fit.notes)


@pytest.mark.parametrize("groups", [5])
def test_a_mixture_of_rank_reduced_keeps_its_trace_and_its_largest_loss(groups: int) -> None:
    for _ in range(3):
        A = RNG.standard_normal((groups, 4, 6))
        S = np.einsum("gni,gnj->gij", A, A)
        sigma = np.array([np.linalg.eigvalsh(s)[-2:].sum() for s in S])
        result = minimax_solvers.dual(S, sigma, 2)
        lam, V = result.fractions, result.vectors
        assert lam.min() > 0 and lam.max() <= 1 and lam.sum() <= 2 + 1e-7  # the precision of the solver
        np.testing.assert_allclose(V.T @ V, np.eye(len(lam)), atol=1e-9)
        part = int(np.sum(lam < 1))
        assert part * (part + 1) / 2 <= groups
        assert minimax_solvers.losses(S, sigma, V, lam).max() <= result.bound + 1e-7 * sigma.max()
        assert result.iterations >= 1


def test_a_mixture_with_dust_still_has_fractions() -> None:
    S = np.array([np.diag([3.0, 0, 1]), np.diag([0, 3.0, 1])])
    V, lam = extreme(S, np.full(2, 3.0), 2, np.eye(3), np.array([1 - 1e-12, 1 - 1e-12, 2e-12]), np.full(2, 0.5), 0.0)
    assert lam.max() <= 1 and lam.sum() == pytest.approx(2)
    np.testing.assert_allclose(minimax_solvers.losses(S, np.full(2, 3.0), V, lam), 0, atol=1e-9)


@pytest.mark.parametrize("unit", [1e-3, 1e3])
def test_whether_a_balance_exists_has_no_unit_and_what_is_found_is_the_best_of_its_weight(unit: float) -> None:
    result = 0
    for seed in range(12):
        rng = np.random.default_rng(seed)
        g = np.array(["a", "b"])[np.arange(60) % 2]
        rows = unit * rng.standard_normal((60, 4)) * np.where((g == "a")[:, None], [3, 1, 1, 0.5], [1, 3, 1, 0.5])
        errors = {}
        for lam in (0.0, 1.0):
            fit = fairstats.disparity_pca(rows, g, 1, lam=lam, advantaged="a", disadvantaged="b")
            errors[lam] = fit.diagnostics["disparity"]
        if errors[0.0] > 0 or errors[1.0] < 0:
            with pytest.raises(InputError, match="is never 0"):
                fairstats.disparity_pca(rows, g, 1, lam="balance", advantaged="a", disadvantaged="b")
            continue
        fit = fairstats.disparity_pca(rows, g, 1, lam="balance", advantaged="a", disadvantaged="b")
        assert [promise.holds for promise in fit.guarantees] == [True, True]
        lost = [np.mean(np.sum((rows - fit.reconstruct(rows))[g == v] ** 2, axis=1)) for v in "ab"]
        assert lost[0] == pytest.approx(lost[1], rel=1e-6)
        result += 1
    assert 3 <= result < 12


@pytest.mark.parametrize(("steps", "axis", "bound"), [(1, 0, 0.25), (2, 0, 0.31123), (3, 1, 0.31123)])
def test_a_step_of_multiplicative_weights_multiplies_by_the_exponential_of_the_loss(
    steps: int, axis: int, bound: float
) -> None:
    """The second group loses 0.5 by the first axis, which is left once exp(0.5 t)/2 > 1; √e/2/(1 + √e) = 0.31123."""
    S, sigma = np.array([np.diag([1.0, 0.0]), np.diag([0.0, 0.5])]), np.array([1.0, 0.5])
    _, last = minimax_solvers.multiplicative_weights(S, sigma, 1, steps=steps)
    assert int(np.argmax(np.abs(last.vectors[:, 0]))) == axis
    assert last.bound == pytest.approx(bound, abs=1e-5)


def test_every_feature_goes_where_there_are_more_groups_than_features() -> None:
    rows, g = RNG.standard_normal((60, 2)), np.array(list("abcd"))[np.arange(60) % 4]
    with pytest.warns(fairstats.FairstatsWarning, match="leaves nothing"):
        fit = fairstats.leace(rows, g)
    np.testing.assert_allclose(fit.transform(rows), np.tile(rows.mean(axis=0), (60, 1)), atol=1e-10)
    assert fit.error == pytest.approx(fit.total) and fit.rank == 2


def test_the_bounds_of_sparse_loadings_are_eight_by_equal_factors_and_their_errors_those_of_rows_held_out() -> None:
    rows, g = RNG.standard_normal((80, 5)) * [3, 2, 1, 1, 1], np.array(["a", "b"])[np.arange(80) % 2]
    diagnostics = fairstats.sog(rows, g, k=1, t="cv").diagnostics
    np.testing.assert_allclose(diagnostics["bounds"], 5 ** (np.arange(8) / 14))
    assert diagnostics["errors"].shape == (8,)


def test_the_loss_that_rlace_names_is_that_of_the_best_probe() -> None:
    g = np.array(list("abc"))[np.arange(120) % 3]
    rows = RNG.standard_normal((120, 3)) + 1.5 * (g == "b")[:, None] * [1, 0, 0] + 1.5 * (g == "c")[:, None] * [0, 1, 0]
    with pytest.warns(fairstats.errors.FairstatsWarning, match="below the") as reported:
        fit = fairstats.comparators.rlace(rows, g, rank=1)
    named = float(str(reported[0].message).split("loss of ")[1].split()[0])
    Z = np.column_stack([np.ones(120), fit.transform(rows) - fit.transform(rows).mean(axis=0)])

    def loss(theta: np.ndarray) -> float:
        logits = Z @ theta.reshape(4, 3)
        return float(np.mean(np.logaddexp.reduce(logits, axis=1) - logits[np.arange(120), np.arange(120) % 3]))

    assert named == pytest.approx(optimize.minimize(loss, np.zeros(12)).fun, abs=2e-3)


@pytest.mark.parametrize("k", [3])
def test_the_note_of_a_trade_off_of_kernels_numbers_its_scores(k: int) -> None:
    rows, g = RNG.standard_normal((40, 4)), np.array(["a", "b"])[np.arange(40) % 2]
    fit = fairstats.fair_kernel_pca(rows, g, k=k, tradeoff=0.25)
    text = " ".join(fit.notes)
    assert f"Scores {k + 1} to {2 * k} are 0.25 times" in text and f"of the first {k}." in text
    assert fit.transform(rows).shape == (40, 2 * k)


@pytest.mark.parametrize("other", [{"scale": True}, {"basis": "residual"}, {"intercept": False}])
def test_features_left_where_they_are_go_with_none_of_what_needs_a_center(other: dict[str, Any]) -> None:
    rows, g = RNG.standard_normal((40, 4)), np.array(["a", "b"])[np.arange(40) % 2]
    assert fairstats.og(rows, g, k=1, center=False).k == 1
    with pytest.raises(InputError, match="center=False goes with"):
        fairstats.og(rows, g, k=1, center=False, **other)


@pytest.mark.parametrize("apart", [1.8, 2.2, 2.8, 3.0, 3.2])
def test_a_balance_where_the_best_axis_changes_is_between_the_two_axes_that_meet_there(apart: float) -> None:
    """Second moments along the axes: the first is best up to a weight, then the second, and the third from later on."""
    moments = {"a": [0.0, 3.25, 3.55], "b": [apart, 2.75, 2.55]}
    rows = np.vstack([sign * np.diag(np.sqrt(np.multiply(3, moments[v]))) for v in "ab" for sign in (1, -1)])
    g = np.repeat(["a", "b"], 6)
    fit = fairstats.disparity_pca(rows, g, 1, lam="balance", advantaged="a", disadvantaged="b")
    weight = fit.diagnostics["lam"]
    best = [weight * (a + b) / 2 + (1 - weight) * (b - a) for a, b in zip(*moments.values(), strict=True)]
    assert best[0] == pytest.approx(best[1]) and best[2] < best[0]
    assert [promise.holds for promise in fit.guarantees] == [True, True]
    assert abs(fit.loadings[2, 0]) < 1e-9 < abs(fit.loadings[:2, 0]).min()
