"""Names beside what they name: the ends of lines, so that no legend has to be read back and forth."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fairstats.reporting.figures import style

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LINE = 3.3  # mm from one label to the next


def spread(wanted: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Return places near those wanted, at least ``gap`` apart and within the limits where they fit.

    Examples
    --------
    >>> spread([1.0, 1.0, 5.0], 2.0, 0.0, 10.0)
    [0.0, 2.0, 5.0]
    >>> spread([9.5, 10.0], 2.0, 0.0, 10.0)
    [8.0, 10.0]
    """
    order = sorted(range(len(wanted)), key=lambda i: wanted[i])
    # blocks of labels that touch, each centered on what its members want (pool adjacent violators)
    blocks: list[list[int]] = []
    starts: list[float] = []
    for i in order:
        blocks.append([i])
        starts.append(wanted[i])
        while len(blocks) > 1 and starts[-2] + gap * len(blocks[-2]) > starts[-1]:
            last = blocks.pop()
            starts.pop()
            blocks[-1] += last
            ideal = [wanted[j] - gap * k for k, j in enumerate(blocks[-1])]
            starts[-1] = sum(ideal) / len(ideal)
            starts[-1] = max(min(starts[-1], high - gap * (len(blocks[-1]) - 1)), low)
    placed = [0.0] * len(wanted)
    for start, block in zip(starts, blocks, strict=True):
        for k, j in enumerate(block):
            placed[j] = start + gap * k
    return placed


def name_ends(
    axes: Axes, ends: Sequence[tuple[float, float, str, str]], *, height: float, room: float | None = None
) -> None:
    """Write each line's name at the right of its last point; a thin leader where the name had to move.

    Parameters
    ----------
    axes : Axes
        Its limits are set.
    ends : sequence of (x, y, name, color)
        The last point of each line.
    height : float
        Of the frame, in mm.
    room : float, optional
        Where the names begin, in x; just beyond the farthest end where absent.
    """
    if not ends:
        return
    low, high = axes.get_ylim()
    left, right = axes.get_xlim()
    start = (max(x for x, *_ in ends) if room is None else room) + 0.025 * (right - left)
    places = spread([y for _, y, _, _ in ends], LINE * (high - low) / height, low, high)
    for (x, y, name, color), place in zip(ends, places, strict=True):
        moved = abs(place - y) * height / (high - low) > 1.0 or start - x > 0.05 * (right - left)
        axes.annotate(
            style.short(name, 30),
            (x, y),
            (start, place),
            va="center",
            color=color,
            fontsize=7.5,
            annotation_clip=False,
            arrowprops={"arrowstyle": "-", "color": style.PALE, "linewidth": 0.5, "shrinkA": 1, "shrinkB": 3}
            if moved
            else None,
        )
