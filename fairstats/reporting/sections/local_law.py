"""Page one and the annex of New York City's Local Law 144 (6 RCNY § 5-300 ff.), as the rule lays its tables out."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from fairstats.errors import InputError
from fairstats.language import again, mark, say
from fairstats.presets.local_law_144 import local_law_144
from fairstats.presets.local_law_144_tables import Category, ImpactTable
from fairstats.presets.notice import FIELDS
from fairstats.reporting import numbers as words
from fairstats.reporting.bundle import Bundle
from fairstats.reporting.sections.errors import errors
from fairstats.reporting.sections.page_one_parts import blank, source_line, who_and_when
from fairstats.reporting.sections.shared import attribute_name
from fairstats.reporting.tables import Heading, Table, table, text
from fairstats.text import level

NO_CONCLUSION = mark("Local Law 144 of New York City sets no threshold: these tables state no conclusion.")
NOT_GIVEN = mark("not given")
UNDER = mark("Under 2 % of the data used: the rule permits to exclude such a category with a justification")
HISPANIC, OTHERS = mark("Hispanic or Latino"), mark("Non-Hispanic or Latino")


def local_law(bundle: Bundle) -> dict[str, Any]:
    """The context of the preset ``ll144``."""
    tables = _tables(bundle)
    audit = bundle.audit
    assert audit is not None
    notes: list[str] = []
    shown = [_published(one, notes) for one in tables]
    unknown = [
        say(
            "The table of {table} leaves out {n} people of unknown {attribute}.",
            table=attribute_name(t.attribute),
            n=words.count(t.unknown),
            attribute=f" {say('or')} ".join(t.attribute.split(":")),
        )
        for t in tables
        if t.unknown
    ]
    read = say(
        "{n} people were read from {file}; the audit was made on {day}.",
        n=words.count(audit.people),
        file=again(audit.data.name) or say("data in memory"),
        day=audit.provenance.created[:10],
    )
    return {
        "sentence": read,
        "about": _about(bundle, tables),
        "tables": shown,
        "notes": notes,
        "unknown": unknown,
        "annex": [table_of(one) for one in tables],
    }


def law_findings(bundle: Bundle) -> dict[str, Any]:
    """Page one of the law: the lowest impact ratio, whose it is and beside whom, of each table; and no verdict."""
    tables = _tables(bundle)
    known = [(one, least) for one in tables if (least := _least(one))]
    known.sort(key=lambda pair: pair[1].impact_ratio)
    said = [" ".join(filter(None, (_lowest(*pair), _larger(*pair)))) for pair in known] or [
        local_law(bundle)["sentence"]
    ]
    return blank() | {
        "who": who_and_when(bundle),
        "question": say("How do the rates of the categories compare with the highest one?"),
        "sentence": said[0],
        "context": [*said[1:], say(NO_CONCLUSION)],
        "source": source_line(bundle),
    }


def _least(law: ImpactTable) -> Category | None:
    """The category with the lowest impact ratio, None where there is no other one beside it."""
    ratios = [c for c in law.categories if c.status == "ok" and c.category != law.highest]
    return min(ratios, key=lambda c: c.impact_ratio, default=None) if law.highest else None


def _lowest(law: ImpactTable, least: Category) -> str:
    """The lowest impact ratio of a table with the two rates that it is made of."""
    best = next(c for c in law.categories if c.category == law.highest)
    parts = law.attribute.count(":") + 1
    values = {
        "attribute": attribute_name(law.attribute),
        "ratio": words.number(least.impact_ratio, 2),
        "group": " × ".join(_headers(least.category, parts)),
        "rate": words.percent(least.rate),
        "n": words.count(least.n),
        "highest": " × ".join(_headers(law.highest, parts)),
        "highest_rate": words.percent(best.rate),
        "highest_n": words.count(best.n),
    }
    if law.measure == "scoring rate":
        return say(
            "By {attribute} the lowest impact ratio is {ratio}, that of {group}: {rate} % of {n} people score above "
            "the median, against {highest_rate} % of {highest_n} of {highest}, the category with the highest rate.",
            **values,
        )
    return say(
        "By {attribute} the lowest impact ratio is {ratio}, that of {group}: {rate} % of {n} people were selected, "
        "against {highest_rate} % of {highest_n} of {highest}, the category with the highest rate.",
        **values,
    )


def _larger(law: ImpactTable, least: Category) -> str:
    """Beside a lowest ratio that few people have, the lowest one of the categories too large to be excluded."""
    if not least.reason:
        return ""
    found = _least(replace(law, categories=tuple(c for c in law.categories if not c.reason)))
    parts = law.attribute.count(":") + 1
    small = " × ".join(_headers(least.category, parts))
    if found is None:
        return say("{small} is under 2 % of the data.", small=small)
    return say(
        "{small} is under 2 % of the data; of the larger categories the lowest ratio is {ratio}, that of {group}.",
        small=small,
        ratio=words.number(found.impact_ratio, 2),
        group=" × ".join(_headers(found.category, parts)),
    )


def law_errors(bundle: Bundle) -> dict[str, Any] | None:
    """The errors without a second table of impact ratios."""
    found = errors(bundle)
    if found is not None:
        found["parts"] = [{**part, "impact": None} for part in found["parts"]]
    return found


def law_outcomes(bundle: Bundle) -> None:
    """No second table of rates and ratios, whose reference is another one."""


def _tables(bundle: Bundle) -> tuple[ImpactTable, ...]:
    """The tables that the auditor brings, with exclusions, or those in which nobody is excluded."""
    if bundle.audit is None:
        raise InputError("preset='ll144' needs an audit of decisions or scores; pass one to report().")
    return tuple(t for t in bundle.others if isinstance(t, ImpactTable)) or local_law_144(bundle.audit)


def _about(bundle: Bundle, tables: tuple[ImpactTable, ...]) -> list[tuple[str, str]]:
    """What the law has published beside the tables; what was not given is named."""
    known = dict(bundle.about) or next((dict(t.about) for t in tables if t.about), {})
    given = [(say(label), known.get(name, say(NOT_GIVEN))) for name, label in FIELDS.items()]
    return [*given, (say("Auditor"), bundle.auditor or say(NOT_GIVEN))]


def _published(law: ImpactTable, notes: list[str]) -> Table:
    """Applicants, selections, rate and impact ratio; of two attributes the matrix of their categories."""
    scoring = law.measure == "scoring rate"
    parts = law.attribute.split(":")
    lines = [(*_headers(c.category, len(parts)), *_cells(c, notes)) for c in law.categories]
    headings = [*(text(p) for p in parts)]
    if len(parts) == 2:
        lines, blocked = _by_block(lines)
        headings = [text(say("ethnicity")), *headings] if blocked else headings
    headings += [
        Heading(say("applicants")),
        Heading(say("above the median") if scoring else say("selected")),
        Heading(words.in_text("scoring rate" if scoring else "selection rate"), "%"),
        Heading(words.in_text("impact ratio")),
    ]
    return table(_caption(law), headings, lines, most=60)


def _caption(law: ImpactTable) -> str:
    highest = " × ".join(_headers(law.highest, law.attribute.count(":") + 1))
    name = attribute_name(law.attribute)
    if highest:
        return say("{attribute}: rates and impact ratios; ratios to {group}", attribute=name, group=highest)
    return say("{attribute}: rates and impact ratios", attribute=name)


def _headers(category: str, parts: int) -> tuple[str, ...]:
    """The categories of an intersection one by one; a colon within a label is written with a backslash."""
    split = [p.replace("\0", ":") for p in category.replace("\\:", "\0").split(":")]
    return tuple(split) if len(split) == parts else (category, *("" for _ in range(parts - 1)))


def _cells(c: Category, notes: list[str]) -> tuple[str, ...]:
    mark = ""
    if c.reason:
        # how small a category is its count says: one note for all of them
        said = say(UNDER) if c.status == "ok" else f"{c.category.replace(':', ' × ')}: {again(c.reason)}"
        if said not in notes:
            notes.append(said)
        mark = f" ({notes.index(said) + 1})"
    ratio = words.number(c.impact_ratio, 2) if c.status == "ok" else words.DASH
    return words.count(c.n), words.count(c.selected), words.percent(c.rate), f"{ratio}{mark}"


def _by_block(lines: list[tuple[str, ...]]) -> tuple[list[tuple[str, ...]], bool]:
    """As the rule's example: people who are Hispanic or Latino by sex, then everybody else by sex and race."""
    place = next((k for k in (0, 1) if any(_hispanic(line[k]) for line in lines)), -1)
    if place < 0:
        return sorted(lines, key=lambda line: line[0]), False
    ordered = sorted(lines, key=lambda line: (not _hispanic(line[place]), line[1 - place]))
    return [(say(HISPANIC if _hispanic(line[place]) else OTHERS), *line) for line in ordered], True


def _hispanic(label: str) -> bool:
    low = label.lower()
    return ("hispanic" in low or "latin" in low) and not low.startswith(("non", "not"))


def table_of(law: ImpactTable) -> Table:
    """The rates and ratios of one attribute with our intervals."""
    headings = [
        text(say("category")),
        Heading(words.in_text("scoring rate" if law.measure == "scoring rate" else "selection rate"), "%"),
        Heading(say("{level} interval", level=level(0.95)) if law.conf_level == 0.95 else say("interval"), "%"),
        Heading(words.in_text("impact ratio")),
        Heading(say("interval")),
    ]
    rows = [
        [
            c.category.replace(":", " × "),
            words.percent(c.rate),
            words.span(c.conf_low, c.conf_high, words.percent),
            words.number(c.impact_ratio, 2) if c.status == "ok" else words.DASH,
            words.span(c.ratio_low, c.ratio_high, lambda v: words.number(v, 2)) if c.status == "ok" else words.DASH,
        ]
        for c in law.categories
    ]
    note = say(
        "The intervals are not asked for by the law: Wilson for rates; those of ratios hold together, whichever "
        "category truly has the highest rate."
    )
    caption = say("{attribute}: intervals of rates and impact ratios", attribute=attribute_name(law.attribute))
    return table(caption, headings, rows, note, 60)
