"""What may be a set of labels: the one rule for numbers, and names that are taken."""

from __future__ import annotations

import warnings

from fairstats.data.factors import Factor
from fairstats.errors import FairstatsWarning, InputError
from fairstats.labels import MISSING_LEVEL, is_numeric_text, refuse_reserved, split

MANY_NUMBERS = 20  # different whole numbers that are taken for codes without a word
MOST_NUMBERS = 200


def judge_labels(name: str, made: Factor, *, with_numbers: bool = True) -> None:
    """Check the labels of a group column; every reader of group columns calls this."""
    refuse_reserved(name, made.levels)
    if with_numbers:
        judge_numbers(name, made.levels, made.numbers)


def judge_numbers(name: str, levels: tuple[str, ...], numbers: tuple[bool, ...], argument: str = "groups") -> None:
    """Check numbers that stand as labels: whole ones are codes (many of them are warned of); others are refused."""
    for j, number in enumerate(numbers):
        if not number:
            continue
        own = {split(level)[j] if len(numbers) > 1 else level for level in levels} - {MISSING_LEVEL}
        whole = all(level.lstrip("-").isdigit() for level in own if is_numeric_text(level))
        if len(own) > MOST_NUMBERS or not whole:
            kind = "" if whole else ", some with fractions"
            way = f"in a fit, continuous({name!r}) makes it a continuous attribute; otherwise cut it"
            raise InputError(
                f"{argument}={name!r} has {len(own)} distinct numbers{kind}; {way} into labeled classes first, or make "
                "it text if these are labels."
            )
        if len(own) > MANY_NUMBERS:
            warnings.warn(
                f"{argument}={name!r} has {len(own)} distinct whole numbers, taken as codes of as many groups; if they "
                "measure something, pass it as continuous or cut it into classes; as text it gives no warning.",
                FairstatsWarning,
                stacklevel=2,
            )
