"""Moments: counts, means and second moments by group cell, which merge exactly; many methods need nothing else."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy import sparse

from fairstats.arguments import flag, items, one_of, shown
from fairstats.choices import Missing
from fairstats.data.accumulation import Sums, accumulate
from fairstats.data.design import Design
from fairstats.data.formula import Formula
from fairstats.data.label_codes import judge_numbers, same_kind
from fairstats.data.matrices import judge_squares
from fairstats.errors import InputError, listing, visible


@dataclass(frozen=True, repr=False)
class Moments:
    """Counts, means and second moments of n rows, by cell of the groups: all that many methods need of the data.

    All are kept about ``shift`` (a mean of the first rows), so that a large common mean costs no digits
    (Chan, Golub & LeVeque 1983). The last c columns are continuous group attributes, if there are any.

    Attributes
    ----------
    features : tuple of str
        Names of the p features.
    attributes : tuple of str
        The categorical group attributes; with ``outcome`` set, the last one is the outcome's label.
    levels : tuple of tuple of str
        Their levels in order.
    cells : tuple of tuple of str
        The G combinations that occur.
    n, weight, squares : array (G,)
        Rows (of positive weight), summed weights and summed squared weights by cell.
    shift : array (p + c,)
    delta : array (G, p + c)
        Cell means minus ``shift``.
    scatter : array (G, p + c, p + c) or (1, p + c, p + c)
        Sums of squares and products about the cell means: by cell, or pooled.
    """

    features: tuple[str, ...]
    attributes: tuple[str, ...]
    levels: tuple[tuple[str, ...], ...]
    continuous: tuple[str, ...]
    cells: tuple[tuple[str, ...], ...]
    n: np.ndarray
    weight: np.ndarray
    squares: np.ndarray
    shift: np.ndarray
    delta: np.ndarray
    scatter: np.ndarray
    outcome: str = ""
    weighted: bool = False
    formula: Formula | None = None
    named: bool = False
    source: str = "rows in memory"
    numbers: tuple[tuple[bool, ...], ...] = ()  # by attribute, which parts of its levels are numbers

    def __repr__(self) -> str:
        groups = listing([*self.attributes, *self.continuous]) or "none"
        features = f"{self.p} features ({listing(self.features)})"
        text = f"<Moments: {self.n.sum():g} rows of {self.source}, {features}, groups {groups}>"
        return visible(" ".join(text.split()))

    @property
    def p(self) -> int:
        """Number of features."""
        return len(self.features)

    @property
    def by_cell(self) -> bool:
        """Whether second moments are kept cell by cell."""
        return len(self.scatter) == len(self.cells)

    @staticmethod
    def of(
        X: Any,
        groups: Any = None,
        *,
        data: Any = None,
        y: Any = None,
        weights: Any = None,
        missing: Missing = "raise",
        by_cell: bool = True,
    ) -> Moments:
        """Return moments of rows in memory.

        Parameters
        ----------
        X : array, sparse matrix, table, column names, formula or Design
        groups : as for every fit
            One group is enough: the moments of several sites are added up.
        by_cell : bool
            Keep second moments by cell (methods that compare groups need them); False keeps one pooled matrix.

        Returns
        -------
        Moments

        Examples
        --------
        >>> import fairstats as fs
        >>> a = fs.Moments.of([[1.0], [2.0]], ["u", "v"])
        >>> b = fs.Moments.of([[3.0], [4.0]], ["u", "v"])
        >>> (a + b).n.tolist()
        [2, 2]
        """
        by_cell = flag("by_cell", by_cell)
        if isinstance(X, Design):
            return from_design(X, by_cell=by_cell)
        # One site, or one file, may have people of one group only; methods ask for two of the sum.
        design = Design.of(X, groups, data=data, y=y, weights=weights, missing=missing, at_least=1)
        for name, one in zip(design.groups.names, design.groups.factors, strict=True) if design.groups else ():
            judge_numbers(name, one.levels, one.numbers)
        return from_design(design, by_cell=by_cell)

    def __add__(self, other: Moments) -> Moments:
        return merge(self, other)

    def total(self) -> tuple[float, np.ndarray, np.ndarray]:
        """Return the summed weight, mean minus ``shift``, and pooled sums of squares and products about the mean."""
        weight = float(self.weight.sum())
        delta = self.weight @ self.delta / weight
        between = self.delta - delta
        return weight, delta, self.scatter.sum(axis=0) + (between * self.weight[:, None]).T @ between

    def collapse(self, keep: tuple[str, ...]) -> Moments:
        """Merge the cells that agree on the attributes in ``keep``."""
        keep = tuple(one_of("keep", a, self.attributes) for a in items("keep", keep, "attributes"))
        if keep == self.attributes:
            return self
        index = [self.attributes.index(a) for a in keep]
        target = tuple(dict.fromkeys(tuple(c[i] for i in index) for c in self.cells))
        to = np.array([target.index(tuple(c[i] for i in index)) for c in self.cells])
        outcome = self.outcome if self.outcome in keep else ""
        made = replace(self, numbers=tuple(self.numbers[i] for i in index))
        return _regroup(made, to, keep, tuple(self.levels[i] for i in index), target, outcome)

    def within_outcome(self, label: str) -> Moments:
        """Return the rows whose outcome is ``label``."""
        if not self.outcome:
            raise InputError(f"label has {shown(label)}; these moments have no outcome; compute them with y=.")
        if not isinstance(label, str) or label not in self.levels[-1]:
            raise InputError(f"label={shown(label)} is not a label of y; it has {listing(self.levels[-1])}.")
        rows = np.array([c[-1] == label for c in self.cells])
        if not self.by_cell:
            raise InputError("these moments pool second moments over y; compute them with by_cell=True.")
        return replace(
            self,
            attributes=self.attributes[:-1],
            levels=self.levels[:-1],
            numbers=self.numbers[:-1],
            outcome="",
            cells=tuple(c[:-1] for c, r in zip(self.cells, rows, strict=True) if r),
            n=self.n[rows],
            weight=self.weight[rows],
            squares=self.squares[rows],
            delta=self.delta[rows],
            scatter=self.scatter[rows],
        )


def from_design(design: Design, *, by_cell: bool = True) -> Moments:
    """Return moments of a checked design, in one pass over its rows."""
    design = design.counted()
    groups = design.groups
    n = design.n
    codes, cells = groups.cells if groups else (np.zeros(n, dtype=np.intp), ((),))
    attributes = groups.names if groups else ()
    levels = tuple(f.levels for f in groups.factors) if groups else ()
    numbers = tuple(f.numbers for f in groups.factors) if groups else ()
    outcome = ""
    if design.y is not None:
        outcome = "(outcome)"
        seen, codes = np.unique(codes * len(design.y.levels) + design.y.codes, return_inverse=True)
        cells = tuple(
            (*cells[s // len(design.y.levels)], design.y.levels[s % len(design.y.levels)]) for s in seen.tolist()
        )
        attributes, levels = (*attributes, outcome), (*levels, design.y.levels)
        numbers = (*numbers, design.y.numbers)
    X = design.X
    if groups is not None and groups.continuous.shape[1]:
        X = sparse.hstack([X, groups.continuous]).tocsr() if sparse.issparse(X) else np.hstack([X, groups.continuous])
    with np.errstate(invalid="ignore", over="ignore"):  # judged below, by the result
        sums = accumulate(X, codes, len(cells), design.weights, by_cell)
        squares = _squares(sums)
    names = groups.continuous_names if groups else ()
    judge_squares(design.X, squares[: design.p], design.features)
    if groups is not None and names:
        judge_squares(groups.continuous, squares[design.p :], names, "groups")
    return Moments(
        design.features,
        attributes,
        levels,
        names,
        cells,
        sums.n,
        sums.weight,
        sums.squares,
        sums.shift,
        sums.delta,
        sums.scatter,
        outcome,
        design.weights is not None,
        design.formula,
        design.named,
        numbers=numbers,
    )


def _squares(sums: Sums) -> np.ndarray:
    """Sums of squares of the columns about their means."""
    d = np.arange(sums.delta.shape[1])
    apart = sums.delta - sums.weight @ sums.delta / sums.weight.sum()
    return np.asarray(sums.scatter[:, d, d].sum(axis=0) + sums.weight @ apart**2)


def merge(a: Moments, b: Moments) -> Moments:
    """Merge the moments of two disjoint sets of rows, exactly."""
    for what in ("features", "attributes", "continuous", "outcome", "by_cell"):
        if getattr(a, what) != getattr(b, what) and not (what == "by_cell" and 1 in (len(a.cells), len(b.cells))):
            raise InputError(
                f"moments cannot be added: their {what} differ ({getattr(a, what)} and {getattr(b, what)})."
            )
    levels = tuple((*x, *(v for v in y if v not in x)) for x, y in zip(a.levels, b.levels, strict=True))
    rank = [{v: i for i, v in enumerate(lv)} for lv in levels]
    cells = tuple(sorted({*a.cells, *b.cells}, key=lambda c: tuple(r[v] for r, v in zip(rank, c, strict=True))))
    moved = b.delta + (b.shift - a.shift)
    both = replace(
        a,
        delta=np.vstack([a.delta, moved]),
        n=np.concatenate([a.n, b.n]),
        weight=np.concatenate([a.weight, b.weight]),
        squares=np.concatenate([a.squares, b.squares]),
        cells=(*a.cells, *b.cells),
        scatter=np.concatenate([a.scatter, b.scatter]),
        weighted=a.weighted or b.weighted,
        numbers=tuple(
            same_kind(attribute, (a.levels[i], a.numbers[i]), (b.levels[i], b.numbers[i]))
            for i, attribute in enumerate(a.attributes)
        ),
    )
    to = np.array([cells.index(c) for c in both.cells])
    pooled = not (a.by_cell and b.by_cell)
    return _regroup(both, to, a.attributes, levels, cells, a.outcome, pooled=pooled)


def _regroup(
    m: Moments,
    to: np.ndarray,
    attributes: tuple[str, ...],
    levels: tuple[tuple[str, ...], ...],
    cells: tuple[tuple[str, ...], ...],
    outcome: str,
    pooled: bool = False,
) -> Moments:
    """Merge cell i into cell ``to[i]``: means pool, scatters add with the spread of the means they lose."""
    G, d = len(cells), m.delta.shape[1]
    weight = np.bincount(to, m.weight, minlength=G)
    squares = np.bincount(to, m.squares, minlength=G)
    n = np.bincount(to, m.n, minlength=G).astype(m.n.dtype)
    # From the deviation to the first cell merged: the mean of equal means is then exactly that mean.
    base = m.delta[[int(np.argmax(to == g)) for g in range(G)]]
    off = m.delta - base[to]
    delta = np.zeros((G, d))
    np.add.at(delta, to, off * m.weight[:, None])
    delta = base + delta / np.where(weight > 0, weight, 1.0)[:, None]
    gap = m.delta - delta[to]
    by_cell = m.by_cell and not pooled
    scatter = np.zeros((G if by_cell else 1, d, d))
    if by_cell:
        for i, g in enumerate(to):
            scatter[g] += m.scatter[i] + m.weight[i] * np.outer(gap[i], gap[i])
    else:
        scatter[0] = m.scatter.sum(axis=0) + (gap * m.weight[:, None]).T @ gap
    return replace(
        m,
        attributes=attributes,
        levels=levels,
        cells=cells,
        n=n,
        weight=weight,
        squares=squares,
        delta=delta,
        scatter=scatter,
        outcome=outcome,
    )
