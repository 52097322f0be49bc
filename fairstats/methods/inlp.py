"""Iterative null-space projection (Ravfogel et al. 2020)."""

from __future__ import annotations

import math
from typing import Any, Literal

import numpy as np

from fairstats.arguments import between, flag, one_of, whole
from fairstats.choices import Missing
from fairstats.data.columns import Tabular
from fairstats.methods.parts.probes import ProbedRows, components_left, erase
from fairstats.methods.results.checking import checked
from fairstats.methods.results.eraser import Eraser
from fairstats.methods.results.projection import Projection
from fairstats.quiet import ignoring

ROUNDS = 10
PROBES = ("svm", "logistic")
ROUNDING = 1e-12  # of an accuracy
NOTHING = 1e-8  # of a probe's weights, relative to the first probe's: it has found no direction


@checked()
def inlp(
    X: Any,
    groups: Any,
    *,
    data: Tabular | None = None,
    weights: Any = None,
    missing: Missing = "raise",
    scale: bool = False,
    rounds: int | None = None,
    penalty: float = 1.0,
    probe: Literal["svm", "logistic"] = "svm",
    until_chance: bool = False,
) -> Eraser:
    """Take out, round after round, the directions by which a linear classifier tells the groups.

    Parameters
    ----------
    X : array (n, p), table, column names or formula
    groups : column name(s) of ``data`` or labels (n,)
        Any number of levels; several attributes count as their intersection.
    rounds : int, optional
        Probes, 1 to p − 1; each takes one direction (two groups), or one for each level. 10 by default, or p − 1 if
        that is less.
    penalty : float
        C of the machine, which has no intercept (the features are centered), as in the authors' program. It is in
        units of the features: with ``scale=True`` it means the same for all data.
    probe : {"svm", "logistic"}
        A linear support vector machine, as in the authors' program, or logistic regression with the same penalty.
    until_chance : bool
        End as soon as a probe tells the training rows no better than by naming the largest group for all.
    data : table, optional
        Where column names and formulas are looked up.
    weights : str or array (n,), optional
        Relative, at least 0. Heavy rows are not repeated rows: the penalty of the probes weighs against as many rows as
        there are.
    missing : {"raise", "level", "drop"}
        Rows whose group is missing.
    scale : bool
        Divide by the standard deviation (ddof 1).

    Returns
    -------
    Eraser
        ``transform`` needs no group.

    Raises
    ------
    InputError
        No groups, a continuous attribute, sparse rows, rounds out of range.

    Guarantees
    ----------
    The map is an orthogonal projection off the directions found. That no probe remains is not promised: the method
    stops after its rounds, and the notes say how well the last probe told the groups from the training rows.

    References
    ----------
    Ravfogel, Elazar, Gonen, Twiton & Goldberg (2020), "Null it out", ACL, Algorithm 1.

    Examples
    --------
    >>> import fairstats as fs
    >>> import numpy as np
    >>> X = np.array([[3.0, 1.0], [3.0, -1.0], [-3.0, 1.0], [-3.0, -1.0]])
    >>> fs.comparators.inlp(X, ["a", "a", "b", "b"], rounds=1).transform(X)[:, 0].round(9).tolist()
    [0.0, 0.0, 0.0, 0.0]
    """
    penalty = between("penalty", penalty, 0, math.inf, "pass one, such as 1")
    rows = ProbedRows.of("inlp", X, groups, data=data, weights=weights, missing=missing, scale=scale)
    most = rows.X.shape[1] - 1
    count = whole("rounds", min(ROUNDS, most) if rounds is None else rounds, 1, most, f"{most + 1} features")
    W, notes, _ = _search(
        rows, most, count, penalty, one_of("probe", probe, PROBES), flag("until_chance", until_chance)
    )
    settings = {"rounds": count, "penalty": penalty, "scale": scale, "probe": probe, "until_chance": until_chance}
    return erase("inlp", "INLP (iterative null-space projection)", rows, W, settings, notes)


@checked()
def inlp_pca(
    X: Any,
    groups: Any,
    k: int = 2,
    *,
    data: Tabular | None = None,
    weights: Any = None,
    missing: Missing = "raise",
    scale: bool = False,
    penalty: float = 1.0,
    probe: Literal["svm", "logistic"] = "svm",
) -> Projection:
    """Take out directions as ``inlp`` does until k are left, and return those as components.

    Parameters
    ----------
    X, groups, penalty, probe, data, weights, missing, scale : as for ``inlp``
    k : int
        Number of components, 1 to p − 1: p − k directions are taken out, as in the tables of Lee et al. (2022).

    Returns
    -------
    Projection
        ``transform`` needs no group.

    Raises
    ------
    InputError
        As for ``inlp``; k out of range.

    Guarantees
    ----------
    The loadings are orthonormal, and orthogonal to every direction that a probe found.

    Examples
    --------
    >>> import fairstats as fs
    >>> import numpy as np
    >>> X = np.array([[3.0, 1.0], [3.0, -1.0], [-3.0, 1.0], [-3.0, -1.0]])
    >>> np.abs(fs.comparators.inlp_pca(X, ["a", "a", "b", "b"], k=1).loadings).ravel().round(6).tolist()
    [0.0, 1.0]
    """
    penalty = between("penalty", penalty, 0, math.inf, "pass one, such as 1")
    rows = ProbedRows.of("inlp_pca", X, groups, data=data, weights=weights, missing=missing, scale=scale)
    p = rows.X.shape[1]
    k = whole("k", k, 1, p - 1, f"{p} features, of which at least one is taken out")
    W, notes, accuracy = _search(rows, p - k, p - k, penalty, one_of("probe", probe, PROBES))
    settings = {"k": k, "penalty": penalty, "scale": scale, "probe": probe}
    title = "INLP, the components that are left"
    return components_left("inlp_pca", title, rows, W, k, settings, notes, {"probe_accuracy": accuracy})


def _search(
    rows: ProbedRows, most: int, rounds: int, penalty: float, kind: str, until_chance: bool = False
) -> tuple[np.ndarray, tuple[str, ...], float]:
    """Return directions (p × r, r ≤ most) by which probes tell the groups, notes, and the last probe's accuracy."""
    X, penalty = _in_reach(rows.X, penalty)
    W = np.zeros((X.shape[1], 0))
    first, accuracy, stopped = 0.0, 0.0, ""
    for done in range(rounds):
        probe, accuracy = _probe(X - (X @ W) @ W.T, rows.codes, rows.weights, penalty, kind)
        if until_chance and accuracy <= rows.chance + ROUNDING:
            stopped = f" The probe of round {done + 1} was at chance, and the search ended."
            break
        probe = probe - W @ (W.T @ probe)
        size = float(np.linalg.norm(probe, 2))
        first = first or size
        if size <= NOTHING * first:
            stopped = f" Round {done + 1} found no direction any more, and the search ended."
            break
        U, s, _ = np.linalg.svd(probe, full_matrices=False)
        W = np.linalg.qr(np.hstack([W, U[:, s > NOTHING * size][:, : most - W.shape[1]]]))[0]
        if W.shape[1] >= most:
            break
    note = (
        f"{W.shape[1]} directions taken out. The last probe told {100 * accuracy:.1f} % of the training rows' groups "
        f"(the largest group is {100 * rows.chance:.1f} % of them).{stopped}"
    )
    return W, (note,), accuracy


def _in_reach(X: np.ndarray, penalty: float) -> tuple[np.ndarray, float]:
    """X and the penalty in units in which the machine's program, whose squares have limits, can be solved.

    Rows u times as short go with a penalty u² times as large. Beyond 1e±8 the direction has come to its limit: of group
    means, where the penalty is all that counts, or of the best separation.
    """
    largest = float(np.abs(X).max())
    size = largest * float(np.sqrt(np.mean((X / (largest or 1.0)) ** 2)))
    if size == 0 or 1e-4 <= size <= 1e4:
        return X, float(np.clip(penalty, 1e-8, 1e8))
    return X / size, float(np.clip(penalty * size * size, 1e-8, 1e8))


def _probe(
    X: np.ndarray, codes: np.ndarray, weights: np.ndarray, penalty: float, kind: str
) -> tuple[np.ndarray, float]:
    """Weights (p × 1, or p × G) of a linear machine without intercept, and its accuracy on its own rows."""
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.linear_model import LogisticRegression
    from sklearn.svm import LinearSVC

    with ignoring(ConvergenceWarning):
        # A probe that is not quite the best one is still a direction to take out; the primal solver rarely stops early.
        machine = {
            "svm": LinearSVC(C=penalty, fit_intercept=False, dual=False),
            "logistic": LogisticRegression(C=penalty, fit_intercept=False, max_iter=1000),
        }[kind].fit(X, codes, weights)
    return machine.coef_.T, float(machine.score(X, codes, weights))
