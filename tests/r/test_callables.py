"""R as a metric by group, as a method of a comparison, and as what draws: R's own numbers, R's errors in R's words."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest

import fairstats
from fairstats.errors import FileError, InputError, NumericalError, RError
from fairstats.r.models import method, metric, plot
from tests.r.bridge import requires_bridge


@pytest.fixture(scope="module", autouse=True)
def bridge() -> None:
    requires_bridge()


@pytest.fixture
def people(rng) -> pd.DataFrame:
    g = rng.integers(0, 2, 240)
    a, b = rng.normal(size=240) + g, rng.normal(size=240)
    return pd.DataFrame({"g": np.where(g == 1, "m", "f"), "a": a, "b": b, "y": (a + rng.logistic(size=240) > 0.5) * 1})


def test_a_metric_of_r_is_that_metric_by_group(people):
    ours = fairstats.stats.by_group(
        lambda y, d, s, w: float(np.mean(d[y == 1])), people.y, people.a > 0, groups=people.g, replicates=50
    )
    share = metric("mean(d[y == 1])", name="true positive share")
    theirs = fairstats.stats.by_group(share, people.y, people.a > 0, groups=people.g, replicates=50)
    np.testing.assert_allclose(theirs.column("estimate"), ours.column("estimate"), rtol=1e-14)
    np.testing.assert_allclose(theirs.column("conf_low"), ours.column("conf_low"), rtol=1e-14)
    assert set(theirs.column("metric")) == {"true positive share"}


def test_an_r_metric_that_gives_no_number_says_so(people):
    with pytest.raises(InputError, match=r"code='c\(1, 2\)'.*one number"):
        metric("c(1, 2)")(None, people.y, None, None)
    with pytest.raises(RError, match="no such thing"):
        metric("stop('no such thing')")(None, people.y, None, None)


def test_a_method_of_r_gives_the_numbers_of_ours(people):
    options = {
        "outcome": "y",
        "groups": "g",
        "features": ["a", "b"],
        "k": 1,
        "n_repeats": 3,
        "seed": 1,
        "progress": False,
    }
    prcomp = method("prcomp(X, rank. = k, scale. = TRUE)", name="prcomp")
    comparison = fairstats.compare(people, methods=["pca", prcomp], **options)
    ours, theirs = (
        comparison.estimates.where(metric="AUC", fit=fit, versus="", role="main") for fit in ("pca", "prcomp")
    )
    np.testing.assert_allclose(theirs.column("estimate"), ours.column("estimate"), rtol=1e-9)


def test_a_method_of_r_sees_the_groups_of_the_rows(people):
    center = "lapply(split(X, groups$g), colMeans)"
    leveled = "newdata - do.call(rbind, fit[as.character(groups$g)])"
    options = {"outcome": "y", "groups": "g", "features": ["a", "b"], "n_repeats": 2, "seed": 1, "progress": False}
    comparison = fairstats.compare(
        people, methods=["none", method(center, predict=leveled, name="centered")], **options
    )
    gap = comparison.estimates.where(metric="mean score", contrast="difference", fit="centered", versus="")
    assert abs(gap[0].estimate) < abs(
        comparison.estimates.where(metric="mean score", contrast="difference", fit="none")[0].estimate
    )


def test_a_method_that_gives_other_rows_is_refused(people):
    with pytest.raises(NumericalError, match="gave 2 rows for"):
        fairstats.compare(
            people, outcome="y", groups="g", features=["a", "b"], n_repeats=2, progress=False,
            methods=["none", method("1", predict="matrix(0, 2, 1)")],
        )  # fmt: skip


def test_what_r_draws_is_shown_and_saved(tmp_path):
    drawn = plot("for (i in 1:2) plot(x, main = i)", x=[1.0, 4.0, 9.0], alt="squares & more")
    assert len(drawn.pages) == 2 and all(page.lstrip().startswith("<?xml") for page in drawn.pages)
    shown = drawn._repr_html_()
    assert shown.count("<img") == 2 and 'alt="squares &amp; more"' in shown
    assert b"<svg" in drawn.save(tmp_path / "page.svg", page=2).read_bytes()
    with pytest.raises(FileError, match=r"\.svg"):
        drawn.save(tmp_path / "page.png")
    with pytest.raises(InputError, match="page"):
        drawn.save(tmp_path / "page.svg", page=3)


@pytest.mark.long
def test_a_ggplot_is_drawn_without_print():
    requires_bridge("ggplot2")
    drawn = plot(
        "ggplot2::ggplot(d, ggplot2::aes(x, y)) + ggplot2::geom_point()", d=pd.DataFrame({"x": [1.0, 2], "y": [2.0, 1]})
    )
    assert len(re.findall("<circle|<use", drawn.pages[0])) >= 2


def test_code_that_draws_nothing_and_code_that_stops():
    with pytest.raises(InputError, match="drew nothing"):
        plot("invisible(1)")
    with pytest.raises(RError, match="enough"):
        plot("plot(1); stop('enough')")
    assert fairstats.r.session().eval("length(grDevices::dev.list())") == 0
