"""Arguments that the data limit: the number of components, and the attribute that groups are compared by."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from fairstats.arguments import whole
from fairstats.data.centered import Centered
from fairstats.data.design import Design
from fairstats.errors import InputError, OutOfRange, listing

TOO_MANY = 10**9


def components(k: Any, view: Centered, lost: int = 0, why: str = "") -> int:
    """Return the number k of components, which is at most the rank that is left.

    Parameters
    ----------
    k : int
        As the user gave it.
    view : Centered
    lost : int
        Dimensions that the method's condition takes, and ``why`` names.

    Raises
    ------
    InputError
        k is no whole number from 1 to min(n, p) − lost.

    Examples
    --------
    >>> from fairstats.data.centered import centered
    >>> components(2, centered([[1.0, 2.0], [3.0, 2.0], [5.0, 5.0]]))
    2
    """
    n, p = view.scaling.n, len(view.scaling.features)
    limits = f"{n} rows, {p} features" + (f", {lost} taken by {why}" if lost else "")
    return whole("k", k, 1, view.max_rank - lost, limits)


def most_components(method: Callable[..., Any], design: Design, settings: Mapping[str, Any]) -> int:
    """Return the largest k that a method allows of these rows: what it answers when it is asked for too many.

    Examples
    --------
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
    """Return the one labeled attribute by which a method compares groups.

    Raises
    ------
    InputError
        There are several, or one is continuous.
    """
    if view.continuous:
        raise InputError(
            f"groups has a continuous attribute ({listing(view.continuous)}), and {method} compares groups; cut it "
            "into classes."
        )
    names = view.attributes
    if len(names) != 1:
        raise InputError(
            f"groups has {len(names)} attributes ({listing(names)}); {method} takes one. Use "
            f"{':'.join(names) or 'a column name'!r} for the groups of their intersection."
        )
    return names[0]
