"""Data in which the groups differ in nothing that a method should hide: what refits are made to."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from fairstats.data.design import Design
from fairstats.errors import InputError
from fairstats.inference.scores.merged_samples import Floats

# a fit whose scores go with the groups by no more than this equalizes their means
EQUAL = 1e-8
LABELS, RESIDUALS = "permuted labels", "exchanged residuals"
COARSE = "exchanged residuals, and exchanged values of features of few values"
# a feature with fewer distinct values than this share of the rows lies on a lattice
FINE = 0.5


@dataclass(frozen=True)
class NullData:
    """Rows to be exchanged between the groups.

    Attributes
    ----------
    design : Design
    means : array (n, p) or None
        What the groups explain of every row, which stays where it is; None where labels are permuted.
    rest : array (n, p) or None
        The residuals, which are exchanged.
    coarse : bool
        Whether some features lie on a lattice, and are exchanged whole.
    """

    design: Design
    means: Floats | None = None
    rest: Floats | None = None
    coarse: bool = False

    @staticmethod
    def of(fit: Any, design: Design, *, lattice: bool = True) -> NullData:
        """Choose by what the fit does on its own rows.

        One that equalizes the groups' means leaves more of its estimation noise where there is a difference to be
        hidden than where there is none: the difference stays, and residuals are exchanged. Of any other fit a
        difference of means is a leak: labels are permuted.
        """
        assert design.groups is not None
        encoding = getattr(fit, "encoding", None)
        if encoding is None or sparse.issparse(design.X):
            return NullData(design)
        try:
            Z = encoding.encode(design.groups)
        except InputError:  # other groups than those of the fit, which it does not hide
            return NullData(design)
        Q = np.linalg.qr(Z - Z.mean(axis=0))[0]
        scores = fit.transform(design)
        scores = scores - scores.mean(axis=0)
        if np.sum((Q.T @ scores) ** 2) > EQUAL * np.sum(scores**2):
            return NullData(design)
        X = np.asarray(design.X, dtype=float)
        coarse = lattice & np.array([np.unique(column).size < FINE * len(column) for column in X.T], dtype=bool)
        if coarse.size and coarse.all():
            return NullData(design)
        means = X.mean(axis=0) + Q @ (Q.T @ (X - X.mean(axis=0)))
        means[:, coarse] = X.mean(axis=0)[coarse]
        return NullData(design, means, X - means, bool(coarse.any()))

    def drawn(self, order: NDArray[np.intp]) -> tuple[Design, NDArray[np.intp]]:
        """The design of one exchange of rows, and the row whose labels each has."""
        if self.means is None or self.rest is None:
            assert self.design.groups is not None
            return replace(self.design, groups=replace(self.design.groups.take(order), index=None)), order
        return replace(self.design, X=self.means + self.rest[order]), np.arange(len(order))

    @property
    def words(self) -> str:
        """What the refits are made to."""
        return LABELS if self.means is None else COARSE if self.coarse else RESIDUALS
