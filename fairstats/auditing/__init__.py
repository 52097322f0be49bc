"""One decision, outcome or score, audited by group."""

from __future__ import annotations
