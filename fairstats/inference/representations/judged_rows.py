"""Which rows inference about the extra error rests on: those of the fit, or a half that its components did not see."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairstats.data.columns import is_table
from fairstats.data.design import Design
from fairstats.data.matrices import refuse_unsquarable
from fairstats.data.moments import Moments
from fairstats.errors import InputError
from fairstats.inference.representations.group_part import Cells, Floats, GroupPart, from_cells, from_rows
from fairstats.linalg.eigen import independent_columns
from fairstats.methods.pca import pca
from fairstats.methods.results.projection import Projection

Codes = NDArray[np.intp]
WEIGHTED = "weighted rows are not exchangeable: described, not tested"
NO_ROWS = "without the rows, or their Moments by cell, the groups' own spread is not known: no interval"
FROM_MOMENTS = "from moments only: no permutations"
# a component shorter than this share of the whole is rounding
ROUNDING = 1e-14


@dataclass(frozen=True)
class Judged:
    """The scores that inference rests on.

    Attributes
    ----------
    part : GroupPart or None
    components : Projection or None
        Whose components these are.
    rows : tuple or None
        Scores, Z and cells of the rows, for permutations.
    scores : tuple or None
        Scores and codes of all rows of the fit, where there is one attribute, for the check of dispersion.
    factor : float
        Rows of the fit for each of these.
    n : int
        How many they are.
    why : str
        What is absent for which reason, or whose components these are.
    split : bool
        Whether the components are those of another half.
    exchangeable : bool
        Whether the p-value of equal distributions may stand in.
    """

    part: GroupPart | None = None
    components: Projection | None = None
    rows: tuple[Floats, Floats, Codes | None] | None = None
    scores: tuple[Floats, Codes | None] | None = None
    factor: float = 1.0
    n: int = 0
    why: str = ""
    split: bool = False
    exchangeable: bool = False


def follows_noise(n: int, p: int, k: int) -> bool:
    """Whether k of p components follow the noise of their own n rows too much to be judged on them.

    Examples
    --------
    >>> follows_noise(250, 25, 5), follows_noise(250, 5, 5), follows_noise(7000, 8, 4)
    (True, False, False)
    """
    return k < p and (p >= n / 5 or p - k >= (n * p) ** 0.25 / 2)


def judged_rows(fit: Projection, X: Any, groups: Any, data: Any, seed: int) -> Judged:
    """Return the rows that inference about a fit of n rows rests on."""
    assert fit.encoding is not None
    n, p = fit.scaling.n, len(fit.features)
    dense = follows_noise(n, p, fit.k)
    given = X is not None or data is not None
    # Weights are of people who were drawn unequally; what chance would do to them is not known.
    if fit.scaling.weighted:
        return Judged(why=WEIGHTED)
    if isinstance(X, Moments) or not given:
        if dense:
            why = f"{p} features for {n} rows: components follow the noise of their rows; needs the rows, to split them"
            return Judged(why=why)
        return _of_moments(fit, X) if given else Judged(why=NO_ROWS, exchangeable=True)
    design = _design(fit, X, groups, data)
    refuse_unsquarable(design.X, design.features)
    assert design.groups is not None
    alone = replace(fit, encoding=None, linear=replace(fit.linear, coefficients=None))
    A = np.asarray(alone.transform(design))
    squares = np.sum(A * A, axis=0)
    if fit.settings.get("center", True) and not np.allclose(squares, fit.energy, 1e-6, 1e-9 * fit.total):
        raise InputError(
            f"X has {n} rows on which the components have other sums of squares ({squares[0]:.6g} of the first) than "
            f"on the rows of the fit ({fit.energy[0]:.6g}); pass these."
        )
    A = np.where(fit.energy > ROUNDING * fit.total, A, 0.0)
    labels = design.groups.factors[0].codes if len(design.groups.factors) == 1 else None
    if dense:
        return replace(_halves(fit, design, seed), scores=(A, labels))
    part, rows = _part(A, fit.encoding.encode(design.groups), _cells(design))
    return Judged(part, fit, rows, (A, labels), n=n, why=part.unknown)


def _part(A: Floats, Z: Floats, codes: Codes | None) -> tuple[GroupPart, tuple[Floats, Floats, Codes | None]]:
    return from_rows(A, Z, codes), (A, Z, codes)


def _cells(design: Design) -> Codes | None:
    assert design.groups is not None
    if design.groups.continuous_names:
        return None
    return np.unique(design.groups.cells[0], return_inverse=True)[1].astype(np.intp)


def _halves(fit: Projection, design: Design, seed: int) -> Judged:
    """Components of one half of every cell, judged on the other."""
    assert fit.encoding is not None and design.groups is not None
    codes, n = design.groups.cells[0], design.n
    order = np.random.default_rng(seed).permutation(n)
    order = order[np.argsort(codes[order], kind="stable")]
    first = np.zeros(n, dtype=bool)
    first[order[1::2]] = True
    why = (
        f"{len(fit.features)} features for {n} rows: interval and p are about components of a half, judged on the other"
    )
    try:
        made = pca(replace(design.take(first), groups=None), k=fit.k, scale=bool(fit.settings.get("scale", False)))
    except InputError as problem:
        return Judged(why=f"no inference, since a half of the rows does not give the components: {problem}")
    rest = design.take(~first)
    assert rest.groups is not None
    A = np.where(made.energy > ROUNDING * made.total, made.transform(replace(rest, groups=None)), 0.0)
    Z = fit.encoding.encode(rest.groups)
    Z = Z - Z.mean(axis=0)
    Z = Z[:, list(independent_columns(Z.T @ Z))]
    if not Z.shape[1]:
        return Judged(why="no inference, since the groups do not vary in a half of the rows")
    part, rows = _part(A, Z, _cells(rest))
    return Judged(part, made, rows, factor=n / rest.n, n=rest.n, why=part.unknown or why, split=True)


def _of_moments(fit: Projection, moments: Moments) -> Judged:
    """The group part from second moments by cell."""
    assert fit.encoding is not None
    m = moments.collapse(moments.attributes[:-1]) if moments.outcome else moments
    if int(m.n.sum()) != fit.scaling.n or m.attributes != fit.encoding.names or m.features != fit.features:
        raise InputError(
            f"X has the moments of {int(m.n.sum())} rows, {m.p} features and {len(m.attributes)} attributes, and the "
            f"fit had {fit.scaling.n}, {len(fit.features)} and {len(fit.encoding.names)}; pass the moments of the fit."
        )
    if not m.by_cell or m.continuous:
        return Judged(why=f"{NO_ROWS}, nor from pooled moments or those of a continuous attribute", exchangeable=True)
    B = fit.weights if fit.scaling.scale is None else fit.weights / fit.scaling.scale[:, None]
    B = B * (fit.energy > ROUNDING * fit.total)
    held = m.n > 0
    mean = (m.delta[held] + (m.shift - fit.scaling.center)) @ B
    scatter = B.T @ m.scatter[held] @ B
    Z = fit.encoding.raw(m.cells)[held][:, list(fit.encoding.kept)] - fit.encoding.center
    part = from_cells(Cells(m.n[held].astype(float), mean, scatter, Z))
    return Judged(part, fit, n=fit.scaling.n, why=part.unknown or FROM_MOMENTS)


def _design(fit: Projection, X: Any, groups: Any, data: Any) -> Design:
    """The rows of a fit, given as they were to it."""
    assert fit.encoding is not None
    formula = fit.scaling.formula
    if data is None and formula is not None:
        X, data = formula.text, X
    elif data is None and fit.scaling.named and is_table(X):
        X, data = list(fit.features), X
    if groups is None and data is not None:
        groups = [*fit.encoding.names, *fit.encoding.continuous_names]
    design = X if isinstance(X, Design) else Design.of(X, fit.encoding.ask(groups), data=data, among_features=True)
    if design.groups is None:
        raise InputError("groups is missing; they are what the components are tested against.")
    if design.n != fit.scaling.n:
        raise InputError(f"X has {design.n} rows and the fit had {fit.scaling.n}; pass the rows of the fit.")
    return design
