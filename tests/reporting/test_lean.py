"""A figure made lean draws what it drew: every shape and text, in its place, with its look."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import pytest

import fairstats as fs
from fairstats.reporting.figures import drawing, lean
from tests.laws.every_result import made

LOOKS = ("style", "clip-path", "transform")


def _look(element: ET.Element, above: dict[str, str]) -> dict[str, str]:
    own = dict(above)
    for part in element.get("style", "").split(";"):
        if ":" in part:
            name, _, value = part.partition(":")
            own[name.strip()] = re.sub(r"\s+", "", value)
    for name in ("clip-path", "transform", "d", "stroke-linejoin"):
        if element.get(name):
            own[name] = own.get(name, "") + element.get(name, "") if name == "transform" else element.get(name, "")
    return own


def _drawn(svg: str) -> list[tuple[str, str, tuple[tuple[str, str], ...]]]:
    """Every shape with its look and place, references resolved, numbers to a hundredth, what is not seen left out."""
    root = ET.fromstring(svg)
    known = {e.get("id"): e for e in root.iter() if e.get("id")}
    found = []

    def walk(element: ET.Element, above: dict[str, str]) -> None:
        look = _look(element, above)
        if element.tag == "defs":
            return
        if element.tag in ("path", "use", "text", "rect", "line", "circle"):
            place = {n: v for n, v in element.attrib.items() if n not in ("id", "style", "clip-path", "href", "d")}
            target = known.get(element.get("href", "")[1:])
            clip = known.get(re.sub(r"url\(#(.*)\)", r"\1", look.get("clip-path", "")))
            both = {**look, **place}
            both["clip-path"] = _plain(ET.tostring(clip[0], "unicode")) if clip is not None else ""
            both["shape"] = _plain(" ".join(_look(target, {}).values())) if target is not None else ""
            both.pop("transform", None)
            filled = known.get(re.sub(r"url\(#(.*)\)", r"\1", both.get("fill", "")))
            both["fill"] = both.get("fill", "") if filled is None else _plain(ET.tostring(filled, "unicode"))
            turned = re.sub(r"rotate\(-?0 [^)]*\)", "", look.get("transform", ""))
            both["turned"] = turned
            if both.get("fill") == "none" and "stroke" not in both and element.tag == "path":
                return
            if element.tag != "text":
                both.pop("font-family", None)
            found.append(
                (element.tag, (element.text or "").strip(), tuple(sorted((n, _plain(v)) for n, v in both.items())))
            )
        for child in element:
            walk(child, look)

    walk(root, {})
    return found


def _covering(drawn: list[tuple[str, str, tuple[tuple[str, str], ...]]]) -> list[int]:
    """Of each text, how many shapes are drawn after it."""
    kinds = [tag for tag, *_ in drawn]
    return [sum(kind != "text" for kind in kinds[at:]) for at, kind in enumerate(kinds) if kind == "text"]


def _plain(text: str) -> str:
    text = re.sub(r' (?:id|xmlns:?\w*)="[^"]*"', "", text)
    text = re.sub(r"-?\d+\.?\d*(?:e-?\d+)?", lambda n: f"{round(float(n.group()), 2) + 0:.2f}", text)
    return re.sub(r"\s+", "", text)


@pytest.mark.parametrize("name", ["audit", "comparison", "og", "partition"])
def test_a_lean_figure_draws_the_same(name, monkeypatch):
    pairs = []

    def kept(svg: str) -> str:
        pairs.append((svg, lean.lean(svg)))
        return pairs[-1][1]

    monkeypatch.setattr(drawing, "lean", kept)
    page = fs.report(made(name)).html
    assert pairs and "<svg" in page
    for before, after in pairs:
        now, then = _drawn(after), _drawn(before)
        for texts in (True, False):
            assert [d for d in now if (d[0] == "text") == texts] == [d for d in then if (d[0] == "text") == texts]
        # a text may move over the marks that followed it, never under one
        assert all(a <= b for a, b in zip(_covering(now), _covering(then), strict=True))
        assert re.findall(r"<(?:title|desc).*?</", after, re.S) == re.findall(r"<(?:title|desc).*?</", before, re.S)
    assert sum(len(a) for _, a in pairs) < 0.6 * sum(len(b) for b, _ in pairs)


def test_names_in_a_figure_stay_apart_from_those_of_others():
    page = fs.report(made("audit")).html
    ids = re.findall(r'\bid="([^"]*)"', page)
    assert len(ids) == len(set(ids))


def test_text_of_the_data_is_left_as_it_is():
    svg = '<svg><title id="a-title">1.23456 M 2 &lt;g&gt;  x</title><text x="1.23456">id="b" 3.14159  d</text></svg>'
    said = lean.lean(svg)
    assert "1.23456 M 2 &lt;g&gt;  x" in said and 'id="b" 3.14159  d' in said and 'x="1.23"' in said


def test_marks_and_labels_of_a_scale_say_their_look_once_and_stay_where_they_are():
    tick = '<use href="#a" x="{0}" style="stroke:red"/><text style="fill:blue" x="{0}">{0}</text>'
    drawn = lean.lean(f'<svg><path id="a" d="M0 0L0 3"/><g/>{"".join(tick.format(x) for x in (1, 2, 3))}</svg>')
    assert drawn.count("stroke:red") == drawn.count("fill:blue") == 1 and "<g/>" not in drawn
    assert re.findall(r'<use href="#[^"]*" x="(\d)"', drawn) == ["1", "2", "3"]
    assert re.findall(r'<text x="(\d)">(\d)</text>', drawn) == [("1", "1"), ("2", "2"), ("3", "3")]
