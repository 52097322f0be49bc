"""Eraser: an affine map of the features onto themselves that takes a concept out, and its verbs."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from fairstats.data.design import refuse_nonfinite
from fairstats.data.encoding import Encoding
from fairstats.data.spread import Frame
from fairstats.inference.estimate import Estimate, Estimates
from fairstats.methods.crossfit import assign_folds, design_like
from fairstats.methods.describe import WIDTH
from fairstats.methods.projection import Guarantee, HeldOut, matrix_like

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Eraser:
    """The map ``r(x) = x − left · right · (x − μ)``, kept as its p × r and r × p factors.

    ``right · left`` is the identity, so that I − left · right is an oblique projector and r(r(x)) = r(x).

    Attributes
    ----------
    frame : Frame
        Features, centre μ (p,), scale (p,) or None, n.
    left, right : arrays (p, r), (r, p)
        In scaled units where the fit was scaled.
    canonical : array (r,)
        Squared canonical correlations between the features and the groups, largest first: what a linear predictor of
        the groups can reach along each erased direction.
    total, error : float
        ‖X_c‖² and ‖X − r(X)‖², in the units of the factors.
    """

    method: str
    title: str
    frame: Frame
    left: np.ndarray
    right: np.ndarray
    canonical: np.ndarray
    total: float
    error: float
    encoding: Encoding
    guarantees: tuple[Guarantee, ...] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    @property
    def rank(self) -> int:
        """Number of directions taken out."""
        return len(self.canonical)

    @property
    def features(self) -> tuple[str, ...]:
        """Names of the p features."""
        return self.frame.features

    @property
    def matrix(self) -> np.ndarray:
        """I − left · right (p × p), in original units: r(x) − μ = (x − μ) times its transpose."""
        sd = np.ones(len(self.features)) if self.frame.scale is None else self.frame.scale
        return np.eye(len(sd)) - (sd[:, None] * self.left) @ (self.right / sd)

    def transform(self, X: Any, groups: Any = None) -> np.ndarray:
        """The adjusted rows (n × p) in original units; ``groups`` is not needed and not looked at.

        Parameters
        ----------
        X : array (n, p), sparse matrix or table
            A table is matched by column names; a formula's fit needs a table.
        """
        matrix = matrix_like(self.frame, X)
        rows = matrix.toarray() if hasattr(matrix, "toarray") else np.asarray(matrix)
        if not np.isfinite(rows).all():
            refuse_nonfinite(rows, self.features)
        sd = self.frame.scale
        part = ((rows - self.frame.center) @ (self.right if sd is None else self.right / sd).T) @ self.left.T
        return np.asarray(rows - (part if sd is None else part * sd))

    def reconstruct(self, X: Any, groups: Any = None) -> np.ndarray:
        """The same as ``transform``: scores and adjusted data are one thing here."""
        return self.transform(X, groups)

    def crossfit(self, X: Any, groups: Any = None, *, data: Any = None, folds: int | Any = 2, seed: int = 0) -> HeldOut:
        """Held-out adjusted rows: erased by maps that were fitted without them, folds stratified by group."""
        import fairstats

        design = design_like(self.frame, X, groups, data)
        assert design.groups is not None
        fold = assign_folds(design.groups.cells[0], folds, seed)
        method = getattr(fairstats, self.method)
        rows = np.empty((design.n, design.p))
        for f in np.unique(fold):
            rows[fold == f] = method(design.take(fold != f), **self.settings).transform(design.take(fold == f))
        return HeldOut(rows, fold, design.groups, self.method, seed)

    def save(self, path: Any) -> Any:
        """Write the fit to an ``.npz`` file that ``fairstats.load`` reads; no pickle."""
        from fairstats.methods.store import save

        return save(self, path)

    def estimates(self) -> Estimates:
        """One row an erased direction (squared canonical correlation with the groups), and one for the change."""
        attribute = ", ".join((*self.encoding.names, *self.encoding.continuous_names))
        rows = [
            Estimate(
                "R2",
                attribute=attribute,
                term=f"direction {j + 1}",
                n=self.frame.n,
                estimate=float(value),
                method="squared canonical correlation of features and groups, before erasing (descriptive)",
            )
            for j, value in enumerate(self.canonical)
        ]
        change = Estimate(
            "extra error",
            attribute=attribute,
            n=self.frame.n,
            events=self.error,
            estimate=self.error / self.total if self.total > 0 else 0.0,
            method="share of the total sum of squares, against the data as they are",
        )
        return Estimates([*rows, change])

    def tidy(self) -> pd.DataFrame:
        """``estimates()`` as a frame."""
        return self.estimates().to_frame()

    def glance(self) -> pd.DataFrame:
        """One row about the fit."""
        import pandas as pd

        return pd.DataFrame(
            [
                {
                    "method": self.method,
                    "n": self.frame.n,
                    "p": len(self.features),
                    "rank": self.rank,
                    "total": self.total,
                    "error": self.error,
                    "guarantees_hold": all(g.holds for g in self.guarantees),
                }
            ]
        )

    def summary(self) -> str:
        """What was erased, the guarantee with its check as a number, and how far the data moved."""
        encoding = self.encoding
        groups = [f"{a} ({', '.join(lv)})" for a, lv in zip(encoding.names, encoding.levels, strict=True)]
        groups += [f"{c} (continuous)" for c in encoding.continuous_names]
        share = 100 * self.error / self.total if self.total > 0 else 0.0
        lines = [
            self.title,
            f"{self.frame.n} rows, {len(self.features)} features, {self.rank} directions erased",
            *textwrap.wrap("Groups: " + "; ".join(groups), WIDTH, subsequent_indent="  "),
            "",
            "direction   % explained by groups before",
            *(f"{j + 1:>9}   {100 * value:>28.2f}" for j, value in enumerate(self.canonical)),
            "",
            f"Price: the data moved by {share:.2f} % of their sum of squares ({self.error:.6g})",
            "",
            "Guarantees, checked on the data of the fit",
        ]
        for g in self.guarantees:
            verdict = "holds" if g.holds else "DOES NOT HOLD"
            text = f"{g.statement}: {g.value:.2g} (at most {g.tolerance:.0e}): {verdict}"
            lines += textwrap.wrap(text, WIDTH, initial_indent="  ", subsequent_indent="    ")
        for note in self.notes:
            lines += ["", *textwrap.wrap(note, WIDTH)]
        return "\n".join(lines)

    def __str__(self) -> str:
        return self.summary()

    def to_dict(self) -> dict[str, Any]:
        """Everything but the data, JSON-ready."""
        return {
            "schema": "fairstats/eraser/1",
            "method": self.method,
            "title": self.title,
            "n": self.frame.n,
            "features": list(self.features),
            "settings": dict(self.settings),
            "center": self.frame.center.tolist(),
            "scale": None if self.frame.scale is None else self.frame.scale.tolist(),
            "left": self.left.tolist(),
            "right": self.right.tolist(),
            "canonical": self.canonical.tolist(),
            "total": self.total,
            "error": self.error,
            "guarantees": [
                {"statement": g.statement, "value": g.value, "tolerance": g.tolerance, "holds": g.holds}
                for g in self.guarantees
            ],
            "estimates": self.estimates().to_records(),
            "notes": list(self.notes),
        }
