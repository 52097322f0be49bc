"""Path: how an estimate moves with a setting (a threshold, a weight), one line a group."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import combinations, pairwise
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from fairstats.auditing.sentences import column_name, level_name
from fairstats.cluster.embedding import Composition
from fairstats.estimates import Estimate
from fairstats.language import mark, say
from fairstats.provenance import Curve
from fairstats.reporting import words
from fairstats.reporting.figures import style
from fairstats.reporting.sketch import SIZE, Box, width
from fairstats.text import capital

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def path(
    name: str,
    lines: Sequence[Curve],
    *,
    caption: str,
    setting: str,
    axis: str,
    chosen: float | None = None,
    null: float = 0.0,
    order: Sequence[str] = (),
    counted: bool = False,
    equal: str = "",
    level: str = "",
) -> style.Drawing:
    """Lines over a setting, with the value that was chosen and the line of equality.

    name: prefix of the ids in the SVG.
    lines: one a group: x the setting, y the estimate; the first, which is drawn bold, with its band.
    caption: the finding in a sentence.
    setting, axis: titles of the axes.
    chosen: the setting of the audit, drawn as a labeled line.
    null: the value that means equality.
    order: groups, largest first.
    counted: whether the setting is a number of components, not a cut-off.
    equal: what the line of equality stands for: the group that all others are compared with.
    level: of the band at each setting by itself.
    Returns: 90 mm wide.

    >>> line = Curve("path", "sex", "f", (1.0, 2.0), (-0.1, 0.2))
    >>> path("p", [line], caption="c", setting="threshold", axis="gap").alt
    'Lines over threshold. f: −0.1 at 1, 0.2 at 2.'
    """
    drawn = style.chosen(lines, order)
    height = 45.0

    def paint(figure: Figure) -> None:
        axes = figure.add_subplot()
        if drawn:  # no further than the lines: names begin where they end
            ends_at = [end(end(c.x) for c in drawn) for end in (min, max)]
            apart = 0.0 if ends_at[1] > ends_at[0] else 0.5
            axes.plot([ends_at[0] - apart, ends_at[1] + apart], [null, null], color=style.INK, linewidth=0.8, zorder=1)
            if counted:
                first, last = map(int, ends_at)
                axes.set_xticks(range(first, last + 1, max(1, (last - first) // 5)))
        if chosen is not None:
            axes.axvline(chosen, color=style.PALE, linewidth=0.9, zorder=0)
            style.above(axes, chosen, say("chosen: {threshold}", threshold=words.setting(chosen)), style.GRAY)
        for i, line in enumerate(drawn):
            _line(axes, line, bold=i == 0, marker="o" if counted else None)
        axes.set_xlabel(style.short(setting, 44))
        axes.set_ylabel(style.upright(axis, height))
        style.bare(axes, keep=("bottom", "left"))
        ends = [(c.x[-1], c.y[-1], c.group, style.ACCENT if i == 0 else style.GRAY) for i, c in enumerate(drawn)]
        if equal and drawn:
            ends.append((max(c.x[-1] for c in drawn), null, equal, style.INK))
        style.name_ends(axes, ends, height=height - 16)

    description = " ".join(
        f"{c.group}: {', '.join(style.at(words.significant(y, 3), words.significant(x, 4)) for x, y in _few(c))}."
        for c in drawn
    )
    group = drawn[0].group if drawn and drawn[0].low else ""
    each = say("Band: {level} interval of {group} at each cut-off by itself.", level=level, group=group)
    each = say("Band: interval of {group}, number by number.", group=group) if counted else each
    band = f" {each}" if group else ""
    left = style.omitted(lines)
    alt = f"{say('Lines over {setting}.', setting=setting)} {description}{left}"
    return style.draw(name, paint, caption=f"{caption}{band}{left}", alt=alt, width=style.NARROW, height=height)


def _line(axes: Axes, line: Curve, *, bold: bool, marker: str | None) -> None:
    if bold and line.low:
        axes.fill_between(line.x, line.low, line.high, color=style.ACCENT, alpha=0.15, linewidth=0, zorder=0)
    x, y = style.thin(list(line.x), list(line.y))
    look: dict[str, Any] = {"color": style.ACCENT if bold else style.PALE, "zorder": 3 if bold else 2}
    axes.plot(x, y, linewidth=1.3 if bold else 0.8, **look)
    if marker:
        axes.plot(x, y, marker, markersize=3, **look)


def _few(curve: Curve) -> list[tuple[float, float]]:
    """At most nine points, evenly over the settings: the text that replaces a figure is no table."""
    step = max(1, -(-len(curve.x) // 9))
    return list(zip(curve.x, curve.y, strict=True))[::step]


# Scree: what each component carries, the share of it that goes with the groups, and plain PCA beside it.


FEW = 3  # components, whose bars are told apart in a lower picture


def scree(
    name: str,
    components: Sequence[float],
    *,
    caption: str,
    explained: Sequence[float] = (),
) -> style.Drawing:
    """Share of the total variation by component; the part that the groups explain is shaded.

    name: prefix of the ids in the SVG.
    components: share of the total in each component (0 to 1).
    caption: the finding in a sentence.
    explained: R_j²: share of component j that the groups explain.
    Returns: 180 mm wide.

    >>> scree("s", [0.4, 0.2], caption="Two components", explained=[0.1, 0.0]).alt
    'Scree plot. Component 1: 40.00%; of it 10.00% goes with the groups. ... of it 0.00% goes with the groups.'
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

    alt = f"{say('Scree plot.')} " + " ".join(_component_text(j, components, explained) for j in range(len(components)))
    return style.draw(name, paint, caption=caption, alt=alt, height=32 if len(components) <= FEW else 46)


def _component_text(j: int, components: Sequence[float], explained: Sequence[float]) -> str:
    parts = [say("{share}%", share=words.percent(components[j], 2))]
    if len(explained):
        parts.append(say("of it {share}% goes with the groups", share=words.percent(explained[j], 2)))
    return say("Component {n}: {shares}.", n=j + 1, shares="; ".join(parts))


# Clusters by group: the share of each level in each cluster, beside its share of the whole graph.


MOST_LEVELS, MOST_CLUSTERS = 4, 24


def cluster_shares(name: str, table: Composition, *, caption: str, plain: Composition | None = None) -> style.Drawing:
    """One panel a level, the largest ones and that of the largest gap; in each, the clusters from the largest down.

    name: prefix of the ids in the SVG.
    table: clusters × levels of one attribute.
    caption: the finding in a sentence.
    plain: the ordinary clusters of the same network, drawn below and open.
    Returns: 180 mm wide; at most four levels and 24 clusters, the text says what is left out.

    >>> table = Composition("sex", ["f", "m"], np.array([[3, 1], [1, 3]]))
    >>> cluster_shares("c", table, caption="c").alt
    'Share of each group of sex by cluster. f, 50.0% of all: 75.0% in cluster 1, 25.0% in 2. m, ... 75.0% in 2.'
    """
    totals = table.counts.sum(axis=0)
    order = np.argsort(-totals, kind="stable")
    if table.widest[1] not in order[:MOST_LEVELS]:
        order[MOST_LEVELS - 1] = table.widest[1]
    order = order[:MOST_LEVELS]
    shown = min(len(table.counts), MOST_CLUSTERS)
    drawn = [(table, mark("cluster {c}  (n = {n})"))]
    if plain is not None:
        drawn.append((plain, mark("ordinary: cluster {c}  (n = {n})")))
    shares = np.vstack([one.shares[:shown] for one, _ in drawn])
    titles = [f"{column_name(table.attribute)} = {level_name(table.attribute, table.levels[g])}" for g in order]
    names = [
        say(wording, c=c + 1, n=words.count(one.counts[c].sum()))
        for one, wording in drawn
        for c in range(min(shown, len(one.counts)))
    ]

    def paint(figure: Figure) -> None:
        panels = figure.subplots(1, len(order), sharey=True, squeeze=False)[0]
        for axes, g, title in zip(panels, order, titles, strict=True):
            _panel(axes, 100 * shares[:, g], 100 * totals[g] / totals.sum(), shown)
            axes.set_title(style.short(title, 26), loc="left", pad=12)
            axes.set_xlabel(say("% of the cluster"))
        first = panels[0]
        style.name_rows(first, names)
        first.set_ylim(len(names) - 0.5, -0.5)

    head = say("Share of each group of {attribute} by cluster.", attribute=column_name(table.attribute))
    alt = f"{head} {_clusters_alt(table, order, shown)}"
    if plain is not None:
        alt += " " + say("Ordinary clustering: {shares}", shares=_clusters_alt(plain, order, shown))
        caption += " " + say("Open: the ordinary clustering.")
    left = _left_out(table, shown)
    return style.draw(name, paint, caption=caption + left, alt=alt + left, height=24 + 5.0 * len(names))


def _panel(axes: Axes, shares: np.ndarray, overall: float, filled: int) -> None:
    at = np.arange(len(shares))
    axes.axvline(overall, color=style.GRAY, linewidth=0.8, linestyle=(0, (4, 2)), zorder=1)
    style.above(axes, overall, say("whole {share}%", share=words.number(overall, 0)), style.GRAY)
    axes.hlines(at, np.minimum(shares, overall), np.maximum(shares, overall), color=style.PALE, linewidth=1.4, zorder=2)
    axes.plot(shares[:filled], at[:filled], "o", color=style.ACCENT, markersize=5, zorder=3)
    axes.plot(shares[filled:], at[filled:], "o", color=style.ACCENT, markerfacecolor="white", markersize=5, zorder=3)
    axes.set_xlim(-4, 104)
    axes.set_xticks([0, 50, 100])
    style.bare(axes)


def _clusters_alt(table: Composition, order: np.ndarray, shown: int) -> str:
    totals = table.counts.sum(axis=0)
    parts = []
    for g in order:
        inside = ", ".join(
            say("{share}% in cluster {c}", share=words.percent(table.shares[c, g]), c=c + 1)
            if c == 0
            else say("{share}% in {c}", share=words.percent(table.shares[c, g]), c=c + 1)
            for c in range(shown)
        )
        share = words.percent(totals[g] / totals.sum())
        level = level_name(table.attribute, table.levels[g])
        parts.append(say("{level}, {share}% of all: {inside}.", level=level, share=share, inside=inside))
    return " ".join(parts)


def _left_out(table: Composition, shown: int) -> str:
    levels, rows = len(table.levels) - MOST_LEVELS, len(table.counts) - shown
    omissions = [say("{n} more groups", n=levels)] if levels > 0 else []
    omissions += [say("{n} smaller clusters", n=rows)] if rows > 0 else []
    return f" {say('Not drawn: {what}.', what=words.listed(omissions))}" if omissions else ""


# What each method costs against the gap that it leaves, one point a method, with intervals both ways.


MOST_POINTS = 12


MOST_OF_CURVES = 40  # points, where lines join them; above twelve a line is named at its ends alone


FEW_POINTS = 3
SAME_PLACE = 0.003  # of an axis: points that are nearer are one point to the eye, and have one name
LONGEST = 34  # letters of a name
FEWEST_LINES = 12  # of the room beside a frame that a legend is laid out in
FAR = 10  # points of the page from which on a line leads from a name to its point
LEADER = {"arrowstyle": "-", "linewidth": 0.4, "color": style.INK, "shrinkA": 0.0, "shrinkB": 3.0}


def unbroken(points: Iterable[tuple[str, Estimate, Estimate]]) -> list[list[tuple[str, Estimate, Estimate]]]:
    """Return the points of a curve in runs that a line may join: from one group's gap to another's below 0 none is 0.

    >>> from dataclasses import replace
    >>> quality, apart = Estimate("AUC"), Estimate("loss", "sex", "f", "difference", "m", estimate=0.2)
    >>> other = replace(apart, group="x", estimate=-0.2)
    >>> [len(run) for run in unbroken([("a", quality, apart), ("b", quality, apart), ("c", quality, other)])]
    [2, 1]
    """
    runs: list[list[tuple[str, Estimate, Estimate]]] = []
    for point in points:
        before = runs[-1][-1][2] if runs else None
        apart = point[2]
        joins = before is not None and (
            (before.attribute, before.group) == (apart.attribute, apart.group)
            or not apart.reference
            or before.estimate * apart.estimate > 0
        )
        if joins:
            runs[-1].append(point)
        else:
            runs.append([point])
    return runs


def price_gap(
    name: str,
    points: Sequence[tuple[str, Estimate, Estimate]],
    *,
    caption: str,
    price: str,
    gap: str,
    curves: Sequence[Sequence[str]] = (),
    named: Collection[str] = (),
) -> style.Drawing:
    """Draw the price to the right and the gap upward.

    name: prefix of the ids in the SVG.
    points: each method with its quality (an AUC, or an accuracy) and its gap; the first, without adjustment, is open,
        each (label, quality, gap).
    caption: the finding in a sentence.
    price, gap: titles of the axes.
    curves: labels of points that a line joins, in order.
    named: labels that are written; the other points, however many, are dots. All are written where it is empty.
    Returns: 180 mm wide; without names to write at most twelve methods, or forty points of curves.

    >>> quality = Estimate("AUC", estimate=0.7, conf_low=0.68, conf_high=0.72)
    >>> apart = Estimate("positive rate", contrast="difference", estimate=-0.2, conf_low=-0.25, conf_high=-0.15)
    >>> price_gap("p", [("none", quality, apart)], caption="c", price="AUC", gap="gap").alt
    'Gap against price. none: AUC 0.700 (0.680 to 0.720), gap −20.0 points (−25.0 to −15.0).'
    """
    most = len(points) if named else MOST_OF_CURVES if curves else MOST_POINTS
    present = [p for p in points if words.shown(p[1]) and words.shown(p[2])][:most]
    many = len(present) > MOST_POINTS and not named
    height = 104.0 if many and curves else 68.0
    if len(points) <= FEW_POINTS:  # as low as the name of the upright axis, above the other one, lets it be
        height = min(height, max(46.0, width(gap, SIZE) / 72 * 25.4 + style.AROUND + 6))
    even = 0.5 if present and present[0][2].contrast == "none" else 0.0  # of an AUC, chance

    def paint(figure: Figure) -> None:
        axes = figure.add_subplot()
        axes.axhline(even, color=style.INK, linewidth=0.8, zorder=1)
        lines = []
        for i, curve in enumerate(curves):
            for run in unbroken([point for point in present if point[0] in curve]):
                lines.append([(_x(quality), _y(apart)) for _, quality, apart in run])
                axes.plot(*zip(*lines[-1], strict=True), linewidth=1.2, zorder=2, **style.dashed(i))
        single = [label for label, *_ in present if not any(label in curve for curve in curves)] if curves else []
        for i, (label, quality, apart) in enumerate(present):
            marks = [*curves, *([one] for one in single)]
            curve_at = next((j for j, of in enumerate(marks) if label in of), 0)
            if named and label not in named:
                axes.plot(_x(quality), _y(apart), "o", color=style.GRAY, markersize=3.5, zorder=2)
            else:
                _point(axes, quality, apart, filled=i > 0, curve=curve_at, many=many)
        axes.margins(x=0.12, y=0.12)
        axes.set_xlabel(style.short(price, 80))
        axes.set_ylabel(style.upright(gap, height, general=say("gap")))
        style.bare(axes, keep=("bottom", "left"))
        inner = {label for curve in curves for label in curve[1:-1]} if many else set()
        written = [p for p in present if (p[0] in named if named else p[0] not in inner)]
        near = [abs(high - low) * SAME_PLACE for low, high in (axes.get_xlim(), axes.get_ylim())]
        together: dict[tuple[float, float], list[str]] = {}  # by where they are drawn
        for label, quality, apart in written:
            here = (_x(quality), _y(apart))
            same = next((one for one in together if (np.abs(np.subtract(one, here)) <= near).all()), here)
            together.setdefault(same, []).append(_short_name(label, [p[0] for p in present], curves))
        at = list(together)
        limits = [ends for _, quality, apart in present for ends in _limits(quality, apart)]
        dots = [(_x(quality), _y(apart)) for _, quality, apart in present]
        names = [words.listed(some, 2) for some in together.values()]
        room = (style.WIDE - 22, height - 14)  # mm: the frame within the names of its axes
        places, is_clear = _places(names, at, dots, lines, limits, axes, room, even)
        if not is_clear or max(map(len, together.values()), default=0) > 2:
            key = [(str(i), one) for i, some in enumerate(together.values(), 1) for one in some]
            _legend(axes, key)
            names = [str(i) for i in range(1, len(at) + 1)]
            wide = max(width(f"{number}: {one}", SIZE) for number, one in key) / 72 * 25.4
            places, _ = _places(names, at, dots, lines, limits, axes, (room[0] - wide, room[1]), even)
        for label, point, (x, y, side) in zip(names, at, places, strict=True):
            axes.annotate(
                label,
                point,
                (x, y),
                textcoords="offset points",
                ha=side,
                va="center",
                color=style.INK,
                arrowprops=LEADER if max(abs(x), abs(y)) > FAR else None,
                bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.75, "pad": 0.2},
                zorder=2.5,  # over the limits, below the points
            )

    described = [p for p in present if not named or p[0] in named]
    of_areas = (price, gap) if even else None
    text = " ".join(_price_alt(*p, of_areas) for p in described)
    missing = len(points) - len(described)
    left = f" {say('{n} more are in results.csv.', n=missing)}" if missing else ""
    head = say("{gap} against {price}.", gap=gap, price=price) if even else say("Gap against price.")
    alt = f"{head} {text}"
    caption, alt = (caption, alt + left) if named else (caption + left, alt)
    return style.draw(name, paint, caption=caption, alt=alt, height=height, width=style.WIDE)


def _legend(axes: Axes, key: Sequence[tuple[str, str]]) -> None:
    """The number of each point and a method that it is of, a line each, right of the frame."""
    low, top = axes.get_ylim()
    step = (top - low) / max(len(key), FEWEST_LINES)
    for i, (number, one) in enumerate(key):
        axes.annotate(
            f"{number}: {one}",
            (1.02, top - (i + 0.5) * step),
            xycoords=("axes fraction", "data"),
            va="center",
            annotation_clip=False,
        )


def _short_name(label: str, every: Sequence[str], curves: Sequence[Sequence[str]]) -> str:
    """A name of at most 34 letters: of a longer one the method, what differs along its curve, and as few of its other
    settings as no other name of the method has."""
    if len(label) > LONGEST and label.endswith(")"):
        method, *settings = _parts(label)
        curve = next((curve for curve in curves if label in curve), ())
        varied = {one for one in settings if any(one not in _parts(other) for other in curve)}
        others = [set(_parts(other)) for other in every if other != label and _parts(other)[0] == method]
        some = (set(kept) | varied for n in range(len(settings)) for kept in combinations(settings, n))
        apart = (kept for kept in some if not any(kept <= other for other in others))
        shortest = min(apart, key=lambda kept: (len(kept), sum(map(len, kept))), default=set(settings))
        label = f"{method} ({', '.join(one for one in settings if one in shortest)})" if shortest else method
    return style.short(label, LONGEST)


def _parts(label: str) -> list[str]:
    """The method and its settings, of "method (setting, setting)"."""
    method, _, settings = label.removesuffix(")").partition(" (")
    return [method, *settings.split(", ")]


_Place = tuple[float, float, Literal["left", "right"]]
_BESIDE: tuple[tuple[float, Literal["left", "right"]], ...] = ((1.0, "left"), (-1.0, "right"))
_AROUND_POINT: tuple[_Place, ...] = tuple(
    (sign * out, y, side)
    for away, outs in ((9.0, (5.5, 24.0, 48.0)), (19.0, (5.5, 24.0)), (30.0, (5.5, 24.0, 48.0)), (42.0, (5.5, 24.0)))
    for out in outs
    for sign, side in _BESIDE
    for y in (away, -away)
)  # points of the page from the point of the data to the text
ROUNDS = 3  # in which each name is placed anew among the others


def _places(
    names: Sequence[str],
    at: Sequence[tuple[float, float]],
    dots: Sequence[tuple[float, float]],
    lines: Sequence[Sequence[tuple[float, float]]],
    limits: Sequence[Sequence[tuple[float, float]]],
    axes: Axes,
    room: tuple[float, float],
    even: float,
) -> tuple[list[_Place], bool]:
    """Where each name stands beside its point: in the frame, where it covers no name, no point, no line, no limits.

    What cannot be avoided is made least: a name that is covered counts most.

    at: the points that have names.
    dots: all points.
    room: of the frame, in mm.
    Returns: the places, and whether every name is in the frame, apart from all other names and from all points at.
    """
    wide, high = (mm / 25.4 * 72 for mm in room)
    (left, right), (low, top) = axes.get_xlim(), axes.get_ylim()

    def placed(points: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
        return [((x - left) / (right - left) * wide, (y - low) / (top - low) * high) for x, y in points]

    on_page, every = placed(at), placed(dots)
    drawn = [piece for line in map(placed, lines) for ends in pairwise(line) for piece in _pieces(*ends)]
    zero = (even - low) / (top - low) * high
    struck: list[Box] = [(a, b, c, d) for (a, b), (c, d) in map(placed, limits)]
    points: list[Box] = [(x - 4, y - 4, x + 4, y + 4) for x, y in every]
    options = [
        [
            (place, box, _leader(box, point) if max(map(abs, place[:2])) > FAR else [])
            for place in _AROUND_POINT
            for box in [_text_box(*point, width(name, SIZE), place)]
        ]
        for name, point in zip(names, on_page, strict=True)
    ]
    chosen: dict[int, tuple[_Place, Box, list[Box]]] = {}
    for i in [*range(len(names))] * ROUNDS:
        others = [one for j, one in chosen.items() if j != i]
        taken = [box for _, box, _ in others]
        leaders = [piece for *_, leader in others for piece in leader]
        beside = [box for box, point in zip(points, every, strict=True) if point != on_page[i]]
        costs = [
            _covered(box, taken, points, (wide, high), zero)
            + 2 * any(_overlap(box, piece) for piece in drawn)
            + 6 * any(_overlap(box, piece) for piece in leaders)
            + sum(_overlap(box, line) for line in struck)
            + 2 * (_nearest(box, every) != on_page[i])
            + 6 * any(_overlap(piece, other) for piece in leader for other in (*taken, *beside))
            + 4 * any(_overlap(piece, other) for piece in leader for other in leaders)
            for _, box, leader in options[i]
        ]
        chosen[i] = options[i][costs.index(min(costs))]
    boxes = [(box[0] + 1.5, box[1] + 1.5, box[2] - 1.5, box[3] - 1.5) for _, box, _ in chosen.values()]
    named = [(x - 3, y - 3, x + 3, y + 3) for x, y in on_page]
    is_clear = not any(
        _covered(box, [other for other in boxes if other is not box], named, (wide, high), np.inf) for box in boxes
    )
    return [chosen[i][0] for i in range(len(names))], is_clear


def _leader(box: Box, point: tuple[float, float]) -> list[Box]:
    """The line from a name to its point."""
    return _pieces(((box[0] + box[2]) / 2, (box[1] + box[3]) / 2), point)


def _pieces(one: tuple[float, float], other: tuple[float, float]) -> list[Box]:
    """A straight line, as boxes."""
    (x, y), (u, v) = one, other
    steps = [((x + (u - x) * i / 20), (y + (v - y) * i / 20)) for i in range(21)]
    return [(min(a, c), min(b, d), max(a, c), max(b, d)) for (a, b), (c, d) in pairwise(steps)]


def _text_box(x: float, y: float, long: float, place: _Place) -> Box:
    across, up, side = place
    start = x + across - (long if side == "right" else 0)
    return (start - 1.5, y + up - 5, start + long + 1.5, y + up + 5)


def _covered(box: Box, taken: Sequence[Box], points: Sequence[Box], room: tuple[float, float], zero: float) -> int:
    beyond = box[0] < 0 or box[1] < 0 or box[2] > room[0] or box[3] > room[1]
    names, dots = (sum(_overlap(box, other) for other in others) for others in (taken, points))
    return 9 * (names + dots) + 30 * beyond + (box[1] < zero < box[3])


def _nearest(box: Box, on_page: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """The point that is nearest to a name."""

    def away(point: tuple[float, float]) -> float:
        x, y = point
        return max(box[0] - x, x - box[2], 0.0) ** 2 + max(box[1] - y, y - box[3], 0.0) ** 2

    return min(on_page, key=away)


def _overlap(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _x(row: Estimate) -> float:
    return row.estimate * (100 if words.unit(row) else 1)


def _y(row: Estimate) -> float:
    return row.estimate * (100 if words.unit(row) else 1)


def _limits(quality: Estimate, apart: Estimate) -> Iterator[list[tuple[float, float]]]:
    """The ends of the limits of a point, along and across."""
    x, y = _x(quality), _y(apart)
    if quality.conf_low == quality.conf_low:
        factor = 100 if words.unit(quality) else 1
        yield [(factor * quality.conf_low, y), (factor * quality.conf_high, y)]
    if apart.conf_low == apart.conf_low:
        factor = 100 if words.unit(apart) else 1
        yield [(x, factor * apart.conf_low), (x, factor * apart.conf_high)]


def _point(axes: Axes, quality: Estimate, apart: Estimate, *, filled: bool, curve: int, many: bool) -> None:
    color = style.color(curve)
    for ends in _limits(quality, apart):
        look: dict[str, Any] = {"color": style.PALE if many else style.GRAY, "linewidth": 0.9, "zorder": 1.5}
        axes.plot(*zip(*ends, strict=True), **look)
    axes.plot(
        _x(quality),
        _y(apart),
        style.MARKERS[curve % len(style.MARKERS)],
        color=color,
        markersize=6,
        markerfacecolor=color if filled else "white",
        markeredgewidth=1.2,
        zorder=3 if filled else 4,  # the open one stays open where another method is the same
    )


def _price_alt(label: str, quality: Estimate, apart: Estimate, areas: tuple[str, str] | None) -> str:
    """areas: of two AUCs, what each is of."""
    ends = [f" ({limits})" if (limits := words.interval(r)) != words.DASH else "" for r in (quality, apart)]
    numbers = {"quality": f"{words.estimate(quality)}{ends[0]}", "gap": f"{words.estimate(apart)}{ends[1]}"}
    if areas:
        return say("{method}: {price} {quality}, {left} {gap}.", method=label, price=areas[0], left=areas[1], **numbers)
    return say(
        "{method}: {metric} {quality}, gap {gap}.", method=label, metric=words.in_text(quality.metric), **numbers
    )


# Who pays: the error of each group before and after, one line a group.


MOST_GROUPS = 12


def group_loss(
    name: str, lines: Sequence[tuple[str, float, float]], *, caption: str, before: str, after: str, what: str
) -> style.Drawing:
    """Draw a loss of each group under two methods, joined by a line.

    name: prefix of the ids in the SVG.
    lines: largest group first; at most twelve are drawn, each (group, error before, error after).
    caption: the finding in a sentence.
    before, after: what the two methods are called.
    what: the loss.
    Returns: 180 mm wide.

    >>> group_loss("g", [("f", 1.5, 1.7)], caption="c", before="PCA", after="og", what="mean squared error").alt
    'Mean squared error by group, PCA and og. f: 1.500 and 1.700.'
    """
    drawn = list(lines)[:MOST_GROUPS]

    def paint(figure: Figure) -> None:
        axes = figure.add_subplot()
        for y, (_, old, new) in enumerate(drawn):
            axes.plot([old, new], [y, y], color=style.PALE, linewidth=1.6, zorder=1)
            look = {"color": style.ACCENT, "markersize": 5.5, "markeredgewidth": 1.1, "zorder": 3}
            axes.plot(old, y, "o", markerfacecolor="white", **look)
            axes.plot(new, y, "o", markerfacecolor=style.ACCENT, **look)
        _, old, new = drawn[0]
        for value, label, right in ((old, before, old > new), (new, after, new >= old)):
            axes.annotate(
                style.short(label, 30),
                (value, 0),
                (5 if right else -5, 7),
                textcoords="offset points",
                ha="left" if right else "right",
                color=style.GRAY,
            )
        style.name_rows(axes, [style.short(group, 36) for group, *_ in drawn])
        axes.set_ylim(len(drawn) - 0.4, -0.9)
        axes.set_xlim(0, 1.12 * max(max(old, new) for _, old, new in drawn))
        axes.set_xlabel(style.short(what, 80))
        style.bare(axes)

    text = " ".join(f"{g}: {words.listed([words.compact(old), words.compact(new)])}." for g, old, new in drawn)
    missing = len(lines) - len(drawn)
    left = f" {say('{n} smaller groups are not drawn.', n=missing)}" if missing else ""
    head = say("{what} by group, {before} and {after}.", what=capital(what), before=before, after=after)
    return style.draw(
        name,
        paint,
        caption=caption + left,
        alt=f"{head} {text}{left}",
        height=15 + 5.0 * len(drawn),
    )
