"""Print what CHANGELOG.md says of one version: ``python tools/changelog.py 0.2.0``, the notes of its tag v0.2.0."""

from __future__ import annotations

import re
import sys
from pathlib import Path

CHANGELOG = Path(__file__).parents[1] / "CHANGELOG.md"


def notes(version: str, text: str) -> str:
    """The section of a version, without its heading; SystemExit where there is none."""
    result = re.search(rf"^## {re.escape(version)}\b.*?\n(.*?)(?=^## |\Z)", text, flags=re.M | re.S)
    if result is None or not result.group(1).strip():
        sys.exit(f"CHANGELOG.md has no section of version {version}.")
    return result.group(1).strip() + "\n"


if __name__ == "__main__":
    print(notes(sys.argv[1], CHANGELOG.read_text(encoding="utf-8")), end="")
