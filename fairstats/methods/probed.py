"""Iterative null-space projection (Ravfogel et al. 2020)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from scipy.optimize import minimize
from scipy.special import log_softmax, softmax

from fairstats.data.centered import CenteredRows, centered, rows_to_compare
from fairstats.data.centered_view import Centered
from fairstats.data.design import Design
from fairstats.data.tables import Tabular
from fairstats.errors import InputError, ignoring, listing, warn
from fairstats.language import message
from fairstats.linalg.eigen import complement, fix_signs
from fairstats.linalg.matrices import onto_fantope
from fairstats.methods.feature_maps import Eraser
from fairstats.methods.results import Guarantee, Projection, checked, from_loadings
from fairstats.validation import Missing, between, flag, one_of, whole

# What the methods share that search with linear probes: their rows, a subspace taken out, and what is left.


@dataclass(frozen=True)
class ProbedRows:
    """Rows for a probe: X centered and scaled (n × p), and the code of each row's group among G levels.

    ``weights`` (n,) have the mean 1, so that a sum over rows means the same in any unit of them; X is without them.
    """

    design: Design
    view: Centered
    X: np.ndarray
    codes: np.ndarray
    levels: tuple[str, ...]
    weights: np.ndarray

    @property
    def chance(self) -> float:
        """The share of the largest group."""
        return float(np.bincount(self.codes, self.weights).max() / self.weights.sum())

    @staticmethod
    def of(
        method: str, X: Any, groups: Any, *, data: Any, missing: Missing, scale: bool, weights: Any = None
    ) -> ProbedRows:
        """Check the input of a method that trains probes."""
        design = X if isinstance(X, Design) else Design.of(X, groups, data=data, weights=weights, missing=missing)
        if design.groups is None:
            raise InputError("groups", f"is missing; {method} hides them from linear probes.")
        if design.groups.continuous_names:
            raise InputError(
                "groups",
                f"has a continuous attribute ({listing(design.groups.continuous_names)}), and the probes of "
                f"{method} tell levels apart; cut it into classes, or use leace.",
            )
        if hasattr(design.X, "tocsr"):
            raise InputError("X", f"is sparse, and {method} trains probes on centered rows; pass a dense array.")
        design = rows_to_compare(design)
        assert design.groups is not None
        view = centered(design, scale=scale)
        codes, cells = design.groups.cells
        rows, mass = CenteredRows(design, scale=scale).rows, np.ones(design.n)
        if design.weights is not None:
            rows, mass = rows / np.sqrt(design.weights)[:, None], design.weights / design.weights.mean()
        return ProbedRows(design, view, rows, codes, tuple(":".join(c) for c in cells), mass)


def r_squared(rows: ProbedRows, W: np.ndarray) -> np.ndarray:
    """Return the share of each score X w that the groups explain."""
    total = np.diag(rows.view.along(W))
    return rows.view.explained(W) / np.where(total > 0, total, 1.0)


def erase(
    method: str, title: str, rows: ProbedRows, W: np.ndarray, settings: Mapping[str, Any], notes: tuple[str, ...]
) -> Eraser:
    """Return the orthogonal projection of the features off the columns of W (p × r, orthonormal)."""
    share = r_squared(rows, W)
    order = np.argsort(-share, kind="stable")
    W = W[:, order]
    gone = float(np.trace(rows.view.along(W)))
    return Eraser(
        method=method,
        title=title,
        scaling=rows.view.scaling,
        left=W,
        right=W.T,
        canonical=share[order],
        total=rows.view.total,
        error=gone,
        encoding=rows.view.encoding,
        guarantees=(_orthonormal(W),),
        settings=settings,
        notes=notes,
    )


def components_left(
    method: str,
    title: str,
    rows: ProbedRows,
    W: np.ndarray,
    k: int,
    settings: Mapping[str, Any],
    notes: tuple[str, ...],
    diagnostics: Mapping[str, Any],
) -> Projection:
    """Return the k principal components of what is left of the features outside the columns of W."""
    view = rows.view
    rest = complement(W)
    U = fix_signs(rest @ np.linalg.eigh(view.along(rest))[1][:, ::-1][:, :k])
    return from_loadings(
        view,
        U,
        method=method,
        title=title,
        guarantees=(
            _orthonormal(U),
            Guarantee(message("loadings off what was taken out"), float(np.abs(W.T @ U).max(initial=0.0)), 1e-9),
        ),
        settings=settings,
        notes=notes,
        diagnostics={"directions_removed": W.shape[1], **diagnostics},
    )


def _orthonormal(U: np.ndarray) -> Guarantee:
    off = float(np.abs(U.T @ U - np.eye(U.shape[1])).max(initial=0.0))
    return Guarantee(message("directions orthonormal: largest entry of |UᵀU − I|"), off, 1e-9)


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
        f"{W.shape[1]} directions taken out. The last probe told {100 * accuracy:.1f}% of the training rows' groups "
        f"(the largest group is {100 * rows.chance:.1f}% of them).{stopped}"
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


# Relaxed linear adversarial concept erasure (Ravfogel et al. 2022).


RIDGE = 1e-4  # on the judge's weights, so that it has an optimum where groups can be separated
SMOOTH = 0.1  # on the adversary's while the projection moves: its optimum must not jump about from step to step
STEP = 20.0  # of the sum of all gradients
CLOSE = 1e-4  # nats below chance at which the adversary counts as beaten


@checked()
def rlace(
    X: Any,
    groups: Any,
    *,
    data: Tabular | None = None,
    weights: Any = None,
    missing: Missing = "raise",
    scale: bool = False,
    rank: int | None = None,
    max_iter: int = 300,
) -> Eraser:
    """Take out the subspace without which the best logistic probe for the groups does worst.

    Parameters
    ----------
    X : array (n, p), table, column names or formula
    groups : column name(s) of ``data`` or labels (n,)
        Any number of levels; several attributes count as their intersection.
    rank : int, optional
        Directions to take out; one less than there are levels by default, which is enough in the training rows.
    data : table, optional
        Where column names and formulas are looked up.
    weights : str or array (n,), optional
        As for ``og``: relative, at least 0.
    missing : {"raise", "level", "drop"}
        Rows whose group is missing.
    scale : bool
        Divide by the standard deviation (ddof 1).
    max_iter : int
        Steps of the projection.

    Returns
    -------
    Eraser
        ``transform`` needs no group.

    Raises
    ------
    InputError
        No groups, a continuous attribute, sparse rows, rank out of range.

    Warns
    -----
    FairstatsWarning
        A probe still does better than chance on the training rows after `max_iter` steps.

    Guarantees
    ----------
    The map is an orthogonal projection of the given rank. The notes give the best probe's loss on the training rows
    beside that of chance, which no probe can exceed.

    Notes
    -----
    max over P, min over θ of the logistic loss of X(I − P)θ, P relaxed from projections of rank r to the Fantope
    {0 ⪯ P ⪯ I, tr P = r}. The authors alternate single gradient steps; here the adversary is solved to its optimum each
    time, and P is the projection of the sum of all gradients so far (dual averaging), which does not oscillate. The
    adversary that steers is penalized more than the one that judges. The result is the leading r eigenvectors of the P
    that the judge finds hardest.

    References
    ----------
    Ravfogel, Twiton, Goldberg & Cotterell (2022), "Linear adversarial concept erasure", ICML.
    Belrose et al. (2023), theorem 3.1: chance is reached where, and only where, all groups have the same mean.

    Examples
    --------
    >>> import fairstats as fs
    >>> import numpy as np
    >>> X = np.array([[3.0, 1.0], [3.0, -1.0], [-3.0, 1.0], [-3.0, -1.0]])
    >>> fs.comparators.rlace(X, ["a", "a", "b", "b"]).transform(X)[:, 0].round(3).tolist()
    [0.0, 0.0, 0.0, 0.0]
    """
    rows = ProbedRows.of("rlace", X, groups, data=data, weights=weights, missing=missing, scale=scale)
    p = rows.X.shape[1]
    wanted = min(len(rows.levels) - 1, p - 1) if rank is None else rank
    r = whole("rank", wanted, 1, p - 1, f"{p} features")
    result = _adversary_search(rows, r, whole("max_iter", max_iter, 1, 1_000_000, "steps"))
    settings = {"rank": r, "scale": scale, "max_iter": max_iter}
    return erase("rlace", "RLACE (linear adversarial erasure)", rows, result.W, settings, result.notes)


@checked()
def rlace_pca(
    X: Any,
    groups: Any,
    k: int = 2,
    *,
    data: Tabular | None = None,
    weights: Any = None,
    missing: Missing = "raise",
    scale: bool = False,
    max_iter: int = 300,
) -> Projection:
    """Take out a subspace as ``rlace`` does, of rank p − k, and return the k components that are left.

    Parameters
    ----------
    X, groups, data, weights, missing, scale, max_iter : as for ``rlace``
    k : int
        Number of components, 1 to p − 1; the tables of Kleindessner et al. (2023) take out rank p − k.

    Returns
    -------
    Projection
        ``transform`` needs no group.

    Raises
    ------
    InputError
        As for ``rlace``; k out of range.

    Guarantees
    ----------
    The loadings are orthonormal, and orthogonal to the subspace taken out.

    Examples
    --------
    >>> import fairstats as fs
    >>> import numpy as np
    >>> X = np.array([[3.0, 1.0], [3.0, -1.0], [-3.0, 1.0], [-3.0, -1.0]])
    >>> np.abs(fs.comparators.rlace_pca(X, ["a", "a", "b", "b"], k=1).loadings).ravel().round(1).tolist()
    [0.0, 1.0]
    """
    rows = ProbedRows.of("rlace_pca", X, groups, data=data, weights=weights, missing=missing, scale=scale)
    p = rows.X.shape[1]
    k = whole("k", k, 1, p - 1, f"{p} features, of which at least one is taken out")
    result = _adversary_search(rows, p - k, whole("max_iter", max_iter, 1, 1_000_000, "steps"))
    settings = {"k": k, "scale": scale, "max_iter": max_iter}
    about = {"probe_loss": result.loss, "chance_loss": result.chance, "steps": result.steps}
    return components_left(
        "rlace_pca", "RLACE, the components that are left", rows, result.W, k, settings, result.notes, about
    )


@dataclass(frozen=True)
class _Search:
    W: np.ndarray
    loss: float
    chance: float
    steps: int

    @property
    def notes(self) -> tuple[str, ...]:
        return (
            f"{self.W.shape[1]} directions taken out in {self.steps} steps. The best logistic probe of the training "
            f"rows has a loss of {self.loss:.4f} nats; chance has {self.chance:.4f}.",
        )


class _Adversary:
    """The best (slightly penalized) multinomial logistic probe of X(I − P), started where the last one ended."""

    def __init__(self, rows: ProbedRows, ridge: float) -> None:
        self.ridge = ridge
        # Units of the adversary: features of length 1 on average, so that the penalty means the same everywhere.
        self.mass = (rows.weights / rows.weights.sum())[:, None]
        self.X = rows.X / max(float(np.sqrt(np.sum(self.mass * rows.X**2) / rows.X.shape[1])), 1e-300)
        self.Y = np.eye(len(rows.levels))[rows.codes]
        share = np.sum(self.mass * self.Y, axis=0)
        if not np.all(share > 0):
            raise InputError("groups", "has a level without rows; drop it.")
        self.bias, self.chance = np.log(share), float(-np.sum(share * np.log(share)))
        self.theta = np.zeros((self.X.shape[1] + 1, self.Y.shape[1]))

    def beat(self, P: np.ndarray) -> tuple[float, np.ndarray]:
        """Return the probe's loss, and the gradient of that loss with respect to P (symmetric)."""
        Z = self.X - self.X @ P

        def loss(flat: np.ndarray) -> tuple[float, np.ndarray]:
            theta = flat.reshape(self.theta.shape)
            logits = Z @ theta[1:] + theta[0] + self.bias
            error = self.mass * (softmax(logits, axis=1) - self.Y)
            value = -np.sum(self.mass * self.Y * log_softmax(logits, axis=1))
            gradient = np.vstack([error.sum(axis=0), Z.T @ error])
            return value + self.ridge / 2 * np.sum(theta**2), (gradient + self.ridge * theta).ravel()

        result = minimize(loss, self.theta.ravel(), jac=True, method="L-BFGS-B", options={"maxiter": 200})
        self.theta = result.x.reshape(self.theta.shape)
        logits = Z @ self.theta[1:] + self.theta[0] + self.bias
        error = self.mass * (softmax(logits, axis=1) - self.Y)
        slope = -(self.X.T @ error) @ self.theta[1:].T
        return float(result.fun), 0.5 * (slope + slope.T)


def _adversary_search(rows: ProbedRows, rank: int, steps: int) -> _Search:
    """Search the projector of rank r against which a probe does worst, by gradient steps from P = (r/p) I."""
    p = rows.X.shape[1]
    adversary, check = _Adversary(rows, SMOOTH), _Adversary(rows, RIDGE)
    P, total, done = np.eye(p) * rank / p, np.zeros((p, p)), 0
    best = (-np.inf, np.eye(p)[:, :rank])
    for done in range(1, steps + 1):
        _, slope = adversary.beat(P)
        total += slope
        P = onto_fantope(STEP * total, rank)
        if done % 10 and done < steps:
            continue
        W = np.linalg.eigh(P)[1][:, ::-1][:, :rank]
        hard, _ = check.beat(W @ W.T)
        if hard > best[0]:
            best = (hard, W)
        if best[0] >= check.chance - CLOSE:
            break
    if best[0] < check.chance - CLOSE:
        warn(
            f"rlace left a probe with a loss of {best[0]:.4f} nats, below the {check.chance:.4f} of chance, after "
            f"{done} steps; raise rank or max_iter."
        )
    return _Search(best[1], min(best[0], check.chance), check.chance, done)
