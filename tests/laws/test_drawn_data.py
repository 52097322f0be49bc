"""The laws of every method on data that hypothesis draws: sizes, offsets, units, groups, weights."""

from __future__ import annotations

import warnings
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import fairstats as fs
from fairstats.errors import FairstatsWarning
from tests.laws.every_method import EVERY, OF, PROJECTIONS, SEARCHES
from tests.laws.test_price import adds_up

SLOW = {"fpca", "mbf_pca", "rlace_pca", "rlace"}
FAST = [name for name in EVERY if name not in SLOW]
few = settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)


class Drawn(NamedTuple):
    """Rows with groups a and b, weights and an order."""

    X: np.ndarray
    g: np.ndarray
    w: np.ndarray
    order: np.ndarray


@st.composite
def data(draw: st.DrawFn) -> Drawn:
    rng = np.random.default_rng(draw(st.integers(0, 2**20)))
    n, p = draw(st.integers(25, 60)), draw(st.integers(5, 8))
    spread = np.linspace(draw(st.floats(1.5, 4)), 1, p)
    g = np.where(rng.permutation(n) < draw(st.integers(8, n - 8)), "a", "b")
    X = rng.standard_normal((n, p)) * spread + np.outer(g == "b", rng.standard_normal(p)) * draw(st.floats(0.5, 3))
    return Drawn(X + draw(st.floats(-50, 50)), g, rng.uniform(0.2, 5, n), rng.permutation(n))


def fitted(name: str, X: Any, g: Any = None, **more: Any) -> Any:
    more |= {"directions": 3} if name == "fair_pca-s" else {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FairstatsWarning)
        return EVERY[name](X, g, 2, **more)


def alike(name: str, a: Any, b: Any, d: Drawn, X: np.ndarray | None = None) -> None:
    """Equal scores up to signs, where components are; adjusted features as they are."""
    rows = d.X if X is None else X
    ours, theirs = a.transform(rows, d.g), b.transform(d.X, d.g)
    if OF[name].reduces:
        ours, theirs = ours @ ours.T, theirs @ theirs.T
    else:
        theirs = theirs + (rows - d.X)
    np.testing.assert_allclose(ours, theirs, atol=max(SEARCHES.get(name, 0.0), 1e-5) * np.abs(theirs).max())


@pytest.mark.parametrize("name", FAST)
@few
@given(data())
def test_neither_order_nor_offset_nor_the_unit_of_weights_matters(name: str, d: Drawn) -> None:
    fit = fitted(name, d.X, d.g, weights=d.w)
    alike(name, fitted(name, d.X, d.g, weights=d.w * 1e-3), fit, d)
    if name != "kernel landmarks":  # which draws its landmarks by their place
        alike(name, fitted(name, d.X[d.order], d.g[d.order], weights=d.w[d.order]), fit, d)
    if not name.startswith("kernel"):  # whose default width is of the means too
        moved = d.X + 1e4
        alike(name, fitted(name, moved, d.g, weights=d.w), fit, d, moved)


@pytest.mark.parametrize("name", [name for name in PROJECTIONS if name not in SLOW])
@few
@given(data())
def test_the_price_adds_up_and_so_do_chunks(name: str, d: Drawn) -> None:
    fit = fitted(name, d.X, d.g)
    adds_up(fit)
    assert all(x.holds for x in fit.guarantees)
    if OF[name].moments:
        parts = fs.Moments.of(d.X[:9], d.g[:9]) + fs.Moments.of(d.X[9:], d.g[9:])
        alike(name, fitted(name, parts), fit, d)
