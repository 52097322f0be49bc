"""The laws of every method on data that hypothesis draws: sizes, offsets, units, groups, weights, orders.

``python -m tests.laws.test_drawn_data`` prints which forms of which methods each law runs on.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from scipy import sparse

import fairstats
from fairstats.errors import FairstatsWarning, InputError
from fairstats.methods.registry import METHODS, Method
from tests.laws.every_method import EVERY, OF, ROWS_ONLY, SEARCHES
from tests.laws.test_price import adds_up
from tests.laws.test_units import PRICES

SLOW = {"fpca", "mbf_pca", "minimax_pca nash", "rlace_pca", "rlace"}
QUIET = {"deadline": None, "suppress_health_check": list(HealthCheck), "derandomize": True}
few = settings(max_examples=3, **QUIET)  # type: ignore[arg-type]
fewest = settings(max_examples=1, phases=[Phase.generate], **QUIET)  # type: ignore[arg-type]


class Drawn(NamedTuple):
    """Rows with groups a and b, weights and an order."""

    X: np.ndarray
    g: np.ndarray
    w: np.ndarray
    order: np.ndarray
    columns: np.ndarray
    factor: float


@st.composite
def data(draw: st.DrawFn) -> Drawn:
    rng = np.random.default_rng(draw(st.integers(0, 2**20)))
    n, p = draw(st.integers(25, 60)), draw(st.integers(5, 8))
    spread = np.linspace(draw(st.floats(1.5, 4)), 1, p)
    g = np.where(rng.permutation(n) < draw(st.integers(8, n - 8)), "a", "b")
    X = rng.standard_normal((n, p)) * spread + np.outer(g == "b", rng.standard_normal(p)) * draw(st.floats(0.5, 3))
    X += draw(st.floats(-50, 50))
    return Drawn(X, g, rng.uniform(0.2, 5, n), rng.permutation(n), rng.permutation(p), draw(st.floats(1e-6, 1e6)))


def fitted(name: str, X: Any, g: Any = None, **more: Any) -> Any:
    more |= {"directions": 3} if name == "fair_pca-s" else {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FairstatsWarning)
        return EVERY[name](X, g, 2, **more)


def alike(name: str, a: Any, b: Any, d: Drawn, X: np.ndarray | None = None, unit: float = 1.0) -> None:
    """Equal scores up to signs, where components are; adjusted features as they are."""
    rows = d.X if X is None else X
    ours, theirs = a.transform(rows, d.g) / unit, b.transform(d.X, d.g)
    if OF[name].reduces:
        ours, theirs = ours @ ours.T, theirs @ theirs.T
    else:
        theirs = theirs + (rows / unit - d.X)
    np.testing.assert_allclose(ours, theirs, atol=max(SEARCHES.get(name, 0.0), 1e-5) * np.abs(theirs).max())


def names_of(d: Drawn) -> list[str]:
    return [f"x{j + 1}" for j in range(d.X.shape[1])]


def by_index(name: str, d: Drawn) -> None:
    """Groups and weights in another order find their rows by the index; other rows are refused."""
    X, g, w = pd.DataFrame(d.X, columns=names_of(d)), pd.Series(d.g, name="g"), pd.Series(d.w)
    weights = {"weights": w[d.order]} if OF[name].weights else {}
    alike(name, fitted(name, X, g[d.order], **weights), fitted(name, d.X, d.g, **dict.fromkeys(weights, d.w)), d)
    with pytest.raises(InputError, match="different indexes"):
        fitted(name, X, g.set_axis(g.index + 1))


def by_name(name: str, d: Drawn) -> None:
    """Columns of new rows in another order are matched by their names, groups by those of attributes."""
    names = names_of(d)
    table = pd.DataFrame(d.X, columns=names).assign(g=d.g)
    fit = fitted(name, names, "g", data=table)
    want, mixed = fit.transform(d.X, d.g), table[[*np.array(names)[d.columns], "g"]]
    got = np.asarray(fit.transform(mixed))  # adjusted features come in the fit's order
    np.testing.assert_allclose(got, want, atol=1e-9 * np.abs(want).max())


def by_order(name: str, d: Drawn) -> None:
    """The order of the rows does not matter."""
    mixed = fitted(name, d.X[d.order], d.g[d.order], weights=d.w[d.order])
    alike(name, mixed, fitted(name, d.X, d.g, weights=d.w), d)


def by_weights(name: str, d: Drawn) -> None:
    """Weights in another unit are the same weights."""
    alike(name, fitted(name, d.X, d.g, weights=d.w * d.factor), fitted(name, d.X, d.g, weights=d.w), d)


def by_offset(name: str, d: Drawn) -> None:
    """Where the zero of a feature is does not matter."""
    moved = d.X + 1e4 * (d.columns - 3.0)
    alike(name, fitted(name, moved, d.g, weights=d.w), fitted(name, d.X, d.g, weights=d.w), d, moved)


def by_unit(name: str, d: Drawn) -> None:
    """The unit of the features is that of the scores, and nothing else (prices in units of the data go with it)."""
    argument, power = PRICES.get(name, ("", 0))
    plain = {argument: {"penalty": 1.0, "mu": 0.01, "gamma": 0.05}[argument]} if argument else {}
    size = 1.0 if name in ("kernel rbf", "kernel landmarks") else d.factor
    scaled = {a: v * d.factor**power for a, v in plain.items()}
    result = fitted(name, d.X * d.factor, d.g, **scaled)
    alike(name, result, fitted(name, d.X, d.g, **plain), d, d.X * d.factor, size)


def by_price(name: str, d: Drawn) -> None:
    """The errors of the groups add up to the fit's, and those of PCA to PCA's; what is promised holds."""
    fit = fitted(name, d.X, d.g)
    adds_up(fit)
    assert all(x.holds for x in fit.guarantees)


def by_chunks(name: str, d: Drawn) -> None:
    """Moments of chunks, added, give the fit of all rows."""
    parts = fairstats.Moments.of(d.X[:9], d.g[:9]) + fairstats.Moments.of(d.X[9:], d.g[9:])
    alike(name, fitted(name, parts), fitted(name, d.X, d.g), d)


def by_sparse(name: str, d: Drawn) -> None:
    """Sparse rows give the fit of dense ones."""
    thin = np.where(np.abs(d.X - d.X.mean()) > 1, d.X, 0.0)
    thin_data = d._replace(X=thin)
    alike(name, fitted(name, sparse.csr_array(thin), d.g), fitted(name, thin, d.g), thin_data)


def by_zeros(name: str, d: Drawn) -> None:
    """Features that are 0, so many that the wide route is taken, change nothing."""
    broad = np.hstack([d.X, np.zeros((len(d.X), len(d.X)))])
    a, b = fitted(name, broad, d.g).transform(broad, d.g), fitted(name, d.X, d.g).transform(d.X, d.g)
    a = a if OF[name].reduces else a[:, : d.X.shape[1]]
    a, b = (a @ a.T, b @ b.T) if OF[name].reduces else (a, b)
    np.testing.assert_allclose(a, b, atol=max(SEARCHES.get(name, 0.0), 1e-5) * np.abs(b).max())


class Law(NamedTuple):
    """A law, the methods that take the thing it is about, and forms of them that it cannot be of, each with why."""

    check: Callable[[str, Drawn], None]
    takes: Callable[[Method], bool] = lambda _: True
    but: dict[str, str] = {}  # noqa: RUF012


COUNTS = "counts features, or bounds how many have loadings"
LAWS = {
    "alignment": Law(by_index),
    "names": Law(by_name),
    "order": Law(by_order, but={"kernel landmarks": "draws its landmarks by their place"}),
    "weights": Law(by_weights, lambda m: m.weights),
    "offset": Law(by_offset),
    "unit": Law(by_unit),
    "price": Law(by_price, lambda m: m.result == "projection"),
    "chunks": Law(by_chunks, lambda m: m.moments),
    "sparse": Law(by_sparse, lambda m: m.name not in ROWS_ONLY),
    "wide": Law(by_zeros, but={"fair_pca-s": COUNTS,
                               "leace shrunk": COUNTS, "leace_pca shrunk": COUNTS, "inlp_pca": COUNTS,
                               "rlace_pca": COUNTS, "inlp": COUNTS,
                               "mbf_pca": "starts from random loadings", "rlace": "has no single best probe there",
                               "location_scale bayes": COUNTS}),
}  # fmt: skip


def forms(law: Law) -> list[str]:
    return [name for name in EVERY if law.takes(OF[name]) and name not in law.but]


@pytest.mark.parametrize("law", LAWS)
def test_a_law_runs_on_every_method_that_takes_the_thing(law: str) -> None:
    """So that a new method of the registry is held to it without a word."""
    row = LAWS[law]
    assert set(row.but) <= set(EVERY) and all(row.but.values())
    of = {OF[name].name for name in forms(row)}
    allowed = {OF[name].name for name in row.but}
    assert of | allowed >= {name for name, method in METHODS.items() if row.takes(method)}


@pytest.mark.long
@pytest.mark.parametrize(("law", "name"), [(law, name) for law in LAWS for name in forms(LAWS[law])])
def test_laws(law: str, name: str) -> None:
    (fewest if name in SLOW else few)(given(data())(lambda d: LAWS[law].check(name, d)))()


if __name__ == "__main__":
    for title, row in LAWS.items():
        print(f"{title:<10} {row.check.__doc__}\n{'':<10} on {', '.join(forms(row))}")
        for form, why in row.but.items():
            print(f"{'':<10} not {form}: {why}")
