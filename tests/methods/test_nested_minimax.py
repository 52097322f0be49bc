"""Nested minimax components: each is on its bound, and the first k of more are those of k (Matakos et al. 2025)."""

from __future__ import annotations

import numpy as np
import pytest

import fairstats
from fairstats.errors import InputError


def groups(seed: int, count: int = 2, p: int = 6) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    parts = [rng.standard_normal((5 * p, p)) @ rng.standard_normal((p, p)) for _ in range(count)]
    return np.vstack(parts), np.repeat(list("abcdef")[:count], 5 * p)


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("objective", ["loss", "error"])
def test_every_component_is_on_the_bound_of_its_step_and_components_nest(seed: int, objective: str) -> None:
    X, g = groups(seed)
    fit = fairstats.minimax_pca(X, g, 4, nested=True, objective=objective)
    assert fit.guarantees[0].holds
    np.testing.assert_allclose(fit.loadings.T @ fit.loadings, np.eye(4), atol=1e-9)
    for k in (1, 2, 3):
        fewer = fairstats.minimax_pca(X, g, k, nested=True, objective=objective)
        np.testing.assert_allclose(fewer.loadings, fit.loadings[:, :k], atol=1e-6)
    assert fit.diagnostics["gap"] >= -1e-9


def test_the_first_is_the_minimax_direction_and_one_group_twice_gives_principal_components() -> None:
    X, g = groups(0)
    one, plain = (fairstats.minimax_pca(X, g, 1, nested=nested).diagnostics["losses"] for nested in (True, False))
    assert one == pytest.approx(plain, rel=1e-9)
    twice = np.vstack([X[g == "a"]] * 2)
    fit = fairstats.minimax_pca(twice, np.repeat(["a", "b"], len(twice) // 2), 3, nested=True)
    np.testing.assert_allclose(np.abs(fit.loadings), np.abs(fairstats.pca(X[g == "a"], k=3).loadings), atol=1e-6)


@pytest.mark.parametrize("seed", range(4))
def test_no_direction_at_random_beats_a_step_of_three_groups_and_the_bound_is_below_it(seed: int) -> None:
    X, g = groups(seed, 3, 4)
    fit = fairstats.minimax_pca(X, g, 2, nested=True)
    step = fit.diagnostics["steps"][0]
    S = [np.cov(X[g == level], rowvar=False, ddof=0) for level in "abc"]
    U = np.random.default_rng(0).standard_normal((4, 50_000))
    U /= np.linalg.norm(U, axis=0)
    worst = np.max([np.linalg.eigvalsh(Sg)[-1] - np.einsum("pi,pi->i", U, Sg @ U) for Sg in S], axis=0)
    assert step["bound"] - 1e-6 <= step["losses"].max() <= worst.min() * (1 + 1e-3)


def test_nesting_goes_with_the_exact_dual_of_losses_and_errors_only() -> None:
    X, g = groups(1)
    with pytest.raises(InputError, match="nested has True"):
        fairstats.minimax_pca(X, g, 2, nested=True, objective="nash")
    with pytest.raises(InputError, match="nested has True"):
        fairstats.minimax_pca(X, g, 2, nested=True, solver="mw")
