"""What a method's page says beside its docstring, from ``methods.toml``: problem, estimator, differences, cost."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

_SAID = tomllib.loads((Path(__file__).parent / "methods.toml").read_text(encoding="utf-8"))
MOMENTS, ROWS = (" ".join(_SAID["costs"][kind].split()) for kind in ("moments", "rows"))
SOUND = "We know of no statement of the source that does not hold; what it states is a test of ours."


@dataclass(frozen=True)
class Words:
    """Prose of one page; "" takes what the docstring or the registry says."""

    problem: str = ""
    estimator: str = ""
    differs: str = ""
    cost: str = ""


WORDS = {
    name: Words(**{part: text.replace("{moments}", MOMENTS) for part, text in said.items()})
    for name, said in _SAID["methods"].items()
}
