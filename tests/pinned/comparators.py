"""What others proposed, pinned as the fits are."""

from __future__ import annotations

from fairstats.methods.registry import METHODS
from tests.pinned.fits import LOOSE, cases
from tests.pinned.reading import Cases

__all__ = ["CASES", "LOOSE"]
CASES: Cases = cases(name for name, method in METHODS.items() if method.comparator)
