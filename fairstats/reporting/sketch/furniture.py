"""What stands around and in a panel: spines, ticks, labels, title and notes, and the room that they need."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from fairstats.reporting.sketch.marks import Box, Label, Look, Mark, Shape
from fairstats.reporting.sketch.measure import ASCENT, DESCENT
from fairstats.reporting.sketch.notes import ABOVE, lowered
from fairstats.reporting.sketch.palette import GRAY, INK
from fairstats.reporting.sketch.writer import SIZE

if TYPE_CHECKING:
    from fairstats.reporting.sketch.pane import Pane
    from fairstats.reporting.sketch.place import Place
    from fairstats.reporting.sketch.scale import Scale

TICK, PAD, LABEL_PAD, PEN = 3.5, 3.5, 4.0, 0.6  # points
TICKS_OVER, FRAME_OVER = 1.5, 2.5


@dataclass
class Spine:
    """One side of a frame."""

    shown: bool

    def set_visible(self, shown: bool) -> None:
        """Draw it or not."""
        self.shown = shown


@dataclass
class Axis:
    """A scale with its ticks and its name."""

    scale: Scale
    label: str = ""
    length: float = TICK
    named: bool = field(default=True)  # whether its ticks have their texts: of shared scales the outer ones have
    top: bool = False

    def tick_top(self) -> None:
        """Put the ticks over the frame."""
        self.top = True


class Furniture:
    """The furniture of a panel whose frame is known."""

    def __init__(self, panel: Pane, place: Place) -> None:
        self._panel, self._place = panel, place
        left, top, right, bottom = place.frame
        x, y = panel.xaxis, panel.yaxis
        # room: a tick every three letters across, every two lines down
        self._across = [(place.point(v, y.scale.limits[0])[0], t) for v, t in x.scale.ticks((right - left) / SIZE / 3)]
        self._up = [(place.point(x.scale.limits[0], v)[1], t) for v, t in y.scale.ticks((bottom - top) / SIZE / 2)]
        self.under = self._x_texts()
        self.beside = self._y_texts()
        self.notes = [label for note in panel.notes if (label := note.label(place)) is not None]

    def _x_texts(self) -> list[Label]:
        axis, (_, top, _, bottom) = self._panel.xaxis, self._place.frame
        if not axis.named:
            return []
        away = axis.length + PAD
        y = top - away + lowered("bottom", SIZE) if axis.top else bottom + away + lowered("top", SIZE)
        return [Label(text, at, y, SIZE, INK, "middle") for at, text in self._across if text]

    def _y_texts(self) -> list[Label]:
        axis, left = self._panel.yaxis, self._place.frame[0]
        if not axis.named:
            return []
        x = left - axis.length - PAD
        return [Label(text, x, at + lowered("tick", SIZE), SIZE, INK, "end") for at, text in self._up if text]

    def _names(self) -> tuple[Label | None, Label | None]:
        """The names of the axes, beyond the texts of their ticks."""
        left, top, right, bottom = self._place.frame
        x, y = self._panel.xaxis.label, self._panel.yaxis.label
        low = max([bottom, *(label.box()[3] for label in self.under)])
        far = min([left, *(label.box()[0] for label in self.beside)])
        return (
            Label(x, (left + right) / 2, low + LABEL_PAD + ASCENT * SIZE, SIZE, INK, "middle") if x else None,
            Label(y, far - LABEL_PAD - DESCENT * SIZE, (top + bottom) / 2, SIZE, INK, "middle", True) if y else None,
        )

    def _title(self) -> Label | None:
        if self._panel.title is None:
            return None
        text, size, pad = self._panel.title
        return Label(text, self._place.frame[0], self._place.frame[1] - pad, size, INK)

    def marks(self) -> list[tuple[float, Mark]]:
        """Everything, each with its height."""
        panel, (left, top, right, bottom) = self._panel, self._place.frame
        ticks = [((at, bottom), (at, bottom + panel.xaxis.length)) for at, _ in self._across]
        ticks += [((left, at), (left - panel.yaxis.length, at)) for at, _ in self._up]
        lengths = [panel.xaxis.length] * len(self._across) + [panel.yaxis.length] * len(self._up)
        drawn = tuple(tick for tick, length in zip(ticks, lengths, strict=True) if length)
        sides = {
            "left": ((left, bottom), (left, top)),
            "right": ((right, bottom), (right, top)),
            "bottom": ((left, bottom), (right, bottom)),
            "top": ((left, top), (right, top)),
        }
        lines = tuple(ends for side, ends in sides.items() if panel.spines[side].shown)
        pen = Look(stroke=GRAY, width=PEN)
        found: list[tuple[float, Mark]] = [(TICKS_OVER, Shape(pen, drawn))] if drawn else []
        found += [(TICKS_OVER, Shape(pen, lines))] if lines else []
        texts = [self._title(), *self.beside, *self.under, *self._names()]
        found += [(ABOVE, label) for label in texts if label is not None]
        for note in panel.notes:
            leader, label = note.leader(self._place), note.label(self._place)
            over = note.look.get("zorder", ABOVE)
            found += [(over, mark) for mark in (leader, label) if mark is not None]
        return found

    def overhang(self, slot: Box) -> Box:
        """How far the furniture reaches beyond a slot: at the left, the top, the right and the bottom."""
        x_name, y_name = self._names()
        left, top, *_ = self._place.frame
        boxes = [self._place.frame, *(label.box() for label in (*self.under, *self.beside, *self.notes))]
        boxes += self._panel.reach(slot)
        if x_name is not None:  # a long name takes no room from the frame
            boxes.append((left, x_name.box()[1], left, x_name.box()[3]))
        if y_name is not None:
            boxes.append((y_name.box()[0], top, y_name.box()[2], top))
        if (title := self._title()) is not None:
            boxes.append((left, title.box()[1], left, title.box()[3]))
        return (
            max(0.0, slot[0] - min(b[0] for b in boxes)),
            max(0.0, slot[1] - min(b[1] for b in boxes)),
            max(0.0, max(b[2] for b in boxes) - slot[2]),
            max(0.0, max(b[3] for b in boxes) - slot[3]),
        )
