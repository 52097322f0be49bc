"""Sensitivity: another interval, other thresholds, what is missing, and the difference that could have been shown."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from fairstats.auditing.result import Audit
from fairstats.auditing.rows.sensitivity import threshold_of
from fairstats.auditing.words.page_one import page_one
from fairstats.estimates import Estimate, Estimates
from fairstats.inference.verdicts import decisive_p
from fairstats.language import mark, say
from fairstats.reporting import numbers as words
from fairstats.reporting.bundle import Bundle
from fairstats.reporting.columns import Column, estimates_table, setting
from fairstats.reporting.figures.crude_adjusted import crude_adjusted
from fairstats.reporting.figures.path import path
from fairstats.reporting.figures.style import Drawing
from fairstats.reporting.sections.shared import FEW, attribute_name, by_size, sized
from fairstats.reporting.tables import Heading, Table, level_of, methods_note, table, text
from fairstats.studies.curve import Curve

WITHIN = "risk difference within strata"
STANDARDIZED = "standardized difference"
E_VALUE, BOUND = "E-value", "Rosenbaum bound"


def sensitivity(bundle: Bundle) -> dict[str, Any] | None:
    """The context of ``sections/sensitivity.html.j2``: the headline's comparisons asked otherwise; the rest: CSV."""
    audit = bundle.audit
    if audit is None:
        return None
    plain = [a for a in audit.references if ":" not in a]
    strata = [part for i, a in enumerate(plain) for part in strata_of(audit, a, i)]
    strata = [_lean(part, strata[0]) for part in strata]
    figures = [d for i, a in enumerate(plain) if (d := sweep(f"sweep-{i}", audit, a))]
    tables = _tables(audit, plain)
    bounds = Estimates(
        r for r in audit.estimates if r.attribute in plain and r.role == "bound" and r.contrast == "difference"
    )
    if len(bounds):
        tables.append(estimates_table(say("What is missing: bounds of the differences"), bounds, BOUNDS))
    return {"strata": strata, "figures": figures, "tables": tables} if strata or figures or tables else None


BOUNDS: tuple[Column, ...] = (
    (text(mark("comparison")), words.claim),
    (text(mark("what is missing")), setting),
    (Heading(mark("bounds"), mark("points")), words.interval),
)


def strata_of(audit: Audit, attribute: str, index: int) -> list[dict[str, Any]]:
    """Return the differences within strata beside the crude ones: figure and table."""
    rows = sized(audit.estimates.where(attribute=attribute), by_size(audit, attribute))
    found: list[dict[str, Any]] = []
    for given in dict.fromkeys(r.given for r in rows if r.metric == WITHIN):
        adjusted = [r for r in rows if (r.metric, r.given) == (WITHIN, given)]
        crude = {r.group: r for r in _headline(rows)}
        groups = [r.group for r in adjusted if r.group in crude]
        adjusted = [r for r in adjusted if r.group in groups]
        if not adjusted:
            continue
        pairs = [crude[g] for g in groups]
        drawn = crude_adjusted(
            f"strata-{index}-{len(found)}", pairs, adjusted, caption=_held(pairs, adjusted, given), given=given
        )
        table = _adjusted_table(attribute_name(attribute), rows, pairs, adjusted, given)
        found.append({"figure": drawn, "table": table})
    return found


def _lean(part: dict[str, Any], first: dict[str, Any]) -> dict[str, Any]:
    """Return figure and table without what a reader has already: a figure of one line, what the columns mean."""
    figure, table = part["figure"], part["table"]
    if part is not first and _meaning() in first["table"].note:
        table = replace(table, note=table.note.replace(_meaning(), "").strip())
    if len(table.rows) > 1:
        return {"figure": figure, "table": table}
    return {"figure": None, "table": replace(table, note=f"{figure.caption} {table.note}")}


def _headline(rows: Estimates) -> Estimates:
    """The differences of the rate that the audit is about."""
    for metric in ("selection rate", "base rate"):
        found = rows.where(metric=metric, contrast="difference", role="main", given="")
        if len(found):
            return found
    return Estimates()


def _held(crude: list[Estimate], adjusted: list[Estimate], given: str) -> str:
    both = [(c, a) for c, a in zip(crude, adjusted, strict=True) if words.shown(c) and words.shown(a)]
    smaller = sum(abs(a.estimate) < abs(c.estimate) for c, a in both)
    if len(both) == 1:
        if smaller:
            return say("Given {given}, the difference is smaller.", given=given)
        return say("Given {given}, the difference is no smaller.", given=given)
    return say("Given {given}, {k} of {n} differences are smaller.", given=given, k=smaller, n=len(both))


def _adjusted_table(name: str, rows: Estimates, crude: list[Estimate], adjusted: list[Estimate], given: str) -> Table:
    hidden = {(r.group, r.metric, r.term): r for r in rows if r.metric in (E_VALUE, BOUND) and r.given == given}
    headings = [
        text(say("group")),
        Heading(say("crude"), say("points")),
        Heading(level_of(crude), say("points")),
        Heading(say("given {given}", given=given), say("points")),
        Heading(level_of(adjusted), say("points")),
        Heading(say("adjusted p")),
        text(say("verdict")),
        Heading(say("E-value"), say("of the limit")),
        Heading(say("Rosenbaum bound")),
    ]
    lines = [
        [
            a.group,
            *_pair(c),
            *_pair(a),
            words.p_value(decisive_p(a)) if words.shown(a) else words.DASH,
            say(a.verdict) or (words.DASH if words.shown(a) else words.status(a)),
            " ".join(
                (_factor(hidden.get((a.group, E_VALUE, ""))), _factor(hidden.get((a.group, E_VALUE, "limit")), "()"))
            ),
            _factor(hidden.get((a.group, BOUND, ""))),
        ]
        for c, a in zip(crude, adjusted, strict=True)
    ]
    caption = say(
        "{rate} by {name}, compared with {reference}: crude, and given {given}",
        rate=words.heading(crude[0].metric),
        name=name,
        reference=crude[0].reference,
        given=given,
    )
    return table(caption, headings, lines, methods_note(adjusted, _meaning() if hidden else ""))


def _meaning() -> str:
    return say(
        "E-value: how strongly, as a risk ratio, an unmeasured factor would have to go with both group and decision to "
        "explain the adjusted difference away; in brackets: to move its limit to equality. Rosenbaum bound: the factor "
        "by which people of one stratum may differ in their odds of being in the group before the disparity is no "
        "longer significant."
    )


def _factor(row: Estimate | None, around: str = "") -> str:
    """A factor to two digits, perhaps in brackets; a dash, or nothing in brackets, where there is none."""
    if row is None or not words.shown(row):
        return "" if around else words.DASH
    return f"({words.number(row.estimate, 2)})" if around else words.number(row.estimate, 2)


def _tables(audit: Audit, attributes: list[str]) -> list[Table]:
    """One table a metric: the reported interval beside another one, and what the sample was able to show."""
    rows = [r for a in attributes for r in sized(audit.estimates.where(attribute=a), by_size(audit, a))]
    metrics = dict.fromkeys(r.metric for r in rows if _is_beside(r))
    return [_other([r for r in rows if r.metric == metric], metric) for metric in metrics]


def _other(rows: list[Estimate], metric: str) -> Table:
    by_kind = {(r.attribute, r.group, r.role, r.term): r for r in rows if r.contrast == "difference" and not r.given}
    compared = [(a, g) for a, g, role, _ in by_kind if role == "sensitivity"]
    headings = [
        text(say("comparison")),
        Heading(say("difference"), say("points")),
        Heading(say("interval as reported"), say("points")),
        Heading(say("by Miettinen and Nurminen"), say("points")),
        Heading(say("detectable"), say("points")),
    ]
    lines = [
        [
            words.pair(by_kind[a, group, "sensitivity", ""]),
            *_pair(by_kind.get((a, group, "main", ""))),
            _pair(by_kind[a, group, "sensitivity", ""])[1],
            _detectable(by_kind.get((a, group, "power", "below")), by_kind.get((a, group, "power", "above"))),
        ]
        for a, group in compared
    ]
    note = methods_note(
        (r for r in rows if _is_beside(r)),
        say("Detectable: the smallest true difference, below and above, that this sample shows with that power."),
    )
    caption = say("{rate}: another interval, and what could have been shown", rate=words.heading(metric))
    return table(caption, headings, lines, note)


def _is_beside(row: Estimate) -> bool:
    """Whether it is another interval of the same difference, or the smallest one that the sample would show."""
    return (row.role == "sensitivity" and not row.given) or (row.role, row.term) == ("power", "below")


def _pair(row: Estimate | None) -> tuple[str, str]:
    if row is None or not words.shown(row):
        return words.DASH, words.DASH
    return words.percent(row.estimate), words.interval(row)


def _detectable(below: Estimate | None, above: Estimate | None) -> str:
    ends = [words.percent(r.estimate) for r in (below, above) if r is not None and words.shown(r)]
    return say("{one} or {other}", one=ends[0], other=ends[1]) if len(ends) == 2 else "".join(ends) or words.DASH


def sweep(name: str, audit: Audit, attribute: str) -> Drawing | None:
    """Draw the differences of selection rates had the score been cut elsewhere; bold is whom page one is about."""
    lines = sweep_lines(audit, attribute)
    if not lines:
        return None
    first = _first(audit, attribute, lines)
    order = [first.group, *(g for g in by_size(audit, attribute) if g != first.group)]
    reference = audit.references[attribute]
    return path(
        name,
        lines,
        caption=_swept(first, reference),
        setting=say("cut-off of {score}", score=audit.protocol.score),
        axis=say("difference, points"),
        chosen=audit.protocol.threshold,
        order=order,
        equal=reference,
    )


def _swept(line: Curve, reference: str) -> str:
    """At how many cut-offs the limits are on which side of no difference: estimates alone show nothing."""
    below, above = sum(high < 0 for high in line.high), sum(low > 0 for low in line.low)
    values = {"group": line.group, "reference": reference, "n": len(line.x), "below": below, "above": above}
    if below and above:
        return say(
            "The cut-off decides: the limits show {group} favored less often than {reference} at {below} of {n} "
            "cut-offs, more often at {above}.",
            **values,
        )
    if below:
        return say(
            "The limits show {group} favored less often than {reference} at {below} of {n} cut-offs, more often at "
            "none.",
            **values,
        )
    if above:
        return say(
            "The limits show {group} favored more often than {reference} at {above} of {n} cut-offs, less often at "
            "none.",
            **values,
        )
    return say(
        "At none of {n} cut-offs do the limits show a difference between {group} and {reference}.",
        **values,
    )


def _first(audit: Audit, attribute: str, lines: list[Curve]) -> Curve:
    """The group of page one that is compared here; of other attributes the one that is ever furthest from equality."""
    page = page_one(audit)
    if page is not None and page.attribute == attribute:
        for group in (page.group, page.reference):
            if found := next((line for line in lines if line.group == group), None):
                return found
    people = {c.group: c.n for c in audit.cells if c.attribute == attribute}
    large = [line for line in lines if people.get(line.group, FEW) >= FEW] or lines
    return max(large, key=lambda line: max(map(abs, line.y)))


def sweep_lines(audit: Audit, attribute: str) -> list[Curve]:
    """One line a group, of those with at least two thresholds; none where the decision does not come from a score."""
    rows = sized(audit.estimates.where(attribute=attribute, contrast="difference"), by_size(audit, attribute))
    cut = [r for r in rows if not math.isnan(threshold_of(r)) and words.shown(r)]
    groups = dict.fromkeys(r.group for r in cut)
    lines = [_line(attribute, group, [r for r in cut if r.group == group]) for group in groups]
    return [line for line in lines if len(line.x) > 1]


def _line(attribute: str, group: str, rows: list[Estimate]) -> Curve:
    points = sorted((threshold_of(r), 100 * r.estimate, 100 * r.conf_low, 100 * r.conf_high) for r in rows)
    return Curve("path", attribute, group, *zip(*points, strict=True))
