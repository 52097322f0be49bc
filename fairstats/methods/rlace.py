"""Relaxed linear adversarial concept erasure (Ravfogel et al. 2022)."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.optimize import minimize
from scipy.special import log_softmax, softmax

from fairstats.arguments import whole
from fairstats.choices import Missing
from fairstats.data.columns import Tabular
from fairstats.errors import FairstatsWarning, InputError
from fairstats.linalg.fantope import onto_fantope
from fairstats.methods.parts.probes import ProbedRows, components_left, erase
from fairstats.methods.results.checking import checked
from fairstats.methods.results.eraser import Eraser
from fairstats.methods.results.projection import Projection

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
    found = _search(rows, r, whole("max_iter", max_iter, 1, 1_000_000, "steps"))
    settings = {"rank": r, "scale": scale, "max_iter": max_iter}
    return erase("rlace", "RLACE (linear adversarial erasure)", rows, found.W, settings, found.notes)


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
    found = _search(rows, p - k, whole("max_iter", max_iter, 1, 1_000_000, "steps"))
    settings = {"k": k, "scale": scale, "max_iter": max_iter}
    about = {"probe_loss": found.loss, "chance_loss": found.chance, "steps": found.steps}
    return components_left(
        "rlace_pca", "RLACE, the components that are left", rows, found.W, k, settings, found.notes, about
    )


@dataclass(frozen=True)
class _Found:
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
            raise InputError("groups has a level without rows; drop it.")
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

        found = minimize(loss, self.theta.ravel(), jac=True, method="L-BFGS-B", options={"maxiter": 200})
        self.theta = found.x.reshape(self.theta.shape)
        logits = Z @ self.theta[1:] + self.theta[0] + self.bias
        error = self.mass * (softmax(logits, axis=1) - self.Y)
        slope = -(self.X.T @ error) @ self.theta[1:].T
        return float(found.fun), 0.5 * (slope + slope.T)


def _search(rows: ProbedRows, rank: int, steps: int) -> _Found:
    """Search the projector of rank r against which a probe does worst, by gradient steps from P = (r/p) I."""
    p = rows.X.shape[1]
    adversary, judge = _Adversary(rows, SMOOTH), _Adversary(rows, RIDGE)
    P, total, done = np.eye(p) * rank / p, np.zeros((p, p)), 0
    best = (-np.inf, np.eye(p)[:, :rank])
    for done in range(1, steps + 1):
        _, slope = adversary.beat(P)
        total += slope
        P = onto_fantope(STEP * total, rank)
        if done % 10 and done < steps:
            continue
        W = np.linalg.eigh(P)[1][:, ::-1][:, :rank]
        hard, _ = judge.beat(W @ W.T)
        if hard > best[0]:
            best = (hard, W)
        if best[0] >= judge.chance - CLOSE:
            break
    if best[0] < judge.chance - CLOSE:
        warnings.warn(
            f"rlace left a probe with a loss of {best[0]:.4f} nats, below the {judge.chance:.4f} of chance, after "
            f"{done} steps; raise rank or max_iter.",
            FairstatsWarning,
            stacklevel=3,
        )
    return _Found(best[1], min(best[0], judge.chance), judge.chance, done)
