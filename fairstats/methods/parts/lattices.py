"""Features on a lattice (whole numbers, few decimals): a shift that depends on the group leaves its trace in them."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from fairstats.data.design import Design
from fairstats.text import significant

FIRST, MOST = 1000, 20_000  # rows that rule out most features, and about as many as are looked at
MOST_STEPS = 1e6  # from one end of a feature to the other; more are as good as none
NAMED = 3
LINEAR = (
    "What holds is linear: scores and adjusted features are uncorrelated with the groups. Spreads, shapes and other "
    "traces may remain, which a model that is not linear finds; leakage() measures them."
)


def shift_notes(given: Any, design: Design | None, kept: list[int] | None = None) -> tuple[str, ...]:
    """Return the caution for a map that moves every group by an amount of its own, none where no feature has steps.

    Parameters
    ----------
    given : object
        What the method was called with: of a design, which a refit gives, nothing is said.
    design : Design or None
        Its rows, where they are known.
    kept : list of int, optional
        Features that are not moved.
    """
    if design is None or isinstance(given, Design):
        return ()
    found, features = lattice_steps(design.X), design.features
    found[[] if kept is None else kept] = 0.0
    on = np.flatnonzero(found)
    if not len(on):
        return ()
    sd = _spreads(design.X, on[:NAMED])
    first = [
        f"{features[j]} in steps of {significant(found[j], 3)}: {significant(100 * (found[j] / s) ** 2 / 12, 2)} %"
        for j, s in zip(on[:NAMED], sd, strict=True)
    ]
    more = [f"{len(on) - NAMED} more"] if len(on) > NAMED else []
    return (
        f"{len(on)} of {len(features)} features take values on a lattice ({', '.join([*first, *more])}). Each group is "
        "moved by an amount of its own, so that where an adjusted value lies between two steps can tell a row's group, "
        "better than the features did. A uniform draw of one step, added to such columns before the fit and to new "
        "rows, takes most of that away; it adds those shares to their variance. leace, leace_pca and fair_pca treat "
        "all rows by one map and leave no such trace, at another price.",
    )


def lattice_steps(X: Any) -> np.ndarray:
    """Return the distance (p,) of which all differences of a feature's values are multiples, 0 where there is none.

    Examples
    --------
    >>> lattice_steps(np.array([[1.0, 0.3, 0.1], [3.0, 0.5, 0.2], [7.0, 0.8, np.pi]])).round(9).tolist()
    [2.0, 0.1, 0.0]
    """
    X = X[:: -(-X.shape[0] // MOST)]
    X = X.tocsc() if sparse.issparse(X) else X
    return np.array([_step(_column(X, j)) for j in range(X.shape[1])])


def _column(X: Any, j: int) -> np.ndarray:
    return X[:, [j]].toarray().ravel() if sparse.issparse(X) else X[:, j]


def _spreads(X: Any, columns: np.ndarray) -> list[float]:
    X = X[:: -(-X.shape[0] // MOST)]
    X = X.tocsc() if sparse.issparse(X) else X
    return [float(_column(X, j).std()) for j in columns]


def _step(values: np.ndarray) -> float:
    low, high = float(values.min()), float(values.max())
    step = 0.0
    for part in (values[:FIRST], values):
        step = _divisor(np.unique(part) - low, high - low, step)
        if np.isinf(step):
            return 0.0
    return step


def _divisor(values: np.ndarray, width: float, step: float) -> float:
    """The greatest common divisor of differences and of ``step`` by Euclid; infinite where it is too small for one."""
    near = 1e-9 * width
    while True:
        left = np.abs(values - step * np.round(values / step)) if step > 0 else values
        left = left[left > near]
        if not len(left):
            return step
        step = float(left.min())
        if step * MOST_STEPS < width:
            return float("inf")
        values = np.append(values, left)
