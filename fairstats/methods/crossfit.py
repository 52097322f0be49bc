"""Held-out scores: fit on all folds but one, transform that one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

from fairstats.arrays import LARGEST, array, row_labels
from fairstats.attached import attached
from fairstats.data.centered_view import Scaling
from fairstats.data.design import Design, as_matrix
from fairstats.data.formula import read
from fairstats.data.groups import Encoding, Groups
from fairstats.data.tables import Columns, aligned, is_table, row_index
from fairstats.document import Text
from fairstats.errors import FairstatsError, InputError, Setting, listing, named, takes, visible, warn
from fairstats.estimates import NAN, Estimate, Estimates, Reads
from fairstats.labels import column_parts
from fairstats.language import message
from fairstats.linalg.eigen import EPS
from fairstats.methods.arguments import erased_notes
from fairstats.validation import items, random_seed, text, whole, word

if TYPE_CHECKING:
    import pandas as pd


# Held-out scores: the result of `crossfit`, and the only input to inference about prediction or leakage.


@dataclass(frozen=True, repr=False)
class OutOfFoldScores(Reads):
    """Scores of rows by fits that did not see them: the only input to inference about prediction or leakage.

    Rows with the same fold were scored by the same fit; statistics compare rows within a fold, then average.
    ``OutOfFoldScores(scores, folds, groups, method, seed)``, groups one label a row, are scores held out by other
    means.
    """

    scores: np.ndarray  # (n, k)
    folds: np.ndarray  # (n,) fold in which a row was held out
    groups: Groups
    method: str
    seed: int
    weights: np.ndarray | None = None  # (n,) of a weighted fit; statistics of the scores then count rows by them
    before: np.ndarray | None = None  # (n, m) the same rows without the method's condition, held out alike
    before_of: str = ""  # what these are
    notes: tuple[str, ...] = ()  # cautions, where a linear model finds the group in them
    features: np.ndarray | None = None  # (n, p) of the same rows, where what is before is made of them
    promised: int | None = None  # of how many scores, from the first, the fit promises something; None: of all

    def __post_init__(self) -> None:
        scores = array("scores", self.scores, low=-LARGEST, high=LARGEST, dims=(2,))
        folds = row_labels("folds", self.folds)
        if np.asarray(self.folds).dtype.kind in "iu":  # as they were numbered
            folds = np.asarray(self.folds)
        if not isinstance(self.groups, Groups):
            object.__setattr__(self, "groups", Groups.of(self.groups))
        object.__setattr__(self, "scores", without_rounding(scores, folds, 64 * EPS * np.abs(scores).max(initial=0.0)))
        object.__setattr__(self, "folds", folds)
        word("method", self.method)
        word("before_of", self.before_of)
        object.__setattr__(self, "notes", tuple(text("notes", note) for note in items("notes", self.notes, "texts")))
        if self.before is not None:
            object.__setattr__(self, "before", array("before", self.before, low=-LARGEST, high=LARGEST, dims=(2,)))
        if self.features is not None:
            object.__setattr__(
                self, "features", array("features", self.features, low=-LARGEST, high=LARGEST, dims=(2,))
            )
        if self.promised is not None:
            whole("promised", self.promised, 1, self.scores.shape[1], "scores")
        random_seed(self.seed)
        weights = () if self.weights is None else array("weights", self.weights, low=0, high=LARGEST, dims=(1,))
        lengths = {"folds": len(self.folds), "groups": self.groups.n, "weights": len(weights) or len(scores)}
        lengths |= {"before": len(scores) if self.before is None else len(self.before)}
        lengths |= {"features": len(scores) if self.features is None else len(self.features)}
        for name, length in lengths.items():
            if length != len(scores):
                raise InputError(name, f"has {length} values and scores {len(scores)} rows; give one a row.")

    @property
    def n(self) -> int:
        """Number of rows."""
        return len(self.scores)

    @property
    def k(self) -> int:
        """Number of scores a row."""
        return int(self.scores.shape[1])

    @cached_property
    def estimates(self) -> Estimates:
        """Mean of each score by group within each fold: folds were scored by different fits."""
        return Estimates(self._means())

    def _means(self) -> Iterator[Estimate]:
        weights = np.ones(self.n) if self.weights is None else np.asarray(self.weights)
        for name, factor in zip(self.groups.names, self.groups.factors, strict=True):
            for fold in np.unique(self.folds):
                for code, level in enumerate(factor.levels):
                    rows = (np.asarray(factor.codes) == code) & (self.folds == fold) & (weights > 0)
                    for j in range(self.k):
                        yield Estimate(
                            "mean score",
                            name,
                            level,
                            term=message("component {n}", n=j + 1),
                            given=message("fold {n}", n=int(fold) + 1),
                            n=float(weights[rows].sum()),
                            estimate=float(np.average(self.scores[rows, j], weights=weights[rows]))
                            if rows.any()
                            else NAN,
                            status="ok" if rows.any() else "unestimable",
                            reason="" if rows.any() else message("nobody of the group in this fold"),
                            method=message("mean of held-out scores"),
                        )

    def summary(self) -> str:
        """Say what was held out, and from what."""
        return Text(visible(f"Held-out scores of {self.method}: {self._sizes()}, seed {self.seed}"))

    def _sizes(self) -> str:
        return f"{self.n} rows, {self.k} scores, {len(np.unique(self.folds))} folds"

    def _brief(self) -> str:
        names = ", ".join((*self.groups.names, *self.groups.continuous_names))
        return f"{self.method}, {self._sizes()}, groups {names}"

    def glance(self) -> pd.DataFrame:
        """Return one row about the whole."""
        import pandas as pd

        row = {"method": self.method, "n": self.n, "k": self.k, "folds": len(np.unique(self.folds)), "seed": self.seed}
        return pd.DataFrame([{**row, "weighted": self.weights is not None}])

    def to_dict(self) -> dict[str, Any]:
        """Return everything but the rows themselves, JSON-ready (schema ``fairstats/held-out/1``)."""
        return {
            "schema": "fairstats/held-out/1",
            "method": self.method,
            "seed": self.seed,
            "n": self.n,
            "k": self.k,
            "folds": len(np.unique(self.folds)),
            "weighted": self.weights is not None,
            "estimates": self.estimates.to_records(),
        }

    def counted(self, weights: Any = None) -> OutOfFoldScores:
        """Return the rows of positive weight; ``weights`` stand in for those of the fit, and equal ones are none."""
        w = self.weights if weights is None else Design.of(self.scores, weights=weights).weights
        if w is None:
            return self
        rows = np.asarray(w > 0)
        equal = bool(np.ptp(w[rows]) == 0)
        return OutOfFoldScores(
            self.scores[rows],
            self.folds[rows],
            self.groups.take(rows),
            self.method,
            self.seed,
            None if equal else w[rows],
            None if self.before is None else self.before[rows],
            self.before_of,
            self.notes,
            None if self.features is None else self.features[rows],
            self.promised,
        )


def crossfit(fit: Any, X: Any, groups: Any, data: Any, weights: Any, folds: Any, seed: int) -> OutOfFoldScores:
    """Make held-out scores of a linear fit: what ``Projection.crossfit`` says."""
    design = design_to_refit(fit, X, groups, data, weights)
    fold = assign_folds(design, folds, seed)
    items = list(fits_without(fit, dict(fit.settings), design, fold))
    # A fractional minimax solution has more components than k, and not in every fold as many.
    target = max((part for _, part in items), key=lambda part: part.k)
    scores = np.empty((design.n, target.k))
    for kept, part in items:
        scores[kept] = turned(part._mapped(design.take(kept)), part, target)
    scores = without_rounding(scores, fold, ROUNDING * reach(design, target))
    return out_of_fold_scores(scores, fold, design, seed, fit, beside=not isinstance(X, Design))


ROUNDING = 1e-10  # of what rows reach: variation below it is arithmetic


def spans(X: Any) -> np.ndarray:
    """Return the distance from the least to the largest value of each column (p,)."""
    span = X.max(axis=0) - X.min(axis=0)
    return np.asarray(span.toarray().ravel() if sparse.issparse(span) else span)


def reach(design: Design, part: Any) -> np.ndarray:
    """Return how far scores of the rows may lie apart that add up what a linear fit weighs of the features (k,)."""
    span = spans(design.X)
    return (span if part.scaling.scale is None else span / part.scaling.scale) @ np.abs(part.weights)


def without_rounding(scores: np.ndarray, folds: np.ndarray, least: np.ndarray | float) -> np.ndarray:
    """Return scores (n × k), constant in a fold where they vary in it by rounding alone.

    Probes and ranks know no size, and read a group from the last digits of what is one number.

    least: the distance up to which scores are the same (k,); what is rounding of their own size is so either way.

    >>> without_rounding(np.array([[7.0, 1.0], [7.0 + 1e-15, 2.0]]), np.zeros(2), 0.0).tolist()
    [[7.0, 1.0], [7.0, 2.0]]
    """
    scores = scores.copy()
    smallest = np.maximum(least, 1e-12 * np.abs(scores).max(axis=0, initial=0.0))
    for fold in np.unique(folds):
        rows = np.flatnonzero(folds == fold)
        low, high = scores[rows].min(axis=0), scores[rows].max(axis=0)
        for j in np.flatnonzero(high - low <= smallest):
            scores[rows, j] = low[j] if abs(low[j]) > smallest[j] else 0.0
    return scores


def fits_without(fit: Any, settings: dict[str, Any], design: Design, fold: np.ndarray) -> Iterator[tuple[Any, Any]]:
    """Give (rows of a fold, the fit to all others by the method of ``fit``), fold by fold."""
    method = attached.methods[fit.method].function
    for f in np.unique(fold):
        rest = design.take(fold != f)
        part = method(rest, None, **settings)
        # without a spread the fit would have refused a constant column
        constant = design.spread is not None and spans(rest.counted().X) == 0
        if names := [rest.features[j] for j in np.flatnonzero(constant)]:
            warn(
                f"X: constant in the rows outside fold {int(f) + 1}: {listing(names)}. The fit that scores this fold "
                "learned nothing of them; leave such columns out, or merge rare levels."
            )
        yield fold == f, part


def out_of_fold_scores(
    scores: np.ndarray, fold: np.ndarray, design: Design, seed: int, fit: Any, *, beside: bool
) -> OutOfFoldScores:
    """Return the result, with the groups and weights of its rows; ``beside``: with what the fit started from."""
    assert design.groups is not None
    before, what = unadjusted(fit, design, fold) if beside else (None, "")
    tested = np.unique(fold, return_counts=True)[1].min() / 2  # probes are trained on half of a fold
    notes = erased_notes(fit.method, design, tested / design.n)
    features = features_before(fit, design) if beside else None
    promised = next(iter(getattr(fit, "diagnostics", {}).get("blocks", ())), None)
    return OutOfFoldScores(
        scores, fold, design.groups, fit.method, seed, design.weights, before, what, notes, features, promised
    )


MOST_FEATURES = 100  # beyond which probes of the features themselves take too long to be asked by the way


def features_before(fit: Any, design: Design) -> np.ndarray | None:
    """Return the features themselves, where other components of them are what a fit's scores stand beside."""
    if fit.method == "pca" or not attached.methods[fit.method].reduces or design.X.shape[1] > MOST_FEATURES:
        return None
    return design.X.toarray() if sparse.issparse(design.X) else design.X


def unadjusted(fit: Any, design: Design, fold: np.ndarray) -> tuple[np.ndarray | None, str]:
    """Return what a fit's scores stand beside, and what that is: as many principal components, or the features."""
    if fit.method == "pca":
        return None, ""
    if not attached.methods[fit.method].reduces:
        return design.X.toarray() if sparse.issparse(design.X) else design.X, "the features"
    settings = {"k": fit.settings.get("k", fit.k), "scale": fit.settings.get("scale", False)}
    scores: np.ndarray | None = None
    target: Any = None
    try:
        for f in np.unique(fold):
            part = attached.methods["pca"].function(design.take(fold != f), None, **settings)
            target = part if target is None else target
            current = turned(part._mapped(design.take(fold == f)), part, target)
            scores = np.empty((design.n, current.shape[1])) if scores is None else scores
            scores[fold == f] = current
    except FairstatsError:  # of a part of the rows; they are no part of what was asked
        return None, ""
    assert scores is not None
    return without_rounding(scores, fold, ROUNDING * reach(design, target)), "as many principal components"


def group_columns(fit: Any, table: Any) -> Any:
    """Return the groups that a fit had, as columns of a table that holds them; None where it does not."""
    encoding = fit.encoding
    if encoding is None or table is None or isinstance(table, Design) or not is_table(table):
        return None
    names = (*encoding.names, *encoding.continuous_names)
    columns = Columns(table, "X").names
    if not all(part in columns for name in names for part in column_parts(name, columns)):
        return None
    return [encoding.ask(name) for name in names]


def rows_like(fit: Any, X: Any, groups: Any, data: Any, weights: Any = None) -> Design:
    """Return the design of rows given as to the fit, with the features of the fit and the levels that it knows."""
    scaling: Scaling = fit.scaling
    formula = scaling.formula
    if isinstance(X, Design):
        design = X if weights is None else replace(X, weights=Design.of(X.X, weights=weights).weights)
    else:
        if data is None and formula is not None:
            X, data = formula, Columns(X, "X")
        elif data is None and scaling.named and is_table(X):
            X, data = list(scaling.features), Columns(X, "X")
            _refuse_lost(scaling, data)
        elif formula is not None and isinstance(X, str) and "~" in X and read(X) == read(formula.text):
            X = formula
        missing = None if fit.encoding is None else fit.encoding.missing
        rows = {"data": data, "weights": weights, "missing": missing}
        design = Design.of(X, groups, **rows, among_features=True)  # checked when it was fitted
    _refuse_other_features(scaling, design)
    return design


def _refuse_lost(scaling: Scaling, columns: Columns) -> None:
    """Refuse a table without a feature of the fit."""
    if lost := [name for name in scaling.features if name not in columns]:
        raise InputError("X", f"lacks the columns {listing(lost)} that the fit used; add them, or refit without them.")


def _refuse_other_features(scaling: Scaling, design: Design) -> None:
    """Refuse rows whose columns are not those of the fit, or mean other levels."""
    if design.p != len(scaling.features):
        raise InputError(
            "X", f"has {design.p} features and the fit {len(scaling.features)}; give the same in the same order."
        )
    if scaling.named and design.named and design.features != tuple(scaling.features):
        j = next(j for j in range(design.p) if design.features[j] != scaling.features[j])
        raise InputError(
            "X",
            f"has the feature {design.features[j]} where the fit had {scaling.features[j]}; give the same in the same "
            "order.",
        )
    if scaling.formula is not None and design.formula is not None:
        for name, levels in scaling.formula.variables.items():
            if levels is not None and design.formula.variables.get(name) != levels:
                raise InputError(
                    "X",
                    f"has other levels of {name} than the fit, which knows {listing(levels)}; pass the table in the "
                    "place of a Design.",
                )


def design_like(
    fit: Any, X: Any, groups: Any, data: Any, weights: Any = None, *, use: str = "folds are stratified by them"
) -> Design:
    """Return the design of rows given as to the fit: through its formula, by column names, or by position.

    Groups that are not given are the fit's columns of the table, where it has them.
    """
    groups = group_columns(fit, X if data is None else data) if groups is None else groups
    X = rows_like(fit, X, groups, data, weights)
    if X.groups is None:
        raise InputError("groups", f"is missing; {use}.")
    if fit.scaling.weighted and X.weights is None:
        raise InputError(
            "weights",
            "is missing: the fit was weighted, and without its weights the result would be about another fit. "
            f"Pass {Setting('weights')} as to the fit (equal weights, to leave them out on purpose).",
        )
    return X


def design_to_refit(fit: Any, X: Any, groups: Any, data: Any, weights: Any, **words: str) -> Design:
    """Return ``design_like`` of rows for a fit by the same method: with weights if, and only if, the fit had some."""
    design = design_like(fit, X, groups, data, weights, **words)
    if design.weights is not None and not fit.scaling.weighted:
        raise InputError(
            "weights",
            "were given, but the fit had none, and the result would be about another fit; leave them out, or "
            f"fit with {Setting('weights')} first.",
        )
    return design if fit.scaling.scale is None else replace(design, spread=fit.scaling.scale)


def assign_folds(design: Design, folds: Any, seed: int) -> np.ndarray:
    """Return the fold of each row (n,): given, or drawn so that every group is spread evenly over the folds."""
    assert design.groups is not None
    codes, n = design.groups.cells[0], design.n
    seed = random_seed(seed)
    if hasattr(folds, "__len__") and not isinstance(folds, str):
        given = row_labels("folds", aligned(folds, design.index, "folds"))
        if len(given) != n:
            raise InputError("folds", f"has {len(given)} values and {named('X')} has {n} rows; give one a row.")
        return given
    idle = np.zeros(n, dtype=bool) if design.weights is None else design.weights == 0
    count = whole("folds", folds, 2, n, f"{n} rows")
    smallest = np.bincount(codes[~idle])
    if int(smallest[smallest > 0].min()) < 2:
        raise InputError("folds cannot hold out the only row of a group; merge that group with another, or drop it.")
    rng = np.random.default_rng(seed)
    order = rng.permutation(n)
    # Rows of weight 0 come last in their group: those that a fit learns from are spread evenly by themselves.
    order = order[np.lexsort((idle[order], codes[order]))]
    fold = np.empty(n, dtype=np.intp)
    fold[order] = np.arange(n) % count
    return fold


def counted_folds(design: Design, folds: Any, seed: int) -> tuple[Design, np.ndarray]:
    """Return the rows of positive weight and the fold of each; folds that are given are of all rows."""
    fold = assign_folds(design, folds, seed)
    return (design, fold) if design.weights is None else (design.counted(), fold[design.weights > 0])


def turned(scores: np.ndarray, part: Any, target: Any) -> np.ndarray:
    """Turn scores of one fold's fit (n × k) to the components of another's; blocks of components each by itself.

    Where a fit promises something of its first components only, a turn of all would mix the others into them.
    """
    blocks = part.diagnostics.get("blocks")
    if blocks is None:
        return scores @ turn(part.loadings, target.loadings)
    cuts = np.cumsum(blocks)[:-1]
    parts = (np.split(A, cuts, axis=1) for A in (scores, part.weights, target.weights))
    return np.hstack([S @ turn(B, T) for S, B, T in zip(*parts, strict=True)])


def turn(U: np.ndarray, target: np.ndarray) -> np.ndarray:
    """Return the orthogonal k × k matrix that turns loadings U closest to the target's (Schönemann 1966).

    With k columns and a target of r > k, the k × r matrix of orthonormal rows that does.
    """
    left, _, right = np.linalg.svd(U.T @ target, full_matrices=False)
    return left @ right


# New rows as a fit knew those that it was fitted to: their features as a matrix, their groups.


def groups_like(encoding: Encoding, X: Any, groups: Any, n: int, what: str) -> Groups:
    """Return the groups of n new rows as a fit knew them, given or columns of X; ``what`` says why they are needed."""
    if groups is None and isinstance(X, Design):
        groups = X.groups
    names = (*encoding.names, *encoding.continuous_names)
    if groups is None and is_table(X):
        lost = sorted({part for name in names for part in column_parts(name, Columns(X).names)} - {*Columns(X).names})
        if lost:
            way = f"pass {Setting('groups')}, the groups of these rows, or a table with that column"
            raise InputError(
                "groups",
                f"is missing; {what} the group of a row, and {named('X')} has no column {listing(lost)}; "
                f"{way if takes('groups', '') else 'add that column'}.",
            )
        groups = list(names)
    if groups is None:
        raise InputError(
            "groups", f"is missing; {what} the group of a row ({listing(names)}); pass {Setting('groups')}, one a row."
        )
    index = X.index if isinstance(X, Design) else row_index(X)
    groups = aligned(groups, index, "groups")
    table = X if is_table(X) else None
    if is_table(groups):
        given = tuple(groups) if isinstance(groups, Mapping) else Columns(groups, "groups").names
        if not {*names} <= {*given} and {part for name in names for part in column_parts(name, given)} <= {*given}:
            table, groups = groups, list(names)  # an intersection by its columns
    result = Groups.of(encoding.ask(groups), table, missing="level", at_least=1, index=index)
    if result.n != n:
        raise InputError("groups", f"has {result.n} values and {named('X')} has {n} rows; give one a row.")
    return result


def matrix_like(scaling: Scaling, X: Any) -> Any:
    """Return new rows as the matrix (n × p) that a fit knew: through its formula, by column names, or by position."""
    if isinstance(X, Design):
        return X.X
    if scaling.formula is not None:
        if not is_table(X):
            raise InputError(
                "X",
                "must be a table here, since the fit came from a formula; pass one with the columns "
                f"{listing(scaling.formula.variables)}.",
            )
        return scaling.formula.matrix(Columns(X, "X"))
    if is_table(X):
        columns = Columns(X, "X")
        if not scaling.named:  # the fit's names are made up, and are no names of a table's columns
            if len(columns.names) != len(scaling.features):
                raise InputError(
                    "X",
                    f"has {len(columns.names)} columns and the fit {len(scaling.features)}, which came from an array "
                    "without names; give the same features in the same order, without further columns.",
                )
            return columns.matrix(columns.names, "X", levels=False)
        _refuse_lost(scaling, columns)
        return columns.matrix(scaling.features, "X", levels=False)
    matrix = as_matrix(X)
    if matrix.shape[1] != len(scaling.features):
        raise InputError(
            "X",
            f"has {matrix.shape[1]} columns and the fit {len(scaling.features)}; give the same features in the "
            "same order, or a table with their names.",
        )
    return matrix
