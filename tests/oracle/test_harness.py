"""The bridge to R itself: nothing is lost on the way there or back."""

import math

import numpy as np
import pytest

from tests.oracle.r import requires_r, run_r


def test_numbers_survive_the_round_trip_to_the_last_bit():
    requires_r()
    values = np.array([0.1, 1 / 3, 1e-300, -2.5e17, math.pi, math.inf, -math.inf, math.nan, 0.0])
    back = run_r("list(same = input$v, whole = 3L, text = 'a', matrix = matrix(c(0.5, 1, 1.5, 2), 2))", {"v": values})
    assert np.array_equal(back["same"], values, equal_nan=True)
    assert back["whole"] == 3 and back["text"] == "a"
    assert back["matrix"] == [[0.5, 1.5], [1.0, 2.0]]


def test_missing_values_of_r_are_nan_and_names_are_keys():
    requires_r()
    back = run_r("list(a = c(1.5, NA), b = list(x = NA_real_, y = TRUE))")
    assert math.isnan(back["a"][1]) and math.isnan(back["b"]["x"]) and back["b"]["y"] is True


def test_an_error_in_r_is_an_error_here_with_r_s_words():
    requires_r()
    with pytest.raises(RuntimeError, match="no such thing"):
        run_r("stop('no such thing')")


def test_a_missing_package_skips_with_the_line_that_installs_it(monkeypatch):
    requires_r()
    monkeypatch.delenv("CI", raising=False)
    with pytest.raises(pytest.skip.Exception, match="apt-get install r-cran-nosuchpackage"):
        requires_r("noSuchPackage")
    monkeypatch.setenv("CI", "true")
    with pytest.raises(pytest.fail.Exception, match="apt-get install r-cran-nosuchpackage"):
        requires_r("noSuchPackage")
