"""Scree: what each component carries, the share of it that goes with the groups, and plain PCA beside it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from fairstats.language import say
from fairstats.reporting import numbers as words
from fairstats.reporting.figures import style

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FEW = 3  # components, whose bars are told apart in a lower picture


def scree(
    name: str,
    components: Sequence[float],
    *,
    caption: str,
    explained: Sequence[float] = (),
) -> style.Drawing:
    """Share of the total variation by component; the part that the groups explain is shaded.

    Parameters
    ----------
    name : str
        Prefix of the ids in the SVG.
    components : sequence of float, length k
        Share of the total in each component (0 to 1).
    caption : str
        The finding in a sentence.
    explained : sequence of float, length k, optional
        R_j²: share of component j that the groups explain.

    Returns
    -------
    Drawing
        180 mm wide.

    Examples
    --------
    >>> scree("s", [0.4, 0.2], caption="Two components", explained=[0.1, 0.0]).alt
    'Scree plot. Component 1: 40.00 %; of it 10.00 % goes with the groups. ... of it 0.00 % goes with the groups.'
    """

    def paint(figure: Figure) -> None:
        axes = figure.add_subplot()
        at = range(1, len(components) + 1)
        lost = [100 * c * e for c, e in zip(components, explained, strict=True)] if len(explained) else [0.0] * len(at)
        kept = [100 * c - part for c, part in zip(components, lost, strict=True)]
        bar: dict[str, Any] = {"width": 0.6, "edgecolor": style.INK, "linewidth": 0.6}
        axes.bar(at, kept, color=style.PALE, **bar)
        if any(lost):
            axes.bar(at, lost, bottom=kept, color="white", hatch="//////", **bar)
        axes.set_ylim(0, 108 * max(components, default=1.0))
        axes.set_xticks(range(1, len(components) + 1, max(1, len(components) // 10)))
        axes.set_xlabel(say("component"))
        axes.set_ylabel(say("share, %") if len(components) <= FEW else say("share of the total, %"))
        style.bare(axes, keep=("bottom", "left"))

    alt = f"{say('Scree plot.')} " + " ".join(_said(j, components, explained) for j in range(len(components)))
    return style.draw(name, paint, caption=caption, alt=alt, height=32 if len(components) <= FEW else 46)


def _said(j: int, components: Sequence[float], explained: Sequence[float]) -> str:
    parts = [say("{share} %", share=words.percent(components[j], 2))]
    if len(explained):
        parts.append(say("of it {share} % goes with the groups", share=words.percent(explained[j], 2)))
    return say("Component {n}: {shares}.", n=j + 1, shares="; ".join(parts))
