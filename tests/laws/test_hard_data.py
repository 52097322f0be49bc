"""Guarantees on the hardest data that we know, each by arithmetic that shares nothing with the methods.

Sizes, offsets, units, ranks and weights at the ends of what numbers can hold, and sixty tables with a mix of these.
"""

from __future__ import annotations

import warnings
from typing import Any, NamedTuple

import numpy as np
import pytest
from scipy import linalg, sparse

import fairstats as fs
from fairstats.errors import FairstatsWarning, InputError


class Hard(NamedTuple):
    """Rows, groups as a method takes them, their columns Z, weights, and to what correlations can be 0."""

    X: Any
    groups: Any
    Z: np.ndarray
    w: np.ndarray
    close: float = 1e-8


def levels(labels: np.ndarray) -> np.ndarray:
    return (labels[:, None] == np.unique(labels)).astype(float)


def made(n: int, p: int, G: int = 2, apart: float = 1.0, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    g = np.array(list("abcdefghijkl"))[rng.permutation(np.arange(n) % G)]
    return rng.standard_normal((n, p)) * np.linspace(3, 0.5, p) + apart * levels(g) @ rng.standard_normal((G, p)), g


def plain(X: Any, g: np.ndarray, w: np.ndarray | None = None, close: float = 1e-8) -> Hard:
    return Hard(X, g, levels(g), np.ones(len(g)) if w is None else w, close)


def with_columns(X: np.ndarray, columns: dict[int, Any]) -> np.ndarray:
    X = X.copy()
    for j, values in columns.items():
        X[:, j] = values
    return X


def hard() -> dict[str, Hard]:
    X, g = made(100, 6)
    rng = np.random.default_rng(1)
    z, signs = rng.standard_normal(100), rng.permutation(np.arange(100) % 2)
    beside = X + np.outer(z, rng.standard_normal(6))
    far = z * 1e-6 + 1e6
    blunt = np.where(g == "a", "x", "y")
    shapes = ((20, 50, 2), (31, 30, 2), (29, 30, 3), (200, 20, 12))
    cases = {f"{n} x {p}, {G} groups": plain(*made(n, p, G)) for n, p, G in shapes}
    cases |= {f"times {unit:g}": plain(X * unit, g) for unit in (1e-150, 1e-12, 1e150)}
    cases |= {
        "rank 3": plain(X[:, :3] @ rng.standard_normal((3, 8)), g),
        "a column of 1e8": plain(X * [1e8, 1, 1, 1, 1, 1], g),
        "a column of 1e12": plain(X * [1e12, 1, 1, 1, 1, 1], g),
        "constant columns": plain(with_columns(X, {2: 7.0, 3: 0.0}), g),
        "columns twice": plain(np.hstack([X, X, X[:, :2]]), g),
        "one person": plain(X, np.where(np.arange(100) == 3, "b", "a")),
        "groups 1e-9 apart": plain(*made(100, 6, apart=1e-9)),
        "offset 1e8": plain(X + 1e8, g, close=1e-6),
        "float32": plain(X.astype(np.float32), g),
        "int8": plain(rng.integers(-127, 127, (100, 6)).astype(np.int8), g),
        "weights of 0": plain(X, g, np.where(np.arange(100) < 20, 0.0, rng.random(100))),
        "weights of 1e-12 to 1e12": plain(X, g, 10.0 ** rng.uniform(-12, 12, 100), 1e-6),
        "an attribute twice": Hard(
            X, {"g": g, "h": blunt, "s": signs.astype(str)}, np.hstack([levels(g), levels(signs)]), np.ones(100)
        ),
        "continuous": Hard(beside, {"z": fs.continuous(z)}, z[:, None], np.ones(100)),
        "continuous far away": Hard(beside, {"z": fs.continuous(far)}, far[:, None] - 1e6, np.ones(100), 1e-6),
        "continuous beside labels": Hard(beside, {"z": fs.continuous(z), "g": g}, np.c_[z, levels(g)], np.ones(100)),
        "a feature is the group": plain(with_columns(X, {0: g == "a"}), g),
        "sparse": plain(sparse.random(200, 60, 0.05, random_state=1, format="csr"), np.resize(list("abc"), 200)),
        "sparse and wide": plain(
            sparse.random(60, 200, 0.05, random_state=1, format="csc"), np.resize(list("abc"), 60)
        ),
    }
    return cases


def drawn(seed: int) -> Hard:
    """Tables with a mix of what is hard: few rows, sizes, ranks, offsets and units by chance."""
    rng = np.random.default_rng(seed)
    n, p, G = (int(rng.integers(low, high)) for low, high in ((8, 60), (3, 30), (2, 5)))
    X, g = made(n, p, G, apart=10.0 ** rng.uniform(-6, 1), seed=seed)
    X = X * 10.0 ** (rng.uniform(-3, 3, p) * (rng.random() < 0.5))
    for change in rng.choice(5, int(rng.integers(0, 3)), replace=False):
        X = (
            lambda X: with_columns(X, {-1: X[:, 0]}),
            lambda X: with_columns(X, {1: 3.0}),
            lambda X: X[:, :2] @ rng.standard_normal((2, p)),
            lambda X: X + 10.0 ** rng.uniform(0, 5),
            lambda X: X * 10.0 ** rng.uniform(-30, 30),
        )[change](X)
    return plain(X, g, close=1e-6)


CASES = {**hard(), **{f"drawn {seed}": drawn(seed) for seed in range(60)}}


class Seen(NamedTuple):
    """What arithmetic on the rows says of a case: centered rows and groups times the roots of their weights."""

    case: Hard
    X: np.ndarray
    root: np.ndarray
    centered: np.ndarray
    Z: np.ndarray
    total: float
    rounding: float  # of a share of the total, where a mean is far larger than a spread

    def fit(self, method: Any, *args: Any, **more: Any) -> Any:
        weights = {} if (self.case.w == 1).all() else {"weights": self.case.w}
        return method(self.case.X, self.case.groups, *args, **weights, **more)

    def residual(self, rebuilt: np.ndarray) -> float:
        return float((((self.X - rebuilt) * self.root) ** 2).sum())

    def correlation(self, scores: np.ndarray, least: float) -> float:
        """The largest correlation of a score with a group; shorter scores than ``least`` of the total are that long."""
        apart = (scores - self.case.w @ scores / self.case.w.sum()) * self.root
        size = np.maximum(np.linalg.norm(apart, axis=0), least * np.sqrt(self.total))
        return float((np.abs(apart.T @ self.Z) / np.outer(size, np.linalg.norm(self.Z, axis=0))).max())


def seen(case: Hard) -> Seen:
    X = case.X.toarray() if sparse.issparse(case.X) else np.asarray(case.X, dtype=float)
    root = np.sqrt(case.w)[:, None]
    centered = (X - case.w @ X / case.w.sum()) * root
    Z = (case.Z - case.w @ case.Z / case.w.sum()) * root
    total = float((centered**2).sum())
    far = np.abs(X * root).max() / np.sqrt(total / X.size)
    return Seen(case, X, root, centered, Z, total, 1e-9 * max(1.0, (1e-3 * far) ** 2))


@pytest.mark.long
@pytest.mark.parametrize("name", CASES)
def test_guarantees_hold_on_hard_data_by_arithmetic_on_the_rows(name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FairstatsWarning)
        check(seen(CASES[name]))


def check(data: Seen) -> None:
    X, groups, close, total = data.case.X, data.case.groups, data.case.close, data.total
    s = np.linalg.svd(data.centered, compute_uv=False)
    k = 2 if np.sum(s > 1e-9 * s[0]) >= 5 else 1
    unit = data.Z / np.linalg.norm(data.Z, axis=0)
    Q = linalg.orth(unit, rcond=1e-9)
    beside = np.linalg.svd(data.centered - Q @ (Q.T @ data.centered), compute_uv=False)

    og = data.fit(fs.og, k)
    assert data.correlation(og.transform(X, groups), 1e-6) <= close
    assert abs(data.residual(og.reconstruct(X, groups)) - og.error) <= data.rounding * total
    assert abs(og.pca_error - (s[k:] ** 2).sum()) <= data.rounding * total

    best = data.fit(fs.og, k, basis="residual")
    assert abs(best.error - (total - (beside[:k] ** 2).sum())) <= data.rounding * total

    try:
        fair = data.fit(fs.fair_pca, k)
    except InputError:  # the groups' means differ in all directions but fewer than k
        assert np.linalg.matrix_rank(data.centered.T @ Q, 1e-12 * np.sqrt(total)) > min(X.shape) - k - 1
    else:
        scores = fair.transform(X)
        assert data.correlation(scores, 1e-5) <= close
        np.testing.assert_allclose(fair.loadings.T @ fair.loadings, np.eye(k), atol=1e-10)
        kept = float((((scores - data.case.w @ scores / data.case.w.sum()) * data.root) ** 2).sum())
        # Directions in which means differ by about what rounding is may be taken for equal, or not.
        bounds = [outside(data.centered, Q, cut)[:k].sum() for cut in (1e-9, 1e-14)]
        assert min(bounds) - data.rounding * total <= kept <= max(bounds) + data.rounding * total

    erased = data.fit(fs.leace)
    rest = erased.transform(X)
    size = np.linalg.norm(data.centered, axis=0)
    varies = size > 1e-12 * np.linalg.norm(data.X * data.root, axis=0)
    apart = (rest - data.case.w @ rest / data.case.w.sum()) * data.root
    assert (np.abs(apart.T @ unit)[varies] / size[varies, None]).max() <= close
    assert abs(data.residual(rest) - erased.error) <= data.rounding * total
    U, s, _ = np.linalg.svd(data.centered[:, varies] / size[varies], full_matrices=False)
    of = U[:, s > 1e-9 * s[0]]
    moved = linalg.orth(of @ (of.T @ Q), rcond=1e-7)
    assert data.residual(rest) <= ((moved.T @ data.centered) ** 2).sum() + 100 * data.rounding * total

    assert data.correlation(data.fit(fs.leace_pca, 1).transform(X), 1e-5) <= close
    t = min(1.5, np.sqrt(len(size)))
    sog = data.fit(fs.sog, 1, t=t)
    assert data.correlation(sog.transform(X, groups), 1e-6) <= close
    assert np.abs(sog.loadings).sum(axis=0).max() <= t * (1 + 1e-9)


def outside(centered: np.ndarray, Q: np.ndarray, cut: float) -> np.ndarray:
    """Sums of squares of the principal components off the directions in which the groups' means differ."""
    V, s, _ = np.linalg.svd(centered.T @ Q)
    off = V[:, int((s > cut * np.linalg.norm(centered)).sum()) :]
    return np.linalg.svd(centered @ off, compute_uv=False) ** 2
