"""Scree: what each component carries before and after, and the share of it that the groups explained."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fairstats.report.figures import style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def scree(
    name: str,
    after: Sequence[float],
    *,
    caption: str,
    method: str,
    before: Sequence[float] = (),
    explained: Sequence[float] = (),
) -> style.Drawing:
    """Shares of the total variation by component: the method's as bars, plain PCA's as a line.

    Parameters
    ----------
    name : str
        Prefix of the ids in the SVG.
    after : sequence of float, length k
        Share of the total that each component of the method carries (0 to 1).
    caption : str
        The finding in a sentence.
    method : str
        The method's name.
    before : sequence of float, length k, optional
        The same for principal components.
    explained : sequence of float, length k, optional
        R_j²: share of principal component j that the groups explain, drawn as the shaded part of its bar.

    Returns
    -------
    Drawing
        180 mm wide, one panel, or two when ``explained`` is given.

    Examples
    --------
    >>> scree("s", [0.4, 0.2], caption="Two components", method="og", before=[0.5, 0.2]).alt
    'Scree plot. Component 1: og 40.0 %, PCA 50.0 %. Component 2: og 20.0 %, PCA 20.0 %.'
    """
    panels = 2 if len(explained) and len(before) else 1

    def paint(figure: Figure) -> None:
        axes = figure.subplots(1, panels, squeeze=False)[0]
        _bars(axes[0], after, before, method)
        if panels == 2:
            _decomposed(axes[1], before, explained)

    alt = "Scree plot. " + " ".join(_said(j, after, before, explained, method) for j in range(len(after)))
    return style.draw(name, paint, caption=caption, alt=alt, height=64)


def _bars(axes: Axes, after: Sequence[float], before: Sequence[float], method: str) -> None:
    at = range(1, len(after) + 1)
    axes.bar(
        at, [100 * v for v in after], width=0.62, color=style.PALE, edgecolor=style.INK, linewidth=0.6, label=method
    )
    if len(before):
        axes.plot(
            at,
            [100 * v for v in before],
            "o-",
            color=style.ACCENT,
            markersize=4.5,
            linewidth=1.0,
            label="PCA",
            markerfacecolor="white",
        )
    _dress(axes, len(after), "share of the total, %")


def _decomposed(axes: Axes, before: Sequence[float], explained: Sequence[float]) -> None:
    at = range(1, len(before) + 1)
    lost = [100 * b * e for b, e in zip(before, explained, strict=True)]
    kept = [100 * b - part for b, part in zip(before, lost, strict=True)]
    axes.bar(at, lost, width=0.62, color=style.ACCENT, edgecolor=style.INK, linewidth=0.6, hatch="////", label="groups")
    axes.bar(at, kept, bottom=lost, width=0.62, color="white", edgecolor=style.INK, linewidth=0.6, label="the rest")
    _dress(axes, len(before), "principal component's share, %")


def _dress(axes: Axes, k: int, label: str) -> None:
    step = max(1, k // 10)
    axes.set_xticks(range(1, k + 1, step))
    axes.set_xlabel("component")
    axes.set_ylabel(label)
    style.bare(axes, keep=("bottom", "left"))
    axes.legend(loc="upper right", frameon=False, fontsize=7.5, handlelength=1.6)


def _said(j: int, after: Sequence[float], before: Sequence[float], explained: Sequence[float], method: str) -> str:
    parts = [f"{method} {100 * after[j]:.1f} %"]
    if len(before):
        parts.append(f"PCA {100 * before[j]:.1f} %")
    if len(explained):
        parts.append(f"groups explain {100 * explained[j]:.1f} % of it")
    return f"Component {j + 1}: {', '.join(parts)}."
