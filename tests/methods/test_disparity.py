"""Disparity-weighted PCA: the notes' worked example, optimality, balance with and without a jump."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import fairstats
from fairstats.errors import InputError
from fairstats.methods.disparity import disparity_path

NOTES = np.array([[2.0, 0], [3, 0], [4, 0], [0, 1], [0, 2], [0, 3]])
NAMES = list("aaabbb")
ROLES = {"advantaged": "a", "disadvantaged": "b"}


def two(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    g = np.where(rng.random(300) < 0.7, "a", "b")
    spread = np.where((g == "a")[:, None], [3.0, 2, 1, 0.5, 0.5], [1.0, 1, 2.5, 2, 0.5])
    return rng.standard_normal((300, 5)) * spread, g


def test_the_notes_worked_example() -> None:
    plain = fairstats.disparity_pca(NOTES, NAMES, 1, lam=1.0, center=False, **ROLES)
    np.testing.assert_allclose(plain.loadings.ravel(), [1, 0], atol=1e-12)
    assert plain.diagnostics["errors"]["a"] == pytest.approx(0, abs=1e-12)
    assert plain.diagnostics["errors"]["b"] == pytest.approx(14 / 3)
    assert plain.diagnostics["disparity"] == pytest.approx(14 / 3)
    balanced = fairstats.disparity_pca(NOTES, NAMES, 1, lam="balance", center=False, **ROLES)
    assert balanced.diagnostics["lam"] == pytest.approx(86 / 101, abs=1e-12)
    assert balanced.diagnostics["disparity"] == pytest.approx(0, abs=1e-10)
    assert list(balanced.diagnostics["errors"].values()) == pytest.approx([3.147, 3.147], abs=5e-4)
    assert "b loses as much as a on average; with plain PCA 4.66667 more than a." in balanced.notes[0]
    assert "b loses 4.66667 more than a on average" in plain.notes[0]
    below = fairstats.disparity_pca(NOTES, NAMES, 1, lam=86 / 101 - 1e-9, center=False, **ROLES)
    assert below.diagnostics["disparity"] == pytest.approx(-29 / 3)


def test_lambda_one_is_pca(rng: np.random.Generator) -> None:
    X, g = two(rng)
    np.testing.assert_allclose(
        fairstats.disparity_pca(X, g, 2, lam=1, **ROLES).loadings, fairstats.pca(X, k=2).loadings, atol=1e-8
    )


def test_no_other_subspace_has_a_smaller_objective(rng: np.random.Generator) -> None:
    X, g = two(rng)
    Xc = X - X.mean(axis=0)

    def objective(U: np.ndarray) -> float:
        rest = np.sum((Xc - Xc @ U @ U.T) ** 2, axis=1)
        return 0.4 * rest.mean() + 0.6 * (rest[g == "b"].mean() - rest[g == "a"].mean())

    fit = fairstats.disparity_pca(X, g, 2, lam=0.4, **ROLES)
    assert all(x.holds for x in fit.guarantees)
    for _ in range(200):
        other = np.linalg.qr(fit.loadings + rng.uniform(0, 1) * rng.standard_normal((5, 2)))[0]
        assert objective(other) >= objective(fit.loadings) - 1e-9


@pytest.mark.parametrize("k", [1, 2, 3])
def test_balance_makes_the_errors_equal(rng: np.random.Generator, k: int) -> None:
    X, g = two(rng)
    fit = fairstats.disparity_pca(X, g, k, lam="balance", scale=False, **ROLES)
    Xt = fit.reconstruct(X)
    a, b = (np.sum((X - Xt)[g == level] ** 2) / np.sum(g == level) for level in "ab")
    assert a == pytest.approx(b, rel=1e-8)
    assert all(x.holds for x in fit.guarantees)


@pytest.mark.parametrize("k", [2, 3])
def test_balance_has_the_components_of_its_lambda(rng: np.random.Generator, k: int) -> None:
    """Where the errors meet without a jump: same directions, same order, same signs as with that λ given."""
    X, g = two(rng)
    fit = fairstats.disparity_pca(X, g, k, lam="balance", **ROLES)
    other = fairstats.disparity_pca(X, g, k, lam=fit.diagnostics["lam"], **ROLES)
    assert other.diagnostics["disparity"] == pytest.approx(0, abs=1e-6)  # no jump
    np.testing.assert_allclose(fit.loadings, other.loadings, atol=1e-6)
    np.testing.assert_allclose(fit.energy, other.energy, rtol=1e-6)


def test_along_the_path_error_falls_and_disparity_grows(rng: np.random.Generator) -> None:
    X, g = two(rng)
    fit = fairstats.disparity_pca(X, g, 2, lam="balance", **ROLES)
    path = disparity_path(fit, X, g)
    assert (np.diff(path.error) <= 1e-9).all() and (np.diff(path.disparity) >= -1e-9).all()


def test_the_fit_knows_its_groups_in_a_table(rng: np.random.Generator) -> None:
    X, g = two(rng)
    table = pd.DataFrame(X, columns=list("vwxyz")).assign(team=g)
    fit = fairstats.disparity_pca(list("vwxyz"), "team", 2, data=table, lam=0.5, **ROLES)
    path = disparity_path(fit, table, lams=[0.5])
    new = fit.reconstruct(table.drop(columns="team"))
    errors = {level: np.mean(np.sum((X - new)[g == level] ** 2, axis=1)) for level in "ab"}
    assert path.disparity[0] == pytest.approx(errors["b"] - errors["a"])
    assert len(fit.crossfit(table).scores) == len(table)
    assert "Groups: team (a, b)" in fit.summary()
    with pytest.raises(InputError, match="groups is missing"):
        disparity_path(fit, table.drop(columns="team"))


def test_bad_input(rng: np.random.Generator) -> None:
    X, g = two(rng)
    with pytest.raises(InputError, match="disadvantaged='c' is not a level of groups"):
        fairstats.disparity_pca(X, g, 1, lam=0.5, advantaged="a", disadvantaged="c")
    with pytest.raises(InputError, match=r"lam has 1.5; it"):
        fairstats.disparity_pca(X, g, 1, lam=1.5, **ROLES)
    with pytest.raises(InputError, match="swap the two"):
        fairstats.disparity_pca(X, g, 1, lam="balance", advantaged="b", disadvantaged="a")
    much = np.where(np.char.equal(g, "b")[:, None], 5 * X, X)
    for roles in (ROLES, {"advantaged": "b", "disadvantaged": "a"}):
        with pytest.raises(InputError, match="no fit with k = 1 has equal errors; pass another k"):
            fairstats.disparity_pca(much, g, 1, lam="balance", **roles)
    with pytest.raises(InputError, match="are both 'a'"):
        fairstats.disparity_pca(X, g, 1, lam=0.5, advantaged="a", disadvantaged="a")
