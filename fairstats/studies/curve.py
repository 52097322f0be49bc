"""A line of a figure, of an audit or a comparison."""

from __future__ import annotations

from dataclasses import dataclass

BY_SCORE, VALUES, HISTOGRAM = "outcome by score", "values of the score", "histogram of the score"


@dataclass(frozen=True)
class Curve:
    """One line of a figure; `kind` says of which ("roc", "ecdf", ...); low and high are a band, or empty."""

    kind: str
    attribute: str
    group: str
    x: tuple[float, ...]
    y: tuple[float, ...]
    low: tuple[float, ...] = ()
    high: tuple[float, ...] = ()
