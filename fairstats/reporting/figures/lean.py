"""matplotlib's SVG without what nobody sees: positions finer than a printer's dot, unused names, idle groups."""

from __future__ import annotations

import re

_TAG = re.compile(r"<[^<>]*>")
_LONG = re.compile(r"-?\d+\.\d{3,}(?:e-?\d+)?")
_PATH = re.compile(r'\bd="([^"]*)"')
_STYLE = re.compile(r'\bstyle="([^"]*)"')
_GAP, _COMMAND = re.compile(r"\s*([:;])\s*"), re.compile(r"\s*([A-Za-z])\s*")
_ID = re.compile(r' id="([^"]*)"')
_USED = re.compile(r'href="#([^"]*)"|url\(#([^)]*)\)|(?:aria-labelledby|aria-describedby)="([^"]*)"')
_SHAPE = re.compile(r"<(?:path|use)\b[^<>]*/>|<text\b[^<>]*>[^<>]*</text>")
_LOOK = re.compile(r' (?:style|clip-path)="[^"]*"')
_OPACITY = re.compile(r'[";]opacity:')  # of each shape by itself; of a group it would be of all at once
_NO_TURN = re.compile(r' transform="rotate\(-?0(?: [^)]*)?\)"')
_FACE = re.compile(r"font-family:[^;\"]*;?")
_UNSEEN = re.compile(r'<path d="[^"]*" style="fill: ?none;?"/>|<defs></defs>|<g/>')
_TICKS = re.compile(r"(?:<use\b[^<>]*/><text\b[^<>]*>[^<>]*</text>){2,}")
_PART = re.compile(r"<use\b[^<>]*/>|<text\b[^<>]*>[^<>]*</text>")


def lean(svg: str) -> str:
    """Return an SVG element that draws the same with positions to a hundredth of a point.

    Examples
    --------
    >>> lean('<svg><g id="a"><path d="M 1.23456 2 \\nL 3 4 \\nz\\n" style="fill: red"/></g></svg>')
    '<svg><path d="M1.23 2L3 4z" style="fill:red"/></svg>'
    """
    body = _UNSEEN.sub("", re.sub(r">\s+<", "><", _TAG.sub(lambda tag: _tag(tag.group()), svg)))
    used = {name for found in _USED.findall(body) for names in found for name in names.split()}
    body = _ID.sub(lambda found: found.group() if found[1] in used else "", body)
    return _said_once(_TICKS.sub(_apart, _UNSEEN.sub("", _one_face(_renamed(_without_empty_groups(body))))))


def _apart(ticks: re.Match[str]) -> str:
    """The marks of a scale, then their labels, which never touch: neighbors that look alike."""
    return "".join(sorted(_PART.findall(ticks[0]), key=lambda part: part.startswith("<text")))


def _one_face(svg: str) -> str:
    """The face that all texts have is that of the whole; a turn by nothing is none."""
    svg = _NO_TURN.sub("", svg)
    faces = set(_FACE.findall(svg))
    if len(faces) != 1 or svg.count("<text") != len(_FACE.findall(svg)):
        return svg
    opening, rest = _FACE.sub("", svg).replace(' style=""', "").split(">", 1)
    return f'{opening} style="{faces.pop().strip(";")}">{rest}'


def _renamed(svg: str) -> str:
    """Names that only the drawing itself uses are numbers after its own name."""
    own = [name for name in _ID.findall(svg) if not name.endswith(("-title", "-desc"))]
    short = {name: f"{name.rpartition('-')[0]}-{number}" for number, name in enumerate(dict.fromkeys(own))}
    for pattern in (r'(?<= id=")([^"]*)(?=")', r'(?<=href="#)([^"]*)(?=")', r"(?<=url\(#)([^)]*)(?=\))"):
        svg = re.sub(pattern, lambda found: short.get(found[1], found[1]), svg)
    return svg


def _said_once(svg: str) -> str:
    """What neighbors have in common is said once, by a group around them."""
    made: list[str] = []
    run: list[str] = []
    at, look = 0, ""
    for found in _SHAPE.finditer(svg):
        own = "".join(sorted(part.group() for part in _LOOK.finditer(found.group())))
        if found.start() != at or own != look:
            made += [*_group(run, look), svg[at : found.start()]]
            run, look = [], own
        run.append(found.group())
        at = found.end()
    return "".join([*made, *_group(run, look), svg[at:]])


def _group(run: list[str], look: str) -> list[str]:
    if len(run) < 2 or not look or _OPACITY.search(look):
        return run
    return [f"<g{look}>", *(_LOOK.sub("", shape, count=look.count('="')) for shape in run), "</g>"]


def _tag(tag: str) -> str:
    tag = _LONG.sub(lambda number: _short(number.group()), tag)
    tag = _PATH.sub(lambda found: f'd="{_path(found[1])}"', tag)
    return _STYLE.sub(lambda found: f'style="{_GAP.sub(_mark, found[1]).strip()}"', tag)


def _mark(found: re.Match[str]) -> str:
    return found[1]


def _short(number: str) -> str:
    text = f"{float(number):.2f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def _path(commands: str) -> str:
    return _COMMAND.sub(_mark, " ".join(commands.split()))


def _without_empty_groups(svg: str) -> str:
    """Groups that say nothing of what they hold are left out, with their ends."""
    kept: list[str] = []
    groups: list[bool] = []
    at = 0
    for tag in _TAG.finditer(svg):
        kept.append(svg[at : tag.start()])
        at = tag.end()
        text = tag.group()
        if text == "<g>" or (text.startswith("<g ") and not text.endswith("/>")):
            groups.append(text != "<g>")
            kept.append(text if groups[-1] else "")
        elif text == "</g>":
            kept.append(text if groups.pop() else "")
        else:
            kept.append(text)
    return "".join([*kept, svg[at:]])
