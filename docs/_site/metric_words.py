"""What a metric's page says beside its row, from ``metrics.toml``: interval and why, formulas, questions, warnings."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

_SAID = tomllib.loads((Path(__file__).parent / "metrics.toml").read_text(encoding="utf-8"))


@dataclass(frozen=True)
class Interval:
    """How the uncertainty of a metric is told, why so, and which tables of ``docs/verdicts.md`` measure it."""

    method: str
    why: str
    tables: tuple[str, ...] = ()
    unmeasured: str = "Not measured: there is no interval and no verdict. What is printed is a number of these people."


INTERVALS = {
    name: Interval(**{part: said[part] for part in said if part != "of"})
    for said in _SAID["interval"]
    for name in said["of"]
}
FORMULAS, QUESTIONS, MISLEADS = (
    {name: " ".join(text.split()) for name, text in _SAID[part].items()}
    for part in ("formulas", "questions", "misleads")
)
