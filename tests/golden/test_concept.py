"""LEACE of its authors' package (concept-erasure) on a small input: 40 × 5, a binary and a three-level concept."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import fairstats

SETTINGS = [f"tol{tol}_trace{trace}" for tol, trace in product(("0.01", "1e-12"), (True, False))]


@pytest.fixture(scope="module")
def golden(shared: Path) -> tuple[pd.DataFrame, dict[str, Any]]:
    folder = shared / "golden" / "concept"
    return pd.read_csv(folder / "leace_small_input.csv"), json.loads((folder / "leace_small.json").read_text())


def fitted(table: pd.DataFrame, concept: str) -> tuple[np.ndarray, Any]:
    X = table.iloc[:, :5].to_numpy()
    return X, fairstats.leace(X, table["z" if concept == "bin" else "z3"].to_numpy())


@pytest.mark.parametrize("concept", ["bin", "cat3"])
@pytest.mark.parametrize("setting", SETTINGS)
def test_the_map_is_the_authors_without_shrinkage(golden: Any, concept: str, setting: str) -> None:
    table, numbers = golden
    X, fit = fitted(table, concept)
    theirs = numbers[f"{concept}_leace_shrinkFalse_{setting}"]
    np.testing.assert_allclose(fit.matrix, theirs["P"], atol=1e-12)
    np.testing.assert_allclose(fit.scaling.center, theirs["bias"], atol=1e-14)
    np.testing.assert_allclose(fit.transform(X)[:3], theirs["Xe_first3"], atol=1e-12)
    np.testing.assert_allclose(fit.error / len(X), theirs["msd"], rtol=1e-12)
    # Their factors carry a column of zeros for three levels (one-hot, of rank 2); the product is the same.
    left, right = np.array(theirs["proj_left"]), np.array(theirs["proj_right"])
    np.testing.assert_allclose(fit.left @ fit.right, left @ right, atol=1e-12)


@pytest.mark.parametrize("concept", ["bin", "cat3"])
@pytest.mark.parametrize("setting", SETTINGS)
@pytest.mark.parametrize(
    ("theirs", "options"),
    [
        ("leace_shrinkTrue", {"shrinkage": True}),
        ("orth_shrinkTrue", {"projection": "orthogonal"}),
        ("orth_shrinkFalse", {"projection": "orthogonal"}),
    ],
)
def test_shrinkage_and_orthogonal_projection_are_the_authors(
    golden: Any, concept: str, setting: str, theirs: str, options: dict[str, Any]
) -> None:
    table, numbers = golden
    X = table.iloc[:, :5].to_numpy()
    fit = fairstats.leace(X, table["z" if concept == "bin" else "z3"].to_numpy(), **options)
    wanted = numbers[f"{concept}_{theirs}_{setting}"]
    np.testing.assert_allclose(fit.matrix, wanted["P"], atol=1e-12)
    np.testing.assert_allclose(fit.transform(X)[:3], wanted["Xe_first3"], atol=1e-12)
    np.testing.assert_allclose(fit.error / len(X), wanted["msd"], rtol=1e-12)
    assert all(x.holds for x in fit.guarantees)


@pytest.mark.parametrize("concept", ["bin", "cat3"])
@pytest.mark.parametrize("other", ["leace_shrinkTrue", "orth_shrinkTrue", "orth_shrinkFalse"])
def test_their_shrunk_and_orthogonal_maps_change_the_data_more(golden: Any, concept: str, other: str) -> None:
    """Shrinking Σ_xx is their default: correlation is gone then too, but not by the least change."""
    table, numbers = golden
    X, fit = fitted(table, concept)
    theirs = numbers[f"{concept}_{other}_tol0.01_traceTrue"]
    assert theirs["max_abs_xcov"] < 1e-13
    assert fit.error / len(X) < theirs["msd"] * 0.9


def test_a_weak_concept_that_their_threshold_leaves_is_erased() -> None:
    """Squared canonical correlation 2.5e-5: singular value of WΣ_xz 0.005 · 0.5, below their absolute 0.01."""
    rng = np.random.default_rng(0)
    z = np.repeat([0, 1], 5000)
    X = np.linalg.qr(np.column_stack([np.ones(10_000), z, rng.standard_normal((10_000, 3))]))[0][:, 2:] * 100
    X[:, 0] += 0.005 * (2 * z - 1)
    fit = fairstats.leace(X, z)
    np.testing.assert_allclose(fit.canonical, 0.005**2 / (1 + 0.005**2), rtol=1e-9)
    assert np.abs(np.diff([fit.transform(X)[z == a].mean(axis=0) for a in (0, 1)], axis=0)).max() < 1e-12
