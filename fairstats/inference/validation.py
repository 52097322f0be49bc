"""The door of ``fs.stats``: every argument of a statistic is judged by its name before the statistic is computed.

Inside the package the statistics call each other without it. An argument of a new statistic has a judge as soon as it
has a name of this table; a test says that all have one.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from fairstats.arrays import LARGEST, Floats, array, row_labels
from fairstats.errors import InputError
from fairstats.inference.multiplicity import ADJUSTMENTS
from fairstats.labels import is_missing
from fairstats.metrics import STATISTICS
from fairstats.validation import MOST_PERMUTATIONS, between, confidence, flag, number, one_of, random_seed, shown, whole
from fairstats.validation import bound as called

# The kinds of values that arguments of a statistic are: counts, shares, samples, labels; each judged by one
# function.


Check = Callable[[str, Any], Any]
MOST_PEOPLE, FEWEST_PEOPLE = 1e12, 1e-12  # beyond these products of four counts leave double precision


def counting(*dims: int, missing: bool = False) -> Check:
    """Numbers of people, which may be fractions where people are weighted."""

    def checked(name: str, value: Any) -> Floats:
        values = array(name, value, low=0, high=MOST_PEOPLE, missing=missing, dims=dims)
        if small := values[(values > 0) & (values < FEWEST_PEOPLE)].tolist():
            raise InputError(f"{name} has {small[0]:g}; a count is 0 or above {FEWEST_PEOPLE:g}; correct the entries.")
        return values

    return checked


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
    values = not_negative(name, value)
    if (values == 0).any():
        raise InputError(f"{name} has a 0; a standard error is above 0; there is no test without one.")
    return values


def sample(name: str, value: Any) -> Floats:
    return array(name, value, dims=(1,))


def finite_sample(name: str, value: Any) -> Floats:
    return array(name, value, low=-LARGEST, high=LARGEST, dims=(1,))


def matrix(name: str, value: Any) -> Floats:
    values = array(name, value, low=-LARGEST, high=LARGEST, dims=(2,))
    if small := values[(values != 0) & (np.abs(values) < 1 / LARGEST)].tolist():
        raise InputError(f"{name} has {small[0]:g}, whose square is 0 in double precision; rescale that column.")
    return values


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
    values = array(name, value, missing=True, dims=(0, 1, 2))
    if (values <= 0).any():
        raise InputError(f"{name} has {shown(value)}; degrees of freedom are above 0; pass the number of them.")
    return values


def elsewhere(name: str, value: Any) -> Any:
    return value


def optional(check: Check) -> Check:
    def checked(name: str, value: Any) -> Any:
        return None if value is None else check(name, value)

    return checked


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


# What an argument of a statistic may be, by its name: one table.


TWO_SAMPLES = ("cliffs_delta", "kolmogorov_smirnov", "mann_whitney", "relative_effect", "probability_of_superiority")
OF_GROUPS = ("ratio_to_best", "chi_square", "equivalence_of_range", "permutation_test")
PROBABILITIES = ("brier_score", "calibration_curve", "calibration_error", "recalibration", "spiegelhalter_z")
OF_STRATA = (
    *("breslow_day", "cmh_test", "common_odds_ratio", "conditional_odds_ratio", "homogeneity_test"),
    *("pooled_shortfall", "rosenbaum_bound", "rosenbaum_p", "stratified_mid_p", "stratified_rates"),
)
OF_FAMILIES = ("simultaneous_level", "max_difference", "worst_ratio")
# What an argument is, by its name; "function.argument" where it is something else in one of them.
CHECKS: dict[str, Check] = {
    **dict.fromkeys(
        ("events", "n", "e1", "n1", "e0", "n0", "selected", "ref_selected", "ref_n"),
        counting(0, 1, 2, missing=True),
    ),
    **dict.fromkeys(("metric", "attribute", "group", "name"), word),
    **dict.fromkeys(("x_weights", "y_weights"), optional(weights)),
    **dict.fromkeys(("x_clusters", "y_clusters", "clusters"), optional(row_labels)),
    **dict.fromkeys(("scores", "other", "reference_scores"), sample),
    **dict.fromkeys(("contrast", "covariance"), elsewhere),
    **dict.fromkeys(("method", "p_adjust_method"), lambda name, value: one_of(name, value, ADJUSTMENTS)),
    **dict.fromkeys(("tarone", "correct", "mid"), flag),
    **dict.fromkeys(("exact", "permute"), optional(flag)),
    **dict.fromkeys(("y", "reference_y", "in_group"), binary),
    **dict.fromkeys(("p", "p1", "p0", "rate"), shares),
    **dict.fromkeys(("replicates", "permutations", "draws"), repeats),
    "at": lambda name, value: array(name, value, low=0, high=1, dims=(0, 1)),
    "codes": codes,
    "coefs": lambda name, value: array(name, value, low=0, high=LARGEST, dims=(1,)),
    "column": lambda name, value: whole(name, value, 0),
    "conf_level": one_level,
    "df": degrees,
    "dummies": columns,
    **dict.fromkeys(("ratio", "low", "high"), not_negative),
    "edges": optional(probabilities),
    "estimate": numbers,
    "fit": regression,
    "folds": codes,
    "gamma": lambda name, value: between(name, value, 1, MOST_PEOPLE, ends="[]"),
    "groups": samples,
    "labels": names,
    "m": positive,
    "margin": not_negative,
    "noncentrality": lambda name, value: array(name, value, low=0, high=MOST_PEOPLE, dims=(0, 1)),
    "observed": list_of_shares,
    "reference": optional(word),
    "se": lambda name, value: float(array(name, value, low=0, missing=True, dims=(0,))),
    "seed": one_seed,
    "standard": standard,
    "std_error": errors,
    "strata": row_labels,
    "target": inside,
    # people as arrays are judged together, since their rows are paired by their names
    **dict.fromkeys(
        ("y_true", "y_pred", "y_score", "sensitive_features", "sample_weight", "weight_type", "agg"), elsewhere
    ),
    **{f"{name}.{which}": elsewhere for name in STATISTICS for which in ("groups", "method")},
    **{f"by_group.{which}": elsewhere for which in ("metric", "groups", "interval")},
    "theta": share,
    "weights": optional(weights),
    "x": sample,
    **{
        f"{name}.conf_level": levels
        for name in (
            *("wilson", "clopper_pearson", "jeffreys", "koopman", "miettinen_nurminen", "newcombe", "katz"),
            "power",
        )
    },
    **{f"{name}.y": sample for name in TWO_SAMPLES},
    **{
        f"{name}.{which}": finite_sample
        for name in ("hodges_lehmann", "probability_of_superiority_survey")
        for which in "xy"
    },
    **{f"{name}.{which}": counting(1, 2) for name in OF_FAMILIES for which in ("events", "n")},
    **{
        f"{name}.{which}": counting(1)
        for name in ("adverse_impact", *OF_GROUPS)
        for which in ("events", "selected", "n")
    },
    **{f"{name}.{which}": by_stratum for name in OF_STRATA for which in ("e1", "n1", "e0", "n0")},
    **{f"{name}.p": list_of_shares for name in ("p_adjust", "adjusted_levels", "holm_levels")},
    **{f"{name}.scores": rows for name in ("distance_correlation", "mmd")},
    **{f"{name}.scores": probabilities for name in PROBABILITIES},
    **{f"minimal_detectable_difference.{which}": positive for which in ("n1", "n0")},
    **{f"{name}.n": positive for name in ("auc_interval", "newcombe_auc")},
    **dict.fromkeys(
        ("equivalence_of_range.margin", "equivalence_of_rates.margin", "equivalence_of_ratio.lower"), inside
    ),
    "tost_ratio.lower": inside,
    "equivalence_of_ratio.upper": optional(lambda name, value: between(name, value, 1, MOST_PEOPLE)),
    "average_marginal_effect.x": matrix,
    "average_marginal_effect.weights": weights,
    "distance_correlation.target": target,
    "effective_size.weights": weights,
    "survey_rate.weights": weights,
    "rao_scott.weights": weights,
    "logistic.x": matrix,
    "max_t.observed": lambda name, value: array(name, value, missing=True, dims=(1,)),
    "max_t.replicates": lambda name, value: array(name, value, missing=True, dims=(2,)),
    "minimal_detectable_difference.p0": share,
    "minimal_detectable_difference.reference": word,
    "quadratic_form_sf.x": number,
    "quadratic_form_sf.df": positive,
}


def check_of(function: str, argument: str) -> Check:
    """Return what judges an argument of a statistic."""
    current = CHECKS.get(f"{function}.{argument}")
    return CHECKS[argument] if current is None else current


ROUNDING = 1e-9
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
    """Return the statistic behind its door: the same function, whose arguments are judged first.

    >>> def odds(p): return p / (1 - p)
    >>> float(validated(odds)(0.5))
    1.0
    >>> validated(odds)("half")
    Traceback (most recent call last):
    ...
    fairstats.errors.InputError: p has 'half'; it is made of numbers; pass numbers.
    """
    signature = inspect.signature(function)
    name = function.__name__

    @functools.wraps(function)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        bound = called(name, signature, args, kwargs)
        given = bound.arguments
        for argument, value in given.items():
            if signature.parameters[argument].kind is not inspect.Parameter.VAR_KEYWORD:
                given[argument] = check_of(name, argument)(argument, value)
            else:
                given[argument] = {key: check_of(name, key)(key, one) for key, one in value.items()}
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
            raise InputError(f"standard has {len(given['standard'])} weights for {strata} strata; pass one a stratum.")
    if function == "max_t" and given["replicates"].shape[1] != len(given["observed"]):
        raise InputError(
            f"observed has {len(given['observed'])} statistics and replicates {given['replicates'].shape[1]} columns; "
            "pass one column a statistic."
        )
    if function == "average_marginal_effect" and given["column"] >= given["x"].shape[1]:
        raise InputError(f"column has {shown(given['column'])}; x has {given['x'].shape[1]} columns, counted from 0.")
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
            more = np.broadcast_arrays(given[events] > given[people] * (1 + ROUNDING), given[events])
            if more[0].any():
                raise InputError(f"{events} has {more[1][more[0]].flat[0]:g}, more than {people}; correct one of them.")


def _same_size(names: Sequence[str], given: dict[str, Any]) -> None:
    shapes = {name: np.shape(given[name]) for name in names if given.get(name) is not None}
    sizes = {name: shape[:1] for name, shape in shapes.items()}
    if set(names) == {"events", "n"} and len(set(shapes.values())) > 1:
        text = ", ".join(f"{name} {shape}" for name, shape in shapes.items())
        raise InputError(f"{text} are shapes that differ; pass as many of each.")
    if len(set(sizes.values())) > 1:
        text = ", ".join(f"{name} has {size[0]}" for name, size in sizes.items())
        raise InputError(f"{text} entries; these belong to the same rows; pass as many of each.")
