"""Dot plot: the rate of each group with its interval, in the order of the rows."""

from __future__ import annotations

import html
import math
import textwrap
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal

from scipy.special import ndtri

from fairstats.auditing.answer import FEW
from fairstats.auditing.tally import KEPT
from fairstats.estimates import Estimate
from fairstats.inference.verdicts import decisive_interval
from fairstats.language import mark, say, say_number, says, translated
from fairstats.metrics import CHANCES, GAPS_OF_AMOUNTS, METRICS, PERCENT, PLAIN, RATIO
from fairstats.provenance import FlowStep
from fairstats.reporting import words
from fairstats.reporting.figures import style
from fairstats.reporting.figures.style import name_of_kind, point, row_text
from fairstats.reporting.sketch import SIZE, width
from fairstats.text import capital

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def dot(
    name: str,
    rows: Sequence[Estimate],
    *,
    caption: str,
    reference: str = "",
    axis: str = "",
    numbers: bool = True,
    bounds: Mapping[str, tuple[float, float]] | None = None,
    apart: Collection[str] = (),
    drawn: Mapping[str, Estimate] | None = None,
) -> style.Drawing:
    """Rates of one metric for the groups of one attribute, in the order in which they are given.

    Parameters
    ----------
    name : str
        Prefix of the ids in the SVG.
    rows : sequence of Estimate
        One rate a group.
    caption : str
        The finding in a sentence.
    reference : str
        The group whose rate is drawn as a line through the others.
    axis : str
        Title of the axis.
    numbers : bool
        Whether the numbers stand at the right; false where a table below holds them.
    bounds : mapping, optional
        A group to the ends of its rate over people who were withheld: a bar in place of a point, which nobody knows.
    apart : collection of str
        The groups that are shown to differ from the reference: their points are filled, as in every figure.
    drawn : mapping, optional
        A group to its rate drawn toward the mean of all groups, which is an upright mark.

    >>> rows = [Estimate("selection rate", group=g, n=n, estimate=p, conf_low=p - 0.1, conf_high=p + 0.1)
    ...         for g, n, p in [("b", 90, 0.7)]]
    >>> dot("d", rows, caption="b is selected more often").alt
    'Dot plot. b (n = 90): 70.0%, interval 60.0 to 80.0.'
    """
    items = [r for r in rows if words.shown(r)]
    ends = bounds or {}
    line = next((100 * r.estimate for r in items if r.group == reference and r.group not in ends), None)
    marks = {} if drawn is None else drawn
    if any(r.group in marks for r in items):
        caption = f"{caption} {say('Upright marks: the rates drawn toward the mean of all groups.')}"

    def paint(figure: Figure) -> None:
        axes = figure.add_subplot()
        if line is not None:
            axes.axvline(line, color=style.GRAY, linewidth=0.8, linestyle=(0, (4, 2)), zorder=1)
            style.above(axes, line, style.short(say("reference: {group}", group=reference), 40), style.GRAY)
        for y, row in enumerate(rows):
            look = "s" if row.group == reference else "o", style.ACCENT if row.group in apart else "white"
            _point(axes, row, y, look, numbers, ends.get(row.group))
            if marks and row.group in marks and words.shown(row):
                value = 100 * marks[row.group].estimate
                axes.plot([value, value], [y - 0.32, y + 0.32], color=style.INK, linewidth=1.8, zorder=4)
        style.name_rows(axes, [_sized(r) for r in rows], [style.short(r.group, 36) for r in rows])
        axes.set_ylim(len(rows) - 0.4, -0.9)
        axes.set_xlabel(axis)
        axes.set_xlim(*_limits(items))
        style.bare(axes)

    description = " ".join(
        f"{r.group} (n = {words.count(r.n)}): {_rate(r, ends)}, "
        f"{say('interval {interval}', interval=words.interval(r))}"
        f"{say(', drawn to {rate}', rate=words.estimate(marks[r.group])) if r.group in marks else ''}."
        for r in rows
    )
    about = f"{words.capital(axis)}. " if axis else ""
    alt = f"{say('Dot plot.')} {about}{description}"
    return style.draw(name, paint, caption=caption, alt=alt, height=15 + 4.4 * len(rows))


def _sized(row: Estimate) -> str:
    """A group with its number of people, where that is not withheld."""
    label = style.short(row.group, 36)
    return f"{label}  (n = {words.count(row.n)})" if row.n == row.n else label


def _rate(row: Estimate, bounds: Mapping[str, tuple[float, float]]) -> str:
    """A rate with its unit, or its ends over people who were withheld."""
    if row.group not in bounds or not words.shown(row):
        return words.estimate(row)
    return say(AS_WITHHELD, ends=say("{share}%", share=words.span(*bounds[row.group], words.percent)))


# Figures of people who were withheld: a bar in place of the point, which nobody knows.


AS_WITHHELD = mark("{ends} as withheld people may be")
BARS = mark("Bars in place of points: what they may be over the people of withheld cells.")
LIMITS_ALONE = mark("Ratios without a point: the people of withheld cells decide them; lines are limits over these.")


def _point(
    axes: Axes, row: Estimate, y: int, look: tuple[str, str], numbers: bool, ends: tuple[float, float] | None
) -> None:
    if not words.shown(row):  # why stands in the table: a sentence would run through the line of the reference
        axes.annotate(
            words.short_status(row),
            (0.01, y),
            xycoords=("axes fraction", "data"),
            va="center",
            color=style.GRAY,
        )
        return
    axes.plot([100 * row.conf_low, 100 * row.conf_high], [y, y], color=style.INK, linewidth=1.0, zorder=2)
    if ends is not None:
        low, high = (100 * end for end in ends)
        axes.barh(y, high - low, height=0.35, left=low, color=style.ACCENT, alpha=0.3, zorder=3)
        if numbers:
            style.beside(axes, y, f"{words.span(*ends, words.percent)} ({words.interval(row)})")
        return
    axes.plot(
        100 * row.estimate,
        y,
        look[0],
        color=style.ACCENT,
        markersize=5.5,
        markerfacecolor=look[1],
        markeredgewidth=1.1,
        zorder=3,
    )
    if not numbers:
        return
    interval = words.interval(row)
    style.beside(axes, y, words.percent(row.estimate) + (f" ({interval})" if interval != words.DASH else ""))


LEAST_SPAN = 10.0  # points of an axis: a shorter one makes a gap of nothing


def _limits(rows: Sequence[Estimate]) -> tuple[float, float]:
    values = [100 * v for r in rows for v in (r.conf_low, r.estimate, r.conf_high) if math.isfinite(v)]
    low, high = min(values, default=0.0), max(values, default=100.0)
    pad = max(0.06 * (high - low), 0.5, (LEAST_SPAN - (high - low)) / 2)
    return max(low - pad, -1.0), min(high + pad, 101.0)


# Forest plot: contrasts with their intervals, the line of equality, the margin or the four-fifths line.


# The words differ in shape and fill, not only in color.
_SIGNS = {
    "disparity shown": ("o", style.ACCENT),
    "flagged": ("o", style.ACCENT),
    "equivalence shown": ("D", "white"),
    "inconclusive": ("o", "white"),
}
_NULL = {"difference": 0.0, "gap": 0.0, "ratio": 1.0, "none": 0.5}
_FACTOR = {"difference": 100.0, "gap": 100.0, "ratio": 1.0, "none": 1.0}
_AXIS = {
    "difference": mark("difference, percentage points"),
    "gap": mark("gap, % of what the reference gets"),
    "ratio": mark("ratio of the rates"),
    "none": mark("probability of a higher score, group against reference"),
}
_APART = 0.15  # of the width of the frame, between two names over it
_FARTHEST_RATIO = 3.0  # what lies beyond is cut by the frame; the numbers stand in the table


ROOM = 78  # letters over all panels


def kind_of_axis(row: Estimate) -> str:
    """The contrast of a row; of gaps of amounts, which are contrasts by themselves and in per cent, "gap".

    >>> kind_of_axis(Estimate("gap of means")), kind_of_axis(Estimate("FPR", contrast="ratio"))
    ('gap', 'ratio')
    """
    return "gap" if row.metric in GAPS_OF_AMOUNTS and row.contrast == "none" else row.contrast


def _axis_of(row: Estimate) -> str:
    """What an axis is of; a ratio that is none of rates by its metric."""
    scale = words.metric_row(row.metric).scale
    if row.contrast == "ratio" and scale != PERCENT:
        heading = words.heading(row.metric)
        return heading if scale == RATIO else say("{metric}, ratio to the reference", metric=heading)
    return say(_AXIS[kind_of_axis(row)])


def forest_plot(
    name: str,
    *panels: Sequence[Estimate],
    caption: str,
    margin: float | None = None,
    labels: Sequence[str] | None = None,
    axis: str = "",
    titles: Sequence[str] = (),
    fifths: bool = False,
    called: Callable[[Estimate], str] = lambda row: "",
    ends: Mapping[Estimate, Estimate] = MappingProxyType({}),
) -> style.Drawing:
    """Points with intervals; one panel prints its numbers at the right, two share their labels.

    name: prefix of the ids in the SVG.
    *panels: each all differences of rates, all gaps of amounts, all ratios, or all P(X>Y); the same groups in the same
        order.
    caption: the finding in a sentence.
    margin: equivalence margin for differences or gaps, shown as a band.
    labels: what stands at the left; "group against reference" where absent.
    axis: title of the axis; what the rows are where absent.
    titles: what stands over each panel; nothing where absent.
    fifths: whether ratios have lines at 0.8 and 1.25.
    called: what a row's metric is called in the alternative text; as the vocabulary has it where "".
    ends: a row to its ends over people who were withheld: a bar in place of a point; of unknown ends the limits alone.
    Returns: 180 mm wide, one line of 6 mm a row.

    >>> row = Estimate("selection rate", group="b", reference="a", contrast="difference", estimate=-0.1,
    ...                conf_low=-0.2, conf_high=-0.01)
    >>> forest_plot("f", [row], caption="b is selected less often").alt
    'Forest plot. Selection rate, difference: b against a: −10.0 points, interval −20.0 to −1.0.'
    """
    left = [style.short(t, {1: 60, 2: 36}.get(len(panels), 24)) for t in labels or map(words.pair, panels[0])]

    drawn = [ends[row] for rows in panels for row in rows if row in ends]
    if any(bound.conf_low == bound.conf_low for bound in drawn):
        caption = f"{caption} {say(BARS)}"
    if any(bound.conf_low != bound.conf_low for bound in drawn):
        caption = f"{caption} {say(LIMITS_ALONE)}"
    above = ["\n".join(textwrap.wrap(title, ROOM // len(panels))) for title in titles]

    def paint(figure: Figure) -> None:
        row = figure.subplots(1, len(panels), sharey=True, squeeze=False)[0]
        for i, (axes, rows) in enumerate(zip(row, panels, strict=True)):
            _panel(
                axes,
                rows,
                margin,
                axis if not (titles and axis) or i == len(panels) // 2 else " ",
                len(panels) == 1,
                fifths,
                ends,
            )
            if titles:
                axes.set_title(above[i], loc="left", pad=11)
            style.name_rows(axes, left)
            axes.set_ylim(len(left) - 0.4, -0.8)

    alt = f"{say('Forest plot.')} " + " ".join(_row_text(r, called(r), ends.get(r)) for rows in panels for r in rows)
    return style.draw(
        name,
        paint,
        caption=caption,
        alt=alt,
        height=15 + 5.0 * len(left) + (5 + 4 * max((title.count("\n") for title in above), default=0)) * bool(titles),
    )


def _row_text(row: Estimate, called: str, ends: Estimate | None) -> str:
    verdict = f", {words.verdict(row)}" if row.verdict else ""
    interval = say("interval {interval}", interval=words.interval(row))
    point = words.estimate_or_ends(row, ends)
    if ends is not None and point != words.DASH:
        point = say(AS_WITHHELD, ends=point)
    return f"{words.claim(row, called)}: {point}, {interval}{verdict}."


def _panel(
    axes: Axes,
    rows: Sequence[Estimate],
    margin: float | None,
    axis: str,
    numbers: bool,
    fifths: bool,
    ends: Mapping[Estimate, Estimate],
) -> None:
    kind = kind_of_axis(rows[0])
    limits = _forest_limits(rows, kind, margin, ends)
    guessing = kind == "none" and rows[0].metric not in CHANCES
    null = "1" if kind == "ratio" else say("guessing") if guessing else say("equal")
    _guides(axes, kind, margin, fifths, limits[1] - limits[0], null)
    for y, row in enumerate(rows):
        if words.shown(row):
            _line(axes, row, y, _factor(row), numbers, ends.get(row))
        else:
            axes.annotate(
                style.short(words.status(row), 44),
                (0.01, y),
                xycoords=("axes fraction", "data"),
                va="center",
                color=style.GRAY,
            )
    axes.set_xlabel(axis or _axis_of(rows[0]))
    axes.set_xlim(*limits)
    style.bare(axes)


def _guides(axes: Axes, kind: str, margin: float | None, fifths: bool, width: float, null: str) -> None:
    margin = margin if kind in ("difference", "gap") else None
    equal, beside = _NULL[kind], margin and 100 * margin < _APART * width
    axes.axvline(equal, color=style.INK, linewidth=0.8, zorder=1)
    align: Literal["right", "center"] = "right" if beside else "center"  # apart from the name of the margin
    style.above(axes, equal, null, style.INK, align)
    if margin:
        axes.axvspan(-100 * margin, 100 * margin, color=style.BAND, zorder=0, linewidth=0)
        style.above(
            axes, 100 * margin, f" {say('margin ±{margin}', margin=words.number(100 * margin))}", style.GRAY, "left"
        )
    for at in (0.8, 1.25) if fifths and kind == "ratio" else ():
        axes.axvline(at, color=style.GRAY, linewidth=0.8, linestyle=(0, (4, 2)), zorder=1)
        style.above(axes, at, words.setting(at), style.GRAY)


CRUDE = "crude"  # the estimator of differences that are drawn in gray: those within strata have the verdicts


def _line(axes: Axes, row: Estimate, y: int, factor: float, numbers: bool, ends: Estimate | None) -> None:
    marker, fill = _sign(row)
    line, color = (style.GRAY, style.GRAY) if row.estimator == CRUDE else (style.INK, style.ACCENT)
    axes.plot([factor * end for end in decisive_interval(row)], [y, y], color=line, linewidth=1.0, zorder=2)
    if ends is None:
        axes.plot(
            factor * row.estimate,
            y,
            marker,
            markersize=5.5,
            color=color,
            markerfacecolor=fill,
            markeredgewidth=1.1,
            zorder=3,
        )
    elif ends.conf_low == ends.conf_low:
        low, high = factor * ends.conf_low, factor * ends.conf_high
        axes.barh(y, high - low, height=0.35, left=low, color=color, alpha=0.3, zorder=3)
    if numbers:
        interval, write = words.interval(row), words.scale(row)
        shown = write(row.estimate) if ends is None else words.span(ends.conf_low, ends.conf_high, write)
        style.beside(axes, y, shown if interval == words.DASH else f"{shown} ({interval})")


def _factor(row: Estimate) -> float:
    """What the numbers of a row are drawn times: 100 where they are shares."""
    is_amount = row.metric in METRICS and METRICS[row.metric].scale == PLAIN
    return 1.0 if is_amount else _FACTOR[kind_of_axis(row)]


def _sign(row: Estimate) -> tuple[str, str]:
    """The shape and the fill of a point: where its row has no verdict, of whether the interval excludes equality."""
    if row.estimator == CRUDE:
        return _SIGNS["inconclusive"]
    null = _NULL[kind_of_axis(row)]
    apart = row.conf_low > null or row.conf_high < null
    return _SIGNS[row.verdict or ("disparity shown" if apart else "inconclusive")]


def filled(row: Estimate) -> bool:
    """Whether the point of a row is drawn filled: a difference beyond chance.

    >>> filled(Estimate("base rate", contrast="difference", conf_low=0.01, conf_high=0.02))
    True
    """
    return _sign(row)[1] != "white"


def _forest_limits(
    rows: Sequence[Estimate], kind: str, margin: float | None, ends: Mapping[Estimate, Estimate]
) -> tuple[float, float]:
    points = {r: (ends[r].conf_low, ends[r].conf_high) if r in ends else (r.estimate,) for r in rows if words.shown(r)}
    values = [_factor(r) * v for r, drawn in points.items() for v in (*decisive_interval(r), *drawn)]
    edge = 100 * (margin or 0.0)
    values = [v for v in values if math.isfinite(v)]
    values += {"ratio": [0.75, 1.3], "none": [0.45, 0.55]}.get(kind, [-edge, edge])
    high = min(max(values), _FARTHEST_RATIO) if kind == "ratio" else max(values)
    pad = 0.05 * ((high - min(values)) or 1.0)
    return min(values) - pad, high + pad


# Numbers of one unit with their intervals, one line each, and beside each the number that it is held against.


def numbers_line(
    name: str,
    rows: Sequence[Estimate],
    labels: Sequence[str],
    *,
    caption: str,
    axis: str,
    beside: Sequence[float] = (),
) -> style.Drawing:
    """Points with intervals in the order given; an open point stands for the number beside, a line for zero.

    name: prefix of the ids in the SVG.
    rows: all of one unit.
    labels: what stands at the left.
    caption: the finding in sentences.
    axis: title of the axis.
    beside: a number a row, NaN where there is none; in the unit of the rows.
    Returns: 180 mm wide, one line of 5 mm a row.

    >>> row = Estimate("price", group="a", contrast="difference", estimate=2.0, conf_low=1.5, conf_high=2.75)
    >>> numbers_line("n", [row], ["a"], caption="c.", axis="price").alt
    'a: 2.000, interval 1.500 to 2.750.'
    """
    factor = 100.0 if words.unit(rows[0]) else 1.0

    def paint(figure: Figure) -> None:
        axes = figure.add_subplot()
        axes.axvline(0, color=style.GRAY, linewidth=0.8, zorder=1)
        for y, row in enumerate(rows):
            if words.shown(row):
                axes.plot([factor * end for end in decisive_interval(row)], [y, y], color=style.INK, linewidth=1.0)
                axes.plot(factor * row.estimate, y, "o", color=style.ACCENT, zorder=3, clip_on=False)
            if beside and beside[y] == beside[y]:
                axes.plot(factor * beside[y], y, "o", color=style.GRAY, markerfacecolor="white", zorder=2)
            style.beside(axes, y, style.short(_numbers_alt(row), 44))
        style.name_rows(axes, [style.short(label, 40) for label in labels])
        axes.set_ylim(len(rows) - 0.4, -0.6)
        axes.set_xlabel(axis)
        style.bare(axes)

    alt = " ".join(f"{label}: {_spoken(row)}." for label, row in zip(labels, rows, strict=True))
    return style.draw(name, paint, caption=caption, alt=alt, height=14 + 5.0 * len(rows))


def _numbers_alt(row: Estimate) -> str:
    if not words.shown(row):
        return words.status(row)
    limits = words.interval(row)
    return words.estimate(row) + (f" ({limits})" if limits != words.DASH else "")


def _spoken(row: Estimate) -> str:
    if not words.shown(row):
        return words.status(row)
    limits = words.interval(row)
    return words.estimate(row) + (f", {say('interval {interval}', interval=limits)}" if limits != words.DASH else "")


# Rates of many groups against their sizes, with the limits that chance alone would keep them in.


MOST_NAMED = 6


def funnel(
    name: str,
    rows: Sequence[Estimate],
    *,
    axis: str = "",
    level: float = 0.95,
    reference: str = "",
    withheld: Collection[str] = (),
) -> style.Drawing:
    """Rate against number of people, with limits around the common rate for one group and for all of them at once.

    The limits are Wilson's score limits around the common rate (normal approximation): where all groups had it, a group
    lies beyond the dashed ones with probability 1 - level, and any of them beyond the solid ones with at most that.

    name: prefix of the ids in the SVG.
    rows: one rate a group, with n and events.
    reference: with which the table beside the figure compares, which the caption says.
    withheld: groups that have no place, since people who were withheld decide their rates.
    Returns: 180 mm wide; the caption says how many groups lie beyond the limits for all, at most six of which are
        named.

    >>> rows = [Estimate("selection rate", group=g, n=n, events=k, estimate=k / n) for g, n, k in
    ...         [("a", 900.0, 460.0), ("b", 900.0, 440.0), ("c", 50.0, 45.0)]]
    >>> funnel("f", rows).caption[:63]
    '1 of 3 groups lies beyond the limits for all groups (solid): c.'
    """
    items = [r for r in rows if words.shown(r) and r.n > 0 and r.group not in withheld]
    common = sum(r.events for r in items) / sum(r.n for r in items)
    all_level = level ** (1 / max(len(items), 1))
    outside = [r for r in items if beyond(r, common, all_level)]
    named = sorted(outside, key=lambda r: -abs(r.estimate - common) * math.sqrt(r.n))[:MOST_NAMED]
    height = 66.0

    def paint(figure: Figure) -> None:
        axes = figure.add_subplot()
        smallest, largest = min(r.n for r in items), max(r.n for r in items)
        beside = max(1.25, (largest / smallest) ** 0.05)
        low, high = smallest / beside, largest * beside
        axes.set_xscale("log")
        axes.set_xlim(low, high)
        _funnel_limits(axes, low, high, common, (level, (0, (4, 2))), (all_level, "solid"))
        axes.axhline(100 * common, color=style.INK, linewidth=0.8, zorder=1)
        for r in items:
            axes.plot(
                r.n,
                100 * r.estimate,
                "o",
                color=style.ACCENT,
                markersize=5,
                markerfacecolor=style.ACCENT if r in outside else "white",
                markeredgewidth=1.1,
                zorder=3,
            )
        axes.set_xticks(*_sizes(smallest, largest, beside))
        axes.minorticks_off()
        axes.set_ylim(*_frame(items))
        axes.set_xlabel(say("people in the group (log scale)"))
        axes.set_ylabel(style.upright(axis or items[0].metric, height, ", %"))
        style.bare(axes, keep=("bottom", "left"))
        labels = style.distinct([r.group for r in named], 30)
        ends = [(r.n, 100 * r.estimate, label, style.ACCENT) for r, label in zip(named, labels, strict=True)]
        every = say("all: {share}%", share=words.percent(common))
        ends.append((high, 100 * common, every, style.INK))
        style.name_ends(axes, ends, height=height - 16, room=high)

    text = " ".join(f"{r.group} (n = {words.count(r.n)}): {words.estimate(r)}." for r in named)
    shown = words.listed([r.group for r in named])
    if len(outside) > len(named):
        shown = say("{shown} and {n} more", shown=shown, n=len(outside) - len(named))
    outlying = say_number(
        "{k} of {n} groups lies beyond the limits for all groups (solid)",
        "{k} of {n} groups lie beyond the limits for all groups (solid)",
        len(outside),
        k=len(outside),
        n=len(items),
    )
    alone = say("Dashed: limits for one group looked at alone.")
    if reference:
        compared = say(
            "Filled here: beyond what chance explains around the rate of all groups; the table compares each with "
            "{reference} instead, so the two may differ.",
            reference=reference,
        )
        alone = f"{alone} {compared}"
    if withheld:
        left_out = words.listed(list(withheld), MOST_NAMED)
        alone = f"{alone} {say('Not drawn: {groups}, whose rates people of withheld cells decide.', groups=left_out)}"
    caption = f"{outlying}{': ' + shown if outside else ''}. {alone}"
    head = say("Rate against size of {n} groups, common rate {share}%.", n=len(items), share=words.percent(common))
    alt = f"{head} {text or say('No group lies beyond the limits for all.')}"
    return style.draw(name, paint, caption=caption, alt=alt, height=height)


_TICKS_WIDTH = 120.0  # mm, of the frame at least


def _sizes(low: float, high: float, beside: float) -> tuple[list[int], list[str]]:
    """Where a logarithmic axis of people has its numbers, and these: none touches the one before.

    >>> _sizes(40, 2_000, 1.25)[1], _sizes(1_000, 1_011, 1.25)[1]
    (['100', '300', '1,000'], ['1,000'])
    """
    least, most = low / beside, high * beside
    powers = [10**e for e in range(16) if least <= 10**e <= most]
    ticks = sorted(t for one in range(16) for t in (10**one, 3 * 10**one) if least <= t <= most)
    for chosen in (ticks, powers, sorted({round(low), round(high)})):
        kept = [t for i, t in enumerate(chosen) if not i or _fit(chosen[i - 1], t, most / least)]
        if len(kept) == len(chosen) > 1:
            break
    return kept, [words.count(t) for t in kept]


def _fit(one: int, other: int, span: float) -> bool:
    distance = math.log(other / one) / math.log(span) * _TICKS_WIDTH / 25.4 * 72
    wide = (width(words.count(one), SIZE) + width(words.count(other), SIZE)) / 2
    return distance > wide + SIZE


def limits(common: float, n: float, level: float) -> tuple[float, float]:
    """Return the shares that a group of n people with the common rate stays within.

    Examples
    --------
    >>> [round(v, 3) for v in limits(0.5, 100, 0.95)]
    [0.402, 0.598]
    """
    half = float(ndtri(0.5 + level / 2)) * math.sqrt(common * (1 - common) / n)
    return max(0.0, common - half), min(1.0, common + half)


def beyond(row: Estimate, common: float, level: float) -> bool:
    """Whether the group's rate lies outside the limits of its size."""
    low, high = limits(common, row.n, level)
    return not low <= row.estimate <= high


def _funnel_limits(axes: Axes, low: float, high: float, common: float, *types: tuple[float, object]) -> None:
    at = [low * (high / low) ** (i / 80) for i in range(81)]
    for level, dash in types:
        for side in (0, 1):
            y = [100 * limits(common, n, level)[side] for n in at]
            axes.plot(at, y, color=style.GRAY, linewidth=0.8, linestyle=dash, zorder=1)  # type: ignore[arg-type]


def _frame(rows: Sequence[Estimate]) -> tuple[float, float]:
    values = [100 * r.estimate for r in rows]
    pad = max(0.15 * (max(values) - min(values)), 2.0)
    return max(-1.0, min(values) - pad), min(101.0, max(values) + pad)


# Two attributes at once: a cell for each pair of groups, with its rate and its number of people.


MOST_ROWS, MOST_COLUMNS = 12, 8
WIDEST_MATRIX = 3  # columns up to which a cell has room for its difference
FEWEST = 30  # people; the numbers of a smaller cell are gray
PAGE = 490.0  # points of a figure of 180 mm beside its margins
BETWEEN = " \N{MIDDLE DOT} "


LEAST_SHADES = 0.1  # of a rate, from the palest to the darkest


def matrix(
    name: str,
    cells: Mapping[tuple[str, str], Estimate],
    rows: Sequence[str],
    columns: Sequence[str],
    *,
    caption: str,
    without_numbers: str = "",
    apart: Sequence[tuple[str, str]] = (),
    axis: str = "rate",
    gaps: Mapping[tuple[str, str], Estimate] | None = None,
    bounds: Mapping[str, tuple[float, float]] | None = None,
    equal: str = "",
    of: tuple[str, str] = ("", ""),
) -> style.Drawing:
    """Rate and n in each cell, shaded by the rate; a frame marks the cells that are shown to differ.

    Parameters
    ----------
    name : str
        Prefix of the ids in the SVG.
    cells : mapping
        (row, column) to its rate.
    rows, columns : sequence of str
        The groups of either attribute, largest first.
    caption, without_numbers : str
        The finding in a sentence; the same where the cells have no room for more than the rate.
    apart : sequence of (row, column)
        Cells whose difference from the reference is shown.
    axis : str
        Name of the rate.
    gaps : mapping, optional
        (row, column) to its difference from the reference, which stands beside n.
    bounds : mapping, optional
        A pair's group to the ends of its rate over people who were withheld, which stand in its place.
    equal : str
        Level of the intervals of differences within the margin, where the others have another one.
    of : tuple of str
        Names of the attributes of rows and columns, for groups that have no place.

    >>> cell = Estimate("selection rate", group="f:a", n=40.0, estimate=0.25)
    >>> matrix("m", {("f", "a"): cell}, ["f"], ["a"], caption="c").alt
    'Rate of each pair of groups. f, a: 25.0% (n = 40).'
    """
    down, across = list(rows)[:MOST_ROWS], list(columns)[:MOST_COLUMNS]
    items = [r.estimate for r in cells.values() if words.shown(r)]
    low, high = min(items, default=0.0), max(items, default=1.0)
    spare = max(LEAST_SHADES - (high - low), 0.0) / 2  # rates that are almost equal have almost one shade
    low, high = low - spare, high + spare

    gaps = {at: gap for at, gap in (gaps or {}).items() if gap.group not in (bounds or {})}
    wide = len(across) <= WIDEST_MATRIX
    texts = {
        at: _cell_texts(cells.get(at), gaps.get(at) if wide else None, bounds or {}, equal)
        for at in ((row, column) for row in down for column in across)
    }
    names = max((width(style.short(r, 26), SIZE) for r in down), default=0.0)
    longest = max((width(BETWEEN.join(filter(None, parts)), SIZE) for parts in texts.values()), default=0.0)
    flat = wide and longest <= 0.94 * (PAGE - names) / len(across)  # a cell is a little wider than its text

    def paint(figure: Figure) -> None:
        axes = figure.add_subplot()
        for y, row in enumerate(down):
            for x, column in enumerate(across):
                at = row, column
                _cell(axes, x, y, cells.get(at), texts[at], low, high, bounds or {}, at in apart, flat)
        axes.set_xticks(range(len(across)), [style.short(c, max(10, 96 // len(across))) for c in across])
        style.name_rows(axes, [style.short(r, 26) for r in down])
        axes.xaxis.tick_top()
        axes.set_xlabel(capital(axis))
        axes.set_xlim(-0.5, len(across) - 0.5)
        axes.set_ylim(len(down) - 0.5, -0.5)
        axes.tick_params(length=0)
        style.bare(axes, keep=())

    apart_by = {at: f", {_apart(gap, equal)}" for at, gap in gaps.items()}
    pairs = [(r, c) for r in down for c in across if (r, c) in cells]
    text = " ".join(f"{r}, {c}: {_words(cells[r, c], bounds or {})}{apart_by.get((r, c), '')}." for r, c in pairs)
    beyond = zip(of, (len(rows) - len(down), len(columns) - len(across)), strict=True)
    missing = [say("{n} smaller groups of {name}", n=n, name=attribute) for attribute, n in beyond if n > 0]
    left = f" {say('Not drawn: {what}.', what=words.listed(missing))}" if missing else ""
    drawing = style.draw(
        name,
        paint,
        caption=f"{caption}{left}",
        alt=f"{say('{rate} of each pair of groups.', rate=capital(axis))} {text}{left}",
        height=11 + (5.0 if flat else 8.6) * len(down),
    )
    return replace(drawing, without_numbers=f"{without_numbers or caption}{left}")


def _words(row: Estimate, bounds: Mapping[str, tuple[float, float]]) -> str:
    if not words.shown(row):
        return words.status(row)
    if row.group in bounds:
        return _rate(row, bounds)
    return say("{share}% (n = {n})", share=words.percent(row.estimate), n=words.count(row.n))


def _apart(gap: Estimate, equal: str) -> str:
    estimate = words.signed(100 * gap.estimate)
    if math.isnan(gap.conf_low):  # Holm's steps have p-values alone
        return estimate
    ends = words.span(*decisive_interval(gap), lambda value: words.signed(100 * value))
    if equal and gap.verdict == "equivalence shown":
        ends = say("{level}: {interval}", level=equal, interval=ends)
    return f"{estimate} ({ends})"


def _cell(
    axes: Axes,
    x: int,
    y: int,
    row: Estimate | None,
    texts: tuple[str, str, str],
    low: float,
    high: float,
    bounds: Mapping[str, tuple[float, float]],
    framed: bool,
    flat: bool,
) -> None:
    shown = row is not None and words.shown(row)
    is_open = row is not None and row.group in bounds
    share = (row.estimate - low) / ((high - low) or 1.0) if row is not None and shown and not is_open else 0.0
    frame = {"edgecolor": style.INK if framed else "white", "linewidth": 1.4 if framed else 0.8}
    axes.barh(y, 0.96, height=0.92, left=x - 0.48, color="none", zorder=3 if framed else 2, **frame)
    axes.barh(y, 0.96, height=0.92, left=x - 0.48, color=style.ACCENT, alpha=0.06 + 0.24 * share, linewidth=0)
    if row is None:
        return
    few = row.n == row.n and row.n < FEWEST
    color = style.GRAY if few or not shown else style.INK
    top, size, apart = texts
    if flat:  # room for all on one line
        text = BETWEEN.join(filter(None, texts))
        axes.annotate(text, (x, y), ha="center", va="center", color=color, zorder=4, label=style.IN_NARROW + top)
        return
    first, second = (BETWEEN.join(filter(None, (top, size))), apart) if apart else (top, size)
    narrow = f"{style.IN_NARROW}{top}"
    axes.annotate(first, (x, y - 0.21), ha="center", va="center", color=color, zorder=4, label=narrow)
    if second:
        tone = color if apart else style.GRAY
        below = style.IN_NARROW if apart else ""
        axes.annotate(second, (x, y + 0.23), ha="center", va="center", color=tone, zorder=4, label=below)


def _cell_texts(
    row: Estimate | None, gap: Estimate | None, bounds: Mapping[str, tuple[float, float]], equal: str
) -> tuple[str, str, str]:
    """The rate of a cell, its n, and its difference from the reference; "" what it has none of."""
    if row is None:
        return "", "", ""
    rate = words.span(*bounds[row.group], words.percent) if row.group in bounds else words.percent(row.estimate)
    top = say("{share}%", share=rate) if words.shown(row) else words.short_status(row)
    return top, "" if row.n != row.n else f"n = {words.count(row.n)}", "" if gap is None else _apart(gap, equal)


# Differences as they are and within strata of legitimate factors, one line a group.


def crude_adjusted(
    name: str,
    crude: Sequence[Estimate],
    adjusted: Sequence[Estimate],
    *,
    caption: str,
    given: str,
    ends: Mapping[Estimate, Estimate] = MappingProxyType({}),
) -> style.Drawing:
    """Draw each group's difference from the reference, crude (open) and adjusted (filled), with their intervals.

    name: prefix of the ids in the SVG.
    crude, adjusted: differences of one rate from one reference, the same groups in the same order.
    caption: the finding in a sentence.
    given: what is held fixed.
    ends: a row to its ends over people who were withheld, as in `forest_plot`.
    Returns: 180 mm wide.

    >>> a, b = (Estimate("selection rate", group="f", reference="m", contrast="difference", estimate=e,
    ...                  conf_low=e - 0.05, conf_high=e + 0.05) for e in (-0.2, -0.1))
    >>> crude_adjusted("c", [a], [b], caption="c", given="grade").alt
    'Differences from m, crude and given grade. f: crude −20.0 (−25.0 to −15.0), adjusted −10.0 (−15.0 to −5.0) points.'
    """
    reference = crude[0].reference
    if ends:
        caption = f"{caption} {say(BARS)}"

    def paint(figure: Figure) -> None:
        axes = figure.add_subplot()
        axes.axvline(0, color=style.INK, linewidth=0.8, zorder=1)
        style.above(axes, 0, say("equal"), style.INK)
        for y, (before, after) in enumerate(zip(crude, adjusted, strict=True)):
            point(
                axes,
                before,
                y - 0.17,
                "o",
                filled=False,
                color=style.GRAY if before in ends else style.ACCENT,
                ends=ends.get(before),
            )
            point(axes, after, y + 0.17, "D", filled=True, ends=ends.get(after))
        name_of_kind(axes, crude[0], -0.17, say("crude"))
        name_of_kind(axes, adjusted[0], 0.17, say("given {given}", given=given))
        style.name_rows(axes, [style.short(r.group, 36) for r in crude])
        axes.set_ylim(len(crude) - 0.4, -0.8)
        axes.set_xlabel(say("difference from {reference}, points", reference=style.short(reference, 40)))
        style.bare(axes)

    text = " ".join(
        say(
            "{group}: crude {crude}, adjusted {adjusted} points.",
            group=b.group,
            crude=row_text(b, ends.get(b)),
            adjusted=row_text(a, ends.get(a)),
        )
        for b, a in zip(crude, adjusted, strict=True)
    )
    alt = f"{say('Differences from {reference}, crude and given {given}.', reference=reference, given=given)} {text}"
    return style.draw(name, paint, caption=caption, alt=alt, height=15 + 6.6 * len(crude))


# Differences in an earlier and a later audit, and beside them by how much each changed.


Line = tuple[str, Estimate, Estimate, Estimate]
LONGEST, MOST_TICKS = 56, 6


def before_after(
    name: str, lines: Sequence[Line], *, caption: str, title: str = "", ends: Mapping[Estimate, Estimate] | None = None
) -> style.Drawing:
    """Draw each difference before (gray) and after (blue), at the right its change, all with their intervals.

    Filled is what leaves out 0.

    name: prefix of the ids in the SVG.
    lines: the label of a line, and its three rows, which are shares, each (label, before, after, change).
    caption: the finding in a sentence.
    title: over the differences; that they are between the groups, where absent.
    ends: a row to its ends over people who were withheld: a bar in place of a point, which nobody knows.
    Returns: 180 mm wide.

    >>> a, b, c = (Estimate("selection rate", group="f", reference="m", contrast="difference", estimate=e,
    ...                     conf_low=e - 0.05, conf_high=e + 0.05) for e in (-0.2, -0.1, 0.1))
    >>> before_after("c", [("f less m", a, b, c)], caption="c").alt[-96:]
    'f less m: −20.0 (−25.0 to −15.0) before, −10.0 (−15.0 to −5.0) after, change 10.0 (5.0 to 15.0).'
    """

    over = ends or {}

    def paint(figure: Figure) -> None:
        row = figure.subplots(1, 2, sharey=True, squeeze=False)[0]
        for axes, above in zip(row, (title or say("difference between the groups"), say("its change")), strict=True):
            axes.axvline(0, color=style.INK, linewidth=0.8, zorder=1)
            axes.set_title(above, loc="left", pad=11)
            axes.set_xlabel(say("points"))
        style.above(row[0], 0, say("equal"), style.INK, "right")  # apart from the name of the next line
        style.above(row[1], 0, say("no change"), style.INK, "left")
        for y, (_, before, after, change) in enumerate(lines):
            for axes, one, at, marker, color in (
                (row[0], before, y - 0.17, "o", style.GRAY),
                (row[0], after, y + 0.17, "o", style.ACCENT),
                (row[1], change, y, "D", style.ACCENT),
            ):
                point(axes, one, at, marker, filled=_leaves_out_0(one), color=color, ends=over.get(one))
        if lines:
            name_of_kind(row[0], lines[0][1], -0.17, say("before"))
            name_of_kind(row[0], lines[0][2], 0.17, say("after"))
        style.name_rows(row[0], [style.short(label, LONGEST) for label, *_ in lines])
        row[0].set_ylim(len(lines) - 0.4, -0.8)
        for axes in row:
            axes.locator_params("x", nbins=MOST_TICKS)  # else their number depends on the width of the labels
            style.bare(axes)

    text = " ".join(
        say(
            "{line}: {before} before, {after} after, change {change}.",
            line=label,
            before=row_text(before, over.get(before)),
            after=row_text(after, over.get(after)),
            change=row_text(change, over.get(change)),
        )
        for label, before, after, change in lines
    )
    alt = f"{say('Differences between groups before and after, and their change, in percentage points.')} {text}"
    return style.draw(name, paint, caption=caption, alt=alt, height=20 + 6.6 * len(lines))


def _leaves_out_0(row: Estimate) -> bool:
    return row.conf_low > 0 or row.conf_high < 0


# Dots of 100 people: a rate that can be counted, one block a group.


ROWS, COLUMNS = 4, 25


def hundred(name: str, rows: Sequence[Estimate], *, caption: str, what: str) -> style.Drawing:
    """Draw 100 dots a group, as many of them filled as people of 100 had the outcome, rounded.

    name: prefix of the ids in the SVG.
    rows: one rate a group; at most three are drawn.
    caption: the finding in a sentence.
    what: what the filled dots had, for the text that replaces the figure.
    Returns: 90 mm wide.

    >>> row = Estimate("selection rate", group="a", n=40.0, events=10.0, estimate=0.25)
    >>> hundred("h", [row], caption="c", what="hired = 1").alt
    'Dots of 100 people, filled: hired = 1. a: 25 of 100 (n = 40).'
    """
    drawn = [r for r in rows if words.shown(r)][:3]

    def paint(figure: Figure) -> None:
        panels = figure.subplots(len(drawn), 1, squeeze=False)[:, 0]
        for axes, row in zip(panels, drawn, strict=True):
            _block(axes, row)
        panels[-1].set_xlabel(say("filled: {what}", what=what))

    text = " ".join(
        say("{group}: {k} of 100 (n = {n}).", group=r.group, k=of_100(r), n=words.count(r.n)) for r in drawn
    )
    return style.draw(
        name,
        paint,
        caption=caption,
        alt=f"{say('Dots of 100 people, filled: {what}.', what=what)} {text}",
        width=style.NARROW,
        height=9 + 22.0 * len(drawn),
    )


def of_100(row: Estimate) -> int:
    """How many people of 100, rounded.

    Examples
    --------
    >>> of_100(Estimate("TPR", estimate=0.4475))
    45
    """
    return round(100 * row.estimate)


def _block(axes: Axes, row: Estimate) -> None:
    full = of_100(row)
    places = [(i % COLUMNS, i // COLUMNS) for i in range(ROWS * COLUMNS)]
    look = {"color": style.ACCENT, "markersize": 4.6, "markeredgewidth": 0.7, "linestyle": "none"}
    for part, face in ((places[:full], style.ACCENT), (places[full:], "white")):
        if part:
            axes.plot(*zip(*part, strict=True), "o", markerfacecolor=face, **look)
    axes.set_title(say("{group}: {k} of 100", group=style.short(row.group, 34), k=full), loc="left", pad=3)
    axes.set_xlim(-0.7, COLUMNS - 0.3)
    axes.set_ylim(ROWS - 0.4, -0.6)
    axes.set_xticks([])
    axes.set_yticks([])
    style.bare(axes, keep=())


# The flow of the rows, where some are lost: how many were left at each step, and what was left out between.


def flow(name: str, kept: Sequence[FlowStep], lost: Sequence[FlowStep], *, caption: str) -> style.Drawing:
    """Draw what was kept as bars to one scale, from all rows down, and name below them what was lost.

    name: prefix of the ids in the SVG.
    kept: rows at each step, the first all that were read.
    lost: what was left out, with its reason.
    caption: the finding in a sentence.
    Returns: 180 mm wide.

    >>> flow("f", [FlowStep("rows read", 10), FlowStep("rows analyzed", 8)], [FlowStep("score missing", 2)],
    ...      caption="c").alt
    'Flow of the rows. Kept: rows read 10, rows analyzed 8. Lost: score missing 2.'
    """
    rows = [(translated(step.label), step.n, True) for step in kept[:1]]
    rows += [(_left_out(step), step.n, False) for step in lost]
    rows += [(translated(step.label), step.n, True) for step in kept[1:]]

    def paint(figure: Figure) -> None:
        axes = figure.add_subplot()
        for y, (_, n, stays) in enumerate(rows):
            _bar(axes, y, n, kept[0].n, stays)
        names = [style.short(label, 46) for label, *_ in rows]
        style.name_rows(axes, names)
        axes.set_ylim(len(rows) - 0.5, -0.6)
        axes.set_xlim(0, kept[0].n * 1.02)
        axes.set_xticks([])
        style.bare(axes, keep=())
        axes.tick_params(axis="y", length=0)

    stay = [step for step in lost if says(step.reason, KEPT)]
    parts = (*kept, *stay), [step for step in lost if step not in stay]
    lines = [", ".join(f"{translated(step.label)} {words.count(step.n)}" for step in steps) for steps in parts]
    return style.draw(
        name,
        paint,
        caption=caption,
        alt=say("Flow of the rows. Kept: {kept}. Lost: {lost}.", kept=lines[0], lost=lines[1] or say("none")),
        height=6 + 5.0 * len(rows),
    )


def _left_out(step: FlowStep) -> str:
    """What was taken away at a step, or is among the rows that stay."""
    label = translated(step.label)
    return say("of them {label}", label=label) if says(step.reason, KEPT) else say("less {label}", label=label)


def _bar(axes: Axes, y: int, n: float, total: float, stays: bool) -> None:
    axes.barh(y, n, height=0.62, color=style.ACCENT if stays else style.PALE, linewidth=0)
    inside = n > 0.5 * total
    axes.annotate(
        words.count(n),
        (n, y),
        (-4 if inside else 4, 0),
        textcoords="offset points",
        va="center",
        ha="right" if inside else "left",
        color="#ffffff" if inside and stays else style.INK,
    )


# One difference with its interval as a mark on an axis that all lines of a table share, small enough for a cell.


CARD, HEIGHT = 29.0, 3.6  # mm, of a mark in the scorecard
RADIUS = 1.15


def _place(value: float, ticks: Sequence[float]) -> float:
    """Where a value lies between ticks, each of which stands in the middle of its part of the width."""
    n, inside = len(ticks), (value - ticks[0]) / (ticks[-1] - ticks[0])
    return round(CARD * (0.5 + (n - 1) * max(0.0, min(1.0, inside))) / n, 2)


def rate_mark(
    name: str, rate: float, reference: float | None, ticks: Sequence[float], *, filled: bool, square: bool = False
) -> style.Drawing:
    """Draw a share on an axis: filled where it differs beyond chance, a line at the reference's.

    ticks: of the axis, with equal steps.
    square: whether it is that of the reference.

    Examples
    --------
    >>> rate_mark("m", 0.25, 0.5, (0.0, 0.5, 1.0), filled=True).alt
    'Below the reference.'
    """
    middle = HEIGHT / 2
    parts = [_axis(ticks)]
    if reference is not None:
        x = _place(reference, ticks)
        parts.append(f'<path d="M{x} 0.3V{HEIGHT - 0.3}" stroke="{style.INK}" stroke-width="0.25"/>')
    pen = f'fill="{style.ACCENT if filled else "#fff"}" stroke="{style.ACCENT}" stroke-width="0.35"'
    x = _place(rate, ticks)
    if square:
        corner = f'x="{x - RADIUS:.2f}" y="{middle - RADIUS:.2f}"'
        parts.append(f'<rect {corner} width="{2 * RADIUS}" height="{2 * RADIUS}" fill="{style.INK}"/>')
    else:
        parts.append(f'<circle cx="{x}" cy="{middle}" r="{RADIUS}" {pen}/>')
    alt = say("The reference.")
    if reference is None:
        alt = say("No reference.")
    elif rate != reference:
        alt = say("Below the reference.") if rate < reference else say("Above the reference.")
    return _mark(name, parts, say("The rate as a mark."), alt, CARD)


def _axis(ticks: Sequence[float]) -> str:
    """The line of an axis with its ticks, in gray."""
    ends, y = [_place(tick, ticks) for tick in ticks], HEIGHT / 2
    strokes = "".join(f"M{x} {y - 0.5:g}v1" for x in ends)
    return f'<path d="M{ends[0]} {y:g}H{ends[-1]}{strokes}" fill="none" stroke="{style.BAND}" stroke-width="0.35"/>'


def _mark(name: str, parts: list[str], title: str, alt: str, wide: float) -> style.Drawing:
    frame = f'<svg viewBox="0 0 {wide:g} {HEIGHT:g}" role="img" aria-labelledby="{name}-desc">'
    label = f'<title id="{name}-title">{title}</title><desc id="{name}-desc">{html.escape(alt)}</desc>'
    return style.Drawing(name, f"{frame}{label}{''.join(parts)}</svg>", title, alt, wide)


def interval_mark(
    name: str,
    estimate: float,
    low: float,
    high: float,
    ticks: Sequence[float],
    verdict: str,
    margin: float | None = None,
) -> style.Drawing:
    """Draw a difference: filled where a disparity is shown, a diamond where equivalence is, open where neither is.

    name: prefix of the ids in the SVG.
    ticks: of the axis, with equal steps.
    margin: declared margin of practical equality, drawn as a band.
    Returns: 29 mm wide; what it draws stands beside it in the table.

    >>> interval_mark("m", -0.1, -0.2, -0.05, (-0.2, 0.0, 0.2), "disparity shown").alt
    'Less often: the interval lies left of no difference.'
    """

    def at(value: float) -> float:
        return _place(value, ticks)

    middle, x = HEIGHT / 2, at(estimate)
    parts = []
    if margin is not None:
        band = round(at(margin) - at(-margin), 2)
        parts.append(f'<rect x="{at(-margin)}" y="0" width="{band}" height="{HEIGHT}" fill="{style.BAND}"/>')
    parts += [_axis(ticks), f'<path d="M{at(0.0)} 0V{HEIGHT}" stroke="{style.INK}" stroke-width="0.25"/>']
    if low == low:  # Holm's steps have no interval
        parts.append(f'<path d="M{at(low)} {middle}H{at(high)}" stroke="{style.INK}" stroke-width="0.35"/>')
    fill = "#fff" if verdict == "inconclusive" else style.ACCENT
    pen = f'fill="{fill}" stroke="{style.ACCENT}" stroke-width="0.35"'
    if verdict == "equivalence shown":
        r = 1.25 * RADIUS
        corners = f"M{x - r:.2f} {middle}L{x} {middle - r:.2f}L{x + r:.2f} {middle}L{x} {middle + r:.2f}Z"
        parts.append(f'<path d="{corners}" {pen}/>')
    else:
        parts.append(f'<circle cx="{x}" cy="{middle}" r="{RADIUS}" {pen}/>')
    alt = say("The interval includes no difference.")
    if high < 0:
        alt = say("Less often: the interval lies left of no difference.")
    elif low != low:
        alt = say("The difference is drawn without an interval.")
    elif low > 0:
        alt = say("More often: the interval lies right of no difference.")
    return _mark(name, parts, say("The difference as a mark."), alt, CARD)


# Shares with their intervals, one line each: what groups explain of components, directions or features.


LEAST = 1.0  # per cent that an axis shows at least: what is 0 but for rounding looks like 0


def shares(name: str, rows: Sequence[Estimate], labels: Sequence[str], *, caption: str, axis: str) -> style.Drawing:
    """Shares between 0 and 100%, with intervals where there are any, in the order given.

    name: prefix of the ids in the SVG.
    rows: one share a line.
    labels: what stands at the left.
    caption: the finding in a sentence.
    axis: title of the axis.
    Returns: 180 mm wide, one line of 5 mm a row.

    >>> row = Estimate("R2", term="component 1", estimate=0.25, conf_low=0.2, conf_high=0.3)
    >>> shares("s", [row], ["component 1"], caption="c", axis="explained, %").alt
    'Shares. component 1: 25.0%, interval 20.0 to 30.0.'
    """
    lines = [_shares_alt(row) for row in rows]

    def paint(figure: Figure) -> None:
        axes = figure.add_subplot()
        for y, (row, numbers) in enumerate(zip(rows, lines, strict=True)):
            if words.shown(row):
                axes.plot([0, 100 * row.estimate], [y, y], color=style.PALE, linewidth=3.0, zorder=1)
                axes.plot([100 * row.conf_low, 100 * row.conf_high], [y, y], color=style.INK, linewidth=1.0, zorder=2)
                axes.plot(100 * row.estimate, y, "o", color=style.ACCENT, zorder=3, clip_on=False)
            style.beside(axes, y, style.short(numbers, 44))
        style.name_rows(axes, [style.short(label, 40) for label in labels])
        axes.set_ylim(len(rows) - 0.4, -0.6)
        axes.set_xlim(0, max(axes.get_xlim()[1], LEAST))
        axes.set_xlabel(axis)
        style.bare(axes)

    alt = f"{say('Shares.')} " + " ".join(_alt(label, row) for label, row in zip(labels, rows, strict=True))
    return style.draw(name, paint, caption=caption, alt=alt, height=14 + 5.0 * len(rows))


def _shares_alt(row: Estimate) -> str:
    if not words.shown(row):
        return words.status(row)
    show = _share_of(row)
    interval = words.span(row.conf_low, row.conf_high, show)
    return show(row.estimate) + (f" ({interval})" if interval != words.DASH else "")


def _share_of(row: Estimate) -> Callable[[float], str]:
    """How a share is written: where people are counted, of few of them without decimals."""
    return partial(words.percent, digits=0 if row.events == row.events and row.n < FEW else 1)


def _alt(label: str, row: Estimate) -> str:
    if not words.shown(row):
        return f"{label}: {words.status(row)}."
    show = _share_of(row)
    interval = words.span(row.conf_low, row.conf_high, show)
    share = say("{share}%", share=show(row.estimate))
    return f"{label}: {share}" + (
        f", {say('interval {interval}', interval=interval)}." if interval != words.DASH else "."
    )
