"""One audited attribute: a code for every row, its labels in order of size."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fairstats.labels import holds_missing


@dataclass(frozen=True)
class Attribute:
    """One audited attribute: a code for every row, and the labels in order of size."""

    name: str
    codes: NDArray[np.int32]
    labels: tuple[str, ...]


def by_size(levels: Attribute, people: NDArray[np.float64] | None = None) -> Attribute:
    """Observed levels from the largest to the smallest, ties by name, missing ones last: independent of row order.

    ``people`` says how many each code stands for; one each by default. Levels of nobody get the code −1.
    """
    sizes = np.bincount(levels.codes, weights=people, minlength=len(levels.labels))
    observed = [i for i in range(len(sizes)) if sizes[i]]
    order = sorted(observed, key=lambda i: (holds_missing(levels.labels[i]), -sizes[i], levels.labels[i]))
    place = np.full(len(sizes), -1, dtype=np.int32)
    place[order] = np.arange(len(order), dtype=np.int32)
    return Attribute(levels.name, place[levels.codes], tuple(levels.labels[i] for i in order))
