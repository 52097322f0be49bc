"""What methods and models are, in clauses that a reader who knows no statistics can follow."""

from __future__ import annotations

from collections.abc import Iterable

from fairstats.language import mark, say
from fairstats.methods.registry import METHODS

OTHERS = {"none": mark("the features as they are"), "logistic": mark("logistic regression")}


def made_by(name: str) -> str:
    """What a method makes of the features, or which model one is; "" of a caller's own.

    Examples
    --------
    >>> made_by("fair_pca-s"), made_by("mine")
    ('new numbers with the same mean in every group', '')
    """
    row = next((row for row in METHODS.values() if name == row.name or name in row.variants), None)
    known = OTHERS.get(name, "") if row is None else row.makes
    return say(known) if known else ""


def explained(names: Iterable[str]) -> str:
    """Each name with what it stands for, those that need it, in their order.

    Examples
    --------
    >>> explained(["none", "og", "mine"])
    'none: the features as they are. og: new numbers that are uncorrelated with the groups, with the least loss.'
    """
    known = [(name, made_by(name)) for name in dict.fromkeys(names)]
    return " ".join(say("{name}: {meaning}.", name=name, meaning=made) for name, made in known if made)
