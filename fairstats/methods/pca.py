"""Principal components: the reference that every fair method is priced against."""

from __future__ import annotations

import numpy as np

from fairstats.data.centered import centered
from fairstats.data.tables import Features, Labels, Tabular, Weights
from fairstats.methods.arguments import components
from fairstats.methods.results import Components, Price, Projection, checked, from_loadings
from fairstats.validation import Missing


@checked()
def pca(
    X: Features,
    groups: Labels = None,
    k: int = 2,
    *,
    data: Tabular | None = None,
    weights: Weights = None,
    missing: Missing = "raise",
    scale: bool = False,
) -> Projection:
    """Find the principal components; where groups are given, say how much of each component they explain.

    Parameters
    ----------
    X : array (n, p), sparse matrix, table, column names, formula or Moments
    groups : column name(s) of ``data`` or labels (n,), optional
        Not used by the fit; only for the shares R_j².
    k : int
        Number of components, 1 to min(n, p).
    data : table, optional
        Where column names and formulas are looked up.
    weights : str or array (n,), optional
        As for ``og``: relative, at least 0.
    missing : {"raise", "level", "drop"}
        Rows whose group is missing.
    scale : bool
        Divide by the standard deviation (ddof 1), as R's ``prcomp(scale. = TRUE)``.

    Returns
    -------
    Projection

    Guarantees
    ----------
    No k-dimensional subspace leaves a smaller ‖X_c − X̃‖² (Eckart & Young 1936).

    Examples
    --------
    >>> import fairstats as fs
    >>> import numpy as np
    >>> fs.pca(np.array([[1.0, 0.0], [-1.0, 0.0], [0.0, 0.5], [0.0, -0.5]]), k=1).loadings.ravel().tolist()
    [1.0, 0.0]
    """
    # Nothing is adjusted for the groups, so they may be features.
    view = centered(X, groups, data=data, weights=weights, missing=missing, scale=scale, among_features=True)
    k = components(k, view)
    energy, U = view.leading(k)
    share = np.full(k, np.nan)
    if view.grouped:
        share = view.explained(U) / np.where(energy > 0, energy, 1.0)
    error = view.total - float(energy.sum())
    return from_loadings(
        view,
        U,
        method="pca",
        title="Principal components (PCA)",
        settings={"k": k, "scale": scale},
        diagnostics={"blind_to_groups": True},
        components=Components(energy, share),
        price=Price(total=view.total, error=error, pca_error=error),
        pca=U,
    )
