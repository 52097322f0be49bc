"""The kinds of values that arguments of a statistic are: counts, shares, samples, labels; each judged by one function.

Every function takes the argument's name and its value, and returns the value as statistics use it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from fairstats.arguments import MOST_PERMUTATIONS, between, confidence, random_seed, shown, whole
from fairstats.arrays import LARGEST, Floats, array, row_labels
from fairstats.errors import InputError
from fairstats.labels import is_missing

Judge = Callable[[str, Any], Any]
MOST_PEOPLE, FEWEST_PEOPLE = 1e12, 1e-12  # beyond these products of four counts leave double precision


def counting(*dims: int, missing: bool = False) -> Judge:
    """Numbers of people, which may be fractions where people are weighted."""

    def judged(name: str, value: Any) -> Floats:
        made = array(name, value, low=0, high=MOST_PEOPLE, missing=missing, dims=dims)
        if small := made[(made > 0) & (made < FEWEST_PEOPLE)].tolist():
            raise InputError(f"{name} has {small[0]:g}; a count is 0 or above {FEWEST_PEOPLE:g}; correct the entries.")
        return made

    return judged


def by_stratum(name: str, value: Any) -> Floats:
    return np.atleast_1d(counting(0, 1)(name, value))


def levels(name: str, value: Any) -> Floats:
    levels = array(name, value, low=0, high=1, missing=True, dims=(0, 1, 2))
    if ((levels == 0) | (levels == 1)).any():
        raise InputError(f"{name} has {shown(value)}; a confidence level is above 0 and below 1; pass 0.95.")
    return levels


def shares(name: str, value: Any) -> Floats:
    return array(name, value, low=0, high=1, missing=True, dims=(0, 1, 2))


def list_of_shares(name: str, value: Any) -> Floats:
    return array(name, value, low=0, high=1, missing=True, dims=(0, 1))


def share(name: str, value: Any) -> float:
    return between(name, value, 0, 1, ends="[]")


def inside(name: str, value: Any) -> float:
    return between(name, value, 0, 1)


def numbers(name: str, value: Any) -> Floats:
    return array(name, value, low=-LARGEST, high=LARGEST, missing=True, dims=(0, 1, 2))


def not_negative(name: str, value: Any) -> Floats:
    return array(name, value, low=0, high=LARGEST, missing=True, dims=(0, 1, 2))


def errors(name: str, value: Any) -> Floats:
    made = not_negative(name, value)
    if (made == 0).any():
        raise InputError(f"{name} has a 0; a standard error is above 0; there is no test without one.")
    return made


def sample(name: str, value: Any) -> Floats:
    return array(name, value, dims=(1,))


def finite_sample(name: str, value: Any) -> Floats:
    return array(name, value, low=-LARGEST, high=LARGEST, dims=(1,))


def matrix(name: str, value: Any) -> Floats:
    made = array(name, value, low=-LARGEST, high=LARGEST, dims=(2,))
    if small := made[(made != 0) & (np.abs(made) < 1 / LARGEST)].tolist():
        raise InputError(f"{name} has {small[0]:g}, whose square is 0 in double precision; rescale that column.")
    return made


def rows(name: str, value: Any) -> Floats:
    return array(name, value, low=-LARGEST, high=LARGEST, dims=(1, 2))


def probabilities(name: str, value: Any) -> Floats:
    return array(name, value, low=0, high=1, dims=(1,))


def binary(name: str, value: Any) -> Floats:
    outcome = array(name, value, dims=(1,))
    if not np.isin(outcome, (0, 1)).all():
        other = outcome[~np.isin(outcome, (0, 1))][0]
        raise InputError(f"{name} has {other:g}; an outcome is 0 or 1; recode it.")
    return outcome


def weights(name: str, value: Any) -> Floats:
    weights = array(name, value, low=0, high=LARGEST, dims=(1,))
    if not weights.any():
        raise InputError(f"{name} has zeros only; nothing would be counted; pass a weight above 0.")
    return weights


def codes(name: str, value: Any) -> np.ndarray:
    codes = array(name, value, low=0, high=2**31, dims=(1,))
    if (codes != np.round(codes)).any():
        raise InputError(f"{name} has {codes[codes != np.round(codes)][0]:g}; a code is a whole number from 0; recode.")
    return codes.astype(np.intp)


def target(name: str, value: Any) -> np.ndarray:
    numeric = isinstance(value, np.ndarray) and value.dtype.kind == "f"
    return finite_sample(name, value) if numeric else row_labels(name, value)


def is_list(value: Any) -> bool:
    if isinstance(value, np.ndarray):
        return value.ndim > 0
    return isinstance(value, Sequence) and not isinstance(value, (str, bytes))


def samples(name: str, value: Any) -> list[Floats]:
    if not is_list(value) or len(value) < 2:
        raise InputError(f"{name} has {shown(value)}; it is a list of two samples or more; pass one list a group.")
    return [sample(f"{name}[{i}]", one) for i, one in enumerate(value)]


def names(name: str, value: Any) -> list[str]:
    to_list = getattr(value, "to_list", None) or getattr(value, "tolist", None)  # a column of polars, pandas, numpy
    value = to_list() if callable(to_list) else value
    if not is_list(value) or not len(value):
        raise InputError(f"{name} has {shown(value)}; it is a list of labels; pass one a group.")
    if not all(isinstance(v, (str, int, float, np.generic)) for v in value):
        raise InputError(f"{name} has {shown(value)}; a label is text or a number; pass one a group.")
    names = [str(v) for v in value]
    if any(map(is_missing, value)) or len(set(names)) < len(names):
        raise InputError(f"{name} has {shown(value)}; each group has a label of its own; pass one a group.")
    return names


def word(name: str, value: Any) -> str:
    if not isinstance(value, str):
        raise InputError(f"{name} has {shown(value)}; it must be text for the row; pass text.")
    return value


def standard(name: str, value: Any) -> Any:
    """The name of a standard population, or its weights."""
    return value if isinstance(value, str) else weights(name, value)


def positive(name: str, value: Any) -> float:
    return between(name, value, 0, MOST_PEOPLE)


def degrees(name: str, value: Any) -> Any:
    made = array(name, value, missing=True, dims=(0, 1, 2))
    if (made <= 0).any():
        raise InputError(f"{name} has {shown(value)}; degrees of freedom are above 0; pass the number of them.")
    return made


def elsewhere(name: str, value: Any) -> Any:
    return value


def optional(judge: Judge) -> Judge:
    def judged(name: str, value: Any) -> Any:
        return None if value is None else judge(name, value)

    return judged


def repeats(name: str, value: Any) -> int:
    return whole(name, value, 1, MOST_PERMUTATIONS, "more would not change p")


def one_level(name: str, value: Any) -> float:
    return confidence(value)


def one_seed(name: str, value: Any) -> int:
    return random_seed(value)


def regression(name: str, value: Any) -> Any:
    if not hasattr(value, "coefficients") or not hasattr(value, "covariance"):
        raise InputError(f"{name} has {shown(value)}; it is a fit; pass what fs.stats.logistic returns.")
    return value


def columns(name: str, value: Any) -> slice:
    if not isinstance(value, slice):
        raise InputError(f"{name} has {shown(value)}; it is a range of columns; pass slice(first, last + 1).")
    return value
