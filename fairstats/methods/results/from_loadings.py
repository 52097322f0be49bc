"""A fit from its loadings: what any orthonormal loadings keep, lose, and cost each group."""

from __future__ import annotations

from typing import Any

import numpy as np

from fairstats.data.centered import Centered
from fairstats.methods.results.price import priced
from fairstats.methods.results.projection import Projection


def from_loadings(view: Centered, U: np.ndarray, *, method: str, title: str, **told: Any) -> Projection:
    """The projection on orthonormal loadings U (p × k) with its price; ``told`` are further fields of the result."""
    energy = np.maximum(np.diag(view.along(U)), 0.0)
    best, _ = view.leading(min(U.shape[1], view.max_rank))
    fit = Projection(
        method=method,
        title=title,
        scaling=view.scaling,
        weights=U,
        loadings=U,
        energy=energy,
        group_share=view.shares(U, energy),
        total=view.total,
        error=view.total - float(energy.sum()),
        pca_error=view.total - float(best.sum()),
        origin=view.scaling.center,
        encoding=view.encoding,
        **told,
    )
    return priced(view, fit)
