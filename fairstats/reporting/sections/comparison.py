"""Comparisons of methods, and results that have no section of their own: one table each of their rows."""

from __future__ import annotations

from typing import Any

from fairstats.auditing.change import Change
from fairstats.auditing.subgroups_result import Subgroups
from fairstats.comparing.result import Comparison
from fairstats.estimates import Estimates
from fairstats.inference.representations.leakage_result import Leakage
from fairstats.language import again, say
from fairstats.reporting import numbers as words
from fairstats.reporting.bundle import Bundle, name_of, title_of_change
from fairstats.reporting.columns import estimates_table, general
from fairstats.reporting.sections.changes import gaps
from fairstats.reporting.sections.fit_studies import figure_of, note_of, rows_of, said_of
from fairstats.reporting.sections.methods_compared import adjusting
from fairstats.reporting.sections.shared import attribute_name
from fairstats.reporting.sections.subgroups import judged_table
from fairstats.results import Result
from fairstats.text import capital


def comparison(bundle: Bundle) -> dict[str, Any] | None:
    """The context of ``sections/comparison.html.j2``."""
    compared = [other for other in bundle.others if isinstance(other, Comparison)]
    # the strip beside the fits shows what they leak; its rows are in results.csv
    drawn = (Comparison, Leakage) if bundle.fits else (Comparison,)
    rest = [other for other in bundle.others if not isinstance(other, drawn)]
    if not (compared or rest):
        return None
    return {
        "heading": say("Comparison") if compared else say("Further results"),
        "comparisons": [_beside(adjusting(i + 1, c), bundle) for i, c in enumerate(compared)],
        "parts": [_part(i, other, bundle) for i, other in enumerate(rest)],
    }


def _beside(section: dict[str, Any], bundle: Bundle) -> dict[str, Any]:
    """Without an audit the sentence and the first picture are page one's; they are not shown twice."""
    return section if bundle.audit is not None else {**section, "sentence": "", "price": section["price"][1:]}


def _name(result: Result) -> str:
    if isinstance(result, Estimates):
        return capital(words.listed([words.in_text(metric) for metric in dict.fromkeys(r.metric for r in result)][:3]))
    return attribute_name(again(name_of(result)))


def _part(index: int, result: Result, bundle: Bundle) -> dict[str, Any]:
    name, rows = _name(result), rows_of(result)
    alone = bundle.audit is None and not bundle.fits  # then page one is about the result
    if isinstance(result, Change):
        return {"heading": title_of_change(result), "sentence": "", "figure": None, "rows": gaps(result, not alone)}
    if isinstance(result, Subgroups):
        heading = f"{again(result.question)} ({again(result.method)})"
        said = "" if alone else said_of(result)  # which page one has
        return {"heading": heading, "sentence": said, "figure": None, "rows": judged_table(result)}
    return {
        "heading": name,
        "sentence": said_of(result),
        "figure": figure_of(f"study-{index}", result),
        "rows": estimates_table(say("{name}: estimates", name=name), rows, general(rows), note_of(result), most=30),
    }
