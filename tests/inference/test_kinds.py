"""Types of arguments that several statistics share."""

from __future__ import annotations

import numpy as np
import pytest

import fairstats
from fairstats.errors import InputError
from fairstats.inference.validation import Level, Proportion, Rate, check_of, levels, validated


@pytest.mark.parametrize("shape", [(), (3,), (2, 3)])
def test_levels_may_be_one_a_row_or_a_table_of_them(shape: tuple[int, ...]) -> None:
    value = np.full(shape, 0.9)
    assert levels("conf_level", value).shape == shape
    low, high = fairstats.stats.wilson(np.full(shape, 4), np.full(shape, 10), conf_level=value)
    assert np.shape(low) == np.shape(high) == shape
    one = fairstats.stats.wilson(4, 10, conf_level=0.9)
    assert np.all(low == one[0]) and np.all(high == one[1])


@pytest.mark.parametrize("wrong", [0, 1, 1.5, 2, -0.1, [0.9, 1.0], np.full((1, 1, 1), 0.9)])
def test_no_other_is_a_level(wrong: object) -> None:
    with pytest.raises(InputError, match="conf_level"):
        levels("conf_level", wrong)


@pytest.mark.parametrize("value", [-0.5, 0, 0.5, 1, 1.5])
def test_a_number_inside_is_neither_end_and_a_share_may_be_either(value: float) -> None:
    for kind, fits in ((check_of(Proportion), 0 < value < 1), (check_of(Rate), 0 <= value <= 1)):
        if fits:
            assert kind("p", value) == value
            continue
        with pytest.raises(InputError, match="p has"):
            kind("p", value)


def test_a_statistic_whose_argument_has_no_checked_type_is_refused_at_its_first_call() -> None:
    def square(x: bytes, conf_level: Level = 0.95) -> bytes:
        return x

    with pytest.raises(TypeError, match=r"bytes.* has no check"):
        validated(square)(b"")


def test_arguments_in_the_order_of_another_package_are_refused_with_ours() -> None:
    with pytest.raises(fairstats.InputError, match="events has 20, more than n, 10; events stands before n"):
        fairstats.stats.wilson(20, 10)
    with pytest.raises(fairstats.InputError, match=r"y has 0\.2; an outcome is 0 or 1; recode it, or exchange"):
        fairstats.stats.auc([0, 1, 1, 0], [0.2, 0.3, 0.4, 0.1])
