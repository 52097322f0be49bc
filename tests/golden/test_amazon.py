"""The authors' fair PCA, fair PCA-S and fair kernel PCA on a small input (80 × 8, two groups of 54 and 26)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import fairstats

K_AND_L = [(2, 3), (2, 5), (3, 5), (2, 6)]


@pytest.fixture(scope="module")
def golden(shared: Path) -> tuple[np.ndarray, np.ndarray, dict[str, Any]]:
    folder = shared / "golden" / "amazon"
    table = pd.read_csv(folder / "small_input.csv")
    return table.iloc[:, :8].to_numpy(), table["z"].to_numpy(), json.loads((folder / "small.json").read_text())


def standardized(X: np.ndarray) -> np.ndarray:
    return (X - X.mean(axis=0)) / X.std(axis=0)


def projector(U: np.ndarray) -> np.ndarray:
    return U @ U.T


@pytest.mark.parametrize("k", [1, 2, 3, 7])
def test_fair_pca_and_pca_span_the_authors_subspaces(golden: Any, k: int) -> None:
    X, z, numbers = golden
    Y = standardized(X)
    for name, fit in (("FairPCA", fairstats.fair_pca(Y, z, k=k)), ("PCA", fairstats.pca(Y, z, k=k))):
        theirs = numbers[f"{name}_stdTrue_k{k}"]
        np.testing.assert_allclose(projector(fit.loadings), theirs["VVt"], atol=1e-12)
        np.testing.assert_allclose(1 - fit.error / fit.total, theirs["expvar_centred"], rtol=1e-12)


@pytest.mark.parametrize("k", [1, 2, 3])
def test_uncentered_rows_cost_the_authors_variance(golden: Any, k: int) -> None:
    """Without standardizing, their program decomposes XᵀX uncentered; among feasible loadings ours explain more."""
    X, z, numbers = golden
    fit, theirs = fairstats.fair_pca(X, z, k=k), numbers[f"FairPCA_stdFalse_k{k}"]
    assert 1 - fit.error / fit.total > theirs["expvar_centred"]


def test_at_the_largest_k_centering_makes_no_difference(golden: Any) -> None:
    X, z, numbers = golden
    np.testing.assert_allclose(
        projector(fairstats.fair_pca(X, z, k=7).loadings), numbers["FairPCA_stdFalse_k7"]["VVt"], atol=1e-12
    )


@pytest.mark.parametrize(("k", "l"), K_AND_L)
def test_fair_pca_s_spans_the_authors_subspace(golden: Any, k: int, l: int) -> None:  # noqa: E741
    X, z, numbers = golden
    theirs = numbers[f"FairPCAS_stdTrue_k{k}_l{l}"]
    fit = fairstats.fair_pca(standardized(X), z, k=k, equalize="covariance", directions=l)
    np.testing.assert_allclose(projector(fit.loadings), theirs["VVt"], atol=1e-12)
    np.testing.assert_allclose(fit.diagnostics["covariance_difference"], theirs["cov_diff_spec"], rtol=1e-11)
    np.testing.assert_allclose(
        fit.diagnostics["pca_covariance_difference"], numbers[f"PCA_stdTrue_k{k}"]["cov_diff_spec"], rtol=1e-11
    )


@pytest.mark.parametrize("weight", [0.5, 1.0])
def test_their_tradeoff_is_ours_at_the_third_power(golden: Any, weight: float) -> None:
    """The paper scales the appended components by λ, the authors' program by λ³: we follow the paper."""
    X, z, numbers = golden
    S = fairstats.fair_pca(standardized(X), z, k=2, tradeoff=weight**3).transform(standardized(X))
    theirs = np.array(numbers[f"tradeoff_stdTrue_lam{weight}"]["gram"])
    order = [1, 0, 3, 2]  # their components ascend
    np.testing.assert_allclose(np.abs((S.T @ S)[np.ix_(order, order)]), np.abs(theirs), atol=1e-10)


@pytest.mark.parametrize("k", [2, 3])
@pytest.mark.parametrize("gamma", ["scale", "auto", "0.1"])
@pytest.mark.parametrize("centered", [False, True])
def test_fair_kernel_pca_has_the_authors_scores(golden: Any, k: int, gamma: str, centered: bool) -> None:
    """Their flag ``std`` centers the kernel. Where their solver fails they add 1e-5·I to it and move by that much."""
    X, z, numbers = golden
    theirs = numbers[f"FairKernelPCA_std{centered}_k{k}_gamma{gamma}"]
    converged = abs(theirs["AtKA"][0][0] - 1) < 1e-12
    tolerance = 1e-12 if converged else 1e-5
    fit = fairstats.fair_kernel_pca(X, z, k=k, gamma=theirs["gamma"], center=centered)
    S = fit.transform(X)[:, ::-1]
    np.testing.assert_allclose(S.T @ S, theirs["embTtemb"], atol=10 * tolerance)
    np.testing.assert_allclose(np.abs(S[:10]), theirs["abs_first10"], atol=10 * tolerance)
    np.testing.assert_allclose(S[:6] @ S[:6].T, theirs["emb_gram_n"], atol=10 * tolerance)
    np.testing.assert_allclose(fit.energy.sum(), theirs["objective_trace"], rtol=10 * tolerance)
    assert fit.energy.sum() >= theirs["objective_trace"] - 1e-10


def test_the_default_gamma_is_theirs(golden: Any) -> None:
    X, z, numbers = golden
    fit = fairstats.fair_kernel_pca(X, z, k=2)
    np.testing.assert_allclose(fit.parameters["gamma"], numbers["FairKernelPCA_stdTrue_k2_gammascale"]["gamma"], 1e-12)
