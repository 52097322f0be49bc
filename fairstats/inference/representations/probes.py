"""Probes: classifiers that try to tell the group from the scores, tested on rows that they did not see."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import cho_factor, cho_solve

from fairstats.inference.scores.merged import Floats
from fairstats.inference.validation import Codes, Repeats, Rows, Seed, Target

# a fold is cut into so many parts, of which the first three only train
PARTS, FIRST_TESTED = 6, 3
LANDMARKS = 100


class _Scaled:
    """A classifier of standardized (and mapped) scores, all of it weighted where there are weights."""

    def __init__(self, model: Any, features: Any = None) -> None:
        self.model, self.features = model, features

    def fit(self, X: Floats, y: Codes, w: Floats | None) -> _Scaled:
        from sklearn.preprocessing import StandardScaler

        self.scaler = StandardScaler().fit(X, sample_weight=w)
        X = self.scaler.transform(X)
        if self.features is not None:
            X = self.features.fit_transform(X)
        self.model.fit(X, y, sample_weight=w)
        return self

    def predict_proba(self, X: Floats) -> Floats:
        X = self.scaler.transform(X)
        return np.asarray(self.model.predict_proba(X if self.features is None else self.features.transform(X)))


class _Averaged:
    """Boosted trees (any shape, given many rows) and kernel logistic regression (smooth shapes from few), averaged."""

    def __init__(self, trees: Any, kernel: _Scaled) -> None:
        self.trees, self.kernel = trees, kernel

    def fit(self, X: Floats, y: Codes, w: Floats | None) -> _Averaged:
        self.trees.fit(X, y, sample_weight=w)
        self.kernel.fit(X, y, w)
        return self

    def predict_proba(self, X: Floats) -> Floats:
        return np.asarray((self.trees.predict_proba(X) + self.kernel.predict_proba(X)) / 2)


def _linear(rows: int, k: int, seed: int) -> Any:
    from sklearn.linear_model import LogisticRegression

    return _Scaled(LogisticRegression(max_iter=1000))


def _non_linear(rows: int, k: int, seed: int) -> Any:
    from sklearn.ensemble import HistGradientBoostingClassifier
    from sklearn.kernel_approximation import Nystroem
    from sklearn.linear_model import LogisticRegression

    trees = HistGradientBoostingClassifier(
        max_iter=60, max_leaf_nodes=8, min_samples_leaf=5, early_stopping=False, random_state=seed
    )
    landmarks = Nystroem(gamma=1 / (2 * k), n_components=min(LANDMARKS, rows), random_state=seed)
    return _Averaged(trees, _Scaled(LogisticRegression(max_iter=1000), landmarks))


PROBES: dict[str, Callable[[int, int, int], Any]] = {"linear probe": _linear, "non-linear probe": _non_linear}


def probe_predictions(
    scores: Floats, codes: Codes, folds: Codes, probe: str, seed: int = 0, weights: Floats | None = None
) -> tuple[Floats, NDArray[np.intp]]:
    """Predicted probabilities of every level, by probes trained on earlier rows of the same fold.

    All rows of a fold went through the same fit, one that had seen none of them: they are what new people's scores
    look like. A probe trained on the *other* folds would not do. A method that equalizes the groups' means in its
    training part leaves the held-out rows with the mirror image of that part's chance differences; over all
    folds these sum to zero, so what such a probe learns is the reverse of what it is tested on (on pure noise with
    400 rows, 20 features and OG it has an AUC of 0.42).

    Within a fold the rows come in random order, cut into six parts; the last three are predicted, each by a probe
    trained on all parts before it. Cross-validation would use every row, but counts each pair of parts twice, once
    each way: at independence its AUC has about twice the variance that its rows suggest, and a test of size 5% rejects
    in 19%. Forward only, the test statistics are martingale differences and their variances add up.

    scores: held-out scores, shape (n, k).
    codes (n,): level of each row, 0 ... G - 1.
    folds: fold in which each row was held out, shape (n,).
    probe: logistic regression; or boosted trees and kernel logistic regression, averaged.
    weights: positive weights that the probes are trained with; only their proportions matter, shape (n,).
    Returns: probabilities: 0 for a level that the probe did not see; NaN for rows that only trained, shape (n, G);
        strata: rows with the same number were predicted by the same probe; -1 for rows that only trained, shape (n,).
    Source: Dawid (1984), Present position and potential developments: the prequential approach; Alain & Bengio (2017)
    for probes.
    """
    rng = np.random.default_rng(seed)
    probabilities = np.full((len(codes), int(codes.max()) + 1), np.nan)
    strata = np.full(len(codes), -1, dtype=np.intp)
    result = 0
    for fold in np.unique(folds):
        rows = np.flatnonzero(folds == fold)
        part = spread_evenly(codes[rows], rng)
        for now in range(FIRST_TESTED, PARTS):
            test, train = rows[part == now], rows[part < now]
            seen = np.unique(codes[train])
            if test.size == 0 or seen.size < 2:
                continue
            w = None if weights is None else weights[train] / weights[train].mean()
            model = PROBES[probe](train.size, scores.shape[1], seed).fit(scores[train], codes[train], w)
            probabilities[test] = 0.0
            probabilities[np.ix_(test, seen)] = model.predict_proba(scores[test])
            strata[test] = result
            result += 1
    return probabilities, strata


def spread_evenly(codes: Codes, rng: np.random.Generator) -> Codes:
    """Random parts of equal size with every level spread evenly over them."""
    order = rng.permutation(codes.size)
    order = order[np.argsort(codes[order], kind="stable")]
    part = np.empty(codes.size, dtype=np.intp)
    part[order] = np.arange(codes.size) % PARTS
    return part


# Probes in closed form, which are trained and tested anew for every refit: least squares on scores, or on features.


WAVES, CUTS = 32, 5
QUANTILES_OF = 1000  # rows that say where classes end
RIDGE = {"linear probe": 1e-6, "non-linear probe": 0.1}
HOW = {
    "linear probe": "least squares on the scores",
    "non-linear probe": "ridge regression on Fourier features and classes of the scores",
}


@dataclass(frozen=True)
class Parts:
    """Which rows train and which are tested: within each fold, later parts by probes of all parts before them.

    Rows lie fold by fold and part by part.

    cuts: where each part of each fold begins and ends.
    some: rows that say where classes of scores end.
    seed: of the Fourier features.
    """

    cuts: NDArray[np.intp]
    some: Codes
    seed: int

    @staticmethod
    def of(cells: Codes, folds: Codes, seed: int) -> tuple[Codes, Parts]:
        """The rows by fold and part (n,), every cell of the groups spread evenly over the parts, and those parts."""
        rng = np.random.default_rng(seed)
        result, ends = [], []
        start = 0
        for fold in np.unique(folds):
            rows = np.flatnonzero(folds == fold)
            part = spread_evenly(cells[rows], rng)
            result.append(rows[np.argsort(part, kind="stable")])
            ends.append(start + np.concatenate([[0], np.cumsum(np.bincount(part, minlength=PARTS))]))
            start += rows.size
        order = np.concatenate(result)
        some = np.flatnonzero(order % max(len(order) // QUANTILES_OF, 1) == 0)
        return order, Parts(np.array(ends), some, seed)

    @cached_property
    def tested(self) -> list[slice]:
        """The tested parts."""
        return [slice(c[j], c[j + 1]) for c in self.cuts for j in range(FIRST_TESTED, PARTS) if c[j + 1] > c[j]]

    @cached_property
    def strata(self) -> NDArray[np.intp]:
        """The number of the tested part of each row, -1 where it only trains."""
        out = np.full(self.cuts[-1, -1], -1, dtype=np.intp)
        for number, part in enumerate(self.tested):
            out[part] = number
        return out

    def permuted(self, rng: np.random.Generator) -> Codes:
        """A random exchange of rows within parts (n,): counts of the levels stay as they are in every part."""
        return np.concatenate([rng.permutation(np.arange(a, b)) for c in self.cuts for a, b in pairwise(c)])

    def predictions(self, scores: Floats, members: Floats, probe: str) -> Floats:
        """Predictions (n, m) of the indicators of m levels (n, m); rows that only train have 0."""
        features: NDArray[Any] = scores if probe == "linear probe" else self._features(scores)
        marks: NDArray[Any] = members.astype(features.dtype)
        out = np.zeros(marks.shape)
        for c in self.cuts:
            if not np.ptp(scores[c[0] : c[-1]], axis=0).any():  # products of equal rows may differ in their last digits
                continue
            gram = np.zeros((features.shape[1],) * 2, dtype=features.dtype)
            cross = np.zeros((features.shape[1], marks.shape[1]), dtype=features.dtype)
            sums, totals, done = np.zeros(len(gram)), np.zeros(marks.shape[1]), c[0]
            for now in range(FIRST_TESTED, PARTS):
                new, part = slice(done, c[now]), slice(c[now], c[now + 1])
                gram += features[new].T @ features[new]
                cross += features[new].T @ marks[new]
                sums += features[new].sum(axis=0)
                totals += marks[new].sum(axis=0)
                done, n = c[now], c[now] - c[0]
                if n < 2 or c[now + 1] == c[now]:
                    continue
                mean = sums / n
                left = gram - n * np.outer(mean, mean)
                left[np.diag_indices_from(left)] += RIDGE[probe] * n
                slopes = cho_solve(cho_factor(left, check_finite=False), cross - np.outer(mean, totals))
                out[part] = features[part] @ slopes - mean @ slopes
        return out

    def _features(self, scores: Floats) -> NDArray[np.float32]:
        """The scores, waves of two lengths along random directions, and classes of each score between its quantiles."""
        rng = np.random.default_rng(self.seed)
        n, k = scores.shape
        result = np.empty((k + WAVES + k * CUTS, n), dtype=np.float32)  # features by rows: faster compared
        S, waves, classes = np.split(result, [k, k + WAVES])
        S[:] = scores.T
        directions = rng.standard_normal((k, WAVES)) / np.sqrt(k)
        directions[:, WAVES // 2 :] *= 3  # half of the waves are short
        np.matmul(directions.T.astype(np.float32), S, out=waves)
        waves += rng.uniform(0, 2 * np.pi, WAVES).astype(np.float32)[:, None]
        np.cos(waves, out=waves)
        waves *= np.sqrt(np.float32(2))
        cuts = np.quantile(scores[self.some], np.arange(1, CUTS + 1) / (CUTS + 1), axis=0).astype(np.float32)
        np.greater(S[:, None], cuts.T[:, :, None], out=classes.reshape(k, CUTS, n))
        return result.T

    def areas(self, predictions: Floats, members: Floats) -> Floats:
        """The AUC (m,) of each level against the others, of pairs within tested parts; NaN where there are none."""
        marks = members > 0
        won, pairs = np.zeros(marks.shape[1]), np.zeros(marks.shape[1])
        for part in self.tested:
            inside, ranked = marks[part], np.sort(predictions[part], axis=0)
            n = inside.sum(axis=0)
            for j in np.flatnonzero((n > 0) & (n < len(inside))):
                mine = np.sort(predictions[part][inside[:, j], j])  # sorted, they are found faster
                places = np.searchsorted(ranked[:, j], mine) + np.searchsorted(ranked[:, j], mine, side="right")
                won[j] += (places.sum() - n[j] * n[j]) / 2  # average ranks of ties, less those among themselves
            pairs += n * (len(inside) - n)
        return np.where(pairs > 0, won / np.where(pairs > 0, pairs, 1.0), np.nan)


# Two measures of any dependence of scores on groups, with permutation p-values: MMD² and distance correlation.


# permuted statistics this close to the observed one are ties of rounding
TIE = 1e-12


@dataclass(frozen=True)
class Permuted:
    """A statistic, its p-value (the observed one counts as a permutation; NaN without any), and how many were drawn."""

    statistic: float
    p_value: float
    permutations: int


def squared_distances(points: Floats) -> Floats:
    """Squared Euclidean distances of all pairs of rows.

    points: shape (n, k).
    Returns: shape (n, n).

    >>> squared_distances(np.array([[0.0, 0.0], [3.0, 4.0]])).tolist()
    [[0.0, 25.0], [25.0, 0.0]]
    """
    centered = points - points[:1]  # one number throughout is 0, which a mean may miss
    centered -= centered.mean(axis=0)
    lengths = np.einsum("ij,ij->i", centered, centered)
    square = lengths[:, None] + lengths - 2 * centered @ centered.T
    np.maximum(square, 0.0, out=square)
    np.fill_diagonal(square, 0.0)
    return square


@dataclass(frozen=True)
class Distances:
    """Distances of all pairs of rows within folds, from which both measures are made.

    parts: the rows of each fold of four or more.
    squares: their squared distances, a matrix a fold.
    """

    parts: list[NDArray[np.intp]]
    squares: list[Floats]

    @staticmethod
    def of(scores: Floats, folds: Codes) -> Distances:
        parts = [rows for rows in (np.flatnonzero(folds == f) for f in np.unique(folds)) if rows.size >= 4]
        return Distances(parts, [squared_distances(scores[rows]) for rows in parts])

    @cached_property
    def lengths(self) -> list[Floats]:
        """The distances themselves."""
        return [np.sqrt(square) for square in self.squares]

    @cached_property
    def kernels(self) -> list[Floats]:
        """Gaussian kernels as wide as the median distance."""
        pairs = [d[~np.tri(len(d), dtype=bool)] for d in self.lengths]
        width = 2 * (float(np.median(np.concatenate(pairs))) ** 2 or 1.0) if pairs else 2.0
        return [np.exp(square / -width) for square in self.squares]

    @cached_property
    def centered(self) -> list[Floats]:
        """U-centered distances."""
        return [u_centered(d) for d in self.lengths]

    def mmd(self, codes: Codes, permutations: int = 0, seed: int = 0) -> list[Permuted]:
        """What ``mmd`` says."""
        rng = np.random.default_rng(seed)
        levels = int(codes.max()) + 1
        total, weight = np.zeros((levels, permutations + 1)), np.zeros(levels)
        for rows, kernel in zip(self.parts, self.kernels, strict=True):
            labels = _permuted(codes[rows], permutations, rng)
            for level in range(levels):
                inside = float(np.sum(codes[rows] == level))
                if 2 <= inside <= rows.size - 2:
                    total[level] += rows.size * _unbiased_mmd(kernel, (labels == level).astype(float), inside)
                    weight[level] += rows.size
        nothing = Permuted(float("nan"), float("nan"), 0)
        return [_p_value(total[j] / weight[j]) if weight[j] else nothing for j in range(levels)]

    def correlation(self, target: NDArray, permutations: int = 0, seed: int = 0) -> Permuted:
        """What ``distance_correlation`` says."""
        rng = np.random.default_rng(seed)
        total, weight = np.zeros(permutations + 1), 0.0
        for rows, ours in zip(self.parts, self.centered, strict=True):
            labels = target[rows]
            theirs = _target_distances(labels)
            centered = u_centered(theirs)
            varies = np.sum(centered * centered)
            if varies > 0:
                scale = np.sqrt(np.sum(ours * ours) * varies) or 1.0  # 0 of scores that are constant
                total += rows.size * _products(ours, theirs, labels, permutations, rng) / scale
                weight += rows.size
        if not weight:
            return Permuted(float("nan"), float("nan"), 0)
        return _p_value(total / weight)


def _p_value(values: Floats) -> Permuted:
    observed, others = float(values[0]), values[1:]
    reached = int(np.sum(others >= observed - TIE * np.abs(values).max()))
    p = (1 + reached) / (1 + others.size) if others.size else float("nan")
    return Permuted(observed, p, int(others.size))


def mmd(scores: Rows, codes: Codes, folds: Codes, *, permutations: Repeats = 999, seed: Seed = 0) -> list[Permuted]:
    """Estimate the squared maximum mean discrepancy of each level against everybody else (Gaussian kernel, unbiased).

    Parameters
    ----------
    scores : ndarray, shape (n, k)
        Scores; memory and time grow with the square of the largest fold.
    codes : ndarray of int, shape (n,)
        Level of each row, 0 ... G - 1.
    folds : ndarray of int, shape (n,)
        Fold of each row; folds with fewer than two rows of the level, or of the others, do not count for it.
    permutations : int
        Random permutations of the labels within folds.
    seed : int
        Seed of those.

    Returns
    -------
    list of Permuted
        One for each level; NaN where no fold counts. The kernel is exp(-d²/(2 median²)), the median being that of
        all distances within folds, which does not look at the labels.

    References
    ----------
    Gretton et al. (2012), A kernel two-sample test, eq. (3); Phipson & Smyth (2010) for the p-value.

    Examples
    --------
    >>> import numpy as np
    >>> import fairstats as fs
    >>> rng = np.random.default_rng(0)
    >>> x, g = rng.normal(size=(60, 2)), np.repeat([0, 1], 30)
    >>> x[g == 1] *= 3
    >>> fs.stats.mmd(x, g, np.zeros(60, int), permutations=99)[1].p_value
    0.01
    """
    return Distances.of(scores, folds).mmd(codes, permutations, seed)


def _unbiased_mmd(kernel: Floats, chosen: Floats, n: float) -> Floats:
    """Unbiased MMD² for each column of `chosen`, an indicator of n of the rows."""
    m = kernel.shape[0] - n
    sums = kernel.sum(axis=1)
    within = np.einsum("ij,ij->j", chosen, kernel @ chosen)
    reach = sums @ chosen
    other = sums.sum() - 2 * reach + within
    return (within - n) / (n * (n - 1)) + (other - m) / (m * (m - 1)) - 2 * (reach - within) / (n * m)


def _permuted(labels: NDArray, permutations: int, rng: np.random.Generator) -> NDArray:
    """The labels (first column) and random permutations of them, shape (n, 1 + permutations)."""
    drawn = rng.permuted(np.tile(labels, (permutations, 1)), axis=1)
    return np.column_stack([labels, drawn.T])


def distance_correlation(
    scores: Rows, target: Target, folds: Codes, *, permutations: Repeats = 999, seed: Seed = 0
) -> Permuted:
    """Estimate the squared distance correlation of scores and a group variable (levels or numbers), corrected for bias.

    Parameters
    ----------
    scores : ndarray, shape (n, k)
        Scores; memory and time grow with the square of the largest fold.
    target : ndarray, shape (n,)
        Whole-number codes of levels (two people are at distance 0 or 1), or floats (absolute difference).
    folds : ndarray of int, shape (n,)
        Fold of each row; those with fewer than four rows, or a constant target, do not count.
    permutations : int
        Random permutations of the target within folds.
    seed : int
        Seed of those.

    Returns
    -------
    Permuted
        0 on average at independence, and of constant scores; 1 where distances are proportional; NaN where no fold
        counts.

    References
    ----------
    Székely & Rizzo (2013, 2014), The distance correlation t-test of independence in high dimension; Partial distance
    correlation. R: ``energy::bcdcor``.

    Examples
    --------
    >>> import numpy as np
    >>> import fairstats as fs
    >>> x = np.linspace(0, 1, 40)[:, None]
    >>> round(fs.stats.distance_correlation(x, x[:, 0], np.zeros(40, int), permutations=99).statistic, 6)
    1.0
    """
    return Distances.of(scores, folds).correlation(np.asarray(target), permutations, seed)


def _target_distances(labels: NDArray) -> Floats:
    if labels.dtype.kind in "iu":
        return (labels[:, None] != labels).astype(float)
    return np.abs(labels[:, None] - labels)


def u_centered(distances: Floats) -> Floats:
    """U-centered distances: rows sum to zero, and products with other distances are unbiased.

    distances: shape (n, n), n of at least 3.
    Returns: shape (n, n).
    Source: Székely & Rizzo (2014), definition 2.

    >>> d = u_centered(np.array([[0, 1, 2, 3.0], [1, 0, 1, 2], [2, 1, 0, 1], [3, 2, 1, 0]]))
    >>> bool(np.abs(d.sum(axis=0)).max() < 1e-12)
    True
    """
    n = len(distances)
    sums = distances.sum(axis=0)
    centered = distances - (sums[:, None] + sums) / (n - 2) + sums.sum() / ((n - 1) * (n - 2))
    np.fill_diagonal(centered, 0.0)
    return centered


def _products(ours: Floats, theirs: Floats, labels: NDArray, permutations: int, rng: np.random.Generator) -> Floats:
    """Sums of products of U-centered distances, for the labels and their permutations.

    Rows of `ours` sum to zero, so the other factor need not be centered; and for levels, whose distance is
    1 - [same level], only the sums within levels remain, which are matrix products.
    """
    if labels.dtype.kind in "iu":
        drawn = _permuted(labels, permutations, rng)
        same = np.zeros(permutations + 1)
        for level in np.unique(labels):
            chosen = (drawn == level).astype(float)
            same += np.einsum("ij,ij->j", chosen, ours @ chosen)
        return -same
    orders = _permuted(np.arange(labels.size), permutations, rng)
    return np.array([float(np.sum(ours * theirs[np.ix_(order, order)])) for order in orders.T])
