"""Page one of a report without an audit: of fits, of a comparison, of a change, of a clustering."""

from __future__ import annotations

from typing import Any

from fairstats import metrics
from fairstats.comparing.headline import headline
from fairstats.comparing.result import Comparison
from fairstats.comparing.text import answer_and_context
from fairstats.errors import InputError
from fairstats.estimates import Estimate
from fairstats.language import say, say_number
from fairstats.reporting import numbers as words
from fairstats.reporting.bundle import Bundle
from fairstats.reporting.figures.style import Drawing
from fairstats.reporting.method_words import explained
from fairstats.reporting.sections.changes import change_page, changes
from fairstats.reporting.sections.methods_compared import price_of
from fairstats.reporting.sections.page_one_clusters import clusters_page
from fairstats.reporting.sections.page_one_fits import fits_page, leakage_page, leaks_of
from fairstats.reporting.sections.page_one_parts import blank, source_line, unshown, who_and_when
from fairstats.reporting.sections.shared import broken_guarantees
from fairstats.reporting.sections.subgroups import found_in, subgroups_page
from fairstats.reporting.tables import Heading, Table, level_of, table, text
from fairstats.text import listed


def without_audit(bundle: Bundle) -> dict[str, Any]:
    """The context of page one without an audit: of a comparison, fits, leaks, changes, subgroups or clusterings."""
    if any(isinstance(other, Comparison) for other in bundle.others):
        return comparison_page(bundle)
    if bundle.fits:
        return fits_page(bundle)
    if leaks_of(bundle):
        return leakage_page(bundle)
    if changes(bundle):
        return change_page(bundle)
    if found_in(bundle):
        return subgroups_page(bundle)
    if bundle.partitions:
        return clusters_page(bundle)
    found = blank() | {"who": who_and_when(bundle), "unshown": unshown(bundle), "source": source_line(bundle)}
    return found | {"sentence": say("The results follow."), "next": [("comparison", say("The results"))]}


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
    found = [answer_and_context(one) for one in compared]
    return blank() | {
        "who": _who(bundle, compared[0]),
        "question": _question(compared[0]),
        "sentence": " ".join([*broken_guarantees(bundle), *(said for said, _ in found)]),
        "context": [*(part for _, more in found for part in more), _area(compared[0])],
        "tables": [made for one in compared if (made := _price_and_gap(one))],
        "figures": [drawn] if (drawn := _picture(compared[0])) else [],
        "unshown": [
            say("It does not show which price is worth paying, nor why the groups differ."),
            say("The outcome is taken as recorded; where its recording differs between groups, so do these numbers."),
        ],
        "next": [("comparison", say("Rates by group, gaps and what the methods keep"))],
        "source": source_line(bundle),
    }


def _area(compared: Comparison) -> str:
    """What AUC is, of this outcome, and what stands in brackets."""
    p = compared.protocol
    return say(
        "A score is what a model predicts of a person: the higher, the likelier {outcome} = {positive}. AUC says how "
        "well that is predicted: the chance that a person with it scores higher than one without; 1 is always, 0.5 no "
        "better than a coin. In brackets stand intervals, whose levels head the columns of the table.",
        outcome=p.outcome,
        positive=p.positive,
    )


def _who(bundle: Bundle, compared: Comparison) -> str:
    p = compared.protocol
    people = say_number(
        "{n} people: {train} to train on, {test} held out to measure on, in {splits} split",
        "{n} people: {train} to train on, {test} held out to measure on, in each of {splits} splits",
        p.repeats,
        n=words.count(p.n_train + p.n_test),
        train=words.count(p.n_train),
        test=words.count(p.n_test),
        splits=p.repeats,
    )
    return f"{people} · {who_and_when(bundle)}"


def _picture(compared: Comparison) -> Drawing | None:
    """Of the attribute that the sentence is about."""
    gaps, _ = headline(compared)
    return price_of("page-one-price", compared, gaps[0].attribute) if gaps else None


def _question(compared: Comparison) -> str:
    return say(
        "Which of these methods brings predictions of {outcome} for the groups of {groups} closer together, and what "
        "does it cost?",
        outcome=compared.protocol.outcome,
        groups=listed(list(compared.references)),
    )


def _price_and_gap(compared: Comparison) -> Table | None:
    """A line a method and model: how well it predicts, and how far the groups are apart."""
    gaps, _ = headline(compared)
    if not gaps:
        return None
    gap = gaps[0]
    everybody = compared.estimates.only(attribute="", contrast="none")
    levels = {m: rows for m in ("AUC", "accuracy") if (rows := everybody.only(metric=m))}
    headings = [text(say("method and model"))]
    for metric, rows in levels.items():
        headings += [Heading(words.heading(metric), words.unit_of(metric)), Heading(level_of(rows))]
    headings += [Heading(say("pairs of 100")), Heading(level_of(gaps))]
    lines = []
    for term in compared.terms:
        own = compared.of(term)
        cells = [term.name]
        for rows in levels.values():
            cells += _cells(next(iter(rows.only(**own)), None))
        cells += _cells(next(iter(gaps.only(**own)), None), 100)
        lines.append(cells)
    note = say(
        "Pairs of 100: how often a random person with {attribute} = {group} scores higher than one with {attribute} = "
        "{reference}, ties half; 50 is no difference. Accuracy: the share of right predictions. All are means over the "
        "splits, of people held out. Each line is a method, then the model that predicts {outcome} of what it makes.",
        group=gap.group,
        reference=gap.reference,
        attribute=gap.attribute,
        outcome=compared.protocol.outcome,
    )
    meant = explained([*(term.method for term in compared.terms), *(term.model for term in compared.terms)])
    return table(
        say("How well each method predicts, and the gap that it leaves"), headings, lines, f"{note} {meant}", 40
    )


def _cells(row: Estimate | None, times: float = 1.0) -> list[str]:
    if row is None or not words.shown(row):
        return [words.DASH, words.DASH]

    def show(value: float) -> str:
        if times == 100:
            return words.number(100 * value, 1)
        return words.percent(value) if metrics.METRICS[row.metric].scale == "percent" else words.number(value, 3)

    return [show(row.estimate), words.span(row.conf_low, row.conf_high, show)]
