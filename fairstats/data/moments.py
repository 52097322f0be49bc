"""Moments: counts, means and second moments by group cell, which merge exactly; many methods need nothing else."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np
from scipy import sparse
from scipy.linalg import blas

from fairstats.data.design import FEWEST_BESIDE, Design, check_squares, warn_of_group
from fairstats.data.formula import Formula
from fairstats.data.tables import Columns, check_numeric_labels, counted, same_kind
from fairstats.errors import InputError, Setting, listing, visible
from fairstats.estimates import Saved
from fairstats.validation import Missing, flag, items, one_of, shown

# One pass over rows: their counts, sums and sums of products by cell, block by block.


BLOCK_BYTES = 1 << 19  # a block of rows that stays in the second-level cache while it is shifted and multiplied
NEAR = 0.5  # standard deviations: closer to 0 than this, a mean costs less than a third of a bit
FAR = 10.0  # standard deviations within groups: a group's mean further off than this costs more than two digits
ONE_BY_ONE = 4  # groups up to which one product a group is faster than one of all


@dataclass(frozen=True)
class Sums:
    """The sums that one pass over rows computes, by cell: weights, shifted means, second moments."""

    n: np.ndarray
    weight: np.ndarray
    squares: np.ndarray
    shift: np.ndarray
    delta: np.ndarray
    scatter: np.ndarray


def accumulate(X: Any, codes: np.ndarray, G: int, weights: np.ndarray | None, by_cell: bool) -> Sums:
    """Return shifted sums and products in one pass, block by block, so that a block is read from memory once."""
    n, d = X.shape
    shift = _shift(X, weights)
    centers = _centers(X, codes, G, weights, shift)
    # Rows that are neither shifted nor weighted are multiplied where they are.
    as_they_are = shift is None and centers is None and weights is None and not sparse.issparse(X)
    count = counted(codes, G)
    mass = count.astype(float) if weights is None else np.bincount(codes, weights, minlength=G)
    squares = mass if weights is None else np.bincount(codes, weights**2, minlength=G)
    sums = np.zeros((G, d))
    products: list[np.ndarray | None] = [None] * (G if by_cell else 1)
    for take, at in _pieces(codes, G, _block_rows(n, d), by_cell):
        block = X[take]
        block = block.toarray() if sparse.issparse(block) else block
        cell = codes[take]
        if centers is not None:
            block = block - (centers[at] if by_cell else centers[cell])
        elif not as_they_are:
            block = block - (0.0 if shift is None else shift)
        w = None if weights is None else weights[take]
        if by_cell:
            sums[at] += (np.ones(len(block)) if w is None else w) @ block
        else:
            sums += _by_group(block, cell, G, w)
        if w is not None:
            block *= np.sqrt(w)[:, None]
        present = products[at]
        into = np.zeros((d, d), order="F") if present is None else present
        # The lower triangle, added to where it stands: no matrix is made and added for each block.
        products[at] = blas.dsyrk(1.0, block.T, beta=1.0, c=into, lower=1, overwrite_c=1)
    delta = sums / np.where(mass > 0, mass, 1.0)[:, None]
    scatter = _about_means(products, delta, mass)
    shift = np.zeros(d) if shift is None else shift
    return Sums(count, mass, squares, shift, delta if centers is None else delta + (centers - shift), scatter)


def accumulate_columns(X: Any, codes: np.ndarray, G: int, weights: np.ndarray | None) -> Sums:
    """Return the same of each column alone, its sum of squares (G, d) without products: memory is that of G rows."""
    w = np.ones(len(codes)) if weights is None else weights
    mass = np.bincount(codes, w, minlength=G)

    def summed(of: Callable[[np.ndarray, np.ndarray], np.ndarray]) -> np.ndarray:
        total = np.zeros((G, X.shape[1]))
        for i in range(0, len(codes), BLOCK):
            block = X[i : i + BLOCK]
            cell = codes[i : i + BLOCK]
            block = of(block.toarray() if sparse.issparse(block) else block, cell)
            total += _by_group(block, cell, G, w[i : i + BLOCK])
        return total

    safe = np.where(mass > 0, mass, 1.0)[:, None]
    rough = summed(lambda block, cell: block) / safe
    rest = summed(lambda block, cell: block - rough[cell]) / safe
    scatter = summed(lambda block, cell: (block - rough[cell] - rest[cell]) ** 2)
    shift = mass @ rough / mass.sum()
    squares = mass if weights is None else np.bincount(codes, weights**2, minlength=G)
    return Sums(counted(codes, G), mass, squares, shift, (rough - shift) + rest, scatter)


def _shift(X: Any, weights: np.ndarray | None) -> np.ndarray | None:
    """A mean of the first rows, about which sums keep their digits; None where 0 does as well for every column."""
    # Rows of weight 0 may lie anywhere, and would place the shift where the others are not.
    first = X[slice(0, 1024) if weights is None else np.flatnonzero(weights)[:1024]]
    shift = np.asarray(first.mean(axis=0), dtype=float).ravel()
    shift = np.where(np.isfinite(shift), shift, 0.0)
    if sparse.issparse(X):
        return shift
    apart = first - shift
    spread = np.sqrt(np.einsum("ij,ij->j", apart, apart) / len(apart))
    return None if (np.abs(shift) <= NEAR * spread).all() else shift


def _centers(
    X: Any, codes: np.ndarray, G: int, weights: np.ndarray | None, shift: np.ndarray | None
) -> np.ndarray | None:
    """Means (G, d) of the first rows of each cell, where one shift for all would cost digits; else None."""
    if G == 1:
        return None
    rows = _first_rows(codes, G, weights)
    first, current = X[rows], codes[rows]
    first = first.toarray() if sparse.issparse(first) else first
    base = np.zeros(X.shape[1]) if shift is None else shift
    count = np.bincount(current, minlength=G)[:, None]
    off = first - base
    means = base + _by_group(off, current, G, None) / np.maximum(count, 1)
    apart = (means - base) ** 2
    within = (np.einsum("ij,ij->j", off, off) - (count * apart).sum(axis=0)) / len(off)
    return means if np.isfinite(within).all() and (apart > FAR**2 * within).any() else None


def _first_rows(codes: np.ndarray, G: int, weights: np.ndarray | None, most: int = 1024) -> slice | np.ndarray:
    """The first rows of positive weight, and of a cell that is not among them (sorted rows) some of its first."""
    present = None if weights is None else np.flatnonzero(weights)
    current = codes if present is None else codes[present]
    absent = np.bincount(current[:most], minlength=G) == 0
    start = slice(0, most) if present is None else present[:most]
    if len(current) <= most or not absent.any():
        return start
    first = np.full(G, -1)
    first[current[::-1]] = np.arange(len(current))[::-1]  # of equal places the last assignment counts
    few = [c + np.flatnonzero(current[c : c + 256] == g) for g, c in enumerate(first) if absent[g] and c >= 0]
    places = np.concatenate([np.arange(most), *few])
    return places if present is None else present[places]


def _block_rows(n: int, d: int) -> int:
    if d < 512:
        return int(np.clip(BLOCK_BYTES // (8 * d), 128, 16_384))
    return min(n, max(2048, 4_096_000 // d))


def _by_group(block: np.ndarray, cell: np.ndarray, G: int, w: np.ndarray | None) -> np.ndarray:
    """Sums (G, d) of the rows of each group, times their weights."""
    member = (cell == np.arange(G)[:, None]).astype(float)
    if w is not None:
        member *= w
    return np.stack([each @ block for each in member]) if G <= ONE_BY_ONE else member @ block


def _about_means(products: list[np.ndarray | None], delta: np.ndarray, mass: np.ndarray) -> np.ndarray:
    """Sums of squares and products about the cells' means, by cell or pooled (1 or G, d, d), from lower triangles."""
    d = delta.shape[1]
    for present in products:
        if present is not None:
            present += np.tril(present, -1).T
    if len(products) == 1:
        present = products[0]
        result = np.zeros((d, d)) if present is None else present
        result -= (delta * mass[:, None]).T @ delta
        return result[None]
    scatter = np.zeros((len(products), d, d))
    for into, present, m, weight in zip(scatter, products, delta, mass, strict=True):
        if present is not None:
            np.subtract(present, np.outer(weight * m, m), out=into)
    return scatter


def _pieces(codes: np.ndarray, G: int, rows: int, by_cell: bool) -> Iterator[tuple[Any, int]]:
    """Rows that are multiplied together, of one cell with ``by_cell``, and to which matrix their product is added."""
    n = len(codes)
    if not by_cell or G == 1:
        yield from ((slice(i, min(i + rows, n)), 0) for i in range(0, n, rows))
    elif G <= ONE_BY_ONE:  # cell by cell within a block of rows, which is then in cache
        for i in range(0, n, rows):
            for at in range(G):
                take = i + np.flatnonzero(codes[i : i + rows] == at)
                if len(take):
                    yield take, at
    else:
        order = np.argsort(codes, kind="stable")
        edges = np.concatenate([[0], np.cumsum(np.bincount(codes, minlength=G))])
        for at, (a, b) in enumerate(pairwise(edges.tolist())):
            yield from ((order[i : min(i + rows, b)], at) for i in range(a, b, rows))


@dataclass(frozen=True, repr=False)
class Moments(Saved):
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
        Sums of squares and products about the cell means: by cell, or pooled. Where only means are asked for, of very
        many columns, there are no products: sums of squares by cell (G, p).
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
            check_numeric_labels(name, one.levels, one.numbers)
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
        result = replace(self, numbers=tuple(self.numbers[i] for i in index))
        return regrouped(result, to, keep, tuple(self.levels[i] for i in index), target, outcome)

    def within_outcome(self, label: str) -> Moments:
        """Return the rows whose outcome is ``label``."""
        if not self.outcome:
            raise InputError(
                "label", f"has {shown(label)}; these moments have no outcome; compute them with {Setting('y')}."
            )
        if not isinstance(label, str) or label not in self.levels[-1]:
            raise InputError("label", f"is not a label of y; it has {listing(self.levels[-1])}.", value=label)
        rows = np.array([c[-1] == label for c in self.cells])
        if not self.by_cell:
            raise InputError(f"these moments pool second moments over y; compute them with {Setting('by_cell', True)}.")
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


def from_design(design: Design, *, by_cell: bool = True, products: bool = True) -> Moments:
    """Return moments of a checked design, in one pass over its rows; without ``products`` in memory of G rows."""
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
    with np.errstate(invalid="ignore", over="ignore"):  # checked below, by the result
        if products:
            sums = accumulate(X, codes, len(cells), design.weights, by_cell)
        else:
            sums = accumulate_columns(X, codes, len(cells), design.weights)
        squares = _squares(sums)
    names = groups.continuous_names if groups else ()
    check_squares(design.X, squares[: design.p], design.features)
    if groups is not None and names:
        check_squares(groups.continuous, squares[design.p :], names, "groups")
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
    apart = sums.delta - sums.weight @ sums.delta / sums.weight.sum()
    return np.asarray(column_squares(sums.scatter).sum(axis=0) + sums.weight @ apart**2)


def column_squares(scatter: np.ndarray) -> np.ndarray:
    """Return the sums of squares of each column (G, d), of ``Moments.scatter`` with or without products."""
    return scatter if scatter.ndim == 2 else np.diagonal(scatter, axis1=1, axis2=2)


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
    return regrouped(both, to, a.attributes, levels, cells, a.outcome, pooled=pooled)


def regrouped(
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
    scatter = np.zeros((G, d) if m.scatter.ndim == 2 else (G if by_cell else 1, d, d))
    if m.scatter.ndim == 2:
        np.add.at(scatter, to, m.scatter + m.weight[:, None] * gap**2)
    elif by_cell:
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


# Centering without loss: means taken twice, and sparse matrices shifted where they have no zeros to keep.


BLOCK = 512  # rows at a time


def centering(X: Any, weights: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return column means in two parts, and the sums of squares about them.

    A mean of numbers near 1e8 is rounded at 1e-8: the rows less that mean still have one of their own, which adds a
    direction (1, …, 1) to their column space. It is told apart here, from the differences, which are exact.

    X: shape (n, p).
    weights: shape (n,).
    Returns: center: the means, rounded, shape (p,); rest: what is left of them: X − center − rest has mean 0, shape
        (p,); squares: shape (p,).

    >>> center, rest, squares = centering(np.array([[1e16], [1e16 + 2.0]]))
    >>> center.tolist(), rest.tolist(), squares.tolist()
    ([1e+16], [1.0], [2.0])
    """
    mass = float(X.shape[0] if weights is None else weights.sum())
    with np.errstate(over="ignore", invalid="ignore"):  # checked by the result
        rough = np.asarray(X.mean(axis=0) if weights is None else weights @ X / mass).ravel()
        sums, squares = (_sparse_sums if sparse.issparse(X) else _dense_sums)(X, rough, weights)
        rest = sums / mass
        center = rough + rest
        squares = np.maximum(squares - mass * rest**2, 0.0)
        return center, (rough - center) + rest, squares


def _dense_sums(X: np.ndarray, rough: np.ndarray, weights: np.ndarray | None) -> tuple[np.ndarray, np.ndarray]:
    """Sums (p,) of X − rough and of its squares, block by block."""
    sums, squares = np.zeros(X.shape[1]), np.zeros(X.shape[1])
    for i in range(0, X.shape[0], BLOCK):
        block = X[i : i + BLOCK] - rough
        w = np.ones(len(block)) if weights is None else weights[i : i + BLOCK]
        sums += w @ block
        squares += w @ block**2
    return sums, squares


def _sparse_sums(X: Any, rough: np.ndarray, weights: np.ndarray | None) -> tuple[np.ndarray, np.ndarray]:
    """The same from what is stored: the zeros of a column all differ from its mean by that mean."""
    X, p = canonical(X), X.shape[1]
    w = np.ones(X.nnz) if weights is None else np.repeat(weights, np.diff(X.indptr))
    apart = X.data - rough[X.indices]
    zeros = (X.shape[0] if weights is None else weights.sum()) - np.bincount(X.indices, w, minlength=p)
    zeros = np.where(np.bincount(X.indices, minlength=p) == X.shape[0], 0.0, zeros)
    sums = np.bincount(X.indices, w * apart, minlength=p) - zeros * rough
    return sums, np.bincount(X.indices, w * apart**2, minlength=p) + zeros * rough**2


def canonical(X: Any) -> Any:
    """Return a sparse matrix by rows (CSR) with each entry stored once; X itself stays as it is."""
    X = X.tocsr()
    if not X.has_canonical_format:
        X = X.copy()
        X.sum_duplicates()
    return X


def shifted(X: Any, center: np.ndarray) -> tuple[Any, np.ndarray]:
    """Return X − center as far as X stays sparse, and what is still to be subtracted.

    A column without zeros is shifted: its mean may be any multiple of its spread, and products of the column less
    products of the mean would leave rounding. The mean of a column with zeros is no larger than √n times its spread.

    >>> X, left = shifted(sparse.csr_array([[7.0, 0.0], [9.0, 4.0]]), np.array([8.0, 2.0]))
    >>> X.toarray().tolist(), left.tolist()
    ([[-1.0, 0.0], [1.0, 4.0]], [0.0, 2.0])
    """
    if not sparse.issparse(X):
        return X - center, np.zeros_like(center)
    X = canonical(X)
    full = X.shape[0] == np.bincount(X.indices, minlength=X.shape[1])
    if not full.any():
        return X, center
    moved = X.copy()
    moved.data = X.data - np.where(full, center, 0.0)[X.indices]
    return moved, np.where(full, 0.0, center)


# One chunk of a table to its moments, wherever the chunk lives.


def chunk_moments(part: Any, features: Any, groups: Any, options: Mapping[str, Any], by_cell: bool) -> Moments:
    """Return moments of one chunk; a group need not occur in it."""
    return from_design(chunk_design(part, features, groups, options), by_cell=by_cell)


def chunk_design(part: Any, features: Any, groups: Any, options: Mapping[str, Any]) -> Design:
    """Return the checked rows of one chunk."""
    X = part if features is None else features
    data = None if features is None else part
    if isinstance(X, Formula):
        columns = Columns(part)
        design = Design.of(X.matrix(columns), groups, data=columns, at_least=1, whole=False, **options)
        return replace(design, features=X.features, formula=X, named=True)
    return Design.of(X, groups, data=data, at_least=1, whole=False, **options)


ROUNDING = 1e-12  # of what lies between groups: less within them is the rounding of sums


def warn_of_groups_as_features(m: Moments) -> None:
    """Warn of features that have one value in each group: known of parts only when all of them are added up."""
    for attribute in m.attributes if m.named else ():
        groups = m.collapse((attribute,))
        if attribute == m.outcome or groups.n.sum() - len(groups.n) < FEWEST_BESIDE:
            continue
        within = np.sqrt(column_squares(groups.scatter).sum(0) / groups.weight.sum())
        between = np.ptp(groups.delta, axis=0)
        for j in np.flatnonzero((within <= ROUNDING * between) & (between > 0)):
            if j < m.p:
                warn_of_group(m.features[j], attribute)


def refuse_names(features: Any) -> None:
    """Refuse names of features where the data are an array, whose columns have none."""
    if features is not None:
        raise InputError(
            f"{Setting('features', features)} names columns, and source is an array, whose columns have no "
            f"names; pass those "
            "columns of it, or a table."
        )
