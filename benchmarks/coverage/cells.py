"""One cell of the grid: what is drawn, how often, what is counted, and the bounds that a right rule keeps."""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from scipy.stats import binom

RARE = 1e-3  # a bound is broken when so few as this of right rules would show that many errors
Shares = dict[str, float]


@dataclass(frozen=True)
class Cell:
    """A row of a table: shares by column, from so many draws; 0 draws are an enumeration, without Monte Carlo error.

    ``most`` and ``least`` are bounds of columns; ``quick`` is the number of draws in the quick run (0: not in it).
    """

    table: str
    name: str
    run: Callable[[np.random.Generator, int], Shares]
    draws: int = 4000
    quick: int = 0
    most: Mapping[str, float] = field(default_factory=dict)
    least: Mapping[str, float] = field(default_factory=dict)

    def shares(self, draws: int) -> Shares:
        """The shares from so many draws; the seed is the cell's name."""
        return self.run(np.random.default_rng(zlib.crc32(f"{self.table}: {self.name}".encode())), draws)

    def broken(self, shares: Shares, draws: int) -> list[str]:
        """The bounds that the shares break by more than chance."""
        out = []
        for column, bound in self.most.items():
            limit = bound if self.draws == 0 else float(binom.isf(RARE, draws, bound)) / draws
            if shares[column] > limit + 1e-9:
                out.append(f"{self.table}: {self.name}: {column} is {shares[column]:.1%}, at most {bound:.1%}")
        for column, bound in self.least.items():
            limit = bound if self.draws == 0 else float(binom.ppf(RARE, draws, bound)) / draws
            if shares[column] < limit - 1e-9:
                out.append(f"{self.table}: {self.name}: {column} is {shares[column]:.1%}, at least {bound:.1%}")
        return out


def counted(rows: Iterable[Mapping[str, bool | float]]) -> Shares:
    """The share of draws in which each column holds; a draw without one (NaN) does not count."""
    table = list(rows)
    columns = {name: np.array([row[name] for row in table], dtype=float) for name in table[0]}
    return {name: float(np.nanmean(v)) if not np.isnan(v).all() else float("nan") for name, v in columns.items()}


class Store:
    """Finished cells in one folder, so that an interrupted run goes on where it stopped."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def _file(self, cell: Cell, draws: int) -> Path:
        return self.folder / f"{zlib.crc32(f'{cell.table}: {cell.name}'.encode()):08x}-{draws}.json"

    def shares(self, cell: Cell, draws: int) -> Shares:
        """The shares of a cell, computed where they are not there yet."""
        file = self._file(cell, draws)
        if file.is_file():
            return dict(json.loads(file.read_text())["shares"])
        shares = cell.shares(draws)
        part = file.with_suffix(".part")
        part.write_text(json.dumps({"table": cell.table, "cell": cell.name, "draws": draws, "shares": shares}))
        part.replace(file)
        return shares
