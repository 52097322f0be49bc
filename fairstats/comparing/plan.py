"""The plan of a comparison: the data, who is measured together, and what is fitted and trained in every split."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fairstats.comparing.methods import ComparedMethod, Model
from fairstats.data.design import Design, refuse_nonfinite, warn_of_groups
from fairstats.data.groups import Continuous
from fairstats.data.tables import Columns
from fairstats.errors import InputError, Setting, in_code, listing, nearest, snippet, with_hint
from fairstats.labels import column_parts, label
from fairstats.language import DataText, listed, message
from fairstats.provenance import Attribute, FlowStep, by_size, spelled
from fairstats.validation import items, shown

AMONG_FEATURES = message("The groups are features themselves ({names}).")
AS_FEATURE = message(
    "The feature {feature} has one value in each group of {name}: a model sees the group, and a method adjusts it for "
    "itself; leave it out of the features."
)

# The people of a comparison: features, outcome and groups from one table, checked for what splits need.


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

    columns: the table.
    outcome, groups, features, positive, favorable, missing: as in ``compare()``.

    >>> table = Columns({"g": ["a", "b"] * 4, "x": range(8), "y": [0, 0, 1, 1] * 2})
    >>> people(table, "y", "g", ["x"], 1, None, "raise").references
    {'g': 'a'}
    """
    if groups is None:
        raise InputError("groups", "is absent; a comparison is about groups; name one column or several.")
    labels = _labels(columns, outcome)
    design = Design.of(
        _feature_names(features),
        groups,
        data=columns,
        y=outcome,
        missing=missing,
        called="features",
        among_features=True,
    )
    names = list(design.features if design.formula is None else design.formula.variables)
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
            f"{Setting('outcome', outcome)} has {absent} missing values; leave those rows out: none can be trained on."
        )
    if len(factor.levels) > 2:
        raise InputError(
            f"{Setting('outcome', outcome)} has {len(factor.levels)} values ({listing(factor.levels)}); it "
            f"must have two: "
            f"to predict one of them against all others, keep every row and make a column of it"
            f"{snippet(' (in Python data[outcome] == value)')}."
        )
    if len(factor.levels) < 2:
        raise InputError(
            f"{Setting('outcome', outcome)} has one value only ({listing(factor.levels)}); with nothing to "
            f"tell apart there is "
            "nothing to predict."
        )
    return factor.levels


def _label(argument: str, value: Any, labels: tuple[str, ...], outcome: str) -> str:
    """The label as the data spell it: 1 means True where the outcome is logical."""
    text = label(value)
    if spelling := spelled(text, labels):
        return spelling
    fact = with_hint(f"is not a value of {outcome!r}", nearest(text, labels), f"its values are {listing(labels)}.")
    raise InputError(argument, fact, value=value)


def _feature_names(features: Any) -> str | list[str]:
    """A formula, or the names of columns."""
    if isinstance(features, str) and features:
        return features
    if isinstance(features, (list, tuple)) and features and all(isinstance(f, str) for f in features):
        return list(features)
    raise InputError(
        "features",
        f"has {shown(features)}; it is a formula or a list of column names; pass '~ a + b', or {in_code(['a', 'b'])}.",
    )


def _refuse_continuous(groups: Any, design: Design) -> None:
    assert design.groups is not None
    if design.groups.continuous_names or isinstance(groups, Continuous):
        raise InputError(
            "groups",
            f"has the continuous attribute {design.groups.continuous_names[0]!r}; predictions are compared "
            "between groups: cut it into labeled classes.",
        )


def _refuse_constant(design: Design) -> None:
    flat = np.ptp(design.X, axis=0) == 0
    if flat.any():
        names = [f for f, constant in zip(design.features, flat, strict=True) if constant]
        raise InputError("features", f"has constant columns ({listing(names)}); leave them out: they predict nothing.")


def _refuse_small(attributes: tuple[Attribute, ...], strata: Any, y: Any, outcome: str) -> None:
    """Refuse strata of one person: nobody of such a stratum would ever be held out."""
    splittable = np.bincount(strata)[strata] >= 2
    for attribute in attributes:
        for code, name in enumerate(attribute.labels):
            rows = attribute.codes == code
            if not (rows & splittable).any():
                raise InputError(
                    f"{Setting('groups', attribute.name)} has the level {name!r} with {int(rows.sum())} "
                    f"{'person' if rows.sum() == 1 else 'people'}, too few to be in both the training and the test "
                    f"part (two with the same {outcome!r} are needed); join it with another group, or drop it."
                )
    for value in (0, 1):
        if int((y == value).sum()) < 2:
            raise InputError(
                f"{Setting('outcome', outcome)} has a value that one person has; two are needed, to train and to test."
            )


def _flow(columns: Columns, design: Design, missing: str) -> tuple[FlowStep, ...]:
    assert design.groups is not None
    meant = {"level": "kept as a level", "drop": message("left out"), "raise": ""}[missing]
    steps = [
        FlowStep(message("{name} missing", name=name), count, meant)
        for name, count in design.groups.missing.items()
        if count
    ]
    return (FlowStep(message("rows read"), columns.n), *steps, FlowStep(message("rows compared"), design.n))


def _notes(names: list[str], design: Design, columns: Columns) -> tuple[str, ...]:
    assert design.groups is not None
    members = {part for name in design.groups.names for part in (name, *column_parts(name, columns.names))}
    both = [name for name in names if name in members]
    if both:  # whoever names the groups as features knows it
        return (AMONG_FEATURES.format(names=listed(map(DataText, both))),)
    found = warn_of_groups(design.X, design.features, design.groups, None)
    return tuple(AS_FEATURE.format(feature=DataText(feature), name=DataText(name)) for feature, name in found)


# Splits into training and test rows: random ones, stratified by group and outcome; or those that a caller brings.


Ints = NDArray[np.intp]


def holdout_counts(sizes: Ints, share: float) -> Ints:
    """How many rows of each stratum are held out.

    sizes: rows of each stratum, shape (H,).
    share: the share of all rows to hold out.
    Returns: summing to `share` of the rows by the largest remainders; a stratum of two or more is in both parts, a
        single row is always trained on, shape (H,).

    >>> holdout_counts(np.array([100, 10, 2, 1]), 0.25).tolist()
    [25, 3, 1, 0]
    """
    exact = share * sizes
    kept = np.floor(exact).astype(np.intp)
    missing = round(share * int(sizes.sum())) - int(kept.sum())
    kept[np.argsort(kept - exact, kind="stable")[:missing]] += 1
    return np.where(sizes < 2, 0, np.clip(kept, 1, np.maximum(sizes - 1, 1)))


def draw(strata: Ints, values: Ints, rng: np.random.Generator) -> NDArray[np.bool_]:
    """One split: which rows are held out.

    strata: stratum of each row, shape (n,).
    held: how many to hold out of each, shape (H,).
    rng: source of randomness.
    Returns: shape (n,).

    >>> out = draw(np.array([0, 0, 0, 1, 1]), np.array([1, 1]), np.random.default_rng(0))
    >>> int(out[:3].sum()), int(out[3:].sum())
    (1, 1)
    """
    order = rng.permutation(len(strata))
    order = order[np.argsort(strata[order], kind="stable")]
    starts = np.concatenate([[0], np.cumsum(np.bincount(strata, minlength=len(values)))])
    out = np.zeros(len(strata), dtype=bool)
    for start, count in zip(starts[:-1], values, strict=True):
        out[order[start : start + count]] = True
    return out


class SplitRows(NamedTuple):
    """The rows of one split; those in neither part are left out of it."""

    train: Ints
    test: Ints


def given_splits(splits: Any, n: int) -> tuple[SplitRows, ...]:
    """Splits that the caller brings, checked.

    splits: row numbers or masks, as scikit-learn's splitters yield them, each (train, test).
    n: number of rows.

    >>> [len(r.train) for r in given_splits([([0, 1], [2]), ([1, 2], [0])], 3)]
    [2, 2]
    """
    pairs = items("splits", splits, "pairs of training rows and test rows")
    splits_checked = tuple(_rows(i, pair, n) for i, pair in enumerate(pairs))
    if not splits_checked:
        raise InputError("splits is empty; give pairs of training rows and test rows, or leave it out.")
    return splits_checked


def _rows(i: int, pair: Any, n: int) -> SplitRows:
    try:
        train, test = pair
    except (TypeError, ValueError):
        raise InputError(f"splits[{i}] is no pair; give training rows and test rows.") from None
    parts = []
    for name, part in (("training", train), ("test", test)):
        rows = np.asarray(part)
        rows = np.flatnonzero(rows) if rows.dtype == bool and rows.shape == (n,) else rows
        if rows.ndim != 1 or not len(rows) or rows.dtype.kind not in "iu":
            raise InputError(f"splits[{i}] has {name} rows that are no row numbers; give whole numbers or a mask.")
        if rows.min() < 0 or rows.max() >= n:
            wrong = rows[(rows < 0) | (rows >= n)]
            raise InputError(f"splits[{i}] has the {name} row {wrong[0]}; there are {n} rows, counted from 0.")
        parts.append(rows.astype(np.intp))
    both = np.intersect1d(parts[0], parts[1])
    if len(both):
        raise InputError(f"splits[{i}] has the row {both[0]} ({len(both)} in all) in both parts; take it out of one.")
    return SplitRows(*parts)


# Which rows a model is trained on, the first or the second of a split; it is always measured on the second.
TrainOn = Literal["training", "measured"]
TRAIN_ON: dict[str, int] = {"training": 0, "measured": 1}


@dataclass(frozen=True)
class Panel:
    """People whose predictions are measured together: one level of an attribute, or everybody (``""``)."""

    attribute: str
    group: str
    rows: NDArray[np.bool_]


@dataclass(frozen=True)
class Variant:
    """A method with its number of components; ``k`` is 0 for what has none."""

    name: str
    method: ComparedMethod
    k: int


def variants(arguments: Sequence[ComparedMethod], ks: Sequence[int]) -> tuple[Variant, ...]:
    """Return methods × numbers of components; one without components is there once.

    >>> from fairstats.comparing.methods import chosen_methods
    >>> [v.name for v in variants(chosen_methods(("none", "og"), True), (2, 5))]
    ['none', 'og, k = 2', 'og, k = 5']
    """
    every = []
    for k in ks:
        for one in arguments:
            if one.reduces:
                every.append(Variant(one.name if len(ks) == 1 else f"{one.name}, k = {k}", one, k))
            elif k == ks[0]:
                every.append(Variant(one.name, one, 0))
    return tuple(every)


@dataclass(frozen=True)
class Plan:
    """Everything that a split needs; it is sent to other processes as it is."""

    design: Design
    y: NDArray[np.intp]
    panels: tuple[Panel, ...]
    pairs: tuple[tuple[int, int], ...]  # (panel, panel of its reference)
    variants: tuple[Variant, ...]
    models: tuple[Model, ...]
    strata: NDArray[np.intp]  # (n,) group cell × outcome
    holdout_counts: NDArray[np.intp]  # (H,) people of each stratum to hold out, where splits are drawn
    threshold: float
    selects: int  # the predicted label that counts as selection
    given: tuple[SplitRows, ...] = ()  # the splits, where the caller has them
    train_on: TrainOn = "training"
    representation: bool = False
    cache: str = ""

    def split(self, index: int, rng: np.random.Generator) -> SplitRows:
        """Training and test rows of one split."""
        if self.given:
            return self.given[index]
        out = draw(self.strata, self.holdout_counts, rng)
        return SplitRows(np.flatnonzero(~out), np.flatnonzero(out))

    @cached_property
    def sizes(self) -> NDArray[np.intp]:
        """People in each stratum (H,)."""
        return np.bincount(self.strata)

    @cached_property
    def stratum_y(self) -> NDArray[np.intp]:
        """The outcome of each stratum (H,)."""
        out = np.zeros(len(self.sizes), dtype=np.intp)
        out[self.strata] = self.y
        return out

    @cached_property
    def members(self) -> NDArray[np.bool_]:
        """Which strata make up each panel (panels, H)."""
        out = np.zeros((len(self.panels), len(self.sizes)), dtype=bool)
        for i, panel in enumerate(self.panels):
            out[i, self.strata[panel.rows]] = True
        return out

    @cached_property
    def attributes(self) -> dict[str, list[int]]:
        """The panels of each attribute."""
        panels: dict[str, list[int]] = {}
        for i, panel in enumerate(self.panels):
            if panel.attribute:
                panels.setdefault(panel.attribute, []).append(i)
        return panels
