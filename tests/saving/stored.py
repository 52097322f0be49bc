"""Results as they were saved. Before a release, python -m tests.saving.stored writes them; after it FORMAT grows."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import fairstats
from fairstats.saving import FORMAT

FOLDER = Path(__file__).parent / "stored"


def made() -> dict[str, Any]:
    """One result of each kind that people keep, of numbers without chance."""
    i = np.arange(40)
    X = np.column_stack([np.sin(i), np.cos(2 * i), np.sin(3 * i) + 0.1 * i])
    table = pd.DataFrame({"sex": np.where(i % 2, "f", "m"), "hired": (i % 5 == 0) * 1, "good": (i % 3 == 0) * 1})
    fit = fairstats.og(X, table["sex"].to_numpy(), k=2)
    return {
        "audit": fairstats.audit(table, decision="hired", groups="sex", outcome="good"),
        "fit": fit,
        "eraser": fairstats.leace(X, table["sex"].to_numpy()),
        "held": fit.crossfit(X, table["sex"].to_numpy()),
    }


def path_of(name: str, version: int = FORMAT) -> Path:
    """Where a result of a format is stored."""
    return FOLDER / f"{name}-{version}.npz"


if __name__ == "__main__":
    for name, result in made().items():
        result.save(path_of(name))
