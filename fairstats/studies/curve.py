"""A line of a figure, of an audit or a comparison."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Curve:
    """One line of a figure: kind is "roc", "ecdf" or "calibration"; low and high are a band, or empty."""

    kind: str
    attribute: str
    group: str
    x: tuple[float, ...]
    y: tuple[float, ...]
    low: tuple[float, ...] = ()
    high: tuple[float, ...] = ()
