"""What an argument of a statistic may be, by its name: one table, and the kinds of values that it speaks of."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from fairstats.arguments import (
    MOST_PERMUTATIONS,
    between,
    confidence,
    flag,
    number,
    one_of,
    random_seed,
    shown,
    whole,
)
from fairstats.arrays import LARGEST, Floats, array, row_labels
from fairstats.errors import InputError
from fairstats.inference.multiplicity import ADJUSTMENTS
from fairstats.labels import is_missing
from fairstats.vocabulary.familiar import STATISTICS

Judge = Callable[[str, Any], Any]
MOST_PEOPLE, FEWEST_PEOPLE = 1e12, 1e-12  # beyond these products of four counts leave double precision


def _counting(*dims: int, missing: bool = False) -> Judge:
    """Numbers of people, which may be fractions where people are weighted."""

    def judged(name: str, value: Any) -> Floats:
        made = array(name, value, low=0, high=MOST_PEOPLE, missing=missing, dims=dims)
        if small := made[(made > 0) & (made < FEWEST_PEOPLE)].tolist():
            raise InputError(f"{name} has {small[0]:g}; a count is 0 or above {FEWEST_PEOPLE:g}; correct the entries.")
        return made

    return judged


def _by_stratum(name: str, value: Any) -> Floats:
    return np.atleast_1d(_counting(0, 1)(name, value))


def _levels(name: str, value: Any) -> Floats:
    levels = array(name, value, low=0, high=1, missing=True, dims=(0, 1, 2))
    if ((levels == 0) | (levels == 1)).any():
        raise InputError(f"{name} has {shown(value)}; a confidence level is above 0 and below 1; pass 0.95.")
    return levels


def _shares(name: str, value: Any) -> Floats:
    return array(name, value, low=0, high=1, missing=True, dims=(0, 1, 2))


def _list_of_shares(name: str, value: Any) -> Floats:
    return array(name, value, low=0, high=1, missing=True, dims=(0, 1))


def _share(name: str, value: Any) -> float:
    return between(name, value, 0, 1, ends="[]")


def _inside(name: str, value: Any) -> float:
    return between(name, value, 0, 1)


def _numbers(name: str, value: Any) -> Floats:
    return array(name, value, low=-LARGEST, high=LARGEST, missing=True, dims=(0, 1, 2))


def _not_negative(name: str, value: Any) -> Floats:
    return array(name, value, low=0, high=LARGEST, missing=True, dims=(0, 1, 2))


def _errors(name: str, value: Any) -> Floats:
    made = _not_negative(name, value)
    if (made == 0).any():
        raise InputError(f"{name} has a 0; a standard error is above 0; there is no test without one.")
    return made


def _sample(name: str, value: Any) -> Floats:
    return array(name, value, dims=(1,))


def _finite_sample(name: str, value: Any) -> Floats:
    return array(name, value, low=-LARGEST, high=LARGEST, dims=(1,))


def _matrix(name: str, value: Any) -> Floats:
    made = array(name, value, low=-LARGEST, high=LARGEST, dims=(2,))
    if small := made[(made != 0) & (np.abs(made) < 1 / LARGEST)].tolist():
        raise InputError(f"{name} has {small[0]:g}, whose square is 0 in double precision; rescale that column.")
    return made


def _rows(name: str, value: Any) -> Floats:
    return array(name, value, low=-LARGEST, high=LARGEST, dims=(1, 2))


def _probabilities(name: str, value: Any) -> Floats:
    return array(name, value, low=0, high=1, dims=(1,))


def _binary(name: str, value: Any) -> Floats:
    outcome = array(name, value, dims=(1,))
    if not np.isin(outcome, (0, 1)).all():
        other = outcome[~np.isin(outcome, (0, 1))][0]
        raise InputError(f"{name} has {other:g}; an outcome is 0 or 1; recode it.")
    return outcome


def _weights(name: str, value: Any) -> Floats:
    weights = array(name, value, low=0, high=LARGEST, dims=(1,))
    if not weights.any():
        raise InputError(f"{name} has zeros only; nothing would be counted; pass a weight above 0.")
    return weights


def _codes(name: str, value: Any) -> np.ndarray:
    codes = array(name, value, low=0, high=2**31, dims=(1,))
    if (codes != np.round(codes)).any():
        raise InputError(f"{name} has {codes[codes != np.round(codes)][0]:g}; a code is a whole number from 0; recode.")
    return codes.astype(np.intp)


def _target(name: str, value: Any) -> np.ndarray:
    numeric = isinstance(value, np.ndarray) and value.dtype.kind == "f"
    return _finite_sample(name, value) if numeric else row_labels(name, value)


def _is_list(value: Any) -> bool:
    if isinstance(value, np.ndarray):
        return value.ndim > 0
    return isinstance(value, Sequence) and not isinstance(value, (str, bytes))


def _samples(name: str, value: Any) -> list[Floats]:
    if not _is_list(value) or len(value) < 2:
        raise InputError(f"{name} has {shown(value)}; it is a list of two samples or more; pass one list a group.")
    return [_sample(f"{name}[{i}]", one) for i, one in enumerate(value)]


def _names(name: str, value: Any) -> list[str]:
    if not _is_list(value) or not len(value):
        raise InputError(f"{name} has {shown(value)}; it is a list of labels; pass one a group.")
    if not all(isinstance(v, (str, int, float, np.generic)) for v in value):
        raise InputError(f"{name} has {shown(value)}; a label is text or a number; pass one a group.")
    names = [str(v) for v in value]
    if any(map(is_missing, value)) or len(set(names)) < len(names):
        raise InputError(f"{name} has {shown(value)}; each group has a label of its own; pass one a group.")
    return names


def _word(name: str, value: Any) -> str:
    if not isinstance(value, str):
        raise InputError(f"{name} has {shown(value)}; it is a text for the row; pass text.")
    return value


def _standard(name: str, value: Any) -> Any:
    """The name of a standard population, or its weights."""
    return value if isinstance(value, str) else _weights(name, value)


def _positive(name: str, value: Any) -> float:
    return between(name, value, 0, MOST_PEOPLE)


def _degrees(name: str, value: Any) -> Any:
    made = array(name, value, missing=True, dims=(0, 1, 2))
    if (made <= 0).any():
        raise InputError(f"{name} has {shown(value)}; degrees of freedom are above 0; pass the number of them.")
    return made


def _judged_inside(name: str, value: Any) -> Any:
    return value


def _optional(judge: Judge) -> Judge:
    def judged(name: str, value: Any) -> Any:
        return None if value is None else judge(name, value)

    return judged


def _repeats(name: str, value: Any) -> int:
    return whole(name, value, 1, MOST_PERMUTATIONS, "more would not change p")


def _one_level(name: str, value: Any) -> float:
    return confidence(value)


def _one_seed(name: str, value: Any) -> int:
    return random_seed(value)


def _fit(name: str, value: Any) -> Any:
    if not hasattr(value, "coefficients") or not hasattr(value, "covariance"):
        raise InputError(f"{name} has {shown(value)}; it is a fit; pass what fs.stats.logistic returns.")
    return value


def _slice(name: str, value: Any) -> slice:
    if not isinstance(value, slice):
        raise InputError(f"{name} has {shown(value)}; it is a range of columns; pass slice(first, last + 1).")
    return value


TWO_SAMPLES = ("cliffs_delta", "kolmogorov_smirnov", "mann_whitney", "relative_effect", "superiority")
OF_GROUPS = ("against_best", "chi_square", "equivalence_of_range", "permutation_test")
PROBABILITIES = ("brier", "calibration_curve", "calibration_error", "recalibration", "spiegelhalter")
OF_STRATA = (
    *("breslow_day", "cmh_test", "common_odds_ratio", "conditional_odds_ratio", "homogeneity_test"),
    *("pooled_shortfall", "rosenbaum_bound", "rosenbaum_p", "stratified_mid_p", "stratified_rates"),
)
OF_FAMILIES = ("joint_level", "rate_range", "worst_ratio")
# What an argument is, by its name; "function.argument" where it is something else in one of them.
JUDGES: dict[str, Judge] = {
    **dict.fromkeys(
        ("events", "n", "e1", "n1", "e0", "n0", "selected", "ref_selected", "ref_n"), _counting(0, 1, 2, missing=True)
    ),
    **dict.fromkeys(("metric", "attribute", "group", "name"), _word),
    **dict.fromkeys(("x_weights", "y_weights"), _optional(_weights)),
    **dict.fromkeys(("x_clusters", "y_clusters", "clusters"), _optional(row_labels)),
    **dict.fromkeys(("scores", "other", "reference_scores"), _sample),
    **dict.fromkeys(("contrast", "covariance"), _judged_inside),
    **dict.fromkeys(("method", "adjust_method"), lambda name, value: one_of(name, value, ADJUSTMENTS)),
    **dict.fromkeys(("tarone", "correct", "mid"), flag),
    **dict.fromkeys(("exact", "permute"), _optional(flag)),
    **dict.fromkeys(("y", "reference_y", "in_group"), _binary),
    **dict.fromkeys(("p", "p1", "p0", "rate"), _shares),
    **dict.fromkeys(("replicates", "permutations", "draws"), _repeats),
    "at": lambda name, value: array(name, value, low=0, high=1, dims=(0, 1)),
    "codes": _codes,
    "coefs": lambda name, value: array(name, value, low=0, high=LARGEST, dims=(1,)),
    "column": lambda name, value: whole(name, value, 0),
    "conf_level": _one_level,
    "df": _degrees,
    "dummies": _slice,
    **dict.fromkeys(("ratio", "low", "high"), _not_negative),
    "edges": _optional(_probabilities),
    "estimate": _numbers,
    "fit": _fit,
    "folds": _codes,
    "gamma": lambda name, value: between(name, value, 1, MOST_PEOPLE, ends="[]"),
    "groups": _samples,
    "labels": _names,
    "m": _positive,
    "margin": _not_negative,
    "noncentrality": lambda name, value: array(name, value, low=0, high=MOST_PEOPLE, dims=(0, 1)),
    "observed": _list_of_shares,
    "reference": _optional(_word),
    "se": lambda name, value: float(array(name, value, low=0, missing=True, dims=(0,))),
    "seed": _one_seed,
    "standard": _standard,
    "std_error": _errors,
    "strata": row_labels,
    "target": _inside,
    # people as arrays are judged together, since their rows are paired by their names
    **dict.fromkeys(("y_true", "y_pred", "y_score", "sample_weight", "weight_type", "agg"), _judged_inside),
    **{f"{name}.{which}": _judged_inside for name in STATISTICS for which in ("groups", "method")},
    **{f"by_group.{which}": _judged_inside for which in ("metric", "groups", *"ydsw", "interval")},
    "theta": _share,
    "weights": _optional(_weights),
    "x": _sample,
    **{
        f"{name}.conf_level": _levels
        for name in (
            *("wilson", "clopper_pearson", "jeffreys", "koopman", "miettinen_nurminen", "newcombe", "log_ratio"),
            "power",
        )
    },
    **{f"{name}.y": _sample for name in TWO_SAMPLES},
    **{f"{name}.{which}": _finite_sample for name in ("hodges_lehmann", "superiority_by_design") for which in "xy"},
    **{f"{name}.{which}": _counting(1, 2) for name in OF_FAMILIES for which in ("events", "n")},
    **{
        f"{name}.{which}": _counting(1)
        for name in ("adverse_impact", *OF_GROUPS)
        for which in ("events", "selected", "n")
    },
    **{f"{name}.{which}": _by_stratum for name in OF_STRATA for which in ("e1", "n1", "e0", "n0")},
    **{f"{name}.p": _list_of_shares for name in ("adjust", "adjusted_levels", "holm_levels")},
    **{f"{name}.scores": _rows for name in ("distance_correlation", "mmd")},
    **{f"{name}.scores": _probabilities for name in PROBABILITIES},
    **{f"minimal_detectable_difference.{which}": _positive for which in ("n1", "n0")},
    **{f"{name}.n": _positive for name in ("auc_interval", "newcombe_auc")},
    **dict.fromkeys(
        ("equivalence_of_range.margin", "equivalence_of_rates.margin", "equivalence_of_ratio.lower"), _inside
    ),
    "tost_ratio.lower": _inside,
    "equivalence_of_ratio.upper": _optional(lambda name, value: between(name, value, 1, MOST_PEOPLE)),
    "average_marginal_effect.x": _matrix,
    "average_marginal_effect.weights": _weights,
    "distance_correlation.target": _target,
    "effective_size.weights": _weights,
    "weighted_rate.weights": _weights,
    "rao_scott.weights": _weights,
    "logistic.x": _matrix,
    "max_t.observed": lambda name, value: array(name, value, missing=True, dims=(1,)),
    "max_t.replicates": lambda name, value: array(name, value, missing=True, dims=(2,)),
    "minimal_detectable_difference.p0": _share,
    "minimal_detectable_difference.reference": _word,
    "upper_tail.x": number,
    "upper_tail.df": _positive,
}


def judge_of(function: str, argument: str) -> Judge:
    """Return what judges an argument of a statistic."""
    own = JUDGES.get(f"{function}.{argument}")
    return JUDGES[argument] if own is None else own
