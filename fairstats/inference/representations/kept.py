"""What each component of a fit keeps of each row, and principal components that have as many, made of the same rows."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fairstats.data.design import Design
from fairstats.data.matrices import refuse_nonfinite
from fairstats.methods.pca import pca
from fairstats.methods.results.price import dimension, plain
from fairstats.methods.results.projection import Projection

Floats = NDArray[np.float64]


class Kept(NamedTuple):
    """Squared distance of each row from the fit's origin (n,), and what each component takes of it (n, k).

    What is left of a row after all components is ‖x − x̃‖²; in the units of the fit.
    """

    before: Floats
    by_component: Floats


def kept(fit: Projection, design: Design) -> Kept:
    """Return what the components of a fit keep of rows, one after the other.

    Parameters
    ----------
    fit : Projection
    design : Design
        With groups, where the fit asks for them.

    Examples
    --------
    >>> X = np.array([[3.0, 1.0], [-3.0, 1.0], [0.0, -2.0]])
    >>> found = kept(pca(X, k=2), Design.of(X))
    >>> found.before.round(6).tolist(), found.by_component.round(6).tolist()
    ([10.0, 10.0, 4.0], [[9.0, 1.0], [9.0, 1.0], [0.0, 4.0]])
    """
    U = fit.loadings
    scores, rest = fit._mapped(design), about_origin(fit, design)
    if not np.isfinite(rest).all():
        refuse_nonfinite(design.X, design.features)
    gram = U.T @ U
    # after the components before it: (rest − Σ_{l<j} s_l u_l)·u_j
    along = rest @ U - scores @ np.triu(gram, 1)
    return Kept(np.einsum("np,np->n", rest, rest), 2 * scores * along - scores**2 * np.diag(gram))


def pca_beside(fit: Projection, design: Design) -> Projection:
    """Return principal components of the rows of a fit, of its dimension and about the point that its error is about.

    Parameters
    ----------
    fit : Projection
    design : Design
        The rows of the fit.
    """
    used = design.counted()
    d = min(dimension(fit), used.n, used.p)
    if fit.group_means is None and fit.settings.get("center") is not False:
        X = used.X.toarray() if hasattr(used.X, "toarray") else used.X
        rows = replace(used, X=X if fit.scaling.scale is None else X / fit.scaling.scale, groups=None, y=None)
        return plain(fit, pca(rows, k=d).loadings)
    rest = about_origin(fit, used)
    rest = rest if used.weights is None else rest * np.sqrt(used.weights)[:, None]
    return plain(fit, np.linalg.svd(rest, full_matrices=False)[2][:d].T)


def about_origin(fit: Projection, design: Design) -> Floats:
    """Rows less the origin of a reconstruction, and less their group's mean where that is part of it (n × p)."""
    X = design.X.toarray() if hasattr(design.X, "toarray") else design.X
    rest = X - fit.origin
    rest = rest if fit.scaling.scale is None else rest / fit.scaling.scale
    if fit.group_means is not None:
        rest = rest - fit._encode(design, None, "raise", design.n) @ fit.group_means
    return np.asarray(rest)
