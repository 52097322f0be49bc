"""The reports of the gallery as web pages: those whose data may ship, made again where the package changed."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def write(folder: Path, state: str) -> None:
    """Write a page for each kind of report into ``folder/reports``, unless they are of this state of the package."""
    mark = folder.with_suffix(".state")
    if mark.exists() and mark.read_text() == state:
        return
    sys.path.insert(0, str(ROOT))
    from benchmarks.gallery import KINDS, make

    make(folder / "reports", [name for name, kind in KINDS.items() if not kind.needs], ["html"])
    mark.write_text(state)
