"""A page one that runs over: what follows it then begins on the page where it ends, and none is left almost empty."""

from __future__ import annotations

from typing import Any

_FOLLOWING = frozenset({"protocol", "data", "outcomes", "errors", "representation", "clusters", "comparison", "limits"})
_CLOSER = "<style>#findings{break-after:auto}</style>"


def overflows(laid: Any) -> bool:
    """Whether page one runs over to the next page, and what follows it is kept off that page."""
    first = [number for number, page in enumerate(laid.pages) for name in page.anchors if name in _FOLLOWING]
    return bool(first) and min(first) > 1


def closer(html: str) -> str:
    """The page without the new page that begins after page one.

    Examples
    --------
    >>> closer("<head></head>")
    '<head><style>#findings{break-after:auto}</style></head>'
    """
    return html.replace("</head>", f"{_CLOSER}</head>", 1)
