"""The hash of results: what was found, whoever prints it, when, under which title and in which language."""

from __future__ import annotations

import hashlib
import json
import math
from typing import Any

# Of the print, the hour, the machine or the language; not of what was found.
_LEFT_OUT = frozenset(
    {"auditor", "created", "finding", "id", "language", "notes", "provenance", "results_sha256", "schema", "title"}
)
_FORM = ("software", "pages")  # how the form was written that holds the results
_TIMES = frozenset({"fit seconds"})
SHORT = 8  # hexadecimal digits of a report's id


def results_hash(document: Any) -> str:
    """Return the SHA-256 of the results in a report's document: the same for the same audit run twice.

    Numbers count with nine significant digits, and as 0 below 1e-12, so that the last bits of another machine's
    arithmetic change nothing. Left out are date, title, auditor, sentences, versions, the name of the data's file, and
    how long a fit took.

    Parameters
    ----------
    document : dict
        A report's JSON, as `Contents.results` writes it.

    Returns
    -------
    str
        64 hexadecimal digits; the first eight are the report's id.

    Examples
    --------
    >>> results_hash({"title": "a", "n": 1.0}) == results_hash({"title": "b", "n": 1.0 + 1e-13})
    True
    """
    found = {name: value for name, value in document.items() if name not in _FORM}
    text = json.dumps(_kept(found), ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _kept(value: Any) -> Any:
    if isinstance(value, dict):
        return {k: _kept(v) for k, v in value.items() if k not in _LEFT_OUT and not (k == "name" and "sha256" in value)}
    if isinstance(value, (list, tuple)):
        return [_kept(v) for v in value if not (isinstance(v, dict) and v.get("metric") in _TIMES)]
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return _rounded(float(value))
    return value


def _rounded(value: float) -> float | str:
    if not math.isfinite(value):
        return str(value)
    return 0.0 if abs(value) < 1e-12 else float(f"{value:.9g}")
