"""Python's search for circular garbage, made rarer while a page is laid out: a sixth of the time that this takes."""

from __future__ import annotations

import gc
import html as markup
import re
import threading
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

SELDOM = (100_000, 50, 100)  # objects made, and searches of younger ones, before the next search
_lock = threading.Lock()
_inside = 0
_before = gc.get_threshold()


@contextmanager
def seldom() -> Iterator[None]:
    """Within the block garbage is looked for seldom; the last thread that leaves restores what the first one found.

    Examples
    --------
    >>> with seldom():
    ...     gc.get_threshold() == SELDOM
    True
    """
    global _inside, _before
    with _lock:
        if not _inside:
            _before = gc.get_threshold()
            gc.set_threshold(*SELDOM)
        _inside += 1
    try:
        yield
    finally:
        with _lock:
            _inside -= 1
            if not _inside:
                gc.set_threshold(*_before)


# A page one that runs over is set tighter; where it still does, what follows begins on the page where it ends.


_FOLLOWING = frozenset({"protocol", "data", "outcomes", "errors", "representation", "clusters", "comparison", "limits"})
_FULLER = (
    "<style>@page :first{margin-top:8mm;margin-bottom:9mm}#findings .points,#findings .open{line-height:1.24}"
    "#findings .answer,#findings .answer p{line-height:1.26}#findings .ends p{margin-bottom:0.15em}"
    "#findings td,#findings tbody th{padding-top:0.2mm;padding-bottom:0.2mm}#findings .who{margin-bottom:1.8mm}"
    "#findings h2{margin-top:1.9mm}#findings .ends{margin-top:0.7mm}#findings .ends h2{margin:1mm 0}</style>"
)
_TIGHTER = (
    "<style>@page :first{margin-top:5.5mm;margin-bottom:7mm}#findings .answer,#findings .answer p{line-height:1.19}"
    "#findings .table,#findings figure{margin:0.9mm 0 0.9mm}#findings .asked{font-size:9.6pt}"
    "#findings .note,#findings figcaption,#findings .ends p,#findings .ends ul{font-size:8.5pt;line-height:1.14}"
    "#findings .ends p{margin-bottom:0.05em}"
    "#findings .points,#findings .answer,#findings .answer p:not(.finding),#findings .open{font-size:8.8pt}"
    "#findings h2{margin-top:1mm}#findings .points,#findings .open{line-height:1.16}"
    "#findings .source,#findings .open{margin:0}"
    "#findings .finding{font-size:11.4pt}#findings .answer p{margin:0 0 0.2em}"
    "#findings td,#findings tbody th{padding-top:0.1mm;padding-bottom:0.15mm}"
    "#findings .ends{margin-top:0.7mm}#findings .ends h2{margin:0.7mm 0}#findings .who{margin-bottom:1.6mm}</style>"
)
_CLOSER = "<style>#findings{break-after:auto}</style>"


def overflows(laid: Any) -> bool:
    """Whether page one runs over: what it does not show is on the next page, or what follows is kept off that page."""
    if any("unshown" in page.anchors for page in laid.pages[1:]):
        return True
    first = [number for number, page in enumerate(laid.pages) for name in page.anchors if name in _FOLLOWING]
    return bool(first) and min(first) > 1


def fuller(html: str) -> str:
    """The page with a page one that holds three lines more, its text no smaller.

    Examples
    --------
    >>> fuller("<head></head>").count("<style>")
    1
    """
    return html.replace("</head>", f"{_FULLER}</head>", 1)


def tighter(html: str) -> str:
    """The page with a page one of less air and notes a little smaller, which holds six lines more.

    Examples
    --------
    >>> tighter("<head></head>").count("<style>")
    1
    """
    return html.replace("</head>", f"{_TIGHTER}</head>", 1)


def closer(html: str) -> str:
    """The page without the new page that begins after page one.

    Examples
    --------
    >>> closer("<head></head>")
    '<head><style>#findings{break-after:auto}</style></head>'
    """
    return html.replace("</head>", f"{_CLOSER}</head>", 1)


# What PDF/UA-1 asks of a tagged PDF beyond what WeasyPrint writes: put in before the file is closed.


CSS_PX = 0.75  # points
_NOBODY = r"<rdf:Description[^>]*><dc:creator><rdf:Seq><rdf:li ?/></rdf:Seq></dc:creator></rdf:Description>"
_FIGURE = re.compile(r'<title id="[^"]*">(.*?)</title><desc id="[^"]*">(.*?)</desc>', re.S)

# The property that claims PDF/UA, and its definition, which PDF/A asks for where a property is not its own.
_CLAIM = """<rdf:Description xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" rdf:about=""
 xmlns:pdfuaid="http://www.aiim.org/pdfua/ns/id/" pdfuaid:part="1"/>
<rdf:Description xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" rdf:about=""
 xmlns:pdfaExtension="http://www.aiim.org/pdfa/ns/extension/" xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#"
 xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#"><pdfaExtension:schemas><rdf:Bag>
<rdf:li rdf:parseType="Resource"><pdfaSchema:schema>PDF/UA identification schema</pdfaSchema:schema>
<pdfaSchema:namespaceURI>http://www.aiim.org/pdfua/ns/id/</pdfaSchema:namespaceURI>
<pdfaSchema:prefix>pdfuaid</pdfaSchema:prefix><pdfaSchema:property><rdf:Seq><rdf:li rdf:parseType="Resource">
<pdfaProperty:name>part</pdfaProperty:name><pdfaProperty:valueType>Integer</pdfaProperty:valueType>
<pdfaProperty:category>internal</pdfaProperty:category>
<pdfaProperty:description>Part of ISO 14289 that the file follows</pdfaProperty:description>
</rdf:li></rdf:Seq></pdfaSchema:property></rdf:li></rdf:Bag></pdfaExtension:schemas></rdf:Description>
"""


def descriptions(html: str) -> dict[str, list[str]]:
    """Return, by the caption of a figure, the texts that replace it, in the order of the page.

    Examples
    --------
    >>> descriptions('<svg><title id="a-title">A &amp; B</title><desc id="a-desc">A: 1.</desc></svg>')
    {'A & B': ['A: 1.']}
    """
    result: dict[str, list[str]] = defaultdict(list)
    for title, text in _FIGURE.findall(html):
        result[markup.unescape(title)].append(markup.unescape(text))
    return dict(result)


class Finisher:
    """Called by WeasyPrint with the document and its PDF: figures, header cells, attachments and metadata."""

    def __init__(self, html: str) -> None:
        self._texts = descriptions(html)

    def __call__(self, document: Any, pdf: Any) -> None:
        """Complete the structure tree, name each attachment once, claim PDF/UA-1."""
        by_number = {str(o.number): o for o in pdf.objects}
        pages = [ref.decode() if isinstance(ref, bytes) else ref for ref in pdf.page_references]
        heights = {ref: page.height * CSS_PX for ref, page in zip(pages, document.pages, strict=True)}
        for element in pdf.objects:
            if not isinstance(element, dict) or element.get("Type") != "/StructElem":
                continue
            if element["S"] == "/Figure":
                self._figure(element, heights)
            elif element["S"] == "/TH":
                _scope(element, by_number)
        if "AF" in pdf.catalog:
            files = dict.fromkeys(_text(reference) for reference in pdf.catalog["AF"])
            pdf.catalog["AF"][:] = [reference.encode() for reference in files]
        _claim(by_number[_text(pdf.catalog["Metadata"]).split()[0]])

    def _figure(self, element: Any, heights: dict[str, float]) -> None:
        """The caption and the text that replaces the figure; its place in points from the lower left corner."""
        import pydyf

        caption = element["Alt"].string if "Alt" in element else ""
        texts = self._texts.get(caption)
        if texts:
            element["Alt"] = pydyf.String(f"{caption} {texts.pop(0) if len(texts) > 1 else texts[0]}")
        left, top, right, bottom = (CSS_PX * v for v in element["A"]["BBox"])
        height = heights[_text(element["Pg"])]
        element["A"]["BBox"] = pydyf.Array((left, height - bottom, right, height - top))


def _scope(cell: Any, by_number: dict[str, Any]) -> None:
    """A header cell of a table's head heads its column, any other its row."""
    import pydyf

    parent = cell
    while parent is not None and parent.get("S") not in ("/THead", "/TBody", "/Table"):
        parent = by_number.get(_text(parent["P"]).split()[0])
    if "A" not in cell:  # WeasyPrint 68 gives attributes to cells that span others only
        cell["A"] = pydyf.Dictionary({"O": "/Table"})
    cell["A"]["Scope"] = "/Column" if parent is not None and parent["S"] == "/THead" else "/Row"


def _claim(metadata: Any) -> None:
    xml = b"\n".join(part if isinstance(part, bytes) else bytes(part) for part in metadata.stream).decode()
    # an author who is not named is no author
    xml = re.sub(_NOBODY, "", xml)
    if "</rdf:RDF>" not in xml:
        raise RuntimeError("WeasyPrint's metadata have another form than this version knows")
    metadata.stream = [xml.replace("</rdf:RDF>", f"{_CLAIM}</rdf:RDF>", 1).encode()]


def _text(reference: Any) -> str:
    return reference.decode() if isinstance(reference, bytes) else str(reference)
