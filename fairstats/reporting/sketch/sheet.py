"""A sheet of panels: their grid, the room around them, and everything on it as one SVG element."""

from __future__ import annotations

from typing import Any

import numpy as np

from fairstats.reporting.sketch.marks import Box, Label, Mark
from fairstats.reporting.sketch.measure import ASCENT, DESCENT
from fairstats.reporting.sketch.palette import INK
from fairstats.reporting.sketch.pane import Pane
from fairstats.reporting.sketch.scale import Scale
from fairstats.reporting.sketch.writer import svg

MM = 72 / 25.4  # points
PAD = 1.44  # points around every panel
BETWEEN = 0.01  # of the sheet, shared by the panels of a row: half of what lies between two
ROUNDS = 3  # of the layout: where a note stands depends on the frame, and the frame on how far the note reaches


class Sheet:
    """The part of matplotlib's figure that painters use."""

    def __init__(self, width: float, height: float) -> None:
        self.size = (width * MM, height * MM)
        self.panels: list[list[Pane]] = []
        self._under: tuple[str, float] | None = None
        self._beside: tuple[str, float] | None = None

    def add_subplot(self) -> Pane:
        """One panel."""
        self.subplots()
        return self.panels[0][0]

    def subplots(
        self, rows: int = 1, columns: int = 1, *, sharex: bool = False, sharey: bool = False, squeeze: bool = True
    ) -> Any:
        """Rows of panels; of shared scales the panels at the left and at the bottom have the texts."""
        x, y = Scale(), Scale()
        self.panels = [
            [Pane(x if sharex else Scale(), y if sharey else Scale()) for _ in range(columns)] for _ in range(rows)
        ]
        for i, row in enumerate(self.panels):
            for j, panel in enumerate(row):
                panel.xaxis.named = not sharex or i == rows - 1
                panel.yaxis.named = not sharey or j == 0
        made = np.empty((rows, columns), dtype=object)
        made[:] = self.panels
        return np.squeeze(made) if squeeze else made

    def supxlabel(self, text: str, *, fontsize: float) -> None:
        """Name the horizontal axes of all panels."""
        self._under = text, fontsize

    def supylabel(self, text: str, *, fontsize: float) -> None:
        """Name the vertical axes of all panels."""
        self._beside = text, fontsize

    def svg(self, name: str, caption: str, alt: str) -> str:
        """The sheet as an element of a page."""
        return svg(self.size, self.marks(), name, caption, alt)

    def marks(self) -> list[Mark]:
        """Everything on the sheet, what lies below first."""
        found: list[tuple[float, Mark]] = []
        for slots, row in zip(self.layout(), self.panels, strict=True):
            for slot, panel in zip(slots, row, strict=True):
                found += panel.marks(slot)
        return [*(mark for _, mark in sorted(found, key=lambda one: one[0])), *self._names()]

    def _names(self) -> list[Label]:
        width, height = self.size
        found = []
        if self._under is not None:
            text, size = self._under
            found.append(Label(text, width / 2, height - PAD - DESCENT * size, size, INK, "middle"))
        if self._beside is not None:
            text, size = self._beside
            found.append(Label(text, PAD + ASCENT * size, height / 2, size, INK, "middle", turned=True))
        return found

    def layout(self) -> list[list[Box]]:
        """The slots of all panels, of one size, with room for what reaches beyond them."""
        width, height = self.size
        rows, columns = len(self.panels), len(self.panels[0])
        line = ASCENT + DESCENT
        left = 0.0 if self._beside is None else line * self._beside[1] + 2 * PAD
        low = 0.0 if self._under is None else line * self._under[1] + 2 * PAD
        slots = _slots((left, 0.0, width, height - low), [(20.0, 20.0)] * columns, [(10.0, 20.0)] * rows)
        for _ in range(ROUNDS):
            over = [
                [
                    panel.furniture(slot).overhang(slot) if panel.shown else (0.0,) * 4
                    for slot, panel in zip(*pair, strict=True)
                ]
                for pair in zip(slots, self.panels, strict=True)
            ]
            across = [
                (
                    max(row[j][0] for row in over) + _pad(width, columns, j > 0),
                    max(row[j][2] for row in over) + _pad(width, columns, j < columns - 1),
                )
                for j in range(columns)
            ]
            down = [
                (
                    max(o[1] for o in row) + _pad(height, rows, i > 0),
                    max(o[3] for o in row) + _pad(height, rows, i < rows - 1),
                )
                for i, row in enumerate(over)
            ]
            slots = _slots((left, 0.0, width, height - low), across, down)
        return slots


def _pad(whole: float, parts: int, inner: bool) -> float:
    return max(PAD, BETWEEN * whole / parts) if inner else PAD


def _slots(room: Box, across: list[tuple[float, float]], down: list[tuple[float, float]]) -> list[list[Box]]:
    """Slots of one size that fill a room, with these margins before and after each."""
    wide = max(1.0, (room[2] - room[0] - sum(map(sum, across))) / len(across))
    high = max(1.0, (room[3] - room[1] - sum(map(sum, down))) / len(down))
    rows = []
    y = room[1]
    for above, below in down:
        x, row = room[0], []
        for before, after in across:
            row.append((x + before, y + above, x + before + wide, y + above + high))
            x += before + wide + after
        rows.append(row)
        y += above + high + below
    return rows
