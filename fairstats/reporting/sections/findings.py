"""Page one: the question, the answer in one sentence, one table that is the forest, what this does not show."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from fairstats.auditing.result import Audit
from fairstats.auditing.words.answer import COMPARABLE, MOST, Answer, answers, declared
from fairstats.auditing.words.beside import context, question
from fairstats.auditing.words.families import among_families
from fairstats.auditing.words.finding import (
    beside_margin,
    headline,
    largest_gap,
    left_out,
    short_of,
    spoken_of,
    unequal,
    varying,
)
from fairstats.auditing.words.page_one import Line, PageOne, page_one
from fairstats.auditing.words.phrases import among, event, parts, share_of, short_name, single_spaced, spoken
from fairstats.auditing.words.sentence import others, strata_name
from fairstats.errors import InputError
from fairstats.estimates import Estimate
from fairstats.language import mark, say
from fairstats.reporting import numbers as words
from fairstats.reporting.bundle import Bundle
from fairstats.reporting.figures.dot import dot
from fairstats.reporting.figures.hundred import hundred
from fairstats.reporting.figures.interval_mark import interval_mark
from fairstats.reporting.figures.style import Drawing
from fairstats.reporting.sections.impact import impact
from fairstats.reporting.sections.page_one_parts import blank, read_next, source_line, unrounded, unshown, who_and_when
from fairstats.reporting.sections.page_one_results import without_audit
from fairstats.reporting.sections.score_pictures import distribution_picture, outcome_picture
from fairstats.reporting.sections.shared import attribute_name, broken_guarantees, by_size
from fairstats.text import capital, level

MARKS = mark("Filled: disparity shown; open: not settled; diamond: equivalence shown.")


def findings(bundle: Bundle) -> dict[str, Any]:
    """The context of ``sections/findings.html.j2``."""
    return _findings(bundle)


def _findings(bundle: Bundle, crude: bool = False) -> dict[str, Any]:
    if bundle.audit is None:
        return without_audit(bundle)
    audit = bundle.audit
    made = answers(audit, crude=crude)
    page = page_one(audit, made)
    found = blank()
    found |= {
        "who": who_and_when(bundle),
        "question": "" if page is None else question(audit, page, made),
        "sentence": " ".join([*broken_guarantees(bundle), headline(audit, made)]),
        "context": _context(audit, page, made),
        "unshown": unshown(bundle, page),
        "next": read_next(bundle, page),
        "source": source_line(bundle),
        "figures": _figures(audit, page),
    }
    return found if page is None else found | _table(audit, page, made)


def four_fifths_findings(bundle: Bundle) -> dict[str, Any]:
    """Page one with the tables of the rule of four fifths, and the crude numbers first, as the rule reads them."""
    found = _findings(bundle, crude=True)
    audit = bundle.audit
    if audit is None:
        raise InputError("preset='four_fifths' needs an audit of decisions or scores; pass one to report().")
    tables = []
    for attribute in declared(audit)[:MOST]:
        about = attribute_name(attribute), audit.estimates.only(attribute=attribute), by_size(audit, attribute)
        made = (impact(*about, rate, audit.protocol.conf_level) for rate in ("selection rate", "scoring rate"))
        tables += [one for one in made if one]
    if not tables:
        raise InputError("preset='four_fifths' needs an audit of decisions or scores of people counted one by one.")
    return found | {"tables": tables, "figures": []}


def _context(audit: Audit, page: PageOne | None, made: tuple[Answer, ...]) -> list[str]:
    """What the answers do not say: how many people, what is no evidence, the errors, the largest gap of any two."""
    if page is None:
        return []
    lead = next(one for one in made if one.attribute == page.attribute)
    said = [way(audit, one) for way in (short_of, beside_margin, varying) for one in spoken_of(made)]
    said += [left_out(one) for one in spoken_of(made)]
    said += [others(audit, lead), unequal(lead), *context(audit, page, made), largest_gap(audit, lead)]
    return [part for part in said if part]


def _table(audit: Audit, page: PageOne, made: tuple[Answer, ...]) -> dict[str, Any]:
    """The table that is the forest: a line a question, all differences on one axis."""
    p = audit.protocol
    known = [line for line in page.lines if line.known]
    ends = [v for line in known for v in (line.row.conf_low, line.row.conf_high)]
    ends += [v for one in made if one.within is not None for v in (one.within.conf_low, one.within.conf_high)]
    reach = max((abs(v) for v in ends if v == v), default=1.0) or 1.0
    reach = max(reach, p.equivalence.difference or 0.0)
    levels = sorted({level(line.gap.conf_level) for line in known})
    held = _held(audit, next(one for one in made if one.attribute == page.attribute), reach)
    crude = say("Only the first line holds {strata} fixed.", strata=strata_name(audit)) if held else ""
    chosen = crude, _margin(audit), _picked(page), among_families(audit)
    return {
        "own": short_name(p, page.attribute, page.group),
        "other": short_name(p, page.attribute, page.reference),
        "interval": say("{level} interval", level=levels[0]) if len(levels) == 1 else say("adjusted interval"),
        "lines": [*held, *(_line(audit, line, i, reach) for i, line in enumerate(page.lines))],
        "note": " ".join(filter(None, (say(MARKS), _rounded(known), *chosen))),
    }


def _held(audit: Audit, made: Answer, reach: float) -> list[dict[str, Any]]:
    """The line of the comparison within strata, where the answer is about that."""
    row = made.within
    if row is None or row.status != "ok" or made.metric == "P(X>Y)" or made.comparable < COMPARABLE:
        return []
    ends = row.estimate, row.conf_low, row.conf_high
    margin = audit.protocol.equivalence.difference
    blank = dict.fromkeys(("own", "other"), words.DASH) | dict.fromkeys(("own_counts", "other_counts"), "")
    return [
        blank
        | {
            "question": say("within the same {strata}", strata=strata_name(audit)),
            "difference": f"{'+' if row.estimate > 0 else ''}{words.percent(row.estimate)}",
            "interval": words.interval(row),
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
        "picked, is not settled here."
    )


def _rounded(lines: Sequence[Line]) -> str:
    """Say why a printed difference is not that of the printed shares, where one is not."""
    return unrounded((line.own.estimate, line.other.estimate, line.row.estimate) for line in lines)


def _line(audit: Audit, line: Line, index: int, reach: float) -> dict[str, Any]:
    row, known = line.row, line.known
    mark = None
    if known:
        ends = row.estimate, row.conf_low, row.conf_high
        mark = interval_mark(f"line-{index}", *ends, reach, line.verdict, audit.protocol.equivalence.difference)
    return {
        "question": _asked(audit, line),
        "own": _percent(line.own),
        "own_counts": _counts(line.own),
        "other": _percent(line.other),
        "other_counts": _counts(line.other),
        "difference": f"{'+' if row.estimate > 0 else ''}{words.percent(row.estimate)}" if known else words.DASH,
        "interval": words.interval(row),
        "mark": mark,
        "verdict": say(line.verdict) if known else words.status(row),
    }


def _asked(audit: Audit, line: Line) -> str:
    """What the line counts, and among whom."""
    said, _ = event(audit.protocol, line.metric)
    condition, in_words = among(audit.protocol, line.metric)
    if not condition:
        return capital(said) if spoken(audit.protocol, line.metric) else said
    if in_words:
        return single_spaced(say("of those who {condition}: {said}", **parts(condition, "condition"), **parts(said)))
    return say("where {condition}: {said}", condition=condition, said=said)


def _percent(row: Estimate) -> str:
    return words.percent(row.estimate) if words.shown(row) else words.DASH


def _counts(row: Estimate) -> str:
    if not words.shown(row):
        return words.status(row)
    return say("{k} of {n}", k=words.count(row.events), n=words.count(row.n))


def _margin(audit: Audit) -> str:
    margins = audit.protocol.equivalence
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
    what, name = words.in_text(metric), attribute_name(attribute)
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
    rates = dot("page-one", shown, caption=caption, axis=f"{what}, %")
    pair = (
        []
        if page is None
        else [c for group in first for r, c in zip(rows, called, strict=True) if r.group == group and words.shown(r)]
    )
    if len(pair) < 2 or len(rows) > MOST_BESIDE:  # a page has no room for both
        return [rates]
    people = say("Filled: {rate}, of 100 people, rounded.", rate=what)
    return [hundred("page-one-people", pair, caption=people, what=what), rates]
