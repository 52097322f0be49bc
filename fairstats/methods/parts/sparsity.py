"""How sparse loadings should be: the bound with the least error on rows that were held out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from fairstats.data.design import Design
from fairstats.errors import InputError
from fairstats.methods.results.crossfit import counted_folds
from fairstats.methods.results.projection import Projection

BOUNDS = 8  # tried, from 1 to √p by equal factors


def chosen_bound(
    fit: Callable[[Design, float], Projection], design: Any, folds: Any, seed: int
) -> tuple[float, dict[str, Any]]:
    """Return the least bound whose held-out error is within one standard error of the best one's, and the errors.

    The standard error is that of the paired difference of the rows' squared errors from those of the best bound.

    Parameters
    ----------
    fit : callable
        Of the rows to fit and a bound.
    design : Design
    folds, seed : as for ``crossfit``

    Returns
    -------
    bound : float
    tried : dict
        ``bounds`` (T,) and ``errors`` (T,), mean squared distances of a row from what is rebuilt of it.

    Raises
    ------
    InputError
        Moments, which have no rows to hold out.

    References
    ----------
    Breiman, Friedman, Olshen & Stone (1984), Classification and regression trees, section 3.4.3 (one standard error).
    """
    if not isinstance(design, Design):
        raise InputError("t has 'cv', and X is moments, of which no row can be held out; pass rows, or a number.")
    design, fold = counted_folds(design, folds, seed)
    bounds = np.geomspace(1.0, np.sqrt(design.p), BOUNDS)
    bounds[-1] = np.sqrt(design.p)
    lost = np.empty((design.n, BOUNDS))
    for held in range(int(fold.max()) + 1):
        trained, out = design.take(fold != held), design.take(fold == held)
        rows = out.X.toarray() if hasattr(out.X, "toarray") else np.asarray(out.X)
        for j, bound in enumerate(bounds):
            made = fit(trained, float(bound))
            left = rows - made._rebuilt(out, None, "raise")
            scale = made.scaling.scale
            lost[fold == held, j] = np.sum((left if scale is None else left / scale) ** 2, axis=1)
    w = np.ones(design.n) if design.weights is None else design.weights
    errors = w @ lost / w.sum()
    best = int(np.argmin(errors))
    beyond = lost - lost[:, [best]]
    spread = np.sqrt((w**2) @ (beyond - (w @ beyond) / w.sum()) ** 2) / w.sum()
    chosen = int(np.flatnonzero(errors - errors[best] <= spread)[0])
    return float(bounds[chosen]), {"bounds": bounds, "errors": errors}
