"""What every page one has, whatever it reports on: who and when, what it does not show, where to read on."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from fairstats.auditing.protocol import Protocol
from fairstats.auditing.result import Audit
from fairstats.auditing.rows.adverse_impact import SMALL
from fairstats.auditing.words.answer import declared
from fairstats.auditing.words.page_one import PageOne
from fairstats.auditing.words.phrases import short_name
from fairstats.glossary import SHOWN
from fairstats.labels import holds_missing
from fairstats.language import again, say
from fairstats.reporting import numbers as words
from fairstats.reporting.bundle import Bundle
from fairstats.text import DASH, count, listed, number

FOUR_FIFTHS = {"selection rate": "impact ratio", "scoring rate": "scoring impact ratio"}


def blank() -> dict[str, Any]:
    """The names of page one, all empty: every kind of report fills its own."""
    texts = ("who", "question", "sentence", "own", "other", "interval", "note", "source")
    lists = ("context", "lines", "tables", "figures", "unshown", "next")
    return {**dict.fromkeys(texts, ""), **{name: [] for name in lists}}


def who_and_when(bundle: Bundle) -> str:
    """One line: of whom, by whom, when."""
    parts = [bundle.auditor or say("auditor not named"), bundle.created[:10]]
    if bundle.audit is not None:
        parts.insert(0, _people(bundle.audit))
    return " · ".join(parts)


def _people(audit: Audit) -> str:
    unit = audit.protocol.words.people(say("people"))
    return say("Audit of {n} {people}", n=count(audit.people), people=unit)


def source_line(bundle: Bundle) -> str:
    """The data with the two ends of their hash, and where all numbers are."""
    numbers = say("Every number is in the data of the report (results.csv and results.json; see the last page).")
    audit = bundle.audit
    if audit is None or not audit.data.sha256:
        return numbers
    digest = audit.data.sha256
    known = f"{digest[:8]}…{digest[-8:]}"
    said = say("Data {name}, SHA-256 {digest} (in full under provenance).", name=again(audit.data.name), digest=known)
    return f"{said} {numbers}"


def unrounded(printed: Iterable[tuple[float, float, float]]) -> str:
    """Say it where a printed difference is not that of the printed shares; each is two shares and their difference."""
    lines = ([round(1000 * value) for value in line] for line in printed if not any(map(math.isnan, line)))
    if all(own - other == gap for own, other, gap in lines):
        return ""
    return say("Differences are taken before the shares are rounded.")


def recorded(protocol: Protocol) -> str:
    """That rates of an outcome are of what was recorded."""
    return say(
        "The outcome ({outcome}) is taken as recorded; where it is recorded more readily for one group, these rates "
        "are of the recording.",
        outcome=protocol.outcome,
    )


SETTLED = (*SHOWN, "equivalence shown")


def unshown(bundle: Bundle, page: PageOne | None = None) -> list[str]:
    """What page one does not show."""
    audit = bundle.audit
    said = [say("It does not show why. A difference between groups is not by itself discrimination.")]
    if audit is None:
        return said
    p = audit.protocol
    if p.outcome:
        said.append(recorded(p))
    if page is not None and any(line.gap.verdict not in SETTLED for line in page.lines):
        said.append(say("Where no difference is shown, equal treatment is not shown either."))
    if not p.strata:
        decided = p.decision or p.threshold is not None
        said.append(
            say("Nothing is held fixed: the groups may differ in what the decision rests on.")
            if decided
            else say("Nothing is held fixed: the groups may differ in much else.")
        )
    return said


def read_next(bundle: Bundle, page: PageOne | None) -> list[tuple[str, str]]:
    """Where to read on: id of a section, and what stands there."""
    audit = bundle.audit
    if audit is None:
        return []
    found = []
    if page is not None:
        found.append(("outcomes" if page.head.metric == "selection rate" else "errors", _four_fifths(audit, page)))
        groups = [c.group for c in audit.cells if c.attribute == page.attribute and not holds_missing(c.group)]
        others = [audit.protocol.words.attribute(a) for a in audit.references if a != page.attribute]
        if len(groups) > 2 or others:
            every = say("All {n} groups", n=len(groups)) if len(groups) > 2 else say("Both groups")
            more = say("{groups}, and {others}", groups=every, others=listed(others)) if others else every
            found.append(("outcomes", more))
    if audit.protocol.outcome or audit.protocol.score:
        found.append(("errors", say("Errors and scores by group")))
    found.append(("sensitivity", say("How the answer depends on choices")))
    return [(at, said) for at, said in found if said]


def _four_fifths(audit: Audit, page: PageOne) -> str:
    """The lowest ratio to a highest rate over all attributes, which is what the rule of four fifths looks at."""
    metric = FOUR_FIFTHS.get(page.head.metric, "")
    names = declared(audit)
    rows = [r for r in audit.estimates.only(metric=metric, role="main", contrast="ratio") if r.attribute in names]
    known = [r for r in rows if words.shown(r) and not holds_missing(r.group)]
    counted = [r for r in known if SMALL not in r.reason] or known
    if not metric or not counted:
        return ""
    row = min(counted, key=lambda r: r.estimate)
    p = audit.protocol
    values = {
        "ratio": number(row.estimate, 3 if abs(row.estimate - 0.8) < 0.005 else 2),  # on which side of the line it is
        "group": short_name(p, row.attribute, row.group),
        "best": short_name(p, row.attribute, row.reference) if row.reference else DASH,
    }
    if len(names) > 1:
        values["group"] = say("{group} ({name})", group=values["group"], name=p.words.attribute(row.attribute))
    if len(counted) < len(known) or any(r.estimate > 1 for r in known):  # groups that the rule does not count
        return say(
            "Four-fifths rule (at least 0.80): the lowest ratio is {ratio}, that of {group} to {best}, of groups with "
            "2 % of the people or more",
            **values,
        )
    return say(
        "Four-fifths rule (at least 0.80): the lowest ratio is {ratio}, that of {group} to {best}, the highest rate",
        **values,
    )


SHOWING = ("generic", "four_fifths")  # presets whose page one has pictures of the scores


def drawn_once(first: dict[str, Any], errors: dict[str, Any] | None, preset: str) -> None:
    """Take out of the section on errors the pictures that page one has, with the ROC curve that would stand alone."""
    if preset not in SHOWING:
        return
    known = {(drawing.caption, drawing.alt) for drawing in first.get("figures", ())}
    for part in errors["parts"] if errors else ():
        left = [drawing for drawing in part["figures"] if (drawing.caption, drawing.alt) not in known]
        if len(left) < len(part["figures"]):
            part["figures"] = [drawing for drawing in left if not drawing.name.startswith("roc")]
