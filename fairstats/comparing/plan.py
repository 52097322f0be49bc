"""The plan of a comparison: the data, who is measured together, and what is fitted and trained in every split."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from fairstats.comparing.methods import ComparedMethod
from fairstats.comparing.models import Model
from fairstats.comparing.splits import SplitRows, draw
from fairstats.data.design import Design

# Which rows a model is trained on, the first or the second of a split; it is always measured on the second.
TrainOn = Literal["training", "measured"]
TRAIN_ON: dict[str, int] = {"training": 0, "measured": 1}


@dataclass(frozen=True)
class Panel:
    """People whose predictions are measured together: one level of an attribute, or everybody (``""``)."""

    attribute: str
    group: str
    rows: NDArray[np.bool_]


@dataclass(frozen=True)
class Variant:
    """A method with its number of components; ``k`` is 0 for what has none."""

    name: str
    method: ComparedMethod
    k: int


def variants(asked: Sequence[ComparedMethod], ks: Sequence[int]) -> tuple[Variant, ...]:
    """Return methods × numbers of components; one without components is there once.

    Examples
    --------
    >>> from fairstats.comparing.methods import methods_asked
    >>> [v.name for v in variants(methods_asked(("none", "og"), True), (2, 5))]
    ['none', 'og, k = 2', 'og, k = 5']
    """
    every = []
    for k in ks:
        for one in asked:
            if one.reduces:
                every.append(Variant(one.name if len(ks) == 1 else f"{one.name}, k = {k}", one, k))
            elif k == ks[0]:
                every.append(Variant(one.name, one, 0))
    return tuple(every)


@dataclass(frozen=True)
class Plan:
    """Everything that a split needs; it is sent to other processes as it is."""

    design: Design
    y: NDArray[np.intp]
    panels: tuple[Panel, ...]
    pairs: tuple[tuple[int, int], ...]  # (panel, panel of its reference)
    variants: tuple[Variant, ...]
    models: tuple[Model, ...]
    strata: NDArray[np.intp]  # (n,) group cell × outcome
    held: NDArray[np.intp]  # (H,) people of each stratum to hold out, where splits are drawn
    threshold: float
    selects: int  # the predicted label that counts as selection
    given: tuple[SplitRows, ...] = ()  # the splits, where the caller has them
    train_on: TrainOn = "training"
    representation: bool = False
    cache: str = ""

    def split(self, index: int, rng: np.random.Generator) -> SplitRows:
        """Training and test rows of one split."""
        if self.given:
            return self.given[index]
        out = draw(self.strata, self.held, rng)
        return SplitRows(np.flatnonzero(~out), np.flatnonzero(out))

    @cached_property
    def sizes(self) -> NDArray[np.intp]:
        """People in each stratum (H,)."""
        return np.bincount(self.strata)

    @cached_property
    def stratum_y(self) -> NDArray[np.intp]:
        """The outcome of each stratum (H,)."""
        out = np.zeros(len(self.sizes), dtype=np.intp)
        out[self.strata] = self.y
        return out

    @cached_property
    def members(self) -> NDArray[np.bool_]:
        """Which strata make up each panel (panels, H)."""
        out = np.zeros((len(self.panels), len(self.sizes)), dtype=bool)
        for i, panel in enumerate(self.panels):
            out[i, self.strata[panel.rows]] = True
        return out

    @cached_property
    def attributes(self) -> dict[str, list[int]]:
        """The panels of each attribute."""
        panels: dict[str, list[int]] = {}
        for i, panel in enumerate(self.panels):
            if panel.attribute:
                panels.setdefault(panel.attribute, []).append(i)
        return panels
