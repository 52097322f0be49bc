"""Members as arrays, judged once: outcomes, predictions or probabilities, a group and a weight for each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fairstats.arguments import one_of, shown
from fairstats.arrays import LARGEST, array
from fairstats.choices import WEIGHT_TYPES, WeightType
from fairstats.data.alignment import aligned, first_index
from fairstats.data.columns import is_table
from fairstats.data.groups import Groups
from fairstats.errors import InputError
from fairstats.labels import holds_missing, join

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]


class GroupLabels(NamedTuple):
    """What was passed as the groups, and the name that it was passed by."""

    name: str
    values: Any


def labels(groups: Any, sensitive_features: Any) -> GroupLabels:
    """Return the groups by the one name that they were passed by: ours, or fairlearn's."""
    if sensitive_features is None:
        return GroupLabels("groups", groups)
    if groups is not None:
        raise InputError("groups and sensitive_features are two names of one argument; pass one of them.")
    return GroupLabels("sensitive_features", sensitive_features)


class RateSums(NamedTuple):
    """Of some people, by group: summed weights of those with a property and of all, the same of their squares."""

    events: Floats
    n: Floats
    events2: Floats
    n2: Floats
    people: Floats


@dataclass(frozen=True, eq=False)
class Members:
    """Who belongs to which group, and what each counts.

    ``drawn`` says that the weights are inverse sampling probabilities; otherwise a weight counts people.
    """

    groups: tuple[str, ...]
    codes: NDArray[np.intp]
    weights: Floats
    drawn: bool
    attribute: str = ""  # what the groups are of, where they came with a name

    def sums(self, event: Mask, among: Mask) -> RateSums:
        """The sums of one rate: how many of those ``among`` whom it is asked have the event."""
        own = among & (self.weights > 0)
        code, w, has = self.codes[own], self.weights[own], event[own]
        parts = (w * has, w, w * w * has, w * w, np.ones(w.size))
        return RateSums(*(np.bincount(code, part, len(self.groups)).astype(float) for part in parts))

    def of(self, group: int, among: Mask) -> Mask:
        """Which people of one group are among some, those without weight left out."""
        return among & (self.codes == group) & (self.weights > 0)


def people(
    groups: Any,
    sample_weight: Any,
    weight_type: WeightType,
    *,
    weights_name: str = "sample_weight",
    probabilities: bool = True,
    **rows: Any,
) -> tuple[Members, list[Floats]]:
    """Judge what was passed as one entry a person, and put it in the order of the first that carries an index.

    Parameters
    ----------
    groups : array_like, table, dictionary or GroupLabels
        A label a person; several columns are their intersection. `GroupLabels` also say by what name they came.
    sample_weight : array_like or None
    weight_type : {"probability", "frequency"}
    weights_name : str
        What the weights are called where they were passed.
    probabilities : bool
        Whether ``y_score`` are; otherwise they are any finite numbers.
    **rows
        ``y_true`` and ``y_pred``: 0 or 1; ``y_score``: `probabilities`; others: finite numbers.

    Returns
    -------
    Members, list of arrays
        And the rows in the order given.

    Raises
    ------
    InputError
        If entries are unusable, their numbers differ, or two indexes name different rows.

    Examples
    --------
    >>> made, (y,) = people(["a", "b", "b"], None, "probability", y_true=[1, 0, 1])
    >>> made.groups, made.codes.tolist(), y.tolist()
    (('a', 'b'), [0, 1, 1], [1.0, 0.0, 1.0])
    """
    one_of("weight_type", weight_type, WEIGHT_TYPES)
    called, groups = groups if isinstance(groups, GroupLabels) else GroupLabels("groups", groups)
    if groups is None:
        raise InputError(f"{called} is absent; pass a label a person, as groups or as sensitive_features.")
    given = {**rows, called: groups, weights_name: sample_weight}
    name, index = first_index(*given.items())
    in_order = {k: aligned(v, index, k, name) for k, v in given.items() if v is not None}
    kinds = KINDS if probabilities else {**KINDS, "y_score": _numbers}
    values = {k: kinds.get(k, _numbers)(k, in_order.get(k)) for k in rows}
    judged = Groups.of(in_order.get(called), missing="level")
    if judged.continuous_names:
        raise InputError(f"{called} has {shown(groups)}; it is a label a person; cut a measurement into classes.")
    weights = _weights(weights_name, in_order.get(weights_name), weight_type)
    sizes = {**{k: v.size for k, v in values.items()}, called: judged.n}
    sizes |= {} if weights is None else {weights_name: weights.size}
    if len(set(sizes.values())) > 1:
        said = ", ".join(f"{k} has {size}" for k, size in sizes.items())
        raise InputError(f"{said} entries; these belong to the same people; pass as many of each.")
    codes, cells = judged.cells
    names = tuple(join(cell) if len(cell) > 1 else "".join(cell) for cell in cells)
    if unknown := sum(int(np.sum(codes == k)) for k, label in enumerate(names) if holds_missing(label)):
        raise InputError(
            f"{called} has {unknown} missing value{'s' * (unknown > 1)}; leave those people out, or give them a label."
        )
    drawn = weights is not None and weight_type == "probability"
    named = isinstance(getattr(groups, "name", None), str) or is_table(groups)
    attribute = ":".join(judged.names) if named else ""
    counts = np.ones(judged.n) if weights is None else weights
    return Members(names, codes, counts, drawn, attribute), list(values.values())


def _binary(name: str, value: Any) -> Floats:
    made = array(name, value, dims=(1,))
    wrong = ~np.isin(made, (0, 1))
    if wrong.any():
        raise InputError(f"{name} has {made[wrong][0]:g}; each is 0 or 1; pass {name} == the label that counts as 1.")
    return made


def _shares(name: str, value: Any) -> Floats:
    return array(name, value, low=0, high=1, dims=(1,))


def _numbers(name: str, value: Any) -> Floats:
    return array(name, value, low=-LARGEST, high=LARGEST, dims=(1,))


KINDS: dict[str, Callable[[str, Any], Floats]] = {"y_true": _binary, "y_pred": _binary, "y_score": _shares}


def _weights(name: str, value: Any, weight_type: str) -> Floats | None:
    if value is None:
        return None
    made = array(name, value, low=0, high=1e12, dims=(1,))
    if not made.any():
        raise InputError(f"{name} has zeros only; nobody would count; pass a weight above 0.")
    if weight_type == "frequency" and (made != np.round(made)).any():
        raise InputError(
            f"{name} has {made[made != np.round(made)][0]:g}; a frequency counts people; round them, or pass "
            "weight_type='probability'."
        )
    return made


def without(people: Members, n: Floats, who: str) -> str:
    """The words for groups that have nobody a rate is about.

    Examples
    --------
    >>> made, _ = people(["a", "b"], None, "probability", y_true=[1, 0])
    >>> without(made, np.array([1.0, 0.0]), "positives")
    'no positives in b'
    """
    empty: Sequence[str] = [label for label, size in zip(people.groups, n, strict=True) if size <= 0]
    return f"no {who} in {', '.join(empty)}" if empty else ""
