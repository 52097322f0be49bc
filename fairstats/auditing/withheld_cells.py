"""The cells whose people were withheld before a tally came here, in the codes of an audit."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fairstats.auditing.tally import BOUNDS, Tally
from fairstats.studies.attribute import Attribute

Floats = NDArray[np.float64]
Codes = NDArray[np.int8]


@dataclass(frozen=True, eq=False)
class Withheld:
    """Cells whose people were withheld: the label of each in each attribute ("" is none), and how many there may be."""

    labels: dict[str, list[str]]
    outcome: NDArray[np.int8] | None
    decision: NDArray[np.int8] | None
    by_score: bool  # the decisions are made of scores, which withheld cells do not tell
    least: Floats
    most: Floats
    names: tuple[str, ...]


def withheld_cells(
    tally: Tally, attributes: tuple[Attribute, ...], outcome: Codes | None, decision: Codes | None, by_score: bool
) -> Withheld:
    """The cells of a tally that were withheld, in the labels of the attributes.

    Parameters
    ----------
    tally : Tally
        All cells.
    attributes : tuple of Attribute
        Their codes, −1 for levels of which everybody is withheld.
    outcome, decision : ndarray of int, optional
        Their codes.
    by_score : bool
        Whether decisions are made of scores.

    Returns
    -------
    Withheld

    Examples
    --------
    >>> from fairstats.auditing.input import Observations
    >>> from fairstats.data.factors import Factor
    >>> tally = Tally.of(Observations({"sex": Factor(np.array([0, 0, 1]), ("f", "m"))}, {})).withhold(2)
    >>> withheld_cells(tally, (Attribute("sex", np.array([0, -1]), ("f",)),), None, None, False).names
    ('sex m',)
    """
    hidden = np.flatnonzero(tally.most > 0)
    labels = {}
    for attribute in attributes:
        own = [*attribute.labels, ""]
        labels[attribute.name] = [own[code] for code in attribute.codes[hidden]]
    names = (
        ", ".join(f"{name} {value}" for name, value in cell.items() if name not in BOUNDS) for cell in tally.withheld()
    )
    return Withheld(
        labels,
        None if outcome is None else outcome[hidden],
        None if decision is None else decision[hidden],
        by_score,
        tally.least[hidden],
        tally.most[hidden],
        tuple(names),
    )
