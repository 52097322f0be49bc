"""The base of maps of the features onto themselves: held-out rows, tables, words, files."""

from __future__ import annotations

import textwrap
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, overload

import numpy as np

from fairstats.data.design import Design
from fairstats.data.encoding import Encoding
from fairstats.data.returned import like
from fairstats.data.scaling import Scaling
from fairstats.errors import visible
from fairstats.estimates import Estimate, Estimates
from fairstats.methods.results.crossfit import assign_folds, design_to_refit, fits_without, held_out
from fairstats.methods.results.describe import WIDTH, brief, failure_lines, group_lines, guarantee_lines, guarantee_rows
from fairstats.methods.results.guarantee import Guarantee
from fairstats.methods.results.heldout import HeldOut
from fairstats.results import Reads
from fairstats.text import number, significant

if TYPE_CHECKING:
    import pandas as pd
    from narwhals.typing import IntoDataFrameT


class FeatureMap(Reads, ABC):
    """Verbs of a result whose scores and adjusted data are one thing.

    A subclass says what it adjusts (`transform`), what it took out (`_effects`, a name and a share of variance each),
    and how its own fields are written (`_own`).
    """

    method: str
    title: str
    scaling: Scaling
    encoding: Encoding
    total: float
    error: float
    guarantees: tuple[Guarantee, ...]
    settings: Mapping[str, Any]
    notes: tuple[str, ...]

    schema: ClassVar[str]
    effect: ClassVar[str]  # what a share is of

    @abstractmethod
    def _mapped(self, X: Any, groups: Any = None) -> np.ndarray:
        """Return the adjusted rows (n × p)."""

    @abstractmethod
    def _effects(self) -> Iterator[tuple[str, float]]:
        """Name, and share of its variance that the groups explained, of everything taken out."""

    @abstractmethod
    def _own(self) -> dict[str, Any]:
        """The fields of the subclass, JSON-ready."""

    def _size(self) -> dict[str, Any]:
        """Counts of a fit, in its glance and in its second line."""
        return {}

    @abstractmethod
    def _table(self) -> list[str]:
        """Lines of the summary that show what was taken out."""

    @property
    def features(self) -> tuple[str, ...]:
        """Names of the p features."""
        return self.scaling.features

    @overload
    def reconstruct(self, X: IntoDataFrameT, groups: Any = None) -> IntoDataFrameT: ...
    @overload
    def reconstruct(self, X: Mapping[str, Any], groups: Any = None) -> dict[str, np.ndarray]: ...
    @overload
    def reconstruct(self, X: Any, groups: Any = None) -> np.ndarray: ...
    def reconstruct(self, X: Any, groups: Any = None) -> Any:
        """Return the same as ``transform``: scores and adjusted data are one thing here."""
        return like(X, self._mapped(X, groups), self.features)

    def crossfit(
        self,
        X: Any,
        groups: Any = None,
        *,
        data: Any = None,
        weights: Any = None,
        folds: int | Any = 2,
        seed: int = 0,
    ) -> HeldOut:
        """Make held-out adjusted rows, by fits that did not see them, folds stratified by group.

        A weighted fit needs its ``weights`` again.
        """
        design = design_to_refit(self, X, groups, data, weights)
        fold = assign_folds(design, folds, seed)
        rows = np.empty((design.n, design.p))
        for held, part in fits_without(self, dict(self.settings), design, fold):
            rows[held] = part._mapped(design.take(held))
        return held_out(rows, fold, design, self.method, seed, None if isinstance(X, Design) else self)

    @cached_property
    def estimates(self) -> Estimates:
        """One row for everything taken out (its share of variance that the groups explain), and one for the change."""
        attribute, n = ", ".join((*self.encoding.names, *self.encoding.continuous_names)), self.scaling.n
        rows = [
            Estimate("R2", attribute, term=name, role="component", n=n, estimate=float(value), method=self.effect)
            for name, value in self._effects()
        ]
        moved = self.error / self.total if self.total > 0 else 0.0
        method = "share of the total sum of squares, against the data as they are"
        change = Estimate("extra error", attribute, role="price", n=n, events=self.error, estimate=moved, method=method)
        return Estimates([*rows, change, *guarantee_rows(self.guarantees, n)])

    def glance(self) -> pd.DataFrame:
        """Return one row about the fit."""
        import pandas as pd

        row = {"method": self.method, "n": self.scaling.n, "p": len(self.features), **self._size()}
        holds = all(g.holds for g in self.guarantees)
        return pd.DataFrame([{**row, "total": self.total, "error": self.error, "guarantees_hold": holds}])

    def summary(self) -> str:
        """Say what was taken out, the guarantees with their checks as numbers, and how far the data moved."""
        moved = 100 * self.error / self.total if self.total > 0 else 0.0
        sizes = [f"{self.scaling.n} rows", f"{len(self.features)} features"]
        lines = [
            self.title,
            ", ".join([*sizes, *(f"{count} directions erased" for count in self._size().values())]),
            *failure_lines(self.guarantees),
            *group_lines(self.encoding),
            "",
            *self._table(),
            "",
            f"Price: the data moved by {number(moved, 2)} % of their sum of squares ({significant(self.error, 6)})",
            *guarantee_lines(self.guarantees),
        ]
        for note in self.notes:
            lines += ["", *textwrap.wrap(note, WIDTH)]
        return visible("\n".join(lines))

    def _brief(self) -> str:
        return brief(self)

    def to_dict(self) -> dict[str, Any]:
        """Return everything but the data, JSON-ready."""
        return {
            "schema": self.schema,
            "method": self.method,
            "title": self.title,
            "n": self.scaling.n,
            "features": list(self.features),
            "settings": dict(self.settings),
            "center": self.scaling.center.tolist(),
            **self._own(),
            "total": self.total,
            "error": self.error,
            "guarantees": [g.to_dict() for g in self.guarantees],
            "estimates": self.estimates.to_records(),
            "notes": list(self.notes),
        }
