"""Laws where an outcome is kept: order, units, weights, chunks and files change nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import fairstats
from tests.laws.every_method import sample
from tests.laws.test_methods import same

pytestmark = pytest.mark.parametrize("scale", [False, True])
METHODS = {"leace": fairstats.leace, "leace_pca": lambda X, g, **more: fairstats.leace_pca(X, g, 3, **more)}


def people() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    X, g = sample()
    return X, g, np.where(X[:, 1] + np.random.default_rng(5).standard_normal(len(X)) > 5, "yes", "no")


@pytest.mark.parametrize("name", METHODS)
def test_the_order_and_the_units_of_rows_change_nothing(name: str, scale: bool) -> None:
    X, g, y = people()
    order = np.random.default_rng(0).permutation(len(X))
    fit = METHODS[name](X, g, preserve=y, scale=scale)
    same(METHODS[name](X[order], g[order], preserve=y[order], scale=scale).transform(X), fit.transform(X), 1e-9)
    moved = METHODS[name](1e3 * X - 7, g, preserve=y, scale=scale)
    size = (1 if scale and name == "leace_pca" else 1e3, 7 if name == "leace" else 0)
    same((moved.transform(1e3 * X - 7) + size[1]) / size[0], fit.transform(X), 1e-8)


@pytest.mark.parametrize("name", METHODS)
def test_weights_are_repeated_rows_and_have_no_unit(name: str, scale: bool) -> None:
    X, g, y = people()
    w = np.random.default_rng(1).integers(0, 4, len(X))
    fit = METHODS[name](X, g, preserve=y, weights=w, scale=scale)
    same(METHODS[name](X, g, preserve=y, weights=0.01 * w, scale=scale).transform(X), fit.transform(X), 1e-9)
    repeated = METHODS[name](np.repeat(X, w, axis=0), np.repeat(g, w), preserve=np.repeat(y, w), scale=scale)
    # Standard deviations of weighted rows have one other divisor for all features, which scores are in units of.
    factor = fit.scaling.scale[0] / repeated.scaling.scale[0] if scale and name == "leace_pca" else 1.0
    same(factor * fit.transform(X), repeated.transform(X), 1e-8)


def test_moments_of_chunks_are_those_of_all_rows_and_a_saved_fit_is_the_fit(scale: bool, tmp_path: Path) -> None:
    X, g, y = people()
    parts = [fairstats.Moments.of(X[i::3], g[i::3], y=y[i::3]) for i in range(3)]
    fit: Any = fairstats.leace(X, g, preserve=y, scale=scale)
    same(fairstats.leace(parts[0] + parts[1] + parts[2], preserve=True, scale=scale).transform(X), fit.transform(X))
    fit.save(tmp_path / "fit.npz")
    np.testing.assert_array_equal(fairstats.load(tmp_path / "fit.npz").transform(X), fit.transform(X))
