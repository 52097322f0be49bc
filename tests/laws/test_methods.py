"""Laws that every linear method keeps, as its row of the registry promises."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import fairstats
from fairstats.errors import InputError
from fairstats.methods.registry import METHODS
from tests.laws.every_method import BEYOND_MEANS, OF, PROJECTIONS, ROWS_ONLY, SEARCHES, sample, wide

pytestmark = [
    pytest.mark.parametrize("name", PROJECTIONS),
    pytest.mark.filterwarnings("ignore:(rlace|mbf)"),  # searches that end early, in data of no interest
]


def fitted(name: str, X: Any, g: Any = None, k: int = 2, **more: Any) -> fairstats.Projection:
    return PROJECTIONS[name](X, g, k=k, **more)


def needs_hiding(name: str) -> None:
    if not OF[name].hides:
        pytest.skip("its row does not promise equal means")


def same(a: np.ndarray, b: np.ndarray, tolerance: float = 1e-6) -> None:
    np.testing.assert_allclose(a, b, atol=tolerance * max(1.0, float(np.abs(b).max())))


def gap(S: np.ndarray, g: np.ndarray) -> float:
    """Largest difference of the two groups' means."""
    return float(np.abs(S[g == "a"].mean(axis=0) - S[g == "b"].mean(axis=0)).max())


def test_every_projection_of_the_registry_is_here(name: str) -> None:
    row = OF[name]
    assert METHODS[row.name] is row and row.result == "projection"
    assert {v for r in METHODS.values() if r.result == "projection" for v in (r.name, *r.variants)} <= set(PROJECTIONS)


def test_guarantees_hold_and_pca_is_never_beaten(name: str) -> None:
    X, g = sample()
    fit = fitted(name, X, g)
    assert all(x.holds for x in fit.guarantees)
    assert fit.group_means is not None or fit.error >= fairstats.pca(X, k=2).error - 1e-9 * fit.total
    assert ("Guarantees" in fit.summary()) == bool(fit.guarantees)
    assert max(len(line) for line in fit.summary().splitlines()) <= 80


def test_methods_that_hide_the_group_do_and_pca_does_not(name: str) -> None:
    needs_hiding(name)
    X, g = sample()
    plain, S = fairstats.pca(X, k=2).transform(X), fitted(name, X, g).transform(X, g)
    assert gap(plain, g) > 0.05 * plain.std()
    assert gap(S, g) < 1e-9 * S.std()


@pytest.mark.long
@pytest.mark.parametrize("scale", [False, True], ids=["", "scaled"])
def test_error_and_price_by_group_are_those_of_the_reconstruction(name: str, scale: bool) -> None:
    X, g = sample()
    fit = fitted(name, X, g, scale=scale)
    sd = X.std(axis=0, ddof=1) if scale else 1.0
    rest = np.sum(((X - fit.reconstruct(X, g)) / sd) ** 2, axis=1)
    plain = fairstats.pca(X, k=2, scale=scale)
    theirs = np.sum(((X - plain.reconstruct(X)) / sd) ** 2, axis=1)
    of_all = fit.group_means is None  # otherwise its total and its PCA are of the group-centered data
    assert not of_all or fit.error == pytest.approx(rest.sum(), rel=1e-8)
    assert [p.level for p in fit.price.by_group] == ["a", "b"]
    for price in fit.price.by_group:
        rows = g == price.level
        assert price.n == rows.sum()
        assert price.error == pytest.approx(rest[rows].mean(), rel=1e-7)
        assert not of_all or price.pca_error == pytest.approx(theirs[rows].mean(), rel=1e-7)


@pytest.mark.long
def test_row_order_chunks_and_unit_weights_change_nothing(name: str) -> None:
    X, g = sample()
    want = fitted(name, X, g).transform(X, g)
    order = np.random.default_rng(0).permutation(len(X))
    others = [fitted(name, X[order], g[order])]
    if OF[name].moments:
        others.append(fitted(name, fairstats.Moments.of(X[:70], g[:70]) + fairstats.Moments.of(X[70:], g[70:])))
    if OF[name].weights:
        others.append(fitted(name, X, g, weights=np.ones(len(X))))
    for other in others:
        same(other.transform(X, g), want, SEARCHES.get(name, 1e-3 if name in ROWS_ONLY else 1e-6))


@pytest.mark.long
def test_a_shift_of_the_data_changes_no_score(name: str) -> None:
    X, g = sample()
    tolerance = SEARCHES.get(name, 1e-6)
    same(fitted(name, X + 1000.0, g).transform(X + 1000.0, g), fitted(name, X, g).transform(X, g), tolerance)


def test_rank_deficient_data_are_fitted(name: str) -> None:
    X, g = sample()
    X = np.hstack([X, X[:, :2] @ np.array([[1.0], [2.0]])])
    fit = fitted(name, X, g)
    assert np.isfinite(fit.transform(X, g)).all() and all(x.holds for x in fit.guarantees)


def test_nearly_equal_group_means_remove_nothing(name: str) -> None:
    needs_hiding(name)
    if name in BEYOND_MEANS:
        pytest.skip(f"has {BEYOND_MEANS[name]} too")
    X, _ = sample(n=80)
    both, g = np.vstack([X, X]), np.repeat(["a", "b"], 80)
    same(np.abs(fitted(name, both, g).transform(both, g)), np.abs(fairstats.pca(both, k=2).transform(both)))


def test_what_is_saved_comes_back(name: str, tmp_path: Path) -> None:
    X, g = sample()
    fit = fitted(name, X, g)
    again = fairstats.load(fit.save(tmp_path / "fit.npz"))
    np.testing.assert_array_equal(again.transform(X, g), fit.transform(X, g))
    assert again.summary() == fit.summary()


@pytest.mark.long
def test_more_features_than_rows_are_fitted(name: str) -> None:
    X, g = wide()
    fit = fitted(name, X, g)
    assert all(x.holds for x in fit.guarantees)
    if OF[name].hides:
        assert gap(fit.transform(X, g), g) < 1e-8 * np.abs(X).max()


def test_k_at_its_maximum_leaves_only_what_the_condition_takes(name: str) -> None:
    """With all p components nothing is lost but, where means are made equal, what lies between the groups."""
    if name in BEYOND_MEANS:
        pytest.skip(f"has {BEYOND_MEANS[name]} too, which keep an error of their own")
    X, g = sample()
    p = X.shape[1]
    with pytest.raises(InputError, match=rf"k has {p + 1}; it can be 1 to ({p}|{p - 1}) ") as refused:
        fitted(name, X, g, k=p + 1)
    most = int(str(refused.value).split("1 to ")[1].split()[0])
    fit = fitted(name, X, g, k=most)
    if most < p:  # one direction is taken out, that of the difference of means
        assert fit.k == most
        return
    between = sum((g == v).sum() * np.sum((X[g == v].mean(axis=0) - X.mean(axis=0)) ** 2) for v in "ab")
    assert fit.error == pytest.approx(between if OF[name].hides else 0.0, abs=1e-8 * fit.total)


def test_rows_that_are_wider_than_long_give_what_their_moments_give(name: str) -> None:
    if not OF[name].moments or name in SEARCHES:
        pytest.skip("needs the rows, or is a search")
    X, g = wide()
    more = {"t": 2.0} if name == "sog" else {"directions": 38} if name == "fair_pca-s" else {}
    ours, theirs = fitted(name, X, g, **more), fitted(name, fairstats.Moments.of(X, g), **more)
    new, labels = X[::3] + 0.5, g[::3]
    same(ours.reconstruct(new, labels), theirs.reconstruct(new, labels), 1e-6)
    assert ours.error == pytest.approx(theirs.error, abs=1e-9 * ours.total)
    same(np.abs(ours.transform(new, labels)), np.abs(theirs.transform(new, labels)))
