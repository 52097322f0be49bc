"""Both kinds of centered view answer every question alike, and as plain arithmetic on the rows does."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from scipy import linalg, sparse

import fairstats
from fairstats.data.centered import CenteredMoments, CenteredRows, centered, centered_by_group
from fairstats.data.centered_view import Centered, Residual
from fairstats.data.design import Design
from fairstats.errors import InputError


@dataclass
class Truth:
    """A design of 60 rows and 9 features, and its W^½X_c and W^½Z by hand."""

    design: Design
    X: np.ndarray
    Z: np.ndarray
    codes: np.ndarray
    w: np.ndarray

    @property
    def residual(self) -> np.ndarray:
        return self.X - self.Z @ np.linalg.lstsq(self.Z, self.X, rcond=None)[0]


def truth(scale: bool, kind: str) -> Truth:
    rng = np.random.default_rng(5)
    g = rng.choice(["a", "b", "c"], 60)
    X = rng.standard_normal((60, 9)) * np.linspace(3, 0.5, 9) + (g == "b")[:, None] * rng.standard_normal(9) + 4.0
    X[:, 8] = 0.0
    X[:7, 8] = 2.0
    w = rng.random(60)
    design = Design.of(sparse.csr_array(X) if kind == "sparse" else X, g, weights=w)
    w = w if design.weights is None else np.asarray(design.weights)
    centered_rows = X - w @ X / w.sum()
    if scale:
        centered_rows /= np.sqrt(w @ centered_rows**2 / (w.sum() - w @ w / w.sum()))
    Z = np.column_stack([g == "b", g == "c"]).astype(float)
    root = np.sqrt(w)[:, None]
    return Truth(design, root * centered_rows, root * (Z - w @ Z / w.sum()), np.searchsorted(["a", "b", "c"], g), w)


@pytest.fixture(params=["moments", "rows", "sparse"])
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(params=[False, True], ids=["units", "scaled"])
def present(request: pytest.FixtureRequest, kind: str) -> tuple[Centered, Truth]:
    t = truth(request.param, kind)
    if kind == "moments":
        return CenteredMoments(fairstats.Moments.of(t.design), scale=request.param), t
    return CenteredRows(t.design, scale=request.param), t


def pairs_of(A: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray]:
    values, V = np.linalg.eigh(A.T @ A)
    return values[::-1][:k], V[:, ::-1][:, :k]


def same_pairs(got: tuple[np.ndarray, np.ndarray], A: np.ndarray, k: int = 3) -> None:
    values, V = pairs_of(A, k)
    np.testing.assert_allclose(got[0], values, rtol=1e-9)
    np.testing.assert_allclose(got[1] @ got[1].T, V @ V.T, atol=1e-6)


def close(a: Any, b: Any) -> None:
    np.testing.assert_allclose(a, b, atol=1e-10 * max(1.0, float(np.abs(b).max())))


def test_second_moments_are_those_of_the_rows(present: tuple[Centered, Truth]) -> None:
    view, t = present
    B = np.random.default_rng(1).standard_normal((9, 2))
    close(view.total, np.sum(t.X**2))
    close(view.squares, np.sum(t.X**2, axis=0))
    close(view.covariance, t.X.T @ t.X)
    close(view.along(B), (t.X @ B).T @ (t.X @ B))
    assert view.max_rank == 9 and view.effective_n == pytest.approx(t.w.sum() ** 2 / (t.w @ t.w))
    size = np.linalg.norm(t.X, axis=0)
    close(view.solve_correlation(B), np.linalg.pinv((t.X / size).T @ (t.X / size)) @ B)


def test_groups_enter_through_their_encoding(present: tuple[Centered, Truth]) -> None:
    view, t = present
    assert view.grouped and view.attributes == ("group",) and view.continuous == ()
    close(view.gram_z, t.Z.T @ t.Z)
    close(view.cross_z, t.Z.T @ t.X)
    B = np.random.default_rng(2).standard_normal((9, 2))
    between = np.sum((linalg.orth(t.Z).T @ t.X @ B) ** 2, axis=0)
    close(view.explained(B), between)
    close(view.shares(B, np.sum((t.X @ B) ** 2, axis=0)), between / np.sum((t.X @ B) ** 2, axis=0))
    Q = view.mean_directions
    close(Q.T @ Q, np.eye(2))
    close(Q @ Q.T, linalg.orth(t.X.T @ t.Z) @ linalg.orth(t.X.T @ t.Z).T)


def test_leading_directions_are_those_of_the_singular_value_decomposition(present: tuple[Centered, Truth]) -> None:
    view, t = present
    Q = view.mean_directions
    same_pairs(view.leading(3), t.X)
    same_pairs(view.leading_residual(3), t.residual)
    outside = view.leading_outside(3, Q)
    same_pairs(outside, t.X @ (np.eye(9) - Q @ Q.T))
    close(Q.T @ outside[1], np.zeros((2, 3)))
    assert view.leading_energy(3) == pytest.approx(pairs_of(t.X, 3)[0].sum(), rel=1e-10)
    assert view.residual_energy(3) == pytest.approx(pairs_of(t.residual, 3)[0].sum(), rel=1e-10)
    center = view.scaling.center / (1.0 if view.scaling.scale is None else view.scaling.scale)
    same_pairs(view.leading_about_origin(3), t.X + np.outer(np.sqrt(t.w), center))


def test_an_oblique_projection_is_taken_out_as_its_matrix_does(present: tuple[Centered, Truth]) -> None:
    view, t = present
    right = np.random.default_rng(3).standard_normal((2, 9))
    root = np.linalg.cholesky(right @ t.X.T @ t.X @ right.T)
    right = np.linalg.solve(root, right)  # so that right · left = I
    left = t.X.T @ t.X @ right.T
    same_pairs(view.leading_erased(3, left, right), t.X @ (np.eye(9) - right.T @ left.T))


def test_components_taken_out_of_the_residual_are_gone(present: tuple[Centered, Truth]) -> None:
    view, t = present
    C = t.residual.T @ t.residual
    operator = view.residual_operator()
    close(operator.times(np.eye(9)), C)
    close(operator.diagonal, np.diag(C))
    u = np.random.default_rng(4).standard_normal(9)
    rest = operator.without(u, C @ u, float(u @ C @ u))
    close(rest.times(np.eye(9)), C - np.outer(C @ u, C @ u) / (u @ C @ u))
    close(rest.diagonal, np.diag(rest.times(np.eye(9))))
    top = np.linalg.eigh(rest.times(np.eye(9)))[1][:, -1]
    assert abs(float(top @ rest.leading()[:, 0])) == pytest.approx(1.0, abs=1e-6)
    close(operator.times(np.eye(9)), C)  # the first operator is as it was


def test_second_moments_by_group_are_those_of_its_rows(present: tuple[Centered, Truth]) -> None:
    view, t = present
    rows = t.X / np.sqrt(t.w)[:, None]
    levels, mass, means, within = view.second_moments("group")
    weight, unbiased = view.unbiased("group")
    assert levels == ("a", "b", "c")
    for g in range(3):
        current, w = rows[t.codes == g], t.w[t.codes == g]
        about = current - w @ current / w.sum()
        close(means[g], w @ current / w.sum())
        close(within[g], about.T @ (about * w[:, None]) / w.sum())
        close(unbiased[g], about.T @ (about * w[:, None]) / (w.sum() - w @ w / w.sum()))
        assert mass[g] == pytest.approx(w.sum()) and weight[g] == pytest.approx(w.sum())


def test_losses_by_cell_are_means_of_squared_residuals(present: tuple[Centered, Truth]) -> None:
    view, t = present
    rng = np.random.default_rng(6)
    assert view.cells is not None and view.cells.cells == (("a",), ("b",), ("c",))
    sd = 1.0 if view.scaling.scale is None else view.scaling.scale
    X = t.X / np.sqrt(t.w)[:, None] + view.scaling.center / sd
    maps = [Residual(rng.random(9), rng.random((9, k)), rng.random((9, k)), rng.random((3, 9))) for k in (1, 2)]
    mass, lost = view.cell_losses(maps)
    for part, got in zip(maps, lost, strict=True):
        x = X - part.center / sd
        squares = np.sum((x - x @ part.weights @ part.loadings.T + part.added[t.codes]) ** 2, axis=1)
        close(got, [np.average(squares[t.codes == g], weights=t.w[t.codes == g]) for g in range(3)])
    close(mass, [t.w[t.codes == g].sum() for g in range(3)])


def test_both_kinds_have_the_same_questions_and_no_more() -> None:
    """A method that could ask one kind something more would have to know which kind it has."""
    current = {name for name in vars(Centered) if not name.startswith("_")} | {"scaling"}
    for kind in (CenteredMoments, CenteredRows):
        more = {name for name in dir(kind) if not name.startswith("_")} - current
        assert more <= {"rows", "times", "transposed"}, more
        assert not inspect.isabstract(kind)


def test_rows_stand_where_there_are_more_features_than_rows_and_moments_elsewhere() -> None:
    rng = np.random.default_rng(0)
    g = np.arange(12) % 2
    assert isinstance(centered(rng.random((12, 20)), g), CenteredRows)
    assert isinstance(centered(rng.random((12, 12)), g), CenteredMoments)
    by_group = centered_by_group(rng.random((12, 20)), g)
    assert by_group.second_moments("group")[3].shape == (2, 20, 20)
    with pytest.raises(InputError, match="one level"):
        centered_by_group(rng.random((12, 2)), g, weights=1.0 * (g == 0))
    with pytest.raises(InputError, match="pool second moments"):
        centered(fairstats.Moments.of(rng.random((12, 2)), g, by_cell=False)).second_moments("group")
