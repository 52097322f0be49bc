"""One direction of a panel: what was drawn along it, its limits, where its ticks are; panels may share it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

from fairstats.reporting.sketch.ticks import ticks, written

MARGIN = 0.05  # of the range, at either end, where no limits are set
MOST = 9


def numbers(values: Any) -> list[float]:
    """Return a number or several as a list.

    Examples
    --------
    >>> numbers(3), numbers(range(2))
    ([3.0], [0.0, 1.0])
    """
    return [float(v) for v in values] if isinstance(values, Iterable) else [float(values)]


class Scale:
    """The numbers along one direction."""

    def __init__(self) -> None:
        self._low, self._high = math.inf, -math.inf
        self._limits: tuple[float, float] | None = None
        self._ticks: tuple[list[float], list[str] | None] | None = None
        self.margin, self.log = MARGIN, False
        self.most: int | None = None  # how many ticks; as many as have room where nobody says

    def see(self, values: Iterable[float]) -> None:
        """Take note of what is drawn, for limits that nobody sets."""
        for value in values:
            if math.isfinite(value):
                self._low, self._high = min(self._low, value), max(self._high, value)

    def limit(self, low: float, high: float) -> None:
        """Set the limits, the first is that of the start."""
        self._limits = float(low), float(high)

    def mark(self, at: Iterable[float], names: Sequence[str] | None = None) -> None:
        """Set the ticks, with their names."""
        self._ticks = numbers(at), None if names is None else list(names)

    @property
    def limits(self) -> tuple[float, float]:
        """Start and end: those that were set, or the range of what was drawn and a margin."""
        if self._limits is not None and self._limits[0] != self._limits[1]:
            return self._limits
        low, high = self._low, self._high
        if low > high:
            return 0.0, 1.0
        if high == low:
            apart = MARGIN * (abs(low) or 1.0)
            low, high = low - apart, high + apart
        pad = self.margin * (high - low)
        return low - pad, high + pad

    def place(self, value: float) -> float:
        """Where a value is: 0 at the start, 1 at the end."""
        low, high = self.limits
        if self.log:
            return math.log(value / low) / math.log(high / low)
        return (value - low) / (high - low)

    def ticks(self, room: float) -> list[tuple[float, str]]:
        """The ticks within the limits with their texts, as many as have room."""
        low, high = self.limits
        if self._ticks is None:
            at = ticks(low, high, self.most or max(1, min(MOST, int(room))))
            return list(zip(at, written(at), strict=True))
        at, names = self._ticks
        inside = [i for i, v in enumerate(at) if -1e-9 <= self.place(v) <= 1 + 1e-9]
        texts = written([at[i] for i in inside]) if names is None else [names[i] for i in inside]
        return [(at[i], text) for i, text in zip(inside, texts, strict=True)]
