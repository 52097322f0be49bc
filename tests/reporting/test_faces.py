"""The page's faces hold every glyph that it shows and few others, so a page without its data stays small."""

from __future__ import annotations

import base64
import io
import re
import sys

import pandas as pd
import pytest

import fairstats
from fairstats.reporting import render
from fairstats.reporting.bundle import without_data
from fairstats.reporting.figures.style import FONTS
from fairstats.reporting.render import shown_characters, subset
from tests.laws.every_result import made
from tests.reporting.sample import sample

ttLib = pytest.importorskip("fontTools.ttLib")


def _faces(page: str) -> dict[str, object]:
    result = re.findall(
        r"font-weight:(\d+);font-style:(\w+);(?:unicode-range[^;]*;)?src:url\(data:font/woff2;base64,([^)]*)", page
    )
    return {f"{w} {s} {i}": ttLib.TTFont(io.BytesIO(base64.b64decode(d))) for i, (w, s, d) in enumerate(result)}


@pytest.mark.long
def test_every_character_that_the_whole_face_has_is_in_the_small_one():
    page = fairstats.report(sample()).html
    whole = {n: ttLib.TTFont(FONTS / f"{n}.woff2").getBestCmap() for n in ("Inter-Regular", "Inter-SemiBold")}
    small = list(_faces(page).values())
    text = {ord(c) for c in re.sub(r"<[^>]*>", "", without_data(page).partition("<body")[2])}
    for name, face in zip(whole, small, strict=True):
        assert text & set(whole[name]) <= set(face.getBestCmap())
        assert len(face.getBestCmap()) < len(whole[name]) / 2
        assert "tnum" in {r.FeatureTag for r in face["GSUB"].table.FeatureList.FeatureRecord}, "digits of one width"


@pytest.mark.long
@pytest.mark.parametrize("kind", render.BASIC)
@pytest.mark.parametrize("name", ["Inter-Regular", "Inter-SemiBold"])
def test_the_faces_that_ship_are_those_that_would_be_cut(name, kind):
    shipped, cut = (
        ttLib.TTFont(io.BytesIO(data))
        for data in (
            (FONTS / f"{name}.{kind}.woff2").read_bytes(),
            subset(name, render.BASIC[kind], render.BASIC_FEATURES),
        )
    )
    assert set(shipped.getBestCmap()) == set(cut.getBestCmap()) == {ord(c) for c in render.BASIC[kind]}
    assert shipped.getGlyphOrder() == cut.getGlyphOrder() and shipped["hmtx"].metrics == cut["hmtx"].metrics


def test_a_page_of_common_characters_has_nothing_cut_and_slanted_glyphs_only_where_it_asks_for_them(monkeypatch):
    def none(*given):
        raise AssertionError(given)

    render.fonts_css.cache_clear()
    monkeypatch.setattr(render, "subset", none)
    assert render.faces_css("<p>plain, 7 \u00d7 8 \u2212 5").count("@font-face") == 2
    assert render.faces_css("<p>f\u00fcr alle").count("@font-face") == 2
    monkeypatch.undo()
    assert render.faces_css("<style>p{font-style: italic}</style><p>a").count("@font-face") == 3
    assert render.faces_css("<p>caf\u00e9").count("@font-face") == 2


def test_names_in_greek_and_cyrillic_keep_their_glyphs():
    people = {"g": ["Ωμέγα", "Юлия"] * 20, "d": [0, 1, 1, 1] * 10}
    present = next(iter(_faces(fairstats.report(fairstats.audit(people, "d", "g")).html).values())).getBestCmap()
    assert {ord(c) for c in "ΩμέγαЮлия"} <= set(present)


def test_capitals_that_a_style_sheet_may_make_and_marks_that_it_adds_are_shown():
    assert {"Ü", "ü", "ẞ", "→", "A"} <= shown_characters("<style>p::before{content:'\\2192'}</style><p>ü&szlig;ẞ")


def test_the_same_characters_give_the_same_bytes():
    assert subset("Inter-Regular", frozenset("abc")) == subset("Inter-Regular", frozenset("cba"))


def test_without_brotli_the_faces_are_whole(monkeypatch):
    monkeypatch.setitem(sys.modules, "brotli", None)
    assert subset("Inter-Regular", frozenset("a")) == (FONTS / "Inter-Regular.woff2").read_bytes()


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "largest"),
    [("og", 120_000), ("partition", 120_000), ("leakage", 120_000), ("comparison", 120_000), ("audit", 120_000)],
)
def test_a_page_without_its_data_is_small(name, largest):
    page = without_data(fairstats.report(made(name)).html)
    assert len(page.encode()) <= largest
    assert sum(map(len, re.findall("base64,([^)]*)", page))) <= 30_000


def test_the_page_of_the_arrests_is_small():
    people = fairstats.audit(fairstats.arrests(), "released", "colour", favorable="Yes")
    assert len(without_data(fairstats.report(people).html).encode()) <= 60_000


@pytest.mark.long
def test_the_page_of_two_attributes_an_outcome_and_a_score_is_small(shared):
    people = pd.read_csv(shared / "data" / "compas-scores-two-years.csv")
    people["flagged"] = (people["decile_score"] >= 5).astype(int)
    roles = {"outcome": "two_year_recid", "score": "decile_score", "favorable": 0, "positive": 1}
    page = without_data(fairstats.report(fairstats.audit(people, "flagged", ["race", "sex"], **roles)).html)
    assert len(page.encode()) <= 120_000
