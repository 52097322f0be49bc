"""Probes: classifiers that try to tell the group from the scores, tested on rows that they did not see."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairstats.inference.scores.merged_samples import Floats

Codes = NDArray[np.intp]
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
    each way: at independence its AUC has about twice the variance that its rows suggest, and a test of size 5 % rejects
    in 19 %. Forward only, the test statistics are martingale differences and their variances add up.

    Parameters
    ----------
    scores : ndarray, shape (n, k)
        Held-out scores.
    codes : ndarray of int, shape (n,)
        Level of each row, 0 ... G - 1.
    folds : ndarray of int, shape (n,)
        Fold in which each row was held out.
    probe : {"linear probe", "non-linear probe"}
        Logistic regression; or boosted trees and kernel logistic regression, averaged.
    seed : int
        For the order of the rows and the probes.
    weights : ndarray, shape (n,), optional
        Positive weights that the probes are trained with; only their proportions matter.

    Returns
    -------
    probabilities : ndarray, shape (n, G)
        0 for a level that the probe did not see; NaN for rows that only trained.
    strata : ndarray of int, shape (n,)
        Rows with the same number were predicted by the same probe; -1 for rows that only trained.

    References
    ----------
    Dawid (1984), Present position and potential developments: the prequential approach; Alain & Bengio (2017) for
    probes.

    Examples
    --------
    >>> g = np.arange(48) % 2
    >>> p, strata = probe_predictions(np.column_stack([10.0 * g]), g, np.zeros(48, int), "linear probe")
    >>> tested = strata >= 0
    >>> bool(np.all((p[tested, 1] > 0.5) == g[tested])), int(tested.sum())
    (True, 24)
    """
    rng = np.random.default_rng(seed)
    probabilities = np.full((len(codes), int(codes.max()) + 1), np.nan)
    strata = np.full(len(codes), -1, dtype=np.intp)
    made = 0
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
            strata[test] = made
            made += 1
    return probabilities, strata


def spread_evenly(codes: Codes, rng: np.random.Generator) -> Codes:
    """Random parts of equal size with every level spread evenly over them."""
    order = rng.permutation(codes.size)
    order = order[np.argsort(codes[order], kind="stable")]
    part = np.empty(codes.size, dtype=np.intp)
    part[order] = np.arange(codes.size) % PARTS
    return part
