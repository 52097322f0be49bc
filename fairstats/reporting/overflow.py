"""A page one that runs over is set tighter; where it still does, what follows begins on the page where it ends."""

from __future__ import annotations

from typing import Any

_FOLLOWING = frozenset({"protocol", "data", "outcomes", "errors", "representation", "clusters", "comparison", "limits"})
_TIGHTER = (
    "<style>@page :first{margin-top:13mm;margin-bottom:15mm}#findings .answer p{line-height:1.27}"
    "#findings .table,#findings figure{margin:1.5mm 0 1.5mm}#findings .asked{font-size:9.6pt}"
    "#findings .note,#findings figcaption,#findings .ends p,#findings .ends li{font-size:7.6pt;line-height:1.25}"
    "#findings .ends{margin-top:1mm}#findings .ends h2{margin:1mm 0}#findings .who{margin-bottom:2mm}</style>"
)
_CLOSER = "<style>#findings{break-after:auto}</style>"


def overflows(laid: Any) -> bool:
    """Whether page one runs over: what it does not show is on the next page, or what follows is kept off that page."""
    if any("unshown" in page.anchors for page in laid.pages[1:]):
        return True
    first = [number for number, page in enumerate(laid.pages) for name in page.anchors if name in _FOLLOWING]
    return bool(first) and min(first) > 1


def tighter(html: str) -> str:
    """The page with a page one of less air and notes a little smaller, which holds five lines more.

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
