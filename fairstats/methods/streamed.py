"""Fair PCA of rows that are read part by part, of very many features: memory is O(pk), nothing is p × p or n × n."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np
from scipy import sparse

from fairstats.data.centered import CenteredMoments, refuse_one_group
from fairstats.data.centered_view import Scaling, freedom
from fairstats.data.design import Design
from fairstats.data.moments import BLOCK, Moments, from_design, merge, warn_of_groups_as_features
from fairstats.data.stream import finished, parts_of
from fairstats.errors import InputError, listing
from fairstats.language import message
from fairstats.linalg.eigen import EPS, fix_signs, next_block
from fairstats.methods.arguments import components
from fairstats.methods.fair_pca import equal_means, fair_notes
from fairstats.methods.results import Components, Guarantee, LinearMap, Price, Projection, checked
from fairstats.text import percent, significant
from fairstats.validation import Missing, flag, whole

SPARE = 10  # vectors beyond 2k that a pass carries: the more, the faster it converges
SAME = 1e-8  # of unit vectors: less sticks out by rounding
GAINED = 1e-10  # of the total: a pass that gains less is the last
RISK = 0.05
CLOSE = message("close to the best: share of the total that other components with equal group means could add, at most")


class Sketch:
    """Frequent directions (Ghashami, Liberty, Phillips & Woodruff 2016): few rows B that stand for many rows A.

    For every unit v, 0 ≤ ‖Av‖² − ‖Bv‖² ≤ ``lost`` ≤ ‖A − A_k‖²/(size + 1 − k).

    >>> A = np.random.default_rng(0).standard_normal((50, 6))
    >>> sketch = Sketch(3, 6)
    >>> sketch.add(A)
    >>> gap = np.linalg.eigvalsh(A.T @ A - sketch.rows.T @ sketch.rows)
    >>> bool(gap.min() > -1e-10), bool(gap.max() <= sketch.lost)
    (True, True)
    """

    def __init__(self, size: int, p: int) -> None:
        self.size, self.lost, self._filled = size, 0.0, 0
        self._buffer = np.zeros((2 * size, p))

    @property
    def rows(self) -> np.ndarray:
        """The rows B."""
        return self._buffer[: self._filled]

    def add(self, block: np.ndarray) -> None:
        """Take in more rows of A."""
        while len(block):
            if self._filled == len(self._buffer):
                self._shrink()
            taken = block[: len(self._buffer) - self._filled]
            self._buffer[self._filled : self._filled + len(taken)] = taken
            self._filled += len(taken)
            block = block[len(taken) :]

    def _shrink(self) -> None:
        values, turn = np.linalg.eigh(self._buffer @ self._buffer.T)
        values, turn = values[::-1], turn[:, ::-1]
        loss = max(float(values[self.size]), 0.0)
        kept = values[: self.size]
        short = np.sqrt(np.maximum(kept - loss, 0.0) / np.where(kept > 0, kept, 1.0))
        self._buffer[: self.size] = (short[:, None] * turn[:, : self.size].T) @ self._buffer
        self.lost += loss
        self._filled = self.size


class _ByColumn(CenteredMoments):
    """The centered view of data of which means by group and sums of squares by column are known, and no products."""

    def __init__(self, moments: Moments) -> None:
        self.moments = moments
        p, weight = moments.p, float(moments.weight.sum())
        self._mean_delta = moments.weight @ moments.delta / weight
        self._T = np.broadcast_to(0.0, (p, p))  # of one number: labels ask for none of it
        self.scaling = Scaling(
            moments.features,
            moments.shift + self._mean_delta,
            None,
            int(moments.n.sum()),
            weight,
            moments.named,
            moments.formula,
            moments.weighted,
            moments.source,
            float(freedom(weight, moments.squares.sum())),
        )

    @property
    def squares(self) -> np.ndarray:
        m = self.moments
        return np.asarray(m.scatter.sum(axis=0) + m.weight @ (m.delta - self._mean_delta) ** 2)

    @property
    def total(self) -> float:
        return float(self.squares.sum())


@checked()
def fair_pca_stream(
    source: Any,
    groups: Any,
    k: int = 2,
    *,
    features: Any = None,
    weights: Any = None,
    missing: Missing = "raise",
    passes: int | None = None,
    sketch: int | None = None,
    progress: bool = False,
) -> Projection:
    """Find fair principal components of very many features, reading the rows part by part.

    Where p × p numbers are too many for ``moments``, and the rows for the memory. Groups have exactly equal means on
    the scores, as in ``fair_pca``; what the components explain is close to the best, and the result says how close.

    Parameters
    ----------
    source : path, glob, list of paths, where the rows are, table, array, or iterator of tables
        As for ``moments``, but for Dask collections. Rows in memory are looked at in parts.
    groups : column name(s)
        As for every fit, but not continuous; labels (n,) where ``source`` is an array.
    k : int
        Number of components, 1 to min(n, p) − r, where r directions separate the group means.
    features : formula or list of column names, optional
        Default: every column that ``groups`` and ``weights`` do not name.
    weights : column name, optional
    missing : {"raise", "level", "drop"}
    passes : int, optional
        How often the source is read: 4, or 1 where it is an iterator. The first pass alone gives the components; a
        second measures what they explain, and each further one improves them.
    sketch : int, optional
        Rows that stand for all of them after the first pass: max(50, 10k), or p if that is less. With ``sketch`` = p
        the fit is that of ``fair_pca``.
    progress : bool
        Draw a progress bar on stderr for every pass over files.

    Returns
    -------
    Projection
        As ``fair_pca`` gives it; ``transform``, ``transform_to`` and ``save`` are the same.

    Raises
    ------
    InputError
        A continuous attribute, one group, an iterator that shall be read twice, k out of range.

    Guarantees
    ----------
    Every group has the same mean on every score, over all rows read.
    No orthonormal loadings with that property explain more by more than a share of the total that is printed, and that
    is at most k/(sketch + 1 − k) of what PCA leaves: no assumption is made of the rows or their order.

    Notes
    -----
    Memory is 2·sketch·p + 4(2k + 10)·p numbers, G·p for the means of G groups, and one part of the rows. The first
    pass keeps means by group and a sketch B of the centered rows, with 0 ≤ ‖X_cv‖² − ‖Bv‖² ≤ Δ for every unit v
    (frequent directions); directions in which group means differ are projected out of B at its end. Later passes are
    steps of the fair noisy power method of Lee et al., on 2k + 10 vectors and with all rows in one block, so that there
    is no noise. After one pass the sums of squares of components are those of B: at most Δ too small.

    Lee et al. estimate the groups' means from the first rows of the stream, and bound how many rows it takes until
    means and components are close to those of a population. Here both guarantees are of the rows read. Of the
    population that they are a random sample of, ``diagnostics["population_gap"]`` is what the difference of two groups'
    mean scores exceeds with probability 5% at most (Markov's inequality, variances as in the rows), in units of a row's
    root mean square: it falls with the root of the number of rows.

    References
    ----------
    Lee, Cho, Yun & Yun (2023), "Fair streaming principal component analysis: statistical and algorithmic viewpoint",
    NeurIPS. Ghashami, Liberty, Phillips & Woodruff (2016), "Frequent directions: simple and deterministic matrix
    sketching", SIAM Journal on Computing 45, 1762-1792.

    Examples
    --------
    >>> import fairstats as fs
    >>> parts = [{"x": [3.0, -3.0], "y": [t, t], "g": ["a", "b"]} for t in (1.0, -1.0)]
    >>> fs.fair_pca_stream(parts, "g", k=1).loadings.ravel().tolist()
    [0.0, 1.0]
    """
    progress = flag("progress", progress)
    k = whole("k", k, 1)
    parts = parts_of(source, groups, features, {"weights": weights, "missing": missing}, progress)
    if passes is None:
        passes = 1 if parts.once else 4
    passes = whole("passes", passes, 1)
    if parts.once and passes > 1:
        raise InputError("passes", f"has {passes}, and source can be read once only; pass files or a list of tables.")
    size = max(50, 10 * k) if sketch is None else whole("sketch", sketch, k)
    moments, seen = _first_pass(parts.read(), size)
    warn_of_groups_as_features(moments)
    moments = finished(replace(moments, source=parts.name), labels_are_text=parts.labels_are_text)
    refuse_one_group(moments)
    view = _ByColumn(moments)
    Q = view.mean_directions
    k = components(k, view, Q.shape[1], "the differences of group means")
    found = _Found(view, Q, k, seen)
    for step in range(1, passes):
        if not found.improve(parts.read(), last=step == passes - 1):
            break
    return _fit(view, found, len(Q.T))


def _first_pass(designs: Iterator[Design], size: int) -> tuple[Moments, Sketch]:
    """Return means by group and sums of squares by column, and a sketch of the rows about their mean."""
    moments: Moments | None = None
    for design in designs:
        design = design.counted()
        part = from_design(design, products=False)
        if part.continuous:
            raise InputError("groups", f"has {listing(part.continuous)}, which is continuous; cut it into classes.")
        weight = float(part.weight.sum())
        mean = part.weight @ part.delta / weight
        if moments is None:
            sketch = Sketch(min(size, part.p), part.p)
        else:
            before = float(moments.weight.sum())
            step = (part.shift - moments.shift) + mean - moments.weight @ moments.delta / before
            sketch.add(np.sqrt(before * weight / (before + weight)) * step[None])
        for block in _rows(design, part.shift + mean):
            sketch.add(block)
        moments = part if moments is None else merge(moments, part)
    if moments is None:
        raise InputError("source", "has no rows; nothing can be estimated from it.")
    return moments, sketch


def _rows(design: Design, center: np.ndarray) -> Iterator[np.ndarray]:
    """The rows less the center, times the roots of their weights, block by block."""
    X = design.X
    for i in range(0, design.n, BLOCK):
        block = X[i : i + BLOCK]
        block = (block.toarray() if sparse.issparse(block) else block) - center
        yield block if design.weights is None else block * np.sqrt(design.weights[i : i + BLOCK])[:, None]


class _Found:
    """The fair components found so far, and a block of directions that the next pass starts from."""

    def __init__(self, view: _ByColumn, Q: np.ndarray, k: int, sketch: Sketch) -> None:
        self.view, self.Q, self.k, self.passes = view, Q, k, 1
        self.size, self.lost = sketch.size, sketch.lost
        B = sketch.rows
        _, best, V = np.linalg.svd(B, full_matrices=False)
        _, fair, U = np.linalg.svd(_off(B.T, Q).T, full_matrices=False)
        most = min(2 * k + SPARE, view.max_rank)
        self.width = most - Q.shape[1] if most - Q.shape[1] > k else k
        self._start(U[: self.width].T * fair[: self.width], V[:most].T)
        self.energy = np.zeros(k)
        self.energy[: len(fair)] = fair[:k] ** 2
        self.U, self.pca = self.block[:, :k], float(np.sum(best[:k] ** 2))
        self.reach = float(self.energy.sum()) + min(k * self.lost, max(view.total - float(np.sum(best**2)), 0.0))

    def _start(self, fair: np.ndarray, best: np.ndarray) -> None:
        """Set the block: ``width`` directions off Q, those of ``fair`` first, and what ``best`` adds to them."""
        noise = 64 * EPS * float(np.linalg.norm(fair))
        fresh = next_block(self.Q, fair, noise)[0]
        if (lacking := self.width - fresh.shape[1]) > 0:  # the rows vary in fewer directions: any others
            random = np.random.default_rng(0).standard_normal((len(fair), lacking))
            fresh = np.hstack([fresh, next_block(np.hstack([self.Q, fresh]), random, 0.0)[0]])
        self.block = np.hstack([fresh, next_block(fresh, best, SAME)[0]])

    def improve(self, designs: Iterator[Design], *, last: bool) -> bool:
        """Read all rows: the best components within the block, and the block's image; whether more may be gained."""
        W, k, f = self.block, self.k, self.width
        H, image = np.zeros((W.shape[1], W.shape[1])), np.zeros(W.shape)
        for design in designs:
            for rows in _rows(design.counted(), self.view.scaling.center):
                scores = rows @ W
                H += scores.T @ scores
                if not last:
                    image += rows.T @ scores
        values, turn = np.linalg.eigh(H[:f, :f])
        before, self.energy = float(self.energy.sum()), np.maximum(values[::-1][:k], 0.0)
        self.U = W[:, :f] @ turn[:, ::-1][:, :k]
        values, turn = np.linalg.eigh(H)
        self.pca = float(values[::-1][:k].sum())
        self.passes += 1
        settled = self.passes > 2 and float(self.energy.sum()) - before <= GAINED * self.view.total
        if last or settled:
            return False
        self._start(image[:, :f], np.linalg.qr(image @ turn[:, ::-1][:, : f + self.Q.shape[1]])[0])
        return True


def _off(V: np.ndarray, Q: np.ndarray) -> np.ndarray:
    return V - Q @ (Q.T @ V)


def _fit(view: _ByColumn, found: _Found, r: int) -> Projection:
    k, total, energy = found.k, view.total, found.energy
    U = fix_signs(found.U)
    explained = float(energy.sum())
    short = max(found.reach - explained, 0.0) / total
    most = k / (found.size + 1 - k) * (total - found.pca) / total
    notes = list(fair_notes(r, "parity", None, view.scaling.n))
    if found.passes == 1:
        notes.append(
            "The source was read once: each component explains what is shown, or more by "
            f"{significant(found.lost / total, 2)} of the total at most."
        )
    diagnostics: dict[str, Any] = {"directions_removed": r, "passes": found.passes, "sketch": found.size}
    gap = _population_gap(view)
    if np.isfinite(gap):
        diagnostics["population_gap"] = gap
        notes.append(
            "Of a population that these rows are a random sample of: the groups' mean scores there differ by at most "
            f"{significant(gap, 2)} times the root mean square of a row, with probability {percent(1 - RISK, 0)}% or "
            "more."
        )
    return Projection(
        method="fair_pca",
        title="Fair PCA of a stream (equal group means)",
        settings={"k": k},
        scaling=view.scaling,
        linear=LinearMap(weights=U, loadings=U, origin=view.scaling.center),
        components=Components(energy, view.shares(U, energy)),
        price=Price(total=total, error=total - explained, pca_error=total - found.pca),
        encoding=view.encoding,
        guarantees=(equal_means(view, U, energy, "parity", None), Guarantee(CLOSE, short, most + 1e-10)),
        notes=tuple(notes),
        diagnostics=diagnostics,
    )


def _population_gap(view: _ByColumn) -> float:
    """What differences of mean scores exceed in 5% of samples at most, in units of a row's root mean square."""
    errors = []
    for attribute in view.moments.attributes:
        m = view.moments.collapse((attribute,))
        left = freedom(m.weight, m.squares)
        variance = m.scatter.sum(axis=1) / np.where(left > 0, left, np.nan) * m.squares / m.weight**2
        errors += [a + b for a, b in combinations(variance.tolist(), 2)]
    return float(np.sqrt(len(errors) * np.max(errors) / RISK * view.scaling.weight / view.total))
