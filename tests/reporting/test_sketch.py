"""Figures of a page stand where matplotlib puts them, which draws the same figures as files; their SVG is small."""

from __future__ import annotations

import math
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from fontTools import ttLib
from matplotlib.text import Annotation, Text
from matplotlib.ticker import MaxNLocator, ScalarFormatter

import fairstats
from fairstats.estimates import Estimate
from fairstats.reporting.figures import style
from fairstats.reporting.figures.bounds import bounds
from fairstats.reporting.figures.rates import forest_plot
from fairstats.reporting.figures.style import painted, rendering
from fairstats.reporting.sketch import MM, SIZE, Dots, Label, Look, Shape, Sheet, svg, ticks, width, written
from tests.results import results

NEAR = 6.0  # points: widths of labels of 8.5 pt are measured by two libraries
Painter = Callable[[Any], None]


def _painters() -> dict[str, tuple[Painter, float, float]]:
    """What every kind of every result draws, by class and kind."""
    matches: dict[str, tuple[Painter, float, float]] = {}
    for result in results().values():
        for kind in result.plots:
            drawing = result.plot(kind)
            assert drawing.paint is not None
            matches.setdefault(f"{type(result).__name__} {kind}", (drawing.paint, drawing.width, drawing.height))
    return matches


@pytest.fixture(scope="module")
def painters() -> dict[str, tuple[Painter, float, float]]:
    return _painters()


def _plain(text: str) -> str:
    return " ".join(text.split())


def _by_matplotlib(paint: Painter, wide: float, high: float) -> tuple[list[tuple[str, float, float]], list[Any]]:
    """The middle of every text that is drawn, and the frames, in points from the upper left corner."""
    figure = painted(paint, wide, high)
    figure.set_dpi(72)
    texts: list[Text] = [t for t in (figure._supxlabel, figure._supylabel) if t is not None]
    with rendering():
        figure.draw_without_rendering()
        for axes in (a for a in figure.axes if a.get_visible()):
            texts += [*axes.texts, axes._left_title, axes.xaxis.label, axes.yaxis.label]
            ticks = [*axes.xaxis._update_ticks(), *axes.yaxis._update_ticks()]
            texts += [label for tick in ticks for label in (tick.label1, tick.label2)]
        texts = [t for t in texts if t.get_visible() and _plain(t.get_text())]
        texts = [t for t in texts if not isinstance(t, Annotation) or t._check_xy()]
        boxes = [(_plain(t.get_text()), Text.get_window_extent(t)) for t in texts]
        frames = [axes.get_window_extent() for axes in figure.axes if axes.get_visible()]
    height = high * MM
    middles = [(s, (b.x0 + b.x1) / 2, height - (b.y0 + b.y1) / 2) for s, b in boxes]
    return middles, [(b.x0, height - b.y1, b.x1, height - b.y0) for b in frames]


def _by_us(paint: Painter, wide: float, high: float) -> tuple[list[tuple[str, float, float]], list[Any]]:
    sheet = Sheet(wide, high)
    paint(sheet)
    labels = [mark for mark in sheet.marks() if isinstance(mark, Label) and _plain(mark.text)]
    boxes = [(_plain(label.text), label.box()) for label in labels]
    frames = [
        panel.frame(slot)
        for panels, slots in zip(sheet.panels, sheet.layout(), strict=True)
        for panel, slot in zip(panels, slots, strict=True)
        if panel.shown
    ]
    return [(text, (b[0] + b[2]) / 2, (b[1] + b[3]) / 2) for text, b in boxes], frames


def _apart(ours: list[tuple[str, float, float]], theirs: list[tuple[str, float, float]]) -> list[Any]:
    """Texts of which the nearest with the same words is too far away, or that only one of the two has."""
    left, wrong = list(theirs), []
    for text, x, y in ours:
        same = [(max(abs(x - u), abs(y - v)), i) for i, (words, u, v) in enumerate(left) if words == text]
        if not same or min(same)[0] > NEAR:
            wrong.append((text, x, y, min(same, default="missing")))
        if same:
            left.pop(min(same)[1])
    return wrong + left


@pytest.mark.long
def test_every_text_and_every_frame_is_where_matplotlib_has_it(painters):
    wrong = []
    for name, figure in painters.items():
        (theirs, frames), (ours, current) = _by_matplotlib(*figure), _by_us(*figure)
        wrong += [(name, text) for text in _apart(ours, theirs)]
        wrong += [(name, a, b) for a, b in zip(current, frames, strict=True) if np.abs(np.subtract(a, b)).max() > NEAR]
    assert len(painters) > 30 and not wrong, "\n".join(map(str, wrong))


def test_round_numbers_and_their_texts_are_matplotlib_s():
    rng = np.random.default_rng(0)
    for _ in range(2000):
        low = float(rng.normal() * 10 ** rng.uniform(-3, 4))
        high = low + float(10 ** rng.uniform(-2.5, 4.5))
        if abs(low + high) / 2 / (high - low) >= 50:  # there matplotlib prints an offset beside the axis
            continue
        most = int(rng.integers(1, 10))
        inside = [t for t in MaxNLocator(most, steps=[1, 2, 2.5, 5, 10]).tick_values(low, high) if low <= t <= high]
        ours = ticks(low, high, most)
        assert np.allclose(ours, inside, rtol=1e-9, atol=1e-9 * (high - low)), (low, high, most)
        shown = ScalarFormatter(useOffset=False)
        shown.set_scientific(False)
        shown.create_dummy_axis()
        shown.axis.set_view_interval(low, high)
        shown.set_locs(inside)
        if 1e-5 < max(map(abs, ours)) < 1e6:
            assert [text.replace(",", "") for text in written(ours)] == [shown(t) for t in inside], (low, high, most)


def test_a_saved_figure_speaks_the_language_of_its_page():
    drawing = results()["audit of scores"].plot("ecdf", language="de")
    assert ">0,2<" in drawing.svg
    drawing.figure.draw_without_rendering()
    assert "0,2" in {label.get_text() for label in drawing.figure.axes[0].get_xticklabels()}


def test_widths_are_those_of_the_face():
    face = ttLib.TTFont(style.FONTS / "Inter-Regular.ttf")
    glyphs, advances, em = face.getBestCmap(), face["hmtx"], face["head"].unitsPerEm
    for code, glyph in glyphs.items():
        assert math.isclose(width(chr(code), 1.0), advances[glyph][0] / em), chr(code)
    assert width("\u6f22", 8) == 8 and width("e\u0301", 8) >= width("e", 8)


PEN, OPEN = Look(stroke="#111111", width=1.0), Look("#ffffff", "#111111", 1.0)


def _body(*marks: Any) -> list[ET.Element]:
    return list(ET.fromstring(svg((90, 20), marks, "f", "c", "a")))[2:]


def test_neighbors_that_look_alike_are_one_element_and_others_are_not():
    lines = [Shape(PEN, (((float(i), 1.0), (i + 0.5, 1.0)),)) for i in range(3)]
    assert [e.get("d") for e in _body(*lines)] == ["M0 1H0.5M1 1H1.5M2 1H2.5"]
    dot = Dots(Look("#111111", "#111111", 1.0), ((1.0, 1.0),), 2.0)
    assert len(_body(lines[0], dot, lines[1])) == 3
    shade = Look("#111111", opacity=0.15)
    band = Shape(shade, (((0.0, 0.0), (1.0, 0.0), (1.0, 1.0)),), closed=True)
    assert len(_body(band, band)) == 2, "where two bands overlap, both are seen"


def test_open_dots_that_touch_are_circles_each_over_the_last_and_others_two_lines():
    apart, near = Dots(OPEN, ((1.0, 1.0), (9.0, 1.0)), 4.0), Dots(OPEN, ((1.0, 1.0), (3.0, 1.0)), 4.0)
    outer, inner = _body(apart)
    assert (outer.get("stroke-width"), inner.get("stroke-width")) == ("5", "3")
    assert outer.get("d") == inner.get("d") == "M1 1h.01M9 1h.01" and inner.get("stroke") == "#ffffff"
    (group,) = _body(near)
    assert [(e.tag, e.get("cx"), e.get("r")) for e in group] == [("circle", "1", "2"), ("circle", "3", "2")]


def test_what_leaves_the_frame_is_cut_and_the_name_of_the_frame_is_unique(painters):
    sheet = Sheet(90, 40)
    panel = sheet.add_subplot()
    panel.plot([0, 10], [0, 1], color="#111111")
    panel.set_xlim(0, 1)
    panel.set_ylim(0, 1)
    root = ET.fromstring(sheet.svg("f", "c", "a"))
    assert [e.get("id") for e in root.iter("clipPath")] == ["f-0"]
    assert [e.get("clip-path") for e in root.iter("path") if e.get("clip-path")] == ["url(#f-0)"]
    page = fairstats.report(results()["audit of scores"]).html
    names = re.findall(r'\bid="([^"]*)"', page)
    assert len(names) == len(set(names))


def test_text_of_the_data_is_text():
    (label,) = _body(Label("<b>&\x1b[2J", 1.0, 2.0, 8.0, "#111111"))
    assert label.text is not None and label.text.startswith("<b>&") and "\x1b" not in label.text


@pytest.mark.long
def test_figures_are_drawn_without_matplotlib():
    code = (
        "import sys, fairstats as fs\n"
        "page = fs.report(fs.audit({'area': ['a', 'b', 'c'] * 40, 'hired': [0, 1, 1, 1] * 30}, 'hired', 'area')).html\n"
        "print(page.count('<figure'), 'matplotlib' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert int(done.stdout.split()[0]) > 0 and done.stdout.split()[1] == "False"


def test_a_title_of_two_lines_is_two_lines_above_the_frame():
    row = Estimate("TPR", group="b", reference="a", contrast="difference", estimate=-0.1, conf_low=-0.2, conf_high=0.0)
    drawing = forest_plot("f", [row], [row], caption="c", titles=["right when rated as of medium or of high risk", "x"])
    lines = re.findall(
        r'<text x="([\d.]+)" y="([\d.]+)"[^>]*>(right when[^<]*|high risk|or high risk)</text>', drawing.svg
    )
    (x, y, _), (x2, y2, _) = lines
    assert x == x2 and float(y) + 8 < float(y2) and float(y) > 0


def test_a_name_of_an_axis_of_two_lines_is_two_lines_within_the_sheet():
    row = Estimate("selection rate", group="b", reference="a", contrast="difference", estimate=-0.1)
    limits, ends = row.with_interval(-0.1, -0.3, 0.1), row.with_interval(-0.1, -0.2, 0.05)
    key = "bar: bound; line: its 95% CI, adjusted; dot: weighted; square: linear; diamond: corrected"
    drawing = bounds("b", [(limits, ends, [])] * 3, caption="c", labels=["b less a"] * 3, key=key)
    pattern = (
        r'<text x="([\d.]+)" y="([\d.]+)"[^>]*>(difference of selection rates, percentage points|bar: [^<]*)</text>'
    )
    (x, y, _), (x2, y2, lower) = re.findall(pattern, drawing.svg)
    wide, high = map(float, re.search(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', drawing.svg).groups())
    half = width(lower, SIZE) / 2
    assert x == x2 and lower == key and float(y) + 8 < float(y2) < high
    assert half < float(x2) < wide - half
