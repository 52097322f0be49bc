"""Page one of a report without an audit: of fits, of a comparison, of a clustering."""

from __future__ import annotations

from typing import Any

from fairstats import metrics
from fairstats.comparing.result import Comparison
from fairstats.comparing.text import widest
from fairstats.errors import InputError
from fairstats.estimates import Estimate
from fairstats.reporting import numbers as words
from fairstats.reporting.bundle import Bundle
from fairstats.reporting.figures.clusters import clusters
from fairstats.reporting.figures.style import Drawing
from fairstats.reporting.sections.clusters import caption_of
from fairstats.reporting.sections.clusters import finding as clustered
from fairstats.reporting.sections.methods_compared import price_of
from fairstats.reporting.sections.page_one_fits import fits_page
from fairstats.reporting.sections.page_one_parts import blank, source_line, unshown, who_and_when
from fairstats.reporting.sections.shared import broken_guarantees
from fairstats.reporting.tables import Heading, Table, table, text


def without_audit(bundle: Bundle) -> dict[str, Any]:
    """The context of page one of anything but an audit: a comparison, then fits, then clusterings."""
    if any(isinstance(other, Comparison) for other in bundle.others):
        return comparison_page(bundle)
    if bundle.fits:
        return fits_page(bundle)
    found = blank() | {"who": who_and_when(bundle), "unshown": unshown(bundle), "source": source_line(bundle)}
    if not bundle.partitions:
        return found | {"sentence": "The results follow.", "next": [("comparison", "The results")]}
    drawn = next((made for part in bundle.partitions for made in part.compositions), None)
    return found | {
        "question": "Do the clusters hold the groups in the same proportions, and what does that cost?",
        "sentence": " ".join(clustered(made) for made in bundle.partitions),
        "context": [MEASURES],
        "figures": [] if drawn is None else [clusters("page-one", drawn, caption=caption_of(drawn))],
        "next": [("clusters", "Every cluster by group, and the price of the constraint")],
    }


MEASURES = (
    "NCut and RatioCut add up the weight of the edges that leave each cluster, relative to its size: smaller is better "
    "separated. Balance is the smallest ratio of two groups' counts within a cluster: 1 is as many of each, 0 that one "
    "is absent."
)


AREA = (
    "AUC is the chance that a person with the outcome scores higher than one without it: 1 is always, 0.5 no better "
    "than a coin. Intervals are in brackets."
)


def comparison_page(bundle: Bundle) -> dict[str, Any]:
    """The context of page one of a comparison: price against gap, method by method.

    Raises
    ------
    InputError
        The report has no comparison.
    """
    compared = [other for other in bundle.others if isinstance(other, Comparison)]
    if not compared:
        raise InputError("preset='comparison' needs a comparison; pass what fairstats.compare returned.")
    return blank() | {
        "who": _who(bundle, compared[0]),
        "question": _question(compared[0]),
        "sentence": " ".join([*broken_guarantees(bundle), *(one.finding() for one in compared)]),
        "context": [AREA],
        "tables": [made for one in compared if (made := _price_and_gap(one))],
        "figures": [drawn] if (drawn := _picture(compared[0])) else [],
        "unshown": [
            "It does not show which price is worth paying, nor why the groups differ.",
            "The outcome is taken as recorded; where its recording differs between groups, so do these numbers.",
        ],
        "next": [("comparison", "Rates by group, gaps and what the methods keep")],
        "source": source_line(bundle),
    }


def _who(bundle: Bundle, compared: Comparison) -> str:
    p = compared.protocol
    return f"{words.count(p.n_train + p.n_test)} people, {p.repeats} splits · {who_and_when(bundle)}"


def _picture(compared: Comparison) -> Drawing | None:
    """Of the attribute that the sentence is about."""
    gap = widest(compared, compared.terms[0])
    return None if gap is None else price_of("page-one-price", compared, gap.attribute)


def _question(compared: Comparison) -> str:
    p = compared.protocol
    return f"What does each method change in the gap between groups, and what does it cost to predict {p.outcome}?"


def _price_and_gap(compared: Comparison) -> Table | None:
    """A line a method and model: how well it predicts, and how far the groups are apart."""
    gap = widest(compared, compared.terms[0])
    if gap is None:
        return None
    about = {"metric": gap.metric, "attribute": gap.attribute, "group": gap.group, "reference": gap.reference}
    shown = [m for m in ("AUC", "accuracy") if compared.estimates.only(metric=m, attribute="", contrast="none")]
    headings = [text("method and model"), *(h for m in shown for h in (Heading(words.heading(m)), Heading("interval")))]
    headings += [Heading("pairs of 100"), Heading("interval")]
    lines = []
    for term in compared.terms:
        own = compared.of(term)
        cells = [term.name]
        for metric in shown:
            cells += _cells(
                next(iter(compared.estimates.only(metric=metric, attribute="", contrast="none", **own)), None)
            )
        cells += _cells(next(iter(compared.estimates.only(**about, **own)), None), 100)
        lines.append(cells)
    note = (
        f"Pairs of 100: how often a random person of {gap.group} scores higher than one of {gap.reference} "
        f"({gap.attribute}), ties half; 50 is no difference. Means over the splits, of people held out."
    )
    return table("Price and gap, method by method", headings, lines, note, 40)


def _cells(row: Estimate | None, times: float = 1.0) -> list[str]:
    if row is None or not words.shown(row):
        return [words.DASH, words.DASH]

    def show(value: float) -> str:
        if times == 100:
            return words.number(100 * value, 1)
        return words.percent(value) if metrics.METRICS[row.metric].scale == "percent" else words.number(value, 3)

    return [show(row.estimate), words.span(row.conf_low, row.conf_high, show)]
