"""What may be a set of labels: the one rule for numbers, and names that are taken."""

from __future__ import annotations

import math
from itertools import pairwise

from fairstats.data.factors import Factor
from fairstats.errors import InputError
from fairstats.labels import MISSING_LEVEL, is_numeric_text, refuse_reserved, split

MOST_NUMBERS = 20  # different whole numbers that are taken for codes


def judge_labels(name: str, made: Factor, *, with_numbers: bool = True) -> None:
    """Check the labels of a group column; every reader of group columns calls this."""
    refuse_reserved(name, made.levels)
    if with_numbers:
        judge_numbers(name, made.levels, made.numbers)


def judge_numbers(name: str, levels: tuple[str, ...], numbers: tuple[bool, ...], argument: str = "groups") -> None:
    """Check numbers that stand as labels: a few whole ones are codes; many of them, or fractions, are refused."""
    for j, number in enumerate(numbers):
        if not number:
            continue
        own = {split(level)[j] if len(numbers) > 1 else level for level in levels} - {MISSING_LEVEL}
        whole = all(level.lstrip("-").isdigit() for level in own if is_numeric_text(level))
        if len(own) > MOST_NUMBERS or not whole:
            kind = "whole numbers" if whole else "numbers, some with fractions"
            raise InputError(
                f"{argument}={name!r} has {len(own)} distinct {kind}, which look like a measurement; cut them into "
                f"classes (in Python pandas.cut(data[{name!r}], {_bounds(own)}), in R cut()) and name that column, or "
                f"make them text (of a file read_table(path, labels=[...])) if they are codes; a fit takes them as "
                f"numbers by continuous({name!r})."
            )


def _bounds(numbers: set[str]) -> list[float]:
    """Rising bounds of three classes at most, as an example, that hold all numbers: thirds of the different ones."""
    values = sorted(float(text) for text in numbers if is_numeric_text(text) and math.isfinite(float(text)))
    places = sorted({values[-(-len(values) * part // 3) - 1] for part in (1, 2, 3)})
    short = [math.ceil(100 * value) / 100 for value in places]
    rising = all(a < b for a, b in pairwise(short))
    bounds = [math.floor(values[0]) - 1.0, *(short if rising else places)]
    return [int(v) if v.is_integer() else v for v in bounds]


Kind = tuple[tuple[str, ...], tuple[bool, ...]]


def same_kind(attribute: str, a: Kind, b: Kind) -> tuple[bool, ...]:
    """Whether labels are numbers, as both sides say; a side that has none of them says nothing."""

    def says(levels: tuple[str, ...], numbers: tuple[bool, ...]) -> list[bool | None]:
        parts = [split(level) if len(numbers) > 1 else [level] for level in levels]
        return [n if any(p[j] != MISSING_LEVEL for p in parts) else None for j, n in enumerate(numbers)]

    pairs = list(zip(says(*a), says(*b), strict=True))
    if any(x is not None and y is not None and x != y for x, y in pairs):
        raise InputError(
            f"groups={attribute!r} holds numbers in one part of the data and text in another, so it cannot be known "
            "whether 1 and '1' are one group; read it as text in all."
        )
    return tuple(bool(y if x is None else x) for x, y in pairs)
