"""Equal opportunity looks at the people whose outcome is the positive one, and at nobody else."""

from __future__ import annotations

from dataclasses import replace

from fairstats.data.design import Design
from fairstats.data.moments import Moments
from fairstats.errors import InputError, listing
from fairstats.naming import known_as

TARGETS = ("parity", "equal_opportunity")


def opportunity_note(positive: str, n: int) -> str:
    """Return what a fit for equal opportunity says of the rows that it was made of."""
    return (
        f"Equal opportunity: centered, constrained and fitted on the {n} rows with y={positive}; nothing is promised "
        "of the others."
    )


def favorable(source: Moments | Design, positive: str) -> Moments | Design:
    """Return the rows whose outcome is ``positive``; every attribute must still vary among them.

    Raises
    ------
    InputError
        No outcome, a label that it does not have, or an attribute with one level among these rows.

    Examples
    --------
    >>> import numpy as np
    >>> favorable(Design.of(np.eye(5), list("ababa"), y=[1, 1, 0, 1, 1]), "1").n
    4
    """
    if not source.outcome if isinstance(source, Moments) else source.y is None:
        raise InputError(
            "y is missing; target='equal_opportunity' looks at the rows whose outcome is positive. "
            "Pass y=, or a Design or Moments made with it."
        )
    if isinstance(source, Moments):
        with known_as(label="positive"):
            part: Moments | Design = source.within_outcome(positive)
        assert isinstance(part, Moments)
        found = {a: {c[i] for c in part.cells} for i, a in enumerate(part.attributes)}
    else:
        assert source.y is not None
        if positive not in source.y.levels:
            raise InputError(f"positive={positive!r} is not a label of y; it has {listing(source.y.levels)}.")
        part = replace(source.take(source.y.codes == source.y.levels.index(positive)), y=None)
        made = part.groups
        found = {} if made is None else {a: set(f.levels) for a, f in zip(made.names, made.factors, strict=True)}
    for name, levels in found.items():
        if len(levels) < 2:
            raise InputError(
                f"groups={name!r} has one level ({listing(sorted(levels))}) among the rows with y={positive}; nothing "
                "is to be equalized there. Choose another positive=, or target='parity'."
            )
    return part
