"""What every page one has, whatever it reports on: who and when, what it does not show, where to read on."""

from __future__ import annotations

from typing import Any

from fairstats.auditing.result import Audit
from fairstats.auditing.words.page_one import PageOne
from fairstats.labels import holds_missing
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
    parts = [bundle.auditor or "auditor not named", bundle.created[:10]]
    if bundle.audit is not None:
        parts.insert(0, _people(bundle.audit))
    return " · ".join(parts)


def _people(audit: Audit) -> str:
    own = audit.protocol.words
    unit = " ".join(filter(None, (own.unit or "people", own.population)))
    read = audit.flow[0].n if audit.flow else audit.data.rows
    return f"Audit of {count(read)} {unit}"


def source_line(bundle: Bundle) -> str:
    """The data with the two ends of their hash, and where all numbers are."""
    numbers = "Every number is in the data of the report (results.csv and results.json; see the last page)."
    audit = bundle.audit
    if audit is None or not audit.data.sha256:
        return numbers
    digest = audit.data.sha256
    return f"Data {audit.data.name}, SHA-256 {digest[:8]}…{digest[-8:]} (in full under provenance). {numbers}"


def unshown(bundle: Bundle) -> list[str]:
    """What page one does not show."""
    audit = bundle.audit
    said = ["It does not show why. A difference between groups is not by itself discrimination."]
    if audit is None:
        return said
    p = audit.protocol
    if p.outcome:
        said.append(
            f"The outcome ({p.outcome}) is taken as recorded; where it is recorded more readily for one group, these "
            "rates are of the recording."
        )
    held = "" if p.strata else " Nothing is held fixed: the groups may differ in what the decision rests on."
    said.append(f"A missing verdict does not show equal treatment.{held}")
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
            every = f"All {len(groups)} groups" if len(groups) > 2 else "Both groups"
            found.append(("outcomes", f"{every}{', and ' + listed(others) if others else ''}"))
    if audit.protocol.outcome or audit.protocol.score:
        found.append(("errors", "Errors and scores by group"))
    found.append(("sensitivity", "How the answer depends on choices"))
    return [(at, said) for at, said in found if said]


def _four_fifths(audit: Audit, page: PageOne) -> str:
    """The ratio to the highest rate, which is what the rule of four fifths looks at."""
    metric = FOUR_FIFTHS.get(page.head.metric, "")
    rows = audit.estimates.only(
        metric=metric, attribute=page.attribute, group=page.group, role="main", contrast="ratio"
    )
    known = [r for r in rows if words.shown(r)]
    if not metric or not known:
        return ""
    row = known[0]
    return f"Four-fifths rule: {number(row.estimate, 2)} of the highest rate, that of {row.reference or DASH}"
