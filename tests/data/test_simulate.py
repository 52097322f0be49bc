"""Simulated data have the law that they promise, and cost what they hold."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest
from scipy import stats

import fairstats
from fairstats.data.simulate import _block, _skips
from fairstats.errors import InputError


def test_edges_of_each_kind_come_with_their_probability() -> None:
    """Counts of the four kinds of pairs against binomial laws, five groups and unequal clusters."""
    p = (0.5, 0.3, 0.12, 0.03)
    result = fairstats.simulate.sbm(900, (0.5, 0.3, 0.2), 5, p, seed=4)
    W, cluster, group = result.weights.toarray(), result.table["cluster"], result.table["group"]
    assert (W == W.T).all() and set(np.unique(W)) == {0.0, 1.0} and not np.diag(W).any()
    upper = np.triu(np.ones_like(W, dtype=bool), 1)
    same_c, same_g = cluster[:, None] == cluster, group[:, None] == group
    types = (same_c & same_g, ~same_c & same_g, same_c & ~same_g, ~same_c & ~same_g)
    for kind, chance in zip(types, p, strict=True):
        pairs = int((kind & upper).sum())
        assert stats.binomtest(int(W[kind & upper].sum()), pairs, chance).pvalue > 1e-4
    assert np.bincount(cluster)[1:].tolist() == [450, 270, 180]
    assert len(set(np.bincount(group)[1:])) == 1


@pytest.mark.parametrize("chance", [0.03, 0.5, 0.97, 1.0])
def test_every_pair_is_as_likely_as_any_other(chance: float) -> None:
    rng = np.random.default_rng(0)
    counts = np.zeros(45)
    for _ in range(800):
        i, j = _block(rng, 10, 10, chance, inside=True)
        assert (i < j).all() and len(set(zip(i.tolist(), j.tolist(), strict=True))) == len(i)
        counts[j * (j - 1) // 2 + i] += 1
    if chance == 1:
        assert (counts == 800).all()
    else:
        chi2 = ((counts - 800 * chance) ** 2 / (800 * chance * (1 - chance))).sum()
        assert stats.chi2.sf(chi2, 45) > 1e-4


def test_triangle_positions_survive_large_blocks() -> None:
    """Row and column of a pair from its position, up to a billion vertices in a block."""
    for a in (10**5, 10**9):
        last = a * (a - 1) // 2 - 1
        at = np.array([0, 1, 2, last - a, last - 1, last])
        result = _Fixed(at)
        i, j = _block(result, a, a, 0.5, inside=True)  # type: ignore[arg-type]
        assert (j * (j - 1) // 2 + i == at).all() and (i < j).all() and (i >= 0).all() and j[-1] == a - 1


class _Fixed:
    """A generator whose geometric steps lead to given positions."""

    def __init__(self, at: np.ndarray) -> None:
        self.steps = np.append(np.diff(np.append(-1, at)), 1)

    def geometric(self, *_: object) -> np.ndarray:
        return self.steps


@pytest.mark.long
def test_absent_pairs_cost_nothing() -> None:
    """2 · 10¹⁰ pairs, half a million edges: megabytes and no more."""
    tracemalloc.start()
    result = fairstats.simulate.sbm(200_000, 4, 2, np.array([8.0, 4.0, 2.0, 1.0]) / 100_000, seed=1)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert 200_000 < result.edges < 700_000 and peak < 3e8
    assert len(_skips(np.random.default_rng(0), 10**12, 1e-9)) < 1300


def test_ground_truth_is_recovered_where_theory_says_so() -> None:
    """Theorem 1's setting: the fair form finds the clusters, the plain one finds the groups."""
    result = fairstats.simulate.sbm(600, 3, 2, (0.5, 0.4, 0.2, 0.05), seed=0)
    fit = fairstats.fair_spectral_clustering(result, "group", 3)
    assert fit.error(result.table["cluster"]) < 0.01 and fit.compositions[0].smallest_balance > 0.95
    assert fit.plain is not None and fit.plain.error(result.table["cluster"]) > 0.3


def test_the_same_seed_gives_the_same_data() -> None:
    one, two, other = (fairstats.simulate.sbm(100, seed=s).weights for s in (1, 1, 2))
    assert (one != two).nnz == 0 and (one != other).nnz > 0
    for make in (fairstats.simulate.shifted_factors, fairstats.simulate.gaussian_groups):
        assert (make(50, 12, seed=3).X == make(50, 12, seed=3).X).all()
        assert (make(50, 12, seed=3).X != make(50, 12, seed=4).X).all(axis=1).any()


def test_shifted_factors_follow_the_papers_law() -> None:
    """Figure 1's conclusions: ranks beyond k add next to nothing; OG's scores lose the group, PCA's do not."""
    result = fairstats.simulate.shifted_factors(3000, 60, 5, seed=0)
    gap = result.X[result.groups == 1].mean(axis=0) - result.X[result.groups == 0].mean(axis=0)
    np.testing.assert_allclose(gap, -2 * result.loadings.sum(axis=0), atol=0.6)
    shifted = result.scores - 2.0 * result.groups[:, None]
    np.testing.assert_allclose((result.X - shifted @ result.loadings).std(), 1, atol=0.01)
    np.testing.assert_allclose(np.linalg.lstsq(shifted, result.y, rcond=None)[1][0] / 3000, 1, atol=0.1)
    plain, og = fairstats.pca(result.X, result.groups, k=5), fairstats.og(result.X, result.groups, k=5)
    assert plain.energy[-1] / result.X.var(axis=0).sum() > 0.03
    assert plain.group_share.max() > 0.2
    assert np.abs(np.corrcoef(result.groups, og.transform(result.X, result.groups).T)[0, 1:]).max() < 1e-10


def test_gaussian_groups_differ_in_mean_and_covariance() -> None:
    result = fairstats.simulate.gaussian_groups(40_000, 8, shift=2.0, spread=3.0, seed=0)
    first, second = (result.X[result.groups == g] for g in (0, 1))
    assert np.linalg.norm(second.mean(axis=0) - first.mean(axis=0)) == pytest.approx(2.0, abs=0.1)
    np.testing.assert_allclose(np.linalg.eigvalsh(np.cov(first.T)), 1, atol=0.1)
    np.testing.assert_allclose(np.linalg.eigvalsh(np.cov(second.T)), [1] * 6 + [4] * 2, atol=0.2)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: fairstats.simulate.sbm(100, p=(0.4, 0.3, 0.2)), r"four probabilities"),
        (lambda: fairstats.simulate.sbm(100, p=(1.4, 0.3, 0.2, 0.1)), r"four probabilities"),
        (
            lambda: fairstats.simulate.sbm(100, clusters=(0.5, 0.4)),
            r"clusters has the shares \[0.5, 0.4\].*add up to 1",
        ),
        (lambda: fairstats.simulate.sbm(5, clusters=3, groups=2), r"n=5 is too small for 6 cells"),
        (lambda: fairstats.simulate.sbm(10.5), r"n has 10.5; it is a whole number"),
        (lambda: fairstats.simulate.shifted_factors(10, 4, 5), r"k has 5; it"),
        (lambda: fairstats.simulate.gaussian_groups(10, 4, spread=-1), r"spread has -1; .*the variance is 1 \+ spread"),
    ],
)
def test_impossible_settings_are_refused(call, message: str) -> None:
    with pytest.raises(InputError, match=message):
        call()
