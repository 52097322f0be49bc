"""A fit from its loadings: what any orthonormal loadings keep, lose, and cost each group."""

from __future__ import annotations

from typing import Any

import numpy as np

from fairstats.data.centred import Centred
from fairstats.methods.results.price import priced
from fairstats.methods.results.projection import Projection


def from_loadings(view: Centred, U: np.ndarray, *, method: str, title: str, **told: Any) -> Projection:
    """The projection on orthonormal loadings U (p × k) with its price; ``told`` are further fields of the result."""
    energy = np.maximum(np.diag(view.along(U)), 0.0)
    best, _ = view.leading(min(U.shape[1], view.max_rank))
    fit = Projection(
        method, title, view.frame, U, U, energy, view.shares(U, energy), view.total,
        view.total - float(energy.sum()), view.total - float(best.sum()), view.frame.center,
        encoding=view.encoding, **told,
    )  # fmt: skip
    return priced(view, fit)
