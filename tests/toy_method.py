"""A method as a newcomer writes one: this function and its row are all that the package is told of it."""

from __future__ import annotations

from typing import Any

import numpy as np

from fairstats.data.centered import centered
from fairstats.errors import InputError
from fairstats.methods.arguments import components
from fairstats.methods.registry import METHODS, Method
from fairstats.methods.results import Guarantee, Projection, checked, from_loadings


@checked()
def toy_pca(
    X: Any,
    groups: Any = None,
    k: int = 2,
    *,
    data: Any = None,
    weights: Any = None,
    missing: str = "raise",
    scale: bool = False,
) -> Projection:
    """Principal components outside the directions in which the groups' means differ.

    Parameters
    ----------
    X, groups, k, data, weights, missing, scale : as for ``fair_pca``

    Returns
    -------
    Projection

    Guarantees
    ----------
    The loadings are orthogonal to every difference of group means.
    """
    view = centered(X, groups, data=data, weights=weights, missing=missing, scale=scale)
    if not view.grouped:
        raise InputError("groups is missing; toy_pca hides them.")
    Q = view.mean_directions
    k = components(k, view, Q.shape[1], "the differences of group means")
    U = view.leading_outside(k, Q)[1]
    off = Guarantee("loadings along a difference of means", float(np.abs(Q.T @ U).max(initial=0.0)), 1e-9)
    return from_loadings(
        view, U, method="toy_pca", title="Toy PCA", guarantees=(off,), settings={"k": k, "scale": scale}
    )


ROW = Method("toy_pca", "tests.toy_method:toy_pca", "a toy", ("Nobody (2026). A toy. Nowhere.",), hides=True)


def pytest_configure() -> None:
    """Register the toy where this file is a plugin of pytest: ``-p tests.toy_method``."""
    METHODS[ROW.name] = ROW
