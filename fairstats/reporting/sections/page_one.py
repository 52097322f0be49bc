"""Page one: the question, the answer in one sentence, one table that is the forest, what this does not show."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from fairstats import metrics
from fairstats.auditing.answer import MOST_ANSWERS, Answer, answers, declared
from fairstats.auditing.result import Audit, bounds_over_withheld
from fairstats.auditing.sentences import (
    Line,
    PageOne,
    among,
    among_families,
    beside_margin,
    context,
    event,
    headline,
    largest_gap,
    largest_gaps,
    left_out,
    meetings,
    others,
    page_one,
    parts,
    question,
    share_of,
    short_name,
    short_of,
    single_spaced,
    spoken,
    spoken_of,
    strata_name,
    unequal,
    varying,
)
from fairstats.comparing.result import Comparison, answer_and_context, comparison_headline
from fairstats.document import Heading, Table
from fairstats.errors import InputError
from fairstats.estimates import NAN, Estimate
from fairstats.inference.verdicts import NO_INTERVAL
from fairstats.language import mark, say, say_number, translated
from fairstats.reporting import words
from fairstats.reporting.bundle import Bundle
from fairstats.reporting.figures.rates import dot, hundred, interval_mark
from fairstats.reporting.figures.style import Drawing
from fairstats.reporting.sections.comparison import price_of
from fairstats.reporting.sections.fits import fits_page, leakage_page, leaks_of
from fairstats.reporting.sections.other import change_page, changes, clusters_page, subgroup_scans, subgroups_page
from fairstats.reporting.sections.shared import (
    RANGES,
    attribute_name,
    blank,
    broken_guarantees,
    by_size,
    distribution_picture,
    ends_over_withheld,
    impact,
    outcome_picture,
    read_next,
    source_line,
    unrounded,
    unshown,
    who_and_when,
)
from fairstats.reporting.tables import level_of, table, text
from fairstats.reporting.words import explained
from fairstats.text import capital, level, listed

# Page one of a report without an audit: of fits, of a comparison, of a change, of a clustering.


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
    if subgroup_scans(bundle):
        return subgroups_page(bundle)
    if bundle.partitions:
        return clusters_page(bundle)
    result = blank() | {"who": who_and_when(bundle), "unshown": unshown(bundle), "source": source_line(bundle)}
    return result | {"sentence": say("The results follow."), "next": [("comparison", say("The results"))]}


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
    items = [answer_and_context(one) for one in compared]
    return blank() | {
        "who": _who(bundle, compared[0]),
        "question": _question(compared[0]),
        "sentence": " ".join([*broken_guarantees(bundle), *(wording for wording, _ in items)]),
        "context": [*(part for _, more in items for part in more), _area(compared[0])],
        "tables": [result for one in compared if (result := _price_and_gap(one))],
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
        p.n_repeats,
        n=words.count(p.n_train + p.n_test),
        train=words.count(p.n_train),
        test=words.count(p.n_test),
        splits=p.n_repeats,
    )
    return f"{people} · {who_and_when(bundle)}"


def _picture(compared: Comparison) -> Drawing | None:
    """Of the attribute that the sentence is about."""
    gaps, _ = comparison_headline(compared)
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
    gaps, _ = comparison_headline(compared)
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
        current = compared.of(term)
        cells = [term.name]
        for rows in levels.values():
            cells += _cells(next(iter(rows.only(**current)), None))
        cells += _cells(next(iter(gaps.only(**current)), None), 100)
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


MARKS = mark("Filled: disparity shown; open: not settled; diamond: equivalence shown.")


def findings(bundle: Bundle) -> dict[str, Any]:
    """The context of ``sections/findings.html.j2``."""
    return _findings(bundle)


def _findings(bundle: Bundle, crude: bool = False) -> dict[str, Any]:
    if bundle.audit is None:
        return without_audit(bundle)
    audit = bundle.audit
    built = answers(audit, crude=crude)
    page = page_one(audit, built)
    result = blank()
    result |= {
        "who": who_and_when(bundle),
        "question": "" if page is None else question(audit, page, built),
        "sentence": " ".join([*broken_guarantees(bundle), headline(audit, built)]),
        "context": _context(audit, page, built),
        "unshown": unshown(bundle, page),
        "next": read_next(bundle, page),
        "source": source_line(bundle),
        "figures": _figures(audit, page),
    }
    return result if page is None else result | _table(audit, page, built)


def four_fifths_findings(bundle: Bundle) -> dict[str, Any]:
    """Page one with the tables of the rule of four fifths, and the crude numbers first, as the rule reads them."""
    result = _findings(bundle, crude=True)
    audit = bundle.audit
    if audit is None:
        raise InputError("preset='four_fifths' needs an audit of decisions or scores; pass one to report().")
    tables = []
    for attribute in declared(audit)[:MOST_ANSWERS]:
        about = attribute_name(attribute, audit), audit.estimates.only(attribute=attribute), by_size(audit, attribute)
        built = (impact(*about, rate, audit.protocol.conf_level) for rate in ("selection rate", "scoring rate"))
        tables += [one for one in built if one]
    if not tables:
        raise InputError("preset='four_fifths' needs an audit of decisions or scores of people counted one by one.")
    return result | {"tables": tables, "figures": []}


def _context(audit: Audit, page: PageOne | None, result: tuple[Answer, ...]) -> list[str]:
    """What the answers do not say: how many people, what is no evidence, the errors, the largest gap of any two."""
    if page is None:
        return []
    lead = next(one for one in result if one.attribute == page.attribute)
    lines = [way(audit, one) for way in (short_of, beside_margin, varying) for one in spoken_of(result)]
    lines += [left_out(one) for one in spoken_of(result)] + meetings(audit, result)
    lines += [others(audit, lead), unequal(audit, lead), *context(audit, page, result), largest_gap(audit, lead)]
    lines += largest_gaps(audit, [one for one in result if one is not lead])
    return [part for part in lines if part]


def _table(audit: Audit, page: PageOne, result: tuple[Answer, ...]) -> dict[str, Any]:
    """The table that is the forest: a line a question, all differences on one axis."""
    p = audit.protocol
    items = [line for line in page.lines if line.has_difference]
    ends = [v for line in items for v in (line.row.conf_low, line.row.conf_high)]
    ends += [v for one in result if one.within is not None for v in (one.within.conf_low, one.within.conf_high)]
    reach = max((abs(v) for v in ends if v == v), default=1.0) or 1.0
    reach = max(reach, p.margin.difference or 0.0)
    levels = sorted({level(line.gap.conf_level) for line in items})
    kept = _strata_line(audit, next(one for one in result if one.attribute == page.attribute), reach)
    crude = say("Only the first line holds {strata} fixed.", strata=strata_name(audit)) if kept else ""
    bare = not any(v == v for v in ends)  # Holm's steps have p-values alone
    without = f"{capital(translated(NO_INTERVAL))}." if bare and items else ""
    ranges = say(RANGES) if any(bounds_over_withheld(audit, line.metric, line.row.attribute) for line in items) else ""
    chosen = crude, without, _margin(audit), _picked(page), among_families(audit), ranges
    heading = say("{level} interval", level=levels[0]) if len(levels) == 1 else say("adjusted interval")
    return {
        "own": short_name(p, page.attribute, page.group),
        "other": short_name(p, page.attribute, page.reference),
        "interval": "" if bare else heading,
        "lines": [*kept, *(_line(audit, line, i, reach) for i, line in enumerate(page.lines))],
        "note": " ".join(filter(None, (say(MARKS), _rounded(items), *chosen))),
    }


def _strata_line(audit: Audit, answer: Answer, reach: float) -> list[dict[str, Any]]:
    """The line of the comparison within strata, where the answer is about that."""
    row = answer.within
    if row is None or row.status != "ok" or answer.metric == "P(X>Y)":
        return []
    ends = row.estimate, row.conf_low, row.conf_high
    margin = audit.protocol.margin.difference
    blank = dict.fromkeys(("own", "other"), words.DASH) | dict.fromkeys(("own_counts", "other_counts"), "")
    return [
        blank
        | {
            "question": say("within the same {strata}", strata=strata_name(audit)),
            "difference": f"{'+' if row.estimate > 0 else ''}{words.percent(row.estimate)}",
            "interval": _interval(row),
            "mark": interval_mark("line-within", *ends, reach, row.verdict, margin),
            "verdict": say(row.verdict),
        }
    ]


def _picked(page: PageOne) -> str:
    """That a difference of an error is a finding only where it is shown beside all that could have been picked."""
    if not any(line.gap.verdict != line.verdict for line in page.lines):
        return ""
    return say(
        "A difference that the comparisons of one rate show by themselves, but not all that this page could have "
        "picked, is not settled here; its interval, of the comparisons of that rate alone, stands with them."
    )


def _rounded(lines: Sequence[Line]) -> str:
    """Say why a printed difference is not that of the printed shares, where one is not."""
    return unrounded((line.rate.estimate, line.other.estimate, line.row.estimate) for line in lines)


def _line(audit: Audit, line: Line, index: int, reach: float) -> dict[str, Any]:
    row, present = line.row, line.has_difference
    if line.gap.verdict != line.verdict:  # an interval of another level than the verdict's would contradict it
        row = row.changed(conf_low=NAN, conf_high=NAN, margin_low=NAN, margin_high=NAN)
    bounds = bounds_over_withheld(audit, row.metric, row.attribute)
    bound = bounds.get((row.group, row.contrast))
    mark = None
    if present:
        middle = row.estimate if bound is None else (bound.conf_low + bound.conf_high) / 2
        ends = middle, row.conf_low, row.conf_high
        mark = interval_mark(f"line-{index}", *ends, reach, line.verdict, audit.protocol.margin.difference)
    return {
        "question": _line_question(audit, line),
        "own": _percent(line.rate, bounds),
        "own_counts": _counts(line.rate),
        "other": _percent(line.other, bounds),
        "other_counts": _counts(line.other),
        "difference": _difference(row, bound) if present else words.DASH,
        "interval": _interval(row),
        "mark": mark,
        "verdict": say(line.verdict) if present else words.status(row),
    }


def _interval(row: Estimate) -> str:
    return words.interval(row) if row.conf_low == row.conf_low else ""


def _line_question(audit: Audit, line: Line) -> str:
    """What the line counts, and among whom."""
    wording, _ = event(audit.protocol, line.metric)
    condition, in_words = among(audit.protocol, line.metric)
    if not condition:
        return capital(wording) if spoken(audit.protocol, line.metric) else wording
    if in_words:
        return single_spaced(
            say("of those who {condition}: {event}", **parts(condition, "condition"), **parts(wording))
        )
    return say("where {condition}: {event}", condition=condition, event=wording)


def _difference(row: Estimate, bound: Estimate | None) -> str:
    def points(share: float) -> str:
        return f"{'+' if share > 0 else ''}{words.percent(share)}"

    return points(row.estimate) if bound is None else words.span(bound.conf_low, bound.conf_high, points)


def _percent(row: Estimate, bounds: Mapping[tuple[str, str], Estimate]) -> str:
    """A rate, or what it may be over the people of withheld cells."""
    bound = bounds.get((row.group, row.contrast))
    if bound is None or not words.shown(row):
        return words.percent(row.estimate) if words.shown(row) else words.DASH
    return words.span(bound.conf_low, bound.conf_high, words.percent)


def _counts(row: Estimate) -> str:
    if not words.shown(row):
        return words.status(row)
    return say("{k} of {n}", k=words.count(row.events), n=words.count(row.n))


def _margin(audit: Audit) -> str:
    margins = audit.protocol.margin
    if not margins:
        return say("No margin of equivalence was declared, so equality cannot be shown.")
    if margins.difference is None:
        return ""
    return say(
        "Gray band: the declared margin of {points} percentage points.", points=words.percent(margins.difference)
    )


MOST_RATES = 8  # groups of a picture of rates
MOST_BESIDE = 3  # groups whose rates stand beside the dots of 100 people


def _figures(audit: Audit, page: PageOne | None) -> list[Drawing]:
    """Two pictures of half a page's width; the rates by group where there is no score."""
    attribute = next(iter(audit.references)) if page is None else page.attribute
    first = [] if page is None else [page.group, page.reference]
    drawn = [
        outcome_picture(audit, attribute, "page-one-outcome", first),
        distribution_picture(audit, attribute, "page-one-scores", first),
    ]
    if any(drawn):
        return [picture for picture in drawn if picture]
    metric = page.head.metric if page else "selection rate"
    rows = list(audit.estimates.only(attribute=attribute, metric=metric, contrast="none", role="main"))
    if not rows:
        return []
    what, name = words.in_text(metric), attribute_name(attribute, audit)
    # whom page one is about is drawn, however many groups are larger
    chosen = [r for r in rows if r.group in first] + [r for r in rows if r.group not in first]
    drawn_rows = [r for r in rows if r in chosen[:MOST_RATES]]
    values = {"rate": capital(what), "name": name, "k": len(drawn_rows), "n": len(rows)}
    values |= {"level": level(rows[0].conf_level), "meaning": share_of(audit.protocol, metric)}
    caption = say("{rate} ({meaning}) by {name}, each with its {level} interval.", **values)
    if len(rows) > MOST_RATES and first:
        caption = say(
            "{rate} ({meaning}) by {name}, each with its {level} interval: {k} of {n} groups, the two above among "
            "them.",
            **values,
        )
    called = [replace(r, group=short_name(audit.protocol, attribute, r.group)) for r in rows]
    shown = [c for r, c in zip(rows, called, strict=True) if r in drawn_rows]
    ends = {
        short_name(audit.protocol, attribute, g): e for g, e in ends_over_withheld(audit, metric, attribute).items()
    }
    rates = dot("page-one", shown, caption=caption, axis=f"{what}, %", bounds=ends)
    pair = (
        []
        if page is None
        else [c for group in first for r, c in zip(rows, called, strict=True) if r.group == group and words.shown(r)]
    )
    if len(pair) < 2 or len(rows) > MOST_BESIDE or any(r.group in ends for r in pair):  # no room, or rates not known
        return [rates]
    people = say("Filled: {rate}, of 100 people, rounded.", rate=what)
    return [hundred("page-one-people", pair, caption=people, what=what), rates]
