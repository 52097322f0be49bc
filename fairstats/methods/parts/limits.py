"""Arguments that the data limit: the number of components, and the attribute that groups are compared by."""

from __future__ import annotations

from typing import Any

from fairstats.arguments import whole
from fairstats.data.centered import Centered
from fairstats.errors import InputError, listing


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
