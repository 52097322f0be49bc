"""What the methods share that search with linear probes: their rows, a subspace taken out, and what is left."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from fairstats.choices import Missing
from fairstats.data.centered import Centered, centered, rows_to_compare
from fairstats.data.centered_rows import CenteredRows
from fairstats.data.design import Design
from fairstats.errors import InputError, listing
from fairstats.linalg.eigen import complement, fix_signs
from fairstats.methods.results.eraser import Eraser
from fairstats.methods.results.from_loadings import from_loadings
from fairstats.methods.results.guarantee import Guarantee
from fairstats.methods.results.projection import Projection


@dataclass(frozen=True)
class ProbedRows:
    """Rows for a probe: X centered and scaled (n × p), and the code of each row's group among G levels.

    ``weights`` (n,) have the mean 1, so that a sum over rows means the same in any unit of them; X is without them.
    """

    design: Design
    view: Centered
    X: np.ndarray
    codes: np.ndarray
    levels: tuple[str, ...]
    weights: np.ndarray

    @property
    def chance(self) -> float:
        """The share of the largest group."""
        return float(np.bincount(self.codes, self.weights).max() / self.weights.sum())

    @staticmethod
    def of(
        method: str, X: Any, groups: Any, *, data: Any, missing: Missing, scale: bool, weights: Any = None
    ) -> ProbedRows:
        """Check the input of a method that trains probes.

        Raises
        ------
        InputError
            No groups, a continuous attribute, sparse rows.
        """
        design = X if isinstance(X, Design) else Design.of(X, groups, data=data, weights=weights, missing=missing)
        if design.groups is None:
            raise InputError(f"groups is missing; {method} hides them from linear probes.")
        if design.groups.continuous_names:
            raise InputError(
                f"groups has a continuous attribute ({listing(design.groups.continuous_names)}), and the probes of "
                f"{method} tell levels apart; cut it into classes, or use leace."
            )
        if hasattr(design.X, "tocsr"):
            raise InputError(f"X is sparse, and {method} trains probes on centered rows; pass a dense array.")
        design = rows_to_compare(design)
        assert design.groups is not None
        view = centered(design, scale=scale)
        codes, cells = design.groups.cells
        rows, mass = CenteredRows(design, scale=scale).rows, np.ones(design.n)
        if design.weights is not None:
            rows, mass = rows / np.sqrt(design.weights)[:, None], design.weights / design.weights.mean()
        return ProbedRows(design, view, rows, codes, tuple(":".join(c) for c in cells), mass)


def r_squared(rows: ProbedRows, W: np.ndarray) -> np.ndarray:
    """Return the share of each score X w that the groups explain."""
    total = np.diag(rows.view.along(W))
    return rows.view.explained(W) / np.where(total > 0, total, 1.0)


def erase(
    method: str, title: str, rows: ProbedRows, W: np.ndarray, settings: Mapping[str, Any], notes: tuple[str, ...]
) -> Eraser:
    """Return the orthogonal projection of the features off the columns of W (p × r, orthonormal)."""
    share = r_squared(rows, W)
    order = np.argsort(-share, kind="stable")
    W = W[:, order]
    gone = float(np.trace(rows.view.along(W)))
    return Eraser(
        method=method,
        title=title,
        scaling=rows.view.scaling,
        left=W,
        right=W.T,
        canonical=share[order],
        total=rows.view.total,
        error=gone,
        encoding=rows.view.encoding,
        guarantees=(_orthonormal(W),),
        settings=settings,
        notes=notes,
    )


def components_left(
    method: str,
    title: str,
    rows: ProbedRows,
    W: np.ndarray,
    k: int,
    settings: Mapping[str, Any],
    notes: tuple[str, ...],
    diagnostics: Mapping[str, Any],
) -> Projection:
    """Return the k principal components of what is left of the features outside the columns of W."""
    view = rows.view
    rest = complement(W)
    U = fix_signs(rest @ np.linalg.eigh(view.along(rest))[1][:, ::-1][:, :k])
    return from_loadings(
        view,
        U,
        method=method,
        title=title,
        guarantees=(
            _orthonormal(U),
            Guarantee("loadings off what was taken out", float(np.abs(W.T @ U).max(initial=0.0)), 1e-9),
        ),
        settings=settings,
        notes=notes,
        diagnostics={"directions_removed": W.shape[1], **diagnostics},
    )


def _orthonormal(U: np.ndarray) -> Guarantee:
    off = float(np.abs(U.T @ U - np.eye(U.shape[1])).max(initial=0.0))
    return Guarantee("directions orthonormal: largest entry of |UᵀU − I|", off, 1e-9)
