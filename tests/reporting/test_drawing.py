"""A drawing by itself: in notebooks and documents that know nothing of the page's fonts, and as a file."""

from __future__ import annotations

import base64
import io
import itertools
import re
import shutil
import subprocess
import warnings
from pathlib import Path
from xml.etree import ElementTree

import matplotlib
import numpy as np
import pandas as pd
import pytest
from fontTools import ttLib
from fontTools.pens.areaPen import AreaPen
from matplotlib.figure import Figure

import fairstats
from fairstats.errors import FileError, InputError
from fairstats.reporting.figures import style
from fairstats.reporting.figures.pixels import pixels
from fairstats.reporting.figures.style import Drawing, raster
from tests.laws.every_result import people
from tests.results import results

SVG = "{http://www.w3.org/2000/svg}"
NAME = "<script>\x1b[2J &amp; \u202e"


@pytest.fixture(scope="module")
def drawing() -> Drawing:
    return results()["audit"].plot()


@pytest.mark.long
def test_the_svg_by_itself_is_xml_with_outlines_for_text(drawing: Drawing) -> None:
    root = ElementTree.fromstring(drawing._repr_svg_())
    assert root.tag == f"{SVG}svg" and root.get("width").endswith("pt")
    tags = {element.tag for element in root.iter()}
    assert f"{SVG}text" not in tags and f"{SVG}style" not in tags and f"{SVG}path" in tags
    assert root.find(f"{SVG}title").text == drawing.caption and root.find(f"{SVG}desc").text == drawing.alt
    links = {value[1:] for e in root.iter() for key, value in e.attrib.items() if key.endswith("href")}
    links |= set(re.findall(r"url\(#([^)]*)\)", drawing._repr_svg_()))
    assert links and links <= {e.get("id") for e in root.iter()}


def test_a_label_breaks_neither_xml_nor_html() -> None:
    table = pd.DataFrame({"g": [NAME, "b"] * 40, "d": [0, 1, 1, 1] * 20})
    drawing = fairstats.audit(table, "d", "g").plot()
    assert "script" in ElementTree.fromstring(drawing._repr_svg_()).find(f"{SVG}desc").text
    assert "<script" not in drawing._repr_html_() and "\x1b" not in drawing._repr_html_() + drawing._repr_svg_()


def test_html_is_one_image_with_its_text_and_no_style_that_reaches_the_page(drawing: Drawing) -> None:
    shown = drawing._repr_html_()
    assert re.findall(r"<(\w+)", shown) == ["figure", "img", "figcaption"]
    source = re.search(r'src="data:image/svg\+xml;base64,([^"]*)"', shown)[1]
    assert base64.b64decode(source).decode() == drawing._repr_svg_()
    assert f'alt="{drawing.alt}"' in shown and len(shown) < 200_000


def ink(png: bytes) -> np.ndarray:
    """How dark a picture is, by row and by column of fifty."""
    from PIL import Image

    return 255.0 - np.asarray(Image.open(io.BytesIO(png)).convert("L").resize((50, 50), Image.Resampling.BOX))


def test_a_document_has_the_picture_that_matplotlib_draws(drawing: Drawing) -> None:
    ours, drawn = ink(pixels(drawing, 200)[0]), ink(raster(drawing, 200))
    assert ours.sum() == pytest.approx(drawn.sum(), rel=0.08)
    for axis in (0, 1):
        assert np.corrcoef(ours.sum(axis), drawn.sum(axis))[0, 1] > 0.9


def test_png_has_the_size_of_the_page_in_css_pixels(drawing: Drawing) -> None:
    pixels, size = drawing._repr_png_()
    assert pixels.startswith(b"\x89PNG") and size["width"] == pytest.approx(drawing.width / 25.4 * 96, abs=2)


@pytest.mark.parametrize(
    ("suffix", "start"), [(".svg", b"<?xml"), (".png", b"\x89PNG"), (".pdf", b"%PDF"), (".PNG", b"\x89PNG")]
)
def test_the_ending_says_what_is_written_and_twice_the_same(drawing, tmp_path: Path, suffix: str, start: bytes) -> None:
    target = tmp_path / f"figure{suffix}"
    assert drawing.save(target) == target
    first = target.read_bytes()
    assert first.startswith(start) and drawing.save(str(target)).read_bytes() == first


@pytest.mark.parametrize("name", ["x.jpg", "x", "x.html", "x.svgz"])
def test_another_ending_is_an_error_and_writes_nothing(drawing: Drawing, tmp_path: Path, name: str) -> None:
    with pytest.raises(FileError, match=r"a figure is written as \.svg, \.png, \.pdf; change its ending"):
        drawing.save(tmp_path / name)
    assert not list(tmp_path.iterdir())


def test_no_file_that_was_read_is_overwritten(tmp_path: Path) -> None:
    data = tmp_path / "people.csv"
    pd.DataFrame({"g": ["a", "b"] * 40, "d": [0, 1, 1, 1] * 20}).to_csv(data, index=False)
    (tmp_path / "figure.svg").symlink_to(data)
    before = data.read_bytes()
    with pytest.raises(FileError, match="holds the data"):
        fairstats.audit(data, "d", "g").plot().save(tmp_path / "figure.svg")
    assert data.read_bytes() == before


def test_the_matplotlib_figure_is_handed_out_and_saved_as_changed(tmp_path: Path) -> None:
    drawing = results()["audit"].plot()
    before = drawing._repr_svg_()
    drawing.figure.axes[0].set_xlabel("something else")
    assert drawing._repr_svg_() != before


def test_the_word_of_matplotlib_is_answered_with_ours(drawing: Drawing) -> None:
    with pytest.raises(AttributeError, match=r'savefig is no method of a drawing; save\("figure.png"\) does that'):
        drawing.savefig("figure.png")  # type: ignore[attr-defined]
    with pytest.raises(AttributeError, match="'Drawing' object has no attribute 'draw'"):
        drawing.draw  # type: ignore[attr-defined] # noqa: B018


def test_the_short_form_is_short(drawing: Drawing) -> None:
    assert repr(drawing) == f"<Drawing: rates; {drawing.caption}>"


@pytest.mark.skipif(not shutil.which("pdftotext"), reason="pdftotext (poppler) is not installed")
def test_the_pdf_can_be_read_and_nothing_is_cut_off(drawing: Drawing, tmp_path: Path) -> None:
    file = drawing.save(tmp_path / "figure.pdf")
    read = subprocess.run(["pdftotext", "-layout", file, "-"], capture_output=True, text=True, check=True)
    text = read.stdout
    assert read.stderr == ""  # of a font that is not what it says it is
    assert "White" in text and "85.4" in text.replace("\N{MINUS SIGN}", "-") and "selection rate, %" in text


@pytest.mark.skipif(not shutil.which("pdffonts"), reason="pdffonts (poppler) is not installed")
def test_the_fonts_of_a_pdf_are_truetype_and_the_settings_of_the_user_stay(drawing: Drawing, tmp_path: Path) -> None:
    """Journals refuse fonts of type 3, and cubic outlines under the name of TrueType."""
    before = matplotlib.rcParams["pdf.fonttype"]
    drawing.figure.savefig(tmp_path / "own.pdf")
    for file in (drawing.save(tmp_path / "f.pdf"), tmp_path / "own.pdf"):
        listed = subprocess.run(["pdffonts", file], capture_output=True, text=True, check=True).stdout.split("\n")[2:-1]
        assert listed and all("Inter" in line and " CID TrueType " in line for line in listed)
    assert matplotlib.rcParams["pdf.fonttype"] == before
    for path in style.FONTS.glob("*.ttf"):
        face, cubic = ttLib.TTFont(path), ttLib.TTFont(path.with_suffix(".woff2"))
        assert "glyf" in face and "CFF " not in face and face.getBestCmap().keys() == cubic.getBestCmap().keys()
        for letter in "aBg%8é→×−":
            areas = []
            for one in (face, cubic):
                area = AreaPen(one.getGlyphSet())
                one.getGlyphSet()[one.getBestCmap()[ord(letter)]].draw(area)
                areas.append(abs(area.value))
            assert areas[0] == pytest.approx(areas[1], rel=0.01), letter


def test_text_lies_inside_the_frame() -> None:
    drawing = fairstats.audit({"g": ["a " * 30, "b"] * 40, "d": np.tile([0, 1, 1, 1], 20)}, "d", "g").plot()
    figure = drawing.figure
    figure.draw_without_rendering()
    inside = figure.bbox
    for text in figure.findobj(lambda artist: hasattr(artist, "get_text") and artist.get_text()):
        with style.rendering():  # letters as wide as they are drawn
            box = text.get_window_extent()
        assert inside.x0 - 1 <= box.x0 and box.x1 <= inside.x1 + 1, text.get_text()


def test_a_result_has_no_such_argument(drawing: Drawing) -> None:
    with pytest.raises(InputError, match="path has 3"):
        drawing.save(3)  # type: ignore[arg-type]


def test_a_report_says_and_draws_what_studies_of_a_fit_found(tmp_path: Path) -> None:
    fit = fairstats.fair_pca(["u", "v", "w"], "sex", k=1, data=people())
    cost, chosen = (
        fairstats.price_of_fairness(fit, people(), "sex"),
        fairstats.select_k(["u", "v", "w"], "sex", data=people(), permutations=9),
    )
    turned = fairstats.bootstrap_loadings(fit, people(), "sex", replicates=20)
    page = " ".join(fairstats.report(fit, cost, turned, chosen, to=tmp_path / "r.html").html.split())
    for study in (cost, turned):
        assert study.heading in page and study.statements[0].replace("'", "&#39;") in page
    assert "Number of components (fair_pca)" in page and "Band: interval of fair_pca, number by number." in page
    assert "Loading: u" not in page and "loading" in fairstats.report(turned).csv
    picture = chosen.plot()
    assert picture.alt.startswith("Lines over number of components. fair_pca: ") and "pca: " in picture.alt


@pytest.mark.long
@pytest.mark.parametrize("p", [2, 3, 4, 20])
def test_the_errors_over_components_are_drawn_at_whole_numbers_and_at_the_one_chosen(p: int) -> None:
    """Features that go with nothing: components predict worse than the means, and as many as features are no choice."""
    X = np.random.default_rng(p).standard_normal((300, p)) * ([1, 1, 1, 9] + [1] * 16)[:p]
    chosen = fairstats.select_k(X, np.repeat(["a", "b"], 150), "og", permutations=0, max_k=min(p, 14))
    drawing = chosen.plot()
    drawing.figure.draw_without_rendering()
    axes = drawing.figure.axes[0]
    low, high = axes.get_xlim()
    texts = [text.get_text() for text in axes.get_xticklabels() if low <= text.get_position()[0] <= high]
    assert texts and all(text.isdecimal() for text in texts)
    points = [line for line in axes.lines if line.get_marker() == "o"]
    assert len(points) == 2 and chosen.k in points[0].get_xdata()
    none = "og, least error: by least squares no number of components predicts better than the means" in " ".join(
        chosen.summary().split()
    )
    assert ("no number of components of og predicts better" in drawing.caption) is none
    written = [text.get_text() for text in axes.texts]
    assert ([text for text in written if text.startswith("chosen")] == []) is none and "means" in written
    assert all(max(line.get_xdata()) < p for line in points)
    for line, fit in zip(points, chosen.fits, strict=True):  # every number tried is drawn, or its absence said
        absent = set(range(1, chosen.max_k + 1)) - set(line.get_xdata())
        missing = re.search(rf"Not drawn of {fit}: k = ([\d, ]+), where", drawing.caption)
        assert absent - {p} == ({int(k) for k in missing[1].split(", ")} if missing else set())
        assert (p in absent) == (f"k = {p} is not drawn" in drawing.caption)


def test_a_png_has_the_dots_that_were_asked_for(drawing: Drawing, tmp_path: Path) -> None:
    for dpi in (100, 600):
        head = drawing.save(tmp_path / "d.png", dpi=dpi).read_bytes()[16:24]
        assert int.from_bytes(head[:4]) == pytest.approx(drawing.width / 25.4 * dpi, abs=1)
    with pytest.raises(InputError, match="dpi has 0"):
        drawing.save(tmp_path / "d.png", dpi=0)


def test_a_title_of_ones_own_lies_above_the_names_of_lines_and_within_the_figure() -> None:
    figure = results()["audit"].plot("rates").figure
    assert figure is not None
    figure.set_size_inches(3.35, 2.2)
    axes = figure.axes[0]
    axes.set_title("Releases")
    figure.draw_without_rendering()
    title, names = axes.title.get_window_extent(), [text.get_window_extent() for text in axes.texts]
    assert any("reference" in text.get_text() for text in axes.texts)
    assert not any(title.overlaps(name) for name in names)
    assert title.y1 <= figure.bbox.y1
    for extent in (*names, *(label.get_window_extent() for label in axes.get_yticklabels())):
        assert extent.x0 >= 0 and extent.x1 <= figure.bbox.x1


@pytest.mark.parametrize("name", ["title", "figsize"])
def test_an_argument_of_other_packages_is_answered_with_the_way(drawing: Drawing, name: str) -> None:
    with pytest.raises(InputError, match=r"\.figure"):
        results()["audit"].plot(**{name: "x"})


def test_what_was_taken_out_afterward_is_said_to_be_from_before() -> None:
    rng = np.random.default_rng(1)
    X, groups = rng.normal(size=(80, 4)), np.repeat(["a", "b"], 40)
    after, within = fairstats.og(X, groups, k=2), fairstats.pca(X, groups, k=2)
    for fit, said in ((after, True), (within, False)):
        assert ("before adjustment" in fairstats.table(fit, "components").note) is said
        assert fit.plot("explained").caption.endswith(" before the adjustment.") is said


PAPER = {"font.family": "serif", "font.serif": ["STIXGeneral"], "font.size": 7.0, "axes.labelsize": 7.0}


@matplotlib.rc_context(PAPER)
def test_axes_of_ones_own_hold_the_same_lines_in_their_own_font() -> None:
    for wide, numbers in ((3.3, False), (7.0, True)):
        axes = Figure(figsize=(wide, 2), layout="constrained").add_subplot(title="$R^2$")
        alone = results()["audit"].plot("rates", ax=axes).figure
        assert alone is not None and alone.axes[0] is not axes
        drawn, expected = ([line.get_xydata().tolist() for line in one.lines] for one in (axes, alone.axes[0]))
        assert drawn == expected and axes.get_xlabel() == alone.axes[0].get_xlabel()
        texts = [text for text in axes.texts if text.get_text()]
        above = [text for text in alone.axes[0].texts if text.get_text().startswith("reference: ")]
        assert len(above) == 1 and not any(text.get_text().startswith("reference: ") for text in axes.texts)
        assert len(alone.axes[0].texts) - 1 - len(texts) == (0 if numbers else len(axes.get_yticks()))
        sizes = [line.get_markersize() for line in axes.lines if line.get_marker() not in ("None", "")]
        assert set(sizes) == {5.5 if numbers else style.NARROW_DOTS * 5.5}
        assert {text.get_fontsize() for text in (*texts, axes.xaxis.label)} == {7.0}
        assert {text.get_fontname() for text in (*texts, *axes.get_yticklabels())} == {"STIXGeneral"}
        assert axes.title.get_parse_math() and axes.get_title() == "$R^2$"
        assert matplotlib.rcParams["font.size"] == 7.0
        axes.figure.draw_without_rendering()
        (around,) = [axes.get_tightbbox()]
        assert around.x0 >= 0 and around.x1 <= axes.figure.bbox.x1 and around.y0 >= 0


def _two() -> list[fairstats.Audit]:
    """Two audits, one with a gap below 0, one with a gap above."""
    tables = [{"g": ["a", "b"] * 60, "d": [1, 0, 1, 1, 0, 0, 1, 0] * 15}]
    tables.append({"g": ["b", "a"] * 60, "d": [1, 0, 1, 1, 0, 0, 1, 0, 1, 0] * 12})
    return [fairstats.audit(table, "d", "g", reference="a") for table in tables]


@pytest.mark.parametrize("kind", ["differences", "rates"])
@pytest.mark.parametrize("one", [False, True])
def test_shared_or_reused_axes_hold_every_interval(kind: str, one: bool) -> None:
    figure = Figure(figsize=(7, 2.5))
    panels = [figure.add_subplot()] * 2 if one else list(figure.subplots(1, 2, sharex=True))
    for result, axes in zip(_two(), panels, strict=True):
        result.plot(kind, ax=axes)
    low, high = panels[0].get_xlim()
    contrast = "none" if kind == "rates" else "difference"
    rows = [row for one in _two() for row in one.estimates.only(metric="selection rate", contrast=contrast)]
    ends = [100 * end for row in rows for end in (row.conf_low, row.conf_high)]
    assert low <= min(ends) and max(ends) <= high and len(ends) >= 4
    assert panels[1].get_xlim() == (low, high) and panels[0].get_ylim()[0] > panels[0].get_ylim()[1]


def test_shared_or_reused_axes_keep_the_names_of_their_rows() -> None:
    first, _ = _two()
    other = fairstats.audit({"g": ["c", "a", "a"] * 40, "d": [1, 0, 1, 1, 0, 0] * 20}, "d", "g", reference="a")
    for figures in (((first, "rates"), (first, "differences")), ((first, "rates"), (other, "rates"))):
        for one, remedy in ((False, "without sharey"), (True, "its own axes")):
            figure = Figure(figsize=(9, 3))
            panels = [figure.add_subplot()] * 2 if one else list(figure.subplots(1, 2, sharey=True))
            for place, ((result, kind), axes) in enumerate(zip(figures, panels, strict=True)):
                if place:
                    names = [name.get_text() for name in panels[0].get_yticklabels()]
                    with pytest.raises(fairstats.InputError, match=rf"ax has axes that .*other rows \(.*{remedy}"):
                        result.plot(kind, ax=axes)
                    assert [name.get_text() for name in panels[0].get_yticklabels()] == names
                    assert one or not axes.has_data()
                else:
                    result.plot(kind, ax=axes)
    scores = fairstats.audit(
        {"g": ["a", "b"] * 60, "s": list(range(120)), "y": [0, 1, 1] * 40}, score="s", groups="g", outcome="y"
    )
    panels = list(Figure(figsize=(9, 3)).subplots(1, 2, sharey=True))
    scores.plot("roc", ax=panels[0])
    with pytest.raises(fairstats.InputError, match=r"share their y-axis with a panel of numbers; .*without sharey"):
        first.plot("rates", ax=panels[1])
    panels = list(Figure(figsize=(9, 3)).subplots(1, 2, sharey=True))
    for axes in panels:  # a line of the caller's, which has no place on the axis of names
        axes.axvline(50)
        first.plot("rates", ax=axes)
    assert panels[1].has_data()


def test_axes_with_a_format_of_the_callers_and_axes_that_were_cleared_take_any_rows() -> None:
    first, _ = _two()
    axes = Figure(figsize=(5, 3)).add_subplot()
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:.1f}")
    first.plot("rates", ax=axes)
    axes.set_yticklabels(["A", "B"])
    with pytest.raises(fairstats.InputError, match="hold other rows"):  # also where the caller renamed them
        first.plot("differences", ax=axes)
    axes.clear()
    axes.axvline(0)
    first.plot("differences", ax=axes)
    assert [name.get_text() for name in axes.get_yticklabels()] == ["b"]


def test_panels_of_the_same_groups_share_their_names_without_numbers_of_people() -> None:
    years = [
        fairstats.audit({"g": ["a"] * n + ["b"] * 40, "d": [0, 1] * (n // 2 + 20)}, "d", "g", reference="a")
        for n in (60, 60, 80, 100)
    ]
    panels = list(Figure(figsize=(12, 3)).subplots(1, 4, sharey=True))
    names = (["a  (n = 60)", "b  (n = 40)"], ["a  (n = 60)", "b  (n = 40)"], ["a", "b"], ["a", "b"])
    for year, axes, expected in zip(years, panels, names, strict=True):
        axes.axvline(50)
        year.plot("rates", ax=axes)
        assert [name.get_text() for name in panels[0].get_yticklabels()] == expected
    with pytest.raises(fairstats.InputError, match=r"ax has axes that .*other rows"):
        years[0].plot("rates", ax=panels[3])  # rows of two years in one panel
    one = Figure(figsize=(5, 3)).add_subplot()
    years[0].plot("rates", ax=one)
    with pytest.raises(fairstats.InputError, match=r"hold other rows \(a \(n = 60\)"):
        years[3].plot("rates", ax=one)


def test_a_drawing_in_axes_of_ones_own_shows_nothing_of_itself_in_a_notebook() -> None:
    display = pytest.importorskip("IPython.core.formatters").DisplayFormatter()
    display.active_types = ["text/plain", "text/html", "image/svg+xml", "image/png"]
    result = _two()[0]
    alone, placed = result.plot("rates"), result.plot("rates", ax=Figure(figsize=(5, 3)).add_subplot())
    assert display.format(placed) == ({}, {}) and placed._repr_html_() == ""
    assert {"text/html", "image/png"} <= display.format(alone)[0].keys()
    assert (placed.svg, placed.alt, placed.caption) == (alone.svg, alone.alt, alone.caption)


def test_limits_set_beforehand_are_kept_where_they_hold_everything_and_grow_where_not() -> None:
    for given, kept in (((-90, 90), True), ((90, -90), True), ((-1, 1), False)):
        axes = Figure(figsize=(7, 2.5)).add_subplot(xlim=given)
        _two()[0].plot("differences", ax=axes)
        assert (axes.get_xlim() == given) is kept
        assert min(axes.get_xlim()) < -1 or kept


def test_two_panels_of_one_size_look_the_same() -> None:
    stacked, beside = Figure(figsize=(6, 4)).subplots(2, 1), Figure(figsize=(5, 2.5)).subplots(1, 2)
    for panels in (stacked, beside):
        for axes in panels:
            _two()[0].plot("differences", ax=axes)
        looks = [
            (
                [line.get_markersize() for line in axes.lines],
                [text.get_text() for text in axes.texts],
                axes.get_xlabel(),
            )
            for axes in panels
        ]
        assert looks[0] == looks[1]
    assert "\n" in beside[0].get_xlabel() and "(" in stacked[1].texts[-1].get_text()
    beside[0].set_xlabel("a name of the user's own, which is as long as the frame, or longer than that")
    _two()[1].plot("differences", ax=beside[1])
    assert "\n" not in beside[0].get_xlabel()


@pytest.mark.long
def test_every_figure_fits_into_a_part_of_a_figure_of_ones_own() -> None:
    for result in results().values():
        for kind in result.plots:
            left, right = Figure(figsize=(9, 4), layout="constrained").subfigures(1, 2)
            alone = result.plot(kind, ax=right).figure
            assert not left.axes and alone is not None
            assert [len(axes.lines) for axes in right.axes] == [len(axes.lines) for axes in alone.axes], kind


def test_a_label_in_axes_of_ones_own_is_no_formula() -> None:
    axes = Figure().add_subplot()
    table = {"g": ["$x$", "b"] * 40, "d": [0, 1, 1, 1] * 20}
    fairstats.audit(table, "d", "g").plot("rates", ax=axes)
    named = [text for text in axes.get_yticklabels() if "$x$" in text.get_text()]
    assert len(named) == 1 and not named[0].get_parse_math()


def test_titles_of_two_panels_overprint_nothing_and_rows_that_would_are_refused_with_the_least_height() -> None:
    table = {"g": ["a", "b", "c", "d"] * 60, "d": [0, 1, 1, 1, 1, 0, 0, 1] * 30, "y": [0, 1, 1] * 80}
    result = fairstats.audit(table, "d", "g", outcome="y", margin=0.1)
    with matplotlib.rc_context({**PAPER, "axes.titlesize": 7.0, "ytick.labelsize": 7.0}):
        figure = Figure(figsize=(3.3, 2.8), layout="constrained")
        for axes, title in zip(figure.subplots(2, 1), ("(a)", "(b)"), strict=True):
            result.plot("differences", ax=axes)
            axes.set_title(title)
        figure.draw_without_rendering()
        for axes in figure.axes:
            texts = [text.get_window_extent() for text in axes.texts if text.get_text()]
            names = [name.get_window_extent() for name in axes.get_yticklabels()]
            title = axes.title.get_window_extent()
            assert not any(title.overlaps(other) for other in (*texts, *names))
            assert not any(one.overlaps(other) for one, other in itertools.pairwise(names))
            assert {name.get_text() for name in axes.get_yticklabels()} <= set("abcd")
            assert axes.get_xlabel().startswith("selection rate: difference from ")
        low = Figure(figsize=(3.3, 0.8), layout="constrained")
        with pytest.raises(
            InputError, match=r"ax has a figure 0.8 inches high, too low for 3 rows .*make it"
        ) as refused:
            result.plot("errors", ax=low)
        assert not low.axes
        least = float(re.findall(r"make it ([0-9.]+) inches high", str(refused.value))[0])
        high = Figure(figsize=(3.3, least), layout="constrained")
        result.plot("errors", ax=high)
        assert high.axes


def test_long_names_of_rows_are_broken_and_nothing_is_cut_in_a_narrow_figure_without_a_layout() -> None:
    table = {"g": ["a", "b", "c", "d"] * 60, "d": [0, 1, 1, 1, 1, 0, 0, 1] * 30, "y": [0, 1, 1] * 80}
    result = fairstats.audit(table, "d", "g", outcome="y")
    with pytest.raises(InputError, match="make it") as refused:
        result.plot("claims", ax=Figure(figsize=(3.3, 1)).add_subplot())
    least = float(re.findall(r"make it ([0-9.]+) inches high", str(refused.value))[0])
    for kind, high in (("claims", least), ("rates", 2), ("ratios", 2)):
        axes = Figure(figsize=(3.3, high)).add_subplot()
        result.plot(kind, ax=axes)
        axes.figure.draw_without_rendering()
        around, names = axes.get_tightbbox(), [name.get_window_extent() for name in axes.get_yticklabels()]
        assert around.x0 >= 0 and around.x1 <= axes.figure.bbox.x1 + 1 and around.y0 >= 0, kind
        assert axes.bbox.width > 0.3 * axes.figure.bbox.width
        assert not any(one.overlaps(other) for one, other in itertools.pairwise(names))


@pytest.mark.parametrize("layout", [None, "constrained", "tight", "none"])
@pytest.mark.parametrize("when", ["before", "between", "after"])
def test_tight_layout_cuts_nothing_whenever_it_is_called(layout: str | None, when: str) -> None:
    table = {"g": ["a group with a name", "b", "c", "d"] * 60, "d": [0, 1, 1, 1, 1, 0, 0, 1] * 30}
    result = fairstats.audit(table, "d", "g", margin=0.1)
    for size, rows, columns in (((3.3, 1.9), 1, 1), ((6, 1.9), 1, 1), ((9, 2), 1, 2), ((6, 4), 2, 1)):
        figure = Figure(figsize=size, layout=layout)
        panels = figure.subplots(rows, columns, squeeze=False).ravel()
        with warnings.catch_warnings():
            if layout == "constrained":  # of matplotlib's: the caller chose another layout
                warnings.filterwarnings("ignore", "The figure layout has changed to tight")
            if when == "before":
                figure.tight_layout()
            for axes, kind in zip(panels, ("rates", "differences"), strict=False):
                result.plot(kind, ax=axes)
                if when == "between":
                    figure.tight_layout()
            if when == "after":
                figure.tight_layout()
            figure.draw_without_rendering()
        boxes = [axes.get_tightbbox() for axes in panels]
        for box in boxes:
            assert box.x0 >= 0 and box.y0 >= 0 and box.x1 <= figure.bbox.x1 and box.y1 <= figure.bbox.y1
        assert not any(one.overlaps(other) for one, other in itertools.combinations(boxes, 2))
        for axes in panels:
            names = [name.get_window_extent() for name in axes.get_yticklabels()]
            assert not any(one.overlaps(other) for one, other in itertools.pairwise(names))


def test_adjustments_of_the_callers_that_cut_nothing_are_kept() -> None:
    figure = Figure(figsize=(8, 3))
    axes = figure.add_subplot()
    figure.tight_layout()
    figure.subplots_adjust(left=0.4, right=0.6, bottom=0.4, top=0.9)
    _two()[0].plot("rates", ax=axes)
    figure.draw_without_rendering()
    assert axes.get_position().extents.tolist() == pytest.approx([0.4, 0.4, 0.6, 0.9])


def test_axes_that_cannot_hold_a_figure_are_refused_with_the_way() -> None:
    figure = Figure()
    axes = figure.add_subplot()
    with pytest.raises(InputError, match=r"one panel, but this figure has 2; pass an empty figure .*subfigures"):
        results()["audit"].plot("hundred", ax=axes)
    with pytest.raises(InputError, match="or draw kind='differences', which has one panel"):
        fairstats.audit({"d": [1, 0, 1] * 30, "g": list("abcbca") * 15}, "d", "g").plot("forest", ax=axes)
    with pytest.raises(InputError, match="pass one of them"):
        results()["audit"].plot("rates", ax=figure)
    with pytest.raises(InputError, match="pass axes of matplotlib"):
        results()["audit"].plot("rates", ax=np.array([axes]))
    assert not axes.lines


def test_the_names_of_two_kinds_of_points_stand_apart() -> None:
    rng = np.random.default_rng(3)
    table = pd.DataFrame({"g": rng.choice([*"abc"], 900), "s": rng.choice([*"xy"], 900), "d": rng.integers(0, 2, 900)})
    result = fairstats.audit(table, "d", "g", strata="s")
    later = fairstats.audit(table.assign(d=rng.integers(0, 2, 900)), "d", "g", strata="s")
    for drawing in (result.plot("crude_adjusted"), fairstats.compare_audits(result, later).plot()):
        axes = drawing.figure.axes[0]
        names = [
            one.get_window_extent() for one in axes.texts if one.get_text() in ("crude", "given s", "before", "after")
        ]
        assert len(names) == 2 and not names[0].overlaps(names[1])


def test_what_the_caption_calls_gray_is_gray_with_its_interval() -> None:
    rng = np.random.default_rng(3)
    table = pd.DataFrame({"g": rng.choice([*"abc"], 900), "s": rng.choice([*"xy"], 900), "d": rng.integers(0, 2, 900)})
    drawing = fairstats.audit(table, "d", "g", strata="s").plot("differences")
    assert "Gray: crude" in drawing.caption
    of_row: dict[float, set[str]] = {}
    for line in drawing.figure.axes[0].lines[1:]:  # the first is that of equality
        of_row.setdefault(float(line.get_ydata()[-1]), set()).add(line.get_color())
    assert [of_row[y] for y in (0, 1, 2, 3)] == [{style.INK, style.ACCENT}, {style.GRAY}] * 2


@pytest.mark.parametrize("layout", [None, "constrained", "tight", "called"])
def test_a_square_figure_in_axes_of_ones_own_is_whole_when_it_is_first_saved(layout: str | None) -> None:
    rng = np.random.default_rng(3)
    table = pd.DataFrame({"g": rng.choice(["Zugewanderte", "Einheimische"], 400), "s": rng.random(400)})
    table["y"] = (rng.random(400) < table["s"]).astype(int)
    result = fairstats.audit(table, score="s", outcome="y", groups="g")
    with matplotlib.rc_context({"font.size": 8, "axes.labelsize": 8}):
        figure = Figure(figsize=(3.4, 2.4), layout=None if layout == "called" else layout)
        axes = figure.add_subplot()
        result.plot("roc", ax=axes)
        if layout == "called":
            figure.tight_layout()
        for _ in range(2):
            figure.savefig(io.BytesIO(), format="png")
            box = axes.get_tightbbox()
            assert box.x0 >= 0 and box.y0 >= 0 and box.x1 <= figure.bbox.x1 and box.y1 <= figure.bbox.y1


def test_a_drawing_that_was_made_too_low_for_its_rows_is_not_saved(tmp_path: Path) -> None:
    table = pd.DataFrame({"g": [*"abcdef"] * 40, "d": [0, 1, 1, 0, 1, 1, 0, 1] * 30})
    drawing = fairstats.audit(table, "d", "g").plot("rates")
    drawing.figure.set_size_inches(3, 0.8)
    with pytest.raises(InputError, match=r"drawing has a figure 0\.8 inches high, too low for 6 rows .*; make it"):
        drawing.save(tmp_path / "low.png")
    assert not (tmp_path / "low.png").exists()
    drawing.figure.set_size_inches(3, 3)
    drawing.save(tmp_path / "high.png")
