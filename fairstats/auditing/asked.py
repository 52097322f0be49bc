"""What a caller asked of an audit, with the defaults: the one place where these stand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

from fairstats.choices import LARGEST_GROUP, Adjust, FamilyOf, Missing, WeightType


class Unsaid(int):
    """The default of a label, told from the same number that somebody said."""


ONE = Unsaid(1)


@dataclass(frozen=True)
class Asked:
    """The arguments of an audit as the caller said them; their defaults stand here and nowhere else."""

    decision: str | None = None
    groups: str | Sequence[str] | None = None
    outcome: str | None = None
    score: str | None = None
    threshold: float | None = None
    favorable: Any = ONE
    positive: Any = 1
    predicts: Any = None
    reference: Any = LARGEST_GROUP
    conf_level: float = 0.95
    adjust: Adjust = "bonferroni"
    family: FamilyOf = "rate"
    equivalence: float | Mapping[str, float] | None = None
    strata: str | Sequence[str] | None = None
    weights: str | None = None
    weight_type: WeightType = "frequency"
    clusters: str | None = None
    min_n: int = 1
    missing: Missing = "level"
    focus: Mapping[str, Sequence[Any]] | None = None
    words: Mapping[str, Any] | None = None
    seed: int = 0

    def said(self) -> dict[str, Any]:
        """Return the arguments that are not the defaults."""
        return {f.name: getattr(self, f.name) for f in fields(self) if getattr(self, f.name) != f.default}
