"""A guarantee that does not hold is warned of at the fit, and said first in whatever shows the fit."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pandas as pd
import pytest

import fairstats
from fairstats.errors import FairstatsWarning
from fairstats.methods import registry
from fairstats.methods.results import Guarantee, failures
from tests.laws.test_methods import sample

PROMISES = [name for name in registry.METHODS if name != "pca"]


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch) -> None:
    """No guarantee holds."""
    monkeypatch.setattr(Guarantee, "holds", property(lambda self: False))


def fitted(name: str) -> Any:
    X, g = sample(n=60, p=4)
    row = registry.METHODS[name]
    more: dict[str, Any] = {"tau": 0.5} if name == "mbf_pca" else {}
    return row.function(X, g, **({"k": 2} if row.reduces else {}), **row.needs, **more)


@pytest.mark.parametrize("name", PROMISES)
def test_every_method_warns_in_the_line_that_calls_it_and_its_summary_begins_with_it(name: str, broken: None) -> None:
    with pytest.warns(FairstatsWarning, match=rf"^{name}: (a guarantee does|\d guarantees do) not hold") as caught:
        fit = fitted(name)
    assert __file__ in {w.filename for w in caught}
    reported = str(next(w for w in caught if str(w.message).startswith(name)).message)
    for g in fit.guarantees:
        assert g.statement in reported and f"{g.value:.3g} (at most {g.tolerance:.3g})" in reported
    assert any(line.startswith("DOES NOT HOLD") for line in fit.summary().splitlines()[2:5])
    assert fit.guarantees and failures(fit.guarantees)


@pytest.mark.parametrize("name", PROMISES)
def test_nothing_is_said_where_guarantees_hold(name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error", FairstatsWarning)
        assert "DOES NOT HOLD" not in fitted(name).summary()


def test_an_approximate_optimum_says_how_far_it_is() -> None:
    with pytest.warns(FairstatsWarning, match=r"minimax_pca: .*dual bound.*: 0\.00\d+ \(at most 1e-06\)"):
        fairstats.minimax_pca(np.vstack([np.eye(3), -np.eye(3)]), list("abc") * 2, k=1, solver="mw")


def test_a_comparison_and_a_reports_first_page_begin_with_it(broken: None, tmp_path: Any) -> None:
    X, g = sample(n=120, p=4)
    y = (X[:, 0] > np.median(X[:, 0])).astype(int)
    data = pd.DataFrame(X, columns=list("stuv")).assign(group=g, y=y)
    with warnings.catch_warnings():
        warnings.simplefilter("error", FairstatsWarning)
        comparison = fairstats.compare(
            data,
            outcome="y",
            groups="group",
            features=list("stuv"),
            methods=["none", "og"],
            k=2,
            n_repeats=2,
            progress=False,
        )
    assert comparison.finding().startswith("og: in 2 of 2 splits a guarantee does not hold: largest correlation")
    assert " ".join(comparison.summary().split()).find("og: in 2 of 2 splits a guarantee") < 120
    with pytest.warns(FairstatsWarning):
        fit = fairstats.og(data[list("stuv")], g, k=2)
    text = fairstats.report(fit, comparison, to=tmp_path / "r.html").html
    assert (
        0
        < text.index("a guarantee does not hold on its data")
        < text.index("guarantees, checked on the rows of the fit")
    )
