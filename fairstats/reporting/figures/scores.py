"""ROC curves, one line a group."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING

from fairstats.estimates import Estimate
from fairstats.language import mark, say
from fairstats.provenance import HISTOGRAM, Curve
from fairstats.reporting import words
from fairstats.reporting.figures import style
from fairstats.text import number

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


MOST_BANDS = 3  # of more curves the bands hide each other


def roc(
    name: str,
    lines: Sequence[Curve],
    areas: Mapping[str, Estimate],
    *,
    caption: str,
    order: Sequence[str] = (),
    ends: Mapping[Estimate, Estimate] = MappingProxyType({}),
    level: str = "95%",
) -> style.Drawing:
    """True positive rate against false positive rate over all thresholds, by group, with the area under each line.

    name: prefix of the ids in the SVG.
    lines: curves of kind "roc" of one attribute.
    areas: group to its AUC.
    caption: the finding in a sentence.
    order: groups, largest first.
    ends: an AUC to its ends over people who were withheld.
    level: of the bands.
    Returns: 90 mm wide, square axes.

    >>> line = Curve("roc", "sex", "f", (0.0, 0.5, 1.0), (0.0, 0.75, 1.0))
    >>> area = Estimate("AUC", group="f", estimate=0.625, conf_low=0.5, conf_high=0.75)
    >>> roc("r", [line], {"f": area}, caption="AUC of f").alt
    'ROC curves by group. f: AUC 0.625, interval 0.500 to 0.750.'
    """
    drawn = style.chosen(lines, order)
    banded = len(drawn) <= MOST_BANDS and any(line.low for line in drawn)
    shown = {group: words.estimate_or_ends(area, ends.get(area)) for group, area in areas.items()}

    def paint(figure: Figure) -> None:
        axes = figure.add_subplot()
        axes.plot([0, 100], [0, 100], color=style.PALE, linewidth=0.8, zorder=0)
        for i, line in enumerate(drawn):
            scaled = Curve("roc", line.attribute, line.group, _cent(line.x), _cent(line.y))
            style.line(axes, scaled, i)
            if line.low and banded:
                shade = style.PALE if i else style.ACCENT
                axes.fill_between(
                    scaled.x, _cent(line.low), _cent(line.high), color=shade, alpha=0.15, linewidth=0, zorder=0
                )
        axes.set_xlim(-1, 101)
        axes.set_ylim(-1, 101)
        axes.set_aspect("equal")
        axes.set_xlabel(say("false positive rate, %"))
        axes.set_ylabel(say("true positive rate, %"))
        style.bare(axes, keep=("bottom", "left"))
        # right of the frame, each after a piece of its line: inside it a curve or a band may run anywhere
        for i, line in enumerate(drawn):
            label = f"{style.short(line.group, 18)} {shown.get(line.group, '')}".rstrip()
            style.sample(axes, i, 106, 92 - 10 * i, label)

    description = " ".join(
        f"{g}: AUC {shown[g]}, {say('interval {interval}', interval=words.interval(areas[g]))}."
        for g in (c.group for c in drawn)
        if g in areas
    )
    bands = f" {say('Shaded: {level} bands, each for a whole curve.', level=level)}" if banded else ""
    alt = f"{say('ROC curves by group.')} {description}{style.omitted(lines)}"
    return style.draw(
        name,
        paint,
        caption=f"{caption}{bands}{style.omitted(lines)}",
        alt=alt,
        width=style.NARROW,
        height=style.LOW,
    )


def _cent(values: Sequence[float]) -> tuple[float, ...]:
    return tuple(100 * v for v in values)


# Calibration: observed share of positives against the score, one panel a group, with its band.


def calibration(name: str, lines: Sequence[Curve], *, caption: str, order: Sequence[str] = ()) -> style.Drawing:
    """Observed share of positive outcomes by score; the diagonal is a score that means what it says.

    name: prefix of the ids in the SVG.
    lines: curves of kind "calibration" of one attribute: x the mean score of a bin, y the observed share, a band.
    caption: the finding in a sentence.
    order: groups, largest first.
    Returns: 180 mm wide, up to four panels a row.

    >>> line = Curve("calibration", "sex", "f", (0.2, 0.8), (0.3, 0.7), (0.1, 0.6), (0.5, 0.9))
    >>> calibration("c", [line], caption="Scores of f").alt
    'Calibration by group: observed share at the mean score of each bin. f: 0.30 at 0.20, 0.70 at 0.80.'
    """
    drawn = style.chosen(lines, order)
    across = min(4, len(drawn))
    down = -(-len(drawn) // across)

    def paint(figure: Figure) -> None:
        panels = figure.subplots(down, across, sharex=True, sharey=True, squeeze=False)
        for i, axes in enumerate(panels.flat):
            if i < len(drawn):
                _panel(axes, drawn[i])
            else:
                axes.set_visible(False)
        figure.supxlabel(say("mean score of the bin"))
        figure.supylabel(say("observed share"))

    description = " ".join(
        f"{c.group}: {', '.join(style.at(number(y, 2), number(x, 2)) for x, y in zip(c.x, c.y, strict=True))}."
        for c in drawn
    )
    head = say("Calibration by group: observed share at the mean score of each bin.")
    alt = f"{head} {description}{style.omitted(lines)}"
    return style.draw(name, paint, caption=caption + style.omitted(lines), alt=alt, height=12 + 44 * down)


def _panel(axes: Axes, curve: Curve) -> None:
    axes.plot([0, 1], [0, 1], color=style.PALE, linewidth=0.8, zorder=0)
    if curve.low:
        axes.vlines(curve.x, curve.low, curve.high, color=style.INK, linewidth=0.9, zorder=1)
    axes.plot(curve.x, curve.y, "o", color=style.ACCENT, markersize=4, markerfacecolor="white", zorder=2)
    axes.set_title(style.short(curve.group, 30), loc="left")
    axes.set_xlim(-0.02, 1.02)
    axes.set_ylim(-0.02, 1.02)
    axes.set_aspect("equal")
    style.bare(axes, keep=("bottom", "left"))


# How often the outcome follows each score, by group: whether a score means the same for everybody.


EMPHASIZED = 2  # lines with markers and intervals; the others are thin
FEWEST = 30  # people; the line of a smaller group is thin wherever it stands
WIDEST = (
    0.5  # a share whose interval is wider than this says nothing: a thin line, which has no interval, leaves it out
)


def outcome_by_score(
    name: str,
    lines: Sequence[Curve],
    *,
    caption: str,
    order: Sequence[str] = (),
    sizes: Mapping[str, float] | None = None,
    axis: str = "score",
    outcome: str = "outcome",
    threshold: float | None = None,
    level: str = "95%",
) -> style.Drawing:
    """Share of positive outcomes at each score; the first two groups carry intervals, the others are thin lines.

    name: prefix of the ids in the SVG.
    lines: curves of kind "outcome by score" of one attribute.
    caption: the finding in a sentence.
    order: groups, those that the caption speaks of first.
    sizes: group to its number of people: one of fewer than 30 is thin.
    threshold: the score from which people are flagged, drawn between it and the next lower one.
    level: of the intervals, for the alternative text.
    Returns: 90 mm wide; at most six groups.

    >>> line = Curve("outcome by score", "sex", "f", (1.0, 2.0), (0.2, 0.5), (0.1, 0.4), (0.3, 0.6))
    >>> outcome_by_score("o", [line], caption="Scores of f").alt
    'Share of outcome at each score by group. f: 20.0% at 1, 50.0% at 2.'
    """
    chosen = style.chosen(lines, order)
    people = sizes or {}
    bold = [c for c in chosen if people.get(c.group, FEWEST) >= FEWEST][:EMPHASIZED]
    drawn = [c if c in bold else firm(c) for c in chosen]
    drawn = [c for c in drawn if c in bold or len(c.x) > 1]
    missing = [c.group for c in chosen if c.group not in {d.group for d in drawn}]
    height = style.LOW

    def paint(figure: Figure) -> None:
        axes = figure.add_subplot()
        axes.set_ylim(0, 100)
        _scale(axes, drawn)
        if threshold is not None:
            flagged_from(axes, threshold, [x for c in drawn for x in c.x])
        ends = []
        for line in drawn:
            place = bold.index(line) if line in bold else -1
            _line(axes, line, place, len(bold))
            color = style.ACCENT if place == 0 else style.INK if place == 1 else style.GRAY
            ends.append((line.x[-1], 100 * line.y[-1], line.group, color))
        axes.set_xlabel(style.short(axis, 40))
        axes.set_ylabel(style.upright(outcome, height, ", %", say("outcome")))
        style.bare(axes, keep=("bottom", "left"))
        style.name_ends(axes, ends, height=height - 16)

    description = " ".join(
        f"{c.group}: {', '.join(_point(x, y) for x, y in zip(c.x, c.y, strict=True))}." for c in bold or drawn
    )
    thin = [c.group for c in drawn if c not in bold]
    faint = say("Thin lines without intervals: {groups}.", groups=words.listed(thin)) if thin else ""
    spread = say("Lines: {level} intervals.", level=level) if bold and bold[0].low else ""
    few = (
        say("Not drawn, with too few people at each score: {groups}.", groups=words.listed(missing)) if missing else ""
    )
    left = f" {few}" * bool(few) + style.omitted(lines)
    head = say("Share of {outcome} at each score by group.", outcome=outcome)
    return style.draw(
        name,
        paint,
        caption=f"{caption}{' ' * bool(spread)}{spread}{left}",
        alt=f"{head} {description}{' ' * bool(faint)}{faint}{left}",
        width=style.NARROW,
        height=height,
    )


def _point(x: float, y: float) -> str:
    return style.at(say("{share}%", share=words.percent(y)), words.significant(x, 3))


def firm(line: Curve) -> Curve:
    """Return the points of a line whose intervals are not so wide that a line through them would be noise.

    Examples
    --------
    >>> firm(Curve("outcome by score", "sex", "f", (1.0, 2.0), (0.2, 0.5), (0.1, 0.0), (0.3, 1.0))).x
    (1.0,)
    """
    if not line.low:
        return line
    kept = [i for i in range(len(line.x)) if line.high[i] - line.low[i] <= WIDEST]
    x, y, low, high = (tuple(v[i] for i in kept) for v in (line.x, line.y, line.low, line.high))
    return replace(line, x=x, y=y, low=low, high=high)


def _scale(axes: Axes, drawn: Sequence[Curve]) -> None:
    """Every score has its tick where they are few whole numbers."""
    at = sorted({x for c in drawn for x in c.x})
    if not at:
        return
    pad = 0.04 * ((at[-1] - at[0]) or 1.0)
    axes.set_xlim(at[0] - pad, at[-1] + pad)
    if len(at) <= 12 and all(x == round(x) for x in at):
        axes.set_xticks(at, [words.setting(x) for x in at])


def flagged_from(axes: Axes, threshold: float, scores: Sequence[float], *, text: bool = True) -> None:
    """The line between the last score below the threshold and the threshold, so that it cuts no point and no step."""
    axes.axvline(cut_at(threshold, scores), color=style.PALE, linewidth=0.9, zorder=0)
    if text:
        style.above(
            axes,
            cut_at(threshold, scores),
            say("cut-off: {threshold} or more", threshold=words.setting(threshold)),
            style.GRAY,
            "left",
        )


def cut_at(threshold: float, scores: Sequence[float]) -> float:
    """Return where the line of a threshold is drawn: half way to the next lower score of few, at it where many are.

    Examples
    --------
    >>> cut_at(5.0, [1.0, 4.0, 5.0, 6.0]), cut_at(0.5, [i / 100 for i in range(100)])
    (4.5, 0.5)
    """
    distinct = sorted(set(scores))
    below = [x for x in distinct if x < threshold]
    if not below or len(distinct) > 20 or threshold not in distinct:
        return threshold
    return (below[-1] + threshold) / 2


def _line(axes: Axes, line: Curve, place: int, bold: int) -> None:
    y = [100 * v for v in line.y]
    if place < 0:
        axes.plot(line.x, y, color=style.PALE, linewidth=0.8, zorder=1)
        return
    color = style.ACCENT if place == 0 else style.INK
    # intervals side by side, not one over the other
    step = min((b - a for a, b in zip(line.x, line.x[1:], strict=False)), default=1.0)
    x = [v + (0.14 * step * (place - 0.5) if bold > 1 else 0.0) for v in line.x]
    if line.low:
        axes.vlines(x, [100 * v for v in line.low], [100 * v for v in line.high], color=color, linewidth=0.9, zorder=2)
    axes.plot(
        x,
        y,
        color=color,
        linestyle="solid" if place == 0 else (0, (4, 2)),
        marker="o" if place == 0 else "s",
        markersize=4.2,
        markerfacecolor=style.ACCENT if place == 0 else "white",
        markeredgewidth=1.0,
        zorder=3,
    )


# Empirical distribution functions of the scores, one line a group.


def ecdf(
    name: str,
    lines: Sequence[Curve],
    *,
    caption: str,
    order: Sequence[str] = (),
    axis: str = "score",
    threshold: float | None = None,
) -> style.Drawing:
    """Share of people at or below each score, by group; a line further right means higher scores.

    name: prefix of the ids in the SVG.
    lines: curves of kind "ecdf" of one attribute.
    caption: the finding in a sentence.
    order: groups, largest first.
    threshold: the score from which people are flagged: drawn between it and the next lower one, so that it cuts no
        step.
    Returns: 90 mm wide.

    >>> line = Curve("ecdf", "sex", "f", (1.0, 2.0, 3.0), (0.2, 0.5, 1.0))
    >>> ecdf("e", [line], caption="Scores of f").alt
    'Empirical distribution of score by group. f: quartiles 2, 2 and 3.'
    """
    drawn = style.chosen(lines, order)

    height = 50.0

    def paint(figure: Figure) -> None:
        axes = figure.add_subplot()
        axes.set_ylim(-1, 101)
        if threshold is not None:
            flagged_from(axes, threshold, [x for c in drawn for x in c.x])
        for i, line in enumerate(drawn):
            y = [0.0, *(100 * v for v in line.y)]
            from_zero = Curve(line.kind, line.attribute, line.group, (line.x[0], *line.x), tuple(y))
            style.line(axes, from_zero, i, drawstyle="steps-post")
        axes.set_xlabel(style.short(axis, 40))
        axes.set_ylabel(say("% at or below"))
        style.bare(axes, keep=("bottom", "left"))
        left, right = axes.get_xlim()
        # the corner that distribution functions leave free: above them where scores are high, below where they are low
        middle = [next((x for x, v in zip(c.x, c.y, strict=True) if v >= 0.5), right) for c in drawn]
        above = sum(middle) / len(middle) > (left + right) / 2
        base = 96 - 8 * (len(drawn) - 1) if above else 4
        for i, line in enumerate(drawn):
            at = left + (0.04 if above else 0.56) * (right - left)
            style.sample(
                axes, i, at, base + 7 * (len(drawn) - 1 - i), style.short(line.group, 18), 0.08 * (right - left)
            )

    description = " ".join(
        say("{group}: quartiles {values}.", group=c.group, values=words.listed(_quartiles(c))) for c in drawn
    )
    head = say("Empirical distribution of {score} by group.", score=axis)
    alt = f"{head} {description}{style.omitted(lines)}"
    return style.draw(
        name,
        paint,
        caption=caption + style.omitted(lines),
        alt=alt,
        width=style.NARROW,
        height=height,
    )


def _quartiles(curve: Curve) -> list[str]:
    """The three quartiles; one beyond the drawn range is said to be above it."""

    def reached(share: float) -> str:
        values = (words.significant(x, 3) for x, y in zip(curve.x, curve.y, strict=True) if y >= share - 1e-12)
        return next(values, say("above {x}", x=words.significant(curve.x[-1], 3)))

    return [reached(share) for share in (0.25, 0.5, 0.75)]


# How the scores of each group are distributed, one panel a group, with the part that is flagged in color.


def score_distribution(
    name: str,
    lines: Sequence[Curve],
    *,
    caption: str,
    order: Sequence[str] = (),
    sizes: Mapping[str, float] | None = None,
    axis: str = "score",
    threshold: float | None = None,
    most: int = style.MOST_LINES,
    width: float = style.NARROW,
) -> style.Drawing:
    """Share of the group at each score (or in each bin of one width), with the scores from the threshold on colored.

    name: prefix of the ids in the SVG.
    lines: curves of kind "values of the score" or "histogram of the score" of one attribute.
    caption: the finding in a sentence.
    order: groups, those that the caption speaks of first.
    sizes: group to its number of people.
    threshold: the score from which people are flagged.
    most: how many panels at most.
    width: 90 mm: panels below each other; 180: three a row.

    >>> line = Curve("values of the score", "sex", "f", (1.0, 2.0, 3.0), (0.5, 0.25, 0.25))
    >>> score_distribution("d", [line], caption="c", sizes={"f": 40}, threshold=2).alt
    'Distribution of score by group. f (n = 40): 50.0% at 2+; most often 1 (50.0%).'
    """
    drawn = style.chosen(lines, order)[:most]
    across = 1 if width < 100 or len(drawn) == 1 else 3 if len(drawn) > 4 or len(drawn) == 3 else 2
    if across == 3 and any(len(c.group) > IN_A_THIRD for c in drawn):
        across = 2  # a name is not cut
    down = -(-len(drawn) // across)
    top = 115 * max((max(c.y) for c in drawn), default=1.0)

    def paint(figure: Figure) -> None:
        panels = figure.subplots(down, across, sharex=True, sharey=True, squeeze=False)
        for i, axes in enumerate(panels.flat):
            if i < len(drawn):
                _distribution_panel(axes, drawn[i], _title(drawn[i], sizes, threshold, across), threshold)
                axes.set_ylim(0, top)
            else:
                axes.set_visible(False)
        figure.supxlabel(style.short(axis, 40))
        figure.supylabel(say("% of the group"))

    text = " ".join(
        say("{group}; most often {mode}.", group=_title(c, sizes, threshold, 1, 0), mode=_mode(c)) for c in drawn
    )
    head = say("Distribution of {score} by group.", score=axis)
    left = "" if len(drawn) == len(lines) or len(drawn) < style.MOST_LINES else style.omitted(lines)
    return style.draw(
        name,
        paint,
        caption=f"{caption}{left}",
        alt=f"{head} {text}{left}",
        width=width,
        height=style.LOW if across == 1 and down <= 2 else 13 + 16.5 * down,
    )


IN_A_THIRD = 16  # letters of a name over a panel of a third of the page


def flagged(line: Curve, threshold: float) -> float:
    """Return the share of the group at or above the threshold.

    Examples
    --------
    >>> flagged(Curve("values of the score", "sex", "f", (1.0, 2.0, 3.0), (0.5, 0.25, 0.25)), 2)
    0.5
    """
    return sum(y for x, y in zip(line.x, line.y, strict=True) if x >= threshold - 1e-12 * max(1.0, abs(threshold)))


def _title(
    line: Curve, sizes: Mapping[str, float] | None, threshold: float | None, across: int, short: int = 30
) -> str:
    n = (sizes or {}).get(line.group)
    name = style.short(line.group, {1: short, 2: 24}.get(across, IN_A_THIRD)) if short else line.group
    head = f"{name} (n = {words.count(n)})" if n is not None and n == n else name
    if threshold is None:
        return head
    share = words.percent(flagged(line, threshold))
    if across == 3:  # the caption says of what
        return say("{group}: {share}%", group=head, share=share)
    return say("{group}: {share}% at {threshold}+", group=head, share=share, threshold=words.setting(threshold))


def _mode(line: Curve) -> str:
    share, at = max(zip(line.y, (-x for x in line.x), strict=True))
    if line.kind != HISTOGRAM:
        return say("{score} ({share}%)", score=words.significant(-at, 4), share=words.percent(share))
    ends = {"low": words.significant(-at, 3), "high": words.significant(-at + _step(line), 3)}
    return say("{score} ({share}%)", score=say("{low} to {high}", **ends), share=words.percent(share))


def _step(line: Curve) -> float:
    return min((b - a for a, b in zip(line.x, line.x[1:], strict=False)), default=1.0)


def _distribution_panel(axes: Axes, line: Curve, title: str, threshold: float | None) -> None:
    step = _step(line)
    edges = line.kind == HISTOGRAM
    shade = [
        style.PALE if threshold is None or x < threshold - 1e-12 * max(1.0, abs(threshold)) else style.ACCENT
        for x in line.x
    ]
    axes.bar(
        line.x,
        [100 * y for y in line.y],
        width=step if edges else 0.8 * step,
        align="edge" if edges else "center",
        color=shade,
        linewidth=0,
    )
    axes.set_title(title, loc="left", pad=3)
    if not edges and len(line.x) <= 12 and all(x == round(x) for x in line.x):
        axes.set_xticks(list(line.x), [words.setting(x) for x in line.x])
    axes.locator_params(axis="y", nbins=3)
    style.bare(axes, keep=("bottom", "left"))


# What a representation still tells about the group: areas under the curve of two kinds of probe, on one strip.


LINEAR, NONLINEAR = "AUC of linear probe", "AUC of non-linear probe"
PROBES = {LINEAR: mark("linear model"), NONLINEAR: mark("non-linear model")}


def leakage_strip(
    name: str,
    strips: Sequence[tuple[str, Sequence[Estimate]]],
    *,
    caption: str,
    before: Mapping[str, Sequence[Estimate]] | None = None,
) -> style.Drawing:
    """Draw in how many of 100 pairs a probe tells the group, a line a representation or level, before and after.

    name: prefix of the ids in the SVG.
    strips: label of a line (a method, or a level) and its rows of "AUC of linear probe" and "AUC of non-linear probe",
        each (label, rows).
    caption: the finding in a sentence.
    before: by the label of a line, what the same probes told before the adjustment, where that is known.
    Returns: 180 mm wide. An AUC under 0.5, which is chance, is drawn at 50; the numbers beside it are as estimated.

    >>> row = Estimate(NONLINEAR, "race", "b", estimate=0.9887, conf_low=0.98, conf_high=0.993)
    >>> leakage_strip("l", [("og", [row])], caption="c", before={"og": [row.changed(estimate=0.991)]}).alt
    'In how many of 100 pairs a model tells the group. og, non-linear model: 98.9 (98.0 to 99.3), before 99.1.'
    """
    items = [(label, [r for r in rows if r.metric in PROBES]) for label, rows in strips]
    lines = [(label, row, _earlier(row, (before or {}).get(label, ()))) for label, rows in items for row in rows]
    both = next((y for y, (*_, earlier) in enumerate(lines) if earlier is not None), None)  # of which it is said

    def paint(figure: Figure) -> None:
        axes = figure.add_subplot()
        axes.axvline(0.5, color=style.INK, linewidth=0.8, zorder=1)
        style.above(axes, 0.5, say("chance"), style.GRAY, "left")
        style.above(axes, 1.0, say("always"), style.GRAY, "right")
        for y, (_, row, earlier) in enumerate(lines):
            _leakage_point(axes, y, row, earlier)
            if y == both and earlier is not None:
                _before_and_after(axes, y, earlier, row)
        style.name_rows(axes, [style.short(f"{label}: {say(PROBES[r.metric])}", 52) for label, r, _ in lines])
        axes.set_ylim(len(lines) - 0.4, -1.3)  # the words over the first points stay clear of those over the frame
        axes.set_xlim(0.49, 1.0)
        axes.set_xticks([0.5, 0.6, 0.7, 0.8, 0.9, 1.0], ["50", "60", "70", "80", "90", "100"])
        axes.set_xlabel(say("pairs of 100 in which a model tells the groups apart"))
        style.bare(axes)

    text = " ".join(_point_text(*line) for line in lines if words.shown(line[1]))
    return style.draw(
        name,
        paint,
        caption=caption,
        alt=f"{say('In how many of 100 pairs a model tells the group.')} {text}",
        height=17 + 4.6 * len(lines),
    )


def _earlier(row: Estimate, before: Sequence[Estimate]) -> Estimate | None:
    """What the same probe told of the same group before the adjustment."""
    keys = ("metric", "attribute", "group", "reference")
    return next((r for r in before if all(getattr(r, k) == getattr(row, k) for k in keys) and words.shown(r)), None)


def _leakage_point(axes: Axes, y: int, row: Estimate, earlier: Estimate | None) -> None:
    """After the adjustment a filled point with its interval, before it an open one."""
    if not words.shown(row):
        axes.annotate(style.short(words.status(row), 60), (0.51, y), va="center", color=style.GRAY)
        return
    if row.conf_low == row.conf_low:
        ends = [max(0.5, row.conf_low), max(0.5, row.conf_high)]
        axes.plot(ends, [y, y], color=style.INK, linewidth=1.0, zorder=2)
    look = {"color": style.ACCENT, "markersize": 5.5, "markeredgewidth": 1.1, "clip_on": False}
    if earlier is not None:
        axes.plot(max(0.5, earlier.estimate), y, "o", markerfacecolor="white", zorder=3, **look)
    axes.plot(max(0.5, row.estimate), y, "o", markerfacecolor=style.ACCENT, zorder=4, **look)
    style.beside(axes, y, _numbers(row))


def _before_and_after(axes: Axes, y: int, earlier: Estimate, row: Estimate) -> None:
    """The two words over the points of one line: in their middle, or outward where they would run together."""
    right, near = earlier.estimate > row.estimate, abs(earlier.estimate - row.estimate) < 0.06
    for value, label, aside in ((earlier.estimate, say("before"), right), (row.estimate, say("after"), not right)):
        axes.annotate(
            label,
            (max(0.525, value), y),
            (0, 4),
            textcoords="offset points",
            ha=("left" if aside else "right") if near else "center",
            color=style.GRAY,
        )


def _numbers(row: Estimate) -> str:
    """Of 100 pairs, with the limits."""
    limits = words.span(row.conf_low, row.conf_high, words.percent)
    return f"{words.percent(row.estimate)}{f' ({limits})' if limits != words.DASH else ''}"


def _point_text(label: str, row: Estimate, earlier: Estimate | None) -> str:
    text = f"{label}, {say(PROBES[row.metric])}: {_numbers(row)}"
    if earlier is None:
        return f"{text}."
    return say("{text}, before {number}.", text=text, number=words.percent(earlier.estimate))
