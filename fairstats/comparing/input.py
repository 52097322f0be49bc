"""The people of a comparison: features, outcome and groups from one table, checked for what splits need."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fairstats.arguments import shown
from fairstats.data.columns import Columns
from fairstats.data.continuous import Continuous
from fairstats.data.design import Design
from fairstats.data.matrices import refuse_nonfinite
from fairstats.errors import InputError, listing, nearest
from fairstats.labels import column_parts, label
from fairstats.studies.attribute import Attribute, by_size
from fairstats.studies.flow import FlowStep
from fairstats.studies.yes_no import spelled


@dataclass(frozen=True)
class People:
    """Checked rows: the design, the outcome as 0 and 1, the attributes by size, strata of group and outcome."""

    design: Design
    y: NDArray[np.intp]
    outcome: str
    positive: str
    favorable: str
    features: str
    attributes: tuple[Attribute, ...]
    strata: NDArray[np.intp]
    flow: tuple[FlowStep, ...]
    notes: tuple[str, ...]

    @property
    def references(self) -> dict[str, str]:
        """Attribute → its largest group."""
        return {a.name: a.labels[0] for a in self.attributes}


def people(
    columns: Columns, outcome: str, groups: Any, features: Any, positive: Any, favorable: Any, missing: str
) -> People:
    """Take the columns of a comparison and judge them.

    Parameters
    ----------
    columns : Columns
        The table.
    outcome, groups, features, positive, favorable, missing
        As in ``compare()``.

    Returns
    -------
    People

    Raises
    ------
    InputError
        Naming the argument, the value, the fact and the way out.

    Examples
    --------
    >>> table = Columns({"g": ["a", "b"] * 4, "x": range(8), "y": [0, 0, 1, 1] * 2})
    >>> people(table, "y", "g", ["x"], 1, None, "raise").references
    {'g': 'a'}
    """
    if groups is None:
        raise InputError("groups is absent; a comparison is about groups; name one column or several.")
    labels = _labels(columns, outcome)
    design = Design.of(
        _asked(features), groups, data=columns, y=outcome, missing=missing, called="features", among_features=True
    )
    names = list(design.features if design.formula is None else design.formula.variables)
    if outcome in names:
        raise InputError(
            f"features has {outcome!r}, which is the outcome; leave it out: a model would read the answer."
        )
    assert design.groups is not None and design.y is not None
    _refuse_continuous(groups, design)
    if not np.isfinite(design.X).all():
        refuse_nonfinite(design.X, design.features, "features")
    _refuse_constant(design)
    label = _label("positive", positive, labels, outcome)
    helps = "" if favorable is None else _label("favorable", favorable, labels, outcome)
    y = (design.y.codes == design.y.levels.index(label)).astype(np.intp)
    attributes = tuple(
        by_size(Attribute(name, f.codes.astype(np.int32), f.levels))
        for name, f in zip(design.groups.names, design.groups.factors, strict=True)
    )
    strata = np.unique(2 * design.groups.cells[0] + y, return_inverse=True)[1].astype(np.intp)
    _refuse_small(attributes, strata, y, outcome)
    shown = features if isinstance(features, str) else ", ".join(names)
    notes = _notes(names, design, columns)
    return People(design, y, outcome, label, helps, shown, attributes, strata, _flow(columns, design, missing), notes)


def _labels(columns: Columns, outcome: str) -> tuple[str, ...]:
    factor = columns.factor(outcome, "outcome")
    absent = int((factor.codes < 0).sum())
    if absent:
        raise InputError(
            f"outcome={outcome!r} has {absent} missing values; leave those rows out: none can be trained on."
        )
    if len(factor.levels) > 2:
        raise InputError(
            f"outcome={outcome!r} has {len(factor.levels)} values ({listing(factor.levels)}); it must have two: "
            f"to predict one of them against all others, keep every row and make a column of it (in Python "
            f"data[{outcome!r}] == {factor.levels[0]!r})."
        )
    if len(factor.levels) < 2:
        raise InputError(
            f"outcome={outcome!r} has one value only ({listing(factor.levels)}); with nothing to tell apart there is "
            "nothing to predict."
        )
    return factor.levels


def _label(argument: str, value: Any, labels: tuple[str, ...], outcome: str) -> str:
    """The label as the data spell it: 1 means True where the outcome is logical."""
    text = label(value)
    if spelling := spelled(text, labels):
        return spelling
    raise InputError(
        f"{argument}={value!r} is not a value of {outcome!r}{nearest(text, labels)}; its values are {listing(labels)}."
    )


def _asked(features: Any) -> str | list[str]:
    """A formula, or the names of columns."""
    if isinstance(features, str) and features:
        return features
    if isinstance(features, (list, tuple)) and features and all(isinstance(f, str) for f in features):
        return list(features)
    raise InputError(
        f"features has {shown(features)}; it is a formula or a list of column names; pass '~ a + b', or ['a', 'b']."
    )


def _refuse_continuous(groups: Any, design: Design) -> None:
    assert design.groups is not None
    if design.groups.continuous_names or isinstance(groups, Continuous):
        raise InputError(
            f"groups has the continuous attribute {design.groups.continuous_names[0]!r}; predictions are compared "
            "between groups: cut it into labeled classes."
        )


def _refuse_constant(design: Design) -> None:
    flat = np.ptp(design.X, axis=0) == 0
    if flat.any():
        names = [f for f, constant in zip(design.features, flat, strict=True) if constant]
        raise InputError(f"features has constant columns ({listing(names)}); leave them out: they predict nothing.")


def _refuse_small(attributes: tuple[Attribute, ...], strata: Any, y: Any, outcome: str) -> None:
    """Refuse strata of one person: nobody of such a stratum would ever be held out."""
    splittable = np.bincount(strata)[strata] >= 2
    for attribute in attributes:
        for code, name in enumerate(attribute.labels):
            rows = attribute.codes == code
            if not (rows & splittable).any():
                raise InputError(
                    f"groups={attribute.name!r} has the level {name!r} with {int(rows.sum())} "
                    f"{'person' if rows.sum() == 1 else 'people'}, too few to be in both the training and the test "
                    f"part (two with the same {outcome!r} are needed); join it with another group, or drop it."
                )
    for value in (0, 1):
        if int((y == value).sum()) < 2:
            raise InputError(
                f"outcome={outcome!r} has a value that one person has; two are needed, to train and to test."
            )


def _flow(columns: Columns, design: Design, missing: str) -> tuple[FlowStep, ...]:
    assert design.groups is not None
    meant = {"level": "kept as a level", "drop": "left out", "raise": ""}[missing]
    steps = [FlowStep(f"{name} missing", count, meant) for name, count in design.groups.missing.items() if count]
    return (FlowStep("rows read", columns.n), *steps, FlowStep("rows compared", design.n))


def _notes(names: list[str], design: Design, columns: Columns) -> tuple[str, ...]:
    assert design.groups is not None
    own = {part for name in design.groups.names for part in (name, *column_parts(name, columns.names))}
    both = [name for name in names if name in own]
    return (f"The groups are features themselves ({listing(both)}).",) if both else ()
