"""Round numbers for a scale, and how they are written: by the rules of matplotlib, in our numbers."""

from __future__ import annotations

import math
from collections.abc import Sequence

from fairstats.text import number, significant

_STEPS = (1.0, 2.0, 2.5, 5.0, 10.0)
_LEAST, _LARGE = 1e-5, 1e6  # beyond these a number is written with a power of ten


def ticks(low: float, high: float, most: int) -> list[float]:
    """Return multiples of a round step within the limits: at most about ``most``, at least two.

    Examples
    --------
    >>> ticks(-3, 103, 6), ticks(0.13, 0.52, 3)
    ([0.0, 20.0, 40.0, 60.0, 80.0, 100.0], [0.2, 0.4])
    """
    low, high = min(low, high), max(low, high)
    if not high > low:
        return [low]
    scale = 10.0 ** math.floor(math.log10((high - low) / most))
    steps = [scale * s for s in (*(0.1 * s for s in _STEPS[:-1]), *_STEPS, 10 * _STEPS[1])]
    wanted = (high - low) / most
    largest = next((i for i, step in enumerate(steps) if step >= wanted), len(steps) - 1)
    for step in reversed(steps[: largest + 1]):
        first = math.ceil(low / step - 1e-10)
        last = math.floor(high / step + 1e-10)
        if last - first >= 1:
            break
    digits = max(0, 12 - math.floor(math.log10(step)))
    return [round(i * step, digits) + 0.0 for i in range(first, last + 1)]


def written(values: Sequence[float]) -> list[str]:
    """Return numbers of one scale as text: equally many decimals, as few as tell them, true minus signs.

    Examples
    --------
    >>> written([-2.5, 0.0, 2.5]), written([0.0, 20000.0]), written([0.0, 2e6])
    (['−2.5', '0.0', '2.5'], ['0', '20,000'], ['0', '2e6'])
    """
    largest = max((abs(v) for v in values), default=0.0)
    if largest >= _LARGE or 0 < largest <= _LEAST:
        return [_power(v) for v in values]
    decimals = _decimals(values)
    return [number(v, decimals) for v in values]


def _decimals(values: Sequence[float]) -> int:
    if not values:
        return 0
    span = (max(values) - min(values)) or max(map(abs, values)) or 1.0
    order = math.floor(math.log10(span))
    digits = max(0, 3 - order)
    while digits >= 0 and all(abs(v - round(v, digits)) < 1e-3 * 10.0**order for v in values):
        digits -= 1
    return digits + 1


def _power(value: float) -> str:
    if value == 0:
        return "0"
    power = math.floor(math.log10(abs(value)) + 1e-9)
    return f"{significant(value / 10.0**power, 4)}e{number(power, 0)}"
