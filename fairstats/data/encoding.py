"""The numeric columns Z that stand for the groups: indicators and continuous attributes, centred."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from fairstats.data.groups import Continuous, Groups, continuous
from fairstats.errors import InputError, listing


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
        """Group variables as the fit knew them: names that were continuous are continuous again."""
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
        """Uncentred indicators (G × q₁) of cells, before columns are dropped."""
        out = [
            [float(cell[a] == level) for a, levels in enumerate(self.levels) for level in levels[1:]] for cell in cells
        ]
        return np.array(out).reshape(len(cells), -1)

    def encode(self, groups: Groups, *, on_unknown: str = "raise") -> np.ndarray:
        """Centred Z (n × q) of new rows; a level not seen in training is refused, or set to the mean."""
        if len(groups.names) != len(self.names) or len(groups.continuous_names) != len(self.continuous_names):
            raise InputError(
                f"groups has the attributes {listing((*groups.names, *groups.continuous_names))}; the fit "
                f"needs {listing((*self.names, *self.continuous_names))}."
            )
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


def _marked(groups: Any) -> bool:
    """Whether the caller has said already what is continuous."""
    if isinstance(groups, (list, tuple)):
        return any(isinstance(g, Continuous) for g in groups)
    return isinstance(groups, (Continuous, Groups, Mapping))
