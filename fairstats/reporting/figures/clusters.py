"""Clusters by group: the share of each level in each cluster, beside its share of the whole graph."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from fairstats.cluster.measures import Composition
from fairstats.language import say
from fairstats.reporting import numbers as words
from fairstats.reporting.figures import style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_LEVELS, MOST_CLUSTERS = 4, 24


def clusters(name: str, table: Composition, *, caption: str) -> style.Drawing:
    """One panel a level, largest level first; in each, the clusters from the largest down.

    Parameters
    ----------
    name : str
        Prefix of the ids in the SVG.
    table : Composition
        Clusters × levels of one attribute.
    caption : str
        The finding in a sentence.

    Returns
    -------
    Drawing
        180 mm wide; at most four levels and 24 clusters, the text says what is left out.

    Examples
    --------
    >>> table = Composition("sex", ["f", "m"], np.array([[3, 1], [1, 3]]))
    >>> clusters("c", table, caption="c").alt
    'Share of each level of sex by cluster. f, 50.0 % of all: 75.0 % in cluster 1, 25.0 % in 2. m, ... 75.0 % in 2.'
    """
    totals = table.counts.sum(axis=0)
    order = np.argsort(-totals, kind="stable")[:MOST_LEVELS]
    shown = min(len(table.counts), MOST_CLUSTERS)
    sizes = table.counts.sum(axis=1)

    def paint(figure: Figure) -> None:
        panels = np.atleast_1d(figure.subplots(1, len(order), sharey=True))
        for axes, g in zip(panels, order, strict=True):
            _panel(axes, 100 * table.shares[:shown, g], 100 * totals[g] / totals.sum())
            axes.set_title(style.short(f"{table.attribute} = {table.levels[g]}", 26), loc="left", pad=12)
            axes.set_xlabel(say("% of the cluster"))
        first = panels[0]
        first.set_yticks(
            range(shown), [say("cluster {c}  (n = {n})", c=c + 1, n=words.count(sizes[c])) for c in range(shown)]
        )
        first.set_ylim(shown - 0.5, -0.5)

    head = say("Share of each level of {attribute} by cluster.", attribute=table.attribute)
    alt = f"{head} {_said(table, order, shown)}"
    left = _left_out(table, shown)
    return style.draw(name, paint, caption=caption + left, alt=alt + left, height=24 + 5.0 * shown)


def _panel(axes: Axes, shares: np.ndarray, overall: float) -> None:
    at = np.arange(len(shares))
    axes.axvline(overall, color=style.GRAY, linewidth=0.8, linestyle=(0, (4, 2)), zorder=1)
    style.above(axes, overall, say("graph {share} %", share=words.number(overall, 0)), style.GRAY)
    axes.hlines(at, np.minimum(shares, overall), np.maximum(shares, overall), color=style.PALE, linewidth=1.4, zorder=2)
    axes.plot(shares, at, "o", color=style.ACCENT, markersize=5, zorder=3)
    axes.set_xlim(-4, 104)
    axes.set_xticks([0, 50, 100])
    style.bare(axes)


def _said(table: Composition, order: np.ndarray, shown: int) -> str:
    totals = table.counts.sum(axis=0)
    parts = []
    for g in order:
        inside = ", ".join(
            say("{share} % in cluster {c}", share=words.percent(table.shares[c, g]), c=c + 1)
            if c == 0
            else say("{share} % in {c}", share=words.percent(table.shares[c, g]), c=c + 1)
            for c in range(shown)
        )
        share = words.percent(totals[g] / totals.sum())
        parts.append(say("{level}, {share} % of all: {inside}.", level=table.levels[g], share=share, inside=inside))
    return " ".join(parts)


def _left_out(table: Composition, shown: int) -> str:
    levels, rows = len(table.levels) - MOST_LEVELS, len(table.counts) - shown
    omissions = [say("{n} smaller levels", n=levels)] if levels > 0 else []
    omissions += [say("{n} smaller clusters", n=rows)] if rows > 0 else []
    return f" {say('Not drawn: {what}.', what=words.listed(omissions))}" if omissions else ""
