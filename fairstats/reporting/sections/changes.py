"""Monitoring: page one of a change between two audits, and the differences that it is made of."""

from __future__ import annotations

from typing import Any

from fairstats.auditing.change import AFTER, BEFORE, Change
from fairstats.auditing.change_said import gaps_of
from fairstats.auditing.own_words import NO_WORDS
from fairstats.auditing.words.phrases import SHARES, measured_among, people
from fairstats.errors import InputError
from fairstats.estimates import Estimate, Estimates
from fairstats.language import again, mark, say, say_number
from fairstats.reporting import numbers as words
from fairstats.reporting.bundle import Bundle, sources
from fairstats.reporting.figures.before_after import before_after
from fairstats.reporting.figures.style import Drawing
from fairstats.reporting.sections.change_rates import (
    attributes,
    called,
    changed,
    defined,
    name,
    ordered,
    points,
    rates,
)
from fairstats.reporting.sections.page_one_parts import blank, recorded, source_line, who_and_when
from fairstats.reporting.tables import Heading, Table, level_of, methods_note, table, text
from fairstats.text import capital, level, p_equals, signed

MOST_DRAWN = 6
UNPROVED = mark(
    "That no change is shown does not prove that nothing changed: each interval holds the changes that the data leave "
    "possible."
)


def changes(bundle: Bundle) -> list[Change]:
    """The changes that a report was given."""
    return [other for other in bundle.others if isinstance(other, Change)]


def change_page(bundle: Bundle) -> dict[str, Any]:
    """The context of page one of monitoring: which difference changed, by how much, and between which rates.

    Raises
    ------
    InputError
        The report has no change.
    """
    found = changes(bundle)
    if not found:
        raise InputError("preset='monitoring' needs a change; pass what fairstats.change returned.")
    return blank() | {
        "who": _who(bundle, found[0]),
        "question": _question(found[0]),
        "sentence": " ".join(sentence(one) for one in found),
        "context": [said for one in found for said in context_of(one)],
        "tables": [rates(one) for one in found],
        "figures": [drawn for i, one in enumerate(found) if (drawn := picture(f"page-one-change-{i}", one))],
        "unshown": [
            *dict.fromkeys(recorded(one.protocol) for one in found if _of_outcomes(one)),
            say("It does not show why a difference changed, nor whether the change is for better or worse."),
            *([say(UNPROVED)] if any(not changed(one, row) for one in found for row in ordered(one)) else []),
            say(
                "The two audits are taken to be of different people; of people who are in both, the intervals would be "
                "wrong."
            ),
        ],
        "source": source_line(bundle),
    }


def _of_outcomes(result: Change) -> bool:
    """Whether a rate that is compared counts outcomes."""
    return any("outcome" in words.known(row.metric).columns for row in ordered(result))


def _who(bundle: Bundle, result: Change) -> str:
    before, after = map(words.count, result.people)
    counted = say(
        "Earlier audit: {before} {people}; later audit: {after} others",
        before=before,
        after=after,
        people=result.protocol.words.people(say("people")),
    )
    return f"{counted} · {who_and_when(bundle)}" if bundle.audit is None else who_and_when(bundle)


def _question(result: Change) -> str:
    (before, after), groups = sources(result), attributes(result)
    if before == after:
        return say(
            "Did the differences between the groups of {groups} change from the earlier audit to the later one?",
            groups=groups,
        )
    return say(
        "Did the differences between the groups of {groups} change from {before} to {after}?",
        groups=groups,
        before=before,
        after=after,
    )


def sentence(result: Change) -> str:
    """The change that is shown most clearly, with what it is between; or that none is shown, of how many."""
    row, rows = lead_of(result), ordered(result)
    known = sum(map(words.shown, rows))
    if row is None or not any(changed(result, other) for other in rows):
        values = {"n": words.count(known), "groups": attributes(result)}
        if len({r.metric for r in rows}) > 1:
            return say("None of {n} differences between groups of {groups} is shown to have changed.", **values)
        return say_number(
            "{rate}: the difference between groups of {groups} is not shown to have changed.",
            "{rate}: none of {n} differences between groups of {groups} is shown to have changed.",
            known,
            rate=words.heading(rows[0].metric),
            **values,
        )
    about = {
        "rate": words.heading(row.metric),
        "group": name(result, row, row.group),
        "reference": name(result, row, row.reference),
        "attribute": result.protocol.words.attribute(row.attribute),
    }
    if not changed(result, row):
        return say(
            "{rate}: the difference between {group} and {reference} ({attribute}), which the audits are about, is not "
            "shown to have changed.",
            **about,
        )
    return _moved(result, row, about)


def _moved(result: Change, row: Estimate, about: dict[str, str]) -> str:
    """Whether the gap narrowed, widened or was turned around, from what to what, and by how much."""
    if row.conf_low != row.conf_low:  # Holm's steps have no intervals
        before, after = gaps_of(result.estimates, row)
        return say(
            "{rate}: the difference between {group} and {reference} ({attribute}) was {before} percentage points "
            "before and is {after} after, a change of {change} ({p}).",
            **about,
            before=points(before),
            after=points(after),
            change=signed(100 * row.estimate),
            p=p_equals(row.p_adjusted),
        )
    old, new = (gap.estimate if gap is not None else 0.0 for gap in gaps_of(result.estimates, row))
    values = {**about, "level": level(row.conf_level)}
    if old * new < 0:
        ends = {"change": row.estimate, "low": row.conf_low, "high": row.conf_high, "before": old, "after": new}
        return say(
            "{rate}: the gap between {group} and {reference} ({attribute}) turned around: {group} less {reference} was "
            "{before} percentage points and is {after}, a change of {change} ({level} interval {low} to {high}).",
            **values,
            **{name: signed(100 * value) for name, value in ends.items()},
        )
    wider = abs(new) > abs(old)
    upward = row.estimate > 0
    ends = {"before": abs(old), "after": abs(new), "change": abs(row.estimate)}
    ends |= {"low": row.conf_low if upward else -row.conf_high, "high": row.conf_high if upward else -row.conf_low}
    values |= {name: words.percent(value) for name, value in ends.items()}
    if wider:
        return say(
            "{rate}: the gap between {group} and {reference} ({attribute}) widened from {before} to {after} percentage "
            "points, by {change} ({level} interval {low} to {high}).",
            **values,
        )
    return say(
        "{rate}: the gap between {group} and {reference} ({attribute}) narrowed from {before} to {after} percentage "
        "points, by {change} ({level} interval {low} to {high}).",
        **values,
    )


def lead_of(result: Change) -> Estimate | None:
    """The comparison that page one is about: of the audits' focus, or of all, the clearest change, else the first."""
    known = [row for row in ordered(result) if words.shown(row)]
    attribute, *pair = result.protocol.focus or ("",)
    known = [r for r in known if r.attribute == attribute and {r.group, r.reference} == set(pair)] or known
    shown = [row for row in known if changed(result, row)]
    return min(shown, key=lambda row: row.p_adjusted) if shown else next(iter(known), None)


def _rates_of(result: Change, lead: Estimate) -> list[str]:
    """What the rate is, and what it was and is of the two groups."""
    where = {"metric": lead.metric, "attribute": lead.attribute, "contrast": "none"}
    found = {(r.group, r.estimator): points(r) for r in result.estimates.only(**where)}
    own, other = ([found.get((g, when), words.DASH) for when in (BEFORE, AFTER)] for g in (lead.group, lead.reference))
    group, reference = (_people(result, lead, g) for g in (lead.group, lead.reference))
    return [
        defined(result, lead.metric),
        say(
            "For {group} it was {own_before} % before and is {own_after} % after; for {reference} {other_before} % "
            "and {other_after} %.",
            group=group,
            own_before=own[0],
            own_after=own[1],
            reference=reference,
            other_before=other[0],
            other_after=other[1],
        ),
    ]


def _people(result: Change, row: Estimate, group: str) -> str:
    """A group with the noun of its people, where the protocol's words have one."""
    protocol = result.protocol
    return people(protocol, row.attribute, group) if protocol.words.unit else name(result, row, group)


def context_of(result: Change) -> list[str]:
    """What else changed, what the rate is, and what could not be compared."""
    rows = ordered(result)
    known = [row for row in rows if words.shown(row)]
    shown = sum(changed(result, row) for row in known)
    said = _rates_of(result, lead) if (lead := lead_of(result)) else []
    if shown:
        said.append(
            say("A change is shown in {shown} of {n} comparisons.", shown=words.count(shown), n=words.count(len(known)))
        )
    if lead and not changed(result, lead) and lead.conf_low == lead.conf_low:
        said.append(
            say(
                "These data are compatible with changes of their difference from {low} to {high} percentage points "
                "({level} interval; 0 is no change).",
                low=signed(100 * lead.conf_low),
                high=signed(100 * lead.conf_high),
                level=level(lead.conf_level),
            )
        )
    if result.protocol.words != NO_WORDS or any(metric not in SHARES for metric in {row.metric for row in rows}):
        said += map(again, measured_among(result.statements))  # else the definitions name columns and labels
    for row in rows:
        if row not in known:
            group, reference = called(result, row)
            values = {"group": group, "reference": reference, "status": words.status(row)}
            said.append(say("{rate}, {group} against {reference}: {status}.", rate=words.heading(row.metric), **values))
    return said


def picture(prefix: str, result: Change) -> Drawing | None:
    """The differences before and after of the first comparisons, and their changes."""
    every = [row for row in ordered(result) if words.shown(row)]
    if not every:
        return None
    first = every[0].metric, every[0].attribute
    rows = [r for r in every[:MOST_DRAWN] if changed(result, r) or (r.metric, r.attribute) == first]
    of_one = len({row.metric for row in rows}) == 1  # which is named once
    with_one = of_one and len({(row.attribute, row.reference) for row in rows}) == 1
    lines = []
    for row in rows:
        before, after = gaps_of(result.estimates, row)
        assert before is not None and after is not None  # of a change that was estimated
        group, reference = called(result, row)
        label = say("{group} less {reference}", group=group, reference=reference)
        label = label if of_one else f"{capital(words.in_text(row.metric))}: {label}"
        lines.append((group if with_one else label, before, after, row))
    caption = say(
        "Left: the difference before (open) and after (filled), each with its {level} interval. Right: its change with "
        "its {joint}, filled where that leaves out 0.",
        level=level(result.conf_level),
        joint=level_of(rows),
    )
    if max(row.conf_level for row in rows) > result.conf_level:
        wider = say("Intervals of changes are wider: they allow for all {n} comparisons.", n=words.count(len(every)))
        caption = f"{caption} {wider}"
    if of_one:
        caption = f"{words.heading(rows[0].metric)}. {caption}"
    if len(every) > len(rows):
        caption += " " + say("Drawn: {k} of {n} comparisons.", k=len(rows), n=len(every))
    title = say("difference from {reference}", reference=called(result, rows[0])[1]) if with_one else ""
    return before_after(prefix, lines, caption=caption, title=title)


def gaps(result: Change, whole: bool = True) -> Table:
    """A line a comparison: the difference before and after and the change (which page one may have) with intervals."""
    rows = Estimates(ordered(result))
    beside = [gaps_of(result.estimates, row) for row in rows]
    known = [r for pair in beside for r in pair if r is not None]
    unit = say("points")
    headings = [text(say("rate")), text(say("groups")), Heading(say("people"))]
    for when in (say("before"), say("after")):
        headings += [Heading(when, unit), Heading(level_of(known), unit)]
    headings += [Heading(say("change"), unit), Heading(level_of(rows), unit)] if whole else []
    headings.append(Heading(say("adjusted p")))
    lines = []
    for row, pair in zip(rows, beside, strict=True):
        group, reference = called(result, row)
        groups = say("{group} less {reference}", group=group, reference=reference)
        cells = [words.heading(row.metric), groups, words.count(row.n)]
        for one in (*pair, row) if whole else pair:
            cells += [points(one), words.interval(one) if one is not None else words.DASH]
        lines.append([*cells, words.p_value(row.p_adjusted)])
    note = methods_note([*known, *rows], say("People: of both groups, in both audits."))
    caption = say("Differences before and after, and their change") if whole else say("Differences before and after")
    return table(caption, headings, lines, note, 30)
