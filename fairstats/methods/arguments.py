"""Equal opportunity looks at the people whose outcome is the positive one, and at nobody else."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from scipy import sparse

from fairstats.data.centered_view import Centered
from fairstats.data.design import Design
from fairstats.data.moments import Moments
from fairstats.errors import Call, InputError, OutOfRange, Setting, listing
from fairstats.language import DataText, joined, listed, message
from fairstats.text import number, significant
from fairstats.validation import renamed_arguments, whole

TARGETS = ("parity", "equal_opportunity")


def opportunity_note(positive: str, n: int) -> str:
    """Return what a fit for equal opportunity says of the rows that it was made of."""
    return (
        f"Equal opportunity: centered, constrained and fitted on the {n} rows with y={positive}; nothing is promised "
        "of the others."
    )


def favorable(source: Moments | Design, positive: str) -> Moments | Design:
    """Return the rows whose outcome is ``positive``; every attribute must still vary among them.

    >>> import numpy as np
    >>> favorable(Design.of(np.eye(5), list("ababa"), y=[1, 1, 0, 1, 1]), "1").n
    4
    """
    if not source.outcome if isinstance(source, Moments) else source.y is None:
        raise InputError(
            "y",
            f"is missing; {Setting('target', 'equal_opportunity')} looks at the rows whose outcome is positive. "
            f"Pass {Setting('y')}, or a Design or Moments made with it.",
        )
    if isinstance(source, Moments):
        with renamed_arguments(label="positive"):
            part: Moments | Design = source.within_outcome(positive)
        assert isinstance(part, Moments)
        entries = {a: {c[i] for c in part.cells} for i, a in enumerate(part.attributes)}
    else:
        assert source.y is not None
        if positive not in source.y.levels:
            raise InputError(f"{Setting('positive', positive)} is not a label of y; it has {listing(source.y.levels)}.")
        part = replace(source.take(source.y.codes == source.y.levels.index(positive)), y=None)
        groups = part.groups
        entries = (
            {} if groups is None else {a: set(f.levels) for a, f in zip(groups.names, groups.factors, strict=True)}
        )
    for name, levels in entries.items():
        if len(levels) < 2:
            raise InputError(
                "groups",
                f"has one level ({listing(sorted(levels))}) among the rows with y={positive}; nothing "
                f"is to be equalized there. Choose another {Setting('positive')}, or {Setting('target', 'parity')}.",
                value=name,
            )
    return part


# Arguments that the data limit: the number of components, and the attribute that groups are compared by.


TOO_MANY = 10**9


def components(k: Any, view: Centered, lost: int = 0, why: str = "") -> int:
    """Return the number k of components, which is at most the rank that is left.

    k: as the user gave it.
    lost: dimensions that the method's condition takes, and ``why`` names.

    >>> from fairstats.data.centered import centered
    >>> components(2, centered([[1.0, 2.0], [3.0, 2.0], [5.0, 5.0]]))
    2
    """
    n, p = view.scaling.n, len(view.scaling.features)
    if view.max_rank <= lost:
        raise InputError(
            "X",
            f"has {p} feature{'s' if p != 1 else ''} and {n} rows, and {lost} direction{'s' if lost != 1 else ''} "
            f"{'are' if lost != 1 else 'is'} taken by {why}; no component is left. Use more features, or fewer groups.",
        )
    limits = f"{n} rows, {p} features" + (f", {lost} taken by {why}" if lost else "")
    return whole("k", k, 1, view.max_rank - lost, limits)


def most_components(method: Callable[..., Any], design: Design, settings: Mapping[str, Any]) -> int:
    """Return the largest k that a method allows of these rows: what it answers when it is asked for too many.

    >>> import numpy as np
    >>> from fairstats.methods.registry import method
    >>> design = Design.of(np.arange(12.0).reshape(4, 3) ** 2, ["a", "b", "a", "b"])
    >>> most_components(method("fair_pca").function, design, {})
    2
    """
    try:
        method(design, None, **{**settings, "k": TOO_MANY})
    except OutOfRange as refused:
        if refused.argument == "k" and refused.most is not None:
            return refused.most
        raise
    return TOO_MANY


def only_attribute(view: Centered, method: str) -> str:
    """Return the one labeled attribute by which a method compares groups."""
    if view.continuous:
        raise InputError(
            "groups",
            f"has a continuous attribute ({listing(view.continuous)}), and {method} compares groups; cut it "
            "into classes.",
        )
    names = view.attributes
    if len(names) != 1:
        raise InputError(
            "groups",
            f"has {len(names)} attributes ({listing(names)}); {method} takes one. Use "
            f"{':'.join(names) or 'a column name'!r} for the groups of their intersection.",
        )
    return names[0]


# Features on a lattice (whole numbers, few decimals): a shift that depends on the group leaves its trace in them.


FEWEST, FIRST, MOST = 8, 1000, 20_000  # rows that rule out most features, and about as many as are looked at
SOME = 1024  # rows that say about how far values lie apart
MOST_STEPS = 1e6  # from one end of a feature to the other; more are as good as none
NAMED = 3
LINEAR = message(
    "What holds is linear: scores and adjusted features are uncorrelated with the groups. Spreads, shapes and other "
    "traces may remain, which a model that is not linear finds; {leakage} measures them.",
    leakage=Call("leakage", ()),
)
STEPS = message("{feature} in steps of {step}: {share}%")
LATTICE = message(
    "{n} of {p} features take values on a lattice ({list}). Each group is moved by an amount of its own, so that where "
    "an adjusted value lies between two steps can tell a row's group, better than the features did. A uniform draw of "
    "one step, added to such columns before the fit and to new rows, hides where between two steps a value lies; it "
    "adds those shares to their variance. leace, leace_pca and fair_pca treat all rows by one map and leave no such "
    "trace, at another price; what traces of other kinds they leave, {leakage} says."
)
CROWDED = message(
    "In {n} of {p} features ({list}) many rows lie close together, and moving the groups by amounts of their own pulls "
    "these rows apart: such an adjusted feature tells the group better than the feature did. A uniform draw of one "
    "step added to it does not change that."
)


SEEN, SIZE = 2000, 100  # rows whose places are compared before and after groups are moved, and the fewest of a group
PARTS = 20
APART = 0.1  # more of a group lies elsewhere than everybody once it was moved


def shift_notes(given: Any, design: Design | None, kept: list[int] | None = None) -> tuple[str, ...]:
    """Return the cautions for a map that moves every group by an amount of its own: of steps, and of crowded values.

    given: what the method was called with: of a design, which a refit gives, nothing is said.
    design: its rows, where they are known.
    kept: features that are not moved.
    """
    if design is None or isinstance(given, Design):
        return ()
    result, features = lattice_steps(design.X), design.features
    moved = np.ones(len(features), dtype=bool)
    moved[[] if kept is None else kept] = False
    on = np.flatnonzero((result > 0) & moved)
    notes = []
    if len(on):
        shares = _spreads(design.X, on[:NAMED])
        first = [
            STEPS.format(feature=DataText(features[j]), step=significant(result[j], 3), share=_share(result[j], s))
            for j, s in zip(on[:NAMED], shares, strict=True)
        ]
        names = listed([*first, *(DataText(features[j]) for j in on[NAMED:])], NAMED)
        notes.append(LATTICE.format(n=len(on), p=len(features), list=names, leakage=Call("leakage")))
    crowded = np.flatnonzero(_pulled_apart(design, result) & moved)
    if len(crowded):
        names = listed([DataText(features[j]) for j in crowded], NAMED)
        notes.append(CROWDED.format(n=len(crowded), p=len(features), list=names))
    return tuple(notes)


def _pulled_apart(design: Design, steps: np.ndarray) -> np.ndarray:
    """Whether each feature (p,), its steps blurred, tells a group better once all groups have the same mean."""
    result = np.zeros(design.p, dtype=bool)
    if design.groups is None or sparse.issparse(design.X):
        return result
    rng = np.random.default_rng(0)
    rows = rng.permutation(design.n)[:SEEN]  # in no order, which equal values would keep
    X = design.X[rows] + steps * rng.uniform(-0.5, 0.5, (len(rows), design.p))
    for factor in design.groups.factors:
        members = factor.codes[rows][:, None] == np.arange(len(factor.levels))
        members = members[:, members.sum(axis=0) >= SIZE]
        inside = members.any(axis=1)
        if members.shape[1] > 1:
            M, part = members[inside].astype(float), X[inside]
            means = (M.T @ part) / M.sum(axis=0)[:, None]
            result |= _farthest(part - M @ means, M) > _farthest(part, M) + APART
    return result


def _farthest(X: np.ndarray, members: np.ndarray) -> np.ndarray:
    """Of each feature (p,) the largest total variation of a group from everybody, in twentieths of all."""
    starts = np.arange(PARTS) * len(X) // PARTS
    order = np.argsort(X, axis=0)
    everybody = np.diff(starts, append=len(X))[:, None] / len(X)
    return np.max(
        [
            np.abs(np.add.reduceat(of_it[order], starts, axis=0) / of_it.sum() - everybody).sum(axis=0) / 2
            for of_it in members.T
        ],
        axis=0,
    )


FEW_ROWS = 10
RARE_NAMED = 6


def rare_features(design: Design, share: float = 1.0) -> list[tuple[str, int]]:
    """Return features of which a part of the rows, a `share`, has fewer than `FEW_ROWS` that differ from all others.

    >>> rare_features(Design.of(np.arange(20)[:, None] == 0.0, None))
    [('x1', 1)]
    """
    if sparse.issparse(design.X):
        differ = np.diff(design.X.tocsc().indptr)
    else:
        differ = np.array([np.count_nonzero(column != np.median(column)) for column in design.X.T])
    return [(design.features[j], int(differ[j])) for j in np.flatnonzero((differ > 0) & (differ * share < FEW_ROWS))]


RARE = message(
    "{method}: too few rows differ from all others in some features ({features}). Among the other rows such an "
    "adjusted feature is a multiple of what was taken out, from which a linear model can tell the group again. Leave "
    "these features out, or join their levels with others."
)


def erased_notes(name: str, design: Design, share: float) -> tuple[str, ...]:
    """Return the caution for rare features where the method called `name` is measured on a `share` of the rows."""
    rare = rare_features(design, share) if name == "leace" else []
    features = [DataText(f"{feature}: {n}") for feature, n in rare[:RARE_NAMED]]
    more = [message("{n} more", n=len(rare) - RARE_NAMED)] if len(rare) > RARE_NAMED else []
    return (RARE.format(method=DataText(name), features=joined([*features, *more], ", ")),) if rare else ()


def rare_notes(given: Any, design: Design | None) -> tuple[str, ...]:
    """Return the caution for features in which few rows differ from all others; as `shift_notes`.

    The erased column of such a feature is, among all others, a multiple of what was taken out.
    """
    if design is None or isinstance(given, Design):
        return ()
    rare = rare_features(design)
    if not rare:
        return ()
    first = [f"{name}: {n}" for name, n in rare[:NAMED]] + ([f"{len(rare) - NAMED} more"] if len(rare) > NAMED else [])
    return (
        f"Fewer than {FEW_ROWS} rows differ from all others in {len(rare)} of {len(design.features)} features "
        f"({', '.join(first)}). Among the other rows such an adjusted feature is a multiple of what was taken out, "
        "from which a linear model tells the group if it is trained on rows without these few. Leave the features out, "
        "or join their levels with others.",
    )


def _share(step: float, sd: float) -> str:
    """The variance of a uniform draw of one step, in percent of that of a feature."""
    value = 100 * (step / sd) ** 2 / 12
    return significant(value, 2) if value < 10 else number(value, 0)


def lattice_steps(X: Any) -> np.ndarray:
    """Return the distance (p,) of which all differences of a feature's values are multiples, 0 where there is none.

    >>> lattice_steps(np.array([[1.0, 0.3, 0.1], [3.0, 0.5, 0.2], [7.0, 0.8, np.pi]])).round(9).tolist()
    [2.0, 0.1, 0.0]
    """
    X = X[:: -(-X.shape[0] // MOST)]
    X = X.tocsc() if sparse.issparse(X) else X
    steps = np.zeros(X.shape[1])
    for j in np.flatnonzero(_may_have_steps(X)).tolist():
        steps[j] = _step(_column(X, j))
    return steps


def _may_have_steps(X: Any) -> np.ndarray:
    """Whether a few values of each column (p,) have a common divisor: most columns of real numbers have none."""
    # Of some rows: what is taken for wide enough here is looked at again by ``_step``.
    width = np.asarray((X.max(axis=0) - X.min(axis=0)).todense() if sparse.issparse(X) else np.ptp(X[:SOME], axis=0))
    width, first = width.ravel(), X[:FEWEST]
    if sparse.issparse(X):  # the first values that are stored
        filled, p = np.diff(X.indptr), X.shape[1]
        places = X.indptr[:-1] + np.minimum(np.arange(FEWEST)[:, None], np.maximum(filled - 1, 0))
        first = np.append(X.data, 0.0)[np.where(filled > 0, places, len(X.data))]
        first = np.vstack([np.where(filled < X.shape[0], 0.0, first[0]), first]).reshape(-1, p)
    step = np.zeros(len(width))
    for left in np.abs(first[1:] - first[0]):
        while (on := left > 1e-9 * width).any():
            whole = np.where(on, left, 1.0)
            rest = np.where(on, np.abs(step - whole * np.round(step / whole)), 0.0)
            step = np.where(on, left, step)
            left = np.where(step * MOST_STEPS < width, 0.0, rest)
    return (step == 0) | (step * MOST_STEPS >= width)


def _column(X: Any, j: int) -> np.ndarray:
    return X[:, [j]].toarray().ravel() if sparse.issparse(X) else X[:, j]


def _spreads(X: Any, columns: np.ndarray) -> list[float]:
    X = X[:: -(-X.shape[0] // MOST)]
    X = X.tocsc() if sparse.issparse(X) else X
    return [float(_column(X, j).std()) for j in columns]


def _step(values: np.ndarray) -> float:
    low, high = float(values.min()), float(values.max())
    step = 0.0
    for part in (values[:FIRST], values):
        step = _divisor(np.unique(part) - low, high - low, step)
        if np.isinf(step):
            return 0.0
    return step


def _divisor(values: np.ndarray, width: float, step: float) -> float:
    """The greatest common divisor of differences and of ``step`` by Euclid; infinite where it is too small for one."""
    near = 1e-9 * width
    while True:
        left = np.abs(values - step * np.round(values / step)) if step > 0 else values
        left = left[left > near]
        if not len(left):
            return step
        step = float(left.min())
        if step * MOST_STEPS < width:
            return float("inf")
        values = np.append(values, left)
