"""The numeric columns Z that stand for the groups: indicators and continuous attributes, centered."""

from __future__ import annotations

import re
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from fairstats.data.continuous import Continuous, continuous
from fairstats.data.groups import Groups
from fairstats.errors import FairstatsWarning, InputError, listing, nearest
from fairstats.linalg.eigen import independent_columns

_MADE_UP = re.compile(r"group( \d+)?")  # what arrays without a name are called


@dataclass(frozen=True)
class Encoding:
    """How group labels become the numeric columns Z: indicators of all levels but the first, then continuous columns.

    ``center`` (q,) is subtracted; ``kept`` says which columns are linearly independent.
    """

    names: tuple[str, ...]
    levels: tuple[tuple[str, ...], ...]
    continuous_names: tuple[str, ...]
    kept: tuple[int, ...]
    center: np.ndarray

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the kept columns of Z."""
        every = [f"{a}={level}" for a, levels in zip(self.names, self.levels, strict=True) for level in levels[1:]]
        every += self.continuous_names
        return tuple(every[j] for j in self.kept)

    def ask(self, groups: Any) -> Any:
        """Return group variables as the fit knew them: names that were continuous are continuous again."""
        if isinstance(groups, str):
            return continuous(groups) if groups in self.continuous_names else groups
        if (
            isinstance(groups, (list, tuple))
            and all(isinstance(g, str) for g in groups)
            and set(groups) <= {*self.names, *self.continuous_names}
        ):
            return [self.ask(g) for g in groups]
        if self.continuous_names and not self.names and np.ndim(groups) == 1 and not _marked(groups):
            return Continuous(groups, self.continuous_names[0])
        return groups

    def raw(self, cells: tuple[tuple[str, ...], ...]) -> np.ndarray:
        """Return uncentered indicators (G × q₁) of cells, before columns are dropped."""
        out = [
            [float(cell[a] == level) for a, levels in enumerate(self.levels) for level in levels[1:]] for cell in cells
        ]
        return np.array(out).reshape(len(cells), -1)

    def encode(self, groups: Groups, *, on_unknown: str = "raise") -> np.ndarray:
        """Return centered Z (n × q) of new rows; a level not seen in training is refused, or set to the mean.

        Attributes are matched by name; those of arrays, which have none, by position.
        """
        if len(groups.names) != len(self.names) or len(groups.continuous_names) != len(self.continuous_names):
            raise InputError(
                f"groups has the attributes {listing((*groups.names, *groups.continuous_names))}; the fit "
                f"needs {listing((*self.names, *self.continuous_names))}."
            )
        groups = self._in_order(groups)
        codes, cells = groups.cells
        table = self.raw(cells)
        unknown = np.zeros(len(cells), dtype=bool)
        for a, levels in enumerate(self.levels):
            unknown |= np.array([cell[a] not in levels for cell in cells], dtype=bool)
        if unknown.any() and on_unknown != "mean":
            new = sorted({":".join(cells[i]) for i in np.flatnonzero(unknown)})
            raise InputError(
                f"groups has a level that the fit has not seen ({listing(new)}); it knows "
                f'{listing([":".join(lv) for lv in self.levels])}. Pass on_unknown="mean" to treat such rows '
                "as average."
            )
        Z = np.hstack([table[codes], groups.continuous])[:, list(self.kept)] - self.center
        Z[unknown[codes]] = 0.0
        return Z

    def _in_order(self, groups: Groups) -> Groups:
        """The attributes of new rows in the order of the fit's."""
        labels = _places(self.names, groups.names)
        numbers = _places(self.continuous_names, groups.continuous_names)
        if labels == list(range(len(labels))) and numbers == list(range(len(numbers))):
            return groups
        return replace(
            groups,
            names=self.names,
            factors=tuple(groups.factors[i] for i in labels),
            continuous_names=self.continuous_names,
            continuous=groups.continuous[:, numbers],
        )

    def independent(self, gram: np.ndarray, center: np.ndarray) -> Encoding:
        """Return the encoding with the linearly independent columns, given ZᵀZ (q₁ × q₁) and the means (q₁,) of all.

        A warning names columns that say nothing new; it is an error if none varies.
        """
        kept = independent_columns(gram)
        if not kept:
            raise InputError("groups do not vary: every row has the same group once weights are applied.")
        every = replace(self, kept=tuple(range(len(gram)))).columns
        dropped = [every[j] for j in range(len(gram)) if j not in set(kept) and gram[j, j] > 0]
        if dropped:
            warnings.warn(
                f"groups: the columns {listing(dropped)} are combinations of the others (to 1e-5 of their length) "
                "and were left out.",
                FairstatsWarning,
                stacklevel=2,
            )
        return replace(self, kept=tuple(kept), center=center[list(kept)])


def _places(known: tuple[str, ...], given: tuple[str, ...]) -> list[int]:
    """Where among the given attributes each known one stands: by name where both have names of their own."""
    if set(known) == set(given) and len(set(known)) == len(known):
        return [given.index(name) for name in known]
    if any(map(_MADE_UP.fullmatch, known)) or any(map(_MADE_UP.fullmatch, given)):
        return list(range(len(known)))
    wrong = next(name for name in given if name not in known)
    raise InputError(
        f"groups has the attribute {wrong!r}, which the fit does not know{nearest(wrong, known)}; it needs "
        f"{listing(known)} (an array without a name is taken by position)."
    )


def _marked(groups: Any) -> bool:
    """Whether the caller has said already what is continuous."""
    if isinstance(groups, (list, tuple)):
        return any(isinstance(g, Continuous) for g in groups)
    return isinstance(groups, (Continuous, Groups, Mapping))
