"""What is promised and noted of a fit is said of what it is: its unit, its bound, its fractions, its rounds."""

from __future__ import annotations

import numpy as np
import pytest

import fairstats
from fairstats.data.groups import Groups
from fairstats.methods.minimax import _promises
from fairstats.methods.minimax_solvers import Minimax
from tests.laws.every_method import EVERY, OF, PROJECTIONS

pytestmark = pytest.mark.filterwarnings("ignore::fairstats.errors.FairstatsWarning")
RNG = np.random.default_rng(12)
G = np.array(["a", "b"])[np.arange(80) % 2]
X = RNG.standard_normal((80, 5)) * [3.0, 2.0, 1.5, 1.0, 0.7] + 0.8 * (G == "b")[:, None]
CHEAP = [name for name in PROJECTIONS if name not in {"mbf_pca", "rlace_pca", "fpca", "sog", "inlp_pca"}]


@pytest.mark.parametrize("name", CHEAP)
def test_what_groups_explain_of_a_component_has_no_unit(name: str) -> None:
    ours, theirs = EVERY[name](X, G), EVERY[name](X * 1e-4, G)
    np.testing.assert_allclose(theirs.group_share, ours.group_share, rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("name", EVERY)
def test_no_guarantee_is_of_a_tolerance_that_lets_anything_pass(name: str) -> None:
    """Numbers that are checked are relative or bounded by the caller: a thousandth is the most that is let pass."""
    allowed = 0.1 + 1e-3 if OF[name].name == "mbf_pca" else 1e-3
    assert all(0 < promise.tolerance <= allowed for promise in EVERY[name](X, G).guarantees)


@pytest.mark.parametrize("ratio", [1.0, 0.9])
def test_the_promise_of_a_nash_optimum_is_the_share_of_the_mean_that_is_missing(ratio: float) -> None:
    spread, kept = np.array([6.0, 5.0]), np.array([4.0, 2.0])
    result = Minimax(np.eye(3), np.ones(3), np.array([0.5, 0.5]), float(np.log(kept / ratio).sum()), 1)
    (promise,), gap = _promises(spread, spread - kept, result, {"objective": "nash", "solver": "dual"})
    assert promise.value == gap == pytest.approx(1 / ratio - 1, abs=1e-12) and promise.holds == (ratio == 1)


def test_a_fractional_optimum_with_a_whole_direction_beside_is_called_fractional() -> None:
    """Four lines in a plane at 45 degrees, and a third axis on which every group varies most."""
    r = np.sqrt(0.5)
    lines = np.array([[1, 0, 0], [0, 1, 0], [r, r, 0], [r, -r, 0]])
    rows = np.vstack([lines, -lines, *[np.tile([0, 0, s], (4, 1)) for s in (3.0, -3.0)]])
    fit = fairstats.minimax_pca(rows, list("abcd") * 4, k=2)
    np.testing.assert_allclose(np.sort(fit.diagnostics["fractions"]), [0.5, 0.5, 1.0], atol=1e-6)
    assert "The optimum is fractional: 3 components stand for k = 2" in " ".join(fit.notes)


def test_the_round_of_inlp_that_ends_the_search_is_counted_from_1() -> None:
    """Two groups that differ along one axis only: the second round has nothing left to find."""
    rows = np.column_stack([np.repeat([1.0, -1.0], 40), np.tile([1.0, -1.0], 40), np.tile([1.0, 1.0, -1.0, -1.0], 20)])
    fit = fairstats.comparators.inlp(rows, np.repeat(["a", "b"], 40), rounds=2)
    assert " Round 2 found no direction any more" in " ".join(fit.notes)
    assert fit.rank == 1


@pytest.mark.parametrize("scale", [False, True])
def test_the_matrix_of_an_eraser_is_its_transform_in_the_units_of_the_data(scale: bool) -> None:
    fit = fairstats.leace(X * [1, 10, 0.1, 1, 3], G, scale=scale)
    rows = X * [1, 10, 0.1, 1, 3]
    middle = rows.mean(axis=0)
    np.testing.assert_allclose(fit.transform(rows), middle + (rows - middle) @ fit.matrix.T, atol=1e-9)


def test_held_out_means_are_numbered_from_1_and_those_of_their_scores() -> None:
    scores = RNG.standard_normal((8, 2))
    kept = fairstats.OutOfFoldScores(
        scores=scores, folds=np.arange(8) // 4, groups=Groups.of(G[:8]), method="ours", seed=0
    )
    entries = {(row.term, row.given, row.group): row.estimate for row in kept.estimates}
    assert {term for term, *_ in entries} == {"component 1", "component 2"}
    assert entries["component 2", "fold 1", "b"] == pytest.approx(scores[[1, 3], 1].mean())


def test_a_group_without_variation_loses_nothing_and_takes_nothing_from_the_others() -> None:
    rows = np.vstack([X, np.tile(X[0], (40, 1))])
    fit = fairstats.minimax_pca(rows, np.r_[G, np.repeat("c", 40)], k=2)
    two = fairstats.minimax_pca(X, G, k=2)
    losses = fit.diagnostics["losses"]
    assert losses["c"] == pytest.approx(0, abs=1e-9)
    assert max(losses.values()) == pytest.approx(max(two.diagnostics["losses"].values()), rel=1e-6)
