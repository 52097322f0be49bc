"""What an argument of a statistic of ``fs.stats`` may be: the types of its annotations, each with its check.

``events: Counts`` says to readers and to type checkers what is meant, and to ``fs.stats`` how it is checked before the
statistic is computed; ``bool``, ``str`` and a ``Literal`` say it themselves. Inside the package the statistics call
each other without these checks.
"""

from __future__ import annotations

import functools
import inspect
import math
from collections.abc import Callable, Sequence
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fairstats.arrays import LARGEST, Floats, array, row_labels
from fairstats.errors import Call, InputError
from fairstats.labels import is_missing
from fairstats.validation import MOST_PERMUTATIONS, between, confidence, flag, number, one_of, random_seed, shown, whole
from fairstats.validation import bound as called

# One function a check: it returns the value as the statistic takes it, or raises the error that names the argument.


Check = Callable[[str, Any], Any]
MOST_PEOPLE, FEWEST_PEOPLE = 1e12, 1e-12  # beyond these products of four counts leave double precision


def numbers(*dims: int, low: float = -LARGEST, high: float = LARGEST, missing: bool = False) -> Check:
    """An array of one of these numbers of dimensions."""

    def checked(name: str, value: Any) -> Floats:
        return array(name, value, low=low, high=high, missing=missing, dims=dims)

    return checked


def inside(low: float, high: float, ends: str = "()") -> Check:
    """One number in an interval, which has its ends or not."""

    def checked(name: str, value: Any) -> float:
        return between(name, value, low, high, ends=ends)

    return checked


def counting(*dims: int, missing: bool = False) -> Check:
    """Numbers of people, which may be fractions where people are weighted."""

    def checked(name: str, value: Any) -> Floats:
        values = array(name, value, low=0, high=MOST_PEOPLE, missing=missing, dims=dims)
        if small := values[(values > 0) & (values < FEWEST_PEOPLE)].tolist():
            raise InputError(name, f"has {small[0]:g}; a count is 0 or above {FEWEST_PEOPLE:g}; correct the entries.")
        return values

    return checked


def by_stratum(name: str, value: Any) -> Floats:
    return np.atleast_1d(counting(0, 1)(name, value))


def levels(name: str, value: Any) -> Floats:
    levels = array(name, value, low=0, high=1, missing=True, dims=(0, 1, 2))
    if ((levels == 0) | (levels == 1)).any():
        raise InputError(name, f"has {shown(value)}; a confidence level is above 0 and below 1; pass 0.95.")
    return levels


def errors(name: str, value: Any) -> Floats:
    values = array(name, value, low=0, high=LARGEST, missing=True, dims=(0, 1, 2))
    if (values == 0).any():
        raise InputError(name, "has a 0; a standard error is above 0; there is no test without one.")
    return values


def matrix(name: str, value: Any) -> Floats:
    values = array(name, value, low=-LARGEST, high=LARGEST, dims=(2,))
    if small := values[(values != 0) & (np.abs(values) < 1 / LARGEST)].tolist():
        raise InputError(name, f"has {small[0]:g}, whose square is 0 in double precision; rescale that column.")
    return values


def binary(name: str, value: Any) -> Floats:
    outcome = array(name, value, dims=(1,))
    if not np.isin(outcome, (0, 1)).all():
        other = outcome[~np.isin(outcome, (0, 1))][0]
        raise InputError(name, f"has {other:g}; an outcome is 0 or 1; recode it, or exchange the arguments.")
    return outcome


def weights(name: str, value: Any) -> Floats:
    weights = array(name, value, low=0, high=LARGEST, dims=(1,))
    if not weights.any():
        raise InputError(name, "has zeros only; nothing would be counted; pass a weight above 0.")
    return weights


def codes(name: str, value: Any) -> np.ndarray:
    codes = array(name, value, low=0, high=2**31, dims=(1,))
    if (codes != np.round(codes)).any():
        raise InputError(name, f"has {codes[codes != np.round(codes)][0]:g}; a code is a whole number from 0; recode.")
    return codes.astype(np.intp)


def target(name: str, value: Any) -> np.ndarray:
    numeric = isinstance(value, np.ndarray) and value.dtype.kind == "f"
    return numbers(1)(name, value) if numeric else row_labels(name, value)


def is_list(value: Any) -> bool:
    if isinstance(value, np.ndarray):
        return value.ndim > 0
    return isinstance(value, Sequence) and not isinstance(value, (str, bytes))


def samples(name: str, value: Any) -> list[Floats]:
    if not is_list(value) or len(value) < 2:
        raise InputError(name, f"has {shown(value)}; it is a list of two samples or more; pass one list a group.")
    return [array(f"{name}[{i}]", one, dims=(1,)) for i, one in enumerate(value)]


def names(name: str, value: Any) -> list[str]:
    to_list = getattr(value, "to_list", None) or getattr(value, "tolist", None)  # a column of polars, pandas, numpy
    value = to_list() if callable(to_list) else value
    if not is_list(value) or not len(value):
        raise InputError(name, f"has {shown(value)}; it is a list of labels; pass one a group.")
    if not all(isinstance(v, (str, int, float, np.generic)) for v in value):
        raise InputError(name, f"has {shown(value)}; a label is text or a number; pass one a group.")
    names = [str(v) for v in value]
    if any(map(is_missing, value)) or len(set(names)) < len(names):
        raise InputError(name, f"has {shown(value)}; each group has a label of its own; pass one a group.")
    return names


def word(name: str, value: Any) -> str:
    if not isinstance(value, str):
        raise InputError(name, f"has {shown(value)}; it must be text for the row; pass text.")
    return value


def standard_population(name: str, value: Any) -> Any:
    """The name of a standard population, or its weights."""
    return value if isinstance(value, str) else weights(name, value)


def degrees(name: str, value: Any) -> Any:
    values = array(name, value, missing=True, dims=(0, 1, 2))
    if (values <= 0).any():
        raise InputError(name, f"has {shown(value)}; degrees of freedom are above 0; pass the number of them.")
    return values


def unchecked(name: str, value: Any) -> Any:
    """What the statistic checks itself: people as arrays, whose rows are paired by their names."""
    return value


def repeats(name: str, value: Any) -> int:
    return whole(name, value, 1, MOST_PERMUTATIONS, "more would not change p")


def one_level(name: str, value: Any) -> float:
    return confidence(value)


def one_seed(name: str, value: Any) -> int:
    return random_seed(value)


def column(name: str, value: Any) -> int:
    return whole(name, value, 0)


def standard_error(name: str, value: Any) -> float:
    return float(array(name, value, low=0, missing=True, dims=(0,)))


def regression(name: str, value: Any) -> Any:
    if not hasattr(value, "coefficients") or not hasattr(value, "covariance"):
        raise InputError(name, f"has {shown(value)}; it is a fit; pass what {Call('stats.logistic')} returns.")
    return value


def columns(name: str, value: Any) -> slice:
    if not isinstance(value, slice):
        raise InputError(name, f"has {shown(value)}; it is a range of columns; pass slice(first, last + 1).")
    return value


# The types of arguments.


Counts = Annotated[ArrayLike, counting(0, 1, 2, missing=True)]
CountsByGroup = Annotated[ArrayLike, counting(1)]
Cells = Annotated[ArrayLike, by_stratum]  # an entry a stratum
CountsInRows = Annotated[ArrayLike, counting(1, 2)]  # a row a family of rates
Positive = Annotated[float, inside(0, MOST_PEOPLE)]
AtLeastOne = Annotated[float, inside(1, MOST_PEOPLE, "[]")]
AboveOne = Annotated[float, inside(1, MOST_PEOPLE)]
Proportion = Annotated[float, inside(0, 1)]
Rate = Annotated[float, inside(0, 1, "[]")]
Rates = Annotated[ArrayLike, numbers(0, 1, 2, low=0, high=1, missing=True)]
PValues = Annotated[ArrayLike, numbers(0, 1, low=0, high=1, missing=True)]
Probabilities = Annotated[ArrayLike, numbers(1, low=0, high=1)]
Grid = Annotated[ArrayLike, numbers(0, 1, low=0, high=1)]
Level = Annotated[float, one_level]
Levels = Annotated[ArrayLike, levels]
Numbers = Annotated[ArrayLike, numbers(0, 1, 2, missing=True)]
NonNegative = Annotated[ArrayLike, numbers(0, 1, 2, low=0, missing=True)]
StandardError = Annotated[float, standard_error]
StandardErrors = Annotated[ArrayLike, errors]
DegreesOfFreedom = Annotated[ArrayLike, degrees]
Sample = Annotated[ArrayLike, numbers(1, low=-math.inf, high=math.inf)]
FiniteSample = Annotated[ArrayLike, numbers(1)]
Samples = Annotated[Sequence[ArrayLike], samples]
Outcomes = Annotated[ArrayLike, binary]
Weights = Annotated[ArrayLike, weights]
Codes = Annotated[NDArray[np.intp], codes]
RowLabels = Annotated[ArrayLike, row_labels]
GroupLabels = Annotated[Sequence[str], names]
Matrix = Annotated[ArrayLike, matrix]
Rows = Annotated[Floats, numbers(1, 2)]
Target = Annotated[NDArray[Any], target]
Column = Annotated[int, column]
Columns = Annotated[slice, columns]
Coefficients = Annotated[NDArray[Any], numbers(1, low=0)]
Noncentrality = Annotated[NDArray[Any] | float, numbers(0, 1, low=0, high=MOST_PEOPLE)]
Statistics = Annotated[ArrayLike, numbers(1, low=-math.inf, high=math.inf, missing=True)]
DrawsOfStatistics = Annotated[ArrayLike, numbers(2, low=-math.inf, high=math.inf, missing=True)]
Repeats = Annotated[int, repeats]
Seed = Annotated[int, one_seed]
PairedRows = Annotated[ArrayLike, unchecked]
PLAIN: dict[Any, Check] = {bool: flag, float: number, str: word, Any: unchecked}


def check_of(hint: Any) -> Check:
    """Return what checks an argument of that type.

    Examples
    --------
    >>> check_of(Rate | None)("share", None), check_of(Literal["a", "b"])("kind", "b")
    (None, 'b')
    """
    origin, inner = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return inner[1]  # type: ignore[no-any-return]
    if origin is Literal:
        return lambda name, value: one_of(name, value, inner)
    if origin in (Union, UnionType) and NoneType in inner:
        (kind,) = (part for part in inner if part is not NoneType)
        check = check_of(kind)
        return lambda name, value: None if value is None else check(name, value)
    if hint not in PLAIN:
        raise TypeError(f"{hint} has no check; annotate with a type of {__name__}.")
    return PLAIN[hint]


def checks_of(function: Callable[..., Any]) -> dict[str, Check]:
    """Return what checks each argument of a statistic, by its annotation."""
    hints = get_type_hints(function, include_extras=True)
    return {name: check_of(hints[name]) for name in inspect.signature(function).parameters}


# Arguments that belong together.


ROUNDING = 1e-9
OF_STRATA = (
    *("breslow_day", "cmh_test", "common_odds_ratio", "conditional_odds_ratio", "homogeneity_test"),
    *("pooled_shortfall", "rosenbaum_bound", "rosenbaum_p", "stratified_mid_p", "stratified_rates"),
)
# Arguments that have one entry a row, and so as many as each other.
ROWS: dict[str, tuple[tuple[str, ...], ...]] = {
    **dict.fromkeys(
        (
            *("auc", "brier_score", "calibration_curve", "calibration_error", "recalibration", "roc_band", "roc_curve"),
            "spiegelhalter_z",
        ),
        (("scores", "y"),),
    ),
    **dict.fromkeys(
        (
            "ratio_to_best",
            "chi_square",
            "equivalence_of_range",
            "simultaneous_level",
            "permutation_test",
            "max_difference",
            "worst_ratio",
        ),
        (("events", "n"),),
    ),
    "adverse_impact": (("selected", "n", "labels"),),
    "auc_difference": (("scores", "y"), ("reference_scores", "reference_y")),
    "auc_difference_paired": (("scores", "other", "y"),),
    "average_marginal_effect": (("x", "weights"),),
    "distance_correlation": (("scores", "target", "folds"),),
    "ecdf": (("x", "weights"),),
    "logistic": (("x", "y", "weights", "clusters"),),
    "mmd": (("scores", "codes", "folds"),),
    "rao_scott": (("y", "codes", "weights", "clusters"),),
    "stratified_auc": (("scores", "y", "strata"),),
    **dict.fromkeys(OF_STRATA, (("e1", "n1", "e0", "n0"),)),
    "stratified_rates_from_data": (("y", "in_group", "strata", "weights", "clusters"),),
    "probability_of_superiority_survey": (("x", "x_weights", "x_clusters"), ("y", "y_weights", "y_clusters")),
    "survey_rate": (("y", "weights", "clusters"),),
}
PARTS = (("events", "n"), ("e1", "n1"), ("e0", "n0"), ("selected", "n"), ("ref_selected", "ref_n"))


def validated(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the same function, whose arguments are checked first, as their annotations say.

    Examples
    --------
    >>> def odds(p: Rates): return p / (1 - p)
    >>> float(validated(odds)(0.5))
    1.0
    >>> validated(odds)("half")
    Traceback (most recent call last):
    ...
    fairstats.errors.InputError: p has 'half'; it is made of numbers; pass numbers.
    """
    signature = inspect.signature(function)
    name = function.__name__
    checks = functools.cache(lambda: checks_of(function))  # at the first call: an import need not read annotations

    @functools.wraps(function)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        bound = called(name, signature, args, kwargs)
        given = bound.arguments
        for argument, value in given.items():
            given[argument] = checks()[argument](argument, value)
        _agree(name, given)
        return function(*bound.args, **bound.kwargs)

    return wrapper


def _agree(function: str, given: dict[str, Any]) -> None:
    """Entries of one row belong together, and nobody has more events than people."""
    for together in ROWS.get(function, ()):
        _same_size(together, given)
    if function == "quadratic_form_sf" and np.ndim(given.get("noncentrality", 0.0)):
        _same_size(("coefs", "noncentrality"), given)
    if isinstance(given.get("standard"), np.ndarray):
        strata = len(given["e1"]) if "e1" in given else int(given["strata"].max()) + 1
        if len(given["standard"]) != strata:
            raise InputError(
                "standard", f"has {len(given['standard'])} weights for {strata} strata; pass one a stratum."
            )
    if function == "max_t" and given["replicates"].shape[1] != len(given["observed"]):
        raise InputError(
            "observed",
            f"has {len(given['observed'])} statistics and replicates {given['replicates'].shape[1]} columns; "
            "pass one column a statistic.",
        )
    if function == "average_marginal_effect" and given["column"] >= given["x"].shape[1]:
        raise InputError(
            "column", f"has {shown(given['column'])}; x has {given['x'].shape[1]} columns, counted from 0."
        )
    plain = {name: np.shape(value) for name, value in given.items() if isinstance(value, np.ndarray)}
    counts = {name: plain[name] for part in PARTS for name in part if name in plain}
    if counts:
        others = {n: s for n, s in plain.items() if n in ("conf_level", "margin", "rate", "p1", "p0")}
        try:
            np.broadcast_shapes(*counts.values(), *others.values())
        except ValueError:
            text = ", ".join(f"{name} {shape}" for name, shape in {**counts, **others}.items())
            raise InputError(f"{text} are shapes that do not fit together; pass as many of each.") from None
    for events, people in PARTS:
        if events in counts and people in counts:
            more = np.broadcast_arrays(given[events] > given[people] * (1 + ROUNDING), given[events], given[people])
            if more[0].any():
                of, n = (values[more[0]].flat[0] for values in more[1:])
                order = f"{events} stands before {people}; exchange or correct them."
                raise InputError(events, f"has {of:g}, more than {people}, {n:g}; {order}")


def _same_size(names: Sequence[str], given: dict[str, Any]) -> None:
    shapes = {name: np.shape(given[name]) for name in names if given.get(name) is not None}
    sizes = {name: shape[:1] for name, shape in shapes.items()}
    if set(names) == {"events", "n"} and len(set(shapes.values())) > 1:
        text = ", ".join(f"{name} {shape}" for name, shape in shapes.items())
        raise InputError(f"{text} are shapes that differ; pass as many of each.")
    if len(set(sizes.values())) > 1:
        text = ", ".join(f"{name} has {size[0]}" for name, size in sizes.items())
        raise InputError(f"{text} entries; these belong to the same rows; pass as many of each.")
