"""A guarantee: a sentence about the data of a fit, checked as a number."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Guarantee:
    """What a method promises about the data it was fitted to, checked as a number."""

    statement: str
    value: float
    tolerance: float

    @property
    def holds(self) -> bool:
        """Whether the number is within its tolerance."""
        return bool(self.value <= self.tolerance)

    def to_dict(self) -> dict[str, Any]:
        """Return statement, value, tolerance and verdict, JSON-ready."""
        return {**vars(self), "holds": self.holds}
