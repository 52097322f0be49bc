"""Data with a known truth: the block model of fair clustering, and the simulations of the decomposition papers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement
from typing import Any

import numpy as np
from scipy import sparse

from fairstats.arrays import array
from fairstats.data.graphs import Graph
from fairstats.errors import InputError, Setting
from fairstats.validation import answering, between, random_seed, whole

__all__ = ["gaussian_groups", "sbm", "shifted_factors"]

LARGEST = 1e100
Shares = int | Sequence[float] | np.ndarray


@dataclass(frozen=True)
class Sample:
    """Simulated rows: features X (n × p), a group label each, and what the model of the paper makes beside them.

    X: shape (n, p).
    groups: shape (n,).
    y: an outcome, shape (n,).
    scores: the latent scores without the group's part; what an adjustment should come back to, shape (n, k).
    loadings: shape (k, p).
    """

    X: np.ndarray
    groups: np.ndarray
    y: np.ndarray
    scores: np.ndarray
    loadings: np.ndarray


@answering
def sbm(
    n: int,
    clusters: Shares = 5,
    groups: Shares = 2,
    p: Sequence[float] = (0.4, 0.3, 0.2, 0.1),
    *,
    seed: int = 0,
) -> Graph:
    """Draw a graph of the stochastic block model in which groups attract as well, the hard case of fair clustering.

    Parameters
    ----------
    n : int
        Vertices.
    clusters, groups : int or sequence of float
        How many, of equal size, or their shares of the vertices. Every group has its share of every cluster.
    p : sequence of four floats
        Probability of an edge within cluster and group, within the group only, within the cluster only, and else.
    seed : int

    Returns
    -------
    Graph
        Sparse; its table has the true ``cluster`` and ``group`` of each vertex, both numbered from 1, so that
        ``fair_spectral_clustering(made, "group", k).error(made.table["cluster"])`` is the share misclassified.

    Raises
    ------
    InputError
        Shares that do not add up, probabilities outside 0 to 1, fewer vertices than cells.

    Notes
    -----
    Work and memory grow with the number of edges: the gaps between the edges of a block are geometric, so absent pairs
    are skipped and not drawn (Batagelj & Brandes 2005).

    References
    ----------
    Kleindessner, Samadi, Awasthi & Morgenstern (2019), section 4.

    Examples
    --------
    >>> import fairstats as fs
    >>> result = fs.simulate.sbm(1000, clusters=2, p=(0.02, 0.01, 0.005, 0.001), seed=1)
    >>> result.n, sorted(result.table)
    (1000, ['cluster', 'group'])
    """
    n = whole("n", n, 2, 10**9, "vertices")
    cluster_shares, group_shares = _shares(clusters, "clusters"), _shares(groups, "groups")
    chances = _probabilities(p)
    sizes = _cells(n, np.outer(cluster_shares, group_shares).ravel())
    h = len(group_shares)
    starts = np.concatenate([[0], np.cumsum(sizes)])
    rng = np.random.default_rng(random_seed(seed))
    ends = []
    for a, b in combinations_with_replacement(range(len(sizes)), 2):
        chance = float(chances[2 * (a % h != b % h) + (a // h != b // h)])
        i, j = _block(rng, int(sizes[a]), int(sizes[b]), chance, inside=a == b)
        ends.append((i + starts[a], j + starts[b]))
    i, j = (np.concatenate([e[side] for e in ends]) for side in (0, 1))
    both = (np.concatenate([i, j]), np.concatenate([j, i]))
    weights = sparse.csr_array(sparse.coo_array((np.ones(2 * len(i)), both), shape=(n, n)))
    cell = np.repeat(np.arange(len(sizes)), sizes)
    names = tuple(map(str, range(1, n + 1)))
    return Graph(weights, names, {"cluster": cell // h + 1, "group": cell % h + 1}, np.arange(n), n)


def _shares(given: Shares, argument: str) -> np.ndarray:
    if not hasattr(given, "__len__"):
        count = whole(argument, given, 1, 10**6, "their number, or a list of shares")
        return np.full(count, 1.0 / count)
    shares = array(argument, given, dims=(1,))
    if shares.ndim != 1 or not (shares > 0).all() or abs(shares.sum() - 1) > 1e-9:
        raise InputError(argument, f"has the shares {shares.tolist()}; give positive numbers that add up to 1.")
    return shares


def _probabilities(p: Sequence[float]) -> np.ndarray:
    chances = array("p", p, dims=(1,))
    if chances.shape != (4,) or not ((chances >= 0) & (chances <= 1)).all():
        raise InputError(
            f"p is {chances.tolist()}; give four probabilities: same cluster and group, same group, same cluster, "
            "neither."
        )
    return chances


def _cells(n: int, shares: np.ndarray) -> np.ndarray:
    """Whole sizes that add up to n, each within 1 of its share (largest remainders)."""
    exact = n * shares
    sizes = np.floor(exact + 1e-9).astype(np.intp)
    sizes[np.argsort(sizes - exact, kind="stable")[: n - int(sizes.sum())]] += 1
    if (sizes == 0).any():
        raise InputError(f"{Setting('n', n)} is too small for {len(sizes)} cells of these shares; take more vertices.")
    return sizes


def _block(rng: np.random.Generator, a: int, b: int, chance: float, *, inside: bool) -> tuple[np.ndarray, np.ndarray]:
    """Edges between two cells, or within one: each pair independently with the given probability."""
    pairs = a * (a - 1) // 2 if inside else a * b
    at = _skips(rng, pairs, chance)
    if not inside:
        return at // b, at % b
    # Pair t of a triangle: row j holds the pairs (0, j) ... (j − 1, j), so t lies in j(j − 1)/2 ... j(j + 1)/2 − 1.
    j = ((1 + np.sqrt(1 + 8.0 * at)) / 2).astype(np.intp)
    j -= j * (j - 1) // 2 > at
    j += j * (j + 1) // 2 <= at
    return at - j * (j - 1) // 2, j


def _skips(rng: np.random.Generator, pairs: int, chance: float) -> np.ndarray:
    """Positions 0 ... pairs − 1 that are chosen, each with the given probability."""
    if pairs == 0 or chance == 0:
        return np.empty(0, dtype=np.int64)
    parts, last = [], -1
    while last < pairs:
        expected = (pairs - last) * chance
        steps = rng.geometric(chance, int(expected + 6 * np.sqrt(expected) + 10))
        parts.append(last + np.cumsum(np.minimum(steps, pairs + 1)))
        last = int(parts[-1][-1])
    positions = np.concatenate(parts)
    return positions[positions < pairs]


@answering
def shifted_factors(n: int = 1000, p: int = 200, k: int = 10, *, shift: float = 2.0, seed: int = 0) -> Sample:
    """Draw rows from k latent factors that the group shifts, and an outcome that depends on the same factors.

    Parameters
    ----------
    n, p, k : int
        Rows, features, factors. The paper has 5000, 200, 10 (its program 1000 rows).
    shift : float
        What each score of group 1 loses.
    seed : int

    Returns
    -------
    Sample
        x_i ~ N((s_i − shift·z_i 1)ᵀW, I), y_i ~ N((s_i − shift·z_i 1)ᵀβ, 1) with s and W standard normal, β uniform on
        −5 to 5, and z a fair coin.

    References
    ----------
    Aliverti, Lum, Johndrow & Dunson (2021), section 3 (Figure 1).

    Examples
    --------
    >>> import fairstats as fs
    >>> result = fs.simulate.shifted_factors(100, 20, 3)
    >>> result.X.shape, result.scores.shape
    ((100, 20), (100, 3))
    """
    n, p = whole("n", n, 2, 10**9, "rows"), whole("p", p, 1, 10**6, "features")
    k, shift = whole("k", k, 1, p, f"{p} features"), between("shift", shift, -LARGEST, LARGEST)
    rng = np.random.default_rng(random_seed(seed))
    S, W = rng.standard_normal((n, k)), rng.standard_normal((k, p))
    z = rng.integers(0, 2, n)
    slope = rng.uniform(-5, 5, k)
    shifted = S - shift * z[:, None]
    X = shifted @ W + rng.standard_normal((n, p))
    return Sample(X, z, shifted @ slope + rng.standard_normal(n), S, W)


@answering
def gaussian_groups(n: int = 240, p: int = 20, *, shift: float = 1.0, spread: float = 1.0, seed: int = 0) -> Sample:
    """Draw two groups of Gaussian rows that differ in mean and in covariance, which equal means alone do not hide.

    Parameters
    ----------
    n, p : int
        Rows (half in each group) and features; the papers measure run time for p = 20 to 100.
    shift : float
        Distance of the groups' means, in a random direction.
    spread : float
        Group 1 has, along ⌈p/4⌉ random directions, variance 1 + spread instead of 1.
    seed : int

    Returns
    -------
    Sample
        ``y`` is a coin whose log-odds are the first feature of the part that both groups share; ``scores`` are the
        rows without shift and spread, ``loadings`` the identity.

    Notes
    -----
    The papers say "two multivariate Gaussians" and publish files, not parameters: the parameters here are ours.

    References
    ----------
    Lee, Kim, Olfat, Hasegawa-Johnson & Yoo (2022), AAAI, synthetic data.
    Kleindessner, Donini, Russell & Zafar (2023), AISTATS, run time against dimension.

    Examples
    --------
    >>> import numpy as np
    >>> import fairstats as fs
    >>> result = fs.simulate.gaussian_groups(100, 4, shift=3.0)
    >>> gap = result.X[result.groups == 1].mean(axis=0) - result.X[result.groups == 0].mean(axis=0)
    >>> bool(2.0 < np.linalg.norm(gap) < 4.5)
    True
    """
    n, p = whole("n", n, 2, 10**9, "rows"), whole("p", p, 1, 10**6, "features")
    shift = between("shift", shift, -LARGEST, LARGEST)
    spread = between("spread", spread, -1, LARGEST, "the variance is 1 + spread")
    rng = np.random.default_rng(random_seed(seed))
    S = rng.standard_normal((n, p))
    z: Any = (np.arange(n) >= n // 2).astype(int)
    directions = np.linalg.qr(rng.standard_normal((p, -(-p // 4))))[0]
    toward = rng.standard_normal(p)
    toward /= np.linalg.norm(toward)
    wider = S + (np.sqrt(1 + spread) - 1) * (S @ directions) @ directions.T
    X = np.where(z[:, None] == 1, wider + shift * toward, S)
    y = (rng.random(n) < 1 / (1 + np.exp(-S[:, 0]))).astype(float)
    return Sample(X, z, y, S, np.eye(p))


def __dir__() -> list[str]:
    return sorted(__all__)
