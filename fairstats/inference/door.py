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

from fairstats.arguments import (
    shown,
)
from fairstats.errors import InputError
from fairstats.inference.judges import OF_STRATA, judge_of
from fairstats.naming import bound as called

ROUNDING = 1e-9
# Arguments that have one entry a row, and so as many as each other.
ROWS: dict[str, tuple[tuple[str, ...], ...]] = {
    **dict.fromkeys(
        (
            *("auc", "brier", "calibration_curve", "calibration_error", "recalibration", "roc_band", "roc_curve"),
            "spiegelhalter",
        ),
        (("scores", "y"),),
    ),
    **dict.fromkeys(
        (
            "against_best",
            "chi_square",
            "equivalence_of_range",
            "joint_level",
            "permutation_test",
            "rate_range",
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
    "stratified_rates_of_people": (("y", "in_group", "strata", "weights", "clusters"),),
    "superiority_by_design": (("x", "x_weights", "x_clusters"), ("y", "y_weights", "y_clusters")),
    "weighted_rate": (("y", "weights", "clusters"),),
}
PARTS = (("events", "n"), ("e1", "n1"), ("e0", "n0"), ("selected", "n"), ("ref_selected", "ref_n"))


def judged(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the statistic behind its door: the same function, whose arguments are judged first.

    Examples
    --------
    >>> def odds(p): return p / (1 - p)
    >>> float(judged(odds)(0.5))
    1.0
    >>> judged(odds)("half")
    Traceback (most recent call last):
    ...
    fairstats.errors.InputError: p has 'half'; it is made of numbers; pass numbers.
    """
    signature = inspect.signature(function)
    name = function.__name__

    @functools.wraps(function)
    def door(*args: Any, **kwargs: Any) -> Any:
        bound = called(name, signature, args, kwargs)
        given = bound.arguments
        for argument, value in given.items():
            if signature.parameters[argument].kind is not inspect.Parameter.VAR_KEYWORD:
                given[argument] = judge_of(name, argument)(argument, value)
            else:
                given[argument] = {key: judge_of(name, key)(key, one) for key, one in value.items()}
        _agree(name, given)
        return function(*bound.args, **bound.kwargs)

    door.__module__ = "fairstats.stats"  # where pickle finds it
    return door


def _agree(function: str, given: dict[str, Any]) -> None:
    """Entries of one row belong together, and nobody has more events than people."""
    for together in ROWS.get(function, ()):
        _same_size(together, given)
    if function == "upper_tail" and np.ndim(given.get("noncentrality", 0.0)):
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
            said = ", ".join(f"{name} {shape}" for name, shape in {**counts, **others}.items())
            raise InputError(f"{said} are shapes that do not fit together; pass as many of each.") from None
    for events, people in PARTS:
        if events in counts and people in counts:
            more = np.broadcast_arrays(given[events] > given[people] * (1 + ROUNDING), given[events])
            if more[0].any():
                raise InputError(f"{events} has {more[1][more[0]].flat[0]:g}, more than {people}; correct one of them.")


def _same_size(names: Sequence[str], given: dict[str, Any]) -> None:
    shapes = {name: np.shape(given[name]) for name in names if given.get(name) is not None}
    sizes = {name: shape[:1] for name, shape in shapes.items()}
    if set(names) == {"events", "n"} and len(set(shapes.values())) > 1:
        said = ", ".join(f"{name} {shape}" for name, shape in shapes.items())
        raise InputError(f"{said} are shapes that differ; pass as many of each.")
    if len(set(sizes.values())) > 1:
        said = ", ".join(f"{name} has {size[0]}" for name, size in sizes.items())
        raise InputError(f"{said} entries; these belong to the same rows; pass as many of each.")
