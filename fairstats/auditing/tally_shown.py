"""A tally as a frame and as text: one line a cell, and what its columns hold."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any

import numpy as np

from fairstats.labels import MISSING_LEVEL
from fairstats.results import Described
from fairstats.text import count

if TYPE_CHECKING:
    import pandas as pd

    from fairstats.auditing.tally import Tally

MOST = 8  # labels of a column that the summary names
WIDTH = 80


class ShownTally(Described):
    """What is seen of a tally."""

    __slots__ = ()

    def summary(self: Any) -> str:
        """How many people of which labels, at most 80 columns wide.

        Examples
        --------
        >>> import fairstats as fs
        >>> print(fs.tally({"sex": ["f", "m", "m"], "hired": [1, 0, 1]}, "hired", "sex").summary())
        Tally of 3 rows in 3 cells
          sex    m (2), f (1)
          hired  1 (2), 0 (1)
        fairstats.audit(tally) audits these people; tally + tally adds others.
        """
        return "\n".join(summary_lines(self))

    def to_frame(self: Any) -> pd.DataFrame:
        """Return a pandas frame with a line a cell: its labels and scores, and how many rows it has (``.rows``).

        Returns
        -------
        pandas.DataFrame
            A column a column counted (None or NaN where it is missing), and ``.rows``. Where people are weighted
            ``.weight``, the sum of their weights; where cells are withheld ``.least`` and ``.most`` people in them.

        Examples
        --------
        >>> import fairstats as fs
        >>> fs.tally({"sex": ["f", "m", "m"], "hired": [1, 0, 0]}, "hired", "sex").to_frame()
          sex hired  .rows
        0   f     1      1
        1   m     0      2
        """
        import pandas as pd

        columns: dict[str, Any] = {
            name: np.where(factor.codes < 0, None, factor.labels) for name, factor in self.factors.items()
        }
        columns |= self.numbers | {".rows": self.rows.astype(np.int64)}
        if self.weights:
            columns[".weight"] = self.weight
        if self.most.any():
            columns |= {".least": self.least.astype(np.int64), ".most": self.most.astype(np.int64)}
        return pd.DataFrame(columns)

    def _brief(self: Any) -> str:
        from fairstats.errors import listing

        columns = listing([*self.factors, *self.numbers], 12)
        hidden = int((self.most > 0).sum())
        said = f"; {hidden:,} withheld" if hidden else ""
        return f"{self.rows.sum():,.0f} rows in {int((self.rows > 0).sum()):,} cells of {columns}{said}"


def title(tally: Tally) -> str:
    """How many rows, in how many cells."""
    cells = int((tally.rows > 0).sum())
    return f"Tally of {count(float(tally.rows.sum()))} rows in {count(cells)} cell{'s' * (cells != 1)}"


def contents(tally: Tally) -> list[tuple[str, str]]:
    """What each column holds: labels with their counts, the range of a score; weights; what is withheld."""
    said = []
    for name, factor in tally.factors.items():
        sums = np.bincount(factor.codes + 1, weights=tally.rows, minlength=len(factor.levels) + 1)
        order = [k for k in np.argsort(-sums[1:], kind="stable") if sums[k + 1] > 0]
        parts = [f"{factor.levels[k]} ({count(float(sums[k + 1]))})" for k in order[:MOST]]
        parts += [f"{len(order) - MOST} more"] * (len(order) > MOST)
        parts += [f"{MISSING_LEVEL} ({count(float(sums[0]))})"] * bool(sums[0])
        said.append((name, ", ".join(parts)))
    for name, x in tally.numbers.items():
        known = x[~np.isnan(x)]
        lost = float(tally.rows[np.isnan(x)].sum())
        grid = f", on a grid of level {tally.grids[name]}" if name in tally.grids else ""
        span = f", {known.min():.6g} to {known.max():.6g}" if known.size else ""
        missing = f", {MISSING_LEVEL} ({count(lost)})" if lost else ""
        said.append((name, f"{count(np.unique(known).size)} different numbers{span}{grid}{missing}"))
    if tally.weights:
        said.append((tally.weights, f"weights, {count(float(tally.weight.sum()))} in all"))
    hidden = tally.most > 0
    if hidden.any():
        people = f"{count(float(tally.least.sum()))} to {count(float(tally.most.sum()))} people"
        said.append(("withheld", f"{count(int(hidden.sum()))} cells of {people}"))
    return said


NEXT = "fairstats.audit(tally) audits these people; tally + tally adds others."


def summary_lines(tally: Tally) -> list[str]:
    """The lines of the summary."""
    from fairstats.errors import visible

    said = [(visible(name), visible(text)) for name, text in contents(tally)]
    wide = min(max((len(name) for name, _ in said), default=0), WIDTH // 3)
    lines = [title(tally)]
    for name, text in said:
        lines += textwrap.wrap(f"  {name:<{wide}}  {text}", WIDTH, subsequent_indent=" " * (wide + 4))
    return [*lines, NEXT]
