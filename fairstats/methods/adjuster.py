"""Adjuster: a map of the features onto themselves that depends on the group of a row, and its verbs."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from fairstats.data.design import Design, refuse_nonfinite
from fairstats.data.encoding import Encoding
from fairstats.data.frames import is_table
from fairstats.data.groups import Groups
from fairstats.data.spread import Frame
from fairstats.errors import InputError, listing
from fairstats.inference.estimate import Estimate, Estimates
from fairstats.methods.crossfit import assign_folds, design_like
from fairstats.methods.describe import WIDTH
from fairstats.methods.projection import Guarantee, HeldOut, matrix_like

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Adjuster:
    """The map ``x → μ + factor_g · (x − z M − μ)``: the groups' shifts taken out, and perhaps their spreads made equal.

    Attributes
    ----------
    frame : Frame
        Features, centre μ (p,), n.
    encoding, coefficients : Encoding, array (q, p)
        Z and M, the regression of the features on it.
    factors : dict
        Level → array (p,), where the method changes spreads; empty otherwise.
    share : array (p,)
        R² of each feature on the groups, before.
    total, error : float
        ‖X_c‖² and ‖X − adjusted X‖².
    """

    method: str
    title: str
    frame: Frame
    encoding: Encoding
    coefficients: np.ndarray
    share: np.ndarray
    total: float
    error: float
    factors: Mapping[str, np.ndarray] = field(default_factory=dict)
    guarantees: tuple[Guarantee, ...] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    @property
    def features(self) -> tuple[str, ...]:
        """Names of the p features."""
        return self.frame.features

    def transform(self, X: Any, groups: Any = None, *, on_unknown: str = "raise") -> np.ndarray:
        """The adjusted rows (n × p), in the units of the data.

        Parameters
        ----------
        X : array (n, p) or table
            A table is matched by column names; a formula's fit needs a table.
        groups : as in the fit
            Needed, unless X is a table that has the columns.
        on_unknown : {"raise", "mean"}
            A group level that the fit has not seen is an error, or left as it is.
        """
        matrix = matrix_like(self.frame, X)
        rows = matrix.toarray() if hasattr(matrix, "toarray") else np.asarray(matrix, dtype=float)
        if not np.isfinite(rows).all():
            refuse_nonfinite(rows, self.features)
        made = self._groups(X, groups, len(rows))
        out = rows - self.encoding.encode(made, on_unknown=on_unknown) @ self.coefficients
        if self.factors:
            codes, cells = made.cells
            one = np.ones(len(self.features))
            table = np.array([self.factors.get(":".join(cell), one) for cell in cells])
            out = self.frame.center + table[codes] * (out - self.frame.center)
        return np.asarray(out)

    def reconstruct(self, X: Any, groups: Any = None) -> np.ndarray:
        """The same as ``transform``: scores and adjusted data are one thing here."""
        return self.transform(X, groups)

    def _groups(self, X: Any, groups: Any, n: int) -> Groups:
        encoding = self.encoding
        if groups is None and isinstance(X, Design):
            groups = X.groups
        if groups is None and is_table(X):
            groups = [*encoding.names, *encoding.continuous_names]
        if groups is None:
            raise InputError(
                f"groups is missing; what {self.method} takes out depends on the group of a row "
                f"({listing((*encoding.names, *encoding.continuous_names))})."
            )
        made = Groups.of(encoding.ask(groups), X if is_table(X) else None, missing="level", at_least=1)
        if made.n != n:
            raise InputError(f"groups has {made.n} values and X has {n} rows; give one a row.")
        return made

    def crossfit(self, X: Any, groups: Any = None, *, data: Any = None, folds: int | Any = 2, seed: int = 0) -> HeldOut:
        """Held-out adjusted rows: adjusted by fits that did not see them, folds stratified by group."""
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
        """One row a feature (its R² on the groups, before), and one for the change."""
        attribute = ", ".join((*self.encoding.names, *self.encoding.continuous_names))
        rows = [
            Estimate(
                "R2",
                attribute=attribute,
                term=name,
                n=self.frame.n,
                estimate=float(value),
                method="regression of the feature on the groups, before (descriptive)",
            )
            for name, value in zip(self.features, self.share, strict=True)
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

        row = {"method": self.method, "n": self.frame.n, "p": len(self.features), "total": self.total}
        return pd.DataFrame([{**row, "error": self.error, "guarantees_hold": all(g.holds for g in self.guarantees)}])

    def summary(self) -> str:
        """What was taken out, the guarantees with their checks as numbers, and how far the data moved."""
        encoding = self.encoding
        groups = [f"{a} ({', '.join(lv)})" for a, lv in zip(encoding.names, encoding.levels, strict=True)]
        groups += [f"{c} (continuous)" for c in encoding.continuous_names]
        moved = 100 * self.error / self.total if self.total > 0 else 0.0
        order = np.argsort(-self.share, kind="stable")[:8]
        lines = [
            self.title,
            f"{self.frame.n} rows, {len(self.features)} features",
            *textwrap.wrap("Groups: " + "; ".join(groups), WIDTH, subsequent_indent="  "),
            "",
            f"{'feature':<40}   % explained by groups before",
            *(f"{self.features[j][:40]:<40}   {100 * self.share[j]:>28.2f}" for j in order),
            *([f"... and {len(self.features) - 8} more; all in tidy()"] if len(self.features) > 8 else []),
            "",
            f"Price: the data moved by {moved:.2f} % of their sum of squares ({self.error:.6g})",
            "",
            "Guarantees, checked on the data of the fit",
        ]
        for g in self.guarantees:
            text = (
                f"{g.statement}: {g.value:.2g} (at most {g.tolerance:.0e}): {'holds' if g.holds else 'DOES NOT HOLD'}"
            )
            lines += textwrap.wrap(text, WIDTH, initial_indent="  ", subsequent_indent="    ")
        for note in self.notes:
            lines += ["", *textwrap.wrap(note, WIDTH)]
        return "\n".join(lines)

    def __str__(self) -> str:
        return self.summary()

    def to_dict(self) -> dict[str, Any]:
        """Everything but the data, JSON-ready."""
        return {
            "schema": "fairstats/adjuster/1",
            "method": self.method,
            "title": self.title,
            "n": self.frame.n,
            "features": list(self.features),
            "settings": dict(self.settings),
            "center": self.frame.center.tolist(),
            "coefficients": self.coefficients.tolist(),
            "factors": {level: values.tolist() for level, values in self.factors.items()},
            "total": self.total,
            "error": self.error,
            "guarantees": [
                {"statement": g.statement, "value": g.value, "tolerance": g.tolerance, "holds": g.holds}
                for g in self.guarantees
            ],
            "estimates": self.estimates().to_records(),
            "notes": list(self.notes),
        }
